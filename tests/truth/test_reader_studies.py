"""Reader studies: laws, words, pictures and refusals."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocwalk as rw
from rocwalk.errors import (
    ColumnError,
    InputError,
    LabelError,
    OneClassError,
    OptionError,
    RocwalkError,
    ScoreError,
    UndefinedMetricWarning,
)
from truth.reader_tables import NAMES, ratings_of, study_of

# -- laws ------------------------------------------------------------------------------------------


def test_row_order_and_names_change_nothing():
    table, _, _ = ratings_of(tests=3)
    first = study_of(table)
    frame = pd.DataFrame(table)
    mixed = study_of(frame.sample(frac=1, random_state=3).reset_index(drop=True))
    assert mixed.f == pytest.approx(first.f, rel=1e-12)
    assert mixed.df == pytest.approx(first.df, rel=1e-12)
    for data in (pl.DataFrame(table), pl.LazyFrame(table), frame):
        assert study_of(data).f == first.f


def test_files_and_words(tmp_path):
    table, _, _ = ratings_of()
    frame = pd.DataFrame(table)
    frame["y"] = np.where(frame["y"] == 1, "ill", "well")
    frame.to_csv(tmp_path / "ratings.csv", index=False)
    found = rw.reader_study(tmp_path / "ratings.csv", **NAMES, pos_label="ill")
    assert found.f == pytest.approx(study_of(table).f)
    frame.to_csv(tmp_path / "comma.csv", index=False, sep=";", decimal=",")
    again = rw.reader_study(
        tmp_path / "comma.csv", **NAMES, pos_label="ill", separator=";", decimal=","
    )
    assert again.f == pytest.approx(found.f)


def test_an_increasing_transformation_of_a_readers_scale_changes_nothing():
    table, _, _ = ratings_of()
    first = study_of(table)
    moved = dict(table)
    moved["rating"] = np.where(
        table["who"] == "reader 1", np.exp(table["rating"]), 3 * table["rating"] - 7
    )
    found = study_of(moved)
    assert found.areas == pytest.approx(first.areas, abs=1e-15)
    assert found.p_value == pytest.approx(first.p_value, rel=1e-12)


def test_exchanging_tests_turns_the_difference_round():
    table, _, _ = ratings_of()
    other = dict(table)
    other["how"] = np.where(table["how"] == "test 0", "test 1", "test 0")
    one, two = study_of(table).differences[0], study_of(other).differences[0]
    assert (one.a, two.a) == ("test 0", "test 1")
    assert (one.low, one.high, one.p_value) == pytest.approx((two.low, two.high, two.p_value))


def test_f_is_the_square_of_t_for_two_tests():
    for seed in range(5):
        found = study_of(ratings_of(seed)[0])
        assert found.f == pytest.approx(found.differences[0].z ** 2)
        assert found.p_value == pytest.approx(found.differences[0].p_value)


# -- result ----------------------------------------------------------------------------------------


def test_sentences_say_what_was_done_and_claim_no_equality():
    alike = study_of(ratings_of(gap=0.0)[0])
    assert alike.p_value > 0.05
    assert "that does not make the tests equal" in alike.sentence
    assert "random readers, random cases, delong covariance" in alike.sentence
    apart = study_of(ratings_of(gap=3.0, positives=40, negatives=40, readers=6)[0])
    assert apart.p_value < 0.05
    assert "does not make" not in apart.sentence
    fixed = study_of(ratings_of()[0], readers="fixed", covariance="jackknife")
    assert "with 1 and ∞ degrees" in fixed.sentence
    assert "fixed readers, random cases, jackknife covariance" in fixed.sentence


def test_curves_and_picture():
    found = study_of(ratings_of()[0])
    assert list(found.curves) == ["test 0", "test 1"]
    assert found.curves["test 1"]["reader 2"].area == pytest.approx(found.areas[1, 2])
    for test, mean in zip(found.mean_curves.values(), found.means, strict=True):
        assert test.area == pytest.approx(mean.estimate)
    ax = found.plot()
    kinds = [line.get_gid() for line in ax.lines]
    assert (kinds.count("reader"), kinds.count("curve")) == (8, 2)
    assert "test 1, mean of readers" in ax.get_legend().get_texts()[1].get_text()


def test_frame_and_dict():
    found = study_of(ratings_of()[0])
    frame = found.to_frame("pandas")
    assert list(frame.columns) == ["test", "reader", "value"]
    assert frame["value"].to_numpy().reshape(2, 4) == pytest.approx(found.areas)
    plain = found.to_dict()
    assert plain["components"]["cov2"] == found.components.cov2
    assert plain["means"][1]["test"] == "test 1"
    assert plain["differences"][0]["p_value"] == found.p_value


# -- refusals --------------------------------------------------------------------------------------


def changed(table, where, column, value):
    copy = {name: np.array(values, dtype=object) for name, values in table.items()}
    copy[column][where] = value
    return copy


def without(table, rows):
    keep = np.setdiff1d(np.arange(len(table["y"])), rows)
    return {name: np.asarray(values)[keep] for name, values in table.items()}


TABLE = ratings_of()[0]
REFUSED = {
    "one reader": (
        lambda: study_of({k: np.asarray(v)[TABLE["who"] == "reader 0"] for k, v in TABLE.items()}),
        InputError, r"There is one reader only, 'reader 0'\..*rocwalk.compare",
    ),
    "one test": (
        lambda: study_of({k: np.asarray(v)[TABLE["how"] == "test 0"] for k, v in TABLE.items()}),
        InputError, r"There is one test only, 'test 0'\.",
    ),
    "a case missing for a reader": (
        lambda: study_of(without(TABLE, [30])),
        InputError,
        (
            r"Case 103 by reader 'reader 1' with test 'test 0' has no rating: the design of "
            r"2 tests, 4 readers and 27 cases is not complete\."
        ),
    ),
    "two cases missing": (
        lambda: study_of(without(TABLE, [30, 31])), InputError, r"and 1 more ratings are missing",
    ),
    "an empty rating": (
        lambda: study_of(changed(TABLE, 30, "rating", None)),
        InputError, r"Case 103 by reader 'reader 1' with test 'test 0' has no rating",
    ),
    "a rating twice": (
        lambda: study_of({k: np.append(v, np.asarray(v)[7]) for k, v in TABLE.items()}),
        InputError,
        (
            r"Case 107 by reader 'reader 0' with test 'test 0' is rated twice, at row 7 and "
            r"row 216\."
        ),
    ),
    "two truths of a case": (
        lambda: study_of(changed(TABLE, 30, "y", 0)),
        LabelError, r"Case 103 has the truth 1 at row 3 and 0 at row 30\.",
    ),
    "a missing truth": (
        lambda: study_of(changed(TABLE, 30, "y", None)), LabelError, r"Column 'y'.*row 30.*missing",
    ),
    "soft truth": (
        lambda: study_of(TABLE | {"y": TABLE["y"] * 0.5}),
        LabelError, r"is 0\.5, which is neither class\..*reference_truth",
    ),
    "words of truth": (
        lambda: study_of(TABLE | {"y": np.where(TABLE["y"] == 1, "ill", "well")}),
        LabelError, r"pos_label",
    ),
    "a nameless reader": (
        lambda: study_of(changed(TABLE, 5, "who", None)),
        ColumnError, r"name the reader of every rating",
    ),
    "a word among ratings": (
        lambda: study_of(changed(TABLE, 5, "rating", "high")), ScoreError, r"'rating'.*row 5",
    ),
    "an infinite rating": (
        lambda: study_of(changed(TABLE, 5, "rating", math.inf)), ScoreError, r"row 5.*inf",
    ),
    "a reader of constant ratings": (
        lambda: study_of(changed(TABLE, (TABLE["who"] == "reader 2") & (TABLE["how"] == "test 1"),
                                 "rating", 3.0)),
        ScoreError, r"Reader 'reader 2' gives all cases the same rating, 3, with test 'test 1'\.",
    ),
    "one positive case": (
        lambda: study_of(ratings_of(positives=1)[0]), OneClassError, r"fewer than two positive",
    ),
    "no negative case": (
        lambda: study_of(ratings_of(negatives=0)[0]), OneClassError, r"negative",
    ),
    "both fixed": (
        lambda: study_of(TABLE, readers="fixed", cases="fixed"), OptionError, r"cannot both be fixed",
    ),
    "an unknown covariance": (
        lambda: study_of(TABLE, covariance="bootstrap"), OptionError, r"covariance='bootstrap'",
    ),
    "an unknown effect": (
        lambda: study_of(TABLE, readers="mixed"), OptionError, r"readers='mixed'",
    ),
    "unbiased of a rate": (
        lambda: study_of(TABLE, covariance="unbiased", statistic="sensitivity", threshold=1),
        OptionError, r"is for the AUC.*covariance='jackknife'",
    ),
    "delong of a number of the hull": (
        lambda: study_of(TABLE, covariance="delong", statistic="h_measure"),
        OptionError, r"h_measure does not say.*covariance='jackknife'",
    ),
    "an undefined statistic": (
        lambda: study_of(TABLE, statistic="precision", threshold=100),
        InputError, r"of reader 'reader 0' with test 'test 0' is undefined",
    ),
    "a column twice": (
        lambda: rw.reader_study(TABLE, **NAMES | {"test": "who"}),
        OptionError, r"reader and test name the same column, 'who'",
    ),
    "a column that is not there": (
        lambda: rw.reader_study(TABLE, **NAMES | {"test": "hwo"}),
        ColumnError, r"no column 'hwo'.*did you mean 'who'",
    ),
    "a level": (lambda: study_of(TABLE, confidence_level=95), OptionError, r"outside \(0, 1\)"),
}  # fmt: skip


@pytest.mark.parametrize(("ask", "kind", "words"), REFUSED.values(), ids=list(REFUSED))
def test_refusals_name_what_is_wrong(ask, kind, words):
    with pytest.raises(kind, match=f"(?s){words}") as caught:
        ask()
    assert isinstance(caught.value, RocwalkError)
    assert caught.value.hint


def test_readers_who_are_copies_have_no_error():
    table, _, values = ratings_of(readers=1)
    copies = {name: np.tile(column, 3) for name, column in table.items()}
    copies["who"] = np.repeat(["a", "b", "c"], len(table["who"]))
    with pytest.warns(UndefinedMetricWarning, match="estimated error is 0"):
        found = study_of(copies, cases="fixed")
    assert math.isnan(found.f)
    assert math.isnan(found.p_value)
    assert math.isnan(found.differences[0].low)
    assert "the test of equal tests is undefined" in found.sentence
    random = study_of(copies)  # the cases still differ
    assert random.df[1] == math.inf
    assert 0 <= random.p_value <= 1
    assert values.shape == (2, 1, 27)
