"""Reading CSV, TSV, Parquet and JSON-lines files, and what is said when that fails."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from rocwalk.errors import (
    LIBRARY,
    ColumnError,
    File,
    FileError,
    InputError,
    RocwalkWarning,
    collecting,
)
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import read_study
from rocwalk.read.frames import GROUP, LABEL, NUMBER, column_names, read_table
from rocwalk.read.relations import _Runner
from rocwalk.read.sources import ParquetFile, Source
from rocwalk.read.text import JsonLines, SeparatedText

ROLES = {"label": LABEL, "score": NUMBER}


def write(path: Path, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def read(path, roles=ROLES):
    return {name: column.tolist() for name, column in read_table(path, roles).columns.items()}


def message(error: type[Exception], data, roles=ROLES) -> str:
    """Return the whole message, so that a test can compare it."""
    with pytest.raises(error) as caught:
        read_table(data, roles)
    what, hint = str(caught.value).split("\nHint: ")
    assert what
    assert hint
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return f"{what} | {hint}"


# -- formats -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "label,score\n1,0.75\n0,0.5\n"),
        ("a.CSV", "label,score\n1,0.75\n0,0.5\n"),
        ("a.txt", "label|score\n1|0.75\n0|0.5\n"),
        ("a.psv", "label|score\n1|0.75\n0|0.5\n"),
        ("a.tsv", "label\tscore\n1\t0.75\n0\t0.5\n"),
        ("a.tab", "label\tscore\n1\t0.75\n0\t0.5\n"),
        ("semicolon.csv", "label;score\n1;0.75\n0;0.5\n"),
        ("decimal-comma.csv", "label;score\n1;0,75\n0;0,5\n"),
        ("decimal-comma.tsv", "label\tscore\n1\t0,75\n0\t0,5\n"),
        ("windows.csv", "label,score\r\n1,0.75\r\n0,0.5\r\n"),
        ("old-mac.csv", "label,score\r1,0.75\r0,0.5\r"),
        ("no-last-newline.csv", "label,score\n1,0.75\n0,0.5"),
        ("blank-lines.csv", "\n\nlabel,score\n1,0.75\n\n0,0.5\n\n"),
        ("quoted.csv", '"label","score"\n"1","0.75"\n"0","0.5"\n'),
        ("spaces.csv", "label,score\n 1 , 0.75\n0 ,0.5 \n"),
        ("ends-in-separator.csv", "label,score\n1,0.75,\n0,0.5,\n"),
        ("mark.csv", b"\xef\xbb\xbflabel,score\n1,0.75\n0,0.5\n"),
        ("a.csv.gz", "label,score\n1,0.75\n0,0.5\n"),
        ("a.jsonl", '{"label": 1, "score": 0.75}\n\n{"score": 0.5, "label": 0}\n'),
        ("a.ndjson", '{"label": 1, "score": 0.75}\r\n{"score": 0.5, "label": 0}'),
        ("a.jsonl.gz", '{"label": 1, "score": 0.75}\n{"score": 0.5, "label": 0}\n'),
    ],
)
def test_every_text_format_gives_the_same_columns(tmp_path, name, content):
    path = write(tmp_path / name, content)
    assert read(path) == {"label": [1, 0], "score": [0.75, 0.5]}
    assert read(str(path)) == read(path)
    assert column_names(path) == ["label", "score"]


@pytest.mark.parametrize("name", ["a.parquet", "a.pq", "a.PARQUET"])
def test_parquet(tmp_path, name):
    pq.write_table(pa.table({"label": [1, 0], "score": [0.75, 0.5]}), tmp_path / name)
    assert read(tmp_path / name) == {"label": [1, 0], "score": [0.75, 0.5]}
    assert column_names(tmp_path / name) == ["label", "score"]


def test_only_the_named_columns_are_read(tmp_path):
    path = write(tmp_path / "a.csv", "id,label,score\nx,1,0.75\n")
    table = read_table(path, ["score"])
    assert list(table.columns) == ["score"]
    assert len(table) == 1


def test_floats_are_read_to_the_last_bit(tmp_path):
    scores = np.random.default_rng(7).random(5000) ** 5
    text = "label,score\n" + "".join(f"{i % 2},{s!r}\n" for i, s in enumerate(scores.tolist()))
    lines = "".join(
        json.dumps({"label": i % 2, "score": s}) + "\n" for i, s in enumerate(scores.tolist())
    )
    for path in (write(tmp_path / "a.csv", text), write(tmp_path / "a.jsonl", lines)):
        assert np.array_equal(read_table(path, ROLES)["score"], scores)


def test_the_separator_is_found_in_the_first_lines_not_in_the_header_alone(tmp_path):
    path = write(tmp_path / "a.csv", "label;score;a, b, c and d\n1;0,75;x\n0;0,5;y\n")
    assert read(path) == {"label": [1, 0], "score": [0.75, 0.5]}


def test_types_do_not_hang_on_the_first_rows(tmp_path):
    rows = "".join(f"{i % 2},{i % 2}\n" for i in range(30_000))
    path = write(tmp_path / "late.csv", f"label,score\n{rows}0.25,0.5\n")
    table = read_table(path, ROLES)
    assert table["label"][-1] == 0.25
    assert table["score"][-1] == 0.5


def test_missing_values_in_text(tmp_path):
    content = "label,score,group\n1,0.5,NA\nNA,N/A,\n0,,x\n0,None,None\n0, null ,y\n"
    table = read_table(
        write(tmp_path / "a.csv", content), {"label": LABEL, "score": NUMBER, "group": GROUP}
    )
    assert table["label"].tolist() == [1, None, 0, 0, 0]
    assert np.array_equal(table["score"], [0.5, *[np.nan] * 4], equal_nan=True)
    assert table["group"].tolist() == ["NA", None, "x", "None", "y"]


def test_missing_values_among_labels_that_are_text(tmp_path):
    path = write(tmp_path / "a.csv", "label,score\nyes,1\nNA,1\nNone,1\n,1\n")
    assert read(path)["label"] == ["yes", None, "None", None]


@pytest.mark.parametrize(
    ("written", "values"),
    [
        (["0", "1"], [0, 1]),
        (["0.0", "1"], [0.0, 1.0]),
        (["0,25", "1"], [0.25, 1.0]),
        (["true", "False"], [True, False]),
        (["yes", "no"], ["yes", "no"]),
        (["007", "7"], ["007", "7"]),
        (["0x10", "7"], ["0x10", "7"]),
        (["1", "x"], ["1", "x"]),
        (["0.5", "0,5"], ["0.5", "0,5"]),
    ],
)
def test_labels_become_numbers_only_if_all_of_them_are(tmp_path, written, values):
    rows = "".join(f"{value};0.5\n" for value in written)
    found = read(write(tmp_path / "a.csv", f"label;score\n{rows}"))["label"]
    assert found == values
    assert [type(value) for value in found] == [type(value) for value in values]


def test_text_in_quotes_is_text_in_json(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"label": "1", "score": 1}\n{"label": "0", "score": 0.5}\n')
    assert read(path) == {"label": ["1", "0"], "score": [1.0, 0.5]}


def test_booleans_and_gaps_in_json(tmp_path):
    lines = '{"label": true, "score": NaN}\n{"label": null, "score": null}\n{"score": 1}\n'
    table = read_table(write(tmp_path / "a.jsonl", lines), ROLES)
    assert table["label"].tolist() == [True, None, None]
    assert np.array_equal(table["score"], [np.nan, np.nan, 1.0], equal_nan=True)


def test_types_of_parquet_are_kept(tmp_path):
    columns = {"label": pa.array(["1", None]), "score": pa.array([0.5, 0.25], pa.float32())}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    table = read_table(tmp_path / "a.parquet", ROLES)
    assert table["label"].tolist() == ["1", None]
    assert table["score"].dtype == np.float32


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_integers_that_floats_cannot_hold_stay_integers(tmp_path, name):
    big = 2**53 + 1
    content = f"score\n{big}\n1\n" if name == "a.csv" else f'{{"score": {big}}}\n{{"score": 1}}\n'
    column = read_table(write(tmp_path / name, content), {"score": NUMBER})["score"]
    assert column.dtype == np.int64
    assert column.tolist() == [big, 1]


# -- names ---------------------------------------------------------------------------------------

HOSTILE = [
    'a"b',
    "it's",
    " space ",
    "=1+1",
    "größe",
    "a,b;c",
    "Score",
    "score",
    "c0",
    "sel/e~ct",
    "$x",
    "{0}",
]


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl"])
def test_hostile_column_names(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    row = {name: i / 16 for i, name in enumerate(HOSTILE)}
    if kind == "csv":
        quoted = ",".join('"' + name.replace('"', '""') + '"' for name in HOSTILE)
        write(path, f"{quoted}\n{','.join(map(str, row.values()))}\n")
    elif kind == "jsonl":
        write(path, json.dumps(row) + "\n")
    else:
        pq.write_table(pa.table({name: [value] for name, value in row.items()}), path)
    assert column_names(path) == HOSTILE
    assert read(path, dict.fromkeys(HOSTILE, NUMBER)) == {n: [v] for n, v in row.items()}
    assert read(path, dict.fromkeys(HOSTILE, GROUP)) == {n: [v] for n, v in row.items()}


@pytest.mark.parametrize(
    "name", ["data[1].csv", "what?.csv", "all*.csv", "it's.csv", "a b.csv", "größe.csv", "$x.csv"]
)
def test_hostile_file_names(tmp_path, name):
    write(tmp_path / "data1.csv", "label,score\n9,9\n")  # what data[1].csv would match
    path = write(tmp_path / name, "label,score\n1,0.75\n")
    assert read(path) == {"label": [1], "score": [0.75]}


def test_a_folder_that_looks_like_a_partition_adds_no_column(tmp_path):
    (tmp_path / "year=2024").mkdir()
    path = tmp_path / "year=2024" / "a.parquet"
    pq.write_table(pa.table({"label": [1], "score": [0.5]}), path)
    assert column_names(path) == ["label", "score"]


def test_nested_columns_of_parquet_count_as_one(tmp_path):
    table = pa.table({"deep": [{"u": 1, "v": [{"w": 2}]}], "score": [0.5]})
    pq.write_table(table, tmp_path / "a.parquet")
    assert column_names(tmp_path / "a.parquet") == ["deep", "score"]
    assert read(tmp_path / "a.parquet", {"score": NUMBER}) == {"score": [0.5]}


def test_nothing_is_left_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(Path("a.csv"), "label,score\n1,0.75\n")
    assert read("a.csv") == {"label": [1], "score": [0.75]}
    assert list(tmp_path.iterdir()) == [tmp_path / "a.csv"]


def test_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path / "a.csv", "label,score\n1,0.75\n")
    assert read("~/a.csv") == {"label": [1], "score": [0.75]}


# -- several files -------------------------------------------------------------------------------


def test_patterns_and_lists_follow_in_sorted_order(tmp_path):
    write(tmp_path / "b.csv", "score,label\n0.5,0\n")
    write(tmp_path / "a.csv", "label,score\n1,0.75\n1,1\n")
    (tmp_path / "c.csv").mkdir()
    whole = {"label": [1, 1, 0], "score": [0.75, 1.0, 0.5]}
    assert read(str(tmp_path / "?.csv")) == whole
    assert read([tmp_path / "b.csv", str(tmp_path / "a.csv")]) == whole
    assert read((str(tmp_path / "[ab].csv"),)) == whole


def test_rows_of_several_files_are_placed_in_their_file(tmp_path):
    write(tmp_path / "a.csv", "label,score\n1,0.75\n1,1\n")
    write(tmp_path / "b.jsonl", '\n{"label": 0, "score": 1}\n\n{"label": 0, "score": 1}\n')
    pq.write_table(pa.table({"label": [1], "score": [0.5]}), tmp_path / "c.parquet")
    table = read_table([tmp_path / "a.csv", tmp_path / "b.jsonl", tmp_path / "c.parquet"], ROLES)
    a, b, c = (str(tmp_path / name) for name in ("a.csv", "b.jsonl", "c.parquet"))
    assert table.where(1) == {"row": 1, "line": 3, "file": a}
    assert table.where(3) == {"row": 1, "line": 4, "file": b}
    assert table.where(4) == {"row": 0, "file": c}
    assert table.where() == {"file": [a, b, c]}
    assert LIBRARY.part(table.origin) == f"3 files ({a!r} … {c!r})"


def test_lines_with_line_breaks_in_values_are_counted_right(tmp_path):
    path = write(tmp_path / "a.csv", 'note,"the\nscore"\n"one\ntwo\nthree",1\n\nfour,0\n')
    table = read_table(path, ["note"])
    assert table.place(0) == ("row 0, line 3 of ", File(str(path)))
    assert table.place(1) == ("row 1, line 7 of ", File(str(path)))


def test_text_of_several_files_becomes_numbers_only_if_all_of_it_does(tmp_path):
    write(tmp_path / "a.csv", "label,score\n1,1\n")
    write(tmp_path / "b.csv", "label,score\nx,1\n")
    assert read(str(tmp_path / "*.csv"))["label"] == ["1", "x"]


def test_numbers_of_several_formats_join(tmp_path):
    write(tmp_path / "a.csv", "label,score\n1,1\n")
    write(tmp_path / "b.jsonl", '{"label": 0.5, "score": 1}\n')
    write(tmp_path / "c.jsonl", '{"label": null, "score": 1}\n')
    pq.write_table(pa.table({"label": [0], "score": [1]}), tmp_path / "d.parquet")
    found = read_table(str(tmp_path / "*"), ROLES)["label"]
    assert np.array_equal(found, [1.0, 0.5, np.nan, 0.0], equal_nan=True)


def test_unlike_types_do_not_join(tmp_path):
    a, b = tmp_path / "a.parquet", tmp_path / "b.parquet"
    pq.write_table(pa.table({"label": [1], "score": [1.0]}), a)
    pq.write_table(pa.table({"label": ["x"], "score": [1.0]}), b)
    assert message(ColumnError, [a, b]) == (
        f"Column 'label' is of type BIGINT in {str(a)!r}, but VARCHAR in {str(b)!r}. | "
        "write the files with one type for each column."
    )


def test_files_of_different_columns_are_refused(tmp_path):
    a = write(tmp_path / "a.csv", "label,score\n1,1\n")
    b = write(tmp_path / "b.csv", "label,prob\n1,1\n")
    for call in (lambda: read_table([a, b], ROLES), lambda: column_names([a, b])):
        with pytest.raises(
            ColumnError,
            match=r"b\.csv' are not those of '.*a\.csv': 'score' is "
            r"missing, 'prob' is new\.\nHint: files that are read together need",
        ):
            call()


def test_a_file_named_twice_is_refused(tmp_path):
    path = write(tmp_path / "a.csv", "label,score\n1,1\n")
    assert message(FileError, [path, str(tmp_path / "*.csv")]) == (
        f"The file {str(path)!r} is named twice. | "
        "name each file once, else its rows would count double."
    )


# -- files that cannot be read -------------------------------------------------------------------


def test_no_such_file(tmp_path):
    write(tmp_path / "scores.csv", "label,score\n1,1\n")
    path = tmp_path / "scors.csv"
    assert (
        message(FileError, path) == f"There is no file {str(path)!r}. | did you mean 'scores.csv'?"
    )


def test_no_such_file_in_an_empty_folder_or_no_folder(tmp_path):
    path = tmp_path / "a.csv"
    assert message(FileError, path) == f"There is no file {str(path)!r}. | the folder is empty."
    path = tmp_path / "none" / "a.csv"
    expected = f"There is no file {str(path)!r}. | check the name of the folder."
    assert message(FileError, path) == expected


def test_a_file_is_no_folder(tmp_path):
    path = write(tmp_path / "a.csv", "label,score\n1,1\n") / "b.csv"
    expected = f"There is no file {str(path)!r}. | check the name of the folder."
    assert message(FileError, path) == expected


def test_a_zero_byte_in_the_name():
    assert message(FileError, "a\0.csv") == (
        "There is no file 'a\\x00.csv'. | a name cannot contain a zero byte."
    )


def test_an_address_that_leads_nowhere():
    with pytest.raises(
        FileError, match=r"'http://127.0.0.1:1/a.csv' cannot be read: .*\nHint: check"
    ):
        read_table("http://127.0.0.1:1/a.csv", ROLES)


def test_a_name_that_is_too_long(tmp_path):
    with pytest.raises(FileError, match=r"cannot be read: File name too long\.\nHint: check"):
        read_table(tmp_path / ("a" * 300 + ".csv"), ROLES)


def test_no_file_matches(tmp_path):
    pattern = str(tmp_path / "*.csv")
    expected = f"No file matches {pattern!r}. | check the folder and the pattern."
    assert message(FileError, pattern) == expected


def test_a_folder(tmp_path):
    assert message(FileError, tmp_path) == (
        f"The folder {str(tmp_path)!r} holds no file that rocwalk reads. | known endings are .csv "
        ".txt .tsv .tab .psv .parquet .pq .jsonl .ndjson .xlsx .xlsm .xls .ods."
    )


def test_a_pipe(tmp_path):
    path = tmp_path / "a.csv"
    os.mkfifo(path)
    assert message(FileError, path) == (
        f"{str(path)!r} is a pipe or a device, not a file. | write the data to a file."
    )


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.jsonl", "a.csv.gz"])
def test_an_empty_file(tmp_path, name):
    path = write(tmp_path / name, "")
    assert message(FileError, path) == (
        f"The file {str(path)!r} is empty. | check that writing it was finished."
    )


@pytest.mark.parametrize("name", ["a", "a.json", "a.parquet.gz", "a.parquet.zst", "a.csv.zip"])
def test_unknown_endings(tmp_path, name):
    path = write(tmp_path / name, "label,score\n1,1\n")
    assert message(FileError, path) == (
        f"The ending of {str(path)!r} is not one that rocwalk reads. | known endings are .csv .txt "
        ".tsv .tab .psv .parquet .pq .jsonl .ndjson .xlsx .xlsm .xls .ods; text and JSON lines also "
        "with .gz and .zst, and databases .duckdb, .db and .sqlite."
    )


JUNK = bytes(range(256)) * 8


def test_binary_junk(tmp_path):
    path = write(tmp_path / "a.csv", JUNK)
    assert message(FileError, path) == (
        f"The file {str(path)!r} is not text: it has zero bytes. | "
        "name a text file in UTF-8, or say encoding='utf-16'; save a spreadsheet as CSV first."
    )
    path = write(tmp_path / "a.parquet", JUNK)
    assert message(FileError, path) == (
        f"The file {str(path)!r} is not Parquet, or was cut short. | copy or write it again."
    )
    path = write(tmp_path / "a.jsonl", JUNK)
    assert message(FileError, path) == (
        f"Line 1 of {str(path)!r} is not a JSON object in UTF-8. | "
        'each line holds one object, such as {"label": 1, "score": 0.75}.'
    )


def test_text_that_is_not_utf8(tmp_path):
    rows = "1,0.5,x\n" * 3
    for header, line in (("größe", 1), ("size", 5)):
        content = f"label,score,{header}\n{rows}1,0.5,ö\n"
        path = write(tmp_path / "a.csv", content.encode("latin-1"))
        roles = {**ROLES, header: GROUP}
        assert message(FileError, path, roles) == (
            f"Line {line} of {str(path)!r} is not UTF-8 text. | "
            "name its encoding, as in encoding='cp1252', or save it as UTF-8, for instance with: "
            "iconv -f latin1 -t utf-8"
        )


def test_text_that_is_not_utf8_far_down(tmp_path):
    content = "label,score\n" + "1,0.5\n" * 50_000 + "ö,0.5\n"
    path = write(tmp_path / "a.csv", content.encode("latin-1"))
    with pytest.raises(FileError, match=r"Line 50002 of '.*a\.csv' is not UTF-8 text"):
        read_table(path, ROLES)


@pytest.mark.parametrize("keep", [0.2, 0.6, 0.95])
def test_a_truncated_parquet_file(tmp_path, keep):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"label": [1] * 999, "score": np.arange(999.0)}), path)
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * keep)])
    assert message(FileError, path) == (
        f"The file {str(path)!r} is not Parquet, or was cut short. | copy or write it again."
    )


def test_a_parquet_file_with_damage_in_the_middle(tmp_path):
    path = tmp_path / "a.parquet"
    scores = np.random.default_rng(0).random(9999)
    pq.write_table(pa.table({"label": [1] * 9999, "score": scores}), path, compression="gzip")
    content = bytearray(path.read_bytes())
    content[2000:60_000] = b"\xff" * 58_000
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"is not Parquet, or was cut short\."):
        read_table(path, ROLES)


def test_a_gzip_file_that_is_cut_short_or_not_gzip(tmp_path):
    whole = gzip.compress(("label,score\n" + "".join(f"1,0.{i}\n" for i in range(99_999))).encode())
    path = tmp_path / "a.csv.gz"
    for content in (whole[:200], whole[: len(whole) // 2], b"label,score\n1,0.5\n"):
        path.write_bytes(content)
        assert message(FileError, path) == (
            f"The file {str(path)!r} is not gzip, or was cut short. | copy or compress it again; "
            "a name ends in .gz only if the file is compressed."
        )


def test_json_lines_in_a_gzip_file_that_is_cut_short(tmp_path):
    lines = "".join(json.dumps({"label": 1, "score": i / 7}) + "\n" for i in range(20_000))
    path = write(tmp_path / "a.jsonl.gz", lines)
    path.write_bytes(path.read_bytes()[:-20_000])
    with pytest.raises(
        FileError, match=r"a\.jsonl\.gz' is not gzip, or was cut short\.\nHint: copy"
    ):
        read_table(path, ROLES)


def test_no_permission(tmp_path):
    path = write(tmp_path / "a.csv", "label,score\n1,1\n")
    path.chmod(0)
    tmp_path.chmod(0o755)
    # The superuser may read everything, so the question is asked as somebody else.
    program = (
        "import os, sys, duckdb, pyarrow\n"
        "from rocwalk.read.frames import read_table\n"
        "import rocwalk.read.opening\n"
        "os.geteuid() or os.setuid(65534)\n"
        "try: read_table(sys.argv[1], ['score'])\n"
        "except ValueError as error: print(type(error).__name__, error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert run.stdout == (
        f"FileError The file {str(path)!r} cannot be read: permission denied.\n"
        "Hint: ask its owner for the right to read it.\n"
    )


# -- content that cannot be read -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "values"), [("1", "1 value"), ("1,2,3", "3 values"), ("1,2,3,", "4 values")]
)
def test_a_ragged_row(tmp_path, row, values):
    path = write(tmp_path / "a.csv", f'label,score\n1,"0.5"\n\n{row}\n0,1\n')
    assert message(FileError, path) == (
        f"Line 4 of {str(path)!r} has {values}, but the header has 2 columns. | "
        "correct the line; a value that contains ',' needs quotes around it. If another character "
        "separates values, name it with separator=."
    )


def test_a_ragged_row_far_down(tmp_path):
    path = write(tmp_path / "a.csv.gz", "label;score\n" + "1;0,5\n" * 40_000 + "1;0,5;7\n")
    with pytest.raises(FileError, match=r"Line 40002 of '.*' has 3 values.*\nHint: .* ';' needs"):
        read_table(path, ROLES)


def test_a_quote_that_is_not_closed(tmp_path):
    path = write(tmp_path / "a.csv", 'label,score\n1,0.5\n"1,0.5\n0,1\n')
    assert message(FileError, path) == (
        f"The lines after line 2 of {str(path)!r} cannot be split into values: unexpected end of "
        "data. | look for a quote that is not closed; a quote inside a value is written twice."
    )


@pytest.mark.parametrize("is_large", [False, True], ids=["in memory", "larger than memory"])
@pytest.mark.parametrize("row", [0, 30])
def test_a_long_value_is_read(tmp_path, row, is_large):
    rows = [f"{i % 2},{i / 64},short" for i in range(40)]
    rows[row] = rows[row].replace("short", "long" * 50_000)
    path = write(tmp_path / "a.csv", "label,score,note\n" + "\n".join(rows) + "\n")
    options = {"limit": 10**6} if is_large else {}
    found = rw.tallies(path, label="label", score="score", **options).only
    assert found.scores.tolist() == [i / 64 for i in reversed(range(40))]


@pytest.mark.parametrize("is_large", [False, True], ids=["in memory", "larger than memory"])
def test_a_line_that_is_too_long_is_not_blamed_on_quotes(tmp_path, is_large):
    path = write(tmp_path / "a.csv", "label,score\n1,0.5\n1," + "x" * 3_000_000 + "\n")
    options = {"limit": 10**6} if is_large else {}
    with pytest.raises(
        FileError, match=r"Line 3 of '.*' is longer than 2,097,152 bytes\.\nHint: l"
    ):
        rw.tallies(path, label="label", score="score", **options)


ENDINGS = {
    "appended on Windows": b"label,score\n1,0.5\n0,0.25\r\n1,0.75\r\n",
    "appended on Unix": b"label,score\r\n1,0.5\r\n0,0.25\n1,0.75\n",
    "by turns": b"label,score\n1,0.5\r\n0,0.25\n1,0.75\r\n",
    "old returns": b"label,score\n1,0.5\r0,0.25\r\n1,0.75\n",
    "returns, then feeds": b"label,score\r1,0.5\r0,0.25\n1,0.75",
}


@pytest.mark.parametrize("is_large", [False, True], ids=["in memory", "larger than memory"])
@pytest.mark.parametrize("endings", ENDINGS)
def test_lines_may_end_in_unlike_ways(tmp_path, endings, is_large):
    path, other = write(tmp_path / "a.csv", ENDINGS[endings]), tmp_path / "b.csv.gz"
    other.write_bytes(gzip.compress(ENDINGS[endings]))
    options = {"limit": 10**6} if is_large else {}
    for data, times in ((path, 1), ([path, other], 2)):
        found = rw.tallies(data, label="label", score="score", **options).only
        assert found.scores.tolist() == [0.75, 0.5, 0.25]
        assert found.up.tolist() == [times, times, 0]


def test_a_fault_in_a_file_whose_lines_end_in_unlike_ways_has_its_line(tmp_path):
    path = write(tmp_path / "a.csv", b"label,score\n1,0.5\r\n0,0.25,7\n1,0.75\r\n")
    with pytest.raises(FileError, match=r"Line 3 of '.*' has 3 values"):
        read_table(path, ROLES)
    path = write(tmp_path / "a.csv", b"label,score\n1,0.5\r\n0,high\n1,0.75\r\n")
    with pytest.raises(ColumnError, match=r"at row 1, line 3 of '.*' is 'high', not a number"):
        read_table(path, ROLES)


def test_text_in_a_number_column(tmp_path):
    path = write(tmp_path / "a.csv", "label,score\n1,0.5\n\n0,high\n1,low\n")
    assert message(ColumnError, path) == (
        f"Column 'score' at row 1, line 4 of {str(path)!r} (the first of 2) is 'high', not a "
        "number. | write a number, or leave the value empty if it is missing."
    )


def test_text_in_a_number_column_far_down(tmp_path):
    path = write(tmp_path / "a.csv", "label,score\n" + "1,0.5\n" * 60_000 + "0,x\n")
    with pytest.raises(ColumnError, match=r"at row 60000, line 60002 of '.*' is 'x', not a number"):
        read_table(path, ROLES)


def test_text_in_a_number_column_of_json(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"score": 1}\n\n{"score": null}\n{"score": "high"}\n')
    assert message(ColumnError, path, {"score": NUMBER}) == (
        f"Column 'score' at row 2, line 4 of {str(path)!r} is 'high', not a number. | "
        "write a number, or leave the value empty if it is missing."
    )


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ('{"score": 1}\n\n{"score": \n', 3),
        ('{"score": 1} {"score": 2}\n', 1),
        ('[{"score": 1}, {"score": 2}]\n', 1),
        ('[\n{"score": 1}\n]\n', 1),
        ('{"score": 1}\n3\n', 2),
    ],
)
def test_lines_that_are_not_json_objects(tmp_path, lines, line):
    path = write(tmp_path / "a.jsonl", lines)
    with pytest.raises(FileError, match=rf"Line {line} of '.*' is not a JSON object in UTF-8\."):
        read_table(path, {"score": NUMBER})


@pytest.mark.parametrize(
    ("values", "kinds"), [('["x", 1]', "UBIGINT, VARCHAR"), ("[[1], [2]]", "ARRAY")]
)
def test_json_of_unlike_types(tmp_path, values, kinds):
    lines = "".join(json.dumps({"label": value}) + "\n" for value in json.loads(values))
    path = write(tmp_path / "a.jsonl", lines)
    assert message(ColumnError, path, {"label": LABEL}) == (
        f"Column 'label' of {str(path)!r} mixes values of different types: {kinds}. | "
        "write text, numbers or booleans throughout the column."
    )


def test_no_rows(tmp_path):
    path = write(tmp_path / "a.csv", "label,score\n")
    expected = f"There are no rows in {str(path)!r}. | pass at least one row."
    assert message(InputError, path) == expected
    assert column_names(path) == ["label", "score"]


# -- columns -------------------------------------------------------------------------------------


def test_a_missing_column(tmp_path):
    path = write(tmp_path / "a.csv", "label,score\n1,1\n")
    assert message(ColumnError, path, ["scor"]) == (
        f"There is no column 'scor' in {str(path)!r}. | did you mean 'score'?"
    )
    assert message(ColumnError, path, ["Score"]) == (
        f"There is no column 'Score' in {str(path)!r}. | did you mean 'score'?"
    )
    assert message(ColumnError, path, ["weight"]) == (
        f"There is no column 'weight' in {str(path)!r}. | there are: 'label', 'score'."
    )


def test_no_header(tmp_path):
    path = write(tmp_path / "a.csv", "1,0.75\n0,0.5\n")
    assert message(ColumnError, path) == (
        f"There is no column 'label' in {str(path)!r}. | "
        "the first line looks like data; put the columns' names above it."
    )


def test_numbers_may_be_names(tmp_path):
    path = write(tmp_path / "a.csv", "1,2\n0.5,0.75\n")
    assert read(path, {"2": NUMBER}) == {"2": [0.75]}


def test_duplicate_columns(tmp_path):
    csv_file = write(tmp_path / "a.csv", "a,b,a\n1,2,3\n")
    json_file = write(tmp_path / "a.jsonl", '{"a": 1, "b": 2, "a": 3}\n')
    parquet_file = tmp_path / "a.parquet"
    columns = [pa.array([1]), pa.array([2]), pa.array([3])]
    pq.write_table(pa.table(columns, names=["a", "b", "a"]), parquet_file)
    for path in (csv_file, json_file, parquet_file):
        for call in (lambda p: read_table(p, ["b"]), column_names):
            with pytest.raises(
                ColumnError,
                match=r"There are 2 columns called 'a' in .*\nHint: rename them, so that each name",
            ):
                call(path)


def test_columns_without_a_name_do_no_harm(tmp_path):
    path = write(tmp_path / "a.csv", ",label,score,\n0,1,0.75,\n1,0,0.5,\n")
    assert read(path) == {"label": [1, 0], "score": [0.75, 0.5]}


def test_messages_name_relative_paths_as_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(Path("a.csv"), "label,score\n1,x\n")
    with pytest.raises(ColumnError, match=re.escape("row 0, line 2 of 'a.csv' is 'x'")):
        read_table("a.csv", ROLES)


@pytest.mark.slow
def test_a_very_wide_file(tmp_path):
    path = tmp_path / "wide.csv"
    names = [f"column_{i:06d}" for i in range(12_000)]
    path.write_text(",".join(names) + "\n" + ",".join(["0.5"] * 12_000) + "\n")
    assert read_table(path, {"column_011999": NUMBER})["column_011999"].tolist() == [0.5]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_few_columns_of_a_wide_file_take_time_in_proportion_to_its_width(tmp_path, ending):
    def seconds(width):
        path = tmp_path / f"{width}.{ending}"
        table = pa.table({f"s{k}": [0.25 * k] * 20 for k in range(width)})
        (pyarrow.csv.write_csv if ending == "csv" else pq.write_table)(table, path)
        taken = []
        for _ in range(3):
            start = time.process_time()
            table = read_table(path, {"s0": NUMBER, f"s{width - 1}": NUMBER})
            taken.append(time.process_time() - start)
            assert table[f"s{width - 1}"].tolist() == [0.25 * (width - 1)] * 20
        return min(taken)

    seconds(10)  # imports
    # in proportion 4, with the square of the width 16
    assert seconds(8_000) < 10 * max(seconds(2_000), 0.02)


def test_json_lines_in_a_folder_that_looks_like_a_partition(tmp_path):
    folder = tmp_path / "json=1"
    folder.mkdir()
    (folder / "a.jsonl").write_text('{"s": 0.5}\n')
    assert read_table(folder / "a.jsonl", {"s": NUMBER})["s"].tolist() == [0.5]


def test_the_value_that_is_no_number_is_blamed_not_its_decimal_commas(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("y;s\n1;0,5\n0;0,25\n1;high\n0;0,75\n")
    with pytest.raises(
        ColumnError, match="Column 's' at row 2, line 4 of .* is 'high', not a number"
    ):
        read_table(path, {"s": NUMBER})


def test_a_mixture_of_true_and_1_is_not_guessed_at(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("y,s\ntrue,0.5\n1,0.25\n")
    assert read_table(path, {"y": LABEL})["y"].tolist() == ["true", "1"]


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
@pytest.mark.parametrize("is_large", [False, True], ids=["in memory", "larger than memory"])
def test_a_study_looks_into_each_file_once(tmp_path, monkeypatch, name, is_large):
    looks = []

    def counting(original):
        def from_path(cls, path, *rest):
            looks.append(path)
            return original(cls, path, *rest)

        return classmethod(from_path)

    for form in (SeparatedText, JsonLines, ParquetFile):
        monkeypatch.setattr(form, "from_path", counting(form.from_path.__func__))
    if is_large:
        for size in ("relations._TEXT_IN_MEMORY", "lazy._BYTES_PER_ROW"):
            monkeypatch.setattr(f"rocwalk.read.{size}", 1e9)
    path = tmp_path / name
    rows = [(1, 0.9), (0, 0.8), (1, 0.6), (0, 0.1)]
    if name == "a.parquet":
        pq.write_table(pa.table(dict(zip(ROLES, zip(*rows, strict=True), strict=True))), path)
    elif name == "a.csv":
        write(path, "label,score\n" + "".join(f"{y},{s}\n" for y, s in rows))
    else:
        write(path, "".join(f'{{"label": {y}, "score": {s}}}\n' for y, s in rows))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocwalkWarning)  # large: models are not compared in pairs
        study = read_study(path, Question(label="label", scores=("score",)))
    assert study.is_in_memory != is_large
    assert looks == [path]


# -- files that change while they are read -----------------------------------------------------------


def versions(folder, ending):
    """Write two versions of a table, in which the AUC is 1 and 0; return them with their hashes."""
    y = [0, 1] * 30
    found = {}
    for area, scores in ((1.0, y), (0.0, [1 - one for one in y])):
        path = folder / f"{area:g}{ending}"
        table = pa.table({"y": y, "p": [0.25 + one / 2 for one in scores]})
        (pq.write_table if ending == ".parquet" else pyarrow.csv.write_csv)(table, path)
        found[hashlib.sha256(path.read_bytes()).hexdigest()] = (area, path)
    return found


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("large", [False, True])
def test_a_hash_is_that_of_the_version_that_was_read(tmp_path, monkeypatch, ending, large):
    """The file is replaced before each query in turn: the result is of one version, or refused."""
    known = versions(tmp_path, ending)
    (_, first), (_, second) = known.values()
    path, copy = tmp_path / f"data{ending}", tmp_path / "copy"
    turns, asked, runs = 0, [], []
    for kind, name in (
        (Source, "ask"),
        (_Runner, "fetch"),
        (_Runner, "execute"),
        (_Runner, "collect"),
    ):
        original = getattr(kind, name)

        def replaced(self, *args, original=original):
            asked.append(None)
            if len(asked) == turns:
                shutil.copy(second, copy)
                copy.replace(path)
            return original(self, *args)

        monkeypatch.setattr(kind, name, replaced)
    study = sys.modules[read_study.__module__]  # rocwalk.evaluate itself is a function
    monkeypatch.setattr(study, "is_large", lambda *_: large)
    question = Question(label="y", scores=("p",))
    while True:
        shutil.copy(first, path)
        asked.clear()
        try:
            with collecting():
                study = read_study(path, question)
        except FileError as error:
            runs.append(str(error))
        else:
            (_, digest), (tally,) = study.files[0], study.models.values()
            assert known[digest][0] == tally.area
            runs.append(tally.area)
        if turns > len(asked):
            break
        turns += 1
    assert runs[0] == runs[-1] == 1.0
    assert any("was changed or replaced while it was read" in str(one) for one in runs)


def test_a_hash_is_taken_after_the_file_was_read(tmp_path, monkeypatch):
    """Replaced between reading and hashing: refused, and rw.tallies too if it changes meanwhile."""
    (_, first), (_, second) = versions(tmp_path, ".csv").values()
    path = tmp_path / "data.csv"
    original = Source.fetch

    def replaced(self, *args, **options):
        found = original(self, *args, **options)
        shutil.copy(second, tmp_path / "copy")
        (tmp_path / "copy").replace(path)
        return found

    monkeypatch.setattr(Source, "fetch", replaced)
    shutil.copy(first, path)
    with pytest.raises(FileError, match="was changed or replaced while it was read") as caught:
        rw.tallies(path, label="y", score="p")
    assert caught.value.fields.file == File(str(path))
