"""The findings in subgroups: the same as the library's own functions, computed once."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import grouped, made
from rocwalk.report.group_findings import MOST_GROUPS


@pytest.fixture(scope="module")
def report():
    return made(grouped(), label="y", score=["a", "b"], by=["g"])


def test_subgroups_are_those_of_the_library(report):
    data, found = grouped(), report.findings
    for name in "ab":
        own = rw.subgroups(data["y"], data[name], data["g"], rng=0)
        test = found.groups.tests[name]
        assert test.chi_squared == pytest.approx(own.equality.chi_squared)
        assert found.groups.gaps[name].gap.estimate == own.gap.estimate
        inside = data["g"] == 1
        numbers = found.groups.numbers((name, (1,)))
        assert numbers.summary.auc == rw.roc(data["y"][inside], data[name][inside]).area


def test_what_is_found_is_kept(report):
    groups, key = report.findings.groups, ("a", (0,))
    assert report.findings.groups is groups
    assert groups.numbers(key) is groups.numbers(key)
    assert groups.tests is groups.tests
    assert groups.gaps is groups.gaps


def test_p_values_are_adjusted_over_the_models(report):
    tests = report.findings.groups.tests
    p_values = sorted((one.p_value, one.adjusted_p_value) for one in tests.values())
    (low, adjusted), (high, last) = p_values
    assert adjusted == min(1.0, 2 * low)
    assert last == max(adjusted, high)


def test_clusters_of_a_group_are_those_of_its_rows():
    data = grouped() | {"c": np.arange(300) // 6}
    report = made(data, label="y", score="a", by=["g"], cluster="c")
    evidence, units = report.findings.groups.evidence(("a", (1,)))
    inside = data["g"] == 1
    assert evidence.tally.total_count == np.count_nonzero(inside)
    assert len(np.unique(units)) == 50
    own = rw.interval(data["y"][inside], data["a"][inside], cluster=data["c"][inside])
    numbers = report.findings.groups.numbers(("a", (1,)))
    assert numbers.ends["auc_low"] == pytest.approx(own.low)


def test_one_class_in_a_group_is_no_test_and_no_gap():
    data = grouped()
    data["g"] = data["y"]
    groups = made(data, label="y", score="a", by=["g"]).findings.groups
    assert groups.tests == {"a": None}
    assert groups.gaps == {}
    assert np.isnan(groups.numbers(("a", (1,))).summary.auc)


def test_very_many_groups_have_no_gaps():
    data = grouped(rows=40 * (MOST_GROUPS + 1)) | {}
    data["g"] = np.arange(len(data["y"])) % (MOST_GROUPS + 1)
    found = made(data, label="y", score="a", by=["g"]).findings
    assert found.groups.gaps == {}
