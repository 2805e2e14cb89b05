"""Spiegelhalter's and Hosmer and Lemeshow's tests, by their formulas and in level."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from curves.calibrated import FOUND, P, Y
from rocwalk.errors import (
    OptionError,
)


def test_spiegelhalters_z_by_its_formula():
    z = ((Y - P) * (1 - 2 * P)).sum() / math.sqrt(((1 - 2 * P) ** 2 * P * (1 - P)).sum())
    assert FOUND.spiegelhalter.statistic == pytest.approx(z)
    sentence = FOUND.spiegelhalter.sentence
    assert sentence.startswith(f"Spiegelhalter: z = {z:.3g}, p < 0.0001. It says whether chance")
    assert "not how large" in sentence
    assert ", p = 0.52. It says" in rw.calibration(Y[:40], P[:40]).spiegelhalter.sentence


@pytest.mark.filterwarnings("ignore::rocwalk.errors.RocwalkWarning")
def test_a_test_without_variance_says_so():
    found = rw.calibration([1, 0, 1, 0], [1.0, 0.0, 1.0, 0.0])
    assert "z = nan, p undefined." in found.spiegelhalter.sentence


def test_hosmer_and_lemeshow_by_deciles():
    from scipy.stats import chi2

    order = np.argsort(P, kind="stable")
    value = 0.0
    for part in np.array_split(order, 10):
        expected, variance = P[part].sum(), (P[part] * (1 - P[part])).sum()
        value += (Y[part].sum() - expected) ** 2 / variance
    found = FOUND.hosmer_lemeshow()
    assert found.statistic == pytest.approx(value, rel=0.02)  # ties at the edges of groups
    assert found.df == 10
    assert found.p_value == pytest.approx(chi2.sf(found.statistic, 10))
    assert FOUND.hosmer_lemeshow(fitted=2).df == 8
    with pytest.raises(OptionError, match="leaves no degrees of freedom"):
        rw.calibration([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]).hosmer_lemeshow(fitted=2)


def test_the_level_of_both_tests():
    rng = np.random.default_rng(0)
    p_values = []
    for _ in range(300):
        p = rng.random(200)
        found = rw.calibration(rng.random(200) < p, p)
        p_values.append((found.spiegelhalter.p_value, found.hosmer_lemeshow().p_value))
    rejected = (np.array(p_values) < 0.05).mean(axis=0)
    assert (rejected > 0.02).all()
    assert (rejected < 0.09).all()
