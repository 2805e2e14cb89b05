// Cost space: the price of the rule in force, and what the best rules then cost, in three charts.
"use strict";
rocwalk.sections.pricing = function (host, carried) {
  const data = { ...carried, models: Object.fromEntries(Object.entries(carried.models).map(([k, lines]) => [k, rocwalk.placed(lines)])) };
  const pick = rocwalk.parts(host), model = pick("model"), slider = pick("price"), alike = pick("alike"), { rule } = rocwalk;
  const first = rocwalk.models[0], place = (p) => Math.max(Number(slider.min), Math.min(Number(slider.max), Math.round(20 * Math.log(p / (1 - p)))));
  const costs = rocwalk.costChart(pick("costs"), data.description);
  rocwalk.pointsInForce(costs, ({ x, y }, walk) => { const p = rule.price(walk); return [p, (1 - y) * p + x * (1 - p)]; });
  let losses = null, benefit = null, differences = null;

  // A price is a ratio of costs at the prevalence in use.
  const take = (p) => {
    const share = rule.share(first), ratio = p * (1 - share) / ((1 - p) * share);
    rule.set({ kind: "costs", ...(ratio >= 1 ? { miss: ratio, alarm: 1 } : { miss: 1, alarm: 1 / ratio }) });
  };

  function show() {
    const { kind } = rule.state, { fn: miss, fp: alarm } = rule.cost(), c = alarm / (alarm + miss);
    if (benefit) {
      const t = kind === "threshold" ? rule.state.threshold : c;  // scores at their word cut at t
      benefit.stand(benefit.line_, Math.min(Math.max(t, benefit.x[0]), benefit.x[1]));
    }
    if (losses) losses.stand(losses.line_, c);
    if (differences) differences.show(kind === "threshold" ? rule.state.threshold : c);
    price(rule.prices());
    renew();
  }

  const price = rocwalk.whenNew(() => {
    const { fn: miss, fp: alarm } = rule.cost(), p = rule.price(first), c = alarm / (alarm + miss), said = rocwalk.rate(p);
    const rules = rocwalk.models.map((walk) => rocwalk.priced(walk, rule.price(walk)));
    const least = Math.min(...rules.map(({ expected }) => expected));
    costs.stand(costs.line_, p);
    slider.value = place(p);
    slider.setAttribute("aria-valuetext", miss === alarm ? `${said}, as in the data` : said);
    alike.disabled = miss === alarm;
    pick("price-words").textContent = said;
    const few = (value) => Number(value.toPrecision(3));
    pick("ratio").textContent = miss >= alarm ? rocwalk.ratioWords(few(miss / alarm), 1) : rocwalk.ratioWords(1, few(alarm / miss));
    pick("proportion").textContent = rocwalk.rate(c);
    pick("trivial").textContent = rocwalk.rate(Math.min(p, 1 - p));
    pick("rows").replaceChildren(...rules.map((one, k) => {
      const line = rocwalk.row([one.threshold, rocwalk.rate(one.x), rocwalk.rate(one.y), rocwalk.rate(one.expected)], rocwalk.models[k].name);
      line.classList.toggle("best", one.expected === least);
      return line;
    }));
  });

  const renew = rocwalk.typed(pick("price-field"), (text) => { const p = rocwalk.read.number(text); return p > 0 && p < 1 ? p : null; }, take, () => rocwalk.rate(rule.price(first)));
  slider.addEventListener("input", () => {
    const at = Number(slider.value), share = rule.share(first);
    if (at === place(share)) rule.set({ kind: "costs", miss: 1, alarm: 1 });
    else take(Number((1 / (1 + Math.exp(-at / 20))).toFixed(4)));
  });
  alike.addEventListener("click", () => { rule.set({ kind: "costs", miss: 1, alarm: 1 }); slider.focus(); });
  costs.root.classList.add("pickable");
  costs.root.addEventListener("pointerdown", (event) => take(Number(Math.min(Math.max(costs.place(event).x, 1e-4), 1 - 1e-4).toFixed(4))));
  if (model) {
    const choose = () => { losses = rocwalk.lossChart(pick("losses"), data, Number(model.value)); show(); };
    model.addEventListener("change", choose);
    losses = rocwalk.lossChart(pick("losses"), data, Number(model.value));
    benefit = rocwalk.benefit(pick, data, (chart, far) => { benefit = chart; differences?.reach(far); show(); });
    if (data.differences) differences = rocwalk.differences(pick, data.differences, benefit.x[1]);
  }
  rule.follow(show);
  rocwalk.pricingTables(pick("tables"), data);
};

