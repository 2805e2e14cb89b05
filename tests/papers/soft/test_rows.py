"""The paper on soft ROC curves: golden numbers and the formulas behind the rows."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from paper_rows import ROWS
from rocwalk.papers.soft.rows import climbs_of, over_pairs


def test_golden_numbers_of_soft():
    # exact arithmetic: docs/mathematics.rst, "Soft curves"
    at = {(row.place, row.what): row.computed for row in ROWS if row.paper == "Soft"}
    for place, what, golden in [
        ("§2, Figure 1, C1", "AUC", 8 / 9),
        ("§2, Figure 1, C2", "AUC", 8 / 9),
        ("§4.1, Figure 2, C1", "area of the curve", 345 / 361),
        ("§4.1, C2", "area of the curve", 43499 / 45355),
        ("§4.2, Figure 2, C1", "area of the curve", 13 / 18),
        ("§4.2, C2", "area of the curve", 37091 / 44982),
        ("§4.2, first method, C1", "area, as a bound on the AUC", 67 / 90),
        ("§4.2, first method, C2", "area, as a bound on the AUC", 37559 / 44118),
        ("§4.2, C1", "climbs, before they are normalised", (0.8, 0.7, 0.4, 0.6, 0.3, 0.2)),
        ("§4.2, C2", "climbs, before they are normalised", (0.99, 0.78, 0.32, 0.58, 0.38, 0.01)),
        ("§4.2, C1", "threshold where scores are not calibrated", 0.5),
        ("§4.2, C2", "threshold where scores are not calibrated", 0.57),
    ]:
        assert at[place, what] == pytest.approx(golden, rel=1e-12), what
    reasons = [row.reason for row in ROWS if row.what == "horizontal steps" and row.reason]
    assert "add up to 1.727 " in reasons[0]  # 0.6333 / 0.3667, the ratio of 1 − m⁻ to m⁻


def test_the_single_curve_always_dominates(rng):
    # the remark on §4.1: each threshold moves up or left
    for _ in range(50):
        truth, scores = np.append([0, 1], rng.integers(0, 2, 18)), rng.random(20).round(1)
        soft, bare = rw.soft_roc(truth, scores, steps="single"), rw.roc(truth, scores)
        assert np.all(soft.tpr >= bare.tpr - 1e-12)
        assert np.all(soft.fpr <= bare.fpr + 1e-12)


def test_areas_over_pairs_and_climbs_by_the_words(rng):
    labels = (1, 0, 1, 0, 0, 1)
    scores = tuple(rng.permutation(6) / 7 + 0.05)
    example = rw.datasets.PaperExample(labels, scores, "random")
    curve = rw.soft_roc(labels, scores)
    climbs = climbs_of(example)
    assert np.diff(curve.walk.up) == pytest.approx(climbs)
    runs = tuple(1 - climb for climb in climbs)
    assert over_pairs(climbs, runs) == pytest.approx(curve.area)
