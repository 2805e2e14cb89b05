"""Sessions of a store: the same statements and columns in DuckDB and in PostgreSQL."""

from __future__ import annotations

import time

import duckdb
import numpy as np
import pytest

from rocwalk.errors import FileError
from rocwalk.read.sessions import DuckFile, Postgres, database_of

TABLES = ["CREATE TABLE store (id TEXT, score DOUBLE PRECISION, moment TIMESTAMP, n BIGINT)"]


@pytest.fixture(params=["duckdb", "postgresql"])
def database(request, tmp_path):
    if request.param == "duckdb":
        return database_of(tmp_path / "store.duckdb", 5)
    return database_of(request.getfixturevalue("postgresql")(), 5)


def columns():
    return {
        "id": np.array(["a", None, "ü'\""], dtype=object),
        "score": np.array([0.1, np.nan, 1e-300]),
        "moment": np.array(
            ["2026-01-05T12:30:00.000001", "NaT", "2026-01-06"], dtype="datetime64[us]"
        ),
        "n": np.array([1, 2**62, -3]),
    }


def test_an_address_says_which_database_it_is(tmp_path, request):
    assert isinstance(database_of(tmp_path / "a", 1), DuckFile)
    assert isinstance(database_of(request.getfixturevalue("postgresql")(), 1), Postgres)


def test_a_database_is_made_once(database):
    assert database.create(TABLES) is True
    assert database.create(TABLES) is False
    with database.session(write=False) as session:
        assert session.has("store")
        assert not session.has("others")


def test_columns_come_back_bit_for_bit_with_their_gaps(database):
    database.create(TABLES)
    with database.session(write=True) as session:
        session.load("given", columns())
        session.run("INSERT INTO store SELECT * FROM given")
    with database.session(write=False) as session:
        found = session.columns("SELECT id, score, moment, n FROM store ORDER BY n")
        assert session.rows("SELECT n FROM store WHERE id = ?", "ü'\"") == [(-3,)]
    order = np.argsort(columns()["n"])
    assert found["id"].tolist() == columns()["id"][order].tolist()
    for name, kind in {"score": "f8", "moment": "M8[us]", "n": "i8"}.items():
        assert found[name].dtype == np.dtype(kind)
        np.testing.assert_array_equal(found[name], columns()[name][order])


def work(database, *statements, write=True, error=None):
    with database.session(write=write) as session:
        for one in statements:
            session.run(one)
        if error is not None:
            raise error


def test_nothing_of_a_failed_transaction_is_kept(database):
    database.create(TABLES)
    insert = "INSERT INTO store (id) VALUES ('x')"
    with pytest.raises(FileError, match="refused a transaction, and nothing of it was kept"):
        work(database, insert, "INSERT INTO nowhere VALUES (1)")
    with pytest.raises(ZeroDivisionError):
        work(database, insert, error=ZeroDivisionError())
    with database.session(write=False) as session:
        assert session.rows("SELECT count(*) FROM store") == [(0,)]
    work(database, insert)
    with database.session(write=False) as session:
        assert session.rows("SELECT count(*) FROM store") == [(1,)]


def test_who_only_reads_cannot_write(database):
    database.create(TABLES)
    with pytest.raises(FileError, match="refused a transaction"):
        work(database, "INSERT INTO store (id) VALUES ('x')", write=False)


def test_a_file_that_is_no_database_is_not_said_to_be_in_use(tmp_path):
    """Whatever its name is: nothing waits for a file of the name lock."""
    path = tmp_path / "lock" / "set lock on file.duckdb"
    path.parent.mkdir()
    path.write_text("no database" * 1000)
    start = time.monotonic()
    with (
        pytest.raises(FileError, match="is not a store of rocwalk") as raised,
        DuckFile(path, 30).session(write=True),
    ):
        pass
    assert raised.value.fields.problem != "in_use"
    assert time.monotonic() - start < 15


def test_a_file_that_is_open_in_this_process_is_in_use(tmp_path):
    path = tmp_path / "store.duckdb"
    database = DuckFile(path, 0.2)
    database.create(TABLES)
    with (
        duckdb.connect(str(path), config={"threads": 1}),
        pytest.raises(FileError, match="is in use by another program") as raised,
        database.session(write=False),
    ):
        pass
    assert raised.value.fields.problem == "in_use"
    with database.session(write=True) as session:
        assert session.has("store")
