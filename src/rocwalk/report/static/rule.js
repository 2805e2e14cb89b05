// The operating rule: one state for the whole page, what follows from it, and its address.
"use strict";
rocwalk.rule = {
  kinds: { youden: "the largest TPR − FPR", costs: "the least expected cost", threshold: "a threshold", rate: "a budget of positives" },
  followers: [],
  points: new Map(),  // of walks that were asked for since the state changed

  // The state that the page was made with, then what the address says. Costs that are null are not
  // given: both mistakes then cost the same, and a budget is spent on as many positives as it finds.
  begin() {
    const given = rocwalk.data.rule ?? {};
    this.first = {
      kind: given.kind ?? "youden", threshold: given.threshold ?? null, rate: given.rate ?? null, model: 0, words: given.vocabulary ?? "learning",
      miss: given.false_negative ?? null, alarm: given.false_positive ?? null, prevalence: given.prevalence ?? null,
    };
    if (given.words) {  // a metric or a floor: chosen when the page was made
      this.kinds = { chosen: given.words, ...this.kinds };
      this.first.kind = "chosen";
      rocwalk.models.forEach((walk, k) => { walk.chosen = given.thresholds[k] ?? Infinity; });
    }
    if (!Object.hasOwn(this.kinds, this.first.kind)) this.first.kind = "youden";
    if (this.first.kind === "threshold") this.first.threshold ??= Infinity;
    this.state = { ...this.first };
    this.set(rocwalk.address.read().state);
  },

  // Change some of the state; all that follow it are told.
  set(changes) {
    const next = { ...this.state, ...changes };
    if (next.miss !== null || next.alarm !== null) { next.miss ??= 1; next.alarm ??= 1; }
    if (next.kind === "threshold" && next.threshold === null) next.threshold = this.at(rocwalk.models[next.model]).cut;
    if (next.kind === "rate" && next.rate === null) next.rate = Number(rocwalk.called(rocwalk.models[next.model], this.at(rocwalk.models[next.model]).i, next.prevalence).toPrecision(2));
    this.state = next;
    this.points.clear();
    this.followers.forEach((follow) => follow());
    rocwalk.address.write();
  },

  follow(show) {
    this.followers.push(show);
    show();
  },

  isFirst() {
    return ["kind", "threshold", "rate", "miss", "alarm", "prevalence"].every((key) => this.state[key] === this.first[key]);
  },

  isPriced() { return this.state.miss !== null && this.state.alarm !== null; },

  share(walk) { return this.state.prevalence ?? walk.prevalence; },

  // What the state says of costs, as a key.
  prices() {
    const { miss, alarm, prevalence } = this.state;
    return `${miss} ${alarm} ${prevalence}`;
  },

  // What mistakes cost, and the slope of the lines of equal cost.
  cost() { return { fp: this.state.alarm ?? 1, fn: this.state.miss ?? 1 }; },
  slope(walk) {
    const p = this.share(walk), { fp, fn } = this.cost();
    return fp * (1 - p) / (fn * p);
  },

  // The share of the cost of misses in what mistakes can cost.
  price(walk) {
    const p = this.share(walk), { fp, fn } = this.cost();
    return fn * p / (fn * p + fp * (1 - p));
  },

  // The point of a walk that the rule takes: its place, its threshold and how that is written.
  at(walk) {
    if (!this.points.has(walk)) this.points.set(walk, this.find(walk));
    return this.points.get(walk);
  },

  find(walk) {
    const { kind, threshold, rate, prevalence } = this.state, { fpr, tpr, thresholds } = walk;
    let i = 0, cut = null;
    if (kind === "threshold") {
      i = rocwalk.lastWhere(thresholds, (one) => one >= threshold);
      cut = threshold;
    } else if (kind === "chosen") {
      i = rocwalk.lastWhere(thresholds, (one) => one >= walk.chosen);
    } else if (kind === "rate") {
      const last = rocwalk.lastWhere(fpr, (_, k) => rocwalk.called(walk, k, prevalence) <= rate + 1e-12), slope = this.isPriced() ? this.slope(walk) : 0;
      for (let k = 1; k <= last; k++) if (tpr[k] - slope * fpr[k] > tpr[i] - slope * fpr[i] + 1e-12) i = k;
    } else {
      i = rocwalk.bestOf(walk, kind === "costs" ? this.slope(walk) : 1)[0];
    }
    const exact = cut !== null && cut > walk.next[i];  // else the page carries no point for it
    const words = exact ? (cut === Infinity ? "∞" : cut === -Infinity ? "−∞" : String(cut)) : rocwalk.threshold(walk, i);
    return { i, cut: cut ?? thresholds[i], words, x: fpr[i], y: tpr[i], expected: rocwalk.expected(walk, i, this.cost(), this.share(walk)) };
  },

  // The rule, in words that need no model.
  words() {
    const { kind, threshold, rate } = this.state, { fp, fn } = this.cost();
    if (kind === "costs") return `The least cost where a miss : a false alarm is ${rocwalk.ratioWords(fn, fp)}`;
    if (kind === "threshold") return `Positive at a score of ${rocwalk.numeral(threshold)} or more`;
    if (kind === "rate") return `At most ${rocwalk.percentWords(rate)} called positive`;
    return `Chosen for ${rocwalk.say(this.kinds[kind])}`;
  },
};

