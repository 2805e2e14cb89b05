"""What the tests of `rocwalk tally` and `rocwalk merge` share: the data of three sites."""

from __future__ import annotations

import numpy as np


def column(seed, n=600):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    scores = (1 / (1 + np.exp(-rng.normal(effect * y - 1, 1))) for effect in (1.5, 0.7))
    return y, *scores
