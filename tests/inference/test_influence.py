"""Weights that vary: degrees of freedom from the items that make the error, and a warning."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import t

import rocwalk as rw
from rocwalk.errors import SmallSampleWarning
from rocwalk.inference.influence import auc_influence, contributing, contributing_items
from rocwalk.inference.items import Evidence


def drawn(rng, n=60, weigh=lambda rng, z: np.exp(rng.normal(size=len(z)))):
    y = np.repeat([1, 0], [n // 2, n - n // 2])
    z = 1.2 * y + rng.normal(size=n)
    return {"y_true": y, "y_score": z, "sample_weight": weigh(rng, z)}


def with_score(rng, z):
    return np.exp(-1.2 * z)


def test_items_that_make_the_error_are_counted():
    data = drawn(np.random.default_rng(1))
    tally = rw.tally(**data)
    influence = auc_influence(tally)
    order = np.argsort(-data["y_score"])
    y, w = data["y_true"][order], data["sample_weight"][order]
    psi = w * np.where(y == 1, influence.up, influence.right)
    assert contributing_items(tally, influence) == pytest.approx(contributing(psi))
    assert 1 <= contributing(psi) <= len(psi)


def test_they_are_the_degrees_of_freedom_where_they_are_fewer():
    data = drawn(np.random.default_rng(2))
    found = rw.interval(**data, method="influence", scale="plain")
    tally = rw.tally(**data)
    made_by = contributing_items(tally, auc_influence(tally))
    assert made_by < min(Evidence(tally).effective_sizes)
    reach = t.ppf(0.975, made_by - 1) * found.standard_error
    assert found.high - found.low == pytest.approx(
        min(found.estimate + reach, 1) - max(found.estimate - reach, 0)
    )


@pytest.mark.parametrize("truth", ["hard", "soft"])
def test_equal_weights_keep_their_degrees_of_freedom(truth):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 80) if truth == "hard" else rng.choice([0, 0.25, 0.5, 1], 80)
    s = y + rng.normal(size=80)
    bare = rw.interval(y, s, truth=truth)
    same = rw.interval(y, s, truth=truth, sample_weight=np.full(80, 3.0))
    assert (same.low, same.high) == pytest.approx((bare.low, bare.high), rel=1e-9)


@pytest.mark.parametrize("bins", [8, 64, 1024])
def test_buckets_allow_no_more_of_them(bins):
    rng = np.random.default_rng(4)
    data = drawn(rng, 400)
    data["y_score"] = 1 / (1 + np.exp(-data["y_score"]))
    exact = rw.tally(**data)
    coarse = exact.bucketed(np.linspace(0, 1, bins + 1))
    most = contributing_items(exact, auc_influence(exact))
    assert contributing_items(coarse, auc_influence(coarse)) <= most * (1 + 1e-9)


def test_a_comparison_has_them_too():
    rng = np.random.default_rng(5)
    data = drawn(rng)
    y, w, a = data["y_true"], data["sample_weight"], data["y_score"]
    scores = {"a": a, "b": a + rng.normal(size=len(a))}
    pair = rw.compare(y, scores, sample_weight=w).pairs[0]
    even = rw.compare(y, scores, sample_weight=np.ones(len(y))).pairs[0]
    assert 1 <= pair.df < min(Evidence(rw.tally(**data)).effective_sizes) - 1
    assert even.df is None or even.df > pair.df
    assert (pair.p_value < 0.05) == (not pair.low <= 0 <= pair.high)


def test_weights_that_go_with_the_scores_are_said():
    rng = np.random.default_rng(6)
    data = drawn(rng, 200, with_score)
    with pytest.warns(SmallSampleWarning, match="the weights go with the scores") as given:
        rw.interval(**data)
    items, effective = given[0].message.fields.counts
    assert items == 200
    assert effective < 100
    y, s, w = data["y_true"], data["y_score"], data["sample_weight"]
    with pytest.warns(SmallSampleWarning, match="the weights go with the scores"):
        rw.compare(y, {"a": s, "b": s + rng.normal(size=200)}, sample_weight=w)
    with pytest.warns(SmallSampleWarning, match="the weights go with the scores"):
        rw.compare_samples((y, s), (y, s), sample_weight=(w, None))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.interval(**drawn(rng, 200))


def test_a_class_without_items_has_no_units():
    assert Evidence(rw.tally([0, 0], [0.1, 0.2], sample_weight=[1.0, 3.0])).effective_sizes == (
        0,
        1.6,
    )
    assert Evidence(rw.tally([1, 1], [0.1, 0.2])).effective_sizes == (2, 0)
