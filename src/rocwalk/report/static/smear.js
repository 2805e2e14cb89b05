// A width slider: the ROC curve of smeared scores, between the bare curve and the diagonal.
"use strict";
rocwalk.sections.smear = function (host, data) {
  const pick = rocwalk.parts(host), model = pick("model"), slider = pick("width"), kernel = pick("kernel"), amount = pick("amount").innerHTML;
  const write = (role, words) => { pick(role).textContent = words; };
  const chart = rocwalk.rocChart(pick("roc"), data.description);
  const under = rocwalk.svg("path", {}, chart.back), bare = chart.line([], [], ""), curve = chart.line([], [], "", chart.front);
  bare.setAttribute("opacity", "0.45");
  const path = (points) => { const { fpr, tpr } = rocwalk.drawn(points, 0.1 / chart.box.width); return chart.path(fpr, tpr); };
  const noise = rocwalk.noiseChart(pick("noise"), data.description_of_noise, data.thresholds);
  let now = null, move = null, shown = null, sides = [];

  function choose() {
    const k = Number(model.value), walk = rocwalk.models[k], own = data.models[k], other = own.kernels[kernel.value];
    now = { walk, kernel: rocwalk.kernels[kernel.value], atoms: rocwalk.atoms({ ...walk, ...own }), ...(other ? rocwalk.family(own, other) : rocwalk.widths(own)) };
    if (other) write("amount", other.axis); else pick("amount").innerHTML = amount;
    pick("reading").hidden = pick("legend").hidden = Boolean(other);
    slider.max = now.widths.length - 1;
    slider.value = now.start;
    chart.root.setAttribute("aria-label", `${walk.name}: ${data.description}`);
    under.setAttribute("class", `ribbon ${rocwalk.fill(k)}`);
    curve.setAttribute("class", `curve ${rocwalk.ink(k)}`);
    bare.setAttribute("class", `curve ${rocwalk.ink(k)}`);
    bare.setAttribute("d", path(walk));
    noise.dress(k, `${walk.name}: ${data.description_of_noise}`);
    move = rocwalk.drawAreas(pick("areas"), `${walk.name}: ${data.description_of_areas}`, k, now, jump);
    write("words", now.words);
    pick("words").setAttribute("class", now.matched.length || now.places ? "words" : "note");
    write("target", rocwalk.rate(now.target));
    write("auc", rocwalk.rate(now.auc));
    pick("jumps").replaceChildren(...rocwalk.jumps(now, jump));
    show();
  }

  function show() {
    const i = Number(slider.value), width = now.widths[i], area = now.areas[i], words = rocwalk.widthWords(width);
    shown = now.curves ? rocwalk.carriedCurve(now.curves[i]) : now.kernel.curve(now.walk, now.atoms, width);
    const d = path(shown);
    curve.setAttribute("d", d);
    under.setAttribute("d", `${d}V${chart.py(0)}Z`);
    move(width, area);
    write("width-words", words);
    write("area", rocwalk.rate(area));
    write("distance", rocwalk.distance(area, now, width));
    sides = rocwalk.noiseOf(now.atoms, now.kernel, width, data.thresholds);
    noise.show(sides);
    const largest = (kind) => sides.map((side) => rocwalk.rate(Math.max(...side[kind]))).join(" / ");
    write("score-noise", largest("noise"));
    write("sampling", `largest standard deviation of each rate; by the sampling of items ${largest("sampling")}`);
    fill();
    slider.setAttribute("aria-valuetext", `${words}, area ${rocwalk.rate(area)}`);
    renew();
  }

  // the table of the last chart, which is made anew as long as it is open
  const numbers = () => data.thresholds.map((t, i) => [rocwalk.short(t), ...sides.flatMap(({ rates, noise, sampling }) => [rates, noise, sampling].map((column) => rocwalk.rate(column[i])))]);
  rocwalk.table(pick("tables"), "rates by threshold with score noise", ["Threshold", "TPR", "Score noise of TPR", "Sampling error of TPR", "FPR", "Score noise of FPR", "Sampling error of FPR"], numbers);
  const table = pick("tables").lastElementChild;
  const fill = () => table.querySelector("tbody").replaceChildren(...(table.open ? numbers().map((cells) => rocwalk.row(cells)) : []));

  function jump(width) {
    slider.value = now.widths.indexOf(width);
    show();
  }

  // of the widths that the page carries, the nearest to the one that is typed
  const renew = rocwalk.typed(pick("width-field"), (text) => { const width = rocwalk.read.number(text); return width >= 0 ? width : null; },
    (width) => jump(now.widths[rocwalk.closest(now.widths.map(rocwalk.place), rocwalk.place(width))]), () => rocwalk.widthWords(now.widths[Number(slider.value)]));
  chart.follow(() => [{ name: now.walk.name, xs: shown.fpr, ys: shown.tpr }], rocwalk.rocWords);
  model.addEventListener("change", choose);
  kernel.addEventListener("change", choose);
  slider.addEventListener("input", show);
  choose();
  for (const [k, one] of Object.entries(data.models)) {
    const { widths, areas } = rocwalk.widths(one);
    rocwalk.table(pick("tables"), `areas by width of ${rocwalk.models[k].name}`, ["Width", "Area"], () =>
      widths.map((width, i) => [rocwalk.widthWords(width), rocwalk.rate(areas[i])]));
    for (const each of Object.values(one.kernels)) {
      const { widths: amounts } = rocwalk.family(one, each);
      rocwalk.table(pick("tables"), `areas by ${each.axis.toLowerCase()} of ${rocwalk.models[k].name}`, [each.axis, "Area"], () =>
        amounts.map((value, i) => [rocwalk.widthWords(value), rocwalk.rate(each.areas[i])]));
    }
  }
};

