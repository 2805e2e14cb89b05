"""Comparisons: against pROC, DeLong's definition, a plain bootstrap, all permutations, by hand."""

from __future__ import annotations

import functools
import importlib
import itertools
import json
import math
import pickle

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from inference.golden import GOLDEN, columns, golden_data
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    LabelError,
    OneClassError,
    OptionError,
    RocwalkError,
    ScoreError,
    SmallSampleWarning,
    TallyError,
)
from rocwalk.inference.comparisons import compare
from rocwalk.inference.distributions import holm, p_words
from rocwalk.inference.power import (
    auc_power,
    auc_sample_size,
    difference_power,
    difference_sample_size,
)
from rocwalk.inference.samples import compare_samples


@functools.cache
def compared(name, level=0.95):
    return compare(*golden_data(name), confidence_level=level, method="delong")


def pair_of(comparison, a, b):
    return next(pair for pair in comparison.pairs if (pair.a, pair.b) == (a, b))


def random_sample(rng, n=40, models=2, levels=6):
    """Labels of both classes, and tied scores that know something of them."""
    y = rng.permutation(np.arange(n) % 3 == 0).astype(int)
    scores = {f"m{k}": np.round((y * 0.4 + rng.random(n)) * levels) / levels for k in range(models)}
    return y, scores


# -- against pROC --------------------------------------------------------------------------------


@pytest.mark.parametrize("record", GOLDEN["auc_covariance"], ids=lambda r: r["call"][:60])
def test_covariance_as_in_proc(record):
    found = compared(record["data"])
    i, j = (found.names.index(name) for name in record["curves"])
    assert found.covariance[i, j] == pytest.approx(record["value"], rel=1e-11, abs=1e-17)
    assert found.covariance[j, i] == found.covariance[i, j]


@pytest.mark.parametrize("record", GOLDEN["paired_test"], ids=lambda r: r["call"][-60:])
def test_paired_test_as_in_proc(record):
    found = pair_of(compared(record["data"], record["conf_level"]), *record["curves"])
    value = record["value"]
    areas = compared(record["data"]).estimates
    assert [areas[name] for name in record["curves"]] == pytest.approx(value["estimate"], rel=1e-13)
    if found.method == "mover":  # pROC gives a point with p = 0 or 1 where nothing varies
        assert value["statistic"] in ("Inf", "-Inf", 0)
        return
    assert found.z == pytest.approx(value["statistic"], rel=1e-9)
    tails = {"two.sided": found.p_value, "less": stats.norm.cdf(found.z)}
    tails["greater"] = stats.norm.sf(found.z)
    assert tails[record["alternative"]] == pytest.approx(value["p_value"], rel=1e-8)
    if record["alternative"] == "two.sided":  # clipped, which pROC's is not
        ends = np.clip(value["conf_int"], -1, 1)
        assert [found.low, found.high] == pytest.approx(list(ends), abs=1e-12)


def test_areas_without_spread_have_an_interval_and_not_a_point():
    found = compared("separated")
    assert {p.method for p in found.pairs} == {"delong", "mover"}
    both = pair_of(found, "perfect", "perfect_too")
    assert (both.method, both.difference, both.z, both.p_value) == ("mover", 0.0, 0.0, 1.0)
    assert both.low == -both.high == pytest.approx(-0.3107694)
    # ends: 0 -/+ hypot(1 - low, 0), low of rw.interval's "newcombe" at 6 + 6
    one = rw.interval(*[columns("separated")[k] for k in ("label", "perfect")])
    assert one.method == "newcombe"
    assert both.high == pytest.approx(1 - one.low)
    far = pair_of(found, "perfect", "worst")
    assert (far.difference, far.high) == (1.0, 1.0)
    assert far.low == pytest.approx(1 - math.hypot(1 - one.low, 1 - one.low))
    # the limit is 0 where both areas are 1/√2 away: z = (1 − θ)/√V(θ) at θ = 1 − 1/√2
    theta = 1 - 1 / math.sqrt(2)
    spread = 1 + 5 * ((1 - theta) / (2 - theta) + theta / (1 + theta))
    assert far.z == pytest.approx((1 - theta) / math.sqrt(theta * (1 - theta) * spread / 36))


@pytest.mark.parametrize("record", GOLDEN["unpaired_test"], ids=lambda r: r["call"][-60:])
def test_separate_samples_as_in_proc(record):
    y, scores = golden_data(record["data"])
    rows = {"odd": slice(0, None, 2), "even": slice(1, None, 2)}
    one, other = (
        (y[rows[part]], scores[name][rows[part]])
        for part, name in zip(record["rows"], record["curves"], strict=True)
    )
    found, value = compare_samples(one, other, method="delong"), record["value"]
    assert found.method == "delong"
    assert list(found.estimates) == pytest.approx(value["estimate"], rel=1e-13)
    assert found.z == pytest.approx(value["statistic"], rel=1e-9)
    assert found.df == pytest.approx(value["df"], rel=1e-9)
    tails = {"two.sided": found.p_value, "less": stats.t.cdf(found.z, found.df)}
    tails["greater"] = stats.t.sf(found.z, found.df)
    assert tails[record["alternative"]] == pytest.approx(value["p_value"], rel=1e-9)
    tallied = compare_samples(rw.tally(*one), rw.tally(*other), method="delong")
    assert tallied.p_value == found.p_value


@pytest.mark.parametrize("record", GOLDEN["holm"], ids=lambda r: r["call"])
def test_holm_as_in_r(record):
    assert holm(record["p"]) == pytest.approx(record["value"], rel=1e-14)


def test_clusters_as_in_obuchowski():
    held = columns("clustered")
    y, scores = golden_data("clustered")
    found = compare(y, scores, cluster=held["cluster"], method="obuchowski")
    assert found.method == "obuchowski"
    for record in GOLDEN["clustered_covariance"]:
        i, j = (found.names.index(name) for name in record["curves"])
        assert found.covariance[i, j] == pytest.approx(record["value"]["covariance"], rel=1e-11)
    value, pair = GOLDEN["clustered_test"][0]["value"], found.pairs[0]
    assert pair.standard_error == pytest.approx(value["se"], rel=1e-11)
    assert pair.z == pytest.approx(value["statistic"], rel=1e-11)
    assert pair.df == len(np.unique(held["cluster"])) - 1
    assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(pair.z), pair.df))
    alone = rw.interval(y, scores["first"], cluster=held["cluster"], method="obuchowski")
    assert alone.standard_error == pytest.approx(math.sqrt(found.covariance[0, 0]), rel=1e-12)


