"""`rocwalk.average`: the mean of several curves, with spread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.errors import InputError
from rocwalk.front.curve import Curve
from rocwalk.measure import average as averaging
from rocwalk.typing import AnyArray, FloatArray
from rocwalk.walk.curve import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
        from rocwalk.draw.curves import draw_average

        average = averaging.Average(self.walk, self.fpr_spread, self.tpr_spread)
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
    how: str = "vertical",
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
    mean = averaging.average(walks, how, grid)
    spreads = (mean.fpr_spread, mean.tpr_spread)
    return AveragedCurve(mean.walk, None, *spreads, how, len(walks), mean.spread_error)


def walks_of(
    curves: Iterable[Curve] | Mapping[Any, Curve], *, by_threshold: bool = False
) -> list[Walk]:
    """Return the walks of a list or a dict of curves, or raise."""
    if isinstance(curves, Curve):
        raise InputError("One curve was given.", "pass a list or a dict of curves.")
    if not isinstance(curves, Iterable):
        raise InputError(
            f"curves is a {type(curves).__name__}.", "pass a list or a dict of curves."
        )
    members = list(curves.values() if isinstance(curves, Mapping) else curves)
    for i, member in enumerate(members):
        if not isinstance(member, Curve):
            raise InputError(
                f"Item {i} is a {type(member).__name__}, not a curve.",
                "make curves with rocwalk.roc(y_true, y_score).",
            )
        if by_threshold and not member.cuts_scores:
            raise InputError(
                f"Item {i} is smeared: a position on its axis is no cut of the scores.",
                "use rocwalk.roc, or read a smeared point back with best().interval.",
            )
    return [member.walk for member in members]
