"""Kernels: what a score becomes when it is smeared, with its area and curve.

A kernel has one parameter, the amount of smearing: a width, a share or a concentration.

* `Uniform`, `Normal`: a segment or a bell of width d around the score (Ferri et al. 2005);
* `OnLogOdds`: the same around the log-odds of the score, so that it stays inside [0, 1];
* `Coin`: for a share λ of the mass the score s becomes 1 with probability s, else 0;
* `Beta`: Beta(κs, κ(1−s)), of mean s and concentration κ.

See docs/mathematics.rst, Smearing and Kernels inside [0, 1].
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocwalk.checks import as_number, one_of
from rocwalk.errors import Argument, OptionError
from rocwalk.inference.distributions import normal_below
from rocwalk.read.arrays import Sample, as_array, as_floats
from rocwalk.smear.beta import BetaScores, beta_scores, compact, survival
from rocwalk.smear.levels import Levels, normal_levels, uniform_levels
from rocwalk.smear.normal import REACH, normal_sums
from rocwalk.smear.pieces import Pieces, normal_areas, normal_pieces, uniform_pieces
from rocwalk.smear.sides import EPS, Sides, log_odds, near_counts, sides_of, sides_of_tally
from rocwalk.smear.uniform import Sums, uniform_sums
from rocwalk.smear.walks import (
    Axis,
    SmearedWalk,
    bare_walk,
    beta_walk,
    endless_walk,
    normal_walk,
    uniform_walk,
)
from rocwalk.tally.tally import Tally
from rocwalk.tally.walk import Walk
from rocwalk.typing import FloatArray

_WIDEST = 1e150  # an area is that of the limit from here on
_LEAST_SHARE = 1e-9
LEAST_OF_A_ROW = 1e-9  # the least concentration of a row that has its own


class Kernel(ABC):
    """The shape that a score is smeared to, by an amount: the value of its `parameter`."""

    name: str
    parameter: ClassVar[str]
    symbol: ClassVar[str]
    bare: ClassVar[float]  # the amount of no smearing at all

    @property
    def deviations(self) -> float | None:
        """The standard deviation of a bell in widths; None for other shapes."""
        return None

    @abstractmethod
    def check(self, amount: Any) -> Any:
        """Return the amount as a number (an array where each row may have its own), or raise."""

    def fitted(self, amount: Any, data: Sample | Tally) -> Any:
        """Return the amount for the rows that are left of checked data."""
        del data  # unless each row has its own
        return amount

    @abstractmethod
    def area(self, data: Sample | Tally, amount: Any) -> Sums | None:
        """Return the area with a bound on its error; None when a class has no mass."""

    @abstractmethod
    def walk(self, data: Sample | Tally, amount: Any) -> SmearedWalk:
        """Return the curve of data with both classes."""

    def curve(self, data: Sample | Tally, amount: Any) -> tuple[Sums, SmearedWalk]:
        """Return the area and the curve of data with both classes."""
        sums = self.area(data, amount)
        assert sums is not None
        return sums, self.walk(data, amount)

    @abstractmethod
    def survival(self, scores: FloatArray, positions: FloatArray, amount: Any) -> FloatArray:
        """Return P(X ≥ t) of each score (by row) at each position t."""

    def compact(
        self, scores: FloatArray, columns: FloatArray, amount: Any, positions: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return fewer scores, with columns of masses, of the same sums over P(X ≥ t)."""
        del amount, positions  # every score counts
        return scores, columns


# -- widths ----------------------------------------------------------------------------------------


