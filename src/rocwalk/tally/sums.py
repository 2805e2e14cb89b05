"""Sums of long columns: the same bits on every machine, with a rounding error that hardly grows.

A column is added up in blocks, each in 1,024 lanes: lane i adds rows i, i + 1024, … in their order.
The lanes of a block are added in pairs, the blocks exactly. No product goes through BLAS, whose
threads spin while they wait and whose results depend on their number.
"""

from __future__ import annotations

import math

import numpy as np

from rocwalk.tally import kernel
from rocwalk.tally.threads import in_parts, thread_count
from rocwalk.typing import AnyArray, FloatArray

_LANES, _BLOCK = 1024, 2**16  # as in kernel.c


def dot(one: AnyArray, other: FloatArray) -> float:
    """Return Σ one·other.

    >>> dot(np.array([1, 0, 1]), np.array([0.5, 0.25, 0.125]))
    0.625
    """
    blocks = (slice(at, at + _BLOCK) for at in range(0, len(other), _BLOCK))
    return math.fsum(float(_lanes(one[block] * other[block]).sum()) for block in blocks)


def class_moments(positive: AnyArray, scores: FloatArray) -> tuple[float, float, float]:
    """Return the number of positives, the sum of their scores, and the sum of all scores."""
    starts = range(0, len(scores), _BLOCK)
    sums = np.zeros((len(starts), 3, _LANES))

    def add(some: slice) -> None:
        rows = slice(some.start * _BLOCK, some.stop * _BLOCK)
        if kernel.moments(positive[rows], scores[rows], sums[some]):
            return
        room = np.empty(min(_BLOCK, len(scores)))
        for row, at in zip(sums[some], starts[some], strict=True):
            labels, part = positive[at : at + _BLOCK], scores[at : at + _BLOCK]
            up = room[: len(part)]
            np.copyto(up, labels)
            up *= part
            row[0, 0], row[1], row[2] = np.count_nonzero(labels), _lanes(up), _lanes(part)

    in_parts(len(starts), add, thread_count(len(scores)))
    ups, up_scores, totals = sums.sum(axis=2).T.tolist()
    return math.fsum(ups), math.fsum(up_scores), math.fsum(totals)


def _lanes(values: FloatArray) -> FloatArray:
    whole = len(values) // _LANES * _LANES
    lanes: FloatArray = np.add.reduce(values[:whole].reshape(-1, _LANES), axis=0)
    lanes[: len(values) - whole] += values[whole:]
    return lanes
