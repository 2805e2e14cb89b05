"""Ratings of a reader study: every reader rates every case with every test, read into `Ratings`.

A row of the data is one rating. Data without this factorial design are refused, and the error names
a reader, a test and a case for which it fails.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import (
    Argument,
    Column,
    ColumnError,
    InputError,
    LabelError,
    RocwalkError,
    ScoreError,
)
from rocwalk.read.arrays import as_floats
from rocwalk.read.frames import GROUP, LABEL, NUMBER, Name, Table, read_table
from rocwalk.read.labels import missing_labels, plain, read_labels
from rocwalk.read.votes import numbered, refuse_absent
from rocwalk.tally.tally import read_only
from rocwalk.typing import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ratings:
    """A complete reader study.

    Attributes
    ----------
    tests, readers, cases
        Their names, in the order in which they first appear.
    positive
        Which cases are positive.
    values
        The ratings, by test, reader and case.
    """

    tests: tuple[Any, ...]
    readers: tuple[Any, ...]
    cases: tuple[Any, ...]
    positive: BoolArray
    values: FloatArray

    def __post_init__(self) -> None:
        for name in ("positive", "values"):
            object.__setattr__(self, name, read_only(getattr(self, name)))


def read_ratings(
    data: Any, *, truth: Name, reader: Name, test: Name, case: Name, rating: Name, pos_label: Any
) -> Ratings:
    """Read rows of one rating each; raise unless they are a factorial design."""
    refuse_absent(truth=truth, reader=reader, test=test, case=case, rating=rating)
    roles = {truth: LABEL, reader: GROUP, test: GROUP, case: GROUP, rating: NUMBER}
    table = read_table(data, roles)
    places = {}
    for argument, name in (("test", test), ("reader", reader), ("case", case)):
        names, place = numbered(table, name)
        if (place < 0).any():
            raise ColumnError(
                "is missing (NaN or null).",
                ("name the ", argument, " of every rating."),
                column=name,
                **table.where(int((place < 0).argmax())),
            )
        places[argument] = tuple(plain(one) for one in names), place
    (tests, of_test), (readers, of_reader), (cases, of_case) = places.values()
    values = _numbers(table, rating)
    first = np.full(len(cases), -1)
    first[of_case[::-1]] = np.arange(len(table))[::-1]  # the last to be written appears first
    positive = _truth_of_cases(table, truth, pos_label, first, of_case, cases)
    cell = np.ravel_multi_index(
        (of_test, of_reader, of_case), (len(tests), len(readers), len(cases))
    )
    _refuse_twice(table, cell, (tests, readers, cases))
    whole = np.full(len(tests) * len(readers) * len(cases), np.nan)
    whole[cell] = values
    _refuse_gaps(whole, (tests, readers, cases))
    return Ratings(
        tests=tests,
        readers=readers,
        cases=cases,
        positive=positive,
        values=whole.reshape(len(tests), len(readers), len(cases)),
    )


def _numbers(table: Table, rating: Name) -> FloatArray:
    """Return the ratings as finite numbers; NaN where one is missing."""
    try:
        values = as_floats(table[rating], "rating", ScoreError)
    except RocwalkError as error:
        where = table.where(error.fields.row)
        raise error.at(names={"rating": Column(rating)}, **where) from None
    if np.isinf(values).any():
        row = int(np.isinf(values).argmax())
        hint = "ratings are finite numbers; higher means more positive."
        raise ScoreError(f"is {values[row]:g}.", hint, column=rating, **table.where(row))
    return values


def _truth_of_cases(
    table: Table,
    truth: Name,
    pos_label: Any,
    first: IntArray,
    of_case: IntArray,
    cases: tuple[Any, ...],
) -> BoolArray:
    """Return which cases are positive; raise where the rows of one case differ."""
    column = table[truth]
    lost = missing_labels(column)
    if lost.any():
        raise LabelError(
            "is missing (NaN or null).",
            "every row has the true class of its case.",
            column=truth,
            **table.where(int(lost.argmax())),
        )
    unlike = np.asarray(column != column[first[of_case]], dtype=bool)
    if unlike.any():
        row = int(unlike.argmax())
        place = int(of_case[row])
        one, other = plain(column[first[place]]), plain(column[row])
        raise LabelError(
            (
                f"Case {cases[place]!r} has the truth {one!r} at ",
                table.place(int(first[place])),
                f" and {other!r} at ",
                table.place(row),
                ".",
            ),
            "the true class of a case is the same for all readers and tests.",
        )
    try:
        values, is_hard = read_labels(column[first], pos_label, "auto")
    except RocwalkError as error:
        at = error.fields.row
        where = table.where(None if at is None else int(first[at]))
        raise error.at(names={"y_true": Column(truth)}, **where) from None
    if not is_hard:
        row = int(first[np.argmax((values > 0) & (values < 1))])
        raise LabelError(
            f"is {plain(column[row])!r}, which is neither class.",
            (
                "a reader study needs a hard truth, 0 and 1, or ",
                Argument("pos_label"),
                "; for shares of votes use rocwalk.reference_truth.",
            ),
            column=truth,
            **table.where(row),
        )
    positive: BoolArray = np.asarray(values).astype(bool)
    return positive


def _refuse_twice(table: Table, cell: IntArray, names: tuple[tuple[Any, ...], ...]) -> None:
    """Raise if a reader rates a case twice with one test."""
    order = np.argsort(cell, kind="stable")
    again = np.flatnonzero(np.diff(cell[order]) == 0)
    if not len(again):
        return
    one, two = int(order[again[0]]), int(order[again[0] + 1])
    raise InputError(
        (
            f"{_words(int(cell[one]), names)} is rated twice, at ",
            table.place(one),
            " and ",
            table.place(two),
            ".",
        ),
        "keep one rating of each case by each reader with each test.",
    )


def _refuse_gaps(whole: FloatArray, names: tuple[tuple[Any, ...], ...]) -> None:
    """Raise if a reader has not rated a case with a test."""
    gaps = np.flatnonzero(np.isnan(whole))
    if not len(gaps):
        return
    tests, readers, cases = names
    more = f", and {len(gaps) - 1:,} more ratings are missing" if len(gaps) > 1 else ""
    raise InputError(
        f"{_words(int(gaps[0]), names)} has no rating{more}: the design of {len(tests)} tests, "
        f"{len(readers)} readers and {len(cases):,} cases is not complete.",
        "every reader rates every case with every test; leave out the cases, or the readers, that "
        "are not complete.",
        problem="incomplete_design",
        counts=(len(gaps), len(whole)),
    )


def _words(cell: int, names: tuple[tuple[Any, ...], ...]) -> str:
    """Return the reader, the case and the test of a cell in words."""
    test, reader, case = np.unravel_index(cell, tuple(map(len, names)))
    return f"Case {names[2][case]!r} by reader {names[1][reader]!r} with test {names[0][test]!r}"
