"""The interval of a mean over folds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.curves.bands import mean_interval
from rocwalk.errors import OptionError


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("folds", [2, 5, 30])
def test_it_is_student_s(folds, level):
    areas = np.random.default_rng(folds).uniform(0.49, 0.51, folds)
    known = stats.ttest_1samp(areas, 0.5).confidence_interval(level)
    expected = (max(known.low, 0), min(known.high, 1))
    assert mean_interval(areas, level) == pytest.approx(expected, rel=1e-12)


def test_it_is_the_one_of_the_fold_band():
    rng = np.random.default_rng(1)
    folds = [rw.roc(rng.integers(0, 2, 40), rng.random(40)) for _ in range(6)]
    at = 0.3
    tprs = np.array([np.interp(at, fold.fpr, fold.tpr) for fold in folds])
    band = rw.fold_band(rw.average(folds, grid=np.array([at])))
    low, high = mean_interval(tprs, 0.95)
    assert band.lower.tpr[band.lower.fpr == at].max() == pytest.approx(low)
    assert band.upper.tpr[band.upper.fpr == at].max() == pytest.approx(high)


def test_ends_stay_within_one():
    assert mean_interval(np.array([0.7, 1.0]), 0.95) == (0.0, 1.0)
    assert mean_interval(np.array([1.0, 1.0, 1.0]), 0.95) == (1.0, 1.0)


@pytest.mark.parametrize("values", [[], [0.8], [0.8, math.nan]])
def test_without_spread_there_is_none(values):
    assert all(math.isnan(end) for end in mean_interval(np.array(values), 0.95))


def test_a_bad_level_is_refused():
    with pytest.raises(OptionError, match="confidence_level"):
        mean_interval(np.array([0.7, 0.8]), 95)
