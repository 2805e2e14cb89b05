"""Tests of whole curves: against pROC, a slow reference, and what they must and must not find."""

from __future__ import annotations

import csv
import json
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import rankdata

import rocwalk as rw
from commands import ROOT
from rocwalk.errors import OneClassError, OptionError, TallyError, WeightError

GOLDEN = json.loads((ROOT / "tests/proc/curves.json").read_text())  # by pROC, make_curves.R
DATA = json.loads((ROOT / "tests/proc/golden.json").read_text())["data"]
LABELS = {"asah": "outcome", "breast_cancer": "malignant"}


def column(data, name):
    if data == "asah":
        return np.array(DATA["asah"]["columns"][name], dtype=float)
    with (ROOT / "examples/breast_cancer.csv").open() as lines:
        return np.array([float(row[name]) for row in csv.DictReader(lines)])


def labels(data):
    return column(data, LABELS[data]).astype(int)


def ordinal(scores):
    """rank(x, ties.method="first")."""
    return rankdata(scores, method="ordinal")


def named(row):
    return f"{row['data']}-{'-'.join(row['curves'])}"


def pair(y, one, other, **options):
    return rw.compare_curves(y, {"a": one, "b": other}, rng=0, **options).pairs[0]


def agree(p_value, row, permutations):
    """Two estimates of a share, four standard errors apart at most."""
    share = (p_value + row["p_value"]) / 2
    error = np.sqrt(max(share * (1 - share), 1e-3) * (1 / permutations + 1 / row["boot_n"]))
    return abs(p_value - row["p_value"]) < 4 * error + 1 / permutations


@pytest.mark.parametrize("row", GOLDEN["paired"], ids=named)
def test_paired_against_proc(row):
    """roc.test(curve1, curve2, method="venkatraman", paired=TRUE, boot.n=…), pROC 1.18.0."""
    ranks = [ordinal(column(row["data"], name)) for name in row["curves"]]
    found = pair(labels(row["data"]), *ranks, n_resamples=1000)
    assert found.statistic == pytest.approx(row["E"], rel=1e-12)
    assert agree(found.p_value, row, 1000)


def reference_e(y_1, s_1, y_2, s_2, *, from_first_item):
    """E of separate samples by counting; pROC leaves out what lies before the first items."""
    kappa = (y_1.sum() + y_2.sum()) / (len(y_1) + len(y_2))
    curves = []
    for y, s in ((y_1, s_1), (y_2, s_2)):
        cuts = np.sort(s)
        below = [[np.mean(s[y == c] <= cut) for cut in cuts] for c in (1, 0)]
        f, g = (np.array(each) if from_first_item else np.append(0.0, each) for each in below)
        curves.append((kappa * f + (1 - kappa) * g, kappa * f + (1 - kappa) * (1 - g)))
    x = np.sort(np.concatenate([share for share, _ in curves]))
    if from_first_item:
        x = x[x >= max(share[0] for share, _ in curves)]
    gap = np.abs(np.interp(x, *curves[0]) - np.interp(x, *curves[1]))
    return float(np.sum(np.diff(x) * (gap[1:] + gap[:-1])) / 2)


@pytest.mark.parametrize("kind", ["unpaired", "unequal"])
@pytest.mark.parametrize("nth", range(len(GOLDEN["unpaired"])))
def test_separate_samples_against_proc(kind, nth):
    """The statistic where pROC starts at the first item, and p for samples of the same size.

    roc.test(odd, even, method="venkatraman", paired=FALSE) and, for samples of unequal size,
    pROC:::venkatraman.unpaired.stat with the mixing proportion of the data, pROC 1.18.0.
    """
    row = GOLDEN[kind][nth]
    y = labels(row["data"])[: row.get("rows")]
    first = np.arange(len(y)) % (2 if kind == "unpaired" else 4) == 0
    samples = [
        (y[inside], ordinal(column(row["data"], name)[: row.get("rows")][inside]))
        for inside, name in zip((first, ~first), row["curves"], strict=True)
    ]
    (y_1, s_1), (y_2, s_2) = samples
    short = reference_e(y_1, s_1, y_2, s_2, from_first_item=True)
    assert short == pytest.approx(row["E"], rel=1e-9)
    found = rw.compare_sample_curves(*samples, n_resamples=1000, rng=0)
    whole = reference_e(y_1, s_1, y_2, s_2, from_first_item=False)
    assert found.statistic == pytest.approx(whole, rel=1e-9)
    assert found.statistic == pytest.approx(row["E"], abs=1e-3)
    if kind == "unpaired":
        assert agree(found.p_value, row, 1000)


def reference_gap(y, one, other):
    """E of two models by counting errors at every number of calls; ties in expectation."""
    total = 0.0
    for k in range(1, len(y) + 1):
        errors = []
        for s in (one, other):
            cut = np.sort(s)[::-1][k - 1]
            above, at = s > cut, s == cut
            true = y[above].sum() + (k - above.sum()) * y[at].mean()
            errors.append((y.sum() - true) + (k - true))
        total += abs(errors[0] - errors[1])
    return total


