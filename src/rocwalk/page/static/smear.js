// A width slider: the ROC curve of smeared scores, between the bare curve and the diagonal.
"use strict";
rocwalk.sections.smear = function (host, data) {
  const pick = rocwalk.parts(host), model = pick("model"), slider = pick("width");
  const write = (role, words) => { pick(role).textContent = words; };
  const chart = rocwalk.rocChart(pick("roc"), data.description);
  const under = rocwalk.svg("path", {}, chart.back), bare = chart.line([], [], ""), curve = chart.line([], [], "", chart.front);
  bare.setAttribute("opacity", "0.45");
  const path = (points) => { const { fpr, tpr } = rocwalk.drawn(points, 0.1 / chart.box.width); return chart.path(fpr, tpr); };
  let now = null, move = null;

  function choose() {
    const k = Number(model.value), walk = rocwalk.models[k];
    now = { walk, atoms: rocwalk.atoms(walk), ...rocwalk.widths(data.models[k]) };
    slider.max = now.widths.length - 1;
    slider.value = now.start;
    chart.root.setAttribute("aria-label", `${walk.name}: ${data.description}`);
    under.setAttribute("class", `ribbon ${rocwalk.fill(k)}`);
    curve.setAttribute("class", `curve ${rocwalk.ink(k)}`);
    bare.setAttribute("class", `curve ${rocwalk.ink(k)}`);
    bare.setAttribute("d", path(walk));
    move = rocwalk.drawAreas(pick("areas"), `${walk.name}: ${data.description_of_areas}`, k, now, jump);
    write("words", now.words);
    pick("words").setAttribute("class", now.matched.length ? "words" : "note");
    write("target", rocwalk.rate(now.target));
    write("auc", rocwalk.rate(now.auc));
    pick("jumps").replaceChildren(...rocwalk.jumps(now, jump));
    show();
  }

  function show() {
    const i = Number(slider.value), width = now.widths[i], area = now.areas[i], words = rocwalk.widthWords(width);
    const d = path(rocwalk.smeared(now.walk, now.atoms, width));
    curve.setAttribute("d", d);
    under.setAttribute("d", `${d}V${chart.py(0)}Z`);
    move(width, area);
    write("width-words", words);
    write("area", rocwalk.rate(area));
    write("distance", rocwalk.distance(area, now, width));
    slider.setAttribute("aria-valuetext", `${words}, area ${rocwalk.rate(area)}`);
  }

  function jump(width) {
    slider.value = now.widths.indexOf(width);
    show();
  }

  model.addEventListener("change", choose);
  slider.addEventListener("input", show);
  choose();
  for (const [k, one] of Object.entries(data.models)) {
    const { widths, areas } = rocwalk.widths(one);
    rocwalk.table(pick("tables"), `areas by width of ${rocwalk.models[k].name}`, ["Width", "Area"], () =>
      widths.map((width, i) => [rocwalk.widthWords(width), rocwalk.rate(areas[i])]));
  }
};

// -- curves -----------------------------------------------------------------------------------

// Places on the score axis, highest first, with the share of each class there. Where the page
// carries buckets of scores, each class of a bucket is at its mean.
rocwalk.atoms = function ({ scores, up, right, U, R, up_score, right_score }) {
  const atoms = [];
  scores.forEach((score, i) => {
    const rise = up[i + 1] - up[i], run = right[i + 1] - right[i];
    if (!up_score) { atoms.push({ at: score, up: rise / U, right: run / R }); return; }
    if (rise) atoms.push({ at: up_score[i] / rise, up: rise / U, right: 0 });
    if (run) atoms.push({ at: right_score[i] / run, up: 0, right: run / R });
  });
  return atoms.sort((a, b) => b.at - a.at);
};

// The curve of smeared scores. A score begins to count at half a width above it and counts in full
// from half a width below it: two sorted lists of corners, merged; in between the curve is straight.
rocwalk.smeared = function (walk, atoms, width) {
  if (width === 0) return walk;
  if (width === Infinity) return { fpr: [0, 1], tpr: [0, 1] };
  const corners = 2 * atoms.length, fpr = new Float64Array(corners), tpr = new Float64Array(corners);
  let begun = 0, done = 0, up = 0, right = 0, last = atoms[0].at + width / 2;
  for (let k = 1, x = 0, y = 0; k <= corners; k++) {
    const next = begun < atoms.length ? atoms[begun].at + width / 2 : -Infinity, end = atoms[done].at - width / 2;
    const at = Math.max(next, end), step = (last - at) / width;
    x += Math.max(right, 0) * step;
    y += Math.max(up, 0) * step;
    fpr[k - 1] = Math.min(x, 1);
    tpr[k - 1] = Math.min(y, 1);
    const sign = next >= end ? 1 : -1, atom = next >= end ? atoms[begun++] : atoms[done++];
    up += sign * atom.up;
    right += sign * atom.right;
    last = at;
  }
  fpr[corners - 1] = tpr[corners - 1] = 1;
  return { fpr, tpr };
};
