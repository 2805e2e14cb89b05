"""rocwalk inside scikit-learn: scorers, displays and the threshold chooser, with real estimators."""

from __future__ import annotations

import copy
import functools
import pickle
import subprocess
import sys

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError, UnsetMetadataPassedError
from sklearn.exceptions import UndefinedMetricWarning as TheirWarning
from sklearn.frozen import FrozenEstimator
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.metrics import RocCurveDisplay, roc_auc_score
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    StratifiedKFold,
    TunedThresholdClassifierCV,
    cross_val_predict,
    cross_val_score,
    cross_validate,
    learning_curve,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

import rocwalk as rw
import sklearn
from rocwalk.errors import InputError, LabelError, OptionError, RocwalkError
from rocwalk.sklearn import CostThresholdClassifier, expected_cost, make_scorer, scorers

X, Y = make_classification(300, flip_y=0.2, weights=[0.65], random_state=0)
WORDS = np.array(["healthy", "ill"])[Y]
TRUTH = np.random.default_rng(0).beta(1 + 4 * Y, 5 - 4 * Y)  # votes of experts beside the labels
WEIGHTS = np.random.default_rng(1).integers(1, 4, len(Y)).astype(float)
FOLDS = StratifiedKFold(3)
COSTS = rw.Costs(false_positive=1, false_negative=4)
MODEL = LogisticRegression()
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


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    """Small data are slower on many threads that wait for each other."""
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def results():
    return validated(MODEL)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def validated(model, y=Y, scoring=None, **keywords):
    scoring = dict(scorers) if scoring is None else scoring
    keywords = {"cv": FOLDS, "scoring": scoring, "error_score": "raise"} | keywords
    return cross_validate(model, X, y, return_estimator=True, return_indices=True, **keywords)


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


# -- scorers -------------------------------------------------------------------------------------


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
    names = [name for name in FUNCTIONS if name != "neg_expected_cost"]
    numbers = validated(MODEL, scoring={name: scorers[name] for name in names})
    words = validated(MODEL, WORDS, {name: scorers[name] for name in names})
    for name in names:
        assert words[f"test_{name}"] == pytest.approx(numbers[f"test_{name}"]), name
    healthy = make_scorer("probabilistic_auc", pos_label="healthy")
    model = MODEL.fit(X, WORDS)
    direct = rw.metrics.probabilistic_auc_score(
        WORDS, model.predict_proba(X)[:, 0], pos_label="healthy"
    )
    assert healthy(model, X, WORDS) == direct


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


# -- metadata routing ----------------------------------------------------------------------------


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
    asked["neg_expected_cost"] = make_scorer("neg_expected_cost", pos_label="ill")
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


# -- what decisions cost -------------------------------------------------------------------------


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


# -- displays ------------------------------------------------------------------------------------

# how each picture is made of truth and probabilities, and what its first line shows
DISPLAYS = {
    "RocDisplay": (rw.roc, {"steps": "both"}, lambda r: (r.fpr, r.tpr)),
    "SmearedRocDisplay": (rw.smeared_roc, {"width": 0.3}, lambda r: (r.fpr, r.tpr)),
    "BandDisplay": (rw.band, {"method": "dkw"}, lambda r: (r.curve.fpr, r.curve.tpr)),
    "PrecisionRecallDisplay": (lambda y, p, **o: rw.roc(y, p).precision_recall(**o), {"prevalence": 0.1}, None),
    "CostDisplay": (lambda y, p, **o: rw.roc(y, p).cost_curve(**o), {"prevalence": 0.2}, lambda r: (r.probability_cost, r.expected_cost)),
    "BrierDisplay": (lambda y, p, **o: rw.roc(y, p).brier_curve(**o), {"prevalence": 0.2}, None),
    "NetBenefitDisplay": (lambda y, p, **o: rw.roc(y, p).decision_curve(**o), {"prevalence": 0.2}, None),
    "CalibrationDisplay": (lambda y, p: rw.roc(y, p).calibration(), {}, None),
    "SensibilityDisplay": (rw.sensibility, {"midpoint": 0.4}, None),
    "ReferenceTruthDisplay": (rw.reference_truth, {}, lambda r: (r.curve.fpr, r.curve.tpr)),
}  # fmt: skip


