"""Samples and labels that the tests of the metrics share."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

AVERAGES = ["micro", "macro", "weighted", "samples", None]
close = {"rtol": 0, "atol": 1e-12}


def scores_of_a_kind(rng, shape, kind):
    return {
        "distinct": lambda: rng.random(shape),
        "tied": lambda: rng.integers(0, 6, shape) / 5,
        "signed": lambda: rng.normal(size=shape),
        "integers": lambda: rng.integers(-3, 4, shape),
        "single": lambda: rng.random(shape).astype(np.float32),
        "huge": lambda: rng.normal(size=shape) * 1e300,
        "constant": lambda: np.full(shape, 0.5),
    }[kind]()


every_kind = pytest.mark.parametrize(
    "kind", ["distinct", "tied", "signed", "integers", "single", "huge", "constant"]
)


def both_classes(rng, n):
    return rng.permutation(np.append([0, 1], rng.integers(0, 2, n - 2)))


def probabilities(rng, n, k):
    table = rng.integers(1, 8, (n, k)).astype(float)
    return table / table.sum(axis=1, keepdims=True)


def a_model():
    return make_pipeline(StandardScaler(), LogisticRegression(C=0.01))


TABLE = [[0.6, 0.4], [0.3, 0.7], [0.5, 0.5]]
