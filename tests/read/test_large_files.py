"""Files through DuckDB with a limit on memory: the same tallies, the same words, nothing left."""

from __future__ import annotations

import gzip
import inspect
import itertools
import json
import os
import signal
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from rocwalk.errors import (
    ColumnError,
    DroppedRowsWarning,
    FileError,
    InputError,
    LabelError,
    OptionError,
    RocwalkError,
    ScoreError,
    WeightError,
)
from rocwalk.read.lazy import bytes_of
from rocwalk.read.sources import connect

EXACT, BUCKETS = 10**6, 0
NAMES = {"score": "s", "label": "y"}
PATIENCE = 60


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def parquet(path: Path, columns: dict) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)
    return path


def assert_same(one: rw.Tally, other: rw.Tally) -> None:
    """Bit for bit for counts, 1e-12 for soft and weighted masses."""
    assert np.array_equal(one.scores, other.scores)
    for name in ("up", "right"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.dtype == theirs.dtype
        if mine.dtype.kind == "i":
            assert mine.tobytes() == theirs.tobytes()
        else:
            assert np.allclose(mine, theirs, rtol=1e-12, atol=1e-12)
    assert np.array_equal(one.count, other.count)


def assert_same_bits(one: rw.Tally, other: rw.Tally) -> None:
    """All stored columns, to the last bit."""
    for name in ("scores", "up", "right"):
        assert getattr(one, name).dtype == getattr(other, name).dtype
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
    assert one.stored.keys() == other.stored.keys()
    for name, column in one.stored.items():
        assert column.dtype == other.stored[name].dtype
        assert column.tobytes() == other.stored[name].tobytes()


def keys_and_types(tallies: rw.Tallies) -> list:
    return [(name, group, [type(value) for value in group]) for name, group in tallies]


def assert_all_ways_agree(data, **options) -> rw.Tallies:
    """Read in memory, and twice through DuckDB; return what was read in memory."""
    given = NAMES | options
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DroppedRowsWarning)
        expected = rw.tallies(data, **given)
        exact = rw.tallies(data, **given, limit=EXACT)
        coarse = rw.tallies(data, **given, limit=BUCKETS)
    for found in (exact, coarse):
        assert keys_and_types(found) == keys_and_types(expected)
        assert dict(found.dropped) == dict(expected.dropped)
    for key, tally in expected.items():
        assert_same(exact[key], tally)
        assert not exact[key].is_bucketed
        one = coarse[key]
        assert (one.total_count, len(one) <= len(tally)) == (tally.total_count, True)
        assert one.total_up == pytest.approx(tally.total_up, rel=1e-12)
        if tally.total_up > 0 and tally.total_right > 0:
            low, _, high = one.auc_bounds
            assert low - 1e-12 <= tally.area <= high + 1e-12
            assert one.mean_score == pytest.approx(tally.mean_score, rel=1e-12)
    return expected


# -- formats -------------------------------------------------------------------------------------

ROWS = 400


def many_rows() -> dict[str, list]:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, ROWS)
    s = np.clip(rng.normal(0.4 + 0.2 * y, 0.15), 0, 1)
    s[::3] = np.round(s[::3], 2)
    return {"y": y.tolist(), "s": s.tolist(), "g": rng.integers(1, 12, ROWS).tolist()}


def separated(columns: dict[str, list], separator: str, comma: str = ".") -> str:
    rows = zip(*columns.values(), strict=True)
    lines = [separator.join(columns)]
    lines += [separator.join(str(v).replace(".", comma) for v in row) for row in rows]
    return "\n".join(lines) + "\n"


def as_json(columns: dict[str, list]) -> str:
    rows = zip(*columns.values(), strict=True)
    return "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows)


def write_as(path: Path, columns: dict[str, list]) -> Path:
    kind = path.name.split(".", 1)[1]
    if kind == "parquet":
        return parquet(path, columns)
    if kind.startswith("jsonl"):
        return write(path, as_json(columns))
    if path.name.startswith("comma"):
        return write(path, separated(columns, ";", ","))
    return write(path, separated(columns, {"tsv": "\t", "psv": "|"}.get(kind, ",")))


FORMATS = [
    *("a.csv", "a.tsv", "a.psv", "comma.csv", "comma.tsv", "a.csv.gz"),
    *("a.jsonl", "a.jsonl.gz", "a.parquet"),
]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format(tmp_path, name):
    columns = many_rows()
    found = assert_all_ways_agree(write_as(tmp_path / name, columns), by="g")
    assert keys_and_types(found) == [("s", (g,), [int]) for g in sorted(set(columns["g"]))]
    whole = rw.tally(columns["y"], columns["s"])
    assert_same(rw.tallies(tmp_path / name, **NAMES, limit=EXACT).only, whole)


