"""The operating rule: what its options mean, and the point that it takes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.curves.rules import operating_rule
from rocwalk.errors import OptionError
from rocwalk.tally.walk import walk_of

RNG = np.random.default_rng(4)
Y = RNG.integers(0, 2, 80)
S = (Y + RNG.normal(0, 1, 80)).round(1)
WALK, CURVE = walk_of(rw.tally(Y, S)), rw.roc(Y, S)
COSTS = rw.Costs(false_positive=1, false_negative=10)


@pytest.mark.parametrize(
    ("options", "state"),
    [
        ({}, {"kind": "youden"}),
        ({"metric": "closest"}, {"kind": "closest"}),
        ({"costs": COSTS}, {"kind": "costs", "false_positive": 1, "false_negative": 10}),
        (
            {"prevalence": 0.02},
            {"kind": "costs", "false_positive": 1, "false_negative": 1, "prevalence": 0.02},
        ),
        ({"threshold": 0.5}, {"kind": "threshold", "threshold": 0.5}),
        ({"rate": 0.05}, {"kind": "rate", "rate": 0.05}),
        (
            {"rate": 0.05, "costs": COSTS},
            {"kind": "rate", "rate": 0.05, "false_positive": 1, "false_negative": 10},
        ),
    ],
)
def test_options_are_one_state(options, state):
    none = dict.fromkeys(
        ("false_positive", "false_negative", "prevalence", "threshold", "rate"), None
    )
    assert operating_rule(**options).state == none | state


def test_a_rule_takes_the_point_of_the_library():
    assert operating_rule().choose(WALK) == CURVE.best()
    assert operating_rule(costs=COSTS).choose(WALK) == CURVE.best(COSTS)
    assert operating_rule(metric="mcc").choose(WALK) == CURVE.best(metric="mcc")
    assert operating_rule(rate=0.2, costs=COSTS).choose(WALK) == CURVE.best(COSTS, rate=0.2)
    found = operating_rule(threshold=0.55, costs=COSTS).choose(WALK)
    point = CURVE.at(0.55)
    assert (found.tpr, found.fpr, found.threshold) == (point.tpr, point.fpr, 0.55)
    assert found.interval == (max(S[S < 0.55]), 0.55)
    assert found.expected_cost == COSTS.expected(point.fpr, point.tpr, Y.mean())


@pytest.mark.parametrize("metric", ["youden", "closest", "accuracy", "f1", "fbeta", "mcc"])
def test_what_a_rule_maximises_at_its_point_is_the_value_of_the_choice(metric):
    rule = operating_rule(metric=metric)
    found = rule.choose(WALK)
    value = rule.metric_at(found.fpr, found.tpr, Y.mean())
    assert value == pytest.approx(found.distance if metric == "closest" else found.value)


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "f1"},
        {"metric": "mcc"},
        {"metric": "closest"},
        {"metric": "youden"},
        {"min_precision": 0.6},
        {"min_tpr": 0.8},
        {"rate": 0.2, "metric": "accuracy"},
    ],
)
def test_a_prevalence_goes_with_every_metric_and_floor(options):
    found = operating_rule(prevalence=0.3, **options)
    assert found.costs is None
    assert found.choose(WALK) == CURVE.best(prevalence=0.3, **options)


def test_a_metric_that_depends_on_the_prevalence_says_which():
    assert operating_rule(metric="f1", prevalence=0.02).words == (
        "the highest F1 at a prevalence of 2\N{NO-BREAK SPACE}%"
    )
    assert operating_rule(metric="closest", prevalence=0.02).where_words == ""


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.3, 1.0])
def test_a_budget_is_kept_by_the_most_sensitive_rule_that_keeps_it(rate):
    found = operating_rule(rate=rate).choose(WALK)
    assert (found.threshold <= S).mean() <= rate
    within = [at for at in (np.inf, *S) if (at <= S).mean() <= rate]
    assert found.tpr == max((at <= S[Y == 1]).mean() for at in within)
    there = operating_rule(rate=rate, prevalence=0.9).choose(WALK)
    assert 0.9 * there.tpr + 0.1 * there.fpr <= rate + 1e-12


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"threshold": 0.5, "rate": 0.1}, "also how to choose one"),
        ({"threshold": 0.5, "metric": "closest"}, "also how to choose one"),
        ({"metric": "best"}, "metric"),
        ({"rate": 1.5}, "outside"),
        ({"threshold": math.nan}, "threshold"),
        ({"prevalence": 1}, "outside"),
        ({"costs": "1:10"}, "not a Costs object"),
        ({"costs": rw.Costs(false_positive=1, false_negative=1, prevalence=0.2), "prevalence": 0.3},
         "not the prevalence of the costs"),
    ],
)  # fmt: skip
def test_contradictions_are_refused(options, words):
    with pytest.raises(OptionError, match=words):
        operating_rule(**options)
