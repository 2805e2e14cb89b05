"""A difference between two numbers: its interval, its tests, and what is asked of it (SPEC §9)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import OneClassError, OptionError, as_number, one_of
from rocwalk.inference.closed_forms import effective_sizes, hanley_variance
from rocwalk.inference.influence import Influence, Range, least_distance
from rocwalk.inference.interval import (
    NOISE,
    Question,
    bounds_words,
    check_level,
    normal_quantile,
    p_words,
)
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.resampling import Plan, quantiles, spread_of
from rocwalk.result import Result
from rocwalk.statistic import Statistic
from rocwalk.tally.tally import Tally, read_only
from rocwalk.typing import Bounds, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLOSED = ("delong", "delong-t", "influence", "obuchowski")


METHODS = ("auto", *CLOSED, "bootstrap", "permutation")


# -- what is asked -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: statistic, level, method, margin, and the plan of a resampling."""

    statistic: Statistic
    level: float
    method: str
    margin: float | None
    plan: Plan

    def __post_init__(self) -> None:
        check_level(self.level)
        one_of("method", self.method, METHODS)
        if self.margin is not None and not 0 <= as_number("margin", self.margin) < math.inf:
            raise OptionError(
                f"margin={self.margin!r} is not a finite number of 0 or more.",
                "the margin is the largest difference that does not matter, such as 0.02.",
            )

    @property
    def tails(self) -> tuple[float, float]:
        """The shares of a distribution at the two ends of the interval."""
        return (1 - self.level) / 2, (1 + self.level) / 2

    def clipped(self, low: float, high: float) -> tuple[float, float]:
        """Return the ends within the range that the statistic's own range implies."""
        lowest, highest = self.statistic.range
        reach = highest - lowest
        return min(max(low, -reach), reach), max(min(high, reach), -reach)


def closed_method(statistic: Statistic, *, hard: bool, clustered: bool) -> str | None:
    """Return the name of the closed form for such data, or None if the statistic has none."""
    if statistic.influence is None:
        return None
    if clustered:
        return "obuchowski" if hard else "influence"
    return "delong" if hard and statistic.is_area else "influence"


def refuse_unfit(request: Request, *, hard: bool, clustered: bool) -> None:
    """Raise where a method is no method for these data or this statistic."""
    statistic, method = request.statistic, request.method
    area = statistic.is_area
    if method in CLOSED:
        influence_of(statistic)
    delong = (
        not area or not hard or clustered,
        "is for the AUC of hard labels with constant weights",
        "use 'influence' for soft truth and weights, 'obuchowski' for clusters.",
    )
    unfit, words, hint = {
        "delong": delong,
        "delong-t": delong,
        "obuchowski": (
            not clustered or not hard,
            "is for clusters of hard labels",
            "give cluster=, or use 'influence'.",
        ),
        "permutation": (not area, "is for the AUC", "use 'bootstrap' or 'auto'."),
    }.get(method, (False, "", ""))
    if unfit:
        raise OptionError(f"method={method!r} {words}.", hint)


def influence_of(statistic: Statistic) -> Callable[[Tally], Influence]:
    """Return the function that gives ψ, or raise if the statistic has none."""
    if statistic.influence is None:
        raise OptionError(
            f"There is no closed form for the error of {statistic.name}.",
            "use 'bootstrap' or 'auto'.",
        )
    return statistic.influence