@pytest.mark.parametrize("name", ["breast_cancer", "asah", "tied", "clustered"])
def test_clusters_of_one_item_are_delong(name):
    y, scores = golden_data(name)
    found = compare(y, scores, cluster=np.arange(len(y)), method="obuchowski")
    np.testing.assert_allclose(found.covariance, compared(name).covariance, rtol=1e-10, atol=1e-16)
    for ours, plain in zip(found.pairs, compared(name).pairs, strict=True):
        assert ours.standard_error == pytest.approx(plain.standard_error, rel=1e-10)


# -- against the definition ----------------------------------------------------------------------


def brute_covariance(y, columns):
    """DeLong, DeLong & Clarke-Pearson (1988): all pairs, with the n⁺ × n⁻ matrix written out."""
    ups, rights, areas = [], [], []
    for s in columns:
        x, z = s[y == 1], s[y == 0]
        wins = (x[:, None] > z).astype(float) + 0.5 * (x[:, None] == z)
        ups.append(wins.mean(axis=1))
        rights.append(wins.mean(axis=0))
        areas.append(wins.mean())
    m, n = len(ups[0]), len(rights[0])
    return areas, np.cov(ups, ddof=1) / m + np.cov(rights, ddof=1) / n


@pytest.mark.parametrize("models", [2, 3, 4, 5])
@pytest.mark.parametrize("levels", [3, 10, 10**6])
def test_delong_is_the_definition(models, levels):
    rng = np.random.default_rng(models * levels)
    y, scores = random_sample(rng, 60, models, levels)
    found = compare(y, scores, method="delong")
    areas, covariance = brute_covariance(y, list(scores.values()))
    assert list(found.estimates.values()) == pytest.approx(areas, rel=1e-13)
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-11, atol=1e-15)
    assert [(p.a, p.b) for p in found.pairs] == list(itertools.combinations(scores, 2))
    for pair in found.pairs:
        i, j = found.names.index(pair.a), found.names.index(pair.b)
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        assert pair.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9)
        assert pair.z == pytest.approx(pair.difference / pair.standard_error)
        assert pair.p_value == pytest.approx(2 * stats.norm.sf(abs(pair.z)))
        reach = stats.norm.ppf(0.975) * pair.standard_error
        assert [pair.low, pair.high] == pytest.approx(
            [max(pair.difference - reach, -1), min(pair.difference + reach, 1)]
        )
    assert [p.adjusted_p_value for p in found.pairs] == holm([p.p_value for p in found.pairs])


def test_large_samples_take_threads_and_give_the_same_bits(monkeypatch):
    rng = np.random.default_rng(2)
    y, scores = random_sample(rng, 300, 3)
    plain = compare(y, scores, threads=1)
    monkeypatch.setattr("rocwalk.inference.panel._MANY", 10)
    assert np.array_equal(compare(y, scores, threads=3).covariance, plain.covariance)


def test_the_order_of_rows_and_models_does_not_matter():
    rng = np.random.default_rng(3)
    y, scores = random_sample(rng)
    rows = rng.permutation(len(y))
    found, again = compare(y, scores), compare(y[rows], {k: s[rows] for k, s in scores.items()})
    assert again.pairs[0].p_value == pytest.approx(found.pairs[0].p_value, rel=1e-12)
    swapped = compare(y, dict(reversed(scores.items()))).pairs[0]
    assert swapped.difference == -found.pairs[0].difference
    assert (swapped.low, swapped.z) == (-found.pairs[0].high, -found.pairs[0].z)


@pytest.mark.parametrize("method", ["auto", "bootstrap", "permutation"])
def test_identical_models(method):
    y, scores = random_sample(np.random.default_rng(4))
    both = {"a": scores["m0"], "b": np.exp(3 * scores["m0"])}  # the same order
    pair = compare(y, both, method=method, rng=0, n_resamples=200).pairs[0]
    assert (pair.difference, pair.standard_error, pair.z, pair.p_value) == (0.0, 0.0, 0.0, 1.0)
    assert (pair.low, pair.high, pair.adjusted_p_value) == (0.0, 0.0, 1.0)
    soft = compare(np.clip(y, 0.2, 0.9), both, method=method, rng=0, n_resamples=200).pairs[0]
    assert (soft.difference, soft.z, soft.p_value) == (0.0, 0.0, 1.0)


def test_constant_weights_and_all_zero_weights_of_a_row_change_nothing():
    rng = np.random.default_rng(5)
    y, scores = random_sample(rng)
    plain = compare(y, scores)
    heavy = compare(y, scores, sample_weight=np.full(len(y), 7.5))
    assert heavy.method == plain.method == "mover"  # 14 positives
    assert heavy.pairs[0].p_value == pytest.approx(plain.pairs[0].p_value)
    np.testing.assert_allclose(heavy.covariance, plain.covariance, rtol=1e-12)
    weights = rng.integers(0, 2, len(y)).astype(float)
    kept = weights > 0
    less = compare(y[kept], {k: s[kept] for k, s in scores.items()})
    none = compare(y, scores, sample_weight=weights)
    np.testing.assert_allclose(none.covariance, less.covariance, rtol=1e-12)
    one = compare(y, scores, sample_weight=np.full(len(y), 7.5), method="bootstrap", rng=1)
    other = compare(y, scores, method="bootstrap", rng=1)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-10)


# -- soft truth, weights, other statistics -------------------------------------------------------


def row_bootstrap(rng, metric, rows, runs=1000):
    """Differences of a metric over rows drawn by `choice`: written apart from the library."""
    n = len(rows[0])
    values = []
    for _ in range(runs):
        picked = rng.choice(n, n)
        values.append(metric(*(column[picked] for column in rows)))
    return np.array(values)


