// A place to play: examples on the score axis that can be moved, and what follows from them. The
// numbers are those of numbers.js and of the sections, which the report has, too.
"use strict";
rocwalk.sections.play = function (host, data) {
  const pick = rocwalk.parts(host), controls = [...host.querySelectorAll("[data-setting]")];
  const stage = pick("stage"), state = { lesson: 0, chosen: 0, moved: false };
  const jumps = [...host.querySelectorAll("[data-lesson]")];
  let drag = null, waiting = false, strolling = null;

  // -- what is asked for ------------------------------------------------------------------------

  function begin(lesson) {
    halt();
    state.lesson = lesson;
    state.items = rocwalk.play.items(data.per_class);
    for (const control of controls) if (control.tagName === "SELECT") control.selectedIndex = 0; else control.value = control.defaultValue;
    const { title, idea, task, controls: used, watch, boards, start } = data.lessons[lesson];
    pick("title").textContent = title;
    pick("idea").textContent = idea;
    pick("task").textContent = task;
    pick("place").textContent = `${lesson + 1} of ${data.lessons.length}`;
    pick("back").disabled = lesson === 0;
    pick("on").disabled = lesson === data.lessons.length - 1;
    for (const control of controls) {
      if (control.dataset.setting in start) control.value = start[control.dataset.setting];
    }
    for (const name of Object.keys(data.numbers)) {
      const tile = host.querySelector(`[data-number="${name}"]`), watched = watch.includes(name);
      tile.classList.toggle("watched", watched);
      pick(watched ? "watched" : "others").append(tile);
    }
    pick("watched").parentNode.classList.toggle("many", watch.length > 4);
    pick("more").hidden = watch.length === Object.keys(data.numbers).length;
    for (const board of ["strip", "roc", "calibration"]) pick(board).hidden = !boards.includes(board);
    pick("boards").classList.toggle("three", boards.length === 3);
    pick("stroll").hidden = !asksThreshold();
    pick("hands").textContent = `Move an example, ${asksThreshold() ? "a whole class by its hill, or the threshold" : "or a whole class by its hill"}.`;
    for (const jump of jumps) {
      if (Number(jump.dataset.lesson) === lesson) jump.setAttribute("aria-current", "step");
      else jump.removeAttribute("aria-current");
    }
    show();
    pick("legend").replaceChildren();
    const lines = rocwalk.play.lines(used);
    if (lines.length > 1) rocwalk.legend(pick("legend"), lines);
  }

  const value = (name) => {
    const control = controls.find((one) => one.dataset.setting === name);
    return control.tagName === "SELECT" ? control.value : Number(control.value);
  };
  const asksThreshold = () => data.lessons[state.lesson].controls.includes("threshold");
  const settings = () => Object.fromEntries(controls.map(({ dataset }) => [dataset.setting, value(dataset.setting)]));

  // -- what is shown ----------------------------------------------------------------------------

  function show() {
    waiting = false;
    const asked = settings(), used = data.lessons[state.lesson].controls, found = rocwalk.play.measure(state.items, asked);
    host.found_ = { ...asked, ...found };
    for (const control of controls) {
      const words = rocwalk.play.words(control.dataset.setting, value(control.dataset.setting));
      control.closest(".control").hidden = !used.includes(control.dataset.setting) || rocwalk.play.idle(control.dataset.setting, asked);
      control.closest(".control").querySelector("output").textContent = words;
      if (control.type === "range") control.setAttribute("aria-valuetext", words);
    }
    strip(found, asked);
    roc(found, asked, used);
    if (!pick("calibration").hidden) reliability(found);
    for (const tile of host.querySelectorAll("[data-number]")) {
      tile.querySelector("dd").textContent = rocwalk.rate(found[tile.dataset.number]);
      tile.hidden = found[tile.dataset.number] === undefined;
    }
    pick("said").textContent = data.lessons[state.lesson].watch.map((name) => `${data.numbers[name]} ${rocwalk.rate(found[name])}`).join(", ");
  }

  const soon = () => { if (!waiting) { waiting = true; requestAnimationFrame(show); } };

  function strip({ scores, truths, midpoint }, { threshold }) {
    const had = document.activeElement?.classList.contains("item"), chart = rocwalk.play.strip(pick("strip"), data.descriptions.strip);
    chart.root.setAttribute("role", "group");
    for (const side of [1, 0]) {
      const own = state.items.filter((item) => item.label === side).map((item) => scores[state.items.indexOf(item)]);
      const hump = rocwalk.svg("path", { class: `hump ${side ? "positive" : "negative"}`, d: rocwalk.play.hump(chart, own, side) }, chart.back);
      hump.addEventListener("pointerdown", (event) => { drag = { side, from: logitAt(chart, event) }; event.stopPropagation(); });
    }
    if (data.lessons[state.lesson].watch.includes("midpoint")) {
      chart.stand(chart.upright("half"), midpoint);
      chart.text(chart.px(midpoint) + 5, chart.box.top + chart.box.height - 8, "midpoint", "start", "half-words");
    }
    if (asksThreshold()) chart.stand(chart.upright("cut"), threshold);
    const heights = rocwalk.play.stacked(scores, state.items);
    state.items.forEach((item, i) => {
      const words = `${item.label ? "positive" : "negative"} example ${i + 1}, score ${scores[i].toFixed(2)}`;
      const dot = rocwalk.svg("circle", {
        class: `item ${item.label ? "positive" : "negative"}`, cx: chart.px(scores[i]), cy: chart.py(heights[i]), r: 7.5,
        role: "slider", tabindex: i === state.chosen ? 0 : -1, "aria-label": words, "aria-valuemin": 0, "aria-valuemax": 1, "aria-valuenow": scores[i].toFixed(2),
      }, chart.front);
      if (truths) dot.setAttribute("fill-opacity", 0.2 + 0.8 * Math.abs(2 * truths[i] - 1));
      dot.addEventListener("pointerdown", (event) => { drag = { item: i }; state.chosen = i; event.stopPropagation(); event.preventDefault(); });
      dot.addEventListener("keydown", (event) => key(event, i));
      if (had && i === state.chosen) dot.focus({ preventScroll: true });
    });
    if (asksThreshold()) chart.root.addEventListener("pointerdown", (event) => { drag = { threshold: true }; move(event); });
    strip.chart = chart;
  }

  function roc({ walk, hull, perfect, worst, smeared, best, point, before }, { prevalence, miss, disagreement }, used) {
    const chart = rocwalk.play.fresh(pick("roc"), () => rocwalk.rocChart(pick("roc"), data.descriptions.roc));
    if (used.includes("disagreement") && disagreement > 0) {
      rocwalk.svg("path", { class: "region", d: chart.between([worst.fpr, worst.tpr], [perfect.fpr, perfect.tpr]) }, chart.back);
      for (const edge of [perfect, worst]) chart.line(edge.fpr, edge.tpr, "edge");
    }
    if (used.includes("shift")) chart.line(before.fpr, before.tpr, "curve k1 d1");
    if (data.lessons[state.lesson].squares) squares(chart, walk);
    const last = walk.up.length - 1;
    rocwalk.svg("path", { class: "under", d: chart.band(walk.fpr, walk.fpr.map(() => 0), walk.tpr) }, chart.back);
    if (used.includes("kernel")) chart.line(smeared.fpr, smeared.tpr, "curve k3");
    if (used.includes("miss")) {
      chart.line(hull.map((i) => walk.fpr[i]), hull.map((i) => walk.tpr[i]), "hull k0");
      rocwalk.svg("path", { class: "iso", d: rocwalk.isoPath(chart, best, (1 - prevalence) / (miss * prevalence)) }, chart.back);
      chart.mark(best.x, best.y, "f2");
    }
    if (used.includes("threshold")) chart.line(walk.fpr.slice(0, point + 1), walk.tpr.slice(0, point + 1), "gone", chart.front);
    chart.line(walk.fpr, walk.tpr, "curve k0", chart.front);
    if (used.includes("threshold")) chart.mark(walk.fpr[point], walk.tpr[point], "f0");
    chart.follow([{ name: "", xs: walk.fpr, ys: walk.tpr }], (line, i) => `score ≥ ${rocwalk.threshold(walk, i)}\n${rocwalk.rates(line.ys[i], line.xs[i])}`);
    pick("steps").textContent = `${walk.scores.length} steps, area ${rocwalk.short(rocwalk.areaSoFar(walk.up, walk.right, last))} of ${rocwalk.short(walk.U * walk.R)} squares`;
  }

  // A square for every pair of a positive and a negative.
  function squares(chart, { U, R }) {
    for (let i = 1; i < U; i++) rocwalk.svg("line", { class: "square", x1: chart.px(0), x2: chart.px(1), y1: chart.py(i / U), y2: chart.py(i / U) }, chart.back);
    for (let i = 1; i < R; i++) rocwalk.svg("line", { class: "square", x1: chart.px(i / R), x2: chart.px(i / R), y1: chart.py(0), y2: chart.py(1) }, chart.back);
  }

  function reliability({ calibration }) {
    const chart = rocwalk.play.fresh(pick("calibration"), () => new rocwalk.Chart(pick("calibration"), { height: 300, xlabel: "Score", ylabel: "Share of positives", label: data.descriptions.calibration }));
    chart.line([0, 1], [0, 1], "chance");
    const xs = calibration.flatMap(({ low, high }) => [low, high]), ys = calibration.flatMap((one) => [one.value, one.value]);
    chart.line(xs, ys, "curve k2", chart.front);
  }

  // -- hands ------------------------------------------------------------------------------------

  const scoreAt = (chart, event) => Math.min(Math.max(chart.place(event).x, 0.005), 0.995);
  const logitAt = (chart, event) => rocwalk.play.logit(scoreAt(chart, event));

  function put(i, score) {
    state.items[i].at = (rocwalk.play.logit(Math.min(Math.max(score, 0.005), 0.995)) - value("shift")) / value("stretch");
    soon();
  }

  function move(event) {
    if (!drag) return;
    if (drag.item !== undefined) put(drag.item, scoreAt(strip.chart, event));
    else if (drag.side !== undefined) {
      const to = logitAt(strip.chart, event);
      for (const item of state.items) if (item.label === drag.side) item.at = Math.min(Math.max(item.at + (to - drag.from) / value("stretch"), -6), 6);
      drag.from = to;
      soon();
    } else cutAt(scoreAt(strip.chart, event).toFixed(2));
  }

  function cutAt(score) {
    controls.find((one) => one.dataset.setting === "threshold").value = score;
    soon();
  }

  // Let the threshold fall from 1 past every score, a step at a time.
  function stroll() {
    if (strolling) { halt(); return; }
    const cuts = [1, ...host.found_.walk.scores.map((score) => score - 1e-9)];
    pick("stroll").textContent = "Stop";
    strolling = setInterval(() => {
      if (cuts.length) cutAt(cuts.shift());
      else halt();
    }, 280);
  }

  function halt() {
    clearInterval(strolling);
    strolling = null;
    pick("stroll").textContent = "Walk";
  }

  function key(event, i) {
    const step = { ArrowLeft: -0.01, ArrowRight: 0.01, PageUp: 0.1, PageDown: -0.1 }[event.key], other = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step) put(i, host.found_.scores[i] + step);
    else if (other) { state.chosen = (i + other + state.items.length) % state.items.length; show(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  window.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => { drag = null; });
  for (const control of controls) control.addEventListener("input", soon);
  const go = (by) => begin(Math.min(Math.max(state.lesson + by, 0), data.lessons.length - 1));
  pick("back").addEventListener("click", () => go(-1));
  pick("on").addEventListener("click", () => go(1));
  pick("again").addEventListener("click", () => go(0));
  pick("stroll").addEventListener("click", stroll);
  for (const jump of jumps) jump.addEventListener("click", () => begin(Number(jump.dataset.lesson)));
  pick("full").addEventListener("click", () => document.fullscreenElement ? document.exitFullscreen() : stage.requestFullscreen?.());
  document.addEventListener("fullscreenchange", () => {
    pick("full").textContent = document.fullscreenElement ? "Leave full screen" : "Full screen";
    show();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, .item") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n" || event.key === "PageDown") go(1);
    else if (event.key === "p" || event.key === "PageUp") go(-1);
    else if (event.key === "f") pick("full").click();
    else if (event.key === "w" && !pick("stroll").hidden) stroll();
    else if (data.lessons[Number(event.key) - 1]) begin(Number(event.key) - 1);
    else return;
    event.preventDefault();
  });
  window.addEventListener("resize", soon);
  begin(0);
};

