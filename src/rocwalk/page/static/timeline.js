// Numbers over the windows of time: points with intervals, the reference as a line, alarms filled.
"use strict";
rocwalk.sections.timeline = function (host, data) {
  const cards = host.querySelectorAll('[data-role="model"]');
  data.models.forEach(({ name, starts, alarms, measures }, j) => {
    const charts = rocwalk.parts(cards[j])("charts"), many = starts.length;
    if (!many) return;
    const figures = measures.map(() => document.createElement("figure"));
    charts.append(...figures);  // all at once, so that each knows its room
    measures.forEach((one, m) => {
      const ends = [one.reference, ...one.low, ...one.high].filter(Number.isFinite), low = Math.min(...ends), high = Math.max(...ends);
      const pad = Math.max(0.08 * (high - low), 0.005);
      const chart = new rocwalk.Timeline(figures[m], {
        x: [-0.5, many - 0.5], y: [low - pad, high + pad], height: 230, ylabel: one.name, label: `${name}: ${one.name} over time`, starts,
      });
      chart.line([-0.5, many - 0.5], [one.reference, one.reference], "chance");
      one.value.forEach((y, i) => {
        chart.line([i, i], [one.low[i], one.high[i]], "bar-of unclear", chart.front);
        rocwalk.svg("circle", { class: alarms[i] ? "gap apart alarm" : "gap unclear", cx: chart.px(i), cy: chart.py(y), r: alarms[i] ? 6 : 4 }, chart.front);
      });
      chart.hover((x) => {
        const i = Math.round(x);
        if (i < 0 || i >= many) return null;
        return { x: i, y: one.value[i], words: `from ${starts[i]}\n${one.name} ${rocwalk.rate(one.value[i])} (${rocwalk.rate(one.low[i])} to ${rocwalk.rate(one.high[i])})\n${alarms[i] ? "drift" : "no drift is seen"}` };
      });
    });
  });
};

// A chart whose horizontal axis has the starts of windows in place of numbers.
rocwalk.Timeline = class extends rocwalk.Chart {
  constructor(host, { starts, ...options }) {
    super(host, options);
    const { top, height, width } = this.box, every = Math.ceil(starts.length / Math.max(Math.floor(width / 90), 1));
    starts.forEach((words, i) => {
      if (i % every === 0) this.text(this.px(i), top + height + 18, words, "middle");
    });
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
