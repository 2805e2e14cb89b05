"""What a chosen threshold achieves on a second sample."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from curves.chosen import CHOICES, DEAR, sample


@pytest.mark.parametrize("options", [{}, *CHOICES, {"threshold": 0.8, "costs": DEAR}], ids=str)
def test_a_second_sample_in_one_call(options):
    y, s = sample()
    found = rw.best_threshold(y, s, rng=0, n_resamples=50, **options)
    other, scores = sample(seed=9)
    again = found.on(other, scores)
    table = rw.accuracy_table(other, scores, threshold=found.threshold)
    assert again.confusion == table.point.confusion
    assert again.table.numbers["sensitivity"] == table.numbers["sensitivity"]
    called, point = scores >= found.threshold, table.point
    if "costs" in options:
        cost = (called & (other == 0)).mean() + 5 * (~called & (other == 1)).mean()
        assert again.expected_cost.estimate == pytest.approx(cost)
        assert again.expected_cost.low < cost < again.expected_cost.high
        assert again.value is None
        return
    name = found.rule.criterion
    expected = {
        "youden": point.youden,
        "f1": point.f_measure,
        "accuracy": point.accuracy,
        "balanced_accuracy": point.balanced_accuracy,
        "sensitivity": point.tpr,
        "specificity": point.specificity,
        "mcc": np.corrcoef(called, other)[0, 1],
        "closest": np.hypot(1 - point.tpr, point.fpr),
        "fbeta": 1.25 * point.precision * point.tpr / (0.25 * point.precision + point.tpr),
    }[name]
    assert again.value.estimate == pytest.approx(expected)
    assert again.value.low <= expected <= again.value.high
    assert "finds" in again.sentence
    words = {
        "youden": "TPR − FPR",
        "f1": "F1",
        "balanced_accuracy": "balanced accuracy",
        "mcc": "correlation of Matthews (MCC)",
        "closest": "distance from the corner (0, 1)",
        "fbeta": "F with β = 0.5",
    }.get(name, name)
    assert f" {words} {again.value.estimate:.3f}, 95 % interval " in again.sentence
