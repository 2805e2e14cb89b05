// Charts of one line a number: its name above a bar with the interval.
"use strict";

// Names stand above the bars, so that names of any length have room.
rocwalk.Forest = class extends rocwalk.Chart {
  axes(xlabel, ylabel, tick) {
    this.box = { ...this.box, left: 12, width: this.width - 24 };
    const { left, top, width, height } = this.box;
    rocwalk.svg("rect", { class: "plot", x: left, y: top, width, height }, this.back);
    for (const at of rocwalk.ticks(...this.x, width < 320 ? 4 : 5)) {
      rocwalk.svg("line", { class: "grid", x1: this.px(at), x2: this.px(at), y1: top, y2: top + height }, this.back);
      this.text(this.px(at), top + height + 18, tick(at), "middle");
    }
    rocwalk.svg("path", { class: "axis", d: `M${left},${top + height}H${left + width}` }, this.back);
    this.text(left + width / 2, top + height + 42, xlabel, "middle", "title");
  }

  // A name, or both names of a difference, with … in the middle where there is too little room.
  name(node, a, b = null) {
    const cut = (words, n) => words.length <= n ? words : `${words.slice(0, Math.ceil(n / 2))}…${words.slice(-Math.floor(n / 2))}`;
    for (let n = Math.max(a.length, b?.length ?? 0, 2); n > 1; n--) {
      node.textContent = b === null ? cut(a, n) : `${cut(a, n)} − ${cut(b, n)}`;
      if (node.getComputedTextLength() <= this.box.width - 12) return;
    }
  }
};

// Numbers with intervals, one line each, against a line of no effect unless it is null. A line of two
// names is a difference.
rocwalk.intervals = function (host, { description, axis, none, rows, signed = false }) {
  const ends = [...(none === null ? [] : [none]), ...rows.flatMap(({ low, high, dots = [] }) => [low, high, ...dots])];
  const low = Math.min(...ends), high = Math.max(...ends), pad = Math.max(0.06 * (high - low), 0.002);
  const many = rows.length, tall = many > 12 ? 36 : 46, line = many > 12 ? 14 : 17;
  const place = (i) => many - i - (line + 14) / tall;
  const chart = new rocwalk.Forest(host, {
    x: [low - pad, high + pad], y: [0, many], height: many * tall + 70, label: description, xlabel: axis, tick: signed ? rocwalk.signed : rocwalk.short,
  });
  rows.forEach(({ name, other = null, value, low, high, apart, dots = [] }, i) => {
    const y = place(i), style = apart ? "apart" : "unclear", top = chart.py(many - i);
    const words = rocwalk.svg("text", { class: "title pair", x: chart.box.left + 6, y: top + line }, chart.front);
    chart.name(words, name, other);
    if (none !== null) {
      const x = chart.px(none), over = chart.box.left + 12 + words.getComputedTextLength() > x;  // the line leaves the name free
      rocwalk.svg("line", { class: "zero", x1: x, x2: x, y1: top + (over ? line + 6 : 0), y2: chart.py(many - i - 1) }, chart.back);
    }
    dots.forEach((at) => rocwalk.svg("circle", { class: "one", cx: chart.px(at), cy: chart.py(y), r: 2.6 }, chart.front));
    chart.line([low, high], [y, y], `bar-of ${style}`, chart.front);
    rocwalk.svg("circle", { class: `gap ${style}`, cx: chart.px(value), cy: chart.py(y), r: 5.5 }, chart.front);
  });
  chart.hover((x, y) => {
    const i = many - 1 - Math.floor(y), row = rows[i];
    return row ? { x: row.value, y: place(i), words: `${row.name}${row.other ? ` − ${row.other}` : ""}\n${row.numbers}` } : null;
  });
};

// Differences of pairs with intervals, against none.
rocwalk.forest = (host, { name, description, pairs }) => rocwalk.intervals(host, {
  description, axis: `Difference in ${name}`, none: 0, signed: true,
  rows: pairs.map(({ a, b, difference, ...pair }) => ({ ...pair, name: a, other: b, value: difference })),
});

rocwalk.signed = (value) => Math.abs(value) < 1e-12 ? "0" : `${value < 0 ? "−" : "+"}${rocwalk.short(Math.abs(value))}`;
