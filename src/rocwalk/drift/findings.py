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
from rocwalk.drift.sensibility import Split
from rocwalk.errors import OptionError, as_number
from rocwalk.inference.distributions import above, holm, in_errors, normal_quantile
from rocwalk.inference.influence import (
    Estimate,
    items_per_mass,
    pooled_variances,
    variance_of,
)
from rocwalk.inference.items import Evidence
from rocwalk.inference.resampling import Plan, Resampler, coarse, quantiles, run_blocks
from rocwalk.result import Result
from rocwalk.statistic import ANY, UNIT, Statistic, in_table, statistic_of
from rocwalk.tally.tally import Tally
from rocwalk.typing import FloatArray, Range

DECIDING = ("auc", "midpoint", "struggle_ratio")

# what only drift reports, from exact tallies: parts of the Brier score, and gaps between two curves
OF_ORDER = {
    "refinement": "refinement",
    "miscalibration": "miscalibration",
    "sensibility_gap": "largest gap of sensibility",
    "capability_gap": "largest gap of capability",
}


@dataclass(frozen=True, slots=True)
class DriftRequest:
    """The options: α, whether reference and prevalences are fixed, and the plan of a bootstrap."""

    alpha: float = 0.05
    fixed_reference: bool = False
    fixed_prevalence: bool = False
    plan: Plan | None = None

    def __post_init__(self) -> None:
        if not 0 < as_number("alpha", self.alpha) < 1:
            hint = "0.05 is usual."
            raise OptionError("is outside (0, 1).", hint, option="alpha", value=self.alpha)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Finding(Result):
    """One number in both samples: the difference current − reference, its interval and p-value.

    `adjusted_p_value` is Holm's over the numbers that decide; NaN for the others. `at` is the
    threshold of the largest gap between two curves. `certificate` bounds the distance of the
    difference from the exact one where a tally is bucketed: interval and p-value then hold for
    every order inside the buckets. It is None where every score is known.
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


def estimates_of(
    tally: Tally, *, fixed: bool, like: Sequence[Tally] = (), deciding: bool = False
) -> dict[str, Estimate]:
    """Return every number that drift compares, or those that decide, in the order of the table.

    The isotonic fit needs every score: where a tally is bucketed, the parts of the Brier score
    are left out.
    """
    found = {}
    for statistic in in_table("drift"):
        if deciding and statistic.name not in DECIDING:
            continue
        if statistic.influence is not None:
            found[statistic.name] = Estimate(statistic.influence(tally))
        elif statistic.estimate is not None:
            found[statistic.name] = statistic.estimate(tally, fixed=fixed, like=like)
    if deciding or any(one.is_bucketed for one in (tally, *like)):
        return found
    return found | {name: Estimate(each) for name, each in brier_influences(tally).items()}


def compared(
    both: tuple[Tally, Tally], request: DriftRequest, *, deciding: bool = False
) -> dict[str, Finding]:
    """Return every number of both samples with its difference, or those that decide."""
    fixed = request.fixed_prevalence
    found = [estimates_of(tally, fixed=fixed, like=both, deciding=deciding) for tally in both]
    return {
        name: _finding(name, (found[0][name], found[1][name]), both, request) for name in found[0]
    }


def _finding(
    name: str,
    pair: tuple[Estimate, Estimate],
    both: tuple[Tally, Tally],
    request: DriftRequest,
) -> Finding:
    fixed = request.fixed_prevalence or _is_conditional(name)
    variances = [
        variance_of(tally, one.influence, fixed=fixed) + one.more
        for tally, one in zip(both, pair, strict=True)
    ]
    if request.fixed_reference:
        variances[0] = 0.0
    tested = variances
    if _is_conditional(name):
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
        if length < 2 or not math.isfinite(one.reference + one.current):
            nan = math.nan
            findings[name] = replace(one, low=nan, high=nan, standard_error=nan, p_value=nan)
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
    distribution function of its own, and the bounds count both.
    """
    at = np.append(np.union1d(*(split.walk.thresholds[1:] for split in splits)), np.inf)
    curves = [split.at(at) for split in splits]
    masses = [(split.sensible, split.other) for split in splits]
    found = {}
    for k, name in enumerate(("sensibility_gap", "capability_gap")):
        gaps = curves[1][k] - curves[0][k]
        if np.isnan(gaps).all():
            nan = math.nan
            found[name] = Finding(
                name=name, reference=nan, current=nan, difference=nan, low=nan, high=nan,
                standard_error=nan, p_value=nan, at=nan,
            )  # fmt: skip
            continue
        items = [m[k] * items_per_mass(tally) for m, tally in zip(masses, both, strict=True)]
        shares = [0.0 if request.fixed_reference else 1 / items[0], 1 / items[1]]
        scale = sum(math.sqrt(share) for share in shares)
        bound = math.sqrt(math.log(8 / request.alpha) / 2) * scale
        place = int(np.nanargmax(np.abs(gaps)))
        gap = float(gaps[place])
        found[name] = Finding(
            name=name,
            reference=float(curves[0][k][place]),
            current=float(curves[1][k][place]),
            difference=gap,
            low=max(gap - bound, -1.0),
            high=min(gap + bound, 1.0),
            standard_error=math.nan,
            p_value=min(8 * math.exp(-2 * (abs(gap) / scale) ** 2), 1.0),
            at=float(at[place]),
        )
    return found
