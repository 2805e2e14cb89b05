"""Ratings of a reader study: the factorial design, and what is refused with its place."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engines import ENGINES
from rocwalk.errors import ColumnError, InputError, LabelError, RocwalkError, ScoreError
from rocwalk.read.ratings import read_ratings

NAMES = {"truth": "ill", "reader": "who", "test": "how", "case": "id", "rating": "score"}


def rows():
    """Two tests, two readers and three cases, in no order."""
    values = {
        ("ct", "ann"): [1, 2, 3],
        ("ct", "bob"): [4, 5, 6],
        ("mr", "ann"): [7, 8, 9],
        ("mr", "bob"): [10, 11, 12],
    }
    ill = {"x": 1, "y": 0, "z": 1}
    listed = [
        (ill[case], who, how, case, value)
        for (how, who), found in values.items()
        for case, value in zip("xyz", found, strict=True)
    ]
    order = np.random.default_rng(0).permutation(len(listed))
    columns = zip(*(listed[k] for k in order), strict=True)
    return {name: list(column) for name, column in zip(NAMES.values(), columns, strict=True)}


def read(data, pos_label=None):
    return read_ratings(data, **NAMES, pos_label=pos_label)


def check(found):
    """The value of a cell is that of its row, whatever the order of the names."""
    data = rows()
    assert sorted(found.cases) == ["x", "y", "z"]
    for k in range(len(data["id"])):
        place = (
            found.tests.index(data["how"][k]),
            found.readers.index(data["who"][k]),
            found.cases.index(data["id"][k]),
        )
        assert found.values[place] == data["score"][k]
        assert found.positive[place[2]] == data["ill"][k]


def test_rows_in_any_order_are_a_block_of_tests_readers_and_cases():
    found = read(rows())
    assert found.values.shape == (2, 2, 3)
    check(found)


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow", "duckdb"])
def test_every_engine_gives_the_same(name):
    check(read(ENGINES[name](rows())))


def test_names_are_in_the_order_in_which_they_first_appear():
    data = rows()
    found = read(data)
    assert list(found.tests) == list(dict.fromkeys(data["how"]))
    assert list(found.readers) == list(dict.fromkeys(data["who"]))
    assert list(found.cases) == list(dict.fromkeys(data["id"]))


def test_labels_of_words_need_the_positive_one():
    data = rows()
    data["ill"] = ["yes" if one else "no" for one in data["ill"]]
    assert read(data, "yes").positive.tolist() == read(rows()).positive.tolist()
    with pytest.raises(LabelError, match="do not say which one is positive"):
        read(data)


def test_the_arrays_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        read(rows()).values[0, 0, 0] = 1.0


def changed(name, row, value):
    data = rows()
    data[name][row] = value
    return data


def row_of(how, who, case):
    data = rows()
    keys = zip(data["how"], data["who"], data["id"], strict=True)
    return list(keys).index((how, who, case))


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        (changed("who", 3, None), ColumnError, "Column 'who' at row 3 is missing"),
        (changed("ill", 3, None), LabelError, "Column 'ill' at row 3 is missing"),
        (changed("score", 3, np.inf), ScoreError, "Column 'score' at row 3 is inf."),
        (changed("score", 3, None), InputError, "has no rating: the design of 2 tests, 2 readers"),
        (
            changed("ill", row_of("mr", "bob", "y"), 1),
            LabelError,
            "Case 'y' has the truth ",
        ),
        (
            changed("id", row_of("ct", "ann", "x"), "y"),
            InputError,
            "Case 'y' by reader 'ann' with test 'ct' is rated twice, at ",
        ),
        (
            {name: column[:-1] for name, column in rows().items()},
            InputError,
            "has no rating: the design of 2 tests, 2 readers and 3 cases is not complete.",
        ),
        (
            rows() | {"ill": [{"x": 0.2, "y": 0.0, "z": 1.0}[one] for one in rows()["id"]]},
            LabelError,
            "is 0.2, which is neither class.",
        ),
    ],
)
def test_what_is_no_factorial_design_is_refused_with_its_place(data, kind, words):
    if words.startswith("Case 'y' by"):  # a case with two truths is refused before that
        data["ill"] = [{"x": 1, "y": 0, "z": 1}[one] for one in data["id"]]
    with pytest.raises(kind, match=re.escape(words)) as caught:
        read(data)
    assert "\nHint: " in str(caught.value)


def test_an_incomplete_design_says_how_many_ratings_are_missing():
    data = {name: column[:-2] for name, column in rows().items()}
    with pytest.raises(RocwalkError, match="and 1 more ratings are missing") as caught:
        read(data)
    assert caught.value.fields.problem == "incomplete_design"
    assert caught.value.fields.counts == (2, 12)
