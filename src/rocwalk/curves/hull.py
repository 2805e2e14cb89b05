"""The upper convex hull of a walk: the points that are optimal for some costs.

Vertices are strict: a point on the straight line between two others is not a vertex. Turns are
decided by cross products of masses, which are exact integers for counts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from rocwalk.checks import as_number
from rocwalk.curves.area import area
from rocwalk.errors import OptionError
from rocwalk.statistic import Places, Statistic, register
from rocwalk.tally.tally import read_only
from rocwalk.tally.walk import Walk, on_walk, rising_on_walk, spread
from rocwalk.typing import AnyArray, BoolArray, IntArray, MassArray

_SMALL = 500  # points that a plain Python loop handles
_LARGE = 20_000  # with more candidates than this after sieving, nearly all points are vertices
_BLOCK = 2**13  # points that stay in the cache
_EPS = 8 * float(np.finfo(np.float64).eps)


def hull(walk: Walk) -> Walk:
    """Return the walk through the vertices of the hull, with the walk's own thresholds.

    The exact hull of a bucketed walk lies between the hulls of its extremes.
    """
    vertices = walk.take(vertices_of(walk))
    return vertices if walk.is_exact else replace(vertices, between=partial(_hulls, walk))


def _hulls(walk: Walk) -> tuple[Walk, Walk]:
    low, high = walk.extremes
    return hull(low), hull(high)


def vertices_of(walk: Walk) -> IntArray:
    """Return the indices of the vertices of the hull; computed once and kept with the walk."""
    if "vertices" not in walk.known:
        walk.known["vertices"] = read_only(hull_index(walk.up, walk.right))
    vertices: IntArray = walk.known["vertices"]
    return vertices


def hull_index(up: MassArray, right: MassArray) -> IntArray:
    """Return the indices of the hull's vertices, from the first point to the last.

    The points must be in order of increasing `right`, and of increasing `up` where `right` is
    the same.

    >>> hull_index(np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 2])).tolist()
    [0, 1, 3, 4]
    """
    if up.dtype.kind != "i" or right.dtype.kind != "i" or int(up[-1]) * int(right[-1]) >= 2**61:
        up, right = _scaled(up), _scaled(right)
    blocks = (slice(at, at + _BLOCK) for at in range(0, len(up), _BLOCK))
    index = np.concatenate([_turning(up[one], right[one]) + one.start for one in blocks])
    index = index[_moves(np.diff(up[index]), np.diff(right[index]))]
    if len(index) > 1:  # of repeated points the first, but the last at the end
        index[-1] = len(up) - 1
    while len(index) > _SMALL:
        fewer = _sieved(up, right, index)
        if len(fewer) > 0.9 * len(index):
            break
        index = fewer
    if len(index) > _LARGE:
        index = _pooled(up, right, index)
    return index[_chain(up[index], right[index])]


def _scaled(mass: MassArray) -> MassArray:
    """Return masses divided by their total, so that products neither underflow nor overflow."""
    return mass / mass[-1] if mass[-1] > 0 else mass.astype(np.float64)


def _moves(du: MassArray, dr: MassArray) -> BoolArray:
    """Return which points, the first included, differ from the one before."""
    moves = np.ones(len(du) + 1, dtype=bool)
    np.logical_or(du, dr, out=moves[1:])
    return moves


def _turning(up: MassArray, right: MassArray) -> IntArray:
    """Return the first point, the last, and those that turn right; of repeated ones the first."""
    du, dr = np.diff(up), np.diff(right)
    moves, index = _moves(du, dr), None
    if not moves.all():
        index = np.flatnonzero(moves)
        du, dr = np.diff(up[index]), np.diff(right[index])
    kept = np.ones(len(du) + 1, dtype=bool)
    np.greater(du[:-1] * dr[1:], du[1:] * dr[:-1], out=kept[1:-1])
    return np.flatnonzero(kept) if index is None else index[kept]


def _sieved(up: MassArray, right: MassArray, index: IntArray) -> IntArray:
    """Drop points that turn left, and points below the hull of a small sample of the others."""
    index = index[_turning(up[index], right[index])]
    if len(index) <= _SMALL:
        return index
    sample = index[np.linspace(0, len(index) - 1, _SMALL // 2).astype(np.int64)]
    coarse = sample[_chain(up[sample], right[sample])]
    floor = np.interp(right[index], right[coarse], up[coarse])
    kept = up[index] >= floor * (1 - _EPS)
    kept[[0, -1]] = True
    return index[kept]


def _pooled(up: MassArray, right: MassArray, index: IntArray) -> IntArray:
    """Return the vertices by pool adjacent violators, which is fast if nearly all are vertices."""
    from scipy.optimize import isotonic_regression

    du, dr = np.diff(up[index]).astype(np.float64), np.diff(right[index]).astype(np.float64)
    moved = du + dr > 0
    share = np.divide(du, du + dr, out=np.zeros_like(du), where=moved)
    fit = isotonic_regression(share[moved], weights=(du + dr)[moved], increasing=False)
    ends = np.flatnonzero(moved)[fit.blocks[1:] - 1] + 1
    return index[np.concatenate(([0], ends))]


def _chain(up: AnyArray, right: AnyArray) -> IntArray:
    """Return the strict vertices of the upper hull by Andrew's monotone chain.

    Points are removed unless they turn right by more than the rounding error of cumulative masses,
    which is proportional to the masses themselves, not to the totals.
    """
    if not len(up):
        return np.empty(0, dtype=np.int64)
    points = list(zip(right.tolist(), up.tolist(), strict=True))
    slack = 0.0 if up.dtype.kind == "i" else _EPS  # float masses are of scale 1
    kept: list[int] = []
    for i, (x, y) in enumerate(points):
        while len(kept) > 1:
            (x1, y1), (x2, y2) = points[kept[-2]], points[kept[-1]]
            dr1, du1, dr2, du2 = x2 - x1, y2 - y1, x - x2, y - y2
            error = slack * (y * (dr1 + dr2) + x * (du1 + du2))
            if du1 * dr2 - du2 * dr1 > error:
                break
            kept.pop()
        kept.append(i)
    return np.array(kept, dtype=np.int64)


def vertices_together(up: AnyArray, right: AnyArray) -> BoolArray:
    """Return which points are vertices of the hulls of many walks, one row each, from (0, 0) on.

    Points that do not turn right are dropped, all at once, until there are none; in exact integers
    up to 2³⁰ items a class.

    >>> vertices_together(np.array([[0, 1, 1, 2, 2]]), np.array([[0, 0, 1, 1, 2]])).tolist()
    [[True, True, False, True, True]]
    """
    length = up.shape[1]
    repeated = (np.diff(up, prepend=-1) == 0) & (np.diff(right, prepend=-1) == 0)
    index = np.flatnonzero(~repeated | (np.arange(length) == length - 1))
    up, right = up.ravel(), right.ravel()
    if int(up.max()) * int(right.max()) >= 2**61:
        up, right = up.astype(np.float64), right.astype(np.float64)
    while True:
        du, dr = np.diff(up[index]), np.diff(right[index])
        kept = np.ones(len(index), dtype=bool)
        kept[1:-1] = du[:-1] * dr[1:] > du[1:] * dr[:-1]
        place = index % length
        kept |= (place == 0) | (place == length - 1)
        if kept.all():
            break
        index = index[kept]
    found = np.zeros(up.size, dtype=bool)
    found[index] = True
    return found.reshape(-1, length)


def thinned(walk: Walk, max_points: int) -> tuple[Walk, float]:
    """Return a walk through about `max_points` of the points, and a bound on the area lost.

    The hull's vertices are all kept, and the rest are spread evenly along the curve. Between two
    kept points the walk stays inside their rectangle, on either side of its diagonal, so the areas
    differ by at most Σ ½·ΔFPR·ΔTPR over the gaps in which a point was left out.
    """
    if not as_number("max_points", max_points) >= 2:
        hint = "a curve needs two points."
        raise OptionError("is too few.", hint, option="max_points", value=max_points)
    if len(walk) <= max_points:
        return walk, 0.0
    vertices = vertices_of(walk)
    index = np.union1d(vertices, spread(walk.fpr + walk.tpr, max_points - len(vertices)))
    return walk.take(index), area_hidden(walk, index)


def area_hidden(walk: Walk, index: IntArray) -> float:
    """Return a bound on the area between the walk and the line through some of its points."""
    boxes = np.diff(walk.fpr[index]) * np.diff(walk.tpr[index])
    return float(boxes[np.diff(index) > 1].sum() / 2)


def _hull_area(walk: Walk) -> float:
    return area(hull(walk))


HULL_AREA = register(
    Statistic(
        "hull_area",
        on_walk(_hull_area),
        title="Hull area",
        sentence="The area under the convex hull of the curve: what the best mixtures of "
        "thresholds reach.",
        references=("Provost & Fawcett 2001",),
        range=(0.5, 1.0),
        direction="higher",
        conditional=True,
        of_hull=True,
        bounds=rising_on_walk(_hull_area),
        places=Places(summary=30, models=40, page=30),
    )
)
