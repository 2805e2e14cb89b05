"""Means of several ROC curves: vertical, horizontal, or by threshold.

Fawcett (2006), Algorithms 3 and 4. Where a curve jumps, its mean jumps as well:
docs/decisions/0004-averages-that-jump.rst.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from rocwalk.checks import as_number, one_of
from rocwalk.curves.overlay import walks_of
from rocwalk.curves.roc import Curve
from rocwalk.errors import OptionError, TallyError
from rocwalk.methods import Methods, methods_of
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


@dataclass(frozen=True, eq=False, repr=False)
class AveragedCurve(Curve):
    """The mean of several curves; it carries no masses, so pass a prevalence where one is needed.

    `fpr_spread` and `tpr_spread` are standard deviations over the curves (ddof = 1), NaN for one
    curve and 0 in the direction that is fixed. `spread_error` bounds their error where curves come
    from bucketed tallies; None if all are exact. `repeats` is how often the same rows were split
    into folds, None if it was not said.
    """

    fpr_spread: FloatArray = field(default_factory=lambda: np.empty(0))
    tpr_spread: FloatArray = field(default_factory=lambda: np.empty(0))
    how: str = "vertical"
    curves: int = 0
    spread_error: FloatArray | None = None
    repeats: int | None = None

    def __post_init__(self) -> None:
        for name in ("fpr_spread", "tpr_spread", "spread_error"):
            column = getattr(self, name)
            if column is not None:
                object.__setattr__(self, name, read_only(column))

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        return methods_of(
            f"The mean ROC curve is the {self.how} average of {self.curves:,} curves "
            "[@fawcett2006]."
        )

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the mean curve with a ribbon of one standard deviation on either side.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_average

        spreads = (self.fpr_spread, self.tpr_spread)
        return draw_average(self.walk, self.area, *spreads, self.how, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        headline = {"area": self.area, "how": self.how, "curves": self.curves}
        headline |= {} if self.repeats is None else {"repeats": self.repeats}
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
    repeats: int | None = None,
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
        The rates or thresholds to average at. Default: those of all curves together, and next to
        them where a curve jumps, so that the mean jumps as well and its area is the mean of the
        areas. For how="threshold" and bucketed tallies, ends of buckets must be given.
    repeats
        For `rocwalk.fold_band`: how often the same rows were split into folds, 20 for 20 × 5 folds.
        Default: known from a dict whose keys are pairs (repeat, fold), else not said.

    A vertical mean starts at (0, 0), a horizontal one ends at (1, 1). For curves from bucketed
    tallies the mean lies between the means of their extremes.

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
    one_of("how", how, get_args(AverageDirection))
    walks = walks_of(curves, by_threshold=how == "threshold")
    if not walks:
        raise OptionError("There is no curve to average.", "pass at least one curve.")
    times = check_repeats(repeats, len(walks))
    if times is None and isinstance(curves, Mapping):
        times = _repeats_of(list(curves))
    for walk in walks:
        refuse_one_class(walk)
    is_exact = all(walk.is_exact for walk in walks)
    if how == "threshold" and grid is None and not is_exact:
        raise TallyError(
            'An average with how="threshold" needs every score of every curve, and a tally here is '
            "bucketed.",
            f"give the ends of buckets as grid=, average vertically, or {EXACT_TALLY}.",
        )
    mean, fpr_spread, tpr_spread = _mean(walks, how, grid)
    if is_exact or how == "threshold":
        return AveragedCurve(mean, None, fpr_spread, tpr_spread, how, len(walks), None, times)
    # The standard deviation changes by no more than its argument moves, √(Σ δ²/(n − 1)) with δ the
    # largest error of each curve's rate.
    read, at = (highest_tpr, mean.fpr) if how == "vertical" else (lowest_fpr, mean.tpr)
    far = [np.abs([read(one, at) - read(walk, at) for one in walk.extremes]) for walk in walks]
    squares = np.sum([np.max(each, axis=0) ** 2 for each in far], axis=0)
    error = np.full(len(mean), np.nan) if len(walks) == 1 else np.sqrt(squares / (len(walks) - 1))
    mean = replace(mean, between=partial(_extreme_means, tuple(walks), how, grid))
    return AveragedCurve(mean, None, fpr_spread, tpr_spread, how, len(walks), error, times)


def check_repeats(repeats: int | None, curves: int) -> int | None:
    """Return the number of repeats, or raise unless it divides the number of curves."""
    if repeats is None:
        return None
    times = as_number("repeats", repeats)
    if not 1 <= times < np.inf or times != int(times) or curves % int(times):
        raise OptionError(
            f"does not divide {curves:,} curves into repeats of as many folds.",
            "20 repeats of 5 folds are 100 curves and repeats=20; without repeats it is 1.",
            option="repeats",
            value=repeats,
        )
    return int(times)


def _repeats_of(keys: Sequence[Any]) -> int | None:
    """Return the number of repeats if all keys are pairs (repeat, fold) of as many folds each."""
    if not all(isinstance(key, tuple) and len(key) == 2 for key in keys):
        return None
    folds = Counter(repeat for repeat, _ in keys)
    return len(folds) if len(set(folds.values())) == 1 else None


def _mean(
    walks: Sequence[Walk], how: str, grid: FloatArray | None
) -> tuple[Walk, FloatArray, FloatArray]:
    """Return the mean walk, and the standard deviations of FPR and of TPR around it."""
    if how == "threshold":
        known = np.concatenate([w.thresholds for w in walks]) if grid is None else _numbers(grid)
        thresholds = np.unique(np.append(known, np.inf))[::-1]
        at = [index_at(walk, thresholds) for walk in walks]
        fpr, fpr_spread = _moments([w.fpr[index] for w, index in zip(walks, at, strict=True)])
        tpr, tpr_spread = _moments([w.tpr[index] for w, index in zip(walks, at, strict=True)])
        return Walk(thresholds, tpr, fpr, None), fpr_spread, tpr_spread
    if how == "vertical":
        rates = _rate_grid([walk.fpr for walk in walks], grid, jump_from=0.0)
        mean, spread = _moments([highest_tpr(walk, rates) for walk in walks])
        fpr, tpr = np.append(0.0, rates), np.append(0.0, mean)
        fpr_spread, tpr_spread = np.zeros(len(fpr)), np.append(0.0 * spread[:1], spread)
    else:
        rates = _rate_grid([walk.tpr for walk in walks], grid, jump_from=1.0)
        mean, spread = _moments([lowest_fpr(walk, rates) for walk in walks])
        fpr, tpr = np.append(mean, 1.0), np.append(rates, 1.0)
        fpr_spread, tpr_spread = np.append(spread, 0.0 * spread[-1:]), np.zeros(len(fpr))
    return Walk(np.full(len(fpr), np.nan), tpr, fpr, None), fpr_spread, tpr_spread


def _extreme_means(walks: Sequence[Walk], how: str, grid: FloatArray | None) -> tuple[Walk, Walk]:
    """Return the means of the lowest and of the highest walks that the tallies allow."""
    low, high = (_mean([walk.extremes[k] for walk in walks], how, grid)[0] for k in (0, 1))
    return low, high


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
