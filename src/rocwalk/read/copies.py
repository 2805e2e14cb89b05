"""Copies: text in a temporary folder of what DuckDB does not read itself.

A sheet of a workbook becomes separated text, row by row and line by line, and a file that is packed
with Zstandard is unpacked: DuckDB would read a truncated one as if it were complete. While a copy
is in use, errors and provenance call it by the name of its original.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, time
from pathlib import Path
from typing import Any

from rocwalk.errors import COPIES, File, FileError, optional
from rocwalk.read.sources import READ_ERRORS, open_bytes, unreadable, zstandard
from rocwalk.texts import nearest, shown

SHEETS = (".xlsx", ".xlsm", ".xls", ".ods")
_BYTES_COPIED = 2**20


@contextmanager
def copy_called(copy: Path, name: str) -> Iterator[None]:
    """Give a copy the name of its original in errors and provenance."""
    COPIES[str(copy)] = name
    try:
        yield
    finally:
        del COPIES[str(copy)]


def _place_in(folder: Path, name: str) -> Path:
    """Return a new path in a folder for a file of this name."""
    own = folder / f"{len(list(folder.iterdir()))}"
    own.mkdir()
    return own / name


def unpacked(path: Path, folder: Path) -> Path:
    """Return the path of an unpacked copy of a packed file."""
    copy = _place_in(folder, path.stem)
    try:
        with open_bytes(path) as packed, copy.open("wb") as plain:
            shutil.copyfileobj(packed, plain, _BYTES_COPIED)
    except zstandard().ZstdError:
        raise unreadable(path, EOFError()) from None
    except READ_ERRORS as error:
        raise unreadable(path, error) from None
    return copy


def sheet_as_text(path: Path, folder: Path, sheet: str | None) -> Path:
    """Return the path of separated text with the values of a sheet, one line for each row."""
    calamine = optional("python_calamine", "excel", "A workbook", "python-calamine")
    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
        name = _sheet_of(path, book.sheet_names, sheet)
        rows = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except (calamine.CalamineError, *READ_ERRORS) as error:
        if isinstance(error, PermissionError):
            raise unreadable(path, error) from None
        raise FileError(
            ("The file ", File(str(path)), f" is not a workbook that can be read: {error}."),
            "save it anew as .xlsx, without a password, or as CSV.",
        ) from None
    width = max(
        (place + 1 for row in rows for place, one in enumerate(row) if one != ""), default=0
    )
    copy = _place_in(folder, f"{path.stem}.csv")
    with copy.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for row in rows:
            values = [_written(one) for one in row[:width]]
            if width == 1:
                file.write(f'"{values[0]}"\n' if "," in values[0] else f"{values[0]}\n")
            else:
                writer.writerow(values if any(values) else [])
    return copy


def _sheet_of(path: Path, known: list[str], wanted: str | None) -> str:
    if wanted is None and len(known) == 1:
        return known[0]
    if wanted in known:
        return str(wanted)
    if wanted is None:
        raise FileError(
            ("The workbook ", File(str(path)), f" has {len(known)} sheets: {shown(known, 12)}."),
            f"name one of them, as in {path.name}::{known[0] if known else 'Sheet1'}.",
        )
    raise FileError(
        (f"There is no sheet {wanted!r} in ", File(str(path)), "."), nearest(wanted, known)
    )


def _written(value: Any) -> str:
    """Return a cell as text that is read as the same value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat()
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    return " ".join(str(value).splitlines())
