"""The subgroup table: every subgroup at the threshold of all items."""

from __future__ import annotations

import numpy as np

import rocwalk as rw
from commands import example_column
from publish.samples import FOREST, Y


def test_subgroups_are_measured_at_the_threshold_of_all(page):
    table = rw.table(page, "subgroups")
    small = np.array(example_column("size")) == "small"
    alone = rw.accuracy_table(Y[small], FOREST[small], threshold=0.4)
    row = next(row for row in table.rows if row[:2] == ("forest", "small"))
    assert row[2:4] == (str(small.sum()), str(Y[small].sum()))
    for cell, name in zip(row[4:], ("auc", "sensitivity", "specificity"), strict=True):
        value, low, high = alone.numbers[name]
        assert cell == f"{value:.3f} ({low:.3f} to {high:.3f})"
    assert "predictive" not in table.methods().text
    assert [row[1] for row in table.rows[:3]] == ["All", "large", "small"]


def test_a_subgroup_of_one_class_is_not_estimable():
    data = {"y": Y, "s": FOREST, "g": np.where((Y == 1) & (FOREST > 0.9), "high", "rest")}
    table = rw.table(data, "subgroups", label="y", score="s", by="g")
    row = next(row for row in table.rows if row[0] == "high")
    assert row[3] == "not estimable"
