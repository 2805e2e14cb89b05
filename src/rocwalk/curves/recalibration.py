"""Logistic recalibration: calibration intercept, calibration slope, expected over observed.

Logistic recalibration (Cox 1958) fits logit P(y) = a + b·logit(score). A slope b below 1 says that
the scores are too extreme, above 1 that they are too timid. The intercept with b = 1 says by how
much all of them are too low (above 0) or too high (below 0), on the scale of the logit. The ratio
of expected to observed positives says the same of their sum.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwalk.curves.calibration import scores_of
from rocwalk.errors import UndefinedMetricWarning, warn
from rocwalk.inference.distributions import NOISE
from rocwalk.inference.influence import Influence, estimate_by, linear_blur, row_means
from rocwalk.statistic import ANY, POSITIVE, Places, Statistic, register
from rocwalk.tally.tally import Tally, in_unit_range, refuse_other_scores
from rocwalk.typing import FloatArray

_STEPS, _CLOSE = 50, 1e-10
_MANY, _RUNS = 20_000, 1_000  # of more scores the fit starts at that of so many runs


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """Slope and intercept with their ψ, and how many items have a score of exactly 0 or 1.

    Such scores have no logit, so their items are left out. A number that does not exist is NaN:
    all scores equal, or scores that separate the classes, so that the slope is infinite.
    """

    intercept: Influence
    slope: Influence
    left_out: int


def logistic_fit(tally: Tally) -> LogisticFit:
    """Return the logistic recalibration of a tally of probabilities; computed once for a tally."""
    if "logistic_fit" not in tally.known:
        tally.known["logistic_fit"] = _fitted(tally)
    found: LogisticFit = tally.known["logistic_fit"]
    return found


def _fitted(tally: Tally) -> LogisticFit:
    scores = scores_of(tally, "Logistic recalibration")
    inside = (scores > 0) & (scores < 1)
    whole = bool(inside.all())
    kept = slice(None) if whole else inside
    logit = np.log(scores[kept]) - np.log1p(-scores[kept])
    masses = [side[kept].astype(np.float64) for side in (tally.up, tally.right)]
    found = []
    for size in (1, 2):  # the intercept with the slope 1, and both
        design = np.ones((size, len(logit)))
        design[1:] = logit
        offset = logit if size == 1 else np.zeros(len(logit))
        start = _start(design, offset, *masses)
        fit = fit_logistic(design, offset, masses[0], masses[1], start)
        psi = [np.zeros(len(scores)), np.zeros(len(scores))]
        if fit is None:
            value, psi = math.nan, [np.full(len(scores), np.nan)] * 2
        else:
            value = float(fit[0][-1])
            psi[0][kept], psi[1][kept] = fit[1][-1], fit[2][-1]
        found.append(Influence(value, psi[0], psi[1]))
    return LogisticFit(found[0], found[1], int(tally.count[~inside].sum()))


def _start(
    design: FloatArray, offset: FloatArray, up: FloatArray, right: FloatArray
) -> FloatArray | None:
    """Return the coefficients of runs of neighbouring scores, near those of many scores."""
    size = design.shape[1]
    if size <= _MANY:
        return None
    starts = np.arange(0, size, size // _RUNS)
    length = np.diff(starts, append=size)
    rows, shift = (np.add.reduceat(each, starts, axis=-1) / length for each in (design, offset))
    sums = [np.add.reduceat(mass, starts) for mass in (up, right)]
    found = fit_logistic(rows, shift, sums[0], sums[1])
    return None if found is None else found[0]


def fit_logistic(
    design: FloatArray,
    offset: FloatArray,
    up: FloatArray,
    right: FloatArray,
    start: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return the coefficients and ψ of positive and of negative mass; None where there are none.

    Newton's steps on the likelihood of logit P = β·design + offset, with one row of `design` for
    each coefficient. ψ is H⁻¹·x·(1 − p) of a positive and −H⁻¹·x·p of a negative, with H the
    information; one row for each coefficient.
    """
    mass = up + right
    if not (up.sum() > 0 and right.sum() > 0):
        return None
    if any(not np.ptp(row) > NOISE for row in design[1:]):
        return None
    beta = np.zeros(len(design)) if start is None else start
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(beta @ design + offset, -700, 700)))
        expected = mass * p
        information = (design * (expected * (1 - p))) @ design.T
        try:
            step = np.linalg.solve(information, design @ (up - expected))
        except np.linalg.LinAlgError:
            return None
        beta = beta + np.clip(step, -2, 2)
        if np.abs(step).max() < _CLOSE:
            each = np.linalg.solve(information, design)
            return beta, each * (1 - p), -each * p
    return None  # the classes are separated: the slope grows without end


