// A small drawing kit: one box of SVG with axes, lines, marks and a tooltip, and how numbers and
// tables are written. Everything is made from numbers that the page carries; nothing is fetched.
"use strict";
const rocwalk = { sections: {}, colours: 7 };

rocwalk.svg = function (name, attributes = {}, parent = null) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (parent) parent.append(node);
  return node;
};

// The colour of the k-th curve; after all colours come dashes.
rocwalk.ink = (k) => `k${k % rocwalk.colours} d${Math.floor(k / rocwalk.colours) % 3}`;
rocwalk.fill = (k) => `f${k % rocwalk.colours}`;

// A chart of the box [x0, x1] × [y0, y1] in the element `host`, as wide as there is room when it is
// drawn, so that its letters have their natural size. It is square unless a height is given.
rocwalk.Chart = class {
  constructor(host, { x = [0, 1], y = [0, 1], xlabel = "", ylabel = "", label = "", height = null, most = 560, tick = rocwalk.short } = {}) {
    this.host = host;
    this.x = x;
    this.y = y;
    this.width = Math.min(Math.max(host.clientWidth || 460, 280), most);
    const tall = height ?? this.width;
    this.box = { left: 54, top: 10, width: this.width - 66, height: tall - 62 };
    this.root = rocwalk.svg("svg", { class: "chart", viewBox: `0 0 ${this.width} ${tall}`, role: "img", "aria-label": label }, host);
    this.back = rocwalk.svg("g", {}, this.root);
    this.front = rocwalk.svg("g", {}, this.root);
    this.axes(xlabel, ylabel, tick);
    this.label = label;
    rocwalk.take.chart(this);
  }

  px(value) { return this.box.left + (value - this.x[0]) / (this.x[1] - this.x[0]) * this.box.width; }
  py(value) { return this.box.top + (this.y[1] - value) / (this.y[1] - this.y[0]) * this.box.height; }

  axes(xlabel, ylabel, tick) {
    const { left, top, width, height } = this.box;
    rocwalk.svg("rect", { class: "plot", x: left, y: top, width, height }, this.back);
    for (const [x, words] of this.marks()) {
      rocwalk.svg("line", { class: "grid", x1: x, x2: x, y1: top, y2: top + height }, this.back);
      this.text(x, top + height + 18, words, "middle");
    }
    for (const at of rocwalk.ticks(...this.y, height < 200 ? 3 : 5)) {
      rocwalk.svg("line", { class: "grid", x1: left, x2: left + width, y1: this.py(at), y2: this.py(at) }, this.back);
      this.text(left - 8, this.py(at) + 4, tick(at), "end");
    }
    rocwalk.svg("path", { class: "axis", d: `M${left},${top}V${top + height}H${left + width}` }, this.back);
    this.text(left + width / 2, top + height + 42, xlabel, "middle", "title");
    this.upward(ylabel);
  }

  // The title of the y axis.
  upward(words) {
    const y = this.box.top + this.box.height / 2;
    this.text(13, y, words, "middle", "title").setAttribute("transform", `rotate(-90 13 ${y})`);
  }

  // Where the x axis is marked, and with what.
  marks() {
    return rocwalk.ticks(...this.x, this.box.width < 260 ? 4 : 5).map((at) => [this.px(at), rocwalk.short(at)]);
  }

  text(x, y, words, anchor = "start", style = "") {
    const node = rocwalk.svg("text", { x, y, "text-anchor": anchor, class: style }, this.back);
    node.textContent = words;
    return style === "title" ? rocwalk.worded(node) : node;  // titles of axes are ours
  }

  path(xs, ys) {
    let d = "";
    for (let i = 0; i < xs.length; i++) {
      d += (i ? "L" : "M") + this.px(xs[i]).toFixed(2) + "," + this.py(ys[i]).toFixed(2);
    }
    return d;
  }

  line(xs, ys, style, parent = this.back) {
    return rocwalk.svg("path", { class: style, d: this.path(xs, ys) }, parent);
  }

  band(xs, low, high) {
    return this.between([xs, low], [xs, high]);
  }

  // The outline of what lies between two lines, each of them its xs and its ys.
  between([x, low], [xs, high]) {
    return this.path(xs, high) + this.path([...x].reverse(), [...low].reverse()).replace("M", "L") + "Z";
  }

  ribbon({ lower, upper }, k, parent = this.back) {
    return rocwalk.svg("path", { class: `ribbon ${rocwalk.fill(k)} k${k % rocwalk.colours}`, d: this.between(lower, upper) }, parent);
  }

  // A layer that shows nothing outside the box.
  inside() {
    const { left, top, width, height } = this.box;
    return rocwalk.svg("svg", { x: left, y: top, width, height, viewBox: `${left} ${top} ${width} ${height}` }, this.back);
  }

  // A vertical line from the bottom to the top; `stand` moves it.
  upright(style) {
    return rocwalk.svg("line", { class: style, y1: this.box.top, y2: this.box.top + this.box.height, visibility: "hidden" }, this.front);
  }

  stand(node, x) {
    node.setAttribute("x1", this.px(x));
    node.setAttribute("x2", this.px(x));
    node.setAttribute("visibility", "visible");
  }

  mark(x, y, style) {
    return rocwalk.svg("circle", { class: "mark " + style, cx: this.px(x), cy: this.py(y), r: 7 }, this.front);
  }

  move(node, x, y) {
    node.setAttribute("cx", this.px(x));
    node.setAttribute("cy", this.py(y));
  }

  // Where in the box a pointer is.
  place(event) {
    const seen = this.root.getBoundingClientRect(), scale = this.width / seen.width;
    return {
      x: this.x[0] + ((event.clientX - seen.left) * scale - this.box.left) / this.box.width * (this.x[1] - this.x[0]),
      y: this.y[1] - ((event.clientY - seen.top) * scale - this.box.top) / this.box.height * (this.y[1] - this.y[0]),
      scale, width: seen.width,
    };
  }

  // Show the nearest point of some lines under the pointer: each its name, xs and ys, and what to
  // say of its i-th point.
  follow(lines, words, reach = 0.1) {
    const wide = this.x[1] - this.x[0], tall = this.y[1] - this.y[0];
    this.hover((x, y) => {
      let near = null, least = reach ** 2;
      for (const line of typeof lines === "function" ? lines() : lines) {
        line.xs.forEach((at, i) => {
          const d = ((at - x) / wide) ** 2 + ((line.ys[i] - y) / tall) ** 2;
          if (d < least) { least = d; near = { line, i }; }
        });
      }
      return near && { x: near.line.xs[near.i], y: near.line.ys[near.i], words: words(near.line, near.i) };
    });
  }

  // Show words near the pointer: `find` gets a place in the box and returns {x, y, words} or null.
  hover(find) {
    const tip = rocwalk.node("div", "", { class: "tip", "aria-hidden": "true" });
    const dot = rocwalk.svg("circle", { class: "mark dot", r: 5, visibility: "hidden" }, this.front);
    const hide = () => { tip.hidden = true; dot.setAttribute("visibility", "hidden"); };
    const show = (event) => {
      const { x, y, scale, width } = this.place(event), found = find(x, y);
      if (!found) { hide(); return; }
      this.move(dot, found.x, found.y);
      dot.setAttribute("visibility", "visible");
      tip.textContent = found.words;
      tip.hidden = false;
      tip.style.left = Math.max(0, Math.min(this.px(found.x) / scale + 12, width - tip.offsetWidth)) + "px";
      tip.style.top = this.py(found.y) / scale + 12 + "px";
    };
    hide();
    this.host.classList.add("hovered");
    this.host.append(tip);
    this.root.addEventListener("pointermove", show);
    this.root.addEventListener("pointerdown", show);
    this.root.addEventListener("pointerleave", hide);
  }
};

