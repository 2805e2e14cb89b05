"""One row: agreement to the digits printed, and values as text."""

from __future__ import annotations

import pytest

from rocwalk.papers import Row
from rocwalk.papers.row import Place, rounds_to, text_of

HERE = Place("Some paper", "§1")


@pytest.mark.parametrize(
    ("computed", "printed", "agrees"),
    [
        (0.8333, "0.833", True),
        (0.8336, "0.833", False),
        (0.125, "0.12", True),  # half a unit rounds either way
        (0.125, "0.13", True),
        (-0.34, "-0.3", True),
        (20, "20", True),
        (20.6, "20", False),
        ((0.1, 0.5), "(0.1, 0.5)", True),
        ((0.1, 0.5), "0.1", False),
        (float("nan"), "0.1", False),
        ("0.1", "0.1", False),
    ],
)
def test_agreement_is_to_the_digits_printed(computed, printed, agrees):
    assert rounds_to(computed, printed) is agrees
    assert HERE.number("x", printed, computed).agrees is agrees


def test_a_formula_agrees_when_it_gives_our_number():
    assert HERE.formula("x", "a + b", 0.1 + 0.2, 0.3).agrees is True
    assert HERE.formula("x", "a − b", 0.1, 0.3, "a slip").agrees is False
    assert HERE.formula("x", "a, b", (0.1 + 0.2, 1), (0.3, 1)).agrees is True
    assert HERE.formula("x", "a, b", (0.3, 0.9), (0.3, 1), "a slip").agrees is False
    assert HERE.formula("x", "a, b", (0.3,), (0.3, 0.3), "too few").agrees is False


def test_numbers_are_kept_whole_and_shown_short():
    row = HERE.unprinted("x", (1 / 3, 2), "ours")
    assert row == Row(
        paper="Some paper",
        place="§1",
        what="x",
        printed="not printed",
        computed=(1 / 3, 2),
        agrees=None,
        reason="ours",
    )
    assert row.to_dict()["computed"] == [1 / 3, 2]
    assert text_of(row.computed) == "0.3333 2"
    beside = HERE.recreated("x", "0.5", 0.4, "ours")
    assert (beside.printed, beside.computed, beside.agrees) == ("0.5 (data not printed)", 0.4, None)
