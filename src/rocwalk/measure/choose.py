"""Choose a threshold: the best vertex of the hull for a slope or for costs (SPEC §6)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from rocwalk.errors import OptionError, UndefinedMetricWarning, as_number, warn
from rocwalk.measure.bounds import falling_bounds, rising_bounds
from rocwalk.measure.costs import Costs
from rocwalk.measure.hull import hull_index
from rocwalk.measure.point import OperatingPoint, point_of
from rocwalk.result import Result
from rocwalk.typing import Bounds, FloatArray
from rocwalk.walk.curve import Walk, refuse_one_class

TIE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Choice(Result):
    """The best point for a slope m: the one that maximises TPR − m·FPR.

    Every threshold in the half-open interval (low, high] makes the same decisions; `threshold` is
    its upper end. `tied` is the other end when a whole edge of the hull is equally good; `point`
    is the one with the smaller FPR.

    From a bucketed tally the rule is one that cuts between two buckets. Its rates and its cost are
    exact, but a threshold inside a bucket might be better: `gain_bounds` and
    `expected_cost_bounds` say by how much at most.
    """

    point: OperatingPoint
    interval: tuple[float, float]
    slope: float
    tied: OperatingPoint | None = None
    tied_interval: tuple[float, float] | None = None
    expected_cost: float | None = None
    gain_range: tuple[float, float] | None = None
    cost_range: tuple[float, float] | None = None

    @property
    def gain(self) -> float:
        """TPR − m·FPR of the best point; its TPR if m is infinite, where only FPR = 0 will do."""
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
            "expected_cost": self.expected_cost,
            "tied_at": None if self.tied is None else self.tied.threshold,
            **({} if self.gain_range is None else {"gain_bounds": self.gain_bounds}),
            **({} if self.cost_range is None else {"cost_bounds": self.expected_cost_bounds}),
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


def best(walk: Walk, costs: Costs | None = None, slope: float | None = None) -> Choice:
    """Return the best vertex for costs or for a slope; for slope 1 (Youden) without either."""
    refuse_one_class(walk)
    chosen = slope_of(costs, slope, walk.prevalence)
    vertices = hull_index(walk.up, walk.right)
    first, last = best_vertices(walk.fpr[vertices], walk.tpr[vertices], chosen)
    one, other = int(vertices[first]), int(vertices[last])
    point = point_of(walk, one)
    if math.isnan(point.threshold):
        warn(
            UndefinedMetricWarning(
                "This averaged curve has no thresholds, so the best point has none: it is NaN. "
                'Hint: average with how="threshold".'
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
    )
    return _bounded(walk, costs, found)


def _bounded(walk: Walk, costs: Costs | None, found: Choice) -> Choice:
    """Note what the best threshold could gain and cost at least and at most, if it is unknown.

    The highest TPR − m·FPR never falls when the curve rises, and the lowest cost never rises.
    """
    if walk.is_exact:
        return found
    best_of = partial(_best_rates, slope=found.slope)
    low, _, high = rising_bounds(walk, lambda one: gain_of(*best_of(one), found.slope))
    if costs is None:
        return replace(found, gain_range=(low, high))
    least, _, most = falling_bounds(
        walk, lambda one: costs.expected(*best_of(one), walk.prevalence)
    )  # the share of positives is the same whatever the order
    return replace(found, gain_range=(low, high), cost_range=(least, most))


def _best_rates(walk: Walk, slope: float) -> tuple[float, float]:
    vertices = hull_index(walk.up, walk.right)
    best_one = vertices[best_vertices(walk.fpr[vertices], walk.tpr[vertices], slope)[0]]
    return float(walk.fpr[best_one]), float(walk.tpr[best_one])


def gain_of(fpr: float, tpr: float, slope: float) -> float:
    """Return TPR − m·FPR; for an infinite m, whose best point has FPR 0, the TPR."""
    return tpr if math.isinf(slope) else tpr - slope * fpr


def slope_of(costs: Costs | None, slope: float | None, prevalence: float | None) -> float:
    """Return the slope that costs make, or the one that is given; 1 without either."""
    if costs is not None and not isinstance(costs, Costs):
        raise OptionError(
            f"costs={costs!r} is not a Costs object.",
            "pass Costs(false_positive=…, false_negative=…), or slope=.",
        )
    if costs is not None and slope is not None:
        raise OptionError("Both costs and slope are given.", "give one of them.")
    if costs is not None:
        return costs.slope(prevalence)
    return 1.0 if slope is None else _checked(slope)


def threshold_interval(walk: Walk, index: int) -> tuple[float, float]:
    """Return (low, high]: the thresholds that decide as the one of this point does."""
    if index + 1 == len(walk):
        return -math.inf, float(walk.thresholds[index])
    below = walk.thresholds if walk.highest is None else walk.highest
    return float(below[index + 1]), float(walk.thresholds[index])


def _checked(slope: float) -> float:
    value = as_number("slope", slope)
    if value < 0:
        raise OptionError(
            f"slope={slope!r} is not a slope of equal cost.", "slopes are 0 or more; inf is fine."
        )
    return value


def best_vertices(fpr: FloatArray, tpr: FloatArray, slope: float) -> tuple[int, int]:
    """Return the best vertex and, on a tie, the other end of the tied edge.

    With an infinite slope only FPR counts; of the vertices at FPR 0 the higher is never worse.
    """
    if math.isinf(slope):
        tied = np.flatnonzero(fpr == 0)
        return int(tied[-1]), int(tied[0])
    gain = tpr - slope * fpr
    tied = np.flatnonzero(gain >= gain.max() - TIE)
    return int(tied[0]), int(tied[-1])
