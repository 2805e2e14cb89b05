"""A difference between two numbers: its result, its tests, and its interval without spread.

Models on the same rows (`comparisons`) and separate samples (`samples`) share what follows from a
difference and its standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from rocwalk.errors import OptionError
from rocwalk.inference.closed_forms import hanley_variance
from rocwalk.inference.distributions import above, in_errors, p_words, quantile
from rocwalk.inference.influence import Influence, least_distance
from rocwalk.inference.intervals import bounds_words, interval_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import existing, quantiles, spread_of
from rocwalk.result import Result
from rocwalk.statistic import Statistic, words_of
from rocwalk.tally.tally import Tally, read_only
from rocwalk.typing import Bounds, FloatArray, Range

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLOSED = ("delong", "delong-t", "influence", "jackknife", "obuchowski")
METHODS = ("auto", *CLOSED, "bootstrap", "permutation")


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
        p_value = self.non_inferior_p_value
        return None if p_value is None else p_value < 1 - self.confidence_level

    @property
    def equivalent(self) -> bool | None:
        """Whether the two differ by less than the margin, at 1 − confidence level; None without."""
        p_value = self.equivalence_p_value
        return None if p_value is None else p_value < 1 - self.confidence_level

    @property
    def _label(self) -> str:
        """What is subtracted from what, such as "a − b"."""
        return "difference"

    @property
    def _chance(self) -> str:
        """The p-value in words."""
        return p_words(self.p_value)

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        level = f"{100 * self.confidence_level:g} %"
        buckets = "" if self.bounds is None else f", of buckets {bounds_words(self.bounds)}"
        return (
            f"{self._label}: difference in {words_of(self.statistic)} {self.difference:+.3f}, "
            f"{level} interval {self.low:+.3f} to {self.high:+.3f}, {self._chance} "
            f"({self.method}{buckets})."
        )

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the difference with its interval against none; a margin is shaded."""
        return plot_differences([self], ax, **options)

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

    def _short(self, *names: str, p_values: tuple[str, ...] = ("p_value",)) -> str:
        """Return the representation with some fields first."""
        first = [f"{name}={getattr(self, name)!r}" for name in names]
        numbers = [
            f"{name}={getattr(self, name):.6g}" for name in ("difference", "low", "high", *p_values)
        ]
        inside = ", ".join((*first, *numbers, f"method={self.method!r}"))
        return f"{type(self).__name__}({inside})"


def fields_of(found: Difference) -> dict[str, Any]:
    """Return the fields of a `Difference` by name, for a result that adds its own."""
    return {each.name: getattr(found, each.name) for each in fields(Difference)}


def plot_differences(found: Sequence[Difference], ax: Axes | None = None, **options: Any) -> Axes:
    """Draw differences of one statistic with their intervals, one row each."""
    from rocwalk.inference.plot import draw_forest

    first = found[0]
    level = f"{100 * first.confidence_level:g} %"
    words = f"difference in {words_of(first.statistic)}, {level} intervals"
    lines = [(one._label, one.difference, one.low, one.high) for one in found]  # noqa: SLF001
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

    @classmethod
    def from_parts(cls, up: FloatArray, right: FloatArray, counts: tuple[int, int]) -> Spread:
        """Return the spread of areas to whose covariance the classes add S₁₀/n⁺ and S₀₁/n⁻."""
        return cls(up * counts[0], right * counts[1], *counts)


def influence_of(statistic: Statistic) -> Callable[[Tally], Influence]:
    """Return the influence function of a statistic, or raise if it has none."""
    if statistic.influence is None:
        raise OptionError(
            f"There is no closed form for the error of {statistic.name}.",
            "use 'bootstrap' or 'auto'.",
        )
    return statistic.influence


