"""Area(d) as a chain of parabolas in x = 1/d, each with a proven bound on its error.

For the uniform kernel this is exact: between two neighbouring values of |D| the pairs inside the
width stay the same, and Σ h(D/d) over them is a + b/d + c/d². With too many pairs to list, lags of
D stand in for them; only pairs within one lag of d (or of 0) are then misjudged, each by at most
½·(step/d)². For the normal kernel a parabola is a Taylor polynomial, with the remainder bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.inference.distributions import normal_below
from rocwalk.smear.normal import DENSITY, REACH, Lags, lags_of, sums_at_spreads
from rocwalk.smear.sides import (
    EPS,
    Sides,
    count_distinct_pairs,
    distinct_pairs,
    near_counts,
    near_pairs,
    running_depth,
    running_sum,
)
from rocwalk.tally.order import descending_order
from rocwalk.typing import BoolArray, FloatArray

TOLERANCE = 1e-12  # areas within this of each other are equal
_COLUMNS = ("low", "high", "constant", "first", "second", "slack", "slope_slack")


@dataclass(frozen=True, eq=False)
class Pieces:
    """gap(d) = constant + first·x + second·x² ± slack on each [low, high], x = 1/d.

    The pieces follow one another from d = 0 to infinity. `slope_slack` bounds the error of
    x·gap′(x). In the first piece only the constant counts.
    """

    low: FloatArray
    high: FloatArray
    constant: FloatArray
    first: FloatArray
    second: FloatArray
    slack: FloatArray
    slope_slack: FloatArray

    @cached_property
    def x_low(self) -> FloatArray:
        """The x of the lower end of d; 0 in the first piece, which is constant."""
        return np.divide(1.0, self.low, out=np.zeros_like(self.low), where=self.low > 0)

    @cached_property
    def x_high(self) -> FloatArray:
        """The x of the upper end of d."""
        return 1.0 / self.high

    def value(self, x: FloatArray) -> FloatArray:
        """Return the gap at one x per piece."""
        return self.constant + x * (self.first + x * self.second)

    @cached_property
    def end_slopes(self) -> FloatArray:
        """x·gap′(x) at both ends of each piece, one row per piece; x_low stands for an x of 0."""
        return np.stack(
            [
                np.where(x > 0, x, self.x_low) * (self.first + 2 * x * self.second)
                for x in (self.x_low, self.x_high)
            ],
            axis=1,
        )

    @cached_property
    def turn(self) -> FloatArray:
        """The x where each parabola turns, if inside its piece; else x_low."""
        with np.errstate(all="ignore"):
            x = -self.first / (2 * self.second)
        return np.where((x > self.x_high) & (x < self.x_low), x, self.x_low)

    @cached_property
    def extremes(self) -> FloatArray:
        """The gap at both ends and at the turn of each piece, one column per piece."""
        return np.stack([self.value(x) for x in (self.x_low, self.turn, self.x_high)])

    @cached_property
    def free(self) -> BoolArray:
        """Which pieces are proved to hold no d with |gap| ≤ tolerance."""
        margin = self.slack + TOLERANCE
        lowest, highest = self.extremes.min(axis=0), self.extremes.max(axis=0)
        free: BoolArray = (lowest > margin) | (highest < -margin)
        return free

    def gaps(self, widths: FloatArray) -> FloatArray:
        """Return the gap at any widths, each to within the slack of its piece."""
        k = np.searchsorted(self.high, widths, "left")
        x = np.divide(1.0, widths, out=np.zeros_like(widths), where=(k > 0) & (widths > 0))
        return self.constant[k] + x * (self.first[k] + x * self.second[k])

    def after(self, width: float) -> Pieces:
        """Return the pieces beyond a width."""
        kept = self.high > width
        low = np.maximum(self.low[kept], width)
        return Pieces(low, *(getattr(self, name)[kept] for name in _COLUMNS[1:]))

    def scaled(self, factor: float, shift: float) -> Pieces:
        """Return the pieces of factor·gap(d) + shift."""
        columns = [getattr(self, name) * factor for name in _COLUMNS[2:]]
        columns[0] = columns[0] + shift
        return Pieces(self.low, self.high, *columns)

    def followed_by(self, other: Pieces) -> Pieces:
        """Return these pieces and then the others."""
        return Pieces(*(np.append(getattr(self, n), getattr(other, n)) for n in _COLUMNS))


# up to so many pairs are listed; more are binned
_PAIRS, _BINS = 2**20, 2**16
_NORMAL_PAIRS, _NORMAL_BINS = 2**14, 2**12
_FINE_BINS = 2**17
_NEAR_PAIRS = 2**22
_TINY = 1e-150  # differences below this are too small for 1/d²
_FINEST = 1e-18


def uniform_pieces(sides: Sides, target: float) -> tuple[Pieces, bool]:
    """Return the pieces of Area(d) − target for the uniform kernel, and whether they are exact."""
    sides = sides.collapsed
    if sides.ends[1] - sides.ends[0] <= _TINY:
        return _pieces_of_ties(sides, target), False
    if count_distinct_pairs(sides) > _PAIRS:
        return _uniform_pieces_of_many(sides, target), False
    (size, net, _), start, hidden = _listed_pairs(sides)
    pieces = _uniform_pieces(sides, size, net, start, target)
    return (pieces, True) if not hidden else (_hide(pieces, sides.auc - target, hidden), False)


def normal_pieces(sides: Sides, unit: float, target: float) -> tuple[Pieces, bool]:
    """Return the same for the normal kernel; `unit` is the spread of D for a width of 1."""
    sides = sides.collapsed
    if sides.ends[1] - sides.ends[0] <= _TINY:
        return _pieces_of_ties(sides, target), False
    if count_distinct_pairs(sides) > _NORMAL_PAIRS:
        pieces = _normal_pieces_of_lags(sides, lags_of(sides, _NORMAL_BINS, 3), unit, target)
        if not pieces.free[0]:
            pieces = _normal_pieces_of_lags(sides, lags_of(sides, _FINE_BINS, 3), unit, target)
        return pieces, False
    listed, start, hidden = _listed_pairs(sides)
    pieces = _normal_pieces_of_pairs(sides, listed, start, unit, target)
    return (_hide(pieces, sides.auc - target, hidden) if hidden else pieces), False


def _pieces_of_ties(sides: Sides, target: float) -> Pieces:
    """Return the pieces of scores that are as good as tied at every width above a tiny one."""
    slack = np.array([1.0, 8 * EPS])
    constant = np.array([sides.auc - target, _gap_at_infinity(sides, target)])
    first, second = np.array([0.0, sides.gini]), np.zeros(2)
    ends = np.array([0.0, _TINY, np.inf])
    return Pieces(ends[:-1], ends[1:], constant, first, second, slack, slack + TOLERANCE)


def _listed_pairs(
    sides: Sides,
) -> tuple[tuple[FloatArray, FloatArray, FloatArray], float, float]:
    """Return the differences, the area before any of them counts, and the share of tiny ones."""
    size, net, gross = _listed(*distinct_pairs(sides))
    hidden = 1.0 - sides.tied - float(gross.sum())
    hidden = hidden if hidden > 1e-15 else 0.0
    start = 0.5 + float(net.sum()) / 2 if hidden else sides.auc
    return (size, net, gross), start, hidden


def _hide(pieces: Pieces, gap: float, hidden: float) -> Pieces:
    """Return the pieces with one of tiny widths before them, where tiny differences count."""
    row = (0.0, _TINY, gap, 0.0, 0.0, hidden, hidden)
    return Pieces(*(np.array([each]) for each in row)).followed_by(pieces.after(_TINY))


def _uniform_pieces_of_many(sides: Sides, target: float) -> Pieces:
    """Return the pieces from lags; small widths, where these decide nothing, are refined."""
    pieces = _uniform_pieces_of_lags(sides, lags_of(sides, _BINS, 3), target)
    if pieces.free[0]:
        return pieces
    reach = float(pieces.high[np.argmax(pieces.free)] if pieces.free.any() else 1.0)
    low, high = near_counts(sides, reach)
    while (high - low).sum() > _NEAR_PAIRS and reach > _FINEST:
        reach /= 2
        low, high = near_counts(sides, reach)
    if (high - low).sum() > _NEAR_PAIRS:
        return pieces
    near = [np.concatenate(part) for part in zip(*near_pairs(sides, low, high), strict=True)]
    inside = np.abs(near[0]) < reach
    size, net, _ = _listed(near[0][inside], near[1][inside])
    exact = _uniform_pieces(sides, size, net, sides.auc, target, reach)
    return exact.followed_by(pieces.after(reach))


def _listed(difference: FloatArray, share: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the distinct |D| in order, with net (D > 0 minus D < 0) and gross shares.

    Differences that are tiny even for float64 are left out; 1/d² would be infinite there.
    """
    apart = np.flatnonzero(np.abs(difference) > _TINY)
    order, size = descending_order(-np.abs(difference[apart]))
    np.negative(size, out=size)
    share = share[apart][order]
    net = np.copysign(share, difference[apart][order])
    starts = np.flatnonzero(np.diff(size, prepend=-1.0))
    if not len(starts):
        return size, net, share
    return size[starts], np.add.reduceat(net, starts), np.add.reduceat(share, starts)


