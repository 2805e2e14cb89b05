"""The choice of a threshold: for given costs, for a slope, or closest to the corner (0, 1).

See "Classic analysis" and "Costs" in docs/mathematics.rst.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.curves.hull import vertices_of
from rocwalk.curves.operating_points import OperatingPoint, point_of
from rocwalk.errors import OptionError, UndefinedMetricWarning, as_number, one_of, warn
from rocwalk.result import Result
from rocwalk.tally.walk import (
    Walk,
    check_prevalence,
    falling_bounds,
    refuse_one_class,
    rising_bounds,
)
from rocwalk.typing import Bounds, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Costs(Result):
    """The costs of a false positive and of a false negative, and optionally the prevalence.

    Only their ratio matters for choosing a threshold.

    >>> Costs(false_positive=1, false_negative=5).slope(prevalence=0.1)
    1.8
    """

    false_positive: float
    false_negative: float
    prevalence: float | None = None

    def __post_init__(self) -> None:
        for name in ("false_positive", "false_negative"):
            given = getattr(self, name)
            cost = as_number(name, given)
            if not (math.isfinite(cost) and cost >= 0):
                hint = "costs are finite and not negative."
                raise OptionError("is not a cost.", hint, option=name, value=given)
        if self.false_positive == 0 and self.false_negative == 0:
            raise OptionError(
                "Both costs are 0, so every rule is as good as any other.",
                "give at least one kind of mistake a positive cost.",
            )
        if self.prevalence is not None:
            check_prevalence(self.prevalence)

    def slope(self, prevalence: float | None) -> float:
        """Return m = c_FP·π⁻ / (c_FN·π⁺), the slope of the lines of equal cost; inf if c_FN = 0."""
        share = self.share_of_positives(prevalence)
        below = self.false_negative * share
        return self.false_positive * (1 - share) / below if below > 0 else math.inf

    def expected(self, fpr: float, tpr: float, prevalence: float | None) -> float:
        """Return the expected cost of one item at a point, c_FP·π⁻·FPR + c_FN·π⁺·(1 − TPR)."""
        share = self.share_of_positives(prevalence)
        return self.false_positive * (1 - share) * fpr + self.false_negative * share * (1 - tpr)

    def share_of_positives(self, prevalence: float | None) -> float:
        """Return this object's own prevalence, else the one that is given."""
        share = prevalence if self.prevalence is None else self.prevalence
        if share is None:
            raise OptionError(
                "An averaged curve carries no masses, so its prevalence is unknown.",
                "give it: Costs(false_positive=…, false_negative=…, prevalence=…).",
            )
        return share

    def _headline(self) -> dict[str, Any]:
        return {
            "false_positive": self.false_positive,
            "false_negative": self.false_negative,
            "prevalence": self.prevalence,
        }


