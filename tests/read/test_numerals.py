"""What cells of files mean: the same in memory and larger than memory, or the same kind of error."""

from __future__ import annotations

import inspect
import re
import warnings

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from rocwalk.errors import OptionError, RocwalkError, RocwalkWarning, ScoreError, WeightError
from rocwalk.read import numerals
from rocwalk.read.files import asking_words
from rocwalk.read.frames import GROUP, LABEL, NUMBER, TEXT, objects
from rocwalk.read.numerals import (
    COMMA,
    COULD_BE_THOUSANDS,
    POINT,
    THOUSANDS,
    Notation,
    interpret,
    kind_of_words,
    kinds_of,
    missing_words,
    text_sql,
)
from rocwalk.read.sources import columns_of

LARGE = {"limit": 10**6}  # files that have a limit are tallied in DuckDB

MISSING = ["", " ", "NA", "NA\u00a0", "N/A", "#N/A ", "NULL", "null", "None", "none", "na"]
INTEGERS = [
    *("1", "+1", "-0", " 1 ", "\t1", "1\u00a0", "\u30001", "007", "00", "0x1F", "1_000"),
    *("9007199254740993", "+9007199254740993", "9223372036854775807", "9223372036854775808"),
    *("-9223372036854775809", "18446744073709551615", "18446744073709551616"),
]
NUMBERS = [
    *(".5", "+.5", "5.", "1E+5", "1e-400", "1e400", "1e", "e5", "0.5f", "00.5"),
    *("0,5", ",5", "1,", "1,5e3", "1.234,5", "1 2", "--1", "\u22121", "1%", "0.1.2"),
    *("inf", "-Inf", "+infinity", "nan", "-NaN"),
]
GROUPED = [
    *("1,000", "1,000,000", "-1,250", "0,000", "1000,000", "1,00", "1,0000", "1,000.5", "1.000,5"),
    *(
        "1.000",
        "1.000.000",
        "1 000",
        "1\u202f000",
        "1'000",
        "1\u2019000.5",
        "1_000.5",
        "0_5",
        "1,000e3",
    ),
]
BOOLEANS = ["true", "True", " TRUE", "false", "t", "yes"]


NOTATIONS = {
    "points": (POINT,),
    "perhaps commas": (POINT, COMMA),
    "commas": (Notation(","),),
    "thousands commas": (Notation(".", ","),),
    "thousands points": (Notation(",", "."),),
    "thousands spaces": (Notation(".", " "), Notation(",", " ")),
    "thousands apostrophes": (Notation(".", "'"),),
    "thousands underscores": (Notation(".", "_"),),
}


ARROW = {"BIGINT": "int64", "UBIGINT": "uint64", "DOUBLE": "double", "BOOLEAN": "bool"}


def arrow_interpret(texts, role, notations=(POINT,)):
    """Return an Arrow column of text as numbers or booleans: `interpret`, written with Arrow."""
    if role == TEXT:
        return texts

    def without(words, missing):
        is_missing = pc.match_substring_regex(words, f"^({'|'.join(map(re.escape, missing))})$")
        return pc.if_else(is_missing, pa.nulls(1, pa.string())[0], words)

    words = without(pc.utf8_trim_whitespace(texts), missing_words(role))
    for kind in kinds_of(notations):
        fits = pc.match_substring_regex(words, f"^(?:{kind.pattern})$")
        if pc.all(fits, min_count=0).as_py():
            notation, numbers = kind.notation, words
            if notation.is_guess:
                doubtful = pc.match_substring_regex(words, f"^(?:{COULD_BE_THOUSANDS})$")
                sure = pc.and_not(pc.match_substring(words, ","), doubtful)
                if not pc.any(sure, min_count=0).as_py():
                    continue
            if notation.thousands:
                sign = THOUSANDS[notation.thousands]
                numbers = pc.replace_substring_regex(numbers, sign, "")
            if notation.decimal != ".":
                numbers = pc.replace_substring(numbers, notation.decimal, ".")
            if kind.is_integer:  # of which Arrow reads none with a plus
                numbers = pc.utf8_ltrim(numbers, "+")
            try:
                return numbers.cast(ARROW[kind.sql])
            except pa.ArrowInvalid:  # an integer outside the range of this type
                continue
    return without(texts, numerals.MISSING) if role == LABEL else texts


