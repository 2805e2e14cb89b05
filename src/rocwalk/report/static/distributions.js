// Score distributions by class: shares in equal bins, positives up, negatives down.
"use strict";
rocwalk.sections.distributions = function (host, data) {
  const pick = rocwalk.parts(host);
  rocwalk.legend(pick("legend"), [{ words: "positives, upwards", style: "positive" }, { words: "negatives, downwards", style: "negative" }]);
  // all places first, then the charts: each is drawn at the width that it will keep
  const places = data.models.map((bins, k) => {
    const figure = rocwalk.node("figure");
    if (!bins) return figure;
    figure.append(rocwalk.node("h3", rocwalk.models[k].name));
    pick("charts").append(figure);
    return figure;
  });
  data.models.forEach((bins, k) => {
    if (!bins) return;
    const { name } = rocwalk.models[k], { edges, up, right } = bins;
    const cut = rocwalk.histogram(places[k], `${name}: ${data.description}`, bins, 300);
    rocwalk.rule.follow(() => cut(rocwalk.rule.at(rocwalk.models[k]).cut));
    rocwalk.table(places[k], `score distribution of ${name}`, ["From", "To", "Share of positives", "Share of negatives"], () =>
      up.map((share, i) => [rocwalk.short(edges[i]), rocwalk.short(edges[i + 1]), rocwalk.rate(share), rocwalk.rate(right[i])]));
  });
};

// Draw one histogram; return a function that moves a line to a threshold.
rocwalk.histogram = function (host, label, bins, height) {
  if (!bins) return null;
  const { edges, up, right } = bins, low = edges[0], high = edges[edges.length - 1];
  const tall = Math.max(...up), deep = Math.max(...right);
  const chart = new rocwalk.Chart(host, {
    x: [low, high], y: [-deep * 1.08, tall * 1.08], height, xlabel: "Score", ylabel: height < 250 ? "Share" : "Share of the class", label,
    tick: (at) => rocwalk.short(Math.abs(at)),
  });
  const zero = chart.py(0);
  up.forEach((share, i) => {
    const x = chart.px(edges[i]), width = Math.max(chart.px(edges[i + 1]) - x - 1, 0.5);
    rocwalk.svg("rect", { class: "bar positive", x, width, y: chart.py(share), height: zero - chart.py(share) }, chart.back);
    rocwalk.svg("rect", { class: "bar negative", x, width, y: zero, height: chart.py(-right[i]) - zero }, chart.back);
  });
  rocwalk.svg("line", { class: "axis", x1: chart.box.left, x2: chart.box.left + chart.box.width, y1: zero, y2: zero }, chart.back);
  chart.hover((x, y) => {
    const i = up.findIndex((_, k) => x >= edges[k] && x <= edges[k + 1]);
    if (i < 0) return null;
    const words = `scores ${rocwalk.short(edges[i])} to ${rocwalk.short(edges[i + 1])}\n${rocwalk.percentWords(Number(up[i].toPrecision(3)))} of the positives\n${rocwalk.percentWords(Number(right[i].toPrecision(3)))} of the negatives`;
    return { x: (edges[i] + edges[i + 1]) / 2, y: y >= 0 ? up[i] : -right[i], words };
  });
  const cut = rocwalk.svg("line", { class: "cut", y1: chart.box.top, y2: chart.box.top + chart.box.height, visibility: "hidden" }, chart.front);
  return (threshold) => {
    const at = chart.px(Math.min(Math.max(threshold, low), high));
    cut.setAttribute("x1", at);
    cut.setAttribute("x2", at);
    cut.setAttribute("visibility", "visible");
  };
};
