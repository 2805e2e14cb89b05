"""Averaging curves, and mixing rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.errors import InputError, OneClassError, OptionError, ScoreError
from samples import NO_ADVICE, hard_samples, weighted_samples

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


# -- mixing --------------------------------------------------------------------------------------


@given(hard_samples(min_size=4), st.data())
def test_the_common_hull_covers_all_curves(sample, data):
    y, s = sample
    other = np.array(data.draw(st.permutations(s.tolist())))
    curves = {"a": rw.roc(y, s), "b": rw.roc(y, other)}
    for rate in (0.0, 0.2, 0.5, 1.0):
        rule = rw.mix(curves, fpr=rate)
        assert rule.fpr == rate
        for curve in curves.values():
            assert rule.tpr >= curve.hull.at(fpr=rate).tpr - 1e-12
        left = rw.mix(curves, tpr=rate)
        for curve in curves.values():
            assert left.fpr <= curve.hull.at(tpr=rate).fpr + 1e-12
        reached = [
            (
                curves[r.model].at(r.threshold).fpr,
                curves[r.model].at(r.threshold).tpr,
                r.probability,
            )
            for r in rule.rules
        ]
        assert sum(p for *_, p in reached) == pytest.approx(1)
        assert sum(x * p for x, _, p in reached) == pytest.approx(rule.fpr, abs=1e-12)
        assert sum(v * p for _, v, p in reached) == pytest.approx(rule.tpr, abs=1e-12)


@settings(max_examples=20)
@given(weighted_samples(), weighted_samples())
def test_models_on_different_data_mix_by_rates(one, other):
    curves = {k: rw.roc(y, s, sample_weight=w) for k, (y, s, w) in {"a": one, "b": other}.items()}
    rule = rw.mix(curves, fpr=0.4)
    assert rule.tpr >= max(curve.hull.at(fpr=0.4).tpr for curve in curves.values()) - 1e-12


def test_a_shared_vertex_belongs_to_the_earlier_model():
    y = [1, 0, 1, 0]
    a, b = rw.roc(y, [0.9, 0.8, 0.7, 0.1]), rw.roc(y, [90, 80, 70, 10])
    assert rw.mix({"a": a, "b": b}, fpr=0).rules[0].model == "a"
    assert rw.mix({"b": b, "a": a}, fpr=0).rules[0].model == "b"


def test_two_models_that_take_turns():
    # a is best at low, b at high FPR; between them the rules of both are mixed
    y = np.array([1] * 4 + [0] * 4)
    a = rw.roc(y, [9, 9, 1, 1, 5, 5, 5, 5])
    b = rw.roc(y, [5, 5, 5, 5, 9, 9, 1, 1])
    rule = rw.mix({"a": a, "b": b}, fpr=0.25)
    assert [r.model for r in rule.rules] == ["a", "b"]
    assert rule.tpr == pytest.approx(0.75)
    assert rw.mix({"a": a, "b": b}, slope=2).rules == rw.mix({"a": a, "b": b}, fpr=0).rules


def test_decisions_reach_the_point(rng):
    n = 200_000
    y = rng.random(n) < 0.4
    scores = {"a": y + rng.normal(size=n), "b": 0.5 * y + rng.normal(size=n)}
    curves = {name: rw.roc(y, column) for name, column in scores.items()}
    rule = rw.mix(curves, tpr=0.63)
    called = rule.decide(scores, rng=7)
    assert called.dtype == bool
    assert called[y].mean() == pytest.approx(0.63, abs=0.005)
    assert called[~y].mean() == pytest.approx(rule.fpr, abs=0.005)
    np.testing.assert_array_equal(called, rule.decide(scores, rng=np.random.default_rng(7)))


def test_bad_mixes():
    curve = rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    with pytest.raises(OptionError, match="0 of fpr, tpr, slope and rate are given"):
        rw.mix({"a": curve})
    with pytest.raises(OptionError, match="2 of fpr, tpr, slope and rate are given"):
        rw.mix({"a": curve}, fpr=0.1, slope=1)
    with pytest.raises(OptionError, match="There is no curve to mix"):
        rw.mix({}, fpr=0.1)
    with pytest.raises(InputError, match="curves is a list"):
        rw.mix([curve], fpr=0.1)
    with pytest.raises(InputError, match="curves is a list"):
        rw.overlay([curve])
    with pytest.raises(OptionError, match="has no thresholds"):
        rw.mix({"mean": rw.average([curve])}, fpr=0.1)
    rule = rw.mix({"model": curve}, fpr=0.25)
    with pytest.raises(
        OptionError, match=r"scores of the model .model. are missing.\nHint: did you"
    ):
        rule.decide({"modle": [0.1]})
    with pytest.raises(ScoreError, match=r"scores\['model'\] at row 1 is nan, not a finite number"):
        rule.decide({"model": [0.1, float("nan")]})
    both = rw.mix({"a": curve, "b": rw.roc([1, 0, 1, 0], [9, 1, 2, 3])}, fpr=0.25)
    if len({r.model for r in both.rules}) == 2:
        with pytest.raises(InputError, match="different lengths"):
            both.decide({"a": [0.1], "b": [0.1, 0.2]})


def test_decide_wants_scores_of_one_length():
    y = np.array([1] * 4 + [0] * 4)
    curves = {"a": rw.roc(y, [9, 9, 1, 1, 5, 5, 5, 5]), "b": rw.roc(y, [5, 5, 5, 5, 9, 9, 1, 1])}
    with pytest.raises(InputError, match=r"The models' scores have different lengths: \[1, 2\]"):
        rw.mix(curves, fpr=0.25).decide({"a": [0.1], "b": [0.1, 0.2]})


def test_curves_of_one_class_cannot_be_averaged_or_mixed():
    from rocwalk.curves.roc import Curve
    from rocwalk.tally.walk import walk_of

    half = Curve(walk_of(rw.tally([1, 1], [0.1, 0.2])))
    for act in (
        lambda: rw.average([half]),
        lambda: rw.mix({"a": half}, fpr=0.1),
        half.best,
        lambda: half.at(0.5),
    ):
        with pytest.raises(OneClassError, match="no negative mass"):
            act()
    assert np.isnan(half.area)
    assert np.isnan(half.partial_area(0.5))
