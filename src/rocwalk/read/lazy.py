"""Lazy tables: which tables stay where they are, and how what is asked of them is collected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rocwalk.errors import ColumnError, OptionError, Text
from rocwalk.progress import progress_of
from rocwalk.read.frames import (
    Name,
    Table,
    as_frame,
    frame_names,
    is_files,
    read_table,
    refuse_missing,
)

Run = Callable[[Any], Any]  # collects a lazy narwhals frame, as a pyarrow table
Progress = Callable[[int, int], None]  # how much is done, and of how much


@dataclass(frozen=True, slots=True)
class LazySource:
    """A lazy narwhals frame, and the function that collects what is asked of it."""

    frame: Any
    run: Run
    aliases: Mapping[Name, str]

    def column(self, name: Name) -> str:
        """Return what a column is called in the frame."""
        return self.aliases.get(name, str(name))

    def where(self, name: Name, test: str) -> Text:  # noqa: ARG002
        """Return where the first rows are whose value fails a test: nothing, without an order."""
        return ""


def stays_lazy(
    data: Any, roles: Mapping[Name, str], limit: int | None, memory_limit: str | None
) -> bool:
    """Whether a table is tallied where it is: a lazy one, or one that is too large.

    Too large are files that need more than the memory limit, and tables with more rows than a
    `limit` that is given. Files with a limit always stay where they are.
    """
    if is_files(data):
        return limit is not None or is_large(data, roles, memory_limit)
    if isinstance(data, Table | Mapping) and limit is None:
        return False
    frame = _as_frame(data, roles)
    return _is_lazy(frame) or (limit is not None and len(frame) > limit)


def is_large(data: Any, roles: Mapping[Name, str], memory_limit: str | None) -> bool:
    """Whether files or a lazy table are too large to be read into memory."""
    from rocwalk.read.relations import fits_memory, need_of_rows

    if is_files(data):
        return not fits_memory(data, len(roles), memory_limit)
    if isinstance(data, Table | Mapping) or not _is_lazy(frame := _as_frame(data, roles)):
        return False
    import narwhals.stable.v2 as nw

    rows = int(_collect(frame.select(nw.len().alias("rows"))).column("rows")[0].as_py())
    return need_of_rows(rows, len(roles)) > bytes_of(memory_limit)


@contextmanager
def open_lazy(
    data: Any, roles: Mapping[Name, str], memory_limit: str | None, progress: Progress | None
) -> Iterator[LazySource]:
    """Give files or a dataframe as a lazy table."""
    if is_files(data):
        from rocwalk.read.relations import open_relation

        with open_relation(data, roles, memory_limit, progress_of(progress)) as relation:
            yield relation
    else:
        yield LazySource(_as_frame(data, roles).lazy(), _collect, {})


def _as_frame(data: Any, roles: Mapping[Name, str]) -> Any:
    """Return a narwhals frame of a dataframe or of a dict of columns."""
    if isinstance(data, Table | Mapping):
        import narwhals.stable.v2 as nw
        import pyarrow as pa

        table = read_table(data, roles)
        columns = {str(name): pa.array(table[name], from_pandas=True) for name in roles}
        return nw.from_native(pa.table(columns))
    frame = as_frame(data)
    names = frame_names(frame)
    refuse_missing(roles, names, "the dataframe")
    kind = frame.implementation
    if _is_lazy(frame) and not (kind.is_polars() or kind.is_dask()):  # SQL does not know case
        for name in roles:
            for other in names:
                if other != name and str(other).casefold() == str(name).casefold():
                    raise ColumnError(
                        f"The columns {name!r} and {other!r} differ in case only.",
                        "rename one of them: to this engine they are the same.",
                    )
    return frame


def _is_lazy(frame: Any) -> bool:
    import narwhals.stable.v2 as nw

    return isinstance(frame, nw.LazyFrame)


def _collect(frame: Any) -> Any:
    return frame.collect("pyarrow").to_native()


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