// -- numbers ----------------------------------------------------------------------------------

rocwalk.play = {
  logit: (p) => Math.log(p / (1 - p)),
  expit: (x) => 1 / (1 + Math.exp(-x)),

  // As many examples of each class, spread like the quantiles of a logistic distribution: positives
  // around 0.8, negatives around −0.8 in log-odds. `hard` is how much experts disagree about each.
  items(count) {
    const items = [];
    for (const label of [1, 0]) {
      for (let k = 0; k < count; k++) {
        const quantile = this.logit((k + 0.5) / count);
        items.push({ label, at: 0.7 * quantile + (label ? 0.8 : -0.8), hard: (5 * k + 2 + label) % count / count });
      }
    }
    return items;
  },

  // Scores with their up and right masses as a walk of the report, with its hull.
  walkOf(scores, truths) {
    const order = scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a]), model = { name: "", scores: [], up: [0], right: [0], decimals: 0 };
    for (const i of order) {
      const last = model.scores.length;
      if (last === 0 || model.scores[last - 1] !== scores[i]) {
        model.scores.push(scores[i]);
        model.up.push(model.up[last]);
        model.right.push(model.right[last]);
      }
      model.up[model.scores.length] += truths[i];
      model.right[model.scores.length] += 1 - truths[i];
    }
    const walk = rocwalk.walk(model);
    return { ...walk, hull: rocwalk.hullOf(walk), area: rocwalk.auc(walk) };
  },

  // The curve of scores smeared by a kernel, with its area. Log-odds lie about five times as far apart.
  smear(walk, { kernel, width, share }) {
    const amount = { coin: share, logit: 5 * width }[kernel] ?? width;
    return this.withArea(rocwalk.kernels[kernel].curve(walk, rocwalk.atoms(walk), amount));
  },

  withArea: ({ fpr, tpr }) => ({ fpr: [...fpr], tpr: [...tpr], area: rocwalk.areaOf({ fpr, tpr }) }),

  // What the page shows of the examples, by the settings of its controls.
  measure(items, asked) {
    const scores = items.map(({ at }) => this.expit(asked.stretch * at + asked.shift));
    const experts = 8, truths = items.map(({ label, hard }) => {
      const wrong = Math.round(experts * asked.disagreement * hard * 0.6) / experts;
      return label ? 1 - wrong : wrong;
    });
    const walk = this.walkOf(scores, truths), { area } = walk;
    const before = this.walkOf(items.map(({ at }) => this.expit(at)), truths);
    const perfect = this.walkOf(truths, truths), floor = 1 - perfect.area;
    const worst = { fpr: perfect.fpr.map((x) => 1 - x).reverse(), tpr: perfect.tpr.map((y) => 1 - y).reverse() };
    const midpoint = rocwalk.midpoint(walk), split = rocwalk.split(walk, midpoint);
    const { sensible, other } = rocwalk.decided(walk, split, asked.threshold);
    const cost = { fp: 1, fn: asked.miss }, p = asked.prevalence, point = rocwalk.placeOf(walk, asked.threshold);
    const best = rocwalk.best(walk, (1 - p) / (asked.miss * p), cost, p), smeared = this.smear(walk, asked);
    return {
      scores, truths, walk, hull: walk.hull, before, perfect, worst, best, point, smeared,
      auc: area,
      probabilistic_auc: rocwalk.probabilisticAuc(walk),
      brier: rocwalk.brier(walk),
      expected_observed: rocwalk.expectedObserved(walk),
      soft_auc: rocwalk.softened(walk, "both", 0.5)?.area ?? NaN,
      smeared_area: smeared.area,
      auc_prt: (area - floor) / (1 - 2 * floor),
      midpoint,
      struggle_ratio: split.other / split.sensible,
      sensibility: sensible ?? NaN,
      capability: other ?? NaN,
      expected_cost: rocwalk.expected(walk, point, cost, p),
      least_cost: best.expected,
      calibration: rocwalk.blocks(walk),
    };
  },

  // How the setting of a control is written.
  words(name, value) {
    if (name === "kernel") return "";
    if (name === "miss") return rocwalk.ratioWords(value, 1);
    if (name === "prevalence") return rocwalk.percentWords(value);
    if (name === "shift") return `odds × ${rocwalk.short(Number(Math.exp(value).toPrecision(3)))}`;
    return rocwalk.short(Number(value.toFixed(3)));
  },

  // Whether a control moves nothing: a coin has no width, a segment no share.
  idle: (name, { kernel }) => name === "width" && kernel === "coin" || name === "share" && kernel !== "coin",

  // The lines of the ROC chart that the controls of a lesson draw.
  lines(used) {
    return [
      { words: "ROC curve", style: "k0" },
      ...(used.includes("shift") ? [{ words: "before the shift", style: "k1 d1" }] : []),
      ...(used.includes("kernel") ? [{ words: "smeared", style: "k3" }] : []),
      ...(used.includes("miss") ? [{ words: "least cost", style: "k2" }] : []),
      ...(used.includes("disagreement") ? [{ words: "best and worst order", style: "neutral" }] : []),
    ];
  },

  // -- pictures -----------------------------------------------------------------------------------

  fresh(host, make) {
    host.querySelectorAll("svg.chart, .take, .tip").forEach((node) => node.remove());
    return make();
  },

  strip(host, label) {
    const height = Math.min(Math.max(0.46 * host.clientWidth, 300), 480);
    return this.fresh(host, () => new rocwalk.Strip(host, { y: [-1, 1], height, most: 1200, xlabel: "Score", label }));
  },

  // Examples of one class whose scores are close stand on each other, away from the middle line.
  stacked(scores, items) {
    const taken = new Map();
    return scores.map((score, i) => {
      const { label } = items[i], place = `${label} ${Math.round(score / 0.035)}`, level = taken.get(place) ?? 0;
      taken.set(place, level + 1);
      return (label ? 1 : -1) * (0.1 + 0.13 * level);
    });
  },

  // A smooth outline of where the examples of a class lie.
  hump(chart, scores, side) {
    const xs = [...Array(101).keys()].map((k) => k / 100), sign = side ? 1 : -1;
    const height = (x) => scores.reduce((sum, s) => sum + Math.exp(-0.5 * ((x - s) / 0.06) ** 2), 0) / scores.length;
    return chart.band(xs, xs.map(() => 0), xs.map((x) => sign * 0.95 * Math.min(1.8 * height(x), 1)));
  },
};

// The score axis: positives above the line, negatives below.
rocwalk.Strip = class extends rocwalk.Chart {
  axes(xlabel) {
    const { left, top, width, height } = this.box;
    rocwalk.svg("rect", { class: "plot", x: left, y: top, width, height }, this.back);
    for (const [x, words] of this.marks()) {
      rocwalk.svg("line", { class: "grid", x1: x, x2: x, y1: top, y2: top + height }, this.back);
      this.text(x, top + height + 18, words, "middle");
    }
    rocwalk.svg("line", { class: "axis", x1: left, x2: left + width, y1: this.py(0), y2: this.py(0) }, this.back);
    this.text(left + width / 2, top + height + 42, xlabel, "middle", "title");
    this.text(left + 8, top + 20, "positives", "start", "side positive");
    this.text(left + 8, top + height - 10, "negatives", "start", "side negative");
  }
};