@pytest.mark.parametrize("name", ["csv", pytest.param("jsonl", marks=pytest.mark.slow), "parquet"])
def test_patterns_lists_and_columns_in_another_order(tmp_path, name):
    columns = many_rows()
    first = {key: values[:150] for key, values in columns.items()}
    second = {key: columns[key][150:] for key in ("g", "s", "y")}
    a, b = write_as(tmp_path / f"a.{name}", first), write_as(tmp_path / f"b.{name}", second)
    whole = rw.tally(columns["y"], columns["s"])
    for data in (str(tmp_path / f"*.{name}"), [b, a], (str(a), b)):
        assert_same(assert_all_ways_agree(data).only, whole)
    assert len(assert_all_ways_agree([a, b], by=["g", "y"])) > 20


CONTENT = {
    "text": ("y,s\nyes,0.5\nno,0.2\nyes,0.1\n", {"pos_label": "yes"}),
    "truth values": ("y,s\ntrue,0.5\nFalse,0.2\nTRUE,0.1\n", {}),
    "numbers": ("y,s\n2,0.5\n1,0.2\n2,0.1\n", {"pos_label": 2}),
    "minus one": ("y,s\n1,0.5\n-1,0.2\n1,0.1\n", {}),
    "soft": ("y,s\n0.3,0.5\n0.55,0.2\n1,0.1\n0.1,0.2\n", {}),
    "weights": ("y,s,w\n1,0.5,2\n0,0.4,0\n1,0.3,0.5\n0,0.1,3\n", {"weight": "w"}),
    "codes": ("y,s,g\n1,0.5,007\n0,0.4,7\n1,0.3,NA\n0,0.2,\n", {"by": "g"}),
    "whole groups": ("y,s,g\n1,0.5,10\n0,0.4,9\n1,0.3,\n0,0.2,10\n", {"by": "g"}),
    "groups": ("y,s,g\n1,0.5,1.5\n0,0.4,1\n1,0.3,\n0,0.2,-0.0\n0,0.1,0\n", {"by": "g"}),
    "true groups": ("y,s,g\n1,0.5,true\n0,0.4,false\n1,0.3,\n0,0.2,True\n", {"by": "g"}),
    "gaps": ("y,s\n1,0.5\nNA,0.2\n0,0.1\n,0.3\n1,\n0,N/A\n1,inf\n0,nan\n", {"invalid": "drop"}),
    "votes": (
        "a,b,c,s\n1,1,0,0.5\n0,,1,0.4\nNA,0,0,0.2\n",
        {"label": None, "raters": ["a", "b", "c"]},
    ),
    "a group that is the label": ("y,s\n1,0.5\n0,0.2\n1,0.1\n", {"by": "y"}),
    "zeros of both signs": ("y,s\n1,-0.0\n0,0.0\n1,0.5\n0,0\n", {}),
    "outside [0, 1]": ("y,s\n1,1e300\n0,-1e300\n1,0\n0,7\n", {}),
}


@pytest.mark.parametrize("name", CONTENT)
def test_what_labels_groups_and_gaps_mean(tmp_path, name):
    content, options = CONTENT[name]
    assert_all_ways_agree(write(tmp_path / "a.csv", content), **options)


def test_codes_and_numbers_keep_their_types(tmp_path):
    content = "y,s,code,n\n1,0.5,007,7\n0,0.4,7,8\n1,0.3,NA,\n"
    path = write(tmp_path / "a.csv", content)
    found = rw.tallies(path, **NAMES, by=["code", "n"], limit=BUCKETS)
    assert list(found) == [("s", ("007", 7)), ("s", ("7", 8)), ("s", ("NA", None))]


def test_truth_values_and_gaps_in_json(tmp_path):
    lines = '{"y":true,"s":0.5,"g":1}\n\n{"y":false,"s":0.25,"g":2.5}\n{"y":true,"s":1}\n'
    path = write(tmp_path / "a.jsonl", lines)
    found = assert_all_ways_agree(path, by="g")
    assert list(found) == [("s", (1.0,)), ("s", (2.5,)), ("s", (None,))]
    path = write(tmp_path / "b.jsonl", '{"y":"1","s":0.5,"g":"02"}\n{"y":"0","s":0.1,"g":"1"}\n')
    assert list(assert_all_ways_agree(path, by="g", pos_label="1")) == [
        ("s", ("02",)),
        ("s", ("1",)),
    ]


def test_types_of_parquet(tmp_path):
    day = pa.array([0, 1, None, 1], pa.date32())
    columns = {
        "y": pa.array([True, False, True, False]),
        "s": pa.array([0.1, 0.2, 0.2, 0.7], pa.float32()),
        "day": day,
        "small": pa.array([3, None, 3, 4], pa.int8()),
        "kind": pa.array(["a", "b", "a", None]).dictionary_encode(),
        "real": [float("nan"), None, 1.0, -0.0],
    }
    path = parquet(tmp_path / "a.parquet", columns)
    for group in ("day", "small", "kind", "real", "y"):
        assert_all_ways_agree(path, by=group)