// Lines with their places; without any these are even, 300 to one.
rocwalk.placed = (lines) => Object.fromEntries(Object.entries(lines).map(([name, [xs, ys]]) => [name, [xs ?? ys.map((_, i) => i / 300), ys]]));

// The best rule at a probability cost: both mistakes cost alike where so many are positive.
rocwalk.priced = (walk, p) => rocwalk.best(walk, (1 - p) / p, { fp: 1, fn: 1 }, p);

// PC(+) from 0 to 1 where the best rule of a walk changes: 0, dFPR / (dFPR + dTPR) of its hull, 1.
rocwalk.shares = function ({ hull, fpr, tpr }) {
  const cuts = hull.slice(1).map((i, j) => {
    const run = fpr[i] - fpr[hull[j]], rise = tpr[i] - tpr[hull[j]];
    return run / (run + rise);
  });
  return [0, ...cuts, 1];
};

// -- charts -----------------------------------------------------------------------------------

// The lower envelopes over PC(+), below the better of "always" and "never positive".
rocwalk.costChart = function (host, label) {
  const chart = new rocwalk.Chart(host, { y: [0, 0.5], height: 360, xlabel: "Probability cost PC(+)", ylabel: "Normalised expected cost", label });
  chart.line([0, 0.5, 1], [0, 0.5, 0], "chance");
  chart.line_ = chart.upright("price");
  rocwalk.models.forEach((walk, k) => {
    const xs = rocwalk.shares(walk), at = [walk.hull[0], ...walk.hull];
    chart.line(xs, xs.map((p, j) => (1 - walk.tpr[at[j]]) * p + walk.fpr[at[j]] * (1 - p)), `curve ${rocwalk.ink(k)}`);
  });
  rocwalk.legend(host, rocwalk.models.map(({ name }, k) => ({ words: name, style: rocwalk.ink(k) })));
  chart.hover((x, y) => {
    const p = Number(Math.min(Math.max(x, 0.001), 0.999).toFixed(3));
    const found = rocwalk.models.map((walk) => ({ name: walk.name, ...rocwalk.priced(walk, p) }))
      .reduce((a, b) => Math.abs(b.expected - y) < Math.abs(a.expected - y) ? b : a);
    if (x < 0 || x > 1 || Math.abs(found.expected - y) > 0.06) return null;
    return {
      x: p, y: found.expected,
      words: `${found.name}\nPC(+) ${rocwalk.short(p)}: threshold ≥ ${found.threshold}\ncost ${rocwalk.rate(found.expected)}, ${rocwalk.rates(found.y, found.x)}`,
    };
  });
  return chart;
};

// The Brier curve of one model over the loss of its best rules; what lies between is calibration.
rocwalk.lossChart = function (host, data, k) {
  host.replaceChildren();
  const { brier, best } = data.models[k], { name, prevalence } = rocwalk.models[k];
  const peak = 2 * prevalence * (1 - prevalence), high = 1.08 * brier[1].reduce((a, b) => Math.max(a, b), peak);
  const chart = new rocwalk.Chart(host, { y: [0, high], height: 340, xlabel: "Cost proportion c of a false alarm", ylabel: "Loss Q", label: `${name}: ${data.description_of_losses}` });
  chart.line([0, prevalence, 1], [0, peak, 0], "chance");
  rocwalk.svg("path", { class: `ribbon ${rocwalk.fill(k)}`, d: chart.between(best, brier) }, chart.back);
  chart.line_ = chart.upright("price");
  chart.line(...best, `hull loss k${k % rocwalk.colours}`);
  chart.line(...brier, `curve ${rocwalk.ink(k)}`);
  chart.hover((x) => {
    const c = Number(x.toFixed(2));
    if (x < 0 || x > 1) return null;
    const [own, least] = [brier, best].map((line) => rocwalk.heightAt(line, c));
    return { x: c, y: own, words: `c ${rocwalk.short(c)}\nscore ≥ c loses ${rocwalk.rate(own)}\nthe best rule ${rocwalk.rate(least)}` };
  });
  return chart;
};

