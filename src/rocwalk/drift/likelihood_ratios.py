"""Likelihood ratios of rows: alternatives to the calibration map of a reference, against the map.

`Null` holds P(y = 1 | p) as estimated from the reference, and its error. For each row the
likelihood of y under twenty alternatives is divided by its likelihood under the null hypothesis
that is nearest to each. See docs/drift.rst, A watch that may be looked at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.drift.calibration_map import (
    CalibrationMap,
    MapRows,
    design_of,
    expit,
    fit_of,
    grouped,
    squared_residuals,
)
from rocwalk.tally.tally import Tally
from rocwalk.typing import BoolArray, FloatArray

SHIFTS, SLOPES = np.array(  # of the log-odds of the map: the alternatives, one a column
    [(sign * size, 0.0) for size in (0.15, 0.3, 0.5, 0.8, 1.2) for sign in (1, -1)]
    + [(0.0, slope) for slope in (-1.3, -0.9, -0.6, -0.3, 0.4, 0.8)]
    + [(shift, slope) for shift in (0.6, -0.6) for slope in (0.5, -0.5)]
).T
_ERRORS = 2.0  # standard errors of the reference on either side of the map
_GRID = np.linspace(-3.0, 3.0, 11)
_LENGTHS, _FEWEST_BLOCKS, _UNUSUAL = (25, 50, 100, 200), 10, 0.05  # of the dependence factor
_LEAST_SLOPE = 1 / 9  # the precision of a slope of which the reference says nothing


# -- likelihood ratios of rows ---------------------------------------------------------------------


def log_likelihood(y: FloatArray, log_odds: FloatArray) -> FloatArray:
    """Return ℓ(y, e) = y·e − log(1 + eᵉ)."""
    found: FloatArray = y * log_odds - np.logaddexp(0.0, log_odds)
    return found


def alternatives(log_odds: FloatArray, centre: float) -> FloatArray:
    """Return the log-odds of the alternatives, h + Δ + r·(h − centre), one row a score."""
    found: FloatArray = log_odds[:, None] + SHIFTS + SLOPES * (log_odds - centre)[:, None]
    return found


def nearest_in_band(others: FloatArray, log_odds: FloatArray, reach: FloatArray) -> FloatArray:
    """Return the log-odds of the band h ± reach that are nearest to those of alternatives.

    The ratio of an alternative's likelihood to that of this edge has an expectation of at most 1
    under every truth in the band: it is 1 at the edge and falls with the distance from it.
    """
    found: FloatArray = np.clip(others, (log_odds - reach)[:, None], (log_odds + reach)[:, None])
    return found


def log_sum(terms: FloatArray) -> FloatArray:
    """Return log Σexp of each row."""
    top = terms.max(axis=1)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        found: FloatArray = top + np.log(np.exp(terms - top[:, None]).sum(axis=1))
    return found


@dataclass(frozen=True, eq=False)
class Increments:
    """What rows add: to the alternatives, to them against the map, and to the nodes of the null.

    The first is against the edge of the band, or against the map where the null has nodes. `unseen`
    marks rows whose score the reference says nothing of.
    """

    ratios: FloatArray
    against_map: FloatArray
    nodes: FloatArray
    unseen: BoolArray


@dataclass(frozen=True, eq=False)
class Null:
    """P(y = 1 | p) as estimated from the reference, with its error: the null hypothesis of a watch.

    `centre` is the mean of the map's log-odds h, weighted by g(1 − g); `covariance` that of a shift
    of h and of a slope of it; `dependence` the factor φ ≥ 1 that log-likelihoods are divided by.
    """

    map: CalibrationMap
    margin: float
    centre: float
    covariance: FloatArray
    dependence: float = 1.0

    @classmethod
    def of(cls, tally: Tally, margin: float) -> Null:
        """Return the null hypothesis of a reference whose order is not known."""
        data = grouped((tally,))
        design, sample = design_of(data), data.tallies[0]
        rows = MapRows(
            design.columns(sample.scores, data.groups[0]),
            design.offset(sample.scores),
            None,
            sample.up + sample.right,
            sample.up.astype(np.float64),
        )
        fit = fit_of(rows, design.precisions, 0.0, 0)
        squares = squared_residuals(sample, fit.probabilities)
        log_odds, weights = fit.log_odds(rows), fit.weights
        centre = float((weights * log_odds).sum() / weights.sum())
        line = np.column_stack([np.ones(len(log_odds)), log_odds - centre])
        bread = np.linalg.inv(line.T @ (line * weights[:, None]) + np.diag([0.0, _LEAST_SLOPE]))
        covariance: FloatArray = bread.astype(np.float64, copy=False)
        if not tally.is_counts:  # weights and soft truth have another variance than g(1 − g)
            filling = line.T @ (line * squares[:, None]) + np.diag([0.0, _LEAST_SLOPE])
            covariance = bread @ filling @ bread
        calibration = CalibrationMap(design, fit.coefficients, fit.covariance(squares))
        return cls(calibration, margin, centre, covariance)

    @cached_property
    def nodes(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The shifts and slopes of h that the reference allows, and their log-weights.

        A grid of eleven by eleven within three standard errors; none where there is a margin.
        """
        if self.margin > 0:
            nothing = np.zeros(0)
            return nothing, nothing, nothing
        z = np.array([(one, other) for one in _GRID for other in _GRID])
        z = z[(z**2).sum(axis=1) <= _GRID[-1] ** 2]
        shift, slope = (z @ np.linalg.cholesky(self.covariance).T).T
        weight = np.exp(-(z**2).sum(axis=1) / 2)
        return shift, slope, np.log(weight / weight.sum())

    def increments(self, y: FloatArray, scores: FloatArray, weights: FloatArray) -> Increments:
        """Return what rows add, with weights of at most 1."""
        log_odds, error = self.map.at(scores)
        distance = self.map.design.distance(scores)
        times = (weights / self.dependence)[:, None]
        at, truth = log_odds[:, None], y[:, None]
        others = alternatives(log_odds, self.centre)
        plain = log_likelihood(truth, at)
        under = log_likelihood(truth, others)
        against_map = (under - plain) * times
        shift, slope, _ = self.nodes
        if not len(shift):
            reach = _ERRORS * error + self.margin + distance
            edge = nearest_in_band(others, log_odds, reach)
            ratios = (under - log_likelihood(truth, edge)) * times
            return Increments(ratios, against_map, np.zeros((len(y), 0)), np.isinf(distance))
        against_map = against_map * (distance == 0)[:, None]
        around = at + shift + slope * (at - self.centre)
        nodes = (log_likelihood(truth, around) - plain) * times * (distance == 0)[:, None]
        return Increments(against_map, against_map, nodes, np.isinf(distance))


def dependence_of(null: Null, y: FloatArray, scores: FloatArray, weights: FloatArray) -> float:
    """Return φ ≥ 1: how much more the sums of y − g over blocks of time vary than if independent.

    Q = Σ(Σ w(y − g))²/Σw²g(1 − g) over k blocks of 25, 50, 100 and 200 rows, of which there are ten
    at least; φ is the largest Q/k of those where Q is above the 95 % quantile of χ²(k).
    """
    from scipy.special import chdtri

    g = expit(null.map.at(scores)[0])
    residual, variance = weights * (y - g), weights**2 * g * (1 - g)
    found = 1.0
    for length in _LENGTHS:
        k = len(y) // length
        if k < _FEWEST_BLOCKS:
            continue
        sums = residual[: k * length].reshape(k, length).sum(axis=1)
        expected = variance[: k * length].reshape(k, length).sum(axis=1)
        q = float((sums**2 / np.maximum(expected, np.finfo(np.float64).tiny)).sum())
        if q > chdtri(k, _UNUSUAL):
            found = max(found, q / k)
    return found
