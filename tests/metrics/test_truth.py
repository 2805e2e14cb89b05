"""Soft AUC, AUC_PRT and the H-measure, against the classes of the library and brute force."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given

import rocwalk as rw
from reference import auc_by_pairs, exact
from rocwalk.errors import OptionError, TallyError, UndefinedMetricWarning
from rocwalk.metrics import auc_prt_score, h_measure_score, soft_auc_score
from samples import NO_ADVICE, hard_samples, soft_samples

pytestmark = NO_ADVICE
Y, P = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1, 0.4, 0.3]


@given(soft_samples())
def test_auc_prt_is_the_way_from_the_worst_order_to_the_best(drawn):
    y, s = drawn
    if np.ptp(y) == 0:
        return
    truth = exact(y)
    value, best, worst = (auc_by_pairs(truth, exact(scores)) for scores in (s, y, -y))
    expected = (value - worst) / (best - worst)
    assert auc_prt_score(y, s) == pytest.approx(float(expected), abs=1e-9)


@given(hard_samples())
def test_of_hard_labels_it_is_the_auc(drawn):
    assert auc_prt_score(*drawn) == pytest.approx(float(auc_by_pairs(*map(exact, drawn))), abs=1e-9)


@pytest.mark.parametrize("steps", ["both", "single", "blind"])
def test_the_soft_area_is_that_of_the_soft_curve(steps):
    curve = rw.soft_roc(Y, P, steps=steps)
    assert soft_auc_score(Y, P, steps=steps) == pytest.approx(curve.area, abs=1e-15)
    assert soft_auc_score(rw.tally(Y, P), steps=steps) == soft_auc_score(Y, P, steps=steps)


def test_the_h_measure_is_that_of_the_curve():
    assert h_measure_score(Y, P) == rw.roc(Y, P).h_measure()
    assert h_measure_score(rw.tally(Y, P)) == h_measure_score(Y, P)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (soft_auc_score, "Only one class is present in y_true"),
        (auc_prt_score, "All items have the same truth, so AUC_PRT is not defined"),
        (h_measure_score, "Only one class is present in y_true"),
    ],
)
def test_one_class_is_undefined(function, words):
    with pytest.warns(UndefinedMetricWarning, match=words) as caught:
        assert np.isnan(function([1, 1], [0.2, 0.8]))
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: soft_auc_score(Y, P, steps="three"), OptionError, "steps='three' is not known"),
        (
            lambda: soft_auc_score(Y, P, threshold="median"),
            OptionError,
            "threshold='median'",
        ),
        (
            lambda: auc_prt_score(rw.tally([0.2, 0.7], [0.1, 0.3])),
            TallyError,
            "A tally by score has lost the truth of the items",
        ),
        (lambda: h_measure_score(Y, P, prior="hand"), OptionError, "prior='hand'"),
    ],
)
def test_bad_input(call, kind, words):
    with pytest.raises(kind, match=re.escape(words)):
        call()
