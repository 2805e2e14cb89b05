"""The interval of one statistic in one sample: `rocwalk.interval` and its result.

`interval_of` chooses the method: a closed form from the influence function or of a share
(`closed_forms`), or a bootstrap (`resampling`). What buckets leave open of the number and of its
error is added to the interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import OneClassError, Option, OptionError, SmallSampleWarning, TallyError, warn
from rocwalk.inference.closed_forms import (
    are_few,
    limits_without_spread,
    rows_above,
    share_corners,
    share_masses,
    wilson,
)
from rocwalk.inference.distributions import NO_SPREAD, NOISE, quantile
from rocwalk.inference.influence import (
    Influence,
    error_range,
    item_error,
    variance_range,
    warn_of_weights,
)
from rocwalk.inference.interval_result import Interval, around, made_interval, newcombe_interval
from rocwalk.inference.items import (
    Evidence,
    check_statistic,
    check_votes,
    evidence_from,
    numbers_without,
    refuse_few,
)
from rocwalk.inference.jackknife import (
    cluster_degrees,
    error_of,
    jackknife_error,
    warn_few_clusters,
)
from rocwalk.inference.request import Request, closed_method, refuse_unfit
from rocwalk.inference.resampled_intervals import (
    BOOTSTRAP,
    bootstrap_interval,
    from_replicates,
    half_sample_interval,
)
from rocwalk.inference.resampling import (
    Plan,
    Progress,
    item_number,
    item_replicates,
    number_of_items,
)
from rocwalk.read.arrays import evidence_of, refuse_beside_tally
from rocwalk.read.matrices import is_matrix
from rocwalk.statistic import Share, Statistic, statistic_of, value_of
from rocwalk.tally.sharing import SharedTally
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import EXACT_TALLY, refuse_buckets
from rocwalk.typing import (
    ArrayLike,
    IntervalMethod,
    Invalid,
    Range,
    Scale,
    Truth,
)

CLOSED = ("delong", "influence", "jackknife", "obuchowski")  # on a plain or another scale
CLASS_NAMES = ("hand_till", "provost_domingos")  # numbers of several classes
METHODS = ("auto", *CLOSED, "newcombe", "wilson", "mover", "half-sample", *BOOTSTRAP)


def interval(
    y_true: ArrayLike,
    y_score: ArrayLike = None,
    *,
    statistic: Any = "auc",
    method: IntervalMethod = "auto",
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: Any = None,
    cluster: ArrayLike = None,
    votes: ArrayLike = None,
    scale: Scale | None = None,
    threshold: float | None = None,
    fpr: float | None = None,
    tpr: float | None = None,
    rate: float | None = None,
    max_fpr: float | None = None,
    min_tpr: float | None = None,
    standardized: bool = False,
    costs: Any = None,
    threads: int | None = None,
    progress: Progress | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Interval:
    """Return a statistic with its interval.

    Parameters
    ----------
    y_true, y_score
        Labels or soft truth, and scores. Or one `Tally`. Soft or weighted tallies have closed
        forms only, because a bootstrap needs the items. So have bucketed ones: `.bounds` says
        between which values the number lies, and the interval holds for every order inside the
        buckets; a statistic that has none is refused. Or one `SharedTally`: the interval then adds
        the errors of sampling, buckets and privacy noise. For several classes a matrix of scores,
        with one column per class: for "hand_till" and "provost_domingos", or with `pos_label` for
        any statistic of this class against the rest, by its own column.
    statistic
        A name ("auc", "probabilistic_auc", "auc_prt", "expected_auc", "h_measure", "brier",
        "partial_auc" with `max_fpr` or `min_tpr`, "sensitivity" and other rates and "f1" with
        `threshold`, `fpr`, `tpr` or `rate`, "gains" and "lift" with `rate`, "net_benefit" with
        `threshold`, "expected_cost" with `costs` and a point, …), a `functools.partial` of a
        function in `rocwalk.metrics`, or a function of a `Tally`.
    method
        "auto" takes a closed form where there is a good one; `.method` is the one that was used:
        "delong" (AUC of hard labels), "influence" (soft truth, weights, probabilistic AUC),
        "jackknife" (clusters), "newcombe" (AUC without spread, such as 0 or 1), "wilson" (rates at
        a threshold), "mover" (other numbers at a point of the curve; of clusters `.method` is
        "wilson-clusters" or "mover-clusters"), "half-sample" (H-measure and hull area, without
        their `.optimism`), "influence" on the log scale (midpoint, struggle
        ratio, Brier score, log loss), else "bca". Also "percentile", "basic", and "obuchowski"
        (clusters of about equal size).

        AUC of few hard labels: "auto" is the union of DeLong's interval on the logit scale and of
        Newcombe's, `.method` "delong-newcombe". Items are few if the smaller class has n < 30, or
        if n·min(A, 1 − A) < 10: fewer than about ten of its items are out of order.

        An area that shows no spread (perfect, reversed or constant scores) has an error of 0 by
        "delong", "influence", "jackknife" and "obuchowski", and other packages return a point. Here
        all of them return Newcombe's interval, and `.method` is "newcombe".

        A Brier score or log loss that is the same for all items, such as that of perfect scores,
        has the limits c − q·(c − lowest) and c + q·(highest − c) of the statistic's range, with
        Wilson's upper limit q for the share of items that lose otherwise; `.method` is "wilson".
        Any other interval without width gives a `SmallSampleWarning`.
    threshold
        For rates such as "sensitivity": the score from which an item is predicted positive. For
        "net_benefit" the probability from which to act.
    fpr, tpr, rate
        In place of `threshold`: the point of the curve with this FPR, this TPR or this rate of
        calls. "sensitivity" takes `fpr` or `rate`, "specificity" `tpr` or `rate`; "precision",
        "negative_predictive_value", "accuracy", "f1" and "expected_cost" any of them; "gains" and
        "lift" take `rate`.
    max_fpr, min_tpr
        For "partial_auc": the false positive rate up to which the area is taken, and the true
        positive rate above which; one of them or both.
    standardized
        For "partial_auc": standardize it by McClish, so that chance is ½ and a perfect order 1.
        By default it is the area itself.
    costs
        For "expected_cost": `Costs`, at their own prevalence or that of the data.
    confidence_level
        Between 0 and 1.
    n_resamples
        The number of bootstrap replicates.
    rng
        A seed or a `numpy.random.Generator`; the same seed gives the same bits on any number of
        threads.
    threads
        The number of threads. Default: as many as there are processors.
    progress
        A function of (done, all) that is called while replicates are computed.
    cluster
        The unit that is drawn whole, such as a patient or a day, row by row.
    votes
        For a bootstrap of soft truth that is a share of votes: how many votes each row has. The
        votes within an item are then drawn again, too, as often as the item is drawn. Votes drawn
        twice are more extreme than they were, so replicates are moved to have the estimate as their
        mean. The interval is never shorter than that of the items alone.
    scale
        "plain", "logit" or "log" for a closed form; "auto" takes the logit for AUC, and the
        logarithm for midpoint, struggle ratio, Brier score and log loss.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out. Errors do not
        change when all weights are scaled.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Measured at 95 % (docs/coverage.json): "delong" on the plain scale covers 91.8 % with 20 + 20
    items and 91.6 % with 20 + 1,980. With 20 + 1,980 "percentile" covers 91.4 %, "basic" 89.2 % and
    "bca" 93.6 %; "basic" covers 89.2 % with 20 + 20 and 91.6 % over 50 clusters. "auto" covers 95
    to 96 % where items are not few, and is conservative where they are: 97 to 99.6 % (8 + 392 items
    and an area of 0.95: 99 %, DeLong's on the logit scale alone 87 %; 10 + 1,000 at 0.98: 99 and
    81 %; 200 + 200 at 0.999: 99.6 and 92 %).

    Not reliable, with a `SmallSampleWarning`: clusters worth fewer than ten of equal size (ten of 1
    to 50 units: 92 to 94 %, with "obuchowski" 83 %; forty of heavy-tailed sizes: "auto" 97 %,
    "obuchowski" 79 %); weights that go with the score (exp(−z) for a score of z: 94 % at an area of
    0.8 and 88 % at 0.95, with 100 + 100 items; log-normal weights that do not: 96 %); a bootstrap
    of a number of the hull (H-measure of 40 + 40 items, area 0.6: "bca" 54 %, "half-sample" 99 %).

    From buckets: AUC (in the bounds of the tally; V⁺ and V⁻ of a bucket's items are known to half
    its mass, so by the triangle inequality is the error), probabilistic AUC and Gini, midpoint and
    mean score (exact; the squares of the scores in a bucket are bounded by its ends), prevalence
    (exact), Brier score and struggle ratio (between bounds), and rates (exact at the end of a
    bucket, between bounds inside). Each error is the largest that the buckets allow.

    Hard labels without weights are resampled class by class where the statistic depends on each
    class alone; all else is resampled as one sample. Bounds are clipped to the statistic's range.

    References
    ----------
    DeLong, DeLong, Clarke-Pearson (1988); Tukey (1958) for the jackknife, Kish (1965) for the
    effective number of clusters; Obuchowski (1997) for clusters; Newcombe (2006), method 5; Wilson
    (1927); Efron (1987) for BCa.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    >>> s = [0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.4, 0.35, 0.2]
    >>> rw.interval(y, s)
    Interval(statistic='auc', estimate=0.72, low=0.235698, high=0.95544, \
standard_error=0.181108, method='delong-newcombe', confidence_level=0.95)
    """
    plan = Plan(n_resamples, rng, threads, progress)
    of_classes = {"sample_weight": sample_weight, "invalid": invalid}
    if isinstance(statistic, str) and statistic in CLASS_NAMES:
        from rocwalk.inference.class_areas import CLASS_AREAS, interval_of_classes

        one = Request(CLASS_AREAS[statistic], confidence_level, method, plan)
        of_classes |= {"pos_label": pos_label, "truth": truth}
        return interval_of_classes(y_true, y_score, one, cluster, of_classes)
    asked = statistic_of(
        statistic,
        threshold=threshold,
        fpr=fpr,
        tpr=tpr,
        rate=rate,
        max_fpr=max_fpr,
        min_tpr=min_tpr,
        standardized=standardized,
        costs=costs,
    )
    if pos_label is not None and is_matrix(y_score):
        from rocwalk.inference.class_areas import evidence_of_class

        own = evidence_of_class(y_true, y_score, pos_label, cluster, of_classes)
        one_of("method", method, METHODS)
        return interval_of(own, Request(asked, confidence_level, method, plan, scale=scale))
    if isinstance(y_true, SharedTally):
        from rocwalk.inference.shared_intervals import shared_interval

        refuse_beside_tally(y_score, sample_weight, pos_label, truth)
        one_of("method", method, ("auto",))
        return shared_interval(y_true, Request(asked, confidence_level, method, plan))
    data = evidence_of(
        y_true,
        y_score,
        sample_weight,
        pos_label,
        truth,
        invalid,
        probabilities=asked.needs_probabilities,
        argument="y_score",
    )
    counts = None if votes is None else check_votes(votes, data)
    request = Request(asked, confidence_level, method, plan, scale=scale, votes=counts)
    one_of("method", method, METHODS)
    return interval_of(evidence_from(data, cluster), request)


def interval_of(evidence: Evidence, request: Request) -> Interval:
    """Return the interval by the method of the request, with a warning where it is not reliable."""
    if evidence.tally.is_shared:
        from rocwalk.inference.shared_intervals import noised_interval, refuse_unknown

        refuse_unknown(request.statistic)
        if evidence.tally.is_noised:
            return noised_interval(evidence, request)
    own = request.statistic.own_interval
    by_default = request.method == "auto" and request.scale is None and request.votes is None
    found = (_interval_of if own is None or not by_default else own)(evidence, request)
    if evidence.items is not None and evidence.cluster is not None:
        warn_few_clusters(evidence.items, found.method, found.statistic)
    warn_of_weights([evidence], found.method, found.statistic)
    if request.statistic.of_hull and request.method in BOOTSTRAP:
        because = "the hull of a sample is optimistic, and that of its replicates more so"
        hint = ("use ", Option("method", "half-sample"), " or ", Option("method", "auto"), ".")
        warn(SmallSampleWarning(found.method, because, hint, statistic=found.statistic))
    elif request.statistic.of_hull and not found.standard_error > NOISE:
        because = f"it is {found.estimate:g} in all half-samples"
        warn(SmallSampleWarning(found.method, because, statistic=found.statistic))
    elif found.high - found.low <= NOISE:
        warn(SmallSampleWarning(found.method, NO_SPREAD, statistic=found.statistic))
    return found


def _interval_of(evidence: Evidence, request: Request) -> Interval:
    """Return the interval; "auto" takes a closed form where it can."""
    tally, statistic = evidence.tally, request.statistic
    check_statistic(statistic, tally)
    refuse_few(evidence)
    if request.votes is not None or (statistic.of_items is not None and evidence.is_soft):
        return _of_items(evidence, request)
    if not statistic.is_registered and not tally.is_bucketed:
        value_of(statistic, tally)
    method = _method(evidence, request)
    if request.scale is not None and method not in CLOSED:
        raise OptionError(
            f"is for closed forms, and the method is {method!r}.",
            "leave scale out.",
            option="scale",
            value=request.scale,
        )
    if method == "half-sample":
        refuse_buckets(tally, f"The interval of {statistic.name}")
        return half_sample_interval(evidence, request)
    if method in BOOTSTRAP:
        refuse_buckets(tally, f"The bootstrap of {statistic.name}")
        return bootstrap_interval(evidence, request, method)
    if method in ("wilson", "mover"):
        return _at_point(evidence, request, method)
    if statistic.influence is not None:
        return _from_influence(evidence, request, method, statistic.influence(tally))
    return _measured_interval(evidence, request)


def _method(evidence: Evidence, request: Request) -> str:
    """Return the method to use, or raise if it does not suit the data or the statistic."""
    statistic, tally = request.statistic, evidence.tally
    clustered, hard = evidence.cluster is not None, evidence.even_weight is not None
    if request.method != "auto":
        if request.method != "mover" or statistic.limits is None:  # which takes clusters here
            refuse_unfit(request, hard=hard, clustered=clustered)
        return request.method
    if statistic.limits is not None:
        is_share = statistic.share is not None and statistic.threshold is not None
        return "wilson" if is_share and not clustered else "mover"
    if statistic.influence is None and tally.is_bucketed:
        if statistic.share is not None:
            return "wilson"
        if not has_closed_form(statistic, tally):
            refuse_buckets(tally, f"The interval of {statistic.name}")
        return "influence"
    positive = statistic.estimate is not None and statistic.by_logarithm
    closed = closed_method(statistic, hard=hard, clustered=clustered, by_logarithm=positive)
    resampled = "half-sample" if statistic.of_hull else "percentile" if clustered else "bca"
    return closed or resampled


# -- from an estimate and its error ----------------------------------------------------------------


def _from_influence(
    evidence: Evidence, request: Request, method: str, influence: Influence
) -> Interval:
    """Return estimate ± quantile · error; an area that shows no spread has Newcombe's interval.

    "auto" takes the union of the two where items are few (`are_few`). So it does where buckets
    allow both orders with spread and orders without.
    """
    estimate = influence.estimate
    if method == "jackknife":
        least = error = jackknife_error(evidence.need_items("A jackknife"), influence)
    else:
        least, error = error_range(evidence, influence)
    is_area = request.statistic.is_area
    if method == "newcombe" or (is_area and not error > NOISE):
        return newcombe_interval(evidence, request, estimate, influence.ends)
    found = around(evidence, request, method, estimate, error, influence)
    by_default = request.method == "auto" and request.scale is None and method == "delong"
    few = by_default and are_few(influence.ends, evidence.class_counts)[0]
    if not is_area or not (few or (influence.blur is not None and not least > NOISE)):
        return found
    other = newcombe_interval(evidence, request, estimate, influence.ends)
    return replace(
        found,
        low=min(found.low, other.low),
        high=max(found.high, other.high),
        method=f"{method}-newcombe",
    )


def _measured_interval(evidence: Evidence, request: Request) -> Interval:
    """Return the interval of a number that depends on the prevalence, with items as one sample.

    Of a ratio or a mean loss on the log scale; of other numbers from buckets only, where there is
    no bootstrap. A mean loss that is the same for all items has Wilson's limits of the share of
    items that may have another one.
    """
    statistic, tally = request.statistic, evidence.tally
    if not (statistic.estimate is not None and (statistic.by_logarithm or tally.is_bucketed)):
        raise OptionError(
            f"There is no closed form for the error of {statistic.name}.",
            f"use one of {', '.join(map(repr, BOOTSTRAP))}, or 'auto'.",
        )
    found = measured(statistic, tally)
    no_bound = math.isinf(found.value) and tally.is_bucketed
    if statistic.is_odds and not no_bound and not 0 < found.ends[0] <= found.ends[1] < math.inf:
        return _odds_interval(evidence, request, found)
    if not math.isfinite(found.value + found.errors[1]):
        raise TallyError(
            f"{statistic.name} has no bound, because this tally is bucketed too coarsely.",
            f"{EXACT_TALLY}.",
        )
    if statistic.is_loss and not found.errors[1] > NOISE:
        sizes, span = evidence.effective_sizes, statistic.range
        limits = limits_without_spread(found.ends, span, float(sum(sizes)), request.z)
        return made_interval(evidence, request, "wilson", found.value, 0.0, limits, found.ends)
    return around(evidence, request, "influence", found.value, found.errors[1], ends=found.ends)


def _odds_interval(evidence: Evidence, request: Request, found: Measured) -> Interval:
    """Return the interval of a ratio of masses that may be 0 or infinite: Wilson's of its share.

    That of K = N/S is s/(1 − s) of the limits s of N/(N + S), a share of the effective items.
    """
    least, most = (end / (1 + end) if end < math.inf else 1.0 for end in found.ends)
    count = float(sum(evidence.effective_sizes))
    low, high = wilson(least, count, request.z)[0], wilson(most, count, request.z)[1]
    limits = low / (1 - low), high / (1 - high) if high < 1 else math.inf
    error = found.errors[1] if math.isfinite(found.value) else math.inf
    return made_interval(evidence, request, "wilson", found.value, error, limits, found.ends)


@dataclass(frozen=True, slots=True)
class Measured:
    """A number, the ends between which buckets leave it, and those of its standard error."""

    value: float
    ends: Range
    errors: Range


def has_closed_form(statistic: Statistic, *tallies: Tally) -> bool:
    """Whether bucketed tallies have a closed form of a number that is otherwise resampled.

    Midpoint, mean score, struggle ratio and Brier score depend on the prevalence, so that items are
    one sample. They have an `estimate`, which is used where buckets prevent a bootstrap.
    """
    return statistic.estimate is not None and any(tally.is_bucketed for tally in tallies)


def measured(statistic: Statistic, tally: Tally) -> Measured:
    """Return a number that depends on the prevalence, with its standard error."""
    if statistic.estimate is None:
        refuse_buckets(tally, statistic.name)
        raise OptionError(f"{statistic.name} has no closed form.", "use a bootstrap.")
    found = statistic.estimate(tally)
    least, most = variance_range(tally, found.influence, fixed=False)
    errors = math.sqrt(least), math.sqrt(most + found.more)
    return Measured(found.value, found.influence.ends, errors)


# -- shares ----------------------------------------------------------------------------------------


def _at_point(evidence: Evidence, request: Request, method: str) -> Interval:
    """Return Wilson's interval of a share, or that of a number whose limits are a closed form."""
    statistic = request.statistic
    if method == "wilson" and statistic.share is not None:
        return _share_interval(evidence, request, statistic.share)
    assert statistic.limits is not None
    if statistic.threshold is None:
        refuse_buckets(evidence.tally, f"The interval of {statistic.name}")
    found = statistic.limits(evidence, request.z)
    if evidence.cluster is not None:
        is_share = statistic.share is not None and statistic.threshold is not None
        method = "wilson-clusters" if is_share else "mover-clusters"
        degrees = cluster_degrees(evidence.need_items("An interval of clusters"))
        if found.error > NOISE:  # else the variance is not an estimate
            found = statistic.limits(evidence, quantile(0.5 + request.level / 2, degrees))
    return made_interval(evidence, request, method, found.estimate, found.error, found.limits)


