"""One test of several models at once."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.inference.omnibus import omnibus_of
from samples import NO_ADVICE

pytestmark = NO_ADVICE


def models(rng, positives=60, negatives=90, k=4, gap=0.0):
    y = np.repeat([1, 0], [positives, negatives])
    shared = rng.normal(size=len(y))
    signal = np.array([1.2 - gap * (j == 0) for j in range(k)])
    return y, {
        f"m{j}": signal[j] * y + 0.6 * shared + 0.8 * rng.normal(size=len(y)) for j in range(k)
    }


def placements(y, score):
    """DeLong's placement values of every pair, without a sort."""
    high, low = score[y == 1], score[y == 0]
    wins = (high[:, None] > low) + 0.5 * (high[:, None] == low)
    return wins.mean(axis=1), wins.mean(axis=0)


def test_against_contrasts_of_neighbours_and_pairwise_placements():
    """Another basis of contrasts and another way to the covariance give the same χ²."""
    y, scores = models(np.random.default_rng(5), gap=0.5)
    found = rw.compare(y, scores).omnibus
    ten, one = (
        np.array(each) for each in zip(*(placements(y, s) for s in scores.values()), strict=True)
    )
    covariance = np.cov(ten) / ten.shape[1] + np.cov(one) / one.shape[1]
    contrasts = np.diff(np.eye(4), axis=0)
    apart = contrasts @ ten.mean(axis=1)
    statistic = apart @ np.linalg.inv(contrasts @ covariance @ contrasts.T) @ apart
    assert found.statistic == pytest.approx(statistic, rel=1e-9)
    assert found.df == 3
    # Hotelling's T² of three contrasts by scipy, with the degrees of freedom that are reported
    from scipy import stats

    left = found.df_error - 2
    assert found.p_value == pytest.approx(
        stats.f.sf(statistic * left / (3 * found.df_error), 3, left), rel=1e-9
    )
    assert found.p_value > stats.chi2.sf(statistic, 3)  # the covariance was estimated


def test_two_models_have_the_square_of_z():
    y, scores = models(np.random.default_rng(2), k=2)
    found = rw.compare(y, scores, method="delong")
    assert found.omnibus.statistic == pytest.approx(found.pairs[0].z ** 2)
    assert found.omnibus.df == 1
    assert "cannot" not in found.sentence


def test_alike_models_leave_their_contrast_out():
    y, scores = models(np.random.default_rng(3), k=3)
    twins = rw.compare(y, {**scores, "twin": 2 * scores["m0"]}).omnibus
    alone = rw.compare(y, scores).omnibus
    assert twins.df == alone.df == 2
    assert twins.statistic == pytest.approx(alone.statistic)
    same = rw.compare(y, {"a": scores["m0"], "b": 2 * scores["m0"], "c": scores["m0"]}).omnibus
    assert (same.statistic, same.df, same.p_value) == (0.0, 0, 1.0)


def test_a_difference_without_spread_cannot_be_tested():
    y = np.repeat([1, 0], [10, 10])
    found = rw.compare(y, {"right": y, "wrong": -y, "flat": 0 * y}).omnibus
    assert math.isnan(found.p_value)
    assert "cannot be tested" in found.sentence


def test_order_of_models_does_not_matter():
    y, scores = models(np.random.default_rng(4))
    turned = rw.compare(y, dict(reversed(scores.items()))).omnibus
    assert turned.statistic == pytest.approx(rw.compare(y, scores).omnibus.statistic)


@pytest.mark.parametrize("extra", ["weights", "cluster", "soft", "bootstrap"])
def test_every_kind_of_data_has_a_test(extra):
    rng = np.random.default_rng(6)
    y, scores = models(rng, gap=1.5)
    options = {
        "weights": {"sample_weight": rng.uniform(0.5, 2, len(y))},
        "cluster": {"cluster": np.arange(len(y)) // 3},
        "soft": {},
        "bootstrap": {"method": "bootstrap", "n_resamples": 500, "rng": 0},
    }[extra]
    truth = np.clip(y * 0.8 + 0.1, 0, 1) if extra == "soft" else y
    found = rw.compare(truth, scores, **options).omnibus
    assert found.df == 3
    assert found.p_value < 0.05


def test_fewer_error_degrees_than_contrasts_fall_back_to_chi_square():
    found = omnibus_of("AUC", np.array([0.7, 0.8, 0.9]), np.diag([0.01] * 3), df_error=1.0)
    assert found.df_error is None
    assert found.p_value == pytest.approx(math.exp(-found.statistic / 2))  # χ² of 2 df


def test_it_is_said_where_there_are_more_than_two():
    y, scores = models(np.random.default_rng(7), gap=1.0)
    found = rw.compare(y, scores)
    assert found.sentence.startswith("All 4 models equal in AUC: χ² = ")
    assert found.to_dict()["omnibus"]["df"] == 3
