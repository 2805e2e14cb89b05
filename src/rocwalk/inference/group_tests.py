"""Subgroups of one sample: the test that a number is the same in all, and the largest gap."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import OneClassError
from rocwalk.inference.closed_forms import are_few, hanley_variance
from rocwalk.inference.distributions import (
    NOISE,
    chi_squared_above,
    holm,
    normal_quantile,
    p_words,
    welch_degrees,
)
from rocwalk.inference.influence import Influence, auc_influence, error_range
from rocwalk.inference.items import Evidence, Items, refuse_few
from rocwalk.inference.omnibus import omnibus_of
from rocwalk.methods import Methods, methods_of
from rocwalk.result import Result
from rocwalk.statistic import words_of
from rocwalk.typing import FloatArray, IntArray, Range

Part = tuple[Evidence, IntArray | None]  # of a subgroup; its clusters, as numbers among all


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GroupTest(Result):
    """The test that a number is equal in all subgroups: χ², its degrees of freedom, the p-value.

    `groups` are tested; `left_out` counts further ones with too few items of a class. The p-value
    is NaN where the numbers differ and show no spread. Where the subgroups of several models are
    tested, on a page, `adjusted_p_value` is Holm's over the `comparisons` models; else it is p.
    """

    of: str
    chi_squared: float
    df: int
    p_value: float
    groups: int
    left_out: int = 0
    comparisons: int = 1
    adjusted_p_value: float = math.nan

    def __post_init__(self) -> None:
        if self.comparisons == 1:
            object.__setattr__(self, "adjusted_p_value", self.p_value)

    @property
    def sentence(self) -> str:
        """The test in words."""
        words = words_of(self.of)
        which = "both" if self.groups == 2 else f"all {self.groups}"
        if math.isnan(self.p_value):
            return f"Whether {words} is equal in {which} subgroups cannot be tested."
        chance = p_words(self.adjusted_p_value)
        if self.comparisons > 1:
            chance = f"adjusted {chance} (Holm, {self.comparisons} models)"
        return (
            f"Equal {words} in {which} subgroups: χ² = {self.chi_squared:.3g}, "
            f"{self.df} df, {chance}."
        )

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        if math.isnan(self.p_value):
            return Methods(())
        cited = " [@delong1988]" if self.of == "auc" else ""
        return methods_of(
            f"Equal {words_of(self.of)} in {self.groups} subgroups was tested by Wald's test with "
            f"the covariance of their influence functions{cited}."
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "of": self.of,
            "chi_squared": self.chi_squared,
            "df": self.df,
            "p_value": self.p_value,
            "groups": self.groups,
            "left_out": self.left_out or None,
            **(
                {"adjusted_p_value": self.adjusted_p_value, "comparisons": self.comparisons}
                if self.comparisons > 1
                else {}
            ),
        }


def area_test(parts: Sequence[Part]) -> GroupTest | None:
    """Return the test of equal AUC over subgroups; None of fewer than two, and of buckets.

    Each part is the evidence on a subgroup and, with clusters, the cluster of each item among all
    clusters, of which one may reach into several subgroups.
    """
    known: list[Part] = []
    for part in parts:
        try:
            refuse_few(part[0])
        except OneClassError:
            continue
        if part[0].tally.is_bucketed:
            return None
        known.append(part)
    if len(known) < 2:
        return None
    influences = [auc_influence(evidence.tally) for evidence, _ in known]
    found = equality_test(
        "auc",
        np.array([one.estimate for one in influences]),
        covariance_of(known, influences),
        [evidence for evidence, _ in known],
        left_out=len(parts) - len(known),
        is_area=True,
    )
    return None if math.isnan(found.p_value) else found


def adjusted_tests(found: Mapping[Any, GroupTest | None]) -> dict[Any, GroupTest | None]:
    """Return the tests of several models with Holm's p-values over those that there are."""
    p_values = [test.p_value for test in found.values() if test is not None]
    adjusted = iter(holm(p_values)) if p_values else iter(())
    count = len(p_values)
    return {
        name: None
        if test is None
        else replace(test, comparisons=count, adjusted_p_value=next(adjusted))
        for name, test in found.items()
    }


