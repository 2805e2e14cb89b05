// Soft ROC curves: the same walks with steps sized by the scores, and where decisions turn.
"use strict";
rocwalk.sections.soft = function (host, data) {
  const pick = rocwalk.parts(host), slider = pick("turn"), half = pick("half");
  const axes = (rule) => rule === "truth" ? [] : ["Soft true positive rate", "Soft false positive rate"];
  const charts = Object.fromEntries(["truth", "single", "both"].map((rule) => [rule, rocwalk.rocChart(pick(rule), data.description[rule], ...axes(rule))]));
  const walks = data.models.map(({ place }) => rocwalk.models[place]), ink = (j) => `curve ${rocwalk.ink(data.models[j].place)}`;
  const path = (chart, found) => {
    if (!found) return "";
    const { fpr, tpr } = rocwalk.drawn(found, 0.1 / chart.box.width);
    return chart.path(fpr, tpr);
  };
  rocwalk.legend(pick("legend"), data.models.map(({ place }) => ({ words: rocwalk.models[place].name, style: rocwalk.ink(place) })));
  for (const rule of ["truth", "single"]) {
    walks.forEach((walk, j) => charts[rule].line([], [], ink(j)).setAttribute("d", path(charts[rule], rocwalk.softened(walk, rule))));
  }
  const lines = walks.map((_, j) => charts.both.line([], [], ink(j)));
  const seen = (rule, t) => walks.flatMap((walk) => { const found = rocwalk.softened(walk, rule, t); return found ? [{ name: walk.name, xs: found.fpr, ys: found.tpr, walk }] : []; });
  const pointWords = ({ walk, ...line }, i) => `${rocwalk.rocWords(line, i)}\nscore ≥ ${rocwalk.threshold(walk, i)}`;
  for (const rule of ["truth", "single"]) charts[rule].follow(seen(rule), pointWords);
  charts.both.follow(() => seen("both", t), pointWords);

  let t = 0.5;
  const written = () => t === Number(t.toFixed(2)) ? t.toFixed(2) : rocwalk.short(t);
  const renew = rocwalk.typed(pick("turn-field"), (text) => { const at = rocwalk.read.number(text); return at >= 0 && at <= 1 ? at : null; }, put, written);
  function put(value) {
    t = value;
    slider.value = Math.round(100 * t);
    show();
  }

  function show() {
    const words = written();
    const found = walks.map((walk) => rocwalk.softened(walk, "both", t));
    lines.forEach((line, j) => line.setAttribute("d", path(charts.both, found[j])));
    host.querySelectorAll("[data-live]").forEach((cell, j) => {
      const near = walks[j].up_score && t !== 0.5;
      cell.textContent = t === 0.5 ? rocwalk.rate(data.models[j].both) : (near ? "≈ " : "") + rocwalk.rate(found[j] ? found[j].area : NaN);
    });
    pick("turn-words").textContent = words;
    pick("head").textContent = `Both ways, at ${words}`;
    slider.setAttribute("aria-valuetext", `decisions turn at ${words}`);
    half.disabled = t === 0.5;
    renew();
  }

  slider.addEventListener("input", () => put(Number(slider.value) / 100));
  half.addEventListener("click", () => { put(0.5); slider.focus(); });
  show();
  for (const [rule, words] of [["single", "soft curves, single steps"], ["both", "soft curves, steps both ways at 0.50"]]) {
    rocwalk.table(pick("tables"), words, ["Model", "Score ≥", "Right", "Up"], () => walks.flatMap((walk) => {
      const found = rocwalk.softened(walk, rule, 0.5);
      return found ? found.fpr.map((x, i) => [walk.name, rocwalk.threshold(walk, i), rocwalk.rate(x), rocwalk.rate(found.tpr[i])]) : [];
    }));
  }
};

// The walk by a step rule; null if no item steps up, or none right. Where rows are buckets, their
// sums of scores make the steps exact; only a bucket in which decisions turn is taken as a whole.
rocwalk.softened = function (walk, rule, t = 0.5) {
  const { scores, up, right, up_score, right_score } = walk, ups = [0], rights = [0];
  scores.forEach((score, i) => {
    const rise = up[i + 1] - up[i], run = right[i + 1] - right[i];
    const su = up_score ? up_score[i] : rise * score, sr = right_score ? right_score[i] : run * score;
    const mean = up_score ? (su + sr) / (rise + run) : score;
    let climb = rise, go = run;
    if (rule === "single") [climb, go] = [su, run - sr];
    if (rule === "both") {
      climb = mean >= t ? su + run - sr : rise - su + sr;
      go = rise + run - climb;
    }
    ups.push(ups[i] + climb);
    rights.push(rights[i] + go);
  });
  const last = scores.length, U = ups[last], R = rights[last];
  if (!(U > 0 && R > 0)) return null;
  return { tpr: ups.map((u) => u / U), fpr: rights.map((r) => r / R), area: rocwalk.areaSoFar(ups, rights, last) / (U * R) };
};
