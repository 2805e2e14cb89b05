"""Requests: levels, scales and margins that can be, and methods that suit the data."""

from __future__ import annotations

import math
import re

import pytest
from scipy import stats

from rocwalk.errors import OptionError
from rocwalk.inference.request import Request, closed_method, refuse_unfit
from rocwalk.inference.resampling import Plan
from rocwalk.statistic import statistic_of

AUC = statistic_of("auc")
SENSITIVITY = statistic_of("sensitivity", threshold=0.5)
HULL = statistic_of("hull_area")
BRIER = statistic_of("brier")
PROBABILISTIC = statistic_of("probabilistic_auc")


def request(statistic=AUC, method="auto", **options):
    return Request(statistic, options.pop("level", 0.95), method, Plan(100, 0), **options)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_quantiles_and_tails_are_those_of_the_level(level):
    asked = request(level=level)
    assert asked.z == pytest.approx(stats.norm.ppf(0.5 + level / 2), rel=1e-12)
    assert asked.tails == pytest.approx(((1 - level) / 2, (1 + level) / 2))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": 1}, "confidence_level=1 is outside (0, 1)."),
        ({"level": math.nan}, "confidence_level=nan is not a number."),
        ({"scale": "cubic"}, "scale='cubic' is not known."),
        ({"margin": -0.1}, "margin=-0.1 is not a finite number of 0 or more."),
        ({"margin": math.inf}, "margin=inf is not a finite number of 0 or more."),
    ],
)
def test_options_that_cannot_be(options, words):
    with pytest.raises(OptionError, match=re.escape(words)) as caught:
        request(**options)
    assert "\nHint: " in str(caught.value)


@pytest.mark.parametrize(
    ("statistic", "hard", "clustered", "method"),
    [
        (AUC, True, False, "delong"),
        (AUC, False, False, "influence"),
        (AUC, True, True, "jackknife"),
        (PROBABILISTIC, True, False, "influence"),
        (PROBABILISTIC, False, True, "jackknife"),
        (HULL, True, False, None),
    ],
)
def test_the_closed_form_of_the_data(statistic, hard, clustered, method):
    assert closed_method(statistic, hard=hard, clustered=clustered) == method


def test_a_number_on_the_log_scale_has_an_influence_function_without_clusters():
    ratio = statistic_of("struggle_ratio")
    for statistic in (HULL, ratio):
        if statistic.influence is None:
            assert closed_method(statistic, hard=True, clustered=False, by_logarithm=True) == (
                "influence"
            )
            assert closed_method(statistic, hard=True, clustered=True, by_logarithm=True) is None


@pytest.mark.parametrize(
    ("statistic", "method", "hard", "clustered", "words"),
    [
        (AUC, "delong", False, False, "is for the AUC of hard labels with constant weights."),
        (AUC, "delong", True, True, "is for the AUC of hard labels with constant weights."),
        (BRIER, "delong", True, False, "is for the AUC of hard labels with constant weights."),
        (AUC, "jackknife", True, False, "is for clusters."),
        (AUC, "obuchowski", False, True, "is for clusters of hard labels."),
        (BRIER, "newcombe", True, False, "is for the AUC."),
        (AUC, "half-sample", True, False, "is for numbers of the hull."),
        (BRIER, "permutation", True, False, "is for the AUC."),
        (AUC, "wilson", True, False, "is for rates at a threshold and the prevalence"),
        (SENSITIVITY, "wilson", True, True, "is for rates at a threshold and the prevalence"),
    ],
)
def test_methods_that_do_not_suit_are_refused(statistic, method, hard, clustered, words):
    with pytest.raises(OptionError, match=re.escape(f"method={method!r} {words}")) as caught:
        refuse_unfit(request(statistic, method), hard=hard, clustered=clustered)
    assert "\nHint: " in str(caught.value)


@pytest.mark.parametrize(
    ("statistic", "method", "hard", "clustered"),
    [
        (AUC, "delong", True, False),
        (AUC, "jackknife", False, True),
        (AUC, "obuchowski", True, True),
        (AUC, "newcombe", True, False),
        (HULL, "half-sample", True, False),
        (SENSITIVITY, "wilson", True, False),
        (SENSITIVITY, "mover", False, False),
        (BRIER, "bootstrap", True, True),
    ],
)
def test_methods_that_suit_pass(statistic, method, hard, clustered):
    refuse_unfit(request(statistic, method), hard=hard, clustered=clustered)
