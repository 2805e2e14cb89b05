"""Variances of areas of normal scores: numerical derivatives, SciPy's bivariate normal, draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from rocwalk.inference.binormal import (
    area_variance,
    binormal_areas,
    binormal_covariance,
    placement_covariance,
    placement_spread,
    placement_variance,
    separation,
)


@pytest.mark.parametrize("area", [0.5, 0.7, 0.9, 0.99])
def test_the_separation_is_that_of_the_area(area):
    assert stats.norm.cdf(separation(area) / math.sqrt(2)) == pytest.approx(area, abs=1e-12)
    assert separation(1 - area) == pytest.approx(-separation(area), abs=1e-12)


def test_areas_of_zero_and_one_do_not_vary():
    assert (separation(1.0), separation(0.0)) == (40.0, -40.0)
    assert area_variance(0.0, 1.0) == area_variance(1.0, 3.0) == 0.0
    assert np.abs(binormal_areas((1.0, 1.0), (0.5, 0.5), 1.0)).max() < 1e-300


def delta_method(one, other, correlation, ratio):
    """The covariance of A and B of normal samples, through numerical slopes of the area."""

    def area(a, b):
        return stats.norm.cdf(a / math.sqrt(1 + b**2))

    def slopes(a, b, h=1e-6):
        return np.array(
            [
                (area(a + h, b) - area(a - h, b)) / (2 * h),
                (area(a, b + h) - area(a, b - h)) / (2 * h),
            ]
        )

    (a_1, b_1), (a_2, b_2), (up, right) = one, other, correlation
    # n⁺ times the covariances of (A₁, B₁) with (A₂, B₂), Obuchowski & McClish 1997, appendix
    covariances = np.array(
        [
            [up + right * b_1 * b_2 / ratio + up**2 * a_1 * a_2 / 2, up**2 * a_1 * b_2 / 2],
            [up**2 * a_2 * b_1 / 2, b_1 * b_2 * (right**2 / ratio + up**2) / 2],
        ]
    )
    return slopes(*one) @ covariances @ slopes(*other)


@pytest.mark.parametrize("ratio", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("correlation", [(0.0, 0.0), (0.6, 0.3), (0.9, 0.9)])
def test_the_covariance_is_that_of_the_delta_method(ratio, correlation):
    one, other = (1.2, 0.8), (0.7, 1.3)
    found = binormal_covariance(one, other, correlation, ratio)
    assert found[0, 1] == found[1, 0]
    expected = delta_method(one, other, correlation, ratio)
    assert found[0, 1] == pytest.approx(expected, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("area", [0.6, 0.8, 0.95])
@pytest.mark.parametrize("ratio", [0.5, 2.0])
def test_obuchowskis_rounded_formula_is_near(area, ratio):
    exact = binormal_areas((area, area), (0.5, 0.5), ratio)[0, 0]
    assert area_variance(area, ratio) == pytest.approx(exact, rel=0.01)


@pytest.mark.parametrize("areas", [(0.7, 0.7), (0.6, 0.9), (0.5, 0.97)])
@pytest.mark.parametrize("correlation", [(0.0, 0.4), (0.8, -0.5)])
def test_placements_are_orthants_of_the_bivariate_normal(areas, correlation):
    heights = stats.norm.ppf(areas)
    for matrix, between in zip(placement_spread(areas, correlation), correlation, strict=True):
        for i, j in ((0, 0), (0, 1), (1, 1)):
            rho = 0.5 if i == j else between / 2
            both = stats.multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf(
                [heights[i], heights[j]]
            )
            assert matrix[i, j] == pytest.approx(both - areas[i] * areas[j], abs=1e-6)
            assert matrix[j, i] == matrix[i, j]


def test_the_variance_of_an_area_is_that_of_drawn_samples():
    rng = np.random.default_rng(5)
    area, positives, negatives = 0.8, 20, 40
    shift = separation(area)
    found = []
    for _ in range(4000):
        x, z = rng.normal(shift, 1, positives), rng.normal(0, 1, negatives)
        found.append((z[None, :] < x[:, None]).mean())
    ratio = negatives / positives
    expected = placement_covariance((area, area), (1, 1), ratio)[0, 0] / positives
    assert np.var(found) == pytest.approx(expected, rel=0.08)
    assert expected == pytest.approx(placement_variance(area) * (1 / 20 + 1 / 40))
