"""Rows, labels, costs and models that the tests of `rocwalk.sklearn` share."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    StratifiedKFold,
    cross_validate,
)

import rocwalk as rw
from rocwalk.sklearn import scorers

X, Y = make_classification(300, flip_y=0.2, weights=[0.65], random_state=0)
WORDS = np.array(["healthy", "ill"])[Y]
TRUTH = np.random.default_rng(0).beta(1 + 4 * Y, 5 - 4 * Y)  # votes of experts beside the labels
WEIGHTS = np.random.default_rng(1).integers(1, 4, len(Y)).astype(float)
FOLDS = StratifiedKFold(3)
COSTS = rw.Costs(false_positive=1, false_negative=4)
MODEL = LogisticRegression()


def validated(model, y=Y, scoring=None, **keywords):
    scoring = dict(scorers) if scoring is None else scoring
    keywords = {"cv": FOLDS, "scoring": scoring, "error_score": "raise"} | keywords
    return cross_validate(model, X, y, return_estimator=True, return_indices=True, **keywords)
