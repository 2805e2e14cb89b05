"""Probabilistic AUC, its Gini and the scored AUC, against sums over all pairs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

import rocwalk as rw
from rocwalk.errors import ScoreError, TallyError, UndefinedMetricWarning
from rocwalk.metrics import probabilistic_auc_score, probabilistic_gini_score, scored_auc_score
from samples import NO_ADVICE, weighted_samples

pytestmark = NO_ADVICE
EVERY = [probabilistic_auc_score, probabilistic_gini_score, scored_auc_score]


def over_pairs(y, p, w, value):
    """Return the mean of a function of both scores over pairs of positive and negative mass."""
    up, right = w * y, w * (1 - y)
    mass = np.outer(up, right)
    np.fill_diagonal(mass, up * right)
    return (mass * value(p[:, None], p[None, :])).sum() / mass.sum()


@given(weighted_samples())
def test_means_over_pairs(drawn):
    y, p, w = drawn
    margin = over_pairs(y, p, w, lambda a, b: (a - b + 1) / 2)
    found = probabilistic_auc_score(y, p, sample_weight=w)
    assert found == pytest.approx(margin, abs=1e-9)
    gini = probabilistic_gini_score(y, p, sample_weight=w)
    assert gini == pytest.approx(2 * found - 1, abs=1e-9)
    scored = over_pairs(y, p, w, lambda a, b: np.maximum(a - b, 0))
    assert scored_auc_score(y, p, sample_weight=w) == pytest.approx(scored, abs=1e-9)
    inverted = over_pairs(y, p, w, lambda a, b: np.maximum(b - a, 0))
    assert found == pytest.approx((1 + scored - inverted) / 2, abs=1e-9)


@pytest.mark.parametrize("function", EVERY)
def test_a_tally_stands_for_both_columns(function):
    y, p = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    assert function(rw.tally(y, p)) == pytest.approx(function(y, p), abs=1e-15)


def test_buckets_keep_the_mean_difference_and_hide_pairs():
    y, p = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
    tally = rw.tally(y, p).bucketed(np.array([0, 0.5, 1.0]))
    assert probabilistic_auc_score(tally) == pytest.approx(probabilistic_auc_score(y, p), abs=1e-12)
    with pytest.raises(TallyError, match="this tally is bucketed"):
        scored_auc_score(tally)


@pytest.mark.parametrize("function", EVERY)
def test_one_class_is_undefined(function):
    with pytest.warns(
        UndefinedMetricWarning, match="Only one class is present in y_true"
    ) as caught:
        assert np.isnan(function([1, 1], [0.2, 0.8]))
    assert caught[0].filename == __file__


@pytest.mark.parametrize("function", EVERY)
@pytest.mark.parametrize("score", [1.5, -0.1])
def test_scores_must_be_probabilities(function, score):
    with pytest.raises(ScoreError, match=re.escape("y_prob at row 1 is")):
        function([0, 1], [0.5, score])
