"""What every command does with its results: notes, provenance, files, and the form of printing."""

from __future__ import annotations

import hashlib
import json

import pytest

from rocwalk.cli.output import deliver, print_queries, print_seed, quietly
from rocwalk.cli.terminal import print_line
from rocwalk.errors import FileError, RocwalkWarning, warn
from rocwalk.version import __version__

ROWS = [[1, 0.9, 0.2], [0, 0.4, 0.6], [1, 0.6, 0.7], [0, 0.1, 0.5]]
HEADER = ["y", "a", "b"]


def given(**changes):
    return {"json_file": None, "form": "table", "quiet": False, "seed": 7} | changes


def results(**changes):
    return {"notes": ["take care"], "value": 0.5} | changes


def test_results_say_where_they_come_from(run, table):
    path = table(HEADER, *ROWS)
    code, out, _ = run("score", path, "--label", "y", "--score", "a", "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert (found["rocwalk"], found["command"]) == (__version__, "score")
    assert found["options"]["label"] == "y"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert found["files"] == [{"name": str(path), "sha256": digest}]
    assert found["rows_read"] == 4


@pytest.mark.parametrize(("kept", "kind"), [(0, "positive"), (1, "negative")])
def test_one_class_is_refused_with_its_column(run, table, kept, kind):
    rows = [row for row in ROWS if row[0] == kept]
    code, _, error = run("score", table(HEADER, *rows), "--label", "y", "--score", "a")
    assert code == 2
    assert f"has no {kind} item among the rows used" in " ".join(error.split())
    assert "'y'" in error


def test_a_table_is_shown_with_notes_on_stderr(capsys):
    deliver(results(), given(), [], lambda: print_line("shown"))
    printed = capsys.readouterr()
    assert printed.out == "shown\n"
    assert printed.err == "Note: take care\n"


def test_quiet_leaves_out_notes(capsys):
    deliver(results(), given(quiet=True), [], lambda: None)
    assert capsys.readouterr().err == ""
    print_seed(given(quiet=True))
    assert capsys.readouterr().out == ""
    print_seed(given())
    assert capsys.readouterr().out == "Seed: 7\n"
    print_seed(given(), drawn=False)
    assert capsys.readouterr().out == ""


def test_json_and_csv_are_all_that_is_printed(capsys):
    deliver(results(), given(form="json"), [], lambda: print_line("shown"))
    assert json.loads(capsys.readouterr().out) == results()
    deliver(results(), given(form="csv"), [{"x": 1, "y": None}], lambda: print_line("shown"))
    assert capsys.readouterr().out.split() == ["x,y", "1,"]


def test_the_json_file_is_what_json_prints(capsys, tmp_path):
    path = tmp_path / "x.json"
    deliver(results(), given(form="json", json_file=path), [], lambda: None)
    assert path.read_text() == capsys.readouterr().out


def test_all_files_are_written_or_none_and_nothing_is_printed_then(capsys, tmp_path):
    pages = {tmp_path / "a.html": "<p>", tmp_path / "none" / "b.html": b"<p>"}
    with pytest.raises(FileError, match="could not be written"):
        deliver(results(), given(), [], lambda: print_line("shown"), pages)
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().out == ""
    deliver(results(), given(), [], lambda: None, {tmp_path / "a.html": "ü"})
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == "ü"


@pytest.mark.parametrize(
    ("queries", "were", "head"),
    [
        ([], "fetched", "-- No engine was asked: the rows were read into memory."),
        (["SELECT 1"], "grouped", "-- The engine grouped the rows: sums came back, no rows."),
        (["SELECT 1"], "fetched", "-- The rows were fetched: what was asked for needs single"),
    ],
)
def test_queries_say_what_became_of_the_rows(capsys, queries, were, head):
    asked = {"queries": queries, "rows_were": were}
    print_queries(asked, stderr=False)
    out = capsys.readouterr().out
    assert out.startswith(head)
    assert all(one in out for one in queries)
    print_queries(asked, stderr=True)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert head in printed.err


def test_queries_stay_out_of_data(capsys):
    asked = results(queries=["SELECT 1"], rows_were="grouped")
    deliver(asked, given(form="json"), [], lambda: None)
    assert json.loads(capsys.readouterr().out)["queries"] == ["SELECT 1"]
    deliver(asked, given(form="csv"), [{"x": 1}], lambda: None)
    printed = capsys.readouterr()
    assert "SELECT" not in printed.out
    assert "SELECT" in printed.err


def test_work_is_quiet_and_its_warnings_are_kept_from_the_terminal(capsys):
    def work(progress):
        assert progress is None  # stderr is no terminal here
        warn(RocwalkWarning("careful", "do"))
        return 3

    assert quietly("Reading…", work) == 3
    assert capsys.readouterr().err == ""
