"""All pair differences at once: how the mass of D = sᵢ − sⱼ spreads over equal steps.

Scores are put into bins of width `step`; a pair whose bins are k apart has D near k·step. For each
such lag k this keeps the mass of its pairs and the moments Σ ((D/step) − k)^m, all from a few
Fourier transforms of the binned moments of the two classes. A smooth function of D then has a
Taylor series around each lag with a proven remainder, because |D/step − k| ≤ 1; and sums over
many widths need the data only once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.smear.sides import Side, Sides, near_counts, near_pairs, running_depth
from rocwalk.smear.uniform import Sums
from rocwalk.typing import FloatArray, IntArray

_EPS = 2.0**-53


_FFT_ERROR = 8.0  # times eps·log₂(size): generous for the l² error of a transform and its inverse


@dataclass(frozen=True, eq=False)
class Lags:
    """Moments of D/step − k by lag; column k of `over` holds D = k·step, of `under` D = −k·step.

    Row m holds the m-th moment, by share of all pairs. Lag 0 stands in `over` alone; `tied` is
    the share of its pairs that are exactly equal. `noise` bounds the rounding error of a sum over
    the lags of any function that stays within [−1, 1].
    """

    step: float
    over: FloatArray
    under: FloatArray
    tied: float
    noise: float
    more: float  # the share of pairs with D > 0

    @cached_property
    def gross(self) -> FloatArray:
        """The share of pairs at each lag, either sign, without exact ties."""
        gross: FloatArray = np.maximum(self.over[0], 0.0) + np.maximum(self.under[0], 0.0)
        gross[0] = max(gross[0] - self.tied, 0.0)
        return gross

    @cached_property
    def still(self) -> tuple[float, float]:
        """The shares of lag 0 with D > 0 and with D < 0: what the other lags leave."""
        over = min(max(self.more - float(self.over[0, 1:].sum()), 0.0), float(self.gross[0]))
        return over, float(self.gross[0]) - over

    @cached_property
    def odd(self) -> FloatArray:
        """Moments for odd functions: over + (−1)^(m+1)·under, so that only k ≥ 0 are needed."""
        signs = np.array([-1.0 if m % 2 == 0 else 1.0 for m in range(len(self.over))])
        odd: FloatArray = self.over + signs[:, None] * self.under
        return odd


def lags_of(sides: Sides, bins: int, order: int) -> Lags:
    """Return the lags of all pairs in so many bins over the range of the scores."""
    low = min(float(sides.positive.scores[0]), float(sides.negative.scores[0]))
    high = max(float(sides.positive.scores[-1]), float(sides.negative.scores[-1]))
    step = (high - low) / bins if high > low else 1.0
    up = _binned(sides.positive, low, step, bins, order)
    right = _binned(sides.negative, low, step, bins, order)
    size = 2 * bins
    noise = _FFT_ERROR * _EPS * math.log2(size) * math.sqrt(size)
    noise *= float(np.linalg.norm(up[0]) + np.linalg.norm(right[0]))
    over, under = _correlated(up, right, size)
    return Lags(step, over, under, sides.tied, noise, sides.auc - sides.tied / 2)


def _binned(side: Side, low: float, step: float, bins: int, order: int) -> FloatArray:
    """Return the moments of one class about the middle of each bin, in units of the bin."""
    place = (side.scores - low) / step
    index = np.minimum(place.astype(np.int64), bins - 1)
    place -= index
    place -= 0.5
    starts = np.flatnonzero(np.diff(index, prepend=-1))
    power = np.full(len(side), 1.0 / len(side)) if side.shares is None else side.shares.copy()
    moments = np.zeros((order + 1, bins))
    for m in range(order + 1):
        moments[m, index[starts]] = np.add.reduceat(power, starts)
        power *= place
    return moments


def _correlated(up: FloatArray, right: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """Return Σ (a − b)^m over the pairs of bins k apart, for k ≥ 0 and for k ≤ 0."""
    bins = up.shape[1]
    up_waves = np.fft.rfft(up, size)
    right_waves = np.conj(np.fft.rfft(right, size))
    over, under = np.empty((len(up), bins)), np.zeros((len(up), bins))
    for m in range(len(up)):
        wave = sum(
            (-1) ** (m - part) * math.comb(m, part) * up_waves[part] * right_waves[m - part]
            for part in range(m + 1)
        )
        both = np.fft.irfft(wave, size)
        over[m] = both[:bins]
        under[m, 1:] = both[:bins:-1]
    return over, under


# -- sums over all pairs for the normal kernel -----------------------------------------------------


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
