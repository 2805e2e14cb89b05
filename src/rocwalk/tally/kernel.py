"""Drive the compiled kernel: rows in order of decreasing score, faster than by sorting.

Three phases (docs/decisions/0015-an-optional-kernel.rst). Count how many rows fall into each slot,
a range of scores; scatter the rows to their slots; finish slot by slot, in the cache. Each works on
a range of rows or of slots, so threads share the work; rows keep their order within a slot, so the
results do not depend on the number of threads.

Each function returns None where there is no kernel or where it does not apply: the caller then
takes NumPy's way, which gives the same bits. ``ROCWALK_PURE=1`` switches the kernel off.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rocwalk.tally.threads import in_threads, thread_count
from rocwalk.typing import AnyArray, FloatArray, IntArray


def _compiled() -> Any:
    if os.environ.get("ROCWALK_PURE", "") not in {"", "0"}:
        return None
    try:
        from rocwalk.tally import _kernel  # type: ignore[attr-defined,unused-ignore]
    except ImportError:  # installed without a compiler
        return None
    return _kernel


_KERNEL = _compiled()
_FEWEST = 2**15  # with fewer rows numpy.sort is faster, where it is vectorised
_MOST = 2**31  # rows from which counts of pairs might not fit into 64 bits
_SLOTS = 1024  # more of them, written to in turn, leave the cache
_ROWS_OF_SLOT = 2**12  # records; of keys, which are half as long, twice as many are as fast
_KEYS, _UNSORTED_KEYS = 2, 4  # times as many in a slot; pairs are counted without a sort of most
_SCORES_OF_QUERY = 16  # with more of them for each query a bisection is faster
_SAMPLE = 4096  # scores that decide how slots are laid out
_HALVES, _TALLY, _RATES, _CLASSES, _ORDER, _WEIGHTS, _TRUTH = range(7)  # as in kernel.c
_NOTHING: AnyArray = np.empty(0, dtype=np.uint8)
_SIGN, _ALL = 1 << 63, (1 << 64) - 1

Plan = tuple[
    float, float, float, int, int
]  # top, grid, last slot, rank of the highest score, shift


def is_used() -> bool:
    """Whether the compiled kernel is there and not switched off."""
    return _KERNEL is not None


# -- how slots are laid out ------------------------------------------------------------------------


def _rank(score: float) -> int:
    """Return the bit pattern of a float as an integer that rises with it."""
    bits = int(np.float64(score + 0.0).view(np.uint64))
    return bits ^ (_ALL if bits & _SIGN else _SIGN)


def _plan(scores: FloatArray, low: float, high: float, rows: int) -> Plan:
    """Return slots of equal width in the score or, if these would be crowded, in its bits.

    They hold about so many rows, and more if there would be too many slots.
    """
    last, ceiling = float(min(max(len(scores) // rows, 4), _SLOTS) - 1), _rank(high)
    width = (ceiling - _rank(low)).bit_length()
    by_bits = (high, 0.0, last, ceiling, max(width - int(last).bit_length(), 0))
    even = _even_plan(low, high, last, ceiling)
    if even is None:
        return by_bits
    sample = scores[:: max(len(scores) // _SAMPLE, 1)][:_SAMPLE]
    if _crowding(sample, even) <= 4.0 / (last + 1.0) + 4.0 / len(sample):
        return even
    few = np.partition(sample, [len(sample) // 256, len(sample) - 1 - len(sample) // 256])
    inner = _even_plan(
        float(few[len(few) // 256]), float(few[len(few) - 1 - len(few) // 256]), last, ceiling
    )
    plans = [plan for plan in (even, by_bits, inner) if plan is not None]
    return min(plans, key=lambda plan: _crowding(sample, plan))


def _even_plan(low: float, high: float, last: float, ceiling: int) -> Plan | None:
    span = high - low
    grid = (last + 1.0) / span if span > 0.0 else math.inf
    return (high, grid, last, ceiling, 0) if 0.0 < grid < math.inf else None


def _crowding(sample: FloatArray, plan: Plan) -> float:
    """Return the probability that two scores of the sample share a slot."""
    top, grid, last, ceiling, shift = plan
    places: AnyArray
    if grid > 0.0:
        with np.errstate(over="ignore"):
            places = (top - sample) * grid
    else:
        bits = (sample + 0.0).view(np.uint64)
        ranks = bits ^ np.where(bits >> np.uint64(63), np.uint64(_ALL), np.uint64(_SIGN))
        places = (np.uint64(ceiling) - ranks) >> np.uint64(shift)
    counts = np.bincount(np.clip(places, 0.0, last).astype(np.int64))
    return float(counts @ counts) / len(sample) ** 2


# -- count and scatter -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class _Slots:
    """Rows in their slots: keys or records, and where each stream of them starts.

    Keys lie in `room` behind one free place, for the threshold +inf of a tally.
    """

    room: AnyArray
    items: AnyArray
    starts: IntArray
    ceiling: int

    @property
    def ends(self) -> IntArray:
        """Where each slot starts, and after it the number of rows."""
        return self.starts if self.items.ndim == 2 else self.starts[::2]

    def finish(self, kind: int, scores: Any, one: Any, other: Any, found: Any) -> list[Any]:
        """Return what each thread returns; the results are written into the arrays.

        Each thread has a range of slots of about as many rows.
        """
        rows = int(self.ends[-1])
        threads = thread_count(rows)
        cuts = np.searchsorted(self.ends, rows * np.arange(1, threads) / threads).tolist()
        ranges = zip([0, *cuts], [*cuts, len(self.ends) - 1], strict=True)
        arrays = [_NOTHING if array is None else array for array in (scores, one, other, found)]
        fixed = (kind, self.items, self.starts)
        return in_threads(
            [partial(_KERNEL.finish, *fixed, *ends, self.ceiling, *arrays) for ends in ranges]
        )


def _scattered(
    scores: FloatArray,
    low: float,
    high: float,
    labels: AnyArray | None = None,
    loads: AnyArray | None = None,
    *,
    is_record: bool = False,
    times: int = _KEYS,
) -> _Slots | None:
    """Return the rows in their slots, or None without a kernel or for too few or too many rows.

    A slot holds `times` as many keys as one of records.
    """
    if not _applies(scores):
        return None
    n = len(scores)
    column, classes = _plain(scores), _plain_labels(labels)
    load = _NOTHING if loads is None else _plain(loads)
    plan = _plan(scores, low, high, _ROWS_OF_SLOT * (1 if is_record else times))
    streams = (int(plan[2]) + 1) * (1 if labels is None or is_record else 2)
    threads = thread_count(n)
    cuts = [n * i // threads for i in range(threads + 1)]

    def each(labels: AnyArray, places: IntArray, items: AnyArray, width: int) -> None:
        in_threads(
            [
                partial(_KERNEL.scatter, column, labels, load, *ends, plan, own, items, width)
                for *ends, own in zip(cuts[:-1], cuts[1:], places, strict=True)
            ]
        )

    counts = np.zeros((threads, streams), dtype=np.int64)
    each(_NOTHING if is_record else classes, counts, _NOTHING, 0)
    starts = np.zeros(streams + 1, dtype=np.int64)
    np.cumsum(counts.sum(axis=0), out=starts[1:])
    places = starts[:-1] + np.cumsum(counts, axis=0) - counts
    room = np.empty((n, 2) if is_record else n + 1, dtype=np.uint64)
    items = room if is_record else room[1:]
    each(classes, places, items, 16 if is_record else 8)
    if labels is None and not is_record:  # negatives only: each slot has a second, empty stream
        starts = np.append(np.repeat(starts[:-1], 2), starts[-1])
        starts[1:-1:2] = starts[2::2]
    return _Slots(room, items, starts, plan[3])


def _applies(scores: FloatArray) -> bool:
    return _KERNEL is not None and max(_FEWEST, 1) <= len(scores) < _MOST


def _plain(column: AnyArray) -> AnyArray:
    """Return 8-byte floats in the order and alignment that C expects."""
    return np.require(column, dtype=np.float64, requirements=("C", "A"))


def _plain_labels(labels: AnyArray | None) -> AnyArray:
    if labels is None:
        return _NOTHING
    if labels.dtype not in (np.dtype(bool), np.dtype(np.int64)):
        labels = labels != 0
    return np.require(labels, requirements=("C", "A")).view(np.uint8)


# -- what is made of it ----------------------------------------------------------------------------


def pairs_of_labels(
    positive: AnyArray, scores: FloatArray, low: float, high: float
) -> tuple[int, int, int] | None:
    """Return 2·(pairs in order) + (tied pairs), the positives and the negatives."""
    slots = _scattered(scores, low, high, positive, times=_UNSORTED_KEYS)
    if slots is None:
        return None
    counts = np.diff(slots.starts)
    right, up = counts[::2], counts[1::2]
    below = len(scores) - int(up.sum()) - np.cumsum(right)
    inside = sum(slots.finish(_HALVES, None, None, None, None))
    return 2 * int(up @ below) + inside, int(up.sum()), int(right.sum())


def counts_by_score(
    positive: AnyArray, scores: FloatArray, low: float, high: float
) -> tuple[FloatArray, IntArray, IntArray] | None:
    """Return +inf and the distinct scores in decreasing order, and the counts of either class."""
    slots = _scattered(scores, low, high, positive)
    if slots is None:
        return None
    up, right = (np.empty(len(scores), dtype=np.int64) for _ in range(2))
    thresholds, up, right = _by_score(slots, _TALLY, up, right)
    return thresholds, up, right


def rates_by_score(
    positive: AnyArray, scores: FloatArray, low: float, high: float
) -> tuple[FloatArray, FloatArray, FloatArray, tuple[int, int]] | None:
    """Return thresholds, TPR and FPR of the ROC curve, and the positives and the negatives.

    The first point is (0, 0) at the threshold +inf. None without both classes.
    """
    slots = _scattered(scores, low, high, positive)
    if slots is None:
        return None
    counts = np.diff(slots.starts)
    totals = int(counts[1::2].sum()), int(counts[::2].sum())
    if not all(totals):
        return None
    tpr, fpr = (np.empty(len(scores) + 1) for _ in range(2))
    tpr[0] = fpr[0] = 0.0
    thresholds, tpr, fpr = _by_score(slots, _RATES, tpr, fpr)
    return thresholds, tpr, fpr, totals


def _by_score(
    slots: _Slots, kind: int, one: AnyArray, other: AnyArray
) -> tuple[FloatArray, AnyArray, AnyArray]:
    """Return +inf and the distinct scores, and two columns at their rows; all cut to length.

    Columns that are longer than the rows have a first value of their own, as the thresholds do.
    """
    n, starts = len(slots.items), slots.ends
    thresholds: FloatArray = slots.room.view(np.float64)  # scores take the place of keys
    whole = (thresholds, one, other)
    rows = [column[len(column) - n :] for column in whole]
    found = np.zeros(len(starts) - 1, dtype=np.int64)
    slots.finish(kind, rows[0], rows[1], rows[2], found)
    thresholds[0] = np.inf
    total = int(found.sum())
    if total == n:
        return whole
    # ties leave gaps at the end of each slot: rows move up
    ends = np.cumsum(found)
    moves = [each.tolist() for each in (ends - found, ends, starts[:-1], starts[:-1] + found)]

    def closed(column: AnyArray) -> None:
        for to, to_end, start, end in zip(*moves, strict=True):
            column[to:to_end] = column[start:end]

    in_threads([partial(closed, column) for column in rows])
    cut = [column[: len(column) - n + total] for column in whole]
    thresholds, one, other = cut if 2 * total > n else (column.copy() for column in cut)
    return thresholds, one, other


def moments(positive: AnyArray, scores: FloatArray, sums: FloatArray) -> bool:
    """Add up positives, their scores and all scores in lanes, as `sums.class_moments` does."""
    if not _applies(scores):
        return False
    _KERNEL.moments(_plain(scores), _plain_labels(positive), sums)
    return True


def rows_in_order(
    scores: FloatArray, low: float, high: float
) -> tuple[IntArray, FloatArray] | None:
    """Return the rows in order of decreasing score, equal ones as they come, and their scores."""
    slots = _scattered(scores, low, high, is_record=True)
    if slots is None:
        return None
    ordered, order = np.empty(len(scores)), np.empty(len(scores), dtype=np.int64)
    slots.finish(_ORDER, ordered, order, None, None)
    return order, ordered


def masses_in_order(
    truth: AnyArray, weights: FloatArray | None, scores: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Return scores in decreasing order with the masses w·f and w·(1 − f) of each row.

    None for soft truth with weights, of which a record holds only one.
    """
    if not _applies(scores):
        return None
    if weights is None:
        loads, labels, kind = truth.astype(np.float64, copy=False), None, _TRUTH
    elif truth.dtype.kind in "bi":
        loads, labels, kind = weights, truth, _WEIGHTS
    else:
        return None
    ends = float(scores.min()), float(scores.max())
    slots = _scattered(scores, *ends, labels, loads, is_record=True)
    if slots is None:
        return None
    ordered, up, right = (np.empty(len(scores)) for _ in range(3))
    slots.finish(kind, ordered, up, right, None)
    return ordered, up, right


def classes_in_order(
    positive: AnyArray | None,
    scores: FloatArray,
    low: float | None = None,
    high: float | None = None,
) -> tuple[FloatArray, FloatArray] | None:
    """Return the scores of the positives and of the negatives, each in increasing order.

    Without labels all are negatives.
    """
    if not _applies(scores):
        return None
    low, high = scores.min() if low is None else low, scores.max() if high is None else high
    slots = _scattered(scores, float(low), float(high), positive)
    if slots is None:
        return None
    counts = np.diff(slots.starts)
    right, up = np.empty(int(counts[::2].sum())), np.empty(int(counts[1::2].sum()))
    slots.finish(_CLASSES, None, right, up, None)
    return up, right


def places(scores: FloatArray, queries: FloatArray, *, after: bool) -> IntArray | None:
    """Return where queries belong among scores, both in increasing order: before equals or after.

    None where the queries are so few that a bisection for each is faster.
    """
    if not _applies(scores) or len(queries) * _SCORES_OF_QUERY < len(scores):
        return None
    found: IntArray = np.empty(len(queries), dtype=np.int64)
    _KERNEL.places(_plain(scores), _plain(queries), after, found)
    return found
