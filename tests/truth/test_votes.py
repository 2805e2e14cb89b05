"""Votes: forms that agree, agreement by counting pairs, Dawid and Skene by another way, bad input."""

from __future__ import annotations

import ast
import itertools
import json
import math
import pickle
import re
import warnings
from dataclasses import replace

import krippendorff
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocwalk as rw
from commands import ROOT
from rocwalk.errors import (
    ColumnError,
    DroppedRowsWarning,
    InputError,
    LabelError,
    OptionError,
    RocwalkError,
    UndefinedMetricWarning,
)
from rocwalk.truth.chance_agreement import Counted
from rocwalk.truth.votes import coefficient, split_share, votes, votes_to_truth

# tables of a few rows, whose raters test_rater_models.py looks at
pytestmark = pytest.mark.filterwarnings(r"ignore:.*weakly identified:rocwalk.errors.FitWarning")

NAN = float("nan")
TABLE = [[1, 0, None], [0, None, 0], [None, 1, 1], [1, 1, 0], [0, 0, 1]]
NAMES = ["ann", "bob", "cy"]


def columns(table=TABLE, names=NAMES):
    return {name: [row[k] for row in table] for k, name in enumerate(names)}


def rows_of(table=TABLE, names=NAMES):
    """The votes of a table as (item, rater, vote), item by item."""
    found = [(i, names[k], v) for i, row in enumerate(table) for k, v in enumerate(row)]
    found = [one for one in found if one[2] is not None]
    return dict(zip(("item", "rater", "vote"), map(list, zip(*found, strict=True)), strict=True))


LONG = {"item": "item", "rater": "rater", "vote": "vote"}
COUNTS = {"positives": "yes", "totals": "of"}


def floats(table):
    return np.array(table, dtype=float)  # None becomes NaN


# -- forms ---------------------------------------------------------------------------------------

