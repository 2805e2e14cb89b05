"""`roc_auc_score`: the area of one column, of several labels at once, or of several classes."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Any, TypeVar, overload

import numpy as np

from rocwalk.checks import one_of
from rocwalk.curves.area import auc_of_sample, partial_area
from rocwalk.curves.classes import pairwise_areas
from rocwalk.errors import InputError, LabelError, Option, OptionError, RocwalkError
from rocwalk.metrics.evidence import (
    ONE_CLASS,
    ONE_DIMENSION,
    NoAverageError,
    in_their_words,
    kind_of_labels,
    not_supported,
    one_column,
    positive_of,
    refuse_matrix,
    refuse_unnamed,
    said_if_open,
    scores_in_order,
    warn_undefined,
    weights_column,
    wrong_parameter,
)
from rocwalk.read.arrays import Sample, as_array, check, refuse_beside_tally
from rocwalk.read.labels import Labels, Negative, missing_labels, read_labels
from rocwalk.read.matrices import (
    as_matrix,
    check_classes,
    clean_sample,
    is_matrix,
    sorted_classes,
    usable_rows,
)
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import rising_bounds, walk_of
from rocwalk.texts import shown
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

_Value = TypeVar("_Value", float, FloatArray, float | FloatArray)


@dataclass(frozen=True, slots=True)
class Options:
    """The keywords of `roc_auc_score`."""

    average: str | None
    sample_weight: ArrayLike
    max_fpr: float | None
    multi_class: str
    labels: ArrayLike
    pos_label: Any
    truth: str
    invalid: str


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
    _check_options(average, multi_class, max_fpr)
    if isinstance(y_true, Tally):
        one_of("truth", truth, ("auto", "hard", "soft"))
        refuse_beside_tally(y_score, sample_weight, pos_label, truth)
        value = said_if_open(area_bounds_up_to(y_true, max_fpr), "ROC AUC score")
        return _warned(value) if isnan(value) else value
    if sample_weight is not None:
        sample_weight = weights_column(sample_weight)
    given = y_score
    if pos_label is not None:
        pos_label = Labels(pos_label, Negative.ALL)
    asked = (average, sample_weight, max_fpr, multi_class, labels, pos_label, truth, invalid)
    try:
        y_true, y_score = one_column(y_true, "y_true"), one_column(y_score, "y_score")
        if is_matrix(y_true) or is_matrix(y_score):
            areas, shares = _areas(y_true, y_score, Options(*asked))
            mean: float | FloatArray = areas
            if shares is not None:  # an area of share 0 does not count, not even if it is NaN
                total = shares.sum()  # without any share the mean is 0, as in scikit-learn
                counted = np.where(shares == 0, 0.0, areas)
                mean = float(counted @ shares / total) if total else 0.0
            return _warned(mean) if np.isnan(areas).any() else mean
        if y_score.dtype.char != "d":
            y_score, _ = scores_in_order(y_score, rounds_objects=hasattr(given, "dtype"))
        sample = check(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=positive_of(y_true, pos_label, truth, invalid),
            truth=truth,
            invalid=invalid,
        )
    except RocwalkError as error:
        if error.fields.problem == "multiclass":
            _scores_of_classes(y_score, Options(*asked))  # raises, in scikit-learn's words
        raise in_their_words(error) from None
    value = area_up_to(sample, max_fpr)
    return _warned(value) if isnan(value) else value


def _warned(value: _Value) -> _Value:
    warn_undefined(ONE_CLASS)
    return value


def _check_options(average: str | None, multi_class: str, max_fpr: float | None) -> None:
    """Raise, as scikit-learn does, for a value that is not among those allowed."""
    if average not in ("micro", "macro", "samples", "weighted", None):
        allowed = "a str among {'micro', 'macro', 'samples', 'weighted'} or None"
        raise wrong_parameter("roc_auc_score", "average", average, allowed)
    if multi_class not in ("raise", "ovr", "ovo"):
        allowed = "a str among {'raise', 'ovr', 'ovo'}"
        raise wrong_parameter("roc_auc_score", "multi_class", multi_class, allowed)
    if max_fpr is None:
        return
    number: object = max_fpr
    if not (isinstance(number, float | int | np.number) and 0 < number <= 1):
        allowed = "a float in the range (0.0, 1.0] or None"
        raise wrong_parameter("roc_auc_score", "max_fpr", max_fpr, allowed)


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


# -- several columns -------------------------------------------------------------------------------


def _areas(
    y_true: ArrayLike, y_score: ArrayLike, options: Options
) -> tuple[FloatArray, FloatArray | None]:
    """Return the areas to average and their shares in the mean; no shares mean no averaging."""
    one_of("truth", options.truth, ("auto", "hard", "soft"))
    if is_matrix(y_true):
        return _label_areas(y_true, y_score, options)
    kind: str = "named"
    classes: list[Any] = []
    if options.pos_label is None and options.truth != "soft":
        kind, classes = kind_of_labels(y_true)
    many = is_matrix(y_score) and y_score.shape[1] > 2
    if kind == "multiclass" or (kind == "binary" and many):
        return _class_areas(y_true, y_score, classes, options)
    if kind != "binary" or len(classes) > 1:
        refuse_matrix(y_score, "y_score", ONE_DIMENSION)
    # one class beside scores of two, which scikit-learn calls undefined, not wrong
    scores = {"y_score": as_matrix(y_score, "y_score")}
    usable_rows(scores, options.sample_weight, options.invalid, missing_labels(y_true))
    return np.full(1, np.nan), np.ones(1)


def _label_areas(
    y_true: ArrayLike, y_score: ArrayLike, options: Options
) -> tuple[FloatArray, FloatArray | None]:
    """Return the areas of a matrix of labels and their shares in the mean."""
    if not is_matrix(y_score):
        refuse_matrix(y_true, "y_true", "There is one column of y_score only.")
    if type(y_score) is np.ndarray:  # ranks of all cells are those of each column and of each row
        y_score = scores_in_order(y_score.ravel())[0].reshape(y_score.shape)
    truth, scores = as_matrix(y_true, "y_true"), as_matrix(y_score, "y_score")
    if truth.shape != scores.shape:
        raise InputError(
            f"y_true has the shape {truth.shape}, y_score {scores.shape}.",
            "several labels need one column of scores for each column of labels.",
        )
    cells = {"y_true": truth, "y_score": scores}
    rows, weights = usable_rows(cells, options.sample_weight, options.invalid)
    truth = truth[rows]
    try:
        values, is_hard = read_labels(truth.ravel(), options.pos_label, options.truth)
    except LabelError:
        if options.pos_label is not None:
            raise
        classes = np.unique(truth).tolist()
        if len(classes) > 2:
            kind = "multiclass" if (truth == np.round(truth)).all() else "continuous"
            found = f"y_true has the values {shown(classes)}"
            raise not_supported(f"{kind}-multioutput", found) from None
        refuse_unnamed("binary", classes)
        raise
    return _cell_areas(values.reshape(truth.shape), scores[rows], weights, options, is_hard)


def _class_areas(
    y_true: ArrayLike, y_score: ArrayLike, classes: list[Any], options: Options
) -> tuple[FloatArray, FloatArray | None]:
    """Return the areas of each class against the rest, or of all pairs, and their shares."""
    scores = _scores_of_classes(y_score, options)
    sample = check_classes(
        y_true,
        scores,
        labels=_names_of_columns(classes, options.labels, scores.shape[1]),
        sample_weight=options.sample_weight,
        invalid=options.invalid,
        name="y_score",
    )
    if options.multi_class == "ovr":
        one_hot = sample.codes[:, None] == np.arange(len(sample.labels))
        return _cell_areas(one_hot, sample.scores, sample.weights, options)
    i, j = np.triu_indices(len(sample.labels), 1)
    areas, masses = pairwise_areas(sample)[i, j], sample.masses
    defined = ~np.isnan(areas)  # both classes are present
    if not defined.any():
        return np.full(1, np.nan), np.ones(1)
    shares = masses[i] + masses[j] if options.average == "weighted" else np.ones(len(areas))
    return areas[defined], shares[defined]


def _cell_areas(
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


def _scores_of_classes(y_score: ArrayLike, options: Options) -> FloatArray:
    """Return a matrix of scores whose rows sum to 1, where they are finite, or raise.

    Options that do not go together with several classes are refused in scikit-learn's words.
    """
    pairs = options.multi_class == "ovo"
    averages = ("macro", "weighted", None) if pairs else ("micro", "macro", "weighted", None)
    if options.max_fpr is not None and options.max_fpr != 1:
        raise OptionError(
            "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set "
            f"to `None`, received `max_fpr={options.max_fpr}` instead",
            ("name one class with ", Option("pos_label"), " and pass its column of scores."),
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
    if not is_matrix(y_score):
        raise InputError(
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            f"multiple classes. Got `y_score.shape={np.shape(y_score)}`.",
            ("pass the whole of predict_proba, or name one label with ", Option("pos_label"), "."),
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
                (Option("labels"), " names the classes of all columns, absent ones too."),
            )
        return classes
    column = as_array(labels, "labels")
    names: list[Any] = column.tolist()
    ordered, problem = sorted_classes(column)[0], ""
    if len(ordered) != len(names):
        problem = "Parameter 'labels' must be unique"
    elif ordered != names:
        problem = "Parameter 'labels' must be ordered"
    elif len(names) != width:
        problem = (
            f"Number of given labels, {len(names)}, not equal to the number of columns in "
            f"'y_score', {width}"
        )
    elif set(classes) - set(names):
        problem = "'y_true' contains labels not in parameter 'labels'"
    if problem:
        raise LabelError(
            f"{problem}: labels are {shown(names)}, y_true has {shown(classes)}.",
            (Option("labels"), " names the class of each column of y_score, sorted."),
        )
    return names
