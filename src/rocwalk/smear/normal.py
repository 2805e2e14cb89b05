"""Sums over all pairs for the normal kernel, and the lags of D = sᵢ − sⱼ that make them fast.

Scores are put into bins of width `step`; a pair whose bins are k apart has D near k·step. For each
such lag k, `Lags` keeps the mass of its pairs and the moments Σ ((D/step) − k)^m, all from a few
Fourier transforms of the binned moments of the two classes. A smooth function of D then has a
Taylor series around each lag with a proven remainder, because |D/step − k| ≤ 1; and sums for
many widths need the data only once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.inference.distributions import normal_below
from rocwalk.smear.sides import EPS, Side, Sides, near_counts, near_pairs, running_depth
from rocwalk.smear.uniform import Sums
from rocwalk.typing import FloatArray

ROOT_TWO_PI = math.sqrt(2 * math.pi)
DENSITY = 1 / ROOT_TWO_PI  # φ(0)
REACH = 8.5  # standard deviations beyond which Φ is 0 or 1 to 1e-17

_CRAMER = 1.0865 / ROOT_TWO_PI  # |φ⁽ⁿ⁾(z)| ≤ this·√n!·exp(−z²/4) (Cramér's inequality)
_ROUNDING = 64 * EPS
_FFT_ERROR = 8.0  # times eps·log₂(size): generous for the l² error of a transform and its inverse
_STEEP = 1e6  # with a step of this many deviations every lag but 0 is far


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
    concordant: float  # the share of pairs with D > 0

    @cached_property
    def gross(self) -> FloatArray:
        """The share of pairs at each lag, of either sign, without exact ties."""
        gross: FloatArray = np.maximum(self.over[0], 0.0) + np.maximum(self.under[0], 0.0)
        gross[0] = max(gross[0] - self.tied, 0.0)
        return gross

    @cached_property
    def still(self) -> tuple[float, float]:
        """The shares of lag 0 with D > 0 and with D < 0: what the other lags leave."""
        whole = float(self.gross[0])
        over = min(max(self.concordant - float(self.over[0, 1:].sum()), 0.0), whole)
        return over, whole - over

    @cached_property
    def odd(self) -> FloatArray:
        """Moments for odd functions: over + (−1)^(m+1)·under, so that only k ≥ 0 are needed."""
        signs = np.array([-1.0 if m % 2 == 0 else 1.0 for m in range(len(self.over))])
        odd: FloatArray = self.over + signs[:, None] * self.under
        return odd

    @property
    def absolute_moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Σ |D| and Σ |D|³ in units of the step, each over D > 0 and over D < 0, without lag 0."""
        k = np.arange(self.over.shape[1])[1:]
        sums = []
        for moments, sign in ((self.over, 1.0), (self.under, -1.0)):
            m0, m1, m2, m3 = moments[:, 1:]
            cubes = k**3 * m0 + sign * 3 * k**2 * m1 + 3 * k * m2 + sign * m3
            sums.append((float((k * m0 + sign * m1).sum()), float(cubes.sum())))
        (over, over_cubed), (under, under_cubed) = sums
        return (over, under), (over_cubed, under_cubed)


def lags_of(sides: Sides, bins: int, order: int) -> Lags:
    """Return the lags of all pairs, with this number of bins over the range of the scores.

    The m-th moment of a lag is Σ (a − b)^m over its pairs of bins, a and b being the distances of
    the two scores from the middles of their bins: by the binomial theorem a sum of correlations.
    """
    low, high = sides.ends
    step = (high - low) / bins if high > low else 1.0
    up = _binned(sides.positive, low, step, bins, order)
    right = _binned(sides.negative, low, step, bins, order)
    size = 2 * bins
    up_waves, right_waves = np.fft.rfft(up, size), np.conj(np.fft.rfft(right, size))
    over, under = np.empty((order + 1, bins)), np.zeros((order + 1, bins))
    for m in range(order + 1):
        wave = sum(
            (-1) ** (m - part) * math.comb(m, part) * up_waves[part] * right_waves[m - part]
            for part in range(m + 1)
        )
        both = np.fft.irfft(wave, size)
        over[m] = both[:bins]
        under[m, 1:] = both[:bins:-1]
    noise = _FFT_ERROR * EPS * math.log2(size) * math.sqrt(size)
    noise *= float(np.linalg.norm(up[0]) + np.linalg.norm(right[0]))
    return Lags(step, over, under, sides.tied, noise, sides.concordant)


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


_ORDERS = (3, 7, 11)
_GOAL = 1e-12
_MOST_BINS = 2**20
_PAIR, _ROW, _BIN = 30.0, 3.0, 200.0  # rough costs in ns: a pair, a row and order, a bin and order


def normal_sums(sides: Sides, spread: float) -> Sums:
    """Return Σ Φ(D/s) by the shares of the pairs, s > 0, in the cheaper of two ways.

    Near pairs are summed one by one, or all pairs by their lags, with the number of bins and the
    order of the series that reach the goal at the least cost.
    """
    low, high = near_counts(sides, REACH * spread)
    lowest, highest = sides.ends
    rows = len(sides.positive) + len(sides.negative)
    plans = []
    for order in _ORDERS:
        ratio = (_GOAL / _remainder_factor(order)) ** (1 / (order + 1))
        steps = min(max((highest - lowest) / max(ratio * spread, 1e-30), 1.0), 1e15)
        bins = 2 ** max(math.ceil(math.log2(steps)), 6)
        plans.append(((order + 1) * (rows * _ROW + bins * _BIN), bins, order))
    cost, bins, order = min(plans, key=lambda plan: plan[0])
    if bins <= _MOST_BINS and int((high - low).sum()) * _PAIR > cost:
        return sums_of_lags(lags_of(sides, bins, order), spread)
    many = sides.many
    far = sides.sign * sides.few.weigh(many.before(low) + many.before(high) - 1.0) / 2
    sums = [[far, 0.0, 0.0]]
    for difference, share in near_pairs(sides, low, high):
        z = difference / spread
        bell = share * z * np.exp(-0.5 * z * z) / ROOT_TWO_PI
        near = share * (normal_below(z) - 0.5)
        sums.append([float(each.sum()) for each in (near, bell, -bell * z * z)])
    net, slope, bend = (math.fsum(column) for column in zip(*sums, strict=True))
    return Sums(0.5 + net, slope, bend, _ROUNDING + EPS * running_depth(len(many)))


