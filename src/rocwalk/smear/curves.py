"""The smeared ROC curve: the walk of distributions instead of points.

At a position t on the score axis, TPR(t) and FPR(t) are the mean survival functions of the smeared
scores of each class (`rocwalk.smear.walks`). See docs/mathematics.rst, Smearing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from rocwalk.curves.area import area as area_of
from rocwalk.curves.choices import TIE, Costs, best_vertices, slope_of
from rocwalk.curves.hull import hull as hull_of
from rocwalk.curves.hull import vertices_of
from rocwalk.curves.operating_points import rates_of_calls
from rocwalk.curves.roc import Curve
from rocwalk.errors import InputError, Option, OptionError
from rocwalk.inference.distributions import check_level
from rocwalk.methods import Methods, methods_of
from rocwalk.read.arrays import Sample, as_array, as_floats, evidence_of
from rocwalk.result import Result
from rocwalk.smear.areas import SmearedArea, shown_amount
from rocwalk.smear.concentrations import match_concentration
from rocwalk.smear.kernels import Beta, Kernel, WidthKernel, amount_of, kernel_named
from rocwalk.smear.noise import ScoreNoiseBand, noise_band
from rocwalk.smear.sides import Sides, both_sides_of
from rocwalk.smear.walks import SmearedWalk
from rocwalk.smear.widths import match
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, check_prevalence, check_rate, refuse_one_class, walk_of
from rocwalk.typing import ArrayLike, Invalid, KernelName, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SmearedPoint(Result):
    """A point of a smeared curve: its position on the score axis, its rates and its count.

    `position` may lie `outside` [0, 1], where no score can be. `count` is the number of predicted
    positives. `interval` is the paper's reading of the point: the two original scores (low, high)
    between which the cut falls that predicts as many positives; an end may be infinite.
    """

    position: float
    fpr: float
    tpr: float
    count: float
    interval: tuple[float, float]

    @property
    def outside(self) -> bool:
        """Whether the position lies outside [0, 1]."""
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
        """The interval (low, high) of original scores in which the cut falls."""
        return self.point.interval

    @property
    def outside(self) -> bool:
        """Whether the position lies outside [0, 1]."""
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
            "score_above": np.array([end.interval[1] for end in ends]),
            "score_below": np.array([end.interval[0] for end in ends]),
        }


@dataclass(frozen=True, eq=False, repr=False)
class SmearedCurve(Curve):
    """A ROC curve of smeared scores; make one with `rocwalk.smeared_roc`.

    `thresholds` are positions on the score axis; for the uniform and the normal kernel they may lie
    outside [0, 1]. `area` is that of all pairs rather than of the polyline; `curve_error` bounds
    the distance of the polyline from the curve: 0 for the kernels "uniform", "logit" and "coin".
    """

    cuts_scores: ClassVar[bool] = False

    closed: SmearedArea = field(kw_only=True)
    data: SmearedWalk = field(kw_only=True)
    sample: Sample | Tally = field(kw_only=True)

    @property
    def shape(self) -> Kernel:
        """The kernel."""
        return self.closed.shape

    @property
    def kernel(self) -> str:
        """The name of the kernel."""
        return self.closed.kernel

    @property
    def sd_per_width(self) -> float | None:
        """The standard deviation of the normal kernels in widths."""
        return self.shape.deviations

    @property
    def width(self) -> float | None:
        """The width, or None if the kernel has none."""
        return self.closed.width

    @property
    def share(self) -> float | None:
        """The share of coins, or None."""
        return self.closed.share

    @property
    def concentration(self) -> Any:
        """The concentration of beta distributions, a number or one for each row; or None."""
        return self.closed.concentration

    @cached_property
    def area(self) -> float:
        """Area(d), from the pairs rather than from the polyline."""
        return float(self.closed)

    @cached_property
    def area_bounds(self) -> tuple[float, float, float]:
        """The area − the bound on its error, the area, and the area + the bound."""
        error = self.closed.error_bound
        return max(self.area - error, 0.0), self.area, min(self.area + error, 1.0)

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        size = "" if self.width is None else f" of width {self.width:g}"
        size = size if self.share is None else f" for a share of {self.share:g}"
        return methods_of(
            "Smeared ROC curves replace each score by a distribution around it (kernel "
            f"“{self.kernel}”{size}) [@ferri2005]."
        )

    @cached_property
    def hull(self) -> SmearedCurve:
        """The upper convex hull: strict vertices with their positions on the score axis."""
        kept = vertices_of(self.walk)
        walk = hull_of(self.walk)
        closed = self.closed
        over = SmearedArea(area_of(walk), closed.shape, closed.amount, closed.error_bound)
        drawn = replace(
            self.data, walk=walk, places=self.data.places[kept], straight=True, sources=None
        )
        return SmearedCurve(walk, self.tally, closed=over, data=drawn, sample=self.sample)

    @property
    def curve_error(self) -> float:
        """How far the polyline may be from the curve."""
        return self.data.error

    @property
    def bare(self) -> Walk:
        """The walk of the same data without smearing."""
        return walk_of(self._evidence)

    @property
    def _evidence(self) -> Tally:
        assert self.tally is not None
        return self.tally

    def at(  # type: ignore[override]
        self,
        threshold: float | None = None,
        *,
        fpr: float | None = None,
        tpr: float | None = None,
        rate: float | None = None,
        prevalence: float | None = None,
    ) -> SmearedPoint:
        """Return the point at a position, or the position at which a rate is reached.

        Positions between two vertices count: the rates are read off the smeared scores. Where a
        rate jumps, as at 0 and 1 with coins, the position is that of the jump.

        Parameters
        ----------
        threshold
            A position on the axis of the smeared scores.
        fpr, tpr
            A false positive rate, or a true positive rate.
        rate
            The share of the items that may be called positive.
        prevalence
            With `rate`: the share of positives. Default: that of the data.
        """
        found = super().at(threshold, fpr=fpr, tpr=tpr, rate=rate, prevalence=prevalence)
        if threshold is not None:
            return self._point(float(threshold))
        position = found.threshold
        if found.other_threshold is not None:
            rates = ((self.fpr, found.fpr), (self.tpr, found.tpr))
            before = min(int(np.searchsorted(each, rate, "right")) for each, rate in rates) - 1
            position = self.data.position_after(before, 1 - found.share)
        return self._point(position, (found.fpr, found.tpr))

    def _point(self, position: float, rates: tuple[float, float] | None = None) -> SmearedPoint:
        """Return the point at a position; its FPR and TPR are computed unless they are known."""
        if rates is None:
            both = self.data.rates(np.array([position]))
            rates = float(both[0][0]), float(both[1][0])
        (fpr, tpr), tally = rates, self._evidence
        count = tpr * tally.total_up + fpr * tally.total_right
        return SmearedPoint(
            position=position, fpr=fpr, tpr=tpr, count=count, interval=interval_of(tally, count)
        )

    def best(  # type: ignore[override]
        self,
        costs: Costs | None = None,
        *,
        slope: float | None = None,
        rate: float | None = None,
        prevalence: float | None = None,
    ) -> SmearedChoice:
        """Return the best point for costs or for a slope, within a budget if there is one.

        Parameters
        ----------
        costs
            The costs of the two kinds of mistakes, as `rocwalk.Costs`.
        slope
            The slope m of lines of equal cost. Default: 1, and 0 with a budget, which asks for the
            highest TPR.
        rate
            A budget: at most this share of the items is called positive, ρ = π⁺·TPR + π⁻·FPR (up
            to `curve_error`). Where the rates jump, as with coins, a threshold may use less of it;
            `at` with ``rate=`` has the randomised rule that uses all.
        prevalence
            With `costs` or `rate`: the share π⁺ of positives where the rule will be used. Default:
            that of the costs, else of the data.

        Examples
        --------
        >>> import rocwalk as rw
        >>> curve = rw.smeared_roc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
        >>> curve.best(slope=3**0.5).interval
        (0.8, 0.9)
        >>> round(curve.best(rate=0.4).point.count, 6)
        2.0
        """
        walk = self.walk
        if prevalence is not None and rate is None and costs is None:
            raise OptionError(
                "has no meaning without costs or a rate.",
                ("it goes with ", Option("costs"), " or ", Option("rate"), "."),
                option="prevalence",
                value=prevalence,
            )
        share = walk.prevalence if prevalence is None else check_prevalence(prevalence)
        if rate is not None and costs is None and slope is None:
            slope = 0.0
        chosen = slope_of(costs, slope, share)
        fpr, tpr, budget = walk.fpr, walk.tpr, None
        if rate is not None:
            used = prevalence if prevalence is not None or costs is None else costs.prevalence
            within = rates_of_calls(walk, used) <= check_rate("rate", rate) + TIE
            fpr, tpr = fpr[within], tpr[within]
            last = self.at(rate=rate, prevalence=used)  # it need not be a vertex
            there = self._point(last.position)
            if max(there.fpr - last.fpr, there.tpr - last.tpr) <= 2 * self.curve_error + TIE:
                budget = last  # else the rates jump over it
                fpr, tpr = np.append(fpr, last.fpr), np.append(tpr, last.tpr)
        ends = []
        for vertex in best_vertices(fpr, tpr, chosen):
            if budget is not None and vertex == len(fpr) - 1:
                ends.append(budget)
                continue
            near = self._best_near(vertex, chosen)
            ends.append(near if budget is None else max(near, budget, key=lambda at: at.position))
        point, other = ends
        apart = max(abs(other.fpr - point.fpr), abs(other.tpr - point.tpr)) > TIE
        cost = None if costs is None else costs.expected(point.fpr, point.tpr, share)
        return SmearedChoice(
            point=point, slope=chosen, tied=other if apart else None, expected_cost=cost
        )

    def _best_near(self, vertex: int, slope: float) -> SmearedPoint:
        """Return the best point near a vertex, which may lie between it and its neighbours."""
        walk = self.walk
        place = float(self.data.best_places(np.array([vertex]), np.array([slope]))[0])
        at_vertex = walk.thresholds[vertex] == place
        rates = float(walk.fpr[vertex]), float(walk.tpr[vertex])
        return self._point(place, rates if at_vertex else None)

    def band(
        self, positions: ArrayLike = None, *, confidence_level: float = 0.95
    ) -> ScoreNoiseBand:
        """Return the band of score noise, with the sampling error beside it.

        Parameters
        ----------
        positions
            Thresholds on the score axis; by default up to 200 of the curve's own.
        confidence_level
            The level of the pointwise limits of score noise.

        Examples
        --------
        >>> import rocwalk as rw
        >>> y, p = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2]
        >>> band = rw.smeared_roc(y, p, kernel="beta", concentration=10).band([0.5])
        >>> band.tpr.round(3).tolist(), band.tpr_noise.round(3).tolist()
        ([0.872], [0.219])
        """
        level = check_level(confidence_level)
        if positions is None:
            own = np.unique(self.thresholds[np.isfinite(self.thresholds)])[::-1]
            places = own[np.unique(np.linspace(0, len(own) - 1, 200).astype(int))]
        else:
            places = as_floats(as_array(positions, "positions"), "positions", InputError)
        return noise_band(self.sample, self.shape, self.closed.amount, places, level)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the smeared curve over the bare one.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.smear.plot import draw_smeared

        return draw_smeared(self.walk, self.bare, self.closed, ax, name=name, **options)

    def plot_family(self, amounts: Sequence[float], ax: Axes | None = None, **options: Any) -> Axes:
        """Draw small multiples: the curve at each of the amounts of smearing and at its own.

        Parameters
        ----------
        amounts
            The amounts of smearing: widths, shares or concentrations, as the kernel takes.
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.smear.plot import draw_family

        shape, data, family = self.shape, self._evidence, []
        own = set() if isinstance(self.closed.amount, np.ndarray) else {self.closed.amount}
        for amount in sorted({*map(shape.check, amounts), *own}):
            sums, drawn = shape.curve(data, amount)
            family.append((drawn.walk, amount, sums.area))
        return draw_family(family, self.bare, ax, target=self.area, symbol=shape.symbol, **options)

    def plot_widths(
        self,
        widths: Sequence[float] = (0, 0.1, 0.3, 1, 2, 4, 8),
        ax: Axes | None = None,
        **options: Any,
    ) -> Axes:
        """Draw small multiples: the curve at each of the widths and at its own, by width.

        Parameters
        ----------
        widths
            The widths.
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        if self.width is None:
            raise OptionError(
                f"The kernel {self.kernel!r} has no width.", "use plot_family with its amounts."
            )
        return self.plot_family(widths, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return super()._headline() | {
            self.shape.parameter: shown_amount(self.closed.amount),
            "kernel": self.kernel,
            "sd_per_width": self.sd_per_width,
            "curve_error": self.curve_error,
        }


def smeared_roc(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    width: float | Literal["matched"] = "matched",
    kernel: KernelName = "uniform",
    sd_per_width: float = 0.5,
    share: float | None = None,
    concentration: ArrayLike = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> SmearedCurve:
    """Return the ROC curve of smeared scores, by default of those smeared to the matched width.

    For the kernels "uniform", "logit" and "coin" the curve is an exact polyline; for the others a
    polyline whose distance from the curve is bounded by `curve_error`. The area is that of
    `rocwalk.smeared_area`, which describes the kernels. The curve of coins, (0, 0)–(m⁻, m⁺)–(1, 1),
    is the one whose area is the probabilistic AUC, for every sample.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1], with both classes. Or one `Tally` that is
        not bucketed.
    width
        d, from 0 to infinity, for kernels that have a width; or "matched", the default, for the
        smallest width at which the area equals the probabilistic AUC. That raises an error which
        names the nearest width if none matches.
    kernel
        "uniform" (a segment of width d), "normal", "logit" (a segment in log-odds), "logit-normal",
        "coin" or "beta".
    sd_per_width
        The standard deviation of the normal kernels in widths; ½ by default, as the paper says.
    share
        λ, from 0 to 1, for the kernel "coin" only: the share of the mass that becomes coins; 1 by
        default.
    concentration
        κ, for the kernel "beta" only: a number from 0 to infinity, one positive number for each
        row, or "matched" for the largest that makes the area equal to the probabilistic AUC, if any
        does.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Returns
    -------
    SmearedCurve
        `.fpr .tpr .thresholds .area .curve_error .hull .at() .best() .band() .plot()`, and the
        amount of smearing as `.width`, `.share` or `.concentration`.

    References
    ----------
    Ferri, Flach, Hernández-Orallo, Senad (2005), section 2, "pROC" curves.

    Examples
    --------
    >>> import rocwalk as rw
    >>> curve = rw.smeared_roc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    >>> round(curve.width, 6), round(curve.area, 6)
    (1.66094, 0.658333)
    >>> coin = rw.smeared_roc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2], kernel="coin")
    >>> coin.fpr.round(6).tolist(), coin.tpr.tolist(), round(coin.area, 6)
    ([0.0, 0.433333, 1.0], [0.0, 0.75, 1.0], 0.658333)
    """
    shape = kernel_named(kernel, sd_per_width)
    given: dict[str, Any] = {"width": width, "share": share, "concentration": concentration}
    if not isinstance(shape, WidthKernel) and isinstance(width, str) and width == "matched":
        given["width"] = None  # the default
    amount = amount_of(shape, given, can_match=True)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    evidence = data if isinstance(data, Tally) else data.tally()
    refuse_one_class(walk_of(evidence))
    sides = both_sides_of(evidence)
    amount = matched(shape, sides) if isinstance(amount, str) else shape.fitted(amount, data)
    sums, drawn = shape.curve(data, amount)
    area = SmearedArea(sums.area, shape, amount, sums.error)
    return SmearedCurve(drawn.walk, evidence, closed=area, data=drawn, sample=data)


def matched(kernel: Kernel, sides: Sides) -> float:
    """Return the least amount of smearing at which the area is the probabilistic AUC, or raise."""
    if isinstance(kernel, Beta):
        found = match_concentration(sides)
        amount, nearest, gap = found.concentration, found.nearest_concentration, found.gap
    else:
        assert isinstance(kernel, WidthKernel)
        width = match(sides, kernel)
        amount, nearest, gap = width.width, width.nearest_width, width.gap
    if amount is None:
        raise OptionError(
            f"No {kernel.parameter} makes the area equal to the probabilistic AUC of "
            f"{sides.probabilistic_auc:.6g}: the nearest, {nearest!r}, misses it by {gap:+.6g}.",
            f"pass {kernel.parameter}={nearest!r} to draw the nearest curve.",
        )
    return amount


def interval_of(tally: Tally, count: float) -> tuple[float, float]:
    """Return the scores (low, high) between which a cut leaves this much mass above it.

    For counts the nearest whole number k = floor(count + ½) of rows; for masses the cumulative
    mass nearest to the count, ties to the smaller. Equal scores cannot be cut (Ferri et al.,
    section 3.3).
    """
    if tally.is_counts:
        scores = np.repeat(tally.scores, tally.up + tally.right)
        k = min(max(math.floor(count + 0.5), 0), len(scores))
    else:
        scores = tally.scores
        mass = np.append(0.0, np.cumsum(tally.up + tally.right, dtype=np.float64))
        k = int(np.argmin(np.abs(mass - count)))
    return (
        -math.inf if k == len(scores) else float(scores[k]),
        math.inf if k == 0 else float(scores[k - 1]),
    )
