"""The numbers by which a model may be selected on a validation part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import rocwalk as rw
from rocwalk.statistic import find

from .conditions import Conditions


@dataclass(frozen=True)
class Criterion:
    """A number of labels and probabilities, and whether more of it is better."""

    title: str
    of: Callable[[rw.Tally], float]
    higher: bool = True

    def chosen(self, tallies: list[rw.Tally]) -> np.ndarray:
        """Return the best models, several if they tie; an undefined number is the worst."""
        values = np.array([self.of(tally) for tally in tallies])
        worth = np.where(np.isnan(values), -np.inf, values if self.higher else -values)
        return np.flatnonzero(worth == worth.max())


def registered(name: str) -> Callable[[rw.Tally], float]:
    """A statistic of the registry by its name."""
    return find(name).of


def soft(steps: str) -> Callable[[rw.Tally], float]:
    """The area under a soft ROC curve."""
    return lambda tally: rw.metrics.soft_auc_score(tally, steps=steps)


def log_loss(tally: rw.Tally) -> float:
    """The logarithmic loss; infinite if a sure score is wrong."""
    return rw.roc(tally).calibration().log_loss.loss


CRITERIA = {
    "auc": Criterion("AUC", registered("auc")),
    "brier": Criterion("Brier score", registered("brier"), higher=False),
    "log_loss": Criterion("log loss", log_loss, higher=False),
    "probabilistic_auc": Criterion("probabilistic AUC", registered("probabilistic_auc")),
    "scored_auc": Criterion("scored AUC", registered("scored_auc")),
    "single": Criterion("soft AUC, single", soft("single")),
    "both": Criterion("soft AUC, both", soft("both")),
    "blind": Criterion("soft AUC, blind", soft("blind")),
    "h_measure": Criterion("H-measure", registered("h_measure")),
    "struggle_ratio": Criterion("struggle ratio", registered("struggle_ratio"), higher=False),
}


def least_loss(conditions: Conditions, world: int) -> Criterion:
    """The loss on the validation part itself, as a yardstick that knows the conditions."""

    def of(tally: rw.Tally) -> float:
        nine = conditions.least(rw.roc(tally)).reshape(2, -1)[world]
        return float(nine.mean())

    return Criterion("loss of the hull", of, higher=False)
