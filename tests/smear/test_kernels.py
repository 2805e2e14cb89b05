"""Kernels that stay inside [0, 1]: against exact fractions, mpmath and draws of the definition."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.special import betainc, betaincc

import rocwalk as rw
from rocwalk.errors import OptionError, UndefinedMetricWarning
from rocwalk.smear import beta as beta_module
from rocwalk.smear import beta_nodes
from rocwalk.smear.kernels import KERNELS, kernel_named
from samples import NO_ADVICE

pytestmark = NO_ADVICE
EXAMPLE_1 = ([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])  # Ferri et al., section 2
NO_WIDTH = ([1, 0, 1, 1], [1, 0.1, 0, 0])  # no width matches
ENDS = ([1, 0, 1, 0, 1, 0, 1], [1, 1, 0, 0, 0.4, 0.7, 0.7])  # ties at 0, at 1 and between

AMOUNTS = {
    "uniform": {"width": 0.3},
    "normal": {"width": 0.3},
    "logit": {"width": 2.0},
    "logit-normal": {"width": 2.0},
    "coin": {"share": 0.4},
    "beta": {"concentration": 6.0},
}


def mixed(rng, n):
    """Soft truth, scores with ties and with 0 and 1, and weights."""
    truth, scores = rng.integers(0, 5, n) / 4, rng.integers(0, 9, n) / 8
    truth[:2] = 1, 0
    return truth, scores, rng.integers(1, 5, n) / 2


def pair_mean(truth, scores, weights, compare):
    """The mean over all pairs of compare(s of the positive, s of the negative), by mass."""
    total, up, right = 0, 0, 0
    for f, s, w in zip(truth, scores, weights, strict=True):
        up, right = up + f * w, right + (1 - f) * w
        for g, t, v in zip(truth, scores, weights, strict=True):
            if f * w and (1 - g) * v:
                total += f * w * (1 - g) * v * compare(s, t)
    return total / (up * right)


# -- coins -----------------------------------------------------------------------------------------


def coins(share):
    """P(X > Y) + ½·P(X = Y), exactly: each is the score, or a coin with the given probability."""

    def draws(score):
        return [
            (score, 1 - share),
            (Fraction(1), share * score),
            (Fraction(0), share * (1 - score)),
        ]

    def compare(one, other):
        return sum(
            p * q * (Fraction(x > y) + Fraction(x == y, 2))
            for x, p in draws(one)
            for y, q in draws(other)
        )

    return compare


@pytest.mark.parametrize("share", [0, 0.25, 0.5, 0.75, 1])
def test_areas_of_coins_are_exact(share):
    rng = np.random.default_rng(1)
    for _ in range(8):
        truth, scores, weights = mixed(rng, int(rng.integers(2, 12)))
        area = rw.smeared_area(
            truth, scores, kernel="coin", share=share, sample_weight=weights, truth="soft"
        )  # fmt: skip
        columns = [list(map(Fraction, column)) for column in (truth, scores, weights)]
        exact = pair_mean(*columns, coins(Fraction(share)))
        assert abs(Fraction(float(area)) - exact) <= area.error_bound <= 1e-14
        curve = rw.smeared_roc(
            truth, scores, kernel="coin", share=share, sample_weight=weights, truth="soft"
        )  # fmt: skip
        assert float(np.trapezoid(curve.tpr, curve.fpr)) == pytest.approx(float(exact), abs=1e-14)


def test_golden_areas_of_coins():
    """The closed form (1−λ)²·AUC + (1−(1−λ)²)·A_p, by hand for Example 1."""
    for share, area in ((0.25, 0.756771), (0.5, 0.702083), (1, 0.658333), (0, 0.833333)):
        assert rw.smeared_area(*EXAMPLE_1, kernel="coin", share=share) == pytest.approx(
            area, abs=1e-6
        )


@pytest.mark.parametrize("sample", [EXAMPLE_1, NO_WIDTH, ENDS])
def test_every_sample_has_a_curve_of_the_probabilistic_auc(sample):
    """Also where no width exists: (0, 0), (m⁻, m⁺), (1, 1)."""
    y, p = map(np.array, sample)
    curve = rw.smeared_roc(y, p, kernel="coin")
    means = p[y == 0].mean(), p[y == 1].mean()
    assert curve.fpr == pytest.approx([0, means[0], 1])
    assert curve.tpr == pytest.approx([0, means[1], 1])
    assert curve.area == pytest.approx(rw.metrics.probabilistic_auc_score(y, p), abs=1e-15)
    assert curve.thresholds.tolist() == [math.inf, 1, 0]


def test_the_curve_of_the_sample_without_a_width():
    assert not rw.matched_width(*NO_WIDTH).exists
    curve = rw.smeared_roc(*NO_WIDTH, kernel="coin")
    assert (curve.fpr[1], curve.tpr[1]) == pytest.approx((0.1, 1 / 3))
    assert curve.area == pytest.approx(0.6166666666666667, abs=1e-15)


# -- beta distributions ----------------------------------------------------------------------------


def beta_pair(concentration):
    """P(X > Y) + ½·P(X = Y) of two beta variables, by quadrature with 16 digits."""
    k = mpmath.mpf(concentration)

    def compare(one, other):
        if one == other:
            return mpmath.mpf("0.5")
        if {one, other} & {0.0, 1.0}:
            return mpmath.mpf(int(one > other))
        a, b = mpmath.mpf(one), mpmath.mpf(other)
        scale = mpmath.beta(k * b, k * (1 - b))

        def integrand(place):
            density = mpmath.exp(k * b * place - k * mpmath.log1p(mpmath.exp(place))) / scale
            if place < 0:
                x = 1 / (1 + mpmath.exp(-place))
                return density * mpmath.betainc(k * a, k * (1 - a), x, 1, regularized=True)
            x = 1 / (1 + mpmath.exp(place))
            return density * mpmath.betainc(k * (1 - a), k * a, 0, x, regularized=True)

        ends = sorted({60, 400 / k, 4000 / k}) if k < 5 else [60]
        inner = [-20, -8, -4, -2, -1, 0, 1, 2, 4, 8, 20]
        return mpmath.quad(integrand, [-end for end in ends[::-1]] + inner + ends)

    return compare


@pytest.mark.parametrize("concentration", [0.5, 3, 40])
def test_beta_areas_to_the_last_digits(concentration):
    truth, scores, weights = [1, 0, 0.25], [0.9, 0.4, 1.0], [1, 2, 1.5]
    area = rw.smeared_area(
        truth, scores, kernel="beta", concentration=concentration, sample_weight=weights
    )  # fmt: skip
    with mpmath.workdps(16):
        exact = float(pair_mean(truth, scores, weights, beta_pair(concentration)))
    assert abs(area - exact) <= area.error_bound < 1e-11


def test_golden_areas_of_beta_distributions():
    """Of a feasibility study by quadrature; they are cut after four digits."""
    for concentration, area in ((100, 0.8299), (10, 0.8014), (1, 0.7407)):
        found = rw.smeared_area(*EXAMPLE_1, kernel="beta", concentration=concentration)
        assert found == pytest.approx(area, abs=1e-4)


def limit(a, b):
    """A pair a over b as κ → 0."""
    a, b = map(Fraction, (a, b))
    if {a, b} == {Fraction(0)} or {a, b} == {Fraction(1)}:
        return Fraction(1, 2)
    return a * (1 - b) + (1 - a) * (1 - b) * a / (a + b) + a * b * (1 - b) / (2 - a - b)


def test_small_concentrations_have_a_limit_that_is_not_the_probabilistic_auc():
    y, p = EXAMPLE_1
    exact = pair_mean(y, list(map(Fraction, p)), [1] * 5, limit)
    area = rw.smeared_area(y, p, kernel="beta", concentration=0)
    assert abs(Fraction(float(area)) - exact) <= area.error_bound < 1e-12
    assert area == pytest.approx(0.728382, abs=5e-7)
    for small in (1e-300, 1e-30, 1e-6):  # where draws of X itself would all be 0 or 1
        near = rw.smeared_area(y, p, kernel="beta", concentration=small)
        assert abs(near - area) <= 1.3 * small + near.error_bound
    rng = np.random.default_rng(3)
    truth, scores, weights = mixed(rng, 12)
    area = rw.smeared_area(truth, scores, kernel="beta", concentration=0, sample_weight=weights)
    columns = [list(map(Fraction, column)) for column in (truth, scores, weights)]
    assert float(area) == pytest.approx(float(pair_mean(*columns, limit)), abs=1e-14)


@pytest.mark.parametrize("concentration", [0, 1e-300, 1e-16, 1e-3, 5, 1e12])
def test_scores_next_to_the_ends_keep_their_order(concentration):
    """1e-310 beats 5e-324 by their ratio, and what is near 1 beats all."""
    y, p = [1, 0, 1, 0], [1e-310, 5e-324, 0.5, 1 - 2.0**-53]
    area = rw.smeared_area(y, p, kernel="beta", concentration=concentration)
    assert area.error_bound < 1e-6
    won = 1 + 1e-310 / (1e-310 + 5e-324)  # 1e-310 and 0.5, each against 5e-324
    assert area == pytest.approx(won / 4, abs=2e-6 + area.error_bound)
    rw.smeared_roc(y, p, kernel="beta", concentration=concentration)


@pytest.mark.parametrize("concentration", [0, 0.5, 40])
def test_many_scores_next_to_0_are_compared_by_their_ratios(concentration):
    """The squares of such scores are 0 in floats; a beats b with probability a/(a + b)."""
    rng = np.random.default_rng(31)
    labels, scores = np.arange(400) % 2, 10.0 ** -rng.uniform(150, 300, 400)
    area = rw.smeared_area(labels, scores, kernel="beta", concentration=concentration)
    up, right = scores[labels == 1][:, None], scores[labels == 0]
    assert area == pytest.approx((up / (up + right)).mean(), abs=area.error_bound + 1e-12)
    assert area.error_bound < 1e-6


def test_large_concentrations_give_the_auc():
    assert rw.smeared_area(*EXAMPLE_1, kernel="beta", concentration=math.inf) == 5 / 6
    for large in (1e6, 1e12):
        area = rw.smeared_area(*EXAMPLE_1, kernel="beta", concentration=large)
        assert abs(area - 5 / 6) <= area.error_bound < 1e-6


@pytest.mark.parametrize("concentration", [0, 0.05, 2, 300, 1e5])
def test_many_rows_are_as_good_as_all_nodes(concentration, monkeypatch):
    """Chebyshev points for rows, and densities cut off, stay within the stated error."""
    rng = np.random.default_rng(4)
    labels = rng.random(4_000) < 0.3
    scores = np.where(labels, rng.beta(0.5, 0.3, 4_000), rng.beta(0.3, 0.6, 4_000))
    options = {"kernel": "beta", "concentration": concentration}
    many = rw.smeared_area(labels, scores, **options)
    monkeypatch.setattr(beta_module, "FEW", 10**9)
    monkeypatch.setattr(beta_nodes, "_NODES_FROM", 10**9)
    exact = rw.smeared_area(labels, scores, **options)
    assert exact.error_bound < 1e-10
    assert abs(many - exact) <= many.error_bound + exact.error_bound < 1e-6


def test_a_bound_of_interpolation_holds():
    """The survival function of a beta distribution between Chebyshev points, at many thresholds."""
    points, series = beta_nodes.POINTS, beta_nodes.SERIES
    positions = np.array([1e-12, 1e-5, 0.01, 0.1, 0.3, 0.5, 0.8])
    for concentration, low, high in ((0.5, 0.125, 0.25), (5, 0.25, 0.5), (200, 0.25, 0.28125)):
        bound = beta_nodes.interpolation_bound(concentration, np.array([low]), np.array([high]))
        inside = np.linspace(low, high, 101)
        nodes = low + (high - low) * (1 + points) / 2
        known = beta_module.survival(concentration, nodes, positions)
        values = np.polynomial.chebyshev.chebval(
            2 * (inside - low) / (high - low) - 1, series @ known
        )
        off = np.abs(values.T - beta_module.survival(concentration, inside, positions)).max()
        assert off <= bound[0] + 1e-13 < 1e-6


def test_each_row_may_have_its_own_concentration():
    y, p = map(np.array, EXAMPLE_1)
    own = np.array([3.0, 50.0, 3.0, 0.7, 9.0])
    area = rw.smeared_area(y, p, kernel="beta", concentration=own)
    rng = np.random.default_rng(5)
    draws = rng.beta(own * p, own * (1 - p), (200_000, 5))
    share = np.mean([(draws[:, i] > draws[:, j]).mean() for i in (0, 2) for j in (1, 3, 4)])
    assert area == pytest.approx(share, abs=0.003)
    same = rw.smeared_area(y, p, kernel="beta", concentration=np.full(5, 7.0))
    assert same == rw.smeared_area(y, p, kernel="beta", concentration=7)
    curve = rw.smeared_roc(y, p, kernel="beta", concentration=own)
    assert float(np.trapezoid(curve.tpr, curve.fpr)) == pytest.approx(area, abs=5e-6)


def test_concentrations_follow_their_rows():
    """Rows of weight 0 and dropped rows take their concentration with them."""
    y, p, own = [1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, math.nan], [3, 50, 4, 0.7, 9]
    with pytest.warns(rw.errors.DroppedRowsWarning):
        part = rw.smeared_area(
            y, p, kernel="beta", concentration=own, sample_weight=[1, 0, 1, 1, 1], invalid="drop"
        )  # fmt: skip
    assert part == rw.smeared_area(
        [1, 1, 0], [0.9, 0.6, 0.3], kernel="beta", concentration=[3, 4, 0.7]
    )


# -- log-odds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1e-6, 0.5, 3, 1e3])
def test_logit_areas_against_pairs(width):
    rng = np.random.default_rng(6)
    for _ in range(6):
        truth, scores, weights = mixed(rng, int(rng.integers(2, 12)))

        def segments(one, other):
            if one == other:
                return mpmath.mpf("0.5")
            if {one, other} & {0.0, 1.0}:
                return mpmath.mpf(int(one > other))
            odds = [mpmath.log(mpmath.mpf(s) / (1 - mpmath.mpf(s))) for s in (one, other)]
            c = (odds[0] - odds[1]) / width
            size = min(abs(c), 1)
            return mpmath.mpf("0.5") + mpmath.sign(c) * (size - size**2 / 2)

        def bells(one, other):
            if one == other or {one, other} & {0.0, 1.0}:
                return segments(one, other)
            odds = [mpmath.log(mpmath.mpf(s) / (1 - mpmath.mpf(s))) for s in (one, other)]
            return mpmath.ncdf((odds[0] - odds[1]) / (width * mpmath.sqrt(2) / 2))

        for kernel, compare in (("logit", segments), ("logit-normal", bells)):
            area = rw.smeared_area(
                truth, scores, width=width, kernel=kernel, sample_weight=weights, truth="soft"
            )  # fmt: skip
            exact = float(pair_mean(truth, scores, weights, compare))
            assert abs(area - exact) <= area.error_bound + 1e-15 < 1e-10


def test_scores_of_0_and_1_stay_at_the_ends():
    """Of 4 × 3 pairs 2 × 2 are finite; the others are decided: 5 won, 2 tied, 1 lost."""
    y, p = ENDS
    assert rw.smeared_area(y, p, kernel="logit", width=math.inf) == pytest.approx(
        (0.5 * 2 + 2 + 1 + 1 + 0.5 + 0.5) / 12
    )
    curve = rw.smeared_roc(y, p, kernel="logit", width=1.5)
    assert curve.at(1.0).tpr == curve.at(1.0).fpr * 3 / 4 == 0.25
    assert (curve.at(1e-300).tpr, curve.at(0.0).tpr, curve.at(1.5).tpr) == (0.75, 1, 0)
    inside = curve.thresholds[1:]
    assert inside.min() == 0
    assert inside.max() == 1
    assert rw.smeared_area([1, 0, 1], [1, 0, 0], kernel="logit", width=3) == 0.75


@pytest.mark.parametrize("kernel", ["logit", "logit-normal"])
def test_matched_widths_in_log_odds(kernel):
    """Found widths match; certificates prove; samples without one are said to have none."""
    rng = np.random.default_rng(7)
    kinds = set()
    for _ in range(12):
        truth, scores, weights = mixed(rng, int(rng.integers(3, 9)))
        found = rw.matched_width(truth, scores, kernel=kernel, sample_weight=weights, truth="soft")
        kinds.add(found.exists)
        grid = np.geomspace(1e-3, 1e3, 40)
        options = {"kernel": kernel, "sample_weight": weights, "truth": "soft"}
        gaps = np.array(
            [rw.smeared_area(truth, scores, width=d, **options) - found.target for d in grid]
        )
        assert found.areas(grid) - found.target == pytest.approx(gaps, abs=2e-6)
        for low, _ in found.widths:
            if math.isfinite(low):
                area = rw.smeared_area(truth, scores, width=low, **options)
                assert area == pytest.approx(found.target, abs=1e-11)
        crossings = np.flatnonzero(gaps[1:] * gaps[:-1] < -1e-20)
        for k in crossings:
            assert any(grid[k] <= high and low <= grid[k + 1] for low, high in found.widths)
        assert found.certificate.complete
    assert kinds == {True, False}
    assert rw.matched_width(*EXAMPLE_1, kernel=kernel).exists


# -- every kernel ----------------------------------------------------------------------------------


def drawn(kernel, scores, rng, size):
    """Draws of the definition: a row for each draw of all scores."""
    p = np.asarray(scores)
    with np.errstate(divide="ignore"):
        odds = np.log(p) - np.log1p(-p)
    amount = next(iter(AMOUNTS[kernel].values()))
    shape = (size, len(p))
    if kernel == "uniform":
        return p + amount * (rng.random(shape) - 0.5)
    if kernel == "normal":
        return p + amount / 2 * rng.normal(size=shape)
    if kernel == "logit":
        return odds + amount * (rng.random(shape) - 0.5)
    if kernel == "logit-normal":
        return odds + amount / 2 * rng.normal(size=shape)
    if kernel == "coin":
        return np.where(rng.random(shape) < amount, rng.random(shape) < p, p)
    inner = np.clip(p, 1e-9, 1 - 1e-9)
    return np.where((p > 0) & (p < 1), rng.beta(amount * inner, amount * (1 - inner), shape), p)


@pytest.mark.parametrize("kernel", KERNELS)
def test_areas_rates_and_bands_are_those_of_the_definition(kernel):
    """Monte Carlo: draw every score 40,000 times."""
    y, p = map(np.array, ([1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.6, 0.3, 0.0, 1.0]))
    draws = drawn(kernel, p, np.random.default_rng(8), 40_000)
    pairs = [(i, j) for i in np.flatnonzero(y) for j in np.flatnonzero(y == 0)]
    won = np.mean(
        [(draws[:, i] > draws[:, j]) + (draws[:, i] == draws[:, j]) / 2 for i, j in pairs]
    )
    curve = rw.smeared_roc(y, p, kernel=kernel, **AMOUNTS[kernel])
    assert curve.area == pytest.approx(won, abs=0.004)
    position = 0.55
    place = math.log(position / (1 - position)) if kernel.startswith("logit") else position
    above = draws >= place
    point, band = curve.at(position), curve.band(positions=[position])
    for rate, error, chosen in (
        (point.tpr, band.tpr_noise[0], y == 1),
        (point.fpr, band.fpr_noise[0], y == 0),
    ):
        rates = above[:, chosen].mean(axis=1)
        assert rate == pytest.approx(rates.mean(), abs=0.004)
        assert error == pytest.approx(rates.std(), abs=0.004)


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_polyline_has_the_area(kernel):
    rng = np.random.default_rng(9)
    truth, scores, weights = mixed(rng, 30)
    curve = rw.smeared_roc(
        truth, scores, kernel=kernel, sample_weight=weights, truth="soft", **AMOUNTS[kernel]
    )  # fmt: skip
    under = float(np.trapezoid(curve.tpr, curve.fpr))
    assert under == pytest.approx(curve.area, abs=2 * curve.curve_error + 1e-12)
    assert curve.curve_error < 3e-6
    assert (curve.fpr[-1], curve.tpr[-1]) == (1, 1)
    assert np.all(np.diff(curve.fpr) >= 0)
    assert np.all(np.diff(curve.tpr) >= 0)
    assert np.all(np.diff(curve.thresholds) <= 0)
    if kernel not in ("uniform", "normal"):
        assert np.all((curve.thresholds[1:] >= 0) & (curve.thresholds[1:] <= 1))


def crowded(n, seed=0):
    """Scores of two decimals, scores next to 0 and 1, and scores of 0 and 1 themselves."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    p = 1 / (1 + np.exp(-(3 * rng.normal(size=n) + 2 * y - 1)))
    p[::3] = p[::3].round(2)
    p[1], p[2], y[:2] = 1e-9, 1 - 1e-9, (0, 1)
    return y, p


