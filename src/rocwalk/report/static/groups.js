// The curves of the subgroups, for the model that is chosen, and what the rule in force does to each.
"use strict";
rocwalk.sections.groups = function (host, data) {
  const pick = rocwalk.parts(host), model = pick("model"), figure = host.querySelector("figure"), side = pick("side"), { rule } = rocwalk;
  let marks = [], chart = null;
  function draw() {
    const { name, curves } = data.models[Number(model.value)];
    figure.replaceChildren();
    side.replaceChildren();
    chart = rocwalk.gallery(figure, side, `${name}: ${data.description}`, "Group", curves);
    marks = curves.map((_, k) => chart.mark(0, 0, rocwalk.fill(k)));
    show();
  }
  function show() {
    const { name, place, curves } = data.models[Number(model.value)], { cut, words } = rule.at(rocwalk.models[place]);
    pick("rule").textContent = `${name} ≥ ${words}`;
    pick("in-force").replaceChildren(...curves.map((one, k) => {
      const i = rocwalk.lastWhere([Infinity, ...one.thresholds], (score) => score >= cut), near = one.exact ? "" : "≈ ";
      const tp = one.tpr[i] * one.U, fp = one.fpr[i] * one.R, called = tp + fp, count = (mass) => rocwalk.count(mass, one.decimals);
      chart.move(marks[k], one.fpr[i], one.tpr[i]);
      return rocwalk.row([count(one.U + one.R), count(one.U), near + count(called), near + rocwalk.rate(one.tpr[i]), near + rocwalk.rate(one.fpr[i]), near + rocwalk.rate(called > 0 ? tp / called : NaN)], one.name);
    }));
  }
  model.addEventListener("change", draw);
  draw();
  rule.follow(show);
};
