"""`CostThresholdClassifier`: an estimator of scikit-learn whose threshold no other undercuts."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocwalk as rw
from estimators import COSTS, FOLDS, MODEL, TRUTH, WEIGHTS, WORDS, X, Y
from rocwalk.errors import InputError, LabelError, OptionError
from rocwalk.sklearn import CostThresholdClassifier, expected_cost, make_scorer

WHY = "the threshold is not 0.5: TunedThresholdClassifierCV is excused from this check for it too"


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
@parametrize_with_checks(
    [CostThresholdClassifier(LogisticRegression(), cv=3)],
    expected_failed_checks=lambda _: {"check_classifiers_train": WHY},
)
def test_it_is_an_estimator_of_scikit_learn(estimator, check):
    check(estimator)


def chooser(model=MODEL, **options):
    return CostThresholdClassifier(clone(model), **({"costs": COSTS, "cv": FOLDS} | options))


def costs_of(y, scores, thresholds, costs=COSTS):
    """The cost of each threshold, counted directly."""
    decided = scores >= np.asarray(thresholds)[:, None]
    wrong = costs.false_positive * (decided & (y == 0)) + costs.false_negative * (
        ~decided & (y == 1)
    )
    return wrong.mean(axis=1)


@pytest.mark.parametrize("model", [
    MODEL,
    RandomForestClassifier(10, random_state=0),
    HistGradientBoostingClassifier(max_iter=5, random_state=0),
    make_pipeline(StandardScaler(), LogisticRegression()),
], ids=lambda model: type(model).__name__)  # fmt: skip
def test_no_threshold_is_cheaper_on_held_out_scores(model):
    found = chooser(model).fit(X, Y)
    p = cross_val_predict(model, X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    assert found.curve_.to_json() == rw.roc(Y, p).to_json()
    every = costs_of(Y, p, [*p, np.inf])
    assert found.expected_cost_ == pytest.approx(every.min())
    assert costs_of(Y, p, [found.best_threshold_])[0] == pytest.approx(every.min())
    whole = clone(model).fit(X, Y)
    expected = (whole.predict_proba(X)[:, 1] >= found.best_threshold_).astype(int)
    assert found.predict(X).tolist() == expected.tolist()
    assert found.predict_proba(X).tolist() == whole.predict_proba(X).tolist()


def test_without_costs_it_is_youdens_index():
    ours = CostThresholdClassifier(MODEL, cv=FOLDS).fit(X, Y)
    theirs = TunedThresholdClassifierCV(MODEL, cv=FOLDS).fit(X, Y)
    assert ours.expected_cost_ is None
    curve = ours.curve_
    there = curve.at(theirs.best_threshold_)
    assert ours.choice_.tpr - ours.choice_.fpr >= there.tpr - there.fpr
    assert ours.choice_.tpr - ours.choice_.fpr == (curve.tpr - curve.fpr).max()


def test_dearer_misses_lower_the_threshold():
    prices = (0.2, 1, 5, 25)
    found = [
        chooser(costs=rw.Costs(false_positive=1, false_negative=price)).fit(X, Y).best_threshold_
        for price in prices
    ]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == len(found)
    rare = rw.Costs(false_positive=1, false_negative=4, prevalence=0.01)
    assert chooser(costs=rare).fit(X, Y).best_threshold_ > chooser().fit(X, Y).best_threshold_


def test_where_all_rows_are_called_the_same_all_new_rows_are_too():
    far = 100 * X
    dear = {
        "false_positive": rw.Costs(false_positive=9, false_negative=1),
        "false_negative": rw.Costs(false_positive=1, false_negative=9),
    }
    never = chooser(DummyClassifier(), costs=dear["false_positive"]).fit(X, Y)
    always = chooser(DummyClassifier(), costs=dear["false_negative"]).fit(X, Y)
    assert (never.best_threshold_, always.best_threshold_) == (np.inf, -np.inf)
    assert (never.predict(far) == 0).all()
    assert (always.predict(far) == 1).all()
    assert always.expected_cost_ == 1 - Y.mean()


def test_text_labels_and_either_of_them_positive():
    numbers = chooser().fit(X, Y)
    words = chooser().fit(X, WORDS)
    assert words.classes_.tolist() == ["healthy", "ill"]
    assert words.best_threshold_ == pytest.approx(numbers.best_threshold_)
    assert (words.predict(X) == np.array(["healthy", "ill"])[numbers.predict(X)]).all()
    turned = rw.Costs(false_positive=4, false_negative=1)
    other = chooser(pos_label="healthy", costs=turned).fit(X, WORDS)
    assert other.expected_cost_ == pytest.approx(words.expected_cost_)
    p = cross_val_predict(MODEL, X, WORDS, cv=FOLDS, method="predict_proba")[:, 0]
    assert other.curve_.area == rw.roc(WORDS, p, pos_label="healthy").area
    expected = np.where(other.predict_proba(X)[:, 0] >= other.best_threshold_, "healthy", "ill")
    assert other.predict(X).tolist() == expected.tolist()


def test_a_decision_function_will_do_for_a_threshold():
    found = chooser(LinearSVC()).fit(X, Y)
    scores = cross_val_predict(LinearSVC(), X, Y, cv=FOLDS, method="decision_function")
    assert found.curve_.to_json() == rw.roc(Y, scores).to_json()
    assert not hasattr(found, "predict_proba")
    assert (found.predict(X) == (found.decision_function(X) >= found.best_threshold_)).all()
    asked = chooser(response_method="decision_function").fit(X, Y)
    logit = np.log(1 / (1 / chooser().fit(X, Y).best_threshold_ - 1))
    assert asked.best_threshold_ == pytest.approx(logit)
    assert asked.predict_log_proba(X).shape == (len(Y), 2)


def test_a_fitted_estimator_is_taken_as_it_is():
    half = np.arange(len(Y)) % 2 == 0
    model = clone(MODEL).fit(X[half], Y[half])
    found = chooser(cv="prefit", costs=COSTS)
    found.estimator = model
    found.fit(X[~half], Y[~half])
    assert found.estimator_ is model
    curve = rw.roc(Y[~half], model.predict_proba(X[~half])[:, 1])
    assert found.best_threshold_ == curve.best(COSTS).threshold
    frozen = CostThresholdClassifier(FrozenEstimator(model), costs=COSTS, cv=FOLDS).fit(
        X[~half], Y[~half]
    )
    assert frozen.best_threshold_ == found.best_threshold_
    with pytest.raises(NotFittedError):
        chooser(cv="prefit").fit(X, Y)


def test_one_split_with_and_without_another_fit():
    kept = chooser(cv=0.3, refit=False, random_state=0).fit(X, Y)
    refitted = chooser(cv=0.3, random_state=0).fit(X, Y)
    assert kept.best_threshold_ == refitted.best_threshold_
    assert len(kept.curve_.fpr) == 91
    assert kept.estimator_.coef_.tolist() != refitted.estimator_.coef_.tolist()
    assert refitted.estimator_.coef_.tolist() == clone(MODEL).fit(X, Y).coef_.tolist()


def test_weights_count_in_the_curve_and_in_the_fit():
    model = clone(MODEL).fit(X, Y)
    one = CostThresholdClassifier(model, costs=COSTS, cv="prefit").fit(X, Y, sample_weight=WEIGHTS)
    copies = np.repeat(np.arange(len(Y)), WEIGHTS.astype(int))
    many = CostThresholdClassifier(model, costs=COSTS, cv="prefit").fit(X[copies], Y[copies])
    assert one.best_threshold_ == many.best_threshold_
    assert one.expected_cost_ == pytest.approx(many.expected_cost_)
    folded = chooser().fit(X, Y, sample_weight=WEIGHTS)
    whole = clone(MODEL).fit(X, Y, sample_weight=WEIGHTS)
    assert folded.estimator_.coef_.tolist() == whole.coef_.tolist()
    train, test = next(FOLDS.split(X, Y))
    first = clone(MODEL).fit(X[train], Y[train], sample_weight=WEIGHTS[train])
    assert set(first.predict_proba(X[test])[:, 1]) <= set(folded.curve_.thresholds)


def test_the_threshold_follows_soft_truth_and_the_fit_the_labels():
    soft = chooser().fit(X, WORDS, soft_truth=TRUTH)
    p = cross_val_predict(MODEL, X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    assert soft.curve_.area == pytest.approx(rw.roc(TRUTH, p).area)
    assert soft.expected_cost_ == pytest.approx(rw.roc(TRUTH, p).best(COSTS).expected_cost)
    assert soft.estimator_.coef_.tolist() == clone(MODEL).fit(X, WORDS).coef_.tolist()
    hard = chooser().fit(X, Y, soft_truth=Y)
    assert hard.best_threshold_ == chooser().fit(X, Y).best_threshold_


@pytest.mark.usefixtures("routing")
def test_metadata_reach_the_chooser_the_estimator_and_the_splitter():
    patients = np.arange(len(Y)) // 3
    inner = make_pipeline(StandardScaler(), clone(MODEL).set_fit_request(sample_weight=True))
    inner[0].set_fit_request(sample_weight=False)
    model = CostThresholdClassifier(inner, costs=COSTS, cv=GroupKFold(3))
    model.set_fit_request(sample_weight=True, soft_truth=True)
    cost = make_scorer("neg_expected_cost", costs=COSTS).set_score_request(
        soft_truth=True, sample_weight=True
    )
    params = {"sample_weight": WEIGHTS, "soft_truth": TRUTH, "groups": patients}
    found = cross_validate(
        model, X, Y, params=params, scoring=cost, cv=GroupKFold(3),
        return_estimator=True, return_indices=True, error_score="raise",
    )  # fmt: skip
    train, test = found["indices"]["train"][0], found["indices"]["test"][0]
    by_itself = clone(model).fit(
        X[train], Y[train], sample_weight=WEIGHTS[train], soft_truth=TRUTH[train], groups=patients[train]
    )  # fmt: skip
    assert found["estimator"][0].best_threshold_ == by_itself.best_threshold_
    assert found["test_score"][0] == -expected_cost(
        TRUTH[test],
        by_itself.predict(X[test]),
        costs=COSTS,
        sample_weight=WEIGHTS[test],
        truth="soft",
    )


@pytest.mark.usefixtures("routing")
def test_an_estimator_without_weights_gets_none():
    found = chooser(KNeighborsClassifier()).fit(X, Y, sample_weight=WEIGHTS)
    p = cross_val_predict(KNeighborsClassifier(), X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    assert found.curve_.area == pytest.approx(rw.roc(Y, p, sample_weight=WEIGHTS).area)


def test_it_goes_into_grids_pipelines_and_pickles():
    model = make_pipeline(StandardScaler(), chooser())
    cost = make_scorer("neg_expected_cost", costs=COSTS)
    grid = {"costthresholdclassifier__estimator__C": [0.01, 1.0]}
    search = GridSearchCV(model, grid, scoring=cost, cv=3).fit(X, Y)
    assert (
        search.best_score_
        > cross_val_score(make_pipeline(StandardScaler(), MODEL), X, Y, scoring=cost, cv=3).mean()
    )
    best = search.best_estimator_
    assert pickle.loads(pickle.dumps(best)).predict(X).tolist() == best.predict(X).tolist()
    twin = clone(chooser())
    assert twin.costs == COSTS
    assert not hasattr(twin, "best_threshold_")
    frame = pd.DataFrame(X).add_prefix("x")
    named = chooser().fit(frame, pd.Series(WORDS))
    assert named.feature_names_in_.tolist() == list(frame)
    assert named.n_features_in_ == X.shape[1]
    assert named.predict(frame).tolist() == chooser().fit(X, WORDS).predict(X).tolist()


BAD_CHOOSERS = {
    "costs of a wrong type": ({"costs": (1, 4)}, {}, OptionError, r"costs=\(1, 4\) is not a Costs object.\nHint: pass Costs"),
    "three classes": ({}, {"y": Y + (X[:, 0] > 1)}, LabelError, "Only binary classification is supported. The type of the target is multiclass"),
    "soft labels": ({}, {"y": TRUTH}, LabelError, "The type of the target is continuous.\nHint: .* go in as soft_truth"),
    "one class": ({}, {"y": Y * 0}, LabelError, "y has one class only, 0"),
    "no scores": ({"model": Perceptron(), "response_method": "predict_proba"}, {}, InputError, "Perceptron has no predict_proba"),
    "no classifier": ({"model": LinearRegression()}, {}, InputError, "LinearRegression has no predict_proba and no decision_function"),
    "an unknown method": ({"response_method": "predict"}, {}, OptionError, "response_method='predict' is not known"),
    "an unknown label": ({"pos_label": "ill"}, {}, OptionError, "pos_label='ill' is not a class.\nHint: the classes are 0, 1"),
    "an unknown cv": ({"cv": "folds"}, {}, OptionError, "cv='folds' is not known.\nHint: cv is a number, a splitter or \"prefit\""),
    "many folds and no refit": ({"refit": False}, {}, OptionError, "refit=False needs a single split, but there are 3 folds"),
    "metadata without routing": ({}, {"groups": Y}, OptionError, "The metadata groups need metadata routing"),
    "weights that cannot be passed": ({"model": KNeighborsClassifier()}, {"sample_weight": WEIGHTS}, OptionError, "KNeighborsClassifier.fit has no sample_weight.\nHint: .*enable_metadata_routing"),
    "truth outside 0 and 1": ({}, {"soft_truth": 2 * TRUTH}, LabelError, r"y_true at row \d+ is 1.*, outside \[0, 1\]"),
    "a fold of one class": ({"cv": [(np.flatnonzero(Y == 0), np.flatnonzero(Y == 1))], "model": DummyClassifier()}, {}, InputError, "There should be two classes, but the classifier knows 0"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_CHOOSERS)
def test_bad_choosers(case):
    options, given, error, words = BAD_CHOOSERS[case]
    with pytest.raises(error, match=words):
        chooser(**options).fit(X, **({"y": Y} | given))
