"""The covariance over cases of the numbers of all tests and readers of a study.

DeLong's by what each case adds to a number, the jackknife's from the numbers without each case in
turn, and the unbiased one of areas: A·B minus the unbiased estimate of E(A)·E(B).

References
----------
DeLong, DeLong, Clarke-Pearson (1988). Comparing the areas under two or more correlated receiver
operating characteristic curves. Biometrics 44, 837-845.
Gallas, Bandos, Samuelson, Wagner (2009). A framework for random-effects ROC analysis: biases with
the bootstrap and other variance estimators. Communications in Statistics - Theory and Methods 38,
2586-2603.
"""

from __future__ import annotations

import numpy as np

from rocwalk.errors import Option, OptionError
from rocwalk.inference.panel import Panel, jackknife_parts, parts_of, psi_of
from rocwalk.statistic import Statistic, value_of
from rocwalk.tally.tally import Tally
from rocwalk.typing import FloatArray


def covariance_of(panel: Panel, statistic: Statistic, method: str) -> FloatArray:
    """Return the covariance of the statistics of all models over cases."""
    if method == "unbiased":
        if not statistic.is_area:
            raise OptionError(
                "is for the AUC.",
                ("use ", Option("covariance", "jackknife"), "."),
                option="covariance",
                value=method,
            )
        return unbiased_covariance(panel)
    if method == "delong":
        if statistic.influence is None:
            raise OptionError(
                f"needs what each case adds to a number, which {statistic.name} does not say.",
                ("use ", Option("covariance", "jackknife"), "."),
                option="covariance",
                value=method,
            )
        parts = parts_of(panel, psi_of(panel, statistic.influence)[1])
        return np.asarray(np.sum([part.covariance for part in parts], axis=0))
    if statistic.is_area and statistic.influence is not None:  # exact for areas, not for ratios
        (part,) = jackknife_parts(panel, statistic.influence)
        return part.covariance
    without = _without_each_case(panel, statistic)
    centred = without - without.mean(axis=1, keepdims=True)
    matrix: FloatArray = (1 - 1 / len(panel)) * (centred @ centred.T)
    return matrix


def _without_each_case(panel: Panel, statistic: Statistic) -> FloatArray:
    """Return the statistic of each model (rows) without each case in turn.

    Cases of one class and one rating of a model leave the same tally, so it is made once.
    """
    values = np.empty((len(panel.models), len(panel)))
    for k, model in enumerate(panel.models):
        tally = model.tally
        row = np.empty(len(panel), dtype=np.int64)
        row[model.order] = model.by_item(np.arange(len(tally)))
        for positive in (True, False):
            mass = tally.up if positive else tally.right
            for place in np.flatnonzero(mass):
                less = mass.copy()
                less[place] -= 1
                up, right = (less, tally.right) if positive else (tally.up, less)
                kept = (up > 0) | (right > 0)
                left = Tally(tally.scores[kept], up[kept], right[kept])
                there = (row == place) & (panel.positive == positive)
                values[k, there] = value_of(statistic, left)
    return values


_BLOCK = 2**22  # numbers of a block of pairs


def unbiased_covariance(panel: Panel) -> FloatArray:
    """Return A·B − M for every two areas, M the unbiased estimate of E(A)·E(B).

    With ψ_ij and φ_ij what the pair of positive i and negative j adds to each area, M is the mean
    of ψ_ij·φ_kl over i ≠ k, j ≠ l: from the sums over all, over a positive, over a negative, and
    over a pair.
    """
    positive = np.flatnonzero(panel.positive)
    negative = np.flatnonzero(~panel.positive)
    scores = np.stack([model.scores for model in panel.models])
    n, m, size = len(positive), len(negative), len(scores)
    same = np.zeros((size, size))  # Σ ψφ over pairs
    by_positive, by_negative = np.zeros((size, n)), np.zeros((size, m))
    step = max(_BLOCK // (size * m), 1)
    below = scores[:, None, negative]
    for start in range(0, n, step):
        block = slice(start, start + step)
        above = scores[:, positive[block], None]
        pairs = (above > below) + 0.5 * (above == below)
        flat = pairs.reshape(size, -1)
        same += flat @ flat.T
        by_positive[:, block] = pairs.sum(axis=2)
        by_negative += pairs.sum(axis=1)
    total = by_positive.sum(axis=1)
    other = np.outer(total, total) + same
    other -= by_positive @ by_positive.T + by_negative @ by_negative.T
    matrix: FloatArray = np.outer(total, total) / (n * m) ** 2
    matrix -= other / (n * (n - 1) * m * (m - 1))
    return matrix
