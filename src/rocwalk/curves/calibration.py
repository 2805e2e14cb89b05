"""Calibration: the Brier score, the logarithmic loss, and their decomposition by the hull.

The edges of the hull are the blocks of isotonic regression (Fawcett & Niculescu-Mizil 2007), so
reliability needs no bins. See "Costs" in docs/mathematics.rst.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from rocwalk.curves.hull import vertices_of
from rocwalk.inference.influence import (
    Blur,
    Influence,
    estimate_by,
    linear_blur,
    row_means,
    row_spreads,
)
from rocwalk.statistic import POSITIVE, UNIT, Places, Share, Statistic, register
from rocwalk.tally.tally import Tally, read_only, refuse_other_scores
from rocwalk.tally.walk import refuse_buckets, refuse_one_class, walk_of
from rocwalk.typing import FloatArray, MassArray


def brier(tally: Tally, prevalence: float | None = None) -> float:
    """Return Σ[u(1 − s)² + r·s²] / (U + R); with another prevalence, as if π⁺ were that.

    With soft truth f it is mean (s − f)² + mean f(1 − f): the disagreement of the experts is lost
    whatever the score.
    """
    scores = scores_of(tally, "The Brier score")
    return _mean(tally, (1 - scores) ** 2, scores**2, prevalence)


def log_loss(tally: Tally, prevalence: float | None = None) -> float:
    """Return −Σ[u·ln s + r·ln(1 − s)] / (U + R); infinite if a sure score is wrong."""
    scores_of(tally, "The logarithmic loss")
    return _mean(tally, *_log_losses(tally), prevalence)


def _log_losses(tally: Tally) -> tuple[FloatArray, FloatArray]:
    """Return −ln s of positives and −ln(1 − s) of negatives, 0 in rows without such mass."""
    losses = []
    for mass, chance in ((tally.up, tally.scores), (tally.right, 1 - tally.scores)):
        with np.errstate(divide="ignore"):
            losses.append(np.where(mass > 0, -np.log(chance), 0.0))
    return losses[0], losses[1]


def scores_of(tally: Tally, what: str = "This") -> FloatArray:
    """Return the scores, or raise if they are not probabilities or if the tally is bucketed."""
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
    """Return Σ mass · value, with 0 · ∞ = 0."""
    return float(np.where(mass > 0, mass * np.where(mass > 0, values, 0.0), 0.0).sum())


class Parts(float):
    """A loss, which is a number, and its parts: uncertainty − discrimination + miscalibration.

    Uncertainty is the loss of the prevalence as the score of all items, discrimination what the
    calibrated scores gain on it, miscalibration what the scores lose against the calibrated ones.
    Neither of the last two is ever negative (Dimitriadis, Gneiting & Jordan 2021).
    """

    miscalibration: float
    discrimination: float
    uncertainty: float

    def __new__(
        cls, loss: float, miscalibration: float, discrimination: float, uncertainty: float
    ) -> Parts:
        """Return the loss with its parts."""
        made = super().__new__(cls, loss)
        made.miscalibration = miscalibration
        made.discrimination = discrimination
        made.uncertainty = uncertainty
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self.miscalibration, self.discrimination, self.uncertainty)
        return type(self), (float(self), *parts)

    @property
    def loss(self) -> float:
        """The loss itself."""
        return float(self)

    @property
    def refinement(self) -> float:
        """The loss that is left after calibration: uncertainty − discrimination."""
        return self.uncertainty - self.discrimination


@dataclass(frozen=True, eq=False)
class Blocks:
    """Runs of scores that share one calibrated value, from the lowest to the highest."""

    lowest: FloatArray
    highest: FloatArray
    mean_score: FloatArray
    up: FloatArray
    right: FloatArray

    @cached_property
    def value(self) -> FloatArray:
        """The share of positive mass in each block: the calibrated score."""
        return read_only(self.up / (self.up + self.right))

    @property
    def share(self) -> FloatArray:
        """The share of all mass that lies in each block."""
        mass: FloatArray = self.up + self.right
        shares: FloatArray = mass / mass.sum()
        return read_only(shares)

    def calibrated(self, scores: FloatArray) -> FloatArray:
        """Return calibrated values: constant on a block, a straight line between two."""
        x = np.column_stack([self.lowest, self.highest]).ravel()
        values: FloatArray = np.interp(scores, x, np.repeat(self.value, 2))
        return values


def blocks(tally: Tally) -> Blocks:
    """Return the blocks of a tally of probabilities."""
    scores_of(tally, "Calibration")
    walk = walk_of(tally)
    refuse_one_class(walk, "calibration to measure")
    ends = vertices_of(walk)
    starts = ends[:-1]  # rows of the tally from one vertex to the next
    up, right = (np.add.reduceat(mass, starts).astype(float) for mass in (tally.up, tally.right))
    moments = np.add.reduceat((tally.up + tally.right) * tally.scores, starts)
    columns = (tally.scores[ends[1:] - 1], tally.scores[starts], moments / (up + right), up, right)
    return Blocks(*(read_only(column[::-1]) for column in columns))


def brier_parts(tally: Tally, found: Blocks) -> Parts:
    """Return the Brier score in its parts."""
    share = tally.prevalence
    left = float((found.share * found.value * (1 - found.value)).sum())
    return _parts(brier(tally), left, share * (1 - share))


def log_parts(tally: Tally, found: Blocks) -> Parts:
    """Return the logarithmic loss in its parts; infinite if a sure score is wrong."""
    left = float((found.share * entropy(found.value)).sum())
    return _parts(log_loss(tally), left, float(entropy(np.array([tally.prevalence]))[0]))


def _parts(loss: float, left: float, uncertainty: float) -> Parts:
    worse = loss - left if math.isinf(loss) else max(loss - left, 0.0)
    return Parts(loss, worse, max(uncertainty - left, 0.0), uncertainty)


def entropy(share: FloatArray) -> FloatArray:
    """Return −p·ln p − (1 − p)·ln(1 − p), 0 at the ends."""
    sure = (share <= 0) | (share >= 1)
    p = np.where(sure, 0.5, share)
    return np.where(sure, 0.0, -p * np.log(p) - (1 - p) * np.log1p(-p))


def _mean_influence(
    tally: Tally, of_up: FloatArray, of_right: FloatArray, slope: float | None = None
) -> Influence:
    """Return the mean over items of a loss that depends on label and score.

    `slope` is that of a loss which is linear in the score; the loss of a row is then its mean.
    """
    whole = float(tally.total_up + tally.total_right)
    value = _mean(tally, of_up, of_right, None)
    blur = None if slope is None else linear_blur(tally, value, (slope / whole, slope / whole))
    return Influence(value, (of_up - value) / whole, (of_right - value) / whole, blur)


def prevalence_influence(tally: Tally) -> Influence:
    """Return the prevalence."""
    return _mean_influence(tally, np.ones(len(tally)), np.zeros(len(tally)))


def mean_score_influence(tally: Tally) -> Influence:
    """Return the mean score, exact even from buckets."""
    return _mean_influence(tally, *row_means(tally), slope=1.0)


def brier_influence(tally: Tally) -> Influence:
    """Return the Brier score Σ[u(1 − s)² + r·s²] / (U + R); from buckets between its ends.

    The mean square of a bucket's scores is at least the square of their mean and exceeds it by at
    most (highest − mean)·(mean − lowest), also for soft or weighted items. Of shared tallies the
    means are not known either: each score may be anywhere in its bucket.
    """
    if not tally.is_bucketed:
        return _mean_influence(tally, (1 - tally.scores) ** 2, tally.scores**2)
    refuse_other_scores(tally)
    whole, (up, right) = float(tally.total_up + tally.total_right), row_means(tally)
    least = float((tally.up * (1 - up) ** 2).sum() + (tally.right * right**2).sum()) / whole
    spreads = row_spreads(tally)
    more = float((tally.up * spreads[0]).sum() + (tally.right * spreads[1]).sum()) / whole
    value, low, high = least + more / 2, tally.scores, tally.highest
    middles = ((1 - low) ** 2 + (1 - high) ** 2) / 2, (low**2 + high**2) / 2
    halves = ((1 - low) ** 2 - (1 - high) ** 2) / 2, (high**2 - low**2) / 2
    of_up, of_right = ((middle - value) / whole for middle in middles)
    slack_up, slack_right = ((half + more / 2) / whole for half in halves)
    nothing = np.zeros(len(tally))
    ends = least, least + more
    if tally.is_shared:
        losses = (((1 - high) ** 2, low**2), ((1 - low) ** 2, high**2))
        first, last = (
            float((tally.up * one + tally.right * other).sum()) / whole for one, other in losses
        )
        ends, value = (first, last), (first + last) / 2
        of_up, of_right = ((middle - value) / whole for middle in middles)
        slack_up, slack_right = ((half + (last - first) / 2) / whole for half in halves)
    blur = Blur(ends, (slack_up, slack_right), (nothing, nothing))
    return Influence(value, of_up, of_right, blur)


def log_loss_influence(tally: Tally) -> Influence:
    """Return the logarithmic loss −Σ[u·ln s + r·ln(1 − s)] / (U + R).

    Where a sure score is wrong it is infinite, and every ψ is NaN.
    """
    value = log_loss(tally)
    if not math.isfinite(value):
        unknown = np.full(len(tally), np.nan)
        return Influence(value, unknown, unknown)
    of_up, of_right = _log_losses(tally)
    return _mean_influence(tally, of_up, of_right)


def brier_influences(tally: Tally) -> dict[str, Influence]:
    """Return the Brier score, its refinement and its calibration part.

    The refinement is the least loss of any calibration, so to first order it does not depend on
    the blocks: ψ is the loss of the calibrated score.
    """
    scores = scores_of(tally)
    found = blocks(tally)
    sizes = np.searchsorted(-scores, -found.lowest[::-1], side="right")
    calibrated = np.repeat(found.value[::-1], np.diff(sizes, prepend=0))
    whole = brier_influence(tally)
    left = _mean_influence(tally, (1 - calibrated) ** 2, calibrated**2)
    # Σ p(1 − p)/n over the blocks: the optimism of a fit with one parameter per block
    mass = float(tally.total_up + tally.total_right)
    squares = float((tally.up_squared + 2 * tally.up_right + tally.right_squared).sum())
    best = left.estimate + float((found.value * (1 - found.value)).sum()) * squares / mass**2
    lost = whole.estimate - best
    return {
        "brier": whole,
        "refinement": Influence(best, left.up, left.right),
        "miscalibration": Influence(lost, whole.up - left.up, whole.right - left.right),
    }


BRIER = register(
    Statistic(
        "brier",
        brier,
        title="Brier score",
        short="Brier",
        noun="Brier score",
        sentence="The mean squared distance between score and truth; 0 is perfect.",
        references=("Brier 1950",),
        cited="brier1950",
        range=UNIT,
        direction="lower",
        estimate=estimate_by(brier_influence),
        is_loss=True,
        together=lambda scores, up, right: (
            (up @ (1 - scores) ** 2 + right @ scores**2) / (up.sum(axis=1) + right.sum(axis=1))
        ),
        needs_probabilities=True,
        needs_both=False,
        places=Places(summary=70, probabilities=40, subgroups=20, drift=70),
    )
)


def _many_log_losses(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    total = np.zeros(len(up))
    for mass, chance in ((up, scores), (right, 1 - scores)):
        with np.errstate(divide="ignore", invalid="ignore"):
            total += np.where(mass > 0, -mass * np.log(chance), 0.0).sum(axis=1)
    losses: FloatArray = total / (up.sum(axis=1) + right.sum(axis=1))
    return losses


LOG_LOSS = register(
    Statistic(
        "log_loss",
        log_loss,
        title="Log loss",
        noun="log loss",
        sentence="The mean of −ln of the probability that the score gives to what is true; 0 is "
        "perfect, and one sure score that is wrong makes it infinite.",
        references=("Good 1952",),
        range=POSITIVE,
        direction="lower",
        estimate=estimate_by(log_loss_influence),
        is_loss=True,
        together=_many_log_losses,
        needs_probabilities=True,
        needs_both=False,
        places=Places(summary=75, probabilities=45),
    )
)


PREVALENCE = register(
    Statistic(
        "prevalence",
        attrgetter("prevalence"),
        title="Prevalence",
        symbol="π⁺",
        sentence="The share of positives.",
        range=UNIT,
        direction=None,
        share=Share(("tp", "fn"), ("fp", "tn")),
        estimate=estimate_by(prevalence_influence),
        exact_from_buckets=True,
        together=lambda _, up, right: up.sum(axis=1) / (up.sum(axis=1) + right.sum(axis=1)),
        needs_both=False,
        places=Places(summary=10, models=10, drift=50),
    )
)


MEAN_SCORE = register(
    Statistic(
        "mean_score",
        attrgetter("mean_score"),
        title="Mean score",
        sentence="The mean score of all items.",
        direction=None,
        estimate=estimate_by(mean_score_influence),
        exact_from_buckets=True,
        together=lambda scores, up, right: (
            (up + right) @ scores / (up.sum(axis=1) + right.sum(axis=1))
        ),
        needs_both=False,
        places=Places(drift=60),
    )
)
