"""The hull and the best points on it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from reference import hull_by_brute_force, points_by_threshold
from rocwalk.curves import hull as hulls
from rocwalk.curves.hull import hull_index, vertices_together
from samples import hard_samples

# -- hull and best -------------------------------------------------------------------------------


@given(hard_samples(max_size=14))
def test_hull_against_brute_force(sample):
    y, s = sample
    exact = points_by_threshold([Fraction(int(v)) for v in y], s.tolist())
    expected = hull_by_brute_force([(Fraction(x), Fraction(v), t) for x, v, t in exact])
    assert rw.roc(y, s).hull.thresholds.tolist() == [t for _, _, t in expected]


@pytest.mark.parametrize("block", [2, 3, 7, 64])
def test_blocks_lose_no_vertex(block, rng, monkeypatch):
    """Points repeat, also from one block to the next and at the end."""
    for module_limit, value in (("_BLOCK", block), ("_SMALL", 4)):
        monkeypatch.setattr(hulls, module_limit, value)
    for _ in range(300):
        n = int(rng.integers(1, 60))
        up, right = (np.cumsum(rng.integers(0, 3, n) * (rng.random(n) < 0.6)) for _ in range(2))
        moved = np.append(True, (np.diff(up) != 0) | (np.diff(right) != 0))
        index = np.flatnonzero(moved)
        if len(index) > 1:
            index[-1] = n - 1
        expected = index[hulls._chain(up[index], right[index])]
        assert hull_index(up, right).tolist() == expected.tolist()


@pytest.mark.parametrize("kind", ["random", "good", "soft", "concave", "stairs", "weighted"])
def test_large_hulls_against_a_plain_chain(kind, rng):
    n = 60_000
    s = rng.random(n)
    y = {
        "random": rng.random(n) < 0.3,
        "good": rng.random(n) < s**3,
        "soft": rng.random(n),
        "concave": s,
        "stairs": np.arange(n) % 2 == 0,
        "weighted": rng.random(n) < s,
    }[kind]
    w = rng.random(n) if kind == "weighted" else None
    curve = rw.roc(y, s if kind != "stairs" else np.linspace(0, 1, n), sample_weight=w)
    points = list(zip(curve.walk.right.tolist(), curve.walk.up.tolist(), strict=True))
    chain = []
    for p in points:
        while len(chain) > 1 and (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-1][0]) <= (
            p[1] - chain[-1][1]
        ) * (chain[-1][0] - chain[-2][0]):
            chain.pop()
        chain.append(p)
    chain = np.array(chain)
    hull = curve.hull
    expected = np.interp(hull.walk.right, chain[:, 0], chain[:, 1])
    np.testing.assert_allclose(hull.walk.up[1:], np.maximum(expected, hull.walk.up)[1:], rtol=1e-12)
    if kind in ("random", "good", "stairs"):
        assert len(hull.fpr) == len(chain)
    area = np.trapezoid(chain[:, 1], chain[:, 0]) / (chain[-1, 0] * chain[-1, 1])
    assert hull.area == pytest.approx(area, abs=1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 17, 400]), st.booleans())
def test_hulls_of_many_walks_are_those_of_each(seed, length, huge):
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, rng.choice([2, 5]), (2, 7, length)) * (2**31 if huge else 1)
    up, right = np.pad(np.cumsum(steps, axis=2), ((0, 0), (0, 0), (1, 0)))
    for row, one, other in zip(vertices_together(up, right), up, right, strict=True):
        # a point that is repeated is named once, whichever of its places is taken
        found, expected = np.flatnonzero(row), hull_index(one, other)
        corners = [
            list(dict.fromkeys(zip(other[at].tolist(), one[at].tolist(), strict=True)))
            for at in (found, expected)
        ]
        assert corners[0] == corners[1]
        assert found[0] == 0
        assert found[-1] == length
