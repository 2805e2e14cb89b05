"""Columns and tables of every kind as NumPy arrays."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from engines import ENGINES
from rocwalk.errors import ColumnError, InputError, LabelError
from rocwalk.read.frames import (
    GROUP,
    LABEL,
    NUMBER,
    Part,
    Table,
    column_names,
    column_to_numpy,
    columns_by_name,
    grouped,
    is_arrow_dataset,
    is_arrow_stream,
    is_files,
    is_to_open,
    match_label,
    plainly_named,
    read_table,
    refuse_duplicates,
    with_gaps,
)

# -- columns ---------------------------------------------------------------------------------------

FLOATS = [
    [0.5, float("nan")],
    (0.5, float("nan")),
    np.array([0.5, np.nan]),
    np.ma.masked_array([0.5, 7.0], [False, True]),
    pd.Series([0.5, None]),
    pd.Series([0.5, None], dtype="Float64"),
    pl.Series([0.5, None]),
    pa.array([0.5, None]),
    pa.chunked_array([[0.5], [None]]),
]


@pytest.mark.parametrize("column", FLOATS, ids=lambda one: type(one).__name__)
def test_a_gap_among_floats_is_nan(column):
    found = column_to_numpy(column, "y_score")
    assert found.dtype == np.float64
    assert found.tolist() == pytest.approx([0.5, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    "column",
    [pd.Series([1, None], dtype="Int64"), pl.Series([1, None]), pa.array([1, None])],
    ids=lambda one: type(one).__module__,
)
def test_a_gap_among_integers_is_none_and_the_others_stay_integers(column):
    found = column_to_numpy(column, "y_true")
    assert found.tolist() == [1, None]
    assert isinstance(found[0], int)


def test_text_beside_numbers_stays_what_it_is():
    assert column_to_numpy([1, "a"], "y_true").tolist() == [1, "a"]
    assert column_to_numpy(["b", "a"], "y_true").dtype.kind == "U"


def test_decimals_are_the_nearest_floats():
    column = pa.array([Decimal("0.43"), None])
    assert column_to_numpy(column, "y_score")[0] == 0.43


def test_columns_of_other_libraries_come_by_protocol():
    class Tensor:
        def __init__(self, values):
            self.values = np.asarray(values)

        def __len__(self):
            return len(self.values)

        def __dlpack__(self, **options):
            return self.values.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    assert column_to_numpy(Tensor([0.1, 0.2]), "y_score").tolist() == [0.1, 0.2]


def test_a_tensor_that_does_not_convert_itself_says_what_to_call():
    class Tensor:
        requires_grad, device = True, "cuda:0"

        def __len__(self):
            return 2

        def __array__(self, *_, **__):
            raise RuntimeError("can't convert")

    with pytest.raises(InputError, match=r"call \.detach\(\)\.cpu\(\) on it first"):
        column_to_numpy(Tensor(), "y_score")


@pytest.mark.parametrize("column", ["text", {"a": 1}, {1, 2}, None, 3.5, [[1], [1, 2]]])
def test_what_is_no_column_is_refused(column):
    with pytest.raises(InputError) as caught:
        column_to_numpy(column, "y_score")
    assert "y_score" in str(caught.value)


def test_gaps_are_nan_or_none():
    assert with_gaps(np.array([1.5, 2.5], dtype=np.float32), np.array([False, True])).dtype == float
    assert with_gaps(np.array([1, 2]), np.array([True, False])).tolist() == [None, 2]
    whole = np.array([1, 2])
    assert with_gaps(whole, np.array([False, False])) is whole


# -- tables ----------------------------------------------------------------------------------------

DATA = {"y": [0, 1, 1], "s": [0.1, 0.5, 0.9], "g": ["b", "a", "b"], "unused": [7, 8, 9]}


@pytest.mark.parametrize(
    "engine",
    [one for one in ENGINES.values() if not one.is_spark],
    ids=lambda one: one.name,
)
def test_only_the_named_columns_are_read(engine):
    table = read_table(engine(DATA), {"y": LABEL, "s": NUMBER, "g": GROUP})
    assert set(table.columns) == {"y", "s", "g"}
    rows = sorted(zip(*(table[name].tolist() for name in ("s", "y", "g")), strict=True))
    assert rows == [(0.1, 0, "b"), (0.5, 1, "a"), (0.9, 1, "b")]


@pytest.mark.parametrize("data", [DATA, pd.DataFrame(DATA), pl.DataFrame(DATA).lazy()])
def test_a_column_that_is_not_there_has_the_nearest_name_as_a_hint(data):
    with pytest.raises(ColumnError, match=r"There is no column 'unsed'[\s\S]*'unused'"):
        read_table(data, {"unsed": NUMBER})


def test_columns_of_a_dict_have_one_length():
    with pytest.raises(ColumnError, match="has 2 rows, column 'a' 1"):
        read_table({"a": [1], "b": [1, 2]}, {"a": NUMBER, "b": NUMBER})


def test_rows_keep_their_places():
    table = Table({"s": np.arange(4)}, "2 files", (Part("a", 3), Part("b", 1, lambda k: k + 2)))
    part = table.taken(np.array([1, 3]))
    assert part["s"].tolist() == [1, 3]
    assert part.where(0) == {"row": 1, "file": "a"}
    assert part.where(1) == {"row": 0, "file": "b", "line": 2}
    assert len(part.taken(np.array([1]))) == 1


def test_names_of_columns_and_columns_of_numbers():
    assert column_names(pl.DataFrame(DATA)) == list(DATA)
    numbers = {"a": [1.0, 2.0], "b": [3.0, 4.0]}
    found = columns_by_name(pd.DataFrame(numbers))
    assert {name: column.tolist() for name, column in found.items()} == numbers
    matrix = np.zeros((2, 2))
    assert columns_by_name(matrix) is matrix


def test_repeated_names_are_refused():
    with pytest.raises(ColumnError, match="There are 2 columns called 'a' in the table"):
        refuse_duplicates(["a", "b", "a"], "the table")
    with pytest.raises(ColumnError, match="'a'"):
        read_table(pd.DataFrame([[1, 2]], columns=["a", "a"]), {"a": NUMBER})


def test_what_has_to_be_opened(tmp_path):
    pq.write_table(pa.table(DATA), tmp_path / "x.parquet")
    dataset = ds.dataset(tmp_path)
    assert is_files("x.csv")
    assert is_files([tmp_path])
    assert not is_files([])
    assert not is_files([0.1, 0.2])
    assert is_arrow_dataset(dataset)
    assert is_arrow_stream(pa.table(DATA).to_reader())
    assert not is_to_open(pa.table(DATA))
    assert not is_to_open(pd.DataFrame(DATA))
    assert not is_to_open(DATA)


@pytest.mark.parametrize("name", ["polars, lazy", "duckdb", "ibis", "dask"])
def test_names_that_mean_something_to_an_engine_are_only_names(name):
    data = {"^s$": [1.0], "*": [2.0], 'a"b.c': [3.0], "v": [4.0]}
    frame, aliases = plainly_named(nw.from_native(ENGINES[name](data)), ['a"b.c', "^s$", "*"])
    assert list(frame.collect_schema().names()) == list(aliases.values())
    assert not any(alias in data for alias in aliases.values())
    found = nw.to_native(frame.collect("pyarrow" if name != "polars, lazy" else None))
    row = found.to_pylist()[0] if hasattr(found, "to_pylist") else found.row(0, named=True)
    assert [row[aliases[one]] for one in ('a"b.c', "^s$", "*")] == [3.0, 1.0, 2.0]


# -- labels and groups -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "text", "found"),
    [
        (np.array([0, 1]), "1", 1),
        (np.array([0.0, 1.0]), "1", 1.0),
        (np.array([True, False]), "TRUE", True),
        (np.array([True, False]), "1", True),
        (np.array(["1", "01"]), "1", "1"),
        (np.array(["yes", None], dtype=object), "yes", "yes"),
    ],
)
def test_a_label_is_found_by_its_text(labels, text, found):
    label = match_label(labels, text)
    assert label == found
    assert type(label) is type(found)


def test_a_text_that_means_no_label_or_several_is_refused():
    with pytest.raises(LabelError, match="'1' could mean any of the labels '01', '1.0'"):
        match_label(np.array(["01", "1.0"]), "1")
    with pytest.raises(LabelError, match="No row has the label 'maybe'"):
        match_label(np.array(["no", "yes"]), "maybe")


def test_groups_are_sorted_with_the_missing_one_last():
    columns = {
        "site": np.array(["s", None, "n", "s"], dtype=object),
        "year": np.array([2024, 2023, 2024, 2023]),
    }
    groups, codes = grouped(Table(columns, "t"), ["site", "year"])
    assert groups == [("n", 2024), ("s", 2023), ("s", 2024), (None, 2023)]
    assert codes.tolist() == [2, 3, 0, 1]
    assert grouped(Table(columns, "t"), [])[0] == [()]


def test_groups_of_dates_and_of_numpy_scalars():
    days = np.array([np.str_("b"), "a", np.str_("b")], dtype=object)
    assert grouped(Table({"d": days}, "t"), ["d"])[0] == [("a",), ("b",)]
    moments = np.array(["2024-01-02", "2024-01-01"], dtype="datetime64[ns]")
    groups, _ = grouped(Table({"d": moments}, "t"), ["d"])
    assert groups == [(dt.datetime(2024, 1, 1),), (dt.datetime(2024, 1, 2),)]


def test_values_of_several_kinds_make_no_groups():
    mixed = np.array([1, "a"], dtype=object)
    with pytest.raises(ColumnError, match="cannot make groups"):
        grouped(Table({"g": mixed}, "t"), ["g"])