MANY = 10_500  # more than are looked at one by one
WORDS = {
    "integers": (str, ""),
    "codes": ("{:06d}".format, ""),
    "text": ("p{}".format, ""),
    "fractions": (lambda i: repr(i / 8), ""),
    "large integers": (lambda i: str(2**64 - 1 - i), "5"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WORDS)
def test_very_many_groups(tmp_path, name):
    word, last = WORDS[name]
    rows = "".join(f"{i % 2},0.{i % 10},{word(i)}\n" for i in range(MANY))
    path = write(tmp_path / "a.csv", f"y,s,g\n{rows}1,0.5,{last}\n")
    expected = rw.tallies(path, **NAMES, by="g")
    found = rw.tallies(path, **NAMES, by="g", limit=EXACT)
    assert keys_and_types(found) == keys_and_types(expected)


@pytest.mark.slow
def test_very_many_labels(tmp_path):
    soft = [i / MANY for i in range(MANY)]
    scores = [(i * 7 % 10) / 10 for i in range(MANY)]
    columns = {"y": soft, "s": scores}
    for name in ("a.csv", "comma.csv", "a.jsonl"):
        assert_all_ways_agree(write_as(tmp_path / name, columns))
    texts = columns | {"y": [f"p{i}" for i in range(MANY - 1)] + ["NA"]}
    path = write(tmp_path / "text.csv", separated(texts, ","))
    for limit in (None, EXACT):
        with pytest.raises(LabelError, match="has the label .* beside pos_label='p3' and"):
            rw.tallies(path, **NAMES, pos_label="p3", invalid="drop", limit=limit)


def test_labels_that_are_not_among_two(tmp_path):
    path = write(tmp_path / "a.csv", "y,s\nyes,0.5\nno,0.2\nit's,0.3\nno,0.1\nit's,0.4\n")
    where = f"row 2, line 4 of {str(path)!r}"
    with pytest.raises(LabelError) as caught:
        rw.tallies(path, **NAMES, pos_label="yes")
    assert f"Column 'y' at {where} (the first of 2) has the label \"it's\" beside" in str(
        caught.value
    )
    with pytest.raises(LabelError) as caught:
        rw.tallies(path, **NAMES, pos_label="yes", limit=EXACT)
    # without counts, of two labels the first in the alphabet is taken for the negative one
    assert (
        "Column 'y' has the label 'no' beside pos_label='yes' and \"it's\", first at row 1"
        in str(caught.value)
    )
    path = write(tmp_path / "b.csv", "y,s\n1,0.5\n0,0.2\n,0.3\n9,0.1\n")
    with pytest.raises(
        LabelError, match="label 9 beside pos_label=1 and 0, first at row 3, line 5"
    ):
        rw.tallies(path, **NAMES, pos_label=1, limit=EXACT, invalid="drop")
    # a row that is dropped has no label
    path = write(tmp_path / "c.csv", "y,s\n1,0.5\n0,0.2\n9,\n")
    found = assert_all_ways_agree(path, pos_label=1, invalid="drop")
    assert sum(found.dropped.values()) == 1
    assert found.labels == (0, 1)


# -- names ---------------------------------------------------------------------------------------

HOSTILE = {
    "Y": [0, 1, 1],
    "y": [1, 0, 1],
    "S": [0.1, 0.2, 0.3],
    "s": [0.6, 0.5, 0.4],
    "S ": [0.7, 0.9, 0.8],
    'it\'s "q"': [0.15, 0.25, 0.35],
    "row": [1.5, 3.5, 2.5],
    "c0": [4.0, 5.0, 6.0],
    "v0": [9.0, 8.0, 7.0],
    "{0}": [0.1, 0.3, 0.2],
}


@pytest.mark.parametrize("kind", ["csv", pytest.param("jsonl", marks=pytest.mark.slow), "parquet"])
def test_hostile_column_names(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    if kind == "csv":
        quoted = ['"' + name.replace('"', '""') + '"' for name in HOSTILE]
        write(path, separated(dict(zip(quoted, HOSTILE.values(), strict=True)), ","))
    else:
        write_as(path, HOSTILE)
    scores = [name for name in HOSTILE if name not in ("y", "Y")]
    for label in ("y", "Y"):
        found = assert_all_ways_agree(path, score=scores, label=label)
        for name in scores:
            assert_same(found[name, ()], rw.tally(HOSTILE[label], HOSTILE[name]))


def test_columns_that_have_the_names_of_duckdb(tmp_path):
    columns = {"y": [1, 0, 1, 0], "File_Row_Number": [0.5, float("nan"), 0.1, 0.2]}
    path = parquet(tmp_path / "a.parquet", columns | {"filename": [0.5, 0.4, 0.1, 0.2]})
    assert_all_ways_agree(path, score="filename")
    with pytest.raises(ScoreError, match=r"in 1 of 4 rows, first at row 1 of '.*a\.parquet'\."):
        rw.tallies(path, score="File_Row_Number", label="y", limit=BUCKETS)


@pytest.mark.parametrize("name", ["data[1]", "it's", 'two "words"', "größe all*", "$x;{0}"])
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_hostile_file_names(tmp_path, name, kind):
    columns = {"y": [1, 0, 1], "s": [0.5, 0.25, 0.75]}
    write_as(tmp_path / f"data1.{kind}", {"y": [1], "s": [9.0]})  # what data[1] would match
    path = tmp_path / "a.b"
    write_as(tmp_path / f"x.{kind}", columns).rename(path)
    path = path.rename(tmp_path / f"{name}.{kind}")
    found = rw.tallies(path, **NAMES, limit=BUCKETS).only
    assert_same(found, rw.tally(columns["y"], columns["s"]))


def test_folders_that_look_like_partitions(tmp_path):
    for place in (1, 2):
        parquet(tmp_path / f"a={place}" / "y=7" / "b.parquet", {"y": [1, 0], "s": [0.5, 0.6]})
    found = assert_all_ways_agree(str(tmp_path / "**" / "*.parquet")).only
    assert found.up.tolist() == [0, 2]


def test_a_quote_in_the_name_of_the_temporary_folder(tmp_path, monkeypatch):
    folder = tmp_path / "it's; here"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    path = write(tmp_path / "a.csv", "y,s\n1,0.5\n0,0.25\n")
    assert rw.tallies(path, **NAMES, limit=BUCKETS).only.area == 1.0
    assert list(folder.iterdir()) == []


# -- what cannot be used -------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Work in the folder of the files, so that messages can be written out."""
    monkeypatch.chdir(tmp_path)
    return Path()


def message(error: type[RocwalkError], data, *, limit=BUCKETS, **options) -> str:
    with pytest.raises(error) as caught:
        rw.tallies(data, **(NAMES | options), limit=limit)
    what, hint = str(caught.value).split("\nHint: ")
    assert hint
    assert type(caught.value) is error
    return what


def test_scores_that_are_no_numbers_are_counted_and_placed(here):
    write(here / "a.csv", "y,s\n1,0.5\n0,0.1\n")
    write(here / "b.csv", "y,s\n1,0.5\n\n0,0.2\n1,0.3\n0,NA\n1,\n0,inf\n1,nan\n")
    assert message(ScoreError, ["a.csv", "b.csv"]) == (
        "Column 's' is NaN, missing or infinite in 4 of 9 rows, first at row 3, line 6 of "
        "'b.csv'; row 4, line 7 of 'b.csv'; row 5, line 8 of 'b.csv'."
    )
    write(here / "a.jsonl", '\n{"y": 1, "s": 0.5}\n{"y": 0, "s": null}\n{"y": 0}\n')
    assert message(ScoreError, "a.jsonl", limit=EXACT) == (
        "Column 's' is NaN, missing or infinite in 2 of 3 rows, first at row 1, line 3 of "
        "'a.jsonl'; row 2, line 4 of 'a.jsonl'."
    )


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf"), None])
@pytest.mark.parametrize("other", [0.5, 0.75])
def test_scores_of_parquet_that_are_no_numbers(here, bad, other):
    # with other=0.5 the statistics in the file know one score only, and no NaN
    parquet(here / "a.parquet", {"y": [1, 0, 1], "s": [0.5, other, 0.5]})
    parquet(here / "b.parquet", {"y": [1, 0, 1], "s": [0.5, other, bad]})
    assert message(ScoreError, ["a.parquet", "b.parquet"]) == (
        "Column 's' is NaN, missing or infinite in 1 of 6 rows, first at row 2 of 'b.parquet'."
    )


@pytest.mark.parametrize("bad", [float("nan"), None])
def test_labels_of_parquet_that_are_missing(here, bad):
    parquet(here / "a.parquet", {"y": [1.0, bad, 1.0], "s": [0.5, 0.5, 0.5]})
    assert message(LabelError, "a.parquet") == (
        "Column 'y' is missing in 1 of 3 rows, first at row 1 of 'a.parquet'."
    )


def test_labels_that_are_missing(here):
    write(here / "a.csv", "y,s\n1,0.5\nNA,0.2\n0,0.1\n,0.3\n")
    assert message(LabelError, "a.csv") == (
        "Column 'y' is missing in 2 of 4 rows, first at row 1, line 3 of 'a.csv'; row 3, line 5 "
        "of 'a.csv'."
    )


def test_text_among_scores(here):
    write(here / "a.csv", "y,s\n1,0.5\n\n0,high\n1,low\n")
    assert message(ColumnError, "a.csv") == (
        "Column 's' at row 1, line 4 of 'a.csv' (the first of 2) is 'high', not a number."
    )
    parquet(here / "a.parquet", {"y": [1, 0], "s": ["a", "b"]})
    assert message(ScoreError, "a.parquet") == "Column 's' is of type String, not of numbers."


def test_weights_that_cannot_be(here):
    write(here / "a.csv", "y,s,w\n1,0.5,2\n0,0.4,-1\n1,0.3,0.5\n0,0.1,-3\n")
    assert message(WeightError, "a.csv", weight="w") == (
        "Column 'w' is negative in 2 of 4 rows, first at row 1, line 3 of 'a.csv'; row 3, line 5 "
        "of 'a.csv'."
    )
    parquet(here / "a.parquet", {"y": [1, 0], "s": [0.5, 0.4], "w": [1.0, float("nan")]})
    assert message(WeightError, "a.parquet", weight="w") == (
        "Column 'w' is NaN, missing or infinite in 1 of 2 rows, first at row 1 of 'a.parquet'."
    )


def test_probabilities_that_are_none(here):
    parquet(here / "a.parquet", {"y": [1, 0, 1], "s": [0.5, 1.5, -0.25]})
    assert message(ScoreError, "a.parquet", steps="both") == (
        "Column 's' has values from -0.25 to 1.5, outside [0, 1], first at row 1 of 'a.parquet'; "
        "row 2 of 'a.parquet'."
    )


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_integers_that_floats_cannot_hold(here, name):
    write_as(here / name, {"y": [1, 0], "s": [2**53 + 1, 2**53]})
    assert message(ScoreError, name, limit=EXACT) == (
        "Column 's' has integers up to 9.0072e+15, which float64 cannot hold exactly."
    )
    write_as(here / name, {"y": [1, 0], "s": [2.0**60, 0.5]})
    assert_all_ways_agree(name)


def test_a_missing_column(here):
    for path in (
        write(here / "a.csv", "y,score\n1,0.5\n"),
        parquet(here / "a.parquet", {"y": [1], "score": [0.5]}),
        write(here / "a.jsonl", '{"y": 1, "score": 0.5}\n'),
    ):
        with pytest.raises(
            ColumnError, match="(?s)There is no column 'scor' in .*did you mean 'sco"
        ):
            rw.tallies(path, score="scor", label="y", limit=BUCKETS)


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.jsonl", "a.csv.gz"])
def test_an_empty_file(here, name):
    write(here / name, "")
    assert message(FileError, name) == f"The file {name!r} is empty."


def test_no_rows(here):
    write(here / "a.csv", "y,s\n")
    none = {"y": pa.array([], pa.int64()), "s": pa.array([], pa.float64())}
    parquet(here / "a.parquet", none)
    for name in ("a.csv", "a.parquet"):
        assert message(InputError, name).startswith("There are no rows in ")


def test_files_that_do_not_go_together(here):
    write(here / "a.csv", "y,s\n1,0.5\n")
    write(here / "b.csv", "y,p\n1,0.5\n")
    assert message(ColumnError, ["a.csv", "b.csv"]) == (
        "The columns of 'b.csv' are not those of 'a.csv': 's' is missing, 'p' is new."
    )
    parquet(here / "a.parquet", {"y": [1], "s": [0.5]})
    parquet(here / "b.parquet", {"y": ["x"], "s": [0.5]})
    assert message(ColumnError, ["a.parquet", "b.parquet"]) == (
        "Column 'y' is of type BIGINT in 'a.parquet', but VARCHAR in 'b.parquet'."
    )
    assert message(FileError, ["a.csv", "a.parquet"]) == (
        "'a.parquet' is Parquet and 'a.csv' is text."
    )


def test_files_whose_types_differ_in_precision_only_or_by_nothing(tmp_path):
    first = {"y": [1, 0], "s": [0.5, 0.25], "g": ["a", "b"]}
    second = {
        "y": pa.array([0, 1], pa.int8()),
        "s": pa.array([0.25, 0.125], pa.float32()),
        "g": pa.nulls(2),
    }
    files = [parquet(tmp_path / "a.parquet", first), parquet(tmp_path / "b.parquet", second)]
    assert_all_ways_agree(files)
    assert_all_ways_agree(files, by="g")
    assert_all_ways_agree(files[::-1], by="g")


def test_parquet_that_is_damaged(here):
    parquet(here / "a.parquet", {"y": [1] * 999, "s": np.arange(999) / 999})
    whole = (here / "a.parquet").read_bytes()
    for content in (whole[:-300], whole[:2000], b"hello world" * 99):
        write(here / "a.parquet", content)
        expected = "The file 'a.parquet' is not Parquet, or was cut short."
        assert message(FileError, "a.parquet") == expected


def test_text_that_is_damaged(here):
    write(here / "a.csv", "y,s\n" + "1,0.5\n" * 30_000 + "0,0.3,9\n")
    assert message(FileError, "a.csv") == (
        "Line 30002 of 'a.csv' has 3 values, but the header has 2 columns."
    )
    write(here / "a.csv", 'y,s\n1,0.5\n"0,0.3\n')
    assert message(FileError, "a.csv").startswith("The lines after line 2 of 'a.csv' cannot be")
    write(here / "a.csv", "y,s,g\n1,0.5,a\n0,0.5,ö\n".encode("latin-1"))
    assert message(FileError, "a.csv", by="g") == "Line 3 of 'a.csv' is not UTF-8 text."
    write(here / "a.jsonl", '{"y": 1, "s": 0.5}\n{"y": 0, "s": 0.5\n')
    assert message(FileError, "a.jsonl") == "Line 2 of 'a.jsonl' is not a JSON object in UTF-8."
    write(here / "a.csv.gz", separated(many_rows(), ","))
    write(here / "b.csv", (here / "a.csv.gz").read_bytes()[:-200]).rename("a.csv.gz")
    assert message(FileError, "a.csv.gz") == "The file 'a.csv.gz' is not gzip, or was cut short."


def test_the_damaged_one_of_several_files_is_named(here):
    write(here / "a.csv", "y,s\n1,0.5\n")
    write(here / "b.csv", "y,s\n1,0.5\n0,0.3,9\n")
    assert message(FileError, ["a.csv", "b.csv"]).startswith("Line 3 of 'b.csv' has 3 values")


def test_a_folder(here):
    (here / "a.parquet").mkdir()
    words = "The folder 'a.parquet' holds no file that rocwalk reads."
    assert message(FileError, "a.parquet") == words


@pytest.mark.parametrize("limit", ["abc", "5", "-1GB", "0MB", "nanGB", "1e400GB", 7, b"1GB"])
def test_an_amount_of_memory_that_is_none(here, limit):
    write(here / "a.csv", "y,s\n1,0.5\n")
    with pytest.raises(OptionError, match=r"memory_limit=.* is not an amount of memory\.\nHint:"):
        rw.tallies("a.csv", **NAMES, memory_limit=limit)


# -- in a process of its own -----------------------------------------------------------------------

PROGRAM = """
import os, resource, signal, sys, warnings
import duckdb, narwhals.stable.v2, pyarrow.compute, rocwalk as rw
import rocwalk.read.opening, rocwalk.read.relations
import rocwalk.tally.storage
{before}
print("ready", flush=True)
try:
    tally = rw.tallies(sys.argv[1:], score="s", label="y", {options}).only
    print("tallied", tally.total_count, *tally.auc_bounds)
except (Exception, KeyboardInterrupt) as error:
    print(type(error).__name__, str(error))
try:  # what getrusage says includes the memory of the process that started this one
    status = open("/proc/self/status").read()
    print(int(status.split("VmHWM:")[1].split()[0]) / 1024)
except OSError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def start(folder: Path, paths, options: str, before: str = "") -> subprocess.Popen:
    """Start a tally in a process with temporary files in `folder`."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o777)
    program = PROGRAM.format(options=options, before=before)
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, paths)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"TMPDIR": str(folder)},
    )