def sums_of_lags(lags: Lags, spread: float) -> Sums:
    """Return Σ Φ(D/s) from the lags; the error depends on their order and step."""
    return Sums(*sums_at_spreads(lags, np.array([spread]))[:, 0].tolist())


def sums_at_spreads(lags: Lags, spreads: FloatArray) -> FloatArray:
    """Return the same at several spreads: rows of areas, slopes, bends and errors."""
    order, ratio = len(lags.over) - 1, np.minimum(lags.step / spreads, _STEEP)
    near = min(lags.over.shape[1], math.ceil((REACH + 0.5) / float(ratio.min())) + 2)
    z = ratio[:, None] * np.arange(near, dtype=np.float64)
    shapes = derivatives(z, order + 2)
    area = np.full(len(spreads), float(lags.odd[0, near:].sum()) / 2)
    slope, bend = np.zeros((2, len(spreads)))
    for m in range(order + 1):
        # Σ p·Φ⁽ᵐ⁾, Σ p·z·Φ⁽ᵐ⁺¹⁾ and Σ p·z²·Φ⁽ᵐ⁺²⁾
        scale, part = ratio**m / math.factorial(m), lags.odd[m, :near]
        still = scale * (part * shapes[m]).sum(axis=1)
        part = part * z
        once = scale * (part * shapes[m + 1]).sum(axis=1)
        part *= z
        area += still
        slope += m * still + once
        bend += m * (m - 1) * still + 2 * m * once + scale * (part * shapes[m + 2]).sum(axis=1)
    closest = np.maximum(z - ratio[:, None], 0.0)
    remainder = (lags.gross[:near] * np.exp(-0.25 * closest * closest)).sum(axis=1)
    remainder *= ratio ** (order + 1) * _remainder_factor(order)
    return np.stack((0.5 + area, slope, bend, remainder + 4 * lags.noise + _ROUNDING))


def signed_sums_of_lags(
    lags: Lags, spread: float
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float], list[float]]:
    """Return Σ Φ(D/s), Σ |D|·φ(D/s), Σ |D|³·φ(D/s), each over D > 0 and D < 0, with error bounds.

    Of the pairs of lag 0 only the sign is known. φ⁽ⁿ⁾ being known, z·φ = −φ′ and
    z³·φ = −φ‴ − 3φ′ have Taylor series too.
    """
    order, ratio = len(lags.over) - 1, min(lags.step / spread, _STEEP)
    near = min(lags.over.shape[1], math.ceil((REACH + 0.5) / ratio) + 2)
    shapes = derivatives(np.arange(near, dtype=np.float64) * ratio, order + 4)  # at z = D/s
    scales = [ratio**m / math.factorial(m) for m in range(order + 1)]
    rows = []
    for moments, turn in ((lags.over, 1.0), (lags.under, -1.0)):
        parts = [moments[m, 1:near] * scales[m] * turn**m for m in range(order + 1)]
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
    # errors: the remainders of the series, lag 0, and rounding
    closest = np.maximum(np.arange(near) - 1, 0) * ratio
    weight = float((lags.gross[:near] * np.exp(-0.25 * closest * closest)).sum())
    weight *= ratio ** (order + 1) / math.factorial(order + 1) * _CRAMER
    tops = [math.sqrt(math.factorial(order + extra)) for extra in (0, 2, 4)]
    # no function of the near pairs can be off by more than its range: 1, sup zφ < ¼, sup z³φ < ½
    mass, lag_0, low = float(lags.gross[1:near].sum()), float(lags.gross[0]), ratio / ROOT_TWO_PI
    noise, widest = 16 * lags.noise + _ROUNDING, min(near * ratio, 1.0)
    errors = [
        min(weight * tops[0], mass) + lag_0 * min(low, 0.5) + noise,
        spread * (min(weight * tops[1], mass / 4) + lag_0 * min(low, 0.25) + noise * widest),
        spread**3
        * (
            min(weight * (tops[2] + 3 * tops[1]), mass / 2)
            + lag_0 * min(low * ratio**2 if ratio < 1 else 0.5, 0.5)
            + 2 * noise * widest**3
        ),
    ]
    return value, (rows[0][2], rows[1][2]), (rows[0][3], rows[1][3]), errors


def _remainder_factor(order: int) -> float:
    return _CRAMER * math.sqrt(math.factorial(order)) / math.factorial(order + 1)


def derivatives(z: FloatArray, highest: int) -> list[FloatArray]:
    """Return Φ − ½ and its derivatives, by φ⁽ⁿ⁺¹⁾ = −z·φ⁽ⁿ⁾ − n·φ⁽ⁿ⁻¹⁾."""
    shapes = [normal_below(z) - 0.5, np.exp(-0.5 * z * z) / ROOT_TWO_PI]
    shapes.append(-z * shapes[1])
    for n in range(1, highest - 1):
        shapes.append(-z * shapes[-1] - n * shapes[-2])
    return shapes[: highest + 1]