// -- curves -----------------------------------------------------------------------------------

rocwalk.carriedCurve = ({ fpr, tpr }) => ({ fpr: fpr.map((value) => value / 1e4), tpr: tpr.map((value) => value / 1e4) });

// Places on the score axis, highest first, with the share of each class there. Where the page
// carries buckets of scores, each class of a bucket is at its mean. `up2` and `right2` are the sums
// of squared shares of the items there, as many as their mass unless the page carries other sums.
rocwalk.atoms = function ({ scores, up, right, U, R, up_score, right_score, up_squared, right_squared }) {
  const atoms = [];
  scores.forEach((score, i) => {
    const rise = up[i + 1] - up[i], run = right[i + 1] - right[i];
    const up2 = (up_squared?.[i] ?? rise) / U ** 2, right2 = (right_squared?.[i] ?? run) / R ** 2;
    if (!up_score) { atoms.push({ at: score, up: rise / U, right: run / R, up2, right2 }); return; }
    if (rise) atoms.push({ at: up_score[i] / rise, up: rise / U, right: 0, up2, right2: 0 });
    if (run) atoms.push({ at: right_score[i] / run, up: 0, right: run / R, up2: 0, right2 });
  });
  return atoms.sort((a, b) => b.at - a.at);
};

// The curve of smeared scores. A score begins to count at half a width above it and counts in full
// from half a width below it: two sorted lists of corners, merged; in between the curve is straight.
rocwalk.smeared = function (walk, atoms, width) {
  if (width === 0) return walk;
  if (width === Infinity) return { fpr: [0, 1], tpr: [0, 1] };
  const corners = 2 * atoms.length, fpr = new Float64Array(corners), tpr = new Float64Array(corners);
  let begun = 0, done = 0, up = 0, right = 0, last = atoms[0].at + width / 2;
  for (let k = 1, x = 0, y = 0; k <= corners; k++) {
    const next = begun < atoms.length ? atoms[begun].at + width / 2 : -Infinity, end = atoms[done].at - width / 2;
    const at = Math.max(next, end), step = (last - at) / width;
    x += Math.max(right, 0) * step;
    y += Math.max(up, 0) * step;
    fpr[k - 1] = Math.min(x, 1);
    tpr[k - 1] = Math.min(y, 1);
    const sign = next >= end ? 1 : -1, atom = next >= end ? atoms[begun++] : atoms[done++];
    up += sign * atom.up;
    right += sign * atom.right;
    last = at;
  }
  fpr[corners - 1] = tpr[corners - 1] = 1;
  return { fpr, tpr };
};

