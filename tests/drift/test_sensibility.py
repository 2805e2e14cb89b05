"""Sensibility analysis: midpoint, struggle ratio and the two step curves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.drift.sensibility import split_of
from rocwalk.errors import OneClassError, OptionError, TallyError, UndefinedMetricWarning
from samples import NO_ADVICE, weighted_samples

pytestmark = [
    *NO_ADVICE,
    pytest.mark.filterwarnings("ignore:There is no (non-)?sensible item"),
]
TABLE = rw.datasets.paper_examples()["sensibility_table_1"]


def by_hand(truth, scores, weights, midpoint, threshold):
    """Masses decided rightly and in all, of the sensible and of the others, item by item."""
    right, whole = [0.0, 0.0], [0.0, 0.0]
    for f, s, w in zip(truth, scores, weights, strict=True):
        for label, mass in ((1, w * f), (0, w * (1 - f))):
            other = int((s >= midpoint) != (label == 1))
            whole[other] += mass
            right[other] += mass * ((s >= threshold) == (label == 1))
    return right, whole


def test_table_1_of_the_paper():
    found = rw.sensibility(TABLE.y_true, TABLE.y_prob)
    assert found.midpoint == pytest.approx(0.54, abs=1e-15)
    assert found.struggle_ratio == 0.25
    assert (found.at(0.35).sensibility, found.at(0.35).capability) == (0.875, 0.5)
    assert rw.metrics.sensibility_score(TABLE.y_true, TABLE.y_prob, threshold=0.35) == 0.875
    assert rw.metrics.capability_score(TABLE.y_true, TABLE.y_prob, threshold=0.35) == 0.5
    assert rw.metrics.struggle_ratio(TABLE.y_true, TABLE.y_prob) == 0.25


@given(weighted_samples(), st.floats(0, 1))
def test_by_hand(sample, threshold):
    truth, scores, weights = sample
    found = rw.sensibility(truth, scores, sample_weight=weights)
    midpoint = (weights * scores).sum() / (2 * (weights * truth).sum())
    assert found.midpoint == pytest.approx(midpoint, rel=1e-12)
    if np.any(np.abs(scores - midpoint) <= 1e-9 * midpoint):
        return  # a tie with the midpoint has a test of its own
    right, whole = by_hand(truth, scores, weights, midpoint, threshold)
    if whole[0] > 1e-9:
        assert found.struggle_ratio == pytest.approx(whole[1] / whole[0], rel=1e-9, abs=1e-12)
        assert found.at(threshold).sensibility == pytest.approx(right[0] / whole[0], abs=1e-9)
    if whole[1] > 1e-9:
        assert found.at(threshold).capability == pytest.approx(right[1] / whole[1], abs=1e-9)


@given(weighted_samples())
def test_at_the_midpoint_all_that_is_sensible_is_right_and_nothing_else(sample):
    truth, scores, weights = sample
    found = rw.sensibility(truth, scores, sample_weight=weights)
    ones, zeros = found.sensibility, found.capability
    place = found.split.above
    assert ones[place] == pytest.approx(1) or math.isnan(ones[place])
    assert zeros[place] == pytest.approx(0, abs=1e-12) or math.isnan(zeros[place])
    assert len(ones) == len(zeros) == len(found.thresholds)
    kept = ~np.isnan(ones)
    assert ((ones[kept] >= -1e-12) & (ones[kept] <= 1 + 1e-12)).all()
    assert np.nanmax(np.append(ones, 1.0)) <= 1 + 1e-12


def test_a_score_at_the_midpoint_is_above_it_in_any_order():
    # Σp = 2·n⁺·0.3 exactly in decimals, not in binary
    y = np.array([1, 1, 0, 0, 0, 0])
    p = np.array([0.3, 0.1, 0.2, 0.2, 0.2, 0.2])
    assert rw.sensibility(y, p).midpoint == pytest.approx(0.3)
    for seed in range(30):
        order = np.random.default_rng(seed).permutation(6)
        found = rw.sensibility(y[order], p[order])
        assert (found.split.above, found.split.sensible) == (1, 5)
        soft = rw.sensibility(
            y[order].astype(float), p[order], sample_weight=np.full(6, 0.1), truth="soft"
        )
        assert soft.split.above == 1


def test_a_midpoint_of_ones_own():
    found = rw.sensibility(TABLE.y_true, TABLE.y_prob, midpoint=0.35)
    assert found.midpoint == 0.35
    assert found.struggle_ratio == pytest.approx(2 / 8)
    assert rw.metrics.struggle_ratio(TABLE.y_true, TABLE.y_prob, midpoint=0.75) == pytest.approx(
        4 / 6
    )


def test_from_a_tally():
    tally = rw.tally(TABLE.y_true, TABLE.y_prob)
    assert rw.sensibility(tally).struggle_ratio == 0.25
    fine = tally.bucketed(np.array([0.15, 0.55, 0.95]))
    assert rw.sensibility(fine).midpoint == pytest.approx(0.54)
    assert rw.sensibility(fine).struggle_ratio == 0.25
    coarse = tally.bucketed(np.array([0.35, 0.65]))
    low, _, high = rw.sensibility(coarse).struggle_ratio_bounds
    assert low < 0.25 < high
    with pytest.raises(TallyError, match=r"midpoint 0\.54 lies inside a bucket .*, 0\.4 to 0\.6"):
        split_of(coarse)
    with pytest.raises(OptionError, match="steps='both' has no midpoint"):
        rw.sensibility(rw.tally([1, 0, 1], [0.2, 0.3, 0.4], steps="both"))


def test_empty_sets():
    with pytest.warns(UndefinedMetricWarning, match="no non-sensible item"):
        found = rw.sensibility([1, 1, 0, 0], [0.9, 0.8, 0.1, 0.2])
    assert found.struggle_ratio == 0
    assert np.isnan(found.capability).all()
    with pytest.warns(UndefinedMetricWarning, match="no sensible item"):
        found = rw.sensibility([1, 1, 0, 0], [0.1, 0.1, 0.6, 0.7])
    assert found.struggle_ratio == math.inf
    assert np.isnan(found.sensibility).all()


def test_bad_input():
    with pytest.raises(OneClassError, match="no negative mass, so there is no sensibility to"):
        rw.sensibility([1, 1], [0.2, 0.3])
    for bad in (-1, math.inf, "half"):
        with pytest.raises(OptionError, match="midpoint="):
            rw.sensibility([1, 0], [0.2, 0.3], midpoint=bad)
    with pytest.raises(OptionError, match="threshold="):
        rw.sensibility(TABLE.y_true, TABLE.y_prob).at("half")


@pytest.mark.parametrize("statistic", ["midpoint", "struggle_ratio"])
def test_intervals_resample_both_classes_together(statistic):
    rng = np.random.default_rng(0)
    y = (rng.random(400) < 0.2).astype(int)
    p = np.clip(rng.normal(0.3 + 0.2 * y, 0.15), 0, 1)
    found = rw.interval(y, p, statistic=statistic, rng=0, n_resamples=500)
    assert found.low < found.estimate < found.high
    assert found.estimate == getattr(rw.sensibility(y, p), statistic)
    if statistic == "midpoint":
        draws = rng.integers(0, 400, (2000, 400))
        means = p[draws].sum(axis=1) / (2 * y[draws].sum(axis=1))
        assert found.standard_error == pytest.approx(np.std(means), rel=0.12)


def test_the_picture_has_both_curves_and_the_midpoint():
    found = rw.sensibility(TABLE.y_true, TABLE.y_prob)
    ax = found.plot(name="model")
    curves = {line.get_label(): line for line in ax.lines if line.get_gid() == "curve"}
    assert list(curves) == ["model sensibility", "model capability"]
    x, y = curves["model sensibility"].get_data()
    at = np.searchsorted(x, 0.35, side="right") - 1
    assert y[at] == 0.875
    assert any(line.get_xdata()[0] == found.midpoint for line in ax.lines)


def test_a_midpoint_that_is_given_is_taken_to_the_last_bit():
    """Its own midpoint is a quotient of sums, which rounding may move beside a tied score."""
    below = np.nextafter(0.5, 0)
    given = rw.sensibility([1, 0, 1, 0], [0.9, 0.5, below, 0.1], midpoint=0.5)
    assert (
        given.struggle_ratio == 1.0
    )  # 0.9⁺ and 0.1⁻ are sensible, 0.5⁻ and the score below are not
    own = rw.sensibility([1, 0, 1, 0], [0.8, 0.2 * 3, 0.3 + 0.3, 0.4])  # 0.6000000000000001 and 0.6
    assert own.midpoint == pytest.approx(0.6, abs=1e-15)
    assert own.struggle_ratio == pytest.approx(1 / 3)


@pytest.mark.parametrize("factor", [0.5, 0.25, 0.3])
def test_scaling_the_scores_leaves_the_struggle_ratio(factor):
    rng = np.random.default_rng(4)
    p = rng.random(200)
    for truth in (rng.random(200) < p, rng.random(200)):  # labels, and soft truth
        one, other = (rw.sensibility(truth, each) for each in (p, factor * p))
        assert other.struggle_ratio == pytest.approx(one.struggle_ratio, rel=1e-12)
        assert other.midpoint == pytest.approx(factor * one.midpoint, rel=1e-12)
        wrong = np.sum(np.where(p >= one.midpoint, 1 - truth, truth))  # an error rate, as odds
        assert one.struggle_ratio == pytest.approx(wrong / (200 - wrong), rel=1e-9)
