"""Columns that are guessed aloud, and data on standard input."""

from __future__ import annotations

import json

import pytest

from commands import (
    EXAMPLE,
    MODELS,
    process,
)


def test_one_obvious_column_is_guessed_aloud(run, table):
    path = table(["id", "Label", "score"], [1, 1, 0.9], [2, 0, 0.8], [3, 1, 0.7], [4, 0, 0.1])
    code, out, err = run("score", path, "--format", "json")
    assert code == 0
    assert "Note: the label column is 'Label', guessed" in err
    assert "Note: the score column is 'score', guessed" in err
    assert json.loads(out)["models"][0]["auc"] == 0.75
    two = table(["truth", "anything"], [1, 0.9], [0, 0.8], name="two.csv")
    code, _, err = run("score", two)
    assert code == 0
    assert "the score column is 'anything'" in err


def test_ambiguous_columns_are_not_guessed(run, table):
    path = table(["y", "label", "score", "prob"], [1, 1, 0.9, 0.3], [0, 0, 0.8, 0.2])
    code, _, err = run("score", path, "--score", "score")
    assert code == 2
    assert "--label is missing, and several columns could be it: 'y', 'label'" in err
    code, _, err = run("score", path, "--label", "y")
    assert code == 2
    assert "--score is missing, and several columns could be it: 'score', 'prob'" in err


def test_csv_on_standard_input():
    done = process("score", "-", *MODELS, "--format", "json", input=EXAMPLE.read_text())
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["models"][0]["auc"] == pytest.approx(0.8856, abs=1e-4)
    done = process("score", "-", *MODELS, input="malignant,logistic,naive_bayes\n1,x,0.5\n")
    assert done.returncode == 2
    assert "line 2 of standard input" in done.stderr
    assert "/" not in done.stderr.split("Hint")[0]


def test_standard_input_leaves_no_trace_of_its_temporary_file(tmp_path):
    pages = []
    for name in ("a.html", "b.html"):
        done = process(
            "report", "-", *MODELS, "-o", "page.html", "--json", "x.json",
            input=EXAMPLE.read_text(), cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        (tmp_path / "page.html").rename(tmp_path / name)
        pages.append((tmp_path / name).read_bytes())
    assert pages[0] == pages[1]
    assert b"standard input" in pages[0]
    assert "standard-input.csv" not in (tmp_path / "x.json").read_text()
    done = process("score", "-", input="")
    assert done.returncode == 2
    assert "standard input" in done.stderr
    assert "/tmp" not in done.stderr


def test_guesses_leave_named_columns_alone_and_can_be_quiet(run, table):
    path = table(["sick", "w", "s"], [1, 1, 0.9], [0, 2, 0.8])
    code, _, err = run("score", path, "--weight", "w", "--score", "s")
    assert code == 0
    assert "the label column is 'sick'" in err
    code, _, err = run("score", path, "--weight", "w", "--score", "s", "--quiet")
    assert (code, err) == (0, "")