def ended(process: subprocess.Popen) -> list[str]:
    """Return the lines that a process printed after "ready"."""
    printed, _ = process.communicate(timeout=PATIENCE)
    return printed.removeprefix("ready\n").splitlines()


def make_table(rows: int, seed: int = 3) -> pa.Table:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, rows, dtype=np.int8)
    return pa.table({"y": y, "s": np.clip(rng.normal(0.4 + 0.2 * y, 0.15), 0, 1)})


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A table of a million rows, in every format."""
    folder = tmp_path_factory.mktemp("large")
    table = make_table(1_000_000)
    pq.write_table(table, folder / "a.parquet", row_group_size=200_000)
    pa.csv.write_csv(table, folder / "a.csv")
    lines = (
        f'{{"y": {y}, "s": {s!r}}}\n' for y, s in zip(*table.to_pydict().values(), strict=True)
    )
    (folder / "a.jsonl").write_text("".join(lines))
    return folder


def test_no_permission(tmp_path):
    path = parquet(tmp_path / "a.parquet", {"y": [1], "s": [0.5]})
    path.chmod(0)
    for folder in (tmp_path, *tmp_path.parents[:2]):  # the way there is open to everybody
        folder.chmod(0o755)
    # The superuser may read everything, so the question is asked as somebody else.
    other = "os.geteuid() or os.setuid(65534)"
    what, hint, _ = ended(start(tmp_path / "tmp", [path], "limit=0", other))
    assert what == f"FileError The file {str(path)!r} cannot be read: permission denied."
    assert hint == "Hint: ask its owner for the right to read it."


DISK = """
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then a write that is too long fails
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
"""


@pytest.mark.parametrize(
    ("name", "options"),
    [("a.csv", "limit=0"), ("a.parquet", "limit=10**7, memory_limit='40MB'")],
)
def test_temporary_files_that_cannot_be_written(large, tmp_path, name, options):
    what, hint, _ = ended(start(tmp_path / "tmp", [large / name], options, DISK))
    assert what.startswith("FileError There is not enough memory or disk for temporary files: ")
    assert hint.startswith("Hint: raise memory_limit")
    assert "TMPDIR" in hint
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_too_little_memory(large, tmp_path, monkeypatch, name):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(FileError, match=r"^There is not enough memory .*\nHint: raise memory_lim"):
        rw.tallies(large / name, **NAMES, limit=BUCKETS, memory_limit="1MB")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_too_little_memory_is_not_blamed_on_the_file(large, monkeypatch, name):
    """Files that are to be read into memory, which DuckDB cannot have."""
    little = partial(connect, memory_limit="1MB")
    monkeypatch.setattr("rocwalk.read.files.connect", little)
    with pytest.raises(FileError, match=r"^There is not enough memory .*\nHint: raise memory_lim"):
        rw.tallies(large / name, **NAMES)


@pytest.mark.parametrize("limit", [None, EXACT])
def test_a_line_of_brackets_is_no_object(tmp_path, limit):
    path = write(tmp_path / "a.jsonl", '{"y": 1, "s": 0.5}\n' + "[" * 100_000 + "\n")
    with pytest.raises(FileError, match=r"^Line 2 of .* is not a JSON object in UTF-8\.\nHint"):
        rw.tallies(path, **NAMES, limit=limit)


class Interrupt:
    """A profile function that interrupts at one of the calls of rocwalk's functions.

    Generators are left out: of an exception in one that is collected, Python takes no notice.
    """

    def __init__(self, place: int):
        self.left = place

    def __call__(self, frame, event, _):
        code = frame.f_code
        is_ours = event == "call" and Path(rw.__file__).parent in Path(code.co_filename).parents
        if is_ours and not code.co_flags & inspect.CO_GENERATOR:
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("limit", [10**7, None], ids=["large", "small"])
@pytest.mark.parametrize("name", ["a.csv", "mixed.csv", "a.parquet", "a.jsonl"])
def test_ctrl_c_at_any_place(tmp_path, monkeypatch, name, limit):
    """An interrupt in any call ends the work at once, and leaves no temporary file."""
    data = tmp_path / "data"
    data.mkdir()
    if name == "mixed.csv":  # of which a copy is made
        path = write(data / name, "y,s\r\n1,0.5\n0,0.25\r\n")
    else:
        path = write_as(data / name, {"y": [1, 0, 1], "s": [0.5, 0.25, 0.125]})
    rw.tallies(path, **NAMES, limit=limit)  # all is imported
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    for place in itertools.count(1, 17):
        interrupt = Interrupt(place)
        sys.setprofile(interrupt)
        try:
            rw.tallies(path, **NAMES, limit=limit)
            break
        except KeyboardInterrupt:
            assert interrupt.left == 0
        finally:
            sys.setprofile(None)
        assert list(temporary.iterdir()) == []
    assert interrupt.left > 0, "The interrupt was lost."
    assert place > 100


# A query that nobody lives to see the end of, in place of each one: at the interrupt it runs.
ENDLESS = """
from rocwalk.read import relations, sources
QUERY = "SELECT i FROM range(1000000000000000) AS t(i) WHERE hash(i) = 1"
watched = sources.watched
def endless(connection, work, tell=None):
    tell = lambda: print("working", flush=True)
    return watched(connection, lambda: connection.sql(QUERY).to_arrow_table(), tell)
