"""Columns made into clean samples: what is kept, what is refused with its row, what is warned of."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

from rocwalk.errors import (
    DroppedRowsWarning,
    HardScoresWarning,
    InputError,
    LabelError,
    RocwalkError,
    ScoreError,
    SwappedArgumentsWarning,
    WeightError,
)
from rocwalk.read.arrays import as_floats, as_probabilities, check, nothing_left

Y, S = [1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.2, 0.1]

# -- samples ---------------------------------------------------------------------------------------


def test_hard_labels_without_weights_are_counts():
    sample = check(Y, S)
    assert sample.is_counts
    assert (sample.low, sample.high, sample.length) == (0.1, 0.9, 5)
    assert sample.tally().is_counts
    assert sample.tally() is sample.tally()  # made once


def test_soft_truth_and_weights_are_masses():
    assert not check([0.2, 0.9, 0.5], [0.1, 0.5, 0.9]).is_hard
    weighted = check(Y, S, sample_weight=[1, 2, 1, 2, 1])
    assert weighted.is_hard
    assert not weighted.is_counts
    assert float(weighted.tally().total_right) == 4


def test_rows_of_weight_0_are_absent():
    sample = check(Y, S, sample_weight=[1, 0, 1, 2, 0])
    assert sample.rows.tolist() == [0, 2, 3]
    assert sample.scores.tolist() == [0.9, 0.7, 0.2]
    bad = [0.9, math.nan, 0.7, 0.2, math.nan]  # where nobody looks
    assert check(Y, bad, sample_weight=[1, 0, 1, 2, 0]).scores.tolist() == [0.9, 0.7, 0.2]


def test_rows_that_are_dropped_keep_their_numbers():
    scores = [0.9, math.nan, 0.7, 0.2, math.inf]
    with pytest.warns(DroppedRowsWarning, match="2 of 5 rows were left out"):
        sample = check(Y, scores, invalid="drop")
    assert sample.dropped.tolist() == [1, 4]
    assert sample.rows.tolist() == [0, 2, 3]


def test_an_error_names_the_row_of_the_caller():
    weights = [0, 1, 1, 1, 1]
    with pytest.raises(ScoreError, match="y_score at row 3 is NaN"):
        check(Y, [0.9, 0.8, 0.7, math.nan, 0.1], sample_weight=weights)
    with pytest.raises(ScoreError, match=r"y_prob at row 3 is 1\.5, outside \[0, 1\]"):
        check(Y, [0.9, 0.8, 0.7, 1.5, 0.1], sample_weight=weights, probabilities=True)
    with pytest.raises(WeightError, match="sample_weight at row 2 is -1"):
        check(Y, S, sample_weight=[0, 1, -1, 1, 1])
    with pytest.raises(WeightError, match="is zero in all rows"):
        check(Y, S, sample_weight=[0] * 5)


def test_some_of_the_rows_are_a_sample_of_their_own():
    sample = check(Y, S, sample_weight=[1, 2, 3, 4, 5])
    part = sample.take(np.array([3, 1]))
    assert part.scores.tolist() == [0.2, 0.8]
    assert part.weights.tolist() == [4, 2]
    assert (part.low, part.high) == (0.2, 0.8)
    assert float(part.tally().total_right) == 6


def test_the_order_may_be_known_before_the_tally():
    sample = check(Y, S)
    order, ordered = sample.order
    assert ordered.tolist() == sorted(S, reverse=True)
    assert np.array(S)[order].tolist() == ordered.tolist()
    again = check(Y, S).tally()
    for name in ("scores", "up", "right"):
        assert getattr(sample.tally(), name).tolist() == getattr(again, name).tolist()


def test_both_labels_are_known_where_one_is_named():
    sample = check(["ill", "well", "ill"], [0.3, 0.2, 0.1], pos_label="ill")
    assert (sample.labels.positive, sample.labels.negative) == ("ill", "well")
    assert check(Y, S).labels is None


@pytest.mark.parametrize(("y", "s"), [([1], [0.1, 0.2]), ([], [])])
def test_columns_of_unequal_length_or_without_rows_are_refused(y, s):
    with pytest.raises(InputError):
        check(y, s)


# -- numbers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "column",
    [
        np.array([1, 2], dtype=np.int8),
        np.array([1, 2], dtype=np.uint64),
        np.array([1, 2], dtype=np.float16),
        np.array([1.0, 2.0], dtype=np.longdouble),
        np.array([1, 2.0], dtype=object),
    ],
    ids=lambda column: str(column.dtype),
)
def test_numbers_of_any_type_are_float64(column):
    found = as_floats(column, "y_score", ScoreError)
    assert found.dtype == np.float64
    assert found.tolist() == [1.0, 2.0]


def test_gaps_among_objects_are_nan():
    found = as_floats(np.array([1, None, math.nan], dtype=object), "y_score", ScoreError)
    assert found.tolist() == pytest.approx([1, math.nan, math.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("column", "row"),
    [
        (np.array([0, 2**53 + 1], dtype=np.int64), 1),
        (np.array([2**64 - 1, 0], dtype=np.uint64), 0),
        (np.array([0, 2**53 + 1], dtype=object), 1),
        (np.array([0, 10**400], dtype=object), 1),
    ],
)
def test_integers_that_float64_does_not_hold_are_refused(column, row):
    with pytest.raises(ScoreError, match="which float64 cannot hold exactly") as caught:
        as_floats(column, "y_score", ScoreError)
    assert caught.value.fields.row == row


def test_integers_that_float64_holds_may_be_large():
    assert as_floats(np.array([2**60, 0]), "y_score", ScoreError)[0] == 2.0**60


@pytest.mark.skipif(np.finfo(np.longdouble).nmant == 52, reason="long double is float64 here")
def test_long_doubles_that_become_equal_are_refused():
    one = np.longdouble(1)
    column = np.array([one, one + np.finfo(np.longdouble).eps])
    with pytest.raises(ScoreError, match="cannot hold exactly"):
        as_floats(column, "y_score", ScoreError)
    assert as_floats(column, "sample_weight", WeightError).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("value", ["0.5", 1j, [1]])
def test_what_is_no_number_is_refused_with_its_row(value):
    column = np.empty(2, dtype=object)
    column[:] = [0.5, value]
    with pytest.raises(ScoreError, match="not a number") as caught:
        as_floats(column, "y_score", ScoreError)
    assert caught.value.fields.row == 1


def test_probabilities_lie_from_0_to_1():
    assert as_probabilities([0, 0.5, 1], "y_prob").tolist() == [0, 0.5, 1]
    for wrong in (-0.1, 1.1, math.nan):
        with pytest.raises(ScoreError, match="y_prob at row 1 is"):
            as_probabilities([0.5, wrong], "y_prob")


# -- advice ----------------------------------------------------------------------------------------


def test_predicted_classes_and_swapped_columns_are_warned_of():
    with pytest.warns(HardScoresWarning, match="The scores are all 0 or 1"):
        check([1, 0, 1, 0], [1, 0, 0, 1])
    with pytest.warns(SwappedArgumentsWarning, match="were they swapped"):
        check(S, Y, truth="soft")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check([1, 0, 1, 0], [1, 0, 0, 1], with_advice=False)


def test_the_error_for_no_row_left_counts_the_causes():
    error = nothing_left(9, [("the label is missing", 4), ("the score is NaN", 5)], LabelError)
    assert isinstance(error, RocwalkError)
    assert "leaves none of 9 rows: the label is missing in 4 and the score is NaN in 5." in str(
        error
    )
    assert error.fields.counts == (9, 4, 5)
