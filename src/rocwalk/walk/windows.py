"""Sums over all pairs that a uniform segment of width d leaves undecided, without the pairs.

With D = sᵢ − sⱼ and the uniform kernel, a pair counts ½ + h(D/d), where h is odd,
h(c) = c − c²/2 up to c = 1 and ½ beyond (Ferri et al., section 2.1). So three sums over pairs
suffice: how many lie beyond d, and the first two moments of those within. Both moments come from
running sums over the sorted scores. Plain running sums of s² would lose eps/d² to cancellation;
here scores are measured from the middle of a cell of width 2.5·d, in units of d, so nothing does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwalk.typing import FloatArray, IntArray
from rocwalk.walk.pairs import near_counts, near_pairs
from rocwalk.walk.sides import Side, Sides, running_depth, running_sum

_CELL = 2.5  # a window of width 2 then meets at most two cells
_FINEST = 2.0**-46  # below this width, relative to the largest score, cells cannot be told apart
_EPS = 2.0**-53
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
    """Return Area(d) for the uniform kernel, d > 0, with slope, bend and a bound on the error."""
    many = sides.many
    reach = max(float(many.scores[-1]), float(sides.few.scores[-1]))
    if width <= _FINEST * reach:
        beyond, first, second = _sums_of_pairs(sides, width)
    else:
        beyond, first, second = _sums_of_cells(sides, width)
    net = sides.sign * (beyond / 2 + first - second / 2)
    error = _ERRORS * _EPS * running_depth(len(many))
    return Sums(0.5 + net, sides.sign * (first - second), -sides.sign * second, error)


def _sums_of_cells(sides: Sides, width: float) -> tuple[float, float, float]:
    """Return Σ sgn(D) over |D| ≥ d, and Σ D/d, Σ sgn(D)·D²/d² over |D| < d."""
    few, many, middle = sides.few, sides.many, sides.places[0]
    low = np.searchsorted(many.scores, few.scores - width, "left")
    high = np.searchsorted(many.scores, few.scores + width, "left")
    np.minimum(low, middle, out=low)
    np.maximum(high, middle, out=high)
    beyond = many.before(low) + many.before(high) - 1.0
    first, second = _inside(few.scores, many, (low, middle, high), width)
    return few.weigh(beyond), few.weigh(first), few.weigh(second)


def uniform_parts(sides: Sides, width: float) -> tuple[Part, Part, float]:
    """Return the sums over D > 0 and over D < 0 apart, and a bound on the error of each."""
    few, many, (left, right) = sides.few, sides.many, sides.places
    low = np.minimum(np.searchsorted(many.scores, few.scores - width, "left"), left)
    high = np.maximum(np.searchsorted(many.scores, few.scores + width, "left"), right)
    above = _part(sides, (low, left, left), many.before(low), width)
    below = _part(sides, (right, right, high), 1.0 - many.before(high), width)
    error = _ERRORS * _EPS * running_depth(len(many))
    return (above, below, error) if sides.sign > 0 else (below, above, error)


def _part(
    sides: Sides, window: tuple[IntArray, IntArray, IntArray], beyond: FloatArray, width: float
) -> Part:
    few, many = sides.few, sides.many
    first, second = _inside(few.scores, many, window, width)
    near = many.before(window[2]) - many.before(window[0])
    return Part(
        few.weigh(beyond), few.weigh(near), abs(few.weigh(first)), abs(few.weigh(second))
    )  # fmt: skip


def _inside(
    queries: FloatArray, many: Side, window: tuple[IntArray, IntArray, IntArray], width: float
) -> tuple[FloatArray, FloatArray]:
    """Return both moments of each query's window; only D > 0 counts positive in the second.

    A window meets at most two cells, and the query divides it: three stretches, each on one side
    of the query and in one cell.
    """
    low, middle, high = window
    cells = np.floor(many.scores / (_CELL * width))
    moments = _moments(many, cells, width)
    last = np.maximum(high - 1, 0)
    turn = np.clip(_cell_starts(cells)[last], low, high)
    cell_low, cell_high = cells[np.minimum(low, len(cells) - 1)], cells[last]
    ends = (low, np.minimum(turn, middle), np.maximum(turn, middle), high)
    at = [[moment[end] for moment in moments] for end in ends]
    at = [[many.before(end), *row] for end, row in zip(ends, at, strict=True)]
    sooner = turn < middle
    stretches = (
        (0, cell_low, 1.0),
        (1, np.where(sooner, cell_high, cell_low), np.where(sooner, 1.0, -1.0)),
        (2, cell_high, -1.0),
    )
    first, second = np.zeros(len(queries)), np.zeros(len(queries))
    for k, cell, sign in stretches:
        m0, m1, m2 = (after - before for after, before in zip(at[k + 1], at[k], strict=True))
        place = (queries - _centre(cell, width)) / width
        first += place * m0 - m1
        second += sign * (place * (place * m0 - 2 * m1) + m2)
    return first, second


def _centre(cells: FloatArray, width: float) -> FloatArray:
    return (cells + 0.5) * (_CELL * width)


def _moments(many: Side, cells: FloatArray, width: float) -> tuple[FloatArray, FloatArray]:
    """Return running sums of z and z², z being the distance from the cell's middle over d."""
    z = (many.scores - _centre(cells, width)) / width
    share = 1.0 / len(many) if many.shares is None else many.shares
    first = z * share
    second = first * z
    sums = np.zeros((2, len(z) + 1))
    sums[0, 1:] = running_sum(first)
    sums[1, 1:] = running_sum(second)
    return sums[0], sums[1]


def _cell_starts(cells: FloatArray) -> IntArray:
    """Return for each score the position of the first score of its cell."""
    starts = np.zeros(len(cells), dtype=np.int64)
    changes = np.flatnonzero(cells[1:] != cells[:-1]) + 1
    starts[changes] = changes
    return np.maximum.accumulate(starts)


def _sums_of_pairs(sides: Sides, width: float) -> tuple[float, float, float]:
    """Do the same pair by pair; for widths near the resolution of float64, where few are near."""
    many = sides.many
    low, high = near_counts(sides, width)
    beyond = sides.few.weigh(many.before(low) + many.before(high) - 1.0)
    first = second = 0.0
    for difference, share in near_pairs(sides, low, high):
        c = sides.sign * difference / width
        near = np.abs(c) < 1
        beyond += float((share * np.sign(c))[~near].sum())
        first += float((share * c)[near].sum())
        second += float((share * c * np.abs(c))[near].sum())
    return beyond, first, second
