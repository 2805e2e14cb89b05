"""Intervals in closed form: around an estimate, for areas of 0 and 1, for shares (SPEC §9)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from rocwalk.errors import OneClassError, OptionError
from rocwalk.inference.influence import (
    Influence,
    Range,
    error_range,
    least_degrees,
    two_sample_ranges,
)
from rocwalk.inference.interval import NOISE, Interval, Question, made
from rocwalk.inference.items import Evidence
from rocwalk.statistic import Share, Statistic
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import index_at, refuse_buckets, walk_of
from rocwalk.typing import Bounds


def analytic(evidence: Evidence, question: Question, method: str, influence: Influence) -> Interval:
    """Return estimate ± z·error, on the plain or on the logit scale.

    Where buckets allow an order without any spread, the interval holds Newcombe's for it, too.
    """
    estimate, (least, error) = influence.estimate, error_range(evidence, influence)
    area = question.statistic.is_area
    if area and not error > NOISE:
        return newcombe(evidence, question, estimate, influence.ends)
    found = around(evidence, question, (estimate, error), method, influence)
    if not area or influence.blur is None or least > NOISE:
        return found
    alike = newcombe(evidence, question, estimate, influence.ends)
    low, high = min(found.low, alike.low), max(found.high, alike.high)
    return replace(found, low=low, high=high)


def around(
    evidence: Evidence,
    question: Question,
    found: tuple[float, float],
    method: str,
    influence: Influence | None,
    ends: Range | None = None,
) -> Interval:
    """Return estimate ± quantile · error on its scale.

    `ends` are those of the estimate where buckets leave it open, by default the influence's own.
    The error is then the most it can be, and the interval the hull of those of all estimates.
    """
    estimate, error = found
    if ends is None:
        ends = (estimate, estimate) if influence is None else influence.ends
    unit = question.statistic.range == (0.0, 1.0)
    scale = question.scale or (
        "logit" if question.method == "auto" and _is_area(question) else "plain"
    )
    if scale == "logit" and not unit:
        raise OptionError(
            "scale='logit' is for numbers between 0 and 1.", "use scale='plain', or leave it out."
        )
    quantile = _quantile(evidence, question, influence, scale)
    reach = quantile * error
    if scale == "logit" and (0 < estimate < 1 or ends[0] < ends[1]):
        steepest = quantile * _most_error(evidence, question)
        low, high = _on_logits(ends, reach, steepest)
    else:
        low, high = ends[0] - reach, ends[1] + reach
    bounds = bounds_of(evidence, estimate, ends)
    return made(question, estimate, (low, high), error, f"{method}-{scale}", bounds)


def bounds_of(evidence: Evidence, estimate: float, ends: Range) -> Bounds | None:
    """Return the lowest, the middle and the highest number of a bucketed tally, or None."""
    return (ends[0], estimate, ends[1]) if evidence.tally.is_bucketed else None


def _most_error(evidence: Evidence, question: Question) -> float:
    """Return c such that the error of an area A in buckets is at most c·min(A, 1 − A); else inf.

    The placements' distances from 1 are never negative and have the mean δ = 1 − A, so Σd² is at
    most (Σd)²: each class adds δ²·n/(n − 1) at most. Of soft or weighted items each adds at most
    ‖ud‖/U + δ‖u‖/U ≤ 2δ to the length. Likewise with the distances from 0.
    """
    if not (evidence.tally.is_bucketed and _is_area(question)):
        return math.inf
    if evidence.even_weight is None:
        return 4.0
    tally, weight = evidence.tally, evidence.even_weight
    counts = [float(mass) / weight for mass in (tally.total_up, tally.total_right)]
    return math.sqrt(sum(n / (n - 1) for n in counts))


def _is_area(question: Question) -> bool:
    return question.statistic.is_area


def _quantile(
    evidence: Evidence, question: Question, influence: Influence | None, scale: str
) -> float:
    """Return Student's quantile, of clusters or after Welch of two samples; else the normal."""
    from scipy.special import stdtrit

    if evidence.items is not None and evidence.cluster is not None:
        return float(stdtrit(evidence.items.clusters - 1, 0.5 + question.level / 2))
    if evidence.even_weight is None:
        return float(stdtrit(mass_degrees(evidence), 0.5 + question.level / 2))
    plain_area = question.statistic.is_area and scale == "plain"  # as everybody does it
    if plain_area or influence is None:
        return question.z
    counts = [
        float(m) / evidence.even_weight
        for m in (evidence.tally.total_up, evidence.tally.total_right)
    ]
    df = least_degrees(two_sample_ranges(evidence, influence), counts)
    return question.z if df is None else float(stdtrit(df, 0.5 + question.level / 2))


