"""Cells of scores: the smooth curve by least squares, and the limits of a share."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from curves.calibrated import SOFT, WEIGHTS, P, Y, local_line, sample
from rocwalk.curves.cells import _reach, _runs, binomials, cells_of, exact_band
from rocwalk.inference.items import Evidence


@pytest.mark.parametrize("span", [0.3, 0.7])
@pytest.mark.parametrize("truth", [Y.astype(float), SOFT], ids=["hard", "soft"])
def test_the_smooth_curve_is_a_local_linear_regression(span, truth):
    found = rw.calibration(
        truth, P, sample_weight=WEIGHTS, method="smooth", span=span, truth="soft"
    )
    for at in found.cells.scores[[0, 50, 200, -1]]:
        slow = local_line(P, truth, WEIGHTS, at, span)
        assert found.calibrate([at])[0] == pytest.approx(slow, abs=1e-9)


@pytest.mark.parametrize("kind", ["uniform", "ends", "near 0", "near 1", "logistic", "only ends"])
def test_runs_begin_where_mass_score_or_logit_enters_a_new_part(kind, rng):
    p = {
        "uniform": rng.random(5000),
        "ends": np.clip(rng.normal(0.5, 0.4, 5000), 0, 1),
        "near 0": 10.0 ** (-300 * rng.random(5000)),
        "near 1": 1 - 1e-12 * rng.random(5000),
        "logistic": 1 / (1 + np.exp(-8 * rng.normal(size=5000))),
        "only ends": np.array([0.0, 1.0]),
    }[kind]
    scores = np.unique(p)
    for mass in (rng.integers(1, 5, len(scores)), rng.random(len(scores)) + 0.1):
        inside = (scores > 0) & (scores < 1)
        with np.errstate(divide="ignore"):
            logit = np.log(scores) - np.log1p(-scores)
        place = np.where(scores > 0.5, 1.0, 0.0)
        if inside.any():
            low, high = logit[inside].min(), logit[inside].max()
            place[inside] = (logit[inside] - low) / (high - low)
        below = np.cumsum(mass)
        begins = np.append(True, np.diff(inside.astype(int)) != 0)
        for way in ((below - mass) / below[-1], scores, place):
            begins[1:] |= np.diff(np.minimum((way * 256).astype(int), 255)) != 0
        assert _runs(scores, mass).tolist() == np.flatnonzero(begins).tolist()


def test_the_cell_of_each_item_is_found(rng):
    """Clusters are residuals of items, by cell: as many items in each as the cell has mass."""
    p = rng.random(3000)
    y = rng.random(3000) < p
    found = rw.calibration(y, p, cluster=np.arange(3000) // 3)
    _, cells, _ = found.cells._items()
    assert np.bincount(cells, minlength=len(found.cells.mass)).tolist() == found.cells.mass.tolist()
    assert (np.abs(np.sort(p) - found.cells.scores[np.sort(cells)]) < 1 / 256).all()


def test_cells_change_little():
    """Of 20,000 scores the curve of the cells is that of all items within the stated error."""
    y, p = sample(20_000, 3)
    found = rw.calibration(y, p + 1e-9 * np.arange(20_000), method="smooth")
    assert len(found.cells.scores) <= 768
    for at in (0.01, 0.1, 0.5, 0.9, 0.99):
        slow = local_line(p, y, np.ones(len(y)), at, 0.3)
        assert found.calibrate([at])[0] == pytest.approx(slow, abs=1e-3)


def test_the_band_of_a_share_is_clopper_and_pearsons():
    """Of whole counts those of scipy, with 0 and all positives."""
    counts = [(0, 12), (3, 12), (12, 12), (1, 400)]
    share = np.array([k / n for k, n in counts])
    plain = np.array([1 / n for _, n in counts])
    low, high = exact_band(share, share * (1 - share) * plain, plain, 0.95)
    for i, (k, n) in enumerate(counts):
        known = stats.binomtest(k, n).proportion_ci(0.95, method="exact")
        assert (low[i], high[i]) == pytest.approx((known.low, known.high), abs=1e-9)


@pytest.mark.parametrize("span", [0.05, 0.3, 0.9, 1.0])
@pytest.mark.parametrize("ties", [False, True])
def test_the_reach_is_the_least_distance_with_enough_mass(span, ties):
    """Against every distance tried in turn; with a tie the two ends lie equally far."""
    rng = np.random.default_rng(5)
    x = np.arange(-20.0, 21.0) if ties else np.sort(rng.normal(size=41))
    mass = np.ones(41) if ties else rng.random(41)
    slow = [
        min(
            r for r in np.abs(x - at) if mass[np.abs(x - at) <= r].sum() >= span * mass.sum() - 1e-9
        )
        for at in x
    ]
    assert _reach(x, mass, span) == pytest.approx(slow, abs=1e-12)


def test_a_column_is_smoothed_as_by_the_matrix(rng):
    """Also where scores of exactly 0 and 1 stay alone, and where there is one other."""
    for p in (np.r_[0.0, 0.0, rng.random(200), 1.0], np.r_[0.0, 0.25, 1.0]):
        cells = cells_of(Evidence(rw.tally(rng.random(len(p)) < p, p)))
        column = rng.normal(size=len(cells.scores))
        assert cells.smoothed(column) == pytest.approx(cells.smoother @ column, abs=1e-12)


def test_drawn_counts_are_those_of_the_generator():
    """Also where a share is 0, which takes no uniform number, or 1, and where counts are larger."""
    for seed in range(400):
        rng = np.random.default_rng(seed)
        size, times = rng.integers(1, 60), rng.integers(1, 40)
        counts = rng.integers(1, rng.integers(2, 12), size)
        shares = rng.choice([0.0, 1.0, 0.5, 0.25, 1e-9, 1 - 1e-9, rng.random()], size)
        shares = np.where(rng.random(size) < 0.7, rng.random(size), shares)
        ours, theirs = np.random.default_rng(seed), np.random.default_rng(seed)
        expected = theirs.binomial(counts, shares, (times, size))
        assert binomials(ours, counts, shares, times).tolist() == expected.tolist()
        assert ours.random() == theirs.random()
