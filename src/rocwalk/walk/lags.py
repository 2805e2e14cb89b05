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

from rocwalk.typing import FloatArray
from rocwalk.walk.sides import Side, Sides

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
