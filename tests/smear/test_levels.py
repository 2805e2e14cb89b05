"""The six sums of a certificate: from listed pairs, from windows and from lags."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocwalk.smear import levels as level_module
from rocwalk.smear.kernels import width_kernel
from rocwalk.smear.sides import sides_of_labels
from smear.inputs import hard, ordinary

WIDTHS = (1e-3, 0.02, 0.1, 0.4, 1.0, 3.0, 50.0)


@pytest.fixture(params=["uniform", "normal", "logit", "logit-normal"])
def kernel(request):
    return width_kernel(request.param)


@pytest.mark.parametrize("made", [ordinary, hard])
def test_pairs_windows_and_lags_have_the_same_sums(kernel, made, monkeypatch):
    """Within the errors that are stated for the faster ways."""
    sides = sides_of_labels(*made(np.random.default_rng(1), 400))
    by_pairs = kernel.levels(sides)
    monkeypatch.setattr(level_module, "_FEW_PAIRS", 0)
    fast = kernel.levels(sides)
    for width in (0.0, *WIDTHS, math.inf):
        one, other = by_pairs(width), fast(width)
        for name, error in zip(("value", "slope", "bend"), other.errors, strict=False):
            both = getattr(one, name), getattr(other, name)
            scale = 1 + max(map(abs, both[0]))
            assert both[1] == pytest.approx(both[0], abs=error + 1e-12 * scale), (name, width)
        assert other.area == pytest.approx(one.area, abs=other.errors[3] + 1e-12)
        assert other.constant == pytest.approx(one.constant, abs=1e-12)


def test_the_value_is_the_area_without_its_constant(kernel):
    sides = sides_of_labels(*ordinary(np.random.default_rng(2), 300))
    levels = kernel.levels(sides)
    for width in WIDTHS:
        found, sums = levels(width), kernel.sums(sides, width)
        assert sum(found.value) + found.constant == pytest.approx(found.area, abs=1e-12)
        assert found.area == pytest.approx(sums.area, abs=sums.error + 1e-12)


def test_the_sums_are_monotone_in_the_width(kernel):
    """Over D > 0 the value falls, over D < 0 it rises; slopes rise with the width on both sides."""
    sides = sides_of_labels(*hard(np.random.default_rng(3), 300))
    levels = kernel.levels(sides)
    found = [levels(width) for width in np.geomspace(1e-3, 30, 40)]
    over, under = np.array([one.value for one in found]).T
    assert np.all(np.diff(over) <= 1e-12)
    assert np.all(np.diff(under) >= -1e-12)
    for column in np.array([one.slope for one in found]).T:
        assert np.all(np.diff(column) >= -1e-12 * (1 + np.abs(column).max()))