// The share of items that a point of a walk calls positive, at a prevalence or that of the data.
rocwalk.called = function ({ fpr, tpr, prevalence }, i, share) {
  const p = share ?? prevalence;
  return p * tpr[i] + (1 - p) * fpr[i];
};

// The last place where a condition holds that holds at first and then no more.
rocwalk.lastWhere = function (values, holds) {
  let low = 0, high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(values[middle], middle)) low = middle; else high = middle - 1;
  }
  return low;
};

rocwalk.expected = ({ fpr, tpr }, i, cost, p) => cost.fp * (1 - p) * fpr[i] + cost.fn * p * (1 - tpr[i]);

// The first and the last of the vertices that maximise TPR − slope·FPR.
rocwalk.bestOf = function ({ hull, fpr, tpr }, slope) {
  const gains = hull.map((i) => tpr[i] - slope * fpr[i]), most = gains.reduce((a, b) => Math.max(a, b));
  const equal = hull.filter((_, j) => gains[j] >= most - 1e-12);
  return [equal[0], equal[equal.length - 1]];
};

// The best rule for costs at a prevalence; of tied ones the first, with the last as `tied`.
rocwalk.best = function (walk, slope, cost, p) {
  const [i, last] = rocwalk.bestOf(walk, slope);
  return {
    x: walk.fpr[i], y: walk.tpr[i], tied: last === i ? null : rocwalk.threshold(walk, last),
    threshold: rocwalk.threshold(walk, i),
    above: rocwalk.above(walk, i),
    expected: rocwalk.expected(walk, i, cost, p),
  };
};

// -- how its numbers are written and read -------------------------------------------------------

rocwalk.numeral = (value) => value === Infinity ? "∞" : value === -Infinity ? "−∞" : String(value).replace("-", "−");

// A share in percent, in as many digits as it has, at most six.
rocwalk.percentWords = (share) => `${rocwalk.short(100 * share)} %`;

rocwalk.ratioWords = function (miss, alarm) {
  const few = (value) => rocwalk.short(Number(value.toPrecision(6)));
  return `${few(miss)} : ${few(alarm)}`;
};

rocwalk.read = {
  number: (text) => {
    const plain = text.trim().replace(/^[≥>=\s]+/, "").replace("−", "-").replace(/^(-?\d+),(\d+)$/, "$1.$2").replace("∞", "Infinity");
    return plain === "" ? NaN : Number(plain);
  },
  // "5 %" and "0.05" are the same; a bare number of 1 or more is in percent.
  share: (text) => {
    const bare = rocwalk.read.number(text.replace("%", ""));
    return text.includes("%") || bare >= 1 ? bare / 100 : bare;
  },
  ratio: (text) => {
    const [miss, alarm, ...more] = text.split(/:|\/|\bto\b/).map(rocwalk.read.number);
    return more.length ? null : [miss, alarm ?? 1];
  },
};

