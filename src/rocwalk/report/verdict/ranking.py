"""Who ranks best: claims on areas and on the tests that separate models."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rocwalk.curves.area import AUC
from rocwalk.curves.classes import Multiclass
from rocwalk.inference.comparisons import Pair
from rocwalk.inference.cross_validation import FoldPair
from rocwalk.report.compare import is_apart
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import p_words, rate, shown, signed, unbroken, with_ends
from rocwalk.report.verdict.claims import (
    DOUBTS,
    LIMITS,
    MOST_NAMED,
    RANKING,
    WARNS,
    Claim,
    auc_words,
    called,
    models,
    name_of,
    one_or_more,
)
from rocwalk.statistic import statistic_of
from rocwalk.truth.truth_statistics import AUC_PRT

_CHANCE = 0.5


@dataclass(frozen=True)
class Ranking:
    """The models of the largest area, and which others the paired tests separate from them."""

    best: list[int]
    apart: list[int]
    doubtful: list[int]
    same_order: bool
    pair: Pair | None  # of a best model and the nearest of the others
    untested: str | None = None


def ranking_of(findings: Findings) -> Ranking | None:
    """Return how several models compare by area; None of one model."""
    if len(findings.names) < 2:
        return None
    found = findings.comparisons
    areas: Mapping[Any, float] = dict(enumerate(one.auc for one in findings.summaries))
    pairs: tuple[Pair, ...] = ()
    if not isinstance(found, str):
        areas, pairs = found[0].estimates, found[0].pairs
    most = max(areas.values())
    best = [k for k, area in areas.items() if area == most]
    if isinstance(found, str):
        return Ranking(best, [], [], same_order=False, pair=None, untested=found)
    others = sorted((k for k in areas if k not in best), key=lambda k: -areas[k])

    def with_best(k: int) -> list[Pair]:
        return [one for one in pairs if k in (one.a, one.b) and (one.a in best or one.b in best)]

    doubtful = [k for k in others if not all(map(is_apart, with_best(k)))]
    among = [one for one in pairs if one.a in best and one.b in best]
    same = bool(among) and all(one.difference == 0 and one.standard_error == 0 for one in among)
    nearest = (doubtful or others)[:1]
    pair = with_best(nearest[0])[0] if nearest else None
    return Ranking(
        best, [k for k in others if k not in doubtful], doubtful, same_order=same, pair=pair
    )


def _several(holds: Callable[[Ranking], bool]) -> Callable[[Findings], Ranking | None]:
    """Return a condition on several models."""

    def found(findings: Findings) -> Ranking | None:
        one = ranking_of(findings)
        return one if one is not None and holds(one) else None

    return found


def perfect(findings: Findings) -> list[int] | None:
    """Return the models that put every positive above every negative."""
    return [k for k, one in enumerate(findings.summaries) if one.auc == 1] or None


def _as_chance(findings: Findings) -> list[int] | None:
    """Return the models whose interval of the AUC contains one half."""
    found = []
    for k, ends in enumerate(findings.intervals):
        low, high = ends["auc_low"], ends["auc_high"]
        if low is not None and low <= _CHANCE <= high:
            found.append(k)
    return found or None


def _ranks(findings: Findings) -> float | None:
    """Return the AUC of a study's only model if its interval lies above one half."""
    if len(findings.names) != 1 or findings.places or perfect(findings):
        return None
    low = findings.intervals[0]["auc_low"]
    return findings.summaries[0].auc if low is not None and low > _CHANCE else None


def _fair(findings: Findings, _: Any) -> str:
    """Say how far the models have come from the worst to the best order of a soft truth."""
    order = sorted(range(len(findings.places)), key=lambda k: -findings.places[k][0].auc_prt)
    words = []
    for k in order[:MOST_NAMED]:
        place, ends = findings.places[k]
        number = unbroken(f"{AUC_PRT.title} {with_ends(place.auc_prt, *ends)}")
        words.append(f"{called(findings, k)} {number}, {AUC.title} {rate(place.auc)}")
    ceiling = rate(1 - findings.places[0][0].aapcc)
    return (
        f"{'; '.join(words)}. {AUC_PRT.title} is the fair summary: no order of these items has an "
        f"{AUC.title} above {ceiling}."
    )


def _classes(findings: Findings, areas: Multiclass) -> str:
    known = {pair: area for pair, area in areas.pairwise.items() if not math.isnan(area)}
    low, high = findings.class_interval
    ends = (None, None) if math.isnan(low) else (low, high)
    mean = unbroken(f"{AUC.title} {with_ends(areas.hand_till, *ends)}")
    words = (
        f"{mean} on average over all pairs of classes (Hand & Till), "
        f"{rate(areas.provost_domingos)} of a class against the rest, by shares "
        "(Provost & Domingos)"
    )
    if not known:
        return f"{words}."
    one, other = min(known, key=lambda pair: known[pair])
    return (
        f"{words}; hardest to tell apart: {shown(one)} and {shown(other)}, {AUC.title} "
        f"{rate(known[one, other])}."
    )


