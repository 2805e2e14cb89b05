"""Rows of a lazy table grouped by score, or by bucket of the score, in the table's own engine.

The engine gets one expression, the same for all engines, and answers with the sums of each group;
the rows themselves stay where they are. Hard labels without weights are counted, and their scores
are added up as integers, so every engine gives the same bits however it cuts and orders the rows.
`Passes` makes tallies of the sums, and groups the rows of wide buckets again, more finely, until
the tolerance holds.

The frame that comes in has columns of our own: scores ``s0``, ``s1``, … and the weight ``w`` as
floats (infinite for a gap), the truth ``t`` (−1 for a gap), and the groups ``g0``, ``g1``, ….
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from rocwalk.errors import ToleranceWarning, warn
from rocwalk.read.engine import engine_of
from rocwalk.read.frames import Name, Table, grouped
from rocwalk.read.lazy import Run
from rocwalk.read.profile import as_integer
from rocwalk.read.roles import Reading
from rocwalk.tally.buckets import Layout, way
from rocwalk.tally.tally import CELL_COLUMNS, ITEM_COLUMNS, LIMBS, SPAN_COLUMNS, Tally
from rocwalk.typing import AnyArray, FloatArray, IntArray

Interval = tuple[float, float]

INVALID = -1  # the truth of a row that cannot be used, and the key of its cell


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """What to group by and what to add up.

    Attributes
    ----------
    scores, groups
        Our names of the score columns and of the columns of groups.
    is_counts
        Whether the truth is hard and there are no weights.
    has_weights, unit
        Whether there is a column of weights, and the power of two that masses are multiples of.
    scale
        A power of two that no score exceeds: integer sums of scores are in units of it.
    is_short
        Whether the rows are so few that float64 holds sums of such integers exactly.
    is_checked
        Whether rows that cannot be used are still among the others; they are counted apart.
    needs_probabilities
        Whether scores outside [0, 1] are among those that cannot be used.
    """

    scores: tuple[str, ...]
    groups: tuple[str, ...]
    is_counts: bool
    has_weights: bool
    unit: float
    scale: float
    is_short: bool
    is_checked: bool
    needs_probabilities: bool


@dataclass(frozen=True, slots=True)
class Rows:
    """What came back: one entry for each score, group and key, in plain NumPy columns."""

    which: IntArray
    groups: tuple[AnyArray, ...]
    sums: dict[str, AnyArray]

    def __len__(self) -> int:
        return len(self.which)


def group_rows(
    frame: Any,
    grouping: Grouping,
    layout: Layout | None,
    run: Run,
    only: Sequence[Interval] | None = None,
) -> Rows:
    """Return the sums of the rows of each cell of a layout, or of each score without one.

    With `only`, just the scores in these intervals are looked at.
    """
    import narwhals.stable.v2 as nw

    long = _looked_at(frame, grouping, only)
    keyed, keys, sums = _keyed(long, grouping, layout)
    by = [*(["which"] if len(grouping.scores) > 1 else []), *grouping.groups, *keys]
    found = keyed.group_by(*by).agg(*sums)
    # some engines widen sums of integers, or make decimals of them
    whole = [name for name in found.collect_schema().names() if name in ("n", "h", "l", "k")]
    columns = run(found.with_columns(nw.col(name).cast(nw.Int64) for name in whole))
    groups = tuple(columns.pop(name) for name in grouping.groups)
    which = np.zeros(len(next(iter(columns.values()))), dtype=np.int64)
    if len(grouping.scores) > 1:
        place = {name: i for i, name in enumerate(grouping.scores)}
        which = np.array([place[name] for name in columns.pop("which").tolist()], dtype=np.int64)
    return Rows(which, groups, columns)


def distinct_of_first(
    frame: Any, grouping: Grouping, run: Run, only: Sequence[Interval], rows: int
) -> tuple[int, bool]:
    """Return how many distinct scores some rows in these intervals have, those of groups apart.

    So many rows are looked at, with which most engines stop to read; and whether these are all.
    """
    which = ["which"] if len(grouping.scores) > 1 else []
    names: list[Name] = ["v", *which, *grouping.groups]
    found = run(_looked_at(frame, grouping, only).select(*names).head(rows))
    values, _ = grouped(Table({name: found[str(name)] for name in names}, "the table"), names)
    return len(values), len(found["v"]) < rows


def _looked_at(frame: Any, grouping: Grouping, only: Sequence[Interval] | None) -> Any:
    """Return one row for each row and score column, those that cannot be used apart.

    With `only`, just those with a score in these intervals.
    """
    import narwhals.stable.v2 as nw

    long = _stacked(frame, grouping)
    if grouping.is_checked:
        long = _with_invalid_apart(long, grouping)
    if only is None:
        return long
    value = nw.col("v")
    inside = [(value >= low) & (value <= high) for low, high in only]
    usable = [nw.col("t") >= 0] if grouping.is_checked else []
    return long.filter(*usable, reduce(or_, inside))


def _stacked(frame: Any, grouping: Grouping) -> Any:
    """Return one row for each row and score column, so that one pass serves all scores."""
    import narwhals.stable.v2 as nw

    kept = ["t", *(["w"] if grouping.has_weights else []), *grouping.groups]
    scores = list(grouping.scores)
    if len(scores) == 1:
        return frame.select(nw.col(scores[0]).alias("v"), *kept)
    try:
        if not engine_of(frame).can_unpivot:
            raise NotImplementedError
        return frame.select(*scores, *kept).unpivot(
            on=scores, index=kept, variable_name="which", value_name="v"
        )
    except Exception:  # noqa: BLE001
        # narwhals lets DuckDB unpivot tables of its default connection only; elsewhere they stack
        parts = [
            frame.select(nw.col(name).alias("v"), nw.lit(name).alias("which"), *kept)
            for name in scores
        ]
        return nw.concat(parts, how="vertical")


def _with_invalid_apart(long: Any, grouping: Grouping) -> Any:
    """Return the frame with truth −1 and values 0 in rows that cannot be used."""
    import narwhals.stable.v2 as nw

    value, truth = nw.col("v"), nw.col("t")
    fine = value.is_finite() & (truth >= 0)
    if grouping.needs_probabilities:
        fine = fine & (value >= 0.0) & (value <= 1.0)
    if grouping.has_weights:
        fine = fine & nw.col("w").is_finite()
    columns = [
        nw.when(fine).then(value).otherwise(nw.lit(0.0)).alias("v"),
        nw.when(fine).then(truth).otherwise(nw.lit(INVALID)).alias("t"),
    ]
    if grouping.has_weights:
        columns.append(nw.when(fine).then(nw.col("w")).otherwise(nw.lit(0.0)).alias("w"))
    return long.with_columns(*columns)


def with_key(frame: Any, layout: Layout) -> Any:
    """Return the frame with the number of the cell of ``v`` as ``k``; `Layout.keys` in NumPy."""
    import narwhals.stable.v2 as nw

    def where(condition: Any, value: Any, function: Callable[[Any], Any], other: float) -> Any:
        return nw.when(condition).then(function(value)).otherwise(nw.lit(other))

    value = nw.col("v")
    if layout.is_unit:
        cell = (way(value, where) * 2.0**layout.level).floor().cast(nw.Int64)
    else:
        cell = (value * 2.0**layout.level).floor().cast(nw.Int64) - layout.shift
    return frame.with_columns(cell.alias("k"))


def _keyed(long: Any, grouping: Grouping, layout: Layout | None) -> tuple[Any, list[str], Any]:
    """Return the frame with its keys and addends, the names of the keys, and the sums."""
    import narwhals.stable.v2 as nw

    count, usable = nw.len().alias("n"), nw.col("t") >= 0
    if layout is None and grouping.is_counts:
        return long, ["v", "t"], [count]
    if layout is None:
        keyed, keys, ends = long.with_columns(as_integer(usable).alias("k")), ["k", "v"], []
    else:
        key = nw.col("k") * 2 + nw.col("t") if grouping.is_counts else nw.col("k")
        if grouping.is_checked:
            key = nw.when(usable).then(key).otherwise(nw.lit(INVALID))
        keyed, keys = with_key(long, layout).with_columns(key.alias("k")), ["k"]
        ends = [nw.col("v").min().alias("low"), nw.col("v").max().alias("high")]
    value = nw.col("v")
    if grouping.is_counts:
        # each score as two whole numbers in units of `scale`, the limbs of a first moment; where
        # floats can hold their sums, they stay floats, which engines add up faster
        units = value * (LIMBS[0] / grouping.scale)
        keyed = keyed.with_columns(units.alias("x"), units.floor().alias("h"))
        lower = ((nw.col("x") - nw.col("h")) * LIMBS[1] + 0.5).floor()
        keyed = keyed.with_columns(lower.alias("l"))
        if engine_of(long).adds_integers_fast:
            keyed = keyed.with_columns(nw.col("h", "l").cast(nw.Int32))
        elif not grouping.is_short:
            keyed = keyed.with_columns(nw.col("h", "l").cast(nw.Int64))
        return keyed, keys, [count, nw.col("h", "l").sum(), *ends]
    truth = nw.col("t").cast(nw.Float64)
    weight = nw.col("w") * (1.0 / grouping.unit) if grouping.has_weights else 1.0
    keyed = keyed.with_columns((truth * weight).alias("u"), (weight - truth * weight).alias("r"))
    up, right = nw.col("u"), nw.col("r")
    moments = {"uu": up * up, "ur": up * right, "rr": right * right}
    moments |= {"us": up * value, "rs": right * value}
    keyed = keyed.with_columns(*(moment.alias(name) for name, moment in moments.items()))
    return keyed, keys, [count, nw.col("u", "r", *moments).sum(), *ends]


# -- from sums to tallies --------------------------------------------------------------------------


def tally_of_sums(sums: Mapping[str, AnyArray], grouping: Grouping, layout: Layout | None) -> Tally:
    """Return the tally of one score and group, by score or by cell, from the engine's sums."""
    if grouping.is_counts and layout is None:
        rising, place = np.unique(sums["v"], return_inverse=True)
        counts = np.zeros((2, len(rising)), dtype=np.int64)
        np.add.at(counts, (sums["t"].astype(np.int64), place), sums["n"])
        return Tally(rising[::-1] + 0.0, counts[1, ::-1], counts[0, ::-1])
    if grouping.is_counts and layout is not None:
        return _tally_of_counted_cells(sums, layout, grouping.scale)
    order = np.argsort(-sums["v"] if layout is None else -sums["k"], kind="stable")
    ordered = {name: column[order] for name, column in sums.items()}
    sums_of_items = (ordered[name] for name in ("n", "uu", "ur", "rr"))
    items = dict(zip(ITEM_COLUMNS, sums_of_items, strict=True))
    masses = (ordered["u"], ordered["r"])
    if layout is None:
        alone = bool(np.all(ordered["n"] == 1))
        kept = {} if alone else items
        return Tally(ordered["v"] + 0.0, *masses, stored=kept, unit=grouping.unit)
    stored = items | {"up_score": ordered["us"], "right_score": ordered["rs"]}
    ends = (ordered["low"] + 0.0, ordered["high"] + 0.0)
    found = _tally_of_cells(ends, masses, stored, layout.cells(ordered["k"]))
    return replace(found, unit=grouping.unit)


