"""What metrics take and say in scikit-learn's manner: its labels, its phrases, its warnings."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, wraps
from math import isnan
from typing import Any, TypeVar, cast

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import (
    Argument,
    BucketedWarning,
    InputError,
    LabelError,
    OptionError,
    RocwalkError,
    UndefinedMetricWarning,
    warn,
)
from rocwalk.read import arrays
from rocwalk.read.arrays import Sample, argument_of, as_array, as_labels, one_column_hint
from rocwalk.read.labels import EXACT_INTEGERS, GREATER, missing_labels
from rocwalk.read.matrices import is_list_of_rows, is_matrix, rows_to_array, sorted_classes
from rocwalk.tally.tally import Tally, refuse_other_scores
from rocwalk.tally.walk import EXACT_TALLY, slack_of
from rocwalk.texts import shown
from rocwalk.typing import AnyArray, ArrayLike, Bounds, FloatArray

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."
_SORTABLE = (bool, int, float, Decimal)  # with each other
ONE_DIMENSION = "y should be a 1d array, got an array of shape {shape} instead."

# scikit-learn's phrase for a problem, if need be of one argument: code that looks for it finds it
_PHRASES: dict[Any, str] = {
    "unequal_lengths": "Found input variables with inconsistent numbers of samples: {counts}.",
    "empty": "Found array with 0 sample(s) while a minimum of 1 is required.",
    "missing": "Input y_true contains NaN.",
    "nan": "Input contains NaN.",
    ("nan", "sample_weight"): "Input sample_weight contains NaN.",
    "infinite": "Input contains infinity or a value too large for dtype('float64').",
    ("infinite", "y_true"): "Input y_true contains infinity.",
    "continuous": "continuous format is not supported.",
    "multiclass": "multiclass format is not supported.",
    "zero_weights": "Sample weights must contain at least one non-zero number.",
}


class BytesLabelError(LabelError, TypeError):
    """Labels of bytes, which scikit-learn refuses with a TypeError."""


class NoAverageError(OptionError, NotImplementedError):
    """An average that scikit-learn refuses with a NotImplementedError."""


class ParameterError(OptionError, TypeError):
    """A value that scikit-learn refuses with a ValueError that is a TypeError too."""


def wrong_parameter(function: str, name: str, value: object, allowed: str) -> ParameterError:
    """Return the error for a value of an option that is not allowed, in scikit-learn's words."""
    return ParameterError(
        f"The '{name}' parameter of {function} must be {allowed}. Got {value!r} instead.",
        f"pass one of these, or leave {name} out for its default.",
    )


def not_supported(kind: str, found: str) -> LabelError:
    """Return the error for labels of a kind that the function does not take."""
    return LabelError(
        f"{kind} format is not supported: {found}.",
        "pass labels of two kinds, name the positive one with pos_label=, or pass probabilities "
        "in [0, 1]; rocwalk.multiclass takes several classes.",
    )


def in_their_words(error: RocwalkError) -> RocwalkError:
    """Return the same error with scikit-learn's phrase for it, if it has one, after our own."""
    known = error.fields
    argument = known.subject.name if isinstance(known.subject, Argument) else None
    phrase = _PHRASES.get((known.problem, argument), _PHRASES.get(known.problem, ""))
    return error.at(remark=phrase.format(counts=list(known.counts)))


# -- what the labels are ---------------------------------------------------------------------------


def one_column(data: ArrayLike, name: str) -> ArrayLike:
    """Return a column, or a matrix of one column, as an array; other matrices as they are."""
    if type(data) is np.ndarray and data.ndim == 1:
        return data
    if is_list_of_rows(data):
        data = rows_to_array(data, name)
    elif not hasattr(data, "shape") or (
        not hasattr(data, "columns") and getattr(data, "ndim", 1) != 2
    ):
        return as_array(data, name)
    return np.asarray(data).reshape(-1) if data.shape[1] == 1 else data


def weights_column(sample_weight: ArrayLike) -> ArrayLike:
    """Return weights as one column; a matrix of one column is one, as in scikit-learn."""
    if sample_weight is None:
        return None
    column = one_column(sample_weight, "sample_weight")
    is_object = type(column) is np.ndarray and column.ndim == 1 and column.dtype.kind == "O"
    return scores_in_order(column, rounds_objects=True)[0] if is_object else column


