"""Files of text: separated values (CSV and the like) and JSON lines.

DuckDB reads all values as text. Number columns are converted in SQL, in the first of the forms that
all numbers of the file have; `rocwalk.read.numerals` defines what labels and groups stand for.
"""

from __future__ import annotations

import csv
import io
import json
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, tee
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from rocwalk.errors import ColumnError, File, FileError, RocwalkError
from rocwalk.read.frames import NUMBER, Name, Part, refuse_duplicates, refuse_missing
from rocwalk.read.numerals import Kind, is_missing_sql, kind_of_words
from rocwalk.read.sources import READ_ERRORS, Piece, Source, ending, open_bytes, unreadable


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
        return Part(str(self.path), rows, self.line_of)

    def pieces(self, connection: Any, roles: Mapping[Name, str]) -> dict[Name, Piece]:
        """Read the columns, the number columns as floats."""
        fetched = self.in_number_form(connection, roles, lambda sql: self.fetch(connection, sql))
        return {
            name: Piece(self, values, roles[name] != NUMBER and self.is_written(connection, name))
            for name, values in zip(roles, fetched, strict=True)
        }

    def in_number_form(
        self, connection: Any, roles: Mapping[Name, str], run: Callable[[list[str]], Any]
    ) -> Any:
        """Run the SQL of the columns with numbers as floats, in the first form that all allow."""
        import duckdb

        for form in self.number_forms:
            number = f"CAST({form} AS DOUBLE)"
            try:
                return run(
                    [self.column(number if roles[n] == NUMBER else self.as_text, n) for n in roles]
                )
            except duckdb.ConversionException:
                continue
        raise self._not_a_number(connection, [name for name in roles if roles[name] == NUMBER])

    def _not_a_number(self, connection: Any, names: Sequence[Name]) -> RocwalkError:
        """Return the error for the first value that is no number; a second look at the file."""
        # first what is no number in any form, then what is none in the plain form
        for forms in (self.number_forms, (self.as_number,)):
            reads = [f"TRY_CAST({form} AS DOUBLE) IS NOT NULL" for form in forms]
            is_fine = f"({self.as_number}) IS NULL OR {' OR '.join(reads)}"
            for name in names:
                selected = [self.column(self.as_text, name), self.column(is_fine, name)]
                texts, fine = self.fetch(connection, selected)
                rows = np.flatnonzero(texts.is_valid().to_numpy() & ~fine.to_numpy()).tolist()
                if not rows:
                    continue
                value = texts[rows[0]].as_py()
                return ColumnError(
                    f"is {value!r}, not a number.",
                    "decimals are 0.75, or 0,75 in all columns of a file that is separated by ';' "
                    "or tabs; there are no signs between thousands."
                    if "," in value
                    else "write a number, or leave the value empty if it is missing.",
                    column=name,
                    row=rows[0],
                    line=self.line_of(rows[0]),
                    file=str(self.path),
                    count=len(rows),
                )
        what = "The file ", self.file, " changed while it was read."
        return FileError(what, "read it again.")


def kinds_of_inexact_integers(
    sources: Sequence[Text], name: Name, ask: Callable[[Text, str], Any]
) -> list[Kind] | None:
    """Return the kinds of integers, a file each, in a number column that floats do not hold.

    None if some number is not an integer of at most 64 bits, or if all integers are the same as
    floats. ``ask(source, query)`` returns the answer to SQL about a source as an Arrow table.
    """
    kinds, is_inexact = [], False
    for source in sources:
        column = source.column(source.as_text, name)
        kind = kind_of_words(
            f"SELECT {column} AS word FROM {source.scan}",
            NUMBER,
            partial(ask, source),
            allows_decimal_comma=source.allows_decimal_comma,
        )
        if kind is None or not kind.is_integer:
            return None
        kinds.append(kind)
        value = f"CAST({kind.value_sql(column)} AS HUGEINT)"
        changes = f"bool_or({value} <> CAST(CAST({value} AS DOUBLE) AS HUGEINT))"
        answer = ask(source, f"SELECT {changes} FROM {source.scan}")
        is_inexact = is_inexact or bool(answer.columns[0][0].as_py())
    return kinds if is_inexact else None


