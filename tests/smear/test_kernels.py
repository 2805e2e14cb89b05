"""Kernels: areas of coins and of log-odds against exact values, and laws and draws of every kernel."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import OptionError, UndefinedMetricWarning
from rocwalk.smear.kernels import KERNELS, kernel_named
from samples import NO_ADVICE
from smear.inputs import AMOUNTS, ENDS, EXAMPLE_1, NO_WIDTH, mixed, pair_mean

pytestmark = NO_ADVICE


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
