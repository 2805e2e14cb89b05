"""Estimators and tables of scores to a decision: `rocwalk.evaluate`."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from threadpoolctl import threadpool_limits

import rocwalk as rw
from commands import EXAMPLE
from evaluate.models import FOLDS, MODELS, X, Y
from rocwalk.errors import (
    InputError,
    OptionError,
    RocwalkError,
)
from rocwalk.statistic import in_table
from samples import NO_ADVICE

pytestmark = NO_ADVICE
SUMMARY = [one.name for one in in_table("summary") if not one.parameters]


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def found():
    return rw.evaluate(MODELS, X, Y)


# -- estimators ------------------------------------------------------------------------------------


def test_numbers_are_the_means_of_the_folds(found):
    frame = found.to_frame("pandas").set_index("model")
    assert frame.loc["margin", "auc"] == pytest.approx(
        cross_val_score(MODELS["margin"], X, Y, cv=5, scoring="roc_auc").mean()
    )
    assert frame.loc["logistic", "log_loss"] == pytest.approx(
        -cross_val_score(MODELS["logistic"], X, Y, cv=5, scoring="neg_log_loss").mean()
    )
    assert math.isnan(frame.loc["margin", "brier"])  # no probabilities
    assert found.numbers["margin"]["brier"] is None
    for name in SUMMARY:
        if name in ("expected_auc", "prevalence"):
            continue
        row = frame.loc["logistic"]
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"], name


def test_the_prevalence_is_that_of_the_rows(found):
    one = found.numbers["logistic"]["prevalence"]
    assert (one.estimate, one.method) == (Y.mean(), "wilson")
    assert one.low < Y.mean() < one.high


def test_it_is_what_cross_validation_finds(found):
    fold = np.empty(len(Y), dtype=int)
    for k, (_, test) in enumerate(StratifiedKFold(5).split(X, Y)):
        fold[test] = k
    again = rw.cross_validation(Y, dict(found.scores), fold)
    assert found.comparison.to_dict() == again.to_dict()
    assert found.compare("h_measure").statistic == "h_measure"
    with pytest.raises(InputError, match="'margin' are not probabilities, which Brier score needs"):
        found.compare("brier")


def test_sentences_and_adjusted_p_values(found):
    words = found.sentence
    assert words.startswith("logistic: AUC 0.")
    assert "over 5 folds, 95 % interval" in words
    pairs = found.comparison.pairs
    assert words.count("adjusted p") == len(pairs) == 3
    assert words.count("(Holm, 3 pairs)") == 3
    two = rw.evaluate({name: MODELS[name] for name in ("logistic", "tree")}, X, Y)
    assert "adjusted" not in two.sentence
    assert "Probability that it is above 0.01" in two.sentence
    alone = rw.evaluate({"tree": MODELS["tree"]}, X, Y)
    assert alone.comparison is None
    assert "−" not in alone.sentence


def test_curves_page_and_picture(found):
    curve = found.curves["tree"]
    assert curve.area == pytest.approx(found.numbers["tree"]["auc"].estimate)
    assert (curve.curves, curve.repeats) == (5, 1)
    assert rw.fold_band(curve).upper.area > curve.area
    page = found.report(title="Three models")
    assert page.title == "Three models"
    assert page.study is found.study  # nothing is read or sorted again
    assert page.findings.study.folds is not None
    texts = [text.get_text() for text in found.plot().get_yticklabels()]
    assert texts == list(MODELS)
    with pytest.raises(OptionError, match="statistic='f2' was not evaluated"):
        found.plot(statistic="f2")


def test_costs_choose_the_threshold():
    costs = rw.Costs(false_positive=1, false_negative=9)
    one = rw.evaluate({"a": MODELS["logistic"]}, X, Y, costs=costs).to_frame("pandas").iloc[0]
    s = cross_val_predict(MODELS["logistic"], X, Y, cv=5, method="predict_proba")[:, 1]
    best = rw.roc(Y, s).best(costs=costs)
    assert (one["threshold"], one["tpr"], one["fpr"]) == (best.threshold, best.tpr, best.fpr)
    assert one["expected_cost"] == pytest.approx(best.expected_cost)


def test_repeats_and_seeds():
    models = {"a": MODELS["logistic"], "b": MODELS["tree"]}
    one = rw.evaluate(models, X, Y, cv=4, repeats=3, rng=1, statistics=["auc"])
    same = rw.evaluate(models, X, Y, cv=4, repeats=3, rng=1, statistics=["auc"])
    assert one.scores["a"].shape == (3, len(Y))
    assert (one.scores["a"] == same.scores["a"]).all()
    assert one.to_json() == same.to_json()
    assert (one.comparison.folds, one.comparison.repeats) == (12, 3)
    assert one.curves["a"].repeats == 3
    assert one.to_frame("pandas")["positives"][0] == Y.sum()
    page = one.report()
    assert page.title.endswith("the first of 3 repeats")
    assert page.study.rows_read == len(Y)  # a repeat adds no rows
    splitter = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    theirs = rw.evaluate(models, X, Y, cv=splitter, statistics=["auc"])
    assert theirs.repeats == 3
    assert theirs.numbers["a"]["auc"].estimate == pytest.approx(
        cross_val_score(models["a"], X, Y, cv=splitter, scoring="roc_auc").mean()
    )


class Broken(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)


class Odd(Broken):
    def __init__(self, shape=(3, 2)):
        self.shape = shape

    def predict_proba(self, X):
        return np.full(self.shape, 0.5)


BAD = {
    "lengths": (lambda: rw.evaluate(MODELS, X, Y[:-1]), InputError, "X has 240 rows, y 239"),
    "soft": (
        lambda: rw.evaluate(MODELS, X, np.linspace(0, 1, len(Y))), InputError, "classes, not 240"
    ),
    "a class": (
        lambda: rw.evaluate({"a": LogisticRegression}, X, Y), OptionError,
        "models has a class, not an estimator, as 'a'",
    ),
    "few rows of scores": (
        lambda: rw.evaluate({"a": Odd()}, X, Y, cv=FOLDS), InputError,
        r"predict_proba of Odd gave an array of shape \(3, 2\), where \(80, 2\) is due",
    ),
    "one column of scores": (
        lambda: rw.evaluate({"a": Odd((80,))}, X, Y, cv=FOLDS), InputError, r"shape \(80,\)"
    ),
    "one group": (
        lambda: rw.evaluate(MODELS, X, Y, groups=np.zeros(len(Y))), InputError,
        "cv does not split these rows: .*number of groups: 1",
    ),
    "many folds": (lambda: rw.evaluate(MODELS, X, Y, cv=999), InputError, "cv does not split"),
    "rows that do not exist": (
        lambda: rw.evaluate(MODELS, X, Y, cv=[(a, b + 999) for a, b in FOLDS]), InputError,
        "cv names rows that do not exist",
    ),
    "no folds": (lambda: rw.evaluate(MODELS, X, Y, cv=[1, 2]), InputError, "cv does not split"),
    "prefit": (lambda: rw.evaluate(MODELS, X, Y, cv="prefit"), OptionError, "cv='prefit' gives no"),
    "a share": (lambda: rw.evaluate(MODELS, X, Y, cv=0.2), OptionError, "cv=0.2 gives no folds"),
    "one fold": (lambda: rw.evaluate(MODELS, X, Y, cv=FOLDS[:1]), InputError, "cv gives one fold"),
    "seen rows": (
        lambda: rw.evaluate(MODELS, X, Y, cv=[(np.append(a, b[0]), b) for a, b in FOLDS]),
        InputError, "cv tests 1 rows in fold 0 that it was fitted to, the first row 0",
    ),
    "no dict": (lambda: rw.evaluate([MODELS["tree"]], X, Y), OptionError, "models is not a dict"),
    "no y": (lambda: rw.evaluate(MODELS, X), InputError, "need rows and labels"),
    "one class": (lambda: rw.evaluate(MODELS, X, np.ones(len(Y))), InputError, "two classes"),
    "three": (lambda: rw.evaluate(MODELS, X, np.arange(len(Y)) % 3), InputError, "two classes"),
    "label": (lambda: rw.evaluate(MODELS, X, Y, pos_label=7), OptionError, "pos_label=7 is not"),
    "missing": (
        lambda: rw.evaluate(MODELS, X, np.where(Y, np.nan, 0.0)), InputError, "y.* is missing"
    ),
    "a number": (lambda: rw.evaluate({"a": 3}, X, Y), InputError, "int has no predict_proba"),
    "regressor": (lambda: rw.evaluate({"a": LinearRegression()}, X, Y), InputError, "has no pred"),
    "short weights": (
        lambda: rw.evaluate(MODELS, X, Y, sample_weight=[1.0]), InputError, "sample_weight has 1"
    ),
    "short groups": (lambda: rw.evaluate(MODELS, X, Y, groups=[1]), InputError, "groups has 1"),
    "cv": (lambda: rw.evaluate(MODELS, X, Y, cv=1), OptionError, "cv=1 is not a number of folds"),
    "repeats": (lambda: rw.evaluate(MODELS, X, Y, repeats=0), OptionError, "repeats=0 is smaller than 1"),
    "level": (lambda: rw.evaluate(MODELS, X, Y, confidence_level=2), OptionError, "level=2"),
    "rope": (lambda: rw.evaluate(MODELS, X, Y, rope=-1), OptionError, "rope=-1"),
    "statistic": (
        lambda: rw.evaluate(MODELS, X, Y, statistics=["auk"]), OptionError, "did you mean 'auc'"
    ),
    "twice": (
        lambda: rw.evaluate(MODELS, X, Y, statistics=["auc", "auc"]), OptionError, "named twice"
    ),
    "none": (lambda: rw.evaluate(MODELS, X, Y, statistics=[]), OptionError, "No statistic"),
    "of a table": (lambda: rw.evaluate(MODELS, X, Y, label="y"), OptionError, "label is an option"),
    "of estimators": (
        lambda: rw.evaluate({"y": Y}, label="y", score="s", groups=Y), OptionError, "groups is an"
    ),
    "cv of a table": (
        lambda: rw.evaluate({"y": Y, "s": X[:, 0]}, label="y", score="s", cv=10), OptionError,
        "cv is an option of estimators",
    ),
    "repeats of a table": (
        lambda: rw.evaluate({"y": Y, "s": X[:, 0]}, label="y", score="s", repeats=1), OptionError,
        "repeats is an option of estimators",
    ),
    "a method of a table": (
        lambda: rw.evaluate({"y": Y}, label="y", score="s", response_method="auto"), OptionError,
        "response_method is an option of estimators",
    ),
    "rows to drop": (
        lambda: rw.evaluate(MODELS, X, Y, invalid="drop"), OptionError,
        "invalid is an option of a table of scores",
    ),
    "no label": (lambda: rw.evaluate({"y": Y, "s": X[:, 0]}, score="s"), OptionError, "label"),
    "NaN": (lambda: rw.evaluate({"a": Broken()}, X, Y), RocwalkError, "'a'"),
    "method": (
        lambda: rw.evaluate({"a": MODELS["margin"]}, X, Y, response_method="predict_proba"),
        InputError, "LinearSVC has no predict_proba",
    ),
    "progress": (lambda: rw.evaluate(MODELS, X, Y, progress=3), OptionError, "progress=3"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_calls(name):
    call, kind, words = BAD[name]
    with pytest.raises(kind, match=words):
        call()


def test_without_scikit_learn_it_says_what_to_install():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import rocwalk as rw\n"
        "rw.evaluate({'y': [1, 0, 1, 0], 's': [3, 1, 4, 1]}, label='y', score='s', n_resamples=0)\n"
        "try:\n    rw.evaluate({'a': 1}, [[1]], [1])\n"
        "except rw.errors.MissingLibraryError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 'pip install "rocwalk[sklearn]"' in done.stdout


# -- tables of scores ------------------------------------------------------------------------------


def test_a_table_is_the_twin_of_the_command(run):
    import json

    found = rw.evaluate(EXAMPLE, label="malignant", score=["logistic", "forest"], n_resamples=0)
    frame = found.to_frame("pandas")
    _, out, _ = run(
        "score", EXAMPLE, "--label", "malignant", "--score", "logistic", "--score", "forest",
        "--format", "json",
    )  # fmt: skip
    for k, row in enumerate(json.loads(out)["models"]):
        for name in SUMMARY:
            if row[name] is not None:
                assert frame[name][k] == pytest.approx(row[name]), name
            if row.get(f"{name}_low") is not None:
                assert frame[f"{name}_low"][k] == pytest.approx(row[f"{name}_low"]), name
                assert frame[f"{name}_high"][k] == pytest.approx(row[f"{name}_high"]), name
        assert frame["threshold"][k] == row["threshold"]
    assert isinstance(found.comparison, rw.Comparison)
    assert math.isnan(frame["h_measure_low"][0])  # resampled, which was not asked for


def test_every_number_of_a_table_has_an_interval():
    found = rw.evaluate(EXAMPLE, label="malignant", score="logistic", n_resamples=100, rng=0)
    row = found.to_frame("pandas").iloc[0]
    for name in SUMMARY:
        if name != "expected_auc":  # of soft truth
            assert row[f"{name}_low"] < row[f"{name}_high"], name
    one = rw.interval(*columns("logistic"), statistic="ks", n_resamples=100, rng=0)
    assert row["ks_low"] == pytest.approx(one.low)


def columns(name):
    import pandas as pd

    data = pd.read_csv(EXAMPLE)
    return data["malignant"].to_numpy(), data[name].to_numpy()


def test_a_table_with_folds_is_cross_validated():
    found = rw.evaluate(EXAMPLE, label="malignant", score=["logistic", "forest"], fold="fold")
    import pandas as pd

    data = pd.read_csv(EXAMPLE)
    again = rw.cross_validation(
        data["malignant"], {name: data[name] for name in ("logistic", "forest")}, data["fold"]
    )
    assert found.comparison.to_dict() == again.to_dict()
    assert found.numbers["logistic"]["auc"].low == again.models[0].low


def test_soft_truth_weights_and_clusters_of_a_table():
    rng = np.random.default_rng(0)
    y = rng.random(80).round(1)
    data = {
        "y": y,
        "s": (y + rng.random(80)) / 2,
        "w": rng.random(80) + 0.5,
        "c": np.arange(80) // 4,
    }
    soft = rw.evaluate(data, label="y", score="s", weight="w", statistics=["auc", "brier"], rng=0)
    one = rw.interval(y, data["s"], sample_weight=data["w"], truth="soft")
    assert soft.numbers["s"]["auc"].low == pytest.approx(one.low)
    assert not math.isnan(soft.numbers["s"]["brier"].low)
    apart = rw.evaluate(data, label="y", score="s", cluster="c", statistics=["auc"], n_resamples=0)
    assert apart.numbers["s"]["auc"].method.startswith("jackknife")


def test_one_class_has_numbers_without_intervals():
    found = rw.evaluate({"y": [1, 0, 0, 0], "s": [0.9, 0.1, 0.3, 0.5]}, label="y", score="s")
    one = found.numbers["s"]["auc"]
    assert one.estimate == 1.0
    assert math.isnan(one.low)
    assert found.sentence == "s: AUC 1.000."


def test_a_report_has_its_numbers():
    found = rw.report(EXAMPLE, label="malignant", score=["logistic", "forest"])
    frame = found.to_frame("pandas")
    assert list(frame["model"]) == ["logistic", "forest"]
    assert frame["auc"][0] == rw.roc(*columns("logistic")).area
    assert (frame["auc_low"] < frame["auc"]).all()
    classes = rw.report(
        {
            "y": [0, 1, 2, 1, 0, 2],
            "a": [0.5, 0.1, 0.2, 0.1, 0.4, 0.1],
            "b": [0.1, 0.5, 0.1, 0.3, 0.2, 0.1],
            "c": [0.0, 0.1, 0.3, 0.1, 0.1, 0.4],
        },
        label="y",
        class_scores={0: "a", 1: "b", 2: "c"},
    )
    assert len(classes.to_frame()) == 3


def test_items_that_the_slope_leaves_out_are_counted():
    rng = np.random.default_rng(0)
    p = rng.random(80)
    y = (rng.random(80) < p).astype(int)
    sure = np.where(np.arange(80) < 4, y, p)
    words = "b: The calibration slope leaves out 4 items with a score of exactly 0 or 1"
    found = rw.evaluate({"y": y, "a": p, "b": sure}, label="y", score=["a", "b"], n_resamples=0)
    assert any(words in one for one in found.sentences)
    assert not any(one.startswith("a: the calibration slope") for one in found.sentences)
    other = rw.evaluate({"y": y, "b": sure}, label="y", score="b", statistics=["auc"])
    assert not any("calibration slope" in one for one in other.sentences)


def test_items_that_the_slope_leaves_out_are_counted_once_for_all_repeats():
    asked = {"statistics": ["calibration_slope"], "rng": 0}
    sure = {"tree": MODELS["tree"]}
    found = rw.evaluate(sure, X, Y, repeats=2, **asked)
    hard = np.isin(found.scores["tree"][0], (0, 1)).sum()
    assert f"leaves out {hard} items" in found.sentence
    assert hard <= len(Y)


def test_clusters_of_folds_are_those_of_cross_validation():
    rng = np.random.default_rng(5)
    patient = np.repeat(np.arange(30), 6)
    y = rng.integers(0, 2, len(patient))
    data = {
        "y": y,
        "a": y + rng.normal(size=30)[patient] + rng.normal(size=len(y)),
        "b": y + rng.normal(size=len(y)),
        "f": patient % 3,
        "p": [f"patient {k}" for k in patient],
    }
    found = rw.evaluate(
        data, label="y", score=["a", "b"], fold="f", cluster="p", statistics=["auc"]
    )
    scores = {name: data[name] for name in "ab"}
    again = rw.cross_validation(y, scores, data["f"], cluster=data["p"])
    one = found.numbers["a"]["auc"]
    assert (one.low, one.high) == (again.models[0].low, again.models[0].high)
    assert one.method == "jackknife"
    assert found.comparison.to_dict() == again.to_dict()


@pytest.mark.parametrize("repeats", [1, 2])
def test_groups_are_clusters_of_the_intervals(repeats):
    """Three copies of each row in a group: the interval has the width of the rows themselves."""
    X3, Y3, groups = np.repeat(X, 3, axis=0), np.repeat(Y, 3), np.repeat(np.arange(len(Y)), 3)
    model = {"tree": MODELS["tree"]}
    asked = {"statistics": ["auc", "prevalence"], "repeats": repeats, "rng": 0}
    found = rw.evaluate(model, X3, Y3, groups=groups, **asked)
    naive = rw.evaluate(
        model, X3, Y3, cv=[(a, b) for a, b in GroupKFold(5).split(X3, Y3, groups)],
        statistics=["auc"],
    )  # fmt: skip
    one, other = found.numbers["tree"]["auc"], naive.numbers["tree"]["auc"]
    assert one.method == "jackknife"
    assert one.high - one.low > 1.4 * (other.high - other.low)
    assert found.report().to_frame("pandas")["auc_low"][0] > 0


@pytest.mark.parametrize(
    "options",
    [
        {"metric": "f1"},
        {"metric": "fbeta", "beta": 0.5},
        {"min_precision": 0.8},
        {"min_tpr": 0.9},
        {"min_specificity": 0.9, "metric": "mcc"},
        {"metric": "accuracy", "prevalence": 0.1},
    ],
)
def test_every_rule_of_the_command_line_chooses_the_threshold(options):
    found = rw.evaluate(EXAMPLE, label="malignant", score="forest", statistics=["auc"], **options)
    best = rw.roc(*columns("forest")).best(**options)
    row = found.to_frame("pandas").iloc[0]
    assert (row["threshold"], row["tpr"], row["fpr"]) == (best.threshold, best.tpr, best.fpr)


def test_numbers_at_a_point_of_the_curve():
    asked = [
        "sensitivity@fpr=0.1",
        "sensitivity@threshold=0.5",
        "expected_cost@costs=1:5,threshold=0.5",
    ]
    found = rw.evaluate(EXAMPLE, label="malignant", score=["logistic", "forest"], statistics=asked)
    assert found.statistics == tuple(asked)
    y, s = columns("forest")
    one = rw.interval(y, s, statistic="sensitivity", fpr=0.1)
    assert (found.numbers["forest"][asked[0]].low, found.numbers["forest"][asked[0]].high) == (
        one.low,
        one.high,
    )
    row = found.to_frame("pandas").iloc[1]
    assert row["sensitivity@threshold=0.5"] == rw.roc(y, s).at(0.5).tpr
    costs = rw.Costs(false_positive=1, false_negative=5)
    assert (
        row[asked[2]]
        == rw.interval(y, s, statistic="expected_cost", costs=costs, threshold=0.5).estimate
    )
    assert "sensitivity@fpr=0.1 0." in found.sentence
    again = rw.compare(
        y, {name: columns(name)[1] for name in ("logistic", "forest")},
        statistic="sensitivity", fpr=0.1,
    )  # fmt: skip
    pair = found.compare("sensitivity@fpr=0.1").pairs[0]
    assert pair.difference == pytest.approx(again.pairs[0].difference)
    folds = rw.evaluate(
        EXAMPLE, label="malignant", score="forest", fold="fold", statistics=asked[:1]
    )
    assert 0 < folds.numbers["forest"][asked[0]].low < 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"statistics": ["sensitivity@fpr"]}, "is not NAME@KEY=VALUE"),
        ({"statistics": ["expected_cost@costs=1,threshold=0.5"]}, "is not NAME@KEY=VALUE"),
        ({"cv": 10}, "cv is an option of estimators"),
        ({"repeats": 3}, "repeats is an option of estimators"),
        ({"response_method": "predict_proba"}, "response_method is an option of estimators"),
    ],
)
def test_options_that_say_nothing_of_a_table_are_refused(options, words):
    with pytest.raises(OptionError, match=words):
        rw.evaluate(EXAMPLE, label="malignant", score="forest", **options).numbers  # noqa: B018


def test_rows_of_estimators_are_not_dropped():
    with pytest.raises(OptionError, match="invalid is an option of a table"):
        rw.evaluate(MODELS, X, Y, invalid="drop")
