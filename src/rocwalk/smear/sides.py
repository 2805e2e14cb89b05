"""The two classes as sorted scores, and the pairs of a positive and a negative between them.

A `Side` is one class: its scores in increasing order with their shares of the class's mass, which
add up to 1. Counts of hard labels need no shares, because all are equal. `Sides` are both classes;
every sum over pairs in this room starts from them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.errors import OneClassError
from rocwalk.read.arrays import Sample
from rocwalk.tally.order import places_of, sorted_classes
from rocwalk.tally.tally import Tally, refuse_other_scores
from rocwalk.tally.walk import refuse_buckets
from rocwalk.typing import AnyArray, BoolArray, FloatArray, IntArray

EPS = 2.0**-53  # the relative rounding error of one operation in float64
_EXACT_SUMS = 20_000  # math.fsum adds up this many terms without a noticeable delay


@dataclass(frozen=True, eq=False)
class Side:
    """One class: scores in increasing order, and their shares, or None when all are equal."""

    scores: FloatArray
    shares: FloatArray | None = None

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def _running(self) -> FloatArray | None:
        return None if self.shares is None else running_sum(self.shares, leading=True)

    def before(self, index: IntArray) -> FloatArray:
        """Return the share that lies before each index."""
        return index / len(self) if self._running is None else self._running[index]

    def weigh(self, values: AnyArray) -> float:
        """Return the mean of values that belong to the scores, weighted by their shares."""
        if self.shares is not None:
            values = values * self.shares
        total = math.fsum(values) if len(values) <= _EXACT_SUMS else float(values.sum())
        return total if self.shares is not None else total / len(self)

    @cached_property
    def mean(self) -> float:
        """The mean score of the class."""
        return self.weigh(self.scores)

    @cached_property
    def _is_last(self) -> BoolArray:
        """Which scores are the last of their equals."""
        last = np.ones(len(self), dtype=bool)
        np.not_equal(self.scores[1:], self.scores[:-1], out=last[:-1])
        return last

    @cached_property
    def distinct_count(self) -> int:
        """How many distinct scores there are."""
        return int(np.count_nonzero(self._is_last))

    @cached_property
    def distinct(self) -> tuple[FloatArray, FloatArray]:
        """The distinct scores and the share of each."""
        if self.distinct_count == len(self):
            equal = np.full(len(self), 1.0 / len(self)) if self.shares is None else self.shares
            return self.scores, equal
        ends = np.flatnonzero(self._is_last) + 1
        return self.scores[ends - 1], np.diff(self.before(ends), prepend=0.0)

    @property
    def at_ends(self) -> tuple[float, float]:
        """The shares of the scores of 0 and of 1."""
        low, high = np.searchsorted(self.scores, 0.0, "right"), np.searchsorted(self.scores, 1.0)
        ends = self.before(np.array([low, high]))
        return float(ends[0]), 1.0 - float(ends[1])

    @property
    def log_odds(self) -> Side:
        """The finite log-odds: those of the scores in (0, 1)."""
        low, high = np.searchsorted(self.scores, 0.0, "right"), np.searchsorted(self.scores, 1.0)
        shares = self.shares
        if shares is not None and high > low:
            shares = shares[low:high] / shares[low:high].sum()
        return Side(log_odds(self.scores[low:high]), shares)


@dataclass(frozen=True, eq=False)
class Sides:
    """Both classes; neither is empty."""

    positive: Side
    negative: Side

    @cached_property
    def collapsed(self) -> Sides:
        """The same with one row per distinct score, where that saves half of the rows or more."""
        parts = (self.positive, self.negative)
        if 2 * sum(part.distinct_count for part in parts) > sum(map(len, parts)):
            return self
        fewer = Sides(*(Side(*part.distinct) for part in parts))
        fewer.__dict__.update(auc=self.auc, gini=self.gini)  # which are exact for counts
        return fewer

    def weighed(self, weights: tuple[float, float]) -> Sides:
        """Return the same with shares that add up to a weight of each class; of a tally only."""
        assert self.positive.shares is not None
        assert self.negative.shares is not None
        return Sides(
            Side(self.positive.scores, self.positive.shares * weights[0]),
            Side(self.negative.scores, self.negative.shares * weights[1]),
        )

    @property
    def few(self) -> Side:
        """The class with fewer rows: the one to loop over."""
        return self.positive if len(self.positive) <= len(self.negative) else self.negative

    @property
    def many(self) -> Side:
        """The other class."""
        return self.negative if self.few is self.positive else self.positive

    @property
    def sign(self) -> float:
        """The factor that turns a sum over (few − many) into one over (positive − negative)."""
        return 1.0 if self.few is self.positive else -1.0

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest score of both classes."""
        parts = (self.positive.scores, self.negative.scores)
        low, high = min(part[0] for part in parts), max(part[-1] for part in parts)
        return float(low), float(high)

    @cached_property
    def places(self) -> tuple[IntArray, IntArray]:
        """For each of the few: where its equals begin and end among the many."""
        few, many = self.few.scores, self.many.scores
        return places_of(many, few, "left"), places_of(many, few, "right")

    @cached_property
    def auc(self) -> float:
        """The area under the curve without smearing; exact for counts."""
        left, right = self.places
        if self.few.shares is None and self.many.shares is None:
            whole = 2 * len(self.few) * len(self.many)
            below = int((left + right).sum()) / whole
        else:
            below = self.few.weigh(self.many.before(left) + self.many.before(right)) / 2.0
        return below if self.sign > 0 else 1.0 - below

    @cached_property
    def tied(self) -> float:
        """The share of pairs whose scores are equal."""
        left, right = self.places
        return self.few.weigh(self.many.before(right) - self.many.before(left))

    @property
    def concordant(self) -> float:
        """The share of pairs in which the positive has the higher score."""
        return self.auc - self.tied / 2

    @cached_property
    def gini(self) -> float:
        """m⁺ − m⁻, the difference of the mean scores: the weighted mean of D over all pairs."""
        return self.positive.mean - self.negative.mean

    @property
    def probabilistic_auc(self) -> float:
        """A_p = ½(1 + m⁺ − m⁻)."""
        return 0.5 * (1.0 + self.gini)

    @cached_property
    def log_odds(self) -> LogOdds:
        """The scores on the axis of log-odds."""
        up, right = self.positive.log_odds, self.negative.log_odds
        (up_low, up_high), (right_low, right_high) = self.positive.at_ends, self.negative.at_ends
        between = 1.0 - up_low - up_high, 1.0 - right_low - right_high
        settled = up_high * (1.0 - right_high / 2) + (between[0] + up_low / 2) * right_low
        finite = Sides(up, right) if len(up) and len(right) else None
        return LogOdds(finite, between[0] * between[1] if finite else 0.0, settled)