def by_betainc(y, p, concentration, places):
    """FPR and TPR at log-odds by SciPy's incomplete beta function, score by score."""
    t, rest = 1 / (1 + np.exp(-places)), 1 / (1 + np.exp(places))
    inner = (p > 0) & (p < 1)
    q = np.repeat(p[:, None], len(places), axis=1)
    low, high = concentration * p[inner, None], concentration * (1 - p[inner, None])
    # from the side on which the position keeps its digits
    q[inner] = np.where(places > 0, betainc(high, low, rest), betaincc(low, high, t))
    return q[y == 0].mean(axis=0), q[y == 1].mean(axis=0)


@pytest.mark.parametrize("concentration", [3.0, 30.0, 300.0])
def test_the_best_point_of_beta_distributions_by_a_grid_of_thresholds(concentration):
    """Coarse to fine on log-odds by another formula: no threshold gains more."""
    y, p = crowded(300)
    curve = rw.smeared_roc(y, p, kernel="beta", concentration=concentration)
    slopes, found_inside = np.array([0.4, 0.7, 1.0, 2.5]), 0
    for slope in slopes:
        low, high = -60.0, 60.0
        for _ in range(7):
            places = np.linspace(low, high, 241)
            fpr, tpr = by_betainc(y, p, concentration, places)
            best = int(np.argmax(tpr - slope * fpr))
            low, high = places[max(best - 2, 0)], places[min(best + 2, 240)]
        gain = tpr[best] - slope * fpr[best]
        found = curve.best(slope=slope)
        lost = gain - (found.tpr - slope * found.fpr)
        assert abs(lost) <= (1 + slope) * curve.curve_error
        if abs(places[best]) < 20:  # where points of the curve are dense
            assert lost == pytest.approx(0, abs=1e-10)
            assert found.threshold == pytest.approx(1 / (1 + math.exp(-places[best])), rel=1e-3)
            found_inside += 1
    assert found_inside >= 2
    index = np.array([np.argmax(curve.tpr - slope * curve.fpr) for slope in slopes])
    together = curve.data.best_places(index, slopes)
    assert together.tolist() == [curve.best(slope=slope).threshold for slope in slopes]


