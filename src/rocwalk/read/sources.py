"""Sources: the files that a path or a pattern names, and how a file of a format is read by DuckDB.

A `Source` is one file whose columns are known. Its subclasses know the formats: `ParquetFile` here,
separated text and JSON lines in `rocwalk.read.text`.
"""

from __future__ import annotations

import glob
import gzip
import importlib
import os
import re
import stat
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import unquote

import numpy as np

from rocwalk.errors import Argument, ColumnError, File, FileError, in_this_context, optional
from rocwalk.read.frames import Name, Part, column_to_numpy, objects, refuse_missing, with_gaps
from rocwalk.read.lazy import Progress
from rocwalk.read.numerals import POINT, Notation
from rocwalk.read.queries import note_query
from rocwalk.texts import nearest
from rocwalk.typing import AnyArray

Answer = TypeVar("Answer")

READ_ERRORS = (OSError, EOFError, zlib.error)


# -- paths -----------------------------------------------------------------------------------------


def find_files(data: Any, endings: Sequence[str] = ()) -> list[Path]:
    """Return the files that a path, a pattern, or a list of them names, sorted.

    A folder stands for the files in it and below whose names have one of the `endings`; those that
    begin with a dot or an underscore are not data.
    """
    return list(find_below(data, endings))


def find_below(data: Any, endings: Sequence[str] = ()) -> dict[Path, Path]:
    """Return the files that are named, sorted, and for each of them the folder below which it is.

    That is the folder that was named, the one before the first sign of a pattern, or the one that
    several files share.
    """
    found: list[tuple[Path, Path]] = []
    single: list[Path] = []
    for given in data if isinstance(data, list | tuple) else [data]:
        text = os.path.expanduser(os.fsdecode(given))  # noqa: PTH111
        if "\0" in text:
            raise FileError(
                ("There is no file ", File(text), "."), "a name cannot contain a zero byte."
            )
        path = Path(text)
        # A file that exists is meant itself, even if it is called data[1].csv.
        if os.path.exists(text) or not any(sign in text for sign in "*?["):  # noqa: PTH110
            if endings and os.path.isdir(text):  # noqa: PTH112  # of any length
                found += [(one, path) for one in _files_below(path, endings)]
            else:
                single.append(path)
            continue
        matches = [path for path in map(Path, glob.glob(text, recursive=True)) if path.is_file()]  # noqa: PTH207
        if not matches:
            raise FileError(
                ("No file matches ", File(text), "."), "check the folder and the pattern."
            )
        plain = takewhile(lambda part: not any(sign in part for sign in "*?["), path.parts)
        base = Path(*plain)
        found += [(one, base) for one in matches]
    if single:
        folders = [one.parent for one in single]
        is_mixed = len({one.is_absolute() for one in folders}) > 1
        shared = folders[0] if is_mixed else Path(os.path.commonpath(folders))
        found += [(one, one.parent if is_mixed else shared) for one in single]
    seen: set[str] = set()
    for path, _ in sorted(found):
        real = os.path.realpath(path)
        if real in seen:
            raise FileError(
                ("The file ", File(str(path)), " is named twice."),
                "name each file once, else its rows would count double.",
            )
        seen.add(real)
    return dict(sorted(found))


def _files_below(folder: Path, endings: Sequence[str]) -> list[Path]:
    """Return the files of a folder, and of the folders in it, that are data."""
    try:
        files = [path for path in folder.rglob("*") if path.is_file()]
    except OSError as error:
        raise unreadable(folder, error) from None
    inner = [path.relative_to(folder).parts for path in files]
    data = [
        path
        for path, parts in zip(files, inner, strict=True)
        if not any(part.startswith((".", "_")) for part in parts) and ending(path) in endings
    ]
    if not data:
        raise FileError(
            ("The folder ", File(str(folder)), " holds no file that rocwalk reads."),
            f"known endings are {' '.join(endings)}.",
        )
    return data


_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"  # as Hive and Spark write it


def partitions_of(path: Path) -> dict[str, str | None]:
    """Return the columns that the folders of a file stand for, as Hive and Spark name them.

    >>> partitions_of(Path("lake/year=2024/site=a%20b/part-0.parquet"))
    {'year': '2024', 'site': 'a b'}
    """
    pairs = [part.partition("=") for part in path.parts[:-1]]
    known = {unquote(name): unquote(value) for name, sign, value in pairs if name and sign}
    return {name: None if value == _NO_VALUE else value for name, value in known.items()}


_PACKED = {".gz": "gzip", ".zst": "zstd"}


def ending(path: Path) -> str:
    """Return the ending that tells the format, in lower case.

    >>> ending(Path("scores.CSV.gz")), ending(Path("scores.tsv.zst"))
    ('.csv', '.tsv')
    """
    name = path.name.lower()
    return Path(name[: -len(Path(name).suffix)] if packing(path) else name).suffix


def packing(path: Path) -> str:
    """Return how a file is compressed, by its name: "gzip", "zstd", or "" if it is not."""
    return _PACKED.get(Path(path.name.lower()).suffix, "")


def open_bytes(path: Path) -> Any:
    """Open the file for reading, unpacked if it is packed."""
    kind = packing(path)
    if kind == "zstd":
        return zstandard().open(path)
    return gzip.open(path) if kind else path.open("rb")


