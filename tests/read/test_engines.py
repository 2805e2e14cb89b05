"""Every engine gives the same tallies: the traps of each, the same bits, and rows that stay away."""

from __future__ import annotations

import datetime as dt
import json
import re
import subprocess
import sys
from contextlib import contextmanager
from decimal import Decimal

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import rocwalk as rw
from engines import ENGINES, QUIET_SPARK, as_arrow, spark_session
from rocwalk.errors import (
    ColumnError,
    DroppedRowsWarning,
    InputError,
    LabelError,
    ScoreError,
    WeightError,
)
from rocwalk.read import lazy
from rocwalk.read.frames import read_table
from samples import NO_ADVICE

pytestmark = [QUIET_SPARK, *NO_ADVICE]
spark = pytest.fixture(scope="module")(spark_session)

NAN, INF = float("nan"), float("inf")
TYPED = [name for name in ENGINES if name not in ("pandas", "dask")]  # those know fewer types
SLOW = ("spark", "dask, pyarrow")
HEAVY = ("spark", "dask, pyarrow", "dask")  # a query costs them as much as a table of any size
BITS = (
    *("scores", "up", "right", "count", "highest", "up_score", "right_score"),
    *("cell_low", "cell_high"),
)


def marked(names):
    """The names of engines as parameters of tests; some take their time."""
    return [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in names]


@pytest.fixture(params=marked([name for name in ENGINES if name != "dask, pyarrow"]))
def engine(request):
    if request.param == "spark":
        request.getfixturevalue("spark")
    return ENGINES[request.param]


@pytest.fixture(params=[None, 0], ids=["exact", "buckets"])
def limit(request):
    """Read the scores themselves, or put them into buckets; either way the table may be lazy."""
    return request.param


def by_count(engine, limit):
    """Whether errors count rows: a table that is in memory names them, unless it is made lazy."""
    return engine.is_lazy or limit is not None


@contextmanager
def refused(error, engine, limit, in_memory, lazy):
    """Expect an error in the words for tables in memory, or for lazy ones."""
    words = lazy if by_count(engine, limit) else in_memory
    with pytest.raises(error, match=f"^{re.escape(words)}.*\nHint: [a-z]"):
        yield


def gathered(engine, columns, partitions=3, **options):
    return rw.tallies(engine(columns, partitions), **{"score": "p", "label": "y", **options})


def dropping(engine, columns, **options):
    """Tally what can be used; return it and what was said of the rest."""
    table = engine(columns)
    with pytest.warns(DroppedRowsWarning) as caught:
        found = rw.tallies(table, **{"score": "p", "label": "y", "invalid": "drop", **options})
    return found, [str(w.message) for w in caught if isinstance(w.message, DroppedRowsWarning)]


def rows_of(tally):
    """What is in a tally, in plain lists."""
    return tally.scores.tolist(), tally.up.tolist(), tally.right.tolist()


def bits(tally):
    """The bytes of every column of a tally: −0.0 equals 0.0, but its bits differ."""
    columns = {name: np.ascontiguousarray(getattr(tally, name)) for name in BITS}
    return {name: (column.dtype.str, column.tobytes()) for name, column in columns.items()}


def assert_same_bits(some, others):
    assert list(some) == list(others)
    for key, tally in some.items():
        mine, theirs = bits(tally), bits(others[key])
        assert [name for name in BITS if mine[name] != theirs[name]] == []


# -- scores that are no numbers ------------------------------------------------------------------

FAULTY = {
    "y": [1, 0, 1, 0, 1, 0, 1, 0, 1],
    "p": pa.array([0.0, NAN, 1.0, None, 0.5, INF, -INF, 0.25, NAN]),
}


def test_nan_null_and_infinite_scores_are_refused(engine, limit):
    with refused(
        ScoreError,
        engine,
        limit,
        "Column 'p' at row 1 (the first of 5) is NaN (or missing).",
        "Column 'p' is NaN, missing or infinite in 5 of 9 rows.",
    ):
        gathered(engine, FAULTY, limit=limit)


def test_nan_is_neither_in_the_first_bucket_nor_in_the_last(engine, limit):
    found, said = dropping(engine, FAULTY, limit=limit)
    assert rows_of(found.only) == ([1.0, 0.5, 0.25, 0.0], [1, 1, 0, 1], [0, 0, 1, 0])
    assert found.dropped == {("p", ()): 5}
    assert len(said) == 1
    assert "5 of 9 rows were left out" in said[0]


@pytest.mark.parametrize("fault", [NAN, None, INF, -INF], ids=str)
def test_each_kind_of_fault_alone(engine, fault):
    found, _ = dropping(engine, {"y": [1, 0, 1], "p": pa.array([0.5, 0.75, fault], pa.float64())})
    assert rows_of(found.only) == ([0.75, 0.5], [0, 1], [1, 0])


def test_zeros_of_both_signs_are_one_score(engine, limit):
    columns = {"y": [1, 0, 1, 0, 1], "p": [0.0, -0.0, 0.5, -0.0, 0.0]}
    tally = gathered(engine, columns, limit=limit).only
    assert rows_of(tally) == ([0.5, 0.0], [1, 2], [0, 2])
    assert not np.signbit(tally.scores).any()
    assert not np.signbit(tally.highest).any()


