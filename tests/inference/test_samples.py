"""Two separate samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.inference.power import (
    auc_sample_size,
)
from rocwalk.inference.samples import compare_samples


def random_sample(rng, n=40, models=2, levels=6):
    """Labels of both classes, and tied scores that know something of them."""
    y = rng.permutation(np.arange(n) % 3 == 0).astype(int)
    scores = {f"m{k}": np.round((y * 0.4 + rng.random(n)) * levels) / levels for k in range(models)}
    return y, scores


# -- separate samples ----------------------------------------------------------------------------


def test_separate_samples_of_other_kinds():
    rng = np.random.default_rng(20)
    (y, s), (z, t) = random_sample(rng, 80), random_sample(rng, 60)
    one, other = (y, np.clip(s["m0"], 0, 1)), (z, np.clip(t["m0"], 0, 1))
    errors = [rw.interval(*each).standard_error for each in (one, other)]
    plain = compare_samples(one, other, method="delong")
    assert plain.standard_error == pytest.approx(math.hypot(*errors))
    soft = compare_samples((np.clip(y, 0.1, 0.8), one[1]), other, method="influence")
    assert soft.method == "influence"
    assert soft.df < 80  # the effective number of the smaller class, less one, of both samples
    assert soft.p_value == pytest.approx(2 * stats.t.sf(abs(soft.z), soft.df))
    few = rw.compare([1, 1 / 3, 0.5, 0, 1, 0], {"a": [9, 4, 6, 3, 8, 1], "b": [1, 8, 3, 6, 4, 9]})
    assert 0.01 < few.pairs[0].p_value < 0.05  # by permutation 0.032
    means = compare_samples(one, other, statistic="probabilistic_auc")
    parts = [
        np.var(p[0 + 1][p[0] == k], ddof=1) / 4 / np.sum(p[0] == k)
        for p in (one, other)
        for k in (1, 0)
    ]
    assert means.standard_error == pytest.approx(math.sqrt(sum(parts)))
    counts = [np.sum(p[0] == k) for p in (one, other) for k in (1, 0)]
    below = sum(v**2 / (n - 1) for v, n in zip(parts, counts, strict=True))
    assert means.df == pytest.approx(sum(parts) ** 2 / below)
    clustered = compare_samples(one, other, cluster=(np.arange(80) // 2, None))
    assert clustered.method == "jackknife"
    alone = rw.interval(*one, cluster=np.arange(80) // 2).standard_error
    assert clustered.standard_error == pytest.approx(math.hypot(alone, errors[1]))
    brier = compare_samples(one, other, statistic="brier", rng=0)
    assert brier.method == "bootstrap"
    weighted = compare_samples(one, other, sample_weight=(np.full(80, 2.0), None))
    assert weighted.p_value == pytest.approx(compare_samples(one, other).p_value)
    assert compare_samples(one, other, margin=0.4).non_inferior_p_value < 0.5


@pytest.mark.parametrize(
    ("alpha", "alternative", "least"),
    [(0.05, "two-sided", 4), (0.05, "greater", 3), (1e-3, "two-sided", 7)],
)
def test_a_size_is_one_that_a_perfect_order_can_be_seen_with(alpha, alternative, least):
    options = {"alpha": alpha, "alternative": alternative}
    found = auc_sample_size(1.0, formula="obuchowski", **options)
    assert (found.n_positives, found.n_negatives) == (least, least)
    assert least <= auc_sample_size(1.0, **options).n_positives <= least + 1
    sides = 2 if alternative == "two-sided" else 1
    chance = [sides / math.comb(2 * n, n) for n in (least - 1, least)]
    assert chance[0] > alpha >= chance[1]


def test_separate_samples_of_perfect_areas():
    perfect, worst = ([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]), ([1, 1, 0, 0], [1, 2, 3, 4])
    found = compare_samples(perfect, worst)
    assert (found.method, found.difference, found.high) == ("mover", 1.0, 1.0)
    assert (found.low > 0) is (found.p_value < 0.05)
