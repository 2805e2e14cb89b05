"""Edges of intervals and comparisons where rounding, gaps or odd arguments could mislead."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.curves.calibration import brier_influence
from rocwalk.errors import InputError, OptionError, UndefinedMetricWarning
from rocwalk.inference.influence import variance_of


@pytest.fixture
def sample():
    rng = np.random.default_rng(1)
    y = (rng.random(60) < 0.4).astype(int)
    return y, np.clip(np.round(rng.random(60) * 0.6 + 0.3 * y, 2), 0, 1)


def test_the_variance_of_one_item_is_undefined():
    tally = rw.tally([1], [0.75])
    assert math.isnan(variance_of(tally, brier_influence(tally), fixed=False))


@pytest.mark.parametrize("y", [[0, 1, 0, 1], [0, 0, 0, 1]], ids=["of both", "of the positives"])
def test_the_error_of_one_cluster_of_a_class_is_undefined(y):
    """A timeline of clusters goes on where a window has one cluster of a class."""
    days = [f"2026-0{month}-0{day}" for month in (1, 2) for day in range(1, 5)]
    one = {"y": [0, 1, 0, 1, *y], "p": [0.1, 0.8, 0.3, 0.6, 0.2, 0.7, 0.4, 0.9], "t": days}
    one["c"] = [0, 1, 2, 3, 4, 4, 5, 4]
    found = rw.drift_over_time(
        one, label="y", score="p", time="t", cluster="c", window="month", minimum=2
    )
    value, low, high = found.windows[-1].numbers["brier"]
    assert value == pytest.approx(np.mean((np.array(one["p"][4:]) - y) ** 2))
    assert math.isnan(low)
    assert math.isnan(high)


# -- rounding is not spread ----------------------------------------------------------------------


def test_two_perfect_models_with_weights_do_not_differ():
    rng = np.random.default_rng(0)
    for _ in range(40):
        y = (rng.random(60) < 0.4).astype(int)
        w = rng.random(60) + 0.1
        models = {name: y + rng.random(60) * 0.1 for name in "ab"}
        (pair,) = rw.compare(y, models, sample_weight=w).pairs
        assert pair.p_value > 0.9
        assert (pair.method, pair.low < -0.01, pair.high > 0.01) == ("mover", True, True)
        found = rw.interval(y, models["a"], sample_weight=w)
        assert found.method == "newcombe"
        assert found.low < 0.98
        apart = rw.compare_samples(
            (y, models["a"]), (y, models["b"]), sample_weight=(w, rng.random(60) + 0.1)
        )
        assert apart.p_value > 0.9


def test_models_that_refine_ties_of_the_truth_do_not_differ():
    rng = np.random.default_rng(2)
    f = rng.integers(0, 5, 60) / 4
    (pair,) = rw.compare(f, {"a": f, "b": f + rng.random(60) * 1e-3}).pairs
    assert pair.p_value > 0.9
    (pair,) = rw.compare(f, {"a": f, "b": 1 - f}, statistic="prevalence", rng=0).pairs
    assert pair.p_value > 0.9


@pytest.mark.parametrize("statistic", ["auc_prt", "expected_auc"])
def test_extreme_orders_of_soft_truth_are_no_points(statistic):
    f = np.tile([0.0, 0.25, 0.5, 0.75, 1.0], 8)
    for scores in (f, 1 - f, np.full(40, 0.5)):
        if statistic == "expected_auc" and scores[0] != 0.5:
            continue
        found = rw.interval(f, scores, statistic=statistic)
        assert found.high - found.low > 0.05


# -- what does not exist -------------------------------------------------------------------------


def test_infinite_numbers_have_no_p_value(sample):
    y, s = np.tile([1, 0], 30), sample[1]
    upside_down = (1 - y) * 0.9
    (pair,) = rw.compare(y, {"a": upside_down, "b": s}, statistic="struggle_ratio", rng=0).pairs
    assert math.isnan(pair.p_value) or pair.p_value < 0.05
    assert not math.isnan(pair.high)
    found = rw.interval(y, (1 - y).astype(float) * 0.9, statistic="struggle_ratio", rng=0)
    assert not math.isnan(found.high)
    assert found.standard_error == math.inf


def test_an_upside_down_model_is_not_cleared_of_drift(sample):
    y, s = np.tile([1, 0], 30), sample[1]
    with pytest.warns(UndefinedMetricWarning, match="struggle ratio .* cannot be tested"):
        found = rw.drift((y, s), (y, (1 - y) * 0.9))
    assert found.findings["struggle_ratio"].current == math.inf
    assert found.verdict in ("ranking", "estimation", "both")


def test_metrics_keep_their_ranges(sample):
    y, s = sample
    by_name = rw.interval(y, 1 - s, statistic="struggle_ratio", n_resamples=300, rng=0)
    by_metric = rw.interval(y, 1 - s, statistic=rw.metrics.struggle_ratio, n_resamples=300, rng=0)
    assert by_metric.high == by_name.high > 1


def test_replicates_without_a_class_are_counted_not_zero():
    y = np.r_[1, 1, 1, np.zeros(57, int)]
    s = np.r_[0.9, 0.8, 0.7, np.linspace(0, 0.75, 57)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rw.interval(y, s, statistic="average_precision", method="percentile", rng=0)
        by_function = rw.interval(
            y, s, statistic=lambda tally: rw.roc(tally).area, method="percentile", rng=0
        )
    assert found.failed > 0
    assert found.low > 0
    assert by_function.failed > 0


def test_rates_that_no_cluster_moves_have_an_interval(sample):
    y, s = sample
    cluster = np.repeat(np.arange(20), 3)
    found = rw.interval(y, s, cluster=cluster, statistic="sensitivity", threshold=0)
    assert (found.estimate, found.high, found.method) == (1, 1, "wilson-clusters")
    holding = len(np.unique(cluster[y == 1]))  # clusters that say something of positives
    assert found.low == pytest.approx(holding / (holding + 1.959964**2), abs=1e-6)
    table = rw.accuracy_table(y, y + s, cluster=cluster).numbers
    assert table["sensitivity"][1] < 0.9
    assert table["positive_likelihood_ratio"][1] > 1


def test_missing_clusters_are_named(sample):
    y, s = sample
    cluster = np.repeat(np.arange(20), 3).astype(float)
    cluster[7] = np.nan
    with pytest.raises(InputError, match="cluster at row 7 is missing"):
        rw.interval(y, s, cluster=cluster)


def test_missing_clusters_of_a_file_are_named(run, table, sample):
    rows = [[y, s, k // 3 if k != 7 else ""] for k, (y, s) in enumerate(zip(*sample, strict=True))]
    path = table(["y", "s", "patient"], *rows)
    for command in ("score", "report"):
        code, _, err = run(command, path, "--label", "y", "--score", "s", "--cluster", "patient")
        assert code == 2
        assert "'patient' at row 7, line 9" in err


# -- weights, scales, arguments ------------------------------------------------------------------


def test_constant_weights_change_no_bootstrap(sample):
    y, s = sample
    plain = rw.interval(y, s, method="percentile", rng=0)
    for weight in (1.0, 7.5):
        again = rw.interval(y, s, method="percentile", rng=0, sample_weight=np.full(60, weight))
        assert (again.low, again.high, again.method) == (plain.low, plain.high, plain.method)


def test_votes_drawn_again_are_centred_on_the_estimate():
    rng = np.random.default_rng(3)
    share = rng.beta(0.8, 0.8, 600)
    truth = rng.binomial(3, share) / 3
    scores = share + rng.normal(0, 0.3, 600)
    found = rw.interval(truth, scores, statistic="auc_prt", votes=np.full(600, 3), rng=0)
    assert (found.low + found.high) / 2 == pytest.approx(found.estimate, abs=0.01)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"rng": -1}, "rng=-1 is neither a seed"),
        ({"rng": "x"}, "rng='x' is neither a seed"),
        ({"rng": 1.5}, "rng=1.5 is neither a seed"),
        ({"threads": -1}, "threads=-1"),
        ({"threads": "2"}, "threads='2'"),
        ({"n_resamples": math.inf}, "n_resamples=inf"),
        ({"n_resamples": 1}, "n_resamples is too small"),
        ({"confidence_level": 1 - 1e-16}, "confidence_level="),
        ({"scale": "logit"}, "scale='logit' is for closed forms"),
        ({"statistic": lambda tally: None}, "gives no number of one Tally"),
        ({"statistic": lambda tally: "high"}, "gives no number of one Tally: it returns 'high'"),
        ({"statistic": rw.metrics.hand_till_auc_score}, "gives no number of one Tally"),
    ],
)
def test_odd_arguments(sample, options, words):
    told = {"statistic": "h_measure", "n_resamples": 20} | options
    with pytest.raises(ValueError, match=words) as caught:
        rw.interval(*sample, **told)
    assert isinstance(caught.value, rw.errors.RocwalkError)


def test_an_old_generator_is_refused_by_name(sample):
    with pytest.raises(OptionError, match="RandomState"):
        rw.interval(*sample, method="percentile", rng=np.random.RandomState(1))


def test_a_seed_below_zero_on_the_command_line(run, table, sample):
    path = table(["y", "s"], *zip(*sample, strict=True))
    code, _, err = run("score", path, "--label", "y", "--score", "s", "--seed", "-1")
    assert code == 2
    assert "--seed" in err


# -- results -------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_comparisons_of_models_with_names_of_any_kind(sample, library):
    y, s = sample
    found = rw.compare(y, {("a", 1): s, ("b", 2): s[::-1], 3: 1 - s})
    assert len(found.to_frame(library)) == 3
    told = found.to_dict()
    assert told["method"] == "mover"
    assert told["pair_method"] == ["mover"] * 3
