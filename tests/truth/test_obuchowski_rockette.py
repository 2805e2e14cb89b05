"""Obuchowski and Rockette's analysis: published numbers, and every number by hand."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from truth.reader_tables import VAN_DYKE, analysed, matrix_of, ratings_of, study_of


def test_van_dyke_by_delong():
    matrix = matrix_of(0.00079213, 0.00034201, 0.00033953, 0.00023585)
    found, error, df, f, _ = analysed(VAN_DYKE, matrix)
    assert found.ms_test == pytest.approx(0.0047962, abs=5e-8)
    assert found.ms_test_reader == pytest.approx(0.00055103, abs=5e-9)
    assert error == pytest.approx(0.00106942, abs=5e-8)
    assert f == pytest.approx(4.48485, abs=2e-4)
    assert df == pytest.approx(15.0661, abs=2e-3)


def test_van_dyke_as_mrmcaov_prints_it():
    """Its call: mrmc(empirical_auc(truth, rating), treatment, reader, case, cov = unbiased)."""
    matrix = matrix_of(0.00078839, 0.00034167, 0.00033906, 0.00023561)
    _, error, df, f, p_value = analysed(VAN_DYKE, matrix)
    assert f == pytest.approx(4.4896, abs=2e-4)
    assert df == pytest.approx(15.034, abs=3e-3)
    assert p_value == pytest.approx(0.051162, abs=5e-6)
    reach = stats.t.ppf(0.975, df) * math.sqrt(2 * error / 5)
    gap = VAN_DYKE[0].mean() - VAN_DYKE[1].mean()
    assert gap == pytest.approx(-0.0438, abs=1e-5)
    assert (gap - reach, gap + reach) == pytest.approx((-0.087852, 0.0002513), abs=2e-6)


def slow_mean_squares(areas):
    """Sums of squares of a two-way table, by a least-squares fit of dummy variables."""
    t, r = areas.shape
    test, reader = (axis.ravel() for axis in np.indices(areas.shape))
    y = areas.ravel()

    def rest(*columns):
        design = np.column_stack([np.ones(t * r), *columns])
        return float(((y - design @ np.linalg.lstsq(design, y, rcond=None)[0]) ** 2).sum())

    tests = [(test == i).astype(float) for i in range(1, t)]
    readers = [(reader == j).astype(float) for j in range(1, r)]
    both = rest(*tests, *readers)
    return (rest(*readers) - both) / (t - 1), both / ((t - 1) * (r - 1))


@pytest.mark.parametrize("tests", [2, 3])
def test_random_readers_and_cases_by_hand(tests):
    table, _, _ = ratings_of(tests=tests)
    found = study_of(table, confidence_level=0.9)
    areas, s, r = found.areas, found.matrix, 4
    place = {(i, j): i * r + j for i in range(tests) for j in range(r)}
    sums = {"var": [], "cov1": [], "cov2": [], "cov3": []}
    for (i, j), (k, m) in product(place, repeat=2):
        kind = {(True, True): "var", (False, True): "cov1", (True, False): "cov2"}
        sums[kind.get((i == k, j == m), "cov3")].append(s[place[i, j], place[k, m]])
    mean = {name: np.mean(values) for name, values in sums.items()}
    ms_t, ms_tr = slow_mean_squares(areas)
    components = found.components
    for name, value in mean.items():
        assert getattr(components, name) == pytest.approx(value, abs=1e-15)
    assert (components.ms_test, components.ms_test_reader) == pytest.approx((ms_t, ms_tr))
    error = ms_tr + max(r * (mean["cov2"] - mean["cov3"]), 0)
    df = error**2 / (ms_tr**2 / ((tests - 1) * (r - 1)))
    assert found.f == pytest.approx(ms_t / error)
    assert found.df == pytest.approx((tests - 1, df))
    assert found.p_value == pytest.approx(stats.f.sf(ms_t / error, tests - 1, df))
    for pair, (a, b) in zip(found.differences, [(0, 1), (0, 2), (1, 2)], strict=False):
        gap = areas[a].mean() - areas[b].mean()
        se = math.sqrt(2 * error / r)
        reach = stats.t.ppf(0.95, df) * se
        assert (pair.a, pair.b) == (f"test {a}", f"test {b}")
        assert (pair.difference, pair.standard_error) == pytest.approx((gap, se))
        assert (pair.low, pair.high) == pytest.approx((gap - reach, gap + reach))
        assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(gap) / se, df))
    assert len(found.differences) == tests * (tests - 1) // 2
    for i, one in enumerate(found.means):
        own = s[i * r : (i + 1) * r, i * r : (i + 1) * r]
        cov2 = max(own[~np.eye(r, dtype=bool)].mean(), 0)
        ms_r = areas[i].var(ddof=1)
        variance, both = (ms_r + r * cov2) / r, ms_r + r * cov2
        own_df = both**2 / (ms_r**2 / (r - 1))
        reach = stats.t.ppf(0.95, own_df) * math.sqrt(variance)
        assert one.test == f"test {i}"
        assert (one.estimate, one.df) == pytest.approx((areas[i].mean(), own_df))
        assert one.low == pytest.approx(areas[i].mean() - reach)
        assert one.high == pytest.approx(min(areas[i].mean() + reach, 1))


def test_fixed_readers_and_fixed_cases_by_hand():
    table, _, _ = ratings_of(tests=3)
    r, found = 4, study_of(table, readers="fixed")
    c = found.components
    error = c.var - c.cov1 + (r - 1) * max(c.cov2 - c.cov3, 0)
    assert found.df == (2, math.inf)
    assert found.p_value == pytest.approx(stats.chi2.sf(2 * c.ms_test / error, 2))
    reach = stats.norm.ppf(0.975) * math.sqrt(2 * error / r)
    pair = found.differences[0]
    assert pair.high - pair.low == pytest.approx(2 * reach)
    own = found.matrix[:r, :r]
    assert found.means[0].standard_error == pytest.approx(math.sqrt(own.sum()) / r)
    found = study_of(table, cases="fixed")
    c = found.components
    assert (found.f, found.df[1]) == pytest.approx((c.ms_test / c.ms_test_reader, 6))
    assert found.p_value == pytest.approx(stats.f.sf(found.f, 2, 6))
    assert found.means[0].standard_error == pytest.approx(found.areas[0].std(ddof=1) / 2)
    assert found.means[0].df == 3


def test_fixed_readers_of_one_test_are_the_paired_comparison_of_mean_areas():
    """With fixed readers the variance of a difference of means is that of S, if it is homogeneous."""
    table, _, _ = ratings_of(readers=2)
    found = study_of(table, readers="fixed")
    weights = np.array([1, 1, -1, -1]) / 2
    assert found.differences[0].standard_error ** 2 == pytest.approx(
        weights @ found.matrix @ weights, rel=1e-12
    )
