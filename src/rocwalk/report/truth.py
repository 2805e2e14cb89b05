"""The section on a truth that is a probability: the best and the worst order, and the raters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.evaluate.study import Paired, Study
from rocwalk.report.evidence import Content, Material, TruthEnds, prt_words, sample_on, shown
from rocwalk.report.numbers import few_digits, level_words, noted, percent, rate
from rocwalk.tally.walk import Walk, spread
from rocwalk.truth.agreement import Votes
from rocwalk.truth.rater_models import RaterModel
from rocwalk.truth.reference_truth import ReferenceTruth
from rocwalk.typing import FloatArray

_POINTS = 300


_MOST_BARS = 41


_STEPS = 10**8  # of votes in all iterations of EM; more take too long for a page


_FEWEST_ITERATIONS, _MOST_ITERATIONS = 20, 1000


def refer_to_truth(material: Material) -> Content | None:
    """The region that a soft truth leaves open with the curves in it; the votes behind it."""
    study = material.study
    soft = study.paired is not None and not study.paired.is_hard
    if not material.models or not (soft or study.ballot is not None):
        return None
    region = _region(material, study.paired) if soft and study.paired is not None else None
    raters = None if material.votes is None else _raters(material, *material.votes)
    return Content(
        {
            "level": level_words(material.level),
            "region": None if region is None else region["words"],
            "raters": None if raters is None else raters["words"],
        },
        {
            "region": None if region is None else region["drawn"],
            "votes": None if raters is None else raters["drawn"],
        },
    )


# -- the region between the worst and the perfect order ------------------------------------------


def _region(material: Material, paired: Paired) -> dict[str, Any]:
    found = material.places
    first = found[0][0]
    return {
        "words": {
            "rows": f"{len(paired.truth):,} of {material.study.rows_read:,}"
            if len(paired.truth) < material.study.rows_read
            else None,
            "highest": rate(1 - first.aapcc),
            "lowest": rate(first.auwcc),
            "alike": len(first.evidence.by_truth) < 2,
            "table": [_cells(n, *one) for n, one in zip(material.names, found, strict=True)],
            "printed": [
                (name, rate(one.auc_prt_printed))
                for name, (one, _) in zip(material.names, found, strict=True)
            ],
        },
        "drawn": {
            "description": "ROC curves between the worst and the perfect order",
            "worst": _line(first.worst.walk),
            "perfect": _line(first.perfect.walk),
            "curves": [_line(one.curve.walk) for one, _ in found],
            "values": [f"AUC_PRT {rate(one.auc_prt)}" for one, _ in found],
        },
    }


def _cells(name: str, one: ReferenceTruth, ends: TruthEnds) -> list[str]:
    shares = (one.auc, one.expected_auc, one.aapcc)
    auc, expected, above = map(rate, shares)
    return [name, auc, expected, prt_words(one, ends), above]


def _line(walk: Walk) -> list[list[float]]:
    """Return FPR and TPR of points that are spread evenly along a curve."""
    index = np.arange(len(walk))
    if len(index) > _POINTS:
        index = np.unique(spread(walk.fpr + walk.tpr, _POINTS))
    return [few_digits(walk.fpr[index]), few_digits(walk.tpr[index])]


# -- votes and raters ----------------------------------------------------------------------------


def _raters(material: Material, votes: Votes, notes: list[str]) -> dict[str, Any]:
    ballot = votes.ballot
    most = _STEPS // int(ballot.totals.sum())
    iterations = min(max(most, _FEWEST_ITERATIONS), _MOST_ITERATIONS)
    model, doubts = noted(lambda: votes.dawid_skene(max_iterations=iterations))
    return {
        "words": {
            "sentence": votes.sentence,
            "split": "undefined" if math.isnan(votes.split_share) else percent(votes.split_share),
            "kappa": rate(votes.fleiss_kappa, 3),
            "alpha": rate(votes.krippendorff_alpha, 3),
            "notes": notes,
            "doubts": doubts,
            "model": model.sentence,
            "raters": _rater_rows(model),
            "areas": _areas(material, model),
        },
        "drawn": {
            "description": "Items by their share of positive votes",
            "bars": _bars(ballot.truth),
        },
    }


def _rater_rows(model: RaterModel) -> list[list[str]]:
    columns = (model.raters, model.votes, model.sensitivity, model.specificity)
    return [
        [shown(name), f"{votes:,}", rate(sensitivity), rate(specificity)]
        for name, votes, sensitivity, specificity in zip(*columns, strict=True)
    ]


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


def _areas(material: Material, model: RaterModel) -> list[list[str]] | None:
    """Return each model's AUC against the mean of the votes and against Dawid and Skene's truth.

    None if the rows that all models use cannot be found again among the items.
    """
    paired = material.study.paired
    truth = None if paired is None else _truth_of_rows(material.study, paired, model)
    if paired is None or truth is None:
        return None
    return [
        [name, *(_area(paired, each, scores) for each in (paired.truth, truth))]
        for name, scores in zip(material.names, paired.scores.values(), strict=True)
    ]


def _area(paired: Paired, truth: FloatArray, scores: FloatArray) -> str:
    sample = sample_on(paired, truth.astype(np.float64), scores)
    return rate(noted(lambda: sample.tally().area)[0])


def _truth_of_rows(study: Study, paired: Paired, model: RaterModel) -> FloatArray | None:
    """Return Dawid and Skene's truth of the rows that all models use; None if they are unsure."""
    dropped = () if study.models is None else study.models.dropped_rows.values()
    kept = np.ones(study.rows_read, dtype=bool)
    for rows in dropped:
        kept[rows] = False
    columns = np.full((2, study.rows_read), np.nan)
    columns[:, model.items] = model.ballot.truth, np.clip(model.truth, 0.0, 1.0)
    mean: FloatArray = columns[0, kept]
    truth: FloatArray = columns[1, kept]
    if len(mean) != len(paired.truth) or not np.array_equal(mean, paired.truth.astype(float)):
        return None
    return truth
