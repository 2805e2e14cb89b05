"""Sensibility analysis: do the probabilities fall on the right side of the midpoint? (SPEC §8)

The midpoint is half the sum of the scores over the positive mass. Positives at or above it and
negatives below it are *sensible*, the others are not; their ratio is the struggle ratio. How many
of each a threshold decides rightly are two step curves.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rocwalk.errors import TallyError
from rocwalk.measure.bounds import EXACT_TALLY, columns_in_order, in_order
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.measure.reading import index_above, index_at, inside_steps
from rocwalk.typing import Bounds, FloatArray, MassArray
from rocwalk.walk.curve import Walk, walk_of
from rocwalk.walk.tally import Tally, read_only

_TIE = 1e-12  # a score so near to the midpoint, relatively, is at it: rounding must not part them


def midpoint(tally: Tally) -> float:
    """Return t_s = Σw·p / (2·Σw·f); NaN without positive mass.

    The rows of a tally are in order, so the order of the data does not matter.
    """
    total = float(tally.up_score.sum() + tally.right_score.sum())
    return total / (2 * tally.total_up) if tally.total_up > 0 else math.nan


@dataclass(frozen=True, eq=False)
class Split:
    """A walk, its midpoint, and the number of rows at or above the midpoint.

    Where the midpoint lies inside a bucket, an unknown part of either of its masses is above it.
    This split then takes half of both, and `corners` are the splits with none or all of each.
    Every number here rises or falls with each of the two parts, so it lies between the corners'.
    """

    walk: Walk
    midpoint: float
    above: int
    corners: tuple[Split, ...] = ()

    @property
    def sensible(self) -> float:
        """The mass on the right side: positives at or above the midpoint, negatives below."""
        up, right = self.walk.up, self.walk.right
        return float(up[self.above] + right[-1] - right[self.above])

    @property
    def other(self) -> float:
        """The mass on the wrong side."""
        up, right = self.walk.up, self.walk.right
        return float(right[self.above] + up[-1] - up[self.above])

    @property
    def struggle_ratio(self) -> float:
        """The mass on the wrong side over that on the right side; infinite if none is right.

        The middle of its bounds where the midpoint lies inside a bucket.
        """
        if self.corners:
            ratios = [corner.struggle_ratio for corner in self.corners]
            return (min(ratios) + max(ratios)) / 2
        return self.other / self.sensible if self.sensible > 0 else math.inf

    @property
    def sensible_bounds(self) -> Bounds:
        """The lowest, the middle and the highest mass on the right side; equal unless bucketed."""
        return self._bounds(lambda split: split.sensible)

    @property
    def other_bounds(self) -> Bounds:
        """The same of the mass on the wrong side."""
        return self._bounds(lambda split: split.other)

    @property
    def struggle_ratio_bounds(self) -> Bounds:
        """The same of the struggle ratio."""
        return self._bounds(lambda split: split.struggle_ratio)

    def _bounds(self, number: Callable[[Split], float]) -> Bounds:
        found = [number(split) for split in self.corners or (self,)]
        return in_order(min(found), number(self), max(found))

    @cached_property
    def sensibility_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the middle and the highest sensibility at each threshold of the walk."""
        return self._columns(lambda split: split.sensibility)

    @cached_property
    def capability_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The same of the capability."""
        return self._columns(lambda split: split.capability)

    def _columns(
        self, column: Callable[[Split], FloatArray]
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        found = np.stack([column(split) for split in self.corners or (self,)])
        low, high = np.fmin.reduce(found), np.fmax.reduce(found)  # NaN only if all are
        return columns_in_order(low, column(self), high)

    @cached_property
    def sensibility(self) -> FloatArray:
        """The accuracy on the sensible mass at each threshold of the walk; NaN if there is none."""
        up, right, h = self.walk.up, self.walk.right, self.above
        whole = right[-1]
        return self._joined(
            up[: h + 1] + (whole - right[h]), up[h] + (whole - right[h + 1 :]), self.sensible
        )

    @cached_property
    def capability(self) -> FloatArray:
        """The accuracy on the other mass at each threshold of the walk; NaN if there is none."""
        up, right, h = self.walk.up, self.walk.right, self.above
        return self._joined(right[h] - right[: h + 1], up[h + 1 :] - up[h], self.other)

    def _joined(self, above: MassArray, below: MassArray, whole: float) -> FloatArray:
        """Return the shares of a mass that is decided rightly: above and below the midpoint."""
        shares = np.empty(len(self.walk))
        if not whole > 0:
            shares.fill(np.nan)
        else:
            np.divide(above, whole, out=shares[: len(above)])
            np.divide(below, whole, out=shares[len(above) :])
        return read_only(shares)

    def at(self, threshold: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return sensibility and capability of the rules "score ≥ threshold"."""
        place = index_at(self.walk, threshold)
        return self.sensibility[place], self.capability[place]

    def bounds_at(self, threshold: float) -> tuple[Bounds, Bounds]:
        """Return the bounds of sensibility and capability of one rule "score ≥ threshold".

        On either side of the midpoint both only rise or only fall with the threshold, and no step
        crosses it, so inside a bucket they lie between their values at its two ends.
        """
        asked = np.array([threshold])
        index = index_above(self.walk, asked)
        cut = not self.walk.is_exact and bool(inside_steps(self.walk, index, asked)[0])
        ends = [int(index[0]), int(index[0]) + 1] if cut else [int(index_at(self.walk, asked)[0])]
        return _at(self.sensibility_bounds, ends), _at(self.capability_bounds, ends)


