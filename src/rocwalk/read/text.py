"""Files of text: separated values (CSV and the like) and JSON lines.

DuckDB reads all values as text. Number columns are converted in SQL, in the first of the forms that
all numbers of the file have; `rocwalk.read.numerals` defines what labels and groups stand for.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import shutil
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, tee
from pathlib import Path
from typing import Any, ClassVar, Self

from rocwalk.checks import one_of
from rocwalk.errors import ColumnError, File, FileError, Option, OptionError, RocwalkError
from rocwalk.errors import Text as Words
from rocwalk.read.frames import NUMBER, Name, Part, refuse_duplicates, refuse_missing
from rocwalk.read.numerals import (
    POINT,
    THOUSANDS,
    Kind,
    Notation,
    is_decimal_sql,
    is_missing_sql,
    kind_of_words,
)
from rocwalk.read.sources import READ_ERRORS, Piece, Source, ending, open_bytes, unreadable


@dataclass(frozen=True, slots=True)
class Text(Source):
    """A file of text, and the SQL for a column of it, with {0} for the column's position."""

    as_text: ClassVar[str]  # the value as text
    as_number: ClassVar[str]  # what must be a number, or NULL where it is missing

    @property
    def number_forms(self) -> tuple[tuple[str, Notation], ...]:
        """The SQL for all ways to read a number; the first that all numbers allow is taken."""
        return ((self.as_number, POINT),)

    @abstractmethod
    def is_written(self, connection: Any, name: Name) -> bool:
        """Whether text in the column may stand for numbers; it may not if it is in quotes."""

    @abstractmethod
    def line_of(self, row: int) -> int:
        """Return the line on which a row begins, counted from 1."""

    def part(self, rows: int) -> Part:
        """Return the rows of this file, which have lines, as a part of a table."""
        return Part(self.file.name, rows, self.line_of)

    def pieces(self, connection: Any, roles: Mapping[Name, str]) -> dict[Name, Piece]:
        """Read the columns, the number columns as floats."""
        fetched = self.in_number_form(connection, roles, lambda sql: self.fetch(connection, sql))
        pieces = {}
        for name, values in zip(roles, fetched, strict=True):
            is_number = roles[name] == NUMBER
            kind = "DOUBLE" if is_number else "VARCHAR"
            is_written = not is_number and self.is_written(connection, name)
            pieces[name] = Piece(self, values, kind, is_written)
        return pieces

    def in_number_form(
        self, connection: Any, roles: Mapping[Name, str], run: Callable[[list[str]], Any]
    ) -> Any:
        """Run the SQL of the columns with numbers as floats, in the first form that all allow."""
        import duckdb

        numbers = [name for name in roles if roles[name] == NUMBER]
        for form, notation in self.number_forms:
            number = f"CAST({form} AS DOUBLE)"
            try:
                answer = run(
                    [self.column(number if n in numbers else self.as_text, n) for n in roles]
                )
            except duckdb.ConversionException:
                continue
            if notation.is_guess:
                self._refuse_ambiguous(connection, numbers)
            return answer
        raise self._not_a_number(connection, numbers)

    def _refuse_ambiguous(self, connection: Any, names: Sequence[Name]) -> None:
        """Raise if every comma in the numbers could stand between thousands."""
        sure = " OR ".join(f"({self.column(is_decimal_sql(self.as_text), n)})" for n in names)
        if len(self.fetch(connection, ["1"], tail=f"WHERE {sure} LIMIT 1")[0]):
            return
        for name in names:
            found = self._first(connection, name, f"contains({self.as_text}, ',')")
            if found is not None:
                word, place = found
                raise ColumnError(
                    f"is {word!r}: the comma may be a decimal sign or stand between thousands.",
                    self.ways_to_read(connection, word),
                    column=name,
                    **place,
                )

    def _not_a_number(self, connection: Any, names: Sequence[Name]) -> RocwalkError:
        """Return the error for the first value that is no number; a second look at the file."""
        # first what is no number in any notation, then what is none in the first
        forms = [form for form, _ in self.number_forms]
        for accepted in (forms, forms[:2]):
            reads = " OR ".join(f"TRY_CAST({form} AS DOUBLE) IS NOT NULL" for form in accepted)
            for name in names:
                is_bad = f"({self.as_number}) IS NOT NULL AND NOT ({reads})"
                found = self._first(connection, name, is_bad)
                if found is None:
                    continue
                word, place = found
                if accepted is forms:
                    what, hint = f"is {word!r}, not a number.", self.ways_to_read(connection, word)
                else:
                    what = f"is {word!r}, but other numbers of the file have a decimal point."
                    hint = self.ways_to_read(connection, word, decimals=".")
                return ColumnError(what, hint, column=name, **place)
        text = "The file ", self.file, " changed while it was read."
        return FileError(text, "read it again.")

    def _first(
        self, connection: Any, name: Name, condition: str
    ) -> tuple[str, dict[str, Any]] | None:
        """Return the first value that a condition holds for, and where it is."""
        text, is_meant = self.column(self.as_text, name), self.column(condition, name)
        columns = f"row_number() OVER () - 1 AS row, {text} AS word, {is_meant} AS is_meant"
        found = "min(row) AS row, arg_min(word, row) AS word, count(*) AS rows"
        rows = f"SELECT {columns} FROM {self.scan}"
        test = "word IS NOT NULL AND is_meant"
        answer = self.ask(connection, f"SELECT {found} FROM ({rows}) WHERE {test}")
        row, word, count = (column[0] for column in answer)
        if row is None:
            return None
        place = {"row": int(row), "line": self.line_of(row), "file": str(self.path)}
        place["count"] = int(count)
        return word, place

    def ways_to_read(self, connection: Any, word: str, decimals: str = ".,") -> Words:  # noqa: ARG002
        """Return a hint on a word that is no number."""
        return "write a number, or leave the value empty if it is missing."


