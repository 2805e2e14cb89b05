"""The tutorial on classical ROC analysis: what the pictures show."""

from __future__ import annotations

import pytest

import rocwalk as rw
from paper_rows import EXAMPLES, drawn, lines, nudged


def test_figure_1_shows_the_matrix_and_its_totals():
    words = [text.get_text() for text in drawn("classic-figura-1").texts]
    assert words[:8] == [
        *("5", "True positives", "1", "False positives"),
        *("5", "False negatives", "9", "True negatives"),
    ]
    assert {"p", "n", "P = 10", "N = 10"} <= set(words)


def test_figure_2_shows_its_points():
    points = {
        line.get_gid(): (*line.get_xdata(), *line.get_ydata())
        for line in drawn("classic-figura-2").lines
        if line.get_gid() in tuple("ABCDE")
    }
    assert points["D"] == (0, 1)
    assert points["C"] == pytest.approx((0.7, 0.7))
    assert points["A"] == pytest.approx((0.1, 0.5))
    assert points["B"] == pytest.approx(tuple(1 - rate for rate in points["E"]))


def test_figure_3_names_every_threshold():
    ax = drawn("classic-figura-3")
    curve = rw.roc(EXAMPLES["classic_table_1"].y_true, EXAMPLES["classic_table_1"].y_prob)
    assert [text.get_text() for text in ax.texts] == [
        "∞",
        *(f"{t:g}" for t in curve.thresholds[1:]),
    ]
    assert [text.xy for text in ax.texts] == list(zip(curve.fpr, curve.tpr, strict=True))


def test_figures_are_drawn_from_the_examples():
    for examples in nudged("classic_figure_4_a"):
        assert lines(drawn("classic-figura-5", examples)) != lines(drawn("classic-figura-5"))
        break
    ax = drawn("classic-figura-5")
    assert [label.get_text() for label in ax.get_legend().get_texts()] == [
        "A (AUC = 0.700)",
        "B (AUC = 0.780)",
        "C, their vertical mean (AUC = 0.740)",
        "C ± one standard deviation",
    ]
