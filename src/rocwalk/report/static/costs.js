// Cost and prevalence sliders: the line of equal cost moves, the best threshold follows.
"use strict";
rocwalk.sections.costs = function (host, data) {
  const pick = rocwalk.parts(host), ratio = pick("ratio"), figure = host.querySelector("figure");
  const chart = rocwalk.rocChart(figure, data.description);
  rocwalk.models.forEach(({ hull, fpr, tpr }, k) => chart.line(hull.map((i) => fpr[i]), hull.map((i) => tpr[i]), `curve ${rocwalk.ink(k)}`));
  rocwalk.legend(figure, rocwalk.models.map(({ name }, k) => ({ words: `hull of ${name}`, style: rocwalk.ink(k) })));
  const iso = chart.line([], [], "iso", chart.front);
  const marks = rocwalk.models.map((_, k) => chart.mark(0, 0, rocwalk.fill(k)));
  const share = rocwalk.prevalence(pick("prevalence"), pick("prevalence-words"), pick("own"), show);

  function show() {
    const cost = rocwalk.ratio(Number(ratio.value)), p = share.value();
    const slope = cost.fp * (1 - p) / (cost.fn * p);
    pick("ratio-words").textContent = `${cost.fn} : ${cost.fp}`;
    ratio.setAttribute("aria-valuetext", `a miss costs ${cost.fn}, a false alarm ${cost.fp}`);
    pick("slope").textContent = slope.toPrecision(4);
    const rules = rocwalk.models.map((walk) => rocwalk.best(walk, slope, cost, p));
    const least = Math.min(...rules.map(({ expected }) => expected));
    rules.forEach(({ x, y }, k) => chart.move(marks[k], x, y));
    pick("rows").replaceChildren(...rules.map((rule, k) => {
      const line = rocwalk.row([rule.threshold, rule.above, rule.tied ?? "", rocwalk.rate(rule.x), rocwalk.rate(rule.y), rocwalk.rate(rule.expected)], rocwalk.models[k].name);
      line.classList.toggle("best", rule.expected === least);
      return line;
    }));
    const top = rules.findIndex(({ expected }) => expected === least);
    iso.setAttribute("d", rocwalk.isoPath(chart, rules[top], slope));
    pick("verdict").textContent = rocwalk.verdict(rocwalk.models[top].name, rules[top]);
  }

  ratio.addEventListener("input", show);
  share.reset(rocwalk.models[0].prevalence);
  show();
};

rocwalk.verdict = function (name, { threshold, expected, tied }) {
  const rule = threshold === "∞" ? "call nothing positive" : `call an item positive when ${name} gives ${threshold} or more`;
  const other = tied ? ` (${tied} or more costs the same)` : "";
  return `Cheapest on these data: ${rule}${other}, at ${rocwalk.rate(expected)} an item.`;
};

// The slider counts tenths of powers of ten: 10 means a miss costs ten times a false alarm.
rocwalk.ratio = function (value) {
  const factor = Number((10 ** (Math.abs(value) / 10)).toPrecision(2));
  return value < 0 ? { fp: factor, fn: 1 } : { fp: 1, fn: factor };
};

// The vertex that maximises TPR − slope·FPR; of tied ones the first, with the last as `tied`.
rocwalk.best = function (walk, slope, cost, p) {
  const { hull, fpr, tpr } = walk, gains = hull.map((i) => tpr[i] - slope * fpr[i]);
  const most = gains.reduce((a, b) => Math.max(a, b)), equal = hull.filter((_, j) => gains[j] >= most - 1e-12);
  const i = equal[0], last = equal[equal.length - 1], tied = last === i ? null : rocwalk.threshold(walk, last);
  return {
    x: fpr[i], y: tpr[i], tied,
    threshold: rocwalk.threshold(walk, i),
    above: rocwalk.above(walk, i),
    expected: cost.fp * (1 - p) * fpr[i] + cost.fn * p * (1 - tpr[i]),
  };
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
