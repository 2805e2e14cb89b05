"""Precision against recall, from the same walk as the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.result import Result
from rocwalk.statistic import UNIT, Statistic, register
from rocwalk.tally.tally import read_only
from rocwalk.tally.walk import Walk, in_order, share_of_positives, walk_of
from rocwalk.typing import AnyArray, BoolArray, Bounds, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecall(Result):
    """Precision against recall; make one with `Curve.precision_recall`.

    Attributes
    ----------
    precision, recall
        TP / (TP + FP), for hard labels the correctly rounded quotient of the counts, and the true
        positive rate at each threshold; the precision is NaN at +inf, where nothing is predicted
        positive.
    thresholds
        Decreasing, the first is +inf.
    prevalence
        The share of positives that the precision is for; also the precision of chance.
    fpr
        The false positive rate at each threshold.
    buckets
        Which steps span several scores; None for an exact curve.
    """

    precision: FloatArray
    recall: FloatArray
    thresholds: FloatArray
    prevalence: float
    fpr: FloatArray
    buckets: BoolArray | None = None

    @property
    def average_precision(self) -> float:
        """Σ (recall_k − recall_{k−1})·precision_k: the area under the steps, no interpolation."""
        gain = np.diff(self.recall)
        moved = gain > 0  # where nothing is predicted yet, precision is NaN and nothing is gained
        return float(gain[moved] @ self.precision[1:][moved])

    @cached_property
    def average_precision_bounds(self) -> Bounds:
        """The lowest, the middle and the highest average precision; equal unless bucketed.

        Inside a bucket from (x₀, y₀) to (x₁, y₁) the precision that counts at recall y is that of
        a point with FPR ≤ x₁ and TPR ≥ y, and with FPR ≥ x₀ and TPR ≤ y₁. So the bucket adds
        between ∫ p(x₁, y) dy from y₀ to y₁ and (y₁ − y₀)·p(x₀, y₁), where
        p(x, y) = π⁺y/(π⁺y + π⁻x). The integral is (y₁ − y₀) − q·ln((y₁ + q)/(y₀ + q)) with
        q = x₁·π⁻/π⁺. (The extreme walks do not give these bounds: ties count by their end.)
        """
        value = self.average_precision
        if self.buckets is None:
            return value, value, value
        wide = np.flatnonzero(self.buckets[1:] & (np.diff(self.recall) > 0))
        low, high = self.recall[wide], self.recall[wide + 1]
        run, odds = high - low, (1 - self.prevalence) / self.prevalence
        held = float(run @ self.precision[wide + 1])
        q = odds * self.fpr[wide + 1]
        apart = np.divide(run, low + q, out=np.zeros_like(run), where=low + q > 0)
        least = float((run - q * np.log1p(apart)).sum())
        most = float((run * high / (high + odds * self.fpr[wide])).sum())
        return in_order(value - held + least, value, value - held + most)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw precision against recall into `ax` or a new figure and return the axes.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_precision_recall

        return draw_precision_recall(self, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        headline = {"average_precision": self.average_precision, "prevalence": self.prevalence}
        if self.buckets is None:
            return headline
        return headline | {"average_precision_bounds": self.average_precision_bounds}

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "thresholds": self.thresholds,
            "precision": self.precision,
            "recall": self.recall,
        }


def precision_walk(walk: Walk, prevalence: float | None = None) -> PrecisionRecall:
    """Return precision against recall, at the data's own prevalence π⁺ or at another.

    At the data's own it is TP / (TP + FP), the quotient of the masses; at another prevalence
    π⁺·TPR / (π⁺·TPR + π⁻·FPR).
    """
    share = share_of_positives(walk, prevalence)
    if prevalence is None:
        hits, called = walk.up, walk.up + walk.right
    else:
        hits = share * walk.tpr
        called = hits + (1 - share) * walk.fpr
    precision = np.divide(hits, called, out=np.full(len(hits), np.nan), where=called > 0)
    wide = None
    if not walk.is_exact and walk.highest is not None:
        wide = walk.highest > walk.thresholds
    return PrecisionRecall(read_only(precision), walk.tpr, walk.thresholds, share, walk.fpr, wide)


AVERAGE_PRECISION = register(
    Statistic(
        "average_precision",
        lambda tally: precision_walk(walk_of(tally)).average_precision,
        title="Average precision",
        symbol="AP",
        sentence="The precision averaged over the recall that each threshold adds.",
        references=("Boyd, Eng & Page 2013",),
        range=UNIT,
        direction="higher",
        bounds=lambda tally: precision_walk(walk_of(tally)).average_precision_bounds,
    )
)
