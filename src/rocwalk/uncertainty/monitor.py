"""How a monitor of drift decides, and what it keeps of a stream (SPEC §8)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rocwalk.errors import OptionError, as_number
from rocwalk.result import Result
from rocwalk.uncertainty.drift import DECIDING, Drift, DriftQuestion, drift_of
from rocwalk.uncertainty.estimation import class_sizes
from rocwalk.uncertainty.evidence import Evidence
from rocwalk.uncertainty.timeline import DRIFT, FINE, UNDECIDABLE
from rocwalk.walk.tally import Tally

_ROUNDING = 1e-9  # of numbers of items that are worked out from weights


@dataclass(frozen=True, slots=True)
class Settings:
    """How a monitor decides; see `rocwalk.DriftMonitor`."""

    alpha: float = 0.05
    minimum: int = 20
    window: int | None = None
    looks: int = 1
    fixed_reference: bool = False
    name: str | None = None

    def __post_init__(self) -> None:
        DriftQuestion(self.alpha)  # refuses what is no level
        minimum = whole_number("minimum", self.minimum, 2)
        window = self.window
        if window is not None:
            window = whole_number("window", window, 2 * minimum)
        plain = {
            "alpha": float(self.alpha),
            "minimum": minimum,
            "looks": whole_number("looks", self.looks, 1),
            "window": window,
            "fixed_reference": bool(self.fixed_reference),
        }
        for key, value in plain.items():
            object.__setattr__(self, key, value)
        if not isinstance(self.name, str | None):
            raise OptionError(f"name={self.name!r} is not text.", "pass a name in quotes.")

    @property
    def level(self) -> float:
        """The level of one decision."""
        return self.alpha / self.looks

    def allows(self, positives: float, negatives: float) -> bool:
        """Whether there are enough items of both classes for a decision."""
        return min(positives, negatives) >= self.minimum * (1 - _ROUNDING)


def whole_number(key: str, value: Any, least: int) -> int:
    """Return a whole number of at least so many, or raise."""
    number = as_number(key, value)
    if number < least or math.isinf(number) or number != math.floor(number):
        hint = (
            "a window needs room for minimum items of each class, or it is never decided."
            if key == "window"
            else f"pass a whole number, {least} or more."
        )
        raise OptionError(f"{key}={value!r} is not a whole number of at least {least}.", hint)
    return int(number)


# -- what is found -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MonitorCheck(Result):
    """What a monitor answers; `to_json` is the alarm as a document, without a time.

    `status` is "drift", "none" or "undecidable", `reason` says why in words, `drift` is all that
    was found, or None if there was too little to look at. `window` is the number of the closed
    window that the answer is about.
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
        """What has drifted: "none", "ranking", "estimation", "both", or "undecidable"."""
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
    """A window that was full: how it was judged, and the p-values of the numbers that decide.

    `p_values` are Holm's over the three numbers of this window, to be held against alpha/looks;
    NaN where there was too little to look at.
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


# -- judging -------------------------------------------------------------------------------------


def judged(reference: Tally, tally: Tally | None, settings: Settings) -> MonitorCheck:
    """Return whether a tally has drifted from the reference, or why that cannot be said."""
    positives, negatives = (0, 0) if tally is None else class_sizes(tally)
    sizes = items_of(tally), positives, negatives
    if tally is None or not settings.allows(positives, negatives):
        words = (
            f"There are too few items to decide: {positives:,.6g} positive and {negatives:,.6g} "
            f"negative, where {settings.minimum:,} of each are needed."
        )
        return MonitorCheck(UNDECIDABLE, words, None, *sizes, settings)
    question = DriftQuestion(settings.level, settings.fixed_reference)
    found = drift_of(Evidence(reference), Evidence(tally), question)
    deciding = [found.findings[name] for name in DECIDING]
    untested = [one.words for one in deciding if math.isnan(one.p_value)]
    if untested and not found.drifted:
        words = f"These data give no test of the {' and the '.join(untested)}."
        return MonitorCheck(UNDECIDABLE, words, found, *sizes, settings)
    return MonitorCheck(DRIFT if found.drifted else FINE, found.summary, found, *sizes, settings)


def items_of(tally: Tally | None) -> int:
    """Return how many items a tally holds; None holds none."""
    return 0 if tally is None else tally.total_count


# -- keeping -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stream:
    """What is kept of a stream: the open window, what became of closed ones, names of batches.

    `kept` is the tally of the closed window that speaks for all; see `speaker`.
    """

    current: Tally | None = None
    windows: tuple[ClosedWindow, ...] = ()
    kept: Tally | None = None
    batches: frozenset[str] = field(default_factory=frozenset)

    @property
    def speaker(self) -> ClosedWindow | None:
        """The window that speaks for all: the last that has drifted, or else the last."""
        return speaker_of(self.windows)

    def grown(self, more: Tally | None, reference: Tally, settings: Settings) -> Stream:
        """Return the stream with more items in the open window, closed if it is full then."""
        parts = [part for part in (self.current, more) if part is not None]
        if not parts:
            return self
        current = Tally.merge(parts)
        if settings.window is None or current.total_count < settings.window:
            return replace(self, current=current)
        number = len(self.windows) + 1
        windows = (*self.windows, _closed(judged(reference, current, settings), number))
        kept = current if speaker_of(windows) is windows[-1] else self.kept
        return replace(self, current=None, windows=windows, kept=kept)

    def joined(self, other: Stream) -> Stream:
        """Return what both have kept: closed windows by number and content, open ones added."""
        pairs = [(window, one.kept) for one in (self, other) for window in one.windows]
        pairs.sort(key=lambda pair: (pair[0].number, pair[0].to_json()))
        windows = tuple(replace(window, number=k) for k, (window, _) in enumerate(pairs, 1))
        speaker = speaker_of(windows)
        kept = None if speaker is None else pairs[speaker.number - 1][1]
        parts = [one.current for one in (self, other) if one.current is not None]
        current = Tally.merge(parts) if parts else None
        return Stream(current, windows, kept, self.batches | other.batches)


def speaker_of(windows: Sequence[ClosedWindow]) -> ClosedWindow | None:
    """Return the last window that has drifted, or else the last."""
    drifted = [one for one in windows if one.status == DRIFT]
    speakers = drifted or windows
    return speakers[-1] if speakers else None


def _closed(found: MonitorCheck, number: int) -> ClosedWindow:
    p_values = {
        name: math.nan if found.drift is None else found.drift.findings[name].adjusted_p_value
        for name in DECIDING
    }
    return ClosedWindow(
        number=number,
        items=found.items,
        positives=found.positives,
        negatives=found.negatives,
        status=found.status,
        verdict=found.verdict,
        p_values=p_values,
        reason=found.reason,
    )