FORMS = {
    "list of lists": lambda: votes(TABLE),
    "tuples": lambda: votes(tuple(map(tuple, TABLE))),
    "list of arrays": lambda: votes([floats(row) for row in TABLE]),
    "floats": lambda: votes(floats(TABLE)),
    "float32": lambda: votes(floats(TABLE).astype(np.float32)),
    "objects": lambda: votes(np.array(TABLE, dtype=object)),
    "pandas' NA": lambda: votes([[pd.NA if v is None else v for v in row] for row in TABLE]),
    "masked": lambda: votes(np.ma.masked_invalid(floats(TABLE))),
    "masked integers": lambda: votes(
        np.ma.array(np.nan_to_num(floats(TABLE)).astype(int), mask=np.isnan(floats(TABLE)))
    ),
    "booleans": lambda: votes([[None if v is None else bool(v) for v in row] for row in TABLE]),
    "dict": lambda: votes(columns()),
    "pandas": lambda: votes(pd.DataFrame(columns())),
    "pandas, nullable": lambda: votes(pd.DataFrame(columns()).astype("Int64")),
    "pandas, boolean": lambda: votes(pd.DataFrame(columns()).astype("boolean")),
    "polars": lambda: votes(pl.DataFrame(columns())),
    "polars, lazy": lambda: votes(pl.LazyFrame(columns())),
    "pyarrow": lambda: votes(pa.table(columns())),
    "words": lambda: votes(
        [[None if v is None else ("no", "yes")[v] for v in row] for row in TABLE], pos_label="yes"
    ),
    "words in polars": lambda: votes(
        pl.DataFrame(columns()).select(pl.all().replace_strict({0: "no", 1: "yes"})),
        pos_label="yes",
    ),
    "one and two": lambda: votes(floats(TABLE) + 1, pos_label=2),
    "minus one and one": lambda: votes(2 * floats(TABLE) - 1, pos_label=1),
    "with names of items": lambda: votes(columns() | {"id": list("vwxyz")}, item="id"),
    "rows": lambda: votes(rows_of(), **LONG),
    "rows in pandas": lambda: votes(pd.DataFrame(rows_of()), **LONG),
    "rows in polars": lambda: votes(pl.DataFrame(rows_of()), **LONG),
    "rows in an array": lambda: votes(
        [list(row) for row in zip(*rows_of().values(), strict=True)], item=0, rater=1, vote=2
    ),
    "rows with gaps": lambda: votes(
        {
            "item": np.repeat(np.arange(5), 3),
            "rater": NAMES * 5,
            "vote": [v for row in TABLE for v in row],
        },
        **LONG,
    ),
    "counts": lambda: votes({"yes": [1, 0, 2, 2, 1], "of": [2, 2, 2, 3, 3]}, **COUNTS),
    "counts as floats": lambda: votes(
        pl.DataFrame({"yes": [1.0, 0, 2, 2, 1], "of": [2.0, 2, 2, 3, 3]}), **COUNTS
    ),
    "counts in an array": lambda: votes(
        np.array([[1, 2], [0, 2], [2, 2], [2, 3], [1, 3]]), positives=0, totals=1
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_agree(form):
    result = FORMS[form]()
    assert result.truth.tolist() == [1 / 2, 0, 1, 2 / 3, 1 / 3]
    assert result.counts.tolist() == [2, 2, 2, 3, 3]
    assert result.positives.tolist() == [1, 0, 2, 2, 1]
    assert result.split_share == 3 / 5
    plain = votes(TABLE)
    assert result.fleiss_kappa == plain.fleiss_kappa
    assert result.krippendorff_alpha == plain.krippendorff_alpha


@pytest.mark.parametrize("form", [form for form in FORMS if "counts" not in form])
def test_all_forms_with_raters_give_the_same_model(form):
    plain, other = votes(TABLE).dawid_skene(), FORMS[form]().dawid_skene()
    assert other.votes.tolist() == [4, 4, 4]
    np.testing.assert_allclose(other.truth, plain.truth, atol=1e-12)
    np.testing.assert_allclose(other.sensitivity, plain.sensitivity, atol=1e-12)
    np.testing.assert_allclose(other.specificity, plain.specificity, atol=1e-12)


def test_names():
    assert votes(TABLE).raters == (0, 1, 2)
    assert votes(TABLE).items.tolist() == [0, 1, 2, 3, 4]
    assert votes(pa.table(columns())).raters == tuple(NAMES)
    named = votes(columns() | {"id": list("vwxyz")}, item="id")
    assert named.items.tolist() == list("vwxyz")
    assert named.raters == tuple(NAMES)
    counts = votes({"yes": [1, 2], "of": [2, 3], "id": ["a", "b"]}, item="id", **COUNTS)
    assert counts.raters is None
    assert counts.items.tolist() == ["a", "b"]


def test_items_and_raters_come_in_the_order_of_their_first_vote():
    data = {
        "item": ["b", "a", "b", "c", "a"],
        "rater": [7, 7, 3, 3, 5],
        "vote": [1, 0, 1, 0, 1],
    }
    result = votes(data, **LONG)
    assert result.items.tolist() == ["b", "a", "c"]
    assert result.raters == (7, 3, 5)
    assert result.truth.tolist() == [1, 0.5, 0]


def test_files(table):
    wide = table(["ann", "bob"], [1, ""], [0, 1], ["NA", 1], name="wide.csv")
    assert votes(wide).truth.tolist() == [1, 0.5, 1]
    lines = [["x", "ann", "yes"], ["x", "bob", "no"], ["y", "ann", "yes"]]
    long = table(["item", "rater", "vote"], *lines, name="long.csv")
    assert votes(long, **LONG, pos_label="yes").truth.tolist() == [0.5, 1]
    counts = table(["yes", "of"], [1, 2], [0, 3], name="counts.csv")
    assert votes(counts, **COUNTS).truth.tolist() == [0.5, 0]
    bad = table(["ann", "bob"], [1, 0], [2, 1], name="bad.csv")
    with pytest.raises(LabelError, match=r"The vote at row 1, line 3 of '.*bad.csv', column 'ann'"):
        votes(bad)


def test_votes_to_truth():
    expected = [1 / 2, 0, 1, 2 / 3, 1 / 3]
    assert votes_to_truth(TABLE).tolist() == expected
    assert votes_to_truth(rows_of(), **LONG).tolist() == expected
    assert votes_to_truth(votes(TABLE)).tolist() == expected
    for given_votes in (TABLE, votes(TABLE)):
        modelled = votes_to_truth(given_votes, method="dawid-skene")
        assert modelled.tolist() == votes(TABLE).dawid_skene().truth.tolist()
    with pytest.raises(OptionError, match="method='median' is not known"):
        votes_to_truth(TABLE, method="median")
    with pytest.raises(
        OptionError, match="pos_label=1 is for reading votes, but these have been read"
    ):
        votes_to_truth(votes(TABLE), pos_label=1)


def test_the_mean_needs_no_agreement():
    assert votes_to_truth([[1], [0]]).tolist() == [1, 0]  # and no warning
    assert votes_to_truth([[1, 1], [1, None]]).tolist() == [1, 1]


def test_one_item_has_mass_one_however_many_votes():
    curve = rw.roc(votes_to_truth([[1, 1, 1], [1, None, None], [0, 0, None]]), [0.9, 0.4, 0.1])
    assert (curve.tally.total_up, curve.tally.total_right) == (2, 1)


# -- agreement -----------------------------------------------------------------------------------


@st.composite
def ballots(draw, min_raters=1, max_raters=6, max_items=12):
    """Tables of votes in which every item has a vote."""
    k, n = draw(st.integers(min_raters, max_raters)), draw(st.integers(1, max_items))
    vote = st.sampled_from([0, 1, 1, 0, None])
    table = draw(st.lists(st.lists(vote, min_size=k, max_size=k), min_size=n, max_size=n))
    return [row if any(v is not None for v in row) else [1, *row[1:]] for row in table]


def counted(table):
    cast = [[v for v in row if v is not None] for row in table]
    return np.array([sum(row) for row in cast]), np.array([len(row) for row in cast])


def kappa_by_pairs(table):
    """Fleiss' kappa by looking at every ordered pair of votes of an item."""
    cast = [row for row in ([v for v in r if v is not None] for r in table) if len(row) > 1]
    every = [v for row in cast for v in row]
    if len(set(every)) < 2:
        return NAN
    observed = np.mean([np.mean([a == b for a, b in itertools.permutations(r, 2)]) for r in cast])
    expected = np.mean([a == b for a in every for b in every])
    return (observed - expected) / (1 - expected)


def alpha_by_pairs(table):
    """Krippendorff's alpha: 1 − observed / expected disagreement, over pairs of votes."""
    cast = [row for row in ([v for v in r if v is not None] for r in table) if len(row) > 1]
    every = [v for row in cast for v in row]
    if len(set(every)) < 2:
        return NAN
    unlike = sum(
        sum(a != b for a, b in itertools.permutations(row, 2)) / (len(row) - 1) for row in cast
    )
    expected = np.mean([a != b for a, b in itertools.permutations(every, 2)])
    return 1 - unlike / len(every) / expected


def of_counts(measure, positives, totals):
    return coefficient(measure, "nominal", as_counted(positives, totals))


def as_counted(positives, totals):
    counts = np.column_stack([totals - positives, positives]).astype(float)
    return Counted(counts, None, np.array([0.0, 1.0]))


@given(ballots())
def test_agreement_by_counting_pairs(table):
    counts = counted(table)
    kappa, alpha = (of_counts(measure, *counts) for measure in ("fleiss", "krippendorff"))
    assert kappa == pytest.approx(kappa_by_pairs(table), abs=1e-12, nan_ok=True)
    assert alpha == pytest.approx(alpha_by_pairs(table), abs=1e-12, nan_ok=True)
    several = [row for row in ([v for v in r if v is not None] for r in table) if len(row) > 1]
    split = np.mean([len(set(row)) == 2 for row in several]) if several else NAN
    assert split_share(as_counted(*counts)) == pytest.approx(split, nan_ok=True)


@given(ballots(min_raters=2))
def test_alpha_is_that_of_the_package_krippendorff(table):
    ours = of_counts("krippendorff", *counted(table))
    if not math.isnan(ours):
        theirs = krippendorff.alpha(
            reliability_data=floats(table).T, level_of_measurement="nominal", value_domain=[0, 1]
        )
        assert ours == pytest.approx(theirs, abs=1e-12)


def test_kappa_is_that_of_statsmodels(rng):
    from statsmodels.stats.inter_rater import fleiss_kappa as theirs

    for raters in (2, 3, 7):
        positives = rng.integers(0, raters + 1, 40)
        ours = of_counts("fleiss", positives, np.full(40, raters))
        counts = np.column_stack([raters - positives, positives])
        assert ours == pytest.approx(theirs(counts, method="fleiss"), abs=1e-12)


def test_alpha_of_krippendorffs_binary_example():
    # Krippendorff (2011), Computing Krippendorff's alpha-reliability, section A: alpha = 0.095
    one, two = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    assert votes({"one": one, "two": two}).krippendorff_alpha == pytest.approx(1 - 76 / 84)


def test_kappa_by_hand():
    # four items, three votes each: P = 1, 1, 1/3, 1; 8 of 12 votes positive, Pe = 4/9 + 1/9
    result = votes([[0, 0, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1]])
    assert result.fleiss_kappa == pytest.approx((10 / 12 - 5 / 9) / (4 / 9), abs=1e-15)


def test_items_with_one_vote_do_not_count_for_agreement():
    few, more = votes(TABLE), votes([*TABLE, [1, None, None], [None, 0, None]])
    assert more.split_share == few.split_share
    assert more.fleiss_kappa == few.fleiss_kappa
    assert more.krippendorff_alpha == few.krippendorff_alpha
    assert len(more.truth) == 7


def test_agreement_that_is_not_defined_is_nan_with_a_warning():
    with pytest.warns(UndefinedMetricWarning, match="All votes that could be compared are alike"):
        alike = votes([[1, 1], [1, 1], [0, None]])
    assert alike.split_share == 0
    assert math.isnan(alike.fleiss_kappa)
    assert math.isnan(alike.krippendorff_alpha)
    assert "Fleiss' kappa undefined, Krippendorff's alpha undefined" in alike.sentence
    with pytest.warns(UndefinedMetricWarning, match="No item has two votes"):
        single = votes([[1, None], [None, 0]])
    assert math.isnan(single.split_share)
    assert math.isnan(single.krippendorff_alpha)
    assert single.sentence == (
        "2 votes by 2 raters on 2 items, 1 on each; no item has two votes that could be compared."
    )


def test_full_agreement_is_one_and_full_disagreement_is_below_zero():
    agreed = votes([[1, 1, 1], [0, 0, 0]])
    assert (agreed.split_share, agreed.fleiss_kappa, agreed.krippendorff_alpha) == (0, 1, 1)
    apart = votes([[1, 0], [0, 1]])
    assert apart.split_share == 1
    assert apart.fleiss_kappa == -1
    assert apart.krippendorff_alpha == -0.5


# -- bad input -----------------------------------------------------------------------------------

TWO = {"item": ["a", "a", "b"], "rater": ["x", "y", "x"], "vote": [1, 0, 1]}

# what goes in, and the error that comes out
BAD = {
    "a vote of 2": (([[1, 0], [0, 2]], {}), LabelError, "The vote at row 1, column 1 is 2, not 0 or 1"),
    "half a vote": (([[1, 0.5], [0, 1]], {}), LabelError, "The vote at row 0, column 1 is 0.5"),
    "minus one": (([[1, -1], [-1, 1]], {}), LabelError, "The vote at row 1, column 0 is -1"),
    "infinite": (([[1, 0.0], [0, math.inf]], {}), LabelError, "row 1, column 1 is inf, not 0 or 1"),
    "text": (([["yes", "no"], ["no", "no"]], {}), LabelError, "row 0, column 0 is 'yes', not 0 or 1"),
    "numbers as text": (([["1", "0"], ["0", "1"]], {}), LabelError, "row 0, column 0 is '1', not 0"),
    "text in one cell": (([[1, "no"], [0, 1]], {}), LabelError, "row 0, column 1 is 'no', not 0 or 1"),
    "a named column": (
        ({"ann": [1, 0], "bob": [1, 7]}, {}),
        LabelError,
        "The vote at row 1, column 'bob' is 7, not 0 or 1",
    ),
    "dates": (
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), {}),
        LabelError,
        "The vote at row 0, column 0 is datetime.date.*, not 0 or 1",
    ),
    "another spelling": (
        ([["yes", "no"], ["maybe", "Yes "]], {"pos_label": "yes"}),
        LabelError,
        "row 1, column 1 is 'Yes ', written differently from pos_label='yes'",
    ),
    "a word nobody said": (
        ([["no", "no"], ["no", None]], {"pos_label": "yes"}),
        LabelError,
        "No vote is pos_label='yes'; the vote at row 0, column 0 is 'no'",
    ),
    "text for numbers": (
        ([[1, 0], [0, 1]], {"pos_label": "1"}),
        LabelError,
        "No vote is pos_label='1'; the vote at row 0, column 0 is 1",
    ),
    "an item without a vote": (
        ([[1, 0], [None, None], [1, 1]], {}),
        LabelError,
        "The item at row 1 has no vote",
    ),
    "a named item without a vote": (
        ({"id": ["a", "b"], "x": [1, None], "y": [0, None]}, {"item": "id"}),
        LabelError,
        "Item 'b' at row 1 has no vote",
    ),
    "no votes at all": (
        ([[NAN, NAN], [NAN, NAN]], {"invalid": "drop"}),
        LabelError,
        "invalid='drop' leaves none of 2 rows: a vote, a name or a count is missing in 2",
    ),
    "an item twice": (
        ({"id": ["a", "b", "a"], "x": [1, 1, 0]}, {"item": "id"}),
        LabelError,
        "Item 'a' is at row 0 and again at row 2",
    ),
    "an item without a name": (
        ({"id": ["a", None, "c"], "x": [1, 1, 0]}, {"item": "id"}),
        LabelError,
        "Column 'id' at row 1 is missing",
    ),
    "empty list": (([], {}), InputError, "There are no votes"),
    "empty array": ((np.empty((0, 3)), {}), InputError, "There are no votes"),
    "no columns": ((np.empty((3, 0)), {}), InputError, "There are no votes"),
    "empty dict": (({}, {}), InputError, "There are no columns of votes"),
    "empty columns": (({"a": []}, {}), InputError, "There are no rows in the dict"),
    "only names": (({"id": ["a"]}, {"item": "id"}), InputError, "There are no columns of votes"),
    "one column": (([1, 0, 1], {}), InputError, r"votes has shape \(3,\), not rows and columns"),
    "three dimensions": ((np.ones((2, 2, 2)), {}), InputError, r"votes has shape \(2, 2, 2\), not"),
    "a series": ((pd.Series([1, 0]), {}), InputError, "data is a Series, not a table"),
    "a number": ((3, {}), InputError, "data is an int, not a table"),
    "None": ((None, {}), InputError, "data is None, not a table"),
    "ragged": (([[1, 0], [1]], {}), InputError, "nested list of unequal lengths"),
    "unequal lengths": (
        ({"a": [1, 0], "b": [1]}, {}),
        ColumnError,
        "Column 'b' has 1 rows, column 'a' 2",
    ),
    "two columns of one name": (
        (pd.DataFrame([[1, 0]], columns=["a", "a"]), {}),
        ColumnError,
        "There are 2 columns called 'a'",
    ),
    "no such item": ((TABLE, {"item": "id"}), ColumnError, "There is no column 'id' in the dict"),
    "an unknown word": ((TABLE, {"invalid": "ignore"}), OptionError, "invalid='ignore' is not known"),
    "rater alone": ((TWO, {"rater": "rater"}), OptionError, "item is missing"),
    "no vote": ((TWO, {"item": "item", "rater": "rater"}), OptionError, "vote is missing"),
    "no rater": ((TWO, {"item": "item", "vote": "vote"}), OptionError, "rater is missing"),
    "one column for two": (
        (TWO, {"item": "item", "rater": "item", "vote": "vote"}),
        OptionError,
        "item and rater name the same column, 'item'",
    ),
    "no such column": (
        (TWO, {"item": "item", "rater": "reader", "vote": "vote"}),
        ColumnError,
        "There is no column 'reader' in the dict",
    ),
    "rows: a vote of 2": (
        (TWO | {"vote": [1, 0, 2]}, LONG),
        LabelError,
        r"The vote at row 2 \(item 'b', rater 'x'\) is 2, not 0 or 1",
    ),
    "rows: twice": (
        (TWO | {"rater": ["x", "x", "x"]}, LONG),
        LabelError,
        "Rater 'x' votes twice on item 'a', at row 0 and row 1",
    ),
    "rows: an item without a vote": (
        (TWO | {"vote": [1, 0, None]}, LONG),
        LabelError,
        "Item 'b' at row 2 has no vote",
    ),
    "rows: no item": (
        (TWO | {"item": ["a", None, "b"]}, LONG),
        LabelError,
        r"Column 'item' at row 1 is missing \(NaN or null\)",
    ),
    "rows: no rater": (
        (TWO | {"rater": ["x", None, "x"]}, LONG),
        LabelError,
        "Column 'rater' at row 1 is missing",
    ),
    "rows: names that are lists": (
        (TWO | {"item": pl.Series([["a"], ["a"], ["b"]])}, LONG),
        ColumnError,
        "Column 'item' holds values that cannot be names",
    ),
    "rows: unequal lengths": (
        (TWO | {"vote": [1, 0]}, LONG),
        ColumnError,
        "Column 'vote' has 2 rows, column 'item' 3",
    ),
    "counts: none": (
        ({"yes": [1, 0], "of": [2, 0]}, COUNTS),
        LabelError,
        "The item at row 1 has no vote",
    ),
    "counts: more than all": (
        ({"yes": [1, 4], "of": [2, 3]}, COUNTS),
        LabelError,
        "Column 'yes' at row 1 is 4, more than column 'of', 3",
    ),
    "counts: negative": (
        ({"yes": [1, -1], "of": [2, 3]}, COUNTS),
        LabelError,
        "Column 'yes' at row 1 is -1",
    ),
    "counts: a fraction": (
        ({"yes": [1, 1], "of": [2.5, 3]}, COUNTS),
        LabelError,
        "Column 'of' at row 0 is 2.5",
    ),
    "counts: infinite": (
        ({"yes": [1, 1], "of": [2, math.inf]}, COUNTS),
        LabelError,
        "Column 'of' at row 1 is inf",
    ),
    "counts: missing": (
        ({"yes": [1, None], "of": [2, 3]}, COUNTS),
        LabelError,
        "Column 'yes' at row 1 is missing",
    ),
    "counts: text": (
        ({"yes": [1, 1], "of": [2, "x"]}, COUNTS),
        LabelError,
        "Column 'of' at row 1 is 'x', not a number",
    ),
    "counts: no totals": (({"yes": [1]}, {"positives": "yes"}), OptionError, "totals is missing"),
    "counts: no positives": (({"of": [1]}, {"totals": "of"}), OptionError, "positives is missing"),
    "counts and raters": (
        ({"yes": [1], "of": [2]}, COUNTS | {"rater": "r"}),
        OptionError,
        "rater='r' does not go together with counts",
    ),
    "counts and a label": (
        ({"yes": [1], "of": [2]}, COUNTS | {"pos_label": 1}),
        OptionError,
        "pos_label=1 does not go together with counts",
    ),
}  # fmt: skip


