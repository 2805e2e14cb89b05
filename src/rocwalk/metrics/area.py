"""`roc_auc_score`: the area of one column, of several labels or of several classes."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np

from rocwalk.errors import RocwalkError, one_of
from rocwalk.intake.arrays import Sample, as_array, check
from rocwalk.intake.matrices import as_matrix, is_matrix, missing_labels, usable_rows
from rocwalk.measure.area import auc_of_sample
from rocwalk.metrics.classes import class_areas
from rocwalk.metrics.columns import area_bounds_up_to, area_up_to, label_areas, mean_area
from rocwalk.metrics.evidence import said_if_open
from rocwalk.metrics.labels import are_standard, kind_of_labels, one_column, refuse_matrix
from rocwalk.metrics.options import Options, check_options, refuse_beside_tally
from rocwalk.metrics.phrases import ONE_CLASS, ONE_DIMENSION, in_their_words, warn_undefined
from rocwalk.typing import ArrayLike, FloatArray
from rocwalk.walk.tally import Tally


def roc_auc_score(
    y_true: ArrayLike | Tally,
    y_score: ArrayLike = None,
    *,
    average: str | None = "macro",
    sample_weight: ArrayLike = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> float | FloatArray:
    """Return the area under the ROC curve, like scikit-learn.

    AUC = Σᵢⱼ uᵢ·rⱼ·[1(sᵢ > sⱼ) + ½·1(sᵢ = sⱼ)] / (U·R), with u = w·f and r = w·(1 − f).

    Parameters
    ----------
    y_true
        One column of labels (of two, the greater is positive) or of probabilities; a column with
        more labels for `multi_class`; a 0/1 matrix (or one of probabilities) for several labels
        at once. Or a `Tally` in place of both.
    y_score
        One column of finite scores, or a matrix with one column per class.
    average
        For several columns: "macro" (plain mean), "weighted" (by positive mass), "micro" (all
        cells as one column), "samples" (mean over rows, not for classes), None (all of them).
    sample_weight
        A mass for each item; items of weight 0 are absent, negative weights are refused.
    max_fpr
        Up to this false positive rate only: McClish's standardised partial area.
    multi_class
        For more than two classes "ovr" (each against the rest) or "ovo" (all pairs; "macro" is
        Hand & Till's measure). Rows of `y_score` must then sum to 1.
    labels
        The classes of the columns, sorted. Default: those of `y_true`.
    pos_label
        The positive label of one column; every other label is negative.
    truth
        "hard" or "soft" for labels or probabilities only; "auto" for what `y_true` looks like.
    invalid
        "raise", or "drop" to leave out rows with a missing value, with a warning.

    Ties count one half. A column with one class gives NaN and an `UndefinedMetricWarning` (which
    is scikit-learn's too if that is loaded). A bucketed tally gives
    the middle of its bounds, with a `BucketedWarning` that has them.

    References
    ----------
    Fawcett (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861-874.
    McClish (1989). Analyzing a portion of the ROC curve. Hand & Till (2001), Eq. 7.

    Examples
    --------
    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    >>> roc_auc_score(["no", "yes", "yes"], [0.1, 0.4, 0.4])
    1.0
    >>> roc_auc_score([0.1, 0.5, 0.9], [0.2, 0.3, 0.6])  # soft truth
    0.8555555555555555
    """
    check_options(average, multi_class, max_fpr)
    if invalid == "raise":
        try:  # the short way for one column of plain labels
            sample = check(
                y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, truth=truth
            )
        except ValueError:
            pass  # several columns, other labels, a tally or a mistake: look closer below
        else:
            value = auc_of_sample(sample) if max_fpr is None else area_up_to(sample, max_fpr)
            if isnan(value):
                warn_undefined(ONE_CLASS)
            return value
    options = Options(
        average, sample_weight, max_fpr, multi_class, labels, pos_label, truth, invalid
    )
    areas, shares = _areas(y_true, y_score, options)
    if np.isnan(areas).any():
        warn_undefined(ONE_CLASS)
    return areas if shares is None else mean_area(areas, shares)


def _areas(
    y_true: ArrayLike | Tally, y_score: ArrayLike, options: Options
) -> tuple[FloatArray, FloatArray | None]:
    """Return the areas to average and their shares in the mean; no shares mean no averaging."""
    one_of("truth", options.truth, ("auto", "hard", "soft"))
    if isinstance(y_true, Tally):
        refuse_beside_tally(y_score, options.sample_weight, options.pos_label, options.truth)
        area = said_if_open(area_bounds_up_to(y_true, options.max_fpr), "ROC AUC score")
        return np.array([area]), np.ones(1)
    y_true, y_score = one_column(y_true, "y_true"), one_column(y_score, "y_score")
    try:
        if is_matrix(y_true):
            return label_areas(y_true, y_score, options)
        kind, classes = _kind_of(y_true, options)
        if kind == "multiclass" or (kind == "binary" and _has_many_columns(y_score)):
            return class_areas(y_true, y_score, classes, options)
        if kind == "binary" and len(classes) == 1 and is_matrix(y_score):
            return _no_area(y_true, y_score, options), np.ones(1)
        sample = _binary_sample(y_true, y_score, classes, options)
    except RocwalkError as error:
        raise in_their_words(error) from None
    return np.array([area_up_to(sample, options.max_fpr)]), np.ones(1)


def _kind_of(y_true: ArrayLike, options: Options) -> tuple[str, list[Any]]:
    """Return the kind of one column of labels, and the labels if the caller did not name one."""
    if options.pos_label is not None:
        return "named", []
    if options.truth == "soft":
        return "soft", []
    return kind_of_labels(y_true)


def _has_many_columns(y_score: ArrayLike) -> bool:
    """Whether the scores are those of several classes even if only two labels occur."""
    return is_matrix(y_score) and bool(y_score.shape[1] > 2)


def _no_area(y_true: ArrayLike, y_score: ArrayLike, options: Options) -> FloatArray:
    """Check one class beside scores of two, which scikit-learn calls undefined, not wrong."""
    missing = missing_labels(as_array(y_true, "y_true"))
    scores = {"y_score": as_matrix(y_score, "y_score")}
    usable_rows(scores, options.sample_weight, options.invalid, missing)
    return np.full(1, np.nan)


def _binary_sample(
    y_true: ArrayLike, y_score: ArrayLike, classes: list[Any], options: Options
) -> Sample:
    """Check one column; of two labels that are not 0/1 or −1/1 the greater is positive."""
    refuse_matrix(y_score, "y_score", ONE_DIMENSION)
    return check(
        y_true,
        y_score,
        sample_weight=options.sample_weight,
        pos_label=options.pos_label if are_standard(classes) else classes[-1],
        truth=options.truth,
        invalid=options.invalid,
    )
