"""Estimators of three kinds, the rows that they are fitted to, and three folds of these."""

from __future__ import annotations

from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

X, Y = make_classification(240, flip_y=0.2, weights=[0.6], random_state=0)
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": RandomForestClassifier(5, random_state=0),
    "margin": LinearSVC(random_state=0),
}
FOLDS = list(StratifiedKFold(3).split(X, Y))
