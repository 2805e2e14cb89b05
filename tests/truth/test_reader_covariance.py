"""The covariance over cases, against slow references that are written differently."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import rocwalk as rw
from truth.reader_tables import ratings_of, slow_area, study_of


def slow_delong(truth, cells):
    """DeLong's covariance from placements, as his paper writes it."""
    up, right = truth == 1, truth == 0
    v10 = np.array(
        [[np.mean((x > s[right]) + 0.5 * (x == s[right])) for x in s[up]] for s in cells]
    )
    v01 = np.array([[np.mean((s[up] > x) + 0.5 * (s[up] == x)) for x in s[right]] for s in cells])
    return np.cov(v10) / up.sum() + np.cov(v01) / right.sum()


def slow_jackknife(truth, cells, statistic=slow_area):
    """Pseudo-values: their covariance over cases, divided by the number of cases."""
    n = len(truth)
    kept = [np.arange(n) != k for k in range(n)]
    pseudo = [
        [n * statistic(truth, s) - (n - 1) * statistic(truth[k], s[k]) for k in kept] for s in cells
    ]
    return np.cov(pseudo) / n


def slow_unbiased(truth, cells):
    """A·B minus the mean of products over pairs that share no case, by looking at all of them."""
    up, right = np.flatnonzero(truth == 1), np.flatnonzero(truth == 0)
    kernels = [(s[up][:, None] > s[right]) + 0.5 * (s[up][:, None] == s[right]) for s in cells]
    matrix = np.empty((len(cells), len(cells)))
    for a, b in product(range(len(cells)), repeat=2):
        apart = [
            kernels[a][i, j] * kernels[b][k, m]
            for i, k in product(range(len(up)), repeat=2) if i != k
            for j, m in product(range(len(right)), repeat=2) if j != m
        ]  # fmt: skip
        matrix[a, b] = kernels[a].mean() * kernels[b].mean() - np.mean(apart)
    return matrix


@pytest.mark.parametrize("levels", [None, [0.0, 1.0, 2.0]], ids=["continuous", "tied"])
@pytest.mark.parametrize(
    ("covariance", "slow"),
    [("delong", slow_delong), ("jackknife", slow_jackknife), ("unbiased", slow_unbiased)],
)
def test_areas_and_covariance_against_slow_references(covariance, slow, levels):
    table, truth, values = ratings_of(readers=2, positives=4, negatives=5, levels=levels)
    found = study_of(table, covariance=covariance)
    cells = values.reshape(-1, values.shape[-1])
    expected = [[slow_area(truth, s) for s in of_test] for of_test in values]
    assert found.areas == pytest.approx(np.array(expected), abs=1e-14)
    assert found.matrix == pytest.approx(slow(truth, cells), abs=1e-14)
    assert found.covariance == covariance


@pytest.mark.parametrize(
    ("name", "options", "slow"),
    [
        ("h_measure", {}, lambda truth, s: rw.roc(truth, s).h_measure()),
        (
            "partial_auc",
            {"max_fpr": 0.3},
            lambda truth, s: rw.roc(truth, s).partial_area(max_fpr=0.3),
        ),
    ],
)
def test_other_statistics_by_jackknife(name, options, slow):
    table, truth, values = ratings_of()
    found = study_of(table, statistic=name, **options)
    cells = values.reshape(-1, values.shape[-1])
    assert found.covariance == "jackknife"
    assert found.areas.ravel() == pytest.approx([slow(truth, s) for s in cells])
    assert found.matrix == pytest.approx(slow_jackknife(truth, cells, slow), abs=1e-12)
    assert found.statistic == name


@pytest.mark.parametrize(
    ("name", "slow", "most"),
    [
        ("sensitivity", lambda truth, s: np.mean(s[truth == 1] >= 1.0), 0.05),
        ("accuracy", lambda truth, s: np.mean((s >= 1.0) == truth), 0.05),
        ("precision", lambda truth, s: np.mean(truth[s >= 1.0]), 0.2),  # a ratio: not linear
    ],
)
def test_rates_by_influence_and_by_jackknife(name, slow, most):
    table, truth, values = ratings_of()
    cells = values.reshape(-1, values.shape[-1])
    found = study_of(table, statistic=name, threshold=1.0)
    other = study_of(table, statistic=name, threshold=1.0, covariance="jackknife")
    assert (found.covariance, other.covariance) == ("delong", "jackknife")
    for one in (found, other):
        assert one.areas.ravel() == pytest.approx([slow(truth, s) for s in cells])
    assert other.matrix == pytest.approx(slow_jackknife(truth, cells, slow), abs=1e-12)
    assert np.diag(found.matrix) == pytest.approx(np.diag(other.matrix), rel=most)


def test_sensitivity_by_influence_is_the_covariance_of_hits():
    table, truth, values = ratings_of()
    hits = values.reshape(-1, values.shape[-1])[:, truth == 1] >= 1.0
    found = study_of(table, statistic="sensitivity", threshold=1.0, covariance="delong")
    assert found.matrix == pytest.approx(np.cov(hits) / hits.shape[1], abs=1e-12)


def test_a_function_of_a_tally_is_a_statistic():
    table, _, _ = ratings_of()
    found = study_of(table, statistic=lambda tally: tally.auc_bounds[1])
    assert found.areas == pytest.approx(study_of(table).areas)
    by_name = study_of(table, covariance="jackknife")
    assert found.matrix == pytest.approx(by_name.matrix, abs=1e-12)
