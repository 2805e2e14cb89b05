// The accuracy of the rule in force: as the page was made at first, then computed here.
"use strict";
rocwalk.sections.accuracy = function (host, data) {
  const { rule } = rocwalk, pick = rocwalk.parts(host), boxes = [...host.querySelectorAll('[data-role="model"]')];
  const rows = [...host.querySelectorAll("[data-number]")], note = pick("intervals");
  const live = [...host.querySelectorAll("[data-live], .flow li:last-child"), ...rows.flatMap((row) => [...row.cells].slice(1)), ...(note ? [note] : [])];
  const made = live.map((node) => [...node.childNodes]), spots = boxes.map((box) => (what) => box.querySelector(`[data-live="${what}"]`));
  const cells = rows.map((row) => rocwalk.models.map((_, k) => rocwalk.endsOf(row.cells[k + 1])));
  rule.follow(() => {
    pick("flattered").hidden = rule.state.kind === "threshold";
    if (rule.isFirst()) { live.forEach((node, j) => node.replaceChildren(...made[j])); return; }
    rocwalk.models.forEach((walk, k) => {
      const { up, right, U, R, decimals } = walk, { i, words } = rule.at(walk);
      const masses = { tp: up[i], fp: right[i], fn: U - up[i], tn: R - right[i] }, write = (what, text) => rocwalk.write(spots[k](what), text);
      write("rule", words === "∞" ? "nothing is called positive" : `score ≥ ${words}`.replaceAll(" ", "\u00a0"));
      for (const [name, mass] of Object.entries(masses)) write(name, rocwalk.count(mass, decimals));
      rocwalk.write(boxes[k].querySelector(".flow li:last-child"), `${rocwalk.count(masses.tp + masses.fp, decimals)} called positive, ${rocwalk.count(masses.fn + masses.tn, decimals)} negative`);
      const found = rocwalk.accuracyOf(masses, data);
      rows.forEach((row, j) => {
        const ends = found[row.dataset.number];
        if (ends) cells[j][k](ends, row.dataset.number.endsWith("likelihood_ratio"));
      });
    });
    if (note && !data.counts) note.textContent = "With clusters, weights, noise or a soft truth the intervals need the rows, which this page does not carry: they are shown for the rule that the page was made with.";
  });
};

// Each share as [value, low, high] with Wilson's interval, and the likelihood ratios from them.
rocwalk.accuracyOf = function (cells, { z, shares, counts }) {
  const sum = (names) => names.reduce((total, name) => total + cells[name], 0), found = {};
  for (const [name, [hits, misses]] of Object.entries(shares)) {
    const n = sum(hits) + sum(misses), share = n > 0 ? sum(hits) / n : NaN;
    found[name] = [share, ...(counts && n > 0 ? rocwalk.wilson(share, n, z) : [NaN, NaN])];
  }
  const rest = ([value, low, high]) => [1 - value, 1 - high, 1 - low], { sensitivity, specificity } = found;
  found.positive_likelihood_ratio = rocwalk.ratioOf(sensitivity, rest(specificity));
  found.negative_likelihood_ratio = rocwalk.ratioOf(rest(sensitivity), specificity);
  return found;
};

rocwalk.wilson = function (share, n, z) {
  const middle = share + z ** 2 / (2 * n), arm = z * Math.sqrt(share * (1 - share) / n + z ** 2 / (4 * n ** 2)), below = 1 + z ** 2 / n;
  return [share === 0 ? 0 : (middle - arm) / below, share === 1 ? 1 : (middle + arm) / below];
};

// The ratio of two independent shares with limits from theirs (Donner & Zou 2012).
rocwalk.ratioOf = function ([p, low, high], [q, qLow, qHigh]) {
  const limit = (end, other, side) => {
    const below = other * (2 * q - other);
    if (below === 0) return side > 0 ? Infinity : NaN;
    return (p * q + side * Math.sqrt(Math.max((p * q) ** 2 - end * other * (2 * p - end) * (2 * q - other), 0))) / below;
  };
  return [q > 0 ? p / q : p > 0 ? Infinity : NaN, limit(low, qHigh, -1), limit(high, qLow, 1)];
};

// A cell that shows a number with its ends: what writes them, always into the same nodes.
rocwalk.endsOf = function (cell) {
  const number = document.createTextNode(""), space = document.createTextNode(" "), ends = rocwalk.node("span", " ", { class: "quiet" });
  return ([value, low, high], ratio) => {
    const digits = (one, fine) => ratio ? one >= 10 ? 1 : one >= 1 ? 2 : 3 : fine, write = (one, fine) => rocwalk.fixed(one, digits(one, fine));
    const parts = [value, low, high].some(Number.isNaN) ? [number] : [number, space, ends];
    if (number.parentNode !== cell || cell.childNodes.length !== parts.length) cell.replaceChildren(...parts);
    const words = write(value, 4), said = `(${write(low, 3)} to ${write(high, 3)})`;
    if (number.data !== words) number.data = words;
    if (ends.firstChild.data !== said) ends.firstChild.data = said;
  };
};
