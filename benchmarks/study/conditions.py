"""Operating conditions: what the two mistakes cost, and what a rule then costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import rocwalk as rw

GRID = np.arange(1, 10) / 10
WORLDS = ("costs", "balanced")


@dataclass(frozen=True)
class Conditions:
    """Nine conditions of either world; loss = a·FPR + b·FNR with the weights a, b of a condition.

    "costs": a false positive costs c and a false negative 1 − c, c = 0.1, …, 0.9, and the loss is
    Q = 2{c·π⁻·FPR + (1 − c)·π⁺·FNR} (docs/costs.rst). "balanced": PC(+) = 0.1, …, 0.9, and the loss
    is 2·{(1 − PC)·FPR + PC·FNR}, so that rare positives weigh as much as frequent ones.
    """

    prevalence: float

    @property
    def of_fpr(self) -> np.ndarray:
        return 2 * np.concatenate([GRID * (1 - self.prevalence), 1 - GRID])

    @property
    def of_fnr(self) -> np.ndarray:
        return 2 * np.concatenate([(1 - GRID) * self.prevalence, GRID])

    @property
    def slopes(self) -> np.ndarray:
        """The slope of the lines of equal loss."""
        return self.of_fpr / self.of_fnr

    @property
    def cuts(self) -> np.ndarray:
        """The probability from which on "positive" costs less: c itself in the first world."""
        against = self.of_fpr / (1 - self.prevalence)
        return against / (against + self.of_fnr / self.prevalence)

    def losses(self, curve: rw.Curve, thresholds: np.ndarray) -> np.ndarray:
        """Return the loss of one threshold for each condition, by the rates of a ROC curve."""
        index = np.searchsorted(-curve.thresholds, -thresholds, side="right") - 1
        return self.of_fpr * curve.fpr[index] + self.of_fnr * (1 - curve.tpr[index])

    def least(self, curve: rw.Curve) -> np.ndarray:
        """Return the loss of the best threshold of a curve for each condition."""
        hull = curve.hull
        every = np.outer(self.of_fpr, hull.fpr) + np.outer(self.of_fnr, 1 - hull.tpr)
        return every.min(axis=1)


def by_world(values: np.ndarray) -> dict[str, float]:
    """Return the mean over the nine conditions of each world."""
    means = np.reshape(values, (len(WORLDS), len(GRID))).mean(axis=1)
    return dict(zip(WORLDS, means.tolist(), strict=True))