// The slider of costs counts tenths of powers of ten: 10 means a miss costs ten times a false alarm.
rocwalk.ratio = function (value) {
  const factor = Number((10 ** (Math.abs(value) / 10)).toPrecision(2));
  return value < 0 ? { alarm: factor, miss: 1 } : { alarm: 1, miss: factor };
};

// -- controls -----------------------------------------------------------------------------------

// A field beside a slider. `parse` reads its text, or returns null; `take` is told what it read.
rocwalk.typed = function (field, parse, take, write) {
  const refuse = (is) => { if (is) field.setAttribute("aria-invalid", "true"); else field.removeAttribute("aria-invalid"); };
  field.addEventListener("change", () => {
    const found = parse(field.value);
    refuse(found === null);
    if (found !== null) { take(found); field.value = write(); }
  });
  field.addEventListener("blur", () => { refuse(false); field.value = write(); });
  return () => { if (document.activeElement !== field || !field.hasAttribute("aria-invalid")) field.value = write(); };
};

// Each kind of control of the rule: how it stands for the state, and how it changes it.
rocwalk.controls = {
  // Log-odds, so that rare classes can be set finely. It stops at prevalences of four decimals, and
  // at the data's own: what is shown is what is computed with.
  prevalence({ slider, field, words, button }) {
    const { rule } = rocwalk, own = () => rocwalk.models[rule.state.model].prevalence;
    const place = (p) => Math.max(Number(slider.min), Math.min(Number(slider.max), Math.round(20 * Math.log(p / (1 - p)))));
    slider.addEventListener("input", () => {
      const at = Number(slider.value);
      rule.set({ prevalence: at === place(own()) ? null : Number((1 / (1 + Math.exp(-at / 20))).toFixed(4)) });
    });
    button.addEventListener("click", () => { rule.set({ prevalence: null }); slider.focus(); });
    const renew = rocwalk.typed(field, (text) => { const p = rocwalk.read.share(text); return p > 0 && p < 1 ? p : null; },
      (prevalence) => rule.set({ prevalence }), () => rocwalk.percentWords(Number(rule.share(rocwalk.models[rule.state.model]).toPrecision(rule.state.prevalence === null ? 4 : 12))));
    rule.follow(() => {
      const p = rule.share(rocwalk.models[rule.state.model]), isOwn = rule.state.prevalence === null, said = rocwalk.rate(p);
      slider.value = place(p);
      words.textContent = said;
      slider.setAttribute("aria-valuetext", isOwn ? `${said}, as in the data` : said);
      button.disabled = isOwn;
      renew();
    });
  },

  costs({ slider, field, words }) {
    const { rule } = rocwalk;
    slider.addEventListener("input", () => rule.set({ kind: "costs", ...rocwalk.ratio(Number(slider.value)) }));
    const renew = rocwalk.typed(field, (text) => {
      const found = rocwalk.read.ratio(text);
      return found && found.every((one) => one > 0 && Number.isFinite(one)) ? found : null;
    }, ([miss, alarm]) => rule.set({ kind: "costs", miss, alarm }), () => rocwalk.ratioWords(rule.cost().fn, rule.cost().fp));
    rule.follow(() => {
      const { fn: miss, fp: alarm } = rule.cost();
      slider.value = Math.round(10 * Math.log10(miss / alarm));
      words.textContent = rocwalk.ratioWords(miss, alarm);
      slider.setAttribute("aria-valuetext", `a miss costs ${rocwalk.short(miss)}, a false alarm ${rocwalk.short(alarm)}`);
      renew();
    });
  },

  // From the lowest score at the left to nothing at all at the right, one stop for each score.
  threshold({ slider, field, words }) {
    const { rule } = rocwalk, walk = () => rocwalk.models[rule.state.model], last = () => walk().fpr.length - 1;
    const written = () => rule.at(walk()).words;
    slider.addEventListener("input", () => {
      const i = last() - Number(slider.value);
      rule.set({ kind: "threshold", threshold: i === 0 ? Infinity : Number(rocwalk.threshold(walk(), i)) });
    });
    const renew = rocwalk.typed(field, (text) => { const at = rocwalk.read.number(text); return Number.isNaN(at) ? null : at; },
      (threshold) => rule.set({ kind: "threshold", threshold }), written);
    rule.follow(() => {
      const said = `≥ ${written()}`;
      slider.max = last();
      slider.value = last() - rule.at(walk()).i;
      words.textContent = said;
      slider.setAttribute("aria-valuetext", said);
      renew();
    });
  },

  rate({ slider, field, words }) {
    const { rule } = rocwalk, called = () => rule.state.kind === "rate" ? rule.state.rate : rocwalk.called(rocwalk.models[rule.state.model], rule.at(rocwalk.models[rule.state.model]).i, rule.state.prevalence);
    const written = () => rocwalk.percentWords(Number(called().toPrecision(rule.state.kind === "rate" ? 12 : 4)));
    slider.addEventListener("input", () => rule.set({ kind: "rate", rate: Number(slider.value) / 1000 }));
    const renew = rocwalk.typed(field, (text) => { const share = rocwalk.read.share(text); return share >= 0 && share <= 1 ? share : null; },
      (rate) => rule.set({ kind: "rate", rate }), written);
    rule.follow(() => {
      slider.value = Math.round(1000 * called());
      words.textContent = written();
      slider.setAttribute("aria-valuetext", `${written()} called positive`);
      renew();
    });
  },

  kind({ select }) {
    const { rule } = rocwalk;
    if (rule.kinds.chosen) select.prepend(Object.assign(rocwalk.node("option", rule.kinds.chosen), { value: "chosen" }));
    select.addEventListener("change", () => rule.set({ kind: select.value }));
    rule.follow(() => { select.value = rule.state.kind; });
  },

  model({ select }) {
    const { rule } = rocwalk;
    select.addEventListener("change", () => rule.set({ model: Number(select.value) }));
    rule.follow(() => { select.value = rule.state.model; });
  },
};

