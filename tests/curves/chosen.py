"""Rules that choose a threshold, and samples that they choose on."""

from __future__ import annotations

import numpy as np

import rocwalk as rw

DEAR = rw.Costs(false_positive=1, false_negative=5)
CHOICES = [
    {"metric": "f1"},
    {"metric": "fbeta", "beta": 0.5},
    {"metric": "mcc"},
    {"metric": "closest"},
    {"metric": "accuracy"},
    {"metric": "balanced_accuracy"},
    {"min_precision": 0.6},
    {"min_tpr": 0.9},
    {"min_specificity": 0.9},
    {"rate": 0.2},
    {"costs": DEAR, "min_tpr": 0.5},
]


def sample(rows=300, share=0.3, seed=1):
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < share).astype(int)
    return y, rng.normal(y, 1)
