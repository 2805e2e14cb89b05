"""Smeared areas and curves, and the width that matches the probabilistic AUC."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from rocwalk.errors import OptionError, UndefinedMetricWarning, warn
from rocwalk.front.curve import Curve
from rocwalk.front.evidence import evidence_of
from rocwalk.measure.area import area as area_of
from rocwalk.measure.costs import Costs
from rocwalk.measure.hull import hull as hull_of
from rocwalk.measure.smeared import Smeared, smeared
from rocwalk.measure.smeared_choice import (
    SmearedChoice,
    SmearedPoint,
    best_smeared,
    point_at,
    point_of_rates,
)
from rocwalk.measure.width import Match, both_sides_of, match, sides_of
from rocwalk.result import Result
from rocwalk.typing import ArrayLike
from rocwalk.walk.curve import Walk, refuse_one_class, walk_of
from rocwalk.walk.smear import Kernel, check_width
from rocwalk.walk.tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class SmearedArea(Result, float):
    """Area(d): a number that knows its width, its kernel and how far it may be off."""

    width: float
    kernel: str
    error_bound: float

    def __new__(
        cls, value: float, width: float = 0.0, kernel: str = "uniform", error_bound: float = 0.0
    ) -> SmearedArea:
        """Make a float with three notes on it."""
        self = super().__new__(cls, value)
        self.width, self.kernel, self.error_bound = width, kernel, error_bound
        return self

    __str__ = float.__repr__

    def _headline(self) -> dict[str, Any]:
        return {
            "area": float(self),
            "width": self.width,
            "kernel": self.kernel,
            "error_bound": self.error_bound,
        }


@dataclass(frozen=True, eq=False, repr=False)
class WidthMatch(Match):
    """The widths at which the smeared area equals the probabilistic AUC, or that there are none.

    Make one with `rocwalk.matched_width`. `certificate` proves that no smaller width matches.
    """

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw Area(d) against d, with AUC, ½, the probabilistic AUC and all matches marked."""
        from rocwalk.draw.smear import draw_areas

        return draw_areas(self, ax, **options)