@pytest.mark.parametrize("function", [votes, votes_to_truth])
@pytest.mark.parametrize("case", BAD)
def test_bad_votes(function, case):
    (data, options), error, words = BAD[case]
    with pytest.raises(error, match=words) as raised:
        function(data, **options)
    assert "\nHint: " in str(raised.value)


DROPS = {
    "columns": ([[1, 0], [None, None], [1, 1]], {}, (1,), [0, 2], [0.5, 1]),
    "named": (
        {"id": ["a", "b", "c"], "x": [None, 1, 0], "y": [None, 1, 0]},
        {"item": "id"},
        (0,),
        ["b", "c"],
        [1, 0],
    ),
    "rows": (
        {
            "item": ["a", "b", "b", "c", None, "d", "a"],
            "rater": ["x", "x", "y", "x", "x", None, "y"],
            "vote": [1, None, None, 0, 1, 1, 0],
        },
        LONG,
        (1, 2, 4, 5),
        ["a", "c"],
        [0.5, 0],
    ),
    "counts": ({"yes": [1, 0, None, 2], "of": [2, 0, 3, 2]}, COUNTS, (1, 2), [0, 3], [0.5, 1]),
}


@pytest.mark.parametrize("form", DROPS)
def test_items_without_a_vote_are_dropped_on_demand(form):
    data, options, dropped, items, truth = DROPS[form]
    with pytest.warns(
        DroppedRowsWarning, match=f"^{len(dropped)} of . rows w(as|ere) left out"
    ) as said:
        result = votes(data, **options, invalid="drop")
    assert said[0].message.rows == dropped
    assert result.items.tolist() == items
    assert result.truth.tolist() == truth
    with pytest.raises(LabelError, match="has no vote|is missing"):
        votes(data, **options)


