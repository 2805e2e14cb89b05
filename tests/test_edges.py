"""Edges that were once wrong: extreme weights, rounding, shared vertices, damaged files."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import rocwalk as rw
from rocwalk.errors import (
    ColumnError,
    FileError,
    InputError,
    LabelError,
    OptionError,
    ScoreError,
    TallyError,
)

Y, S = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
CURVE = rw.roc(Y, S)


@pytest.mark.parametrize("tiny", [1e-25, 1e-12])
def test_masses_that_rounding_swallows_do_not_hide_vertices(tiny):
    n = 4000
    rng = np.random.default_rng(0)
    s = np.arange(n, 0, -1.0) / n
    y = (rng.random(n) < s).astype(int)
    w = np.where(np.arange(n) % 2, tiny, 1.0)
    heavy = w > 0.5
    some, alone = rw.roc(y, s, sample_weight=w), rw.roc(y[heavy], s[heavy])
    assert some.hull.area == pytest.approx(alone.hull.area, abs=1e-8)
    assert some.best().point.youden == pytest.approx(alone.best().point.youden, abs=1e-8)


def test_hulls_of_heavy_tailed_weights_cover_their_walk():
    rng = np.random.default_rng(1)
    n = 4000
    w = np.exp(rng.normal(0, 10, n))
    s = rng.random(n)
    curve = rw.roc(rng.random(n) < s, s, sample_weight=w)
    hull = curve.hull
    assert np.all(np.interp(curve.fpr, hull.fpr, hull.tpr) >= curve.tpr - 1e-12)


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e-200, 1e150, 1e200, 1e300])
def test_weights_of_any_scale(scale):
    w = [scale] * 4
    curve = rw.roc(Y, S, sample_weight=w)
    assert curve.area == rw.metrics.roc_auc_score(Y, S, sample_weight=w) == 0.75
    assert curve.hull.area == CURVE.hull.area
    assert curve.best().threshold == CURVE.best().threshold
    assert curve.tally.bucketed(np.array([0.5])).auc_bounds == pytest.approx(
        CURVE.tally.bucketed(np.array([0.5])).auc_bounds
    )


def test_weights_whose_sum_float64_cannot_hold():
    assert rw.roc(Y, S, sample_weight=[1e308] * 4).area == 0.75


def test_a_turned_tally_refuses_other_words():
    both = rw.tally(Y, S, steps="both", threshold=0.5)
    assert rw.roc(both).area == rw.roc(both, steps="both", threshold=0.5).area
    with pytest.raises(TallyError, match="cannot be converted to steps='both'"):
        rw.roc(both, steps="both", threshold=0.85)
    with pytest.raises(TallyError, match="cannot be converted to steps='truth'"):
        rw.tally(both, steps="truth", threshold=0.4)
    with pytest.raises(OptionError, match="invalid='foo' is not known"):
        rw.roc(both, invalid="foo")
    rw.tally(Y, S, steps="both", threshold=np.float32(0.5))
    rw.tally(Y, S, steps="both", threshold=np.int64(1))


def test_a_shared_vertex_with_rounding_errors_belongs_to_the_earlier_model():
    rng = np.random.default_rng(4)
    for _ in range(50):
        f, w, s = rng.random(6).round(2), rng.random(6).round(1) + 0.1, rng.random(6)
        a = rw.roc(f, s, sample_weight=w, truth="soft")
        b = rw.roc(f, s, sample_weight=w * 3.7, truth="soft")
        for rate in (0.0, 0.3, 0.8, 1.0):
            assert {rule.model for rule in rw.mix({"a": a, "b": b}, fpr=rate).rules} == {"a"}


def test_averaging_by_threshold_refuses_what_buckets_hide():
    coarse = rw.roc(CURVE.tally.bucketed(np.array([0.5])))
    with pytest.raises(OptionError, match="lies inside the step from"):
        rw.average([CURVE.hull, CURVE], how="threshold")
    with pytest.raises(TallyError, match="every score of every curve, and a tally here is bucket"):
        rw.average([coarse, CURVE], how="threshold")
    grid = [np.inf, 0.9, 0.5]
    assert rw.average([CURVE, CURVE], how="threshold", grid=grid).thresholds.tolist() == grid


def test_average_precision_where_the_walk_rests_at_the_origin():
    late = [rw.roc(y, S) for y in ([0, 1, 0, 1], [0, 1, 1, 0])]
    assert rw.average(late).precision_recall(0.5).average_precision > 0
    single = rw.roc([0, 1, 0], [1.0, 0.8, 0.3], steps="single")
    assert single.precision_recall().average_precision == pytest.approx(1)


def test_row_numbers_are_the_callers():
    w = [0, 1, 1, 1]
    with pytest.raises(ScoreError, match="y_score at row 2 is 'x'"):
        rw.roc(Y, [0.5, 0.6, "x", 0.1], sample_weight=w)
    with pytest.raises(LabelError, match="y_true at row 2 is 0.3"):
        rw.roc([1, 0, 0.3, 0], S, truth="hard", sample_weight=w)
    with pytest.raises(LabelError, match="y_true at row 2 is 1.3"):
        rw.roc([1, 0, 1.3, 0], S, truth="soft", sample_weight=w)
    with (
        pytest.warns(rw.errors.DroppedRowsWarning),
        pytest.raises(LabelError, match="y_true at row 2 is 0.3"),
    ):
        rw.roc([1, 0, 0.3, 0], [np.nan, 0.6, 0.7, 0.1], truth="hard", invalid="drop")


# -- several classes -----------------------------------------------------------------------------


def test_several_classes_want_probabilities_and_know_their_words():
    p = np.array([[0.7, 0.3], [0.2, 0.8], [0.6, 0.4]])
    assert rw.multiclass(["a", "b", "a"], p, truth="auto", pos_label=None).hand_till == 1
    with pytest.raises(OptionError, match="pos_label='a' names one class"):
        rw.multiclass(["a", "b", "a"], p, pos_label="a")
    with pytest.raises(OptionError, match="truth='soft' does not go together"):
        rw.multiclass(["a", "b", "a"], p, truth="soft")
    with pytest.raises(ScoreError, match=r"y_prob at row 0, column 0 is 2.1, outside \[0, 1\]"):
        rw.multiclass(["a", "b", "a"], p * 3)
    with pytest.warns(rw.errors.DroppedRowsWarning, match="row 0"):
        rw.multiclass(["a", "b", "a", "b"], np.vstack([[3, 0], p]), invalid="drop")
    with pytest.raises(InputError, match="y_true has 3 rows, y_prob 2"):
        rw.multiclass(["a", "b", "a"], p[:2])
    with pytest.raises(ColumnError, match="2 columns called 'x' in y_prob"):
        rw.multiclass(["a", "b"], pa.table([[0.1, 0.2], [0.3, 0.4]], names=["x", "x"]))


def test_missing_classes_of_every_kind_are_missing():
    p = np.full((4, 2), 0.5)
    with pytest.raises(LabelError, match="y_true at row 3 is missing"):
        rw.multiclass(np.array(["a", "a", "b", pd.NA], dtype=object), p)
    days = np.array(["2020-01-01", "2020-01-01", "2020-01-02", "NaT"], dtype="M8[D]")
    with pytest.raises(LabelError, match="y_true at row 3 is missing"):
        rw.multiclass(days, p)
    with pytest.raises(LabelError, match="y_true at row 3 is missing"):
        rw.roc(days, S, pos_label=np.datetime64("2020-01-01"))


# -- what is no number, label or curve -----------------------------------------------------------


def test_what_numpy_takes_for_numbers_is_refused():
    for bad in (
        np.array(S, dtype=np.complex64),
        np.array([1, 2, 3, 4], dtype="m8[s]"),
        pd.Series(pd.to_timedelta([1, 2, 3, 4], unit="s")),
    ):
        with pytest.raises(ScoreError, match="y_score at row 0 is .*, not a number"):
            rw.roc(Y, bad)
    with pytest.raises(LabelError, match=r"pos_label=\[1\] is not one label"):
        rw.roc(Y, S, pos_label=[1])
    with pytest.raises(LabelError, match="y_true at row 1 is inf"):
        rw.roc([0, np.inf, 1, 1], S, pos_label=1)


def test_wrong_kinds_of_arguments_get_words():
    with pytest.raises(InputError, match="curves is an int"):
        rw.average(5)
    with pytest.raises(OptionError, match="The grid is empty or not made of numbers"):
        rw.average([CURVE], grid=["a"])
    with pytest.raises(TallyError, match="The edges are not all numbers"):
        CURVE.tally.bucketed(["a"])
    with pytest.raises(TallyError, match="The edges are not all numbers"):
        CURVE.tally.bucketed([np.nan])
    with pytest.raises(OptionError, match="The scores of the model 1 are missing"):
        rw.mix({1: CURVE}, fpr=0.25).decide({2: S})
    with pytest.raises(InputError, match="scores is a list"):
        rw.mix({"a": CURVE}, fpr=0.25).decide([0.1, 0.2])
    with pytest.raises(TypeError, match="unsupported operand|ufunc"):
        CURVE.tally + np.array([1, 2])
    assert CURVE.best(rw.Costs(false_positive=1, false_negative=5e-324)).slope == np.inf


def test_decisions_compare_in_full_precision():
    rule = rw.mix({"a": CURVE}, tpr=1.0)
    assert rule.rules[0].threshold == 0.7
    assert rule.decide({"a": np.array([0.7], dtype=np.float32)}).tolist() == [False]
    assert rule.decide({"a": np.array([0.7])}).tolist() == [True]


def test_no_negative_zero_survives():
    tally = rw.tally([1, 0, 1, 1], [-0.0, -0.0, -1e308, 1e-320])
    assert not np.signbit(tally.scores[1])


def test_arrays_of_results_are_read_only():
    mean = rw.average([CURVE, CURVE])
    for array in (CURVE.precision_recall().precision, mean.fpr_spread, mean.tpr_spread):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


# -- files ---------------------------------------------------------------------------------------


def test_saving_needs_the_name_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for bad in (".", ""):
        with pytest.raises(FileError, match="is not the name of a file"):
            CURVE.tally.save(bad)


def test_no_flipped_byte_leaks_a_raw_error(tmp_path):
    path = tmp_path / "a.npz"
    CURVE.tally.save(path)
    whole = path.read_bytes()
    for place in range(0, len(whole), 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            again = rw.Tally.load(path)
        except FileError:
            continue
        assert again.scores.tolist() == CURVE.tally.scores.tolist()
        assert again.up.tolist() == CURVE.tally.up.tolist()
