"""The data that rows and figures are computed from."""

from __future__ import annotations

from collections.abc import Mapping

from rocwalk.curves.roc import Curve, roc
from rocwalk.datasets.papers import PaperExample

Examples = Mapping[str, PaperExample]


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
