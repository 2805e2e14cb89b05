"""Scorers: the number of each fold, options, metadata routing and what decisions cost."""

from __future__ import annotations

import copy
import functools
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import UndefinedMetricWarning as TheirWarning
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocwalk as rw
from estimators import COSTS, FOLDS, MODEL, TRUTH, WEIGHTS, WORDS, X, Y, validated
from rocwalk.errors import LabelError, OptionError, RocwalkError
from rocwalk.sklearn import expected_cost, make_scorer, scorers

FUNCTIONS = {
    "auc": rw.metrics.roc_auc_score,
    "auc_prt": rw.metrics.auc_prt_score,
    "capability": rw.metrics.capability_score,
    "h_measure": rw.metrics.h_measure_score,
    "hand_till_auc": rw.metrics.hand_till_auc_score,
    "neg_expected_cost": expected_cost,
    "neg_struggle_ratio": rw.metrics.struggle_ratio,
    "probabilistic_auc": rw.metrics.probabilistic_auc_score,
    "probabilistic_gini": rw.metrics.probabilistic_gini_score,
    "provost_domingos_auc": rw.metrics.provost_domingos_auc_score,
    "scored_auc": rw.metrics.scored_auc_score,
    "sensibility": rw.metrics.sensibility_score,
    "soft_auc": rw.metrics.soft_auc_score,
}


# numbers of the registry that have no function in rocwalk.metrics
REGISTERED = {
    "average_precision": lambda y, s, **o: rw.roc(y, s, **o).precision_recall().average_precision,
    "expected_auc": lambda y, s, **o: rw.reference_truth(y, s, **o).expected_auc,
    "h_prt": lambda y, s, **o: rw.reference_truth(y, s, **o).h_prt,
    "hull_area": lambda y, s, **o: rw.roc(y, s, **o).hull.area,
    "ks": lambda y, s, **o: rw.roc(y, s, **o).ks,
    "neg_brier": lambda y, p, **o: rw.roc(y, p, **o).calibration().brier.loss,
    "neg_log_loss": lambda y, p, **o: rw.roc(y, p, **o).calibration().log_loss.loss,
    "neg_ece": lambda y, p, **o: rw.calibration(y, p, **o).ece,
    "neg_ici": lambda y, p, **o: rw.calibration(y, p, **o).ici,
    "neg_smooth_ece": lambda y, p, **o: rw.calibration(y, p, **o).smooth_ece,
}


METRICS = {f.__name__ for name, f in FUNCTIONS.items() if name != "neg_expected_cost"}


FUNCTIONS |= REGISTERED


RANKS = (
    *("auc", "auc_prt", "average_precision", "expected_auc", "h_measure", "h_prt", "hull_area"),
    "ks",
)


def by_hand(name, results, y=Y, **options):
    """The metric called directly on what the estimators of the folds say."""
    sign = -1 if name.startswith("neg_") else 1
    found = []
    for model, test in zip(results["estimator"], results["indices"]["test"], strict=True):
        if name == "neg_expected_cost":
            said = model.predict(X[test])
        elif name in RANKS and hasattr(model, "decision_function"):
            said = model.decision_function(X[test])
        else:
            said = model.predict_proba(X[test])[:, 1]
        picked = {k: np.asarray(v)[test] if k == "sample_weight" else v for k, v in options.items()}
        found.append(sign * FUNCTIONS[name](y[test], said, **picked))
    return found


def test_there_is_a_scorer_for_every_number():
    public = {name for name in rw.metrics.__all__ if name != "roc_curve"}
    assert public == METRICS
    assert list(scorers) == sorted(FUNCTIONS)
    assert len(scorers) == len(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_scorer_is_the_metric_of_the_fold(name, results):
    assert results[f"test_{name}"].tolist() == by_hand(name, results)


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(10, random_state=0),
        HistGradientBoostingClassifier(max_iter=5, random_state=0),
        make_pipeline(StandardScaler(), LogisticRegression()),
    ],
    ids=lambda model: type(model).__name__,
)
def test_all_scorers_with_other_estimators(model):
    found = validated(model)
    for name in FUNCTIONS:
        assert found[f"test_{name}"].tolist() == by_hand(name, found), name
    assert found["test_auc"] == pytest.approx(
        cross_val_score(model, X, Y, cv=FOLDS, scoring="roc_auc")
    )


