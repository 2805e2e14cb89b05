"""Samples that the tests of smearing share."""

from __future__ import annotations

import math

import numpy as np

import rocwalk as rw
from rocwalk.smear.kernels import Uniform
from rocwalk.smear.sides import sides_of_labels

EXAMPLE_1 = ([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])  # Ferri et al., section 2
NO_WIDTH = ([1, 0, 1, 1], [1, 0.1, 0, 0])  # no width matches
ENDS = ([1, 0, 1, 0, 1, 0, 1], [1, 1, 0, 0, 0.4, 0.7, 0.7])  # ties at 0, at 1 and between

AMOUNTS = {
    "uniform": {"width": 0.3},
    "normal": {"width": 0.3},
    "logit": {"width": 2.0},
    "logit-normal": {"width": 2.0},
    "coin": {"share": 0.4},
    "beta": {"concentration": 6.0},
}

INF = math.inf


def mixed(rng, n):
    """Soft truth, scores with ties and with 0 and 1, and weights."""
    truth, scores = rng.integers(0, 5, n) / 4, rng.integers(0, 9, n) / 8
    truth[:2] = 1, 0
    return truth, scores, rng.integers(1, 5, n) / 2


def pair_mean(truth, scores, weights, compare):
    """The mean over all pairs of compare(s of the positive, s of the negative), by mass."""
    total, up, right = 0, 0, 0
    for f, s, w in zip(truth, scores, weights, strict=True):
        up, right = up + f * w, right + (1 - f) * w
        for g, t, v in zip(truth, scores, weights, strict=True):
            if f * w and (1 - g) * v:
                total += f * w * (1 - g) * v * compare(s, t)
    return total / (up * right)


def crowded(n, seed=0):
    """Scores of two decimals, scores next to 0 and 1, and scores of 0 and 1 themselves."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    p = 1 / (1 + np.exp(-(3 * rng.normal(size=n) + 2 * y - 1)))
    p[::3] = p[::3].round(2)
    p[1], p[2], y[:2] = 1e-9, 1 - 1e-9, (0, 1)
    return y, p


def draw(rng, n, kind):
    """A sample of scores with ties, with clusters or spread out; hard, soft or weighted."""
    scores = {
        "tied": lambda: rng.integers(0, 8, n) / 8,
        "spread": lambda: rng.random(n),
        "close": lambda: 0.5 + rng.normal(0, 1e-6, n),
        "extreme": lambda: rng.beta(0.1, 0.1, n),
    }[kind]()
    truth = rng.choice([rng.integers(0, 2, n).astype(float), rng.integers(0, 5, n) / 4])
    truth[0], truth[1] = 1.0, 0.0
    weights = None if rng.random() < 0.5 else rng.integers(1, 5, n) / 2
    return truth, np.clip(scores, 0, 1), weights


def sample(text):
    """Read "0.9+ 0.8-": scores with the sign of their class."""
    words = text.split()
    return [int(word[-1] == "+") for word in words], [float(word[:-1]) for word in words]


def small_sample(rng):
    """A small sample, hard, soft or weighted, on a coarse grid or not, some made to touch."""
    n = int(rng.integers(2, 11))
    grid = rng.choice([2, 4, 5, 10, 20, 1000])
    scores = rng.integers(0, grid + 1, n) / grid if rng.random() < 0.7 else rng.random(n)
    truth = rng.integers(0, 2, n) * 1.0
    if rng.random() < 0.4:
        truth = rng.integers(0, 5, n) / 4 if rng.random() < 0.7 else rng.random(n)
    truth[0], truth[1] = max(truth[0], 0.25), min(truth[1], 0.75)
    weights = rng.integers(1, 4, n) * 1.0 if rng.random() < 0.5 else None
    if rng.random() < 0.15:  # {1⁺, x⁻, 0⁺} touches at 1, with any number of copies of it
        copies = int(rng.integers(1, 4))
        truth = np.tile([1.0, 0.0, 1.0], copies)
        scores = np.tile([1.0, rng.integers(1, 20) / 20, 0.0], copies)
        weights = None
    return truth, scores, weights


def ordinary(rng, n):
    labels = rng.random(n) < 0.3
    return labels, np.where(labels, rng.beta(2, 1, n), rng.beta(1, 2, n))


def hard(rng, n):
    labels, half = rng.random(n) < 0.1, rng.random(n) < 0.5
    middle = np.where(labels, np.where(half, 0.9, 0.45), 0.5)
    return labels, np.clip(middle + rng.normal(0, 0.02, n), 0, 1)


def touching(rng, n):
    """Copies of {1⁺, 0.1⁻, 0⁺} in noise, scaled so that S/M is 1 but for rounding."""
    labels = np.tile([True, False, True], n // 3)
    scores = np.clip(np.tile([0.96, 0.1, 0.04], n // 3) + rng.normal(0, 0.005, n // 3 * 3), 0, 1)

    def excess(shift):
        moved = np.where(labels & (scores < 0.5), scores + shift, scores)
        sides = sides_of_labels(labels, moved)
        signed = 2 * (0.5 + sides.gini - Uniform().sums(sides, 1.0).area)
        return signed / sides.gini - 1, moved

    low, high = -0.02, 0.02
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle)[0] > 0 else (low, middle)
    return labels, np.clip(excess(low)[1], 0, 1)


def near_zero(rng, n):
    """AUC a hair from the probabilistic AUC, so that the first match is a very small width."""
    labels = rng.random(n) < 0.5
    scores = np.where(labels, rng.beta(0.05, 0.02, n), rng.beta(0.02, 0.05, n))
    gap = rw.metrics.roc_auc_score(labels, scores) - rw.metrics.probabilistic_auc_score(
        labels, scores
    )
    middle = labels & (scores > 0.2) & (scores < 0.8)
    scores[middle] += 2 * (gap + 1e-6) * labels.sum() / middle.sum()
    return labels, np.clip(scores, 0, 1)


MANY = {"ordinary": ordinary, "hard": hard, "touching": touching, "near zero": near_zero}
