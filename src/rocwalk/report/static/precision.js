// Precision against recall, from the same walks.
"use strict";
rocwalk.sections.precision = function (host, data) {
  const pick = rocwalk.parts(host);
  const chart = new rocwalk.Chart(host.querySelector("figure"), { xlabel: "Recall", ylabel: "Precision", label: data.description });
  const precision = ({ up, right }, i) => up[i] / (up[i] + right[i]);
  rocwalk.models.forEach((walk, k) => {
    const xs = [0], ys = [precision(walk, 1)];
    for (let i = 1; i < walk.tpr.length; i++) {
      xs.push(walk.tpr[i - 1], walk.tpr[i]);  // steps: precision holds up to the recall it reaches
      ys.push(precision(walk, i), precision(walk, i));
    }
    chart.line([0, 1], [walk.prevalence, walk.prevalence], "chance");
    chart.line(xs, ys, `curve ${rocwalk.ink(k)}`);
  });
  rocwalk.pointsInForce(chart, ({ i }, walk) => i > 0 ? [walk.tpr[i], precision(walk, i)] : null);
  const lines = rocwalk.models.map((walk) => ({ walk, xs: walk.tpr.slice(1), ys: walk.scores.map((_, i) => precision(walk, i + 1)) }));
  chart.follow(lines, ({ walk, xs, ys }, i) => `${walk.name}\nthreshold ≥ ${rocwalk.threshold(walk, i + 1)}\n${rocwalk.say("Recall")} ${rocwalk.rate(xs[i])}, ${rocwalk.say("precision")} ${rocwalk.rate(ys[i])}`);
  rocwalk.legend(pick("legend"), rocwalk.models.map(({ name }, k) => ({
    words: name, value: `AP ${data.average_precision[k]}`, style: rocwalk.ink(k),
  })));
  rocwalk.models.forEach((walk) => rocwalk.table(pick("tables"), `precision and recall of ${walk.name}`, ["Threshold ≥", "Recall", "Precision"], () =>
    walk.scores.map((_, i) => [rocwalk.threshold(walk, i + 1), rocwalk.rate(walk.tpr[i + 1]), rocwalk.rate(precision(walk, i + 1))])));
};
