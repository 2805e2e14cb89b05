"""The intervals of the numbers that sum up a model."""

from __future__ import annotations

from typing import Any

from rocwalk.errors import OneClassError
from rocwalk.intake.study import Study
from rocwalk.measure.summary import Summary
from rocwalk.uncertainty.evidence import Evidence, Items, codes_of
from rocwalk.uncertainty.interval import interval_of
from rocwalk.uncertainty.question import Interval, Question
from rocwalk.uncertainty.resample import Plan
from rocwalk.uncertainty.statistic import Statistic, statistic_of
from rocwalk.walk.tally import Tally

_NO_PLAN = Plan(1)


def evidence_on(study: Study, model: Any, tally: Tally) -> Evidence:
    """Return the evidence on a model of a study; with items where clusters or soft truth need them.

    A model that has rows which other models lack has no items, unless there are clusters.
    """
    paired = study.paired
    if paired is None or (paired.cluster is None and paired.is_hard):
        return Evidence(tally)
    if paired.cluster is None and len(paired.truth) != tally.total_count:
        return Evidence(tally)
    weights = 1.0 if paired.weights is None else paired.weights
    up = weights * paired.truth.astype(float)
    cluster = None if paired.cluster is None else codes_of(paired.cluster)
    items = Items(up, weights - up, paired.scores[model], cluster)
    return Evidence(tally, items)


def summary_intervals(evidence: Evidence, one: Summary, level: float) -> dict[str, Interval]:
    """Return the intervals of the areas, and of both rates at the best threshold.

    Closed forms all; none where there are too few items, and none of the rates of clusters. The
    rates are those of a threshold chosen on the same data, so they flatter it.
    """
    if one.choice is None:
        return {}
    asked: dict[str, Statistic] = {"auc": statistic_of("auc")}
    if one.probabilistic_auc is not None:
        asked["probabilistic_auc"] = statistic_of("probabilistic_auc")
    items = evidence.items
    if evidence.is_soft and items is not None and items.truth.min() < items.truth.max():
        asked["auc_prt"] = statistic_of("auc_prt")
    if evidence.cluster is None:
        at = one.choice.threshold
        asked["tpr"] = statistic_of("sensitivity", threshold=at)
        asked["specificity"] = statistic_of("specificity", threshold=at)
    try:
        return {
            name: interval_of(evidence, Question(statistic, level, "auto", None, _NO_PLAN))
            for name, statistic in asked.items()
        }
    except OneClassError:
        return {}


Ends = dict[str, Any]


def interval_numbers(intervals: dict[str, Interval]) -> Ends:
    """Return the ends by the names that tables use; the false positive rate is 1 − specificity."""
    numbers: Ends = {}
    for name in ("auc", "probabilistic_auc", "auc_prt", "tpr"):
        found = intervals.get(name)
        numbers[f"{name}_low"] = None if found is None else found.low
        numbers[f"{name}_high"] = None if found is None else found.high
    numbers["auc_prt"] = intervals["auc_prt"].estimate if "auc_prt" in intervals else None
    true_negative = intervals.get("specificity")
    numbers["fpr_low"] = None if true_negative is None else 1 - true_negative.high
    numbers["fpr_high"] = None if true_negative is None else 1 - true_negative.low
    numbers["interval_method"] = intervals["auc"].method if "auc" in intervals else None
    return numbers