TIE = 1e-12  # gains or distances that differ by no more than this are equal
RULES = ("youden", "closest_topleft")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Choice(Result):
    """The best point for a slope m, by its `rule`.

    "youden": the point that maximises TPR − m·FPR, a vertex of the hull. "closest_topleft": the one
    that minimises √((1 − TPR)² + m·FPR²), the distance from the corner (0, 1).

    Every threshold in the half-open interval (low, high] makes the same decisions; `threshold` is
    its upper end. `tied` is the other end when a whole edge of the hull is equally good, or another
    point is equally close; `point` is the one with the smaller FPR.

    From a bucketed tally the rule is one that cuts between two buckets. Its rates and its cost are
    exact, but a threshold inside a bucket might be better: `gain_bounds`, `distance_bounds` and
    `expected_cost_bounds` bound by how much.
    """

    point: OperatingPoint
    interval: tuple[float, float]
    slope: float
    tied: OperatingPoint | None = None
    tied_interval: tuple[float, float] | None = None
    expected_cost: float | None = None
    gain_range: tuple[float, float] | None = None
    cost_range: tuple[float, float] | None = None
    rule: str = "youden"
    distance_range: tuple[float, float] | None = None

    @property
    def distance(self) -> float:
        """√((1 − TPR)² + m·FPR²) of the best point: its distance from the corner (0, 1)."""
        return float(distances_of(np.array(self.fpr), np.array(self.tpr), self.slope))

    @property
    def distance_bounds(self) -> Bounds:
        """The lowest, the found and the highest distance of the closest threshold."""
        low, high = self.distance_range or (self.distance, self.distance)
        return low, self.distance, high

    @property
    def gain(self) -> float:
        """TPR − m·FPR of the best point; its TPR if m is infinite, where FPR must be 0."""
        return gain_of(self.fpr, self.tpr, self.slope)

    @property
    def gain_bounds(self) -> Bounds:
        """The lowest, the found and the highest gain of the best threshold; equal if exact."""
        low, high = self.gain_range or (self.gain, self.gain)
        return low, self.gain, high

    @property
    def expected_cost_bounds(self) -> Bounds | None:
        """The same of the expected cost; None without costs."""
        if self.expected_cost is None:
            return None
        low, high = self.cost_range or (self.expected_cost, self.expected_cost)
        return low, self.expected_cost, high

    @property
    def fpr(self) -> float:
        """The false positive rate of the best point."""
        return self.point.fpr

    @property
    def tpr(self) -> float:
        """The true positive rate of the best point."""
        return self.point.tpr

    @property
    def threshold(self) -> float:
        """Predict positive when the score is at least this."""
        return self.point.threshold

    def _headline(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "fpr": self.fpr,
            "tpr": self.tpr,
            "interval": self.interval,
            "slope": self.slope,
            **({} if self.rule == "youden" else {"rule": self.rule, "distance": self.distance}),
            "expected_cost": self.expected_cost,
            "tied_at": None if self.tied is None else self.tied.threshold,
            **({} if self.gain_range is None else {"gain_bounds": self.gain_bounds}),
            **({} if self.cost_range is None else {"cost_bounds": self.expected_cost_bounds}),
            **({} if self.distance_range is None else {"distance_bounds": self.distance_bounds}),
        }

    def _columns(self) -> dict[str, Any]:
        points = [(self.point, self.interval)]
        if self.tied is not None and self.tied_interval is not None:
            points.append((self.tied, self.tied_interval))
        return {
            "point_threshold": np.array([p.threshold for p, _ in points]),
            "lowest_threshold": np.array([i[0] for _, i in points]),
            "highest_threshold": np.array([i[1] for _, i in points]),
            "point_fpr": np.array([p.fpr for p, _ in points]),
            "point_tpr": np.array([p.tpr for p, _ in points]),
        }


def best(
    walk: Walk, costs: Costs | None = None, slope: float | None = None, rule: str = "youden"
) -> Choice:
    """Return the best point for costs or for a slope; for slope 1 without either.

    By "youden" it is the best vertex, by "closest_topleft" the point closest to (0, 1).
    """
    refuse_one_class(walk)
    one_of("rule", rule, RULES)
    chosen = slope_of(costs, slope, walk.prevalence)
    if rule == "youden":
        vertices = vertices_of(walk)
        ends = best_vertices(walk.fpr[vertices], walk.tpr[vertices], chosen)
        one, other = (int(vertices[end]) for end in ends)
    else:
        one, other = closest_points(walk, chosen)
    point = point_of(walk, one)
    if math.isnan(point.threshold):
        warn(
            UndefinedMetricWarning(
                "This averaged curve has no thresholds, so the best point has none: it is NaN.",
                'average with how="threshold".',
            )
        )
    cost = None if costs is None else costs.expected(point.fpr, point.tpr, walk.prevalence)
    found = Choice(
        point=point,
        interval=threshold_interval(walk, one),
        slope=chosen,
        tied=None if other == one else point_of(walk, other),
        tied_interval=None if other == one else threshold_interval(walk, other),
        expected_cost=cost,
        rule=rule,
    )
    if walk.is_exact:
        return found
    if rule == "closest_topleft":  # the shortest distance does not increase when the curve rises
        low, _, high = falling_bounds(walk, lambda one: _shortest(one, chosen))
        return replace(found, distance_range=(low, high))
    # the highest TPR − m·FPR does not decrease when the curve rises, the lowest cost not increase
    low, _, high = rising_bounds(walk, lambda one: gain_of(*_best_rates(one, chosen), chosen))
    if costs is None:
        return replace(found, gain_range=(low, high))
    least, _, most = falling_bounds(
        walk, lambda one: costs.expected(*_best_rates(one, chosen), walk.prevalence)
    )
    return replace(found, gain_range=(low, high), cost_range=(least, most))


