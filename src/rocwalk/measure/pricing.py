"""Cost space: what the rules of a curve lose when mistakes are priced (SPEC §7).

A false positive costs c and a false negative 1 − c. The loss of a rule is
Q(c) = 2{c·π⁻·FPR + (1 − c)·π⁺·FNR}: a straight line over c. Three ways to choose the rule for each
c give three loss curves: the best rule (the lower envelope of all lines, which is the hull), the
rule "score ≥ c" (the Brier curve), and the rule that calls a share of 1 − c positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.errors import OptionError
from rocwalk.measure.area import area
from rocwalk.measure.brier import brier
from rocwalk.measure.costs import check_prevalence
from rocwalk.measure.hull import hull
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.typing import FloatArray
from rocwalk.walk.curve import Walk, refuse_one_class
from rocwalk.walk.tally import Tally


def share_of_positives(walk: Walk, prevalence: float | None) -> float:
    """Return the prevalence that is given, else the walk's own."""
    if prevalence is not None:
        return check_prevalence(prevalence)
    if walk.prevalence is None:
        raise OptionError(
            "An averaged curve carries no masses, so its prevalence is unknown.",
            "give prevalence=, the share of positives where the rule will be used.",
        )
    return walk.prevalence


def loss(fpr: FloatArray, tpr: FloatArray, c: FloatArray, prevalence: float) -> FloatArray:
    """Return Q = 2{c·π⁻·FPR + (1 − c)·π⁺·FNR}."""
    return 2 * (c * (1 - prevalence) * fpr + (1 - c) * prevalence * (1 - tpr))


# -- the best rule for every price ---------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Envelope:
    """The hull as a list of rules, and the prices for which each is the best.

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
        """The rules on the hulls between which the exact one runs; twice these if it is exact.

        The loss of the best rule never rises when the hull does.
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
        fpr, tpr = self._owned()
        return share, (1 - tpr) * share + fpr * (1 - share)

    def loss_points(self) -> tuple[FloatArray, FloatArray]:
        """Return c, increasing, and Q at the corners of the envelope."""
        c = self.cuts
        return c[::-1], loss(*self._owned(), c, self.prevalence)[::-1]

    def _owned(self) -> tuple[FloatArray, FloatArray]:
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
    """Return the rules that are best for some price."""
    refuse_one_class(walk)
    share = share_of_positives(walk, prevalence)
    return Envelope(hull(walk), share)


# -- loss curves ---------------------------------------------------------------------------------


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
    """Return the loss of calling a share of 1 − c positive, between two rules by chance.

    The area is π⁺π⁻(1 − 2·AUC) + 1/3 (Hernández-Orallo, Flach & Ferri 2013).
    """
    refuse_one_class(walk)
    share = share_of_positives(walk, prevalence)
    c = 1 - (share * walk.tpr + (1 - share) * walk.fpr)
    whole = share * (1 - share) * (1 - 2 * area(walk)) + 1 / 3
    return Losses(c[::-1], walk.fpr[::-1], walk.tpr[::-1], share, whole)


# -- net benefit ---------------------------------------------------------------------------------


def net_benefit(losses: Losses, threshold: FloatArray) -> FloatArray:
    """Return TP/n − FP/n · t/(1 − t) of the rule "score ≥ t": π⁺ − Q(t; t) / (2(1 − t))."""
    return losses.prevalence - losses.at(threshold) / (2 * (1 - threshold))


def treat_all(threshold: FloatArray, prevalence: float) -> FloatArray:
    """Return the net benefit of calling every item positive."""
    return prevalence - (1 - prevalence) * threshold / (1 - threshold)
