"""Whether probabilities are calibrated: claims on them against outcomes.

Two numbers decide: observed over expected positives (the level), and the slope of logistic
recalibration. A model may fail by either or by both, and each is said for itself.
"""

from __future__ import annotations

import math

from rocwalk.curves.calibration import BRIER
from rocwalk.report.findings import Findings, Promise
from rocwalk.report.numbers import apart, between, rate, signed
from rocwalk.report.verdict.claims import (
    DOUBTS,
    MOST_NAMED,
    PROMISE,
    WARNS,
    Claim,
    called,
    models,
    named,
    one_or_more,
)
from rocwalk.report.verdict.ranking import ranking_of

_Found = dict[int, Promise]
_Ends = tuple[float, float, float]
_NO_ENDS = (math.nan, math.nan, math.nan)


def level_of(one: Promise) -> str:
    """Return what the interval of observed/expected says: "too_many" are announced, "too_few"…"""
    _, low, high = one.observed
    if math.isnan(low) or math.isnan(high):
        return "open"
    if high < 1:
        return "too_many"
    return "too_few" if low > 1 else "kept"


def slope_of(one: Promise) -> str:
    """Return whether, by the interval of the slope, probabilities are too far apart or too close.

    Where the level has no interval, a class has too few items, and the slope is not judged either.
    """
    _, low, high = _slope(one)
    if math.isnan(low) or math.isnan(high) or level_of(one) == "open":
        return "open"
    if high < 0:
        return "turned"
    if high < 1:
        return "overconfident"
    return "timid" if low > 1 else "kept"


def _slope(one: Promise) -> _Ends:
    return _NO_ENDS if one.recalibration is None else one.recalibration.slope


def _apart(one: _Ends, other: _Ends) -> bool:
    """Whether two intervals have no number in common."""
    return one[1] > other[2] or other[1] > one[2]


def same_order(findings: Findings) -> _Found | None:
    """Return all models if they rank alike and promise differently.

    They promise differently if intervals say different things of them, or do not overlap.
    """
    ranking = ranking_of(findings)
    if ranking is None or not ranking.same_order or len(ranking.best) < len(findings.names):
        return None
    found = findings.promises
    if len(found) < len(findings.names):
        return None
    each = list(found.values())
    differ = len({(level_of(one), slope_of(one)) for one in each}) > 1 or any(
        _apart(one.observed, other.observed) or _apart(_slope(one), _slope(other))
        for i, one in enumerate(each)
        for other in each[:i]
    )
    return found if differ else None


def _by_level(findings: Findings, word: str) -> _Found | None:
    """Return the models of a level, where one sentence on all of them does not say it."""
    if same_order(findings) is not None:
        return None
    return {k: one for k, one in findings.promises.items() if level_of(one) == word} or None


def _by_slope(findings: Findings, word: str) -> _Found | None:
    return {k: one for k, one in findings.promises.items() if slope_of(one) == word} or None


def _kept(findings: Findings, slope: str) -> _Found | None:
    """Return the models of the right level whose slope is right, or not known."""
    level = _by_level(findings, "kept") or {}
    return {k: one for k, one in level.items() if slope_of(one) == slope} or None


def _come(one: Promise) -> str:
    """Write how many positives come of 100 that are announced, with the interval."""
    value, low, high = (100 * x for x in one.observed)
    if math.isnan(low):
        return rate(value, 0)
    number, *ends = apart((value, low, high), 0, other=100)
    return f"{number} ({between(*ends)})"


def _announced(findings: Findings, found: _Found) -> str:
    """Write of each model how many positives come, of the one that is furthest off first."""
    order = sorted(found, key=lambda k: -abs(math.log(found[k].observed[0])))
    first, *others = order[:MOST_NAMED]
    words = f"of 100 positives that {called(findings, first)} announces, {_come(found[first])} come"
    return words + "".join(f"; of {called(findings, k)}’s, {_come(found[k])}" for k in others)


def _slopes(findings: Findings, found: _Found) -> str:
    """Write the slopes of models; models of the same slope together."""
    by_words: dict[str, list[str]] = {}
    for k, one in list(found.items())[:MOST_NAMED]:
        value, *ends = (signed(x, 2).lstrip("+") for x in _slope(one))
        by_words.setdefault(f"slope {value} ({between(*ends)})", []).append(findings.names[k])
    return "; ".join(f"{named(names)}, {words}" for words, names in by_words.items())


def _no_slope(findings: Findings, found: _Found) -> str:
    """Say that the level is right, and why nothing is known of the slope."""
    places = list(found)
    why = f"{models(findings, places)} {one_or_more(places, 'has', 'have')} no finite slope"
    if any(findings.tallies[k].is_bucketed for k in places):
        why = "buckets do not tell the slope"
    return (
        f"Not shown to be wrong on average: {_announced(findings, found)}; {why}, so whether high "
        "and low scores are right is not known."
    )


def _briers(findings: Findings, found: _Found) -> str:
    """Write the Brier score of the best and of the worst model, with its part by miscalibration."""
    losses = {k: one.brier for k, one in found.items() if one.brier is not None}
    order = sorted(losses, key=lambda k: losses[k].loss)
    words = [
        ("" if len(order) == 1 else f"{called(findings, k)} ")
        + f"{rate(losses[k].loss, BRIER.digits)} "
        f"({rate(losses[k].miscalibration, BRIER.digits)} of it miscalibration)"
        for k in dict.fromkeys((order[0], order[-1]))
    ]
    return f"{BRIER.title}: {', '.join(words)}."


CLAIMS = (
    Claim(
        "same_order_other_promise",
        PROMISE,
        same_order,
        lambda f, found: f"Same order, but {_announced(f, found)}.",
        WARNS,
    ),
    Claim(
        "announces_too_many",
        PROMISE,
        lambda f: _by_level(f, "too_many"),
        lambda f, found: f"Too high: {_announced(f, found)}.",
        WARNS,
    ),
    Claim(
        "announces_too_few",
        PROMISE,
        lambda f: _by_level(f, "too_few"),
        lambda f, found: f"Too low: {_announced(f, found)}.",
        WARNS,
    ),
    Claim(
        "turned",
        PROMISE,
        lambda f: _by_slope(f, "turned"),
        lambda f, found: (
            f"Turned round: {_slopes(f, found)}, where 1 is right: the higher the score, the fewer "
            "positives."
        ),
        WARNS,
    ),
    Claim(
        "overconfident",
        PROMISE,
        lambda f: _by_slope(f, "overconfident"),
        lambda f, found: (
            f"Overconfident: {_slopes(f, found)}, where 1 is right: scores are too extreme."
        ),
        WARNS,
    ),
    Claim(
        "timid",
        PROMISE,
        lambda f: _by_slope(f, "timid"),
        lambda f, found: (
            f"Too timid: {_slopes(f, found)}, where 1 is right: scores are too close together."
        ),
        DOUBTS,
    ),
    Claim(
        "keeps_its_word",
        PROMISE,
        lambda f: _kept(f, "kept"),
        lambda f, found: f"No miscalibration is shown: {_announced(f, found)}.",
    ),
    Claim("right_on_average", PROMISE, lambda f: _kept(f, "open"), _no_slope, DOUBTS),
    Claim(
        "no_promise_tested",
        PROMISE,
        lambda f: _by_level(f, "open"),
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
