"""Tables: columns of dataframes, dicts and files as NumPy arrays of one length.

narwhals knows the dataframe libraries; lists and the like go through NumPy; whatever has to be
opened first (files, streams, databases) is an `Opened`, which `rocwalk.read.opening` makes.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np

from rocwalk.errors import Argument, ColumnError, File, InputError, LabelError, Text
from rocwalk.read.addresses import DataSource
from rocwalk.read.labels import absent_label, is_missing, missing_labels, plain
from rocwalk.texts import kind_of, nearest
from rocwalk.typing import AnyArray, IntArray


def column_to_numpy(column: Any, name: str) -> AnyArray:
    """Return the column as a NumPy array; missing values become NaN, or None among objects."""
    if isinstance(column, np.ndarray):
        if type(column) is not np.ndarray and isinstance(column, np.ma.MaskedArray):
            return with_gaps(column.data, np.ma.getmaskarray(column))
        return np.asarray(column)
    if isinstance(column, str | bytes | dict | set | frozenset) or not any(
        hasattr(column, protocol) for protocol in ("__len__", "__array__", "__dlpack__")
    ):
        raise _no_column(column, name)
    if not isinstance(column, list | tuple | range):
        return _series_to_numpy(column, name)
    try:
        array = np.array(column)
    except ValueError as error:  # rows of unequal length
        raise InputError(
            "is a nested list of unequal lengths.",
            ("pass a flat list as ", Argument(name), "."),
            argument=name,
        ) from error
    if array.dtype.kind in "US" and not all(isinstance(value, str | bytes) for value in column):
        return objects(column)  # NumPy has written numbers as text
    return array


def _series_to_numpy(column: Any, name: str) -> AnyArray:
    """Read what narwhals knows, pyarrow arrays that are not chunked, and array protocols."""
    import narwhals.stable.v2 as nw

    try:
        series = nw.from_native(column, series_only=True)
    except TypeError:
        if hasattr(column, "to_pylist") and not hasattr(column, "column_names"):
            import pyarrow as pa

            return _series_to_numpy(pa.chunked_array([column]), name)
        array = _by_protocol(column, name)
        if array.ndim == 0:
            raise _no_column(column, name) from None
        return array
    try:
        if series.dtype in (nw.Int128, nw.UInt128):  # which NumPy does not have
            return column_to_numpy(series.to_list(), name)
        if series.dtype.is_decimal():
            series = decimal_to_float(series)
        if not series.null_count():
            return np.asarray(series.to_numpy())
        gaps = series.is_null().to_numpy()
        if series.dtype.is_float():
            return with_gaps(np.asarray(series.fill_null(0.0).to_numpy()), gaps)
        return with_gaps(objects(series.to_list()), gaps)
    except Exception as error:  # whatever a library raises for a type that NumPy does not have
        raise _unreadable(column, name) from error


def decimal_to_float(column: Any) -> Any:
    """Return a narwhals column or expression of decimals as the nearest floats.

    All engines read text so. Of the decimal 0.43 pyarrow makes 0.43000000000000005.
    """
    import narwhals.stable.v2 as nw

    return column.cast(nw.String).cast(nw.Float64)


def _by_protocol(column: Any, name: str) -> AnyArray:
    """Read a column by `__array__` or, where that is missing or refuses, by DLPack."""
    try:
        if hasattr(column, "__array__") or not hasattr(column, "__dlpack__"):
            return np.asarray(column)
    except Exception as error:  # whatever a foreign __array__ raises
        if not hasattr(column, "__dlpack__"):
            raise _unreadable(column, name) from error
    try:
        return np.from_dlpack(column)
    except Exception as error:
        raise _unreadable(column, name) from error


def _unreadable(column: Any, name: str) -> InputError:
    """Return the error for a column that does not convert itself, such as a tensor of a model."""
    calls = ""
    if getattr(column, "requires_grad", False):
        calls += ".detach()"
    if not str(getattr(column, "device", "cpu")).startswith("cpu"):
        calls += ".cpu()"
    if str(getattr(column, "dtype", "")).endswith("bfloat16"):
        calls += ".float()"
    hint: Text = (
        "pass a list, or a NumPy, pandas, polars or pyarrow column as ",
        Argument(name),
        ".",
    )
    if calls:
        hint = (f"call {calls} on it first: pass ", Argument(name), f"{calls}.")
    return InputError(
        f"is {kind_of(column)}, which cannot be read as a column.", hint, argument=name
    )


def _no_column(column: Any, name: str) -> InputError:
    hint = f"pass a list, or a NumPy, pandas, polars or pyarrow column as {name}."
    if hasattr(column, "truth"):  # votes, or what was made of them
        hint = f"pass its .truth as {name}."
    return InputError(f"is {kind_of(column)}, not a column.", hint, argument=name)


def with_gaps(array: AnyArray, gaps: AnyArray) -> AnyArray:
    """Return an array with NaN, or None among objects, where the gaps are."""
    if not gaps.any():
        return array
    filled = array.astype(np.float64 if array.dtype.kind == "f" else object)
    filled[gaps] = np.nan if filled.dtype.kind == "f" else None
    return filled


def objects(values: Any) -> AnyArray:
    """Return values of any kind as a column of objects."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


