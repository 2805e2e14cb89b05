"""Sources: the files that a path or a pattern names, and how a file of a format is read by DuckDB.

A `Source` is one file whose columns are known. Its subclasses know the formats: `ParquetFile` here,
separated text and JSON lines in `rocwalk.read.text`.
"""

from __future__ import annotations

import glob
import gzip
import io
import os
import re
import stat
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self, TypeVar

import numpy as np

from rocwalk.errors import Argument, ColumnError, File, FileError, in_this_context, nearest
from rocwalk.read.frames import Name, Part, column_to_numpy, objects, refuse_missing, with_gaps
from rocwalk.read.numerals import POINT, Notation
from rocwalk.typing import AnyArray

Answer = TypeVar("Answer")

READ_ERRORS = (OSError, EOFError, zlib.error)


# -- paths -----------------------------------------------------------------------------------------


def find_files(data: Any) -> list[Path]:
    """Return the files that a path, a pattern, or a list of them names, sorted."""
    found: list[Path] = []
    for given in data if isinstance(data, list | tuple) else [data]:
        text = os.path.expanduser(os.fsdecode(given))  # noqa: PTH111
        if "\0" in text:
            raise FileError(
                ("There is no file ", File(text), "."), "a name cannot contain a zero byte."
            )
        # A file that exists is meant itself, even if it is called data[1].csv.
        if os.path.exists(text) or not any(sign in text for sign in "*?["):  # noqa: PTH110
            found.append(Path(text))
            continue
        matches = [path for path in map(Path, glob.glob(text, recursive=True)) if path.is_file()]  # noqa: PTH207
        if not matches:
            raise FileError(
                ("No file matches ", File(text), "."), "check the folder and the pattern."
            )
        found += matches
    seen: set[str] = set()
    for path in sorted(found):
        real = os.path.realpath(path)
        if real in seen:
            raise FileError(
                ("The file ", File(str(path)), " is named twice."),
                "name each file once, else its rows would count double.",
            )
        seen.add(real)
    return sorted(found)


def ending(path: Path) -> str:
    """Return the ending that tells the format, in lower case.

    >>> ending(Path("scores.CSV.gz"))
    '.csv'
    """
    return Path(path.name.lower().removesuffix(".gz")).suffix


def is_packed(path: Path) -> bool:
    """Whether the file is compressed with gzip, by its name."""
    return path.name.lower().endswith(".gz")


def open_bytes(path: Path) -> gzip.GzipFile | io.BufferedReader:
    """Open the file for reading, unpacked if it is packed."""
    return gzip.open(path) if is_packed(path) else path.open("rb")


State = tuple[int, ...]


def state_of(path: Path) -> State:
    """Return what tells one version of a file from another: device, number, size, time of change.

    A file that cannot be looked at has none; what is wrong with it is found when it is opened.
    """
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


_BYTES_PEEKED = 65_536  # enough to tell whether a file is text


