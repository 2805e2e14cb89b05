// The ROC curves of all models, with bands and hulls, and thresholds under the pointer.
"use strict";
rocwalk.sections.roc = function (host, data) {
  const pick = rocwalk.parts(host), chart = rocwalk.rocChart(host.querySelector("figure"), data.description);
  const bands = rocwalk.svg("g", {}, chart.back), hulls = rocwalk.svg("g", {}, chart.back);
  data.bands.forEach((band, k) => { if (band) chart.ribbon(band, k, bands); });
  rocwalk.models.forEach((walk, k) => {
    chart.line(walk.hull.map((i) => walk.fpr[i]), walk.hull.map((i) => walk.tpr[i]), `hull k${k % rocwalk.colours}`, hulls);
  });
  rocwalk.rocCurves(chart);
  for (const [box, group] of [[pick("bands"), bands], [pick("hulls"), hulls]]) {
    if (!box) continue;
    const show = () => group.setAttribute("visibility", box.checked ? "visible" : "hidden");
    box.addEventListener("change", show);
    show();
  }
  rocwalk.legend(pick("legend"), rocwalk.models.map(({ name }, k) => ({ words: name, value: `AUC ${data.areas[k]}`, style: rocwalk.ink(k) })));
  rocwalk.models.forEach((walk, k) => {
    rocwalk.table(pick("tables"), `ROC points of ${walk.name}`, ["Threshold ≥", "FPR", "TPR", "On the hull"], () => {
      const hull = new Set(walk.hull);
      return walk.fpr.map((fpr, i) => [rocwalk.threshold(walk, i), rocwalk.rate(fpr), rocwalk.rate(walk.tpr[i]), hull.has(i) ? "yes" : ""]);
    });
    if (!data.bands[k]) return;
    const { fpr, low, tpr, high } = data.bands[k].rows;
    rocwalk.table(pick("tables"), `band of ${walk.name}`, ["FPR", "Lowest TPR", "TPR", "Highest TPR"], () =>
      fpr.map((_, i) => [fpr, low, tpr, high].map((column) => rocwalk.rate(column[i]))));
  });
};
