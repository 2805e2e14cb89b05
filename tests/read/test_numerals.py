"""What cells of files mean: the same in memory and larger than memory, or the same kind of error."""

from __future__ import annotations

import warnings

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from rocwalk.errors import RocwalkError, RocwalkWarning, ScoreError, WeightError
from rocwalk.read.frames import GROUP, LABEL, NUMBER
from rocwalk.read.numerals import interpret, kind_of_words, text_sql

LARGE = {"limit": 10**6}  # files that have a limit are tallied in DuckDB

MISSING = ["", " ", "NA", "NA\u00a0", "N/A", "#N/A ", "NULL", "null", "None", "none", "na"]
INTEGERS = [
    *("1", "+1", "-0", " 1 ", "\t1", "1\u00a0", "\u30001", "007", "00", "0x1F", "1_000"),
    *("9007199254740993", "+9007199254740993", "9223372036854775807", "9223372036854775808"),
    *("-9223372036854775809", "18446744073709551615", "18446744073709551616"),
]
NUMBERS = [
    *(".5", "+.5", "5.", "1E+5", "1e-400", "1e400", "1e", "e5", "0.5f", "00.5"),
    *("0,5", ",5", "1,", "1,5e3", "1.234,5", "1 2", "--1", "\u22121", "1%", "0.1.2"),
    *("inf", "-Inf", "+infinity", "nan", "-NaN"),
]
BOOLEANS = ["true", "True", " TRUE", "false", "t", "yes"]


@pytest.mark.parametrize("comma", [False, True], ids=["points", "commas"])
@pytest.mark.parametrize("role", [LABEL, GROUP, NUMBER])
def test_arrow_and_sql_read_every_word_alike(role, comma):
    with duckdb.connect() as connection:
        for word in (*MISSING, *INTEGERS, *NUMBERS, *BOOLEANS):
            for other in (None, "0.5", "NA"):
                words = pa.table({"word": pa.array([word, other, None], pa.string())})
                connection.register("words", words)
                expected = interpret(words["word"], role, allows_decimal_comma=comma)
                kind = kind_of_words(
                    "SELECT word FROM words",
                    role,
                    lambda query: connection.sql(query).to_arrow_table(),
                    allows_decimal_comma=comma,
                )
                value = text_sql(role, "word") if kind is None else kind.value_sql("word")
                found = connection.sql(f"SELECT {value} AS v FROM words").to_arrow_table()["v"]
                assert found.type == expected.type, (word, other)
                assert str(found.to_pylist()) == str(expected.to_pylist()), (word, other)


def test_a_sign_makes_no_other_kind_of_number():
    values = interpret(pa.array(["+1", "-2", "3"]), GROUP, allows_decimal_comma=False)
    assert values.to_pylist() == [1, -2, 3]
    assert values.type == pa.int64()


# -- whole files -----------------------------------------------------------------------------------


def outcome(path, **options):
    """Return what a reading gives, or the kind of error that it ends in."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocwalkWarning)
        try:
            read = rw.tallies(path, **{"score": "s", "label": "y"} | options)
        except RocwalkError as error:
            return type(error)
    keys = [(name, group, [type(value) for value in group]) for name, group in read]
    columns = [[one.scores.tolist(), one.up.tolist(), one.right.tolist()] for one in read.values()]
    return str((keys, columns, dict(read.dropped)))


def assert_same_outcome(path, **options):
    expected = outcome(path, **options)
    assert outcome(path, **options, **LARGE) == expected
    return expected


OPTIONS = {
    "y": {},
    "s": {},
    "w": {"weight": "w"},
    "g": {"by": "g"},
    "a": {"label": None, "raters": ["a", "b"]},
}
ODD = [
    *("", "NA", "\u00a0NA ", "None", "na", "+1", "-0", " 1 ", "007", "1_000", "1e0", "1e400"),
    *("nan", "-inf", "0,5", "2", "true", "TRUE", "yes", "9007199254740993", "9223372036854775808"),
]


@pytest.mark.parametrize("role", OPTIONS)
@pytest.mark.parametrize("invalid", ["raise", "drop"])
def test_an_odd_cell_has_one_meaning(tmp_path, role, invalid):
    for place, word in enumerate(ODD):
        odd = {"y": "1", "s": "0.75", "w": "1", "g": "1", "a": "1", "b": "0"} | {role: word}
        rows = ["y;s;w;g;a;b", "0;0.25;2;1;0;0", "1;0.5;1;2;1;", ";".join(odd.values())]
        path = tmp_path / f"{place}.csv"
        path.write_text("\n".join([*rows, "0;0.625;1;1;1;0\n"]), encoding="utf-8")
        assert_same_outcome(path, **OPTIONS[role], invalid=invalid)


@pytest.mark.parametrize(
    ("integer", "is_exact"),
    [(2**53, True), (2**53 + 1, False), (2**60, True), (2**63 + 1, False), (2**64, True)],
)
def test_integers_are_refused_where_floats_do_not_hold_them(tmp_path, integer, is_exact):
    for sign in ("", "+", "-"):
        path = tmp_path / f"a{sign}.csv"
        path.write_text(f"y,s,w\n1,{sign}{integer},{integer}\n0,3,1\n1,NA,2\n0,1,3\n")
        is_kept = is_exact or integer > 2**63  # beyond 64 bits numbers are read as floats
        found = assert_same_outcome(path, invalid="drop")
        assert (found is ScoreError) == (not (is_kept if sign == "-" else is_exact))
        found = assert_same_outcome(path, score="y", label="y", weight="w", invalid="drop")
        assert (found is WeightError) == (not is_exact)


VOTES = {
    "numbers": ([1, 0, None, 1], [0, 0, 1, 1]),
    "text": (["yes", "no", None, "yes"], ["no", "no", "yes", "yes"]),
    "three values": (["yes", "no", "maybe", "yes"], ["no", "no", "yes", "yes"]),
    "three numbers": ([1, 2, 3, 2], [2, 2, 1, 3]),
    "booleans": ([True, False, None, True], [False, False, True, True]),
    "text that looks like booleans": (["True", "False", None, "True"], ["True"] * 4),
}


@pytest.mark.parametrize("pos_label", [None, 1, 2, "1", True, "yes", "no", "True"])
@pytest.mark.parametrize("kind", VOTES)
def test_votes_have_one_meaning(tmp_path, kind, pos_label):
    first, second = VOTES[kind]
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"s": [0.9, 0.4, 0.5, 0.1], "a": first, "b": second}), path)
    assert_same_outcome(path, **OPTIONS["a"], pos_label=pos_label)


@pytest.mark.parametrize("pos_label", [None, 1, "1", True, "yes", "True"])
@pytest.mark.parametrize("kind", VOTES)
def test_labels_have_one_meaning(tmp_path, kind, pos_label):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"s": [0.9, 0.4, 0.5, 0.1], "y": VOTES[kind][0]}), path)
    assert_same_outcome(path, pos_label=pos_label, invalid="drop")
