"""The section on subgroups: their curves and numbers."""

from __future__ import annotations

from typing import Any

from rocwalk.curves.area import AUC
from rocwalk.inference.group_tests import GroupTest
from rocwalk.inference.subgroups import Subgroups
from rocwalk.read.tallies import Key
from rocwalk.report.document import Content
from rocwalk.report.embedded import drawn_walk
from rocwalk.report.findings import Findings
from rocwalk.report.group_findings import MOST_GROUPS
from rocwalk.report.numbers import (
    decimals_of,
    few_digits,
    p_text,
    p_words,
    rate,
    shown,
    signed,
    unbroken,
    with_ends,
)
from rocwalk.report.summary import cells, headers, shown_columns
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import walk_of

_MOST_CURVES = 12
_MOST_POINTS = 8_000  # of all curves together that the page carries whole


def groups_section(findings: Findings) -> Content | None:
    """The curves of the subgroups, and the subgroups in numbers; of very many the largest."""
    parts = findings.study.subgroups
    if parts is None:
        return None
    by_model: dict[Any, list[Key]] = {}
    for key in parts:
        by_model.setdefault(key[0], []).append(key)
    whole = sum(len(parts[key]) for key in parts) <= _MOST_POINTS
    rows, places = [], [model for model, _ in findings.study.models or ()]
    models: list[dict[str, Any]] = []
    for name, keys in by_model.items():
        by_size = sorted(range(len(keys)), key=lambda i, keys=keys: -parts[keys[i]].total_count)  # type: ignore[misc]
        curves: list[dict[str, Any]] = []
        for key in (keys[i] for i in sorted(by_size[:MOST_GROUPS])):
            group, one = ", ".join(map(shown, key[1])), findings.groups.numbers(key)
            rows.append(
                {"model": shown(name), "group": group, "cells": cells(one.summary, one.ends)}
            )
            if one.summary.choice is not None and len(curves) < _MOST_CURVES:
                area = rate(one.summary.auc)
                curves.append({"name": group, "auc": area, **_curve(one.tally, whole=whole)})
        models.append({"name": shown(name), "place": places.index(name), "curves": curves})
    most = max(map(len, by_model.values()))
    cut = None
    if most > _MOST_CURVES:
        listed = f" and the {MOST_GROUPS} largest are listed" if most > MOST_GROUPS else ""
        cut = f"Of {most:,} subgroups the first {_MOST_CURVES} with both classes are drawn{listed}."
    titles = headers(findings.rule)
    left = shown_columns(titles, rows)
    return Content(
        {
            "by": ", ".join(f"“{shown(name)}”" for name in parts.by),
            "names": [model["name"] for model in models],
            "headers": [titles[i] for i in left],
            "rows": [row | {"cells": [row["cells"][i] for i in left]} for row in rows],
            "tests": [
                group_words(shown(name), one, findings.level)
                for name, one in findings.groups.tests.items()
            ],
            "gaps": [_gap(shown(name), one) for name, one in findings.groups.gaps.items()],
            "areas": [
                row
                for name, one in findings.groups.gaps.items()
                for row in _areas(shown(name), one)
            ],
            "cut": cut,
            "near": any(not one["exact"] for model in models for one in model["curves"]),
        },
        {"description": "ROC curves of the subgroups", "models": models},
    )


def group_words(name: str, found: GroupTest | None, level: float) -> str:
    """Say whether the AUC of a model differs between the subgroups."""
    if found is None:
        return (
            f"{name}: there is no test between the subgroups, too few have items of both classes."
        )
    words = f"{name}: {AUC.title} differs between the subgroups"
    if found.adjusted_p_value >= 1 - level:
        words = f"{name}: no difference in {AUC.title} between the subgroups is shown"
    left = (
        f" {found.left_out} with too few items of a class are left out." if found.left_out else ""
    )
    number = f"χ² {found.chi_squared:.2f}, df = {found.df}"
    chance = p_words(found.adjusted_p_value)
    if found.comparisons > 1:
        chance = f"adjusted {chance}, Holm, {found.comparisons} models"
    return f"{words} ({number}, {chance}).{left}"


def _gap(name: str, found: Subgroups) -> str:
    """Say how far apart the subgroups with the largest and the smallest AUC are."""
    gap = found.gap
    words = (
        f"{name}: the largest {AUC.title} is that of {gap.largest}, the smallest that of "
        f"{gap.smallest}; the gap is {unbroken(with_ends(gap.estimate, gap.low, gap.high))}"
    )
    return f"{words}." if gap.low > 0 else f"{words}, which does not show that there is one."


def _areas(name: str, found: Subgroups) -> list[dict[str, Any]]:
    """Return the AUC of each subgroup against the rest, and those against the background."""
    rows = []
    for k, group in enumerate(found.names):
        apart = found.against_rest[k]
        cells = [with_ends(apart.difference, apart.low, apart.high, signed)]
        cells.append(p_text(apart.adjusted_p_value))
        for area in ("bpsn", "bnsp"):
            one = getattr((found.background or ())[k], area)
            cells.append(with_ends(one.estimate, one.low, one.high))
        rows.append({"model": name, "group": group, "cells": cells})
    return rows


def _curve(tally: Tally, *, whole: bool) -> dict[str, Any]:
    """Return a curve with its thresholds and masses, so that the page can apply any rule to it.

    `exact` says whether every point is there; else a threshold between two points is between rates.
    """
    walk = walk_of(tally)
    few = walk if whole else drawn_walk(walk)
    return {
        "fpr": few_digits(few.fpr),
        "tpr": few_digits(few.tpr),
        "thresholds": few.thresholds[1:].tolist(),
        "exact": len(few) == len(walk),
        "U": tally.total_up,
        "R": tally.total_right,
        "decimals": decimals_of(tally.total_up + tally.total_right),
    }
