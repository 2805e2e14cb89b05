"""Labels: which are missing, hard or soft, and which row is named if they are neither.

With `pos_label` a column holds that label and one other. A third label is an error, and so is a
`pos_label` that no row has, unless all rows have one other label: a sample without positives.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np

from rocwalk.errors import Argument, LabelError, Option, Part, Text
from rocwalk.texts import nearest, shown, spelled, written
from rocwalk.typing import AnyArray, BoolArray, IntArray

EXACT_INTEGERS = 2**53  # up to here float64 holds every integer
_TIMES = (np.datetime64, np.timedelta64)
_NESTED = {dict, list, set, tuple, np.ndarray}
PEEK = 64  # so many values are looked at before all of them are
_LABELS_SHOWN = 5
GREATER = object()  # as `pos_label`: the greater of two labels is positive


class Negative(Enum):
    """Which labels are negative, if that is not one known label."""

    ONE = "one other label, whichever it is"
    ALL = "all other labels"


@dataclass(frozen=True, slots=True)
class Labels:
    """As `pos_label`: the positive label, and the negative one if it is known."""

    positive: Any
    negative: Any = Negative.ONE


def original_row(rows: IntArray | None, row: Any) -> int:
    """Return the number of a row in the caller's data, before rows were left out."""
    return int(row) if rows is None else int(rows[row])


def is_missing(value: Any) -> bool:
    """Whether an object stands for a missing value: None, NaN, or pandas' NA and NaT."""
    if isinstance(value, float):
        return math.isnan(value)
    if isinstance(value, Decimal):
        return value.is_nan()
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def missing_labels(column: AnyArray) -> BoolArray:
    """Mark the rows whose label is missing."""
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind in "mM":
        return np.isnat(column)
    if column.dtype.kind != "O":
        return np.zeros(len(column), dtype=bool)
    return np.array([is_missing(value) for value in column], dtype=bool)


def refuse_nested(labels: AnyArray) -> None:
    """Raise at the first row that holds several values in place of one label."""
    if labels.dtype.kind != "O" or _NESTED.isdisjoint(map(type, labels)):
        return
    for row, label in enumerate(labels):
        if type(label) in _NESTED and not (isinstance(label, np.ndarray) and label.ndim == 0):
            raise LabelError(
                f"is {label!r}, not one label.",
                ("pass one label per row as ", Argument("y_true"), "."),
                argument="y_true",
                row=row,
            )


def read_labels(
    labels: AnyArray, pos_label: Any, truth: str, rows: IntArray | None = None
) -> tuple[AnyArray, bool]:
    """Return 0/1 labels and True, or soft truth in [0, 1] and False.

    `pos_label` given means hard, with one other label (`Labels` may say which one, or that all
    others are negative); else bool, {0, 1} and {−1, 1} are hard, other floats in [0, 1] are soft,
    and everything else is an error; with `GREATER` as `pos_label` the greater of any two numbers is
    positive. `rows` are the labels' numbers in the caller's data.
    """
    if pos_label is not None and pos_label is not GREATER:
        known = pos_label if isinstance(pos_label, Labels) else Labels(pos_label)
        found = _matches(labels, known.positive, truth)
        if known.negative is not Negative.ALL:
            _refuse_other_labels(labels, found, known, rows)
        return found, True
    if labels.dtype.kind == "O":
        labels = as_numbers(labels)
    if labels.dtype.kind not in "biuf":
        raise _too_many_labels(labels, rows)
    if labels.dtype == np.int64 and labels.view(np.uint64).max() <= 1:  # one pass for 0 and 1
        low, high = 0, 1
    else:
        low, high = labels.min(), labels.max()
    if truth == "soft":
        if low < 0 or high > 1:
            hint = 'with truth="soft" each value is the probability that the item is positive.'
            raise _outside(labels, rows, hint)
        return labels.astype(np.float64), False
    if low >= 0 and high <= 1:
        return _hard_or_soft(labels, truth, rows)
    if low == -1 and high <= 1 and bool(np.all((labels == -1) | (labels == 1))):
        return labels == 1, True
    error = _too_many_labels(labels, rows)
    if pos_label is GREATER and error.fields.problem == "not_binary":
        classes = np.unique(labels)
        if len(classes) <= 2:
            return labels == classes[-1], True
        error = error.at(problem="multiclass")
    raise error


