"""Probabilistic and smeared areas: against exact fractions, with tallies and bad input."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import rocwalk as rw
import smear_reference as reference
from rocwalk.errors import OptionError, ScoreError, TallyError, UndefinedMetricWarning
from samples import NO_ADVICE
from smear.inputs import EXAMPLE_1, draw

pytestmark = NO_ADVICE


@pytest.mark.parametrize("kind", ["tied", "spread", "close", "extreme"])
def test_probabilistic_areas_against_pairs(kind):
    rng = np.random.default_rng(31)
    for _ in range(10):
        truth, scores, weights = draw(rng, int(rng.integers(2, 20)), kind)
        options = {"sample_weight": weights, "truth": "soft"}
        exact = reference.probabilistic_auc(truth, scores, weights)
        assert rw.metrics.probabilistic_auc_score(truth, scores, **options) == pytest.approx(
            float(exact), abs=1e-15
        )
        assert rw.metrics.scored_auc_score(truth, scores, **options) == pytest.approx(
            float(reference.scored_auc(truth, scores, weights)), abs=1e-15
        )


def test_probabilistic_areas_of_long_columns():
    rng = np.random.default_rng(32)
    labels, scores = rng.integers(0, 2, 200_001), rng.random(200_001)
    means = [math.fsum(scores[labels == k]) / (labels == k).sum() for k in (1, 0)]
    gini = rw.metrics.probabilistic_gini_score(labels, scores)
    assert gini == pytest.approx(means[0] - means[1], abs=1e-14)
    assert rw.metrics.probabilistic_gini_score(labels == 1, scores) == gini
    weights = rng.random(len(labels))
    means = [np.average(scores[labels == k], weights=weights[labels == k]) for k in (1, 0)]
    weighted = rw.metrics.probabilistic_gini_score(labels, scores, sample_weight=weights)
    assert weighted == pytest.approx(means[0] - means[1], abs=1e-13)


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_nothing_cancels_however_the_masses_differ(kind):
    """A class of next to no mass beside one of all of it: both means stay exact."""
    rng = np.random.default_rng(33)
    y, s = np.repeat([1.0, 0.0], 500), rng.random(1_000)
    weights = np.where(y == 1, 1e12, 1e-12) * (1 + rng.random(1_000))
    if kind == "soft":
        y, weights = np.clip(y, 1e-13, 1 - 1e-13), None
        y[:500] = 1 - rng.random(500) * 1e-10
        y[500:] = 1.0
    mass = [Fraction(1)] * 1_000 if weights is None else [Fraction(w) for w in weights]
    up = [w * Fraction(f) for w, f in zip(mass, y, strict=True)]
    right = [w - u for w, u in zip(mass, up, strict=True)]
    means = [
        sum(m * Fraction(x) for m, x in zip(part, s, strict=True)) / sum(part)
        for part in (up, right)
    ]
    exact = (1 + means[0] - means[1]) / 2
    found = rw.metrics.probabilistic_auc_score(y, s, sample_weight=weights, truth="soft")
    assert found == pytest.approx(float(exact), abs=1e-6 if kind == "soft" else 1e-13)
    few = np.ones(10_000, dtype=int)
    few[17] = 0
    scores = rng.random(10_000)
    gini = math.fsum(scores[few == 1]) / 9_999 - scores[17]
    assert rw.metrics.probabilistic_gini_score(few, scores) == pytest.approx(gini, abs=1e-15)


def test_heavy_ties_cost_no_more_than_their_distinct_scores():
    rng = np.random.default_rng(34)
    labels, scores = rng.random(300_000) < 0.5, np.round(rng.random(300_000), 2)
    few = rw.smeared_area(labels, scores, width=1e-7, kernel="normal")
    assert few == pytest.approx(rw.roc(labels, scores).area, abs=1e-12)
    assert rw.smeared_area(labels, scores, width=1e-16) == pytest.approx(few, abs=1e-12)
    assert rw.matched_width(labels, scores).complete


def test_metrics_take_labels_as_scikit_learn_does():
    y, s = EXAMPLE_1
    value = rw.metrics.probabilistic_auc_score(y, s)
    words = ["yes" if label else "no" for label in y]
    for labels in (words, [label + 1 for label in y], np.array(y, dtype=object)):
        assert rw.metrics.probabilistic_auc_score(labels, s) == value
    turned = rw.metrics.probabilistic_auc_score(words, s, pos_label="no")
    assert turned == pytest.approx(1 - value)
    assert rw.metrics.probabilistic_auc_score(y, np.array(s)[:, None]) == value


def test_no_increasing_map_of_the_scores_exceeds_youdens_rule():
    """sup A_p = ½(1 + max(TPR − FPR)), reached by the hard rule at Youden's threshold."""
    rng = np.random.default_rng(14)
    for _ in range(10):
        n = int(rng.integers(3, 30))
        y, p, w = rng.integers(0, 2, n), rng.integers(0, 12, n) / 11, rng.integers(1, 4, n)
        y[:2] = 0, 1
        curve = rw.roc(y, p, sample_weight=w)
        most = 0.5 * (1 + float((curve.tpr - curve.fpr).max()))
        hard = (p >= curve.best(slope=1).threshold).astype(float)
        reached = rw.metrics.probabilistic_auc_score(y, hard, sample_weight=w)
        assert reached == pytest.approx(most, abs=1e-12)
        for _ in range(50):  # a random increasing map into [0, 1]
            steps = np.sort(rng.beta(0.3, 0.3, 12))
            mapped = steps[np.round(p * 11).astype(int)]
            area = rw.metrics.probabilistic_auc_score(y, mapped, sample_weight=w)
            assert area <= most + 1e-12


