"""Few weighted scores that act like many: their error, and what they keep."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betaln

from rocwalk.smear import beta as beta_module
from rocwalk.smear import beta_nodes
from rocwalk.smear.sides import Side
from samples import NO_ADVICE

pytestmark = NO_ADVICE


def test_a_bound_of_interpolation_holds():
    """The survival function of a beta distribution between Chebyshev points, at many thresholds."""
    points, series = beta_nodes.POINTS, beta_nodes.SERIES
    positions = np.array([1e-12, 1e-5, 0.01, 0.1, 0.3, 0.5, 0.8])
    for concentration, low, high in ((0.5, 0.125, 0.25), (5, 0.25, 0.5), (200, 0.25, 0.28125)):
        bound = beta_nodes.interpolation_bound(concentration, np.array([low]), np.array([high]))
        inside = np.linspace(low, high, 101)
        nodes = low + (high - low) * (1 + points) / 2
        known = beta_module.survival(concentration, nodes, positions)
        values = np.polynomial.chebyshev.chebval(
            2 * (inside - low) / (high - low) - 1, series @ known
        )
        off = np.abs(values.T - beta_module.survival(concentration, inside, positions)).max()
        assert off <= bound[0] + 1e-13 < 1e-6


def test_nodes_keep_the_mass_the_mean_and_every_survival_function():
    """Many rows of each class act like their nodes, within the stated errors."""
    rng = np.random.default_rng(21)
    up, right = np.sort(rng.beta(2, 1, 6_000)), np.sort(rng.beta(0.3, 2, 9_000))
    up, right = np.clip(up, 1e-12, 1 - 1e-12), np.clip(right, 1e-12, 1 - 1e-12)
    weights = rng.random(len(right))
    sides = (Side(up, np.full(len(up), 1 / len(up))), Side(right, weights / weights.sum()))
    positions = np.array([1e-9, 1e-4, 0.03, 0.2, 0.5, 0.9, 0.999])
    for concentration in (0.3, 8.0, 400.0):
        nodes = beta_nodes.nodes_of(concentration, sides, beta_nodes.COARSE)
        assert len(nodes.scores) < (len(up) + len(right)) / 4
        assert np.all(np.diff(nodes.scores) > 0)
        assert nodes.rest == pytest.approx(1 - nodes.scores, abs=1e-15)
        survival = beta_module.survival(concentration, nodes.scores, positions)
        for side, shares, error in zip(sides, nodes.shares, nodes.errors, strict=True):
            assert shares.sum() == pytest.approx(1, abs=1e-10)
            assert shares @ nodes.scores == pytest.approx(side.shares @ side.scores, abs=1e-10)
            exact = side.shares @ beta_module.survival(concentration, side.scores, positions)
            assert np.abs(shares @ survival - exact).max() <= error + 1e-12
        assert 0 < nodes.errors.max() < 1e-6


def test_few_rows_stay_as_they_are():
    """Up to the number from which nodes are worth it, with both classes on one list of scores."""
    up, right = np.array([0.2, 0.6, 0.9]), np.array([0.2, 0.7])
    sides = (Side(up, np.array([0.5, 0.25, 0.25])), Side(right, np.array([0.5, 0.5])))
    nodes = beta_nodes.nodes_of(5.0, sides, beta_nodes.FINE)
    assert nodes.scores == pytest.approx([0.2, 0.6, 0.7, 0.9], abs=0)
    assert nodes.shares.tolist() == [[0.5, 0.25, 0, 0.25], [0.5, 0, 0.5, 0]]
    assert not nodes.errors.any()


def test_the_height_is_the_largest_density_of_the_log_odds():
    scores = np.array([1e-8, 0.02, 0.5, 0.97])
    for concentration in (0.01, 1.0, 60.0, 1e5):
        side = Side(scores, np.full(4, 0.25))
        nodes = beta_nodes.nodes_of(concentration, (side, side), beta_nodes.FINE)
        low, high = concentration * scores, concentration * (1 - scores)
        at_peak = low * np.log(scores) + high * np.log1p(-scores) - betaln(low, high)
        assert nodes.height == pytest.approx(np.exp(at_peak), rel=1e-8)
