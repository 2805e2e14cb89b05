// Reliability diagrams: the blocks of the hull, with the spread of the scores at the foot.
"use strict";
rocwalk.sections.calibration = function (host, data, sections) {
  const pick = rocwalk.parts(host), shown = Object.entries(data.models).map(([k, blocks]) => ({ k: Number(k), blocks }));
  // all places first, then the charts: each is drawn at the width that it will keep
  const places = shown.map(({ k }) => {
    const figure = rocwalk.node("figure");
    figure.append(rocwalk.node("h3", rocwalk.models[k].name));
    pick("charts").append(figure);
    return figure;
  });
  const method = pick("method");
  const draw = () => shown.forEach(({ k, blocks }, i) => {
    const { name } = rocwalk.models[k], label = `${name}: ${data.description}`;
    places[i].querySelectorAll(":scope > :not(h3)").forEach((old) => old.remove());
    if (method.value === "smooth") {
      rocwalk.smoothReliability(places[i], label, k, blocks.smooth, sections.distributions.models[k]);
      const { scores, value, least, greatest } = blocks.smooth;
      rocwalk.table(places[i], `smooth calibration of ${name}`, ["Score", "Share of positives", "Low", "High"], () =>
        scores.map((score, j) => [rocwalk.chance(score), ...[value, least, greatest].map((column) => rocwalk.rate(column[j]))]));
      return;
    }
    rocwalk.reliability(places[i], label, k, blocks, sections.distributions.models[k]);
    rocwalk.table(places[i], `calibration of ${name}`, ["Scores from", "To", "Share of positives", "Share of items"], () =>
      blocks.value.map((value, j) => [rocwalk.chance(blocks.lowest[j]), rocwalk.chance(blocks.highest[j]), rocwalk.rate(value), rocwalk.rate(blocks.share[j])]));
  });
  method.addEventListener("change", draw);
  draw();
};

// The smooth curve with its confidence band in colour, over the grey band of calibrated scores.
rocwalk.smoothReliability = function (host, label, k, { scores, value, low, high, least, greatest }, bins) {
  const chart = new rocwalk.Chart(host, { xlabel: "Score", ylabel: "Share of positives", label });
  rocwalk.svg("path", { class: "ribbon consistency", d: chart.between([scores, low], [scores, high]) }, chart.back);
  rocwalk.svg("path", { class: `ribbon ${rocwalk.fill(k)}`, d: chart.between([scores, least], [scores, greatest]) }, chart.back);
  if (bins) rocwalk.foot(chart, bins, k);
  chart.line([0, 1], [0, 1], "chance");
  chart.line(scores, value, `curve ${rocwalk.ink(k)}`);
  const first = scores[0], last = scores[scores.length - 1];
  chart.hover((x) => {
    if (x < first - 0.05 || x > last + 0.05) return null;
    const at = Math.min(Math.max(x, first), last), of = (column) => rocwalk.heightAt([scores, column], at);
    const two = (column) => rocwalk.fixed(of(column), 2);
    return { x: at, y: of(value), words: `score ${rocwalk.chance(at)}\nshare of positives ${rocwalk.rate(of(value))} (${two(least)} to ${two(greatest)})\nif calibrated ${two(low)} to ${two(high)}` };
  });
};

rocwalk.reliability = function (host, label, k, { lowest, highest, value, share, band }, bins) {
  const chart = new rocwalk.Chart(host, { xlabel: "Score", ylabel: "Share of positives", label });
  if (band) rocwalk.svg("path", { class: "ribbon consistency", d: chart.between([band[0], band[1]], [band[0], band[2]]) }, chart.back);
  if (bins) rocwalk.foot(chart, bins, k);
  chart.line([0, 1], [0, 1], "chance");
  chart.line(lowest.flatMap((low, i) => [low, highest[i]]), value.flatMap((y) => [y, y]), `curve ${rocwalk.ink(k)}`);
  value.forEach((y, i) => { if (value.length <= 60 && lowest[i] === highest[i]) rocwalk.svg("circle", { class: rocwalk.fill(k), cx: chart.px(lowest[i]), cy: chart.py(y), r: 3 }, chart.back); });
  const expected = (x) => band ? `\nif calibrated ${[1, 2].map((edge) => rocwalk.fixed(rocwalk.heightAt([band[0], band[edge]], Math.min(Math.max(x, band[0][0]), band[0][band[0].length - 1])), 2)).join(" to ")}` : "";
  const away = (x, i) => Math.max(lowest[i] - x, x - highest[i], 0);
  chart.hover((x) => {
    const i = value.reduce((best, _, j) => away(x, j) < away(x, best) ? j : best, 0);
    if (away(x, i) > 0.05) return null;
    const range = lowest[i] === highest[i] ? `score ${rocwalk.chance(lowest[i])}` : `scores ${rocwalk.chance(lowest[i])} to ${rocwalk.chance(highest[i])}`;
    return { x: Math.min(Math.max(x, lowest[i]), highest[i]), y: value[i], words: `${range}\nshare of positives ${rocwalk.rate(value[i])}\nshare of items ${rocwalk.rate(share[i])}${expected(x)}` };
  });
};

// A probability in digits that fit: what is nearly 0 or 1 is said to be so.
rocwalk.chance = function (value) {
  if (value > 0 && value < 0.0001) return "< 0.0001";
  if (value < 1 && value > 0.9999) return "> 0.9999";
  return rocwalk.short(value);
};

// How the scores are spread: bars at the foot, the tallest an eighth of the chart.
rocwalk.foot = function (chart, { edges, up, right }, k) {
  const { prevalence } = rocwalk.models[k], zero = chart.py(0);
  const mass = up.map((share, i) => prevalence * share + (1 - prevalence) * right[i]), most = Math.max(...mass);
  mass.forEach((share, i) => {
    const x = chart.px(edges[i]), tall = share / most * chart.box.height / 8;
    rocwalk.svg("rect", { class: `foot ${rocwalk.fill(k)}`, x, y: zero - tall, width: Math.max(chart.px(edges[i + 1]) - x - 1, 0.5), height: tall }, chart.back);
  });
};
