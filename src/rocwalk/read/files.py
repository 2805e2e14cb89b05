"""Files, read through DuckDB: CSV, TSV and other separated text, Parquet, JSON lines.

The ending of a file's name tells its format, with or without ``.gz`` or ``.zst`` for text; other
endings are refused, because a guess that goes wrong gives numbers that look right. A folder stands
for the files in it. Folders called ``name=value`` on the way to a Parquet file are columns of it.

Separated text needs a header. The separator is found from the first lines (``,`` ``;`` tab or
``|``). All values are read as text and then converted, so the outcome does not depend on which rows
come first:

* a "number" column (scores, weights) must be numbers throughout. Where the separator is not a
  comma, numbers may be written with a decimal comma, but then all those of the file must be;
* a "label" or "group" column becomes numbers or booleans if all its values are, else text. Codes
  such as 007 stay text;
* a "text" column (identifiers) stays text, whatever it looks like;
* an empty value is missing in any column; NA, N/A, #N/A, NULL and null are missing in numbers and
  labels (a group may be called NA), None in numbers too.

`rocwalk.read.sources` finds files and knows Parquet, `text` knows separated text and JSON lines,
`copies` makes text of what DuckDB does not read itself, `numerals` says which text stands for
numbers, and `relations` reads what is larger than memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import ColumnError, File, FileError, OptionError
from rocwalk.read.copies import SHEETS, copy_called, sheet_as_text, unpacked
from rocwalk.read.frames import NUMBER, Name, Opened, Table, objects, refuse_duplicates
from rocwalk.read.labels import EXACT_INTEGERS, missing_labels
from rocwalk.read.numerals import AskWords, interpret
from rocwalk.read.sources import (
    Answer,
    ParquetFile,
    Piece,
    Source,
    State,
    columns_of,
    connect,
    ending,
    family,
    find_below,
    packing,
    refuse_unreadable,
    state_of,
    unlike_types,
    watched,
)
from rocwalk.read.text import (
    FOUND,
    SEPARATORS,
    UTF8,
    JsonLines,
    SeparatedText,
    Text,
    TextFormat,
    UnlikeEndingsError,
    kinds_of_inexact_integers,
    shared_notations,
)
from rocwalk.typing import AnyArray
from rocwalk.writing import temporary_folder

_FORMATS: dict[str, type[Source]] = {
    **dict.fromkeys(SEPARATORS, SeparatedText),
    ".parquet": ParquetFile,
    ".pq": ParquetFile,
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
    **dict.fromkeys(SHEETS, SeparatedText),  # by way of a copy
}
ENDINGS = tuple(_FORMATS)


class Files(tuple[Path, ...], Opened):
    """The paths of files that are open: their columns are known, and one connection reads them.

    Pass it on wherever paths are read, so that no file is inspected twice. `states` are those of
    the files before the first byte was read: DuckDB reads a file several times, and all that is
    read of it must be of one version.
    """

    stays = False
    sources: tuple[Source, ...]
    states: tuple[State, ...]
    stack: ExitStack  # closes the connection, and removes copies
    _connection: Any = None
    _folder: Path | None = None

    def connection(self) -> Any:
        """Return the connection to DuckDB, made when it is first needed."""
        if self._connection is None:
            self._connection = connect()
            self.stack.callback(self._connection.close)
        return self._connection

    def read(self, work: Callable[[tuple[Source, ...]], Answer]) -> Answer:
        """Return what the work makes of the sources, of which some may have to be copied first.

        A copy is in UTF-8 and has one kind of line ending; DuckDB reads nothing else.
        """
        for source in self.sources:
            if isinstance(source, SeparatedText) and source.encoding != UTF8 and not source.copy:
                self._copy(source)
        while True:
            try:
                return work(self.sources)
            except UnlikeEndingsError as error:
                named = [one for one in self.sources if one.file == error.fields.file]
                for source in named:
                    if isinstance(source, SeparatedText):
                        self._copy(source)

    def _copy(self, source: SeparatedText) -> None:
        copy = source.copied(self.folder)
        self.sources = tuple(copy if one is source else one for one in self.sources)

    def refuse_changed(self) -> None:
        """Raise if a file has changed since it was opened."""
        for path, state in zip(self, self.states, strict=True):
            if state_of(path) != state:
                raise FileError(
                    "was changed or replaced while it was read.",
                    "read it again when no program writes to it.",
                    file=str(path),
                )

    @property
    def folder(self) -> Path:
        """The folder of temporary copies, made when it is first needed."""
        if self._folder is None:
            self._folder = self.stack.enter_context(temporary_folder())
        return self._folder

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns, which all files have."""
        return self.sources[0].names

    @property
    def origin(self) -> File:  # type: ignore[override]
        """The files in messages."""
        first, *others = (one.file.name for one in self.sources)
        return File(first, tuple(others))

    def refuse_missing(self, wanted: Iterable[Name]) -> None:
        """Raise if a wanted column is not in every file."""
        names = list(wanted)
        for source in self.sources:
            source.refuse_missing(names)

    @property
    def batch_name(self) -> str:
        """The names of the files, without their folders."""
        return ", ".join(Path(File(str(path)).name).name for path in self)

    def table(self, roles: Mapping[Name, str]) -> Table:
        """Read columns; rows follow in the order of the sorted files."""
        table = self.read(lambda sources: _table(sources, roles, self.connection()))
        self.refuse_changed()
        return table

    def is_large(self, roles: Mapping[Name, str], memory_limit: str | None) -> bool:
        """Whether the files are too large to be read into memory."""
        from rocwalk.read.relations import fits_memory

        return not fits_memory(self, len(roles), memory_limit)

    def lazily(self, roles: Mapping[Name, str], memory_limit: str | None, progress: Any) -> Any:
        """Give the files as one lazy table of DuckDB."""
        from rocwalk.read.relations import open_relation

        return open_relation(self, roles, memory_limit, progress)

    def digests(self) -> tuple[tuple[str, str], ...]:
        """Return the name and the SHA-256 of every file, of the same bytes that were read."""
        found = [(File(str(path)).name, digest_of_file(path)) for path in self]
        self.refuse_changed()
        return tuple(found)


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def open_paths(data: Any, form: TextFormat = FOUND, sheet: str | None = None) -> Iterator[Files]:
    """Open local files; refuse those that do not go together. `sheet` is that of a workbook."""
    found_below = find_below(data, ENDINGS)
    files = Files(found_below)
    files.states = tuple(map(state_of, files))
    with ExitStack() as files.stack:
        sources: list[Source] = []
        for path in files:
            head, found = refuse_unreadable(path), _FORMATS.get(ending(path))
            if found is None or (packing(path) and not issubclass(found, Text)):
                raise FileError(
                    ("The ending of ", File(str(path)), " is not one that rocwalk reads."),
                    f"known endings are {' '.join(_FORMATS)}; text and JSON lines also with .gz "
                    "and .zst, and databases .duckdb, .db and .sqlite.",
                )
            is_sheet = ending(path) in SHEETS
            if form.given and (is_sheet or found is not SeparatedText):
                raise OptionError(
                    (form.given[0], " is for separated text, which ", File(str(path)), " is not."),
                    "leave it out.",
                )
            if sheet is not None and not is_sheet:
                raise OptionError(
                    ("is for databases and workbooks, and ", File(str(path)), " is neither."),
                    "leave it out.",
                    option="table",
                    value=sheet,
                )
            local = path
            if is_sheet or packing(path) == "zstd":
                local = (
                    sheet_as_text(path, files.folder, sheet)
                    if is_sheet
                    else unpacked(path, files.folder)
                )
                files.stack.enter_context(copy_called(local, File(str(path)).name))
                head = refuse_unreadable(local)
            one = found.from_path(local, head, files.connection, form)
            below = found_below[path]
            sources.append(one.below(below) if isinstance(one, ParquetFile) else one)
        known = dict.fromkeys(sources[0].names)
        for source in sources:
            refuse_duplicates(filter(None, source.names), source.file)
            own = dict.fromkeys(source.names)
            lost = [f"{name!r} is missing" for name in known if name not in own]
            new = [f"{name!r} is new" for name in own if name not in known]
            if lost or new:
                raise ColumnError(
                    (
                        "The columns of ",
                        source.file,
                        " are not those of ",
                        sources[0].file,
                        f": {', '.join(lost + new)}.",
                    ),
                    "files that are read together need the same columns, in any order.",
                )
        files.sources = tuple(sources)
        yield files


