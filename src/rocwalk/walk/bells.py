"""Sums over all pairs for the normal kernel: Σ Φ(D / s), with a proven bound on the error.

Around each lag of `rocwalk.walk.lags` the normal distribution function is replaced by its Taylor
polynomial of order p. By Cramér's inequality |Heₙ(z)|·exp(−z²/4) ≤ 1.0865·√(n!), so the remainder
of a pair at lag k is at most

    (step/s)^(p+1) / (p+1)! · 1.0865·√(p!) / √(2π) · exp(−z²/4),   z = (k − 1)₊·step/s,

because no pair is further than one step from its lag. Where few pairs are closer than 8.5·s, they
are summed one by one instead: beyond, Φ differs from 0 or 1 by less than 1e-17.
"""

from __future__ import annotations

import math

import numpy as np

from rocwalk.typing import FloatArray, IntArray
from rocwalk.walk.lags import Lags, lags_of
from rocwalk.walk.pairs import near_counts, near_pairs
from rocwalk.walk.sides import Sides, running_depth
from rocwalk.walk.windows import Sums

_REACH = 8.5
_CRAMER = 1.0865 / math.sqrt(2 * math.pi)
_ROUNDING = 64 * 2.0**-53
_GOAL = 1e-12
_STEEP = 1e6  # with steps of so many deviations every lag but 0 is far
_ORDERS = (3, 7, 11)
_MOST_BINS = 2**20
# Rough costs in nanoseconds, only to choose a way: a pair, a row and order, a bin and order
_PAIR, _ROW, _BIN = 30.0, 3.0, 200.0


def normal_sums(sides: Sides, spread: float) -> Sums:
    """Return Σ Φ(D/s) by share of pairs, the cheaper way; s > 0."""
    low, high = near_counts(sides, _REACH * spread)
    pairs = int((high - low).sum())
    bins, order, cost = _plan(sides, spread)
    if bins > _MOST_BINS or pairs * _PAIR <= cost:
        return _sums_of_pairs(sides, low, high, spread)
    return sums_of_lags(lags_of(sides, bins, order), spread)


def _plan(sides: Sides, spread: float) -> tuple[int, int, float]:
    """Return the bins and the order that reach the goal at the least cost."""
    low = min(sides.positive.scores[0], sides.negative.scores[0])
    span = max(sides.positive.scores[-1], sides.negative.scores[-1]) - low
    plans = []
    for order in _ORDERS:
        ratio = (_GOAL / _remainder_factor(order)) ** (1 / (order + 1))
        steps = min(max(float(span) / max(ratio * spread, 1e-30), 1.0), 1e15)
        bins = 2 ** max(math.ceil(math.log2(steps)), 6)
        rows = len(sides.positive) + len(sides.negative)
        plans.append((bins, order, (order + 1) * (rows * _ROW + bins * _BIN)))
    return min(plans, key=lambda plan: plan[2])


def _remainder_factor(order: int) -> float:
    return _CRAMER * math.sqrt(math.factorial(order)) / math.factorial(order + 1)


def _sums_of_pairs(sides: Sides, low: IntArray, high: IntArray, spread: float) -> Sums:
    from scipy.special import ndtr

    many = sides.many
    net = sides.sign * sides.few.weigh(many.before(low) + many.before(high) - 1.0) / 2
    slope = bend = 0.0
    for difference, share in near_pairs(sides, low, high):
        z = difference / spread
        bell = share * z * np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
        net += float((share * (ndtr(z) - 0.5)).sum())
        slope += float(bell.sum())
        bend -= float((bell * z * z).sum())
    return Sums(0.5 + net, slope, bend, _ROUNDING + 2.0**-53 * running_depth(len(many)))


def sums_of_lags(lags: Lags, spread: float) -> Sums:
    """Return Σ Φ(D/s) from the lags; their order and step decide how near it comes."""
    order = len(lags.over) - 1
    ratio = min(lags.step / spread, _STEEP)
    near = min(lags.over.shape[1], math.ceil((_REACH + 0.5) / ratio) + 2)
    z = np.arange(near) * ratio
    shapes = derivatives(z, order + 2)
    area = float(lags.odd[0, near:].sum()) / 2
    slope = bend = 0.0
    for m in range(order + 1):
        part = lags.odd[m, :near] * (ratio**m / math.factorial(m))
        once, twice = z * shapes[m + 1], z * z * shapes[m + 2]
        area += float((part * shapes[m]).sum())
        slope += float((part * (m * shapes[m] + once)).sum())
        bend += float((part * (m * (m - 1) * shapes[m] + 2 * m * once + twice)).sum())
    closest = np.maximum(z - ratio, 0.0)
    remainder = float((lags.gross[:near] * np.exp(-0.25 * closest * closest)).sum())
    remainder *= ratio ** (order + 1) * _remainder_factor(order)
    return Sums(0.5 + area, slope, bend, remainder + 4 * lags.noise + _ROUNDING)


