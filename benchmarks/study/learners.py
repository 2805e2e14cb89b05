"""Seven learners of scikit-learn with ordinary settings, and the probabilities that they give."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

LEARNERS: dict[str, Callable[[int], Any]] = {
    "logistic": lambda _: make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
    "naive Bayes": lambda _: make_pipeline(StandardScaler(), GaussianNB(var_smoothing=1e-3)),
    "tree": lambda seed: DecisionTreeClassifier(min_samples_leaf=5, random_state=seed),
    "forest": lambda seed: RandomForestClassifier(100, max_samples=0.5, random_state=seed),
    "neighbours": lambda _: make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    "boosting": lambda seed: HistGradientBoostingClassifier(
        max_iter=50, max_leaf_nodes=15, early_stopping=False, random_state=seed
    ),
    "support vectors": lambda _: make_pipeline(
        StandardScaler(), CalibratedClassifierCV(SVC(), cv=3, ensemble=False)
    ),
}


def fitted(name: str, x: np.ndarray, y: np.ndarray, seed: int) -> Any:
    """Return the learner of a name, fitted to rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a logistic model that stops after 500 steps is used
        return LEARNERS[name](seed).fit(x, y)


def probabilities(model: Any, x: np.ndarray) -> np.ndarray:
    """Return P(positive) of rows; leaves of a tree are smoothed by Laplace: (k + 1)/(n + 2)."""
    p: np.ndarray = model.predict_proba(x)[:, 1]
    if isinstance(model, DecisionTreeClassifier):
        n = model.tree_.n_node_samples[model.apply(x)]
        p = (n * p + 1) / (n + 2)
    return np.clip(p, 0.0, 1.0)
