"""The walk, step by step: for small data, so that each item can be seen to move the curve."""

from __future__ import annotations

from typing import Any

from rocwalk.report.evidence import Content, Material
from rocwalk.tally.tally import Tally

_MOST_STEPS = 40


def step_through(material: Material) -> Content | None:
    """The steps of each model, if there are few."""
    if not material.models or any(len(tally) > _MOST_STEPS for tally in material.tallies):
        return None
    return Content(
        {"names": material.names},
        {
            "description": "The walk up to the present step",
            "models": [_steps(tally) for tally in material.tallies],
        },
    )


def _steps(tally: Tally) -> list[dict[str, Any]]:
    columns = (tally.count, tally.up, tally.right)
    return [
        {
            "items": items,
            "up": _mass(up),
            "right": _mass(right),
            "words": _words(items, up, right, tally),
        }
        for items, up, right in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _words(items: int, up: float, right: float, tally: Tally) -> str:
    who = "one item steps" if items == 1 else f"{items:,} items of one score step together:"
    ways = []
    if up:
        ways.append(f"up by {_mass(up)} of {_mass(tally.total_up)}")
    if right:
        ways.append(f"right by {_mass(right)} of {_mass(tally.total_right)}")
    return f"{who} {' and '.join(ways)}."


def _mass(mass: float) -> str:
    return f"{mass:,}" if isinstance(mass, int) else f"{mass:.6g}"
