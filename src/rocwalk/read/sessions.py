"""Sessions with the database of a store: one transaction each, in a DuckDB file or PostgreSQL.

SQL is written once, with ``?`` for values; a `Session` knows the differences. Only one process
writes to a store at a time: a DuckDB file has a lock beside it, PostgreSQL an advisory lock. A
process that cannot have it in time gets an error, and nothing of a transaction that fails or is
killed remains.
"""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import File, FileError, optional
from rocwalk.read.addresses import POSTGRESQL, scheme_of
from rocwalk.read.frames import objects
from rocwalk.read.postgres import connected, place_of
from rocwalk.read.sources import connect, interruptible, is_in_use
from rocwalk.typing import AnyArray
from rocwalk.writing import exclusive, temporary_folder, write_aside

_TYPES = {"M": "TIMESTAMP", "f": "DOUBLE PRECISION", "i": "BIGINT", "O": "TEXT"}


class Session(ABC):
    """One transaction with the database of a store."""

    @abstractmethod
    def run(self, sql: str, *values: Any) -> None:
        """Run a statement."""

    @abstractmethod
    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""

    @abstractmethod
    def columns(self, sql: str, *values: Any) -> dict[str, AnyArray]:
        """Return the columns of a query; missing values are NaN, NaT or None."""

    @abstractmethod
    def load(self, table: str, columns: Mapping[str, AnyArray]) -> None:
        """Make a temporary table of columns: datetimes, floats, integers or text, NaN as NULL."""

    @abstractmethod
    def has(self, table: str) -> bool:
        """Whether there is a table of this name."""


class Database(ABC):
    """The place of a store: where it is, and how a transaction with it begins and ends."""

    name: str  # as it is shown
    text_type: str = "TEXT"  # of columns that are sorted by their bytes

    @abstractmethod
    def create(self, statements: Sequence[str]) -> bool:
        """Run statements in an empty database; return False if it is not empty."""

    @abstractmethod
    def session(self, *, write: bool) -> Any:
        """Return a context manager that gives a `Session`, and commits at the end."""


def database_of(address: str | Path, timeout: float) -> Database:
    """Return the database of an address: a file, or a PostgreSQL address."""
    if scheme_of(str(address)) == POSTGRESQL[0]:
        return Postgres(str(address), timeout)
    return DuckFile(Path(address), timeout)


# -- DuckDB ----------------------------------------------------------------------------------------


class DuckFile(Database):
    """A DuckDB file; DuckDB lets one process at a time write to it, and none read meanwhile."""

    def __init__(self, path: Path, timeout: float) -> None:
        self.path = Path(os.path.realpath(path))  # DuckDB keeps its log beside the name it is given
        self.timeout, self.name = timeout, repr(str(path))

    def create(self, statements: Sequence[str]) -> bool:
        """Make the file, whole or not at all."""
        with exclusive(self.path, self.timeout), temporary_folder() as folder:
            if self.path.exists():
                return False
            made = folder / "store.duckdb"
            connection = connect(str(made))
            for statement in statements:
                connection.execute(statement)
            connection.close()
            content = made.read_bytes()
            write_aside(self.path, lambda file: file.write(content))
        return True

    @contextmanager
    def session(self, *, write: bool) -> Iterator[Session]:
        """Give one transaction; it is on the disk when this ends."""
        import duckdb

        if not self.path.exists():
            raise FileError(
                ("There is no store ", File(str(self.path)), "."),
                "make one with rocwalk monitor init, or MonitorStore.create.",
            )
        with exclusive(self.path, self.timeout), interruptible():
            connection = self._opened(read_only=not write)
            try:
                connection.execute("BEGIN")
                yield DuckSession(connection)
                connection.execute("COMMIT")
            except duckdb.Error as error:
                raise _failed(self.name, error) from error
            finally:
                connection.close()  # what is not committed is gone

    def _opened(self, *, read_only: bool) -> Any:
        """Open the file; another program may have it open, such as DuckDB itself."""
        import duckdb

        last = time.monotonic() + self.timeout
        while True:
            try:
                # a file whose last writer was killed is recovered, which writes
                killed = self.path.with_name(f"{self.path.name}.wal").exists()
                return connect(str(self.path), read_only=read_only and not killed)
            except duckdb.Error as error:
                if not is_in_use(error):
                    raise FileError(
                        f"is not a store of rocwalk: {_first_line(error)}.",
                        "name a file that rocwalk monitor init has made.",
                        file=str(self.path),
                    ) from error
                if time.monotonic() >= last:
                    raise FileError(
                        f"is in use by another program: {_first_line(error)}.",
                        "close it there, and try again.",
                        file=str(self.path),
                        problem="in_use",
                    ) from error
                time.sleep(0.05)


