"""The choice of a threshold: for costs, by a metric, within a budget of calls, above a floor.

See "Classic analysis", "Budgets" and "Costs" in docs/mathematics.rst.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from rocwalk.checks import as_number, one_of
from rocwalk.curves.hull import vertices_of
from rocwalk.curves.operating_points import (
    OperatingPoint,
    point_at_rate,
    point_of,
)
from rocwalk.errors import Argument, Option, OptionError, UndefinedMetricWarning, warn
from rocwalk.result import Result
from rocwalk.tally.walk import (
    Walk,
    check_prevalence,
    check_rate,
    refuse_one_class,
)
from rocwalk.typing import BestMetric, BoolArray, Bounds, FloatArray, IntArray


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
        """Return the expected cost of one item at a point, c_FP·π⁻·FPR + c_FN·π⁺·(1 − TPR).

        Parameters
        ----------
        fpr, tpr
            The two rates of the point.
        prevalence
            The share of positives, where the costs have none of their own.
        """
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


# -- what is maximised -----------------------------------------------------------------------------

TIE = 1e-12  # values, rates and floors that differ by no more than this are equal
METRICS = get_args(BestMetric)
METRIC_WORDS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "closest": "distance from the corner (0, 1)",
    "f1": "F1",
    "fbeta": "F2",
    "mcc": "correlation of Matthews (MCC)",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "youden": "TPR − FPR",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A metric of the points: of all that are allowed the one with the highest `values` is best.

    Each of them does not decrease when TPR rises and does not increase when FPR rises.
    """

    metric: str
    slope: float = 1.0
    prevalence: float | None = None
    beta: float = 1.0

    def values(self, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        """Return the values of points; NaN where the metric is undefined."""
        return _VALUES[self.metric](self, fpr, tpr)

    def called(self, fpr: FloatArray, tpr: FloatArray) -> tuple[float, FloatArray]:
        """Return π⁺ and the rate of calls ρ = π⁺·TPR + π⁻·FPR."""
        share = self.prevalence
        if share is None:
            raise OptionError(
                "An averaged curve carries no masses, so this metric needs a prevalence.",
                (
                    "give ",
                    Option("prevalence"),
                    ", the share of positives where the rule will be used.",
                ),
            )
        return share, share * tpr + (1 - share) * fpr

    def gains(self, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        """Return TPR − m·FPR; for an infinite m the TPR where FPR is lowest, −∞ elsewhere."""
        if math.isinf(self.slope):
            return np.where(fpr == fpr.min(initial=1.0), tpr, -np.inf)
        return tpr - self.slope * fpr

    def nearness(self, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        """Return −√((1 − TPR)² + m·FPR²), minus the distance from the corner (0, 1)."""
        return -distances_of(fpr, tpr, self.slope)

    def accuracy(self, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        """Return π⁺·TPR + π⁻·(1 − FPR)."""
        share, _ = self.called(fpr, tpr)
        return share * tpr + (1 - share) * (1 - fpr)

    def f_measure(self, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        """Return (1 + β²)·TP / (β²·P + TP + FP), which is 0 where nothing is called positive."""
        share, called = self.called(fpr, tpr)
        weight = self.beta**2
        return (1 + weight) * share * tpr / (weight * share + called)

    def mcc(self, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        """Return (TPR − FPR)·√(π⁺π⁻ / (ρ(1 − ρ))), the MCC; NaN for a trivial rule."""
        share, called = self.called(fpr, tpr)
        spread = called * (1 - called)
        ratio = np.full(len(spread), np.nan)
        np.divide(share * (1 - share), spread, out=ratio, where=spread > 0)
        correlation: FloatArray = (tpr - fpr) * np.sqrt(ratio)
        return correlation


_VALUES: dict[str, Callable[[Criterion, FloatArray, FloatArray], FloatArray]] = {
    "youden": Criterion.gains,
    "closest": Criterion.nearness,
    "accuracy": Criterion.accuracy,
    "balanced_accuracy": lambda _, fpr, tpr: (tpr + 1 - fpr) / 2,
    "f1": Criterion.f_measure,
    "fbeta": Criterion.f_measure,
    "mcc": Criterion.mcc,
    "sensitivity": lambda _, _fpr, tpr: tpr,
    "specificity": lambda _, fpr, _tpr: 1 - fpr,
}


# -- what is allowed -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a rule must keep to: a budget of calls, and floors of precision and of both rates."""

    rate: float | None = None
    min_precision: float | None = None
    min_tpr: float | None = None
    min_specificity: float | None = None

    def __post_init__(self) -> None:
        for name in self.given:
            check_rate(name, getattr(self, name))

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the limits that are set."""
        return tuple(name for name in self.__slots__ if getattr(self, name) is not None)

    def allow(self, fpr: FloatArray, tpr: FloatArray, share: float | None) -> BoolArray:
        """Return which points keep to the limits; the precision of no call is undefined."""
        allowed = np.ones(len(fpr), dtype=bool)
        if self.rate is not None or self.min_precision is not None:
            _, called = Criterion(metric="precision", prevalence=share).called(fpr, tpr)
            if self.rate is not None:
                allowed &= called <= self.rate + TIE
            if self.min_precision is not None:
                hits = (share or 0.0) * tpr
                allowed &= (called > 0) & (hits >= (self.min_precision - TIE) * called)
        if self.min_tpr is not None:
            allowed &= tpr >= self.min_tpr - TIE
        if self.min_specificity is not None:
            allowed &= 1 - fpr >= self.min_specificity - TIE
        return allowed


NO_LIMITS = Limits()


def criterion_of(
    costs: Costs | None,
    slope: float | None,
    metric: str | None,
    beta: float | None,
    limits: Limits,
    prevalence: float | None,
) -> Criterion:
    """Return what to maximise, or raise where options contradict each other.

    Without costs, slope and metric it is Youden's index; with a limit the highest sensitivity, and
    with a floor of the sensitivity the highest specificity.
    """
    chosen = metric
    if metric is None:
        free = costs is None and slope is None and limits.given
        chosen = (
            "youden" if not free else ("sensitivity" if limits.min_tpr is None else "specificity")
        )
    one_of("metric", chosen, METRICS)
    assert chosen is not None
    if chosen not in ("youden", "closest"):
        for name, value in (("costs", costs), ("slope", slope)):
            if value is not None:
                raise OptionError(
                    ("has no meaning for ", Option("metric", chosen), "."),
                    "costs and slopes go with 'youden' and 'closest'.",
                    option=name,
                    value=value,
                )
    weight = 1.0
    if chosen == "fbeta":
        weight = as_number("beta", 2.0 if beta is None else beta)
        if not 0 < weight < math.inf:
            hint = "beta is positive: 2 weights recall, 0.5 precision."
            raise OptionError("is not a weight of recall.", hint, option="beta", value=beta)
    elif beta is not None:
        raise OptionError(
            "has no meaning for this metric.",
            ("it goes with ", Option("metric", "fbeta"), "."),
            option="beta",
            value=beta,
        )
    return Criterion(
        metric=chosen,
        slope=slope_of(costs, slope, prevalence),
        prevalence=prevalence,
        beta=weight,
    )


# -- the choice ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Choice(Result):
    """The best point by its `metric`, of those that keep to the limits.

    "youden": the point that maximises TPR − m·FPR for a slope m, a vertex of the hull. "closest":
    the one that minimises √((1 − TPR)² + m·FPR²), the distance from the corner (0, 1). The others
    are maximised as they are; `value` is what the point has.

    Every threshold in the half-open interval (low, high] makes the same decisions; `threshold` is
    its upper end. `tied` is the last of other points that are equally good; `point` is the one
    with the smallest FPR.

    From a bucketed tally the rule is one that cuts between two buckets. Its rates and its cost are
    exact, but a threshold inside a bucket might be better: `value_bounds`, `gain_bounds`,
    `distance_bounds` and `expected_cost_bounds` bound by how much.
    """

    point: OperatingPoint
    interval: tuple[float, float]
    slope: float
    metric: str = "youden"
    value: float = math.nan
    tied: OperatingPoint | None = None
    tied_interval: tuple[float, float] | None = None
    expected_cost: float | None = None
    value_range: tuple[float, float] | None = None
    cost_range: tuple[float, float] | None = None

    @property
    def value_name(self) -> str:
        """What the value is called: the gain TPR − m·FPR, the distance, or the metric."""
        return {"youden": "gain", "closest": "distance"}.get(self.metric, self.metric)

    @property
    def value_bounds(self) -> Bounds:
        """The lowest, the found and the highest value of the best threshold; equal if exact."""
        low, high = self.value_range or (self.value, self.value)
        return low, self.value, high

    @property
    def distance(self) -> float:
        """√((1 − TPR)² + m·FPR²) of the best point: its distance from the corner (0, 1)."""
        return float(distances_of(np.array(self.fpr), np.array(self.tpr), self.slope))

    @property
    def distance_bounds(self) -> Bounds:
        """The bounds of the distance of the closest threshold; equal if exact."""
        low, high = (self.value_range if self.metric == "closest" else None) or (self.distance,) * 2
        return low, self.distance, high

    @property
    def gain(self) -> float:
        """TPR − m·FPR of the best point; its TPR if m is infinite."""
        return gain_of(self.fpr, self.tpr, self.slope)

    @property
    def gain_bounds(self) -> Bounds:
        """The lowest, the found and the highest gain of the best threshold; equal if exact."""
        low, high = (self.value_range if self.metric == "youden" else None) or (self.gain,) * 2
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
        sloped = self.metric in ("youden", "closest")
        named = self.value_name if sloped else "value"
        shown = {} if self.metric == "youden" else {"metric": self.metric, named: self.value}
        return {
            "threshold": self.threshold,
            "fpr": self.fpr,
            "tpr": self.tpr,
            "interval": self.interval,
            **({"slope": self.slope} if sloped else {}),
            **shown,
            "expected_cost": self.expected_cost,
            "tied_at": None if self.tied is None else self.tied.threshold,
            **({} if self.value_range is None else {f"{named}_bounds": self.value_bounds}),
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


def best(
    walk: Walk,
    costs: Costs | None = None,
    slope: float | None = None,
    metric: str | None = None,
    *,
    beta: float | None = None,
    limits: Limits = NO_LIMITS,
    prevalence: float | None = None,
) -> Choice:
    """Return the best point for costs, a slope or a metric, of those that keep to the limits."""
    refuse_one_class(walk)
    share = walk.prevalence if prevalence is None else check_prevalence(prevalence)
    if isinstance(costs, Costs) and costs.prevalence is not None:
        if prevalence is not None:
            raise OptionError("The costs have a prevalence of their own.", "give one of them.")
        share = costs.prevalence
    criterion = criterion_of(costs, slope, metric, beta, limits, share)
    free = criterion.metric == "youden" and not limits.given
    allowed = vertices_of(walk) if free else _allowed(walk, limits, share)
    one, other = _ends(criterion, walk, allowed)
    ends = [point_of(walk, index) for index in (one, other)]
    if prevalence is not None:
        ends = [end.at_prevalence(prevalence) for end in ends]
    point = ends[0]
    if math.isnan(point.threshold):
        warn(
            UndefinedMetricWarning(
                "This averaged curve has no thresholds, so the best point has none: it is NaN.",
                'average with how="threshold".',
            )
        )
    sign = -1.0 if criterion.metric == "closest" else 1.0
    value = sign * float(criterion.values(walk.fpr[[one]], walk.tpr[[one]])[0])
    found = Choice(
        point=point,
        interval=threshold_interval(walk, one),
        slope=criterion.slope,
        metric=criterion.metric,
        value=value,
        tied=None if other == one else ends[1],
        tied_interval=None if other == one else threshold_interval(walk, other),
        expected_cost=None if costs is None else costs.expected(point.fpr, point.tpr, share),
    )
    if walk.is_exact:
        return found
    fpr, tpr = _possible(walk, limits, share)
    most = sign * float(np.nanmax(criterion.values(fpr, tpr), initial=sign * value))
    found = replace(found, value_range=(min(value, most), max(value, most)))
    if costs is None or found.expected_cost is None or criterion.metric != "youden":
        return found
    fp, fn = costs.expected(1.0, 1.0, share), costs.expected(0.0, 0.0, share)
    least = float(np.min(fp * fpr + fn * (1 - tpr), initial=found.expected_cost))
    return replace(found, cost_range=(least, found.expected_cost))


def _ends(criterion: Criterion, walk: Walk, index: IntArray) -> tuple[int, int]:
    """Return the first and the last of the best of some points."""
    fpr, tpr = walk.fpr[index], walk.tpr[index]
    if criterion.metric == "youden":
        first, last = best_vertices(fpr, tpr, criterion.slope)
        return int(index[first]), int(index[last])
    values = criterion.values(fpr, tpr)
    if np.isnan(values).all():
        raise OptionError(
            f"The metric {criterion.metric!r} is undefined at every threshold that is allowed.",
            "it needs a rule that calls some items positive and some negative.",
        )
    tied = index[np.flatnonzero(values >= np.nanmax(values) - TIE)]
    return int(tied[0]), int(tied[-1])


def _allowed(walk: Walk, limits: Limits, share: float | None) -> IntArray:
    """Return the points of the walk that keep to the limits, or raise if there is none."""
    allowed = np.flatnonzero(limits.allow(walk.fpr, walk.tpr, share))
    if len(allowed):
        return allowed
    if limits.given == ("min_precision",):
        assert share is not None
        called = share * walk.tpr[1:] + (1 - share) * walk.fpr[1:]
        most = float(np.max(share * walk.tpr[1:][called > 0] / called[called > 0]))
        why = f"the highest precision is {most:.6g}; ask for no more than that."
        raise OptionError(
            "is reached at no threshold.", why, option="min_precision", value=limits.min_precision
        )
    together = ", ".join(f"{name}={getattr(limits, name):g}" for name in limits.given)
    raise OptionError(
        f"No threshold keeps to all of {together}.",
        ("relax one of them, such as ", Argument(limits.given[-1]), "."),
    )


def _possible(walk: Walk, limits: Limits, share: float | None) -> tuple[FloatArray, FloatArray]:
    """Return points of which the best is at least as good as any rule inside a bucket.

    They are the points of the highest walk, and the one at the budget: every metric rises towards
    (0, 1), and so do the floors.
    """
    high = walk.extremes[1]
    fpr, tpr = high.fpr, high.tpr
    if limits.rate is not None:
        at = point_at_rate(replace(high, between=None), limits.rate, share)
        fpr, tpr = np.append(fpr, at.fpr), np.append(tpr, at.tpr)
    allowed = limits.allow(fpr, tpr, share)
    return fpr[allowed], tpr[allowed]


def distances_of(fpr: FloatArray, tpr: FloatArray, slope: float) -> FloatArray:
    """Return √((1 − TPR)² + m·FPR²); with an infinite m, infinite unless FPR is 0."""
    aside = np.where(fpr > 0, math.inf, 0.0) if math.isinf(slope) else slope * fpr**2
    distances: FloatArray = np.sqrt((1 - tpr) ** 2 + aside)
    return distances


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

    With an infinite slope only FPR counts; of the vertices where it is lowest the highest is best.
    """
    if math.isinf(slope):
        tied = np.flatnonzero(fpr == fpr.min())
        return int(tied[-1]), int(tied[0])
    gain = tpr - slope * fpr
    tied = np.flatnonzero(gain >= gain.max() - TIE)
    return int(tied[0]), int(tied[-1])
