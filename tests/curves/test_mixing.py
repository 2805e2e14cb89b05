"""The common hull of several models and the decisions that reach its points."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.errors import InputError, OneClassError, OptionError, ScoreError
from samples import NO_ADVICE, hard_samples, weighted_samples

pytestmark = NO_ADVICE


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