def equality_test(
    name: str,
    estimates: FloatArray,
    covariance: FloatArray,
    parts: Sequence[Evidence],
    *,
    left_out: int = 0,
    is_area: bool = False,
) -> GroupTest:
    """Return Wald's test of equal numbers, by `omnibus_of` with Welch's degrees of freedom.

    Where items of some subgroup are few (`are_few`), an area and its error are not independent, and
    p is the larger one of this and of the score test: χ² with the variances that all areas have at
    their common value (Hanley & McNeil 1982). Areas that show no spread have the score test alone.
    """
    size = len(parts)
    degrees = [evidence.mass_degrees + 1 for evidence in parts]
    errors = np.diag(covariance)
    df_error = welch_degrees([(float(each), float(each)) for each in errors], degrees)
    found = omnibus_of(name, estimates, covariance, df_error)
    chi_squared, df, p_value = found.statistic, found.df, found.p_value
    if is_area and any(
        are_few((float(a), float(a)), one.effective_sizes)[0]
        for a, one in zip(estimates, parts, strict=True)
    ):
        scale = np.sqrt(np.maximum(errors, NOISE**2))
        correlation = covariance / np.outer(scale, scale)
        np.fill_diagonal(correlation, 1.0)
        sizes = [one.effective_sizes for one in parts]
        score = _score_statistic(estimates, sizes, correlation)
        p_score = chi_squared_above(score, size - 1)
        if df < size - 1 or math.isnan(p_value) or p_score > p_value:
            chi_squared, df, p_value = score, size - 1, p_score
    return GroupTest(
        of=name, chi_squared=chi_squared, df=df, p_value=p_value, groups=size, left_out=left_out
    )


def _score_statistic(
    areas: FloatArray, sizes: Sequence[tuple[float, float]], correlation: FloatArray
) -> float:
    """Return χ² of equal areas with their variances at the common area.

    The common area is their mean, each weighted by the inverse of its variance, found in a few
    rounds; it is kept half an item away from 0 and 1, where there is no variance.
    """
    least = 0.5 / sum(min(both) for both in sizes)
    common = float(np.mean(areas))
    for _ in range(20):
        common = min(max(common, least), 1 - least)
        variances = np.array([hanley_variance(common, *both) for both in sizes])
        common = float((areas / variances).sum() / (1 / variances).sum())
    spread = np.sqrt(variances)
    return omnibus_of("auc", areas, correlation * np.outer(spread, spread)).statistic


def covariance_of(
    parts: Sequence[Part],
    influences: Sequence[Influence],
    errors: Sequence[float] | None = None,
) -> FloatArray:
    """Return the covariance of a number in the subgroups, over items or over clusters.

    Without clusters subgroups are independent. With them it is that of the influence functions,
    summed over the clusters. `errors` are the standard errors where they are known.
    """
    if errors is None:
        pairs = zip(parts, influences, strict=True)
        errors = [error_range(part[0], influence)[1] for part, influence in pairs]
    covariance = np.diag(np.square(errors))
    if any(units is None for _, units in parts):
        return covariance
    count = 1 + max(int(units.max()) for _, units in parts if units is not None)
    sums = []
    for (evidence, units), influence in zip(parts, influences, strict=True):
        each = contributions(evidence.need_items("Clusters"), influence)
        sums.append(np.bincount(units, each, count))  # type: ignore[arg-type]
    shared = np.array(sums) @ np.array(sums).T
    shared[np.diag_indices(len(sums))] = np.square(errors)
    return np.asarray(shared)


def contributions(items: Items, influence: Influence) -> FloatArray:
    """Return what each item adds to a number."""
    each: FloatArray = items.up * influence.up[items.rows]
    return each + items.right * influence.right[items.rows]


# -- the largest gap -------------------------------------------------------------------------------

_DRAWS = 20_000


