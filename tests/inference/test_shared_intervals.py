"""Intervals from shared tallies: three errors that add."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import OneClassError, OptionError


def sites(count=5, n=2000, seed=0, effect=1.2):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        y = (rng.random(n) < 0.2).astype(int)
        yield rw.tally(y, 1 / (1 + np.exp(-rng.normal(effect * y - 1.5, 1))))


def test_without_noise_it_is_the_interval_of_the_bucketed_tally():
    shared = sum(rw.share(one) for one in sites())
    found, plain = rw.interval(shared), rw.interval(shared.tally())
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-12)
    assert found.bucket_error == pytest.approx(shared.bucket_error)
    assert found.privacy_error == 0
    exact = rw.interval(rw.Tally.merge(list(sites())))
    assert found.low < exact.low
    assert found.high > exact.high


def test_noise_widens_the_interval_by_its_error():
    shared = sum(rw.share(one, epsilon=1, rng=k) for k, one in enumerate(sites()))
    found = rw.interval(shared)
    assert found.estimate == shared.area
    assert found.privacy_error == shared.privacy_error > 0
    assert found.standard_error == pytest.approx(
        math.hypot(found.sampling_error, found.privacy_error)
    )
    exact = rw.interval(rw.Tally.merge(list(sites())), method="delong")
    assert found.sampling_error == pytest.approx(exact.standard_error, rel=0.2)
    assert found.low < found.estimate - found.bucket_error
    assert "privacy noise" in found.sentence
    assert "privacy noise" not in rw.interval(rw.share(next(sites()))).sentence


@pytest.mark.parametrize(
    ("statistic", "options"),
    [
        ("probabilistic_auc", {}),
        ("partial_auc", {"max_fpr": 0.2}),
        ("sensitivity", {"threshold": 0.25}),
        ("prevalence", {}),
    ],
)
def test_other_numbers(statistic, options):
    exact = rw.interval(rw.Tally.merge(list(sites())), statistic=statistic, rng=1, **options)
    plain = sum(rw.share(one, minimum=1) for one in sites())
    noised = sum(rw.share(one, epsilon=2, rng=k) for k, one in enumerate(sites()))
    if statistic == "partial_auc":  # has no error of sampling from buckets
        with pytest.raises(ValueError, match="bucketed"):
            rw.interval(plain, statistic=statistic, **options)
        return
    one, other = (
        rw.interval(each, statistic=statistic, rng=1, **options) for each in (plain, noised)
    )
    assert one.bounds[0] - 1e-12 <= exact.estimate <= one.bounds[2] + 1e-12
    assert other.privacy_error > 0 == one.privacy_error
    assert other.low - 1e-12 <= exact.estimate <= other.high + 1e-12
    assert other.high - other.low > exact.high - exact.low


def test_what_needs_the_scores_is_refused():
    shared = rw.share(next(sites()))
    for statistic in ("brier", "midpoint", "struggle_ratio"):
        with pytest.raises(OptionError, match="needs the scores themselves"):
            rw.interval(shared, statistic=statistic)
    with pytest.raises(OptionError, match="cannot be given together with a Tally"):
        rw.interval(shared, [0.1])
    with pytest.raises(OptionError, match="method='bca' is not known"):
        rw.interval(shared, method="bca")


def test_one_class_has_no_area():
    shared = rw.share(rw.tally([1] * 20, np.linspace(0, 1, 20)))
    with pytest.raises(OneClassError, match="The shared tally has no negative items"):
        rw.interval(shared)
    assert math.isnan(shared.area)
    assert math.isnan(shared.bucket_error)
