"""Accuracy tables, against scikit-learn's counts and statsmodels' intervals of proportions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix
from statsmodels.stats.proportion import proportion_confint

import rocwalk as rw
from rocwalk.curves.accuracy import ratio
from rocwalk.errors import OneClassError, TallyError


def sample(rows=80):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, rows)
    return y, np.round(rng.normal(0.8 * y), 1)


@pytest.mark.parametrize("threshold", [-0.5, 0.3, 1.2])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_counts_shares_and_intervals(threshold, level):
    y, s = sample()
    found = rw.accuracy_table(y, s, threshold=threshold, confidence_level=level)
    tn, fp, fn, tp = map(int, confusion_matrix(y, s >= threshold).ravel())
    cells = found.point.confusion
    counted = (
        cells.true_negatives, cells.false_positives, cells.false_negatives, cells.true_positives,
    )  # fmt: skip
    assert counted == (tn, fp, fn, tp)
    shares = {
        "sensitivity": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "precision": (tp, tp + fp),
        "prevalence": (tp + fn, len(y)),
    }
    for name, (part, whole) in shares.items():
        limits = proportion_confint(part, whole, alpha=1 - level, method="wilson")
        assert found.numbers[name] == pytest.approx((part / whole, *limits), abs=1e-12), name


def test_likelihood_ratios_are_those_of_the_shares():
    y, s = sample()
    numbers = rw.accuracy_table(y, s, threshold=0.3).numbers
    (sensitivity, *_), (specificity, *_) = numbers["sensitivity"], numbers["specificity"]
    value, low, high = numbers["positive_likelihood_ratio"]
    assert value == pytest.approx(sensitivity / (1 - specificity))
    assert low < value < high
    value, low, high = numbers["negative_likelihood_ratio"]
    assert value == pytest.approx((1 - sensitivity) / specificity)
    assert low < value < high


def test_limits_of_a_ratio_undo_those_of_its_inverse():
    one, other = (0.8, 0.7, 0.87), (0.2, 0.13, 0.3)
    value, low, high = ratio(one, other)
    back, back_low, back_high = ratio(other, one)
    assert (1 / value, 1 / high, 1 / low) == pytest.approx((back, back_low, back_high))
    value, low, high = ratio((0.8, 0.7, 0.87), (0.0, 0.0, 0.1))
    assert value == high == math.inf
    assert math.isfinite(low)


def test_without_a_threshold_it_is_that_of_youden():
    y, s = sample()
    found = rw.accuracy_table(y, s)
    sums = [np.mean(s[y == 1] >= cut) - np.mean(s[y == 0] >= cut) for cut in s]
    reached = found.numbers["sensitivity"][0] + found.numbers["specificity"][0] - 1
    assert reached == pytest.approx(max(sums))
    assert "on the same data" in found.methods().text
    given = rw.accuracy_table(y, s, threshold=found.threshold)
    assert given.numbers == found.numbers
    assert "on the same data" not in given.methods().text


def test_what_is_refused():
    y, s = sample()
    with pytest.raises(OneClassError, match="fewer than two positive items"):
        rw.accuracy_table([1, 0, 0, 0], [0.4, 0.3, 0.2, 0.1], threshold=0.3)
    coarse = rw.tally(y, s).bucketed(4)
    inside = np.flatnonzero(coarse.highest > coarse.scores)[0]
    middle = float(coarse.scores[inside] + coarse.highest[inside]) / 2
    with pytest.raises(TallyError, match="lies inside a bucket"):
        rw.accuracy_table(coarse, threshold=middle)