class WidthKernel(Kernel):
    """A kernel whose amount is a width d, from 0 to infinity."""

    parameter = "width"
    symbol = "d"
    bare: ClassVar[float] = 0.0
    scale: ClassVar[str] = ""  # what a width is measured in, if not in scores

    def check(self, amount: Any) -> float:
        """Return the width; it is not negative."""
        value = as_number("width", amount)
        if value < 0:
            hint = "a width is 0 (the bare curve) or more; inf smears without limit."
            raise OptionError("is negative.", hint, option="width", value=amount)
        return value

    def area(self, data: Sample | Tally, amount: float) -> Sums | None:
        """Return Area(d)."""
        sides = sides_of(data)
        return None if sides is None else self.sums(sides, amount)

    @abstractmethod
    def sums(self, sides: Sides, width: float) -> Sums:
        """Return Area(d) with its slope and bend, for any d from 0 to infinity."""

    def areas(self, sides: Sides, widths: FloatArray, within: float) -> FloatArray:
        """Return Area(d) at widths, each with an error of at most `within`."""
        areas, errors = self.estimates(sides, widths)
        for k in np.flatnonzero(errors > within):
            areas[k] = self.sums(sides, float(widths[k])).area
        return areas

    def estimates(self, sides: Sides, widths: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return areas that are known at once, and bounds on their errors; infinite of others."""
        del sides
        return np.full(len(widths), np.nan), np.full(len(widths), np.inf)

    @abstractmethod
    def pieces(self, sides: Sides, target: float) -> tuple[Pieces, bool]:
        """Return Area(d) − target as a chain of parabolas in 1/d, and whether it is exact."""

    @abstractmethod
    def levels(self, sides: Sides) -> Callable[[float], Levels]:
        """Return the six monotone sums of the area at a width."""

    def reading(self, width: float) -> str:
        """Return what a single matched width says, as the end of a sentence; or nothing."""
        del width  # without a scale there is nothing to say
        return ""


class _Shape(WidthKernel):
    """A shape on either axis: that of the scores, or that of their log-odds."""

    least: ClassVar[float] = 0.0  # a reach up to this is drawn as none

    @abstractmethod
    def reach(self, width: float) -> float:
        """Return the distance of two scores from which their order is certain."""

    @abstractmethod
    def draw(self, axis: Axis, width: float) -> SmearedWalk:
        """Return the walk on an axis, for a width above 0 that is finite."""

    @abstractmethod
    def above(self, distance: FloatArray, width: float) -> FloatArray:
        """Return P(X ≥ t) by the distance s − t, for a width above 0 that is finite."""

    def on(self, axis: Axis, width: float) -> SmearedWalk:
        """Return the walk on an axis, for any width."""
        if self.reach(width) <= self.least or not len(axis.places):
            return bare_walk(axis.tally)
        return endless_walk(axis) if width >= _WIDEST else self.draw(axis, width)

    def along(self, scores: FloatArray, positions: FloatArray, width: float) -> FloatArray:
        """Return P(X ≥ t) of scores and positions on an axis."""
        with np.errstate(invalid="ignore"):  # two equal infinities
            distance = np.subtract.outer(scores, positions)
        if self.reach(width) <= self.least:
            return (scores[:, None] >= positions).astype(np.float64)
        if width >= _WIDEST:
            shape = np.where(np.isinf(distance), distance > 0, 0.5)
        else:
            shape = self.above(distance, width)
        decided = np.isinf(scores)[:, None] | np.isinf(positions)
        return np.where(decided, scores[:, None] >= positions, shape)

    def walk(self, data: Sample | Tally, amount: float) -> SmearedWalk:
        """Return the walk on the axis of the scores."""
        return self.on(Axis.of_scores(_tally(data)), amount)

    def survival(self, scores: FloatArray, positions: FloatArray, amount: float) -> FloatArray:
        """Return P(X ≥ t) on the axis of the scores."""
        return self.along(scores, positions, amount)


@dataclass(frozen=True, slots=True)
class Uniform(_Shape):
    """A segment of width d, centred on the score."""

    name = "uniform"

    def reach(self, width: float) -> float:
        """Return d: segments whose middles are further apart do not meet."""
        return width

    def sums(self, sides: Sides, width: float) -> Sums:
        """Return Area(d): ½ + h(D/d) for each pair."""
        if width >= _WIDEST:
            return Sums(0.5, 0.0, 0.0, EPS)
        sides = sides.collapsed
        return uniform_sums(sides, width) if width else Sums(sides.auc, 0.0, 0.0, 2 * EPS)

    def pieces(self, sides: Sides, target: float) -> tuple[Pieces, bool]:
        """Return the parabolas: exact if the pairs can be listed."""
        return uniform_pieces(sides, target)

    def levels(self, sides: Sides) -> Callable[[float], Levels]:
        """Return the sums by width."""
        return uniform_levels(sides)

    def draw(self, axis: Axis, width: float) -> SmearedWalk:
        """Return the exact polyline, with break points at s ± d/2."""
        return uniform_walk(axis, width)

    def above(self, distance: FloatArray, width: float) -> FloatArray:
        """Return the part of the segment above t."""
        return np.clip(distance / width + 0.5, 0.0, 1.0)

    def reading(self, width: float) -> str:
        """Return what the width says of the distances of the scores."""
        if 0 < width < 1:
            return "; only pairs closer than that are affected"
        return " (1: scores far apart, 2: close together)" if 1 <= width <= 2 else ""


@dataclass(frozen=True, slots=True)
class Normal(_Shape):
    """A bell of standard deviation σ = sd_per_width·d around the score."""

    name = "normal"
    least = 1e-149
    sd_per_width: float = 0.5

    def __post_init__(self) -> None:
        share = as_number("sd_per_width", self.sd_per_width)
        if not _LEAST_SHARE <= share <= 1 / _LEAST_SHARE:
            raise OptionError(
                "is not a positive number of a usual size.",
                "0.5 makes the width twice the standard deviation, 1/√12 gives the normal kernel "
                "the variance of the uniform segment.",
                option="sd_per_width",
                value=self.sd_per_width,
            )

    @property
    def deviations(self) -> float:
        """The standard deviation in widths."""
        return self.sd_per_width

    @property
    def unit(self) -> float:
        """σ·√2 for a width of 1: the standard deviation of a difference of two scores."""
        return self.sd_per_width * math.sqrt(2)

    def reach(self, width: float) -> float:
        """Return the distance beyond which Φ is 0 or 1."""
        return REACH * self.unit * width

    def sums(self, sides: Sides, width: float) -> Sums:
        """Return Area(d): Φ(D/(σ√2)) for each pair."""
        if width >= _WIDEST:
            return Sums(0.5, 0.0, 0.0, EPS)
        sides, spread = sides.collapsed, self.unit * width
        return normal_sums(sides, spread) if spread else Sums(sides.auc, 0.0, 0.0, 2 * EPS)

    def estimates(self, sides: Sides, widths: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the areas by the lags of all pairs, for widths that are neither 0 nor endless."""
        areas, errors = np.full(len(widths), np.nan), np.full(len(widths), np.inf)
        spreads = self.unit * widths
        inner = np.flatnonzero((spreads > 0) & (widths < _WIDEST))
        areas[inner], errors[inner] = normal_areas(sides, spreads[inner])
        return areas, errors

    def pieces(self, sides: Sides, target: float) -> tuple[Pieces, bool]:
        """Return the parabolas, which are Taylor polynomials."""
        return normal_pieces(sides, self.unit, target)

    def levels(self, sides: Sides) -> Callable[[float], Levels]:
        """Return the sums by width."""
        return normal_levels(sides, self.unit)

    def draw(self, axis: Axis, width: float) -> SmearedWalk:
        """Return a polyline whose distance from the curve is bounded."""
        return normal_walk(axis, self.sd_per_width * width)

    def above(self, distance: FloatArray, width: float) -> FloatArray:
        """Return Φ((s − t)/σ)."""
        return normal_below(distance / (self.sd_per_width * width))


@dataclass(frozen=True, slots=True)
class OnLogOdds(WidthKernel):
    """A shape of width d around the log-odds of the score; scores of 0 and 1 stay at the ends."""

    scale = " in log-odds"
    name: str
    inner: _Shape

    @property
    def deviations(self) -> float | None:
        """The standard deviation of a bell in widths."""
        return self.inner.deviations

    def sums(self, sides: Sides, width: float) -> Sums:
        """Return Area(d) of the finite pairs, and what the others add at every width.

        Log-odds are rounded: that moves a pair by the rounding over the width at most, and only
        pairs within reach. Without smearing the area is that of the scores themselves.
        """
        if self.inner.reach(width) == 0:
            return self.inner.sums(sides, 0.0)
        places = sides.log_odds
        if places.finite is None:
            return Sums(places.settled, 0.0, 0.0, 8 * EPS)
        sums, reach = self.inner.sums(places.finite, width), self.inner.reach(width)
        error = sums.error + 8 * EPS + min(REACH * places.rounding / reach, 1.0)
        if error > 1e-12:
            finite = places.finite
            low, high = near_counts(finite, reach + places.rounding)
            near = finite.few.weigh(finite.many.before(high) - finite.many.before(low))
            near -= finite.tied  # equal scores have equal log-odds
            error = (
                sums.error + 8 * EPS + max(near, 0.0) * min(REACH * places.rounding / reach, 1.0)
            )
        share = places.share
        return Sums(places.area(sums.area), share * sums.slope, share * sums.bend, error)

    def estimates(self, sides: Sides, widths: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the areas of the finite pairs, with what the others add."""
        places = sides.log_odds
        if places.finite is None:
            return np.full(len(widths), places.settled), np.full(len(widths), 8 * EPS)
        areas, errors = self.inner.estimates(places.finite, widths)
        return places.settled + places.share * areas, errors

    def pieces(self, sides: Sides, target: float) -> tuple[Pieces, bool]:
        """Return the parabolas of the finite pairs, scaled to all."""
        places = sides.log_odds
        if places.finite is None:  # the same area at every width
            gap, slack = np.array([places.settled - target]), np.array([8 * EPS])
            zero = np.zeros(1)
            return Pieces(zero, zero + math.inf, gap, zero, zero, slack, slack), True
        pieces, exact = self.inner.pieces(places.finite, 0.5)
        return pieces.scaled(places.share, places.area(0.5) - target), exact

    def levels(self, sides: Sides) -> Callable[[float], Levels]:
        """Return the sums of the finite pairs, scaled to all."""
        places = sides.log_odds
        if places.finite is None:
            none, settled = (0.0, 0.0), places.settled
            still = Levels(none, none, none, settled, (8 * EPS,) * 4, settled)
            return lambda _: still
        levels = self.inner.levels(places.finite)
        return lambda width: levels(width).scaled(places.share, places.settled)

    def walk(self, data: Sample | Tally, amount: float) -> SmearedWalk:
        """Return the walk on the axis of log-odds; its thresholds are scores in (0, 1)."""
        return self.inner.on(Axis.of_log_odds(_tally(data)), amount)

    def survival(self, scores: FloatArray, positions: FloatArray, amount: float) -> FloatArray:
        """Return P(X ≥ t) on the axis of log-odds."""
        inside = self.inner.along(log_odds(scores), log_odds(np.clip(positions, 0, 1)), amount)
        outside = [np.broadcast_to(part, inside.shape) for part in (positions > 1, positions <= 0)]
        return np.select(outside, (0.0, 1.0), inside)


# -- coins -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Coin(Kernel):
    """For a share λ of the mass, s becomes a coin that shows 1 with probability s, else 0."""

    name = "coin"
    parameter = "share"
    symbol = "λ"
    bare: ClassVar[float] = 0.0

    def check(self, amount: Any) -> float:
        """Return the share; it is from 0 to 1."""
        value = as_number("share", amount)
        if not 0 <= value <= 1:
            hint = "0 is the bare curve, 1 makes every score a coin."
            raise OptionError("is not from 0 to 1.", hint, option="share", value=amount)
        return value

    def area(self, data: Sample | Tally, amount: float) -> Sums | None:
        """Return (1−λ)²·AUC + λ²·A_p + λ(1−λ)·(the two mixed terms), a closed form.

        A score s against a coin of the other class: s in (0, 1) beats tails and loses to heads;
        s = 1 ties with heads, s = 0 with tails. Without scores of 0 and 1 both terms add to 2·A_p.
        """
        sides = sides_of(data)
        if sides is None:
            return None
        (up_low, up_high), (right_low, right_high) = sides.positive.at_ends, sides.negative.at_ends
        up, right = sides.positive.mean, sides.negative.mean
        mixed = (1 - right) * (1 - up_low / 2) + right * up_high / 2
        mixed += up * (1 - right_high / 2) + (1 - up) * right_low / 2
        rest = 1 - amount
        area = rest * rest * sides.auc + amount * amount * sides.probabilistic_auc
        return Sums(area + amount * rest * mixed, 0.0, 0.0, 32 * EPS)

    def walk(self, data: Sample | Tally, amount: float) -> SmearedWalk:
        """Return the walk of the scores with what the coins add at 1 and at 0."""
        tally = _tally(data)
        if amount == 0:
            return bare_walk(tally)
        scores = np.unique(np.concatenate((tally.scores, (0.0, 1.0))))[::-1]
        if amount == 1:
            scores = np.array([1.0, 0.0])
        columns = []
        for mass in (tally.up, tally.right):
            column = np.zeros(len(scores))
            if amount < 1:
                column[np.searchsorted(-scores, -tally.scores)] = (1 - amount) * mass
            heads = amount * float(mass @ tally.scores)
            column[0] += heads
            column[-1] += amount * float(mass.sum()) - heads
            columns.append(np.append(0.0, np.cumsum(column)))
            columns[-1][-1] = mass.sum()
        thresholds = np.append(math.inf, scores)
        walk = Walk(thresholds, columns[0], columns[1], tally.prevalence)
        return SmearedWalk(walk, thresholds)

    def survival(self, scores: FloatArray, positions: FloatArray, amount: float) -> FloatArray:
        """Return P(X ≥ t)."""
        s, t = scores[:, None], positions[None, :]
        heads = np.where(t <= 0, 1.0, np.where(t <= 1, s, 0.0))
        return (1 - amount) * (s >= t) + amount * heads


# -- beta distributions ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Beta(Kernel):
    """Beta(κs, κ(1−s)), of mean s; κ is a pseudo-count, one for all rows or one for each."""

    name = "beta"
    parameter = "concentration"
    symbol = "κ"
    bare: ClassVar[float] = math.inf

    def check(self, amount: Any) -> float | FloatArray:
        """Return κ: a number from 0 (the limit) to infinity, or an array of positive numbers."""
        if np.ndim(amount) == 0 and not hasattr(amount, "__len__"):
            value = as_number("concentration", amount)
            if value < 0:
                hint = "0 is the limit of small concentrations, inf the bare curve."
                raise OptionError("is negative.", hint, option="concentration", value=amount)
            return value
        column = as_floats(as_array(amount, "concentration"), "concentration", OptionError)
        bad = np.flatnonzero(~((column >= LEAST_OF_A_ROW) & (column < math.inf)))
        if len(bad):
            raise OptionError(
                "is not a positive number of a usual size.",
                f"each row needs a finite concentration of {LEAST_OF_A_ROW:g} or more, such as the "
                "size of its leaf.",
                argument="concentration",
                value=float(column[bad[0]]),
            ).at(row=int(bad[0]), count=len(bad))
        return column

    def fitted(self, amount: Any, data: Sample | Tally) -> Any:
        """Return the concentrations of the rows that are left, or one number if all are equal."""
        if not isinstance(amount, np.ndarray):
            return amount
        if isinstance(data, Tally):
            raise OptionError(
                "has one value for each row, and a tally has no rows.",
                "pass one number, or y_true and y_prob in place of the tally.",
                argument="concentration",
            )
        if len(amount) != data.length:
            raise OptionError(
                f"has {len(amount):,} rows, y_true has {data.length:,}.",
                "give each row its own, or pass one number.",
                argument="concentration",
            )
        amount = amount if data.rows is None else amount[data.rows]
        return float(amount[0]) if (amount == amount[0]).all() else amount

    def scores(self, data: Sample | Tally, amount: float | FloatArray) -> BetaScores | None:
        """Return both classes as beta distributions; None when a class has no mass."""
        if not isinstance(amount, np.ndarray):
            sides = sides_of(data)
            return None if sides is None else beta_scores([(amount, sides)])
        assert isinstance(data, Sample)
        whole = data.tally()
        totals = float(whole.total_up), float(whole.total_right)
        if not all(totals):
            return None
        order = np.argsort(amount, kind="stable")
        values, starts = np.unique(amount[order], return_index=True)
        parts = []
        for value, rows in zip(values.tolist(), np.split(order, starts[1:]), strict=True):
            tally = data.take(rows).tally()
            sides = sides_of_tally(tally)
            shares = (float(tally.total_up) / totals[0], float(tally.total_right) / totals[1])
            parts.append((value, sides.weighed(shares)))
        return beta_scores(parts)

    def area(self, data: Sample | Tally, amount: float | FloatArray) -> Sums | None:
        """Return Area(κ); the AUC for κ = inf, the limit of small κ for κ = 0."""
        if not isinstance(amount, np.ndarray) and amount == math.inf:
            sides = sides_of(data)
            return None if sides is None else Sums(sides.auc, 0.0, 0.0, 2 * EPS)
        found = self.scores(data, amount)
        if found is None:
            return None
        area, error = found.area()
        return Sums(area, 0.0, 0.0, error)

    def walk(self, data: Sample | Tally, amount: float | FloatArray) -> SmearedWalk:
        """Return a polyline whose distance from the curve is bounded."""
        return self.curve(data, amount)[1]

    def curve(self, data: Sample | Tally, amount: Any) -> tuple[Sums, SmearedWalk]:
        """Return the area and the curve, from the same nodes and panels."""
        if not isinstance(amount, np.ndarray) and amount == math.inf:
            sums = self.area(data, amount)
            assert sums is not None
            return sums, bare_walk(_tally(data))
        found = self.scores(data, amount)
        assert found is not None
        area, error = found.area()
        drawn = beta_walk(_tally(data), found) if found.groups else bare_walk(_tally(data))
        return Sums(area, 0.0, 0.0, error), drawn

    def survival(
        self, scores: FloatArray, positions: FloatArray, amount: float | FloatArray
    ) -> FloatArray:
        """Return P(X ≥ t): 1 − I_t(κs, κ(1−s))."""
        if not isinstance(amount, np.ndarray) and amount in (0, math.inf):
            s, t = scores[:, None], positions[None, :]
            coins = np.where(t <= 0, 1.0, np.where(t < 1, s, (s >= 1) & (t <= 1)))
            return coins if amount == 0 else (s >= t).astype(np.float64)
        return survival(amount, scores, positions)

    def compact(
        self,
        scores: FloatArray,
        columns: FloatArray,
        amount: float | FloatArray,
        positions: FloatArray,
    ) -> tuple[FloatArray, FloatArray]:
        """Return Chebyshev points in place of many scores, for one concentration."""
        if isinstance(amount, np.ndarray) or amount in (0, math.inf):
            return scores, columns
        return compact(amount, scores, columns, positions)


def _tally(data: Sample | Tally) -> Tally:
    return data if isinstance(data, Tally) else data.tally()


# -- by name ---------------------------------------------------------------------------------------


_WIDTHS: Mapping[str, Callable[[float], WidthKernel]] = {
    "uniform": lambda _: Uniform(),
    "normal": Normal,
    "logit": lambda _: OnLogOdds("logit", Uniform()),
    "logit-normal": lambda deviations: OnLogOdds("logit-normal", Normal(deviations)),
}
_OTHERS: Mapping[str, Kernel] = {"coin": Coin(), "beta": Beta()}
KERNELS = (*_WIDTHS, *_OTHERS)


def kernel_named(name: str, sd_per_width: float = 0.5) -> Kernel:
    """Return the kernel of a name."""
    one_of("kernel", name, KERNELS)
    Normal(sd_per_width)  # checks it, whichever kernel is asked for
    return _WIDTHS[name](sd_per_width) if name in _WIDTHS else _OTHERS[name]


def width_kernel(name: str, sd_per_width: float = 0.5) -> WidthKernel:
    """Return the kernel of a name that has a width."""
    kernel = kernel_named(name, sd_per_width)
    if not isinstance(kernel, WidthKernel):
        raise OptionError(
            f"has a {kernel.parameter} and no width.",
            f"a width belongs to one of {', '.join(map(repr, _WIDTHS))}; "
            "for beta there is rocwalk.matched_concentration, and a coin matches by itself.",
            option="kernel",
            value=name,
        )
    return kernel


def amount_of(kernel: Kernel, given: Mapping[str, Any], *, can_match: bool = False) -> Any:
    """Return the kernel's own one of the options that are given, checked; refuse the others.

    "matched" is returned as it is, where that is allowed.
    """
    for option, value in given.items():
        if option != kernel.parameter and value is not None:
            raise OptionError(
                f"is not for the kernel {kernel.name!r}.",
                ("its amount of smearing is ", Argument(kernel.parameter), "."),
                option=option,
                value=value,
            )
    value = given[kernel.parameter]
    if value is None and isinstance(kernel, Coin):
        value = 1.0
    if value is None:
        raise OptionError(
            "is missing.",
            ("the kernel ", repr(kernel.name), " needs ", Argument(kernel.parameter), "."),
            argument=kernel.parameter,
        )
    if not (isinstance(value, str) and can_match):
        return kernel.check(value)
    if value != "matched" or isinstance(kernel, Coin):
        words = "a number" if isinstance(kernel, Coin) else 'a number or "matched"'
        raise OptionError(
            "is not known.",
            (Argument(kernel.parameter), f" is {words}."),
            option=kernel.parameter,
            value=value,
        )
    return value
