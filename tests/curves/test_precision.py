"""Precision and recall."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

import rocwalk as rw
from samples import weighted_samples
from sklearn import metrics as sk

FAWCETT = rw.datasets.paper_examples()["classic_table_1"]


@pytest.fixture
def fawcett():
    return rw.roc(FAWCETT.y_true, FAWCETT.y_prob)


# -- precision and recall ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_precision_is_the_correctly_rounded_quotient_of_counts(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 400))
    y = np.append(rng.integers(0, 2, n), (0, 1))
    s = np.round(rng.random(len(y)), int(rng.integers(1, 4)))
    curve = rw.roc(y, s)
    found = curve.precision_recall()
    assert np.isnan(found.precision[0])
    for threshold, precision in zip(found.thresholds[1:], found.precision[1:], strict=True):
        called = s >= threshold
        hits = int(y[called].sum())
        assert precision == float(Fraction(hits, int(called.sum())))
        assert precision == curve.at(threshold).precision
    weights = rng.random(len(y)) + 0.1
    weighted = rw.roc(y, s, sample_weight=weights)
    for threshold, precision in list(
        zip(weighted.thresholds, weighted.precision_recall().precision, strict=True)
    )[1:]:
        assert precision == weighted.at(threshold).precision


def test_an_even_precision_is_one_half():
    y = [1, 1, 1, 0, 0, 1, 0, 1, 0, 0]  # 3 of 5 at 0.6
    s = [0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    curve = rw.roc(y, s)
    assert curve.precision_recall().precision[5] == curve.at(0.6).precision == 0.6


@given(weighted_samples())
def test_average_precision_against_scikit_learn(sample):
    y, s, w = sample
    if y.dtype.kind != "i":
        return
    ours = rw.roc(y, s, sample_weight=w).precision_recall()
    assert ours.average_precision == pytest.approx(
        sk.average_precision_score(y, s, sample_weight=w), abs=1e-12
    )
    precision, recall, thresholds = sk.precision_recall_curve(y, s, sample_weight=w)
    assert ours.thresholds[1:].tolist() == thresholds[::-1].tolist()
    assert ours.precision[1:] == pytest.approx(precision[-2::-1])
    assert ours.recall == pytest.approx(recall[::-1])


def test_precision_at_another_prevalence(fawcett):
    rare = fawcett.precision_recall(prevalence=0.02)
    k = int(np.flatnonzero(fawcett.thresholds == 0.54)[0])
    assert rare.precision[k] == pytest.approx(0.010 / 0.108)
    assert np.isnan(rare.precision[0])
    assert rare.prevalence == 0.02