def test_lower_is_better_turns_the_sign(results):
    assert (results["test_neg_struggle_ratio"] < 0).all()
    assert (results["test_neg_expected_cost"] < 0).all()


def test_text_labels_and_the_positive_one():
    numbers = validated(MODEL, scoring=scorers)
    words = validated(MODEL, WORDS, scorers)
    for name in scorers:
        assert words[f"test_{name}"] == pytest.approx(numbers[f"test_{name}"]), name
    healthy = make_scorer("probabilistic_auc", pos_label="healthy")
    model = MODEL.fit(X, WORDS)
    direct = rw.metrics.probabilistic_auc_score(
        WORDS, model.predict_proba(X)[:, 0], pos_label="healthy"
    )
    assert healthy(model, X, WORDS) == direct


def test_costs_of_text_labels_are_those_of_the_greater_one():
    model = clone(MODEL).fit(X, WORDS)
    scorer = make_scorer("neg_expected_cost", costs=COSTS)
    due = -expected_cost(WORDS, model.predict(X), costs=COSTS, pos_label="ill")
    assert scorer(model, X, WORDS) == due
    turned = make_scorer("neg_expected_cost", costs=COSTS, pos_label="healthy")
    assert turned(model, X, WORDS) != due
    with pytest.raises(LabelError, match="multiclass format is not supported"):
        scorer(model, X[:3], np.array(["ill", "healthy", "dead"]))


def test_options_are_passed_on():
    model = clone(MODEL).fit(X, Y)
    p, s = model.predict_proba(X)[:, 1], model.decision_function(X)
    options = [
        ("h_measure", {"prior": (1, 1)}, s),
        ("soft_auc", {"steps": "single"}, p),
        ("auc", {"max_fpr": 0.2}, s),
        ("sensibility", {"threshold": 0.3, "midpoint": 0.4}, p),
    ]
    for name, keywords, said in options:
        assert make_scorer(name, **keywords)(model, X, Y) == FUNCTIONS[name](Y, said, **keywords)


def test_grid_search_by_the_h_measure():
    search = GridSearchCV(
        clone(MODEL), {"C": [0.001, 1.0]}, scoring=scorers["h_measure"], cv=FOLDS
    ).fit(X, Y)
    each = [
        np.mean(by_hand("h_measure", validated(LogisticRegression(C=c), scoring="accuracy")))
        for c in (0.001, 1.0)
    ]
    assert search.cv_results_["mean_test_score"] == pytest.approx(each)


@pytest.mark.parametrize("model", [MODEL, RandomForestClassifier(5, random_state=0)])
def test_all_scorers_are_taken_as_they_are(model):
    found = cross_validate(model, X, Y, cv=FOLDS, scoring=scorers, error_score="raise")
    assert {f"test_{name}" for name in scorers} <= set(found)
    assert found["test_average_precision"] == pytest.approx(
        cross_val_score(model, X, Y, cv=FOLDS, scoring="average_precision")
    )
    assert found["test_neg_brier"] == pytest.approx(
        cross_val_score(model, X, Y, cv=FOLDS, scoring="neg_brier_score")
    )


def test_the_log_loss_is_that_of_scikit_learn():
    theirs = cross_val_score(MODEL, X, Y, cv=FOLDS, scoring="neg_log_loss")
    ours = cross_val_score(MODEL, X, Y, cv=FOLDS, scoring=scorers["neg_log_loss"])
    assert ours == pytest.approx(theirs, rel=1e-12)


def test_a_search_over_all_scorers_refits_by_one():
    search = GridSearchCV(
        clone(MODEL), {"C": [0.001, 1.0]}, scoring=scorers, cv=FOLDS, refit="neg_log_loss"
    ).fit(X, Y)
    means = search.cv_results_["mean_test_neg_log_loss"]
    assert search.best_index_ == means.argmax()
    assert clone(search).scoring is not None
    assert (
        list(copy.deepcopy(scorers)) == list(pickle.loads(pickle.dumps(scorers))) == list(scorers)
    )
    assert list(dict(scorers)) == list(scorers.keys())
    assert len(scorers.values()) == len(scorers)
    assert scorers.get("brier") is None
    assert repr(scorers.get("neg_brier")) == repr(scorers["neg_brier"])


