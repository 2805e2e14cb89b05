"""Matrices at the door: rows and columns of any kind, and the classes that columns stand for.

`as_matrix` reads a 2-D array, a list of rows or a dataframe; `usable_rows` says which rows to work
with; `check_classes` turns labels and one column of scores per class into a `ClassSample`. Each
raises an error that names the row and the column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import (
    AbsentClassWarning,
    InputError,
    LabelError,
    OptionError,
    ScoreError,
    UndefinedMetricWarning,
    one_of,
    warn,
)
from rocwalk.read.arrays import Sample, as_array, as_floats, check
from rocwalk.read.frames import column_to_numpy, refuse_duplicates
from rocwalk.read.labels import is_missing
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, IntArray

_NAMES_SHOWN = 5


_FIRST_INEXACT = 2.0**53  # from here on, floats may have been unequal integers


_NO_ROWS: IntArray = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSample:
    """Clean data of several classes: `codes` number the `labels`, `scores` has their columns."""

    labels: tuple[Any, ...]
    codes: IntArray
    scores: FloatArray
    weights: FloatArray | None

    @property
    def masses(self) -> FloatArray:
        """The mass of each class; 0 for an absent one."""
        return np.bincount(self.codes, self.weights, len(self.labels)).astype(np.float64)

    @property
    def shares(self) -> FloatArray:
        """The share p(c) of each class in the whole mass."""
        masses = self.masses
        shares: FloatArray = masses / masses.sum()
        return shares

    def against_rest(self) -> Iterator[Sample]:
        """Give each class in turn as the positive one, with its own column of scores."""
        for code, column in enumerate(self.scores.T):
            yield clean_sample(self.codes == code, column, self.weights)


def clean_sample(
    truth: AnyArray, scores: FloatArray, weights: FloatArray | None, is_hard: bool = True
) -> Sample:
    """Return labels and scores that are known to be clean as a sample."""
    low, high = float(scores.min()), float(scores.max())
    return Sample(truth, scores, weights, is_hard, low, high, _NO_ROWS)


# -- reading -------------------------------------------------------------------------------------


def is_matrix(data: ArrayLike) -> bool:
    """Whether these data have rows and columns: a dataframe, a 2-D array or a list of rows."""
    return is_list_of_rows(data) or hasattr(data, "columns") or getattr(data, "ndim", 1) == 2


def is_list_of_rows(data: ArrayLike) -> bool:
    """Whether these data are a list that begins with a row."""
    if not isinstance(data, list | tuple) or not data:
        return False
    return isinstance(data[0], list | tuple | np.ndarray)


def as_matrix(data: ArrayLike, name: str) -> FloatArray:
    """Return rows and columns of any kind as a matrix of floats; missing values become NaN."""
    if hasattr(data, "columns"):
        return _stacked(_frame_columns(data, name), name)
    array = rows_to_array(data, name) if is_list_of_rows(data) else column_to_numpy(data, name)
    if array.ndim != 2:
        raise InputError(
            f"{name} has shape {array.shape}, but several classes need a score for each.",
            f"pass {name} with one row per item and one column per class.",
        )
    if array.size and array.dtype.kind in "bf":  # no cell to refuse, so no need to copy
        return array.astype(np.float64, copy=False)
    return _stacked(list(array.T), name)


def rows_to_array(rows: Any, name: str) -> AnyArray:
    """Return a list of rows as an array; of objects unless all values are plain numbers."""
    try:
        array = np.array(rows)
    except ValueError as error:
        raise InputError(
            f"{name} is a nested list of unequal lengths.", "every row needs one value per column."
        ) from error
    rounded = array.dtype.kind == "f" and bool(np.any(np.abs(array) >= _FIRST_INEXACT))
    return array if array.dtype.kind in "biuf" and not rounded else np.array(rows, dtype=object)


def _frame_columns(frame: Any, name: str) -> list[AnyArray]:
    """Read a dataframe column by column, because each has a type and gaps of its own."""
    names = getattr(frame, "column_names", None)  # pyarrow's `columns` are not names
    keys = list(frame.columns if names is None else names)
    refuse_duplicates(keys, name)
    return [as_array(frame[key], f"{name}[{key!r}]") for key in keys]


def _stacked(columns: list[AnyArray], name: str) -> FloatArray:
    if not columns:
        raise InputError(f"{name} has no columns.", "pass one column per class.")
    parts = [as_floats(column, name, _error_in(place)) for place, column in enumerate(columns)]
    return np.column_stack(parts)


def _error_in(column: int) -> Callable[[str, str], ScoreError]:
    """Return what makes an error that names the row name this column as well."""

    def error(what: str, hint: str) -> ScoreError:
        return ScoreError(re.sub(r"( at row \d+)", rf"\1, column {column}", what, count=1), hint)

    return error


# -- rows ----------------------------------------------------------------------------------------


def usable_rows(
    matrices: Mapping[str, FloatArray],
    sample_weight: ArrayLike,
    invalid: str,
    missing: BoolArray | None = None,
    probabilities: bool = False,
) -> tuple[IntArray, FloatArray | None]:
    """Return the rows to use and their weights: not of weight 0 and, if asked for, not invalid.

    `missing` marks rows without a label; `probabilities` asks for cells in [0, 1]. `check` does the
    work: the numbers of the rows go through it as if they were scores, NaN where a row has a cell
    that cannot be used. They count from 2, so as not to look like 0/1 predictions.
    """
    one_of("invalid", invalid, ("raise", "drop"))
    numbers = np.arange(2.0, len(next(iter(matrices.values()))) + 2.0)
    if missing is None:
        missing = np.zeros(len(numbers), dtype=bool)
    if invalid == "drop" and len(missing) == len(numbers):
        for matrix in matrices.values():
            numbers[~_usable(matrix, probabilities).all(axis=1)] = np.nan
    labels = np.where(missing, np.nan, 0.0)
    sample = check(labels, numbers, sample_weight=sample_weight, invalid=invalid)
    rows = sample.scores.astype(np.int64) - 2
    for name, matrix in matrices.items():
        _refuse_bad_cells(matrix, rows, name, probabilities)
    return rows, sample.weights


def _usable(matrix: FloatArray, probabilities: bool) -> BoolArray:
    return (matrix >= 0) & (matrix <= 1) if probabilities else np.isfinite(matrix)


def _refuse_bad_cells(matrix: FloatArray, rows: IntArray, name: str, probabilities: bool) -> None:
    """Raise at the first cell of these rows that is not finite, or not a probability."""
    bad = ~_usable(matrix[rows], probabilities)
    if bad.any():
        i, column = (int(place) for place in np.argwhere(bad)[0])
        value = matrix[rows[i], column]
        if np.isfinite(value):
            raise ScoreError(
                f"{name} at row {rows[i]}, column {column} is {value:g}, outside [0, 1].",
                "this needs probabilities, though rows need not sum to 1: map the scores first.",
            )
        raise ScoreError(
            f"{name} at row {rows[i]}, column {column} is "
            f"{'NaN (or missing)' if np.isnan(value) else value}.",
            'every value must be finite; invalid="drop" leaves such rows out and says so.',
        )


def missing_labels(column: AnyArray) -> BoolArray:
    """Mark the rows whose label is missing."""
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind in "mM":
        return np.isnat(column)
    if column.dtype.kind != "O":
        return np.zeros(len(column), dtype=bool)
    return np.array([is_missing(value) for value in column], dtype=bool)


# -- classes -------------------------------------------------------------------------------------


def check_classes(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike = None,
    sample_weight: ArrayLike = None,
    invalid: str = "raise",
    name: str = "y_prob",
) -> ClassSample:
    """Return clean class codes, scores and weights, or raise an error that names the place.

    `name` is what the caller calls the scores: a "y_prob" must hold probabilities.
    """
    column, scores = as_array(y_true, "y_true"), as_matrix(y_prob, name)
    refuse_unequal(column, scores, name)
    rows, weights = usable_rows(
        {name: scores}, sample_weight, invalid, missing_labels(column), name == "y_prob"
    )
    present, codes = sorted_classes(column[rows])
    names = present if labels is None else _distinct(as_array(labels, "labels").tolist())
    _check_width(scores, name, names, labels is None)
    return ClassSample(
        labels=tuple(names),
        codes=_places(present, codes, names, rows)[codes],
        scores=np.asfortranarray(scores[rows]),  # each class reads its own column
        weights=weights,
    )


def refuse_unequal(labels: AnyArray, scores: FloatArray, name: str) -> None:
    """Raise unless there is a row of scores for each label."""
    if len(labels) != len(scores):
        raise InputError(
            f"The lengths differ: y_true has {len(labels):,} rows, {name} {len(scores):,}.",
            "pass columns of one length, row by row of the same items.",
        )


def refuse_binary_options(pos_label: Any, truth: str) -> None:
    """Raise for what only means something with two classes."""
    if truth == "soft":
        raise OptionError(
            'truth="soft" does not go together with several classes.',
            "each item has one class here; soft truth is for one column of probabilities.",
        )
    one_of("truth", truth, ("auto", "hard"))
    if pos_label is not None:
        raise OptionError(
            f"pos_label={pos_label!r} names one class, but y_prob has a column for each.",
            "leave pos_label out; labels= names the classes of the columns.",
        )


def sorted_classes(column: AnyArray) -> tuple[list[Any], IntArray]:
    """Return the distinct labels in order, and the place of each row's label among them."""
    try:
        names, codes = np.unique(column, return_inverse=True)
    except TypeError as error:
        kinds = sorted({type(value).__name__ for value in column})
        raise LabelError(
            f"y_true mixes labels of the types {', '.join(kinds)}, which have no order.",
            "pass labels of one type.",
        ) from error
    return names.tolist(), codes


