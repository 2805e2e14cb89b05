"""Intervals in closed form: around an estimate, for areas of 0 and 1, for shares (SPEC §9)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from rocwalk.errors import OneClassError, OptionError
from rocwalk.measure.reading import index_at
from rocwalk.uncertainty.evidence import Evidence
from rocwalk.uncertainty.influence import (
    Influence,
    standard_error,
    two_sample_variances,
)
from rocwalk.uncertainty.question import NOISE, Interval, Question, made
from rocwalk.uncertainty.statistic import Statistic, is_auc
from rocwalk.walk.curve import walk_of
from rocwalk.walk.tally import Tally


def analytic(evidence: Evidence, question: Question, method: str, influence: Influence) -> Interval:
    """Return estimate ± z·error, on the plain or on the logit scale."""
    estimate, error = influence.estimate, standard_error(evidence, influence)
    if is_auc(question.statistic) and not error > NOISE:
        return newcombe(evidence, question, estimate)
    return around(evidence, question, (estimate, error), method, influence)


def around(
    evidence: Evidence,
    question: Question,
    found: tuple[float, float],
    method: str,
    influence: Influence | None,
) -> Interval:
    """Return estimate ± quantile · error on its scale."""
    estimate, error = found
    unit = question.statistic.range == (0.0, 1.0)
    scale = question.scale or (
        "logit" if question.method == "auto" and _is_area(question) else "plain"
    )
    if scale == "logit" and not unit:
        raise OptionError(
            "scale='logit' is for numbers between 0 and 1.", "use scale='plain', or leave it out."
        )
    reach = _quantile(evidence, question, influence, scale) * error
    if scale == "logit" and 0 < estimate < 1:
        low, high = _on_logits(estimate, reach)
    else:
        low, high = estimate - reach, estimate + reach
    return made(question, estimate, (low, high), error, f"{method}-{scale}")


def _is_area(question: Question) -> bool:
    return is_auc(question.statistic)


def _quantile(
    evidence: Evidence, question: Question, influence: Influence | None, scale: str
) -> float:
    """Return Student's quantile, of clusters or after Welch of two samples; else the normal."""
    from scipy.special import stdtrit

    if evidence.items is not None and evidence.cluster is not None:
        return float(stdtrit(evidence.items.clusters - 1, 0.5 + question.level / 2))
    plain_area = is_auc(question.statistic) and scale == "plain"  # as everybody does it
    if plain_area or influence is None or evidence.even_weight is None:
        return question.z
    parts = two_sample_variances(evidence, influence)
    counts = [
        float(m) / evidence.even_weight
        for m in (evidence.tally.total_up, evidence.tally.total_right)
    ]
    below = sum(part**2 / (count - 1) for part, count in zip(parts, counts, strict=True))
    if not below > 0:
        return question.z
    return float(stdtrit(sum(parts) ** 2 / below, 0.5 + question.level / 2))


def _on_logits(estimate: float, reach: float) -> tuple[float, float]:
    """Return the ends of an interval that is symmetric on the logit scale."""
    middle = math.log(estimate / (1 - estimate))
    arm = reach / (estimate * (1 - estimate))
    low, high = (
        1 / (1 + math.exp(-min(max(end, -700.0), 700.0))) for end in (middle - arm, middle + arm)
    )
    return low, high


def newcombe(evidence: Evidence, question: Question, estimate: float) -> Interval:
    """Return the areas that the estimate does not reject, with Hanley & McNeil's variance.

    Solves |Â − θ| = z·√V(θ), V(θ) = θ(1−θ){1 + (N−1)[(1−θ)/(2−θ) + θ/(1+θ)]}/(n⁺n⁻),
    N = (n⁺+n⁻)/2 (Newcombe 2006, method 5). It does not shrink to a point at 0 or 1.
    """
    n_up, n_right = effective_sizes(evidence)
    estimate = _inside(estimate)

    def excess(theta: float) -> float:
        return (estimate - theta) ** 2 - question.z**2 * hanley_variance(theta, n_up, n_right)

    low = 0.0 if estimate <= 0 else _bisected(excess, estimate, 0.0)
    high = 1.0 if estimate >= 1 else _bisected(excess, estimate, 1.0)
    error = math.sqrt(hanley_variance(estimate, n_up, n_right))
    return made(question, estimate, (low, high), error, "newcombe")