def signed_sums_of_lags(
    lags: Lags, spread: float
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], list[float]]:
    """Return Σ Φ(D/s), Σ |D|·φ(D/s), Σ |D|³·φ(D/s), each over D > 0 and D < 0 apart, with errors.

    Of the pairs of lag 0 only the sign is known. φ⁽ⁿ⁾ being known, z·φ = −φ′ and
    z³·φ = −φ‴ − 3φ′ have Taylor series too.
    """
    order = len(lags.over) - 1
    ratio = min(lags.step / spread, _STEEP)
    near = min(lags.over.shape[1], math.ceil((_REACH + 0.5) / ratio) + 2)
    z = np.arange(near) * ratio
    shapes = derivatives(z, order + 4)
    signs = [(-1.0) ** m for m in range(order + 1)]
    scales = [ratio**m / math.factorial(m) for m in range(order + 1)]
    rows = []
    for moments, turn in ((lags.over, [1.0] * (order + 1)), (lags.under, signs)):
        parts = [moments[m, 1:near] * scales[m] * turn[m] for m in range(order + 1)]
        far = float(moments[0, near:].sum())
        share = float(moments[0, 1:near].sum()) + far
        half = far / 2 + sum(float((p * shapes[m][1:]).sum()) for m, p in enumerate(parts))
        first = -sum(float((p * shapes[m + 2][1:]).sum()) for m, p in enumerate(parts))
        third = -sum(
            float((p * (shapes[m + 4] + 3 * shapes[m + 2])[1:]).sum()) for m, p in enumerate(parts)
        )
        rows.append((share, half, spread * first, spread**3 * third))
    still = lags.still
    value = (
        (rows[0][0] + still[0]) / 2 + rows[0][1],
        (rows[1][0] + still[1]) / 2 - rows[1][1],
    )
    errors = _signed_errors(lags, spread, near)
    return value, (rows[0][2], rows[1][2]), (rows[0][3], rows[1][3]), errors


def _signed_errors(lags: Lags, spread: float, near: int) -> list[float]:
    """Bound the errors of `signed_sums_of_lags`: remainders, lag 0 and rounding."""
    order, ratio = len(lags.over) - 1, min(lags.step / spread, _STEEP)
    closest = np.maximum(np.arange(near) - 1, 0) * ratio
    weight = float((lags.gross[:near] * np.exp(-0.25 * closest * closest)).sum())
    weight *= ratio ** (order + 1) / math.factorial(order + 1) * _CRAMER
    tops = [math.sqrt(math.factorial(order + extra)) for extra in (0, 2, 4)]
    # no function of the near pairs can be off by more than its range: 1, sup zφ < ¼, sup z³φ < ½
    mass, still = float(lags.gross[1:near].sum()), float(lags.gross[0])
    low = ratio / math.sqrt(2 * math.pi)
    noise, widest = 16 * lags.noise + _ROUNDING, min(near * ratio, 1.0)
    return [
        min(weight * tops[0], mass) + still * min(low, 0.5) + noise,
        spread * (min(weight * tops[1], mass / 4) + still * min(low, 0.25) + noise * widest),
        spread**3
        * (
            min(weight * (tops[2] + 3 * tops[1]), mass / 2)
            + still * min(low * ratio**2 if ratio < 1 else 0.5, 0.5)
            + 2 * noise * widest**3
        ),
    ]


def derivatives(z: FloatArray, highest: int) -> list[FloatArray]:
    """Return Φ − ½ and its derivatives, by φ⁽ⁿ⁺¹⁾ = −z·φ⁽ⁿ⁾ − n·φ⁽ⁿ⁻¹⁾."""
    from scipy.special import ndtr

    shapes = [ndtr(z) - 0.5, np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)]
    shapes.append(-z * shapes[1])
    for n in range(1, highest - 1):
        shapes.append(-z * shapes[-1] - n * shapes[-2])
    return shapes[: highest + 1]
