// The rule in force on one model: its confusion matrix, rates and predictive values.
"use strict";
rocwalk.sections.threshold = function (host, data, sections) {
  const pick = rocwalk.parts(host), { rule } = rocwalk;
  const chart = rocwalk.rocChart(pick("roc"), data.description);
  const curve = chart.line([], [], ""), mark = chart.mark(0, 0, "");
  const write = (role, words) => rocwalk.write(pick(role), words);
  const walk = () => rocwalk.models[rule.state.model];
  let drawn = null, cut = null;

  function draw(k) {
    const { fpr, tpr, name } = walk();
    drawn = k;
    chart.root.setAttribute("aria-label", `${name}: ${data.description}`);
    curve.setAttribute("d", chart.path(fpr, tpr));
    curve.setAttribute("class", `curve ${rocwalk.ink(k)}`);
    mark.setAttribute("class", `mark ${rocwalk.fill(k)}`);
    pick("scores").replaceChildren();
    cut = rocwalk.histogram(pick("scores"), name, sections.distributions?.models[k], 190);
  }

  rule.follow(() => {
    if (rule.state.model !== drawn) draw(rule.state.model);
    const { up, right, U, R, decimals } = walk(), { i, x, y, cut: threshold } = rule.at(walk()), p = rule.share(walk());
    const tp = up[i], fp = right[i], fn = U - tp, tn = R - fp;
    chart.move(mark, x, y);
    if (cut) cut(threshold);
    for (const [role, mass] of Object.entries({ tp, fp, fn, tn })) write(role, rocwalk.count(mass, decimals));
    const hits = p * y, alarms = (1 - p) * x, calm = (1 - p) * (1 - x), missed = p * (1 - y);
    const rates = {
      tpr: y, fpr: x, specificity: 1 - x, youden: y - x,
      accuracy: (tp + tn) / (U + R),
      f_measure: 2 * tp / (2 * tp + fp + fn),
      precision: hits / (hits + alarms),
      negative_predictive_value: calm / (calm + missed),
      predicted_positive_rate: hits + alarms,
      lift: y / (hits + alarms),
    };
    for (const [role, value] of Object.entries(rates)) write(role, rocwalk.rate(value));
  });

  chart.root.classList.add("pickable");
  chart.root.addEventListener("pointerdown", (event) => {
    const { x, y } = chart.place(event), near = rocwalk.nearest(walk(), x, y);
    if (near) rule.set({ kind: "threshold", threshold: near.i === 0 ? Infinity : Number(rocwalk.threshold(walk(), near.i)) });
  });
  chart.follow(() => [{ name: walk().name, xs: walk().fpr, ys: walk().tpr }], (line, i) => `${line.name}\nthreshold ≥ ${rocwalk.threshold(walk(), i)}\n${rocwalk.rates(line.ys[i], line.xs[i])}`);
};
