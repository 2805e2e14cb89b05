// Sensibility and capability: two step curves of each model, and both at a threshold.
"use strict";
rocwalk.sections.sensibility = function (host, data) {
  const pick = rocwalk.parts(host), slider = pick("threshold"), half = pick("half");
  const walks = data.models.map(({ place }) => rocwalk.models[place]);
  rocwalk.legend(pick("legend"), [["Sensibility", ""], ["Capability", "d1"], ["Midpoint", "d2 thin"]].map(([words, dash]) => ({ words, style: `neutral ${dash}` })));
  // all places first, then the charts: each is drawn at the width that it will keep
  const places = walks.map(({ name }) => {
    const figure = rocwalk.node("figure");
    figure.append(rocwalk.node("h3", name));
    pick("charts").append(figure);
    return figure;
  });
  const views = data.models.map((model, j) => {
    const { name } = walks[j], colour = `k${model.place % rocwalk.colours}`;
    const chart = rocwalk.accuracyChart(places[j], `${name}: ${data.description}`);
    rocwalk.accuracies(chart, model, colour);
    const cut = chart.upright("cut"), marks = [0, 1].map(() => chart.mark(0, 0, rocwalk.fill(model.place)));
    chart.root.classList.add("pickable");
    chart.root.addEventListener("pointerdown", (event) => {
      put(Number(Math.min(Math.max(chart.place(event).x, 0), 1).toFixed(3)));
    });
    chart.hover((x) => {
      if (x < 0 || x > 1) return null;
      const { sensible, other, near } = rocwalk.decided(walks[j], model, x);
      return { x, y: sensible ?? other, words: `threshold ${x.toFixed(3)}\n${rocwalk.bothWords(sensible, other, near)}` };
    });
    rocwalk.curveTable(places[j], `drawn curves of ${name}`, [["", model]]);
    return { chart, cut, marks };
  });

  let t = 0.5;
  const written = () => t === Number(t.toFixed(3)) ? t.toFixed(3) : rocwalk.short(t);
  const renew = rocwalk.typed(pick("threshold-field"), (text) => { const at = rocwalk.read.number(text); return at >= 0 && at <= 1 ? at : null; }, put, written);
  function put(value) {
    t = value;
    slider.value = Math.round(1000 * t);
    show();
  }

  function show() {
    const words = written(), cells = host.querySelectorAll("[data-live]");
    data.models.forEach((model, j) => {
      const { chart, cut, marks } = views[j], { sensible, other, near } = rocwalk.decided(walks[j], model, t);
      chart.stand(cut, t);
      [sensible, other].forEach((value, i) => {
        if (value === null) marks[i].setAttribute("visibility", "hidden"); else chart.move(marks[i], t, value);
        cells[2 * j + i].textContent = (near && value !== null ? "≈ " : "") + rocwalk.rate(value);
      });
    });
    pick("threshold-words").textContent = `≥ ${words}`;
    pick("head").textContent = words;
    pick("head-too").textContent = words;
    slider.setAttribute("aria-valuetext", `threshold ${words}`);
    half.disabled = t === 0.5;
    renew();
  }

  slider.addEventListener("input", () => put(Number(slider.value) / 1000));
  half.addEventListener("click", () => { put(0.5); slider.focus(); });
  show();
};

// Both accuracies of the rule "score ≥ t"; null where there is no item. A bucket that the threshold
// cuts is left out as a whole, and `near` says so.
rocwalk.decided = function (walk, split, t) {
  const { scores, highest, up, right, R } = walk, low = rocwalk.placeOf(walk, t);
  const kept = Math.min(up[low], split.up) + R - Math.max(right[low], split.right);
  const won = Math.max(up[low] - split.up, 0) + Math.max(split.right - right[low], 0);
  return {
    sensible: split.sensible > 0 ? kept / split.sensible : null,
    other: split.other > 0 ? won / split.other : null,
    near: Boolean(highest) && low < scores.length && highest[low] >= t,
  };
};