// A chart whose horizontal axis has labels in place of numbers: as many as have room, or all.
rocwalk.Labelled = class extends rocwalk.Chart {
  constructor(host, { labels, all = false, ...options }) {
    super(host, options);
    const { left, top, height, width } = this.box, foot = top + height + 18;
    const widths = labels.map((words) => {
      const node = this.text(0, foot, words, "middle"), wide = node.getComputedTextLength();
      node.remove();
      return wide;
    });
    const room = Math.max(...widths) + 14, every = all ? 1 : Math.ceil(labels.length * room / width);
    for (let i = 0; i < labels.length; i += every) {
      const half = widths[i] / 2, x = Math.max(left - 40 + half, Math.min(this.px(i), left + width + 10 - half));
      this.text(x, foot, labels[i], "middle", all ? "window tight" : "window");
    }
  }

  axes(xlabel, ylabel, tick) {
    const { left, top, width, height } = this.box;
    rocwalk.svg("rect", { class: "plot", x: left, y: top, width, height }, this.back);
    for (const at of rocwalk.ticks(...this.y, 4)) {
      rocwalk.svg("line", { class: "grid", x1: left, x2: left + width, y1: this.py(at), y2: this.py(at) }, this.back);
      this.text(left - 8, this.py(at) + 4, tick(at), "end");
    }
    rocwalk.svg("path", { class: "axis", d: `M${left},${top}V${top + height}H${left + width}` }, this.back);
    this.upward(ylabel);
  }
};