# -- tables ----------------------------------------------------------------------------------------

Name = Hashable  # a column's name: text, or whatever pandas allows

# What a column is for decides how text in a file is read; see rocwalk.read.files.
NUMBER, LABEL, GROUP, TEXT = "number", "label", "group", "text"


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one file; `line_of` finds the line of a row, if the file has lines."""

    name: str
    rows: int
    line_of: Callable[[int], int] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of one length and where they came from.

    `rows` are their numbers in the caller's data, or None for all.
    """

    columns: Mapping[Name, AnyArray]
    origin: str | File
    parts: tuple[Part, ...] = ()
    rows: IntArray | None = None

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: Name) -> AnyArray:
        return self.columns[name]

    def taken(self, rows: IntArray) -> Table:
        """Return some rows, which keep their places."""
        columns = {name: column[rows] for name, column in self.columns.items()}
        known = rows if self.rows is None else self.rows[rows]
        return Table(columns, self.origin, self.parts, known)

    def place(self, row: int) -> Text:
        """Return where a row is: rows count from 0 in their file, lines from 1 as in an editor.

        >>> Table({}, "the dataframe").place(17)
        'row 17'
        >>> Table({}, "2 files", (Part("a", 10), Part("b", 10, lambda row: row + 2))).place(17)
        ('row 7, line 9 of ', File(name='b', others=()))
        """
        where = self.where(row)
        text = f"row {where['row']}" + (f", line {where['line']}" if "line" in where else "")
        return (f"{text} of ", File(where["file"])) if "file" in where else text

    def where(self, row: int | None = None) -> dict[str, Any]:
        """Return the place of a row, or of the whole table, as fields of an error.

        >>> Table({}, "2 files", (Part("a", 10), Part("b", 10, lambda row: row + 2))).where(17)
        {'row': 7, 'file': 'b', 'line': 9}
        """
        if row is None:
            return {"file": [part.name for part in self.parts]} if self.parts else {}
        row = row if self.rows is None else int(self.rows[row])
        for part in self.parts:
            if row < part.rows:
                line = {"line": part.line_of(row)} if part.line_of else {}
                return {"row": row, "file": part.name, **line}
            row -= part.rows
        return {"row": row}


class Opened(ABC):
    """Data that are open: something with columns that an engine can group, or that can be read.

    Whatever a user names (files, a folder, a stream of Arrow, a table of a database) is opened as
    one of these, and all that is read of it goes through these four questions.
    """

    stays: bool  # whether an engine holds the rows, so that tallies are made there
    origin: str | File

    @property
    @abstractmethod
    def column_names(self) -> tuple[str, ...]:
        """The names of the columns."""

    def refuse_missing(self, wanted: Iterable[Name]) -> None:
        """Raise if a wanted column is not there."""
        refuse_missing(wanted, self.column_names, self.origin)

    @abstractmethod
    def table(self, roles: Mapping[Name, str]) -> Table:
        """Read columns into memory; the roles say what text stands for, where there is text."""

    @abstractmethod
    def is_large(self, roles: Mapping[Name, str], memory_limit: str | None) -> bool:
        """Whether the columns need more memory than the limit, with all that is done there."""

    @abstractmethod
    def lazily(
        self, roles: Mapping[Name, str], memory_limit: str | None, progress: Any
    ) -> AbstractContextManager[Any]:
        """Give the columns as a `LazySource`, whose engine groups the rows."""

    def digests(self) -> tuple[tuple[str, str], ...]:
        """Return what was read and the SHA-256 of its bytes, "" where it has none of its own."""
        return ()

    @property
    def batch_name(self) -> str:
        """What a batch of these data is called, unless the user says so."""
        return ", ".join(name for name, _ in self.digests())