rocwalk.bindControls = function () {
  for (const box of document.querySelectorAll("[data-control]")) {
    const find = (selector) => box.querySelector(selector);
    rocwalk.controls[box.dataset.control]({ slider: find("input[type=range]"), field: find("input[type=text]"), words: find("output"), button: find("button"), select: find("select") });
  }
};

// The rule in force, at the side of the page.
rocwalk.inForce = function () {
  const box = document.querySelector("[data-role=in-force]");
  if (!box || !rocwalk.models.length) return;
  const words = rocwalk.parts(box)("in-force-words"), reset = rocwalk.parts(box)("in-force-reset"), { rule } = rocwalk;
  box.hidden = false;
  reset.addEventListener("click", () => rule.set({ ...rule.first, model: rule.state.model, words: rule.state.words }));
  const said = rocwalk.node("p"), list = rocwalk.node("dl"), few = rocwalk.models.slice(0, 4), more = rocwalk.models.length - few.length;
  const cuts = few.map((walk) => {
    const row = rocwalk.node("div"), cut = rocwalk.node("dd");
    row.append(rocwalk.node("dt", walk.name), cut);
    list.append(row);
    return cut;
  });
  words.replaceChildren(said, list, ...(more ? [rocwalk.node("p", `and ${more} more`)] : []));
  rule.follow(() => {
    rocwalk.write(said, `${rule.words()}.`);
    few.forEach((walk, k) => {
      const { words } = rule.at(walk);
      rocwalk.write(cuts[k], words === "∞" ? "calls none" : `≥ ${words}`);
    });
    reset.hidden = rule.isFirst();
  });
};

// -- the address --------------------------------------------------------------------------------