def _best_rates(walk: Walk, slope: float) -> tuple[float, float]:
    """Return FPR and TPR of the vertex that maximises TPR − slope·FPR."""
    vertices = vertices_of(walk)
    best_one = vertices[best_vertices(walk.fpr[vertices], walk.tpr[vertices], slope)[0]]
    return float(walk.fpr[best_one]), float(walk.tpr[best_one])


def distances_of(fpr: FloatArray, tpr: FloatArray, slope: float) -> FloatArray:
    """Return √((1 − TPR)² + m·FPR²); with an infinite m, infinite unless FPR is 0."""
    aside = np.where(fpr > 0, math.inf, 0.0) if math.isinf(slope) else slope * fpr**2
    distances: FloatArray = np.sqrt((1 - tpr) ** 2 + aside)
    return distances


def closest_points(walk: Walk, slope: float) -> tuple[int, int]:
    """Return the first and the last of the points that are closest to (0, 1)."""
    distances = distances_of(walk.fpr, walk.tpr, slope)
    tied = np.flatnonzero(distances <= distances.min() + TIE)
    return int(tied[0]), int(tied[-1])


def _shortest(walk: Walk, slope: float) -> float:
    return float(distances_of(walk.fpr, walk.tpr, slope).min())


def gain_of(fpr: float, tpr: float, slope: float) -> float:
    """Return TPR − m·FPR; for an infinite m, whose best point has FPR 0, the TPR."""
    return tpr if math.isinf(slope) else tpr - slope * fpr


def slope_of(costs: Costs | None, slope: float | None, prevalence: float | None) -> float:
    """Return the slope of equal cost for the costs, or the given one; 1 without either."""
    if costs is not None and not isinstance(costs, Costs):
        raise OptionError(
            "is not a Costs object.",
            "pass Costs(false_positive=…, false_negative=…), or slope=.",
            option="costs",
            value=costs,
        )
    if costs is not None and slope is not None:
        raise OptionError("Both costs and slope are given.", "give one of them.")
    if costs is not None:
        return costs.slope(prevalence)
    if slope is None:
        return 1.0
    value = as_number("slope", slope)
    if value < 0:
        hint = "slopes are 0 or more; inf is fine."
        raise OptionError("is not a slope of equal cost.", hint, option="slope", value=slope)
    return value


def threshold_interval(walk: Walk, index: int) -> tuple[float, float]:
    """Return (low, high]: the thresholds that make the same decisions as that of this point."""
    if index + 1 == len(walk):
        return -math.inf, float(walk.thresholds[index])
    below = walk.thresholds if walk.highest is None else walk.highest
    return float(below[index + 1]), float(walk.thresholds[index])


def best_vertices(fpr: FloatArray, tpr: FloatArray, slope: float) -> tuple[int, int]:
    """Return the best vertex and, on a tie, the other end of the tied edge.

    With an infinite slope only FPR counts; of the vertices at FPR 0 the highest is the best.
    """
    if math.isinf(slope):
        tied = np.flatnonzero(fpr == 0)
        return int(tied[-1]), int(tied[0])
    gain = tpr - slope * fpr
    tied = np.flatnonzero(gain >= gain.max() - TIE)
    return int(tied[0]), int(tied[-1])
