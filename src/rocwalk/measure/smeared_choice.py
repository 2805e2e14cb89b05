"""Choose a point on a smeared curve, and read it back as an interval of original scores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.measure.choose import TIE, best_vertices, slope_of
from rocwalk.measure.costs import Costs
from rocwalk.measure.smeared import Smeared
from rocwalk.result import Result
from rocwalk.walk.tally import Tally

_HALVINGS = 60


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SmearedPoint(Result):
    """A point of a smeared curve: where it lies on the score axis, and what it comes to.

    `position` may lie `outside` [0, 1], where no score can be. `interval` is the paper's reading:
    the two original scores between which the cut falls that predicts as many positives as the
    point does, (high, low); it is open to infinity at the ends.
    """

    position: float
    fpr: float
    tpr: float
    count: float
    interval: tuple[float, float]

    @property
    def outside(self) -> bool:
        """Whether the position is no possible probability."""
        return not 0 <= self.position <= 1

    def _headline(self) -> dict[str, Any]:
        return {
            "position": self.position,
            "fpr": self.fpr,
            "tpr": self.tpr,
            "count": self.count,
            "interval": self.interval,
            "outside": self.outside,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SmearedChoice(Result):
    """The best point of a smeared curve for a slope m: the global maximum of TPR − m·FPR.

    `tied` is the other end when a whole edge is equally good, as for slope 1 whenever the width
    exceeds the range of the scores; `point` is the end with the smaller FPR.
    """

    point: SmearedPoint
    slope: float
    tied: SmearedPoint | None = None
    expected_cost: float | None = None

    @property
    def threshold(self) -> float:
        """The position of the point on the score axis."""
        return self.point.position

    @property
    def fpr(self) -> float:
        """The false positive rate of the point."""
        return self.point.fpr

    @property
    def tpr(self) -> float:
        """The true positive rate of the point."""
        return self.point.tpr

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of original scores in which the cut falls, (high, low)."""
        return self.point.interval

    @property
    def outside(self) -> bool:
        """Whether the position lies outside [0, 1], where no score can be."""
        return self.point.outside

    def _headline(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold,
            "fpr": self.fpr,
            "tpr": self.tpr,
            "interval": self.interval,
            "outside": self.outside,
            "slope": self.slope,
            "expected_cost": self.expected_cost,
            "tied_at": None if self.tied is None else self.tied.position,
        }

    def _columns(self) -> dict[str, Any]:
        ends = [self.point] if self.tied is None else [self.point, self.tied]
        return {
            "point_position": np.array([end.position for end in ends]),
            "point_fpr": np.array([end.fpr for end in ends]),
            "point_tpr": np.array([end.tpr for end in ends]),
            "point_count": np.array([end.count for end in ends]),
            "score_above": np.array([end.interval[0] for end in ends]),
            "score_below": np.array([end.interval[1] for end in ends]),
        }


def best_smeared(
    smeared: Smeared, tally: Tally, costs: Costs | None, slope: float | None
) -> SmearedChoice:
    """Return the best point for costs or for a slope; for slope 1 without either."""
    walk = smeared.walk
    chosen = slope_of(costs, slope, walk.prevalence)
    first, last = best_vertices(walk.fpr, walk.tpr, chosen)
    positions = [float(walk.thresholds[index]) for index in (first, last)]
    if smeared.sources is not None:
        positions = [_polished(smeared, index, chosen) for index in (first, last)]
    point = point_at(smeared, tally, positions[0], first)
    other = point_at(smeared, tally, positions[1], last)
    apart = max(abs(other.fpr - point.fpr), abs(other.tpr - point.tpr)) > TIE
    cost = None if costs is None else costs.expected(point.fpr, point.tpr, walk.prevalence)
    return SmearedChoice(
        point=point, slope=chosen, tied=other if apart else None, expected_cost=cost
    )


def _polished(smeared: Smeared, index: int, slope: float) -> float:
    """Return the position of the maximum near a vertex: where the densities are as m to 1."""
    positions, sources = smeared.walk.thresholds, smeared.sources
    low = float(positions[min(index + 1, len(positions) - 1)])
    high = float(positions[max(index - 1, 1)])
    if sources is None or math.isinf(slope) or not low < high:
        return float(positions[index])
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        fall = sources.densities(np.array([middle]))
        if float(fall[1][0]) > slope * float(fall[0][0]):
            high = middle  # going down from here, the gain still rises
        else:
            low = middle
    return (low + high) / 2


def point_at(
    smeared: Smeared, tally: Tally, position: float, index: int | None = None
) -> SmearedPoint:
    """Return the point at a position; a vertex if its index is known."""
    if index is not None and smeared.walk.thresholds[index] == position:
        fpr, tpr = float(smeared.walk.fpr[index]), float(smeared.walk.tpr[index])
    else:
        both = smeared.rates(np.array([position]))
        fpr, tpr = float(both[0][0]), float(both[1][0])
    return point_of_rates(tally, position, fpr, tpr)


def point_of_rates(tally: Tally, position: float, fpr: float, tpr: float) -> SmearedPoint:
    """Return a point of known rates with its reading as an interval of original scores."""
    count = tpr * tally.total_up + fpr * tally.total_right
    return SmearedPoint(
        position=position, fpr=fpr, tpr=tpr, count=count, interval=interval_of(tally, count)
    )


def interval_of(tally: Tally, count: float) -> tuple[float, float]:
    """Return the scores between which a cut leaves so much mass above it (Ferri, section 3.3).

    For counts the nearest whole number k = floor(count + ½) of rows; for masses the cumulative
    mass nearest to the count, ties to the smaller. Equal scores cannot be cut.
    """
    mass = np.append(0.0, np.cumsum(tally.up + tally.right, dtype=np.float64))
    if tally.is_counts:
        rows = np.repeat(tally.scores, tally.up + tally.right)
        k = min(max(math.floor(count + 0.5), 0), len(rows))
        scores = rows
    else:
        k = int(np.argmin(np.abs(mass - count)))
        scores = tally.scores
    return (
        math.inf if k == 0 else float(scores[k - 1]),
        -math.inf if k == len(scores) else float(scores[k]),
    )
