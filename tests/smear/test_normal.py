"""Areas of normal distributions: against mpmath, and one way against another."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
import smear_reference as reference
from rocwalk.smear.normal import lags_of, normal_sums, sums_of_lags
from rocwalk.smear.sides import Side, Sides, near_counts, near_pairs, sides_of_tally
from samples import NO_ADVICE
from smear.inputs import EXAMPLE_1, draw

pytestmark = NO_ADVICE


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
    y, s = EXAMPLE_1
    twelfth = 1 / math.sqrt(12)
    target = rw.metrics.probabilistic_auc_score(y, s)
    assert rw.smeared_area(y, s, width=1.74, kernel="normal") != pytest.approx(target, abs=0.05)
    area = rw.smeared_area(y, s, width=1.74, kernel="normal", sd_per_width=twelfth)
    assert area - target == pytest.approx(0.0018, abs=5e-5)
