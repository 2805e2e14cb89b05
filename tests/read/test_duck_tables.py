"""Tables that DuckDB reads: databases in a file, batches of Arrow, and what is wrong with them."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import duckdb
import pyarrow as pa
import pytest

from rocwalk.errors import ColumnError, FileError
from rocwalk.read.addresses import DataSource
from rocwalk.read.duck_tables import (
    ROWS_A_BATCH,
    kind_of_database,
    open_database_file,
    open_stream,
    quoted,
    table_of,
)
from rocwalk.read.frames import LABEL, NUMBER


def sqlite_file(path, *statements, rows=()):
    with closing(sqlite3.connect(path)) as database:
        for one in statements:
            database.execute(one)
        database.executemany("INSERT INTO t VALUES (?, ?)", rows)
        database.commit()
    return path


def duck_file(path, *statements):
    with duckdb.connect(str(path)) as database:
        for one in statements:
            database.execute(one)
    return path


def read(path, roles, **named):
    with open_database_file(DataSource(str(path), **named)) as table:
        return table.table(roles)


def test_names_are_written_as_sql_writes_them():
    assert quoted('a"b') == '"a""b"'


def test_the_kind_of_a_database_is_in_its_first_bytes(tmp_path):
    assert kind_of_database(duck_file(tmp_path / "a.db", "CREATE TABLE t (y INT)")) == "DuckDB"
    made = sqlite_file(tmp_path / "b.db", "CREATE TABLE t (y, s)")
    assert kind_of_database(made) == "SQLite"
    (tmp_path / "c.db").write_text("y,s\n1,2\n")
    with pytest.raises(FileError, match="is not a database of DuckDB or SQLite"):
        kind_of_database(tmp_path / "c.db")


@pytest.mark.parametrize(
    ("table", "known", "words"),
    [
        ("tt", ["t", "u"], r"There is no table 'tt' in 'x'(.|\n)*mean 't'"),
        ("t", [], r"There is no table 't' in 'x'(.|\n)*no tables at all"),
        (None, [], "There are no tables in 'x'"),
        (None, ["t", "u"], r"There are several tables in 'x': 't', 'u'(.|\n)*as in ::t"),
    ],
)
def test_the_table_that_is_meant(table, known, words):
    with pytest.raises(FileError, match=words):
        table_of(DataSource("x", table=table), known, "'x'")


def test_the_only_table_needs_no_name():
    assert table_of(DataSource("x"), ["t"], "x") == "t"
    assert table_of(DataSource("x", table="u"), ["t", "u"], "x") == "u"


def test_tables_of_other_schemas_and_views_have_names(tmp_path):
    path = duck_file(
        tmp_path / "a.db",
        "CREATE SCHEMA other", "CREATE TABLE other.t AS SELECT 1 AS y",
        "CREATE TABLE t AS SELECT 2 AS y", "CREATE VIEW v AS SELECT 3 AS y",
    )  # fmt: skip
    found = {
        name: read(path, {"y": LABEL}, table=name)["y"].tolist() for name in ("other.t", "t", "v")
    }
    assert found == {"other.t": [1], "t": [2], "v": [3]}
    assert read(path, {"y": LABEL}, query="SELECT y + 1 AS y FROM t;")["y"].tolist() == [3]


def test_a_query_that_fails_is_said_as_a_query(tmp_path):
    for path in (
        duck_file(tmp_path / "a.db", "CREATE TABLE t (y INT, s INT)"),
        sqlite_file(tmp_path / "b.db", "CREATE TABLE t (y, s)"),
    ):
        with pytest.raises(FileError, match="The query fails in .* nowhere"):
            read(path, {"y": LABEL}, query="SELECT y FROM nowhere")


def test_a_database_in_use_is_told_from_one_that_is_broken_whatever_its_name(tmp_path):
    """A file called lock is not for that reason in use."""
    path = duck_file(
        tmp_path / "lock.duckdb", "CREATE TABLE t AS SELECT range AS y FROM range(9999)"
    )
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(FileError, match="cannot be opened") as raised:
        read(path, {"y": LABEL})
    assert "in use" not in str(raised.value)


# -- SQLite ----------------------------------------------------------------------------------------


def test_columns_of_sqlite_have_the_type_of_their_values(tmp_path):
    rows = [(1, 0.5), (0, 2), (None, None)]
    path = sqlite_file(tmp_path / "a.db", "CREATE TABLE t (y BOOLEAN, s NUMERIC)", rows=rows)
    found = read(path, {"y": LABEL, "s": NUMBER})
    assert found["y"].tolist()[:2] == [True, False]
    assert found["y"].tolist()[2] is None
    assert found["s"].tolist()[:2] == [0.5, 2.0]


def test_a_column_of_numbers_and_text_is_refused_by_name(tmp_path):
    path = sqlite_file(tmp_path / "a.db", "CREATE TABLE t (y, s)", rows=[(1, 0.5), (0, "x")])
    with pytest.raises(ColumnError, match=r"'s' of .* holds values of several types: real, text"):
        read(path, {"y": LABEL, "s": NUMBER})
    assert read(path, {"y": LABEL})["y"].tolist() == [1, 0]  # another column does no harm


def test_rows_of_several_batches_are_all_there(tmp_path):
    rows = [(k % 2, float(k)) for k in range(ROWS_A_BATCH + 3)]
    path = sqlite_file(tmp_path / "a.db", "CREATE TABLE t (y, s)", rows=rows)
    found = read(path, {"y": LABEL, "s": NUMBER})
    assert len(found["s"]) == len(rows)
    assert found["s"].sum() == sum(s for _, s in rows)


# -- Arrow -----------------------------------------------------------------------------------------


def stream(**columns):
    table = pa.table(columns)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=2))


def test_a_stream_is_read_once_and_kept():
    with open_stream(stream(y=[1, 0, 1], s=[0.5, 0.25, None])) as table:
        assert table.column_names == ("y", "s")
        assert table.table({"y": LABEL})["y"].tolist() == [1, 0, 1]
        assert table.table({"s": NUMBER})["s"].tolist()[:2] == [0.5, 0.25]  # a second look
        assert not table.is_large({"y": LABEL}, "1MB")
        assert table.is_large({"y": LABEL}, "0.1KB")


def test_a_column_twice_is_refused():
    given = pa.RecordBatchReader.from_batches(pa.schema([("y", pa.int64()), ("y", pa.int64())]), [])
    with pytest.raises(ColumnError, match="'y'"), open_stream(given):
        pass
