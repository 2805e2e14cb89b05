"""The calibration map: its groups of scores, its columns, and its fit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import rocwalk as rw
from rocwalk.drift.calibration_map import (
    MOST_GROUPS,
    CalibrationMap,
    MapRows,
    cell_spread,
    cells_of,
    design_of,
    expit,
    fit_of,
    grouped,
    squared_residuals,
)


def pair(n=600, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    p = rng.beta(2, 3, n)
    p = p if digits is None else np.round(np.clip(p, 0.1, 0.9), digits)
    return (rng.random(n) < p).astype(int), p


def rows_of(tally, design, cells=None):
    return MapRows(
        design.columns(tally.scores),
        design.offset(tally.scores),
        cells,
        (tally.up + tally.right).astype(float),
        tally.up.astype(float),
    )


# -- groups ----------------------------------------------------------------------------------------


def test_few_scores_are_groups_of_their_own():
    samples = [rw.tally(*pair(400, seed, digits=1)) for seed in (0, 1)]
    data = grouped(samples)
    scores = np.unique(np.concatenate([one.scores for one in samples]))
    assert data.number == len(scores)
    for tally, held, groups in zip(samples, data.tallies, data.groups, strict=True):
        assert held.scores.tolist() == tally.scores.tolist()
        assert scores[groups].tolist() == tally.scores.tolist()


def test_many_scores_share_groups_and_no_item_is_lost():
    samples = [rw.tally(*pair(9000, seed)) for seed in (0, 1)]
    data = grouped(samples)
    assert data.number <= MOST_GROUPS
    for tally, held, rows in zip(samples, data.tallies, data.row_of, strict=True):
        assert len(rows) == len(tally)
        assert held.count.sum() == tally.count.sum()
        assert float(held.total_up) == pytest.approx(float(tally.total_up))
        mass = tally.up + tally.right
        means = np.bincount(rows, mass * tally.scores) / np.bincount(rows, mass)
        assert held.scores == pytest.approx(means)


def test_weights_have_a_mean_of_1_in_each_sample():
    y, p = pair(300)
    weight = np.random.default_rng(3).integers(1, 9, 300).astype(float)
    (held, _) = grouped([rw.tally(y, p, sample_weight=weight), rw.tally(y, p)]).tallies
    assert float(held.total_up + held.total_right) == pytest.approx(300)


# -- columns ---------------------------------------------------------------------------------------


def test_ten_scores_or_fewer_have_an_indicator_each():
    design = design_of(grouped([rw.tally(*pair(500, digits=1))] * 2))
    assert len(design.known) <= 10
    columns = design.columns(np.array([design.known[2], 0.123]))
    assert columns.sum(axis=1).tolist() == [1.0, 0.0]
    assert columns[0].argmax() == 2
    assert design.distance(np.array([design.known[0], 0.123])).tolist() == [0.0, np.inf]
    assert len(design.precisions) == len(design.known)


def test_the_spline_is_a_straight_line_beyond_its_outer_knots():
    """A natural cubic spline has second differences of 0 there (Harrell 2015, section 2.4.5)."""
    tally = rw.tally(*pair(3000))
    design = design_of(grouped([tally, tally]))
    assert len(design.knots) == 5
    assert design.columns(tally.scores).shape[1] == 2 + len(design.knots) - 2
    beyond = np.linspace(design.knots[-1] + 0.01, design.knots[-1] + 0.2, 5)
    scores = expit(beyond * design.spread + design.middle)
    assert (scores < expit(design.ends[1])).all()
    assert np.abs(np.diff(design.columns(scores), 2, axis=0)).max() < 1e-10
    inner = expit(np.linspace(design.knots[1], design.knots[3], 5) * design.spread + design.middle)
    assert np.abs(np.diff(design.columns(inner), 2, axis=0)).max() > 1e-3


def test_0_and_1_have_columns_and_a_distance_of_their_own():
    y, p = pair(800)
    marked = design_of(grouped([rw.tally(np.append(y, [0, 0, 1]), np.append(p, [0, 0, 1]))] * 2))
    assert marked.marks == (0.0, 1.0)
    assert marked.distance(np.array([0.0, 0.5, 1.0])).tolist() == [0.0, 0.0, 0.0]
    bare = design_of(grouped([rw.tally(y, p)] * 2))
    assert bare.distance(np.array([0.0, 0.5, 1.0])).tolist() == [np.inf, 0.0, np.inf]
    far = expit(np.array([bare.ends[1] + 1.5]))
    assert bare.distance(far) == pytest.approx([1.5])


# -- the fit ---------------------------------------------------------------------------------------


def test_the_fit_is_the_penalised_maximum():
    """Against a general optimiser that knows neither the slope nor the information."""
    tally = rw.tally(*pair(400))
    design = design_of(grouped([tally, tally]))
    rows, precisions = rows_of(tally, design), design.precisions
    fit = fit_of(rows, precisions, 0.0, 0)

    def loss(beta):
        odds = rows.offset + rows.columns @ beta
        value = (rows.up * odds - rows.mass * np.logaddexp(0, odds)).sum()
        return -value + 0.5 * (precisions * beta**2).sum()

    other = minimize(loss, np.zeros(rows.columns.shape[1]), method="BFGS", tol=1e-12)
    assert loss(fit.coefficients) <= other.fun + 1e-9
    assert fit.coefficients == pytest.approx(other.x, abs=1e-3)
    assert fit.probabilities == pytest.approx(expit(fit.log_odds(rows)))


def test_cells_are_columns_with_a_prior_of_their_own():
    """Eliminating the diagonal block gives the fit with one indicator per cell."""
    tally = rw.tally(*pair(500, digits=2))
    data = grouped([tally, tally])
    design, cells = design_of(data), cells_of(data)[data.groups[0]]
    number, spread = int(cells.max()) + 1, 0.3
    fit = fit_of(rows_of(tally, design, cells), design.precisions, spread, number)
    plain = rows_of(tally, design)
    wide = MapRows(
        np.column_stack([plain.columns, np.eye(number)[cells]]),
        *(plain.offset, None, plain.mass, plain.up),
    )
    precisions = np.append(design.precisions, np.full(number, 1 / spread))
    other = fit_of(wide, precisions, 0.0, 0)
    assert np.append(fit.coefficients, fit.effects) == pytest.approx(other.coefficients, abs=1e-6)
    assert fit.probabilities == pytest.approx(other.probabilities, abs=1e-8)


def test_a_calibrated_reference_has_a_map_near_the_diagonal():
    tally = rw.tally(*pair(20_000))
    data = grouped([tally, tally])
    held, design = data.tallies[0], design_of(data)
    fit = fit_of(rows_of(held, design), design.precisions, 0.0, 0)
    errors = fit.covariance(squared_residuals(held, fit.probabilities))
    made = CalibrationMap(design, fit.coefficients, errors)
    scores = np.array([0.1, 0.3, 0.5, 0.7, 0.9])
    odds, error = made.at(scores)
    assert (np.abs(odds - np.log(scores / (1 - scores))) < 4 * error).all()
    assert (error < 0.3).all()
    alone = [made.at(scores[k : k + 1])[0][0] for k in range(5)]
    assert odds.tolist() == alone  # to the bit, whatever the scores beside it


def test_squared_residuals_of_hard_labels():
    tally = rw.tally([1, 0, 1, 0], [0.8, 0.8, 0.3, 0.3])
    found = squared_residuals(tally, np.array([0.8, 0.3]))
    assert found == pytest.approx([0.2**2 + 0.8**2, 0.7**2 + 0.3**2])


# -- cells -----------------------------------------------------------------------------------------


def test_few_groups_have_no_cells_and_many_share_some():
    few = grouped([rw.tally(*pair(500, digits=1))] * 2)
    assert cells_of(few) is None
    some = grouped([rw.tally(*pair(500, digits=2))] * 2)
    assert cells_of(some).tolist() == list(range(some.number))
    y, p = pair(2000)
    many = cells_of(grouped([rw.tally(y, p)] * 2))
    assert (np.diff(many) >= 0).all()
    assert many.max() + 1 == min(max(round(min(y.sum(), 2000 - y.sum()) / 3), 10), 100)


def spread_over_cells(shift):
    """Paule and Mandel's τ² where the log-odds of cells differ by ± shift from the scores."""
    rng = np.random.default_rng(5)
    p = rng.beta(2, 3, 8000)
    cell = np.floor(p * 40).astype(int)
    odds = np.log(p / (1 - p)) + shift * np.where(cell % 2, 1, -1)
    tally = rw.tally((rng.random(8000) < expit(odds)).astype(int), p)
    data = grouped([tally, tally])
    held, design = data.tallies[0], design_of(data)
    fit = fit_of(rows_of(held, design), design.precisions, 0.0, 0)
    cells = np.floor(held.scores * 40).astype(int)
    return cell_spread(fit, cells, 40, fit.weights)  # of hard labels: w·g(1 − g)


def test_the_spread_of_cells_is_that_of_the_simulation():
    assert spread_over_cells(0.6) == pytest.approx(0.36, rel=0.4)
    assert spread_over_cells(0.0) < 0.02
