"""`rocwalk shift`: what a labelled reference expects of scores without labels."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import rocwalk as rw

OPTIONS = ["--label", "y", "--score", "model"]


@pytest.fixture
def files(table):
    rng = np.random.default_rng(2)
    p = rng.beta(2, 3, 1500)
    y = (rng.random(1500) < p).astype(int)
    labelled = zip(y[:1000].tolist(), p[:1000].tolist(), strict=True)
    later = p[1000:] ** 0.5
    paths = [
        table(["y", "model"], *labelled, name="reference.csv"),
        table(["id", "model"], *enumerate(later.tolist()), name="today.csv"),
    ]
    return (y[:1000], p[:1000]), later, paths


def test_the_numbers_are_those_of_the_library(run, files):
    reference, later, paths = files
    code, out, err = run("shift", *paths, *OPTIONS, "--costs", "1:5", "--format", "json")
    assert (code, err) == (0, "")
    read = json.loads(out)
    (model,) = read["models"]
    costs = rw.Costs(false_positive=1, false_negative=5)
    found = rw.score_shift(reference, later, costs=costs)
    expected = json.loads(found.to_json())
    assert model.pop("model") == "model"
    assert model.pop("expected") == {
        name: pytest.approx(part) for name, part in expected.pop("expected").items()
    }
    assert model == pytest.approx(expected)
    assert read["rows"]["current"] == {"model": 500}
    assert [one["name"].rsplit("/")[-1] for one in read["files"]] == ["reference.csv", "today.csv"]
    code, out, _ = run("shift", *paths, *OPTIONS, "--format", "csv")
    (row,) = csv.DictReader(out.splitlines())
    assert float(row["expected_positives_low"]) == pytest.approx(found.expected["positives"].low)
    assert (row["shifted"], "expected_cost" in row) == ("True", False)


def test_the_terminal_says_what_is_expected_and_what_cannot_be_seen(run, files):
    reference, later, paths = files
    found = rw.score_shift(reference, later)
    code, out, _ = run("shift", *paths, *OPTIONS)
    words = " ".join(out.split())
    assert code == 0
    assert f"model: {found.summary} {found.cannot_see}" in words
    assert "a model may have drifted while its scores stay as they were" in words
    assert "model: shifted" in words
    positives = found.expected["positives"]
    assert f"{positives.value:,.0f} ({positives.low:,.0f} to {positives.high:,.0f})" in words
    assert f"{reference[0].sum()} of 1,000" in words
    _, out, _ = run("shift", *paths, *OPTIONS, "--quiet")
    assert "What labels alone show" not in out
    _, out, _ = run("shift", paths[0], paths[0], *OPTIONS)  # labels of the current file are unused
    assert "model: not visibly shifted" in out


def test_standard_input_and_dropped_rows(run, files, table):
    _, _, paths = files
    broken = table(["model"], (0.5,), (0.25,), ("",), (0.75,), name="broken.csv")
    code, _, err = run("shift", paths[0], broken, *OPTIONS)
    assert code == 2
    assert "broken.csv" in err
    assert "'model'" in err
    code, out, err = run(
        "shift", paths[0], broken, *OPTIONS, "--invalid", "drop", "--format", "json"
    )
    assert code == 0
    assert json.loads(out)["rows"]["current"] == {"model": 3}
    assert "row" in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([("model",), (0.5,), (1.5,)], "is 1.5, outside [0, 1]"),
        ([("model",), (0.5,)], "current has fewer than two scores"),
        ([("modle",), (0.5,), (0.6,)], "did you mean 'modle'"),
    ],
)
def test_scores_that_cannot_be_used(run, files, table, content, words):
    _, _, paths = files
    odd = table(content[0], *content[1:], name="odd.csv")
    code, out, err = run("shift", paths[0], odd, *OPTIONS)
    assert (code, out) == (2, "")
    assert words in err


def test_a_reference_needs_labels_of_both_classes(run, files, table):
    _, _, paths = files
    one = table(["y", "model"], (1, 0.2), (1, 0.4), name="one.csv")
    code, _, err = run("shift", one, paths[1], *OPTIONS)
    assert code == 2
    assert "one.csv' has no negative item" in err
    code, _, err = run("shift", *paths, *OPTIONS, "--weight", "w")
    assert code == 2
    assert "--weight does not go together with shift" in err
