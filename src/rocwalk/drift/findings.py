"""Findings of drift: each number in two samples, with the interval and the p-value of its change.

The numbers are those that the registry places in the table of drift, the parts of the Brier score,
and the largest gaps between the curves of sensibility and capability. Midpoint and struggle ratio
depend on the prevalence, so the items of a sample are one sample unless the prevalence is fixed by
design. See docs/mathematics.rst, Sensibility and drift.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.curves.calibration import brier_influences
from rocwalk.drift.calibration_map import Grouped
from rocwalk.drift.request import DECIDING, DriftRequest
from rocwalk.drift.sensibility import Split
from rocwalk.inference.distributions import above, holm, in_errors, normal_quantile
from rocwalk.inference.influence import (
    Estimate,
    Influence,
    error_range,
    items_per_mass,
    pooled_variances,
    variance_of,
)
from rocwalk.inference.items import Evidence, few_units
from rocwalk.inference.resampling import Plan, Resampler, coarse, quantiles, run_blocks
from rocwalk.result import Result
from rocwalk.statistic import ANY, UNIT, Statistic, in_table, statistic_of
from rocwalk.tally.tally import Tally
from rocwalk.typing import FloatArray, IntArray, Range

# what only drift reports, from exact tallies: parts of the Brier score, and gaps between two curves
OF_ORDER = {
    "refinement": "refinement",
    "miscalibration": "miscalibration",
    "sensibility_gap": "largest gap of sensibility",
    "capability_gap": "largest gap of capability",
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Part(Result):
    """One part of a change, with its interval.

    Only the model's part has a p-value, and one adjusted by Holm over the three tests. That of the
    midpoint is the test of the level: whether as many positives are observed as the map of the
    reference expects.
    """

    value: float
    low: float
    high: float
    standard_error: float
    p_value: float = math.nan
    adjusted_p_value: float = math.nan

    def _headline(self) -> dict[str, Any]:
        tested = () if math.isnan(self.p_value) else ("p_value", "adjusted_p_value")
        return fields_of(self, "value", "low", "high", "standard_error", *tested)


def fields_of(one: Result, *names: str) -> dict[str, Any]:
    """Return fields of a result by name."""
    return {name: getattr(one, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Finding(Result):
    """One number in both samples: the difference current − reference, its interval and p-value.

    `p_value` and `adjusted_p_value` (Holm's over the three numbers that decide) are those of the
    comparison of the two samples, whatever the cause: they decide on `Drift.changed`. The three
    numbers also have the parts of the difference that `population`, `odds` and `model` have, which
    add up to it, and `equivalent`: whether the model's part is within the margin (True), beyond it
    (False), or cannot be told (None).

    `at` is the threshold of the largest gap between two curves. `certificate` bounds the distance
    of the difference from the exact one where a tally is bucketed: interval and p-value then hold
    for every order inside the buckets. It is None where every score is known.
    """

    name: str
    reference: float
    current: float
    difference: float
    low: float
    high: float
    standard_error: float
    p_value: float
    adjusted_p_value: float = math.nan
    at: float | None = None
    certificate: float | None = None
    population: Part | None = None
    odds: Part | None = None
    model: Part | None = None
    equivalent: bool | None = None

    @property
    def words(self) -> str:
        """The name of the number in a sentence."""
        entry = _entry(self.name)
        return OF_ORDER[self.name] if entry is None else entry.words

    @property
    def decides(self) -> bool:
        """Whether the verdict depends on it."""
        return self.name in DECIDING

    def _headline(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "reference": self.reference,
            "current": self.current,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "standard_error": self.standard_error,
            "p_value": self.p_value,
            "adjusted_p_value": None
            if math.isnan(self.adjusted_p_value)
            else self.adjusted_p_value,
            "at": self.at,
            **({} if self.certificate is None else {"certificate": self.certificate}),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values, with the parts of the difference."""
        parts = {"population": self.population, "odds": self.odds, "model": self.model}
        known = {name: part.to_dict() for name, part in parts.items() if part is not None}
        return Result.to_dict(self) | known | ({"equivalent": self.equivalent} if known else {})


def estimates_of(
    tally: Tally, *, fixed: bool, like: Sequence[Tally] = (), deciding: bool = False
) -> dict[str, Estimate]:
    """Return the registered numbers that drift compares, or those that decide, in their order.

    A number that needs both classes is NaN where one has no mass.
    """
    found = {}
    has_both = tally.total_up > 0 and tally.total_right > 0
    for statistic in in_table("drift"):
        if deciding and statistic.name not in DECIDING:
            continue
        if statistic.needs_both and not has_both:
            undefined = np.full(len(tally), np.nan)
            found[statistic.name] = Estimate(Influence(math.nan, undefined, undefined))
        elif statistic.influence is not None:
            found[statistic.name] = Estimate(statistic.influence(tally))
        elif statistic.estimate is not None:
            found[statistic.name] = statistic.estimate(tally, fixed=fixed, like=like)
    return found


def compared(
    both: tuple[Evidence, Evidence], request: DriftRequest, data: Grouped
) -> dict[str, Finding]:
    """Return every number of both samples with its difference.

    `data` are the samples on common groups of scores. Where these are coarser than the scores, they
    give the errors of the numbers, to about 10⁻⁶ of them; the numbers are those of all scores. The
    isotonic fit needs every score: where a tally is bucketed, the parts of the Brier score are left
    out. Where the current sample has fewer than two units of a class, numbers that need both
    classes have no error and no test.
    """
    exact, samples = (both[0].tally, both[1].tally), both
    is_bucketed = any(tally.is_bucketed for tally in exact)
    is_plain = not is_bucketed and all(one.cluster is None for one in both)
    if is_plain and sum(map(len, exact)) > sum(map(len, data.tallies)):
        samples = Evidence(data.tallies[0]), Evidence(data.tallies[1])
    like = samples[0].tally, samples[1].tally
    is_few = few_units(both[1]) is not None
    found = [estimates_of(tally, fixed=request.fixed_prevalence, like=like) for tally in like]
    findings = {}
    for name in found[0]:
        pair, entry = (found[0][name], found[1][name]), statistic_of(name)
        if is_few and entry.needs_both:
            findings[name] = _undefined(name, entry.of(exact[0]), pair[1].value)
            continue
        if samples is not both:
            pair = _valued(pair[0], entry.of(exact[0])), _valued(pair[1], entry.of(exact[1]))
        findings[name] = _finding(name, pair, samples, request)
    if is_bucketed:
        return findings
    first = brier_influences(exact[0])
    second = None if is_few else brier_influences(exact[1])
    for name in ("refinement", "miscalibration"):
        if second is None:  # an isotonic fit needs both classes, too
            findings[name] = _undefined(name, first[name].estimate, math.nan)
            continue
        pair = Estimate(first[name]), Estimate(second[name])
        findings[name] = _finding(name, pair, both, request)
    return findings


def _undefined(name: str, reference: float, current: float, at: float | None = None) -> Finding:
    """Return a number whose difference has neither an interval nor a test."""
    nan = math.nan
    return Finding(
        name=name,
        reference=reference,
        current=current,
        difference=current - reference,
        low=nan,
        high=nan,
        standard_error=nan,
        p_value=nan,
        at=at,
    )


def _valued(estimate: Estimate, value: float) -> Estimate:
    """Return an estimate of another value, with the same errors."""
    return replace(estimate, influence=replace(estimate.influence, estimate=value))


def _finding(
    name: str,
    pair: tuple[Estimate, Estimate],
    samples: tuple[Evidence, Evidence],
    request: DriftRequest,
) -> Finding:
    fixed = request.fixed_prevalence or _is_conditional(name)
    both = samples[0].tally, samples[1].tally
    is_clustered = any(one.cluster is not None for one in samples)
    variances = [
        (
            variance_of(sample.tally, one.influence, fixed=fixed)
            if sample.cluster is None
            else error_range(sample, one.influence)[1] ** 2
        )
        + one.more
        for sample, one in zip(samples, pair, strict=True)
    ]
    if request.fixed_reference:
        variances[0] = 0.0
    tested = variances
    if _is_conditional(name) and not is_clustered:
        tested = pooled_variances(both, [one.influence for one in pair])
        tested[0] = 0.0 if request.fixed_reference else tested[0]
    first, second = pair[0].value, pair[1].value
    error = math.sqrt(sum(variances))
    reach = normal_quantile(1 - request.alpha / 2) * error
    entry = _entry(name)
    lowest, highest = UNIT if entry is None or entry.range == ANY else entry.range
    span = highest - lowest  # a mean of probabilities lies in [0, 1], too
    ends = pair[0].influence.ends, pair[1].influence.ends
    gap, least, most = second - first, ends[1][0] - ends[0][1], ends[1][1] - ends[0][0]
    bucketed = any(tally.is_bucketed for tally in both)
    p_value = _most_p_value(name, ends, tested) if bucketed else None
    if entry is None:  # parts of the Brier score: their error shrinks with the size of a sample
        p_value = math.nan
    return Finding(
        name=name,
        reference=first,
        current=second,
        difference=gap,
        low=max(least - reach, -span),
        high=min(most + reach, span),
        standard_error=error,
        p_value=_p_value(name, (first, second), tested) if p_value is None else p_value,
        certificate=max(most - gap, gap - least) if bucketed else None,
    )


def _most_p_value(name: str, ends: tuple[Range, Range], variances: list[float]) -> float:
    """Return the largest p-value that any order inside the buckets can give.

    The difference nearest to 0, with the largest error: that of a logarithm, √v/x, is largest at
    the lowest x. Two ratios that may be equal, or 0, have p = 1 at most.
    """
    (low_1, high_1), (low_2, high_2) = ends
    if not math.isfinite(high_1 + high_2):
        return math.nan
    if max(low_1, low_2) <= min(high_1, high_2):
        return math.nan if math.isnan(sum(variances)) else 1.0
    nearest = (high_1, low_2) if low_2 > high_1 else (low_1, high_2)
    if not _is_ratio(name):
        return _p_value(name, nearest, variances)
    if not min(low_1, low_2) > 0:
        return 1.0
    return _p_of_ratios(nearest, (low_1, low_2), variances)


def _p_of_ratios(
    values: tuple[float, float], below: tuple[float, float], variances: list[float]
) -> float:
    """Return the p-value of the difference of logarithms, with errors √v/x of `below`.

    Ratios may be so small that their squares, or their quotient, are no numbers of float64.
    """
    gap = math.log(values[1]) - math.log(values[0])
    error = math.hypot(*(math.sqrt(v) / x for v, x in zip(variances, below, strict=True)))
    if math.isnan(error):
        return math.nan
    return min(2 * above(abs(in_errors(gap, error)), None), 1.0)


def _p_value(name: str, values: tuple[float, float], variances: list[float]) -> float:
    """Return the two-sided p-value of the difference; for positive ratios, of their logarithms."""
    first, second = values
    if _is_ratio(name) and first > 0 and second > 0 and math.isfinite(first + second):
        return _p_of_ratios(values, values, variances)
    gap, error = second - first, math.sqrt(sum(variances))
    if math.isnan(error) or math.isnan(gap):
        return math.nan
    return min(2 * above(abs(in_errors(gap, error)), None), 1.0)


def adjusted_of(found: dict[str, Finding]) -> dict[str, Finding]:
    """Return the findings with p-values adjusted by Holm over the numbers that decide."""
    adjusted = dict(zip(DECIDING, holm([found[name].p_value for name in DECIDING]), strict=True))
    return {
        name: replace(one, adjusted_p_value=adjusted.get(name, math.nan))
        for name, one in found.items()
    }


def _entry(name: str) -> Statistic | None:
    """Return the registered statistic of a finding, or None for what only drift reports."""
    return None if name in OF_ORDER else statistic_of(name)


def _is_conditional(name: str) -> bool:
    entry = _entry(name)
    return entry is not None and entry.conditional


def _is_ratio(name: str) -> bool:
    """Whether a number is positive and skewed, so that logarithms are compared."""
    entry = _entry(name)
    return entry is not None and entry.is_ratio


# -- resampling ------------------------------------------------------------------------------------


def resampled(
    found: Mapping[str, Finding],
    both: tuple[Evidence, Evidence],
    request: DriftRequest,
    plan: Plan,
) -> dict[str, Finding]:
    """Return the findings with percentile intervals, and p-values from the replicates' variance.

    A fixed reference is not resampled. A number that depends on each class alone keeps its analytic
    p-value.
    """
    values = [
        _replicates(evidence, part, fixed=request.fixed_prevalence)
        for evidence, part in zip(both, plan.spawn(2), strict=True)
    ]
    findings = {}
    for name in values[0]:
        one = found[name]
        replicates = values[1:] if request.fixed_reference else values
        drawn = [each[name][np.isfinite(each[name])] for each in replicates]
        length = min(map(len, drawn))
        is_few = statistic_of(name).needs_both and few_units(both[1]) is not None
        if is_few or length < 2 or not math.isfinite(one.reference + one.current):
            findings[name] = _undefined(name, one.reference, one.current)
            continue
        first = one.reference if request.fixed_reference else drawn[0][:length]
        low, high = quantiles(
            drawn[-1][:length] - first, (request.alpha / 2, 1 - request.alpha / 2)
        )
        variances = [float(each.var(ddof=1)) for each in drawn]
        variances = [0.0, *variances] if request.fixed_reference else variances
        p_value = one.p_value
        if not _is_conditional(name):
            p_value = _p_value(name, (one.reference, one.current), variances)
        error = math.sqrt(sum(variances))
        findings[name] = replace(one, low=low, high=high, standard_error=error, p_value=p_value)
    return findings


def _replicates(evidence: Evidence, plan: Plan, *, fixed: bool) -> dict[str, FloatArray]:
    """Return every number of all replicates of one sample; NaN where a class is missing."""
    evidence = coarse(evidence)
    tally = evidence.tally
    scores = (tally.up_score + tally.right_score) / (tally.up + tally.right)
    resampler = Resampler(evidence, stratified=fixed and evidence.is_counts)
    together = {one.name: one.together for one in in_table("drift") if one.together is not None}

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        up, right = resampler.draw(rng, times)
        both = up.any(axis=1) & right.any(axis=1)
        found = np.full((times, len(together)), np.nan)
        for k, of in enumerate(together.values()):
            found[both, k] = of(scores, up[both], right[both])
        return found

    found = run_blocks(plan, 2 * resampler.width, work)
    return {name: found[:, k] for k, name in enumerate(together)}


# -- gaps between curves ---------------------------------------------------------------------------


def gaps_of(
    splits: tuple[Split, Split], both: tuple[Tally, Tally], request: DriftRequest
) -> dict[str, Finding]:
    """Return the largest gaps between the two samples' curves of sensibility and capability.

    Both samples are split at the midpoint of the reference, which is taken as given. The bounds are
    those of Dvoretzky, Kiefer & Wolfowitz on each sample; either side of the midpoint is a
    distribution function of its own, and the bounds count both. They hold at every threshold and
    are wide: a test by them would hardly ever reject, so there is none.
    """
    at, places = _merged(splits[0].walk.thresholds, splits[1].walk.thresholds)
    curves = [
        (split.sensibility[place], split.capability[place])
        for split, place in zip(splits, places, strict=True)
    ]
    masses = [(split.sensible, split.other) for split in splits]
    found = {}
    for k, name in enumerate(("sensibility_gap", "capability_gap")):
        gaps = curves[1][k] - curves[0][k]
        if np.isnan(gaps).all():
            found[name] = _undefined(name, math.nan, math.nan, math.nan)
            continue
        items = [m[k] * items_per_mass(tally) for m, tally in zip(masses, both, strict=True)]
        shares = [0.0 if request.fixed_reference else 1 / items[0], 1 / items[1]]
        scale = sum(math.sqrt(share) for share in shares)
        bound = math.sqrt(math.log(8 / request.alpha) / 2) * scale
        place = len(gaps) - 1 - int(np.nanargmax(np.abs(gaps[::-1])))  # the lowest threshold
        gap = float(gaps[place])
        found[name] = Finding(
            name=name,
            reference=float(curves[0][k][place]),
            current=float(curves[1][k][place]),
            difference=gap,
            low=max(gap - bound, -1.0),
            high=min(gap + bound, 1.0),
            standard_error=math.nan,
            p_value=math.nan,
            at=float(at[place]),
        )
    return found


def _merged(one: FloatArray, other: FloatArray) -> tuple[FloatArray, tuple[IntArray, IntArray]]:
    """Return the thresholds of two walks together, and where each walk is at them.

    Both fall from infinity; a walk is at its last point whose threshold is not below.
    """
    both = np.concatenate([one, other])
    order = np.argsort(-both, kind="stable")  # two runs, which are merged
    falling, is_one = both[order], order < len(one)
    ends = np.flatnonzero(np.append(falling[1:] != falling[:-1], True))
    first, second = (np.cumsum(own)[ends] - 1 for own in (is_one, ~is_one))
    return falling[ends], (first, second)
