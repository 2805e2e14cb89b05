// A reader study: means and differences with intervals, and the curve of every reader.
"use strict";
rocwalk.sections.readers = function (host, data) {
  const pick = rocwalk.parts(host);
  if (data.means.rows.length) rocwalk.intervals(pick("means"), data.means);
  if (data.differences.pairs.length) rocwalk.forest(pick("differences"), data.differences);
  const chart = rocwalk.rocChart(pick("curves"), data.description), lines = [];
  data.tests.forEach(({ name, readers, mean }, k) => {
    readers.forEach((one) => {
      chart.line(...one.line, `curve reader ${rocwalk.ink(k)}`);
      lines.push({ name: `${name}, ${one.name} (area ${one.area})`, xs: one.line[0], ys: one.line[1] });
    });
    lines.push({ name: `${name}, mean of readers`, xs: mean[0], ys: mean[1] });
  });
  data.tests.forEach(({ mean }, k) => chart.line(...mean, `curve whole ${rocwalk.ink(k)}`));
  chart.follow(lines, rocwalk.rocWords);
  rocwalk.legend(pick("legend"), data.tests.map(({ name, area }, k) => ({ words: name, value: `Mean AUC ${area}`, style: rocwalk.ink(k) })));
  rocwalk.table(pick("tables"), "points of the mean curves", ["Test", "FPR", "Mean TPR"], () =>
    data.tests.flatMap(({ name, mean: [xs, ys] }) => xs.map((x, i) => [name, rocwalk.rate(x), rocwalk.rate(ys[i])])));
};
