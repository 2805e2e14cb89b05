"""What mistakes cost, and the slope that costs give in ROC space."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocwalk.errors import OptionError, as_number
from rocwalk.result import Result


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
            cost = as_number(name, getattr(self, name))
            if not (math.isfinite(cost) and cost >= 0):
                raise OptionError(
                    f"{name}={getattr(self, name)!r} is not a cost.",
                    "costs are finite and not negative.",
                )
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
            f"prevalence={value!r} is outside (0, 1).",
            "pass the share of positives where the rule will be used, such as 0.02.",
        )
    return float(value)