@pytest.mark.parametrize("kind", ["hard", "tied", "soft"])
def test_against_errors_counted_one_by_one(kind):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 40).astype(float)
    if kind == "soft":
        y = rng.choice([0, 0.25, 0.5, 1], 40)
    one, other = rng.normal(y), rng.normal(y)
    if kind == "tied":
        one, other = np.round(one), np.round(2 * other)
    found = pair(y, one, other, n_resamples=20)
    assert found.statistic == pytest.approx(reference_gap(y, one, other))
    assert found.distance == pytest.approx(found.statistic / (2 * y.sum() * 40))


def shares_as_extreme(found, every):
    """Assert that p of draws is the share of all permutations, within four errors of the draws."""
    share = np.mean(np.array(every) >= found.statistic - 1e-9)
    assert len(every) < found.n_resamples
    error = np.sqrt(share * (1 - share) / found.n_resamples)
    assert abs(found.p_value - share) < 4 * error + 1 / found.n_resamples
    return share


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("tied", [False, True])
def test_paired_p_values_by_every_exchange(seed, tied):
    """Venkatraman & Begg (1996): all 2ⁿ exchanges of the ranks of n items, errors counted."""
    rng = np.random.default_rng(seed)
    y = rng.permutation([1, 1, 1, 1, 0, 0, 0, 0, 0]).astype(float)
    one, other = rng.normal(2 * y), rng.normal(size=9)
    if tied:
        one, other = np.round(one), np.round(other)
    ranks = rankdata(one), rankdata(other)
    every = [
        reference_gap(y, np.where(swap, *ranks), np.where(swap, *ranks[::-1]))
        for swap in product([False, True], repeat=9)
    ]
    found = pair(y, one, other, n_resamples=4000)
    assert found.statistic == pytest.approx(every[0])
    shares_as_extreme(found, every)


def calls_of(y, scores, kappa):
    """The place of each item: the share that a rule calls at the middle of its step."""

    def above(s, c):
        return np.mean(scores[y == c] > s) + np.mean(scores[y == c] == s) / 2

    return np.array([kappa * above(s, 1) + (1 - kappa) * above(s, 0) for s in scores])


def dealt_gap(one, other, kappa):
    """E of two samples, each the places of its positives and those of its negatives."""
    curves = []
    for up, right in (one, other):
        points = [(0.0, kappa)]
        for place in sorted({*up, *right}):
            f, g = (np.mean([each <= place for each in side]) for side in (up, right))
            points.append((kappa * f + (1 - kappa) * g, kappa * (1 - f) + (1 - kappa) * g))
        curves.append(np.array(points).T)
    at = np.unique(np.concatenate([calls for calls, _ in curves]))
    gap = np.abs(np.interp(at, *curves[0]) - np.interp(at, *curves[1]))
    return float(np.sum(np.diff(at) * (gap[1:] + gap[:-1])) / 2)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("tied", [False, True])
def test_p_values_of_separate_samples_by_every_deal(seed, tied):
    """Venkatraman (2000): all ways to deal the places of the positives, and of the negatives."""
    rng = np.random.default_rng(10 + seed)
    samples = []
    for counts, shift in (((3, 4), 2.0), ((2, 3), -0.5)):
        y = np.repeat([1, 0], counts)
        s = rng.normal(shift * y)
        samples.append((y, np.round(2 * s) if tied else s))
    kappa = 5 / 12
    places = [calls_of(y, s, kappa) for y, s in samples]
    up, right = (
        np.concatenate([place[y == c] for place, (y, _) in zip(places, samples, strict=True)])
        for c in (1, 0)
    )

    def deals(pool, size):
        for first in combinations(range(len(pool)), size):
            rest = [k for k in range(len(pool)) if k not in first]
            yield pool[list(first)], pool[rest]

    every = [
        dealt_gap((up_1, right_1), (up_2, right_2), kappa)
        for up_1, up_2 in deals(up, 3)
        for right_1, right_2 in deals(right, 4)
    ]
    assert len(every) == 10 * 35
    found = rw.compare_sample_curves(*samples, n_resamples=4000, rng=0)
    assert found.statistic == pytest.approx(every[0])
    shares_as_extreme(found, every)


