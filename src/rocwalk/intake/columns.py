"""Turn a column of any library into a NumPy array.

narwhals knows the dataframe libraries; lists and the like go through NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.errors import InputError
from rocwalk.typing import AnyArray


def column_to_numpy(column: Any, name: str) -> AnyArray:
    """Return the column as a NumPy array; missing values become NaN, or None among objects."""
    if isinstance(column, np.ndarray):
        if isinstance(column, np.ma.MaskedArray):
            return _with_gaps(column.data, np.ma.getmaskarray(column))
        return np.asarray(column)
    if isinstance(column, str | bytes | dict) or not hasattr(column, "__len__"):
        raise _no_column(column, name)
    if isinstance(column, list | tuple | range):
        return _sequence_to_numpy(column, name)
    return _series_to_numpy(column, name)


def _sequence_to_numpy(column: Any, name: str) -> AnyArray:
    try:
        array = np.array(column)
    except ValueError as error:  # rows of unequal length
        raise InputError(
            f"{name} is a nested list of unequal lengths.", f"pass a flat list as {name}."
        ) from error
    if array.dtype.kind in "US" and not all(isinstance(value, str | bytes) for value in column):
        return objects(column)  # NumPy has written numbers as text
    return array


def _series_to_numpy(column: Any, name: str) -> AnyArray:
    import narwhals.stable.v2 as nw

    try:
        series = nw.from_native(column, series_only=True)
    except TypeError:
        return _foreign_to_numpy(column, name)
    if series.dtype.is_decimal():
        series = series.cast(nw.Float64)
    if not series.null_count():
        return np.asarray(series.to_numpy())
    gaps = series.is_null().to_numpy()
    if series.dtype.is_float():
        return _with_gaps(np.asarray(series.fill_null(0.0).to_numpy()), gaps)
    return _with_gaps(objects(series.to_list()), gaps)


def _foreign_to_numpy(column: Any, name: str) -> AnyArray:
    """Read what narwhals does not know: pyarrow arrays that are not chunked, array protocols."""
    if hasattr(column, "to_pylist") and not hasattr(column, "column_names"):
        import pyarrow as pa

        return _series_to_numpy(pa.chunked_array([column]), name)
    try:
        array = np.asarray(column)
    except Exception as error:  # whatever a foreign __array__ raises
        raise InputError(
            f"{name} is {_kind(column)}, which cannot be read as a column.",
            f"pass a list, or a NumPy, pandas, polars or pyarrow column as {name}.",
        ) from error
    if array.ndim == 0:
        raise _no_column(column, name)
    return array


def _no_column(column: Any, name: str) -> InputError:
    hint = f"pass a list, or a NumPy, pandas, polars or pyarrow column as {name}."
    if hasattr(column, "truth"):  # votes, or what was made of them
        hint = f"pass its .truth as {name}."
    return InputError(f"{name} is {_kind(column)}, not a column.", hint)


def _with_gaps(array: AnyArray, gaps: AnyArray) -> AnyArray:
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


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}" if value is not None else "None"