OUTSIDE = {"y": [1, 0, 1, 0], "p": [0.5, 1.5, -0.25, 0.125]}


def test_steps_that_need_probabilities_refuse_other_scores(engine, limit):
    with refused(
        ScoreError,
        engine,
        limit,
        "Column 'p' at row 1 (the first of 2) is 1.5, outside [0, 1].",
        "Column 'p' has values from -0.25 to 1.5, outside [0, 1].",
    ):
        gathered(engine, OUTSIDE, limit=limit, steps="both")


def test_steps_that_need_probabilities_drop_other_scores(engine, limit):
    found, said = dropping(engine, OUTSIDE, limit=limit, steps="both")
    expected = rw.tally([1, 0], [0.5, 0.125], steps="both")
    assert rows_of(found.only) == rows_of(expected)
    assert "2 of 4 rows" in said[0]


def test_without_such_steps_they_are_scores_like_others(engine, limit):
    assert rows_of(gathered(engine, OUTSIDE, limit=limit).only) == (
        [1.5, 0.5, 0.125, -0.25],
        [0, 1, 0, 1],
        [1, 0, 1, 0],
    )


@pytest.mark.parametrize(
    "scores",
    [
        [1.7e308, -1.7e308, 5e-324, 0.0],
        [-5e-324, 5e-324, 1e-323, 0.0],
        [1e15, 1e15 + 0.5, 1e15 + 1, 1e15 + 2],
        [-3.0, -3.0, -3.0, -3.0],
        [2.0**-1022, 2.0**-1074, 1 - 2.0**-53, 1.0],
    ],
    ids=["wide", "tiny", "far", "constant", "in the corners"],
)
def test_scores_at_the_ends_of_float64(engine, scores):
    columns = {"y": [1, 0, 1, 0], "p": scores}
    exact = rw.tally(columns["y"], columns["p"])
    assert_same_bits({0: gathered(engine, columns).only}, {0: exact})
    bucketed = gathered(engine, columns, limit=0).only
    assert (bucketed.total_up, bucketed.total_right) == (2, 2)
    assert abs(bucketed.area - exact.area) <= bucketed.certificate
    assert bucketed.scores[-1] == min(scores)
    assert bucketed.highest[0] == max(scores)


@pytest.mark.parametrize("score", [2**53 + 1, 2**62 + 1, -(2**53) - 1])
def test_huge_integers_are_refused(engine, score):
    columns = {"y": [1, 0, 1], "p": [1, score, 2]}
    with pytest.raises(
        ScoreError, match=r"^Column 'p' .*which float64 cannot hold exactly\.\nHint"
    ):
        gathered(engine, columns)


def test_text_is_no_score(engine):
    with refused(
        ScoreError,
        engine,
        None,
        "Column 'p' at row 0 is 'high', not a number.",
        "Column 'p' is of type String, not of numbers.",
    ):
        gathered(engine, {"y": [1, 0], "p": ["high", "low"]})


# -- types ---------------------------------------------------------------------------------------

PLAIN = {"y": [1, 0, 1, 0, 0, 1], "p": [0.75, 0.5, 0.5, 0.25, 0.75, 1.0]}
TYPES = {
    "int8": pa.int8(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "uint8": pa.uint8(),
    "float32": pa.float32(),
    "float64": pa.float64(),
    "boolean": pa.bool_(),
}


@pytest.mark.parametrize("kind", TYPES)
def test_types_of_labels(engine, kind):
    if engine.is_spark and kind == "uint8":
        kind = "int8"  # it has no unsigned integers
    columns = PLAIN | {"y": pa.array(PLAIN["y"]).cast(TYPES[kind])}
    expected = rw.tally(PLAIN["y"], PLAIN["p"])
    assert_same_bits({0: gathered(engine, columns).only}, {0: expected})


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind != "boolean"])
def test_types_of_scores(engine, kind, limit):
    if engine.is_spark and kind == "uint8":
        kind = "int8"  # it has no unsigned integers
    whole = [3, 2, 2, 1, 3, 4]
    columns = PLAIN | {"p": pa.array(whole).cast(TYPES[kind])}
    assert rows_of(gathered(engine, columns, limit=limit).only) == rows_of(
        rw.tally(PLAIN["y"], whole)
    )


def decimals(values):
    return pa.array([Decimal(str(value)) for value in values], pa.decimal128(9, 3))


@pytest.mark.parametrize("name", marked([n for n in TYPED if n != "pandas, nullable"]))
def test_decimal_labels_and_scores(name, request):
    if name == "spark":
        request.getfixturevalue("spark")
    columns = {"y": decimals(PLAIN["y"]), "p": decimals(PLAIN["p"])}
    expected = rw.tally(PLAIN["y"], PLAIN["p"])
    assert_same_bits({0: gathered(ENGINES[name], columns).only}, {0: expected})


