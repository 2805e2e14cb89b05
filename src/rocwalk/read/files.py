"""Files, read through DuckDB: CSV, TSV and other separated text, Parquet, JSON lines.

What a file is shows in its ending, with or without ``.gz`` for text; other endings are refused,
because a guess that goes wrong gives numbers that look right.

Separated text needs a header. The separator is found from the first lines (``,`` ``;`` tab or
``|``). All values are read as text and turned into numbers here, so the outcome does not hang on
which rows happen to come first:

* a "number" column (scores, weights) must be numbers throughout. Where the separator is not a
  comma, numbers may be written with a decimal comma, but then all those of the file must be;
* a "label" or "group" column becomes numbers or booleans if all its values are, else text. Codes
  such as 007 stay text;
* an empty value is missing in any column; NA, N/A, #N/A, NULL and null are missing in numbers and
  labels (a group may be called NA), None in numbers too.

Where to look: `paths` finds and opens files; `separated`, `json_lines` and `parquet` each know one
format, and `source` and `text` what those share; `numerals` turns text into numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rocwalk.errors import ColumnError, FileError
from rocwalk.read.frames import Name, Table, column_to_numpy, refuse_duplicates
from rocwalk.read.sources import (
    ParquetFile,
    Piece,
    Source,
    connect,
    ending,
    find_files,
    is_packed,
    refuse_unreadable,
)
from rocwalk.read.text import SEPARATORS, JsonLines, SeparatedText, interpret

__all__ = ["file_columns", "find_files", "open_sources", "read_files"]


_FORMATS: dict[str, type[Source]] = {
    **dict.fromkeys(SEPARATORS, SeparatedText),
    ".parquet": ParquetFile,
    ".pq": ParquetFile,
    ".jsonl": JsonLines,
    ".ndjson": JsonLines,
}


def read_files(data: Any, roles: Mapping[Name, str]) -> Table:
    """Read the columns from one or several files; rows follow in the order of the sorted files."""
    with connect() as connection:
        sources = open_sources(connection, data)
        for source in sources:
            source.refuse_missing(roles)
        pieces = [source.pieces(connection, roles) for source in sources]
    columns = {
        name: column_to_numpy(
            _joined(name, role, [one[name] for one in pieces]), f"column {name!r}"
        )
        for name, role in roles.items()
    }
    rows = [max((len(piece.values) for piece in one.values()), default=0) for one in pieces]
    parts = tuple(source.part(count) for source, count in zip(sources, rows, strict=True))
    return Table(columns, _origin(sources), parts)


def file_columns(data: Any) -> tuple[str, ...]:
    """Return the names of the columns that the files have."""
    with connect() as connection:
        return open_sources(connection, data)[0].names


def _origin(sources: Sequence[Source]) -> str:
    if len(sources) == 1:
        return sources[0].shown
    return f"{len(sources)} files ({sources[0].shown} … {sources[-1].shown})"


# -- from paths to sources -----------------------------------------------------------------------


def open_sources(connection: Any, data: Any) -> list[Source]:
    """Open the files that are named, and refuse those that do not go together."""
    sources = []
    for path in find_files(data):
        refuse_unreadable(path)
        sources.append(_format(path).from_path(connection, path))
    for source in sources:
        refuse_duplicates(filter(None, source.names), source.shown)
        _refuse_other_columns(source, sources[0])
    return sources


def _format(path: Path) -> type[Source]:
    found = _FORMATS.get(ending(path))
    if found is None or (found is ParquetFile and is_packed(path)):
        raise FileError(
            f"The ending of {str(path)!r} is not one that rocwalk reads.",
            f"known endings are {' '.join(_FORMATS)}; text and JSON lines also with .gz.",
        )
    return found


def _refuse_other_columns(source: Source, first: Source) -> None:
    lost = [f"{name!r} is missing" for name in first.names if name not in source.names]
    new = [f"{name!r} is new" for name in source.names if name not in first.names]
    if lost or new:
        raise ColumnError(
            f"The columns of {source.shown} are not those of {first.shown}: "
            f"{', '.join(lost + new)}.",
            "files that are read together need the same columns, in any order.",
        )


# -- from pieces to columns ----------------------------------------------------------------------


def _joined(name: Name, role: str, pieces: Sequence[Piece]) -> Any:
    """Put a column's pieces together; text becomes numbers only if it does so in all files."""
    import pyarrow as pa

    if all(piece.is_written for piece in pieces):
        chunks = [chunk for piece in pieces for chunk in piece.values.chunks]
        comma = all(piece.source.allows_decimal_comma for piece in pieces)
        whole = pa.chunked_array(chunks, pa.string())
        return interpret(whole, role, allows_decimal_comma=comma)
    columns = [_typed(piece, role) for piece in pieces]
    try:
        tables = [pa.table({"v": column}) for column in columns]
        return pa.concat_tables(tables, promote_options="permissive").column(0)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        raise _unlike_types(name, columns, pieces) from None


def _typed(piece: Piece, role: str) -> Any:
    import pyarrow as pa

    if piece.values.null_count == len(piece.values):
        return pa.nulls(len(piece.values))  # nothing is there, so any type will do
    if piece.is_written:
        comma = piece.source.allows_decimal_comma
        return interpret(piece.values, role, allows_decimal_comma=comma)
    return piece.values


def _unlike_types(name: Name, columns: Sequence[Any], pieces: Sequence[Piece]) -> ColumnError:
    types = [str(column.type) for column in columns]
    known = [(kind, piece) for kind, piece in zip(types, pieces, strict=True) if kind != "null"]
    first, one = known[0]
    second, other = next(pair for pair in known if pair[0] != first)
    return ColumnError(
        f"Column {name!r} is of type {first} in {one.source.shown}, "
        f"but {second} in {other.source.shown}.",
        "write the files with one type for each column.",
    )
