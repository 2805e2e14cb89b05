"""The accuracy of the rules as STARD asks for it, against fresh calls of the library."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import rocwalk as rw
from report.studies import agrees, probabilities, read, report_on, section, tables
from rocwalk.errors import DroppedRowsWarning


def study(kind):
    """Return columns, what the library is told of them, and the report."""
    data = probabilities("soft" if kind == "soft" else "hard")
    options = {"sample_weight": data.get("w")}
    if kind == "clusters":
        data["patient"] = np.arange(400) // 4
        options["cluster"] = data["patient"]
    return data, options, report_on(data)


def near(shown, value):
    """Say whether a number that is shown in few digits is the value."""
    if math.isinf(value):
        return shown == value
    return abs(shown - value) <= max(6e-4, 0.006 * abs(value))


@pytest.mark.parametrize("kind", ["hard", "soft", "clusters"])
def test_matrices_and_numbers_are_the_library_s(kind):
    data, options, report = study(kind)
    *matrices, numbers = tables(report, "accuracy")
    known = [rw.accuracy_table(data["y"], data[name], **options) for name in ("smooth", "tied")]
    for found, table in zip(known, matrices, strict=True):
        cells = found.point.confusion
        order = [[cells.true_positives, cells.false_positives]]
        order += [[cells.false_negatives, cells.true_negatives]]
        for row, values in zip(table[1:], order, strict=True):
            for words, value in zip(row[1:], values, strict=True):
                assert agrees(re.match(r"[\d,.]+", words)[0], value)
    assert numbers[0] == ["Number", "smooth", "tied"]
    assert [row[0] for row in numbers[1:]] == list(known[0].words.values())
    for row, name in zip(numbers[1:], known[0].numbers, strict=True):
        for words, found in zip(row[1:], known, strict=True):
            shown = read(words)
            assert len(shown) == 3
            assert all(map(near, shown, found.numbers[name]))


def test_the_way_of_the_rows_is_told():
    data = probabilities("hard")
    data["smooth"][:7] = np.nan
    with pytest.warns(DroppedRowsWarning):
        html = section(report_on(data, invalid="drop"), "accuracy")
    flows = [re.findall(r"<li>(.*?)</li>", flow) for flow in re.findall(r"<ol.*?</ol>", html)]
    assert [flow[:2] for flow in flows] == [
        ["400 rows read", "393 used, 7 left out"],
        ["400 rows read", "400 used, 0 left out"],
    ]
    called = int((data["tied"] >= rw.roc(data["y"], data["tied"]).best().threshold).sum())
    assert flows[1][2] == f"{called} called positive, {400 - called} negative"
    assert "It was chosen on the same data" in html


def test_a_perfect_model_has_an_infinite_likelihood_ratio():
    report = rw.report({"y": [0, 0, 1, 1], "s": [1, 2, 3, 4]}, label="y", score="s")
    rows = dict(tables(report, "accuracy")[-1][1:])
    known = rw.accuracy_table([0, 0, 1, 1], [1, 2, 3, 4])
    assert near(
        read(rows["Positive likelihood ratio"])[1], known.numbers["positive_likelihood_ratio"][1]
    )
    assert rows["Positive likelihood ratio"].startswith("∞ (")
    assert rows["Sensitivity"].startswith("1.0000 (0.34")


def test_a_rule_that_calls_nothing_positive_says_undefined():
    report = rw.report({"y": [0, 0, 1, 1], "s": [5] * 4}, label="y", score="s")
    assert "nothing is called positive" in section(report, "accuracy")
    rows = dict(tables(report, "accuracy")[-1][1:])
    assert rows["Positive predictive value"] == "undefined"
    assert read(rows["Negative predictive value"])[0] == 0.5


def test_too_few_items_have_numbers_without_intervals():
    report = rw.report({"y": [0, 1, 0, 0], "s": [4, 3, 2, 1]}, label="y", score="s")
    rows = dict(tables(report, "accuracy")[-1][1:])
    assert rows["Sensitivity"] == "1.0000"
    assert rows["Area under the ROC curve"] == "0.6667"
    assert rows["Negative likelihood ratio"] == "0.000"


def test_many_rows_in_clusters_are_not_resampled():
    rng = np.random.default_rng(0)
    data = {
        "y": rng.integers(0, 2, 6_000),
        "s": rng.random(6_000),
        "patient": np.arange(6_000) // 6,
    }
    report = report_on(data)
    assert "takes too long for so many rows" in section(report, "accuracy")
    rows = dict(tables(report, "accuracy")[-1][1:])
    assert agrees(rows["Accuracy"], rw.roc(data["y"], data["s"]).best().point.accuracy)
