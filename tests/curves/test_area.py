"""Partial areas: against scikit-learn, a fine sum and values computed by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.errors import OptionError
from samples import NO_ADVICE, hard_samples, weighted_samples
from sklearn import metrics as sk

pytestmark = NO_ADVICE


@given(hard_samples(), st.sampled_from([0.05, 0.3, 0.5, 1.0]))
def test_standardised_partial_area_against_scikit_learn(sample, max_fpr):
    ours = rw.roc(*sample).partial_area(max_fpr, standardized=True)
    assert ours == pytest.approx(sk.roc_auc_score(*sample, max_fpr=max_fpr), abs=1e-12)


@given(weighted_samples(), st.floats(0.05, 1), st.floats(0, 0.95))
def test_partial_area_against_a_fine_sum(sample, max_fpr, min_tpr):
    curve = rw.roc(*sample[:2], sample_weight=sample[2])
    x = (np.arange(20_000) + 0.5) * max_fpr / 20_000
    # between distinct points the curve is linear: read it from the right end of each vertical run
    keep = np.append(np.diff(curve.fpr) > 0, True)
    top = np.interp(x, np.r_[curve.fpr[keep]], np.r_[curve.tpr[keep]])
    first_top = curve.tpr[curve.fpr == 0].max()
    left = np.interp(x, curve.fpr, curve.tpr)
    assert first_top <= top.max() + 1e-9 or max_fpr < 1
    approx = np.mean(np.maximum(left - min_tpr, 0)) * max_fpr
    assert curve.partial_area(max_fpr, min_tpr) == pytest.approx(approx, abs=2e-3)


def test_partial_areas_by_hand(fawcett):
    # at fpr ≤ .1 the walk is (0,0) (0,.2) (.1,.2) …(.1,.5): area .1·.2
    assert fawcett.partial_area(max_fpr=0.1) == pytest.approx(0.02, abs=1e-15)
    # above tpr .9: it is reached at fpr .8, full height from .9 on: .1·0 + .1·.1 = .01
    assert fawcett.partial_area(min_tpr=0.9) == pytest.approx(0.01, abs=1e-15)
    assert fawcett.partial_area(max_fpr=0.5, min_tpr=0.95) == 0.0


def test_bad_partial_areas(fawcett):
    for bad in (0, -0.1, 1.5):
        with pytest.raises(OptionError, match=r"max_fpr=.* is outside \(0, 1\]"):
            fawcett.partial_area(max_fpr=bad)
    for bad in (1, -0.1):
        with pytest.raises(OptionError, match=r"min_tpr=.* is outside \[0, 1\)"):
            fawcett.partial_area(min_tpr=bad)
