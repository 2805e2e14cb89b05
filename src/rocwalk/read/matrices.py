"""Matrices: rows and columns of any kind, and the classes that columns stand for.

`as_matrix` reads a 2-D array, a list of rows or a dataframe; `usable_rows` returns the rows to work
with; `check_classes` turns labels and one column of scores per class into a `ClassSample`. Each
raises an error that names the row and the column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import (
    AbsentClassWarning,
    Argument,
    ColumnError,
    InputError,
    LabelError,
    Option,
    OptionError,
    Part,
    RocwalkError,
    ScoreError,
    Text,
    UndefinedMetricWarning,
    warn,
)
from rocwalk.read.arrays import Sample, as_array, as_floats, as_labels, check
from rocwalk.read.frames import column_to_numpy, refuse_duplicates
from rocwalk.read.labels import EXACT_INTEGERS, missing_labels
from rocwalk.texts import joined, shown
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, IntArray

_NO_ROWS: IntArray = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSample:
    """Clean data of several classes: `codes` number the `labels`, `scores` has their columns.

    `units` number the items whose votes the rows are, where votes are the classes.
    """

    labels: tuple[Any, ...]
    codes: IntArray
    scores: FloatArray
    weights: FloatArray | None
    units: IntArray | None = None

    @property
    def n_items(self) -> int:
        """The number of items: of rows, unless an item has several."""
        return len(self.codes) if self.units is None else int(self.units.max()) + 1

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


def names_of_columns(data: ArrayLike) -> list[Any] | None:
    """Return the names of the columns of a dataframe or a dict; None if they have none.

    Names that pandas and polars make up, 0, 1, … and column_0, column_1, …, are still names here.
    """
    if isinstance(data, Mapping):
        return list(data)
    if not hasattr(data, "columns"):
        return None
    names = getattr(data, "column_names", None)  # pyarrow's `columns` are not names
    return list(data.columns if names is None else names)


def is_matrix(data: ArrayLike) -> bool:
    """Whether these data have rows and columns: a dataframe, a 2-D array or a list of rows."""
    if type(data) is np.ndarray:
        return data.ndim == 2
    return is_list_of_rows(data) or hasattr(data, "columns") or getattr(data, "ndim", 1) == 2


def is_list_of_rows(data: ArrayLike) -> bool:
    """Whether these data are a list that begins with a row."""
    if not isinstance(data, list | tuple) or not data:
        return False
    first = data[0]
    return isinstance(first, list | tuple) or (isinstance(first, np.ndarray) and first.ndim > 0)


def as_matrix(data: ArrayLike, name: str) -> FloatArray:
    """Return rows and columns of any kind as a matrix of floats; missing values become NaN."""
    keys = names_of_columns(data)
    if keys is not None:  # a dataframe, where each column has a type and gaps of its own
        refuse_duplicates(keys, name)
        columns = [as_array(data[key], f"{name}[{key!r}]") for key in keys]
        if len({len(column) for column in columns}) > 1:
            lengths = joined([f"{len(column):,}" for column in columns])
            raise InputError(
                f"has columns of {lengths} rows.", "pass columns of one length.", argument=name
            )
    else:
        array = rows_to_array(data, name) if is_list_of_rows(data) else column_to_numpy(data, name)
        if array.ndim != 2:
            raise InputError(
                f"has shape {array.shape}, but several classes need a score for each.",
                ("pass ", Argument(name), " with one row per item and one column per class."),
                argument=name,
            )
        if array.size and array.dtype.kind in "bf":  # no cell is refused, so no copy is needed
            return array.astype(np.float64, copy=False)
        columns = list(array.T)
    if not columns:
        raise InputError("has no columns.", "pass one column per class.", argument=name)
    parts = []
    for index, column in enumerate(columns):
        try:
            parts.append(as_floats(column, name, ScoreError))
        except RocwalkError as error:
            raise error.at(index=index) from None
    return np.column_stack(parts)


def rows_to_array(rows: Any, name: str) -> AnyArray:
    """Return a list of rows as an array; of objects unless all values are plain numbers."""
    try:
        array = np.array(rows)
    except ValueError as error:
        raise InputError(
            "is a nested list of unequal lengths.",
            "every row needs one value per column.",
            argument=name,
        ) from error
    # from 2⁵³ on, floats may have been unequal integers
    rounded = array.dtype.kind == "f" and bool(np.any(np.abs(array) >= EXACT_INTEGERS))
    return array if array.dtype.kind in "biuf" and not rounded else np.array(rows, dtype=object)


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
    that cannot be used.
    """
    one_of("invalid", invalid, ("raise", "drop"))
    numbers = np.arange(float(len(next(iter(matrices.values())))))
    if missing is None:
        missing = np.zeros(len(numbers), dtype=bool)
    if invalid == "drop" and len(missing) == len(numbers):
        for matrix in matrices.values():
            numbers[~_usable(matrix, probabilities).all(axis=1)] = np.nan
    labels = np.where(missing, np.nan, 0.0)
    try:
        sample = check(
            labels, numbers, sample_weight=sample_weight, invalid=invalid, with_advice=False
        )
    except ScoreError as error:  # no row is left, and the numbers stand for the matrices
        first, *others = map(Argument, matrices)
        named: Part = first if not others else joined([one.name for one in (first, *others)])
        raise error.at(names={"y_score": named}) from None
    rows = sample.scores.astype(np.int64)
    for name, matrix in matrices.items():
        _refuse_bad_cells(matrix, rows, name, probabilities)
    return rows, sample.weights


