"""The smeared ROC curve: the walk of distributions instead of points (SPEC §3).

At a position t on the score axis, TPR(t) and FPR(t) are the mean survival functions of the smeared
scores of each class. For the uniform kernel both are straight between the positions s ± d/2, so
the curve is an exact polyline. For the normal kernel it is drawn through points close enough that
the distance between the polyline and the curve is bounded, and the bound stated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.typing import AnyArray, FloatArray, IntArray
from rocwalk.walk.bells import derivatives
from rocwalk.walk.curve import Walk, walk_of
from rocwalk.walk.pairs import all_between
from rocwalk.walk.sides import running_sum
from rocwalk.walk.smear import Kernel
from rocwalk.walk.tally import Tally

_REACH = 8.5  # standard deviations beyond which nothing is left to 1e-17
_STEEPEST = 0.2420  # sup |φ′|
_GOAL = 1e-6
_MOST_POINTS = 20_000
_NEAR_PAIRS = 2**22
_BINS_PER_DEVIATION = 64


@dataclass(frozen=True, eq=False)
class Sources:
    """Scores in increasing order, or bins of them with moments, and the spread σ around them.

    Row m of `up` and `right` is the m-th moment of the class's share about the place, over m!,
    in units of σ.
    """

    places: FloatArray
    up: FloatArray
    right: FloatArray
    spread: float

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
        low = np.searchsorted(self.places, positions - _REACH * self.spread, "left")
        high = np.searchsorted(self.places, positions + _REACH * self.spread, "right")
        shares = self.above[:, high] if derivative == 0 else np.zeros((2, len(positions)))
        done = 0
        while done < len(positions):
            sums = np.cumsum(high[done:] - low[done:])
            stop = done + max(int(np.searchsorted(sums, _NEAR_PAIRS, "right")), 1)
            part = slice(done, stop)
            shares[:, part] += self._near(positions[part], low[part], high[part], derivative)
            done = stop
        return shares[1], shares[0]

    def _near(
        self, positions: FloatArray, low: IntArray, high: IntArray, derivative: int
    ) -> FloatArray:
        row, column = all_between(low, high)
        z = (self.places[column] - positions[row]) / self.spread
        shapes = derivatives(z, len(self.up) - 1 + derivative)[derivative:]
        if derivative == 0:
            shapes[0] += 0.5
        both = []
        for moments in (self.up, self.right):
            terms = sum(shape * moments[m, column] for m, shape in enumerate(shapes))
            both.append(np.bincount(row, terms, len(positions)))
        return np.stack(both)


@dataclass(frozen=True, eq=False)
class Smeared:
    """A smeared walk, how far it may be from the curve, and the rates at any position.

    Between two points the rates are straight lines (`straight`), those of the normal `sources`,
    or those of the point before: the bare walk.
    """

    walk: Walk
    error: float = 0.0
    straight: bool = False
    sources: Sources | None = None

    def rates(self, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return FPR and TPR at positions on the score axis."""
        walk = self.walk
        if self.sources is not None:
            return self.sources.rates(positions)
        if walk.thresholds[-1] == -math.inf:  # smeared without limit: half of everything is above
            half = np.where(np.isinf(positions), np.where(positions > 0, 0.0, 1.0), 0.5)
            return half, half.copy()
        if not self.straight:
            index = np.searchsorted(-walk.thresholds, -positions, "right") - 1
            return walk.fpr[index], walk.tpr[index]
        ascending = walk.thresholds[:0:-1]
        return (
            np.interp(positions, ascending, walk.fpr[:0:-1], left=1.0, right=0.0),
            np.interp(positions, ascending, walk.tpr[:0:-1], left=1.0, right=0.0),
        )


def smeared(tally: Tally, kernel: Kernel, width: float) -> Smeared:
    """Walk a tally whose scores are smeared."""
    if width == 0 or (not kernel.is_uniform and kernel.spread(width) < 1e-150):
        return Smeared(walk_of(tally))
    if width >= 1e150:
        ends = np.array([math.inf, -math.inf])
        return Smeared(_walk(tally, ends, np.array([0.0, 1.0]), np.array([0.0, 1.0])))
    return _uniform(tally, width) if kernel.is_uniform else _normal(tally, kernel, width)


def _walk(tally: Tally, positions: FloatArray, tpr: FloatArray, fpr: FloatArray) -> Walk:
    """Return the walk through the rates, ending exactly at the totals."""
    totals = float(tally.total_up), float(tally.total_right)
    up, right = np.clip(tpr, 0, 1) * totals[0], np.clip(fpr, 0, 1) * totals[1]
    for mass, total in ((up, totals[0]), (right, totals[1])):
        mass[0], mass[-1] = 0.0, total
    return Walk(positions, up, right, tally.prevalence)


