"""Sensibility, capability and the struggle ratio, against a count of the items."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.errors import InputError, OptionError, ScoreError, UndefinedMetricWarning
from rocwalk.metrics import capability_score, sensibility_score, struggle_ratio
from samples import NO_ADVICE, weighted_samples

pytestmark = NO_ADVICE


def counted(y, p, w, threshold):
    """Split the masses at t = Σwp/(2Σwy), item by item; return both accuracies and their masses."""
    middle = (w * p).sum() / (2 * (w * y).sum())
    right_of_middle = p >= middle - 1e-12 * abs(middle)
    called = p >= threshold
    masses = {}
    for name, sides in (("sensible", right_of_middle), ("capable", ~right_of_middle)):
        up, right = w * y * sides, w * (1 - y) * ~sides
        whole = up.sum() + right.sum()
        good = (up * called).sum() + (right * ~called).sum()
        masses[name] = whole, good / whole if whole > 0 else np.nan
    return masses


@given(weighted_samples(), st.floats(0, 1))
def test_scores_are_those_of_a_count(drawn, threshold):
    y, p, w = drawn
    if not p.sum() > 0:
        return
    expected = counted(y, p, w, threshold)
    for function, name in ((sensibility_score, "sensible"), (capability_score, "capable")):
        mass, value = expected[name]
        if mass > 0:
            found = function(y, p, threshold=threshold, sample_weight=w)
            assert found == pytest.approx(value, abs=1e-9)
    wrong, right = expected["capable"][0], expected["sensible"][0]
    if right > 1e-9:
        assert struggle_ratio(y, p, sample_weight=w) == pytest.approx(wrong / right, abs=1e-9)


@pytest.mark.parametrize("function", [sensibility_score, capability_score, struggle_ratio])
def test_a_tally_gives_the_same_and_a_midpoint_may_be_given(function):
    y, p = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1, 0.4, 0.3]
    assert function(rw.tally(y, p)) == function(y, p)
    assert function(y, p, midpoint=0.5) == function(rw.tally(y, p), midpoint=0.5)
    split = rw.sensibility(y, p, midpoint=0.5).split
    assert struggle_ratio(y, p, midpoint=0.5) == split.struggle_ratio


@pytest.mark.parametrize("function", [sensibility_score, capability_score, struggle_ratio])
def test_one_class_is_undefined(function):
    with pytest.warns(
        UndefinedMetricWarning, match="Only one class is present in y_true"
    ) as caught:
        assert np.isnan(function([1, 1], [0.2, 0.8]))
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: sensibility_score([0, 1], [0.1, 1.5]), ScoreError, "y_prob at row 1 is 1.5"),
        (
            lambda: struggle_ratio([0, 1], [0.1, 0.5], midpoint="high"),
            OptionError,
            "midpoint='high' is not a number",
        ),
        (
            lambda: capability_score([0, 1], [0.1, 0.5], threshold="high"),
            OptionError,
            "threshold='high' is not a number",
        ),
        (lambda: struggle_ratio([0, 1], [0.1]), InputError, "The lengths differ"),
    ],
)
def test_bad_input(call, kind, words):
    with pytest.raises(kind, match=re.escape(words)):
        call()
