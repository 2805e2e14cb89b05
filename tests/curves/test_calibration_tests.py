"""Spiegelhalter's and Hosmer and Lemeshow's tests, by their formulas and in level."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from curves.calibrated import FOUND, P, Y
from rocwalk.errors import (
    OptionError,
)


def test_spiegelhalters_z_by_its_formula():
    z = ((Y - P) * (1 - 2 * P)).sum() / math.sqrt(((1 - 2 * P) ** 2 * P * (1 - P)).sum())
    assert FOUND.spiegelhalter.statistic == pytest.approx(z)
    sentence = FOUND.spiegelhalter.sentence
    assert sentence.startswith(f"Spiegelhalter: z = {z:.3g}, p < 0.0001. It says whether chance")
    assert "not how large" in sentence
    assert ", p = 0.52. It says" in rw.calibration(Y[:40], P[:40]).spiegelhalter.sentence


@pytest.mark.filterwarnings("ignore::rocwalk.errors.RocwalkWarning")
def test_a_test_without_variance_says_so():
    found = rw.calibration([1, 0, 1, 0], [1.0, 0.0, 1.0, 0.0])
    assert "z = nan, p undefined." in found.spiegelhalter.sentence


def test_hosmer_and_lemeshow_by_deciles():
    from scipy.stats import chi2

    order = np.argsort(P, kind="stable")
    value = 0.0
    for part in np.array_split(order, 10):
        expected, variance = P[part].sum(), (P[part] * (1 - P[part])).sum()
        value += (Y[part].sum() - expected) ** 2 / variance
    found = FOUND.hosmer_lemeshow()
    assert found.statistic == pytest.approx(value, rel=0.02)  # ties at the edges of groups
    assert found.df == 10
    assert found.p_value == pytest.approx(chi2.sf(found.statistic, 10))
    assert FOUND.hosmer_lemeshow(fitted=2).df == 8
    with pytest.raises(OptionError, match="leaves no degrees of freedom"):
        rw.calibration([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]).hosmer_lemeshow(fitted=2)


def test_the_level_of_both_tests():
    rng = np.random.default_rng(0)
    p_values = []
    for _ in range(300):
        p = rng.random(200)
        found = rw.calibration(rng.random(200) < p, p)
        p_values.append((found.spiegelhalter.p_value, found.hosmer_lemeshow().p_value))
    rejected = (np.array(p_values) < 0.05).mean(axis=0)
    assert (rejected > 0.02).all()
    assert (rejected < 0.09).all()


def test_hosmer_and_lemeshow_of_clusters_by_the_design_effect():
    from scipy.stats import f, t

    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(30), rng.integers(2, 9, 30))
    p = rng.random(len(cluster))
    y = (rng.random(30)[cluster] < p).astype(int)  # patients of their own luck
    found = rw.calibration(y, p, cluster=cluster, n_resamples=2)
    order, group = np.argsort(-p), np.empty(len(p), dtype=int)
    group[order] = (np.arange(len(p)) + 0.5) * 10 // len(p)
    sums = np.zeros((30, 10))
    np.add.at(sums, (cluster, group), y - p)
    variance = np.bincount(group, p * (1 - p))
    effect = ((sums**2).sum(axis=0) * 30 / 29 / variance).mean()
    plain = (sums.sum(axis=0) ** 2 / variance).sum()
    test = found.hosmer_lemeshow()
    assert effect > 1.4
    assert test.statistic == pytest.approx(plain / effect)
    assert test.p_value == pytest.approx(f.sf(test.statistic / 10, 10, 29))
    luck = np.bincount(cluster, (y - p) * (1 - 2 * p))
    z = luck.sum() / math.sqrt((luck**2).sum() * 30 / 29)
    assert found.spiegelhalter.statistic == pytest.approx(z)
    assert found.spiegelhalter.p_value == pytest.approx(2 * t.sf(abs(z), 29))


def test_the_level_of_both_tests_over_clusters():
    """Of 50 patients the quadratic form of the covariance rejects 21 % instead of 5."""
    rng = np.random.default_rng(5)
    p_values = []
    for _ in range(300):
        cluster = np.repeat(np.arange(50), rng.integers(1, 7, 50))
        p = rng.random(len(cluster))
        found = rw.calibration(rng.random(50)[cluster] < p, p, cluster=cluster, n_resamples=1)
        p_values.append((found.spiegelhalter.p_value, found.hosmer_lemeshow().p_value))
    rejected = (np.array(p_values) < 0.05).mean(axis=0)
    assert (rejected < 0.09).all()
    assert rejected[0] > 0.02


def test_copies_in_a_cluster_change_no_test():
    single, units = rw.calibration(Y, P, cluster=np.arange(len(Y))), np.repeat(np.arange(len(Y)), 2)
    copies = rw.calibration(np.repeat(Y, 2), np.repeat(P, 2), cluster=units)
    for one, other in (
        (single.spiegelhalter, copies.spiegelhalter),
        (single.hosmer_lemeshow(), copies.hosmer_lemeshow()),
    ):
        assert other.p_value == pytest.approx(one.p_value, rel=1e-9)
