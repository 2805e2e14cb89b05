"""The sample that the tests of calibration share, as in tests/peers/make_calibration.py."""

from __future__ import annotations

import math

import numpy as np

import rocwalk as rw


def sample(n=500, seed=7):
    """The sample of tests/peers/make_calibration.py."""
    rng = np.random.default_rng(seed)
    z = rng.normal(-0.5, 1.3, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-z))).astype(int)
    return y, np.round(1 / (1 + np.exp(-1.6 * z - 0.3)), 5)


Y, P = sample()
WEIGHTS = np.random.default_rng(1).integers(1, 4, len(Y)).astype(float)
SOFT = np.clip(0.8 * Y + 0.1 + np.random.default_rng(2).normal(0, 0.05, len(Y)), 0, 1)
FOUND = rw.calibration(Y, P, rng=0, n_resamples=200)


def local_line(p, y, w, at, span):
    """The smooth curve at one score by plain weighted least squares of y − p on the logit."""
    x, x0 = np.log(p / (1 - p)), math.log(at / (1 - at))
    far = np.abs(x - x0)
    order = np.argsort(far, kind="stable")
    held = np.cumsum(w[order]) / w.sum()
    reach = far[order][np.searchsorted(held, span - 1e-9)]
    k = w * np.where(far < reach, (1 - (far / reach) ** 3) ** 3, 0)
    design = np.column_stack([np.ones(len(x)), x - x0])
    line = np.linalg.lstsq(design * np.sqrt(k)[:, None], (y - p) * np.sqrt(k), rcond=None)[0]
    return float(np.clip(at + line[0], 0, 1))
