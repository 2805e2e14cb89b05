// Costs and prevalence: the line of equal cost, and the best threshold of each model for them.
"use strict";
rocwalk.sections.costs = function (host, data) {
  const pick = rocwalk.parts(host), figure = host.querySelector("figure"), { rule } = rocwalk;
  const chart = rocwalk.rocChart(figure, data.description);
  rocwalk.models.forEach(({ hull, fpr, tpr }, k) => chart.line(hull.map((i) => fpr[i]), hull.map((i) => tpr[i]), `curve ${rocwalk.ink(k)}`));
  rocwalk.legend(figure, rocwalk.models.map(({ name }, k) => ({ words: `hull of ${name}`, style: rocwalk.ink(k) })));
  const iso = chart.line([], [], "iso", chart.front);
  rocwalk.pointsInForce(chart, ({ x, y }) => [x, y]);
  const corners = rocwalk.models.map((walk) => ({ walk, name: walk.name, xs: walk.hull.map((i) => walk.fpr[i]), ys: walk.hull.map((i) => walk.tpr[i]) }));
  chart.follow(corners, (line, i) => `${rocwalk.rocWords(line, i)}\nthreshold ≥ ${rocwalk.threshold(line.walk, line.walk.hull[i])}\ncost ${rocwalk.rate(rocwalk.expected(line.walk, line.walk.hull[i], rule.cost(), rule.share(line.walk)))}`);

  const price = rocwalk.whenNew(() => {
    const cost = rule.cost(), slope = rule.slope(rocwalk.models[0]);
    pick("slope").textContent = slope.toPrecision(4);
    const rules = rocwalk.models.map((walk) => rocwalk.best(walk, rule.slope(walk), cost, rule.share(walk)));
    const least = Math.min(...rules.map(({ expected }) => expected));
    pick("rows").replaceChildren(...rules.map((one, k) => {
      const line = rocwalk.row([one.threshold, one.above, one.tied ?? "", rocwalk.rate(one.x), rocwalk.rate(one.y), rocwalk.rate(one.expected)], rocwalk.models[k].name);
      line.classList.toggle("best", one.expected === least);
      return line;
    }));
    const top = rules.findIndex(({ expected }) => expected === least);
    iso.setAttribute("d", rocwalk.isoPath(chart, rules[top], slope));
    pick("verdict").textContent = rocwalk.verdict(rocwalk.models[top].name, rules[top]);
  });
  rule.follow(() => {
    price(rule.prices());
    const force = rocwalk.models.map((walk) => `${walk.name} ${rocwalk.rate(rule.at(walk).expected)}`).join(", ");
    rocwalk.write(pick("other-rule"), rule.state.kind === "costs" ? "" : `The rule in force is another one. ${rule.words()}. At these costs an item then costs: ${force}.`);
  });
};

rocwalk.verdict = function (name, { threshold, expected, tied }) {
  const rule = threshold === "∞" ? "call nothing positive" : `call an item positive when ${name} gives ${threshold} or more`;
  const other = tied ? ` (${tied} or more costs the same)` : "";
  return `Cheapest on these data: ${rule}${other}, at ${rocwalk.rate(expected)} an item.`;
};

rocwalk.isoPath = function (chart, point, slope) {
  const ends = [];
  const at = (x) => point.y + slope * (x - point.x), back = (y) => point.x + (y - point.y) / slope;
  for (const x of [0, 1]) if (at(x) >= 0 && at(x) <= 1) ends.push([x, at(x)]);
  for (const y of [0, 1]) if (back(y) > 0 && back(y) < 1) ends.push([back(y), y]);
  ends.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (ends.length < 2) ends.push([point.x, point.y]);
  const first = ends[0], last = ends[ends.length - 1];
  return chart.path([first[0], last[0]], [first[1], last[1]]);
};
