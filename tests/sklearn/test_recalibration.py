"""Recalibration maps, the recalibrated classifier, and maps compared by cross-fitting."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocwalk as rw
from rocwalk.curves.recalibration_maps import MAPS, recalibration_map
from rocwalk.errors import InputError, OptionError
from rocwalk.sklearn import RecalibratedClassifier, compare_recalibrations

X, LABELS = make_classification(400, flip_y=0.2, n_redundant=8, random_state=0)
AT = np.array([0.02, 0.2, 0.5, 0.8, 0.98])


def sample(n=500, seed=7):
    """The sample of tests/peers/make_calibration.py."""
    rng = np.random.default_rng(seed)
    z = rng.normal(-0.5, 1.3, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-z))).astype(int)
    return y, np.round(1 / (1 + np.exp(-1.6 * z - 0.3)), 5)


Y, P = sample()
# versions and calls: tests/peers/make_calibration.py
PEERS = {
    "platt": [0.06462407600500167, 0.263377801729867, 0.47030056595613284, 0.6879623232319673,
              0.9194195124399831],
    "beta": [0.045219348642324415, 0.26761191108149035, 0.49427994777649825, 0.6852755189280823,
             0.8766281858840167],
}  # fmt: skip


@pytest.mark.parametrize("method", PEERS)
def test_maps_are_those_of_scikit_learn_and_betacal(method):
    assert recalibration_map(rw.tally(Y, P), method)(AT) == pytest.approx(PEERS[method], abs=1e-4)


def test_the_temperature_is_a_slope_through_zero():
    found = recalibration_map(rw.tally(Y, P), "temperature")
    assert found.parameters == pytest.approx((0.6850516510661014,), rel=1e-5)
    assert found(np.array([0.5])) == pytest.approx(0.5)


def test_the_isotonic_map_is_that_of_scikit_learn():
    theirs = IsotonicRegression(out_of_bounds="clip").fit(P, Y)
    found = recalibration_map(rw.tally(Y, P), "isotonic")
    assert found(AT) == pytest.approx(theirs.predict(AT))


def test_a_beta_map_never_falls():
    """The score of the wrong order: both parameters would be negative, so the map is flat."""
    found = recalibration_map(rw.tally(1 - Y, P), "beta")
    assert found(AT) == pytest.approx(np.full(5, 1 - Y.mean()))
    one_end = recalibration_map(rw.tally(Y, P**3), "beta")
    assert (np.diff(one_end(AT)) >= 0).all()


@pytest.mark.parametrize("method", ["beta", "temperature"])
def test_a_map_that_does_not_exist(method):
    apart = rw.tally([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    with pytest.raises(InputError, match=f"map '{method}' does not exist"):
        recalibration_map(apart, method)
    assert np.isfinite(recalibration_map(apart, "platt").parameters).all()


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
@parametrize_with_checks([RecalibratedClassifier(LogisticRegression(), method="platt", cv=3)])
def test_it_is_an_estimator_of_scikit_learn(estimator, check):
    check(estimator)


def test_platt_on_decision_values_is_scikit_learns():
    folds = StratifiedKFold(3)
    ours = RecalibratedClassifier(LinearSVC(), method="platt", cv=folds).fit(X, LABELS)
    theirs = CalibratedClassifierCV(LinearSVC(), method="sigmoid", cv=folds, ensemble=False)
    theirs = theirs.fit(X, LABELS).predict_proba(X)
    assert ours.predict_proba(X) == pytest.approx(theirs, abs=1e-4)
    assert not hasattr(ours, "decision_function")


@pytest.mark.parametrize("method", MAPS)
def test_recalibrated_probabilities_are_better_calibrated(method):
    raw = cross_val_predict(GaussianNB(), X, LABELS, cv=5, method="predict_proba")[:, 1]
    model = RecalibratedClassifier(GaussianNB(), method=method, cv=5)
    better = cross_val_predict(model, X, LABELS, cv=5, method="predict_proba")[:, 1]
    assert rw.calibration(LABELS, better).ici < rw.calibration(LABELS, raw).ici


def test_a_calibration_set_and_a_positive_label():
    fitted = GaussianNB().fit(X[:200], np.where(LABELS[:200], "ill", "well"))
    named = np.where(LABELS[200:], "ill", "well")
    model = RecalibratedClassifier(fitted, method="beta", cv="prefit", pos_label="ill")
    model.fit(X[200:], named)
    assert model.estimator_ is fitted
    chances = model.predict_proba(X[200:])
    assert model.classes_.tolist() == ["ill", "well"]
    assert chances[named == "ill", 0].mean() > chances[named == "well", 0].mean()
    assert set(model.predict(X[200:])) == {"ill", "well"}
    with pytest.raises(OptionError, match="method='sigmoid' is not"):
        RecalibratedClassifier(fitted, method="sigmoid", cv="prefit").fit(X, LABELS)


def test_maps_are_judged_on_rows_they_have_not_seen():
    """The isotonic map of noise is flattered by the rows it was fitted to, not by others."""
    rng = np.random.default_rng(0)
    p = rng.random(300)
    y = (rng.random(300) < p).astype(int)
    found = compare_recalibrations(y, p)
    own = recalibration_map(rw.tally(y, p), "isotonic")(p)
    assert np.mean((own - y) ** 2) < np.mean((p - y) ** 2)
    assert float(found.calibrations["isotonic"].brier) > np.mean((p - y) ** 2)
    assert found.best in ("none", "platt", "temperature", "beta")


def test_a_comparison_of_maps():
    found = compare_recalibrations(Y, P, methods=("platt", "isotonic"), cv=4)
    assert found.folds == 4
    assert list(found.probabilities) == ["none", "platt", "isotonic"]
    assert not np.isnan(found.probabilities["platt"]).any()
    assert found.best in ("platt", "isotonic")
    assert found.sentence.startswith(f"{found.best} has the lowest Brier score on rows")
    assert found.to_dict()["method"] == ["none", "platt", "isotonic"]
    assert found.maps["platt"](AT) == pytest.approx(PEERS["platt"], abs=2e-5)
    pair = found.comparison.pairs[0]
    assert (pair.a, pair.b) == ("none", "platt")
    assert pair.difference > 0
    with pytest.raises(OptionError, match="methods='sigmoid' is not"):
        compare_recalibrations(Y, P, methods=("sigmoid",))


def test_rows_of_a_cluster_are_in_one_fold():
    """Copies of one row tell nothing new; an isotonic map that has seen them is flattered."""
    rng = np.random.default_rng(2)
    scores, units = np.repeat(rng.random(80), 5), np.repeat(np.arange(80), 5)
    labels = np.repeat(rng.integers(0, 2, 80), 5)  # noise: no map of the scores can tell
    leaky = compare_recalibrations(labels, scores, methods=("isotonic",))
    found = compare_recalibrations(labels, scores, methods=("isotonic",), cluster=units)
    losses = [float(one.calibrations["isotonic"].brier) for one in (leaky, found)]
    assert losses[0] < 0.25 < losses[1] - 0.005
    alone = rw.interval(labels, scores, statistic="brier", cluster=units, rng=0, n_resamples=500)
    mine = found.calibrations["none"].interval("brier")
    assert mine.high - mine.low == pytest.approx(alone.high - alone.low, rel=0.15)
    items = leaky.calibrations["none"].interval("brier")
    assert mine.high - mine.low > 1.5 * (items.high - items.low)
    pair = rw.compare(labels, found.probabilities, statistic="brier", cluster=units, rng=0).pairs[0]
    assert (found.comparison.pairs[0].low, found.comparison.pairs[0].high) == (pair.low, pair.high)
    soft = compare_recalibrations(0.8 * labels + 0.1, scores, cluster=units, cv=4)
    assert (soft.folds, soft.truth) == (4, "soft")
    by_hand = GroupKFold(4)
    assert compare_recalibrations(labels, scores, cv=by_hand, cluster=units).folds == 4
    listed = list(by_hand.split(scores, groups=units))
    again = compare_recalibrations(labels, scores, cv=listed, cluster=units)
    for train, test in listed:
        own = recalibration_map(rw.tally(labels[train], scores[train]), "isotonic")
        assert again.probabilities["isotonic"][test] == pytest.approx(own(scores[test]), abs=1e-12)


@pytest.mark.parametrize(
    ("cv", "cluster", "words"),
    [
        (KFold(4, shuffle=True, random_state=0), True, "cv splits a cluster over both sides"),
        (ShuffleSplit(3, random_state=0), False, "cv does not test every row once"),
        (RepeatedKFold(n_splits=4, n_repeats=2), False, "cv does not test every row once"),
        ([(np.arange(300), np.arange(300, 400))], False, "cv does not test every row once"),
        ("prefit", False, "cv does not test every row once"),
        (GroupKFold(4), False, "cv does not split these rows: The 'groups' parameter"),
        (1, False, "cv=1 is smaller than 2"),
        (81, True, "cv does not split these rows"),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:The groups parameter is ignored")
def test_folds_that_do_not_judge_every_row_once(cv, cluster, words):
    units = np.arange(400) // 5 if cluster else None
    with pytest.raises((InputError, OptionError), match=words):
        compare_recalibrations(Y[:400], P[:400], cv=cv, cluster=units)


@pytest.mark.parametrize("method", MAPS)
def test_copies_and_pickles(method):
    model = RecalibratedClassifier(GaussianNB(), method=method, cv=3).fit(X, LABELS)
    again = pickle.loads(pickle.dumps(model))
    assert again.predict_proba(X) == pytest.approx(model.predict_proba(X), abs=0)
    fresh = clone(model)
    assert fresh.get_params()["method"] == method
    assert not hasattr(fresh, "map_")


def test_soft_truth_and_weights():
    soft = np.clip(0.8 * Y + 0.1, 0, 1)
    found = compare_recalibrations(soft, P, sample_weight=np.linspace(1, 2, len(Y)))
    assert found.truth == "soft"
    assert float(found.calibrations["beta"].brier) < float(found.calibrations["none"].brier)
