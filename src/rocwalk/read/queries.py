"""Queries: what was asked of the engine that holds the data, kept for those who want to see it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_ASKED: ContextVar[tuple[list[str], ...]] = ContextVar("_ASKED", default=())


@contextmanager
def noting_queries() -> Iterator[list[str]]:
    """Give a list of the queries that are sent to engines from here on, in their order."""
    asked: list[str] = []
    token = _ASKED.set((*_ASKED.get(), asked))
    try:
        yield asked
    finally:
        _ASKED.reset(token)


def note_query(query: str) -> None:
    """Keep a query for whoever wants to see it."""
    for asked in _ASKED.get():
        asked.append(query)


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
