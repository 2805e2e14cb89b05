"""The sections on parts of the data: folds, subgroups, classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.curves.area import area
from rocwalk.curves.averages import average
from rocwalk.curves.bands import fold_band, mean_interval, sides
from rocwalk.curves.hull import thinned
from rocwalk.curves.roc import Curve
from rocwalk.evaluate.summary import Ends, Summary, interval_numbers, summary
from rocwalk.inference.items import Evidence
from rocwalk.report.evidence import Content, Material, ribbon, shown
from rocwalk.report.numbers import between, few_digits, level_words, rate
from rocwalk.report.overview import cells, headers
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, walk_of
from rocwalk.typing import FloatArray

_POINTS = 400  # of curves that are only looked at


_MOST_CURVES = 12


_MOST_GROUPS = 60


_FOLD_GRID = np.linspace(0, 1, 101)


# -- folds ---------------------------------------------------------------------------------------


def average_folds(material: Material) -> Content | None:
    """The averaged curve of each model over the folds, and the areas of the folds."""
    parts = material.study.folds
    if parts is None:
        return None
    by_model: dict[Any, list[tuple[str, Tally]]] = {}
    for (name, fold), tally in parts.items():
        by_model.setdefault(name, []).append((", ".join(map(shown, fold)), tally))
    models = [_folds_of(shown(name), folds, material.level) for name, folds in by_model.items()]
    return Content(
        {
            "level": level_words(material.level),
            "fold": shown(material.study.question.fold),
            "rows": [one["row"] for one in models],
            "areas": [(one["name"], fold, a) for one in models for fold, a in one["areas"]],
            "left_out": sum(one["left_out"] for one in models),
        },
        {"description": "Averaged ROC curves", "models": [one["curve"] for one in models]},
    )


def _folds_of(name: str, folds: list[tuple[str, Tally]], level: float) -> dict[str, Any]:
    walks = {fold: walk_of(tally) for fold, tally in folds if _has_both_classes(tally)}
    areas = {fold: area(walk) for fold, walk in walks.items()}
    spread = _spread(np.array(list(areas.values())), level)
    return {
        "name": name,
        "row": [name, len(walks), *spread],
        "areas": [(fold, rate(areas.get(fold, np.nan))) for fold, _ in folds],
        "left_out": len(folds) - len(walks),
        "curve": {"name": name, "auc": spread[0], **_mean_curve(list(walks.values()), level)},
    }


def _has_both_classes(tally: Tally) -> bool:
    return tally.total_up > 0 and tally.total_right > 0


def _spread(areas: FloatArray, level: float) -> list[str]:
    """Return the mean, its interval, the standard deviation and the range, in words."""
    if not len(areas):
        return ["undefined"] * 5
    low, high = mean_interval(areas, level)
    ends = "undefined" if np.isnan(low) else between(rate(low), rate(high))
    deviation = float(np.std(areas, ddof=1)) if len(areas) > 1 else float("nan")
    lowest, highest = float(areas.min()), float(areas.max())
    return [rate(float(areas.mean())), ends, *map(rate, (deviation, lowest, highest))]


def _mean_curve(walks: list[Walk], level: float) -> dict[str, Any]:
    """Return the averaged curve, the interval of the mean at its rates, and a ribbon of it."""
    if not walks:
        return {"rows": [], "fpr": [], "tpr": [], "ribbon": None}
    mean = average([Curve(walk) for walk in walks], grid=_FOLD_GRID)
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


# -- subgroups -----------------------------------------------------------------------------------


def split_groups(material: Material) -> Content | None:
    """The curves of the subgroups, and the subgroups in numbers."""
    parts = material.study.subgroups
    if parts is None:
        return None
    by_model: dict[Any, list[tuple[str, Tally]]] = {}
    for (name, group), tally in parts.items():
        by_model.setdefault(name, []).append((", ".join(map(shown, group)), tally))
    most = max(map(len, by_model.values()))
    models = [(shown(name), _largest(groups)) for name, groups in by_model.items()]
    return Content(
        {
            "by": ", ".join(f"“{shown(name)}”" for name in parts.by),
            "names": [name for name, _ in models],
            "headers": headers(),
            "rows": [
                {"model": name, "group": group, "cells": cells(one, _ends(material, tally, one))}
                for name, groups in models
                for group, tally, one in groups
            ],
            "cut": _cut(most),
        },
        {
            "description": "ROC curves of the subgroups",
            "models": [{"name": name, "curves": _group_curves(groups)} for name, groups in models],
        },
    )


def _ends(material: Material, tally: Tally, one: Summary) -> Ends:
    """Return the ends of a subgroup's intervals; where there are clusters it has none."""
    if material.study.question.cluster is not None:
        return interval_numbers({})
    return material.ends(Evidence(tally), one)


def _largest(groups: list[tuple[str, Tally]]) -> list[tuple[str, Tally, Summary]]:
    """Return the largest groups, in the order in which they came."""
    by_size = sorted(range(len(groups)), key=lambda i: -groups[i][1].total_count)
    kept = sorted(by_size[:_MOST_GROUPS])
    return [(*groups[i], summary(groups[i][1])) for i in kept]


def _group_curves(groups: list[tuple[str, Tally, Summary]]) -> list[dict[str, Any]]:
    whole = [each for each in groups if each[2].choice is not None]
    return [
        {"name": group, "auc": rate(one.auc), **_drawn(walk_of(tally))}
        for group, tally, one in whole[:_MOST_CURVES]
    ]


def _cut(most: int) -> str | None:
    if most <= _MOST_CURVES:
        return None
    listed = f" and the {_MOST_GROUPS} largest are listed" if most > _MOST_GROUPS else ""
    return f"Of {most:,} subgroups the first {_MOST_CURVES} with both classes are drawn{listed}."


# -- classes -------------------------------------------------------------------------------------


def oppose_classes(material: Material) -> Content | None:
    """Each class against the rest, and the classes in pairs."""
    areas = material.classes
    if areas is None:
        return None
    curves = [
        {"name": shown(label), "auc": rate(areas.areas[label]), **_drawn(walk)}
        for label, walk in areas.walks.items()
        if not np.isnan(areas.areas[label])
    ]
    return Content(
        {
            "classes": [
                (shown(label), rate(areas.prevalence[label]), rate(areas.areas[label]))
                for label in areas.labels
            ],
            "pairs": [(shown(i), shown(j), rate(x)) for (i, j), x in areas.pairwise.items()],
        },
        {"description": "ROC curve of each class against the rest", "curves": curves},
    )


def _drawn(walk: Walk) -> dict[str, list[float]]:
    few, _ = thinned(walk, _POINTS)
    return {"fpr": few_digits(few.fpr), "tpr": few_digits(few.tpr)}
