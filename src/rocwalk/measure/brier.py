"""Two scores of probabilities: Brier's and the logarithmic one, from a tally."""

from __future__ import annotations

import math

import numpy as np

from rocwalk.measure.bounds import refuse_buckets
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.typing import FloatArray, MassArray
from rocwalk.walk.tally import Tally


def brier(tally: Tally, prevalence: float | None = None) -> float:
    """Return Σ[u(1 − s)² + r·s²] / (U + R); with another prevalence, as if π⁺ were that.

    With soft truth f it is mean (s − f)² + mean f(1 − f): what experts disagree about is lost
    whatever the score.
    """
    scores = scores_of(tally, "The Brier score")
    return _mean(tally, (1 - scores) ** 2, scores**2, prevalence)


def log_loss(tally: Tally, prevalence: float | None = None) -> float:
    """Return −Σ[u·ln s + r·ln(1 − s)] / (U + R); infinite if a sure score is wrong."""
    scores = scores_of(tally, "The logarithmic loss")
    with np.errstate(divide="ignore"):
        return _mean(tally, -np.log(scores), -np.log1p(-scores), prevalence)


def scores_of(tally: Tally, what: str = "This") -> FloatArray:
    """Return the scores, or raise if they are no probabilities or run together in buckets."""
    refuse_other_scores(tally)
    refuse_buckets(tally, what)
    return tally.scores


def _mean(tally: Tally, of_up: FloatArray, of_right: FloatArray, prevalence: float | None) -> float:
    """Return the mean over positives and over negatives, weighted by their shares."""
    share = tally.prevalence if prevalence is None else prevalence
    if math.isnan(share):
        return math.nan
    up, right = _sum(tally.up, of_up), _sum(tally.right, of_right)
    parts = ((share, up, tally.total_up), (1 - share, right, tally.total_right))
    return sum(part * total / mass for part, total, mass in parts if mass > 0)


def _sum(mass: MassArray, values: FloatArray) -> float:
    """Return Σ mass · value, where no mass times an infinite value is nothing."""
    return float(np.where(mass > 0, mass * np.where(mass > 0, values, 0.0), 0.0).sum())