def calibration_intercept(tally: Tally) -> float:
    """Return the intercept a of logit P(y) = a + logit(score); NaN where it does not exist."""
    return _intercept_influence(tally).estimate


def calibration_slope(tally: Tally) -> float:
    """Return the slope b of logit P(y) = a + b·logit(score); NaN where it does not exist."""
    return _slope_influence(tally).estimate


def _intercept_influence(tally: Tally) -> Influence:
    return _existing(logistic_fit(tally).intercept, tally, "calibration intercept")


def _slope_influence(tally: Tally) -> Influence:
    return _existing(logistic_fit(tally).slope, tally, "calibration slope")


def _existing(value: Influence, tally: Tally, name: str) -> Influence:
    """Return the number, with a warning where it does not exist or leaves items out."""
    left_out = logistic_fit(tally).left_out
    if math.isnan(value.estimate):
        warn(
            UndefinedMetricWarning(
                f"The {name} does not exist for these scores and is NaN.",
                "all scores are equal, or they separate the classes.",
            )
        )
    elif left_out:
        warn(
            UndefinedMetricWarning(
                f"The {name} leaves out {left_out:,} items with a score of exactly 0 or 1, which "
                "has no logit.",
                "give such scores as numbers between 0 and 1.",
            )
        )
    return value


def left_out_words(tally: Tally) -> str | None:
    """Return what a table with the calibration slope must say; None if no item is left out."""
    if tally.is_bucketed or not in_unit_range(tally):
        return None
    count = logistic_fit(tally).left_out
    if not count:
        return None
    return (
        f"The calibration slope leaves out {count:,} item{'s' * (count > 1)} with a score of "
        "exactly 0 or 1, which has no logit."
    )


def expected_observed(tally: Tally) -> float:
    """Return Σw·s / Σw·f, the sum of the scores over the positive mass; exact even from buckets."""
    refuse_other_scores(tally)
    total = float(tally.up_score.sum() + tally.right_score.sum())
    return total / float(tally.total_up) if tally.total_up > 0 else math.nan


def expected_observed_influence(tally: Tally) -> Influence:
    """Return P/U with ψ = (s·w − (P/U)·u)/U."""
    total, value = float(tally.total_up), expected_observed(tally)
    up, right = (mean / total for mean in row_means(tally))
    blur = linear_blur(tally, value, (1 / total, 1 / total))
    return Influence(value, up - value / total, right, blur)


CALIBRATION_INTERCEPT = register(
    Statistic(
        "calibration_intercept",
        calibration_intercept,
        title="Calibration intercept",
        short="Intercept",
        sentence="By how much the scores are too low (above 0) or too high (below 0) on the scale "
        "of the logit, with a slope of 1.",
        references=("Cox 1958", "Van Calster et al. 2019"),
        range=ANY,
        direction=None,
        influence=_intercept_influence,
        needs_probabilities=True,
        places=Places(summary=72),
    )
)

CALIBRATION_SLOPE = register(
    Statistic(
        "calibration_slope",
        calibration_slope,
        title="Calibration slope",
        short="Slope",
        sentence="The slope of logistic recalibration: 1 is right, below 1 the scores are too "
        "extreme, above 1 too timid.",
        references=("Cox 1958", "Van Calster et al. 2019"),
        range=ANY,
        direction=None,
        influence=_slope_influence,
        needs_probabilities=True,
        places=Places(summary=74, probabilities=42),
    )
)


def _expected_observed(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios: FloatArray = (up + right) @ scores / up.sum(axis=1)
    return ratios


EXPECTED_OBSERVED = register(
    Statistic(
        "expected_observed",
        expected_observed,
        title="Expected / observed",
        noun="ratio of expected to observed positives",
        symbol="E/O",
        sentence="The sum of the scores over the number of positives: 1 is right, above 1 the "
        "scores are too high on the whole.",
        references=("Van Calster et al. 2019",),
        range=POSITIVE,
        direction=None,
        influence=expected_observed_influence,
        estimate=estimate_by(expected_observed_influence),
        exact_from_buckets=True,
        together=_expected_observed,
        needs_probabilities=True,
        places=Places(summary=76, probabilities=44),
    )
)
