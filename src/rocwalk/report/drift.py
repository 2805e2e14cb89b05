"""The section on drift: the models on these data against a reference."""

from __future__ import annotations

from typing import Any

from rocwalk.drift.drift import Drift
from rocwalk.drift.findings import DECIDING, Finding
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import between, level_words, p_text, rate, signed, unbroken
from rocwalk.report.sensibility import MOST_STEPS, curves_of

_VERDICTS = {
    "none": "no drift is seen",
    "population": "the population has changed, the model has not",
    "prevalence": "the odds have changed by one factor",
    "ranking": "the ranking has drifted",
    "estimation": "the probabilities have drifted",
    "both": "ranking and probabilities have drifted",
}


def drift_section(findings: Findings) -> Content | None:
    """Verdicts, findings and curves of both samples, if the report has a reference."""
    if findings.reference is None:
        return None
    found = {k: one for k, one in findings.drifts.items() if isinstance(one, Drift)}
    first = next(iter(found.values()), None)
    drawn = []
    for k, one in found.items():
        reference, current = map(curves_of, one.splits) if one.splits else (None, None)
        drawn.append({"place": k, "reference": reference, "current": current})
    return Content(
        {
            "rows": (findings.reference.rows_read, findings.study.rows_read),
            "notes": findings.reference.notes,
            "reasons": [
                (findings.names[k], why)
                for k, why in findings.drifts.items()
                if isinstance(why, str)
            ],
            "models": [_model(k, findings.names[k], one) for k, one in found.items()],
            "corrected": any("miscalibration" in one.findings for one in found.values()),
            "level": None if first is None else level_words(1 - first.alpha),
            "resampled": first is not None and first.method == "bootstrap",
            "clustered": findings.study.question.cluster is not None,
            "cut": any(len(s.walk) > MOST_STEPS for one in found.values() for s in one.splits),
            "most": MOST_STEPS,
        },
        {"description": "sensibility and capability of both samples", "models": drawn},
    )


def drift_words(findings: Findings) -> list[str]:
    """Say in short what has drifted since the reference, if there is one."""
    return [
        f"{findings.names[k]}, against the reference: {_VERDICTS[one.verdict]}."
        for k, one in findings.drifts.items()
        if isinstance(one, Drift)
    ]


def _model(place: int, name: str, one: Drift) -> dict[str, Any]:
    """Return the tiles and the rows of a model."""
    tiles = []
    for each in (one.findings[deciding] for deciding in DECIDING):
        p_value = unbroken(f"adjusted p {_p_sign(each.adjusted_p_value)}")
        tiles.append(
            {
                "words": each.words[:1].upper() + each.words[1:],
                "value": rate(each.current, 3),
                "hints": [f"was {rate(each.reference, 3)}", p_value],
                "moved": each.adjusted_p_value < one.alpha,
            }
        )
    return {
        "place": place,
        "name": name,
        "drifted": one.drifted,
        "drawn": bool(one.splits),
        "verdict": _VERDICTS[one.verdict],
        "summary": one.summary,
        "tiles": tiles,
        "prevalence": None,
        "rows": [_row(each, one.alpha) for each in one.findings.values()],
    }


def _row(one: Finding, alpha: float) -> dict[str, Any]:
    """Return a number in both samples; numbers of nearly the same name are told apart."""
    words = one.words if one.at is None else f"{one.words}, at {rate(one.at, 3)}"
    if one.name == "miscalibration":
        words = f"{one.words}, corrected for optimism"
    ends = between(signed(one.low, 3), signed(one.high, 3))
    return {
        "words": words,
        "moved": one.adjusted_p_value < alpha,
        "cells": [
            rate(one.reference),
            rate(one.current),
            unbroken(f"{signed(one.difference)} ({ends})"),
            unbroken(p_text(one.p_value)),
            unbroken(p_text(one.adjusted_p_value)) if one.decides else "—",
        ],
    }


def _p_sign(value: float) -> str:
    words = p_text(value)
    return words if words.startswith("<") or words == "undefined" else f"= {words}"
