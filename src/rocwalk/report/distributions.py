"""The section on the distributions of the scores in the two classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings

_BINS = 40


def distributions_section(findings: Findings) -> Content | None:
    """The shares of each class in equal bins of the score; none if scores lie too far apart."""
    if not findings.models:
        return None
    far: list[str] = []
    models: list[dict[str, Any] | None] = []
    for name, tally in zip(findings.names, findings.tallies, strict=True):
        low, high = float(tally.scores[-1]), float(tally.highest[0])
        if low >= 0 and high <= 1:
            low, high = 0.0, 1.0
        elif low == high:
            pad = max(1.0, abs(low) / 100)
            low, high = low - pad, high + pad
        if not math.isfinite(high - low):
            far.append(name)
            models.append(None)
            continue
        edges = np.linspace(low, high, _BINS + 1)
        columns: dict[str, Any] = {"up": tally.up, "right": tally.right}
        shares = {
            side: np.histogram(tally.scores, edges, weights=mass / mass.sum())[0].tolist()
            for side, mass in columns.items()
        }
        models.append({"edges": edges.tolist(), **shares})
    return Content({"far": far}, {"description": "share of each class by score", "models": models})
