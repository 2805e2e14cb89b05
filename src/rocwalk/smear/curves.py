"""The smeared ROC curve: the walk of distributions instead of points.

At a position t on the score axis, TPR(t) and FPR(t) are the mean survival functions of the smeared
scores of each class. For the uniform kernel both are straight between the positions s ± d/2, so
the curve is an exact polyline. For the normal kernel it is drawn through points close enough that
the distance between the polyline and the curve is bounded, and the bound is given. See
docs/mathematics.rst, Smearing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from rocwalk.curves.area import area as area_of
from rocwalk.curves.choices import TIE, Costs, best_vertices, slope_of
from rocwalk.curves.hull import hull as hull_of
from rocwalk.curves.roc import Curve
from rocwalk.errors import OptionError
from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.smear.areas import Kernel, SmearedArea, check_width
from rocwalk.smear.normal import REACH, derivatives
from rocwalk.smear.sides import all_between, both_sides_of, running_sum
from rocwalk.smear.widths import match
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, refuse_one_class, walk_of
from rocwalk.typing import ArrayLike, FloatArray, Invalid, KernelName, Truth

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


_HALVINGS = 60


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
    data: SmearedWalk = field(kw_only=True)

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
        """The area − the bound on its error, the area, and the area + the bound."""
        error = self.closed.error_bound
        return max(self.area - error, 0.0), self.area, min(self.area + error, 1.0)

    @cached_property
    def hull(self) -> SmearedCurve:
        """The upper convex hull: strict vertices with their positions on the score axis."""
        walk = hull_of(self.walk)
        over = SmearedArea(area_of(walk), self.width, self.kernel, self.closed.error_bound)
        drawn = SmearedWalk(walk, self.data.error, straight=True)
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

        Positions between two vertices count: the rates are read off the smeared scores.
        """
        found = super().at(threshold, fpr=fpr, tpr=tpr, rate=rate, prevalence=prevalence)
        if threshold is not None:
            return self._point(float(threshold))
        position = found.threshold
        if found.other_threshold is not None and math.isfinite(found.other_threshold):
            upper = position if math.isfinite(position) else found.other_threshold
            position = found.share * upper + (1 - found.share) * found.other_threshold
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
        self, costs: Costs | None = None, *, slope: float | None = None
    ) -> SmearedChoice:
        """Return the best point for costs or for a slope; for slope 1 without either.

        >>> import rocwalk as rw
        >>> curve = rw.smeared_roc([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
        >>> curve.best(slope=3**0.5).interval
        (0.8, 0.9)
        """
        walk, sources = self.walk, self.data.sources
        chosen = slope_of(costs, slope, walk.prevalence)
        ends = []
        for index in best_vertices(walk.fpr, walk.tpr, chosen):
            position = float(walk.thresholds[index])
            if sources is not None and not math.isinf(chosen):
                position = self._best_position(sources, index, chosen)
            at_vertex = walk.thresholds[index] == position
            rates = float(walk.fpr[index]), float(walk.tpr[index])
            ends.append(self._point(position, rates if at_vertex else None))
        point, other = ends
        apart = max(abs(other.fpr - point.fpr), abs(other.tpr - point.tpr)) > TIE
        cost = None if costs is None else costs.expected(point.fpr, point.tpr, walk.prevalence)
        return SmearedChoice(
            point=point, slope=chosen, tied=other if apart else None, expected_cost=cost
        )

    def _best_position(self, sources: NormalScores, index: int, slope: float) -> float:
        """Return the maximum near a vertex by bisection: there TPR falls m times as fast as FPR."""
        positions = self.walk.thresholds
        low = float(positions[min(index + 1, len(positions) - 1)])
        high = float(positions[max(index - 1, 1)])
        if not low < high:
            return float(positions[index])
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            fpr_fall, tpr_fall = sources.densities(np.array([middle]))
            if float(tpr_fall[0]) > slope * float(fpr_fall[0]):
                high = middle  # towards lower positions the gain still rises
            else:
                low = middle
        return (low + high) / 2

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the smeared curve over the bare one."""
        from rocwalk.smear.plot import draw_smeared

        return draw_smeared(self.walk, self.bare, self.closed, ax, name=name, **options)

    def plot_widths(
        self,
        widths: Sequence[float] = (0, 0.1, 0.3, 1, 2, 4, 8),
        ax: Axes | None = None,
        **options: Any,
    ) -> Axes:
        """Draw small multiples: the curve at each of the widths and at its own, by width."""
        from rocwalk.smear.plot import draw_family

        family = []
        for width in sorted({*(check_width(one) for one in widths), self.width}):
            walk = smeared_walk(self._evidence, self.shape, width).walk
            sides = both_sides_of(self._evidence)
            family.append((walk, width, self.shape.sums(sides, width).area))
        return draw_family(family, self.bare, ax, target=self.area, **options)

    def _headline(self) -> dict[str, Any]:
        return super()._headline() | {
            "width": self.width,
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
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> SmearedCurve:
    """Return the ROC curve of scores smeared to a width, by default the matched one.

    For the uniform kernel the curve is an exact polyline with vertices at s ± d/2; for the normal
    kernel a polyline whose distance from the curve is bounded by `curve_error`. The area is that
    of `rocwalk.smeared_area`.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1], with both classes. Or one `Tally` that is
        not bucketed.
    width
        d, from 0 to infinity; or "matched" for the smallest width at which the area equals the
        probabilistic AUC. That raises an error which names the nearest width if none matches.
    kernel
        "uniform" (a segment of width d) or "normal".
    sd_per_width
        The standard deviation of the normal kernel in widths; ½ by default, as in the paper's text.
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
        `.fpr .tpr .thresholds .area .width .curve_error .hull .at() .best() .plot()`.

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
        raise OptionError(
            "is not known.", 'width is a number or "matched".', option="width", value=width
        )
    d = None if isinstance(width, str) else check_width(width)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    evidence = data if isinstance(data, Tally) else data.tally()
    refuse_one_class(walk_of(evidence))
    sides = both_sides_of(evidence)
    if d is None:
        found = match(sides, shape)
        if found.width is None:
            raise OptionError(
                f"No width makes the area equal to the probabilistic AUC of {found.target:.6g}: "
                f"the nearest, {found.nearest_width!r}, misses it by {found.gap:+.6g}.",
                f"pass width={found.nearest_width!r} to draw the nearest curve.",
            )
        d = found.width
    sums = shape.sums(sides, d)
    drawn = smeared_walk(evidence, shape, d)
    area = SmearedArea(sums.area, d, kernel, sums.error)
    return SmearedCurve(drawn.walk, evidence, shape=shape, width=d, closed=area, data=drawn)


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