def _unlike_groups(findings: Findings) -> list[tuple[Any, float]] | None:
    """Return the models whose area differs between subgroups, with the adjusted p-value."""
    found = [
        (name, test.adjusted_p_value)
        for name, test in findings.groups.tests.items()
        if test is not None and test.adjusted_p_value < 1 - findings.level
    ]
    return found or None


def _alike_groups(findings: Findings) -> list[float] | None:
    """Return the adjusted p-values of the tests between subgroups if none finds a difference."""
    tests = [test.adjusted_p_value for test in findings.groups.tests.values() if test is not None]
    return tests if tests and min(tests) >= 1 - findings.level else None


def _of_groups(findings: Findings, found: list[tuple[Any, float]]) -> str:
    """Say between which subgroups the area of a model reaches."""
    words = []
    for name, p_value in found[:MOST_NAMED]:
        numbers = {
            key: findings.groups.numbers(key)
            for key in findings.study.subgroups or ()
            if key[0] == name
        }
        known = {
            key: one for key, one in numbers.items() if one.ends["auc_low"] is not None
        } or numbers
        order = sorted(known, key=lambda key, known=known: known[key].summary.auc)  # type: ignore[misc]
        low, high = (
            f"{rate(known[key].summary.auc)} ({', '.join(map(shown, key[1]))})"
            for key in (order[0], order[-1])
        )
        words.append(f"{name_of(shown(name))} {low} to {high}, {p_words(p_value)}")
    return f"{AUC.title} differs between subgroups: {'; '.join(words)}."


def _each_auc(findings: Findings, found: list[int]) -> str:
    """Write the AUC of a few models with their intervals, by their names if they are several."""
    if len(found) == 1:
        return auc_words(findings, found[0])
    return ", ".join(f"{called(findings, k)} {auc_words(findings, k)}" for k in found[:MOST_NAMED])


def _lead(pair: Pair | FoldPair, best: list[int]) -> str:
    """Write the difference of a pair as that of the better one, with its test."""
    turn = 1 if pair.a in best else -1
    low, high = sorted((turn * pair.low, turn * pair.high))
    words = unbroken(with_ends(turn * pair.difference, low, high, signed))
    name = "" if pair.statistic == AUC.name else f"{statistic_of(pair.statistic).title} "
    adjusted = "adjusted " if pair.comparisons > 1 else ""
    return f"{name}{words}, {adjusted}{p_words(pair.adjusted_p_value)}"


def _difference(found: Ranking) -> str:
    """Write the difference of the nearest pair, if models were compared."""
    return "" if found.pair is None else _lead(found.pair, found.best)


def _separated(findings: Findings, found: Ranking) -> str:
    """Say that the tests separate the best model from all others."""
    best, others = called(findings, found.best[0]), models(findings, found.apart)
    if findings.places:
        return f"Tests separate {best} from {others} ({_difference(found)})."
    area = auc_words(findings, found.best[0])
    return f"{best} ranks best: {area}; tests separate it from {others} ({_difference(found)})."


def _not_over_folds(findings: Findings) -> tuple[int, list[FoldPair]] | None:
    """Return the best model, and its pairs that all items separate but the folds do not."""
    found, over = ranking_of(findings), findings.cross_validation
    if found is None or over is None or findings.places or len(found.best) > 1:
        return None
    best = found.best[0]
    pairs = [
        one
        for one in over.pairs
        if best in (one.a, one.b)
        and (one.b if one.a == best else one.a) in found.apart
        and one.adjusted_p_value >= 1 - one.confidence_level
    ]
    return (best, sorted(pairs, key=lambda one: -one.adjusted_p_value)) if pairs else None


def _of_folds(findings: Findings, found: tuple[int, list[FoldPair]]) -> str:
    """Say which models may rank best when models are fitted to other rows."""
    best, pairs = found
    others = models(findings, [one.b if one.a == best else one.a for one in pairs])
    return (
        f"Over the folds {called(findings, best)} is not shown to be ahead of {others} "
        f"({_lead(pairs[0], [best])}): fitted to other rows, another model may rank best."
    )


