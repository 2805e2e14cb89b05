"""The walk: cumulative masses in order of decreasing score, from (0, 0) to (U, R).

A `Walk` is the data of a ROC curve. It holds masses rather than rates, so that counts stay exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Self

import numpy as np

from rocwalk.checks import as_number
from rocwalk.errors import Argument, OneClassError, Option, OptionError, TallyError
from rocwalk.tally.tally import Late, LateColumns, Tally, read_only, set_columns
from rocwalk.tally.threads import counts_of_rates, divided, in_threads, thread_count
from rocwalk.typing import AnyArray, BoolArray, Bounds, FloatArray, IntArray, MassArray


@dataclass(frozen=True, eq=False)
class Walk(LateColumns):
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
        Returns the two walks of `extremes`; None for an exact walk. Called on use only.
    known
        A cache of what was computed from the walk, such as the vertices of its hull.
    """

    thresholds: FloatArray
    up: MassArray
    right: MassArray
    prevalence: float | None
    highest: FloatArray | None = None
    between: Callable[[], tuple[Walk, Walk]] | None = None
    known: dict[str, Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        set_columns(self, "thresholds", "up", "right", "highest")

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
    def total_up(self) -> float:
        """The up mass of the last point."""
        return float(self.known["up"].total if "up" in self.known else self.up[-1])

    @property
    def total_right(self) -> float:
        """The right mass of the last point."""
        return float(self.known["right"].total if "right" in self.known else self.right[-1])

    @property
    def has_masses(self) -> bool:
        """Whether the masses are those of data, rather than of an average."""
        return self.prevalence is not None

    @property
    def is_exact(self) -> bool:
        """Whether this is the exact walk, rather than a line through buckets of it."""
        return self.between is None

    @cached_property
    def extremes(self) -> tuple[Walk, Walk]:
        """The lowest and the highest walk that the tally allows; this one twice if it is exact."""
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
    """Return the walk of a tally: its steps added up in order of decreasing score.

    It is computed once and kept with the tally.
    """
    if "walk" in tally.known:
        walk: Walk = tally.known["walk"]
        return walk
    thresholds = tally.known.pop("thresholds", None)  # an array that already begins with +inf
    both = [partial(_cumulative, mass) for mass in (tally.up, tally.right)]
    up, right = in_threads(both) if thread_count(2 * len(tally)) > 1 else (call() for call in both)
    walk = tally.known["walk"] = Walk(
        thresholds=np.concatenate(([np.inf], tally.scores)) if thresholds is None else thresholds,
        up=up,
        right=right,
        prevalence=tally.prevalence,
        highest=np.concatenate(([np.inf], tally.highest)) if tally.is_bucketed else None,
        between=partial(extreme_walks, tally) if tally.is_bucketed else None,
    )
    return walk


def tally_of_rates(
    thresholds: FloatArray, tpr: FloatArray, fpr: FloatArray, totals: tuple[int, int]
) -> Tally:
    """Return the tally of hard labels whose walk has these rates; counts are made on use.

    A rate is k/n rounded once, so n times it is nearer to k than to any other count.
    """

    def late(count: Callable[[FloatArray, int], IntArray]) -> tuple[Any, Any]:
        pairs = zip((tpr, fpr), totals, strict=True)
        up, right = (Late(partial(count, rates, total), total) for rates, total in pairs)
        return up, right

    tally = Tally(thresholds[1:], *late(_steps_of_rates))
    walk = tally.known["walk"] = Walk(thresholds, *late(counts_of_rates), tally.prevalence)
    vars(walk).update(tpr=read_only(tpr), fpr=read_only(fpr))
    return tally


def _steps_of_rates(rates: FloatArray, total: int) -> IntArray:
    return np.diff(counts_of_rates(rates, total))


def extreme_walks(tally: Tally) -> tuple[Walk, Walk]:
    """Return the lowest and the highest walk that the rows of a tally allow."""
    low, high = tally.extremes
    return walk_of(low), walk_of(high)


def refuse_one_class(evidence: Walk | Tally, lost: str = "ROC curve") -> None:
    """Raise unless both masses are positive, as a curve needs, or what else would be `lost`."""
    sides = {"positive": evidence.total_up, "negative": evidence.total_right}
    missing = [side for side, mass in sides.items() if not mass > 0]
    if missing:
        raise OneClassError(
            f"There is no {' and no '.join(missing)} mass, so there is no {lost}.",
            "both classes are needed: check y_true and pos_label, or the filter before this.",
        )


def _cumulative(mass: MassArray) -> MassArray:
    total = np.empty(len(mass) + 1, dtype=mass.dtype)
    total[0] = 0
    np.cumsum(mass, out=total[1:])
    return total


def rates(cumulative: AnyArray) -> FloatArray:
    """Divide cumulative masses by their total; NaN when there is none."""
    total = cumulative[-1]
    return divided(cumulative, total) if total > 0 else np.full(len(cumulative), np.nan)


# -- bounds of a number when the tally is bucketed -------------------------------------------------

EXACT_TALLY = "make the tally without buckets: in rocwalk.tallies, raise limit="


def rising_bounds(walk: Walk, measure: Callable[[Walk], float]) -> Bounds:
    """Return the bounds of a number that does not decrease when the curve rises."""
    value = measure(walk)
    if walk.is_exact:
        return value, value, value
    low, high = (measure(extreme) for extreme in walk.extremes)
    return in_order(low, value, high)


def on_walk(measure: Callable[..., float]) -> Callable[..., float]:
    """Return the function of a tally that applies a measure to its walk."""
    return lambda tally, **values: measure(walk_of(tally), **values)


def rising_on_walk(measure: Callable[..., float]) -> Callable[..., Bounds]:
    """Return the function of a tally that gives the `rising_bounds` of a measure of its walk."""
    return lambda tally, **values: rising_bounds(walk_of(tally), partial(measure, **values))


def falling_bounds(walk: Walk, measure: Callable[[Walk], float]) -> Bounds:
    """Return the bounds of a number that does not increase when the curve rises."""
    low, value, high = rising_bounds(walk, lambda one: -measure(one))
    return -high, -value, -low


def in_order(low: float, value: float, high: float) -> Bounds:
    """Return the three numbers, low ≤ value ≤ high ensured against rounding errors."""
    return float(np.minimum(low, value)), float(value), float(np.maximum(high, value))


def slack_of(bounds: Bounds) -> float:
    """Return the largest possible error of the middle."""
    low, value, high = bounds
    return float(np.fmax(high - value, value - low))  # ∞ − ∞ is NaN


def columns_in_order(
    low: FloatArray, value: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the three columns, low ≤ value ≤ high ensured against rounding errors."""
    return np.minimum(low, value), value, np.maximum(high, value)


def refuse_buckets(tally: Tally, what: str, needs: str = "every score") -> None:
    """Raise if the tally is bucketed, naming what needs every score."""
    if tally.is_shared and tally.is_bucketed:
        raise TallyError(
            f"{what} needs {needs}, and a shared tally has buckets only.",
            "use what buckets suffice for, such as rw.interval, rw.roc or rw.shared_calibration.",
        )
    if tally.is_bucketed:
        raise TallyError(f"{what} needs {needs}, and this tally is bucketed.", f"{EXACT_TALLY}.")


# -- reading a curve at a rate or at a threshold ---------------------------------------------------


def highest_tpr(walk: Walk, fpr: FloatArray) -> FloatArray:
    """Return the highest TPR of the curve at each false positive rate."""
    before = np.searchsorted(walk.fpr, fpr, side="right") - 1
    after = np.minimum(before + 1, len(walk) - 1)
    return between(walk.tpr, before, after, shares(walk.fpr, before, after, fpr))


def lowest_fpr(walk: Walk, tpr: FloatArray) -> FloatArray:
    """Return the lowest FPR of the curve at each true positive rate."""
    after = np.searchsorted(walk.tpr, tpr, side="left")
    before = np.maximum(after - 1, 0)
    return between(walk.fpr, before, after, shares(walk.tpr, before, after, tpr))


def shares(rates: FloatArray, before: IntArray, after: IntArray, at: FloatArray) -> FloatArray:
    """Return how far `at` lies on the way from point `before` to point `after`, in [0, 1]."""
    run = rates[after] - rates[before]
    return np.divide(at - rates[before], run, out=np.zeros_like(run), where=run > 0)


def between(values: FloatArray, before: IntArray, after: IntArray, share: FloatArray) -> FloatArray:
    """Return the values on the way from point `before` to point `after`, both ends exact."""
    return np.where(
        share == 1.0, values[after], values[before] + share * (values[after] - values[before])
    )


def index_at(walk: Walk, threshold: FloatArray) -> IntArray:
    """Return the index of the point that predicts positive for every score ≥ threshold.

    A threshold that cuts a step of several scores in two has no point.
    """
    index = index_above(walk, threshold)
    if walk.highest is None:
        return index
    at, asked = np.atleast_1d(index), np.atleast_1d(threshold)
    inside = inside_steps(walk, at, asked)
    if not inside.any():
        return index
    first = int(np.argmax(inside))
    low, high = walk.thresholds[at[first] + 1], walk.highest[at[first] + 1]
    merged = f"lies inside the step from {high:g} down to {low:g}, whose scores are merged"
    named: dict[str, Any] = {"option": "threshold", "value": float(asked[first])}
    if walk.is_exact:
        hint = "read the curve at one of its own thresholds, or use the exact curve."
        raise OptionError(f"{merged}.", hint, **named)
    hint = f"read it at an end of a bucket, or {EXACT_TALLY}."
    raise TallyError(f"{merged}: this tally is bucketed.", hint, **named)


def index_above(walk: Walk, threshold: FloatArray) -> IntArray:
    """Return the index of the last point whose threshold is not below the one that is asked."""
    refuse_without_thresholds(walk)
    return np.searchsorted(-walk.thresholds, -np.asarray(threshold), side="right") - 1


def inside_steps(walk: Walk, index: IntArray, threshold: FloatArray) -> BoolArray:
    """Return which thresholds lie inside the step that follows point `index`."""
    highest = walk.thresholds if walk.highest is None else walk.highest
    after = np.minimum(index + 1, len(walk) - 1)
    inside: BoolArray = (walk.thresholds[after] < threshold) & (threshold <= highest[after])
    return inside


def refuse_without_thresholds(walk: Walk) -> None:
    """Raise if the curve has no thresholds, as an average over rates has none."""
    if np.isnan(walk.thresholds[-1]):
        raise OptionError(
            "This averaged curve has no thresholds.",
            'use how="threshold" when averaging, or read the curve at fpr= or tpr=.',
        )


def check_rate(name: str, value: float) -> float:
    """Raise unless the value is a rate in [0, 1]."""
    rate = as_number(name, value)
    if not 0 <= rate <= 1:
        hint = ("pass a rate as ", Argument(name), ".")
        raise OptionError("is outside [0, 1].", hint, option=name, value=value)
    return rate


def check_prevalence(value: float) -> float:
    """Raise unless the value lies strictly between 0 and 1."""
    if not 0 < as_number("prevalence", value) < 1:
        raise OptionError(
            "is outside (0, 1).",
            "pass the share of positives where the rule will be used, such as 0.02.",
            option="prevalence",
            value=value,
        )
    return float(value)


def share_of_positives(walk: Walk, prevalence: float | None) -> float:
    """Return the prevalence that is given, else the walk's own."""
    if prevalence is not None:
        return check_prevalence(prevalence)
    if walk.prevalence is None:
        raise OptionError(
            "An averaged curve carries no masses, so its prevalence is unknown.",
            (
                "give ",
                Option("prevalence"),
                ", the share of positives where the rule will be used.",
            ),
        )
    return walk.prevalence


def spread(way: FloatArray, count: int) -> IntArray:
    """Return indices spread evenly along values that grow from 0 to 2, both ends included."""
    places = np.searchsorted(way, np.linspace(0.0, 2.0, max(count, 2)), side="left")
    return np.concatenate(([0], np.minimum(places[1:-1], len(way) - 1), [len(way) - 1]))