@pytest.mark.parametrize("concentration", [0.2, 3.0, 300.0])
def test_the_curve_of_beta_distributions_is_as_near_as_it_says(concentration):
    """The rates half-way between two points, against SciPy's, of 1,000 rows in few points."""
    y, p = crowded(1_000, 1)
    curve = rw.smeared_roc(y, p, kernel="beta", concentration=concentration)
    assert curve.curve_error < 2e-6
    assert len(curve.fpr) < 6_000
    places = curve.data.places
    kept = np.flatnonzero(np.abs(places[1:] + places[:-1]) < 60)[::7]
    middle = (places[kept] + places[kept + 1]) / 2
    fpr, tpr = by_betainc(y, p, concentration, middle)
    down = np.abs(tpr - np.interp(fpr, curve.fpr, curve.tpr))
    along = np.abs(fpr - np.interp(tpr, curve.tpr, curve.fpr))
    assert np.all(np.minimum(down, along) <= curve.curve_error + 1e-10)


@pytest.mark.parametrize("concentration", [0.01, 3.0, 40.0, 900.0])
def test_one_product_and_the_nodes_that_count_have_the_same_heights(concentration, monkeypatch):
    y, p = crowded(200, 2)
    options = {"kernel": "beta", "concentration": concentration}
    dense = rw.smeared_roc(y, p, **options)
    monkeypatch.setattr(beta_module, "_DENSE", 0)
    near = rw.smeared_roc(y, p, **options)
    assert dense.area == pytest.approx(near.area, abs=1e-13)
    one, other = dense.data.sources, near.data.sources
    assert np.abs(one.heights - other.heights).max() <= 1e-13 * other.heights.max()
    assert dense.best(slope=1.3).threshold == pytest.approx(
        near.best(slope=1.3).threshold, rel=1e-9
    )


