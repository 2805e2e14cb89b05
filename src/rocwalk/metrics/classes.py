"""Areas of several classes in scikit-learn's manner: each against the rest, or all pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.errors import InputError, LabelError, OptionError
from rocwalk.intake.arrays import as_array
from rocwalk.intake.matrices import (
    ClassSample,
    as_matrix,
    check_classes,
    is_matrix,
    shown,
    sorted_classes,
)
from rocwalk.measure.classes import pairwise_areas
from rocwalk.metrics.columns import cell_areas
from rocwalk.metrics.options import Options
from rocwalk.metrics.phrases import NoAverageError
from rocwalk.typing import ArrayLike, FloatArray


def class_areas(
    y_true: ArrayLike, y_score: ArrayLike, classes: list[Any], options: Options
) -> tuple[FloatArray, FloatArray | None]:
    """Return the areas of each class against the rest, or of all pairs, and their shares."""
    _check_together(options)
    scores = _probabilities(y_score)
    sample = check_classes(
        y_true,
        scores,
        labels=_names_of_columns(classes, options.labels, scores.shape[1]),
        sample_weight=options.sample_weight,
        invalid=options.invalid,
        name="y_score",
    )
    if options.multi_class == "ovo":
        return _pair_areas(sample, options.average)
    one_hot = sample.codes[:, None] == np.arange(len(sample.labels))
    return cell_areas(one_hot, sample.scores, sample.weights, options)


def _pair_areas(sample: ClassSample, average: str | None) -> tuple[FloatArray, FloatArray]:
    """Return A(i, j) of all pairs of classes that are present, and the shares of the pairs."""
    i, j = np.triu_indices(len(sample.labels), 1)
    areas, masses = pairwise_areas(sample)[i, j], sample.masses
    defined = ~np.isnan(areas)
    if not defined.any():
        return np.full(1, np.nan), np.ones(1)
    shares = masses[i] + masses[j] if average == "weighted" else np.ones(len(areas))
    return areas[defined], shares[defined]


def _check_together(options: Options) -> None:
    """Raise for what does not go together with several classes, in scikit-learn's words."""
    pairs = options.multi_class == "ovo"
    averages = ("macro", "weighted", None) if pairs else ("micro", "macro", "weighted", None)
    if options.max_fpr is not None and options.max_fpr != 1:
        raise OptionError(
            "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set "
            f"to `None`, received `max_fpr={options.max_fpr}` instead",
            "name one class with pos_label= and pass its column of scores.",
        )
    if options.multi_class == "raise":
        raise OptionError(
            "multi_class must be in ('ovo', 'ovr')",
            "y_true has several classes: choose one against the rest, or all pairs.",
        )
    if options.average not in averages:
        raise OptionError(
            f"average must be one of {averages} for multiclass problems",
            "each row has one class, so there is no area of a row.",
        )
    if pairs and options.average is None:
        raise NoAverageError(
            "average=None is not implemented for multi_class='ovo'.",
            "rocwalk.multiclass gives all pairs.",
        )
    if pairs and options.sample_weight is not None:
        raise OptionError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' "
            "must be None in this case.",
            "hand_till_auc_score takes weights.",
        )


def _probabilities(y_score: ArrayLike) -> FloatArray:
    """Return a matrix of scores whose rows sum to 1, where they are finite, or raise."""
    if not is_matrix(y_score):
        raise InputError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            f"multiple classes. Got `y_score.shape={np.shape(y_score)}`.",
            "pass the whole of predict_proba, or name the positive label with pos_label=.",
        )
    scores = as_matrix(y_score, "y_score")
    with np.errstate(invalid="ignore", over="ignore"):  # inf - inf, in a row refused later
        sums = scores.sum(axis=1)
    wrong = np.flatnonzero(np.isfinite(scores).all(axis=1) & ~np.isclose(sums, 1))
    if len(wrong):
        raise InputError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum "
            f"up to 1.0 over classes; row {wrong[0]} sums to {sums[wrong[0]]:g}.",
            "divide each row by its sum; hand_till_auc_score takes scores of any sum.",
        )
    return scores


def _names_of_columns(classes: list[Any], labels: ArrayLike, width: int) -> list[Any]:
    """Return the classes of the columns, which must be sorted and complete."""
    if labels is None:
        if len(classes) != width:
            raise InputError(
                "Number of classes in y_true not equal to the number of columns in 'y_score': "
                f"{len(classes)} and {width}.",
                "labels= names the classes of all columns, absent ones too.",
            )
        return classes
    column = as_array(labels, "labels")
    names: list[Any] = column.tolist()
    problem = _problem_of_names(names, sorted_classes(column)[0], classes, width)
    if problem:
        raise LabelError(
            f"{problem}: labels are {shown(names)}, y_true has {shown(classes)}.",
            "labels= names the class of each column of y_score, sorted.",
        )
    return names


def _problem_of_names(
    names: list[Any], ordered: list[Any], classes: list[Any], width: int
) -> str | None:
    """Say in scikit-learn's words what is wrong with the labels, or nothing."""
    if len(ordered) != len(names):
        return "Parameter 'labels' must be unique"
    if ordered != names:
        return "Parameter 'labels' must be ordered"
    if len(names) != width:
        return (
            f"Number of given labels, {len(names)}, not equal to the number of columns in "
            f"'y_score', {width}"
        )
    if set(classes) - set(names):
        return "'y_true' contains labels not in parameter 'labels'"
    return None