def _share_interval(evidence: Evidence, request: Request, share: Share) -> Interval:
    """Return Wilson's score interval of a rate; for masses with the effective number of items.

    Of soft truth it is that of as many labels as have the variance of the items' truths.

    Where the threshold cuts a bucket, it is the union over all orders inside the bucket. One more
    hit raises both limits, one more miss lowers them. So the lowest limit is that of the fewest
    hits with the most misses, the highest that of the most hits with the fewest misses.
    """
    tally, statistic, weight = evidence.tally, request.statistic, evidence.even_weight
    sure, possible = rows_above(tally, statistic.threshold)
    if sure == possible:
        estimate = statistic.of(tally)
        hits, count, squares = share_masses(tally, share, statistic.threshold)
        effective = count**2 / squares if squares > 0 else 0.0
        if not count > 0:
            raise OneClassError(
                f"No item counts for {statistic.name} at this threshold.",
                "choose another threshold.",
            )
        if evidence.is_soft and statistic.limits is not None:
            found = statistic.limits(evidence, request.z)
            return made_interval(evidence, request, "wilson", estimate, found.error, found.limits)
        plain = hits / count
        low, high = (share.of(end) for end in wilson(plain, effective, request.z))
        error = share.slope(plain) * math.sqrt(max(plain * (1 - plain), 0.0) / effective)
        return made_interval(evidence, request, "wilson", estimate, error, (low, high))
    if weight is None:
        refuse_buckets(tally, f"{statistic.name} of weighted or soft items inside a bucket")
    corners, fewest = share_corners(tally, share, statistic.threshold, weight or 1.0)
    (least, least_count), (most, most_count) = (
        (hits / (hits + misses), hits + misses) for hits, misses in corners
    )
    low, _ = wilson(least, least_count, request.z)
    _, high = wilson(most, most_count, request.z)
    middle = min(max(least, 0.5), most)  # where the variance is greatest
    steepest = max(share.slope(least), share.slope(most))
    error = steepest * math.sqrt(middle * (1 - middle) / fewest)
    low, least, most, high = (share.of(end) for end in (low, least, most, high))
    estimate = (least + most) / 2
    return made_interval(evidence, request, "wilson", estimate, error, (low, high), (least, most))