@pytest.mark.parametrize(
    "name", marked([n for n in ENGINES if n != "dask"])
)  # it makes text of them
def test_decimals_become_the_nearest_floats(name, request, limit):
    """pyarrow makes 0.43000000000000005 of 0.43, and of half of all numbers with five digits."""
    if name == "spark":
        request.getfixturevalue("spark")
    values = [Decimal(k).scaleb(-5) for k in range(0, 100_001, 499)]
    values += [Decimal(k).scaleb(-17) for k in (90071992547409931, 12345678901234567, 3)]
    columns = {
        "y": [k % 2 for k in range(len(values))],
        "p": pa.array(values, pa.decimal128(19, 17)),
    }
    expected = rw.tallies({"y": columns["y"], "p": [float(value) for value in values]}, label="y", score="p", limit=limit)  # fmt: skip
    assert_same_bits(gathered(ENGINES[name], columns, limit=limit), expected)


NAMES = (
    *("^p$", "^.*$", "*", "?", "a`b", "`", "a.b", 'it"s', "'q'", "{0}", "$x", "[p]", "\\p", "#1"),
    *("p ", "v", "v0", "-", "a, b", "count(*)", "é", "y; DROP TABLE t", "rowid", "\n"),
)


def test_names_are_names(engine, limit):
    """No engine takes the name of a column for a pattern or for its own syntax."""
    scores = {name: [0.25, 0.5, k + 1.0, 1.0] for k, name in enumerate(NAMES)}
    columns = {"p": [0.9, 0.1, 0.8, 0.2], **scores, "y": [1, 0, 1, 0]}
    found = gathered(engine, columns, score=list(NAMES[:4]), limit=limit)
    assert [tally.scores[-2:].tolist() for tally in found.values()] == [[0.5, 0.25]] * 4
    assert [tally.highest[0] for tally in found.values()] == [1.0, 2.0, 3.0, 4.0]
    if limit is None:  # read as they are asked for
        for name in NAMES if not engine.is_spark else NAMES[:8]:
            table = read_table(engine({"p": [0.5], name: [0.25]}), [name])
            assert table[name].tolist() == [0.25]


def test_a_group_without_weight_is_listed(engine, limit):
    columns = PLAIN | {"w": [1.0, 2.0, 1.0, 1.0, 0.0, 0.0], "g": list("bbbbaa"), "q": PLAIN["p"]}
    found = gathered(engine, columns, score=["p", "q"], weight="w", by="g", limit=limit)
    assert list(found) == [(score, (group,)) for score in "pq" for group in "ab"]
    assert [tally.total_count for tally in found.values()] == [0, 4, 0, 4]
    assert set(found.dropped.values()) == {0}


GAPPED = {"y": pa.array([True, False, None, False, True, None]), "p": PLAIN["p"]}


def test_booleans_with_gaps_are_refused(engine, limit):
    with refused(
        LabelError,
        engine,
        limit,
        "Column 'y' at row 2 (the first of 2) is missing (NaN or null).",
        "Column 'y' is missing in 2 of 6 rows.",
    ):
        gathered(engine, GAPPED, limit=limit)


@pytest.mark.parametrize("pos_label", [None, True, False])
def test_booleans_with_gaps_can_be_dropped(engine, pos_label):
    """Dask turns them into text."""
    found, _ = dropping(engine, GAPPED, pos_label=pos_label)
    positive = int(pos_label is not False)
    expected = rw.tally([1, 0, 0, 1], [0.75, 0.5, 0.25, 0.75], pos_label=positive)
    assert rows_of(found.only) == rows_of(expected)
    assert found.dropped == {("p", ()): 2}


TEXTS = ["yes", "no", None, "no", "yes", "no"]


@pytest.mark.parametrize("is_category", [False, True], ids=["text", "categories"])
def test_labels_that_are_text(engine, is_category):
    array = pa.array(TEXTS)
    columns = PLAIN | {"y": array.dictionary_encode() if is_category else array}
    found, _ = dropping(engine, columns, pos_label="yes")
    expected = rw.tally([1, 0, 0, 1, 0], [0.75, 0.5, 0.25, 0.75, 1.0])
    assert rows_of(found.only) == rows_of(expected)
    with pytest.raises(LabelError, match=r"^Column 'y' has the labels no, yes, .*\nHint: name the"):
        gathered(engine, columns, invalid="drop")


def test_pos_label_of_the_wrong_kind(engine):
    with pytest.raises(LabelError, match=r"^pos_label='1' is text, but column 'y' holds num"):
        gathered(engine, PLAIN, pos_label="1")
    with pytest.raises(LabelError, match=r"^pos_label=1 is not text, but column 'y' holds te"):
        gathered(engine, PLAIN | {"y": ["a"] * 6}, pos_label=1)


