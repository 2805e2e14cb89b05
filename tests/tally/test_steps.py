"""Step rules: moments of each rule, and tallies turned from one rule into another."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from reference import step
from rocwalk.errors import TallyError
from samples import NO_ADVICE, hard_samples, weighted_samples
from tally_rows import COLUMNS, assert_same

pytestmark = NO_ADVICE


def by_hand(truth, scores, weights, rule):
    """All columns from the items, one at a time, in exact fractions."""
    rows = {}
    for f, s, w in zip(truth, scores, weights, strict=True):
        u, r = step(rule, Fraction(float(f)), Fraction(float(s)), Fraction(float(w)))
        rows.setdefault(float(s), []).append((u, r))
    return [
        (s, *(float(sum(g(u, r) for u, r in items)) for g in MOMENTS))
        for s, items in sorted(rows.items(), reverse=True)
    ]


MOMENTS = (
    lambda u, r: u,
    lambda u, r: r,
    lambda u, r: 1,
    lambda u, r: u * u,
    lambda u, r: u * r,
    lambda u, r: r * r,
)


@given(weighted_samples(), st.sampled_from(["truth", "single", "both", "blind"]))
def test_moments_of_all_rules(sample, rule):
    truth, scores, weights = sample
    tally = rw.tally(truth, scores, sample_weight=weights, steps=rule)
    expected = np.array(by_hand(truth, scores, weights, rule))
    for i, name in enumerate(COLUMNS[:7]):
        np.testing.assert_allclose(getattr(tally, name), expected[:, i], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(tally.up_score, tally.up * tally.scores)
    np.testing.assert_array_equal(tally.highest, tally.scores)


@given(hard_samples(), st.sampled_from(["truth", "single", "both", "blind"]))
def test_moments_of_hard_labels(sample, rule):
    tally = rw.tally(*sample, steps=rule)
    expected = np.array(by_hand(*sample, np.ones(len(sample[0])), rule))
    for i, name in enumerate(COLUMNS[:7]):
        np.testing.assert_allclose(getattr(tally, name), expected[:, i], rtol=1e-13, atol=1e-13)


@given(hard_samples(), st.sampled_from(["single", "both", "blind"]))
def test_other_rules_follow_from_the_truth_tally(sample, rule):
    turned = rw.tally(rw.tally(*sample), steps=rule)
    assert_same(turned, rw.tally(*sample, steps=rule))


def test_a_turned_tally_cannot_be_turned_again():
    tally = rw.tally([1, 0], [0.9, 0.1], steps="single")
    assert rw.tally(tally) is tally
    assert rw.tally(tally, steps="single") is tally
    with pytest.raises(TallyError, match="cannot be converted to steps='both'"):
        rw.tally(tally, steps="both")


@pytest.mark.parametrize("make", [rw.tally, rw.roc, rw.metrics.soft_auc_score])
def test_a_tally_keeps_its_own_steps_and_refuses_others(make):
    both = rw.tally([1, 0, 1, 0], [0.9, 0.8, 0.4, 0.1], steps="both", threshold=0.3)

    def area(**options):
        found = make(both, **options)
        return found if isinstance(found, float) else found.area

    kept = [{}, {"steps": "both"}, {"threshold": 0.3}, {"steps": "both", "threshold": 0.3}]
    assert {area(**options) for options in kept} == {both.area}
    with pytest.raises(TallyError, match="steps='both' at threshold 0.3 cannot be converted to"):
        make(both, steps="truth")
    for options in ({"threshold": 0.5}, {"steps": "both", "threshold": 0.5}):
        words = "at threshold 0.3 cannot be converted to steps='both' at threshold 0.5"
        with pytest.raises(TallyError, match=words):
            make(both, **options)


def test_soft_curves_keep_the_steps_of_a_tally():
    y_true, y_prob = [1, 0, 1, 0], [0.9, 0.8, 0.4, 0.1]
    single = rw.tally(y_true, y_prob, steps="single")
    assert rw.soft_roc(single).area == rw.soft_roc(y_true, y_prob, steps="single").area
    assert rw.soft_roc(rw.tally(y_true, y_prob)).tally.steps == "both"
    assert rw.soft_roc(rw.tally(y_true, y_prob, steps="both", threshold=0.3)).tally.threshold == 0.3
    with pytest.raises(TallyError, match="steps='single' cannot be converted to steps='truth'"):
        rw.soft_curves(single, None, steps="truth")


def test_turning_needs_probabilities_and_exact_scores():
    with pytest.raises(TallyError, match="needs scores that are probabilities; this tally has 3"):
        rw.tally(rw.tally([1, 0], [3.0, 0.5]), steps="single")
    bucketed = rw.tally([1, 0, 1], [0.9, 0.5, 0.1]).bucketed(np.array([0.7]))
    with pytest.raises(TallyError, match="needs the exact scores, and this tally is bucketed"):
        rw.tally(bucketed, steps="blind")
