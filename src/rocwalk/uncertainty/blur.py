"""What buckets leave open of a number and of its error (SPEC §10).

The items of a bucket have lost their order, so what each adds to a number, ψ, is known up to a
slack, or as a mean with a spread about it. Errors are lengths ‖ψ‖ = √Σwᵢ²ψᵢ², and lengths give
bounds that hold for every order inside the buckets:

* |ψᵢ − ψ_row| ≤ g: ‖ψ‖ is within ‖g‖ of the length of ψ_row, by the triangle inequality;
* ψ_row is the mean of the ψᵢ of its row: ‖ψ‖² is that of ψ_row and what ψᵢ vary inside the rows,
  Σwᵢ²(ψᵢ − ψ_row)², which lies between 0 and Σw²·σ², with σ² the most that numbers of such a mean
  and such ends can vary, (highest − mean)·(mean − lowest) (Bhatia & Davis 2000).

Subtracting the mean of a class makes no length greater where all items of the class weigh the same;
where they do not, it may add the mean of the slack.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocwalk.typing import FloatArray
from rocwalk.walk.tally import Tally

_EVEN = 1e-9  # weights that differ by less, relatively, are constant
Pair = tuple[FloatArray, FloatArray]  # of positive and of negative mass
Range = tuple[float, float]  # the least and the most


@dataclass(frozen=True, slots=True)
class Blur:
    """What buckets leave open: the ends of a number, the slack of ψ and its spread σ² by row."""

    ends: Range
    slack: Pair
    spread: Pair

    def times(self, factor: float, ends: Range) -> Blur:
        """Return the blur of a number whose ψ is so many times as large."""
        up, right = (abs(factor) * each for each in self.slack)
        more_up, more_right = (factor**2 * each for each in self.spread)
        return Blur(ends, (up, right), (more_up, more_right))


def spans(tally: Tally) -> FloatArray:
    """Return how far apart the scores of each row may lie; 0 in rows of one score."""
    return tally.highest - tally.scores


def row_means(tally: Tally) -> Pair:
    """Return the mean score of the positive and of the negative mass of each row, exactly."""
    if not tally.is_bucketed:
        return tally.scores, tally.scores
    up, right = (
        np.clip(
            np.divide(moment, mass, out=tally.scores.copy(), where=mass > 0),
            tally.scores,
            tally.highest,
        )
        for mass, moment in ((tally.up, tally.up_score), (tally.right, tally.right_score))
    )
    return up, right


def row_spreads(tally: Tally) -> Pair:
    """Return the most that the scores of each class can vary about their mean inside each row.

    (highest − mean)·(mean − lowest); 0 where there is one item.
    """
    up, right = (
        np.where(tally.is_counts & (mass <= 1), 0.0, (tally.highest - mean) * (mean - tally.scores))
        for mass, mean in zip((tally.up, tally.right), row_means(tally), strict=True)
    )
    return up, right


def is_hard(tally: Tally) -> bool:
    """Whether each item is of one class, and all items of a class have one weight.

    With weights a and b, Σu² = a·Σu and Σr² = b·Σr in each row. A row of unlike weights may obey
    that, but it has more items than Σu/a + Σr/b then (Cauchy & Schwarz).
    """
    if tally.is_counts:
        return True
    if np.any(tally.up_right):
        return False
    items = np.zeros(len(tally))
    for mass, squared in ((tally.up, tally.up_squared), (tally.right, tally.right_squared)):
        weight = float(squared.sum()) / max(float(mass.sum()), np.finfo(float).tiny)
        if not np.allclose(squared, weight * mass, rtol=_EVEN, atol=0.0):
            return False
        items += mass / weight if weight > 0 else 0.0
    return bool(np.allclose(items, tally.count, rtol=_EVEN, atol=0.0))


def linear_blur(tally: Tally, value: float, slopes: Range) -> Blur | None:
    """Return the blur where ψ is linear in the score of each class; None if every score is known.

    ψ of a row is that of its mean score. Hard labels of one weight then have a spread and no slack.
    Of other masses the mean score of the items is not the mean score of the mass: they have slack.
    """
    if not tally.is_bucketed:
        return None
    nothing = np.zeros(len(tally))
    none = (nothing, nothing)
    if is_hard(tally):
        up, right = row_spreads(tally)
        return Blur((value, value), none, (slopes[0] ** 2 * up, slopes[1] ** 2 * right))
    means = row_means(tally)
    up, right = (np.maximum(tally.highest - mean, mean - tally.scores) for mean in means)
    return Blur((value, value), (abs(slopes[0]) * up, abs(slopes[1]) * right), none)


# -- lengths ---------------------------------------------------------------------------------------


def blurred(middle: float, slack: float, spread: float) -> Range:
    """Return the least and the most of ‖ψ‖², from that of the rows, ‖g‖² and Σw²σ².

    >>> blurred(4.0, 1.0, 0.0), blurred(9.0, 0.0, 16.0)
    ((1.0, 9.0), (9.0, 25.0))
    """
    least = max(math.sqrt(middle) - math.sqrt(slack), 0.0)
    return least**2, (math.sqrt(middle + spread) + math.sqrt(slack)) ** 2


def class_blurred(
    middle: float, blur: Blur | None, side: int, masses: Pair, *, even: bool
) -> Range:
    """Return the least and the most of one class's ‖ψ‖², ψ being less its mean in the class.

    `masses` are Σw and Σw² of the class by row, `even` says whether all its items weigh the same.
    """
    if blur is None:
        return middle, middle
    (mass, squared), slack = masses, blur.slack[side]
    if not even:
        slack = slack + float((mass * slack).sum()) / float(mass.sum())
    return blurred(
        middle, float((squared * slack**2).sum()), float((squared * blur.spread[side]).sum())
    )


def sample_blurred(middle: float, blur: Blur | None, tally: Tally) -> Range:
    """Return the least and the most of ‖ψ‖² over all items, which may have both masses."""
    if blur is None:
        return middle, middle
    squares = tally.up_squared, tally.right_squared
    slack, other = blur.slack
    reach = squares[0] * slack**2 + 2 * tally.up_right * slack * other + squares[1] * other**2
    spread = sum(
        float((square * each).sum()) for square, each in zip(squares, blur.spread, strict=True)
    )
    return blurred(middle, float(reach.sum()), spread)


# -- differences -----------------------------------------------------------------------------------


def least_degrees(parts: Sequence[Range], counts: Sequence[float]) -> float | None:
    """Return the least degrees of freedom of Welch and Satterthwaite, (Σv)² / Σ v²/(n − 1).

    At least (Σ least v)² / Σ (most v)²/(n − 1), and never below the smallest n − 1; None if all
    v are 0.
    """
    below = sum(most**2 / (n - 1) for (_, most), n in zip(parts, counts, strict=True))
    if not below > 0:
        return None
    found = sum(least for least, _ in parts) ** 2 / below
    exact = all(least == most for least, most in parts)
    return found if exact else max(found, min(counts) - 1)


def least_distance(low: float, high: float) -> float:
    """Return what lies nearest to 0 between two ends.

    >>> least_distance(0.1, 0.3), least_distance(-0.3, -0.1), least_distance(-0.1, 0.3)
    (0.1, -0.1, 0.0)
    """
    return min(max(low, 0.0), high) if high > 0 else high