def agreed_labels(known: Labels | None, pos_label: Any, truth: str) -> Any:
    """Return the `pos_label` of a batch: the labels known before, or raise if it names another."""
    if known is None or truth == "soft":
        return pos_label
    if pos_label is not None and pos_label != known.positive:
        raise LabelError(
            f"is not the positive label of the batches before, {known.positive!r}.",
            "name the same label in all batches, or leave it out.",
            option="pos_label",
            value=pos_label,
        )
    return known


def labels_seen(labels: AnyArray, values: AnyArray, pos_label: Any) -> Labels:
    """Return the label that was named positive and the other one, as far as it occurs.

    `values` is what `read_labels` has made of the labels.
    """
    known = pos_label if isinstance(pos_label, Labels) else Labels(pos_label)
    if known.negative is not Negative.ONE:
        return known
    first = int(np.argmin(values))
    return known if values[first] else Labels(known.positive, _plain(labels[first]))


def as_numbers(labels: AnyArray) -> AnyArray:
    """Return an object column as numbers if all its values are numbers."""
    if all(isinstance(value, bool | np.bool_) for value in labels):
        return labels.astype(bool)
    if all(isinstance(value, bool | int | float | Decimal | np.number) for value in labels):
        beyond = contextlib.suppress(OverflowError, FloatingPointError)  # integers, long doubles
        with beyond, np.errstate(over="raise"):
            return labels.astype(np.float64)
    return labels


def _matches(labels: AnyArray, pos_label: Any, truth: str) -> BoolArray:
    """Return which labels are the positive one; of another kind, text or number, none can be."""
    named = {"option": "pos_label", "value": pos_label}
    if truth == "soft":
        raise LabelError(
            'names a class, but truth="soft" asks for probabilities.',
            ("leave ", Argument("pos_label"), ' out, or use truth="hard".'),
            **named,
        )
    if np.ndim(pos_label) != 0 or is_missing(pos_label):
        raise LabelError("is not one label.", "name the label of the positive class.", **named)
    head = as_numbers(labels[:PEEK]) if labels.dtype.kind == "O" else labels
    if isinstance(pos_label, str) and head.dtype.kind in "biuf":
        raise LabelError(
            ("is text, but ", Argument("y_true"), " holds numbers."),
            ("pass ", Argument("pos_label"), " as a number, without quotes."),
            **named,
        )
    if labels.dtype.kind in "mM" and isinstance(pos_label, bool | int | float | np.number):
        raise LabelError(
            ("is a number, but ", Argument("y_true"), " holds times."),
            ("pass ", Argument("pos_label"), " as a time of the same kind."),
            **named,
        )
    is_text = labels.dtype.kind in "UST" or any(isinstance(one, str) for one in head[:PEEK])
    if is_text and not isinstance(pos_label, str | bytes):
        raise LabelError(
            ("is not text, but ", Argument("y_true"), " holds text."),
            ("pass ", Argument("pos_label"), " as it is written there, in quotes."),
            **named,
        )
    return _equal(labels, pos_label)


def _equal(labels: AnyArray, label: Any) -> BoolArray:
    """Return which labels are this one; a number that their type cannot hold is none of them."""

    def is_it(one: Any) -> bool:
        try:
            return bool(one == label)
        except OverflowError:  # a float of NumPy's and an integer beyond it
            return False

    with np.errstate(over="ignore"):
        try:
            return np.asarray(labels == label, dtype=bool)
        except OverflowError:
            return np.fromiter(map(is_it, labels), dtype=bool, count=len(labels))


def _refuse_other_labels(
    labels: AnyArray, found: BoolArray, known: Labels, rows: IntArray | None
) -> None:
    """Raise unless the labels that are not positive are one label, the known one if there is one.

    `found` marks the positive ones. If there are none, the other label must not be the positive
    one in another spelling.
    """
    first = int(np.argmin(found))
    if found[first]:
        return
    is_open = known.negative is Negative.ONE
    negative = _plain(labels[first]) if is_open else known.negative  # a str compares faster
    fine = found | _equal(labels, negative)
    is_one = bool(fine.all())
    if is_open and not found.any():
        if not is_one or _is_misspelt(known.positive, negative):
            raise absent_label(known.positive, labels)
    elif not is_one:
        if is_open:  # the label that is more frequent is the negative one
            negative = Counter(_comparable(labels[~found])).most_common(1)[0][0]
            fine = found | _equal(labels, negative)
        strange = np.flatnonzero(~fine)
        error = third_label(labels[strange[0]], known.positive, negative)
        raise error.at(row=original_row(rows, strange[0]), count=len(strange))


