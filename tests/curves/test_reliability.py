"""Slope and intercept of logistic recalibration, and the consistency band."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import rocwalk as rw
from rocwalk.curves.calibration import calibration_of
from rocwalk.curves.reliability import consistency_band, recalibration_of
from rocwalk.inference.items import Evidence, Items

RNG = np.random.default_rng(0)
Z = RNG.normal(-1, 1.5, 1500)
Y = (RNG.random(1500) < 1 / (1 + np.exp(-Z))).astype(int)


def prob(slope=1.0, shift=0.0):
    return 1 / (1 + np.exp(-slope * Z - shift))


def evidence(p, y=Y, **options):
    return Evidence(rw.tally(y, p, **options))


@pytest.mark.parametrize("slope", [1.0, 2.0, 0.6])
def test_the_slope_is_that_of_a_logistic_regression(slope):
    found = recalibration_of(evidence(prob(slope)))
    logit = np.log(prob(slope) / (1 - prob(slope)))
    model = LogisticRegression(C=1e12, tol=1e-10).fit(logit[:, None], Y)
    assert found.slope[0] == pytest.approx(model.coef_[0, 0], rel=1e-5)
    low, high = found.slope[1:]
    assert low < 1 / slope < high
    assert (high < 1) == (slope == 2.0)
    words = {1.0: "as spread", 2.0: "too extreme", 0.6: "too timid"}[slope]
    assert words in found.sentence


def test_the_intercept_gives_as_many_positives_as_are_observed():
    found = recalibration_of(evidence(prob(shift=0.8)))
    value, low, high = found.intercept
    assert low < -0.8 < high
    assert prob(shift=0.8 + value).sum() == pytest.approx(Y.sum())


def test_weights_and_doubled_rows_and_clusters():
    plain = recalibration_of(evidence(prob()))
    twice = recalibration_of(evidence(np.tile(prob(), 2), np.tile(Y, 2)))
    weighted = recalibration_of(evidence(prob(), sample_weight=np.full(1500, 2.0)))
    assert weighted.slope == pytest.approx(plain.slope)
    assert twice.slope[0] == pytest.approx(plain.slope[0])
    assert twice.slope[2] - twice.slope[1] < plain.slope[2] - plain.slope[1]
    tally = rw.tally(np.tile(Y, 2), np.tile(prob(), 2))
    items = Items.from_truth(np.tile(Y, 2), None, np.tile(prob(), 2), np.tile(np.arange(1500), 2))
    units = recalibration_of(Evidence(tally, items))
    assert units.slope == pytest.approx(plain.slope, abs=2e-3)


def test_scores_without_a_slope():
    sure = recalibration_of(evidence([0, 0, 1, 0.3, 0.4, 0.6], [0, 0, 1, 1, 0, 1]))
    assert sure.left_out == 3
    apart = recalibration_of(evidence([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1]))
    assert math.isnan(apart.slope[0])
    assert "does not exist" in apart.sentence
    same = recalibration_of(evidence([0.5] * 4, [0, 1, 0, 1]))
    assert math.isnan(same.slope[0])
    assert same.intercept[0] == pytest.approx(0)


def test_the_band_holds_what_is_calibrated_and_not_what_is_not():
    def outside(p):
        band = consistency_band(evidence(p), n_resamples=100)
        values = calibration_of(rw.tally(Y, p)).blocks.calibrated(band.scores)
        return np.mean((values < band.low - 1e-9) | (values > band.high + 1e-9))

    assert outside(prob()) < 0.15
    assert outside(prob(2.5)) > 0.4
    band = consistency_band(evidence(prob()), n_resamples=50)
    assert (band.low <= band.high).all()
    assert (np.diff(band.low) >= 0).all()
    soft = Evidence(rw.tally([0.2, 0.7, 0.4], [0.1, 0.6, 0.5]))
    assert consistency_band(soft) is None
