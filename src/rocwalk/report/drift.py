"""The section on drift: the models on these data against a reference."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rocwalk.drift.request import DECIDING, TESTS
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import (
    level_words,
    p_text,
    p_words,
    rate,
    shown,
    signed,
    unbroken,
    value_and_ends,
    with_ends,
)
from rocwalk.report.sensibility import MOST_STEPS, curves_of
from rocwalk.statistic import statistic_of

if TYPE_CHECKING:
    from rocwalk.drift.drift import Drift
    from rocwalk.drift.findings import Finding

_VERDICTS = {
    "none": "no drift is seen",
    "population": "the population has changed, the model has not",
    "prevalence": "the odds have changed by one factor",
    "ranking": "the ranking has drifted",
    "estimation": "the probabilities have drifted",
    "both": "ranking and probabilities have drifted",
}
_SIZES = {True: "within", False: "beyond", None: "cannot tell"}
_SUITABLE = {
    True: "All changes of the model are within their margins: these data are still a suitable test "
    "set for it.",
    False: "A change of the model is beyond its margin: these data are no longer a suitable test "
    "set for it.",
    None: "Whether these data are still a suitable test set cannot be told: a change of the model "
    "is shown to be neither within its margin nor beyond it.",
}
_UNDRAWN = {
    True: "The curves are not drawn: the scores share buckets, and their order inside is not "
    "known.",
    False: "The curves are not drawn: they need items of both classes.",
}
_PARTS = ("population", "odds", "model")
_TESTED = {"auc": "model", "midpoint": "odds", "struggle_ratio": "model"}  # by the test of each


def drift_section(findings: Findings) -> Content | None:
    """Verdicts, parts of the changes, findings and curves, if the report has a reference."""
    if findings.reference is None:
        return None
    found = {k: one for k, one in findings.drift.models.items() if not isinstance(one, str)}
    first = next(iter(found.values()), None)
    drawn = []
    for k, one in found.items():
        reference, current = map(curves_of, one.splits) if one.splits else (None, None)
        chains = [_chain(one, number) for number in DECIDING]
        name = findings.names[k]
        drawn.append(
            {"place": k, "name": name, "reference": reference, "current": current, "chains": chains}
        )
    cluster = findings.study.question.cluster
    return Content(
        {
            "rows": (findings.reference.rows_read, findings.study.rows_read),
            "notes": findings.reference.notes,
            "reasons": [
                (findings.names[k], why)
                for k, why in findings.drift.models.items()
                if isinstance(why, str)
            ],
            "models": [_model(k, findings.names[k], one) for k, one in found.items()],
            "corrected": any("miscalibration" in one.findings for one in found.values()),
            "level": None if first is None else level_words(1 - first.alpha),
            "resampled": first is not None and first.method == "bootstrap",
            "cluster": None if cluster is None else shown(cluster),
            "cut": any(len(s.walk) > MOST_STEPS for one in found.values() for s in one.splits),
            "most": MOST_STEPS,
        },
        {"description": "sensibility and capability of both samples", "models": drawn},
    )


def verdict_words(one: Drift) -> str:
    """Say what has changed, in a few words."""
    return "nothing can be decided" if one.is_open else _VERDICTS[one.verdict]


def _chain(one: Drift, name: str) -> dict[str, Any]:
    """Return a number from the reference over the parts of its change to these data, to draw."""
    each = one.findings[name]
    parts = {part: getattr(each, part) for part in _PARTS}
    return {
        "name": statistic_of(name).title,
        "reference": each.reference,
        "current": each.current,
        "parts": [
            {
                "name": part,
                "value": known.value,
                "ends": [known.low, known.high]
                if math.isfinite(known.high - known.low) and not _is_settled(each, part)
                else None,
                "words": "—"
                if _is_settled(each, part)
                else unbroken(with_ends(known.value, known.low, known.high, signed)),
                "found": part == _TESTED[name] and one.causes.found(TESTS[name], one.alpha),
            }
            for part, known in parts.items()
            if known is not None
        ],
    }


def _is_settled(each: Finding, part: str) -> bool:
    """Whether a part is 0 by definition: the odds expect as many positives as are observed."""
    return each.name == "midpoint" and part == "model"


def _model(place: int, name: str, one: Drift) -> dict[str, Any]:
    """Return the conclusion, the tiles and the rows of a model."""
    tiles = []
    for each in (one.findings[deciding] for deciding in DECIDING):
        test = one.tests[TESTS[each.name]]
        p_value = p_words(test.adjusted_p_value)
        tiles.append(
            {
                "words": each.words[:1].upper() + each.words[1:],
                "value": rate(each.current, 3),
                "hints": [f"was {rate(each.reference, 3)}", f"{test.name}: {p_value}"],
                "moved": one.causes.found(test.name, one.alpha),
            }
        )
    odds = one.odds
    tiles.append(
        {
            "words": "Odds factor θ",
            "value": rate(odds.value, 2),
            "hints": [unbroken(f"{rate(odds.low, 2)} to {rate(odds.high, 2)}"), "1: as before"],
            "moved": one.verdict == "prevalence",
        }
    )
    deciding = [_row(each, one) for each in one.findings.values() if each.decides]
    return {
        "place": place,
        "name": name,
        "look": "moved" if one.drifted else "seen" if one.changed or one.is_open else "",
        "undrawn": None if one.splits else _UNDRAWN[bool(one.left_out)],
        "chained": one.few is None,
        "verdict": verdict_words(one),
        "conclusion": one.conclusion,
        "advice": one.advice,
        "notes": one.notes,
        "suitable": _SUITABLE[one.suitable] if any(row["size"] for row in deciding) else None,
        "tiles": tiles,
        "deciding": deciding,
        "rows": [_row(each, one) for each in one.findings.values() if not each.decides],
    }


def _row(each: Finding, one: Drift) -> dict[str, Any]:
    """Return a number in both samples; numbers of nearly the same name are told apart."""
    words = each.words if each.at is None else f"{each.words}, at {rate(each.at, 3)}"
    if each.name == "miscalibration":
        words = f"{each.words}, corrected for optimism"
    both = [rate(each.reference), rate(each.current)]
    if not each.decides:
        change = unbroken(with_ends(each.difference, each.low, each.high, signed))
        p_value = "—" if math.isnan(each.p_value) else unbroken(p_text(each.p_value))
        return {"words": words, "moved": False, "cells": [*both, change, p_value], "size": None}
    test = one.tests[TESTS[each.name]]
    cells = [(number, "") for number in both]
    cells.append(value_and_ends(each.difference, each.low, each.high, signed))
    for part in _PARTS:
        known = getattr(each, part)
        if known is None or _is_settled(each, part):
            cells.append(("—", ""))
        else:
            cells.append(value_and_ends(known.value, known.low, known.high, signed))
    cells += [(p_text(p), "") for p in (test.adjusted_p_value, each.adjusted_p_value)]
    return {
        "words": words,
        "moved": one.causes.found(test.name, one.alpha),
        "cells": [(unbroken(value), unbroken(ends)) for value, ends in cells],
        "size": None
        if test.margin is None
        else f"{_SIZES[test.equivalent]} {_margin(test.name, test.margin)}",
    }


def _margin(name: str, margin: float) -> str:
    """Write a margin in the unit of its test."""
    if name == "ranking":
        return f"± {rate(margin, 3)}"
    size = math.expm1(margin) if name == "level" else margin
    return unbroken(f"± {100 * size:.3g} %")
