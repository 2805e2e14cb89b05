"""Tallies of a lazy table, against those of the same columns in memory."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocwalk as rw
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    LabelError,
    ScoreError,
    WeightError,
)
from rocwalk.read.lazy import open_lazy
from rocwalk.read.lazy_tallies import gather, labels_of
from rocwalk.read.roles import Reading, Roles


def columns(rows=200, seed=2):
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.4).astype(int)
    return {
        "y": y, "a": np.round(rng.random(rows), 2), "b": np.round(rng.normal(y, 1), 1),
        "w": np.round(rng.random(rows), 3), "g": np.array(["n", "s", "e"])[rng.integers(0, 3, rows)],
    }  # fmt: skip


@pytest.fixture(params=["polars", "duckdb"])
def lazily(request):
    def make(data):
        if request.param == "polars":
            return pl.LazyFrame(data)
        return duckdb.connect().from_df(pd.DataFrame(data))

    return make


def roles(**named):
    known = {"scores": ("a",), "label": "y", "raters": (), "weight": None, "groups": ()}
    return Roles(**(known | named))


def gathered(table, asked, **reading):
    with open_lazy(table, dict.fromkeys(asked.names, "number"), None, None) as source:
        return gather(source, asked, Reading(**reading))


def assert_same(found, expected):
    np.testing.assert_array_equal(found.scores, expected.scores)
    np.testing.assert_allclose(found.up, expected.up, rtol=1e-12)
    np.testing.assert_allclose(found.right, expected.right, rtol=1e-12)


def test_the_columns_that_are_needed_are_named_once():
    asked = roles(scores=("a", "b"), weight="w", groups=("a", "g"))
    assert asked.names == ["a", "b", "g", "y", "w"]


def test_every_score_and_group_has_the_tally_of_its_rows(lazily):
    data = columns()
    found = gathered(lazily(data), roles(scores=("a", "b"), groups=("g",)))
    assert found.rows == 200
    assert set(found.parts) == {(name, (group,)) for name in "ab" for group in "nse"}
    for (name, (group,)), part in found.parts.items():
        inside = data["g"] == group
        expected = rw.tally(data["y"][inside], data[name][inside])
        assert_same(part, expected)
        assert part.up.dtype == expected.up.dtype == np.int64
    assert set(found.dropped.values()) == {0}


def test_weights_and_soft_truth_to_twelve_digits(lazily):
    data = columns()
    found = gathered(lazily(data), roles(weight="w")).parts["a", ()]
    assert_same(found, rw.tally(data["y"], data["a"], sample_weight=data["w"]))
    soft = data | {"y": data["a"] ** 2}
    found = gathered(lazily(soft), roles(), truth="soft").parts["a", ()]
    assert_same(found, rw.tally(soft["y"], soft["a"], truth="soft"))


def test_votes_make_the_share_of_the_positive_ones(lazily):
    votes = {"r1": [1, 0, 1, 1], "r2": [1.0, np.nan, 0.0, 1.0]}
    found = gathered(
        lazily({"a": [0.9, 0.8, 0.7, 0.1]} | votes), roles(label=None, raters=("r1", "r2"))
    )
    part = found.parts["a", ()]
    assert_same(part, rw.tally([1, 0, 0.5, 1], [0.9, 0.8, 0.7, 0.1], truth="soft"))


def test_labels_are_text_and_the_other_one_is_known(lazily):
    data = columns()
    data["y"] = np.where(data["y"] == 1, "sick", "well")
    found = gathered(lazily(data), roles(), pos_label="sick")
    assert found.labels == ("well", "sick")
    assert_same(found.parts["a", ()], rw.tally(data["y"], data["a"], pos_label="sick"))
    with open_lazy(lazily(data), {"y": "label"}, None, None) as source:
        assert sorted(labels_of(source, "y")) == ["sick", "well"]
    with pytest.raises(
        LabelError, match="the labels sick, well, which do not say which one is positive"
    ):
        gathered(lazily(data), roles())
    with pytest.raises(LabelError, match="No row has the label 'ill'"):
        gathered(lazily(data), roles(), pos_label="ill")


def test_what_is_dropped_is_counted_for_each_score(lazily):
    data = columns()
    data["a"] = np.where(np.arange(200) < 5, np.nan, data["a"])
    with pytest.warns(DroppedRowsWarning, match="5 of 200 rows"):
        found = gathered(lazily(data), roles(scores=("a", "b")), invalid="drop")
    assert found.dropped == {("a", ()): 5, ("b", ()): 0}
    assert found.parts["a", ()].total_count == 195


@pytest.mark.parametrize(
    ("change", "named", "reading", "error", "words"),
    [
        ({"a": np.nan}, {}, {}, ScoreError, "'a' is NaN, missing or infinite in 1 of 200 rows"),
        ({"a": np.inf}, {}, {}, ScoreError, "'a' is NaN, missing or infinite in 1 of 200 rows"),
        ({"w": -1.0}, {"weight": "w"}, {}, WeightError, "'w' is negative in 1 of 200 rows"),
        ({"w": np.nan}, {"weight": "w"}, {}, WeightError, "'w' is NaN, missing or infinite"),
        (
            {"a": 2.0}, {}, {"needs_probabilities": True}, ScoreError,
            r"'a' has values from \S+ to 2, outside \[0, 1\]",
        ),
        ({"y": 2}, {}, {}, LabelError, "'y'"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_counted(lazily, change, named, reading, error, words):
    data = columns()
    for name, value in change.items():
        data[name] = data[name].astype(type(value))
        data[name][3] = value
    with pytest.raises(error, match=words):
        gathered(lazily(data), roles(**named), **reading)


def test_integers_that_float64_does_not_tell_apart_are_refused(lazily):
    data = {"y": [1, 0], "a": np.array([2**53, 2**53 + 1])}
    with pytest.raises(ScoreError, match="'a' has integers up to 9.0072e.15, which float64 cannot"):
        gathered(lazily(data), roles())


def test_a_table_without_rows_or_without_weight_is_refused(lazily):
    data = columns()
    with pytest.raises(InputError, match="There are no rows in the table"):
        gathered(lazily({name: column[:0] for name, column in data.items()}), roles())
    with pytest.raises(WeightError, match="'w' is zero in all rows"):
        gathered(lazily(data | {"w": np.zeros(200)}), roles(weight="w"))


def test_a_group_without_weight_is_there_all_the_same(lazily):
    data = columns()
    data["w"] = np.where(data["g"] == "n", 0.0, data["w"])
    found = gathered(lazily(data), roles(weight="w", groups=("g",)))
    assert {group for _, (group,) in found.parts} == {"n", "s", "e"}
    assert found.parts["a", ("n",)].total_count == 0
