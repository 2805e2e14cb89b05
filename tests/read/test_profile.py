"""Profiles: the same facts from every engine, and what is asked only where it is needed."""

from __future__ import annotations

import math

import narwhals.stable.v2 as nw
import numpy as np
import pytest

from engines import ENGINES
from rocwalk.read.lazy import open_lazy
from rocwalk.read.profile import (
    Facts,
    distinct_values,
    is_gap,
    is_number,
    number,
    take_profile,
)

LAZY = [one for one in ENGINES.values() if one.is_lazy and not one.is_spark]
COLUMNS = {
    "s": [0.5, -2.0, 1.0, 0.0, -1.0, 1.0],
    "i": [3, 1, 4, 1, 5, 9],
    "word": ["b", "a", None, "b", "c", "a"],
}


@pytest.fixture(params=LAZY, ids=lambda one: one.name)
def source(request):
    roles = dict.fromkeys(COLUMNS, "label")
    with open_lazy(request.param(COLUMNS), roles, None, None) as found:
        yield found


def own(source):
    schema = source.frame.collect_schema()
    names = {name: source.column(name) for name in ("s", "i")}
    return source.frame.select(
        *(number(name, schema[name]).alias(key) for key, name in names.items())
    )


def test_facts_are_the_same_in_every_engine(source):
    profile = take_profile(own(source), ["i"], ["s"], source.run)
    assert profile.rows == 6
    assert profile.facts["i"] == pytest.approx(Facts(0, 1.0, 9.0), nan_ok=True) or (
        (profile.facts["i"].wrong, profile.facts["i"].low, profile.facts["i"].high) == (0, 1, 9)
    )
    found = profile.facts["s"]
    assert (found.wrong, found.low, found.high) == (0, -2.0, 1.0)
    assert (found.zeros, found.ones, found.minus_ones, found.below) == (1, 2, 1, 2)
    assert (found.other_low, found.other_high) == (-2.0, 0.5)
    assert found.witnesses == [-2.0, -1.0, 0.0, 0.5, 1.0]


def test_distinct_values_leave_gaps_out(source):
    assert distinct_values(source.frame, source.column("word"), source.run, 9) == ["a", "b", "c"]
    assert len(distinct_values(source.frame, source.column("word"), source.run, 2)) == 2


def with_gaps(values):
    return nw.from_native(ENGINES["polars, lazy"]({"s": values}))


def collect(frame):
    found = frame.collect()
    return {name: found.get_column(name).to_numpy() for name in found.columns}


def test_gaps_and_values_that_are_not_finite_are_counted():
    frame = with_gaps([0.25, None, math.nan, math.inf, -math.inf, 0.75])
    schema = frame.collect_schema()
    floats = frame.select(number("s", schema["s"]).alias("s"))
    found = take_profile(floats, ["s"], [], collect).facts["s"]
    assert (found.wrong, found.low, found.high) == (4, 0.25, 0.75)
    marks = collect(frame.select(is_gap("s", schema["s"]).alias("g")))["g"]
    assert marks.tolist() == [False, True, True, False, False, False]


def test_a_column_of_gaps_has_no_extremes():
    frame = with_gaps([None, None]).select(number("s", nw.Float64()).alias("s"))
    found = take_profile(frame, [], ["s"], collect).facts["s"]
    assert found.wrong == 2
    assert math.isnan(found.low)
    assert found.witnesses == []


def test_where_nan_is_greatest_one_look_suffices_for_finite_columns():
    looks = []

    def counting(frame):
        looks.append(1)
        return collect(frame)

    fine = with_gaps([0.1, 0.9])
    assert take_profile(fine, ["s"], [], counting, nan_is_greatest=True).facts["s"].high == 0.9
    assert len(looks) == 1
    odd = with_gaps([0.1, math.inf])
    found = take_profile(odd, ["s"], [], counting, nan_is_greatest=True).facts["s"]
    assert (found.wrong, found.high, len(looks)) == (1, 0.1, 3)


def test_negative_zero_is_zero():
    frame = with_gaps([-0.0, 0.0]).select(number("s", nw.Float64()).alias("s"))
    assert not np.signbit(collect(frame)["s"]).any()
    assert not math.copysign(1, take_profile(frame, ["s"], [], collect).facts["s"].low) < 0


@pytest.mark.parametrize(
    ("dtype", "found"),
    [(nw.Int64(), True), (nw.Boolean(), True), (nw.String(), False), (nw.Date(), False)],
)
def test_numbers_and_booleans_are_numbers(dtype, found):
    assert is_number(dtype) is found
