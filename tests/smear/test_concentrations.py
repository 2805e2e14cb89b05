"""Concentrations that match: all of them, or the proof that there is none."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import OptionError
from samples import NO_ADVICE
from smear.inputs import EXAMPLE_1

pytestmark = NO_ADVICE


def test_concentrations_that_match():
    """All that a fine grid sees, and where a grid sees none there is none."""
    rng, kinds = np.random.default_rng(12), []
    grid = np.geomspace(1e-2, 1e4, 25)
    for _ in range(6):
        y = np.array([1, 0, *rng.integers(0, 2, 3)])
        p = rng.random(5).round(2)
        found = rw.matched_concentration(y, p)
        kinds.append(len(found.concentrations))
        gaps = found.areas(grid) - found.target
        assert found.complete
        assert len(found.concentrations) >= np.count_nonzero(gaps[1:] * gaps[:-1] < 0)
        for one in found.concentrations:
            area = rw.smeared_area(y, p, kernel="beta", concentration=one)
            assert area == pytest.approx(found.target, abs=1e-11)
    assert 0 in kinds
    assert max(kinds) >= 1


def test_a_sample_without_a_matched_concentration():
    found = rw.matched_concentration(*EXAMPLE_1)
    assert not found.exists
    assert found.concentrations == ()
    assert found.complete
    assert found.gap == pytest.approx(0.728382 - 0.658333, abs=1e-6)
    assert found.sentence.startswith("No concentration turns the AUC of 0.8333 into")
    with pytest.raises(OptionError, match="No concentration makes the area equal"):
        rw.smeared_roc(*EXAMPLE_1, kernel="beta", concentration="matched")


def test_scores_that_are_all_0_or_1_match_without_smearing():
    found = rw.matched_concentration([1, 0, 1, 0], [1, 0, 0, 1])
    assert found.concentrations == (math.inf,)
    assert found.constant
    curve = rw.smeared_roc([1, 0, 1, 0], [1, 0, 0, 1], kernel="beta", concentration="matched")
    assert curve.area == 0.5


@pytest.mark.parametrize(
    "sample",
    [
        ([1, 1, 0], [0.7, 0.3, 0.5]),  # each class is its own mirror image
        ([1, 0, 1, 0], [0.3, 0.3, 0.7, 0.7]),  # both have the same scores
        ([0.5, 0.5], [0.2, 0.8]),
        ([1, 0], [0.4, 0.4]),
    ],
)
def test_every_concentration_matches(sample):
    found = rw.matched_concentration(*sample)
    assert (found.exists, found.constant, found.complete, found.gap) == (True, True, True, 0)
    assert found.areas([0, 1e-3, 2, 1e4]) == pytest.approx([0.5] * 4, abs=1e-12)
    assert found.sentence == "The area is 0.5, the probabilistic AUC, at every concentration."


@pytest.mark.parametrize(
    "sample",
    [
        ([1, 1, 0], [0.7, 0.3, 0.4]),
        ([1, 0, 1], [0.9, 0.5, 0.4]),
        ([1, 0, 1, 0], [1e-20, 1e-18, 0.5, 0.5]),  # apart by a factor, though not by rounding
        EXAMPLE_1,
    ],
)
def test_areas_that_vary_are_not_called_constant(sample):
    found = rw.matched_concentration(*sample)
    assert not found.constant
    assert "every" not in found.sentence


def test_an_auc_that_is_the_probabilistic_auc_by_chance():
    """{.9⁺, .3⁺, .6⁻}: both are ½, and areas in between are not."""
    found = rw.matched_concentration([1, 1, 0], [0.9, 0.3, 0.6])
    assert found.concentrations[0] == math.inf
    assert not found.constant
    assert found.sentence.startswith("The AUC and the probabilistic AUC are both 0.5 without sm")
    assert abs(found.areas([5])[0] - 0.5) > 1e-3


def test_the_cumulants_behind_the_bound_of_the_bend():
    """0 ≤ (−1)ⁿ·κⁿ·k_n ≤ (n − 1)!, the lemma of docs/mathematics.rst, with 30 digits."""
    with mpmath.workdps(30):
        for s in (1e-6, 0.03, 0.5, 0.999):
            for k in (1e-4, 0.3, 1, 7, 500, 1e6):
                for n in (2, 3, 4):
                    parts = [mpmath.mpf(s) ** n * mpmath.polygamma(n - 1, k * mpmath.mpf(s))]
                    rest = 1 - mpmath.mpf(s)
                    parts.append(rest**n * mpmath.polygamma(n - 1, k * rest))
                    cumulant = sum(parts) - mpmath.polygamma(n - 1, k)
                    scaled = (-1) ** n * mpmath.mpf(k) ** n * cumulant
                    assert 0 <= scaled <= math.factorial(n - 1)


def test_the_slope_in_ln_concentration_is_bounded():
    """|A″(ln κ)| ≤ 2.35 and |Area(κ) − Area(0)| ≤ 1.29κ + 1.65κ², which the search relies on."""
    rng = np.random.default_rng(13)
    for _ in range(6):
        y, p = [1, 0], rng.random(2)
        logs, step = np.linspace(-5, 7, 25, retstep=True)
        area = np.array(
            [rw.smeared_area(y, p, kernel="beta", concentration=math.exp(t)) for t in logs]
        )
        assert np.abs(np.diff(area, 2)).max() / step**2 <= 2.35
        zero = rw.smeared_area(y, p, kernel="beta", concentration=0)
        for k in (0.01, 0.1, 0.5):
            near = rw.smeared_area(y, p, kernel="beta", concentration=k)
            assert abs(near - zero) <= 1.29 * k + 1.65 * k * k


def test_large_concentrations_hardly_ever_change_the_order_of_a_pair():
    """P(wrong order) ≤ exp(−(κ + 1)·D²), by which the search ends at large concentrations."""
    for high, low in ((0.6, 0.4), (0.98, 0.9), (0.5, 0.01), (0.2, 0.15)):
        for k in (0.1, 2.0, 30.0, 500.0):
            area = rw.smeared_area([1, 0], [high, low], kernel="beta", concentration=k)
            assert 1 - area <= math.exp(-(k + 1) * (high - low) ** 2) + area.error_bound


def test_a_match_of_equal_or_nearly_equal_scores_ends():
    """All pairs tied: every concentration is one. Scores 1e-8 apart: what is undecided is said."""
    tied = rw.matched_concentration([1, 0] * 5, [0.5] * 10)
    assert (tied.exists, tied.concentrations, tied.complete) == (True, (math.inf,), True)
    rng = np.random.default_rng(0)
    near = rw.matched_concentration(np.arange(20) % 2, 0.10136 + 1e-8 * rng.random(20))
    assert not near.complete
    assert near.doubts