def _uniform_pieces(
    sides: Sides,
    size: FloatArray,
    net: FloatArray,
    start: float,
    target: float,
    reach: float = math.inf,
) -> Pieces:
    """Return the pieces up to a reach; `start` is the area before any of the differences counts."""
    sums = [np.append(0.0, running_sum(net * size**power)) for power in range(3)]
    constant = start - target - sums[0] / 2
    if reach == math.inf:  # beyond the last |D| the sums are known more exactly
        constant[-1], sums[1][-1] = _gap_at_infinity(sides, target), sides.gini
    slack = np.full(len(constant), 8 * EPS * running_depth(len(size)))
    low, high = np.append(0.0, size), np.append(size, reach)
    return Pieces(low, high, constant, sums[1], -sums[2] / 2, slack, slack + TOLERANCE)


def _gap_at_infinity(sides: Sides, target: float) -> float:
    """Return ½ − target, without the rounding of the target if that is the probabilistic AUC."""
    return -sides.gini / 2 if target == sides.probabilistic_auc else 0.5 - target


def _uniform_pieces_of_lags(sides: Sides, lags: Lags, target: float) -> Pieces:
    """Lag k is taken to lie inside the width from k steps on; a pair may be one step off."""
    k = np.arange(len(lags.gross) + 2.0)
    gross = np.append(lags.gross, (0.0, 0.0, 0.0))
    over, under = (np.pad(part, ((0, 0), (0, 2))) for part in (lags.over, lags.under))
    first = lags.step * (k * (over[0] - under[0]) + over[1] + under[1])
    second = k * k * (over[0] - under[0]) + 2 * k * (over[1] + under[1]) + over[2] - under[2]
    second[0] = 0.0  # of lag 0 neither side of D is known, only the net first moment
    net = over[0] - under[0]
    net[0] = 0.0
    constant = 0.5 - target + (net.sum() - running_sum(net)) / 2
    first, second = running_sum(first), -running_sum(second) * lags.step**2 / 2
    unsure = gross[:-1] + gross[1:] + gross[0]
    ratio = 1.0 / np.maximum(k, 1.0)
    noise = 2 * lags.noise + 4 * EPS * running_depth(len(k))
    slack, slope_slack = ratio**2 * unsure / 2 + noise, ratio * (1 + ratio) * unsure + noise
    # below one step nothing is known but that no more than the nearest pairs can have moved
    constant[0], first[0], second[0] = sides.auc - target, 0.0, 0.0
    slack[0] = slope_slack[0] = (gross[0] + gross[1]) / 2 + noise
    low = k * lags.step
    return Pieces(low, np.append(low[1:], np.inf), constant, first, second, slack, slope_slack)