@dataclass(frozen=True, eq=False)
class LogOdds:
    """Both classes by ln(s/(1−s)): the finite ones, and what does not depend on any width.

    Scores of 0 and 1 have infinite log-odds. `share` is the share of pairs of two finite scores;
    the others are decided, or tied at the same end, whatever the width: they add `settled` to the
    area. `finite` is None if a class has no score in (0, 1).
    """

    finite: Sides | None
    share: float
    settled: float

    def area(self, area: float) -> float:
        """Return the area over all pairs from that over the finite ones."""
        return self.settled + self.share * area

    @cached_property
    def rounding(self) -> float:
        """A bound on the rounding error of a difference of two log-odds."""
        low, high = (0.0, 0.0) if self.finite is None else self.finite.ends
        return 8 * EPS * (1.0 + max(-low, high))


def log_odds(scores: FloatArray) -> FloatArray:
    """Return ln(s/(1−s)) of scores in [0, 1]; those of 0 and 1 are infinite."""
    with np.errstate(divide="ignore"):
        odds: FloatArray = np.log(scores)
        odds -= np.log1p(-scores)
    return odds


def sides_of(data: Sample | Tally) -> Sides | None:
    """Return the two classes of checked data or of a tally; None when a class has no mass."""
    if isinstance(data, Sample) and data.is_counts:
        sides = sides_of_labels(data.truth, data.scores, data.low, data.high)
    else:
        tally = data if isinstance(data, Tally) else data.tally()
        refuse_buckets(refuse_other_scores(tally), "Smearing")
        sides = sides_of_tally(tally)
    return sides if len(sides.positive) and len(sides.negative) else None


def both_sides_of(data: Sample | Tally) -> Sides:
    """Return the two classes, or raise if one has no mass."""
    sides = sides_of(data)
    if sides is None:
        raise OneClassError(
            "There is only one class, so there is no area to match.",
            "both classes are needed: check y_true and pos_label, or the filter before this.",
        )
    return sides


