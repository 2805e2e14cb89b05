"""Errors and warnings: fields, `at`, wording by the library and by the command line, pickling."""

from __future__ import annotations

import ast
import copy
import pickle
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.cli.notes import STANDARD_INPUT, CommandLine
from rocwalk.errors import (
    Argument,
    BucketedWarning,
    Column,
    ColumnError,
    DroppedRowsWarning,
    FileError,
    FitWarning,
    HardScoresWarning,
    InputError,
    LabelError,
    OneClassError,
    Option,
    OptionError,
    RocwalkError,
    RocwalkWarning,
    ScoreError,
    SmallSampleWarning,
    collecting,
    in_this_context,
    together,
    warn,
)

SOURCE = Path(rw.__file__).parent
WORDS = CommandLine()


def nan_score():
    return ScoreError(
        "is NaN.",
        ("scores must be finite; ", Option("invalid", "drop"), " leaves such rows out."),
        argument="y_score",
        row=3,
        count=5,
        problem="nan",
    )


# -- from fields to words --------------------------------------------------------------------------


def test_plain_texts_are_whole_sentences():
    error = RocwalkError("Nothing fits.", "try again.")
    assert (error.what, error.hint) == ("Nothing fits.", "try again.")
    assert str(error) == "Nothing fits.\nHint: try again."
    assert error.worded(WORDS) == ("Nothing fits.", "try again.")
    assert isinstance(error, ValueError)


def test_the_library_and_the_command_line_word_the_same_error():
    error = nan_score()
    assert error.what == "y_score at row 3 (the first of 5) is NaN."
    assert error.hint == "scores must be finite; invalid='drop' leaves such rows out."
    assert error.worded(WORDS)[1] == "scores must be finite; --invalid drop leaves such rows out."


@pytest.mark.parametrize(
    ("error", "library", "command_line"),
    [
        (
            OptionError("is outside (0, 1].", "h", option="max_fpr", value=1.5),
            "max_fpr=1.5 is outside (0, 1].",
            "--max-fpr 1.5 is outside (0, 1].",
        ),
        (
            LabelError(("No vote is ", Option("pos_label", "yes"), "."), "h"),
            "No vote is pos_label='yes'.",
            "No vote is --positive 'yes'.",
        ),
        (
            OptionError((Argument("label"), " and ", Argument("raters"), " are given."), "h"),
            "label and raters are given.",
            "--label and --raters are given.",
        ),
        (
            OptionError("is not known.", "h", option="truth", value="firm"),
            "truth='firm' is not known.",
            "truth='firm' is not known.",
        ),
        (OptionError("is None.", "h", option="weight", value=None), "weight=None is None.",
         "--weight None is None."),
        (ColumnError("is odd.", "h", column="p"), "Column 'p' is odd.", "Column 'p' is odd."),
        (
            ColumnError("is odd.", "h", column="p", file="a.csv"),
            "Column 'p' of 'a.csv' is odd.",
            "Column 'p' of 'a.csv' is odd.",
        ),
        (FileError("is empty.", "h", file="-"), "'-' is empty.", "Standard input is empty."),
        (
            FileError("has 3 values.", "h", file="a.csv", line=7),
            "Line 7 of 'a.csv' has 3 values.",
            "Line 7 of 'a.csv' has 3 values.",
        ),
        (
            InputError("is odd.", "h", argument="y_prob", row=2, index=1),
            "y_prob at row 2, column 1 is odd.",
            "y_prob at row 2, column 1 is odd.",
        ),
    ],
)  # fmt: skip
def test_what_is_said(error, library, command_line):
    assert error.what == library
    assert error.worded(WORDS)[0] == command_line


def test_a_copy_of_standard_input_is_called_so():
    error = FileError("is empty.", "h", file="/anywhere/copy.csv")
    token = STANDARD_INPUT.set("/anywhere/copy.csv")
    try:
        assert error.worded(WORDS)[0] == "Standard input is empty."
        several = error.at(file=["/anywhere/copy.csv", "b.csv"], subject=None)
        assert several.worded(WORDS)[0] == "2 files (standard input … 'b.csv'): is empty."
    finally:
        STANDARD_INPUT.reset(token)
    assert error.worded(WORDS)[0] == "'/anywhere/copy.csv' is empty."


# -- more is known further up ----------------------------------------------------------------------


def test_at_adds_fields_and_leaves_the_error_as_it_was():
    error = nan_score()
    placed = error.at(names={"y_score": Column("p")}, row=1, line=3, file="x.csv")
    assert type(placed) is ScoreError
    assert placed.what == "Column 'p' at row 1, line 3 of 'x.csv' (the first of 5) is NaN."
    assert placed.hint == error.hint
    assert (placed.fields.row, placed.fields.line, placed.fields.file.name) == (1, 3, "x.csv")
    assert error.what == "y_score at row 3 (the first of 5) is NaN."
    assert error.at(names={"y_score": "scores['a']"}).what.startswith("scores['a'] at row 3")
    assert error.at(names={"y_score": Column("p")}, row=None).what == "Column 'p' is NaN."
    assert error.at(column="p", count=1).what == "Column 'p' at row 3 is NaN."
    with pytest.raises(TypeError):
        error.at(colunm="p")


