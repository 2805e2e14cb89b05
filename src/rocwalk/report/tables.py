"""The tables of a report as CSV, with all digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.curves.best_threshold import BestThreshold
from rocwalk.curves.calibration import calibration_of
from rocwalk.drift.drift import Drift, finding_row
from rocwalk.drift.timeline import DriftTimeline
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import shown
from rocwalk.report.verdict.verdict import verdict
from rocwalk.result import Result, csv_text

Rows = list[dict[str, Any]]
_NO_CELLS = ("kind", "schema_version", "matched_widths")


def table_files(findings: Findings) -> dict[str, str]:
    """Return every table as CSV, by the names of files; those without rows are left out."""
    tables = {
        "verdict": [
            {"question": one.question, "claim": one.name, "sentence": one.words}
            for one in verdict(findings)
        ],
        "models": _models(findings),
        "roc": _points(findings),
        "comparisons": _comparisons(findings),
        "calibration": _blocks(findings),
        "subgroups": _subgroups(findings),
        "classes": _classes(findings),
        "drift": _drift(findings),
        "over-time": _windows(findings),
    }
    return {f"{name}.csv": csv_text(rows) for name, rows in tables.items() if rows}


def number_rows(findings: Findings) -> Rows:
    """Return the numbers of each model with the ends of their intervals; or those of classes."""
    if findings.classes is not None:
        found = findings.classes
        return [
            {"class": shown(one), "prevalence": found.prevalence[one], "auc": found.areas[one]}
            for one in found.labels
        ]
    named = zip(findings.names, findings.numbers, strict=True)
    return [{"model": name} | _plain(one.summary) | one.ends for name, one in named]


def _models(findings: Findings) -> Rows:
    if findings.classes is not None:
        return []
    rows = []
    for k, row in enumerate(number_rows(findings)):
        chosen = findings.chosen[k]
        if isinstance(chosen, BestThreshold):
            own = _plain(chosen)
            row |= {f"new_data_{key}": own[key] for key in own if key != "threshold"}
        if k in findings.promises:
            promise = findings.promises[k]
            ends = zip(("", "_low", "_high"), promise.observed, strict=True)
            row |= {f"observed_over_expected{end}": value for end, value in ends}
            if promise.recalibration is not None:
                own = _plain(promise.recalibration)
                row |= {f"calibration_{key}": own[key] for key in own}
        rows.append(row)
    return rows


def _plain(result: Result) -> dict[str, Any]:
    """Return the scalars of a result."""
    found = result.to_dict()
    return {
        name: value
        for name, value in found.items()
        if name not in _NO_CELLS and not isinstance(value, list | tuple | dict)
    }


def _points(findings: Findings) -> Rows:
    """Return the points of the curves as the page carries them."""
    rows = []
    for name, one in zip(findings.names, findings.models, strict=True):
        columns = (one.walk.thresholds, one.walk.fpr, one.walk.tpr)
        for at, fpr, tpr in zip(*(column.tolist() for column in columns), strict=True):
            rows.append({"model": name, "threshold": at, "fpr": fpr, "tpr": tpr})
    return rows


def _comparisons(findings: Findings) -> Rows:
    if isinstance(findings.comparisons, str):
        return []
    names = findings.names
    return [
        {
            "statistic": found.statistic,
            "model": names[pair.a],
            "other": names[pair.b],
            "difference": pair.difference,
            "low": pair.low,
            "high": pair.high,
            "p_value": pair.p_value,
            "adjusted_p_value": pair.adjusted_p_value,
            "method": pair.method,
        }
        for found in findings.comparisons
        for pair in found.pairs
    ]


def _blocks(findings: Findings) -> Rows:
    rows = []
    for k in findings.probabilities:
        if findings.tallies[k].is_bucketed:
            continue
        found = calibration_of(findings.tallies[k]).blocks
        columns = (found.lowest, found.highest, found.mean_score, found.value, found.share)
        for row in np.column_stack(columns).tolist():
            named = ("lowest_score", "highest_score", "mean_score", "share_of_positives", "share")
            rows.append({"model": findings.names[k]} | dict(zip(named, row, strict=True)))
    return rows


def _subgroups(findings: Findings) -> Rows:
    return [
        {"model": shown(key[0]), "group": ", ".join(map(shown, key[1]))}
        | _plain(findings.in_group(key).summary)
        | findings.in_group(key).ends
        for key in findings.study.subgroups or ()
    ]


def _classes(findings: Findings) -> Rows:
    if findings.classes is None:
        return []
    return [
        {"class": shown(one), "other": shown(other), "auc": area}
        for (one, other), area in findings.classes.pairwise.items()
    ]


def _drift(findings: Findings) -> Rows:
    return [
        {"model": findings.names[k], "verdict": one.verdict} | finding_row(each)
        for k, one in findings.drifts.items()
        if isinstance(one, Drift)
        for each in one.findings.values()
    ]


def _windows(findings: Findings) -> Rows:
    timelines = zip(findings.names, findings.timelines, strict=False)
    return [
        {"model": name}
        | {
            key: value if isinstance(value, int | float | None) else str(value)
            for key, value in window.to_row().items()
        }
        for name, line in timelines
        if isinstance(line, DriftTimeline)
        for window in line.windows
    ]
