"""What sets engines apart is asked in one place."""

from __future__ import annotations

import ast

import ibis
import narwhals.stable.v2 as nw
import pytest

from commands import ROOT
from engines import ENGINES
from rocwalk.read.engine import can_group, engine_of, query_of

LAZY = [one for one in ENGINES.values() if one.is_lazy and not one.is_spark]
COLUMNS = {"y": [1, 0, 1], "s": [0.9, 0.4, 0.1]}


def test_only_this_file_asks_for_ibis():
    for path in (ROOT / "src" / "rocwalk").rglob("*.py"):
        if path.name != "engine.py":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            assert not any(getattr(node, "attr", "") == "is_ibis" for node in ast.walk(tree)), path


@pytest.mark.parametrize("engine", LAZY, ids=lambda one: one.name)
def test_engines_can_group_and_say_what_they_are_asked(engine):
    frame = nw.from_native(engine(COLUMNS))
    assert can_group(frame)
    if not engine.name.startswith("duckdb"):  # whose relations say it themselves
        assert "s" in query_of(frame)


def test_what_sets_each_apart():
    found = {one.name: engine_of(nw.from_native(one(COLUMNS))) for one in LAZY}
    assert {name for name, one in found.items() if one.knows_case} == {
        "polars, lazy",
        "dask",
        "dask, pyarrow",
    }
    assert {name for name, one in found.items() if one.writes_booleans} == {"dask", "dask, pyarrow"}
    assert {name for name, one in found.items() if not one.can_unpivot} == {"ibis"}
    assert {name for name, one in found.items() if one.repeats_expressions} == {"ibis"}


def test_sqlite_cannot_group(tmp_path):
    table = ibis.sqlite.connect(tmp_path / "scores.db").create_table(
        "scores", schema=ibis.schema({"y": "int64", "s": "float64"})
    )
    assert not can_group(nw.from_native(table))
