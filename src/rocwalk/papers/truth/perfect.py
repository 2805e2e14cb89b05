"""Discussion: what a perfect classifier can reach (Figure 5), and AAPCC."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.roc import Curve, roc
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.truth.place import (
    DRAWN,
    HARD,
    SOFT,
    at,
    columns_of,
    numbers,
    points_of,
    truth_of,
)
from rocwalk.typing import FloatArray

_SHARES = (0.1, 0.01, 0.001)
_SAME = (0.5, 0.9)


def area_above(truth: FloatArray) -> float:
    """Return the area above the curve that orders instances by their truth."""
    return 1 - roc(truth, truth, truth="soft").area


def rows(examples: Examples) -> list[Row]:
    """Return Figure 5, and the four sentences on AAPCC."""
    return [
        _known(truth_of(examples[HARD]).perfect),
        *_figure_5(truth_of(examples[SOFT]).perfect),
        *_sentences(examples),
    ]


def _known(curve: Curve) -> Row:
    point, walk = max(points_of(curve), key=height), curve.walk
    return at("Discussion, truth 0 or 1").statement(
        "perfect curve of Figure 1",
        "up to (0, 1), then right to (1, 1)",
        f"passes through {point_text(*point)}, {text_of(float(walk.up[-1]))} instances up and "
        f"{text_of(float(walk.right[-1]))} right",
        holds=point == (0, 1),
    )


def height(point: tuple[float, float]) -> float:
    """Return how far a point lies above the diagonal."""
    return point[1] - point[0]


def _figure_5(curve: Curve) -> list[Row]:
    here, nearest = at("Discussion, Figure 5"), max(points_of(curve), key=height)
    return [
        here.statement(
            "perfect curve of Figure 3 and the point (0, 1)",
            "never reaches it",
            f"leaves FPR 0 at TPR {text_of(curve.at(fpr=0.0).tpr)} and reaches TPR 1 at FPR "
            f"{text_of(curve.at(tpr=1.0).fpr)}; furthest above the diagonal at "
            f"{point_text(*nearest)}",
            holds=(0.0, 1.0) not in points_of(curve),
        ),
        here.unprinted("FPR of the perfect curve", numbers(curve.fpr), DRAWN),
        here.unprinted("TPR of the perfect curve", numbers(curve.tpr), DRAWN),
        here.unprinted("AAPCC", 1 - curve.area, DRAWN),
    ]


def _sentences(examples: Examples) -> list[Row]:
    here, (truth, _) = at("Discussion, AAPCC"), columns_of(examples[SOFT])
    sharp = numbers([area_above(_towards(np.rint(truth), truth, k)) for k in _SHARES])
    one_end = numbers([area_above(_towards(np.ones(len(truth)), truth, k)) for k in _SHARES])
    vague = numbers([area_above(_towards(np.full(len(truth), 0.5), truth, k)) for k in _SHARES])
    left = ", ".join(map(text_of, _SHARES))
    return [
        _of_known_truth(examples),
        here.statement(
            f"AAPCC when every f is nearer to its end, 0 or 1: {left} of the way left",
            "close to 0 for little uncertainty",
            sharp,
            holds=sharp[-1] < 0.01 and _falls(sharp),
            reason="It takes certain instances of both classes; see the next row.",
        ),
        here.unprinted(
            f"AAPCC when every f is nearer to 1: {left} of the way left",
            one_end,
            "Every instance is nearly certain, and AAPCC is far from 0 all the same: no order can "
            "set apart what is all alike. It measures how far f spreads, not how sure f is.",
        ),
        here.statement(
            f"AAPCC when every f is nearer to 0.5: {left} of the way left",
            "close to 0.5 for high uncertainty",
            vague,
            holds=vague[-1] > 0.49 and _falls(vague[::-1]),
        ),
        _of_equal_truth(len(truth)),
    ]


def _of_known_truth(examples: Examples) -> Row:
    found, (truth, _) = truth_of(examples[HARD]), columns_of(examples[HARD])
    return at("Discussion, truth 0 or 1").statement(
        "AAPCC of Figure 1",
        "equal to 0",
        f"{text_of(found.aapcc)}, {text_of(truth.sum())} of class 1 and "
        f"{text_of((1 - truth).sum())} of class 0",
        holds=found.aapcc == 0,
    )


def _of_equal_truth(instances: int) -> Row:
    half, other = (area_above(np.full(instances, value)) for value in _SAME)
    return at("Discussion, AAPCC").statement(
        "AAPCC when every f is 0.5",
        "equal to 0.5",
        f"{text_of(half)}, {instances} instances",
        holds=bool(np.isclose(half, 0.5)),
        reason=f"So it is for any one value: {text_of(float(other))} when every f is "
        f"{_SAME[1]}. AUC_PRT is then undefined, 0/0, and rocwalk says so.",
    )


def _towards(end: FloatArray, truth: FloatArray, share: float) -> FloatArray:
    """Return truths that have only this share of the way to the end left."""
    return end + share * (truth - end)


def _falls(values: tuple[float, ...]) -> bool:
    return bool((np.diff(values) <= 0).all())
