"""The numbers that sum up one model: what tables, the command line and pages print."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocwalk.curves.area import area, partial_area
from rocwalk.curves.calibration import brier
from rocwalk.curves.costs import envelope, h_measure
from rocwalk.curves.hull import hull
from rocwalk.curves.operating_points import Choice, Costs, best
from rocwalk.errors import OneClassError
from rocwalk.evaluate.study import Study
from rocwalk.inference.interval import Interval, Question
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence, Items, codes_of
from rocwalk.inference.resampling import Plan
from rocwalk.result import Result
from rocwalk.smear.areas import Kernel, probabilistic_auc
from rocwalk.smear.sides import sides_of_tally
from rocwalk.smear.widths import Match, match
from rocwalk.statistic import Statistic, statistic_of
from rocwalk.tally.tally import Tally, in_unit_range
from rocwalk.tally.walk import Walk, rising_bounds, slack_of, walk_of
from rocwalk.truth.reference_truth import expected_auc, expected_auc_bounds
from rocwalk.typing import Bounds


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Summary(Result):
    """One model in numbers; NaN and None where a class is missing.

    `bounds` has the lowest, the given and the highest value of each number that a bucketed tally
    leaves open, by name; it is empty for an exact tally.
    """

    rows: int
    positives: float
    negatives: float
    auc: float
    hull_area: float
    partial_auc: float | None
    choice: Choice | None
    probabilistic_auc: float | None
    match: Match | None
    h_measure: float
    brier: float | None
    expected_auc: float | None
    bounds: Mapping[str, Bounds] = field(default_factory=dict)

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        whole = self.positives + self.negatives
        return self.positives / whole if whole else float("nan")

    @property
    def sentence(self) -> str:
        """What the numbers mean, in words."""
        return " ".join(self.sentences)

    @property
    def sentences(self) -> list[str]:
        """What the area, the probabilistic AUC and the width mean, one sentence each."""
        if self.choice is None:
            missing = "positive" if not self.positives else "negative"
            return [f"There are no {missing} items, so there is no curve and no area."]
        ranks = "A random positive outscores a random negative with probability"
        if self.expected_auc is not None:  # soft truth: an item is drawn for either class
            ranks = "An item drawn as a positive outscores one drawn as a negative with probability"
        words = [f"{ranks} {self.auc:.3f} (ties count one half).", *self._doubt]
        if self.probabilistic_auc is None:
            return [*words, "The scores are not all within [0, 1]: no probabilistic AUC."]
        words.append(f"Probabilistic AUC {self.probabilistic_auc:.3f}: {self._difference}.")
        return words if self.match is None else [*words, self.match.sentence]

    @property
    def _doubt(self) -> list[str]:
        """Say how far buckets leave the area open, if they do."""
        if "auc" not in self.bounds:
            return []
        off = slack_of(self.bounds["auc"])
        return [f"Scores are bucketed: this is within ± {off:.2g} of the exact value."]

    @property
    def _difference(self) -> str:
        gini = 2 * (self.probabilistic_auc or 0.0) - 1
        if abs(gini) < 5e-4:
            return "on average positives and negatives score alike"
        side = "above" if gini > 0 else "below"
        return f"on average positives score {abs(gini):.3f} {side} negatives"

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
            "probabilistic_auc": self.probabilistic_auc,
            "matched_width": None if self.match is None else self.match.width,
            "matched_widths": None if self.match is None else self.match.widths,
            "nearest_width": None if self.match is None else self.match.nearest_width,
            "width_gap": None if self.match is None else self.match.gap,
            "h_measure": self.h_measure,
            "brier": self.brier,
            "expected_auc": self.expected_auc,
            "threshold": None if point is None else point.threshold,
            "threshold_above": None if point is None else point.interval[0],
            "tpr": None if point is None else point.tpr,
            "fpr": None if point is None else point.fpr,
            "expected_cost": None if point is None else point.expected_cost,
            **{f"{name}_bounds": bounds for name, bounds in self.bounds.items()},
        }


def summary(tally: Tally, *, costs: Costs | None = None, max_fpr: float | None = None) -> Summary:
    """Sum up a tally: its areas, and the best threshold for the costs (Youden's without)."""
    walk = walk_of(tally)
    whole = tally.total_up > 0 and tally.total_right > 0
    choice = best(walk, costs) if whole else None
    return Summary(
        rows=tally.total_count,
        positives=tally.total_up,
        negatives=tally.total_right,
        auc=area(walk),
        hull_area=area(hull(walk)) if whole else float("nan"),
        partial_auc=None if max_fpr is None else partial_area(walk, max_fpr, standardized=True),
        choice=choice,
        probabilistic_auc=probabilistic_auc(tally) if whole and in_unit_range(tally) else None,
        match=_match(tally) if whole and in_unit_range(tally) else None,
        h_measure=h_measure(envelope(walk)) if whole else float("nan"),
        brier=_brier(tally) if whole and in_unit_range(tally) else None,
        expected_auc=expected_auc(tally) if whole and np.any(tally.up_right) else None,
        bounds={} if choice is None or walk.is_exact else _bounds(tally, walk, choice, max_fpr),
    )


def _bounds(tally: Tally, walk: Walk, choice: Choice, max_fpr: float | None) -> dict[str, Bounds]:
    """Return the bounds of the numbers that a bucketed tally leaves open."""
    found = {
        "auc": tally.auc_bounds,
        "hull_area": rising_bounds(walk, lambda one: area(hull(one))),
        "h_measure": rising_bounds(walk, lambda one: h_measure(envelope(one))),
        "gain": choice.gain_bounds,
    }
    if max_fpr is not None:
        found["partial_auc"] = rising_bounds(
            walk, lambda one: partial_area(one, max_fpr, standardized=True)
        )
    if np.any(tally.up_right):
        found["expected_auc"] = expected_auc_bounds(tally)
    if choice.expected_cost_bounds is not None:
        found["expected_cost"] = choice.expected_cost_bounds
    return found


def _brier(tally: Tally) -> float | None:
    """Return the Brier score of an exact tally; buckets have lost the squares of the scores."""
    return None if tally.is_bucketed else brier(tally)


def _match(tally: Tally) -> Match | None:
    """Return the matched width of an exact tally; buckets have lost the order it needs."""
    return None if tally.is_bucketed else match(sides_of_tally(tally), Kernel())


# -- the intervals of the numbers that sum up a model ----------------------------------------------


_NO_PLAN = Plan(1)


def evidence_on(study: Study, model: Any, tally: Tally) -> Evidence:
    """Return the evidence on a model of a study; with items where clusters or soft truth need them.

    A model that has rows which other models lack has no items, unless there are clusters.
    """
    paired = study.paired
    if paired is None or (paired.cluster is None and paired.is_hard):
        return Evidence(tally)
    if paired.cluster is None and len(paired.truth) != tally.total_count:
        return Evidence(tally)
    weights = 1.0 if paired.weights is None else paired.weights
    up = weights * paired.truth.astype(float)
    cluster = None if paired.cluster is None else codes_of(paired.cluster)
    items = Items(up, weights - up, paired.scores[model], cluster)
    return Evidence(tally, items)


def summary_intervals(evidence: Evidence, one: Summary, level: float) -> dict[str, Interval]:
    """Return the intervals of the areas, and of both rates at the best threshold.

    Closed forms all; none where there are too few items, and none of the rates of clusters. The
    rates are those of a threshold chosen on the same data, so they flatter it.
    """
    if one.choice is None:
        return {}
    asked: dict[str, Statistic] = {"auc": statistic_of("auc")}
    if one.probabilistic_auc is not None:
        asked["probabilistic_auc"] = statistic_of("probabilistic_auc")
    items = evidence.items
    if evidence.is_soft and items is not None and items.truth.min() < items.truth.max():
        asked["auc_prt"] = statistic_of("auc_prt")
    if evidence.cluster is None:
        at = one.choice.threshold
        asked["tpr"] = statistic_of("sensitivity", threshold=at)
        asked["specificity"] = statistic_of("specificity", threshold=at)
    try:
        return {
            name: interval_of(evidence, Question(statistic, level, "auto", None, _NO_PLAN))
            for name, statistic in asked.items()
        }
    except OneClassError:
        return {}


Ends = dict[str, Any]


def interval_numbers(intervals: dict[str, Interval]) -> Ends:
    """Return the ends by the names that tables use; the false positive rate is 1 − specificity."""
    numbers: Ends = {}
    for name in ("auc", "probabilistic_auc", "auc_prt", "tpr"):
        found = intervals.get(name)
        numbers[f"{name}_low"] = None if found is None else found.low
        numbers[f"{name}_high"] = None if found is None else found.high
    numbers["auc_prt"] = intervals["auc_prt"].estimate if "auc_prt" in intervals else None
    true_negative = intervals.get("specificity")
    numbers["fpr_low"] = None if true_negative is None else 1 - true_negative.high
    numbers["fpr_high"] = None if true_negative is None else 1 - true_negative.low
    numbers["interval_method"] = intervals["auc"].method if "auc" in intervals else None
    return numbers
