"""What a chosen threshold achieves on a second sample, which took no part in the choice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from rocwalk.curves.accuracy import AccuracyTable, accuracy_of
from rocwalk.curves.choices import NO_LIMITS, TIE, Limits
from rocwalk.curves.coordinates import LINEAR
from rocwalk.curves.operating_points import Confusion, point_at_threshold
from rocwalk.curves.rules import OF_PREVALENCE, OperatingRule
from rocwalk.errors import UndefinedMetricWarning, collecting
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

_FLOORS = {
    "min_precision": "precision",
    "min_tpr": "sensitivity",
    "min_specificity": "specificity",
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RuleOnSample(Result):
    """What a chosen threshold achieves on a second sample; get one from `BestThreshold.on`.

    `table` has the confusion matrix and the rates with their intervals, `value` is the metric that
    the threshold was chosen by (TPR − FPR by default, None for a fixed threshold and for costs),
    called `value_words` in the sentence; `expected_cost` is None without costs. A metric that is
    undefined on the second sample, such as the MCC where no item is called positive, is None.
    `kept` says for each floor, and for a budget, whether the second sample keeps to it.
    """

    table: AccuracyTable
    value: Interval | None
    value_words: str
    expected_cost: Interval | None
    limits: Limits = NO_LIMITS

    @property
    def kept(self) -> dict[str, bool]:
        """Whether the second sample keeps to each limit that the threshold was chosen with."""
        return {name: ok for name, (ok, _) in self._limits().items()}

    def _limits(self) -> dict[str, tuple[bool, str]]:
        """Return for each limit whether it is kept, and in words."""
        found: dict[str, tuple[bool, str]] = {}
        numbers, limits = self.table.numbers, self.limits
        for name, number in _FLOORS.items():
            floor, (value, low, high) = getattr(limits, name), numbers[number]
            if floor is None:
                continue
            ok, asked = value >= floor - TIE, f"the floor of {100 * floor:g} %"
            if math.isnan(value):  # nothing is called
                found[name] = False, f"The {number} is undefined, so {asked} is not kept."
                continue
            keeps = "keeps to" if ok else "does not keep to"
            ends = f"{100 * value:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"
            found[name] = ok, f"A {number} of {ends} {keeps} {asked}."
        if limits.rate is not None:
            calls = self.confusion.true_positives + self.confusion.false_positives
            spared = self.confusion.true_negatives + self.confusion.false_negatives
            rate = calls / (calls + spared)
            ok = rate <= limits.rate + TIE
            keeps = "keeps to" if ok else "is above"
            words = f"The rule calls {100 * rate:.1f} % positive, which {keeps} the budget of "
            found["rate"] = ok, f"{words}{100 * limits.rate:g} %."
        return found

    @property
    def confusion(self) -> Confusion:
        """The confusion matrix of the second sample."""
        return self.table.point.confusion

    @property
    def sentence(self) -> str:
        """What the rule does on the second sample, in words."""
        shown = [self.table.sentence]
        shown += [words for _, words in self._limits().values()]
        if self.value is not None:
            shown.append(self.value.sentence_of(self.value_words))
        elif self.value_words:
            shown.append(f"The {self.value_words} is undefined on this sample.")
        if self.expected_cost is not None:
            shown.append(self.expected_cost.sentence)
        return " ".join(shown)

    def _headline(self) -> dict[str, Any]:
        row = self.table._headline()  # noqa: SLF001
        for name, one in (("value", self.value), ("expected_cost", self.expected_cost)):
            if one is not None:
                row |= {name: one.estimate, f"{name}_low": one.low, f"{name}_high": one.high}
        return row | {f"keeps_{name}": ok for name, ok in self.kept.items()}

    def _columns(self) -> dict[str, AnyArray]:
        return self.table._columns()  # noqa: SLF001


def rule_on(
    rule: OperatingRule, cut: float, evidence: Evidence, level: float, plan: Plan
) -> RuleOnSample:
    """Return what the threshold that a rule led to achieves on other evidence."""

    def measured(statistic: Statistic) -> Interval | None:
        with collecting(UndefinedMetricWarning):
            if math.isnan(statistic.of(evidence.tally)):
                return None
        method = "auto" if statistic.limits is not None else "percentile"
        return interval_of(evidence, Request(statistic, level, method, plan))

    value, words = None, ""
    cost: Interval | None = None
    if rule.costs is not None:
        cost = measured(statistic_of("expected_cost", costs=rule.costs, threshold=cut))
    if rule.is_chosen and (rule.costs is None or rule.criterion != "youden"):
        value, words = measured(_metric(rule, cut)), f"{rule.criterion_words}{rule.where_words}"
    return RuleOnSample(
        table=accuracy_of(evidence, cut, level),
        value=value,
        value_words=words,
        expected_cost=cost,
        # a budget and a precision at another prevalence are not those of the sample
        limits=rule.limits
        if rule.prevalence is None
        else replace(rule.limits, rate=None, min_precision=None),
    )


def _metric(rule: OperatingRule, threshold: float) -> Statistic:
    """Return the metric of a rule at a threshold; the distance of "closest" is positive."""
    name = rule.criterion
    given = rule.prevalence if name in OF_PREVALENCE else None
    known = find(name)
    if known is not None and "threshold" in known.points and given is None:
        return statistic_of(name, threshold=threshold)
    if name in LINEAR:
        return LINEAR[name].at(threshold=threshold)

    def of(tally: Tally) -> float:
        at = point_at_threshold(walk_of(tally), threshold)
        share = float(tally.prevalence) if given is None else given
        return rule.metric_at(at.fpr, at.tpr, share)

    return Statistic(name, of, title=name)
