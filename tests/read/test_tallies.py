"""`tallies`: the same tallies from every kind of table, split by score and by group."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import pickle
from collections.abc import Mapping

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engines import ENGINES, QUIET_SPARK, spark_session
from rocwalk.errors import (
    ColumnError,
    DroppedRowsWarning,
    HardScoresWarning,
    InputError,
    LabelError,
    OptionError,
    ScoreError,
    SwappedArgumentsWarning,
    TallyError,
    UndefinedMetricWarning,
    WeightError,
)
from rocwalk.read.arrays import check
from rocwalk.read.frames import (
    LABEL,
    NUMBER,
    Table,
    column_names,
    is_files,
    match_label,
    read_table,
)
from rocwalk.read.tallies import Tallies, tallies
from rocwalk.tally.tally import Tally

pytestmark = QUIET_SPARK
spark = pytest.fixture(scope="module")(spark_session)
LAZY = [name for name, engine in ENGINES.items() if engine.is_lazy]
IN_MEMORY = [name for name, engine in ENGINES.items() if not engine.is_lazy]


def in_order(names):
    """The names of tables as parameters of tests; Spark takes its time."""
    slow = ("spark", "dask, pyarrow")
    return [pytest.param(n, marks=pytest.mark.slow) if n in slow else n for n in names]


def make_columns(n: int = 400, seed: int = 3) -> dict[str, list]:
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n)
    score = np.round(np.clip(0.3 * label + 0.7 * rng.random(n), 0, 1), 2)  # with ties
    return {
        "label": label.tolist(),
        "score": score.tolist(),
        "other": rng.random(n).tolist(),
        "soft": np.round(rng.random(n), 3).tolist(),
        "weight": (rng.integers(0, 8, n) / 4).tolist(),
        "answer": np.where(label == 1, "yes", "no").tolist(),
        "sex": rng.choice(["f", "m"], n).tolist(),
        "site": rng.integers(1, 4, n).tolist(),
    }


COLUMNS = make_columns()


def separated(columns, separator: str, comma: bool = False) -> str:
    def written(value) -> str:
        text = "" if value is None else repr(value) if isinstance(value, float) else str(value)
        return text.replace(".", ",") if comma else text

    rows = zip(*columns.values(), strict=True)
    lines = [columns, *([written(value) for value in row] for row in rows)]
    return "".join(separator.join(line) + "\n" for line in lines)


def as_file(name: str, content):
    def write(columns, folder):
        path = folder / name
        data = content(columns).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return write


def as_parquet(columns, folder):
    pq.write_table(pa.table(columns), folder / "a.parquet")
    return folder / "a.parquet"


def as_json(columns) -> str:
    rows = zip(*columns.values(), strict=True)
    return "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows)


def as_two_files(columns, folder):
    half = len(columns["label"]) // 2
    for name, part in (("1.csv", slice(None, half)), ("2.csv", slice(half, None))):
        (folder / name).write_text(separated({k: v[part] for k, v in columns.items()}, ","))
    return str(folder / "[12].csv")


TABLES = {
    "dict of lists": lambda c, _: c,
    "dict of arrays": lambda c, _: {name: np.array(column) for name, column in c.items()},
    "pandas": lambda c, _: pd.DataFrame(c),
    "pandas, shuffled index": lambda c, _: pd.DataFrame(c).set_index(
        pd.Index([5] * len(c["label"]))
    ),
    "pandas, nullable": lambda c, _: pd.DataFrame(c).convert_dtypes(),
    "pandas, pyarrow": lambda c, _: pd.DataFrame(c).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda c, _: pl.DataFrame(c),
    "pyarrow": lambda c, _: pa.table(c),
    "narwhals": lambda c, _: nw.from_native(pl.DataFrame(c)),
    "csv": as_file("a.csv", lambda c: separated(c, ",")),
    "tsv": as_file("a.tsv", lambda c: separated(c, "\t")),
    "csv, decimal comma": as_file("a.csv", lambda c: separated(c, ";", comma=True)),
    "csv.gz": as_file("a.csv.gz", lambda c: separated(c, ",")),
    "json lines": as_file("a.jsonl", as_json),
    "parquet": as_parquet,
    "two files": as_two_files,
    **{name: lambda c, _, engine=ENGINES[name]: engine(c) for name in LAZY},
}


@pytest.fixture(params=in_order(TABLES))
def table(request, tmp_path):
    if request.param == "spark":
        request.getfixturevalue("spark")
    return TABLES[request.param](COLUMNS, tmp_path)


@pytest.fixture(params=in_order(ENGINES))
def engine(request):
    if request.param == "spark":
        request.getfixturevalue("spark")
    return ENGINES[request.param]


def same(one: Tally, other: Tally) -> bool:
    names = ("scores", "up", "right", "count", "up_squared", "up_right", "right_squared")
    pairs = [(getattr(one, name), getattr(other, name)) for name in names]
    return (one.steps, one.threshold) == (other.steps, other.threshold) and all(
        a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs
    )


def close(one: Tally, other: Tally) -> bool:
    """Whether the rows are the same and float masses differ in their last bits at most."""
    names = ("up", "right", "up_squared", "up_right", "right_squared")
    return (
        np.array_equal(one.scores, other.scores)
        and np.array_equal(one.count, other.count)
        and all(
            np.allclose(getattr(one, name), getattr(other, name), rtol=1e-12, atol=0)
            for name in names
        )
    )


def from_arrays(label="label", score="score", weight=None, rows=None, **options) -> Tally:
    rows = slice(None) if rows is None else rows
    columns = [np.array(COLUMNS[name])[rows] for name in (label, score)]
    weights = None if weight is None else np.array(COLUMNS[weight])[rows]
    return check(*columns, sample_weight=weights, **options).tally()


# -- the same from everywhere --------------------------------------------------------------------


def test_hard_labels(table):
    found = tallies(table, score="score", label="label")
    assert list(found) == [("score", ())]
    assert found.only.is_counts
    assert same(found.only, from_arrays())


def test_soft_labels(table):
    found = tallies(table, score="score", label="soft").only
    assert close(found, from_arrays("soft"))


def test_weights(table):
    found = tallies(table, score="score", label="label", weight="weight")
    assert same(found.only, from_arrays(weight="weight"))
    assert found.rows == {("score", ()): np.count_nonzero(COLUMNS["weight"])}


def test_labels_that_are_text(table):
    found = tallies(table, score="score", label="answer", pos_label="yes").only
    assert same(found, from_arrays())


def test_several_scores_and_groups(table):
    found = tallies(table, score=["other", "score"], label="label", by=["sex", "site"])
    groups = [(sex, site) for sex in "fm" for site in (1, 2, 3)]
    assert list(found) == [(score, group) for score in ("other", "score") for group in groups]
    for (score, (sex, site)), one in found.items():
        rows = (np.array(COLUMNS["sex"]) == sex) & (np.array(COLUMNS["site"]) == site)
        assert same(one, from_arrays(score=score, rows=rows))


@pytest.mark.parametrize("by", ["sex", ["site"], ("sex", "site"), []])
def test_groups_add_up_to_the_whole(table, by):
    found = tallies(table, score="score", label="label", by=by)
    assert same(sum(found.values()), from_arrays())
    assert sum(found.rows.values()) == 400


def test_names_of_columns(table):
    assert column_names(table) == list(COLUMNS)


# -- groups --------------------------------------------------------------------------------------


def test_soft_and_weighted_groups_add_up_to_the_whole():
    found = tallies(COLUMNS, score="score", label="soft", weight="weight", by=["sex", "site"])
    whole, parts = from_arrays("soft", weight="weight"), sum(found.values())
    assert np.array_equal(whole.scores, parts.scores)
    np.testing.assert_allclose(parts.up, whole.up, rtol=1e-12)
    np.testing.assert_allclose(parts.right_squared, whole.right_squared, rtol=1e-12)
    assert np.array_equal(whole.count, parts.count)


@pytest.mark.parametrize(
    "make",
    [
        *(pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table, dict),
        *(ENGINES[name] for name in ("duckdb", "duckdb, own connection", "dask, pyarrow", "ibis")),
    ],
)
@pytest.mark.parametrize(
    ("groups", "keys"),
    [
        (["b", None, "a", None], ["a", "b", None]),
        ([2, None, 1, None], [1, 2, None]),
        ([0.5, float("nan"), -1.5, None], [-1.5, 0.5, None]),
        ([True, None, False, None], [False, True, None]),
        ([None] * 4, [None]),
        (
            [dt.datetime(2024, 5, 1), None, dt.datetime(2023, 5, 1), None],
            [dt.datetime(2023, 5, 1), dt.datetime(2024, 5, 1), None],
        ),
    ],
)
def test_a_missing_value_is_a_group_of_its_own(make, groups, keys):
    if make is pl.DataFrame or make is pl.LazyFrame:
        groups = [None if value != value else value for value in groups]
    data = make({"y": [1, 0, 1, 0], "p": [0.9, 0.8, 0.7, 0.1], "g": groups})
    found = tallies(data, score="p", label="y", by="g")
    assert [group for _, (group,) in found] == keys
    assert found["p", (None,)].scores.tolist() == (
        [0.9, 0.8, 0.7, 0.1] if len(keys) == 1 else [0.8, 0.1]
    )


def test_groups_of_zero_and_minus_zero_are_one():
    data = {"y": [1, 0], "p": [0.9, 0.8], "g": [0.0, -0.0]}
    assert list(tallies(data, score="p", label="y", by="g")) == [("p", (0.0,))]


def test_categories_are_groups():
    data = pd.DataFrame({"y": [1, 0], "p": [0.9, 0.8], "g": pd.Categorical(["b", "a"])})
    assert list(tallies(data, score="p", label="y", by="g")) == [("p", ("a",)), ("p", ("b",))]


def test_a_column_can_be_a_group_and_something_else():
    found = tallies(COLUMNS, score="score", label="label", by="label")
    assert [(key, one.total_up, one.total_right) for key, one in found.items()] == [
        (("score", (0,)), 0, COLUMNS["label"].count(0)),
        (("score", (1,)), COLUMNS["label"].count(1), 0),
    ]


@pytest.mark.parametrize("groups", [["a", 1, "b", 2], [[1], [2], [3], [4]]])
def test_values_that_cannot_be_groups(groups):
    column = np.empty(4, dtype=object)
    column[:] = groups
    data = {"y": [1, 0, 1, 0], "p": [0.9, 0.8, 0.7, 0.1], "g": column}
    with pytest.raises(
        ColumnError, match=r"^Column 'g' cannot make groups\.\nHint: use a column of"
    ):
        tallies(data, score="p", label="y", by="g")


# -- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", ["truth", "single", "both", "blind"])
@pytest.mark.parametrize("threshold", [0.5, 0.25, "mean"])
def test_step_rules(steps, threshold):
    found = tallies(
        COLUMNS, score="score", label="label", by="sex", steps=steps, threshold=threshold
    )
    whole = from_arrays().turned(steps, threshold)
    parts = sum(found.values())  # which they could not be if each had its own mean
    assert (parts.steps, parts.threshold) == (whole.steps, whole.threshold)
    np.testing.assert_allclose(parts.up, whole.up, rtol=1e-12)


def test_steps_that_need_probabilities():
    data = {"y": [1, 0], "p": [0.5, 1.5]}
    with pytest.raises(
        ScoreError, match=r"^Column 'p' at row 1 is 1\.5, outside \[0, 1\]\.\nHint: "
    ):
        tallies(data, score="p", label="y", steps="both")


# -- dropping ------------------------------------------------------------------------------------

GAPS = {
    "y": [1, 0, None, 0, 1, 0],
    "a": [0.9, None, 0.7, 0.6, 0.5, 0.4],
    "b": [0.1, 0.2, 0.3, 0.4, 0.5, None],
    "w": [1.0, 1.0, 1.0, 0.0, 2.0, 1.0],
    "g": ["x", "x", "x", "y", "y", "z"],
}


def test_a_gap_in_one_score_drops_no_row_of_another(engine):
    table = engine(GAPS)
    with pytest.warns(DroppedRowsWarning) as caught:
        found = tallies(table, score=["a", "b"], label="y", invalid="drop")
    assert found["a", ()].scores.tolist() == [0.9, 0.6, 0.5, 0.4]
    assert found["b", ()].scores.tolist() == [0.5, 0.4, 0.2, 0.1]
    assert found.dropped == {("a", ()): 2, ("b", ()): 2}
    said = [one for one in caught if isinstance(one.message, DroppedRowsWarning)]
    assert len(said) == 2
    assert all("2 of 6 rows were left out" in str(one.message) for one in said)
    assert {one.filename for one in said} == {__file__}


@pytest.mark.parametrize("name", IN_MEMORY)
def test_dropped_rows_have_numbers_where_rows_have_an_order(name):
    with pytest.warns(DroppedRowsWarning) as caught:
        found = tallies(ENGINES[name](GAPS), score=["a", "b"], label="y", invalid="drop")
    assert {key: rows.tolist() for key, rows in found.dropped_rows.items()} == {
        ("a", ()): [1, 2],
        ("b", ()): [2, 5],
    }
    assert [str(one.message) for one in caught] == [
        f"Column '{name}': 2 of 6 rows were left out because a label, score or weight was missing "
        f"or not usable: rows {rows}."
        for name, rows in (("a", "1, 2"), ("b", "2, 5"))
    ]
    assert [one.message.rows for one in caught] == [(1, 2), (2, 5)]


@pytest.mark.parametrize("name", [name for name in LAZY if name != "spark"])
def test_dropped_rows_of_a_lazy_table_are_counted(name):
    with pytest.warns(DroppedRowsWarning) as caught:
        found = tallies(ENGINES[name](GAPS), score=["a", "b"], label="y", invalid="drop")
    assert dict(found.dropped_rows) == {}
    assert [str(one.message) for one in caught] == [
        f"Column '{name}': 2 of 6 rows were left out because a label, score or weight was missing "
        "or not usable."
        for name in "ab"
    ]
    assert [one.message.rows for one in caught] == [(), ()]


def test_dropped_rows_and_rows_of_weight_zero_leave_the_groups_in_step(engine):
    table = engine(GAPS)
    with pytest.warns(DroppedRowsWarning, match="olumn 'b'"):
        found = tallies(table, score="b", label="y", weight="w", by="g", invalid="drop")
    assert {key[1]: one.scores.tolist() for key, one in found.items()} == {
        ("x",): [0.2, 0.1],
        ("y",): [0.5],
        ("z",): [],
    }
    assert found.dropped == {("b", ("x",)): 1, ("b", ("y",)): 0, ("b", ("z",)): 1}
    assert found.rows == {("b", ("x",)): 2, ("b", ("y",)): 1, ("b", ("z",)): 0}
    whole = sum(found.values())
    assert whole.scores.tolist() == [0.5, 0.2, 0.1]
    assert whole.up.tolist() == [2.0, 0.0, 1.0]


def test_a_group_that_is_dropped_whole_has_an_empty_tally():
    with pytest.warns(DroppedRowsWarning):
        found = tallies(GAPS, score="b", label="y", by="g", invalid="drop", steps="both")
    empty = found["b", ("z",)]
    assert (len(empty), empty.total_up, empty.total_right) == (0, 0, 0)
    with pytest.warns(UndefinedMetricWarning, match="mass, so the area is undefined"):
        assert np.isnan(empty.auc_bounds).all()
    assert same(empty + found["b", ("x",)], found["b", ("x",)])


def test_dropped_rows_of_several_files(tmp_path):
    (tmp_path / "1.csv").write_text("y,p\n1,0.5\n0,\n")
    (tmp_path / "2.csv").write_text("y,p\n1,0.5\nNA,0.5\n")
    with pytest.warns(DroppedRowsWarning, match=r"2\.csv'\): 2 of 4 rows .*: rows 1, 3, counted"):
        found = tallies(str(tmp_path / "*.csv"), score="p", label="y", invalid="drop")
    assert found.dropped_rows["p", ()].tolist() == [1, 3]


# -- the mapping ---------------------------------------------------------------------------------


def test_it_is_a_frozen_mapping():
    found = tallies(COLUMNS, score="score", label="label", by="sex")
    assert isinstance(found, Tallies)
    assert isinstance(found, Mapping)
    assert dict(found) == dict(found.items())
    assert ("score", ("f",)) in found
    assert "score" not in found
    assert found.get(("score", ("x",))) is None
    with pytest.raises(KeyError):
        found["score", ("x",)]
    with pytest.raises(AttributeError):
        found.by = ()
    with pytest.raises(TypeError):
        found.parts["score", ("f",)] = None


def test_it_can_be_sent_elsewhere():
    with pytest.warns(DroppedRowsWarning):
        found = tallies(GAPS, score="a", label="y", by="g", invalid="drop")
    copy = pickle.loads(pickle.dumps(found))
    assert list(copy) == list(found)
    assert all(same(copy[key], found[key]) for key in found)
    assert (copy.by, copy.dropped) == (found.by, found.dropped)
    assert not any(rows.flags.writeable for rows in copy.dropped_rows.values())


def test_only_refuses_several():
    found = tallies(COLUMNS, score="score", label="label", by="sex")
    with pytest.raises(
        TallyError,
        match=r"There are 2 tallies, not one: \('score', \('f',\)\), \('score', \('m',\)\)\.\nHint",
    ):
        _ = found.only
    many = Tallies({("s", (i,)): found["score", ("f",)] for i in range(9)}, ("i",))
    with pytest.raises(
        TallyError, match=r"There are 9 tallies, .*\('s', \(5,\)\), …\.\nHint: take"
    ):
        _ = many.only
    with pytest.raises(TallyError, match="There are 0 tallies"):
        _ = Tallies({}).only


def test_views():
    data = {"y": [1, 0, 1, 0], "p": [0.9, 0.8, 0.7, 0.1], "rows": ["a", "a", "b", None]}
    found = tallies(data, score="p", label="y", by="rows")
    assert repr(found) == (
        "Tallies(tallies=3, scores=('p',), by=('rows',), total_rows=4, total_dropped=0)"
    )
    assert "rocwalk Tallies" in found._repr_html_()
    plain = found.to_dict()
    assert plain["by_rows"] == ["a", "b", None]
    assert plain["rows"] == [2, 1, 1]
    assert plain["positives"] == [1, 1, 0]
    assert json.loads(found.to_json())["auc"] == [1.0, None, None]
    for library in ("pandas", "polars", "pyarrow"):
        names = list(nw.from_native(found.to_frame(library)).columns)
        masses = ["rows", "positives", "negatives", "auc", "certificate"]
        assert names == ["score", "by_rows", *masses]


def test_dates_among_the_groups_can_be_written_as_json():
    data = {"y": [1, 0], "p": [0.9, 0.8], "day": [dt.date(2024, 5, 1)] * 2}
    found = tallies(pl.DataFrame(data), score="p", label="y", by="day")
    assert json.loads(found.to_json())["day"] == [str(next(iter(found))[1][0])]


# -- refusals ------------------------------------------------------------------------------------


def test_a_label_is_needed():
    with pytest.raises(OptionError, match=r"^label is missing\.\nHint: name the column of labels"):
        tallies(COLUMNS, score="score")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"score": []}, r"score names no column\.\nHint: pass the name"),
        ({"score": ["score", "score"]}, r"score names 'score' twice\.\nHint: name each"),
        ({"steps": "up"}, r"steps='up' is not known\.\nHint: steps is one of 'truth'"),
        ({"threshold": "median"}, r"threshold='median' is not known\.\nHint: pass a number"),
        ({"threshold": float("nan")}, r"threshold=nan is not known\.\nHint: pass a number"),
        ({"truth": "maybe"}, r"truth='maybe' is not known\.\nHint: truth is one of 'auto'"),
        ({"invalid": "ignore"}, r"invalid='ignore' is not known\.\nHint: invalid is one of"),
    ],
)
def test_options_that_are_not_known(options, words):
    with pytest.raises(OptionError, match=words):
        tallies(COLUMNS, **{"score": "score", "label": "label", **options})


@pytest.mark.parametrize("role", ["score", "label", "weight", "by"])
def test_a_missing_column(table, role):
    names = {"score": "score", "label": "label", role: "wieght"}
    with pytest.raises(ColumnError, match=r"There is no column 'wieght' in .*\nHint: did you mean"):
        tallies(table, **names)


def test_an_error_names_the_column_and_the_row(tmp_path):
    data = {"y": [1, 0, 1], "p": [0.9, None, float("inf")]}
    with pytest.raises(
        ScoreError, match=r"^Column 'p' at row 1 \(the first of 2\) is NaN \(or missing\)\.\nHint: "
    ):
        tallies(data, score="p", label="y")
    pq.write_table(pa.table(data), tmp_path / "a.parquet")
    with pytest.raises(
        ScoreError, match=r"^Column 'p' at row 1 of '.*a\.parquet' \(the first of 2"
    ):
        tallies(tmp_path / "a.parquet", score="p", label="y")
    (tmp_path / "a.csv").write_text("y,p\n1,0.9\n\n0,NA\n1,inf\n")
    with pytest.raises(ScoreError, match=r"^Column 'p' at row 1, line 4 of '.*a\.csv' \(the first"):
        tallies(tmp_path / "a.csv", score="p", label="y")


def test_an_error_names_the_right_one_of_several_columns():
    data = {"y": [1, 0], "p": [0.5, 0.5], "q": ["high", "low"], "w": [1, -1], "z": [0, 0]}
    with pytest.raises(
        ScoreError, match=r"^Column 'q' at row 0 is .*high.*\nHint: pass numbers as column 'q'"
    ):
        tallies(data, score=["p", "q"], label="y")
    with pytest.raises(
        WeightError, match=r"^Column 'w' at row 1 is -1\.\nHint: weights are finite"
    ):
        tallies(data, score="p", label="y", weight="w")
    with pytest.raises(WeightError, match=r"^Column 'z' is zero in all rows\.\nHint: "):
        tallies(data, score="p", label="y", weight="z")
    with pytest.raises(LabelError, match=r"^Column 'q' has the labels high, low, which do not say"):
        tallies(data, score="p", label="q")


def test_an_error_without_a_row_names_the_file(tmp_path):
    (tmp_path / "a.csv").write_text("y,p\nmaybe,0.9\nno,0.5\n")
    with pytest.raises(
        LabelError, match=r"^Column 'y' of '.*a\.csv' has the labels maybe, no, which"
    ):
        tallies(tmp_path / "a.csv", score="p", label="y")


def test_huge_integers_in_a_file_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text(f"y,p\n1,1\n0,{2**53 + 1}\n")
    with pytest.raises(
        ScoreError, match=r"^Column 'p' at row 1, line 3 of .* is the integer 90071"
    ):
        tallies(tmp_path / "a.csv", score="p", label="y")


def test_pos_label_of_the_wrong_type(tmp_path):
    (tmp_path / "a.csv").write_text("y,t,p\n1,yes,0.9\n0,no,0.5\n")
    with pytest.raises(
        LabelError, match=r"pos_label='1' is text, but column 'y' of .* holds numbers\.\nHint: pass"
    ):
        tallies(tmp_path / "a.csv", score="p", label="y", pos_label="1")
    with pytest.raises(
        LabelError, match=r"pos_label=1 is not text, but column 't' of .* holds text\.\nHint: pass"
    ):
        tallies(tmp_path / "a.csv", score="p", label="t", pos_label=1)


def test_a_part_of_the_data_may_lack_the_positive_label():
    data = {"y": ["no", "no"], "p": [0.9, 0.5]}
    assert tallies(data, score="p", label="y", pos_label="yes").only.total_up == 0


@pytest.mark.parametrize("data", [[1, 2], [], 3, None, pd.Series([1]), [{"y": 1}], np.eye(2)])
def test_what_is_not_a_table(data):
    with pytest.raises(
        InputError, match=r"^data is (an? \w+|None), not a table\.\nHint: pass a dataframe"
    ):
        tallies(data, score="p", label="y")


@pytest.mark.parametrize("data", [{"y": [], "p": []}, pd.DataFrame({"y": [], "p": []})])
def test_no_rows(data):
    with pytest.raises(InputError, match=r"There are no rows in the .*\nHint: pass at least one"):
        tallies(data, score="p", label="y")


def test_dicts_of_columns_that_do_not_fit():
    with pytest.raises(ColumnError, match=r"Column 'y' has 1 rows, column 'p' 2\.\nHint: pass col"):
        read_table({"y": [1], "p": [0.5, 0.6]}, ["p", "y"])
    for role, hint in (
        (NUMBER, r"use \[:, 1\], the column of the positive"),
        (LABEL, "pass one-dim"),
    ):
        what = rf"Column 'p' has 2 dimensions, shape \(1, 2\)\.\nHint: {hint}"
        with pytest.raises(ColumnError, match=what):
            read_table({"p": [[0.5, 0.6]]}, {"p": role})
    with pytest.raises(
        InputError, match=r"column 'p' is a float, not a column\.\nHint: pass a list"
    ):
        read_table({"p": 0.5}, ["p"])
    with pytest.raises(
        ColumnError, match=r"There is no column 'p' in the dict\.\nHint: there are no"
    ):
        read_table({}, ["p"])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"]),
        pa.table([pa.array([1]), pa.array([2]), pa.array([3])], names=["a", "b", "a"]),
    ],
)
def test_duplicate_columns_of_a_dataframe(frame):
    for call in (lambda: read_table(frame, ["b"]), lambda: column_names(frame)):
        with pytest.raises(
            ColumnError, match=r"There are 2 columns called 'a' in the dataframe\.\nHint: rename"
        ):
            call()


def test_names_that_are_not_text():
    frame = pd.DataFrame({0: [1, 0], 1: [0.9, 0.5]})
    assert tallies(frame, score=1, label=0).only.scores.tolist() == [0.9, 0.5]
    with pytest.raises(
        ColumnError, match=r"There is no column 2 in the dataframe\.\nHint: there are"
    ):
        tallies(frame, score=2, label=0)


def test_a_lazy_frame_collects_only_what_is_needed():
    def refuse(_):
        raise AssertionError("a column that nobody asked for was computed")

    frame = pl.LazyFrame({"y": [1, 0], "p": [0.9, 0.5]}).with_columns(
        bad=pl.col("y").map_batches(refuse, return_dtype=pl.Int64)
    )
    assert tallies(frame, score="p", label="y").only.scores.tolist() == [0.9, 0.5]


# -- warnings ------------------------------------------------------------------------------------


def test_warnings_name_the_column_and_point_at_the_caller():
    data = {"y": [1, 0, 1, 0], "p": [1, 0, 0, 0], "s": [0.5, 0.25, 0.75, 0.0]}
    with pytest.warns(HardScoresWarning, match=r"^Column 'p': The scores are all 0 or 1") as caught:
        tallies(data, score="p", label="y")
    assert caught[0].filename == __file__
    with pytest.warns(
        SwappedArgumentsWarning,
        match=r"^Column 's' looks like probabilities and column 'p' takes only two values",
    ):
        tallies(data, score="p", label="s")


# -- labels named in text ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "text", "label"),
    [
        ([0, 1], "1", 1),
        ([0, 1], "1.0", 1),
        ([0.0, 1.0], "1", 1.0),
        ([-1, 1], "-1", -1),
        ([False, True], "1", True),
        ([False, True], "true", True),
        ([False, True], "False", False),
        (["no", "yes"], "yes", "yes"),
        (["0", "1"], "1", "1"),
        (["1", "1.0"], "1", "1"),
        (["01", "02"], "1", "01"),
        ([0.5, float("nan"), 1.0], "1", 1.0),
    ],
)
def test_match_label(values, text, label):
    for array in (np.array(values), np.array([*values, None], dtype=object)):
        found = match_label(array, text)
        assert found == label
        assert type(found) is type(label)


@pytest.mark.parametrize(
    ("values", "text", "words"),
    [
        ([0, 1], "2", r"No row has the label '2' in y_true\.\nHint: there are: '0', '1'"),
        (
            ["no", "yes"],
            "yess",
            r"No row has the label 'yess' in y_true\.\nHint: did you mean 'yes'\?",
        ),
        (
            ["No", "Yes"],
            "yes",
            r"No row has the label 'yes' in y_true\.\nHint: did you mean 'Yes'\?",
        ),
        (["1.0", "01"], "1", r"'1' could mean any of the labels '01', '1\.0'\.\nHint: write"),
        ([0, 1], "nan", r"No row has the label 'nan'"),
    ],
)
def test_match_label_refuses(values, text, words):
    with pytest.raises(LabelError, match=words):
        match_label(np.array(values), text)


# -- tables --------------------------------------------------------------------------------------


def test_what_counts_as_files(tmp_path):
    assert is_files("a.csv")
    assert is_files(tmp_path)
    assert is_files(["a.csv", tmp_path])
    assert not is_files([])
    assert not is_files([1])
    assert not is_files({"a": [1]})


def test_tables_can_be_sent_elsewhere(tmp_path):
    (tmp_path / "a.csv").write_text("y,p\n1,0.9\n\n0,0.5\n")
    table = pickle.loads(pickle.dumps(read_table(tmp_path / "a.csv", ["p"])))
    assert isinstance(table, Table)
    assert table.where(1) == {"row": 1, "line": 4, "file": str(tmp_path / "a.csv")}
