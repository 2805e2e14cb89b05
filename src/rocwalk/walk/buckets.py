"""Buckets: which scores share a row when there are too many distinct ones.

A layout cuts the scores into cells that do not depend on the data, so tallies of parts, made
anywhere, add up to the tally of the whole. Each level halves the cells of the one before.

* Probabilities: with d the distance to the nearer end of [0, 1], the cell is number
  ⌈g(2d)·2^(level−1)⌉ from that end, where g(x) = ¾·x^(1/2) + 13/64, and 0.35·x^(1/16) for x below
  2⁻⁸. The root gives cells that become narrower towards the ends, and the sixteenth root keeps a
  quarter of them for scores that crowd there, down to 10⁻³⁰⁰. Exactly 0 and exactly 1 have cells of
  their own: number 0 from either end.
* Any other scores: cell number ⌊s·2^level⌋, all of one width.

All of it is sums, products and square roots, which every engine rounds alike, and each of them is
monotone, so equal scores meet in the same cell everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rocwalk.typing import FloatArray, IntArray

_FINEST = 50  # a cell of this level holds a handful of floats at most
# g(x): where its branches meet, and what makes the lower end below the upper there
CROWDED, DEEP, RAISED = 2.0**-8, 0.35, 13.0 / 64.0
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
        upper = scores >= 0.5
        way = _way(np.where(upper, 1.0 - scores, scores) * 2.0)
        ends = np.ceil(way * 2.0 ** (self.level - 1))
        return np.where(upper, 2**self.level + 1 - ends, ends).astype(np.int64)

    def cells(self, keys: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest float of each cell."""
        if not self.is_unit:
            low = np.ldexp((keys + self.shift).astype(np.float64), -self.level)
            high = np.ldexp((keys + self.shift + 1).astype(np.float64), -self.level)
            return low, np.nextafter(high, -np.inf)
        return self._first(keys), np.nextafter(self._first(keys + 1), -np.inf)

    def _first(self, keys: IntArray) -> FloatArray:
        """Return the smallest float whose key is at least this: a good guess, put right."""
        half, last = 2 ** (self.level - 1), 2**self.level + 1
        upper = keys > half
        guess = _double_distance(np.where(upper, last - keys, keys - 1).clip(0) / half) / 2.0
        first = np.where(upper, 1.0 - guess, guess)
        first[keys <= 0], first[keys > last] = 0.0, np.nextafter(1.0, 2.0)
        wrong = np.flatnonzero((keys > 0) & (keys <= last))
        while len(wrong := wrong[self.keys(first[wrong].clip(0, 1)) < keys[wrong]]):
            first[wrong] = np.nextafter(first[wrong], 2.0)
        wrong = np.flatnonzero((keys > 0) & (keys <= last))
        while len(wrong := wrong[self.keys(_before(first[wrong])) >= keys[wrong]]):
            first[wrong] = _before(first[wrong])
        return first


def _way(double_distance: FloatArray) -> FloatArray:
    """Return g(x), in steps that every engine rounds alike."""
    root = np.sqrt(double_distance)
    deep = np.sqrt(np.sqrt(np.sqrt(root))) * DEEP
    return np.where(double_distance < CROWDED, deep, (root * 0.5 + root * 0.25) + RAISED)


def _double_distance(way: FloatArray) -> FloatArray:
    """Return about the x with g(x) = way; between the two branches of g there is none."""
    fourth = np.square(np.square(way / DEEP))
    deep = np.minimum(np.square(np.square(fourth)), CROWDED)
    root: FloatArray = np.square(((way - RAISED) / 0.75).clip(0.0))
    return np.where(way < 0.25, deep, np.clip(root, CROWDED, 1.0))


def _before(scores: FloatArray) -> FloatArray:
    """Return the next smaller float in [0, 1]."""
    return np.clip(np.nextafter(scores, -1.0), 0.0, 1.0)
