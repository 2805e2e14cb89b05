"""Drift over time: each window of a dated table against a reference.

A window has drifted if the smallest of its three p-values (AUC, midpoint, struggle ratio, adjusted
by Holm) is below α after the adjustment over all windows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from rocwalk.drift.drift import Drift, drift_of, sample_evidence
from rocwalk.drift.findings import DECIDING, DriftRequest
from rocwalk.errors import OneClassError, OptionError, as_whole, collecting, one_of
from rocwalk.inference.distributions import holm
from rocwalk.inference.influence import class_sizes
from rocwalk.inference.items import Evidence, refuse_few
from rocwalk.read.arrays import Sample, check
from rocwalk.read.files import opened
from rocwalk.read.frames import GROUP, LABEL, NUMBER, Name, read_table
from rocwalk.read.tallies import tallies
from rocwalk.read.text import TextFormat
from rocwalk.read.times import shown_moment, times_of, window_cuts
from rocwalk.result import Result, plain_value
from rocwalk.tally.tally import Tally
from rocwalk.typing import Adjustment, AnyArray, Calendar, Decimal, Invalid, Thousands, Truth

FINE, DRIFT, UNDECIDABLE = "none", "drift", "undecidable"
MINIMUM = 20  # positives and negatives that a window needs
_ADJUSTMENTS = ("holm", "bonferroni", "none")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WindowDrift(Result):
    """One window against the reference.

    `status` is "none", "drift" or "undecidable"; `adjusted_p_value` is the window's own p-value,
    the least of the three that decide, adjusted over all windows.
    """

    start: Any
    end: Any
    items: int
    status: str
    p_value: float
    adjusted_p_value: float
    drift: Drift | None
    reason: str | None = None

    @property
    def verdict(self) -> str:
        """What has drifted: "none", "ranking", "estimation", "both", or "undecidable"."""
        if self.drift is None:
            return UNDECIDABLE
        return self.drift.verdict if self.status == DRIFT else FINE

    def _headline(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "items": self.items,
            "status": self.status,
            "verdict": self.verdict,
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted_p_value,
            "reason": self.reason,
        }


@dataclass(frozen=True, eq=False, repr=False)
class DriftTimeline(Result):
    """Windows in their order, each against the reference; from `rocwalk.drift_over_time`."""

    windows: tuple[WindowDrift, ...]
    reference_items: int
    alpha: float
    adjustment: str

    @property
    def alarms(self) -> tuple[WindowDrift, ...]:
        """The windows that have drifted."""
        return tuple(one for one in self.windows if one.status == DRIFT)

    @property
    def drifted(self) -> bool:
        """Whether any window has drifted."""
        return bool(self.alarms)

    @property
    def summary(self) -> str:
        """The finding in words."""
        open_ = sum(one.status == UNDECIDABLE for one in self.windows)
        words = f"{len(self.alarms)} of {len(self.windows)} windows have drifted"
        if self.alarms:
            words += f", the first from {self.alarms[0].start}"
        words += f"; {open_} cannot be decided" if open_ else ""
        control = {
            "holm": "over all windows together, by Holm",
            "bonferroni": "over all windows together, by Bonferroni",
            "none": "in each window by itself",
        }[self.adjustment]
        return f"{words} (α = {self.alpha:g} {control})."

    def plot(self, axes: Any = None, **options: Any) -> Any:
        """Draw AUC, midpoint and struggle ratio over the windows, alarms marked."""
        from rocwalk.drift.plot import draw_timeline

        rows = [one for one in self.windows if one.drift is not None]
        found = {
            name: [one.drift.findings[name] for one in rows if one.drift is not None]
            for name in DECIDING
        }
        values = {
            name: np.array([(f.reference, f.current, f.low, f.high) for f in each])
            for name, each in found.items()
        }
        labels = [str(one.start) for one in rows]
        marked = np.array([one.status == DRIFT for one in rows], dtype=bool)
        moved = {
            name: marked & np.array([f.adjusted_p_value < self.alpha for f in each], dtype=bool)
            for name, each in found.items()
        }
        return draw_timeline(labels, values, marked, axes, moved=moved, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "windows": len(self.windows),
            "alarms": len(self.alarms),
            "undecidable": sum(one.status == UNDECIDABLE for one in self.windows),
            "alpha": self.alpha,
            "adjustment": self.adjustment,
            "reference_items": self.reference_items,
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [one._headline() for one in self.windows]  # noqa: SLF001
        columns = {
            name: np.array([row[name] for row in rows])
            for name in ("items", "p_value", "adjusted_p_value")
        }
        texts = {
            name: np.array([str(plain_value(row[name])) for row in rows])
            for name in ("start", "end", "status", "verdict")
        }
        return {"start": texts["start"], "end": texts["end"], **columns} | {
            name: texts[name] for name in ("status", "verdict")
        }


def drift_over_time(
    data: Any,
    *,
    label: Name,
    score: Name,
    time: Name,
    window: int | Calendar = "month",
    reference: Any = None,
    weight: Name | None = None,
    alpha: float = 0.05,
    adjustment: Adjustment = "holm",
    minimum: int = MINIMUM,
    fixed_reference: bool = False,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> DriftTimeline:
    """Compare each window of a dated table with a reference.

    Parameters
    ----------
    data
        A dataframe of pandas, polars or pyarrow; a lazy one of polars, DuckDB, Dask, Ibis or
        PySpark; a dict of columns; or a path, a pattern (``"scores-*.parquet"``) or a list of paths
        of CSV, TSV, Parquet or JSON-lines files.
    label, score, time, weight
        Names of columns. Times are dates, ISO 8601 text, or numbers (with windows by count).
    window
        "day", "week" (from Monday), "month" or "year"; or how many rows make a window, in order of
        time. A last window of fewer rows is kept; its number of items shows it.
    reference
        A pair (y_true, y_prob) or a `Tally`; without it the first window is the reference and is
        not tested itself.
    alpha, adjustment
        The significance level. "holm" and "bonferroni" hold it over all windows that can be decided
        together; "none" holds it in each window by itself, so that of twenty windows without
        drift one alarms on average.
    minimum
        A window with fewer positives or negatives than this is "undecidable", never "none".
    fixed_reference
        Take the reference without sampling error: for a reference that is the whole population.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.
    decimal, thousands
        For files of separated text: the sign before decimals ("." or ","), and the sign between
        thousands (``,`` ``.`` ``_`` ``'`` or a space), if there is one. By default numbers have a
        decimal point, or, where commas do not separate values, a decimal comma throughout; a file
        in which every comma could stand between thousands is refused.
    separator, encoding
        For files of separated text: the sign between values, by default found from the first lines,
        and the encoding, by default UTF-8, or UTF-16 with a byte-order mark.

    Returns
    -------
    DriftTimeline
        `.windows`, each with `.start .end .items .status .verdict .p_value .adjusted_p_value
        .drift`; `.alarms`, `.drifted`, `.summary`, `.plot()`.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(1)
    >>> y = (rng.random(4000) < 0.4).astype(int)
    >>> p = 1 / (1 + np.exp(-rng.normal(2 * y - 1)))
    >>> p[3000:] **= 2
    >>> table = {"y": y, "p": p, "day": np.arange(4000)}
    >>> found = rw.drift_over_time(table, label="y", score="p", time="day", window=1000)
    >>> [one.status for one in found.windows]
    ['none', 'none', 'drift']
    """
    one_of("adjustment", adjustment, _ADJUSTMENTS)
    request = DriftRequest(alpha, fixed_reference)
    roles = {time: GROUP, label: LABEL, score: NUMBER}
    if weight is not None:
        roles[weight] = NUMBER
    form = TextFormat(decimal=decimal, thousands=thousands, separator=separator, encoding=encoding)
    with opened(data, form) as known:
        table = read_table(known, roles)
    options = {"pos_label": pos_label, "truth": truth, "invalid": invalid}
    tallies(table, score=score, label=label, weight=weight, **options)  # errors name the columns
    with collecting():  # given just before
        sample = check(
            table[label],
            table[score],
            sample_weight=None if weight is None else table[weight],
            probabilities=True,
            **options,
        )
    times = times_of(table, time)
    times = times if sample.rows is None else times[sample.rows]
    windows = windows_of(sample, times, window)
    if reference is None:
        if len(windows) < 2:
            raise OptionError(
                "There is one window only, so there is nothing to compare it with.",
                "give reference=, or make windows smaller.",
            )
        base = Evidence(windows[0].tally)
        refuse_few(base)
        windows = windows[1:]
    else:
        base = sample_evidence("reference", reference, None, pos_label, truth, invalid)
    least = as_whole("minimum", minimum, 2)
    return timeline_of(base, windows, request, minimum=least, adjustment=adjustment)


@dataclass(frozen=True, slots=True)
class Window:
    """The tally of one window, and its first and last moment."""

    start: Any
    end: Any
    tally: Tally


def windows_of(sample: Sample, times: AnyArray, window: int | str) -> list[Window]:
    """Return a sample cut into windows, in order of time."""
    order, found = np.argsort(times, kind="stable"), []
    for begin, end in pairwise(window_cuts(times[order], window)):
        rows = order[begin:end]
        first, last = (shown_moment(times[row]) for row in (rows[0], rows[-1]))
        found.append(Window(first, last, sample.take(rows).tally()))
    return found


def timeline_of(
    reference: Evidence,
    windows: Sequence[Window],
    request: DriftRequest,
    *,
    minimum: int,
    adjustment: str,
) -> DriftTimeline:
    """Return every window against the reference, with false alarms controlled over all of them."""
    looked = [_look(reference, window, request, minimum) for window in windows]
    decided = [k for k, one in enumerate(looked) if one.drift is not None]
    p_values = [looked[k].p_value for k in decided]
    if adjustment == "holm":
        adjusted = holm(p_values) if p_values else []
    else:
        factor = len(p_values) if adjustment == "bonferroni" else 1
        adjusted = [min(factor * p, 1.0) for p in p_values]
    for k, p_value in zip(decided, adjusted, strict=True):
        status = DRIFT if p_value < request.alpha else FINE
        looked[k] = replace(looked[k], adjusted_p_value=p_value, status=status)
    items = reference.tally.total_count
    return DriftTimeline(tuple(looked), items, request.alpha, adjustment)


def _look(reference: Evidence, window: Window, request: DriftRequest, minimum: int) -> WindowDrift:
    """Return one window against the reference; undecidable where a class has too few items."""
    tally, found = window.tally, None
    why = f"there are fewer than {minimum:,} positives or negatives in the window."
    if min(class_sizes(tally)) >= minimum:
        try:
            refuse_few(Evidence(tally))
            found = drift_of(reference, Evidence(tally), request)
        except OneClassError:
            found = None
    p_values = [] if found is None else [found.findings[n].adjusted_p_value for n in DECIDING]
    if found is not None and any(map(math.isnan, p_values)) and not found.drifted:
        found, why = None, "a number that decides does not exist in the window."
    span = window.start, window.end, tally.total_count
    if found is None:
        return WindowDrift(*span, UNDECIDABLE, math.nan, math.nan, None, why)
    return WindowDrift(*span, FINE, float(np.nanmin(p_values)), math.nan, found)