// Points of the curve of bells with the standard deviation d/2, a quarter of it apart around every
// score: the straight lines between them are within 0.002 of both rates.
rocwalk.bells = function (walk, atoms, width) {
  if (width === Infinity) return { fpr: [0, 1], tpr: [0, 1] };
  const spread = width / 2, fpr = [0], tpr = [0];
  let above = 0, up = 0, right = 0, last = Infinity;
  for (const { at } of atoms) for (let k = 16; k >= -16; k--) {
    const place = at + k * spread / 4;
    if (place > last - 0.24 * spread) continue;
    last = place;
    for (; above < atoms.length && atoms[above].at - place > 6 * spread; above++) {
      up += atoms[above].up;
      right += atoms[above].right;
    }
    let x = right, y = up;
    for (let i = above; i < atoms.length && place - atoms[i].at < 6 * spread; i++) {
      const part = rocwalk.normal((atoms[i].at - place) / spread);
      x += part * atoms[i].right;
      y += part * atoms[i].up;
    }
    fpr.push(Math.min(x, 1));
    tpr.push(Math.min(y, 1));
  }
  return { fpr: [...fpr, 1], tpr: [...tpr, 1] };
};

// Scores of which a share λ becomes coins: at 1 all coins that show 1, at 0 all others.
rocwalk.coins = function (walk, atoms, share) {
  if (share === 0) return walk;
  const sum = (term) => atoms.reduce((all, atom) => all + term(atom), 0);
  let x = share * sum(({ at, right }) => at * right), y = share * sum(({ at, up }) => at * up);
  const fpr = [0], tpr = [0], add = () => { fpr.push(Math.min(x, 1)); tpr.push(Math.min(y, 1)); };
  if (!atoms.some(({ at }) => at === 1)) add();
  for (const { at, up, right } of atoms.filter((atom) => atom.at > 0)) {
    x += (1 - share) * right;
    y += (1 - share) * up;
    add();
  }
  return { fpr: [...fpr, 1], tpr: [...tpr, 1] };
};

// A curve of scores on the axis of log-odds. Scores of 1 and 0 stay at its ends.
rocwalk.onLogOdds = (curve) => function (walk, atoms, width) {
  const inner = atoms.filter(({ at }) => at > 0 && at < 1);
  if (width === 0 || !inner.length) return walk;
  const sum = (some, side) => some.reduce((all, atom) => all + atom[side], 0), highest = atoms.filter(({ at }) => at === 1);
  const [up, right] = ["up", "right"].map((side) => sum(inner, side));
  const places = inner.map((atom) => ({ at: rocwalk.logOdds(atom.at), up: atom.up / (up || 1), right: atom.right / (right || 1) }));
  const { fpr, tpr } = curve(walk, places, width), raised = (rates, top, share) => [0, ...Array.from(rates, (rate) => top + share * rate), 1];
  return { fpr: raised(fpr, sum(highest, "right"), right), tpr: raised(tpr, sum(highest, "up"), up) };
};

// ln(s/(1 − s)), and Φ to within 2e-7 (the error function of Numerical Recipes).
rocwalk.logOdds = (score) => Math.log(score) - Math.log1p(-score);
rocwalk.normal = function (z) {
  const x = Math.abs(z) / Math.SQRT2, t = 1 / (1 + x / 2);
  const terms = [0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368, -1.26551223];
  const tail = t * Math.exp(terms.reduce((sum, term) => sum * t + term, 0) - x * x) / 2;
  return z < 0 ? tail : 1 - tail;
};