def sides_of_labels(
    positive: AnyArray, scores: FloatArray, low: float | None = None, high: float | None = None
) -> Sides:
    """Return the two sides of hard labels without weights, the extreme scores known or not."""
    return Sides(*map(Side, sorted_classes(positive, scores, low, high)))


def sides_of_tally(tally: Tally) -> Sides:
    """Return the two sides of a tally that is not bucketed."""
    sides = []
    for mass in (tally.up, tally.right):
        held = np.flatnonzero(mass)[::-1]
        own = mass[held]
        sides.append(Side(tally.scores[held], own / own.sum()))
    return Sides(*sides)


# -- pairs, listed where there are few enough of them ----------------------------------------------


_CHUNK = 2**15  # pairs whose columns stay in the cache


def near_counts(sides: Sides, reach: float) -> tuple[IntArray, IntArray]:
    """Return for each of the few where the many within reach begin and end."""
    few, many = sides.few.scores, sides.many.scores
    return places_of(many, few - reach, "left"), places_of(many, few + reach, "right")


def all_between(low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
    """Return every number from low to high of each row, and the row that it belongs to."""
    size = high - low
    row = np.repeat(np.arange(len(size)), size)
    return row, np.arange(int(size.sum())) + np.repeat(low - (np.cumsum(size) - size), size)


def near_pairs(
    sides: Sides, low: IntArray, high: IntArray
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield D = positive − negative and the share of each pair, some thousands at a time."""
    many, done = sides.many, 0
    before = np.zeros(len(low) + 1, dtype=np.int64)  # pairs of the rows before each
    np.cumsum(high - low, out=before[1:])
    while done < len(low):
        stop = int(np.searchsorted(before, before[done] + _CHUNK, "right")) - 1
        stop = max(stop, done + 1)
        row, column = all_between(low[done:stop], high[done:stop])
        row += done
        difference = sides.few.scores[row] - many.scores[column]
        if sides.few.shares is not None and many.shares is not None:
            share = sides.few.shares[row] * many.shares[column]
        elif sides.few.shares is not None:
            share = sides.few.shares[row] / len(many)
        elif many.shares is not None:
            share = many.shares[column] / len(sides.few)
        else:
            share = np.full(len(row), 1.0 / len(sides.few) / len(many))
        yield sides.sign * difference, share
        done = stop


def distinct_pairs(sides: Sides) -> tuple[FloatArray, FloatArray]:
    """Return D and the share of all pairs of distinct scores."""
    up, up_share = sides.positive.distinct
    right, right_share = sides.negative.distinct
    difference = np.subtract.outer(up, right).ravel()
    return difference, np.multiply.outer(up_share, right_share).ravel()


def count_distinct_pairs(sides: Sides) -> int:
    """Return how many pairs of distinct scores there are."""
    return sides.positive.distinct_count * sides.negative.distinct_count


# -- running sums ----------------------------------------------------------------------------------


_BLOCK, _BLOCKS = 16, 2**11  # numbers that are added up one by one; blocks that stay in the cache


def running_sum(values: FloatArray, *, leading: bool = False) -> FloatArray:
    """Return cumulative sums whose rounding error hardly grows with the length.

    Blocks are added up separately and their totals likewise, so that a sum of n terms carries the
    error of about 16·log₁₆(n) additions instead of n. `leading` puts a 0 first.
    """
    room = np.empty(len(values) + leading)
    room[:leading] = 0.0
    room[leading:] = values
    add_up(room[leading:])
    return room


def add_up(values: FloatArray) -> None:
    """Put the running sums of values, as of `running_sum`, in their place."""
    if len(values) <= _BLOCK:
        np.cumsum(values, out=values)
        return
    whole = len(values) // _BLOCK * _BLOCK
    inside, rest = values[:whole].reshape(-1, _BLOCK), values[whole:]
    for start in range(0, len(inside), _BLOCKS):  # many at once: each is too short for cumsum
        blocks = inside[start : start + _BLOCKS]
        for k in range(1, _BLOCK):
            blocks[:, k] += blocks[:, k - 1]
    totals = running_sum(inside[:, -1])
    inside[1:] += totals[:-1, None]
    np.cumsum(rest, out=rest)
    rest += totals[-1]


def running_depth(length: int) -> int:
    """Return how many additions the error of one of `length` running sums amounts to, at most."""
    return _BLOCK * max(math.ceil(math.log(max(length, 2), _BLOCK)), 1) + 1
