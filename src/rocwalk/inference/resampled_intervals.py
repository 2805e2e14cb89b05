"""Intervals from resampled data: half-samples and bootstrap replicates."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rocwalk.inference.closed_forms import (
    limits_without_spread,
    wilson,
    without_rounding,
)
from rocwalk.inference.distributions import NOISE, quantile
from rocwalk.inference.influence import (
    numerical_influence,
)
from rocwalk.inference.interval_result import Interval, made_interval
from rocwalk.inference.items import (
    Evidence,
    counted,
    item_form,
    numbers_without,
)
from rocwalk.inference.jackknife import centred, cluster_degrees
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import (
    bca_tails,
    existing,
    item_replicates,
    quantiles,
    replicates,
    spread_of,
)
from rocwalk.statistic import Statistic
from rocwalk.typing import (
    FloatArray,
)

BOOTSTRAP = ("percentile", "basic", "bca")


# -- from half-samples -----------------------------------------------------------------------------

_HALF = 2 ** (2 / 3) - 1  # the optimism of half a sample minus that of the whole, over the latter


def half_sample_interval(evidence: Evidence, request: Request) -> Interval:
    """Return the interval of a number of the hull, from samples of about half of the units.

    The hull of n items lies above the true one by about n^(−2/3), so a half-sample is more
    optimistic than the sample by 2^(2/3) − 1 times the sample's optimism, which is estimated and
    subtracted. The standard deviation over half-samples is the standard error (Shao & Wu 1989). All
    this on the scale √(highest − number), on which it spreads alike; Student's quantile has the
    effective number of units of the smaller class minus one. The interval contains the estimate.

    The rate is that of a concave function estimated by its least concave majorant (Kiefer &
    Wolfowitz 1976). Where the true curve is straight it is n^(−1/2), and at chance about n^(−1):
    the optimism would be 1.4 or 0.6 times as great. So half of it is added to the standard error,
    in squares.
    """
    statistic, highest = request.statistic, request.statistic.range[1]
    units, form = counted(evidence), item_form(statistic, evidence)
    if form is None:
        estimate = statistic.of(evidence.tally)
        values = replicates(units, statistic, request.plan, stratified=False, halves=True)
    else:
        items = evidence.need_items(statistic.name)
        estimate = form.of(items)
        values = item_replicates(items, form.of, request.plan, halves=True)[:, 0]
    kept = existing(values, statistic.name)
    own, drawn = (-np.sqrt(np.maximum(highest - each, 0.0)) for each in (estimate, kept))
    optimism = (float(drawn.mean()) - own) / _HALF
    middle = own - optimism
    clustered = evidence.items is not None and evidence.cluster is not None
    df = cluster_degrees(evidence.need_items("")) if clustered else units.mass_degrees
    reach = quantile(request.tails[1], df) * math.hypot(float(drawn.std(ddof=1)), optimism / 2)
    low, bare, high = (
        highest - float(np.minimum(middle + far, 0.0)) ** 2 for far in (-reach, 0.0, reach)
    )
    limits = min(low, estimate), max(high, estimate)
    found = made_interval(evidence, request, "half-sample", estimate, spread_of(kept), limits)
    return replace(
        found,
        n_resamples=int(request.plan.n_resamples),
        failed=len(values) - len(kept),
        optimism=float(estimate - max(bare, statistic.range[0])),
    )


# -- from replicates -------------------------------------------------------------------------------


def bootstrap_interval(evidence: Evidence, request: Request, method: str) -> Interval:
    """Return the interval of replicates, drawn class by class where the statistic allows it.

    A rate that no cluster changes has Wilson's interval, with clusters for items; a mean loss that
    all items share has his limits of the share of clusters with another one.
    """
    statistic = request.statistic
    estimate = statistic.of(evidence.tally)
    evidence = counted(evidence)
    stratified = statistic.conditional and evidence.is_counts
    values = replicates(evidence, statistic, request.plan, stratified=stratified)
    words = method if stratified or not statistic.conditional else f"{method}-unstratified"
    found = from_replicates(evidence, request, method, estimate, values, words)
    if found.standard_error > NOISE or not (statistic.is_loss or statistic.threshold is not None):
        return found
    units = float(evidence.units)
    if statistic.is_loss:
        limits = limits_without_spread((estimate, estimate), statistic.range, units, request.z)
    else:
        limits = wilson(without_rounding(estimate), units, request.z)
    return made_interval(evidence, request, "wilson-clusters", estimate, 0.0, limits)


def from_replicates(
    evidence: Evidence,
    request: Request,
    method: str,
    estimate: float,
    values: FloatArray,
    words: str,
) -> Interval:
    """Return the percentile, basic or BCa interval of replicates; `words` is what it is called."""
    statistic = request.statistic
    kept = np.sort(existing(values, statistic.name))
    tails = request.tails
    if method == "bca":
        tails = bca_tails(request.level, estimate, kept, *unit_influences(evidence, statistic))
    low, high = quantiles(kept, tails)
    if method == "basic":
        low, high = 2 * estimate - high, 2 * estimate - low
    found = made_interval(evidence, request, words, estimate, spread_of(kept), (low, high))
    count = int(request.plan.n_resamples)
    return replace(found, n_resamples=count, failed=len(values) - len(kept))


def unit_influences(evidence: Evidence, statistic: Statistic) -> tuple[FloatArray, FloatArray]:
    """Return ψ of the units that are drawn, and how many units have each value."""
    tally = evidence.tally
    own = item_form(statistic, evidence)
    if own is not None:
        items = evidence.need_items(statistic.name)
        if own.psi is not None:
            each = items.by_unit(own.psi(items))
        else:  # Efron's acceleration from the jackknife
            each = -centred(numbers_without(own, items))
        return each, np.ones(len(each))
    if statistic.influence is not None:
        influence = statistic.influence(tally)
    elif statistic.estimate is not None:
        influence = statistic.estimate(tally).influence
    else:
        influence = numerical_influence(tally, statistic.of)
    if evidence.is_counts or evidence.items is None:
        return (
            np.concatenate((influence.up, influence.right)),
            np.concatenate((tally.up, tally.right)).astype(np.float64),
        )
    items = evidence.items
    each = items.up * influence.up[items.rows] + items.right * influence.right[items.rows]
    each = items.by_unit(each)
    return each, np.ones(len(each))
