"""Fewer points for drawing, with a bound on the area that is lost. Never for numbers."""

from __future__ import annotations

import numpy as np

from rocwalk.errors import OptionError, as_number
from rocwalk.measure.hull import hull_index
from rocwalk.typing import IntArray
from rocwalk.walk.curve import Walk


def thinned(walk: Walk, max_points: int) -> tuple[Walk, float]:
    """Return a walk through about `max_points` of the points, and a bound on the area lost.

    The hull's vertices are all kept, and the rest are spread evenly along the curve. Between two
    kept points the walk stays inside their rectangle, on either side of its diagonal, so the areas
    differ by at most Σ ½·ΔFPR·ΔTPR over the gaps in which a point was left out.
    """
    if not as_number("max_points", max_points) >= 2:
        raise OptionError(f"max_points={max_points!r} is too few.", "a curve needs two points.")
    if len(walk) <= max_points:
        return walk, 0.0
    index = spread_index(walk, max_points)
    skipped = np.diff(index) > 1
    boxes = np.diff(walk.fpr[index]) * np.diff(walk.tpr[index])
    return walk.take(index), float(boxes[skipped].sum() / 2)


def spread_index(walk: Walk, max_points: int) -> IntArray:
    """Return the points to keep: all vertices of the hull, the others evenly along the curve."""
    vertices = hull_index(walk.up, walk.right)
    way = walk.fpr + walk.tpr  # grows along the curve from 0 to 2
    places = np.linspace(0.0, 2.0, max(max_points - len(vertices), 2))
    even = np.minimum(np.searchsorted(way, places, side="left"), len(walk) - 1)
    return np.union1d(vertices, even)
