"""scikit-learn's words: its phrases in our errors, and its warnings."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numpy as np

from rocwalk.errors import (
    Argument,
    InputError,
    LabelError,
    OptionError,
    RocwalkError,
    UndefinedMetricWarning,
    shown,
    warn,
)
from rocwalk.read.arrays import as_array
from rocwalk.read.labels import missing_labels
from rocwalk.read.matrices import (
    is_list_of_rows,
    is_matrix,
    rows_to_array,
    sorted_classes,
)
from rocwalk.typing import AnyArray, ArrayLike

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."


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
    "zero_weights": "Sample weights must contain at least one non-zero number.",
}


class BytesLabelError(LabelError, TypeError):
    """Labels of bytes, which scikit-learn refuses with a TypeError."""


class NoAverageError(OptionError, NotImplementedError):
    """An average that scikit-learn refuses with a NotImplementedError."""


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


def warn_undefined(message: str) -> None:
    """Warn that the number does not exist; the warning is scikit-learn's too if that is loaded."""
    theirs = sys.modules.get("sklearn.exceptions")
    category = _joint_warning(theirs.UndefinedMetricWarning) if theirs else UndefinedMetricWarning
    warn(category(message))


@cache
def _joint_warning(theirs: type[Warning]) -> type[UndefinedMetricWarning]:
    words = {"__doc__": UndefinedMetricWarning.__doc__, "__module__": __name__}
    return type("UndefinedMetricWarning", (UndefinedMetricWarning, theirs), words)


# -- what the labels are ---------------------------------------------------------------------------


def kind_of_labels(y_true: ArrayLike) -> tuple[str, list[Any]]:
    """Return "binary" or "multiclass" and the distinct labels, or "continuous" or "mixed"."""
    column = as_array(y_true, "y_true")
    labels = _narrowed(column[~missing_labels(column)])
    if labels.dtype.kind == "S" or any(isinstance(label, bytes) for label in labels[:1]):
        raise BytesLabelError(
            "Support for labels represented as bytes is not supported.",
            "convert the labels to text or integers, for instance with .astype(str).",
        )
    if labels.dtype.kind == "f" and bool(np.any((labels != np.round(labels)) | np.isinf(labels))):
        return "continuous", []
    try:
        classes = sorted_classes(labels)[0]
    except LabelError:
        return "mixed", []
    return ("binary" if len(classes) <= 2 else "multiclass"), classes


def _narrowed(labels: AnyArray) -> AnyArray:
    """Return objects that are all numbers as numbers."""
    if labels.dtype.kind != "O":
        return labels
    numbers = np.array(labels.tolist())
    return numbers if numbers.dtype.kind in "biuf" else labels


def are_standard(classes: list[Any]) -> bool:
    """Whether the labels say themselves which one is positive."""
    return set(classes) <= {0, 1} or set(classes) <= {-1, 1}


def refuse_unnamed(kind: str, classes: list[Any]) -> None:
    """Raise unless the labels are among those that need no `pos_label`."""
    if kind == "multiclass":
        raise not_supported(kind, f"y_true has the labels {shown(classes)}")
    if not are_standard(classes):
        values = ", ".join(map(repr, classes))
        raise LabelError(
            f"y_true takes value in {{{values}}} and pos_label is not specified: either make "
            "y_true take value in {0, 1} or {-1, 1} or pass pos_label explicitly.",
            f"for instance pos_label={classes[-1]!r}.",
        )


def one_column(data: ArrayLike, name: str) -> ArrayLike:
    """Return a matrix of one column as that column, and a list of rows as an array."""
    if is_list_of_rows(data):
        data = rows_to_array(data, name)
    return np.asarray(data).reshape(-1) if is_matrix(data) and data.shape[1] == 1 else data


def refuse_matrix(data: ArrayLike, name: str, phrase: str) -> None:
    """Raise if there are several columns, with scikit-learn's phrase for it."""
    if is_matrix(data):
        raise InputError(
            f"{name} has 2 dimensions, shape {data.shape}. {phrase.format(shape=data.shape)}",
            "pass the column of one class; for several classes use rocwalk.multiclass.",
        )