# -- the walk of smeared scores --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SmearedWalk:
    """A smeared walk, how far it may be from the curve, and the rates at any position.

    Between two points the rates are straight lines (`straight`), those of the normal `sources`,
    or those of the point before: the walk without smearing.
    """

    walk: Walk
    error: float = 0.0
    straight: bool = False
    sources: NormalScores | None = None

    def rates(self, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return FPR and TPR at positions on the score axis."""
        walk = self.walk
        if self.sources is not None:
            return self.sources.rates(positions)
        if walk.thresholds[-1] == -math.inf:  # smeared without limit: half of everything is above
            half = np.where(np.isinf(positions), np.where(positions > 0, 0.0, 1.0), 0.5)
            return half, half.copy()
        if not self.straight:
            index = np.searchsorted(-walk.thresholds, -positions, "right") - 1
            return walk.fpr[index], walk.tpr[index]
        ascending = walk.thresholds[:0:-1]
        return (
            np.interp(positions, ascending, walk.fpr[:0:-1], left=1.0, right=0.0),
            np.interp(positions, ascending, walk.tpr[:0:-1], left=1.0, right=0.0),
        )


def smeared_walk(tally: Tally, kernel: Kernel, width: float) -> SmearedWalk:
    """Return the walk of a tally whose scores are smeared to a width."""
    if width == 0 or (not kernel.is_uniform and kernel.spread(width) < 1e-150):
        return SmearedWalk(walk_of(tally))
    if width >= 1e150:
        ends = np.array([math.inf, -math.inf])
        return SmearedWalk(_walk(tally, ends, np.array([0.0, 1.0]), np.array([0.0, 1.0])))
    return _uniform(tally, width) if kernel.is_uniform else _normal(tally, kernel, width)


def _walk(tally: Tally, positions: FloatArray, tpr: FloatArray, fpr: FloatArray) -> Walk:
    """Return the walk through the rates; it ends exactly at the totals."""
    totals = float(tally.total_up), float(tally.total_right)
    up, right = np.clip(tpr, 0, 1) * totals[0], np.clip(fpr, 0, 1) * totals[1]
    for mass, total in ((up, totals[0]), (right, totals[1])):
        mass[0], mass[-1] = 0.0, total
    return Walk(positions, up, right, tally.prevalence)


def _uniform(tally: Tally, width: float) -> SmearedWalk:
    """Return the exact polyline: a score begins to count at s + d/2, in full from s − d/2 on."""
    owner = np.concatenate((tally.scores, tally.scores))
    half = np.repeat([0.5, -0.5], len(tally))
    order = np.argsort(-(owner + half * width), kind="stable")
    owner, half = owner[order], half[order]
    # the distance of two neighbours, from their scores rather than from their rounded positions
    # (beyond one width no score is being entered, so larger distances need not be told apart)
    with np.errstate(over="ignore"):
        distance = np.clip((owner[:-1] - owner[1:]) / width + (half[:-1] - half[1:]), 0.0, 1.0)
    rates = []
    for mass in (tally.up, tally.right):
        entered = np.cumsum(np.concatenate((mass, -mass))[order])[:-1]  # after each event
        share = np.maximum(entered / mass.sum(), 0.0)
        rates.append(np.concatenate(([0.0, 0.0], running_sum(share * distance))))
    positions = np.concatenate(([np.inf], owner + half * width))
    kept = np.append(positions[1:] != positions[:-1], True)
    return SmearedWalk(_walk(tally, positions[kept], rates[0][kept], rates[1][kept]), straight=True)


_STEEPEST = 0.2420  # sup |φ′|
_GOAL = 1e-6
_MOST_POINTS = 20_000


def _normal(tally: Tally, kernel: Kernel, width: float) -> SmearedWalk:
    """Add points until no chord is further than the goal from the curve, or there are too many.

    Both rates are monotone, so the curve stays in the box of a chord; and each rate is within
    step²/8·sup|F″| of the straight line, |F″| ≤ sup|φ′|/σ².
    """
    spread = kernel.sd_per_width * width
    sources, rounding = NormalScores.of(tally, spread)
    first, last = float(tally.scores[0]), float(tally.scores[-1])
    span = first - last + 2 * REACH * spread
    count = min(math.ceil(8 * span / spread), _MOST_POINTS // 8)
    positions = np.linspace(first + REACH * spread, last - REACH * spread, count + 1)
    if len(tally) <= _MOST_POINTS // 8:
        positions = np.unique(np.append(positions, tally.scores))[::-1]
    fpr, tpr = sources.rates(positions)
    while True:
        box = np.abs(np.minimum(np.diff(fpr), np.diff(tpr)))
        distance = np.minimum(box, np.diff(positions / spread) ** 2 / 8 * _STEEPEST)
        wide = np.flatnonzero(distance > _GOAL)
        room = _MOST_POINTS - len(positions)
        if not len(wide) or room <= 0:
            break
        wide = np.sort(wide[np.argsort(-distance[wide], kind="stable")[:room]])
        added = (positions[wide] + positions[wide + 1]) / 2
        more_fpr, more_tpr = sources.rates(added)
        positions = np.insert(positions, wide + 1, added)
        fpr, tpr = np.insert(fpr, wide + 1, more_fpr), np.insert(tpr, wide + 1, more_tpr)
    positions = np.append(np.inf, positions)
    rising = [np.maximum.accumulate(np.append(0.0, rate)) for rate in (tpr, fpr)]
    error = float(distance.max()) + rounding
    return SmearedWalk(_walk(tally, positions, *rising), error, sources=sources)


_NEAR_PAIRS = 2**22
_BINS_PER_DEVIATION = 64


@dataclass(frozen=True, eq=False)
class NormalScores:
    """Scores in increasing order, or bins of them with moments, and the spread σ around them.

    Row m of `up` and `right` is the m-th moment of the class's share about the place, over m!,
    in units of σ.
    """

    places: FloatArray
    up: FloatArray
    right: FloatArray
    spread: float

    @staticmethod
    def of(tally: Tally, spread: float) -> tuple[NormalScores, float]:
        """Return the scores, or bins of them where there are many, and the error of a rate."""
        scores = tally.scores[::-1]
        shares = [mass[::-1] / mass.sum() for mass in (tally.up, tally.right)]
        step = spread / _BINS_PER_DEVIATION
        index = np.floor((scores - scores[0]) / step)
        starts = np.flatnonzero(np.diff(index, prepend=-1.0))
        if 4 * len(starts) > len(scores):
            return NormalScores(scores, shares[0][None], shares[1][None], spread), 1e-14
        places = scores[0] + (index[starts] + 0.5) * step
        offset = (scores - np.repeat(places, np.diff(np.append(starts, len(scores))))) / spread
        moments = [
            np.stack([np.add.reduceat(s * offset**m, starts) / math.factorial(m) for m in range(4)])
            for s in shares
        ]
        # Taylor's fourth term: half a bin to the fourth over 4!, times sup |φ‴| < 1.39
        error = (0.5 / _BINS_PER_DEVIATION) ** 4 / 24 * 1.39
        return NormalScores(places, moments[0], moments[1], spread), error + 1e-14

    @cached_property
    def above(self) -> FloatArray:
        """The shares of both classes from each place on; one more column for none."""
        sums = np.stack([self.up[0], self.right[0]])[:, ::-1].cumsum(axis=1)[:, ::-1]
        return np.concatenate((sums, np.zeros((2, 1))), axis=1)

    def rates(self, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return FPR and TPR at the positions."""
        return self._sums(positions, 0)

    def densities(self, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how fast FPR and TPR fall with the position, in units of 1/σ."""
        return self._sums(positions, 1)

    def _sums(self, positions: FloatArray, derivative: int) -> tuple[FloatArray, FloatArray]:
        low = np.searchsorted(self.places, positions - REACH * self.spread, "left")
        high = np.searchsorted(self.places, positions + REACH * self.spread, "right")
        shares = self.above[:, high] if derivative == 0 else np.zeros((2, len(positions)))
        done = 0
        while done < len(positions):
            sums = np.cumsum(high[done:] - low[done:])
            stop = done + max(int(np.searchsorted(sums, _NEAR_PAIRS, "right")), 1)
            part = slice(done, stop)
            row, column = all_between(low[part], high[part])
            z = (self.places[column] - positions[part][row]) / self.spread
            shapes = derivatives(z, len(self.up) - 1 + derivative)[derivative:]
            if derivative == 0:
                shapes[0] += 0.5
            for k, moments in enumerate((self.up, self.right)):
                terms = sum(shape * moments[m, column] for m, shape in enumerate(shapes))
                shares[k, part] += np.bincount(row, terms, stop - done)
            done = stop
        return shares[1], shares[0]
