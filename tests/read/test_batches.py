"""Batches of a store: what is read of tables of predictions, labels and references."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rocwalk.errors import ColumnError, DroppedRowsWarning, LabelError, ScoreError
from rocwalk.read.batches import (
    digest_of,
    kinds_in,
    read_label_rows,
    read_predictions,
    read_reference,
)
from rocwalk.read.labels import Labels

DAYS = np.array(["2026-01-05", "2026-01-06", "2026-01-07"], dtype="datetime64[D]")
COLUMNS = {"id": "id", "time": "t", "score": "p"}


def predictions(**changes):
    return {"id": ["a", "b", "c"], "t": DAYS, "p": [0.1, 0.5, 0.9]} | changes


def test_predictions_have_ids_times_scores_and_no_weights():
    found = read_predictions(predictions(), **COLUMNS)
    assert (found.kind, len(found), found.unlabelled) == ("predictions", 3, 0)
    assert found.columns["id"].tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(found.columns["time"], DAYS.astype("datetime64[us]"))
    assert found.columns["score"].tolist() == [0.1, 0.5, 0.9]
    assert np.isnan(found.columns["weight"]).all()
    assert found.columns["segments"].tolist() == ["{}"] * 3


def test_weights_are_kept_bit_for_bit():
    weights = [0.1, 1 / 3, 1e-300]
    found = read_predictions(predictions(w=weights), **COLUMNS, weight="w")
    assert found.columns["weight"].tolist() == weights


def test_segments_are_json_in_the_order_of_their_names():
    data = predictions(site=["north", None, "ü"], age=[1, 2, 3])
    found = read_predictions(data, **COLUMNS, segments=["site", "age"]).columns["segments"]
    assert [json.loads(one) for one in found] == [
        {"age": "1", "site": "north"}, {"age": "2", "site": None}, {"age": "3", "site": "ü"},
    ]  # fmt: skip
    assert found[0].index("age") < found[0].index("site")


def test_the_digest_is_that_of_the_rows_in_any_order():
    found = read_predictions(predictions(), **COLUMNS)
    turned = {name: list(column)[::-1] for name, column in predictions().items()}
    assert read_predictions(turned, **COLUMNS).digest == found.digest
    other = read_predictions(predictions(p=[0.1, 0.5, 0.90001]), **COLUMNS)
    assert other.digest != found.digest
    assert digest_of(found.columns, by="id") == found.digest


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"id": ["a", None, "c"]}, ColumnError, r"'id' at row 1 is missing"),
        ({"id": ["a", "", "c"]}, ColumnError, r"'id' at row 1 is missing"),
        ({"id": [1.0, 2.5, 3.0]}, ColumnError, r"'id' at row 1 is 2.5, which is not an id"),
        ({"t": [1, 2, 3]}, ColumnError, "'t' holds numbers, and a store keeps dates"),
        ({"p": [0.1, 1.5, 0.9]}, ScoreError, r"'p' at row 1 is 1.5, outside \[0, 1\]"),
        ({"p": [0.1, np.nan, 0.9]}, ScoreError, r"'p' at row 1 is NaN"),
    ],
)
def test_what_cannot_be_used_is_named_by_column_and_row(changes, error, words):
    with pytest.raises(error, match=words):
        read_predictions(predictions(**changes), **COLUMNS)


def test_whole_numbers_that_a_gap_has_made_floats_are_ids():
    found = read_predictions(predictions(id=[1.0, 2.0, 2.0**52]), **COLUMNS)
    assert found.columns["id"].tolist() == ["1", "2", str(2**52)]


def test_rows_that_are_dropped_are_those_of_the_table():
    with pytest.warns(DroppedRowsWarning, match="1 of 3 rows"):
        found = read_predictions(predictions(p=[0.1, np.nan, 0.9]), **COLUMNS, invalid="drop")
    assert found.columns["id"].tolist() == ["a", "c"]
    assert found.kept.tolist() == [0, 2]


def test_labels_may_come_later_and_keep_their_time():
    data = {"id": ["a", "b", "c"], "y": [1, None, 0], "known": [DAYS[0], None, DAYS[2]]}
    found = read_label_rows(data, id="id", label="y", time="known")
    assert (found.kind, found.unlabelled) == ("labels", 1)
    assert found.columns["id"].tolist() == ["a", "c"]
    assert found.columns["label"].tolist() == [1.0, 0.0]
    np.testing.assert_array_equal(found.columns["time"], DAYS[[0, 2]].astype("datetime64[us]"))
    now = read_label_rows({"id": ["a"], "y": [1]}, id="id", label="y")
    assert abs(now.columns["arrived"][0] - np.datetime64("now", "us")) < np.timedelta64(1, "D")
    assert now.digest == read_label_rows({"id": ["a"], "y": [1]}, id="id", label="y").digest


def test_labels_have_two_names_and_a_third_is_named_with_its_row():
    labels = Labels("sick", "well")
    data = {"id": ["a", "b", "c"], "y": [None, "sick", "well"]}
    found = read_label_rows(data, id="id", label="y", labels=labels)
    assert found.columns["label"].tolist() == [1.0, 0.0]
    data["y"][2] = "dead"
    with pytest.raises(LabelError, match="'y'.* at row 2.*'dead'|'y' has the label 'dead'"):
        read_label_rows(data, id="id", label="y", labels=labels)


def test_a_batch_may_be_empty():
    empty = {"id": [], "t": [], "p": [], "y": []}
    assert len(read_predictions(empty, **COLUMNS)) == 0
    assert len(read_label_rows(empty, id="id", label="y")) == 0


def test_a_reference_leaves_out_what_either_column_lacks():
    data = {"p": [0.1, np.nan, 0.9, 0.5], "y": [0, 1, None, 1], "w": [1.0, 2, 3, 4]}
    columns = {"score": "p", "label": "y", "weight": "w"}
    with pytest.warns(DroppedRowsWarning):
        found = read_reference(data, **columns, invalid="drop")
    assert found["score"].tolist() == [0.1, 0.5]
    assert found["label"].tolist() == [0.0, 1.0]
    assert found["weight"].tolist() == [1.0, 4.0]
    with pytest.raises(ScoreError, match="'p' at row 1"):
        read_reference(data, **columns)


def test_columns_say_what_data_hold():
    assert kinds_in({"p": [], "y": []}, score="p", label="y") == ["predictions", "labels"]
    assert kinds_in({"y": []}, score="p", label="y") == ["labels"]
    with pytest.raises(ColumnError, match="There is no column 'p' in the data(.|\n)*of labels"):
        kinds_in({"pp": []}, score="p", label="y")
