"""Tables of a real PostgreSQL: grouped there, errors that help, and no password anywhere."""

from __future__ import annotations

import json
import re
import threading
import time
import traceback
from pathlib import Path

import numpy as np
import psycopg
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from commands import process
from postgres_server import server
from read.predictions import DATA, into_postgres
from rocwalk.errors import ColumnError, FileError, OptionError, RocwalkError
from samples import NO_ADVICE

pytestmark = [*NO_ADVICE]
PASSWORD = "s3cr/t @%:x"
ENCODED = "s3cr%2Ft%20%40%25%3Ax"
SPELLINGS = (PASSWORD, ENCODED, "s3cr/t", "s3cr%2Ft")
NAMES = {"label": "y", "score": "p"}


@pytest.fixture(scope="module")
def database():
    with server() as made:
        yield made


@pytest.fixture(scope="module")
def address(database):
    made = database()
    with psycopg.connect(made) as connection:
        connection.execute(
            "CREATE TABLE predictions AS SELECT (i % 3 = 0)::int AS y, "
            "((i * 7919) % 1000) / 1000.0::float8 AS p, i AS n, now() AS at, "
            "ARRAY[i] AS listed, ('x' || i % 2) AS g FROM generate_series(1, 500) AS i"
        )
        connection.execute("CREATE SCHEMA clinic")
        connection.execute("CREATE TABLE clinic.scores AS SELECT * FROM predictions LIMIT 100")
        connection.execute('CREATE TABLE "odd.name" AS SELECT * FROM predictions LIMIT 10')
        connection.execute("CREATE TABLE empty (y int, p float8)")
        connection.execute(f"CREATE ROLE ann LOGIN PASSWORD '{PASSWORD}'")
        connection.execute("GRANT SELECT ON empty TO ann")
    return made


def message(data, **told):
    with pytest.raises(RocwalkError) as caught:
        rw.tallies(data, **(NAMES | told))
    return type(caught.value), str(caught.value)


# -- tables and queries ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "rows"), [("predictions", 500), ("clinic.scores", 100), ("odd.name", 10)]
)
def test_tables_with_and_without_a_schema(address, table, rows):
    assert rw.tallies(rw.source(address, table=table), **NAMES).only.total_count == rows
    assert rw.tallies(f"{address}::{table}", **NAMES).only.total_count == rows


def test_which_table_is_meant(address):
    kind, words = message(address)
    assert kind is FileError
    assert "There are several tables in 'postgresql://" in words
    assert "predictions" in words
    kind, words = message(rw.source(address, table="prediction"))
    assert words.endswith("Hint: did you mean 'predictions'?")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELEKT 1", "syntax error"),
        ("SELECT z FROM predictions", 'column "z" does not exist'),
        ("SELECT 1/(n - 7) AS p, y FROM predictions", "division by zero"),
        ("DELETE FROM predictions", "syntax error"),
        ("SELECT 1; DROP TABLE predictions", "syntax error"),
    ],
)
def test_a_query_that_fails(address, query, words):
    kind, text = message(rw.source(address, query=query))
    assert kind is FileError
    assert text.startswith("The query fails in ")
    assert words in text
    assert text.endswith("Hint: try the query in the database itself.")


def test_nothing_can_be_written(address):
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "CREATE OR REPLACE FUNCTION spoil() RETURNS int LANGUAGE sql AS "
            "'DELETE FROM predictions RETURNING 1'"
        )
        kind, text = message(rw.source(address, query="SELECT spoil() AS y, 0.5 AS p"))
        assert kind is FileError
        assert "read-only transaction" in text
        assert connection.execute("SELECT count(*) FROM predictions").fetchone() == (500,)


def test_columns_of_the_wrong_type(address):
    kind, text = message(rw.source(address, table="predictions"), score="g")
    assert text.startswith("Column 'g' is of type String, not of numbers.")
    kind, text = message(rw.source(address, table="predictions"), score="pp")
    assert kind is ColumnError
    kind, text = message(rw.source(address, table="predictions"), label="listed")
    assert "\nHint: " in text


