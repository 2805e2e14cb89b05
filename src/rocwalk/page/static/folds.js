// Averaged curves over the folds, with a ribbon of one standard deviation.
"use strict";
rocwalk.sections.folds = function (host, data) {
  const pick = rocwalk.parts(host);
  const chart = rocwalk.rocChart(host.querySelector("figure"), data.description, "Mean true positive rate");
  data.models.forEach(({ fpr, tpr, spread }, k) => {
    const low = tpr.map((y, i) => Math.max(y - (spread[i] ?? 0), 0)), high = tpr.map((y, i) => Math.min(y + (spread[i] ?? 0), 1));
    rocwalk.svg("path", { class: `ribbon ${rocwalk.fill(k)}`, d: fpr.length ? chart.band(fpr, low, high) : "" }, chart.back);
  });
  data.models.forEach(({ fpr, tpr }, k) => chart.line(fpr, tpr, `curve ${rocwalk.ink(k)}`));
  rocwalk.legend(pick("legend"), data.models.map(({ name }, k) => ({ words: name, style: rocwalk.ink(k) })));
  data.models.forEach(({ name, fpr, tpr, spread }) =>
    rocwalk.table(pick("tables"), `averaged curve of ${name}`, ["FPR", "Mean TPR", "Standard deviation"], () =>
      fpr.map((x, i) => [rocwalk.rate(x), rocwalk.rate(tpr[i]), rocwalk.rate(spread[i])])));
};
