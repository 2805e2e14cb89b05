"""The section that compares models on the same rows, and what it says of the best of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rocwalk.errors import joined
from rocwalk.inference.comparisons import Comparison, Pair
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import between, level_words, p_text, signed, unbroken
from rocwalk.statistic import statistic_of

_MOST_DRAWN = 45
_MOST_LISTED = 300
_MOST_SAID = 10
_MOST_NAMED = 5
_METHODS = {
    "delong": "DeLong’s test for curves of the same items",
    "mover": "DeLong’s test with Student’s distribution and limits of each curve (MOVER), for few "
    "items or areas near 1",
    "influence": "the spread of what each item adds to the difference",
    "jackknife": "a jackknife, which leaves out one cluster at a time",
    "obuchowski": "Obuchowski’s test, which takes clusters as a whole",
}


def compare_section(findings: Findings) -> Content | None:
    """Every pair of models on the same rows: difference, interval, test."""
    if len(findings.names) < 2:
        return None
    found, paired = findings.comparisons, findings.study.paired
    if isinstance(found, str) or paired is None:
        return Content({"why_not": f"The models are not compared: {found}"})
    rows, read = len(paired.truth), findings.study.rows_read
    words = f"{rows:,} rows" if rows == read else f"{rows:,} of {read:,} rows"
    words += " that every model can use"
    if paired.cluster is not None:
        words += f", in {len(set(paired.cluster.tolist())):,} clusters"
    cut, pairs = None, len(found[0].pairs)
    if pairs > _MOST_DRAWN:
        listed = f" and {_MOST_LISTED} are listed" if pairs > _MOST_LISTED else ""
        cut = (
            f"Of {pairs:,} pairs the {_MOST_DRAWN} with the smallest p-values are drawn{listed}; "
            "the adjusted p-values count them all."
        )
    measures = [_measure(one, findings.names) for one in found]
    return Content(
        {
            "why_not": None,
            "rows": words,
            "level": level_words(findings.level),
            "alpha": f"{1 - findings.level:g}",
            "measures": measures,
            "cut": cut,
        },
        {"measures": [one["chart"] for one in measures]},
    )


# -- one measure ---------------------------------------------------------------------------------


def _measure(found: Comparison, names: list[str]) -> dict[str, Any]:
    """Return what the template and the script need to show the pairs in one measure."""
    title, pairs = statistic_of(found.statistic).title, found.pairs
    name = title if title.isupper() else f"{title[:1].lower()}{title[1:]}"
    if len(pairs) <= _MOST_SAID:
        sentences = [_sentence(pair, names, len(pairs)) for pair in pairs]
    else:
        words = (
            f"The tests separate {sum(map(is_apart, pairs)):,} of {len(pairs):,} pairs when all "
            "are counted. Of the others it is not known which is ahead; that does not show that "
            "they are equal."
        )
        sentences = [words]
    if len(found.names) > 2:
        sentences.insert(0, found.omnibus.sentence)
    drawn = [
        {
            "a": names[pair.a],
            "b": names[pair.b],
            "numbers": f"{_difference(pair)}\n{_chance(pair.p_value)}, adjusted (Holm) "
            f"{p_text(pair.adjusted_p_value)}",
            "low": pair.low,
            "difference": pair.difference,
            "high": pair.high,
            "apart": is_apart(pair),
        }
        for pair in _least(pairs, _MOST_DRAWN)
    ]
    return {
        "title": title,
        "method": _METHODS.get(found.method, found.method),
        "sentences": sentences,
        "pairs": [_cells(pair, names) for pair in _least(pairs, _MOST_LISTED)],
        "chart": {
            "name": name,
            "description": f"Differences in {name} with their intervals",
            "pairs": drawn,
        },
    }


def _least(pairs: tuple[Pair, ...], most: int) -> list[Pair]:
    """Return the pairs of the smallest p-values, in their order."""
    by_size = sorted(range(len(pairs)), key=lambda i: (pairs[i].p_value, -abs(pairs[i].z)))
    return [pairs[i] for i in sorted(by_size[:most])]


def _cells(pair: Pair, names: list[str]) -> list[str]:
    """Return a pair in words; a difference without any error has infinitely many errors."""
    errors = signed(pair.z, 2)
    if not math.isfinite(pair.z):
        errors = f"{'+' if pair.z > 0 else '−'}∞"
    return [
        names[pair.a],
        names[pair.b],
        signed(pair.difference),
        between(signed(pair.low), signed(pair.high)),
        errors,
        unbroken(p_text(pair.p_value)),
        unbroken(p_text(pair.adjusted_p_value)),
        pair.method,
    ]


def is_apart(pair: Pair) -> bool:
    """Say whether the test separates two models when all pairs are counted."""
    return pair.adjusted_p_value < 1 - pair.confidence_level


def _difference(pair: Pair) -> str:
    return f"{signed(pair.difference)} ({between(signed(pair.low), signed(pair.high))})"


def _chance(p_value: float) -> str:
    words = p_text(p_value)
    return unbroken(f"p {words}" if words.startswith("<") else f"p = {words}")


def _sentence(pair: Pair, names: list[str], pairs: int) -> str:
    """Say what was found of a pair."""
    if is_apart(pair):
        finding = f"{names[pair.a if pair.difference > 0 else pair.b]} is ahead"
    elif pair.difference == 0 and pair.standard_error == 0:
        finding = "nothing tells them apart on these rows"
    elif pair.low > 0 or pair.high < 0:
        finding = "not separated once all pairs are counted"
    else:
        finding = "not separated, either may be ahead"
    chance = _chance(pair.adjusted_p_value)
    if pairs > 1:
        chance = f"adjusted {chance} (Holm, {pairs} pairs)"
    return f"{names[pair.a]} − {names[pair.b]}: {_difference(pair)}, {chance}: {finding}."


# -- the best model ------------------------------------------------------------------------------


def verdict(findings: Findings) -> str | None:
    """Say which model has the largest area, and whether the tests separate it from the others."""
    if len(findings.names) < 2:
        return None
    found = findings.comparisons
    areas: Mapping[Any, float] = dict(enumerate(one.auc for one in findings.summaries))
    if not isinstance(found, str):
        areas = found[0].estimates
    most = max(areas.values())
    best = [place for place, area in areas.items() if area == most]
    ahead = joined([findings.names[place] for place in best])
    ahead += " ranks best" if len(best) == 1 else " rank equally best"
    tested = f"No test says how it would be on other data: {found}"
    if not isinstance(found, str):
        tested = _tested(found[0], best, findings)
    costs = "Which model is best also depends on costs, see below."
    return f"By area, {ahead} on these data. {tested} {costs}"


def _tested(found: Comparison, best: list[int], findings: Findings) -> str:
    """Say from which other models the tests separate the best."""
    others = [place for place in range(len(found.names)) if place not in best]
    unclear = {
        place
        for pair in found.pairs
        if not is_apart(pair)
        for place, other in ((pair.a, pair.b), (pair.b, pair.a))
        if other in best and place not in best
    }
    apart = [findings.names[place] for place in others if place not in unclear]
    doubtful = [findings.names[place] for place in others if place in unclear]
    it = "it" if len(best) == 1 else "them"
    at = f"at the {level_words(1 - findings.level)} level, all pairs counted"
    if not others:
        return "That does not show that they are equal."
    if not doubtful:
        return f"Paired tests separate {it} from {_named(apart)} {at}."
    if not apart:
        return (
            f"Paired tests do not separate {it} from {_named(doubtful)} {at}; that does not show "
            "that they are equal."
        )
    return (
        f"Paired tests separate {it} from {_named(apart)} {at}, but not from {_named(doubtful)}; "
        "that does not show that these are equal."
    )


def _named(names: list[str]) -> str:
    return joined(names) if len(names) <= _MOST_NAMED else f"{len(names)} others"