def _normal_pieces_of_pairs(
    sides: Sides,
    listed: tuple[FloatArray, FloatArray, FloatArray],
    start: float,
    unit: float,
    target: float,
) -> Pieces:
    size, net, gross = listed

    def sums(spreads: FloatArray) -> FloatArray:
        found = np.full((4, len(spreads)), 64 * EPS)
        for k, spread in enumerate(spreads.tolist()):
            z = size / spread
            bell = net * z * np.exp(-0.5 * z * z) * DENSITY
            area = 0.5 + (net * (normal_below(z) - 0.5)).sum()
            found[:3, k] = area, bell.sum(), -(bell * z * z).sum()
        return found

    smallest = size[0] / REACH / unit if len(size) else 1.0
    third = float((gross * size**3).sum())
    return _normal_pieces(sides, sums, unit, target, (smallest, start, 64 * EPS), third)


def _normal_pieces_of_lags(sides: Sides, lags: Lags, unit: float, target: float) -> Pieces:
    # below this width only pairs nearer than two steps can have moved, by one half at most
    smallest = 2 * lags.step / REACH / unit
    moved = float(lags.gross[:3].sum()) / 2 + lags.noise
    size = (np.arange(len(lags.gross)) + 1) * lags.step
    third = float((lags.gross * size**3).sum())
    sums = _sums_of_lags(sides, lags)
    return _normal_pieces(sides, sums, unit, target, (smallest, sides.auc, moved), third)


