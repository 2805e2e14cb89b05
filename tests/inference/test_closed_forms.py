"""AUC of few items or near 1: Newcombe's limits, MOVER, and p-values that agree with intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.errors import OptionError
from rocwalk.inference.closed_forms import are_few, hanley_variance, newcombe
from rocwalk.inference.distributions import crossing

LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)
SIZES = ((3, 5), (8, 392), (20, 20), (40, 40), (60, 300))


def drawn(rng, sizes, area, correlation=0.6, other=None):
    """Labels, and two columns of normal scores of these areas, correlated within each class."""
    y = np.repeat([1, 0], sizes)
    one = rng.normal(size=len(y))
    two = correlation * one + math.sqrt(1 - correlation**2) * rng.normal(size=len(y))
    shifts = [math.sqrt(2) * stats.norm.ppf(a) for a in (area, area if other is None else other)]
    return y, one + shifts[0] * y, two + shifts[1] * y


def excludes(found, null=0.0):
    return found.low > null or found.high < null


# -- one area ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "area", "few"),
    [
        ((8, 392), 0.8, True),
        ((392, 8), 0.8, True),
        ((29, 29), 0.5, True),
        ((40, 40), 0.95, True),
        ((200, 200), 0.99, True),
        ((200, 200), 0.01, True),
        ((30, 30), 0.6, False),
        ((100, 100), 0.85, False),
        ((10**5, 10**5), 0.999, False),
    ],
)
def test_which_items_are_few(sizes, area, few):
    assert are_few((area, area), sizes) == (few, few)
    assert are_few((1 - area, 1 - area), sizes[::-1]) == (few, few)


def test_few_for_some_orders_inside_buckets_only():
    assert are_few((0.85, 0.95), (100, 100)) == (True, False)
    assert are_few((0.85, 0.95), (20, 100)) == (True, True)
    assert are_few((0.02, 0.99), (100, 100)) == (True, False)


@pytest.mark.parametrize("sizes", SIZES)
def test_the_interval_of_few_items_is_a_union(sizes):
    rng = np.random.default_rng(1)
    for area in (0.6, 0.8, 0.95):
        y, s, _ = drawn(rng, sizes, area)
        found = rw.interval(y, s)
        by_delong = rw.interval(y, s, scale="logit")
        alone = rw.interval(y, s, method="newcombe")
        if not are_few((found.estimate,) * 2, sizes)[0]:
            assert (found.method, found.low) == ("delong-logit", by_delong.low)
            continue
        if by_delong.method == "newcombe":  # an area of 1
            assert found.to_dict() == alone.to_dict()
            continue
        assert found.method == "delong-newcombe"
        assert found.low == min(by_delong.low, alone.low)
        assert found.high == max(by_delong.high, alone.high)
        assert found.standard_error == by_delong.standard_error
        assert rw.interval(rw.tally(y, s)).to_dict() == found.to_dict()
        mirrored = rw.interval(1 - y, s)
        assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((found.low, found.high))


def test_newcombes_limits_solve_their_equation():
    for sizes in ((2, 3), (8, 392), (1000, 10)):
        for area in (0.0, 1e-9, 0.3, 0.5, 0.97, 1 - 1e-9, 1.0):
            for z in (0.1, 1.96, 6.0):
                for limit in newcombe((area, area), sizes, z):
                    apart = abs(area - limit) - z * math.sqrt(hanley_variance(limit, *sizes))
                    assert apart == pytest.approx(0, abs=1e-9)


def test_roots():
    assert crossing(lambda x: x**3 - 8, 0.0, 100.0) == pytest.approx(2, rel=1e-15)
    assert crossing(lambda x: 0.25 - x, 1.0, 0.0) == pytest.approx(0.25, rel=1e-15)  # falling
    assert crossing(lambda x: -1.0 if x < 0.3 else 1.0, 0.0, 1.0) == pytest.approx(0.3, rel=1e-14)


@pytest.mark.parametrize("method", ["auto", "delong", "influence", "newcombe"])
@pytest.mark.parametrize(
    ("scores", "area"), [([4, 3, 2, 1], 1.0), ([1, 2, 3, 4], 0.0), ([7, 7, 7, 7], 0.5)]
)
def test_an_area_without_spread_has_the_error_of_its_interval(scores, area, method):
    """DeLong's error is 0 there; the interval is Newcombe's, and so is the error."""
    y = [1, 1, 0, 0] * 3
    found = rw.interval(y, scores * 3, method=method)
    assert (found.estimate, found.method) == (area, "newcombe")
    limits = newcombe((area, area), (6, 6), stats.norm.ppf(0.975))
    assert (found.low, found.high) == pytest.approx(limits, abs=1e-12)
    width = found.high - found.low
    assert found.standard_error == pytest.approx(width / 2 / stats.norm.ppf(0.975))
    assert found.standard_error > 0.03


# -- differences ---------------------------------------------------------------------------------


def zou(areas, limits, correlation=0.0):
    """The formula of Zou & Donner (2008) and of Zou (2007) for two estimates with their limits."""
    (a, b), ((l_1, u_1), (l_2, u_2)) = areas, limits
    below = (a - l_1) ** 2 + (u_2 - b) ** 2 - 2 * correlation * (a - l_1) * (u_2 - b)
    over = (u_1 - a) ** 2 + (b - l_2) ** 2 - 2 * correlation * (u_1 - a) * (b - l_2)
    return a - b - math.sqrt(below), a - b + math.sqrt(over)


def test_separate_samples_by_hand():
    rng = np.random.default_rng(2)
    for sizes, other_sizes in (((5, 200), (300, 300)), ((20, 20), (8, 90)), ((60, 60), (50, 900))):
        (y, s, _), (v, t, _) = drawn(rng, sizes, 0.9), drawn(rng, other_sizes, 0.93)
        found = rw.compare_samples((y, s), (v, t))
        assert (found.method, found.df) == ("mover", None)
        alone = [rw.interval(*each, method="newcombe") for each in ((y, s), (v, t))]
        limits = zou([each.estimate for each in alone], [(each.low, each.high) for each in alone])
        assert (found.low, found.high) == pytest.approx(limits, abs=1e-12)
        assert found.p_value == pytest.approx(2 * stats.norm.sf(abs(found.z)))
        # at the level of the p-value one limit is 0
        edge = rw.compare_samples((y, s), (v, t), confidence_level=1 - found.p_value)
        assert min(abs(edge.low), abs(edge.high)) < 1e-9
        swapped = rw.compare_samples((v, t), (y, s))
        assert (-swapped.high, -swapped.low) == pytest.approx((found.low, found.high), abs=1e-12)
        assert swapped.p_value == pytest.approx(found.p_value)
        assert rw.compare_samples(rw.tally(y, s), rw.tally(v, t)).p_value == found.p_value


def test_pairs_by_hand():
    rng = np.random.default_rng(3)
    for sizes, areas in (((8, 392), (0.8, 0.9)), ((20, 20), (0.7, 0.7)), ((40, 40), (0.97, 0.9))):
        y, s, t = drawn(rng, sizes, areas[0], other=areas[1])
        result = rw.compare(y, {"a": s, "b": t})
        (found,) = result.pairs
        (student,) = rw.compare(y, {"a": s, "b": t}, method="delong-t").pairs
        assert (found.method, result.method, found.df) == ("mover", "mover", student.df)
        k = stats.t.ppf(0.975, found.df)
        limits = []
        for each, name in enumerate("ab"):
            area, error = result.estimates[name], math.sqrt(result.covariance[each, each])
            middle, arm = math.log(area / (1 - area)), k * error / area / (1 - area)
            limits.append([1 / (1 + math.exp(-end)) for end in (middle - arm, middle + arm)])
        between = result.covariance[0, 1] / math.sqrt(np.prod(np.diag(result.covariance)))
        low, high = zou(list(result.estimates.values()), limits, between)
        assert found.low == pytest.approx(min(low, student.low))
        assert found.high == pytest.approx(max(high, student.high))
        assert found.p_value >= student.p_value - 1e-12
        assert found.p_value == pytest.approx(2 * stats.t.sf(abs(found.z), found.df))
        assert found.standard_error == pytest.approx((found.high - found.low) / 2 / k)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("sizes", SIZES)
def test_p_values_and_intervals_agree(sizes, weighted):
    rng = np.random.default_rng(4)
    for _ in range(6):
        y, s, t = drawn(rng, sizes, rng.choice([0.7, 0.95]), rng.choice([0, 0.6, 0.98]), 0.85)
        v, u, _ = drawn(rng, (30, 50), 0.6)
        weight = [rng.random(len(each)) + 0.2 if weighted else None for each in (y, v)]
        for level in LEVELS:
            told = {"confidence_level": level, "margin": 0.1}
            pair = rw.compare(y, {"a": s, "b": t}, sample_weight=weight[0], **told).pairs[0]
            apart = rw.compare_samples((y, s), (v, u), sample_weight=tuple(weight), **told)
            twice = {"confidence_level": 2 * level - 1} if level > 0.5 else None
            for found, again in (
                (
                    pair,
                    twice
                    and rw.compare(y, {"a": s, "b": t}, sample_weight=weight[0], **twice).pairs[0],
                ),
                (
                    apart,
                    twice
                    and rw.compare_samples((y, s), (v, u), sample_weight=tuple(weight), **twice),
                ),
            ):
                assert (found.p_value < 1 - level) is excludes(found)
                assert 0 <= found.non_inferior_p_value <= found.equivalence_p_value <= 1
                if again:  # a one-sided test is an interval of twice the tail
                    assert found.non_inferior is bool(again.low > -0.1)
                    assert found.equivalent is bool(again.low > -0.1 and again.high < 0.1)


def test_buckets_hold_for_every_order_where_some_orders_are_few():
    """The area is near where items begin to be few, so that orders differ in their method."""
    rng, methods = np.random.default_rng(5), set()
    for _ in range(30):
        exact = [rw.tally(*drawn(rng, (60, 60), area)[:2]) for area in (0.83, 0.75)]
        coarse = [each.bucketed(np.linspace(-4, 6, 21)) for each in exact]
        told = {"margin": 0.05}
        found, wide = (rw.compare_samples(*each, **told) for each in (exact, coarse))
        methods.add((found.method, wide.method))
        assert wide.low <= found.low
        assert found.high <= wide.high
        assert found.p_value <= wide.p_value + 1e-12
        assert found.non_inferior_p_value <= wide.non_inferior_p_value + 1e-12
        assert found.equivalence_p_value <= wide.equivalence_p_value + 1e-12
        assert (wide.p_value < 0.05) is excludes(wide)
        one, over = (rw.interval(each[0]) for each in (exact, coarse))
        assert over.low <= one.low
        assert one.high <= over.high
    assert len(methods) > 1


def test_models_that_order_alike_do_not_differ():
    y, s, _ = drawn(np.random.default_rng(6), (8, 40), 0.8)
    (pair,) = rw.compare(y, {"a": s, "b": 2 * s + 1}).pairs
    assert (pair.difference, pair.low, pair.high, pair.p_value) == (0, 0, 0, 1)


def test_mover_is_for_hard_labels_and_can_be_asked_for():
    y, s, t = drawn(np.random.default_rng(7), (150, 150), 0.7)
    assert rw.compare(y, {"a": s, "b": t}).method == "delong"
    assert rw.compare(y, {"a": s, "b": t}, method="mover").pairs[0].method == "mover"
    assert rw.compare_samples((y, s), (y, t)).method == "delong"
    plain, asked = (rw.compare_samples((y, s), (y, t), method=m) for m in ("delong", "mover"))
    assert asked.method == "mover"
    assert (asked.low, asked.high) == pytest.approx((plain.low, plain.high), abs=0.01)
    with pytest.raises(OptionError, match="is for the AUC of hard labels"):
        rw.compare(y, {"a": s, "b": t}, method="mover", sample_weight=np.arange(1, 301))
    with pytest.raises(OptionError, match="is for the AUC of hard labels"):
        rw.compare_samples((y, s), (y, t), method="mover", cluster=(np.arange(300) // 2, None))


def test_few_in_some_pairs_only():
    rng = np.random.default_rng(8)
    y, s, t = drawn(rng, (100, 100), 0.7)
    near_1 = 8.0 * y + rng.normal(size=200)
    near_1[:3] = 0
    found = rw.compare(y, {"a": s, "b": t, "c": near_1})
    assert [pair.method for pair in found.pairs] == ["delong", "mover", "mover"]
    assert found.method == "delong"


# -- planning ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("areas", "counts", "correlation"),
    [
        ((0.9, 0.8), (15, 60), 0.5),
        ((0.97, 0.95), (100, 100), 0.9),
        ((0.9, 0.7), (15, 60), None),
        ((0.98, 0.93), (100, 100), None),
    ],
)
def test_the_power_of_few_items_is_that_of_the_test(areas, counts, correlation):
    planned = rw.difference_power(*areas, *counts, correlation=correlation)
    rng, runs, significant = np.random.default_rng(9), 250, 0
    for _ in range(runs):
        y, s, t = drawn(rng, counts, areas[0], correlation or 0.0, areas[1])
        if correlation is None:
            found = rw.compare_samples((y, s), (y, t))
        else:
            (found,) = rw.compare(y, {"a": s, "b": t}).pairs
        significant += found.p_value < 0.05
    error = math.sqrt(planned.power * (1 - planned.power) / runs)
    assert abs(significant / runs - planned.power) < 3 * error + 0.04
