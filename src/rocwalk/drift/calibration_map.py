"""The calibration map g(p) = P(y = 1 | p): a smooth curve with random cells, fitted to tallies.

The log-odds of g are those of the score itself, plus a natural cubic spline of them, plus, where
the reference shows that no smooth curve is enough, one random effect u ~ N(0, τ²) for each cell of
scores. A weak prior holds the spline near the identity, so that separated classes do no harm. See
docs/mathematics.rst, Drift given the scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rocwalk.tally.tally import Tally
from rocwalk.typing import AnyArray, FloatArray, IntArray

MOST_GROUPS = 4096  # of scores, where there are more distinct ones
_FEW = 10  # distinct scores at most that have one column each, in place of a spline
_MOST_CELLS = 100
LOOSE, FLAT = 1 / 9, 1e-6  # the precisions of the prior: of a column, and of the intercept
_KNOTS = (  # quantiles of the reference, by the items of its smaller class
    (60, (0.05, 0.275, 0.5, 0.725, 0.95)),
    (40, (0.05, 0.35, 0.65, 0.95)),
    (0, (0.1, 0.5, 0.9)),
)
_FURTHEST = math.log(999)  # log-odds at most where no score lies inside (0, 1)
_EXTREME = 30.0  # log-odds at most that are told apart
_MOST_SPREAD = 16.0  # of τ²


# -- samples on common groups of scores ------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Grouped:
    """Two samples on common groups of scores: a tally of each, and the group of each of its rows.

    A group is one score, unless there are more than `MOST_GROUPS` of them or tallies are bucketed.
    Then a row has the mean score of its sample in the group. Weights have a mean of 1 in each
    sample. `row_of` gives, for each sample, the row of its tally that holds each original row.
    """

    tallies: tuple[Tally, ...]
    groups: tuple[IntArray, ...]
    row_of: tuple[IntArray, ...]
    number: int


def grouped(samples: Sequence[Tally]) -> Grouped:
    """Return samples on common groups of scores, at most `MOST_GROUPS` of them."""
    if any(tally.is_bucketed for tally in samples):
        lowest = Tally.merge(samples).scores[::-1]
    else:
        lowest = np.unique(np.concatenate([_quantile_scores(one) for one in samples]))
    if len(lowest) > MOST_GROUPS:
        lowest = lowest[np.linspace(0, len(lowest) - 1, MOST_GROUPS).astype(np.int64)]
    found = [_on_groups(tally, lowest) for tally in samples]
    tallies, groups, rows = zip(*found, strict=True)
    return Grouped(tallies, groups, rows, len(lowest))


def _quantile_scores(tally: Tally) -> FloatArray:
    """Return the distinct scores, or the ends of groups of about equal mass, 0 and 1 apart."""
    most = MOST_GROUPS // 2
    if len(tally) <= most:
        return tally.scores
    mass = np.cumsum(tally.up + tally.right)
    ends = np.searchsorted(mass, np.linspace(0, float(mass[-1]), most - 4))
    scores = tally.scores
    second = scores[scores < 1.0][:1] if scores[0] == 1.0 else scores[:1]
    lowest = scores[scores > 0.0][-1:] if scores[-1] == 0.0 else scores[-1:]
    chosen = scores[np.minimum(ends, len(scores) - 1)]
    return np.concatenate([chosen, scores[:1], second, lowest, scores[-1:]])


def _on_groups(tally: Tally, lowest: FloatArray) -> tuple[Tally, IntArray, IntArray]:
    """Return a sample on groups that begin at the `lowest` scores, with weights of mean 1."""
    # rows descend: those of a group end where the scores fall below its lowest
    ends = len(tally) - np.searchsorted(tally.scores[::-1], lowest[::-1])
    ends[-1] = len(tally)
    sizes = np.diff(ends, prepend=0)
    group = np.arange(len(lowest))[::-1][sizes > 0]
    starts = (ends - sizes)[sizes > 0]
    rows = np.repeat(np.arange(len(starts)), sizes[sizes > 0])
    count = np.add.reduceat(tally.count, starts)
    scale = float(count.sum()) / float(tally.total_up + tally.total_right)

    def summed(column: AnyArray, factor: float) -> FloatArray:
        return np.add.reduceat(column, starts) * factor

    up, right = summed(tally.up, scale), summed(tally.right, scale)
    scores = summed(tally.up_score + tally.right_score, scale) / (up + right)
    stored = {
        "count": count,
        "up_squared": summed(tally.up_squared, scale**2),
        "up_right": summed(tally.up_right, scale**2),
        "right_squared": summed(tally.right_squared, scale**2),
    }
    if tally.is_shared:
        stored["noise"] = summed(tally.noise, scale**2)
    if len(starts) == len(tally) and not tally.is_bucketed:
        scores = tally.scores  # to the bit
    return Tally(scores, up, right, stored=stored), group, rows


# -- the design: columns of a score ----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Design:
    """The columns of a score: a constant, log-odds, natural cubic spline, and indicators.

    `ends` are the least and the largest log-odds, to which others are clipped; `middle` and
    `spread` standardise them. `known` are the few distinct scores with an indicator each; they
    replace all other columns.
    """

    ends: tuple[float, float]
    middle: float = 0.0
    spread: float = 1.0
    knots: tuple[float, ...] = ()
    scales: tuple[float, ...] = ()
    marks: tuple[float, ...] = ()
    known: FloatArray | None = None

    def offset(self, scores: FloatArray) -> FloatArray:
        """Return the log-odds of the scores themselves, clipped: the centre of the prior."""
        with np.errstate(divide="ignore"):
            odds: FloatArray = np.log(scores) - np.log1p(-scores)
        clipped: FloatArray = np.clip(odds, *self.ends)
        return clipped

    def columns(self, scores: FloatArray, groups: IntArray | None = None) -> FloatArray:
        """Return the columns of scores, one row each; `groups` are those of known scores."""
        if self.known is not None:
            if groups is None:  # an unknown score has no column: its log-odds are its own
                own: FloatArray = (scores[:, None] == self.known).astype(np.float64)
                return own
            return np.eye(len(self.known))[groups]
        x = (self.offset(scores) - self.middle) / self.spread
        columns = [np.ones(len(x)), x]
        columns += [
            each / scale for each, scale in zip(_spline(x, self.knots), self.scales, strict=True)
        ]
        columns += [(scores == mark).astype(np.float64) for mark in self.marks]
        found: FloatArray = np.column_stack(columns)
        return found

    def distance(self, scores: FloatArray) -> FloatArray:
        """Return how far the scores lie, in log-odds, beyond those that the columns were made of.

        That is 0 inside the ends and infinite where nothing is known: at a score that has no
        indicator where all others have one, and at 0 and 1 without an indicator.
        """
        if self.known is not None:
            return np.where((scores[:, None] == self.known).any(axis=1), 0.0, np.inf)
        with np.errstate(divide="ignore"):
            odds = np.log(scores) - np.log1p(-scores)
        low, high = self.ends
        beyond = np.maximum(np.maximum(low - odds, odds - high), 0.0)
        for mark in self.marks:
            beyond = np.where(scores == mark, 0.0, beyond)
        return beyond

    @property
    def precisions(self) -> FloatArray:
        """The precision of the prior of each coefficient, whose mean is 0."""
        if self.known is not None:
            return np.full(len(self.known), LOOSE)
        return np.array([FLAT] + [LOOSE] * (1 + len(self.scales) + len(self.marks)))


def design_of(data: Grouped) -> Design:
    """Return the design for a reference, the first sample, and the samples compared with it."""
    reference = data.tallies[0]
    scores = np.concatenate([one.scores for one in data.tallies])
    mass = np.concatenate([one.up + one.right for one in data.tallies])
    inside = (scores > 0) & (scores < 1)
    ends = (-_FURTHEST, _FURTHEST)
    if inside.any():
        odds = np.log(scores[inside]) - np.log1p(-scores[inside])
        odds = np.clip(odds, -_EXTREME, _EXTREME)
        low, high = _quantiles(odds, mass[inside], (0.001, 0.999))
        ends = (low, high)
    if data.number <= _FEW:
        known = np.zeros(data.number)
        for one, groups in zip(data.tallies, data.groups, strict=True):
            known[groups] = one.scores
        return Design(ends, known=known)
    start, mass = Design(ends), reference.up + reference.right
    x = start.offset(reference.scores)
    middle = float((mass * x).sum() / mass.sum())
    spread = math.sqrt(float((mass * (x - middle) ** 2).sum() / mass.sum())) or 1.0
    x = (x - middle) / spread
    smaller = min(float(reference.total_up), float(reference.total_right))
    shares = next(shares for least, shares in _KNOTS if smaller >= least)
    knots = tuple(sorted(set(_quantiles(x, mass, shares))))
    knots = knots if len(knots) > 2 else ()
    scales = []
    for column in _spline(x, knots):
        mean = float((mass * column).sum() / mass.sum())
        scales.append(math.sqrt(float((mass * (column - mean) ** 2).sum() / mass.sum())) or 1.0)
    marks = tuple(mark for mark in (0.0, 1.0) if mark in reference.scores[[0, -1]])
    return Design(ends, middle, spread, knots, tuple(scales), marks)


def _spline(x: FloatArray, knots: Sequence[float]) -> list[FloatArray]:
    """Return the columns of a natural cubic spline beside 1 and x (Harrell 2015, Eq. 2.25)."""
    if not knots:
        return []
    *inner, before, last = knots
    cubes = {knot: np.maximum(x - knot, 0.0) ** 3 for knot in knots}
    return [
        (
            cubes[knot]
            - cubes[before] * (last - knot) / (last - before)
            + cubes[last] * (before - knot) / (last - before)
        )
        / (last - knots[0]) ** 2
        for knot in inner
    ]


def _quantiles(values: FloatArray, mass: FloatArray, shares: Sequence[float]) -> list[float]:
    """Return the least values with at least these shares of the mass at or below them."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(mass[order])
    places = np.searchsorted(reached, np.array(shares) * reached[-1] * (1 - 1e-12))
    return [float(each) for each in values[order[np.minimum(places, len(order) - 1)]]]


