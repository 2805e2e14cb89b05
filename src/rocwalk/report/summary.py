"""The first section: the verdict in words beside the curves, and the models in numbers."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

from rocwalk.curves.area import AUC
from rocwalk.curves.precision import precision_walk
from rocwalk.curves.rules import YOUDEN, OperatingRule
from rocwalk.drift.sensibility import sensibility
from rocwalk.evaluate.summary import Ends, Summary
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings
from rocwalk.report.numbers import (
    count,
    decimals_of,
    level_words,
    percent,
    rate,
    shown,
    threshold,
    unbroken,
    with_ends,
)
from rocwalk.report.truth import prt_words
from rocwalk.report.verdict.claims import NAME
from rocwalk.report.verdict.verdict import question_words, verdict
from rocwalk.smear.areas import PROBABILISTIC_AUC
from rocwalk.smear.widths import width_text
from rocwalk.statistic import in_table, words_of
from rocwalk.tally.walk import slack_of
from rocwalk.texts import joined
from rocwalk.truth.truth_statistics import AUC_PRT

_CHANCE = 0.5
_LOOKS = ("", "doubts", "warns")
_MOST_HEAT = 12


def summary_section(findings: Findings) -> Content:
    """The verdict beside the curves; below it the models in numbers, one row a model."""
    titles = [] if not findings.places else ["Ceiling (1 − AAPCC)", AUC_PRT.title]
    rows = []
    for k, (name, one) in enumerate(zip(findings.names, findings.numbers, strict=True)):
        more = []
        if findings.places:
            place, ends = findings.places[k]
            more = [rate(1 - place.aapcc), prt_words(place, ends)]
        rows.append({"model": name, "cells": _beside_auc(cells(one.summary, one.ends), more)})
    about, methods = None, {ends["interval_method"] for ends in findings.intervals} - {None}
    if methods:
        about = (
            f"In brackets: {level_words(findings.level)} intervals ({', '.join(sorted(methods))} "
            f"for AUC). {rates_words(findings.rule)}"
        )
    if findings.study.question.weight is not None:
        about = f"{WEIGHTED} {about or ''}".rstrip()
    titles = _beside_auc(headers(findings.rule), titles)
    left, notes = shown_columns(titles, rows), [*findings.study.notes, *_model_notes(findings)]
    return Content(
        {
            "lead": _lead(findings),
            "answers": _answers(findings),
            "heat": _heat(findings),
            "notes": notes,
            "headers": [titles[i] for i in left],
            "rows": [row | {"cells": [row["cells"][i] for i in left]} for row in rows],
            "hidden": hidden_words(
                [titles[i] for i in range(len(titles)) if i not in left],
                of_buckets=any(tally.is_bucketed for tally in findings.tallies),
            ),
            "about": about,
        },
        {
            "description": "ROC curves",
            "areas": [f"{AUC_PRT.title} {rate(place.auc_prt)}" for place, _ in findings.places]
            or [f"{AUC.title} {rate(one.auc)}" for one in findings.summaries],
        }
        if findings.models
        else None,
    )


def _answers(findings: Findings) -> list[dict[str, Any]]:
    """Return the verdict by question: its sentences, and the most urgent look of them."""
    answers: dict[str, dict[str, Any]] = {}
    for said in verdict(findings):
        one = answers.setdefault(
            said.question,
            {
                "name": said.question,
                "question": question_words(findings, said.question),
                "look": "",
                "sentences": [],
            },
        )
        one["sentences"].append((said.name, marked(said.marked)))
        one["look"] = max(one["look"], said.look, key=_LOOKS.index)
    return list(answers.values())


def marked(words: str) -> str:
    """Return a sentence as HTML in which names of models stand out."""
    safe = html.escape(words)
    return safe.replace(NAME[0], "<strong>").replace(NAME[1], "</strong>")


def _heat(findings: Findings) -> dict[str, Any] | None:
    """Return the AUC of every pair of classes, as a table whose cells are shaded by it."""
    areas = findings.classes
    if areas is None or len(areas.labels) > _MOST_HEAT:
        return None
    found = {frozenset(pair): area for pair, area in areas.pairwise.items()}
    rows = []
    for one in areas.labels:
        pairs = [found.get(frozenset((one, other)), math.nan) for other in areas.labels]
        rows.append(
            {
                "name": shown(one),
                "cells": [
                    {"words": "", "shade": ""}
                    if math.isnan(x)
                    # how well a pair is told apart, in five steps from chance to 1
                    else {
                        "words": rate(x, 3),
                        "shade": f"heat{min(max(int((x - _CHANCE) / 0.1), 0), 4)}",
                    }
                    for x in pairs
                ],
            }
        )
    return {"names": [shown(one) for one in areas.labels], "rows": rows}


def _lead(findings: Findings) -> str:
    """Say which items there are, and what an AUC is."""
    if not findings.summaries:
        return (
            f"{findings.study.rows_read:,} items in several classes. Each class is set against the "
            "rest, and every two classes against each other."
        )
    first = findings.summaries[0]
    if first.is_soft:
        share = "truth"
        if findings.raters.votes is not None:
            is_graded = findings.raters.votes[0].ballot.scale.is_graded
            share = "rescaled rating" if is_graded else "share of positive votes"
        return (
            f"{first.rows:,} items, mean {share} {percent(first.prevalence)}. Each item counts as "
            "positive by its share and as negative by the rest. The area under a ROC curve (AUC) "
            "is the probability that an item drawn as a positive outscores one drawn as a "
            "negative, which may be the same item; ties count one half."
        )
    about = "About " if findings.study.is_noised else ""
    return (
        f"{about}{first.rows:,} items, {percent(first.prevalence)} of them positive. The area "
        "under a ROC curve (AUC) is the probability that a random positive outscores a random "
        "negative; ties count one half."
    )


def _model_notes(findings: Findings) -> list[str]:
    """Say how far buckets err."""
    notes, noised = [], findings.study.is_noised
    for k, tally in enumerate(findings.tallies):
        if tally.is_bucketed:
            bounds = dict(findings.summaries[k].bounds)
            precision = precision_walk(findings.models[k].exact)
            bounds["average_precision"] = precision.average_precision_bounds
            if k in findings.probabilities and not tally.is_shared:
                bounds["struggle_ratio"] = sensibility(tally).struggle_ratio_bounds
            off = [f"{words_of(name)} ± {slack_of(each):.2g}" for name, each in bounds.items()]
            words = "from buckets, estimated from noised counts" if noised else "from buckets"
            notes.append(f"{findings.names[k]}, {words}: {', '.join(off)}.")
    return notes


# -- the table of models and of subgroups ----------------------------------------------------------


def _beside_auc(row: list[str], more: list[str]) -> list[str]:
    """Return a row with more cells after that of the AUC."""
    after = headers().index(AUC.title) + 1
    return [*row[:after], *more, *row[after:]]


def headers(rule: OperatingRule = YOUDEN) -> list[str]:
    """Return the heads of the columns of `cells`."""
    titles = []
    for entry in in_table("page"):
        titles.append(entry.title)
        if entry is PROBABILISTIC_AUC:
            titles.append("Matched width")
    return ["Rows", "Positives", *titles, threshold_title(rule), "TPR there", "FPR there"]


def threshold_title(rule: OperatingRule) -> str:
    """Return the head of a column of thresholds: only a chosen one is the best."""
    return "Best threshold ≥" if rule.is_chosen else "Threshold ≥"


def rates_words(rule: OperatingRule) -> str:
    """Say whether rates at the threshold are flattered by its choice."""
    if not rule.is_chosen:
        return "The rates are those of the threshold that was given."
    return (
        "The rates are those of a threshold chosen on the same data, so they are a little too good."
    )


NOT_FOR_THESE = "not for these scores"
WEIGHTED = "Positives are the sum of their weights, rows are counted."


def shown_columns(titles: list[str], rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return the columns in which some row has a number."""
    return [
        i
        for i in range(len(titles))
        if not rows or any(row["cells"][i] != NOT_FOR_THESE for row in rows)
    ]


def hidden_words(titles: list[str], *, of_buckets: bool = False) -> str | None:
    """Say once which columns have nothing to show."""
    why = "in buckets or no probabilities" if of_buckets else "no probabilities"
    return f"Not for these scores, which are {why}: {joined(titles)}." if titles else None


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

    none = width = NOT_FOR_THESE
    if one.match is not None:
        width = "none" if one.match.width is None else width_text(one.match.width)
    for entry in in_table("page"):
        value = one[entry.name]
        row.append(none if value is None else written(entry.name, value, entry.digits))
        if entry is PROBABILISTIC_AUC:
            row.append(width)
    point = one.choice
    low, high = point.interval
    return [*row, threshold(high, low), written("tpr", point.tpr), written("fpr", point.fpr)]