# -- item by item ----------------------------------------------------------------------------------


def _of_items(evidence: Evidence, request: Request) -> Interval:
    """Return the interval of a number that needs each item's truth, or of votes drawn again.

    With votes, replicates are moved to have the estimate as their mean, because votes drawn twice
    are more extreme than they were; and the interval contains the one over items alone, because
    replicates hardly differ where the order is nearly perfect.
    """
    items, statistic = evidence.need_items(request.statistic.name), request.statistic
    own, method = statistic.of_items, request.method
    closed = own is not None and own.psi is not None and request.votes is None
    halves = own is not None and statistic.of_hull and request.votes is None
    forms = ("jackknife",) * (items.cluster is not None) + ("influence",)
    suitable = forms * closed + ("half-sample",) * halves + BOOTSTRAP
    if method == "auto":
        method = suitable[0]
    if method not in suitable:
        raise OptionError(
            f"is not for {statistic.name} of soft truth.",
            f"use one of {', '.join(map(repr, suitable))}, or 'auto'.",
            option="method",
            value=method,
        )
    estimate = item_number(statistic, items)
    if method == "half-sample":
        return half_sample_interval(evidence, request)
    if own is not None and own.psi is not None and method in forms:
        jackknifed = method == "jackknife"
        error = (
            error_of(numbers_without(own, items))
            if jackknifed
            else item_error(items, own.psi(items))
        )
        if not error > NOISE:
            return newcombe_interval(evidence, request, estimate)
        return around(evidence, request, method, estimate, error)
    of = number_of_items(statistic)
    values = item_replicates(items, of, request.plan, request.votes)[:, 0]
    if request.votes is None:
        return from_replicates(evidence, request, method, estimate, values, method)
    values = values + (estimate - np.nanmean(values))
    found = from_replicates(evidence, request, method, estimate, values, f"{method}-votes")
    if own is None and statistic.influence is None:
        return found
    alone = _interval_of(evidence, replace(request, votes=None, method="auto"))
    return replace(found, low=min(found.low, alone.low), high=max(found.high, alone.high))
