"""The section on the distributions of the scores in the two classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.tally.tally import Tally

_BINS = 40


def distributions_section(findings: Findings) -> Content | None:
    """The scores of the two classes, in equal bins."""
    if not findings.models:
        return None
    models = [_histogram(tally) for tally in findings.tallies]
    far = [n for n, one in zip(findings.names, models, strict=True) if one is None]
    return Content({"far": far}, {"description": "share of each class by score", "models": models})


def _histogram(tally: Tally) -> dict[str, list[float]] | None:
    """Return the shares of each class in bins; None if the scores lie too far apart to draw."""
    low, high = float(tally.scores[-1]), float(tally.highest[0])
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif low == high:
        pad = max(1.0, abs(low) / 100)
        low, high = low - pad, high + pad
    if not math.isfinite(high - low):
        return None
    edges = np.linspace(low, high, _BINS + 1)
    columns: dict[str, Any] = {"up": tally.up, "right": tally.right}
    shares = {
        name: np.histogram(tally.scores, edges, weights=mass / mass.sum())[0].tolist()
        for name, mass in columns.items()
    }
    return {"edges": edges.tolist(), **shares}