def refuse_unreadable(path: Path) -> bytes:
    """Return the first bytes of a file, or raise unless it has some that may be read."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise FileError(
                "is a folder, not a file.",
                f"name a file in it, or a pattern such as {str(path / '*.csv')!r}.",
                file=str(path),
            )
        if not stat.S_ISREG(status.st_mode):  # opening a pipe would wait for ever
            hint = "write the data to a file."
            raise FileError("is a pipe or a device, not a file.", hint, file=str(path))
        head = b""
        if status.st_size:
            with open_bytes(path) as file:
                head = file.read(_BYTES_PEEKED)
    except (FileNotFoundError, NotADirectoryError):
        try:
            others = sorted(other.name for other in path.parent.iterdir())
            hint = nearest(path.name, others) if others else "the folder is empty."
        except OSError:
            hint = "check the name of the folder."
        raise FileError(("There is no file ", File(str(path)), "."), hint) from None
    except READ_ERRORS as error:
        raise unreadable(path, error) from None
    if not head:
        hint = "check that writing it was finished."
        raise FileError(("The file ", File(str(path)), " is empty."), hint)
    return head


def unreadable(path: Path, error: Exception) -> FileError:
    """Return the error for a file that is there but could not be read."""
    if isinstance(error, PermissionError):
        return FileError(
            ("The file ", File(str(path)), " may not be read: permission denied."),
            "ask its owner for the right to read it.",
        )
    if isinstance(error, gzip.BadGzipFile | EOFError | zlib.error):
        return FileError(
            ("The file ", File(str(path)), " is not gzip, or was cut short."),
            "copy or compress it again; a name ends in .gz only if the file is compressed.",
        )
    words = getattr(error, "strerror", None) or error
    what = "The file ", File(str(path)), f" cannot be read: {words}."
    return FileError(what, "check the file.")


# -- DuckDB ----------------------------------------------------------------------------------------


def connect(
    database: str = ":memory:",
    *,
    read_only: bool = False,
    memory_limit: str | None = None,
    folder: str = "",
) -> Any:
    """Return a connection to DuckDB that fetches nothing from the network and leaves no files.

    What does not fit into the memory goes into files in `folder`, if there is one. The database is
    one in memory, or that of a file.
    """
    import duckdb

    config = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": folder,
    }
    if memory_limit is not None:
        config["memory_limit"] = memory_limit
    connection = duckdb.connect(database, read_only=read_only, config=config)
    # progress can be asked for, but is not printed
    with interruptible():
        connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    return connection


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt at Ctrl-C, of which DuckDB makes a RuntimeError."""
    try:
        yield
    except RuntimeError as error:
        if "Query interrupted" in str(error):
            raise KeyboardInterrupt from None
        raise


def columns_of(relation: Any) -> list[AnyArray]:
    """Return the columns of a relation as `column_to_numpy` does: NumPy arrays with NaN or None."""
    kinds = [str(kind) for kind in relation.types]
    if not kinds:
        return []
    listed = ", ".join(f"{_castable(kind, f'#{i + 1}')} AS c{i}" for i, kind in enumerate(kinds))
    found = relation.project(listed).fetchnumpy()
    return [_as_column(found[f"c{i}"], kind) for i, kind in enumerate(kinds)]


def _castable(kind: str, column: str) -> str:
    """Return the SQL of a column in a type that NumPy has, or that nothing is lost in."""
    if kind.startswith("DECIMAL"):  # the nearest floats, as of text
        return f"CAST(CAST({column} AS VARCHAR) AS DOUBLE)"
    if kind.startswith(("HUGEINT", "UHUGEINT", "ENUM")):
        return f"CAST({column} AS VARCHAR)"
    return column


def _as_column(values: AnyArray, kind: str) -> AnyArray:
    if kind == "DATE":
        values = values.astype("datetime64[D]")
    gaps = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    if gaps is None and values.dtype.kind != "O":
        return values
    if gaps is not None and values.dtype.kind != "O":
        if kind == "TIMESTAMP_NS":  # of which NumPy makes integers among objects
            values = values.astype("datetime64[us]")
        return with_gaps(np.ma.getdata(values), gaps)
    listed = values.tolist()  # gaps are None
    if kind in ("HUGEINT", "UHUGEINT"):
        return column_to_numpy([None if one is None else int(one) for one in listed], "")
    if kind == "BLOB":
        listed = [None if one is None else bytes(one) for one in listed]
    if kind.endswith("]"):
        listed = [None if one is None else one.tolist() for one in listed]
    return objects(listed)


# a full disk, quota or limit; nothing is written but temporary files
_SIGNS_OF_NO_ROOM = ("No space left", "Could not write", "Disk quota", "File too large")


def refuse_no_room(error: Exception) -> None:
    """Raise if an error of DuckDB says that memory or disk do not suffice, whatever the file is."""
    import duckdb

    words, is_full = str(error), isinstance(error, duckdb.OutOfMemoryException)
    if is_full or any(sign in words for sign in _SIGNS_OF_NO_ROOM):
        first = words.splitlines()[0].rstrip(". ")
        raise FileError(
            f"There is not enough memory or disk for temporary files: {first}.",
            ("raise ", Argument("memory_limit"), ", or let TMPDIR name a larger disk."),
        ) from None


_POLL_SECONDS = 0.05


