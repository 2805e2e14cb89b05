"""The two classes as sorted scores."""

from __future__ import annotations

import math
from decimal import Context, Decimal, localcontext

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.smear.sides import (
    Side,
    Sides,
    log_odds,
    near_counts,
    near_pairs,
    running_sum,
    sides_of_labels,
)
from rocwalk.smear.uniform import uniform_sums
from samples import NO_ADVICE

pytestmark = NO_ADVICE


def test_running_sums_hardly_lose_anything():
    values = np.random.default_rng(3).random(300_000)
    sums = running_sum(values)
    for place in (0, 15, 16, 17, 4096, 99_999, 299_999):
        assert sums[place] == pytest.approx(math.fsum(values[: place + 1]), rel=4e-15)


def test_sides_of_few_and_many_positives():
    rng = np.random.default_rng(51)
    scores = rng.random(500)
    for share in (0.1, 0.9):
        labels = rng.random(500) < share
        sides = sides_of_labels(labels, scores)
        curve = rw.roc(labels, scores)
        assert sides.auc == curve.area
        assert sides.gini == pytest.approx(scores[labels].mean() - scores[~labels].mean())
        for width in (0.01, 0.5):
            exact = rw.smeared_roc(labels, scores, width=width)
            assert uniform_sums(sides, width).area == pytest.approx(
                float(np.trapezoid(exact.tpr, exact.fpr)), abs=1e-13
            )


def test_log_odds_keep_the_digits_of_scores_next_to_the_ends():
    scores = np.array([0.0, 5e-324, 1e-300, 0.25, 0.5, 1 - 2.0**-53, 1.0])
    with localcontext(Context(prec=60, Emin=-10_000)):
        odds = [Decimal(s) / (1 - Decimal(s)) for s in scores[1:-1].tolist()]
        exact = [-math.inf, *(float(each.ln()) for each in odds), math.inf]
    assert log_odds(scores) == pytest.approx(exact, rel=1e-15)


def test_pairs_within_a_reach():
    """The pairs of both classes that are closer than a distance, each once, with their shares."""
    rng = np.random.default_rng(25)
    up, right = np.sort(rng.integers(0, 40, 30) / 40), np.sort(rng.random(50))
    sides = Sides(Side(up), Side(right))
    low, high = near_counts(sides, 0.1)
    found = [np.concatenate(part) for part in zip(*near_pairs(sides, low, high), strict=True)]
    apart = np.subtract.outer(up, right).ravel()
    near = apart[np.abs(apart) < 0.1]
    assert np.sort(found[0]) == pytest.approx(np.sort(near), abs=1e-15)
    assert found[1] == pytest.approx(np.full(len(near), 1 / len(apart)))


def test_equal_scores_are_put_together_where_that_saves_rows():
    rng = np.random.default_rng(26)
    labels, scores = rng.random(500) < 0.4, rng.integers(0, 7, 500) / 7
    sides = sides_of_labels(labels, scores)
    fewer = sides.collapsed
    assert len(fewer.positive) <= 7 >= len(fewer.negative)
    assert fewer.auc == sides.auc == rw.roc(labels, scores).area
    assert fewer.gini == sides.gini
    apart = np.subtract.outer(scores[labels], scores[~labels])
    assert fewer.tied == pytest.approx((apart == 0).mean())
    assert fewer.concordant == pytest.approx((apart > 0).mean())
