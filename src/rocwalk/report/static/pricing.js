// Cost space: a price on the slider, and what the best rules then cost, in three charts.
"use strict";
rocwalk.sections.pricing = function (host, carried) {
  const data = { ...carried, models: Object.fromEntries(Object.entries(carried.models).map(([k, lines]) => [k, rocwalk.placed(lines)])) };
  const pick = rocwalk.parts(host), model = pick("model"), own = rocwalk.models[0].prevalence;
  const costs = rocwalk.costChart(pick("costs"), data.description);
  const marks = rocwalk.models.map((_, k) => costs.mark(0, 0, rocwalk.fill(k)));
  const benefit = pick("benefit") ? rocwalk.benefitChart(pick("benefit"), data) : null;
  const share = rocwalk.prevalence(pick("price"), pick("price-words"), pick("alike"), show);
  let losses = null;

  function show() {
    const p = share.value(), ratio = p * (1 - own) / ((1 - p) * own), c = 1 / (1 + ratio);
    const rules = rocwalk.models.map((walk) => rocwalk.priced(walk, p));
    const least = Math.min(...rules.map(({ expected }) => expected));
    costs.stand(costs.line_, p);
    if (losses) losses.stand(losses.line_, c);
    if (benefit) benefit.stand(benefit.line_, Math.min(c, benefit.x[1]));
    rules.forEach(({ expected }, k) => costs.move(marks[k], p, expected));
    pick("ratio").textContent = rocwalk.ratioWords(ratio);
    pick("proportion").textContent = rocwalk.rate(c);
    pick("trivial").textContent = rocwalk.rate(Math.min(p, 1 - p));
    pick("rows").replaceChildren(...rules.map((rule, k) => {
      const line = rocwalk.row([rule.threshold, rocwalk.rate(rule.x), rocwalk.rate(rule.y), rocwalk.rate(rule.expected)], rocwalk.models[k].name);
      line.classList.toggle("best", rule.expected === least);
      return line;
    }));
  }

  function choose() {
    if (!model) return;
    losses = rocwalk.lossChart(pick("losses"), data, Number(model.value));
    show();
  }

  costs.root.classList.add("pickable");
  costs.root.addEventListener("pointerdown", (event) => {
    const x = Math.min(Math.max(costs.place(event).x, 1e-4), 1 - 1e-4), slider = pick("price");
    slider.value = Math.round(20 * Math.log(x / (1 - x)));
    slider.dispatchEvent(new Event("input"));
  });
  if (model) model.addEventListener("change", choose);
  share.reset(own);
  show();
  choose();
  rocwalk.pricingTables(pick("tables"), data);
};

// Lines with their places; without any these are even, 300 to one.
rocwalk.placed = (lines) => Object.fromEntries(Object.entries(lines).map(([name, [xs, ys]]) => [name, [xs ?? ys.map((_, i) => i / 300), ys]]));

// The best rule at a probability cost: both mistakes cost alike where so many are positive.
rocwalk.priced = (walk, p) => rocwalk.best(walk, (1 - p) / p, { fp: 1, fn: 1 }, p);

rocwalk.ratioWords = (ratio) => {
  const few = (value) => rocwalk.short(Number(value.toPrecision(3)));
  return ratio >= 1 ? `${few(ratio)} : 1` : `1 : ${few(1 / ratio)}`;
};

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
      words: `${found.name}\nPC(+) ${rocwalk.short(p)}: threshold ≥ ${found.threshold}\ncost ${rocwalk.rate(found.expected)}, TPR ${rocwalk.rate(found.y)}, FPR ${rocwalk.rate(found.x)}`,
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

// Net benefit of the rule "score ≥ t", of calling all positive and of calling none.
rocwalk.benefitChart = function (host, data) {
  const shown = Object.entries(data.models).map(([k, one]) => ({ k: Number(k), line: one.benefit, walk: rocwalk.models[k] }));
  const top = Math.max(...shown.map(({ walk }) => walk.prevalence)), ts = [...Array(100).keys()].map((i) => i / 100);
  const chart = new rocwalk.Chart(host, { x: [0, 0.99], y: [-0.12 * top, 1.08 * top], height: 340, xlabel: "Threshold probability t", ylabel: "Net benefit", label: data.description_of_benefit });
  const layer = chart.inside();
  chart.line([0, 0.99], [0, 0], "axis", layer);
  for (const share of new Set(shown.map(({ walk }) => walk.prevalence))) {
    chart.line(ts, ts.map((t) => rocwalk.treatAll(t, share)), "chance", layer);
  }
  chart.line_ = chart.upright("price");
  shown.forEach(({ k, line }) => chart.line(...line, `curve ${rocwalk.ink(k)}`, layer));
  rocwalk.legend(host, shown.map(({ k, walk }) => ({ words: walk.name, style: rocwalk.ink(k) })));
  chart.hover((x, y) => {
    const t = Number(Math.min(Math.max(x, 0), 0.99).toFixed(2));
    const found = shown.map((one) => ({ ...one, at: rocwalk.heightAt(one.line, t) })).reduce((a, b) => Math.abs(b.at - y) < Math.abs(a.at - y) ? b : a);
    if (x < 0 || x > 0.99 || found.at < chart.y[0]) return null;
    return { x: t, y: found.at, words: `${found.walk.name}\nthreshold ${rocwalk.short(t)}\nnet benefit ${rocwalk.rate(found.at)}\ncalling all positive ${rocwalk.rate(rocwalk.treatAll(t, found.walk.prevalence))}` };
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
  rocwalk.table(host, "net benefit by threshold", ["Model", "Threshold", "Net benefit", "Calling all positive"], () =>
    shown.flatMap(([k, { benefit }]) => hundredths.slice(0, -1).map((t) => [rocwalk.models[k].name, rocwalk.short(t), rocwalk.rate(rocwalk.heightAt(benefit, t)), rocwalk.rate(rocwalk.treatAll(t, rocwalk.models[k].prevalence))])));
};
