"""Differences by MOVER, against the formulas of Zou & Donner from the intervals of both areas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

import rocwalk as rw
from rocwalk.inference.differences import Area, bootstrap_difference, mover_difference, mover_reach
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.statistic import statistic_of

ONE, OTHER = Area((0.85, 0.85), (40, 60), 0.04), Area((0.7, 0.7), (30, 50), 0.06)


def request(level=0.95, **options):
    return Request(statistic_of("auc"), level, "mover", Plan(1), **options)


def logit_limits(area, error, k):
    """The area ∓ k errors on the logit scale, by the delta method."""
    middle, spread = math.log(area / (1 - area)), k * error / (area * (1 - area))
    return [1 / (1 + math.exp(-(middle + side * spread))) for side in (-1, 1)]


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("correlation", [0.0, 0.6])
def test_limits_are_those_of_zou(level, correlation):
    k = norm.isf((1 - level) / 2)
    (l1, u1), (l2, u2) = (logit_limits(one.ends[0], one.error, k) for one in (ONE, OTHER))
    a, b = 0.85, 0.7
    low = a - b - math.sqrt((a - l1) ** 2 + (u2 - b) ** 2 - 2 * correlation * (a - l1) * (u2 - b))
    high = a - b + math.sqrt((u1 - a) ** 2 + (b - l2) ** 2 - 2 * correlation * (u1 - a) * (b - l2))
    found = mover_difference(request(level), ONE, OTHER, difference=a - b, correlation=correlation)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)
    assert found.standard_error == pytest.approx((high - low) / (2 * k))
    assert mover_reach(ONE, OTHER, k, correlation) == pytest.approx(a - b - low)


def test_the_p_value_is_that_of_the_level_whose_limit_is_0():
    found = mover_difference(request(), ONE, OTHER, difference=0.15)
    level = 1 - found.p_value
    at = mover_difference(request(level), ONE, OTHER, difference=0.15)
    assert at.low == pytest.approx(0, abs=1e-9)
    turned = mover_difference(request(), OTHER, ONE, difference=-0.15)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))
    assert turned.p_value == pytest.approx(found.p_value)


def test_limits_are_never_nearer_than_the_error_that_is_known():
    found = mover_difference(request(), ONE, OTHER, difference=0.15, error=0.3)
    k = norm.isf(0.025)
    assert (found.low, found.high) == pytest.approx((0.15 - 0.3 * k, 0.15 + 0.3 * k))


def test_a_bootstrap_takes_the_spread_of_the_replicates():
    replicates = np.random.default_rng(1).normal(0.1, 0.05, 4000)
    asked = Request(statistic_of("auc"), 0.95, "bootstrap", Plan(4000))
    found = bootstrap_difference(asked, 0.1, replicates)
    assert found.standard_error == pytest.approx(np.std(replicates, ddof=1))
    assert found.difference == 0.1
    assert found.low < 0.1 < found.high


def test_compare_samples_uses_these_formulas():
    rng = np.random.default_rng(2)
    pairs = []
    for shift in (1.5, 0.5):
        y = np.repeat([1, 0], 30)
        pairs.append((y, rng.normal(shift * y)))
    found = rw.compare_samples(*pairs, method="mover")
    assert found.method == "mover"
    single = [rw.interval(*pair) for pair in pairs]
    a, b = (one.estimate for one in single)
    assert found.difference == pytest.approx(a - b)
    assert found.low < found.difference < found.high
