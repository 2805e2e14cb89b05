// A threshold slider: the confusion matrix, the rates and the predictive values follow it.
"use strict";
rocwalk.sections.threshold = function (host, data, sections) {
  const pick = rocwalk.parts(host), model = pick("model"), slider = pick("threshold");
  const chart = rocwalk.rocChart(pick("roc"), data.description);
  const curve = chart.line([], [], ""), mark = chart.mark(0, 0, "");
  const write = (role, words) => { pick(role).textContent = words; };
  const share = rocwalk.prevalence(pick("prevalence"), pick("prevalence-words"), pick("own"), show);
  const walk = () => rocwalk.models[Number(model.value)];
  let cut = null;

  function choose() {
    const k = Number(model.value), { fpr, tpr, prevalence, name } = walk();
    slider.max = fpr.length - 1;
    slider.value = data.start[k];
    share.reset(prevalence);
    chart.root.setAttribute("aria-label", `${name}: ${data.description}`);
    curve.setAttribute("d", chart.path(fpr, tpr));
    curve.setAttribute("class", `curve ${rocwalk.ink(k)}`);
    mark.setAttribute("class", `mark ${rocwalk.fill(k)}`);
    pick("scores").replaceChildren();
    cut = rocwalk.histogram(pick("scores"), name, sections.distributions.models[k], 190);
    show();
  }

  function show() {
    const { up, right, U, R, fpr, tpr, thresholds, decimals } = walk(), i = Number(slider.value);
    const tp = up[i], fp = right[i], fn = U - tp, tn = R - fp, x = fpr[i], y = tpr[i], p = share.value();
    chart.move(mark, x, y);
    if (cut) cut(thresholds[i]);
    const words = `≥ ${rocwalk.threshold(walk(), i)}`;
    write("threshold-words", words);
    slider.setAttribute("aria-valuetext", words);
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
  }

  chart.root.classList.add("pickable");
  chart.root.addEventListener("pointerdown", (event) => {
    const { x, y } = chart.place(event), near = rocwalk.nearest(walk(), x, y);
    if (near) { slider.value = near.i; show(); }
  });
  model.addEventListener("change", choose);
  slider.addEventListener("input", show);
  choose();
};
