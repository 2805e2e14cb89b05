"""Parquet: columns with types, which are kept as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from rocwalk.errors import FileError
from rocwalk.intake.frames import Name
from rocwalk.intake.source import Piece, Source


@dataclass(frozen=True, slots=True)
class ParquetFile(Source):
    """A Parquet file."""

    @classmethod
    def from_path(cls, connection: Any, path: Path) -> Self:
        """Take the names from the schema, where none of them is changed."""
        nameless = cls(path, ())
        selected = ["name", "num_children"]
        fetched = nameless.fetch(connection, selected, scan="parquet_schema($path)")
        nodes = zip(*(column.to_pylist() for column in fetched), strict=True)
        _, count = next(nodes)
        return replace(nameless, names=tuple(_children(nodes, count)))

    @property
    def scan(self) -> str:
        """The SQL that stands after FROM."""
        columns = ", ".join(f"c{i}" for i in range(len(self.names)))
        return f"read_parquet($path, hive_partitioning=false) AS t({columns})"

    def pieces(self, connection: Any, roles: Mapping[Name, str]) -> dict[Name, Piece]:
        """Read the columns; what they are for does not matter."""
        fetched = self.fetch(connection, [self.column("c{0}", name) for name in roles])
        return {name: Piece(self, values) for name, values in zip(roles, fetched, strict=True)}

    def rows(self, connection: Any) -> int:
        """Return the number of rows, which the end of the file tells."""
        scan = "parquet_file_metadata($path)"
        return int(self.fetch(connection, ["num_rows"], scan=scan)[0][0].as_py())

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
        connection.execute(f"CREATE VIEW {name} AS SELECT {selected} FROM {scan}")

    def fault(self) -> FileError:
        """Say what is wrong with a file that DuckDB could not read."""
        return FileError(
            f"The file {self.shown} is not Parquet, or was cut short.", "copy or write it again."
        )


def _children(nodes: Iterator[tuple[str, int | None]], count: int | None) -> list[str]:
    """Take the next nodes of a schema, whose tree is listed parents first; grandchildren go too.

    >>> schema = [("point", 2), ("x", None), ("y", None), ("score", None)]
    >>> _children(iter(schema), 2)
    ['point', 'score']
    """
    names = []
    for _ in range(count or 0):
        name, grandchildren = next(nodes)
        names.append(name)
        _children(nodes, grandchildren)
    return names