def read_table(
    data: Any, columns: Iterable[Name] | Mapping[Name, str], *, may_be_empty: bool = False
) -> Table:
    """Read the named columns, and no others, from a dataframe, a dict of columns, or files.

    Parameters
    ----------
    data
        Any dataframe that narwhals knows, eager or lazy (of a lazy one only the named columns are
        collected); a dict of columns; a `Table` that was read before; or what has to be opened:
        paths, patterns, addresses, streams of Arrow.
    columns
        The names. As a dict it also says what each column is for, "number", "label", "group" or
        "text" (such as identifiers): files that hold only text (CSV) are read accordingly.
    may_be_empty
        Return a table without rows where there are none, in place of an error.

    Examples
    --------
    >>> table = read_table({"label": [0, 1], "score": [0.2, 0.9], "note": ["a", "b"]}, ["score"])
    >>> list(table.columns), len(table)
    (['score'], 2)
    """
    roles = dict(columns) if isinstance(columns, Mapping) else dict.fromkeys(columns, GROUP)
    if isinstance(data, Table):
        refuse_missing(roles, data.columns, data.origin)
        table = data
    elif isinstance(data, Opened):
        data.refuse_missing(roles)
        table = data.table(roles)
    elif is_to_open(data):
        from rocwalk.read.opening import opened

        with opened(data) as known:
            return read_table(known, roles, may_be_empty=may_be_empty)
    elif isinstance(data, Mapping):
        table = _table_of_dict(data, roles)
    else:
        import narwhals.stable.v2 as nw

        frame = as_frame(data)
        refuse_missing(roles, frame_names(frame), "the dataframe")
        called: Mapping[Name, Any] = dict(zip(roles, roles, strict=True))
        if isinstance(frame, nw.LazyFrame):  # lazy stays lazy up to the columns that are needed
            frame, called = plainly_named(frame, roles)
            frame = frame.collect()
        series = {name: frame.get_column(called[name]).to_native() for name in roles}
        columns = {name: column_to_numpy(one, f"column {name!r}") for name, one in series.items()}
        _refuse_matrices(columns, roles)
        table = Table(columns, "the dataframe")
    if roles and not len(table) and not may_be_empty:
        raise InputError(("There are no rows in ", table.origin, "."), "pass at least one row.")
    return table


def column_names(data: Any) -> list[Name]:
    """Return the names of all columns of a dataframe, a dict of columns, or what is opened.

    >>> column_names({"label": [0, 1], "score": [0.2, 0.9]})
    ['label', 'score']
    """
    if isinstance(data, Opened):
        return list(data.column_names)
    if is_to_open(data):
        from rocwalk.read.opening import opened

        with opened(data) as known:
            return list(known.column_names)
    if isinstance(data, Mapping):
        return list(data)
    return frame_names(as_frame(data))


def columns_by_name(data: Any) -> Any:
    """Return the columns of numbers of a dataframe as a dict; anything else as it is."""
    if isinstance(data, Mapping):
        return data
    import narwhals.stable.v2 as nw

    if not nw.dependencies.is_into_dataframe(data):
        return data
    return read_table(data, dict.fromkeys(column_names(data), NUMBER)).columns


def is_files(data: Any) -> bool:
    """Whether the data are a path, a pattern, an address, or a list of them."""
    if isinstance(data, list | tuple):
        return bool(data) and all(isinstance(one, str | os.PathLike | DataSource) for one in data)
    return isinstance(data, str | os.PathLike | DataSource)


def is_to_open(data: Any) -> bool:
    """Whether the data have to be opened before they are read: files, addresses, Arrow's streams.

    Of tables that hand out Arrow, those that narwhals knows are read as they are.
    """
    return is_files(data) or is_arrow_dataset(data) or is_arrow_stream(data)


def is_arrow_dataset(data: Any) -> bool:
    """Whether the data are a dataset of pyarrow: files that are read in batches, repeatedly."""
    kind = type(data)
    return kind.__module__.startswith("pyarrow.") and all(
        hasattr(data, name) for name in ("scanner", "get_fragments", "schema")
    )


