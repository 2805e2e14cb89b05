"""Points of a ROC curve as decision rules, and the choice of a threshold for given costs.

See "Classic analysis" and "Costs" in docs/mathematics.rst.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, Self

import numpy as np

from rocwalk.curves.hull import vertices_of
from rocwalk.errors import (
    OptionError,
    TallyError,
    UndefinedMetricWarning,
    as_number,
    collecting,
    one_of,
    warn,
)
from rocwalk.result import Result
from rocwalk.statistic import UNIT, Share, Statistic, register
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import (
    EXACT_TALLY,
    Walk,
    check_rate,
    falling_bounds,
    highest_tpr,
    in_order,
    index_above,
    index_at,
    inside_steps,
    lowest_fpr,
    refuse_one_class,
    rising_bounds,
    shares,
    walk_of,
)
from rocwalk.typing import AnyArray, Bounds, FloatArray


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


def check_prevalence(value: float) -> float:
    """Raise unless the value lies strictly between 0 and 1."""
    if not 0 < as_number("prevalence", value) < 1:
        raise OptionError(
            "is outside (0, 1).",
            "pass the share of positives where the rule will be used, such as 0.02.",
            option="prevalence",
            value=value,
        )
    return float(value)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Confusion(Result):
    """The confusion matrix: counts for hard labels, masses for soft truth or weights."""

    true_positives: float
    false_positives: float
    false_negatives: float
    true_negatives: float

    @property
    def total(self) -> float:
        """All four cells together."""
        return (
            self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
        )

    def to_array(self) -> AnyArray:
        """Return [[TN, FP], [FN, TP]], in scikit-learn's order."""
        return np.array(
            [
                [self.true_negatives, self.false_positives],
                [self.false_negatives, self.true_positives],
            ]
        )

    def _headline(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OperatingPoint(Result):
    """A point that a rule reaches: predict positive when the score is ≥ `threshold`.

    A point between two points of a curve is reached by using `threshold` with probability `share`
    and `other_threshold` with probability 1 − `share`; the rates and all that is derived from them
    are expectations.

    `fpr_range` and `tpr_range` are the bounds of a rate that a bucketed tally does not determine.
    """

    fpr: float
    tpr: float
    threshold: float
    other_threshold: float | None = None
    share: float = 1.0
    prevalence: float | None = None
    counts: Confusion | None = None
    fpr_range: tuple[float, float] | None = None
    tpr_range: tuple[float, float] | None = None

    def at_prevalence(self, prevalence: float) -> Self:
        """Return the same rule where another share of items is positive.

        The rates are unchanged; predictive values, accuracy and F depend on the prevalence. The
        result has no counts, which belong to the data.
        """
        return replace(self, prevalence=check_prevalence(prevalence), counts=None)

    @property
    def confusion(self) -> Confusion:
        """The confusion matrix of the data at this point."""
        if self.counts is None and self.fpr_range is not None and self.tpr_range is not None:
            raise TallyError(
                f"The confusion matrix at {self.threshold:g}, inside a bucket, needs every score, "
                "and this tally is bucketed.",
                f"ask at an end of a bucket, or {EXACT_TALLY}.",
            )
        if self.counts is None:
            raise OptionError(
                "There are no counts at this point, only rates.",
                "ask a curve made from data, at its own prevalence.",
            )
        return self.counts

    @property
    def fpr_bounds(self) -> Bounds:
        """The lowest, the given and the highest FPR; all the same unless bucketed."""
        low, high = self.fpr_range or (self.fpr, self.fpr)
        return low, self.fpr, high

    @property
    def tpr_bounds(self) -> Bounds:
        """The lowest, the given and the highest TPR; all the same unless bucketed."""
        low, high = self.tpr_range or (self.tpr, self.tpr)
        return low, self.tpr, high

    @property
    def recall(self) -> float:
        """TP / P, the true positive rate."""
        return self.tpr

    @property
    def sensitivity(self) -> float:
        """The true positive rate, under its clinical name."""
        return self.tpr

    @property
    def specificity(self) -> float:
        """TN / N = 1 − FPR."""
        return 1.0 - self.fpr

    @property
    def precision(self) -> float:
        """TP / (TP + FP), the positive predictive value; NaN if nothing is predicted positive."""
        cells = self._cells()
        called = cells.true_positives + cells.false_positives
        return _ratio(cells.true_positives, called, "precision")

    @property
    def negative_predictive_value(self) -> float:
        """TN / (TN + FN); NaN if nothing is predicted negative."""
        cells = self._cells()
        called = cells.true_negatives + cells.false_negatives
        return _ratio(cells.true_negatives, called, "negative predictive value")

    @property
    def accuracy(self) -> float:
        """(TP + TN) / (P + N)."""
        cells = self._cells()
        return (cells.true_positives + cells.true_negatives) / cells.total

    @property
    def f_measure(self) -> float:
        """2·precision·recall / (precision + recall) = 2TP / (2TP + FP + FN)."""
        cells = self._cells()
        hits = 2 * cells.true_positives
        return _ratio(hits, hits + cells.false_positives + cells.false_negatives, "F measure")

    @property
    def balanced_accuracy(self) -> float:
        """The mean of sensitivity and specificity."""
        return (self.tpr + 1 - self.fpr) / 2

    @property
    def youden(self) -> float:
        """TPR − FPR."""
        return self.tpr - self.fpr

    @property
    def predicted_positive_rate(self) -> float:
        """The share of items that the rule predicts positive."""
        cells = self._cells()
        return (cells.true_positives + cells.false_positives) / cells.total

    @property
    def positive_likelihood_ratio(self) -> float:
        """TPR / FPR; inf where only FPR is 0, NaN at (0, 0)."""
        return _odds(self.tpr, self.fpr, "positive likelihood ratio")

    @property
    def negative_likelihood_ratio(self) -> float:
        """(1 − TPR) / (1 − FPR); inf where only specificity is 0, NaN at (1, 1)."""
        return _odds(1 - self.tpr, 1 - self.fpr, "negative likelihood ratio")

    def metrics(self, prevalence: float | None = None) -> dict[str, float]:
        """Return all rates and values by name, at the given prevalence or the data's own."""
        point = self if prevalence is None else self.at_prevalence(prevalence)
        with collecting(UndefinedMetricWarning):
            return {name: getattr(point, name) for name in _METRICS}

    def metrics_bounds(self, prevalence: float | None = None) -> dict[str, Bounds]:
        """Return `metrics` with bounds: the lowest, the given and the highest value of each.

        Each of them is monotone in FPR and in TPR, so the extremes are at the corners of the two
        ranges. Corners where a value is undefined are left out.
        """
        found = self.metrics(prevalence)
        if self.fpr_range is None and self.tpr_range is None:
            return {name: (value, value, value) for name, value in found.items()}
        pairs = product(self.fpr_bounds[::2], self.tpr_bounds[::2])
        plain = replace(self, counts=None)
        corners = [replace(plain, fpr=x, tpr=y).metrics(prevalence) for x, y in pairs]
        bounds = {}
        for name, value in found.items():
            defined = [c[name] for c in corners if not np.isnan(c[name])] or [value]
            bounds[name] = in_order(min(defined), value, max(defined))
        return bounds

    def _cells(self) -> Confusion:
        """Return the confusion matrix: of the data, or of one item at the prevalence given."""
        if self.counts is not None:
            return self.counts
        if self.prevalence is None:
            raise OptionError(
                "An averaged curve carries no masses, so this needs a prevalence.",
                "use .at_prevalence(0.1), with the share of positives in place of 0.1.",
            )
        share = self.prevalence
        return _confusion(share * self.tpr, (1 - share) * self.fpr, share, 1 - share)

    def _headline(self) -> dict[str, Any]:
        mixed = self.other_threshold is not None
        return {
            "fpr": self.fpr,
            "tpr": self.tpr,
            "threshold": self.threshold,
            "other_threshold": self.other_threshold,
            "share": self.share if mixed else None,
            "prevalence": self.prevalence,
            **({} if self.fpr_range is None else {"fpr_bounds": self.fpr_bounds}),
            **({} if self.tpr_range is None else {"tpr_bounds": self.tpr_bounds}),
        }


_METRICS = (
    "tpr",
    "fpr",
    "specificity",
    "precision",
    "negative_predictive_value",
    "accuracy",
    "balanced_accuracy",
    "f_measure",
    "youden",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
    "predicted_positive_rate",
)


def point_of(walk: Walk, index: int) -> OperatingPoint:
    """Return one of the walk's own points."""
    return _point(walk, float(walk.fpr[index]), float(walk.tpr[index]), index, None, 1.0)


def point_at_threshold(walk: Walk, threshold: float) -> OperatingPoint:
    """Return the point of the rule "score ≥ threshold", without interpolation."""
    value = as_number("threshold", threshold)
    index = int(index_at(walk, np.array(value)))
    return replace(point_of(walk, index), threshold=value)


def point_or_box(walk: Walk, threshold: float) -> OperatingPoint:
    """Return the point of "score ≥ threshold"; inside a bucket the middle of its bounds.

    Such a rule predicts positive all of the buckets above and an unknown part of this one, so both
    rates lie between those of the bucket's two ends.
    """
    value = np.array(as_number("threshold", threshold))
    index = index_above(walk, value)
    if walk.is_exact or not inside_steps(walk, index, value):
        return point_at_threshold(walk, threshold)
    ends = [point_of(walk, int(index)), point_of(walk, int(index) + 1)]
    return OperatingPoint(
        fpr=(ends[0].fpr + ends[1].fpr) / 2,
        tpr=(ends[0].tpr + ends[1].tpr) / 2,
        threshold=float(value),
        prevalence=walk.prevalence,
        fpr_range=(ends[0].fpr, ends[1].fpr),
        tpr_range=(ends[0].tpr, ends[1].tpr),
    )


def point_at_fpr(walk: Walk, fpr: float) -> OperatingPoint:
    """Return the highest point at a false positive rate."""
    x = np.array([check_rate("fpr", fpr)])
    before = np.searchsorted(walk.fpr, x, side="right") - 1
    found = _mixed_point(walk, before, walk.fpr, x, float(x[0]), float(highest_tpr(walk, x)[0]))
    if walk.is_exact:
        return found
    low, _, high = rising_bounds(walk, lambda one: float(highest_tpr(one, x)[0]))
    return replace(found, tpr_range=(low, high))


def point_at_tpr(walk: Walk, tpr: float) -> OperatingPoint:
    """Return the leftmost point at a true positive rate."""
    y = np.array([check_rate("tpr", tpr)])
    after = np.searchsorted(walk.tpr, y, side="left")
    before = np.where(walk.tpr[after] == y, after, after - 1)
    found = _mixed_point(walk, before, walk.tpr, y, float(lowest_fpr(walk, y)[0]), float(y[0]))
    if walk.is_exact:
        return found
    low, _, high = falling_bounds(walk, lambda one: float(lowest_fpr(one, y)[0]))
    return replace(found, fpr_range=(low, high))


def _mixed_point(
    walk: Walk, before: Any, rates: Any, at: Any, fpr: float, tpr: float
) -> OperatingPoint:
    """Return the point between `before` and the next one, with the odds of the two rules."""
    after = np.minimum(before + 1, len(walk) - 1)
    share = float(shares(rates, before, after, at)[0])
    other = int(after[0]) if share > 0 else None
    return _point(walk, fpr, tpr, int(before[0]), other, 1 - share)


def _point(
    walk: Walk, fpr: float, tpr: float, index: int, other: int | None, share: float
) -> OperatingPoint:
    """Return a point with the confusion matrix of the data, an expectation between two points."""
    counts = None
    if walk.has_masses:
        up, right = walk.up[index].item(), walk.right[index].item()
        if other is not None:
            up = share * up + (1 - share) * walk.up[other].item()
            right = share * right + (1 - share) * walk.right[other].item()
        counts = _confusion(up, right, walk.up[-1].item(), walk.right[-1].item())
    return OperatingPoint(
        fpr=fpr,
        tpr=tpr,
        threshold=float(walk.thresholds[index]),
        other_threshold=None if other is None else float(walk.thresholds[other]),
        share=share,
        prevalence=walk.prevalence,
        counts=counts,
    )


def _confusion(up: float, right: float, total_up: float, total_right: float) -> Confusion:
    return Confusion(
        true_positives=up,
        false_positives=right,
        false_negatives=total_up - up,
        true_negatives=total_right - right,
    )


def _ratio(numerator: float, denominator: float, name: str) -> float:
    if denominator > 0:
        return numerator / denominator
    warn(
        UndefinedMetricWarning(
            f"The {name} is undefined at this point and is NaN.",
            "the rule predicts one class only; choose another threshold.",
        )
    )
    return float("nan")


def _odds(numerator: float, denominator: float, name: str) -> float:
    if denominator == 0 and numerator > 0:
        return float("inf")
    return _ratio(numerator, denominator, name)


# -- the choice of a threshold ---------------------------------------------------------------------

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


def _rate(tally: Tally, threshold: float, name: str) -> float:
    return float(getattr(point_at_threshold(walk_of(tally), threshold), name))


RATES = tuple(
    register(
        Statistic(
            name,
            partial(_rate, name=name),
            title=title,
            sentence=sentence,
            range=UNIT,
            direction="higher",
            conditional=name in ("sensitivity", "specificity"),
            share=share,
            exact_from_buckets=True,  # at the end of a bucket; elsewhere `of` refuses
            parameters=("threshold",),
        )
    ).name
    for name, title, share, sentence in (
        (
            "sensitivity",
            "Sensitivity",
            Share(("tp",), ("fn",)),
            "The share of positives at or above the threshold.",
        ),
        (
            "specificity",
            "Specificity",
            Share(("tn",), ("fp",)),
            "The share of negatives below the threshold.",
        ),
        (
            "precision",
            "Precision",
            Share(("tp",), ("fp",)),
            "The share of positives among the items called positive.",
        ),
        (
            "negative_predictive_value",
            "Negative predictive value",
            Share(("tn",), ("fn",)),
            "The share of negatives among the items called negative.",
        ),
        (
            "accuracy",
            "Accuracy",
            Share(("tp", "tn"), ("fn", "fp")),
            "The share of items on the right side of the threshold.",
        ),
    )
)
