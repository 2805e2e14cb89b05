"""Intervals from shared tallies: three errors that add."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import InputError, OneClassError, OptionError


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
        ("sensitivity", {"threshold": 0.25}),
        ("precision", {"threshold": 0.25}),
        ("net_benefit", {"threshold": 0.25}),
        ("prevalence", {}),
        ("mean_score", {}),
        ("midpoint", {}),
        ("expected_observed", {}),
        ("brier", {}),
    ],
)
def test_other_numbers(statistic, options):
    exact = rw.interval(rw.Tally.merge(list(sites())), statistic=statistic, rng=1, **options)
    plain = sum(rw.share(one, minimum=1) for one in sites())
    noised = sum(rw.share(one, epsilon=2, rng=k) for k, one in enumerate(sites()))
    one, other = (rw.interval(each, statistic=statistic, **options) for each in (plain, noised))
    assert one.bounds[0] - 1e-12 <= exact.estimate <= one.bounds[2] + 1e-12
    assert other.privacy_error > 0 == one.privacy_error
    assert other.low - 1e-12 <= exact.estimate <= other.high + 1e-12
    assert other.high - other.low > exact.high - exact.low


@pytest.mark.parametrize(
    ("statistic", "options"),
    [
        ("auc", {}),
        ("probabilistic_auc", {}),
        ("prevalence", {}),
        ("brier", {}),
        ("sensitivity", {"threshold": 0.25}),
        ("precision", {"threshold": 0.25}),
        ("net_benefit", {"threshold": 0.25}),
    ],
)
def test_the_privacy_error_is_the_spread_over_noise_drawn_anew(statistic, options):
    """200 draws of the noise on the same rows: their spread is known to 5 %, asked to 20 %."""
    exact = rw.Tally.merge(list(sites(3)))
    shared = (rw.share(exact, buckets=32, epsilon=0.5, rng=seed) for seed in range(200))
    found = [rw.interval(each, statistic=statistic, **options) for each in shared]
    values, errors = np.array([(each.estimate, each.privacy_error) for each in found]).T
    assert errors.mean() == pytest.approx(values.std(ddof=1), rel=0.2)


def test_buckets_add_to_sampling_and_noise():
    """The interval is that of sampling and noise in quadrature around both ends of the buckets."""
    shared = sum(rw.share(one, buckets=16, epsilon=1, rng=k) for k, one in enumerate(sites()))
    found = rw.interval(shared)
    least, _, most = found.bounds
    z = 1.959964
    reach = z * found.standard_error
    assert found.low == pytest.approx(least - reach, abs=0.1 * reach)
    assert found.high == pytest.approx(most + reach, abs=0.1 * reach)
    assert least - found.low >= 0.9 * z * found.privacy_error


def test_a_tally_with_noise_has_the_same_interval_as_its_shared_tally():
    shared = sum(rw.share(one, epsilon=1, rng=k) for k, one in enumerate(sites()))
    one = rw.interval(shared, statistic="sensitivity", threshold=0.25)
    other = rw.interval(shared.tally(), statistic="sensitivity", threshold=0.25)
    assert isinstance(other, rw.SharedInterval)
    assert one.to_dict() == other.to_dict()
    assert not isinstance(rw.interval(next(sites())), rw.SharedInterval)


def test_what_needs_the_scores_is_refused():
    shared = rw.share(next(sites()))
    with pytest.raises(OptionError, match="needs the sums of the scores"):
        rw.interval(shared, statistic="struggle_ratio")
    for statistic, options in (("partial_auc", {"max_fpr": 0.2}), ("log_loss", {})):
        with pytest.raises(ValueError, match="a shared tally has buckets only"):
            rw.interval(shared, statistic=statistic, **options)
    with pytest.raises(OptionError, match="cannot be given together with a Tally"):
        rw.interval(shared, [0.1])
    with pytest.raises(OptionError, match="method='bca' is not known"):
        rw.interval(shared, method="bca")


# -- differences, bands, drift ---------------------------------------------------------------------


def noised(seed, effect=1.2, buckets=64, epsilon=0.5, n=2000):
    rng = np.random.default_rng(1000 + seed)
    parts = [
        rw.share(one, buckets=buckets, epsilon=epsilon, rng=rng)
        for one in sites(5, n, seed=seed, effect=effect)
    ]
    return sum(parts).tally()


def without_noise(tally):
    return replace(tally, stored={**tally.stored, "noise": np.zeros(len(tally))})


def test_differences_and_bands_include_the_noise():
    one, other = noised(0), noised(1)
    plain = rw.compare_samples(without_noise(one), without_noise(other))
    found = rw.compare_samples(one, other)
    assert found.high - found.low > 1.05 * (plain.high - plain.low)
    wide, narrow = rw.band(one), rw.band(without_noise(one))
    assert all(a > b for a, b in zip(wide.reach, narrow.reach, strict=True))


def test_drift_of_noised_tallies_is_no_alarm_of_the_noise():
    """20 pairs without drift: as if there were no noise about 8 alarm, with its error at most 4."""
    alarms = [0, 0]
    for seed in range(0, 40, 2):
        both = noised(seed), noised(seed + 1)
        alarms[0] += rw.drift(*both).drifted
        alarms[1] += rw.drift(*map(without_noise, both)).drifted
    assert alarms[0] <= 4 < alarms[1]
    assert rw.drift(noised(0), noised(1, effect=0.3)).drifted


def test_shared_tallies_are_named_where_a_tally_is_asked_for():
    shared = rw.share(next(sites()))
    for function in (rw.drift, rw.compare_samples):
        with pytest.raises(InputError, match=r"is a SharedTally.\nHint: pass its \.tally\(\)"):
            function(shared, shared)


def test_one_class_has_no_area():
    shared = rw.share(rw.tally([1] * 20, np.linspace(0, 1, 20)))
    with pytest.raises(OneClassError, match="The shared tally has no negative items"):
        rw.interval(shared)
    assert math.isnan(shared.area)
    assert math.isnan(shared.bucket_error)