def _tally_of_counted_cells(sums: Mapping[str, AnyArray], layout: Layout, scale: float) -> Tally:
    """Return the tally of counts by cell; the key is twice the cell's number, plus the label."""
    label = sums["k"] & 1
    rising, place = np.unique(sums["k"] >> 1, return_inverse=True)
    shape = (2, len(rising))
    counts, limbs = np.zeros(shape, dtype=np.int64), np.zeros((*shape, 2), dtype=np.int64)
    low, high = np.full(shape, np.inf), np.full(shape, -np.inf)
    counts[label, place] = sums["n"]
    limbs[label, place] = np.stack([sums["h"], sums["l"]], axis=1)
    low[label, place], high[label, place] = sums["low"], sums["high"]
    moments: AnyArray = limbs
    if not layout.is_unit:
        moments = (limbs[..., 0] + limbs[..., 1] / LIMBS[1]) / (LIMBS[0] / scale)
    stored = {"up_score": moments[1, ::-1], "right_score": moments[0, ::-1]}
    ends = (low.min(axis=0)[::-1] + 0.0, high.max(axis=0)[::-1] + 0.0)
    masses = (counts[1, ::-1], counts[0, ::-1])
    return _tally_of_cells(ends, masses, stored, layout.cells(rising[::-1]))