def display_of(name):
    return getattr(rw.sklearn, name)


def curves(ax):
    return [line for line in ax.lines if line.get_gid() == "curve"]


def test_every_display_is_tested():
    assert set(DISPLAYS) == {n for n in rw.sklearn.__all__ if n.endswith("Display")} - {"Display"}


@pytest.mark.parametrize("name", DISPLAYS)
def test_a_display_draws_what_rocwalk_finds(name):
    make, options, shown = DISPLAYS[name]
    model = clone(MODEL).fit(X, Y)
    p = model.predict_proba(X)[:, 1]
    display = display_of(name).from_estimator(model, X, Y, **options)
    assert display.result.to_json() == make(Y, p, **options).to_json()
    assert display.ax_.figure is display.figure_
    lines = display.line_ if isinstance(display.line_, list) else [display.line_]
    plain = curves(display.result.plot())
    for line, other in zip(lines, plain, strict=True):
        np.testing.assert_array_equal(line.get_xydata(), other.get_xydata())
    if shown is not None:
        np.testing.assert_array_equal(lines[0].get_xydata(), np.column_stack(shown(display.result)))
    if name not in ("BandDisplay", "ReferenceTruthDisplay"):
        assert "LogisticRegression" in lines[0].get_label()
    assert repr(display) == f"{name}({display.result!r})"


@pytest.mark.parametrize("name", DISPLAYS)
def test_predictions_and_an_estimator_draw_the_same(name):
    model = clone(MODEL).fit(X, WORDS)
    options = DISPLAYS[name][1]
    for pos_label, column in ((None, 1), ("healthy", 0)):
        keywords = options | {"pos_label": pos_label, "sample_weight": None}
        one = display_of(name).from_estimator(
            model, X, WORDS, response_method="predict_proba", **keywords
        )
        other = display_of(name).from_predictions(
            WORDS, model.predict_proba(X)[:, column], **keywords
        )
        assert one.result.to_json() == other.result.to_json()


@pytest.mark.parametrize("name", DISPLAYS)
def test_folds_are_thin_and_all_of_them_bold(name, results):
    options = {} if name == "BandDisplay" else DISPLAYS[name][1]
    display = display_of(name).from_cv_results(results, X, Y, name="model", **options)
    assert len(display.folds) == 3
    bold = display.line_ if isinstance(display.line_, list) else [display.line_]
    assert len(display.fold_lines_) == 3 * len(bold)
    assert {line.get_color() for line in display.fold_lines_} == {bold[0].get_color()}
    assert max(line.get_linewidth() for line in display.fold_lines_) < bold[0].get_linewidth()
    assert curves(display.ax_) == bold
    words = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert len(set(words)) == len(words)
    assert any("model" in word for word in words)
    assert repr(display).endswith(", folds=3)")


def test_the_bold_curve_is_the_average_and_the_thin_ones_the_folds(results):
    display = rw.sklearn.RocDisplay.from_cv_results(results, X, Y)
    folds = [
        rw.roc(Y[test], model.predict_proba(X[test])[:, 1])
        for model, test in zip(results["estimator"], results["indices"]["test"], strict=True)
    ]
    mean = rw.average(folds)
    np.testing.assert_array_equal(display.fpr, mean.fpr)
    np.testing.assert_array_equal(display.tpr, mean.tpr)
    assert display.roc_auc == pytest.approx(np.mean(results["test_auc"]))
    for line, fold in zip(display.fold_lines_, folds, strict=True):
        np.testing.assert_array_equal(line.get_xydata(), np.column_stack([fold.fpr, fold.tpr]))
    band = rw.sklearn.BandDisplay.from_cv_results(results, X, Y, confidence_level=0.9)
    assert band.result.to_json() == rw.fold_band(mean, confidence_level=0.9).to_json()


