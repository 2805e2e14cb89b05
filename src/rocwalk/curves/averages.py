"""Average several curves: vertically, horizontally, or by threshold (Classic §5; SPEC §6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.roc import Curve, walks_of
from rocwalk.errors import OptionError, TallyError, one_of
from rocwalk.tally.tally import read_only
from rocwalk.tally.walk import (
    EXACT_TALLY,
    Walk,
    highest_tpr,
    index_at,
    lowest_fpr,
    refuse_one_class,
)
from rocwalk.typing import AnyArray, AverageDirection, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class Average:
    """The mean walk and the spread (standard deviation, ddof = 1) of the curves around it.

    `spread_error` says how far the spread may be off at each point if curves come from buckets.
    """

    walk: Walk
    fpr_spread: FloatArray
    tpr_spread: FloatArray
    spread_error: FloatArray | None = None

    def __post_init__(self) -> None:
        for name in ("fpr_spread", "tpr_spread", "spread_error"):
            column = getattr(self, name)
            if column is not None:
                object.__setattr__(self, name, read_only(column))


def mean_walk(walks: Sequence[Walk], how: str, grid: FloatArray | None = None) -> Average:
    """Return the unweighted mean of the curves; it carries no masses.

    * "vertical": the mean of the highest TPR at each FPR of the grid; (0, 0) comes first.
    * "horizontal": the mean of the lowest FPR at each TPR of the grid; (1, 1) comes last.
    * "threshold": the mean of the points of score ≥ t, for each t of the grid and inf.

    Without a grid, the rates or thresholds of all the curves together make it. Where a curve
    jumps, the grid then has the rate next to the jump too, so that the mean jumps as well and its
    area is the mean of the areas.

    A mean of TPR never falls when one of the curves rises, and a mean of FPR never rises, so of
    curves from buckets the mean runs between the means of their extremes. By threshold only points
    at the ends of buckets are known: the grid must name them.
    """
    one_of("how", how, _WAYS)
    if not walks:
        raise OptionError("There is no curve to average.", "pass at least one curve.")
    for walk in walks:
        refuse_one_class(walk)
    if all(walk.is_exact for walk in walks):
        return _WAYS[how](walks, grid)
    if how == "threshold":
        _refuse_unknown_thresholds(grid)
        return _WAYS[how](walks, grid)
    mean = _WAYS[how](walks, grid)
    between = partial(_extreme_means, tuple(walks), how, grid)
    return replace(
        mean, walk=replace(mean.walk, between=between), spread_error=_spread_error(walks, how, mean)
    )


def _extreme_means(walks: Sequence[Walk], how: str, grid: FloatArray | None) -> tuple[Walk, Walk]:
    low, high = (_WAYS[how]([walk.extremes[k] for walk in walks], grid).walk for k in (0, 1))
    return low, high


def _spread_error(walks: Sequence[Walk], how: str, mean: Average) -> FloatArray:
    """Bound how far the spread may be off: √(Σ δ²/(n − 1)), δ how far each curve's rate may be.

    The standard deviation is a length, so it changes by no more than its argument moves.
    """
    if len(walks) == 1:
        return np.full(len(mean.walk), np.nan)
    read = highest_tpr if how == "vertical" else lowest_fpr
    at = mean.walk.fpr if how == "vertical" else mean.walk.tpr
    far = [np.abs([read(one, at) - read(walk, at) for one in walk.extremes]) for walk in walks]
    squares = np.sum([np.max(each, axis=0) ** 2 for each in far], axis=0)
    error: FloatArray = np.sqrt(squares / (len(walks) - 1))
    return error


def _refuse_unknown_thresholds(grid: FloatArray | None) -> None:
    if grid is None:
        raise TallyError(
            'An average with how="threshold" needs every score of every curve, and a tally here is '
            "bucketed.",
            f"give the ends of buckets as grid=, average vertically, or {EXACT_TALLY}.",
        )


def _vertical(walks: Sequence[Walk], grid: FloatArray | None) -> Average:
    rates = _rate_grid([walk.fpr for walk in walks], grid, jump_from=0.0)
    mean, spread = _moments([highest_tpr(walk, rates) for walk in walks])
    fpr, tpr = np.append(0.0, rates), np.append(0.0, mean)
    return _averaged(fpr, tpr, np.zeros(len(fpr)), np.append(0.0 * spread[:1], spread))


def _horizontal(walks: Sequence[Walk], grid: FloatArray | None) -> Average:
    rates = _rate_grid([walk.tpr for walk in walks], grid, jump_from=1.0)
    mean, spread = _moments([lowest_fpr(walk, rates) for walk in walks])
    fpr, tpr = np.append(mean, 1.0), np.append(rates, 1.0)
    return _averaged(fpr, tpr, np.append(spread, 0.0 * spread[-1:]), np.zeros(len(fpr)))


def _by_threshold(walks: Sequence[Walk], grid: FloatArray | None) -> Average:
    known = np.concatenate([walk.thresholds for walk in walks]) if grid is None else _numbers(grid)
    thresholds = np.unique(np.append(known, np.inf))[::-1]
    at = [index_at(walk, thresholds) for walk in walks]
    fpr, fpr_spread = _moments([w.fpr[index] for w, index in zip(walks, at, strict=True)])
    tpr, tpr_spread = _moments([w.tpr[index] for w, index in zip(walks, at, strict=True)])
    return Average(Walk(thresholds, tpr, fpr, None), fpr_spread, tpr_spread)


_WAYS: dict[str, Callable[[Sequence[Walk], FloatArray | None], Average]] = {
    "vertical": _vertical,
    "horizontal": _horizontal,
    "threshold": _by_threshold,
}


def _averaged(
    fpr: FloatArray, tpr: FloatArray, fpr_spread: FloatArray, tpr_spread: FloatArray
) -> Average:
    return Average(Walk(np.full(len(fpr), np.nan), tpr, fpr, None), fpr_spread, tpr_spread)


def _rate_grid(
    rates: Sequence[FloatArray], grid: FloatArray | None, *, jump_from: float
) -> FloatArray:
    """Return the grid, or all rates and the next float on the side from which curves jump."""
    if grid is None:
        jumps = np.concatenate([rate[1:][np.diff(rate) == 0] for rate in rates])
        return np.unique(np.concatenate([*rates, np.nextafter(jumps, jump_from)]))
    chosen = np.unique(_numbers(grid))
    if chosen[0] < 0 or chosen[-1] > 1:
        raise OptionError("The grid leaves [0, 1].", "pass rates, such as np.linspace(0, 1, 101).")
    return np.union1d(chosen, [0.0, 1.0])


def _numbers(grid: FloatArray) -> FloatArray:
    try:
        values = np.asarray(grid, dtype=np.float64).ravel()
    except (TypeError, ValueError):
        values = np.empty(0)
    if not len(values) or np.isnan(values).any():
        raise OptionError("The grid is empty or not made of numbers.", "pass numbers as grid.")
    return values


def _moments(rows: Sequence[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Return the mean and the standard deviation over the curves; NaN for one curve."""
    stack = np.stack(rows)
    if len(rows) == 1:
        return stack[0], np.full(stack.shape[1], np.nan)
    return stack.mean(axis=0), stack.std(axis=0, ddof=1)


