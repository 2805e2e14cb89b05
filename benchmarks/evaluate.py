"""Promise of `rocwalk.evaluate`: what it adds to the fits of the estimators."""

from __future__ import annotations

import numpy as np
from first import processor_time
from promises import promise
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import SplineTransformer
from threadpoolctl import threadpool_limits

import rocwalk as rw

ROWS, FEATURES, FOLDS = 20_000, 10, 5


# Wall times with threads say how well the fits share the cores, which is not ours. The table was
# 1.14 times the fits before the whole rows were left out of it and smooth curves needed no matrix.
@promise("evaluate with its table and comparison, CPU: multiple of the fits alone", at_most=1.05)
def evaluate_beside_fits() -> float:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(ROWS, FEATURES))
    y = (rng.random(ROWS) < 1 / (1 + np.exp(-X[:, 0] - X[:, 1] * X[:, 2]))).astype(int)
    models = {
        "boosted": HistGradientBoostingClassifier(max_iter=150, random_state=1),
        "splines": make_pipeline(SplineTransformer(), LogisticRegression(max_iter=500)),
    }

    def evaluated() -> None:
        found = rw.evaluate(models, X, y, cv=StratifiedKFold(FOLDS))
        found.to_frame("pandas")
        _ = found.comparison.pairs

    def fitted() -> None:  # to the same folds
        for train, test in StratifiedKFold(FOLDS).split(X, y):
            for model in models.values():
                clone(model).fit(X[train], y[train]).predict_proba(X[test])

    with threadpool_limits(1):
        evaluated()  # what is imported on first use
        times = [[processor_time(call, rounds=1) for call in (evaluated, fitted)] for _ in range(8)]
    ours, fits = (min(column) for column in zip(*times, strict=True))
    return ours / fits