def test_a_table_without_rows(address):
    _, text = message(rw.source(address, table="empty"))
    assert text.startswith("There are no rows in the table.")


@pytest.mark.filterwarnings("ignore::rocwalk.errors.DroppedRowsWarning")
@pytest.mark.parametrize("limit", [0, None], ids=["buckets", "scores"])
@pytest.mark.parametrize("strange", ["NaN", "Infinity", "-Infinity", None, "-0.0"])
def test_values_that_are_not_finite_and_negative_zero(address, strange, limit):
    """The extremes of a clean column prove that it is finite; other columns are tested by value."""
    value = "NULL" if strange is None else f"'{strange}'"
    query = f"SELECT y, p FROM predictions UNION ALL SELECT 1, {value}::float8"
    source, is_clean = rw.source(address, query=query), strange == "-0.0"
    if not is_clean:
        assert "is NaN, missing or infinite in 1 of " in message(source)[1]
    with psycopg.connect(address) as connection:
        rows = connection.execute("SELECT y, p FROM predictions").fetchall()
    label, score = np.array([*rows, *([(1, -0.0)] if is_clean else [])]).T
    told = NAMES | {"limit": limit} | ({} if limit is None else {"buckets": 8})
    found = rw.tallies(source, **told, invalid="raise" if is_clean else "drop")
    columns = {"y": label.astype(int), "p": score}
    expected = rw.tallies(columns, **told).only
    for name in ("scores", "up", "right", "highest"):
        assert getattr(found.only, name).tobytes() == getattr(expected, name).tobytes(), name
    assert found.only.is_bucketed == (limit == 0)
    is_counted = strange is None  # a gap is seen in the count, without another look
    assert sum("_fine" in one for one in found.queries) == (1 if is_clean or is_counted else 2)


def test_rows_are_of_one_snapshot(address):
    """A table that grows between two passes is read as it was."""
    from rocwalk.read.opening import opened

    with opened(rw.source(address, query="SELECT * FROM predictions")) as table:
        before = len(table.table({"p": "number"}))
        with psycopg.connect(address) as connection:
            connection.execute("CREATE TABLE growth AS SELECT 1 AS y")
            connection.execute("INSERT INTO predictions (y, p) VALUES (1, 0.5)")
            assert len(table.table({"p": "number"})) == before
            connection.execute("DELETE FROM predictions WHERE n IS NULL")
            connection.execute("DROP TABLE growth")
        assert len(table.table({"p": "number"})) == before


# -- what goes wrong -------------------------------------------------------------------------------


def test_permission_denied(address):
    as_ann = address.replace("rocwalk@", f"ann:{ENCODED}@")
    kind, text = message(rw.source(as_ann, table="predictions"))
    assert kind is FileError
    assert "cannot be read: permission denied for table predictions" in text
    assert not [one for one in SPELLINGS if one in text]


def test_a_backend_that_is_killed_in_the_middle(address, tmp_path):
    """Nothing is written, and the error says what happened."""
    slow = "SELECT y, p FROM predictions WHERE pg_sleep(0.05)::text = ''"
    out = tmp_path / "out.json"
    found = []

    def kill():
        with psycopg.connect(address, autocommit=True) as connection:
            for _ in range(400):
                asked = connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
                    "current_database() AND query LIKE 'FETCH%' AND state = 'active'"
                ).fetchall()
                if asked:
                    found.append(asked)
                    return
                time.sleep(0.02)

    thread = threading.Thread(target=kill)
    thread.start()
    options = ["--query", slow, "--label", "y", "--score", "p", "--json", str(out)]
    answer = process("score", address, *options)
    thread.join()
    assert found
    assert answer.returncode == 2, answer.stdout + answer.stderr
    assert "was lost while data were read" in (answer.stdout + answer.stderr)
    assert "Hint" in (answer.stdout + answer.stderr)
    assert not out.exists()


def test_a_server_that_stops_in_the_middle(tmp_path):
    from rocwalk.read.opening import opened

    with server() as made:
        address = made()
        with psycopg.connect(address) as connection:
            connection.execute("CREATE TABLE t AS SELECT 1 AS y, 0.5 AS p")
        stack = opened(rw.source(address))
        table = stack.__enter__()
    with pytest.raises(FileError, match="was lost while data were read"):
        table.table({"p": "number"})
    stack.__exit__(None, None, None)


