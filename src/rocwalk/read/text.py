"""Numerals: text that stands for numbers or booleans, and the marks for values that are missing."""

from __future__ import annotations

import csv
import io
import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from rocwalk.errors import ColumnError, FileError, RocwalkError
from rocwalk.read.frames import LABEL, NUMBER, Name, Part, Table, refuse_duplicates, refuse_missing
from rocwalk.read.sources import (
    READ_ERRORS,
    Piece,
    Source,
    ending,
    first_bytes,
    open_bytes,
    unreadable,
)

_MISSING = ("NA", "N/A", "#N/A", "NULL", "null")


MISSING_NUMBER = (*_MISSING, "None", "")


def interpret(texts: Any, role: str, *, allows_decimal_comma: bool) -> Any:
    """Return text as integers, floats or booleans if all of it can be read so, else as it is.

    >>> import pyarrow as pa
    >>> interpret(pa.array(["1", "NA"]), "label", allows_decimal_comma=False).to_pylist()
    [1, None]
    >>> interpret(pa.array(["007", "NA"]), "group", allows_decimal_comma=False).to_pylist()
    ['007', 'NA']
    >>> interpret(pa.array(["true", "1"]), "label", allows_decimal_comma=False).to_pylist()
    ['true', '1']
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim_whitespace(texts)
    as_text = _without(texts, _MISSING) if role == LABEL else texts
    if _any(pc.match_substring_regex(trimmed, "^[+-]?0[0-9xX]")):
        return as_text  # codes such as 007, which is not the number 7
    values = _without(trimmed, MISSING_NUMBER if role == NUMBER else (*_MISSING, ""))
    ways = [(values, pa.int64()), (values, pa.uint64()), (values, pa.float64())]
    if allows_decimal_comma and not _any(pc.match_substring(trimmed, ".")):
        ways.append((pc.replace_substring(values, ",", "."), pa.float64()))
    if not _any(pc.match_substring_regex(values, "^[0-9.+-]")):  # a mixture of true and 1 is text
        ways.append((values, pa.bool_()))
    for column, kind in ways:
        try:
            return column.cast(kind)
        except pa.ArrowInvalid:
            continue
    return as_text


def _any(flags: Any) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(flags).as_py())


def _without(texts: Any, marks: Sequence[str]) -> Any:
    """Return the texts with those that mean "missing" taken out."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_mark = pc.is_in(texts, value_set=pa.array(marks))
    return pc.if_else(is_mark, pa.scalar(None, pa.string()), texts)


# -- text ------------------------------------------------------------------------------------------


_EXACT_INTEGER = 2.0**53


@dataclass(frozen=True, slots=True)
class Text(Source):
    """A file of text, and the SQL for a column of it, with {0} for the column's position."""

    as_text: ClassVar[str]  # the value as text
    as_number: ClassVar[str]  # what must be a number, or NULL where it is missing

    @property
    def number_forms(self) -> tuple[str, ...]:
        """The SQL for all ways to read a number; the first that all numbers allow is taken."""
        return (self.as_number,)

    @abstractmethod
    def is_written(self, connection: Any, name: Name) -> bool:
        """Whether text in the column may stand for numbers; it may not if it is in quotes."""

    @abstractmethod
    def line_of(self, row: int) -> int:
        """Return the line on which a row begins, counted from 1."""

    def part(self, rows: int) -> Part:
        """Return the rows of this file, which have lines, as a part of a table."""
        return Part(self.shown, rows, self.line_of)

    def pieces(self, connection: Any, roles: Mapping[Name, str]) -> dict[Name, Piece]:
        """Read the columns, the number columns as numbers."""
        fetched = self._fetch_columns(connection, roles)
        return {
            name: self._piece(connection, name, roles[name], values)
            for name, values in zip(roles, fetched, strict=True)
        }

    def _piece(self, connection: Any, name: Name, role: str, values: Any) -> Piece:
        if role == NUMBER:
            return Piece(self, self._exact(connection, name, values))
        return Piece(self, values, self.is_written(connection, name))

    def _fetch_columns(self, connection: Any, roles: Mapping[Name, str]) -> list[Any]:
        """Fetch the columns, the number columns as floats in the first form that all allow."""
        import duckdb

        for form in self.number_forms:
            number = f"CAST({form} AS DOUBLE)"
            selected = [
                self.column(number if role == NUMBER else self.as_text, name)
                for name, role in roles.items()
            ]
            try:
                return self.fetch(connection, selected)
            except duckdb.ConversionException:
                continue
        raise self.not_a_number(connection, [name for name in roles if roles[name] == NUMBER])

    def _exact(self, connection: Any, name: Name, floats: Any) -> Any:
        """Return integers where floats would make unequal ones equal."""
        import pyarrow as pa
        import pyarrow.compute as pc

        extremes = [value for value in pc.min_max(floats).as_py().values() if value is not None]
        if max(map(abs, extremes), default=0.0) < _EXACT_INTEGER:
            return floats
        texts = self.fetch(connection, [self.column(self.as_text, name)])[0]
        values = interpret(texts, NUMBER, allows_decimal_comma=self.allows_decimal_comma)
        return values if pa.types.is_integer(values.type) else floats

    def not_a_number(self, connection: Any, names: Sequence[Name]) -> RocwalkError:
        """Return the error for the first value that is no number; a second look at the file."""
        # first what is no number in any form, then what is none in the plain form
        for forms in (self.number_forms, (self.as_number,)):
            reads = [f"TRY_CAST({form} AS DOUBLE) IS NOT NULL" for form in forms]
            is_fine = f"({self.as_number}) IS NULL OR {' OR '.join(reads)}"
            for name in names:
                selected = [self.column(self.as_text, name), self.column(is_fine, name)]
                texts, fine = self.fetch(connection, selected)
                rows = np.flatnonzero(texts.is_valid().to_numpy() & ~fine.to_numpy()).tolist()
                if rows:
                    return self._number_words(name, rows, texts[rows[0]].as_py())
        return FileError(f"The file {self.shown} changed while it was read.", "read it again.")

    def _number_words(self, name: Name, rows: Sequence[int], value: str) -> ColumnError:
        place = Table({}, self.shown, (self.part(rows[0] + 1),)).place(rows[0])
        count = f" (the first of {len(rows):,})" if len(rows) > 1 else ""
        hint = "write a number, or leave the value empty if it is missing."
        if "," in value:
            hint = (
                "decimals are 0.75, or 0,75 in all columns of a file that is separated by ';' or "
                "tabs; there are no signs between thousands."
            )
        return ColumnError(f"Column {name!r} at {place}{count} is {value!r}, not a number.", hint)


