"""Calibration from shared tallies: groups of buckets with the share of positives in each."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import OneClassError, OptionError, ScoreError


def calibrated(seed=0, n=4000, shift=0.0):
    """Return labels and scores that mean what they say, but for a shift of the log-odds."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(-1, 1.5, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-logit))).astype(int)
    return y, 1 / (1 + np.exp(-(logit + shift)))


def shared(shift=0.0, epsilon=None, seed=0, buckets=64):
    rng = np.random.default_rng(seed)
    return sum(
        rw.share(rw.tally(*calibrated(10 * seed + k, shift=shift)), buckets=buckets,
                 epsilon=epsilon, rng=rng)
        for k in range(3)
    )  # fmt: skip


def test_groups_hold_the_shares_of_their_rows():
    y, s = calibrated()
    found = rw.shared_calibration(rw.share(rw.tally(y, s), buckets=32, minimum=1), groups=8)
    assert 6 <= len(found.share) <= 8
    assert found.items.sum() == len(y)
    for low, high, share in zip(found.lowest, found.highest, found.share, strict=True):
        inside = (s >= low) & (s <= high)
        assert share == pytest.approx(y[inside].mean())
    assert (found.low <= found.share).all()
    assert (found.share <= found.high).all()


@pytest.mark.parametrize("epsilon", [None, 1.0])
def test_a_calibrated_model_is_not_accused_and_another_one_is(epsilon):
    good, bad = (rw.shared_calibration(shared(shift, epsilon)) for shift in (0.0, 1.5))
    assert (good.too_high, good.too_low) == (0, 0)
    assert good.sentence.endswith("no group is shown to be miscalibrated.")
    assert good.expected_observed.low < 1 < good.expected_observed.high
    assert bad.too_high > 3
    assert bad.too_low == 0
    assert (
        f"{bad.too_high} of {len(bad.share)} groups have scores that are all too high"
        in bad.sentence
    )
    assert rw.shared_calibration(shared(-1.5, epsilon)).too_low > 3


def test_noise_widens_the_intervals():
    plain, noised = (rw.shared_calibration(shared(0.0, each), groups=5) for each in (None, 0.5))
    assert (noised.high - noised.low).mean() > (plain.high - plain.low).mean()
    assert noised.brier.privacy_error > 0 == plain.brier.privacy_error


def test_the_interval_of_a_share_covers_with_noise():
    """The share of positives in the lower half, 95 % intervals: 400 runs, at three errors."""
    runs, held = 400, 0
    grid = np.array([0.0, 0.25, 1.0])
    sample = calibrated(99, 2_000_000)
    truth = sample[0][sample[1] < 0.25].mean()
    rng = np.random.default_rng(3)
    for seed in range(runs):
        tally = rw.tally(*calibrated(seed, 400))
        found = rw.shared_calibration(
            rw.share(tally, buckets=grid, epsilon=0.2, rng=rng), groups=50
        )
        if len(found.share) == 2:
            held += found.low[0] <= truth <= found.high[0]
        else:
            runs -= 1
    assert runs > 350
    assert abs(held / runs - 0.95) < 3 * np.sqrt(0.95 * 0.05 / runs)


def test_the_picture_shows_groups_over_their_scores():
    found = rw.shared_calibration(shared())
    ax = found.plot()
    assert ax.get_xlabel() == "Score"
    assert len(ax.containers) == 1


def test_what_is_refused():
    with pytest.raises(
        OptionError, match=r"is not a SharedTally.\nHint: .*rw.calibration is for rows"
    ):
        rw.shared_calibration(rw.tally(*calibrated()))
    with pytest.raises(OptionError, match="groups=0 is smaller than 1"):
        rw.shared_calibration(shared(), groups=0)
    with pytest.raises(OptionError, match="confidence_level"):
        rw.shared_calibration(shared(), confidence_level=95)
    with pytest.raises(OneClassError, match="no negative items"):
        rw.shared_calibration(rw.share(rw.tally([1] * 20, np.linspace(0, 1, 20))))
    y, s = calibrated()
    wide = rw.share(rw.tally(y, 100 * s), buckets=np.linspace(0, 100, 33))
    with pytest.raises(ScoreError, match=r"outside \[0, 1\]"):
        rw.shared_calibration(wide)
    with pytest.raises(ValueError, match="a shared tally has buckets only"):
        rw.calibration(shared().tally())