@pytest.mark.parametrize(
    ("labels", "pos_label", "positive"),
    [
        ([-1, 1, -1, 1, 1, 1], None, [0, 1, 0, 1, 1, 1]),
        ([-1.0, 1.0, -1.0, 1.0, 1.0, 1.0], None, [0, 1, 0, 1, 1, 1]),
        ([2, 1, 2, 1, 1, 1], 2, [1, 0, 1, 0, 0, 0]),
        ([3, 3, 3, 3, 3, 3], 2, [0] * 6),
        ([1, 1, 1, 1, 1, 1], None, [1] * 6),
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], None, [0] * 6),
    ],
    ids=[
        "minus one",
        "minus one, floats",
        "named",
        "one other",
        "only positives",
        "only negatives",
    ],
)
def test_meanings_of_labels(engine, labels, pos_label, positive):
    found = gathered(engine, PLAIN | {"y": labels}, pos_label=pos_label).only
    assert_same_bits({0: found}, {0: rw.tally(positive, PLAIN["p"])})


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"p": [None] * 6}, "column 'p' is NaN, missing or infinite in 6"),
        ({"y": [None] * 6}, "column 'y' is missing in 6"),
        (
            {"y": [1, 0, 1, None, None, None], "p": [None, None, None, None, 0.5, 0.5]},
            "column 'y' is missing in 3 and column 'p' is NaN, missing or infinite in 4",
        ),
    ],
    ids=["scores", "labels", "both"],
)
def test_nothing_is_left(engine, columns, words):
    types = {"y": pa.int64(), "p": pa.float64()}
    typed = {k: pa.array(v, types[k]) for k, v in (PLAIN | columns).items()}
    with pytest.raises((LabelError, ScoreError)) as caught:
        gathered(engine, typed, invalid="drop")
    # pandas holds integers with gaps as floats, of which an infinite one is no label either
    said = str(caught.value).replace("column 'y' is missing or infinite", "column 'y' is missing")
    assert f"invalid='drop' leaves none of 6 rows: {words}.\nHint: no row can be used" in said


ABSENT, THIRD = (
    "No row has the label {} in column 'y'.\nHint: ",
    "has the label {} beside pos_label=",
)


@pytest.mark.parametrize(
    ("labels", "pos_label", "words"),
    [
        (
            ["yes", "no", "yes", "no", "no", "no"],
            "Yes",
            ABSENT.format("'Yes'") + "did you mean 'yes'",
        ),
        (["Yes"] * 6, "yes", ABSENT.format("'yes'") + "did you mean 'Yes'"),
        ([1, 2, 1, 2, 1, 2], 3, ABSENT.format(3) + "there are: 1, 2"),
        ([1, 2, 1, 2, 1, 3], 1, THIRD.format(3) + "1 and 2"),
        ([1.0, 0.5, 0.0, 0.0, 0.0, 0.0], 1, THIRD.format(0.5) + "1 and 0.0"),
        (["yes", "no", "yes", "no", "no", "maybe"], "yes", "beside pos_label='yes' and "),
    ],
    ids=["case", "case, one class", "absent", "third", "a probability", "third text"],
)
def test_labels_that_are_not_among_two(engine, labels, pos_label, words):
    with pytest.raises(LabelError, match=re.escape(words)):
        gathered(engine, PLAIN | {"y": labels}, pos_label=pos_label)


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([-1, 0, 1, 1, 0, 0], "Column 'y' has the labels -1, 0, 1, which do not say"),
        ([1, 2, 1, 2, 1, 2], "Column 'y' has the labels 1, 2, which do not say"),
        ([0.5, 0.25, 1.25, 0.0, 0.0, 1.0], r"Column 'y' (at row 2 )?is 1\.25, outside \[0, 1\]"),
    ],
)
def test_labels_without_a_meaning(engine, labels, words):
    with pytest.raises(LabelError, match=f"^{words}.*\nHint: [a-z]"):
        gathered(engine, PLAIN | {"y": labels})


# -- groups --------------------------------------------------------------------------------------

DAYS = [dt.date(2024, 5, 1), dt.date(2023, 5, 1)]
GROUPS = {
    "text": (pa.array(["b", None, "a", "b", None, "a"]), ["a", "b", None]),
    "categories": (
        pa.array(["b", None, "a", "b", None, "a"]).dictionary_encode(),
        ["a", "b", None],
    ),
    "integers": (pa.array([2, None, 1, 2, None, 1]), [1, 2, None]),
    "floats": (pa.array([0.5, NAN, -1.5, 0.5, None, -1.5]), [-1.5, 0.5, None]),
    "zeros": (pa.array([1.0, None, 0.0, 1.0, NAN, -0.0]), [0.0, 1.0, None]),
    "dates": (pa.array([DAYS[0], None, DAYS[1], DAYS[0], None, DAYS[1]]), [*DAYS[::-1], None]),
    "booleans": (pa.array([True, None, False, True, None, False]), [False, True, None]),
}


@pytest.mark.parametrize("kind", GROUPS)
def test_groups_with_gaps(engine, kind, limit):
    column, values = GROUPS[kind]
    if engine.name == "dask" and kind in ("dates", "booleans"):  # it makes text of them
        values = [value if value is None else str(value) for value in values]
    found = gathered(engine, PLAIN | {"g": column}, by="g", limit=limit)
    assert [group for _, (group,) in found] == values
    low, high, gap = found.values()
    assert rows_of(low) == ([1.0, 0.5], [1, 1], [0, 0])
    assert rows_of(high) == ([0.75, 0.25], [1, 0], [0, 1])
    assert rows_of(gap) == ([0.75, 0.5], [0, 0], [1, 1])


