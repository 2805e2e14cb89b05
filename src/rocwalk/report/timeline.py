"""The section on time: each window against the reference, with alarms."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocwalk.drift.plot import HIGHEST, window_labels
from rocwalk.drift.request import DECIDING, DRIFT
from rocwalk.read.times import CALENDAR
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import (
    count,
    decimals_of,
    level_words,
    p_text,
    rate,
    signed,
    unbroken,
)
from rocwalk.statistic import statistic_of

if TYPE_CHECKING:
    from rocwalk.drift.timeline import WindowDrift

MOST_WINDOWS = 400  # windows that are listed and drawn: the last ones
_LOOKS = {"population": "seen"}  # how the rows of windows without an alarm are shown


def timeline_section(findings: Findings) -> Content | None:
    """AUC, midpoint and struggle ratio over the windows of time, for each model."""
    if not findings.drift.timelines:
        return None
    from rocwalk.drift.window_numbers import NUMBERS

    named = list(zip(findings.names, findings.drift.timelines, strict=True))
    window, models, drawn = findings.window, [], []
    for name, one in named:
        if not isinstance(one, str):
            windows = one.windows[-MOST_WINDOWS:]
            models.append(
                {
                    "name": name,
                    "summary": one.summary,
                    "cut": len(one.windows) - len(windows),
                    "rows": [
                        {
                            "look": "moved" if each.status == DRIFT else _LOOKS.get(each.verdict),
                            "cells": [
                                unbroken(str(each.start)),
                                unbroken(str(each.end)),
                                f"{each.items:,}",
                                count(each.positives, decimals_of(each.positives)),
                                *(rate(each.numbers[name][0]) for name in NUMBERS[:-1]),
                                signed(each.numbers["log_oe"][0]),
                                unbroken(p_text(each.adjusted_p_value)),
                                each.verdict,
                            ],
                        }
                        for each in windows
                    ],
                }
            )
            measured = [each for each in windows if each.drift is not None]
            drawn.append(
                {
                    "name": name,
                    "labels": window_labels([str(each.start) for each in measured], window),
                    "spans": [f"{each.start} to {each.end}" for each in measured],
                    "measures": [_measure(each, measured) for each in DECIDING],
                }
            )
    return Content(
        {
            "window": _length(window),
            "level": level_words(findings.level),
            "own": findings.reference is None,
            "reasons": [(name, one) for name, one in named if isinstance(one, str)],
            "models": models,
        },
        {"models": drawn},
    )


def _length(window: int | str) -> str:
    """Write how long windows are.

    >>> _length("hour"), _length("quarter"), _length("7D"), _length(500)
    ('an hour', 'a quarter', '7 days', '500 rows')
    """
    if not isinstance(window, str):
        return f"{window:,} rows"
    if window in CALENDAR:
        return f"{'an' if window == 'hour' else 'a'} {window}"
    unit = {"h": "hour", "D": "day", "W": "week", "M": "month"}[window[-1]]
    return f"{window[:-1]} {unit}{'' if window[:-1] == '1' else 's'}"


def _measure(name: str, windows: list[WindowDrift]) -> dict[str, Any]:
    """Return a number over the windows; a bar is the reference plus the interval of the change."""
    rows = [each.drift.findings[name] for each in windows if each.drift is not None]
    highest = HIGHEST.get(name, math.inf)
    return {
        "name": statistic_of(name).title,
        "reference": rows[0].reference if rows else None,
        "value": [row.current for row in rows],
        "low": [max(row.reference + row.low, 0.0) for row in rows],
        "high": [min(row.reference + row.high, highest) for row in rows],
        "changes": [
            f"{signed(row.difference)} ({signed(row.low)} to {signed(row.high)})" for row in rows
        ],
        "drifted": [each.found(name) for each in windows],
    }