def test_a_hint_is_without_options_that_the_caller_does_not_have():
    error = nan_score().at(lacks=("invalid",))
    assert error.hint == "scores must be finite."
    assert error.worded(WORDS)[1] == "scores must be finite."
    points = [Option("threshold", 0.2), " or ", Option("rate", 0.2), "."]
    one = OptionError("needs a point.", ("give ", *points), argument="statistic")
    assert one.at(lacks=("rate",)).hint == "give threshold=0.2."
    assert one.at(lacks=("fpr",)).hint == "give threshold=0.2 or rate=0.2."
    assert OptionError("is odd.", (Option("rate"), " is better.")).at(lacks=("rate",)).hint == ""


def test_a_point_of_the_curve_is_named_with_its_statistic_on_the_command_line():
    error = OptionError("Where?", ("give ", Option("fpr", 0.2, "sensitivity"), "."))
    assert error.hint == "give fpr=0.2."
    assert error.worded(WORDS)[1] == "give --statistic sensitivity@fpr=0.2."


def test_a_matrix_is_several_columns():
    error = ScoreError("is NaN.", "h", argument="y_prob", row=2, index=1)
    names = {"y_prob": Column("a", ("b", "c")), "y_true": Column("y")}
    assert error.at(names=names).what == "Column 'b' at row 2 is NaN."
    other = LabelError(("is not in ", Argument("y_prob"), "."), "h", argument="y_true")
    assert other.at(names=names).what == "Column 'y' is not in columns 'a', 'b' and 'c'."


def test_columns_and_files_are_named_once():
    whole = RocwalkWarning("All scores are 0.")
    assert str(whole.at(column="p")) == "Column 'p': All scores are 0."
    assert str(whole.at(column="p", file="a")) == "Column 'p' of 'a': All scores are 0."
    assert str(whole.at(file="a")) == "'a': All scores are 0."
    told = RocwalkWarning((Argument("y_true"), " and ", Argument("y_score"), " look swapped."))
    names = {"y_true": Column("y"), "y_score": Column("p")}
    assert (
        str(told.at(names=names, column="p", file="a"))
        == "Column 'y' of 'a' and column 'p' look swapped."
    )
    option = LabelError("is text.", "h", option="pos_label", value="1")
    assert option.at(file="a", column="p").what == "pos_label='1' is text."
    other = OneClassError("has one class.", "h", subject="The sample")
    assert other.at(subject=Column("p"), file="a").what == "Column 'p' of 'a' has one class."


def test_a_remark_follows():
    assert nan_score().at(remark="Input contains NaN.").what.endswith("is NaN. Input contains NaN.")


# -- warnings --------------------------------------------------------------------------------------


def test_dropped_rows_in_words():
    assert str(DroppedRowsWarning(7, [2])) == (
        "1 of 7 rows was left out because a label, score or weight was missing or not usable: "
        "row 2."
    )
    many = DroppedRowsWarning(2000, np.arange(1200))
    assert (many.count, many.total, many.rows[:2]) == (1200, 2000, (0, 1))
    assert "1,200 of 2,000 rows were left out" in str(many)
    assert str(many).endswith(": rows 0, 1, 2, 3, 4, ….")
    files = str(many.at(file=["a", "b"]))
    assert files.endswith(": rows 0, 1, 2, 3, 4, …, counted through the files in their order.")
    assert "because a vote, score or weight" in str(many.of_votes().at(column="p"))
    assert str(DroppedRowsWarning(9, count=3)).endswith("missing or not usable.")


def test_a_small_sample_in_words():
    few = SmallSampleWarning(
        "delong", "there are 8 positives", ("use ", Option("method", "auto"), "."), counts=(8, 392)
    )
    assert str(few) == (
        "'delong' of auc is not reliable here: there are 8 positives. Hint: use method='auto'."
    )
    assert (few.method, few.statistic, few.because) == ("delong", "auc", "there are 8 positives")
    assert few.fields.counts == (8, 392)
    placed = few.at(column="p", file="x.csv")
    assert placed.what.startswith("Column 'p' of 'x.csv': 'delong' of auc is not reliable here")


