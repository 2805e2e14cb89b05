"""`rocwalk figure`: files by their ending, kinds, and refusals in one block."""

from __future__ import annotations

import json

import pytest

import rocwalk as rw
from cli.test_readers import HEADER, NAMES, OPTIONS, rows_of
from commands import EXAMPLE, MODELS, process


@pytest.mark.parametrize("kind", ["roc", "calibration", "decision", "comparison"])
def test_a_figure_is_that_of_the_library(run, tmp_path, kind):
    file = tmp_path / "f.svg"
    code, out, err = run(
        "figure", kind, EXAMPLE, *MODELS, "--threshold", "0.4", "-o", file, "--format", "json"
    )
    assert (code, err) == (0, "")
    columns = {"label": "malignant", "score": ["logistic", "naive_bayes"]}
    found = rw.figure(EXAMPLE, kind, **columns, threshold=0.4)
    read = json.loads(out)
    assert read["command"] == f"figure {kind}"
    assert read["figure"]["caption"] == found.caption
    assert read["figure"]["methods"] == found.methods().text
    assert file.read_bytes() == found.encoded("f.svg")


def test_a_figure_of_readers(run, table, tmp_path):
    ratings, file = table(HEADER, *rows_of()), tmp_path / "f.png"
    code, out, _ = run(
        "figure", "readers", ratings, *OPTIONS, "-o", file, "--dpi", "100", "--width", "double"
    )
    assert code == 0
    found = rw.figure(rw.reader_study(ratings, **NAMES), "readers", width="double")
    assert file.read_bytes() == found.encoded("f.png", dots_per_inch=100)
    assert "Caption: ROC curves of t0 and t1" in out
    _, quiet, _ = run("figure", "readers", ratings, *OPTIONS, "-o", file, "--dpi", "100", "--quiet")
    assert "Caption" not in quiet


def test_without_matplotlib_a_figure_names_the_extra_and_a_table_is_made(tmp_path):
    block = (
        "import sys; sys.modules['matplotlib'] = None; sys.modules['matplotlib.pyplot'] = None; "
    )
    start = block + "from rocwalk.cli.start import main; main()"
    import subprocess
    import sys

    def run(*words):
        command = [sys.executable, "-c", start, *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    found = run("figure", "roc", EXAMPLE, *MODELS, "-o", tmp_path / "f.pdf")
    assert found.returncode == 2
    assert "rocwalk[plot]" in found.stderr
    assert not list(tmp_path.iterdir())
    assert run("table", "accuracy", EXAMPLE, *MODELS, "-o", tmp_path / "t.docx").returncode == 0


@pytest.mark.parametrize(("words", "message"), [
    (["figure", "roc", EXAMPLE, *MODELS], "Missing option '-o'"),
    (["figure", "roc", EXAMPLE, *MODELS, "-o", "f.jpg"], "'f.jpg' has the ending '.jpg'"),
    (["figure", "roc", EXAMPLE, *MODELS, "-o", "no/f.pdf"], "could not be written"),
    (["figure", "roc", EXAMPLE, *MODELS, "-o", "f.png", "--dpi", "5"], "--dpi 5"),
    (["figure", "roc", EXAMPLE, *MODELS, "-o", "f.pdf", "--by", "size"], "--by does not go together with roc"),
    (["figure", "comparison", EXAMPLE, *MODELS[:4], "-o", "f.pdf"], "There is one model only"),
    (["figure", "roc", EXAMPLE, *MODELS, "-o", "f.pdf", "--json", "f.pdf"], "would be written over"),
    (["table", "subgroups", EXAMPLE, *MODELS], "--by"),
    (["table", "accuracy", EXAMPLE, *MODELS, "-o", "t.xlsx"], "'t.xlsx' has the ending '.xlsx'"),
    (["table", "accuracy", EXAMPLE, "--label", "no", "--score", "forest"], "'no'"),
])  # fmt: skip
def test_refusals_leave_no_file(run, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err.replace("\n", " ")
    assert "Hint:" in err
    assert not list(tmp_path.iterdir())


def test_an_input_is_not_written_over(run, table):
    file = table(["y", "s"], [1, 0.9], [0, 0.1], [1, 0.7], [0, 0.4], name="t.csv")
    before = file.read_bytes()
    code, _, err = run("table", "accuracy", file, "--label", "y", "--score", "s", "-o", file)
    assert code == 2
    assert "would be written over" in err
    assert file.read_bytes() == before


def test_the_help_of_each_kind_loads_no_matplotlib():
    code = "import sys; from rocwalk.cli.main import cli; cli(['table', '--help'], standalone_mode=False); assert 'matplotlib' not in sys.modules"
    import subprocess
    import sys

    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode
        == 0
    )
    assert "figure" in process("--help").stdout
