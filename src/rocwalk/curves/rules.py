"""The operating rule: one way to choose a threshold, or the threshold itself, for a whole report.

A report has one rule, and everything that depends on a threshold or on costs derives from it. A
page carries it as ``data.rule``, the state that it starts with:

    {"kind": "youden" | "closest_topleft" | "costs" | "threshold" | "rate",
     "false_positive": number | null, "false_negative": number | null,
     "prevalence": number | null, "threshold": number | null, "rate": number | null}

"youden" takes the largest TPR − FPR, "closest_topleft" the point closest to (0, 1), "costs" the
least expected cost, "threshold" the rule score ≥ threshold, "rate" the lowest threshold that calls
at most this share of the items positive. Both costs are null unless they were given; with
"threshold" and "rate" they price the rule without choosing it. The prevalence is the one where the
rule will be used, null for that of the data.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.curves.choices import RULES, Choice, Costs, best, threshold_interval
from rocwalk.curves.operating_points import point_at_threshold, point_of
from rocwalk.errors import Argument, OptionError, as_number, one_of
from rocwalk.result import Result
from rocwalk.tally.walk import Walk, check_prevalence, check_rate, refuse_one_class
from rocwalk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OperatingRule(Result):
    """How a threshold is chosen, or which one it is; make one with `operating_rule`.

    `kind` is "youden", "closest_topleft", "costs", "threshold" or "rate". `costs` prices the rule,
    and with "costs" chooses it; it carries the prevalence, if one was given.
    """

    kind: str = "youden"
    costs: Costs | None = None
    prevalence: float | None = None
    threshold: float | None = None
    rate: float | None = None

    @property
    def is_chosen(self) -> bool:
        """Whether the threshold is chosen on the data, so that it is uncertain and flatters."""
        return self.kind != "threshold"

    def choose(self, walk: Walk) -> Choice:
        """Return the point of a walk that the rule takes."""
        if self.kind in (*RULES, "costs"):
            return best(walk, self.costs, rule=self.kind if self.kind in RULES else "youden")
        refuse_one_class(walk)
        if self.kind == "threshold":
            at = as_number("threshold", self.threshold)
            point = point_at_threshold(walk, at)
            below = walk.thresholds if walk.highest is None else walk.highest
            lower = below[1:][below[1:] < at]
            interval = (float(lower[0]) if len(lower) else -math.inf, at)
        else:
            share = self._share(walk)
            called = share * walk.tpr + (1 - share) * walk.fpr
            index = last_within(called, as_number("rate", self.rate))
            point, interval = point_of(walk, index), threshold_interval(walk, index)
        costs = self.costs
        return Choice(
            point=point,
            interval=interval,
            slope=1.0 if costs is None else costs.slope(walk.prevalence),
            expected_cost=None
            if costs is None
            else costs.expected(point.fpr, point.tpr, walk.prevalence),
        )

    def _share(self, walk: Walk) -> float:
        """Return the share of positives where the rule will be used."""
        if self.prevalence is not None:
            return self.prevalence
        share = walk.prevalence
        return math.nan if share is None else share

    @property
    def words(self) -> str:
        """What the rule is, in words that follow "the threshold of"."""
        costs = self.costs
        if self.kind == "costs" and costs is not None:
            return f"the least expected cost at {price_words(costs)}"
        return {
            "youden": "the largest TPR − FPR",
            "closest_topleft": "the shortest distance from the corner (0, 1)",
            "threshold": "the threshold that was given",
            "rate": f"at most {100 * (self.rate or 0):g} % called positive",
        }[self.kind]

    @property
    def state(self) -> dict[str, Any]:
        """The state that a page starts with."""
        costs = self.costs
        return {
            "kind": self.kind,
            "false_positive": None if costs is None else costs.false_positive,
            "false_negative": None if costs is None else costs.false_negative,
            "prevalence": self.prevalence,
            "threshold": self.threshold,
            "rate": self.rate,
        }

    def _headline(self) -> dict[str, Any]:
        return self.state


YOUDEN = OperatingRule()  # the largest TPR − FPR


def last_within(called: FloatArray, rate: float) -> int:
    """Return the last point of a walk that calls at most this share positive.

    >>> last_within(np.array([0, 0.1, 0.3, 1.0]), 0.3)
    2
    """
    return int(np.searchsorted(called, rate * (1 + 1e-12), side="right")) - 1


def price_words(costs: Costs) -> str:
    """Write what mistakes cost.

    >>> price_words(Costs(false_positive=1, false_negative=10, prevalence=0.02))
    'costs of 1 : 10 and a prevalence of 2 %'
    """
    words, share = f"costs of {costs.false_positive:g} : {costs.false_negative:g}", costs.prevalence
    return words if share is None else f"{words} and a prevalence of {100 * share:g} %"


def operating_rule(
    *,
    costs: Costs | None = None,
    prevalence: float | None = None,
    threshold: float | None = None,
    rate: float | None = None,
    rule: str = "youden",
) -> OperatingRule:
    """Return the operating rule that these options mean, or raise where they contradict.

    Parameters
    ----------
    costs
        What mistakes cost: the threshold of the least expected cost. With `threshold` or `rate`
        they price the rule.
    prevalence
        The share of positives where the rule will be used. By itself both mistakes cost the same.
    threshold
        The rule "score ≥ threshold", fixed before the data were seen.
    rate
        A budget: at most this share of the items is called positive.
    rule
        Without any of these: "youden", or "closest_topleft".

    Examples
    --------
    >>> operating_rule(costs=Costs(false_positive=1, false_negative=10)).kind
    'costs'
    >>> operating_rule(rate=0.05, prevalence=0.02).state["rate"]
    0.05
    """
    one_of("rule", rule, RULES)
    given: Any = costs
    if given is not None and not isinstance(given, Costs):
        hint = "pass Costs(false_positive=…, false_negative=…)."
        raise OptionError("is not a Costs object.", hint, option="costs", value=given)
    if prevalence is not None:
        check_prevalence(prevalence)
        if costs is not None and costs.prevalence not in (None, prevalence):
            raise OptionError(
                "is not the prevalence of the costs.",
                "give the prevalence once.",
                option="prevalence",
                value=prevalence,
            )
    if threshold is not None and rate is not None:
        raise OptionError(
            "A threshold and a rate are given, and either decides by itself.",
            ("give ", Argument("threshold"), " or ", Argument("rate"), "."),
        )
    if rule != "youden" and (threshold is not None or rate is not None):
        raise OptionError(
            "chooses a threshold, and one is given already.",
            ("leave ", Argument("threshold"), " and ", Argument("rate"), " out."),
            option="rule",
            value=rule,
        )
    share = prevalence if costs is None or costs.prevalence is None else costs.prevalence
    if costs is None and share is not None:
        costs = Costs(false_positive=1.0, false_negative=1.0, prevalence=share)
    elif costs is not None and share is not None:
        costs = Costs(
            false_positive=costs.false_positive,
            false_negative=costs.false_negative,
            prevalence=share,
        )
    if threshold is not None:
        at = as_number("threshold", threshold)
        if math.isnan(at):
            hint = "pass a number; inf calls nothing positive."
            raise OptionError("is no threshold.", hint, option="threshold", value=threshold)
        return OperatingRule(kind="threshold", costs=costs, prevalence=share, threshold=at)
    if rate is not None:
        return OperatingRule(
            kind="rate", costs=costs, prevalence=share, rate=float(check_rate("rate", rate))
        )
    if costs is not None and rule == "youden":
        return OperatingRule(kind="costs", costs=costs, prevalence=share)
    return OperatingRule(kind=rule, costs=costs, prevalence=share)
