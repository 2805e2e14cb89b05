"""What cannot be said, and why: few items, one class, scores that are no probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocwalk.curves.area import AUC
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import shown
from rocwalk.report.verdict.claims import DOUBTS, LIMITS, Claim, named, one_or_more
from rocwalk.result import numeral

FEW = 20  # items of a class, below which intervals are wide and tests weak


def _few(findings: Findings) -> tuple[str, float] | None:
    """Return the class of fewer units, if these are very few."""
    if not findings.evidence:
        return None
    positives, negatives = findings.evidence[0].effective_sizes
    word = "positives" if positives <= negatives else "negatives"
    least = min(positives, negatives)
    return (word, least) if least < FEW else None


def _few_words(findings: Findings, found: tuple[str, float]) -> str:
    word, size = found
    unit, is_one = word.removesuffix("s") if size == 1 else word, size == 1
    if findings.study.question.cluster is not None:
        unit = f"{'cluster' if is_one else 'clusters'} with {word}"
    return (
        f"Much: there {'is' if is_one else 'are'} only {size:.3g} {unit}. Intervals are wide, "
        "tests find large differences only, and a chosen threshold is uncertain."
    )


def _no_probabilities(findings: Findings, names: list[str]) -> str:
    first = findings.tallies[findings.names.index(names[0])]
    low, high = (numeral(x, ".4g") for x in (first.scores[-1], first.highest[0]))
    reach = f" (from {low} to {high})" if len(names) == 1 else ""
    verb = one_or_more(names, "is no probability", "are no probabilities")
    return (
        f"{named(names)}{reach} {verb}: nothing on calibration, probabilistic {AUC.title} or drift."
    )


def _one_class(findings: Findings) -> list[str] | None:
    """Return the subgroups that have one class only."""
    parts: Mapping[Any, Any] = findings.study.subgroups or {}
    found = {
        ", ".join(map(shown, key[1])): None
        for key, tally in parts.items()
        if not (tally.total_up > 0 and tally.total_right > 0)
    }
    return list(found) or None


CLAIMS = (
    Claim(
        "classes_only_ranked",
        LIMITS,
        lambda f: f.classes,
        lambda _, __: (
            "Whether the scores of the classes are calibrated, and which class to choose at "
            "what cost: only the ranking of several classes is measured here."
        ),
    ),
    Claim("few", LIMITS, _few, _few_words, DOUBTS),
    Claim("not_probabilities", LIMITS, lambda f: f.others or None, _no_probabilities),
    Claim(
        "one_class_groups",
        LIMITS,
        _one_class,
        lambda _, found: (
            f"Anything of {named(found) if len(found) < 4 else f'{len(found)} subgroups'}, which "
            f"{one_or_more(found, 'has', 'have')} one class only."
        ),
    ),
)
