"""Smooth curves: against published fits, pROC, maximisation by scipy, and integrals."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest
from scipy import integrate, optimize, stats

import rocwalk as rw
from commands import ROOT
from rocwalk.curves.binormal import fit_binormal
from rocwalk.errors import InputError, OneClassError, OptionError, TallyError

GOLDEN = json.loads((ROOT / "tests/proc/curves.json").read_text())["smooth"]  # make_curves.R
DATA = json.loads((ROOT / "tests/proc/golden.json").read_text())["data"]
METHODS = ("binormal", "density", "beta")


def proc_data(data, name):
    if data == "asah":
        return [np.array(DATA["asah"]["columns"][each], dtype=float) for each in ("outcome", name)]
    with (ROOT / "examples/breast_cancer.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    return [np.array([float(row[each]) for row in rows]) for each in ("malignant", name)]


def ratings(normal, abnormal):
    levels = np.arange(len(normal))
    y = np.repeat([0, 1], [sum(normal), sum(abnormal)])
    return y, np.concatenate([np.repeat(levels, normal), np.repeat(levels, abnormal)])


HANLEY = ratings([33, 6, 6, 11, 2], [3, 2, 2, 11, 33])


def beta_scores(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n, n])
    return y, np.concatenate([rng.beta(4, 2, n), rng.beta(2, 4, n)])


# -- binormal --------------------------------------------------------------------------------------


def test_the_ratings_of_hanley_and_mcneil():
    """Stata's rocfit on the 109 ratings of Hanley & McNeil (1982), Radiology 143, Table 1.

    As printed in StataCorp, Stata Base Reference Manual, entry "rocfit", example 1 (data set
    hanley.dta): intercept 1.656782 (0.310456), slope 0.713002 (0.215882), cutoffs 0.169768, 0.463215, 0.766860,
    1.797938, log likelihood −123.64855, ROC area 0.911331 (0.029506).
    """
    fit = fit_binormal(rw.tally(*HANLEY))
    assert (fit.a, fit.b) == pytest.approx((1.656782, 0.713002), abs=5e-7)
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx([0.310456, 0.215882], abs=5e-7)
    assert fit.cutoffs == pytest.approx([0.169768, 0.463215, 0.766860, 1.797938], abs=6e-7)
    assert fit.log_likelihood == pytest.approx(-123.64855, abs=5e-6)
    curve = rw.smooth_roc(*HANLEY)
    assert curve.area == pytest.approx(0.911331, abs=5e-7)
    assert curve.standard_error == pytest.approx(0.029506, abs=5e-7)
    assert curve.interval[0] < curve.area < curve.interval[1]


def test_the_ratings_of_hanley_and_mcneil_by_scipy():
    """The same numbers from a second source that runs here: BFGS, and second differences."""
    tally = rw.tally(*HANLEY)
    right, up = tally.right[::-1], tally.up[::-1]
    start = [1.5, -0.3, 0.1, -1.0, -1.0, 0.0]
    slow = optimize.minimize(
        minus_log_likelihood, start, (right, up), method="BFGS", options={"gtol": 1e-8}
    )
    fit = fit_binormal(tally)
    assert (fit.a, fit.b) == pytest.approx((slow.x[0], math.exp(slow.x[1])), abs=2e-5)
    assert fit.log_likelihood == pytest.approx(-slow.fun, abs=1e-8)
    step, size = 1e-4, len(start)
    around = np.eye(size) * step
    second = np.empty((size, size))
    for i in range(size):
        for j in range(size):
            values = [
                one
                * other
                * minus_log_likelihood(slow.x + one * around[i] + other * around[j], right, up)
                for one in (1, -1)
                for other in (1, -1)
            ]
            second[i, j] = sum(values) / (4 * step**2)
    covariance = np.linalg.inv(second)
    errors = np.sqrt(np.diag(covariance))[:2] * [1, math.exp(slow.x[1])]  # of b, not of log b
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(errors, rel=1e-4)


def minus_log_likelihood(parameters, right, up):
    """The likelihood of all categories, without runs, written out; cutoffs as log gaps."""
    a, log_b, first, *gaps = parameters
    t = first + np.append(0.0, np.cumsum(np.exp(gaps)))
    total = 0.0
    for mass, mean, deviation in ((right, 0.0, 1.0), (up, a / math.exp(log_b), math.exp(-log_b))):
        below = np.concatenate(([0.0], stats.norm.cdf(t, mean, deviation), [1.0]))
        total -= np.sum(mass * np.log(np.maximum(np.diff(below), 1e-300)))
    return total


@pytest.mark.parametrize("seed", range(3))
def test_against_the_likelihood_maximised_by_scipy(seed):
    """With one category for each score: merging runs of one class loses nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 60)
    s = np.round(rng.normal(1.2 * y, 1 + 0.5 * y))
    tally = rw.tally(y, s)
    right, up = tally.right[::-1], tally.up[::-1]
    start = [1.0, 0.0, -1.5, *np.full(len(right) - 2, -0.5)]
    slow = optimize.minimize(
        minus_log_likelihood, start, (right, up), method="BFGS", options={"gtol": 1e-7}
    )
    fit = fit_binormal(tally)
    assert fit.a == pytest.approx(slow.x[0], abs=2e-4)
    assert fit.b == pytest.approx(math.exp(slow.x[1]), abs=2e-4)