def test_equal_scores_of_nan_and_null_groups_meet(engine, limit):
    columns = {"y": [1, 1, 0], "p": [0.5] * 3, "g": pa.array([NAN, None, NAN])}
    found = gathered(engine, columns, by="g", limit=limit)
    assert rows_of(found["p", (None,)]) == ([0.5], [2], [1])


@pytest.mark.parametrize("name", marked(TYPED))
def test_lists_make_no_groups(name, request):
    if name == "spark":
        request.getfixturevalue("spark")
    with pytest.raises(ColumnError, match=r"^Column 'g' cannot make groups\.\nHint: use a column"):
        gathered(ENGINES[name], {"y": [1, 0], "p": [0.5, 0.2], "g": [[1], [2]]}, by="g")


# -- weights -------------------------------------------------------------------------------------


def test_negative_weights_are_refused(engine, limit):
    with refused(
        WeightError,
        engine,
        limit,
        "Column 'w' at row 1 is -1.",
        "Column 'w' is negative in 1 of 6 rows.",
    ):
        weights = [1, -1, 1, 1, 1, 1]
        gathered(engine, PLAIN | {"w": weights}, weight="w", limit=limit, invalid="drop")


FAULTY_WEIGHTS = PLAIN | {"w": pa.array([1.0, NAN, None, INF, 2.0, 0.0])}


def test_weights_that_are_no_numbers(engine, limit):
    with refused(
        WeightError,
        engine,
        limit,
        "Column 'w' at row 1 (the first of 3) is nan.",
        "Column 'w' is NaN, missing or infinite in 3 of 5 rows.",
    ):
        gathered(engine, FAULTY_WEIGHTS, weight="w", limit=limit)
    found, said = dropping(engine, FAULTY_WEIGHTS, weight="w", limit=limit)
    assert rows_of(found.only) == ([0.75], [1.0], [2.0])
    assert found.rows == {("p", ()): 2}
    assert "3 of 5 rows" in said[0]


def test_rows_of_weight_zero_are_absent_whatever_they_hold(engine, limit):
    columns = {
        "y": pa.array([1, 0, 1, None, 2]),
        "p": pa.array([0.75, 0.5, NAN, 0.25, 0.125]),
        "w": [2, 1, 0, 0, 0],
    }
    found = gathered(engine, columns, weight="w", limit=limit)
    assert rows_of(found.only) == ([0.75, 0.5], [2.0, 0.0], [0.0, 1.0])
    assert found.dropped == {("p", ()): 0}


def test_weights_that_are_all_zero(engine, limit):
    with pytest.raises(WeightError, match=r"^Column 'w' is zero in all rows\.\nHint: at le"):
        gathered(engine, PLAIN | {"w": [0] * 6}, weight="w", limit=limit)


@pytest.mark.parametrize("scale", [1e308, 1e200, 1e-160, 1e-300])
def test_weights_of_any_scale(engine, limit, scale):
    """Their unit is the same as in memory, whether or not their squares are numbers."""
    weights = [scale * k for k in (1.0, 0.5, 0.25, 1.0, 0.5, 0.25)]
    (found,) = gathered(engine, PLAIN | {"w": weights}, weight="w", limit=limit).values()
    table = {name: np.asarray(column) for name, column in PLAIN.items()}
    (same,) = rw.tallies(
        table | {"w": np.array(weights)}, label="y", score="p", weight="w"
    ).values()
    assert found.unit == same.unit != 1.0
    assert found.up_squared.tolist() == same.up_squared.tolist()
    assert np.isfinite(found.right_squared).all()
    assert rw.interval(found).to_dict() == rw.interval(same).to_dict()


# -- tables --------------------------------------------------------------------------------------


def test_an_empty_table(engine, limit):
    columns = {"y": pa.array([], pa.int64()), "p": pa.array([], pa.float64())}
    with pytest.raises(InputError, match=r"^There are no rows in .*\nHint: pass at least one row"):
        gathered(engine, columns, limit=limit)


@pytest.mark.parametrize("role", ["score", "label", "weight", "by", "raters"])
def test_a_missing_column_and_the_nearest_name(engine, role):
    names = {"score": "p", "label": None if role == "raters" else "y", role: "wieght"}
    with pytest.raises(
        ColumnError, match=r"^There is no column 'wieght' in .*\nHint: did you mean 'weight'\?"
    ):
        rw.tallies(engine(PLAIN | {"weight": [1] * 6}), **names)


def test_columns_with_any_name(engine):
    names = {"y": "the label", "p": "score.of model", "q": 'it\'s "quoted"', "g": "Gruppe, größer"}
    if engine.is_spark:  # narwhals takes a dot for a field of a structure there
        names["p"] = "score of model"
    columns = PLAIN | {"q": PLAIN["p"][::-1], "g": ["a", "b"] * 3}
    found = rw.tallies(
        engine({names[name]: column for name, column in columns.items()}),
        score=[names["p"], names["q"]],
        label=names["y"],
        by=names["g"],
    )
    expected = rw.tallies(as_arrow(columns), score=["p", "q"], label="y", by="g")
    assert [(score, group) for score, group in found] == [(names[s], g) for s, g in expected]
    assert_same_bits(dict(enumerate(found.values())), dict(enumerate(expected.values())))


