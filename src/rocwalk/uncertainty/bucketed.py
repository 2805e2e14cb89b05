"""Closed forms for numbers of a bucketed tally that are otherwise resampled (SPEC §10).

Midpoint, mean score, struggle ratio and Brier score depend on the prevalence; items are one sample.
A bootstrap needs the order inside the buckets. What buckets leave open of the number and of its
error is added to the interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from rocwalk.errors import TallyError
from rocwalk.measure.bounds import EXACT_TALLY, refuse_buckets
from rocwalk.uncertainty.blur import Range
from rocwalk.uncertainty.closed import around
from rocwalk.uncertainty.estimation import (
    Estimate,
    brier_influence,
    mean_score_influence,
    midpoint_influence,
    prevalence_influence,
    struggle_estimate,
    variance_range,
)
from rocwalk.uncertainty.evidence import Evidence
from rocwalk.uncertainty.question import Interval, Question
from rocwalk.uncertainty.statistic import Statistic, registered_name
from rocwalk.walk.tally import Tally


def _struggle(tally: Tally) -> Estimate:
    return struggle_estimate(tally, midpoint_influence(tally), fixed=False)


_OF_SAMPLE: dict[str, Callable[[Tally], Estimate]] = {
    "midpoint": lambda tally: Estimate(midpoint_influence(tally)),
    "prevalence": lambda tally: Estimate(prevalence_influence(tally)),
    "mean_score": lambda tally: Estimate(mean_score_influence(tally)),
    "brier": lambda tally: Estimate(brier_influence(tally)),
    "struggle_ratio": _struggle,
}


@dataclass(frozen=True, slots=True)
class Measured:
    """A number, the ends between which buckets leave it, and those of its standard error."""

    value: float
    ends: Range
    errors: Range


def has_closed_form(statistic: Statistic, *tallies: Tally) -> bool:
    """Whether bucketed tallies have a closed form of a number that is otherwise resampled."""
    bucketed = any(tally.is_bucketed for tally in tallies)
    return bucketed and registered_name(statistic) in _OF_SAMPLE


def bucketed_method(statistic: Statistic, tally: Tally) -> str:
    """Return the closed form for a bucketed tally, or raise by name if there is none."""
    if registered_name(statistic) == "prevalence":
        return "wilson"
    if not has_closed_form(statistic, tally):
        refuse_buckets(tally, f"The interval of {statistic.name}")
    return "influence"


def measured(statistic: Statistic, tally: Tally) -> Measured:
    """Return a number that depends on the prevalence, with its error."""
    found = _OF_SAMPLE[statistic.name](tally)
    least, most = variance_range(tally, found.influence, fixed=False)
    errors = math.sqrt(least), math.sqrt(most + found.more)
    return Measured(found.value, found.influence.ends, errors)


def sample_interval(evidence: Evidence, question: Question) -> Interval:
    """Return number ± z·error, from the lowest to the highest number, with the most error."""
    found = measured(question.statistic, evidence.tally)
    if not math.isfinite(found.value + found.errors[1]):
        raise TallyError(
            f"{question.statistic.name} has no bound, because this tally is bucketed too coarsely.",
            f"{EXACT_TALLY}.",
        )
    about = found.value, found.errors[1]
    return around(evidence, question, about, "influence", None, found.ends)