def shared_notations(sources: Sequence[Source]) -> tuple[Notation, ...]:
    """Return the notations that all files allow, for columns that are interpreted as a whole."""
    every = [source.notations for source in sources]
    shared = tuple(one for one in every[0] if all(one in notations for notations in every))
    return shared or (POINT,)


def kinds_of_inexact_integers(
    sources: Sequence[Text], name: Name, ask: Callable[[Text, str], Any]
) -> list[Kind] | None:
    """Return the kinds of integers, a file each, in a number column that floats do not hold.

    None if some number is not an integer of at most 64 bits, or if all integers are the same as
    floats. ``ask(source, query)`` returns the columns of SQL about a source.
    """
    kinds, is_inexact = [], False
    for source in sources:
        column = source.column(source.as_text, name)
        kind = kind_of_words(
            f"SELECT {column} AS word FROM {source.scan}",
            NUMBER,
            partial(ask, source),
            source.notations,
        )
        if kind is None or not kind.is_integer:
            return None
        kinds.append(kind)
        value = f"CAST({kind.value_sql(column)} AS HUGEINT)"
        changes = f"bool_or({value} <> CAST(CAST({value} AS DOUBLE) AS HUGEINT))"
        answer = ask(source, f"SELECT {changes} FROM {source.scan}")
        is_inexact = is_inexact or bool(answer[0][0])
    return kinds if is_inexact else None


# -- separated text --------------------------------------------------------------------------------

# The first separator is the one that such a file most likely has; it wins ties.
SEPARATORS = {".csv": ",;\t|", ".txt": ",;\t|", ".tsv": "\t,;|", ".tab": "\t,;|", ".psv": "|,;\t"}
_WRITTEN_SEPARATORS = {"tab": "\t", "\\t": "\t", "space": " "}

_RECORDS_SNIFFED = 20

UTF8 = "utf-8-sig"
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CHARACTERS_COPIED = 2**20
_LONGEST_LINE = 2**21  # of what DuckDB reads


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFormat:
    """What the user says of separated text; None is found from the file.

    Parameters
    ----------
    decimal
        The decimal separator, "." or ",".
    thousands
        The thousands separator: one of , . _ ' or a space. Without it there is none.
    separator
        The separator of values, one character; "tab" and "space" stand for these.
    encoding
        The encoding of the text, such as "cp1252"; a name that Python knows.
    """

    decimal: str | None = None
    thousands: str | None = None
    separator: str | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.decimal is not None:
            one_of("decimal", self.decimal, (".", ","))
        if self.thousands is not None:
            one_of("thousands", self.thousands, THOUSANDS)
            if self.thousands == self.decimal:
                both = Option("decimal", self.decimal), " and ", Option("thousands", self.thousands)
                raise OptionError((*both, " are the same sign."), "give two signs, or one of them.")
        if self.separator is not None:
            sign: Any = _WRITTEN_SEPARATORS.get(self.separator, self.separator)
            object.__setattr__(self, "separator", sign)
            if (
                not isinstance(sign, str)
                or len(sign) != 1
                or sign.isalnum()
                or sign in '"\r\n\0.+-'
            ):
                raise OptionError(
                    "cannot separate values.",
                    "name one character, such as ';' or '|', or the word tab.",
                    option="separator",
                    value=self.separator,
                )
        if self.encoding is not None:
            try:
                io.TextIOWrapper(io.BytesIO(), encoding=self.encoding)
            except (LookupError, TypeError, ValueError):
                raise OptionError(
                    "is not an encoding of text that Python knows.",
                    "usual ones are utf-8, utf-16, latin-1 and cp1252.",
                    option="encoding",
                    value=self.encoding,
                ) from None

    @property
    def given(self) -> tuple[Option, ...]:
        """What the user says, as options."""
        names = ("decimal", "thousands", "separator", "encoding")
        values = {name: getattr(self, name) for name in names}
        return tuple(Option(name, value) for name, value in values.items() if value is not None)

    def notations(self, separator: str) -> tuple[Notation, ...]:
        """Return the ways in which numbers may be written.

        Where the user leaves it open and commas do not separate values, they may be decimal signs.
        """
        thousands = self.thousands or ""
        decimal = self.decimal or {",": ".", ".": ","}.get(thousands)
        if decimal is not None:
            return (Notation(decimal, thousands),)
        point = Notation(".", thousands)
        comma = Notation(",", thousands, is_guess=not thousands)
        return (point,) if separator == "," else (point, comma)


