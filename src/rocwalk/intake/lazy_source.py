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

    if is_files(data) or isinstance(data, Table | Mapping):
        yield None
        return
    frame = as_frame(data)
    refuse_missing(roles, frame_names(frame), "the dataframe")
    if isinstance(frame, nw.LazyFrame):
        yield LazySource(frame, _collect)
    elif limit is not None and len(frame) > limit:
        yield LazySource(frame.lazy(), _collect)
    else:
        yield None


def _collect(frame: Any) -> Any:
    return frame.collect("pyarrow").to_native()
