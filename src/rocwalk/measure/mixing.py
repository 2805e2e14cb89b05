"""Reach any point of the common hull of several models by mixing two rules (SPEC §6).

A point on the line between two vertices is reached by using one vertex's rule with the right
probability and the other's otherwise. The rules may be thresholds of one model or of two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rocwalk.errors import OptionError
from rocwalk.measure.choose import best
from rocwalk.measure.hull import hull_index
from rocwalk.measure.point import OperatingPoint, point_at_fpr, point_at_tpr
from rocwalk.measure.reading import refuse_without_thresholds
from rocwalk.typing import AnyArray, FloatArray, IntArray
from rocwalk.walk.curve import Walk, refuse_one_class


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Predict positive when the model's score is ≥ threshold; used with some probability."""

    model: str
    threshold: float
    probability: float


@dataclass(frozen=True, eq=False)
class CommonHull:
    """The hull of several curves: a walk whose thresholds are the numbers of its vertices.

    Thresholds of different models have no common order, so each vertex keeps its own.
    """

    walk: Walk
    models: tuple[str, ...]
    thresholds: FloatArray


def common_hull(walks: Mapping[str, Walk]) -> CommonHull:
    """Return the hull of all curves together; a shared vertex belongs to the earlier model.

    It never falls when one of the curves rises, so the exact one runs between the common hulls of
    their extremes.
    """
    if not walks:
        raise OptionError("There is no curve to mix.", "pass a dict of at least one curve.")
    for walk in walks.values():
        refuse_one_class(walk)
        refuse_without_thresholds(walk)
    up, right, thresholds, owner = _vertices(list(walks.values()))
    x, y = (right, up) if up.dtype.kind == "i" else (np.round(right, 12), np.round(up, 12))
    order = np.lexsort((owner, y, x))
    order = order[_first_of_equals(x[order], y[order])]
    order = order[hull_index(up[order], right[order])]
    names = list(walks)
    walk = Walk(np.arange(len(order), dtype=np.float64), up[order], right[order], None)
    if not all(one.is_exact for one in walks.values()):
        walk = replace(walk, between=partial(_extreme_hulls, walks))
    return CommonHull(walk, tuple(names[i] for i in owner[order]), thresholds[order])


def _extreme_hulls(walks: Mapping[str, Walk]) -> tuple[Walk, Walk]:
    low, high = ({name: walk.extremes[k] for name, walk in walks.items()} for k in (0, 1))
    return common_hull(low).walk, common_hull(high).walk


def _vertices(walks: Sequence[Walk]) -> tuple[AnyArray, AnyArray, FloatArray, IntArray]:
    """Return the hull vertices of each walk: as counts if all share the totals, else as rates.

    Rates of float masses carry rounding errors; where they are compared, twelve digits count.
    """
    totals = {(walk.up[-1].item(), walk.right[-1].item()) for walk in walks}
    same = len(totals) == 1 and all(walk.up.dtype.kind == "i" for walk in walks)
    index = [hull_index(walk.up, walk.right) for walk in walks]
    pairs = list(zip(walks, index, strict=True))
    up = np.concatenate([(w.up if same else w.tpr)[i] for w, i in pairs])
    right = np.concatenate([(w.right if same else w.fpr)[i] for w, i in pairs])
    thresholds = np.concatenate([w.thresholds[i] for w, i in pairs])
    return up, right, thresholds, np.repeat(np.arange(len(walks)), [len(i) for i in index])


def _first_of_equals(right: AnyArray, up: AnyArray) -> AnyArray:
    first = np.ones(len(up), dtype=bool)
    first[1:] = (np.diff(right) != 0) | (np.diff(up) != 0)
    return np.flatnonzero(first)


def mixed_rules(
    hull: CommonHull, *, fpr: float | None, tpr: float | None, slope: float | None
) -> tuple[OperatingPoint, tuple[Rule, ...], tuple[float, float] | None]:
    """Return the point that is asked for, the one or two rules that reach it, and a range.

    The range is that of the highest TPR − slope·FPR, where a slope is given and it is unknown.
    """
    given = [value for value in (fpr, tpr, slope) if value is not None]
    if len(given) != 1:
        raise OptionError(
            f"{len(given)} of fpr, tpr and slope are given.", "give exactly one of them."
        )
    gain: tuple[float, float] | None = None
    if slope is not None:
        choice = best(hull.walk, slope=slope)
        point, gain = choice.point, choice.gain_range
    elif fpr is not None:
        point = point_at_fpr(hull.walk, fpr)
    else:
        point = point_at_tpr(hull.walk, given[0])
    rules = [_rule(hull, point.threshold, point.share)]
    if point.other_threshold is not None:
        rules.append(_rule(hull, point.other_threshold, 1 - point.share))
    return point, tuple(rules), gain


def _rule(hull: CommonHull, vertex: float, probability: float) -> Rule:
    """Return the rule of a vertex, which is given by its number."""
    i = int(vertex)
    return Rule(model=hull.models[i], threshold=float(hull.thresholds[i]), probability=probability)


def decide(rules: Sequence[Rule], scores: Mapping[str, FloatArray], chance: FloatArray) -> AnyArray:
    """Return the decision for each item; `chance` are uniform numbers, one an item."""
    decisions = [scores[rule.model] >= rule.threshold for rule in rules]
    if len(rules) == 1:
        return decisions[0]
    return np.where(chance < rules[0].probability, decisions[0], decisions[1])
