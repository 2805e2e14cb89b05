"""The exact reference of smeared curves against numbers worked out by hand and against itself."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest

import smear_reference as exact
from smear_reference import (
    check_certificate,
    matched_widths,
    nearest_width,
    normal_area,
    smeared_area,
)

NEVER = "1+ 0.1- 0+ 0+"
PRINTED = "0.9+ 0.8- 0.6+ 0.3- 0.2-"
TEN = "0.85+ 0.78+ 0.7- 0.55+ 0.52+ 0.5- 0.4- 0.3+ 0.25- 0.15-"
THRICE = "1+ 1+ 0.6- 0.6- 0.50001+ 0.49999- 0.45+ 0.45+ 0- 0-"

# sample, AUC, probabilistic AUC, all matched widths
TABLE = [
    ("0.9+ 0.6- 0.55+ 0.2- 0.1-", "5/6", "0.7125", [1.62856824547195]),
    (PRINTED, "5/6", "79/120", [1.66094031898739]),
    (TEN, "0.8", "0.6", [1.72605784893492]),
    (THRICE, "0.68", "0.670002", [6.82677891210774e-5, 0.0999499944975479, 1.50468726818474]),
    ("1+ 0.51- 0.49+ 0-", "0.75", "0.745", [1.49497474683058]),
    ("0.6+ 0.4-", "1", "0.6", [1.89442719099992]),
    ("0.65+ 0.55- 0.45- 0.35-", "1", "0.6", [1.87559503577091]),
    ("1+ 0.1- 0+", "0.5", "0.7", [1]),
    (NEVER, "1/3", "37/60", []),
    (".95+ .3- 0+", "0.5", "0.5875", [0.776393202250021, 1.22360679774998]),
]
NUMBERS = pytest.mark.parametrize("number", [Fraction, float])
KERNELS = pytest.mark.parametrize("kernel", ["uniform", "normal"])


def read(text, number=Fraction):
    """Truth and scores of a sample such as 0.6+ 0.4-."""
    items = text.split()
    return [int(item[-1] == "+") for item in items], [number(item[:-1]) for item in items]


def drawn(rng, soft):
    """A small sample of scores that know nothing of the truth."""
    up, right = rng.integers(1, 6, 2)
    truth = rng.random(up + right) if soft else np.repeat([1, 0], [up, right])
    return truth, rng.random(up + right), rng.random(up + right) + 0.1 if soft else None


def points(roots):
    """The widths of roots that are points."""
    assert all(low == high for low, high in roots)
    return [low for low, _ in roots]


@pytest.mark.parametrize(("text", "area", "probabilistic", "widths"), TABLE)
def test_table(text, area, probabilistic, widths):
    sample = read(text)
    assert exact.auc(*sample) == smeared_area(*sample, 0) == Fraction(area)
    assert exact.probabilistic_auc(*sample) == Fraction(probabilistic)
    assert points(matched_widths(*sample)) == pytest.approx(widths, rel=1e-14)
    assert points(matched_widths(*read(text, float))) == pytest.approx(widths, rel=3e-12)


@pytest.mark.parametrize(
    ("text", "width", "area", "within"),
    [
        (PRINTED, "1.596", Fraction(79, 120) + Fraction("0.0051"), 5e-5),
        (PRINTED, "1.65", Fraction(79, 120) + Fraction("0.0008"), 5e-5),
        (TEN, "1.71", Fraction("0.6008"), 5e-5),
        (THRICE, "0.8", Fraction("0.732"), 5e-4),
        (THRICE, "0.4", Fraction("0.74438025"), 0),
        (THRICE, "0.05", Fraction("0.6600159984"), 0),
        ("1+ 0.51- 0.49+ 0-", "0.2", Fraction("0.85125"), 0),
    ],
)
def test_areas_that_the_paper_prints(text, width, area, within):
    assert abs(smeared_area(*read(text), Fraction(width)) - area) <= within


def test_an_area_that_the_paper_prints_and_no_width_has():
    sample = read("1+ 0.51- 0.49+ 0-")
    form = exact.shape(*sample)
    gaps = [Fraction(*node.gap) / form.whole for node in exact.nodes(form)]
    assert max(gaps) + exact.probabilistic_auc(*sample) < Fraction("0.874")


@NUMBERS
def test_no_width(number):
    sample = read(NEVER, number)
    width, gap = nearest_width(*sample)
    assert matched_widths(*sample) == []
    assert width == pytest.approx(79 / 70, rel=1e-15)
    assert gap == pytest.approx(-21 / 1580, rel=1e-14)
    assert float(smeared_area(*sample, width)) == pytest.approx(0.603376, abs=5e-7)


def test_the_nearest_width_of_a_sample_with_a_root_is_the_first_root():
    assert nearest_width(*read(".95+ .3- 0+")) == (pytest.approx(0.776393202250021), 0)
    assert nearest_width([0.75, 0.25], [0.1, 0.1]) == (0, 0)


@NUMBERS
@pytest.mark.parametrize(
    ("text", "roots"),
    [
        ("1+ 0- 1- 1+ 0+", [(0, 1)]),
        ("1+ 0-", [(0, 1)]),
        (".7+ .3+ .5-", [(0, math.inf)]),
        (".5+ .5-", [(0, math.inf)]),
        (".9+ .3+ .3+ .5-", [(math.inf, math.inf)]),
        (".6+ .6+ .9+ .7-", [(math.inf, math.inf)]),  # the floats turn at 2e14
        ("1- .25+ .5- .75+ 1+ .5-", [(0, 0.25)]),
    ],
)
def test_roots_that_are_not_points(text, roots, number):
    assert matched_widths(*read(text, number)) == roots


@NUMBERS
def test_a_tangent_for_every_middle_but_the_mean(number):
    for tenths in [1, 2, 3, 4, 6, 7, 8, 9]:
        assert matched_widths(*read(f"1+ 0.{tenths}- 0+", number)) == [(1, 1)]


@NUMBERS
def test_two_points(number):
    for high, low in [("0.9", "0.05"), ("0.5", "0.4"), ("1", "0.99"), ("0.3", "0"), ("0.1", "0.7")]:
        roots = matched_widths([1, 0], [number(high), number(low)])
        apart = abs(float(high) - float(low))
        assert points(roots) == pytest.approx([1 + math.sqrt(1 - apart)], rel=1e-14)


def test_two_close_zeros_are_one_root_at_the_extremum():
    sample = [1, 0, 1], [1, 0.5, 1e-7]
    roots = matched_widths(*sample)
    assert len(points(roots)) == 1
    assert roots[0][0] == pytest.approx(1, abs=1e-6)
    assert abs(smeared_area(*sample, roots[0][0]) - exact.probabilistic_auc(*sample)) < 1e-12


def test_roots_within_a_billionth_are_one():
    billionth = 1e-9
    assert exact.merged([(0.8 * billionth,) * 2, (0.0, 0.0), (1.6 * billionth,) * 2]) == [
        (0, 0),
        (1.6 * billionth,) * 2,
    ]
    assert exact.merged([(0.5, 0.5), (0.5 + billionth / 2, 1)]) == [(0.5, 1)]
    assert exact.merged([(0.5, 0.5 + billionth / 2)]) == [(0.5, 0.5)]


@pytest.mark.parametrize("soft", [False, True])
def test_pieces_and_roots_of_random_samples(rng, soft):
    for _ in range(15):
        sample = drawn(rng, soft)
        truth, scores, weights = sample
        target = exact.probabilistic_auc(*sample)
        for low, high, alpha, beta, gamma in exact.pieces(*sample):
            d = 2 * low + 1 if high == math.inf else (low + high) / 2
            area = alpha + beta / d + gamma / d**2
            assert area == smeared_area(truth, scores, d, weights)
        grid = [Fraction(k, 8) for k in range(25)]
        gaps = [float(smeared_area(truth, scores, d, weights) - target) for d in grid]
        roots = points(matched_widths(*sample))
        for (a, first), (b, last) in pairwise(zip(grid, gaps, strict=True)):
            assert sum(a < root < b for root in roots) % 2 == (first * last < 0)
        for root in roots:
            assert abs(smeared_area(truth, scores, root, weights) - target) < 1e-13


def test_areas_of_random_samples_hang_together(rng):
    for soft in [False, True] * 10:
        truth, scores, weights = sample = drawn(rng, soft)
        mass = np.ones(len(truth)) if weights is None else weights
        up, right = mass * truth, mass * (1 - truth)
        means = up @ scores / up.sum(), right @ scores / right.sum()
        area = exact.probabilistic_auc(*sample)
        assert float(area) == pytest.approx((1 + means[0] - means[1]) / 2, abs=1e-14)
        inverted = exact.scored_auc(1 - truth, scores, weights)
        if not soft:
            assert area == (1 + exact.scored_auc(*sample) - inverted) / 2
        assert smeared_area(truth, scores, math.inf, weights) == Fraction(1, 2)


def test_how_often_there_is_no_width_and_how_often_several(rng):
    counts = np.array([len(matched_widths(*drawn(rng, soft=False))) for _ in range(2000)])
    assert (counts == 0).mean() == pytest.approx(0.020, abs=0.01)
    assert (counts > 1).mean() == pytest.approx(0.19, abs=0.03)


@pytest.mark.parametrize(
    ("text", "per_width", "root", "printed", "gap"),
    [
        (PRINTED, 0.5, 1.0186394610302, None, None),
        (TEN, 0.5, 1.0497005304763, None, None),
        (PRINTED, 1 / math.sqrt(12), 1.7643353010989, 1.74, 0.0018),
        (TEN, 1 / math.sqrt(12), 1.8181346515169, 1.80, 0.0009),
    ],
)
def test_normal_widths(text, per_width, root, printed, gap):
    sample = read(text)
    target = mpmath.mpf(float(exact.probabilistic_auc(*sample)))

    def miss(width):
        return normal_area(*sample, width, per_width) - target

    assert float(mpmath.findroot(miss, (1, 1.5), tol=1e-25)) == pytest.approx(root, abs=1e-13)
    if printed:
        assert abs(miss(printed)) == pytest.approx(gap, abs=5e-5)


def test_limits_of_the_normal_area():
    sample = read(PRINTED)
    assert normal_area(*sample, 0) == pytest.approx(5 / 6, abs=1e-16)
    assert normal_area(*sample, math.inf) == 0.5


# The checker of proofs.

TRUE_PROOF = [
    (0.0, 0.2, "value"),
    (0.2, 0.9, "bend"),
    (0.9, 1.2, "value"),
    (1.2, math.inf, "slope"),
]
TWO_POINTS = [1, 0], [0.6, 0.4], None


def halved(sums, target, low=0.0, high=math.inf):
    """A proof found by halving until some rule holds."""
    for rule, holds in exact.RULES.items():
        if holds(sums, low, high, target + 1e-12, target - 1e-12):
            return [(low, high, rule)]
    middle = (low + high) / 2 if high < math.inf else 2 * low + 1
    return halved(sums, target, low, middle) + halved(sums, target, middle, high)


def test_a_true_proof_holds():
    sample = read(NEVER, float)
    assert check_certificate(*sample, None, TRUE_PROOF, 37 / 60, until=math.inf) == []


@pytest.mark.parametrize("rule", ["slope", "bend"])
def test_a_proof_up_to_the_root_holds_and_beyond_it_fails(rule):
    root = matched_widths(*TWO_POINTS)[0][0]
    good, bad = (0.0, root - 1e-9, rule), (0.0, root + 1e-9, rule)
    assert check_certificate(*TWO_POINTS, [good], 0.6) == []
    assert check_certificate(*TWO_POINTS, [bad], 0.6) == [bad]


ROOTS = [(text, "uniform", root) for text, _, _, roots in TABLE for root in roots]
ROOTS += [(PRINTED, "normal", 1.0186394610302), (TEN, "normal", 1.0497005304763)]


@pytest.mark.parametrize("rule", ["value", "slope", "bend"])
@pytest.mark.parametrize(("text", "kernel", "root"), ROOTS)
def test_a_row_with_a_root_fails(text, kernel, root, rule):
    sample = read(text, float)
    target = float(exact.probabilistic_auc(*sample))
    wide = [(0.0, root * 1.001, rule)]
    assert check_certificate(*sample, None, wide, target, kernel) == wide
    sums = exact.PairSums(*sample, kernel=kernel)
    bounds = target + 1e-12, target - 1e-12
    assert not exact.RULES[rule](sums, root * 0.999, root * 1.001, *bounds)


@pytest.mark.parametrize(
    ("rows", "failed"),
    [
        (TRUE_PROOF[1:], [0]),
        (TRUE_PROOF[:1] + TRUE_PROOF[2:], [1]),
        ([*TRUE_PROOF[:2], (0.9, 1.2, "trust me"), TRUE_PROOF[3]], [2]),
        ([(0.0, 0.2, "value"), (0.2, 0.1, "value")], [1]),
        ([(math.nan, 0.2, "value")], [0]),
    ],
)
def test_a_proof_with_a_hole_fails(rows, failed):
    bad = check_certificate(*read(NEVER, float), None, rows, 37 / 60)
    assert bad == [rows[i] for i in failed]


def test_a_proof_that_stops_early_fails():
    sample = read(NEVER, float)
    missing = [(1.2, math.inf, "missing")]
    assert check_certificate(*sample, None, TRUE_PROOF[:3], 37 / 60, until=math.inf) == missing
    assert check_certificate(*sample, None, [], 37 / 60, until=1) == [(0, 1, "missing")]


@pytest.mark.parametrize("soft", [False, True])
def test_rules_never_accept_a_root(rng, soft):
    accepted = dict.fromkeys(exact.RULES, 0)
    for _ in range(150):
        sample = drawn(rng, soft)
        roots, target = matched_widths(*sample), float(exact.probabilistic_auc(*sample))
        sums = exact.PairSums(*sample)
        ends = [0.0, *sorted(rng.random(8) * 2), math.inf]
        for low, high in [*pairwise(ends), *pairwise(ends[::2])]:
            for rule, holds in exact.RULES.items():
                if holds(sums, low, high, target + 1e-12, target - 1e-12):
                    accepted[rule] += 1
                    assert not any(low <= root <= high for root, _ in roots)
    assert min(accepted.values()) > 100


def test_samples_without_a_width_have_a_proof(rng):
    samples = [drawn(rng, soft=False) for _ in range(500)]
    without = [sample for sample in samples if not matched_widths(*sample)]
    assert without
    for sample in without:
        target = float(exact.probabilistic_auc(*sample))
        rows = halved(exact.PairSums(*sample), target)
        assert check_certificate(*sample, rows, target, until=math.inf) == []


def test_normal_kernel_has_no_width_for_one_sample_that_uniform_has():
    sample = read("1+ 0.1- 0+", float)
    sums = exact.PairSums(*sample, kernel="normal")
    rows = halved(sums, 0.7)
    assert check_certificate(*sample, None, rows, 0.7, "normal", until=math.inf) == []
    best = max(np.linspace(0.3, 1.5, 400), key=lambda d: sums.area(d, d))
    assert float(normal_area(*sample, best)) == pytest.approx(0.694945, abs=1e-6)


@KERNELS
def test_sums_in_floats_agree_with_the_exact_areas(rng, kernel):
    truth, scores, weights = sample = drawn(rng, soft=True)
    area = smeared_area if kernel == "uniform" else normal_area
    sums = exact.PairSums(*sample, kernel=kernel)
    for d in [0.0, 1e-300, 0.01, 0.3, 1.0, 7.5, 1e12, math.inf]:
        wanted = float(area(truth, scores, d, weights=weights))
        assert sums.area(d, d) == pytest.approx(wanted, abs=1e-14)


@KERNELS
def test_slope_and_bend_are_the_derivatives_in_the_inverse_width(rng, kernel):
    truth, scores, weights = sample = drawn(rng, soft=True)
    area = smeared_area if kernel == "uniform" else normal_area
    sums = exact.PairSums(*sample, kernel=kernel)
    x, step = Fraction(101, 37), Fraction(1, 10**4)
    left, middle, right = (
        area(truth, scores, float(1 / (x + k * step)), weights=weights) for k in (-1, 0, 1)
    )
    d = float(1 / x)
    slope, bend = np.subtract(*sums.at("slope", d)), np.subtract(*sums.at("bend", d))
    scale = (1, 1) if kernel == "uniform" else (math.sqrt(2), math.sqrt(2) ** 3 * float(x))
    assert float((right - left) / (2 * step)) == pytest.approx(slope * scale[0], rel=1e-7)
    assert float((right - 2 * middle + left) / step**2) == pytest.approx(-bend * scale[1], rel=1e-5)
