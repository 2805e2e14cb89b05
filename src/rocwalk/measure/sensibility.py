"""Sensibility analysis: do the probabilities fall on the right side of the midpoint? (SPEC §8)

The midpoint is half the sum of the scores over the positive mass. Positives at or above it and
negatives below it are *sensible*, the others are not; their ratio is the struggle ratio. How many
of each a threshold decides rightly are two step curves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.errors import TallyError
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.measure.reading import index_at
from rocwalk.typing import FloatArray, MassArray
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
    """A walk, its midpoint, and the number of rows at or above the midpoint."""

    walk: Walk
    midpoint: float
    above: int

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
        """The mass on the wrong side over that on the right side; infinite if none is right."""
        return self.other / self.sensible if self.sensible > 0 else math.inf

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


def split_of(tally: Tally, at: float | None = None) -> Split:
    """Split a tally of probabilities at its own midpoint, or at another."""
    refuse_other_scores(tally)
    middle = midpoint(tally) if at is None else at
    reach = middle - _TIE * abs(middle)
    above = int(np.count_nonzero(tally.scores >= reach))
    if tally.is_bucketed and above < len(tally) and tally.highest[above] >= reach:
        raise TallyError(
            f"The midpoint {middle:g} lies inside a bucket of this tally, "
            f"{tally.scores[above]:g} to {tally.highest[above]:g}.",
            "make the tally without buckets, or with finer ones.",
        )
    return Split(walk_of(tally), middle, above)
