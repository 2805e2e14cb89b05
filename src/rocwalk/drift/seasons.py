"""Windows of a dated sample and their references: the first window, or the same season before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rocwalk.errors import (
    Option,
    OptionError,
)
from rocwalk.inference.items import Evidence, Items, refuse_few
from rocwalk.read.arrays import Sample
from rocwalk.read.times import (
    CALENDAR,
    period_numbers,
    period_starts,
    shown_moment,
    window_cuts,
)
from rocwalk.tally.tally import Tally
from rocwalk.typing import (
    AnyArray,
    IntArray,
)

SEASONS = ("last year", "earlier years")  # references that are windows of the same season
_PARTIAL = 0.1  # of a window without rows at its beginning, from which on it is partial
_WEEKS = np.timedelta64(364, "D")  # a year of whole weeks


# -- windows and their references ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The tally of one window, its first and last moment, its items where they have clusters.

    `reference` is the evidence of a reference of its own, if it has one.
    """

    start: Any
    end: Any
    tally: Tally
    items: Items | None = None
    reference: Evidence | None = None

    @property
    def evidence(self) -> Evidence:
        """The tally with the items."""
        return Evidence(self.tally, self.items)


def evidence_at(sample: Sample, rows: IntArray, units: IntArray | None = None) -> Evidence:
    """Return the evidence of some rows of a sample; with clusters, of their items too."""
    part = sample.take(rows)
    if units is None:
        return Evidence(part.tally())
    codes = np.unique(units[rows], return_inverse=True)[1].astype(np.int64).reshape(-1)
    return Evidence(part.tally(), Items.from_truth(part.truth, part.weights, part.scores, codes))


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Rows from which the references of a season are taken, with their times and clusters."""

    season: str
    sample: Sample
    units: IntArray | None
    times: AnyArray

    def reference(self, moment: np.datetime64, window: str) -> Evidence | None:
        """Return the rows of the window of a moment, in the years before; None without any."""
        order = np.argsort(self.times, kind="stable")
        ordered = self.times[order]
        earlier = _years_before(ordered, moment, window, self.season)
        places = [np.arange(*np.searchsorted(ordered, ends)) for ends in earlier]
        rows = order[np.concatenate([*places, np.empty(0, dtype=np.int64)])]
        return evidence_at(self.sample, rows, self.units) if len(rows) else None


def windows_of(
    sample: Sample,
    times: AnyArray,
    window: int | str,
    units: IntArray | None = None,
    pool: Pool | None = None,
) -> list[Window]:
    """Return a sample cut into windows, in order of time; with a pool, each has a reference.

    `units` are the clusters of the rows. Where the rows of a seasonal reference are missing, there
    is none.
    """
    order = np.argsort(times, kind="stable")
    ordered, found = times[order], []
    for begin, end in pairwise(window_cuts(ordered, window)):
        one = evidence_at(sample, order[begin:end], units)
        reference = None if pool is None else pool.reference(ordered[begin], str(window))
        first, last = (shown_moment(ordered[k]) for k in (begin, end - 1))
        found.append(Window(first, last, one.tally, one.items, reference))
    return found


def refuse_season(season: str, window: int | str) -> None:
    """Raise unless windows of the calendar, at most a year long, can have a seasonal reference."""
    hint = ("pass ", Option("window", "month"), ", or another span of at most a year.")
    if not isinstance(window, str):
        raise OptionError(f"needs windows of the calendar for {season!r}.", hint, option="window",
                          value=window)  # fmt: skip
    start, end = period_starts(np.arange(2), window)
    if end - start > np.timedelta64(366 if _is_months(window) else 364, "D"):
        raise OptionError(f"is too long for {season!r}.", hint, option="window", value=window)


def _is_months(window: str) -> bool:
    return CALENDAR.get(window, window).endswith("M")


def _ends_of(moment: np.datetime64, window: str) -> tuple[np.datetime64, np.datetime64]:
    """Return the beginning of the calendar window of a moment, and that of the next one."""
    number = int(period_numbers(np.array([moment], dtype="datetime64[us]"), window)[0])
    start, end = period_starts(np.array([number, number + 1]), window)
    return start, end


def _years_before(
    ordered: AnyArray, moment: np.datetime64, window: str, season: str
) -> list[tuple[np.datetime64, np.datetime64]]:
    """Return the window of a moment, one year before or all years before, back to the first row."""
    found: list[tuple[np.datetime64, np.datetime64]] = []
    start, end = _ends_of(moment, window)
    while end > ordered[0] and not (found and season == SEASONS[0]):
        if _is_months(window):
            start, end = (
                (each.astype("datetime64[M]") - 12).astype("datetime64[us]")
                for each in (start, end)
            )
        else:
            start, end = start - _WEEKS, end - _WEEKS
        found.append((start, end))
    return found


def first_window(
    windows: Sequence[Window], times: AnyArray, window: int | str
) -> tuple[Evidence, list[Window], tuple[str, ...]]:
    """Return the first window as the reference, the others, and whether the first is partial."""
    if len(windows) < 2:
        raise OptionError(
            "There is one window only, so there is nothing to compare it with.",
            "give reference=, or make windows smaller.",
        )
    refuse_few(windows[0].evidence)
    notes: tuple[str, ...] = ()
    if isinstance(window, str):
        notes = _partial(times.min(), *_ends_of(times.min(), window))
    return windows[0].evidence, list(windows[1:]), notes


def in_season(
    windows: Sequence[Window], times: AnyArray, window: int | str
) -> tuple[list[Window], tuple[str, ...]]:
    """Return the windows that a season has a reference for, and whether the first is partial.

    The windows of the first year are left out; a later one without a reference is kept.
    """
    first = next((k for k, one in enumerate(windows) if one.reference is not None), None)
    if first is None:
        raise OptionError(
            "No window has rows of the same season before it.",
            "pass a reference, or a table of more than a year.",
        )
    earliest = times.min()
    return list(windows[first:]), _partial(earliest, *_ends_of(earliest, str(window)))


def _partial(first: np.datetime64, start: np.datetime64, end: np.datetime64) -> tuple[str, ...]:
    """Say that a reference is partial if its first rows are missing."""
    if first - start <= _PARTIAL * (end - start):
        return ()
    whole = f"{shown_moment(start)} to {shown_moment(end)}"
    words = f"The first window, {whole}, is partial, and a reference: its rows begin at "
    return (f"{words}{shown_moment(first)}.",)
