"""The band of score noise, and the sampling error beside it."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import InputError, OptionError
from rocwalk.smear.beta import compact, survival
from rocwalk.smear.kernels import KERNELS
from samples import NO_ADVICE
from smear.inputs import AMOUNTS, EXAMPLE_1

pytestmark = NO_ADVICE


@pytest.mark.parametrize("kernel", KERNELS)
def test_noise_and_sampling_add_up(kernel):
    """Σ w²[q(1−q) + (q − q̄)²] = q̄(1−q̄)·Σw² for equal weights: the variance of one draw of both."""
    rng = np.random.default_rng(11)
    labels, scores = rng.integers(0, 2, 50), rng.random(50)
    curve = rw.smeared_roc(labels, scores, kernel=kernel, **AMOUNTS[kernel])
    band = curve.band(positions=[0.2, 0.5, 0.7])
    for rates, noise, sampling, n in (
        (band.tpr, band.tpr_noise, band.tpr_sampling, labels.sum()),
        (band.fpr, band.fpr_noise, band.fpr_sampling, 50 - labels.sum()),
    ):
        assert noise**2 + sampling**2 == pytest.approx(rates * (1 - rates) / n)
    assert np.all((band.tpr_low >= 0) & (band.tpr_low <= band.tpr) & (band.tpr_high <= 1))
    bare = rw.smeared_roc(labels, scores, width=0).band()
    assert not bare.tpr_noise.any()


@pytest.mark.parametrize("kernel", ["logit", "coin", "beta"])
def test_weights_and_soft_truth_by_draws(kernel):
    """Draws of the scores, with each item's mass in both classes: the spread of the rates."""
    truth, scores = np.array([1, 0.25, 0.5, 0, 0.75]), np.array([0.9, 0.7, 0.6, 0.3, 0.2])
    weights, rng = np.array([1.0, 3.0, 0.5, 2.0, 1.0]), np.random.default_rng(22)
    size, position = 60_000, 0.45
    shape = (size, len(scores))
    if kernel == "logit":
        odds = np.log(scores / (1 - scores)) + 2.0 * (rng.random(shape) - 0.5)
        draws = 1 / (1 + np.exp(-odds))
    elif kernel == "coin":
        draws = np.where(rng.random(shape) < 0.4, rng.random(shape) < scores, scores)
    else:
        draws = rng.beta(6 * scores, 6 * (1 - scores), shape)
    curve = rw.smeared_roc(
        truth, scores, kernel=kernel, sample_weight=weights, truth="soft", **AMOUNTS[kernel]
    )
    band = curve.band([position])
    above = draws >= position
    mean = above.mean(axis=0)
    for mass, rate, noise, sampling in (
        (weights * truth, band.tpr, band.tpr_noise, band.tpr_sampling),
        (weights * (1 - truth), band.fpr, band.fpr_noise, band.fpr_sampling),
    ):
        rates = above @ mass / mass.sum()
        assert rate[0] == pytest.approx(rates.mean(), abs=0.004)
        assert noise[0] == pytest.approx(rates.std(), abs=0.004)
        linear = mass * (mean - rates.mean()) / mass.sum()
        assert sampling[0] == pytest.approx(np.sqrt((linear**2).sum()), abs=0.004)


def test_rows_of_their_own_concentration_by_draws():
    own, rng = np.array([2.0, 40.0, 9.0, 5.0, 1.0]), np.random.default_rng(23)
    y, p = map(np.array, EXAMPLE_1)
    band = rw.smeared_roc(y, p, kernel="beta", concentration=own).band([0.5])
    above = rng.beta(own * p, own * (1 - p), (60_000, 5)) >= 0.5
    for chosen, noise in ((y == 1, band.tpr_noise), (y == 0, band.fpr_noise)):
        assert noise[0] == pytest.approx(above[:, chosen].mean(axis=1).std(), abs=0.004)


def test_many_rows_are_nodes_and_copies_are_weights_of_the_count():
    """Copies of an item are items of their own: noise falls as one over the root of their number."""
    y, p = map(np.array, EXAMPLE_1)
    options = {"kernel": "beta", "concentration": 8.0}
    once = rw.smeared_roc(y, p, **options).band([0.4, 0.6])
    many = rw.smeared_roc(np.tile(y, 900), np.tile(p, 900), **options).band([0.4, 0.6])
    assert many.tpr_noise == pytest.approx(once.tpr_noise / 30)
    assert many.fpr_sampling == pytest.approx(once.fpr_sampling / 30)
    rng = np.random.default_rng(24)
    labels, scores = np.arange(6_000) % 2, rng.random(6_000)
    few = rw.smeared_roc(labels, scores, **options).band([0.3])
    own = rw.smeared_roc(
        labels, scores, kernel="beta", concentration=np.r_[8.0 + 1e-9, [8.0] * 5_999]
    )
    each = own.band([0.3])  # row by row, without nodes
    assert few.tpr_noise == pytest.approx(each.tpr_noise, rel=1e-6)
    assert few.fpr_sampling == pytest.approx(each.fpr_sampling, rel=1e-6)


@pytest.mark.parametrize("concentration", [0.01, 1.0, 10.0, 100.0, 1000.0])
@pytest.mark.parametrize("nearest", [1 / 32, 1e-5, 1e-12])
def test_chebyshev_points_stand_for_scores(concentration, nearest):
    """Fewer scores, and the survival function and its square of each score within 2e-8."""
    rng, ends = np.random.default_rng(25), np.geomspace(nearest, 0.5, 60)
    positions = np.unique(np.concatenate((ends, 1 - ends, [0.0, 1.0])))
    scores = np.concatenate((rng.random(900), rng.beta(0.2, 0.2, 900), [nearest, 0.0, 1.0]))
    scores = np.unique(scores)[::-1]
    chosen = np.append(rng.integers(0, len(scores), 30), [0, len(scores) - 1])
    columns = np.zeros((len(chosen) // 2 * 2, len(scores)))
    columns[np.arange(len(chosen)), chosen] = 1.0
    nodes, moved = compact(concentration, scores, columns, positions)
    assert len(nodes) < len(scores)
    own = survival(concentration, scores[chosen], positions)
    at_nodes = survival(concentration, nodes, positions)
    assert np.abs(moved @ at_nodes - own).max() < 2e-8
    assert np.abs(moved @ at_nodes**2 - own**2).max() < 2e-8


def test_levels_and_positions_that_are_refused():
    curve = rw.smeared_roc(*EXAMPLE_1, width=0.4)
    with pytest.raises(OptionError, match="confidence_level=1.5"):
        curve.band(confidence_level=1.5)
    with pytest.raises(InputError, match="positions"):
        curve.band(["a"])
    narrow, wide = curve.band([0.5], confidence_level=0.5), curve.band([0.5], confidence_level=0.99)
    assert narrow.tpr_low[0] > wide.tpr_low[0]
    assert len(curve.band().thresholds) <= 200
