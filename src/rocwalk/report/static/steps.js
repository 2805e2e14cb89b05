// The walk, one step at a time: for small data, so that each item can be seen to move the curve.
"use strict";
rocwalk.sections.steps = function (host, data) {
  const pick = rocwalk.parts(host), model = pick("model"), slider = pick("step"), play = pick("play");
  const chart = rocwalk.rocChart(host.querySelector("figure"), data.description);
  const squares = rocwalk.svg("g", {}, chart.back), under = rocwalk.svg("path", { class: "under" }, chart.back);
  const trail = chart.line([], [], "curve k0", chart.front), now = chart.line([], [], "now", chart.front), mark = chart.mark(0, 0, "f0");
  const walk = () => rocwalk.models[Number(model.value)], rows = () => data.models[Number(model.value)];
  let clock = null;
  chart.follow(() => [{ name: walk().name, xs: walk().fpr, ys: walk().tpr }], (line, i) => `step ${i}: score ≥ ${rocwalk.threshold(walk(), i)}\n${rocwalk.rates(line.ys[i], line.xs[i])}`);

  function choose() {
    const { U, R, decimals } = walk(), few = decimals === 0 && U <= 40 && R <= 40;
    slider.max = rows().length;
    slider.value = 0;
    squares.replaceChildren();
    for (let k = 1; few && k < U; k++) chart.line([0, 1], [k / U, k / U], "square", squares);
    for (let k = 1; few && k < R; k++) chart.line([k / R, k / R], [0, 1], "square", squares);
    pick("rows").replaceChildren(...rows().map((row, k) => rocwalk.row([row.items, row.up === "0" ? "" : `↑ ${row.up}`, row.right === "0" ? "" : `→ ${row.right}`], rocwalk.threshold(walk(), k + 1))));
    show();
  }

  function show() {
    const { fpr, tpr, up, right, U, R, decimals } = walk(), i = Number(slider.value), step = rows()[i - 1];
    const xs = fpr.slice(0, i + 1), ys = tpr.slice(0, i + 1), from = Math.max(i - 1, 0);
    trail.setAttribute("d", chart.path(xs, ys));
    under.setAttribute("d", chart.band(xs, xs.map(() => 0), ys));
    now.setAttribute("d", chart.path(fpr.slice(from, i + 1), tpr.slice(from, i + 1)));
    chart.move(mark, fpr[i], tpr[i]);
    [...pick("rows").children].forEach((line, k) => {
      line.classList.toggle("step-now", k === i - 1);
      line.classList.toggle("step-done", k < i - 1);
      if (k === i - 1) pick("scroll").scrollTop = line.offsetTop - pick("scroll").clientHeight / 2;
    });
    if (i === 0) pick("scroll").scrollTop = 0;
    const words = i === 0
      ? "Start at (0, 0): nothing is predicted positive yet."
      : `Step ${i} of ${rows().length}: at score ${rocwalk.threshold(walk(), i)} ${step.words}`;
    pick("words").textContent = words;
    pick("step-words").textContent = `${i} of ${rows().length}`;
    pick("tpr").textContent = rocwalk.rate(tpr[i]);
    pick("fpr").textContent = rocwalk.rate(fpr[i]);
    const area = rocwalk.areaSoFar(up, right, i);
    pick("area").textContent = rocwalk.rate(area / (U * R));
    pick("squares").textContent = decimals === 0 ? `${rocwalk.short(area)} of ${U * R} squares` : "";
    slider.setAttribute("aria-valuetext", words);
    renew();
    pick("back").disabled = i === 0;
    pick("on").disabled = i === rows().length;
  }

  const renew = rocwalk.typed(pick("step-field"), (text) => { const i = rocwalk.read.number(text); return Number.isInteger(i) && i >= 0 && i <= rows().length ? i : null; },
    (i) => { stop(); slider.value = i; show(); }, () => slider.value);
  const stop = () => { clearInterval(clock); clock = null; play.textContent = "Play"; };
  const by = (delta) => { slider.value = Number(slider.value) + delta; show(); };
  pick("back").addEventListener("click", () => { stop(); by(-1); });
  pick("on").addEventListener("click", () => { stop(); by(1); });
  play.addEventListener("click", () => {
    if (clock) { stop(); return; }
    if (Number(slider.value) === rows().length) { slider.value = 0; show(); }
    play.textContent = "Pause";
    clock = setInterval(() => { by(1); if (Number(slider.value) === rows().length) stop(); }, 900);
  });
  slider.addEventListener("input", () => { stop(); show(); });
  model.addEventListener("change", () => { stop(); choose(); });
  choose();
};
