"""The walk of smeared scores: the points of the curve, and the rates at any position.

The axis is that of the scores, or of their log-odds. There a segment begins to count at half a
width above its score and counts in full from half a width below it: both rates are straight
between these positions, so the curve is an exact polyline. Bells and beta distributions are drawn
through points close enough that the distance of the polyline from the curve is bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from rocwalk.smear.beta import BetaScores
from rocwalk.smear.normal import REACH, derivatives
from rocwalk.smear.sides import EPS, all_between, log_odds, running_sum
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, walk_of
from rocwalk.typing import FloatArray, IntArray

Rates = tuple[FloatArray, FloatArray]  # FPR and TPR


class Scores(Protocol):
    """Smeared scores whose rates are known at any position of the axis."""

    def rates(self, positions: FloatArray) -> Rates:
        """Return FPR and TPR at positions."""

    def densities(self, positions: FloatArray) -> Rates:
        """Return how fast FPR and TPR fall with the position, up to a common factor."""


@dataclass(frozen=True, eq=False)
class SmearedWalk:
    """A smeared walk, how far it may be from the curve, and the rates at any position.

    `places` are the points on the axis, which `thresholds` of the walk has as scores. Between two
    points the rates are straight lines on the axis (`straight`), those of the `sources`, or those
    of the point before: a walk whose scores are not smeared.
    """

    walk: Walk
    places: FloatArray
    error: float = 0.0
    straight: bool = False
    sources: Scores | None = None
    on_log_odds: bool = False

    def rates(self, positions: FloatArray) -> Rates:
        """Return FPR and TPR at positions on the score axis."""
        if not self.on_log_odds:
            return self._along(positions)
        fpr, tpr = self._along(log_odds(np.clip(positions, 0.0, 1.0)))
        outside = positions > 1, positions <= 0
        return (
            np.select(outside, (0.0, 1.0), fpr),
            np.select(outside, (0.0, 1.0), tpr),
        )

    def _along(self, places: FloatArray) -> Rates:
        walk = self.walk
        if self.sources is not None:
            return self.sources.rates(places)
        if not self.straight:
            index = np.searchsorted(-self.places, -places, "right") - 1
            return walk.fpr[index], walk.tpr[index]
        held = np.flatnonzero(np.isfinite(self.places))[::-1]
        at = self.places[held]
        return np.interp(places, at, walk.fpr[held]), np.interp(places, at, walk.tpr[held])

    def position_after(self, index: int, share: float) -> float:
        """Return the position, as a score, at a share of the way from a point to the next.

        The way is along the axis; where the rates jump to those of the next point, it is at once
        there.
        """
        ends = self.places[index : index + 2]
        moving = self.straight or self.sources is not None
        if not (moving and np.isfinite(ends).all()):
            return float(self.walk.thresholds[index + 1])
        place = (1 - share) * ends[:1] + share * ends[1:]
        return float((as_scores(place) if self.on_log_odds else place)[0])

    def best_places(self, index: IntArray, slopes: FloatArray) -> FloatArray:
        """Return where TPR − m·FPR is largest near points, as scores: one for each point and m.

        There TPR falls m times as fast as FPR. Both neighbours of a point enclose the place; each
        round cuts what encloses it to a sixteenth, unless its ends are hardly apart.
        """
        places, thresholds = self.places, self.walk.thresholds[index]
        if self.sources is None or isinstance(self.sources, EndlessScores):
            return thresholds
        low = places[np.minimum(index + 1, len(places) - 1)]
        high = places[np.maximum(index - 1, 1)]
        inner = np.isfinite(low) & np.isfinite(high) & (low < high) & np.isfinite(slopes)
        low, high, slopes = low[inner], high[inner], slopes[inner]
        every = np.arange(len(low))
        for _ in range(_ROUNDS):
            apart = high - low > 4 * EPS * np.maximum(np.abs(low), np.abs(high))
            if not apart.any():
                break
            grid = low + (high - low) * _CUTS  # by row; the ends too
            fpr_fall, tpr_fall = self.sources.densities(grid[1:-1].ravel())
            # towards lower positions the gain still rises
            rises = (tpr_fall > np.tile(slopes, len(_CUTS) - 2) * fpr_fall).reshape(-1, len(low))
            falls = np.concatenate((np.ones((1, len(low)), dtype=bool), ~rises))
            last = len(falls) - 1 - np.argmax(falls[::-1], axis=0)
            low = np.where(apart, grid[last, every], low)
            high = np.where(apart, grid[last + 1, every], high)
        found = thresholds.copy()
        middle = (low + high) / 2
        found[inner] = as_scores(middle) if self.on_log_odds else middle
        return found


_ROUNDS = 15
_CUTS = np.linspace(0, 1, 17)[:, None]


def as_scores(places: FloatArray) -> FloatArray:
    """Return 1/(1 + e^−ℓ), in (0, 1) for every finite ℓ, even where it would round to an end."""
    with np.errstate(over="ignore"):
        scores = 1.0 / (1.0 + np.exp(-places))
    finite = np.isfinite(places)
    inner = np.clip(scores, np.nextafter(0.0, 1.0), np.nextafter(1.0, 0.0))
    return np.where(finite, inner, scores)


def bare_walk(tally: Tally) -> SmearedWalk:
    """Return the walk of scores that are not smeared."""
    walk = walk_of(tally)
    return SmearedWalk(walk, walk.thresholds)


def _walk(tally: Tally, thresholds: FloatArray, fpr: FloatArray, tpr: FloatArray) -> Walk:
    """Return the walk through the rates; it begins at (0, 0) and ends exactly at the totals."""
    totals = float(tally.total_up), float(tally.total_right)
    up, right = np.clip(tpr, 0, 1) * totals[0], np.clip(fpr, 0, 1) * totals[1]
    for mass, total in ((up, totals[0]), (right, totals[1])):
        mass[0], mass[-1] = 0.0, total
    return Walk(thresholds, up, right, tally.prevalence)


# -- the axis --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Axis:
    """The distinct places of scores, in decreasing order, with the share of each class (up, right).

    On the axis of log-odds `top` and `bottom` are the shares of scores of 1 and 0, which are at
    its ends; all shares of a class add up to 1.
    """

    tally: Tally
    places: FloatArray
    shares: FloatArray
    top: FloatArray
    bottom: FloatArray
    on_log_odds: bool

    @staticmethod
    def of_scores(tally: Tally) -> Axis:
        """Return the axis of the scores themselves."""
        shares = np.stack([mass / mass.sum() for mass in (tally.up, tally.right)])
        none = np.zeros(2)
        return Axis(tally, tally.scores, shares, none, none, on_log_odds=False)

    @staticmethod
    def of_log_odds(tally: Tally) -> Axis:
        """Return the axis of log-odds; computed once for a tally."""
        if "log-odds" in tally.known:
            known: Axis = tally.known["log-odds"]
            return known
        shares = np.stack([mass / mass.sum() for mass in (tally.up, tally.right)])
        places = log_odds(tally.scores)
        inner = np.isfinite(places)
        top, bottom = shares[:, tally.scores == 1].sum(axis=1), shares[:, tally.scores == 0]
        axis = tally.known["log-odds"] = Axis(
            tally, places[inner], shares[:, inner], top, bottom.sum(axis=1), on_log_odds=True
        )
        return axis

    def walk(
        self,
        places: FloatArray,
        rates: Rates,
        error: float = 0.0,
        *,
        straight: bool = False,
        sources: Scores | None = None,
    ) -> SmearedWalk:
        """Return the walk through decreasing places; scores at the ends of the axis come on top."""
        fpr, tpr = rates
        (tpr_top, fpr_top), below = self.top, self.bottom
        starts, ends = [(math.inf, math.inf, 0.0, 0.0)], []
        if self.top.any():
            starts.append((math.inf, 1.0, float(fpr_top), float(tpr_top)))
        if below.any() or (self.on_log_odds and sources is not None and places[-1] > -math.inf):
            ends.append((-math.inf, 0.0, 1.0, 1.0))
        thresholds = as_scores(places) if self.on_log_odds else places
        middle = np.stack([places, thresholds, fpr, tpr])
        columns = np.concatenate(
            (np.array(starts).T, middle, np.array(ends).reshape(-1, 4).T), axis=1
        )
        for rate in columns[2:]:
            np.maximum.accumulate(rate, out=rate)
        walk = _walk(self.tally, columns[1], columns[2], columns[3])
        return SmearedWalk(walk, columns[0], error, straight, sources, self.on_log_odds)


# -- segments, bells and beta distributions --------------------------------------------------------


@dataclass(frozen=True, eq=False)
class EndlessScores:
    """Scores that are smeared without limit: of those that are, half lies above any position."""

    axis: Axis

    def rates(self, positions: FloatArray) -> Rates:
        """Return FPR and TPR at positions."""
        (tpr_top, fpr_top), (tpr_rest, fpr_rest) = self.axis.top, self.axis.shares.sum(axis=1)
        part = np.where(np.isinf(positions), np.where(positions > 0, 0.0, 1.0), 0.5)
        return fpr_top + part * fpr_rest, tpr_top + part * tpr_rest

    def densities(self, positions: FloatArray) -> Rates:
        """Return 0: the rates do not fall at any finite position."""
        return np.zeros(len(positions)), np.zeros(len(positions))


def endless_walk(axis: Axis) -> SmearedWalk:
    """Return the straight line of scores that are smeared without limit."""
    tpr, fpr = 1 - axis.bottom
    rates = np.array([fpr]), np.array([tpr])
    return axis.walk(np.array([-math.inf]), rates, sources=EndlessScores(axis))


def uniform_walk(axis: Axis, width: float) -> SmearedWalk:
    """Return the exact polyline: a score begins to count at s + d/2, in full from s − d/2 on."""
    owner = np.concatenate((axis.places, axis.places))
    half = np.repeat([0.5, -0.5], len(axis.places))
    order = np.argsort(-(owner + half * width), kind="stable")
    owner, half = owner[order], half[order]
    # the distance of two neighbours, from their scores rather than from their rounded positions
    # (beyond one width no score is being entered, so larger distances need not be told apart)
    with np.errstate(over="ignore"):
        distance = np.clip((owner[:-1] - owner[1:]) / width + (half[:-1] - half[1:]), 0.0, 1.0)
    rates = []
    for share, top in zip(axis.shares, axis.top, strict=True):
        entered = np.cumsum(np.concatenate((share, -share))[order])[:-1]  # after each event
        rates.append(top + np.append(0.0, running_sum(np.maximum(entered, 0.0) * distance)))
    positions = owner + half * width
    kept = np.append(positions[1:] != positions[:-1], True)
    tpr, fpr = rates
    return axis.walk(positions[kept], (fpr[kept], tpr[kept]), straight=True)


_STEEPEST = 0.2420  # sup |φ′|, and four times sup |f′|/κ of a beta density in log-odds
_GOAL = 1e-6
_MOST_POINTS = 20_000


def normal_walk(axis: Axis, spread: float) -> SmearedWalk:
    """Add points until no chord is further than the goal from the curve, or there are too many.

    Both rates are monotone, so the curve stays in the box of a chord; and each rate is within
    step²/8·sup|F″| of the straight line, |F″| ≤ sup|φ′|/σ².
    """
    sources, rounding = NormalScores.of(axis, spread)
    high, low = axis.places[0] + REACH * spread, axis.places[-1] - REACH * spread
    count = min(math.ceil(8 * (high - low) / spread), _MOST_POINTS // 8)
    positions = np.linspace(high, low, count + 1)
    if len(axis.places) <= _MOST_POINTS // 8:
        positions = np.unique(np.append(positions, axis.places))[::-1]
    positions, rates, distance = _refined(
        positions,
        sources.rates,
        lambda first, last: ((first - last) / spread) ** 2 / 8 * _STEEPEST,
        _GOAL,
    )
    return axis.walk(positions, rates, distance + rounding, sources=sources)


def _refined(
    positions: FloatArray,
    rates: Callable[[FloatArray], Rates],
    bends: Callable[[FloatArray, FloatArray], FloatArray],
    goal: float,
) -> tuple[FloatArray, Rates, float]:
    """Divide the steps between positions until every chord is close enough to the curve.

    `bends` bounds how far each rate is from the straight line over steps, from their two ends; it
    falls with the square of a step. Returns the positions, the rates and the largest distance.
    """

    def distances(first: FloatArray, last: FloatArray) -> FloatArray:
        box = np.abs(last[1:] - first[1:]).min(axis=0)
        return np.asarray(np.minimum(box, bends(first[0], last[0])))

    points = np.stack((positions, *rates(positions)))
    distance = distances(points[:, :-1], points[:, 1:])
    while True:
        wide = np.flatnonzero(distance > goal)
        room = _MOST_POINTS - points.shape[1]
        if not len(wide) or room <= 0:
            return points[0], (points[1], points[2]), float(distance.max(initial=0.0))
        wide = wide[np.argsort(-distance[wide], kind="stable")[:room]]
        parts = np.clip(np.ceil(np.sqrt(distance[wide] / goal)), 2, _MOST_PARTS).astype(int)
        wide = wide[: max(int(np.searchsorted(np.cumsum(parts - 1), room, "right")), 1)]
        order = np.argsort(wide)
        wide, parts = wide[order], parts[: len(wide)][order]
        step, part = all_between(np.ones_like(parts), parts)  # the points inside each step
        first, last = points[:, wide], points[:, wide + 1]
        share = part / parts[step]
        added = first[0, step] + share * (last[0, step] - first[0, step])
        more = np.stack((added, *rates(added)))
        points = np.insert(points, wide[step] + 1, more, axis=1)
        begin = wide + np.append(0, np.cumsum(parts - 1)[:-1])
        _, index = all_between(begin, begin + parts)
        distance = np.insert(distance, wide[step] + 1, 0.0)
        distance[index] = distances(points[:, index], points[:, index + 1])


_MOST_PARTS = 8  # of a step at once


_FARTHEST = 600.0  # in asinh of log-odds: beyond any tail


def beta_walk(tally: Tally, scores: BetaScores) -> SmearedWalk:
    """Return points of the curve of beta distributions, on the axis asinh(log-odds).

    A rate is within step²/8·sup|f′| of the straight line. In log-odds |f′| ≤ 0.0605·κ everywhere:
    f ≤ √(κ/8π)·exp(−2κ(s − σ)²) by Pinsker's inequality and f′ = κ(s − σ)·f; and the polynomial
    of a panel bounds its own |f′|. What is left beyond the last points is below the goal.
    """
    axis = Axis.of_log_odds(tally)

    def rates(v: FloatArray) -> Rates:
        return scores.rates(np.sinh(v))

    def bends(first: FloatArray, last: FloatArray) -> FloatArray:
        high, low = np.sinh(first), np.sinh(last)
        steepest = np.minimum(scores.steepest(low, high), _STEEPEST / 4 * scores.mean_concentration)
        return np.asarray(np.minimum(high - low, 1e100) ** 2 / 8 * steepest)

    # no step crosses the edge of a panel
    at, found, distance = _refined(_edges(scores, _GOAL), rates, bends, _GOAL)
    error = distance + _GOAL / 2 + float(scores.errors.max())
    return axis.walk(np.sinh(at), found, error, sources=scores)


def drawn_beta_walk(tally: Tally, scores: BetaScores, count: int) -> Walk:
    """Return so many points of the curve, for drawing, at about even steps of FPR + TPR."""
    edges = _edges(scores, _SEEN)
    parts = np.linspace(0, 1, _SEEN_PARTS, endpoint=False)
    grid = np.append((edges[:-1, None] + np.diff(edges)[:, None] * parts).ravel(), edges[-1])
    progress = np.maximum.accumulate(np.add(*scores.rates(np.sinh(grid))))
    # where a sum of the rates is reached is interpolated; the rates there are those of the curve
    inner = np.interp(np.linspace(progress[0], progress[-1], count)[1:-1], progress, grid)
    positions = np.sinh(np.unique(np.concatenate((grid[[0, -1]], inner)))[::-1])
    axis = Axis.of_log_odds(tally)
    return axis.walk(positions, scores.rates(positions), sources=scores).walk


_SEEN, _SEEN_PARTS = 2e-4, 8


def _edges(scores: BetaScores, goal: float) -> FloatArray:
    """Return the falling edges of panels in asinh(log-odds); less than goal/2 is beyond them."""
    ends = []
    steps = np.arange(math.asinh(scores.end), _FARTHEST, 0.5)
    for side, tail in zip((-1.0, 1.0), scores.tails, strict=True):
        end = _FARTHEST
        for start in range(0, len(steps), _TOGETHER):
            some = steps[start : start + _TOGETHER]
            is_little = (np.abs(tail.beyond(np.sinh(some))) < goal / 2).all(axis=0)
            if is_little.any():
                end = float(some[np.argmax(is_little)])
                break
        ends.append(side * end)
    return np.unique(np.concatenate((ends, np.arcsinh(scores.edges))))[::-1]


_TOGETHER = 16


_NEAR_PAIRS = 2**16  # at once, in the cache
_BINS_PER_DEVIATION = 64


@dataclass(frozen=True, eq=False)
class NormalScores:
    """Scores in increasing order, or bins of them with moments, and the spread σ around them.

    Row m of `up` and `right` is the m-th moment of the class's share about the place, over m!,
    in units of σ.
    """

    places: FloatArray
    up: FloatArray
    right: FloatArray
    spread: float
    top: FloatArray

    @staticmethod
    def of(axis: Axis, spread: float) -> tuple[NormalScores, float]:
        """Return the scores, or bins of them where there are many, and the error of a rate."""
        scores, shares, top = axis.places[::-1], axis.shares[:, ::-1], axis.top
        step = spread / _BINS_PER_DEVIATION
        index = np.floor((scores - scores[0]) / step)
        starts = np.flatnonzero(np.diff(index, prepend=-1.0))
        if 4 * len(starts) > len(scores):
            return NormalScores(scores, shares[0][None], shares[1][None], spread, top), 1e-14
        places = scores[0] + (index[starts] + 0.5) * step
        offset = (scores - np.repeat(places, np.diff(np.append(starts, len(scores))))) / spread
        moments = [
            np.stack([np.add.reduceat(s * offset**m, starts) / math.factorial(m) for m in range(4)])
            for s in shares
        ]
        # Taylor's fourth term: half a bin to the fourth over 4!, times sup |φ‴| < 1.39
        error = (0.5 / _BINS_PER_DEVIATION) ** 4 / 24 * 1.39
        return NormalScores(places, moments[0], moments[1], spread, top), error + 1e-14

    @cached_property
    def above(self) -> FloatArray:
        """The shares of both classes from each place on; one more column for none."""
        sums = np.stack([self.up[0], self.right[0]])[:, ::-1].cumsum(axis=1)[:, ::-1]
        return np.concatenate((sums, np.zeros((2, 1))), axis=1)

    def rates(self, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return FPR and TPR at the positions."""
        return self._sums(positions, 0)

    def densities(self, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how fast FPR and TPR fall with the position, in units of 1/σ."""
        return self._sums(positions, 1)

    def _sums(self, positions: FloatArray, derivative: int) -> tuple[FloatArray, FloatArray]:
        low = np.searchsorted(self.places, positions - REACH * self.spread, "left")
        high = np.searchsorted(self.places, positions + REACH * self.spread, "right")
        shares = np.zeros((2, len(positions)))
        if derivative == 0:
            shares = self.above[:, high] + self.top[:, None]
        done = 0
        while done < len(positions):
            sums = np.cumsum(high[done:] - low[done:])
            stop = done + max(int(np.searchsorted(sums, _NEAR_PAIRS, "right")), 1)
            part = slice(done, stop)
            row, column = all_between(low[part], high[part])
            z = (self.places[column] - positions[part][row]) / self.spread
            shapes = derivatives(z, len(self.up) - 1 + derivative)[derivative:]
            if derivative == 0:
                shapes[0] += 0.5
            for k, moments in enumerate((self.up, self.right)):
                terms = sum(shape * moments[m, column] for m, shape in enumerate(shapes))
                shares[k, part] += np.bincount(row, terms, stop - done)
            done = stop
        return shares[1], shares[0]
