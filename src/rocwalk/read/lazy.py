"""Lazy tables: which tables stay where they are, and how what is asked of them is collected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocwalk.errors import Column, ColumnError, OptionError, ScoreError, Text
from rocwalk.progress import progress_of
from rocwalk.read.arrays import as_floats
from rocwalk.read.engine import Engine, can_group, engine_of, query_of
from rocwalk.read.frames import (
    Name,
    Opened,
    Table,
    as_frame,
    column_to_numpy,
    families,
    frame_names,
    plainly_named,
    read_table,
    refuse_missing,
)
from rocwalk.read.labels import missing_labels
from rocwalk.read.queries import note_query
from rocwalk.typing import AnyArray

Run = Callable[[Any], dict[str, AnyArray]]  # collects a lazy narwhals frame
Progress = Callable[[int, int], None]  # how much is done, and of how much


@dataclass(frozen=True, slots=True)
class LazySource:
    """A lazy narwhals frame, and the function that collects what is asked of it.

    `nan_is_greatest` says that the engine sorts NaN above infinity, in minima and maxima too.
    """

    frame: Any
    aliases: Mapping[Name, str]
    run: Run
    nan_is_greatest: bool = field(default=False, kw_only=True)

    @property
    def engine(self) -> Engine:
        """The engine that holds the rows."""
        return engine_of(self.frame)

    def column(self, name: Name) -> str:
        """Return what a column is called in the frame."""
        return self.aliases[name]

    def where(self, name: Name, test: str) -> Text:  # noqa: ARG002
        """Return the place of the first rows whose value fails a test: "", without an order."""
        return ""


def stays_lazy(
    data: Any, roles: Mapping[Name, str], limit: int | None, memory_limit: str | None
) -> bool:
    """Whether a table is tallied where it is: a lazy one, or one that is too large.

    Files that need more than the memory limit are too large, and so are tables with more rows than
    a given `limit`. Opened data stay where they are if there is a limit, or an engine that holds
    them.
    """
    if isinstance(data, Opened):
        data.refuse_missing(roles)
        return limit is not None or data.stays or data.is_large(roles, memory_limit)
    if isinstance(data, Table | Mapping):
        return limit is not None and len(read_table(data, roles)) > limit
    frame = _checked_frame(data, roles)
    return _is_lazy(frame) or (limit is not None and len(frame) > limit)


def is_large(data: Any, roles: Mapping[Name, str], memory_limit: str | None) -> bool:
    """Whether files or a lazy table are too large to be read into memory."""
    if isinstance(data, Opened):
        data.refuse_missing(roles)
        return data.is_large(roles, memory_limit)
    if isinstance(data, Table | Mapping) or not _is_lazy(frame := _checked_frame(data, roles)):
        return False
    import narwhals.stable.v2 as nw

    rows = int(_collect(frame.select(nw.len().alias("rows")))["rows"][0])
    return need_of_rows(rows, len(roles)) > bytes_of(memory_limit)


_BYTES_PER_ROW, _BYTES_PER_VALUE = 48, 16  # what reading and sorting in memory take


def need_of_rows(rows: int, columns: int) -> float:
    """Return about how many bytes rows take in memory, with all that is done there."""
    return float(rows * (_BYTES_PER_ROW + _BYTES_PER_VALUE * columns))


@contextmanager
def open_lazy(
    data: Any, roles: Mapping[Name, str], memory_limit: str | None, progress: Progress | None
) -> Iterator[LazySource]:
    """Give what was opened, or a dataframe, as a lazy table."""
    if isinstance(data, Opened):
        with data.lazily(roles, memory_limit, progress_of(progress)) as source:
            yield source
    else:
        is_table = isinstance(data, Table | Mapping)
        frame = None if is_table else _checked_frame(data, roles)
        if frame is None or not _is_lazy(frame):
            yield LazySource(*_as_lazy(read_table(data, roles), roles), _collect)
        elif not can_group(frame):
            from rocwalk.read.duck_tables import open_stream

            wanted, aliases = plainly_named(frame, roles)
            with open_stream(wanted.to_native().to_pyarrow_batches(), "the table") as table:
                plain: dict[Name, str] = dict.fromkeys(aliases.values(), "")
                with table.lazily(plain, memory_limit, progress) as source:
                    called = {name: source.column(alias) for name, alias in aliases.items()}
                    yield LazySource(source.frame, called, source.run)
        else:
            yield LazySource(*plainly_named(frame, roles), _collect)


def _checked_frame(data: Any, roles: Mapping[Name, str]) -> Any:
    """Return a narwhals frame of a dataframe that has the columns, under names that it can tell."""
    import narwhals.stable.v2 as nw

    frame = as_frame(data)
    names = frame_names(frame)
    refuse_missing(roles, names, "the dataframe")
    kind, schema = frame.implementation, frame.collect_schema()
    for name in roles if kind.is_polars() and _is_lazy(frame) else ():
        if schema[name] in (nw.Int128, nw.UInt128, nw.Object):
            raise ColumnError(
                f"is of type {schema[name]}, which rows are not grouped by.",
                "cast the column, for instance to Int64 or to String.",
                column=name,
            )
    if _is_lazy(frame) and not engine_of(frame).knows_case:
        for name in roles:
            for other in names:
                if other != name and str(other).casefold() == str(name).casefold():
                    raise ColumnError(
                        f"The columns {name!r} and {other!r} differ in case only.",
                        "rename one of them: to this engine they are the same.",
                    )
    return frame


def _as_lazy(table: Table, roles: Mapping[Name, str]) -> tuple[Any, dict[Name, str]]:
    """Return columns in memory as a lazy frame, in types that engines have, and their names."""
    import narwhals.stable.v2 as nw

    from rocwalk.read.sources import connect

    aliases = {name: f"v{place}" for place, name in enumerate(roles)}
    given, listed = {}, []
    for name in roles:
        column = table[name]
        if column.dtype.kind == "f" and column.dtype.itemsize not in (4, 8):
            try:
                column = as_floats(column, "y_score", ScoreError)
            except ScoreError as error:
                place = table.where(error.fields.row)
                raise error.at(names={"y_score": Column(name)}, column=name, **place) from None
        elif not column.dtype.isnative:
            column = column.astype(column.dtype.newbyteorder("="))
        if column.dtype.kind in "cV" or (
            column.dtype.kind == "O" and len(families(column[~missing_labels(column)])) > 1
        ):
            raise ColumnError(
                "has values of several types, or of one that engines do not know.",
                "use a column of one type: text, numbers, booleans or dates.",
                column=name,
                **table.where(),
            )
        alias, kind = aliases[name], column.dtype
        if kind.kind in "US":
            column = column.astype(object)
        elif kind == np.dtype("datetime64[D]"):
            column = column.astype("datetime64[us]")
        given[alias] = column
        listed.append(f"CAST({alias} AS DATE) AS {alias}" if kind == "datetime64[D]" else alias)
    connection = connect()
    connection.execute(f"SET pandas_analyze_sample = {max(len(table), 1)}")  # look at all objects
    connection.register("given", given)
    return nw.from_native(connection.sql(f"SELECT {', '.join(listed)} FROM given")), aliases


def _is_lazy(frame: Any) -> bool:
    import narwhals.stable.v2 as nw

    return isinstance(frame, nw.LazyFrame)


def _collect(frame: Any) -> dict[str, AnyArray]:
    """Return the columns of a lazy frame; engines other than these two bring pyarrow along."""
    if frame.implementation.is_duckdb():
        from rocwalk.read.sources import columns_of

        relation = frame.to_native()
        note_query(relation.sql_query())
        return dict(zip(relation.columns, columns_of(relation), strict=True))
    note_query(query_of(frame))
    found = frame.collect() if frame.implementation.is_polars() else frame.collect("pyarrow")
    return {
        name: column_to_numpy(found.get_column(name).to_native(), name) for name in found.columns
    }


# -- amounts of memory -----------------------------------------------------------------------------

MEMORY_LIMIT = "1GB"

_UNITS = {"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
_UNITS |= {"KIB": 2.0**10, "MIB": 2.0**20, "GIB": 2.0**30, "TIB": 2.0**40}


def bytes_of(memory_limit: str | None) -> float:
    """Return how many bytes a limit such as "512MB" means.

    >>> bytes_of("1.5 GB")
    1500000000.0
    """
    given: Any = MEMORY_LIMIT if memory_limit is None else memory_limit
    text = given.strip().upper() if isinstance(given, str) else ""
    for unit, size in sorted(_UNITS.items(), key=lambda pair: -len(pair[0])):
        if text.endswith(unit):
            try:
                amount = float(text.removesuffix(unit))
            except ValueError:
                break
            if 0 < amount < float("inf"):
                return amount * size
    raise OptionError(
        "is not an amount of memory.",
        'write a number and a unit, as in "512MB" or "2GB".',
        option="memory_limit",
        value=memory_limit,
    )
