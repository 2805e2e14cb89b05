"""Points of a curve at a threshold or a rate: rates, predictive values, mixing odds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.errors import OptionError, TallyError, UndefinedMetricWarning
from samples import NO_ADVICE, hard_samples, weighted_samples
from sklearn import metrics as sk

pytestmark = NO_ADVICE


def test_at_a_threshold_does_not_interpolate(fawcett):
    assert (fawcett.at(0.53).fpr, fawcett.at(0.53).tpr) == (0.2, 0.5)
    assert (fawcett.at(0.535).fpr, fawcett.at(0.535).tpr) == (0.1, 0.5)
    assert (fawcett.at(np.inf).fpr, fawcett.at(np.inf).tpr) == (0, 0)
    assert (fawcett.at(-np.inf).fpr, fawcett.at(-5).tpr) == (1, 1)
    assert fawcett.at(0.535).threshold == 0.535


def test_at_a_rate(fawcett):
    at = fawcett.at(fpr=0.1)
    assert (at.tpr, at.threshold, at.other_threshold, at.share) == (0.5, 0.54, None, 1.0)
    at = fawcett.at(fpr=0.175)
    assert (at.tpr, at.threshold, at.other_threshold) == (0.5, 0.54, 0.53)
    assert at.share == pytest.approx(0.25)
    at = fawcett.at(tpr=0.5)
    assert (at.fpr, at.threshold, at.other_threshold) == (0.1, 0.54, None)
    at = fawcett.at(tpr=0.95)
    assert (at.fpr, at.threshold, at.other_threshold) == (0.9, 0.33, 0.30)
    assert at.share == pytest.approx(0.5)
    assert (fawcett.at(fpr=0).tpr, fawcett.at(fpr=1).tpr) == (0.2, 1)
    assert (fawcett.at(tpr=0).fpr, fawcett.at(tpr=1).fpr) == (0, 0.9)
    assert (fawcett.at(tpr=0).threshold, fawcett.at(tpr=1).threshold) == (np.inf, 0.30)


@given(weighted_samples(), st.floats(0, 1))
def test_mixing_odds_reach_the_point(sample, rate):
    curve = rw.roc(*sample[:2], sample_weight=sample[2])
    for point in (curve.at(fpr=rate), curve.at(tpr=rate)):
        one = curve.at(point.threshold)
        other = one if point.other_threshold is None else curve.at(point.other_threshold)
        assert point.share * one.fpr + (1 - point.share) * other.fpr == pytest.approx(point.fpr)
        assert point.share * one.tpr + (1 - point.share) * other.tpr == pytest.approx(point.tpr)
    assert curve.at(fpr=rate).fpr == rate
    assert curve.at(tpr=rate).tpr == rate


def test_at_wants_one_argument(fawcett):
    with pytest.raises(OptionError, match="0 of threshold, fpr, tpr and rate are given"):
        fawcett.at()
    with pytest.raises(OptionError, match="2 of threshold, fpr, tpr and rate are given"):
        fawcett.at(0.5, fpr=0.1)
    for bad in (float("nan"), "x", [0.1, 0.2], None.__class__, True):
        for name in ("threshold", "fpr", "tpr"):
            with pytest.raises(OptionError, match=f"{name}=.* is not a number"):
                fawcett.at(**{name: bad})
    with pytest.raises(OptionError, match=r"fpr=1.2 is outside \[0, 1\]"):
        fawcett.at(fpr=1.2)


def test_a_threshold_inside_a_step_of_a_hull_is_refused(fawcett):
    hull = fawcett.hull
    assert hull.at(0.54).tpr == 0.5
    with pytest.raises(OptionError, match=r"lies inside the step from 0.7 down to 0.54"):
        hull.at(0.6)
    bucketed = rw.roc(fawcett.tally.bucketed(np.array([0.5])))
    assert bucketed.at(0.6).tpr_bounds == (0.0, 0.3, 0.6)
    with pytest.raises(TallyError, match=r"inside the step from 0.9 down to 0.505.* bucketed"):
        bucketed.hull.at(0.6)
    assert bucketed.at(0.505).tpr == 0.6
    assert bucketed.at(0.45).tpr == 0.6


@given(hard_samples(), st.floats(0, 1))
def test_metrics_at_a_threshold_against_scikit_learn(sample, t):
    y, s = sample
    point, called = rw.roc(y, s).at(t), s >= t
    assert point.confusion.to_array().tolist() == sk.confusion_matrix(y, called).tolist()
    assert point.accuracy == pytest.approx(sk.accuracy_score(y, called))
    assert point.recall == point.sensitivity == pytest.approx(sk.recall_score(y, called))
    assert point.balanced_accuracy == pytest.approx(sk.balanced_accuracy_score(y, called))
    if called.any():
        assert point.precision == pytest.approx(sk.precision_score(y, called))
        assert point.f_measure == pytest.approx(sk.f1_score(y, called))
    if not called.all():
        npv = sk.precision_score(1 - y, ~called)
        assert point.negative_predictive_value == pytest.approx(npv)
    assert point.predicted_positive_rate == pytest.approx(called.mean())


def test_undefined_metrics_are_nan_with_a_warning(fawcett):
    for name, point in (
        ("precision", fawcett.at(np.inf)),
        ("negative_predictive_value", fawcett.at(-np.inf)),
        ("positive_likelihood_ratio", fawcett.at(np.inf)),
        ("negative_likelihood_ratio", fawcett.at(-np.inf)),
    ):
        with pytest.warns(
            UndefinedMetricWarning, match=f"The {name.replace('_', ' ')} is undefined"
        ):
            assert np.isnan(getattr(point, name))
    assert np.isnan(fawcett.at(np.inf).metrics()["precision"])
    assert fawcett.at(0.8).positive_likelihood_ratio == np.inf


def test_predictive_values_at_another_prevalence(fawcett):
    # sensitivity .5, specificity .9 at 2 %: .01 / (.01 + .098)
    point = fawcett.at(0.54).at_prevalence(0.02)
    assert point.precision == pytest.approx(0.010 / 0.108, abs=1e-15)
    assert point.negative_predictive_value == pytest.approx(0.882 / 0.892, abs=1e-15)
    assert fawcett.at(0.54).metrics(0.02)["precision"] == point.precision
    with pytest.raises(OptionError, match="There are no counts at this point"):
        _ = point.confusion
    for bad in (0, 1, -1):
        with pytest.raises(OptionError, match=r"prevalence=.* is outside \(0, 1\)"):
            fawcett.at(0.54).at_prevalence(bad)
