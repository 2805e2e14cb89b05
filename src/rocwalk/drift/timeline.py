"""Drift over time: each window of a dated table against a reference.

A window has drifted if its model has, as `rocwalk.drift` decides given the scores, and the smallest
of its p-values (of level, ranking and struggle ratio, adjusted by Holm) is below α after the
adjustment over all windows. A window whose population alone has changed is no alarm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack, cast, overload

import numpy as np

from rocwalk.checks import as_whole, one_of
from rocwalk.drift.drift import Drift, drift_of, sample_evidence
from rocwalk.drift.request import (
    DECIDING,
    DRIFT,
    FINE,
    TESTS,
    UNDECIDABLE,
    DriftRequest,
    margins_of,
)
from rocwalk.drift.seasons import (
    SEASONS,
    Pool,
    Window,
    evidence_at,
    first_window,
    in_season,
    refuse_season,
    windows_of,
)
from rocwalk.drift.window_numbers import NUMBERS, Ends, numbers_of, parts_row
from rocwalk.errors import (
    Column,
    OneClassError,
    OptionError,
    RocwalkError,
    RocwalkWarning,
    collecting,
    warn,
)
from rocwalk.inference.distributions import holm
from rocwalk.inference.influence import class_sizes
from rocwalk.inference.items import Evidence, cluster_codes, refuse_few
from rocwalk.progress import Progress, progress_of
from rocwalk.read.arrays import Sample, check
from rocwalk.read.frames import GROUP, LABEL, NUMBER, Name, Table, read_table
from rocwalk.read.opening import opened
from rocwalk.read.tallies import score_names, tallies
from rocwalk.read.text import TextFormat
from rocwalk.read.times import (
    check_window,
    times_of,
)
from rocwalk.result import Result, plain_value
from rocwalk.tally.tally import Tally
from rocwalk.typing import (
    Adjustment,
    AnyArray,
    Decimal,
    IntArray,
    Invalid,
    Season,
    Thousands,
    Truth,
)

MINIMUM = 20  # positives and negatives that a window needs
_ADJUSTMENTS = ("holm", "bonferroni", "none")
_FEW = "there are fewer than {:,} positives or negatives in {}."
_TEXTS = ("start", "end", "status", "verdict", "reason")


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class WindowDrift(Result):
    """One window against the reference.

    `status` is "none", "drift" or "undecidable", and `reason` says why a window is undecidable.
    `p_value` is the smallest of the three tests that decide, adjusted in the window, and
    `adjusted_p_value` is adjusted over all windows too; `changed_p_value` is the same of the
    comparison of AUC, midpoint and struggle ratio themselves. `numbers` has for "auc", "midpoint",
    "struggle_ratio", "brier" and "log_oe" (the calibration in the large) the value in the window
    and both ends of its interval, NaN where they do not exist.
    """

    start: Any
    end: Any
    items: int
    positives: float
    reference_items: int
    numbers: dict[str, Ends]
    alpha: float
    status: str = UNDECIDABLE
    p_value: float = math.nan
    adjusted_p_value: float = math.nan
    changed_p_value: float = math.nan
    drift: Drift | None = None
    reason: str | None = None

    @property
    def verdict(self) -> str:
        """What has changed, in the words of `Drift.verdict`, or "undecidable"."""
        if self.drift is None or self.status == UNDECIDABLE:
            return UNDECIDABLE
        if self.status == DRIFT:
            return self.drift.verdict
        return "population" if self.changed_p_value < self.alpha else FINE

    def found(self, name: str) -> bool:
        """Whether the window has drifted, and the test of this number is one that found it."""
        one_of("name", name, TESTS)
        return (
            self.drift is not None
            and self.status == DRIFT
            and self.drift.causes.found(TESTS[name], self.drift.alpha)
        )

    def to_row(self) -> dict[str, Any]:
        """Return all of it as one flat row of a table.

        For each number: its value in the window with its interval; for AUC, midpoint and struggle
        ratio also the value in the reference, the difference, its parts, each with both ends, and
        the p-value of the model's part, adjusted in the window; θ is "odds".
        """
        row = self._headline()
        for name in NUMBERS:
            for end, value in zip(("", "_low", "_high"), self.numbers[name], strict=True):
                row[f"{name}{end}"] = value
        return row | parts_row(self.drift)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values: all numbers, with intervals and parts."""
        found = Result.to_dict(self)
        return found | {name: plain_value(value) for name, value in self.to_row().items()}

    def _headline(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "items": self.items,
            "positives": self.positives,
            "reference_items": self.reference_items,
            "status": self.status,
            "verdict": self.verdict,
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted_p_value,
            "changed_p_value": self.changed_p_value,
            "reason": self.reason,
        }