def test_other_pictures_pool_the_folds(results):
    p = cross_val_predict(MODEL, X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    display = rw.sklearn.CalibrationDisplay.from_cv_results(results, X, Y, sample_weight=WEIGHTS)
    pooled = rw.roc(Y, p, sample_weight=WEIGHTS).calibration()
    assert display.result.brier.loss == pytest.approx(pooled.brier.loss)
    test = results["indices"]["test"][1]
    fold = rw.roc(Y[test], p[test], sample_weight=WEIGHTS[test]).calibration()
    assert display.folds[1].to_json() == fold.to_json()


def test_displays_of_soft_truth(results):
    model = clone(MODEL).fit(X, WORDS)
    p = model.predict_proba(X)[:, 1]
    display = rw.sklearn.RocDisplay.from_estimator(model, X, TRUTH)
    assert display.result.area == rw.roc(TRUTH, p).area
    hard = rw.sklearn.RocDisplay.from_estimator(model, X, Y.astype(float), truth="soft")
    assert hard.result.area == pytest.approx(rw.roc(Y, p).area)
    folds = rw.sklearn.ReferenceTruthDisplay.from_cv_results(results, X, TRUTH)
    out = cross_val_predict(MODEL, X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    assert folds.result.auc_prt == pytest.approx(rw.reference_truth(TRUTH, out).auc_prt)


def test_a_decision_function_will_do_for_curves():
    model = LinearSVC().fit(X, Y)
    display = rw.sklearn.RocDisplay.from_estimator(model, X, Y)
    assert display.roc_auc == rw.roc(Y, model.decision_function(X)).area
    turned = rw.sklearn.RocDisplay.from_estimator(model, X, Y, pos_label=0)
    assert turned.roc_auc == display.roc_auc
    asked = rw.sklearn.RocDisplay.from_estimator(
        clone(MODEL).fit(X, Y), X, Y, response_method="decision_function"
    )
    assert asked.result.thresholds.min() < 0


def test_displays_share_axes_and_are_drawn_again(results):
    _, ax = plt.subplots()
    one = rw.sklearn.RocDisplay.from_cv_results(results, X, Y, name="a", ax=ax)
    two = rw.sklearn.RocDisplay.from_predictions(
        Y, X[:, 0], name="b", ax=ax, curve_kwargs={"hull": True}
    )
    assert one.ax_ is two.ax_ is ax
    assert one.line_.get_color() != two.line_.get_color()
    assert [line.get_label()[0] for line in curves(ax)] == ["a", "b"]
    assert one.chance_level_ is two.chance_level_
    again = two.plot(name="c", curve_kwargs={"color": "red", "chance": False})
    assert again is two
    assert (two.line_.get_color(), two.line_.get_label()[0]) == ("red", "c")
    assert two.chance_level_ is None
    thick = one.plot(fold_kwargs={"linewidth": 3})
    assert thick.fold_lines_[0].get_linewidth() == 3


@pytest.mark.parametrize("drop", [True, False])
def test_the_points_of_scikit_learns_display(drop, results):
    model = clone(MODEL).fit(X, Y)
    for weights in (None, WEIGHTS):
        options = {"sample_weight": weights, "drop_intermediate": drop}
        theirs = RocCurveDisplay.from_estimator(model, X, Y, **options)
        ours = rw.sklearn.RocDisplay.from_estimator(model, X, Y, **options)
        np.testing.assert_allclose(ours.fpr, theirs.fpr, atol=1e-15)
        np.testing.assert_allclose(ours.tpr, theirs.tpr, atol=1e-15)
        np.testing.assert_array_equal(
            ours.line_.get_xydata(), np.column_stack([ours.fpr, ours.tpr])
        )
        assert len(ours.result.fpr) == len(Y) + 1  # the curve keeps its points
    theirs = RocCurveDisplay.from_cv_results(results, X, Y, drop_intermediate=drop)
    ours = rw.sklearn.RocDisplay.from_cv_results(results, X, Y, drop_intermediate=drop)
    for line, fpr, tpr in zip(ours.fold_lines_, theirs.fpr, theirs.tpr, strict=True):
        np.testing.assert_allclose(line.get_xydata(), np.column_stack([fpr, tpr]), atol=1e-15)
    np.testing.assert_array_equal(ours.line_.get_xydata(), np.column_stack([ours.fpr, ours.tpr]))
    with pytest.raises(TypeError, match="'drop_intermediate' parameter of RocDisplay must be"):
        rw.sklearn.RocDisplay.from_estimator(model, X, Y, drop_intermediate="no")


def look_of(display):
    """What scikit-learn's keywords change in a picture."""
    chance, spines = display.chance_level_, display.ax_.spines
    legend = display.ax_.get_legend()
    return {
        "chance": chance if chance is None else (chance.get_color(), chance.get_linestyle()),
        "points": None if chance is None else np.array(chance.get_xydata()).tolist(),
        "labelled": chance is not None
        and chance.get_label() in {text.get_text() for text in legend.get_texts()},
        "edges": [spines[side].get_visible() for side in ("top", "right")],
        "bounds": [spines[side].get_bounds() for side in ("left", "bottom")],
    }


CHANCE = {"color": "red", "linestyle": ":", "label": "chance"}


@pytest.mark.parametrize("chance", [True, False])
def test_the_keywords_of_scikit_learns_display(chance, results):
    model = clone(MODEL).fit(X, Y)
    p = model.predict_proba(X)[:, 1]
    plain = {"plot_chance_level": chance, "despine": True}
    keywords = plain | {"chance_level_kw": CHANCE}
    ways = {
        "from_estimator": ((model, X, Y), keywords),
        "from_predictions": ((Y, p), keywords),
        "from_cv_results": ((results, X, Y), plain | {"chance_level_kwargs": CHANCE}),
    }
    for way, (arguments, options) in ways.items():
        ours, theirs = (
            getattr(display, way)(*arguments, **options)
            for display in (rw.sklearn.RocDisplay, RocCurveDisplay)
        )
        assert look_of(ours) == look_of(theirs), way
        assert look_of(ours.plot(**keywords)) == look_of(theirs.plot(**keywords)), way
    assert rw.sklearn.RocDisplay.from_predictions(Y, p).chance_level_ is not None


@pytest.mark.parametrize("name", DISPLAYS)
def test_opacity_and_the_chance_line_of_every_display(name, results):
    p = cross_val_predict(MODEL, X, Y, cv=FOLDS, method="predict_proba")[:, 1]
    keywords = {"alpha": 0.3, "plot_chance_level": False, "despine": True}
    for display in (
        display_of(name).from_predictions(Y, p, **keywords),
        display_of(name).from_cv_results(results, X, Y, **keywords),
    ):
        lines = display.line_ if isinstance(display.line_, list) else [display.line_]
        assert {line.get_alpha() for line in lines} == {0.3}
        assert display.chance_level_ is None
        assert not [line for line in display.ax_.lines if line.get_gid() == "chance"]


def test_a_chance_line_of_another_display_stays():
    one = rw.sklearn.RocDisplay.from_predictions(Y, X[:, 0])
    two = rw.sklearn.RocDisplay.from_predictions(Y, X[:, 1], ax=one.ax_, plot_chance_level=False)
    assert two.chance_level_ is None
    assert one.chance_level_ in one.ax_.lines


def test_data_frames_and_splits_that_overlap():
    frame = pd.DataFrame(X).add_prefix("x")
    y = pd.Series(WORDS, index=range(1000, 1000 + len(Y)))
    found = cross_validate(MODEL, frame, y, cv=FOLDS, return_estimator=True, return_indices=True)
    display = rw.sklearn.RocDisplay.from_cv_results(found, frame, y)
    assert display.roc_auc == pytest.approx(np.mean(validated(MODEL)["test_auc"]))


REGRESSION = LinearRegression().fit(X, Y)
BAD_DISPLAYS = {
    "no estimators": (lambda d: d.from_cv_results({"indices": {}}, X, Y), "cv_results has no 'estimator'.\nHint: call cross_validate"),
    "neither": (lambda d: d.from_cv_results({}, X, Y), "no 'estimator' and no 'indices'"),
    "no mapping": (lambda d: d.from_cv_results(3, X, Y), "cv_results is a int"),
    "other rows": (lambda d: d.from_cv_results(validated(MODEL), X[:200], Y[:200]), "Row 2.. was tested in a fold, but y has 200 rows only"),
    "a regression": (lambda d: d.from_estimator(REGRESSION, X, Y), "LinearRegression is not a classifier"),
    "an unknown label": (lambda d: d.from_estimator(clone(MODEL).fit(X, Y), X, Y, pos_label=2), "pos_label=2 is not a class.\nHint: the classes are 0, 1"),
    "no scores": (lambda d: d.from_estimator(Perceptron().fit(X, Y), X, Y, response_method="predict_proba"), "Perceptron has no predict_proba.\nHint: .*CalibratedClassifierCV"),
    "an unknown method": (lambda d: d.from_estimator(clone(MODEL).fit(X, Y), X, Y, response_method="predict"), "response_method='predict' is not known"),
    "three classes": (lambda d: d.from_estimator(MODEL.__class__(max_iter=900).fit(X, Y + (X[:, 0] > 1)), X, Y), "There should be two classes, but the classifier knows 0, 1, 2"),
    "three labels": (lambda d: d.from_predictions([0, 1, 2], [0.1, 0.2, 0.3]), "multiclass format is not supported: y_true has the labels 0, 1, 2"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_DISPLAYS)
def test_bad_displays(case):
    call, words = BAD_DISPLAYS[case]
    with pytest.raises(RocwalkError, match=words):
        call(rw.sklearn.RocDisplay)


def test_an_unfitted_estimator_is_called_so():
    with pytest.raises(NotFittedError):
        rw.sklearn.RocDisplay.from_estimator(LogisticRegression(), X, Y)


# -- the threshold -------------------------------------------------------------------------------

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


def test_the_lowest_score_is_no_bound_if_everything_is_positive():
    model = clone(MODEL).fit(X, Y)
    p = model.predict_proba(X)[:, 1]
    above = p >= np.min(p[Y == 1])  # so the lowest score is that of a positive
    found = CostThresholdClassifier(
        model, costs=rw.Costs(false_positive=1, false_negative=10_000), cv="prefit"
    )
    assert (found.fit(X[above], Y[above]).predict(X) == 1).all()


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


# -- the package ---------------------------------------------------------------------------------


def run(code):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_scikit_learn_is_loaded_on_use_only():
    code = "import rocwalk, sys; rocwalk.metrics; print('sklearn' in sys.modules); rocwalk.sklearn.scorers; print('sklearn' in sys.modules, 'matplotlib' in sys.modules)"
    assert run(code).split() == ["False", "True", "False"]


def test_without_scikit_learn_there_is_a_hint():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import rocwalk as rw\n"
        "rw.roc([1, 0], [.9, .1])\n"
        "try:\n    rw.sklearn\n"
        "except ImportError as error:\n    print(isinstance(error, ValueError), error)"
    )
    printed = run(code)
    assert printed.startswith("True rocwalk.sklearn needs scikit-learn, which is not installed.")
    assert 'pip install "rocwalk[sklearn]"' in printed


def test_everything_exported_has_a_docstring():
    for name in rw.sklearn.__all__:
        assert getattr(rw.sklearn, name).__doc__, name
