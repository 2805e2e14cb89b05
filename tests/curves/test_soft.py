"""Soft ROC curves: steps sized by the scores, the threshold rule, the panels."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import rocwalk as rw
from reference import auc_by_pairs, exact
from rocwalk.errors import InputError, OneClassError, OptionError, TallyError
from samples import NO_ADVICE, weighted_samples

pytestmark = NO_ADVICE
C1, C2 = (rw.datasets.paper_examples()[name] for name in ("soft_c1", "soft_c2"))
MODELS = {"C1": C1.y_prob, "C2": C2.y_prob}


def exactly(*columns):
    return [[Fraction(value) for value in column.tolist()] for column in columns]


@given(weighted_samples())
@pytest.mark.parametrize("steps", ["single", "both", "blind"])
def test_areas_by_pairs(steps, sample):
    truth, scores, weights = sample
    try:
        curve = rw.soft_roc(truth, scores, steps=steps, threshold=0.3, sample_weight=weights)
    except OneClassError:
        return
    assert curve.area == pytest.approx(
        float(auc_by_pairs(*exactly(truth, scores, weights), steps, Fraction(0.3))), abs=1e-11
    )
    assert rw.metrics.soft_auc_score(
        truth, scores, steps=steps, threshold=0.3, sample_weight=weights
    ) == pytest.approx(curve.area, abs=1e-14)


def test_models_that_rank_alike_differ():
    found = rw.soft_curves(C1.y_true, MODELS)
    areas = found.areas
    assert areas["C1", "truth"] == areas["C2", "truth"] == pytest.approx(8 / 9)
    assert areas["C1", "both"] == pytest.approx(13 / 18)
    assert areas["C2", "both"] == pytest.approx(37091 / 44982)
    assert found.models == ("C1", "C2")
    assert found.steps == ("truth", "single", "both")
    assert rw.soft_roc(C1.y_true, C1.y_prob).area == areas["C1", "both"]  # the default


def test_the_threshold_may_be_the_mean_score():
    mean = float(np.mean(C1.y_prob))
    by_mean = rw.soft_roc(C1.y_true, C1.y_prob, threshold="mean")
    assert by_mean.tally.threshold == pytest.approx(mean)
    assert by_mean.area == rw.soft_roc(C1.y_true, C1.y_prob, threshold=mean).area
    t = sum(exact(C1.y_prob)) / 6
    expected = auc_by_pairs(exact(C1.y_true), exact(C1.y_prob), rule="both", t=t)
    assert by_mean.area == pytest.approx(float(expected), abs=1e-15)
    assert isinstance(expected, Fraction)


def test_from_a_tally():
    tally = rw.tally(C1.y_true, C1.y_prob)
    assert rw.soft_roc(tally).area == pytest.approx(13 / 18)
    assert rw.metrics.soft_auc_score(tally, steps="single") == pytest.approx(345 / 361)
    with pytest.raises(TallyError):
        rw.soft_roc(rw.tally(C1.y_true, C1.y_prob, steps="single"), steps="both")


def test_a_walk_without_mass():
    with pytest.raises(OneClassError, match=r"steps='single' no item steps up, .*\nHint: both"):
        rw.soft_roc([1, 1, 0, 0], [0.0, 0.0, 0.2, 0.3], steps="single")
    with pytest.raises(OneClassError, match="no item steps right"):
        rw.soft_roc([1, 1, 0, 0], [0.5, 0.4, 1.0, 1.0], steps="single")
    with pytest.warns(rw.errors.UndefinedMetricWarning):
        assert math.isnan(
            rw.metrics.soft_auc_score([1, 1, 0, 0], [0.0, 0.0, 0.2, 0.3], steps="single")
        )


def test_bad_options():
    with pytest.raises(OptionError, match=r"ordinary curve.*\nHint: use rocwalk\.roc"):
        rw.soft_roc([1, 0], [0.5, 0.4], steps="truth")
    with pytest.raises(OptionError, match="steps='bot'"):
        rw.soft_roc([1, 0], [0.5, 0.4], steps="bot")
    with pytest.raises(OptionError):
        rw.soft_roc([1, 0], [0.5, 0.4], threshold="median")
    with pytest.raises(InputError, match="no model or no rule"):
        rw.soft_curves([1, 0], {})
    with pytest.raises(OptionError, match="3 rules and 1 axes"):
        rw.soft_curves([1, 0], [0.5, 0.4]).plot([rw.roc([1, 0], [0.5, 0.4]).plot()])


def test_the_panels_stand_side_by_side():
    axes = rw.soft_curves(C1.y_true, MODELS).plot()
    assert [ax.get_title() for ax in axes] == [
        "ROC", "Soft ROC, single steps", "Soft ROC, steps both ways",
    ]  # fmt: skip
    for ax, steps in zip(axes, ("truth", "single", "both"), strict=True):
        drawn = [line for line in ax.lines if line.get_gid() == "curve"]
        for line, scores in zip(drawn, MODELS.values(), strict=True):
            curve = rw.roc(C1.y_true, scores, steps=steps)
            assert line.get_ydata() == pytest.approx(curve.tpr)
            assert line.get_xdata() == pytest.approx(curve.fpr)


def test_the_blind_walk_is_the_best_expected_area_of_any_order():
    """If scores are true probabilities; by all orders of five items and all of their labels."""
    probability = np.array([0.9, 0.65, 0.6, 0.3, 0.15])
    blind = rw.soft_roc([1, 0, 1, 0, 1], probability, steps="blind").area
    assert blind == rw.reference_truth(probability, probability).perfect.area
    drawn = []
    for labels in itertools.product((0, 1), repeat=5):
        y = np.array(labels)
        if 0 < y.sum() < 5:
            drawn.append((y, np.prod(np.where(y == 1, probability, 1 - probability))))
    areas, expected = {}, {}
    for order in itertools.permutations(range(5)):
        rank = np.array(order, dtype=float)
        areas[order] = rw.roc(probability, rank).area
        above = rank[:, None] > rank
        expected[order] = sum(
            chance * (above & (y[:, None] > y)).sum() / (y.sum() * (1 - y).sum())
            for y, chance in drawn
        )
    by_score = (4, 3, 2, 1, 0)
    assert areas[by_score] == pytest.approx(blind, abs=1e-15)
    assert max(areas, key=areas.get) == max(expected, key=expected.get) == by_score
    assert sorted(areas.values())[-2] < blind
