"""A stream of batches: how it is decided, what is counted of it, and what came out.

`Settings` hold how a `DriftMonitor` decides and a `Stream` what it has counted; `judged` compares a
tally with the reference; `MonitorCheck` and `ClosedWindow` are the answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rocwalk.checks import as_whole
from rocwalk.drift.drift import Drift, drift_of
from rocwalk.drift.reference import LabelSettings
from rocwalk.drift.request import (
    DECIDING,
    DRIFT,
    FINE,
    TESTS,
    UNDECIDABLE,
    DriftRequest,
    margins_of,
)
from rocwalk.errors import OptionError
from rocwalk.inference.influence import class_sizes
from rocwalk.inference.items import Evidence
from rocwalk.result import Result
from rocwalk.tally.tally import Tally

_ROUNDING = 1e-9  # of numbers of items that are worked out from weights


@dataclass(frozen=True, slots=True)
class Settings(LabelSettings):
    """How a monitor decides; see `rocwalk.DriftMonitor`."""

    alpha: float = 0.05
    minimum: int = 20
    window: int | None = None
    looks: int = 1
    fixed_reference: bool = False
    name: str | None = None
    pos_label: Any = None
    neg_label: Any = None
    margin: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "margin", margins_of(self.margin))
        DriftRequest(self.alpha)  # raises unless it is a level
        minimum = as_whole("minimum", self.minimum, 2)
        window = self.window
        if window is not None:
            hint = "a window needs room for minimum items of each class, or it is never decided."
            window = as_whole("window", window, 2 * minimum, hint)
        plain = {
            "alpha": float(self.alpha),
            "minimum": minimum,
            "looks": as_whole("looks", self.looks, 1),
            "window": window,
            "fixed_reference": bool(self.fixed_reference),
        }
        for key, value in plain.items():
            object.__setattr__(self, key, value)
        if not isinstance(self.name, str | None):
            raise OptionError(
                "is not text.", "pass a name in quotes.", option="name", value=self.name
            )
        self.keep_labels()

    @property
    def level(self) -> float:
        """The level of one decision."""
        return self.alpha / self.looks

    def refuse_more(self, decisions: int) -> None:
        """Raise if more decisions are made than were planned with `looks`."""
        if 1 < self.looks < decisions:
            what = "windows" if self.window is not None else "looks"
            raise OptionError(
                f"planned {self.looks:,} {what}, and this is number {decisions:,}: α is spent.",
                "start a new monitor, plan more, or use rocwalk.DriftWatch, which may be looked at "
                "any number of times.",
                argument="looks",
            )

    def allows(self, positives: float, negatives: float) -> bool:
        """Whether there are enough items of both classes for a decision."""
        return min(positives, negatives) >= self.minimum * (1 - _ROUNDING)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MonitorCheck(Result):
    """The answer of a monitor; `to_json` is the alarm as a document, without a time.

    `status` is "drift", "none" or "undecidable", `reason` says why in words, `drift` has all
    findings, or is None if there were too few items. `window` is the number of the closed window
    that the answer is about.
    """

    status: str
    reason: str
    drift: Drift | None
    items: int
    positives: float
    negatives: float
    settings: Settings
    window: int | None = None

    @property
    def drifted(self) -> bool:
        """Whether there is an alarm."""
        return self.status == DRIFT

    @property
    def verdict(self) -> str:
        """The verdict of `rocwalk.drift`, such as "none" or "population", or "undecidable"."""
        if self.drift is None or self.status == UNDECIDABLE:
            return UNDECIDABLE
        return self.drift.verdict

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the reason and all findings."""
        drift = self.drift
        findings = [] if drift is None else [one.to_dict() for one in drift.findings.values()]
        more = {
            "reason": self.reason,
            "prevalence_only": None if drift is None else drift.prevalence_only,
            "findings": findings,
        }
        return Result.to_dict(self) | more

    def _headline(self) -> dict[str, Any]:
        return {
            "name": self.settings.name,
            "status": self.status,
            "verdict": self.verdict,
            "window": self.window,
            "items": self.items,
            "positives": self.positives,
            "negatives": self.negatives,
            "alpha": self.settings.alpha,
            "looks": self.settings.looks,
        }


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClosedWindow(Result):
    """A full window: its status, and the p-values of the tests that decide, by their numbers.

    `p_values` are Holm's over the three tests of this window, to be compared with alpha/looks;
    NaN where there were too few items.
    """

    number: int
    items: int
    positives: float
    negatives: float
    status: str
    verdict: str
    p_values: Mapping[str, float]
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the reason."""
        return Result.to_dict(self) | {"reason": self.reason}

    def _headline(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "items": self.items,
            "positives": self.positives,
            "negatives": self.negatives,
            "status": self.status,
            "verdict": self.verdict,
            **{f"{name}_p_value": value for name, value in self.p_values.items()},
        }


def judged(reference: Tally, tally: Tally | None, settings: Settings) -> MonitorCheck:
    """Return whether a tally has drifted from the reference, or why that cannot be decided."""
    positives, negatives = (0, 0) if tally is None else class_sizes(tally)
    sizes = items_of(tally), positives, negatives
    words = (
        f"There are too few items to decide: {positives:,.6g} positive and {negatives:,.6g} "
        f"negative, where {settings.minimum:,} of each are needed."
    )
    few = MonitorCheck(UNDECIDABLE, words, None, *sizes, settings)
    is_few = not settings.allows(positives, negatives)
    if tally is None or (is_few and tally.total_count < 2 * settings.minimum):
        return few
    request = DriftRequest(settings.level, settings.fixed_reference, margins=settings.margin)
    found = drift_of(Evidence(reference), Evidence(tally), request)
    if is_few and not (found.drifted and settings.allows(*found.causes.expected)):
        return few
    if found.is_open:
        named = " and the ".join(found.findings[name].words for name in found.untested)
        words = f"These data give no test of the {named}."
        return MonitorCheck(UNDECIDABLE, words, found, *sizes, settings)
    return MonitorCheck(DRIFT if found.drifted else FINE, found.summary, found, *sizes, settings)


def items_of(tally: Tally | None) -> int:
    """Return how many items a tally holds; None holds none."""
    return 0 if tally is None else tally.total_count


@dataclass(frozen=True, slots=True)
class Stream:
    """What is kept of a stream: the open window, the closed ones, and the names of batches.

    `kept` is the tally of the closed window that the answer is about; see `reported`. `looked`
    counts the decisions on a growing sample, the last one when it had `seen` so many items.
    """

    current: Tally | None = None
    windows: tuple[ClosedWindow, ...] = ()
    kept: Tally | None = None
    batches: frozenset[str] = field(default_factory=frozenset)
    looked: int = 0
    seen: int = 0

    @property
    def reported(self) -> ClosedWindow | None:
        """The window that the answer is about: the last that has drifted, or else the last."""
        return reported_of(self.windows)

    def grown(self, more: Tally | None, reference: Tally, settings: Settings) -> Stream:
        """Return the stream with more items in the open window, closed if it is full then."""
        parts = [part for part in (self.current, more) if part is not None]
        if not parts:
            return self
        current = Tally.merge(parts)
        if settings.window is None or current.total_count < settings.window:
            return replace(self, current=current)
        settings.refuse_more(len(self.windows) + 1)
        found = judged(reference, current, settings)
        tests = None if found.drift is None else found.drift.tests
        closed = ClosedWindow(
            number=len(self.windows) + 1,
            items=found.items,
            positives=found.positives,
            negatives=found.negatives,
            status=found.status,
            verdict=found.verdict,
            p_values={
                name: math.nan if tests is None else tests[TESTS[name]].adjusted_p_value
                for name in DECIDING
            },
            reason=found.reason,
        )
        windows = (*self.windows, closed)
        kept = current if reported_of(windows) is closed else self.kept
        return replace(self, current=None, windows=windows, kept=kept)

    def joined(self, other: Stream) -> Stream:
        """Return what both have kept: closed windows by number and content, open ones added."""
        pairs = [(window, one.kept) for one in (self, other) for window in one.windows]
        pairs.sort(key=lambda pair: (pair[0].number, pair[0].to_json()))
        windows = tuple(replace(window, number=k) for k, (window, _) in enumerate(pairs, 1))
        reported = reported_of(windows)
        kept = None if reported is None else pairs[reported.number - 1][1]
        parts = [one.current for one in (self, other) if one.current is not None]
        current = Tally.merge(parts) if parts else None
        looked, seen = self.looked + other.looked, max(self.seen, other.seen)
        return Stream(current, windows, kept, self.batches | other.batches, looked, seen)


def reported_of(windows: Sequence[ClosedWindow]) -> ClosedWindow | None:
    """Return the last window that has drifted, or else the last."""
    drifted = [one for one in windows if one.status == DRIFT]
    candidates = drifted or windows
    return candidates[-1] if candidates else None
