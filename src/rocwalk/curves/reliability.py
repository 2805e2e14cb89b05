"""Reliability of probabilities beyond the blocks of the hull: slope, intercept, consistency band.

Logistic recalibration (Cox 1958) fits logit P(y) = a + b·logit(score). A slope b below 1 says that
the scores are too extreme, above 1 that they are too timid; the intercept with b = 1 says by how
much all of them are too low (above 0) or too high (below 0), on the scale of the logit. The
consistency band is where the reliability diagram would lie if every score were a true probability
(Bröcker & Smith 2007; for isotonic diagrams Dimitriadis, Gneiting & Jordan 2021).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.curves.calibration import scores_of
from rocwalk.curves.hull import vertices_together
from rocwalk.inference.distributions import NOISE, normal_quantile
from rocwalk.inference.influence import Influence, error_range, variance_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.resampling import Plan, coarse, run_blocks
from rocwalk.result import Result
from rocwalk.tally.tally import Tally, read_only
from rocwalk.tally.walk import refuse_buckets
from rocwalk.typing import FloatArray, IntArray

_STEPS, _CLOSE = 50, 1e-10
Ends = tuple[float, float, float]  # a value, and both ends of its interval


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Recalibration(Result):
    """The slope and the intercept of logistic recalibration, each as (value, low, high).

    `intercept` is that of a slope of 1. Scores of exactly 0 or 1 have no logit: their items are
    left out, and `left_out` counts them. A number that does not exist is NaN: all scores equal, or
    scores that separate the classes, so that the slope is infinite.
    """

    slope: Ends
    intercept: Ends
    left_out: int
    confidence_level: float

    @property
    def sentence(self) -> str:
        """What the slope says, in words."""
        value, low, high = self.slope
        if math.isnan(value):
            return "The calibration slope does not exist for these scores."
        words = "as spread as the outcomes"
        if high < 1:
            words = "too extreme: low ones too low and high ones too high"
        elif low > 1:
            words = "too timid: low ones too high and high ones too low"
        return f"Calibration slope {value:.2f} ({low:.2f} to {high:.2f}): the scores are {words}."

    def _headline(self) -> dict[str, Any]:
        return {
            "slope": self.slope[0],
            "slope_low": self.slope[1],
            "slope_high": self.slope[2],
            "intercept": self.intercept[0],
            "intercept_low": self.intercept[1],
            "intercept_high": self.intercept[2],
            "left_out": self.left_out or None,
            "confidence_level": self.confidence_level,
        }


def recalibration_of(evidence: Evidence, level: float = 0.95) -> Recalibration:
    """Return slope and intercept of the probabilities of a tally, with intervals by their ψ."""
    tally = evidence.tally
    scores = scores_of(tally, "The calibration slope")
    inside = (scores > 0) & (scores < 1)
    logit = np.log(scores[inside]) - np.log1p(-scores[inside])
    masses = tuple(side[inside].astype(np.float64) for side in (tally.up, tally.right))
    columns = [np.ones((len(logit), 1)), np.column_stack([np.ones(len(logit)), logit])]
    found = []
    for design, offset, place in ((columns[0], logit, 0), (columns[1], 0.0 * logit, 1)):
        fitted = _fit(design, offset, *masses)
        if fitted is None:
            found.append((math.nan, math.nan, math.nan))
            continue
        value, ups, rights = (part[..., place] for part in fitted)
        psi = [np.zeros(len(scores)), np.zeros(len(scores))]
        psi[0][inside], psi[1][inside] = ups, rights
        influence = Influence(float(value), psi[0], psi[1])
        error = (
            math.sqrt(variance_of(tally, influence, fixed=False))
            if evidence.cluster is None
            else error_range(evidence, influence)[1]
        )
        reach = normal_quantile((1 + level) / 2) * error
        found.append((float(value), float(value) - reach, float(value) + reach))
    return Recalibration(
        slope=found[1],
        intercept=found[0],
        left_out=int(tally.count[~inside].sum()),
        confidence_level=level,
    )


def _fit(
    design: FloatArray, offset: FloatArray, up: FloatArray, right: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return the coefficients and ψ of positive and of negative mass; None where there are none."""
    mass = up + right
    if not (up.sum() > 0 and right.sum() > 0):
        return None
    if design.shape[1] > 1 and not np.ptp(design[:, 1]) > NOISE:
        return None
    beta = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(design @ beta + offset, -700, 700)))
        information = (design * (mass * p * (1 - p))[:, None]).T @ design
        try:
            step = np.linalg.solve(information, design.T @ (up - mass * p))
        except np.linalg.LinAlgError:
            return None
        beta = beta + np.clip(step, -2, 2)
        if np.abs(step).max() < _CLOSE:
            each = np.linalg.solve(information, design.T).T
            return beta, each * (1 - p)[:, None], -each * p[:, None]
    return None  # the classes are separated: the slope grows without end


# -- the consistency band --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ConsistencyBand:
    """Where the calibrated values would lie at these scores if the scores were probabilities."""

    scores: FloatArray
    low: FloatArray
    high: FloatArray


_MOST_SCORES = 200


def consistency_band(
    evidence: Evidence, level: float = 0.95, *, n_resamples: int = 200, rng: Any = 0
) -> ConsistencyBand | None:
    """Return the pointwise consistency band of counts; None of masses, soft truth and clusters.

    Outcomes are drawn from the scores, and the isotonic diagram is fitted anew to each draw.
    """
    if not evidence.is_counts:
        return None
    refuse_buckets(evidence.tally, "A consistency band")
    tally: Tally = coarse(evidence).tally
    mass = (tally.up + tally.right)[::-1]
    mean = tally.scores[::-1]
    if len(tally) < len(evidence.tally):  # of each run of scores
        mean = (tally.up_score + tally.right_score)[::-1] / mass
    places = np.unique(np.linspace(0, len(mean) - 1, min(len(mean), _MOST_SCORES)).astype(int))

    def work(generator: np.random.Generator, times: int) -> FloatArray:
        drawn = generator.binomial(mass, np.clip(mean, 0, 1), (times, len(mass)))
        return _isotonic(drawn, mass)[:, places]

    values = run_blocks(Plan(n_resamples, rng), 4 * len(mass), work)
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return ConsistencyBand(read_only(mean[places]), read_only(low), read_only(high))


def _isotonic(up: IntArray, mass: IntArray) -> FloatArray:
    """Return the isotonic fits of up/mass, one row each, by increasing score: slopes of hulls."""
    falling = np.stack([up, mass - up])[:, :, ::-1]  # from the highest score down
    ups, rights = np.pad(np.cumsum(falling, axis=2), ((0, 0), (0, 0), (1, 0)))
    corners = np.flatnonzero(vertices_together(ups, rights))
    length, ups, rights = ups.shape[1], ups.ravel(), rights.ravel()
    steps = np.diff(corners)
    within = corners[1:] % length > 0  # a step to the start of the next row is none
    rise, run = np.diff(ups[corners])[within], np.diff(rights[corners])[within]
    values: FloatArray = np.repeat(rise / (rise + run), steps[within])
    return values.reshape(len(up), -1)[:, ::-1]
