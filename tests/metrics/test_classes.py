"""Hand & Till and Provost & Domingos: against a slow count and the averages of scikit-learn."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.metrics as peer
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score

import rocwalk as rw
from metric_samples import (
    TABLE,
    a_model,
    both_classes,
    close,
    probabilities,
)
from rocwalk.errors import (
    AbsentClassWarning,
    DroppedRowsWarning,
    InputError,
    LabelError,
    OptionError,
    ScoreError,
    UndefinedMetricWarning,
    WeightError,
)
from rocwalk.metrics import (
    hand_till_auc_score,
    provost_domingos_auc_score,
    roc_auc_score,
)


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
