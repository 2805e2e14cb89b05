"""The section on time: each window against the reference, with alarms."""

from __future__ import annotations

from typing import Any

from rocwalk.page.material import Content, Material
from rocwalk.page.numbers import p_text, rate, unbroken
from rocwalk.uncertainty.drift import DECIDING
from rocwalk.uncertainty.timeline import DRIFT, DriftTimeline, WindowDrift

_WORDS = {"auc": "AUC", "midpoint": "Midpoint", "struggle_ratio": "Struggle ratio"}
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
            "own": material.reference is None,
            "reasons": [(name, one) for name, one in named if isinstance(one, str)],
            "models": [_shown(name, one) for name, one in found],
        },
        {"models": [_drawn(name, one) for name, one in found]},
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


def _drawn(name: str, one: DriftTimeline) -> dict[str, Any]:
    windows = [each for each in one.windows[-_MOST:] if each.drift is not None]
    measures = []
    for measure in DECIDING:
        rows = [each.drift.findings[measure] for each in windows if each.drift is not None]
        measures.append(
            {
                "name": _WORDS[measure],
                "reference": rows[0].reference if rows else None,
                "value": [row.current for row in rows],
                "low": [row.reference + row.low for row in rows],
                "high": [row.reference + row.high for row in rows],
            }
        )
    return {
        "name": name,
        "starts": [str(each.start) for each in windows],
        "alarms": [each.status == DRIFT for each in windows],
        "measures": measures,
    }
