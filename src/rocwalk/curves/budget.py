"""Budgets: how many of the positives a share of calls finds.

The rate of calls of a rule is ρ = π⁺·TPR + π⁻·FPR, the share of items that it calls positive. The
cumulative gains curve shows the TPR against ρ, and the lift is TPR/ρ: how many times as many
positives a rule finds as calls at random would. See "Budgets" in docs/mathematics.rst.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.operating_points import point_at_rate, rates_of_calls
from rocwalk.errors import UndefinedMetricWarning, warn
from rocwalk.result import Result
from rocwalk.statistic import UNIT, Places, Statistic, register
from rocwalk.tally.tally import read_only
from rocwalk.tally.walk import (
    Walk,
    check_prevalence,
    check_rate,
    on_walk,
    rising_bounds,
    rising_on_walk,
    share_of_positives,
)
from rocwalk.typing import AnyArray, Bounds, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Gains(Result):
    """The cumulative gains curve, TPR against the rate of calls; get one as `Curve.gains`.

    `given_prevalence` is the share of positives where the rules will be used, or None for that of
    the data.
    """

    walk: Walk
    given_prevalence: float | None = None

    def at_prevalence(self, prevalence: float) -> Gains:
        """Return the gains curve of the same rules where another share of items is positive."""
        return Gains(self.walk, check_prevalence(prevalence))

    @property
    def prevalence(self) -> float:
        """The share of positives π⁺."""
        return share_of_positives(self.walk, self.given_prevalence)

    @cached_property
    def rate(self) -> FloatArray:
        """The rates of calls ρ = π⁺·TPR + π⁻·FPR of the thresholds, from 0 to 1."""
        return read_only(rates_of_calls(self.walk, self.given_prevalence))

    @property
    def tpr(self) -> FloatArray:
        """The shares of positives that are found, from 0 to 1."""
        return self.walk.tpr

    @property
    def thresholds(self) -> FloatArray:
        """Decreasing thresholds, the first is +inf; predict positive when score ≥ threshold."""
        return self.walk.thresholds

    @cached_property
    def lift(self) -> FloatArray:
        """TPR/ρ of the thresholds; NaN at the first, where nothing is called."""
        lift = np.full(len(self.rate), np.nan)
        return read_only(np.divide(self.tpr, self.rate, out=lift, where=self.rate > 0))

    @cached_property
    def area(self) -> float:
        """The area under the gains curve, π⁺/2 + π⁻·AUC; 1/2 for calls at random."""
        return float(np.trapezoid(self.tpr, self.rate))

    def at(self, rate: float) -> float:
        """Return the share of positives found by calling this share of the items."""
        return point_at_rate(self.walk, rate, self.given_prevalence).tpr

    def at_bounds(self, rate: float) -> Bounds:
        """Return the lowest, the middle and the highest of it; equal unless bucketed."""
        return point_at_rate(self.walk, rate, self.given_prevalence).tpr_bounds

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw TPR against the rate of calls, and return the axes.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_gains

        return draw_gains(self, ax, name=name, **options)

    def plot_lift(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the lift against the rate of calls, and return the axes.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_lift

        return draw_lift(self, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        return {"area": self.area, "points": len(self.walk), "prevalence": self.prevalence}

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "thresholds": self.thresholds,
            "rate": self.rate,
            "tpr": self.tpr,
            "lift": self.lift,
        }


def lift(walk: Walk, rate: float, prevalence: float | None = None) -> float:
    """Return TPR/ρ at a rate of calls ρ; NaN with a warning where nothing is called."""
    if check_rate("rate", rate) == 0:
        warn(
            UndefinedMetricWarning(
                "At a rate of 0 no item is predicted positive, so the lift is undefined and NaN.",
                "ask at a positive rate, such as 0.1.",
            )
        )
        return math.nan
    return point_at_rate(walk, rate, prevalence).tpr / float(rate)


def lift_bounds(walk: Walk, rate: float, prevalence: float | None = None) -> Bounds:
    """Return the lowest, the middle and the highest lift; equal unless bucketed."""
    return rising_bounds(walk, lambda one: lift(one, rate, prevalence))


def ks(walk: Walk) -> float:
    """Return max(TPR − FPR), the one-sided statistic of Kolmogorov and Smirnov; at least 0."""
    both = walk.up[-1] > 0 and walk.right[-1] > 0
    return float(np.max(walk.tpr - walk.fpr)) if both else math.nan


KS = register(
    Statistic(
        "ks",
        on_walk(ks),
        title="KS",
        noun="KS distance",
        symbol="KS",
        sentence="The largest distance between the shares of positives and of negatives above a "
        "threshold.",
        references=("Smirnov 1948", "Youden 1950"),
        range=UNIT,
        direction="higher",
        conditional=True,
        of_hull=True,
        bounds=rising_on_walk(ks),
        places=Places(summary=35),
    )
)