def is_arrow_stream(data: Any) -> bool:
    """Whether the data are batches of Arrow, which may come only once."""
    if isinstance(data, Opened | Table | Mapping | np.ndarray) or not hasattr(
        data, "__arrow_c_stream__"
    ):
        return False
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import NarwhalsError

    if nw.to_native(data, pass_through=True) is not data:
        return False
    try:
        return nw.from_native(data, pass_through=True, allow_series=True) is data
    except NarwhalsError:  # narwhals knows it; what is wrong with it is reported on reading
        return False


# -- looking columns up --------------------------------------------------------------------------


def refuse_missing(
    wanted: Iterable[Name], known: Iterable[Name], origin: Text, hint: str = ""
) -> None:
    """Raise if a wanted column is not there; the hint, unless given, is the nearest name."""
    names = list(known)
    for name in wanted:
        if name not in names:
            raise ColumnError(
                (f"There is no column {name!r} in ", origin, "."),
                hint
                or (
                    nearest(str(name), map(str, names)) if names else "there are no columns at all."
                ),
            )


def refuse_duplicates(names: Iterable[Name], *origin: Text) -> None:
    """Raise if two columns share a name."""
    for name, count in Counter(names).items():
        if count > 1:
            raise ColumnError(
                (f"There are {count} columns called {name!r} in ", *origin, "."),
                "rename them, so that each name means one column.",
            )


# -- dicts and dataframes ------------------------------------------------------------------------


def _table_of_dict(data: Mapping[Any, Any], roles: Mapping[Name, str]) -> Table:
    refuse_missing(roles, data, "the dict")
    columns = {name: column_to_numpy(data[name], f"column {name!r}") for name in roles}
    _refuse_matrices(columns, roles)
    first, rows = next(((name, len(column)) for name, column in columns.items()), ("", 0))
    for name, column in columns.items():
        if len(column) != rows:
            raise ColumnError(
                f"has {len(column):,} rows, column {first!r} {rows:,}.",
                "pass columns of one length.",
                column=name,
            )
    return Table(columns, "the dict")


def _refuse_matrices(columns: Mapping[Name, AnyArray], roles: Mapping[Name, str]) -> None:
    """Raise for columns of rows: matrices, records, lists of one length."""
    for name, column in columns.items():
        hint = "pass one-dimensional columns."
        if column.ndim != 1:
            if column.shape[1:] == (2,) and roles[name] == NUMBER:
                hint = "use [:, 1], the column of the positive class."
            what = f"has {column.ndim} dimensions, shape {column.shape}."
            raise ColumnError(what, hint, column=name)
        if column.dtype.kind == "V":
            raise ColumnError("holds records, not single values.", hint, column=name)


def as_frame(data: Any) -> Any:
    """Return a dataframe as a narwhals frame; raise if it is no table or repeats a column."""
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    native = nw.to_native(data, pass_through=True)
    # polars warns that looking costs, and refuses columns of one name itself
    columns = None if hasattr(native, "collect_schema") else getattr(native, "columns", None)
    if isinstance(columns, list) and all(isinstance(name, str) for name in columns):
        # Spark does not report columns of one name
        refuse_duplicates(columns, "the dataframe")
    try:
        frame = nw.from_native(data)
        frame_names(frame)  # some engines look at the names only when asked
    except DuplicateError:
        refuse_duplicates(getattr(data, "column_names", None) or data.columns, "the dataframe")
        raise
    except TypeError:
        raise InputError(
            f"is {kind_of(data)}, not a table.",
            "pass a dataframe, a dict of columns, or the path of a CSV, TSV, Parquet or "
            "JSON-lines file.",
            argument="data",
        ) from None
    return frame


def frame_names(frame: Any) -> list[Name]:
    """Return the names of the columns of a narwhals frame."""
    return list(frame.collect_schema().names())