def normal_areas(sides: Sides, spreads: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return Σ Φ(D/s) by the shares of the pairs at each s, and bounds on the errors.

    They are infinite where lags do not pay: of few pairs.
    """
    sides = sides.collapsed
    if count_distinct_pairs(sides) <= _NORMAL_PAIRS or sides.ends[1] - sides.ends[0] <= _TINY:
        return np.full(len(spreads), np.nan), np.full(len(spreads), np.inf)
    area, _, _, error = _sums_of_lags(sides, lags_of(sides, _NORMAL_BINS, 3))(spreads)
    return area, error


def _sums_of_lags(sides: Sides, lags: Lags) -> Callable[[FloatArray], FloatArray]:
    """Return a function that gives the sums at spreads, from lags of steps that fit each spread."""
    levels = [lags]
    while len(levels[-1].gross) > _FEWEST_BINS and len(sides.many) <= _FEW_ROWS:
        levels.append(lags_of(sides, len(levels[-1].gross) // 2, 3))

    def sums(spreads: FloatArray) -> FloatArray:
        level = np.searchsorted([one.step * _STEPS for one in levels[1:]], spreads, side="right")
        found = np.empty((4, len(spreads)))
        for k, one in enumerate(levels):
            places = np.flatnonzero(level == k)
            for some in np.split(places, range(_TOGETHER, len(places), _TOGETHER)):
                if len(some):
                    found[:, some] = sums_at_spreads(one, spreads[some])
        return found

    return sums


_TOGETHER = 16  # widths, whose sums stay in the cache
_STEPS = 64  # of lags in a spread: more change an area by less than 1e-8, a piece by more
_FEWEST_BINS, _FEW_ROWS = 2**8, 2**16  # where lags of other steps cost less than they save
_STRIDE = 0.015  # half the relative length of a piece
_THIRD = 1.5  # sup |z³·Φ‴(z)| is 1.45


def _normal_pieces(
    sides: Sides,
    sums: Callable[[FloatArray], FloatArray],
    unit: float,
    target: float,
    start: tuple[float, float, float],
    third: float,
) -> Pieces:
    """Chain Taylor parabolas from the smallest width up to where a straight line suffices.

    Up to the smallest width the area is the given one, to within what may have moved.
    """
    smallest, area_before, moved = start
    line = sides.gini * DENSITY / unit
    cubic = DENSITY * third / unit**3 / 6
    allowed = max(abs(sides.gini) / 16, TOLERANCE / 8)
    x_last = min(unit / 8, (allowed / cubic) ** (1 / 3) if cubic else 1.0, 1 / smallest)
    count = max(math.ceil(math.log(1 / smallest / x_last) / math.log1p(2 * _STRIDE)), 1)
    edges = np.geomspace(smallest, 1 / x_last, count + 1)
    x = 2.0 / (edges[1:] + edges[:-1])
    area, slope, bend, error = sums(unit / x)
    stride = np.maximum(1 / edges[:-1] / x - 1, 1 - 1 / edges[1:] / x)
    share = 1 - sides.tied
    slack = error + share * _THIRD * stride**3 / (6 * (1 - stride) ** 3)
    slope_slack = error + share * _THIRD * stride**2 * (1 + stride) / (2 * (1 - stride) ** 3)
    ends = (area_before - target, 0.5 - target)
    return Pieces(
        low=np.concatenate(([0.0], edges)),
        high=np.concatenate((edges, [np.inf])),
        constant=np.concatenate((ends[:1], area - target - slope + bend / 2, ends[1:])),
        first=np.concatenate(([0.0], (slope - bend) / x, [line])),
        second=np.concatenate(([0.0], bend / (2 * x * x), [0.0])),
        slack=np.concatenate(([moved], slack, [cubic * x_last**3 + 4 * EPS])),
        slope_slack=np.concatenate(
            ([moved], slope_slack + TOLERANCE, [3 * cubic * x_last**3 + TOLERANCE])
        ),
    )
