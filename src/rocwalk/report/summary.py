"""The first section: what the study shows in plain words, and the models in numbers."""

from __future__ import annotations

import math

from rocwalk.curves.area import AUC
from rocwalk.curves.choices import Choice
from rocwalk.curves.precision import precision_walk
from rocwalk.drift.sensibility import sensibility
from rocwalk.evaluate.summary import Ends, Summary
from rocwalk.report.compare import verdict
from rocwalk.report.document import Content
from rocwalk.report.drift import drift_words
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import (
    count,
    decimals_of,
    level_words,
    percent,
    rate,
    threshold,
    unbroken,
    with_ends,
)
from rocwalk.report.truth import prt_words
from rocwalk.smear.areas import PROBABILISTIC_AUC
from rocwalk.smear.widths import width_text
from rocwalk.statistic import in_table, words_of
from rocwalk.tally.walk import slack_of
from rocwalk.truth.reference_truth import AUC_PRT

_CHANCE = 0.5


def summary_section(findings: Findings) -> Content:
    """What the study shows, with one tile and one row a model."""
    titles = [] if not findings.places else ["Ceiling (1 − AAPCC)", AUC_PRT.title]
    rows, raters = [], None
    if findings.votes is not None:
        kappa = rate(findings.votes[0].fleiss_kappa, 3)
        titles.append("Fleiss’ kappa of the votes")
        raters = {
            "name": "Agreement of the raters",
            "value": kappa,
            "unit": "Fleiss’ kappa",
            "words": "1 is agreement, 0 as much as by chance. Read the models against it: where "
            "raters disagree, no order of the items reaches an AUC of 1.",
        }
    for k, (name, one) in enumerate(zip(findings.names, findings.numbers, strict=True)):
        more = [] if raters is None else [raters["value"]]
        if findings.places:
            place, ends = findings.places[k]
            more = [rate(1 - place.aapcc), prt_words(place, ends), *more]
        rows.append({"model": name, "cells": _beside_auc(cells(one.summary, one.ends), more)})
    about, methods = None, {ends["interval_method"] for ends in findings.intervals} - {None}
    if methods:
        about = (
            f"In brackets: {level_words(findings.level)} intervals ({', '.join(sorted(methods))} "
            "for AUC). The rates are those of a threshold chosen on the same data, so they are a "
            "little too good."
        )
    return Content(
        {
            "lead": _lead(findings),
            "tiles": [_tile(findings, k) for k in range(len(rows))] or _class_tiles(findings),
            "raters": raters,
            "verdict": verdict(findings),
            "drifts": drift_words(findings),
            "notes": [*findings.study.notes, *_model_notes(findings)],
            "headers": _beside_auc(headers(), titles),
            "rows": rows,
            "about": about,
        }
    )


def _lead(findings: Findings) -> str:
    """Say which items there are, and what an AUC is."""
    if not findings.summaries:
        return (
            f"{findings.study.rows_read:,} items in several classes. Each class is set against the "
            "rest, and every two classes against each other."
        )
    first = findings.summaries[0]
    if first.is_soft:
        share = "share of positive votes" if findings.votes else "truth"
        return (
            f"{first.rows:,} items, mean {share} {percent(first.prevalence)}. Each item counts as "
            "positive by its share and as negative by the rest. The area under a ROC curve (AUC) "
            "is the probability that an item drawn as a positive outscores one drawn as a "
            "negative, which may be the same item; ties count one half."
        )
    return (
        f"{first.rows:,} items, {percent(first.prevalence)} of them positive. The area under a ROC "
        "curve (AUC) is the probability that a random positive outscores a random negative; ties "
        "count one half."
    )


def _model_notes(findings: Findings) -> list[str]:
    """Ask of models that rank backwards whether something is reversed; say how far buckets err."""
    notes = [
        f"{name} ranks backwards: its AUC of {rate(one.summary.auc, 3)} lies below one half with "
        "its whole interval, so negatives tend to score higher. Is the positive label the right "
        "one, or is the score turned round?"
        for name, one in zip(findings.names, findings.numbers, strict=True)
        if one.ends["auc_high"] is not None and one.ends["auc_high"] < _CHANCE
    ]
    for k, tally in enumerate(findings.tallies):
        if tally.is_bucketed:
            bounds = dict(findings.summaries[k].bounds)
            precision = precision_walk(findings.models[k].exact)
            bounds["average_precision"] = precision.average_precision_bounds
            if k in findings.probabilities:
                bounds["struggle_ratio"] = sensibility(tally).struggle_ratio_bounds
            off = [f"{words_of(name)} ± {slack_of(each):.2g}" for name, each in bounds.items()]
            notes.append(f"{findings.names[k]}, from buckets: {', '.join(off)}.")
    return notes


