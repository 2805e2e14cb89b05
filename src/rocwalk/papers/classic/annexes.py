"""Anexo 1 and Anexo 2: what the printed functions would give, beside the walk.

Only what they do is re-created here: the sort that finds nothing at or below 0, the loop that
collects the points, and the last trapezoid whose height is taken from the wrong total.
"""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import roc
from rocwalk.papers.classic.place import at
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.typing import FloatArray

_HALF = 10


def rows(examples: Examples) -> list[Row]:
    """Return the points and areas of the annexes, where they are right and where they are not."""
    example = examples["classic_table_1"]
    truth, values = np.array(example.y_true, dtype=float), np.array(example.y_prob)
    return [
        _points(truth, values),
        _sort(truth[::-1], np.log(values[::-1])),
        _last_trapezoid("Tabela 1", truth, values),
        _last_trapezoid("the first ten rows of Tabela 1", truth[:_HALF], values[:_HALF]),
        _last_trapezoid("the last ten rows of Tabela 1", truth[_HALF:], values[_HALF:]),
    ]


def _points(truth: FloatArray, values: FloatArray) -> Row:
    theirs, curve = points_of_annex(truth, values), roc(truth, values)
    ours = list(zip(curve.fpr.tolist(), curve.tpr.tolist(), strict=True))
    return at("Anexo 1").statement(
        "points of the curve of Tabela 1",
        "(FP / N, TP / P) before each new score, and after the last",
        " ".join(point_text(*point) for point in ours),
        holds=len(theirs) == len(ours) and np.allclose(theirs, ours),
        reason=f"The printed loop gives the same {len(theirs)} points, those of Figura 3.",
    )


def _sort(truth: FloatArray, scores: FloatArray) -> Row:
    order = order_of_annex(scores)
    theirs = roc(truth[order], np.arange(len(order))[::-1]).area
    return at("Anexo 1").formula(
        "area of Tabela 1, scored by the logarithm of the value, last row first",
        "a sort by falling score, each search starting from 0",
        theirs,
        roc(truth, scores).area,
        f"A slip: scores that are not positive are never found, so never put in order. This sort "
        f"leads to {text_of(theirs)}; no increasing function of the score may change an area.",
    )


def _last_trapezoid(of: str, truth: FloatArray, values: FloatArray) -> Row:
    theirs = area_of_annex(truth, values)
    p, n = int(truth.sum()), int(len(truth) - truth.sum())
    shown = "and cannot show where P = N" if p == n else f"and gives {text_of(theirs)} here"
    return at("Anexo 2").formula(
        f"area of {of}",
        "trapezoids, the last one up to the height N",
        theirs,
        roc(truth, values).area,
        f"The N is a slip for P {shown}: {p} p and {n} n.",
    )


def order_of_annex(scores: FloatArray) -> list[int]:
    """Return the order that the annexes sort into: positive scores fall, the others stay behind.

    >>> order_of_annex(np.array([0.2, 0.9, 0.5])), order_of_annex(np.array([-0.5, -0.1, 0.4]))
    ([1, 2, 0], [2, 1, 0])
    """
    order = list(range(len(scores)))
    for place in range(len(order)):
        found = [k for k in range(place, len(order)) if scores[order[k]] > 0]
        best = max(found, key=lambda k: scores[order[k]], default=place)
        order[place], order[best] = order[best], order[place]
    return order


def points_of_annex(truth: FloatArray, scores: FloatArray) -> list[tuple[float, float]]:
    """Return (FPR, TPR) as the loop of Anexo 1 collects them.

    >>> points_of_annex(np.array([1.0, 0, 1]), np.array([0.9, 0.5, 0.5]))
    [(0.0, 0.0), (0.0, 0.5), (1.0, 1.0)]
    """
    order = order_of_annex(scores)
    p, n = float(truth.sum()), float((1 - truth).sum())
    tp, fp, previous, points = 0.0, 0.0, -1.0, []
    for label, score in zip(truth[order].tolist(), scores[order].tolist(), strict=True):
        if score != previous:
            points.append((fp / n, tp / p))
            previous = score
        tp, fp = tp + label, fp + 1 - label
    return [*points, (fp / n, tp / p)]


def area_of_annex(truth: FloatArray, scores: FloatArray) -> float:
    """Return the area as Anexo 2 adds it up: all trapezoids, the last one up to N instead of P."""
    walk = roc(truth, scores).walk
    up, right = walk.up.astype(float), walk.right.astype(float)
    p, n = up[-1], right[-1]
    up[-1] = n
    return float(np.sum(np.diff(right) * (up[1:] + up[:-1]) / 2) / (p * n))