FOUND = TextFormat()  # all of it is found from the file
# what a user may name
_NOTATIONS = (
    Notation(","),
    *(Notation(decimal, sign) for sign in THOUSANDS for decimal in ".," if decimal != sign),
)


@dataclass(frozen=True, slots=True)
class SeparatedText(Text):
    """A file of separated text, with a header."""

    as_text: ClassVar[str] = "c{0}"
    as_number: ClassVar[str] = (
        f"CASE WHEN {is_missing_sql(NUMBER, 'c{0}')} THEN NULL ELSE c{{0}} END"
    )

    separator: str
    header_line: int  # counted from 1
    form: TextFormat = FOUND
    encoding: str = UTF8
    copy: Path | None = None  # the same in UTF-8, with lines that end in \n

    @classmethod
    def from_path(
        cls,
        path: Path,
        head: bytes,
        connection: Callable[[], Any],  # noqa: ARG003
        form: TextFormat = FOUND,
    ) -> Self:
        """Find the separator, the header, and the names in it.

        The separator is the one that cuts most of the first lines into as many values as the
        header; among several such, the one that gives the most columns.
        """
        encoding = form.encoding or ("utf-16" if head.startswith(_UTF16_MARKS) else UTF8)
        if codecs.lookup(encoding).name == "utf-8":
            encoding = UTF8
        if b"\0" in head and encoding == UTF8:
            raise FileError(
                ("The file ", File(str(path)), " is not text: it has zero bytes."),
                (
                    "name a text file in UTF-8, or say ",
                    Option("encoding", "utf-16"),
                    "; save a spreadsheet as CSV first.",
                ),
            )
        separators, trials = form.separator or SEPARATORS[ending(path)], []
        failure: Exception | None = None
        try:
            with _open_text(path, encoding, head) as file:
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
                    found = cls(path, tuple(names), separator, line, form, encoding)
                    trials.append(((fit, len(names)), found))
        except (UnicodeError, *READ_ERRORS) as error:
            failure, trials = error, []
        if failure is not None and not trials:
            raise _broken_line(path, encoding) or unreadable(path, failure) from None
        return max(trials, key=lambda trial: trial[0])[1]

    @property
    def read_path(self) -> Path:
        """The file that DuckDB reads: this one, or a copy of it."""
        return self.copy or self.path

    def copied(self, folder: Path) -> Self:
        """Return the same with a copy in a folder, in UTF-8 and with line feeds."""
        copy = folder / f"{len(list(folder.iterdir()))}.txt"
        try:
            with (
                io.TextIOWrapper(open_bytes(self.path), encoding=self.encoding) as text,
                copy.open("w", encoding="utf-8", newline="\n") as plain,
            ):
                shutil.copyfileobj(text, plain, _CHARACTERS_COPIED)
        except (UnicodeError, *READ_ERRORS) as error:
            raise self.fault() or unreadable(self.path, error) from None
        return replace(self, copy=copy)

    @property
    def scan(self) -> str:
        """The SQL that stands after FROM."""
        return (
            "read_csv($path, delim=$separator, quote='\"', escape='\"', header=true, skip=$skip, "
            "auto_detect=false, columns=$columns, compression=$compression, "
            "hive_partitioning=false)"
        )

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the $parameters."""
        columns = {f"c{i}": "VARCHAR" for i in range(len(self.names))}
        return {"separator": self.separator, "skip": self.header_line - 1, "columns": columns}

    @property
    def notations(self) -> tuple[Notation, ...]:
        """The ways in which numbers may be written here; the first that fits is taken."""
        return self.form.notations(self.separator)

    @property
    def number_forms(self) -> tuple[tuple[str, Notation], ...]:
        """The ways to read a number: in the first notation (fastest), with gaps, in others.

        A file that mixes notations is refused.
        """
        is_missing = is_missing_sql(NUMBER, self.as_text)
        numbers = [(one.number_sql(self.as_text), one) for one in self.notations]
        filled = [(f"CASE WHEN {is_missing} THEN NULL ELSE {n} END", one) for n, one in numbers]
        return (numbers[0], *filled)

    def ways_to_read(self, connection: Any, word: str, decimals: str = ".,") -> Words:
        """Return a hint that names the options by which a word would be a number."""
        ways: dict[tuple[Option, ...], float] = {}
        for notation in (one for one in _NOTATIONS if one.decimal in decimals):
            plain, grouped = (
                f"TRY_CAST({one.number_sql('$word')} AS DOUBLE)"
                for one in (replace(notation, thousands=""), notation)
            )
            query = f"SELECT {plain}, {grouped}"
            (number, value) = connection.sql(query, params={"word": word}).fetchall()[0]
            if value is None or (notation.thousands and number is not None):
                continue  # a thousands separator says no more if there is none
            form = TextFormat(
                decimal="," if notation.decimal == "," and "," in word else None,
                thousands=notation.thousands or None,
            )
            ways[form.given] = value
        if not ways and decimals == ".":
            return "write all numbers of a file in one way."
        if not ways:
            return super(SeparatedText, self).ways_to_read(connection, word)
        worded: list[Words] = []
        for options, value in ways.items():
            signs = [part for option in options for part in (" ", option)]
            worded += [", or with" if worded else "it is read with", *signs, f" as {value:.15g}"]
        return (*worded, ".")

    def is_written(self, connection: Any, name: Name) -> bool:  # noqa: ARG002
        """Return True: any value may be a number, in quotes or not."""
        return True

    def line_of(self, row: int) -> int:
        """Return the line on which a row begins, also after values that contain line breaks."""
        is_narrow = len(self.names) == 1  # then a blank line is a missing value
        with _open_text(self.path, self.encoding) as file:
            records = _records(file, self.separator)
            filled = (line for line, record in records if record or is_narrow)
            return next(islice(filled, row + 1, None))

    def fault(self) -> FileError | None:
        """Look for the line that cannot be read."""
        if self.copy is None and _has_unlike_endings(self.path):
            return UnlikeEndingsError(
                "has lines with different endings.",
                "end all lines with \\n, or all with \\r\\n.",
                file=str(self.path),
            )
        return _broken_line(self.path, self.encoding, self.separator, len(self.names))

    def refuse_missing(self, wanted: Iterable[Name]) -> None:
        """Raise if a wanted column is not there; perhaps because there is no header at all."""
        hint = "the first line looks like data; put the columns' names above it."
        try:
            [float(name.replace(",", ".")) for name in self.names]
        except ValueError:
            hint = ""
        refuse_missing(wanted, self.names, self.file, hint)


class UnlikeEndingsError(FileError):
    """A file whose lines have different endings; DuckDB does not read it, but reads a copy."""


def _open_text(path: Path, encoding: str, head: bytes = b"") -> io.TextIOWrapper:
    """Open the file as text; if its first bytes are known, only what comes after them is read."""
    raw = io.BufferedReader(_Resumed(path, head)) if head else open_bytes(path)
    return io.TextIOWrapper(raw, encoding=encoding, newline="")


class _Resumed(io.RawIOBase):
    """A file whose first bytes are known; it is opened when more of them are asked for."""

    def __init__(self, path: Path, head: bytes) -> None:
        self._path, self._head, self._place = path, head, 0
        self._file: Any = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._place < len(self._head):
            found = self._head[self._place : self._place + len(buffer)]
            self._place += len(found)
        else:
            if self._file is None:
                self._file = open_bytes(self._path)
                self._file.seek(len(self._head))
            found = self._file.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        super().close()


def _records(
    lines: Iterable[str], separator: str, *, strict: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the line that it begins on; a blank line is an empty record."""
    # for the whole process, so it is only ever raised: values may be as long as DuckDB's lines
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_LINE))
    reader = csv.reader(lines, delimiter=separator, strict=strict)
    line = 1
    for record in reader:
        yield line, record
        line = reader.line_num + 1


