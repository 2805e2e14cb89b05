"""Tables that DuckDB groups: of DuckDB files, of datasets and streams of Arrow, of SQLite files.

DuckDB reads its own files and datasets where they are. Batches, which can perhaps be read only
once, are first copied into a table in a temporary folder, as text larger than memory is; after
that all of them are read in the same way.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import ColumnError, File, FileError
from rocwalk.read.addresses import DataSource
from rocwalk.read.files import digest_of_file
from rocwalk.read.frames import Name, Opened, Part, Table, objects, refuse_duplicates
from rocwalk.read.lazy import LazySource, Progress, bytes_of, need_of_rows
from rocwalk.read.sources import Runner, connect, is_in_use, refuse_unreadable
from rocwalk.texts import nearest, shown
from rocwalk.typing import AnyArray
from rocwalk.writing import temporary_folder

Scan = Callable[[Sequence[str]], str]  # the SQL after FROM of a table that has these columns
ROWS_A_BATCH = 50_000


def quoted(name: Name) -> str:
    """Return a name as SQL writes it."""
    return '"{}"'.format(str(name).replace('"', '""'))


@dataclass(eq=False)
class DuckTable(Opened):
    """A table that DuckDB reads.

    `scan` prepares the columns that are asked for, in a temporary table if it must. `paths` are
    the files whose bytes the table is.
    """

    origin: File | str
    runner: Runner
    names: tuple[str, ...]
    scan: Scan
    paths: tuple[Path, ...] = ()
    stays: bool = False
    version: str = ""  # which state of the table was read, if it knows its states
    _rows: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        refuse_duplicates(filter(None, self.names), self.origin)

    @property
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return self.names

    def _select(self, roles: Iterable[Name]) -> tuple[str, dict[Name, str]]:
        """Return the SQL of columns under plain names, and these names."""
        wanted = list(dict.fromkeys(roles))
        aliases = {name: f"v{place}" for place, name in enumerate(wanted)}
        listed = ", ".join(f"{quoted(name)} AS {alias}" for name, alias in aliases.items())
        return f"SELECT {listed or '1'} FROM {self.scan([str(name) for name in wanted])}", aliases

    def table(self, roles: Mapping[Name, str]) -> Table:
        """Read columns into memory, in the types that they have."""
        query, _ = self._select(roles)
        columns = dict(zip(roles, self.runner.fetch(query) if roles else [], strict=True))
        rows = len(next(iter(columns.values()), ()))
        parts = (Part(self.origin.name, rows),) if isinstance(self.origin, File) else ()
        return Table(columns, self.origin, parts)

    def is_large(self, roles: Mapping[Name, str], memory_limit: str | None) -> bool:
        """Whether the columns need more memory than the limit."""
        if self._rows is None:
            name = [str(one) for one in roles]
            answer = self.runner.fetch(f"SELECT count(*) AS n FROM {self.scan(name)}")
            self._rows = int(answer[0][0])
        return need_of_rows(self._rows, len(roles)) > bytes_of(memory_limit)

    @contextmanager
    def lazily(
        self, roles: Mapping[Name, str], memory_limit: str | None, progress: Progress | None
    ) -> Iterator[LazySource]:
        """Give the columns as a lazy table of DuckDB."""
        import narwhals.stable.v2 as nw

        runner = Runner(self.runner.connection, self.runner.explain, progress)
        runner.execute(f"SET memory_limit = '{int(bytes_of(memory_limit))}B'")
        query, aliases = self._select(roles)
        with runner.explaining():
            relation = runner.connection.sql(query)
        yield LazySource(nw.from_native(relation), aliases, runner.collect)

    def digests(self) -> tuple[tuple[str, str], ...]:
        """Return the name and the SHA-256 of every file, or the state that was read."""
        if not self.paths:
            name = self.origin.name if isinstance(self.origin, File) else self.origin
            return ((f"{name} ({self.version})" if self.version else name, ""),)
        return tuple((File(str(path)).name, digest_of_file(path)) for path in self.paths)


@contextmanager
def _runner(origin: File | str, memory_limit: str | None = None) -> Iterator[Runner]:
    """Give a connection to DuckDB with a folder for temporary files, and errors about a table."""

    def explain(words: str) -> FileError:
        first = words.splitlines()[0].rstrip(". ")
        return FileError(("The table in ", origin, f" cannot be read: {first}."), "check the data.")

    budget = int(bytes_of(memory_limit))
    with (
        temporary_folder() as folder,
        connect(memory_limit=f"{budget}B", folder=str(folder)) as connection,
    ):
        connection.execute(
            f"ATTACH '{str(folder).replace(chr(39), chr(39) * 2)}/staged.duckdb' AS staged"
        )
        yield Runner(connection, explain)


# -- Arrow -----------------------------------------------------------------------------------------


@contextmanager
def open_dataset(
    dataset: Any, origin: File | str = "the dataset", version: str = ""
) -> Iterator[DuckTable]:
    """Open a dataset of pyarrow, which DuckDB reads where it is, and only the named columns."""
    with _runner(origin) as runner:
        runner.connection.register("given", dataset)
        names = tuple(dataset.schema.names)
        yield DuckTable(origin, runner, names, lambda _: "given", version=version)


@contextmanager
def open_stream(
    stream: Any, origin: File | str = "the stream", version: str = ""
) -> Iterator[DuckTable]:
    """Open batches of Arrow, which may come only once: they are kept in a temporary table."""
    with _runner(origin) as runner:
        # DuckDB renames the second column of a name, so that a schema is asked first
        known = getattr(getattr(stream, "schema", None), "names", None)
        with runner.explaining():
            names = tuple(runner.connection.from_arrow(stream).columns if known is None else known)
        refuse_duplicates(names, origin)
        is_kept = False

        def scan(_: Sequence[str]) -> str:
            nonlocal is_kept
            if not is_kept:
                runner.connection.register("given", stream)
                runner.execute("CREATE TABLE staged.kept AS SELECT * FROM given")
                runner.connection.unregister("given")
                is_kept = True
            return "staged.kept"

        yield DuckTable(origin, runner, names, scan, version=version)


# -- DuckDB files ----------------------------------------------------------------------------------

_KNOWN_SIGNS = {"DuckDB": (8, b"DUCK"), "SQLite": (0, b"SQLite format 3\0")}


def kind_of_database(path: Path) -> str:
    """Return whether a file is a database of DuckDB or of SQLite, from its first bytes."""
    head = refuse_unreadable(path)
    for kind, (place, sign) in _KNOWN_SIGNS.items():
        if head[place : place + len(sign)] == sign:
            return kind
    raise FileError(
        ("The file ", File(str(path)), " is not a database of DuckDB or SQLite, or was cut short."),
        "copy or write it again.",
    )


@contextmanager
def open_database_file(given: DataSource) -> Iterator[DuckTable]:
    """Open a table or a query of a DuckDB or SQLite file."""
    path = Path(given.address).expanduser()
    kind = kind_of_database(path)
    with (_open_duckdb if kind == "DuckDB" else _open_sqlite)(path, given) as table:
        yield table


def table_of(given: DataSource, known: Sequence[str], origin: File | str) -> str:
    """Return the table that is meant, the only one if none is named."""
    if given.table is not None:
        if given.table not in known:
            hint = nearest(given.table, known) if known else "there are no tables at all."
            raise FileError((f"There is no table {given.table!r} in ", origin, "."), hint)
        return given.table
    if len(known) == 1:
        return known[0]
    if not known:
        raise FileError(("There are no tables in ", origin, "."), "check which file is meant.")
    raise FileError(
        ("There are several tables in ", origin, f": {shown(list(known), 12)}."),
        f"name one of them after the file, as in ::{known[0]}.",
    )


@contextmanager
def _open_duckdb(path: Path, given: DataSource) -> Iterator[DuckTable]:
    import duckdb

    origin = File(str(path))
    with _runner(origin) as runner:
        escaped = str(path.absolute()).replace("'", "''")
        try:
            runner.connection.execute(f"ATTACH '{escaped}' AS given (READ_ONLY)")
        except duckdb.Error as error:
            first = str(error).splitlines()[0].rstrip(". ")
            is_used = is_in_use(error)
            what = " is in use by another program: " if is_used else " cannot be opened: "
            hint = "close it there, and try again." if is_used else "check the file."
            raise FileError(("The database ", origin, f"{what}{first}."), hint) from None
        if given.query is None:
            tables = (
                "SELECT schema_name AS s, table_name AS t FROM duckdb_tables() "
                "WHERE database_name = 'given' UNION ALL SELECT schema_name, view_name "
                "FROM duckdb_views() WHERE database_name = 'given' AND NOT internal ORDER BY ALL"
            )
            schemas, names = (column.tolist() for column in runner.fetch(tables))
            pairs = list(zip(schemas, names, strict=True))
            full = {t if s == "main" else f"{s}.{t}": (s, t) for s, t in pairs}
            schema, name = full[table_of(given, list(full), origin)]
            scan = f"given.{quoted(schema)}.{quoted(name)}"
        else:
            runner.execute("USE given")
            scan = f"({given.query.rstrip().rstrip(';')})"
        with _failing(origin, given):
            columns = tuple(runner.connection.sql(f"SELECT * FROM {scan}").columns)
        yield DuckTable(origin, runner, columns, lambda _: scan, (path,), stays=True)


@contextmanager
def _failing(origin: File | str, given: DataSource) -> Iterator[None]:
    """Turn what a database says of a query, or of a broken view, into an error."""
    import duckdb

    try:
        yield
    except (duckdb.Error, sqlite3.Error) as error:
        raise failed_query(origin, given, str(error)) from None


def failed_query(origin: File | str, given: DataSource, words: str) -> FileError:
    """Return the error for a query that the database refuses."""
    first = (words.splitlines() or ["it gives no reason"])[0].strip().rstrip(". ")
    what = "The query fails in " if given.query is not None else "The table cannot be read in "
    return FileError(
        (what, origin, f": {first}."),
        "try the query in the database itself." if given.query is not None else "check the table.",
    )


# -- SQLite files ----------------------------------------------------------------------------------

_SQLITE_TYPES = {"integer": "BIGINT", "real": "DOUBLE", "text": "VARCHAR", "blob": "BLOB"}


@contextmanager
def _open_sqlite(path: Path, given: DataSource) -> Iterator[DuckTable]:
    """Open a table of SQLite: its columns are copied into a table of DuckDB, which groups it.

    A column of SQLite may hold values of any type; one that mixes numbers and text is refused.
    """
    origin = File(str(path))
    with ExitStack() as stack:
        runner = stack.enter_context(_runner(origin))
        with _failing(origin, given):
            address = f"{path.absolute().as_uri()}?mode=ro"
            database = stack.enter_context(
                closing(sqlite3.connect(address, uri=True, check_same_thread=False))
            )
            known = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            tables = [name for (name,) in database.execute(f"{known} AND name NOT LIKE 'sqlite%'")]
        scan = f"({(given.query or '').rstrip().rstrip(';')})"
        if given.query is None:
            scan = quoted(table_of(given, tables, origin))
        with _failing(origin, given):
            database.execute("BEGIN")  # all that is read is of one state
            cursor = database.execute(f"SELECT * FROM {scan} LIMIT 0")
            names = tuple(one[0] for one in cursor.description)
            declared = (
                {
                    name: kind.upper()
                    for _, name, kind, *_ in database.execute(f"PRAGMA table_info({scan})")
                }
                if given.query is None
                else {}
            )
        copied: dict[tuple[str, ...], str] = {}

        def copy(wanted: Sequence[str]) -> str:
            key = tuple(wanted) or names[:1]
            if key not in copied:
                target = f"staged.copy{len(copied)}"
                with _failing(origin, given):
                    _copy(database, scan, key, declared, runner, target, origin)
                copied[key] = target
            return copied[key]

        yield DuckTable(origin, runner, names, copy, (path,))


def _copy(
    database: Any,
    scan: str,
    names: Sequence[str],
    declared: Mapping[str, str],
    runner: Runner,
    target: str,
    origin: File | str,
) -> None:
    """Copy columns of SQLite into a table of DuckDB, batch by batch."""
    kinds = []
    for name in names:
        asked = f"SELECT DISTINCT typeof({quoted(name)}) FROM {scan}"
        found = {kind for (kind,) in database.execute(asked)} - {"null"}
        if len(found) > 1 and not found <= {"integer", "real"}:
            raise ColumnError(
                f"of {origin.name if isinstance(origin, File) else origin!s} holds values of "
                f"several types: {', '.join(sorted(found))}.",
                "store numbers or text throughout the column.",
                column=name,
            )
        kind = "real" if len(found) > 1 else next(iter(found), "text")
        is_flag = kind == "integer" and declared.get(name, "").startswith("BOOL")
        kinds.append("BOOLEAN" if is_flag else _SQLITE_TYPES[kind])
    made = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(names, kinds, strict=True))
    runner.execute(f"CREATE TABLE {target} ({made})")
    cursor = database.execute(f"SELECT {', '.join(map(quoted, names))} FROM {scan}")
    while rows := cursor.fetchmany(ROWS_A_BATCH):
        columns = zip(*rows, strict=True)
        batch = {f"v{k}": _batch_column(list(one), kinds[k]) for k, one in enumerate(columns)}
        runner.connection.register("batch", batch)
        listed = ", ".join(f"CAST(v{k} AS {kind})" for k, kind in enumerate(kinds))
        runner.execute(f"INSERT INTO {target} SELECT {listed} FROM batch")
        runner.connection.unregister("batch")


def _batch_column(values: list[Any], kind: str) -> AnyArray:
    """Return values of one type with gaps as a column that DuckDB reads."""
    if kind == "DOUBLE":
        return (
            np.ma.masked_invalid(np.array(values, dtype=np.float64))
            if None in values
            else np.array(values, dtype=np.float64)
        )
    if None not in values and kind in ("BIGINT", "BOOLEAN"):
        return np.array(values, dtype=np.int64)
    return objects(values)
