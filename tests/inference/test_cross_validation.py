"""Numbers over folds: the mean, its interval, and models compared."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import DroppedRowsWarning, InputError, OneClassError, OptionError
from samples import NO_ADVICE

pytestmark = NO_ADVICE


def folds_of(rng, positives=30, negatives=45, folds=5):
    y = np.repeat([1, 0], [positives, negatives])
    fold = np.concatenate([np.arange(n) % folds for n in (positives, negatives)])
    shared = rng.normal(size=len(y))
    return (
        y,
        fold,
        {
            "strong": 1.5 * y + shared + 0.3 * rng.normal(size=len(y)),
            "weak": 1.0 * y + shared + 0.6 * rng.normal(size=len(y)),
        },
    )


def by_pairs(y, score):
    """V⁺ and V⁻ of one fold, from every pair."""
    high, low = score[y == 1], score[y == 0]
    wins = (high[:, None] > low) + 0.5 * (high[:, None] == low)
    return wins.mean(axis=1), wins.mean(axis=0)


def test_the_influence_curves_of_every_item():
    """LeDell, Petersen & van der Laan (2015) written out over pairs, with m/(m − 1)."""
    rng = np.random.default_rng(1)
    y, fold, scores = folds_of(rng)
    score = scores["strong"].round(1)  # ties
    areas, squares = [], []
    for k in range(5):
        held = fold == k
        up, right = by_pairs(y[held], score[held])
        areas.append(up.mean())
        share = y.mean()
        for each, part in ((up, share), (right, 1 - share)):
            squares.append(((each - areas[-1]) / part) ** 2 * len(each) / (len(each) - 1))
    error = math.sqrt(np.concatenate(squares).sum() / len(y) ** 2)
    found = rw.cross_validation(y, score, fold).models[0]
    assert found.estimate == pytest.approx(np.mean(areas), rel=1e-12)
    assert found.standard_error == pytest.approx(error, rel=1e-12)
    np.testing.assert_allclose(found.values, areas)
    assert 0 < found.low < found.estimate < found.high < 1


def test_a_repeat_of_the_same_split_adds_nothing():
    y, fold, scores = folds_of(np.random.default_rng(2))
    alone = rw.cross_validation(y, scores, fold)
    twice = rw.cross_validation(
        np.tile(y, 2),
        {name: np.tile(each, 2) for name, each in scores.items()},
        np.tile(fold, 2),
        repeat=np.repeat([0, 1], len(y)),
        item=np.tile(np.arange(len(y)), 2),
    )
    assert (twice.folds, twice.repeats) == (10, 2)
    for one, other in zip(alone.models, twice.models, strict=True):
        assert other.standard_error == pytest.approx(one.standard_error)
        assert (other.low, other.high) == pytest.approx((one.low, one.high))


def test_repeats_without_items_use_the_spread_over_folds():
    y, fold, scores = folds_of(np.random.default_rng(3))
    twice = rw.cross_validation(
        np.tile(y, 2),
        np.tile(scores["weak"], 2),
        np.tile(fold, 2),
        repeat=np.repeat([0, 1], len(y)),
    )
    one = twice.models[0]
    assert one.method == "nadeau-bengio"
    spread = one.values.std(ddof=1) * math.sqrt(1 / 10 + 1 / 4)
    assert one.standard_error == pytest.approx(spread)


def test_the_corrected_t_test_and_the_posterior():
    """t and its tail by scipy; the three probabilities by drawing from the posterior."""
    from scipy import stats

    y, fold, scores = folds_of(np.random.default_rng(4))
    found = rw.cross_validation(y, scores, fold, rope=0.02)
    pair = found.pairs[0]
    apart = found.models[0].values - found.models[1].values
    t = apart.mean() / math.sqrt((1 / 5 + 1 / 4) * apart.var(ddof=1))
    assert pair.t == pytest.approx(t)
    assert pair.df == 4
    assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(t), 4))
    draws = pair.difference + pair.standard_error * np.random.default_rng(0).standard_t(4, 400_000)
    assert pair.probability_below == pytest.approx(np.mean(draws < -0.02), abs=0.003)
    assert pair.probability_above == pytest.approx(np.mean(draws > 0.02), abs=0.003)
    total = pair.probability_below + pair.probability_equivalent + pair.probability_above
    assert total == pytest.approx(1)
    assert "strong − weak: difference in AUC" in pair.sentence
    assert "within ±0.02" in pair.sentence


def test_models_alike_have_no_difference_and_no_posterior():
    y, fold, scores = folds_of(np.random.default_rng(5))
    pair = rw.cross_validation(y, {"a": scores["weak"], "b": 2 * scores["weak"]}, fold).pairs[0]
    assert (pair.difference, pair.p_value) == (0.0, 1.0)
    assert math.isnan(pair.probability_equivalent)
    assert "no spread" in pair.sentence


def test_three_models_are_adjusted_for_three_pairs():
    y, fold, scores = folds_of(np.random.default_rng(6))
    more = scores | {"noise": np.random.default_rng(0).normal(size=len(y))}
    pairs = rw.cross_validation(y, more, fold).pairs
    assert len(pairs) == 3
    assert all(pair.adjusted_p_value >= pair.p_value for pair in pairs)
    assert "(Holm, 3 pairs)" in pairs[0].sentence


def test_weights_and_soft_truth():
    rng = np.random.default_rng(7)
    y, fold, scores = folds_of(rng)
    one = rw.cross_validation(y, scores, fold).models[0]
    scaled = rw.cross_validation(y, scores, fold, sample_weight=np.full(len(y), 3.0)).models[0]
    assert scaled.estimate == pytest.approx(one.estimate)
    soft = rw.cross_validation(0.8 * y + 0.1, scores, fold).models[0]
    assert soft.method == "influence"
    assert 0.5 < soft.estimate < one.estimate


def test_a_statistic_without_influence_of_each_class_uses_the_spread():
    y, fold, scores = folds_of(np.random.default_rng(8))
    prob = {name: 1 / (1 + np.exp(-each)) for name, each in scores.items()}
    found = rw.cross_validation(y, prob, fold, statistic="brier").models[0]
    assert found.method == "nadeau-bengio"


def test_bad_folds():
    y, fold, scores = folds_of(np.random.default_rng(9))
    s = scores["weak"]
    with pytest.raises(InputError, match="fold has 3 rows"):
        rw.cross_validation(y, s, fold[:3])
    with pytest.raises(InputError, match="fold.*is missing"):
        rw.cross_validation(y, s, np.where(fold == 2, np.nan, fold))
    with pytest.raises(OneClassError, match="Of 2 folds, 0 have items of both"):
        rw.cross_validation(y, s, y)
    with pytest.raises(OptionError, match="rope"):
        rw.cross_validation(y, s, fold, rope=-1)
    with pytest.warns(DroppedRowsWarning, match="one class only"):
        found = rw.cross_validation(y, s, np.where((fold == 0) & (y == 1), 9, fold))
    assert found.folds == 4
    uneven = np.where((fold == 4) & (np.arange(len(y)) % 2 == 0), 3, fold)
    with pytest.raises(InputError, match="do not divide into 2 repeats"):
        rw.cross_validation(
            np.tile(y, 2),
            np.tile(s, 2),
            np.concatenate([fold, np.where(uneven == 4, 3, uneven)]),
            repeat=np.repeat([0, 1], len(y)),
        )
