"""The interval of a number from shared tallies: the errors of sampling, buckets and privacy noise.

* Sampling: that of the same number from the rows, estimated from the counts.
* Buckets: how far the order inside the buckets, and the scores there, can move the number. A bound
  for plain counts; an estimate for noised ones.
* Privacy: the standard deviation that the noise adds, to first order: √Σ_b v_b·(ψ⁺_b² + ψ⁻_b²),
  with v_b the variance of the noise in a count and ψ the derivative of the number by that count.

The errors of sampling and privacy add in quadrature, because they are independent, and that of the
buckets is added to both: the interval holds for every value that the buckets leave open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import OneClassError, OptionError, collecting
from rocwalk.inference.closed_forms import logit_limits
from rocwalk.inference.influence import Influence, noise_variance_of
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import Evidence, evidence_from
from rocwalk.inference.request import Request
from rocwalk.methods import Methods
from rocwalk.statistic import Statistic
from rocwalk.tally.sharing import SharedTally, placements
from rocwalk.tally.tally import Tally
from rocwalk.texts import joined
from rocwalk.typing import FloatArray, Range

_STEP = 1e-5  # of all items, by which a count is changed for a derivative


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
    if shared.is_noised and not (shared.total_up > 0 and shared.total_right > 0):
        raise OneClassError(
            f"has {shared.total_up:,} positives and {shared.total_right:,} negatives: the noise is "
            "larger than the counts.",
            "add up more sites, or agree on fewer buckets or a larger epsilon.",
            subject="The shared tally",
        )
    if not (shared.total_up > 0 and shared.total_right > 0):
        missing = "positive" if not shared.total_up > 0 else "negative"
        raise OneClassError(
            f"has no {missing} items, so that there is no area.",
            "add up the tallies of all sites first.",
            subject="The shared tally",
        )
    if shared.is_noised and request.statistic.name == "auc":
        return _noised_area(shared, request)
    found = interval_of(evidence_from(shared.tally(), None), request)
    return found if isinstance(found, SharedInterval) else _with_noise(found, 0.0, request)


def noised_interval(evidence: Evidence, request: Request) -> SharedInterval:
    """Return the interval of a number of a tally whose counts have noise."""
    tally = evidence.tally
    quiet = replace(tally, stored={**tally.stored, "noise": np.zeros(len(tally))})
    plain = interval_of(replace(evidence, tally=quiet), request)
    return _with_noise(plain, privacy_error(request.statistic, tally), request)


def refuse_unknown(statistic: Statistic) -> None:
    """Raise if a number needs more of the scores than a shared tally knows."""
    if statistic.is_odds:
        raise OptionError(
            "needs the sums of the scores, and a shared tally has buckets only.",
            "ask for 'auc', 'probabilistic_auc', 'brier', 'expected_observed' or a rate at a "
            "threshold.",
            option="statistic",
            value=statistic.name,
        )


def privacy_error(statistic: Statistic, tally: Tally) -> float:
    """Return the standard deviation that the noise of a tally's counts adds to a number."""
    if statistic.influence is not None:
        return math.sqrt(noise_variance_of(tally, statistic.influence(tally)))
    if statistic.estimate is not None:
        return math.sqrt(noise_variance_of(tally, statistic.estimate(tally).influence))
    step = _STEP * float(tally.total_up + tally.total_right)
    up, right = tally.up.astype(np.float64), tally.right.astype(np.float64)
    value = _value_with(statistic, tally.scores, up, right)
    slopes = np.empty((2, len(tally)))
    for row in range(len(tally)):
        more = np.zeros(len(tally))
        more[row] = step
        slopes[0, row] = _value_with(statistic, tally.scores, up + more, right) - value
        slopes[1, row] = _value_with(statistic, tally.scores, up, right + more) - value
    slopes /= step
    return math.sqrt(noise_variance_of(tally, Influence(value, slopes[0], slopes[1])))


def _value_with(
    statistic: Statistic, scores: FloatArray, up: FloatArray, right: FloatArray
) -> float:
    with collecting():  # what is undefined is NaN
        return float(statistic.of(Tally(scores, up, right)))


def _with_noise(plain: Interval, privacy: float, request: Request) -> SharedInterval:
    """Return an interval of sampling and buckets with the error of the noise added."""
    least, middle, most = plain.bounds or (plain.estimate,) * 3
    reach = request.z * privacy
    lowest, highest = request.statistic.range
    return SharedInterval(
        statistic=plain.statistic,
        estimate=plain.estimate,
        low=max(least - math.hypot(max(least - plain.low, 0.0), reach), lowest),
        high=min(most + math.hypot(max(plain.high - most, 0.0), reach), highest),
        standard_error=math.hypot(plain.standard_error, privacy),
        method=plain.method,
        confidence_level=request.level,
        bounds=(least, middle, most),
        sampling_error=plain.standard_error,
        bucket_error=max(middle - least, most - middle),
        privacy_error=privacy,
    )


def _noised_area(shared: SharedTally, request: Request) -> SharedInterval:
    """Return the interval of the AUC of noised counts, from the whole grid.

    The sampling error is DeLong's, from the counts as they are, on the logit scale.
    """
    area, slack = shared.area, shared.bucket_error
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
    plain = Interval(
        statistic=request.statistic.name,
        estimate=area,
        low=limits[0],
        high=limits[1],
        standard_error=sampling,
        method="delong-logit",
        confidence_level=request.level,
        bounds=(ends[0], area, ends[1]),
    )
    # the noise is symmetric on the plain scale, and the same at every area
    return _with_noise(plain, shared.privacy_error, request)
