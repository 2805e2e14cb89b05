"""Learning with sensibility in the loss: a logistic model that is also asked to put items on the
right side of the midpoint.

    L = (1 − μ)·mean log loss + μ·mean σ(−(2y − 1)(p − t_s)/τ) + λ|w|²/2,    t_s = Σp / (2Σy)

The second term is a smooth share of non-sensible items (Klement, Japkowicz & Matwin 2009). The
midpoint t_s depends on all scores, and its derivative is part of the gradient.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

import rocwalk as rw
from rocwalk.statistic import find

from .conditions import by_world
from .datasets import Data
from .regret import Scores, of_thresholds
from .splits import Split
from .thresholds import by_hull, by_raw_score

MUS = (0.0, 0.25, 0.5, 0.75, 0.9)
TAU = 0.1
FEWEST_VALIDATED = 200  # the thresholds come from the smallest such part


@dataclass(frozen=True)
class SensibleLoss:
    """The loss of logistic weights, the last of which is the intercept, and its gradient."""

    x: np.ndarray
    y: np.ndarray
    mu: float
    tau: float = TAU
    penalty: float = 1e-3

    def __call__(self, weights: np.ndarray) -> tuple[float, np.ndarray]:
        x, y, n = self.x, self.y, len(self.y)
        sign = 2 * y - 1
        z = x @ weights[:-1] + weights[-1]
        p = expit(z)
        midpoint = p.sum() / (2 * y.sum())
        wrong = expit(-sign * (p - midpoint) / self.tau)
        loss = (1 - self.mu) * np.logaddexp(0, -sign * z).mean() + self.mu * wrong.mean()
        loss += self.penalty * weights[:-1] @ weights[:-1] / 2
        by_gap = -sign * wrong * (1 - wrong) / (self.tau * n)  # by p − t_s of each item
        by_p = by_gap - by_gap.sum() / (2 * y.sum())  # t_s moves with every p
        by_z = (1 - self.mu) * (p - y) / n + self.mu * by_p * p * (1 - p)
        gradient = np.append(x.T @ by_z + self.penalty * weights[:-1], by_z.sum())
        return float(loss), gradient


def fit(x: np.ndarray, y: np.ndarray, mus: tuple[float, ...] = MUS) -> dict[float, np.ndarray]:
    """Return the weights for each μ, each search starting where the one before it ended."""
    weights = np.zeros(x.shape[1] + 1)
    found = {}
    for mu in mus:
        weights = minimize(SensibleLoss(x, y, mu), weights, jac=True, method="L-BFGS-B").x
        found[mu] = weights
    return found


def of_sensible(data: Data, split: Split, seed: int) -> dict[str, dict[str, float]]:
    """Return AUC, Brier score, struggle ratio and regrets on test rows of the model of each μ."""
    train = data.x[split.train]
    centre, spread = train.mean(axis=0), train.std(axis=0)
    x = (data.x - centre) / np.where(spread > 0, spread, 1.0)
    fitted = fit(x[split.train], data.y[split.train])
    p = np.array([expit(x @ weights[:-1] + weights[-1]) for weights in fitted.values()])
    size = min(each for each in split.validation if each >= FEWEST_VALIDATED)
    validation, test = split.validation[size], split.test
    found = {}
    for k, mu in enumerate(fitted):
        one = Scores(
            (str(mu),),
            data.prevalence,
            {size: (data.y[validation], p[[k]][:, validation])},
            (data.y[test], p[[k]][:, test]),
            seed,
        )
        tally = rw.tally(data.y[test], p[k, test])
        loss = one.conditions.losses(one.test_curve(0), by_hull(one.part(size, 0)))
        regrets = of_thresholds(one, {"hull": by_hull, "raw": by_raw_score})[str(size)]
        found[str(mu)] = {
            **{name: float(find(name).of(tally)) for name in ("auc", "brier", "struggle_ratio")},
            "loss": by_world(loss)["costs"],
            **{f"regret_{name}": each["costs"] for name, each in regrets.items()},
        }
    return found
