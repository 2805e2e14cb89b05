"""The section on the accuracy of each model's rule, as a clinical reader wants it (STARD)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from rocwalk.curves.accuracy import NUMBERS, RATIOS, AccuracyTable, accuracy_of
from rocwalk.curves.coordinates import RATES
from rocwalk.curves.operating_points import point_at_threshold
from rocwalk.errors import OneClassError
from rocwalk.inference.distributions import normal_quantile
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import count, decimals_of, level_words, rate, threshold, unbroken
from rocwalk.report.rater_findings import noted
from rocwalk.statistic import entries
from rocwalk.tally.walk import walk_of

# clusters are resampled for every rate of every model: of more rows than this it takes too long
_MOST_CLUSTERED = 5_000


def accuracy_section(findings: Findings) -> Content | None:
    """The confusion matrix and the accuracy of each model at its best threshold."""
    if not findings.models:
        return None
    clustered = findings.study.question.cluster is not None
    rows = sum(tally.total_count for tally in findings.tallies)
    slow = clustered and rows > _MOST_CLUSTERED
    tables = [accuracy_at(findings, k, slow=slow) for k in range(len(findings.names))]
    if slow:
        intervals = (
            "With clusters the intervals need a bootstrap, which takes too long for so many rows: "
            "they are left out. That of the AUC is in the summary."
        )
    else:
        units = "clusters are resampled (fixed seed)" if clustered else "Wilson’s interval"
        if not clustered and any(not tally.is_counts for tally in findings.tallies):
            units += " with the effective number of items"
        noise = ", with the error of the noise added" if findings.study.is_noised else ""
        intervals = (
            f"Intervals of shares: {units}{noise}. Those of likelihood ratios follow from the "
            "intervals of sensitivity and specificity (Donner & Zou)."
        )
    return Content(
        {
            "rules": [_rule(findings, k, table) for k, table in enumerate(tables)],
            "names": findings.names,
            "rows": [
                (name, words, [_number(name, table.numbers[name]) for table in tables])
                for name, words in tables[0].words.items()
            ],
            "level": level_words(findings.level),
            "chosen": findings.rule.is_chosen,
            "intervals": intervals,
        },
        {
            "z": normal_quantile((1 + findings.level) / 2),
            # which cells of the confusion matrix are hits, and which are misses
            "shares": {
                name: (share.hits, share.misses) if (share := entries()[name].share) else None
                for name in RATES
            },
            "counts": not clustered
            and all(tally.is_counts and not tally.is_noised for tally in findings.tallies),
        },
    )


def accuracy_at(findings: Findings, k: int, *, slow: bool = False) -> AccuracyTable:
    """Return the accuracy of a model; without intervals where none can be had."""
    tally, choice = findings.tallies[k], findings.summaries[k].choice
    at = math.inf if choice is None else choice.threshold
    if not slow:
        try:  # what is undefined, the table shows
            found = noted(lambda: accuracy_of(findings.evidence[k], at, findings.level))[0]
            known, ends = findings.summaries[k], findings.intervals[k]
            if findings.study.is_noised and ends["auc_low"] is not None:
                area = (known.auc, ends["auc_low"], ends["auc_high"])
                return replace(found, numbers={**found.numbers, "auc": area})
            return found
        except OneClassError:
            pass
    point = point_at_threshold(walk_of(tally), at)
    values = {"auc": tally.area, "prevalence": tally.prevalence}
    values |= {"sensitivity": point.tpr} | point.metrics()
    numbers = {name: (values[name], math.nan, math.nan) for name in NUMBERS}
    return AccuracyTable(point, numbers, findings.level)


def _rule(findings: Findings, k: int, table: AccuracyTable) -> dict[str, Any]:
    """Return the rule of a model, the way of the rows and the confusion matrix, in words."""
    one, cells = findings.models[k], table.point.confusion
    choice, used = findings.summaries[k].choice, findings.tallies[k].total_count
    low = -math.inf if choice is None else choice.interval[0]
    decimals = decimals_of(cells.total)
    called = cells.true_positives + cells.false_positives
    return {
        "name": one.name,
        "rule": "nothing is called positive"
        if math.isinf(table.threshold)
        else unbroken(f"score ≥ {threshold(table.threshold, low)}"),
        "read": f"{findings.study.rows_read:,}",
        "used": f"{used:,}",
        "left_out": f"{findings.study.rows_read - used:,}",
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

    >>> _number("sensitivity", (0.8, 0.712, 0.87)), _number(RATIOS[0], (38.456, 12.3, math.inf))
    (('0.8000', '0.712 to 0.870'), ('38.5', '12.3 to ∞'))
    """
    value, low, high = ends
    ratio = name in RATIOS
    words = ratio_text(value) if ratio else rate(value)
    if any(map(math.isnan, ends)):
        return words, ""
    written = [ratio_text(end) if ratio else rate(end, 3) for end in (low, high)]
    return words, " to ".join(written)


def ratio_text(value: float) -> str:
    """Write a likelihood ratio in about three digits."""
    return rate(value, 1 if value >= 10 else 2 if value >= 1 else 3)