def test_dropping_does_not_hide_bad_votes():
    with pytest.raises(LabelError, match="The vote at row 1, column 0 is 2"):
        votes([[1, 0], [2, None], [None, None]], invalid="drop")


def test_nothing_is_dropped_from_clean_votes():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(votes(TABLE, invalid="drop").truth) == 5


# -- results -------------------------------------------------------------------------------------


def test_words():
    assert votes(columns()).sentence == (
        "12 votes by 3 raters on 5 items, 2 to 3 on each; 5 items with two votes or more, 60.0% of "
        "them split, Fleiss' kappa 0.067, Krippendorff's alpha 0.083."
    )
    counts = votes({"yes": [1, 2], "of": [2, 3]}, **COUNTS)
    assert counts.sentence.startswith("5 votes on 2 items, 2 to 3 on each; ")
    model = votes([[1, 1, 1], [1, 1, 0], [0, 0, 0], [0, 0, 1]]).dawid_skene()
    assert model.sentence.startswith("3 raters on 4 items: 50.0% of the items are positive, ")


def test_results_are_read_only_and_pickle():
    result = votes(columns())
    model = result.dawid_skene()
    for column in (result.counts, result.positives, result.items, model.truth, model.sensitivity):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 0
    for one in (result, model):
        assert repr(pickle.loads(pickle.dumps(one))) == repr(one)
        assert len(repr(one)) < 250


