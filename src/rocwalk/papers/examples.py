"""The data that rows and figures are computed from, and what several papers compute on them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rocwalk.curves.operating_points import Confusion
from rocwalk.curves.roc import Curve, roc
from rocwalk.datasets.papers import PaperExample
from rocwalk.tally.walk import highest_tpr
from rocwalk.typing import ArrayLike, FloatArray

Examples = Mapping[str, PaperExample]
Cells = tuple[float, float, float, float]


def curve_of(example: PaperExample) -> Curve:
    """Return the ROC curve of an example."""
    return roc(example.y_true, example.y_prob)


def class_scores(example: PaperExample) -> tuple[list[float], list[float]]:
    """Return the scores of the positives and those of the negatives."""
    pairs = list(zip(example.y_true, example.y_prob, strict=True))
    return [s for y, s in pairs if y == 1], [s for y, s in pairs if y == 0]


def class_means(example: PaperExample) -> tuple[float, float]:
    """Return the mean score of the positives and that of the negatives."""
    positive, negative = class_scores(example)
    return sum(positive) / len(positive), sum(negative) / len(negative)


def counted_cells(example: PaperExample, threshold: float) -> Cells:
    """Return TP, FP, FN and TN at a threshold, counted row by row.

    >>> counted_cells(PaperExample((1, 0, 1), (0.9, 0.6, 0.2), "mine"), 0.5)
    (1, 1, 1, 0)
    """
    rows = zip(example.y_true, example.y_prob, strict=True)
    pairs = [(score >= threshold, label == 1) for label, score in rows]
    return (
        pairs.count((True, True)),
        pairs.count((True, False)),
        pairs.count((False, True)),
        pairs.count((False, False)),
    )


def cells_of(matrix: Confusion) -> Cells:
    """Return TP, FP, FN and TN of a confusion matrix."""
    return (
        matrix.true_positives,
        matrix.false_positives,
        matrix.false_negatives,
        matrix.true_negatives,
    )


def numbers(column: ArrayLike) -> tuple[float, ...]:
    """Return a column as a tuple of plain numbers."""
    return tuple(np.asarray(column).tolist())


def moves_of(cumulative: ArrayLike) -> tuple[float, ...]:
    """Return the steps of one direction that have a length, in the order of the walk."""
    steps = np.diff(np.asarray(cumulative))
    return numbers(steps[steps > 0])


def points_of(curve: Curve) -> list[tuple[float, float]]:
    """Return the points (FPR, TPR) of a curve."""
    return list(zip(numbers(curve.fpr), numbers(curve.tpr), strict=True))


def same_points(one: Curve, other: Curve) -> bool:
    """Whether two curves have the same points."""
    return np.array_equal(one.fpr, other.fpr) and np.array_equal(one.tpr, other.tpr)


def lead_of(curve: Curve, other: Curve) -> tuple[FloatArray, FloatArray]:
    """Return all false positive rates of two curves, and TPR of the one minus that of the other.

    At a jump the upper end counts.
    """
    rates = np.unique([*curve.fpr, *other.fpr])
    return rates, highest_tpr(curve.walk, rates) - highest_tpr(other.walk, rates)
