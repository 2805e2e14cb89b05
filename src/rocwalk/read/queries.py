"""Queries: what the engine that holds the data was asked, kept for `--explain` and `.queries`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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
