"""Bands as a page carries them: through few points, and never narrower than they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocwalk.errors import OneClassError
from rocwalk.intake.study import Study
from rocwalk.measure.reading import highest_tpr
from rocwalk.measure.thinning import spread
from rocwalk.page.numbers import few_digits
from rocwalk.typing import FloatArray
from rocwalk.uncertainty.bands import BandQuestion, Edges, edges_of, sides
from rocwalk.uncertainty.evidence import Evidence, Items
from rocwalk.uncertainty.resample import Plan
from rocwalk.uncertainty.summary import evidence_on
from rocwalk.walk.curve import Walk
from rocwalk.walk.tally import Tally

_POINTS = 300  # of each edge
_ROWS = np.linspace(0, 1, 101)  # the rates of the tables
_REPLICATES = 2_000
_FEWEST_REPLICATES = 200
_DRAWS = 2 * 10**8  # of single items, in all replicates, where they allow it
_GRAIN = 1e6  # edges are rounded outward to so many parts of one


# -- edges ---------------------------------------------------------------------------------------


def band_on(study: Study, model: Any, tally: Tally, level: float, seed: int) -> Edges | str:
    """Return the simultaneous band of a model, or say why there is none."""
    evidence = _with_items(study, model, tally)
    if evidence is None:
        return (
            "with soft truth or weights it needs the rows one by one, and other models lack some "
            "of them."
        )
    plan = Plan(replicates_on(study, tally), seed)
    try:
        return edges_of(evidence, BandQuestion("simultaneous", "auto", level, plan))
    except OneClassError as error:
        return f"{error.what[:1].lower()}{error.what[1:]}"


def _with_items(study: Study, model: Any, tally: Tally) -> Evidence | None:
    """Return the evidence, with the items where the tally is not enough; None if they lack."""
    evidence, paired = evidence_on(study, model, tally), study.paired
    if evidence.items is not None or evidence.even_weight is not None:
        return evidence
    if paired is None or len(paired.truth) != tally.total_count:
        return None
    weights = 1.0 if paired.weights is None else paired.weights
    up = weights * paired.truth.astype(np.float64)
    return Evidence(tally, Items(up, weights - up, paired.scores[model]))


def replicates_on(study: Study, tally: Tally) -> int:
    """Return how many curves are resampled: fewer where very many items are drawn one by one."""
    if study.question.cluster is None and Evidence(tally).even_weight is not None:
        return _REPLICATES
    return min(max(_DRAWS // tally.total_count, _FEWEST_REPLICATES), _REPLICATES)


# -- ribbons -------------------------------------------------------------------------------------


def ribbon(lower: Walk, upper: Walk) -> dict[str, Any]:
    """Return the edges for drawing: two lists of FPR and TPR."""
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
    if len(edge) > _POINTS:
        kept = np.unique(spread(way, _POINTS))
        bulge = np.maximum.reduceat(out - np.interp(way, way[kept], out[kept]), kept[:-1])
        push = np.maximum(np.append(bulge, 0.0), np.append(0.0, bulge))
        way, out = _cut(way[kept], out[kept] + push)
    fpr, tpr = (way - side * out) / 2, (way + side * out) / 2
    return [_rounded(fpr, -side), _rounded(tpr, side)]


def _cut(way: FloatArray, out: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the line inside the unit square, where h is at most w and at most 2 − w."""
    corners = [way, np.ones(1)]
    for bound in (way, 2 - way):
        beyond = out - bound
        i = np.flatnonzero(beyond[:-1] * beyond[1:] < 0)
        corners.append(way[i] + np.diff(way)[i] * beyond[i] / (beyond[i] - beyond[i + 1]))
    places = np.unique(np.concatenate(corners))
    return places, np.minimum(np.interp(places, way, out), np.minimum(places, 2 - places))


def _rounded(rates: FloatArray, side: int) -> list[float]:
    """Return the rates, rounded up (1) or down (−1), and moved that way until none falls."""
    grains = side * np.ceil(side * rates * _GRAIN)
    if side > 0:
        grains = np.maximum.accumulate(grains)
    else:
        grains = np.minimum.accumulate(grains[::-1])[::-1]
    return [float(rate) for rate in np.clip(grains / _GRAIN, 0.0, 1.0)]
