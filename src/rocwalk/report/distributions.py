"""The section on the distributions of the scores in the two classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import percent
from rocwalk.tally.tally import Tally

_BINS = 40


def distributions_section(findings: Findings) -> Content | None:
    """The shares of each class in equal bins of the score; none if scores lie too far apart."""
    if not findings.models:
        return None
    far: list[str] = []
    outside: list[tuple[str, str]] = []
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
        beyond = 0.0
        if (low, high) != (0.0, 1.0):  # probabilities have the whole range
            low, high, beyond = _robust(tally, low, high)
        if beyond:
            outside.append((name, percent(beyond)))
        edges = np.linspace(low, high, _BINS + 1)
        columns: dict[str, Any] = {"up": tally.up, "right": tally.right}
        shares = {
            side: np.histogram(np.clip(tally.scores, low, high), edges, weights=mass / mass.sum())[
                0
            ].tolist()
            for side, mass in columns.items()
        }
        models.append({"edges": edges.tolist(), **shares})
    return Content(
        {"far": far, "outside": outside},
        {"description": "share of each class by score", "models": models},
    )


_TAIL = 0.005  # of the items on either side that may lie beyond the bins
_WIDE = 3.0  # times as wide as the bulk: then a few scores would squeeze all others into one bin


def _robust(tally: Tally, low: float, high: float) -> tuple[float, float, float]:
    """Return the range of the bins and the share of items beyond it, which the outer bins hold.

    It is that of all scores, unless a few of them make it much wider than that of the bulk.
    """
    mass = (tally.up + tally.right).astype(np.float64)[::-1]
    below = np.cumsum(mass) / mass.sum()
    scores = tally.scores[::-1]
    first, last = (float(scores[np.searchsorted(below, p)]) for p in (_TAIL, 1 - _TAIL))
    if not (last > first and high - low > _WIDE * (last - first)):
        return low, high, 0.0
    pad = 0.05 * (last - first)
    low, high = max(low, first - pad), min(high, last + pad)
    outside = (scores < low) | (scores > high)
    return low, high, float(mass[outside].sum() / mass.sum())
