// Numbers of a walk, one function each: the sections and the playground share them.
"use strict";

// The place in a walk of the rule "score ≥ t".
rocwalk.placeOf = (walk, t) => rocwalk.lastWhere(walk.thresholds, (score) => score >= t);

// The mass² under the walk up to a point: each step right adds its width times the mean height.
rocwalk.areaSoFar = function (up, right, i) {
  let area = 0;
  for (let k = 1; k <= i; k++) area += (right[k] - right[k - 1]) * (up[k] + up[k - 1]) / 2;
  return area;
};

// The area under a curve; of a walk from its masses, which are exact where they are counts.
rocwalk.areaOf = ({ fpr, tpr }) => rocwalk.areaSoFar(tpr, fpr, tpr.length - 1);
rocwalk.auc = ({ up, right, U, R }) => rocwalk.areaSoFar(up, right, up.length - 1) / (U * R);

// The vertices of the upper hull, as places in the walk.
rocwalk.hullOf = function ({ up, right }) {
  const kept = [];
  for (let i = 0; i < up.length; i++) {
    while (kept.length > 1) {
      const [a, b] = kept.slice(-2), turn = (right[b] - right[a]) * (up[i] - up[a]) - (up[b] - up[a]) * (right[i] - right[a]);
      if (turn < 0) break;
      kept.pop();
    }
    kept.push(i);
  }
  return kept;
};

// The share of positives on each stretch of the hull: the calibrated scores.
rocwalk.blocks = ({ hull, up, right, scores }) => hull.slice(1).map((end, j) => {
  const rise = up[end] - up[hull[j]], run = right[end] - right[hull[j]];
  return { low: scores[hull[j]], high: scores[end - 1], value: rise / (rise + run) };
});

// The sum of a function of the scores over the items of a walk, weighted by a mass.
rocwalk.total = (scores, mass, of) => scores.reduce((sum, score, i) => sum + of(score) * (mass[i + 1] - mass[i]), 0);

// The mean scores of positives and of negatives.
rocwalk.meanScores = ({ scores, up, right, U, R }) => [rocwalk.total(scores, up, (s) => s) / U, rocwalk.total(scores, right, (s) => s) / R];

rocwalk.probabilisticAuc = function (walk) {
  const [positive, negative] = rocwalk.meanScores(walk);
  return (1 + positive - negative) / 2;
};

rocwalk.brier = ({ scores, up, right, U, R }) => (rocwalk.total(scores, up, (s) => (1 - s) ** 2) + rocwalk.total(scores, right, (s) => s ** 2)) / (U + R);

rocwalk.expectedObserved = function (walk) {
  const [positive, negative] = rocwalk.meanScores(walk);
  return positive + negative * walk.R / walk.U;
};

rocwalk.midpoint = (walk) => rocwalk.expectedObserved(walk) / 2;

// The items above and below a midpoint: those on their own side, and the others.
rocwalk.split = function (walk, midpoint) {
  const at = rocwalk.placeOf(walk, midpoint), { up, right, U, R } = walk, sensible = up[at] + R - right[at];
  return { up: up[at], right: right[at], sensible, other: U + R - sensible };
};