# -- secrets ---------------------------------------------------------------------------------------


def spelled(host, port):
    return {
        "url": f"postgresql://ann:{ENCODED}@{host}:{port}/none",
        "driver": f"postgresql+psycopg://ann:{ENCODED}@{host}:{port}/none",
        "parameter": f"postgresql://{host}:{port}/none?user=ann&password={ENCODED}",
        "settings": f"host={host} port={port} user=ann password='{PASSWORD}' dbname=none",
        "not encoded": f"postgresql://ann:{PASSWORD}@{host}:{port}/none",
        "broken": f"postgresql://ann:{PASSWORD}%zz@{host}:{port}/none?{ENCODED}",
    }


def everything_said(error):
    """The whole chain of an error, with what each of them holds."""
    seen, words = set(), ["".join(traceback.format_exception(error))]
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        words += [str(error), repr(error), repr(error.args), repr(vars(error))]
        error = error.__cause__ or error.__context__
    return "\n".join(words)


@pytest.mark.parametrize("kind", list(spelled("", "")))
def test_no_password_when_nobody_answers(kind):
    given = spelled("127.0.0.1", 1)[kind]
    with pytest.raises((FileError, OptionError)) as caught:
        rw.tallies(given, **NAMES)
    said = everything_said(caught.value)
    lines = [line for line in said.splitlines() if "given = spelled" not in line]
    assert not [one for one in SPELLINGS if one in "\n".join(lines)]
    assert "\nHint: " in str(caught.value)
    answer = process("score", given, "--label", "y", "--score", "p")
    assert answer.returncode == 2
    assert not [one for one in SPELLINGS if one in (answer.stdout + answer.stderr)]
    with pytest.raises((FileError, OptionError)) as caught:
        len(rw.MonitorStore(given).models)
    assert not [one for one in SPELLINGS if one in everything_said(caught.value)]


def test_no_password_in_what_is_written(address, tmp_path):
    """Searched for in stdout, stderr, the page, the JSON and the queries of real runs."""
    with psycopg.connect(address) as connection:
        connection.execute("GRANT SELECT ON predictions TO ann")
    secret = address.replace("rocwalk@", f"ann:{ENCODED}@")
    page, record = tmp_path / "page.html", tmp_path / "record.json"
    shared = ["--table", "predictions", "--label", "y", "--score", "p", "--explain"]
    runs = [
        ["report", secret, *shared, "-o", str(page), "--json", str(record)],
        ["score", secret, *shared, "--format", "json"],
        ["score", secret, *shared, "--format", "csv"],
        [
            "drift",
            f"{secret}::predictions",
            f"{secret}::predictions",
            "--label",
            "y",
            "--score",
            "p",
        ],
        ["score", secret, "--table", "none", "--label", "y", "--score", "p"],
    ]
    for arguments in runs:
        run = process(*arguments)
        assert not [one for one in SPELLINGS if one in (run.stdout + run.stderr)], arguments[0]
    assert not [one for one in SPELLINGS if one in page.read_text(encoding="utf-8")]
    assert not [one for one in SPELLINGS if one in record.read_text(encoding="utf-8")]
    written = json.loads(record.read_text(encoding="utf-8"))
    assert written["files"][0]["sha256"] is None
    assert any("SELECT" in query for query in written["queries"])


def test_the_query_is_shown(address):
    options = ["--table", "predictions", "--label", "y", "--score", "p", "--memory-limit", "1KB"]
    answer = process("score", address, *options, "--explain")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "GROUP BY" in (answer.stdout + answer.stderr)
    assert 'FROM "predictions"' in (answer.stdout + answer.stderr)
    quiet = process("score", address, *options)
    assert "GROUP BY" not in quiet.stdout