def test_errors_are_those_of_second_differences():
    """The inverse of second differences of the likelihood in all parameters."""
    right, up = np.array([33, 6, 6, 11, 2]), np.array([3, 2, 2, 11, 33])
    fit = fit_binormal(rw.tally(*HANLEY))
    at = np.array([fit.a, math.log(fit.b), fit.cutoffs[0], *np.log(np.diff(fit.cutoffs))])
    steps, h = np.eye(len(at)) * 1e-3, 1e-3

    def value(x):
        return minus_log_likelihood(x, right, up)

    hessian = [
        [
            (value(at + i + j) - value(at + i - j) - value(at - i + j) + value(at - i - j))
            / (4 * h * h)
            for j in steps
        ]
        for i in steps
    ]
    covariance = np.linalg.inv(hessian)
    assert covariance[0, 0] == pytest.approx(fit.covariance[0, 0], rel=1e-3)
    assert covariance[1, 1] * fit.b**2 == pytest.approx(fit.covariance[1, 1], rel=1e-3)


def test_many_continuous_scores_are_fitted():
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [5000, 5000])
    s = np.where(y == 1, 1.3 + 1.5 * rng.normal(size=10_000), rng.normal(size=10_000))
    fit = fit_binormal(rw.tally(y, s))
    assert (fit.a, fit.b) == pytest.approx((1.3 / 1.5, 1 / 1.5), abs=0.06)
    assert fit.steps < 20
    # items of nearly one weight have the sandwich, which is near to the information
    weighted = fit_binormal(rw.tally(y, s, sample_weight=rng.uniform(0.99, 1.01, 10_000)))
    assert np.sqrt(np.diag(weighted.covariance)) == pytest.approx(
        np.sqrt(np.diag(fit.covariance)), rel=0.1
    )


DEGENERATE = {
    "separated": ([1, 1, 1, 0, 0, 0], [6, 5, 4, 3, 2, 1]),
    "two levels": ([1, 1, 0, 1, 0, 0], [3, 3, 3, 2, 2, 2]),
    "constant": ([1, 1, 0, 0], [1, 1, 1, 1]),
    "one point inside": ([1, 1, 1, 0, 1, 0, 0, 0], [8, 7, 6, 5, 4, 3, 2, 1]),
}


@pytest.mark.parametrize("kind", DEGENERATE)
def test_degenerate_data_are_refused(kind):
    with pytest.raises(InputError, match="A binormal curve cannot be fitted: ") as caught:
        rw.smooth_roc(*DEGENERATE[kind])
    assert "\nHint: use the method 'density'" in str(caught.value)


# -- kernels and beta distributions ----------------------------------------------------------------


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: f"{row['curve']}-{row['method']}")
def test_against_proc(row):
    """smooth(roc(y, x), method="density", n=4096), pROC 1.18.0; its binormal is another fit."""
    y, s = proc_data(row["data"], row["curve"])
    if row["method"] == "density":
        curve = rw.smooth_roc(y, s, method="density", bandwidth="pooled")
        assert curve.parameters["bandwidth_positives"] == pytest.approx(row["bw"], rel=1e-12)
        # pROC adds up a density on a grid of 4,096 places
        assert curve.area == pytest.approx(row["auc"], abs=2e-4)
        assert curve.at(fpr=0.1).tpr == pytest.approx(row["se_at_sp_90"], abs=5e-4)
    else:  # a straight line through the normal quantiles of the points of the curve
        points = rw.roc(y, s)
        inside = (points.fpr > 0) & (points.fpr < 1) & (points.tpr > 0) & (points.tpr < 1)
        se, sp = stats.norm.ppf(points.tpr[inside]), stats.norm.ppf(1 - points.fpr[inside])
        slope, start = np.polyfit(se, sp, 1)
        assert (start, slope) == pytest.approx(row["coefficients"], rel=1e-9)
        assert rw.smooth_roc(y, s).area == pytest.approx(row["auc"], abs=0.02)