def _usable(matrix: FloatArray, probabilities: bool) -> BoolArray:
    return (matrix >= 0) & (matrix <= 1) if probabilities else np.isfinite(matrix)


def _refuse_bad_cells(matrix: FloatArray, rows: IntArray, name: str, probabilities: bool) -> None:
    """Raise at the first cell of these rows that is not finite, or not a probability."""
    bad = ~_usable(matrix[rows], probabilities)
    if not bad.any():
        return
    i, index = (int(place) for place in np.argwhere(bad)[0])
    value = matrix[rows[i], index]
    what, problem = f"is {value}.", "infinite"
    hint: Text = ("every value must be finite; ", Option("invalid", "drop"), " leaves rows out.")
    if np.isfinite(value):
        what, problem = f"is {value:g}, outside [0, 1].", "not_probability"
        hint = "this needs probabilities, though rows need not sum to 1: map the scores first."
    elif np.isnan(value):
        what, problem = "is NaN (or missing).", "nan"
    raise ScoreError(what, hint, argument=name, row=int(rows[i]), index=index, problem=problem)


# -- classes -------------------------------------------------------------------------------------


def check_classes(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    labels: ArrayLike = None,
    sample_weight: ArrayLike = None,
    invalid: str = "raise",
    name: str = "y_prob",
    units: IntArray | None = None,
) -> ClassSample:
    """Return clean class codes, scores and weights, or raise an error that names the place.

    `name` is what the caller calls the scores: a "y_prob" must hold probabilities. Columns that
    have names are matched with the classes by name, others by their order. `units` are the items
    that the rows belong to, if an item has several.
    """
    column, scores = as_labels(y_true), as_matrix(y_prob, name)
    refuse_unequal(column, scores, name)
    rows, weights = usable_rows(
        {name: scores}, sample_weight, invalid, missing_labels(column), name == "y_prob"
    )
    present, codes = sorted_classes(column[rows])
    names = present if labels is None else as_array(labels, "labels").tolist()
    for place, one in enumerate(names):
        if one in names[:place]:
            hint = "name each class once, one per column."
            raise LabelError(f"has {one!r} more than once.", hint, argument="labels")
    order = _columns_of_classes(names_of_columns(y_prob), names, name, labels is not None)
    if order is None and scores.shape[1] != len(names):
        source = "y_true has" if labels is None else "labels names"
        classes = f"{len(names)} {'class' if len(names) == 1 else 'classes'}: {shown(names)}."
        raise InputError(
            f"has {scores.shape[1]} columns, but {source} {classes}",
            ("pass one column per class; ", Option("labels"), " names all, absent ones too."),
            argument=name,
        )
    return ClassSample(
        labels=tuple(names),
        codes=_places(present, codes, names, rows)[codes],
        # each class reads its own column
        scores=np.asfortranarray(scores[rows] if order is None else scores[rows][:, order]),
        weights=weights,
        units=None if units is None else np.unique(units[rows], return_inverse=True)[1],
    )


