"""Rows of folds: pooled, read with the right label, counted by repeats."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, cross_validate

from estimators import FOLDS, WEIGHTS, X, Y
from rocwalk.errors import InputError, LabelError
from rocwalk.sklearn.rows import Rows, first_estimator, fold_rows, label_to_name, repeats_of


@pytest.fixture(scope="module")
def results():
    return cross_validate(
        LogisticRegression(), X, Y, cv=FOLDS, return_estimator=True, return_indices=True
    )


def test_folds_hold_every_row_once_with_the_scores_of_its_model(results):
    parts = list(fold_rows(results, X, Y, sample_weight=WEIGHTS))
    pooled = Rows.pooled(parts)
    places = np.concatenate([part.places for part in parts])
    assert sorted(places.tolist()) == list(range(len(Y)))
    assert pooled.truth.tolist() == Y[places].tolist()
    assert pooled.weights.tolist() == WEIGHTS[places].tolist()
    first = results["estimator"][0].predict_proba(X[parts[0].places])[:, 1]
    assert parts[0].scores.tolist() == first.tolist()
    assert Rows.pooled([Rows(Y[:2], X[:2, 0])]).weights is None
    assert first_estimator(results) is results["estimator"][0]


@pytest.mark.parametrize(
    ("cv", "repeats"),
    [
        (FOLDS, 1),
        (RepeatedStratifiedKFold(n_splits=3, n_repeats=4, random_state=0), 4),
        (ShuffleSplit(3, test_size=0.4, random_state=0), None),
    ],
)
def test_how_often_each_row_is_tested(cv, repeats):
    parts = [Rows(Y[test], X[test, 0], places=test) for _, test in cv.split(X, Y)]
    assert repeats_of(parts) == repeats
    assert repeats_of([*parts, Rows(Y, X[:, 0])]) is None  # one that says no places


@pytest.mark.parametrize(
    ("labels", "pos_label", "truth", "name"),
    [
        ([0, 1, 1], None, "auto", None),
        ([-1, 1, 1], None, "auto", None),
        (["no", "yes", "no"], None, "auto", "yes"),
        ([3, 7, 3], None, "hard", 7),
        ([3, 7, 3], 3, "hard", 3),
        ([0.2, 0.7, 0.3], None, "auto", None),
        ([0, 1, 1], None, "soft", None),
    ],
)
def test_the_greater_of_two_labels_is_positive(labels, pos_label, truth, name):
    assert label_to_name(labels, pos_label, truth) == name


def test_several_labels_have_no_positive_one():
    with pytest.raises(LabelError):
        label_to_name(["a", "b", "c"], None, "auto")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([1, 2], "cv_results is a list."),
        ({"estimator": []}, "cv_results has no 'indices'."),
        ({}, "cv_results has no 'estimator' and no 'indices'."),
    ],
)
def test_results_without_what_is_needed(given, words):
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        first_estimator(given)
    assert "return_estimator=True, return_indices=True" in str(caught.value)


def test_rows_of_other_data_are_refused(results):
    with pytest.raises(InputError, match="was tested in a fold, but y has 100 rows only"):
        list(fold_rows(results, X[:100], Y[:100]))
