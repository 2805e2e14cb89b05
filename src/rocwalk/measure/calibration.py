"""Calibration read off the hull: its edges are the blocks of pool-adjacent-violators (SPEC §7)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.measure.brier import brier, log_loss, scores_of
from rocwalk.measure.hull import hull_index
from rocwalk.typing import FloatArray
from rocwalk.walk.curve import refuse_one_class, walk_of
from rocwalk.walk.tally import Tally, read_only


@dataclass(frozen=True, slots=True)
class Parts:
    """A loss in three parts: uncertainty − discrimination + miscalibration.

    Uncertainty is the loss of the prevalence as the score of all items, discrimination what the
    calibrated scores gain on it, miscalibration what the scores lose against the calibrated ones.
    Neither of the last two is ever negative (Dimitriadis, Gneiting & Jordan 2021).
    """

    loss: float
    miscalibration: float
    discrimination: float
    uncertainty: float

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
    refuse_one_class(walk)
    ends = hull_index(walk.up, walk.right)
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
    left = float((found.share * _entropy(found.value)).sum())
    return _parts(log_loss(tally), left, float(_entropy(np.array([tally.prevalence]))[0]))


def _parts(loss: float, left: float, uncertainty: float) -> Parts:
    worse = loss - left if math.isinf(loss) else max(loss - left, 0.0)
    return Parts(loss, worse, max(uncertainty - left, 0.0), uncertainty)


def _entropy(share: FloatArray) -> FloatArray:
    """Return −p·ln p − (1 − p)·ln(1 − p), 0 at the ends."""
    sure = (share <= 0) | (share >= 1)
    p = np.where(sure, 0.5, share)
    return np.where(sure, 0.0, -p * np.log(p) - (1 - p) * np.log1p(-p))