def test_statistics_with_parameters_are_scorers_once_these_are_given():
    model = clone(MODEL).fit(X, Y)
    p, s = model.predict_proba(X)[:, 1], model.decision_function(X)
    rate = make_scorer("sensitivity", threshold=0.3)
    assert rate(model, X, Y) == rw.roc(Y, p).at(0.3).tpr
    part = make_scorer("partial_auc", max_fpr=0.2)
    assert part(model, X, Y) == rw.roc(Y, s).partial_area(0.2)
    twin = pickle.loads(pickle.dumps(rate))
    assert twin(model, X, Y) == rate(model, X, Y)
    with pytest.raises(OptionError, match="needs a threshold"):
        make_scorer("sensitivity")
    with pytest.raises(OptionError, match="sensitivity has no option 'beta'"):
        make_scorer("sensitivity", threshold=0.3, beta=1)


def test_several_classes():
    flowers, kinds = load_iris(return_X_y=True)
    model = LogisticRegression(C=0.01, max_iter=500).fit(flowers, kinds)
    for name in ("hand_till_auc", "provost_domingos_auc"):
        assert scorers[name](model, flowers, kinds) == FUNCTIONS[name](
            kinds, model.predict_proba(flowers)
        )
    ovr = make_scorer("auc", response_method="predict_proba", multi_class="ovr")
    theirs = roc_auc_score(kinds, model.predict_proba(flowers), multi_class="ovr")
    assert ovr(model, flowers, kinds) == pytest.approx(theirs)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_scorers_survive_copying(name):
    model = clone(MODEL).fit(X, Y)
    scorer = scorers[name]
    for twin in (
        pickle.loads(pickle.dumps(scorer)),
        copy.deepcopy(scorer),
        clone(scorer, safe=False),
    ):
        assert twin(model, X, Y) == scorer(model, X, Y)
        assert repr(twin) == repr(scorer)


def test_a_fold_of_one_class_is_undefined_not_wrong():
    model = clone(MODEL).fit(X, Y)
    with pytest.warns(TheirWarning, match="Only one class"):
        assert np.isnan(scorers["h_measure"](model, X[Y == 1], Y[Y == 1]))


def test_any_function_makes_a_scorer():
    model = clone(MODEL).fit(X, Y)
    p = model.predict_proba(X)[:, 1]
    named = make_scorer(rw.metrics.struggle_ratio)
    assert named(model, X, Y) == -rw.metrics.struggle_ratio(Y, p)
    partial = make_scorer(functools.partial(rw.metrics.h_measure_score, prior=(2, 2)))
    assert partial(model, X, Y) == rw.metrics.h_measure_score(Y, p, prior=(2, 2))
    assert "h_measure_score" in repr(partial)

    def mean_gap(y_true, y_prob, **options):
        return float(np.mean(np.abs(y_true - y_prob))) * options.get("times", 1)

    own = make_scorer(mean_gap, greater_is_better=False, times=2)
    assert own(model, X, Y) == -2 * np.mean(np.abs(Y - p))


SCORED = sorted(set(rw.metrics.__all__) - {"roc_curve"})
WITH_A_SCORER = {
    "cross_val_score": lambda metric: cross_val_score(MODEL, X, Y, cv=2, scoring=metric),
    "cross_validate": lambda metric: cross_validate(MODEL, X, Y, cv=2, scoring={"a": metric}),
    "GridSearchCV": lambda metric: GridSearchCV(MODEL, {"C": [1]}, scoring=metric, cv=2).fit(X, Y),
    "learning_curve": lambda metric: learning_curve(MODEL, X, Y, cv=2, scoring=metric),
    "permutation_importance": lambda metric: permutation_importance(
        clone(MODEL).fit(X, Y), X, Y, scoring=metric, n_repeats=1
    ),
    "by hand": lambda metric: float(metric(clone(MODEL).fit(X, Y), X, Y)),
}


