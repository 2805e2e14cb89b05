"""Numbers in words: digits, signs, ends of intervals."""

from __future__ import annotations

import numpy as np
import pytest

from rocwalk.report.numbers import signed, with_ends


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ((0.88561, 0.8559, 0.9097), "0.8856 (0.856 to 0.910)"),
        ((0.6021, 0.60206, 0.60214), "0.60210 (0.60206 to 0.60214)"),
        ((0.6021, 0.6021, 0.6021), "0.6021 (0.602 to 0.602)"),
        ((0.5, 0.5, 0.5 + 1e-16), "0.5000 (0.500 to 0.500)"),
        ((np.nan, np.nan, np.nan), "undefined"),
    ],
)
def test_the_ends_of_an_interval_differ(ends, words):
    assert with_ends(*ends) == words


def test_the_ends_of_a_difference_differ():
    assert with_ends(2e-6, -1e-6, 5e-6, signed) == "+0.000002 (−0.000001 to +0.000005)"
    assert with_ends(0.01, -0.02, np.inf, signed) == "+0.0100 (−0.020 to ∞)"
