"""Read labels: which are hard, which are soft, and which row to name when neither."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rocwalk.errors import LabelError
from rocwalk.typing import AnyArray, BoolArray, FloatArray, IntArray

PEEK = 64  # so many values are looked at before all of them are


_NAMES_SHOWN = 5


def original_row(rows: IntArray | None, row: Any) -> int:
    """Return the number of a row in the caller's data, before rows were left out."""
    return int(row) if rows is None else int(rows[row])


def is_missing(value: Any) -> bool:
    """Whether an object stands for a missing value: None, NaN, or pandas' NA and NaT."""
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def read_labels(
    labels: AnyArray, pos_label: Any, truth: str, rows: IntArray | None = None
) -> tuple[AnyArray, bool]:
    """Return 0/1 labels and True, or soft truth in [0, 1] and False.

    `pos_label` given means hard; else bool, {0, 1} and {−1, 1} are hard, other floats in [0, 1]
    are soft, and everything else is an error. `rows` are the labels' numbers in the caller's data.
    """
    if pos_label is not None:
        return _matches(labels, pos_label, truth), True
    if labels.dtype.kind == "O":
        labels = _narrowed(labels)
    if labels.dtype.kind not in "biuf":
        raise _too_many_labels(labels, rows)
    low, high = _range(labels)
    if truth == "soft":
        return _soft(labels, low, high, rows), False
    if low >= 0 and high <= 1:
        return _hard_or_soft(labels, truth, rows)
    if low == -1 and high <= 1 and bool(np.all((labels == -1) | (labels == 1))):
        return labels == 1, True
    raise _too_many_labels(labels, rows)


def _range(labels: AnyArray) -> tuple[Any, Any]:
    """Return the smallest and the largest label, in one pass for integers that are 0 and 1."""
    if labels.dtype == np.int64 and labels.view(np.uint64).max() <= 1:
        return 0, 1
    return labels.min(), labels.max()


def _matches(labels: AnyArray, pos_label: Any, truth: str) -> BoolArray:
    if truth == "soft":
        raise LabelError(
            f'pos_label={pos_label!r} names a class, but truth="soft" asks for probabilities.',
            'leave pos_label out, or use truth="hard".',
        )
    if np.ndim(pos_label) != 0:
        raise LabelError(
            f"pos_label={pos_label!r} is not one label.", "name one label; all others are negative."
        )
    _refuse_other_kind(labels, pos_label)
    return np.asarray(labels == pos_label, dtype=bool)


def _refuse_other_kind(labels: AnyArray, pos_label: Any) -> None:
    """Raise if `pos_label` is text and the labels are numbers, or the other way round."""
    is_text = labels.dtype.kind in "UST" or any(isinstance(one, str) for one in labels[:PEEK])
    if isinstance(pos_label, str) and labels.dtype.kind in "biuf":
        raise LabelError(
            f"The pos_label={pos_label!r} is text, but y_true holds numbers.",
            "pass pos_label as a number, without quotes.",
        )
    if is_text and not isinstance(pos_label, str | bytes):
        raise LabelError(
            f"The pos_label={pos_label!r} is not text, but y_true holds text.",
            "pass pos_label as it is written there, in quotes.",
        )


def _narrowed(labels: AnyArray) -> AnyArray:
    """Return an object column as numbers if all its values are numbers."""
    if all(isinstance(value, bool | np.bool_) for value in labels):
        return labels.astype(bool)
    if all(isinstance(value, bool | int | float | np.number) for value in labels):
        return labels.astype(np.float64)
    return labels


def _hard_or_soft(labels: AnyArray, truth: str, rows: IntArray | None) -> tuple[AnyArray, bool]:
    """Sort out labels that all lie in [0, 1]."""
    if labels.dtype.kind != "f":
        return (labels if labels.dtype == np.int64 else labels.astype(bool)), True
    head = labels[:PEEK]
    if bool(np.all((head == 0) | (head == 1))) and bool(np.all((labels == 0) | (labels == 1))):
        return labels != 0, True
    if truth == "hard":
        row = int(np.flatnonzero((labels != 0) & (labels != 1))[0])
        raise LabelError(
            f"y_true at row {original_row(rows, row)} is {labels[row]:g}, "
            'but truth="hard" allows 0 and 1 only.',
            'use truth="soft" for probabilities, or round them yourself.',
        )
    return labels.astype(np.float64, copy=False), False


def _soft(labels: AnyArray, low: Any, high: Any, rows: IntArray | None) -> FloatArray:
    if low < 0 or high > 1:
        row = int(np.flatnonzero((labels < 0) | (labels > 1))[0])
        raise LabelError(
            f"y_true at row {original_row(rows, row)} is {labels[row]:g}, outside [0, 1].",
            'with truth="soft" each value is the probability that the item is positive.',
        )
    return labels.astype(np.float64)


def _too_many_labels(labels: AnyArray, rows: IntArray | None) -> LabelError:
    """Say why these labels cannot be read without `pos_label`."""
    if labels.dtype.kind == "f" and np.any(labels != np.round(labels)):
        row = int(np.flatnonzero((labels < 0) | (labels > 1))[0])
        return LabelError(
            f"y_true at row {original_row(rows, row)} is {labels[row]:g}, outside [0, 1].",
            "soft truth lies in [0, 1]; for hard labels name the positive one with pos_label=.",
        )
    seen = sorted({str(value) for value in labels[:10_000].tolist()})
    shown = ", ".join(seen[:_NAMES_SHOWN]) + (", …" if len(seen) > _NAMES_SHOWN else "")
    return LabelError(
        f"y_true has the labels {shown}, which do not say which one is positive.",
        "name the positive label with pos_label=; 0/1, −1/1 and booleans need no name.",
    )