def _columns_of_classes(
    columns: list[Any] | None, classes: list[Any], name: str, are_given: bool
) -> list[int] | None:
    """Return the place of the column of each class, or None where columns are in their order.

    A column belongs to the class of its name, which may be written as text: "1" is 1. Columns
    without names, and those with names that pandas or polars made up (0, 1, … or column_0,
    column_1, …), are in the order of the classes, unless these are the classes themselves.
    """
    if columns is None:
        return None
    # 1, "1" and 1.0 may be the names of three classes
    for written in (lambda name: name, str, _as_number):
        place_of = {written(column): place for place, column in enumerate(columns)}
        wanted = list(map(written, classes))
        if len(set(wanted)) == len(columns) and place_of.keys() == set(wanted):
            return [place_of[one] for one in wanted]
    if columns in (list(range(len(columns))), [f"column_{i}" for i in range(len(columns))]):
        return None
    named, known = set(map(str, columns)), set(map(str, classes))
    lost = [one for one in classes if str(one) not in named]
    extra = [column for column in columns if str(column) not in known]
    said = [f"no column for {shown(lost)}"] if lost else []
    said += [f"columns {shown(extra)} of no class"] if extra else []
    raise ColumnError(
        (
            f"has {joined(said)}; the classes of ",
            Argument("labels" if are_given else "y_true"),
            f" are {shown(classes)}.",
        ),
        (
            "name each column as its class; ",
            Option("labels"),
            " names all classes, absent ones too. ",
            "An array, without names, has its columns in the order of the classes.",
        ),
        argument=name,
    )


def _as_number(name: Any) -> Any:
    try:
        return float(name)
    except (TypeError, ValueError):
        return name


def refuse_unequal(labels: AnyArray, scores: FloatArray, name: str) -> None:
    """Raise unless there is a row of scores for each label."""
    counts = len(labels), len(scores)
    if counts[0] != counts[1]:
        differ = (f" has {counts[0]:,} rows, ", Argument(name), f" {counts[1]:,}.")
        raise InputError(
            ("The lengths differ: ", Argument("y_true"), *differ),
            "pass columns of one length, row by row of the same items.",
            problem="unequal_lengths",
            counts=counts,
        )


def refuse_binary_options(pos_label: Any, truth: str) -> None:
    """Raise for options that have a meaning for two classes only."""
    if truth == "soft":
        raise OptionError(
            "does not go together with several classes.",
            "each item has one class here; soft truth is for one column of probabilities.",
            option="truth",
            value=truth,
        )
    one_of("truth", truth, ("auto", "hard"))
    if pos_label is not None:
        raise OptionError(
            ("names one class, but ", Argument("y_prob"), " has a column for each."),
            ("leave pos_label out; ", Option("labels"), " names the classes of the columns."),
            option="pos_label",
            value=pos_label,
        )


def sorted_classes(column: AnyArray) -> tuple[list[Any], IntArray]:
    """Return the distinct labels in order, and the place of each row's label among them."""
    try:
        names, codes = np.unique(column, return_inverse=True)
    except TypeError as error:
        kinds = sorted({type(value).__name__ for value in column})
        raise LabelError(
            f"mixes labels of the types {', '.join(kinds)}, which have no order.",
            "pass labels of one type.",
            argument="y_true",
        ) from error
    return names.tolist(), codes


def _places(present: list[Any], codes: IntArray, names: list[Any], rows: IntArray) -> IntArray:
    """Return the place among `names` of each class that is present."""
    place_of = {name: place for place, name in enumerate(names)}
    for code, name in enumerate(present):
        if name not in place_of:
            raise LabelError(
                f"is {name!r}, which is not among the labels {shown(names)}.",
                (Option("labels"), " names the classes of the columns, in their order."),
                argument="y_true",
                row=int(rows[np.argmax(codes == code)]),
            )
    return np.array([place_of[name] for name in present], dtype=np.int64)


def warn_of_absent(sample: ClassSample, names: Mapping[str, Part] | None = None) -> None:
    """Warn when a class has no rows, or when fewer than two classes have some.

    `names` says what the arguments are to the caller.
    """
    masses, y_true = sample.masses, Argument("y_true")
    absent = [name for name, mass in zip(sample.labels, masses, strict=True) if not mass]
    text: list[Part] = []
    if absent:
        text += [y_true, f" has no rows of {shown(absent)}: its area and its pairs are NaN."]
    if np.count_nonzero(masses) < 2:
        text += [" "] if absent else []
        text += ["There are fewer than two classes in ", y_true, ", so no area is defined."]
    if text:
        category = AbsentClassWarning if absent else UndefinedMetricWarning
        warn(category(tuple(text)).at(names=names or {}))