def test_the_callers_array_stays_as_it_is():
    table = floats(TABLE)
    before = table.copy()
    votes(table).dawid_skene()
    np.testing.assert_array_equal(table, before)
    assert table.flags.writeable


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library):
    named = votes(rows_of(), **LONG)
    assert len(named.to_frame(library)) == 5
    assert len(named.dawid_skene().to_frame(library)) == 3
    mixed = votes({"id": ["a", 1, 2.5], "x": [1, 0, 1], "y": [1, 1, 1]}, item="id")
    assert len(mixed.to_frame(library)) == 3


def test_dicts_hold_everything():
    model = votes(columns()).dawid_skene()
    plain = json.loads(model.to_json())
    assert plain["kind"] == "RaterModel"
    assert plain["rater"] == NAMES
    assert plain["truth"] == model.truth.tolist()
    assert plain["log_likelihood"] == model.log_likelihood.tolist()
    assert plain["final_log_likelihood"] == model.log_likelihood[-1]
    assert json.loads(votes(columns()).to_json())["truth"] == votes(columns()).truth.tolist()


def test_pictures():
    result = votes(columns())
    model = result.dawid_skene(prior=(2, 2))
    ax = model.plot()
    (points,) = [line for line in ax.lines if line.get_gid() == "raters"]
    assert points.get_xdata().tolist() == (1 - model.specificity).tolist()
    assert points.get_ydata().tolist() == model.sensitivity.tolist()
    assert [text.get_text() for text in ax.texts] == NAMES
    assert model.plot(ax) is ax
    bars = result.plot()
    assert sum(bar.get_height() for bar in bars.patches) == 5
    assert bars.get_xlabel() == "Share of positive votes"


