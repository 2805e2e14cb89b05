"""Sums of long columns: right to the last digits, whatever their length."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from rocwalk.tally.sums import class_moments, dot


@pytest.mark.parametrize("n", [1, 1023, 1024, 1025, 2**16, 2**16 + 1, 70_000])
def test_sums_are_those_of_exact_fractions(n):
    rng = np.random.default_rng(n)
    scores, labels = rng.random(n), rng.random(n) < 0.3
    own = sum(map(Fraction, scores[labels].tolist()), Fraction(0))
    whole = sum(map(Fraction, scores.tolist()), Fraction(0))
    for column in (labels, labels.astype(np.int64)):
        positives, up, total = class_moments(column, scores)
        assert positives == labels.sum()
        assert up == pytest.approx(float(own), rel=1e-15)
        assert total == pytest.approx(float(whole), rel=1e-15)
    assert dot(labels, scores) == pytest.approx(float(own), rel=1e-15)
