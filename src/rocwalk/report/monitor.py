"""The page on models in use: every window of a store, with alarms and their notes.

It has one section, in the place of that on time, whose script draws it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rocwalk.drift.plot import window_labels
from rocwalk.drift.window_numbers import NUMBERS
from rocwalk.drift.windows import MonitorStatus, MonitorStream, MonitorWindow
from rocwalk.report.document import template
from rocwalk.report.numbers import (
    between,
    count,
    level_words,
    p_text,
    percent,
    rate,
    shown,
    signed,
    unbroken,
)
from rocwalk.report.page import ALWAYS, put_together
from rocwalk.report.timeline import MOST_WINDOWS
from rocwalk.statistic import statistic_of

_SECTION = "timeline"  # whose script draws numbers over windows
_LARGE = "Calibration in the large (log O/E)"


def monitor_page(
    status: MonitorStatus,
    *,
    title: str,
    subtitle: str,
    notes: Sequence[str] = (),
    refresh: int | None = None,
) -> str:
    """Return a page on all windows of a store as one self-contained HTML document."""
    streams = [_listed(one) for one in status.streams]
    body = template("monitor").render(
        streams=streams,
        notes=notes,
        waiting=status.labels_without_prediction,
        headers=[_title(name) for name in NUMBERS],
    )
    sections = [{"name": _SECTION, "title": "Over time", "question": None, "body": body}]
    drawn = []
    for stream in status.streams:
        windows = [one for one in stream.windows[-MOST_WINDOWS:] if one.labelled]
        drawn.append(
            {
                "name": shown(stream.name),
                "labels": window_labels(
                    [str(one.start) for one in windows], stream.settings.window
                ),
                "spans": [f"{one.start} to {one.end}" for one in windows],
                "measures": [_measure(name, stream, windows) for name in NUMBERS],
            }
        )
    data: dict[str, Any] = {"models": [], "sections": {_SECTION: {"models": drawn}}}
    scripts = [*ALWAYS, f"{_SECTION}.js"]
    return put_together(shown(title), shown(subtitle), sections, data, scripts, refresh)


def _title(name: str) -> str:
    return _LARGE if name == "log_oe" else statistic_of(name).title


def _listed(stream: MonitorStream) -> dict[str, Any]:
    """Return a stream in words, its last windows and its alarms."""
    windows = stream.windows[-MOST_WINDOWS:]
    rows = [] if stream.reference is None else [_row(stream.reference)]
    return {
        "name": shown(stream.name),
        "summary": stream.summary,
        "level": level_words(1 - stream.settings.alpha),
        "cut": len(stream.windows) - len(windows),
        "rows": rows + [_row(one) for one in windows],
        "alarms": [
            {"start": one.start, "summary": one.drift.summary, "note": one.note}
            for one in windows
            if one.drifted and one.drift is not None
        ],
    }


def _row(one: MonitorWindow) -> dict[str, Any]:
    """Return a window as the cells of a table."""
    covered = "" if not one.rows else f" ({percent(one.coverage)})"
    delay = "–" if math.isnan(one.label_delay) else rate(one.label_delay, 1)
    cells = [
        unbroken(one.start or "the reference"),
        unbroken(one.end or ""),
        f"{one.rows:,}",
        unbroken(f"{one.labelled:,}{covered}"),
        delay,
        count(one.positives, 2),
    ]
    for name, (value, low, high) in one.numbers.items():
        write = signed if name == "log_oe" else rate
        ends = "" if math.isnan(low + high) else f" ({between(write(low, 3), write(high, 3))})"
        cells.append("–" if math.isnan(value) else unbroken(f"{write(value, 4)}{ends}"))
    p_value = "–" if math.isnan(one.adjusted_p_value) else unbroken(p_text(one.adjusted_p_value))
    words = f"{one.verdict}: {one.reason}" if one.reason else one.verdict
    return {"alarm": one.is_open, "cells": [*cells, p_value, words, shown(one.note or "–")]}


def _measure(name: str, stream: MonitorStream, windows: Sequence[MonitorWindow]) -> dict[str, Any]:
    """Return a number over the windows with its own intervals, and that of the reference."""
    before = math.nan if stream.reference is None else stream.reference.numbers[name][0]
    values = [one.numbers[name] for one in windows]
    return {
        "name": _title(name),
        "reference": before,
        "value": [value for value, _, _ in values],
        "low": [low for _, low, _ in values],
        "high": [high for _, _, high in values],
        "changes": [signed(value - before) for value, _, _ in values],
        "drifted": [one.is_open for one in windows],
        "verdicts": [f"the window: {one.verdict}" for one in windows],
    }