// ln Γ and the regularised incomplete beta function, by a continued fraction (Numerical Recipes).
rocwalk.logGamma = function (z) {
  const terms = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2, -0.5395239384953e-5];
  const series = terms.reduce((sum, term, k) => sum + term / (z + k + 1), 1.000000000190015);
  return (z + 0.5) * Math.log(z + 5.5) - z - 5.5 + Math.log(2.5066282746310005 * series / z);
};
rocwalk.betaBelow = function (x, a, b) {
  if (x > (a + 1) / (a + b + 2)) return 1 - rocwalk.betaBelow(1 - x, b, a);
  const safe = (value) => Math.abs(value) < 1e-300 ? 1e-300 : value;
  let top = 1, bottom = 1 / safe(1 - (a + b) * x / (a + 1)), product = bottom;
  for (let m = 1, last = 0; m < 10000 && Math.abs(product - last) > 1e-10 * Math.abs(product); m++) {
    last = product;
    for (const term of [m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))]) {
      bottom = 1 / safe(1 + term * bottom);
      top = safe(1 + term / top);
      product *= top * bottom;
    }
  }
  const { logGamma } = rocwalk, front = logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x);
  return Math.exp(front) * product / a;
};

// The kernels by name: the `place` of a score on an axis, the `part` of a smeared score at or above
// a position there, and the curve. The page carries the curves of beta distributions.
rocwalk.kernels = (() => {
  const same = (score) => score, decided = (part) => (at, t, width) => width === 0 || !Number.isFinite(at - t) ? Number(at >= t) : width === Infinity ? 0.5 : part(at, t, width);
  const segment = decided((at, t, width) => Math.min(Math.max((at - t) / width + 0.5, 0), 1));
  const bell = decided((at, t, width) => rocwalk.normal(2 * (at - t) / width));
  const coin = (at, t, share) => (1 - share) * Number(at >= t) + share * (t <= 0 ? 1 : at);
  const beta = (at, t, concentration) => {
    if (concentration === 0 && t < 1) return coin(at, t, 1);
    const stays = concentration === 0 || concentration === Infinity || at <= 0 || at >= 1 || t <= 0 || t >= 1;
    return stays ? Number(at >= t) : rocwalk.betaBelow(1 - t, concentration * (1 - at), concentration * at);
  };
  return {
    uniform: { place: same, part: segment, curve: rocwalk.smeared },
    logit: { place: rocwalk.logOdds, part: segment, curve: rocwalk.onLogOdds(rocwalk.smeared) },
    "logit-normal": { place: rocwalk.logOdds, part: bell, curve: rocwalk.onLogOdds(rocwalk.bells) },
    coin: { place: same, part: coin, curve: rocwalk.coins },
    beta: { place: same, part: beta },
  };
})();

// -- score noise ------------------------------------------------------------------------------

// TPR and FPR at thresholds, and two standard deviations: of these items if their scores were drawn
// anew, Σ w²q(1−q), and of the mean over other items, Σ w²(q − mean)²; q is the part of a smeared
// score above the threshold.
rocwalk.noiseOf = function (atoms, { place, part }, amount, thresholds) {
  const places = atoms.map(({ at }) => place(at)), above = thresholds.map(place).map((t) => places.map((at) => part(at, t, amount)));
  return [["up", "up2"], ["right", "right2"]].map(([mass, square]) => {
    const rates = [], noise = [], sampling = [];
    for (const parts of above) {
      const sum = (term) => atoms.reduce((all, atom, i) => all + term(atom, parts[i]), 0);
      const mean = sum((atom, q) => atom[mass] * q);
      rates.push(Math.min(mean, 1));
      noise.push(Math.sqrt(sum((atom, q) => atom[square] * q * (1 - q))));
      sampling.push(Math.sqrt(sum((atom, q) => atom[square] * (q - mean) ** 2)));
    }
    return { rates, noise, sampling };
  });
};