# -- some columns of a table ---------------------------------------------------------------------


def test_raters_are_named_where_there_are_other_columns():
    table = {"case": ["x", "y"], "ann": [1, 0], "bob": [1, 1], "model": [0.9, 0.2]}
    found = rw.votes(table, item="case", raters=["bob", "ann"])
    assert found.raters == ("bob", "ann")
    assert found.truth.tolist() == [1.0, 0.5]
    assert found.items.tolist() == ["x", "y"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"raters": "ann"}, r"raters='ann' is not a list\.\nHint: pass raters=\['ann', …\]"),
        ({"raters": ["ann", "ann"]}, r"'ann'"),
        ({"raters": ["an"]}, r"no column 'an'(.|\n)*Hint: did you mean 'ann'"),
        ({"raters": []}, r"There are no columns of votes"),
        ({"raters": ["ann"], "positives": "bob", "totals": "ann"}, r"raters=\['ann'\] does not go"),
        (
            {"raters": ["ann"], "item": "bob", "rater": "ann", "vote": "model"},
            r"raters= and rater= do not go together\.\nHint: raters= names",
        ),
    ],
)
def test_raters_that_make_no_sense(options, words):
    table = {"ann": [1, 0], "bob": [1, 1], "model": [0.9, 0.2]}
    with pytest.raises(RocwalkError, match=words):
        rw.votes(table, **options)


