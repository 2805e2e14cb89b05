"""Areas of one column, and of several columns that are each a question of their own."""

from __future__ import annotations

from math import isnan
from typing import Any, overload

import numpy as np

from rocwalk.curves.area import auc_of_sample, partial_area
from rocwalk.curves.classes import pairwise_areas
from rocwalk.errors import InputError, LabelError, OptionError, RocwalkError, one_of, shown
from rocwalk.metrics.evidence import Options, check_options, refuse_beside_tally, said_if_open
from rocwalk.metrics.labels import (
    ONE_CLASS,
    ONE_DIMENSION,
    NoAverageError,
    are_standard,
    in_their_words,
    kind_of_labels,
    not_supported,
    one_column,
    refuse_matrix,
    refuse_unnamed,
    warn_undefined,
)
from rocwalk.read.arrays import Sample, as_array, check
from rocwalk.read.labels import missing_labels, read_labels
from rocwalk.read.matrices import (
    ClassSample,
    as_matrix,
    check_classes,
    clean_sample,
    is_matrix,
    sorted_classes,
    usable_rows,
)
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import rising_bounds, walk_of
from rocwalk.typing import (
    AnyArray,
    ArrayLike,
    Bounds,
    ClassAverage,
    FloatArray,
    Invalid,
    MultiClass,
    Truth,
)


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


# -- areas of several classes in scikit-learn's manner ---------------------------------------------


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


# -- roc_auc_score ---------------------------------------------------------------------------------


@overload
def roc_auc_score(
    y_true: ArrayLike | Tally,
    y_score: ArrayLike = None,
    *,
    average: ClassAverage = "macro",
    sample_weight: ArrayLike = None,
    max_fpr: float | None = None,
    multi_class: MultiClass = "raise",
    labels: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float: ...
@overload
def roc_auc_score(
    y_true: ArrayLike | Tally,
    y_score: ArrayLike = None,
    *,
    average: None,
    sample_weight: ArrayLike = None,
    max_fpr: float | None = None,
    multi_class: MultiClass = "raise",
    labels: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> float | FloatArray: ...
def roc_auc_score(
    y_true: ArrayLike | Tally,
    y_score: ArrayLike = None,
    *,
    average: ClassAverage | None = "macro",
    sample_weight: ArrayLike = None,
    max_fpr: float | None = None,
    multi_class: MultiClass = "raise",
    labels: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
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
