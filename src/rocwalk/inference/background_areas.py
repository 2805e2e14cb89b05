"""The areas between subgroups: positives of one against negatives of others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import OneClassError, OptionError, RocwalkWarning, collecting
from rocwalk.inference.group_tests import Part
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence, Items
from rocwalk.inference.request import Request
from rocwalk.read.arrays import Sample
from rocwalk.result import Result
from rocwalk.texts import shown
from rocwalk.typing import AnyArray, BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Divided:
    """A sample, the subgroup of each row as a number, their names, and the clusters if any."""

    sample: Sample
    names: tuple[Any, ...]
    codes: IntArray
    units: IntArray | None = None

    @classmethod
    def by(cls, sample: Sample, column: AnyArray, units: IntArray | None = None) -> Divided:
        """Return the sample with the subgroups of a column."""
        try:
            names, codes = np.unique(column, return_inverse=True)
        except TypeError:
            names, codes = np.unique(column.astype(str), return_inverse=True)
        return cls(sample, tuple(names.tolist()), codes.reshape(-1), units)

    def rows_of(self, name: Any) -> BoolArray:
        """Mark the rows of a subgroup, or raise if there is none of this name."""
        if name not in self.names:
            raise OptionError(
                f"{name!r} is not a subgroup.",
                f"the subgroups are {shown(self.names)}.",
            )
        return np.asarray(self.codes == self.names.index(name))

    def crossed(self, ups: BoolArray, rights: BoolArray) -> Part:
        """Return the evidence of the positive mass of some rows and the negative mass of others."""
        sample = self.sample
        if sample.is_hard:
            rows = np.flatnonzero(np.where(sample.truth == 1, ups, rights))
        else:
            weight = np.ones(len(ups)) if sample.weights is None else sample.weights
            up = weight * sample.truth * ups
            mass = up + (weight - weight * sample.truth) * rights
            rows = np.flatnonzero(mass > 0)
        if not len(rows):
            raise OneClassError(
                "has no item.", "a subgroup needs items of both classes.", subject="The subgroup"
            )
        part = sample.take(rows)
        if not sample.is_hard and not np.array_equal(ups, rights):
            part = replace(part, truth=up[rows] / mass[rows], weights=mass[rows])
        units = None if self.units is None else self.units[rows]
        own = None if units is None else np.unique(units, return_inverse=True)[1].reshape(-1)
        return Evidence(
            part.tally(), Items.from_truth(part.truth, part.weights, part.scores, own)
        ), units

    @property
    def spanning(self) -> int | None:
        """A row of a cluster that has rows in several subgroups; None if there is none."""
        if self.units is None:
            return None
        first = np.full(int(self.units.max()) + 1, -1)
        first[self.units[::-1]] = self.codes[::-1]
        other = np.flatnonzero(first[self.units] != self.codes)
        return int(other[0]) if len(other) else None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BackgroundAreas(Result):
    """The areas of a subgroup's items against the background, which is all other items.

    `bpsn`: background positives against subgroup negatives. Where it is low, negatives of the
    subgroup have too high scores: at one threshold for all, the subgroup has more false positives.
    `bnsp`: background negatives against subgroup positives. Where it is low, positives of the
    subgroup have too low scores: it has more false negatives.
    """

    group: Any
    bpsn: Interval
    bnsp: Interval

    def _headline(self) -> dict[str, Any]:
        found = {"group": self.group}
        for area in ("bpsn", "bnsp"):
            one = getattr(self, area)
            found |= {area: one.estimate, f"{area}_low": one.low, f"{area}_high": one.high}
        return found


def background_areas(
    divided: Divided, names: Sequence[Any], request: Request
) -> tuple[BackgroundAreas, ...]:
    """Return the areas of each subgroup's items against those of all other items."""
    found = []
    with collecting(RocwalkWarning):  # given already, of the subgroups themselves
        for name in names:
            inside = divided.rows_of(name)
            bpsn, bnsp = (
                interval_of(divided.crossed(ups, ~ups)[0], request) for ups in (~inside, inside)
            )
            found.append(BackgroundAreas(group=name, bpsn=bpsn, bnsp=bnsp))
    return tuple(found)