# -- separated text --------------------------------------------------------------------------------

# The first separator is the one that such a file most likely has; it wins ties.
SEPARATORS = {".csv": ",;\t|", ".txt": ",;\t|", ".tsv": "\t,;|", ".tab": "\t,;|", ".psv": "|,;\t"}

_RECORDS_SNIFFED = 20


@dataclass(frozen=True, slots=True)
class SeparatedText(Text):
    """A file of separated text, with a header."""

    as_text: ClassVar[str] = "c{0}"
    as_number: ClassVar[str] = (
        f"CASE WHEN {is_missing_sql(NUMBER, 'c{0}')} THEN NULL ELSE c{{0}} END"
    )

    separator: str
    header_line: int  # counted from 1

    @classmethod
    def from_path(cls, path: Path, head: bytes, connection: Callable[[], Any]) -> Self:  # noqa: ARG003
        """Find the separator, the header, and the names in it.

        The separator is the one that cuts most of the first lines into as many values as the
        header; among several such, the one that gives the most columns.
        """
        if b"\0" in head:
            raise FileError(
                ("The file ", File(str(path)), " is not text: it has zero bytes."),
                "name a text file in UTF-8; save a spreadsheet as CSV first.",
            )
        separators, trials = SEPARATORS[ending(path)], []
        failure: Exception | None = None
        try:
            with _open_text(path) as file:
                for separator, lines in zip(separators, tee(file, len(separators)), strict=True):
                    filled = (found for found in _records(lines, separator) if found[1])
                    try:
                        line, names = next(filled, (1, [""]))
                        rows = [record for _, record in islice(filled, _RECORDS_SNIFFED)]
                    except csv.Error as error:  # a line without this separator is one huge value
                        failure = failure or error
                        continue
                    share = sum(len(row) == len(names) for row in rows) / max(len(rows), 1)
                    fit = (share if rows else 1.0) if len(names) > 1 else 0.0
                    trials.append(((fit, len(names)), cls(path, tuple(names), separator, line)))
        except (UnicodeDecodeError, *READ_ERRORS) as error:
            failure, trials = error, []
        if failure is not None and not trials:
            raise _broken_line(path) or unreadable(path, failure) from None
        return max(trials, key=lambda trial: trial[0])[1]

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
        """The ways to read a number: as it is (fastest), with missing values, with decimal commas.

        For the last, commas and points change places: a file with both kinds of decimals is
        refused.
        """
        with_comma = f"translate({self.as_number}, ',.', '.,')"
        with_point = (self.as_text, self.as_number)
        return (*with_point, with_comma) if self.allows_decimal_comma else with_point

    def is_written(self, connection: Any, name: Name) -> bool:  # noqa: ARG002
        """Return True: all values may stand for numbers, whether in quotes or not."""
        return True

    def line_of(self, row: int) -> int:
        """Return the line on which a row begins; values with line breaks in them count right."""
        is_narrow = len(self.names) == 1  # then a blank line is a missing value
        with _open_text(self.path) as file:
            records = _records(file, self.separator)
            filled = (line for line, record in records if record or is_narrow)
            return next(islice(filled, row + 1, None))

    def fault(self) -> FileError | None:
        """Look for the line that cannot be read."""
        return _broken_line(self.path, self.separator, len(self.names))

    def refuse_missing(self, wanted: Iterable[Name]) -> None:
        """Raise if a wanted column is not there; perhaps because there is no header at all."""
        hint = "the first line looks like data; put the columns' names above it."
        try:
            [float(name.replace(",", ".")) for name in self.names]
        except ValueError:
            hint = ""
        refuse_missing(wanted, self.names, self.file, hint)


def _open_text(path: Path) -> io.TextIOWrapper:
    return io.TextIOWrapper(open_bytes(path), encoding="utf-8-sig", newline="")


