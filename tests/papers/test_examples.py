"""Examples of papers: cells, means and moves, counted in another way."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.papers.examples import (
    cells_of,
    class_means,
    class_scores,
    counted_cells,
    curve_of,
    lead_of,
    moves_of,
    points_of,
    same_points,
)

EXAMPLES = rw.datasets.paper_examples()
HARD = {
    name: one for name, one in EXAMPLES.items() if set(one.y_true) == {0, 1} and len(one.y_true) > 3
}


@pytest.mark.parametrize("name", HARD)
def test_cells_counted_row_by_row_are_those_of_the_curve(name):
    example = HARD[name]
    curve = curve_of(example)
    for threshold in set(example.y_prob):
        matrix = curve.at(threshold=threshold).confusion
        assert counted_cells(example, threshold) == cells_of(matrix)


@pytest.mark.parametrize("name", HARD)
def test_classes_and_their_means(name):
    example = HARD[name]
    y, s = np.array(example.y_true), np.array(example.y_prob)
    positive, negative = class_scores(example)
    assert (positive, negative) == (s[y == 1].tolist(), s[y == 0].tolist())
    assert class_means(example) == pytest.approx((s[y == 1].mean(), s[y == 0].mean()))


def test_moves_leave_out_steps_without_length():
    assert moves_of([0, 1, 1, 3, 3]) == (1, 2)


def test_the_lead_of_a_curve_is_at_the_upper_end_of_a_jump():
    one = rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
    other = rw.roc([1, 1, 0, 0], [0.9, 0.8, 0.7, 0.6])
    rates, lead = lead_of(one, other)
    assert rates.tolist() == [0, 0.5, 1]
    assert lead.tolist() == [-0.5, 0, 0]
    assert same_points(one, one)
    assert not same_points(one, other)
    assert points_of(one)[:2] == [(0.0, 0.0), (0.0, 0.5)]
