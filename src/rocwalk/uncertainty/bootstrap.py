"""Intervals from replicates: percentile, basic, BCa (SPEC §9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocwalk.errors import OneClassError
from rocwalk.typing import FloatArray
from rocwalk.uncertainty.evidence import Evidence, counted
from rocwalk.uncertainty.influence import (
    Influence,
)
from rocwalk.uncertainty.question import Interval, Question, made
from rocwalk.uncertainty.resample import quantiles, replicates, spread_of
from rocwalk.uncertainty.statistic import Statistic
from rocwalk.walk.tally import Tally

if TYPE_CHECKING:
    pass

_GROUPS = 200  # of rows, where each alone would take too long


def bootstrap(evidence: Evidence, question: Question, method: str) -> Interval:
    """Return the interval of replicates, drawn class by class where the statistic allows it."""
    statistic = question.statistic
    estimate = statistic.of(evidence.tally)
    evidence = counted(evidence)
    stratified = statistic.conditional and evidence.is_counts
    values = replicates(
        evidence, statistic, question.plan, stratified=stratified
    )
    words = method if stratified or not statistic.conditional else f"{method}-unstratified"
    return from_replicates(evidence, question, method, estimate, values, words)


def from_replicates(
    evidence: Evidence,
    question: Question,
    method: str,
    estimate: float,
    values: FloatArray,
    words: str | None = None,
) -> Interval:
    """Return the percentile, basic or BCa interval of replicates."""
    statistic = question.statistic
    kept = np.sort(values[~np.isnan(values)])
    if len(kept) < 2:
        raise OneClassError(
            f"{statistic.name} exists in fewer than two replicates.",
            "there are too few items of one class for a bootstrap, or n_resamples is too small.",
        )
    low, high = bootstrap_ends(evidence, question, method, estimate, kept)
    found = made(question, estimate, (low, high), spread_of(kept), words or method)
    count = int(question.plan.n_resamples)
    return replace(found, n_resamples=count, failed=len(values) - len(kept))


def bootstrap_ends(
    evidence: Evidence, question: Question, method: str, estimate: float, values: FloatArray
) -> tuple[float, float]:
    """Return the ends of a percentile, basic or BCa interval from sorted replicates."""
    tails = ((1 - question.level) / 2, (1 + question.level) / 2)
    if method == "bca":
        tails = _bca_tails(evidence, question, estimate, values)
    low, high = quantiles(values, tails)
    return (2 * estimate - high, 2 * estimate - low) if method == "basic" else (low, high)


def _bca_tails(
    evidence: Evidence, question: Question, estimate: float, values: FloatArray
) -> tuple[float, float]:
    """Return the corrected shares (Efron 1987): bias from the replicates, skewness from ψ."""
    from scipy.special import ndtr, ndtri

    below = np.count_nonzero(values < estimate) + np.count_nonzero(values == estimate) / 2
    if below in (0, len(values)):
        return (1 - question.level) / 2, (1 + question.level) / 2
    bias = float(ndtri(below / len(values)))
    skew = _skewness(evidence, question.statistic)
    ends = []
    for z in (-question.z, question.z):
        moved = bias + (bias + z) / (1 - skew * (bias + z))
        ends.append(float(ndtr(moved)))
    return ends[0], ends[1]


def _skewness(evidence: Evidence, statistic: Statistic) -> float:
    """Return Σψ³ / (6·(Σψ²)^{3/2}) over the units that are drawn."""
    values, weights = unit_influences(evidence, statistic)
    second = float((weights * values**2).sum())
    return float((weights * values**3).sum()) / (6 * second**1.5) if second > 0 else 0.0


def unit_influences(evidence: Evidence, statistic: Statistic) -> tuple[FloatArray, FloatArray]:
    """Return ψ of the units and how many units have it."""
    tally = evidence.tally
    if statistic.of_items is not None and evidence.is_soft:
        items = evidence.need_items(statistic.name)
        each = items.by_unit(statistic.of_items.psi(items))
        return each, np.ones(len(each))
    if statistic.influence is not None:
        influence = statistic.influence(tally)
    elif statistic.estimate is not None:
        influence = statistic.estimate(tally).influence
    else:
        influence = _numerical_influence(tally, statistic.of)
    if evidence.is_counts or evidence.items is None:
        return (
            np.concatenate((influence.up, influence.right)),
            np.concatenate((tally.up, tally.right)).astype(np.float64),
        )
    items = evidence.items
    each = items.up * influence.up[items.rows] + items.right * influence.right[items.rows]
    each = items.by_unit(each)
    return each, np.ones(len(each))


def _numerical_influence(tally: Tally, of: Callable[[Tally], float]) -> Influence:
    """Return the influence by a small change of mass, row by row or by groups of rows."""
    rows, estimate = len(tally), of(tally)
    groups = np.minimum(np.arange(rows) * _GROUPS // max(rows, _GROUPS), _GROUPS - 1)
    groups = np.arange(rows) if rows <= _GROUPS else groups
    sides = [tally.up.astype(np.float64), tally.right.astype(np.float64)]
    whole = float(sum(side.sum() for side in sides))
    found = [np.zeros(rows), np.zeros(rows)]
    for k in range(int(groups.max()) + 1):
        inside = groups == k
        for side in (0, 1):
            mass = float(sides[side][inside].sum())
            if not mass > 0:
                continue
            step = 1e-4 * whole / mass
            moved = [part.copy() for part in sides]
            moved[side][inside] *= 1 + step
            value = of(Tally(tally.scores, moved[0], moved[1], tally.steps, tally.threshold))
            found[side][inside] = (value - estimate) / (step * mass)
    shift = float((sides[0] * found[0] + sides[1] * found[1]).sum()) / whole
    return Influence(estimate, found[0] - shift, found[1] - shift)
