"""Sources: which files are meant, how they are opened, and what DuckDB gives of its types."""

from __future__ import annotations

import datetime as dt
import gzip
import threading
import time
from pathlib import Path

import duckdb
import numpy as np
import pytest

from rocwalk.errors import FileError
from rocwalk.read.sources import (
    Runner,
    columns_of,
    connect,
    ending,
    find_below,
    find_files,
    interruptible,
    is_in_use,
    open_bytes,
    packing,
    partitions_of,
    refuse_no_room,
    state_of,
    watched,
)

ENDINGS = (".csv", ".parquet")


@pytest.fixture
def folder(tmp_path):
    names = ["a/1.csv", "a/year=2/2.csv", "a/_tmp/3.csv", "a/.4.csv", "a/5.txt", "b/6.csv.gz"]
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n1\n")
    return tmp_path


def test_a_folder_stands_for_the_data_in_it_and_below(folder):
    found = find_below(folder / "a", ENDINGS)
    assert list(found) == [folder / "a/1.csv", folder / "a/year=2/2.csv"]
    assert set(found.values()) == {folder / "a"}


def test_the_base_of_a_pattern_is_what_stands_before_its_first_sign(folder):
    found = find_below(str(folder / "*" / "**" / "*.csv"))
    assert set(found.values()) == {folder}
    found = find_below(str(folder / "a" / "year=*" / "2.csv"))
    assert found == {folder / "a/year=2/2.csv": folder / "a"}


def test_the_base_of_several_files_is_the_folder_that_they_share(folder):
    found = find_below([folder / "b/6.csv.gz", folder / "a/1.csv"])
    assert found == {folder / "a/1.csv": folder, folder / "b/6.csv.gz": folder}


def test_a_file_is_named_once_however_it_is_written(folder):
    (folder / "same.csv").symlink_to(folder / "a/1.csv")
    for named in (["a/1.csv", "a/../a/1.csv"], ["a/1.csv", "same.csv"]):
        with pytest.raises(FileError, match="is named twice"):
            find_files([folder / one for one in named])


@pytest.mark.parametrize(
    ("path", "columns"),
    [
        ("lake/year=2024/site=a%20b/part.parquet", {"year": "2024", "site": "a b"}),
        ("year=1/year=2/part.parquet", {"year": "2"}),
        ("site=__HIVE_DEFAULT_PARTITION__/x", {"site": None}),
        ("=1/a=/x=2.csv", {"a": ""}),
        ("part.parquet", {}),
    ],
)
def test_folders_are_columns_as_hive_writes_them(path, columns):
    assert partitions_of(Path(path)) == columns


@pytest.mark.parametrize(
    ("name", "form", "packed"),
    [
        ("a.CSV", ".csv", ""),
        ("a.tar.csv.GZ", ".csv", "gzip"),
        ("a.jsonl.zst", ".jsonl", "zstd"),
        (".gz", "", ""),
        ("plain", "", ""),
    ],
)
def test_the_ending_tells_the_format_and_the_packing(name, form, packed):
    assert (ending(Path(name)), packing(Path(name))) == (form, packed)


def test_a_packed_file_is_opened_unpacked(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"x\n1\n"))
    with open_bytes(tmp_path / "a.csv.gz") as file:
        assert file.read() == b"x\n1\n"


def test_the_state_of_a_file_changes_with_it(tmp_path):
    path = tmp_path / "a.csv"
    assert state_of(path) == ()
    path.write_text("x")
    before = state_of(path)
    assert state_of(path) == before
    path.write_text("xy")
    assert state_of(path) != before


# -- DuckDB ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("1::DECIMAL(38, 20) / 3", 1 / 3),
        ("170141183460469231731687303715884105727::HUGEINT", 2**127 - 1),
        ("DATE '2026-01-05'", np.datetime64("2026-01-05", "D")),
        ("'b'::ENUM('a', 'b')", "b"),
        ("'\\x01a'::BLOB", b"\x01a"),
        ("[1, 2]", [1, 2]),
        ("TRUE", True),
    ],
)
def test_values_keep_their_meaning_and_gaps_are_gaps(sql, expected):
    with connect() as connection:
        (whole,) = columns_of(connection.sql(f"SELECT {sql} AS x"))
        assert whole.tolist() == np.array([expected], dtype=whole.dtype).tolist()
        given = connection.sql(f"SELECT * FROM (VALUES (1, {sql}), (2, NULL)) AS t (k, x)")
        gaps = columns_of(given.order("k").project("x"))[0]
    assert gaps[0] == whole[0]
    assert gaps[1] is None or gaps[1] != gaps[1]


def test_times_with_nanoseconds_have_gaps_too():
    sql = "SELECT unnest([TIMESTAMP_NS '2026-01-05 12:30:00.000001', NULL]) AS x"
    with connect() as connection:
        (found,) = columns_of(connection.sql(sql))
    assert found.tolist() == [dt.datetime(2026, 1, 5, 12, 30, 0, 1), None]


def test_nothing_is_fetched_from_the_network():
    with connect() as connection:
        (found,) = columns_of(
            connection.sql("SELECT current_setting('autoinstall_known_extensions') AS x")
        )
    assert not found[0]


def test_a_full_disk_is_told_from_other_errors():
    for words in ("IO Error: Could not write file: No space left on device", "Disk quota exceeded"):
        with pytest.raises(FileError, match="There is not enough memory or disk"):
            refuse_no_room(duckdb.IOException(words))
    with pytest.raises(FileError, match="not enough memory"):
        refuse_no_room(duckdb.OutOfMemoryException("failed to allocate"))
    refuse_no_room(duckdb.IOException("IO Error: Cannot open file"))


def test_a_file_in_use_is_told_from_other_errors_whatever_its_name():
    locked = 'IO Error: Could not set lock on file "a.db": Conflicting lock is held in python'
    assert is_in_use(duckdb.IOException(locked))
    assert is_in_use(duckdb.ConnectionException("Connection Error: other configuration"))
    assert not is_in_use(
        duckdb.IOException('IO Error: The file "lock.db" exists, but it is no valid database')
    )


def test_an_interrupted_query_is_an_interrupt():
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="other"), interruptible():
        raise RuntimeError("other")


def test_work_is_watched_in_a_thread_of_its_own():
    seen, told = [], []

    def work():
        seen.append(threading.current_thread())
        time.sleep(0.2)
        return 7

    assert watched(None, work, lambda: told.append(1)) == 7
    assert seen != [threading.current_thread()]
    assert told
    with pytest.raises(ZeroDivisionError):
        watched(None, lambda: 1 / 0)


def test_errors_of_a_query_are_explained_but_for_values_that_do_not_convert():
    with connect() as connection:
        runner = Runner(connection, lambda words: FileError(f"x: {words.splitlines()[0]}", "y"))
        assert runner.fetch("SELECT $n + 1 AS x", {"n": 1})[0].tolist() == [2]
        with pytest.raises(FileError, match="x: Catalog Error: Table with name nowhere"):
            runner.fetch("SELECT * FROM nowhere")
        with pytest.raises(duckdb.ConversionException):
            runner.fetch("SELECT CAST('a' AS INT)")
        runner.execute("CREATE TABLE t AS SELECT DATE '2026-01-05' AS d")
        assert runner.fetch("SELECT d FROM t")[0].tolist() == [dt.date(2026, 1, 5)]