def watched(
    connection: Any, work: Callable[[], Answer], tell: Callable[[], None] | None = None
) -> Answer:
    """Return what work with a connection gives, done in a thread; stop it at Ctrl-C.

    DuckDB itself looks for Ctrl-C in some phases of a query only. `tell` is called now and then.
    """
    answers: list[Answer] = []
    failures: list[BaseException] = []
    ended = threading.Event()  # until Python 3.13, Ctrl-C makes join() take a thread for ended
    stopped = threading.Event()  # perhaps while the thread was started, and nobody waits for it

    def attempt() -> None:
        try:
            if not stopped.is_set():
                answers.append(work())
        except BaseException as error:  # noqa: BLE001  # raised again below, in the first thread
            failures.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=in_this_context(attempt))
    try:
        thread.start()
        while not ended.wait(_POLL_SECONDS):
            if tell is not None:
                tell()
    except BaseException:
        stopped.set()
        # end the query and wait for that: closing a connection at work ends in a crash
        while thread.ident is not None and not ended.is_set():
            with suppress(KeyboardInterrupt):  # a second one does not make it quicker
                connection.interrupt()
                ended.wait(_POLL_SECONDS)
        raise
    if failures:
        raise failures[0]
    return answers[0]


# -- a source --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Source(ABC):
    """One file of a format that its subclass knows."""

    path: Path
    names: tuple[str, ...]

    @classmethod
    @abstractmethod
    def from_path(cls, path: Path, head: bytes, connection: Callable[[], Any], form: Any) -> Self:
        """Find the names of the columns; `head` are the first bytes of the file."""

    @property
    @abstractmethod
    def scan(self) -> str:
        """The SQL that stands after FROM, with $parameters in it."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of the $parameters, other than $path and $compression, which all have."""
        return {}

    @abstractmethod
    def pieces(self, connection: Any, roles: Mapping[Name, str]) -> dict[Name, Piece]:
        """Read the columns."""

    @abstractmethod
    def fault(self) -> FileError | None:
        """Look for what is wrong with a file that DuckDB could not read; this may be slow."""

    @property
    def file(self) -> File:
        """The file in messages."""
        return File(str(self.path))

    @property
    def read_path(self) -> Path:
        """The file that DuckDB reads: this one, or a copy of it."""
        return self.path

    @property
    def notations(self) -> tuple[Notation, ...]:
        """The ways in which numbers may be written here; the first that fits is taken."""
        return (POINT,)

    def column(self, template: str, name: Name) -> str:
        """Return the SQL for a column: a template with {0} for the column's position."""
        return template.replace("{0}", str(self.names.index(str(name))))

    def part(self, rows: int) -> Part:
        """Return the rows of this file as a part of a table."""
        return Part(str(self.path), rows)

    def refuse_missing(self, wanted: Iterable[Name]) -> None:
        """Raise if a wanted column is not there."""
        refuse_missing(wanted, self.names, self.file)

    def fetch(
        self, connection: Any, selected: Sequence[str], *, scan: str = "", tail: str = ""
    ) -> list[AnyArray]:
        """Return SQL expressions as columns; a given `scan` replaces that of the source."""
        if not selected:
            return []
        listed = ", ".join(f"{one} AS v{i}" for i, one in enumerate(selected))
        return self.ask(connection, f"SELECT {listed} FROM {scan or self.scan} {tail}")

    def ask(self, connection: Any, query: str) -> list[AnyArray]:
        """Return the columns of SQL.

        Values that do not convert raise DuckDB's ConversionException, for the caller to handle.
        """
        import duckdb

        try:
            given = self.parameters_in(query)
            return watched(connection, lambda: columns_of(connection.sql(query, params=given)))
        except duckdb.ConversionException:
            raise
        except duckdb.Error as error:
            refuse_no_room(error)
            raise self.explained(str(error)) from None

    def parameters_in(self, query: str) -> dict[str, Any]:
        """Return the parameters that the query names; DuckDB refuses to be given others."""
        # A full path is no address on the network, and an escaped one no pattern.
        path = glob.escape(str(self.read_path.absolute()))
        compression = "gzip" if is_packed(self.read_path) else "none"
        known = {"path": path, "compression": compression, **self.parameters}
        return {name: known[name] for name in re.findall(r"\$(\w+)", query)}

    def explained(self, words: str) -> FileError:
        """Return the error for a file that DuckDB could not read.

        DuckDB's own words are about its options, so they are the last resort.
        """
        first = words.splitlines()[0].rstrip(". ")
        return self.fault() or unreadable(self.path, ValueError(first))


