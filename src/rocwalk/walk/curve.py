"""The walk: cumulative masses in order of decreasing score, from (0, 0) to (U, R).

A `Walk` is the plain data behind every ROC curve. It keeps masses rather than rates, so that what
is exact in the tally stays exact; the rates are a division away.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Self

import numpy as np

from rocwalk.errors import OneClassError
from rocwalk.typing import AnyArray, FloatArray, IntArray, MassArray
from rocwalk.walk.tally import Tally, read_only


@dataclass(frozen=True, eq=False)
class Walk:
    """The points of a ROC curve with their thresholds.

    Attributes
    ----------
    thresholds
        Decreasing, the first is +inf at (0, 0). NaN where a point has no threshold.
    up, right
        Cumulative masses of the points; integers when the tally holds counts.
    prevalence
        U / (U + R), or None when the walk carries no masses (an average of curves).
    highest
        The largest score of the step that leads to each point, or None when it equals the
        threshold. A threshold strictly inside a step has no point.
    between
        Makes the two walks of `extremes`; None for an exact walk. Called on use only.
    """

    thresholds: FloatArray
    up: MassArray
    right: MassArray
    prevalence: float | None
    highest: FloatArray | None = None
    between: Callable[[], tuple[Walk, Walk]] | None = None

    def __post_init__(self) -> None:
        for name in ("thresholds", "up", "right", "highest"):
            column = getattr(self, name)
            if column is not None:
                object.__setattr__(self, name, read_only(column))

    def __len__(self) -> int:
        return len(self.thresholds)

    @cached_property
    def tpr(self) -> FloatArray:
        """True positive rates; NaN when there is no up mass."""
        return read_only(rates(self.up))

    @cached_property
    def fpr(self) -> FloatArray:
        """False positive rates; NaN when there is no right mass."""
        return read_only(rates(self.right))

    @property
    def has_masses(self) -> bool:
        """Whether the masses are those of data, rather than of an average."""
        return self.prevalence is not None

    @property
    def is_exact(self) -> bool:
        """Whether this is the walk itself, rather than a line through buckets of it."""
        return self.between is None

    @cached_property
    def extremes(self) -> tuple[Walk, Walk]:
        """The walks below and above which the exact one does not run; twice itself if exact."""
        return (self, self) if self.between is None else self.between()

    def take(self, index: IntArray) -> Self:
        """Return the walk through some of its points; the first and last must be among them."""
        first_step = np.concatenate(([0], index[:-1] + 1))
        highest = (self.thresholds if self.highest is None else self.highest)[first_step]
        return type(self)(
            self.thresholds[index],
            self.up[index],
            self.right[index],
            self.prevalence,
            highest,
            self.between,
        )


def walk_of(tally: Tally) -> Walk:
    """Walk a tally: add up its steps in order of decreasing score."""
    return Walk(
        thresholds=np.concatenate(([np.inf], tally.scores)),
        up=_cumulative(tally.up),
        right=_cumulative(tally.right),
        prevalence=tally.prevalence,
        highest=np.concatenate(([np.inf], tally.highest)) if tally.is_bucketed else None,
        between=partial(extreme_walks, tally) if tally.is_bucketed else None,
    )


def extreme_walks(tally: Tally) -> tuple[Walk, Walk]:
    """Return the lowest and the highest walk that the rows of a tally allow."""
    low, high = tally.extremes
    return walk_of(low), walk_of(high)


def refuse_one_class(walk: Walk) -> None:
    """Raise unless both masses are positive, as a curve needs."""
    sides = {"positive": walk.up[-1], "negative": walk.right[-1]}
    missing = [side for side, mass in sides.items() if not mass > 0]
    if missing:
        raise OneClassError(
            f"There is no {' and no '.join(missing)} mass, so there is no ROC curve.",
            "a curve needs both classes: check y_true and pos_label, or the filter before this.",
        )


def _cumulative(mass: MassArray) -> MassArray:
    total = np.empty(len(mass) + 1, dtype=mass.dtype)
    total[0] = 0
    np.cumsum(mass, out=total[1:])
    return total


def rates(cumulative: AnyArray) -> FloatArray:
    """Divide cumulative masses by their total; NaN when there is none."""
    total = cumulative[-1]
    return cumulative / total if total > 0 else np.full(len(cumulative), np.nan)
