"""The section on raters one by one: each against the rest, and Dawid and Skene's model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import (
    level_words,
    rate,
    shown,
    signed,
    unbroken,
    with_ends,
)
from rocwalk.report.rater_findings import noted

if TYPE_CHECKING:
    from rocwalk.truth.rater_models import RaterModel
    from rocwalk.truth.rater_table import RaterEffect, RaterTable

MOST_DRAWN = 40  # raters in a chart of one line each
_MOST_MODELS = 3  # with a chart of what each rater changes


def raters_section(findings: Findings) -> Content | None:
    """Each rater against the others, what leaving one out does, and a model of their skill."""
    if findings.raters.table is None:
        return None
    table, notes = findings.raters.table
    is_graded = bool(np.isnan(table.sensitivity).all() and np.isnan(table.specificity).all())
    few = len(table.raters) <= MOST_DRAWN
    effects = table.effects[:_MOST_MODELS] if few else ()
    return Content(
        {
            "sentence": table.sentence.replace(" %", "\N{NO-BREAK SPACE}%"),
            "notes": notes,
            "level": level_words(findings.level),
            "is_graded": is_graded,
            "models": [shown(effect.model) for effect in table.effects],
            "drawn_models": [shown(effect.model) for effect in effects],
            "rows": [_row(table, k) for k in range(len(table.raters))],
            "model": _model(findings),
        },
        {
            "points": None if is_graded else _points(table),
            "kappas": _kappas(table) if is_graded and few else None,
            "effects": [_effect(effect) for effect in effects],
        },
    )


def _row(table: RaterTable, k: int) -> list[str]:
    """Return the cells of a rater."""
    cells = [shown(table.raters[k]), f"{table.votes[k]:,}", f"{table.items[k]:,}"]
    for name in ("sensitivity", "specificity", "kappa"):
        low, high = getattr(table, f"{name}_interval")[k]
        words = with_ends(float(getattr(table, name)[k]), float(low), float(high))
        cells.append(unbroken(words))
    for effect in table.effects:
        value, change = float(effect.without[k]), float(effect.change[k])
        cells.append(unbroken(f"{rate(value)} ({signed(change, 3)})"))
    return cells


def _points(table: RaterTable) -> dict[str, Any]:
    """Return each rater as a point in ROC space with both intervals."""
    points = []
    for k, name in enumerate(table.raters):
        values = (table.sensitivity[k], table.specificity[k])
        if np.isnan(values).any():
            continue
        points.append(
            {
                "name": shown(name),
                "tpr": float(table.sensitivity[k]),
                "fpr": float(1 - table.specificity[k]),
                "up": table.sensitivity_interval[k].tolist(),
                "along": (1 - table.specificity_interval[k]).tolist(),
                "votes": int(table.votes[k]),
            }
        )
    return {"description": "Raters, each against the rest, in ROC space", "points": points}


def _kappas(table: RaterTable) -> dict[str, Any]:
    rows = [
        _line(name, float(table.kappa[k]), *map(float, table.kappa_interval[k]), write=rate)
        for k, name in enumerate(table.raters)
    ]
    return {
        "description": "Schouten’s kappa of each rater with the rest",
        "axis": "Schouten’s kappa with the rest",
        "none": 0.0,
        "rows": [row for row in rows if not math.isnan(row["value"])],
    }


def _effect(effect: RaterEffect) -> dict[str, Any]:
    rows = [
        _line(name, float(effect.change[k]), *map(float, effect.change_interval[k]), write=signed)
        for k, name in enumerate(effect.raters)
    ]
    model = shown(effect.model)
    return {
        "description": f"Change of the AUC_PRT of {model} without each rater",
        "axis": "Change of AUC_PRT without the rater",
        "none": 0.0,
        "signed": True,
        "rows": [row for row in rows if not math.isnan(row["value"] + row["low"])],
    }


def _line(name: Any, value: float, low: float, high: float, *, write: Any) -> dict[str, Any]:
    """Return a line of a chart of intervals; it stands out where the interval excludes 0."""
    return {
        "name": shown(name),
        "value": value,
        "low": low,
        "high": high,
        "apart": bool(low > 0 or high < 0),
        "numbers": with_ends(value, low, high, write),
    }


def _model(findings: Findings) -> dict[str, Any] | None:
    """Return Dawid and Skene's model in words; None for ratings without a cut."""
    if findings.raters.model is None:
        return None
    model, doubts = findings.raters.model
    columns = (model.raters, model.votes, model.sensitivity, model.specificity)
    return {
        "doubts": doubts,
        "sentence": model.sentence,
        "estimate": model.estimate_words,
        "raters": [
            [shown(name), f"{count:,}", rate(sensitivity), rate(specificity)]
            for name, count, sensitivity, specificity in zip(*columns, strict=True)
        ],
        "areas": _areas(findings, model),
    }


def _areas(findings: Findings, model: RaterModel) -> list[list[str]] | None:
    """Return each model's AUC against the mean of the votes and against Dawid and Skene's truth.

    None if the rows that all models use cannot be found again among the items.
    """
    held, paired = findings.raters.held_items, findings.study.paired
    if held is None or paired is None:
        return None
    truth = np.clip(model.truth, 0.0, 1.0)[held]
    rows = []
    for name, sample in zip(findings.names, paired.samples.values(), strict=True):
        row = [name]
        for each in (paired.truth.astype(np.float64), truth):
            soft = replace(sample, truth=each, is_hard=False)
            row.append(rate(noted(lambda: soft.tally().area)[0]))  # noqa: B023
        rows.append(row)
    return rows
