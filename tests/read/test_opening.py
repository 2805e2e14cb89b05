"""One way in: the same tallies from every kind of source, and clear errors from each."""

from __future__ import annotations

import datetime as dt
import gzip
import re
import sqlite3
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from backports import zstd

import rocwalk as rw
from postgres_server import server
from read.predictions import DATA, N, into_postgres
from rocwalk.errors import (
    ColumnError,
    FileError,
    LabelError,
    OptionError,
    ScoreError,
    WeightError,
)
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import read_study
from rocwalk.read.frames import GROUP, column_names, read_table
from rocwalk.read.times import times_of
from samples import NO_ADVICE

pytestmark = [*NO_ADVICE, pytest.mark.filterwarnings("ignore::rocwalk.errors.DroppedRowsWarning")]
COLUMNS = ("scores", "up", "right", "count", "highest", "up_score", "right_score")


def parquet(folder, table):
    pq.write_table(table, folder / "a.parquet")
    return folder / "a.parquet"


def lake(folder, table):
    """Two levels of folders whose names are columns, as Spark writes them."""
    ds.write_dataset(
        table.drop_columns(["site"]).append_column("part", pa.array(np.arange(len(table)) % 2)),
        folder / "lake", format="parquet",
        partitioning=ds.partitioning(pa.schema([("part", pa.int64())]), flavor="hive"),
    )  # fmt: skip
    return folder / "lake"


