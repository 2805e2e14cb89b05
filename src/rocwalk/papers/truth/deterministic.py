"""Background: the curve of a truth that is known (Figure 1)."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve, roc
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.truth.place import DRAWN, HARD, SCORES, at, columns_of, numbers, points_of

_CLASSES = "1 0 1 1 1 0 1 0 1 0 0 0"


def best_order(examples: Examples) -> Curve:
    """Return the curve of scores that put every positive above every negative."""
    truth, scores = columns_of(examples[HARD])
    return roc(truth, scores + truth)


def rows(examples: Examples) -> list[Row]:
    """Return the table of Figure 1, its steps, and the perfect and the random classifier."""
    curve = curve_of(examples[HARD])
    return [*_table(curve), *_walk(examples, curve), *_others(examples)]


def _table(curve: Curve) -> list[Row]:
    here, scores = at("Background, Figure 1"), numbers(curve.thresholds[1:])
    classes = " ".join(text_of(float(up)) for up in np.diff(curve.walk.up))
    return [
        here.number("instances", "12", len(scores)),
        here.statement(
            "scores: the thresholds of the walk",
            SCORES,
            scores,
            holds=scores == tuple(map(float, SCORES.split())),
        ),
        here.statement(
            "true classes: the steps of the walk", _CLASSES, classes, holds=classes == _CLASSES
        ),
    ]


def _walk(examples: Examples, curve: Curve) -> list[Row]:
    here, truth = at("Background, Figure 1"), columns_of(examples[HARD])[0]
    positives, negatives = truth.sum(), (1 - truth).sum()
    none, everything = curve.at(np.inf), curve.at(-np.inf)
    called = text_of(everything.confusion.true_positives + everything.confusion.false_positives)
    return [
        here.statement(
            "from the threshold +∞ to −∞",
            "from (0, 0), all negative, to (1, 1), all positive",
            f"{point_text(none.fpr, none.tpr)} to {point_text(everything.fpr, everything.tpr)}, "
            f"where {called} are called positive",
            holds=(none.fpr, none.tpr, everything.fpr, everything.tpr) == (0, 0, 1, 1),
        ),
        here.formula(
            "steps up",
            "1 / (TP + FN) for a true class 1",
            numbers(truth / positives),
            numbers(np.diff(curve.tpr)),
        ),
        here.formula(
            "steps right",
            "1 / (FP + TN) for a true class 0",
            numbers((1 - truth) / negatives),
            numbers(np.diff(curve.fpr)),
        ),
        here.unprinted("AUC", curve.area, DRAWN),
    ]


def _others(examples: Examples) -> list[Row]:
    here, best = at("Background, Figure 1"), best_order(examples)
    truth, scores = columns_of(examples[HARD])
    tied = roc(truth, np.zeros(len(scores)))
    ups, rights = (f"{(np.diff(mass) > 0).sum()}" for mass in (best.walk.up, best.walk.right))
    return [
        here.statement(
            "the perfect classifier",
            "up to (0, 1), then right to (1, 1)",
            f"{ups} steps up to (0, {text_of(best.at(fpr=0.0).tpr)}), {rights} steps right",
            holds=(0.0, 1.0) in points_of(best),
        ),
        here.statement(
            "a random classifier",
            "the diagonal from (0, 0) to (1, 1)",
            f"{' to '.join(point_text(*p) for p in points_of(tied))}, {len(scores)} scores all "
            "equal",
            holds=points_of(tied) == [(0.0, 0.0), (1.0, 1.0)],
        ),
    ]