# -- separated text --------------------------------------------------------------------------------


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


# -- jSON lines ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JsonLines(Text):
    """A file of JSON lines; $k0, $k1, … are the pointers of its columns."""

    as_text: ClassVar[str] = "json_extract_string(json, $k{0})"
    as_number: ClassVar[str] = "json_extract(json, $k{0})"

    @classmethod
    def from_path(cls, connection: Any, path: Path) -> Self:
        """Collect the keys of all lines."""
        nameless = cls(path, ())
        return replace(nameless, names=nameless._keys(connection))

    @property
    def scan(self) -> str:
        """The SQL that stands after FROM."""
        return "read_ndjson_objects($path, compression=$compression, hive_partitioning=false)"

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the $parameters."""
        return {f"k{i}": _pointer(name) for i, name in enumerate(self.names)}

    def is_written(self, connection: Any, name: Name) -> bool:
        """Whether the values are numbers or booleans, not text in quotes; a mixture is refused."""
        kind = self.column("json_type(json, $k{0})", name)
        found = self.fetch(connection, [kind], tail="GROUP BY ALL")[0].to_pylist()
        kinds = sorted(set(found) - {None, "NULL"})
        if "OBJECT" in kinds or "ARRAY" in kinds or (len(kinds) > 1 and "VARCHAR" in kinds):
            raise ColumnError(
                f"Column {name!r} of {self.shown} mixes values of unlike types: "
                f"{', '.join(kinds)}.",
                "write text, numbers or booleans throughout the column.",
            )
        return kinds != ["VARCHAR"]

    def line_of(self, row: int) -> int:
        """Return the line on which a row stands; blank lines are no rows."""
        with open_bytes(self.path) as file:
            filled = (line for line, content in enumerate(file, start=1) if content.strip())
            return next(islice(filled, row, None))

    def fault(self) -> FileError | None:
        """Look for the line that cannot be read."""
        try:
            with open_bytes(self.path) as file:
                for line, content in enumerate(file, start=1):
                    if content.strip() and not _is_object(content):
                        return FileError(
                            f"Line {line} of {self.shown} is not a JSON object in UTF-8.",
                            'each line holds one object, such as {"label": 1, "score": 0.75}.',
                        )
        except READ_ERRORS as error:
            return unreadable(self.path, error)
        return None

    def _keys(self, connection: Any) -> tuple[str, ...]:
        """Return the keys of all lines: those of the first in their order, then the others."""
        first = self.fetch(connection, ["json_keys(json)"], tail="LIMIT 1")[0].to_pylist()
        selected = ["json_type(json)", "json_keys(json)"]
        kinds, keys = self.fetch(connection, selected, tail="GROUP BY ALL")
        if set(kinds.to_pylist()) - {"OBJECT"}:
            raise self.explained("a line is not an object")
        distinct = sorted(keys.to_pylist())
        for one in distinct:
            refuse_duplicates(one, f"a line of {self.shown}")
        return tuple(dict.fromkeys(name for one in (*first, *distinct) for name in one))


def _pointer(name: str) -> str:
    """Return the JSON pointer of a key (RFC 6901).

    >>> _pointer("a/b~c")
    '/a~1b~0c'
    """
    return "/" + name.replace("~", "~0").replace("/", "~1")


def _is_object(content: bytes) -> bool:
    try:
        return isinstance(json.loads(content.decode("utf-8")), dict)
    except ValueError:
        return False
