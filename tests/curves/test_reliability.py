"""`rw.calibration`: intervals, edges and pictures."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from curves.calibrated import FOUND, SOFT, WEIGHTS, P, Y
from rocwalk.errors import (
    OneClassError,
    OptionError,
    ScoreError,
    TallyError,
    UndefinedMetricWarning,
)

# -- intervals -------------------------------------------------------------------------------------


def test_every_number_has_an_interval():
    found = FOUND.intervals
    for name, one in found.items():
        assert one.low <= one.estimate <= one.high, name
    assert found["slope"].high < 1  # too extreme
    assert found["ici"].low > 0
    assert found["brier"].estimate == FOUND.brier == FOUND.brier.loss
    with pytest.raises(OptionError, match="name='slop' is not known"):
        FOUND.interval("slop")


def test_the_log_loss_has_an_interval_of_its_miscalibration():
    one = FOUND.interval("log_loss_miscalibration")
    assert one.estimate == FOUND.log_loss.miscalibration
    assert 0 <= one.low < one.estimate < one.high
    assert FOUND.interval("brier_miscalibration").high < one.high  # squares are less than logs
    sure = np.where(np.quantile(P, 0.99) < P, 1.0, P)
    y = np.where(sure == 1, 1, Y)
    with pytest.warns(UndefinedMetricWarning, match="leaves out"):
        none = rw.calibration(y, sure, rng=0, n_resamples=50).intervals["log_loss_miscalibration"]
    assert math.isnan(none.low)  # a draw may make a sure score wrong
    assert math.isfinite(none.estimate)


def test_weights_and_soft_truth_have_intervals():
    for options in ({"sample_weight": WEIGHTS}, {"truth": "soft"}):
        truth = SOFT if "truth" in options else Y
        found = rw.calibration(truth, P, rng=0, n_resamples=100, **options)
        assert all(one.low <= one.high for one in found.intervals.values())
    twice = rw.calibration(Y, P, sample_weight=np.full(len(Y), 2.0))
    assert twice.interval("slope").low == pytest.approx(FOUND.interval("slope").low)


# -- edges -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "loess"}, "method='loess' is not"),
        ({"span": 0}, "span=0 is outside"),
        ({"span": 1.5}, "span=1.5 is outside"),
        ({"bins": 0}, "bins=0"),
        ({"strategy": "equal"}, "strategy='equal' is not"),
        ({"confidence_level": 1}, "confidence_level=1 is outside"),
        ({"n_resamples": 0}, "n_resamples=0"),
    ],
)
def test_options_that_do_not_exist(options, words):
    with pytest.raises(OptionError, match=words):
        rw.calibration(Y, P, **options)


def test_what_is_refused():
    with pytest.raises(ScoreError, match="outside"):
        rw.calibration(Y, 3 * P)
    with pytest.raises(TallyError, match="this tally is bucketed"):
        rw.calibration(rw.tally(Y, P).bucketed(np.array([0.5])))
    with pytest.raises(OneClassError):
        rw.calibration([1, 1], [0.2, 0.4])
    with pytest.raises(OptionError, match="band='wide' is not"):
        FOUND.plot(band="wide")


def test_a_tally_in_place_of_the_arrays():
    found = rw.calibration(rw.tally(Y, P), rng=0, n_resamples=200)
    assert found.to_dict() == FOUND.to_dict()
    assert found.interval("ici") == FOUND.interval("ici")


@pytest.mark.parametrize("method", ["isotonic", "smooth"])
def test_the_picture(method):
    ax = rw.calibration(Y, P, method=method, rng=0, n_resamples=50).plot(
        band="confidence", name="m"
    )
    assert {line.get_gid() for line in ax.lines} >= {"chance", "curve"}
    assert any(each.get_gid() == "confidence" for each in ax.collections)


@pytest.mark.parametrize("positives", [60, 54, 20])
def test_an_uncertainty_takes_its_values_over_the_interval_of_the_prevalence(positives):
    """Also at a prevalence of ½, where the slope of p(1 − p) is 0: the interval is no point."""
    rng = np.random.default_rng(6)
    labels, scores = (
        rng.permutation(np.repeat([1, 0], [positives, 120 - positives])),
        rng.random(120),
    )
    found = rw.calibration(labels, scores, rng=0, n_resamples=20)
    p = positives / 120
    reach = 1.98 * math.sqrt(p * (1 - p) / 119)  # Student's quantile for 120 items
    over = np.linspace(p - reach, p + reach, 100_001)
    both = over * (1 - over), -over * np.log(over) - (1 - over) * np.log1p(-over)
    for loss, values in zip(("brier", "log_loss"), both, strict=True):
        one = found.interval(f"{loss}_uncertainty")
        assert one.estimate == pytest.approx(getattr(found, loss).uncertainty)
        assert (one.low, one.high) == pytest.approx((values.min(), values.max()), rel=0.04)
        assert one.low < one.high
