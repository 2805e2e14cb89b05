"""The mean of a number over folds, and how its interval knows of repeats."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.errors import (
    OptionError,
    SmallSampleWarning,
)
from rocwalk.inference.fold_means import mean_interval
from samples import NO_ADVICE

pytestmark = NO_ADVICE


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("folds", [2, 5, 30])
@pytest.mark.parametrize("repeats", [1, 4])
def test_it_is_that_of_nadeau_and_bengio(folds, level, repeats):
    """Their Eq. 10, (1/J + n₂/n₁)·s², with the test set 1/(k − 1) of the training set."""
    areas = np.random.default_rng(folds).uniform(0.49, 0.51, folds * repeats)
    variance = (1 / len(areas) + 1 / (folds - 1)) * areas.var(ddof=1)
    reach = stats.t.ppf(0.5 + level / 2, folds - 1) * math.sqrt(variance)
    expected = (max(areas.mean() - reach, 0), min(areas.mean() + reach, 1))
    assert mean_interval(areas, level, repeats) == pytest.approx(expected, rel=1e-12)


def test_repeats_of_the_same_folds_do_not_narrow_it():
    """With r repeats the width falls from √(1/k + 1/(k − 1)) to √(1/(k − 1)) at most."""
    areas = np.array([0.6, 0.7, 0.75, 0.8, 0.9])
    low, high = mean_interval(areas, 0.95, 1)
    for repeats in (2, 20):
        many = mean_interval(np.tile(areas, repeats), 0.95, repeats)
        spread = np.tile(areas, repeats).std(ddof=1) / areas.std(ddof=1)
        least = math.sqrt((1 / 4) / (1 / 5 + 1 / 4)) * spread
        assert many[1] - many[0] >= least * (high - low)


def test_repeats_are_read_off_pairs_of_keys():
    rng = np.random.default_rng(2)
    curves = [rw.roc(np.tile([0, 1], 15), rng.random(30)) for _ in range(10)]
    keyed = {(k // 5, k % 5): curve for k, curve in enumerate(curves)}
    assert rw.average(keyed).repeats == 2
    assert rw.average(curves).repeats is None
    assert rw.average(dict(enumerate(curves))).repeats is None
    said = rw.average(curves, repeats=2)
    assert said == rw.average(keyed) or said.to_json() == rw.average(keyed).to_json()
    assert rw.fold_band(said).to_json() == rw.fold_band(rw.average(keyed)).to_json()
    wide, narrow = (rw.fold_band(one) for one in (said, rw.average(curves)))
    assert wide.upper.area - wide.lower.area > narrow.upper.area - narrow.lower.area


@pytest.mark.parametrize("repeats", [0, 3, -1, 2.5, math.inf])
def test_repeats_that_do_not_divide_the_folds_are_refused(repeats):
    curves = [rw.roc([0, 1, 0, 1], [0.1, 0.9, 0.3, 0.2])] * 10
    with pytest.raises(OptionError, match=f"repeats={repeats} does not divide 10 curves"):
        rw.average(curves, repeats=repeats)
    with pytest.raises(OptionError, match="10 repeats of one fold have no spread"):
        rw.fold_band(rw.average(curves, repeats=10))


def test_many_folds_of_unknown_repeats_are_said():
    curves = [rw.roc([0, 1, 0, 1], [0.1, 0.9, 0.3, 0.2])] * 100
    with pytest.warns(SmallSampleWarning, match="100 folds are taken as one repeat") as given:
        rw.fold_band(rw.average(curves))
    assert given[0].message.fields.counts == (100,)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.fold_band(rw.average(curves, repeats=1))
        rw.fold_band(rw.average(curves, repeats=20))


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
