"""The findings of a study: computed once, and the same as the library's own functions."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from report.studies import grouped, made, sample
from rocwalk.report.findings import area_of, benefit_cuts, replicates_on


@pytest.fixture(scope="module")
def report():
    return made(grouped(), label="y", score=["a", "b"], by=["g"], fold="f")


def test_what_is_found_is_kept(report):
    found = report.findings
    for name in ("numbers", "bands", "comparisons", "promises", "chosen", "groups", "drift"):
        assert getattr(found, name) is getattr(found, name)
    assert found.smooth("binormal") is found.smooth("binormal")


def test_numbers_and_intervals_are_those_of_the_library(report):
    data, found = grouped(), report.findings
    for k, name in enumerate("ab"):
        one = rw.interval(data["y"], data[name])
        assert found.summaries[k].auc == one.estimate
        assert (found.intervals[k]["auc_low"], found.intervals[k]["auc_high"]) == (
            one.low,
            one.high,
        )
    assert found.names == ["a", "b"]
    assert found.probabilities == [0, 1]
    assert found.others == []


def test_pairs_are_those_of_the_library(report):
    data = grouped()
    auc, probabilistic = report.findings.comparisons
    pair = rw.compare(data["y"], {"a": data["a"], "b": data["b"]}).pairs[0]
    assert (auc.pairs[0].difference, auc.pairs[0].p_value) == (pair.difference, pair.p_value)
    assert probabilistic.statistic == "probabilistic_auc"
    assert (auc.pairs[0].a, auc.pairs[0].b) == (0, 1)  # places, not names


def test_promises_are_observed_over_expected_with_ends_in_order(report):
    data, found = grouped(), report.findings.promises
    for k, name in enumerate("ab"):
        value, low, high = found[k].observed
        assert value == pytest.approx(data["y"].sum() / data[name].sum())
        assert low < value < high
        assert found[k].recalibration.slope[0] == pytest.approx(
            rw.calibration(data["y"], data[name]).slope
        )


def test_drift_is_that_of_the_library():
    now, before = grouped(), grouped(seed=6)
    report = made(now, label="y", score=["a", "b"], reference=before)
    for k, name in enumerate("ab"):
        own = rw.drift((before["y"], before[name]), (now["y"], now[name]))
        one = report.findings.drift.models[k]
        assert one.verdict == own.verdict
        assert one.findings["auc"].p_value == own.findings["auc"].p_value
    assert made(now, label="y", score="a").findings.drift.models == {}


def test_reasons_stand_where_there_is_no_finding():
    data = grouped() | {"wide": 10 * grouped()["a"]}
    report = made(data, label="y", score=["a", "wide"], reference=data)
    found = report.findings
    assert found.others == ["wide"]
    assert "outside [0, 1]" in found.drift.models[1]
    one = made(data, label="y", score="a").findings
    assert one.comparisons == "There is one model only."
    assert one.benefits is None
    assert one.drift.timelines == []
    assert one.cross_validation is None


def test_folds_that_lack_a_class_are_not_compared():
    data = grouped() | {"f": grouped()["y"]}  # each fold has one class
    found = made(data, label="y", score=["a", "b"], fold="f").findings
    assert found.cross_validation is None


def test_soft_truth_is_compared_by_what_it_allows():
    data = sample("soft")
    found = made(data, label="y", score=["plain", "tied"], weight="w").findings
    assert area_of(found.study.paired) == "auc_prt"
    (reference, (low, high)), _ = found.places
    own = rw.reference_truth(data["y"], data["plain"], sample_weight=data["w"])
    assert reference.auc_prt == pytest.approx(own.auc_prt, rel=1e-12)
    assert low < own.auc_prt < high


def test_cuts_of_net_benefit_lie_inside_and_hold_that_of_the_rule():
    for far in (0.01, 0.1, 0.4, 0.99):
        for cut in (0.0, 0.123, 0.5, 1.0):
            cuts = benefit_cuts(far, cut)
            assert cuts == sorted(set(cuts))
            assert all(0 < one < 1 for one in cuts)
            assert (cut in cuts) == (0 < cut < 1)


def test_items_of_clusters_are_drawn_fewer_times():
    data = grouped() | {"c": np.arange(300) // 3}
    plain = made(data, label="y", score="a")
    clustered = made(data, label="y", score="a", cluster="c")
    assert replicates_on(plain.study, plain.findings.tallies[0]) == 2000
    assert replicates_on(clustered.study, clustered.findings.tallies[0]) == 2000
