"""The walk: rates, reading at a rate or a threshold, bounds of buckets, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.errors import OneClassError, OptionError, TallyError
from rocwalk.tally.walk import (
    between,
    check_prevalence,
    check_rate,
    falling_bounds,
    highest_tpr,
    in_order,
    index_above,
    index_at,
    lowest_fpr,
    rates,
    refuse_one_class,
    rising_bounds,
    share_of_positives,
    shares,
    slack_of,
    spread,
    tally_of_rates,
    walk_of,
)
from samples import NO_ADVICE, hard_samples

pytestmark = NO_ADVICE


def slow_points(y, s):
    """Ask every threshold for its counts, one by one."""
    cuts = [math.inf, *sorted(set(s.tolist()), reverse=True)]
    return [(cut, np.sum(y[s >= cut]), np.sum(1 - y[s >= cut])) for cut in cuts]


@given(hard_samples())
def test_points_are_the_counts_at_every_threshold(sample):
    y, s = sample
    walk = walk_of(rw.tally(y, s))
    assert list(zip(walk.thresholds, walk.up, walk.right, strict=True)) == slow_points(y, s)
    assert walk.tpr.tolist() == (walk.up / y.sum()).tolist()
    assert walk.fpr.tolist() == (walk.right / (1 - y).sum()).tolist()
    assert (walk.total_up, walk.total_right) == (y.sum(), (1 - y).sum())


@given(hard_samples())
def test_a_walk_is_made_once_and_its_columns_are_read_only(sample):
    tally = rw.tally(*sample)
    walk = walk_of(tally)
    assert walk_of(tally) is walk
    for column in (walk.tpr, walk.fpr, walk.up, walk.right, walk.thresholds):
        assert not column.flags.writeable


@given(hard_samples())
def test_rates_give_the_counts_back(sample):
    walk = walk_of(rw.tally(*sample))
    totals = int(walk.total_up), int(walk.total_right)
    again = tally_of_rates(walk.thresholds, walk.tpr, walk.fpr, totals)
    assert again.up.tolist() == np.diff(walk.up).tolist()
    assert again.right.tolist() == np.diff(walk.right).tolist()
    assert walk_of(again).tpr is not None
    assert (walk_of(again).total_up, walk_of(again).total_right) == totals


@given(hard_samples(), st.floats(0, 1))
def test_the_curve_at_a_rate_by_interpolation_of_its_ends(sample, rate):
    walk = walk_of(rw.tally(*sample))
    at = np.array([rate])
    # numpy.interp takes the last of several points of one abscissa, so the highest TPR
    points = list(zip(walk.fpr.tolist(), walk.tpr.tolist(), strict=True))
    tops, lefts = dict(points), {tpr: fpr for fpr, tpr in points[::-1]}
    if rate in tops:
        assert highest_tpr(walk, at)[0] == tops[rate]
    else:
        expected = np.interp(rate, walk.fpr, walk.tpr)
        assert highest_tpr(walk, at)[0] == pytest.approx(expected, abs=1e-12)
    if rate in lefts:
        assert lowest_fpr(walk, at)[0] == lefts[rate]
    else:
        expected = np.interp(rate, walk.tpr, walk.fpr)
        assert lowest_fpr(walk, at)[0] == pytest.approx(expected, abs=1e-12)


def test_shares_of_a_step_without_length_are_zero_and_ends_are_exact():
    column = np.array([0.0, 0.1, 0.1, 0.7])
    before, after = np.array([0, 1, 2]), np.array([1, 2, 3])
    assert shares(column, before, after, np.array([0.05, 0.1, 0.7])).tolist() == [0.5, 0, 1]
    values = np.array([0.0, 0.1, 0.2, 0.3])
    found = between(values, before, after, np.array([0.5, 0.0, 1.0]))
    assert found.tolist() == [0.05, 0.1, 0.3]


def test_a_threshold_is_read_at_the_scores_that_reach_it():
    walk = walk_of(rw.tally([0, 1, 1, 0], [0.1, 0.4, 0.4, 0.8]))
    asked = np.array([math.inf, 0.9, 0.8, 0.5, 0.4, 0.2, 0.1, 0.0])
    assert index_at(walk, asked).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert index_above(walk, asked).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_threshold_inside_a_bucket_has_no_point():
    tally = rw.tally([0, 1, 1, 0], [0.1, 0.3, 0.4, 0.8]).bucketed(np.array([0, 0.5, 1.0]))
    walk = walk_of(tally)
    with pytest.raises(TallyError, match=r"threshold=0.3 lies inside the step from 0.4 down to"):
        index_at(walk, np.array([0.3]))
    assert index_above(walk, np.array([0.3])).tolist() == [1]


@given(hard_samples(), st.lists(st.floats(0.05, 0.95), min_size=1, max_size=4, unique=True))
def test_bounds_hold_the_exact_number(sample, edges):
    exact = walk_of(rw.tally(*sample))
    bucketed = walk_of(rw.tally(*sample).bucketed(np.array([-0.5, *sorted(edges), 1.5])))

    def area(walk):
        return float(np.trapezoid(walk.tpr, walk.fpr))

    low, _, high = rising_bounds(bucketed, area)
    assert low - 1e-12 <= area(exact) <= high + 1e-12
    assert rising_bounds(exact, area) == (area(exact),) * 3
    below, value, above = falling_bounds(bucketed, lambda walk: 1 - area(walk))
    assert (1 - above, 1 - value, 1 - below) == pytest.approx(rising_bounds(bucketed, area))


def test_bounds_are_in_order_whatever_rounding_does():
    assert in_order(0.3, 0.2, 0.25) == (0.2, 0.2, 0.25)
    assert in_order(0.1, 0.2, 0.15) == (0.1, 0.2, 0.2)
    assert slack_of((0.1, 0.25, 0.3)) == pytest.approx(0.15)
    assert slack_of((1.0, math.inf, math.inf)) == math.inf


def test_one_class_has_rates_of_nan_and_no_curve():
    assert np.isnan(rates(np.array([0, 0, 0]))).all()
    with pytest.raises(OneClassError, match="There is no negative mass, so there is no ROC curve"):
        refuse_one_class(walk_of(rw.tally([1, 1], [0.1, 0.2])))


@pytest.mark.parametrize("value", [-0.1, 1.1, math.inf])
def test_what_is_no_rate_is_refused(value):
    with pytest.raises(OptionError, match=r"fpr=.* is outside \[0, 1\]"):
        check_rate("fpr", value)
    assert check_rate("fpr", 1) == 1.0


@pytest.mark.parametrize("value", [0, 1, -0.5])
def test_a_prevalence_lies_between_zero_and_one(value):
    with pytest.raises(OptionError, match=r"prevalence=.* is outside \(0, 1\)"):
        check_prevalence(value)


def test_the_prevalence_of_an_average_is_not_known():
    one, other = rw.roc([0, 1, 1], [0.1, 0.4, 0.3]), rw.roc([0, 1, 0], [0.2, 0.3, 0.4])
    assert share_of_positives(one.walk, None) == pytest.approx(2 / 3)
    assert share_of_positives(one.walk, 0.25) == 0.25
    averaged = rw.average([one, other])
    with pytest.raises(OptionError, match="An averaged curve carries no masses"):
        share_of_positives(averaged.walk, None)
    with pytest.raises(OptionError, match="This averaged curve has no thresholds"):
        index_above(averaged.walk, np.array([0.5]))


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=30), st.integers(2, 12))
def test_points_are_spread_evenly_along_the_way(steps, count):
    way = np.concatenate(([0.0], np.cumsum(steps)))
    way *= 2 / way[-1]
    places = spread(way, count)
    assert (places[0], places[-1]) == (0, len(way) - 1)
    assert (np.diff(places) >= 0).all()
    for asked, place in zip(np.linspace(0, 2, count)[1:-1], places[1:-1], strict=True):
        assert way[place] >= asked - 1e-9
        assert way[place - 1] < asked
