"""Intervals of numbers of the hull from half-samples, and of ratios on the log scale."""

from __future__ import annotations

import functools
import math
import warnings

import numpy as np
import pytest
from scipy.stats import t

import rocwalk as rw
from rocwalk.drift.sensibility import struggle_estimate
from rocwalk.errors import OptionError, SmallSampleWarning
from rocwalk.inference.closed_forms import log_limits, wilson
from rocwalk.inference.influence import variance_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.resampling import Plan, replicates
from rocwalk.statistic import statistic_of


def drawn(seed, n=80, area_up=1.2):
    rng = np.random.default_rng(seed)
    y = np.tile([0, 1], n // 2)
    return y, 1 / (1 + np.exp(-(area_up * (y - 0.5) + rng.normal(size=n))))


# -- half-samples --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["h_measure", "hull_area"])
def test_the_optimism_of_half_samples_is_subtracted(name):
    y, s = drawn(1)
    found = rw.interval(y, s, statistic=name, n_resamples=400, rng=3)
    statistic, tally = statistic_of(name), rw.tally(y, s)
    values = replicates(Evidence(tally), statistic, Plan(400, 3), stratified=False, halves=True)
    own, halves = -math.sqrt(1 - found.estimate), -np.sqrt(1 - values)
    optimism = (halves.mean() - own) / (2 ** (2 / 3) - 1)
    middle = own - optimism
    reach = t.ppf(0.975, 39) * math.hypot(halves.std(ddof=1), optimism / 2)
    low, high = 1 - (middle - reach) ** 2, 1 - min(middle + reach, 0) ** 2
    lowest = statistic.range[0]
    assert found.method == "half-sample"
    assert found.optimism == pytest.approx(found.estimate - max(1 - middle**2, lowest))
    assert found.optimism > 0
    assert found.low == pytest.approx(max(low, lowest))
    assert found.high == pytest.approx(max(high, found.estimate))
    assert found.standard_error == pytest.approx(values.std(ddof=1))
    assert found.low <= found.estimate <= found.high
    assert found.to_dict()["optimism"] == found.optimism


def test_half_samples_are_about_half_and_without_replacement():
    tally = rw.tally(*drawn(2, 200))
    seen = []

    def count(drawn):
        seen.append((drawn.total_count, drawn.up.max(), drawn.right.max()))
        return 0.0

    statistic = rw.statistic.Statistic("count", count)
    replicates(Evidence(tally), statistic, Plan(50, 0, 1), stratified=False, halves=True)
    totals, ups, rights = np.array(seen).T
    assert 90 < totals.mean() < 110
    assert max(ups.max(), rights.max()) == 1


def test_half_samples_take_clusters_whole_and_weights_along():
    y, s = drawn(3, 200)
    cluster, weights = np.repeat(np.arange(40), 5), np.random.default_rng(0).uniform(1, 2, 200)
    options = {"statistic": "h_measure", "n_resamples": 100, "rng": 1}
    for more in ({"cluster": cluster}, {"sample_weight": weights}):
        found = rw.interval(y, s, **options, **more)
        assert found.method == "half-sample"
        assert 0 <= found.low <= found.estimate <= found.high <= 1
        again = rw.interval(y, s, **options, **more, threads=1)
        assert again.to_json() == found.to_json()


def test_a_partial_of_the_metric_is_of_the_hull_too():
    y, s = drawn(4)
    asked = functools.partial(rw.metrics.h_measure_score, prior=(2, 2))
    assert rw.interval(y, s, statistic=asked, n_resamples=50, rng=0).method == "half-sample"


def test_a_bootstrap_of_the_hull_is_said_to_be_unreliable():
    y, s = drawn(5)
    with pytest.warns(
        SmallSampleWarning, match="'bca' of h_measure is not reliable here: the hull"
    ):
        rw.interval(y, s, statistic="h_measure", method="bca", n_resamples=50, rng=0)
    with pytest.warns(SmallSampleWarning, match="it is 1 in all half-samples"):
        rw.interval([1, 1, 0, 0], [4, 3, 2, 1], statistic="h_measure", n_resamples=50, rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.interval(y, s, statistic="h_measure", n_resamples=50, rng=0)


def test_half_samples_are_for_the_hull():
    with pytest.raises(OptionError, match="method='half-sample' is for numbers of the hull"):
        rw.interval(*drawn(6), method="half-sample")


# -- ratios on the log scale ---------------------------------------------------------------------


def test_the_struggle_ratio_on_the_log_scale():
    y, p = drawn(7, 100)
    found, tally = rw.interval(y, p, statistic="struggle_ratio"), rw.tally(y, p)
    estimate = struggle_estimate(tally)
    error = math.sqrt(variance_of(tally, estimate.influence, fixed=False) + estimate.more)
    arm = t.ppf(0.975, 49) * error / estimate.value
    assert found.method == "influence-log"
    assert (found.low, found.high) == pytest.approx(
        (estimate.value * math.exp(-arm), estimate.value * math.exp(arm))
    )
    plain = rw.interval(y, p, statistic="struggle_ratio", scale="plain")
    assert plain.method == "influence-plain"
    assert plain.standard_error == found.standard_error


def test_the_midpoint_on_the_log_scale():
    y, p = drawn(8, 100)
    found = rw.interval(y, p, statistic="midpoint")
    psi = (p / 2 - found.estimate * y) / y.sum()
    error = math.sqrt(100 / 99 * (psi**2).sum())
    arm = t.ppf(0.975, 49) * error / found.estimate
    assert found.standard_error == pytest.approx(error)
    assert math.log(found.high / found.low) == pytest.approx(2 * arm)


def test_no_item_on_the_wrong_side_is_not_certainty():
    y = np.repeat([1, 0], 10)
    p = np.where(y == 1, 0.9, 0.1)
    found = rw.interval(y, p, statistic="struggle_ratio")
    _, high = wilson(0.0, 20, 1.959963984540054)
    assert (found.estimate, found.low, found.method) == (0.0, 0.0, "wilson")
    assert found.high == pytest.approx(high / (1 - high))


def test_the_log_scale_is_for_ratios():
    with pytest.raises(OptionError, match="scale='log' is for losses and for numbers of 0 or more"):
        rw.interval(*drawn(9), scale="log")
    with pytest.raises(OptionError, match="scale='logit' is for numbers between 0 and 1"):
        rw.interval(*drawn(9), statistic="midpoint", scale="logit")


def test_limits_on_the_log_scale_hold_for_all_estimates_between_two():
    rng = np.random.default_rng(10)
    for _ in range(200):
        least, more, reach = rng.uniform(0.01, 2, 3)
        low, high = log_limits((least, least + more), reach)
        for estimate in rng.uniform(least, least + more, 20):
            assert low <= estimate * math.exp(-reach / estimate) * (1 + 1e-12)
            assert estimate * math.exp(reach / estimate) <= high * (1 + 1e-12)


@pytest.mark.parametrize("name", ["struggle_ratio", "midpoint"])
def test_buckets_only_widen_it(name):
    y, p = drawn(11, 400)
    tally = rw.tally(y, p)
    exact = rw.interval(tally, statistic=name)
    coarse = rw.interval(tally.bucketed(np.linspace(0, 1, 129)), statistic=name)
    assert coarse.method == exact.method == "influence-log"
    assert coarse.low <= exact.low + 1e-12
    assert exact.high <= coarse.high + 1e-12
