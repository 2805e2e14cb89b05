"""Confidence limits in closed form: of a share, of an area, and symmetric on the logit scale.

These are functions of numbers and tallies; `rocwalk.inference.intervals` chooses among them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwalk.inference.distributions import NOISE, beta_quantile, crossing
from rocwalk.statistic import Share
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import index_at, walk_of
from rocwalk.typing import FloatArray, Range


@dataclass(frozen=True, slots=True)
class Limited:
    """A number with its standard error and its limits in closed form."""

    estimate: float
    error: float
    limits: Range


def without_rounding(share: float) -> float:
    """Return 0 or 1 for a share that differs from it by rounding only, else the share."""
    nearest = round(share)
    return float(nearest) if abs(share - nearest) <= NOISE else share


# -- areas -----------------------------------------------------------------------------------------


def hanley_variance(theta: float, n_up: float, n_right: float) -> float:
    """Return the variance of an area θ by Hanley & McNeil (1982), with Newcombe's mean sample size.

    θ(1−θ){1 + (N−1)[(1−θ)/(2−θ) + θ/(1+θ)]}/(n⁺n⁻) with N = (n⁺+n⁻)/2.
    """
    more = (n_up + n_right) / 2 - 1
    spread = 1 + more * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    return theta * (1 - theta) * spread / (n_up * n_right)


def newcombe(ends: Range, sizes: tuple[float, float], z: float) -> Range:
    """Return the areas θ that an estimate does not reject: |Â − θ| = z·√V(θ) (Newcombe 2006).

    This is method 5, with `hanley_variance` as V. The limits do not meet at areas of 0 or 1. Both
    rise with Â; so where buckets leave Â open between two `ends`, the lower limit is that of the
    lower end, and the upper limit that of the upper end.
    """
    return newcombe_low(ends[0], sizes, z), 1 - newcombe_low(1 - ends[1], sizes, z)


def newcombe_low(estimate: float, sizes: tuple[float, float], z: float) -> float:
    """Return Newcombe's lower limit; the upper one is 1 minus that of 1 − Â.

    It is the root of (Â − θ)²/(1 − θ) − z²·V(θ)/(1 − θ), which does not vanish at Â = 1.
    """
    if not 0 < estimate <= 1 or not z > 0:
        return estimate

    def excess(theta: float) -> float:
        rest = 1 - theta
        if not rest > 0:
            return -(z**2) * (sum(sizes) / 2 + 1) / (2 * sizes[0] * sizes[1])  # its limit
        return (estimate - theta) ** 2 / rest - z**2 * hanley_variance(theta, *sizes) / rest

    return crossing(excess, estimate, 0.0)


FEW_ITEMS = 30  # of a class
FEW_MISPLACED = 10  # n·min(A, 1 − A) of the smaller class


def are_few(
    ends: Range, sizes: tuple[float, float], misplaced: float = FEW_MISPLACED
) -> tuple[bool, bool]:
    """Return whether items are too few for DeLong's error alone: for some area in `ends`, for all.

    They are if the smaller class has n < 30 items, or if n·min(A, 1 − A), about the number of its
    items that are out of order, is less than `misplaced`. An area is then skewed, and its error is
    small where the area is large by chance. The ends differ only where buckets leave A open.

    >>> are_few((0.8, 0.8), (8, 392)), are_few((0.99, 0.99), (200, 200))
    ((True, True), (True, True))
    >>> are_few((0.8, 0.8), (100, 100)), are_few((0.85, 0.95), (100, 100))
    ((False, False), (True, False))
    """
    if min(sizes) < FEW_ITEMS:
        return True, True
    least, most = ends
    middle = min(max(least, 0.5), most)
    nearest, farthest = min(least, 1 - most), min(middle, 1 - middle)
    return min(sizes) * nearest < misplaced, min(sizes) * farthest < misplaced


def most_area_error(counts: tuple[float, float] | None) -> float:
    """Return c such that the standard error of an area A is at most c·min(A, 1 − A).

    The placements' distances from 1 are never negative and have the mean δ = 1 − A, so Σd² is at
    most (Σd)²: each class of n items adds δ²·n/(n − 1) at most. Of soft or weighted items (counts
    None) each class adds at most ‖ud‖/U + δ‖u‖/U ≤ 2δ to the length. Likewise with the distances
    from 0.
    """
    return 4.0 if counts is None else math.sqrt(sum(n / (n - 1) for n in counts))


def logit_limits(ends: Range, reach: float, steepest: float) -> Range:
    """Return the union of the intervals symmetric on the logit scale of all estimates A in `ends`.

    Each interval is logit A ∓ min(reach, steepest·min(A, 1 − A)) / (A(1 − A)), where `reach` is
    quantile · error and `steepest` is infinite unless the error is bounded by c·min(A, 1 − A).

    Where the arm is reach / (A(1 − A)), the lower end on the logit scale has the slope
    [A(1 − A) + reach·(1 − 2A)] / (A(1 − A))², which changes its sign once, from plus to minus: it
    is least at an end. Where the arm is steepest / A, for A near 1, it rises; where it is
    steepest / (1 − A), for A near 0, it again rises and then falls. So the least lies at an end, or
    where two of these meet. The upper end is the mirror image.
    """
    turns = (reach / steepest, 1 - reach / steepest)
    lows, highs = [], []
    for area in (*ends, *(turn for turn in turns if ends[0] < turn < ends[1])):
        if not 0 < area < 1:
            point = math.isfinite(steepest) or not reach > 0
            low, high = (area, area) if point else (0.0, 1.0)
        else:
            middle = math.log(area / (1 - area))
            arm = min(reach, steepest * min(area, 1 - area)) / (area * (1 - area))
            low, high = (
                1 / (1 + math.exp(-min(max(end, -700.0), 700.0)))
                for end in (middle - arm, middle + arm)
            )
        lows.append(low)
        highs.append(high)
    return min(lows), max(highs)


def log_limits(ends: Range, reach: float) -> Range:
    """Return the union of the intervals symmetric on the log scale of all estimates in `ends`.

    Each is K·exp(∓ reach/K). The lower limit rises with K, the upper one falls and then rises: the
    limits are those of an end. Where the lower end is 0, the upper limit is the plain scale's.
    """
    least, most = ends
    if not least > 0:
        return 0.0, most + reach
    return (
        least * math.exp(-min(reach / least, 700.0)),
        max(end * math.exp(min(reach / end, 700.0)) for end in ends),
    )


# -- shares ----------------------------------------------------------------------------------------


def wilson(share: float, count: float, z: float) -> Range:
    """Return Wilson's score interval (1927) of a share of `count` items.

    >>> [round(end, 4) for end in wilson(0.0, 10, 1.959964)]
    [0.0, 0.2775]
    """
    middle = share + z**2 / (2 * count)
    arm = z * math.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    below = 1 + z**2 / count
    low = 0.0 if share == 0 else (middle - arm) / below
    high = 1.0 if share == 1 else (middle + arm) / below
    return low, high


def limits_without_spread(ends: Range, span: Range, count: float, z: float) -> Range:
    """Return limits of a mean of numbers within `span`, of `count` items that all have one value.

    At most the share q of the population differs from them, by Wilson's upper limit of none of
    `count` items, and may lie anywhere in the span: c − q·(c − lowest) to c + q·(highest − c). An
    infinite end of the span is an infinite limit. `ends` are those of c where buckets leave it
    open.

    >>> low, high = limits_without_spread((0.0, 0.0), (0.0, 1.0), 10, 1.959964)
    >>> low, round(high, 4)
    (0.0, 0.2775)
    """
    share = wilson(0.0, count, z)[1]
    (least, most), (lowest, highest) = ends, span
    return least - share * (least - lowest), most + share * (highest - most)


def clopper_pearson(
    up: FloatArray, right: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """Return Clopper & Pearson's limits (1934) of up / (up + right), of counts or masses.

    The lower limit is the quantile of Beta(up, right + 1), the upper one that of Beta(up + 1,
    right). They also hold the true share above the up-th highest of as many values: it has the
    distribution Beta(up, right + 1), whatever that of the values.

    >>> low, high = clopper_pearson(np.array([9.0]), np.array([1.0]), 0.95)
    >>> round(float(low[0]), 4), round(float(high[0]), 4)
    (0.555, 0.9975)
    """
    tail, tiny = (1 - level) / 2, 1e-12 * (up + right)
    least = []
    for hits, misses in ((up, right), (right, up)):
        found = np.where(hits <= tiny, 0.0, np.nan)
        held = hits > tiny
        found[held] = beta_quantile(hits[held] * 1.0, misses[held] + 1.0, tail)
        least.append(found)
    return least[0], 1.0 - least[1]


def share_masses(tally: Tally, share: Share, threshold: float | None) -> tuple[float, float, float]:
    """Return the mass of the hits, that of hits and misses, and Σw² of the latter."""
    cut = 0 if threshold is None else int(index_at(walk_of(tally), np.asarray(threshold)))
    hits = count = squares = 0.0
    for rows, (up, right) in ((slice(0, cut), ("tp", "fp")), (slice(cut, None), ("fn", "tn"))):
        masses = {up: tally.up[rows].sum(), right: tally.right[rows].sum()}
        own = {up: tally.up_squared[rows].sum(), right: tally.right_squared[rows].sum()}
        counted = [cell for cell in (up, right) if cell in share.hits + share.misses]
        hits += float(sum(masses[cell] for cell in counted if cell in share.hits))
        count += float(sum(masses[cell] for cell in counted))
        squares += float(sum(own[cell] for cell in counted))
        squares += float(2 * tally.up_right[rows].sum()) if len(counted) == 2 else 0.0
    return hits, count, squares


def rows_above(tally: Tally, threshold: float | None) -> tuple[int, int]:
    """Return how many rows lie wholly, and how many at least in part, at or above a threshold.

    The two differ where the threshold lies inside a bucket.
    """
    at = math.inf if threshold is None else threshold
    return int(np.count_nonzero(tally.scores >= at)), int(np.count_nonzero(tally.highest >= at))


def share_corners(
    tally: Tally, share: Share, threshold: float | None, weight: float
) -> tuple[tuple[Range, Range], float]:
    """Return the extreme (hits, misses) of a rate whose threshold cuts a bucket.

    First the fewest hits with the most misses, then the most hits with the fewest misses; and the
    smallest number of items that can count, which varies for predictive values only. The bucket
    that the threshold cuts has an item on either side of it, so at least one item counts.
    """
    (up, right), (more_up, more_right) = (
        [float(mass[:rows].sum()) / weight for mass in (tally.up, tally.right)]
        for rows in rows_above(tally, threshold)
    )
    all_up, all_right = (float(m) / weight for m in (tally.total_up, tally.total_right))
    cells = {
        "tp": (up, more_up),
        "fp": (right, more_right),
        "fn": (all_up - more_up, all_up - up),
        "tn": (all_right - more_right, all_right - right),
    }
    hits, misses = (
        [sum(cells[cell][end] for cell in side) for end in (0, 1)]
        for side in (share.hits, share.misses)
    )
    corners = (
        (max(hits[0], 1.0 - misses[1]), misses[1]),
        (hits[1], max(misses[0], 1.0 - hits[1])),
    )
    counted = {*share.hits, *share.misses}
    of_classes = {"tp", "fn"} <= counted or {"fp", "tn"} <= counted
    fewest = hits[0] + misses[1] if of_classes else hits[0] + misses[0]
    return corners, max(fewest, 1.0)
