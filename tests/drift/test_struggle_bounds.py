"""Bounds of the struggle ratio of buckets: every order inside them lies within."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.drift.struggle_bounds import REACH, WEIGHT, _wrong_mass
from rocwalk.statistic import find
from samples import NO_ADVICE, hard_samples

pytestmark = NO_ADVICE


def test_the_places_of_the_midpoint_are_weighed_as_a_normal_distribution():
    assert WEIGHT.sum() == pytest.approx(1)
    assert (WEIGHT * REACH).sum() == pytest.approx(0, abs=1e-12)
    assert (WEIGHT * REACH**2).sum() == pytest.approx(1, abs=0.002)  # cut off at ± 4


@given(hard_samples(), st.floats(0, 1), st.floats(0, 0.3))
def test_the_wrong_mass_of_an_exact_tally_is_counted(sample, low, width):
    y, s = sample
    high = low + width
    least, most = _wrong_mass(rw.tally(y, s), np.array([low]), np.array([high]))
    for place in (low, high, (low + high) / 2):
        counted = np.sum((s >= place) & (y == 0)) + np.sum((s < place) & (y == 1))
        assert least[0] <= counted <= most[0]
    if not np.any((s >= low) & (s < high)):  # no score between: one number
        assert least[0] == most[0]


@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")
@given(hard_samples(), st.lists(st.floats(0.05, 0.95), min_size=1, max_size=5, unique=True))
def test_the_ratio_of_buckets_holds_the_exact_one(sample, edges):
    y, s = sample
    if not s.sum() > 0:
        return
    exact = rw.sensibility(y, s).struggle_ratio
    tally = rw.tally(y, s).bucketed(np.array([-0.5, *sorted(edges), 1.5]))
    low, _, high = find("struggle_ratio").bounds(tally)
    assert low - 1e-9 <= exact
    assert exact <= high + 1e-9 or math.isinf(exact)