@pytest.mark.parametrize("weighted", [False, True])
def test_influence_covariance_is_that_of_a_row_bootstrap(weighted):
    rng = np.random.default_rng(6)
    n = 250
    f = np.clip(rng.beta(0.6, 0.9, n), 0.01, 0.99)
    a, b = f + 0.4 * rng.normal(size=n), f + 0.7 * rng.normal(size=n)
    w = rng.choice([0.5, 1.0, 3.0], n) if weighted else np.ones(n)

    def areas(f, a, b, w):
        score = functools.partial(rw.metrics.roc_auc_score, f, sample_weight=w)
        return score(a), score(b)

    values = row_bootstrap(rng, areas, (f, a, b, w))
    found = compare(f, {"a": a, "b": b}, sample_weight=w if weighted else None)
    assert found.method == "influence"
    size = math.sqrt(np.prod(np.diag(found.covariance)))
    np.testing.assert_allclose(found.covariance, np.cov(values.T), rtol=0.1, atol=0.1 * size)
    spread = np.std(values[:, 0] - values[:, 1], ddof=1)
    assert found.pairs[0].standard_error == pytest.approx(spread, rel=0.1)  # 4/√(2·1000) = .09
    boot = compare(
        f, {"a": a, "b": b}, sample_weight=w if weighted else None, method="bootstrap", rng=1
    )
    assert boot.pairs[0].standard_error == pytest.approx(spread, rel=0.1)
    ends = np.quantile(values[:, 0] - values[:, 1], [0.025, 0.975])
    assert [boot.pairs[0].low, boot.pairs[0].high] == pytest.approx(list(ends), abs=0.3 * spread)


def test_soft_truth_of_zeros_and_ones_is_nearly_delong():
    y, scores = random_sample(np.random.default_rng(8), 600)
    soft = compare(y, scores, truth="soft", method="influence")
    np.testing.assert_allclose(soft.covariance, compare(y, scores).covariance, rtol=0.02)


def test_clusters_of_soft_truth():
    rng = np.random.default_rng(9)
    y, scores = random_sample(rng, 200)
    f = np.clip(y * 0.7 + 0.2 * rng.random(200), 0, 1)
    options = {"method": "influence"}
    alone, each = compare(f, scores), compare(f, scores, cluster=np.arange(200), **options)
    assert each.method == "influence"
    np.testing.assert_allclose(each.covariance, alone.covariance * 200 / 199, rtol=1e-10)
    doubled = {k: np.tile(s, 2) for k, s in scores.items()}
    twice = compare(np.tile(f, 2), doubled, cluster=np.tile(range(200), 2), **options)
    np.testing.assert_allclose(twice.covariance, each.covariance, rtol=1e-10)


def test_probabilistic_auc_is_a_difference_of_means():
    rng = np.random.default_rng(10)
    y, scores = random_sample(rng, 50)
    a, b = (np.clip(s, 0, 1) for s in scores.values())
    found = compare(y, {"a": a, "b": b}, statistic="probabilistic_auc")
    pair, gap = found.pairs[0], (a - b) / 2
    welch = stats.ttest_ind(gap[y == 1], gap[y == 0], equal_var=False)
    assert found.method == "influence"
    assert pair.z == pytest.approx(welch.statistic)
    assert pair.df == pytest.approx(welch.df)
    assert pair.p_value == pytest.approx(welch.pvalue)
    ends = welch.confidence_interval(0.95)
    assert [pair.low, pair.high] == pytest.approx([ends.low, ends.high])
    gini = compare(y, {"a": a, "b": b}, statistic="probabilistic_gini").pairs[0]
    assert (gini.p_value, gini.difference) == pytest.approx((pair.p_value, 2 * pair.difference))


def test_delong_with_students_distribution():
    y, scores = random_sample(np.random.default_rng(25), 40, 2, 50)
    placed = []
    for s in scores.values():
        x, z = s[y == 1], s[y == 0]
        wins = (x[:, None] > z).astype(float) + 0.5 * (x[:, None] == z)
        placed.append((wins.mean(axis=1), wins.mean(axis=0)))
    ups, rights = placed[0][0] - placed[1][0], placed[0][1] - placed[1][1]
    parts = [np.var(side, ddof=1) / len(side) for side in (ups, rights)]
    df = sum(parts) ** 2 / (parts[0] ** 2 / (len(ups) - 1) + parts[1] ** 2 / (len(rights) - 1))
    plain, found = (compare(y, scores, method=m).pairs[0] for m in ("delong", "delong-t"))
    assert (found.method, found.z) == ("delong-t", plain.z)
    assert compare(y, scores, method="influence").pairs[0].p_value == plain.p_value
    assert found.df == pytest.approx(df)
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(found.z), df))
    reach = stats.t.ppf(0.975, df) * found.standard_error
    assert found.high == pytest.approx(found.difference + reach)


def test_other_statistics_take_the_bootstrap():
    rng = np.random.default_rng(11)
    y, scores = random_sample(rng, 120)
    scores = {k: np.clip(s, 0, 1) for k, s in scores.items()}
    found = compare(y, scores, statistic="brier", rng=2)
    assert (found.method, found.n_resamples) == ("bootstrap", 2000)
    gap = (y - scores["m0"]) ** 2 - (y - scores["m1"]) ** 2
    pair = found.pairs[0]
    assert pair.difference == pytest.approx(gap.mean())
    assert pair.standard_error == pytest.approx(gap.std() / math.sqrt(120), rel=0.08)
    assert pair.p_value == pytest.approx(2 * stats.norm.sf(abs(pair.z)))
    for statistic, options in [
        ("partial_auc", {"max_fpr": 0.3}),
        ("partial_auc", {"min_tpr": 0.7}),
        (lambda tally: tally.prevalence * tally.area, {}),
        ("average_precision", {}),
    ]:
        one = compare(y, scores, statistic=statistic, rng=2, n_resamples=200, **options)
        assert one.method == "bootstrap"
        assert one.pairs[0].low <= one.pairs[0].difference <= one.pairs[0].high
        assert one.pairs[0].standard_error > 0


def test_a_function_that_is_called_auc_is_called():
    y, scores = random_sample(np.random.default_rng(12))

    def auc(tally):
        return 5.0 + tally.area

    found = compare(y, scores, statistic=auc, n_resamples=50, rng=1)
    assert found.method == "bootstrap"
    assert found.estimates["m0"] > 5
    samples = (y, scores["m0"]), (y, scores["m1"])
    apart = compare_samples(*samples, statistic=auc, n_resamples=50, rng=1)
    assert apart.estimates[0] > 5

    def brier(tally):
        return 100 * tally.area

    assert compare_samples(*samples, statistic=brier, n_resamples=50, rng=1).standard_error > 1


