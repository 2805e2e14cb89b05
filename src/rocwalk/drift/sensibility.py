"""Sensibility analysis: do the probabilities fall on the right side of the midpoint?

The midpoint is half the sum of the scores over the positive mass. Positives at or above it and
negatives below it are *sensible*, the others are not; the ratio of non-sensible to sensible mass is
the struggle ratio. The accuracy on either mass, by threshold, is a step curve. See Klement,
Japkowicz & Matwin (2009) and docs/mathematics.rst, Sensibility and drift.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import as_number
from rocwalk.drift.struggle_bounds import REACH, WEIGHT, blurred_struggle
from rocwalk.errors import OptionError, TallyError, UndefinedMetricWarning, warn
from rocwalk.inference.influence import (
    Estimate,
    Influence,
    estimate_by,
    items_per_mass,
    linear_blur,
    row_means,
    variance_of,
    variance_range,
)
from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.statistic import POSITIVE, Places, Statistic, register
from rocwalk.tally.tally import Tally, read_only, refuse_other_scores
from rocwalk.tally.walk import (
    EXACT_TALLY,
    Walk,
    columns_in_order,
    in_order,
    index_above,
    index_at,
    inside_steps,
    refuse_one_class,
    slack_of,
    walk_of,
)
from rocwalk.typing import AnyArray, ArrayLike, Bounds, FloatArray, Invalid, MassArray, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TIE = 1e-12  # a score as near as this to the midpoint, relatively, lies at it


def midpoint(tally: Tally) -> float:
    """Return t_s = Σw·p / (2·Σw·f); NaN without positive mass.

    The rows of a tally are in order, so the order of the data does not matter.
    """
    total = float(tally.up_score.sum() + tally.right_score.sum())
    return total / (2 * tally.total_up) if tally.total_up > 0 else math.nan


@dataclass(frozen=True, eq=False)
class Split:
    """A walk, its midpoint, and the number of rows at or above the midpoint.

    Where the midpoint lies inside a bucket, an unknown part of either of its masses is above it.
    This split then takes half of both, and `corners` are the splits with none or all of each.
    Every number here rises or falls with each of the two parts, so it lies between the corners'.
    """

    walk: Walk
    midpoint: float
    above: int
    corners: tuple[Split, ...] = ()

    @property
    def sensible(self) -> float:
        """The mass on the right side: positives at or above the midpoint, negatives below."""
        up, right = self.walk.up, self.walk.right
        return float(up[self.above] + right[-1] - right[self.above])

    @property
    def other(self) -> float:
        """The mass on the wrong side."""
        up, right = self.walk.up, self.walk.right
        return float(right[self.above] + up[-1] - up[self.above])

    @property
    def struggle_ratio(self) -> float:
        """The mass on the wrong side over that on the right side; infinite if none is right.

        The middle of its bounds where the midpoint lies inside a bucket.
        """
        if self.corners:
            ratios = [corner.struggle_ratio for corner in self.corners]
            return (min(ratios) + max(ratios)) / 2
        return self.other / self.sensible if self.sensible > 0 else math.inf

    @property
    def sensible_bounds(self) -> Bounds:
        """The lowest, the middle and the highest mass on the right side; equal unless bucketed."""
        return self._bounds(lambda split: split.sensible)

    @property
    def other_bounds(self) -> Bounds:
        """The lowest, the middle and the highest mass on the wrong side."""
        return self._bounds(lambda split: split.other)

    @property
    def struggle_ratio_bounds(self) -> Bounds:
        """The lowest, the middle and the highest struggle ratio."""
        return self._bounds(lambda split: split.struggle_ratio)

    def _bounds(self, number: Callable[[Split], float]) -> Bounds:
        found = [number(split) for split in self.corners or (self,)]
        return in_order(min(found), number(self), max(found))

    @cached_property
    def sensibility_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the middle and the highest sensibility at each threshold of the walk."""
        return self._columns(lambda split: split.sensibility)

    @cached_property
    def capability_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the middle and the highest capability at each threshold of the walk."""
        return self._columns(lambda split: split.capability)

    def _columns(
        self, column: Callable[[Split], FloatArray]
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        found = np.stack([column(split) for split in self.corners or (self,)])
        low, high = np.fmin.reduce(found), np.fmax.reduce(found)  # NaN only if all are
        return columns_in_order(low, column(self), high)

    @cached_property
    def sensibility(self) -> FloatArray:
        """The accuracy on the sensible mass at each threshold of the walk; NaN if there is none."""
        up, right, h = self.walk.up, self.walk.right, self.above
        whole = right[-1]
        return self._joined(
            up[: h + 1] + (whole - right[h]), up[h] + (whole - right[h + 1 :]), self.sensible
        )

    @cached_property
    def capability(self) -> FloatArray:
        """The accuracy on the other mass at each threshold of the walk; NaN if there is none."""
        up, right, h = self.walk.up, self.walk.right, self.above
        return self._joined(right[h] - right[: h + 1], up[h + 1 :] - up[h], self.other)

    def _joined(self, above: MassArray, below: MassArray, whole: float) -> FloatArray:
        """Return the accuracy on a mass at thresholds above and below the midpoint."""
        shares = np.empty(len(self.walk))
        if not whole > 0:
            shares.fill(np.nan)
        else:
            np.divide(above, whole, out=shares[: len(above)])
            np.divide(below, whole, out=shares[len(above) :])
        return read_only(shares)

    def at(self, threshold: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return sensibility and capability of the rules "score ≥ threshold"."""
        place = index_at(self.walk, threshold)
        return self.sensibility[place], self.capability[place]

    def bounds_at(self, threshold: float) -> tuple[Bounds, Bounds]:
        """Return the bounds of sensibility and capability of one rule "score ≥ threshold".

        On either side of the midpoint both only rise or only fall with the threshold, and no step
        crosses it, so inside a bucket they lie between their values at its two ends.
        """
        asked = np.array([threshold])
        index = index_above(self.walk, asked)
        cut = not self.walk.is_exact and bool(inside_steps(self.walk, index, asked)[0])
        ends = [int(index[0]), int(index[0]) + 1] if cut else [int(index_at(self.walk, asked)[0])]
        return _at(self.sensibility_bounds, ends), _at(self.capability_bounds, ends)


