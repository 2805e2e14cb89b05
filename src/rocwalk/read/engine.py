"""Engines of lazy tables: in what they differ, as far as tallies depend on it.

All other files of this room write one expression of narwhals for every engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """What sets an engine apart.

    Attributes
    ----------
    knows_case
        Whether two columns may have names that differ in case only; in SQL they may not.
    can_unpivot
        Whether narwhals can stack its columns in one step.
    repeats_expressions
        Whether an expression is computed again wherever it is used, as databases do.
    adds_integers_fast
        Whether sums of short integers are fast, and exact.
    writes_booleans
        Whether booleans with gaps become the texts "True" and "False".
    """

    knows_case: bool = False
    can_unpivot: bool = True
    repeats_expressions: bool = False
    adds_integers_fast: bool = False
    writes_booleans: bool = False


_IBIS = Engine(can_unpivot=False, repeats_expressions=True, adds_integers_fast=True)
_DASK = Engine(knows_case=True, writes_booleans=True)
_POLARS = Engine(knows_case=True)
_OTHER = Engine()


def engine_of(frame: Any) -> Engine:
    """Return the engine of a frame of narwhals."""
    kind = frame.implementation
    if kind.is_ibis():
        return _IBIS
    if kind.is_dask():
        return _DASK
    return _POLARS if kind.is_polars() else _OTHER


def can_group(frame: Any) -> bool:
    """Whether the engine can compute what rows are grouped by; SQLite, behind Ibis, cannot."""
    if not frame.implementation.is_ibis():
        return True
    import narwhals.stable.v2 as nw
    from ibis.common.exceptions import OperationNotDefinedError, UnsupportedOperationError

    number = nw.lit(0.5)
    asked = frame.with_columns(number.is_finite().alias("f"), number.is_nan().alias("n"))
    try:
        query_of(asked)
    except (OperationNotDefinedError, UnsupportedOperationError):
        return False
    return True


def query_of(frame: Any) -> str:
    """Return what the engine of a lazy frame of narwhals is asked: SQL, or the plan that it has."""
    native, kind = frame.to_native(), frame.implementation
    if kind.is_ibis():
        import ibis

        return str(ibis.to_sql(native))
    if kind.is_polars():
        return str(native.explain())
    if kind.is_spark_like() and hasattr(native, "_jdf"):
        return str(native._jdf.queryExecution().optimizedPlan().toString())  # noqa: SLF001
    return f"{kind.name.capitalize()} computes the columns {', '.join(frame.columns)}."