// Net benefit over a range of thresholds, which a field changes: at first up to four times the
// prevalence, as far as decisions on a rare outcome go.
rocwalk.benefit = function (pick, data, renewed) {
  const own = Math.max(...Object.keys(data.models).map((k) => rocwalk.models[k].prevalence));
  let far = Math.min(0.99, Math.max(0.05, Math.ceil(400 * own) / 100));
  const draw = () => { pick("benefit").replaceChildren(); return rocwalk.benefitChart(pick("benefit"), data, far); };
  rocwalk.typed(pick("range"), (text) => { const t = rocwalk.read.share(text); return t >= 0.01 && t <= 0.99 ? t : null; },
    (t) => { far = t; renewed(draw(), far); }, () => rocwalk.percentWords(far))();
  return draw();
};

// Net benefit of the rule "score ≥ t", of treating all as positive and of treating none so.
rocwalk.benefitChart = function (host, data, far) {
  const shown = Object.entries(data.models).map(([k, one]) => ({ k: Number(k), line: one.benefit, walk: rocwalk.models[k] }));
  const within = ({ line: [xs, ys] }) => ys.filter((_, i) => xs[i] <= far), top = Math.max(...shown.map(({ walk }) => walk.prevalence), ...shown.flatMap(within));
  const ts = [...Array(101).keys()].map((i) => i * far / 100), low = Math.min(-0.12 * top, Math.max(-0.5 * top, ...shown.map((one) => Math.min(...within(one)))));
  const chart = new rocwalk.Chart(host, { x: [0, far], y: [1.1 * low, 1.08 * top], height: 340, xlabel: "Threshold probability t", ylabel: "Net benefit", label: data.description_of_benefit });
  const layer = chart.inside(), shares = [...new Set(shown.map(({ walk }) => walk.prevalence))];
  chart.line([0, far], [0, 0], "curve none", layer);
  for (const share of shares) chart.line(ts, ts.map((t) => rocwalk.treatAll(t, share)), "curve all", layer);
  chart.line_ = chart.upright("price");
  shown.forEach(({ k, line }) => chart.line(...line, `curve ${rocwalk.ink(k)}`, layer));
  rocwalk.legend(host, [...shown.map(({ k, walk }) => ({ words: walk.name, style: rocwalk.ink(k) })), { words: "treat all", style: "all" }, { words: "treat none", style: "none" }]);
  chart.hover((x, y) => {
    const t = Number(Math.min(Math.max(x, 0), far).toFixed(far < 0.2 ? 3 : 2));
    const found = shown.map((one) => ({ ...one, at: rocwalk.heightAt(one.line, t) })).reduce((a, b) => Math.abs(b.at - y) < Math.abs(a.at - y) ? b : a);
    if (x < 0 || x > far || found.at < chart.y[0]) return null;
    return { x: t, y: found.at, words: `${found.walk.name}\nthreshold ${rocwalk.short(t)}\nnet benefit ${rocwalk.rate(found.at)}\ntreat all ${rocwalk.rate(rocwalk.treatAll(t, found.walk.prevalence))}` };
  });
  return chart;
};

// The differences of a pair with their intervals, and all pairs at the threshold nearest to the one in force.
rocwalk.differences = function (pick, data, far) {
  const select = pick("pair"), { cuts, pairs } = data;
  let at = 0, chart = null;
  const draw = () => {
    pick("differences").replaceChildren();
    chart = rocwalk.differenceChart(pick("differences"), data, pairs[Number(select.value)], far);
    chart.stand(chart.line_, Math.min(cuts[at], far));
  };
  select.addEventListener("change", draw);
  return {
    reach(to) { far = to; draw(); },
    show(t) {
      const found = cuts.reduce((best, cut, i) => Math.abs(cut - t) < Math.abs(cuts[best] - t) ? i : best, 0);
      rocwalk.write(pick("cut-words"), cuts[found] === t ? "" : `The nearest of ${cuts.length} thresholds with intervals; the rule in force stands for ${rocwalk.numeral(Number(t.toPrecision(6)))}.`);
      if (chart && found === at) return;
      at = found;
      draw();
      rocwalk.write(pick("cut"), rocwalk.short(cuts[at]));
      pick("differences-rows").replaceChildren(...pairs.map((pair) => {
        const line = rocwalk.row([...rocwalk.differenceCells(pair, at), ...(pairs.length > 1 ? [pair.adjusted[at]] : [])], pair.a);
        line.firstChild.after(rocwalk.node("th", pair.b, { scope: "row" }));
        return line;
      }));
    },
  };
};

