"""Scores out of fold: what is fitted to which rows, with which weights, and what is refused."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

import rocwalk as rw
from evaluate.models import FOLDS, MODELS, X, Y
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    OneClassError,
    OptionError,
    WeightError,
)
from samples import NO_ADVICE

pytestmark = NO_ADVICE


@pytest.fixture(scope="module", autouse=True)
def _one_thread():
    with threadpool_limits(1):
        yield


def test_scores_are_those_of_cross_val_predict():
    found = rw.evaluate(MODELS, X, Y)
    for name, method in (("logistic", "predict_proba"), ("margin", "decision_function")):
        theirs = cross_val_predict(MODELS[name], X, Y, cv=5, method=method)
        theirs = theirs[:, 1] if method == "predict_proba" else theirs
        np.testing.assert_allclose(found.scores[name], theirs)
        assert not found.scores[name].flags.writeable


def test_groups_stay_together():
    groups = np.arange(len(Y)) // 4
    seen = []

    class Spy(LogisticRegression):
        def fit(self, X, y, **options):
            seen.append(set(X[:, -1].astype(int)))
            return super().fit(X, y, **options)

    marked = np.column_stack([X, groups])
    rw.evaluate({"spy": Spy(max_iter=2000)}, marked, Y, groups=groups, statistics=["auc"])
    for rows in seen:
        assert sum(groups == g for g in rows).sum() == 4 * len(rows)
    given = rw.evaluate({"a": MODELS["tree"]}, X, Y, groups=groups, cv=GroupKFold(3))
    assert given.comparison is None
    assert len(given.curves) == 1


def test_weights_go_to_fit_and_to_the_numbers():
    w = np.random.default_rng(0).integers(1, 5, len(Y)).astype(float)
    found = rw.evaluate(MODELS, X, Y, sample_weight=w, statistics=["auc", "log_loss"])
    for name in ("logistic", "tree"):
        areas, losses = [], []
        for train, test in StratifiedKFold(5).split(X, Y):
            step = "logisticregression__sample_weight" if name == "logistic" else "sample_weight"
            p = (
                MODELS[name]
                .fit(X[train], Y[train], **{step: w[train]})
                .predict_proba(X[test])[:, 1]
            )
            areas.append(roc_auc_score(Y[test], p, sample_weight=w[test]))
            losses.append(log_loss(Y[test], p, sample_weight=w[test]) if name == "logistic" else 0)
        assert found.numbers[name]["auc"].estimate == pytest.approx(np.mean(areas))
        if name == "logistic":
            assert found.numbers[name]["log_loss"].estimate == pytest.approx(np.mean(losses))
    with pytest.raises(InputError, match="'near' takes no weights: fit of KNeighborsClassifier"):
        rw.evaluate({"near": KNeighborsClassifier()}, X, Y, sample_weight=w)


def test_progress_and_jobs():
    calls = []
    one = rw.evaluate({"a": MODELS["logistic"]}, X, Y, cv=3, progress=lambda *c: calls.append(c))
    assert calls == [(1, 3), (2, 3), (3, 3)]
    two = rw.evaluate({"a": MODELS["logistic"]}, X, Y, cv=3, n_jobs=2)
    np.testing.assert_allclose(one.scores["a"], two.scores["a"])


def test_estimators_are_copied_and_labels_may_be_words():
    model = LogisticRegression()
    words = np.array(["healthy", "ill"])[Y]
    named = rw.evaluate({"a": model}, X, words, statistics="auc")
    assert not hasattr(model, "coef_")
    plain = rw.evaluate({"a": model}, X, Y, statistics="auc")
    assert named.to_json() == plain.to_json()
    other = rw.evaluate({"a": model}, X, words, pos_label="healthy", statistics="auc")
    assert other.numbers["a"]["auc"].estimate == pytest.approx(plain.numbers["a"]["auc"].estimate)
    assert other.to_frame("pandas")["positives"][0] == (Y == 0).sum()


def test_names_of_models_may_be_those_of_columns():
    models = {"label": MODELS["logistic"], "fold": MODELS["tree"]}
    assert rw.evaluate(models, X, Y, statistics="auc").names == ("label", "fold")


def test_folds_that_do_not_fit_are_refused():
    model = {"a": MODELS["logistic"]}
    with pytest.raises(InputError, match="do not test every row as often"):
        rw.evaluate(model, X, Y, cv=ShuffleSplit(5, random_state=0))
    with pytest.raises(OptionError, match="repeats=2 goes with a number of folds"):
        rw.evaluate(model, X, Y, cv=StratifiedKFold(3), repeats=2)
    with pytest.warns(DroppedRowsWarning, match="because no fold tests them"):
        rw.evaluate(model, X, Y, cv=TimeSeriesSplit(3), statistics="auc")
    few = np.zeros(len(Y), dtype=int)
    few[:2] = 1
    folds = [(np.arange(60, 240), np.arange(60)), (np.arange(60), np.arange(60, 240))]
    with pytest.raises((OneClassError, InputError, ValueError)):
        rw.evaluate(model, X, few, cv=folds).to_frame()


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_estimator_that_fails_is_named(n_jobs):
    """The error is its own; a note says which one failed, and in which fold."""
    models = {"good": LogisticRegression(), "a": LogisticRegression(C=-1)}
    with pytest.raises(ValueError, match="'C' parameter") as caught:
        rw.evaluate(models, X, Y, cv=FOLDS, n_jobs=n_jobs)
    notes = [  # of several workers any may be the first to fail
        f"In fold {k}, whose first row is {test[0]}, of 'a' (LogisticRegression)."
        for k, (_, test) in enumerate(FOLDS)
    ]
    (note,) = caught.value.__notes__
    assert note in (notes[:1] if n_jobs is None else notes)


UNSENDABLE = """
import numpy as np
from sklearn.linear_model import LogisticRegression
import rocwalk as rw


