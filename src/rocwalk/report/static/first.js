// The chart of the first screen: the ROC curves, each with the point of the rule in force.
"use strict";
rocwalk.first = function () {
  const host = document.querySelector("[data-role=first-roc]");
  if (!host || !rocwalk.models.length) return;
  const chart = rocwalk.rocChart(host, `ROC curves; areas: ${rocwalk.models.map(({ name, auc }) => `${name} ${auc}`).join(", ")}`);
  rocwalk.rocCurves(chart);
  rocwalk.legend(host, rocwalk.models.map(({ name, auc }, k) => ({ words: name, value: auc, style: rocwalk.ink(k) })));
};

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
