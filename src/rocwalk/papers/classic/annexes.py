"""Anexo 1 and Anexo 2: what the printed functions would give, beside the area of the walk.

Only what they do is re-created here: the sort that finds nothing at or below 0, and the last
trapezoid whose height is taken from the wrong total.
"""

from __future__ import annotations

import numpy as np

from rocwalk.front.curve import roc
from rocwalk.papers.classic.place import at
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, text_of
from rocwalk.typing import FloatArray

_HALF = 10


def rows(examples: Examples) -> list[Row]:
    """Return the area that the annexes give, where they are right and where they are not."""
    example = examples["classic_table_1"]
    truth, values = np.array(example.y_true, dtype=float), np.array(example.y_prob)
    return [
        _sort(truth[::-1], np.log(values[::-1])),
        _last_trapezoid("Tabela 1", truth, values),
        _last_trapezoid("the first ten rows of Tabela 1", truth[:_HALF], values[:_HALF]),
        _last_trapezoid("the last ten rows of Tabela 1", truth[_HALF:], values[_HALF:]),
    ]


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


def area_of_annex(truth: FloatArray, scores: FloatArray) -> float:
    """Return the area as Anexo 2 adds it up: all trapezoids, the last one up to N instead of P."""
    walk = roc(truth, scores).walk
    up, right = walk.up.astype(float), walk.right.astype(float)
    p, n = up[-1], right[-1]
    up[-1] = n
    return float(np.sum(np.diff(right) * (up[1:] + up[:-1]) / 2) / (p * n))
