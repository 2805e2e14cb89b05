"""The binormal fit: against a likelihood written out and maximised by another method."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import LinAlgError, solveh_banded
from scipy.optimize import minimize
from scipy.stats import norm

import rocwalk as rw
from rocwalk.curves.binormal import (
    fit_binormal,
    masses_of,
    runs_of,
    starts_of,
    tridiagonal_solution,
)
from rocwalk.errors import InputError


def sample(seed, n=60, shift=1.2, spread=1.4, levels=None):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n)
    z = np.where(y == 1, rng.normal(shift, spread, 2 * n), rng.normal(0, 1, 2 * n))
    return y, z if levels is None else np.searchsorted(levels, z)


def log_likelihood(parameters, counts):
    """Return Σ counts · log P(category), with cutoffs as increments that stay in order."""
    a, log_b, first, *increments = parameters
    cutoffs = np.concatenate([[first], first + np.cumsum(np.exp(increments))])
    ends = np.concatenate([[-np.inf], cutoffs, [np.inf]])
    of_negatives = np.diff(norm.cdf(ends))
    of_positives = np.diff(norm.cdf(np.exp(log_b) * ends - a))
    logs = np.log(np.maximum([of_negatives, of_positives], 1e-300))
    return float((counts * logs).sum())


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_it_is_the_maximum_of_the_likelihood(seed):
    y, z = sample(seed, levels=[-0.5, 0.3, 1.0, 2.0])
    tally = rw.tally(y, z)
    fit = fit_binormal(tally)
    counts = runs_of(tally)
    cutoffs = np.linspace(-1, 2, counts.shape[1] - 1)
    start = np.concatenate([[1.0, 0.0, cutoffs[0]], np.log(np.diff(cutoffs))])
    found = minimize(
        lambda p: -log_likelihood(p, counts), start, method="BFGS", options={"gtol": 1e-7}
    )
    assert fit.a == pytest.approx(found.x[0], abs=1e-4)
    assert fit.b == pytest.approx(np.exp(found.x[1]), abs=1e-4)
    assert fit.log_likelihood >= -found.fun - 1e-9
    assert fit.area == pytest.approx(norm.cdf(fit.a / np.sqrt(1 + fit.b**2)), abs=1e-14)


def test_the_covariance_is_the_inverse_information():
    """By second differences of the likelihood in all parameters."""
    y, z = sample(4, n=100, levels=[0.0, 1.0, 2.0])
    fit = fit_binormal(rw.tally(y, z))
    counts = runs_of(rw.tally(y, z))
    at = np.concatenate([[fit.a, np.log(fit.b), fit.cutoffs[0]], np.log(np.diff(fit.cutoffs))])
    step, n = 1e-4, len(at)
    hessian = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            moves = [np.zeros(n) for _ in range(4)]
            for one, (p, q) in zip(moves, [(1, 1), (1, -1), (-1, 1), (-1, -1)], strict=True):
                one[i] += p * step
                one[j] += q * step
            values = [log_likelihood(at + one, counts) for one in moves]
            hessian[i, j] = (values[0] - values[1] - values[2] + values[3]) / (4 * step**2)
    inverse = np.linalg.inv(-hessian)[:2, :2]
    scale = np.diag([1, fit.b])  # from log b to b
    assert fit.covariance == pytest.approx(scale @ inverse @ scale, rel=1e-3)
    slopes = np.array([1, -fit.a * fit.b / (1 + fit.b**2)]) / np.sqrt(1 + fit.b**2)
    assert fit.separation_error**2 == pytest.approx(slopes @ fit.covariance @ slopes)


def test_neighbours_of_one_class_are_one_category_and_lose_nothing():
    y, z = [0, 0, 1, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6, 7, 8]
    tally = rw.tally(y, z)
    assert starts_of(tally).tolist() == [0, 2, 3, 4, 6, 7]
    assert runs_of(tally).tolist() == [[2, 0, 1, 0, 1, 0], [0, 1, 0, 2, 0, 1]]
    right, up = masses_of(tally)
    assert (right.sum(), up.sum()) == (4, 4)
    assert right[0] == 0  # from the highest score


def test_mixed_categories_stay_apart():
    tally = rw.tally([0, 1, 0, 1], [1, 1, 2, 2])
    assert starts_of(tally).tolist() == [0, 1]


def test_only_the_order_counts_and_a_common_weight_changes_nothing():
    y, z = sample(5)
    fit = fit_binormal(rw.tally(y, z))
    other = fit_binormal(rw.tally(y, np.exp(z), sample_weight=np.full(len(y), 7.5)))
    assert (other.a, other.b) == pytest.approx((fit.a, fit.b), abs=1e-7)
    assert other.covariance == pytest.approx(fit.covariance, rel=1e-5)


def test_weights_that_vary_have_a_sandwich():
    """Rows counted twice double the information of independent rows, not of weighted ones."""
    y, z = sample(6, n=200)
    weight = np.random.default_rng(7).choice([0.5, 1.5], len(y))
    plain, weighted = (
        fit_binormal(rw.tally(y, z)),
        fit_binormal(rw.tally(y, z, sample_weight=weight)),
    )
    ratio = weighted.separation_error / plain.separation_error
    assert 1.0 < ratio < 1.4  # √(mean w² / (mean w)²) = 1.12
    copies = fit_binormal(rw.tally(np.tile(y, 2), np.tile(z, 2)))
    assert copies.separation_error < 0.8 * plain.separation_error


@pytest.mark.parametrize(
    ("y", "z", "words"),
    [
        ([0, 0, 1, 1], [1, 2, 3, 4], "no point inside"),
        ([0, 1, 0, 1], [1, 1, 2, 2], "one point inside"),
    ],
)
def test_curves_without_two_points_inside_are_refused(y, z, words):
    with pytest.raises(InputError, match=words):
        fit_binormal(rw.tally(y, z))


def test_tridiagonal_systems_are_solved_where_lapack_solves_them():
    rng = np.random.default_rng(0)
    solved = 0
    for case in range(500):
        n = case // 10 + 2
        diagonal, beside = rng.random(n) + rng.choice([0, 0.5, 1]), rng.normal(size=n - 1)
        beside *= rng.choice([0.1, 0.5, 1])
        columns = rng.normal(size=(n, 3))
        found = tridiagonal_solution(diagonal, beside, columns)
        try:
            expected = solveh_banded([np.append(0, beside), diagonal], columns)
        except LinAlgError:
            assert found is None
            continue
        scale = np.abs(expected).max()
        matrix = np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)
        assert np.abs(matrix @ found - columns).max() <= 1e-14 * (1 + scale)
        solved += 1
    assert 100 < solved < 450
    assert tridiagonal_solution(np.array([4.0]), np.empty(0), np.array([[2.0]])) == 0.5