def test_the_bootstrap_is_paired_and_stratified():
    rng = np.random.default_rng(13)
    y, scores = random_sample(rng, 150, 3)
    closed, boot = compare(y, scores), compare(y, scores, method="bootstrap", rng=3)
    size = closed.covariance.max()  # 4 standard errors of a covariance: 4/√2000 = .09
    np.testing.assert_allclose(boot.covariance, closed.covariance, rtol=0.05, atol=0.1 * size)
    for one, other in zip(boot.pairs, closed.pairs, strict=True):
        assert one.standard_error == pytest.approx(other.standard_error, rel=0.1)
    # stratified: the prevalence of a replicate never changes, so this is constant
    prevalence = compare(y, scores, statistic="prevalence", method="bootstrap", rng=3)
    assert prevalence.covariance[0, 0] > 0  # not conditional: unstratified
    assert prevalence.pairs[0].standard_error == 0


def test_a_cluster_bootstrap_draws_clusters():
    rng = np.random.default_rng(14)
    cluster = np.repeat(np.arange(60), 3)
    risk, shared = rng.normal(size=60)[cluster], rng.normal(size=(60, 2))[cluster]
    y = (risk + rng.normal(size=180) > 0.3).astype(int)
    noise = rng.normal(size=(180, 2))
    scores = {"a": y + shared[:, 0] + 0.5 * noise[:, 0], "b": y + shared[:, 1] + 0.5 * noise[:, 1]}
    closed = compare(y, scores, cluster=cluster)
    boot = compare(y, scores, cluster=cluster, method="bootstrap", rng=4)
    wanted = closed.pairs[0].standard_error
    assert boot.pairs[0].standard_error == pytest.approx(wanted, rel=0.12)
    assert wanted > 1.2 * compare(y, scores).pairs[0].standard_error


def test_replicates_without_a_class_do_not_count():
    y, scores = [1, 1, 0, 0, 0], {"a": [5, 4, 3, 2, 1.5], "b": [5, 1, 3, 4, 2.0]}
    found = compare(y, scores, statistic="average_precision", rng=0, n_resamples=500).pairs[0]
    assert found.failed > 10
    assert math.isfinite(found.standard_error)


# -- permutation ---------------------------------------------------------------------------------


def all_exchanges(y, a, b):
    """The p-value over all 2ⁿ exchanges of mid-ranks, each area over all pairs."""

    def area(s):
        x, z = s[y == 1][:, None], s[y == 0]
        return np.mean((x > z) + 0.5 * (x == z))

    first, second = stats.rankdata(a), stats.rankdata(b)
    seen = abs(area(a) - area(b))
    values = []
    for swap in itertools.product([False, True], repeat=len(y)):
        one, other = np.where(swap, second, first), np.where(swap, first, second)
        values.append(abs(area(one) - area(other)) >= seen - 1e-12)
    return np.mean(values)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_permutations_are_all_exchanges(seed):
    rng = np.random.default_rng(seed)
    y, scores = random_sample(rng, 9, 2, 4)
    wanted = all_exchanges(y, *scores.values())
    found = compare(y, scores, method="permutation", n_resamples=4000, rng=seed)
    pair, error = found.pairs[0], math.sqrt(wanted * (1 - wanted) / 4000)
    assert found.method == pair.method == "permutation"
    assert pair.p_value == pytest.approx(wanted, abs=4 * error + 1 / 4000)
    closed = compare(y, scores).pairs[0]
    assert (pair.low, pair.high, pair.z) == (closed.low, closed.high, closed.z)


def test_permutation_p_values_are_uniform_when_nothing_differs():
    rng = np.random.default_rng(15)
    found = []
    for run in range(250):
        y = np.repeat([1, 0], 12)
        noise = rng.multivariate_normal([0, 0], [[1, 0.4], [0.4, 1]], 24) + y[:, None]
        scores = {"a": noise[:, 0], "b": noise[:, 1]}
        answer = compare(y, scores, method="permutation", n_resamples=99, rng=run, threads=1)
        found.append(answer.pairs[0].p_value)
    assert min(found) >= 0.01
    for level in (0.05, 0.2, 0.5, 0.8):
        share = np.mean(np.array(found) <= level)
        assert abs(share - level) < 4 * math.sqrt(level * (1 - level) / 250), level


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")
def test_clusters_exchange_whole():
    rng = np.random.default_rng(16)
    y, scores = random_sample(rng, 8, 2, 50)
    doubled = {k: np.repeat(s, 2) for k, s in scores.items()}
    found = compare(
        np.repeat(y, 2), doubled, cluster=np.repeat(np.arange(8), 2), method="permutation",
        n_resamples=4000, rng=0,
    )  # fmt: skip
    wanted = all_exchanges(y, *scores.values())
    assert found.pairs[0].p_value == pytest.approx(wanted, abs=0.035)


# -- seeds, threads, progress --------------------------------------------------------------------


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_same_seed_same_bits_on_any_number_of_threads(method):
    y, scores = random_sample(np.random.default_rng(17), 400, 3, 100)
    options = {"method": method, "n_resamples": 700}
    one, two = (compare(y, scores, rng=5, threads=k, **options) for k in (1, 3))
    assert one.to_json() == two.to_json()
    again = compare(y, scores, rng=np.random.default_rng(5), **options)
    assert again.to_json() == one.to_json()
    assert compare(y, scores, rng=6, **options).to_json() != one.to_json()


def test_separate_samples_same_seed_same_bits():
    rng = np.random.default_rng(18)
    samples = [(y, s["m0"]) for y, s in (random_sample(rng, 300), random_sample(rng, 200))]
    closed = compare_samples(*samples, method="delong")
    boots = [
        compare_samples(*samples, method="bootstrap", rng=1, threads=k, n_resamples=3000)
        for k in (1, 2)
    ]
    assert boots[0].to_json() == boots[1].to_json()
    assert boots[0].standard_error == pytest.approx(closed.standard_error, rel=0.08)
    alike = compare_samples(samples[0], samples[0], method="bootstrap", rng=1)
    assert alike.standard_error > 0  # the two samples are drawn apart


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
def test_progress_rises_to_all_of_it(method):
    y, scores = random_sample(np.random.default_rng(19), 300, 3)
    told = []
    compare(y, scores, method=method, n_resamples=900, rng=0, progress=lambda *a: told.append(a))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1][0] == told[-1][1]
    assert len({whole for _, whole in told}) == 1


# -- margins -------------------------------------------------------------------------------------


