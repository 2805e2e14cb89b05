// A truth that is a probability: the region that it leaves open.
"use strict";
rocwalk.sections.truth = function (host, data) {
  if (data.region) rocwalk.region(rocwalk.parts(host), data.region);
};

rocwalk.region = function (pick, { description, worst, perfect, curves, values }) {
  const chart = rocwalk.rocChart(pick("region"), description), names = rocwalk.models.map(({ name }) => name);
  rocwalk.svg("path", { class: "region", d: chart.between(worst, perfect) }, chart.back);
  chart.line(...perfect, "edge");
  chart.line(...worst, "edge");
  curves.forEach((line, k) => chart.line(...line, `curve ${rocwalk.ink(k)}`));
  rocwalk.legend(pick("legend"), names.map((words, k) => ({ words, value: values[k], style: rocwalk.ink(k) })));
  const lines = [...curves.map((line, k) => [names[k], line]), ["perfect order", perfect], ["worst order", worst]];
  chart.follow(lines.map(([name, [xs, ys]]) => ({ name, xs, ys })), rocwalk.rocWords);
  rocwalk.table(pick("tables"), "points of the curves in the region", ["Curve", "FPR", "TPR"], () =>
    lines.flatMap(([name, [xs, ys]]) => xs.map((x, i) => [name, rocwalk.rate(x), rocwalk.rate(ys[i])])));
};
