"""Sizes for precise sensitivity and specificity: against slow references and closed forms."""

from __future__ import annotations

import math

import pytest
from scipy.stats import binom, norm

import rocwalk as rw
from rocwalk.errors import OptionError


def half_width(share, count, level=0.95):
    """Wilson's half-width, from the roots of (p̂ − p)² = z² p(1 − p) / n."""
    z = norm.ppf((1 + level) / 2)
    a, b, c = 1 + z**2 / count, -(2 * share + z**2 / count), share**2
    return math.sqrt(b**2 - 4 * a * c) / (2 * a)


@pytest.mark.parametrize(("share", "half", "level"), [
    (0.9, 0.05, 0.95), (0.8, 0.05, 0.95), (0.5, 0.1, 0.9), (0.99, 0.02, 0.99), (0.05, 0.3, 0.95), (0.7, 0.45, 0.95),
])  # fmt: skip
def test_the_size_is_the_smallest_that_is_narrow_enough(share, half, level):
    found = rw.accuracy_sample_size(sensitivity=share, half_width=half, confidence_level=level)
    slow = next(n for n in range(1, 5000) if half_width(share, n, level) <= half)
    assert found.n_positives == slow
    assert found.n_negatives is None
    assert found.n_subjects is None


@pytest.mark.parametrize(("share", "half"), [(0.9, 0.05), (0.6, 0.08), (0.97, 0.03), (0.7, 0.45)])
def test_the_chance_is_that_of_all_outcomes(share, half):
    found = rw.accuracy_sample_size(specificity=share, half_width=half)
    n = found.n_negatives
    narrow = [k for k in range(n + 1) if half_width(k / n, n) <= half * (1 + 1e-12)]
    assert found.specificity_chance == pytest.approx(binom.pmf(narrow, n, share).sum(), abs=1e-9)
    assert found.sensitivity_chance is None


def test_for_large_sizes_it_is_walds_formula():
    """Buderer (1996): n = z² p(1 − p) / d², over the prevalence."""
    found = rw.accuracy_sample_size(sensitivity=0.9, half_width=0.002, prevalence=0.2)
    wald = norm.ppf(0.975) ** 2 * 0.09 / 0.002**2
    assert found.n_positives == pytest.approx(wald, rel=1e-3)
    assert found.n_subjects == math.ceil(found.n_positives / 0.2 - 1e-6)


def test_the_subjects_hold_both_classes():
    found = rw.accuracy_sample_size(sensitivity=0.9, specificity=0.8, prevalence=0.8)
    assert found.n_subjects == math.ceil(found.n_negatives / 0.2 - 1e-6) == 5 * found.n_negatives
    assert "subjects" in found.sentence
    assert "141 positives for a sensitivity of 0.9" in found.sentence
    alone = rw.accuracy_sample_size(specificity=0.8)
    assert "subjects" not in alone.sentence
    assert "sensitivity" not in alone.sentence


@pytest.mark.parametrize(("given", "words"), [
    ({}, "Neither sensitivity nor specificity is given."),
    ({"sensitivity": 1.0}, "sensitivity=1.0 is outside (0, 1)."),
    ({"specificity": "high"}, "specificity='high'"),
    ({"sensitivity": 0.9, "half_width": 0.5}, "half_width=0.5 is not below 0.5."),
    ({"sensitivity": 0.9, "half_width": 1e-9}, "half_width=1e-09 needs more than 1,000,000,000 items."),
    ({"sensitivity": 0.9, "prevalence": 0}, "prevalence=0 is outside (0, 1)."),
    ({"sensitivity": 0.9, "confidence_level": 95}, "confidence_level=95 is outside (0, 1)."),
])  # fmt: skip
def test_what_is_no_design_is_refused(given, words):
    with pytest.raises(OptionError) as caught:
        rw.accuracy_sample_size(**given)
    assert words in str(caught.value)
    assert "Hint" in str(caught.value) or "\n" in str(caught.value)
