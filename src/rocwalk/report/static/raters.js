// Raters one by one: points with crosses in ROC space, and what each of them changes.
"use strict";
rocwalk.sections.raters = function (host, data) {
  const pick = rocwalk.parts(host);
  if (data.points) rocwalk.raters(pick("points"), pick("point-tables"), data.points);
  if (data.kappas) rocwalk.intervals(pick("points"), data.kappas);
  data.effects.forEach((one, k) => rocwalk.intervals(pick(`effect-${k}`), one));
};

rocwalk.raters = function (host, tables, { description, points }) {
  const chart = rocwalk.rocChart(host, description);
  const many = points.length > 12, names = [];
  points.forEach(({ name, fpr, tpr, up, along }) => {
    if (points.length <= 40) {
      chart.line([fpr, fpr], up, "cross");
      chart.line(along, [tpr, tpr], "cross");
    }
    rocwalk.svg("circle", { class: "rater", cx: chart.px(fpr), cy: chart.py(tpr), r: many ? 3.5 : 5 }, chart.front);
    if (!many) {
      const right = fpr < 0.75, x = chart.px(fpr) + (right ? 8 : -8);
      let y = chart.py(tpr) - 7;
      while (names.some((at) => Math.abs(at.x - x) < 70 && Math.abs(at.y - y) < 13)) y += 7;
      names.push({ x, y });
      chart.text(x, y, name, right ? "start" : "end", "title");
    }
  });
  const numbers = ({ fpr, tpr }) => `sensitivity ${rocwalk.rate(tpr)}, specificity ${rocwalk.rate(1 - fpr)}`;
  chart.hover((x, y) => {
    const far = ({ fpr, tpr }) => Math.hypot(fpr - x, tpr - y);
    const near = points.reduce((a, b) => far(b) < far(a) ? b : a, points[0]);
    return near && far(near) < 0.12 ? { x: near.fpr, y: near.tpr, words: `${near.name}\n${numbers(near)}\n${rocwalk.count(near.votes, 0)} votes` } : null;
  });
  rocwalk.table(tables, "raters in ROC space", ["Rater", "Sensitivity", "Specificity"], () =>
    points.map(({ name, fpr, tpr }) => [name, rocwalk.rate(tpr), rocwalk.rate(1 - fpr)]));
};