def cells_of(data: Grouped) -> IntArray | None:
    """Return the cell of each group: one each, or groups of about equal mass; None for few.

    There is a third as many cells as the smaller class of the reference has items, from 10 to 100.
    """
    if data.number <= _FEW:
        return None
    if data.number <= _MOST_CELLS:
        return np.arange(data.number)
    reference = data.tallies[0]
    smaller = min(float(reference.total_up), float(reference.total_right))
    number = min(max(round(smaller / 3), 10), _MOST_CELLS)
    mass = np.zeros(data.number)
    for one, groups in zip(data.tallies, data.groups, strict=True):
        mass[groups] += one.up + one.right
    middles = np.cumsum(mass) - mass / 2
    cells = np.floor(middles / mass.sum() * number).astype(np.int64)
    return np.unique(cells, return_inverse=True)[1]


# -- the fit ---------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MapRows:
    """Rows to fit: columns, offset, cell (or None), mass and positive mass of each."""

    columns: FloatArray
    offset: FloatArray
    cells: IntArray | None
    mass: FloatArray
    up: FloatArray


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted map: coefficients, effects of cells, and the probabilities of the rows it fits.

    `information` is that of the coefficients, `shared` that of coefficients and cells, and
    `of_cells` that of cells, each with the precisions of the prior.
    """

    coefficients: FloatArray
    effects: FloatArray
    precisions: FloatArray
    spread: float
    rows: MapRows
    probabilities: FloatArray

    @cached_property
    def weights(self) -> FloatArray:
        """w·g(1 − g) of each row."""
        return self.rows.mass * self.probabilities * (1 - self.probabilities)

    @cached_property
    def _information(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return _information(
            self.rows, self.weights, self.precisions, self.spread, len(self.effects)
        )

    def solve(self, values: FloatArray, cells: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return P⁻¹ times a vector: its parts for the coefficients and for the cells."""
        return _solved(self._information, values, cells)

    def along(self, column: FloatArray, rows: MapRows) -> tuple[FloatArray, FloatArray]:
        """Return B′·column over some rows: its parts for the coefficients and for the cells."""
        return rows.columns.T @ column, _by_cell(rows, column, len(self.effects))

    def at(self, rows: MapRows, values: tuple[FloatArray, FloatArray]) -> FloatArray:
        """Return B·values: the linear predictor of some rows without their offset."""
        found: FloatArray = rows.columns @ values[0]
        return found + values[1][rows.cells] if len(values[1]) else found

    def log_odds(self, rows: MapRows) -> FloatArray:
        """Return the log-odds of the map at some rows."""
        return rows.offset + self.at(rows, (self.coefficients, self.effects))

    def covariance(self, variances: FloatArray) -> FloatArray:
        """Return the sandwich P⁻¹(Σv·bb′ + Λ)P⁻¹ of the coefficients, without cells.

        `variances` are those of the sum of w(y − g) of each row.
        """
        bread, columns = np.linalg.inv(self._information[0]), self.rows.columns
        filling = columns.T @ (columns * variances[:, None]) + np.diag(self.precisions)
        found: FloatArray = bread @ filling @ bread
        return (found + found.T) / 2

    def prior_variance(self, values: tuple[FloatArray, FloatArray]) -> float:
        """Return a′Λa: the variance of a·(coefficients, effects of cells) under the prior."""
        found = float((self.precisions * values[0] ** 2).sum())
        return found + (float((values[1] ** 2).sum()) / self.spread if self.spread > 0 else 0.0)


