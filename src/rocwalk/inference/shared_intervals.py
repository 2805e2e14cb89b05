"""The interval of a number from shared tallies: the errors of sampling, buckets and privacy noise.

* Sampling: that of the same number from the rows, estimated from the counts.
* Buckets: how far the order inside the buckets can move the number. A bound for plain counts; an
  estimate for noised ones.
* Privacy: the standard deviation that the noise adds. In closed form for the AUC; for other numbers
  the spread when the same noise is added once more.

The interval is that of the number with the errors of sampling and privacy in quadrature, around
every value that the buckets leave open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import OneClassError, OptionError, collecting, joined
from rocwalk.inference.closed_forms import logit_limits
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import evidence_from
from rocwalk.inference.request import Request
from rocwalk.methods import Methods
from rocwalk.statistic import value_of
from rocwalk.tally.sharing import SharedTally, placements, renoised
from rocwalk.typing import Range

_DRAWS = 200  # of the noise, where its effect has no closed form
_LINEAR = ("probabilistic_auc", "mean_score")  # that move by no more than the scores do


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SharedInterval(Interval):
    """A number from shared tallies with its interval, and the three errors that make it.

    `standard_error` is that of sampling and privacy noise together.
    """

    sampling_error: float
    bucket_error: float
    privacy_error: float

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        parts = ["of scores in buckets"] * (self.bucket_error > 0)
        parts += ["of the noise that was added for privacy"] * (self.privacy_error > 0)
        more = f"The interval includes the error {joined(parts)}." if parts else ""
        return Interval.methods(self) + Methods((more,) if more else ())

    @property
    def sentence(self) -> str:
        """The interval and its three errors in words."""
        noise = f", privacy noise {self.privacy_error:.2g}" if self.privacy_error else ""
        errors = f"sampling {self.sampling_error:.2g}, buckets ± {self.bucket_error:.2g}{noise}"
        whole = super(SharedInterval, self).sentence  # by name: slots make the class anew
        return f"{whole.removesuffix('.')}; errors: {errors}."

    def _headline(self) -> dict[str, Any]:
        names = ("sampling_error", "bucket_error", "privacy_error")
        errors = {name: getattr(self, name) for name in names}
        return super(SharedInterval, self)._headline() | errors


def shared_interval(shared: SharedTally, request: Request) -> SharedInterval:
    """Return the interval of a number of shared tallies."""
    if not (shared.total_up > 0 and shared.total_right > 0):
        missing = "positive" if not shared.total_up > 0 else "negative"
        raise OneClassError(
            f"has no {missing} items, so that there is no area.",
            "add up the tallies of all sites first.",
            subject="The shared tally",
        )
    statistic = request.statistic
    if statistic.needs_probabilities and statistic.name not in _LINEAR:
        raise OptionError(
            "needs the scores themselves, and a shared tally has buckets only.",
            "ask for 'auc', 'partial_auc', 'probabilistic_auc' or a rate at a threshold.",
            option="statistic",
            value=statistic.name,
        )
    if shared.is_noised and statistic.name == "auc":
        return _noised_area(shared, request)
    plain = interval_of(evidence_from(shared.tally(), None), request)
    privacy = _spread(shared, request) if shared.is_noised else 0.0
    slack = shared.score_error if statistic.name in _LINEAR else 0.0
    low, middle, high = plain.bounds or (plain.estimate,) * 3
    below, above = middle - low + slack, high - middle + slack
    arms = (middle - plain.low + slack, plain.high - middle + slack)
    least, most = statistic.range
    return SharedInterval(
        statistic=statistic.name,
        estimate=middle,
        low=max(middle - math.hypot(arms[0], request.z * privacy), least),
        high=min(middle + math.hypot(arms[1], request.z * privacy), most),
        standard_error=math.hypot(plain.standard_error, privacy),
        method=plain.method,
        confidence_level=request.level,
        bounds=(max(middle - below, least), middle, min(middle + above, most)),
        sampling_error=plain.standard_error,
        bucket_error=max(below, above),
        privacy_error=privacy,
    )


def _noised_area(shared: SharedTally, request: Request) -> SharedInterval:
    """Return the interval of the AUC of noised counts.

    The sampling error is DeLong's, from the counts as they are, on the logit scale.
    """
    area, slack, privacy = shared.area, shared.bucket_error, shared.privacy_error
    sizes = shared.total_up, shared.total_right
    squares = 0.0
    masses = (shared.up, shared.right)
    for placed, counts, size in zip(placements(shared), masses, sizes, strict=True):
        if size > 1:
            spread = float((placed - area) ** 2 @ counts) / (size - 1)
            squares += max(spread, 0.0) / size
    sampling = math.sqrt(squares)
    ends: Range = max(area - slack, 0.0), min(area + slack, 1.0)
    limits = logit_limits(ends, request.z * sampling, math.inf) if 0 < area < 1 else (0.0, 1.0)
    # the noise is symmetric on the plain scale, and the same at every area
    below, above = (math.hypot(area - end, request.z * privacy) for end in limits)
    return SharedInterval(
        statistic=request.statistic.name,
        estimate=area,
        low=max(area - below, 0.0),
        high=min(area + above, 1.0),
        standard_error=math.hypot(sampling, privacy),
        method="delong-logit",
        confidence_level=request.level,
        bounds=(ends[0], area, ends[1]),
        sampling_error=sampling,
        bucket_error=slack,
        privacy_error=privacy,
    )


def _spread(shared: SharedTally, request: Request) -> float:
    """Return the standard deviation of a number when the same noise is added once more."""
    statistic, rng = request.statistic, request.plan.generator()
    with collecting():
        values = [value_of(statistic, renoised(shared, rng).tally()) for _ in range(_DRAWS)]
    return float(np.std(values, ddof=1))