def _tally_of_cells(
    ends: tuple[FloatArray, FloatArray],
    masses: tuple[AnyArray, AnyArray],
    stored: dict[str, AnyArray],
    cells: tuple[FloatArray, FloatArray],
) -> Tally:
    """Return a tally of cells; where each holds one score, the spans follow from the scores."""
    stored = stored | {"highest": ends[1], "cell_low": cells[0], "cell_high": cells[1]}
    if not bool(np.any(ends[1] > ends[0])):
        stored = {name: column for name, column in stored.items() if name not in SPAN_COLUMNS}
    return Tally(ends[0], *masses, stored=stored)


# -- refinement ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Step:
    """The next pass: the cells of the first layout to look at again, and how many halvings.

    `depth` None means that the scores themselves are the groups.
    """

    keys: IntArray
    depth: int | None


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of the first layout that hold several scores in some tally.

    Attributes
    ----------
    keys
        Their numbers.
    slack
        What each adds to the certificate, in the tally where that is most.
    rows
        How many rows of the data they hold.
    used
        How many rows of tallies they take now.
    tallies
        In how many tallies they occur.
    """

    keys: IntArray
    slack: FloatArray
    rows: IntArray
    used: IntArray
    tallies: IntArray


def wide_cells(tallies: Sequence[Tally], layout: Layout) -> Cells:
    """Return the cells of all tallies that hold several scores."""
    keys = [layout.keys(tally.scores) for tally in tallies]
    known, place = np.unique(np.concatenate(keys), return_inverse=True)
    slack, rows = np.zeros(len(known)), np.zeros(len(known), dtype=np.int64)
    used = np.bincount(place, minlength=len(known))
    ends = np.cumsum([len(one) for one in keys])[:-1]
    wide = np.zeros(len(known), dtype=bool)
    occurs = np.zeros(len(known), dtype=np.int64)
    for tally, own in zip(tallies, np.split(place, ends), strict=True):
        given_up = np.nan_to_num(tally.unordered) / 2.0
        slack = np.maximum(slack, np.bincount(own, given_up, minlength=len(known)))
        rows += np.bincount(own, tally.count, minlength=len(known)).astype(np.int64)
        wide[own[tally.highest > tally.scores]] = True
        occurs[np.unique(own)] += 1
    return Cells(known[wide], slack[wide], rows[wide], used[wide], occurs[wide])


def next_step(
    cells: Cells, layout: Layout, depth: int, tolerance: float, total: int, limit: int
) -> Step | str:
    """Return the next pass, or why there is none.

    The tallies have `total` rows now and may have as many as the limit. What is left as it is may
    take half of the tolerance, what is cut the other half.
    """
    rising = np.argsort(cells.slack, kind="stable")
    alone = int(np.searchsorted(np.cumsum(cells.slack[rising]), tolerance / 2.0, "right"))
    chosen = np.sort(rising[alone:])
    keys, others = cells.keys[chosen], total - int(cells.used[chosen].sum())
    room = limit - others
    if int(cells.rows[chosen].sum()) <= room:
        return Step(keys, None)
    wanted = math.ceil(math.log2(max(float(cells.slack[chosen].sum()) / (tolerance / 2.0), 2.0)))
    deepest = layout.finest - layout.level
    if depth >= deepest:
        return Step(keys, None)
    for more in range(wanted, 0, -1):
        if _rows_needed(cells, chosen, depth, more) <= room:
            return Step(keys, min(depth + more, deepest))
    needed = others + _rows_needed(cells, chosen, depth, wanted)
    return f"the tallies would need about {needed:,} rows"


def _rows_needed(cells: Cells, chosen: IntArray, depth: int, more: int) -> int:
    """Return the most rows that cells take when they are halved so many times more.

    A cell takes as many as it has parts now, times 2 for each halving, and no more than it has
    rows. One that was never cut is cut from the start.
    """
    used = cells.used[chosen].astype(np.float64)
    is_whole = used <= cells.tallies[chosen]
    parts = used * np.where(is_whole, 2.0 ** (depth + more), 2.0**more)
    return int(np.minimum(parts, cells.rows[chosen]).sum())


_MOST_INTERVALS = 100


def intervals_of(keys: IntArray, layout: Layout) -> list[Interval]:
    """Return the scores of cells as few intervals; small gaps between them are filled."""
    breaks = np.flatnonzero(np.diff(keys) > 1)
    if len(breaks) >= _MOST_INTERVALS:
        gaps = np.diff(keys)[breaks]
        breaks = np.sort(breaks[np.argsort(-gaps, kind="stable")[: _MOST_INTERVALS - 1]])
    low, _ = layout.cells(keys[np.append(0, breaks + 1)])
    _, high = layout.cells(keys[np.append(breaks, len(keys) - 1)])
    return list(zip(low.tolist(), high.tolist(), strict=True))


_PROBES = 2
_ROWS_A_SCORE = 2  # rows to look at for each distinct score that there may be
_MOST_FIRST_ROWS = 10_000


def probed(cells: Cells) -> IntArray:
    """Return the places of a few cells by which to judge how many distinct scores there are.

    They are those in which a third and two thirds of the rows end.
    """
    share = np.cumsum(cells.rows) / cells.rows.sum()
    return np.unique(np.searchsorted(share, np.arange(1, _PROBES + 1) / (_PROBES + 1)))


# -- passes over a lazy table ----------------------------------------------------------------------

Place = tuple[int, tuple[Any, ...]]  # the position of a score column, and a group


@dataclass(frozen=True, slots=True)
class Passes:
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
            follows = (*SPAN_COLUMNS, *CELL_COLUMNS)  # from scores, where each row has one score
            for place, part in parts.items():
                if not bool(np.any(part.highest > part.scores)):
                    stored = {k: v for k, v in part.stored.items() if k not in follows}
                    parts[place] = replace(part, stored=stored)
        elif self.reading.tolerance is not None:
            parts = self._refined(parts, self.reading.tolerance)
        return parts, dropped

    def _read(
        self, layout: Layout | None, only: Sequence[Interval] | None = None
    ) -> tuple[dict[Place, Tally], dict[Place, int]]:
        """Group the rows once, and return a tally and the number of invalid rows of each place."""
        found = group_rows(self.base, self.grouping, layout, self.run, only)
        is_scores, is_counts = layout is None, self.grouping.is_counts
        key = found.sums["t" if is_scores and is_counts else "k"]
        bad = key == (0 if is_scores and not is_counts else INVALID)
        names = tuple(f"g{i}" for i in range(len(found.groups)))
        columns: dict[Name, AnyArray] = {"which": found.which}
        columns |= zip(names, found.groups, strict=True)
        values, codes = grouped(Table(columns, "the table"), names)
        code = found.which * len(values) + codes
        order = np.argsort(code, kind="stable")
        known, starts = np.unique(code[order], return_index=True)
        parts, dropped = {}, {}
        for one, entries in zip(known.tolist(), np.split(order, starts[1:]), strict=True):
            place = (one // len(values), values[one % len(values)])
            fine = entries[~bad[entries]]
            sums = {name: column[fine] for name, column in found.sums.items()}
            parts[place] = tally_of_sums(sums, self.grouping, layout)
            dropped[place] = int(found.sums["n"][entries[bad[entries]]].sum())
        return parts, dropped

    def _estimate(self, parts: Mapping[Place, Tally]) -> float:
        """Return about how many rows exact tallies would have, from a close look at a few cells.

        Or only that there are more than the limit: some number above it.
        """
        cells = wide_cells(list(parts.values()), self.layout)
        alone = sum(map(len, parts.values())) - int(cells.used.sum())
        if not len(cells.keys) or alone > self.reading.limit:
            return alone
        places = probed(cells)
        spans = [intervals_of(cells.keys[[place]], self.layout)[0] for place in places]
        by_cells = len(cells.keys) / len(places)
        by_rows = float(cells.rows.sum() / cells.rows[places].sum())
        times = max(by_cells, by_rows)
        # a few of their rows mostly have so many scores that the tallies would be too long
        rows = _ROWS_A_SCORE * (int((self.reading.limit - alone) / times) + 1)
        if rows <= _MOST_FIRST_ROWS:
            found, is_all = distinct_of_first(self.base, self.grouping, self.run, spans, rows)
            if is_all or alone + found * times > self.reading.limit:
                return alone + found * times
        found = sum(map(len, self._read(None, spans)[0].values()))
        return alone + found * times

    def _replaced(
        self, parts: Mapping[Place, Tally], keys: IntArray, depth: int | None
    ) -> dict[Place, Tally]:
        """Return the tallies with the rows of some cells tallied anew, more finely."""
        if not len(keys):
            return dict(parts)
        spans = intervals_of(keys, self.layout)
        finer, _ = self._read(None if depth is None else self.layout.finer(depth), spans)
        lows, highs = (np.array(ends) for ends in zip(*sorted(spans), strict=True))
        merged = {}
        for place, part in parts.items():
            span = np.searchsorted(lows, part.scores, "right") - 1
            is_inside = (span >= 0) & (part.scores <= highs[span])
            kept = part.taken(~is_inside)
            merged[place] = Tally.merge([kept, finer[place]]) if place in finer else part
        return merged

    def _refined(self, parts: dict[Place, Tally], tolerance: float) -> dict[Place, Tally]:
        """Cut the worst cells until the certificates are within the tolerance, or warn."""
        depth, limit = 0, self.reading.limit
        while True:
            certificates = [float(np.nan_to_num(part.certificate)) for part in parts.values()]
            worst = max(certificates, default=0.0)
            if worst <= tolerance:
                return parts
            cells = wide_cells(list(parts.values()), self.layout)
            total = sum(map(len, parts.values()))
            step = next_step(cells, self.layout, depth, tolerance, total, limit)
            if isinstance(step, str):
                text = f"The certificate is {worst:.2g}, not {tolerance:g}: {step}, and the limit "
                hint = "raise limit=, or accept a larger tolerance=."
                warn(ToleranceWarning(f"{text}is {limit:,}.", hint))
                return parts
            parts = self._replaced(parts, step.keys, step.depth)
            depth = depth if step.depth is None else step.depth