def test_columns_with_the_names_that_we_use_inside(engine, limit):
    """The columns that the engine computes have short names of their own."""
    columns = {"t": PLAIN["y"], "v": PLAIN["p"], "s0": PLAIN["p"][::-1], "which": [1, 2, 3] * 2}
    columns |= {"n": [1, 1, 2, 2, 3, 3], "g1": ["a"] * 6}
    options = {"score": ["v", "s0"], "label": "t", "weight": "n", "by": ["which", "g1"]}
    found = rw.tallies(engine(columns), limit=limit, **options)
    expected = rw.tallies(as_arrow(columns), **options)
    assert list(found) == list(expected)
    assert [rows_of(one) for one in found.values()] == [rows_of(one) for one in expected.values()]


@pytest.mark.parametrize(
    "name", [name for name in ENGINES if "duckdb" not in name and name not in ("ibis", "spark")]
)
def test_names_that_differ_in_case(name):
    """SQL takes them for one, so DuckDB renames one of them and Spark refuses both."""
    columns = {"Y": PLAIN["y"], "y": [0] * 6, "p": PLAIN["p"], "P": PLAIN["p"][::-1]}
    found = rw.tallies(ENGINES[name](columns), score=["p", "P"], label="Y")
    expected = [rw.tally(PLAIN["y"], PLAIN["p"]), rw.tally(PLAIN["y"], PLAIN["p"][::-1])]
    assert_same_bits(dict(enumerate(found.values())), dict(enumerate(expected)))


@pytest.mark.parametrize("name", ["ibis", pytest.param("spark", marks=pytest.mark.slow)])
def test_names_that_differ_in_case_are_refused_where_they_are_one(name, request):
    """DuckDB renames the second itself, so there is nothing to refuse."""
    if name == "spark":
        request.getfixturevalue("spark")
    if name == "ibis":
        table = ENGINES[name]({"y": PLAIN["y"], "p": PLAIN["p"], "P": PLAIN["p"][::-1]})
    else:
        plain = ENGINES[name]({"y": PLAIN["y"], "p": PLAIN["p"]})
        table = plain.selectExpr("y", "p", "1 - p AS P")
    with pytest.raises(ColumnError, match="differ in case only"):
        rw.tallies(table, score="p", label="y")


TWINS = [pa.array([1, 0]), pa.array([0.5, 0.25]), pa.array([0.5, 0.125])]
REPEATED = {
    "pandas": lambda: (
        pa.table(TWINS, ["y", "p", "q"]).to_pandas().set_axis(["y", "p", "p"], axis=1)
    ),
    "pyarrow": lambda: pa.table(TWINS, ["y", "p", "p"]),
    "spark": lambda: ENGINES["spark"]({"y": [1, 0], "p": [0.5, 0.25]}).selectExpr("y", "p", "p"),
}


@pytest.mark.parametrize("name", marked(REPEATED))
def test_two_columns_of_one_name(name, request):
    if name == "spark":
        request.getfixturevalue("spark")
    with pytest.raises(ColumnError, match=r"^There are 2 columns called 'p' in .*\nHint: rename"):
        rw.tallies(REPEATED[name](), score="p", label="y")


# -- votes ---------------------------------------------------------------------------------------

VOTES = {
    "ann": [1, 0, None, 1, None, 0],
    "bob": [1, 1, 0, None, None, 0],
    "cy": [1, None, 0, 0, None, None],
}
SHARES = [1.0, 0.5, 0.0, 0.5, 0.0]


def votes(kind):
    if kind == "text":
        words = {None: None, 0: "no", 1: "yes"}
        return {name: pa.array([words[v] for v in column]) for name, column in VOTES.items()}
    return {name: pa.array(column, pa.int64()).cast(kind) for name, column in VOTES.items()}


@pytest.mark.parametrize("kind", [pa.int64(), pa.float64(), pa.bool_(), "text"], ids=str)
def test_votes_of_every_type(engine, kind):
    columns = {"p": PLAIN["p"], **votes(kind)}
    pos_label = "yes" if kind == "text" else None
    found, said = dropping(engine, columns, label=None, raters=[*VOTES], pos_label=pos_label)
    expected = rw.tally(SHARES, [*PLAIN["p"][:4], PLAIN["p"][5]], truth="soft")
    assert found.dropped == {("p", ()): 1}
    assert "1 of 6 rows" in said[0]
    np.testing.assert_array_equal(found.only.scores, expected.scores)
    np.testing.assert_allclose(found.only.up, expected.up, rtol=1e-12)
    np.testing.assert_allclose(found.only.up_right, expected.up_right, rtol=1e-12)


def test_rows_without_a_vote_are_refused(engine):
    columns = {"p": PLAIN["p"], **votes(pa.int64())}
    with pytest.raises(LabelError, match=r"^(The item at row 4 has no|There is no) vote.*\nHint"):
        rw.tallies(engine(columns), score="p", raters=[*VOTES])


