"""What a page carries of a model: its walk, through fewer points where it has too many.

Every point that the page can stop at is a point of the exact walk: its counts, rates and thresholds
are exact. The vertices of the hull are kept, so the best threshold for given costs is exact too.
Only the lines between the points are not; `area_hidden` bounds what they hide. A hull of thousands
of vertices is thinned as well; `regret` then bounds what that can cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.measure.area import area
from rocwalk.measure.hull import hull_index
from rocwalk.measure.thinning import area_hidden, spread
from rocwalk.page.numbers import decimals_of, rate
from rocwalk.typing import IntArray
from rocwalk.walk.curve import Walk, refuse_one_class, walk_of
from rocwalk.walk.tally import Tally

MAX_ROWS = 4_000
_MAX_CORNERS = 2_000


@dataclass(frozen=True, eq=False)
class Embedded:
    """One model in a page.

    `tally` is exact up to `MAX_ROWS` scores, else its rows are buckets with their moments. `walk`
    goes through the points of `exact` that are carried, `hull` indexes its vertices.
    `regret` bounds TPR − m·FPR of the best vertex over the best one that is carried.
    """

    name: str
    exact: Walk
    tally: Tally
    walk: Walk
    hull: IntArray
    area_hidden: float
    regret: float

    @property
    def area(self) -> float:
        """The exact area, from all points."""
        return area(self.exact)

    @property
    def decimals(self) -> int:
        """The decimals of its masses that are shown."""
        return decimals_of((self.exact.up[-1] + self.exact.right[-1]).item())

    def to_json(self) -> dict[str, Any]:
        """Return what the page's script needs."""
        walk = self.walk
        rows: dict[str, Any] = {
            "name": self.name,
            "auc": rate(self.area),
            "decimals": self.decimals,
            "scores": walk.thresholds[1:].tolist(),
            "up": walk.up.tolist(),
            "right": walk.right.tolist(),
            "hull": self.hull.tolist(),
        }
        if walk.highest is not None:
            rows["highest"] = walk.highest[1:].tolist()
        if self.tally.is_bucketed:  # else the moments follow from the scores
            rows["up_score"] = self.tally.up_score.tolist()
            rows["right_score"] = self.tally.right_score.tolist()
        return rows


def embed(name: str, tally: Tally) -> Embedded:
    """Return a model as a page carries it: all points up to `MAX_ROWS` scores, else fewer."""
    exact = walk_of(tally)
    refuse_one_class(exact)
    vertices = hull_index(exact.up, exact.right)
    if len(tally) <= MAX_ROWS:
        return Embedded(name, exact, tally, exact, vertices, 0.0, 0.0)
    corners = _corners(exact, vertices)
    even = spread(exact.fpr + exact.tpr, MAX_ROWS + 1 - len(corners))
    index = np.union1d(corners, even)
    return Embedded(
        name,
        exact,
        tally.coarsened(index[:-1]),
        exact.take(index),
        np.searchsorted(index, corners),
        area_hidden(exact, index),
        _regret(exact, vertices, corners) if len(corners) < len(vertices) else 0.0,
    )


def _corners(walk: Walk, vertices: IntArray) -> IntArray:
    """Return the vertices to carry: all, or as many as a page can hold, spread evenly."""
    if len(vertices) <= _MAX_CORNERS:
        return vertices
    way = (walk.fpr + walk.tpr)[vertices]
    return vertices[np.unique(spread(way, _MAX_CORNERS))]


def _regret(walk: Walk, vertices: IntArray, corners: IntArray) -> float:
    """Return the most that TPR − m·FPR of a left-out vertex exceeds that of the best corner.

    Between two corners the better one loses most for the slope of their chord; there the loss is
    the height of the vertex above the chord.
    """
    chord = np.interp(walk.fpr[vertices], walk.fpr[corners], walk.tpr[corners])
    return max(float((walk.tpr[vertices] - chord).max()), 0.0)
