"""An interval as a result, and intervals around an estimate with a standard error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocwalk.errors import (
    OptionError,
)
from rocwalk.inference.closed_forms import (
    log_limits,
    logit_limits,
    most_area_error,
    newcombe,
    without_rounding,
)
from rocwalk.inference.distributions import quantile, welch_degrees
from rocwalk.inference.influence import (
    Influence,
    mass_degrees,
    two_sample_ranges,
)
from rocwalk.inference.items import (
    Evidence,
)
from rocwalk.inference.jackknife import cluster_degrees
from rocwalk.inference.methods_words import interval_words, level_words, number_words
from rocwalk.inference.request import Request
from rocwalk.methods import Methods
from rocwalk.result import Result, estimated
from rocwalk.statistic import UNIT, words_of
from rocwalk.typing import (
    Bounds,
    Range,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Interval(Result):
    """A number with its interval, and how the interval was made.

    `bounds` are the lowest, the middle and the highest that the number may be where a tally is
    bucketed; the estimate is the middle, and the interval holds for every order inside the
    buckets. None where every score is known. `optimism` is by how much a number of the hull is
    estimated to be too high; the interval is one of the number without it. None for other numbers.
    `standard_error` is that of the method; "newcombe" inverts a test and has none of its own, so
    that it is half of the interval's width over the normal quantile.
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
    optimism: float | None = None

    @property
    def sentence(self) -> str:
        """The interval in words."""
        return self.sentence_of(words_of(self.statistic))

    def sentence_of(self, words: str) -> str:
        """Return the interval in words, with the number under this name."""
        buckets = "" if self.bounds is None else f", of buckets {bounds_words(self.bounds)}"
        number = estimated(self.estimate, self.low, self.high, self.confidence_level)
        return f"{words} {number} ({self.method}{buckets})."

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the estimate with its interval, as one line into `ax` or a new picture.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.inference.plot import draw_forest

        words = f"{100 * self.confidence_level:g} % interval ({self.method})"
        line = (words_of(self.statistic), self.estimate, self.low, self.high)
        return draw_forest([line], words, ax, **options)

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        words = number_words(self.statistic)
        by = interval_words(self.method, self.n_resamples)
        level = level_words(self.confidence_level)
        return Methods((f"The {level} confidence interval of the {words} uses {by}.",))

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
            **({} if self.optimism is None else {"optimism": self.optimism}),
        }


def bounds_words(bounds: Bounds) -> str:
    """Write how far a number of buckets can be from the exact one.

    >>> bounds_words((0.7, 0.75, 0.8)), bounds_words((0.7, 0.7, 0.7))
    ('± 0.05', 'exact')
    """
    low, middle, high = bounds
    reach = max(high - middle, middle - low)
    return f"± {reach:.2g}" if reach > 0 else "exact"


def made_interval(
    evidence: Evidence,
    request: Request,
    method: str,
    estimate: float,
    error: float,
    limits: Range,
    ends: Range | None = None,
) -> Interval:
    """Return the interval with its limits clipped to the range of the statistic.

    `ends` are those of the estimate where buckets leave it open, the estimate itself by default.
    """
    lowest, highest = request.statistic.range
    least, most = ends or (estimate, estimate)
    return Interval(
        statistic=request.statistic.name,
        estimate=estimate,
        low=min(max(limits[0], lowest), highest),
        high=max(min(limits[1], highest), lowest),
        standard_error=error,
        method=method,
        confidence_level=request.level,
        bounds=(least, estimate, most) if evidence.tally.is_bucketed else None,
    )


def around(
    evidence: Evidence,
    request: Request,
    method: str,
    estimate: float,
    error: float,
    influence: Influence | None = None,
    ends: Range | None = None,
) -> Interval:
    """Return estimate ± quantile · error, on the plain or on the logit scale.

    `ends` are those of the estimate where buckets leave it open, by default the influence's own;
    `error` is then the most it can be, and the interval the union of those of all estimates.

    The quantile is Student's with the number of clusters minus one, effective for the jackknife,
    with `mass_degrees` for soft or weighted items, or with Welch's degrees of freedom over
    the two classes; it is the normal's for an area on the plain scale, as in DeLong et al. (1988),
    and without an influence.
    """
    statistic, hard = request.statistic, evidence.even_weight is not None
    if ends is None:
        ends = (estimate, estimate) if influence is None else influence.ends
    scale = request.scale or (
        "plain"
        if request.method != "auto"
        else "logit"
        if statistic.is_area
        else "log"
        if statistic.by_logarithm
        else "plain"
    )
    if scale == "logit" and statistic.range != UNIT:
        raise OptionError(
            "is for numbers between 0 and 1.",
            "use 'plain', or leave it out.",
            option="scale",
            value=scale,
        )
    if scale == "log" and not statistic.by_logarithm:
        raise OptionError(
            "is for losses and for numbers of 0 or more without an upper limit.",
            "use 'plain', or leave it out.",
            option="scale",
            value=scale,
        )
    df: float | None = None
    if method == "jackknife":
        df = cluster_degrees(evidence.need_items("A jackknife"))
    elif evidence.cluster is not None:
        df = evidence.units - 1
    elif not hard or statistic.by_logarithm:
        df = evidence.mass_degrees if influence is None else mass_degrees(evidence, influence)
    elif influence is not None and not (statistic.is_area and scale == "plain"):
        df = welch_degrees(two_sample_ranges(evidence, influence), evidence.class_counts)
    factor = quantile(0.5 + request.level / 2, df)
    reach = factor * error
    limits = ends[0] - reach, ends[1] + reach
    if scale == "logit" and (0 < estimate < 1 or ends[0] < ends[1]):
        of_buckets = evidence.tally.is_bucketed and statistic.is_area
        counts = evidence.class_counts if hard else None
        steepest = factor * (most_area_error(counts) if of_buckets else math.inf)
        limits = logit_limits(ends, reach, steepest)
    elif scale == "log":
        limits = log_limits(ends, reach)
    return made_interval(evidence, request, f"{method}-{scale}", estimate, error, limits, ends)


def newcombe_interval(
    evidence: Evidence, request: Request, estimate: float, ends: Range | None = None
) -> Interval:
    """Return Newcombe's interval of an area; its standard error is half its width over z.

    The interval inverts a test whose variance depends on the area, so that no one error belongs to
    it; the error of the placements, which may be 0, does not.
    """
    sizes, estimate = evidence.effective_sizes, without_rounding(estimate)
    least, most = (without_rounding(end) for end in ends or (estimate, estimate))
    low, high = newcombe((least, most), sizes, request.z)
    error = (high - low) / (2 * request.z)
    return made_interval(evidence, request, "newcombe", estimate, error, (low, high), (least, most))
