"""The section on time: each window against the reference, with alarms."""

from __future__ import annotations

import math
from typing import Any

from rocwalk.drift.findings import DECIDING, Finding
from rocwalk.drift.plot import HIGHEST, window_labels
from rocwalk.drift.timeline import DRIFT, DriftTimeline, WindowDrift
from rocwalk.report.evidence import Content, Material
from rocwalk.report.numbers import level_words, p_text, rate, signed, unbroken
from rocwalk.statistic import statistic_of

_MOST = 400  # windows that are listed and drawn: the last ones


def follow_time(material: Material) -> Content | None:
    """AUC, midpoint and struggle ratio over the windows of time, for each model."""
    if not material.timelines:
        return None
    named = list(zip(material.names, material.timelines, strict=True))
    found = [(name, one) for name, one in named if isinstance(one, DriftTimeline)]
    return Content(
        {
            "window": _window_words(material.window),
            "level": level_words(material.level),
            "own": material.reference is None,
            "reasons": [(name, one) for name, one in named if isinstance(one, str)],
            "models": [_shown(name, one) for name, one in found],
        },
        {"models": [_drawn(name, one, material.window) for name, one in found]},
    )


def _window_words(window: int | str) -> str:
    return f"a {window}" if isinstance(window, str) else f"{window:,} rows"


def _shown(name: str, one: DriftTimeline) -> dict[str, Any]:
    return {
        "name": name,
        "summary": one.summary,
        "cut": len(one.windows) - _MOST if len(one.windows) > _MOST else 0,
        "rows": [
            {"alarm": each.status == DRIFT, "cells": _cells(each)} for each in one.windows[-_MOST:]
        ],
    }


def _cells(one: WindowDrift) -> list[str]:
    values = ["undefined"] * 3
    if one.drift is not None:
        values = [rate(one.drift.findings[name].current) for name in DECIDING]
    return [
        unbroken(str(one.start)),
        unbroken(str(one.end)),
        f"{one.items:,}",
        *values,
        unbroken(p_text(one.adjusted_p_value)),
        one.verdict,
    ]


def _drawn(name: str, one: DriftTimeline, window: int | str) -> dict[str, Any]:
    windows = [each for each in one.windows[-_MOST:] if each.drift is not None]
    starts = [str(each.start) for each in windows]
    return {
        "name": name,
        "labels": window_labels(starts, window),
        "spans": [f"{each.start} to {each.end}" for each in windows],
        "measures": [_measure(each, windows, one.alpha) for each in DECIDING],
    }


def _measure(name: str, windows: list[WindowDrift], alpha: float) -> dict[str, Any]:
    """Return a number over the windows; a bar is the reference plus the interval of the change."""
    rows = [each.drift.findings[name] for each in windows if each.drift is not None]
    highest = HIGHEST.get(name, math.inf)
    return {
        "name": statistic_of(name).title,
        "reference": rows[0].reference if rows else None,
        "value": [row.current for row in rows],
        "low": [max(row.reference + row.low, 0.0) for row in rows],
        "high": [min(row.reference + row.high, highest) for row in rows],
        "changes": [_change(row) for row in rows],
        "drifted": [
            each.status == DRIFT and row.adjusted_p_value < alpha
            for each, row in zip(windows, rows, strict=True)
        ],
    }


def _change(row: Finding) -> str:
    return f"{signed(row.difference)} ({signed(row.low)} to {signed(row.high)})"
