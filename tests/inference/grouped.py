"""A sample in three subgroups, of which one may rank worse."""

from __future__ import annotations

import numpy as np


def sample(rows=360, seed=0, gap=0.0, soft=False):
    rng = np.random.default_rng(seed)
    by = np.array(["a", "b", "c"])[np.arange(rows) % 3]
    y = rng.integers(0, 2, rows)
    s = rng.normal(y * (1.2 - gap * (by == "c")), 1)
    return (0.1 + 0.8 * y if soft else y), s, by