def _records(
    lines: Iterable[str], separator: str, *, strict: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the line that it begins on; a blank line is an empty record."""
    reader = csv.reader(lines, delimiter=separator, strict=strict)
    line = 1
    for record in reader:
        yield line, record
        line = reader.line_num + 1


def _broken_line(path: Path, separator: str = ",", width: int = 0) -> FileError | None:
    """Return the error for the first line that cannot be read; slow, for files that have one.

    Before the header is known (width 0), only what is no separated text at all is looked for.
    """
    line = 0
    try:
        with _open_text(path) as file:
            for line, record in _records(file, separator, strict=width > 0):
                ends_in_separator = len(record) == width + 1 and not record[-1]  # does no harm
                if width and record and len(record) != width and not ends_in_separator:
                    values = f"{len(record)} value" + ("s" if len(record) != 1 else "")
                    return FileError(
                        f"has {values}, but the header has {width} columns.",
                        f"correct the line; a value that contains {separator!r} needs quotes "
                        "around it.",
                        file=str(path),
                        line=line,
                    )
    except UnicodeDecodeError:
        with open_bytes(path) as raw:
            line = next(
                number
                for number, content in enumerate(raw, start=1)
                if content.decode("utf-8", "ignore").encode() != content
            )
        return FileError(
            "is not UTF-8 text.",
            "save the file as UTF-8, for instance with: iconv -f latin1 -t utf-8",
            file=str(path),
            line=line,
        )
    except csv.Error as error:
        return FileError(
            (
                f"The lines after line {line} of ",
                File(str(path)),
                f" cannot be split into values: {error}.",
            ),
            "look for a quote that is not closed; a quote inside a value is written twice.",
        )
    except READ_ERRORS as error:
        return unreadable(path, error)
    return None


# -- JSON lines ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JsonLines(Text):
    """A file of JSON lines; $k0, $k1, … are the pointers of its columns (RFC 6901)."""

    as_text: ClassVar[str] = "json_extract_string(json, $k{0})"
    as_number: ClassVar[str] = "json_extract(json, $k{0})"

    @classmethod
    def from_path(cls, path: Path, head: bytes, connection: Callable[[], Any]) -> Self:  # noqa: ARG003
        """Collect the keys of all lines: those of the first in their order, then the others."""
        nameless, opened = cls(path, ()), connection()
        first = nameless.fetch(opened, ["json_keys(json)"], tail="LIMIT 1")[0].to_pylist()
        selected = ["json_type(json)", "json_keys(json)"]
        kinds, keys = nameless.fetch(opened, selected, tail="GROUP BY ALL")
        if set(kinds.to_pylist()) - {"OBJECT"}:
            raise nameless.explained("a line is not an object")
        distinct = sorted(keys.to_pylist())
        for one in distinct:
            refuse_duplicates(one, "a line of ", nameless.file)
        names = dict.fromkeys(name for one in (*first, *distinct) for name in one)
        return replace(nameless, names=tuple(names))

    @property
    def scan(self) -> str:
        """The SQL that stands after FROM."""
        return "read_ndjson_objects($path, compression=$compression, hive_partitioning=false)"

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the $parameters."""
        escaped = [name.replace("~", "~0").replace("/", "~1") for name in self.names]
        return {f"k{i}": f"/{key}" for i, key in enumerate(escaped)}

    def is_written(self, connection: Any, name: Name) -> bool:
        """Whether the values are numbers or booleans, not text in quotes; a mixture is refused."""
        kind = self.column("json_type(json, $k{0})", name)
        found = self.fetch(connection, [kind], tail="GROUP BY ALL")[0].to_pylist()
        kinds = sorted(set(found) - {None, "NULL"})
        if "OBJECT" in kinds or "ARRAY" in kinds or (len(kinds) > 1 and "VARCHAR" in kinds):
            raise ColumnError(
                f"mixes values of unlike types: {', '.join(kinds)}.",
                "write text, numbers or booleans throughout the column.",
                column=name,
                file=str(self.path),
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
                    try:
                        text = content.decode("utf-8")
                        is_fine = not text.strip() or isinstance(json.loads(text), dict)
                    except ValueError:
                        is_fine = False
                    if not is_fine:
                        return FileError(
                            "is not a JSON object in UTF-8.",
                            'each line holds one object, such as {"label": 1, "score": 0.75}.',
                            file=str(self.path),
                            line=line,
                        )
        except READ_ERRORS as error:
            return unreadable(self.path, error)
        return None
