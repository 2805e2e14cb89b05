"""Bounds of the struggle ratio of a bucketed tally, of its ψ and of its variance.

K = N/S, S = W − N, N the mass on the wrong side of the midpoint t. The midpoint is exact. What its
bucket holds may lie on either side, so N is known between two ends; and so is each thing that the
error is made of (see `rocwalk.drift.sensibility.struggle_estimate`): the chance Φ((s − t)/e)
that an item lies above the midpoint, by the ends of its bucket and of the midpoint's error e; the
ratio at each place that the midpoint might have, by the buckets that such a place may cut; and the
mean slope over these places, which is a sum of ratios. Ends are taken for each thing by itself, so
together they hold what any order inside the buckets gives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rocwalk.inference.influence import Blur, Influence, Pair
from rocwalk.tally.tally import Tally
from rocwalk.typing import FloatArray, Range

REACH = np.linspace(-4, 4, 801)  # in standard errors of the midpoint
WEIGHT = np.exp(-(REACH**2) / 2) / np.exp(-(REACH**2) / 2).sum()
_SQUARE = float((WEIGHT * REACH**2).sum())
_TIE = 1e-12  # a score as near as this to the midpoint, relatively, lies at it
_FAR = 6.0  # errors from the midpoint: what lies beyond is no evidence on the density there

Weighed = Sequence[tuple[float, Tally]]  # tallies, and how many items a mass of each is worth


def blurred_struggle(
    tally: Tally, middle: Influence, errors: Range, like: Weighed
) -> tuple[Influence, float]:
    """Return the struggle ratio with its ψ, and the most variance that ψ does not hold.

    Without the slope, ψ is (1 − a·W/S)/S = q − a·W·q² of positives, q = 1/S, with a the chance that
    the midpoint lies at or below the score; of negatives the same with 1 − a. The slope adds its
    multiple of the midpoint's own ψ, (½s − t)/U of positives and ½s/U of negatives.
    """
    whole = float(tally.total_up + tally.total_right)
    at = middle.estimate - _TIE * abs(middle.estimate)
    wrong = [float(each[0]) for each in _wrong_mass(tally, np.array([at]), np.array([at]))]
    ratios = [other / (whole - other) if whole > other else math.inf for other in wrong]
    nothing = np.zeros(len(tally))
    none = (nothing, nothing)
    if math.isinf(ratios[1]):  # perhaps no mass is on the right side
        blur = Blur((ratios[0], math.inf), none, none)
        return Influence(math.inf, *none, blur), math.nan
    ends, value = (ratios[0], ratios[1]), (ratios[0] + ratios[1]) / 2
    if errors[1] > 0 and not errors[0] > 0:  # one bucket: where the midpoint may lie is not known
        return Influence(value, *none, Blur(ends, none, none)), math.inf
    slopes, more = _slopes(like, errors) if errors[1] > 0 else ((0.0, 0.0), 0.0)
    least, most = (1 / (whole - other) for other in wrong)
    low, high = _chances(tally, middle.estimate, errors)
    total = float(tally.total_up)
    half, half_high = tally.scores / (2 * total), tally.highest / (2 * total)
    shift = middle.estimate / total
    psi, slack = [], []
    for (below, above), own in (
        ((low, high), (half - shift, half_high - shift)),
        ((1 - high, 1 - low), (half, half_high)),
    ):
        corners = np.stack([slope * each for slope in slopes for each in own])
        first = least - above * whole * most**2 + corners.min(axis=0)
        last = most - below * whole * least**2 + corners.max(axis=0)
        psi.append((first + last) / 2)
        slack.append((last - first) / 2)
    return Influence(value, psi[0], psi[1], Blur(ends, (slack[0], slack[1]), none)), more


def _wrong_mass(tally: Tally, low: FloatArray, high: FloatArray) -> Pair:
    """Return the least and the most mass on the wrong side of any place from `low` to `high`.

    What lies at or above a place is at least what lies wholly at or above `high`, and at most what
    may lie at or above `low`; of either mass.
    """
    sure = np.searchsorted(-tally.scores, -high, side="right")
    possible = np.searchsorted(-tally.highest, -low, side="right")
    up, right = (
        np.append(0.0, np.cumsum(mass.astype(np.float64))) for mass in (tally.up, tally.right)
    )
    return right[sure] + up[-1] - up[possible], right[possible] + up[-1] - up[sure]


def _chances(tally: Tally, middle: float, errors: Range) -> Pair:
    """Return the least and the most chance that the midpoint lies at or below a score of each row.

    Φ((s − t)/e) rises with s; with e it falls above the midpoint and rises below it.
    """
    from scipy.special import ndtr

    if not errors[1] > 0:
        at = middle - _TIE * abs(middle)
        return (tally.scores >= at).astype(np.float64), (tally.highest >= at).astype(np.float64)
    low, high = tally.scores - middle, tally.highest - middle
    least: FloatArray = ndtr(np.where(low > 0, low / errors[1], low / errors[0]))
    most: FloatArray = ndtr(np.where(high > 0, high / errors[0], high / errors[1]))
    return least, most


def _slopes(like: Weighed, errors: Range) -> tuple[Range, float]:
    """Return the ends of the mean slope without its noise, and the most variance about it.

    With x the place in errors and ω its weight, the slope is Σωx·ratio / (e·Σωx²), and what it
    misses is the length of the ratios minus their mean and their line over x. Ratios between ends
    make that length at most as much longer as half the distance of the ends is long.
    """
    scores = sum(w * float(one.up_score.sum() + one.right_score.sum()) for w, one in like)
    middle = scores / (2 * sum(w * float(one.total_up) for w, one in like))
    whole = sum(w * float(one.total_up + one.total_right) for w, one in like)
    places = middle + np.minimum(errors[0] * REACH, errors[1] * REACH)
    others = middle + np.maximum(errors[0] * REACH, errors[1] * REACH)
    wrong = [(w, _wrong_mass(one, places, others)) for w, one in like]
    low, high = (
        np.divide(other, whole - other, out=np.full(len(other), np.inf), where=whole > other)
        for other in (np.sum([w * pair[k] for w, pair in wrong], axis=0) for k in (0, 1))
    )
    if not np.isfinite(high).all():  # at some place perhaps no mass is on the right side
        return (0.0, 0.0), math.inf
    steep = []
    for k, (right, left) in enumerate(((low, high), (high, low))):
        moment = float((WEIGHT * REACH * np.where(REACH > 0, right, left)).sum()) / _SQUARE
        steep.append(moment / errors[int((moment > 0) != bool(k))])
    noise = _noises(like, middle, errors)
    kept = [
        math.copysign(math.sqrt(max(slope**2 - each, 0.0)), slope)
        for slope in steep
        for each in noise
    ]
    centre, half = (low + high) / 2, (high - low) / 2
    centre = centre - float((WEIGHT * centre).sum())
    line = float((WEIGHT * REACH * centre).sum()) / _SQUARE
    missed = math.sqrt(float((WEIGHT * (centre - line * REACH) ** 2).sum()))
    missed += math.sqrt(float((WEIGHT * half**2).sum()))
    return (min(kept), max(kept)), max(missed**2 - noise[0] * errors[0] ** 2 * _SQUARE, 0.0)


def _noises(like: Weighed, middle: float, errors: Range) -> Range:
    """Return the ends of the noise in the slope's square, (W/S²)²·Σ(u − r)²·φ².

    φ = exp(−½x²)/(e·√2π), with x the distance of an item from the midpoint in errors e.
    """
    whole = sum(w * float(one.total_up + one.total_right) for w, one in like)
    at = np.array([middle])
    wrong = [sum(w * float(_wrong_mass(one, at, at)[k][0]) for w, one in like) for k in (0, 1)]
    sums = [0.0, 0.0]
    for w, one in like:
        squares = one.up_squared - 2 * one.up_right + one.right_squared
        low, high = one.scores - middle, one.highest - middle
        nearest = np.maximum(np.maximum(low, -high), 0.0) / errors[1]
        farthest = np.maximum(np.abs(low), np.abs(high)) / errors[0]
        least = np.where(farthest < _FAR, np.exp(-(farthest**2)), 0.0) / errors[1] ** 2
        most = np.where(nearest <= _FAR, np.exp(-(nearest**2)), 0.0) / errors[0] ** 2
        for k, each in enumerate((least, most)):
            sums[k] += w**2 * (float((squares * each).sum()) / (2 * math.pi))
    steps = [whole / max(whole - other, np.finfo(float).tiny) ** 2 for other in wrong]
    return steps[0] ** 2 * sums[0], steps[1] ** 2 * sums[1]
