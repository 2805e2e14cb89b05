"""Coefficients of agreement: statsmodels, krippendorff, irrCAC, published examples, and by hand."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import krippendorff
import numpy as np
import pytest
from statsmodels.stats import inter_rater

import rocwalk as rw
from rocwalk.truth.chance_agreement import LEVELS
from truth.ratings import FULL, PUBLISHED, ratings, table_for

# -- other sources ---------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["cohen", "linear", "quadratic"])
@pytest.mark.parametrize("seed", range(3))
def test_two_raters_against_statsmodels(measure, seed):
    table = ratings(seed, raters=2)
    weights = None if measure == "cohen" else measure
    expected = inter_rater.cohens_kappa(inter_rater.to_table(table.astype(int))[0], wt=weights)
    found = rw.agreement(table, measure=measure)
    assert found.estimate == pytest.approx(expected.kappa, abs=1e-12)
    assert found.standard_error == pytest.approx(expected.std_kappa, abs=1e-12)
    assert (found.low, found.high) == pytest.approx((expected.kappa_low, expected.kappa_upp))


def test_the_table_of_fleiss_cohen_and_everitt():
    """Their Table 1, n = 200: κ = .429, and a large-sample variance of .002885."""
    counts = np.array([[106, 10, 4], [22, 28, 10], [2, 12, 6]])
    pairs = [(i, j) for i in range(3) for j in range(3) for _ in range(counts[i, j])]
    found = rw.agreement(pairs, measure="cohen")
    assert found.estimate == pytest.approx(0.429, abs=5e-4)
    assert found.standard_error**2 == pytest.approx(0.002885, abs=5e-7)


@pytest.mark.parametrize("seed", range(3))
def test_fleiss_against_statsmodels(seed):
    table = ratings(seed, raters=4)
    counts = inter_rater.aggregate_raters(table.astype(int))[0]
    found = rw.agreement(table, measure="fleiss")
    assert found.estimate == pytest.approx(inter_rater.fleiss_kappa(counts), abs=1e-12)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_alpha_against_krippendorff(level, gaps):
    table = ratings(1, raters=4, gaps=gaps)
    expected = krippendorff.alpha(table.T, level_of_measurement=level)
    found = rw.agreement(table, measure="krippendorff", level=level, rng=0, n_resamples=50)
    assert found.estimate == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_alpha_of_krippendorffs_own_example(level, alpha):
    found = rw.agreement(PUBLISHED, measure="krippendorff", level=level, rng=0, n_resamples=50)
    assert found.estimate == pytest.approx(alpha, abs=5e-4)


# irrCAC 0.4.4, `tests/peers/make_irrcac.py`: value, standard error and lower end of complete rows
IRRCAC = {
    ("fleiss", "nominal"): (0.6414565826, 0.1855712733, 0.2026502495),
    ("conger", "nominal"): (0.6457564576, 0.178311423, 0.2241169425),
    ("ac1", "nominal"): (0.6743002545, 0.1768442542, 0.2561300423),
    ("ac2", "ordinal"): (0.797925124, 0.1534499619, 0.4350736227),
    ("ac2", "interval"): (0.8168207838, 0.1506302934, 0.4606367389),
}


@pytest.mark.parametrize(("measure", "level"), IRRCAC, ids=" ".join)
def test_against_irrcac(measure, level):
    value, error, low = IRRCAC[measure, level]
    found = rw.agreement(FULL, measure=measure, level=level)
    assert found.estimate == pytest.approx(value, abs=1e-9)
    assert found.standard_error == pytest.approx(error, abs=1e-9)
    assert found.low == pytest.approx(low, abs=1e-9)
    assert found.high == 1  # clipped, as there


@pytest.mark.parametrize(
    ("level", "value", "error"),
    [("nominal", 0.6526610644, 0.1855712733), ("interval", 0.6770833333, 0.2489764904)],
)
def test_alpha_against_irrcac(level, value, error):
    """Its error of α is that of κ; α = 1 − (1 − κ)(N − 1)/N of N votes has (N − 1)/N of it."""
    found = rw.agreement(FULL, measure="krippendorff", level=level)
    assert found.estimate == pytest.approx(value, abs=1e-9)
    assert found.standard_error == pytest.approx(error * 31 / 32, abs=1e-9)


# with gaps, as R's irrCAC and Gwet's Handbook print them
WITH_GAPS = {"conger": 0.76282, "ac1": 0.77544}


@pytest.mark.parametrize("measure", WITH_GAPS)
def test_values_with_gaps(measure):
    found = rw.agreement(PUBLISHED, measure=measure)
    assert found.estimate == pytest.approx(WITH_GAPS[measure], abs=5e-6)


# -- by hand ---------------------------------------------------------------------------------------


def slow(measure, level, table, q):
    """Coefficients by counting pairs of votes, one by one."""
    table = [[int(v) - 1 for v in row if not math.isnan(v)] for row in table]

    def apart(a, b):
        if level == "ordinal":
            span = abs(a - b) + 1
            return span * (span - 1) / (q * (q - 1))
        if level == "interval":
            return (a - b) ** 2 / (q - 1) ** 2
        return float(a != b)

    compared = [row for row in table if len(row) > 1]
    observed = np.mean([np.mean([apart(*p) for p in combinations(row, 2)]) for row in compared])
    if measure == "percent":
        return 1 - observed
    if measure == "fleiss":
        pooled = [v for row in compared for v in row]
        return 1 - observed / np.mean([apart(a, b) for a in pooled for b in pooled])
    if measure == "conger":  # complete rows only
        columns = list(zip(*table, strict=True))
        chance = [
            np.mean([apart(a, b) for a in one for b in two])
            for one, two in permutations(columns, 2)
        ]
        return 1 - observed / np.mean(chance)
    share = np.mean([[row.count(k) / len(row) for k in range(q)] for row in table], axis=0)
    like = sum(1 - apart(a, b) for a in range(q) for b in range(q))
    expected = like / (q * (q - 1)) * sum(p * (1 - p) for p in share)
    return 1 - observed / (1 - expected)


@pytest.mark.parametrize("gaps", [0.0, 0.25])
@pytest.mark.parametrize(
    ("measure", "level"),
    [("fleiss", "nominal"), ("conger", "nominal"), ("ac1", "nominal"), ("ac2", "ordinal"),
     ("ac2", "interval"), ("ac2", "nominal"), ("percent", "nominal")],
)  # fmt: skip
def test_values_by_counting_pairs(measure, level, gaps):
    if measure == "conger" and gaps:
        return  # the margins of raters are then of different items
    table = ratings(3, raters=4, gaps=gaps)
    found = rw.agreement(table, measure=measure, level=level, categories=[1, 2, 3, 4])
    assert found.estimate == pytest.approx(slow(measure, level, table, 4), abs=1e-12)


CLOSED = [
    (measure, level) for measure, levels in LEVELS.items() for level in levels
    if (measure, level) != ("krippendorff", "ordinal")
]  # fmt: skip


@pytest.mark.parametrize(("measure", "level"), CLOSED, ids=" ".join)
@pytest.mark.parametrize("gaps", [0.0, 0.15])
def test_closed_errors_are_those_of_the_jackknife_over_items(measure, level, gaps):
    """Leaving out each item in turn, an estimate of the same error in another way."""
    table = table_for(measure, n=60, gaps=gaps)
    names = {"measure": measure, "level": level, "categories": [1, 2, 3, 4]}
    closed = rw.agreement(table, **names).standard_error
    without = [
        rw.agreement(np.delete(table, k, axis=0), **names).estimate for k in range(len(table))
    ]
    n = len(without)
    jackknife = math.sqrt((n - 1) * np.var(without))
    assert closed == pytest.approx(jackknife, rel=0.1)
