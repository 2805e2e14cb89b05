"""The paper on reference truth: what the pictures show."""

from __future__ import annotations

import rocwalk as rw
from paper_rows import EXAMPLES, drawn, lines


def test_the_perfect_and_the_worst_curve_are_drawn():
    found = rw.reference_truth(EXAMPLES["truth_figure_3"].y_true, EXAMPLES["truth_figure_3"].y_prob)
    (perfect,) = lines(drawn("truth-figure-5"))
    assert perfect == found.perfect.tpr.tolist()
    worst, _ = lines(drawn("truth-figure-6"))
    assert worst == found.worst.tpr.tolist()
    region = drawn("truth-figure-7")
    assert [text.get_text() for text in region.get_legend().get_texts()] == [
        "Classifier (AUC = 0.676, AUC_PRT = 0.784)",
        "Perfect",
        "Worst",
    ]
    assert [text.get_text() for text in region.texts] == [
        "AUC − AUWCC\n= 0.486",
        "of the whole region,\n0.620",
    ]


def test_figures_3_and_4_of_truth_name_what_they_show():
    whole, near = drawn("truth-figure-3").child_axes
    assert len(lines(whole)) == 1
    assert [text.get_text() for text in near.texts] == [
        "(1 − f) / Neg = 0.17/5.86",
        "f / Pos =\n0.83/6.14",
    ]
    assert near.get_title() == "threshold between 0.8 and 0.75"
    thresholds = [text.get_text() for text in drawn("truth-figure-4").texts]
    assert thresholds == ["∞", *(f"{score:g}" for score in EXAMPLES["truth_figure_3"].y_prob)]
