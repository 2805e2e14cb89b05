"""Fewer points for drawing, with a bound on the area that is lost. Never for numbers."""

from __future__ import annotations

import numpy as np

from rocwalk.errors import OptionError, as_number
from rocwalk.measure.hull import hull_index
from rocwalk.typing import FloatArray, IntArray
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
    vertices = hull_index(walk.up, walk.right)
    index = np.union1d(vertices, spread(walk.fpr + walk.tpr, max_points - len(vertices)))
    return walk.take(index), area_hidden(walk, index)


def spread(way: FloatArray, count: int) -> IntArray:
    """Return places along a way that grows from 0 to 2, evenly, the ends among them."""
    places = np.searchsorted(way, np.linspace(0.0, 2.0, max(count, 2)), side="left")
    return np.concatenate(([0], np.minimum(places[1:-1], len(way) - 1), [len(way) - 1]))


def area_hidden(walk: Walk, index: IntArray) -> float:
    """Bound the area between the walk and the line through some of its points."""
    boxes = np.diff(walk.fpr[index]) * np.diff(walk.tpr[index])
    return float(boxes[np.diff(index) > 1].sum() / 2)
