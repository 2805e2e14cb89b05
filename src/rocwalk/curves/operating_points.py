"""Points of a ROC curve as decision rules: where they lie and all rates that follow.

See "Classic analysis" in docs/mathematics.rst.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Self

import numpy as np

from rocwalk.checks import as_number
from rocwalk.errors import OptionError, TallyError, UndefinedMetricWarning, collecting, warn
from rocwalk.result import Result
from rocwalk.tally.walk import (
    EXACT_TALLY,
    Walk,
    between,
    check_prevalence,
    check_rate,
    falling_bounds,
    highest_tpr,
    in_order,
    index_above,
    index_at,
    inside_steps,
    lowest_fpr,
    rates,
    rising_bounds,
    share_of_positives,
    shares,
)
from rocwalk.typing import AnyArray, Bounds, FloatArray


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
    def lift(self) -> float:
        """TPR / ρ, with ρ the predicted positive rate: precision over prevalence; NaN at (0, 0)."""
        return _ratio(self.tpr, self.predicted_positive_rate, "lift")

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
    "lift",
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


def rates_of_calls(walk: Walk, prevalence: float | None = None) -> FloatArray:
    """Return ρ = π⁺·TPR + π⁻·FPR at each point: the share of items that its rule calls positive.

    At the data's own prevalence it is the quotient of the masses.
    """
    share = share_of_positives(walk, prevalence)
    if prevalence is None:
        return rates(walk.up + walk.right)
    called = share * walk.tpr + (1 - share) * walk.fpr
    return np.append(np.minimum(called[:-1], 1.0), 1.0)


def point_at_rate(walk: Walk, rate: float, prevalence: float | None = None) -> OperatingPoint:
    """Return the point whose rules call a share of the items positive, a budget.

    On the line π⁺·TPR + π⁻·FPR = ρ a higher curve has the higher TPR and the lower FPR.
    """
    at = np.array([check_rate("rate", rate)])

    def of(one: Walk) -> OperatingPoint:
        called = rates_of_calls(one, prevalence)
        before = np.searchsorted(called, at, side="right") - 1
        after = np.minimum(before + 1, len(one) - 1)
        share = shares(called, before, after, at)
        fpr, tpr = (float(between(x, before, after, share)[0]) for x in (one.fpr, one.tpr))
        return _mixed_point(one, before, called, at, fpr, tpr)

    found = of(walk)
    if prevalence is not None:
        found = found.at_prevalence(prevalence)
    if walk.is_exact:
        return found
    worst, best = (of(one) for one in walk.extremes)
    low, _, high = in_order(worst.tpr, found.tpr, best.tpr)
    least, _, most = in_order(best.fpr, found.fpr, worst.fpr)
    return replace(found, tpr_range=(low, high), fpr_range=(least, most))


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
