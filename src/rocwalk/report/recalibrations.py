"""Recalibration maps beside the scores as they are, for the terminal and for the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocwalk.errors import RocwalkError, RocwalkWarning, collecting
from rocwalk.evaluate.study import Paired

if TYPE_CHECKING:
    from rocwalk.sklearn import RecalibrationComparison

RECALIBRATION_COLUMNS = {  # numbers of a map, and what stands over them
    "brier_loss": "Brier",
    "log_loss": "Log loss",
    "slope": "Slope",
    "expected_over_observed": "Expected / observed",
    "mean_distance": "ICI",
}
_FOLDS = 5  # that maps are fitted to


def recalibrations_of(paired: Paired | None, k: int, seed: int) -> RecalibrationComparison | str:
    """Return maps of the k-th model judged on rows that they were not fitted to, or why not.

    `paired` holds the rows one by one, and `seed` decides which rows make a fold.
    """
    if paired is None:
        return "The rows are not at hand one by one."
    try:
        from rocwalk.sklearn import compare_recalibrations
    except ImportError:
        return "The comparison of maps needs scikit-learn."
    sample = list(paired.samples.values())[k]
    units = "items"
    counts = float(sample.truth.sum()), float(len(sample.truth) - sample.truth.sum())
    if (codes := paired.cluster_codes) is not None:
        units = "clusters"
        counts = len(np.unique(codes[sample.truth > 0])), len(np.unique(codes[sample.truth < 1]))
    if min(counts) < _FOLDS:
        return f"Maps are fitted in {_FOLDS} folds, and a class has fewer {units}."
    try:
        with collecting(RocwalkWarning):
            return compare_recalibrations(
                sample.truth,
                sample.scores,
                random_state=seed,
                cluster=codes,
                sample_weight=sample.weights,
                truth="hard" if sample.is_hard else "soft",
            )
    except RocwalkError as error:
        return error.what