def test_the_densities_are_no_steeper_than_is_said():
    y, p = crowded(100, 3)
    for concentration in (0.05, 4.0, 200.0):
        curve = rw.smeared_roc(y, p, kernel="beta", concentration=concentration)
        scores = curve.data.sources
        edges = np.append(scores.edges, 4 * scores.end)
        low, high = edges[:-1], edges[1:]
        bounds = scores.steepest(low, high)
        for share in (0.1, 0.5, 0.9):
            at, step = low + share * (high - low), 1e-5 * (high - low)
            above, below = scores.densities(at + step), scores.densities(at - step)
            slope = np.max([np.abs(a - b) for a, b in zip(above, below, strict=True)], axis=0)
            assert np.all(slope / (2 * step) <= bounds * (1 + 1e-6) + 1e-7)


@pytest.mark.parametrize("kernel", KERNELS)
def test_best_points_are_the_best_of_many(kernel):
    curve = rw.smeared_roc(*EXAMPLE_1, kernel=kernel, **AMOUNTS[kernel])
    positions = np.linspace(0.001, 0.999, 2_001)
    fpr, tpr = curve.data.rates(positions)
    for slope in (0.5, 1.0, 2.0):
        best = curve.best(slope=slope)
        gain = best.tpr - slope * best.fpr
        assert gain >= (tpr - slope * fpr).max() - 1e-9
        at = curve.at(best.threshold)
        assert (at.fpr, at.tpr) == pytest.approx((best.fpr, best.tpr), abs=1e-9)
        low, high = best.interval
        assert low <= high