def plainly_named(frame: Any, wanted: Iterable[Name]) -> tuple[Any, dict[Name, str]]:
    """Return some columns of a lazy narwhals frame under plain names, and these names.

    Engines take names in expressions for patterns (``^p$``), for all columns (``*``), or for their
    own syntax (dots, backticks); as names to be changed they are taken as they are.
    """
    import narwhals.stable.v2 as nw

    prefix = "v"
    while any(str(name).startswith(prefix) for name in frame_names(frame)):
        prefix += "_"
    aliases = {name: f"{prefix}{place}" for place, name in enumerate(dict.fromkeys(wanted))}
    if "" in aliases:
        raise ColumnError(
            "There is a column without a name, which this engine does not find.",
            "give the column a name.",
        )
    native, kind = frame.to_native(), frame.implementation
    if kind.is_duckdb():
        quoted = {name: str(name).replace('"', '""') for name in aliases}
        listed = ", ".join(f'"{quoted[name]}" AS {alias}' for name, alias in aliases.items())
        return nw.from_native(native.project(listed)), aliases
    if kind.is_spark_like():
        frame = nw.from_native(native.withColumnsRenamed(aliases))
    else:
        frame = frame.rename(aliases)
    return frame.select(*aliases.values()), aliases


# -- labels named in text ------------------------------------------------------------------------


def match_label(values: AnyArray, text: str) -> Any:
    """Return the label that a user means by `text`, for instance on the command line.

    It is the label written the same way, else the one that is the same number: "1" stands for 1,
    1.0 and True. Booleans may be written in any case. No or several such labels are an error.

    >>> match_label(np.array(["no", "yes"]), "yes"), match_label(np.array([0, 1]), "1.0")
    ('yes', 1)
    """
    plain = np.unique(values) if values.dtype.kind in "biufU" else values
    labels = sorted((one for one in set(plain.tolist()) if not is_missing(one)), key=str)
    number, folded = _number(text), text.casefold()
    ways = (
        [label for label in labels if str(label) == text],
        [one for one in labels if isinstance(one, bool) and str(one).casefold() == folded],
        [label for label in labels if number is not None and _number(label) == number],
    )
    for found in ways:
        if len(found) == 1:
            return found[0]
        if found:
            raise LabelError(
                f"{text!r} could mean any of the labels {', '.join(map(repr, found))}.",
                "write the label as it stands in the data.",
            )
    raise absent_label(text, labels)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


# -- groups ----------------------------------------------------------------------------------------


def grouped(table: Table, by: Sequence[Name]) -> tuple[list[tuple[Any, ...]], IntArray]:
    """Return the groups that occur, sorted, and the number of each row's group."""
    values: list[tuple[Any, ...]] = [()]
    codes = np.zeros(len(table), dtype=np.int64)
    for name in by:
        own, own_codes = _coded(table, name)
        present, codes = np.unique(codes * len(own) + own_codes, return_inverse=True)
        values = [(*values[i // len(own)], own[i % len(own)]) for i in present.tolist()]
    return values, codes


_NUMBERS = (int, float)
_FAMILIES: tuple[Any, ...] = (bool, _NUMBERS, str, bytes, datetime, date)
_PLAIN = {_NUMBERS, str, bytes}  # the families that are no lists, though they can be iterated over


def families(values: Iterable[Any]) -> set[Any]:
    """Return what kinds of values there are; values of one kind are sorted among each other."""
    return {
        next((kind for kind in _FAMILIES if isinstance(value, kind)), type(value))
        for value in values
    }


def _coded(table: Table, name: Name) -> tuple[list[Any], IntArray]:
    """Return the distinct values of a column, sorted, a missing one last, and each row's number."""
    column = table[name]
    gaps = missing_labels(column)
    codes = np.empty(len(column), dtype=np.int64)
    if column.dtype.kind != "O":
        filled = column[~gaps]
        known, codes[~gaps] = np.unique(
            filled + 0.0 if filled.dtype.kind == "f" else filled, return_inverse=True
        )
        if known.dtype.kind == "M" and np.datetime_data(known.dtype)[0] == "ns":
            known = known.astype("datetime64[us]")  # of nanoseconds NumPy makes integers
        values = known.tolist()
    else:
        present = list(map(plain, column[~gaps]))
        try:
            kinds = families(present)
            if len(kinds) > 1 or any(hasattr(kind, "__iter__") for kind in kinds - _PLAIN):
                raise TypeError
            values = sorted(set(present))
        except TypeError:
            raise ColumnError(
                "cannot make groups.",
                "use a column of one type: text, numbers, booleans or dates, and no lists.",
                column=name,
                **table.where(),
            ) from None
        number = {value: place for place, value in enumerate(values)}
        codes[~gaps] = [number[value] for value in present]
    codes[gaps] = len(values)
    return [*values, None], codes
