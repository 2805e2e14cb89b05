"""The tables of a report hold the numbers of the library, with all digits."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

import rocwalk as rw
from report.studies import made
from rocwalk.report.tables import number_rows, table_files

N = 240


def columns(seed=0):
    rng = np.random.default_rng(seed)
    y = (rng.random(N) < 0.4).astype(int)
    scores = {name: 1 / (1 + np.exp(-(s * (2 * y - 1) + rng.normal(size=N)))) for name, s in MODELS}
    return {"y": y, **scores, "sex": np.where(rng.random(N) < 0.5, "f", "m")}


MODELS = (("a", 1.0), ("b", 0.4))


@pytest.fixture(scope="module")
def data():
    return columns()


@pytest.fixture(scope="module")
def findings(data):
    return made(data, label="y", score=["a", "b"], by="sex").findings


@pytest.fixture(scope="module")
def tables(findings):
    return {
        name: list(csv.DictReader(io.StringIO(text)))
        for name, text in table_files(findings).items()
    }


def test_tables_without_rows_are_left_out(tables):
    assert {"verdict.csv", "models.csv", "roc.csv", "comparisons.csv"} <= set(tables)
    assert {"calibration.csv", "subgroups.csv"} <= set(tables)
    assert not {"classes.csv", "drift.csv", "over-time.csv"} & set(tables)
    assert all(tables.values())


def test_numbers_of_models_are_those_of_the_library(tables, data):
    for row, (name, _) in zip(tables["models.csv"], MODELS, strict=True):
        assert row["model"] == name
        found = rw.interval(data["y"], data[name])
        assert float(row["auc"]) == found.estimate  # to the bit
        assert float(row["auc_low"]) == pytest.approx(found.low)
        assert float(row["auc_high"]) == pytest.approx(found.high)


def test_the_points_of_a_curve_have_its_area(tables, data):
    rows = [row for row in tables["roc.csv"] if row["model"] == "a"]
    fpr, tpr = (np.array([float(row[name]) for row in rows]) for name in ("fpr", "tpr"))
    assert (fpr[0], tpr[0], fpr[-1], tpr[-1]) == (0, 0, 1, 1)
    area = rw.roc(data["y"], data["a"]).area
    assert np.trapezoid(tpr, fpr) == pytest.approx(area, abs=1e-9)


def test_comparisons_are_those_of_the_library(tables, data):
    (row,) = [one for one in tables["comparisons.csv"] if one["statistic"] == "auc"]
    (pair,) = rw.compare(data["y"], {name: data[name] for name, _ in MODELS}).pairs
    assert (row["model"], row["other"]) == (pair.a, pair.b)
    for name in ("difference", "low", "high", "p_value", "adjusted_p_value"):
        assert float(row[name]) == pytest.approx(getattr(pair, name))


def test_the_blocks_of_calibration_hold_every_item(tables):
    for name, _ in MODELS:
        rows = [row for row in tables["calibration.csv"] if row["model"] == name]
        assert sum(float(row["share"]) for row in rows) == pytest.approx(1)
        observed = [float(row["share_of_positives"]) for row in rows]
        assert observed == sorted(observed)  # of an isotonic fit
        assert all(float(row["lowest_score"]) <= float(row["highest_score"]) for row in rows)


def test_subgroups_have_their_own_areas(tables, data):
    rows = tables["subgroups.csv"]
    assert {(row["model"], row["group"]) for row in rows} == {
        (name, sex) for name, _ in MODELS for sex in "fm"
    }
    for row in rows:
        own = data["sex"] == row["group"]
        area = rw.roc(data["y"][own], data[row["model"]][own]).area
        assert float(row["auc"]) == pytest.approx(area)


def test_each_sentence_of_the_verdict_has_its_question_and_claim(tables):
    assert all(
        row["question"] and row["claim"] and row["sentence"] for row in tables["verdict.csv"]
    )


def test_areas_of_several_classes_are_rows_of_pairs():
    rng = np.random.default_rng(1)
    y = rng.choice(list("xyz"), 150)
    scores = {f"p_{one}": (rng.random(150) + (y == one)) / 2 for one in "xyz"}
    findings = made(
        {"y": y, **scores}, label="y", class_scores={one: f"p_{one}" for one in "xyz"}
    ).findings
    rows = list(csv.DictReader(io.StringIO(table_files(findings)["classes.csv"])))
    assert len(rows) == len(findings.classes.pairwise)
    assert [row["class"] for row in number_rows(findings)] == ["x", "y", "z"]
    assert "models.csv" not in table_files(findings)