def scores_in_order(
    scores: AnyArray, rounds_objects: bool = False
) -> tuple[AnyArray, FloatArray | None]:
    """Return the scores, or ranks in place of scores that float64 would round to equal numbers.

    scikit-learn sorts integers, long doubles and `Decimal` as they are; only its `roc_auc_score`
    rounds arrays of objects first. With ranks come the distinct scores, rounded, in increasing
    order: rank k + 2 stands for the k-th of them. (Ranks of 0 and 1 would look like predicted
    classes.)
    """
    kind = scores.dtype.kind
    if kind == "b" or (kind in "iuf" and (scores.itemsize < 8 or scores.dtype == np.float64)):
        return scores, None
    if kind in "iu" and (
        not len(scores) or max(-int(scores.min()), int(scores.max())) <= EXACT_INTEGERS
    ):
        return scores.astype(np.float64), None
    known = ~missing_labels(scores)
    values = scores[known]
    is_sortable = kind in "iuf" or all(type(value) in _SORTABLE for value in values)
    if not len(values) or not is_sortable:
        return scores, None
    try:
        with np.errstate(over="ignore"):
            floats = values.astype(np.float64)
    except (OverflowError, ValueError):  # an integer beyond float64, a signalling NaN
        return scores, None
    found = np.full(len(scores), np.nan)
    found[known] = floats
    is_final = (rounds_objects and kind == "O") or not np.isfinite(floats).all()
    if is_final or len(np.unique(floats)) == len(np.unique(values)):
        return found, None
    distinct, ranks = np.unique(values, return_inverse=True)
    found[known] = ranks + 2.0
    return found, distinct.astype(np.float64)


def refuse_matrix(data: ArrayLike, name: str, phrase: str) -> None:
    """Raise if there are several columns, with scikit-learn's phrase for it."""
    if is_matrix(data):
        raise InputError(
            f"has 2 dimensions, shape {data.shape}. {phrase.format(shape=data.shape)}",
            one_column_hint(tuple(data.shape), name),
            argument=name,
        )


def kind_of_labels(y_true: ArrayLike) -> tuple[str, list[Any]]:
    """Return "binary" or "multiclass" and the distinct labels, or "continuous" or "mixed"."""
    column = as_labels(y_true)
    labels = column[~missing_labels(column)]
    if labels.dtype.kind == "O":
        numbers = np.array(labels.tolist())
        labels = numbers if numbers.dtype.kind in "biuf" else labels
    if labels.dtype.kind == "S" or any(isinstance(label, bytes) for label in labels[:1]):
        raise BytesLabelError(
            "Support for labels represented as bytes is not supported.",
            "convert the labels to text or integers, for instance with .astype(str).",
        )
    if labels.dtype.kind == "f" and bool(np.any((labels != np.round(labels)) | np.isinf(labels))):
        return "continuous", []
    try:
        classes = sorted_classes(labels)[0]
    except LabelError:  # labels that have no order
        return "mixed", []
    return ("binary" if len(classes) <= 2 else "multiclass"), classes


def are_standard(classes: list[Any]) -> bool:
    """Whether the labels say themselves which one is positive."""
    return set(classes) <= {0, 1} or set(classes) <= {-1, 1}


def positive_of(y_true: AnyArray, pos_label: Any, truth: str, invalid: str) -> Any:
    """Return the positive label of one column; None if it need not be named.

    Of two labels that are not 0/1 or −1/1 the greater is positive, as in scikit-learn. Numbers are
    looked at only once, when they are checked.
    """
    if pos_label is not None or truth == "soft":
        return pos_label
    if y_true.dtype.kind in "biuf" and invalid == "raise":
        return GREATER
    kind, classes = kind_of_labels(y_true)
    if kind == "multiclass":
        refuse_unnamed(kind, classes)
    return classes[-1] if kind == "binary" and not are_standard(classes) else None


def refuse_unnamed(kind: str, classes: list[Any]) -> None:
    """Raise unless the labels are among those that need no `pos_label`."""
    if kind == "multiclass":
        found = f"y_true has the labels {shown(classes)}"
        raise not_supported(kind, found).at(problem="multiclass")
    if not are_standard(classes):
        values = ", ".join(map(repr, classes))
        raise LabelError(
            f"takes value in {{{values}}} and pos_label is not specified: either make y_true take "
            "value in {0, 1} or {-1, 1} or pass pos_label explicitly.",
            f"for instance pos_label={classes[-1]!r}.",
            argument="y_true",
        )