@pytest.mark.parametrize("asked", [{"fpr": 0.37}, {"tpr": 0.6}, {"rate": 0.45}])
@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "coin"])
def test_a_rate_is_reached_at_the_position_that_is_told(kernel, asked):
    """Between two vertices too, where rates are straight lines in log-odds, not in scores."""
    curve = rw.smeared_roc(*EXAMPLE_1, kernel=kernel, **AMOUNTS[kernel])
    point = curve.at(**asked)
    there = curve.at(point.position)
    assert (point.fpr, point.tpr) == pytest.approx((there.fpr, there.tpr), abs=1e-5)
    rates = {"fpr": there.fpr, "tpr": there.tpr, "rate": (3 * there.fpr + 2 * there.tpr) / 5}
    (name, wanted), *_ = asked.items()
    assert rates[name] == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    ("options", "asked", "position"),
    [
        ({"kernel": "coin"}, {"fpr": 0.2}, 1),  # on the way from (0, 0) to (m⁻, m⁺)
        ({"kernel": "coin"}, {"fpr": 0.7}, 0),  # and on to (1, 1)
        ({"kernel": "coin", "share": 0.4}, {"fpr": 0.37}, 0.8),
        ({"width": 0}, {"fpr": 0.37}, 0.3),
        ({"width": 0}, {"tpr": 0.6}, 0.6),
    ],
)
def test_a_rate_that_is_jumped_over_has_the_position_of_the_jump(options, asked, position):
    curve = rw.smeared_roc(*EXAMPLE_1, **options)
    point = curve.at(**asked)
    (name, wanted), *_ = asked.items()
    assert point.position == position
    assert getattr(point, name) == pytest.approx(wanted)
    above = curve.at(math.nextafter(position, math.inf))
    assert getattr(above, name) < wanted < getattr(curve.at(position), name)


