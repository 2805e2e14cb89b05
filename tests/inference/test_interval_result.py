"""Intervals as results: scales, quantiles, ranges, words, against the formulas and SciPy."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy import special, stats

import rocwalk as rw
from rocwalk.errors import OptionError
from rocwalk.inference.interval_result import around, bounds_words, made_interval, newcombe_interval
from rocwalk.inference.items import evidence_from
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.read.arrays import check
from rocwalk.statistic import statistic_of

RNG = np.random.default_rng(4)
Y = RNG.permutation(np.repeat([0, 1], [60, 40]))
S = 1 / (1 + np.exp(-RNG.normal(1.2 * Y - 0.6)))
AUC, RATIO, MIDPOINT = map(statistic_of, ("auc", "struggle_ratio", "midpoint"))


def request(statistic=AUC, method="auto", level=0.95, scale=None):
    return Request(statistic, level, method, Plan(100, 0), scale=scale)


@pytest.fixture(scope="module")
def evidence():
    return evidence_from(check(Y, S))


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_an_area_without_influence_is_estimate_and_normal_quantile(evidence, level):
    found = around(evidence, request(level=level, scale="plain"), "delong", 0.8, 0.05)
    reach = stats.norm.ppf(0.5 + level / 2) * 0.05
    assert (found.low, found.high) == pytest.approx((0.8 - reach, min(0.8 + reach, 1)))
    assert found.method == "delong-plain"
    assert (found.estimate, found.standard_error, found.bounds) == (0.8, 0.05, None)


def test_on_the_logit_scale_the_limits_are_those_of_the_logit(evidence):
    found = around(evidence, request(scale="logit"), "delong", 0.8, 0.05)
    reach = stats.norm.ppf(0.975) * 0.05 / (0.8 * 0.2)
    centre = special.logit(0.8)
    assert (found.low, found.high) == pytest.approx(
        (special.expit(centre - reach), special.expit(centre + reach))
    )
    assert found.method == "delong-logit"


def test_a_ratio_has_students_quantile_on_the_log_scale(evidence):
    found = around(evidence, request(RATIO), "influence", 0.4, 0.1)
    reach = stats.t.ppf(0.975, evidence.mass_degrees) * 0.1 / 0.4
    assert (found.low, found.high) == pytest.approx((0.4 * math.exp(-reach), 0.4 * math.exp(reach)))
    assert found.method == "influence-log"


def test_clusters_minus_one_are_the_degrees_of_freedom():
    evidence = evidence_from(check(Y, S), np.arange(len(Y)) // 5)
    found = around(evidence, request(scale="plain"), "influence", 0.8, 0.01)
    reach = stats.t.ppf(0.975, 100 / 5 - 1) * 0.01
    assert (found.low, found.high) == pytest.approx((0.8 - reach, 0.8 + reach))


def test_limits_stay_in_the_range_of_the_statistic(evidence):
    found = made_interval(evidence, request(), "delong", 0.99, 0.1, (0.7, 1.3))
    assert (found.low, found.high) == (0.7, 1.0)
    assert made_interval(evidence, request(), "delong", 0.0, 0.1, (-3.0, -2.0)).high == 0.0


def test_buckets_carry_the_ends_of_the_estimate(evidence):
    bucketed = evidence_from(evidence.tally.bucketed(np.linspace(0, 1, 8)))
    ends = (0.78, 0.82)
    found = around(bucketed, request(scale="plain"), "delong", 0.8, 0.05, ends=ends)
    assert found.bounds == (0.78, 0.8, 0.82)
    reach = stats.norm.ppf(0.975) * 0.05
    assert (found.low, found.high) == pytest.approx((0.78 - reach, 0.82 + reach))
    assert "of buckets ± 0.02" in found.sentence
    assert bounds_words((0.5, 0.5, 0.5)) == "exact"


def test_newcombes_error_is_half_its_width(evidence):
    found = newcombe_interval(evidence, request(), 0.9)
    expected = rw.interval(Y, S, method="newcombe")
    assert found.method == expected.method == "newcombe"
    assert found.low < 0.9 < found.high
    z = stats.norm.ppf(0.975)
    assert found.standard_error == pytest.approx((found.high - found.low) / (2 * z))


@pytest.mark.parametrize(
    ("statistic", "scale", "words"),
    [
        (MIDPOINT, "logit", "scale='logit' is for numbers between 0 and 1."),
        (
            AUC,
            "log",
            "scale='log' is for losses and for numbers of 0 or more without an upper limit.",
        ),
    ],
)
def test_scales_that_do_not_suit(evidence, statistic, scale, words):
    with pytest.raises(OptionError, match=re.escape(words)):
        around(evidence, request(statistic, scale=scale), "influence", 0.5, 0.1)


def test_words_and_methods():
    found = rw.interval(Y, S)
    assert found.sentence == (
        f"AUC {found.estimate:.3f}, 95 % interval {found.low:.3f} to {found.high:.3f} "
        f"({found.method})."
    )
    assert "95 %" in found.methods().text
    assert found.to_dict()["failed"] is None
