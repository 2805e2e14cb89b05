"""The tutorial on classical ROC analysis: golden numbers and the formulas behind the rows."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from paper_rows import find
from rocwalk.papers.classic.rows import area_of_annex, order_of_annex, points_of_annex


def test_golden_numbers_of_tabela_1():
    # counted by hand on the printed table
    assert find("area under the curve").computed == 17 / 25
    assert find("no classifier").computed == pytest.approx(8 / 25)
    assert find("F measure").computed == pytest.approx(2 * (5 / 6) * 0.5 / (5 / 6 + 0.5))
    assert find("F measure").reason.endswith("gives 1.143 here.")  # 2·(4/3)/(7/3) = 8/7
    assert find("area of the first ten").computed == 18 / 24
    assert "gives 0.7083 here: 6 p and 4 n" in find("area of the first ten").reason  # 17/24
    assert find("confusion matrix, Tabela 1").computed == "5 1 / 5 9, totals 10 10"


def test_the_annexes_are_right_where_their_slips_do_not_bite(rng):
    truth = np.repeat([0.0, 1.0], 30)
    scores = rng.permutation(60) / 61 + 0.01
    assert area_of_annex(truth, scores) == pytest.approx(rw.roc(truth, scores).area)
    assert order_of_annex(scores) == np.argsort(-scores).tolist()


def test_the_loop_of_anexo_1_gives_the_points_of_the_curve(rng):
    truth, scores = np.append([0.0, 1.0], rng.integers(0, 2, 28)), rng.integers(1, 9, 30) / 9
    curve = rw.roc(truth, scores)
    assert np.allclose(points_of_annex(truth, scores), np.c_[curve.fpr, curve.tpr])
    assert len(find("points of the curve of Tabela 1").computed.split(") (")) == 21


def test_the_annexes_leave_scores_unsorted_that_are_not_positive():
    assert order_of_annex(np.array([-3.0, -1.0, 0.0, -2.0])) == [0, 1, 2, 3]


def test_the_annexes_can_exceed_one():
    assert area_of_annex(np.array([1.0, 0, 0]), np.array([0.9, 0.5, 0.1])) == pytest.approx(1.25)
