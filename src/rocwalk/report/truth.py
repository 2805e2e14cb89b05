"""The section on a truth that is a probability: the best and the worst order, and the raters."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from rocwalk.evaluate.study import Paired
from rocwalk.report.document import Content
from rocwalk.report.findings import Findings, TruthEnds, noted
from rocwalk.report.numbers import (
    few_digits,
    level_words,
    percent,
    rate,
    shown,
    unbroken,
    with_ends,
)
from rocwalk.tally.walk import Walk, spread
from rocwalk.truth.rater_models import RaterModel
from rocwalk.truth.reference_truth import ReferenceTruth
from rocwalk.truth.votes import Votes
from rocwalk.typing import FloatArray

_POINTS = 300
_MOST_BARS = 41
SHARE, MEAN = "share of positive votes", "mean rating, rescaled"


def truth_section(findings: Findings) -> Content | None:
    """The region that a soft truth leaves open with the curves in it; the votes behind it."""
    if not findings.models or not (findings.places or findings.votes):
        return None
    region: dict[str, Any] = {"words": None, "drawn": None}
    raters: dict[str, Any] = {"words": None, "drawn": None}
    if findings.places and findings.study.paired is not None:
        region = _region(findings, findings.study.paired)
    if findings.votes is not None:
        raters = _raters(findings, findings.votes)
    return Content(
        {
            "level": level_words(findings.level),
            "region": region["words"],
            "raters": raters["words"],
        },
        {"region": region["drawn"], "votes": raters["drawn"]},
    )


def prt_words(one: ReferenceTruth, ends: TruthEnds) -> str:
    """Write AUC_PRT with its interval, if there is one."""
    prt, gap, brackets = with_ends(one.auc_prt, *ends).partition(" ")
    return f"{prt}{gap}{unbroken(brackets)}"


# -- the region between the worst and the perfect order ------------------------------------------


def _region(findings: Findings, paired: Paired) -> dict[str, Any]:
    """Return the region and the curves in it, in words and for drawing."""
    found, read = findings.places, findings.study.rows_read
    first, rows = found[0][0], len(paired.truth)
    named = list(zip(findings.names, found, strict=True))
    return {
        "words": {
            "rows": f"{rows:,} of {read:,}" if rows < read else None,
            "highest": rate(1 - first.aapcc),
            "lowest": rate(first.auwcc),
            "alike": len(first.evidence.by_truth) < 2,
            "table": [
                [name, rate(one.auc), rate(one.expected_auc), prt_words(one, ends), rate(one.aapcc)]
                for name, (one, ends) in named
            ],
            "costs": [
                [
                    name,
                    *map(rate, (one.h_measure, one.h_prt, one.cost_area, one.cost_area_prt)),
                ]
                for name, (one, _) in named
            ],
            "printed": [(name, rate(one.auc_prt_printed)) for name, (one, _) in named],
        },
        "drawn": {
            "description": "ROC curves between the worst and the perfect order",
            "worst": _line(first.worst.walk),
            "perfect": _line(first.perfect.walk),
            "curves": [_line(one.curve.walk) for one, _ in found],
            "values": [f"AUC_PRT {rate(one.auc_prt)}" for one, _ in found],
        },
    }


def _line(walk: Walk) -> list[list[float]]:
    """Return FPR and TPR of points that are spread evenly along a curve."""
    index = np.arange(len(walk))
    if len(index) > _POINTS:
        index = np.unique(spread(walk.fpr + walk.tpr, _POINTS))
    return [few_digits(walk.fpr[index]), few_digits(walk.tpr[index])]


# -- votes and raters ----------------------------------------------------------------------------


def _raters(findings: Findings, known: tuple[Votes, list[str]]) -> dict[str, Any]:
    """Return how far the raters agree and what each is worth, in words and for drawing."""
    votes, notes = known
    is_graded = votes.ballot.scale.is_graded
    return {
        "words": {
            "sentence": votes.sentence,
            "split": "undefined" if math.isnan(votes.split_share) else percent(votes.split_share),
            "kappa": rate(votes.fleiss_kappa, 3),
            "alpha": rate(votes.krippendorff_alpha, 3),
            "alpha_level": "interval" if is_graded else "nominal",
            "truth": "mean rating, rescaled onto 0 to 1"
            if is_graded
            else "share of positive votes",
            "is_graded": is_graded,
            "notes": notes,
            "model": _model(findings),
        },
        "drawn": {
            "description": f"Items by their {MEAN if is_graded else SHARE}",
            "axis": MEAN.capitalize() if is_graded else SHARE.capitalize(),
            "bars": _bars(votes.ballot.truth),
        },
    }


def _model(findings: Findings) -> dict[str, Any] | None:
    """Return Dawid and Skene's model in words; None for ratings without a cut."""
    if findings.rater_model is None:
        return None
    model, doubts = findings.rater_model
    columns = (model.raters, model.votes, model.sensitivity, model.specificity)
    return {
        "doubts": doubts,
        "sentence": model.sentence,
        "raters": [
            [shown(name), f"{count:,}", rate(sensitivity), rate(specificity)]
            for name, count, sensitivity, specificity in zip(*columns, strict=True)
        ],
        "areas": _areas(findings, model),
    }


def _bars(truth: FloatArray) -> list[list[float]]:
    """Return bars (from, to, items): one for each share, or bins where there are many shares."""
    shares, items = np.unique(truth, return_counts=True)
    if len(shares) > _MOST_BARS:
        edges = np.linspace(0, 1, _MOST_BARS)
        items = np.histogram(truth, edges)[0]
        ends = np.column_stack([edges[:-1], edges[1:]])
    else:
        half = min(0.04, 0.45 * float(np.diff(shares).min())) if len(shares) > 1 else 0.04
        ends = np.column_stack([shares - half, shares + half])
    return [[*few_digits(pair), int(n)] for pair, n in zip(ends, items, strict=True)]


def _areas(findings: Findings, model: RaterModel) -> list[list[str]] | None:
    """Return each model's AUC against the mean of the votes and against Dawid and Skene's truth.

    None if the rows that all models use cannot be found again among the items.
    """
    study, paired = findings.study, findings.study.paired
    if paired is None:
        return None
    kept = np.ones(study.rows_read, dtype=bool)
    for dropped in () if study.models is None else study.models.dropped_rows.values():
        kept[dropped] = False
    columns = np.full((2, study.rows_read), np.nan)
    columns[:, model.items] = model.ballot.truth, np.clip(model.truth, 0.0, 1.0)
    mean, truth = columns[:, kept]
    known = paired.truth.astype(np.float64)
    if len(mean) != len(known) or not np.array_equal(mean, known):
        return None
    rows = []
    for name, sample in zip(findings.names, paired.samples.values(), strict=True):
        row = [name]
        for each in (known, truth):
            soft = replace(sample, truth=each, is_hard=False)
            row.append(rate(noted(lambda: soft.tally().area)[0]))  # noqa: B023
        rows.append(row)
    return rows
