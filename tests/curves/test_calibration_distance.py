"""Distances from calibration: against netcal, relplot, quadrature and draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize
from scipy.stats import norm

import rocwalk as rw
from curves.calibrated import FOUND, SOFT, WEIGHTS, P, Y, local_line, sample
from rocwalk.curves.calibration_distance import discriminations, folded_mean
from rocwalk.curves.cells import cells_of
from rocwalk.inference.items import Evidence
from rocwalk.inference.resampling import Plan

# versions and calls of peers: tests/peers/make_calibration.py


def test_the_ece_is_that_of_netcal():
    assert FOUND.ece == pytest.approx(0.06280259999999997)
    assert rw.calibration(Y, P, bins=15).ece == pytest.approx(0.07265272)


def test_the_smooth_ece_is_that_of_relplot():
    # relplot halves ten times and takes 200 points: three digits
    assert FOUND.smooth_ece == pytest.approx(0.05954475533153061, abs=1e-3)


def test_the_smooth_ece_by_direct_quadrature():
    """The reflected kernel as a sum over images, and the fixed point by a slow search."""
    from scipy.optimize import brentq

    t = (np.arange(4000) + 0.5) / 4000

    def norm(sigma):
        smooth = np.zeros(len(t))
        for image in (P, -P, 2 - P):
            kernel = np.exp(-((t[:, None] - image) ** 2) / (2 * sigma**2))
            smooth += kernel @ (Y - P) / (sigma * math.sqrt(2 * math.pi) * len(Y))
        return np.abs(smooth).mean()

    assert FOUND.smooth_ece == pytest.approx(brentq(lambda s: norm(s) - s, 0.02, 0.2), abs=2e-5)


@pytest.mark.parametrize("kind", ["weights", "soft", "both"])
def test_eces_and_slopes_of_weights_and_soft_truth(kind):
    """Bins, the kernel as a sum over images, and likelihoods maximised by scipy, all by mass."""
    truth = Y if kind == "weights" else SOFT
    weights = np.ones(len(Y)) if kind == "soft" else WEIGHTS
    options = {} if kind == "weights" else {"truth": "soft"}
    found = rw.calibration(truth, P, sample_weight=weights, n_resamples=2, rng=0, **options)
    residual, whole = weights * (truth - P), weights.sum()
    bins = np.minimum((10 * P).astype(int), 9)
    ece = sum(abs(residual[bins == k].sum()) for k in range(10)) / whole
    assert found.ece == pytest.approx(ece, abs=1e-12)

    t = (np.arange(3000) + 0.5) / 3000

    def norm_of(sigma):
        smooth = np.zeros(len(t))
        for image in (P, -P, 2 - P):
            kernel = np.exp(-((t[:, None] - image) ** 2) / (2 * sigma**2))
            smooth += kernel @ residual / (sigma * math.sqrt(2 * math.pi) * whole)
        return np.abs(smooth).mean()

    smooth_ece = optimize.brentq(lambda s: norm_of(s) - s, 0.002, 0.4)
    assert found.smooth_ece == pytest.approx(smooth_ece, abs=1e-4)
    logit = np.log(P / (1 - P))

    def loss(intercept, slope):
        line = intercept + slope * logit
        return weights @ (np.logaddexp(0, line) - truth * line) / whole

    both = optimize.minimize(lambda x: loss(*x), [0, 1], tol=1e-10).x
    large = optimize.minimize_scalar(lambda x: loss(x, 1)).x
    assert (found.slope, found.intercept) == pytest.approx((both[1], large), abs=1e-5)
    assert found.expected_observed == pytest.approx((weights @ P) / (weights @ truth))


def test_ici_and_its_like_are_of_the_smooth_curve():
    gaps = [abs(local_line(P, Y, np.ones(len(Y)), at, 0.3) - at) for at in P]
    assert FOUND.ici == pytest.approx(np.mean(gaps), abs=1e-9)
    assert FOUND.e50 == pytest.approx(np.quantile(gaps, 0.5, method="inverted_cdf"), abs=1e-9)
    assert FOUND.e90 == pytest.approx(np.quantile(gaps, 0.9, method="inverted_cdf"), abs=1e-9)
    assert FOUND.emax == pytest.approx(max(gaps), abs=1e-9)


@pytest.mark.parametrize("kind", ["weights", "soft"])
def test_ici_and_its_like_of_weights_and_soft_truth(kind):
    """Quantiles over the mass: the smallest gap that this share of the weights does not exceed."""
    truth = SOFT if kind == "soft" else Y
    weights = WEIGHTS if kind == "weights" else np.ones(len(Y))
    options = {"truth": "soft"} if kind == "soft" else {"sample_weight": WEIGHTS}
    found = rw.calibration(truth, P, rng=0, n_resamples=20, **options)
    gaps = np.array([abs(local_line(P, truth, weights, at, 0.3) - at) for at in P])
    held = np.repeat(np.sort(gaps), weights[np.argsort(gaps)].astype(int))
    assert found.ici == pytest.approx(np.average(gaps, weights=weights), abs=1e-9)
    for name, share in (("e50", 0.5), ("e90", 0.9)):
        due = np.quantile(held, share, method="inverted_cdf")
        assert getattr(found, name) == pytest.approx(due, abs=1e-9)
    assert found.emax == pytest.approx(gaps.max(), abs=1e-9)


@pytest.mark.parametrize(("span", "tolerance"), [(0.3, 0.05), (0.1, 0.01), (0.05, 0.003)])
def test_distances_of_a_large_sample_are_the_true_ones(span, tolerance):
    """Scores that are too extreme by a known amount: quantiles and means over their distribution.

    Soft truth is the probability itself, so that only the bias of the span remains: at 0.3 the
    distances are 3 to 5 % too short.
    """
    z = norm.ppf((np.arange(100_000) + 0.5) / 100_000, -0.5, 1.3)
    true, p = 1 / (1 + np.exp(-z)), 1 / (1 + np.exp(-1.6 * z - 0.3))
    gaps = np.abs(true - p)
    due = {"ici": gaps.mean(), "e50": np.quantile(gaps, 0.5), "e90": np.quantile(gaps, 0.9)}
    found = rw.calibration(true, p, rng=0, n_resamples=10, span=span, truth="soft")
    for name, value in (due | {"emax": gaps.max()}).items():
        assert getattr(found, name) == pytest.approx(value, rel=tolerance), name
    y, drawn = sample(400_000, seed=8)
    hard = rw.calibration(y, drawn, rng=0, n_resamples=10, span=span)
    assert hard.ici == pytest.approx(due["ici"], rel=tolerance + 0.01)


def test_the_corrected_ece_subtracts_what_chance_adds():
    """Against the mean of many draws, as the debiased estimate of Kumar et al. (2019) is made."""
    place = np.digitize(P, np.linspace(0, 1, 11)[1:-1], right=True)
    rng, corrected = np.random.default_rng(0), 0.0
    for k in range(10):
        inside = place == k
        share, mean = inside.mean(), Y[inside].mean()
        error = math.sqrt(mean * (1 - mean) / inside.sum())
        drawn = np.abs(rng.normal(mean, error, 400_000) - P[inside].mean()).mean()
        corrected += share * (2 * abs(mean - P[inside].mean()) - drawn)
    assert FOUND.ece_corrected == pytest.approx(corrected, abs=2e-4)
    assert FOUND.ece_corrected < FOUND.ece


def test_the_mean_of_a_folded_normal():
    from scipy.stats import foldnorm

    mean, error = np.array([0.0, 0.2, -1.5]), np.array([1.0, 0.5, 0.7])
    theirs = foldnorm.mean(np.abs(mean) / error, scale=error)
    assert folded_mean(mean, error) == pytest.approx(theirs)


def test_chance_adds_less_to_the_corrected_ece():
    rng = np.random.default_rng(5)
    plain, corrected = [], []
    for _ in range(60):
        p = rng.random(300)
        found = rw.calibration(rng.random(300) < p, p)
        plain.append(found.ece)
        corrected.append(found.ece_corrected)
    assert np.mean(corrected) < 0.6 * np.mean(plain)


def test_a_distance_that_chance_explains_reaches_zero():
    rng = np.random.default_rng(11)
    p = rng.random(400)
    found = rw.calibration(rng.random(400) < p, p, rng=0, n_resamples=200)
    for name in ("ici", "ece", "smooth_ece", "brier_miscalibration"):
        one = found.interval(name)
        assert (one.low, one.method) == (0, "curve-draws")
        assert one.estimate > 0


def test_discriminations_by_isotonic_fits_of_scipy():
    """What the isotonic fit adds to the discrimination, by outcomes drawn and fitted one by one."""
    cells, rng = FOUND.cells, np.random.default_rng(6)
    centre = np.clip(optimize.isotonic_regression(cells.smooth, weights=cells.mass).x, 0, 1)

    def of(observed):
        best = optimize.isotonic_regression(observed, weights=cells.mass).x
        whole = observed @ cells.share
        return whole * (1 - whole) - (best * (1 - best)) @ cells.share

    counts = cells.mass.astype(int)
    slow = [of(rng.binomial(counts, centre) / counts) - of(centre) for _ in range(300)]
    fast = discriminations(cells, Plan(300, 1))[0][:, 0]
    assert fast.mean() == pytest.approx(np.mean(slow), abs=4 * np.std(slow) / math.sqrt(150))
    assert fast.std() == pytest.approx(np.std(slow), rel=0.25)


@pytest.mark.parametrize("name", ["ici", "ece", "smooth_ece"])
def test_the_registry_has_the_same_interval_of_distances(name):
    one = rw.interval(Y, P, statistic=name, rng=0, n_resamples=100)
    assert one.estimate == pytest.approx(getattr(FOUND, name))
    assert one.method == "curve-draws"
    pair = rw.compare(Y, {"a": P, "b": P**2}, statistic=name, rng=0, n_resamples=50).pairs[0]
    assert pair.difference < 0


def test_quantile_bins_hold_equal_mass():
    bins = rw.calibration(Y, P, strategy="quantile").binning
    cells = cells_of(Evidence(rw.tally(Y, P)))
    place, _ = bins.places(cells.scores, cells.mass)
    mass = np.bincount(place, cells.mass, 10)
    assert mass.max() - mass.min() <= 4


def test_perfect_soft_truth_is_at_no_distance():
    p = np.linspace(0.05, 0.95, 40)
    found = rw.calibration(p, p, truth="soft")
    assert found.smooth_ece == pytest.approx(0, abs=1e-9)
    assert found.ici == pytest.approx(0, abs=1e-12)
    assert found.ece == pytest.approx(0, abs=1e-12)
