"""`roc_curve`: the points of the walk, as scikit-learn gives them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.errors import LabelError, RocwalkError
from rocwalk.metrics.evidence import (
    ONE_DIMENSION,
    in_their_words,
    kind_of_labels,
    one_column,
    refuse_matrix,
    refuse_unnamed,
    scores_in_order,
    warn_undefined,
    weights_column,
    wrong_parameter,
)
from rocwalk.read.arrays import check, refuse_beside_tally
from rocwalk.read.labels import Labels, Negative
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import rates, walk_of
from rocwalk.typing import ArrayLike, BoolArray, FloatArray, Invalid, Truth


def roc_curve(
    y_true: ArrayLike | Tally,
    y_score: ArrayLike = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike = None,
    drop_intermediate: bool = True,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the points (FPR, TPR) of the ROC curve and their thresholds, like scikit-learn.

    TPR(t) = Σ_{s ≥ t} u / U and FPR(t) = Σ_{s ≥ t} r / R with the masses u = w·f and
    r = w·(1 − f) of truth f and weight w; thresholds decrease and begin with inf at (0, 0).

    Parameters
    ----------
    y_true
        Labels 0/1, −1/1 or booleans; any labels with `pos_label`; or probabilities. Or a `Tally`
        in place of both columns; of a bucketed one the points are exact, and the line between
        two of them stands for an unknown part of the curve (`rocwalk.roc` bounds it).
    y_score
        Finite scores; a higher one means more positive.
    pos_label
        The positive label; every other label is negative.
    sample_weight
        A mass for each item; items of weight 0 are absent, negative weights are refused.
    drop_intermediate
        Leave out points that lie on the straight line between their neighbours because both
        steps are equal.
    truth
        "hard" or "soft" for labels or probabilities only; "auto" for what `y_true` looks like.
    invalid
        "raise", or "drop" to leave out rows with a missing value, with a warning.

    Equal scores make one step. Without positives TPR is NaN, without negatives FPR, each with an
    `UndefinedMetricWarning` (which is scikit-learn's too if that is loaded).

    References
    ----------
    Fawcett (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861-874.
    For soft truth: Gredlics, Raicu, Furst, ROC analysis with a probabilistic reference truth.

    Examples
    --------
    >>> fpr, tpr, thresholds = roc_curve([1, 1, 2, 2], [0.1, 0.4, 0.35, 0.8], pos_label=2)
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    >>> thresholds.tolist()
    [inf, 0.8, 0.4, 0.35, 0.1]
    """
    check_drop(drop_intermediate, "roc_curve")
    distinct: FloatArray | None = None
    if isinstance(y_true, Tally):
        refuse_beside_tally(y_score, sample_weight, pos_label, truth)
        tally = y_true
    else:
        y_true, y_score = one_column(y_true, "y_true"), one_column(y_score, "y_score")
        refuse_matrix(y_true, "y_true", "multilabel-indicator format is not supported.")
        refuse_matrix(y_score, "y_score", ONE_DIMENSION)
        y_score, distinct = scores_in_order(y_score)
        named = None if pos_label is None else Labels(pos_label, Negative.ALL)
        reading: dict[str, Any] = {"pos_label": named, "truth": truth, "invalid": invalid}
        try:
            tally = check(
                y_true, y_score, sample_weight=weights_column(sample_weight), **reading
            ).tally()
        except RocwalkError as error:
            if isinstance(error, LabelError) and pos_label is None and truth != "soft":
                refuse_unnamed(*kind_of_labels(y_true))
            raise in_their_words(error) from None
    walk = walk_of(tally)
    kept = corners(tally) if drop_intermediate else np.ones(len(walk), dtype=bool)
    up, right = walk.up[kept], walk.right[kept]
    if not right[-1] > 0:
        warn_undefined("No negative samples in y_true, false positive value should be meaningless")
    if not up[-1] > 0:
        warn_undefined("No positive samples in y_true, true positive value should be meaningless")
    thresholds = walk.thresholds[kept]
    if distinct is not None:  # the thresholds are ranks
        thresholds[1:] = distinct[thresholds[1:].astype(int) - 2]
    return rates(right), rates(up), thresholds


def check_drop(drop_intermediate: object, function: str) -> None:
    """Raise, as scikit-learn does, if `drop_intermediate` is neither True nor False."""
    if not isinstance(drop_intermediate, bool | np.bool_):
        allowed = "an instance of 'bool' or an instance of 'numpy.bool'"
        raise wrong_parameter(function, "drop_intermediate", drop_intermediate, allowed)


def corners(tally: Tally) -> BoolArray:
    """Mark the points of the walk where the step changes, the ends and, as there, the first row."""
    kept = np.ones(len(tally.up) + 1, dtype=bool)
    kept[2:-1] = ((np.diff(tally.up) != 0) | (np.diff(tally.right) != 0))[1:]
    return kept
