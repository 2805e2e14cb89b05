"""Areas of one column, and of several columns that are each a question of their own."""

from __future__ import annotations

import numpy as np

from rocwalk.errors import InputError, LabelError
from rocwalk.intake.arrays import Sample
from rocwalk.intake.labels import read_labels
from rocwalk.intake.matrices import as_matrix, clean_sample, is_matrix, shown, usable_rows
from rocwalk.measure.area import auc_of_sample, partial_area
from rocwalk.measure.bounds import rising_bounds
from rocwalk.metrics.labels import refuse_matrix, refuse_unnamed
from rocwalk.metrics.options import Options
from rocwalk.metrics.phrases import not_supported
from rocwalk.typing import AnyArray, ArrayLike, Bounds, FloatArray
from rocwalk.walk.curve import walk_of
from rocwalk.walk.tally import Tally


def area_up_to(data: Sample | Tally, max_fpr: float | None) -> float:
    """Return the area, or McClish's standardised partial area up to `max_fpr`."""
    if max_fpr is None or max_fpr == 1:
        return data.area if isinstance(data, Tally) else auc_of_sample(data)
    tally = data if isinstance(data, Tally) else data.tally()
    return partial_area(walk_of(tally), max_fpr, standardized=True)


def area_bounds_up_to(tally: Tally, max_fpr: float | None) -> Bounds:
    """Return the lowest, the middle and the highest area; equal unless bucketed."""
    if not tally.is_bucketed:
        return (area_up_to(tally, max_fpr),) * 3
    if max_fpr is None or max_fpr == 1:
        slack = tally.certificate
        return max(tally.area - slack, 0.0), tally.area, min(tally.area + slack, 1.0)
    return rising_bounds(
        walk_of(tally), lambda walk: partial_area(walk, max_fpr, standardized=True)
    )


def label_areas(
    y_true: ArrayLike, y_score: ArrayLike, options: Options
) -> tuple[FloatArray, FloatArray | None]:
    """Return the areas of a matrix of labels and their shares in the mean."""
    if not is_matrix(y_score):
        refuse_matrix(y_true, "y_true", "There is one column of y_score only.")
    truth, scores = as_matrix(y_true, "y_true"), as_matrix(y_score, "y_score")
    if truth.shape != scores.shape:
        raise InputError(
            f"y_true has the shape {truth.shape}, y_score {scores.shape}.",
            "several labels need one column of scores for each column of labels.",
        )
    cells = {"y_true": truth, "y_score": scores}
    rows, weights = usable_rows(cells, options.sample_weight, options.invalid)
    values, is_hard = _read_cells(truth[rows], options)
    return cell_areas(values, scores[rows], weights, options, is_hard)


def _read_cells(truth: FloatArray, options: Options) -> tuple[AnyArray, bool]:
    try:
        values, is_hard = read_labels(truth.ravel(), options.pos_label, options.truth)
    except LabelError:
        if options.pos_label is not None:
            raise
        classes = np.unique(truth).tolist()
        if len(classes) > 2:
            kind = "multiclass" if (truth == np.round(truth)).all() else "continuous"
            raise not_supported(
                f"{kind}-multioutput", f"y_true has the values {shown(classes)}"
            ) from None
        refuse_unnamed("binary", classes)
        raise
    return values.reshape(truth.shape), is_hard


def cell_areas(
    truth: AnyArray,
    scores: FloatArray,
    weights: FloatArray | None,
    options: Options,
    is_hard: bool = True,
) -> tuple[FloatArray, FloatArray | None]:
    """Return the area of each column, of each row, or of all cells as one column."""
    columns, shares = (truth.T, scores.T), np.ones(truth.shape[1])
    if options.average == "micro":
        columns, shares = (truth.reshape(1, -1), scores.reshape(1, -1)), np.ones(1)
        weights = None if weights is None else np.repeat(weights, truth.shape[1])
    elif options.average == "weighted":
        shares = truth.sum(axis=0) if weights is None else weights @ truth
    elif options.average == "samples":
        columns, shares = (truth, scores), np.ones(len(truth)) if weights is None else weights
        weights = None
    areas = [
        area_up_to(clean_sample(values, column, weights, is_hard), options.max_fpr)
        for values, column in zip(*columns, strict=True)
    ]
    return np.array(areas), None if options.average is None else shares


def mean_area(areas: FloatArray, shares: FloatArray) -> float:
    """Return the weighted mean; an area of share 0 does not count, not even if it is NaN.

    Without any share the mean is 0, as in scikit-learn.
    """
    total = shares.sum()
    return float(np.where(shares == 0, 0.0, areas) @ shares / total) if total else 0.0
