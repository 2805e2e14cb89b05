"""Numbers with a known source: the papers, and exact arithmetic on their examples."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import rocwalk as rw
from reference import auc_by_pairs, exact

EXAMPLES = rw.datasets.paper_examples()

# name, steps, exact area. Truth rows: Gredlics et al.; soft rows: Klement & Flach, Table 1 with
# threshold 0.5; the fractions were computed by hand-checked exact arithmetic.
AREAS = [
    ("classic_table_1", "truth", Fraction(17, 25)),
    ("truth_figure_1", "truth", Fraction(7, 9)),
    ("truth_figure_3", "truth", Fraction(121601, 179902)),
    ("soft_c1", "truth", Fraction(8, 9)),
    ("soft_c1", "single", Fraction(345, 361)),
    ("soft_c1", "both", Fraction(13, 18)),
    ("soft_c1", "blind", Fraction(67, 90)),
    ("soft_c2", "truth", Fraction(8, 9)),
    ("soft_c2", "single", Fraction(43499, 45355)),
    ("soft_c2", "both", Fraction(37091, 44982)),
    ("soft_c2", "blind", Fraction(37559, 44118)),
    ("ferri_figure_1", "truth", Fraction(5, 6)),
    ("ferri_figure_4", "truth", Fraction(5, 6)),
    ("ferri_example_2", "truth", Fraction(4, 5)),
    ("ferri_figure_5", "truth", Fraction(17, 25)),
    ("ferri_proposition_3", "truth", Fraction(3, 4)),
    ("ferri_two_points", "truth", Fraction(1)),
    ("ferri_auc_above", "truth", Fraction(1)),
    ("ferri_auc_below", "truth", Fraction(1, 2)),
    ("ferri_no_width", "truth", Fraction(1, 3)),
    ("ferri_figure_2a", "truth", Fraction(1)),
    ("ferri_figure_2b", "truth", Fraction(0)),
]


@pytest.mark.parametrize(("name", "steps", "expected"), AREAS)
def test_areas_of_the_papers(name, steps, expected):
    example = EXAMPLES[name]
    curve = rw.roc(example.y_true, example.y_prob, steps=steps)
    assert curve.area == pytest.approx(float(expected), abs=1e-15)
    assert auc_by_pairs(exact(example.y_true), exact(example.y_prob), rule=steps) == expected


def test_hull_of_the_twelve_soft_rows():
    # Gredlics et al., Figure 4; vertices in exact fractions
    example = EXAMPLES["truth_figure_3"]
    hull = rw.roc(example.y_true, example.y_prob).hull
    assert hull.thresholds.tolist() == [np.inf, 0.75, 0.7, 0.18, 0.16, 0.11, 0.1]
    assert hull.fpr == pytest.approx([0, 27 / 586, 55 / 586, 155 / 293, 421 / 586, 501 / 586, 1])
    assert hull.tpr == pytest.approx([0, 173 / 614, 245 / 614, 245 / 307, 579 / 614, 599 / 614, 1])


def test_first_segment_of_the_twelve_soft_rows():
    # Gredlics et al., Figure 3: f = .83 steps to (.17 / 5.86, .83 / 6.14)
    example = EXAMPLES["truth_figure_3"]
    curve = rw.roc(example.y_true, example.y_prob)
    assert curve.fpr[1] == pytest.approx(0.17 / 5.86, abs=1e-15)
    assert curve.tpr[1] == pytest.approx(0.83 / 6.14, abs=1e-15)


def test_mean_threshold_is_the_overall_mean_score():
    example = EXAMPLES["soft_c2"]
    tally = rw.tally(example.y_true, example.y_prob, steps="both", threshold="mean")
    assert tally.threshold == pytest.approx(np.mean(example.y_prob), abs=1e-15)
    t = sum(exact(example.y_prob)) / 6
    expected = auc_by_pairs(exact(example.y_true), exact(example.y_prob), rule="both", t=t)
    assert rw.roc(tally).area == pytest.approx(float(expected), abs=1e-15)


def test_fawcett_at_a_threshold():
    # Tabela 1 at 0.5: the ten highest scores are called positive, six of them rightly
    example = EXAMPLES["classic_table_1"]
    point = rw.roc(example.y_true, example.y_prob).at(0.5)
    assert point.confusion.to_dict() == {
        "kind": "Confusion",
        "schema_version": 1,
        "true_positives": 6,
        "false_positives": 4,
        "false_negatives": 4,
        "true_negatives": 6,
    }
    assert (point.precision, point.recall, point.accuracy, point.f_measure) == (0.6,) * 4


def test_every_example_says_where_it_comes_from():
    for example in EXAMPLES.values():
        assert example.source
        assert len(example.y_true) == len(example.y_prob)