@pytest.mark.parametrize("vote", [2.0, 0.5, INF])
def test_strange_votes_are_refused(engine, vote):
    columns = {"p": [0.5, 0.25, 0.125], "ann": pa.array([1.0, None, 0.0]), "bob": [1.0, vote, 0.0]}
    with pytest.raises(
        LabelError, match=r"(?s)^(The vote|Column 'bob').*\nHint: votes are 0 and 1"
    ):
        rw.tallies(engine(columns), score="p", raters=["ann", "bob"], invalid="drop")


# -- one pass for many ---------------------------------------------------------------------------


def make_columns(n=1500, seed=5):
    """Labels, scores of both kinds, groups and votes, with ties and the ends of [0, 1]."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    p = np.clip(0.3 * y + 0.7 * rng.random(n), 0, 1)
    p[::3] = np.round(p[::3], 2)
    ends = [0.0, -0.0, 1.0, 5e-324, 2**-1022, 1 - 2**-53, 0.5, 0.5 - 2**-54, 0.1 + 0.2, 1e-17]
    p[: len(ends)] = ends
    votes = np.array([None, 0, 1], dtype=object)[rng.integers(0, 3, (2, n))]
    votes[0][votes[0] == None] = 1  # noqa: E711
    return {
        "y": y,
        "p": p,
        "q": rng.normal(size=n) * 4,
        "r": rng.beta(0.05, 2, n),
        "soft": np.round(rng.random(n), 3),
        "w": rng.integers(1, 9, n) / 4,
        "sex": np.array(["f", "m", None], dtype=object)[rng.integers(0, 3, n)],
        "site": rng.integers(1, 4, n),
        "ann": pa.array(votes[0].tolist()),
        "bob": pa.array(votes[1].tolist()),
    }


COLUMNS = make_columns()


@pytest.mark.parametrize(
    "told", [{"label": "y"}, {"raters": ["ann", "bob"]}], ids=["labels", "votes"]
)
def test_many_scores_at_once_are_as_one_at_a_time(engine, told, limit):
    options = {**told, "by": ["sex", "site"], "limit": limit, "buckets": 64}
    frame = engine(COLUMNS)
    together = rw.tallies(frame, score=["p", "q", "r"], **options)
    assert len(together) == 3 * 3 * 3
    for score in ["p", "q", "r"] if engine.name in ("polars", "duckdb", "pandas") else ["p"]:
        alone = rw.tallies(frame, score=score, **options)
        for key, tally in alone.items():
            assert np.array_equal(tally.scores, together[key].scores)
            assert np.array_equal(tally.count, together[key].count)
            np.testing.assert_allclose(tally.up, together[key].up, rtol=1e-12)
            np.testing.assert_allclose(tally.up_score, together[key].up_score, rtol=1e-12)


def test_weights_and_soft_truth_agree_to_the_last_bits(engine, limit):
    options = {"label": "soft", "weight": "w", "score": ["p", "q"], "limit": limit, "buckets": 64}
    found = rw.tallies(engine(COLUMNS), **options)
    expected = rw.tallies(as_arrow(COLUMNS), **options)
    for key, tally in found.items():
        assert np.array_equal(tally.count, expected[key].count)
        for name in (*BITS, "up_squared", "up_right", "right_squared"):
            mine, theirs = getattr(tally, name), getattr(expected[key], name)
            np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)


# -- bits ----------------------------------------------------------------------------------------

WAYS = {
    "exact": {},
    "buckets": {"limit": 0, "buckets": 256},
    "many buckets": {"limit": 0},
    "refined": {"limit": 700, "buckets": 32, "tolerance": 2e-3},
    "by group": {"limit": 0, "buckets": 64, "by": ["sex", "site"]},
}


def expected_bits(way, score):
    """The same through NumPy: the exact tally, its rows run together by the numbers of cells."""
    from dataclasses import replace

    from rocwalk.tally.buckets import Layout

    exact = rw.tally(COLUMNS["y"], COLUMNS[score])
    if way == "exact":
        return exact
    scores = exact.scores
    layout = Layout.covering(scores[-1], scores[0], WAYS[way].get("buckets", 2**16))
    keys = layout.keys(scores)
    starts = np.flatnonzero(np.diff(keys, prepend=keys[0] + 1))
    low, high = layout.cells(keys[starts])
    rows = exact.coarsened(starts)
    return replace(rows, stored={**rows.stored, "cell_low": low, "cell_high": high})


@pytest.mark.parametrize("way", WAYS)
def test_hard_labels_give_the_same_bits(engine, way):
    options = {"score": ["p", "q"], "label": "y", **WAYS[way]}
    found = rw.tallies(engine(COLUMNS), **options)
    assert_same_bits(found, rw.tallies(pl.from_arrow(as_arrow(COLUMNS)), **options))
    if way in ("exact", "buckets", "many buckets"):
        assert_same_bits({0: found["p", ()]}, {0: expected_bits(way, "p")})
    if way in ("buckets", "refined"):
        assert found["q", ()].is_bucketed


def test_the_rows_of_scores_outside_are_those_of_numpy(engine):
    """Logits have cells of one width; their moments are sums of integers in units of a scale."""
    found = rw.tallies(engine(COLUMNS), score="q", label="y", limit=0, buckets=256).only
    expected = expected_bits("buckets", "q")
    for name in ("scores", "up", "right", "highest", "cell_low", "cell_high"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()
    for name in ("up_score", "right_score"):
        np.testing.assert_allclose(
            getattr(found, name), getattr(expected, name), rtol=1e-12, atol=1e-12
        )


@pytest.mark.parametrize("way", ["exact", "buckets", "refined"])
def test_the_order_of_rows_and_their_partitions_change_nothing(engine, way):
    order = np.random.default_rng(1).permutation(len(COLUMNS["y"]))
    shuffled = as_arrow(COLUMNS).take(pa.array(order))
    shuffled = {name: shuffled.column(name) for name in shuffled.column_names}
    scores = ["p"] if engine.name in HEAVY else ["p", "q"]
    options = {"score": scores, "label": "y", **WAYS[way]}
    expected = rw.tallies(engine(COLUMNS, 1), **options)
    assert_same_bits(rw.tallies(engine(shuffled, 5), **options), expected)


# -- rows stay where they are --------------------------------------------------------------------


@pytest.fixture
def arrivals(monkeypatch):
    """How many rows each query has brought to Python."""
    collect, counts = lazy._collect, []

    def counting(frame):
        answer = collect(frame)
        counts.append(len(next(iter(answer.values()))))
        return answer

    monkeypatch.setattr(lazy, "_collect", counting)
    return counts


@pytest.mark.parametrize("name", marked([n for n, engine in ENGINES.items() if engine.is_lazy]))
def test_no_more_rows_arrive_than_there_are_buckets(name, arrivals, request):
    if name == "spark":
        request.getfixturevalue("spark")
    buckets = 32
    table = ENGINES[name](COLUMNS)
    tally = rw.tallies(table, score="p", label="y", limit=0, buckets=buckets).only
    assert tally.total_count == len(COLUMNS["y"])
    assert len(arrivals) == 2  # a profile, and the sums
    assert arrivals[0] == 1
    assert max(arrivals) <= 2 * (buckets + 2)


def test_rounded_scores_arrive_as_scores(arrivals):
    table = ENGINES["duckdb"](COLUMNS | {"p": np.round(COLUMNS["p"], 2)})
    tally = rw.tallies(table, score="p", label="y", limit=200).only
    assert not tally.is_bucketed
    assert len(tally) <= 101
    assert max(arrivals) <= 2 * 201


GENERATED = """
    SELECT (hash(i) % 2)::INT AS y, (hash(i + 1) % 4503599627370496) / 4503599627370496.0 AS p,
           hash(i + 2)::VARCHAR || hash(i + 3)::VARCHAR AS note
    FROM range({rows}) AS t(i)
