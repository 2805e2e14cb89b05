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
      const chart = new rocwalk.Labelled(figures[m], {
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
