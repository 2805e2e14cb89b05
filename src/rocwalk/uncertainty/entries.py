"""Entries."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from rocwalk.measure.area import area, partial_area
from rocwalk.measure.brier import brier
from rocwalk.measure.h_measure import h_measure
from rocwalk.measure.hull import hull
from rocwalk.measure.point import point_at_threshold
from rocwalk.measure.precision import precision_walk
from rocwalk.measure.pricing import envelope
from rocwalk.measure.probabilistic import (
    probabilistic_auc,
    probabilistic_gini,
    scored_auc,
)
from rocwalk.measure.sensibility import midpoint, split_of
from rocwalk.typing import FloatArray
from rocwalk.uncertainty.estimation import (
    Estimate,
    brier_influence,
    mean_score_influence,
    midpoint_influence,
    prevalence_influence,
    struggle_estimate,
)
from rocwalk.uncertainty.influence import (
    Influence,
    auc_influence,
    probabilistic_auc_influence,
)
from rocwalk.uncertainty.itemwise import _auc_prt, _auc_prt_psi, _expected_auc, _expected_auc_psi
from rocwalk.uncertainty.resample import areas_together, auc_replicates
from rocwalk.uncertainty.statistic import POSITIVE, UNIT, OfItems, Statistic, register
from rocwalk.walk.curve import walk_of
from rocwalk.walk.tally import Tally


def _area_of_tally(tally: Tally) -> float:
    return tally.area


AUC = register(
    Statistic(
        "auc",
        _area_of_tally,
        title="AUC",
        symbol="A",
        sentence="The probability that a random positive outscores a random negative; ties count "
        "one half.",
        references=("Fawcett 2006", "DeLong, DeLong & Clarke-Pearson 1988"),
        range=UNIT,
        conditional=True,
        is_area=True,
        influence=auc_influence,
        together=areas_together,
        replicates=auc_replicates,
    )
)


def _standardized_area(tally: Tally, max_fpr: float) -> float:
    return partial_area(walk_of(tally), max_fpr, standardized=True)


def partial_areas(
    _: FloatArray, up: FloatArray, right: FloatArray, max_fpr: float
) -> FloatArray:
    """Return McClish's standardised partial areas: of each step only what lies before the rate."""
    before_up, before_right = (np.cumsum(mass, axis=1) - mass for mass in (up, right))
    whole_up, whole_right = up.sum(axis=1), right.sum(axis=1)
    run = np.clip(max_fpr * whole_right[:, None] - before_right, 0, right)
    share = np.divide(run, right, out=np.zeros_like(run), where=right > 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = np.einsum("ij,ij->i", run, before_up + share * up / 2) / (whole_up * whole_right)
        areas: FloatArray = 0.5 * (1 + (parts / max_fpr - max_fpr / 2) / (1 - max_fpr / 2))
    return areas


PARTIAL_AUC = register(
    Statistic(
        "partial_auc",
        _standardized_area,
        title="Partial AUC",
        sentence="The area up to a false positive rate, standardised so that chance is one half "
        "and a perfect order 1.",
        references=("McClish 1989",),
        range=UNIT,
        conditional=True,
        together=partial_areas,
        parameters=("max_fpr",),
    )
)


def _hull_area(tally: Tally) -> float:
    return area(hull(walk_of(tally)))


HULL_AREA = register(
    Statistic(
        "hull_area",
        _hull_area,
        title="Hull area",
        sentence="The area under the convex hull of the curve: what the best mixtures of "
        "thresholds reach.",
        references=("Provost & Fawcett 2001",),
        range=(0.5, 1.0),
        conditional=True,
    )
)


def _h_measure(tally: Tally) -> float:
    whole = tally.total_up > 0 and tally.total_right > 0
    return h_measure(envelope(walk_of(tally))) if whole else math.nan


H_MEASURE = register(
    Statistic(
        "h_measure",
        _h_measure,
        title="H-measure",
        symbol="H",
        sentence="The share of the largest expected loss that the best thresholds avoid, averaged "
        "over cost ratios.",
        references=("Hand 2009", "Hand & Anagnostopoulos 2014"),
        range=UNIT,
    )
)


def _average_precision(tally: Tally) -> float:
    return precision_walk(walk_of(tally)).average_precision


AVERAGE_PRECISION = register(
    Statistic(
        "average_precision",
        _average_precision,
        title="Average precision",
        symbol="AP",
        sentence="The precision averaged over the recall that each threshold adds.",
        range=UNIT,
    )
)


def _rate(tally: Tally, threshold: float, name: str) -> float:
    return float(getattr(point_at_threshold(walk_of(tally), threshold), name))


RATES = tuple(
    register(
        Statistic(
            name,
            partial(_rate, name=name),
            title=title,
            sentence=sentence,
            range=UNIT,
            conditional=name in ("sensitivity", "specificity"),
            parameters=("threshold",),
        )
    ).name
    for name, title, sentence in (
        ("sensitivity", "Sensitivity", "The share of positives at or above the threshold."),
        ("specificity", "Specificity", "The share of negatives below the threshold."),
        ("precision", "Precision", "The share of positives among the items called positive."),
        (
            "negative_predictive_value",
            "Negative predictive value",
            "The share of negatives among the items called negative.",
        ),
        ("accuracy", "Accuracy", "The share of items on the right side of the threshold."),
    )
)


def _ginis(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        ginis: FloatArray = (up @ scores) / up.sum(axis=1) - (right @ scores) / right.sum(axis=1)
    return ginis


def _probabilistic_aucs(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    return 0.5 * (1 + _ginis(scores, up, right))


PROBABILISTIC_AUC = register(
    Statistic(
        "probabilistic_auc",
        probabilistic_auc,
        title="Probabilistic AUC",
        symbol="A_p",
        sentence="One half plus half the difference between the mean scores of positives and "
        "negatives.",
        references=("Ferri, Flach, Hernández-Orallo & Senad 2005",),
        range=UNIT,
        conditional=True,
        influence=probabilistic_auc_influence,
        together=_probabilistic_aucs,
        needs_probabilities=True,
    )
)


def _gini_influence(tally: Tally) -> Influence:
    half = probabilistic_auc_influence(tally)
    value = 2 * half.estimate - 1
    blur = None if half.blur is None else half.blur.times(2, (value, value))
    return Influence(value, 2 * half.up, 2 * half.right, blur)


PROBABILISTIC_GINI = register(
    Statistic(
        "probabilistic_gini",
        probabilistic_gini,
        title="Probabilistic Gini",
        sentence="The mean score of positives minus the mean score of negatives.",
        references=("Ferri, Flach, Hernández-Orallo & Senad 2005",),
        range=(-1.0, 1.0),
        conditional=True,
        influence=_gini_influence,
        together=_ginis,
        needs_probabilities=True,
    )
)
SCORED_AUC = register(
    Statistic(
        "scored_auc",
        scored_auc,
        title="Scored AUC",
        symbol="sAUC",
        sentence="The mean margin by which positives outscore negatives, over all pairs.",
        references=("Wu, Flach & Ferri 2007",),
        range=UNIT,
        conditional=True,
        needs_probabilities=True,
    )
)


def _briers(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    total = up @ (1 - scores) ** 2 + right @ scores**2
    briers: FloatArray = total / (up.sum(axis=1) + right.sum(axis=1))
    return briers


def _brier_estimate(tally: Tally) -> Estimate:
    return Estimate(brier_influence(tally))


BRIER = register(
    Statistic(
        "brier",
        brier,
        title="Brier score",
        sentence="The mean squared distance between score and truth; 0 is perfect.",
        references=("Brier 1950",),
        range=UNIT,
        direction="lower",
        estimate=_brier_estimate,
        together=_briers,
        needs_probabilities=True,
        needs_both=False,
    )
)


def _prevalence(tally: Tally) -> float:
    return tally.prevalence


def _prevalence_estimate(tally: Tally) -> Estimate:
    return Estimate(prevalence_influence(tally))


PREVALENCE = register(
    Statistic(
        "prevalence",
        _prevalence,
        title="Prevalence",
        symbol="π⁺",
        sentence="The share of positives.",
        range=UNIT,
        direction=None,
        estimate=_prevalence_estimate,
        needs_both=False,
    )
)


def _mean_score(tally: Tally) -> float:
    return tally.mean_score


def _mean_score_estimate(tally: Tally) -> Estimate:
    return Estimate(mean_score_influence(tally))


MEAN_SCORE = register(
    Statistic(
        "mean_score",
        _mean_score,
        title="Mean score",
        sentence="The mean score of all items.",
        direction=None,
        estimate=_mean_score_estimate,
        needs_both=False,
    )
)
AUC_PRT = register(
    Statistic(
        "auc_prt",
        _area_of_tally,
        title="AUC_PRT",
        sentence="How far the order of the scores has come from the worst (0) to the best (1) "
        "order that an uncertain truth allows.",
        references=("Gredlics, Raicu & Furst",),
        range=UNIT,
        conditional=True,
        is_area=True,
        influence=auc_influence,
        of_items=OfItems(_auc_prt, _auc_prt_psi),
    )
)
EXPECTED_AUC = register(
    Statistic(
        "expected_auc",
        _area_of_tally,
        title="Expected AUC",
        sentence="The AUC that labels drawn from the uncertain truth would have.",
        range=UNIT,
        conditional=True,
        is_area=True,
        influence=auc_influence,
        of_items=OfItems(_expected_auc, _expected_auc_psi),
    )
)


def _midpoint_estimate(tally: Tally) -> Estimate:
    return Estimate(midpoint_influence(tally))


MIDPOINT = register(
    Statistic(
        "midpoint",
        midpoint,
        title="Midpoint",
        symbol="t_s",
        sentence="Half the sum of scores over the number of positives: 0.5 where the scores add "
        "up to the positives.",
        references=("Klement, Japkowicz & Matwin 2009",),
        range=POSITIVE,
        direction=None,
        estimate=_midpoint_estimate,
        needs_probabilities=True,
    )
)


def _struggle_ratio(tally: Tally) -> float:
    whole = tally.total_up > 0 and tally.total_right > 0
    return split_of(tally).struggle_ratio if whole else math.nan


def _struggle_estimate(tally: Tally) -> Estimate:
    return struggle_estimate(tally, midpoint_influence(tally), fixed=False)


STRUGGLE_RATIO = register(
    Statistic(
        "struggle_ratio",
        _struggle_ratio,
        title="Struggle ratio",
        symbol="K",
        sentence="Items on the wrong side of the midpoint for each item on the right side; lower "
        "is better.",
        references=("Klement, Japkowicz & Matwin 2009",),
        range=POSITIVE,
        direction="lower",
        estimate=_struggle_estimate,
        needs_probabilities=True,
    )
)
