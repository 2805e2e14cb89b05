"""Intervals for one statistic of one sample: which method, and why not another (SPEC §9)."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rocwalk.errors import OneClassError, OptionError
from rocwalk.measure.bounds import refuse_buckets
from rocwalk.uncertainty.bootstrap import bootstrap, from_replicates
from rocwalk.uncertainty.bucketed import bucketed_method, has_closed_form, sample_interval
from rocwalk.uncertainty.closed import (
    analytic,
    around,
    newcombe,
    prevalence_interval,
    wilson_interval,
    wilson_of_clusters,
)
from rocwalk.uncertainty.evidence import check_statistic, Evidence, Items, refuse_few
from rocwalk.uncertainty.itemwise import item_replicates, tally_of_items
from rocwalk.uncertainty.question import BOOTSTRAP, NOISE, Interval, Question
from rocwalk.uncertainty.statistic import (
    Statistic,
    value_of,
)


def interval_of(evidence: Evidence, question: Question) -> Interval:
    """Return the interval, by the method that is asked for or that suits."""
    tally, statistic = evidence.tally, question.statistic
    check_statistic(statistic, tally)
    refuse_few(evidence)
    if question.votes is not None or (statistic.of_items is not None and evidence.is_soft):
        return _of_items(evidence, question)
    if not statistic.is_registered and not tally.is_bucketed:
        value_of(statistic, tally)
    method = _chosen(evidence, question)
    if question.scale is not None and method not in ("delong", "influence", "obuchowski"):
        raise OptionError(
            f"scale={question.scale!r} is for closed forms, and the method is {method!r}.",
            "leave scale out.",
        )
    if method in BOOTSTRAP:
        refuse_buckets(tally, f"The bootstrap of {statistic.name}")
        found = bootstrap(evidence, question, method)
        spread = found.standard_error > NOISE or statistic.threshold is None
        return found if spread else wilson_of_clusters(evidence, question, found.estimate)
    return _closed(evidence, question, method)


def _closed(evidence: Evidence, question: Question, method: str) -> Interval:
    """Return an interval that needs no resampling."""
    statistic, tally = question.statistic, evidence.tally
    if method == "wilson":
        by_threshold = statistic.threshold is not None
        return (wilson_interval if by_threshold else prevalence_interval)(evidence, question)
    if statistic.influence is None:
        if has_closed_form(statistic, tally):
            return sample_interval(evidence, question)
        raise OptionError(
            f"There is no closed form for the error of {statistic.name}.",
            f"use one of {', '.join(map(repr, BOOTSTRAP))}, or 'auto'.",
        )
    influence = statistic.influence(tally)
    if method == "newcombe":
        return newcombe(evidence, question, influence.estimate, influence.ends)
    return analytic(evidence, question, method, influence)


def _chosen(evidence: Evidence, question: Question) -> str:
    """Return the method to use; "auto" takes the closed form where there is a good one."""
    statistic, method = question.statistic, question.method
    hard = evidence.even_weight is not None
    if method == "auto":
        if statistic.threshold is not None:
            return "wilson" if evidence.cluster is None else "percentile"
        if evidence.tally.is_bucketed and statistic.influence is None:
            return bucketed_method(statistic, evidence.tally)
        if statistic.influence is None:
            return "bca" if evidence.cluster is None else "percentile"
        if evidence.cluster is not None:
            return "obuchowski" if hard else "influence"
        return "delong" if hard and statistic.is_area else "influence"
    _refuse_unfit(evidence, statistic, method)
    return method


def _refuse_unfit(evidence: Evidence, statistic: Statistic, method: str) -> None:
    """Raise where a method is no method for these data or this statistic."""
    hard = evidence.even_weight is not None
    reasons = {
        "delong": (
            not statistic.is_area or not hard or evidence.cluster is not None,
            "is for the AUC of hard labels with constant weights",
            "use 'influence' for soft truth and weights, 'obuchowski' for clusters.",
        ),
        "obuchowski": (
            evidence.cluster is None or not hard,
            "is for clusters of hard labels",
            "give cluster=, or use 'influence'.",
        ),
        "newcombe": (not statistic.is_area, "is for the AUC", "use 'auto'."),
        "wilson": (
            statistic.threshold is None or evidence.cluster is not None,
            "is for rates at a threshold, without clusters",
            "use 'auto' or a bootstrap.",
        ),
    }
    unfit, words, hint = reasons.get(method, (False, "", ""))
    if unfit:
        raise OptionError(f"method={method!r} {words}.", hint)


# -- item by item --------------------------------------------------------------------------------


def _of_items(evidence: Evidence, question: Question) -> Interval:
    """Return the interval of a number that needs each item's truth, or of votes drawn again."""
    items = evidence.need_items(question.statistic.name)
    own, method = question.statistic.of_items, question.method
    closed = own is not None and question.votes is None
    if method == "auto":
        method = "influence" if closed else "percentile"
    fit = ("influence", *BOOTSTRAP) if closed else BOOTSTRAP
    if method not in fit:
        raise OptionError(
            f"method={method!r} is not for {question.statistic.name} of soft truth.",
            f"use one of {', '.join(map(repr, fit))}, or 'auto'.",
        )

    def of(drawn: Items) -> float:
        return own.of(drawn) if own is not None else question.statistic.of(tally_of_items(drawn))

    estimate = of(items)
    if math.isnan(estimate):
        raise OneClassError(
            f"{question.statistic.name} does not exist for these items.",
            "AUC_PRT needs two different truths, the expected AUC two items.",
        )
    if method != "influence":
        values = item_replicates(items, of, question.plan, question.votes)
        words = method
        if question.votes is not None:  # votes drawn twice are more extreme than they were
            words, values = f"{method}-votes", values + (estimate - np.nanmean(values))
        found = from_replicates(evidence, question, method, estimate, values, words)
        return found if question.votes is None else _at_least_of_items(found, evidence, question)
    psi = items.by_unit(own.psi(items)) if own is not None else np.empty(0)
    factor = 1.0 if items.cluster is None else len(psi) / (len(psi) - 1)
    error = math.sqrt(factor * float((psi**2).sum()))
    if not error > NOISE:
        return newcombe(evidence, question, estimate)
    return around(evidence, question, (estimate, error), "influence", None)


def _at_least_of_items(found: Interval, evidence: Evidence, question: Question) -> Interval:
    """Return an interval over items and votes that holds the one over items alone.

    Where the order is nearly perfect, replicates hardly differ, and theirs would be the shorter.
    """
    statistic = question.statistic
    if statistic.influence is None and statistic.of_items is None:
        return found
    alone = interval_of(evidence, replace(question, votes=None, method="auto"))
    return replace(found, low=min(found.low, alone.low), high=max(found.high, alone.high))
