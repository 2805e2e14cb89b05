"""The section that compares models on the same rows."""

from __future__ import annotations

import math
from typing import Any

from rocwalk.checks import as_number
from rocwalk.errors import Argument, OptionError
from rocwalk.inference.comparisons import Comparison, Pair
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import between, level_words, p_text, p_words, signed, unbroken
from rocwalk.smear.areas import PROBABILISTIC_AUC
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
            "margin": None if findings.equivalence is None else f"{findings.equivalence:g}",
            "curves": _whole_curves(findings) if findings.whole_curves else None,
        },
        {"measures": [one["chart"] for one in measures]},
    )


def check_pairs(equivalence: float | None, models: int, *, curves: bool) -> None:
    """Raise unless the margin is at least 0 and finite, and there are two models or more."""
    if equivalence is not None and not 0 <= as_number("equivalence", equivalence) < math.inf:
        raise OptionError(
            "is not a finite number of 0 or more.",
            "it is the largest difference that does not matter, such as 0.02.",
            option="equivalence",
            value=equivalence,
        )
    for name, is_asked in (("equivalence", equivalence is not None), ("curves", curves)):
        if is_asked and models < 2:
            raise OptionError(
                "needs two models or more.",
                ("name several columns of scores in ", Argument("score"), "."),
                argument=name,
            )


def _whole_curves(findings: Findings) -> dict[str, Any]:
    """Return the tests of equal curves, what they say, or why there are none."""
    found, names = findings.curve_tests, findings.names
    if isinstance(found, str):
        return {"why_not": found}
    pairs = found.pairs
    listed = sorted(pairs, key=lambda pair: pair.p_value)[:_MOST_LISTED]
    apart = [pair for pair in pairs if pair.differ]
    words = [
        f"{names[pair.a]} and {names[pair.b]}: the curves differ somewhere, be their areas equal "
        "or not."
        for pair in apart[:_MOST_SAID]
    ]
    alike = len(pairs) - len(apart)
    if alike:
        others = f"{alike:,} {'other ' if apart else ''}{'pair' if alike == 1 else 'pairs'}"
        words.append(
            f"In {others} no difference of the curves was found; that does not make them equal."
        )
    return {
        "why_not": None,
        "sentences": words,
        "many": len(pairs) > 1,
        "permutations": f"{found.n_resamples:,}",
        "rows": [
            [
                names[pair.a],
                names[pair.b],
                f"{pair.distance:.4f}",
                f"{pair.statistic:g}",
                unbroken(p_text(pair.p_value)),
                unbroken(p_text(pair.adjusted_p_value)),
            ]
            for pair in pairs
            if pair in listed
        ],
    }


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
        sentences.insert(0, _all_at_once(found))
    drawn = [
        {
            "a": names[pair.a],
            "b": names[pair.b],
            "numbers": f"{_difference(pair)}\n{p_words(pair.p_value)}, adjusted (Holm) "
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


def _all_at_once(found: Comparison) -> str:
    """Say what the test of all models at once found."""
    test = found.omnibus
    if math.isnan(test.p_value):
        return test.sentence
    number = f"χ² = {test.statistic:.3g} with {test.df} degrees of freedom"
    apart = test.p_value < 1 - found.confidence_level
    finding = "at least two of them differ" if apart else "no difference is shown"
    return f"All {test.models} models at once: {number}, {p_words(test.p_value)}: {finding}."


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
        *(
            "" if p_value is None else unbroken(p_text(p_value))
            for p_value in (
                pair.adjusted_non_inferior_p_value,
                pair.adjusted_equivalence_p_value,
            )
            if pair.margin is not None
        ),
        pair.method,
    ]


def is_apart(pair: Pair) -> bool:
    """Say whether the test separates two models when all pairs are counted."""
    return pair.adjusted_p_value < 1 - pair.confidence_level


def _difference(pair: Pair) -> str:
    return f"{signed(pair.difference)} ({between(signed(pair.low), signed(pair.high))})"


def _sentence(pair: Pair, names: list[str], pairs: int) -> str:
    """Say what was found of a pair."""
    is_better = pair.statistic != PROBABILISTIC_AUC.name  # overconfident scores have a larger one
    if is_apart(pair):
        more = "is ahead" if is_better else "has the larger one"
        finding = f"{names[pair.a if pair.difference > 0 else pair.b]} {more}"
    elif pair.difference == 0 and pair.standard_error == 0:
        finding = "nothing tells them apart on these rows"
    elif pair.low > 0 or pair.high < 0:
        finding = "not separated once all pairs are counted"
    else:
        finding = f"not separated, either may {'be ahead' if is_better else 'have the larger one'}"
    chance = p_words(pair.adjusted_p_value)
    if pairs > 1:
        chance = f"adjusted {chance} (Holm, {pairs} pairs)"
    words = f"{names[pair.a]} − {names[pair.b]}: {_difference(pair)}, {chance}: {finding}."
    return words if pair.margin_sentence is None else f"{words} {pair.margin_sentence}"