def test_what_is_the_same_of_several_columns_is_said_once():
    dropped = [DroppedRowsWarning(5, rows).at(column=name) for name, rows in
               (("a", [1]), ("b", [1]), ("c", [1, 2]))]  # fmt: skip
    hard = HardScoresWarning("All are 0 or 1.", "pass scores.").at(column="a", file="x")
    found = [str(one) for one in together([*dropped, hard, hard, RocwalkWarning("Odd.")])]
    assert [text.split(":")[0] for text in found] == [
        "Columns 'a' and 'b'", "Column 'c'", "Column 'a' of 'x'", "Odd.",
    ]  # fmt: skip
    assert found[2] == "Column 'a' of 'x': All are 0 or 1. Hint: pass scores."


# -- elsewhere -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        RocwalkError("Nothing fits.", "try again."),
        nan_score(),
        nan_score().at(names={"y_score": Column("p")}, line=5, file="x.csv"),
        OptionError("is not known.", "h", option="truth", value="firm"),
        DroppedRowsWarning(7, [1, 2]).at(column="p", file=["a", "b"]),
        DroppedRowsWarning(7, [1]).of_votes(),
        BucketedWarning("About 0.5.", "make it finer.", (0.4, 0.5, 0.6)),
        SmallSampleWarning("bca", "there are 80 items", statistic="h_measure").at(column="p"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_and_warnings_can_be_sent_elsewhere(error):
    for same in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(same) is type(error)
        assert str(same) == str(error)
        assert vars(same) == vars(error)
        assert same.worded(WORDS) == error.worded(WORDS)


def test_fields_of_an_error_that_users_meet():
    with pytest.raises(ScoreError) as caught:
        rw.roc([1, 0, 1, 0], [0.9, np.nan, np.nan, 0.1])
    known = caught.value.fields
    assert (known.subject, known.row, known.count, known.problem) == (
        Argument("y_score"), 1, 2, "nan",
    )  # fmt: skip
    with pytest.raises(InputError) as caught:
        rw.roc([1, 0, 1, 0], [0.9, 0.8])
    assert caught.value.fields.counts == (4, 2)
    data = {"y": [1, 0, 1], "p": [0.9, 0.8, 1.5]}
    with pytest.raises(ScoreError) as caught:
        rw.tallies(data, label="y", score="p", steps="both")
    known = caught.value.fields
    assert known.called(known.subject) == Column("p")
    assert known.row == 2


def is_text_of_an_error(node):
    """Whether an expression is `error.what`, `error.hint` or `str(error)`."""
    if isinstance(node, ast.Attribute):
        return node.attr in ("what", "hint")
    return isinstance(node, ast.Call) and ast.unparse(node) == "str(error)"


def test_no_module_rewrites_the_text_of_an_error():
    """No `re` and no `.replace` on what an error says, and no dispatch by `except: pass`."""
    rewrites = ("replace", "sub", "search", "match", "removeprefix", "removesuffix")
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(SOURCE)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.ExceptHandler):
                name = "" if node.type is None else ast.unparse(node.type)
                assert name != "ValueError" or not isinstance(node.body[0], ast.Pass), where
            if isinstance(node, ast.Call) and any(map(is_text_of_an_error, ast.walk(node))):
                function = node.func
                assert getattr(function, "attr", "") not in rewrites, where
                assert ast.unparse(function) != "type(error)", where  # the same error, reworded
            if isinstance(node, ast.Subscript):
                assert not is_text_of_an_error(node.value), where


def test_collecting_takes_its_kinds_and_leaves_the_others_to_the_collector_around():
    with collecting() as outer, collecting(FitWarning) as inner:
        warn(FitWarning("One."))
        warn(DroppedRowsWarning(3, [1]))
    assert [type(one) for one in inner] == [FitWarning]
    assert [type(one) for one in outer] == [DroppedRowsWarning]
    with pytest.warns(FitWarning, match="Two"):
        warn(FitWarning("Two."))


@pytest.fixture
def busy_threads():
    """Threads take turns as often as Python lets them."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("busy_threads")
def test_warnings_of_threads_are_not_lost():
    """Eight threads of thirty calls: each call gives its own warning, in its own thread."""
    y, p = np.array([0, 1] * 20), np.linspace(0, 1, 40)
    p[3] = np.nan
    table = {"y": y, "p": p}
    models = {"a": p, "b": p[::-1]}
    start = threading.Barrier(8)

    def work(_):
        start.wait()
        for _ in range(30):
            rw.tallies(table, label="y", score="p", invalid="drop")
            with collecting():
                rw.compare(y, models, invalid="drop")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        before = warnings.showwarning
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert warnings.showwarning is before
    assert len([one for one in caught if one.category is DroppedRowsWarning]) == 8 * 30


def test_threads_of_the_library_warn_where_they_were_started():
    with collecting() as given, ThreadPoolExecutor(4) as pool:
        list(pool.map(in_this_context(warn), [FitWarning(f"{k}.") for k in range(20)]))
    assert sorted(map(str, given)) == sorted(f"{k}." for k in range(20))
