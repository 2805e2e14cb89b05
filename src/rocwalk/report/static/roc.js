// The ROC curves of all models, with bands and hulls, and thresholds under the pointer.
"use strict";
rocwalk.sections.roc = function (host, data) {
  const pick = rocwalk.parts(host), chart = rocwalk.rocChart(host.querySelector("figure"), data.description);
  const bands = rocwalk.svg("g", {}, chart.back), hulls = rocwalk.svg("g", {}, chart.back);
  // a band ends at (1, 1), as its curve does
  const closed = ({ lower: [x, y], upper }) => ({ lower: [[...x, 1], [...y, 1]], upper });
  const ribbons = data.bands.map((band, k) => band && { k, node: chart.ribbon(closed(band), k, bands) }).filter(Boolean);
  const of = pick("bands"), kind = pick("band-kind");
  function show() {
    const which = kind?.value ?? "bands";
    ribbons.forEach(({ k, node }) => {
      const { lower, upper } = closed(data[which][k] ?? data.bands[k]);
      node.setAttribute("d", chart.between(lower, upper));
      node.setAttribute("visibility", of.value === "all" || of.value === String(k) ? "visible" : "hidden");
    });
    for (const name of kind ? ["bands", "pointwise"] : []) pick(`${name}-words`).hidden = name !== which;
  }
  if (of) {
    of.addEventListener("change", show);
    kind?.addEventListener("change", show);
    show();
  }
  rocwalk.models.forEach((walk, k) => {
    chart.line(walk.hull.map((i) => walk.fpr[i]), walk.hull.map((i) => walk.tpr[i]), `hull k${k % rocwalk.colours}`, hulls);
  });
  rocwalk.rocCurves(chart);
  const model = pick("smooth"), smooth = rocwalk.svg("g", {}, chart.back);
  model?.addEventListener("change", () => {
    const curves = data.smooth[model.value] ?? [];
    smooth.replaceChildren();
    curves.forEach((one, k) => one && chart.line(one.fpr, one.tpr, `smooth ${rocwalk.ink(k)}`, smooth));
    pick("smooth-words").hidden = !curves.length;
    pick("smooth-areas").textContent = curves.map((one, k) => one && `${rocwalk.models[k].name}: ${one.area}; ${one.parameters}.`).filter(Boolean).join(" ");
  });
  const box = pick("hulls"), showHulls = () => hulls.setAttribute("visibility", box.checked ? "visible" : "hidden");
  box.addEventListener("change", showHulls);
  showHulls();
  rocwalk.legend(pick("legend"), rocwalk.models.map(({ name }, k) => ({ words: name, value: `AUC ${data.areas[k]}`, style: rocwalk.ink(k) })));
  rocwalk.models.forEach((walk, k) => {
    rocwalk.table(pick("tables"), `ROC points of ${walk.name}`, ["Threshold ≥", "FPR", "TPR", "On the hull"], () => {
      const hull = new Set(walk.hull);
      return walk.fpr.map((fpr, i) => [rocwalk.threshold(walk, i), rocwalk.rate(fpr), rocwalk.rate(walk.tpr[i]), hull.has(i) ? "yes" : ""]);
    });
    for (const [method, curves] of Object.entries(data.smooth)) {
      if (curves[k]) rocwalk.table(pick("tables"), `${method} curve of ${walk.name}`, ["FPR", "TPR"], () =>
        curves[k].fpr.map((fpr, i) => [rocwalk.rate(fpr), rocwalk.rate(curves[k].tpr[i])]));
    }
    for (const [which, name] of [["bands", "band"], ["pointwise", "pointwise band"]]) {
      if (!data[which]?.[k]) continue;
      const { fpr, low, tpr, high } = data[which][k].rows;
      rocwalk.table(pick("tables"), `${name} of ${walk.name}`, ["FPR", "Lowest TPR", "TPR", "Highest TPR"], () =>
        fpr.map((_, i) => [fpr, low, tpr, high].map((column) => rocwalk.rate(column[i]))));
    }
  });
};