def difference_of(
    request: Request,
    method: str,
    difference: float,
    error: float,
    *,
    limits: Range | None = None,
    df: float | None = None,
    z: float | None = None,
    p_value: float | None = None,
    failed: int = 0,
    bounds: Bounds | None = None,
    least_error: float = 0.0,
) -> Difference:
    """Return a difference with its interval and tests, from its standard error.

    The limits are difference ± quantile · error, z is difference / error, and p its two-sided
    tail, unless they are given; Student's with `df`, the normal's without. Non-inferiority is the
    one-sided test of difference ≤ −margin, equivalence two one-sided tests (Schuirmann 1987).

    Of a bucketed tally `bounds` are those of the difference, `error` is the most and `least_error`
    the least that the error can be: limits and p-values hold for every order inside the buckets.
    """
    lowest, _, highest = bounds or (difference,) * 3
    if limits is None:
        reach = quantile(request.tails[1], df) * error if error > 0 else 0.0
        limits = lowest - reach, highest + reach
    if z is None:
        nearest = difference if bounds is None else least_distance(lowest, highest)
        z = in_errors(nearest, error)
    if p_value is None:
        p_value = min(2 * above(abs(z), df), 1.0)

    def one_sided(distance: float) -> float:
        """A longer error raises p for a distance above 0, a shorter and the normal one below."""
        if bounds is None or distance >= 0:
            return above(in_errors(distance, error), df)
        return above(in_errors(distance, least_error), None)

    margins: dict[str, float] = {}
    if request.margin is not None:
        lower = one_sided(lowest + request.margin)
        upper = one_sided(request.margin - highest)
        margins = {
            "margin": float(request.margin),
            "non_inferior_p_value": lower,
            "equivalence_p_value": max(lower, upper),
        }
    largest = request.statistic.range[1] - request.statistic.range[0]
    return Difference(
        statistic=request.statistic.name,
        difference=difference,
        low=min(max(limits[0], -largest), largest),
        high=max(min(limits[1], largest), -largest),
        z=z,
        p_value=p_value,
        standard_error=error,
        method=method,
        confidence_level=float(request.level),
        df=df,
        n_resamples=int(request.plan.n_resamples) if method == "bootstrap" else None,
        failed=failed,
        bounds=bounds,
        **margins,
    )


def bootstrap_difference(request: Request, difference: float, values: FloatArray) -> Difference:
    """Return the percentile interval of replicates' differences, and the normal test."""
    kept = existing(values, request.statistic.name)
    low, high = quantiles(kept, request.tails)
    failed = len(values) - len(kept)
    return difference_of(
        request, "bootstrap", difference, spread_of(kept), limits=(low, high), failed=failed
    )


def newcombe_difference(one: Evidence, other: Evidence, request: Request) -> Difference:
    """Return the difference of two areas that show no spread, such as 1 and 1, or 1 and 0.

    The limits are Newcombe's, squared and added as if the areas were independent:
    Â₁ − Â₂ − √{(Â₁ − l₁)² + (u₂ − Â₂)²}, and likewise above (Donner & Zou 2012). z is
    (Â₁ − Â₂) / √(V₁ + V₂) with Hanley & McNeil's variances at the mean of the two areas; the
    standard error is half the interval's width over the quantile. Where buckets leave the areas
    open, each term is taken at its worst: Â₁ − l₁ is at most the highest Â₁ minus the lowest l₁.
    """
    alone = replace(request, method="newcombe")
    first, second = interval_of(one, alone), interval_of(other, alone)
    (low_1, _, high_1), (low_2, _, high_2) = (
        each.bounds or (each.estimate,) * 3 for each in (first, second)
    )
    low = low_1 - high_2 - math.hypot(high_1 - first.low, second.high - low_2)
    high = high_1 - low_2 + math.hypot(first.high - low_1, high_2 - second.low)
    difference = first.estimate - second.estimate
    exact = first.bounds is None and second.bounds is None
    bounds = None if exact else (low_1 - high_2, difference, high_1 - low_2)
    nearest = difference if exact else least_distance(low_1 - high_2, high_1 - low_2)
    mean = min(max((low_1 + low_2) / 2, 0.5), (high_1 + high_2) / 2)  # most variance
    variance = sum(hanley_variance(mean, *each.effective_sizes) for each in (one, other))
    return difference_of(
        request,
        "newcombe",
        difference,
        (high - low) / 2 / request.z,
        limits=(low, high),
        z=in_errors(nearest, math.sqrt(variance)),
        bounds=bounds,
    )