def mass_degrees(evidence: Evidence) -> float:
    """Return the degrees of freedom of soft or weighted items: the least that Welch's can be.

    That is one less than the effective number of the smaller class, and at least 1.
    """
    return max(min(effective_sizes(evidence)) - 1.0, 1.0)


def _on_logits(ends: Range, reach: float, steepest: float) -> Range:
    """Return the hull of the intervals that are symmetric on the logit scale, of all estimates.

    An estimate A between the ends has the arm min(reach, steepest·min(A, 1 − A)) / (A(1 − A)) at
    most. Where the arm is reach / (A(1 − A)), the lower end on the logit scale, logit A less the
    arm, has the slope [A(1 − A) + reach·(1 − 2A)] / (A(1 − A))², which changes its sign once, from
    plus to minus: it is least at an end. Where the arm is steepest / A, for A near 1, it rises;
    where it is steepest / (1 − A), for A near 0, it again rises and then falls. So the least lies
    at an end, or where two of these meet. The upper end is the mirror image.
    """
    turns = (reach / steepest, 1 - reach / steepest)
    places = [*ends, *(at for at in turns if ends[0] < at < ends[1])]
    low, high = zip(*(_logit_ends(at, reach, steepest) for at in places), strict=True)
    return min(low), max(high)


def _logit_ends(estimate: float, reach: float, steepest: float) -> Range:
    """Return the ends of an interval that is symmetric on the logit scale; limits at 0 and 1."""
    if not 0 < estimate < 1:
        return (estimate, estimate) if math.isfinite(steepest) or not reach > 0 else (0.0, 1.0)
    middle = math.log(estimate / (1 - estimate))
    arm = min(reach, steepest * min(estimate, 1 - estimate)) / (estimate * (1 - estimate))
    low, high = (
        1 / (1 + math.exp(-min(max(end, -700.0), 700.0))) for end in (middle - arm, middle + arm)
    )
    return low, high


def newcombe(
    evidence: Evidence, question: Question, estimate: float, ends: Range | None = None
) -> Interval:
    """Return the areas that the estimate does not reject, with Hanley & McNeil's variance.

    Solves |Â − θ| = z·√V(θ), V(θ) = θ(1−θ){1 + (N−1)[(1−θ)/(2−θ) + θ/(1+θ)]}/(n⁺n⁻),
    N = (n⁺+n⁻)/2 (Newcombe 2006, method 5). It does not shrink to a point at 0 or 1. Both limits
    rise with Â; so where buckets leave the area open, they are those of its `ends`.
    """
    n_up, n_right = sizes = effective_sizes(evidence)
    estimate = _inside(estimate)
    least, most = (_inside(end) for end in ends or (estimate, estimate))
    low = 0.0 if least <= 0 else _limit(least, 0.0, question.z, sizes)
    high = 1.0 if most >= 1 else _limit(most, 1.0, question.z, sizes)
    middle = min(max(least, 0.5), most)  # where the variance is greatest
    error = math.sqrt(hanley_variance(middle, n_up, n_right))
    bounds = bounds_of(evidence, estimate, (least, most))
    return made(question, estimate, (low, high), error, "newcombe", bounds)


def _limit(estimate: float, outside: float, z: float, sizes: tuple[float, float]) -> float:
    """Return the last area towards `outside` that an estimate does not reject."""

    def excess(theta: float) -> float:
        return (estimate - theta) ** 2 - z**2 * hanley_variance(theta, *sizes)

    return _bisected(excess, estimate, outside)


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
    if cuts_a_bucket(evidence.tally, question.statistic):
        return _wilson_of_buckets(evidence, question)
    estimate = question.statistic.of(evidence.tally)
    hits, count, squares = _hits(evidence.tally, question.statistic)
    effective = count**2 / squares if squares > 0 else 0.0
    if not count > 0:
        raise OneClassError(
            f"No item counts for {question.statistic.name} at this threshold.",
            "choose another threshold.",
        )
    low, high = wilson(hits / count, effective, question.z)
    error = math.sqrt(estimate * (1 - estimate) / effective)
    bounds = bounds_of(evidence, estimate, (estimate, estimate))
    return made(question, estimate, (low, high), error, "wilson", bounds)


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


