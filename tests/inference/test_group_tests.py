"""The test between subgroups, against independent samples and a simulation of clusters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import studentized_range, t

import rocwalk as rw
from report.studies import section
from rocwalk.inference.group_tests import _critical, _mover, area_test, widest_gap
from rocwalk.inference.items import Evidence, Items
from rocwalk.report.groups import group_words


def sample(rng, rows, distance=1.0):
    y = np.arange(rows) % 2
    return y, rng.normal(distance * y, 1)


def test_two_groups_are_two_samples():
    rng = np.random.default_rng(0)
    one, other = sample(rng, 400), sample(rng, 300, 1.6)
    found = area_test([(Evidence(rw.tally(*each)), None) for each in (one, other)])
    areas = [rw.interval(*each, method="delong") for each in (one, other)]
    error = np.hypot(*(each.standard_error for each in areas))
    z = (areas[1].estimate - areas[0].estimate) / error
    assert found.df == 1
    assert found.chi_squared == pytest.approx(z**2)
    variances = np.square([each.standard_error for each in areas])
    df = variances.sum() ** 2 / (variances**2 / (199, 149)).sum()  # Welch's, of the smaller classes
    assert found.p_value == pytest.approx(2 * t.sf(abs(z), df))
    assert area_test([(Evidence(rw.tally(*one)), None)]) is None


def test_clusters_that_reach_into_both_groups_are_not_independent():
    rng = np.random.default_rng(1)
    y, s = sample(rng, 200)
    units = np.arange(200)
    twin = Items.from_truth(y, None, s + rng.normal(0, 0.01, 200), units)
    parts = [(Evidence(rw.tally(y, s), Items.from_truth(y, None, s, units)), units)]
    parts.append((Evidence(rw.tally(y, twin.scores), twin), units))
    alone = area_test([(Evidence(rw.tally(y, s)), None), (Evidence(rw.tally(y, 0.5 * s)), None)])
    assert alone.chi_squared == pytest.approx(0, abs=1e-9)
    assert area_test(parts).chi_squared < 10
    far = Items.from_truth(y, None, s + 0.6 * y, units)
    together = area_test([parts[0], (Evidence(rw.tally(y, far.scores), far), units)])
    apart = area_test([(Evidence(rw.tally(y, s)), None), (Evidence(rw.tally(y, far.scores)), None)])
    assert together.p_value < apart.p_value  # the same items on both sides: a paired difference


def test_subgroups_of_clusters_have_intervals_and_a_test():
    rng = np.random.default_rng(2)
    y, s = sample(rng, 240)
    data = {"y": y, "s": s, "site": np.repeat(["a", "b"], 120), "patient": np.arange(240) // 4}
    report = rw.report(data, label="y", score="s", by="site", cluster="patient")
    for key in report.findings.study.subgroups:
        inside = data["site"] == key[1][0]
        known = rw.interval(y[inside], s[inside], cluster=data["patient"][inside])
        ends = report.findings.groups.numbers(key).ends
        assert (ends["auc_low"], ends["auc_high"]) == pytest.approx((known.low, known.high))
    html = section(report, "groups")
    assert "between the subgroups is shown (χ²" in html
    moved = data | {"s": np.where((data["site"] == "b") & (y == 1), s + 3, s)}
    html = section(rw.report(moved, label="y", score="s", by="site"), "groups")
    assert "AUC differs between the subgroups (χ²" in html


def test_tests_of_several_models_are_adjusted_on_the_page():
    """Two p-values by hand: Holm takes twice the smaller one, then at least as much."""
    rng = np.random.default_rng(11)
    y, s = sample(rng, 400)
    site = np.repeat(["a", "b"], 200)
    other = s - 0.55 * y * (site == "b") + rng.normal(0, 0.5, 400)
    data = {"y": y, "s": s, "t": other, "site": site}
    found = rw.report(data, label="y", score=["s", "t"], by="site").findings.groups.tests
    raw = {
        name: area_test(
            [(Evidence(rw.tally(y[site == k], data[name][site == k])), None) for k in "ab"]
        ).p_value
        for name in "st"
    }
    first, second = sorted(raw, key=raw.get)
    assert {name: test.p_value for name, test in found.items()} == pytest.approx(raw)
    twice = min(2 * raw[first], 1.0)
    assert found[first].adjusted_p_value == pytest.approx(twice)
    assert found[second].adjusted_p_value == pytest.approx(max(raw[second], twice))
    assert f"adjusted p = {twice:.2g} (Holm, 2 models)" in found[first].sentence
    assert found[first].to_dict()["comparisons"] == 2


def test_the_page_says_that_subgroups_differ_by_the_adjusted_p_value_only():
    found = area_test(
        [(Evidence(rw.tally([1] * 30 + [0] * 30, np.arange(60.0) % 7)), None) for _ in range(2)]
    )
    raw = replace(found, p_value=0.03, comparisons=2, adjusted_p_value=0.06)
    assert "no difference in AUC" in group_words("a", raw, 0.95)
    assert "adjusted p = 0.06" in group_words("a", raw, 0.95).replace("\N{NO-BREAK SPACE}", " ")
    assert "AUC differs" in group_words("a", replace(raw, adjusted_p_value=0.04), 0.95)


def test_the_quantile_over_pairs_is_the_studentized_range():
    """scipy.stats.studentized_range(k, df=inf).ppf(q)/√2 of equal errors."""
    for k in (2, 3, 6, 20):
        apart = ~np.eye(k, dtype=bool)
        found = _critical(np.ones(k), np.eye(k), apart, 0.95)
        assert found == pytest.approx(studentized_range(k, 1e6).ppf(0.95) / np.sqrt(2), abs=0.01)
    correlation = np.array([[1.0, 0.5], [0.5, 1.0]])
    assert _mover(np.ones(2), np.ones(2), correlation)[0, 1] == pytest.approx(1.0)


def test_the_widest_gap_of_far_apart_values_is_that_of_the_two_at_the_ends():
    values, error = np.array([0.0, 5.0, 10.0]), 0.1

    def limits_at(k):
        return values - k * error, values + k * error

    low, high = widest_gap(values, limits_at, np.eye(3), 0.95)
    reach = 1.959964 * error * np.sqrt(2)
    assert high == pytest.approx(10 + reach)
    assert low == pytest.approx(10 - reach, abs=0.01)


def test_areas_without_spread_have_the_score_test():
    """Areas of 1 have no error by DeLong: χ² has the variance at the common area."""
    perfect = Evidence(rw.tally([1] * 20 + [0] * 20, [0.9] * 20 + [0.2] * 20))
    mixed = Evidence(rw.tally([1, 0] * 20, np.arange(40) / 40))
    found = area_test([(perfect, None), (mixed, None), (perfect, None)])
    assert found.df == 2
    assert found.p_value < 0.001
    same = area_test([(perfect, None)] * 3)
    assert same.chi_squared == pytest.approx(0)
    assert same.p_value == pytest.approx(1)
