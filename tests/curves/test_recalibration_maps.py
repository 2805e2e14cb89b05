"""Recalibration maps: against scikit-learn and against likelihoods maximised by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression

import rocwalk as rw
from rocwalk.curves.recalibration_maps import MAPS, recalibration_map
from rocwalk.errors import InputError, OptionError

GRID = np.linspace(0.01, 0.99, 25)


def expit(z):
    return 1 / (1 + np.exp(-z))


def sample(seed=0, n=400, slope=2.0, shift=0.7):
    rng = np.random.default_rng(seed)
    z = rng.normal(-0.5, 1.2, n)
    return (rng.random(n) < expit(z)).astype(int), expit(slope * z + shift)


def test_platt_is_that_of_scikit_learn():
    y, p = sample()
    found = recalibration_map(rw.tally(y, p), "platt")
    theirs = _SigmoidCalibration().fit(np.log(p / (1 - p)), y)
    assert found.parameters == pytest.approx((-theirs.b_, -theirs.a_), abs=1e-4)
    assert found(GRID) == pytest.approx(theirs.predict(np.log(GRID / (1 - GRID))), abs=1e-5)


def test_isotonic_is_that_of_scikit_learn_at_the_scores():
    y, p = sample(1)
    found = recalibration_map(rw.tally(y, p), "isotonic")
    assert found(p) == pytest.approx(IsotonicRegression().fit(p, y).predict(p), abs=1e-12)
    assert found.parameters == ()


def loss(exponent, y):
    return float(np.logaddexp(0, exponent).sum() - (y * exponent).sum())


def test_temperature_is_the_best_factor_of_the_logits():
    y, p = sample(2)
    odds = np.log(p / (1 - p))
    best = minimize(lambda b: loss(b[0] * odds, y), [1.0], tol=1e-12).x[0]
    assert recalibration_map(rw.tally(y, p), "temperature").parameters == pytest.approx(
        (best,), abs=1e-5
    )


@pytest.mark.parametrize("seed", [3, 4, 5])
def test_beta_is_the_best_of_its_family(seed):
    y, p = sample(seed)

    def of(parameters):
        c, a, b = parameters
        return loss(c + a * np.log(p) - b * np.log1p(-p), y)

    best = minimize(
        of, [0, 1, 1], bounds=[(None, None), (0, None), (0, None)], options={"ftol": 1e-14}
    )
    found = recalibration_map(rw.tally(y, p), "beta").parameters
    assert of(found) <= best.fun + 1e-6
    assert min(found[1:]) >= 0


def test_beta_keeps_its_slopes_from_falling():
    """Scores that are turned round: neither end may rise, so the prevalence is left."""
    y, p = sample(6)
    found = recalibration_map(rw.tally(y, 1 - p), "beta")
    assert found.parameters[1:] == (0, 0)
    assert found(GRID) == pytest.approx(np.full(25, y.mean()), abs=1e-9)


@pytest.mark.parametrize("method", MAPS)
def test_weights_are_copies_but_for_platts_targets(method):
    y, p = sample(7, n=100)
    weight = np.random.default_rng(8).integers(1, 4, 100)
    weighted = recalibration_map(rw.tally(y, p, sample_weight=weight), method)
    copied = recalibration_map(rw.tally(np.repeat(y, weight), np.repeat(p, weight)), method)
    assert weighted(GRID) == pytest.approx(copied(GRID), abs=1e-8)


@pytest.mark.parametrize("method", MAPS)
def test_maps_never_fall_and_take_zero_and_one(method):
    y, p = sample(9)
    found = recalibration_map(rw.tally(y, p), method)(np.array([0.0, *GRID, 1.0]))
    assert np.isfinite(found).all()
    assert (np.diff(found) >= 0).all()
    assert found.min() >= 0
    assert found.max() <= 1


def test_separated_classes_have_platts_map_and_no_temperature():
    y, p = [0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9]
    assert np.isfinite(recalibration_map(rw.tally(y, p), "platt").parameters).all()
    with pytest.raises(InputError, match="does not exist for these scores"):
        recalibration_map(rw.tally(y, p), "temperature")


def test_a_method_is_one_of_four():
    with pytest.raises(OptionError, match="method='plat'"):
        recalibration_map(rw.tally([0, 1], [0.2, 0.7]), "plat")
