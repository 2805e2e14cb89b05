// Differences between models on the same rows: one line a pair, with its interval, against zero.
"use strict";
rocwalk.sections.compare = function (host, data) {
  const pick = rocwalk.parts(host);
  data.measures.forEach((one, k) => rocwalk.forest(pick(`forest-${k}`), one));
};

// A chart of one line a pair: its name above a bar, so that names of any length have room.
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

  // Both names, with … in the middle of them where there is too little room.
  name(node, a, b) {
    const cut = (words, n) => words.length <= n ? words : `${words.slice(0, Math.ceil(n / 2))}…${words.slice(-Math.floor(n / 2))}`;
    for (let n = Math.max(a.length, b.length); n > 1; n--) {
      node.textContent = `${cut(a, n)} − ${cut(b, n)}`;
      if (node.getComputedTextLength() <= this.box.width - 12) return;
    }
  }
};

rocwalk.forest = function (host, { name, description, pairs }) {
  const ends = [0, ...pairs.flatMap(({ low, high }) => [low, high])];
  const low = Math.min(...ends), high = Math.max(...ends), pad = Math.max(0.06 * (high - low), 0.002);
  const many = pairs.length, tall = many > 12 ? 36 : 46, line = many > 12 ? 14 : 17;
  const place = (i) => many - i - (line + 14) / tall;
  const chart = new rocwalk.Forest(host, {
    x: [low - pad, high + pad], y: [0, many], height: many * tall + 70, label: description, xlabel: `Difference in ${name}`, tick: rocwalk.signed,
  });
  pairs.forEach(({ a, b, low, difference, high, apart }, i) => {
    const y = place(i), style = apart ? "apart" : "unclear", x = chart.px(0), top = chart.py(many - i);
    const words = rocwalk.svg("text", { class: "title pair", x: chart.box.left + 6, y: top + line }, chart.front);
    chart.name(words, a, b);
    const over = chart.box.left + 12 + words.getComputedTextLength() > x;  // the line of no difference leaves the name free
    rocwalk.svg("line", { class: "zero", x1: x, x2: x, y1: top + (over ? line + 6 : 0), y2: chart.py(many - i - 1) }, chart.back);
    chart.line([low, high], [y, y], `bar-of ${style}`, chart.front);
    rocwalk.svg("circle", { class: `gap ${style}`, cx: chart.px(difference), cy: chart.py(y), r: 5.5 }, chart.front);
  });
  chart.hover((x, y) => {
    const i = many - 1 - Math.floor(y), pair = pairs[i];
    return pair ? { x: pair.difference, y: place(i), words: `${pair.a} − ${pair.b}\n${pair.numbers}` } : null;
  });
};

rocwalk.signed = (value) => Math.abs(value) < 1e-12 ? "0" : `${value < 0 ? "−" : "+"}${rocwalk.short(Math.abs(value))}`;
