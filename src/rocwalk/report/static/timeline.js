// Numbers over the windows of time: points, the reference as a line, and bars of the reference plus
// the interval of the change. A point is filled where its own number has drifted.
"use strict";
rocwalk.sections.timeline = function (host, data) {
  const cards = host.querySelectorAll('[data-role="model"]');
  data.models.forEach(({ name, labels, spans, measures }, j) => {
    const charts = rocwalk.parts(cards[j])("charts"), many = labels.length;
    if (!many) return;
    const figures = measures.map(() => document.createElement("figure"));
    charts.append(...figures);  // all at once, so that each knows its room
    measures.forEach((one, m) => {
      const ends = [one.reference, ...one.value, ...one.low, ...one.high].filter(Number.isFinite), low = Math.min(...ends), high = Math.max(...ends);
      if (!ends.length) return;
      const pad = Math.max(0.08 * (high - low), 0.005);
      const chart = new rocwalk.Timeline(figures[m], {
        x: [-0.5, many - 0.5], y: [low - pad, high + pad], height: 230, ylabel: one.name, label: `${name}: ${one.name} over time`, labels,
      });
      if (Number.isFinite(one.reference)) chart.line([-0.5, many - 0.5], [one.reference, one.reference], "chance");
      one.value.forEach((y, i) => {
        const moved = one.drifted[i];
        if (!Number.isFinite(y)) return;
        if (Number.isFinite(one.low[i])) chart.line([i, i], [one.low[i], one.high[i]], "bar-of unclear", chart.front);
        rocwalk.svg("circle", { class: moved ? "gap apart alarm" : "gap unclear", cx: chart.px(i), cy: chart.py(y), r: moved ? 6 : 4 }, chart.front);
      });
      chart.hover((x) => {
        const i = Math.round(x);
        if (i < 0 || i >= many || !Number.isFinite(one.value[i])) return null;
        const said = one.verdicts ? one.verdicts[i] : one.drifted[i] ? "has drifted" : "no drift is seen in it";
        return { x: i, y: one.value[i], words: `${spans[i]}\n${one.name} ${rocwalk.rate(one.value[i])}\nchange ${one.changes[i]}\n${said}` };
      });
    });
  });
};

// A chart whose horizontal axis has labels of windows in place of numbers, as many as have room.
rocwalk.Timeline = class extends rocwalk.Chart {
  constructor(host, { labels, ...options }) {
    super(host, options);
    const { left, top, height, width } = this.box, foot = top + height + 18;
    const widths = labels.map((words) => {
      const node = this.text(0, foot, words, "middle"), wide = node.getComputedTextLength();
      node.remove();
      return wide;
    });
    const room = Math.max(...widths) + 14, every = Math.ceil(labels.length * room / width);
    for (let i = 0; i < labels.length; i += every) {
      const half = widths[i] / 2, x = Math.max(left - 40 + half, Math.min(this.px(i), left + width + 10 - half));
      this.text(x, foot, labels[i], "middle", "window");
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
    const turned = this.text(13, top + height / 2, ylabel, "middle", "title");
    turned.setAttribute("transform", `rotate(-90 13 ${top + height / 2})`);
  }
};
