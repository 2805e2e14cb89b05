"""Refinement: halve the buckets that leave the area most uncertain, until a tolerance holds.

The certificate of a bucketed tally is half the share of pairs whose order its rows have given up.
Halving a bucket about halves what it gives up, so a few buckets are cut finely and the others are
left as they are. Where the rows of those buckets are few, they are grouped by score itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocwalk.intake.grouping import Interval
from rocwalk.typing import FloatArray, IntArray
from rocwalk.walk.buckets import Layout
from rocwalk.walk.tally import Tally

_MOST_INTERVALS = 100
_PROBES = 2


@dataclass(frozen=True, slots=True)
class Step:
    """The next pass: the cells of the first layout to look at again, and how many halvings.

    `depth` None means that the scores themselves are the groups.
    """

    keys: IntArray
    depth: int | None


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of the first layout that hold several scores in some tally.

    Attributes
    ----------
    keys
        Their numbers.
    slack
        What each adds to the certificate, in the tally where that is most.
    rows
        How many rows of the data they hold.
    used
        How many rows of tallies they take now.
    tallies
        In how many tallies they occur.
    """

    keys: IntArray
    slack: FloatArray
    rows: IntArray
    used: IntArray
    tallies: IntArray


def wide_cells(tallies: Sequence[Tally], layout: Layout) -> Cells:
    """Gather what the cells of all tallies leave unsettled."""
    keys = [layout.keys(tally.scores) for tally in tallies]
    known, place = np.unique(np.concatenate(keys), return_inverse=True)
    slack, rows = np.zeros(len(known)), np.zeros(len(known), dtype=np.int64)
    used = np.bincount(place, minlength=len(known))
    ends = np.cumsum([len(one) for one in keys])[:-1]
    wide = np.zeros(len(known), dtype=bool)
    occurs = np.zeros(len(known), dtype=np.int64)
    for tally, own in zip(tallies, np.split(place, ends), strict=True):
        given_up = np.nan_to_num(tally.unordered) / 2.0
        slack = np.maximum(slack, np.bincount(own, given_up, minlength=len(known)))
        rows += np.bincount(own, tally.count, minlength=len(known)).astype(np.int64)
        wide[own[tally.highest > tally.scores]] = True
        occurs[np.unique(own)] += 1
    return Cells(known[wide], slack[wide], rows[wide], used[wide], occurs[wide])


def next_step(
    cells: Cells, layout: Layout, depth: int, tolerance: float, total: int, limit: int
) -> Step | str:
    """Choose the next pass, or say why there is none.

    The tallies have `total` rows now and may have as many as the limit.

    What is left alone may take half of the tolerance, what is cut the other half.
    """
    rising = np.argsort(cells.slack, kind="stable")
    alone = int(np.searchsorted(np.cumsum(cells.slack[rising]), tolerance / 2.0, "right"))
    chosen = np.sort(rising[alone:])
    keys, others = cells.keys[chosen], total - int(cells.used[chosen].sum())
    room = limit - others
    if int(cells.rows[chosen].sum()) <= room:
        return Step(keys, None)
    wanted = math.ceil(math.log2(max(float(cells.slack[chosen].sum()) / (tolerance / 2.0), 2.0)))
    deepest = layout.finest - layout.level
    if depth >= deepest:
        return Step(keys, None)
    for more in range(wanted, 0, -1):
        if _rows_needed(cells, chosen, depth, more) <= room:
            return Step(keys, min(depth + more, deepest))
    needed = others + _rows_needed(cells, chosen, depth, wanted)
    return f"the tallies would need about {needed:,} rows"


def _rows_needed(cells: Cells, chosen: IntArray, depth: int, more: int) -> int:
    """Return the most rows that cells take when they are halved so many times more.

    A cell takes as many as it has parts now, times 2 for each halving, and no more than it has
    rows. One that was never cut is cut from the start.
    """
    used = cells.used[chosen].astype(np.float64)
    is_whole = used <= cells.tallies[chosen]
    parts = used * np.where(is_whole, 2.0 ** (depth + more), 2.0**more)
    return int(np.minimum(parts, cells.rows[chosen]).sum())


def intervals_of(keys: IntArray, layout: Layout) -> list[Interval]:
    """Return the scores of cells as few intervals; small gaps between them are filled."""
    breaks = np.flatnonzero(np.diff(keys) > 1)
    if len(breaks) >= _MOST_INTERVALS:
        gaps = np.diff(keys)[breaks]
        breaks = np.sort(breaks[np.argsort(-gaps, kind="stable")[: _MOST_INTERVALS - 1]])
    low, _ = layout.cells(keys[np.append(0, breaks + 1)])
    _, high = layout.cells(keys[np.append(breaks, len(keys) - 1)])
    return list(zip(low.tolist(), high.tolist(), strict=True))


def probed(cells: Cells) -> IntArray:
    """Return the places of a few cells by which to judge how many distinct scores there are.

    They are those in which a third and two thirds of the rows end.
    """
    share = np.cumsum(cells.rows) / cells.rows.sum()
    return np.unique(np.searchsorted(share, np.arange(1, _PROBES + 1) / (_PROBES + 1)))
