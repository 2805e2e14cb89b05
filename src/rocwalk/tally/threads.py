"""Threads that share the work on large columns.

``ROCWALK_THREADS`` limits their number (default: one for each processor). No result depends
on it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from rocwalk.errors import in_this_context
from rocwalk.typing import AnyArray, FloatArray, IntArray

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

S = TypeVar("S")
T = TypeVar("T")

_ROWS_OF_THREAD = 2**17  # a thread that has fewer costs more than it helps
_BLOCK = 2**14  # rows that stay in the cache


def thread_limit() -> int:
    """Return how many threads may be used: ROCWALK_THREADS, or one for each processor."""
    given = os.environ.get("ROCWALK_THREADS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(rows: int) -> int:
    """Return how many threads share the work on so many rows."""
    most = rows // _ROWS_OF_THREAD
    return min(thread_limit(), most) if most > 1 else 1


_POOL: list[ThreadPoolExecutor] = []  # one at most, made on use
_LOCK = threading.Lock()


def _forget_pool() -> None:
    """Forget the pool in a process that was forked: its threads have stayed behind."""
    global _LOCK  # noqa: PLW0603  # which may be held by one of them
    _LOCK = threading.Lock()
    _POOL.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def in_threads(calls: Iterable[Callable[[], Any]]) -> list[Any]:
    """Make the calls in parallel and return their results; the last is made in this thread.

    This thread also makes the calls that no other thread has begun by then: all may be busy, or
    none can be started any more, as after the main thread has ended.
    """
    *others, last = calls
    if not others or thread_limit() == 1:
        return [call() for call in (*others, last)]
    from concurrent.futures import Future

    futures: list[Future[Any]] = [Future() for _ in others]
    with suppress(RuntimeError):  # no thread can be started
        pool = _pool()
        for future, call in zip(futures, others, strict=True):
            pool.submit(_begin, future, call)
    own = last()
    found = [
        call() if future.cancel() else future.result()
        for future, call in zip(futures, others, strict=True)
    ]
    return [*found, own]


def _pool() -> ThreadPoolExecutor:
    with _LOCK:
        if not _POOL:
            from concurrent.futures import ThreadPoolExecutor

            _POOL.append(ThreadPoolExecutor(thread_limit() - 1, "rocwalk"))
        return _POOL[0]


def _begin(future: Future[Any], call: Callable[[], Any]) -> None:
    """Make a call for a future, unless it was cancelled: then another thread has made it."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except BaseException as error:  # noqa: BLE001  # raised again where the result is asked for
        future.set_exception(error)


def side_by_side(work: Callable[[S], T], items: Sequence[S], threads: int | None) -> Iterator[T]:
    """Yield the result of the work for each item, in order, by this many threads or those allowed.

    Warnings are collected as in this thread, which does all of the work where no other can be
    started; an item may then be worked on twice.
    """
    workers = min(threads or thread_limit(), len(items))
    found: Iterator[T] = map(work, items)
    with ExitStack() as stack:
        if workers > 1:
            with suppress(RuntimeError):  # no more threads, as after the main thread has ended
                from concurrent.futures import ThreadPoolExecutor

                pool = stack.enter_context(ThreadPoolExecutor(workers))
                found = pool.map(in_this_context(work), items)
        yield from found


def divided(column: AnyArray, by: float) -> FloatArray:
    """Return a column divided by a number."""
    out = np.empty(len(column))
    n = len(column)
    in_parts(n, lambda part: np.divide(column[part], by, out=out[part]), thread_count(n))
    return out


def counts_of_rates(rates: FloatArray, total: int) -> IntArray:
    """Return the counts k of rates k / total."""
    out = np.empty(len(rates), dtype=np.int64)

    def count(part: slice) -> None:
        for start in range(part.start, part.stop, _BLOCK):
            block = slice(start, min(start + _BLOCK, part.stop))
            counts = rates[block] * total
            out[block] = np.rint(counts, out=counts)

    in_parts(len(rates), count, thread_count(len(rates)))
    return out


def in_parts(n: int, call: Callable[[slice], object], threads: int) -> None:
    """Call a function with consecutive parts of a range of n, one part for each thread."""
    parts = [slice(n * i // threads, n * (i + 1) // threads) for i in range(threads)]
    in_threads([partial(call, part) for part in parts])