# -- tiles -----------------------------------------------------------------------------------------


def _tile(findings: Findings, k: int) -> dict[str, str]:
    """Return the AUC of a model, and what its best threshold does."""
    one, ends = findings.summaries[k], findings.intervals[k]
    words, choice = one.sentence, one.choice
    if choice is not None and math.isinf(choice.threshold):
        words = (
            "No threshold does better than calling nothing positive, if both rates count alike: "
            "at every score it would find no larger share of the positives than of the negatives."
        )
    elif choice is not None:
        words = (
            f"At a score of {_best(choice)} or more it finds {percent(choice.tpr)} of the "
            f"positives and calls {percent(choice.fpr)} of the negatives positive: its best "
            "threshold if both rates count alike."
        )
    if findings.places:
        place, _ = findings.places[k]
        words = (
            f"No order of these items has an AUC above {rate(1 - place.aapcc, 3)}; from the worst "
            f"order to the best it has come {rate(place.auc_prt, 3)} of the way (AUC_PRT). {words}"
        )
    unit = "AUC"
    if ends["auc_low"] is not None:
        unit = f"AUC, {rate(ends['auc_low'], 3)} to {rate(ends['auc_high'], 3)}"
    return {"name": findings.names[k], "value": rate(one.auc), "unit": unit, "words": words}


def _class_tiles(findings: Findings) -> list[dict[str, str]]:
    """Return the mean areas of several classes."""
    areas = findings.classes
    if areas is None:
        return []
    return [
        {
            "name": "Hand & Till",
            "value": rate(areas.hand_till),
            "unit": "mean area",
            "words": "The mean over all pairs of classes; how common a class is does not matter.",
        },
        {
            "name": "Provost & Domingos",
            "value": rate(areas.provost_domingos),
            "unit": "mean area",
            "words": "The mean over classes against the rest; common classes count more.",
        },
    ]


# -- the table of models and of subgroups ----------------------------------------------------------


def _beside_auc(row: list[str], more: list[str]) -> list[str]:
    """Return a row with more cells after that of the AUC."""
    after = headers().index(AUC.title) + 1
    return [*row[:after], *more, *row[after:]]


def headers() -> list[str]:
    """Return the heads of the columns of `cells`."""
    titles = []
    for entry in in_table("page"):
        titles.append(entry.title)
        if entry is PROBABILISTIC_AUC:
            titles.append("Matched width")
    return ["Rows", "Positives", *titles, "Best threshold ≥", "TPR there", "FPR there"]


def cells(one: Summary, ends: Ends) -> list[str]:
    """Return a model or subgroup in numbers, one for each of `headers`."""
    row = [f"{one.rows:,}", count(one.positives, decimals_of(one.positives + one.negatives))]
    if one.choice is None:
        return row + ["undefined"] * (len(headers()) - len(row))

    def written(name: str, value: float, digits: int = 4) -> str:
        if ends.get(f"{name}_low") is None:
            return rate(value, digits)
        words = with_ends(value, ends[f"{name}_low"], ends[f"{name}_high"])
        number, gap, brackets = words.partition(" ")
        return f"{number}{gap}{unbroken(brackets)}"

    none = width = "not for these scores"
    if one.match is not None:
        width = "none" if one.match.width is None else width_text(one.match.width)
    for entry in in_table("page"):
        value = one[entry.name]
        row.append(none if value is None else written(entry.name, value, entry.digits))
        if entry is PROBABILISTIC_AUC:
            row.append(width)
    point = one.choice
    return [*row, _best(point), written("tpr", point.tpr), written("fpr", point.fpr)]


def _best(choice: Choice) -> str:
    low, high = choice.interval
    return threshold(high, low)
