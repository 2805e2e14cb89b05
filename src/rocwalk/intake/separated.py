"""Separated text: CSV, TSV and the like, with a header.

DuckDB reads the values, all of them as text. Python's csv module finds the separator and the header
in the first lines, and the line to name when something is wrong.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

from rocwalk.errors import ColumnError, FileError
from rocwalk.intake.frames import Name, refuse_missing
from rocwalk.intake.numerals import MISSING_NUMBER
from rocwalk.intake.paths import READ_ERRORS, ending, first_bytes, open_bytes, unreadable
from rocwalk.intake.text import Text

# The first separator is the one that such a file most likely has; it wins ties.
SEPARATORS = {".csv": ",;\t|", ".txt": ",;\t|", ".tsv": "\t,;|", ".tab": "\t,;|", ".psv": "|,;\t"}
_RECORDS_SNIFFED = 20
_MARKS = ", ".join(f"'{mark}'" for mark in MISSING_NUMBER)


@dataclass(frozen=True, slots=True)
class SeparatedText(Text):
    """A file of separated text. A number in it may be missing, or have a mark that says so."""

    as_text: ClassVar[str] = "c{0}"
    as_number: ClassVar[str] = f"CASE WHEN trim(c{{0}}) IN ({_MARKS}) THEN NULL ELSE c{{0}} END"

    separator: str
    header_line: int  # counted from 1

    @classmethod
    def from_path(cls, connection: Any, path: Path) -> Self:  # noqa: ARG003
        """Find the separator, the header, and the names in it."""
        try:
            if b"\0" in first_bytes(path):
                raise FileError(
                    f"The file {str(path)!r} is not text: it has zero bytes.",
                    "name a text file in UTF-8; save a spreadsheet as CSV first.",
                )
            separator, line, names = _sniffed(path)
        except (UnicodeDecodeError, csv.Error, *READ_ERRORS) as error:
            raise _broken_line(path) or unreadable(path, error) from None
        return cls(path, tuple(names), separator, line)

    @property
    def scan(self) -> str:
        """The SQL that stands after FROM."""
        columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(self.names)))
        return (
            "read_csv($path, delim=$separator, quote='\"', escape='\"', header=true, skip=$skip, "
            f"auto_detect=false, columns={{{columns}}}, compression=$compression, "
            "hive_partitioning=false)"
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the $parameters."""
        return {"separator": self.separator, "skip": self.header_line - 1}

    @property
    def allows_decimal_comma(self) -> bool:
        """Whether 0,75 may be a number here: not where commas separate values."""
        return self.separator != ","

    @property
    def number_forms(self) -> tuple[str, ...]:
        """The ways to read a number: as it is, which is fastest; with gaps; with decimal commas.

        For the last, commas and points change places: a file with both kinds of decimals is
        refused.
        """
        with_comma = f"translate({self.as_number}, ',.', '.,')"
        with_point = (self.as_text, self.as_number)
        return (*with_point, with_comma) if self.allows_decimal_comma else with_point

    def is_written(self, connection: Any, name: Name) -> bool:  # noqa: ARG002
        """All values are written, whether in quotes or not."""
        return True

    def line_of(self, row: int) -> int:
        """Return the line on which a row begins; values with line breaks in them count right."""
        is_narrow = len(self.names) == 1  # then a blank line is a missing value
        records = _records(self.path, self.separator)
        filled = (line for line, record in records if record or is_narrow)
        return next(islice(filled, row + 1, None))

    def fault(self) -> FileError | None:
        """Look for the line that cannot be read."""
        return _broken_line(self.path, self.separator, len(self.names))

    def refuse_missing(self, wanted: Iterable[Name]) -> None:
        """Raise if a wanted column is not there; perhaps because there is no header at all."""
        try:
            refuse_missing(wanted, self.names, self.shown)
        except ColumnError as error:
            if not all(map(_is_number, self.names)):
                raise
            raise ColumnError(
                error.what, "the first line looks like data; put the columns' names above it."
            ) from None


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


# -- the separator and the header ----------------------------------------------------------------


def _sniffed(path: Path) -> tuple[str, int, list[str]]:
    """Return the separator, the line of the header, and the names in it.

    The separator is the one that cuts most of the first lines into as many values as the header;
    among several such, the one that gives the most columns.
    """
    trials, failures = [], []
    for separator in SEPARATORS[ending(path)]:
        try:
            trials.append(_trial(path, separator))
        except csv.Error as error:  # a wide line is one huge value if this separator is not in it
            failures.append(error)
    if not trials:
        raise failures[0]
    _, separator, line, names = max(trials, key=lambda trial: trial[0])
    return separator, line, names


def _trial(path: Path, separator: str) -> tuple[tuple[float, int], str, int, list[str]]:
    """Return how well the separator fits, the separator, and the header that it gives."""
    filled = ((line, record) for line, record in _records(path, separator) if record)
    line, names = next(filled, (1, [""]))
    rows = [record for _, record in islice(filled, _RECORDS_SNIFFED)]
    share = sum(len(row) == len(names) for row in rows) / len(rows) if rows else 1.0
    return (share if len(names) > 1 else 0.0, len(names)), separator, line, names


def _records(
    path: Path, separator: str, *, strict: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the line that it begins on; a blank line is an empty record."""
    with io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=separator, strict=strict)
        line = 1
        for record in reader:
            yield line, record
            line = reader.line_num + 1


# -- what went wrong -----------------------------------------------------------------------------


def _broken_line(path: Path, separator: str = ",", width: int = 0) -> FileError | None:
    """Look for the first line that cannot be read: slow, and done only when there is one.

    Before the header is known (width 0), only what is no separated text at all is looked for.
    """
    line = 0
    try:
        for line, record in _records(path, separator, strict=width > 0):
            if width and _is_ragged(record, width):
                return _ragged_words(path, line, len(record), separator, width)
    except UnicodeDecodeError:
        return _not_utf8(path)
    except csv.Error as error:
        return FileError(
            f"The lines after line {line} of {str(path)!r} cannot be split into values: {error}.",
            "look for a quote that is not closed; a quote inside a value is written twice.",
        )
    except READ_ERRORS as error:
        return unreadable(path, error)
    return None


def _is_ragged(record: list[str], width: int) -> bool:
    ends_in_separator = len(record) == width + 1 and not record[-1]  # which does no harm
    return bool(record) and len(record) != width and not ends_in_separator


def _ragged_words(path: Path, line: int, count: int, separator: str, width: int) -> FileError:
    values = f"{count} value" + ("s" if count != 1 else "")
    return FileError(
        f"Line {line} of {str(path)!r} has {values}, but the header has {width} columns.",
        f"mend the line; a value that contains {separator!r} needs quotes around it.",
    )


def _not_utf8(path: Path) -> FileError:
    with open_bytes(path) as file:
        line = next(n for n, content in enumerate(file, start=1) if not _is_utf8(content))
    return FileError(
        f"Line {line} of {str(path)!r} is not UTF-8 text.",
        "save the file as UTF-8, for instance with: iconv -f latin1 -t utf-8",
    )


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
