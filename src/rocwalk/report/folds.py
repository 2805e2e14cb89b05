"""The section on folds: the averaged curve of each model, and the areas of the folds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rocwalk.curves.area import AUC, area
from rocwalk.curves.averages import average
from rocwalk.curves.bands import fold_band, sides
from rocwalk.curves.roc import Curve
from rocwalk.inference.fold_means import fold_mean
from rocwalk.report.document import Content
from rocwalk.report.embedded import ribbon
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import between, few_digits, level_words, rate, shown
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, walk_of

_GRID = np.linspace(0, 1, 101)
_MOST_SAID = 10


def folds_section(findings: Findings) -> Content | None:
    """The averaged curve of each model over the folds, and the areas of the folds."""
    parts = findings.study.folds
    if parts is None:
        return None
    by_model: dict[Any, list[tuple[str, Tally]]] = {}
    keys: dict[str, Any] = {}
    for (name, fold), tally in parts.items():
        written = ", ".join(map(shown, fold))
        keys[written] = fold
        by_model.setdefault(name, []).append((written, tally))
    rows, curves, listed, left_out = [], [], [], 0
    methods: set[str] = set()
    for column, folds in by_model.items():
        name = shown(column)
        walks = {
            fold: walk_of(tally)
            for fold, tally in folds
            if tally.total_up > 0 and tally.total_right > 0
        }
        areas = {fold: area(walk) for fold, walk in walks.items()}
        numbers = ["undefined"] * 5
        if areas:
            values = np.array(list(areas.values()))
            ends = "undefined"
            if len(areas) > 1:
                tallies = [tally for fold, tally in folds if fold in areas]
                units = findings.study.clusters_of(column, [keys[fold] for fold in areas])
                found = fold_mean(name, AUC, tallies, findings.level, clusters=units)
                methods.add(found.method)
                ends = between(rate(found.low), rate(found.high))
            deviation = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
            spread = (deviation, float(values.min()), float(values.max()))
            numbers = [rate(float(values.mean())), ends, *map(rate, spread)]
        rows.append([name, len(walks), *numbers])
        listed += [(name, fold, rate(areas.get(fold, np.nan))) for fold, _ in folds]
        left_out += len(folds) - len(walks)
        curve = _mean_curve(list(walks.values()), findings.level)
        curves.append({"name": name, "auc": numbers[0], **curve})
    pairs = []
    if findings.cross_validation is not None:
        ordered = sorted(
            findings.cross_validation.pairs, key=lambda one: (np.isnan(one.p_value), one.p_value)
        )
        for one in ordered[:_MOST_SAID]:
            named = replace(one, a=findings.names[one.a], b=findings.names[one.b])
            pairs.append(named.sentence)
    return Content(
        {
            "level": level_words(findings.level),
            "fold": shown(findings.study.question.fold),
            "rows": rows,
            "areas": listed,
            "left_out": left_out,
            "parted": findings.parted,
            "by_spread": "nadeau-bengio" in methods,
            "by_clusters": any(method.startswith("jackknife") for method in methods),
            "pairs": pairs,
        },
        {"description": "Averaged ROC curves", "models": curves},
    )


def _mean_curve(walks: list[Walk], level: float) -> dict[str, Any]:
    """Return the averaged curve, the interval of the mean at its rates, and a ribbon of it."""
    if not walks:
        return {"rows": [], "fpr": [], "tpr": [], "ribbon": None}
    mean = average([Curve(walk) for walk in walks], grid=_GRID)
    ends, drawn = np.full((2, len(mean.fpr)), np.nan), None
    if len(walks) > 1:
        band = fold_band(mean, level)
        edges = (band.lower, band.upper)
        ends = np.stack([sides(edge.fpr, edge.tpr, mean.fpr)[1] for edge in edges])
        drawn = ribbon(band.lower.walk, band.upper.walk)
    columns = (mean.fpr, mean.tpr, *ends, mean.tpr_spread)
    return {
        "fpr": few_digits(mean.fpr),
        "tpr": few_digits(mean.tpr),
        "rows": [few_digits(row) for row in np.column_stack(columns)[1:]],
        "ribbon": drawn,
    }