class DuckSession(Session):
    """A transaction with a DuckDB file."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def run(self, sql: str, *values: Any) -> None:
        """Run a statement."""
        self._connection.execute(sql, list(values))

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        found: list[tuple[Any, ...]] = self._connection.execute(sql, list(values)).fetchall()
        return found

    def columns(self, sql: str, *values: Any) -> dict[str, AnyArray]:
        """Return the columns of a query."""
        found: dict[str, AnyArray] = self._connection.execute(sql, list(values)).fetchnumpy()
        gaps: dict[str, Any] = {"f": np.nan, "M": np.datetime64("NaT"), "O": None}
        for name, column in found.items():
            if isinstance(column, np.ma.MaskedArray):  # whose `filled(None)` would not give None
                found[name] = np.ma.getdata(column).copy()
                found[name][np.ma.getmaskarray(column)] = gaps[column.dtype.kind]
        return found

    def load(self, table: str, columns: Mapping[str, AnyArray]) -> None:
        """Make a temporary table of columns."""
        given = {
            name: column.astype("datetime64[us]") if column.dtype.kind == "M" else column
            for name, column in columns.items()
        }
        listed = (
            f"CAST({name} AS {_TYPES[one.dtype.kind]}) AS {name}" for name, one in given.items()
        )
        self._connection.register(f"{table}_given", given)
        query = f"SELECT {', '.join(listed)} FROM {table}_given"
        self._connection.execute(f"CREATE TEMP TABLE {table} AS {query}")
        self._connection.unregister(f"{table}_given")

    def has(self, table: str) -> bool:
        """Whether there is a table of this name."""
        asked = "SELECT count(*) FROM information_schema.tables WHERE table_name = ?"
        return bool(self.rows(asked, table)[0][0])


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(". ")


def _failed(name: str, error: Exception) -> FileError:
    """Return the error for a transaction that the database refused."""
    return FileError(
        f"The store {name} refused a transaction, and nothing of it was kept: "
        f"{_first_line(error)}.",
        "check that the disk has room, and that you may write to the store.",
    )


# -- PostgreSQL ------------------------------------------------------------------------------------

_SCHEMA = "rocwalk"
_LOCK = 0x726F6377616C6B  # the number of the advisory lock: "rocwalk"


class Postgres(Database):
    """The schema "rocwalk" of a PostgreSQL database; readers see a snapshot and need no lock."""

    text_type = 'TEXT COLLATE "C"'

    def __init__(self, address: str, timeout: float) -> None:
        _psycopg()
        self.address, self.timeout = address, timeout
        self.name = repr(place_of(address))  # without a password

    def create(self, statements: Sequence[str]) -> bool:
        """Make the schema and its tables, in one transaction."""
        with self.session(write=True) as session:
            if session.has("store"):
                return False
            session.run(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
            for statement in statements:
                session.run(statement)
        return True

    @contextmanager
    def session(self, *, write: bool) -> Iterator[Session]:
        """Give one transaction, committed at the end."""
        psycopg = _psycopg()
        connection = connected(self.address, self.timeout)
        try:
            with connection, connection.cursor() as cursor:
                if write:
                    cursor.execute(f"SET LOCAL lock_timeout = {max(1, int(1000 * self.timeout))}")
                    cursor.execute(f"SELECT pg_advisory_xact_lock({_LOCK})")
                else:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                cursor.execute(f"SET LOCAL search_path TO {_SCHEMA}")
                yield PostgresSession(cursor)
        except psycopg.errors.LockNotAvailable as error:
            raise FileError(
                f"The store {self.name} is in use by another process or thread, for more than "
                f"{self.timeout:g} seconds.",
                "try again when it has finished, or allow more time.",
                problem="in_use",
            ) from error
        except psycopg.Error as error:
            raise _failed(self.name, error) from error


class PostgresSession(Session):
    """A transaction with PostgreSQL."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def run(self, sql: str, *values: Any) -> None:
        """Run a statement."""
        self._cursor.execute(sql.replace("?", "%s"), values)

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        self.run(sql, *values)
        found: list[tuple[Any, ...]] = self._cursor.fetchall()
        return found

    def columns(self, sql: str, *values: Any) -> dict[str, AnyArray]:
        """Return the columns of a query."""
        rows = self.rows(sql, *values)
        kinds: dict[int, Any] = {
            701: np.float64,
            1114: "datetime64[us]",
            20: np.int64,
        }  # numbers of types
        found = {}
        for k, one in enumerate(self._cursor.description):
            column = [row[k] for row in rows]
            kind = kinds.get(one.type_code)
            found[one.name] = objects(column) if kind is None else np.array(column, dtype=kind)
        return found

    def load(self, table: str, columns: Mapping[str, AnyArray]) -> None:
        """Make a temporary table of columns."""
        types = (f"{name} {_TYPES[one.dtype.kind]}" for name, one in columns.items())
        self.run(f"CREATE TEMP TABLE {table} ({', '.join(types)}) ON COMMIT DROP")
        values = [
            [None if value != value else value for value in one.tolist()]  # noqa: PLR0124  # NaN
            for one in columns.values()
        ]
        with self._cursor.copy(f"COPY {table} FROM STDIN") as copy:
            for row in zip(*values, strict=True):
                copy.write_row(row)

    def has(self, table: str) -> bool:
        """Whether there is a table of this name."""
        return self.rows("SELECT to_regclass(?)", f"{_SCHEMA}.{table}")[0][0] is not None


def _psycopg() -> Any:
    return optional("psycopg", "postgresql", "A store in PostgreSQL")
