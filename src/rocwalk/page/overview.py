"""The first and the last section: the study in plain words, and where its numbers come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocwalk.front.sensibility import sensibility
from rocwalk.intake.study import Study
from rocwalk.measure.bounds import slack_of
from rocwalk.measure.choose import Choice
from rocwalk.measure.precision import precision_walk
from rocwalk.measure.summary import Summary
from rocwalk.measure.width import width_text
from rocwalk.page.compare import verdict
from rocwalk.page.drift import drift_words
from rocwalk.page.material import Content, Material, shown
from rocwalk.page.numbers import (
    count,
    decimals_of,
    level_words,
    percent,
    rate,
    threshold,
    unbroken,
    with_ends,
)
from rocwalk.uncertainty.summary import Ends
from rocwalk.version import __version__

HEADERS = (
    "Rows", "Positives", "AUC", "Hull area", "Probabilistic AUC", "Matched width",
    "Best threshold ≥", "TPR there", "FPR there",
)  # fmt: skip


def summarise(material: Material) -> Content:
    """Say what the study shows, with one tile and one row a model."""
    summaries = list(zip(material.names, material.summaries, material.intervals, strict=True))
    return Content(
        {
            "lead": _lead(material),
            "tiles": [_tile(name, one, ends) for name, one, ends in summaries]
            or _class_tiles(material),
            "verdict": verdict(material),
            "drifts": drift_words(material),
            "notes": [*material.study.notes, *_bucket_notes(material)],
            "headers": HEADERS,
            "rows": [{"model": name, "cells": cells(one, ends)} for name, one, ends in summaries],
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
    return (
        f"{first.rows:,} items, {percent(first.prevalence)} of them positive. The area under a ROC "
        "curve (AUC) is the probability that a random positive outscores a random negative; ties "
        "count one half."
    )


def _about(material: Material) -> str | None:
    """Say what stands in brackets."""
    methods = sorted({ends["interval_method"] for ends in material.intervals} - {None})
    if not methods:
        return None
    return (
        f"In brackets: {level_words(material.level)} intervals ({', '.join(methods)} for AUC). The "
        "rates are those of a threshold chosen on the same data, so they are a little too good."
    )


def _tile(name: str, one: Summary, ends: Ends) -> dict[str, str]:
    words = one.sentence
    if one.choice is not None:
        words = (
            f"At a score of {_best(one.choice)} or more it finds {percent(one.choice.tpr)} of the "
            f"positives and calls {percent(one.choice.fpr)} of the negatives positive: its best "
            "threshold if both rates count alike."
        )
    unit = "AUC"
    if ends["auc_low"] is not None:
        unit = f"AUC, {rate(ends['auc_low'], 3)} to {rate(ends['auc_high'], 3)}"
    return {"name": name, "value": rate(one.auc), "unit": unit, "words": words}


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


def cells(one: Summary, ends: Ends) -> list[str]:
    """Return a model or subgroup in numbers, in the order of `HEADERS`."""
    positives = count(one.positives, decimals_of(one.positives + one.negatives))
    if one.choice is None:
        return [f"{one.rows:,}", positives, *["undefined"] * 7]

    def written(name: str, value: float) -> str:
        words = with_ends(value, ends[f"{name}_low"], ends[f"{name}_high"])
        number, gap, brackets = words.partition(" ")
        return f"{number}{gap}{unbroken(brackets)}"

    none = "not for these scores"
    smeared = one.probabilistic_auc
    return [
        f"{one.rows:,}",
        positives,
        written("auc", one.auc),
        rate(one.hull_area),
        none if smeared is None else written("probabilistic_auc", smeared),
        _width(one),
        _best(one.choice),
        written("tpr", one.choice.tpr),
        written("fpr", one.choice.fpr),
    ]


def _width(one: Summary) -> str:
    if one.match is None:
        return "not for these scores"
    return "none" if one.match.width is None else width_text(one.match.width)


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