def endless_runner(self, work):
    with self.explaining():
        return endless(self.connection, work)
sources.Runner.watched = endless_runner
"""
IN_MEMORY = ENDLESS + "sources.watched = endless\n"


@pytest.mark.parametrize(
    ("name", "options", "before"),
    [
        ("a.csv", "limit=10**7", ENDLESS),
        ("a.parquet", "limit=10**7", ENDLESS),
        ("a.jsonl", "limit=0", ENDLESS),
        ("a.csv", "", IN_MEMORY),
        ("a.parquet", "", IN_MEMORY),
    ],
    ids=["large CSV", "large Parquet", "large JSON lines", "CSV", "Parquet"],
)
def test_ctrl_c_while_a_query_runs(tmp_path, name, options, before):
    (tmp_path / "data").mkdir()
    path = write_as(tmp_path / "data" / name, {"y": [1, 0, 1], "s": [0.5, 0.25, 0.125]})
    process = start(tmp_path / "tmp", [path], options, before)
    assert process.stdout.readline() == "ready\n"
    assert process.stdout.readline() == "working\n"
    process.send_signal(signal.SIGINT)
    lines = [line for line in ended(process) if line != "working"]
    assert lines[0].strip() == "KeyboardInterrupt", lines
    assert "terminate" not in "".join(lines)
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_files_are_read_without_pandas(large, tmp_path, name):
    """pyarrow imports pandas to make NumPy arrays, and loses a Ctrl-C that comes meanwhile."""
    before = """