@dataclass(frozen=True, eq=False, repr=False)
class DriftTimeline(Result):
    """Windows in their order, each against the reference; from `rocwalk.drift_over_time`.

    `reference_items` is None where every window has a reference of its own. `notes` say what
    limits the conclusions, in sentences.
    """

    windows: tuple[WindowDrift, ...]
    reference_items: int | None
    alpha: float
    adjustment: str
    notes: tuple[str, ...] = ()

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
        moved = sum(one.verdict == "population" for one in self.windows)
        words = f"{len(self.alarms)} of {len(self.windows)} windows have drifted"
        if self.alarms:
            words += f", the first from {self.alarms[0].start}"
        words += f"; in {moved} only the population has changed" if moved else ""
        words += f"; {open_} cannot be decided" if open_ else ""
        control = {
            "holm": "over all windows together, by Holm",
            "bonferroni": "over all windows together, by Bonferroni",
            "none": "in each window by itself",
        }[self.adjustment]
        return " ".join([f"{words} (α = {self.alpha:g} {control}).", *self.notes])

    def plot(self, axes: Any = None, **options: Any) -> Any:
        """Draw AUC, midpoint and struggle ratio over the windows, alarms marked.

        Parameters
        ----------
        axes
            Where to draw, one for each panel; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.drift.plot import draw_timeline

        rows = [one for one in self.windows if one.status != UNDECIDABLE]
        values = {
            name: np.array(
                [
                    (f.reference, f.current, f.low, f.high)
                    for f in (one.drift.findings[name] for one in rows if one.drift is not None)
                ]
            )
            for name in DECIDING
        }
        labels = [str(one.start) for one in rows]
        marked = np.array([one.status == DRIFT for one in rows], dtype=bool)
        moved = {name: np.array([one.found(name) for one in rows], dtype=bool) for name in DECIDING}
        return draw_timeline(labels, values, marked, axes, moved=moved, **options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values: the summary, and every number of every window."""
        return Result.to_dict(self) | {"summary": self.summary, "notes": list(self.notes)}

    def _headline(self) -> dict[str, Any]:
        return {
            "windows": len(self.windows),
            "alarms": len(self.alarms),
            "undecidable": sum(one.status == UNDECIDABLE for one in self.windows),
            "alpha": self.alpha,
            "adjustment": self.adjustment,
            **({} if self.reference_items is None else {"reference_items": self.reference_items}),
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [one.to_row() for one in self.windows]
        return {
            name: np.array(
                [
                    ("" if row[name] is None else str(plain_value(row[name])))
                    if name in _TEXTS
                    else row[name]
                    for row in rows
                ]
            )
            for name in (rows[0] if rows else ())
        }


class _Options(TypedDict, total=False):
    """What `drift_over_time` takes beside the table and its columns."""

    window: int | str
    reference: Any
    season: Season | None
    weight: Name | None
    cluster: Name | None
    alpha: float
    margin: bool | Mapping[str, float] | None
    adjustment: Adjustment
    minimum: int
    fixed_reference: bool
    pos_label: Any
    truth: Truth
    invalid: Invalid
    progress: Progress | bool | None
    decimal: Decimal | None
    thousands: Thousands | None
    separator: str | None
    encoding: str | None


@overload
def drift_over_time(
    data: Any, *, label: Name, score: list[Any], time: Name, **options: Unpack[_Options]
) -> dict[Name, DriftTimeline]: ...


@overload
def drift_over_time(
    data: Any, *, label: Name, score: Name, time: Name, **options: Unpack[_Options]
) -> DriftTimeline: ...


def drift_over_time(
    data: Any,
    *,
    label: Name,
    score: Name | list[Any],
    time: Name,
    window: int | str = "month",
    reference: Any = None,
    season: Season | None = None,
    weight: Name | None = None,
    cluster: Name | None = None,
    alpha: float = 0.05,
    margin: bool | Mapping[str, float] | None = None,
    adjustment: Adjustment = "holm",
    minimum: int = MINIMUM,
    fixed_reference: bool = False,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
    progress: Progress | bool | None = None,
    decimal: Decimal | None = None,
    thousands: Thousands | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> DriftTimeline | dict[Name, DriftTimeline]:
    """Compare each window of a dated table with a reference.

    Parameters
    ----------
    data
        A dataframe of pandas, polars or pyarrow; a lazy one of polars, DuckDB, Dask, Ibis or
        PySpark; a dict of columns; or a path, a pattern (``"scores-*.parquet"``) or a list of paths
        of CSV, TSV, Parquet or JSON-lines files.
    label, score, time, weight
        Names of columns. Times are dates, ISO 8601 text, or numbers (with windows by count).
        Several scores are a list of names.
    window
        "hour", "day", "week" (from Monday), "month", "quarter" or "year"; a span such as "7D" (h
        hours, D days, W weeks, M months); or how many rows make a window, in order of time. A last
        window of fewer rows is kept; its number of items shows it.
    reference
        A pair (y_true, y_prob) or a `Tally`; or a table with the same columns, which several scores
        and clusters need. "last year" and "earlier years" are seasons of the same table; see
        `season`. By default the first window is the reference and is not tested itself; if its
        first tenth has no rows, it is partial, and a warning and `.notes` say so.
    season
        "last year": the reference of a window is the same window a year before; "earlier years":
        the same windows of all years before, together. They are taken from the table `reference`,
        which needs the column of times, or without one from `data` itself. A year is 12 months for
        windows of months, and else 52 weeks, so that weekdays agree; windows before the first with
        a reference are left out.
    cluster
        The column of units whose items belong together, such as patients. Units of a window and of
        its reference are taken as separate.
    alpha, adjustment
        The significance level. "holm" and "bonferroni" hold it over all windows that can be decided
        together; "none" holds it in each window by itself, so that of twenty windows without
        drift one alarms on average.
    margin
        None: any significant change of the model is drift. True: a change must also not be within
        the margins 0.02 of AUC, 10 % of observed/expected and 5 % of the struggle ratio. A mapping
        sets margins by name: "auc" (a difference), "midpoint" (of log observed/expected) and
        "struggle_ratio" (a share of what is expected).
    minimum
        A window with fewer positives or negatives than this is "undecidable", never "none"; it is
        "drift" if as many were expected of its scores and that alone is significant.
    fixed_reference
        Take the reference without sampling error: for a reference that is the whole population.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.
    progress
        True to print how many windows are done on standard error, or a function of (done, all).
    decimal, thousands
        For files of separated text: the decimal separator ("." or ","), and the thousands
        separator (``,`` ``.`` ``_`` ``'`` or a space), if there is one. By default numbers have a
        decimal point, or, where commas do not separate values, a decimal comma throughout; a file
        in which every comma could stand between thousands is refused.
    separator, encoding
        For files of separated text: the separator of values, by default found from the first lines,
        and the encoding, by default UTF-8, or UTF-16 with a byte-order mark.

    Returns
    -------
    DriftTimeline, or a dict of them by score if `score` is a list
        `.windows`, each with `.start .end .items .positives .numbers .status .verdict .p_value
        .adjusted_p_value .drift`; `.alarms`, `.drifted`, `.summary`, `.notes`, `.plot()`. The frame
        of `.to_frame()` has a row a window: AUC, midpoint, struggle ratio, Brier score and
        calibration in the large with intervals, the parts of the differences, the p-values and the
        verdict. A window in which only the population has changed has the verdict "population" and
        is no alarm.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(1)
    >>> p = 1 / (1 + np.exp(-rng.normal(-1, 1.2, 4000)))
    >>> twice = np.where(np.arange(4000) < 3000, p, 2 * p / (1 + p))  # the odds, at the end
    >>> y = (rng.random(4000) < twice).astype(int)
    >>> table = {"y": y, "p": p, "day": np.arange(4000)}
    >>> found = rw.drift_over_time(table, label="y", score="p", time="day", window=1000)
    >>> [one.verdict for one in found.windows]
    ['none', 'none', 'prevalence']
    """
    window = check_window(window)
    one_of("adjustment", adjustment, _ADJUSTMENTS)
    least = as_whole("minimum", minimum, 2)
    request = DriftRequest(alpha, fixed_reference, margins=margins_of(margin))
    if isinstance(reference, str) and reference in SEASONS and season is None:
        season, reference = cast("Season", reference), None
    if season is not None:
        one_of("season", season, SEASONS)
        refuse_season(season, window)
    report = progress_of(progress)
    names = score_names(score if isinstance(score, list) else [score])
    roles = {name: GROUP for name in (time, cluster) if name is not None}
    roles |= {label: LABEL} | dict.fromkeys([*names, *([] if weight is None else [weight])], NUMBER)
    form = TextFormat(decimal=decimal, thousands=thousands, separator=separator, encoding=encoding)
    columns = {"label": label, "weight": weight, "cluster": cluster}
    options = {"pos_label": pos_label, "truth": truth, "invalid": invalid}
    with ExitStack() as stack:  # open for as long as errors may name lines of files
        table = read_table(stack.enter_context(opened(data, form)), roles)
        base = reference
        if base is not None and not isinstance(base, tuple | list | Tally):
            needed = {
                name: role for name, role in roles.items() if name != time or season is not None
            }
            base = read_table(stack.enter_context(opened(base, form)), needed)
        elif base is not None and (len(names) > 1 or season is not None):
            why = "there are several scores" if len(names) > 1 else "a season has rows with times"
            raise OptionError(
                f"is one sample, and {why}.",
                "pass a table with the same columns.",
                argument="reference",
            )
        found = {}
        samples = {name: _sample(table, name, time, columns, options) for name in names}
        for k, (name, (sample, units, when)) in enumerate(samples.items()):
            evidence: Evidence | None = None
            notes: tuple[str, ...] = ()
            pooled = (
                samples[name]
                if base is None or season is None
                else _sample(base, name, time, columns, options)
            )
            pool = None if season is None else Pool(season, *pooled)
            windows = windows_of(sample, when, window, units, pool)
            if pool is not None:
                windows, notes = in_season(windows, pool.times, window)
            elif isinstance(base, Table):
                one, its_units, _ = _sample(base, name, None, columns, options)
                evidence = evidence_at(one, np.arange(len(one.scores)), its_units)
            elif base is not None:
                evidence = sample_evidence("reference", base, None, pos_label, truth, invalid)
            else:
                evidence, windows, notes = first_window(windows, when, window)
            if evidence is not None:
                refuse_few(evidence)
            for note in notes:
                warn(
                    RocwalkWarning(note, "pass reference=, or begin the table with a whole window.")
                )

            def told(done: int, total: int, k: int = k) -> None:
                if report is not None:
                    report(k * total + done, len(names) * total)

            found[name] = timeline_of(
                evidence,
                windows,
                request,
                minimum=least,
                adjustment=adjustment,
                notes=notes,
                progress=told,
            )
    return found if isinstance(score, list) else found[names[0]]


def _sample(
    table: Table,
    score: Name,
    time: Name | None,
    columns: dict[str, Any],
    options: dict[str, Any],
) -> tuple[Sample, IntArray | None, AnyArray]:
    """Return the checked rows of a score, their clusters as numbers or None, and their times."""
    label, weight, cluster = columns["label"], columns["weight"], columns["cluster"]
    tallies(table, score=score, label=label, weight=weight, **options)  # errors name the columns
    names = {"y_true": Column(label), "y_prob": Column(score), "sample_weight": Column(weight)}
    try:
        with collecting():  # given just before
            sample = check(
                table[label],
                table[score],
                sample_weight=None if weight is None else table[weight],
                probabilities=True,
                **options,
            )
    except RocwalkError as error:
        row = error.fields.row
        raise error.at(names=names, **({} if row is None else table.where(row))) from None
    try:
        units = None if cluster is None else cluster_codes(table[cluster], sample)
    except RocwalkError as error:
        where = {} if error.fields.row is None else table.where(error.fields.row)
        raise error.at(names={"cluster": Column(cluster)}, **where) from None
    times = np.empty(0) if time is None else times_of(table, time)
    return sample, units, times if time is None or sample.rows is None else times[sample.rows]


# -- the decisions ---------------------------------------------------------------------------------


def timeline_of(
    reference: Evidence | None,
    windows: Sequence[Window],
    request: DriftRequest,
    *,
    minimum: int,
    adjustment: str,
    notes: tuple[str, ...] = (),
    progress: Progress | None = None,
) -> DriftTimeline:
    """Return every window against the reference, with false alarms controlled over all of them.

    A window with a reference of its own is compared with that one.
    """
    looked = []
    for k, window in enumerate(windows):
        looked.append(_look(window.reference or reference, window, request, minimum))
        if progress is not None:
            progress(k + 1, len(windows))
    decided = [k for k, one in enumerate(looked) if one.drift is not None]
    adjusted = _adjusted([looked[k].p_value for k in decided], adjustment)
    changed = _adjusted([looked[k].changed_p_value for k in decided], adjustment)
    for k, p_value, moved in zip(decided, adjusted, changed, strict=True):
        one = replace(looked[k], adjusted_p_value=p_value, changed_p_value=moved)
        drifted = one.drift is not None and one.drift.drifted and p_value < request.alpha
        if drifted:
            looked[k] = replace(one, status=DRIFT, reason=None)
        else:
            looked[k] = replace(one, status=FINE if one.reason is None else UNDECIDABLE)
    items = None if reference is None else reference.tally.total_count
    return DriftTimeline(tuple(looked), items, request.alpha, adjustment, notes)


def _adjusted(p_values: list[float], adjustment: str) -> list[float]:
    if adjustment == "holm":
        return holm(p_values) if p_values else []
    factor = len(p_values) if adjustment == "bonferroni" else 1
    return [min(factor * p, 1.0) for p in p_values]


def _incomparable(reference: Evidence | None, window: Window, minimum: int) -> str | None:
    """Say why a window has no reference that it can be compared with, if so."""
    if reference is None:
        return "there are no rows of the same window of earlier years."
    if window.reference is not None and min(class_sizes(reference.tally)) < minimum:
        return _FEW.format(minimum, "its reference")
    try:
        refuse_few(reference)
    except OneClassError as error:
        return error.what
    return None


def _look(
    reference: Evidence | None, window: Window, request: DriftRequest, minimum: int
) -> WindowDrift:
    """Return one window against the reference; undecidable where a class has too few items.

    Where as many as needed are expected, it is compared all the same: that they are missing may
    itself be drift. The reason then says why the window is undecidable if no drift is found.
    """
    tally = window.tally
    one = WindowDrift(
        start=window.start,
        end=window.end,
        items=tally.total_count,
        positives=float(tally.total_up),
        reference_items=0 if reference is None else reference.tally.total_count,
        numbers=numbers_of(window.evidence, 1 - request.alpha),
        alpha=request.alpha,
    )
    reason = _incomparable(reference, window, minimum)
    if reference is None or reason is not None:
        return replace(one, reason=reason)
    is_few = min(class_sizes(tally)) < minimum
    if is_few:
        one = replace(one, reason=_FEW.format(minimum, "the window"))
    if is_few and tally.total_count < 2 * minimum:  # so that fewer are expected, too
        return one
    found = drift_of(reference, window.evidence, request)
    is_tested = not math.isnan(found.tests["level"].p_value)
    if is_few and not (is_tested and min(found.causes.expected) >= minimum):
        return one
    if found.is_open and not is_few:
        return replace(one, reason="a number that decides does not exist in the window.")
    tests = [each.adjusted_p_value for each in found.tests.values()]
    moved = [found.findings[name].adjusted_p_value for name in DECIDING]
    known = [p for p in moved if not math.isnan(p)]
    return replace(
        one,
        p_value=float(np.nanmin(tests)),
        changed_p_value=min(known, default=1.0),
        drift=found,
    )
