"""Power and sizes of comparisons of areas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from inference.golden import GOLDEN, golden_data
from rocwalk.errors import (
    OptionError,
)
from rocwalk.inference.binormal import binormal_covariance, placement_covariance
from rocwalk.inference.comparisons import compare
from rocwalk.inference.power import (
    auc_power,
    auc_sample_size,
    difference_power,
    difference_sample_size,
)
from rocwalk.inference.samples import compare_samples
from rocwalk.inference.study_design import Design, null_and_truth

# -- power ---------------------------------------------------------------------------------------

SIDES = {"two.sided": "two-sided", "one.sided": "greater"}


ONE_CURVE = [r for r in GOLDEN["power_one_curve"] if "sig_level" in r["given"]]
# rocwalk does not solve for the level, and plans whole areas only
PILOTS = [r for r in GOLDEN["power_paired_curves"] if "sig_level" in r["given"]]
PARAMETERS = [r for r in GOLDEN["power_parameters"] if "FPR11" not in r["parameters"]]


@pytest.mark.parametrize("record", ONE_CURVE, ids=lambda r: r["call"])
def test_power_of_one_area_as_in_proc(record):
    given, side = record["given"], SIDES[record["alternative"]]
    auc, options = given["auc"], {"alpha": given["sig_level"], "alternative": side}
    options["formula"] = "obuchowski"
    if "power" in given:
        found = auc_sample_size(auc, power=given["power"], ratio=given["kappa"], **options)
        assert found.exact_positives == pytest.approx(record["value"]["ncases"], rel=1e-12)
        assert found.n_positives == math.ceil(record["value"]["ncases"])
        assert found.n_negatives == math.ceil(record["value"]["ncontrols"])
        assert found.power >= found.asked_power
        return
    if auc < 0.5 and side == "greater":  # pROC's "one.sided" looks where the difference is
        auc = 1 - auc
    found = auc_power(auc, given["ncases"], given["ncontrols"], **options)
    assert found.power == pytest.approx(record["value"]["power"], rel=1e-12)


@pytest.mark.parametrize("record", PILOTS, ids=lambda r: r["call"][-70:])
def test_power_from_a_pilot_as_in_proc(record):
    y, scores = golden_data(record["data"])
    pilot = compare(y, {name: scores[name] for name in record["curves"]})
    given, value = record["given"], record["value"]
    options = {"pilot": pilot, "alpha": given["sig_level"]}
    wanted = value["ncases"] if "power" in given else value["power"]
    if wanted == "NaN":  # 2·var1 − 2·cov12 is negative
        with pytest.raises(OptionError, match="null_variance='first' would be negative"):
            difference_power(**options, null_variance="first")
        found = difference_power(**options)
        assert found.variance_under_null == "same"
        assert found.null_variance == found.variance
        return
    options["null_variance"] = "first"
    if record["alternative"] == "one.sided":  # pROC's looks where the difference is
        options["alternative"] = "greater"
        if pilot.pairs[0].difference < 0:
            return
    if (
        "power" in given
    ):  # pROC does not adapt the variance to kappa; at the pilot's ratio it is ours
        found = difference_sample_size(**options, power=given["power"])
        assert found.exact_positives == pytest.approx(wanted, rel=1e-10)
    else:
        found = difference_power(**options)
        assert found.power == pytest.approx(wanted, rel=1e-10)
        assert (found.n_positives, found.n_negatives) == (value["ncases"], value["ncontrols"])
    assert found.variance_under_null == "first"


@pytest.mark.parametrize("record", PARAMETERS, ids=lambda r: r["call"][-110:])
def test_power_from_binormal_parameters_as_in_proc(record):
    p, given = record["parameters"], record["given"]

    def variances(ratio):
        models = (p["A1"], p["B1"]), (p["A2"], p["B2"])
        return null_and_truth(binormal_covariance(*models, (p["ra"], p["rn"]), ratio), "first")

    side = SIDES[record["alternative"]]
    design = Design("two", (), p["delta"], given["sig_level"], side, variances, "first")
    if "power" in given:
        found = design.positives(given["power"], given.get("kappa", 1))
        assert found == pytest.approx(record["value"]["ncases"], rel=1e-11)
    else:
        found = design.power(record["value"]["ncases"], record["value"]["ncontrols"])
        assert found == pytest.approx(record["value"]["power"], rel=1e-11)


def test_binormal_slopes_are_derivatives():
    def area(a, b):
        return stats.norm.cdf(a / math.sqrt(1 + b * b))

    # with no correlation only the variances are left: var(A) = 1 + B²/κ + A²/2, …
    a, b, k, h = 1.3, 0.8, 2.0, 1e-6
    f = (area(a + h, b) - area(a - h, b)) / (2 * h)
    g = (area(a, b + h) - area(a, b - h)) / (2 * h)
    variance = f**2 * (1 + b**2 / k + a**2 / 2) + g**2 * b**2 * (1 + 1 / k) / 2
    found = binormal_covariance((a, b), (a, b), (0.0, 0.0), k)
    assert found[0, 0] == pytest.approx(variance, rel=1e-7)
    assert found[0, 1] == 0


def test_power_from_areas_is_that_of_the_test():
    rng = np.random.default_rng(7)
    n, runs, rejected = 60, 400, 0
    y, shift = np.repeat([1, 0], n), np.array([1.6, 1.0])
    for _ in range(runs):
        noise = rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], 2 * n)
        scores = noise + y[:, None] * shift
        rejected += compare(y, {"a": scores[:, 0], "b": scores[:, 1]}).pairs[0].p_value < 0.05
    areas = stats.norm.cdf(shift / math.sqrt(2))
    found = difference_power(*areas, n, n, correlation=0.5)
    assert (found.of, found.variance_under_null) == ("two areas on the same rows", "same")
    error = math.sqrt(found.power * (1 - found.power) / runs)
    assert abs(rejected / runs - found.power) < 4 * error
    safe = difference_power(*areas, n, n, correlation=0.5, formula="obuchowski")
    assert (safe.test, found.test) == ("Obuchowski & McClish", "rocwalk.compare")
    assert safe.power < found.power


@pytest.mark.parametrize("areas", [(0.5, 0.5), (0.7, 0.9), (0.99, 0.2)])
def test_covariance_of_empirical_areas_is_that_of_orthants(areas):
    found = placement_covariance(areas, (0.6, -0.3), 2.0)
    h, k = stats.norm.ppf(areas)

    def excess(one, other, r):
        both = stats.multivariate_normal([0, 0], [[1, r / 2], [r / 2, 1]]).cdf([one, other])
        return both - stats.norm.cdf(one) * stats.norm.cdf(other)

    assert found[0, 1] == pytest.approx(excess(h, k, 0.6) + excess(h, k, -0.3) / 2, abs=1e-7)
    assert found[0, 0] == pytest.approx(1.5 * excess(h, h, 1.0), abs=1e-7)
    if areas == (0.5, 0.5):  # Wilcoxon's variance
        assert found[0, 0] == pytest.approx(1.5 / 12, rel=1e-14)
    assert auc_power(areas[1], 60, 120).variance == pytest.approx(found[1, 1], rel=1e-14)


def test_sizes_and_powers_are_inverse():
    for correlation in (None, 0.3, (0.6, 0.2)):
        found = difference_sample_size(0.85, 0.8, power=0.9, ratio=3, correlation=correlation)
        again = difference_power(
            0.85, 0.8, found.n_positives, found.n_negatives, correlation=correlation
        )
        fewer = difference_power(
            0.85, 0.8, found.n_positives - 1, found.n_negatives - 3, correlation=correlation
        )
        assert fewer.power < 0.9 <= again.power == found.power
    assert difference_sample_size(0.85, 0.8).of == "two separate areas"
    assert (
        "in each sample find a difference of +0.050" in difference_sample_size(0.85, 0.8).sentence
    )


def test_a_pilot_at_another_ratio_uses_its_two_classes():
    y, scores = golden_data("asah")
    pilot = compare(y, {"a": scores["wfns"], "b": scores["ndka"]})
    kept = np.concatenate((np.flatnonzero(y == 1), np.repeat(np.flatnonzero(y == 0), 50)))
    many = compare(y[kept], {"a": scores["wfns"][kept], "b": scores["ndka"][kept]})
    found = difference_power(pilot=pilot, n_positives=41, n_negatives=50 * 72)
    assert found.variance == pytest.approx(41 * many.pairs[0].standard_error ** 2, rel=1e-2)
    one, other = (y[::2], scores["wfns"][::2]), (y[1::2], scores["ndka"][1::2])
    apart = compare_samples(one, other)
    found = difference_power(pilot=apart)
    assert found.of == "two separate areas"
    counts = [(np.sum(each[0] == 1), np.sum(each[0] == 0)) for each in (one, other)]
    assert (found.n_positives, found.n_negatives) == tuple(np.min(counts, axis=0))


def test_perfect_areas_can_be_planned():
    assert auc_power(1.0, 10, 10).power == 1.0
    assert auc_power(1.0, 2, 2).power == 0.0
    assert difference_power(1.0, 0.8, 50, 50, correlation=0.5, null_variance="same").power > 0.9
    assert auc_sample_size(1 - 1e-12).n_positives >= 2


# -- bad input -----------------------------------------------------------------------------------
