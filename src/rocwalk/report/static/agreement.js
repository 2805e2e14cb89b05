// The votes: how many items have which share, and coefficients of agreement with intervals.
"use strict";
rocwalk.sections.agreement = function (host, data) {
  const pick = rocwalk.parts(host);
  rocwalk.votes(pick("votes"), pick("vote-tables"), data.votes);
  if (data.coefficients.rows.length) rocwalk.intervals(pick("coefficients"), data.coefficients);
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