@pytest.mark.parametrize("caller", WITH_A_SCORER)
def test_a_metric_in_the_place_of_a_scorer_is_an_error_not_nan(caller):
    for metric in (
        rw.metrics.roc_auc_score,
        functools.partial(rw.metrics.roc_auc_score, max_fpr=0.2),
    ):
        with pytest.raises(
            ValueError, match="(?s)is a metric.*use make_scorer.*metrics.roc_auc_score"
        ):
            WITH_A_SCORER[caller](metric)


@pytest.mark.parametrize("name", SCORED)
def test_every_metric_says_that_it_is_no_scorer(name):
    metric = getattr(rw.metrics, name)
    with pytest.raises(ValueError, match=f"{name} is a metric.*use make_scorer.*metrics.{name}"):
        cross_val_score(MODEL, X, Y, cv=2, scoring=metric)
    with pytest.raises(TypeError, match="positional argument"):
        metric(Y, X[:, 0], Y)
    assert pickle.loads(pickle.dumps(metric)) is metric


def test_a_mapping_that_cannot_be_changed():
    assert "auc" in scorers
    assert "roc" not in scorers
    assert scorers.get("roc") is None
    assert repr(scorers).startswith("Scorers(auc, auc_prt, ")
    with pytest.raises(TypeError, match="cannot be changed"):
        scorers["auc"] = None
    with pytest.raises(TypeError, match="cannot be changed"):
        scorers.update(auc=None)
    with pytest.raises(TypeError, match="cannot be changed"):
        scorers.pop("auc")
    with pytest.raises(
        KeyError, match="There is no scorer 'h_mesure'.\nHint: did you mean 'h_measure'?"
    ):
        scorers["h_mesure"]


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (("h_mesure",), {}, "There is no scorer 'h_mesure'.\nHint: did you mean 'h_measure'\\?"),
        (
            ("h_measure",),
            {"priro": 1},
            "h_measure_score has no option 'priro'.\nHint: did you mean 'prior'",
        ),
        (
            ("auc",),
            {"sample_weight": [1]},
            "sample_weight has a value for each row.*\nHint: enable metadata",
        ),
        (
            ("auc",),
            {"soft_truth": [1]},
            r"soft_truth has a value .*\n.*set_score_request\(soft_truth=True\)",
        ),
        ((3,), {}, "metric=3 is neither a name nor a function"),
    ],
)
def test_bad_scorers(arguments, options, words):
    with pytest.raises(RocwalkError, match=words):
        make_scorer(*arguments, **options)


BINARY = [name for name in FUNCTIONS if name not in ("hand_till_auc", "provost_domingos_auc")]


@pytest.mark.usefixtures("routing")
def test_soft_truth_reaches_the_scorers_and_not_the_estimator(results):
    asked = {name: scorers[name].set_score_request(soft_truth=True) for name in BINARY}
    found = validated(MODEL, scoring=asked, params={"soft_truth": TRUTH})
    for name in BINARY:
        expected = by_hand(name, found, TRUTH, truth="soft")
        if name == "expected_auc":  # the scorer adds up item by item, the other score by score
            expected = pytest.approx(expected, rel=1e-14)
        assert found[f"test_{name}"].tolist() == expected, name
        assert found[f"test_{name}"].tolist() != results[f"test_{name}"].tolist()
    for one, other in zip(found["estimator"], results["estimator"], strict=True):
        assert one.coef_.tolist() == other.coef_.tolist()


@pytest.mark.usefixtures("routing")
def test_soft_truth_of_zeros_and_ones_is_the_labels(results):
    asked = {name: scorers[name] for name in BINARY}
    for scorer in asked.values():
        scorer.set_score_request(soft_truth=True)
    found = validated(MODEL, WORDS, asked, params={"soft_truth": Y.astype(float)})
    for name in BINARY:
        assert found[f"test_{name}"] == pytest.approx(results[f"test_{name}"]), name


