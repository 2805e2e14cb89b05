"""The tally: columns, adding, buckets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocwalk as rw
from reference import exact
from rocwalk.errors import TallyError
from samples import NO_ADVICE, hard_samples, soft_samples
from tally_rows import assert_same

pytestmark = NO_ADVICE


def test_hard_counts_are_integers():
    tally = rw.tally([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1])
    assert tally.is_counts
    assert tally.up.dtype == tally.right.dtype == np.int64
    assert (tally.total_up, tally.total_right, tally.total_count) == (2, 2, 4)
    assert isinstance(tally.total_up, int)


def test_columns_are_read_only():
    tally = rw.tally([1, 0, 1, 0], [0.9, 0.8, 0.8, 0.1])
    for name in ("scores", "up", "right"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(tally, name)[0] = 7


def test_the_users_arrays_stay_writeable_and_unchanged():
    truth, scores = np.array([0.25, 0.5]), np.array([-0.0, 0.5])
    rw.tally(truth, scores)
    rw.roc(truth, scores)
    truth[0], scores[0] = 1.0, 1.0
    assert truth.flags.writeable
    counts = np.array([1, 1])
    rw.roc(rw.Tally(scores, counts, counts))
    assert counts.flags.writeable


@given(st.one_of(hard_samples(), soft_samples()), st.data())
def test_split_and_merge(sample, data):
    truth, scores = sample
    kind = "hard" if truth.dtype.kind == "i" else "soft"
    parts = np.array(
        data.draw(st.lists(st.integers(0, 2), min_size=len(truth), max_size=len(truth)))
    )
    whole = rw.tally(truth, scores, truth=kind)
    pieces = [
        rw.tally(truth[parts == k], scores[parts == k], truth=kind)
        for k in range(3)
        if (parts == k).any()
    ]
    tolerance = 0.0 if kind == "hard" else 1e-13
    assert_same(sum(pieces), whole, tolerance)
    assert_same(rw.Tally.merge(pieces[::-1]), whole, tolerance)


@given(hard_samples(), soft_samples())
def test_hard_and_soft_tallies_add(hard, soft):
    both = rw.tally(*hard) + rw.tally(*soft)
    truth, scores = np.concatenate([hard[0], soft[0]]), np.concatenate([hard[1], soft[1]])
    assert_same(both, rw.tally(truth, scores, truth="soft"), 1e-13)


def test_unlike_tallies_refuse_to_add():
    hard = rw.tally([1, 0], [0.9, 0.1])
    for other in ("single", "blind", "both"):
        with pytest.raises(
            TallyError, match="different steps do not add: steps='truth' and steps="
        ):
            hard + rw.tally([1, 0], [0.9, 0.1], steps=other)
    with pytest.raises(TallyError, match=r"at threshold 0.5 and steps='both' at threshold 0.4"):
        rw.tally([1, 0], [0.9, 0.1], steps="both") + rw.tally(
            [1, 0], [0.9, 0.1], steps="both", threshold=0.4
        )
    with pytest.raises(TypeError, match="unsupported operand"):
        hard + 3
    with pytest.raises(TallyError, match="no tally to merge"):
        rw.Tally.merge([])


@given(hard_samples(), st.lists(st.floats(0.01, 0.99), min_size=1, max_size=4))
def test_buckets_keep_masses_and_bound_the_area(sample, edges):
    exact_tally = rw.tally(*sample)
    coarse = exact_tally.bucketed(np.array(edges))
    low, middle, high = coarse.auc_bounds
    area = exact_tally.auc_bounds[1]
    assert low - 1e-12 <= area <= high + 1e-12
    assert low <= middle <= high
    assert (coarse.total_up, coarse.total_right) == (exact_tally.total_up, exact_tally.total_right)
    assert np.all(np.diff(coarse.scores) < 0)
    assert coarse.up_score.sum() == pytest.approx(exact_tally.up_score.sum(), abs=1e-14)
    assert coarse.mean_score == pytest.approx(exact_tally.mean_score, abs=1e-14)


@given(hard_samples(min_size=4), st.data())
def test_bucketed_parts_add_to_the_bucketed_whole(sample, data):
    truth, scores = sample
    edges = np.array([0.25, 0.5, 0.75])
    cut = data.draw(st.integers(1, len(truth) - 1))
    parts = [rw.tally(truth[k], scores[k]).bucketed(edges) for k in (slice(cut), slice(cut, None))]
    whole = rw.tally(*sample).bucketed(edges)
    merged = rw.Tally.merge(parts)
    if not merged.is_bucketed or not whole.is_bucketed or len(merged) != len(whole):
        # spans of parts may be disjoint inside a bucket: then the sum keeps them apart
        assert merged.total_up == whole.total_up
        assert len(merged) >= len(whole)
        merged = merged.bucketed(edges)
    assert_same(merged, whole)


@given(soft_samples())
def test_soft_buckets_count_self_pairs(sample):
    coarse = rw.tally(*sample).bucketed(np.array([0.5]))
    low, _, high = coarse.auc_bounds
    area = rw.tally(*sample).auc_bounds[1]
    assert low - 1e-12 <= area <= high + 1e-12


def test_the_bound_is_reached():
    # one bucket with all: two positives, two negatives, no order known
    tally = rw.tally([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]).bucketed(np.array([0.0]))
    assert tally.auc_bounds == (0.0, 0.5, 1.0)


def test_overlapping_buckets_run_together():
    one = rw.tally([1, 0], [0.9, 0.5]).bucketed(np.array([0.4]))
    other = rw.tally([1, 0, 0], [0.7, 0.6, 0.1])
    merged = one + other
    assert merged.scores.tolist() == [0.5, 0.1]
    assert merged.highest.tolist() == [0.9, 0.1]
    assert merged.up.tolist() == [2, 0]


def test_first_moments_of_buckets_are_exact_integers_in_any_order(rng):
    scores, truth = rng.random(5000), rng.integers(0, 2, 5000)
    edges = np.linspace(0, 1, 17)
    whole = rw.tally(truth, scores).bucketed(edges)
    assert whole.stored["up_score"].dtype == np.int64
    order = rng.permutation(5000)
    parts = [rw.tally(truth[k], scores[k]).bucketed(edges) for k in np.array_split(order, 7)]
    for merged in (sum(parts), rw.Tally.merge(parts[::-1])):
        np.testing.assert_array_equal(merged.stored["up_score"], whole.stored["up_score"])
        np.testing.assert_array_equal(merged.up_score, whole.up_score)
    true_sum = sum(exact_sum for exact_sum in map(Fraction, scores[truth == 1]))
    assert float(whole.up_score.sum()) == pytest.approx(float(true_sum), rel=1e-15)


def test_scores_outside_the_unit_interval_can_be_bucketed(rng):
    scores, truth = rng.normal(size=300) * 50, rng.integers(0, 2, 300)
    tally = rw.tally(truth, scores)
    coarse = tally.bucketed(np.linspace(-100, 100, 9))
    assert coarse.stored["up_score"].dtype == np.float64
    assert coarse.up_score.sum() == pytest.approx(tally.up_score.sum(), rel=1e-12)


def test_counts_beyond_two_to_the_24_are_exact_for_float32_scores():
    n = 2**24 + 5
    scores = np.full(n, 0.5, dtype=np.float32)
    truth = np.zeros(n, dtype=bool)
    truth[:3] = True
    scores[0] = 0.75
    tally = rw.tally(truth, scores)
    assert tally.scores.tolist() == [0.75, 0.5]
    assert tally.up.tolist() == [1, 2]
    assert tally.right.tolist() == [0, n - 3]


def test_areas_of_many_rows_are_those_of_fractions(rng):
    """More rows than one block; of counts exact, of masses rounded."""
    for kind in ("counts", "masses"):
        up, right = (rng.integers(0, 9, 20_000) for _ in range(2))
        if kind == "masses":
            up, right = up * 0.1, right * 0.3
        above, pairs = Fraction(0), Fraction(0)
        for u, r in zip(map(Fraction, up.tolist()), map(Fraction, right.tolist()), strict=True):
            pairs += r * (2 * above + u)
            above += u
        area = pairs / (2 * above * sum(map(Fraction, right.tolist())))
        found = rw.Tally(np.arange(20_000)[::-1] / 20_000, up, right).area
        assert found == (float(area) if kind == "counts" else pytest.approx(float(area), abs=1e-13))


def test_area_of_counts_too_large_for_int64():
    # 6·10⁹ positives and negatives: the numerator needs 66 bits
    big = 3 * 10**9
    tally = rw.Tally(np.array([0.9, 0.5, 0.1]), np.array([big, big, 0]), np.array([0, big, big]))
    assert tally.auc_bounds[1] == pytest.approx(0.875, abs=1e-15)
    assert rw.roc(tally).area == pytest.approx(0.875, abs=1e-15)
    assert rw.roc(tally).hull.thresholds.tolist() == [np.inf, 0.9, 0.5, 0.1]


def test_exact_scores_read_back(rng):
    for scores in (
        rng.random(100),
        rng.normal(size=100) * 1e6,
        -rng.random(100),
        np.array([1e300, -1e300, 5e-324, 0.0]),
        np.array([2.0, 1.0, 4.0, 1e-308]),
        np.array([3, -7, 2**53, 0]),
        rng.random(50).astype(np.float32),
    ):
        truth = np.arange(len(scores)) % 2
        tally = rw.tally(truth, scores)
        assert tally.scores.tolist() == sorted({float(s) for s in scores}, reverse=True)
        expected = {float(s): 0 for s in scores}
        for s, f in zip(scores, truth, strict=True):
            expected[float(s)] += int(f)
        assert dict(zip(tally.scores.tolist(), tally.up.tolist(), strict=True)) == expected


def test_negative_zero_is_zero():
    for truth in ([1, 0, 1], [0.5, 0.25, 1.0]):
        tally = rw.tally(truth, [-0.0, 0.0, -1.0])
        assert tally.scores.tolist() == [0.0, -1.0]
        assert not np.signbit(tally.scores[0])
    assert rw.tally([1, 0], [-0.0, 0.0]).scores.tolist() == [0.0]


def test_exact_example_of_halves():
    assert exact([0.1]) == [Fraction(1, 10)]
