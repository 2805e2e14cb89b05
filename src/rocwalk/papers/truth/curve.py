"""Methodology: the whole curve of the example, and its hull (Figure 4)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.papers.truth.place import DRAWN, SOFT, at, numbers


def rows(examples: Examples) -> list[Row]:
    """Return the points of Figure 4, its area and its hull."""
    curve = curve_of(examples[SOFT])
    return [*_points(curve), *_hull(curve)]


def _points(curve: Curve) -> list[Row]:
    here, none, everything = at("Methodology, Figure 4"), curve.at(np.inf), curve.at(-np.inf)
    return [
        here.statement(
            "the curve from the threshold +∞ to −∞",
            "from (0, 0) to (1, 1)",
            f"{point_text(none.fpr, none.tpr)} to {point_text(everything.fpr, everything.tpr)}, "
            f"{len(curve.walk)} points",
            holds=(none.fpr, none.tpr, everything.fpr, everything.tpr) == (0, 0, 1, 1),
        ),
        here.unprinted("FPR of its points", numbers(curve.fpr), DRAWN),
        here.unprinted("TPR of its points", numbers(curve.tpr), DRAWN),
        here.unprinted("AUC", curve.area, DRAWN),
    ]


def _hull(curve: Curve) -> list[Row]:
    here, hull = at("Methodology, Figure 4"), curve.hull
    slopes = numbers(np.diff(hull.tpr) / np.diff(hull.fpr))
    return [
        here.unprinted("FPR of the hull", numbers(hull.fpr), DRAWN),
        here.unprinted("TPR of the hull", numbers(hull.tpr), DRAWN),
        here.unprinted("thresholds of the hull, after ∞", numbers(hull.thresholds[1:]), DRAWN),
        here.unprinted("area under the hull", hull.area, DRAWN),
        here.statement(
            "slopes at which the best point of the hull changes",
            "points that nothing dominates, each for a range of skew ratios",
            slopes,
            holds=_chosen(curve, slopes) == len(slopes) - 1,
            reason=f"Between two of them one vertex is best: {text_of(_chosen(curve, slopes))} "
            "vertices, and the two ends.",
        ),
    ]


def _chosen(curve: Curve, slopes: tuple[float, ...]) -> int:
    """Return how many inner vertices are best for a slope between those of their two edges."""
    found = 0
    for k, (steep, flat) in enumerate(pairwise(slopes), start=1):
        best = curve.best(slope=(steep + flat) / 2)
        found += (best.fpr, best.tpr) == (curve.hull.fpr[k], curve.hull.tpr[k])
    return found