def test_a_tally_in_place_of_the_columns():
    tally = rw.tally(*EXAMPLE_1)
    assert rw.smeared_area(tally, width=0.3) == rw.smeared_area(*EXAMPLE_1, width=0.3)
    assert rw.matched_width(tally).width == pytest.approx(rw.matched_width(*EXAMPLE_1).width)
    assert (
        rw.smeared_roc(tally, width=0.3).tpr.tolist()
        == rw.smeared_roc(*EXAMPLE_1, width=0.3).tpr.tolist()
    )
    halves = rw.tally([1, 0], [0.9, 0.8]) + rw.tally([1, 0, 0], [0.6, 0.3, 0.2])
    assert rw.smeared_area(halves, width=0.3) == pytest.approx(rw.smeared_area(tally, width=0.3))


def test_what_a_tally_cannot_answer():
    coarse = rw.tally(*EXAMPLE_1).bucketed(np.array([0.5]))
    for ask in (
        lambda: rw.smeared_area(coarse, width=0.3),
        lambda: rw.matched_width(coarse),
        lambda: rw.smeared_roc(coarse, width=0.3),
    ):
        with pytest.raises(TallyError, match="Smearing needs every score, and this tally is buck"):
            ask()
    with pytest.raises(TallyError, match="Scored AUC needs the order of all scores"):
        rw.metrics.scored_auc_score(coarse)
    beyond = rw.tally(*EXAMPLE_1[:1], [2.0, 0.5, 0.4, 0.3, 0.2])
    for ask in (
        lambda: rw.smeared_area(beyond, width=0.3),
        lambda: rw.metrics.probabilistic_auc_score(beyond),
        lambda: rw.smeared_roc(beyond),
    ):
        with pytest.raises(ScoreError, match=r"The tally has the score 2, outside \[0, 1\]"):
            ask()
    with pytest.raises(OptionError, match="together with a"):
        rw.metrics.probabilistic_auc_score(rw.tally(*EXAMPLE_1), [0.5])


@pytest.mark.parametrize("function", [rw.smeared_area, rw.smeared_roc])
def test_widths_that_are_none(function):
    for width, words in ((-0.1, "negative"), (math.nan, "not a number")):
        with pytest.raises(OptionError, match=f"width={width!r} is {words}.\nHint: "):
            function(*EXAMPLE_1, width=width)
    with pytest.raises(OptionError, match="width is missing.\nHint: the kernel 'uniform' needs"):
        function(*EXAMPLE_1, width=None)
    with pytest.raises(OptionError, match="is not (a number|known)"):
        function(*EXAMPLE_1, width="wide")


@pytest.mark.parametrize("function", [rw.smeared_area, rw.matched_width, rw.smeared_roc])
def test_kernels_that_are_none(function):
    width = {} if function is rw.matched_width else {"width": 0.2}
    with pytest.raises(OptionError, match="kernel='box' is not known.\nHint: kernel is one of"):
        function(*EXAMPLE_1, kernel="box", **width)
    for value in (0, -1, 1e-12, 1e12, math.inf, math.nan, "half"):
        with pytest.raises(OptionError, match=r"sd_per_width=.*\nHint: "):
            function(*EXAMPLE_1, kernel="normal", sd_per_width=value, **width)


def test_one_class_gives_no_area():
    with pytest.warns(UndefinedMetricWarning, match="only one class, so the smeared area"):
        assert math.isnan(rw.smeared_area([1, 1], [0.2, 0.3], width=0.1))
    with pytest.warns(UndefinedMetricWarning, match="so the probabilistic AUC is not defined"):
        assert math.isnan(rw.metrics.probabilistic_auc_score([0, 0], [0.2, 0.3]))


def test_an_area_is_a_number():
    area = rw.smeared_area(*EXAMPLE_1, width=0.4)
    assert isinstance(area, float)
    assert str(area) == repr(float(area))
    assert f"{area:.3f}" == f"{float(area):.3f}"
    assert area.width == 0.4
    assert area.kernel == "uniform"
