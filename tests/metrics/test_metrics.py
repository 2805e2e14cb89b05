"""`rocwalk.metrics` against scikit-learn and against slow references."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from decimal import Decimal
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.exceptions
import sklearn.metrics as peer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import rocwalk as rw
from reference import auc_by_pairs
from rocwalk.errors import (
    AbsentClassWarning,
    DroppedRowsWarning,
    HardScoresWarning,
    InputError,
    LabelError,
    OptionError,
    RocwalkError,
    ScoreError,
    UndefinedMetricWarning,
    WeightError,
)
from rocwalk.metrics import (
    hand_till_auc_score,
    provost_domingos_auc_score,
    roc_auc_score,
    roc_curve,
)

AVERAGES = ["micro", "macro", "weighted", "samples", None]
ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."
close = {"rtol": 0, "atol": 1e-12}
# in scikit-learn 1.7 thresholds have the type of the scores, later and here float64
KEEPS_TYPE = peer.roc_curve([0, 1], np.array([0, 1], np.float32))[2].dtype == np.float32


def scores_of_a_kind(rng, shape, kind):
    return {
        "distinct": lambda: rng.random(shape),
        "tied": lambda: rng.integers(0, 6, shape) / 5,
        "signed": lambda: rng.normal(size=shape),
        "integers": lambda: rng.integers(-3, 4, shape),
        "single": lambda: rng.random(shape).astype(np.float32),
        "huge": lambda: rng.normal(size=shape) * 1e300,
        "constant": lambda: np.full(shape, 0.5),
    }[kind]()


every_kind = pytest.mark.parametrize(
    "kind", ["distinct", "tied", "signed", "integers", "single", "huge", "constant"]
)


def both_classes(rng, n):
    return rng.permutation(np.append([0, 1], rng.integers(0, 2, n - 2)))


def probabilities(rng, n, k):
    table = rng.integers(1, 8, (n, k)).astype(float)
    return table / table.sum(axis=1, keepdims=True)


# -- one column, against scikit-learn ------------------------------------------------------------


@every_kind
@pytest.mark.parametrize("n", [2, 7, 100, 1000])
@pytest.mark.parametrize("max_fpr", [None, 1, 0.05, 0.37, 0.9])
def test_area_equals_scikit_learns(rng, kind, n, max_fpr):
    y, s, w = both_classes(rng, n), scores_of_a_kind(rng, n, kind), rng.random(n) + 0.1
    for weights in (None, w):
        options = {"max_fpr": max_fpr, "sample_weight": weights}
        expected = peer.roc_auc_score(y, s, **options)
        np.testing.assert_allclose(roc_auc_score(y, s, **options), expected, **close)


@every_kind
@pytest.mark.parametrize("n", [2, 3, 7, 100, 1000])
@pytest.mark.parametrize("drop_intermediate", [True, False])
def test_points_have_the_very_bits_of_scikit_learns(rng, kind, n, drop_intermediate):
    y, s = both_classes(rng, n), scores_of_a_kind(rng, n, kind)
    got = roc_curve(y, s, drop_intermediate=drop_intermediate)
    expected = peer.roc_curve(y, s, drop_intermediate=drop_intermediate)
    for ours, theirs in zip(got, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)
        assert ours.dtype == np.float64
        assert ours.flags.writeable  # some users change the first threshold
    assert expected[2].dtype == (s.dtype if KEEPS_TYPE and s.dtype.kind == "f" else np.float64)


@every_kind
def test_weighted_points_equal_scikit_learns(rng, kind):
    y, s, w = both_classes(rng, 60), scores_of_a_kind(rng, 60, kind), rng.integers(0, 4, 60) / 2
    got = roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    expected = peer.roc_curve(y, s, sample_weight=w, drop_intermediate=False)
    for ours, theirs in zip(got, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, **close)


def test_equal_weights_drop_the_same_points_as_none(rng):
    y, s = both_classes(rng, 40), rng.random(40)
    got, expected = roc_curve(y, s, sample_weight=np.full(40, 0.2)), roc_curve(y, s)
    for ours, theirs in zip(got, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, **close)


LABELS = [
    [0, 1], [False, True], [-1, 1], [0.0, 1.0], [-1.0, 1.0], [1, 2], [0, 2], [-1, 0], [2.0, 5.0],
    ["a", "b"], ["no", "yes"],
]  # fmt: skip


@pytest.mark.parametrize("pair", LABELS, ids=str)
@pytest.mark.parametrize("container", [list, np.array, pd.Series, pl.Series, pa.array])
def test_of_any_two_labels_the_greater_is_positive(rng, pair, container):
    codes, s = both_classes(rng, 30), rng.integers(0, 6, 30) / 7
    y = [pair[code] for code in codes]
    assert roc_auc_score(container(y), container(s.tolist())) == roc_auc_score(codes, s)
    assert roc_auc_score(container(y), s, pos_label=pair[0]) == 1 - roc_auc_score(codes, s)
    for name in pair:
        for ours, theirs in zip(
            roc_curve(container(y), s, pos_label=name),
            peer.roc_curve(y, s, pos_label=name),
            strict=True,
        ):
            np.testing.assert_array_equal(ours, theirs)


def test_objects_and_columns_of_one_column_are_read_like_plain_ones():
    y, s = np.array([0, 1, 1, 0], dtype=object), np.array([0.1, 0.9, 0.3, 0.4])
    assert roc_auc_score(y, s) == 0.75
    assert roc_auc_score(y[:, None].astype(int), s[:, None]) == 0.75
    assert roc_auc_score([["a"], ["b"], ["b"], ["a"]], s) == 0.75
    assert roc_curve(y[:, None].astype(int), s[:, None])[0].tolist() == [0, 0, 0.5, 0.5, 1]


def test_pos_label_against_all_others(rng):
    y, s = rng.integers(0, 3, 50), rng.random(50)
    for name in range(3):
        expected = peer.roc_auc_score(y == name, s)
        assert roc_auc_score(y, s, pos_label=name) == pytest.approx(expected, abs=1e-12)


# -- corners of the drop-ins: answered or refused as scikit-learn does -----------------------------

BEYOND = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**53 + 3])  # float64 holds two of the four
DECIMALS = [Decimal("0.1"), Decimal("0.9"), Decimal("0.4"), Decimal("0.35")]
CLOSE = [Decimal("0.1"), Decimal("0.1") + Decimal("1e-20"), Decimal("0.1"), Decimal(1)]
LONG = 1 + np.arange(4) * np.finfo(np.longdouble).eps
CORNER_SCORES = {
    "int64 beyond 2⁵³": BEYOND,
    "int64 below −2⁵³": -BEYOND,
    "uint64": np.array([2**64 - 1, 2**64 - 4, 2**64 - 3, 2**64 - 2], dtype=np.uint64),
    "a list of them": BEYOND.tolist(),
    "an array of objects": BEYOND.astype(object),
    "larger than int64": [2**70, 2**70 + 1, 2**70 + 2**20, 3],
    "int64 within 2⁵³": np.array([2**53, 2**53 - 1, 5, -(2**53)]),
    "Decimal": DECIMALS,
    "an array of Decimal": np.array(DECIMALS),
    "a series of Decimal": pd.Series(DECIMALS),
    "Decimal that float64 rounds": CLOSE,
    "an array of these": np.array(CLOSE),
    "long double": LONG,
    "long double, equal as float64": np.array([LONG[2], LONG[1], LONG[0], LONG[1]]),
}
CORNER_WEIGHTS = {
    "a matrix of one column": np.array([[1.0], [2], [3], [4]]),
    "a list of rows": [[1], [2], [3], [4]],
    "a frame": pd.DataFrame({"w": [1, 2, 3, 4]}),
    "Decimal": [Decimal(1), Decimal(2), Decimal(3), Decimal("4.5")],
}


@pytest.mark.parametrize("scores", CORNER_SCORES.values(), ids=CORNER_SCORES)
@pytest.mark.parametrize("y", [[1, 0, 1, 0], [0, 1, 1, 0], [0, 1, 0, 1]], ids=str)
def test_scores_that_float64_rounds_are_sorted_as_scikit_learn_sorts_them(y, scores):
    assert roc_auc_score(y, scores) == peer.roc_auc_score(y, scores)
    assert roc_auc_score(y, scores, max_fpr=0.5) == peer.roc_auc_score(y, scores, max_fpr=0.5)
    for drop in (True, False):
        got = roc_curve(y, scores, drop_intermediate=drop)
        for ours, theirs in zip(
            got, peer.roc_curve(y, scores, drop_intermediate=drop), strict=True
        ):
            assert ours.tolist() == theirs.astype(np.float64).tolist()


@pytest.mark.parametrize("weights", CORNER_WEIGHTS.values(), ids=CORNER_WEIGHTS)
def test_weights_of_one_column_are_a_column(weights):
    y, s, options = [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.35], {"sample_weight": weights}
    assert roc_auc_score(y, s, **options) == peer.roc_auc_score(y, s, **options)
    for ours, theirs in zip(
        roc_curve(y, s, **options), peer.roc_curve(y, s, **options), strict=True
    ):
        assert ours.tolist() == theirs.tolist()
    plain = [float(w) for w in np.ravel(weights)]
    for metric in (rw.metrics.h_measure_score, rw.metrics.probabilistic_auc_score):
        assert metric(y, s, **options) == metric(y, s, sample_weight=plain)


def test_columns_of_scores_that_float64_rounds():
    y = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    s = np.column_stack([BEYOND, BEYOND[::-1]])
    for average in AVERAGES[:3]:
        assert roc_auc_score(y, s, average=average) == peer.roc_auc_score(y, s, average=average)


def test_missing_values_among_scores_that_float64_rounds():
    scores = [*BEYOND.tolist(), None, Decimal("NaN")]
    with pytest.raises(
        ScoreError, match="row 4 .the first of 2. is NaN .or missing.. Input contai"
    ):
        roc_auc_score([1, 0, 1, 0, 1, 0], scores)
    with pytest.warns(DroppedRowsWarning):
        assert roc_auc_score([1, 0, 1, 0, 1, 0], [*scores[:5], None], invalid="drop") == 0.25
    with pytest.raises(ScoreError, match="is inf"):
        roc_curve([1, 0, 1], [Decimal("Infinity"), Decimal(1), Decimal(2)])


# what scikit-learn refuses before it looks at the data
REFUSED = [
    ("roc_curve", {"drop_intermediate": "no"}),
    ("roc_curve", {"drop_intermediate": 1}),
    ("roc_curve", {"drop_intermediate": None}),
    ("roc_auc_score", {"average": "mean"}),
    ("roc_auc_score", {"multi_class": "all"}),
    ("roc_auc_score", {"max_fpr": 0}),
    ("roc_auc_score", {"max_fpr": "0.5"}),
]


@pytest.mark.parametrize(("name", "options"), REFUSED, ids=str)
def test_parameters_are_refused_as_scikit_learn_refuses_them(name, options):
    arguments = [0, 1, 0, 1], [0.1, 0.9, 0.4, 0.35]
    with pytest.raises((ValueError, TypeError)) as theirs:
        getattr(peer, name)(*arguments, **options)
    with pytest.raises(OptionError) as ours:
        getattr(rw.metrics, name)(*arguments, **options)
    assert [isinstance(ours.value, kind) for kind in (ValueError, TypeError)] == [
        isinstance(theirs.value, kind) for kind in (ValueError, TypeError)
    ]
    (option,) = options
    words = f"The '{option}' parameter of {name} must be "
    assert str(theirs.value).startswith(words)
    assert str(ours.value).startswith(words)
    assert "\nHint: " in str(ours.value)


def test_both_kinds_of_truth_values_say_whether_points_are_dropped():
    y, s = [0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]
    for drop in (True, False):
        assert len(roc_curve(y, s, drop_intermediate=np.bool_(drop))[0]) == (4 if drop else 5)
    with pytest.raises(TypeError, match="drop_intermediate"):
        roc_curve(rw.tally(y, s), drop_intermediate="no")


# -- soft truth and tallies ----------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_soft_truth_equals_the_count_of_all_pairs(rng, weighted):
    f, s = rng.integers(0, 11, 40) / 10, rng.integers(0, 8, 40) / 7
    w = (rng.integers(1, 4, 40) / 2).tolist() if weighted else None
    expected = float(auc_by_pairs(f.tolist(), s.tolist(), w))
    np.testing.assert_allclose(roc_auc_score(f, s, sample_weight=w), expected, **close)
    np.testing.assert_allclose(roc_auc_score(f, s, sample_weight=w, max_fpr=1), expected, **close)
    fpr, tpr, _ = roc_curve(f, s, sample_weight=w)
    np.testing.assert_allclose(peer.auc(fpr, tpr), expected, **close)


def test_soft_points_by_hand():
    fpr, tpr, thresholds = roc_curve([0.25, 1.0, 0.5, 0.25], [0.1, 0.9, 0.5, 0.5])
    np.testing.assert_allclose(tpr, [0, 0.5, 0.875, 1], **close)
    np.testing.assert_allclose(fpr, [0, 0, 0.625, 1], **close)
    assert thresholds.tolist() == [np.inf, 0.9, 0.5, 0.1]


def test_soft_truth_of_zeros_and_ones_is_hard_truth(rng):
    y, s = both_classes(rng, 30), rng.random(30)
    soft = roc_auc_score(y, s, truth="soft")
    np.testing.assert_allclose(soft, roc_auc_score(y, s, truth="hard"), **close)


def test_soft_truth_in_several_columns(rng):
    f, s = rng.integers(0, 5, (20, 3)) / 4, rng.random((20, 3))
    expected = [float(auc_by_pairs(f[:, c].tolist(), s[:, c].tolist())) for c in range(3)]
    np.testing.assert_allclose(roc_auc_score(f, s, average=None), expected, **close)
    shares = f.sum(axis=0) / f.sum()
    np.testing.assert_allclose(roc_auc_score(f, s, average="weighted"), shares @ expected, **close)


@pytest.mark.parametrize("max_fpr", [None, 1, 0.3])
def test_a_tally_stands_for_both_columns(rng, max_fpr):
    y, s = both_classes(rng, 30), rng.random(30)
    tally = rw.tally(y, s)
    assert roc_auc_score(tally, max_fpr=max_fpr) == roc_auc_score(y, s, max_fpr=max_fpr)
    for ours, theirs in zip(roc_curve(tally), roc_curve(y, s), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_bucketed_tally_gives_the_middle(rng):
    tally = rw.tally(both_classes(rng, 90), rng.random(90)).bucketed(np.linspace(0, 1, 4))
    with pytest.warns(rw.errors.BucketedWarning, match="is within ± .* of the exact value"):
        assert roc_auc_score(tally) == tally.auc_bounds[1]


# -- several labels and several classes, against scikit-learn ------------------------------------


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("max_fpr", [None, 0.4])
@pytest.mark.parametrize("kind", ["distinct", "tied", "signed"])
@pytest.mark.parametrize("weighted", [False, True])
def test_several_labels_equal_scikit_learns(rng, average, max_fpr, kind, weighted):
    y = rng.integers(0, 2, (40, 4))
    y[:2, :2], y[:2, 2:] = np.eye(2), np.eye(2)
    y[:, 0], y[:, 1] = 1 - y[:, 1], y[:, 1]  # both classes in every row and column
    options = {
        "average": average,
        "max_fpr": max_fpr,
        "sample_weight": rng.random(40) + 0.1 if weighted else None,
    }
    s = scores_of_a_kind(rng, (40, 4), kind)
    expected = peer.roc_auc_score(y, s, **options)
    np.testing.assert_allclose(roc_auc_score(y, s, **options), expected, **close)
    np.testing.assert_allclose(roc_auc_score(y.tolist(), s.tolist(), **options), expected, **close)


@pytest.mark.parametrize("average", AVERAGES)
def test_a_column_of_one_class_is_averaged_as_scikit_learn_does(rng, average):
    y, s = rng.integers(0, 2, (12, 3)), rng.random((12, 3))
    y[:, 1] = 0
    y[:, 2] = 1 - y[:, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = peer.roc_auc_score(y, s, average=average)
        got = roc_auc_score(y, s, average=average)
    np.testing.assert_allclose(got, expected, **close)
    if average in ("macro", "weighted", None):
        with pytest.warns(UndefinedMetricWarning, match=re.escape(ONE_CLASS)):
            roc_auc_score(y, s, average=average)


def test_no_positives_at_all_make_a_weighted_mean_of_zero():
    y, s = np.zeros((3, 2), dtype=int), np.eye(3)[:, :2] / 2
    with pytest.warns(UndefinedMetricWarning):
        assert roc_auc_score(y, s, average="weighted") == 0
    assert peer.roc_auc_score(y, s, average="weighted") == 0


def test_minus_one_and_one_in_several_columns(rng):
    y, s = rng.integers(0, 2, (20, 3)), rng.random((20, 3))
    assert roc_auc_score(2 * y - 1, s) == roc_auc_score(y, s)
    assert roc_auc_score(y + 1, s, pos_label=2) == roc_auc_score(y, s)


@pytest.mark.parametrize(
    ("multi_class", "average"),
    [*(("ovr", average) for average in ("micro", "macro", "weighted", None)),
     ("ovo", "macro"), ("ovo", "weighted")],
)  # fmt: skip
@pytest.mark.parametrize("names", [[0, 1, 2, 3], ["a", "b", "c", "d"], [1.0, 2.0, 4.0, 8.0]])
def test_several_classes_equal_scikit_learns(rng, multi_class, average, names):
    codes = rng.permutation(np.append(np.arange(4), rng.integers(0, 4, 60)))
    y, s = np.array(names)[codes], probabilities(rng, 64, 4)
    options = {"multi_class": multi_class, "average": average}
    expected = peer.roc_auc_score(y, s, **options)
    for labels in (None, names):
        got = roc_auc_score(y, s, labels=labels, **options)
        np.testing.assert_allclose(got, expected, **close)
    if multi_class == "ovr":
        w = rng.random(64) + 0.1
        expected = peer.roc_auc_score(y, s, sample_weight=w, **options)
        np.testing.assert_allclose(
            roc_auc_score(y, s, sample_weight=w, **options), expected, **close
        )


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_pairs_of_classes_leave_an_absent_class_out(rng, average):
    y, s = np.array([0, 2, 0, 2, 2, 0]), probabilities(rng, 6, 3)
    options = {"multi_class": "ovo", "average": average, "labels": [0, 1, 2]}
    np.testing.assert_allclose(
        roc_auc_score(y, s, **options), peer.roc_auc_score(y, s, **options), **close
    )
    with pytest.warns(UndefinedMetricWarning, match=re.escape(ONE_CLASS)):
        assert np.isnan(roc_auc_score(np.zeros(6), s, **options))


@pytest.mark.parametrize("average", ["macro", "weighted", None])
def test_an_absent_class_against_the_rest_is_undefined(rng, average):
    y, s = np.array([0, 2, 0, 2, 2, 0]), probabilities(rng, 6, 3)
    options = {"multi_class": "ovr", "average": average, "labels": [0, 1, 2]}
    with pytest.warns(sklearn.exceptions.UndefinedMetricWarning):
        expected = peer.roc_auc_score(y, s, **options)
    with pytest.warns(UndefinedMetricWarning, match=re.escape(ONE_CLASS)):
        np.testing.assert_allclose(roc_auc_score(y, s, **options), expected, **close)


# -- Hand & Till, Provost & Domingos -------------------------------------------------------------


def share_won(ours, theirs):
    """A(i|j) by looking at every pair of (score, weight)."""
    won = sum(v * w * ((s > t) + (s == t) / 2) for s, v in ours for t, w in theirs)
    return won / (sum(v for _, v in ours) * sum(w for _, w in theirs))


def slow_summaries(y, table, names, weights):
    """Return Hand & Till's and Provost & Domingos' numbers over the classes that are present."""
    present = [name for name in names if name in y]
    column = {name: table[:, names.index(name)] for name in present}

    def members(name, by, inside=True):
        rows = [(label == name) == inside for label in y]
        return [(column[by][i], weights[i]) for i in range(len(y)) if rows[i]]

    pairs = [
        (share_won(members(i, i), members(j, i)) + share_won(members(j, j), members(i, j))) / 2
        for i, j in combinations(present, 2)
    ]
    parts = [
        share_won(members(name, name), members(name, name, inside=False))
        * sum(w for label, w in zip(y, weights, strict=True) if label == name)
        for name in present
    ]
    return sum(pairs) / len(pairs), sum(parts) / sum(weights)


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("absent", [False, True])
@pytest.mark.filterwarnings("ignore::rocwalk.errors.AbsentClassWarning")
def test_summaries_equal_a_slow_count(rng, k, weighted, absent):
    names = ["e", "c", "a", "d", "b"][:k]  # columns in an order of the user's own
    y = [names[i] for i in rng.permutation(np.append(np.arange(k), rng.integers(0, k, 30)))]
    table = rng.integers(0, 5, (len(y), k + absent)) / 4
    names = [*names, "z"][: k + absent]
    w = rng.integers(1, 5, len(y)) / 2 if weighted else np.ones(len(y))
    hand_till, provost_domingos = slow_summaries(y, table, names, w)
    options = {"labels": names, "sample_weight": w if weighted else None}
    np.testing.assert_allclose(hand_till_auc_score(y, table, **options), hand_till, **close)
    np.testing.assert_allclose(
        provost_domingos_auc_score(y, table, **options), provost_domingos, **close
    )
    result = rw.multiclass(y, table, **options)
    np.testing.assert_allclose(result.hand_till, hand_till, **close)
    np.testing.assert_allclose(result.provost_domingos, provost_domingos, **close)


def test_summaries_equal_scikit_learns_averages(rng):
    y, s = rng.permutation(np.arange(90) % 3), probabilities(rng, 90, 3)
    ovo = peer.roc_auc_score(y, s, multi_class="ovo")
    ovr = peer.roc_auc_score(y, s, multi_class="ovr", average="weighted")
    np.testing.assert_allclose(hand_till_auc_score(y, s), ovo, **close)
    np.testing.assert_allclose(provost_domingos_auc_score(y, s), ovr, **close)


def test_all_parts_of_the_comparison(rng):
    y, s = np.array(["c", "a", "b"])[np.arange(30) % 3], rng.random((30, 3))
    result = rw.multiclass(y, s)
    assert result.labels == ("a", "b", "c")
    assert list(result.pairwise) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert result.prevalence == pytest.approx(dict.fromkeys("abc", 1 / 3))
    for k, name in enumerate("abc"):
        curve = rw.roc(y == name, s[:, k])
        np.testing.assert_array_equal(result.walks[name].tpr, curve.tpr)
        np.testing.assert_array_equal(result.walks[name].fpr, curve.fpr)
        assert result.areas[name] == curve.area
    for i, j in combinations("abc", 2):
        rows = (y == i) | (y == j)
        sides = [roc_auc_score(y[rows] == c, s[rows, "abc".index(c)]) for c in (i, j)]
        assert result.pairwise[i, j] == pytest.approx(np.mean(sides), abs=1e-12)


def test_an_absent_class_is_nan_and_left_out(rng):
    y, s = [1, 3, 3, 1, 1], rng.random((5, 3))
    with pytest.warns(AbsentClassWarning, match=r"no rows of 2: its area and its pairs are NaN"):
        result = rw.multiclass(y, s, labels=[1, 2, 3])
    assert np.isnan(result.areas[2])
    assert np.isnan(result.walks[2].tpr).all()
    assert np.isnan([result.pairwise[1, 2], result.pairwise[2, 3]]).all()
    assert result.hand_till == result.pairwise[1, 3]
    assert result.prevalence == {1: 0.6, 2: 0.0, 3: 0.4}
    assert result.provost_domingos == pytest.approx(0.6 * result.areas[1] + 0.4 * result.areas[3])


@pytest.mark.parametrize("metric", [hand_till_auc_score, provost_domingos_auc_score])
def test_fewer_than_two_classes_are_undefined(metric):
    words = "fewer than two classes in y_true"
    with pytest.warns(AbsentClassWarning, match=words):
        assert np.isnan(metric(["a", "a"], [[0.1, 0.9], [0.2, 0.8]], labels=["a", "b"]))
    with pytest.warns(UndefinedMetricWarning, match=words):
        assert np.isnan(metric(["a", "a"], [[0.1], [0.2]]))
    with pytest.warns(UndefinedMetricWarning, match="Only one class is present"):
        assert np.isnan(metric(["a", "a"], [0.1, 0.2]))


@pytest.mark.parametrize("metric", [hand_till_auc_score, provost_domingos_auc_score])
def test_two_classes_in_one_column_give_the_auc(rng, metric):
    codes, s = both_classes(rng, 30), rng.random(30)
    y = np.array(["no", "yes"])[codes]
    expected = roc_auc_score(codes, s)
    assert metric(y, s) == metric(codes, s) == metric(y, s, labels=["no", "yes"]) == expected
    assert metric(y, s, pos_label="no") == metric(y, s, labels=["yes", "no"]) == 1 - expected
    assert metric(y, np.column_stack([1 - s, s])) == pytest.approx(expected, abs=1e-12)


FRAMES = {
    "lists": lambda table: table.tolist(),
    "tuples": lambda table: tuple(map(tuple, table.tolist())),
    "numpy": lambda table: table,
    "pandas": lambda table: pd.DataFrame(table, columns=list("xyz")),
    "pandas nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "polars": lambda table: pl.DataFrame(table, schema=list("xyz")),
    "pyarrow": lambda table: pa.table(dict(zip("xyz", table.T, strict=True))),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=list(FRAMES))
def test_scores_come_from_any_table(rng, frame):
    y, table = np.array(list("xyz") * 4), probabilities(rng, 12, 3)
    assert hand_till_auc_score(y, frame(table)) == hand_till_auc_score(y, table)
    areas = roc_auc_score(y, frame(table), multi_class="ovr", average=None)
    np.testing.assert_array_equal(areas, roc_auc_score(y, table, multi_class="ovr", average=None))
    labels = (table > 0.34).astype(int)
    np.testing.assert_array_equal(
        roc_auc_score(frame(labels), frame(table), average=None),
        roc_auc_score(labels, table, average=None),
    )


# -- in scikit-learn's hands ---------------------------------------------------------------------


def a_model():
    return make_pipeline(StandardScaler(), LogisticRegression(C=0.01))


@pytest.mark.parametrize("metric", [roc_auc_score, hand_till_auc_score, provost_domingos_auc_score])
@pytest.mark.parametrize("method", ["predict_proba", "decision_function"])
def test_scorers_of_two_classes(metric, method):
    data = load_breast_cancer()
    scorer = peer.make_scorer(metric, response_method=method)
    for y in (data.target, data.target_names[data.target]):
        got = cross_val_score(a_model(), data.data, y, scoring=scorer, cv=3)
        expected = cross_val_score(a_model(), data.data, y, scoring="roc_auc", cv=3)
        np.testing.assert_allclose(got, expected, **close)


@pytest.mark.parametrize(
    ("metric", "options", "name"),
    [
        (roc_auc_score, {"multi_class": "ovr"}, "roc_auc_ovr"),
        (roc_auc_score, {"multi_class": "ovo"}, "roc_auc_ovo"),
        (hand_till_auc_score, {}, "roc_auc_ovo"),
        (provost_domingos_auc_score, {}, "roc_auc_ovr_weighted"),
    ],
)
def test_scorers_of_several_classes(metric, options, name):
    data = load_iris()
    scorer = peer.make_scorer(metric, response_method="predict_proba", **options)
    y = data.target_names[data.target]
    got = cross_val_score(a_model(), data.data, y, scoring=scorer, cv=3)
    expected = cross_val_score(a_model(), data.data, y, scoring=name, cv=3)
    np.testing.assert_allclose(got, expected, **close)


# -- one class -----------------------------------------------------------------------------------

ONE_CLASS_LABELS = [[0, 0], [1, 1], [-1, -1], [2, 2], ["a", "a"], [True, True], [0.0, 0.0]]


@pytest.mark.parametrize("y", ONE_CLASS_LABELS, ids=str)
@pytest.mark.parametrize("max_fpr", [None, 0.5])
@pytest.mark.parametrize(
    "category", [UndefinedMetricWarning, sklearn.exceptions.UndefinedMetricWarning]
)
def test_one_class_gives_nan_and_a_warning_of_both_libraries(y, max_fpr, category):
    with pytest.warns(category, match=re.escape(ONE_CLASS)) as caught:
        value = roc_auc_score(y, [0.25, 0.75], max_fpr=max_fpr)
    assert np.isnan(value)
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "category", [UndefinedMetricWarning, sklearn.exceptions.UndefinedMetricWarning]
)
def test_a_curve_of_one_class_has_rates_of_nan(category):
    words = "No positive samples in y_true, true positive value should be meaningless"
    with pytest.warns(category, match=words) as caught:
        fpr, tpr, _ = roc_curve([0, 0], [0.25, 0.75])
    assert caught[0].filename == __file__
    assert np.isnan(tpr).all()
    assert fpr.tolist() == [0, 0.5, 1]
    words = "No negative samples in y_true, false positive value should be meaningless"
    with pytest.warns(category, match=words):
        fpr, tpr, _ = roc_curve([1.0, 1.0], [0.25, 0.75], truth="soft")
    assert np.isnan(fpr).all()
    assert tpr.tolist() == [0, 0.5, 1]


WITHOUT_SKLEARN = """
import sys, warnings
sys.modules["sklearn"] = None
import numpy as np, rocwalk as rw
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    rw.metrics.roc_auc_score(np.array([1, 1]), np.array([0.2, 0.3]))
assert caught[0].category is rw.errors.UndefinedMetricWarning
y = np.arange(9) % 3
table = np.random.default_rng(0).dirichlet([1, 1, 1], 9)
rw.metrics.roc_curve(y == 1, table[:, 1])
rw.metrics.roc_auc_score(y, table, multi_class="ovr")
rw.metrics.hand_till_auc_score(y, table)
rw.metrics.provost_domingos_auc_score(y, table)
assert not [name for name in sys.modules if name.startswith("sklearn.")]
"""


def test_scikit_learn_is_not_needed():
    subprocess.run([sys.executable, "-c", WITHOUT_SKLEARN], check=True)


# -- missing values ------------------------------------------------------------------------------


def test_invalid_rows_can_be_dropped():
    s = [0.1, 0.8, np.nan, 0.4, 0.35]
    with pytest.warns(DroppedRowsWarning, match="2 of 5 rows were left out") as caught:
        assert roc_auc_score([0, None, 1, 0, 1], s, invalid="drop") == 0.5
    assert caught[0].message.rows == (1, 2)
    with pytest.warns(DroppedRowsWarning) as caught:
        assert roc_auc_score(["a", None, "b", "a", "b"], s, invalid="drop") == 0.5
    assert len(caught) == 1
    with pytest.warns(DroppedRowsWarning):
        got = roc_auc_score([0.25, None, 1.0, 0.5], [0.1, 0.2, 0.8, 0.4], invalid="drop")
    assert got == roc_auc_score([0.25, 1.0, 0.5], [0.1, 0.8, 0.4])
    with pytest.warns(DroppedRowsWarning):
        assert roc_curve([0, None, 1, 0, 1], s, invalid="drop")[2].tolist() == [
            np.inf, 0.4, 0.35, 0.1,
        ]  # fmt: skip


@pytest.mark.parametrize("metric", [hand_till_auc_score, provost_domingos_auc_score])
def test_invalid_rows_of_several_classes_can_be_dropped(rng, metric):
    y, table, w = (np.arange(12) % 3).astype(float), rng.random((12, 3)), rng.random(12)
    holes, labels, weights = table.copy(), y.copy(), w.copy()
    holes[4, 2], labels[5], weights[7] = np.inf, np.nan, np.nan
    kept = np.delete(np.arange(12), [4, 5, 7])
    with pytest.warns(DroppedRowsWarning) as caught:
        got = metric(labels, holes, sample_weight=weights, invalid="drop")
    assert caught[0].message.rows == (4, 5, 7)
    assert got == metric(y[kept], table[kept], sample_weight=w[kept])


def test_invalid_rows_of_several_labels_can_be_dropped(rng):
    y, s = rng.integers(0, 2, (20, 2)), rng.random((20, 2))
    holes, labels = s.copy(), y.astype(float)
    holes[3, 1], labels[5, 0] = np.nan, np.nan
    kept = np.delete(np.arange(20), [3, 5])
    with pytest.warns(DroppedRowsWarning, match="rows 3, 5"):
        assert roc_auc_score(labels, holes, invalid="drop") == roc_auc_score(y[kept], s[kept])


def test_invalid_rows_of_probabilities_can_be_dropped(rng):
    y, s = np.arange(9) % 3, probabilities(rng, 9, 3)
    holes = s.copy()
    holes[4, :2], holes[7, 0] = [np.inf, -np.inf], np.nan
    kept = np.delete(np.arange(9), [4, 7])
    with pytest.warns(DroppedRowsWarning, match="rows 4, 7"):
        got = roc_auc_score(y, holes, multi_class="ovr", invalid="drop")
    assert got == roc_auc_score(y[kept], s[kept], multi_class="ovr")


def test_rows_of_weight_zero_are_absent_whatever_they_hold():
    table = [[0.7, 0.3], [0.2, 0.8], [np.nan, 0.5]]
    assert hand_till_auc_score(["a", "b", "c"], table, sample_weight=[1, 2, 0]) == 1


def test_predicted_classes_are_noticed():
    with pytest.warns(HardScoresWarning, match="pass predict_proba") as caught:
        assert roc_auc_score([0, 1, 1, 0], [0, 1, 0, 0]) == 0.75
    assert caught[0].filename == __file__


# -- errors --------------------------------------------------------------------------------------

THREE = np.full((3, 3), 1 / 3)
TABLE = [[0.6, 0.4], [0.3, 0.7], [0.5, 0.5]]
OVR, OVO = {"multi_class": "ovr"}, {"multi_class": "ovo"}

# y_true, y_score, keywords, error, words (scikit-learn's where it has some)
AREA_ERRORS = [
    (
        [0, 1],
        [0.1, 0.2],
        {"average": "mean"},
        OptionError,
        (
            "The 'average' parameter of roc_auc_score must be a str among {'micro', 'macro', "
            "'samples', 'weighted'} or None. Got 'mean' instead."
        ),
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"multi_class": "all"},
        OptionError,
        (
            "The 'multi_class' parameter of roc_auc_score must be a str among {'raise', 'ovr', "
            "'ovo'}. Got 'all' instead."
        ),
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"max_fpr": 0},
        OptionError,
        (
            "The 'max_fpr' parameter of roc_auc_score must be a float in the range (0.0, 1.0] or "
            "None. Got 0 instead."
        ),
    ),
    ([0, 1], [0.1, 0.2], {"max_fpr": "1"}, OptionError, "Got '1' instead."),
    ([0, 1], [0.1, 0.2], {"invalid": "keep"}, OptionError, "invalid='keep' is not known."),
    ([0, 1], [0.1, 0.2], {"truth": "mild"}, OptionError, "truth='mild' is not known."),
    ([0, 1], None, {}, InputError, "y_score is None, not a column."),
    (
        [0, 1],
        [0.1, 0.2, 0.3],
        {},
        InputError,
        "Found input variables with inconsistent numbers of samples: [2, 3]",
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"sample_weight": [1]},
        InputError,
        "inconsistent numbers of samples: [2, 2, 1]",
    ),
    ([], [], {}, InputError, "Found array with 0 sample(s) while a minimum of 1 is required."),
    (
        [0, np.nan],
        [0.1, 0.2],
        {},
        LabelError,
        "y_true at row 1 is missing (NaN or null). Input y_true contains NaN.",
    ),
    (
        [0, 1],
        [0.1, np.nan],
        {},
        ScoreError,
        "y_score at row 1 is NaN (or missing). Input contains NaN.",
    ),
    (
        [0, 1],
        [0.1, -np.inf],
        {},
        ScoreError,
        (
            "y_score at row 1 is -inf. Input contains infinity or a value too large for "
            "dtype('float64')."
        ),
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"sample_weight": [1, np.nan]},
        WeightError,
        "Input sample_weight contains NaN.",
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"sample_weight": [0, 0]},
        WeightError,
        "Sample weights must contain at least one non-zero number.",
    ),
    ([0, 1], [0.1, 0.2], {"sample_weight": [1, -1]}, WeightError, "sample_weight at row 1 is -1."),
    (
        [0, 1, 0],
        TABLE,
        {},
        InputError,
        "y should be a 1d array, got an array of shape (3, 2) instead.",
    ),
    (
        [0.2, 1.5],
        [0.1, 0.2],
        {},
        LabelError,
        "y_true at row 1 is 1.5, outside [0, 1]. continuous format is not supported.",
    ),
    (
        [0.2, 0.5],
        [0.1, 0.2],
        {"truth": "hard"},
        LabelError,
        'y_true at row 0 is 0.2, but truth="hard" allows 0 and 1 only. continuous format is not',
    ),
    (
        [0, np.inf],
        [0.1, 0.2],
        {},
        LabelError,
        "Input y_true contains infinity.",
    ),
    ([0, 2], [0.1, 0.2], {"truth": "soft"}, LabelError, "y_true at row 1 is 2, outside [0, 1]."),
    (
        [0, "a"],
        [0.1, 0.2],
        {},
        LabelError,
        "y_true has the labels 0, a, which do not say which one is positive.",
    ),
    (
        [b"a", b"b"],
        [0.1, 0.2],
        {},
        TypeError,
        "Support for labels represented as bytes is not supported",
    ),
    (
        [0, 1],
        [0.1, 0.2],
        {"pos_label": 1, "truth": "soft"},
        LabelError,
        "pos_label=1 names a class",
    ),
    # several labels
    (
        [[0, 1], [1, 0]],
        [[1, 2, 3], [4, 5, 6]],
        {},
        InputError,
        "y_true has the shape (2, 2), y_score (2, 3).",
    ),
    (
        [[0, 1], [1, 0]],
        [1, 2],
        {},
        InputError,
        "y_true has 2 dimensions, shape (2, 2). There is one column of y_score only.",
    ),
    (
        [[0, 1], [1, 2]],
        [[1, 2], [3, 4]],
        {},
        LabelError,
        "multiclass-multioutput format is not supported: y_true has the values 0.0, 1.0, 2.0.",
    ),
    (
        [[0, 1], [1, 2.5]],
        [[1, 2], [3, 4]],
        {},
        LabelError,
        "continuous-multioutput format is not supported",
    ),
    (
        [[0, 1], [0.5, 0]],
        [[1, 2], [3, 4]],
        {"truth": "hard"},
        LabelError,
        "continuous-multioutput format is not supported",
    ),
    (
        [[1, 2], [2, 1]],
        [[1, 2], [3, 4]],
        {},
        LabelError,
        "y_true takes value in {1.0, 2.0} and pos_label is not specified",
    ),
    (
        [[0, 1], [1, 0.5]],
        [[1, 2], [3, 4]],
        {"pos_label": 1, "truth": "soft"},
        LabelError,
        "pos_label=1 names a class",
    ),
    (
        [[-1, 1], [1, -1]],
        [[1, 2], [3, 4]],
        {"truth": "soft"},
        LabelError,
        "y_true at row 0 is -1, outside [0, 1].",
    ),
    (
        [[0, 1], [1, None]],
        [[1, 2], [3, 4]],
        {},
        ScoreError,
        "y_true at row 1, column 1 is NaN (or missing). Input contains NaN.",
    ),
    (
        [[0, 1], [1, 0]],
        [[1, 2], [3, np.inf]],
        {},
        ScoreError,
        "y_score at row 1, column 1 is inf. Input contains infinity",
    ),
    (
        [[0, 1], [1, 0]],
        [[1, 2], [3, "x"]],
        {},
        ScoreError,
        "y_score at row 1, column 1 is 'x', not a number.",
    ),
    (
        [[0, 1], [1]],
        [[1, 2], [3, 4]],
        {},
        InputError,
        "y_true is a nested list of unequal lengths.",
    ),
    (
        [[0, 1], [1, 0]],
        [[1, 2], [3, 4]],
        {"sample_weight": [1, 2, 3]},
        InputError,
        "inconsistent numbers of samples: [2, 2, 3]",
    ),
    # several classes
    ([0, 1, 2], THREE, {}, OptionError, "multi_class must be in ('ovo', 'ovr')"),
    (
        [0, 1, 2],
        THREE,
        OVO | {"max_fpr": 0.5},
        OptionError,
        (
            "Partial AUC computation not available in multiclass setting, 'max_fpr' must be set "
            "to `None`, received `max_fpr=0.5` instead"
        ),
    ),
    (
        [0, 1, 2],
        THREE,
        OVO | {"average": "micro"},
        OptionError,
        "average must be one of ('macro', 'weighted', None) for multiclass problems",
    ),
    (
        [0, 1, 2],
        THREE,
        OVR | {"average": "samples"},
        OptionError,
        "average must be one of ('micro', 'macro', 'weighted', None) for multiclass problems",
    ),
    (
        [0, 1, 2],
        THREE,
        OVO | {"average": None},
        NotImplementedError,
        "average=None is not implemented for multi_class='ovo'.",
    ),
    (
        [0, 1, 2],
        THREE,
        OVO | {"sample_weight": [1, 1, 1]},
        OptionError,
        (
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' "
            "must be None in this case."
        ),
    ),
    (
        [0, 1, 2],
        [0.1, 0.2, 0.3],
        OVR,
        InputError,
        (
            "`y_score` needs to be of shape `(n_samples, n_classes)`, since `y_true` contains "
            "multiple classes. Got `y_score.shape=(3,)`."
        ),
    ),
    (
        [0, 1, 2],
        THREE * [[1], [2], [1]],
        OVR,
        InputError,
        (
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum "
            "up to 1.0 over classes; row 1 sums to 2."
        ),
    ),
    (
        [0, 1, 2],
        [[0.5, 0.5, 0], [0, np.nan, 1], [1, 0, 0]],
        OVR,
        ScoreError,
        "y_score at row 1, column 1 is NaN (or missing). Input contains NaN.",
    ),
    (
        [0, 1, 1],
        THREE,
        OVR,
        InputError,
        "Number of classes in y_true not equal to the number of columns in 'y_score': 2 and 3.",
    ),
    (
        [0, 1, 2],
        THREE,
        OVR | {"labels": [0, 1, 1]},
        LabelError,
        "Parameter 'labels' must be unique",
    ),
    (
        [0, 1, 2],
        THREE,
        OVR | {"labels": [0, 2, 1]},
        LabelError,
        "Parameter 'labels' must be ordered",
    ),
    (
        [0, 1, 2],
        THREE,
        OVR | {"labels": [0, 1]},
        LabelError,
        "Number of given labels, 2, not equal to the number of columns in 'y_score', 3",
    ),
    (
        [0, 1, 3],
        THREE,
        OVR | {"labels": [0, 1, 2]},
        LabelError,
        "'y_true' contains labels not in parameter 'labels'",
    ),
]


@pytest.mark.parametrize(("y", "s", "options", "error", "words"), AREA_ERRORS)
def test_errors_of_the_area(y, s, options, error, words):
    with pytest.raises(error, match=re.escape(words)) as caught:
        roc_auc_score(y, s, **options)
    assert isinstance(caught.value, RocwalkError)
    assert "\nHint: " in str(caught.value)


CURVE_ERRORS = [
    (
        [0, 1, 2],
        [1, 2, 3],
        {},
        LabelError,
        "multiclass format is not supported: y_true has the labels 0, 1, 2.",
    ),
    (
        ["a", "b"],
        [1, 2],
        {},
        LabelError,
        (
            "y_true takes value in {'a', 'b'} and pos_label is not specified: either make y_true "
            "take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
        ),
    ),
    ([2, 2], [1, 2], {}, LabelError, "y_true takes value in {2} and pos_label is not specified"),
    (
        [[0, 1], [1, 0]],
        [1, 2],
        {},
        InputError,
        "shape (2, 2). multilabel-indicator format is not supported.",
    ),
    (
        [0.5, 1.5],
        [1, 2],
        {},
        LabelError,
        "y_true at row 1 is 1.5, outside [0, 1]. continuous format is not supported.",
    ),
    ([0.5, 1], [1, 2], {"truth": "hard"}, LabelError, "continuous format is not supported"),
    ([0.5, 1.5], [1, 2], {"truth": "soft"}, LabelError, "y_true at row 1 is 1.5, outside [0, 1]."),
    (
        [b"a", b"b"],
        [1, 2],
        {},
        TypeError,
        "Support for labels represented as bytes is not supported",
    ),
    (
        [0, 1],
        TABLE[:2],
        {},
        InputError,
        "y should be a 1d array, got an array of shape (2, 2) instead.",
    ),
    ([0, 1], [1], {}, InputError, "inconsistent numbers of samples: [2, 1]"),
    ([0, 1], [1, None], {}, ScoreError, "Input contains NaN."),
    ([0, None], [1, 2], {}, LabelError, "Input y_true contains NaN."),
    ([[0], [1]], [[1], [2, 3]], {}, InputError, "y_score is a nested list of unequal lengths."),
    (["a", "b"], [1, 2], {"pos_label": 1}, LabelError, "pos_label=1 is not text"),
    ([0, 1], None, {}, InputError, "y_score is None, not a column."),
]


@pytest.mark.parametrize(("y", "s", "options", "error", "words"), CURVE_ERRORS)
def test_errors_of_the_curve(y, s, options, error, words):
    with pytest.raises(error, match=re.escape(words)) as caught:
        roc_curve(y, s, **options)
    assert isinstance(caught.value, RocwalkError)


@pytest.mark.parametrize("function", [roc_auc_score, roc_curve])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"y_score": [1, 2]}, "y_score cannot be given together with a Tally."),
        (
            {"sample_weight": [1, 2], "pos_label": 1, "truth": "hard"},
            "sample_weight, pos_label and truth cannot be given together with a Tally.",
        ),
    ],
)
def test_a_tally_stands_alone(function, options, words):
    with pytest.raises(OptionError, match=words):
        function(rw.tally([0, 1], [0.1, 0.2]), **options)


CLASS_ERRORS = [
    (
        "aab",
        [[0.1, 0.9], [0.4], [0.2, 0.8]],
        {},
        InputError,
        "y_prob is a nested list of unequal lengths.",
    ),
    (
        "aab",
        [[0.1, "x"], [0.4, 0.6], [0.2, 0.8]],
        {},
        ScoreError,
        "y_prob at row 0, column 1 is 'x', not a number.",
    ),
    (
        "aab",
        [[0.1, 0.9], [0.4, None], [0.2, 0.8]],
        {},
        ScoreError,
        "y_prob at row 1, column 1 is NaN (or missing).",
    ),
    (
        "aab",
        pd.DataFrame({"p": [1, 2, 3], "q": ["x", "y", "z"]}),
        {},
        ScoreError,
        "y_prob at row 0, column 1 is 'x', not a number.",
    ),
    ("aab", pd.DataFrame(index=range(3)), {}, InputError, "y_prob has no columns."),
    ("aa", TABLE, {}, InputError, "The lengths differ: y_true has 2 rows"),
    ("aab", TABLE, {"labels": ["a", "a"]}, LabelError, "labels has 'a' more than once."),
    (
        "aab",
        TABLE,
        {"labels": ["a", "c"]},
        LabelError,
        "y_true at row 2 is 'b', which is not among the labels 'a', 'c'.",
    ),
    (
        "aab",
        TABLE,
        {"labels": ["a", "b", "c"]},
        InputError,
        "y_prob has 2 columns, but labels names 3 classes: 'a', 'b', 'c'.",
    ),
    (
        "abc",
        TABLE,
        {},
        InputError,
        "y_prob has 2 columns, but y_true has 3 classes: 'a', 'b', 'c'.",
    ),
    ("aab", TABLE, {"sample_weight": [1, -2, 1]}, WeightError, "sample_weight at row 1 is -2."),
    ("aab", TABLE, {"invalid": "keep"}, OptionError, "invalid='keep' is not known."),
    (["a", None, "b"], TABLE, {}, LabelError, "y_true at row 1 is missing (NaN or null)."),
    (
        ["a", 1, "b"],
        TABLE,
        {},
        LabelError,
        "y_true mixes labels of the types int, str, which have no order.",
    ),
]
METRIC_ERRORS = [
    ([0.5, 1], [0.1, 0.2], {}, LabelError, 'row 0 is 0.5, but truth="hard" allows 0 and 1 only.'),
    (
        "aab",
        TABLE,
        {"truth": "soft"},
        OptionError,
        "truth='soft' does not go together with several classes.",
    ),
    ("aab", TABLE, {"truth": "mild"}, OptionError, "truth='mild' is not known."),
    (
        "aab",
        TABLE,
        {"pos_label": "a"},
        OptionError,
        "pos_label='a' names one class, but y_prob has a column for each.",
    ),
    (
        "abc",
        [0.1, 0.2, 0.3],
        {},
        InputError,
        "y_prob is one column, but y_true has the labels 'a', 'b', 'c'.",
    ),
]


@pytest.mark.parametrize(
    "function", [rw.multiclass, hand_till_auc_score, provost_domingos_auc_score]
)
@pytest.mark.parametrize(("y", "s", "options", "error", "words"), CLASS_ERRORS)
def test_errors_of_several_classes(function, y, s, options, error, words):
    with pytest.raises(error, match=re.escape(words)) as caught:
        function(list(y), s, **options)
    assert "\nHint: " in str(caught.value)


@pytest.mark.parametrize("function", [hand_till_auc_score, provost_domingos_auc_score])
@pytest.mark.parametrize(("y", "s", "options", "error", "words"), METRIC_ERRORS)
def test_errors_of_the_metrics_of_several_classes(function, y, s, options, error, words):
    with pytest.raises(error, match=re.escape(words)):
        function(list(y), s, **options)


def test_one_column_for_several_curves_is_refused():
    with pytest.raises(InputError, match=re.escape("y_prob has shape (2,), but several classes")):
        rw.multiclass(["a", "b"], [0.1, 0.2])
