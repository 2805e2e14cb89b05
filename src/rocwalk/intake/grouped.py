"""Groups: the values that columns take together, sorted, and which rows have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocwalk.errors import ColumnError, sentence
from rocwalk.intake.frames import Name, Table
from rocwalk.typing import IntArray


def grouped(table: Table, by: Sequence[Name]) -> tuple[list[tuple[Any, ...]], IntArray]:
    """Return the groups that occur, sorted, and the number of each row's group."""
    values: list[tuple[Any, ...]] = [()]
    codes = np.zeros(len(table), dtype=np.int64)
    for name in by:
        own, own_codes = _coded(table, name)
        present, codes = np.unique(codes * len(own) + own_codes, return_inverse=True)
        values = [(*values[i // len(own)], own[i % len(own)]) for i in present.tolist()]
    return values, codes


def _coded(table: Table, name: Name) -> tuple[list[Any], IntArray]:
    """Return the distinct values of a column, sorted, a missing one last, and each row's number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = table[name]
    try:
        values = pa.array(column + 0.0 if column.dtype.kind == "f" else column, from_pandas=True)
        encoded = values.dictionary_encode()
        order = pc.sort_indices(encoded.dictionary)
    except (pa.ArrowException, OverflowError):
        raise ColumnError(
            sentence(f"{table.column(name)} cannot make groups."),
            "use a column of one type: text, numbers, booleans or dates, and no lists.",
        ) from None
    rank = np.full(len(order) + 1, len(order), dtype=np.int64)
    rank[order.to_numpy()] = np.arange(len(order))
    codes = rank[encoded.indices.fill_null(len(order)).to_numpy()]
    return [*encoded.dictionary.take(order).to_pylist(), None], codes
