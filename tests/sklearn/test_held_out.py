"""What classifiers that learn from held-out scores share: labels, splits, weights, curves."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

import rocwalk as rw
from estimators import FOLDS, WEIGHTS, WORDS, X, Y
from rocwalk.errors import LabelError, OptionError
from rocwalk.sklearn import CostThresholdClassifier, RecalibratedClassifier

WRAPPERS = [CostThresholdClassifier, RecalibratedClassifier]
every_wrapper = pytest.mark.parametrize("wrapper", WRAPPERS)


@every_wrapper
def test_the_curve_is_that_of_scikit_learns_held_out_probabilities(wrapper):
    found = wrapper(LogisticRegression(), cv=FOLDS).fit(X, Y)
    scores = cross_val_predict(LogisticRegression(), X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    expected = rw.roc(Y, scores)
    np.testing.assert_array_equal(found.curve_.tpr, expected.tpr)
    np.testing.assert_array_equal(found.curve_.thresholds, expected.thresholds)


def test_decision_values_are_log_odds_for_a_recalibration_only():
    scores = cross_val_predict(LinearSVC(), X, Y, cv=FOLDS, method="decision_function")
    plain = CostThresholdClassifier(LinearSVC(), cv=FOLDS).fit(X, Y)
    np.testing.assert_array_equal(plain.curve_.thresholds, rw.roc(Y, scores).thresholds)
    turned = RecalibratedClassifier(LinearSVC(), cv=FOLDS).fit(X, Y)
    expected = rw.roc(Y, 1 / (1 + np.exp(-scores)))
    np.testing.assert_allclose(turned.curve_.thresholds[1:], expected.thresholds[1:], rtol=1e-12)


@every_wrapper
def test_labels_are_two_and_the_features_are_remembered(wrapper):
    found = wrapper(LogisticRegression(), cv=FOLDS, pos_label="healthy").fit(X, WORDS)
    assert found.classes_.tolist() == ["healthy", "ill"]
    assert found.n_features_in_ == X.shape[1]
    assert found.curve_.area > 0.5


@every_wrapper
@pytest.mark.parametrize(
    ("y", "words"),
    [
        (np.arange(len(Y)) % 3, "Only binary classification is supported."),
        (np.linspace(0, 1, len(Y)), "The type of the target is continuous."),
        (np.zeros(len(Y), int), "y has one class only, 0."),
    ],
)
def test_labels_of_another_kind_are_refused(wrapper, y, words):
    with pytest.raises(LabelError, match=re.escape(words)) as caught:
        wrapper(LogisticRegression()).fit(X, y)
    assert "\nHint: " in str(caught.value)


@every_wrapper
def test_weights_need_an_estimator_that_takes_them_and_metadata_need_routing(wrapper):
    with pytest.raises(
        OptionError, match=re.escape("KNeighborsClassifier.fit has no sample_weight")
    ):
        wrapper(KNeighborsClassifier()).fit(X, Y, sample_weight=WEIGHTS)
    with pytest.raises(OptionError, match="The metadata groups need metadata routing"):
        wrapper(LogisticRegression()).fit(X, Y, groups=Y)


@every_wrapper
def test_weights_count_in_the_curve(wrapper):
    found = wrapper(LogisticRegression(), cv=FOLDS).fit(X, Y, sample_weight=WEIGHTS)
    assert found.curve_.tally.total_up == pytest.approx(WEIGHTS[Y == 1].sum())
    assert found.curve_.tally.total_right == pytest.approx(WEIGHTS[Y == 0].sum())


@every_wrapper
def test_a_fitted_estimator_is_not_fitted_again(wrapper):
    model = LogisticRegression().fit(X[:150], Y[:150])
    found = wrapper(model, cv="prefit").fit(X[150:], Y[150:])
    assert found.estimator_ is model
    assert found.curve_.tally.total_count == len(Y) - 150


def test_a_recalibrated_classifier_has_no_decision_function_and_no_costs():
    one = RecalibratedClassifier(LogisticRegression(), cv=FOLDS).fit(X, Y)
    assert not hasattr(one, "decision_function")
    assert "costs" not in one.get_params()
    assert not hasattr(one, "best_threshold_")
