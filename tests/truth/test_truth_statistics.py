"""AUC_PRT, expected AUC and H_PRT of soft truth: their errors, and models compared by them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import InputError, LabelError, OneClassError, OptionError, TallyError
from rocwalk.inference.items import Items, numbers_without
from rocwalk.truth.truth_statistics import AUC_PRT, EXPECTED_AUC, H_PRT

CLOSED = {"auc_prt": AUC_PRT, "expected_auc": EXPECTED_AUC}
EVERY = CLOSED | {"h_prt": H_PRT}


def judged(n=60, raters=5, seed=3):
    """Shares of votes, and two scores of the same items, one of them with ties."""
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=n)
    truth = rng.binomial(raters, 1 / (1 + np.exp(-1.5 * latent))) / raters
    good, poor = latent + rng.normal(size=n), (latent + 2 * rng.normal(size=n)).round(1)
    return truth, {"good": good, "poor": poor}


def by_pairs(truth, scores, weights, copies, statistic):
    """The number by all pairs, when item i stands for so many items of its own weight."""
    w = copies * weights
    pairs = np.multiply.outer(w, w)
    right = (scores[:, None] > scores) + 0.5 * (scores[:, None] == scores)
    if statistic == "auc_prt":  # a pair counts as much as its truths differ
        apart = np.maximum(truth[:, None] - truth, 0)
        return float((pairs * apart * right).sum() / (pairs * apart).sum())
    won = pairs * np.multiply.outer(truth, 1 - truth)
    own = copies * weights**2 * truth * (1 - truth)  # of an item with itself, not with a copy
    return float(((won * right).sum() - own.sum() / 2) / (won.sum() - own.sum()))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("statistic", CLOSED)
def test_estimates_are_those_of_all_pairs(statistic, weighted):
    truth, scores = judged()
    weights = np.random.default_rng(1).uniform(0.5, 2, 60) if weighted else np.ones(60)
    found = rw.compare(truth, scores, statistic=statistic, sample_weight=weights)
    for name, column in scores.items():
        expected = by_pairs(truth, column, weights, np.ones(60), statistic)
        assert found.estimates[name] == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("statistic", CLOSED)
def test_the_covariance_is_that_of_an_infinitesimal_jackknife(statistic, weighted):
    """Derivatives by the number of copies of each item, of pairs written out."""
    truth, scores = judged(40)
    weights = np.random.default_rng(1).uniform(0.5, 2, 40) if weighted else np.ones(40)
    found = rw.compare(truth, scores, statistic=statistic, sample_weight=weights)
    slopes, step = np.empty((2, 40)), 1e-4
    for k, column in enumerate(scores.values()):
        for i in range(40):
            ends = []
            for change in (step, -step):
                copies = np.ones(40)
                copies[i] += change
                ends.append(by_pairs(truth, column, weights, copies, statistic))
            slopes[k, i] = (ends[0] - ends[1]) / (2 * step)
    slopes -= slopes.mean(axis=1, keepdims=True)
    assert found.covariance == pytest.approx(slopes @ slopes.T, rel=1e-5)
    (pair,) = found.pairs
    gap = slopes[0] - slopes[1]
    assert pair.standard_error == pytest.approx(math.sqrt((gap**2).sum()), rel=1e-5)
    assert (found.method, pair.method) == ("influence", "influence")


def test_the_error_holds_the_change_of_the_perfect_curve():
    """ΔAUC/(2P − 1) with the region taken as known would have another error."""
    truth, scores = judged()
    prt, auc = (rw.compare(truth, scores, statistic=name).pairs[0] for name in ("auc_prt", "auc"))
    region = 1 - 2 * rw.reference_truth(truth, scores["good"]).aapcc
    assert prt.difference == pytest.approx(auc.difference / region, rel=1e-12)
    assert abs(prt.standard_error / (auc.standard_error / region) - 1) > 0.01


@pytest.mark.parametrize("statistic", CLOSED)
def test_the_closed_form_agrees_with_a_bootstrap_of_the_difference(statistic):
    truth, scores = judged(200)
    closed = rw.compare(truth, scores, statistic=statistic).pairs[0]
    drawn = rw.compare(truth, scores, statistic=statistic, method="bootstrap", rng=0)
    assert drawn.pairs[0].standard_error == pytest.approx(closed.standard_error, rel=0.08)
    assert drawn.pairs[0].low == pytest.approx(closed.low, abs=0.2 * closed.standard_error)
    again = rw.compare(truth, scores, statistic=statistic, method="bootstrap", rng=0, threads=1)
    assert again.pairs == drawn.pairs


# -- clusters --------------------------------------------------------------------------------------


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("statistic", EVERY)
def test_numbers_without_each_unit(statistic, clustered):
    truth, scores = judged(40)
    cluster = np.random.default_rng(0).integers(0, 9, 40) if clustered else None
    items = Items.from_truth(truth, None, scores["poor"], cluster)
    units = np.arange(40) if cluster is None else cluster
    own = EVERY[statistic].of_items
    found = numbers_without(own, items)
    expected = [
        own.of(Items.from_truth(truth[units != k], None, scores["poor"][units != k]))
        for k in range(items.clusters)
    ]
    assert found == pytest.approx(np.array(expected), abs=1e-12)


def test_clusters_are_left_out_one_by_one():
    truth, scores = judged(80)
    cluster = np.repeat(np.arange(20), 4)
    found = rw.compare(truth, scores, statistic="auc_prt", cluster=cluster)
    left = np.array(
        [
            [rw.reference_truth(truth[kept], one[kept]).auc_prt for one in scores.values()]
            for kept in (cluster != k for k in range(20))
        ]
    )
    assert found.method == "jackknife"
    assert found.covariance == pytest.approx(np.cov(left, rowvar=False) * 19**2 / 20, rel=1e-9)
    one = rw.compare_samples(
        (truth, scores["good"]), (truth, scores["poor"]), statistic="auc_prt",
        cluster=(cluster, cluster),
    )  # fmt: skip
    apart = math.sqrt(found.covariance[0, 0] + found.covariance[1, 1])
    assert one.standard_error == pytest.approx(apart, rel=1e-12)
    alone = rw.interval(truth, scores["good"], statistic="auc_prt", cluster=cluster)
    assert alone.standard_error == pytest.approx(math.sqrt(found.covariance[0, 0]), rel=1e-12)


def test_a_cluster_that_holds_all_differences_has_no_jackknife():
    """Without it all truths are the same."""
    truth = [0.5] * 6 + [0.2, 0.9]
    cluster = [0, 0, 1, 1, 2, 2, 3, 3]
    scores = {"a": np.arange(8), "b": -np.arange(8)}
    with pytest.raises(OneClassError, match="Without one of the clusters"):
        rw.compare(truth, scores, statistic="auc_prt", cluster=cluster)


# -- other data ------------------------------------------------------------------------------------


@pytest.mark.parametrize("statistic", CLOSED)
def test_of_hard_labels_they_are_compared_as_the_area(statistic):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 120)
    scores = {name: y + rng.normal(size=120) for name in "ab"}
    area, own = (rw.compare(y, scores, statistic=name).pairs[0] for name in ("auc", statistic))
    for field in ("difference", "low", "high", "p_value", "standard_error", "method"):
        assert getattr(own, field) == getattr(area, field)


def test_votes_are_drawn_again_for_all_models():
    truth, scores = judged(60)
    votes = np.full(60, 5)
    alone = rw.compare(truth, scores, statistic="auc_prt").pairs[0]
    found = rw.compare(truth, scores, statistic="auc_prt", votes=votes, rng=0)
    (pair,) = found.pairs
    assert found.method == pair.method == "bootstrap-votes"
    assert found.n_resamples == 2000
    assert pair.difference == pytest.approx(alone.difference, abs=1e-12)
    assert pair.low <= alone.low
    assert pair.high >= alone.high
    assert pair.p_value >= alone.p_value
    same = rw.compare(truth, {"a": scores["good"], "b": scores["good"]}, votes=votes, rng=0)
    assert (same.pairs[0].low, same.pairs[0].high) == (0, 0)  # the same votes for both


def test_exchanged_ranks_have_the_p_value_of_the_area():
    """Exchanging models leaves the perfect curve as it is."""
    truth, scores = judged(50)
    told = {"method": "permutation", "rng": 1, "n_resamples": 300}
    prt, auc = (rw.compare(truth, scores, statistic=s, **told).pairs[0] for s in ("auc_prt", "auc"))
    assert prt.p_value == auc.p_value
    assert prt.difference != auc.difference


@pytest.mark.parametrize("method", ["auto", "bootstrap"])
@pytest.mark.parametrize("statistic", EVERY)
def test_separate_samples(statistic, method):
    truth, scores = judged(150)
    other, others = judged(100, seed=8)
    told = {"statistic": statistic, "method": method, "rng": 0, "n_resamples": 300}
    found = rw.compare_samples((truth, scores["good"]), (other, others["poor"]), **told)
    one, two = (
        EVERY[statistic].of_items.of(Items.from_truth(f, None, s))
        for f, s in ((truth, scores["good"]), (other, others["poor"]))
    )
    assert found.difference == pytest.approx(one - two, abs=1e-12)
    if statistic in CLOSED:
        errors = [
            rw.interval(f, s, statistic=statistic).standard_error
            for f, s in ((truth, scores["good"]), (other, others["poor"]))
        ]
        assert found.standard_error == pytest.approx(math.hypot(*errors), rel=0.15)


def test_h_prt_is_that_of_the_reference_truth():
    truth, scores = judged(40)
    found = rw.compare(truth, scores, statistic="h_prt", rng=0, n_resamples=100)
    assert found.method == "bootstrap"
    for name, column in scores.items():
        expected = rw.reference_truth(truth, column).h_prt
        assert found.estimates[name] == pytest.approx(expected, abs=1e-12)
    alone = rw.interval(truth, scores["good"], statistic="h_prt", rng=0, n_resamples=100)
    assert alone.method == "half-sample"
    assert alone.low <= alone.estimate <= alone.high
    y = np.array([0, 1] * 20)
    hard = rw.interval(y, scores["good"], statistic="h_prt", rng=0, n_resamples=100)
    assert hard.estimate == rw.metrics.h_measure_score(y, scores["good"])


# -- what cannot be compared -----------------------------------------------------------------------


def test_bad_comparisons():
    truth, scores = judged(20)
    with pytest.raises(OneClassError, match="auc_prt does not exist for these items"):
        rw.compare([0.4] * 20, scores, statistic="auc_prt")
    with pytest.raises(TallyError, match="auc_prt needs the items"):
        rw.compare_samples(
            rw.tally(truth, scores["good"]), (truth, scores["good"]), statistic="auc_prt"
        )
    with pytest.raises(OptionError, match="'delong' is for the AUC of hard labels"):
        rw.compare(truth, scores, statistic="auc_prt", method="delong")
    with pytest.raises(OptionError, match="no closed form for the error of h_prt"):
        rw.compare(truth, scores, statistic="h_prt", method="influence")
    with pytest.raises(OptionError, match="'influence' does not draw votes again"):
        rw.compare(truth, scores, statistic="auc_prt", method="influence", votes=[5] * 20)
    with pytest.raises(LabelError, match="which is not a share of 4 votes"):
        rw.compare(truth, scores, statistic="auc_prt", votes=[4] * 20)
    with pytest.raises(InputError, match="votes has 3 rows"):
        rw.compare(truth, scores, statistic="auc_prt", votes=[5] * 3)