// A chart of ROC space, with the diagonal of chance.
rocwalk.rocChart = function (host, label, ylabel = "True positive rate", xlabel = "False positive rate") {
  const chart = new rocwalk.Chart(host, { xlabel, ylabel, label });
  chart.line([0, 1], [0, 1], "chance");
  return chart;
};

rocwalk.ticks = function (low, high, count) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9), ticks = [];
  for (let k = 0; k < 8; k++) {
    const at = (first + k) * step;
    if (at <= high + step * 1e-9 && at !== ticks[ticks.length - 1]) ticks.push(at);
  }
  return ticks;
};

// -- numbers ----------------------------------------------------------------------------------

rocwalk.short = (value) => String(Number(value.toPrecision(6)));

rocwalk.fixed = function (value, digits) {
  if (value === null || Number.isNaN(value)) return "undefined";
  if (Math.abs(value) === Infinity) return value > 0 ? "∞" : "−∞";
  const words = Math.abs(value) >= 1e15 ? value.toExponential(3) : value.toFixed(digits);
  return words.replace("-", Number(words) === 0 ? "" : "−");
};

rocwalk.rate = (value) => rocwalk.fixed(value, 4);

// A count, or a mass with at most as many decimals as are shown of this model.
rocwalk.count = function (value, decimals) {
  const words = rocwalk.fixed(value, decimals);
  if (words.includes("e")) return words;
  const [whole, rest] = words.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const needed = (rest ?? "").replace(/0+$/, "");
  return needed ? `${grouped}.${needed}` : grouped;
};

// Few digits of a value, at least six, that fit: they and the value decide alike.
rocwalk.shorten = function (value, fits) {
  for (let digits = 6; digits < 18; digits++) {
    const [mantissa, power] = value.toExponential(digits - 1).split("e");
    const whole = BigInt(mantissa.replace(".", "")), exponent = Number(power) - digits + 1;
    for (const unit of [0n, -1n, 1n]) {
      const short = Number(`${whole + unit}e${exponent}`);
      if (fits(short)) return short;
    }
  }
  return value;
};

// The threshold of a point, in digits that decide exactly as all of its digits do.
rocwalk.threshold = function (walk, i) {
  const value = walk.thresholds[i], below = walk.next[i];
  return value === Infinity ? "∞" : String(rocwalk.shorten(value, (short) => below < short && short <= value));
};

// The end of the thresholds that decide alike: all above this, up to the threshold of the point.
rocwalk.above = function (walk, i) {
  const value = walk.next[i], top = Number(rocwalk.threshold(walk, i).replace("∞", "Infinity"));
  return value === -Infinity ? "−∞" : String(rocwalk.shorten(value, (short) => value <= short && short < top));
};

// The height of a line at a place; where it jumps, the height that it has before.
rocwalk.heightAt = function ([xs, ys], x) {
  let low = 0, high = xs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] >= x) high = middle; else low = middle + 1;
  }
  if (low === 0 || xs[low] <= x) return ys[low];
  return ys[low - 1] + (ys[low] - ys[low - 1]) * (x - xs[low - 1]) / (xs[low] - xs[low - 1]);
};

// -- walks ------------------------------------------------------------------------------------

// The points of a model's walk, from (0, 0) to (1, 1).
rocwalk.walk = function (model) {
  const last = model.up.length - 1, U = model.up[last], R = model.right[last];
  return {
    ...model, U, R,
    thresholds: [Infinity, ...model.scores],
    next: [...(model.highest ?? model.scores), -Infinity],
    tpr: model.up.map((u) => u / U),
    fpr: model.right.map((r) => r / R),
    prevalence: U / (U + R),
  };
};

// The point of a walk nearest to a place, or null if none is near.
rocwalk.nearest = function (walk, x, y) {
  let i = 0, distance = Infinity;
  for (let k = 0; k < walk.fpr.length; k++) {
    const d = (walk.fpr[k] - x) ** 2 + (walk.tpr[k] - y) ** 2;
    if (d < distance) { distance = d; i = k; }
  }
  return distance < 0.01 ? { i, distance } : null;
};

// -- accuracies by threshold --------------------------------------------------------------------

rocwalk.accuracyChart = function (host, label) {
  return new rocwalk.Chart(host, { xlabel: "Threshold", ylabel: "Accuracy", label, height: 340 });
};

