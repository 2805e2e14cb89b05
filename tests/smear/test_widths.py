"""Matched widths: every root, against exact fractions."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest

import rocwalk as rw
import smear_reference as reference
from samples import NO_ADVICE
from smear.inputs import EXAMPLE_1, INF, mixed, sample, small_sample

pytestmark = NO_ADVICE


# Exact roots: from the closed form where d ≥ max|D|, else from the quadratic of the piece.
ROOTS = {
    "0.9+ 0.6- 0.55+ 0.2- 0.1-": [1.62856824547195],
    "0.9+ 0.8- 0.6+ 0.3- 0.2-": [1.66094031898739],
    "0.85+ 0.78+ 0.7- 0.55+ 0.52+ 0.5- 0.4- 0.3+ 0.25- 0.15-": [1.72605784893492],
    "1+ 1+ 0.6- 0.6- 0.50001+ 0.49999- 0.45+ 0.45+ 0- 0-": [
        6.82677891210774e-5, 0.0999499944975479, 1.50468726818474,
    ],
    "1+ 0.51- 0.49+ 0-": [1.49497474683058],
    "0.6+ 0.4-": [1.89442719099992],
    "0.65+ 0.55- 0.45- 0.35-": [1.87559503577091],
    "1+ 0.1- 0+": [1.0],
    "1+ 0.1- 0+ 0+": [],
    "0.95+ 0.3- 0+": [0.776393202250021, 1.22360679774998],
    "0.9+ 0.3+ 0.3+ 0.5-": [INF],
}  # fmt: skip

NORMAL_ROOTS = {
    ("0.9+ 0.8- 0.6+ 0.3- 0.2-", 0.5): 1.0186394610302,
    ("0.85+ 0.78+ 0.7- 0.55+ 0.52+ 0.5- 0.4- 0.3+ 0.25- 0.15-", 0.5): 1.0497005304763,
    ("0.9+ 0.8- 0.6+ 0.3- 0.2-", 12**-0.5): 1.7643353010989,
    ("0.85+ 0.78+ 0.7- 0.55+ 0.52+ 0.5- 0.4- 0.3+ 0.25- 0.15-", 12**-0.5): 1.8181346515169,
}


@pytest.mark.parametrize("text", ROOTS)
def test_exact_roots(text):
    found = rw.matched_width(*sample(text))
    assert [low for low, _ in found.widths] == pytest.approx(ROOTS[text], abs=1e-13)
    assert all(low == high for low, high in found.widths)
    assert found.exists == bool(ROOTS[text])
    assert found.width == (found.widths[0][0] if ROOTS[text] else None)
    if found.exists:
        assert found.nearest_width == found.width
        assert abs(found.gap) <= 1e-12
        assert found.area == pytest.approx(found.target, abs=1e-12)


@pytest.mark.parametrize(("text", "deviation"), NORMAL_ROOTS)
def test_normal_roots(text, deviation):
    found = rw.matched_width(*sample(text), kernel="normal", sd_per_width=deviation)
    assert found.width == pytest.approx(NORMAL_ROOTS[text, deviation], abs=2e-13)
    assert found.widths == [(found.width, found.width)]


def test_where_no_width_exists():
    found = rw.matched_width(*sample("1+ 0.1- 0+ 0+"))
    assert not found.exists
    assert found.width is None
    assert found.widths == []
    assert found.target == pytest.approx(0.616667, abs=5e-7)
    assert found.area == pytest.approx(0.603376, abs=5e-7)
    assert found.nearest_width == pytest.approx(1.128571, abs=5e-7)
    assert found.gap == found.area - found.target < 0
    normal = rw.matched_width(*sample("1+ 0.1- 0+"), kernel="normal")
    assert not normal.exists
    assert normal.area == pytest.approx(0.694945, abs=5e-7)


def test_widths_that_fill_stretches():
    assert rw.matched_width([1, 0, 1, 0, 1], [1, 0, 1, 1, 0]).widths == [(0, 1)]
    assert rw.matched_width(*sample("0.7+ 0.3+ 0.5-")).widths == [(0, INF)]
    assert rw.matched_width(*sample("0.4+ 0.4-")).widths == [(0, INF)]
    # AUC = A_p = 1/2, and nothing moves before the two nearest scores overlap
    found = rw.matched_width(*sample("0.9+ 0.6+ 0.5- 0.3+ 0.2+"))
    assert found.width == 0
    assert found.widths[0] == pytest.approx((0, 0.1))
    normal = rw.matched_width(*sample("0.7+ 0.3+ 0.5-"), kernel="normal")
    assert normal.widths == [(0, INF)]
    assert rw.matched_width([1, 0, 1, 0, 1], [1, 0, 1, 1, 0], kernel="normal").width == 0


def test_the_closed_form_beyond_the_largest_difference():
    rng = np.random.default_rng(3)
    seen = 0
    for _ in range(200):
        y, s = np.array([1, 0] * 4), rng.random(8)
        apart = np.subtract.outer(s[y == 1], s[y == 0])
        mean, signed = apart.mean(), (np.sign(apart) * apart**2).mean()
        inside = 1 - signed / mean
        expected = [] if inside < 0 else [1 - math.sqrt(inside), 1 + math.sqrt(inside)]
        expected = [d for d in expected if d >= np.abs(apart).max() + 1e-6]
        found = [d for d, _ in rw.matched_width(y, s).widths if d >= np.abs(apart).max() + 1e-6]
        assert found == pytest.approx(expected, abs=1e-9)
        seen += len(found)
    assert seen > 150


def found_and_expected(truth, scores, weights):
    found = rw.matched_width(truth, scores, sample_weight=weights, truth="soft")
    return found, reference.matched_widths(truth, scores, weights)


def same(one, other):
    return one == other or abs(one - other) <= 1e-9


@pytest.mark.parametrize("block", range(10))
def test_ten_thousand_small_samples_against_exact_pieces(block):
    rng = np.random.default_rng(1_000 + block)
    touched = several = none = 0
    for _ in range(1_000):
        truth, scores, weights = small_sample(rng)
        found, expected = found_and_expected(truth, scores, weights)
        assert len(found.widths) == len(expected), (truth, scores, weights)
        for pair, exact in zip(found.widths, expected, strict=True):
            assert all(map(same, pair, exact)), (truth, scores, weights)
        if not expected:
            width, gap = reference.nearest_width(truth, scores, weights)
            assert found.gap == pytest.approx(gap, abs=1e-12)
            assert same(found.nearest_width, width) or abs(found.nearest_width - width) <= 1e-7
        touched += expected == [(1.0, 1.0)]
        several += len(expected) > 1
        none += not expected
    assert touched > 50
    assert several > 10
    assert none > 5


def test_perturbed_samples_by_the_tolerance_rule():
    """With scores moved by 1e-9 the gap may be so flat that roots are ill-defined; |gap| is not."""
    rng = np.random.default_rng(77)
    for _ in range(1_500):
        truth, scores, weights = small_sample(rng)
        scores = np.clip(scores + rng.integers(-1, 2, len(scores)) * 1e-9, 0, 1)
        found, expected = found_and_expected(truth, scores, weights)
        assert len(found.widths) == len(expected), (truth, scores, weights)
        target = reference.probabilistic_auc(truth, scores, weights)
        for pair, exact in zip(found.widths, expected, strict=True):
            for width, other in zip(pair, exact, strict=True):
                if not same(width, other):
                    area = reference.smeared_area(truth, scores, Fraction(width), weights)
                    assert abs(area - target) <= 1e-12, (truth, scores, weights)


def test_widths_that_do_not_exist_are_as_rare_as_they_are():
    """2.0 % of uninformative samples of up to five and five have no width, 19 % several."""
    rng = np.random.default_rng(4)
    counts = []
    for _ in range(2_000):
        n = rng.integers(1, 6, 2)
        y = np.repeat([1, 0], n)
        counts.append(len(rw.matched_width(y, rng.random(n.sum())).widths))
    none, several = np.mean(np.array(counts) == 0), np.mean(np.array(counts) > 1)
    assert none == pytest.approx(0.020, abs=4 * math.sqrt(0.02 / 2_000))
    assert several == pytest.approx(0.19, abs=4 * math.sqrt(0.19 / 2_000))


def test_identical_classes_match_at_every_width():
    scores = np.random.default_rng(12).random(3_000)
    found = rw.matched_width(np.repeat([1, 0], 3_000), np.tile(scores, 2))
    assert found.width == 0
    assert found.widths == [(0, INF)]


def test_a_sentence_for_every_outcome():
    said = {
        "0.9+ 0.8- 0.6+ 0.3- 0.2-": r"over a width of 1.661 turns the AUC of 0.8333 .* \(1: scores",
        "1+ 0.1- 0+ 0+": "No width turns .*; the nearest, 1.129, falls short of it by 0.013.",
        "1+ 0- 1- 0+ 1+": "over any width from 0 to 1 turns the AUC of 0.5833 into",
        "0.9+ 0.3+ 0.3+ 0.5-": "Only smearing without limit turns",
        "1+ 1+ 0.6- 0.6- 0.50001+ 0.49999- 0.45+ 0.45+ 0- 0-": "over a width of 6.827·10⁻⁵ turns "
        ".*; so does a width of 0.09995, a width of 1.505.",
        "0+ 0.75+ 0.5- 0.5- 0.125-": "over any width from 0 to 0.125 turns .*; so does any width "
        "from 0.625 on.",
    }
    for text, words in said.items():
        assert re.search(words, rw.matched_width(*sample(text)).sentence)


def test_areas_at_many_widths():
    y, s = sample("0.9+ 0.8- 0.6+ 0.3- 0.2-")
    for kernel, within in (("uniform", 1e-15), ("normal", 1e-6)):
        widths = np.array([0, 1e-3, 0.1, 0.7, 1.66, 50, INF])
        areas = rw.matched_width(y, s, kernel=kernel).areas(widths)
        expected = [rw.smeared_area(y, s, width=d, kernel=kernel) for d in widths]
        assert areas == pytest.approx(expected, abs=within)


@pytest.mark.parametrize("kernel", ["normal", "logit-normal"])
@pytest.mark.parametrize("rows", [40, 700])
def test_areas_of_bells_are_within_what_was_asked(kernel, rows):
    rng = np.random.default_rng(3)
    y = rng.random(rows) < 0.4
    s = np.round(np.clip(rng.beta(0.8, 1.0, rows) + 0.15 * y, 0, 1), 3)  # ties, and scores of 1
    widths = np.array([0, 1e-9, 1e-3, 0.03, 0.1, 0.5, 1, 4, 30, 1e4, 1e160, INF])
    expected = [rw.smeared_area(y, s, width=d, kernel=kernel) for d in widths]
    for within in (1e-6, 1e-8, 1e-11):
        areas = rw.matched_width(y, s, kernel=kernel).areas(widths, within=within)
        assert areas == pytest.approx(expected, rel=0, abs=within)


def test_differences_near_the_limits_of_float64():
    stretch = rw.matched_width([1, 1, 0], [1, 1e-310, 0])
    assert stretch.widths[0] == pytest.approx((0, 1), abs=1e-9)
    assert len(stretch.widths) == 1
    assert rw.matched_width([1, 1, 0], [1, 1e-310, 0], kernel="normal").width < 1e-9
    assert rw.matched_width([1, 0, 1, 0, 1], [1, 0, 1, 1, 0], kernel="normal").widths[0][1] > 0.1
    tiny = rw.matched_width([1, 0, 1, 0], [5e-324, 0, 1e-310, 0])
    assert abs(tiny.gap) <= 1e-12
    ordinary = rw.matched_width([1, 0, 1], [1e-200, 0, 0.5])
    assert ordinary.width == pytest.approx(1 + math.sqrt(0.5))
    assert ordinary.certificate.complete


def crowded_roots():
    """Roots far below one step of the histogram of differences, which has all rows in three."""
    rng = np.random.default_rng(1)
    m, k = 800, 400
    up = 0.5 + rng.random(m) * 1e-9
    right = np.where(np.arange(m) % 4 > 0, 0.5 + 1e-7, 0.5 - 1e-6) + rng.random(m) * 1e-9

    def made(x):
        rng = np.random.default_rng(0)
        ups = np.r_[up, 0.999 + rng.random(k) * 1e-4, x + rng.random(k) * 1e-9]
        rights = np.r_[right, 1 - rng.random(300) * 1e-4, rng.random(500) * 1e-9]
        return np.repeat([1, 0], [len(ups), len(rights)]), np.r_[ups, rights]

    def gap(x):
        y, s = made(x)
        area = rw.smeared_area(y, s, width=8e-7, kernel="normal")
        return area - rw.metrics.probabilistic_auc_score(y, s) - 0.004

    low, high = 0.001, 0.49
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (gap(middle) > 0) == (gap(low) > 0) else (low, middle)
    return made(low)


def test_roots_closer_than_the_histogram_can_see():
    y, s = crowded_roots()
    for kernel in ("normal", "uniform"):
        found = rw.matched_width(y, s, kernel=kernel)
        assert found.width < 1e-5
        proof = found.certificate
        proved = [row for row in proof.rows if row[2] != "unproved"]
        failed = reference.check_certificate(y, s, None, proof.rows, proof.target, kernel=kernel)
        assert not [row for row in failed if row in proved]
        assert found.complete or "are not ruled out" in found.sentence


def test_where_every_width_matches_no_other_is_in_doubt():
    found = rw.matched_width([1, 0] * 50, [0.5] * 100)
    assert found.widths == [(0.0, np.inf)]
    assert (found.complete, found.doubts) == (True, ())
    assert "any width from 0 on" in found.sentence
    assert "not ruled out" not in found.sentence


def test_ties_alone_do_not_keep_the_search_busy():
    scores = np.round(np.random.default_rng(2).random(50_000) * 2_000) / 2_000
    found = rw.matched_width(np.repeat([1, 0], 50_000), np.tile(scores, 2))
    assert found.widths == [(0, INF)]
    nothing = rw.matched_width([1, 0] * 2_000, np.random.default_rng(3).random(4_000) * 1e-200)
    assert abs(nothing.gap) <= 1e-12


def test_a_match_holds_however_small_the_scores_are():
    """Differences below about 1e-150 are lost to the parabolas: what they find is checked."""
    rng = np.random.default_rng(0)
    for place in range(60):
        y = np.array([1, 0, *rng.integers(0, 2, 5)])
        powers = 10.0 ** rng.uniform(-320, -90 if place % 2 else 0, 7)
        scores = np.where(rng.random(7) < 0.5, rng.random(7), powers) if place % 2 else powers
        found = rw.matched_width(y, scores)
        assert not found.exists or abs(found.gap) <= 1e-9
        assert found.exists or not found.complete or abs(found.gap) > 1e-12


@pytest.mark.parametrize("kernel", ["logit", "logit-normal"])
def test_matched_widths_in_log_odds(kernel):
    """Found widths match; certificates prove; samples without one are said to have none."""
    rng = np.random.default_rng(7)
    kinds = set()
    for _ in range(12):
        truth, scores, weights = mixed(rng, int(rng.integers(3, 9)))
        found = rw.matched_width(truth, scores, kernel=kernel, sample_weight=weights, truth="soft")
        kinds.add(found.exists)
        grid = np.geomspace(1e-3, 1e3, 40)
        options = {"kernel": kernel, "sample_weight": weights, "truth": "soft"}
        gaps = np.array(
            [rw.smeared_area(truth, scores, width=d, **options) - found.target for d in grid]
        )
        assert found.areas(grid) - found.target == pytest.approx(gaps, abs=2e-6)
        for low, _ in found.widths:
            if math.isfinite(low):
                area = rw.smeared_area(truth, scores, width=low, **options)
                assert area == pytest.approx(found.target, abs=1e-11)
        crossings = np.flatnonzero(gaps[1:] * gaps[:-1] < -1e-20)
        for k in crossings:
            assert any(grid[k] <= high and low <= grid[k + 1] for low, high in found.widths)
        assert found.certificate.complete
    assert kinds == {True, False}
    assert rw.matched_width(*EXAMPLE_1, kernel=kernel).exists