def evidence_of(
    y_true: ArrayLike | Tally,
    y_score: ArrayLike,
    sample_weight: ArrayLike,
    pos_label: Any,
    truth: str,
    invalid: str,
    *,
    probabilities: bool = True,
    argument: str | None = None,
) -> Sample | Tally:
    """Return checked columns, with labels of any two kinds, or a tally.

    `argument` is what the caller calls the scores, as in `rocwalk.read.arrays.evidence_of`.
    """
    argument = argument or argument_of(probabilities)
    one_of("truth", truth, ("auto", "hard", "soft"))
    if isinstance(y_true, Tally):
        if probabilities:
            refuse_other_scores(y_true)
    elif y_score is not None:
        y_true, y_score = one_column(y_true, "y_true"), one_column(y_score, argument)
        refuse_matrix(y_true, "y_true", ONE_DIMENSION)
        refuse_matrix(y_score, argument, ONE_DIMENSION)
        pos_label = positive_of(y_true, pos_label, truth, invalid)
    reading = (weights_column(sample_weight), pos_label, truth, invalid)
    try:
        return arrays.evidence_of(
            y_true, y_score, *reading, probabilities=probabilities, argument=argument
        )
    except RocwalkError as error:
        raise in_their_words(error) from None


# -- numbers that are undefined or not exact -------------------------------------------------------


def warn_undefined(message: str, hint: str = "") -> None:
    """Warn that the number does not exist; the warning is scikit-learn's too if that is loaded."""
    theirs = sys.modules.get("sklearn.exceptions")
    category = _joint_warning(theirs.UndefinedMetricWarning) if theirs else UndefinedMetricWarning
    warn(category(message, hint))


@cache
def _joint_warning(theirs: type[Warning]) -> type[UndefinedMetricWarning]:
    words = {"__doc__": UndefinedMetricWarning.__doc__, "__module__": __name__}
    return type("UndefinedMetricWarning", (UndefinedMetricWarning, theirs), words)


def said_if_undefined(value: float, name: str) -> float:
    """Return the value; NaN with a warning that says why."""
    if isnan(value):
        warn_undefined(
            f"Only one class is present in y_true, so the {name} is not defined and is NaN.",
            "it compares positives with negatives.",
        )
    return value


def said_if_open(bounds: Bounds, name: str) -> float:
    """Return the middle of bounds; if they are apart, with a warning that has them."""
    low, value, high = bounds
    if low < high:
        warn(
            BucketedWarning(
                f"The {name} of this bucketed tally, {value:.6g}, is within "
                f"± {slack_of(bounds):.2g} of the exact value: that lies between {low:.9g} and "
                f"{high:.9g}.",
                f"for the exact value {EXACT_TALLY}.",
                bounds,
            )
        )
    return value


# -- a metric in the place of a scorer -------------------------------------------------------------

_Metric = TypeVar("_Metric", bound=Callable[..., Any])


@dataclass(frozen=True, repr=False)
class NotAScore:
    """What a metric returns to a caller that takes it for a scorer.

    scikit-learn calls a scorer with (estimator, X, y). It turns an exception into the score NaN,
    but raises an error, with this text, for a value that is not a number.
    """

    metric: str
    estimator: str

    def __repr__(self) -> str:
        return (
            f"no score: {self.metric} is a metric, which takes labels and scores, but was called "
            f"as a scorer, with the estimator {self.estimator}. Hint: {self.hint}"
        )

    @property
    def hint(self) -> str:
        """What to do about it."""
        return (
            f"use make_scorer: scoring=rocwalk.sklearn.make_scorer(rocwalk.metrics.{self.metric})"
        )

    def _refused(self, *_: object) -> Any:
        raise OptionError(f"{self.metric} is a metric and was used as a scorer.", self.hint)

    __float__ = __add__ = __radd__ = __sub__ = __rsub__ = _refused


def as_metric(function: _Metric) -> _Metric:
    """Return the function of `rocwalk.metrics` that knows when it is called as a scorer."""

    @wraps(function)
    def metric(*arguments: Any, **options: Any) -> Any:
        if len(arguments) > 2 and hasattr(arguments[0], "fit"):
            return NotAScore(function.__name__, type(arguments[0]).__name__)
        return function(*arguments, **options)

    metric.__module__ = "rocwalk.metrics"  # where this one is found when it is unpickled
    return cast("_Metric", metric)
