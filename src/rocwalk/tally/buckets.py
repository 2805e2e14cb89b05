"""Buckets: which scores share a row when there are too many distinct ones.

A layout cuts the scores into cells that do not depend on the data, so tallies of parts, made
anywhere, add up to the tally of the whole. Each level halves the cells of the one before.

* Probabilities: half of the cells are spread evenly over [0, 1]; the others crowd at its ends. Each
  scale c has cells of its own, of which a share v/(v + c) lies below v: most of them are within a
  few octaves of c. There are such scales from 1/64 down to 10⁻⁵⁸ towards 0, and down to 2⁻³¹
  towards 1, where floats end at 2⁻⁵³. Exactly 0 and exactly 1 have cells of their own.
* Any other scores: cell number ⌊s·2^level⌋, all of one width.

All of it is sums, products by powers of two and quotients of a constant, which every engine rounds
alike, and each of them is monotone, so equal scores meet in the same cell everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from rocwalk.typing import BoolArray, FloatArray, IntArray

_FINEST = 50  # a cell of this level holds a handful of floats at most
_MOST, _LEAST = 1000, 2.0**-1000  # so that 2^level is a float, whatever the scores


@dataclass(frozen=True, slots=True)
class Layout:
    """Cells of one level; `shift` makes the numbers of the cells count from 0 or more."""

    level: int
    finest: int = _FINEST
    is_unit: bool = True
    shift: int = 0

    @classmethod
    def covering(cls, low: float, high: float, count: int) -> Layout:
        """Return the layout of about `count` cells for scores from `low` to `high`."""
        if low >= 0.0 and high <= 1.0:
            return cls(max(int(math.log2(max(count, 2))), 1))
        half = max(high / 2.0 - low / 2.0, math.ulp(max(abs(low), abs(high))) / 2.0, _LEAST)
        level = math.floor(math.log2(max(count - 1, 1)) - math.log2(half) - 1.0)
        finest = min(52 - math.frexp(max(abs(low), abs(high)))[1], _MOST)
        level = min(level, finest)
        return cls(level, finest, is_unit=False, shift=math.floor(math.ldexp(low, level)))

    def finer(self, depth: int) -> Layout:
        """Return the layout whose cells are halved so many times."""
        return replace(self, level=self.level + depth, shift=self.shift << depth)

    def keys(self, scores: FloatArray) -> IntArray:
        """Return the number of each score's cell; numbers rise with the scores."""
        if not self.is_unit:
            return np.floor(np.ldexp(scores, self.level)).astype(np.int64) - self.shift
        keys: IntArray = np.floor(way(scores, _where) * 2.0**self.level).astype(np.int64)
        return keys

    def cells(self, keys: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest float of each cell."""
        if not self.is_unit:
            low = np.ldexp((keys + self.shift).astype(np.float64), -self.level)
            high = np.ldexp((keys + self.shift + 1).astype(np.float64), -self.level)
            return low, np.nextafter(high, -np.inf)
        known, place = np.unique(np.append(keys, keys + 1), return_inverse=True)
        low, after = np.split(self._first(known)[place], 2)
        return low, np.nextafter(after, -np.inf)

    def _first(self, keys: IntArray) -> FloatArray:
        """Return the smallest float whose key is at least this, found by halving [0, 1].

        The bits of floats from 0 on, read as integers, are in the order of the floats.
        """
        low, high = np.zeros(len(keys), dtype=np.int64), np.full(len(keys), _AFTER_ONE)
        for _ in range(_AFTER_ONE.bit_length()):
            middle = (low + high) >> 1
            reached = self.keys(middle.view(np.float64)) >= keys
            high = np.where(reached, middle, high)
            low = np.where(reached, low, middle + 1)
        return high.view(np.float64)


def way(value: Any, where: Callable[[Any, Any, Callable[[Any], Any], float], Any]) -> Any:
    """Return the coordinate of a probability in [½, 1½], which cells cut into equal parts.

    `value` is an array, or an expression of narwhals, and ``where(condition, value, function,
    other)`` is the function of the value where the condition holds. Exactly 0 is far below ½, and
    only exactly 1 reaches 1½. The deepest scales are left to scores near them, which are few.
    """

    def deeper(tiny: Any) -> Any:
        return where(tiny > 0.0, tiny, lambda value: _left_over(value, _DEEP), _OF_ZERO)

    from_start, from_end = _left_over(value, _TO_ZERO), _left_over(1.0 - value, _TO_ONE)
    coordinate = value * 0.5 + ((_START - from_start) + from_end)
    return coordinate - where(value < _TINY, value, deeper, 0.0)


def _where(
    condition: BoolArray, value: FloatArray, function: Callable[[Any], Any], other: float
) -> FloatArray:
    chosen = np.full(len(value), other)
    chosen[condition] = function(value[condition])
    return chosen


def _left_over(distance: Any, scales: Sequence[tuple[float, float]]) -> Any:
    """Return the cells of each scale that lie farther away than this."""
    return reduce(add, (share * scale / (distance + scale) for share, scale in scales))


def _quarter(
    scale: float, others: Sequence[tuple[float, float]]
) -> tuple[tuple[float, float], ...]:
    """Return the scales with one more, whose share makes it a quarter of all cells together."""
    rest = sum(share / (1.0 + other) for share, other in others)
    return ((0.25 - rest) * (1.0 + scale), scale), *others


# which share of the cells belongs to which scale; together they are a quarter at either end
_TINY, _DEEP = 2.0**-25, tuple((2.0**-8, 2.0 ** -(42 + 10 * i)) for i in range(16))
_NEAR_ZERO = ((2.0**-5, 2.0**-13), (2.0**-5, 2.0**-21), (2.0**-6, 2.0**-31))
_TO_ZERO = _quarter(2.0**-6, (*_NEAR_ZERO, *_DEEP))[: len(_NEAR_ZERO) + 1]
_TO_ONE = _quarter(2.0**-6, ((2.0**-4, 2.0**-13), (2.0**-5, 2.0**-21), (2.0**-5, 2.0**-31)))
_OF_ZERO = 0.5 + _left_over(0.0, _DEEP)
_START = _OF_ZERO + 2.0**-40 + _left_over(0.0, _TO_ZERO) - _left_over(1.0, _TO_ONE)
_AFTER_ONE = int(np.nextafter(1.0, 2.0).view(np.int64))