def plain(value: Any) -> Any:
    """Return a NumPy scalar as the Python value that it shows as."""
    return value.item() if isinstance(value, np.generic) else value


def _plain(label: Any) -> Any:
    """Return a NumPy scalar as the Python value; times as they are, which may become integers."""
    return label if isinstance(label, _TIMES) else plain(label)


def _comparable(labels: Iterable[Any]) -> list[Any]:
    """Return labels that are present, without lists and the like, which are none."""
    return [_plain(one) for one in labels if isinstance(one, Hashable) and not is_missing(one)]


def _is_misspelt(positive: Any, label: Any) -> bool:
    both = isinstance(positive, str) and isinstance(label, str)
    return both and spelled(positive) == spelled(label)


def absent_label(positive: Any, labels: Iterable[Any]) -> LabelError:
    """Return the error for a positive label that no row has."""
    present = sorted(set(_comparable(labels)), key=str)
    hint = f"there are: {shown(present, 12)}."
    if isinstance(positive, str) and present:
        hint = nearest(positive, [str(label) for label in present])
    return LabelError(
        (f"No row has the label {_plain(positive)!r} in ", Argument("y_true"), "."),
        hint,
        problem="absent_label",
    )


def third_label(label: Any, positive: Any, negative: Any, where: Text = "") -> LabelError:
    """Return the error for a label that is neither the positive nor the negative one."""
    label, positive, negative = _plain(label), _plain(positive), _plain(negative)
    meant = [one for one in (positive, negative) if _is_misspelt(one, label)]
    hint: tuple[Part, ...] = (
        "map every label to one of two; for one class against the rest pass as ",
        Argument("y_true"),
        f" whether the label is {positive!r}.",
    )
    if meant:
        hint = (f"did you mean {meant[0]!r}? Write each label in one way.",)
    return LabelError(
        (
            f"has the label {label!r} beside ",
            Option("pos_label", positive),
            f" and {negative!r}",
            where,
            ".",
        ),
        hint,
        argument="y_true",
        problem="third_label",
    )


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
            f'is {labels[row]:g}, but truth="hard" allows 0 and 1 only.',
            'use truth="soft" for probabilities, or round them yourself.',
            argument="y_true",
            row=original_row(rows, row),
            problem="continuous",
        )
    return labels.astype(np.float64, copy=False), False


def _too_many_labels(labels: AnyArray, rows: IntArray | None) -> LabelError:
    """Return the error for labels that cannot be read without `pos_label`."""
    if labels.dtype.kind == "f" and np.any(labels != np.round(labels)):
        return _outside(
            labels,
            rows,
            "soft truth lies in [0, 1]; for hard labels name the positive one with ",
            Option("pos_label"),
            ".",
        ).at(problem="continuous")
    values = labels[:10_000].tolist()
    seen = sorted({written(one) if isinstance(one, int) else str(one) for one in values})
    name_it: tuple[Part, ...] = ("name the positive label with ", Option("pos_label"))
    if len(seen) > 2:
        name_it = ("map each label to one of two classes, and ", *name_it)
    infinite = any(isinstance(value, float) and math.isinf(value) for value in values)
    return LabelError(
        f"has the labels {', '.join(seen[:_LABELS_SHOWN])}"
        f"{', …' if len(seen) > _LABELS_SHOWN else ''}, which do not say which one is positive.",
        (*name_it, "; 0/1, −1/1 and booleans need no name."),
        argument="y_true",
        problem="infinite" if infinite else "not_binary",
    )


def _outside(labels: AnyArray, rows: IntArray | None, *hint: Part) -> LabelError:
    row = int(np.flatnonzero((labels < 0) | (labels > 1))[0])
    return LabelError(
        f"is {labels[row]:g}, outside [0, 1].",
        hint,
        argument="y_true",
        row=original_row(rows, row),
    )
