"""What has changed: claims on drift against a reference and over time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rocwalk.curves.area import AUC
from rocwalk.drift.request import DRIFTED, MARGINS, UNDECIDABLE
from rocwalk.report.drift import verdict_words
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import between, p_words, rate, signed, unbroken, with_ends
from rocwalk.report.verdict.claims import (
    CHANGED,
    DOUBTS,
    LIMITS,
    MOST_NAMED,
    WARNS,
    Claim,
    called,
    models,
    name_of,
)
from rocwalk.statistic import words_of

if TYPE_CHECKING:
    from rocwalk.drift.causes import CauseTest
    from rocwalk.drift.drift import Drift
    from rocwalk.drift.timeline import DriftTimeline

_Found = dict[str, list[int]]
_Timelines = list[tuple[int, "DriftTimeline"]]


def drifted(findings: Findings) -> _Found | None:
    """Return the models that have drifted since the reference, by verdict."""
    return _by_verdict(findings, *DRIFTED)


def _by_verdict(findings: Findings, *verdicts: str) -> _Found | None:
    found: _Found = {}
    for k, one in findings.drift.models.items():
        if not isinstance(one, str):
            word = "open" if one.is_open else one.verdict
            if word in verdicts:
                found.setdefault(word, []).append(k)
    return found or None


def _said(findings: Findings, found: _Found) -> str:
    """List the models of each verdict, with the deciding number of each and what to do."""
    words = []
    for places in found.values():
        each = {k: one for k in places if not isinstance(one := findings.drift.models[k], str)}
        few = list(each.items())[:MOST_NAMED]
        sizes = _of_each(findings, {k: _size(one) for k, one in few})
        advice = _of_each(findings, {k: one.advice for k, one in few})
        text = f"{models(findings, places)}: {verdict_words(each[places[0]])}"
        words.append(f"{text}; {'; '.join(sizes)}. {' '.join(advice)}")
    return " ".join(words)


def _of_each(findings: Findings, said: dict[int, str]) -> list[str]:
    """Return what is said of each model with its name, or once what is said of all."""
    if len(set(said.values())) == 1:
        return list(said.values())[:1]
    return [f"{called(findings, k)}: {text}" for k, text in said.items()]


def _size(one: Drift) -> str:
    """Return the number that decides a verdict, with its interval and how severe it is."""
    if not one.drifted:
        auc = one.findings[AUC.name]
        tested = [t.adjusted_p_value for t in one.tests.values() if not math.isnan(t.p_value)]
        change = f"{AUC.title} {rate(auc.reference)} → {rate(auc.current)}"
        return f"{unbroken(change)}, given the scores {p_words(min(tested, default=math.nan))}"
    found = [name for name in ("ranking", "level", "struggle") if one.causes.found(name, one.alpha)]
    by_order = one.verdict in ("ranking", "both")
    name = next((name for name in found if by_order or name != "ranking"), found[0])
    test = one.tests[name]
    if name == "level":
        value, low, high = (rate(100 * math.exp(x), 0) for x in (test.effect, test.low, test.high))
        number = f"{value} ({between(low, high)}) positives come for 100 expected"
    elif name == "ranking":
        words = with_ends(test.effect, test.low, test.high, signed)
        number = f"{unbroken(f'{AUC.title} {words}')} against what these scores imply"
    else:
        value, low, high = (signed(100 * x, 0) for x in (test.effect, test.low, test.high))
        number = f"{words_of('struggle_ratio')} {unbroken(f'{value} %')} ({between(low, high)})"
    return f"{number}, {p_words(test.adjusted_p_value)}, {severity(test, MARGINS[name])}"


def severity(test: CauseTest, margin: float) -> str:
    """Say whether a change is beyond the usual margin, within it, or neither is shown."""
    if test.low > margin or test.high < -margin:
        return "severe (beyond the usual margin)"
    if -margin < test.low and test.high < margin:
        return "slight (within the usual margin)"
    return "of uncertain size"


def _timelines(findings: Findings, *, with_alarms: bool) -> _Timelines | None:
    found = [
        (k, one)
        for k, one in enumerate(findings.drift.timelines)
        if not isinstance(one, str) and one.windows and bool(one.alarms) == with_alarms
    ]
    return found or None


def _began(findings: Findings, found: _Timelines) -> str:
    """Say when drift was first found, what it is, and in how many windows."""
    words = []
    for k, one in found[:MOST_NAMED]:
        first, of = one.alarms[0], f"{len(one.alarms)} of {len(one.windows)} windows"
        what = "has drifted" if first.drift is None else verdict_words(first.drift)
        size = "" if first.drift is None or not first.drift.drifted else f"; {_size(first.drift)}"
        words.append(
            f"{called(findings, k)}: {what}, first found in the window from {first.start}{size}; "
            f"{of} raise an alarm."
        )
    return " ".join(words)


def _steady(findings: Findings, found: _Timelines) -> str:
    one = found[0][1]
    unknown = sum(each.status == UNDECIDABLE for each in one.windows)
    more = f" ({unknown} cannot be decided)" if unknown else ""
    places = [k for k, _ in found]
    return f"{models(findings, places)}: no drift in {len(one.windows)} windows of time{more}."


def _untold(findings: Findings) -> list[tuple[str, str]] | None:
    """Return why models have no verdict on drift."""
    later = zip(findings.names, findings.drift.timelines, strict=False)
    found = [
        (called(findings, k), one)
        for k, one in findings.drift.models.items()
        if isinstance(one, str)
    ]
    found += [(name_of(name), one) for name, one in later if isinstance(one, str)]
    return found or None


CLAIMS = (
    Claim("drifted", CHANGED, drifted, _said, WARNS),
    Claim("population", CHANGED, lambda f: _by_verdict(f, "population"), _said, DOUBTS),
    Claim("no_drift", CHANGED, lambda f: _by_verdict(f, "none"), _said),
    Claim(
        "drift_open",
        CHANGED,
        lambda f: _by_verdict(f, "open"),
        lambda f, found: (
            f"{models(f, found['open'])}: nothing can be decided; too few items of a "
            "class to rule drift out."
        ),
        DOUBTS,
    ),
    Claim("began", CHANGED, lambda f: _timelines(f, with_alarms=True), _began, WARNS),
    Claim("steady", CHANGED, lambda f: _timelines(f, with_alarms=False), _steady),
    Claim(
        "drift_untold",
        LIMITS,
        _untold,
        lambda _, found: f"Whether {found[0][0]} has drifted: {found[0][1]}",
    ),
    Claim(
        "when_unknown",
        LIMITS,
        lambda f: None if f.drift.timelines else drifted(f),
        lambda _, __: "When the drift began: there is no column of dates.",
    ),
)
