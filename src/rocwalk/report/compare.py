"""The section that compares models on the same rows, and what it says of the best of them."""

from __future__ import annotations

import math
from typing import Any

from rocwalk.inference.comparisons import Comparison, Pair
from rocwalk.report.evidence import Content, Material
from rocwalk.report.numbers import between, joined, level_words, p_text, signed, unbroken

_MOST_DRAWN = 45


_MOST_LISTED = 300


_MOST_SAID = 10


_MOST_NAMED = 5


_MEASURES = {"auc": "AUC", "probabilistic_auc": "probabilistic AUC"}


_METHODS = {
    "delong": "DeLong’s test for curves of the same items",
    "influence": "the spread of what each item adds to the difference",
    "obuchowski": "Obuchowski’s test, which takes clusters as a whole",
}


def compare_models(material: Material) -> Content | None:
    """Every pair of models on the same rows: difference, interval, test."""
    if len(material.names) < 2:
        return None
    found = material.comparisons
    if isinstance(found, str):
        return Content({"why_not": f"The models are not compared: {found}"})
    measures = [_measure(one, material.names) for one in found]
    return Content(
        {
            "why_not": None,
            "rows": _rows(material),
            "level": level_words(material.level),
            "alpha": f"{1 - material.level:g}",
            "measures": measures,
            "cut": _cut(len(found[0].pairs)),
        },
        {"measures": [one["chart"] for one in measures]},
    )


def _rows(material: Material) -> str:
    """Say which rows are compared."""
    paired, read = material.study.paired, material.study.rows_read
    if paired is None:
        return ""
    rows = len(paired.truth)
    words = f"{rows:,} rows" if rows == read else f"{rows:,} of {read:,} rows"
    if paired.cluster is None:
        return f"{words} that every model can use"
    clusters = len(set(paired.cluster.tolist()))
    return f"{words} that every model can use, in {clusters:,} clusters"


def _cut(pairs: int) -> str | None:
    if pairs <= _MOST_DRAWN:
        return None
    listed = f" and {_MOST_LISTED} are listed" if pairs > _MOST_LISTED else ""
    return (
        f"Of {pairs:,} pairs the {_MOST_DRAWN} with the smallest p-values are drawn{listed}; the "
        "adjusted p-values count them all."
    )


# -- one measure ---------------------------------------------------------------------------------


def _measure(found: Comparison, names: list[str]) -> dict[str, Any]:
    """Return what the template and the script need to show the pairs in one measure."""
    name, pairs = _MEASURES[found.statistic], found.pairs
    return {
        "title": f"{name[:1].upper()}{name[1:]}",
        "method": _METHODS.get(found.method, found.method),
        "sentences": _sentences(found, names),
        "pairs": [_cells(pair, names) for pair in _least(pairs, _MOST_LISTED)],
        "chart": {
            "name": name,
            "description": f"Differences in {name} with their intervals",
            "pairs": [_drawn(pair, names) for pair in _least(pairs, _MOST_DRAWN)],
        },
    }


def _least(pairs: tuple[Pair, ...], most: int) -> list[Pair]:
    """Return the pairs of the smallest p-values, in their order."""
    by_size = sorted(range(len(pairs)), key=lambda i: (pairs[i].p_value, -abs(pairs[i].z)))
    return [pairs[i] for i in sorted(by_size[:most])]


def _cells(pair: Pair, names: list[str]) -> list[str]:
    return [
        names[pair.a],
        names[pair.b],
        signed(pair.difference),
        between(signed(pair.low), signed(pair.high)),
        _errors(pair.z),
        unbroken(p_text(pair.p_value)),
        unbroken(p_text(pair.adjusted_p_value)),
        pair.method,
    ]


def _drawn(pair: Pair, names: list[str]) -> dict[str, Any]:
    adjusted = p_text(pair.adjusted_p_value)
    return {
        "a": names[pair.a],
        "b": names[pair.b],
        "numbers": f"{_difference(pair)}\n{_chance(pair)}, adjusted {adjusted}",
        "low": pair.low,
        "difference": pair.difference,
        "high": pair.high,
        "apart": is_apart(pair),
    }