// A chart of both rates against the threshold, with 95 % bands.
rocwalk.noiseChart = function (host, label, thresholds) {
  const chart = new rocwalk.Chart(host, { xlabel: "Threshold", ylabel: "Rate", label, height: 320 });
  const parts = [0, 1].map(() => ({ pale: rocwalk.svg("path", {}, chart.back), dark: rocwalk.svg("path", {}, chart.back), line: chart.line([], [], "", chart.front) }));
  let drawn = [];
  const words = ({ side, name }, i) => `${name} ${rocwalk.rate(side.rates[i])} at ${rocwalk.short(thresholds[i])}\nscore noise ± ${rocwalk.rate(side.noise[i])}\nsampling ± ${rocwalk.rate(side.sampling[i])}`;
  chart.follow(() => drawn, words);
  return {
    dress(k, said) {
      chart.root.setAttribute("aria-label", said);
      parts.forEach(({ pale, dark, line }, i) => {
        pale.setAttribute("class", `ribbon ${rocwalk.fill(k)}`);
        dark.setAttribute("class", `ribbon inner ${rocwalk.fill(k)}`);
        line.setAttribute("class", `curve k${k % rocwalk.colours} d${i}`);
      });
    },
    show(sides) {
      const band = (rates, errors) => [-1.96, 1.96].map((z) => rates.map((rate, i) => Math.min(Math.max(rate + z * errors[i], 0), 1)));
      sides.forEach(({ rates, noise, sampling }, k) => {
        const both = noise.map((error, i) => Math.hypot(error, sampling[i])), { pale, dark, line } = parts[k];
        pale.setAttribute("d", chart.band(thresholds, ...band(rates, both)));
        dark.setAttribute("d", chart.band(thresholds, ...band(rates, noise)));
        line.setAttribute("d", chart.path(thresholds, rates));
      });
      drawn = sides.map((side, k) => ({ name: rocwalk.say(k ? "FPR" : "TPR"), side, xs: thresholds, ys: side.rates }));
    },
  };
};

// -- widths -----------------------------------------------------------------------------------

// JSON has no infinity.
rocwalk.widths = function (one) {
  const whole = (list) => list.map((width) => width ?? Infinity);
  return { ...one, widths: whole(one.widths), matched: one.matched.map(whole) };
};

// The positions of another kernel; they lie evenly on the axis, bare curve first.
rocwalk.family = function (own, other) {
  const widths = other.widths.map((width) => width ?? Infinity), places = widths.map((_, i) => i / (widths.length - 1));
  const matched = widths.filter((_, i) => Math.abs(other.areas[i] - own.target) < 1e-9).map((width) => [width, width]);
  return { ...other, widths, places, matched, auc: own.auc, target: own.target };
};

rocwalk.widthWords = (width) => width === Infinity ? "∞" : rocwalk.short(width);

rocwalk.distance = function (area, { target, matched }, width) {
  if (matched.some(([low, high]) => low <= width && width <= high)) return "equals the probabilistic AUC";
  const words = rocwalk.rate(Math.abs(area - target)), side = area > target ? "above" : "below";
  return `${Number(words) === 0 ? "less than 0.0001" : words} ${side} the probabilistic AUC`;
};

// Where a width lies on the axis: like its cube root where it is small, infinity at the end.
rocwalk.place = (width) => width === Infinity ? 1 : Math.cbrt(width / (width + 2));

rocwalk.closest = function (places, place) {
  const away = places.map((one) => Math.abs(one - place));
  return away.indexOf(Math.min(...away));
};

// Buttons that go to the bare curve, to each matched width (or the nearest one) and to the diagonal.
rocwalk.jumps = function ({ widths, matched, start, places }, jump) {
  const button = (words, width) => {
    const node = rocwalk.node("button", words, { type: "button" });
    node.addEventListener("click", () => jump(width));
    return node;
  };
  const few = (width) => rocwalk.widthWords(Number(width.toPrecision(3)));
  const names = matched.slice(0, 6).map(([low, high]) => [`Matched ${low === high ? few(low) : `${few(low)} to ${few(high)}`}`, low]);
  if (places) return [["Bare curve", widths[0]], ...names, ["Most smeared", widths.at(-1)]].map(([words, width]) => button(words, width));
  if (!matched.length) names.push([`Nearest ${few(widths[start])}`, widths[start]]);
  return [["Bare curve", 0], ...names, ["Diagonal", Infinity]].map(([words, width]) => button(words, width));
};

// -- Area(d) ----------------------------------------------------------------------------------

