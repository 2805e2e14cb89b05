"""Cost space: the expected loss of the rules of a curve.

A false positive costs c and a false negative 1 − c. The loss of a rule is
Q(c) = 2{c·π⁻·FPR + (1 − c)·π⁺·FNR}: a straight line over c. Three ways to choose the rule for each
c give three loss curves: the best rule (the lower envelope of all lines, which is the hull), the
rule "score ≥ c" (the Brier curve), and the rule that predicts a share of 1 − c positive. See
"Costs" in docs/mathematics.rst.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from rocwalk.checks import as_number
from rocwalk.curves.area import area
from rocwalk.curves.calibration import brier
from rocwalk.curves.choices import Choice, Costs, best
from rocwalk.curves.hull import hull
from rocwalk.errors import OptionError
from rocwalk.methods import Methods, methods_of
from rocwalk.read.arrays import as_array, as_floats
from rocwalk.result import Result
from rocwalk.tally.tally import Tally, read_only, refuse_other_scores
from rocwalk.tally.walk import (
    Walk,
    columns_in_order,
    in_order,
    refuse_one_class,
    share_of_positives,
)
from rocwalk.typing import AnyArray, ArrayLike, Bounds, FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def loss(fpr: FloatArray, tpr: FloatArray, c: FloatArray, prevalence: float) -> FloatArray:
    """Return Q = 2{c·π⁻·FPR + (1 − c)·π⁺·FNR}."""
    return 2 * (c * (1 - prevalence) * fpr + (1 - c) * prevalence * (1 - tpr))


# -- cost curves -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Envelope:
    """The vertices of the hull as rules, and the costs for which each is optimal.

    `vertices` are the m + 1 rules from "never positive" to "always positive". Over c, rule k is
    best between `cuts[k + 1]` and `cuts[k]`, over the probability cost PC(+) between `shares[k]`
    and `shares[k + 1]`.
    """

    vertices: Walk
    prevalence: float

    @cached_property
    def cuts(self) -> FloatArray:
        """1, the PAV values of the edges, 0: the c at which the best rule changes, decreasing."""
        rise, run = np.diff(self.vertices.up), np.diff(self.vertices.right)
        if self.prevalence != self.vertices.prevalence:
            rise = self.prevalence * np.diff(self.vertices.tpr)
            run = (1 - self.prevalence) * np.diff(self.vertices.fpr)
        return np.concatenate(([1.0], rise / (rise + run), [0.0]))

    @cached_property
    def shares(self) -> FloatArray:
        """0, dFPR/(dFPR + dTPR) of the edges, 1: where the best rule changes, increasing."""
        rise, run = np.diff(self.vertices.tpr), np.diff(self.vertices.fpr)
        return np.concatenate(([0.0], run / (rise + run), [1.0]))

    @property
    def extremes(self) -> tuple[Envelope, Envelope]:
        """The rules on the lowest and the highest hull that the tally allows; twice these if exact.

        The loss of the best rule does not increase when the hull rises.
        """
        low, high = self.vertices.extremes
        return Envelope(low, self.prevalence), Envelope(high, self.prevalence)

    @property
    def cost_area(self) -> float:
        """The area under the envelope of the normalised expected cost."""
        share, cost = self.cost_points()
        return float(np.trapezoid(cost, share))

    def cost_points(self) -> tuple[FloatArray, FloatArray]:
        """Return PC(+) and the normalised expected cost at the corners of the envelope."""
        share = self.shares
        fpr, tpr = self._best_rates()
        return share, (1 - tpr) * share + fpr * (1 - share)

    def loss_points(self) -> tuple[FloatArray, FloatArray]:
        """Return c, increasing, and Q at the corners of the envelope."""
        c = self.cuts
        return c[::-1], loss(*self._best_rates(), c, self.prevalence)[::-1]

    def _best_rates(self) -> tuple[FloatArray, FloatArray]:
        """Return the rates of a rule that is best at each corner."""
        fpr, tpr = self.vertices.fpr, self.vertices.tpr
        return np.append(fpr[0], fpr), np.append(tpr[0], tpr)

    @property
    def loss_area(self) -> float:
        """The area under the envelope of Q: Σ du·dr/(du + dr), the loss left after calibration."""
        rise = self.prevalence * np.diff(self.vertices.tpr)
        run = (1 - self.prevalence) * np.diff(self.vertices.fpr)
        return float((rise * run / (rise + run)).sum())


def envelope(walk: Walk, prevalence: float | None = None) -> Envelope:
    """Return the rules that are optimal for some costs."""
    refuse_one_class(walk)
    share = share_of_positives(walk, prevalence)
    return Envelope(hull(walk), share)


@dataclass(frozen=True, eq=False, repr=False)
class CostCurve(Result):
    """Drummond & Holte's cost curve: the lower envelope of the cost lines of all rules.

    Make one with `Curve.cost_curve`. It gives the normalised expected cost
    NE = FNR·PC(+) + FPR·(1 − PC(+)) as a function of the probability cost
    PC(+) = π⁺c_FN/(π⁺c_FN + π⁻c_FP). Each rule is a straight line, and a vertex of the hull is an
    edge of the envelope. As a table it lists the rules and the costs for which each is optimal.

    For a bucketed tally these are the best of the rules that cut between buckets, at their exact
    cost; `at_bounds` and `area_bounds` bound the cost of the best of all rules.
    """

    rules: Envelope

    @cached_property
    def _points(self) -> tuple[FloatArray, FloatArray]:
        share, cost = self.rules.cost_points()
        return read_only(share), read_only(cost)

    @property
    def probability_cost(self) -> FloatArray:
        """PC(+) at the corners of the envelope, from 0 to 1."""
        return self._points[0]

    @property
    def expected_cost(self) -> FloatArray:
        """The normalised expected cost at the corners of the envelope."""
        return self._points[1]

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        return self.rules.prevalence

    @cached_property
    def area(self) -> float:
        """The area under the envelope: the mean cost if every PC(+) is equally likely."""
        return self.rules.cost_area

    @cached_property
    def area_bounds(self) -> Bounds:
        """The lowest, the middle and the highest area; equal unless bucketed."""
        if self.rules.vertices.is_exact:
            return self.area, self.area, self.area
        below, above = self.rules.extremes  # a higher curve has lower cost
        return in_order(above.cost_area, self.area, below.cost_area)

    @property
    def loss(self) -> LossCurve:
        """The envelope as a loss Q over the cost proportion c."""
        limits = None
        if not self.rules.vertices.is_exact:
            below, above = self.rules.extremes
            limits = optimal_losses(below), optimal_losses(above)
        return LossCurve("optimal", optimal_losses(self.rules), limits)

    @overload
    def at(self, probability_cost: float) -> float: ...
    @overload
    def at(self, probability_cost: ArrayLike) -> FloatArray: ...
    def at(self, probability_cost: ArrayLike) -> Any:
        """Return the normalised expected cost of the best rule at one or several PC(+)."""
        asked = _shares("probability_cost", probability_cost)
        return _like(probability_cost, np.interp(asked, *self._points))

    @overload
    def at_bounds(self, probability_cost: float) -> Bounds: ...
    @overload
    def at_bounds(
        self, probability_cost: ArrayLike
    ) -> tuple[FloatArray, FloatArray, FloatArray]: ...
    def at_bounds(self, probability_cost: ArrayLike) -> tuple[Any, Any, Any]:
        """Return the lowest, the middle and the highest value of `at`; equal unless bucketed."""
        asked = _shares("probability_cost", probability_cost)
        below, above = (np.interp(asked, *each.cost_points()) for each in self.rules.extremes)
        found = columns_in_order(above, np.interp(asked, *self._points), below)
        return _each_like(probability_cost, found)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the envelope over the lines of the rules, below the two trivial classifiers.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_costs

        return draw_costs(self.rules, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "area": self.area,
            "loss_area": self.rules.loss_area,
            "prevalence": self.prevalence,
            "rules": len(self.rules.vertices),
            **({} if self.rules.vertices.is_exact else {"area_bounds": self.area_bounds}),
        }

    def _columns(self) -> dict[str, AnyArray]:
        rules, shares, cuts = self.rules.vertices, self.rules.shares, self.rules.cuts
        return {
            "threshold": rules.thresholds,
            "fpr": rules.fpr,
            "tpr": rules.tpr,
            "lowest_probability_cost": shares[:-1],
            "highest_probability_cost": shares[1:],
            "lowest_cost_proportion": cuts[1:],
            "highest_cost_proportion": cuts[:-1],
        }


# -- loss curves -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Losses:
    """Q over c: points in order of increasing c, and the exact area under the curve.

    Between two points FPR and TPR are straight lines of c, so Q is a straight line where they do
    not change. Where c repeats, the curve jumps; at the jump it has the lower point's value.
    """

    c: FloatArray
    fpr: FloatArray
    tpr: FloatArray
    prevalence: float
    area: float

    @cached_property
    def loss(self) -> FloatArray:
        """Q at the points."""
        return loss(self.fpr, self.tpr, self.c, self.prevalence)

    def at(self, c: FloatArray) -> FloatArray:
        """Return Q at any c in [0, 1]; at a jump the value of "score ≥ c"."""
        right = np.clip(np.searchsorted(self.c, c, "left"), 1, len(self.c) - 1)
        left = right - 1
        span = self.c[right] - self.c[left]
        part = np.divide(c - self.c[left], span, out=np.zeros_like(span), where=span > 0)
        fpr = self.fpr[left] + part * (self.fpr[right] - self.fpr[left])
        tpr = self.tpr[left] + part * (self.tpr[right] - self.tpr[left])
        return loss(fpr, tpr, c, self.prevalence)


def optimal_losses(rules: Envelope) -> Losses:
    """Return the loss of the best rule for each c: the lower envelope."""
    cuts = rules.cuts[::-1]
    fpr, tpr = rules.vertices.fpr[::-1], rules.vertices.tpr[::-1]
    ends = np.repeat(cuts, 2)[1:-1]
    return Losses(ends, np.repeat(fpr, 2), np.repeat(tpr, 2), rules.prevalence, rules.loss_area)


def brier_losses(walk: Walk, tally: Tally, prevalence: float | None = None) -> Losses:
    """Return the loss of the rule "score ≥ c" for each c; its area is the Brier score."""
    refuse_one_class(walk)
    refuse_other_scores(tally)
    share = share_of_positives(walk, prevalence)
    thresholds = walk.thresholds[:0:-1]  # increasing, without the infinite one
    ends = np.repeat(np.concatenate(([0.0], thresholds, [1.0])), 2)[1:-1]
    fpr, tpr = (np.repeat(rates[::-1], 2) for rates in (walk.fpr, walk.tpr))
    return Losses(ends, fpr, tpr, share, brier(tally, share))


def rate_losses(walk: Walk, prevalence: float | None = None) -> Losses:
    """Return the loss of predicting a share of 1 − c positive, at random between two rules.

    The area is π⁺π⁻(1 − 2·AUC) + 1/3 (Hernández-Orallo, Flach & Ferri 2013).
    """
    refuse_one_class(walk)
    share = share_of_positives(walk, prevalence)
    c = 1 - (share * walk.tpr + (1 - share) * walk.fpr)
    whole = share * (1 - share) * (1 - 2 * area(walk)) + 1 / 3
    return Losses(c[::-1], walk.fpr[::-1], walk.tpr[::-1], share, whole)


@dataclass(frozen=True, eq=False, repr=False)
class LossCurve(Result):
    """The loss Q(c) = 2{c·π⁻·FPR + (1 − c)·π⁺·FNR} over c, where a false positive costs c.

    `rule` is the rule used for each c: "optimal" the best one, "score" the rule score ≥ c (a Brier
    curve), "rate" the rule that predicts a share of 1 − c positive. `area` is the mean loss if
    every c is equally likely.

    `limits` are the losses on the lowest and on the highest curve that a bucketed tally allows. The
    loss does not increase when the curve rises: neither that of the best rule, nor that at a given
    rate, where a line π⁺TPR + π⁻FPR = 1 − c meets the higher curve further up and further left.
    """

    rule: str
    data: Losses
    limits: tuple[Losses, Losses] | None = None

    @property
    def cost_proportion(self) -> FloatArray:
        """Return c at the points, increasing; a repeated c is a jump."""
        return read_only(self.data.c)

    @property
    def loss(self) -> FloatArray:
        """Q at the points."""
        return read_only(self.data.loss)

    @property
    def area(self) -> float:
        """The area under the curve, in closed form.

        For "score" the Brier score, for "optimal" the refinement loss, for "rate"
        π⁺π⁻(1 − 2·AUC) + 1/3.
        """
        return self.data.area

    @property
    def area_bounds(self) -> Bounds:
        """The lowest, the middle and the highest area; equal unless bucketed."""
        below, above = self.limits or (self.data, self.data)
        return in_order(above.area, self.area, below.area)

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        return self.data.prevalence

    @overload
    def at(self, cost_proportion: float) -> float: ...
    @overload
    def at(self, cost_proportion: ArrayLike) -> FloatArray: ...
    def at(self, cost_proportion: ArrayLike) -> Any:
        """Return Q at one or several c."""
        asked = _shares("cost_proportion", cost_proportion)
        return _like(cost_proportion, self.data.at(asked))

    @overload
    def at_bounds(self, cost_proportion: float) -> Bounds: ...
    @overload
    def at_bounds(
        self, cost_proportion: ArrayLike
    ) -> tuple[FloatArray, FloatArray, FloatArray]: ...
    def at_bounds(self, cost_proportion: ArrayLike) -> tuple[Any, Any, Any]:
        """Return the lowest, the middle and the highest Q; equal unless bucketed."""
        asked = _shares("cost_proportion", cost_proportion)
        return _each_like(cost_proportion, self._open(asked))

    def _open(self, c: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        below, above = self.limits or (self.data, self.data)
        return columns_in_order(above.at(c), self.data.at(c), below.at(c))

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the loss over c, below that of the better trivial classifier.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_losses

        return draw_losses(self.data, self.rule, ax, name=name, **options)

    def _headline(self) -> dict[str, Any]:
        bounds = {} if self.limits is None else {"area_bounds": self.area_bounds}
        return {"rule": self.rule, "area": self.area, "prevalence": self.prevalence, **bounds}

    def _columns(self) -> dict[str, AnyArray]:
        columns = {
            "cost_proportion": self.data.c,
            "loss": self.loss,
            "fpr": self.data.fpr,
            "tpr": self.data.tpr,
        }
        if self.limits is None:
            return columns
        low, _, high = self._open(self.data.c)
        return columns | {"lowest_loss": low, "highest_loss": high}


# -- decision curves -------------------------------------------------------------------------------


def net_benefit(losses: Losses, threshold: FloatArray) -> FloatArray:
    """Return TP/n − FP/n · t/(1 − t) of the rule "score ≥ t": π⁺ − Q(t; t) / (2(1 − t))."""
    return losses.prevalence - losses.at(threshold) / (2 * (1 - threshold))


def treat_all(threshold: FloatArray, prevalence: float) -> FloatArray:
    """Return the net benefit of predicting every item positive."""
    return prevalence - (1 - prevalence) * threshold / (1 - threshold)


def useful_end(prevalence: float) -> float:
    """Return up to which threshold the net benefit is drawn: four times the prevalence.

    >>> useful_end(0.02), useful_end(0.6)
    (0.08, 0.99)
    """
    return min(0.99, max(0.05, 4 * prevalence))


@dataclass(frozen=True, eq=False, repr=False)
class DecisionCurve(Result):
    """Net benefit against the threshold probability; make one with `Curve.decision_curve`.

    NB(t) = TP/n − FP/n · t/(1 − t) for the rule "score ≥ t": true positives minus false positives
    at the cost that t implies. Compare with treating all and with treating none (0).
    """

    data: Losses

    @property
    def prevalence(self) -> float:
        """The share of positives."""
        return self.data.prevalence

    @cached_property
    def thresholds(self) -> FloatArray:
        """0 and the thresholds at which a decision changes: the distinct scores below 1."""
        c = np.unique(self.data.c)
        return read_only(c[c < 1])

    @cached_property
    def net_benefit(self) -> FloatArray:
        """The net benefit at each of the thresholds."""
        return read_only(net_benefit(self.data, self.thresholds))

    @overload
    def at(self, threshold: float) -> float: ...
    @overload
    def at(self, threshold: ArrayLike) -> FloatArray: ...
    def at(self, threshold: ArrayLike) -> Any:
        """Return the net benefit at one or several thresholds below 1."""
        asked = _shares("threshold", threshold)
        if (asked >= 1).any():
            raise OptionError(
                "At a threshold of 1 a false positive costs infinitely much.",
                "pass thresholds below 1.",
            )
        return _like(threshold, net_benefit(self.data, asked))

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the net benefit of the model, of treating all and of treating none.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_benefit

        return draw_benefit(self.data, ax, name=name, **options)

    def methods(self) -> Methods:
        """Return how this was computed as a paragraph with citations; `.bibtex` has the entries."""
        return methods_of(
            "Net benefit was computed over threshold probabilities and compared with treating "
            "all and treating none (decision curve analysis) [@vickers2006]."
        )

    def _headline(self) -> dict[str, Any]:
        return {"prevalence": self.prevalence, "thresholds": len(self.thresholds)}

    def _columns(self) -> dict[str, AnyArray]:
        return {
            "threshold": self.thresholds,
            "net_benefit": self.net_benefit,
            "treat_all": treat_all(self.thresholds, self.prevalence),
        }


# -- the best rules for several costs --------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class PriceList(Result):
    """The best rule and its expected cost for each of several `Costs`; from `Curve.price`."""

    costs: tuple[Costs, ...]
    choices: tuple[Choice, ...]
    prevalences: FloatArray

    @cached_property
    def expected_cost(self) -> FloatArray:
        """The expected cost of one item under the best rule."""
        return read_only(np.array([choice.expected_cost for choice in self.choices]))

    @cached_property
    def expected_cost_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the found and the highest cost of the best rule; equal unless bucketed.

        The cost of the rule that was found is exact; a rule inside a bucket might cost less.
        """
        low, high = (
            np.array([(choice.expected_cost_bounds or (np.nan,) * 3)[k] for choice in self.choices])
            for k in (0, 2)
        )
        return read_only(low), self.expected_cost, read_only(high)

    @property
    def _is_exact(self) -> bool:
        return all(choice.cost_range is None for choice in self.choices)

    @cached_property
    def saved(self) -> FloatArray:
        """What the rule saves against the cheaper of "always" and "never positive"."""
        return read_only(self._trivial - self.expected_cost)

    @property
    def saved_bounds(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The lowest, the found and the highest value of `saved`; equal unless bucketed."""
        least, _, most = self.expected_cost_bounds
        return read_only(self._trivial - most), self.saved, read_only(self._trivial - least)

    @property
    def _trivial(self) -> FloatArray:
        """The cost of the cheaper of "always" and "never positive"."""
        always = [c.expected(1.0, 1.0, p) for c, p in self._priced]
        never = [c.expected(0.0, 0.0, p) for c, p in self._priced]
        return np.minimum(always, never)

    @property
    def _priced(self) -> list[tuple[Costs, float]]:
        return list(zip(self.costs, self.prevalences.tolist(), strict=True))

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Axes:
        """Draw the expected cost against the cost of a false positive as a share of both costs.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        name
            The label of the curve in the legend.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.curves.plot import draw_prices

        share = [c.false_positive / (c.false_positive + c.false_negative) for c in self.costs]
        return draw_prices(
            np.array(share), self.expected_cost, self.saved, ax, name=name, **options
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "prices": len(self.costs),
            "lowest": float(self.expected_cost.min()),
            "highest": float(self.expected_cost.max()),
            **({} if self._is_exact else {"least_possible": self.expected_cost_bounds[0].min()}),
        }

    def _columns(self) -> dict[str, AnyArray]:
        low, _, high = self.expected_cost_bounds
        bounds = {} if self._is_exact else {"lowest_cost": low, "highest_cost": high}
        return {
            "false_positive": np.array([c.false_positive for c in self.costs]),
            "false_negative": np.array([c.false_negative for c in self.costs]),
            "prevalence": self.prevalences,
            "threshold": np.array([choice.threshold for choice in self.choices]),
            "fpr": np.array([choice.fpr for choice in self.choices]),
            "tpr": np.array([choice.tpr for choice in self.choices]),
            "expected_cost": self.expected_cost,
            "saved": self.saved,
            **bounds,
        }


def price(walk: Walk, costs: Costs | Iterable[Costs]) -> PriceList:
    """Return the best rule for each of the costs."""
    given: Any = costs
    if isinstance(given, str) or not isinstance(given, Costs | Iterable):
        raise OptionError(
            "is neither a Costs object nor a list of them.",
            "pass one or several Costs(false_positive=…, false_negative=…).",
            option="costs",
            value=costs,
        )
    asked = (costs,) if isinstance(costs, Costs) else tuple(costs)
    if not asked:
        raise OptionError("There are no costs.", "pass one or several rocwalk.Costs.")
    for k, one in enumerate(asked):
        if not isinstance(one, Costs):
            raise OptionError(
                f"costs at place {k} is {one!r}, not a Costs object.",
                "pass Costs(false_positive=…, false_negative=…).",
            )
    choices = tuple(best(walk, one) for one in asked)
    shares = np.array([one.share_of_positives(walk.prevalence) for one in asked])
    return PriceList(asked, choices, read_only(shares))


# -- reading a curve at one or several places ------------------------------------------------------


def _shares(name: str, values: ArrayLike) -> FloatArray:
    """Return one or several numbers in [0, 1]."""
    if isinstance(values, str) or np.ndim(values) == 0:
        found = np.array([as_number(name, values)])
    else:
        found = as_floats(as_array(values, name), name, OptionError)
    outside = np.flatnonzero(~((found >= 0) & (found <= 1)))
    if len(outside):
        where = f" at row {outside[0]}" if np.ndim(values) else ""
        raise OptionError(
            f"{name}{where} is {found[outside[0]]:g}, outside [0, 1].",
            f"{name} is a share, such as 0.2.",
        )
    return found


def _like(asked: Any, found: FloatArray) -> Any:
    """Return a number for a number, a column for a column."""
    return float(found[0]) if np.ndim(asked) == 0 else found


def _each_like(asked: Any, found: tuple[FloatArray, ...]) -> tuple[Any, Any, Any]:
    """Return three numbers for a number, three columns for a column."""
    low, middle, high = (_like(asked, each) for each in found)
    return low, middle, high
