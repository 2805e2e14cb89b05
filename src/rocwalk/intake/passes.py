"""Passes over a lazy table that make its tallies: by score, by bucket, and finer where needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import ToleranceWarning, warn
from rocwalk.intake.frames import Name, Table
from rocwalk.intake.grouped import grouped
from rocwalk.intake.grouping import Grouping, Interval, Rows, group_rows, invalid_rows, tally_maker
from rocwalk.intake.profile import Run
from rocwalk.intake.refinement import intervals_of, next_step, probed, wide_cells
from rocwalk.typing import AnyArray, BoolArray, FloatArray, IntArray
from rocwalk.walk.buckets import Layout
from rocwalk.walk.tally import CELL_COLUMNS, SPAN_COLUMNS, Tally

Place = tuple[int, tuple[Any, ...]]  # the position of a score column, and a group

LIMIT = 2**20
BUCKETS = 2**16


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How labels are read, and how fine the tallies are."""

    pos_label: Any = None
    truth: str = "auto"
    invalid: str = "raise"
    needs_probabilities: bool = False
    limit: int = LIMIT
    buckets: int = BUCKETS
    tolerance: float | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """The passes over one batch of score columns."""

    base: Any
    grouping: Grouping
    layout: Layout
    reading: Reading
    run: Run

    def gather(self, rows: int) -> tuple[dict[Place, Tally], dict[Place, int]]:
        """Return the tallies and the number of rows that were left out of each."""
        if rows <= self.reading.limit:
            return self._read(None)
        parts, dropped = self._read(self.layout)
        if self.reading.limit and self._estimate(parts) <= self.reading.limit:
            keys = wide_cells(list(parts.values()), self.layout).keys
            parts = self._replaced(parts, keys, None)
            return {place: _plain(part) for place, part in parts.items()}, dropped
        if self.reading.tolerance is not None:
            parts = self._refined(parts)
        return parts, dropped

    def _read(
        self, layout: Layout | None, only: Sequence[Interval] | None = None
    ) -> tuple[dict[Place, Tally], dict[Place, int]]:
        found = group_rows(self.base, self.grouping, layout, self.run, only)
        bad = invalid_rows(found, self.grouping, layout)
        make = tally_maker(self.grouping, layout)
        parts, dropped = {}, {}
        for place, entries in _places(found).items():
            parts[place] = make(found, entries[~bad[entries]])
            dropped[place] = int(found.sums["n"][entries[bad[entries]]].sum())
        return parts, dropped

    def _estimate(self, parts: Mapping[Place, Tally]) -> float:
        """Return about how many rows exact tallies would have, from a close look at a few cells."""
        cells = wide_cells(list(parts.values()), self.layout)
        alone = sum(map(len, parts.values())) - int(cells.used.sum())
        if not len(cells.keys) or alone > self.reading.limit:
            return alone
        places = probed(cells)
        spans = [intervals_of(cells.keys[[place]], self.layout)[0] for place in places]
        found = sum(map(len, self._read(None, spans)[0].values()))
        by_cells, by_rows = (
            len(cells.keys) / len(places),
            cells.rows.sum() / cells.rows[places].sum(),
        )
        return alone + found * float(max(by_cells, by_rows))

    def _replaced(
        self, parts: Mapping[Place, Tally], keys: IntArray, depth: int | None
    ) -> dict[Place, Tally]:
        """Return the tallies with the rows of some cells tallied anew, more finely."""
        if not len(keys):
            return dict(parts)
        spans = intervals_of(keys, self.layout)
        finer, _ = self._read(None if depth is None else self.layout.finer(depth), spans)
        merged = {}
        for place, part in parts.items():
            kept = part.taken(~_inside(part.scores, spans))
            merged[place] = Tally.merge([kept, finer[place]]) if place in finer else part
        return merged

    def _refined(self, parts: dict[Place, Tally]) -> dict[Place, Tally]:
        tolerance, depth = self.reading.tolerance or 0.0, 0
        while (worst := _worst(parts)) > tolerance:
            cells = wide_cells(list(parts.values()), self.layout)
            total = sum(map(len, parts.values()))
            step = next_step(cells, self.layout, depth, tolerance, total, self.reading.limit)
            if isinstance(step, str):
                _warn_of_tolerance(worst, tolerance, self.reading.limit, step)
                break
            parts = self._replaced(parts, step.keys, step.depth)
            depth = depth if step.depth is None else step.depth
        return parts


def _places(found: Rows) -> dict[Place, IntArray]:
    """Return the entries of each score and group, the groups sorted."""
    names = tuple(f"g{i}" for i in range(len(found.groups)))
    columns: dict[Name, AnyArray] = {"which": found.which}
    columns |= zip(names, found.groups, strict=True)
    values, codes = grouped(Table(columns, "the table"), names)
    code = found.which * len(values) + codes
    order = np.argsort(code, kind="stable")
    known, starts = np.unique(code[order], return_index=True)
    split = np.split(order, starts[1:])
    return {
        (int(one) // len(values), values[int(one) % len(values)]): entries
        for one, entries in zip(known, split, strict=True)
    }


def _inside(scores: FloatArray, spans: Sequence[Interval]) -> BoolArray:
    lows, highs = (np.array(ends) for ends in zip(*sorted(spans), strict=True))
    place = np.searchsorted(lows, scores, "right") - 1
    return (place >= 0) & (scores <= highs[place])


def _plain(part: Tally) -> Tally:
    """Return a tally whose rows have one score each without what follows from that."""
    if bool(np.any(part.highest > part.scores)):
        return part
    follows = (*SPAN_COLUMNS, *CELL_COLUMNS)
    return replace(part, stored={k: v for k, v in part.stored.items() if k not in follows})


def _worst(parts: Mapping[Place, Tally]) -> float:
    return max((float(np.nan_to_num(part.certificate)) for part in parts.values()), default=0.0)


def _warn_of_tolerance(worst: float, tolerance: float, limit: int, why: str) -> None:
    warn(
        ToleranceWarning(
            f"The certificate is {worst:.2g}, not {tolerance:g}: {why}, and the limit is "
            f"{limit:,}. Hint: raise limit=, or accept a larger tolerance=."
        )
    )