@dataclass(frozen=True, eq=False, repr=False)
class AveragedCurve(Curve):
    """The mean of several curves. It carries no masses: give a prevalence where one is needed.

    `fpr_spread` and `tpr_spread` are standard deviations over the curves (ddof = 1), NaN for one
    curve and 0 in the direction in which nothing varies. `spread_error` says how far they may be
    off where curves come from bucketed tallies; None if all are exact.
    """

    fpr_spread: FloatArray = field(default_factory=lambda: np.empty(0))
    tpr_spread: FloatArray = field(default_factory=lambda: np.empty(0))
    how: str = "vertical"
    curves: int = 0
    spread_error: FloatArray | None = None

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the mean curve with a ribbon of one standard deviation on either side."""
        from rocwalk.curves.plot import draw_average

        average = Average(self.walk, self.fpr_spread, self.tpr_spread)
        return draw_average(average, self.area, ax, how=self.how, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        headline = {"area": self.area, "how": self.how, "curves": self.curves}
        return headline | {"points": len(self.walk)} | self._open_area()

    def _columns(self) -> dict[str, AnyArray]:
        spread = {"fpr_spread": self.fpr_spread, "tpr_spread": self.tpr_spread}
        error = {} if self.spread_error is None else {"spread_error": self.spread_error}
        return super()._columns() | spread | error


def average(
    curves: Iterable[Curve] | Mapping[Any, Curve],
    *,
    how: AverageDirection = "vertical",
    grid: FloatArray | None = None,
) -> AveragedCurve:
    """Return the unweighted mean of several curves, with the spread around it.

    Parameters
    ----------
    curves
        A list or a dict of curves, for instance one for each fold.
    how
        "vertical": the mean of the highest TPR at each FPR; "horizontal": the mean of the lowest
        FPR at each TPR; "threshold": the mean of the points of score ≥ t at each threshold t.
    grid
        The rates or thresholds to average at. By default those of all the curves together, and
        next to them where a curve jumps, so that the area of the mean is the mean of the areas.

    References
    ----------
    Fawcett (2006), Algorithms 3 and 4; Castro da Silva (2006), §5. Horizontal averaging is ours.

    Examples
    --------
    >>> import rocwalk as rw
    >>> folds = [rw.roc([1, 0, 1, 0], s) for s in ([0.9, 0.8, 0.7, 0.1], [0.9, 0.2, 0.8, 0.1])]
    >>> rw.average(folds)
    AveragedCurve(area=0.875, how='vertical', curves=2, points=5)
    >>> mean = rw.average(folds, grid=[0.25, 0.5])
    >>> mean.fpr.tolist(), mean.tpr.tolist()
    ([0.0, 0.0, 0.25, 0.5, 1.0], [0.0, 0.75, 0.75, 1.0, 1.0])
    """
    walks = walks_of(curves, by_threshold=how == "threshold")
    mean = mean_walk(walks, how, grid)
    spreads = (mean.fpr_spread, mean.tpr_spread)
    return AveragedCurve(mean.walk, None, *spreads, how, len(walks), mean.spread_error)
