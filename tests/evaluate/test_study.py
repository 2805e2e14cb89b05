"""Studies: which columns go together, and which rows every model can use."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.cli.notes import CommandLine
from rocwalk.errors import ColumnError, DroppedRowsWarning, OptionError, RocwalkWarning
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import read_study
from rocwalk.read.long_votes import long_votes
from rocwalk.read.scales import VoteRule

NAN = float("nan")
TABLE = {
    "y": [1, 0, 1, 0, 1],
    "a": [0.9, 0.2, 0.7, NAN, 0.4],
    "b": [0.8, 0.3, NAN, 0.1, 0.6],
    "w": [1.0, 2.0, 1.0, 1.0, 3.0],
}

REFUSED = {
    "nothing to learn the labels from": (
        {"label": None, "scores": ("a",)},
        "label is missing.",
        "--label is missing.",
    ),
    "labels and raters": (
        {"label": "y", "raters": ("r",), "scores": ("a",)},
        "label and raters cannot both be given.",
        "--label and --raters cannot both be given.",
    ),
    "a cut of several classes": (
        {
            "label": None,
            "raters": ("r",),
            "class_scores": {"x": "a"},
            "votes": VoteRule(cut=2),
        },
        "cut does not go together with several classes.",
        "--cut does not go together with several classes.",
    ),
    "raters in columns and in rows": (
        {
            "label": None,
            "raters": ("r",),
            "long": long_votes("i", "r", "v"),
            "scores": ("a",),
        },
        "raters and rater do not go together.",
        "--raters and --rater do not go together.",
    ),
    "weights of nobody": (
        {"label": "y", "scores": ("a",), "votes": VoteRule(rater_weight={"r": 2})},
        "rater_weight is of votes, and there are none.",
        "--rater-weight is of votes, and there are none.",
    ),
    "no scores": (
        {"label": "y"},
        "Either columns of scores or a column for each class are needed.",
        "Either columns of scores or a column for each class are needed.",
    ),
    "folds of several classes": (
        {"label": "y", "class_scores": {"x": "a"}, "fold": "f"},
        "Subgroups and folds do not go together with several classes.",
        "Subgroups and folds do not go together with several classes.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_columns_that_do_not_go_together(case):
    columns, library, command_line = REFUSED[case]
    with pytest.raises(OptionError) as caught:
        Question(**columns)
    assert caught.value.what == library
    assert caught.value.worded(CommandLine())[0] == command_line
    assert caught.value.hint.endswith(".")


def test_a_column_that_is_also_a_group_is_read_as_the_other():
    question = Question(label="y", scores=("a",), by=("y", "site"), fold="a")
    assert question.roles() == {"y": "label", "a": "number", "site": "group"}


def test_pairs_are_the_rows_that_every_model_can_use():
    question = Question(label="y", scores=("a", "b"), weight="w", invalid="drop")
    with pytest.warns(DroppedRowsWarning, match="1 of 5 rows was left out"):
        study = read_study(TABLE, question)
    assert study.rows == {"a": {"used": 4, "dropped": 1}, "b": {"used": 4, "dropped": 1}}
    assert study.paired.truth.tolist() == [1, 0, 1]
    assert {k: v.tolist() for k, v in study.paired.scores.items()} == {
        "a": [0.9, 0.2, 0.4],
        "b": [0.8, 0.3, 0.6],
    }
    assert study.paired.weights.tolist() == [1, 2, 3]
    tally = rw.tally([1, 0, 1, 1], [0.9, 0.2, 0.7, 0.4], sample_weight=[1, 2, 1, 3])
    assert study.models["a", ()].area == tally.area
    with pytest.warns(RocwalkWarning, match="2 rows lack a usable value for some model"):
        same = read_study(TABLE, question, same_rows=True)
    assert same.models["a", ()].total_count == same.models["b", ()].total_count == 3


def test_no_row_that_every_model_can_use():
    apart = TABLE | {"b": [NAN, NAN, NAN, 0.1, NAN], "y": [1, 0, 1, 1, 0]}
    with pytest.warns(DroppedRowsWarning):
        study = read_study(apart, Question(label="y", scores=("a", "b"), invalid="drop"))
    assert study.paired is None
    assert study.why_unpaired == "There is no row that every model can use."
    assert np.isnan(study.models["b", ()].area)


@pytest.mark.parametrize("engine", ["pandas", "polars", "duckdb"])
def test_a_row_without_a_fold_is_refused(engine):
    data = {"y": [1, 0] * 6, "s": [0.1 * k for k in range(12)], "f": [1, 2, 3, 1, 2, None] * 2}
    if engine == "duckdb":
        import duckdb

        rows = ", ".join(
            f"({y}, {s}, {'NULL' if f is None else f})"
            for y, s, f in zip(*data.values(), strict=True)
        )
        table = duckdb.connect().sql(f"SELECT * FROM (VALUES {rows}) AS t(y, s, f)")
    else:
        table = importlib.import_module(engine).DataFrame(data)
    asked = Question(label="y", scores=("s",), fold="f")
    for by_tallies in (False, True):
        with pytest.raises(ColumnError, match=r"'f'.* is missing, so the fold of the row"):
            read_study(table, asked, by_tallies=by_tallies)
