"""Area(d) as a chain of parabolas: lags against listed pairs, and the slack of each piece."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocwalk.smear import pieces as pieces_module
from rocwalk.smear.kernels import Normal, Uniform, width_kernel
from rocwalk.smear.sides import sides_of_labels
from rocwalk.smear.widths import match
from samples import NO_ADVICE
from smear.inputs import MANY, hard

pytestmark = NO_ADVICE


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
