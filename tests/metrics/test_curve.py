"""`roc_curve`: the points, bits and errors of scikit-learn, soft truth and tallies."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn.exceptions
import sklearn.metrics as peer

import rocwalk as rw
from metric_samples import (
    TABLE,
    both_classes,
    close,
    every_kind,
    scores_of_a_kind,
)
from rocwalk.errors import (
    InputError,
    LabelError,
    RocwalkError,
    ScoreError,
    UndefinedMetricWarning,
)
from rocwalk.metrics import (
    roc_auc_score,
    roc_curve,
)

# in scikit-learn 1.7 thresholds have the type of the scores, later and here float64
KEEPS_TYPE = peer.roc_curve([0, 1], np.array([0, 1], np.float32))[2].dtype == np.float32


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


def test_both_kinds_of_truth_values_say_whether_points_are_dropped():
    y, s = [0, 0, 1, 1], [0.1, 0.2, 0.3, 0.4]
    for drop in (True, False):
        assert len(roc_curve(y, s, drop_intermediate=np.bool_(drop))[0]) == (4 if drop else 5)
    with pytest.raises(TypeError, match="drop_intermediate"):
        roc_curve(rw.tally(y, s), drop_intermediate="no")


def test_soft_points_by_hand():
    fpr, tpr, thresholds = roc_curve([0.25, 1.0, 0.5, 0.25], [0.1, 0.9, 0.5, 0.5])
    np.testing.assert_allclose(tpr, [0, 0.5, 0.875, 1], **close)
    np.testing.assert_allclose(fpr, [0, 0, 0.625, 1], **close)
    assert thresholds.tolist() == [np.inf, 0.9, 0.5, 0.1]


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


def test_one_column_for_several_curves_is_refused():
    with pytest.raises(InputError, match=re.escape("y_prob has shape (2,), but several classes")):
        rw.multiclass(["a", "b"], [0.1, 0.2])
