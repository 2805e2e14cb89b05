"""One test of several models at once."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import rocwalk as rw
from commands import ROOT
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


def test_against_procs_covariances():
    """χ² of three markers from pROC's variances and covariances, pROC::var and pROC::cov."""
    golden = json.loads((ROOT / "tests/proc/golden.json").read_text())
    names = ["s100b", "ndka", "wfns"]
    held = golden["data"]["asah"]["columns"]
    covariance, areas = np.empty((3, 3)), np.empty(3)
    for rows, of in ((golden["auc_variance"], "curve"), (golden["auc_covariance"], "curves")):
        for row in rows:
            if row["data"] == "asah":
                both = [row[of]] * 2 if of == "curve" else row[of]
                i, j = (names.index(name) for name in both)
                covariance[i, j] = covariance[j, i] = row["value"]
    for row in golden["auc"]:
        if row["data"] == "asah":
            areas[names.index(row["curve"])] = row["value"]
    contrasts = np.array([[1, -1, 0], [1, 0, -1]])
    apart = contrasts @ areas
    statistic = apart @ np.linalg.solve(contrasts @ covariance @ contrasts.T, apart)
    found = rw.compare(held["outcome"], {name: held[name] for name in names}).omnibus
    assert found.statistic == pytest.approx(statistic, rel=1e-9)
    assert found.df == 2


# SAS/STAT User's Guide, PROC LOGISTIC, "Comparing Receiver Operating Characteristic Curves": albumin,
# total protein and 10 − total score (K-G) of 43 patients, after DeLong et al. (1988).
PATIENTS = """
3.0 5.8 10 0  3.2 6.3 5 1  3.9 6.8 3 1  2.8 4.8 6 0  3.2 5.8 3 1  0.9 4.0 5 0  2.5 5.7 8 0
1.6 5.6 5 1  3.8 5.7 5 1  3.7 6.7 6 1  3.2 5.4 4 1  3.8 6.6 6 1  4.1 6.6 5 1  3.6 5.7 5 1
4.3 7.0 4 1  3.6 6.7 4 0  2.3 4.4 6 1  4.2 7.6 4 0  4.0 6.6 6 0  3.5 5.8 6 1  3.8 6.8 7 1
3.0 4.7 8 0  4.5 7.4 5 1  3.7 7.4 5 1  3.1 6.6 6 1  4.1 8.2 6 1  4.3 7.0 5 1  4.3 6.5 4 1
3.2 5.1 5 1  2.6 4.7 6 1  3.3 6.8 6 0  1.7 4.0 7 0  3.7 6.1 5 1  3.3 6.3 7 1  4.2 7.7 6 1
3.5 6.2 5 1  2.9 5.7 9 0  2.1 4.8 7 1  2.8 6.2 8 0  4.0 7.0 7 1  3.3 5.7 6 1  3.7 6.9 5 1
3.6 6.6 5 1
"""


def test_the_published_example_of_three_markers():
    """Areas 0.7366, 0.7258, 0.6478 with errors 0.0927, 0.1028, 0.1000; χ² 2.5340, 2 df, 0.2817."""
    from scipy import stats

    albumin, protein, score, alive = np.array(PATIENTS.split(), dtype=float).reshape(-1, 4).T
    found = rw.compare(alive.astype(int), {"alb": albumin, "kg": 10 - score, "tp": protein})
    assert [round(value, 4) for value in found.estimates.values()] == [0.7366, 0.7258, 0.6478]
    errors = np.sqrt(np.diag(found.covariance)).round(4)
    assert errors.tolist() == [0.0927, 0.1028, 0.1]
    assert round(found.omnibus.statistic, 4) == 2.5340
    assert found.omnibus.df == 2
    assert round(stats.chi2.sf(found.omnibus.statistic, 2), 4) == 0.2817  # SAS has χ² itself
    assert found.omnibus.p_value == pytest.approx(0.324847, abs=1e-6)  # Hotelling's F of 18.7 df
    # DeLong's covariance (1988, eq. 4 to 6) by all pairs of patients, a second source that runs
    up, right = alive == 1, alive == 0
    wins = [
        0.5 + 0.5 * np.sign(np.subtract.outer(s[up], s[right]))
        for s in (albumin, 10 - score, protein)
    ]
    covariance = np.cov([w.mean(axis=1) for w in wins]) / up.sum()
    covariance += np.cov([w.mean(axis=0) for w in wins]) / right.sum()
    apart = np.array([[1, -1, 0], [0, 1, -1]])
    areas = apart @ [w.mean() for w in wins]
    by_pairs = areas @ np.linalg.solve(apart @ covariance @ apart.T, areas)
    assert found.omnibus.statistic == pytest.approx(by_pairs, rel=1e-9)
    assert "(Hotelling's F)" in found.omnibus.sentence


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