# -- the result -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Difference(Result):
    """A difference with its interval and tests.

    `p_value` is two-sided, of no difference. With a margin, `non_inferior_p_value` is one-sided, of
    difference ≤ −margin, and `equivalence_p_value` is the larger of the two one-sided ones, of a
    difference as large as the margin either way. These two are not adjusted for several pairs.
    `bounds` are the lowest, the middle and the highest difference where a tally is bucketed: the
    interval then holds, and the p-values are the largest, for every order inside the buckets.
    """

    statistic: str
    difference: float
    low: float
    high: float
    z: float
    p_value: float
    standard_error: float
    method: str
    confidence_level: float
    df: float | None = None
    margin: float | None = None
    non_inferior_p_value: float | None = None
    equivalence_p_value: float | None = None
    n_resamples: int | None = None
    failed: int = 0
    bounds: Bounds | None = None

    @property
    def non_inferior(self) -> bool | None:
        """Whether the first is not worse by the margin, at 1 − confidence level; None without."""
        return self._below(self.non_inferior_p_value)

    @property
    def equivalent(self) -> bool | None:
        """Whether the two differ by less than the margin, at 1 − confidence level; None without."""
        return self._below(self.equivalence_p_value)

    def _below(self, p_value: float | None) -> bool | None:
        return None if p_value is None else p_value < 1 - self.confidence_level

    def _tests(self) -> dict[str, Any]:
        return {
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "z": self.z,
            "p_value": self.p_value,
            "standard_error": self.standard_error,
            "method": self.method,
            "df": self.df,
            **({} if self.bounds is None else {"bounds": self.bounds}),
        }

    def _margins(self) -> dict[str, Any]:
        return {
            "margin": self.margin,
            "non_inferior_p_value": self.non_inferior_p_value,
            "equivalence_p_value": self.equivalence_p_value,
            "non_inferior": self.non_inferior,
            "equivalent": self.equivalent,
        }

    @property
    def _name(self) -> str:
        """What the difference is between, in a picture."""
        return "difference"

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the difference with its interval against none; a margin is shaded."""
        return plot_differences([self], ax, **options)

    def _words(self) -> str:
        level = f"{100 * self.confidence_level:g} %"
        buckets = "" if self.bounds is None else f", of buckets {bounds_words(self.bounds)}"
        return (
            f"difference in {self.statistic} {self.difference:+.3f}, {level} interval "
            f"{self.low:+.3f} to {self.high:+.3f}, {p_words(self.p_value)} "
            f"({self.method}{buckets})."
        )


def plot_differences(found: Sequence[Difference], ax: Axes | None = None, **options: Any) -> Axes:
    """Draw differences of one statistic with their intervals, one row each."""
    from rocwalk.inference.plot import draw_forest

    first = found[0]
    words = f"difference in {first.statistic}, {100 * first.confidence_level:g} % intervals"
    lines = [(one._name, one.difference, one.low, one.high) for one in found]  # noqa: SLF001
    return draw_forest(lines, words, ax, no_effect=0.0, margin=first.margin, **options)


@dataclass(frozen=True, eq=False)
class Spread:
    """DeLong's S₁₀ and S₀₁: covariances of the placements of one positive and one negative.

    The covariance of the areas is positives/n⁺ + negatives/n⁻; so a pilot tells what other numbers
    of items would give.
    """

    positives: FloatArray
    negatives: FloatArray
    n_positives: int
    n_negatives: int

    def __post_init__(self) -> None:
        for name in ("positives", "negatives"):
            object.__setattr__(self, name, read_only(getattr(self, name)))


# -- from a difference and its error to a test ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gap:
    """A difference, its standard error and its ends; `df` for Student's distribution.

    `z` and `p_value` are given where they do not follow from the standard error. `bounds` are
    those of the difference where a tally is bucketed, `least_error` the least its error can be.
    """

    difference: float
    standard_error: float
    low: float
    high: float
    method: str
    df: float | None = None
    z: float | None = None
    p_value: float | None = None
    failed: int = 0
    bounds: Bounds | None = None
    least_error: float = 0.0

    @property
    def ends(self) -> Range:
        """The lowest and the highest difference; equal unless bucketed."""
        low, _, high = self.bounds or (self.difference,) * 3
        return low, high

    @property
    def in_errors(self) -> float:
        """The difference in standard errors; of buckets the one nearest to none."""
        if self.z is not None:
            return self.z
        nearest = self.difference if self.bounds is None else least_distance(*self.ends)
        return in_errors(nearest, self.standard_error)

    @property
    def chance(self) -> float:
        """The two-sided p-value of no difference."""
        if self.p_value is not None:
            return self.p_value
        return min(2 * above(abs(self.in_errors), self.df), 1.0)


def in_errors(distance: float, error: float) -> float:
    """Return distance / error; 0 for no distance, infinite for a distance without error.

    A distance and an error that are both rounding are none. NaN stays NaN.

    >>> in_errors(0.0, 0.0), in_errors(-0.1, 0.0), in_errors(0.3, 0.1) > 2.9
    (0.0, -inf, True)
    """
    if math.isnan(distance) or math.isnan(error):
        return math.nan
    if distance == 0 or (abs(distance) <= NOISE and error <= NOISE):
        return 0.0
    return distance / error if error > 0 else math.copysign(math.inf, distance)


def above(z: float, df: float | None) -> float:
    """Return the probability of more than z: normal, or Student's with df."""
    from scipy.special import ndtr, stdtr

    return float(ndtr(-z)) if df is None else float(stdtr(df, -z))


def quantile(share: float, df: float | None) -> float:
    """Return the quantile of the normal, or of Student's distribution with df."""
    if df is None:
        return normal_quantile(share)
    from scipy.special import stdtrit

    return float(stdtrit(df, share))


def plain_gap(
    difference: float,
    error: float,
    request: Request,
    method: str,
    df: float | None = None,
    bounds: Bounds | None = None,
) -> Gap:
    """Return difference ± quantile · error; of buckets from the lowest to the highest."""
    reach = quantile(request.tails[1], df) * error if error > 0 else 0.0
    low, _, high = bounds or (difference,) * 3
    ends = request.clipped(low - reach, high + reach)
    return Gap(difference, error, *ends, method, df, bounds=bounds)


