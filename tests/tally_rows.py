"""What the tests of tallies share."""

from __future__ import annotations

import numpy as np

COLUMNS = (
    "scores", "up", "right", "count", "up_squared", "up_right", "right_squared",
    "highest", "up_score", "right_score",
)  # fmt: skip


def assert_same(one, other, tolerance=0.0):
    assert (one.steps, one.threshold) == (other.steps, other.threshold)
    for name in COLUMNS:
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), tolerance, tolerance)