class Stream:
    """Something that hands out Arrow, and that nobody knows."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def csv_of(table):
    sink = pa.BufferOutputStream()
    pa.csv.write_csv(table, sink)
    return sink.getvalue().to_pybytes()


def zst(folder, table):
    path = folder / "a.csv.zst"
    path.write_bytes(zstd.compress(csv_of(table)))
    return path


def workbook(folder, table, path="a.xlsx"):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(table.column_names)
    for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
        sheet.append([float(one) if isinstance(one, Decimal) else one for one in row])
    book.save(folder / path)
    return folder / path


def duck_file(folder, table):
    path = folder / "a.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE predictions AS SELECT * FROM given")
        connection.execute("CREATE TABLE other (x INT)")
    return f"{path}::predictions"


def sqlite_file(folder, table):
    path = folder / "a.db"
    kinds = {"bool": "BOOLEAN", "int64": "INTEGER", "double": "REAL", "decimal128(6, 3)": "REAL"}
    made = ", ".join(f'"{f.name}" {kinds.get(str(f.type), "TEXT")}' for f in table.schema)
    columns = [column.to_pylist() for column in table.columns]
    plain = [
        tuple(float(v) if isinstance(v, Decimal) else v.isoformat() if isinstance(v, dt.date) else v
              for v in row)
        for row in zip(*columns, strict=True)
    ]  # fmt: skip
    with sqlite3.connect(path) as connection:
        connection.execute(f"CREATE TABLE predictions ({made})")
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO predictions VALUES ({marks})", plain)
    connection.close()
    return path


def delta(folder, table):
    """A Delta table of which a first version was replaced: its files are still in the folder."""
    import deltalake

    deltalake.write_deltalake(folder / "delta", table.slice(0, 50))
    deltalake.write_deltalake(folder / "delta", table, mode="overwrite")
    return folder / "delta"


def iceberg(folder, table):
    """An Iceberg table of two snapshots, the second in place of the first."""
    from pyiceberg.catalog.memory import InMemoryCatalog

    catalog = InMemoryCatalog("own", warehouse=folder.as_uri())
    catalog.create_namespace("clinic")
    made = catalog.create_table("clinic.predictions", schema=table.schema)
    made.append(table.slice(0, 50))
    made.overwrite(table)
    return folder / "clinic" / "predictions"


@pytest.fixture(scope="module")
def database():
    with server() as made:
        yield made


@pytest.fixture(scope="module")
def postgres(database):
    address = database()
    into_postgres(address, DATA)
    return address


MAKERS = {
    "parquet": parquet,
    "dataset": lambda folder, table: ds.dataset(parquet(folder, table)),
    "reader": lambda _, table: pa.RecordBatchReader.from_batches(
        table.schema, table.to_batches(64)
    ),
    "stream": lambda _, table: Stream(table),
    "zst": zst,
    "xlsx": workbook,
    "duckdb file": duck_file,
    "sqlite file": sqlite_file,
    "delta": delta,
    "iceberg": iceberg,
}
NAMES = [*MAKERS, "postgresql", "postgresql, query"]


@pytest.fixture(params=NAMES)
def source(request, tmp_path):
    """A function that makes the source anew: a stream comes only once."""
    if request.param.startswith("postgresql"):
        address = request.getfixturevalue("postgres")
        told = (
            {"query": "SELECT * FROM predictions WHERE TRUE;"} if "query" in request.param else {}
        )
        return lambda: rw.source(address, **told)
    made = []

    def make():
        made.append(tmp_path / str(len(made)))
        made[-1].mkdir()
        return MAKERS[request.param](made[-1], DATA)

    return make


def assert_same(found, expected, *, exact=True):
    assert list(found) == list(expected)
    for key, tally in expected.items():
        other = found[key]
        for name in COLUMNS:
            mine, theirs = getattr(other, name), getattr(tally, name)
            if exact:
                assert np.array_equal(mine, theirs), (key, name)
            else:
                np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)


CASES = {
    "two scores": {"score": ["p", "q"], "label": "y"},
    "a boolean label": {"score": "p", "label": "flag"},
    "a label of words": {"score": "p", "label": "word", "pos_label": "sick"},
    "labels with gaps": {"score": "p", "label": "gap", "invalid": "drop"},
    "a decimal score": {"score": "d", "label": "y"},
    "groups": {"score": ["p", "d"], "label": "flag", "by": "site"},
    "buckets": {"score": ["p", "q"], "label": "y", "limit": 0, "buckets": 64},
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_bits_for_labels_without_weights(source, case):
    expected = rw.tallies(DATA, **CASES[case])
    assert_same(rw.tallies(source(), **CASES[case]), expected)


def test_weights_to_twelve_digits(source):
    told = {"score": ["p", "q"], "label": "y", "weight": "w", "by": "word"}
    assert_same(rw.tallies(source(), **told), rw.tallies(DATA, **told), exact=False)


def test_soft_truth_to_twelve_digits(source):
    told = {"score": "p", "label": "q"}
    assert_same(rw.tallies(source(), **told), rw.tallies(DATA, **told), exact=False)


def test_times(source):
    table, expected = (read_table(one, {"when": GROUP}) for one in (source(), DATA))
    found, wanted = (times_of(one, "when").astype("datetime64[D]") for one in (table, expected))
    assert found.tolist() == wanted.tolist()


def test_windows_of_a_database(postgres):
    told = {"label": "y", "score": "p", "time": "when", "window": "quarter"}
    found, expected = (rw.drift_over_time(one, **told) for one in (rw.source(postgres), DATA))
    assert repr(found.to_dict()) == repr(expected.to_dict())


def test_rows_in_memory_for_pairs_and_clusters(source):
    question = Question(label="flag", scores=("p", "q"), weight="w", cluster="when", by=("word",))
    found, expected = (read_study(one, question).paired for one in (source(), DATA))
    assert found.truth.tolist() == expected.truth.tolist()
    assert found.cluster_codes.tolist() == expected.cluster_codes.tolist()
    assert found.weights.tolist() == expected.weights.tolist()
    for name, scores in expected.scores.items():
        assert found.scores[name].tolist() == scores.tolist()


def test_a_column_that_is_missing(source):
    with pytest.raises(ColumnError, match=r"^There is no column 'pp' in .*\nHint: .*'p'"):
        rw.tallies(source(), score="pp", label="y")


def test_a_column_of_the_wrong_type(source):
    with pytest.raises((ScoreError, ColumnError), match=r"(?s)'word'.*not .*number.*\nHint: "):
        rw.tallies(source(), score="word", label="y")


def test_a_third_label(source):
    with pytest.raises(LabelError, match=r"(?s)label.*Hint: "):
        rw.tallies(source(), score="p", label="when", pos_label="north")


# -- folders ---------------------------------------------------------------------------------------


def test_folders_are_columns(tmp_path):
    folder = lake(tmp_path, DATA)
    told = {"score": "p", "label": "y", "by": "part"}
    expected = rw.tallies(DATA.append_column("part", pa.array(np.arange(N) % 2)), **told)
    (folder / "_SUCCESS").write_text("")
    (folder / ".part.crc").write_text("x")
    files = sorted(map(str, folder.rglob("*.parquet")))
    for named in (folder, f"{folder}/", f"{folder}/*/*.parquet", f"{folder}/**/*.parquet", files):
        assert_same(rw.tallies(named, **told), expected)
        assert_same(rw.tallies(named, **told, memory_limit="1MB"), expected)
    bucketed = rw.tallies(folder, **told, limit=0)
    assert list(bucketed) == [("p", (0,)), ("p", (1,))]


def test_folders_with_words_codes_and_gaps(tmp_path):
    for name in ("site=a%20b", "site=007", "site=__HIVE_DEFAULT_PARTITION__"):
        (tmp_path / name).mkdir()
        parquet(tmp_path / name, DATA.select(["y", "p"]))
    for told in ({}, {"limit": 0}):
        found = rw.tallies(tmp_path, score="p", label="y", by="site", **told)
        assert [group for _, (group,) in found] == ["007", "a b", None]


def test_the_file_wins_over_its_folder(tmp_path):
    (tmp_path / "word=none").mkdir()
    parquet(tmp_path / "word=none", DATA)
    assert len(rw.tallies(tmp_path, score="p", label="y", by="word")) == 2


def test_folders_that_do_not_go_together(tmp_path):
    for name in ("part=1", "other=1"):
        (tmp_path / name).mkdir()
        parquet(tmp_path / name, DATA.select(["y", "p"]))
    with pytest.raises(ColumnError, match="'other' is missing, 'part' is new|'part' is missing"):
        rw.tallies(tmp_path, score="p", label="y")


def test_a_folder_without_data(tmp_path):
    (tmp_path / "notes.md").write_text("x")
    with pytest.raises(FileError, match="holds no file that rocwalk reads.\nHint: known endings"):
        rw.tallies(tmp_path, score="p", label="y")


def test_a_folder_of_text(tmp_path):
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(csv_of(DATA)))
    assert_same(rw.tallies(tmp_path, score="p", label="y"), rw.tallies(DATA, score="p", label="y"))


# -- streams ---------------------------------------------------------------------------------------


def test_a_stream_larger_than_memory_goes_through_a_temporary_table():
    reader = pa.RecordBatchReader.from_batches(DATA.schema, DATA.to_batches(32))
    told = {"score": ["p", "q"], "label": "flag", "limit": 0}
    assert_same(rw.tallies(reader, **told), rw.tallies(DATA, **told))


def test_a_stream_that_breaks_off():
    def batches():
        yield from DATA.to_batches(32)[:3]
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(DATA.schema, batches())
    with pytest.raises(
        FileError, match="The table in the stream cannot be read: .*the disk is gone"
    ):
        rw.tallies(reader, score="p", label="y")


def test_options_of_text_are_not_for_streams():
    with pytest.raises(OptionError, match="decimal=',' is for files, and the data are none"):
        rw.tallies(Stream(DATA), score="p", label="y", decimal=",")


# -- packed text and workbooks ---------------------------------------------------------------------


def test_packed_text_that_was_cut_short(tmp_path):
    path = tmp_path / "a.csv.zst"
    path.write_bytes(zstd.compress(csv_of(DATA))[:-20])
    with pytest.raises(
        FileError, match=r"^The file '.*a.csv.zst' is not Zstandard, or was cut short"
    ):
        rw.tallies(path, score="p", label="y")
    path.write_bytes(b"y,p\n1,0.5\n")
    with pytest.raises(FileError, match=r"is not Zstandard"):
        rw.tallies(path, score="p", label="y")


def test_errors_in_packed_text_name_the_file_and_the_line(tmp_path):
    path = tmp_path / "a.csv.zst"
    path.write_bytes(zstd.compress(b"y,p\n1,0.5\n0,high\n"))
    with pytest.raises(ColumnError) as caught:
        rw.tallies(path, score="p", label="y")
    assert str(caught.value).startswith(
        f"Column 'p' at row 1, line 3 of {str(path)!r} is 'high', not a number."
    )


@pytest.mark.parametrize("called", ["tallies", "report", "evaluate", "drift_over_time"])
def test_values_in_packed_text_are_named_by_their_line_too(tmp_path, called):
    """What is wrong with a value is found after reading, and the copy is still there."""
    path = tmp_path / "a.csv.zst"
    path.write_bytes(zstd.compress(b"y,p,w,t\n1,0.5,1,1\n0,0.2,,2\n1,0.3,1,3\n0,0.1,1,4\n"))
    told = {"time": "t", "window": 2} if called == "drift_over_time" else {}
    with pytest.raises(WeightError) as caught:
        getattr(rw, called)(path, label="y", score="p", weight="w", **told)
    assert f"Column 'w' at row 1, line 3 of {str(path)!r} is nan." in str(caught.value)


def test_packed_json_lines(tmp_path):
    path = tmp_path / "a.jsonl.zst"
    path.write_bytes(zstd.compress(b'{"y": 1, "p": 0.5}\n{"y": 0, "p": 0.25}\n'))
    assert rw.tallies(path, score="p", label="y").only.area == 1


def test_a_workbook_of_several_sheets(tmp_path):
    path = workbook(tmp_path, DATA)
    book = openpyxl.load_workbook(path)
    book.create_sheet("notes").append(["x"])
    book.save(path)
    first = book.sheetnames[0]
    with pytest.raises(FileError, match=r"has 2 sheets: .*notes.*\nHint: name one of them, as in"):
        rw.tallies(path, score="p", label="y")
    told = {"score": "p", "label": "y"}
    assert_same(rw.tallies(f"{path}::{first}", **told), rw.tallies(DATA, **told))
    assert_same(rw.tallies(rw.source(path, table=first), **told), rw.tallies(DATA, **told))
    with pytest.raises(
        FileError, match="There is no sheet 'note' in .*\nHint: did you mean 'notes'"
    ):
        rw.tallies(f"{path}::note", score="p", label="y")


def test_a_cell_that_is_no_number_is_named_by_its_row(tmp_path):
    book = openpyxl.Workbook()
    for row in (["y", "p"], [1, 0.5], [0, "high"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(
        ColumnError, match=r"at row 1, line 3 of '.*a.xlsx' is .high., not a number"
    ):
        rw.tallies(tmp_path / "a.xlsx", score="p", label="y")


def test_what_is_no_workbook(tmp_path):
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(FileError, match="is not a workbook that can be read"):
        rw.tallies(tmp_path / "a.xlsx", score="p", label="y")
    with pytest.raises(OptionError, match="decimal=',' is for separated text"):
        rw.tallies(workbook(tmp_path, DATA, "b.xlsx"), score="p", label="y", decimal=",")


# -- DuckDB and SQLite files -----------------------------------------------------------------------


@pytest.mark.parametrize("make", [duck_file, sqlite_file])
def test_tables_of_a_file(tmp_path, make):
    path = str(make(tmp_path, DATA)).partition("::")[0]
    told = {"score": "p", "label": "y"}
    if make is sqlite_file:  # there is one table only
        assert_same(rw.tallies(path, **told), rw.tallies(DATA, **told))
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE other (x)")
        connection.close()
    with pytest.raises(
        FileError, match=r"There are several tables in .*: .*other.*\nHint: name one"
    ):
        rw.tallies(path, **told)
    with pytest.raises(
        FileError, match=r"There is no table 'prediction' in .*\nHint: did you mean 'pred"
    ):
        rw.tallies(f"{path}::prediction", **told)
    query = "SELECT p, y FROM predictions WHERE q > 0.5"
    few = DATA.filter(pa.compute.greater(DATA["q"], 0.5))
    assert_same(rw.tallies(rw.source(path, query=query), **told), rw.tallies(few, **told))
    for bad in ("SELEKT 1", "SELECT z FROM predictions", "SELECT p FROM nowhere"):
        with pytest.raises(FileError, match=r"^The query fails in .*\nHint: try the query"):
            rw.tallies(rw.source(path, query=bad), **told)


@pytest.mark.parametrize("name", ["a.duckdb", "a.db"])
def test_what_is_no_database(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(FileError, match="There is no file"):
        rw.tallies(path, score="p", label="y")
    path.write_bytes(b"x" * 5000)
    with pytest.raises(FileError, match="is not a database of DuckDB or SQLite, or was cut short"):
        rw.tallies(path, score="p", label="y")


def test_a_database_that_was_cut_short(tmp_path):
    for make in (duck_file, sqlite_file):
        path = Path(str(make(tmp_path, DATA)).partition("::")[0])
        path.write_bytes(path.read_bytes()[: 3 * 1024])
        with pytest.raises(FileError, match=r"\nHint: "):
            rw.tallies(f"{path}::predictions", score="p", label="y")


def test_sqlite_columns_of_several_types(tmp_path):
    path = tmp_path / "a.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (y, p)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(1, 0.5), (0, "high"), (1, 1)])
    connection.close()
    with pytest.raises(
        ColumnError, match="'p' of .* holds values of several types: integer, real, text"
    ):
        rw.tallies(path, score="p", label="y")


def test_tables_are_read_alone(tmp_path):
    path = sqlite_file(tmp_path, DATA)
    with pytest.raises(FileError, match="is a table of its own and cannot be read together"):
        rw.tallies([path, parquet(tmp_path, DATA)], score="p", label="y")
    with pytest.raises(OptionError, match="table='t' is for databases and workbooks"):
        rw.tallies(rw.source(parquet(tmp_path, DATA), table="t"), score="p", label="y")
    with pytest.raises(OptionError, match="query='q' is for databases"):
        rw.tallies(rw.source(parquet(tmp_path, DATA), query="q"), score="p", label="y")
    with pytest.raises(FileError, match="begins with mysql://, which is not known"):
        rw.tallies("mysql://ann:secret@here/db", score="p", label="y")


# -- Delta and Iceberg -----------------------------------------------------------------------------


def test_the_present_state_of_a_lake(tmp_path):
    """Its folder holds the files of earlier states too."""
    path = delta(tmp_path, DATA)
    assert len(list(path.rglob("*.parquet"))) > 1
    assert rw.tallies(path, score="p", label="y").only.total_count == N
    found, expected = (rw.tallies(one, score="p", label="y") for one in (path, DATA))
    assert_same(found, expected)


def test_a_metadata_file_names_a_state(tmp_path):
    path = iceberg(tmp_path, DATA)
    files = sorted((path / "metadata").glob("*.metadata.json"))
    rows = [rw.tallies(one, score="p", label="y").only.total_count for one in files[1:]]
    assert rows[0] == 50
    assert rows[-1] == N


@pytest.mark.parametrize("make", [delta, iceberg])
def test_a_lake_that_is_broken(tmp_path, make):
    path = make(tmp_path, DATA)
    for one in (*path.rglob("_delta_log/*.json"), *path.rglob("*.metadata.json")):
        one.write_text("{broken")
    with pytest.raises(
        FileError, match=r"^The (Delta|Iceberg) table '.*' cannot be read: .*\nHint: check"
    ):
        rw.tallies(path, score="p", label="y")


def test_a_lake_without_one_of_its_files(tmp_path):
    path = delta(tmp_path, DATA)
    for one in path.rglob("*.parquet"):
        one.unlink()
    with pytest.raises(FileError, match=r"cannot be read: .*\nHint: "):
        rw.tallies(path, score="p", label="y")


# -- queries ---------------------------------------------------------------------------------------


def test_queries_can_be_seen(tmp_path, postgres):
    told = {"score": ["p", "q"], "label": "flag", "by": "site"}
    for one in (rw.source(postgres), duck_file(tmp_path, DATA), duckdb.from_arrow(DATA)):
        queries = rw.tallies(one, **told).queries
        assert len(queries) > 1
        assert any("GROUP BY" in query.upper() for query in queries)
    assert rw.tallies(DATA, **told).queries == ()


def test_names_of_columns(source):
    assert column_names(source()) == DATA.column_names


# -- the table of sources --------------------------------------------------------------------------


def test_the_versions_in_the_table_of_sources_are_those_of_the_gate():
    root = Path(__file__).parents[2]
    pins = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    known = dict(line.lower().split("==") for line in pins if "==" in line)
    page = (root / "docs" / "sources.rst").read_text(encoding="utf-8")
    found = re.findall(
        r"\b([a-z][a-z.-]*) (\d[\d.]*\d)",
        page[page.index("list-table") : page.index("The versions are")],
    )
    assert len(found) > 15
    assert {(name, version) for name, version in found} <= set(known.items())