def _inside(share: float) -> float:
    """Return a share without the rounding that puts it beside 0 or 1."""
    nearest = round(share)
    return float(nearest) if abs(share - nearest) <= NOISE else share


def hanley_variance(theta: float, n_up: float, n_right: float) -> float:
    """Return the variance of an area by Hanley & McNeil, with Newcombe's mean sample size."""
    more = (n_up + n_right) / 2 - 1
    spread = 1 + more * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    return theta * (1 - theta) * spread / (n_up * n_right)


def effective_sizes(evidence: Evidence) -> tuple[float, float]:
    """Return the numbers of units of each class; (Σu)²/Σu² for masses."""
    if evidence.cluster is not None and evidence.items is not None:
        items = evidence.items
        units = [np.count_nonzero(items.by_unit(mass)) for mass in (items.up, items.right)]
        return float(units[0]), float(units[1])
    tally = evidence.tally
    return (
        float(tally.total_up) ** 2 / float(tally.up_squared.sum()),
        float(tally.total_right) ** 2 / float(tally.right_squared.sum()),
    )


def _bisected(excess: Callable[[float], float], inside: float, outside: float) -> float:
    """Return where a function changes its sign between two places."""
    for _ in range(200):
        middle = (inside + outside) / 2
        if excess(middle) <= 0:
            inside = middle
        else:
            outside = middle
    return (inside + outside) / 2


# -- rates at a threshold ------------------------------------------------------------------------


def wilson_interval(evidence: Evidence, question: Question) -> Interval:
    """Return Wilson's score interval of a share; for masses with the effective number of items."""
    estimate = question.statistic.of(evidence.tally)
    hits, count, squares = _share(evidence.tally, question.statistic)
    effective = count**2 / squares if squares > 0 else 0.0
    if not count > 0:
        raise OneClassError(
            f"No item counts for {question.statistic.name} at this threshold.",
            "choose another threshold.",
        )
    low, high = wilson(hits / count, effective, question.z)
    error = math.sqrt(estimate * (1 - estimate) / effective)
    return made(question, estimate, (low, high), error, "wilson")


def wilson_of_clusters(evidence: Evidence, question: Question, estimate: float) -> Interval:
    """Return Wilson's interval of a rate that no cluster moves, with clusters for items."""
    units = evidence.tally.total_count if evidence.items is None else evidence.items.clusters
    low, high = wilson(_inside(estimate), float(units), question.z)
    return made(question, estimate, (low, high), 0.0, "wilson-clusters")


def wilson(share: float, count: float, z: float) -> tuple[float, float]:
    """Return Wilson's score interval for a share of so many.

    >>> [round(end, 4) for end in wilson(0.0, 10, 1.959964)]
    [0.0, 0.2775]
    """
    middle = share + z**2 / (2 * count)
    arm = z * math.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    below = 1 + z**2 / count
    low = 0.0 if share == 0 else (middle - arm) / below
    high = 1.0 if share == 1 else (middle + arm) / below
    return low, high


def _share(tally: Tally, statistic: Statistic) -> tuple[float, float, float]:
    """Return the mass that counts, the mass it is a share of, and the squares of the latter."""
    cut = int(index_at(walk_of(tally), np.asarray(statistic.threshold)))
    called, other = slice(0, cut), slice(cut, None)
    up, right = tally.up, tally.right
    squares = tally.up_squared + 2 * tally.up_right + tally.right_squared
    ups, rights, both = tally.up_squared, tally.right_squared, squares
    of = {
        "sensitivity": (up[called].sum(), up.sum(), ups.sum()),
        "specificity": (right[other].sum(), right.sum(), rights.sum()),
        "precision": (up[called].sum(), (up + right)[called].sum(), both[called].sum()),
        "negative_predictive_value": (
            right[other].sum(), (up + right)[other].sum(), both[other].sum(),
        ),
        "accuracy": (up[called].sum() + right[other].sum(), (up + right).sum(), both.sum()),
    }  # fmt: skip
    hits, count, square = of[statistic.name]
    return float(hits), float(count), float(square)
