"""The choice of a threshold by a metric, within a budget and above floors, by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

import rocwalk as rw
from rocwalk.curves.choices import METRICS
from rocwalk.errors import OptionError
from samples import NO_ADVICE, hard_samples
from sklearn import metrics

pytestmark = NO_ADVICE

MEASURES = {
    "youden": lambda y, d: metrics.balanced_accuracy_score(y, d) * 2 - 1,
    "closest": lambda y, d: -np.hypot(1 - tpr(y, d), fpr(y, d)),
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "f1": lambda y, d: metrics.f1_score(y, d, zero_division=0),
    "fbeta": lambda y, d: metrics.fbeta_score(y, d, beta=2, zero_division=0),
    "mcc": lambda y, d: metrics.matthews_corrcoef(y, d) if 0 < d.mean() < 1 else -np.inf,
    "sensitivity": metrics.recall_score,
    "specificity": lambda y, d: 1 - fpr(y, d),
}
LIMITS = {
    "rate": lambda y, d, rate: d.mean() <= rate + 1e-12,
    "min_precision": lambda y, d, floor: d.any() and y[d].mean() >= floor - 1e-12,
    "min_tpr": lambda y, d, floor: tpr(y, d) >= floor - 1e-12,
    "min_specificity": lambda y, d, floor: 1 - fpr(y, d) >= floor - 1e-12,
}


def tpr(y, decided):
    return decided[y == 1].mean()


def fpr(y, decided):
    return decided[y == 0].mean()


def by_counting(y, s, metric, limits):
    """Return the highest value and the highest threshold that has it, or None if none is allowed."""
    found = {}
    for threshold in (np.inf, *np.unique(s)[::-1]):
        decided = s >= threshold
        if all(LIMITS[name](y, decided, value) for name, value in limits.items()):
            found[threshold] = MEASURES[metric](y, decided)
    best = max(found.values(), default=-np.inf)
    if best == -np.inf:
        return None
    return best, max(t for t, value in found.items() if value >= best - 1e-12)


def test_every_metric_is_measured():
    assert set(MEASURES) == set(METRICS)


@settings(max_examples=12)
@given(hard_samples())
def test_the_best_by_every_metric(sample):
    y, s = (np.asarray(each) for each in sample)
    curve = rw.roc(y, s)
    for metric in METRICS:
        expected = by_counting(y, s, metric, {})
        if expected is None:
            with pytest.raises(OptionError, match="'mcc' is undefined at every threshold"):
                curve.best(metric=metric)
            continue
        choice = curve.best(metric=metric)
        sign = -1 if metric == "closest" else 1
        assert sign * choice.value == pytest.approx(expected[0], abs=1e-12)
        assert choice.threshold == expected[1], metric
        assert (choice.fpr, choice.tpr) == (
            fpr(y, s >= choice.threshold),
            tpr(y, s >= choice.threshold),
        )
        low, high = choice.interval
        assert low < high == choice.threshold


@settings(max_examples=12)
@given(hard_samples())
def test_the_best_within_limits(sample):
    y, s = (np.asarray(each) for each in sample)
    curve = rw.roc(y, s)
    cases = [{name: value} for name, value in itertools.product(LIMITS, (0.0, 0.3, 0.6, 1.0))]
    cases += [{"rate": 0.6, "min_tpr": 0.5}, {"min_precision": 0.4, "min_specificity": 0.5}]
    for limits, metric in itertools.product(cases, (None, "f1", "youden")):
        aim = metric or ("specificity" if "min_tpr" in limits else "sensitivity")
        expected = by_counting(y, s, aim, limits)
        if expected is None:
            with pytest.raises(OptionError, match=r"is reached at no threshold|No threshold keeps"):
                curve.best(metric=metric, **limits)
            continue
        choice = curve.best(metric=metric, **limits)
        assert choice.metric == aim
        assert choice.value == pytest.approx(expected[0], abs=1e-12)
        assert choice.threshold == expected[1]


def test_costs_within_a_budget(fawcett):
    costs = rw.Costs(false_positive=1, false_negative=3)
    every = [fawcett.at(t) for t in fawcett.thresholds]
    allowed = [point for point in every if point.predicted_positive_rate <= 0.4]
    least = min(costs.expected(point.fpr, point.tpr, 0.5) for point in allowed)
    choice = fawcett.best(costs, rate=0.4)
    assert choice.expected_cost == pytest.approx(least, abs=1e-15)
    assert choice.metric == "youden"
    assert choice.expected_cost > fawcett.best(costs).expected_cost


def test_a_prevalence_moves_what_depends_on_it(fawcett):
    for metric in ("accuracy", "f1", "mcc"):
        weights = np.where(np.diff(fawcett.tpr) > 0, 0.1, 0.9) * 2  # ten positives, ten negatives
        y, s = np.diff(fawcett.tpr) > 0, fawcett.thresholds[1:]
        expected = rw.roc(y, s, sample_weight=weights).best(metric=metric)
        choice = fawcett.best(metric=metric, prevalence=0.1)
        assert choice.threshold == expected.threshold
        assert choice.value == pytest.approx(expected.value, abs=1e-12)
        assert choice.point.prevalence == 0.1
    rare = fawcett.best(metric="accuracy", prevalence=0.1)
    assert rare.threshold > fawcett.best(metric="accuracy").threshold


def test_buckets_bound_every_choice():
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 400)
    p = np.clip(0.5 + 0.25 * (y - 0.5) + rng.normal(0, 0.2, 400), 0, 1)
    tally = rw.tally(y, p)
    exact, coarse = rw.roc(tally), rw.roc(tally.bucketed(np.linspace(0, 1, 12)))
    asked = [{"metric": metric} for metric in METRICS]
    asked += [{"rate": 0.3}, {"min_precision": 0.6}, {"min_tpr": 0.7}, {"min_specificity": 0.8}]
    asked += [{"costs": rw.Costs(false_positive=1, false_negative=2), "rate": 0.4}]
    for options in asked:
        low, value, high = coarse.best(**options).value_bounds
        assert low <= exact.best(**options).value <= high
        assert value in (low, high)
    least, _, most = coarse.best(**asked[-1]).expected_cost_bounds
    assert least <= exact.best(**asked[-1]).expected_cost <= most
    assert "f1_bounds" not in coarse.best(metric="f1").to_dict()
    assert "value_bounds" in coarse.best(metric="f1").to_dict()


def test_bad_choices(fawcett):
    costs = rw.Costs(false_positive=1, false_negative=2, prevalence=0.2)
    for options, message in (
        ({"metric": "f2"}, "metric='f2' is not known"),
        ({"metric": "f1", "slope": 2}, "slope=2 has no meaning for metric='f1'"),
        ({"metric": "f1", "costs": costs}, "has no meaning for metric='f1'"),
        ({"metric": "f1", "beta": 2}, "beta=2 has no meaning for this metric"),
        ({"metric": "fbeta", "beta": 0}, "beta=0 is not a weight of recall"),
        ({"rate": 1.5}, r"rate=1.5 is outside \[0, 1\]"),
        ({"min_tpr": "x"}, "min_tpr='x' is not a number"),
        ({"min_tpr": 0.9, "rate": 0.1}, "No threshold keeps to all of rate=0.1, min_tpr=0.9"),
        ({"costs": costs, "prevalence": 0.1}, "The costs have a prevalence of their own"),
        ({"metric": "f1", "prevalence": 0}, r"prevalence=0 is outside \(0, 1\)"),
    ):
        with pytest.raises(OptionError, match=message):
            fawcett.best(**options)
    hard = rw.roc([1, 0, 1, 0], [1, 1, 0, 0])
    with pytest.raises(OptionError, match="the highest precision is 0.5"):
        hard.best(min_precision=0.9)
    average = rw.average([fawcett, fawcett], how="threshold")
    with pytest.raises(OptionError, match="so this metric needs a prevalence"):
        average.best(metric="f1")
    assert average.best(metric="f1", prevalence=0.5).value == fawcett.best(metric="f1").value
