"""The smeared ROC curve: the walk of distributions instead of points (SPEC §3).

At a position t on the score axis, TPR(t) and FPR(t) are the mean survival functions of the smeared
scores of each class. For the uniform kernel both are straight between the positions s ± d/2, so
the curve is an exact polyline. For the normal kernel it is drawn through points close enough that
the distance between the polyline and the curve is bounded, and the bound stated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from rocwalk.curves.area import area as area_of
from rocwalk.curves.hull import hull as hull_of
from rocwalk.curves.operating_points import TIE, Costs, best_vertices, slope_of
from rocwalk.curves.roc import Curve
from rocwalk.errors import OptionError
from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.smear.areas import Kernel, SmearedArea, check_width
from rocwalk.smear.normal import derivatives
from rocwalk.smear.sides import all_between, both_sides_of, running_sum
from rocwalk.smear.widths import Match, match
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk, refuse_one_class, walk_of
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, IntArray, Invalid, KernelName, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_REACH = 8.5  # standard deviations beyond which nothing is left to 1e-17


_STEEPEST = 0.2420  # sup |φ′|


_GOAL = 1e-6


_MOST_POINTS = 20_000


_NEAR_PAIRS = 2**22


_BINS_PER_DEVIATION = 64


@dataclass(frozen=True, eq=False)
class Sources:
    """Scores in increasing order, or bins of them with moments, and the spread σ around them.

    Row m of `up` and `right` is the m-th moment of the class's share about the place, over m!,
    in units of σ.
    """

    places: FloatArray
    up: FloatArray
    right: FloatArray
    spread: float

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
        low = np.searchsorted(self.places, positions - _REACH * self.spread, "left")
        high = np.searchsorted(self.places, positions + _REACH * self.spread, "right")
        shares = self.above[:, high] if derivative == 0 else np.zeros((2, len(positions)))
        done = 0
        while done < len(positions):
            sums = np.cumsum(high[done:] - low[done:])
            stop = done + max(int(np.searchsorted(sums, _NEAR_PAIRS, "right")), 1)
            part = slice(done, stop)
            shares[:, part] += self._near(positions[part], low[part], high[part], derivative)
            done = stop
        return shares[1], shares[0]

    def _near(
        self, positions: FloatArray, low: IntArray, high: IntArray, derivative: int
    ) -> FloatArray:
        row, column = all_between(low, high)
        z = (self.places[column] - positions[row]) / self.spread
        shapes = derivatives(z, len(self.up) - 1 + derivative)[derivative:]
        if derivative == 0:
            shapes[0] += 0.5
        both = []
        for moments in (self.up, self.right):
            terms = sum(shape * moments[m, column] for m, shape in enumerate(shapes))
            both.append(np.bincount(row, terms, len(positions)))
        return np.stack(both)


@dataclass(frozen=True, eq=False)
class Smeared:
    """A smeared walk, how far it may be from the curve, and the rates at any position.

    Between two points the rates are straight lines (`straight`), those of the normal `sources`,
    or those of the point before: the bare walk.
    """

    walk: Walk
    error: float = 0.0
    straight: bool = False
    sources: Sources | None = None

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


def smeared(tally: Tally, kernel: Kernel, width: float) -> Smeared:
    """Walk a tally whose scores are smeared."""
    if width == 0 or (not kernel.is_uniform and kernel.spread(width) < 1e-150):
        return Smeared(walk_of(tally))
    if width >= 1e150:
        ends = np.array([math.inf, -math.inf])
        return Smeared(_walk(tally, ends, np.array([0.0, 1.0]), np.array([0.0, 1.0])))
    return _uniform(tally, width) if kernel.is_uniform else _normal(tally, kernel, width)


def _walk(tally: Tally, positions: FloatArray, tpr: FloatArray, fpr: FloatArray) -> Walk:
    """Return the walk through the rates, ending exactly at the totals."""
    totals = float(tally.total_up), float(tally.total_right)
    up, right = np.clip(tpr, 0, 1) * totals[0], np.clip(fpr, 0, 1) * totals[1]
    for mass, total in ((up, totals[0]), (right, totals[1])):
        mass[0], mass[-1] = 0.0, total
    return Walk(positions, up, right, tally.prevalence)


# -- uniform -------------------------------------------------------------------------------------


def _uniform(tally: Tally, width: float) -> Smeared:
    """A score begins to count at s + d/2 and counts in full from s − d/2 on."""
    owner = np.concatenate((tally.scores, tally.scores))
    half = np.repeat([0.5, -0.5], len(tally))
    order = np.argsort(-(owner + half * width), kind="stable")
    owner, half = owner[order], half[order]
    # the distance of two neighbours, from their scores rather than from their rounded positions
    # (beyond one width nothing is active, so more need not be told apart)
    with np.errstate(over="ignore"):
        distance = np.clip((owner[:-1] - owner[1:]) / width + (half[:-1] - half[1:]), 0.0, 1.0)
    rates = [
        np.concatenate(([0.0, 0.0], running_sum(_active(mass, order) * distance)))
        for mass in (tally.up, tally.right)
    ]
    positions = np.concatenate(([np.inf], owner + half * width))
    kept = np.append(positions[1:] != positions[:-1], True)
    walk = _walk(tally, positions[kept], rates[0][kept], rates[1][kept])
    return Smeared(walk, straight=True)


def _active(mass: AnyArray, order: IntArray) -> FloatArray:
    """Return the share of a class that is being entered after each event but the last."""
    signed = np.concatenate((mass, -mass))[order]
    share: FloatArray = np.maximum(np.cumsum(signed)[:-1] / mass.sum(), 0.0)
    return share


# -- normal --------------------------------------------------------------------------------------


def _sources(tally: Tally, spread: float) -> tuple[Sources, float]:
    """Return the scores, or bins of them where there are many, and the error of a rate."""
    scores = tally.scores[::-1]
    shares = [mass[::-1] / mass.sum() for mass in (tally.up, tally.right)]
    step = spread / _BINS_PER_DEVIATION
    index = np.floor((scores - scores[0]) / step)
    starts = np.flatnonzero(np.diff(index, prepend=-1.0))
    if 4 * len(starts) > len(scores):
        return Sources(scores, shares[0][None], shares[1][None], spread), 1e-14
    places = scores[0] + (index[starts] + 0.5) * step
    offset = (scores - np.repeat(places, np.diff(np.append(starts, len(scores))))) / spread
    moments = [
        np.stack([np.add.reduceat(s * offset**m, starts) / math.factorial(m) for m in range(4)])
        for s in shares
    ]
    # the fourth term of Taylor's series: half a bin to the fourth over 4!, times sup |φ‴| < 1.39
    error = (0.5 / _BINS_PER_DEVIATION) ** 4 / 24 * 1.39
    return Sources(places, moments[0], moments[1], spread), error + 1e-14


def _normal(tally: Tally, kernel: Kernel, width: float) -> Smeared:
    """Lay points until no chord is further than the goal from the curve, or there are too many."""
    spread = kernel.sd_per_width * width
    sources, rounding = _sources(tally, spread)
    first, last = float(tally.scores[0]), float(tally.scores[-1])
    span = first - last + 2 * _REACH * spread
    count = min(math.ceil(8 * span / spread), _MOST_POINTS // 8)
    positions = np.linspace(first + _REACH * spread, last - _REACH * spread, count + 1)
    if len(tally) <= _MOST_POINTS // 8:
        positions = np.unique(np.append(positions, tally.scores))[::-1]
    fpr, tpr = sources.rates(positions)
    while True:
        distance = _distances(positions, fpr, tpr, spread)
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
    return Smeared(_walk(tally, positions, *rising), error, sources=sources)


def _distances(
    positions: FloatArray, fpr: FloatArray, tpr: FloatArray, spread: float
) -> FloatArray:
    """Bound the distance of each chord from the curve.

    Both rates are monotone, so the curve stays in the chord's box; and each is within
    step²/8·sup|F″| of the straight line, |F″| ≤ sup|φ′|/σ².
    """
    box = np.minimum(np.diff(fpr), np.diff(tpr))
    return np.minimum(np.abs(box), np.diff(positions / spread) ** 2 / 8 * _STEEPEST)


# -- choose a point on a smeared curve, and read it back as an interval of original scores ---------


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
