"""Votes in three forms: one ballot, and each form's own errors."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engines import ENGINES
from rocwalk.errors import ColumnError, DroppedRowsWarning, LabelError, OptionError, RocwalkError
from rocwalk.read.frames import Table
from rocwalk.read.scales import VoteRule
from rocwalk.read.votes import (
    numbered,
    read_ballot,
    read_categories,
    refuse_absent,
    truth_beside,
    with_truth,
)

COLUMNS = {"id": ["x", "y", "z"], "ann": [1, 0, 1], "bob": [1, 1, None]}
ROWS = {
    "id": ["y", "x", "z", "y", "x"],
    "who": ["bob", "ann", "ann", "ann", "bob"],
    "vote": [1, 1, 1, 0, 1],
}
COUNTS = {"id": ["x", "y", "z"], "up": [2, 1, 1], "all": [2, 2, 1]}
PLAIN = VoteRule()


def forms(make=lambda data: data):
    long = {"item": "id", "rater": "who", "vote": "vote"}
    return (
        read_ballot(make(COLUMNS), item="id", rule=PLAIN),
        read_ballot(make(ROWS), **long, rule=PLAIN),
        read_ballot(make(COUNTS), item="id", positives="up", totals="all", rule=PLAIN),
    )


def by_item(ballot, column):
    return dict(zip(ballot.items.tolist(), column.tolist(), strict=True))


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow", "duckdb"])
def test_the_three_forms_are_one_ballot(name):
    for ballot in (*forms(), *forms(ENGINES[name])):
        assert by_item(ballot, ballot.positives) == {"x": 2, "y": 1, "z": 1}
        assert by_item(ballot, ballot.totals) == {"x": 2, "y": 2, "z": 1}


def test_columns_and_rows_know_who_voted():
    def cast(ballot):
        signed = ballot.signed
        return {
            (ballot.items[i], signed.raters[j], int(v))
            for i, j, v in zip(signed.item, signed.rater, signed.vote, strict=True)
        }

    columns, rows, counts = forms()
    assert (
        cast(columns)
        == cast(rows)
        == {
            ("x", "ann", 1),
            ("x", "bob", 1),
            ("y", "ann", 0),
            ("y", "bob", 1),
            ("z", "ann", 1),
        }
    )
    assert counts.signed is None


def test_items_without_a_vote_are_refused_or_dropped():
    data = {"ann": [1, None, 0], "bob": [1, None, None]}
    with pytest.raises(LabelError, match="row 1"):
        read_ballot(data, rule=PLAIN)
    with pytest.warns(DroppedRowsWarning, match="1 of 3 rows was left out"):
        ballot = read_ballot(data, rule=PLAIN, invalid="drop")
    assert ballot.items.tolist() == [0, 2]


def test_raters_of_weight_0_have_no_votes():
    rule = VoteRule(rater_weight={"bob": 0})
    ballot = read_ballot(COLUMNS, item="id", rule=rule)
    assert by_item(ballot, ballot.totals) == {"x": 1, "y": 1, "z": 1}


@pytest.mark.parametrize(
    ("data", "options", "kind", "words"),
    [
        (ROWS, {"rater": "who", "vote": "vote"}, OptionError, "item is missing."),
        (
            ROWS,
            {"item": "id", "rater": "who", "vote": "who"},
            OptionError,
            "rater and vote name the same column, 'who'.",
        ),
        (
            ROWS,
            {"item": "id", "rater": "who", "vote": "vote", "raters": ["ann"]},
            OptionError,
            "raters= and rater= do not go together.",
        ),
        (
            {name: [*column, column[0]] for name, column in ROWS.items()},
            {"item": "id", "rater": "who", "vote": "vote"},
            LabelError,
            "'bob'",
        ),
        (
            COLUMNS | {"id": ["x", "y", "x"]},
            {"item": "id"},
            LabelError,
            "Item 'x' is at row 0 and again at row 2.",
        ),
        (COLUMNS, {"item": "id", "raters": "ann"}, OptionError, "raters='ann' is not a list."),
        (
            COUNTS,
            {"positives": "up", "totals": "all", "raters": ["ann"]},
            OptionError,
            "raters=['ann'] does not go together with counts of votes.",
        ),
        (
            COUNTS | {"up": [2, 3, 1]},
            {"item": "id", "positives": "up", "totals": "all"},
            RocwalkError,
            "row 1",
        ),
    ],
)
def test_what_is_refused(data, options, kind, words):
    with pytest.raises(kind, match=re.escape(words)) as caught:
        read_ballot(data, **options, rule=PLAIN)
    assert "\nHint: " in str(caught.value)


def test_columns_that_belong_together_are_each_another_one():
    refuse_absent(item="a", rater="b")
    with pytest.raises(OptionError, match="name the columns item, rater together"):
        refuse_absent(item="a", rater=None)


# -- categories ------------------------------------------------------------------------------------


def test_categories_of_columns_and_of_rows_are_the_same():
    columns = read_categories({"id": [1, 2], "ann": ["b", "a"], "bob": ["c", None]}, item="id")
    rows = read_categories(
        {"id": [1, 2, 1], "who": ["ann", "ann", "bob"], "vote": ["b", "a", "c"]},
        item="id",
        rater="who",
        vote="vote",
    )
    for found in (columns, rows):
        assert found.categories == ("a", "b", "c")
        assert found.raters == ("ann", "bob")
        assert found.items.tolist() == [1, 2]
        assert found.codes.tolist() == [[1, 2], [0, -1]]


def test_categories_may_be_named_in_their_order():
    data = {"ann": ["low", "high"], "bob": ["middle", "low"]}
    order = ("low", "middle", "high")
    found = read_categories(data, categories=order)
    assert found.categories == order
    assert found.codes.tolist() == [[0, 1], [2, 0]]
    with pytest.raises(LabelError, match="A vote is 'high', which is not among the categories"):
        read_categories(data, categories=order[:2])


def test_categories_of_mixed_types_have_no_order():
    with pytest.raises(LabelError, match="The votes mix the types int, str, which have no order"):
        read_categories({"ann": [1, "a"], "bob": [2, "b"]})


# -- truth beside scores ---------------------------------------------------------------------------


def test_truth_stands_beside_the_rows_of_its_items():
    table = Table({"ann": np.array([1.0, np.nan, 0.0]), "bob": np.array([0.0, np.nan, 0.0])}, "t")
    with pytest.raises(LabelError, match="row 1"):
        with_truth(table, ["ann", "bob"], PLAIN, "raise")
    beside, ballot = with_truth(table, ["ann", "bob"], PLAIN, "drop")
    assert ballot.items.tolist() == [0, 2]
    share, number = (beside[name] for name in beside.columns if name not in table.columns)
    assert share.tolist() == pytest.approx([0.5, np.nan, 0.0], nan_ok=True)
    assert number.tolist() == [2, 0, 2]
    assert list(truth_beside(table, ballot).columns) == list(beside.columns)


def test_names_are_numbered_in_the_order_in_which_they_appear():
    column = np.array(["b", None, "a", "b"], dtype=object)
    names, numbers = numbered(Table({"n": column}, "t"), "n")
    assert names.tolist() == ["b", "a"]
    assert numbers.tolist() == [0, -1, 1, 0]
    lists = np.empty(2, dtype=object)
    lists[:] = [[1], [2]]
    with pytest.raises(ColumnError, match="holds values that cannot be names"):
        numbered(Table({"n": lists}, "t"), "n")
