"""Slope, intercept and expected over observed: against statsmodels; scores without a logit."""

from __future__ import annotations

import math

import pytest

import rocwalk as rw
from curves.calibrated import FOUND, P, Y
from rocwalk.curves.recalibration import logistic_fit
from rocwalk.errors import (
    UndefinedMetricWarning,
)

# versions and calls of peers: tests/peers/make_calibration.py


def test_slope_and_intercept_are_those_of_statsmodels():
    assert FOUND.slope == pytest.approx(0.6653271620059726, rel=1e-9)
    assert FOUND.intercept == pytest.approx(0.0032702598347685843, abs=1e-10)
    # robust errors HC0; ours have n/(n − 1) in each class
    for name, error in (("slope", 0.07090784619511181), ("intercept", 0.13067924679065046)):
        assert FOUND.interval(name).standard_error == pytest.approx(error, rel=5e-3)


def test_expected_over_observed_is_a_quotient_of_sums():
    assert FOUND.expected_observed == pytest.approx(P.sum() / Y.sum())
    one = FOUND.interval("expected_observed")
    assert one.method == "influence-log"
    assert one.low < P.sum() / Y.sum() < one.high
    # twice the midpoint of sensibility analysis
    assert FOUND.expected_observed == pytest.approx(2 * rw.sensibility(Y, P).midpoint)


def test_scores_of_zero_and_one_have_no_logit():
    y, p = [0, 0, 1, 1, 0, 1], [0, 0, 1, 0.3, 0.4, 0.6]
    found = rw.calibration(y, p, method="smooth", rng=0, n_resamples=50)
    assert found.left_out == 3
    with pytest.warns(UndefinedMetricWarning, match="leaves out 3 items with a score of exactly"):
        assert math.isfinite(found.intercept)
    assert found.calibrate([0, 1]).tolist() == [0, 1]  # by their own mean
    assert "left_out" in found.to_dict()


def test_scores_without_a_slope():
    apart = rw.calibration([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])
    with pytest.warns(UndefinedMetricWarning, match="calibration slope does not exist"):
        assert math.isnan(apart.slope)
    same = rw.calibration([0, 1, 0, 1], [0.5] * 4)
    assert math.isnan(logistic_fit(same.tally).slope.estimate)
    assert same.intercept == pytest.approx(0)
    assert same.ici == 0
    assert repr(same).startswith("Calibration(method='isotonic', intercept=0, slope=nan")