"""
MEASURED = """
import json, resource, sys
import duckdb
import polars as pl
import rocwalk as rw
from rocwalk.read import lazy

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

path, how = sys.argv[1:]
connection = duckdb.connect(config={"memory_limit": "100MB", "threads": 1})
connection.execute("SET enable_progress_bar = false")  # which goes to standard output
warm = {"score": "p", "label": "y", "limit": 0, "buckets": 64}
if how == "polars":
    rw.tallies(pl.scan_parquet(path).head(1000), **warm)
    table = pl.scan_parquet(path)
else:
    rw.tallies(connection.sql(f"FROM '{path}' LIMIT 1000"), **warm)
    table = connection.sql(f"FROM '{path}'")
before, counts, collect = peak(), [], lazy._collect

def counting(frame):
    answer = collect(frame)
    counts.append(len(next(iter(answer.values()))))
    return answer

lazy._collect = counting
tally = rw.tallies(table, score="p", label="y", limit=0, buckets=1024).only
print(json.dumps({
    "grown": peak() - before, "arrived": counts, "rows": tally.total_count,
    "certificate": tally.certificate,
}))
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file of more bytes than the memory that an engine may take."""
    path = tmp_path_factory.mktemp("large") / "large.parquet"
    with duckdb.connect() as connection:
        query = GENERATED.format(rows=5_000_000)
        connection.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet, ROW_GROUP_SIZE 100000)")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("how", ["duckdb", "polars"])
def test_a_table_that_is_larger_than_the_memory(large, how):
    in_memory = 5_000_000 * (4 + 8 + 38)
    assert large.stat().st_size > 100e6
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(large), how],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(done.stdout)
    assert found["rows"] == 5_000_000
    assert len(found["arrived"]) == 2
    assert max(found["arrived"]) <= 2 * (1024 + 2)
    assert found["grown"] < in_memory / 2
    assert 0 < found["certificate"] < 1e-3


def test_a_generator_is_a_table_too(arrivals):
    """SQL makes the rows while they are counted; there never is a table."""
    with duckdb.connect(config={"memory_limit": "100MB"}) as connection:
        table = connection.sql(GENERATED.format(rows=200_000))
        tally = rw.tallies(table, score="p", label="y", limit=0, buckets=256).only
    assert tally.total_count == 200_000
    assert max(arrivals) <= 2 * 258
