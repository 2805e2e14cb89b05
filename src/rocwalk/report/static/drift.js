// Drift, for each model: the curves of sensibility and capability of two samples, and each number
// from the reference over the parts of its change to the current sample.
"use strict";
rocwalk.sections.drift = function (host, data) {
  const cards = host.querySelectorAll('[data-role="model"]');
  data.models.forEach(({ place, name, reference, current, chains }, j) => {
    const pick = rocwalk.parts(cards[j]), colour = `k${place % rocwalk.colours}`;
    if (pick("chains")) rocwalk.chains(pick("chains"), name, chains); // not of too few items
    if (!reference) return; // from buckets, or without a class, there are numbers only
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

// A chart a number: the reference, a bar for each part that begins where the last one ended, with
// its interval, and the current sample.
rocwalk.chains = function (host, model, chains) {
  const figures = chains.map(() => document.createElement("figure"));
  host.append(...figures);  // all at once, so that each knows its room
  chains.forEach(({ name, reference, current, parts }, m) => {
    const starts = [];
    let level = reference;
    parts.forEach(({ value }) => { starts.push(level); level += value; });
    const ends = parts.flatMap(({ ends }, i) => ends ? ends.map((end) => starts[i] + end) : []);
    const reached = [reference, current, ...starts, ...ends].filter(Number.isFinite);
    if (![reference, current, ...parts.map((part) => part.value)].every(Number.isFinite)) return;  // a number does not exist
    const low = Math.min(...reached), high = Math.max(...reached), pad = Math.max(0.08 * (high - low), 0.005), last = parts.length + 1;
    const chart = new rocwalk.Labelled(figures[m], {
      x: [-0.5, last + 0.5], y: [low - pad, high + pad], height: 230, ylabel: name, label: `${model}: ${name} from the reference to the current sample`,
      labels: ["was", ...parts.map((part) => part.name), "now"], all: true,
    });
    chart.line([0, 1.3], [reference, reference], "link");
    parts.forEach(({ name: kind, value, ends, found }, i) => {
      const [from, to] = ends ?? [NaN, NaN], x = i + 1, start = starts[i], top = chart.py(Math.max(start, start + value)), foot = chart.py(Math.min(start, start + value));
      rocwalk.svg("rect", { class: `part ${kind}${found ? " found" : ""}`, x: chart.px(x - 0.3), width: chart.px(0.6) - chart.px(0), y: Math.min(top, foot - 2), height: Math.max(foot - top, 2) }, chart.front);
      chart.line([x + 0.3, x + (i + 1 < parts.length ? 1.3 : 1)], [start + value, start + value], "link");
      if (Number.isFinite(from)) chart.line([x, x], [start + from, start + to], "whisker", chart.front);
    });
    [[0, reference], [last, current]].forEach(([x, y]) => rocwalk.svg("circle", { class: "gap end", cx: chart.px(x), cy: chart.py(y), r: 5 }, chart.front));
    chart.hover((x) => {
      const i = Math.round(x);
      if (i < 0 || i > last) return null;
      if (i === 0 || i === last) return { x: i, y: i ? current : reference, words: `${i ? "current" : "reference"}\n${name} ${rocwalk.rate(i ? current : reference)}` };
      const part = parts[i - 1];
      return { x: i, y: starts[i - 1] + part.value, words: `${part.name}\n${part.words}${part.found ? "\nhas drifted" : ""}` };
    });
  });
};

// Both accuracies of the rule "score ≥ t", read from the drawn curves.
rocwalk.stepAt = function ({ thresholds, sensibility, capability }, t) {
  const below = thresholds.findIndex((one) => one < t), i = below < 0 ? thresholds.length : below;
  return [sensibility, capability].map((values) => values ? values[i] : null);
};