def test_density_by_pairs_and_by_integration():
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 50)
    s = rng.normal(y)
    curve = rw.smooth_roc(y, s, method="density", bandwidth=(0.4, 0.3))
    high, low = s[y == 1], s[y == 0]
    pairs = stats.norm.cdf(np.subtract.outer(high, low) / 0.5).mean()
    assert curve.area == pytest.approx(pairs, rel=1e-12)
    assert np.trapezoid(curve.tpr, curve.fpr) == pytest.approx(pairs, abs=1e-5)
    cut = optimize.brentq(lambda t: stats.norm.sf(t, low, 0.3).mean() - 0.2, -5, 5)
    assert curve.at(fpr=0.2).tpr == pytest.approx(stats.norm.sf(cut, high, 0.4).mean(), abs=1e-4)
    # DeLong's error of the placements that the corrected kernels smooth
    apart = np.subtract.outer(high, low) / 0.5
    wins = 2 * stats.norm.cdf(apart) - stats.norm.cdf(apart / math.sqrt(2))
    variance = wins.mean(axis=1).var(ddof=1) / len(high) + wins.mean(axis=0).var(ddof=1) / len(low)
    assert curve.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9)
    assert curve.middle_area == pytest.approx(wins.mean(), rel=1e-12)
    reach = 1.959964 * curve.standard_error / stats.norm.pdf(stats.norm.ppf(curve.area))
    ends = stats.norm.cdf(stats.norm.ppf(curve.middle_area) + np.array([-reach, reach]))
    assert curve.interval == pytest.approx(tuple(ends), abs=1e-6)


def test_limits_of_kernels_are_around_a_curve_without_their_bias():
    """Of many normal scores: kernels flatten the curve, and the band is around the true one."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], 2000)
    s = rng.normal(1.2 * y, 1)
    wide = rw.smooth_roc(y, s, method="density", bandwidth=0.6)
    area = stats.norm.cdf(1.2 / math.sqrt(2))
    assert wide.area < wide.middle_area < area + 2 * wide.standard_error
    assert abs(wide.middle_area - area) < 0.35 * abs(wide.area - area)
    assert wide.interval[0] <= wide.area <= wide.interval[1]
    at = np.array([0.1, 0.3, 0.6])
    true = stats.norm.sf(stats.norm.isf(at) - 1.2)
    middle = np.interp(at, wide.fpr, wide.middle)
    plain = np.interp(at, wide.fpr, wide.tpr)
    assert (np.abs(middle - true) < np.abs(plain - true)).all()
    low, high = (np.interp(at, edge.fpr, edge.tpr) for edge in (wide.band.lower, wide.band.upper))
    assert (low <= plain).all()
    assert (plain <= high).all()


def test_narrow_kernels_give_the_area_of_the_data():
    y, s = beta_scores(60)
    narrow = rw.smooth_roc(y, s, method="density", bandwidth=1e-7)
    assert narrow.area == pytest.approx(rw.roc(y, s).area, abs=1e-9)


def test_silvermans_bandwidths_by_class():
    """R's bw.nrd0(x) = 0.9 * min(sd(x), IQR(x)/1.34) * length(x)^-0.2."""
    y, s = beta_scores(80)
    found = rw.smooth_roc(y, s, method="density").parameters
    for name, one in (("bandwidth_positives", 1), ("bandwidth_negatives", 0)):
        x = s[y == one]
        low, high = np.quantile(x, (0.25, 0.75))
        width = 0.9 * min(x.std(ddof=1), (high - low) / 1.34) * len(x) ** -0.2
        assert found[name] == pytest.approx(width, rel=1e-12)


