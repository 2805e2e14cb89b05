"""Ordering rows: every way must give the order of a plain sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocwalk.tally import order as ordering
from rocwalk.tally.order import descending_order, labelled_keys

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.one_of(FLOATS, st.sampled_from([0.0, -0.0, 1.0, 2.0, 5e-324])), max_size=40))
def test_descending_order_is_stable_and_right(values):
    scores = np.array(values, dtype=np.float64)
    order, ordered = descending_order(scores)
    expected = sorted(range(len(values)), key=lambda i: -values[i])
    assert order.tolist() == expected
    assert ordered.tolist() == [values[i] for i in expected]


@pytest.mark.parametrize("n", [3, 1000, 50_000])
@pytest.mark.parametrize(
    "kind", ["uniform", "ties", "heavy tails", "crowded", "negative", "constant", "huge"]
)
def test_descending_order_of_many(kind, n):
    rng = np.random.default_rng(n)
    scores = {
        "uniform": rng.random(n),
        "ties": rng.integers(0, 7, n) / 7,
        "heavy tails": np.exp(rng.normal(size=n) * 40),
        "crowded": np.where(rng.random(n) < 0.01, rng.random(n), rng.random(n) * 1e-14),
        "negative": -rng.random(n),
        "constant": np.full(n, 0.25),
        "huge": rng.choice([-1.7e308, 1.7e308, 0.0], n),
    }[kind]
    order, ordered = descending_order(scores)
    assert order.tolist() == np.argsort(-scores, kind="stable").tolist()
    assert ordered.tolist() == scores[order].tolist()


def test_collisions_are_repaired_and_not_only_given_up():
    # about one row in a hundred shares its fixed-point place with another of unequal score
    rng = np.random.default_rng(5)
    n = 2**16
    scores = rng.random(n)
    scores[: n // 100] = 0.5 + np.arange(n // 100)[::-1] * 2.0**-52
    order, _ = descending_order(scores)
    assert order.tolist() == np.argsort(-scores, kind="stable").tolist()


@pytest.mark.parametrize("span", [[0.0, 0.0, 0.0], [-1.7e308, 1.7e308, 0.0], [0.0, 5e-324, 0.0]])
def test_a_span_without_a_fixed_point_scale_is_sorted_the_ordinary_way(span, monkeypatch):
    used = []
    monkeypatch.setattr(
        ordering,
        "_stable_descending",
        lambda s: (used.append(1), np.argsort(-s, kind="stable"), s)[1:],
    )
    order, _ = descending_order(np.array(span))
    assert used == [1]
    assert order.tolist() == np.argsort(-np.array(span), kind="stable").tolist()


@given(st.lists(st.tuples(FLOATS, st.booleans()), min_size=1, max_size=40))
def test_labelled_keys_carry_scores_and_labels(rows):
    scores = np.array([s for s, _ in rows])
    labels = np.array([f for _, f in rows])
    sorted_keys = labelled_keys(labels, scores, scores.min(), scores.max())
    if sorted_keys is None:  # scaling would lose bits: only with enormous ranges
        exponents = np.frexp(scores[scores != 0])[1]
        assert exponents.max() - exponents.min() > 900
        return
    keys, code = sorted_keys
    decoded = list(zip(code.decode(keys >> 1).tolist(), (keys & 1).tolist(), strict=True))
    assert decoded == sorted((s + 0.0, int(f)) for s, f in rows)
