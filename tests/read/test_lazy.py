"""Lazy tables: which tables stay where they are, and what of them is collected."""

from __future__ import annotations

import datetime as dt

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

from rocwalk.errors import ColumnError, OptionError
from rocwalk.read.frames import LABEL, NUMBER
from rocwalk.read.lazy import bytes_of, is_large, need_of_rows, open_lazy, stays_lazy

ROLES = {"y": LABEL, "s": NUMBER}
COLUMNS = {"y": [1, 0, 1], "s": [0.5, 0.25, float("nan")]}


@pytest.fixture
def relation():
    with duckdb.connect() as connection:
        given = pd.DataFrame(COLUMNS)
        yield connection.from_df(given)


def test_lazy_tables_stay_and_others_come_unless_they_are_too_long(relation):
    assert stays_lazy(pl.LazyFrame(COLUMNS), ROLES, None, None)
    assert stays_lazy(relation, ROLES, None, None)
    for data in (COLUMNS, pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS)):
        assert not stays_lazy(data, ROLES, None, None)
        assert not stays_lazy(data, ROLES, 3, None)
        assert stays_lazy(data, ROLES, 2, None)


def test_a_lazy_table_is_large_if_its_rows_need_more_than_the_limit(relation):
    needed = need_of_rows(3, 2)
    for data in (relation, pl.LazyFrame(COLUMNS)):
        assert is_large(data, ROLES, f"{(needed - 1) / 1000}KB")
        assert not is_large(data, ROLES, f"{(needed + 1) / 1000}KB")
    assert not is_large(pd.DataFrame(COLUMNS), ROLES, "0.001KB")  # which is in memory already


def collected(data, roles):
    with open_lazy(data, roles, None, None) as source:
        wanted = source.frame.select(*(source.column(name) for name in roles))
        found = source.run(wanted)
        return {name: found[source.column(name)] for name in roles}


@pytest.mark.parametrize("kind", ["dict", "pandas", "polars", "lazy", "duckdb"])
def test_every_table_gives_the_same_columns(kind, relation):
    made = {
        "dict": COLUMNS,
        "pandas": pd.DataFrame(COLUMNS),
        "polars": pl.DataFrame(COLUMNS),
        "lazy": pl.LazyFrame(COLUMNS),
        "duckdb": relation,
    }
    found = collected(made[kind], ROLES)
    assert sorted(found["y"].tolist()) == [0, 1, 1]
    np.testing.assert_array_equal(np.sort(found["s"].astype(float)), [0.25, 0.5, np.nan])


@pytest.mark.parametrize(
    "column",
    [
        np.array([0.5, 1 / 3, np.nan], dtype=np.float32),
        np.array([0.5, 0.25, np.nan], dtype=np.longdouble),
        np.array([0.5, 0.25, np.nan], dtype=">f8"),
        np.array([0.5, 0.25, np.nan], dtype=np.float16),
    ],
    ids=lambda one: str(one.dtype),
)
def test_floats_of_every_width_keep_their_values(column):
    found = collected({"y": [1, 0, 1], "s": column}, ROLES)["s"]
    np.testing.assert_array_equal(np.sort(found.astype(float)), np.sort(column.astype(float)))


def test_dates_and_text_are_columns_of_an_engine_too():
    day = np.array(["2026-01-05", "2026-01-06"], dtype="datetime64[D]")
    found = collected({"d": day, "t": np.array(["a", "ü"])}, {"d": LABEL, "t": LABEL})
    assert sorted(found["d"].tolist()) == [dt.date(2026, 1, 5), dt.date(2026, 1, 6)]
    assert sorted(found["t"].tolist()) == ["a", "ü"]


@pytest.mark.parametrize(
    "column", [np.array([1, "a"], dtype=object), np.array([1j, 2j])], ids=["mixed", "complex"]
)
def test_types_that_engines_do_not_know_are_refused_by_column(column):
    with pytest.raises(ColumnError, match="Column 'y' has values of several types, or of one"):
        collected({"y": column, "s": [0.1, 0.2]}, ROLES)


def test_integers_wider_than_engines_group_are_refused():
    frame = pl.LazyFrame(COLUMNS).with_columns(pl.col("y").cast(pl.Int128))
    with pytest.raises(ColumnError, match="Column 'y' is of type Int128, which rows are not"):
        stays_lazy(frame, ROLES, None, None)


def test_names_that_differ_in_case_only_are_two_columns_to_polars():
    frame = pl.LazyFrame({**COLUMNS, "Y": [0, 0, 0]})
    assert sorted(collected(frame, ROLES)["y"].tolist()) == [0, 1, 1]


@pytest.mark.parametrize("limit", ["", "GB", "-1GB", "0KB", "infGB", "nanGB", "1 PB", 5])
def test_an_amount_of_memory_needs_a_number_and_a_unit(limit):
    with pytest.raises(OptionError, match="is not an amount of memory"):
        bytes_of(limit)


def test_units_of_memory():
    assert bytes_of("2KiB") == 2048
    assert bytes_of(" 1.5gb ") == 1.5e9
    assert bytes_of(None) == 1e9