def test_many_scores_are_run_together_for_kernels():
    y, s = beta_scores(3000)
    options = {"method": "density", "bandwidth": (0.05, 0.05)}
    high, low = s[y == 1], s[y == 0]
    pairs = stats.norm.cdf(np.subtract.outer(high, low) / (0.05 * math.sqrt(2))).mean()
    curve = rw.smooth_roc(y, s, **options)
    assert curve.area == pytest.approx(pairs, abs=1e-5)


def test_beta_against_scipys_fit_and_integral():
    y, s = beta_scores()
    curve = rw.smooth_roc(y, s, method="beta")
    shapes = []
    for one in (1, 0):
        a, b, _, _ = stats.beta.fit(s[y == one], floc=0, fscale=1)
        shapes += [a, b]
    assert list(curve.parameters.values()) == pytest.approx(shapes, rel=1e-4)
    a1, b1, a0, b0 = curve.parameters.values()
    area = integrate.quad(lambda t: stats.beta.sf(t, a1, b1) * stats.beta.pdf(t, a0, b0), 0, 1)[0]
    assert curve.area == pytest.approx(area, abs=1e-7)
    tpr = stats.beta.sf(stats.beta.isf(0.1, a0, b0), a1, b1)
    assert curve.at(fpr=0.1).tpr == pytest.approx(tpr, abs=1e-5)


def test_errors_of_beta_know_that_two_shapes_are_estimated():
    """Each item twice: half the variance, but for n/(n − 2)."""
    y, s = beta_scores(20)
    one = rw.smooth_roc(y, s, method="beta")
    two = rw.smooth_roc(np.tile(y, 2), np.tile(s, 2), method="beta")
    ratio = np.sqrt(0.5 * (40 / 38) / (20 / 18))
    assert two.standard_error == pytest.approx(ratio * one.standard_error, rel=1e-9)
    heavy = rw.smooth_roc(y, s, method="beta", sample_weight=np.full(40, 3.0))
    assert heavy.standard_error == pytest.approx(one.standard_error, rel=1e-9)


@pytest.mark.parametrize("edge", [0.0, 1.0])
def test_beta_refuses_certain_scores(edge):
    y, s = beta_scores(20)
    s[3] = edge
    with pytest.raises(InputError, match=f"A score is {edge:g}, where the likelihood"):
        rw.smooth_roc(y, s, method="beta")


def test_beta_refuses_scores_that_are_all_alike():
    with pytest.raises(InputError, match="cannot be fitted to the positive items"):
        rw.smooth_roc([1, 1, 1, 0, 0, 0], [0.5, 0.5, 0.5, 0.2, 0.3, 0.6], method="beta")


# -- laws ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_laws(method):
    """Row order, one weight for all, weights as repeats, negation, soft truth in {0, 1}, bands."""
    y, s = beta_scores(60, seed=2)
    rng = np.random.default_rng(0)
    curve = rw.smooth_roc(y, s, method=method)
    order = rng.permutation(len(y))
    weighted = rw.smooth_roc(y, s, method=method, sample_weight=np.full(len(y), 2.5))
    soft = rw.smooth_roc(y.astype(float), s, method=method, truth="soft")
    mirrored = rw.smooth_roc(1 - y, 1 - s, method=method)
    tallied = rw.smooth_roc(rw.tally(y, s), method=method)
    for like in (
        rw.smooth_roc(y[order], s[order], method=method), weighted, soft, mirrored, tallied,
    ):  # fmt: skip
        assert like.area == pytest.approx(curve.area, abs=1e-9)
        assert like.standard_error == pytest.approx(curve.standard_error, rel=1e-6)
    twice = rw.smooth_roc(
        np.append(y, y[:20]), np.append(s, s[:20]), method=method,
        **({"bandwidth": 0.1} if method == "density" else {}),
    )  # fmt: skip
    doubled = rw.smooth_roc(
        y, s, method=method, sample_weight=np.where(np.arange(len(y)) < 20, 2.0, 1.0),
        **({"bandwidth": 0.1} if method == "density" else {}),
    )  # fmt: skip
    assert doubled.area == pytest.approx(twice.area, abs=1e-8)
    assert np.all(np.diff(curve.fpr) >= 0)
    assert np.all(np.diff(curve.tpr) >= 0)
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    band = curve.band
    assert np.all(band.lower.tpr <= curve.tpr)
    assert np.all(band.upper.tpr >= curve.tpr)
    assert band.contains(curve.fpr, curve.tpr)
    assert 0.01 < curve.area - band.lower.area < 0.15
    assert 0.01 < band.upper.area - curve.area < 0.15
    assert curve.partial_area(max_fpr=1) == pytest.approx(curve.area, abs=1e-5)
    assert 0 < curve.partial_area(max_fpr=0.2) < 0.2
    assert curve.at(tpr=curve.at(fpr=0.3).tpr).fpr == pytest.approx(0.3)
    narrow = rw.smooth_roc(y, s, method=method, confidence_level=0.5)
    assert curve.interval[0] < narrow.interval[0] < narrow.interval[1] < curve.interval[1]


