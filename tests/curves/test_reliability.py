"""`rw.calibration`: against statsmodels, netcal, relplot and slow references; bands, intervals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

import rocwalk as rw
from rocwalk.curves.calibration_distance import discriminations, folded_mean
from rocwalk.curves.cells import cells_of, exact_band
from rocwalk.curves.recalibration import logistic_fit
from rocwalk.errors import (
    OneClassError,
    OptionError,
    ScoreError,
    TallyError,
    UndefinedMetricWarning,
)
from rocwalk.inference.items import Evidence
from rocwalk.inference.resampling import Plan


def sample(n=500, seed=7):
    """The sample of tests/peers/make_calibration.py."""
    rng = np.random.default_rng(seed)
    z = rng.normal(-0.5, 1.3, n)
    y = (rng.random(n) < 1 / (1 + np.exp(-z))).astype(int)
    return y, np.round(1 / (1 + np.exp(-1.6 * z - 0.3)), 5)


Y, P = sample()
WEIGHTS = np.random.default_rng(1).integers(1, 4, len(Y)).astype(float)
SOFT = np.clip(0.8 * Y + 0.1 + np.random.default_rng(2).normal(0, 0.05, len(Y)), 0, 1)
FOUND = rw.calibration(Y, P, rng=0, n_resamples=200)


# -- numbers against peers (versions and calls: tests/peers/make_calibration.py) -------------------


def test_slope_and_intercept_are_those_of_statsmodels():
    assert FOUND.slope == pytest.approx(0.6653271620059726, rel=1e-9)
    assert FOUND.intercept == pytest.approx(0.0032702598347685843, abs=1e-10)
    # robust errors HC0; ours have n/(n − 1) in each class
    for name, error in (("slope", 0.07090784619511181), ("intercept", 0.13067924679065046)):
        assert FOUND.interval(name).standard_error == pytest.approx(error, rel=5e-3)


def test_expected_over_observed_is_a_quotient_of_sums():
    assert FOUND.expected_observed == pytest.approx(P.sum() / Y.sum())
    one = FOUND.interval("expected_observed")
    assert one.method == "influence-log"
    assert one.low < P.sum() / Y.sum() < one.high
    # twice the midpoint of sensibility analysis
    assert FOUND.expected_observed == pytest.approx(2 * rw.sensibility(Y, P).midpoint)


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


def local_line(p, y, w, at, span):
    """The smooth curve at one score by plain weighted least squares of y − p on the logit."""
    x, x0 = np.log(p / (1 - p)), math.log(at / (1 - at))
    far = np.abs(x - x0)
    order = np.argsort(far, kind="stable")
    held = np.cumsum(w[order]) / w.sum()
    reach = far[order][np.searchsorted(held, span - 1e-9)]
    k = w * np.where(far < reach, (1 - (far / reach) ** 3) ** 3, 0)
    design = np.column_stack([np.ones(len(x)), x - x0])
    line = np.linalg.lstsq(design * np.sqrt(k)[:, None], (y - p) * np.sqrt(k), rcond=None)[0]
    return float(np.clip(at + line[0], 0, 1))


@pytest.mark.parametrize("span", [0.3, 0.7])
@pytest.mark.parametrize("truth", [Y.astype(float), SOFT], ids=["hard", "soft"])
def test_the_smooth_curve_is_a_local_linear_regression(span, truth):
    found = rw.calibration(
        truth, P, sample_weight=WEIGHTS, method="smooth", span=span, truth="soft"
    )
    for at in found.cells.scores[[0, 50, 200, -1]]:
        slow = local_line(P, truth, WEIGHTS, at, span)
        assert found.calibrate([at])[0] == pytest.approx(slow, abs=1e-9)


def test_ici_and_its_like_are_of_the_smooth_curve():
    gaps = [abs(local_line(P, Y, np.ones(len(Y)), at, 0.3) - at) for at in P]
    assert FOUND.ici == pytest.approx(np.mean(gaps), abs=1e-9)
    assert FOUND.e50 == pytest.approx(np.quantile(gaps, 0.5, method="inverted_cdf"), abs=1e-9)
    assert FOUND.e90 == pytest.approx(np.quantile(gaps, 0.9, method="inverted_cdf"), abs=1e-9)
    assert FOUND.emax == pytest.approx(max(gaps), abs=1e-9)


def test_cells_change_little():
    """Of 20,000 scores the curve of the cells is that of all items within the stated error."""
    y, p = sample(20_000, 3)
    found = rw.calibration(y, p + 1e-9 * np.arange(20_000), method="smooth")
    assert len(found.cells.scores) <= 768
    for at in (0.01, 0.1, 0.5, 0.9, 0.99):
        slow = local_line(p, y, np.ones(len(y)), at, 0.3)
        assert found.calibrate([at])[0] == pytest.approx(slow, abs=1e-3)


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


# -- tests -----------------------------------------------------------------------------------------


def test_spiegelhalters_z_by_its_formula():
    z = ((Y - P) * (1 - 2 * P)).sum() / math.sqrt(((1 - 2 * P) ** 2 * P * (1 - P)).sum())
    assert FOUND.spiegelhalter.statistic == pytest.approx(z)
    assert "not how large" in FOUND.spiegelhalter.sentence


def test_hosmer_and_lemeshow_by_deciles():
    from scipy.stats import chi2

    order = np.argsort(P, kind="stable")
    value = 0.0
    for part in np.array_split(order, 10):
        expected, variance = P[part].sum(), (P[part] * (1 - P[part])).sum()
        value += (Y[part].sum() - expected) ** 2 / variance
    found = FOUND.hosmer_lemeshow()
    assert found.statistic == pytest.approx(value, rel=0.02)  # ties at the edges of groups
    assert found.df == 10
    assert found.p_value == pytest.approx(chi2.sf(found.statistic, 10))
    assert FOUND.hosmer_lemeshow(fitted=2).df == 8
    with pytest.raises(OptionError, match="leaves no degrees of freedom"):
        rw.calibration([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5]).hosmer_lemeshow(fitted=2)


def test_the_level_of_both_tests():
    rng = np.random.default_rng(0)
    p_values = []
    for _ in range(300):
        p = rng.random(200)
        found = rw.calibration(rng.random(200) < p, p)
        p_values.append((found.spiegelhalter.p_value, found.hosmer_lemeshow().p_value))
    rejected = (np.array(p_values) < 0.05).mean(axis=0)
    assert (rejected > 0.02).all()
    assert (rejected < 0.09).all()


# -- bands -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["isotonic", "smooth"])
def test_bands_hold_what_is_calibrated_and_not_what_is_not(method):
    rng = np.random.default_rng(0)
    p = 1 / (1 + np.exp(-rng.normal(-1, 1.5, 1500)))
    y = rng.random(1500) < p

    def outside(scores):
        found = rw.calibration(y, scores, method=method, rng=0, n_resamples=100)
        band = found.consistency_band
        values = found.calibrate(band.scores)
        return np.mean((values < band.low - 1e-9) | (values > band.high + 1e-9))

    assert outside(p) < 0.2
    assert outside(p**2.5) > 0.4


@pytest.mark.parametrize("method", ["isotonic", "smooth"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"sample_weight": WEIGHTS},
        {"cluster": np.arange(len(Y)) // 4},
        {"sample_weight": WEIGHTS, "cluster": np.arange(len(Y)) // 4},
    ],
    ids=["counts", "weights", "clusters", "both"],
)
def test_bands_of_every_kind_of_evidence(method, options):
    for truth in (Y, SOFT):
        found = rw.calibration(truth, P, method=method, rng=0, n_resamples=50, **options)
        for band in (found.consistency_band, found.confidence_band):
            assert (band.low <= band.high).all()
            assert band.low.min() >= 0
            assert band.high.max() <= 1
            assert len(band.scores) == len(band.low)


def test_the_band_of_a_share_is_clopper_and_pearsons():
    """Of whole counts those of scipy, with 0 and all positives."""
    counts = [(0, 12), (3, 12), (12, 12), (1, 400)]
    share = np.array([k / n for k, n in counts])
    plain = np.array([1 / n for _, n in counts])
    low, high = exact_band(share, share * (1 - share) * plain, plain, 0.95)
    for i, (k, n) in enumerate(counts):
        known = stats.binomtest(k, n).proportion_ci(0.95, method="exact")
        assert (low[i], high[i]) == pytest.approx((known.low, known.high), abs=1e-9)


def test_the_smooth_consistency_band_by_outcomes_drawn_here():
    """Rare positives are skewed: the band is that of draws, not score ± 1.96 errors."""
    rng = np.random.default_rng(4)
    p = 0.3 * rng.random(150) ** 3 + 0.002
    y = rng.random(150) < p
    y[:2] = True, False
    found = rw.calibration(y, p, method="smooth", rng=0, n_resamples=2000)
    band, cells = found.consistency_band, found.cells
    drawn = rng.random((2000, len(cells.scores))) < cells.scores  # no scores are tied
    smooth = np.clip(cells.scores + (drawn - cells.scores) @ cells.smoother.T, 0, 1)
    low, high = np.quantile(smooth, [0.025, 0.975], axis=0)
    assert band.low == pytest.approx(low, abs=0.03)
    assert np.mean(np.abs(band.high - high)) < 0.02
    reach = 1.96 * np.sqrt(cells.smooth_variance(cells.scores))
    assert np.abs(band.high - np.clip(cells.scores + reach, 0, 1)).max() > 0.02


def test_clusters_of_copies_count_once():
    """Each item four times: by cluster the smooth band is that of the items."""
    times = np.repeat(np.arange(len(Y)), 4)
    one = rw.calibration(Y, P, method="smooth")
    four = rw.calibration(Y[times], P[times], method="smooth", cluster=times)
    width = four.confidence_band.high - four.confidence_band.low
    # clusters have the variance of the observed residuals, items that of the curve
    assert np.median(width / (one.confidence_band.high - one.confidence_band.low)) == pytest.approx(
        1, abs=0.1
    )


def test_the_same_seed_gives_the_same_bands():
    one, other = (rw.calibration(Y, P, rng=3, n_resamples=50) for _ in range(2))
    assert (one.confidence_band.low == other.confidence_band.low).all()
    assert one.interval("ici") == other.interval("ici")


# -- intervals -------------------------------------------------------------------------------------


def test_every_number_has_an_interval():
    found = FOUND.intervals
    for name, one in found.items():
        assert one.low <= one.estimate <= one.high, name
    assert found["slope"].high < 1  # too extreme
    assert found["ici"].low > 0
    assert found["brier"].estimate == FOUND.brier == FOUND.brier.loss
    with pytest.raises(OptionError, match="name='slop' is not known"):
        FOUND.interval("slop")


def test_a_distance_that_chance_explains_reaches_zero():
    rng = np.random.default_rng(11)
    p = rng.random(400)
    found = rw.calibration(rng.random(400) < p, p, rng=0, n_resamples=200)
    for name in ("ici", "ece", "smooth_ece", "brier_miscalibration"):
        one = found.interval(name)
        assert (one.low, one.method) == (0, "curve-draws")
        assert one.estimate > 0


def test_the_log_loss_has_an_interval_of_its_miscalibration():
    one = FOUND.interval("log_loss_miscalibration")
    assert one.estimate == FOUND.log_loss.miscalibration
    assert 0 < one.low < one.estimate < one.high
    sure = np.where(np.quantile(P, 0.99) < P, 1.0, P)
    y = np.where(sure == 1, 1, Y)
    none = rw.calibration(y, sure, rng=0, n_resamples=50).intervals["log_loss_miscalibration"]
    assert math.isnan(none.low)  # a draw may make a sure score wrong
    assert math.isfinite(none.estimate)


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
    fast = discriminations(cells, Plan(300, 1))[:, 0]
    assert fast.mean() == pytest.approx(np.mean(slow), abs=4 * np.std(slow) / math.sqrt(150))
    assert fast.std() == pytest.approx(np.std(slow), rel=0.25)


@pytest.mark.parametrize("name", ["ici", "ece", "smooth_ece"])
def test_the_registry_has_the_same_interval_of_distances(name):
    one = rw.interval(Y, P, statistic=name, rng=0, n_resamples=100)
    assert one.estimate == pytest.approx(getattr(FOUND, name))
    assert one.method == "curve-draws"
    pair = rw.compare(Y, {"a": P, "b": P**2}, statistic=name, rng=0, n_resamples=50).pairs[0]
    assert pair.difference < 0


def test_weights_and_soft_truth_have_intervals():
    for options in ({"sample_weight": WEIGHTS}, {"truth": "soft"}):
        truth = SOFT if "truth" in options else Y
        found = rw.calibration(truth, P, rng=0, n_resamples=100, **options)
        assert all(one.low <= one.high for one in found.intervals.values())
    twice = rw.calibration(Y, P, sample_weight=np.full(len(Y), 2.0))
    assert twice.interval("slope").low == pytest.approx(FOUND.interval("slope").low)


# -- edges -----------------------------------------------------------------------------------------


def test_scores_of_zero_and_one_have_no_logit():
    y, p = [0, 0, 1, 1, 0, 1], [0, 0, 1, 0.3, 0.4, 0.6]
    found = rw.calibration(y, p, method="smooth", rng=0, n_resamples=50)
    assert found.left_out == 3
    with pytest.warns(UndefinedMetricWarning, match="leaves out 3 items with a score of exactly"):
        assert math.isfinite(found.intercept)
    assert found.calibrate([0, 1]).tolist() == [0, 1]  # by their own mean
    assert "left_out" in found.to_dict()


def test_scores_without_a_slope():
    apart = rw.calibration([0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9])
    with pytest.warns(UndefinedMetricWarning, match="calibration slope does not exist"):
        assert math.isnan(apart.slope)
    same = rw.calibration([0, 1, 0, 1], [0.5] * 4)
    assert math.isnan(logistic_fit(same.tally).slope.estimate)
    assert same.intercept == pytest.approx(0)
    assert same.ici == 0
    assert repr(same).startswith("Calibration(method='isotonic', intercept=0, slope=nan")


def test_perfect_soft_truth_is_at_no_distance():
    p = np.linspace(0.05, 0.95, 40)
    found = rw.calibration(p, p, truth="soft")
    assert found.smooth_ece == pytest.approx(0, abs=1e-9)
    assert found.ici == pytest.approx(0, abs=1e-12)
    assert found.ece == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "loess"}, "method='loess' is not"),
        ({"span": 0}, "span=0 is outside"),
        ({"span": 1.5}, "span=1.5 is outside"),
        ({"bins": 0}, "bins=0"),
        ({"strategy": "equal"}, "strategy='equal' is not"),
        ({"confidence_level": 1}, "confidence_level=1 is outside"),
        ({"n_resamples": 0}, "n_resamples=0"),
    ],
)
def test_options_that_do_not_exist(options, words):
    with pytest.raises(OptionError, match=words):
        rw.calibration(Y, P, **options)


def test_what_is_refused():
    with pytest.raises(ScoreError, match="outside"):
        rw.calibration(Y, 3 * P)
    with pytest.raises(TallyError, match="this tally is bucketed"):
        rw.calibration(rw.tally(Y, P).bucketed(np.array([0.5])))
    with pytest.raises(OneClassError):
        rw.calibration([1, 1], [0.2, 0.4])
    with pytest.raises(OptionError, match="band='wide' is not"):
        FOUND.plot(band="wide")


def test_a_tally_in_place_of_the_arrays():
    found = rw.calibration(rw.tally(Y, P), rng=0, n_resamples=200)
    assert found.to_dict() == FOUND.to_dict()
    assert found.interval("ici") == FOUND.interval("ici")


def test_quantile_bins_hold_equal_mass():
    bins = rw.calibration(Y, P, strategy="quantile").binning
    cells = cells_of(Evidence(rw.tally(Y, P)))
    place, _ = bins.places(cells.scores, cells.mass)
    mass = np.bincount(place, cells.mass, 10)
    assert mass.max() - mass.min() <= 4


@pytest.mark.parametrize("method", ["isotonic", "smooth"])
def test_the_picture(method):
    ax = rw.calibration(Y, P, method=method, rng=0, n_resamples=50).plot(
        band="confidence", name="m"
    )
    assert {line.get_gid() for line in ax.lines} >= {"chance", "curve"}
    assert any(each.get_gid() == "confidence" for each in ax.collections)