def test_a_best_point_inside_the_unit_interval():
    """The kernels of this page keep thresholds in [0, 1], where the uniform one leaves it."""
    assert rw.smeared_roc(*EXAMPLE_1).best(slope=math.sqrt(3)).outside
    for kernel in ("logit", "logit-normal"):
        assert not rw.smeared_roc(*EXAMPLE_1, kernel=kernel).best(slope=math.sqrt(3)).outside


@pytest.mark.parametrize("kernel", KERNELS)
def test_laws_of_kernels(kernel):
    """Row order, weights as copies, scaled weights, and soft truth in {0, 1} change nothing."""
    rng = np.random.default_rng(10)
    labels, scores = rng.integers(0, 2, 40), rng.integers(0, 33, 40) / 32
    copies = rng.integers(1, 4, 40)
    options = {"kernel": kernel, **AMOUNTS[kernel]}
    whole = rw.smeared_area(labels, scores, sample_weight=copies, **options)
    order = rng.permutation(40)
    for other in (
        rw.smeared_area(labels[order], scores[order], sample_weight=copies[order], **options),
        rw.smeared_area(np.repeat(labels, copies), np.repeat(scores, copies), **options),
        rw.smeared_area(labels, scores, sample_weight=1e-3 * copies, **options),
        rw.smeared_area(
            labels.astype(float), scores, sample_weight=copies, truth="soft", **options
        ),
        rw.smeared_area(
            rw.tally(labels[:15], scores[:15], sample_weight=copies[:15])
            + rw.tally(labels[15:], scores[15:], sample_weight=copies[15:]),
            **options,
        ),
    ):
        assert other == pytest.approx(whole, abs=1e-13)