def crossing(n=300, seed=1):
    """Equal areas; the positives of the second model vary twice as much."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n, n])
    one, other = rng.normal(size=2 * n), rng.normal(size=2 * n)
    return y, one + 1.19 * y, np.where(y == 1, 2 * other + 1.88, other)


def test_crossing_curves_differ_where_areas_do_not():
    y, one, other = crossing()
    assert rw.compare(y, {"a": one, "b": other}).pairs[0].p_value > 0.05
    found = pair(y, one, other, n_resamples=500)
    assert found.differ
    assert found.sentence.endswith("the curves differ somewhere, be their areas equal or not.")
    apart = rw.compare_sample_curves((y, one), (y, other), n_resamples=500, rng=0)
    assert apart.differ
    same = pair(y, one, one + 0.01 * np.random.default_rng(2).normal(size=len(y)), n_resamples=200)
    assert not same.differ
    assert "no difference of the curves was found; that does not make them equal." in same.sentence


def test_laws():
    """Row order, monotone transforms, the order of models, equal curves, one weight for all."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 60)
    one, other = np.round(rng.normal(y), 1), np.round(rng.normal(y), 1)
    found = pair(y, one, other, n_resamples=50)
    order = rng.permutation(60)
    for like in (
        pair(y[order], one[order], other[order], n_resamples=50),
        pair(y, np.exp(one), other**3, n_resamples=50),
        pair(y, other, one, n_resamples=50),
        pair(y, one, other, n_resamples=50, sample_weight=np.full(60, 2.5)),
        pair(1 - y, -one, -other, n_resamples=50),
    ):
        assert like.statistic == pytest.approx(found.statistic)
    assert pair(y, one, other, n_resamples=50).p_value == found.p_value  # the same seed
    assert pair(y, one, 2 * one, n_resamples=50).p_value == 1.0
    hard, soft = (rw.compare_curves(y, {"a": one, "b": other}, rng=0, truth=kind, n_resamples=50)
                  for kind in ("hard", "soft"))  # fmt: skip
    assert hard.pairs[0].p_value == soft.pairs[0].p_value
    tallies = rw.tally(y[:30], one[:30]), rw.tally(y[30:], one[30:])
    columns = (y[:30], one[:30]), (y[30:], one[30:])
    both = [
        rw.compare_sample_curves(*each, rng=0, n_resamples=50).p_value
        for each in (tallies, columns)
    ]
    assert both[0] == both[1]


def test_clusters_exchange_as_a_whole():
    """Rows that are repeated in clusters add nothing: p is that of the rows themselves."""
    y, one, other = crossing(n=40)
    single = pair(y, one, other, n_resamples=400).p_value
    cluster = np.repeat(np.arange(len(y)), 4)
    repeated = [np.repeat(each, 4) for each in (y, one, other)]
    jitter = 1e-9 * np.tile(np.arange(4), len(y))
    tripled = pair(repeated[0], repeated[1] + jitter, repeated[2] + jitter, cluster=cluster,
                   n_resamples=400)  # fmt: skip
    assert tripled.p_value == pytest.approx(single, abs=0.08)
    alone = pair(repeated[0], repeated[1] + jitter, repeated[2] + jitter, n_resamples=400)
    assert alone.p_value < single


def test_several_models_have_holms_p_values():
    y, one, other = crossing(n=60)
    found = rw.compare_curves(y, {"a": one, "b": other, "c": 2 * one}, n_resamples=99, rng=1)
    assert [(each.a, each.b) for each in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(each.adjusted_p_value >= each.p_value for each in found.pairs)
    assert list(found.to_frame("pandas")["p_value"]) == [each.p_value for each in found.pairs]
    assert found.sentence.count("(Holm, 3 pairs)") == 3
    axes = found.plot()
    assert sum(line.get_gid() == "curve" for line in axes.lines) == 3


Y, S = [1, 0, 1, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.4]
BAD = {
    "weights": (
        lambda: rw.compare_curves(Y, {"a": S, "b": S}, sample_weight=[1, 2, 1, 1, 1]),
        WeightError,
        "Rows of different weights are not exchangeable",
    ),
    "weights of a sample": (
        lambda: rw.compare_sample_curves((Y, S), (Y, S), sample_weight=(None, [1, 2, 1, 1, 1])),
        WeightError,
        "sample_2 has rows of different weights",
    ),
    "soft truth of samples": (
        lambda: rw.compare_sample_curves(([0.2, 0.8, 1, 0, 0.5], S), (Y, S)),
        OptionError,
        "are compared for hard labels only",
    ),
    "buckets": (
        lambda: rw.compare_sample_curves(rw.tally(Y, S).bucketed([0, 0.5, 1]), (Y, S)),
        TallyError,
        "A test of whole curves needs every score",
    ),
    "a tally": (
        lambda: rw.compare_curves(rw.tally(Y, S), {"a": S, "b": S}),
        TallyError,
        "A paired comparison needs the items",
    ),
    "one class": (
        lambda: rw.compare_curves([1, 1, 1, 1, 1], {"a": S, "b": S}),
        OneClassError,
        "fewer than two negative items",
    ),
    "one model": (lambda: rw.compare_curves(Y, {"a": S}), rw.errors.InputError, "of 1 model only"),
    "no pair": (
        lambda: rw.compare_sample_curves(Y, (Y, S)),
        rw.errors.InputError,
        "sample_1 is a list, not a pair",
    ),
    "level": (
        lambda: rw.compare_curves(Y, {"a": S, "b": S}, confidence_level=2),
        OptionError,
        "confidence_level=2 is outside",
    ),
    "permutations": (
        lambda: rw.compare_curves(Y, {"a": S, "b": S}, n_resamples=0),
        OptionError,
        "n_resamples=0",
    ),
}


@pytest.mark.parametrize("bad", BAD)
def test_bad_input_is_refused(bad):
    call, kind, words = BAD[bad]
    with pytest.raises(kind, match=words) as caught:
        call()
    assert "\nHint: " in str(caught.value)