def tests_of(gap: Gap, request: Request) -> dict[str, Any]:
    """Return everything that a `Difference` holds."""
    resampled = gap.method in ("bootstrap", "permutation")
    return {
        "statistic": request.statistic.name,
        "difference": gap.difference,
        "low": gap.low,
        "high": gap.high,
        "z": gap.in_errors,
        "p_value": gap.chance,
        "standard_error": gap.standard_error,
        "method": gap.method,
        "confidence_level": float(request.level),
        "df": gap.df,
        "n_resamples": int(request.plan.n_resamples) if resampled else None,
        "failed": gap.failed,
        "bounds": gap.bounds,
        **_against_margin(gap, request.margin),
    }


def _against_margin(gap: Gap, margin: float | None) -> dict[str, float]:
    """Return the one-sided p-values of difference ≤ −margin, and of |difference| ≥ margin."""
    if margin is None:
        return {}
    lower = _one_sided(gap, gap.ends[0] + margin)
    upper = _one_sided(gap, margin - gap.ends[1])
    return {
        "margin": float(margin),
        "non_inferior_p_value": lower,
        "equivalence_p_value": max(lower, upper),
    }


def _one_sided(gap: Gap, distance: float) -> float:
    """Return the chance of more than a distance; of buckets the most that it can be.

    A longer error makes it greater for a distance above 0, and a shorter one for one below 0; and
    then the normal has more than Student's distribution.
    """
    if gap.bounds is None or distance >= 0:
        return above(in_errors(distance, gap.standard_error), gap.df)
    return above(in_errors(distance, gap.least_error), None)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values (1979): the running maximum of (m − i)·p₍ᵢ₎, at most 1.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return [float(value) for value in adjusted]


def welch(variances: Sequence[float], counts: Sequence[float]) -> float | None:
    """Return Welch and Satterthwaite's degrees of freedom (Σv)² / Σ v²/(n − 1); None if v is 0."""
    below = sum(v**2 / (n - 1) for v, n in zip(variances, counts, strict=True))
    return sum(variances) ** 2 / below if below > 0 else None


# -- resampling -----------------------------------------------------------------------------------


def bootstrap_gap(difference: float, values: FloatArray, request: Request, method: str) -> Gap:
    """Return the percentile interval and the standard error of differences of replicates."""
    kept = values[~np.isnan(values)]
    if len(kept) < 2:
        raise OneClassError(
            f"{request.statistic.name} exists in fewer than two replicates.",
            "there are too few items of one class for a bootstrap, or n_resamples is too small.",
        )
    low, high = request.clipped(*quantiles(kept, request.tails))
    error = spread_of(kept)
    return Gap(difference, error, low, high, method, failed=len(values) - len(kept))


def plans(plan: Plan, count: int) -> list[Plan]:
    """Return so many plans with seeds of their own, that report their progress as one."""
    seeds = plan.generator().bit_generator.seed_seq.spawn(count)  # type: ignore[attr-defined]
    return [
        replace(plan, rng=seed, progress=_share_of(plan, k, count)) for k, seed in enumerate(seeds)
    ]


def _share_of(plan: Plan, k: int, count: int) -> Callable[[int, int], None] | None:
    told = plan.progress
    if told is None:
        return None
    return lambda done, whole: told(k * whole + done, count * whole)


# -- areas without spread -------------------------------------------------------------------------


def newcombe_gap(one: Evidence, other: Evidence, request: Request) -> Gap:
    """Return the difference of two areas that show no spread, such as 1 and 1, or 1 and 0.

    The ends are Newcombe's, squared and added as if the areas were independent:
    Â₁ − Â₂ − √{(Â₁ − l₁)² + (u₂ − Â₂)²}, and likewise above (Donner & Zou 2012). z is
    (Â₁ − Â₂) / √(V₁ + V₂) with Hanley & McNeil's variances at the mean of the two areas; the
    standard error is half the interval's width over the quantile. Where buckets leave the areas
    open, each of these is taken at its worst: Â₁ − l₁ is at most the highest Â₁ less the lowest l₁.
    """
    question = Question(request.statistic, request.level, "newcombe", None, request.plan)
    first, second = interval_of(one, question), interval_of(other, question)
    (low_1, _, high_1), (low_2, _, high_2) = (
        each.bounds or (each.estimate,) * 3 for each in (first, second)
    )
    gap = first.estimate - second.estimate
    low = low_1 - high_2 - math.hypot(high_1 - first.low, second.high - low_2)
    high = high_1 - low_2 + math.hypot(first.high - low_1, high_2 - second.low)
    mean = min(max((low_1 + low_2) / 2, 0.5), (high_1 + high_2) / 2)  # most variance
    variance = sum(hanley_variance(mean, *effective_sizes(each)) for each in (one, other))
    error = (high - low) / 2 / question.z
    ends = request.clipped(low, high)
    bounds = (low_1 - high_2, gap, high_1 - low_2)
    exact = first.bounds is None and second.bounds is None
    nearest = gap if exact else least_distance(bounds[0], bounds[2])
    z = in_errors(nearest, math.sqrt(variance))
    return Gap(gap, error, *ends, "newcombe", z=z, bounds=None if exact else bounds)