def assert_read_alike(words, role, notations):
    """Assert that Arrow, SQL, and SQL about the distinct words make the same of columns of words."""
    with duckdb.connect() as connection:
        for column in words:
            table = pa.table({"word": pa.array([*column, None], pa.string())})
            expected = arrow_interpret(table["word"], role, notations)
            values, sql = interpret(
                objects([*column, None]), role, asking_words(connection), notations
            )
            assert ARROW.get(sql, "string") == expected.type, column
            listed = [None if one != one else one for one in values.tolist()]
            wanted = [None if one != one else one for one in expected.to_pylist()]
            assert str(listed) == str(wanted), column
            connection.register("words", table)
            kind = kind_of_words(
                "SELECT word FROM words",
                role,
                lambda query: columns_of(connection.sql(query)),
                notations,
            )
            value = text_sql(role, "word") if kind is None else kind.value_sql("word")
            found = connection.sql(f"SELECT {value} AS v FROM words").to_arrow_table()["v"]
            assert found.type == expected.type, column
            assert str(found.to_pylist()) == str(expected.to_pylist()), column


@pytest.mark.parametrize("notation", ["points", "perhaps commas"])
@pytest.mark.parametrize("role", [LABEL, GROUP, NUMBER])
def test_arrow_and_sql_read_every_word_alike(role, notation):
    words = [*MISSING, *INTEGERS, *NUMBERS, *BOOLEANS]
    others = ([], ["0.5"], ["NA"])
    columns = [[word, *other] for word in words for other in others]
    assert_read_alike(columns, role, NOTATIONS[notation])


@pytest.mark.parametrize("notation", NOTATIONS)
def test_arrow_and_sql_read_thousands_alike(notation):
    columns = [[word, *other] for word in GROUPED for other in ([], ["0,75"])]
    assert_read_alike(columns, LABEL, NOTATIONS[notation])


def test_a_sign_makes_no_other_kind_of_number():
    with duckdb.connect() as connection:
        values, kind = interpret(objects(["+1", "-2", "3"]), GROUP, asking_words(connection))
    assert values.tolist() == [1, -2, 3]
    assert (values.dtype, kind) == (np.int64, "BIGINT")


# -- whole files -----------------------------------------------------------------------------------


