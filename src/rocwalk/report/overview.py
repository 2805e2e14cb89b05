"""The first and the last section: the study in plain words, and where its numbers come from."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rocwalk.curves.area import AUC
from rocwalk.curves.operating_points import Choice
from rocwalk.curves.precision import precision_walk
from rocwalk.drift.sensibility import sensibility
from rocwalk.evaluate.study import Study
from rocwalk.evaluate.summary import Ends, Summary
from rocwalk.report.compare import verdict
from rocwalk.report.drift import drift_words
from rocwalk.report.evidence import Content, Material, prt_words, shown
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
from rocwalk.smear.areas import PROBABILISTIC_AUC
from rocwalk.smear.widths import width_text
from rocwalk.statistic import in_table
from rocwalk.tally.walk import slack_of
from rocwalk.truth.reference_truth import AUC_PRT
from rocwalk.version import __version__

_CHANCE = 0.5


def summarise(material: Material) -> Content:
    """Say what the study shows, with one tile and one row a model."""
    summaries = list(zip(material.names, material.summaries, material.intervals, strict=True))
    return Content(
        {
            "lead": _lead(material),
            "tiles": [_tile(material, k) for k in range(len(summaries))] or _class_tiles(material),
            "raters": _rater_tile(material),
            "verdict": verdict(material),
            "drifts": drift_words(material),
            "notes": [*material.study.notes, *_backward(material), *_bucket_notes(material)],
            "headers": _beside_auc(headers(), _truth_headers(material)),
            "rows": [
                {"model": name, "cells": _beside_auc(cells(one, ends), _truth_cells(material, k))}
                for k, (name, one, ends) in enumerate(summaries)
            ],
            "about": _about(material),
        }
    )


def _bucket_notes(material: Material) -> list[str]:
    """Say how far numbers can be from the exact ones where scores share buckets."""
    notes = []
    for k, tally in enumerate(material.tallies):
        if tally.is_bucketed:
            bounds = dict(material.summaries[k].bounds)
            precision = precision_walk(material.models[k].exact)
            bounds["average precision"] = precision.average_precision_bounds
            if k in material.probabilities:
                bounds["struggle ratio"] = sensibility(tally).struggle_ratio_bounds
            off = [f"{name.replace('_', ' ')} ± {slack_of(b):.2g}" for name, b in bounds.items()]
            notes.append(f"{material.names[k]}, from buckets: {', '.join(off)}.")
    return notes


def _lead(material: Material) -> str:
    if not material.summaries:
        return (
            f"{material.study.rows_read:,} items in several classes. Each class is set against the "
            "rest, and every two classes against each other."
        )
    first = material.summaries[0]
    if first.is_soft:
        share = "share of positive votes" if material.votes else "truth"
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


def _backward(material: Material) -> list[str]:
    """Ask of each model that ranks backwards whether something is turned round."""
    return [
        f"{name} ranks backwards: its AUC of {rate(one.auc, 3)} lies below one half with its whole "
        "interval, so negatives tend to score higher. Is the positive label the right one, or is "
        "the score turned round?"
        for name, one, ends in zip(
            material.names, material.summaries, material.intervals, strict=True
        )
        if ends["auc_high"] is not None and ends["auc_high"] < _CHANCE
    ]


# -- soft truth ----------------------------------------------------------------------------------


def _rater_tile(material: Material) -> dict[str, str] | None:
    """Return how far the raters agree, if there are any."""
    if material.votes is None:
        return None
    votes, _ = material.votes
    return {
        "name": "Agreement of the raters",
        "value": rate(votes.fleiss_kappa, 3),
        "unit": "Fleiss’ kappa",
        "words": "1 is agreement, 0 as much as by chance. Read the models against it: where raters "
        "disagree, no order of the items reaches an AUC of 1.",
    }


def _truth_headers(material: Material) -> list[str]:
    soft = ["Ceiling (1 − AAPCC)", AUC_PRT.title] if material.places else []
    return soft if material.votes is None else [*soft, "Kappa of the votes"]


def _truth_cells(material: Material, k: int) -> list[str]:
    """Return what the truth allows of a model, and how far the raters agree."""
    more = []
    if material.places:
        one, ends = material.places[k]
        more = [rate(1 - one.aapcc), prt_words(one, ends)]
    if material.votes is not None:
        more.append(rate(material.votes[0].fleiss_kappa, 3))
    return more


def _beside_auc(row: list[str], more: list[str]) -> list[str]:
    """Return a row with more cells after that of the AUC."""
    after = headers().index(AUC.title) + 1
    return [*row[:after], *more, *row[after:]]


# -- models --------------------------------------------------------------------------------------


def _about(material: Material) -> str | None:
    """Say what stands in brackets."""
    methods = sorted({ends["interval_method"] for ends in material.intervals} - {None})
    if not methods:
        return None
    return (
        f"In brackets: {level_words(material.level)} intervals ({', '.join(methods)} for AUC). The "
        "rates are those of a threshold chosen on the same data, so they are a little too good."
    )


def _tile(material: Material, k: int) -> dict[str, str]:
    name, one, ends = material.names[k], material.summaries[k], material.intervals[k]
    words = one.sentence if one.choice is None else _rule(one.choice)
    if material.places:
        place, _ = material.places[k]
        words = (
            f"No order of these items has an AUC above {rate(1 - place.aapcc, 3)}; from the worst "
            f"order to the best it has come {rate(place.auc_prt, 3)} of the way (AUC_PRT). {words}"
        )
    unit = "AUC"
    if ends["auc_low"] is not None:
        unit = f"AUC, {rate(ends['auc_low'], 3)} to {rate(ends['auc_high'], 3)}"
    return {"name": name, "value": rate(one.auc), "unit": unit, "words": words}


def _rule(choice: Choice) -> str:
    """Say what the best threshold does, or that none does any good."""
    if math.isinf(choice.threshold):
        return (
            "No threshold does better than calling nothing positive, if both rates count alike: "
            "at every score it would find no larger share of the positives than of the negatives."
        )
    return (
        f"At a score of {_best(choice)} or more it finds {percent(choice.tpr)} of the positives "
        f"and calls {percent(choice.fpr)} of the negatives positive: its best threshold if both "
        "rates count alike."
    )


def _class_tiles(material: Material) -> list[dict[str, str]]:
    areas = material.classes
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


def trace(material: Material) -> Content:
    """Say where the numbers come from: version, files, rows, options."""
    entries = [("rocwalk", __version__), ("Seed", str(material.seed))]
    entries += _read_from(material.study)
    if material.reference is not None:
        entries += [(f"Reference: {what}", words) for what, words in _read_from(material.reference)]
    entries += [(f"Option {name}", _words(value)) for name, value in material.options.items()]
    return Content({"entries": entries})


def _read_from(study: Study) -> list[tuple[str, str]]:
    """Say which files and rows a study was read from."""
    entries = [(f"File {name}", f"SHA-256 {digest}") for name, digest in study.files]
    entries += [("Rows read", f"{study.rows_read:,}")]
    return entries + [
        (f"Rows of {shown(name)}", f"{rows['used']:,} used, {rows['dropped']:,} dropped")
        for name, rows in study.rows.items()
    ]


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{shown(key)} = {shown(item)}" for key, item in value.items())
    return ", ".join(map(shown, value)) if isinstance(value, list | tuple) else shown(value)
