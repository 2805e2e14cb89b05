"""The options of an interval or a comparison, and the methods that suit which data."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocwalk.checks import as_number, one_of
from rocwalk.errors import Option, OptionError, Text
from rocwalk.inference.distributions import check_level, normal_quantile
from rocwalk.inference.resampling import Plan
from rocwalk.statistic import Statistic
from rocwalk.typing import IntArray

SCALES = ("plain", "logit", "log")


@dataclass(frozen=True, slots=True)
class Request:
    """A statistic, a confidence level, a method, and the plan of a resampling.

    Which methods exist depends on the function: `intervals.METHODS`, `differences.METHODS`. An
    interval may be asked for on a `scale`, or with `votes`, the number of votes behind the truth
    of each item; a comparison with a `margin`, the largest difference that does not matter.
    """

    statistic: Statistic
    level: float
    method: str
    plan: Plan
    scale: str | None = None
    votes: IntArray | None = None
    margin: float | None = None

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.scale is not None:
            one_of("scale", self.scale, SCALES)
        if self.margin is not None and not 0 <= as_number("margin", self.margin) < math.inf:
            raise OptionError(
                "is not a finite number of 0 or more.",
                "the margin is the largest difference that does not matter, such as 0.02.",
                option="margin",
                value=self.margin,
            )

    @property
    def z(self) -> float:
        """The normal quantile of the level: 1.96 for 0.95."""
        return normal_quantile(0.5 + self.level / 2)

    @property
    def tails(self) -> tuple[float, float]:
        """The probabilities at the two ends of the interval: 0.025 and 0.975 for 0.95."""
        return (1 - self.level) / 2, (1 + self.level) / 2


def closed_method(
    statistic: Statistic, *, hard: bool, clustered: bool, by_logarithm: bool = False
) -> str | None:
    """Return the name of the closed form for such data, or None if the statistic has none.

    `hard` says whether labels are hard and weights constant, `by_logarithm` whether a number that
    depends on the prevalence may be taken on the log scale.
    """
    if statistic.influence is None:
        return "influence" if by_logarithm and not clustered else None
    if clustered:
        return "jackknife"
    return "delong" if hard and statistic.is_area else "influence"


def refuse_unfit(request: Request, *, hard: bool, clustered: bool) -> None:
    """Raise if the method of a request does not suit the data or the statistic."""
    statistic, by_cluster = request.statistic, Option("cluster")
    delong = (
        statistic.is_area and hard and not clustered,
        "is for the AUC of hard labels with constant weights",
        "use 'influence' for soft truth and weights, 'jackknife' for clusters.",
    )
    known: dict[str, tuple[bool, str, Text]] = {
        "delong": delong,
        "delong-t": delong,
        "mover": (delong[0] or (statistic.limits is not None and not clustered), *delong[1:]),
        "jackknife": (clustered, "is for clusters", ("give ", by_cluster, ", or use 'auto'.")),
        "obuchowski": (
            clustered and hard,
            "is for clusters of hard labels",
            ("give ", by_cluster, ", or use 'influence'."),
        ),
        "newcombe": (statistic.is_area, "is for the AUC", "use 'auto'."),
        "half-sample": (statistic.of_hull, "is for numbers of the hull", "use 'auto'."),
        "permutation": (statistic.is_area, "is for the AUC", "use 'bootstrap' or 'auto'."),
        "wilson": (
            statistic.share is not None
            and not clustered
            and (statistic.threshold is not None or not statistic.points),
            "is for rates at a threshold and the prevalence, without clusters",
            "use 'auto' or a bootstrap.",
        ),
    }
    suits, words, hint = known.get(request.method, (True, "", ""))
    if not suits:
        raise OptionError(f"{words}.", hint, option="method", value=request.method)
