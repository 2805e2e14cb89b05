"""Precision and recall from the same walk as the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocwalk.errors import OptionError
from rocwalk.measure.costs import check_prevalence
from rocwalk.typing import FloatArray
from rocwalk.walk.curve import Walk
from rocwalk.walk.tally import read_only


@dataclass(frozen=True, eq=False)
class PrecisionWalk:
    """Precision and recall at each threshold; at (0, 0), where nothing is predicted, NaN."""

    precision: FloatArray
    recall: FloatArray
    thresholds: FloatArray
    prevalence: float

    @property
    def average_precision(self) -> float:
        """Σ (recall_k − recall_{k−1})·precision_k: the area under the steps, no interpolation."""
        gain = np.diff(self.recall)
        moved = gain > 0  # where nothing is predicted yet, precision is NaN and nothing is gained
        return float(gain[moved] @ self.precision[1:][moved])


def precision_walk(walk: Walk, prevalence: float | None = None) -> PrecisionWalk:
    """Return precision against recall, at the data's own prevalence π⁺ or at another.

    precision = π⁺·TPR / (π⁺·TPR + π⁻·FPR).
    """
    share = walk.prevalence if prevalence is None else check_prevalence(prevalence)
    if share is None:
        raise OptionError(
            "An averaged curve carries no masses, so precision needs a prevalence.",
            "pass prevalence=, the share of positives.",
        )
    hits = share * walk.tpr
    called = hits + (1 - share) * walk.fpr
    precision = np.divide(hits, called, out=np.full(len(hits), np.nan), where=called > 0)
    return PrecisionWalk(read_only(precision), walk.tpr, walk.thresholds, share)