class Notice:
    def find_spec(self, name, path=None, target=None):
        if name == "pandas": print("pandas is imported")
sys.meta_path.insert(0, Notice())
"""
    lines = ended(start(tmp_path / "tmp", [large / name], "limit=10**7", before))
    assert [line.split()[0] for line in lines[:-1]] == ["tallied"]


def test_ctrl_c_on_the_command_line(tmp_path):
    (tmp_path / "tmp").mkdir()
    data = write(tmp_path / "a.csv", "y,s\n1,0.5\n0,0.25\n")
    answer = tmp_path / "answer.json"
    options = ["--label", "y", "--score", "s", "--json", answer]
    large = "relations.fits_memory = lambda *_: False"
    program = f"{ENDLESS}\n{large}\nfrom rocwalk.cli.start import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, "score", *map(str, [data, *options])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
    )
    assert process.stdout.readline() == "working\n"
    process.send_signal(signal.SIGINT)
    printed, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, set(printed.splitlines()) - {"working"}) == (130, set())
    assert "Stopped before the end; no file was left half-written." in said
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not answer.exists()


# -- progress ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["a.csv", "a.parquet", pytest.param("a.jsonl", marks=pytest.mark.slow)]
)
def test_progress(large, capfd, monkeypatch, name):
    monkeypatch.setattr("rocwalk.read.sources._POLL_SECONDS", 0.001)  # however fast the machine is
    told = []
    rw.tallies(large / name, **NAMES, limit=BUCKETS, progress=lambda *pair: told.append(pair))
    assert told
    assert all(0 <= done <= total for done, total in told)
    assert all(isinstance(value, int) for pair in told for value in pair)
    assert capfd.readouterr() == ("", "")  # DuckDB draws no bar of its own


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError("enough")])
def test_a_progress_function_that_raises(large, tmp_path, monkeypatch, error):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def progress(*_):
        raise error

    with pytest.raises(error if isinstance(error, type) else type(error)):
        rw.tallies(large / "a.csv", **NAMES, limit=BUCKETS, progress=progress)
    assert list(tmp_path.iterdir()) == []


# -- memory --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_peak_memory_and_the_certificate(tmp_path):
    rows = 6_000_000
    path = tmp_path / "a.parquet"
    pq.write_table(make_table(rows), path, row_group_size=250_000)
    way = "limit=0, memory_limit='150MB'"
    tallied, peak = ended(start(tmp_path / "tmp", [path], way))
    exact, peak_in_memory = ended(start(tmp_path / "tmp", [path], "memory_limit='8GB'"))
    word, count, low, middle, high = tallied.split()
    assert (word, int(count)) == ("tallied", rows)
    area = float(exact.split()[3])
    assert float(low) <= area <= float(high)
    assert 0 < float(high) - float(low) < 1e-4
    assert abs(float(middle) - area) < 1e-6
    # Python with its libraries alone takes about 150 MB.
    assert float(peak) < 400
    assert float(peak) < 0.7 * float(peak_in_memory)
    assert list((tmp_path / "tmp").iterdir()) == []


# -- workers -------------------------------------------------------------------------------------

WORKER = """
import sys, rocwalk as rw
path, limit = sys.argv[1], int(sys.argv[2])
rw.tallies(path, score="s", label="y", limit=limit).only.save(path + ".npz")
"""


@pytest.mark.parametrize("limit", [BUCKETS, pytest.param(EXACT, marks=pytest.mark.slow)])
def test_parts_by_four_processes_add_up_to_the_whole(tmp_path, limit):
    kinds = ("csv", "parquet", "jsonl", "tsv")
    tables = [make_table(3_000 + 500 * i, seed=i) for i in range(4)]
    paths = [
        write_as(tmp_path / f"{i}.{kind}", tables[i].to_pydict()) for i, kind in enumerate(kinds)
    ]
    command = [sys.executable, "-c", WORKER]
    working = [subprocess.Popen([*command, str(path), str(limit)]) for path in paths]
    assert [process.wait(PATIENCE) for process in working] == [0, 0, 0, 0]
    parts = [rw.Tally.load(f"{path}.npz") for path in paths]
    whole = parquet(tmp_path / "whole.parquet", dict(pa.concat_tables(tables).to_pydict()))
    expected = rw.tallies(whole, **NAMES, limit=limit).only
    assert_same_bits(sum(parts), expected)
    assert_same_bits(rw.Tally.merge(parts[::-1]), expected)
    text = [path for path in paths if path.suffix != ".parquet"]
    of_text = rw.tallies(text, **NAMES, limit=limit).only
    assert_same_bits(parts[0] + parts[2] + parts[3], of_text)


@pytest.mark.parametrize(
    ("limit", "size"),
    [("1kB", 1e3), ("2MB", 2e6), ("1KiB", 1024), ("0.5 GiB", 2**29), ("1TiB", 2**40)],
)
def test_units_of_a_memory_limit(limit, size):
    assert bytes_of(limit) == size