rocwalk.signedRate = (value) => {
  const words = rocwalk.rate(Math.abs(value));
  return Number(words) === 0 ? words : `${value < 0 ? "−" : "+"}${words}`;
};

rocwalk.differenceCells = ({ difference, low, high, p }, i) =>
  [rocwalk.signedRate(difference[i]), `${rocwalk.signedRate(low[i])}\u00a0to\u00a0${rocwalk.signedRate(high[i])}`, p[i]];

// The differences of a pair at the thresholds up to `far`, with their intervals.
rocwalk.differenceChart = function (host, { cuts, description }, pair, far) {
  const last = rocwalk.lastWhere(cuts, (cut) => cut <= far), xs = cuts.slice(0, last + 1);
  const [ys, low, high] = [pair.difference, pair.low, pair.high].map((one) => one.slice(0, last + 1));
  const ends = [0, ...low, ...high], reach = Math.max(...ends) - Math.min(...ends) || 0.01;
  const chart = new rocwalk.Chart(host, {
    x: [0, far], y: [Math.min(...ends) - 0.06 * reach, Math.max(...ends) + 0.06 * reach], height: 340,
    xlabel: "Threshold probability t", ylabel: "Difference in net benefit", label: `${pair.a} − ${pair.b}: ${description}`,
  });
  rocwalk.svg("path", { class: `ribbon ${rocwalk.fill(0)}`, d: chart.between([xs, low], [xs, high]) }, chart.back);
  chart.line([0, far], [0, 0], "zero");
  chart.line_ = chart.upright("price");
  chart.line(xs, ys, `curve ${rocwalk.ink(0)}`);
  xs.forEach((x, i) => rocwalk.svg("circle", { class: "one", cx: chart.px(x), cy: chart.py(ys[i]), r: 2.6 }, chart.front));
  chart.follow([{ xs, ys }], (_, i) => {
    const [difference, between, p] = rocwalk.differenceCells(pair, i);
    return `threshold ${rocwalk.short(xs[i])}\n${pair.a} − ${pair.b}\n${difference} (${between})\np ${p}`;
  });
  return chart;
};

rocwalk.treatAll = (t, share) => share - (1 - share) * t / (1 - t);

// -- tables -----------------------------------------------------------------------------------

rocwalk.pricingTables = function (host, data) {
  const hundredths = [...Array(101).keys()].map((i) => i / 100), shown = Object.entries(data.models);
  rocwalk.table(host, "rules that are best for some price", ["Model", "Threshold ≥", "FPR", "TPR", "From PC(+)", "To PC(+)"], () =>
    rocwalk.models.flatMap((walk) => {
      const shares = rocwalk.shares(walk);
      return walk.hull.map((i, j) => [walk.name, rocwalk.threshold(walk, i), ...[walk.fpr[i], walk.tpr[i], shares[j], shares[j + 1]].map(rocwalk.rate)]);
    }));
  if (!shown.length) return;
  rocwalk.table(host, "losses by cost proportion", ["Model", "c", "Score ≥ c", "Best rule"], () =>
    shown.flatMap(([k, { brier, best }]) => hundredths.map((c) => [rocwalk.models[k].name, rocwalk.short(c), ...[brier, best].map((line) => rocwalk.rate(rocwalk.heightAt(line, c)))])));
  if (data.differences) {
    const { cuts, pairs, level } = data.differences;
    rocwalk.table(host, "differences in net benefit by threshold", ["Model", "Minus", "Threshold", "Difference", `${level} interval`, "p", "Adjusted p (Holm)"], () =>
      pairs.flatMap((pair) => cuts.map((cut, i) => [pair.a, pair.b, rocwalk.short(cut), ...rocwalk.differenceCells(pair, i), pair.adjusted[i]])));
  }
  rocwalk.table(host, "net benefit by threshold", ["Model", "Threshold", "Net benefit", "Calling all positive"], () =>
    shown.flatMap(([k, { benefit }]) => hundredths.slice(0, -1).map((t) => [rocwalk.models[k].name, rocwalk.short(t), rocwalk.rate(rocwalk.heightAt(benefit, t)), rocwalk.rate(rocwalk.treatAll(t, rocwalk.models[k].prevalence))])));
};
