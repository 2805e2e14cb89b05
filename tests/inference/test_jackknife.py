"""The delete-one-cluster jackknife: against leaving out each cluster for real."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy.stats import t

import rocwalk as rw
from rocwalk.errors import OneClassError, OptionError, SmallSampleWarning
from rocwalk.inference.items import Items
from rocwalk.inference.jackknife import effective_clusters, pairs_within


def drawn(rng, sizes, *, kind="hard", ties=False):
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    n = len(cluster)
    y = (rng.random(n) < rng.uniform(0.2, 0.8, len(sizes))[cluster]).astype(float)
    y[:4] = (0, 1, 0, 1)
    score = y + rng.normal(0, 1, len(sizes))[cluster] + rng.normal(0, 1, n)
    if kind == "soft":
        y = np.clip(np.round(4 * (0.7 * y + 0.3 * rng.random(n))) / 4, 0, 1)
    score = np.round(score) if ties else score
    score = 1 / (1 + np.exp(-score))
    weights = rng.uniform(0.5, 3, n) if kind == "weighted" else None
    mixed = rng.permutation(n)
    found = {"y_true": y[mixed], "y_score": score[mixed], "cluster": cluster[mixed]}
    if kind == "soft":
        found["truth"] = "soft"
    return found if weights is None else found | {"sample_weight": weights[mixed]}


def left_out(data, statistic):
    """The number without each cluster, by leaving its rows out."""
    rows = {key: value for key, value in data.items() if key not in ("cluster", "truth")}
    truth = {key: data[key] for key in ("truth",) if key in data}
    of = rw.statistic.statistic_of(statistic).of
    return np.array(
        [
            of(rw.tally(**{k: v[data["cluster"] != c] for k, v in rows.items()}, **truth))
            for c in np.unique(data["cluster"])
        ]
    )


SIZES = (1, 3, 8, 20, 2, 5, 40, 9, 4, 6, 30, 2)


@pytest.mark.parametrize("statistic", ["auc", "probabilistic_auc"])
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("kind", ["hard", "soft", "weighted"])
@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")
def test_it_is_the_number_without_each_cluster(kind, ties, statistic):
    data = drawn(np.random.default_rng(3), SIZES, kind=kind, ties=ties)
    found = rw.interval(**data, statistic=statistic, scale="plain")
    values = left_out(data, statistic)
    k = len(values)
    error = math.sqrt((k - 1) / k * ((values - values.mean()) ** 2).sum())
    assert found.method == "jackknife-plain"
    assert found.standard_error == pytest.approx(error, rel=1e-10)
    weight = data.get("sample_weight", np.ones(len(data["y_true"])))
    masses = [
        np.bincount(data["cluster"], weight * y) for y in (data["y_true"], 1 - data["y_true"])
    ]
    df = min(m.sum() ** 2 / (m**2).sum() for m in masses) - 1
    reach = t.ppf(0.975, df) * error
    assert (found.low, found.high) == pytest.approx(
        (max(found.estimate - reach, 0), min(found.estimate + reach, 1)), rel=1e-10
    )


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")
@pytest.mark.parametrize("kind", ["hard", "soft", "weighted"])
def test_a_comparison_leaves_out_the_same_clusters(kind):
    rng = np.random.default_rng(4)
    data = drawn(rng, SIZES, kind=kind)
    other = np.clip(data["y_score"] + rng.normal(0, 0.2, len(data["y_score"])), 0, 1)
    scores = {"a": data["y_score"], "b": other}
    told = {key: value for key, value in data.items() if key != "y_score"}
    found = rw.compare(**told, scores=scores)
    values = [left_out(data | {"y_score": one}, "auc") for one in scores.values()]
    k = len(values[0])
    covariance = (k - 1) ** 2 / k * np.cov(np.stack(values))
    assert found.method == found.pairs[0].method == "jackknife"
    assert found.covariance == pytest.approx(covariance, rel=1e-9)
    gap = values[0] - values[1]
    error = math.sqrt((k - 1) / k * ((gap - gap.mean()) ** 2).sum())
    assert found.pairs[0].standard_error == pytest.approx(error, rel=1e-9)
    pair = found.pairs[0]
    assert (pair.p_value < 0.05) == (not pair.low <= 0 <= pair.high)


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")
def test_separate_samples_have_the_two_jackknife_errors():
    one, other = (drawn(np.random.default_rng(k), SIZES) for k in (5, 6))
    samples = [(each["y_true"], each["y_score"]) for each in (one, other)]
    both = rw.compare_samples(*samples, cluster=(one["cluster"], other["cluster"]))
    errors = [rw.interval(**each).standard_error for each in (one, other)]
    assert both.method == "jackknife"
    assert both.standard_error == pytest.approx(math.hypot(*errors))
    alone = rw.compare_samples(*samples, cluster=(one["cluster"], None))
    bare = rw.interval(*samples[1], method="delong").standard_error
    assert alone.standard_error == pytest.approx(math.hypot(errors[0], bare))


def test_pairs_within_clusters_are_those_of_a_matrix():
    rng = np.random.default_rng(7)
    cluster, scores = rng.integers(0, 9, 200), rng.integers(0, 6, 200).astype(float)
    up, right = rng.random((2, 200))
    found = pairs_within(Items(up, right, scores, cluster))
    wins = (scores[:, None] > scores) + (scores[:, None] == scores) / 2
    same = cluster[:, None] == cluster
    expected = np.bincount(cluster, (up[:, None] * right * wins * same).sum(axis=1))
    assert found == pytest.approx(expected)


def test_equal_clusters_count_as_they_are():
    items = Items(
        np.tile([1.0, 0.0], 12),
        np.tile([0.0, 1.0], 12),
        np.arange(24.0),
        np.repeat(np.arange(12), 2),
    )
    assert effective_clusters(items) == pytest.approx(12)


def test_few_or_unequal_clusters_are_said():
    rng = np.random.default_rng(8)
    data = drawn(rng, (1, 1, 2, 1, 2, 60, 1, 2, 1, 80, 1, 2))
    with pytest.warns(SmallSampleWarning, match="12 clusters are of so unequal size") as given:
        rw.interval(**data)
    clusters, worth = given[0].message.fields.counts
    assert clusters == 12
    assert 1 < worth < 4
    with pytest.warns(SmallSampleWarning, match="there are 5 clusters"):
        rw.interval(**drawn(rng, (9, 9, 9, 9, 9)), method="obuchowski")
    with pytest.warns(SmallSampleWarning, match="'jackknife' of auc is not reliable here"):
        rw.compare(
            data["y_true"], {"a": data["y_score"], "b": -data["y_score"]}, cluster=data["cluster"]
        )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rw.interval(**drawn(rng, (5,) * 40))


def test_one_cluster_with_all_of_a_class_is_refused():
    y = np.array([0.9, 0.8, 0.0, 0.0, 0.0, 0.0])
    with pytest.raises(OneClassError, match="Fewer than two clusters hold a positive item"):
        rw.interval(y, np.arange(6)[::-1] / 6, cluster=[0, 0, 1, 1, 2, 2], truth="soft")


def test_without_clusters_it_is_refused():
    with pytest.raises(OptionError, match="method='jackknife' is for clusters"):
        rw.interval([1, 0, 1, 0], [4, 2, 3, 1], method="jackknife")
    with pytest.raises(OptionError, match="method='jackknife' is for clusters"):
        rw.compare([1, 0, 1, 0], {"a": [4, 2, 3, 1], "b": [4, 2, 1, 3]}, method="jackknife")