class Unsendable(Exception):  # it cannot be unpickled, as those of several libraries
    def __init__(self, code, words):
        super().__init__(f"{words} ({code})")


class Late(LogisticRegression):
    def fit(self, X, y):
        if X[0, 0] == 0:  # in all folds but the first, which tests that row
            raise Unsendable(7, "the solver gave up")
        return super().fit(X, y)


X, y = np.arange(12.0)[:, None], np.arange(12) % 2
for n_jobs in (None, 2):
    try:
        rw.evaluate({"late": Late()}, X, y, cv=2, n_jobs=n_jobs)
    except Exception as error:
        print(type(error).__name__, error, *error.__notes__, sep="|")
"""


def test_an_error_that_cannot_be_sent_from_a_worker_is_told_in_words():
    done = subprocess.run(
        [sys.executable, "-c", UNSENDABLE], capture_output=True, text=True, check=True
    )
    note = "In fold 1, whose first row is 6, of 'late' (Late)."
    assert done.stdout.splitlines() == [
        f"Unsendable|the solver gave up (7)|{note}",
        f"RuntimeError|Unsendable: the solver gave up (7)|{note}",
    ]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-1.0, "^sample_weight at row 7 is -1"),
        (np.nan, "^sample_weight at row 7 is nan"),
        (np.inf, "^sample_weight at row 7 is inf"),
        ("much", "^sample_weight at row 7 is 'much'"),
    ],
)
def test_a_bad_weight_is_named_as_it_was_given(value, words):
    weights = [1.0] * len(Y)
    weights[7] = value
    with pytest.raises(WeightError, match=words):
        rw.evaluate(MODELS, X, Y, sample_weight=weights)


def test_weights_that_are_all_zero_are_refused_before_a_fit():
    with pytest.raises(WeightError, match="^sample_weight is zero in all rows"):
        rw.evaluate(MODELS, X, Y, sample_weight=np.zeros(len(Y)))


def test_folds_may_be_masks():
    masks = [tuple(np.isin(np.arange(len(Y)), part) for part in both) for both in FOLDS]
    one, other = (rw.evaluate({"a": MODELS["logistic"]}, X, Y, cv=cv) for cv in (FOLDS, masks))
    assert np.array_equal(one.scores["a"], other.scores["a"])