def test_margins_by_hand():
    y, scores = random_sample(np.random.default_rng(21), 200)
    pair = compare(y, scores, margin=0.1, confidence_level=0.9).pairs[0]
    lower = stats.norm.sf((pair.difference + 0.1) / pair.standard_error)
    upper = stats.norm.cdf((pair.difference - 0.1) / pair.standard_error)
    assert pair.non_inferior_p_value == pytest.approx(lower)
    assert pair.equivalence_p_value == pytest.approx(max(lower, upper))
    assert pair.non_inferior is bool(lower < 0.1)
    assert pair.equivalent is bool(max(lower, upper) < 0.1)
    # two one-sided tests at 10 % are the 80 % interval inside the margin
    for margin in (0.02, 0.1, 0.2, 0.5):
        one = compare(y, scores, margin=margin, confidence_level=0.9).pairs[0]
        inside = compare(y, scores, confidence_level=0.8).pairs[0]
        assert one.equivalent is bool(-margin < inside.low and inside.high < margin)
    assert compare(y, scores).pairs[0].equivalent is None


def test_margins_with_students_distribution_and_equal_models():
    held = columns("clustered")
    y, scores = golden_data("clustered")
    pair = compare(y, scores, cluster=held["cluster"], margin=0.2).pairs[0]
    assert pair.non_inferior_p_value == pytest.approx(
        stats.t.sf((pair.difference + 0.2) / pair.standard_error, pair.df)
    )
    same = compare(y, {"a": scores["first"], "b": scores["first"]}, margin=0.01).pairs[0]
    assert (same.non_inferior_p_value, same.equivalence_p_value) == (0.0, 0.0)
    assert same.equivalent
    assert same.non_inferior
    none = compare(y, {"a": scores["first"], "b": scores["first"]}, margin=0).pairs[0]
    assert none.equivalence_p_value == 0.5


def test_non_inferiority_follows_the_direction_of_the_statistic():
    """Of a Brier score the higher is the worse; of a mean score neither is."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 400)
    good = np.clip(0.5 + 0.3 * (y - 0.5) + rng.normal(0, 0.1, 400), 0, 1)
    scores = {"good": good, "bad": np.clip(1 - good, 0, 1)}
    brier = compare(y, scores, statistic="brier", margin=0.02, n_resamples=200, rng=0).pairs[0]
    assert brier.difference < -0.2
    assert brier.non_inferior
    assert brier.non_inferior_p_value < 1e-6
    assert brier.equivalence_p_value > 0.999
    turned = dict(reversed(scores.items()))
    worse = compare(y, turned, statistic="brier", margin=0.02, n_resamples=200, rng=0).pairs[0]
    assert not worse.non_inferior
    assert worse.non_inferior_p_value == worse.equivalence_p_value
    neither = compare(y, scores, statistic="mean_score", margin=0.02, n_resamples=200, rng=0)
    assert neither.pairs[0].non_inferior is None
    assert neither.pairs[0].equivalence_p_value is not None
    assert "inferior" not in neither.sentence


@pytest.mark.parametrize(
    ("margin", "gap", "words", "not_words"),
    [
        (0.1, 0.0, "Equivalent: the two differ by less than 0.1 (p", "not shown"),
        (0.1, 2.0, "Not inferior: the first is not worse by 0.1 (p", "Equivalent"),
        (0.02, -2.0, "Non-inferiority within 0.02 is not shown (p = ", "Not inferior"),
        (0.02, -2.0, "that the two differ by less than 0.02 is not shown", "Equivalent"),
        (None, 0.0, "p = ", "inferior"),
    ],
)
def test_sentences_say_what_is_found_against_a_margin(margin, gap, words, not_words):
    rng = np.random.default_rng(6)
    y = np.repeat([1, 0], [400, 400])
    shared = rng.normal(size=800)
    scores = {"a": (1 + gap * (gap > 0)) * y + shared, "b": (1 - gap * (gap < 0)) * y + shared}
    scores["b"] = scores["b"] + 0.1 * rng.normal(size=800)
    found = compare(y, scores, margin=margin)
    assert words in found.sentence
    assert not_words not in found.sentence
    assert (found.pairs[0].margin_sentence is None) is (margin is None)
    apart = compare_samples((y, scores["a"]), (y, scores["b"]), margin=margin)
    if margin != 0.1 or gap:  # separate samples are less alike
        assert words in apart.sentence
    assert not_words not in apart.sentence or margin == 0.1


def test_sentences_of_several_pairs_say_which_p_values_are_adjusted():
    y, scores = random_sample(np.random.default_rng(22))
    three = random_sample(np.random.default_rng(22), models=3)[1]
    found = compare(y, three, margin=0.1)
    for pair in found.pairs:
        assert f"adjusted {p_words(pair.adjusted_p_value)} (Holm, 3 pairs)" in pair.sentence
        alike = p_words(pair.adjusted_equivalence_p_value)
        assert f"(adjusted {alike}, Holm, 3 pairs)" in pair.sentence
    (alone,) = compare(y, dict(list(scores.items())[:2]), margin=0.1).pairs
    assert "adjusted" not in alone.sentence


def holm_by_hand(p_values):
    """Holm's adjusted p-values, written from the definition with exact multiples."""
    adjusted = []
    for own in p_values:
        below = [p for p in p_values if p <= own]
        steps = [(len(p_values) - sum(q < p for q in p_values)) * p for p in below]
        adjusted.append(min(max(steps), 1.0))
    return adjusted