def _places(present: list[Any], codes: IntArray, names: list[Any], rows: IntArray) -> IntArray:
    """Return the place among `names` of each class that is present."""
    place_of = {name: place for place, name in enumerate(names)}
    for code, name in enumerate(present):
        if name not in place_of:
            raise LabelError(
                f"y_true at row {rows[np.argmax(codes == code)]} is {name!r}, which is not among "
                f"the labels {shown(names)}.",
                "labels= names the class of every column of y_prob, in the order of the columns.",
            )
    return np.array([place_of[name] for name in present], dtype=np.int64)


def _distinct(names: list[Any]) -> list[Any]:
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise LabelError(
            f"labels has {twice[0]!r} more than once.", "name each class once, one per column."
        )
    return names


def _check_width(scores: FloatArray, name: str, names: list[Any], from_data: bool) -> None:
    width = scores.shape[1]
    if width != len(names):
        source = "y_true has" if from_data else "labels names"
        raise InputError(
            f"{name} has {width} columns, but {source} {len(names)} classes: {shown(names)}.",
            "pass one column per class; labels= names the classes of the columns, absent ones too.",
        )


def warn_of_absent(sample: ClassSample) -> None:
    """Warn when a class has no rows, or when fewer than two classes have some."""
    masses = sample.masses
    absent = [name for name, mass in zip(sample.labels, masses, strict=True) if not mass]
    too_few = np.count_nonzero(masses) < 2
    words = []
    if absent:
        words.append(f"y_true has no rows of {shown(absent)}: its area and its pairs are NaN.")
    if too_few:
        words.append("There are fewer than two classes in y_true, so no area is defined.")
    if words:
        category = AbsentClassWarning if absent else UndefinedMetricWarning
        warn(category(" ".join(words)))


def shown(names: list[Any]) -> str:
    """Write the first few names.

    >>> shown(["a", "b"]), shown(list(range(9)))
    ("'a', 'b'", '0, 1, 2, 3, 4, …')
    """
    more = ", …" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(map(repr, names[:_NAMES_SHOWN])) + more
