"""Separated text and JSON lines: what the user says of them, and where their lines are."""

from __future__ import annotations

import pytest

from rocwalk.errors import ColumnError, FileError, OptionError
from rocwalk.read.files import open_paths
from rocwalk.read.frames import LABEL, NUMBER, TEXT
from rocwalk.read.numerals import Notation
from rocwalk.read.text import FOUND, SeparatedText, TextFormat, shared_notations


def written(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def read(path, roles, form=FOUND):
    with open_paths([path], form=form) as files:
        return files.table(roles)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"decimal": ";"}, "decimal=';'"),
        ({"thousands": ";"}, "thousands=';'"),
        ({"decimal": ",", "thousands": ","}, "decimal=',' and thousands=',' are the same sign"),
        ({"separator": "ab"}, "separator='ab' cannot separate values"),
        ({"separator": "a"}, "cannot separate values"),
        ({"separator": '"'}, "cannot separate values"),
        ({"separator": "."}, "cannot separate values"),
        ({"separator": 3}, "separator=3 cannot separate values"),
        ({"encoding": "utf-9"}, "encoding='utf-9' is not an encoding"),
        ({"encoding": "rot13"}, "encoding='rot13' is not an encoding"),
    ],
)
def test_a_format_that_cannot_be_is_refused(options, words):
    with pytest.raises(OptionError, match=words):
        TextFormat(**options)


def test_what_is_given_is_told():
    form = TextFormat(separator="tab", decimal=",")
    assert form.separator == "\t"
    assert [(one.name, one.value) for one in form.given] == [("decimal", ","), ("separator", "\t")]
    assert FOUND.given == ()


@pytest.mark.parametrize(
    ("form", "separator", "notations"),
    [
        (FOUND, ",", [Notation(".")]),
        (FOUND, ";", [Notation("."), Notation(",", is_guess=True)]),
        (TextFormat(decimal=","), ";", [Notation(",")]),
        (TextFormat(thousands="."), ";", [Notation(",", ".")]),
        (TextFormat(thousands="'"), ";", [Notation(".", "'"), Notation(",", "'")]),
        (TextFormat(decimal=".", thousands=","), ",", [Notation(".", ",")]),
    ],
)
def test_how_numbers_may_be_written(form, separator, notations):
    assert form.notations(separator) == tuple(notations)


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b\n1,2\n", ","), ("a;b\n1,5;2\n", ";"), ("a\tb\n1\t2\n", "\t"), ("a|b\n1|2\n", "|"),
    ],
)  # fmt: skip
def test_the_separator_is_found(tmp_path, text, separator):
    with open_paths([written(tmp_path / "a.csv", text)]) as files:
        (source,) = files.sources
        assert isinstance(source, SeparatedText)
        assert source.separator == separator
        assert source.names == ("a", "b")


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path):
    for name, encoding in {"a": "utf-8-sig", "b": "utf-16"}.items():
        path = written(tmp_path / f"{name}.csv", "y,s\n1,0.5\n", encoding)
        assert read(path, {"y": LABEL, "s": NUMBER})["s"].tolist() == [0.5]


def test_lines_of_rows_count_breaks_inside_of_quotes(tmp_path):
    path = written(tmp_path / "a.csv", 'y,note\n1,"two\nlines"\n0,x\n')
    with open_paths([path]) as files:
        (source,) = files.sources
        assert [source.line_of(row) for row in (0, 1)] == [2, 4]
    path = written(tmp_path / "a.jsonl", '{"y": 1}\n\n{"y": 0}\n')
    with open_paths([path]) as files:
        (source,) = files.sources
        assert [source.line_of(row) for row in (0, 1)] == [1, 3]


def test_numbers_of_one_column_have_one_notation(tmp_path):
    path = written(tmp_path / "a.csv", "y;s\n1;0,25\n0;1,5\n")
    assert read(path, {"s": NUMBER})["s"].tolist() == [0.25, 1.5]
    path = written(tmp_path / "b.csv", "y;s\n1;0,25\n0;1.5\n")
    with pytest.raises((ColumnError, FileError), match="'s'"):
        read(path, {"s": NUMBER})
    form = TextFormat(decimal=",", thousands=".")
    path = written(tmp_path / "c.csv", "y;s\n1;1.000,25\n0;1,5\n")
    assert read(path, {"s": NUMBER}, form)["s"].tolist() == [1000.25, 1.5]


def test_files_share_the_notations_that_both_may_have(tmp_path):
    paths = [
        written(tmp_path / "a.csv", "y;s\n1;0,25\n"), written(tmp_path / "b.csv", "y,s\n1,0.25\n"),
    ]  # fmt: skip
    with open_paths(paths[:1]) as files:
        assert len(shared_notations(files.sources)) == 2
    with open_paths(paths) as files:
        assert shared_notations(files.sources) == (Notation("."),)


def test_codes_stay_text_where_text_is_asked_for(tmp_path):
    path = written(tmp_path / "a.csv", "id,s\n007,1\n1e3,2\n")
    assert read(path, {"id": TEXT})["id"].tolist() == ["007", "1e3"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2,3\n", r"Line 2 of .* has 3 values, but the header has 2 columns"),
        ('a,b\n1,"2\n', "a quote that is not closed"),
        ("a,b\n1,\0\n", "is not text: it has zero bytes"),
    ],
)
def test_broken_text_is_said_with_its_line(tmp_path, text, words):
    with pytest.raises(FileError, match=rf"(?s){words}"):
        read(written(tmp_path / "a.csv", text), {"a": NUMBER, "b": NUMBER})