def widest_gap(
    values: FloatArray,
    limits_at: Callable[[float], tuple[FloatArray, FloatArray]],
    correlation: FloatArray,
    level: float,
) -> Range:
    """Return the interval of max θ − min θ, from the limits of each θ at a normal quantile.

    The limits of a difference θᵢ − θⱼ follow from those of the two by MOVER (Zou & Donner 2008),
    with their correlation (Zou 2007).

    * Upper end: the largest of the upper limits over all pairs, each at the level 1 − α/2
      one-sided. A gap is at least δ only if some pair is; that is rejected if it is for each pair,
      and needs no correction (Berger 1982).
    * Lower end: 0 unless some pair differs at the level α over all pairs at once. Else the largest
      of the lower limits over those pairs that may be the widest, at α/2 over these at once. The
      pairs are those whose upper limit over all pairs reaches the largest lower one (Andrews &
      Soares 2010, for the selection).

    Quantiles over several pairs are those of the largest of correlated normal variables, from
    20,000 points spread evenly.
    """
    z, alpha = normal_quantile(0.5 + level / 2), 1 - level
    difference = values[:, None] - values[None, :]

    def reach(k: float) -> tuple[FloatArray, FloatArray]:
        """How far the limits of each difference lie below and above it."""
        lows, highs = limits_at(k)
        below, above = values - lows, highs - values
        return _mover(below, above, correlation), _mover(above, below, correlation)

    apart = ~np.eye(len(values), dtype=bool)
    lows, highs = limits_at(z)
    spread = (highs - lows) / (2 * z)
    high = float(np.max((difference + reach(z)[1])[apart]))
    all_pairs = _critical(spread, correlation, apart, level)
    far = reach(all_pairs)
    lowest = float(np.max((difference - far[0])[apart]))
    if not lowest > 0:
        return 0.0, high
    pairs = apart & (difference + far[1] >= lowest)
    own = min(_critical(spread, correlation, pairs, 1 - alpha / 2), all_pairs)
    return float(np.max((difference - reach(own)[0])[pairs])), high


def _mover(left: FloatArray, right: FloatArray, correlation: FloatArray) -> FloatArray:
    """Return √{a² + b² − 2r·a·b} for all pairs, a of the first and b of the second."""
    a, b = left[:, None], right[None, :]
    reach: FloatArray = np.sqrt(np.maximum(a * a + b * b - 2 * correlation * a * b, 0.0))
    return reach


def _critical(
    spread: FloatArray, correlation: FloatArray, pairs: np.ndarray, share: float
) -> float:
    """Return the quantile of the largest (eᵢ − eⱼ)/sᵢⱼ over some pairs, e normal."""
    scale = _mover(spread, spread, correlation)
    values, axes = np.linalg.eigh(correlation * np.outer(spread, spread))
    root = axes * np.sqrt(np.maximum(values, 0.0))
    drawn = _normal(len(spread)) @ root.T
    most = np.full(_DRAWS, -np.inf)
    for i, row in enumerate(pairs):
        for j in np.flatnonzero(row & (scale[i] > NOISE)):
            np.maximum(most, (drawn[:, i] - drawn[:, j]) / scale[i, j], out=most)
    found = float(np.quantile(most, share))
    return found if math.isfinite(found) else normal_quantile(share)


@functools.lru_cache(maxsize=4)
def _normal(size: int) -> FloatArray:
    """Return evenly spread normal variables: multiples of √prime (Richtmyer 1951), Box–Muller's.

    Quantiles of their range are within 0.01 of the exact ones, up to 60 variables.
    """
    primes: list[int] = []
    candidate = 2
    while len(primes) < size + size % 2:
        if all(candidate % prime for prime in primes):
            primes.append(candidate)
        candidate += 1
    uniform = np.maximum((np.arange(_DRAWS)[:, None] + 0.5) * np.sqrt(primes) % 1, NOISE)
    radius, angle = np.sqrt(-2 * np.log(uniform[:, 0::2])), 2 * np.pi * uniform[:, 1::2]
    both = np.concatenate((radius * np.cos(angle), radius * np.sin(angle)), axis=1)
    return np.asarray(both[:, :size])
