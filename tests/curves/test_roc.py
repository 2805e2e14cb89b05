"""The curve, its points, hull, best points and thinning."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from reference import auc_by_pairs, points_by_threshold
from rocwalk.curves.hull import hull_index
from rocwalk.errors import OneClassError, OptionError
from samples import NO_ADVICE, hard_samples, weighted_samples
from sklearn import metrics as sk

pytestmark = NO_ADVICE


@given(weighted_samples())
def test_points_against_asking_each_threshold(sample):
    curve = rw.roc(*sample[:2], sample_weight=sample[2])
    fpr, tpr, thresholds = np.array(points_by_threshold(*(c.tolist() for c in sample))).T
    assert curve.fpr == pytest.approx(fpr, abs=1e-13)
    assert curve.tpr == pytest.approx(tpr, abs=1e-13)
    assert curve.thresholds.tolist() == thresholds.tolist()


@given(weighted_samples(), st.sampled_from(["truth", "single", "both", "blind"]))
def test_area_against_counting_pairs(sample, steps):
    truth, scores, weights = ([Fraction(float(v)) for v in column] for column in sample)
    try:
        area = rw.roc(*sample[:2], sample_weight=sample[2], steps=steps).area
    except OneClassError:
        return
    assert area == pytest.approx(float(auc_by_pairs(truth, scores, weights, steps)), abs=1e-12)


@given(hard_samples())
def test_hard_points_are_bit_equal_to_scikit_learn(sample):
    curve = rw.roc(*sample)
    fpr, tpr, thresholds = sk.roc_curve(*sample, drop_intermediate=False)
    assert curve.fpr.tolist() == fpr.tolist()
    assert curve.tpr.tolist() == tpr.tolist()
    assert curve.thresholds.tolist() == thresholds.tolist()


def test_nearly_every_point_a_vertex_takes_the_pooled_way(rng):
    s = np.sort(rng.random(60_000))[::-1]
    curve = rw.roc(s, s)
    assert len(curve.hull.fpr) > 50_000
    assert hull_index(np.array([0.0, 1.0]), np.array([0.0, 1.0])).tolist() == [0, 1]


def test_best_for_costs(fawcett):
    # hull: (0,0) (0,.2) (.1,.5) (.5,.8) (.9,1)? slopes 3, .75, .5, then 0
    best = fawcett.best(rw.Costs(false_positive=1, false_negative=1))
    assert (best.fpr, best.tpr, best.threshold) == (0.1, 0.5, 0.54)
    assert best.interval == (0.53, 0.54)
    assert best.expected_cost == pytest.approx(0.5 * 0.1 + 0.5 * 0.5)
    assert best.tied is None
    rare = fawcett.best(rw.Costs(false_positive=1, false_negative=1, prevalence=0.05))
    assert (rare.fpr, rare.tpr) == (0, 0.2)
    assert rare.slope == pytest.approx(19)


def test_best_at_the_ends(fawcett):
    never = rw.roc([0, 1, 0, 1], [0.9, 0.8, 0.2, 0.1]).best(slope=9.0)
    assert (never.fpr, never.tpr, never.threshold) == (0, 0, np.inf)
    assert never.interval == (0.9, np.inf)
    always = fawcett.best(rw.Costs(false_positive=0, false_negative=1))
    assert (always.slope, always.tpr) == (0, 1)
    assert always.fpr == 0.9  # the smaller FPR of the tied pair
    assert (always.tied.fpr, always.tied.tpr) == (1, 1)
    assert always.tied_interval == (-np.inf, 0.1)
    strict = fawcett.best(rw.Costs(false_positive=1, false_negative=0))
    assert strict.slope == np.inf
    assert (strict.fpr, strict.tpr) == (0, 0.2)
    assert (strict.tied.fpr, strict.tied.tpr) == (0, 0)


def test_ties_along_an_edge():
    # a diagonal edge from (0, .5) to (.5, 1)
    curve = rw.roc([1, 1, 1, 0, 0, 1, 0, 0], [0.9, 0.8, 0.5, 0.5, 0.5, 0.5, 0.2, 0.1])
    best = curve.best()
    assert (best.fpr, best.tpr, best.interval) == (0, 0.5, (0.5, 0.8))
    assert (best.tied.fpr, best.tied.tpr, best.tied_interval) == (0.5, 1, (0.2, 0.5))
    # steep edges tie too
    steep = rw.roc(rw.Tally(np.array([0.9, 0.1]), np.array([7, 3]), np.array([7, 10**7 - 7])))
    best = steep.best(slope=0.7 / (7 / 10**7))
    assert (best.tpr, best.tied.tpr) == (0, 0.7)


@given(weighted_samples(), st.floats(0, 20))
def test_the_best_point_is_the_best_of_all_points(sample, slope):
    curve = rw.roc(*sample[:2], sample_weight=sample[2])
    gains = curve.tpr - slope * curve.fpr
    best = curve.best(slope=slope)
    assert best.tpr - slope * best.fpr == pytest.approx(gains.max(), abs=1e-10)
    low, high = best.interval
    for t in (high, (max(low, -9) + min(high, 9)) / 2):
        assert (curve.at(t).fpr, curve.at(t).tpr) == (best.fpr, best.tpr)


def test_bad_choices(fawcett):
    with pytest.raises(OptionError, match="Both costs and slope are given"):
        fawcett.best(rw.Costs(false_positive=1, false_negative=1), slope=1)
    with pytest.raises(OptionError, match="slope=-1 is not a slope of equal cost"):
        fawcett.best(slope=-1)
    with pytest.raises(OptionError, match="slope='x' is not a number"):
        fawcett.best(slope="x")
    with pytest.raises(OptionError, match="costs=5 is not a Costs object"):
        fawcett.best(5)
    with pytest.raises(OptionError, match="false_positive='1' is not a number"):
        rw.Costs(false_positive="1", false_negative=2)
    with pytest.raises(OptionError, match="max_fpr='x' is not a number"):
        fawcett.partial_area(max_fpr="x")
    with pytest.raises(OptionError, match="max_points='x' is not a number"):
        fawcett.thinned("x")
    with pytest.raises(OptionError, match="false_negative=-1 is not a cost"):
        rw.Costs(false_positive=1, false_negative=-1)
    with pytest.raises(OptionError, match="Both costs are 0"):
        rw.Costs(false_positive=0, false_negative=0)
    with pytest.raises(OptionError, match=r"prevalence=2 is outside \(0, 1\)"):
        rw.Costs(false_positive=1, false_negative=1, prevalence=2)


@pytest.mark.parametrize("seed", range(12))
def test_the_point_closest_to_the_corner_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, 40), (0, 1))
    s = np.round(y * rng.random() + rng.normal(size=42), seed % 3)
    curve = rw.roc(y, s)
    costs = rw.Costs(false_positive=2, false_negative=3, prevalence=0.2)
    for options, m in (({}, 1.0), ({"slope": 0.3}, 0.3), ({"costs": costs}, 2 / 3 * 0.8 / 0.2)):
        found = curve.best(metric="closest", **options)
        apart = {}
        for threshold in (*np.unique(s), np.inf):
            tpr, fpr = (np.mean(s[y == side] >= threshold) for side in (1, 0))
            apart[threshold] = (1 - tpr) ** 2 + m * fpr**2  # pROC: (1 − se)² + r·(1 − sp)²
        least = min(apart.values())
        assert found.slope == pytest.approx(m)
        assert found.distance**2 == pytest.approx(least, abs=1e-12)
        assert apart[found.threshold] == pytest.approx(least, abs=1e-12)
        closest = [at for at, each in apart.items() if each <= least + 1e-12]
        assert found.threshold == max(closest)
        assert (found.tied is None) is (len(closest) == 1)
        assert found.metric == "closest"
        assert "distance=" in repr(found)
    low, high = found.interval
    assert curve.at((low + high) / 2 if np.isfinite(low + high) else high).fpr == found.fpr


def test_the_closest_point_is_not_youdens(fawcett):
    # TPR − FPR is 0.4 at (0, 0.4) and 0.39 at (0.3, 0.69), which is closer to the corner
    y, s = np.repeat([1, 0], 100), np.empty(200)
    s[:100], s[100:] = np.repeat([3, 2, 1], [40, 29, 31]), np.repeat([2, 1], [30, 70])
    curve = rw.roc(y, s)
    assert (curve.best().fpr, curve.best().tpr) == (0, 0.4)
    closest = curve.best(metric="closest")
    assert (closest.fpr, closest.tpr) == (0.3, 0.69)
    assert closest.distance == pytest.approx(np.hypot(0.3, 0.31))
    assert fawcett.best(slope=np.inf, metric="closest").fpr == 0
    with pytest.raises(OptionError, match="metric='closest.topleft' is not known"):
        fawcett.best(metric="closest.topleft")


def test_the_closest_point_of_buckets_is_bounded():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 500)
    p = np.clip(0.5 + 0.2 * (y - 0.5) + rng.normal(0, 0.2, 500), 0, 1)
    tally = rw.tally(y, p)
    exact = rw.roc(tally).best(metric="closest")
    coarse = rw.roc(tally.bucketed(np.linspace(0, 1, 9))).best(metric="closest")
    low, middle, high = coarse.distance_bounds
    assert low <= exact.distance <= middle == coarse.distance <= high
    assert "distance_bounds" in coarse.to_dict()


@pytest.mark.parametrize("max_points", [50, 200, 1000])
def test_thinning_keeps_the_hull_and_its_promise(rng, max_points):
    s = rng.random(20_000)
    curve = rw.roc(rng.random(20_000) < s, s)
    few = curve.thinned(max_points)
    assert np.isin(curve.hull.thresholds, few.thresholds).all()
    assert len(few.fpr) <= max_points + len(curve.hull.fpr)
    assert abs(few.area - curve.area) <= few.area_lost
    assert few.area_lost <= 1 / max(max_points - len(curve.hull.fpr), 2)
    # the largest distance between the two curves is bounded by the gaps as well
    assert np.abs(np.interp(curve.fpr, few.fpr, few.tpr) - curve.tpr).max() < 1.0


def test_short_curves_are_not_thinned(fawcett):
    assert fawcett.thinned().area == fawcett.area
    assert fawcett.thinned().area_lost == 0
    with pytest.raises(OptionError, match="max_points=1 is too few"):
        fawcett.thinned(1)


def test_a_curve_needs_both_classes():
    with pytest.raises(OneClassError, match="There is no positive mass, so there is no ROC curve"):
        rw.roc([0, 0], [0.1, 0.2])
    with pytest.raises(OneClassError, match="There is no negative mass"):
        rw.roc([1, 1], [0.1, 0.2])
    tally = rw.tally([1, 1], [0.1, 0.2])  # a part of the data may well have one class
    with pytest.warns(rw.errors.UndefinedMetricWarning, match="mass, so the area is undefined"):
        assert np.isnan(tally.auc_bounds[1])
    assert rw.roc(tally + rw.tally([0], [0.15])).area == 0.5
