"""Scores as beta distributions: against mpmath, exact limits and SciPy, and one way against another."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.special import betaln

import rocwalk as rw
from rocwalk.smear import beta as beta_module
from rocwalk.smear import beta_nodes
from samples import NO_ADVICE
from smear.inputs import EXAMPLE_1, crowded, mixed, pair_mean

pytestmark = NO_ADVICE


def beta_pair(concentration):
    """P(X > Y) + ½·P(X = Y) of two beta variables, by quadrature with 16 digits."""
    k = mpmath.mpf(concentration)

    def compare(one, other):
        if one == other:
            return mpmath.mpf("0.5")
        if {one, other} & {0.0, 1.0}:
            return mpmath.mpf(int(one > other))
        a, b = mpmath.mpf(one), mpmath.mpf(other)
        scale = mpmath.beta(k * b, k * (1 - b))

        def integrand(place):
            density = mpmath.exp(k * b * place - k * mpmath.log1p(mpmath.exp(place))) / scale
            if place < 0:
                x = 1 / (1 + mpmath.exp(-place))
                return density * mpmath.betainc(k * a, k * (1 - a), x, 1, regularized=True)
            x = 1 / (1 + mpmath.exp(place))
            return density * mpmath.betainc(k * (1 - a), k * a, 0, x, regularized=True)

        ends = sorted({60, 400 / k, 4000 / k}) if k < 5 else [60]
        inner = [-20, -8, -4, -2, -1, 0, 1, 2, 4, 8, 20]
        return mpmath.quad(integrand, [-end for end in ends[::-1]] + inner + ends)

    return compare


@pytest.mark.parametrize("concentration", [0.5, 3, 40])
def test_beta_areas_to_the_last_digits(concentration):
    truth, scores, weights = [1, 0, 0.25], [0.9, 0.4, 1.0], [1, 2, 1.5]
    area = rw.smeared_area(
        truth, scores, kernel="beta", concentration=concentration, sample_weight=weights
    )  # fmt: skip
    with mpmath.workdps(16):
        exact = float(pair_mean(truth, scores, weights, beta_pair(concentration)))
    assert abs(area - exact) <= area.error_bound < 1e-11


def test_golden_areas_of_beta_distributions():
    """Of a feasibility study by quadrature; they are cut after four digits."""
    for concentration, area in ((100, 0.8299), (10, 0.8014), (1, 0.7407)):
        found = rw.smeared_area(*EXAMPLE_1, kernel="beta", concentration=concentration)
        assert found == pytest.approx(area, abs=1e-4)


def limit(a, b):
    """A pair a over b as κ → 0."""
    a, b = map(Fraction, (a, b))
    if {a, b} == {Fraction(0)} or {a, b} == {Fraction(1)}:
        return Fraction(1, 2)
    return a * (1 - b) + (1 - a) * (1 - b) * a / (a + b) + a * b * (1 - b) / (2 - a - b)


def test_small_concentrations_have_a_limit_that_is_not_the_probabilistic_auc():
    y, p = EXAMPLE_1
    exact = pair_mean(y, list(map(Fraction, p)), [1] * 5, limit)
    area = rw.smeared_area(y, p, kernel="beta", concentration=0)
    assert abs(Fraction(float(area)) - exact) <= area.error_bound < 1e-12
    assert area == pytest.approx(0.728382, abs=5e-7)
    for small in (1e-300, 1e-30, 1e-6):  # where draws of X itself would all be 0 or 1
        near = rw.smeared_area(y, p, kernel="beta", concentration=small)
        assert abs(near - area) <= 1.3 * small + near.error_bound
    rng = np.random.default_rng(3)
    truth, scores, weights = mixed(rng, 12)
    area = rw.smeared_area(truth, scores, kernel="beta", concentration=0, sample_weight=weights)
    columns = [list(map(Fraction, column)) for column in (truth, scores, weights)]
    assert float(area) == pytest.approx(float(pair_mean(*columns, limit)), abs=1e-14)


@pytest.mark.parametrize("concentration", [0, 1e-300, 1e-16, 1e-3, 5, 1e12])
def test_scores_next_to_the_ends_keep_their_order(concentration):
    """1e-310 beats 5e-324 by their ratio, and what is near 1 beats all."""
    y, p = [1, 0, 1, 0], [1e-310, 5e-324, 0.5, 1 - 2.0**-53]
    area = rw.smeared_area(y, p, kernel="beta", concentration=concentration)
    assert area.error_bound < 1e-6
    won = 1 + 1e-310 / (1e-310 + 5e-324)  # 1e-310 and 0.5, each against 5e-324
    assert area == pytest.approx(won / 4, abs=2e-6 + area.error_bound)
    rw.smeared_roc(y, p, kernel="beta", concentration=concentration)


@pytest.mark.parametrize("concentration", [0, 0.5, 40])
def test_many_scores_next_to_0_are_compared_by_their_ratios(concentration):
    """The squares of such scores are 0 in floats; a beats b with probability a/(a + b)."""
    rng = np.random.default_rng(31)
    labels, scores = np.arange(400) % 2, 10.0 ** -rng.uniform(150, 300, 400)
    area = rw.smeared_area(labels, scores, kernel="beta", concentration=concentration)
    up, right = scores[labels == 1][:, None], scores[labels == 0]
    assert area == pytest.approx((up / (up + right)).mean(), abs=area.error_bound + 1e-12)
    assert area.error_bound < 1e-6


def test_large_concentrations_give_the_auc():
    assert rw.smeared_area(*EXAMPLE_1, kernel="beta", concentration=math.inf) == 5 / 6
    for large in (1e6, 1e12):
        area = rw.smeared_area(*EXAMPLE_1, kernel="beta", concentration=large)
        assert abs(area - 5 / 6) <= area.error_bound < 1e-6


@pytest.mark.parametrize("concentration", [0, 0.05, 2, 300, 1e5])
def test_many_rows_are_as_good_as_all_nodes(concentration, monkeypatch):
    """Chebyshev points for rows, and densities cut off, stay within the stated error."""
    rng = np.random.default_rng(4)
    labels = rng.random(4_000) < 0.3
    scores = np.where(labels, rng.beta(0.5, 0.3, 4_000), rng.beta(0.3, 0.6, 4_000))
    options = {"kernel": "beta", "concentration": concentration}
    many = rw.smeared_area(labels, scores, **options)
    monkeypatch.setattr(beta_module, "FEW", 10**9)
    monkeypatch.setattr(beta_nodes, "_NODES_FROM", 10**9)
    exact = rw.smeared_area(labels, scores, **options)
    assert exact.error_bound < 1e-10
    assert abs(many - exact) <= many.error_bound + exact.error_bound < 1e-6


@pytest.mark.parametrize("concentration", [0.01, 3.0, 40.0, 900.0])
def test_one_product_and_the_nodes_that_count_have_the_same_heights(concentration, monkeypatch):
    y, p = crowded(200, 2)
    options = {"kernel": "beta", "concentration": concentration}
    dense = rw.smeared_roc(y, p, **options)
    monkeypatch.setattr(beta_module, "_DENSE", 0)
    near = rw.smeared_roc(y, p, **options)
    assert dense.area == pytest.approx(near.area, abs=1e-13)
    one, other = dense.data.sources, near.data.sources
    assert np.abs(one.heights - other.heights).max() <= 1e-13 * other.heights.max()
    assert dense.best(slope=1.3).threshold == pytest.approx(
        near.best(slope=1.3).threshold, rel=1e-9
    )


def test_the_densities_are_no_steeper_than_is_said():
    y, p = crowded(100, 3)
    for concentration in (0.05, 4.0, 200.0):
        curve = rw.smeared_roc(y, p, kernel="beta", concentration=concentration)
        scores = curve.data.sources
        edges = np.append(scores.edges, 4 * scores.end)
        low, high = edges[:-1], edges[1:]
        bounds = scores.steepest(low, high)
        for share in (0.1, 0.5, 0.9):
            at, step = low + share * (high - low), 1e-5 * (high - low)
            above, below = scores.densities(at + step), scores.densities(at - step)
            slope = np.max([np.abs(a - b) for a, b in zip(above, below, strict=True)], axis=0)
            assert np.all(slope / (2 * step) <= bounds * (1 + 1e-6) + 1e-7)


def test_no_density_is_steeper_than_in_proportion_to_its_concentration():
    """|f′| ≤ 0.0605·κ in log-odds, with f′ = κ(s − σ)·f, for every score and position."""
    places = np.linspace(-40, 40, 160_001)
    sigma = 1 / (1 + np.exp(-places))
    for k in (0.05, 1.0, 25.0, 4_000.0):
        for s in (1e-4, 0.03, 0.3, 0.5, 0.9):
            log_density = k * s * places - k * np.logaddexp(0, places) - betaln(k * s, k * (1 - s))
            slope = k * (s - sigma) * np.exp(log_density)
            assert np.abs(slope).max() <= 0.0605 * k
