"""`rocwalk papers`: the table, the folder of files, the page."""

from __future__ import annotations

import csv
import io
import json

import click.testing
import pytest

import rocwalk as rw
from paper_rows import FIGURES, ROWS
from rocwalk.cli.papers import papers
from rocwalk.errors import FileError
from rocwalk.papers import write_papers


@pytest.fixture(scope="module")
def run():
    """Run the command in this process."""

    def run(*arguments):
        return click.testing.CliRunner().invoke(papers, [str(a) for a in arguments])

    return run


@pytest.fixture(scope="module")
def written(run, tmp_path_factory):
    """Return a folder of all files, and what the command said."""
    folder = tmp_path_factory.mktemp("papers") / "a" / "b"
    return folder, run("-o", folder)


def test_the_table(run):
    result = run()
    assert result.exit_code == 0
    for text in ("Classic: Castro da Silva (2006)", "§2, Eq. 1", "Agrees, or why not", "0.68"):
        assert text in result.output
    assert (
        "✓ 32 agree   ✗ 6 differ, with the reason   – 8 have nothing to be checked against"
        in result.output
    )
    assert (
        "✓ 68 agree   ✗ 17 differ, with the reason   – 17 have nothing to be checked against"
        in result.output
    )
    assert (
        "✓ 51 agree   ✗ 5 differ, with the reason   – 18 have nothing to be checked against"
        in result.output
    )
    assert (
        "✓ 48 agree   ✗ 3 differ, with the reason   – 27 have nothing to be checked against"
        in result.output
    )
    assert (
        "✓ 52 agree   ✗ 4 differ, with the reason   – 28 have nothing to be checked against"
        in result.output
    )


def test_files_are_written(written, tmp_path):
    folder, result = written
    assert result.exit_code == 0
    assert "Written: papers.csv, papers.json, 31 pictures" in result.output
    names = {"papers.csv", "papers.json", *(figure.file_name for figure in FIGURES)}
    assert {path.name for path in folder.iterdir()} == names
    for figure in FIGURES:
        assert (folder / figure.file_name).read_bytes().startswith(b"\x89PNG")
    assert len({(folder / figure.file_name).read_bytes() for figure in FIGURES}) == len(FIGURES)
    for _ in range(2):  # over files that are there, too
        write_papers(tmp_path, ROWS, FIGURES[:1])
        pictures = [path.name for path in tmp_path.iterdir() if path.suffix == ".png"]
        assert pictures == [FIGURES[0].file_name]


def test_csv_and_json_say_the_same_on_paper_and_on_the_terminal(run, written):
    tmp_path, _ = written
    printed = run("--format", "csv").output
    assert printed == (tmp_path / "papers.csv").read_text(encoding="utf-8")
    table = list(csv.DictReader(io.StringIO(printed)))
    assert [row["what"] for row in table] == [row.what for row in ROWS]
    assert [row["agrees"] for row in table] == [
        "" if row.agrees is None else str(row.agrees) for row in ROWS
    ]
    assert not [
        cell for row in table for cell in row.values() if cell.startswith(tuple("=+-@\t\r"))
    ]

    printed = run("--format", "json").output
    assert printed == (tmp_path / "papers.json").read_text(encoding="utf-8")
    read = json.loads(printed)
    assert read["rocwalk"] == rw.__version__
    assert [row["computed"] for row in read["rows"]] == [row.to_dict()["computed"] for row in ROWS]
    assert read["figures"][0]["file"] == "classic-figura-1.png"


@pytest.mark.parametrize("within", ["taken", "taken/below"])
def test_a_folder_that_cannot_be_made(run, tmp_path, within):
    (tmp_path / "taken").write_text("a file")
    error = run("-o", tmp_path / within).exception
    assert isinstance(error, FileError)
    assert error.what.startswith(f"The folder {str(tmp_path / within)!r} could not be made: ")
    assert error.hint == "name a folder that you may write to, and that is not a file."
    assert (tmp_path / "taken").read_text() == "a file"


def test_a_file_that_cannot_be_written(run, tmp_path):
    (tmp_path / "papers.json").mkdir()
    error = run("-o", tmp_path).exception
    assert isinstance(error, FileError)
    assert error.what.startswith(
        f"{str(tmp_path / 'papers.json')!r} is there, but it is not a regular file."
    )
    assert [path.name for path in tmp_path.iterdir()] == ["papers.json"]  # all files or none


@pytest.fixture
def one_figure(monkeypatch):
    """Let the command draw one figure only, which takes less time."""
    monkeypatch.setattr("rocwalk.cli.papers.all_figures", lambda: FIGURES[:1])


@pytest.mark.usefixtures("one_figure")
@pytest.mark.parametrize("name", ["papers.html", "PAPERS.HTM"])
def test_a_name_of_html_makes_the_same_page_every_time(run, tmp_path, name):
    result = run("-o", tmp_path / name)
    assert result.exit_code == 0
    assert f"The page: {tmp_path / name}" in result.output.replace("\n", "")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    page = (tmp_path / name).read_bytes()
    assert page.startswith(b"<!doctype html>")
    assert page.count(b'<img src="data:image/png;base64,') == 1
    printed = run("-o", tmp_path / name, "--format", "json").output
    assert json.loads(printed)["rocwalk"] == rw.__version__
    assert (tmp_path / name).read_bytes() == page


@pytest.mark.usefixtures("one_figure")
def test_a_folder_that_exists_stays_a_folder_whatever_its_name(run, tmp_path):
    (tmp_path / "papers.html").mkdir()
    assert run("-o", tmp_path / "papers.html").exit_code == 0
    assert (tmp_path / "papers.html" / "papers.csv").is_file()


@pytest.mark.usefixtures("one_figure")
def test_a_page_that_cannot_be_written_leaves_the_old_one(run, tmp_path, monkeypatch):
    path = tmp_path / "papers.html"
    path.write_text("old")
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "full")))
    error = run("-o", path).exception
    assert isinstance(error, FileError)
    assert error.what.endswith("could not be written: full.")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["papers.html"]


def test_an_unknown_format(run):
    result = run("--format", "xml")
    assert result.exit_code == 2
    assert "'xml' is not one of 'table', 'json', 'csv'" in result.output
