"""Closed forms for numbers of a bucketed tally that are otherwise resampled (SPEC §10).

Midpoint, mean score, struggle ratio and Brier score depend on the prevalence; items are one sample.
A bootstrap needs the order inside the buckets. What buckets leave open of the number and of its
error is added to the interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocwalk.errors import OptionError, TallyError
from rocwalk.measure.bounds import EXACT_TALLY, refuse_buckets
from rocwalk.uncertainty.blur import Range
from rocwalk.uncertainty.closed import around
from rocwalk.uncertainty.estimation import (
    variance_range,
)
from rocwalk.uncertainty.evidence import Evidence
from rocwalk.uncertainty.question import Interval, Question
from rocwalk.uncertainty.statistic import Statistic
from rocwalk.walk.tally import Tally


@dataclass(frozen=True, slots=True)
class Measured:
    """A number, the ends between which buckets leave it, and those of its standard error."""

    value: float
    ends: Range
    errors: Range


def has_closed_form(statistic: Statistic, *tallies: Tally) -> bool:
    """Whether bucketed tallies have a closed form of a number that is otherwise resampled."""
    bucketed = any(tally.is_bucketed for tally in tallies)
    return bucketed and statistic.estimate is not None


def bucketed_method(statistic: Statistic, tally: Tally) -> str:
    """Return the closed form for a bucketed tally, or raise by name if there is none."""
    if statistic.is_registered and statistic.name == "prevalence":
        return "wilson"
    if not has_closed_form(statistic, tally):
        refuse_buckets(tally, f"The interval of {statistic.name}")
    return "influence"


def measured(statistic: Statistic, tally: Tally) -> Measured:
    """Return a number that depends on the prevalence, with its error."""
    if statistic.estimate is None:
        refuse_buckets(tally, statistic.name)
        raise OptionError(f"{statistic.name} has no closed form.", "use a bootstrap.")
    found = statistic.estimate(tally)
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
