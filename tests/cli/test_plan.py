"""`rocwalk plan`: the library's numbers in every form, and refusals in one block."""

from __future__ import annotations

import csv
import io
import json

import pytest

import rocwalk as rw
from cli.test_readers import HEADER, NAMES, OPTIONS, rows_of


def planned(run, *words):
    code, out, err = run("plan", *words, "--format", "json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_one_area(run):
    found = rw.auc_sample_size(
        0.75, power=0.9, ratio=2, alpha=0.01, alternative="greater", null=0.6
    )
    words = ["--power", "0.9", "--ratio", "2", "--alpha", "0.01", "--one-sided", "--null", "0.6"]
    read = planned(run, "auc", "--auc", "0.75", *words)
    assert read["command"] == "plan auc"
    assert read["options"]["auc"] == 0.75
    for name in ("n_positives", "n_negatives", "power", "test", "alternative"):
        assert read["plan"][0][name] == getattr(found, name)
    power = planned(run, "auc", "--auc", "0.75", "--positives", "60", "--negatives", "70")
    assert power["plan"][0]["power"] == rw.auc_power(0.75, 60, 70).power


def test_two_areas_paired_and_unpaired(run):
    words = ["difference", "--auc-1", "0.85", "--auc-2", "0.8", "--formula", "obuchowski"]
    paired = planned(run, *words, "--correlation", "0.6")["plan"][0]
    found = rw.difference_sample_size(0.85, 0.8, correlation=0.6, formula="obuchowski")
    assert (paired["n_positives"], paired["of"]) == (
        found.n_positives,
        "two areas on the same rows",
    )
    apart = planned(run, *words, "--positives", "90", "--negatives", "80")["plan"][0]
    found = rw.difference_power(0.85, 0.8, 90, 80, formula="obuchowski")
    assert (apart["power"], apart["of"]) == (found.power, "two separate areas")


def test_precision(run):
    words = ["accuracy", "--sensitivity", "0.9", "--specificity", "0.8", "--prevalence", "0.2"]
    read = planned(run, *words, "--half-width", "0.04", "--alpha", "0.1")["plan"][0]
    found = rw.accuracy_sample_size(
        sensitivity=0.9, specificity=0.8, prevalence=0.2, half_width=0.04, confidence_level=0.9
    )
    assert read["n_positives"] == found.n_positives
    assert read["n_subjects"] == found.n_subjects
    code, out, _ = run("plan", *words)
    assert code == 0
    assert "141 positives" in out
    assert "705 subjects" in out.replace("\n    ", " ")
    _, quiet, _ = run("plan", *words, "--quiet")
    assert "705" not in quiet


def test_readers(run, table):
    file = table(HEADER, *rows_of())
    _, out, _ = run("plan", "readers", file, *OPTIONS, "--difference", "0.2", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    study = rw.reader_study(file, **NAMES)
    assert len(rows) > 1
    for row in rows:
        expected = study.sample_size(0.2, readers=int(row["n_readers"]))
        assert int(row["n_cases"]) == expected.n_cases
    code, out, _ = run("plan", "readers", file, *OPTIONS, "--difference", "0.2")
    assert code == 0
    assert "random readers and cases" in out.replace("\n    ", " ")


def test_the_plan_is_written_to_a_file(run, tmp_path):
    file = tmp_path / "plan.json"
    code, out, _ = run("plan", "auc", "--auc", "0.7", "--json", file)
    assert code == 0
    assert (
        json.loads(file.read_text())["plan"][0]["n_positives"]
        == rw.auc_sample_size(0.7).n_positives
    )
    assert "Positives" in out


@pytest.mark.parametrize(("words", "message"), [
    (["auc", "--auc", "1.2"], "--auc 1.2 is outside [0, 1]."),
    (["auc"], "Missing option '--auc'"),
    (["auc", "--auc", "0.5"], "cannot be found"),
    (["auc", "--auc", "0.7", "--positives", "9"], "--positives and --negatives go together"),
    (["auc", "--auc", "0.7", "--positives", "9", "--negatives", "9", "--power", "0.9"],
     "--power does not go together with --positives"),
    (["auc", "--auc", "0.7", "--ratio", "0"], "--ratio 0.0 is not a positive number."),
    (["difference", "--auc-1", "0.9", "--auc-2", "0.8", "--correlation", "2"], "--correlation 2.0"),
    (["accuracy"], "Neither --sensitivity nor --specificity is given."),
    (["accuracy", "--sensitivity", "1"], "--sensitivity 1.0 is outside (0, 1)."),
    (["accuracy", "--specificity", "0.9", "--half-width", "0.7"], "--half-width 0.7 is not below 0.5."),
    (["readers", "no.csv", *OPTIONS, "--difference", "0.1"], "no.csv"),
])  # fmt: skip
def test_refusals(run, words, message):
    code, out, err = run("plan", *words)
    assert (code, out) == (2, "")
    assert message in err.replace("\n", " ")
    assert "Hint:" in err
