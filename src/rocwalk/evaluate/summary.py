"""The summary of one model: the registered numbers that tables, command line and page show."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocwalk.curves.choices import Choice
from rocwalk.curves.operating_points import OperatingPoint, point_at_rate
from rocwalk.curves.rules import YOUDEN, OperatingRule
from rocwalk.errors import OneClassError, UndefinedMetricWarning, collecting
from rocwalk.evaluate.study import Study
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.result import Result
from rocwalk.smear.kernels import Uniform
from rocwalk.smear.sides import sides_of_tally
from rocwalk.smear.widths import WidthMatch, match
from rocwalk.statistic import Statistic, in_table, statistic_of
from rocwalk.tally.tally import Tally, in_unit_range
from rocwalk.tally.walk import slack_of, walk_of
from rocwalk.typing import Bounds

# -- numbers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Summary(Result):
    """One model in numbers, by the names of the registry: ``summary["auc"]``.

    A number is None where it does not apply (to scores that are no probabilities, to hard labels,
    to buckets), and NaN where a class is missing. `bounds` has the lowest, the middle and the
    highest value of each number that a bucketed tally leaves open; it is empty for an exact tally.
    """

    rows: int
    positives: float
    negatives: float
    numbers: Mapping[str, float | None]
    choice: Choice | None
    match: WidthMatch | None
    bounds: Mapping[str, Bounds] = field(default_factory=dict)
    budget: OperatingPoint | None = None

    def __getitem__(self, name: str) -> float | None:
        return self.numbers[name]

    @property
    def auc(self) -> float:
        """The area under the ROC curve; NaN where a class is missing."""
        auc = self.numbers["auc"]
        return math.nan if auc is None else auc

    @property
    def prevalence(self) -> float:
        """The share of positives; NaN without items."""
        prevalence = self.numbers["prevalence"]
        return math.nan if prevalence is None else prevalence

    @property
    def is_soft(self) -> bool:
        """Whether the truth is soft, so that there is an expected AUC."""
        return self.numbers["expected_auc"] is not None

    @property
    def has_probabilities(self) -> bool:
        """Whether all scores lie in [0, 1], so that there is a probabilistic AUC."""
        return self.numbers["probabilistic_auc"] is not None

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
        if self.is_soft:  # an item is drawn for either class
            ranks = "An item drawn as a positive outscores one drawn as a negative with probability"
        words = [f"{ranks} {self.auc:.3f} (ties count one half)."]
        if "auc" in self.bounds:
            off = slack_of(self.bounds["auc"])
            words.append(f"Scores are bucketed: this is within ± {off:.2g} of the exact value.")
        smeared = self.numbers["probabilistic_auc"]
        if smeared is None:
            return [*words, "The scores are not all within [0, 1]: no probabilistic AUC."]
        gini = 2 * smeared - 1
        difference = f"score {abs(gini):.3f} {'above' if gini > 0 else 'below'} negatives"
        if abs(gini) < 5e-4:
            difference = "and negatives score alike"
        words.append(f"Probabilistic AUC {smeared:.3f}: on average positives {difference}.")
        return words if self.match is None else [*words, self.match.sentence]

    def _within_budget(self) -> dict[str, Any]:
        """Return what the rate of calls finds, if there is a budget."""
        if self.budget is None:
            return {}
        return {
            "rate": self.budget.predicted_positive_rate,
            "tpr_at_rate": self.budget.tpr,
            "fpr_at_rate": self.budget.fpr,
            "lift": self.budget.lift,
        }

    def _headline(self) -> dict[str, Any]:
        point, width = self.choice, self.match
        headline: dict[str, Any] = {
            "rows": self.rows,
            "positives": self.positives,
            "negatives": self.negatives,
        }
        for name, value in self.numbers.items():
            headline[name] = value
            if name == "probabilistic_auc":
                headline |= {
                    "matched_width": None if width is None else width.width,
                    "matched_widths": None if width is None else width.widths,
                    "nearest_width": None if width is None else width.nearest_width,
                    "width_gap": None if width is None else width.gap,
                }
        return headline | {
            "threshold": None if point is None else point.threshold,
            "threshold_above": None if point is None else point.interval[0],
            "tpr": None if point is None else point.tpr,
            "fpr": None if point is None else point.fpr,
            "expected_cost": None if point is None else point.expected_cost,
            **self._within_budget(),
            **{f"{name}_bounds": bounds for name, bounds in self.bounds.items()},
        }


def summary(
    tally: Tally,
    *,
    max_fpr: float | None = None,
    has_probabilities: bool | None = None,
    rule: OperatingRule = YOUDEN,
) -> Summary:
    """Return the registered numbers of a tally, and the point of the operating rule.

    Parameters
    ----------
    tally
        The evidence on one model.
    max_fpr
        Adds the partial AUC up to this false positive rate, raw and standardized by McClish.
    has_probabilities
        Whether the scores are probabilities. Default: whether they all lie in [0, 1]. Where the
        tally is a part of a table, such as a subgroup, all rows of the column decide.
    rule
        The operating rule; by default the threshold of the largest TPR − FPR.
    """
    if has_probabilities is None:
        has_probabilities = in_unit_range(tally)
    both = tally.total_up > 0 and tally.total_right > 0
    choice = rule.choose(walk_of(tally)) if both else None
    given = {} if max_fpr is None else {"max_fpr": max_fpr}
    numbers: dict[str, float | None] = {}
    bounds: dict[str, Bounds] = {}
    for entry in in_table("summary"):
        if not set(entry.parameters) <= set(given):
            numbers[entry.name] = None
            continue
        values = {name: given[name] for name in entry.parameters}
        statistic = statistic_of(entry.name, standardized=False, **values)
        numbers[entry.name] = applied(statistic, tally, both, has_probabilities)
        bounded = both and tally.is_bucketed and numbers[entry.name] is not None
        if bounded and statistic.bounds is not None:
            bounds[entry.name] = statistic.bounds(tally)
    if choice is not None and tally.is_bucketed:
        bounds[choice.value_name] = choice.value_bounds
        if choice.expected_cost_bounds is not None:
            bounds["expected_cost"] = choice.expected_cost_bounds
    exact = both and has_probabilities and not tally.is_bucketed
    return Summary(
        rows=tally.total_count,
        positives=tally.class_masses[0],
        negatives=tally.class_masses[1],
        numbers=numbers,
        choice=choice,
        match=match(sides_of_tally(tally), Uniform()) if exact else None,
        bounds=bounds,
        budget=point_at_rate(walk_of(tally), rule.rate, rule.prevalence)
        if both and rule.rate
        else None,
    )


def applied(
    statistic: Statistic, tally: Tally, both: bool, has_probabilities: bool
) -> float | None:
    """Return the number, None where it does not apply, or NaN where a class is missing."""
    if not applies(statistic, tally, both, has_probabilities):
        return None
    if statistic.needs_both and not both:
        return math.nan
    with collecting(UndefinedMetricWarning):  # NaN says it here
        return statistic.of(tally)


def applies(statistic: Statistic, tally: Tally, both: bool, has_probabilities: bool) -> bool:
    """Whether the number is one of such scores, truth and rows, be it defined or not."""
    if statistic.needs_probabilities and not (both and has_probabilities):
        return False
    if statistic.of_items is not None and not (both and np.any(tally.up_right)):
        return False  # of hard labels it is the AUC
    if statistic.needs_both and not both:
        return True
    return statistic.reads_buckets or not tally.is_bucketed


# -- intervals -------------------------------------------------------------------------------------

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
    return Evidence(tally, paired.items(model))


def summary_intervals(evidence: Evidence, one: Summary, level: float) -> dict[str, Interval]:
    """Return the intervals of the numbers that have a closed form, and of both rates.

    There are none where there are too few items, and none of the rates of clusters. The rates are
    those of a threshold chosen on the same data, so they are a little too good.
    """
    if one.choice is None:
        return {}
    of_items = evidence.is_soft and evidence.items is not None
    asked = {
        entry.name: entry
        for entry in _with_closed_form()
        if (one.numbers[entry.name] is not None if entry.of_items is None else of_items)
    }
    if evidence.cluster is None:
        at = one.choice.threshold
        asked["tpr"] = statistic_of("sensitivity", threshold=at)
        asked["specificity"] = statistic_of("specificity", threshold=at)
    found = {}
    for name, statistic in asked.items():
        try:
            with collecting(UndefinedMetricWarning):
                found[name] = interval_of(evidence, Request(statistic, level, "auto", _NO_PLAN))
        except OneClassError:
            continue
    return found


def _with_closed_form() -> list[Statistic]:
    """Return the numbers of tables whose error is known without resampling.

    After those of the summary come those that need the items: they are known by interval only.
    """
    listed = in_table("summary")
    listed += [entry for entry in in_table("probabilities") if entry.places.summary is None]
    return [entry for entry in listed if entry.influence is not None and not entry.keywords]


Ends = dict[str, Any]


def interval_numbers(intervals: Mapping[str, Interval]) -> Ends:
    """Return the ends by the names that tables use; the false positive rate is 1 − specificity."""
    listed = _with_closed_form()
    numbers: Ends = {}
    for name in (*(entry.name for entry in listed), "tpr"):
        found = intervals.get(name)
        numbers[f"{name}_low"] = None if found is None else found.low
        numbers[f"{name}_high"] = None if found is None else found.high
    for name in (entry.name for entry in listed if entry.places.summary is None):
        numbers[name] = intervals[name].estimate if name in intervals else None
    true_negative = intervals.get("specificity")
    numbers["fpr_low"] = None if true_negative is None else 1 - true_negative.high
    numbers["fpr_high"] = None if true_negative is None else 1 - true_negative.low
    numbers["interval_method"] = intervals["auc"].method if "auc" in intervals else None
    return numbers


# -- both ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Numbers:
    """A model, or a model in a subgroup: its tally, its summary, the ends of the intervals."""

    tally: Tally
    summary: Summary
    ends: Ends


def numbers_of(
    evidence: Evidence,
    whole: Tally,
    level: float,
    *,
    rule: OperatingRule = YOUDEN,
    max_fpr: float | None = None,
    with_intervals: bool = True,
) -> Numbers:
    """Return the numbers of a model, whose `whole` tally says whether scores are probabilities."""
    one = summary(
        evidence.tally, max_fpr=max_fpr, rule=rule, has_probabilities=in_unit_range(whole)
    )
    found = summary_intervals(evidence, one, level) if with_intervals else {}
    return Numbers(evidence.tally, one, interval_numbers(found))