def zstandard() -> Any:
    """Return the module of Zstandard: Python's own, or the same for earlier ones."""
    try:
        return importlib.import_module("compression.zstd")
    except ImportError:
        what = "A file that is compressed with Zstandard"
        return optional("backports.zstd", "zstd", what, "backports.zstd")


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
            with path.open("rb") if packing(path) == "zstd" else open_bytes(path) as file:
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
            ("The file ", File(str(path)), " cannot be read: permission denied."),
            "ask its owner for the right to read it.",
        )
    if isinstance(error, gzip.BadGzipFile | EOFError | zlib.error):
        kind, sign = ("Zstandard", ".zst") if packing(path) == "zstd" else ("gzip", ".gz")
        return FileError(
            ("The file ", File(str(path)), f" is not {kind}, or was cut short."),
            f"copy or compress it again; a name ends in {sign} only if the file is compressed.",
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


def is_in_use(error: Exception) -> bool:
    """Whether DuckDB says that a file is open in another program, or otherwise in this one."""
    import duckdb

    is_open_here = isinstance(error, duckdb.ConnectionException)
    return is_open_here or str(error).startswith("IO Error: Could not set lock on file")


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
            with suppress(KeyboardInterrupt):  # a second Ctrl-C does not end it sooner
                connection.interrupt()
                ended.wait(_POLL_SECONDS)
        raise
    if failures:
        raise failures[0]
    return answers[0]


@dataclass(frozen=True, slots=True)
class Runner:
    """A connection to DuckDB that reports its progress, and stops when the user does.

    `explain` returns the error for what DuckDB says of the data that are read by it.
    """

    connection: Any
    explain: Callable[[str], FileError]
    progress: Progress | None = None

    def collect(self, frame: Any) -> dict[str, AnyArray]:
        """Run the query of a lazy frame of narwhals."""
        relation = frame.to_native()
        note_query(relation.sql_query())
        columns = self.watched(lambda: columns_of(relation))
        return dict(zip(relation.columns, columns, strict=True))

    def fetch(self, query: str, parameters: Mapping[str, Any] | None = None) -> list[AnyArray]:
        """Return the columns of SQL."""
        given = dict(parameters or {})
        return self.watched(lambda: columns_of(self.connection.sql(query, params=given)))

    def execute(self, query: str, parameters: Mapping[str, Any] | None = None) -> None:
        """Run SQL without a result."""
        self.watched(lambda: self.connection.execute(query, dict(parameters or {})))

    def watched(self, work: Callable[[], Answer]) -> Answer:
        """Do some work in a thread, report its progress, and stop it at Ctrl-C."""
        with self.explaining():
            return watched(self.connection, work, self._tell)

    def _tell(self) -> None:
        if self.progress is not None:
            percent = self.connection.query_progress()
            if percent >= 0:
                self.progress(round(percent), 100)

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Turn errors of DuckDB into ours, but for values that do not convert."""
        import duckdb

        try:
            with interruptible():
                yield
        except duckdb.ConversionException:
            raise
        except duckdb.Error as error:
            refuse_no_room(error)
            raise self.explain(str(error)) from None


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
        return Part(self.file.name, rows)

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
        compression = packing(self.read_path) or "none"
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
    """A Parquet file, with the columns that its folders stand for after its own."""

    partitions: Mapping[str, str | None] = field(default_factory=dict)

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

    def below(self, folder: Path) -> Self:
        """Return the same with the columns that the folders below this one stand for."""
        folders = partitions_of(self.path.relative_to(folder))
        own = {name: value for name, value in folders.items() if name not in self.names}
        return replace(self, names=(*self.names, *own), partitions=own)

    @property
    def scan(self) -> str:
        """The SQL that stands after FROM."""
        return f"read_parquet($path, hive_partitioning=false) AS t({self._listed})"

    @property
    def _listed(self) -> str:
        return ", ".join(f"c{i}" for i in range(len(self.names) - len(self.partitions)))

    def column(self, template: str, name: Name) -> str:
        """Return the SQL for a column: of the file, or the text that a folder has for all rows."""
        if name not in self.partitions:
            return super(ParquetFile, self).column(template, name)
        return template.replace("c{0}", f"CAST({self.partition_sql(name)} AS VARCHAR)")

    def partition_sql(self, name: Name) -> str:
        """Return the SQL of the text of a folder, NULL if it has none."""
        value = self.partitions[str(name)]
        return "NULL" if value is None else "'{}'".format(value.replace("'", "''"))

    def pieces(self, connection: Any, roles: Mapping[Name, str]) -> dict[Name, Piece]:
        """Read the columns; their types are those of the file, whatever they are for."""
        fetched = self.fetch(connection, [self.column("c{0}", name) for name in roles])
        kinds = self.fetch(
            connection, [f"typeof({self.column('c{0}', n)})" for n in roles], tail="LIMIT 1"
        )
        return {
            name: Piece(self, values, kind[0] if len(kind) else "NULL", name in self.partitions)
            for name, values, kind in zip(roles, fetched, kinds, strict=True)
        }

    def rows(self, connection: Any) -> int:
        """Return the number of rows, from the end of the file."""
        scan = "parquet_file_metadata($path)"
        return int(self.fetch(connection, ["num_rows"], scan=scan)[0][0])

    def create_view(self, connection: Any, name: str, columns: Sequence[str]) -> None:
        """Give the file a name in SQL, with its rows numbered in the column ``row``."""
        listed = self._listed
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
