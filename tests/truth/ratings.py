"""Ratings that the tests of agreement look at."""

from __future__ import annotations

import numpy as np

NAN = float("nan")
# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C: four observers, twelve
# units; also Gwet, Handbook of Inter-Rater Reliability.
PUBLISHED = [
    [1, 1, NAN, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NAN, 5, 5, 5], [NAN, NAN, 1, 1], [NAN, NAN, 3, NAN],
]  # fmt: skip
FULL = [row for row in PUBLISHED if not np.isnan(row).any()]


def ratings(seed=0, n=40, raters=3, skill=0.7, gaps=0.0):
    rng = np.random.default_rng(seed)
    base = rng.integers(1, 5, n)
    table = np.column_stack(
        [np.where(rng.random(n) < skill, base, rng.integers(1, 5, n)) for _ in range(raters)]
    ).astype(float)
    table[rng.random(table.shape) < gaps] = np.nan
    table[np.isnan(table).all(axis=1), 0] = 1
    return table


def table_for(measure, n=60, gaps=0.0):
    return ratings(
        5, n=n, raters=2 if measure in ("cohen", "linear", "quadratic") else 4, gaps=gaps
    )
