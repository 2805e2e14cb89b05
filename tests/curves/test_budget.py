"""Budgets: the rate of calls, gains, lift and KS, against counting and exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

import rocwalk as rw
from rocwalk.errors import OptionError, UndefinedMetricWarning
from samples import NO_ADVICE, hard_samples, weighted_samples

pytestmark = NO_ADVICE

# Fawcett (2006), §10, after the CoIL challenge of 2000: 4,000 customers of whom 6 % buy, a budget
# of 800 letters, the classifiers A = (0.1, 0.2) and B = (0.25, 0.6).
CELLS = [48, 96, 96, 376, 564, 2820]
BUYS = np.repeat([1, 1, 1, 0, 0, 0], CELLS)
SCORES = np.repeat([3, 2, 1, 3, 2, 1], CELLS)


def test_fawcetts_letters():
    point = rw.roc(BUYS, SCORES).at(rate=800 / 4000)
    k = Fraction(200 - 106, 271 - 106)  # of the rates .106 of A and .271 of B
    assert 1 - point.share == pytest.approx(float(k), abs=1e-15)
    assert (round(1 - point.share, 2), round(1 - point.share, 4)) == (0.57, 0.5697)
    assert point.fpr == pytest.approx(0.1 + float(k) * 0.15, abs=1e-15)
    assert point.tpr == pytest.approx(0.2 + float(k) * 0.4, abs=1e-15)
    assert (round(point.fpr, 5), round(point.tpr, 5)) == (0.18545, 0.42788)
    assert (point.threshold, point.other_threshold) == (3, 2)
    assert point.predicted_positive_rate == pytest.approx(0.2, abs=1e-15)
    calls = point.confusion.true_positives + point.confusion.false_positives
    assert calls == pytest.approx(800, abs=1e-9)


def test_the_hull_sells_more_than_fawcetts_mixture():
    """A lies below the line from (0, 0) to B: to mail by B or not at all finds more buyers."""
    models = {"A": rw.roc(BUYS, SCORES >= 3), "B": rw.roc(BUYS, SCORES >= 2)}
    mixed = rw.mix(models, rate=0.2)
    share = Fraction(200, 271)
    assert mixed.fpr == pytest.approx(0.25 * float(share), abs=1e-15)
    assert mixed.tpr == pytest.approx(0.6 * float(share), abs=1e-15)
    assert [(rule.model, rule.threshold) for rule in mixed.rules] == [("A", np.inf), ("B", 1)]
    assert mixed.tpr > rw.roc(BUYS, SCORES).at(rate=0.2).tpr + 0.014
    called = mixed.decide({"A": SCORES >= 3, "B": SCORES >= 2}, rng=0)
    assert called.mean() == pytest.approx(0.2, abs=4 * np.sqrt(0.25 / 4000))
    assert rw.mix(models, rate=0.2, prevalence=0.06).tpr == pytest.approx(mixed.tpr, abs=1e-15)


@settings(max_examples=25)
@given(weighted_samples())
def test_the_point_at_a_rate_calls_as_many(sample):
    y, s, w = sample
    curve = rw.roc(y, s, sample_weight=w)
    for rate in (0, 0.13, 0.5, 0.77, 1):
        point = curve.at(rate=rate)
        assert point.predicted_positive_rate == pytest.approx(rate, abs=1e-12)
        assert curve.gains.at(rate) == point.tpr
        if rate:
            assert point.lift == pytest.approx(curve.lift(rate), rel=1e-9)
            assert point.lift == pytest.approx(point.precision / point.prevalence, rel=1e-9)
        assert curve.at(fpr=point.fpr).tpr >= point.tpr - 1e-12  # on the curve
        other = curve.at(rate=rate, prevalence=0.2)
        assert 0.2 * other.tpr + 0.8 * other.fpr == pytest.approx(rate, abs=1e-12)
        assert other.prevalence == 0.2
        assert other.counts is None
    for k, threshold in enumerate(curve.thresholds[1:], 1):
        called = w[s >= threshold].sum() / w.sum()
        assert curve.gains.rate[k] == pytest.approx(called, abs=1e-12)
        hits = (w * y)[s >= threshold].sum() / (w * y).sum()
        assert curve.gains.lift[k] == pytest.approx(hits / called, rel=1e-9)


@given(hard_samples())
def test_gains_and_ks_by_their_definitions(sample):
    y, s = sample
    curve = rw.roc(y, s)
    share = np.mean(y)
    assert curve.gains.area == pytest.approx(share / 2 + (1 - share) * curve.area, abs=1e-12)
    pos, neg = (np.asarray(s)[np.asarray(y) == side] for side in (1, 0))
    # The positives' distribution function lies below that of the negatives by at most KS.
    expected = stats.ks_2samp(pos, neg, alternative="less").statistic
    assert curve.ks == pytest.approx(expected, abs=1e-12)
    assert curve.ks == pytest.approx(curve.best().gain, abs=1e-12)


def test_lift_at_the_ends(fawcett):
    assert fawcett.lift(1) == 1
    assert fawcett.lift(0.1) == 2  # the two highest scores are positives: all that is possible
    assert fawcett.lift(0.1, prevalence=0.01) == pytest.approx(
        fawcett.gains.at_prevalence(0.01).at(0.1) / 0.1
    )
    with pytest.warns(UndefinedMetricWarning, match="At a rate of 0 no item is predicted positive"):
        assert np.isnan(fawcett.lift(0))
    assert np.isnan(fawcett.gains.lift[0])


def test_buckets_bound_gains_lift_and_ks():
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 600)
    p = np.clip(0.5 + 0.2 * (y - 0.5) + rng.normal(0, 0.2, 600), 0, 1)
    tally = rw.tally(y, p)
    exact, coarse = rw.roc(tally), rw.roc(tally.bucketed(np.linspace(0, 1, 9)))
    for rate in (0.05, 0.33, 0.8):
        for bounds, value in (
            (coarse.at(rate=rate).tpr_bounds, exact.at(rate=rate).tpr),
            (coarse.at(rate=rate).fpr_bounds, exact.at(rate=rate).fpr),
            (coarse.lift_bounds(rate), exact.lift(rate)),
            (coarse.gains.at_bounds(rate), exact.gains.at(rate)),
        ):
            assert bounds[0] <= value <= bounds[2]
            assert bounds[0] < bounds[2]
    low, _, high = coarse.ks_bounds
    assert low <= exact.ks <= high
    mixed = rw.mix({"a": coarse}, rate=0.33)
    low, _, high = mixed.tpr_bounds
    assert low <= rw.mix({"a": exact}, rate=0.33).tpr <= high


def test_bad_budgets(fawcett):
    average = rw.average([fawcett, fawcett])
    for ask, message in (
        (lambda: fawcett.at(rate=1.2), r"rate=1.2 is outside \[0, 1\]"),
        (lambda: fawcett.at(rate="x"), "rate='x' is not a number"),
        (lambda: fawcett.at(0.5, rate=0.1), "2 of threshold, fpr, tpr and rate"),
        (lambda: fawcett.at(0.5, prevalence=0.1), "prevalence=0.1 has no meaning without a rate"),
        (lambda: fawcett.at(rate=0.1, prevalence=1.0), r"prevalence=1.0 is outside \(0, 1\)"),
        (lambda: fawcett.lift(-0.1), r"rate=-0.1 is outside \[0, 1\]"),
        (lambda: average.at(rate=0.1), "its prevalence is unknown"),
        (lambda: average.gains.rate, "its prevalence is unknown"),
        (lambda: rw.mix({"a": fawcett}, rate=2), r"rate=2 is outside \[0, 1\]"),
        (lambda: rw.mix({"a": fawcett}, fpr=0.1, prevalence=0.1), "has no meaning without a rate"),
        (
            lambda: rw.mix({"a": fawcett, "b": rw.roc([1, 0, 0], [3, 2, 1])}, rate=0.2),
            "different prevalences, from 0.333333 to 0.5",
        ),
    ):
        with pytest.raises(OptionError, match=message):
            ask()
    assert average.at(rate=0.3, prevalence=0.5).tpr == pytest.approx(fawcett.at(rate=0.3).tpr)
    assert average.gains.at_prevalence(0.5).at(0.3) == average.at(rate=0.3, prevalence=0.5).tpr


def test_pictures(fawcett):
    axes = fawcett.gains.plot(name="a")
    x, y = axes.lines[-1].get_data()
    np.testing.assert_array_equal(x, fawcett.gains.rate)
    np.testing.assert_array_equal(y, fawcett.tpr)
    assert axes.lines[-1].get_label() == f"a (area {fawcett.gains.area:.3f})"
    lift = fawcett.gains.plot_lift()
    x, y = lift.lines[-1].get_data()
    assert y[np.searchsorted(x, 0.25)] == pytest.approx(fawcett.lift(0.25))
    assert lift.get_ylim()[1] > 2
    fawcett.gains.plot_lift(lift, name="again")
    assert [line.get_gid() for line in lift.lines].count("chance") == 1