@dataclass(frozen=True, slots=True)
class Piece:
    """A column of one file, and its type in DuckDB.

    `is_written`: its values are text that may stand for numbers.
    """

    source: Source
    values: AnyArray
    kind: str
    is_written: bool = False


def family(kind: str) -> str:
    """Return what kind of values a type of DuckDB holds, so that files may differ in precision."""
    numbers = ("INT", "FLOAT", "DOUBLE", "DECIMAL")
    return "numbers" if any(word in kind for word in numbers) else kind


def unlike_types(name: Name, one: tuple[str, Source], other: tuple[str, Source]) -> ColumnError:
    """Return the error for a column whose type is not the same in two files."""
    return ColumnError(
        (f"is of type {one[0]} in ", one[1].file, f", but {other[0]} in ", other[1].file, "."),
        "write the files with one type for each column.",
        column=name,
    )


@dataclass(frozen=True, slots=True)
class ParquetFile(Source):
    """A Parquet file."""

    @classmethod
    def from_path(
        cls,
        path: Path,
        head: bytes,  # noqa: ARG003
        connection: Callable[[], Any],
        form: Any,  # noqa: ARG003
    ) -> Self:
        """Take the names from the schema, where none of them is changed."""
        nameless = cls(path, ())
        selected = ["name", "num_children"]
        fetched = nameless.fetch(connection(), selected, scan="parquet_schema($path)")
        nodes = zip(*(column.tolist() for column in fetched), strict=True)
        next(nodes)  # the root
        names, nested = [], 0  # so many of the next nodes are parts of a column
        for name, children in nodes:
            if nested:
                nested -= 1
            else:
                names.append(name)
            nested += children or 0
        return replace(nameless, names=tuple(names))

    @property
    def scan(self) -> str:
        """The SQL that stands after FROM."""
        columns = ", ".join(f"c{i}" for i in range(len(self.names)))
        return f"read_parquet($path, hive_partitioning=false) AS t({columns})"

    def pieces(self, connection: Any, roles: Mapping[Name, str]) -> dict[Name, Piece]:
        """Read the columns; their types are those of the file, whatever they are for."""
        fetched = self.fetch(connection, [self.column("c{0}", name) for name in roles])
        kinds = self.fetch(
            connection, [f"typeof({self.column('c{0}', n)})" for n in roles], tail="LIMIT 1"
        )
        return {
            name: Piece(self, values, kind[0] if len(kind) else "NULL")
            for name, values, kind in zip(roles, fetched, kinds, strict=True)
        }

    def rows(self, connection: Any) -> int:
        """Return the number of rows, from the end of the file."""
        scan = "parquet_file_metadata($path)"
        return int(self.fetch(connection, ["num_rows"], scan=scan)[0][0])

    def create_view(self, connection: Any, name: str, columns: Sequence[str]) -> None:
        """Give the file a name in SQL, with its rows numbered in the column ``row``."""
        listed = ", ".join(f"c{i}" for i in range(len(self.names)))
        path = str(self.parameters_in("$path")["path"]).replace("'", "''")
        option, row = ", file_row_number=true", "row"
        if "file_row_number" in map(str.casefold, self.names):  # DuckDB refuses a second one
            option, row = "", "row_number() OVER () - 1 AS row"
        table = f"t({listed})" if not option else f"t({listed}, row)"
        scan = f"read_parquet('{path}', hive_partitioning=false{option}) AS {table}"
        selected = ", ".join([row, *columns])
        connection.execute(f"CREATE OR REPLACE VIEW {name} AS SELECT {selected} FROM {scan}")

    def fault(self) -> FileError:
        """Return the error for a file that DuckDB could not read."""
        return FileError(
            ("The file ", self.file, " is not Parquet, or was cut short."),
            "copy or write it again.",
        )
