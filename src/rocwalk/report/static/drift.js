// Drift: the curves of sensibility and capability of two samples, for each model.
"use strict";
rocwalk.sections.drift = function (host, data) {
  const cards = host.querySelectorAll('[data-role="model"]');
  data.models.forEach(({ place, reference, current }, j) => {
    const pick = rocwalk.parts(cards[j]), { name } = rocwalk.models[place], colour = `k${place % rocwalk.colours}`;
    if (!reference) return; // from buckets there are numbers only
    const chart = rocwalk.accuracyChart(pick("chart"), `${name}: ${data.description}`);
    rocwalk.accuracies(chart, reference, "neutral");
    rocwalk.accuracies(chart, current, colour);
    chart.hover((x) => {
      if (x < 0 || x > 1) return null;
      const [before, now] = [reference, current].map((sample) => rocwalk.stepAt(sample, x));
      const words = [["reference", reference, before], ["current", current, now]].flatMap(([label, { thinned }, at]) => [label, rocwalk.bothWords(...at, thinned)]);
      return { x, y: now[0] ?? now[1], words: [`threshold ${x.toFixed(3)}`, ...words].join("\n") };
    });
    rocwalk.legend(pick("chart"), [["Reference", "neutral"], ["Current", colour]].flatMap(([words, ink]) =>
      [["sensibility", ""], ["capability", "d1"]].map(([kind, dash]) => ({ words: `${words} ${kind}`, style: `${ink} ${dash}` }))));
    rocwalk.curveTable(pick("side"), `drawn curves of both samples of ${name}`, [["reference", reference], ["current", current]]);
  });
};

// Both accuracies of the rule "score ≥ t", read from the drawn curves.
rocwalk.stepAt = function ({ thresholds, sensibility, capability }, t) {
  const below = thresholds.findIndex((one) => one < t), i = below < 0 ? thresholds.length : below;
  return [sensibility, capability].map((values) => values ? values[i] : null);
};
