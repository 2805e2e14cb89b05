"""Smeared curves: points, best points, readings and budgets."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import InputError, OptionError
from rocwalk.smear.kernels import KERNELS
from samples import NO_ADVICE
from smear.inputs import AMOUNTS, EXAMPLE_1, sample

pytestmark = NO_ADVICE


# -- points ----------------------------------------------------------------------------------------


def test_points_between_the_vertices():
    curve = rw.smeared_roc(*EXAMPLE_1, width=0.5)
    at = curve.at(0.7)
    assert at.tpr == pytest.approx((0.9 + 0.6 - 1.4 + 0.5) / 2 / 0.5)
    assert at.fpr == pytest.approx((0.8 - 0.7 + 0.25) / 3 / 0.5)
    for x in (0.05, 0.4, 0.8):
        found = curve.at(fpr=x)
        assert found.fpr == pytest.approx(x)
        assert curve.at(tpr=found.tpr).fpr <= x + 1e-12
    assert curve.at(5.0).count == 0
    assert curve.at(-5.0).count == 5
    with pytest.raises(OptionError, match="0 of threshold, fpr, tpr and rate are given"):
        curve.at()


def test_asked_rates_are_returned():
    for width in (0, 1e-12, 1e-4, 0.4, math.inf):
        for kernel in ("uniform", "normal"):
            curve = rw.smeared_roc(*EXAMPLE_1, width=width, kernel=kernel)
            assert curve.at(fpr=0.3).fpr == pytest.approx(0.3)
            assert curve.at(tpr=0.7).tpr == pytest.approx(0.7)
            assert not math.isnan(curve.at(fpr=0.3).position)


@pytest.mark.parametrize("asked", [{"fpr": 0.37}, {"tpr": 0.6}, {"rate": 0.45}])
@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "coin"])
def test_a_rate_is_reached_at_the_position_that_is_told(kernel, asked):
    """Between two vertices too, where rates are straight lines in log-odds, not in scores."""
    curve = rw.smeared_roc(*EXAMPLE_1, kernel=kernel, **AMOUNTS[kernel])
    point = curve.at(**asked)
    there = curve.at(point.position)
    assert (point.fpr, point.tpr) == pytest.approx((there.fpr, there.tpr), abs=1e-5)
    rates = {"fpr": there.fpr, "tpr": there.tpr, "rate": (3 * there.fpr + 2 * there.tpr) / 5}
    (name, wanted), *_ = asked.items()
    assert rates[name] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    ("options", "asked", "position"),
    [
        ({"kernel": "coin"}, {"fpr": 0.2}, 1),  # on the way from (0, 0) to (m⁻, m⁺)
        ({"kernel": "coin"}, {"fpr": 0.7}, 0),  # and on to (1, 1)
        ({"kernel": "coin", "share": 0.4}, {"fpr": 0.37}, 0.8),
        ({"width": 0}, {"fpr": 0.37}, 0.3),
        ({"width": 0}, {"tpr": 0.6}, 0.6),
    ],
)
def test_a_rate_that_is_jumped_over_has_the_position_of_the_jump(options, asked, position):
    curve = rw.smeared_roc(*EXAMPLE_1, **options)
    point = curve.at(**asked)
    (name, wanted), *_ = asked.items()
    assert point.position == position
    assert getattr(point, name) == pytest.approx(wanted)
    above = curve.at(math.nextafter(position, math.inf))
    assert getattr(above, name) < wanted < getattr(curve.at(position), name)


def test_the_limits_of_the_width():
    bare = rw.smeared_roc(*EXAMPLE_1, width=0)
    assert bare.at(0.7).tpr == 0.5
    endless = rw.smeared_roc(*EXAMPLE_1, width=math.inf)
    assert (endless.at(0.7).fpr, endless.at(0.7).tpr) == (0.5, 0.5)
    assert (endless.at(math.inf).tpr, endless.at(-math.inf).tpr) == (0, 1)
    tiny = rw.smeared_roc(*EXAMPLE_1, width=1e-320, kernel="normal")
    assert tiny.fpr.tolist() == bare.fpr.tolist()


# -- best points -----------------------------------------------------------------------------------


def test_best_points_of_row_2():
    """Exact values of the uniform curve at the matched width, by hand from the two polylines."""
    curve = rw.smeared_roc(*EXAMPLE_1)
    steep = curve.best(slope=math.tan(math.radians(60)))
    assert (steep.fpr, steep.tpr) == pytest.approx((0.100345, 0.270931), abs=5e-7)
    assert steep.threshold == pytest.approx(1.130470, abs=5e-7)
    assert steep.outside
    assert steep.tied is None
    level = curve.best(slope=1)
    assert (level.fpr, level.tpr) == pytest.approx((0.140483, 0.331138), abs=5e-7)
    assert (level.tied.fpr, level.tied.tpr) == pytest.approx((0.719035, 0.909690), abs=5e-7)
    assert (level.threshold, level.tied.position) == pytest.approx((1.030470, 0.069530), abs=5e-7)
    assert level.outside
    assert not level.tied.outside
    flat = curve.best(slope=math.tan(math.radians(30)))
    assert (flat.fpr, flat.tpr) == pytest.approx((0.859517, 1), abs=5e-7)
    assert flat.threshold == pytest.approx(-0.230470, abs=5e-7)


def test_the_paper_s_reading_as_an_interval_of_scores():
    from rocwalk.smear.curves import interval_of

    tally = rw.tally(*EXAMPLE_1)
    # the counts that follow from the rates printed in section 3.3
    assert interval_of(tally, 0.65) == (0.8, 0.9)
    assert interval_of(tally, 2.36) == (0.6, 0.8)
    assert interval_of(tally, 4.18) == (0.2, 0.3)
    assert interval_of(tally, 0.49) == (0.9, math.inf)
    assert interval_of(tally, 4.5) == (-math.inf, 0.2)
    masses = rw.tally([0.5, 0.25, 0.75], [0.9, 0.6, 0.1], sample_weight=[1, 2, 1])
    assert interval_of(masses, 0.5) == (0.9, math.inf)  # as near to 0 as to 1: the smaller
    assert interval_of(masses, 2.1) == (0.1, 0.6)
    assert interval_of(masses, 9) == (-math.inf, 0.1)


def test_best_point_for_costs():
    curve = rw.smeared_roc(*EXAMPLE_1, width=0.4)
    costs = rw.Costs(false_positive=1, false_negative=3)
    choice = curve.best(costs)
    assert choice.slope == costs.slope(0.4)
    assert choice.expected_cost == pytest.approx(costs.expected(choice.fpr, choice.tpr, 0.4))
    every = [costs.expected(x, y, 0.4) for x, y in zip(curve.fpr, curve.tpr, strict=True)]
    assert choice.expected_cost == pytest.approx(min(every))
    with pytest.raises(OptionError, match="Both costs and slope are given"):
        curve.best(costs, slope=1)


def test_the_ends_of_the_slopes():
    curve = rw.smeared_roc(*EXAMPLE_1, width=0.4)
    strict = curve.best(slope=math.inf)
    assert strict.fpr == 0
    assert strict.tpr == max(curve.tpr[curve.fpr == 0])
    lax = curve.best(slope=0)
    assert (lax.tpr, lax.tied.fpr) == pytest.approx((1, 1))
    assert curve.best(slope=1e6).tied is None


@pytest.mark.parametrize("slope", [0.3, 1.0, 2.5])
def test_best_points_of_the_normal_curve_are_global_maxima(slope):
    rng = np.random.default_rng(41)
    y = rng.random(60) < 0.5
    s = np.clip(rng.normal(0.45 + 0.15 * y, 0.2), 0, 1)
    curve = rw.smeared_roc(y, s, width=0.15, kernel="normal")
    choice = curve.best(slope=slope)
    at = np.linspace(-1, 2, 30_001)
    fpr, tpr = curve.data.rates(at)
    assert choice.tpr - slope * choice.fpr >= (tpr - slope * fpr).max() - 1e-12
    from scipy.special import ndtr

    mean = float(ndtr((s[y] - choice.threshold) / 0.075).mean())
    assert choice.tpr == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_best_points_are_the_best_of_many(kernel):
    curve = rw.smeared_roc(*EXAMPLE_1, kernel=kernel, **AMOUNTS[kernel])
    positions = np.linspace(0.001, 0.999, 2_001)
    fpr, tpr = curve.data.rates(positions)
    for slope in (0.5, 1.0, 2.0):
        best = curve.best(slope=slope)
        gain = best.tpr - slope * best.fpr
        assert gain >= (tpr - slope * fpr).max() - 1e-9
        at = curve.at(best.threshold)
        assert (at.fpr, at.tpr) == pytest.approx((best.fpr, best.tpr), abs=1e-9)
        low, high = best.interval
        assert low <= high


def test_a_best_point_inside_the_unit_interval():
    """The kernels of this page keep thresholds in [0, 1], where the uniform one leaves it."""
    assert rw.smeared_roc(*EXAMPLE_1).best(slope=math.sqrt(3)).outside
    for kernel in ("logit", "logit-normal"):
        assert not rw.smeared_roc(*EXAMPLE_1, kernel=kernel).best(slope=math.sqrt(3)).outside


def test_both_ends_of_a_tie_are_told():
    told = rw.smeared_roc(*EXAMPLE_1).best().to_dict()
    assert told["point_tpr"] == pytest.approx([0.331138, 0.909690], abs=5e-7)
    assert told["score_above"] == [0.9, 0.3]


# -- budgets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [{}, {"slope": 0.4}, {"slope": 2.0}, {"prevalence": 0.1}])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_best_point_within_a_budget(kernel, asked):
    """No position of a fine grid that calls as few items gains more; without a slope: TPR."""
    y, p = [1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.6, 0.3, 0.2, 0.25, 0.1]
    curve = rw.smeared_roc(y, p, kernel=kernel, **AMOUNTS[kernel])
    share = asked.get("prevalence", 3 / 7)
    fpr, tpr = curve.data.rates(np.linspace(-0.3, 1.3, 3_001))
    called = share * tpr + (1 - share) * fpr
    for rate in (0, 0.1, 0.3, 0.45, 0.8, 1):
        found = curve.best(rate=rate, **asked)
        assert found.slope == asked.get("slope", 0)
        assert share * found.tpr + (1 - share) * found.fpr <= rate + 3 * curve.curve_error + 1e-12
        most = (tpr - found.slope * fpr)[called <= rate].max(initial=0)
        assert found.tpr - found.slope * found.fpr >= most - 3 * curve.curve_error - 1e-12


def test_a_budget_that_is_not_used_up_changes_nothing():
    curve = rw.smeared_roc(*EXAMPLE_1, kernel="logit", width=1.0)
    costs = rw.Costs(false_positive=3, false_negative=1)
    free = curve.best(costs)
    assert curve.best(costs, rate=1).to_dict() == free.to_dict()
    tight = curve.best(costs, rate=0.05)
    assert tight.point.count <= 0.25 + 1e-9
    assert tight.expected_cost > free.expected_cost
    most = curve.best(rate=0.3)
    assert most.tpr == pytest.approx(curve.at(rate=0.3).tpr)
    assert most.fpr < curve.at(rate=0.3).fpr  # of equally high points the first


def test_coins_cannot_use_up_a_budget():
    """All heads show at once: the rule calls the items that show 1, or none of them."""
    curve = rw.smeared_roc(*EXAMPLE_1, kernel="coin")
    assert curve.best(rate=0.5).point.count == 0
    assert curve.at(rate=0.5).count == pytest.approx(2.5)
    mean = float(np.mean(EXAMPLE_1[1]))
    assert curve.best(rate=mean + 1e-6).point.count == pytest.approx(5 * mean)


def test_budgets_that_are_refused():
    curve = rw.smeared_roc(*EXAMPLE_1, width=0.3)
    for asked, words in (
        ({"rate": 2}, r"rate=2 is outside \[0, 1\]"),
        ({"rate": "x"}, "rate='x' is not a number"),
        ({"rate": 0.2, "prevalence": 1.0}, r"prevalence=1.0 is outside \(0, 1\)"),
        ({"prevalence": 0.2}, "prevalence=0.2 has no meaning without costs or a rate"),
    ):
        with pytest.raises(OptionError, match=words) as caught:
            curve.best(**asked)
        assert caught.value.hint


# -- what curves do --------------------------------------------------------------------------------


def test_smeared_curves_do_what_curves_do():
    curve = rw.smeared_roc(*EXAMPLE_1, width=0.4)
    assert curve.hull.area >= curve.area - 1e-12
    assert curve.prevalence == 0.4
    assert curve.kernel == "uniform"
    assert curve.sd_per_width is None
    assert curve.partial_area() == pytest.approx(curve.area)
    assert len(curve.thinned(5).fpr) <= 5
    assert curve.thresholds[0] == math.inf
    assert np.all(np.diff(curve.thresholds) < 0)
    assert rw.average([curve, curve]).area == pytest.approx(curve.area)
    assert curve.area_bounds[0] <= curve.area <= curve.area_bounds[2]
    assert curve.area_bounds[1] == curve.area
    assert curve.hull.best(slope=2).outside == (curve.best(slope=2).outside)
    assert curve.hull.best(slope=2).fpr == curve.best(slope=2).fpr


def test_positions_are_no_cuts_of_the_scores():
    curve = rw.smeared_roc(*EXAMPLE_1)
    for ask in (
        lambda: rw.mix({"a": curve}, fpr=0.3),
        lambda: rw.average([curve, curve], how="threshold"),
        lambda: rw.mix({"a": curve.hull}, fpr=0.3),
    ):
        with pytest.raises(InputError, match="Item 0 is smeared: .*\nHint: use rocwalk.roc"):
            ask()


def test_small_multiples():
    ax = rw.smeared_roc(*EXAMPLE_1).plot_widths((0, 0.5, 8))
    assert len(ax.child_axes) == 4


def test_the_matched_curve():
    y, s = sample("0.9+ 0.8- 0.6+ 0.3- 0.2-")
    curve = rw.smeared_roc(y, s)
    assert curve.width == rw.matched_width(y, s).width
    assert curve.area == pytest.approx(rw.metrics.probabilistic_auc_score(y, s), abs=1e-12)
    with pytest.raises(
        OptionError,
        match=r"No width makes .* 0.616667: the nearest, 1.12857142857\d*, misses it by -0.0132911"
        r".\nHint: pass width=1.12857142857\d* to draw the nearest curve.",
    ):
        rw.smeared_roc(*sample("1+ 0.1- 0+ 0+"))