CLAIMS = (
    Claim("fair_summary", RANKING, lambda f: f.places or None, _fair),
    Claim(
        "agreement",
        RANKING,
        lambda f: f.raters.votes,
        lambda _, found: (
            f"Agreement of the raters: Fleiss’ κ {rate(found[0].fleiss_kappa, 3)} (1 "
            "is agreement, 0 as by chance)."
        ),
    ),
    Claim("classes", RANKING, lambda f: f.classes, _classes),
    Claim(
        "backwards",
        RANKING,
        lambda f: (
            [
                k
                for k, ends in enumerate(f.intervals)
                if ends["auc_high"] is not None and ends["auc_high"] < _CHANCE
            ]
            or None
        ),
        lambda f, found: (
            f"{models(f, found)} {one_or_more(found, 'ranks', 'rank')} backwards: "
            f"{auc_words(f, found[0])} lies below one half with its whole interval. Is the "
            "positive label the right one, or is the score turned round?"
        ),
        WARNS,
    ),
    Claim(
        "as_chance",
        RANKING,
        _as_chance,
        lambda f, found: (
            f"{models(f, found)} {one_or_more(found, 'is', 'are')} not shown to rank "
            f"better than chance: {_each_auc(f, found)} "
            f"{one_or_more(found, 'contains', 'contain')} one half."
        ),
        DOUBTS,
    ),
    Claim(
        "ranks",
        RANKING,
        _ranks,
        lambda f, found: (
            f"{auc_words(f, 0)}: a random positive outscores a random negative "
            f"{rate(100 * found, 0)} times in 100."
        ),
    ),
    Claim(
        "without_interval",
        RANKING,
        lambda f: (
            f.summaries[0].auc
            if len(f.names) == 1 and not perfect(f) and f.intervals[0]["auc_low"] is None
            else None
        ),
        lambda _, found: (
            f"{AUC.title} {rate(found)}, without an interval: too few items of a class."
        ),
        DOUBTS,
    ),
    Claim(
        "perfect",
        RANKING,
        perfect,
        lambda f, found: (
            f"{models(f, found)} {one_or_more(found, 'puts', 'put')} every positive "
            f"above every negative{f': {auc_words(f, 0)}' if len(f.names) == 1 else ''}."
        ),
    ),
    Claim(
        "same_order",
        RANKING,
        _several(lambda one: one.same_order),
        lambda f, found: (
            f"{models(f, found.best)} put the items in the same order: "
            f"{auc_words(f, found.best[0])} {'both' if len(found.best) == 2 else 'each'}."
        ),
    ),
    Claim(
        "tied",
        RANKING,
        _several(lambda one: len(one.best) > 1 and not one.same_order),
        lambda f, found: (
            f"{models(f, found.best)} have the same {auc_words(f, found.best[0])}; "
            "that does not show that they are equal on other data."
        ),
    ),
    Claim(
        "separated",
        RANKING,
        _several(lambda one: len(one.best) == 1 and bool(one.apart) and not one.doubtful),
        _separated,
    ),
    Claim(
        "partly_separated",
        RANKING,
        _several(lambda one: len(one.best) == 1 and bool(one.apart) and bool(one.doubtful)),
        lambda f, found: (
            f"{called(f, found.best[0])} has the largest "
            f"{auc_words(f, found.best[0])}; tests separate it from {models(f, found.apart)}, but "
            f"not from {models(f, found.doubtful)} ({_difference(found)})."
        ),
    ),
    Claim(
        "not_separated",
        RANKING,
        _several(lambda one: len(one.best) == 1 and not one.apart and bool(one.doubtful)),
        lambda f, found: (
            f"{called(f, found.best[0])} has the largest "
            f"{auc_words(f, found.best[0])}, but tests do not separate it from "
            f"{models(f, found.doubtful)} ({_difference(found)}); either may be ahead."
        ),
    ),
    Claim(
        "largest",
        RANKING,
        _several(lambda one: one.untested is not None and len(one.best) == 1),
        lambda f, found: (
            f"{called(f, found.best[0])} has the largest {auc_words(f, found.best[0])}."
        ),
    ),
    Claim("not_over_folds", RANKING, _not_over_folds, _of_folds, DOUBTS),
    Claim("unlike_groups", RANKING, _unlike_groups, _of_groups, DOUBTS),
    Claim(
        "alike_groups",
        RANKING,
        _alike_groups,
        lambda _, found: (
            f"No difference in {AUC.title} between subgroups is shown "
            f"({'smallest adjusted ' if len(found) > 1 else ''}{p_words(min(found))})."
        ),
    ),
    Claim(
        "uncompared",
        LIMITS,
        _several(lambda one: one.untested is not None),
        lambda _, found: f"Which model would rank best on other data: {found.untested}",
    ),
    Claim(
        "perfect_elsewhere",
        LIMITS,
        perfect,
        lambda f, found: (
            f"Whether {models(f, found)} would be perfect on other data: a score that "
            "was made from the label looks like this, too."
        ),
        DOUBTS,
    ),
)