// A chart whose x axis is the place of a width.
rocwalk.WidthChart = class extends rocwalk.Chart {
  marks() {
    const few = this.box.width < 380;
    if (rocwalk.amounts) {
      const { widths, places } = rocwalk.amounts, each = Math.ceil(widths.length / (few ? 5 : 9));
      return widths.flatMap((width, i) => i % each ? [] : [[this.px(places[i]), rocwalk.widthWords(Number(width.toPrecision(3)))]]);
    }
    return [0, ...(few ? [] : [0.001]), 0.01, 0.1, 0.5, 1, 2, 5, Infinity].map((at) => [this.px(rocwalk.place(at)), rocwalk.widthWords(at)]);
  }

  // Write the name of a horizontal line above or below it, at the end where it covers least of the
  // curve, of other lines and of the names that are `taken` already.
  name(words, value, curve, lines, taken) {
    const long = 7 * words.length / this.box.width, tall = (this.y[1] - this.y[0]) / this.box.height;
    const spots = [[0, -7], [1, -7], [0, 16], [1, 16]].map(([end, shift]) => {
      const at = value - (shift - 5) * tall, meets = (y) => y !== value && Math.abs(y - at) < 11 * tall;
      const met = curve.filter(([x, y]) => Math.abs(x - end) < long && meets(y)).length;
      return { end, shift, at, covered: met + 40 * lines.filter(meets).length + 40 * taken.filter((one) => one.end === end && meets(one.at)).length };
    });
    const best = spots.reduce((a, b) => b.covered < a.covered ? b : a), { end, shift } = best;
    const node = this.text(this.px(end) + (end ? -6 : 8), this.py(value) + shift, words, end ? "end" : "start", "title");
    // a halo, so that lines behind the letters do not disturb
    for (const [key, is] of Object.entries({ stroke: "var(--plot)", "stroke-width": 4, "paint-order": "stroke" })) node.setAttribute(key, is);
    taken.push(best);
  }
};

// Draw Area(d) of a model; return a function that moves a dot to a width.
rocwalk.drawAreas = function (host, label, k, { widths, areas, matched, target, auc, places: even, axis, symbol }, jump) {
  host.replaceChildren();
  rocwalk.amounts = even ? { widths, places: even } : null;  // the marks of the axis, which the chart asks for as it is made
  const place = (width) => even ? even[widths.indexOf(width)] : rocwalk.place(width);
  const values = [...areas, target, auc, 0.5], low = Math.min(...values), high = Math.max(...values), pad = Math.max(0.08 * (high - low), 0.01);
  const chart = new rocwalk.WidthChart(host, { y: [low - pad, high + pad], xlabel: axis ?? "Width d", ylabel: `Area(${symbol ?? "d"})`, label });
  const places = widths.map(place), curve = places.map((x, i) => [x, areas[i]]), taken = [];
  const levels = [[`probabilistic AUC ${rocwalk.rate(target)}`, target, "iso"], [`AUC ${rocwalk.rate(auc)}`, auc, "axis"], ["½", 0.5, "chance"]];
  levels.forEach(([, value, style]) => chart.line([0, 1], [value, value], style));
  chart.line(places, areas, `curve ${rocwalk.ink(k)}`);
  levels.forEach(([words, value]) => chart.name(words, value, curve, levels.map((one) => one[1]), taken));
  const stretches = rocwalk.svg("g", {}, chart.front), dot = chart.mark(0, 0, rocwalk.fill(k));
  dot.setAttribute("r", 9);
  for (const [from, to] of matched) {
    if (to > from) chart.line([from, to].map(place), [target, target], "now", stretches);
    else rocwalk.svg("circle", { class: "dot", cx: chart.px(place(from)), cy: chart.py(target), r: 3.5 }, chart.front);
  }
  const nearest = (x) => rocwalk.closest(places, x);
  chart.hover((x) => {
    const i = nearest(x), words = `${axis ?? "width"} ${rocwalk.widthWords(widths[i])}\narea ${rocwalk.rate(areas[i])}`;
    return Math.abs(x - places[i]) < 0.03 ? { x: places[i], y: areas[i], words } : null;
  });
  chart.root.classList.add("pickable");
  chart.root.addEventListener("pointerdown", (event) => jump(widths[nearest(chart.place(event).x)]));
  return (width, area) => chart.move(dot, place(width), area);
};