def outcome(path, **options):
    """Return what a reading gives, or the kind of error that it ends in."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocwalkWarning)
        try:
            read = rw.tallies(path, **{"score": "s", "label": "y"} | options)
        except RocwalkError as error:
            return type(error)
    keys = [(name, group, [type(value) for value in group]) for name, group in read]
    columns = [[one.scores.tolist(), one.up.tolist(), one.right.tolist()] for one in read.values()]
    return str((keys, columns, dict(read.dropped)))


def assert_same_outcome(path, **options):
    expected = outcome(path, **options)
    assert outcome(path, **options, **LARGE) == expected
    return expected


OPTIONS = {
    "y": {},
    "s": {},
    "w": {"weight": "w"},
    "g": {"by": "g"},
    "a": {"label": None, "raters": ["a", "b"]},
}
ODD = [
    *("", "NA", "\u00a0NA ", "None", "na", "+1", "-0", " 1 ", "007", "1_000", "1e0", "1e400"),
    *("nan", "-inf", "0,5", "2", "true", "TRUE", "yes", "9007199254740993", "9223372036854775808"),
]


@pytest.mark.parametrize("role", OPTIONS)
@pytest.mark.parametrize("invalid", ["raise", "drop"])
def test_an_odd_cell_has_one_meaning(tmp_path, role, invalid):
    for place, word in enumerate(ODD):
        odd = {"y": "1", "s": "0.75", "w": "1", "g": "1", "a": "1", "b": "0"} | {role: word}
        rows = ["y;s;w;g;a;b", "0;0.25;2;1;0;0", "1;0.5;1;2;1;", ";".join(odd.values())]
        path = tmp_path / f"{place}.csv"
        path.write_text("\n".join([*rows, "0;0.625;1;1;1;0\n"]), encoding="utf-8")
        assert_same_outcome(path, **OPTIONS[role], invalid=invalid)


@pytest.mark.parametrize(
    ("integer", "is_exact"),
    [(2**53, True), (2**53 + 1, False), (2**60, True), (2**63 + 1, False), (2**64, True)],
)
def test_integers_are_refused_where_floats_do_not_hold_them(tmp_path, integer, is_exact):
    for sign in ("", "+", "-"):
        path = tmp_path / f"a{sign}.csv"
        path.write_text(f"y,s,w\n1,{sign}{integer},{integer}\n0,3,1\n1,NA,2\n0,1,3\n")
        is_kept = is_exact or integer > 2**63  # beyond 64 bits numbers are read as floats
        found = assert_same_outcome(path, invalid="drop")
        assert (found is ScoreError) == (not (is_kept if sign == "-" else is_exact))
        found = assert_same_outcome(path, score="y", label="y", weight="w", invalid="drop")
        assert (found is WeightError) == (not is_exact)


VOTES = {
    "numbers": ([1, 0, None, 1], [0, 0, 1, 1]),
    "text": (["yes", "no", None, "yes"], ["no", "no", "yes", "yes"]),
    "three values": (["yes", "no", "maybe", "yes"], ["no", "no", "yes", "yes"]),
    "three numbers": ([1, 2, 3, 2], [2, 2, 1, 3]),
    "booleans": ([True, False, None, True], [False, False, True, True]),
    "text that looks like booleans": (["True", "False", None, "True"], ["True"] * 4),
}


@pytest.mark.parametrize("pos_label", [None, 1, 2, "1", True, "yes", "no", "True"])
@pytest.mark.parametrize("kind", VOTES)
def test_votes_have_one_meaning(tmp_path, kind, pos_label):
    first, second = VOTES[kind]
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"s": [0.9, 0.4, 0.5, 0.1], "a": first, "b": second}), path)
    assert_same_outcome(path, **OPTIONS["a"], pos_label=pos_label)


@pytest.mark.parametrize("pos_label", [None, 1, "1", True, "yes", "True"])
@pytest.mark.parametrize("kind", VOTES)
def test_labels_have_one_meaning(tmp_path, kind, pos_label):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"s": [0.9, 0.4, 0.5, 0.1], "y": VOTES[kind][0]}), path)
    assert_same_outcome(path, pos_label=pos_label, invalid="drop")


# -- how numbers are written -----------------------------------------------------------------------

TSV = "y\ts\n0\t900\n0\t950\n1\t1,000\n1\t1,250\n0\t990\n1\t2,100\n"
AMBIGUOUS = (
    r"Column 's' at row 2, line 4 of '.*' \(the first of 3\) is '1,000': the comma may be a decimal "
    r"sign or stand between thousands\.\nHint: it is read with decimal=',' as 1, or with "
    r"thousands=',' as 1000\."
)
# the text, the options, and the scores of its rows or the error
WRITTEN = {
    "thousands or decimals": (TSV, {}, AMBIGUOUS),
    "thousands or decimals, semicolons": (TSV.replace("\t", ";"), {}, AMBIGUOUS),
    "thousands or decimals, bars": (TSV.replace("\t", "|"), {}, AMBIGUOUS),
    "thousands": (TSV, {"thousands": ","}, [900, 950, 1000, 1250, 990, 2100]),
    "decimals": (TSV, {"decimal": ","}, [900, 950, 1, 1.25, 990, 2.1]),
    "no decimals": (
        TSV,
        {"decimal": "."},
        "is '1,000', not a number.\nHint: it is read with decimal=',' as 1, or with thousands=','",
    ),
    "sure decimals": ("y;s\n1;0,75\n0;1,000\n", {}, [0.75, 1]),
    "sure by two digits": ("y;s\n1;1,75\n0;1,000\n", {}, [1.75, 1]),
    "sure by a zero": ("y;s\n1;0,750\n0;1,000\n", {}, [0.75, 1]),
    "sure by four digits before": ("y;s\n1;1000,750\n0;1,000\n", {}, [1000.75, 1]),
    "points and commas": (
        "y;s\n1;0.5\n0;0,75\n",
        {},
        (
            "row 1, line 3 of '.*' is '0,75', but other numbers of the file have a decimal point.\n"
            "Hint: write all numbers of a file in one way."
        ),
    ),
    "points and thousands": (
        "y;s\n1;0.5\n0;1,000\n",
        {},
        "is '1,000', but other .* have a decimal point.\nHint: it is read with thousands=',' as 1000.",
    ),
    "points and thousands, said": ("y;s\n1;0.5\n0;1,000\n", {"thousands": ","}, [0.5, 1000]),
    "in quotes": (
        'y,s\n1,"0,75"\n0,1\n',
        {},
        "is '0,75', not a number.\nHint: it is read with decimal=',' as 0.75.",
    ),
    "in quotes, said": ('y,s\n1,"0,75"\n0,1\n', {"decimal": ","}, [0.75, 1]),
    "both signs": (
        "y;s\n1;1.234,5\n0;1,5\n",
        {},
        "is '1.234,5', not a number.\nHint: it is read with decimal=',' thousands='.' as 1234.5.",
    ),
    "both signs, said": ("y;s\n1;1.234,5\n0;1,5\n", {"thousands": "."}, [1234.5, 1.5]),
    "wrong groups": ("y;s\n1;1,23,4\n0;1\n", {"thousands": ","}, "is '1,23,4', not a number"),
    "a decimal point, said to be a comma": (
        "y;s\n1;0.5\n0;1\n",
        {"decimal": ","},
        "'0.5', not a n",
    ),
    "underscores": ("y,s\n1,0_5\n0,1\n", {}, "is '0_5', not a number.\nHint: write a number"),
    "underscores in groups": (
        "y,s\n1,1_000\n0,1\n",
        {},
        "Hint: it is read with thousands='_' as 1000",
    ),
    "underscores, said": ("y,s\n1,1_000\n0,1\n", {"thousands": "_"}, [1000, 1]),
    "spaces": ("y,s\n1,1 000.5\n0, 1 \n", {"thousands": " "}, [1000.5, 1]),
    "narrow spaces": ("y;s\n1;1\u202f000,5\n0;1\n", {"thousands": " "}, [1000.5, 1]),
    "apostrophes": ("y,s\n1,1'000\n0,1\u2019000'000\n", {"thousands": "'"}, [1000, 1e6]),
    "leading zeros": ("y,s\n1,007\n0,1\n", {}, [7, 1]),
    "large integers": (
        "y;s\n1;9,007,199,254,740,993\n0;1\n",
        {"thousands": ","},
        "cannot hold exa",
    ),
    "another separator": ("y~s\n1~0.5\n0~1\n", {"separator": "~"}, [0.5, 1]),
    "a separator in words": ("y\ts\n1\t0.5\n0\t1\n", {"separator": "tab"}, [0.5, 1]),
    "the separator of other files": (
        "y;s,t\n1;0,5\n0;1,5\n",
        {"separator": ","},
        "There is no column",
    ),
}


@pytest.mark.parametrize("options", [{}, LARGE], ids=["in memory", "larger than memory"])
@pytest.mark.parametrize("case", WRITTEN)
def test_numbers_are_read_as_they_are_written(tmp_path, case, options):
    text, said, expected = WRITTEN[case]
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    if isinstance(expected, str):
        with pytest.raises(RocwalkError, match=expected):
            rw.tallies(path, score="s", label="y", **said, **options)
    else:
        read = rw.tallies(path, score="s", label="y", **said, **options).only
        assert read.scores.tolist() == sorted(expected, reverse=True)


@pytest.mark.parametrize("options", [{}, LARGE], ids=["in memory", "larger than memory"])
def test_a_group_that_may_be_thousands_stays_text(tmp_path, options):
    path = tmp_path / "a.csv"
    path.write_text("y;s;g\n1;1;1,000\n0;2;2,500\n")
    assert [group for _, (group,) in rw.tallies(path, score="s", label="y", by="g", **options)] == [
        "1,000",
        "2,500",
    ]
    path.write_text("y;s;g\n1;1;1,000\n0;2;2,5\n")
    read = rw.tallies(path, score="s", label="y", by="g", **options)
    assert [group for _, (group,) in read] == [1.0, 2.5]
    read = rw.tallies(path, score="s", label="y", by="g", decimal=".", **options)
    assert [group for _, (group,) in read] == ["1,000", "2,5"]


ENCODED = {
    "cp1252": ("cp1252", {"encoding": "cp1252"}),
    "latin-1": ("latin-1", {"encoding": "latin-1"}),
    "utf-8 by name": ("utf-8", {"encoding": "UTF-8"}),
    "utf-8 with a mark": ("utf-8-sig", {}),
    "utf-16 with a mark": ("utf-16", {}),
    "utf-16 without a mark": ("utf-16-le", {"encoding": "utf-16-le"}),
}


@pytest.mark.parametrize("options", [{}, LARGE], ids=["in memory", "larger than memory"])
@pytest.mark.parametrize("case", ENCODED)
def test_encodings(tmp_path, case, options):
    encoding, said = ENCODED[case]
    path = tmp_path / "a.csv"
    path.write_bytes("häßlich;s\r\nnein;0,25\r\njä;0,5\r\n".encode(encoding))
    read = rw.tallies(path, score="s", label="häßlich", pos_label="jä", **said, **options)
    assert read.only.area == 1.0
    path.write_bytes("häßlich;s\r\nnein;0,25\r\njä;high\r\n".encode(encoding))
    with pytest.raises(RocwalkError, match="at row 1, line 3 of '.*' is 'high', not a number"):
        rw.tallies(path, score="s", label="häßlich", pos_label="jä", **said, **options)


def test_a_wrong_encoding_is_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes("ü,s\n1,0.5\n0,1\n".encode("latin-1"))
    hint = "name its encoding, as in encoding='cp1252', or save it as UTF-8"
    with pytest.raises(RocwalkError, match=f"Line 1 of '.*' is not UTF-8 text.\nHint: {hint}"):
        rw.tallies(path, score="s", label="ü")
    with pytest.raises(
        RocwalkError, match="'.*' is not utf-16 text.\nHint: name its encoding with"
    ):
        rw.tallies(path, score="s", label="ü", encoding="utf-16")


WRONG_OPTIONS = {
    "decimal": ({"decimal": ";"}, "decimal=';' is not known"),
    "thousands": ({"thousands": "x"}, "thousands='x' is not known"),
    "the same": ({"decimal": ",", "thousands": ","}, "decimal=',' and thousands=',' are the same"),
    "two signs": ({"separator": "~~"}, "separator='~~' cannot separate values"),
    "a letter": ({"separator": "x"}, "separator='x' cannot separate values"),
    "a number": ({"separator": 1}, "separator=1 cannot separate values"),
    "no encoding": ({"encoding": "nope"}, "encoding='nope' is not an encoding"),
    "no text": ({"encoding": "rot13"}, "encoding='rot13' is not an encoding"),
}


@pytest.mark.parametrize("case", WRONG_OPTIONS)
def test_options_that_cannot_be(tmp_path, case):
    options, expected = WRONG_OPTIONS[case]
    path = tmp_path / "a.csv"
    path.write_text("y,s\n1,0.5\n0,1\n")
    with pytest.raises(OptionError, match=expected):
        rw.tallies(path, score="s", label="y", **options)


def test_options_of_text_are_for_text(tmp_path):
    with pytest.raises(OptionError, match="decimal=',' is for files, and the data are none"):
        rw.tallies({"y": [1, 0], "s": [1, 2]}, score="s", label="y", decimal=",")
    path = tmp_path / "a.jsonl"
    path.write_text('{"y": 1, "s": 0.5}\n')
    with pytest.raises(
        OptionError, match="encoding='cp1252' is for separated text, which '.*' is not"
    ):
        rw.tallies(path, score="s", label="y", encoding="cp1252")


READERS = {
    "tallies": lambda path, said: rw.tallies(
        path, score="s", label="y", **said
    ).only.scores.tolist(),
    "report": lambda path, said: rw.report(
        path, score="s", label="y", **said
    ).study.models.only.scores.tolist(),
    "votes": lambda path, said: rw.votes(path, raters=["y"], item="s", **said).items.tolist(),
    "votes_to_truth": lambda path, said: rw.votes_to_truth(
        path, positives="y", totals="s", **said
    ).tolist(),
    "drift_over_time": lambda path, said: str(
        rw.drift_over_time(
            path, score="p", label="y", time="s", window=8, minimum=2, **said
        ).windows
    ),
    "run_job": lambda path, said: rw.run_job(
        {
            "reference": str(path),
            "columns": {"label": "y", "score": "p", "weight": "s"},
            "minimum": 2,
            "state": str(path.with_suffix(".state")),
            **said,
        },
        path,
    ).to_dict(),
}


@pytest.mark.filterwarnings("ignore::rocwalk.errors.RocwalkWarning")
@pytest.mark.parametrize("function", READERS)
def test_every_function_that_reads_files_takes_the_options(tmp_path, function):
    rows = [(i % 2, 1000 * (i + 1), (i % 7) / 8) for i in range(16)]
    plain, odd = tmp_path / "plain.csv", tmp_path / "odd.csv"
    plain.write_text("y,s,p,ü\n" + "".join(f"{y},{s},{p},\n" for y, s, p in rows))
    lines = ["y~s~p~ü", *(f"{y}~{s:,}~{p}~".replace(",", "'") for y, s, p in rows)]
    odd.write_bytes("\n".join([*lines, ""]).encode("cp1252"))
    said = {"decimal": ".", "thousands": "'", "separator": "~", "encoding": "cp1252"}
    read = READERS[function]
    assert read(odd, said) == read(plain, {})
    with pytest.raises(RocwalkError):
        read(odd, {})


def test_all_functions_that_read_files_are_above():
    reading = {
        name
        for name in rw.__all__
        if inspect.isfunction(function := getattr(rw, name))
        and "JSON-lines" in (inspect.getdoc(function) or "")
    }
    assert reading <= set(READERS)