// The curves of sensibility (solid) and capability (dashed), and the midpoint (dotted).
rocwalk.accuracies = function (chart, { midpoint, thresholds, sensibility, capability }, colour) {
  if (midpoint <= 1) chart.line([midpoint, midpoint], [0, 1], `midpoint ${colour}`);
  [[sensibility, ""], [capability, "d1"]].forEach(([values, dash]) => {
    if (!values) return;
    const xs = [1, ...thresholds.flatMap((t) => [t, t]), 0], ys = values.flatMap((y) => [y, y]);
    chart.line(xs, ys, `curve ${colour} ${dash}`);
  });
};

rocwalk.bothWords = (sensible, other, near) =>
  [["sensibility", sensible], ["capability", other]].map(([words, value]) => `${words} ${near ? "≈ " : ""}${rocwalk.rate(value)}`).join("\n");

// The drawn curves of one or two samples as a table.
rocwalk.curveTable = function (host, caption, samples) {
  const named = samples.length > 1;
  rocwalk.table(host, caption, [...(named ? ["Sample"] : []), "Threshold", "Sensibility", "Capability"], () =>
    samples.flatMap(([name, { thresholds, sensibility, capability }]) => [Infinity, ...thresholds].map((t, i) => [
      ...(named ? [name] : []), t === Infinity ? "∞" : rocwalk.short(t), rocwalk.rate(sensibility ? sensibility[i] : null), rocwalk.rate(capability ? capability[i] : null),
    ])));
};

// -- pages ------------------------------------------------------------------------------------

rocwalk.node = function (name, words = "", attributes = {}) {
  const node = document.createElement(name);
  node.textContent = words;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

// A function that finds the parts of a section by their role.
// Write words where there are others; what stays the same need not be laid out again.
rocwalk.write = (node, words) => { if (node.textContent !== words) node.textContent = words; };

// Act when a key is another one than the last time.
rocwalk.whenNew = function (act) {
  let last = null;
  return (key) => { if (key !== last) { last = key; act(); } };
};

rocwalk.parts = (host) => (role) => host.querySelector(`[data-role="${role}"]`);

// A legend. An entry that is pointed at, or has the focus, brings its curve forward in the charts of
// the same card; pressed, it keeps it there.
rocwalk.legend = function (host, entries) {
  const list = rocwalk.node("ul", "", { class: "legend" });
  const scope = () => list.closest(".first-screen, .card, section") ?? list.parentNode;
  let kept = null;
  const show = (style) => rocwalk.forward(scope(), style ?? kept);
  entries.forEach(({ words, value, style }) => {
    const item = rocwalk.node("li"), entry = rocwalk.node("button", "", { type: "button", class: "entry", "aria-pressed": "false" });
    const swatch = rocwalk.svg("svg", { class: "swatch", viewBox: "0 0 24 10", "aria-hidden": "true" }, entry);
    rocwalk.svg("line", { x1: 0, x2: 24, y1: 5, y2: 5, class: `curve ${style}` }, swatch);
    entry.append(rocwalk.node("span", words, { class: "name" }));
    if (value) entry.append(rocwalk.node("span", value, { class: "value" }));
    entry.addEventListener("pointerenter", () => show(style));
    entry.addEventListener("pointerleave", () => show(null));
    entry.addEventListener("focus", () => show(style));
    entry.addEventListener("blur", () => show(null));
    entry.addEventListener("click", () => {
      kept = kept === style ? null : style;
      list.querySelectorAll(".entry").forEach((one) => one.setAttribute("aria-pressed", String(one === entry && kept !== null)));
      show(kept);
    });
    item.append(entry);
    list.append(item);
  });
  list.entries_ = entries;
  host.append(list);
  return list;
};

// Bring the curves of a style forward and let the others fade; without a style, none.
rocwalk.forward = function (scope, style) {
  const [ink, dash] = (style ?? "").split(" ");
  for (const node of scope.querySelectorAll(".chart .curve, .chart .hull, .chart .ribbon, .chart .mark:not(.dot), .chart .bar")) {
    const own = [...node.classList], of = (kind) => own.find((one) => new RegExp(`^${kind}\\d$`).test(one));
    const colour = of("k") ?? of("f")?.replace("f", "k");
    const isIt = style && (colour === ink || own.includes(ink)) && (!of("d") || !dash || of("d") === dash);
    node.classList.toggle("behind", Boolean(style) && !isIt);
    if (isIt && node.classList.contains("curve")) node.parentNode.append(node);
  }
};

rocwalk.row = function (cells, head = null) {
  const line = rocwalk.node("tr");
  if (head !== null) line.append(rocwalk.node("th", head, { scope: "row" }));
  cells.forEach((words) => line.append(rocwalk.node("td", words)));
  return line;
};

// A chart's numbers as a table, made when it is opened.
rocwalk.table = function (host, caption, headers, rows) {
  const box = rocwalk.node("details"), table = rocwalk.node("table");
  const scroll = rocwalk.node("div", "", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption });
  const head = rocwalk.node("thead"), line = rocwalk.node("tr"), body = rocwalk.node("tbody");
  headers.forEach((words) => line.append(rocwalk.worded(rocwalk.node("th", words, { scope: "col" }))));
  head.append(line);
  box.addEventListener("toggle", () => {
    if (!body.childElementCount) body.append(...rows().map((cells) => rocwalk.row(cells)));
    if (box.open) rocwalk.glossary.explain(box);
  });
  table.append(rocwalk.node("caption", caption), head, body);
  scroll.append(table);
  box.append(rocwalk.node("summary", "Table: " + caption), scroll);
  host.append(box);
  rocwalk.take.table(table);
};

