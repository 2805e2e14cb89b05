"""Intervals from bootstrap replicates."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.inference.items import evidence_from
from rocwalk.inference.resampled_intervals import unit_influences
from rocwalk.inference.resampling import Plan, replicates
from rocwalk.statistic import statistic_of


def sample(n=80, seed=0, soft=False, weighted=False):
    rng = np.random.default_rng(seed)
    f = rng.random(n) if soft else (rng.random(n) < 0.4) * 1.0
    s = np.round(np.clip(0.3 * f + 0.7 * rng.random(n), 0, 1), 2)
    return f, s, rng.random(n) + 0.2 if weighted else None


# -- the bootstrap -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["auc", "probabilistic_auc", "brier", "average_precision"])
@pytest.mark.parametrize("kind", ["hard", "soft", "weighted", "clustered"])
def test_replicates_against_a_plain_row_bootstrap(name, kind):
    """Rows drawn with numpy.random and measured one by one: another way, the same spread."""
    f, s, w = sample(60, 9, soft=kind == "soft", weighted=kind == "weighted")
    cluster = np.arange(60) // 3 if kind == "clustered" else None
    statistic = statistic_of(name)
    data_ = rw.interval.__globals__["evidence_of"](f, s, w, None, "auto", "raise")
    evidence = evidence_from(data_, cluster)
    stratified = statistic.conditional and evidence.is_counts
    ours = replicates(evidence, statistic, Plan(3_000, 2), stratified=stratified)
    rng, theirs = np.random.default_rng(3), []
    for _ in range(1_500):
        rows = plain_draw(rng, f, cluster, stratified)
        if 0 < f[rows].sum() < len(rows):
            weights = None if w is None else w[rows]
            kind_of = "soft" if kind == "soft" else "hard"
            theirs.append(
                statistic.of(rw.tally(f[rows], s[rows], sample_weight=weights, truth=kind_of))
            )
    spread = np.nanstd(ours)
    assert spread == pytest.approx(np.std(theirs), rel=0.12)
    assert np.nanmean(ours) == pytest.approx(np.mean(theirs), abs=6 * spread / math.sqrt(1_500))


def plain_draw(rng, f, cluster, stratified):
    if cluster is not None:
        drawn = rng.choice(cluster.max() + 1, cluster.max() + 1)
        return np.concatenate([np.flatnonzero(cluster == k) for k in drawn])
    if stratified:
        parts = [np.flatnonzero(f == k) for k in (1, 0)]
        return np.concatenate([rng.choice(part, len(part)) for part in parts])
    return rng.choice(len(f), len(f))


@pytest.mark.parametrize("max_fpr", [0.05, 0.2, 1 / 3, 1.0])
@pytest.mark.parametrize("kind", ["hard", "soft", "weighted", "clustered"])
@pytest.mark.parametrize("standardized", [False, True])
def test_partial_areas_together_are_those_one_by_one(kind, max_fpr, standardized):
    f, s, w = sample(60, 12, soft=kind == "soft", weighted=kind == "weighted")
    cluster = np.arange(60) // 3 if kind == "clustered" else None
    data_ = rw.interval.__globals__["evidence_of"](f, s, w, None, "auto", "raise")
    evidence = evidence_from(data_, cluster)
    whole = statistic_of("partial_auc", max_fpr=max_fpr, standardized=standardized)
    stratified = evidence.is_counts
    found = [
        replicates(evidence, each, Plan(200, 4), stratified=stratified)
        for each in (whole, replace(whole, together=None))
    ]
    np.testing.assert_allclose(*found, rtol=0, atol=1e-13)


def test_a_replicate_without_a_class_has_no_partial_area():
    up, right = np.array([[1, 0], [0, 0], [2, 1]]), np.array([[0, 0], [1, 1], [0, 1]])
    areas = statistic_of("partial_auc", max_fpr=0.5).together(np.empty(0), up, right)
    assert np.isnan(areas).tolist() == [True, True, False]


def test_the_midpoint_of_stratification():
    """A number that depends on the prevalence is resampled with the prevalence."""
    f, s, _ = sample(200, 10)
    prevalence = rw.interval(f, s, statistic="prevalence", method="percentile", rng=0)
    share = f.mean()
    assert prevalence.standard_error == pytest.approx(math.sqrt(share * (1 - share) / 200), rel=0.1)


@pytest.mark.parametrize("options", [{}, {"soft": True}, {"weighted": True}])
def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads(options):
    f, s, w = sample(700, 11, **options)
    ends = {
        (found.low, found.high)
        for threads in (1, 2, 3)
        for found in [
            rw.interval(
                f, s, sample_weight=w, method="bca", rng=5, threads=threads, n_resamples=1_500
            )
        ]
    }
    assert len(ends) == 1
    other = rw.interval(f, s, sample_weight=w, method="bca", rng=6, n_resamples=1_500)
    assert (other.low, other.high) not in ends


def test_progress_is_told():
    f, s, _ = sample(300, 12)
    told = []
    rw.interval(
        f, s, method="percentile", rng=0, n_resamples=3_000, progress=lambda *a: told.append(a)
    )
    assert told[-1] == (3_000, 3_000)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len(told) > 2


def test_basic_is_percentile_turned_round():
    f, s, _ = sample(90, 13)
    one = rw.interval(f, s, method="percentile", rng=1)
    other = rw.interval(f, s, method="basic", rng=1)
    assert other.low == pytest.approx(max(2 * one.estimate - one.high, 0))
    assert other.high == pytest.approx(min(2 * one.estimate - one.low, 1))


def test_bca_against_scipy():
    """scipy's BCa of a plain mean, which is our mean score with one class on each side."""
    from scipy.stats import bootstrap

    rng = np.random.default_rng(14)
    f, s = np.array([1.0, 0.0] * 40), rng.beta(2, 5, 80)
    ours = rw.interval(f, s, statistic="mean_score", method="bca", rng=1, n_resamples=9_999)
    theirs = bootstrap((s,), np.mean, method="BCa", n_resamples=9_999, rng=2).confidence_interval
    assert ours.low == pytest.approx(theirs.low, abs=0.004)
    assert ours.high == pytest.approx(theirs.high, abs=0.004)


def test_numerical_influences_are_the_analytic_ones():
    f, s, w = sample(50, 15, soft=True, weighted=True)
    evidence = evidence_from(rw.tally(f, s, sample_weight=w))
    exact = statistic_of("probabilistic_auc")
    numeric = statistic_of(exact.of)
    for one, other in zip(
        unit_influences(evidence, exact), unit_influences(evidence, numeric), strict=True
    ):
        assert one == pytest.approx(other, rel=2e-3, abs=1e-7)
