"""Numbers over folds: the mean, its interval, and models compared."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from commands import example_column
from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    OneClassError,
    OptionError,
    RocwalkWarning,
    SmallSampleWarning,
)
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


def lonely_folds(rng, positives=40, negatives=160, folds=30):
    """Folds of one or two positives and a few negatives."""
    y = np.repeat([1, 0], [positives, negatives])
    fold = np.concatenate([np.arange(n) % folds for n in (positives, negatives)])
    return y, fold, rng.normal(1.2 * y, 1)


@pytest.mark.parametrize("repeats", [1, 2])
def test_the_only_positive_of_a_fold_is_measured_against_the_mean_of_all_folds(repeats):
    rng = np.random.default_rng(8)
    y, fold, score = lonely_folds(rng, 60, 180, 45)
    both = [by_pairs(y[fold == k], score[fold == k]) for k in range(45)]
    mean = np.mean([up.mean() for up, _ in both])
    of_up, of_right = [], []
    for up, right in both:
        if len(up) == 1:
            of_up.append((up[0] - mean) ** 2 * 45 / 44)
        else:
            of_up.extend((up - up.mean()) ** 2 * len(up) / (len(up) - 1))
        of_right.extend((right - up.mean()) ** 2 * len(right) / (len(right) - 1))
    parts = np.sum(of_up) / 60**2, np.sum(of_right) / 180**2
    # 30 lonely positives around one mean, 15 pairs around their own; negatives around 45 means
    df = sum(parts) ** 2 / (parts[0] ** 2 / (29 + 15) + parts[1] ** 2 / 135)
    middle = mean * (1 - mean)
    reach = stats.t.ppf(0.975, df) * math.sqrt(sum(parts)) / middle
    found = rw.cross_validation(
        np.tile(y, repeats),
        np.tile(score, repeats),
        np.tile(fold, repeats),
        repeat=np.repeat(np.arange(repeats), len(y)),
    ).models[0]
    assert found.standard_error == pytest.approx(math.sqrt(sum(parts)), rel=1e-12)
    assert found.method == "influence"
    assert found.low == pytest.approx(1 / (1 + (1 - mean) / mean * math.exp(reach)), rel=1e-9)


def test_the_pair_of_a_fold_of_two_items_is_counted_once():
    """Thirty folds of a positive and a negative: the areas are 0 or 1, and their spread is s²/k."""
    rng = np.random.default_rng(9)
    y, fold = np.repeat([1, 0], 30), np.tile(np.arange(30), 2)
    found = rw.cross_validation(y, rng.normal(y, 1), fold).models[0]
    assert set(found.values) == {0.0, 1.0}
    assert found.standard_error == pytest.approx(stats.sem(found.values), rel=1e-12)


def test_areas_of_folds_of_one_or_two_positives_are_held():
    """In 95 %; where the only positive of a fold counted as without spread, in 86 %."""
    rng, truth, held = np.random.default_rng(10), stats.norm.cdf(1.2 / math.sqrt(2)), 0
    for _ in range(300):
        y, fold, score = lonely_folds(rng, folds=38)
        found = rw.cross_validation(y, score, fold).models[0]
        held += found.low <= truth <= found.high
    assert held >= 277


def test_a_repeat_of_the_same_split_adds_nothing():
    y, fold, scores = folds_of(np.random.default_rng(2))
    alone = rw.cross_validation(y, scores, fold)
    twice = rw.cross_validation(
        np.tile(y, 2),
        {name: np.tile(each, 2) for name, each in scores.items()},
        np.tile(fold, 2),
        repeat=np.repeat([0, 1], len(y)),
    )
    assert (twice.folds, twice.repeats) == (10, 2)
    for one, other in zip(alone.models, twice.models, strict=True):
        assert other.standard_error == pytest.approx(one.standard_error)
        assert (other.low, other.high) == pytest.approx((one.low, one.high))


def test_repeats_have_the_mean_of_their_variances():
    y, fold, scores = folds_of(np.random.default_rng(3))
    other = np.roll(fold, 7)
    alone = [rw.cross_validation(y, scores["weak"], each).models[0] for each in (fold, other)]
    twice = rw.cross_validation(
        np.tile(y, 2),
        np.tile(scores["weak"], 2),
        np.concatenate([fold, other]),
        repeat=np.repeat([0, 1], len(y)),
    )
    one = twice.models[0]
    variance = np.mean([each.standard_error**2 for each in alone])
    assert one.standard_error == pytest.approx(math.sqrt(variance))
    assert one.estimate == pytest.approx(np.mean([each.estimate for each in alone]))


def test_the_standard_error_is_that_of_cvauc():
    """cvAUC 1.1.4, on 200 rows of either class of the bundled example in ten folds of 20 + 20.

    at <- ave(seq_len(nrow(d)), d$malignant, FUN = seq_along); b <- d[at <= 200, ];
    b$fold <- (at[at <= 200] - 1) %% 10; ci.cvAUC(b$logistic, b$malignant, folds = b$fold)
    gives cvAUC 0.9005 and se 0.014840400938. Ours has m/(m − 1) in addition, m = 20.
    """
    y = np.array(example_column("malignant"), dtype=int)
    s = np.array(example_column("logistic"), dtype=float)
    at = np.empty(len(y), dtype=int)
    for label in (0, 1):
        at[y == label] = np.arange(np.count_nonzero(y == label))
    kept = at < 200
    found = rw.cross_validation(y[kept], s[kept], at[kept] % 10).models[0]
    assert found.estimate == pytest.approx(0.9005, rel=1e-12)
    assert found.standard_error * math.sqrt(19 / 20) == pytest.approx(0.014840400938, rel=1e-9)
    assert found.method == "influence"


def cv_auc(y, s, fold):
    """ci.cvAUC of the R package (R/ci.cvAUC.R), written anew: mean over folds of each one's IC².

    Its comparison "pred > other + 0.5·(pred == other)" counts ties as losses.
    """
    share, means, areas = y.mean(), [], []
    for k in np.unique(fold):
        up, right = s[(fold == k) & (y == 1)], s[(fold == k) & (y == 0)]
        area = (0.5 + 0.5 * np.sign(np.subtract.outer(up, right))).mean()
        wins = np.greater.outer(up, right)
        of_up = (wins.mean(axis=1) - area) / share
        of_right = (wins.mean(axis=0) - area) / (1 - share)
        means.append(np.mean(np.concatenate([of_up, of_right]) ** 2))
        areas.append(area)
    return np.mean(areas), math.sqrt(np.mean(means) / len(y))


def test_the_numbers_of_cvauc_follow_from_its_source():
    y = np.array(example_column("malignant"), dtype=int)
    s = np.array(example_column("logistic"), dtype=float)
    fold = np.array(example_column("fold"))
    assert cv_auc(y, s, fold) == pytest.approx((0.885758695151, 0.0137804697369), rel=1e-10)
    at = np.empty(len(y), dtype=int)
    for label in (0, 1):
        at[y == label] = np.arange(np.count_nonzero(y == label))
    kept = at < 200
    found = cv_auc(y[kept], s[kept], at[kept] % 10)
    assert found == pytest.approx((0.9005, 0.014840400938), rel=1e-9)


def test_the_standard_error_of_unequal_folds_is_near_that_of_cvauc():
    """cvAUC 1.1.4: ci.cvAUC(d$logistic, d$malignant, folds = d$fold), folds of 42 or 43 + 71."""
    y = np.array(example_column("malignant"), dtype=int)
    s = np.array(example_column("logistic"), dtype=float)
    found = rw.cross_validation(y, s, example_column("fold")).models[0]
    assert found.estimate == pytest.approx(0.885758695151, rel=1e-11)
    assert found.standard_error == pytest.approx(0.0137804697369, rel=0.015)
    assert found.standard_error > 0.0137804697369


def test_areas_without_spread_and_of_few_items_have_newcombe_too():
    y = np.tile([1, 0], 10)
    fold = np.arange(20) // 4
    perfect = rw.cross_validation(y, y + 0.0, fold).models[0]
    assert (perfect.estimate, perfect.high, perfect.method) == (1.0, 1.0, "influence-newcombe")
    assert 0.5 < perfect.low < 0.95
    assert perfect.low == pytest.approx(rw.interval(y, y + 0.0, method="newcombe").low)


def test_a_loss_that_is_infinite_in_a_fold_has_no_interval_and_no_test():
    y, fold, scores = folds_of(np.random.default_rng(11))
    p = 1 / (1 + np.exp(-scores["weak"]))
    sure = np.where(np.arange(len(y)) == 0, 0.0, p)
    found = rw.cross_validation(y, {"a": sure, "b": p}, fold, statistic="log_loss")
    one, pair = found.models[0], found.pairs[0]
    assert one.estimate == math.inf
    assert math.isnan(one.low)
    assert math.isnan(one.high)
    assert math.isnan(pair.p_value)
    assert math.isnan(pair.low)
    assert "infinite or undefined in some fold" in pair.sentence


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


def clustered_folds(rng, patients=40, each=6, folds=5):
    """Rows of patients with effects of their own, whole patients in a fold."""
    patient = np.repeat(np.arange(patients), each)
    y = (rng.random(patients * each) < 0.4).astype(int)
    s = 1.2 * y + rng.normal(size=patients)[patient] + rng.normal(size=len(y))
    return y, s.round(1), patient % folds, patient


def area_of_pairs(y, s):
    return by_pairs(y, s)[0].mean()


def test_clusters_are_left_out_one_at_a_time_in_their_folds():
    y, s, fold, patient = clustered_folds(np.random.default_rng(11))
    means, variance = [], 0.0
    for k in range(5):
        inside = fold == k
        means.append(area_of_pairs(y[inside], s[inside]))
        without = np.array(
            [
                area_of_pairs(y[inside & (patient != one)], s[inside & (patient != one)])
                for one in np.unique(patient[inside])
            ]
        )
        count = len(without)
        variance += (1 - 1 / count) * ((without - without.mean()) ** 2).sum() / 25
    found = rw.cross_validation(y, s, fold, cluster=patient).models[0]
    assert found.method == "jackknife"
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9)
    mean = np.mean(means)
    worth = min(
        np.bincount(patient, y == label).sum() ** 2 / (np.bincount(patient, y == label) ** 2).sum()
        for label in (0, 1)
    )
    reach = stats.t.ppf(0.975, worth - 5) * math.sqrt(variance) / (mean * (1 - mean))
    assert found.low == pytest.approx(1 / (1 + (1 - mean) / mean * math.exp(reach)), rel=1e-9)


def test_copies_of_rows_in_a_cluster_add_nothing():
    """Ten copies of each patient; where they counted as items, the interval was a third as wide."""
    y = np.array(example_column("malignant"), dtype=int)
    s = np.array(example_column("logistic"), dtype=float)
    fold = np.array(example_column("fold"))
    once = rw.cross_validation(y, s, fold).models[0]
    copies = [np.repeat(column, 10) for column in (y, s, fold, np.arange(len(y)))]
    many = rw.cross_validation(*copies[:3], cluster=copies[3]).models[0]
    naive = rw.cross_validation(*copies[:3]).models[0]
    assert many.standard_error == pytest.approx(once.standard_error, rel=0.01)
    assert (many.low, many.high) == pytest.approx((once.low, once.high), abs=0.002)
    assert naive.standard_error < 0.35 * once.standard_error


def test_repeats_have_the_mean_of_the_variances_of_clusters():
    y, s, fold, patient = clustered_folds(np.random.default_rng(12))
    other = (patient // 2) % 5
    alone = [rw.cross_validation(y, s, each, cluster=patient).models[0] for each in (fold, other)]
    twice = rw.cross_validation(
        np.tile(y, 2),
        np.tile(s, 2),
        np.concatenate([fold, other]),
        repeat=np.repeat([0, 1], len(y)),
        cluster=np.tile(patient, 2),
    ).models[0]
    variance = np.mean([one.standard_error**2 for one in alone])
    assert twice.standard_error == pytest.approx(math.sqrt(variance))


def test_a_fold_for_each_cluster_uses_the_spread_over_folds():
    y, s, _, patient = clustered_folds(np.random.default_rng(13), patients=8, each=30)
    found = rw.cross_validation(y, s, patient, cluster=patient).models[0]
    assert found.method == "nadeau-bengio"
    assert found.standard_error > 0


def test_clusters_in_several_folds_are_said_and_their_moves_added():
    y, s, fold, patient = clustered_folds(np.random.default_rng(14))
    with pytest.warns(RocwalkWarning, match="40 clusters have rows in several folds"):
        found = rw.cross_validation(y, s, np.arange(len(y)) % 5, cluster=patient).models[0]
    whole = rw.cross_validation(y, s, fold, cluster=patient).models[0]
    assert found.standard_error == pytest.approx(whole.standard_error, rel=0.5)
    with pytest.warns(SmallSampleWarning, match="4 clusters"):
        rw.cross_validation(y, s, patient // 10 % 2, cluster=patient // 10)


def test_perfect_areas_of_clusters_have_newcombe_of_as_many_clusters():
    y, _, fold, patient = clustered_folds(np.random.default_rng(15))
    found = rw.cross_validation(y, y.astype(float) + patient / 1e3, fold, cluster=patient)
    one = found.models[0]
    assert one.method == "jackknife-newcombe"
    rows = rw.cross_validation(y, y.astype(float) + patient / 1e3, fold).models[0]
    assert one.low < rows.low < 1
    assert "jackknife" in str(found.methods())


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
    with pytest.raises(OneClassError, match="Folds with items of both classes: 0 of 2"):
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
