"""Who means what they say: claims on probabilities against outcomes."""

from __future__ import annotations

import math

from rocwalk.curves.calibration import BRIER
from rocwalk.report.findings import Findings, Promise
from rocwalk.report.numbers import between, rate
from rocwalk.report.verdict.claims import DOUBTS, MOST_NAMED, PROMISE, WARNS, Claim
from rocwalk.report.verdict.ranking import ranking_of

_Found = dict[int, Promise]
_NO_ENDS = (math.nan, math.nan, math.nan)


def status(one: Promise) -> str:
    """Return what the intervals of observed/expected and of the slope say of probabilities."""
    _, low, high = one.observed
    if math.isnan(low) or math.isnan(high):
        return "open"
    if high < 1:
        return "too_many"
    if low > 1:
        return "too_few"
    slope = _slope(one)
    if slope[2] < 1:
        return "overconfident"
    return "timid" if slope[1] > 1 else "kept"


def _slope(one: Promise) -> tuple[float, float, float]:
    return _NO_ENDS if one.recalibration is None else one.recalibration.slope


def same_order(findings: Findings) -> _Found | None:
    """Return all models if they rank alike and promise differently."""
    ranking = ranking_of(findings)
    if ranking is None or not ranking.same_order or len(ranking.best) < len(findings.names):
        return None
    found = findings.promises
    alike = len(found) < len(findings.names) or len({status(one) for one in found.values()}) < 2
    return None if alike else found


def _by_status(findings: Findings, word: str) -> _Found | None:
    """Return the models of a status, where one sentence on all of them does not say it."""
    if same_order(findings) is not None:
        return None
    return {k: one for k, one in findings.promises.items() if status(one) == word} or None


def _come(one: Promise) -> str:
    """Write how many positives come of 100 that are announced, with the interval."""
    value, low, high = (rate(100 * x, 0) for x in one.observed)
    return value if math.isnan(one.observed[1]) else f"{value} ({between(low, high)})"


def _announced(findings: Findings, found: _Found) -> str:
    """Write of each model how many positives come, of the one that is furthest off first."""
    order = sorted(found, key=lambda k: -abs(math.log(found[k].observed[0])))
    first, *others = order[:MOST_NAMED]
    words = f"of 100 positives that {findings.names[first]} announces, {_come(found[first])} come"
    return words + "".join(f"; of {findings.names[k]}’s, {_come(found[k])}" for k in others)


def _slopes(findings: Findings, found: _Found) -> str:
    """Write the slopes of models, each with what comes of 100 that it announces."""
    words = []
    for k, one in list(found.items())[:MOST_NAMED]:
        value, low, high = (rate(x, 2) for x in _slope(one))
        words.append(f"{findings.names[k]}, slope {value} ({between(low, high)})")
    return "; ".join(words)


def _all_alike(findings: Findings, found: _Found) -> str:
    """Say how models of one order differ: in what comes, or in the slope."""
    words = f"Same order, but {_announced(findings, found)}."
    sloped = {k: one for k, one in found.items() if status(one) in ("overconfident", "timid")}
    for k, one in sloped.items():
        word = "overconfident" if status(one) == "overconfident" else "too timid"
        words += f" {_slopes(findings, {k: one})}, is {word}."
    return words


def _briers(findings: Findings, found: _Found) -> str:
    """Write the Brier score of the best and of the worst model, with its part by miscalibration."""
    losses = {k: one.brier for k, one in found.items() if one.brier is not None}
    order = sorted(losses, key=lambda k: losses[k].loss)
    words = [
        f"{'' if len(order) == 1 else f'{findings.names[k]} '}{rate(losses[k].loss, 3)} "
        f"({rate(losses[k].miscalibration, 3)} of it miscalibration)"
        for k in dict.fromkeys((order[0], order[-1]))
    ]
    return f"{BRIER.title}: {', '.join(words)}."


CLAIMS = (
    Claim("same_order_other_promise", PROMISE, same_order, _all_alike, WARNS),
    Claim(
        "announces_too_many",
        PROMISE,
        lambda f: _by_status(f, "too_many"),
        lambda f, found: f"Too high: {_announced(f, found)}.",
        WARNS,
    ),
    Claim(
        "announces_too_few",
        PROMISE,
        lambda f: _by_status(f, "too_few"),
        lambda f, found: f"Too low: {_announced(f, found)}.",
        WARNS,
    ),
    Claim(
        "overconfident",
        PROMISE,
        lambda f: _by_status(f, "overconfident"),
        lambda f, found: (
            f"Overconfident: {_slopes(f, found)}, where 1 is right: high scores are "
            "too high, low ones too low."
        ),
        WARNS,
    ),
    Claim(
        "timid",
        PROMISE,
        lambda f: _by_status(f, "timid"),
        lambda f, found: (
            f"Too timid: {_slopes(f, found)}, where 1 is right: high scores are too "
            "low, low ones too high."
        ),
        DOUBTS,
    ),
    Claim(
        "keeps_its_word",
        PROMISE,
        lambda f: _by_status(f, "kept"),
        lambda f, found: f"No miscalibration is shown: {_announced(f, found)}.",
    ),
    Claim(
        "no_promise_tested",
        PROMISE,
        lambda f: _by_status(f, "open"),
        lambda f, found: f"Without an interval, so perhaps by luck: {_announced(f, found)}.",
        DOUBTS,
    ),
    Claim(
        "brier",
        PROMISE,
        lambda f: {k: one for k, one in f.promises.items() if one.brier is not None} or None,
        _briers,
    ),
)
