"""Pairs one by one, where there are few enough of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rocwalk.typing import FloatArray, IntArray
from rocwalk.walk.sides import Sides

_CHUNK = 2**20


def near_counts(sides: Sides, reach: float) -> tuple[IntArray, IntArray]:
    """Return for each of the few where the many within reach begin and end."""
    few, many = sides.few.scores, sides.many.scores
    return (
        np.searchsorted(many, few - reach, "left"),
        np.searchsorted(many, few + reach, "right"),
    )


def all_between(low: IntArray, high: IntArray) -> tuple[IntArray, IntArray]:
    """Return every number from low to high of each row, and the row that it belongs to."""
    size = high - low
    row = np.repeat(np.arange(len(size)), size)
    return row, np.arange(int(size.sum())) + np.repeat(low - (np.cumsum(size) - size), size)


def near_pairs(
    sides: Sides, low: IntArray, high: IntArray
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield D = positive − negative and the share of each pair, some millions at a time."""
    many, counts = sides.many, high - low
    done = 0
    while done < len(counts):
        sums = np.cumsum(counts[done:])
        stop = done + max(int(np.searchsorted(sums, _CHUNK, "right")), 1)
        row, column = all_between(low[done:stop], high[done:stop])
        row += done
        difference = sides.few.scores[row] - many.scores[column]
        share = np.full(len(row), 1.0 / len(sides.few) / len(many))
        if sides.few.shares is not None and many.shares is not None:
            share = sides.few.shares[row] * many.shares[column]
        elif sides.few.shares is not None:
            share = sides.few.shares[row] / len(many)
        elif many.shares is not None:
            share = many.shares[column] / len(sides.few)
        yield sides.sign * difference, share
        done = stop


def distinct_pairs(sides: Sides) -> tuple[FloatArray, FloatArray]:
    """Return D and the share of all pairs of distinct scores."""
    up, up_share = sides.positive.distinct
    right, right_share = sides.negative.distinct
    difference = np.subtract.outer(up, right).ravel()
    return difference, np.multiply.outer(up_share, right_share).ravel()


def count_distinct_pairs(sides: Sides) -> int:
    """Return how many pairs of distinct scores there are."""
    return len(sides.positive.distinct[0]) * len(sides.negative.distinct[0])
