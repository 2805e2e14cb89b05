"""Areas that keep the probabilities: probabilistic AUC, its Gini, and scored AUC (SPEC §2).

Over pairs of a positive and a negative, AUC averages the sign of the difference D of their
scores; the probabilistic Gini averages D itself, and scored AUC the part of D above zero.
"""

from __future__ import annotations

import math

import numpy as np

from rocwalk.errors import ScoreError
from rocwalk.intake.arrays import Sample
from rocwalk.measure.bounds import refuse_buckets
from rocwalk.typing import AnyArray, FloatArray
from rocwalk.walk.curve import walk_of
from rocwalk.walk.tally import Tally

_BLOCK = 2**17


def probabilistic_gini(data: Sample | Tally) -> float:
    """Return m⁺ − m⁻, m⁺ = Σ u·s / U, m⁻ = Σ r·s / R; NaN when a class has no mass.

    Exact even from buckets, because a tally keeps Σ u·s and Σ r·s.
    """
    if isinstance(data, Tally):
        up, right = float(data.up_score.sum()), float(data.right_score.sum())
        masses = data.total_up, data.total_right
    else:
        masses, (up, right) = _masses_and_moments(data)
    if not (masses[0] > 0 and masses[1] > 0):
        return math.nan
    return float(up / masses[0] - right / masses[1])


def probabilistic_auc(data: Sample | Tally) -> float:
    """Return A_p = ½(1 + m⁺ − m⁻) (Ferri et al., section 2: pAUC)."""
    return 0.5 * (1.0 + probabilistic_gini(data))


def _masses_and_moments(sample: Sample) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return U, R and Σ u·s, Σ r·s of checked data."""
    truth, scores = sample.truth, sample.scores
    if sample.is_counts:  # the moment of the larger class by difference: nothing cancels
        up, total = float(truth.sum()), float(scores.sum())
        right = len(scores) - up
        if up <= right:
            moment = _dot(truth, scores)
            return (up, right), (moment, total - moment)
        moment = _dot(truth == 0, scores)
        return (up, right), (total - moment, moment)
    weight = 1.0 if sample.weights is None else sample.weights
    masses = weight * truth, weight * (1 - truth.astype(np.float64))
    return (
        (float(masses[0].sum()), float(masses[1].sum())),
        (_dot(masses[0], scores), _dot(masses[1], scores)),
    )


def _dot(share: AnyArray, scores: FloatArray) -> float:
    """Return Σ share·score, block by block so that the copy of the shares stays in the cache."""
    room, sums = np.empty(min(_BLOCK, len(scores))), []
    for at in range(0, len(scores), _BLOCK):
        part = scores[at : at + _BLOCK]
        np.copyto(room[: len(part)], share[at : at + _BLOCK])
        sums.append(float(room[: len(part)] @ part))
    return math.fsum(sums)


def scored_auc(tally: Tally) -> float:
    """Return the weighted mean over pairs of (sᵢ − sⱼ)₊ (Wu & Flach's scored AUC).

    Between two neighbouring scores every positive above beats every negative below by at least
    the distance, so the mean is Σ (s_k − s_{k+1})·TPR_k·(1 − FPR_k) along the walk.
    """
    refuse_buckets(tally, "Scored AUC", "the order of all scores")
    walk = walk_of(tally)
    if not (walk.up[-1] > 0 and walk.right[-1] > 0):
        return math.nan
    distance = -np.diff(tally.scores)
    return float((distance * (walk.tpr * (1.0 - walk.fpr))[1:-1]).sum())


def in_unit_range(tally: Tally) -> bool:
    """Whether all scores lie in [0, 1]."""
    return not len(tally) or bool(tally.highest[0] <= 1 and tally.scores[-1] >= 0)


def refuse_other_scores(tally: Tally) -> Tally:
    """Return the tally, or raise if a score lies outside [0, 1]."""
    if not in_unit_range(tally):
        outside = tally.highest[0] if tally.highest[0] > 1 else tally.scores[-1]
        raise ScoreError(
            f"The tally has the score {outside:g}, outside [0, 1].",
            "this needs probabilities: calibrate the scores or map them to [0, 1] first.",
        )
    return tally