def test_a_monotone_transform_leaves_the_binormal_curve():
    y, s = beta_scores(80)
    assert rw.smooth_roc(y, np.exp(5 * s)).area == pytest.approx(rw.smooth_roc(y, s).area)


def test_soft_truth_moves_the_curve_between_its_labels():
    y, s = beta_scores(100)
    for method in METHODS:
        soft = rw.smooth_roc(0.8 * y + 0.1, s, method=method)
        assert 0.5 < soft.area < rw.smooth_roc(y, s, method=method).area
        assert 0 < soft.standard_error < 0.1


def test_results_and_pictures():
    curve = rw.smooth_roc(*HANLEY)
    assert repr(curve).startswith("SmoothCurve(area=0.911331, low=")
    frame = curve.to_frame("pandas")
    assert list(frame.columns) == ["fpr", "lower", "tpr", "upper"]
    axes = curve.plot()
    assert any("smooth (binormal) (AUC = 0.911)" in line.get_label() for line in axes.lines)
    assert any(patch.get_gid() == "band" for patch in axes.patches)
    both = rw.overlay({"data": rw.roc(*HANLEY), "smooth": curve})
    assert sum(line.get_gid() == "curve" for line in both.lines) == 2


BAD = {
    "method": (lambda: rw.smooth_roc(*HANLEY, method="normal"), OptionError, "method='normal'"),
    "bandwidth of a binormal": (
        lambda: rw.smooth_roc(*HANLEY, bandwidth=1),
        OptionError,
        "bandwidth=1 goes with method='density'",
    ),
    "bandwidth of 0": (
        lambda: rw.smooth_roc(*HANLEY, method="density", bandwidth=0),
        OptionError,
        "bandwidth=0 is not a positive number",
    ),
    "bandwidth in words": (
        lambda: rw.smooth_roc(*HANLEY, method="density", bandwidth="nrd0"),
        OptionError,
        "bandwidth='nrd0'",
    ),
    "no bandwidth": (
        lambda: rw.smooth_roc([1, 1, 0, 0], [3, 3, 1, 2], method="density"),
        InputError,
        "All scores of a class are equal",
    ),
    "buckets": (
        lambda: rw.smooth_roc(rw.tally(*HANLEY).bucketed([0, 2, 5])),
        TallyError,
        "A smooth curve needs every score",
    ),
    "steps": (
        lambda: rw.smooth_roc(rw.tally([1, 0, 1, 0], [0.9, 0.8, 0.3, 0.1], steps="both")),
        OptionError,
        "models the scores of two classes",
    ),
    "one class": (
        lambda: rw.smooth_roc([1, 1, 1], [1, 2, 3]),
        OneClassError,
        "no negative mass",
    ),
    "threshold": (
        lambda: rw.smooth_roc(*HANLEY).at(0.5),
        OptionError,
        "A smooth curve has no thresholds",
    ),
    "level": (
        lambda: rw.smooth_roc(*HANLEY, confidence_level=1),
        OptionError,
        "confidence_level=1 is outside",
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_input_is_refused(bad):
    call, kind, words = BAD[bad]
    with pytest.raises(kind, match=words) as caught:
        call()
    assert "\nHint: " in str(caught.value)


@pytest.mark.parametrize("unit", [1e-200, 1e-160, 1e160, 1e256])
def test_units_of_scores_change_no_curve_of_densities(unit):
    rng = np.random.default_rng(8)
    y = np.arange(40) % 2
    s = y + rng.normal(size=40)
    for width in (None, "pooled"):
        found = rw.smooth_roc(y, s * unit, method="density", bandwidth=width)
        assert found.area == pytest.approx(
            rw.smooth_roc(y, s, method="density", bandwidth=width).area
        )
    narrow = rw.smooth_roc(y, s * 1e256, method="density", bandwidth=0.2)
    assert narrow.area == pytest.approx(rw.roc(y, s).area)
