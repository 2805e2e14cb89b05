"""The papers' samples: as many rows as printed, and the areas that the papers print for them."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rocwalk as rw

EXAMPLES = rw.datasets.paper_examples()
AUTHORS = ("Castro da Silva", "Ferri", "Klement", "Gredlics")
AREAS = {  # from exact fractions
    "classic_table_1": Fraction(17, 25),
    "ferri_figure_1": Fraction(5, 6),
    "ferri_figure_4": Fraction(5, 6),
    "ferri_example_2": Fraction(4, 5),
    "ferri_figure_5": Fraction(17, 25),
}


def by_pairs(example):
    """Return the area by counting every pair, in exact fractions."""
    rows = [
        (Fraction(str(y)), Fraction(str(s)))
        for y, s in zip(example.y_true, example.y_prob, strict=True)
    ]
    won = sum(
        f * (1 - g) * (Fraction(s > t) + Fraction(s == t, 2)) for f, s in rows for g, t in rows
    )
    return won / (sum(f for f, _ in rows) * sum(1 - f for f, _ in rows))


@pytest.mark.parametrize("name", EXAMPLES)
def test_rows_are_probabilities_with_a_source(name):
    example = EXAMPLES[name]
    assert len(example.y_true) == len(example.y_prob) >= 2
    assert all(0 <= value <= 1 for value in (*example.y_true, *example.y_prob))
    assert any(author in example.source for author in AUTHORS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_area_is_that_of_all_pairs(name):
    example = EXAMPLES[name]
    if 0 < sum(example.y_true) < len(example.y_true):
        found = rw.roc(example.y_true, example.y_prob).area
        assert found == pytest.approx(float(by_pairs(example)), abs=1e-15)


@pytest.mark.parametrize("name", AREAS)
def test_printed_areas(name):
    assert by_pairs(EXAMPLES[name]) == AREAS[name]


def test_the_mapping_is_the_callers_own():
    rw.datasets.paper_examples().clear()
    assert rw.datasets.paper_examples() == EXAMPLES
