"""Smeared areas and curves: against exact fractions, mpmath, and one way against another."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import rocwalk as rw
import smear_reference as reference
from rocwalk.errors import (
    InputError,
    OptionError,
    ScoreError,
    TallyError,
    UndefinedMetricWarning,
)
from rocwalk.smear.normal import lags_of, normal_sums, sums_of_lags
from rocwalk.smear.sides import (
    Side,
    Sides,
    near_counts,
    near_pairs,
    running_sum,
    sides_of_labels,
    sides_of_tally,
)
from rocwalk.smear.uniform import uniform_parts, uniform_sums
from samples import NO_ADVICE

pytestmark = NO_ADVICE
EXAMPLES = rw.datasets.paper_examples()
ROW_2 = ([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])


def draw(rng, n, kind):
    """A sample of scores with ties, with clusters or spread out; hard, soft or weighted."""
    scores = {
        "tied": lambda: rng.integers(0, 8, n) / 8,
        "spread": lambda: rng.random(n),
        "close": lambda: 0.5 + rng.normal(0, 1e-6, n),
        "extreme": lambda: rng.beta(0.1, 0.1, n),
    }[kind]()
    truth = rng.choice([rng.integers(0, 2, n).astype(float), rng.integers(0, 5, n) / 4])
    truth[0], truth[1] = 1.0, 0.0
    weights = None if rng.random() < 0.5 else rng.integers(1, 5, n) / 2
    return truth, np.clip(scores, 0, 1), weights


# -- the uniform kernel ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["tied", "spread", "close", "extreme"])
def test_uniform_areas_are_exact_at_every_width(kind):
    rng = np.random.default_rng(11)
    for _ in range(12):
        truth, scores, weights = draw(rng, int(rng.integers(2, 16)), kind)
        for width in 10.0 ** rng.uniform(-9, 3, 8):
            area = rw.smeared_area(truth, scores, width=width, sample_weight=weights, truth="soft")
            exact = reference.smeared_area(truth, scores, width, weights)
            off = abs(Fraction(float(area)) - exact)
            assert off <= 1e-15
            assert off <= area.error_bound <= 1e-12


def test_uniform_areas_of_many_rows_against_the_polyline():
    """The polyline is integrated along the score axis: nothing is shared with the sum of pairs."""
    rng = np.random.default_rng(5)
    labels = rng.random(40_000) < 0.3
    scores = np.where(labels, rng.beta(3, 2, len(labels)), rng.beta(2, 3, len(labels)))
    for width in (1e-9, 1e-7, 1e-5, 1e-3, 0.05, 0.3, 1.0, 7.0, 1e3):
        curve = rw.smeared_roc(labels, scores, width=width)
        assert float(np.trapezoid(curve.tpr, curve.fpr)) == pytest.approx(curve.area, abs=1e-12)
        assert curve.closed.error_bound <= 1e-12


def test_a_million_rows_are_summed_to_the_stated_error():
    rng = np.random.default_rng(6)
    labels, scores = rng.random(10**6) < 0.1, rng.random(10**6)
    tally = rw.tally(labels, scores)
    for width in (1e-6, 0.1, 2.0):
        area = rw.smeared_area(labels, scores, width=width)
        assert area.error_bound <= 1e-12
        assert float(rw.smeared_area(tally, width=width)) == pytest.approx(area, abs=1e-13)


def test_widths_at_the_limits_of_float64():
    y, s = [1, 0, 1, 0], [5e-324, 0.0, 1.0, 1.0]
    for width in (5e-324, 1e-310, 1e-300, 1e-200, 1e-20, 2.0**-52):
        exact = reference.smeared_area(y, s, width)
        assert rw.smeared_area(y, s, width=width) == pytest.approx(float(exact), abs=1e-15)
        curve = rw.smeared_roc(y, s, width=width)
        assert float(np.trapezoid(curve.tpr, curve.fpr)) == pytest.approx(float(exact), abs=1e-15)
    assert rw.smeared_area(y, s, width=1e300) == 0.5
    assert rw.smeared_area(y, s, width=math.inf) == 0.5


def test_parts_by_the_sign_of_the_difference():
    rng = np.random.default_rng(8)
    sides = Sides(Side(np.sort(rng.random(30))), Side(np.sort(rng.integers(0, 9, 50) / 8)))
    apart = np.subtract.outer(sides.positive.scores, sides.negative.scores).ravel() / 0.3
    for both in (sides, Sides(sides.negative, sides.positive)):
        sign = 1 if both is sides else -1
        for part, side in zip(uniform_parts(both, 0.3)[:2], (1, -1), strict=True):
            size = (sign * side * apart)[sign * side * apart > 0]
            near = size[size < 1]
            expected = [len(size) - len(near), len(near), near.sum(), (near**2).sum()]
            measured = [part.beyond, part.near, part.first, part.second]
            assert measured == pytest.approx(np.array(expected) / len(apart), abs=1e-15)


def test_slope_and_bend_are_the_derivatives():
    rng = np.random.default_rng(9)
    sides = Sides(Side(np.sort(rng.random(40))), Side(np.sort(rng.random(60))))
    for sums in (uniform_sums, normal_sums):
        for width in (0.05, 0.4, 1.5):
            step = 1e-4
            areas = [sums(sides, width / (1 + k * step)).area for k in (-1, 0, 1)]
            now = sums(sides, width)
            assert now.slope == pytest.approx((areas[2] - areas[0]) / (2 * step), abs=1e-7)
            curved = (areas[2] - 2 * areas[1] + areas[0]) / step**2
            assert now.bend == pytest.approx(curved, abs=2e-3)


def test_running_sums_hardly_lose_anything():
    values = np.random.default_rng(3).random(300_000)
    sums = running_sum(values)
    for place in (0, 15, 16, 17, 4096, 99_999, 299_999):
        assert sums[place] == pytest.approx(math.fsum(values[: place + 1]), rel=4e-15)


# -- the normal kernel -----------------------------------------------------------------------------


@pytest.mark.parametrize("spread", [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.05, 0.2, 1.0, 10.0])
def test_normal_areas_keep_their_bound(spread):
    rng = np.random.default_rng(21)
    for kind in ("tied", "spread", "close"):
        truth, scores, weights = draw(rng, 24, kind)
        area = rw.smeared_area(
            truth, scores, width=2 * spread, kernel="normal", sample_weight=weights, truth="soft"
        )
        exact = reference.normal_area(truth, scores, 2 * spread, weights=weights)
        assert abs(float(exact - float(area))) <= area.error_bound <= 1e-10


@pytest.mark.parametrize("order", [3, 7, 11])
def test_every_order_of_lags_keeps_its_bound(order):
    """Coarse bins make the remainder large enough to see that the bound is one."""
    rng = np.random.default_rng(22)
    truth, scores, _ = draw(rng, 40, "spread")
    sides = sides_of_tally(rw.tally(truth, scores, truth="soft"))
    seen = []
    for spread in (0.02, 0.05, 0.1, 0.3, 1.0, 10.0):
        exact = reference.normal_area(truth, scores, spread / math.sqrt(0.5))
        for bins in (8, 32, 128):
            sums = sums_of_lags(lags_of(sides, bins, order), spread)
            off = abs(float(exact - sums.area))
            assert off <= sums.error
            seen.append(off)
    assert max(seen) > 1e-9


def test_both_ways_of_the_normal_sum_agree():
    rng = np.random.default_rng(23)
    sides = Sides(Side(np.sort(rng.random(2_000))), Side(np.sort(rng.beta(2, 3, 3_000))))
    for spread in (1e-4, 1e-3, 1e-2, 0.1):
        by_choice = normal_sums(sides, spread)
        low, high = near_counts(sides, 9 * spread)
        inside = float(low.sum() - (3_000 - high).sum()) / 6e6
        for difference, share in near_pairs(sides, low, high):
            words = np.array([math.erf(d / spread / math.sqrt(2)) for d in difference])
            inside += float((share * words).sum())
        assert by_choice.area == pytest.approx(0.5 + inside / 2, abs=1e-11)
        lags = sums_of_lags(lags_of(sides, 2**15, 7), spread)
        assert lags.area == pytest.approx(by_choice.area, abs=lags.error + by_choice.error)
        assert lags.slope == pytest.approx(by_choice.slope, abs=1e-9)
        assert lags.bend == pytest.approx(by_choice.bend, abs=1e-8)


def test_the_paper_s_normal_widths_need_another_deviation():
    y, s = ROW_2
    twelfth = 1 / math.sqrt(12)
    target = rw.metrics.probabilistic_auc_score(y, s)
    assert rw.smeared_area(y, s, width=1.74, kernel="normal") != pytest.approx(target, abs=0.05)
    area = rw.smeared_area(y, s, width=1.74, kernel="normal", sd_per_width=twelfth)
    assert area - target == pytest.approx(0.0018, abs=5e-5)


# -- probabilistic areas -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["tied", "spread", "close", "extreme"])
def test_probabilistic_areas_against_pairs(kind):
    rng = np.random.default_rng(31)
    for _ in range(10):
        truth, scores, weights = draw(rng, int(rng.integers(2, 20)), kind)
        options = {"sample_weight": weights, "truth": "soft"}
        exact = reference.probabilistic_auc(truth, scores, weights)
        assert rw.metrics.probabilistic_auc_score(truth, scores, **options) == pytest.approx(
            float(exact), abs=1e-15
        )
        assert rw.metrics.scored_auc_score(truth, scores, **options) == pytest.approx(
            float(reference.scored_auc(truth, scores, weights)), abs=1e-15
        )


def test_probabilistic_areas_of_long_columns():
    rng = np.random.default_rng(32)
    labels, scores = rng.integers(0, 2, 200_001), rng.random(200_001)
    means = [math.fsum(scores[labels == k]) / (labels == k).sum() for k in (1, 0)]
    gini = rw.metrics.probabilistic_gini_score(labels, scores)
    assert gini == pytest.approx(means[0] - means[1], abs=1e-14)
    assert rw.metrics.probabilistic_gini_score(labels == 1, scores) == gini
    weights = rng.random(len(labels))
    means = [np.average(scores[labels == k], weights=weights[labels == k]) for k in (1, 0)]
    weighted = rw.metrics.probabilistic_gini_score(labels, scores, sample_weight=weights)
    assert weighted == pytest.approx(means[0] - means[1], abs=1e-13)


@pytest.mark.parametrize("kind", ["hard", "soft"])
def test_nothing_cancels_however_the_masses_differ(kind):
    """A class of next to no mass beside one of all of it: both means stay exact."""
    rng = np.random.default_rng(33)
    y, s = np.repeat([1.0, 0.0], 500), rng.random(1_000)
    weights = np.where(y == 1, 1e12, 1e-12) * (1 + rng.random(1_000))
    if kind == "soft":
        y, weights = np.clip(y, 1e-13, 1 - 1e-13), None
        y[:500] = 1 - rng.random(500) * 1e-10
        y[500:] = 1.0
    mass = [Fraction(1)] * 1_000 if weights is None else [Fraction(w) for w in weights]
    up = [w * Fraction(f) for w, f in zip(mass, y, strict=True)]
    right = [w - u for w, u in zip(mass, up, strict=True)]
    means = [
        sum(m * Fraction(x) for m, x in zip(part, s, strict=True)) / sum(part)
        for part in (up, right)
    ]
    exact = (1 + means[0] - means[1]) / 2
    found = rw.metrics.probabilistic_auc_score(y, s, sample_weight=weights, truth="soft")
    assert found == pytest.approx(float(exact), abs=1e-6 if kind == "soft" else 1e-13)
    few = np.ones(10_000, dtype=int)
    few[17] = 0
    scores = rng.random(10_000)
    gini = math.fsum(scores[few == 1]) / 9_999 - scores[17]
    assert rw.metrics.probabilistic_gini_score(few, scores) == pytest.approx(gini, abs=1e-15)


def test_heavy_ties_cost_no_more_than_their_distinct_scores():
    rng = np.random.default_rng(34)
    labels, scores = rng.random(300_000) < 0.5, np.round(rng.random(300_000), 2)
    few = rw.smeared_area(labels, scores, width=1e-7, kernel="normal")
    assert few == pytest.approx(rw.roc(labels, scores).area, abs=1e-12)
    assert rw.smeared_area(labels, scores, width=1e-16) == pytest.approx(few, abs=1e-12)
    assert rw.matched_width(labels, scores).complete


def test_asked_rates_are_returned():
    for width in (0, 1e-12, 1e-4, 0.4, math.inf):
        for kernel in ("uniform", "normal"):
            curve = rw.smeared_roc(*ROW_2, width=width, kernel=kernel)
            assert curve.at(fpr=0.3).fpr == pytest.approx(0.3)
            assert curve.at(tpr=0.7).tpr == pytest.approx(0.7)
            assert not math.isnan(curve.at(fpr=0.3).position)


def test_metrics_take_labels_as_scikit_learn_does():
    y, s = ROW_2
    value = rw.metrics.probabilistic_auc_score(y, s)
    words = ["yes" if label else "no" for label in y]
    for labels in (words, [label + 1 for label in y], np.array(y, dtype=object)):
        assert rw.metrics.probabilistic_auc_score(labels, s) == value
    turned = rw.metrics.probabilistic_auc_score(words, s, pos_label="no")
    assert turned == pytest.approx(1 - value)
    assert rw.metrics.probabilistic_auc_score(y, np.array(s)[:, None]) == value


# -- curves ------------------------------------------------------------------------------------------


def test_best_points_of_row_2():
    """Exact values of the uniform curve at the matched width, by hand from the two polylines."""
    curve = rw.smeared_roc(*ROW_2)
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

    tally = rw.tally(*ROW_2)
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
    curve = rw.smeared_roc(*ROW_2, width=0.4)
    costs = rw.Costs(false_positive=1, false_negative=3)
    choice = curve.best(costs)
    assert choice.slope == costs.slope(0.4)
    assert choice.expected_cost == pytest.approx(costs.expected(choice.fpr, choice.tpr, 0.4))
    every = [costs.expected(x, y, 0.4) for x, y in zip(curve.fpr, curve.tpr, strict=True)]
    assert choice.expected_cost == pytest.approx(min(every))
    with pytest.raises(OptionError, match="Both costs and slope are given"):
        curve.best(costs, slope=1)


def test_the_ends_of_the_slopes():
    curve = rw.smeared_roc(*ROW_2, width=0.4)
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


@pytest.mark.parametrize("width", [1e-5, 0.003, 0.2, 3.0])
@pytest.mark.parametrize("n", [3, 30, 30_000])
def test_the_normal_polyline_is_as_near_as_it_says(width, n):
    rng = np.random.default_rng(42)
    y = rng.random(n) < 0.4
    y[0], y[1] = True, False
    s = np.where(y, rng.beta(3, 2, n), rng.beta(2, 3, n))
    curve = rw.smeared_roc(y, s, width=width, kernel="normal")
    from scipy.special import ndtr

    for t in rng.uniform(s.min() - width, s.max() + width, 60):
        x, h = (float(ndtr((s[side] - t) / (width / 2)).mean()) for side in (~y, y))
        down = abs(np.interp(x, curve.fpr, curve.tpr) - h)
        along = abs(np.interp(h, curve.tpr, curve.fpr) - x)
        assert min(down, along) <= curve.curve_error + 1e-12
    assert curve.curve_error <= (1e-6 if n <= 30 or width >= 0.2 else 1e-3)
    point = curve.at(0.5)
    assert point.tpr == pytest.approx(float(ndtr((s[y] - 0.5) / (width / 2)).mean()), abs=1e-9)


def test_points_between_the_vertices():
    curve = rw.smeared_roc(*ROW_2, width=0.5)
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


def test_the_limits_of_the_width():
    bare = rw.smeared_roc(*ROW_2, width=0)
    assert bare.at(0.7).tpr == 0.5
    endless = rw.smeared_roc(*ROW_2, width=math.inf)
    assert (endless.at(0.7).fpr, endless.at(0.7).tpr) == (0.5, 0.5)
    assert (endless.at(math.inf).tpr, endless.at(-math.inf).tpr) == (0, 1)
    tiny = rw.smeared_roc(*ROW_2, width=1e-320, kernel="normal")
    assert tiny.fpr.tolist() == bare.fpr.tolist()


def test_smeared_curves_do_what_curves_do():
    curve = rw.smeared_roc(*ROW_2, width=0.4)
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
    curve = rw.smeared_roc(*ROW_2)
    for ask in (
        lambda: rw.mix({"a": curve}, fpr=0.3),
        lambda: rw.average([curve, curve], how="threshold"),
        lambda: rw.mix({"a": curve.hull}, fpr=0.3),
    ):
        with pytest.raises(InputError, match="Item 0 is smeared: .*\nHint: use rocwalk.roc"):
            ask()


def test_both_ends_of_a_tie_are_told():
    told = rw.smeared_roc(*ROW_2).best().to_dict()
    assert told["point_tpr"] == pytest.approx([0.331138, 0.909690], abs=5e-7)
    assert told["score_above"] == [0.9, 0.3]


def test_small_multiples():
    ax = rw.smeared_roc(*ROW_2).plot_widths((0, 0.5, 8))
    assert len(ax.child_axes) == 4


# -- tallies and bad input ---------------------------------------------------------------------------


def test_a_tally_in_place_of_the_columns():
    tally = rw.tally(*ROW_2)
    assert rw.smeared_area(tally, width=0.3) == rw.smeared_area(*ROW_2, width=0.3)
    assert rw.matched_width(tally).width == pytest.approx(rw.matched_width(*ROW_2).width)
    assert (
        rw.smeared_roc(tally, width=0.3).tpr.tolist()
        == rw.smeared_roc(*ROW_2, width=0.3).tpr.tolist()
    )
    halves = rw.tally([1, 0], [0.9, 0.8]) + rw.tally([1, 0, 0], [0.6, 0.3, 0.2])
    assert rw.smeared_area(halves, width=0.3) == pytest.approx(rw.smeared_area(tally, width=0.3))


def test_what_a_tally_cannot_answer():
    coarse = rw.tally(*ROW_2).bucketed(np.array([0.5]))
    for ask in (
        lambda: rw.smeared_area(coarse, width=0.3),
        lambda: rw.matched_width(coarse),
        lambda: rw.smeared_roc(coarse, width=0.3),
    ):
        with pytest.raises(TallyError, match="Smearing needs every score, and this tally is buck"):
            ask()
    with pytest.raises(TallyError, match="Scored AUC needs the order of all scores"):
        rw.metrics.scored_auc_score(coarse)
    beyond = rw.tally(*ROW_2[:1], [2.0, 0.5, 0.4, 0.3, 0.2])
    for ask in (
        lambda: rw.smeared_area(beyond, width=0.3),
        lambda: rw.metrics.probabilistic_auc_score(beyond),
        lambda: rw.smeared_roc(beyond),
    ):
        with pytest.raises(ScoreError, match=r"The tally has the score 2, outside \[0, 1\]"):
            ask()
    with pytest.raises(OptionError, match="together with a"):
        rw.metrics.probabilistic_auc_score(rw.tally(*ROW_2), [0.5])


@pytest.mark.parametrize("function", [rw.smeared_area, rw.smeared_roc])
def test_widths_that_are_none(function):
    for width, words in ((-0.1, "negative"), (math.nan, "not a number")):
        with pytest.raises(OptionError, match=f"width={width!r} is {words}.\nHint: "):
            function(*ROW_2, width=width)
    with pytest.raises(OptionError, match="width is missing.\nHint: the kernel 'uniform' needs"):
        function(*ROW_2, width=None)
    with pytest.raises(OptionError, match="is not (a number|known)"):
        function(*ROW_2, width="wide")


@pytest.mark.parametrize("function", [rw.smeared_area, rw.matched_width, rw.smeared_roc])
def test_kernels_that_are_none(function):
    width = {} if function is rw.matched_width else {"width": 0.2}
    with pytest.raises(OptionError, match="kernel='box' is not known.\nHint: kernel is one of"):
        function(*ROW_2, kernel="box", **width)
    for value in (0, -1, 1e-12, 1e12, math.inf, math.nan, "half"):
        with pytest.raises(OptionError, match=r"sd_per_width=.*\nHint: "):
            function(*ROW_2, kernel="normal", sd_per_width=value, **width)


def test_one_class_gives_no_area():
    with pytest.warns(UndefinedMetricWarning, match="only one class, so the smeared area"):
        assert math.isnan(rw.smeared_area([1, 1], [0.2, 0.3], width=0.1))
    with pytest.warns(UndefinedMetricWarning, match="so the probabilistic AUC is not defined"):
        assert math.isnan(rw.metrics.probabilistic_auc_score([0, 0], [0.2, 0.3]))


def test_an_area_is_a_number():
    area = rw.smeared_area(*ROW_2, width=0.4)
    assert isinstance(area, float)
    assert str(area) == repr(float(area))
    assert f"{area:.3f}" == f"{float(area):.3f}"
    assert area.width == 0.4
    assert area.kernel == "uniform"


def test_sides_of_few_and_many_positives():
    rng = np.random.default_rng(51)
    scores = rng.random(500)
    for share in (0.1, 0.9):
        labels = rng.random(500) < share
        sides = sides_of_labels(labels, scores)
        curve = rw.roc(labels, scores)
        assert sides.auc == curve.area
        assert sides.gini == pytest.approx(scores[labels].mean() - scores[~labels].mean())
        for width in (0.01, 0.5):
            exact = rw.smeared_roc(labels, scores, width=width)
            assert uniform_sums(sides, width).area == pytest.approx(
                float(np.trapezoid(exact.tpr, exact.fpr)), abs=1e-13
            )
