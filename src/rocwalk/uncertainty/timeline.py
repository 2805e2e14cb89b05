"""Drift over time: windows of dated rows, each against one reference (SPEC §8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import OneClassError
from rocwalk.result import Result, plain_value
from rocwalk.typing import AnyArray
from rocwalk.uncertainty.difference import holm
from rocwalk.uncertainty.drift import DECIDING, Drift, DriftQuestion, drift_of
from rocwalk.uncertainty.estimation import class_sizes
from rocwalk.uncertainty.evidence import Evidence, refuse_few
from rocwalk.walk.tally import Tally

FINE, DRIFT, UNDECIDABLE = "none", "drift", "undecidable"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WindowDrift(Result):
    """One window against the reference.

    `status` is "none", "drift" or "undecidable"; `adjusted_p_value` is the window's own p-value,
    the least of the three that decide, adjusted over all windows.
    """

    start: Any
    end: Any
    items: int
    status: str
    p_value: float
    adjusted_p_value: float
    drift: Drift | None
    reason: str | None = None

    @property
    def verdict(self) -> str:
        """What has drifted: "none", "ranking", "estimation", "both", or "undecidable"."""
        if self.drift is None:
            return UNDECIDABLE
        return self.drift.verdict if self.status == DRIFT else FINE

    def _headline(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "items": self.items,
            "status": self.status,
            "verdict": self.verdict,
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted_p_value,
            "reason": self.reason,
        }


@dataclass(frozen=True, eq=False, repr=False)
class DriftTimeline(Result):
    """Windows in their order, each against the reference; from `rocwalk.drift_over_time`."""

    windows: tuple[WindowDrift, ...]
    reference_items: int
    alpha: float
    adjustment: str

    @property
    def alarms(self) -> tuple[WindowDrift, ...]:
        """The windows that have drifted."""
        return tuple(one for one in self.windows if one.status == DRIFT)

    @property
    def drifted(self) -> bool:
        """Whether any window has."""
        return bool(self.alarms)

    @property
    def summary(self) -> str:
        """What was found, in words."""
        open_ = sum(one.status == UNDECIDABLE for one in self.windows)
        words = f"{len(self.alarms)} of {len(self.windows)} windows have drifted"
        if self.alarms:
            words += f", the first from {self.alarms[0].start}"
        words += f"; {open_} cannot be decided" if open_ else ""
        return f"{words} (α = {self.alpha:g} {self._control})."

    @property
    def _control(self) -> str:
        return {
            "holm": "over all windows together, by Holm",
            "bonferroni": "over all windows together, by Bonferroni",
            "none": "in each window by itself",
        }[self.adjustment]

    def plot(self, axes: Any = None, **options: Any) -> Any:
        """Draw AUC, midpoint and struggle ratio over the windows, alarms marked."""
        from rocwalk.draw.timeline import draw_timeline

        rows = [one for one in self.windows if one.drift is not None]
        found = {
            name: [one.drift.findings[name] for one in rows if one.drift is not None]
            for name in DECIDING
        }
        values = {
            name: np.array([(f.reference, f.current, f.low, f.high) for f in each])
            for name, each in found.items()
        }
        labels = [str(one.start) for one in rows]
        marked = np.array([one.status == DRIFT for one in rows], dtype=bool)
        moved = {
            name: marked & np.array([f.adjusted_p_value < self.alpha for f in each], dtype=bool)
            for name, each in found.items()
        }
        return draw_timeline(labels, values, marked, axes, moved=moved, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "windows": len(self.windows),
            "alarms": len(self.alarms),
            "undecidable": sum(one.status == UNDECIDABLE for one in self.windows),
            "alpha": self.alpha,
            "adjustment": self.adjustment,
            "reference_items": self.reference_items,
        }

    def _columns(self) -> dict[str, AnyArray]:
        rows = [one._headline() for one in self.windows]  # noqa: SLF001
        columns = {
            name: np.array([row[name] for row in rows])
            for name in ("items", "p_value", "adjusted_p_value")
        }
        texts = {
            name: np.array([str(plain_value(row[name])) for row in rows])
            for name in ("start", "end", "status", "verdict")
        }
        return {"start": texts["start"], "end": texts["end"], **columns} | {
            name: texts[name] for name in ("status", "verdict")
        }


@dataclass(frozen=True, slots=True)
class Window:
    """The rows of one window as a tally, and what they span."""

    start: Any
    end: Any
    tally: Tally


def timeline_of(
    reference: Evidence,
    windows: Sequence[Window],
    question: DriftQuestion,
    *,
    minimum: int,
    adjustment: str,
) -> DriftTimeline:
    """Return every window against the reference, with false alarms controlled over all of them."""
    looked = [_look(reference, window, question, minimum) for window in windows]
    decided = [k for k, one in enumerate(looked) if one.drift is not None]
    adjusted = _adjusted([looked[k].p_value for k in decided], adjustment)
    for k, p_value in zip(decided, adjusted, strict=True):
        status = DRIFT if p_value < question.alpha else FINE
        looked[k] = replace(looked[k], adjusted_p_value=p_value, status=status)
    items = reference.tally.total_count
    return DriftTimeline(tuple(looked), items, question.alpha, adjustment)


def _adjusted(p_values: Sequence[float], adjustment: str) -> list[float]:
    if adjustment == "holm":
        return holm(p_values) if p_values else []
    factor = len(p_values) if adjustment == "bonferroni" else 1
    return [min(factor * p, 1.0) for p in p_values]


def _look(
    reference: Evidence, window: Window, question: DriftQuestion, minimum: int
) -> WindowDrift:
    """Return one window against the reference; undecidable where a class has too few items."""
    tally = window.tally
    items = tally.total_count
    few = min(class_sizes(tally)) < minimum
    try:
        refuse_few(Evidence(tally))
        found = None if few else drift_of(reference, Evidence(tally), question)
    except OneClassError:
        found = None
    if found is None:
        why = f"there are fewer than {minimum:,} positives or negatives in the window."
        nothing = math.nan
        return WindowDrift(
            window.start, window.end, items, UNDECIDABLE, nothing, nothing, None, why
        )
    p_values = [found.findings[name].adjusted_p_value for name in DECIDING]
    if any(map(math.isnan, p_values)) and not found.drifted:
        why = "a number that decides does not exist in the window."
        nothing = math.nan
        return WindowDrift(
            window.start, window.end, items, UNDECIDABLE, nothing, nothing, None, why
        )
    p_value = float(np.nanmin(p_values))
    return WindowDrift(window.start, window.end, items, FINE, p_value, math.nan, found)
