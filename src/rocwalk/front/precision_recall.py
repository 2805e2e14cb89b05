"""Precision against recall: the curve of who is found, and who is found rightly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rocwalk.measure import precision
from rocwalk.result import Result
from rocwalk.typing import AnyArray, Bounds, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecall(Result):
    """Precision against recall; make one with `Curve.precision_recall`."""

    data: precision.PrecisionWalk

    @property
    def precision(self) -> FloatArray:
        """TP / (TP + FP) at each threshold; NaN at +inf, where nothing is predicted positive."""
        return self.data.precision

    @property
    def recall(self) -> FloatArray:
        """The true positive rate at each threshold."""
        return self.data.recall

    @property
    def thresholds(self) -> FloatArray:
        """Decreasing thresholds, the first is +inf."""
        return self.data.thresholds

    @property
    def prevalence(self) -> float:
        """The share of positives that the precision is for; also the precision of chance."""
        return self.data.prevalence

    @property
    def average_precision(self) -> float:
        """Σ (recall_k − recall_{k−1})·precision_k."""
        return self.data.average_precision

    @cached_property
    def average_precision_bounds(self) -> Bounds:
        """The lowest, the middle and the highest average precision; equal unless bucketed."""
        return self.data.average_precision_bounds

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw precision against recall into `ax` or a new picture and return the axes."""
        from rocwalk.draw.curves import draw_precision_recall

        return draw_precision_recall(self.data, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        headline = {"average_precision": self.average_precision, "prevalence": self.prevalence}
        if self.data.buckets is None:
            return headline
        return headline | {"average_precision_bounds": self.average_precision_bounds}

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "thresholds": self.thresholds,
            "precision": self.precision,
            "recall": self.recall,
        }
