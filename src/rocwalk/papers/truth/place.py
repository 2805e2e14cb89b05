"""Places in the Truth paper, and what its sections are computed with."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.row import Place
from rocwalk.truth.reference_truth import ReferenceTruth, reference_truth
from rocwalk.typing import ArrayLike, FloatArray

NAME = "Truth"
HARD, SOFT = "truth_figure_1", "truth_figure_3"
SCORES = "0.8 0.75 0.7 0.6 0.4 0.33 0.3 0.18 0.17 0.16 0.11 0.1"
DRAWN = "The figure draws it; the number is ours."


def at(place: str) -> Place:
    """Return a place in this paper."""
    return Place(NAME, place)


def truth_of(example: PaperExample) -> ReferenceTruth:
    """Return an example between its worst and its perfect curve."""
    return reference_truth(example.y_true, example.y_prob)


def columns_of(example: PaperExample) -> tuple[FloatArray, FloatArray]:
    """Return truth and score of each instance, the highest score first."""
    truth, scores = np.array(example.y_true, dtype=float), np.array(example.y_prob, dtype=float)
    order = np.argsort(-scores, kind="stable")
    return truth[order], scores[order]


def numbers(column: ArrayLike) -> tuple[float, ...]:
    """Return a column as plain numbers."""
    return tuple(np.asarray(column, dtype=float).tolist())


def points_of(curve: Curve) -> list[tuple[float, float]]:
    """Return the points of a curve."""
    return list(zip(numbers(curve.fpr), numbers(curve.tpr), strict=True))
