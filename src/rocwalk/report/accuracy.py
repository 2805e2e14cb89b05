"""The section on the accuracy of each model's rule, as a clinical reader wants it (STARD)."""

from __future__ import annotations

import math
from typing import Any

from rocwalk.curves.accuracy import AccuracyTable, accuracy_of
from rocwalk.curves.operating_points import point_at_threshold
from rocwalk.errors import OneClassError
from rocwalk.evaluate.summary import evidence_on
from rocwalk.report.evidence import Content, Material
from rocwalk.report.numbers import count, decimals_of, level_words, noted, rate, threshold, unbroken
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import walk_of

# clusters are resampled for every rate of every model: of more rows than this it takes too long
_MOST_CLUSTERED = 5_000


_RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")


def report_accuracy(material: Material) -> Content | None:
    """The confusion matrix and the accuracy of each model at its best threshold."""
    if not material.models:
        return None
    tables = [_table(material, k) for k in range(len(material.names))]
    return Content(
        {
            "rules": [_rule(material, k, table) for k, table in enumerate(tables)],
            "names": material.names,
            "rows": [
                (words, [_number(name, table.numbers[name]) for table in tables])
                for name, words in tables[0].words.items()
            ],
            "level": level_words(material.level),
            "intervals": _methods(material),
        }
    )


# -- numbers -------------------------------------------------------------------------------------


def _table(material: Material, k: int) -> AccuracyTable:
    """Return the accuracy of a model; without intervals where none can be had."""
    (name, _), tally = list(material.study.models or {})[k], material.tallies[k]
    choice = material.summaries[k].choice
    at = math.inf if choice is None else choice.threshold
    if _is_slow(material):
        return _bare(tally, at, material)
    evidence = evidence_on(material.study, name, tally)
    try:  # what is undefined, the table shows
        return noted(lambda: accuracy_of(evidence, at, material.level))[0]
    except OneClassError:
        return _bare(tally, at, material)


def _is_slow(material: Material) -> bool:
    rows = sum(tally.total_count for tally in material.tallies)
    return material.study.question.cluster is not None and rows > _MOST_CLUSTERED


def _bare(tally: Tally, at: float, material: Material) -> AccuracyTable:
    point = point_at_threshold(walk_of(tally), at)
    values = {"auc": tally.area, "prevalence": tally.prevalence}
    values |= {"sensitivity": point.tpr} | point.metrics()
    names = (
        "auc", "prevalence", "sensitivity", "specificity", "precision",
        "negative_predictive_value", "accuracy", *_RATIOS,
    )  # fmt: skip
    numbers = {name: (values[name], math.nan, math.nan) for name in names}
    return AccuracyTable(point, numbers, material.level)


# -- words ---------------------------------------------------------------------------------------


def _rule(material: Material, k: int, table: AccuracyTable) -> dict[str, Any]:
    """Return the rule of a model, the way of the rows and the confusion matrix, in words."""
    one, cells = material.models[k], table.point.confusion
    choice, used = material.summaries[k].choice, material.tallies[k].total_count
    low = -math.inf if choice is None else choice.interval[0]
    decimals = decimals_of(cells.total)
    called = cells.true_positives + cells.false_positives
    return {
        "name": one.name,
        "rule": "nothing is called positive"
        if math.isinf(table.threshold)
        else unbroken(f"score ≥ {threshold(table.threshold, low)}"),
        "read": f"{material.study.rows_read:,}",
        "used": f"{used:,}",
        "left_out": f"{material.study.rows_read - used:,}",
        "called": count(called, decimals),
        "others": count(cells.total - called, decimals),
        "masses": decimals > 0,
        "tp": count(cells.true_positives, decimals),
        "fp": count(cells.false_positives, decimals),
        "fn": count(cells.false_negatives, decimals),
        "tn": count(cells.true_negatives, decimals),
    }


def _number(name: str, ends: tuple[float, float, float]) -> tuple[str, str]:
    """Write a number and its interval; likelihood ratios in about three digits.

    >>> _number("sensitivity", (0.8, 0.712, 0.87)), _number(_RATIOS[0], (38.456, 12.3, math.inf))
    (('0.8000', '0.712 to 0.870'), ('38.5', '12.3 to ∞'))
    """
    value, low, high = ends
    ratio = name in _RATIOS
    words = _ratio(value) if ratio else rate(value)
    if math.isnan(low) or math.isnan(high):
        return words, ""
    written = [_ratio(end) if ratio else rate(end, 3) for end in (low, high)]
    return words, " to ".join(written)


def _ratio(value: float) -> str:
    return rate(value, 1 if value >= 10 else 2 if value >= 1 else 3)


def _methods(material: Material) -> str | None:
    """Say how the intervals of the shares were found, or why there are none."""
    if _is_slow(material):
        return (
            "With clusters the intervals need a bootstrap, which takes too long for so many rows: "
            "they are left out. That of the AUC is in the summary."
        )
    units = "clusters are resampled (fixed seed)"
    if material.study.question.cluster is None:
        units = "Wilson’s interval"
        if any(not tally.is_counts for tally in material.tallies):
            units += " with the effective number of items"
    return (
        f"Intervals of shares: {units}. Those of likelihood ratios follow from the intervals of "
        "sensitivity and specificity (Donner & Zou)."
    )
