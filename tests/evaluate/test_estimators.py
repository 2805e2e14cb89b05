"""Scores of estimators, against scikit-learn's own functions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeRegressor

from rocwalk.errors import InputError, OptionError
from rocwalk.evaluate.estimators import (
    out_of_fold,
    positive_label,
    scores_of,
    splits_of,
    weights_for_fit,
)

RNG = np.random.default_rng(5)
X = RNG.normal(size=(120, 2))
Y = np.where(X[:, 0] + RNG.normal(size=120) > 0, "yes", "no")
CV = StratifiedKFold(4)


def test_scores_are_those_of_the_positive_class():
    logistic, vectors = LogisticRegression().fit(X, Y), LinearSVC().fit(X, Y)
    probabilities, margins = logistic.predict_proba(X), vectors.decision_function(X)
    np.testing.assert_array_equal(scores_of(logistic, X), probabilities[:, 1])
    np.testing.assert_array_equal(scores_of(logistic, X, pos_label="no"), probabilities[:, 0])
    np.testing.assert_array_equal(scores_of(vectors, X), margins)
    np.testing.assert_array_equal(scores_of(vectors, X, pos_label="no"), -margins)
    asked = scores_of(logistic, X, "decision_function")
    np.testing.assert_array_equal(asked, logistic.decision_function(X))


@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_held_out_scores_are_those_of_cross_val_predict(method):
    splits = splits_of(CV, X, Y, None, {})
    models = {
        "plain": LogisticRegression(),
        "piped": make_pipeline(StandardScaler(), LogisticRegression()),
    }
    done = []
    found = out_of_fold(
        models, X, Y, splits, weights=None, asked=(method, "yes"), n_jobs=1,
        progress=lambda *given: done.append(given),
    )  # fmt: skip
    assert done == [(k, 8) for k in range(1, 9)]
    for name, model in models.items():
        known = cross_val_predict(model, X, Y, cv=CV, method=method)
        known = known[:, 1] if known.ndim == 2 else known
        for (_, test), scores in zip(splits, found[name], strict=True):
            np.testing.assert_allclose(scores, known[test], rtol=1e-12)


def test_weights_reach_the_last_step_of_a_pipeline():
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    weights = np.ones(3)
    assert list(weights_for_fit("m", pipe, weights)) == ["logisticregression__sample_weight"]
    assert list(weights_for_fit("m", LogisticRegression(), weights)) == ["sample_weight"]


def test_what_has_no_scores_of_two_classes_is_refused():
    with pytest.raises(InputError, match="two classes, but the classifier knows 0, 1, 2"):
        positive_label([0, 1, 2])
    with pytest.raises(OptionError, match="pos_label='maybe' is not a class"):
        scores_of(LogisticRegression().fit(X, Y), X, pos_label="maybe")
    with pytest.raises(InputError, match="LinearSVC has no predict_proba"):
        scores_of(LinearSVC().fit(X, Y), X, "predict_proba")
    with pytest.raises(InputError, match="DecisionTreeRegressor is not a classifier"):
        scores_of(DecisionTreeRegressor().fit(X, X[:, 0]), X)
    with pytest.raises(OptionError, match="cv='loo' is not known"):
        splits_of("loo", X, Y, None, {})
