"""The tables of a report as CSV, with all digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.curves.best_threshold import BestThreshold
from rocwalk.drift.drift import Drift, finding_row
from rocwalk.drift.timeline import DriftTimeline
from rocwalk.inference.comparisons import Comparison
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import shown
from rocwalk.report.verdict.verdict import verdict
from rocwalk.result import Result, csv_text

Rows = list[dict[str, Any]]
_NO_CELLS = ("kind", "schema_version", "matched_widths")


def table_files(findings: Findings) -> dict[str, str]:
    """Return every table as CSV, by the names of files; those without rows are left out."""
    pairs = {} if findings.classes is None else findings.classes.pairwise
    comparisons = () if isinstance(findings.comparisons, str) else findings.comparisons
    benefits = {} if isinstance(findings.benefits, str) else findings.benefits or {}
    tables: dict[str, Rows] = {
        "verdict": [
            {"question": one.question, "claim": one.name, "sentence": one.words}
            for one in verdict(findings)
        ],
        "models": _models(findings),
        "roc": [  # the points that the page carries
            {"model": name, "threshold": at, "fpr": fpr, "tpr": tpr}
            for name, one in zip(findings.names, findings.models, strict=True)
            for at, fpr, tpr in zip(
                *(each.tolist() for each in (one.walk.thresholds, one.walk.fpr, one.walk.tpr)),
                strict=True,
            )
        ],
        "comparisons": [row for one in comparisons for row in _pairs(one, findings.names)],
        "net-benefit-differences": [
            {"threshold": cut} | row
            for cut, one in benefits.items()
            for row in _pairs(one, findings.names)
        ],
        "calibration": _blocks(findings),
        "subgroups": [
            {"model": shown(key[0]), "group": ", ".join(map(shown, key[1]))}
            | _plain(findings.groups.numbers(key).summary)
            | findings.groups.numbers(key).ends
            for key in findings.study.subgroups or ()
        ],
        "classes": [
            {"class": shown(one), "other": shown(other), "auc": area}
            for (one, other), area in pairs.items()
        ],
        "drift": [
            {"model": findings.names[k], "verdict": one.verdict} | finding_row(each)
            for k, one in findings.drift.models.items()
            if isinstance(one, Drift)
            for each in one.findings.values()
        ],
        "over-time": [
            {"model": name}
            | {
                key: value if isinstance(value, int | float | None) else str(value)
                for key, value in window.to_row().items()
            }
            for name, line in zip(findings.names, findings.drift.timelines, strict=False)
            if isinstance(line, DriftTimeline)
            for window in line.windows
        ],
    }
    return {f"{name}.csv": csv_text(rows) for name, rows in tables.items() if rows}


def number_rows(findings: Findings) -> Rows:
    """Return the numbers of each model with the ends of their intervals; or those of classes."""
    if findings.classes is not None:
        found = findings.classes
        return [
            {"class": shown(one), "prevalence": found.prevalence[one], "auc": found.areas[one]}
            | dict(zip(("auc_low", "auc_high"), findings.class_ends[one], strict=True))
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


def _pairs(found: Comparison, names: list[str]) -> Rows:
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
        for pair in found.pairs
    ]


def _blocks(findings: Findings) -> Rows:
    rows = []
    for k in findings.probabilities:
        if findings.tallies[k].is_bucketed:
            continue
        found = findings.calibrations[k].blocks
        columns = (found.lowest, found.highest, found.mean_score, found.value, found.share)
        for row in np.column_stack(columns).tolist():
            named = ("lowest_score", "highest_score", "mean_score", "share_of_positives", "share")
            rows.append({"model": findings.names[k]} | dict(zip(named, row, strict=True)))
    return rows
