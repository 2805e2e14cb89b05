"""Calibration from shared tallies: groups of buckets, and the share of positives in each.

The scores inside a bucket are not known, so there is no curve through them. What is known is the
range of the scores of a group and the share of positives that was observed in it; a model that
means its scores has a share inside the range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import as_whole
from rocwalk.errors import OptionError
from rocwalk.inference.closed_forms import wilson
from rocwalk.inference.distributions import check_level
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan
from rocwalk.inference.shared_intervals import SharedInterval, shared_interval
from rocwalk.result import Result
from rocwalk.statistic import statistic_of
from rocwalk.tally.sharing import SharedTally
from rocwalk.tally.tally import read_only, refuse_other_scores
from rocwalk.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class SharedCalibration(Result):
    """The calibration of the scores of shared tallies; from `rocwalk.shared_calibration`.

    Attributes
    ----------
    lowest, highest
        The ends of each group's scores, lowest scores first.
    items, positives
        The counts of each group, with their noise.
    share, low, high
        The share of positives that was observed, and its interval: sampling (Wilson) and privacy
        noise together, for each group by itself.
    expected_observed
        The sum of the scores over the number of positives, with its interval. The scores are known
        to their buckets only, which its bucket error says.
    brier
        The Brier score, likewise.
    """

    lowest: FloatArray
    highest: FloatArray
    items: IntArray
    positives: IntArray
    share: FloatArray
    low: FloatArray
    high: FloatArray
    expected_observed: SharedInterval
    brier: SharedInterval

    @property
    def too_high(self) -> int:
        """The number of groups whose scores are all above the interval of the share."""
        return int((self.high < self.lowest).sum())

    @property
    def too_low(self) -> int:
        """The number of groups whose scores are all below the interval of the share."""
        return int((self.low > self.highest).sum())

    @property
    def sentence(self) -> str:
        """What the numbers mean, in words."""
        level = self.expected_observed
        words = (
            f"Expected over observed positives {level.estimate:.3f} ({level.low:.3f} to "
            f"{level.high:.3f})"
        )
        off = [
            f"{count} of {len(self.share)} groups have scores that are all too {word}"
            for count, word in ((self.too_high, "high"), (self.too_low, "low"))
            if count
        ]
        return f"{words}; {' and '.join(off) or 'no group is shown to be miscalibrated'}."

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the share of positives of each group over the range of its scores.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib's `errorbar`.
        """
        from rocwalk.curves.plot import draw_shared_calibration

        return draw_shared_calibration(self, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "expected_observed": self.expected_observed.estimate,
            "brier": self.brier.estimate,
            "groups": len(self.share),
            "too_high": self.too_high,
            "too_low": self.too_low,
        }

    def _columns(self) -> dict[str, Any]:
        names = ("lowest", "highest", "items", "positives", "share", "low", "high")
        return {name: getattr(self, name) for name in names}


def shared_calibration(
    shared: SharedTally, *, groups: int = 10, confidence_level: float = 0.95
) -> SharedCalibration:
    """Return how well the scores of shared tallies are calibrated.

    Parameters
    ----------
    shared
        A `SharedTally` of scores in [0, 1], such as the sum of those of all sites.
    groups
        How many groups of about as many items the buckets are put into at most.
    confidence_level
        Between 0 and 1.

    Returns
    -------
    SharedCalibration
        With expected over observed positives, the Brier score, and the share of positives in each
        group, all with intervals that hold the errors of sampling, buckets and privacy noise.

    Notes
    -----
    The variance that noise adds to the share p of a group is v·[p² + (1 − p)²]/n², with v the sum
    of the variances of its counts. There is no slope and no intercept of logistic recalibration:
    they need the scores inside the buckets.

    Examples
    --------
    >>> import rocwalk as rw
    >>> y = [0, 0, 1, 0, 1, 0, 1, 1, 0, 1] * 20
    >>> s = [0.1, 0.2, 0.3, 0.35, 0.5, 0.55, 0.6, 0.7, 0.75, 0.9] * 20
    >>> found = rw.shared_calibration(rw.share(rw.tally(y, s), buckets=8), groups=4)
    >>> print(found.sentence)
    Expected over observed positives 1.025 (0.735 to 1.338); no group is shown to be miscalibrated.
    """
    if not isinstance(shared, SharedTally):
        raise OptionError(
            "is not a SharedTally.",
            "pass what rw.share returns, or a sum of such; rw.calibration is for rows.",
            argument="shared",
        )
    most, level = as_whole("groups", groups, 1), check_level(confidence_level)
    plan = Plan(1)
    level_of, brier = (
        shared_interval(shared, Request(statistic_of(name), level, "auto", plan))
        for name in ("expected_observed", "brier")
    )
    rows = refuse_other_scores(shared.tally())
    below = np.cumsum(rows.count) - rows.count
    part = np.minimum(below * most // rows.total_count, most - 1)
    rows = rows.coarsened(np.flatnonzero(np.diff(part, prepend=-1)))
    z = Request(statistic_of("brier"), level, "auto", plan).z
    share: FloatArray = rows.up / rows.count
    ends = np.array([wilson(*pair, z) for pair in zip(share, rows.count.tolist(), strict=True)])
    noise = z * np.sqrt(rows.noise * (share**2 + (1 - share) ** 2)) / rows.count
    low = np.maximum(share - np.hypot(share - ends[:, 0], noise), 0.0)
    high = np.minimum(share + np.hypot(ends[:, 1] - share, noise), 1.0)
    return SharedCalibration(
        lowest=rows.scores[::-1],
        highest=rows.highest[::-1],
        items=rows.count[::-1],
        positives=rows.up[::-1].astype(np.int64),
        share=read_only(share[::-1]),
        low=read_only(low[::-1]),
        high=read_only(high[::-1]),
        expected_observed=level_of,
        brier=brier,
    )
