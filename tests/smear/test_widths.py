"""Matched widths: every root, against exact fractions; and proofs, against a separate checker."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import numpy as np
import pytest

import rocwalk as rw
import smear_reference as reference
from rocwalk.errors import OptionError
from rocwalk.smear import levels as level_module
from rocwalk.smear import pieces as pieces_module
from rocwalk.smear import proofs as proof_module
from rocwalk.smear.kernels import Normal, Uniform, width_kernel
from rocwalk.smear.sides import sides_of_labels
from rocwalk.smear.widths import match
from samples import NO_ADVICE

pytestmark = NO_ADVICE
INF = math.inf


def sample(text):
    """Read "0.9+ 0.8-": scores with the sign of their class."""
    words = text.split()
    return [int(word[-1] == "+") for word in words], [float(word[:-1]) for word in words]


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


# -- ten thousand small samples ----------------------------------------------------------------------


def small_sample(rng):
    """A small sample, hard, soft or weighted, on a coarse grid or not, some made to touch."""
    n = int(rng.integers(2, 11))
    grid = rng.choice([2, 4, 5, 10, 20, 1000])
    scores = rng.integers(0, grid + 1, n) / grid if rng.random() < 0.7 else rng.random(n)
    truth = rng.integers(0, 2, n) * 1.0
    if rng.random() < 0.4:
        truth = rng.integers(0, 5, n) / 4 if rng.random() < 0.7 else rng.random(n)
    truth[0], truth[1] = max(truth[0], 0.25), min(truth[1], 0.75)
    weights = rng.integers(1, 4, n) * 1.0 if rng.random() < 0.5 else None
    if rng.random() < 0.15:  # {1⁺, x⁻, 0⁺} touches at 1, with any number of copies of it
        copies = int(rng.integers(1, 4))
        truth = np.tile([1.0, 0.0, 1.0], copies)
        scores = np.tile([1.0, rng.integers(1, 20) / 20, 0.0], copies)
        weights = None
    return truth, scores, weights


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


# -- many rows ---------------------------------------------------------------------------------------


def ordinary(rng, n):
    labels = rng.random(n) < 0.3
    return labels, np.where(labels, rng.beta(2, 1, n), rng.beta(1, 2, n))


def hard(rng, n):
    labels, half = rng.random(n) < 0.1, rng.random(n) < 0.5
    middle = np.where(labels, np.where(half, 0.9, 0.45), 0.5)
    return labels, np.clip(middle + rng.normal(0, 0.02, n), 0, 1)


def touching(rng, n):
    """Copies of {1⁺, 0.1⁻, 0⁺} in noise, scaled so that S/M is 1 but for rounding."""
    labels = np.tile([True, False, True], n // 3)
    scores = np.clip(np.tile([0.96, 0.1, 0.04], n // 3) + rng.normal(0, 0.005, n // 3 * 3), 0, 1)

    def excess(shift):
        moved = np.where(labels & (scores < 0.5), scores + shift, scores)
        sides = sides_of_labels(labels, moved)
        signed = 2 * (0.5 + sides.gini - Uniform().sums(sides, 1.0).area)
        return signed / sides.gini - 1, moved

    low, high = -0.02, 0.02
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle)[0] > 0 else (low, middle)
    return labels, np.clip(excess(low)[1], 0, 1)


def near_zero(rng, n):
    """AUC a hair from the probabilistic AUC, so that the first match is a very small width."""
    labels = rng.random(n) < 0.5
    scores = np.where(labels, rng.beta(0.05, 0.02, n), rng.beta(0.02, 0.05, n))
    gap = rw.metrics.roc_auc_score(labels, scores) - rw.metrics.probabilistic_auc_score(
        labels, scores
    )
    middle = labels & (scores > 0.2) & (scores < 0.8)
    scores[middle] += 2 * (gap + 1e-6) * labels.sum() / middle.sum()
    return labels, np.clip(scores, 0, 1)


MANY = {"ordinary": ordinary, "hard": hard, "touching": touching, "near zero": near_zero}


@pytest.mark.parametrize("bins", [2**9, 2**16])
@pytest.mark.parametrize("name", MANY)
def test_lags_find_what_pairs_find(name, bins, monkeypatch):
    """The same sample once with all pairs listed and once with lags in their place."""
    labels, scores = MANY[name](np.random.default_rng(9), 3_000)
    sides = sides_of_labels(labels, scores)
    monkeypatch.setattr(pieces_module, "_PAIRS", 2**24)
    expected = match(sides, Uniform())
    monkeypatch.setattr(pieces_module, "_PAIRS", 0)
    monkeypatch.setattr(pieces_module, "_NORMAL_PAIRS", 0)
    monkeypatch.setattr(pieces_module, "_BINS", bins)
    monkeypatch.setattr(pieces_module, "_NORMAL_BINS", bins)
    found = match(sides, Uniform())
    assert len(found.widths) == len(expected.widths) >= (name != "touching")
    for pair, exact in zip(found.widths, expected.widths, strict=True):
        assert pair == pytest.approx(exact, abs=1e-9)
    assert found.nearest_width == pytest.approx(expected.nearest_width, abs=1e-7)
    assert found.gap == pytest.approx(expected.gap, abs=1e-12)
    grid = np.geomspace(1e-3, 10, 50)
    assert found.areas(grid) == pytest.approx(
        expected.areas(grid), abs=5e-3 if bins < 2**10 else 1e-6
    )


@pytest.mark.parametrize("bins", [2**9, 2**12])
@pytest.mark.parametrize("name", ["ordinary", "hard", "touching"])
def test_normal_lags_find_what_pairs_find(name, bins, monkeypatch):
    labels, scores = MANY[name](np.random.default_rng(9), 900)
    sides = sides_of_labels(labels, scores)
    monkeypatch.setattr(pieces_module, "_NORMAL_PAIRS", 2**24)
    expected = match(sides, Normal())
    monkeypatch.setattr(pieces_module, "_PAIRS", 0)
    monkeypatch.setattr(pieces_module, "_NORMAL_PAIRS", 0)
    monkeypatch.setattr(pieces_module, "_BINS", bins)
    monkeypatch.setattr(pieces_module, "_NORMAL_BINS", bins)
    found = match(sides, Normal())
    assert len(found.widths) == len(expected.widths)
    for pair, exact in zip(found.widths, expected.widths, strict=True):
        assert pair == pytest.approx(exact, abs=1e-9)
    assert found.nearest_width == pytest.approx(expected.nearest_width, abs=1e-7)
    grid = np.geomspace(1e-2, 10, 50)
    assert found.areas(grid) == pytest.approx(expected.areas(grid), abs=1e-5)


@pytest.mark.parametrize("kernel", ["uniform", "normal"])
def test_pieces_stay_within_their_slack(kernel, monkeypatch):
    labels, scores = hard(np.random.default_rng(10), 2_000)
    sides, shape = sides_of_labels(labels, scores), width_kernel(kernel)
    monkeypatch.setattr(pieces_module, "_PAIRS", 0)
    monkeypatch.setattr(pieces_module, "_NORMAL_PAIRS", 0)
    rng, worst = np.random.default_rng(11), 0.0
    for bins in (2**6, 2**10):
        monkeypatch.setattr(pieces_module, "_BINS", bins)
        monkeypatch.setattr(pieces_module, "_NORMAL_BINS", bins)
        chain, exact = shape.pieces(sides, 0.6)
        assert not exact
        assert chain.low[1:].tolist() == chain.high[:-1].tolist()
        for width in np.exp(rng.uniform(math.log(1e-4), math.log(20), 300)):
            k = int(np.searchsorted(chain.high, width))
            off = abs(float(chain.gaps(np.array([width]))[0]) - shape.sums(sides, width).area + 0.6)
            assert off <= chain.slack[k] + 1e-12
            worst = max(worst, off)
    assert worst > 1e-7


def test_identical_classes_match_at_every_width():
    scores = np.random.default_rng(12).random(3_000)
    found = rw.matched_width(np.repeat([1, 0], 3_000), np.tile(scores, 2))
    assert found.width == 0
    assert found.widths == [(0, INF)]


# -- proofs ------------------------------------------------------------------------------------------


def assert_proved(truth, scores, weights, found):
    proof = found.certificate
    assert proof.complete, proof
    failed = reference.check_certificate(
        truth, scores, weights, proof.rows, proof.target,
        kernel=found.kernel.name, sd_per_width=found.kernel.deviations or 0.5, until=proof.free_below,
    )  # fmt: skip
    assert not failed, (truth, scores, weights, failed)


@pytest.mark.parametrize("kernel", ["uniform", "normal"])
def test_proofs_convince_a_separate_checker(kernel):
    rng = np.random.default_rng(13)
    for _ in range(150):
        truth, scores, weights = small_sample(rng)
        found = rw.matched_width(
            truth, scores, sample_weight=weights, truth="soft", kernel=kernel
        )  # fmt: skip
        proof = found.certificate
        assert_proved(truth, scores, weights, found)
        if not found.exists:
            assert proof.free_below == INF
        elif found.width < INF:
            beyond = found.width - proof.free_below
            inside = found.kernel.sums(found.sides, proof.free_below + 0.75 * beyond)
            assert beyond <= 1.001e-9 or abs(inside.area - found.target) <= 4e-12


@pytest.mark.parametrize("kernel", ["uniform", "normal"])
@pytest.mark.parametrize("name", ["ordinary", "hard", "touching"])
def test_proofs_of_many_rows(name, kernel, monkeypatch):
    labels, scores = MANY[name](np.random.default_rng(14), 1_200)
    monkeypatch.setattr(level_module, "_FEW_PAIRS", 0)
    found = rw.matched_width(labels, scores, kernel=kernel)
    assert_proved(labels, scores, None, found)


def test_a_proof_says_what_it_proves():
    found = rw.matched_width(*sample("0.9+ 0.8- 0.6+ 0.3- 0.2-"))
    assert found.certificate.sentence.startswith("No width below 1.66094032 brings the area within")
    assert found.certificate.free_below == pytest.approx(found.width, abs=1.001e-9)
    flat = rw.matched_width([1, 0, 1, 0, 1], [1, 0, 1, 1, 0])
    assert "nothing to prove" in flat.certificate.sentence
    tangent = rw.matched_width(*sample("1+ 0.1- 0+"))
    assert 1e-6 < tangent.width - tangent.certificate.free_below < 1e-5


def test_a_proof_that_fails_is_not_called_complete(monkeypatch):
    monkeypatch.setattr(proof_module, "_MOST_ROWS", 0)
    found = rw.matched_width(*sample("1+ 0.1- 0+ 0+"))
    assert not found.certificate.complete
    assert "unproved" in found.certificate.rule


# -- words -------------------------------------------------------------------------------------------


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


def crowded():
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
    y, s = crowded()
    for kernel in ("normal", "uniform"):
        found = rw.matched_width(y, s, kernel=kernel)
        assert found.width < 1e-5
        proof = found.certificate
        proved = [row for row in proof.rows if row[2] != "unproved"]
        failed = reference.check_certificate(y, s, None, proof.rows, proof.target, kernel=kernel)
        assert not [row for row in failed if row in proved]
        assert found.complete or "are not ruled out" in found.sentence


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
