"""A source: one file, and how DuckDB is asked for its columns.

DuckDB takes names of columns without regard to case and renames what it finds twice. In SQL a
column is therefore only ever called by its position (c0, c1, …); the real names stay here. What a
user wrote, such as a path or the key of a JSON object, reaches DuckDB as a parameter, never as SQL.
"""

from __future__ import annotations

import glob
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from rocwalk.errors import FileError
from rocwalk.intake.frames import Name, Part, refuse_missing
from rocwalk.intake.paths import is_packed, unreadable


def connect(*, memory_limit: str | None = None, folder: str = "") -> Any:
    """Open a DuckDB that fetches nothing from the network and leaves nothing in the folder.

    What does not fit into the memory goes into files in `folder`, if there is one.
    """
    import duckdb

    config = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "temp_directory": folder,
    }
    if memory_limit is not None:
        config["memory_limit"] = memory_limit
    connection = duckdb.connect(":memory:", config=config)
    # it may be asked how far it is, but prints nothing itself
    with interruptible():
        connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
    return connection


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C be Ctrl-C: DuckDB makes a RuntimeError of it."""
    try:
        yield
    except RuntimeError as error:
        if "Query interrupted" in str(error):
            raise KeyboardInterrupt from None
        raise


@dataclass(frozen=True, slots=True)
class Source(ABC):
    """One file of a format that its subclass knows."""

    path: Path
    names: tuple[str, ...]

    @classmethod
    @abstractmethod
    def from_path(cls, connection: Any, path: Path) -> Self:
        """Look into the file for the names of its columns."""

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
        """Look for what is wrong with a file that DuckDB could not read; it may be slow."""

    @property
    def shown(self) -> str:
        """The file as messages call it."""
        return repr(str(self.path))

    @property
    def allows_decimal_comma(self) -> bool:
        """Whether 0,75 may be a number here."""
        return False

    def column(self, template: str, name: Name) -> str:
        """Return the SQL for a column: a template with {0} for the column's position."""
        return template.format(self.names.index(str(name)))

    def part(self, rows: int) -> Part:
        """Return the rows of this file as a part of a table."""
        return Part(self.shown, rows)

    def refuse_missing(self, wanted: Iterable[Name]) -> None:
        """Raise if a wanted column is not there."""
        refuse_missing(wanted, self.names, self.shown)

    def fetch(
        self, connection: Any, selected: Sequence[str], *, scan: str = "", tail: str = ""
    ) -> list[Any]:
        """Return SQL expressions as Arrow columns; a given `scan` replaces that of the source.

        Values that do not convert raise DuckDB's ConversionException: they are the caller's affair.
        """
        import duckdb

        if not selected:
            return []
        listed = ", ".join(f"{one} AS v{i}" for i, one in enumerate(selected))
        query = f"SELECT {listed} FROM {scan or self.scan} {tail}"
        try:
            with interruptible():
                fetched = connection.sql(query, params=self.parameters_in(query)).to_arrow_table()
        except duckdb.ConversionException:
            raise
        except duckdb.Error as error:
            raise self.explained(str(error)) from None
        return list(fetched.columns)

    def parameters_in(self, query: str) -> dict[str, Any]:
        """Return the parameters that the query names; DuckDB refuses to be given others."""
        # A full path is no address on the network, and an escaped one no pattern.
        path = glob.escape(str(self.path.absolute()))
        compression = "gzip" if is_packed(self.path) else "none"
        known = {"path": path, "compression": compression, **self.parameters}
        return {name: known[name] for name in re.findall(r"\$(\w+)", query)}

    def explained(self, words: str) -> FileError:
        """Say why the file could not be read: what is wrong with it, else the first line of words.

        DuckDB's own words speak of its options, so they are only the last resort.
        """
        first = words.splitlines()[0].rstrip(". ")
        return self.fault() or unreadable(self.path, ValueError(first))


@dataclass(frozen=True, slots=True)
class Piece:
    """A column of one file. `is_written`: its values are text that may stand for numbers."""

    source: Source
    values: Any
    is_written: bool = False
