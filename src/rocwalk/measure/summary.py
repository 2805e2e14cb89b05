"""The numbers that sum up one model: what tables, the command line and pages print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocwalk.measure.area import area, partial_area
from rocwalk.measure.choose import Choice, best
from rocwalk.measure.costs import Costs
from rocwalk.measure.hull import hull
from rocwalk.result import Result
from rocwalk.walk.curve import walk_of
from rocwalk.walk.tally import Tally


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Summary(Result):
    """One model in numbers; NaN and None where a class is missing."""

    rows: int
    positives: float
    negatives: float
    auc: float
    hull_area: float
    partial_auc: float | None
    choice: Choice | None

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        whole = self.positives + self.negatives
        return self.positives / whole if whole else float("nan")

    @property
    def sentence(self) -> str:
        """What the area means, in words."""
        if self.choice is None:
            missing = "positive" if not self.positives else "negative"
            return f"There are no {missing} items, so there is no curve and no area."
        return (
            f"A random positive outscores a random negative with probability {self.auc:.3f} "
            "(ties count one half)."
        )

    def _headline(self) -> dict[str, Any]:
        point = self.choice
        return {
            "rows": self.rows,
            "positives": self.positives,
            "negatives": self.negatives,
            "prevalence": self.prevalence,
            "auc": self.auc,
            "hull_area": self.hull_area,
            "partial_auc": self.partial_auc,
            "threshold": None if point is None else point.threshold,
            "threshold_above": None if point is None else point.interval[0],
            "tpr": None if point is None else point.tpr,
            "fpr": None if point is None else point.fpr,
            "expected_cost": None if point is None else point.expected_cost,
        }


def summary(tally: Tally, *, costs: Costs | None = None, max_fpr: float | None = None) -> Summary:
    """Sum up a tally: its areas, and the best threshold for the costs (Youden's without)."""
    walk = walk_of(tally)
    whole = tally.total_up > 0 and tally.total_right > 0
    return Summary(
        rows=tally.total_count,
        positives=tally.total_up,
        negatives=tally.total_right,
        auc=area(walk),
        hull_area=area(hull(walk)) if whole else float("nan"),
        partial_auc=None if max_fpr is None else partial_area(walk, max_fpr, standardized=True),
        choice=best(walk, costs) if whole else None,
    )
