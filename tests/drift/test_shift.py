"""The exact distribution of the largest gap: against scipy, all divisions, and its own level."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from rocwalk.drift.shift import MOST_SCORES, smirnov
from rocwalk.errors import (
    OptionError,
    RocwalkError,
    TallyError,
)


@pytest.mark.parametrize("counts", [(2, 2), (3, 9), (8, 8), (13, 7), (60, 45), (2, 500)])
def test_without_ties_as_in_scipy(counts):
    rng = np.random.default_rng(counts)
    for shift in (0.0, 0.1, 0.4):
        one, other = rng.random(counts[0]), np.clip(rng.random(counts[1]) * 0.6 + shift, 0, 1)
        found, peer = rw.score_shift(one, other), stats.ks_2samp(one, other, method="exact")
        assert found.method == "exact"
        assert found.gap == pytest.approx(peer.statistic, rel=1e-12)
        assert found.p_value == pytest.approx(peer.pvalue, rel=1e-10)


def gap_of(one, other):
    return max(abs(np.mean(one <= x) - np.mean(other <= x)) for x in np.union1d(one, other))


@pytest.mark.parametrize("levels", [2, 3, 5])
@pytest.mark.parametrize("counts", [(4, 4), (3, 6), (5, 4)])
def test_with_ties_it_counts_all_divisions(levels, counts):
    rng = np.random.default_rng((levels, *counts))
    for _ in range(4):
        pooled = rng.integers(0, levels, sum(counts)) / levels
        found = rw.score_shift(pooled[: counts[0]], pooled[counts[0] :])
        as_large = whole = 0
        for chosen in itertools.combinations(range(len(pooled)), counts[0]):
            rest = np.delete(pooled, chosen)
            as_large += gap_of(pooled[list(chosen)], rest) >= found.gap - 1e-9
            whole += 1
        assert found.p_value == pytest.approx(as_large / whole, rel=1e-12)


def test_a_gap_that_the_limit_calls_significant():
    peer = stats.ks_2samp(np.arange(8), np.arange(8) + 4.5, method="exact")
    root = math.sqrt(4.0)
    limit = stats.kstwobign.sf((root + 0.12 + 0.11 / root) * 5 / 8)  # Stephens (1970)
    p_value, _ = smirnov(5 / 8, 8, 8)
    assert peer.statistic == 5 / 8
    assert p_value == pytest.approx(peer.pvalue, rel=1e-12) == pytest.approx(0.0870, abs=1e-4)
    assert limit < 0.05 < p_value


def test_the_level_of_eight_and_eight():
    """The share of p-values below 0.05 is the largest attainable probability below 0.05."""
    attained = [smirnov(k / 8, 8, 8)[0] for k in range(9)]
    assert attained == sorted(attained, reverse=True)
    assert attained[0] == 1.0
    assert attained[8] == pytest.approx(2 / math.comb(16, 8), rel=1e-14)
    level = max(p for p in attained if p < 0.05)
    rng, runs = np.random.default_rng(8), 1000
    draws = rng.random((runs, 16))
    seen = np.mean([rw.score_shift(row[:8], row[8:]).shifted for row in draws])
    assert level <= 0.05
    assert seen == pytest.approx(level, abs=4 * math.sqrt(level / runs))
    tied = np.round(draws * 4) / 4
    assert np.mean([rw.score_shift(row[:8], row[8:]).shifted for row in tied]) <= 0.05


def test_tallies_have_the_same_p_value_and_buckets_a_larger_one():
    rng = np.random.default_rng(9)
    one, other = np.round(rng.random(40), 2), np.round(rng.random(25) ** 2, 2)
    column = rw.score_shift(one, other)
    tallies = [rw.tally(rng.integers(0, 2, len(x)), x) for x in (one, other)]
    assert rw.score_shift(*tallies).p_value == column.p_value
    edges = np.linspace(0, 1, 9)
    bucketed = rw.score_shift(*(tally.bucketed(edges) for tally in tallies))
    assert bucketed.p_value >= column.p_value
    assert bucketed.method == "exact"
    with pytest.raises(TallyError, match="a shift counts scores"):
        rw.score_shift(rw.tally([1, 0], [0.1, 0.2], sample_weight=[1, 2]), other)


def test_large_samples_take_the_limit_and_agree():
    half = MOST_SCORES // 4
    for gap in (0.01, 0.03, 0.05):
        exact, limit = smirnov(gap, 3000, 3000), smirnov(gap, half, MOST_SCORES)
        assert (exact[1], limit[1]) == ("exact", "asymptotic")
    assert stats.kstwo.sf(0.03, 1500) == pytest.approx(smirnov(0.03, 3000, 3000)[0], rel=0.1)
    assert smirnov(0.0, 3, 4) == (1.0, "exact")


# -- what a labelled reference expects -----------------------------------------------------------


def world(rng, n, shift=0.0):
    """True probabilities, and scores that are no probabilities but order them."""
    odds = -1 + shift + 1.2 * rng.normal(size=n)
    return 1 / (1 + np.exp(-odds)), 1 / (1 + np.exp(-(1.5 * odds + 0.3)))


COSTS = rw.Costs(false_positive=1, false_negative=4)


def test_what_is_expected_holds_the_truth():
    held = dict.fromkeys(("auc", "positives", "prevalence", "cost"), 0)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        (true, scores), (later, moved) = world(rng, 1000), world(rng, 500, shift=0.7)
        found = rw.score_shift((rng.random(1000) < true, scores), moved, costs=COSTS).expected
        truth = {
            "auc": rw.reference_truth(later, moved).expected_auc,
            "positives": later.sum(),
            "prevalence": later.mean(),
            "cost": np.where(moved >= 0.5, 1 - later, 4 * later).mean(),
        }
        for name in held:
            held[name] += found[name].low <= truth[name] <= found[name].high
    assert all(each >= 52 for each in held.values()), held  # 57 are expected


def test_what_is_expected_is_said_and_needs_labels():
    rng = np.random.default_rng(0)
    (true, scores), (_, moved) = world(rng, 400), world(rng, 300)
    labels = rng.random(400) < true
    found = rw.score_shift((labels, scores), moved)
    assert "cost" not in found.expected
    assert "If outcomes given the scores are still those of the reference" in found.summary
    assert "cost" not in found.summary
    plain = rw.score_shift(scores, moved)
    assert plain.expected is None
    assert "If the scores are still calibrated" in plain.summary
    assert (plain.gap, plain.p_value) == (found.gap, found.p_value)
    assert found.to_dict()["expected"]["auc"]["low"] < found.expected["auc"].high
    as_tally = rw.score_shift((labels, scores), rw.tally(np.zeros(300, bool), moved))
    assert as_tally.expected["auc"].value == pytest.approx(found.expected["auc"].value, rel=1e-9)
    words = np.where(labels, "yes", "no")
    again = rw.score_shift((words, scores), moved, pos_label="yes")
    assert again.expected["positives"].value == found.expected["positives"].value
    with pytest.raises(OptionError, match=r"costs=\(1, 5\) is not a Costs object"):
        rw.score_shift((labels, scores), moved, costs=(1, 5))
    with pytest.raises(RocwalkError, match=r"reference at row 0 is NaN.*\nHint: .*finite\.$"):
        rw.score_shift((labels, [np.nan, *scores[1:]]), moved)
    with pytest.raises(OptionError, match="Costs need labels"):
        rw.score_shift(scores, moved, costs=COSTS)
