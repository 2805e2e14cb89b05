"""§5: the mean of two curves, vertically (Figura 5) and by threshold."""

from __future__ import annotations

import numpy as np

from rocwalk.curves.averages import AveragedCurve, average
from rocwalk.curves.roc import Curve
from rocwalk.papers.classic.area import OUR_CURVES, common_rates, curves_a_and_b
from rocwalk.papers.classic.place import at
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row, point_text, text_of
from rocwalk.tally.walk import highest_tpr
from rocwalk.typing import FloatArray

RATE, THRESHOLD = 0.3, 0.5


def vertical_mean(a: Curve, b: Curve) -> AveragedCurve:
    """Return curve C of Figura 5."""
    return average([a, b], how="vertical")


def rows(examples: Examples) -> list[Row]:
    """Return both ways of averaging, on the curves that stand in for A and B."""
    a, b = curves_a_and_b(examples)
    return [*_vertical(a, b, vertical_mean(a, b)), _by_threshold(a, b)]


def _vertical(a: Curve, b: Curve, c: Curve) -> list[Row]:
    here, rates = at("§5, Figura 5"), common_rates(a, b)
    heights = [highest_tpr(curve.walk, rates) for curve in (a, b, c)]
    between = (np.minimum(*heights[:2]) <= heights[2]) & (heights[2] <= np.maximum(*heights[:2]))
    at_a, at_b, at_c = (curve.at(fpr=RATE).tpr for curve in (a, b, c))
    return [
        here.formula(
            f"C is the vertical mean of A and B: tp rate at fp rate {RATE}",
            "the mean of the tp rates of A and B",
            (at_a + at_b) / 2,
            at_c,
            f"{OUR_CURVES} A has {text_of(at_a)} there, B has {text_of(at_b)}.",
        ),
        here.statement(
            "C runs between A and B",
            "C is the mean of the two",
            f"at {between.sum()} of {len(rates)} fp rates; at 0 they have {_at_zero(heights)}",
            holds=bool(between.all()),
            reason=OUR_CURVES,
        ),
        here.unprinted(
            "area under C",
            c.area,
            f"It is the mean of A's {text_of(a.area)} and B's {text_of(b.area)}: vertical "
            "averaging keeps areas.",
        ),
    ]


def _at_zero(heights: list[FloatArray]) -> str:
    named = zip("ABC", heights, strict=True)
    return ", ".join(f"{name} {text_of(float(height[0]))}" for name, height in named)


def _by_threshold(a: Curve, b: Curve) -> Row:
    of_a, of_b = a.at(THRESHOLD), b.at(THRESHOLD)
    mean = average([a, b], how="threshold").at(THRESHOLD)
    by_hand = ((of_a.fpr + of_b.fpr) / 2, (of_a.tpr + of_b.tpr) / 2)
    both = f"{point_text(of_a.fpr, of_a.tpr)} and {point_text(of_b.fpr, of_b.tpr)}"
    return at("§5").statement(
        f"mean by threshold, at {THRESHOLD}",
        "the mean of the points that the curves have there",
        point_text(mean.fpr, mean.tpr),
        holds=np.allclose(by_hand, (mean.fpr, mean.tpr)),
        reason=f"{OUR_CURVES} Their points are {both}.",
    )