def _at(columns: tuple[FloatArray, FloatArray, FloatArray], ends: list[int]) -> Bounds:
    low, middle, high = (column[ends] for column in columns)
    return in_order(low.min(), middle.mean(), high.max())


def split_of(tally: Tally, at: float | None = None) -> Split:
    """Split a tally of probabilities at its own midpoint, or at another.

    A midpoint inside a bucket raises an error; `bounded_split` returns bounds instead.
    """
    middle, above, is_open = _place(tally, at, _TIE)
    if is_open:
        raise TallyError(
            f"The midpoint {middle:g} lies inside a bucket of this bucketed tally, "
            f"{tally.scores[above]:g} to {tally.highest[above]:g}.",
            f"{EXACT_TALLY}; or pass midpoint=, an end of a bucket.",
        )
    return Split(walk_of(tally), middle, above)


def bounded_split(tally: Tally, at: float | None = None) -> Split:
    """Split a tally; inside a bucket, with the corners of possible splits.

    A midpoint that the caller gives is taken to the last bit; the tally's own is a quotient of
    sums, so a score within its rounding lies at it.
    """
    middle, above, is_open = _place(tally, at, _TIE if at is None else 0.0)
    walk = walk_of(tally)
    if not is_open:
        return Split(walk, middle, above)
    corners = tuple(
        Split(_cut(walk, middle, above, up, right), middle, above + 1)
        for up in (0.0, 1.0)
        for right in (0.0, 1.0)
    )
    return Split(_cut(walk, middle, above, 0.5, 0.5), middle, above + 1, corners)


def _place(tally: Tally, at: float | None, tie: float) -> tuple[float, int, bool]:
    """Return the midpoint, the rows wholly at or above it, and whether it cuts the next one."""
    refuse_other_scores(tally)
    middle = midpoint(tally) if at is None else at
    reach = middle - tie * abs(middle)
    above = int(np.count_nonzero(tally.scores >= reach))
    is_open = tally.is_bucketed and above < len(tally) and bool(tally.highest[above] >= reach)
    return middle, above, is_open


