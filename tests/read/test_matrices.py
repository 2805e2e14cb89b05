import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.metrics as peer

import rocwalk as rw
from rocwalk.errors import InputError, OptionError, ScoreError, UndefinedMetricWarning
from rocwalk.metrics import hand_till_auc_score, roc_auc_score

ONE_CLASS = "Only one class is present in y_true. ROC AUC score is not defined in that case."
TABLE = [[0.6, 0.4], [0.3, 0.7], [0.5, 0.5]]


@pytest.mark.parametrize("y", [[0, 0, 0], [1, 1, 1], ["a"] * 3, [2.0] * 3, [True] * 3], ids=str)
@pytest.mark.parametrize(
    "container", [list, np.array, pd.DataFrame, lambda t: pl.DataFrame(t, orient="row")]
)
def test_one_class_beside_two_columns_is_undefined_as_in_scikit_learn(y, container):
    with pytest.warns(peer._ranking.UndefinedMetricWarning):
        assert np.isnan(peer.roc_auc_score(y, container(TABLE)))
    for options in ({}, {"max_fpr": 0.5}, {"average": None}, {"sample_weight": [1, 2, 0]}):
        with pytest.warns(UndefinedMetricWarning, match=re.escape(ONE_CLASS)) as caught:
            assert np.isnan(roc_auc_score(y, container(TABLE), **options))
        assert caught[0].filename == __file__
    with pytest.raises(
        ScoreError, match=r"y_score at row 1, column 0 is NaN \(or missing\). Input"
    ):
        roc_auc_score(y, [[0.1, 0.2], [None, 0.3], [0.1, 0.4]])


@pytest.mark.parametrize(
    "table",
    [
        [[1, 2**53 + 1], [3, 4], [5, 6]],
        [[1, 2**53 + 1], [3.5, 4], [5, 6]],  # NumPy alone would round
        [[1, 2**53 + 1], [None, 4], [5, 6]],
        np.array([[1, 2**53 + 1], [3, 4], [5, 6]]),
        pd.DataFrame([[1, 2**53 + 1], [3, 4], [5, 6]]),
    ],
)
@pytest.mark.parametrize("function", [rw.multiclass, hand_till_auc_score])
def test_integers_that_floats_cannot_hold_are_refused_in_a_matrix(function, table):
    with pytest.raises(
        ScoreError, match="y_prob at row 0, column 1 is the integer 9007199254740993, which"
    ):
        function(list("aab"), table)


def test_matrices_without_columns():
    with pytest.raises(InputError, match="y_true has no columns"):
        roc_auc_score(np.zeros((3, 0)), np.zeros((3, 0)))


def test_truth_is_checked_for_several_columns_too():
    with pytest.raises(OptionError, match="truth='mild' is not known"):
        roc_auc_score([[0, 1], [1, 0]], [[1, 2], [3, 4]], truth="mild")


def test_finite_rows_whose_sum_is_not():
    with pytest.raises(InputError, match="row 0 sums to inf"):
        roc_auc_score([0, 1, 2], np.full((3, 3), 1e308), multi_class="ovr")
