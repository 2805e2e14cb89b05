"""The accuracy table: counts and rates at the threshold, and how that was found."""

from __future__ import annotations

import rocwalk as rw
from commands import EXAMPLE
from publish.samples import COLUMNS, FOREST, Y, rows


def test_the_accuracy_is_that_of_the_library(page):
    found = rows(rw.table(page, "accuracy"))
    alone = rw.accuracy_table(Y, FOREST, threshold=0.4)
    cells = alone.point.confusion
    assert found["True positives"][1] == str(cells.true_positives)
    assert found["True negatives"][1] == str(cells.true_negatives)
    assert found["Positive if score"] == ("≥ 0.4", "≥ 0.4")
    value, low, high = alone.numbers["sensitivity"]
    hits = cells.true_positives
    assert (
        found["Sensitivity"][1]
        == f"{value:.3f} ({low:.3f} to {high:.3f}), {hits}/{hits + cells.false_negatives}"
    )
    value, low, high = alone.numbers["positive_likelihood_ratio"]
    assert found["Positive likelihood ratio"][1] == f"{value:.2f} ({low:.2f} to {high:.2f})"
    assert len(found) == 1 + 4 + len(alone.numbers)


def test_a_chosen_threshold_is_said_to_be_chosen(page):
    given, chosen = rw.table(page), rw.table(EXAMPLE, **COLUMNS)
    assert "given, not chosen" in given.notes[0]
    assert "on these data, which makes the accuracy look better" in chosen.notes[0]
    assert "better than it is" not in given.methods().text
    assert "better than it is" in chosen.methods().text
    assert (
        "threshold of its own (see the table). The threshold has the largest"
        in chosen.methods().text
    )
    assert "0.4 or more" in given.methods().text


def test_the_threshold_of_the_methods_decides_as_that_of_the_table():
    score = [0.7253244, 0.72532449, 0.2, 0.1]
    table = rw.accuracy_table([1, 1, 0, 0], score, threshold=score[0])
    said = table.methods().sentences[0]
    assert float(said.split("score is ")[1].split(" or more")[0]) == score[0]