def test_votes_are_no_column_but_have_one():
    found = rw.votes([[1, 1], [0, 1]])
    with pytest.raises(
        RocwalkError, match=r"y_true is a Votes.*\nHint: pass its \.truth as y_true"
    ):
        rw.roc(found, [0.9, 0.2])
    assert rw.roc(found.truth, [0.9, 0.2]).area > 0.5


def test_every_kappa_says_whose_it_is():
    """Words for the reader: literals of the source, docstrings aside, and the page's templates."""
    source = ROOT / "src/rocwalk"
    texts = [path.read_text() for path in source.rglob("*.html")]
    texts += [path.read_text() for path in source.rglob("*.js")]
    for path in source.rglob("*.py"):
        tree = ast.parse(path.read_text())
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
        docs = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, documented) and isinstance(node.body[0], ast.Expr)
        }
        texts += [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in docs
            and not node.value.isidentifier()  # names of fields
        ]
    said = [text for text in texts if re.search(r"\bkappa\b", text, re.IGNORECASE)]
    assert len(said) >= 4
    for text in said:
        for found in re.finditer(r"(?<!raters\.)\bkappa\b", text, re.IGNORECASE):
            assert re.search(
                r"(Fleiss['’]|(Cohen|Conger|Schouten)['’]s) $", text[: found.start()]
            ), text


