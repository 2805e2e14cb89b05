"""The walk, step by step: for small data, so that each item can be seen to move the curve."""

from __future__ import annotations

from typing import Any

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings

_MOST_STEPS = 40


def steps_section(findings: Findings) -> Content | None:
    """The steps of each model, if there are few."""
    if not findings.models or any(len(tally) > _MOST_STEPS for tally in findings.tallies):
        return None
    models = []
    for tally in findings.tallies:
        steps: list[dict[str, Any]] = []
        columns = (column.tolist() for column in (tally.count, tally.up, tally.right))
        for items, up, right in zip(*columns, strict=True):
            who = "one item steps" if items == 1 else f"{items:,} items of one score step together:"
            ways = []
            if up:
                ways.append(f"up by {_mass(up)} of {_mass(tally.total_up)}")
            if right:
                ways.append(f"right by {_mass(right)} of {_mass(tally.total_right)}")
            words = f"{who} {' and '.join(ways)}."
            steps.append({"items": items, "up": _mass(up), "right": _mass(right), "words": words})
        models.append(steps)
    return Content(
        {"names": findings.names},
        {"description": "The walk up to the present step", "models": models},
    )


def _mass(mass: float) -> str:
    return f"{mass:,}" if isinstance(mass, int) else f"{mass:.6g}"
