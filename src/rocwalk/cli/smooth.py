"""Smooth curves on the terminal: the areas of models of the scores, with `rocwalk score`."""

from __future__ import annotations

from collections.abc import Sequence

from rocwalk.cli.output import Row
from rocwalk.cli.terminal import print_folded, print_table
from rocwalk.curves.smooth import SmoothCurve
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import with_ends

_HEADERS = {
    "model": "Model",
    "method": "Smooth curve",
    "written": "Area (interval)",
    "parameters": "Parameters",
}


def smooth_rows(findings: Findings) -> list[Row]:
    """Return area, interval and parameters of each model's smooth curves, or why there is none."""
    rows: list[Row] = []
    for method in dict.fromkeys(findings.smooth_methods):
        for name, one in zip(findings.names, findings.smooth(method), strict=True):
            row: Row = {"model": name, "method": method}
            if isinstance(one, SmoothCurve):
                row |= {"area": one.area, "low": one.interval[0], "high": one.interval[1]}
                row |= {"standard_error": one.standard_error, "parameters": dict(one.parameters)}
            else:
                row |= {"why_not": one}
            rows.append(row)
    return rows


def print_smooth(rows: Sequence[Row], *, quiet: bool) -> None:
    """Print the areas of smooth curves, and what they are."""
    written = [
        {
            "model": row["model"],
            "method": row["method"],
            "written": with_ends(row["area"], row["low"], row["high"]),
            "parameters": ", ".join(
                f"{name.replace('_', ' ')} {value:.4g}" for name, value in row["parameters"].items()
            ),
        }
        for row in rows
        if "area" in row
    ]
    if written:
        print_table("Smooth curves", _HEADERS, written)
    if quiet:
        return
    for row in rows:
        if "why_not" in row:
            print_folded(f"{row['model']} has no {row['method']} curve: {row['why_not']}")
    if written:
        print_folded(
            "A smooth curve is a model of the scores; its area and interval hold if the model does."
        )
