// A truth that is a probability: the region that it leaves open, and the votes behind it.
"use strict";
rocwalk.sections.truth = function (host, data) {
  const pick = rocwalk.parts(host);
  if (data.region) rocwalk.region(pick, data.region);
  if (data.votes) rocwalk.votes(pick("votes"), pick("vote-tables"), data.votes);
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

// One bar for each share of positive votes, or for each bin of shares.
rocwalk.votes = function (host, tables, { description, axis, bars }) {
  const most = Math.max(...bars.map(([, , items]) => items));
  const chart = new rocwalk.Chart(host, { x: [-0.06, 1.06], y: [0, 1.08 * most], height: 300, xlabel: axis, ylabel: "Items", label: description, tick: rocwalk.short });
  bars.forEach(([low, high, items]) => {
    rocwalk.svg("rect", { class: "bar votes", x: chart.px(low), width: chart.px(high) - chart.px(low), y: chart.py(items), height: chart.py(0) - chart.py(items) }, chart.back);
  });
  const middle = ([low, high]) => Number(((low + high) / 2).toFixed(4));
  chart.hover((x) => {
    const bar = bars.reduce((a, b) => Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a);
    return { x: middle(bar), y: bar[2], words: `${axis.toLowerCase()} ${rocwalk.short(middle(bar))}\n${rocwalk.count(bar[2], 0)} items` };
  });
  rocwalk.table(tables, description.toLowerCase(), [axis, "Items"], () => bars.map((bar) => [rocwalk.short(middle(bar)), rocwalk.count(bar[2], 0)]));
};