@pytest.mark.parametrize("kernel", KERNELS)
def test_negated_scores_have_the_other_area(kernel):
    y, p = map(np.array, ENDS)
    area = rw.smeared_area(y, p, kernel=kernel, **AMOUNTS[kernel])
    assert rw.smeared_area(y, 1 - p, kernel=kernel, **AMOUNTS[kernel]) == pytest.approx(1 - area)


# -- the band of score noise -----------------------------------------------------------------------


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


# -- matched concentrations ------------------------------------------------------------------------


def test_concentrations_that_match():
    """All that a fine grid sees, and where a grid sees none there is none."""
    rng, kinds = np.random.default_rng(12), []
    grid = np.geomspace(1e-2, 1e4, 25)
    for _ in range(6):
        y = np.array([1, 0, *rng.integers(0, 2, 3)])
        p = rng.random(5).round(2)
        found = rw.matched_concentration(y, p)
        kinds.append(len(found.concentrations))
        gaps = found.areas(grid) - found.target
        assert found.complete
        assert len(found.concentrations) >= np.count_nonzero(gaps[1:] * gaps[:-1] < 0)
        for one in found.concentrations:
            area = rw.smeared_area(y, p, kernel="beta", concentration=one)
            assert area == pytest.approx(found.target, abs=1e-11)
    assert 0 in kinds
    assert max(kinds) >= 1


def test_a_sample_without_a_matched_concentration():
    found = rw.matched_concentration(*EXAMPLE_1)
    assert not found.exists
    assert found.concentrations == ()
    assert found.complete
    assert found.gap == pytest.approx(0.728382 - 0.658333, abs=1e-6)
    assert found.sentence.startswith("No concentration turns the AUC of 0.8333 into")
    with pytest.raises(OptionError, match="No concentration makes the area equal"):
        rw.smeared_roc(*EXAMPLE_1, kernel="beta", concentration="matched")


def test_scores_that_are_all_0_or_1_match_without_smearing():
    found = rw.matched_concentration([1, 0, 1, 0], [1, 0, 0, 1])
    assert found.concentrations == (math.inf,)
    assert found.constant
    curve = rw.smeared_roc([1, 0, 1, 0], [1, 0, 0, 1], kernel="beta", concentration="matched")
    assert curve.area == 0.5


@pytest.mark.parametrize(
    "sample",
    [
        ([1, 1, 0], [0.7, 0.3, 0.5]),  # each class is its own mirror image
        ([1, 0, 1, 0], [0.3, 0.3, 0.7, 0.7]),  # both have the same scores
        ([0.5, 0.5], [0.2, 0.8]),
        ([1, 0], [0.4, 0.4]),
    ],
)
def test_every_concentration_matches(sample):
    found = rw.matched_concentration(*sample)
    assert (found.exists, found.constant, found.complete, found.gap) == (True, True, True, 0)
    assert found.areas([0, 1e-3, 2, 1e4]) == pytest.approx([0.5] * 4, abs=1e-12)
    assert found.sentence == "The area is 0.5, the probabilistic AUC, at every concentration."


@pytest.mark.parametrize(
    "sample",
    [
        ([1, 1, 0], [0.7, 0.3, 0.4]),
        ([1, 0, 1], [0.9, 0.5, 0.4]),
        ([1, 0, 1, 0], [1e-20, 1e-18, 0.5, 0.5]),  # apart by a factor, though not by rounding
        EXAMPLE_1,
    ],
)
def test_areas_that_vary_are_not_called_constant(sample):
    found = rw.matched_concentration(*sample)
    assert not found.constant
    assert "every" not in found.sentence


def test_an_auc_that_is_the_probabilistic_auc_by_chance():
    """{.9⁺, .3⁺, .6⁻}: both are ½, and areas in between are not."""
    found = rw.matched_concentration([1, 1, 0], [0.9, 0.3, 0.6])
    assert found.concentrations[0] == math.inf
    assert not found.constant
    assert found.sentence.startswith("The AUC and the probabilistic AUC are both 0.5 without sm")
    assert abs(found.areas([5])[0] - 0.5) > 1e-3


def test_the_cumulants_behind_the_bound_of_the_bend():
    """0 ≤ (−1)ⁿ·κⁿ·k_n ≤ (n − 1)!, the lemma of docs/mathematics.rst, with 30 digits."""
    with mpmath.workdps(30):
        for s in (1e-6, 0.03, 0.5, 0.999):
            for k in (1e-4, 0.3, 1, 7, 500, 1e6):
                for n in (2, 3, 4):
                    parts = [mpmath.mpf(s) ** n * mpmath.polygamma(n - 1, k * mpmath.mpf(s))]
                    rest = 1 - mpmath.mpf(s)
                    parts.append(rest**n * mpmath.polygamma(n - 1, k * rest))
                    cumulant = sum(parts) - mpmath.polygamma(n - 1, k)
                    scaled = (-1) ** n * mpmath.mpf(k) ** n * cumulant
                    assert 0 <= scaled <= math.factorial(n - 1)


