"""Labels: `pos_label` and one other; what is neither is refused, whatever function is asked."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import LabelError
from sklearn import metrics as peer

S = [0.9, 0.8, 0.7, 0.1]


def refused(*labels, pos_label):
    with pytest.raises(LabelError) as caught:
        rw.tally(list(labels), S[: len(labels)], pos_label=pos_label)
    return str(caught.value)


@pytest.mark.parametrize(
    ("positive", "negative"),
    [
        ("yes", "no"),
        ("event", "no event"),
        ("positive", "negative"),
        ("normal", "abnormal"),
        ("class1", "class2"),
        ("C+", "C-"),
        (1, 2),
        (True, False),
        (1.0, -1.0),
        ("1", "0"),
    ],
)
def test_a_sample_of_one_class_is_no_mistake(positive, negative):
    whole = rw.tally([positive, negative, positive, negative], S, pos_label=positive)
    assert (whole.total_up, whole.total_right) == (2, 2)
    none, all_of_them = ([one] * 4 for one in (negative, positive))
    assert rw.tally(none, S, pos_label=positive).total_up == 0
    assert rw.tally(all_of_them, S, pos_label=positive).total_right == 0


@pytest.mark.parametrize("written", ["Yes", "YES", " yes", "yes ", "ｙｅｓ"])
def test_another_spelling_is_a_mistake(written):
    hint = "Hint: did you mean 'yes'?"
    assert hint in refused("yes", "no", "yes", pos_label=written)
    assert hint in refused("yes", "yes", pos_label=written)


def test_a_typing_error_is_a_mistake_where_there_are_two_other_labels():
    assert "Hint: did you mean 'malignant'?" in refused("malignant", "benign", pos_label="malignat")
    assert "Hint: there are: 'a', 'b'." in refused("a", "b", pos_label="other")
    assert "Hint: there are: 0, 1." in refused(0, 1, pos_label=2)


def test_the_rarer_label_is_the_third_one():
    assert "y_true at row 0 has the label 'n/k' beside pos_label='yes' and 'no'." in refused(
        "n/k", "no", "no", "yes", pos_label="yes"
    )


def test_rows_without_weight_and_dropped_rows_have_no_label():
    labels = ["yes", "no", "unknown", "no"]
    tally = rw.tally(labels, S, pos_label="yes", sample_weight=[1, 1, 0, 1])
    assert (tally.total_up, tally.total_right) == (1, 2)
    with pytest.warns(rw.errors.DroppedRowsWarning):
        tally = rw.tally(labels, [0.9, 0.8, np.nan, 0.1], pos_label="yes", invalid="drop")
    assert (tally.total_up, tally.total_right) == (1, 2)


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_times_may_be_labels(unit):
    days = np.array(["2020-01-01", "2020-01-02", "2020-01-01", "2020-01-02"], dtype=f"M8[{unit}]")
    tally = rw.tally(days, S, pos_label=days[0])
    assert (tally.total_up, tally.total_right) == (2, 2)
    days[3] += 1
    with pytest.raises(
        LabelError, match="y_true at row [13] has the label .*2020-01-0.* beside pos"
    ) as e:
        rw.tally(days, S, pos_label=days[0])
    assert "Hint" in str(e.value)


def test_a_positive_label_beyond_the_type_of_the_labels():
    for labels in (np.array([0, 1, 0, 1], dtype=np.float16), np.array([0, 1, 0, 1], np.int8)):
        with pytest.raises(LabelError, match="No row has the label 70000 in y_true"):
            rw.tally(labels, S, pos_label=70000)
    mixed = np.array([np.float16(0.5), 2**62, 2**62, np.float16(0.5)], dtype=object)
    assert rw.tally(mixed, S, pos_label=2**62).total_up == 2


def test_lists_are_no_labels():
    labels = np.empty(4, dtype=object)
    labels[:] = ["a", ["b"], "a", "b"]
    with pytest.raises(LabelError, match=r"y_true at row 1 is \['b'\], not one label"):
        rw.tally(labels, S, pos_label="a")
    labels[:] = ["a", "b", "a", ["b"]]
    with pytest.raises(LabelError, match=r"y_true at row 3 is \['b'\], not one label"):
        rw.tally(labels, S, pos_label="a")


def test_drop_ins_keep_the_behaviour_of_scikit_learn():
    labels = np.array(["yes", "no", "unknown", "no"])
    for ours, theirs in zip(
        rw.metrics.roc_curve(labels, S, pos_label="yes"),
        peer.roc_curve(labels, S, pos_label="yes"),
        strict=True,
    ):
        np.testing.assert_array_equal(ours, theirs)
    assert rw.metrics.roc_auc_score(labels, S, pos_label="yes") == 1.0
    with pytest.warns(rw.errors.UndefinedMetricWarning):
        assert np.isnan(rw.metrics.roc_curve(labels, S, pos_label="Yes")[1]).all()


def test_tables_name_the_column():
    data = {"y": ["yes", "no", "unknown", "no"], "p": S}
    with pytest.raises(LabelError, match="^Column 'y' at row 2 has the label 'unknown' beside pos"):
        rw.tallies(data, score="p", label="y", pos_label="yes")
    with pytest.raises(
        LabelError, match="^No row has the label 'Yes' in column 'y'.\nHint: did you"
    ):
        rw.tallies(data, score="p", label="y", pos_label="Yes")
    both = rw.tallies({"y": ["yes", "no"], "p": [0.2, 0.1]}, score="p", label="y", pos_label="yes")
    assert both.labels == ("no", "yes")
    assert rw.tallies({"y": [1, 0], "p": [0.2, 0.1]}, score="p", label="y").labels is None


def test_a_label_beyond_a_float_of_numpy_is_a_third_one():
    with pytest.raises(LabelError, match="y_true at row 2 has the label 1000"):
        rw.roc([np.float64(0), 1, 10**400, 1], [0.1, 0.2, 0.3, 0.4], pos_label=1)


def test_a_label_that_is_a_long_double_beyond_float64_is_a_third_one():
    odd = np.longdouble(np.finfo(np.longdouble).max)
    with pytest.raises(LabelError, match="y_true has the labels"):
        rw.roc(np.array([True, False, odd, True], dtype=object), [0.1, 0.2, 0.3, 0.4])
