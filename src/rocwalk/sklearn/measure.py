"""`Measure`: a metric as scikit-learn's scorers call it, which also knows soft truth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any

from rocwalk.typing import ArrayLike


@dataclass(frozen=True)
class Measure:
    """A function of (y_true, y_pred) that takes the metadata `soft_truth` and `sample_weight`.

    Where soft truth is given, it stands in the place of the labels. It can be pickled if the
    function can.
    """

    function: Callable[..., Any]

    @property
    def __name__(self) -> str:  # what scikit-learn writes in the repr of a scorer
        return str(getattr(self.function, "__name__", repr(self.function)))

    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        soft_truth: ArrayLike = None,
        sample_weight: ArrayLike = None,
        pos_label: Any = None,
        **options: Any,
    ) -> Any:
        """Return the number for labels, or for probabilities of truth if these are given."""
        if sample_weight is not None:
            options["sample_weight"] = sample_weight
        if soft_truth is not None:
            return self.function(soft_truth, y_pred, **(self._soft(pos_label) | options))
        if pos_label is not None:
            options["pos_label"] = pos_label
        return self.function(y_true, y_pred, **options)

    def _soft(self, pos_label: Any) -> dict[str, Any]:
        """Return the keywords that say that the truth is soft.

        The positive label has done its work then: it chose the column of probabilities. Predicted
        labels still need it.
        """
        known = signature(self.function).parameters
        soft: dict[str, Any] = {"truth": "soft"} if "truth" in known else {}
        if pos_label is not None and "y_pred" in known:
            soft["pos_label"] = pos_label
        return soft