// "#costs&rule=costs&miss=3&alarm=1": a section, and what differs from the page as it was made.
rocwalk.address = {
  keys: { rule: "kind", at: "threshold", rate: "rate", miss: "miss", alarm: "alarm", prevalence: "prevalence", model: "model", words: "words" },
  waiting: null,

  read(hash = location.hash) {
    const [first, ...rest] = hash.slice(1).split("&"), pairs = first.includes("=") ? [first, ...rest] : rest, state = {};
    for (const pair of pairs) {
      const [name, text] = pair.split("="), key = this.keys[name];
      if (!key || text === undefined) continue;
      const value = key === "kind" || key === "words" ? text : Number(text);
      if (this.fits(key, value)) state[key] = value;
    }
    if ((state.kind === "threshold" && state.threshold === undefined) || (state.kind === "rate" && state.rate === undefined)) delete state.kind;
    return { section: first.includes("=") ? "" : decodeURIComponent(first), state };
  },

  // Whether a part of the state can be what an address says it is.
  fits(key, value) {
    if (key === "kind") return Object.hasOwn(rocwalk.rule.kinds, value);
    if (key === "words") return value === "clinical" || value === "learning";
    if (key === "threshold") return !Number.isNaN(value);
    if (key === "model") return Number.isInteger(value) && value >= 0 && value < rocwalk.models.length;
    if (key === "rate") return value >= 0 && value <= 1;
    return Number.isFinite(value) && value > 0 && (key !== "prevalence" || value < 1);
  },

  written(section) {
    const { first, state } = rocwalk.rule;
    const changed = Object.entries(this.keys).filter(([, key]) => state[key] !== first[key] && state[key] !== null).map(([name, key]) => `${name}=${state[key]}`);
    return `#${[...(section ? [section] : []), ...changed].join("&")}`;
  },

  // A moment later, as a slider that is moved would write too often.
  write() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      const hash = this.written(this.read().section);
      if (hash !== (location.hash || "#")) {
        try { history.replaceState(null, "", hash); } catch { /* a frame without an address */ }
      }
    }, 200);
  },

  begin() {
    addEventListener("hashchange", () => {
      const { section, state } = this.read();
      if (Object.keys(state).length) rocwalk.rule.set({ ...rocwalk.rule.first, ...state });
      else this.write();
      rocwalk.ways.go(section);
    });
    if (this.read().section) rocwalk.ways.go(this.read().section);
  },
};

// -- what charts show of it ----------------------------------------------------------------------

// The curves of all models, what is said of their points, and the point of the rule in force.
rocwalk.rocCurves = function (chart) {
  rocwalk.models.forEach(({ fpr, tpr }, k) => chart.line(fpr, tpr, `curve ${rocwalk.ink(k)}`));
  rocwalk.pointsInForce(chart, ({ x, y }) => [x, y]);
  chart.hover((x, y) => {
    const near = rocwalk.models
      .map((walk) => ({ walk, ...rocwalk.nearest(walk, x, y) }))
      .filter(({ i }) => i !== undefined)
      .sort((a, b) => a.distance - b.distance)[0];
    if (!near) return null;
    const { walk, i } = near;
    return {
      x: walk.fpr[i], y: walk.tpr[i],
      words: `${walk.name}\nthreshold ≥ ${rocwalk.threshold(walk, i)}\n${rocwalk.rates(walk.tpr[i], walk.fpr[i])}`,
    };
  });
};

// A mark a model, where the rule in force is; `place` says where a point of it lies, or nothing.
rocwalk.pointsInForce = function (chart, place, models = rocwalk.models.map((walk, k) => ({ walk, k }))) {
  const marks = models.map(({ k }) => chart.mark(0, 0, rocwalk.fill(k)));
  rocwalk.rule.follow(() => models.forEach(({ walk }, j) => {
    const at = place(rocwalk.rule.at(walk), walk);
    marks[j].setAttribute("visibility", at && at.every(Number.isFinite) ? "visible" : "hidden");
    if (at && at.every(Number.isFinite)) chart.move(marks[j], ...at);
  }));
};
