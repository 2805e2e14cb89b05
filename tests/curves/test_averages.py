"""Averages of curves: vertical, horizontal, by threshold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.errors import InputError, OptionError
from samples import NO_ADVICE, hard_samples

pytestmark = NO_ADVICE


def top(curve, x):
    """The highest TPR at an FPR, by looking at every segment."""
    best = 0.0
    for (x0, x1), (y0, y1) in zip(
        np.stack([curve.fpr[:-1], curve.fpr[1:]], 1),
        np.stack([curve.tpr[:-1], curve.tpr[1:]], 1),
        strict=True,
    ):
        if x0 <= x <= x1:
            best = max(best, y1 if x1 == x else y0 + (y1 - y0) * (x - x0) / (x1 - x0))
    return best


folds = st.lists(hard_samples(max_size=10), min_size=2, max_size=4)


@given(folds)
def test_vertical_average_is_the_mean_of_the_tops(samples):
    curves = [rw.roc(*sample) for sample in samples]
    mean = rw.average(curves)
    assert (mean.fpr[0], mean.tpr[0]) == (0, 0)
    assert (mean.fpr[-1], mean.tpr[-1]) == (1, 1)
    for x, y, spread in zip(mean.fpr[1:], mean.tpr[1:], mean.tpr_spread[1:], strict=True):
        tops = [top(curve, x) for curve in curves]
        assert y == pytest.approx(np.mean(tops), abs=1e-12)
        assert spread == pytest.approx(np.std(tops, ddof=1), abs=1e-12)
    assert mean.area == pytest.approx(np.mean([curve.area for curve in curves]), abs=1e-12)


@given(folds)
def test_horizontal_average_mirrors_the_vertical_one(samples):
    curves = [rw.roc(*sample) for sample in samples]
    mirrored = [rw.roc(1 - y, -s) for y, s in samples]  # (x, y) → (1 − y, 1 − x)
    across, up = rw.average(curves, how="horizontal"), rw.average(mirrored, how="vertical")
    np.testing.assert_allclose(across.fpr, 1 - up.tpr[::-1], atol=1e-12)
    np.testing.assert_allclose(across.tpr, 1 - up.fpr[::-1], atol=1e-12)
    np.testing.assert_allclose(across.fpr_spread, up.tpr_spread[::-1], atol=1e-12)
    assert (across.fpr[-1], across.tpr[-1]) == (1, 1)
    assert across.area == pytest.approx(np.mean([curve.area for curve in curves]), abs=1e-12)


@given(folds)
def test_average_by_threshold(samples):
    curves = [rw.roc(*sample) for sample in samples]
    mean = rw.average(dict(enumerate(curves)), how="threshold")
    assert mean.thresholds[0] == np.inf
    assert np.all(np.diff(mean.thresholds) < 0)
    for i, t in enumerate(mean.thresholds):
        points = [curve.at(float(t)) for curve in curves]
        assert mean.fpr[i] == pytest.approx(np.mean([p.fpr for p in points]))
        assert mean.tpr[i] == pytest.approx(np.mean([p.tpr for p in points]))
        assert mean.tpr_spread[i] == pytest.approx(np.std([p.tpr for p in points], ddof=1))
        assert mean.at(float(t)).tpr == mean.tpr[i]


@pytest.mark.parametrize("how", ["vertical", "horizontal", "threshold"])
def test_the_average_of_one_curve_is_that_curve(how):
    curve = rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    mean = rw.average([curve], how=how)
    assert mean.area == pytest.approx(curve.area)
    assert np.isnan(mean.fpr_spread if how == "horizontal" else mean.tpr_spread).all()
    assert mean.prevalence is None


def test_a_grid_of_ones_own():
    curves = [rw.roc([1, 0, 1, 0], s) for s in ([0.9, 0.8, 0.7, 0.1], [0.9, 0.2, 0.8, 0.1])]
    mean = rw.average(curves, grid=np.linspace(0.1, 0.9, 9))
    assert len(mean.fpr) == 12  # (0, 0), then 0, .1, …, 1
    with pytest.raises(OptionError, match=r"The grid leaves \[0, 1\]"):
        rw.average(curves, grid=[0.5, 1.5])
    with pytest.raises(OptionError, match="The grid is empty or not made of numbers"):
        rw.average(curves, grid=[float("nan")])


def test_averages_carry_no_masses():
    curves = [rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])] * 2
    mean = rw.average(curves)
    with pytest.raises(OptionError, match="carries no masses, so its prevalence is unknown"):
        mean.best(rw.Costs(false_positive=1, false_negative=1))
    with pytest.warns(rw.errors.UndefinedMetricWarning, match="has no thresholds, so the best"):
        assert mean.best(rw.Costs(false_positive=1, false_negative=1, prevalence=0.5)).tpr > 0
    with pytest.raises(OptionError, match="so its prevalence is unknown"):
        mean.precision_recall()
    with pytest.raises(OptionError, match="so this needs a prevalence"):
        _ = mean.at(fpr=0.2).precision
    assert mean.at(fpr=0.2).at_prevalence(0.5).precision > 0
    with pytest.raises(OptionError, match="This averaged curve has no thresholds"):
        mean.at(0.5)
    assert mean.hull.area >= mean.area


def test_bad_averages():
    curve = rw.roc([1, 0], [0.9, 0.1])
    with pytest.raises(OptionError, match="how='diagonal' is not known"):
        rw.average([curve], how="diagonal")
    with pytest.raises(OptionError, match="There is no curve to average"):
        rw.average([])
    with pytest.raises(InputError, match="One curve was given"):
        rw.average(curve)
    with pytest.raises(InputError, match="Item 1 is a list, not a curve"):
        rw.average([curve, [0, 1]])
