"""The test between subgroups, against independent samples and a simulation of clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t

import rocwalk as rw
from report.studies import section
from rocwalk.evaluate.groups import group_test
from rocwalk.inference.items import Evidence, Items


def sample(rng, rows, distance=1.0):
    y = np.arange(rows) % 2
    return y, rng.normal(distance * y, 1)


def test_two_groups_are_two_samples():
    rng = np.random.default_rng(0)
    one, other = sample(rng, 200), sample(rng, 150, 1.6)
    found = group_test([(Evidence(rw.tally(*each)), None) for each in (one, other)])
    areas = [rw.interval(*each, method="delong") for each in (one, other)]
    error = np.hypot(*(each.standard_error for each in areas))
    z = (areas[1].estimate - areas[0].estimate) / error
    assert found.df == 1
    assert found.chi_squared == pytest.approx(z**2)
    variances = np.square([each.standard_error for each in areas])
    df = variances.sum() ** 2 / (variances**2 / (99, 74)).sum()  # Welch's, of the smaller classes
    assert found.p_value == pytest.approx(2 * t.sf(abs(z), df))
    assert group_test([(Evidence(rw.tally(*one)), None)]) is None


def test_clusters_that_reach_into_both_groups_are_not_independent():
    rng = np.random.default_rng(1)
    y, s = sample(rng, 200)
    units = np.arange(200)
    twin = Items.from_truth(y, None, s + rng.normal(0, 0.01, 200), units)
    parts = [(Evidence(rw.tally(y, s), Items.from_truth(y, None, s, units)), units)]
    parts.append((Evidence(rw.tally(y, twin.scores), twin), units))
    alone = group_test([(Evidence(rw.tally(y, s)), None), (Evidence(rw.tally(y, 0.5 * s)), None)])
    assert alone.chi_squared == pytest.approx(0, abs=1e-9)
    assert group_test(parts).chi_squared < 10
    far = Items.from_truth(y, None, s + 0.6 * y, units)
    together = group_test([parts[0], (Evidence(rw.tally(y, far.scores), far), units)])
    apart = group_test(
        [(Evidence(rw.tally(y, s)), None), (Evidence(rw.tally(y, far.scores)), None)]
    )
    assert together.p_value < apart.p_value  # the same items on both sides: a paired difference


def test_subgroups_of_clusters_have_intervals_and_a_test():
    rng = np.random.default_rng(2)
    y, s = sample(rng, 240)
    data = {"y": y, "s": s, "site": np.repeat(["a", "b"], 120), "patient": np.arange(240) // 4}
    report = rw.report(data, label="y", score="s", by="site", cluster="patient")
    for key in report.findings.study.subgroups:
        inside = data["site"] == key[1][0]
        known = rw.interval(y[inside], s[inside], cluster=data["patient"][inside])
        ends = report.findings.in_group(key).ends
        assert (ends["auc_low"], ends["auc_high"]) == pytest.approx((known.low, known.high))
    html = section(report, "groups")
    assert "between the subgroups is shown (χ²" in html
    moved = data | {"s": np.where((data["site"] == "b") & (y == 1), s + 3, s)}
    html = section(rw.report(moved, label="y", score="s", by="site"), "groups")
    assert "AUC differs between the subgroups (χ²" in html
