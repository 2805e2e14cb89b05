"""The bands of `rw.calibration`, of both kinds and both methods."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from curves.calibrated import SOFT, WEIGHTS, P, Y


@pytest.mark.parametrize("method", ["isotonic", "smooth"])
def test_bands_hold_what_is_calibrated_and_not_what_is_not(method):
    rng = np.random.default_rng(0)
    p = 1 / (1 + np.exp(-rng.normal(-1, 1.5, 1500)))
    y = rng.random(1500) < p

    def outside(scores):
        found = rw.calibration(y, scores, method=method, rng=0, n_resamples=100)
        band = found.consistency_band
        values = found.calibrate(band.scores)
        return np.mean((values < band.low - 1e-9) | (values > band.high + 1e-9))

    assert outside(p) < 0.2
    assert outside(p**2.5) > 0.4


@pytest.mark.parametrize("method", ["isotonic", "smooth"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sample_weight": WEIGHTS},
        {"cluster": np.arange(len(Y)) // 4},
        {"sample_weight": WEIGHTS, "cluster": np.arange(len(Y)) // 4},
    ],
    ids=["counts", "weights", "clusters", "both"],
)
def test_bands_of_every_kind_of_evidence(method, options):
    for truth in (Y, SOFT):
        found = rw.calibration(truth, P, method=method, rng=0, n_resamples=50, **options)
        for band in (found.consistency_band, found.confidence_band):
            assert (band.low <= band.high).all()
            assert band.low.min() >= 0
            assert band.high.max() <= 1
            assert len(band.scores) == len(band.low)


def test_the_smooth_consistency_band_by_outcomes_drawn_here():
    """Rare positives are skewed: the band is that of draws, not score ± 1.96 errors."""
    rng = np.random.default_rng(4)
    p = 0.3 * rng.random(150) ** 3 + 0.002
    y = rng.random(150) < p
    y[:2] = True, False
    found = rw.calibration(y, p, method="smooth", rng=0, n_resamples=2000)
    band, cells = found.consistency_band, found.cells
    drawn = rng.random((2000, len(cells.scores))) < cells.scores  # no scores are tied
    smooth = np.clip(cells.scores + (drawn - cells.scores) @ cells.smoother.T, 0, 1)
    low, high = np.quantile(smooth, [0.025, 0.975], axis=0)
    assert band.low == pytest.approx(low, abs=0.03)
    assert np.mean(np.abs(band.high - high)) < 0.02
    reach = 1.96 * np.sqrt(cells.smooth_variance(cells.scores))
    assert np.abs(band.high - np.clip(cells.scores + reach, 0, 1)).max() > 0.02


def test_clusters_of_copies_count_once():
    """Each item four times: by cluster the smooth band is that of the items."""
    times = np.repeat(np.arange(len(Y)), 4)
    one = rw.calibration(Y, P, method="smooth")
    four = rw.calibration(Y[times], P[times], method="smooth", cluster=times)
    width = four.confidence_band.high - four.confidence_band.low
    # clusters have the variance of the observed residuals, items that of the curve
    assert np.median(width / (one.confidence_band.high - one.confidence_band.low)) == pytest.approx(
        1, abs=0.1
    )


def test_the_same_seed_gives_the_same_bands():
    one, other = (rw.calibration(Y, P, rng=3, n_resamples=50) for _ in range(2))
    assert (one.confidence_band.low == other.confidence_band.low).all()
    assert one.interval("ici") == other.interval("ici")


def test_a_band_of_clusters_is_no_narrower_than_that_of_items():
    rng = np.random.default_rng(4)
    y, s = rng.integers(0, 2, 150), rng.random(150)
    cluster = np.repeat(np.arange(75), 2)
    options = {"method": "smooth", "rng": 0, "n_resamples": 20}
    plain = rw.calibration(y, s, **options)
    cells, moved = plain.cells, rw.calibration(y, s, cluster=cluster, **options).cells
    own, units = cells.smooth_variance(cells.smooth), moved.smooth_variance(moved.smooth)
    assert np.all(units >= own * (1 - 1e-12))
    assert np.any(units > 1.01 * own)