@dataclass(frozen=True, eq=False, repr=False)
class SmearedCurve(Curve):
    """A ROC curve of smeared scores; make one with `rocwalk.smeared_roc`.

    `thresholds` are positions on the score axis, which may lie outside [0, 1]. `area` is the
    closed form over all pairs; `curve_error` bounds the distance of the polyline from the curve:
    0 for the uniform kernel.
    """

    cuts_scores: ClassVar[bool] = False

    shape: Kernel = field(kw_only=True)
    width: float = field(kw_only=True)
    closed: SmearedArea = field(kw_only=True)
    data: Smeared = field(kw_only=True)

    @property
    def kernel(self) -> str:
        """The name of the kernel."""
        return self.shape.name

    @property
    def sd_per_width(self) -> float | None:
        """The standard deviation of the normal kernel in widths."""
        return None if self.shape.is_uniform else self.shape.sd_per_width

    @cached_property
    def area(self) -> float:
        """Area(d), from the pairs rather than from the polyline."""
        return float(self.closed)

    @cached_property
    def area_bounds(self) -> tuple[float, float, float]:
        """The area less and plus the bound on its error."""
        error = self.closed.error_bound
        return max(self.area - error, 0.0), self.area, min(self.area + error, 1.0)

    @cached_property
    def hull(self) -> SmearedCurve:
        """The upper convex hull: strict vertices with their positions on the score axis."""
        walk = hull_of(self.walk)
        over = SmearedArea(area_of(walk), self.width, self.kernel, self.closed.error_bound)
        drawn = Smeared(walk, self.data.error, straight=True)
        return SmearedCurve(
            walk, self.tally, shape=self.shape, width=self.width, closed=over, data=drawn
        )

    @property
    def curve_error(self) -> float:
        """How far the polyline may be from the curve."""
        return self.data.error

    @property
    def bare(self) -> Walk:
        """The walk of the same data without smearing."""
        return walk_of(self._evidence)

    def at(  # type: ignore[override]
        self,
        threshold: float | None = None,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
    ) -> SmearedPoint:
        """Return the point at a position, or the position at which a rate is reached.

        Positions between two vertices count: the rates are read off the smeared scores.
        """
        found = super().at(threshold, fpr=fpr, tpr=tpr)
        if threshold is not None:
            return point_at(self.data, self._evidence, float(threshold))
        position = found.threshold
        if found.other_threshold is not None and math.isfinite(found.other_threshold):
            upper = position if math.isfinite(position) else found.other_threshold
            position = found.share * upper + (1 - found.share) * found.other_threshold
        return point_of_rates(self._evidence, position, found.fpr, found.tpr)

    def best(  # type: ignore[override]
        self, costs: Costs | None = None, *, slope: float | None = None
    ) -> SmearedChoice:
        """Return the best point for costs or for a slope; for slope 1 without either.

        >>> import rocwalk as rw
        >>> curve = rw.smeared_roc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
        >>> curve.best(slope=3**0.5).interval
        (0.9, 0.8)
        """
        return best_smeared(self.data, self._evidence, costs, slope)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the smeared curve over the bare one."""
        from rocwalk.draw.smear import draw_smeared

        return draw_smeared(self.walk, self.bare, self.closed, ax, name=name, **options)

    def plot_widths(
        self,
        widths: Sequence[float] = (0, 0.1, 0.3, 1, 2, 4, 8),
        ax: Axes | None = None,
        **options: Any,
    ) -> Axes:
        """Draw small multiples: the curve at each of the widths and at its own, by width."""
        from rocwalk.draw.smear import draw_family

        family = []
        for width in sorted({*(check_width(one) for one in widths), self.width}):
            walk = smeared(self._evidence, self.shape, width).walk
            sides = both_sides_of(self._evidence)
            family.append((walk, width, self.shape.sums(sides, width).area))
        return draw_family(family, self.bare, ax, target=self.area, **options)

    @property
    def _evidence(self) -> Tally:
        assert self.tally is not None
        return self.tally

    def _headline(self) -> dict[str, Any]:
        return super()._headline() | {
            "width": self.width,
            "kernel": self.kernel,
            "sd_per_width": self.sd_per_width,
            "curve_error": self.curve_error,
        }


def smeared_area(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    width: float,
    kernel: str = "uniform",
    sd_per_width: float = 0.5,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> SmearedArea:
    """Return Area(d), the area under the ROC curve of scores smeared to a width d.

    Area(d) = Σ uᵢ·rⱼ·g(sᵢ − sⱼ, d) / (U·R), with g = ½ + h(D/d) for the uniform kernel, h odd,
    h(c) = c − c²/2 up to 1 and ½ beyond, and g = Φ(D/(σ√2)) for the normal, σ = sd_per_width·d.
    Area(0) is the AUC and Area(inf) is ½.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1]. Or one `Tally` that is not bucketed.
    width
        d, from 0 to infinity.
    kernel
        "uniform" (a segment of width d) or "normal".
    sd_per_width
        The standard deviation of the normal kernel in widths; the paper's text says ½, its
        numbers agree better with 1/√12.
    sample_weight, pos_label, truth, invalid
        As for `rocwalk.tally`.

    Returns
    -------
    SmearedArea
        A float; its `error_bound` is proved: below 1e-12 for the uniform and 1e-10 for the normal
        kernel. NaN with a warning when a class has no mass.

    References
    ----------
    Ferri, Flach, Hernández-Orallo, Senad (2005), section 2.1, the formula of Area(d).

    Examples
    --------
    >>> import rocwalk as rw
    >>> area = rw.smeared_area([1, 0, 1, 0], [1, 0.51, 0.49, 0], width=0.2)
    >>> round(area, 10)
    0.85125
    >>> area.error_bound < 1e-12
    True
    """
    shape, d = Kernel(kernel, sd_per_width), check_width(width)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    sides = sides_of(data)
    if sides is None:
        warn(
            UndefinedMetricWarning(
                "There is only one class, so the smeared area is undefined and NaN. "
                "Hint: an area compares positives with negatives."
            )
        )
        return SmearedArea(math.nan, d, kernel, math.nan)
    sums = shape.sums(sides, d)
    return SmearedArea(sums.area, d, kernel, sums.error)


def matched_width(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    kernel: str = "uniform",
    sd_per_width: float = 0.5,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> WidthMatch:
    """Return the smallest width d at which Area(d) equals the probabilistic AUC.

    It says how much smearing it takes to bring the AUC to the value that the probabilities
    themselves give. There may be several such widths, whole stretches of them, or none; all are
    found, and `certificate` proves that nothing was missed below the smallest. The parameters are
    those of `rocwalk.smeared_area`; both classes are needed.

    For the uniform kernel and d ≥ max|D|: d = 1 ± √(1 − S/M), with M the mean of D over pairs and
    S that of sgn(D)·D². The paper's Theorem 4 says that a width always exists; it does not.

    References
    ----------
    Ferri, Flach, Hernández-Orallo, Senad (2005), sections 2.1 and 3.

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.matched_width([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]).width
    1.660940318987...
    >>> none = rw.matched_width([1, 0, 1, 1], [1, 0.1, 0, 0])
    >>> none.exists, round(none.nearest_width, 6), round(none.gap, 6)
    (False, 1.128571, -0.013291)
    """
    shape = Kernel(kernel, sd_per_width)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    found = match(both_sides_of(data), shape)
    return WidthMatch(**vars(found))


def smeared_roc(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    width: float | str = "matched",
    kernel: str = "uniform",
    sd_per_width: float = 0.5,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> SmearedCurve:
    """Return the ROC curve of scores smeared to a width, by default the matched one.

    For the uniform kernel the curve is an exact polyline with vertices at s ± d/2; for the normal
    kernel a polyline whose distance from the curve is bounded by `curve_error`. The area is that
    of `rocwalk.smeared_area`. The parameters are those of that function; `width="matched"` raises
    where no width matches, naming the nearest.

    References
    ----------
    Ferri, Flach, Hernández-Orallo, Senad (2005), section 2, "pROC" curves.

    Examples
    --------
    >>> import rocwalk as rw
    >>> curve = rw.smeared_roc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    >>> round(curve.width, 6), round(curve.area, 6)
    (1.66094, 0.658333)
    """
    shape = Kernel(kernel, sd_per_width)
    if isinstance(width, str) and width != "matched":
        raise OptionError(f"width={width!r} is not known.", 'width is a number or "matched".')
    d = None if isinstance(width, str) else check_width(width)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    evidence = data if isinstance(data, Tally) else data.tally()
    refuse_one_class(walk_of(evidence))
    sides = both_sides_of(evidence)
    if d is None:
        d = _matched(match(sides, shape))
    sums = shape.sums(sides, d)
    drawn = smeared(evidence, shape, d)
    area = SmearedArea(sums.area, d, kernel, sums.error)
    return SmearedCurve(drawn.walk, evidence, shape=shape, width=d, closed=area, data=drawn)


def _matched(found: Match) -> float:
    if found.width is None:
        raise OptionError(
            f"No width makes the area equal to the probabilistic AUC of {found.target:.6g}: the "
            f"nearest, {found.nearest_width!r}, misses it by {found.gap:+.6g}.",
            f"pass width={found.nearest_width!r} to draw the nearest curve.",
        )
    return found.width