def test_large_tables_are_grouped_there(address):
    found = rw.tallies(rw.source(address, table="predictions"), **NAMES, by="g")
    with psycopg.connect(address) as connection:
        rows = connection.execute("SELECT y, p, g FROM predictions").fetchall()
    columns = dict(zip(("y", "p", "g"), map(np.array, zip(*rows, strict=True)), strict=True))
    expected = rw.tallies(columns, **NAMES, by="g")
    assert {key: one.area for key, one in found.items()} == {
        key: one.area for key, one in expected.items()
    }


# -- commands --------------------------------------------------------------------------------------

BY_SCORES = {
    "score": ["score", "{}", "--score", "p", "--score", "q", "--label", "flag"],
    "text": ["score", "{}", "--score", "d", "--label", "word", "--positive", "sick"],
    "gaps": ["score", "{}", "--score", "p", "--label", "gap", "--invalid", "drop"],
    "folds": ["score", "{}", "--score", "p", "--label", "y", "--fold", "turn"],
    "choice": ["score", "{}", "--score", "p", "--label", "y", "--resamples", "20"],
    "drift": ["drift", "{}", "{}", "--score", "p", "--label", "y"],
    "tally": ["tally", "{}", "--score", "p", "--label", "y", "-o", "site.tally"],
}
BY_ITEMS = {
    "pairs": ["compare", "{}", "--score", "p", "--score", "q", "--label", "y"],
    "clusters": ["score", "{}", "--score", "p", "--label", "y", "--cluster", "when"],
    "subgroups": ["score", "{}", "--score", "p", "--label", "y", "--by", "word"],
    "weights": ["score", "{}", "--score", "p", "--label", "y", "--weight", "w"],
    "soft truth": ["score", "{}", "--score", "p", "--label", "q"],
    "several votes": ["score", "{}", "--score", "p", "--raters", "y", "--raters", "gap",
                      "--invalid", "drop"],
    "page": ["drift", "{}", "{}", "--score", "p", "--label", "y", "-o", "page.html"],
}  # fmt: skip


@pytest.fixture(scope="module")
def logged(database):
    """The address of a database whose server logs every statement."""
    made = database()
    into_postgres(made, DATA)
    with psycopg.connect(made, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET log_statement = 'all'")
    return made


def asked_of_the_server(address, folder, arguments):
    """Run a command; return its results, and the statements that the server says it was sent."""
    log = Path(address.partition("?host=")[2]) / "log"
    before = log.stat().st_size
    options = [one.format(address) for one in arguments]
    found = process(*options, "--explain", "--json", "found.json", cwd=folder)
    assert found.returncode == 0, found.stderr + found.stdout
    text = log.read_bytes()[before:].decode()
    results = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    return results, found.stdout + found.stderr, text


def are_fetched(statements):
    """Whether the server was asked for columns themselves, and not for sums of them."""
    return re.search(r' FOR SELECT "\w+"(::text)? AS v0', statements) is not None


@pytest.mark.parametrize("case", BY_SCORES)
def test_commands_let_the_server_group(logged, tmp_path, case):
    """The server's own log shows no fetched rows, and the numbers are those of the rows."""
    results, said, statements = asked_of_the_server(logged, tmp_path, BY_SCORES[case])
    assert "GROUP BY" in statements
    assert not are_fetched(statements)
    assert results.get("rows_were", "grouped") == "grouped"
    assert "sums came back, no rows" in said
    pq.write_table(DATA, tmp_path / "rows.parquet")
    options = [one.format("rows.parquet") for one in BY_SCORES[case]]
    process(*options, "--json", "expected.json", cwd=tmp_path)
    expected = json.loads((tmp_path / "expected.json").read_text(encoding="utf-8"))
    told = ("files", "options", "queries", "rows_were", "notes")
    for one in (results, expected):
        for name in told:
            one.pop(name, None)
    assert json.dumps(results).replace(logged, "F") == (
        json.dumps(expected).replace("rows.parquet", "F")
    )


@pytest.mark.parametrize("case", BY_ITEMS)
def test_commands_that_need_items_fetch_rows(logged, tmp_path, case):
    results, said, statements = asked_of_the_server(logged, tmp_path, BY_ITEMS[case])
    assert are_fetched(statements)
    assert results["rows_were"] == "fetched"
    assert "needs single items" in said
