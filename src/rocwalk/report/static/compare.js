// Differences between models on the same rows: one line a pair, with its interval, against zero.
"use strict";
rocwalk.sections.compare = function (host, data) {
  const pick = rocwalk.parts(host);
  data.measures.forEach((one, k) => rocwalk.forest(pick(`forest-${k}`), one));
};
