"""Designs of a study: the variance under the null hypothesis."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.errors import OptionError
from rocwalk.inference.binormal import binormal_areas, placement_spread
from rocwalk.inference.study_design import student_power

RATIOS = (0.1, 0.25, 0.7, 1.0, 3.0, 20.0)
AREAS = ((0.95, 0.9), (0.9, 0.95), (0.85, 0.7), (0.6, 0.55), (0.99, 0.5))
CORRELATIONS = (None, 0.0, 0.5, 0.9, (0.9, 0.1), (-0.3, 0.8))
HARD = {"correlation": 0.9, "ratio": 0.25, "power": 0.9}  # 2V₁₁ − 2V₁₂ < 0 here, > 0 at ratio 1


def binormal(rng, areas, counts, correlation):
    """Labels and two columns of normal scores of these areas, correlated within each class."""
    shift = math.sqrt(2) * stats.norm.ppf(areas)
    y = np.repeat([1, 0], counts)
    noise = rng.multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], len(y))
    return y, noise + y[:, None] * shift


# -- the null variance ---------------------------------------------------------------------------


def test_a_null_variance_is_decided_at_the_ratio_in_use():
    assert rw.difference_sample_size(
        0.95, 0.9, correlation=0.9, null_variance="first", formula="obuchowski"
    )
    covariance = binormal_areas((0.95, 0.9), (0.9, 0.9), 0.25)
    assert covariance[0, 0] < covariance[0, 1]
    for formula in ("obuchowski", "placements"):
        with pytest.raises(OptionError, match="null_variance='first' would be negative"):
            rw.difference_sample_size(0.95, 0.9, null_variance="first", formula=formula, **HARD)
    with pytest.raises(OptionError, match="at this ratio of classes"):
        rw.difference_power(
            0.95, 0.9, 400, 100, correlation=0.9, null_variance="first", formula="obuchowski"
        )


def test_sizes_are_those_of_the_test_at_an_unequal_ratio():
    found = rw.difference_sample_size(0.95, 0.9, **HARD)
    assert (found.variance_under_null, found.null_variance) == ("same", found.variance)
    published = rw.difference_sample_size(0.95, 0.9, formula="obuchowski", **HARD)
    assert (published.n_positives, published.n_negatives) == (306, 77)
    assert 120 < found.n_positives < 200
    # DeLong's test on simulated samples of this size and of 48 + 12, which was promised to do
    rng = np.random.default_rng(1)
    share = {}
    for counts in ((found.n_positives, found.n_negatives), (48, 12)):
        significant = 0
        for _ in range(250):
            y, scores = binormal(rng, (0.95, 0.9), counts, 0.9)
            pair = rw.compare(y, {"a": scores[:, 0], "b": scores[:, 1]}, method="delong").pairs[0]
            significant += pair.p_value < 0.05
        share[counts] = significant / 250
    assert share[found.n_positives, found.n_negatives] > 0.9 - 3 * math.sqrt(0.09 / 250)
    assert share[48, 12] < 0.5


@pytest.mark.parametrize("correlation", CORRELATIONS)
@pytest.mark.parametrize("formula", ["placements", "obuchowski"])
def test_a_size_reaches_the_power_and_one_less_does_not(formula, correlation):
    for areas, ratio, power in itertools.product(AREAS, RATIOS, (0.5, 0.9)):
        options = {"correlation": correlation, "formula": formula}
        found = rw.difference_sample_size(*areas, power=power, ratio=ratio, **options)
        n, m = found.n_positives, found.n_negatives
        assert found.power == rw.difference_power(*areas, n, m, **options).power >= power
        assert m == pytest.approx(ratio * n, abs=1 + ratio) or m == 2
        less = max(math.ceil(ratio * (n - 1) - 1e-9), 2)
        too_few = 2 / math.comb(n - 1 + less, n - 1) > 0.05  # no order would be significant
        if formula == "placements" and not too_few:
            assert rw.difference_power(*areas, n - 1, less, **options).power < power


@pytest.mark.parametrize("correlation", CORRELATIONS)
def test_power_rises_with_the_items_and_with_the_correlation(correlation):
    for areas, ratio in itertools.product(AREAS, RATIOS):
        sizes = [(n, round(n * ratio)) for n in (40, 80, 200, 400, 1000, 10**5)]
        powers = [
            rw.difference_power(*areas, *size, correlation=correlation).power for size in sizes
        ]
        assert powers == sorted(powers)
        assert 0 <= powers[0] <= powers[-1] <= 1
    powers = [
        rw.difference_power(0.9, 0.8, 50, 30, correlation=r).power for r in (0, 0.2, 0.5, 0.8, 1)
    ]
    assert powers == sorted(powers)
    apart = rw.difference_power(0.8, 0.7, 150, 90).power  # not few, so that both divide by DeLong's
    together = rw.difference_power(0.8, 0.7, 150, 90, correlation=0.0).power
    assert apart == pytest.approx(together, abs=0.01)


@pytest.mark.parametrize(
    ("areas", "correlation", "ratio"),
    [((0.9, 0.8), 0.5, 0.25), ((0.9, 0.8), 0.5, 5), ((0.8, 0.9), 0.3, 0.5), ((0.8, 0.6), 0.6, 3)],
)
def test_compare_has_the_power_that_is_promised(areas, correlation, ratio):
    found = rw.difference_sample_size(*areas, correlation=correlation, ratio=ratio)
    rng, runs, significant = np.random.default_rng(2), 300, 0
    for _ in range(runs):
        y, scores = binormal(rng, areas, (found.n_positives, found.n_negatives), correlation)
        pair = rw.compare(y, {"a": scores[:, 0], "b": scores[:, 1]}).pairs[0]
        significant += pair.p_value < 0.05
    error = math.sqrt(found.power * (1 - found.power) / runs)
    assert significant / runs > found.power - 3 * error
    assert significant / runs < found.power + 3 * error + 0.04


def test_the_power_is_students():
    for noncentrality, df in itertools.product((-1.0, 0.0, 2.8, 6.0), (3.0, 17.5, 400.0)):
        critical = stats.t.ppf(0.975, df)
        wanted = stats.nct.sf(critical, df, noncentrality) if noncentrality else 0.025
        assert student_power(noncentrality, df, 0.025) == pytest.approx(wanted, abs=1e-9)
    assert student_power(2.8, 999.0, 0.025) == pytest.approx(
        student_power(2.8, 1001.0, 0.025), abs=3e-4
    )
    positives, negatives = placement_spread((0.5, 0.5), (0.0, 1.0))
    np.testing.assert_allclose(positives, [[1 / 12, 0], [0, 1 / 12]])
    assert negatives[0, 1] == pytest.approx(1 / 12)
