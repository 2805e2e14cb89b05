"""The windows of models in use: cut by the calendar or by rows, measured, and compared.

Every window has its numbers with intervals and a verdict: `MonitorWindow`. The windows of one
model, or of one segment of it, are a `MonitorStream`, and all of them a `MonitorStatus`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise
from typing import Any, Self

import numpy as np

from rocwalk.checks import as_number, as_whole, one_of
from rocwalk.drift.drift import Drift
from rocwalk.drift.request import DRIFT, UNDECIDABLE, DriftRequest, margins_of
from rocwalk.drift.seasons import Window
from rocwalk.drift.timeline import MINIMUM, DriftTimeline, timeline_of
from rocwalk.drift.watch import DriftWatch
from rocwalk.drift.window_numbers import NUMBERS, numbers_of
from rocwalk.errors import ColumnError, OneClassError, OptionError, RocwalkWarning, collecting, warn
from rocwalk.inference.items import Evidence, refuse_few
from rocwalk.read.arrays import check
from rocwalk.read.batches import utc_now
from rocwalk.read.labels import Labels
from rocwalk.read.store import Alarm, Items, Snapshot
from rocwalk.read.times import check_window, period_numbers, period_starts, shown_moment
from rocwalk.result import Result, plain_value
from rocwalk.tally.tally import Tally
from rocwalk.texts import nearest
from rocwalk.typing import AnyArray, FloatArray

REFERENCE = "reference"  # the status of windows that the reference is made of
_MOST_WINDOWS = 100_000
_PARTIAL = 0.1  # of a reference period without rows at either end, from which on it is partial
_DAY = np.timedelta64(1, "D")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """How a model is watched; see `MonitorStore.add_model`."""

    id: str = "id"
    time: str = "time"
    score: str = "score"
    label: str = "label"
    weight: str | None = None
    label_time: str | None = None
    segments: tuple[str, ...] = ()
    window: int | str = "month"
    alpha: float = 0.05
    adjustment: str = "holm"
    minimum: int = MINIMUM
    minimum_coverage: float = 0.0
    fixed_reference: bool = False
    pos_label: Any = None
    neg_label: Any = None
    reference: str | None = None
    reference_period: tuple[str, str] | None = None
    margin: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        DriftRequest(self.alpha)  # raises unless it is a level
        one_of("adjustment", self.adjustment, ("holm", "bonferroni", "none"))
        coverage = as_number("minimum_coverage", self.minimum_coverage)
        if not 0 <= coverage <= 1:
            raise OptionError(
                "is not a share.",
                "pass the share of rows that need a label, between 0 and 1.",
                option="minimum_coverage",
                value=self.minimum_coverage,
            )
        if (self.pos_label is None) != (self.neg_label is None):
            known, lacking = ("pos_label", "neg_label")[:: 1 if self.neg_label is None else -1]
            raise OptionError(
                f"{known} is given without {lacking}.",
                "name the labels of both classes, so that no other one is taken for either.",
            )
        columns = [self.id, self.time, self.score, self.label, self.weight, *self.segments]
        named = [one for one in columns if one is not None]
        for one in named:
            if named.count(one) > 1:
                raise OptionError(
                    f"The column {one!r} is named twice.", "give each column one meaning."
                )
        plain = {
            "window": check_window(self.window),
            "minimum": as_whole("minimum", self.minimum, 2),
            "minimum_coverage": coverage,
            "segments": tuple(self.segments),
            "margin": margins_of(self.margin),
        }
        for key, value in plain.items():
            object.__setattr__(self, key, value)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Return settings that a store has kept."""
        period = stored["reference_period"]
        return cls(**{**stored, "reference_period": None if period is None else tuple(period)})

    @property
    def labels(self) -> Labels | None:
        """The labels of both classes, where they are named."""
        return None if self.pos_label is None else Labels(self.pos_label, self.neg_label)

    @property
    def period(self) -> tuple[np.datetime64, np.datetime64] | None:
        """The first moment of the reference, and the first after it."""
        if self.reference_period is None:
            return None
        start, end = (np.datetime64(one, "us") for one in self.reference_period)
        return start, end


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MonitorWindow(Result):
    """One window of a model, or of a segment: its rows, its numbers, and the verdict.

    `numbers` has for "auc", "midpoint", "struggle_ratio", "brier" and "log_oe" the value and both
    ends of its interval, NaN where they do not exist. "log_oe" is the calibration in the large, the
    logarithm of observed to expected positives: log(Σwy/Σwp). `label_delay` is the median time
    from prediction to label, in days. `status` is "none", "drift", "undecidable" or "reference",
    `reason` says why a window is undecidable, and `note` is that of an acknowledged alarm.
    `e_value` is that of `rocwalk.DriftWatch` after the labelled rows of all windows up to this one,
    in their order of time: 1/α or more, or with segments their number over α, is an alarm that
    holds however often one looks. `adjusted_p_value` is adjusted over the windows of a stream and,
    by Bonferroni, over the segments that are followed beside each other.
    """

    model: str
    segments: Mapping[str, str | None]
    start: str | None
    end: str | None
    rows: int
    labelled: int
    positives: float
    label_delay: float
    numbers: Mapping[str, tuple[float, float, float]]
    status: str
    verdict: str
    p_value: float = math.nan
    adjusted_p_value: float = math.nan
    reason: str | None = None
    drift: Drift | None = None
    note: str | None = None
    e_value: float = math.nan

    @property
    def coverage(self) -> float:
        """The share of rows that have a label; NaN without rows."""
        return self.labelled / self.rows if self.rows else math.nan

    @property
    def drifted(self) -> bool:
        """Whether the window is an alarm, acknowledged or not."""
        return self.status == DRIFT

    @property
    def is_open(self) -> bool:
        """Whether the window is an alarm that was not acknowledged."""
        return self.drifted and self.note is None

    @property
    def segment(self) -> str:
        """The segment in words: "site=north", or "" for all rows."""
        return segment_words(self.segments)

    def to_row(self) -> dict[str, Any]:
        """Return all of it as one flat row of a table."""
        numbers = {
            f"{name}{end}": value
            for name, ends in self.numbers.items()
            for end, value in zip(("", "_low", "_high"), ends, strict=True)
        }
        return {
            "model": self.model,
            "segment": self.segment,
            "start": self.start,
            "end": self.end,
            "rows": self.rows,
            "labelled": self.labelled,
            "coverage": self.coverage,
            "label_delay": self.label_delay,
            "positives": self.positives,
            **numbers,
            "status": self.status,
            "verdict": self.verdict,
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted_p_value,
            "e_value": self.e_value,
            "reason": self.reason,
            "note": self.note,
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with all findings."""
        findings = [] if self.drift is None else self.drift.findings.values()
        return Result.to_dict(self) | {
            **{name: plain_value(value) for name, value in self.to_row().items()},
            "segments": dict(self.segments),
            "findings": [one.to_dict() for one in findings],
        }

    def _headline(self) -> dict[str, Any]:
        row = self.to_row()
        names = ("model", "start", "end", "rows", "labelled", "positives", "auc", "verdict")
        return {name: row[name] for name in names}


def segment_words(segments: Mapping[str, str | None]) -> str:
    """Write a segment as text.

    >>> segment_words({"site": "north", "sex": None})
    'site=north, sex missing'
    """
    return ", ".join(
        f"{name} missing" if value is None else f"{name}={value}"
        for name, value in segments.items()
    )


@dataclass(frozen=True, slots=True, eq=False)
class MonitorStream:
    """The windows of one model, or of one segment of it, in order of time, and its reference.

    `streams` is the number of segments that are followed beside each other, this one included: all
    of them together have the α of the settings.
    """

    model: str
    segments: Mapping[str, str | None]
    reference: MonitorWindow | None
    windows: tuple[MonitorWindow, ...]
    settings: ModelSettings
    streams: int = 1

    @property
    def e_threshold(self) -> float:
        """The e-value that is an alarm: the number of segments over α."""
        return self.streams / self.settings.alpha

    @property
    def name(self) -> str:
        """The model and its segment, in words."""
        words = segment_words(self.segments)
        return f"{self.model}, {words}" if words else self.model

    @property
    def is_decidable(self) -> bool:
        """Whether any window could be decided."""
        return any(one.status not in (UNDECIDABLE, REFERENCE) for one in self.windows)

    @property
    def latest(self) -> MonitorWindow | None:
        """The last window that could be decided, else the last with rows."""
        decided = [one for one in self.windows if one.status not in (UNDECIDABLE, REFERENCE)]
        filled = decided or [one for one in self.windows if one.rows]
        return filled[-1] if filled else None

    @property
    def summary(self) -> str:
        """The finding in words."""
        tested = [one for one in self.windows if one.status != REFERENCE]
        drifted = [one for one in tested if one.drifted]
        undecided = sum(one.status == UNDECIDABLE for one in tested)
        words = f"{len(drifted)} of {len(tested)} windows have drifted"
        if drifted:
            noted = sum(not one.is_open for one in drifted)
            words += f", the first from {drifted[0].start}"
            words += f" ({noted} acknowledged)" if noted else ""
        words += f"; {undecided} cannot be decided" if undecided else ""
        control = f"α = {self.settings.alpha:g}, {self.settings.adjustment}"
        if self.streams > 1 and self.settings.adjustment != "none":
            control += f", over all {self.streams:,} segments together"
        return f"{words} ({control})."


@dataclass(frozen=True, eq=False, repr=False)
class MonitorStatus(Result):
    """All windows of the models in a store; from `MonitorStore.status`."""

    streams: tuple[MonitorStream, ...]
    labels_without_prediction: int = 0

    @property
    def windows(self) -> tuple[MonitorWindow, ...]:
        """The windows of all streams."""
        return tuple(window for stream in self.streams for window in stream.windows)

    @property
    def alarms(self) -> tuple[MonitorWindow, ...]:
        """The windows that have drifted."""
        return tuple(one for one in self.windows if one.drifted)

    @property
    def open_alarms(self) -> tuple[MonitorWindow, ...]:
        """The windows that have drifted and were not acknowledged."""
        return tuple(one for one in self.windows if one.is_open)

    @property
    def drifted(self) -> bool:
        """Whether any alarm is open."""
        return bool(self.open_alarms)

    @property
    def summary(self) -> str:
        """The finding in words."""
        words = " ".join(f"{one.name}: {one.summary}" for one in self.streams)
        waiting = self.labels_without_prediction
        return f"{words} {waiting:,} labels wait for their predictions." if waiting else words

    def to_prometheus(self) -> str:
        """Return the latest window of each stream in Prometheus' text format.

        The latest window is the last that could be decided, else the last with rows;
        ``rocwalk_window_start_seconds`` says which it is. A number that does not exist is NaN.
        """
        found: dict[str, list[str]] = {name: [] for name in _METRICS}
        for stream in self.streams:
            one = stream.latest
            if one is None:
                continue
            named = {"model": one.model, **{f"segment_{k}": v for k, v in one.segments.items()}}
            labels = ",".join(
                f'{re.sub(r"[^a-zA-Z0-9_]", "_", name)}="{_escaped(value)}"'
                for name, value in named.items()
            )
            values = one.to_row() | {
                "window_start_seconds": np.datetime64(one.start, "s").astype(np.int64),
                "drifted": int(one.drifted),
                "open_alarms": sum(each.is_open for each in stream.windows),
            }
            for name, lines in found.items():
                value = float(values[name])
                text = "NaN" if math.isnan(value) else repr(value).replace("inf", "Inf")
                lines.append(f"rocwalk_{name}{{{labels}}} {text}")
        parts = []
        for name, lines in found.items():
            about = f"# HELP rocwalk_{name} {_METRICS[name]}\n# TYPE rocwalk_{name} gauge\n"
            parts += [about, *(f"{line}\n" for line in lines)]
        return "".join(parts)

    def _headline(self) -> dict[str, Any]:
        return {
            "streams": len(self.streams),
            "windows": len(self.windows),
            "alarms": len(self.alarms),
            "open_alarms": len(self.open_alarms),
            "undecidable": sum(one.status == UNDECIDABLE for one in self.windows),
            "labels_without_prediction": self.labels_without_prediction,
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [one.to_row() for one in self.windows]
        texts = ("model", "segment", "start", "end", "status", "verdict", "reason", "note")
        return {
            name: np.array([row[name] or "" if name in texts else row[name] for row in rows])
            for name in (rows[0] if rows else ())
        }


_METRICS = {
    "window_start_seconds": "Start of the window, in seconds since 1970.",
    "rows": "Predictions in the window.",
    "labelled": "Predictions in the window that have a label.",
    "positives": "Sum of the labels in the window.",
    "label_delay": "Median time from prediction to label, in days.",
    **{
        f"{name}{end}": f"{words}{more} in the window."
        for name, words in (
            ("auc", "AUC"),
            ("midpoint", "Midpoint"),
            ("struggle_ratio", "Struggle ratio"),
            ("brier", "Brier score"),
            ("log_oe", "Logarithm of observed to expected positives"),
        )
        for end, more in (("", ""), ("_low", ", lower limit"), ("_high", ", upper limit"))
    },
    "e_value": "Evidence of a change up to the window, valid at any number of looks.",
    "drifted": "1 if the window has drifted, else 0.",
    "open_alarms": "Windows of all time that have drifted and were not acknowledged.",
}


def _escaped(value: str | None) -> str:
    text = "" if value is None else value
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


# -- from items to windows -------------------------------------------------------------------------


def streams_of(
    snapshot: Snapshot, by: Sequence[str], window: int | str | None
) -> Iterator[MonitorStream]:
    """Give the streams of all models of a snapshot: one a model, or one a segment."""
    notes = {one.key: one.note for one in snapshot.alarms}
    for model, stored in snapshot.models.items():
        settings = ModelSettings.from_json(stored)
        if window is not None:
            settings = replace(settings, window=window)
        for name in by:
            if name not in settings.segments:
                known = settings.segments
                raise ColumnError(
                    f"The model {model!r} has no segments by {name!r}.",
                    nearest(name, known) if known else "name the columns of segments at the start.",
                )
        items = snapshot.items[model]
        reference = _reference_items(settings, items, snapshot.references[model])
        wholes = [] if reference is None else [reference]
        keys = {_key(one, by): None for part in (items, *wholes) for one in part.values}
        shown = sorted(keys, key=str) if by else [()]
        for key in shown:
            segments = dict(zip(by, key, strict=True))
            base = None if reference is None else _of_segment(reference, segments)
            yield _stream(model, segments, items, base, settings, notes, len(shown))


def _key(values: Mapping[str, str | None], by: Sequence[str]) -> tuple[str | None, ...]:
    return tuple(values.get(name) for name in by)


def _of_segment(items: Items, segments: Mapping[str, str | None]) -> Items:
    """Return the items of a segment."""
    if not segments:
        return items
    key = tuple(segments.values())
    is_in = np.array([_key(one, list(segments)) == key for one in items.values], dtype=bool)
    return items.taken(np.flatnonzero(is_in[items.segments]))


def _reference_items(settings: ModelSettings, items: Items, given: Items) -> Items | None:
    """Return the rows of the reference: those that were given, or those of a period."""
    if settings.period is None or not len(items):
        return given if len(given) else None
    start, end = settings.period
    begin, stop = np.searchsorted(items.time, np.array([start, end]))
    if begin == stop:
        warn(
            RocwalkWarning(
                f"The reference, {shown_moment(start)} to {shown_moment(end)}, has no rows.",
                "add the predictions of that time, or choose another reference.",
            )
        )
        return None
    first, last = items.time[begin], items.time[stop - 1]
    if max(first - start, end - last) > _PARTIAL * (end - start):
        warn(
            RocwalkWarning(
                f"The reference, {shown_moment(start)} to {shown_moment(end)}, is partial: its "
                f"rows are of {shown_moment(first)} to {shown_moment(last)}.",
                "add the predictions that are missing, or choose a period that is covered.",
            )
        )
    return items.taken(np.arange(begin, stop))


def _stream(
    model: str,
    segments: Mapping[str, str | None],
    items: Items,
    base: Items | None,
    settings: ModelSettings,
    notes: Mapping[Any, str | None],
    streams: int,
) -> MonitorStream:
    """Return the windows of a stream, one of several, each with its numbers and its verdict."""
    level, period = 1 - settings.alpha, settings.period
    own = _of_segment(items, segments)
    measured, tallies, parts = [], [], []
    for start, end, begin, stop in _spans(items.time, own.time, settings.window):
        part = own.taken(np.arange(begin, stop))
        one, tally = measure(model, segments, part, level, (start, end))
        if period is not None and start < period[1] and period[0] < end:
            one = replace(one, status=REFERENCE, verdict=REFERENCE, reason=None)
        elif one.rows and one.coverage < settings.minimum_coverage:
            why = f"{one.labelled:,} of {one.rows:,} rows have a label, fewer than the share of "
            one = replace(one, reason=f"{why}{settings.minimum_coverage:g} that is needed.")
            tally = None
        measured.append(one)
        parts.append(part)
        tallies.append(None if one.status == REFERENCE else tally)
    reference, evidence, why = None, None, "the model has no reference."
    if base is not None:
        reference, tally = measure(model, segments, base, level, period)
        reference = replace(reference, status=REFERENCE, verdict=REFERENCE, reason=None)
        try:
            if tally is None:
                raise OneClassError("The reference has no labelled rows.")
            evidence = Evidence(tally)
            refuse_few(evidence)
        except OneClassError as error:
            evidence, why = None, f"the reference cannot be used. {error.what}"
    places = [k for k, tally in enumerate(tallies) if tally is not None]
    if evidence is None:
        for k in places:
            measured[k] = replace(measured[k], reason=why)
    elif places:
        windows = [Window(measured[k].start, measured[k].end, tallies[k]) for k in places]  # type: ignore[arg-type]
        looked = compared(evidence, windows, settings, streams)
        for k, found in zip(places, looked.windows, strict=True):
            measured[k] = replace(
                measured[k],
                status=found.status,
                verdict=found.verdict,
                p_value=found.p_value,
                adjusted_p_value=min(found.adjusted_p_value * _shares(settings, streams), 1.0),
                reason=found.reason,
                drift=found.drift,
            )
    if evidence is not None and base is not None:
        watch = DriftWatch(_labelled(base)[:2], alpha=settings.alpha / streams)
        for k in places:
            y_true, y_prob, weight = _labelled(parts[k])
            state = watch.update(y_true, y_prob, sample_weight=weight)
            measured[k] = replace(measured[k], e_value=state.e_value)
    noted = [
        replace(one, note=notes.get(alarm_of(one, settings).key)) if one.drifted else one
        for one in measured
    ]
    return MonitorStream(model, segments, reference, tuple(noted), settings, streams)


def _shares(settings: ModelSettings, streams: int) -> int:
    """Return into how many parts α is divided over streams."""
    return 1 if settings.adjustment == "none" else streams


def _labelled(items: Items) -> tuple[FloatArray, FloatArray, FloatArray | None]:
    """Return labels, scores and weights (None without any) of the labelled rows, in their order."""
    there = np.flatnonzero(~np.isnan(items.label))
    weight = items.weight[there]
    has_weights = len(weight) > 0 and not np.isnan(weight).any()
    return items.label[there], items.score[there], weight if has_weights else None


def compared(
    reference: Evidence, windows: Sequence[Window], settings: ModelSettings, streams: int = 1
) -> DriftTimeline:
    """Return every window against the reference, as `rocwalk.drift_over_time` does.

    Each of several streams has its share of α.
    """
    alpha, margins = settings.alpha / _shares(settings, streams), margins_of(settings.margin)
    request = DriftRequest(alpha, settings.fixed_reference, margins=margins)
    with collecting():  # the reason of a window says what cannot be tested
        return timeline_of(
            reference, windows, request, minimum=settings.minimum, adjustment=settings.adjustment
        )


def _spans(
    times: AnyArray, own: AnyArray, window: int | str
) -> list[tuple[np.datetime64, np.datetime64, int, int]]:
    """Return the windows of a stream: their start and end, and where their rows begin and end.

    `times` are those of the model and `own` those of the stream. A window of the calendar may have
    no rows; a window of a number of rows starts and ends with a row.
    """
    if not len(times):
        return []
    if isinstance(window, int):
        cuts = [*range(0, len(own), window), len(own)]
        return [(own[a], own[b - 1], a, b) for a, b in pairwise(cuts) if b > a]
    first, last = (int(one) for one in period_numbers(times[[0, -1]], window))
    if last - first >= _MOST_WINDOWS:
        raise OptionError(
            f"From {shown_moment(times[0])} to {shown_moment(times[-1])} there are "
            f"{last - first + 1:,} windows of {window!r}.",
            "check the times, or take longer windows.",
        )
    starts = period_starts(np.arange(first, last + 2), window)
    cuts = np.searchsorted(own, starts).tolist()
    return list(zip(starts[:-1], starts[1:], cuts[:-1], cuts[1:], strict=True))


def measure(
    model: str,
    segments: Mapping[str, str | None],
    items: Items,
    level: float,
    span: tuple[np.datetime64, np.datetime64] | None,
) -> tuple[MonitorWindow, Tally | None]:
    """Return the numbers of a window and the tally of its labelled rows, None without any."""
    there = np.flatnonzero(~np.isnan(items.label))
    y_true, y_prob, weight = _labelled(items)
    delays = (items.label_time[there] - items.time[there]) / _DAY
    delays = delays[~np.isnan(delays)]
    tally, numbers = None, dict.fromkeys(NUMBERS, (math.nan,) * 3)
    if len(there):
        sample = check(
            y_true,
            y_prob,
            sample_weight=weight,
            probabilities=True,
            with_advice=False,
        )
        tally = sample.tally()
        numbers = numbers_of(Evidence(tally), level)
    words = "it has no rows." if not len(items) else "none of its rows has a label."
    start, end = (None, None) if span is None else (str(shown_moment(one)) for one in span)
    window = MonitorWindow(
        model=model,
        segments=segments,
        start=start,
        end=end,
        rows=len(items),
        labelled=len(there),
        positives=float(items.label[there].sum()),
        label_delay=float(np.median(delays)) if len(delays) else math.nan,
        numbers=numbers,
        status=UNDECIDABLE,
        verdict=UNDECIDABLE,
        reason=None if len(there) else words,
    )
    return window, tally


def alarm_of(window: MonitorWindow, settings: ModelSettings) -> Alarm:
    """Return the alarm of a window that has drifted, as of now."""
    return Alarm(
        model=window.model,
        segments=window.segments,
        window=str(settings.window),
        start=datetime.fromisoformat(str(window.start)),
        verdict=window.verdict,
        summary="" if window.drift is None else window.drift.summary,
        raised=utc_now(),
    )