// The corners that a curve is drawn through; all others lie within `reach` of these lines. From the
// last corner taken, each next one leaves a narrower cone of directions; outside it a line ends.
rocwalk.drawn = function ({ fpr, tpr }, reach) {
  const taken = [0], last = fpr.length - 1;
  for (let i = 1, from = 0, low = -Infinity, high = Infinity; i <= last; i++) {
    const run = fpr[i] - fpr[from], rise = tpr[i] - tpr[from], way = Math.hypot(run, rise);
    if (way <= reach) continue;
    const angle = Math.atan2(rise, run), wide = Math.asin(reach / way);
    if (angle < low || angle > high) {
      from = --i;  // the corner before this one, from which this one is looked at again
      taken.push(from);
      [low, high] = [-Infinity, Infinity];
    } else {
      [low, high] = [Math.max(low, angle - wide), Math.min(high, angle + wide)];
    }
  }
  taken.push(last);
  return { fpr: taken.map((i) => fpr[i]), tpr: taken.map((i) => tpr[i]) };
};

// What is said of a point of a ROC curve.
rocwalk.rates = (tpr, fpr) => `${rocwalk.say("TPR")} ${rocwalk.rate(tpr)}, ${rocwalk.say("FPR")} ${rocwalk.rate(fpr)}`;
rocwalk.rocWords = ({ name, xs, ys }, i) => `${name}\n${rocwalk.rates(ys[i], xs[i])}`;

// Curves that are only looked at: lines, a legend, one table. `reading` is the label of a name.
rocwalk.gallery = function (figure, side, label, reading, curves) {
  const chart = rocwalk.rocChart(figure, label);
  curves.forEach(({ fpr, tpr }, k) => chart.line(fpr, tpr, `curve ${rocwalk.ink(k)}`));
  rocwalk.legend(side, curves.map(({ name, auc }, k) => ({ words: name, value: `AUC ${auc}`, style: rocwalk.ink(k) })));
  chart.follow(curves.map(({ name, fpr, tpr }) => ({ name, xs: fpr, ys: tpr })), rocwalk.rocWords);
  rocwalk.table(side, "points of the drawn curves", [reading, "FPR", "TPR"], () =>
    curves.flatMap(({ name, fpr, tpr }) => fpr.map((x, i) => [name, rocwalk.rate(x), rocwalk.rate(tpr[i])])));
  return chart;
};

// Draw a section, once.
rocwalk.draw = function (name) {
  const draw = rocwalk.sections[name];
  if (!draw || rocwalk.drawn_.has(name)) return;
  rocwalk.drawn_.add(name);
  const host = document.getElementById(name);
  draw(host, rocwalk.data.sections[name], rocwalk.data.sections);
  rocwalk.glossary.explain(host);
};

rocwalk.start = function () {
  rocwalk.data = JSON.parse(document.getElementById("rocwalk-data").textContent);
  rocwalk.models = rocwalk.data.models.map(rocwalk.walk);
  rocwalk.drawn_ = new Set();
  rocwalk.rule.begin();
  rocwalk.bindControls();
  for (const name of Object.keys(rocwalk.data.sections)) {
    const fold = document.querySelector(`#${name} > .fold`);
    if (!fold || fold.open) rocwalk.draw(name);
    else fold.addEventListener("toggle", () => { if (fold.open) rocwalk.draw(name); });
  }
  document.querySelectorAll("main table").forEach((table) => rocwalk.take.table(table));
  rocwalk.glossary.explain(document);
  rocwalk.inForce();
  rocwalk.words.begin();
  rocwalk.ways.begin();
  rocwalk.address.begin();
  document.documentElement.dataset.ready = "yes";
};
