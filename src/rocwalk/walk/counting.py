"""Make tallies: count hard labels, or add up masses, by distinct score."""

from __future__ import annotations

import numpy as np

from rocwalk.typing import AnyArray, FloatArray, IntArray
from rocwalk.walk.order import descending_order, labelled_keys
from rocwalk.walk.tally import Tally


def tally_of_labels(positive: AnyArray, scores: FloatArray, low: float, high: float) -> Tally:
    """Count hard labels by distinct score; `low` and `high` are the extreme scores."""
    sorted_keys = labelled_keys(positive, scores, low, high)
    if sorted_keys is None:
        order, ordered = descending_order(scores)
        return _counted(positive[order].astype(np.int64), ordered + 0.0)  # -0.0 + 0.0 is 0.0
    keys, code = sorted_keys
    bits = keys[::-1] >> np.int64(1)
    labels = keys[::-1] & np.int64(1)
    return _counted(labels, code.decode(bits))


def _counted(labels: IntArray, scores: FloatArray) -> Tally:
    """Count labels that are in order of decreasing score."""
    last = np.empty(len(scores), dtype=bool)
    last[-1] = True
    np.not_equal(scores[1:], scores[:-1], out=last[:-1])
    if last.all():
        return Tally(scores, labels, 1 - labels)
    ends = np.flatnonzero(last)
    up = np.diff(np.cumsum(labels)[ends], prepend=0)
    return Tally(scores[ends], up, np.diff(ends, prepend=-1) - up)


def tally_of_masses(truth: AnyArray, weights: FloatArray | None, scores: FloatArray) -> Tally:
    """Add the masses u = w·f and r = w·(1 − f) by distinct score."""
    order, ordered = descending_order(scores)
    share = truth[order].astype(np.float64, copy=False)
    mass = 1.0 if weights is None else weights[order]
    up = share if weights is None else share * mass
    ordered += 0.0  # -0.0 + 0.0 is 0.0
    items = Tally(ordered, up, mass - up)
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return items if first.all() else items.coarsened(np.flatnonzero(first))