def _errors(z: float) -> str:
    """Write a difference in standard errors; without any error it has infinitely many.

    >>> _errors(-1.2345), _errors(float("inf"))
    ('−1.23', '+∞')
    """
    return signed(z, 2) if math.isfinite(z) else f"{'+' if z > 0 else '−'}∞"


def is_apart(pair: Pair) -> bool:
    """Say whether the test separates two models when all pairs are counted."""
    return pair.adjusted_p_value < 1 - pair.confidence_level


def _difference(pair: Pair) -> str:
    return f"{signed(pair.difference)} ({between(signed(pair.low), signed(pair.high))})"


def _chance(pair: Pair) -> str:
    words = p_text(pair.p_value)
    return unbroken(f"p {words}" if words.startswith("<") else f"p = {words}")


# -- words ---------------------------------------------------------------------------------------


def _sentences(found: Comparison, names: list[str]) -> list[str]:
    """Say each pair in words, or where there are many how many are separated."""
    pairs = found.pairs
    if len(pairs) <= _MOST_SAID:
        return [_sentence(pair, names, len(pairs)) for pair in pairs]
    apart = sum(map(is_apart, pairs))
    words = (
        f"The tests separate {apart:,} of {len(pairs):,} pairs when all are counted. Of the others "
        "it is not known which is ahead; that does not show that they are equal."
    )
    return [words]


def _sentence(pair: Pair, names: list[str], pairs: int) -> str:
    adjusted = unbroken(p_text(pair.adjusted_p_value))
    more = "" if pairs == 1 else f", adjusted for {pairs} comparisons {adjusted}"
    return (
        f"{names[pair.a]} less {names[pair.b]}: {_difference(pair)}, {_chance(pair)}{more}: "
        f"{_finding(pair, names)}."
    )


def _finding(pair: Pair, names: list[str]) -> str:
    if is_apart(pair):
        return f"{names[pair.a if pair.difference > 0 else pair.b]} is ahead"
    if pair.difference == 0 and pair.standard_error == 0:
        return "nothing tells them apart on these rows"
    if pair.low > 0 or pair.high < 0:
        return "not separated once all pairs are counted"
    return "not separated, either may be ahead"


def verdict(material: Material) -> str | None:
    """Say which model has the largest area, and whether the tests separate it from the others."""
    if len(material.names) < 2:
        return None
    found = material.comparisons
    costs = "Which model is best also depends on costs, see below."
    if isinstance(found, str):
        areas = dict(enumerate(one.auc for one in material.summaries))
        ahead = _ahead(_best(areas), material.names)
        return (
            f"By area, {ahead} on these data. No test says how it would be on other data: {found} "
            f"{costs}"
        )
    best = _best(found[0].estimates)
    tested = _tested(found[0], best, material)
    return f"By area, {_ahead(best, material.names)} on these data. {tested} {costs}"


def _best(areas: Any) -> list[int]:
    most = max(areas.values())
    return [place for place, area in areas.items() if area == most]


def _ahead(best: list[int], names: list[str]) -> str:
    said = joined([names[place] for place in best])
    return f"{said} ranks best" if len(best) == 1 else f"{said} rank equally best"


def _tested(found: Comparison, best: list[int], material: Material) -> str:
    """Say from which other models the tests separate the best."""
    others = [place for place in range(len(found.names)) if place not in best]
    unclear = {
        place
        for pair in found.pairs
        if not is_apart(pair)
        for place, other in ((pair.a, pair.b), (pair.b, pair.a))
        if other in best and place not in best
    }
    apart = [material.names[place] for place in others if place not in unclear]
    doubtful = [material.names[place] for place in others if place in unclear]
    it = "it" if len(best) == 1 else "them"
    at = f"at the {level_words(1 - material.level)} level, all pairs counted"
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