def latent_study(rng, items, raters, right, auc=0.855, prevalence=0.4):
    """Latent labels, scores of this AUC against them, and votes that are right so often."""
    latent = rng.random(items) < prevalence
    scores = rng.normal(size=items) + latent * math.sqrt(2) * stats.norm.ppf(auc)
    agree = rng.random((items, raters)) < np.resize(right, raters)
    return latent, scores, np.where(agree, latent[:, None], ~latent[:, None]).astype(int)


def test_an_auc_against_the_fitted_truth_is_attenuated():
    latent, scores, table = latent_study(np.random.default_rng(31), 6000, 3, [0.9, 0.8, 0.7])
    model = votes({f"r{j}": table[:, j] for j in range(3)}).dawid_skene()
    area = rw.tally(np.clip(model.truth, 0, 1), scores, truth="soft").area
    whole = rw.tally(latent, scores).area
    assert whole == pytest.approx(0.855, abs=0.01)
    assert area == pytest.approx(0.76, abs=0.02)
    assert area - 0.5 == pytest.approx(model.attenuation * (whole - 0.5), abs=0.015)
    assert f"it keeps {model.attenuation:.2f} of the distance from one half" in model.sentence
    certain = votes([[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 0]]).dawid_skene()
    assert certain.attenuation == pytest.approx(1)
    assert "latent" not in replace(certain, truth=np.round(certain.truth)).sentence


def test_auc_prt_moves_with_the_number_of_raters():
    rng, found = np.random.default_rng(32), []
    for raters in (3, 11, 101):
        _, scores, table = latent_study(rng, 8000, raters, [0.8])
        found.append(rw.reference_truth(table.mean(axis=1), scores).auc_prt)
    assert found == pytest.approx([0.745, 0.789, 0.828], abs=0.02)
    assert found == sorted(found)
