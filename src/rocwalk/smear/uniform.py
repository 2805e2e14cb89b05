"""Sums over all pairs that a uniform segment of width d leaves undecided, without the pairs.

With D = sᵢ − sⱼ and the uniform kernel, a pair counts ½ + h(D/d), where h is odd,
h(c) = c − c²/2 up to c = 1 and ½ beyond (Ferri et al., section 2.1). So three sums over pairs
suffice: how many lie beyond d, and the first two moments of those within. Both moments come from
running sums over the sorted scores. Plain running sums of s² would lose eps/d² to cancellation;
here scores are measured from the middle of a cell of width 2.5·d, in units of d, so nothing does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwalk.smear.sides import (
    EPS,
    Side,
    Sides,
    add_up,
    near_counts,
    near_pairs,
    running_depth,
)
from rocwalk.tally.order import places_of
from rocwalk.typing import FloatArray, IntArray

_CELL = 2.5  # a window of width 2 then meets at most two cells
_FINEST = 2.0**-46  # below this width, relative to the largest score, cells cannot be told apart
_BLOCK = 2**14  # rows of one block, short enough that its arrays stay in the cache
_FEW = 4  # near pairs for each of the many: up to here they are summed one by one

# Scores lie within 1.25 and queries within 2.25 of a cell's middle, in units of d. Let γ bound the
# relative error of a running sum. A stretch then has 7γ in its first and 24γ in its second moment;
# a window has three stretches, and the second moment counts one half: 3·(7 + 12) < 64.
_ERRORS = 64


@dataclass(frozen=True, slots=True)
class Sums:
    """Area at a width, and how it bends: with x = 1/d, slope = x·A′(x) and bend = x²·A″(x)."""

    area: float
    slope: float
    bend: float
    error: float


@dataclass(frozen=True, slots=True)
class Part:
    """The pairs of one sign of D: shares beyond and within d, and Σ |D|/d, Σ D²/d² within."""

    beyond: float
    near: float
    first: float
    second: float


def uniform_sums(sides: Sides, width: float) -> Sums:
    """Return Area(d) for the uniform kernel, d > 0, with slope, bend and a bound on the error.

    The area is ½ + Σ sgn(D)/2 over |D| ≥ d (`beyond`) plus Σ D/d (`first`) minus
    Σ sgn(D)·D²/(2d²) (`second`) over |D| < d.
    """
    few, many = sides.few, sides.many
    low, high = near_counts(sides, width)
    are_few = int((high - low).sum()) <= _FEW * len(many)
    if are_few or width <= _FINEST * max(map(abs, sides.ends)):
        beyond = few.weigh(many.before(low) + many.before(high) - 1.0)
        sums = []
        for difference, share in near_pairs(sides, low, high):
            c = np.clip(sides.sign * difference / width, -1.0, 1.0)
            part = share * c
            sums.append([float(part.sum()), float((part * np.abs(c)).sum())])
        first, second = (math.fsum(column) for column in zip(*sums, strict=True))
    else:
        cells, middle, sums = Cells(many, width), sides.places[0], []
        for at in range(0, len(few), _BLOCK):
            rows = slice(at, at + _BLOCK)
            begin, end = np.minimum(low[rows], middle[rows]), np.maximum(high[rows], middle[rows])
            outside = many.before(begin) + many.before(end) - 1.0
            inside = cells.inside(few.scores[rows], begin, middle[rows], end)
            weight = 1.0 / len(few) if few.shares is None else few.shares[rows]
            sums.append([float((weight * values).sum()) for values in (outside, *inside)])
        beyond, first, second = (math.fsum(column) for column in zip(*sums, strict=True))
    net = sides.sign * (beyond / 2 + first - second / 2)
    error = _ERRORS * EPS * running_depth(len(many))
    return Sums(0.5 + net, sides.sign * (first - second), -sides.sign * second, error)


def uniform_parts(sides: Sides, width: float) -> tuple[Part, Part, float]:
    """Return the sums over D > 0 and over D < 0 separately, and a bound on the error of each."""
    few, many, (left, right) = sides.few, sides.many, sides.places
    low = np.minimum(places_of(many.scores, few.scores - width), left)
    high = np.maximum(places_of(many.scores, few.scores + width), right)
    cells = Cells(many, width)
    parts = []
    for window, beyond in (
        ((low, left, left), many.before(low)),
        ((right, right, high), 1.0 - many.before(high)),
    ):
        near = many.before(window[2]) - many.before(window[0])
        first, second = cells.inside(few.scores, *window)
        moments = abs(few.weigh(first)), abs(few.weigh(second))
        parts.append(Part(few.weigh(beyond), few.weigh(near), *moments))
    over, under = parts if sides.sign > 0 else parts[::-1]
    return over, under, _ERRORS * EPS * running_depth(len(many))


class Cells:
    """The many, cut into cells, with running sums of z and z² about the middle of each cell.

    z is the distance from the middle of the cell in units of d.
    """

    def __init__(self, many: Side, width: float) -> None:
        self.many, self.width = many, width
        self.number = np.empty(len(many))
        sums = np.zeros((2, len(many) + 1))
        moments = sums[:, 1:]
        for at in range(0, len(many), _BLOCK):
            rows = slice(at, at + _BLOCK)
            number = np.floor(many.scores[rows] / (_CELL * width), out=self.number[rows])
            z = number + 0.5
            z *= -_CELL * width
            z += many.scores[rows]
            z /= width
            share = 1.0 / len(many) if many.shares is None else many.shares[rows]
            moment = np.multiply(z, share, out=moments[0, rows])
            np.multiply(moment, z, out=moments[1, rows])
        for each in moments:
            add_up(each)
        self.first, self.second = sums
        changes = np.flatnonzero(self.number[1:] != self.number[:-1]) + 1
        self.starts = np.concatenate(([0], changes))

    def inside(
        self, queries: FloatArray, low: IntArray, middle: IntArray, high: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return both moments of each query's window; only D > 0 counts positive in the second.

        A window meets at most two cells, and the query divides it: three stretches, each on one
        side of the query and in one cell.
        """
        last = np.maximum(high - 1, 0)
        turn = self.starts[np.searchsorted(self.starts, last, "right") - 1]
        np.clip(turn, low, high, out=turn)
        lower, upper = self.number[np.minimum(low, len(self.number) - 1)], self.number[last]
        sooner = turn < middle
        first, second = self._stretch(queries, low, np.minimum(turn, middle), lower)
        inner = np.where(sooner, upper, lower)
        more, square = self._stretch(
            queries, np.minimum(turn, middle), np.maximum(turn, middle), inner
        )
        first += more
        np.negative(square, out=square, where=~sooner)
        second += square
        more, square = self._stretch(queries, np.maximum(turn, middle), high, upper)
        first += more
        second -= square
        return first, second

    def _stretch(
        self, queries: FloatArray, begin: IntArray, end: IntArray, cell: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return Σ (q − s)/d and Σ (q − s)²/d² over the scores from begin to end, all of a cell."""
        place = (queries - (cell + 0.5) * (_CELL * self.width)) / self.width
        m1 = self.first[end] - self.first[begin]
        linear = place * (self.many.before(end) - self.many.before(begin))
        linear -= m1
        square = linear - m1
        square *= place
        square += self.second[end] - self.second[begin]
        return linear, square