def _has_unlike_endings(path: Path) -> bool:
    """Whether lines have different endings: line feeds, carriage returns, or both."""
    pairs = feeds = returns = 0
    last = b""
    try:
        with open_bytes(path) as file:
            while chunk := last + file.read(_CHARACTERS_COPIED):
                last = b"\r" if chunk.endswith(b"\r") and len(chunk) > 1 else b""
                chunk = chunk.removesuffix(last)
                pair = chunk.count(b"\r\n")
                pairs += pair
                feeds += chunk.count(b"\n") - pair
                returns += chunk.count(b"\r") - pair
    except READ_ERRORS:
        return False
    return sum(map(bool, (pairs, feeds, returns))) > 1


def _broken_line(
    path: Path, encoding: str, separator: str = ",", width: int = 0
) -> FileError | None:
    """Return the error for the first line that cannot be read; slow, for files that have one.

    Before the header is known (width 0), only what is no separated text at all is looked for.
    """
    line = 0
    try:
        with _open_text(path, encoding) as file:
            for line, record in _records(file, separator, strict=width > 0):
                ends_in_separator = len(record) == width + 1 and not record[-1]  # does no harm
                if width and record and len(record) != width and not ends_in_separator:
                    values = f"{len(record)} value" + ("s" if len(record) != 1 else "")
                    return FileError(
                        f"has {values}, but the header has {width} columns.",
                        (
                            f"correct the line; a value that contains {separator!r} needs quotes",
                            " around it. If another character separates values, name it with ",
                            Option("separator"),
                            ".",
                        ),
                        file=str(path),
                        line=line,
                    )
            return _long_line(path, encoding)
    except UnicodeError:
        return _wrongly_encoded(path, encoding)
    except csv.Error as error:
        return _long_line(path, encoding) or FileError(
            (
                f"The lines after line {line} of ",
                File(str(path)),
                f" cannot be split into values: {error}.",
            ),
            "look for a quote that is not closed; a quote inside a value is written twice.",
        )
    except READ_ERRORS as error:
        return unreadable(path, error)


