"""The operating rule: one way to choose a threshold, or the threshold itself, for a whole report.

A report has one rule, and everything that depends on a threshold or on costs derives from it. A
page carries it as ``data.rule``, the state that it starts with:

    {"kind": "youden" | "costs" | "threshold" | "rate" | another metric of `Curve.best`,
     "false_positive": number | null, "false_negative": number | null,
     "prevalence": number | null, "threshold": number | null, "rate": number | null}

"youden" takes the largest TPR − FPR, "costs" the least expected cost, "threshold" the rule
score ≥ threshold, "rate" the best rule that calls at most this share of the items positive: the
cheapest with costs, else the most sensitive. Both costs are null unless they were given; with
"threshold" they price the rule without choosing it. The prevalence is the one where the rule will
be used, null for that of the data. A rule that a page cannot choose by anew, with another metric
or a floor, comes with its `words` and the `thresholds` of the models.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.checks import as_number, one_of
from rocwalk.curves.choices import (
    METRIC_WORDS,
    METRICS,
    Choice,
    Costs,
    Criterion,
    Limits,
    best,
    criterion_of,
    gain_of,
)
from rocwalk.curves.operating_points import point_at_threshold
from rocwalk.errors import Argument, OptionError
from rocwalk.result import Result
from rocwalk.tally.walk import Walk, check_prevalence, check_rate, refuse_one_class


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class OperatingRule(Result):
    """How a threshold is chosen, or which one it is; make one with `operating_rule`.

    `costs` prices the rule, and chooses it unless a threshold is given; it carries the prevalence.
    """

    metric: str | None = None
    costs: Costs | None = None
    prevalence: float | None = None
    threshold: float | None = None
    rate: float | None = None
    beta: float | None = None
    min_precision: float | None = None
    min_tpr: float | None = None
    min_specificity: float | None = None

    @property
    def limits(self) -> Limits:
        """The budget and the floors that a chosen threshold keeps to."""
        return Limits(
            rate=self.rate,
            min_precision=self.min_precision,
            min_tpr=self.min_tpr,
            min_specificity=self.min_specificity,
        )

    @property
    def kind(self) -> str:
        """What decides: "threshold", "rate", "costs", or the metric, which is "youden" at first."""
        if self.threshold is not None:
            return "threshold"
        if self.rate is not None:
            return "rate"
        if self.costs is not None and self.metric in (None, "youden"):
            return "costs"
        return self.criterion

    @property
    def criterion(self) -> str:
        """What is maximised where a threshold is chosen, in the words of `Curve.best`."""
        if self.metric is not None or self.costs is not None or not self.limits.given:
            return self.metric or "youden"
        return "sensitivity" if self.min_tpr is None else "specificity"

    @property
    def is_chosen(self) -> bool:
        """Whether the threshold is chosen on the data, so that it is uncertain and flatters."""
        return self.kind != "threshold"

    @property
    def is_simple(self) -> bool:
        """Whether a page can choose anew by it: a threshold, costs, a budget or TPR − FPR alone."""
        if self.threshold is not None:
            return True
        usual = "sensitivity" if self.rate is not None and self.costs is None else "youden"
        return self.limits.given in ((), ("rate",)) and self.criterion == usual

    def choose(self, walk: Walk) -> Choice:
        """Return the point of a walk that the rule takes."""
        costs, own = self.costs, self.prevalence if self.costs is None else None
        if self.threshold is None:
            return best(
                walk,
                costs,
                metric=self.metric,
                beta=self.beta,
                limits=self.limits,
                prevalence=own,
            )
        refuse_one_class(walk)
        point = point_at_threshold(walk, self.threshold)
        below = walk.thresholds if walk.highest is None else walk.highest
        lower = below[1:][below[1:] < self.threshold]
        slope = 1.0 if costs is None else costs.slope(walk.prevalence)
        cost = None if costs is None else costs.expected(point.fpr, point.tpr, walk.prevalence)
        return Choice(
            point=point,
            interval=(float(lower[0]) if len(lower) else -math.inf, self.threshold),
            slope=slope,
            value=gain_of(point.fpr, point.tpr, slope),
            expected_cost=cost,
        )

    def criterion_at(self, prevalence: float) -> Criterion:
        """Return what the rule maximises at a share of positives."""
        return criterion_of(self.costs, None, self.metric, self.beta, self.limits, prevalence)

    def metric_at(self, fpr: float, tpr: float, prevalence: float) -> float:
        """Return what the rule maximises, at one point; the distance of "closest" is positive."""
        values = self.criterion_at(prevalence).values(np.array([fpr]), np.array([tpr]))
        return float(-values[0] if self.criterion == "closest" else values[0])

    @property
    def criterion_words(self) -> str:
        """What the number that decides is called within a sentence."""
        if self.criterion == "fbeta" and self.beta is not None:
            return f"F with β = {self.beta:g}"
        return METRIC_WORDS[self.criterion]

    @property
    def where_words(self) -> str:
        """The prevalence for which the number that decides is computed, if it was given."""
        if self.prevalence is None or self.criterion not in OF_PREVALENCE:
            return ""
        return f" at a prevalence of {100 * self.prevalence:g}\N{NO-BREAK SPACE}%"

    @property
    def words(self) -> str:
        """How the threshold is found, in words."""
        if self.threshold is not None:
            return "the threshold that was given"
        name = self.criterion
        words = f"the highest {self.criterion_words}"
        if name == "closest":
            words = "the shortest distance from the corner (0, 1)"
        elif name == "youden" and self.costs is not None:
            words = f"the least expected cost at {price_words(self.costs)}"
        elif name == "youden":
            words = "the largest TPR − FPR"
        floors = {
            "min_precision": "precision",
            "min_tpr": "sensitivity",
            "min_specificity": "specificity",
        }
        kept = [f"{n} ≥ {getattr(self, k):g}" for k, n in floors.items() if getattr(self, k)]
        words += self.where_words
        if self.rate is not None:
            words = f"{words} within the budget of calls"
        return f"{words} with {' and '.join(kept)}" if kept else words

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


OF_PREVALENCE = ("accuracy", "f1", "fbeta", "mcc")  # metrics that depend on it
YOUDEN = OperatingRule()  # the largest TPR − FPR


def price_words(costs: Costs) -> str:
    r"""Write what mistakes cost.

    >>> price_words(Costs(false_positive=1, false_negative=10, prevalence=0.02))
    'costs of 1\xa0:\xa010 (false alarm : miss) and a prevalence of 2\xa0%'
    """
    space, share = "\N{NO-BREAK SPACE}", costs.prevalence
    prices = f"{costs.false_positive:g} : {costs.false_negative:g}".replace(" ", space)
    words = f"costs of {prices} (false alarm : miss)"
    return words if share is None else f"{words} and a prevalence of {100 * share:g}{space}%"


def operating_rule(
    *,
    costs: Costs | None = None,
    prevalence: float | None = None,
    threshold: float | None = None,
    rate: float | None = None,
    metric: str | None = None,
    beta: float | None = None,
    min_precision: float | None = None,
    min_tpr: float | None = None,
    min_specificity: float | None = None,
) -> OperatingRule:
    """Return the operating rule that these options mean, or raise where they contradict.

    Parameters
    ----------
    costs
        What mistakes cost: the threshold of the least expected cost. With `threshold` they price
        the rule.
    prevalence
        The share of positives where the rule will be used. By itself both mistakes cost the same;
        with a metric, a budget or floors it takes the place of the share in the data.
    threshold
        The rule "score ≥ threshold", fixed before the data were seen.
    rate
        A budget: at most this share of the items is called positive.
    metric, beta
        What the threshold maximises, as in `Curve.best`.
    min_precision, min_tpr, min_specificity
        Floors that the threshold keeps to, as in `Curve.best`.

    Examples
    --------
    >>> operating_rule(costs=Costs(false_positive=1, false_negative=10)).kind
    'costs'
    >>> operating_rule(rate=0.05, prevalence=0.02).state["rate"]
    0.05
    """
    if metric is not None:
        one_of("metric", metric, METRICS)
    given: Any = costs
    if given is not None and not isinstance(given, Costs):
        hint = "pass Costs(false_positive=…, false_negative=…)."
        raise OptionError("is not a Costs object.", hint, option="costs", value=given)
    floors = {
        name: None if value is None else check_rate(name, value)
        for name, value in (
            ("min_precision", min_precision),
            ("min_tpr", min_tpr),
            ("min_specificity", min_specificity),
        )
    }
    told = (rate, metric, beta, *floors.values())
    if threshold is not None and any(each is not None for each in told):
        raise OptionError(
            "A threshold is given, and also how to choose one.",
            ("leave ", Argument("threshold"), " out, or the others."),
        )
    if prevalence is not None:
        check_prevalence(prevalence)
        if costs is not None and costs.prevalence not in (None, prevalence):
            raise OptionError(
                "is not the prevalence of the costs.",
                "give the prevalence once.",
                option="prevalence",
                value=prevalence,
            )
    share = prevalence if costs is None or costs.prevalence is None else costs.prevalence
    alone = threshold is None and all(each is None for each in told)
    if costs is None and share is not None and alone:
        costs = Costs(false_positive=1.0, false_negative=1.0, prevalence=share)
    elif costs is not None:
        costs = Costs(
            false_positive=costs.false_positive,
            false_negative=costs.false_negative,
            prevalence=share,
        )
    return OperatingRule(
        metric=metric,
        costs=costs,
        prevalence=share,
        threshold=None if threshold is None else as_number("threshold", threshold),
        rate=None if rate is None else check_rate("rate", rate),
        beta=beta,
        **floors,
    )
