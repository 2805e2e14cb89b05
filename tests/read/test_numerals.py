"""What text stands for: the same in memory (Arrow) and larger than memory (SQL), cell by cell."""

from __future__ import annotations

import json
import warnings
from functools import partial

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from rocwalk.errors import RocwalkError, RocwalkWarning
from rocwalk.read.frames import GROUP, LABEL, NUMBER
from rocwalk.read.numerals import interpret, kind_of_words, text_sql

LARGE = {"limit": 10**6}  # files that have a limit are tallied in DuckDB

MISSING = ["", " ", "NA", " NA", "NA\u00a0", "N/A", "#N/A ", "NULL", "null", "None", "none", "na"]
INTEGERS = [
    *("1", "+1", "-1", "0", "-0", " 1 ", "\t1", "1\u00a0", "\u30001", "007", "00", "0x1F", "1_000"),
    *("9007199254740993", "+9007199254740993", "9223372036854775807", "9223372036854775808"),
    *("-9223372036854775809", "18446744073709551615", "18446744073709551616"),
]
NUMBERS = [
    *("0.5", ".5", "+.5", "5.", "1e5", "1E+5", "1e-400", "1e400", "1e", "e5", "0.5f", "00.5"),
    *("0,5", ",5", "1,", "1,5e3", "1.234,5", "1 2", "--1", "\u22121", "1%", "0.1.2"),
    *("inf", "-Inf", "+infinity", "nan", "NaN", "-nan"),
]
BOOLEANS = ["true", "True", " TRUE", "false", "t", "yes", "F"]
WORDS = [*MISSING, *INTEGERS, *NUMBERS, *BOOLEANS, "x"]


@pytest.mark.parametrize("comma", [False, True], ids=["points", "commas"])
@pytest.mark.parametrize("role", [LABEL, GROUP, NUMBER])
def test_arrow_and_sql_read_every_word_alike(role, comma):
    with duckdb.connect() as connection:
        for word in WORDS:
            for other in (None, "1", "0.5", "0,5", "NA", "true", "x"):
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
    assert outcome(path, **options, **LARGE) == outcome(path, **options)


def cells(role: str, word: str) -> str:
    """Return a file with an odd cell in one column, two columns of votes among them."""
    odd = {"y": "1", "s": "0.75", "w": "1", "g": "1", "a": "1", "b": "0"} | {role: word}
    rows = ["y;s;w;g;a;b", "0;0.25;2;1;0;0", "1;0.5;1;2;1;", ";".join(odd.values())]
    return "\n".join([*rows, "0;0.625;1;1;1;0\n"])


OPTIONS = {
    "y": {},
    "s": {},
    "w": {"weight": "w"},
    "g": {"by": "g"},
    "a": {"label": None, "raters": ["a", "b"]},
}


@pytest.mark.parametrize("invalid", ["raise", "drop"])
@pytest.mark.parametrize("role", OPTIONS)
@pytest.mark.parametrize("words", ["MISSING", "INTEGERS", "NUMBERS", "BOOLEANS"])
def test_an_odd_cell_has_one_meaning(tmp_path, role, words, invalid):
    for place, word in enumerate(globals()[words]):
        path = tmp_path / f"{place}.csv"
        path.write_text(cells(role, word), encoding="utf-8")
        one = outcome(path, **OPTIONS[role], invalid=invalid)
        two = outcome(path, **OPTIONS[role], invalid=invalid, **LARGE)
        if one != two:
            print(role, repr(word), invalid, "\n   ", one, "\n   ", two)
