"""What the labels are: of two kinds, of more, or neither; one column of them, or several."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.errors import InputError, LabelError
from rocwalk.intake.arrays import as_array
from rocwalk.intake.matrices import (
    is_list_of_rows,
    is_matrix,
    missing_labels,
    rows_to_array,
    shown,
    sorted_classes,
)
from rocwalk.metrics.phrases import BytesLabelError, not_supported
from rocwalk.typing import AnyArray, ArrayLike


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
