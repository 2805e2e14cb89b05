"""Copies of workbooks and packed files, against what openpyxl and zstd were given."""

from __future__ import annotations

import csv
import datetime as dt

import openpyxl
import pytest

from rocwalk.errors import COPIES, File, FileError
from rocwalk.read.copies import copy_called, sheet_as_text, unpacked
from rocwalk.read.sources import zstandard

ROWS = [
    ["id", "score", "label", "day", "note"],
    [1, 0.25, True, dt.date(2026, 1, 5), 'say "a", b'],
    [2**40, 1e-9, False, dt.datetime(2026, 1, 5, 12, 30), None],
]
TEXT = [
    ["id", "score", "label", "day", "note"],
    ["1", "0.25", "true", "2026-01-05", 'say "a", b'],
    ["1099511627776", "1e-09", "false", "2026-01-05T12:30:00", ""],
]


@pytest.fixture
def book(tmp_path):
    made = openpyxl.Workbook()
    for row in ROWS:
        made.active.append(row)
    made.active.title = "scores"
    made.save(tmp_path / "book.xlsx")
    (tmp_path / "copies").mkdir()
    return made


def test_a_sheet_becomes_the_text_of_its_values(book, tmp_path):
    copy = sheet_as_text(tmp_path / "book.xlsx", tmp_path / "copies", None)
    assert copy.name == "book.csv"
    with copy.open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == TEXT


def test_one_of_several_sheets_must_be_named(book, tmp_path):
    book.create_sheet("other").append(["x"])
    book.save(tmp_path / "book.xlsx")
    with pytest.raises(FileError, match=r"has 2 sheets: 'scores', 'other'(.|\n)*book.xlsx::scores"):
        sheet_as_text(tmp_path / "book.xlsx", tmp_path / "copies", None)
    with pytest.raises(FileError, match=r"There is no sheet 'Other' in (.|\n)*mean 'other'"):
        sheet_as_text(tmp_path / "book.xlsx", tmp_path / "copies", "Other")
    copy = sheet_as_text(tmp_path / "book.xlsx", tmp_path / "copies", "other")
    assert copy.read_text(encoding="utf-8") == "x\n"


def test_what_is_no_workbook_is_refused(tmp_path):
    (tmp_path / "bad.xlsx").write_bytes(b"label,score\n1,0.5\n")
    with pytest.raises(FileError, match="is not a workbook that can be read"):
        sheet_as_text(tmp_path / "bad.xlsx", tmp_path, None)


def test_a_packed_file_is_unpacked_whole_or_refused(tmp_path):
    text = b"label,score\n" + b"1,0.5\n0,0.25\n" * 50_000
    packed = zstandard().compress(text)
    path = tmp_path / "data.csv.zst"
    path.write_bytes(packed)
    (tmp_path / "copies").mkdir()
    copy = unpacked(path, tmp_path / "copies")
    assert copy.name == "data.csv"
    assert copy.read_bytes() == text
    path.write_bytes(packed[:-9])
    with pytest.raises(FileError, match=r"data\.csv\.zst"):
        unpacked(path, tmp_path / "copies")


def test_a_copy_is_called_like_its_original_while_it_is_in_use(tmp_path):
    copy = tmp_path / "0.csv"
    with copy_called(copy, "book.xlsx::scores"):
        assert File(str(copy)).name == "book.xlsx::scores"
    assert File(str(copy)).name == str(copy)
    assert str(copy) not in COPIES