def _long_line(path: Path, encoding: str) -> FileError | None:
    """Return the error for the first line that is longer than DuckDB reads."""
    with _open_text(path, encoding) as file:
        for line, text in enumerate(file, start=1):
            if len(text) * 4 > _LONGEST_LINE and len(text.encode()) > _LONGEST_LINE:
                return FileError(
                    f"is longer than {_LONGEST_LINE:,} bytes.",
                    "leave long values out of the file.",
                    file=str(path),
                    line=line,
                )
    return None


def _wrongly_encoded(path: Path, encoding: str) -> FileError:
    """Return the error for a file that is not text in an encoding."""
    if encoding != UTF8:
        return FileError(
            f"is not {encoding} text.",
            ("name its encoding with ", Option("encoding"), ", or leave that out for UTF-8."),
            file=str(path),
        )
    with open_bytes(path) as raw:
        line = next(
            number
            for number, content in enumerate(raw, start=1)
            if content.decode("utf-8", "ignore").encode() != content
        )
    return FileError(
        "is not UTF-8 text.",
        (
            "name its encoding, as in ",
            Option("encoding", "cp1252"),
            ", or save it as UTF-8, for instance with: iconv -f latin1 -t utf-8",
        ),
        file=str(path),
        line=line,
    )


# -- JSON lines ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class JsonLines(Text):
    """A file of JSON lines; $k0, $k1, … are the pointers of its columns (RFC 6901)."""

    as_text: ClassVar[str] = "json_extract_string(json, $k{0})"
    as_number: ClassVar[str] = "json_extract(json, $k{0})"

    @classmethod
    def from_path(
        cls,
        path: Path,
        head: bytes,  # noqa: ARG003
        connection: Callable[[], Any],
        form: Any,  # noqa: ARG003
    ) -> Self:
        """Collect the keys of all lines: those of the first in their order, then the others."""
        nameless, opened = cls(path, ()), connection()
        first = nameless.fetch(opened, ["json_keys(json)"], tail="LIMIT 1")[0].tolist()
        selected = ["json_type(json)", "json_keys(json)"]
        kinds, keys = nameless.fetch(opened, selected, tail="GROUP BY ALL")
        if set(kinds.tolist()) - {"OBJECT"}:
            raise nameless.explained("a line is not an object")
        distinct = sorted(keys.tolist())
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
        found = self.fetch(connection, [kind], tail="GROUP BY ALL")[0].tolist()
        kinds = sorted(set(found) - {None, "NULL"})
        if "OBJECT" in kinds or "ARRAY" in kinds or (len(kinds) > 1 and "VARCHAR" in kinds):
            raise ColumnError(
                f"mixes values of different types: {', '.join(kinds)}.",
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
                    except (ValueError, RecursionError):  # as of 100,000 brackets
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
