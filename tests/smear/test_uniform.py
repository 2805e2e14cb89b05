"""Areas of uniform segments: against exact fractions at every width."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import rocwalk as rw
import smear_reference as reference
from rocwalk.smear.normal import normal_sums
from rocwalk.smear.sides import Side, Sides
from rocwalk.smear.uniform import uniform_parts, uniform_sums
from samples import NO_ADVICE
from smear.inputs import draw

pytestmark = NO_ADVICE


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
