// Averaged curves over the folds, with a ribbon of the interval of the mean.
"use strict";
rocwalk.sections.folds = function (host, data) {
  const pick = rocwalk.parts(host);
  const chart = rocwalk.rocChart(host.querySelector("figure"), data.description, "Mean true positive rate");
  data.models.forEach(({ ribbon }, k) => { if (ribbon) chart.ribbon(ribbon, k); });
  data.models.forEach(({ fpr, tpr }, k) => chart.line(fpr, tpr, `curve ${rocwalk.ink(k)}`));
  chart.follow(data.models.map(({ name, fpr, tpr }) => ({ name, xs: fpr, ys: tpr })), rocwalk.rocWords);
  rocwalk.legend(pick("legend"), data.models.map(({ name, auc }, k) => ({ words: name, value: `Mean AUC ${auc}`, style: rocwalk.ink(k) })));
  data.models.forEach(({ name, rows }) =>
    rocwalk.table(pick("tables"), `averaged curve of ${name}`, ["FPR", "Mean TPR", "From", "To", "Standard deviation"], () =>
      rows.map((row) => row.map(rocwalk.rate))));
};
