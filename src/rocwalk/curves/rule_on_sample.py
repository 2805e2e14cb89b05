"""What a chosen threshold achieves on a second sample, which took no part in the choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocwalk.curves.accuracy import AccuracyTable, accuracy_of
from rocwalk.curves.coordinates import LINEAR
from rocwalk.curves.operating_points import Confusion, point_at_threshold
from rocwalk.curves.rules import OperatingRule
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.result import Result
from rocwalk.statistic import Statistic, find, statistic_of
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import walk_of
from rocwalk.typing import AnyArray


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RuleOnSample(Result):
    """What a chosen threshold achieves on a second sample; get one from `BestThreshold.on`.

    `table` has the confusion matrix and the rates with their intervals, `value` is the metric that
    the threshold was chosen by (TPR − FPR by default, None for a fixed threshold and for costs),
    called `value_words` in the sentence; `expected_cost` is None without costs.
    """

    table: AccuracyTable
    value: Interval | None
    value_words: str
    expected_cost: Interval | None

    @property
    def confusion(self) -> Confusion:
        """The confusion matrix of the second sample."""
        return self.table.point.confusion

    @property
    def sentence(self) -> str:
        """What the rule does on the second sample, in words."""
        shown = [self.table.sentence]
        if self.value is not None:
            shown.append(self.value.sentence_of(self.value_words))
        if self.expected_cost is not None:
            shown.append(self.expected_cost.sentence)
        return " ".join(shown)

    def _headline(self) -> dict[str, Any]:
        row = self.table._headline()  # noqa: SLF001
        for name, one in (("value", self.value), ("expected_cost", self.expected_cost)):
            if one is not None:
                row |= {name: one.estimate, f"{name}_low": one.low, f"{name}_high": one.high}
        return row

    def _columns(self) -> dict[str, AnyArray]:
        return self.table._columns()  # noqa: SLF001


def rule_on(
    rule: OperatingRule, cut: float, evidence: Evidence, level: float, plan: Plan
) -> RuleOnSample:
    """Return what the threshold that a rule led to achieves on other evidence."""

    def measured(statistic: Statistic) -> Interval:
        method = "auto" if statistic.limits is not None else "percentile"
        return interval_of(evidence, Request(statistic, level, method, plan))

    value = cost = None
    if rule.costs is not None:
        cost = measured(statistic_of("expected_cost", costs=rule.costs, threshold=cut))
    if rule.is_chosen and (rule.costs is None or rule.criterion != "youden"):
        value = measured(_metric(rule, cut))
    return RuleOnSample(
        table=accuracy_of(evidence, cut, level),
        value=value,
        value_words=rule.criterion_words if value is not None else "",
        expected_cost=cost,
    )


def _metric(rule: OperatingRule, threshold: float) -> Statistic:
    """Return the metric of a rule at a threshold; the distance of "closest" is positive."""
    name = rule.criterion
    known = find(name)
    if known is not None and "threshold" in known.points:
        return statistic_of(name, threshold=threshold)
    if name in LINEAR:
        return LINEAR[name].at(threshold=threshold)

    def of(tally: Tally) -> float:
        at = point_at_threshold(walk_of(tally), threshold)
        return rule.metric_at(at.fpr, at.tpr, float(tally.prevalence))

    return Statistic(name, of, title=name)