@pytest.mark.usefixtures("routing")
def test_weights_and_soft_truth_under_other_names_in_a_grid():
    scorer = make_scorer("probabilistic_auc").set_score_request(
        sample_weight="mass", soft_truth="votes"
    )
    model = clone(MODEL).set_fit_request(sample_weight=False)
    search = GridSearchCV(model, {"C": [1.0]}, scoring=scorer, cv=FOLDS)
    search.fit(X, Y, mass=WEIGHTS, votes=TRUTH)
    expected = by_hand(
        "probabilistic_auc", validated(MODEL, scoring="accuracy"), TRUTH, sample_weight=WEIGHTS
    )
    assert search.best_score_ == pytest.approx(np.mean(expected))


@pytest.mark.usefixtures("routing")
def test_weights_reach_the_scorers():
    asked = {name: scorers[name].set_score_request(sample_weight=True) for name in FUNCTIONS}
    model = clone(MODEL).set_fit_request(sample_weight=False)
    found = validated(model, scoring=asked, params={"sample_weight": WEIGHTS})
    for name in FUNCTIONS:
        assert found[f"test_{name}"].tolist() == by_hand(name, found, sample_weight=WEIGHTS), name


@pytest.mark.usefixtures("routing")
def test_requests_of_one_scorer_are_its_own():
    scorers["auc"].set_score_request(soft_truth=True)
    with pytest.raises(UnsetMetadataPassedError, match="soft_truth"):
        cross_val_score(MODEL, X, Y, scoring=scorers["auc"], params={"soft_truth": TRUTH})


@pytest.mark.usefixtures("routing")
def test_classes_have_no_soft_truth():
    scorer = scorers["hand_till_auc"].set_score_request(soft_truth=True)
    model = clone(MODEL).fit(X, Y)
    with pytest.raises(RocwalkError, match="soft"):
        scorer(model, X, Y, soft_truth=TRUTH)


def test_expected_cost_by_hand():
    y, decided, w = [1, 1, 1, 0, 0], [1, 0, 0, 1, 0], [1, 2, 1, 1, 3]
    assert expected_cost(y, decided) == 3 / 5
    assert expected_cost(y, decided, costs=COSTS) == (1 + 4 * 2) / 5
    assert expected_cost(y, decided, costs=COSTS, sample_weight=w) == (1 + 4 * 3) / 8
    rare = rw.Costs(false_positive=1, false_negative=4, prevalence=0.1)
    assert expected_cost(y, decided, costs=rare) == pytest.approx(0.9 / 2 + 4 * 0.1 * 2 / 3)
    assert expected_cost([0.5, 0.25], [1, 0], costs=COSTS) == (0.5 + 4 * 0.25) / 2
    assert (
        expected_cost([0.5, 0.25], ["b", "a"], costs=COSTS, pos_label="b") == (0.5 + 4 * 0.25) / 2
    )
    assert expected_cost(["b", "a"], ["b", "b"], pos_label="b") == 0.5
    assert expected_cost([1, 1], [1, 0], costs=COSTS) == 2
    with pytest.warns(
        rw.errors.UndefinedMetricWarning, match="expected cost at another prevalence"
    ):
        assert np.isnan(expected_cost([1, 1], [1, 0], costs=rare))


def test_expected_cost_is_that_of_the_curve():
    model = clone(MODEL).fit(X, Y)
    choice = rw.roc(Y, model.predict_proba(X)[:, 1]).best(COSTS)
    decided = (model.predict_proba(X)[:, 1] >= choice.threshold).astype(int)
    assert expected_cost(Y, decided, costs=COSTS) == pytest.approx(choice.expected_cost)


@pytest.mark.parametrize(
    ("arguments", "options", "words"),
    [
        (([1, 0], [0.9, 0.2]), {}, "y_pred holds scores"),
        (([1, 0], [1, 0]), {"costs": 3}, "costs=3 is not a Costs object"),
        ((["a", "b"], ["a", "b"]), {}, "pos_label is not specified"),
        (([1, 0, 2], [1, 0, 0]), {}, "multiclass format is not supported"),
        (([1, 0, 1], [1, 0, 2]), {}, "multiclass format is not supported"),
        (([1, 0, 1], [1, 0]), {}, "lengths differ"),
    ],
)
def test_bad_decisions(arguments, options, words):
    with pytest.raises(RocwalkError, match=words):
        expected_cost(*arguments, **options)