def _table(sources: Sequence[Source], roles: Mapping[Name, str], connection: Any) -> Table:
    found = [source.pieces(connection, roles) for source in sources]
    columns = {}
    for name, role in roles.items():
        pieces = [one[name] for one in found]
        if role == NUMBER:
            pieces = _exact(pieces, name, connection)
        columns[name] = _joined(pieces, name, role, asking_words(connection))
    counts = [max((len(piece.values) for piece in one.values()), default=0) for one in found]
    parts = tuple(source.part(count) for source, count in zip(sources, counts, strict=True))
    first, *others = (source.file.name for source in sources)
    return Table(columns, File(first, tuple(others)), parts)


def asking_words(connection: Any) -> AskWords:
    """Return the function that answers SQL about words, in the table ``words``."""

    def ask(words: Sequence[str], query: str) -> list[AnyArray]:
        connection.register("words", {"word": objects(words)})
        try:
            return watched(connection, lambda: columns_of(connection.sql(query)))
        finally:
            connection.unregister("words")

    return ask


def _exact(pieces: Sequence[Piece], name: Name, connection: Any) -> list[Piece]:
    """Return a number column of text files as integers where floats would make some equal."""
    exact, sources = list(pieces), [one.source for one in pieces if isinstance(one.source, Text)]
    written = [one.values for one in pieces if isinstance(one.source, Text)]
    if not any((np.abs(values) >= EXACT_INTEGERS).any() for values in written):
        return exact
    kinds = kinds_of_inexact_integers(sources, name, lambda one, sql: one.ask(connection, sql))
    for source, kind in zip(sources, kinds or (), strict=kinds is not None):
        integers = kind.value_sql(source.column(source.as_text, name))
        place = [piece.source for piece in pieces].index(source)
        exact[place] = Piece(source, source.fetch(connection, [integers])[0], kind.sql)
    return exact