def near_models(n=400, noise=(0.3, 0.3, 0.3)):
    """Three models: each pair alone is equivalent within 0.02, none once all are counted."""
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [n // 2, n // 2])
    shared = 1.2 * y + rng.normal(size=n)
    return y, {f"m{k}": shared + s * rng.normal(size=n) for k, s in enumerate(noise)}


def test_margins_of_several_pairs_are_decided_by_adjusted_p_values():
    y, scores = near_models()
    found = compare(y, scores, margin=0.02)
    for raw, adjusted, verdict in (
        ("non_inferior_p_value", "adjusted_non_inferior_p_value", "non_inferior"),
        ("equivalence_p_value", "adjusted_equivalence_p_value", "equivalent"),
    ):
        own = [getattr(pair, raw) for pair in found.pairs]
        decided = [getattr(pair, adjusted) for pair in found.pairs]
        assert decided == pytest.approx(holm_by_hand(own), rel=1e-12)
        assert [getattr(pair, verdict) for pair in found.pairs] == [p < 0.05 for p in decided]
        changed = [
            pair
            for pair, p, q in zip(found.pairs, own, decided, strict=True)
            if (p < 0.05) != (q < 0.05)
        ]
        assert len(changed) == 3, f"{verdict}: the adjustment decides nothing here"
        for pair in changed:
            alone = compare(y, {name: scores[name] for name in (pair.a, pair.b)}, margin=0.02)
            assert getattr(alone.pairs[0], raw) == pytest.approx(getattr(pair, raw), rel=1e-9)
            assert getattr(alone.pairs[0], verdict)
            assert not getattr(pair, verdict)
            assert "is not shown (adjusted p = " in pair.margin_sentence
            assert "not shown" not in alone.pairs[0].margin_sentence.split(";")[0]
    for pair in found.pairs:
        assert pair.adjusted_equivalence_p_value >= pair.adjusted_non_inferior_p_value


def test_margins_of_one_pair_need_no_adjustment():
    y, scores = near_models(noise=(0.0, 0.25))
    (pair,) = compare(y, scores, margin=0.03).pairs
    assert pair.adjusted_non_inferior_p_value == pair.non_inferior_p_value
    assert pair.adjusted_equivalence_p_value == pair.equivalence_p_value
    held = pair.to_dict()
    assert {"adjusted_non_inferior_p_value", "adjusted_equivalence_p_value"} <= set(held)
    (without,) = compare(y, scores).pairs
    assert without.adjusted_equivalence_p_value is None
    assert without.equivalent is None


def test_margins_where_neither_is_better_have_no_non_inferiority():
    y, scores = near_models()
    fit = {name: 1 / (1 + np.exp(-column)) for name, column in scores.items()}
    found = compare(y, fit, statistic="mean_score", margin=0.05, n_resamples=200, rng=0)
    assert all(pair.adjusted_non_inferior_p_value is None for pair in found.pairs)
    assert all(pair.adjusted_equivalence_p_value is not None for pair in found.pairs)
    assert "adjusted_non_inferior_p_value" not in found.to_frame("pandas")
    assert {"equivalence_p_value", "adjusted_equivalence_p_value"} <= set(found.to_frame("pandas"))


@pytest.mark.parametrize("seed", range(20))
def test_what_is_equivalent_is_not_inferior_after_the_adjustment_too(seed):
    rng = np.random.default_rng(seed)
    y, scores = random_sample(rng, 150, models=4)
    for pair in compare(y, scores, margin=float(rng.uniform(0, 0.3))).pairs:
        assert pair.non_inferior_p_value <= pair.equivalence_p_value
        assert pair.adjusted_non_inferior_p_value <= pair.adjusted_equivalence_p_value
        assert pair.adjusted_equivalence_p_value >= pair.equivalence_p_value


def test_a_difference_without_spread_is_no_certainty():
    """Each item loses 0.25 more by ½ than by the truth; two models that are alike differ by 0."""
    y = np.repeat([1, 0], 10)
    near = np.where(y == 1, 1 - 1e-9, 1e-9)
    scores = {"half": np.full(20, 0.5), "true": near}
    with pytest.warns(SmallSampleWarning, match="of brier is not reliable here: the items show no"):
        pair = compare(y, scores, statistic="brier", n_resamples=50, rng=0).pairs[0]
    assert pair.difference == pytest.approx(0.25)
    same = compare(y, {"a": near, "b": near}, statistic="brier", n_resamples=50, rng=0).pairs[0]
    assert (same.difference, same.low, same.high) == (0, 0, 0)


# -- results -------------------------------------------------------------------------------------


def test_results_show_themselves():
    y, scores = random_sample(np.random.default_rng(22), 60, 3)
    found = compare(y, scores, margin=0.05, method="delong")
    frame = found.to_frame("pandas")
    assert list(frame["a"] + frame["b"]) == ["m0m1", "m0m2", "m1m2"]
    assert frame["p_value"].tolist() == [pair.p_value for pair in found.pairs]
    assert frame["equivalent"].dtype == bool
    plain = json.loads(found.to_json())
    assert plain["covariance"] == found.covariance.tolist()
    assert plain["estimates"] == found.estimates
    assert "df" not in frame
    assert not found.covariance.flags.writeable
    for result in (found, *found.pairs, compare_samples((y, scores["m0"]), (y, scores["m1"]))):
        assert len(repr(result)) < 250
        assert "\n" not in repr(result)
        assert repr(pickle.loads(pickle.dumps(result))) == repr(result)
        assert result.sentence.endswith(".")
        assert len(result.to_frame("polars")) >= 1
        assert "table" in result._repr_html_()
    planned = auc_sample_size(0.8)
    assert pickle.loads(pickle.dumps(planned)) == planned
    assert planned.to_dict()["asked_power"] == 0.8
    assert len(planned.to_frame("pyarrow")) == 1


@pytest.mark.parametrize("models", [2, 3, 4])
def test_sentences_hold_the_adjusted_p_values(models):
    y, scores = random_sample(np.random.default_rng(25), 80, models)
    found = compare(y, scores)
    count = len(found.pairs)
    for pair in found.pairs:
        own, adjusted = (f"p = {p:.2g}" for p in (pair.p_value, pair.adjusted_p_value))
        for sentence in (pair.sentence, found.sentence):
            if models == 2:
                assert f", {own} (" in sentence
                assert "djusted" not in sentence
            else:
                assert f", adjusted {adjusted} (Holm, {count} pairs) (" in sentence
        if models > 2:
            assert own == adjusted or f", {own}" not in found.sentence
            assert f"adjusted_p_value={pair.adjusted_p_value:.6g}" in repr(pair)
    assert holm([pair.p_value for pair in found.pairs]) == [
        pair.adjusted_p_value for pair in found.pairs
    ]


def test_names_of_any_kind():
    y, scores = random_sample(np.random.default_rng(23), 30)
    found = compare(y, {0: scores["m0"], (1, "x"): scores["m1"]})
    assert (found.pairs[0].a, found.pairs[0].b) == (0, (1, "x"))
    assert set(found.estimates) == {0, (1, "x")}
    json.loads(found.to_json())


def test_dropping_a_row_for_all_models():
    rng = np.random.default_rng(24)
    y, scores = random_sample(rng, 60)
    cluster, weights = np.arange(60) // 2, np.ones(60)
    holes = {k: s.copy() for k, s in scores.items()}
    holes["m0"][3] = np.nan
    holes["m1"][[7, 50]] = np.inf
    weights[9] = 0.0
    kept = np.delete(np.arange(60), [3, 7, 9, 50])
    with pytest.warns(DroppedRowsWarning, match=r"3 of 60 rows .* rows 3, 7, 50\.$") as told:
        found = compare(y, holes, cluster=cluster, sample_weight=weights, invalid="drop")
    assert len(told) == 1
    assert told[0].message.rows == (3, 7, 50)
    assert told[0].filename == __file__
    wanted = compare(
        y[kept], {k: s[kept] for k, s in scores.items()}, cluster=cluster[kept],
        sample_weight=weights[kept],
    )  # fmt: skip
    np.testing.assert_array_equal(found.covariance, wanted.covariance)
    compare(y, scores, invalid="drop")  # nothing to drop, nothing said


# -- bad input -----------------------------------------------------------------------------------

Y, A, B = [1, 0, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1, 0.4, 0.3], [0.5, 0.6, 0.7, 0.2, 0.9, 0.1]
AB = {"a": A, "b": B}
TALLY = rw.tally(Y, A)
NAN = float("nan")
BAD = {
    "one model": (lambda: compare(Y, {"a": A}), InputError, "the scores of 1 model only"),
    "no model": (lambda: compare(Y, {}), InputError, "the scores of 0 models only"),
    "no dict": (lambda: compare(Y, [A, B]), InputError, "scores is a list"),
    "nothing": (lambda: compare(Y), InputError, "scores is None."),
    "lengths": (
        lambda: compare(Y, {"a": A, "b": B[:5]}),
        InputError,
        r"y_true has 6 rows, scores\['b'\] 5",
    ),
    "lengths while dropping": (
        lambda: compare(Y, {"a": A, "b": B[:5]}, invalid="drop"),
        InputError,
        r"y_true has 6 rows, scores\['b'\] 5",
    ),
    "cluster length": (
        lambda: compare(Y, AB, cluster=[1, 2]),
        InputError,
        "cluster has 2 rows, y_true 6",
    ),
    "weight length": (lambda: compare(Y, AB, sample_weight=[1.0]), InputError, "sample_weight 1"),
    "nan": (
        lambda: compare(Y, {"a": A, "b": [*B[:5], NAN]}),
        ScoreError,
        r"scores\['b'\] at row 5 is NaN",
    ),
    "text": (
        lambda: compare(Y, {"a": A, "b": ["x"] * 6}),
        ScoreError,
        r"scores\['b'\] at row 0 is 'x', not a number",
    ),
    "labels": (lambda: compare([3, 1, 2, 1, 2, 3], AB), LabelError, "do not say which one"),
    "no probabilities": (
        lambda: compare(Y, {"a": A, "b": [2.0, *B[1:]]}, statistic="brier"),
        ScoreError,
        r"scores\['b'\] at row 0 is 2, outside \[0, 1\]",
    ),
    "nothing left": (
        lambda: compare(Y, {"a": [NAN] * 3 + A[3:], "b": B[:3] + [NAN] * 3}, invalid="drop"),
        InputError,
        "No row has a usable label, weight and score of every model",
    ),
    "a tally": (lambda: compare(TALLY), TallyError, "A paired comparison needs the items"),
    "tallies": (lambda: compare(Y, {"a": TALLY, "b": TALLY}), TallyError, "needs the items"),
    "statistic": (lambda: compare(Y, AB, statistic="acu"), OptionError, "'acu' is not known"),
    "no statistic": (lambda: compare(Y, AB, statistic=3), OptionError, "neither a name nor a"),
    "no threshold": (
        lambda: compare(Y, AB, statistic="sensitivity"),
        OptionError,
        "'sensitivity' needs a threshold",
    ),
    "method": (lambda: compare(Y, AB, method="wald"), OptionError, "method='wald' is not known"),
    "level 1": (lambda: compare(Y, AB, confidence_level=1), OptionError, r"=1 is outside \(0, 1\)"),
    "level 95": (
        lambda: compare(Y, AB, confidence_level=95),
        OptionError,
        r"confidence_level=95 is outside \(0, 1\)",
    ),
    "margin": (lambda: compare(Y, AB, margin=-0.1), OptionError, "margin=-0.1 is not a finite"),
    "infinite margin": (lambda: compare(Y, AB, margin=math.inf), OptionError, "margin=inf is not"),
    "text as margin": (lambda: compare(Y, AB, margin="a"), OptionError, "margin='a' is not a number"),
    "replicates": (lambda: compare(Y, AB, n_resamples=0), OptionError, "n_resamples=0 is smaller than 1"),
    "one positive": (
        lambda: compare([1, 0, 0, 0, 0, 0], AB),
        OneClassError,
        "fewer than two positive items",
    ),
    "no negative": (
        lambda: compare([1.0] * 6, AB, truth="soft"),
        OneClassError,
        "fewer than two negative items",
    ),
    "no weighted positive": (
        lambda: compare([0] * 6, AB, sample_weight=[1, 2, 1, 2, 1, 2]),
        OneClassError,
        "fewer than two positive items",
    ),
    "one cluster of a class": (
        lambda: compare(Y, AB, cluster=[1, 2, 1, 3, 1, 3]),
        OneClassError,
        "Fewer than two clusters hold a positive item",
    ),
    "one cluster": (lambda: compare(Y, AB, cluster=[1] * 6), InputError, "belong to one cluster"),
    "delong for soft truth": (
        lambda: compare([0.2, 0.4, 1, 0, 1, 0], AB, method="delong"),
        OptionError,
        "method='delong' is for the AUC of hard labels",
    ),
    "delong for another": (
        lambda: compare(Y, AB, method="delong", statistic="probabilistic_auc"),
        OptionError,
        "method='delong' is for the AUC",
    ),
    "no closed form": (
        lambda: compare(Y, AB, method="influence", statistic="brier"),
        OptionError,
        "There is no closed form for the error of brier",
    ),
    "obuchowski without": (
        lambda: compare(Y, AB, method="obuchowski"),
        OptionError,
        "method='obuchowski' is for clusters",
    ),
    "permutation of another": (
        lambda: compare(Y, AB, method="permutation", statistic="brier"),
        OptionError,
        "method='permutation' is for the AUC",
    ),
    "no sample": (lambda: compare_samples(Y, (Y, A)), InputError, "sample_1 is a list, not a pair"),
    "sample of three": (
        lambda: compare_samples((Y, A), (Y, A, B)),
        InputError,
        "sample_2 is a tuple, not a pair",
    ),
    "permutation apart": (
        lambda: compare_samples((Y, A), (Y, B), method="permutation"),
        OptionError,
        "separate samples share none",
    ),
    "student apart": (
        lambda: compare_samples((Y, A), (Y, B), method="delong-t"),
        OptionError,
        "method='delong-t' is for models on the same rows",
    ),
    "one column of clusters": (
        lambda: compare_samples((Y, A), (Y, B), cluster=np.arange(6)),
        InputError,
        "cluster is an ndarray, not a pair of columns",
    ),
    "a bucketed tally": (
        lambda: compare_samples(
            (Y, A), TALLY.coarsened(np.array([0, 3])), method="bootstrap", n_resamples=9
        ),
        TallyError,
        "this tally is bucketed",
    ),
    "a soft tally to resample": (
        lambda: compare_samples(
            rw.tally([0.5, 0.2, 1, 0, 1, 0], A), (Y, B), method="bootstrap", n_resamples=9
        ),
        TallyError,
        "needs the items",
    ),
    "one cluster of a class apart": (
        lambda: compare_samples((Y, A), (Y, B), cluster=(None, [1, 2, 1, 3, 1, 3])),
        OneClassError,
        "fewer than two positive clusters",
    ),
    "clusters beside a tally": (
        lambda: compare_samples(TALLY, (Y, B), cluster=([1, 1, 2, 2, 3, 3], None)),
        TallyError,
        "Clusters need the items",
    ),
    "few in a sample": (
        lambda: compare_samples((Y, A), ([1, 0, 0], [1, 2, 3])),
        OneClassError,
        "fewer than two positive items",
    ),
    "area": (lambda: auc_power(1.2, 10, 10), OptionError, r"auc=1.2 is outside \[0, 1\]"),
    "no area": (lambda: auc_power("a", 10, 10), OptionError, "auc='a' is not a number"),
    "half an item": (lambda: auc_power(0.8, 10.5, 10), OptionError, "n_positives=10.5 is not a"),
    "no items": (lambda: auc_power(0.8, 10, 0), OptionError, "n_negatives=0 is smaller than 1"),
    "alpha": (lambda: auc_power(0.8, 9, 9, alpha=5), OptionError, r"alpha=5 is outside \(0, 1\)"),
    "power": (lambda: auc_sample_size(0.8, power=1), OptionError, r"power=1 is outside \(0, 1\)"),
    "ratio": (lambda: auc_sample_size(0.8, ratio=0), OptionError, "ratio=0 is not a positive"),
    "null": (lambda: auc_sample_size(0.8, null=1), OptionError, r"null=1 is outside \(0, 1\)"),
    "alternative": (
        lambda: auc_power(0.8, 9, 9, alternative="less"),
        OptionError,
        "alternative='less' is not known",
    ),
    "nothing to find": (lambda: auc_sample_size(0.5), OptionError, r"A difference of \+0 cannot"),
    "wrong way": (
        lambda: auc_sample_size(0.4, alternative="greater"),
        OptionError,
        "cannot be found by a test that is greater",
    ),
    "areas missing": (lambda: difference_power(0.8, n_positives=9), OptionError, "auc_2 is missing"),
    "numbers missing": (
        lambda: difference_power(0.8, 0.7, 10),
        OptionError,
        "n_negatives is missing",
    ),
    "correlation": (
        lambda: difference_power(0.8, 0.7, 9, 9, correlation=1.5),
        OptionError,
        "correlation=1.5 is not a correlation",
    ),
    "three correlations": (
        lambda: difference_power(0.8, 0.7, 9, 9, correlation=(0.1, 0.2, 0.3)),
        OptionError,
        "is not a correlation",
    ),
    "null variance": (
        lambda: difference_power(0.8, 0.7, 9, 9, null_variance="mean"),
        OptionError,
        "null_variance='mean' is not known",
    ),
    "formula": (
        lambda: auc_power(0.8, 9, 9, formula="hanley"),
        OptionError,
        "formula='hanley' is not known",
    ),
    "pilot beside areas": (
        lambda: difference_power(0.8, 0.7, pilot=compare(Y, AB)),
        OptionError,
        "given beside a pilot",
    ),
    "pilot of three": (
        lambda: difference_power(pilot=compare(Y, {**AB, "c": A})),
        InputError,
        "The pilot, a Comparison, does not have the spread of two areas",
    ),
    "pilot of clusters": (
        lambda: difference_sample_size(
            pilot=compare(4 * Y, {"a": 4 * A, "b": 4 * B}, cluster=range(24))
        ),
        InputError,
        "does not have the spread of two areas",
    ),
    "no pilot": (lambda: difference_power(pilot=3), InputError, "The pilot, a int, does not"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input(name):
    act, kind, message = BAD[name]
    with pytest.raises(kind, match=message) as caught:
        act()
    assert isinstance(caught.value, RocwalkError)
    assert "\nHint: " in str(caught.value)


def test_unknown_statistics_suggest_the_nearest():
    with pytest.raises(OptionError, match="did you mean 'average_precision'"):
        compare(Y, AB, statistic="avg_precision")


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_the_scores_may_be_a_dataframe(library):
    columns = {"a": [0.9, 0.8, 0.3, 0.1], "b": [0.2, 0.9, 0.8, 0.3]}
    make = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[library]
    frame = getattr(importlib.import_module(library), make)(columns)
    found, expected = (rw.compare([1, 1, 0, 0], scores) for scores in (frame, columns))
    assert found.to_dict() == expected.to_dict()
    with pytest.raises(InputError, match="3 rows"):
        rw.compare([1, 1, 0], frame)


def test_long_names_are_whole_in_the_picture():
    """Pairs of long names have lines of their own, and leave room for the intervals."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    names = [f"gradient boosting with a very long name, number {k}" for k in range(4)]
    found = rw.compare(y, {name: y + rng.normal(size=60) for name in names})
    ax = found.plot()
    ax.figure.canvas.draw()
    left, right = ax.figure.bbox.x0, ax.figure.bbox.x1
    for label, pair in zip(ax.get_yticklabels(), found.pairs, strict=True):
        assert label.get_text().replace("\n", " ") == f"{pair.a} − {pair.b}"
        assert left <= label.get_window_extent().x0
    assert ax.get_window_extent().width > (right - left) / 3
    boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
    assert all(upper.y0 >= lower.y1 for upper, lower in itertools.pairwise(boxes))
    short = rw.compare(y, {"a": y + rng.normal(size=60), "b": rng.normal(size=60)}).plot()
    assert [label.get_text() for label in short.get_yticklabels()] == ["a − b"]
