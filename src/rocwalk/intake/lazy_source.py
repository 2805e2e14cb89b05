"""Which tables stay where they are, and how what comes back of them is collected."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from rocwalk.intake.frames import Name, Table, as_frame, frame_names, is_files, refuse_missing
from rocwalk.intake.profile import Run

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

    def where(self, name: Name, test: str) -> str:  # noqa: ARG002
        """Say where the first rows are whose value fails a test; a lazy frame has no order."""
        return ""


@contextmanager
def lazy_source(
    data: Any,
    roles: Mapping[Name, str],
    limit: int | None,
    memory_limit: str | None,
    progress: Progress | None,
) -> Iterator[LazySource | None]:
    """Give the data as a lazy frame, or None if they are better read into memory.

    Those are tables that are in memory already, unless they have more rows than `limit`, and files
    that fit well into the memory that they may take.
    """
    import narwhals.stable.v2 as nw

    if is_files(data):
        from rocwalk.intake.relations import fits_memory, open_relation

        if limit is None and fits_memory(data, len(roles), memory_limit):
            yield None
        else:
            with open_relation(data, roles, memory_limit, progress) as relation:
                yield relation
        return
    if isinstance(data, Table | Mapping):
        yield None
        return
    frame = as_frame(data)
    refuse_missing(roles, frame_names(frame), "the dataframe")
    if isinstance(frame, nw.LazyFrame):
        yield LazySource(frame, _collect, {})
    elif limit is not None and len(frame) > limit:
        yield LazySource(frame.lazy(), _collect, {})
    else:
        yield None


def _collect(frame: Any) -> Any:
    return frame.collect("pyarrow").to_native()