def _cut(walk: Walk, middle: float, above: int, up: float, right: float) -> Walk:
    """Return the walk with one more point: the midpoint, with shares of its bucket's masses."""
    highest = walk.thresholds if walk.highest is None else walk.highest
    end = above + 1  # the point at which the bucket ends
    place = min(middle, float(highest[end]))
    tops = np.insert(highest, end, highest[end])
    tops[end + 1] = np.nextafter(place, -np.inf)
    masses = [
        np.insert(mass.astype(np.float64), end, mass[above] + share * (mass[end] - mass[above]))
        for mass, share in ((walk.up, up), (walk.right, right))
    ]
    return replace(
        walk, thresholds=np.insert(walk.thresholds, end, place), up=masses[0], right=masses[1],
        highest=tops,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class SensibilityPoint(Result):
    """Sensibility and capability at a threshold; from `Sensibility.at`.

    The bounds are the lowest, the given and the highest value; equal unless bucketed.
    """

    threshold: float
    sensibility: float
    capability: float
    sensibility_bounds: Bounds
    capability_bounds: Bounds

    def _headline(self) -> dict[str, Any]:
        numbers = ("threshold", "sensibility", "capability")
        bounds = ("sensibility_bounds", "capability_bounds")
        apart = [name for name in bounds if getattr(self, name)[0] < getattr(self, name)[2]]
        return {name: getattr(self, name) for name in (*numbers, *apart)}


@dataclass(frozen=True, eq=False, repr=False)
class Sensibility(Result):
    """The midpoint, the struggle ratio, and two curves; make one with `rocwalk.sensibility`.

    The midpoint is exact from buckets too. Where it lies inside one, the rest has bounds.
    """

    split: Split

    @property
    def midpoint(self) -> float:
        """t_s: half the sum of the scores over the positive mass, or the one that was given."""
        return self.split.midpoint

    @property
    def struggle_ratio(self) -> float:
        """Mass on the wrong side of the midpoint over mass on the right side; lower is better."""
        return self.split.struggle_ratio

    @property
    def struggle_ratio_bounds(self) -> Bounds:
        """The lowest, the middle and the highest struggle ratio; equal unless bucketed."""
        return self.split.struggle_ratio_bounds

    @property
    def thresholds(self) -> FloatArray:
        """Decreasing thresholds, the first is +inf; predict positive when score ≥ threshold."""
        return self.split.walk.thresholds

    @property
    def sensibility(self) -> FloatArray:
        """The accuracy on the sensible mass at each threshold."""
        return self.split.sensibility

    @property
    def capability(self) -> FloatArray:
        """The accuracy on the other mass at each threshold."""
        return self.split.capability

    @property
    def sensibility_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the middle and the highest sensibility at each threshold."""
        return self.split.sensibility_bounds

    @property
    def capability_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the middle and the highest capability at each threshold."""
        return self.split.capability_bounds

    @property
    def sentence(self) -> str:
        """The numbers in words."""
        words = (
            f"Midpoint {self.midpoint:.3f}: for every sensible item, one on the right side of it, "
            f"there are {self.struggle_ratio:.3f} on the wrong side."
        )
        if not self.split.corners:
            return words
        off = slack_of(self.struggle_ratio_bounds)
        return f"{words} Scores are bucketed: this is within ± {off:.2g} of the exact value."

    def at(self, threshold: float) -> SensibilityPoint:
        """Return sensibility and capability of the rule "score ≥ threshold".

        >>> import rocwalk as rw
        >>> found = rw.sensibility([1, 1, 0, 1, 0], [0.9, 0.6, 0.5, 0.3, 0.1])
        >>> found.at(0.35)
        SensibilityPoint(threshold=0.35, sensibility=1, capability=0)
        """
        asked = as_number("threshold", threshold)
        one, other = self.split.bounds_at(asked)
        return SensibilityPoint(asked, one[1], other[1], one, other)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw both curves against the threshold, with the midpoint.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.drift.plot import draw_sensibility

        return draw_sensibility(self.split, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        headline = {
            "midpoint": self.midpoint,
            "struggle_ratio": self.struggle_ratio,
            "sensible": self.split.sensible,
            "non_sensible": self.split.other,
            "points": len(self.thresholds),
        }
        if not self.split.corners:
            return headline
        return headline | {
            "struggle_ratio_bounds": self.struggle_ratio_bounds,
            "sensible_bounds": self.split.sensible_bounds,
            "non_sensible_bounds": self.split.other_bounds,
        }

    def _columns(self) -> dict[str, AnyArray]:
        columns = {
            "thresholds": self.thresholds,
            "at_sensible": self.sensibility,
            "at_non_sensible": self.capability,
        }
        if not self.split.corners:
            return columns
        return columns | {
            "lowest_at_sensible": self.sensibility_bounds[0],
            "highest_at_sensible": self.sensibility_bounds[2],
            "lowest_at_non_sensible": self.capability_bounds[0],
            "highest_at_non_sensible": self.capability_bounds[2],
        }


def sensibility(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    midpoint: float | None = None,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> Sensibility:
    """Return the sensibility analysis of probabilities: midpoint, struggle ratio and two curves.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1]. Or one `Tally`.
    midpoint
        Where to split, for instance the midpoint of training data; else t_s = Σw·p / (2·Σw·f).
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds. With soft
        truth, an item counts on both sides by its mass.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Notes
    -----
    Sensible are positives at or above the midpoint and negatives below it. At a threshold,
    sensibility is the accuracy on them, capability the accuracy on the others; at the midpoint they
    are 1 and 0. An empty set has no accuracy: NaN, with a warning.

    References
    ----------
    Klement, Japkowicz & Matwin (2009), Class probabilities and the ROC curve in changing
    environments. (The first form of its Eq. 1 needs d to be the odds n⁺/n⁻, not n⁺/n; its Table 1
    prints a midpoint of 0.56 where Eq. 1 gives 0.54.)

    Examples
    --------
    >>> import rocwalk as rw
    >>> example = rw.datasets.paper_examples()["sensibility_table_1"]
    >>> found = rw.sensibility(example.y_true, example.y_prob)
    >>> found
    Sensibility(midpoint=0.54, struggle_ratio=0.25, sensible=8, non_sensible=2, points=11)
    >>> found.at(0.35)
    SensibilityPoint(threshold=0.35, sensibility=0.875, capability=0.5)
    """
    at = None if midpoint is None else as_number("midpoint", midpoint)
    if at is not None and not 0 <= at < math.inf:
        hint = "pass a finite number of 0 or more."
        raise OptionError("is not a midpoint.", hint, option="midpoint", value=midpoint)
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    tally = data if isinstance(data, Tally) else data.tally()
    if tally.steps != "truth":
        raise OptionError(
            f"A tally with steps={tally.steps!r} has no midpoint.", 'use steps="truth".'
        )
    if not (tally.total_up > 0 and tally.total_right > 0):
        refuse_one_class(walk_of(tally), "sensibility to measure")
    found = Sensibility(bounded_split(tally, at))
    for words, mass in (("sensible", found.split.sensible), ("non-sensible", found.split.other)):
        if not mass > 0:
            warn(
                UndefinedMetricWarning(
                    f"There is no {words} item, so the accuracy on them is undefined and NaN.",
                    "check the midpoint and the probabilities.",
                )
            )
    return found


# -- midpoint and struggle ratio with their influence functions ψ ----------------------------------


def midpoint_influence(tally: Tally) -> Influence:
    """Return t_s = P/(2U) with ψ = (½·p·w − t_s·u)/U; exact even from buckets, ψ by row."""
    total = float(tally.total_up)
    up, right = (mean / (2 * total) for mean in row_means(tally))
    value = midpoint(tally)
    blur = linear_blur(tally, value, (1 / (2 * total), 1 / (2 * total)))
    return Influence(value, up - value / total, right, blur)


def struggle_estimate(tally: Tally, *, fixed: bool = False, like: Sequence[Tally] = ()) -> Estimate:
    """Return the struggle ratio K = N/S with ψ and the variance that ψ does not hold.

    An item adds to N or to S, by the chance that it lies on the one or the other side of the
    midpoint t; and it moves the midpoint, and K with it. By how much is the mean slope of K over
    the places where the midpoint may lie, N(t_s, se²), which is the density of positive − negative
    mass there (Stein). Jumps at tied scores that the slope misses are added to the variance.
    `fixed` takes the prevalence as fixed by design. `like` is all evidence on that density, such
    as both samples of a comparison. Where some of it is bucketed, all of this is known between
    bounds only.
    """
    from scipy.special import ndtr

    middle, like = midpoint_influence(tally), like or (tally,)
    if any(one.is_bucketed for one in (tally, *like)):
        refuse_other_scores(tally)
        least, most = variance_range(tally, middle, fixed=fixed)
        errors = math.sqrt(least), math.sqrt(most)
        weighed = [(items_per_mass(one), one) for one in like]
        return Estimate(*blurred_struggle(tally, middle, errors, weighed))
    split = split_of(tally)
    ratio, sensible = split.struggle_ratio, split.sensible
    if not sensible > 0:
        nothing = np.zeros(len(tally))
        return Estimate(Influence(math.inf, nothing, nothing), math.nan)
    error = math.sqrt(variance_of(tally, middle, fixed=fixed))
    if error > 0:
        above = ndtr((tally.scores - split.midpoint) / error)
        slope, more = _slope(like, error)
    else:
        above = (np.arange(len(tally)) < split.above).astype(np.float64)
        slope, more = 0.0, 0.0
    up = (1 - above * (1 + ratio)) / sensible
    right = (above * (1 + ratio) - ratio) / sensible
    influence = Influence(ratio, up + slope * middle.up, right + slope * middle.right)
    return Estimate(influence, more)


def _slope(tallies: Sequence[Tally], error: float) -> tuple[float, float]:
    """Return the mean slope of the struggle ratio over the midpoint, and the variance about it.

    The slope is estimated, and its noise would inflate its square: the variance of the density,
    Σ(u − r)²·φ² over the items near the midpoint, is subtracted. If nothing is sensible somewhere
    where the midpoint may lie, the variance is NaN.
    """
    weighed = [(items_per_mass(one), one) for one in tallies]
    scores = sum(w * float(one.up_score.sum() + one.right_score.sum()) for w, one in weighed)
    middle = scores / (2 * sum(w * float(one.total_up) for w, one in weighed))
    gap = error * REACH
    sensible, other, noise = np.zeros(len(gap)), np.zeros(len(gap)), 0.0
    for w, one in weighed:
        rows = np.searchsorted(-one.scores, -(middle + gap), side="right")
        up, right = (np.append(0, np.cumsum(mass))[rows] for mass in (one.up, one.right))
        sensible += w * (up + one.total_right - right)
        other += w * (right + one.total_up - up)
        high, low = np.searchsorted(-one.scores, [-(middle + 6 * error), -(middle - 6 * error)])
        near = slice(int(high), int(low))
        distance = (one.scores[near] - middle) / error
        density = np.exp(-(distance**2)) / (2 * math.pi * error**2)
        squares = (one.up_squared - 2 * one.up_right + one.right_squared)[near]
        noise += w**2 * float((squares * density).sum())
    if not (sensible > 0).all():  # the ratio is infinite where the midpoint may lie
        return 0.0, math.nan
    ratio = other / sensible
    mean = float((WEIGHT * ratio).sum())
    spread = float((WEIGHT * gap**2).sum())
    slope = float((WEIGHT * (ratio - mean) * gap).sum()) / spread
    whole = float((WEIGHT * (ratio - mean) ** 2).sum())
    centre = len(REACH) // 2
    step = (1 + float(ratio[centre])) / float(sensible[centre])
    noise *= step**2
    kept = math.copysign(math.sqrt(max(slope**2 - noise, 0.0)), slope)
    return kept, max(whole - (slope**2 + noise) * spread, 0.0)


def _midpoints(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        middles: FloatArray = (up + right) @ scores / (2 * up.sum(axis=1))
    return middles


MIDPOINT = register(
    Statistic(
        "midpoint",
        midpoint,
        title="Midpoint",
        symbol="t_s",
        sentence="Half the sum of scores over the number of positives: 0.5 where the scores add "
        "up to the positives.",
        references=("Klement, Japkowicz & Matwin 2009",),
        range=POSITIVE,
        direction=None,
        estimate=estimate_by(midpoint_influence),
        exact_from_buckets=True,
        together=_midpoints,
        needs_probabilities=True,
        places=Places(drift=30),
    )
)


def _struggle_ratio(tally: Tally) -> float:
    whole = tally.total_up > 0 and tally.total_right > 0
    return split_of(tally).struggle_ratio if whole else math.nan


def _struggle_ratios(scores: FloatArray, up: FloatArray, right: FloatArray) -> FloatArray:
    """Return the struggle ratios of many replicates, each split at its own midpoint."""
    middle = _midpoints(scores, up, right)
    place = np.searchsorted(-scores, -middle * (1 - _TIE), side="right")[:, None]
    cumulative = []
    for mass in (up, right):
        running = np.zeros((len(mass), mass.shape[1] + 1))
        np.cumsum(mass, axis=1, out=running[:, 1:])
        cumulative.append((np.take_along_axis(running, place, axis=1)[:, 0], running[:, -1]))
    (up_above, up_all), (right_above, right_all) = cumulative
    sensible = up_above + right_all - right_above
    with np.errstate(invalid="ignore", divide="ignore"):
        ratios: FloatArray = (right_above + up_all - up_above) / sensible
    return ratios


STRUGGLE_RATIO = register(
    Statistic(
        "struggle_ratio",
        _struggle_ratio,
        title="Struggle ratio",
        symbol="K",
        sentence="Items on the wrong side of the midpoint for each item on the right side; lower "
        "is better.",
        references=("Klement, Japkowicz & Matwin 2009",),
        range=POSITIVE,
        direction="lower",
        is_odds=True,
        estimate=struggle_estimate,
        bounds=lambda tally: bounded_split(tally, None).struggle_ratio_bounds,
        together=_struggle_ratios,
        needs_probabilities=True,
        places=Places(drift=40),
    )
)
