"""A difference between two numbers: its result, its tests, and MOVER where items are few.

Models on the same rows (`comparisons`) and separate samples (`samples`) share what follows from a
difference and its standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from rocwalk.errors import OptionError
from rocwalk.inference.closed_forms import logit_limits, newcombe_low, without_rounding
from rocwalk.inference.distributions import NOISE, above, crossing, in_errors, p_words, quantile
from rocwalk.inference.influence import Influence, least_distance
from rocwalk.inference.interval_result import bounds_words
from rocwalk.inference.items import Evidence
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import existing, quantiles, spread_of
from rocwalk.result import Result, estimated
from rocwalk.statistic import Statistic, words_of
from rocwalk.tally.tally import Tally, read_only
from rocwalk.typing import Bounds, FloatArray, Range

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLOSED = ("delong", "delong-t", "mover", "influence", "jackknife", "obuchowski")
METHODS = ("auto", *CLOSED, "bootstrap", "permutation")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Difference(Result):
    """A difference with its interval and tests.

    `p_value` is two-sided, of no difference. With a margin, `non_inferior_p_value` is one-sided, of
    a first that is worse by the margin or more: difference ≤ −margin, or difference ≥ margin where
    lower is better; None for a statistic of which neither is. `equivalence_p_value` is the larger
    of the two one-sided ones. Where several pairs were tested, `non_inferior`, `equivalent` and
    the sentences follow the adjusted ones of the pair.
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
        """Whether the first is not worse by the margin, at 1 − confidence level; None without.

        Also None for a statistic of which neither higher nor lower is better.
        """
        p_value = self._margin_p_values[0]
        return None if p_value is None else p_value < 1 - self.confidence_level

    @property
    def equivalent(self) -> bool | None:
        """Whether the two differ by less than the margin, at 1 − confidence level; None without."""
        p_value = self._margin_p_values[1]
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
    def _margin_p_values(self) -> tuple[float | None, float | None]:
        """The p-values of non-inferiority and of equivalence that decide."""
        return self.non_inferior_p_value, self.equivalence_p_value

    def _deciding(self, p_value: float) -> str:
        """Return a p-value that decides in words."""
        return p_words(p_value)

    @property
    def margin_sentence(self) -> str | None:
        """What is found against the margin, in words; None without one.

        What is not found is no proof of the contrary, and the sentence says so.
        """
        one_sided, two_one_sided = self._margin_p_values
        if self.margin is None or two_one_sided is None:
            return None
        margin = f"{self.margin:g}"
        if math.isnan(two_one_sided):
            return f"Whether the two differ by less than {margin} cannot be tested."
        alike = self._deciding(two_one_sided)
        if self.equivalent:
            return f"Equivalent: the two differ by less than {margin} ({alike})."
        rest = f"that the two differ by less than {margin} is not shown ({alike})."
        if one_sided is None:
            return rest.capitalize()
        worse = self._deciding(one_sided)
        if self.non_inferior:
            return f"Not inferior: the first is not worse by {margin} ({worse}); {rest}"
        return f"Non-inferiority within {margin} is not shown ({worse}); {rest}"

    @property
    def sentence(self) -> str:
        """The comparison in words, and what is found against a margin."""
        buckets = "" if self.bounds is None else f", of buckets {bounds_words(self.bounds)}"
        number = estimated(self.difference, self.low, self.high, self.confidence_level, "+.3f")
        found = (
            f"{self._label}: difference in {words_of(self.statistic)} {number}, {self._chance} "
            f"({self.method}{buckets})."
        )
        return found if self.margin_sentence is None else f"{found} {self.margin_sentence}"

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the difference with its interval against none; a margin is shaded.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
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
    one_sided: Range | None = None,
) -> Difference:
    """Return a difference with its interval and tests, from its standard error.

    The limits are difference ± quantile · error, z is difference / error, and p its two-sided
    tail, unless they are given; Student's with `df`, the normal's without. Non-inferiority is the
    one-sided test of a first that is worse by the margin, difference ≤ −margin, or ≥ margin where
    lower is better; equivalence is two one-sided tests (Schuirmann 1987);
    `one_sided` are the p-values of difference ≤ −margin and of difference ≥ margin, if given.

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

    def tail(distance: float) -> float:
        """A longer error raises p for a distance above 0, a shorter and the normal one below."""
        if bounds is None or distance >= 0:
            return above(in_errors(distance, error), df)
        return above(in_errors(distance, least_error), None)

    margins: dict[str, float | None] = {}
    if request.margin is not None:
        distances = lowest + request.margin, request.margin - highest
        lower, upper = one_sided or map(tail, distances)
        worse = {"lower": upper, None: None}.get(request.statistic.direction, lower)
        margins = {
            "margin": float(request.margin),
            "non_inferior_p_value": worse,
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


def union_of(found: Difference, other: Difference) -> Difference:
    """Return the conservative union of two tests: the wider interval, the larger p-values."""

    def larger(name: str) -> Any:
        held = getattr(found, name), getattr(other, name)
        return None if None in held else max(held)

    return replace(
        found,
        low=min(found.low, other.low),
        high=max(found.high, other.high),
        z=min(found.z, other.z, key=abs),
        **{name: larger(name) for name in ("p_value", "standard_error", *_ONE_SIDED)},
    )


_ONE_SIDED = ("non_inferior_p_value", "equivalence_p_value")


@dataclass(frozen=True, slots=True)
class Area:
    """An area, between two ends where buckets leave it open, and what its limits follow from.

    They are symmetric on the logit scale if there is an `error`, else Newcombe's. With `df` the
    quantile k is the normal's, and the error that of Student's with the same tail.
    """

    ends: Range
    sizes: tuple[float, float]
    error: float = 0.0
    df: float | None = None

    @classmethod
    def of(
        cls, ends: Range, sizes: tuple[float, float], error: float = 0.0, df: float | None = None
    ) -> Area:
        """Return an area whose ends are 0 or 1 where they differ from it by rounding only."""
        return cls((without_rounding(ends[0]), without_rounding(ends[1])), sizes, error, df)

    def low(self, k: float) -> float:
        """Return the lower limit, k errors away."""
        if not self.error > NOISE:
            return newcombe_low(self.ends[0], self.sizes, k)
        errors = k if self.df is None else -quantile(above(k, None), self.df)
        return logit_limits(self.ends, errors * self.error, math.inf)[0]

    @property
    def mirrored(self) -> Area:
        """1 minus the area: its upper limit is 1 minus the lower one of this."""
        return replace(self, ends=(1 - self.ends[1], 1 - self.ends[0]))


@dataclass(frozen=True, slots=True)
class Point:
    """A number at a point of the curve with limits in closed form, as `Area` for MOVER."""

    statistic: Statistic
    evidence: Evidence
    sign: float = 1.0

    @property
    def ends(self) -> Range:
        """The number, twice."""
        value = self.sign * float(self.statistic.of(self.evidence.tally))
        return value, value

    def low(self, k: float) -> float:
        """Return the lower limit, k errors away."""
        assert self.statistic.limits is not None
        low, high = self.statistic.limits(self.evidence, k).limits
        return float(low if self.sign > 0 else -high)

    @property
    def mirrored(self) -> Point:
        """The number with its sign changed."""
        return replace(self, sign=-self.sign)


def mover_reach(
    upper: Area | Point,
    lower: Area | Point,
    k: float,
    correlation: float = 0.0,
    error: float = 0.0,
) -> float:
    """Return how far below upper − lower its limit lies, at the quantile k: at least k · `error`.

    √{a² + b² − 2r·a·b} with a = Â₁ − l₁ and b = u₂ − Â₂ (Zou 2007).
    """
    a, b = (each.ends[1] - each.low(k) for each in (upper, lower.mirrored))
    return max(k * error, math.sqrt(max(a * a + b * b - 2 * correlation * a * b, 0.0)))


def mover_difference(
    request: Request,
    one: Area | Point,
    other: Area | Point,
    *,
    difference: float,
    correlation: float = 0.0,
    error: float = 0.0,
    df: float | None = None,
    bounds: Bounds | None = None,
) -> Difference:
    """Return the difference of two areas by the method of variance estimates recovery (MOVER).

    From the limits l and u of each area at the same quantile k (Zou & Donner 2008; Zou 2007 for a
    correlation r of the estimates), the lower limit is
    Â₁ − Â₂ − √{(Â₁ − l₁)² + (u₂ − Â₂)² − 2r(Â₁ − l₁)(u₂ − Â₂)}, and likewise above; never nearer to
    the difference than k · `error`. A p-value is the tail of the k at which the limit reaches the
    hypothesis, so that it is below 1 − level if and only if the interval excludes it. The standard
    error is half the interval's width over k.

    Where buckets leave the areas open, each term is taken at its worst: Â₁ − l₁ is at most the
    highest Â₁ minus the lowest l₁.
    """
    k = quantile(request.tails[1], df)

    def reach(upper: Area | Point, lower: Area | Point, k: float) -> float:
        return mover_reach(upper, lower, k, correlation, error)

    def errors_away(distance: float, upper: Area | Point, lower: Area | Point) -> float:
        """The k at which a limit is as far away as the distance, 0 if it never is less far.

        The search starts from the k of the level, so that p and interval agree in any case: with a
        strong correlation the limits of a higher level may lie a little nearer.
        """
        inside, outside = 0.0, k
        if reach(upper, lower, inside) >= distance:
            return inside
        while reach(upper, lower, outside) < distance:
            inside, outside = outside, 2 * outside
            if outside > _FARTHEST:
                return math.inf
        return crossing(lambda at: reach(upper, lower, at) - distance, inside, outside)

    def tail(distance: float, upper: Area | Point, lower: Area | Point) -> float:
        """The p-value of upper − lower ≤ −margin, at this distance above −margin."""
        if distance < 0 and bounds is not None:
            return 1.0
        if distance < 0:
            return 1.0 - above(errors_away(-distance, lower, upper), df)
        return above(errors_away(distance, upper, lower), df)

    lowest, _, highest = bounds or (difference,) * 3
    limits = lowest - reach(one, other, k), highest + reach(other, one, k)
    z = 0.0
    if lowest > 0:
        z = errors_away(lowest, one, other)
    elif highest < 0:
        z = -errors_away(-highest, other, one)
    margin = request.margin
    return difference_of(
        request,
        "mover",
        difference,
        (limits[1] - limits[0]) / (2 * k),
        limits=limits,
        df=df,
        z=z,
        bounds=bounds,
        one_sided=None
        if margin is None
        else (tail(lowest + margin, one, other), tail(margin - highest, other, one)),
    )


_FARTHEST = 1e12  # errors; further away every p-value is 0


def mover_of_samples(
    request: Request,
    one: Area | Point,
    other: Area | Point,
    estimates: Range,
    *,
    is_bucketed: bool = False,
) -> Difference:
    """Return MOVER's difference of areas, or of numbers at a point, in separate samples.

    Also for numbers on the same rows that show no spread, such as 1 and 1, or 1 and 0: as if they
    were independent.
    """
    difference = without_rounding(estimates[0]) - without_rounding(estimates[1])
    (low_1, high_1), (low_2, high_2) = one.ends, other.ends
    bounds = (low_1 - high_2, difference, high_1 - low_2) if is_bucketed else None
    return mover_difference(request, one, other, difference=difference, bounds=bounds)