# -- uniform -------------------------------------------------------------------------------------


def _uniform(tally: Tally, width: float) -> Smeared:
    """A score begins to count at s + d/2 and counts in full from s − d/2 on."""
    owner = np.concatenate((tally.scores, tally.scores))
    half = np.repeat([0.5, -0.5], len(tally))
    order = np.argsort(-(owner + half * width), kind="stable")
    owner, half = owner[order], half[order]
    # the distance of two neighbours, from their scores rather than from their rounded positions
    # (beyond one width nothing is active, so more need not be told apart)
    with np.errstate(over="ignore"):
        distance = np.clip((owner[:-1] - owner[1:]) / width + (half[:-1] - half[1:]), 0.0, 1.0)
    rates = [
        np.concatenate(([0.0, 0.0], running_sum(_active(mass, order) * distance)))
        for mass in (tally.up, tally.right)
    ]
    positions = np.concatenate(([np.inf], owner + half * width))
    kept = np.append(positions[1:] != positions[:-1], True)
    walk = _walk(tally, positions[kept], rates[0][kept], rates[1][kept])
    return Smeared(walk, straight=True)


def _active(mass: AnyArray, order: IntArray) -> FloatArray:
    """Return the share of a class that is being entered after each event but the last."""
    signed = np.concatenate((mass, -mass))[order]
    share: FloatArray = np.maximum(np.cumsum(signed)[:-1] / mass.sum(), 0.0)
    return share


# -- normal --------------------------------------------------------------------------------------


def _sources(tally: Tally, spread: float) -> tuple[Sources, float]:
    """Return the scores, or bins of them where there are many, and the error of a rate."""
    scores = tally.scores[::-1]
    shares = [mass[::-1] / mass.sum() for mass in (tally.up, tally.right)]
    step = spread / _BINS_PER_DEVIATION
    index = np.floor((scores - scores[0]) / step)
    starts = np.flatnonzero(np.diff(index, prepend=-1.0))
    if 4 * len(starts) > len(scores):
        return Sources(scores, shares[0][None], shares[1][None], spread), 1e-14
    places = scores[0] + (index[starts] + 0.5) * step
    offset = (scores - np.repeat(places, np.diff(np.append(starts, len(scores))))) / spread
    moments = [
        np.stack([np.add.reduceat(s * offset**m, starts) / math.factorial(m) for m in range(4)])
        for s in shares
    ]
    # the fourth term of Taylor's series: half a bin to the fourth over 4!, times sup |φ‴| < 1.39
    error = (0.5 / _BINS_PER_DEVIATION) ** 4 / 24 * 1.39
    return Sources(places, moments[0], moments[1], spread), error + 1e-14


def _normal(tally: Tally, kernel: Kernel, width: float) -> Smeared:
    """Lay points until no chord is further than the goal from the curve, or there are too many."""
    spread = kernel.sd_per_width * width
    sources, rounding = _sources(tally, spread)
    first, last = float(tally.scores[0]), float(tally.scores[-1])
    span = first - last + 2 * _REACH * spread
    count = min(math.ceil(8 * span / spread), _MOST_POINTS // 8)
    positions = np.linspace(first + _REACH * spread, last - _REACH * spread, count + 1)
    if len(tally) <= _MOST_POINTS // 8:
        positions = np.unique(np.append(positions, tally.scores))[::-1]
    fpr, tpr = sources.rates(positions)
    while True:
        distance = _distances(positions, fpr, tpr, spread)
        wide = np.flatnonzero(distance > _GOAL)
        room = _MOST_POINTS - len(positions)
        if not len(wide) or room <= 0:
            break
        wide = np.sort(wide[np.argsort(-distance[wide], kind="stable")[:room]])
        added = (positions[wide] + positions[wide + 1]) / 2
        more_fpr, more_tpr = sources.rates(added)
        positions = np.insert(positions, wide + 1, added)
        fpr, tpr = np.insert(fpr, wide + 1, more_fpr), np.insert(tpr, wide + 1, more_tpr)
    positions = np.append(np.inf, positions)
    rising = [np.maximum.accumulate(np.append(0.0, rate)) for rate in (tpr, fpr)]
    error = float(distance.max()) + rounding
    return Smeared(_walk(tally, positions, *rising), error, sources=sources)


def _distances(
    positions: FloatArray, fpr: FloatArray, tpr: FloatArray, spread: float
) -> FloatArray:
    """Bound the distance of each chord from the curve.

    Both rates are monotone, so the curve stays in the chord's box; and each is within
    step²/8·sup|F″| of the straight line, |F″| ≤ sup|φ′|/σ².
    """
    box = np.minimum(np.diff(fpr), np.diff(tpr))
    return np.minimum(np.abs(box), np.diff(positions / spread) ** 2 / 8 * _STEEPEST)