def _joined(pieces: Sequence[Piece], name: Name, role: str, ask: AskWords) -> AnyArray:
    """Put a column's pieces together; text becomes numbers only if it does so in all files."""
    if all(piece.is_written for piece in pieces):
        texts = np.concatenate([piece.values for piece in pieces])
        return interpret(texts, role, ask, shared_notations([one.source for one in pieces]))[0]
    columns: list[AnyArray] = []
    kinds: list[tuple[str, Source]] = []
    for piece in pieces:
        column, kind = piece.values, piece.kind
        if piece.is_written:
            column, kind = interpret(column, role, ask, piece.source.notations)
        if missing_labels(column).all():
            column = objects([None] * len(column))  # nothing is there, so any type will do
        else:
            kinds.append((kind, piece.source))
        columns.append(column)
    other = next((one for one in kinds if family(one[0]) != family(kinds[0][0])), None)
    if other is not None:
        raise unlike_types(name, kinds[0], other)
    types = {column.dtype.kind for column in columns}
    if types > {"f"}:
        columns = [column.astype(np.float64) for column in columns]  # None becomes NaN
    elif "O" in types or types > {"u"}:  # NumPy would make floats of signed and unsigned integers
        columns = [column.astype(object) for column in columns]
    return np.concatenate(columns)
