// The curves beside the verdict.
"use strict";
rocwalk.sections.summary = function (host, data) {
  const pick = rocwalk.parts(host), chart = rocwalk.rocChart(host.querySelector("figure"), data.description);
  rocwalk.models.forEach((walk, k) => chart.line(walk.fpr, walk.tpr, `curve ${rocwalk.ink(k)}`));
  rocwalk.legend(pick("legend"), rocwalk.models.map(({ name }, k) => ({ words: name, value: `AUC ${data.areas[k]}`, style: rocwalk.ink(k) })));
  chart.hover((x, y) => {
    const near = rocwalk.models
      .map((walk) => ({ walk, ...rocwalk.nearest(walk, x, y) }))
      .filter(({ i }) => i !== undefined)
      .sort((a, b) => a.distance - b.distance)[0];
    if (!near) return null;
    const { walk, i } = near;
    return {
      x: walk.fpr[i], y: walk.tpr[i],
      words: `${walk.name}\nthreshold ≥ ${rocwalk.threshold(walk, i)}\nTPR ${rocwalk.rate(walk.tpr[i])}, FPR ${rocwalk.rate(walk.fpr[i])}`,
    };
  });
};