@dataclass(frozen=True, eq=False)
class CalibrationMap:
    """A fitted map without cells, evaluated at any score.

    Values are computed score by score, so that they do not depend on the scores beside it.
    """

    design: Design
    coefficients: FloatArray
    covariance: FloatArray

    def at(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the log-odds of the map at scores, and their standard errors."""
        columns = self.design.columns(scores)
        log_odds: FloatArray = self.design.offset(scores) + (columns * self.coefficients).sum(
            axis=1
        )
        products = columns[:, :, None] * columns[:, None, :] * self.covariance
        variance = products.reshape(len(scores), -1).sum(axis=1)
        return log_odds, np.sqrt(np.maximum(variance, 0.0))


def squared_residuals(tally: Tally, g: FloatArray) -> FloatArray:
    """Return Σw²(y − g)² over the items of each row of a tally."""
    squares = tally.up_squared, tally.up_right, tally.right_squared
    up, both, right = (one.astype(np.float64) for one in squares)
    return (1 - g) ** 2 * up - 2 * g * (1 - g) * both + g**2 * right


def fit_of(rows: MapRows, precisions: FloatArray, spread: float, cells: int) -> Fit:
    """Return the penalised maximum likelihood by Newton's method with halved steps.

    `spread` is τ², the variance of the effects of cells; 0 leaves them out. Cells have a diagonal
    information and are eliminated.
    """
    with_cells = rows.cells is not None and spread > 0
    rows = rows if with_cells else replace(rows, cells=None)
    number = cells if with_cells else 0
    beta, effects = np.zeros(rows.columns.shape[1]), np.zeros(number)

    def predicted(beta: FloatArray, effects: FloatArray) -> FloatArray:
        log_odds: FloatArray = rows.offset + rows.columns @ beta
        return log_odds if rows.cells is None else log_odds + effects[rows.cells]

    def likelihood(log_odds: FloatArray, beta: FloatArray, effects: FloatArray) -> float:
        value = float((rows.up * log_odds - rows.mass * np.logaddexp(0.0, log_odds)).sum())
        value -= 0.5 * float((precisions * beta**2).sum())
        return value - (0.5 * float((effects**2).sum()) / spread if number else 0.0)

    log_odds = predicted(beta, effects)
    reached = likelihood(log_odds, beta, effects)
    for _ in range(50):
        g = expit(log_odds)
        residual = rows.up - rows.mass * g
        information = _information(rows, rows.mass * g * (1 - g), precisions, spread, number)
        slope = rows.columns.T @ residual - precisions * beta
        slopes = _by_cell(rows, residual, number)
        slopes = slopes - effects / spread if number else slopes
        step, steps = _solved(information, slope, slopes)
        gain = float(slope @ step + slopes @ steps)
        size = 1.0
        while size > 1e-6:
            moved = beta + size * step, effects + size * steps
            tried = predicted(*moved)
            value = likelihood(tried, *moved)
            if value >= reached - 1e-9 * abs(reached):
                break
            size /= 2
        beta, effects = moved
        log_odds, reached = tried, value
        if gain < 1e-10:
            break
    return Fit(beta, effects, precisions, spread if number else 0.0, rows, expit(log_odds))


def _information(
    rows: MapRows, weights: FloatArray, precisions: FloatArray, spread: float, cells: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the blocks of B′VB + Λ: of the coefficients, of both, and of the cells."""
    weighted = rows.columns * weights[:, None]
    own = rows.columns.T @ weighted
    own[np.diag_indices_from(own)] += precisions
    shared = np.stack([_by_cell(rows, column, cells) for column in weighted.T])
    of_cells = _by_cell(rows, weights, cells)
    return own, shared, of_cells + 1 / spread if cells else of_cells


def _solved(
    information: tuple[FloatArray, FloatArray, FloatArray], values: FloatArray, cells: FloatArray
) -> tuple[FloatArray, FloatArray]:
    own, shared, of_cells = information
    if len(of_cells):
        own = own - (shared / of_cells) @ shared.T
        values = values - shared @ (cells / of_cells)
    first = np.linalg.solve(own, values).astype(np.float64, copy=False)
    if not len(of_cells):
        return first, cells
    return first, (cells - shared.T @ first) / of_cells


def _by_cell(rows: MapRows, values: FloatArray, cells: int) -> FloatArray:
    if not cells or rows.cells is None:
        return np.zeros(0)
    return np.bincount(rows.cells, values, cells).astype(np.float64, copy=False)


def expit(log_odds: FloatArray) -> FloatArray:
    """Return 1/(1 + e^−x)."""
    return 0.5 * (1.0 + np.tanh(0.5 * log_odds))


def cell_spread(fit: Fit, cells: IntArray, number: int, variances: FloatArray) -> float:
    """Return τ² of the cells of a reference by Paule & Mandel's method (1982).

    `fit` is the spline of the reference without cells, `variances` those of its residuals by row.
    Σ r²/(v + τ²i²) over cells is made equal to its degrees of freedom; 0 if it is below already, or
    if there are fewer than three.
    """
    rows = fit.rows
    residual = np.bincount(cells, rows.up - rows.mass * fit.probabilities, number)
    variance = np.bincount(cells, variances, number)
    squared = np.bincount(cells, fit.weights, number) ** 2
    kept = variance > 0
    freedom: float = float(kept.sum()) - rows.columns.shape[1]
    residual, variance, squared = residual[kept] ** 2, variance[kept], squared[kept]

    def excess(spread: float) -> float:
        total = float((residual / (variance + spread * squared)).sum())
        return total - freedom

    if freedom < 3 or excess(0.0) <= 0:
        return 0.0
    low, high = 0.0, _MOST_SPREAD
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return (low + high) / 2
