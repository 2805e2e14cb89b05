"""What a page carries of a curve: its walk, through fewer points where it has too many.

Every point that the page can stop at is a point of the exact walk: its counts, rates and thresholds
are exact. The vertices of the hull are kept, so the best threshold for given costs is exact too.
Only the lines between the points are not; `area_hidden` bounds what they hide. A hull of thousands
of vertices is thinned as well; `regret` then bounds what that can cost.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.curves.area import area
from rocwalk.curves.bands import sides
from rocwalk.curves.hull import area_hidden, thinned, vertices_of
from rocwalk.report.numbers import decimals_of, few_digits, rate
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, highest_tpr, index_above, refuse_one_class, spread, walk_of
from rocwalk.typing import FloatArray, IntArray

MAX_ROWS = 4_000
_THINNED_ROWS = 3_000  # of a model that has more than MAX_ROWS
_MAX_CORNERS = 1_500
_SUM_DIGITS = 12  # of sums of scores, of which four are shown


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
            rows["up_score"] = few_digits(self.tally.up_score, _SUM_DIGITS)
            rows["right_score"] = few_digits(self.tally.right_score, _SUM_DIGITS)
        return rows


def embed(name: str, tally: Tally, threshold: float = math.inf) -> Embedded:
    """Return a model as a page carries it: all points up to `MAX_ROWS` scores, else fewer.

    The point of the `threshold`, at which the page starts, is always carried.
    """
    exact = walk_of(tally)
    refuse_one_class(exact)
    vertices = vertices_of(exact)
    if len(tally) <= MAX_ROWS:
        return Embedded(name, exact, tally, exact, vertices, 0.0, 0.0)
    corners, regret = vertices, 0.0
    if len(vertices) > _MAX_CORNERS:
        way = (exact.fpr + exact.tpr)[vertices]
        corners = vertices[np.unique(spread(way, _MAX_CORNERS))]
        # between two corners the better one loses most for the slope of their chord; there the
        # loss is the height of the vertex above the chord
        chord = np.interp(exact.fpr[vertices], exact.fpr[corners], exact.tpr[corners])
        regret = max(float((exact.tpr[vertices] - chord).max()), 0.0)
    even = spread(exact.fpr + exact.tpr, _THINNED_ROWS - len(corners))
    index = np.union1d(np.union1d(corners, even), index_above(exact, np.array([threshold])))
    return Embedded(
        name,
        exact,
        tally.coarsened(index[:-1]),
        exact.take(index),
        np.searchsorted(index, corners),
        area_hidden(exact, index),
        regret,
    )


# -- curves that are only looked at ----------------------------------------------------------------

_CURVE_POINTS = 400


def drawn(walk: Walk) -> dict[str, list[float]]:
    """Return FPR and TPR of a curve for drawing, through few points."""
    few = drawn_walk(walk)
    return {"fpr": few_digits(few.fpr), "tpr": few_digits(few.tpr)}


def drawn_walk(walk: Walk) -> Walk:
    """Return a curve for drawing, through few of its points."""
    return thinned(walk, _CURVE_POINTS)[0]


# -- bands -----------------------------------------------------------------------------------------

_EDGE_POINTS = 300
_ROWS = np.linspace(0, 1, 101)  # the rates of the tables
_GRAIN = 1e6  # edges are rounded outward to so many parts of one


def points_of(walk: Walk, count: int) -> list[list[float]]:
    """Return FPR and TPR of at most so many points that are spread evenly along a curve."""
    index = np.arange(len(walk))
    if len(index) > count:
        index = np.unique(spread(walk.fpr + walk.tpr, count))
    return [few_digits(walk.fpr[index]), few_digits(walk.tpr[index])]


def ribbon(lower: Walk, upper: Walk) -> dict[str, Any]:
    """Return the edges of a band for drawing: two lists of FPR and TPR."""
    return {"lower": outward(lower, -1), "upper": outward(upper, 1)}


def band_rows(curve: Walk, lower: Walk, upper: Walk) -> dict[str, list[float]]:
    """Return the band in numbers at even rates, exactly: at a jump the outer end of each edge."""
    return {
        "fpr": few_digits(_ROWS),
        "low": few_digits(sides(lower.fpr, lower.tpr, _ROWS)[0]),
        "tpr": few_digits(highest_tpr(curve, _ROWS)),
        "high": few_digits(highest_tpr(upper, _ROWS)),
    }


def outward(edge: Walk, side: int) -> list[list[float]]:
    """Return FPR and TPR of few points; the line through them lies on the edge or outside it.

    `side` is 1 for an upper edge, −1 for a lower one. Each line of slope −1 meets an edge once:
    w = FPR + TPR tells where, h = ±(TPR − FPR) how far out. Between two points that are kept, the
    line is pushed out by as much as the edge bulges over it; what leaves the square is cut.
    """
    way, out = edge.fpr + edge.tpr, side * (edge.tpr - edge.fpr)
    if len(edge) > _EDGE_POINTS:
        kept = np.unique(spread(way, _EDGE_POINTS))
        bulge = np.maximum.reduceat(out - np.interp(way, way[kept], out[kept]), kept[:-1])
        push = np.maximum(np.append(bulge, 0.0), np.append(0.0, bulge))
        way, out = way[kept], out[kept] + push
        corners = [way, np.ones(1)]  # inside the unit square h is at most w and at most 2 − w
        for bound in (way, 2 - way):
            beyond = out - bound
            i = np.flatnonzero(beyond[:-1] * beyond[1:] < 0)
            corners.append(way[i] + np.diff(way)[i] * beyond[i] / (beyond[i] - beyond[i + 1]))
        places = np.unique(np.concatenate(corners))
        out = np.minimum(np.interp(places, way, out), np.minimum(places, 2 - places))
        way = places
    fpr, tpr = (way - side * out) / 2, (way + side * out) / 2
    return [_rounded(fpr, -side), _rounded(tpr, side)]


def _rounded(rates: FloatArray, side: int) -> list[float]:
    """Return the rates, rounded up (1) or down (−1), and moved that way until none falls."""
    grains = side * np.ceil(side * rates * _GRAIN)
    if side > 0:
        grains = np.maximum.accumulate(grains)
    else:
        grains = np.minimum.accumulate(grains[::-1])[::-1]
    return [float(rate) for rate in np.clip(grains / _GRAIN, 0.0, 1.0)]