def _hits(tally: Tally, statistic: Statistic) -> tuple[float, float, float]:
    """Return the mass of the hits, that of hits and misses, and the squares of the latter."""
    share, at = _share_of(statistic), statistic.threshold
    cut = 0 if at is None else int(index_at(walk_of(tally), np.asarray(at)))
    hits = count = squares = 0.0
    for rows, (up, right) in ((slice(0, cut), ("tp", "fp")), (slice(cut, None), ("fn", "tn"))):
        masses = {up: tally.up[rows].sum(), right: tally.right[rows].sum()}
        own = {up: tally.up_squared[rows].sum(), right: tally.right_squared[rows].sum()}
        counted = [cell for cell in (up, right) if cell in share.hits + share.misses]
        hits += float(sum(masses[cell] for cell in counted if cell in share.hits))
        count += float(sum(masses[cell] for cell in counted))
        squares += float(sum(own[cell] for cell in counted))
        squares += float(2 * tally.up_right[rows].sum()) if len(counted) == 2 else 0.0
    return hits, count, squares


def _share_of(statistic: Statistic) -> Share:
    if statistic.share is None:
        raise OptionError(f"{statistic.name} is not a proportion.", "use 'auto' or a bootstrap.")
    return statistic.share


# -- thresholds inside buckets ---------------------------------------------------------------------


def cuts_a_bucket(tally: Tally, statistic: Statistic) -> bool:
    """Whether the threshold of a rate lies inside a bucket."""
    sure, possible = _rows_above(tally, statistic)
    return sure < possible


def _rows_above(tally: Tally, statistic: Statistic) -> tuple[int, int]:
    """Return how many rows lie wholly, and how many at least in part, at or above a threshold."""
    at = math.inf if statistic.threshold is None else statistic.threshold
    return int(np.count_nonzero(tally.scores >= at)), int(np.count_nonzero(tally.highest >= at))


def _wilson_of_buckets(evidence: Evidence, question: Question) -> Interval:
    """Return the hull of Wilson's intervals of all orders inside the bucket that is cut.

    One more hit raises both limits, one more miss lowers them. So the lowest are those of the
    fewest hits with the most misses, the highest those of the most hits with the fewest misses.
    """
    statistic, weight = question.statistic, evidence.even_weight
    if weight is None:
        refuse_buckets(
            evidence.tally, f"{statistic.name} of weighted or soft items inside a bucket"
        )
    corners, fewest = _corners(evidence.tally, statistic, weight or 1.0)
    shares = [hits / (hits + misses) for hits, misses in corners]
    counts = [hits + misses for hits, misses in corners]
    low = wilson(shares[0], counts[0], question.z)[0]
    high = wilson(shares[1], counts[1], question.z)[1]
    middle = min(max(shares[0], 0.5), shares[1])
    error = math.sqrt(middle * (1 - middle) / fewest)
    estimate = (shares[0] + shares[1]) / 2
    bounds = (shares[0], estimate, shares[1])
    return made(question, estimate, (low, high), error, "wilson", bounds)


def _corners(tally: Tally, statistic: Statistic, weight: float) -> tuple[list[Range], float]:
    """Return (hits, misses) with the fewest hits and most misses, and with the most and fewest.

    And the fewest items that can count, which are those of a class but for predictive values.

    The bucket that the threshold cuts has an item on either side of it, so some item counts.
    """
    above = [
        [float(mass[:rows].sum()) / weight for mass in (tally.up, tally.right)]
        for rows in _rows_above(tally, statistic)
    ]
    (up, right), (more_up, more_right) = above
    all_up, all_right = (float(m) / weight for m in (tally.total_up, tally.total_right))
    cells = {
        "tp": (up, more_up),
        "fp": (right, more_right),
        "fn": (all_up - more_up, all_up - up),
        "tn": (all_right - more_right, all_right - right),
    }
    share = _share_of(statistic)
    hits, misses = (
        [sum(cells[cell][end] for cell in side) for end in (0, 1)]
        for side in (share.hits, share.misses)
    )
    corners = [
        (max(hits[0], 1.0 - misses[1]), misses[1]),
        (hits[1], max(misses[0], 1.0 - hits[1])),
    ]
    counted = {*share.hits, *share.misses}
    of_classes = {"tp", "fn"} <= counted or {"fp", "tn"} <= counted
    fewest = hits[0] + misses[1] if of_classes else hits[0] + misses[0]
    return corners, max(fewest, 1.0)
