"""The paper on soft ROC curves: what the pictures show."""

from __future__ import annotations

from paper_rows import drawn, lines


def test_soft_curves_are_drawn_together_and_by_rule():
    labels = [text.get_text() for text in drawn("soft-figure-2").get_legend().get_texts()]
    assert labels == [
        "ROC (AUC = 0.889)",
        "Soft, single direction (AUC = 0.956)",
        "Soft, both directions (AUC = 0.722)",
    ]
    panels = drawn("soft-step-rules").child_axes
    assert [panel.get_title() for panel in panels] == [
        "ROC",
        "Soft ROC, single steps",
        "Soft ROC, steps both ways",
        "Soft ROC, labels unused",
    ]
    ordinary, *soft = [lines(panel) for panel in panels]
    assert ordinary[0] == ordinary[1]
    assert all(one != other for one, other in soft)
    same = drawn("soft-figure-1")
    assert [text.get_text() for text in same.texts][:2] == ["0.8 | 0.99", "0.7 | 0.78"]
    assert same.get_legend().get_texts()[-1].get_text() == "Beside the points: scores of C1 | C2"
