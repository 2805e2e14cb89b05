"""The walk of smeared scores: its polyline, and the rates and best places between its points."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import betainc, betaincc

import rocwalk as rw
from rocwalk.smear.kernels import KERNELS
from samples import NO_ADVICE
from smear.inputs import AMOUNTS, crowded, mixed

pytestmark = NO_ADVICE


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_polyline_has_the_area(kernel):
    rng = np.random.default_rng(9)
    truth, scores, weights = mixed(rng, 30)
    curve = rw.smeared_roc(
        truth, scores, kernel=kernel, sample_weight=weights, truth="soft", **AMOUNTS[kernel]
    )  # fmt: skip
    under = float(np.trapezoid(curve.tpr, curve.fpr))
    assert under == pytest.approx(curve.area, abs=2 * curve.curve_error + 1e-12)
    assert curve.curve_error < 3e-6
    assert (curve.fpr[-1], curve.tpr[-1]) == (1, 1)
    assert np.all(np.diff(curve.fpr) >= 0)
    assert np.all(np.diff(curve.tpr) >= 0)
    assert np.all(np.diff(curve.thresholds) <= 0)
    if kernel not in ("uniform", "normal"):
        assert np.all((curve.thresholds[1:] >= 0) & (curve.thresholds[1:] <= 1))


def by_betainc(y, p, concentration, places):
    """FPR and TPR at log-odds by SciPy's incomplete beta function, score by score."""
    t, rest = 1 / (1 + np.exp(-places)), 1 / (1 + np.exp(places))
    inner = (p > 0) & (p < 1)
    q = np.repeat(p[:, None], len(places), axis=1)
    low, high = concentration * p[inner, None], concentration * (1 - p[inner, None])
    # from the side on which the position keeps its digits
    q[inner] = np.where(places > 0, betainc(high, low, rest), betaincc(low, high, t))
    return q[y == 0].mean(axis=0), q[y == 1].mean(axis=0)


@pytest.mark.parametrize("concentration", [3.0, 30.0, 300.0])
def test_the_best_point_of_beta_distributions_by_a_grid_of_thresholds(concentration):
    """Coarse to fine on log-odds by another formula: no threshold gains more."""
    y, p = crowded(300)
    curve = rw.smeared_roc(y, p, kernel="beta", concentration=concentration)
    slopes, found_inside = np.array([0.4, 0.7, 1.0, 2.5]), 0
    for slope in slopes:
        low, high = -60.0, 60.0
        for _ in range(7):
            places = np.linspace(low, high, 241)
            fpr, tpr = by_betainc(y, p, concentration, places)
            best = int(np.argmax(tpr - slope * fpr))
            low, high = places[max(best - 2, 0)], places[min(best + 2, 240)]
        gain = tpr[best] - slope * fpr[best]
        found = curve.best(slope=slope)
        lost = gain - (found.tpr - slope * found.fpr)
        assert abs(lost) <= (1 + slope) * curve.curve_error
        if abs(places[best]) < 20:  # where points of the curve are dense
            assert lost == pytest.approx(0, abs=1e-10)
            assert found.threshold == pytest.approx(1 / (1 + math.exp(-places[best])), rel=1e-3)
            found_inside += 1
    assert found_inside >= 2
    index = np.array([np.argmax(curve.tpr - slope * curve.fpr) for slope in slopes])
    together = curve.data.best_places(index, slopes)
    assert together.tolist() == [curve.best(slope=slope).threshold for slope in slopes]


@pytest.mark.parametrize("concentration", [0.2, 3.0, 300.0])
def test_the_curve_of_beta_distributions_is_as_near_as_it_says(concentration):
    """The rates half-way between two points, against SciPy's, of 1,000 rows in few points."""
    y, p = crowded(1_000, 1)
    curve = rw.smeared_roc(y, p, kernel="beta", concentration=concentration)
    assert curve.curve_error < 2e-6
    assert len(curve.fpr) < 6_000
    places = curve.data.places
    kept = np.flatnonzero(np.abs(places[1:] + places[:-1]) < 60)[::7]
    middle = (places[kept] + places[kept + 1]) / 2
    fpr, tpr = by_betainc(y, p, concentration, middle)
    down = np.abs(tpr - np.interp(fpr, curve.fpr, curve.tpr))
    along = np.abs(fpr - np.interp(tpr, curve.tpr, curve.fpr))
    assert np.all(np.minimum(down, along) <= curve.curve_error + 1e-10)


@pytest.mark.parametrize("width", [1e-5, 0.003, 0.2, 3.0])
@pytest.mark.parametrize("n", [3, 30, 30_000])
def test_the_normal_polyline_is_as_near_as_it_says(width, n):
    rng = np.random.default_rng(42)
    y = rng.random(n) < 0.4
    y[0], y[1] = True, False
    s = np.where(y, rng.beta(3, 2, n), rng.beta(2, 3, n))
    curve = rw.smeared_roc(y, s, width=width, kernel="normal")
    from scipy.special import ndtr

    for t in rng.uniform(s.min() - width, s.max() + width, 60):
        x, h = (float(ndtr((s[side] - t) / (width / 2)).mean()) for side in (~y, y))
        down = abs(np.interp(x, curve.fpr, curve.tpr) - h)
        along = abs(np.interp(h, curve.tpr, curve.fpr) - x)
        assert min(down, along) <= curve.curve_error + 1e-12
    assert curve.curve_error <= (1e-6 if n <= 30 or width >= 0.2 else 1e-3)
    point = curve.at(0.5)
    assert point.tpr == pytest.approx(float(ndtr((s[y] - 0.5) / (width / 2)).mean()), abs=1e-9)


def test_uniform_areas_of_many_rows_against_the_polyline():
    """The polyline is integrated along the score axis: nothing is shared with the sum of pairs."""
    rng = np.random.default_rng(5)
    labels = rng.random(40_000) < 0.3
    scores = np.where(labels, rng.beta(3, 2, len(labels)), rng.beta(2, 3, len(labels)))
    for width in (1e-9, 1e-7, 1e-5, 1e-3, 0.05, 0.3, 1.0, 7.0, 1e3):
        curve = rw.smeared_roc(labels, scores, width=width)
        assert float(np.trapezoid(curve.tpr, curve.fpr)) == pytest.approx(curve.area, abs=1e-12)
        assert curve.closed.error_bound <= 1e-12
