"""Likelihood ratios of rows, against integration over the truth."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.drift.likelihood_ratios import (
    alternatives,
    log_likelihood,
    nearest_in_band,
)


def expit(x):
    return 1 / (1 + np.exp(-x))


def ratios(h, reach, times):
    """The log-likelihood ratios of both outcomes: of each alternative against its edge."""
    others = alternatives(np.array([h]), -1.0)
    edge = nearest_in_band(others, np.array([h]), np.array([reach]))
    return [
        ((log_likelihood(y, others) - log_likelihood(y, edge)) * times)[0]
        for y in (np.zeros((1, 1)), np.ones((1, 1)))
    ]


@pytest.mark.parametrize("times", [1.0, 0.4, 1 / 3.7], ids=["whole", "weight", "dependence"])
@pytest.mark.parametrize("reach", [0.2, 0.5, 2.0])
@pytest.mark.parametrize("h", [-6.0, -1.0, 0.3, 4.0])
def test_no_truth_in_the_band_makes_a_ratio_grow(h, reach, times):
    """E[LR] in closed form, for each alternative and for truths all over the band."""
    negative, positive = ratios(h, reach, times)
    for truth in np.linspace(h - reach, h + reach, 41):
        q = expit(truth)
        assert ((1 - q) * np.exp(negative) + q * np.exp(positive) <= 1 + 1e-12).all()
        for low in (0.0, 0.5 * q, q):  # soft truth of mean q: as much at `low` as keeps the mean
            share = (1 - q) / (1 - low)
            at_low = np.exp((1 - low) * negative + low * positive)
            assert (share * at_low + (1 - share) * np.exp(positive) <= 1 + 1e-12).all()
    outside = expit(alternatives(np.array([h]), -1.0)[0])
    mean = (1 - outside) * np.exp(negative) + outside * np.exp(positive)
    beyond = (np.exp(positive) != 1) | (np.exp(negative) != 1)
    assert (mean[beyond] > 1).all()  # and under the alternative itself it grows
    assert beyond.any() or reach == 2.0


def test_a_ratio_is_fair_at_the_edge_of_the_band():
    h, reach = 0.3, 0.2
    negative, positive = ratios(h, reach, 1.0)
    q = expit(h + reach)
    up = alternatives(np.array([h]), -1.0)[0] > h + reach
    mean = (1 - q) * np.exp(negative) + q * np.exp(positive)
    assert mean[up] == pytest.approx(1, abs=1e-14)


# -- what the reference knows ----------------------------------------------------------------------


def clustered(seed, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(-1, 1.2, n)
    shared = np.repeat(rng.normal(0, 1.5, n // 10), 10)
    return (rng.random(n) < expit(x + shared)).astype(int), expit(x)


def test_dependence_is_seen_in_the_order_of_time():
    y, p = clustered(13, 4000)
    order = np.random.default_rng(14).permutation(4000)
    apart = y[order], p[order]
    assert rw.DriftWatch((y, p)).dependence > 1.5
    assert rw.DriftWatch(apart).dependence == 1
    assert rw.DriftWatch(apart, time=order).dependence == rw.DriftWatch((y, p)).dependence
    days = np.datetime64("2024-01-01") + order.astype("timedelta64[D]")
    assert rw.DriftWatch(apart, time=days).dependence > 1.5
    tally = rw.DriftWatch(rw.tally(y, p))
    assert (tally.dependence, tally.has_order) == (1, False)
    assert rw.DriftWatch((y, p)).has_order