def test_the_slope_in_ln_concentration_is_bounded():
    """|A″(ln κ)| ≤ 2.35 and |Area(κ) − Area(0)| ≤ 1.29κ + 1.65κ², which the search relies on."""
    rng = np.random.default_rng(13)
    for _ in range(6):
        y, p = [1, 0], rng.random(2)
        logs, step = np.linspace(-5, 7, 25, retstep=True)
        area = np.array(
            [rw.smeared_area(y, p, kernel="beta", concentration=math.exp(t)) for t in logs]
        )
        assert np.abs(np.diff(area, 2)).max() / step**2 <= 2.35
        zero = rw.smeared_area(y, p, kernel="beta", concentration=0)
        for k in (0.01, 0.1, 0.5):
            near = rw.smeared_area(y, p, kernel="beta", concentration=k)
            assert abs(near - zero) <= 1.29 * k + 1.65 * k * k


# -- the largest probabilistic AUC of an order -----------------------------------------------------


def test_no_increasing_map_of_the_scores_exceeds_youdens_rule():
    """sup A_p = ½(1 + max(TPR − FPR)), reached by the hard rule at Youden's threshold."""
    rng = np.random.default_rng(14)
    for _ in range(10):
        n = int(rng.integers(3, 30))
        y, p, w = rng.integers(0, 2, n), rng.integers(0, 12, n) / 11, rng.integers(1, 4, n)
        y[:2] = 0, 1
        curve = rw.roc(y, p, sample_weight=w)
        most = 0.5 * (1 + float((curve.tpr - curve.fpr).max()))
        hard = (p >= curve.best(slope=1).threshold).astype(float)
        reached = rw.metrics.probabilistic_auc_score(y, hard, sample_weight=w)
        assert reached == pytest.approx(most, abs=1e-12)
        for _ in range(50):  # a random increasing map into [0, 1]
            steps = np.sort(rng.beta(0.3, 0.3, 12))
            mapped = steps[np.round(p * 11).astype(int)]
            area = rw.metrics.probabilistic_auc_score(y, mapped, sample_weight=w)
            assert area <= most + 1e-12


# -- options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [rw.smeared_area, rw.smeared_roc])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kernel": "coin", "width": 0.1}, "width=0.1 is not for the kernel 'coin'"),
        (
            {"kernel": "beta", "width": 0.1, "concentration": 2},
            "width=0.1 is not for the kernel 'b",
        ),
        ({"kernel": "uniform", "share": 0.5, "width": 1}, "share=0.5 is not for the kernel 'unifo"),
        ({"kernel": "coin", "share": 1.5}, "share=1.5 is not from 0 to 1"),
        ({"kernel": "coin", "share": "half"}, "share='half' is not"),
        ({"kernel": "beta"}, "concentration is missing"),
        ({"kernel": "beta", "concentration": -1}, "concentration=-1 is negative"),
        ({"kernel": "beta", "concentration": [1, 2]}, "concentration has 2 rows, y_true has 5"),
        (
            {"kernel": "beta", "concentration": [1, 2, 0, 1, 1]},
            "concentration at row 2 is not a pos",
        ),
        ({"kernel": "logit", "width": -1}, "width=-1 is negative"),
    ],
)
def test_amounts_that_are_refused(function, options, words):
    with pytest.raises(OptionError, match=words) as caught:
        function(*EXAMPLE_1, **options)
    assert caught.value.hint


def test_a_tally_has_no_concentration_by_row():
    with pytest.raises(OptionError, match="a tally has no rows"):
        rw.smeared_area(rw.tally(*EXAMPLE_1), kernel="beta", concentration=[1, 2, 3, 4, 5])
    with pytest.raises(OptionError, match="has a share and no width"):
        rw.matched_width(*EXAMPLE_1, kernel="coin")


@pytest.mark.parametrize("kernel", KERNELS)
def test_one_class_is_undefined(kernel):
    with pytest.warns(UndefinedMetricWarning):
        assert math.isnan(rw.smeared_area([1, 1], [0.2, 0.4], kernel=kernel, **AMOUNTS[kernel]))
    with pytest.raises(rw.errors.OneClassError):
        rw.smeared_roc([1, 1], [0.2, 0.4], kernel=kernel, **AMOUNTS[kernel])


def test_the_amount_of_smearing_is_told():
    area = rw.smeared_area(*EXAMPLE_1, kernel="coin", share=0.5)
    assert (area.share, area.width, area.concentration) == (0.5, None, None)
    assert area.to_dict()["share"] == 0.5
    curve = rw.smeared_roc(*EXAMPLE_1, kernel="beta", concentration=[1, 2, 3, 4, 5])
    assert "concentration='1 to 5, by row'" in repr(curve)
    assert kernel_named("beta").symbol == "κ"


def test_a_match_of_equal_or_nearly_equal_scores_ends():
    """All pairs tied: every concentration is one. Scores 1e-8 apart: what is undecided is said."""
    tied = rw.matched_concentration([1, 0] * 5, [0.5] * 10)
    assert (tied.exists, tied.concentrations, tied.complete) == (True, (math.inf,), True)
    rng = np.random.default_rng(0)
    near = rw.matched_concentration(np.arange(20) % 2, 0.10136 + 1e-8 * rng.random(20))
    assert not near.complete
    assert near.doubts
