"""The section on sensibility: the numbers of the library, and what its script is given."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import agrees, embedded, made, section, tables, twenty
from rocwalk.report.sensibility import MOST_STEPS


@pytest.fixture(scope="module")
def report():
    return made(twenty(), label="y", score="model")


def expected():
    data = twenty()
    return rw.sensibility(data["y"], data["model"])


def test_the_table_has_the_numbers_of_the_library(report):
    found = expected()
    _, row = tables(report, "sensibility")[0]
    values = [found.midpoint, found.struggle_ratio, found.split.sensible, found.split.other]
    values += [found.at(0.5).sensibility, found.at(0.5).capability]
    assert row[0] == "model"
    for shown, value in zip(row[1:], values, strict=True):
        assert agrees(shown, float(value)), (shown, value)
    assert found.sentence in section(report, "sensibility")


def test_the_script_has_the_steps_of_both_curves(report):
    found, (one,) = expected(), embedded(report, "sensibility")["models"]
    assert one["midpoint"] == pytest.approx(found.midpoint)
    assert (one["sensible"], one["other"]) == (found.split.sensible, found.split.other)
    above = found.split.walk
    assert one["up"] == above.up[found.split.above]
    assert one["right"] == above.right[found.split.above]


def test_scores_that_are_no_probabilities_are_named_and_left_out():
    data = twenty() | {"margin": [10 * one for one in twenty()["model"]]}
    report = made(data, label="y", score=["model", "margin"])
    assert [row[0] for row in tables(report, "sensibility")[0][1:]] == ["model"]
    assert "The scores of margin reach outside 0 to 1" in section(report, "sensibility")
    report = made(data, label="y", score="margin")
    assert 'id="sensibility"' not in report.html


def test_many_steps_are_thinned_and_said():
    rng = np.random.default_rng(0)
    y = rng.random(3 * MOST_STEPS) < 0.4
    data = {"y": y.astype(int), "p": np.clip(rng.normal(0.3 + 0.3 * y, 0.2), 0, 1)}
    report = made(data, label="y", score="p")
    assert f"at most {MOST_STEPS}" in section(report, "sensibility")
    assert f"at most {MOST_STEPS}" not in section(
        made(twenty(), label="y", score="model"), "sensibility"
    )