def _at(columns: tuple[FloatArray, FloatArray, FloatArray], ends: list[int]) -> Bounds:
    low, middle, high = (column[ends] for column in columns)
    return in_order(low.min(), middle.mean(), high.max())


def split_of(tally: Tally, at: float | None = None) -> Split:
    """Split a tally of probabilities at its own midpoint, or at another, or raise.

    A midpoint inside a bucket is refused; `bounded_split` says what it leaves open.
    """
    middle, above, is_open = _place(tally, at)
    if is_open:
        raise TallyError(
            f"The midpoint {middle:g} lies inside a bucket of this bucketed tally, "
            f"{tally.scores[above]:g} to {tally.highest[above]:g}.",
            f"{EXACT_TALLY}; or pass midpoint=, an end of a bucket.",
        )
    return Split(walk_of(tally), middle, above)


def bounded_split(tally: Tally, at: float | None = None) -> Split:
    """Split a tally as `split_of` does; inside a bucket, with the corners of what it may hold."""
    middle, above, is_open = _place(tally, at)
    walk = walk_of(tally)
    if not is_open:
        return Split(walk, middle, above)
    corners = tuple(
        Split(_cut(walk, middle, above, up, right), middle, above + 1)
        for up in (0.0, 1.0)
        for right in (0.0, 1.0)
    )
    return Split(_cut(walk, middle, above, 0.5, 0.5), middle, above + 1, corners)


def _place(tally: Tally, at: float | None) -> tuple[float, int, bool]:
    """Return the midpoint, the rows wholly at or above it, and whether it cuts the next one."""
    refuse_other_scores(tally)
    middle = midpoint(tally) if at is None else at
    reach = middle - _TIE * abs(middle)
    above = int(np.count_nonzero(tally.scores >= reach))
    is_open = tally.is_bucketed and above < len(tally) and bool(tally.highest[above] >= reach)
    return middle, above, is_open


def _cut(walk: Walk, middle: float, above: int, up: float, right: float) -> Walk:
    """Return the walk with one more point: the midpoint, with shares of its bucket's masses."""
    highest = walk.thresholds if walk.highest is None else walk.highest
    end = above + 1  # the point at which the bucket ends
    place = min(middle, float(highest[end]))
    tops = np.insert(highest, end, highest[end])
    tops[end + 1] = np.nextafter(place, -np.inf)
    masses = [
        np.insert(mass.astype(np.float64), end, mass[above] + share * (mass[end] - mass[above]))
        for mass, share in ((walk.up, up), (walk.right, right))
    ]
    return replace(
        walk, thresholds=np.insert(walk.thresholds, end, place), up=masses[0], right=masses[1],
        highest=tops,
    )  # fmt: skip
