"""An interval, what is asked of it, and how one is made from its ends (SPEC §9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocwalk.errors import OptionError, as_number, one_of
from rocwalk.inference.resampling import Plan
from rocwalk.result import Result
from rocwalk.statistic import Statistic
from rocwalk.typing import Bounds, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ANALYTIC = ("delong", "influence", "obuchowski", "newcombe", "wilson")


BOOTSTRAP = ("percentile", "basic", "bca")


METHODS = ("auto", *ANALYTIC, *BOOTSTRAP)


SCALES = ("plain", "logit")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Interval(Result):
    """A number with its interval, and how the interval was made.

    `bounds` are the lowest, the middle and the highest that the number may be where a tally is
    bucketed; the estimate is the middle, and the interval holds for every order inside the
    buckets. None where every score is known.
    """

    statistic: str
    estimate: float
    low: float
    high: float
    standard_error: float
    method: str
    confidence_level: float
    n_resamples: int | None = None
    failed: int = 0
    bounds: Bounds | None = None

    @property
    def sentence(self) -> str:
        """The interval in words."""
        level = f"{100 * self.confidence_level:g} %"
        buckets = "" if self.bounds is None else f", of buckets {bounds_words(self.bounds)}"
        return (
            f"{self.statistic} {self.estimate:.3f}, {level} interval {self.low:.3f} to "
            f"{self.high:.3f} ({self.method}{buckets})."
        )

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the estimate with its interval, as one line into `ax` or a new picture."""
        from rocwalk.inference.plot import draw_forest

        words = f"{100 * self.confidence_level:g} % interval ({self.method})"
        line = (self.statistic, self.estimate, self.low, self.high)
        return draw_forest([line], words, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "statistic": self.statistic,
            "estimate": self.estimate,
            "low": self.low,
            "high": self.high,
            "standard_error": self.standard_error,
            "method": self.method,
            "confidence_level": self.confidence_level,
            "n_resamples": self.n_resamples,
            "failed": self.failed or None,
            **({} if self.bounds is None else {"bounds": self.bounds}),
        }


def bounds_words(bounds: Bounds) -> str:
    """Say how far a number of buckets can be from the exact one.

    >>> bounds_words((0.7, 0.75, 0.8)), bounds_words((0.7, 0.7, 0.7))
    ('± 0.05', 'exact')
    """
    low, middle, high = bounds
    reach = max(high - middle, middle - low)
    return f"± {reach:.2g}" if reach > 0 else "exact"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for: statistic, level, method, scale, and the plan of a bootstrap."""

    statistic: Statistic
    level: float
    method: str
    scale: str | None
    plan: Plan
    votes: IntArray | None = None  # how many stand behind the truth of each item

    def __post_init__(self) -> None:
        check_level(self.level)
        one_of("method", self.method, METHODS)
        if self.scale is not None:
            one_of("scale", self.scale, SCALES)

    @property
    def z(self) -> float:
        """The normal quantile of the level."""
        return normal_quantile(0.5 + self.level / 2)


def check_level(level: float) -> float:
    """Raise unless the confidence level lies strictly between 0 and 1."""
    if not NOISE < as_number("confidence_level", level) < 1 - NOISE:
        raise OptionError(
            f"confidence_level={level!r} is outside (0, 1).", "0.95 means 95 percent."
        )
    return float(level)


NOISE = 1e-12  # an error of a share so small is rounding, not spread


def normal_quantile(probability: float) -> float:
    """Return Φ⁻¹."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def made(
    question: Question,
    estimate: float,
    ends: tuple[float, float],
    error: float,
    method: str,
    bounds: Bounds | None = None,
) -> Interval:
    """Return the interval, clipped to where the statistic can lie."""
    lowest, highest = question.statistic.range
    return Interval(
        statistic=question.statistic.name,
        estimate=estimate,
        low=min(max(ends[0], lowest), highest),
        high=max(min(ends[1], highest), lowest),
        standard_error=error,
        method=method,
        confidence_level=question.level,
        bounds=bounds,
    )


def p_words(p_value: float) -> str:
    """Write a p-value in a sentence; what floats cannot tell from 0 is not said to be 0.

    >>> p_words(0.0312), p_words(0.0)
    ('p = 0.031', 'p < 1e-300')
    """
    return f"p = {p_value:.2g}" if p_value != 0 else "p < 1e-300"
