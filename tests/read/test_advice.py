"""Advice on columns that look like a mistake."""

from __future__ import annotations

import numpy as np
import pytest

from rocwalk.errors import HardScoresWarning, ScoreKindWarning, SwappedArgumentsWarning
from rocwalk.read.advice import kind_mistake, kind_of_name, mistake_in


@pytest.mark.parametrize(
    ("scores", "name", "kind"),
    [
        ([3, 1, 2], "patient_id", "items"),
        ([3, 1, 2], "reader", "raters"),
        ([3, 1, 2], "risk", None),
        ([0.5, 1.5, 3], "patient_id", None),
        (range(30), "s", "rows"),
        (range(30, 0, -1), "s", "rows"),
        (range(30), "rank", None),
        (range(19), "s", None),
        ([*range(28), 40, 41], "s", None),
        ([1, 0, *range(2, 30)], "s", None),
    ],
)
def test_scores_that_are_numbers_of_rows_or_items(scores, name, kind):
    column = np.array(list(scores), dtype=float)
    found = kind_mistake(column, np.ptp(column), name)
    assert (found is None) is (kind is None)
    if kind is not None:
        assert isinstance(found, ScoreKindWarning)
        assert f"numbers of {kind}," in str(found)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("id", "items"), ("patientId", "items"), ("Case", "items"), ("row no", "items"),
        ("Unnamed: 0", "items"), ("record_number", "items"), ("reader", "raters"),
        ("Rater 3", None), ("annotator_code", "raters"), ("paid", None), ("idle", None),
        ("cases", None), (7, None), (None, None),
    ],
)  # fmt: skip
def test_names_of_columns_that_are_no_scores(name, kind):
    assert kind_of_name(name) == kind


def test_two_values_are_classes_or_swapped_columns():
    assert isinstance(mistake_in(0.0, 1.0, 9, is_swap=False), HardScoresWarning)
    assert mistake_in(0.0, 0.9, 9, is_swap=False) is None
    assert isinstance(mistake_in(1.0, 2.0, 9, is_swap=True), SwappedArgumentsWarning)
    assert mistake_in(1.0, 2.0, 3, is_swap=True) is None  # of so few rows it may be chance
    assert mistake_in(2.0, 2.0, 9, is_swap=True) is None
