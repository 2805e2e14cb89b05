"""A truth that is a probability: worst and perfect curves, AUC_PRT, expected AUC, intervals."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwalk as rw
from reference import auc_by_pairs
from rocwalk.errors import (
    FileError,
    InputError,
    LabelError,
    OneClassError,
    OptionError,
    TallyError,
    UndefinedMetricWarning,
)
from rocwalk.truth.reference_truth import expected_auc
from samples import NO_ADVICE, hard_samples, soft_samples, weighted_samples

pytestmark = NO_ADVICE
TWELVE = rw.datasets.paper_examples()["truth_figure_3"]


def votes_of(n=120, seed=1):
    rng = np.random.default_rng(seed)
    count = rng.integers(2, 7, n)
    share = rng.beta(0.8, 0.8, n)
    truth = rng.binomial(count, share) / count
    return truth, 1 / (1 + np.exp(-3 * (share - 0.5) - rng.normal(size=n))), count


def exactly(*columns):
    return [[Fraction(value) for value in column.tolist()] for column in columns]


# -- the paper's rows ----------------------------------------------------------------------------


def test_the_twelve_rows_of_the_paper():
    found = rw.reference_truth(TWELVE.y_true, TWELVE.y_prob)
    assert found.auc == pytest.approx(121601 / 179902, abs=1e-15)
    assert found.aapcc == pytest.approx(0.190109059376772, abs=1e-14)
    assert found.auwcc == pytest.approx(found.aapcc, abs=1e-15)
    assert found.auc_prt == pytest.approx(874 / 1115, abs=1e-15)
    assert found.auc_prt_printed == pytest.approx(0.599858614559955, abs=1e-14)
    assert found.expected_auc == pytest.approx(23267 / 33874, abs=1e-15)
    assert found.hull.thresholds.tolist() == [np.inf, 0.75, 0.7, 0.18, 0.16, 0.11, 0.1]


def test_expected_auc_is_the_ratio_of_expectations():
    """Every item draws its label, in all ways: E[numerator] / E[pairs], in fractions."""
    truth, scores = [Fraction(1, 2), Fraction(1, 4), Fraction(2, 3), Fraction(1)], [3, 1, 2, 1]
    above = below = Fraction(0)
    for labels in product((0, 1), repeat=4):
        chance = math.prod(f if y else 1 - f for f, y in zip(truth, labels, strict=True))
        for (si, yi), (sj, yj) in product(zip(scores, labels, strict=True), repeat=2):
            if yi == 1 and yj == 0:
                below += chance
                above += chance * ((si > sj) + Fraction((si == sj), 2))
    found = rw.reference_truth([float(f) for f in truth], [float(s) for s in scores])
    assert found.expected_auc == pytest.approx(float(above / below), abs=1e-15)


# -- laws ----------------------------------------------------------------------------------------


@given(weighted_samples())
def test_areas_by_pairs(sample):
    truth, scores, weights = sample
    if len(set(truth.tolist())) < 2:
        return
    found = rw.reference_truth(truth, scores, sample_weight=weights)
    perfect = auc_by_pairs(*exactly(truth, truth, weights))
    area = auc_by_pairs(*exactly(truth, scores, weights))
    assert found.perfect.area == pytest.approx(float(perfect), abs=1e-12)
    assert found.worst.area == pytest.approx(float(1 - perfect), abs=1e-12)
    assert found.auc_prt == pytest.approx(
        float((area - (1 - perfect)) / (2 * perfect - 1)), abs=1e-9
    )


@given(soft_samples())
def test_the_worst_curve_is_the_perfect_one_turned_round_the_middle(sample):
    found = rw.reference_truth(*sample)
    assert found.worst.fpr == pytest.approx(1 - found.perfect.fpr[::-1], abs=1e-12)
    assert found.worst.tpr == pytest.approx(1 - found.perfect.tpr[::-1], abs=1e-12)


@given(soft_samples(), st.randoms(use_true_random=False))
def test_no_order_leaves_the_region(sample, random):
    truth, _ = sample
    order = np.array(random.sample(range(len(truth)), len(truth))) / len(truth)
    found = rw.reference_truth(truth, order)
    assert found.auwcc - 1e-12 <= found.auc <= 1 - found.aapcc + 1e-12
    assert -1e-9 <= found.auc_prt <= 1 + 1e-9
    best = rw.reference_truth(truth, truth)
    assert best.auc_prt == pytest.approx(1, abs=1e-9)
    assert rw.reference_truth(truth, -truth).auc_prt == pytest.approx(0, abs=1e-9)


@given(hard_samples())
def test_hard_labels_give_the_hard_answers(sample):
    y, s = sample
    found = rw.reference_truth(y, s)
    area = rw.roc(y, s).area
    assert (found.auc, found.auc_prt, found.expected_auc) == pytest.approx((area,) * 3, abs=1e-15)
    assert (found.aapcc, found.auwcc) == (0, 0)
    soft = rw.reference_truth(y.astype(float), s, truth="soft")
    assert soft.auc_prt == pytest.approx(area, abs=1e-12)
    assert soft.expected_auc == pytest.approx(area, abs=1e-12)
    from_tally = rw.reference_truth(rw.tally(y, s))
    assert from_tally.auc_prt == found.auc_prt
    assert rw.metrics.auc_prt_score(rw.tally(y, s)) == found.auc_prt


@given(soft_samples(min_size=4))
def test_parts_add_up_to_the_whole(sample):
    truth, scores = sample
    half = len(truth) // 2
    parts = [rw.truth_tally(truth[k], scores[k]) for k in (slice(half), slice(half, None))]
    whole, merged = rw.truth_tally(truth, scores), sum(parts)
    for one, other in ((whole.by_score, merged.by_score), (whole.by_truth, merged.by_truth)):
        assert one.scores.tolist() == other.scores.tolist()
        for name in ("up", "right", "up_right", "up_squared", "right_squared", "count"):
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-12)
    assert rw.reference_truth(merged).expected_auc == pytest.approx(
        rw.reference_truth(whole).expected_auc, abs=1e-12
    )


def test_a_truth_tally_survives_a_file(tmp_path):
    tally = rw.truth_tally(TWELVE.y_true, TWELVE.y_prob)
    path = tmp_path / "truth.npz"
    tally.save(path)
    again = rw.TruthTally.load(path)
    assert rw.reference_truth(again).to_dict() == rw.reference_truth(tally).to_dict()
    assert pickle.loads(pickle.dumps(tally)).by_truth.scores.tolist() == (
        tally.by_truth.scores.tolist()
    )
    with pytest.raises(FileError, match="holds a 'truth_tally', not a 'tally'"):
        rw.Tally.load(path)


def test_ties_in_truth_and_minus_zero():
    found = rw.truth_tally([-0.0, 0.0, 0.5, 0.5], [0.1, 0.2, 0.3, 0.4])
    assert found.by_truth.scores.tolist() == [0.5, 0.0]
    assert found.by_truth.count.tolist() == [2, 2]
    weighted = rw.truth_tally([0.3, 0.3, 0.6], [1, 2, 3], sample_weight=[1.7, 2.3, 0.1])
    assert len(weighted.by_truth) == 2


# -- intervals -----------------------------------------------------------------------------------


@pytest.mark.parametrize("statistic", ["auc_prt", "expected_auc"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_closed_form_is_that_of_an_infinitesimal_jackknife(statistic, weighted):
    truth, scores, _ = votes_of()
    weights = np.random.default_rng(2).uniform(0.5, 2, len(truth)) if weighted else None
    found = rw.interval(truth, scores, statistic=statistic, sample_weight=weights)
    w = np.ones(len(truth)) if weights is None else weights

    def value(copies):
        """The number when item i counts as so many items, each of its own weight."""
        up, right = w * truth, w * (1 - truth)
        k = np.multiply.outer(copies * up, copies * right)

        def area(order):
            wins = (order[:, None] > order) + 0.5 * (order[:, None] == order)
            return (k * wins).sum() / k.sum()

        if statistic == "auc_prt":
            perfect = area(truth)
            return (area(scores) + perfect - 1) / (2 * perfect - 1)
        own = (copies * up * right).sum()
        return (area(scores) * k.sum() - own / 2) / (k.sum() - own)

    n, step = len(truth), 1e-4
    slopes = []
    for i in range(n):
        more, less = np.ones(n), np.ones(n)
        more[i] += step
        less[i] -= step
        slopes.append((value(more) - value(less)) / (2 * step))
    slopes = np.array(slopes) - np.mean(slopes)
    assert found.estimate == pytest.approx(value(np.ones(n)), abs=1e-12)
    assert found.standard_error == pytest.approx(math.sqrt((slopes**2).sum()), rel=1e-5)
    assert found.method == "influence-logit"
    assert found.low < found.estimate < found.high


@pytest.mark.parametrize("statistic", ["auc_prt", "expected_auc"])
def test_the_closed_form_agrees_with_a_bootstrap(statistic):
    truth, scores, _ = votes_of(200)
    closed = rw.interval(truth, scores, statistic=statistic)
    drawn = rw.interval(truth, scores, statistic=statistic, method="percentile", rng=0)
    assert drawn.standard_error == pytest.approx(closed.standard_error, rel=0.12)
    again = rw.interval(truth, scores, statistic=statistic, method="percentile", rng=0, threads=1)
    assert again == drawn
    for method in ("basic", "bca"):
        found = rw.interval(truth, scores, statistic=statistic, method=method, rng=0)
        assert found.low < found.estimate < found.high


def test_clusters_are_drawn_whole():
    truth, scores, _ = votes_of(120)
    cluster = np.repeat(np.arange(30), 4)
    copies = [np.repeat(truth[::4], 4), np.repeat(scores[::4], 4)]
    found = rw.interval(*copies, statistic="auc_prt", cluster=cluster, method="influence")
    alone = rw.interval(truth[::4], scores[::4], statistic="auc_prt")
    assert found.estimate == pytest.approx(alone.estimate)
    assert found.standard_error == pytest.approx(alone.standard_error * math.sqrt(30 / 29))
    default = rw.interval(*copies, statistic="auc_prt", cluster=cluster)
    assert default.method == "jackknife-logit"
    drawn = rw.interval(
        *copies, statistic="auc_prt", cluster=cluster, method="percentile", rng=1, n_resamples=400
    )
    assert drawn.standard_error == pytest.approx(found.standard_error, rel=0.2)


def test_votes_are_drawn_again():
    truth, scores, count = votes_of(150)
    plain = rw.interval(truth, scores, method="percentile", rng=0)
    again = rw.interval(truth, scores, votes=count, rng=0)
    assert again.method == "percentile-votes"
    assert again.estimate == pytest.approx(plain.estimate)
    assert again.standard_error > plain.standard_error
    # one item, drawn again and again: the spread is that of its votes alone
    many = rw.interval(truth, scores, votes=count * 1000, rng=0)
    assert many.standard_error == pytest.approx(plain.standard_error, rel=0.1)


def test_the_spread_of_votes_is_binomial():
    """Ten like items: the mean truth of a replicate varies as draws of items and votes do."""
    truth, count = np.repeat([0.25, 0.75], 50), np.full(100, 4)
    scores = np.linspace(0, 1, 100)
    found = rw.interval(truth, scores, statistic="prevalence", votes=count, rng=3, n_resamples=4000)
    variance = (truth.var() + (truth * (1 - truth) / count).mean()) / 100
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=0.05)


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"votes": [1, 2]}, InputError, "lengths differ: votes has 2 rows, y_true 4"),
        ({"votes": [4, 0, 4, 4]}, InputError, "votes at row 1 is 0, not a number of votes"),
        ({"votes": [4, 2.5, 4, 4]}, InputError, "votes at row 1 is 2.5"),
        ({"votes": [3, 4, 4, 4]}, LabelError, "y_true at row 0 is 0.25, which is not a share of 3"),
        (
            {"votes": [4] * 4, "method": "influence"},
            OptionError,
            "'influence' is not for auc_prt",
        ),
        ({"method": "delong"}, OptionError, "'delong' is not for auc_prt of soft truth"),
    ],
)
def test_bad_votes(options, kind, words):
    with pytest.raises(kind, match=words):
        rw.interval([0.25, 0.5, 0.75, 1.0], [0.1, 0.2, 0.4, 0.3], statistic="auc_prt", **options)


def test_a_tally_has_lost_the_truth():
    soft = rw.tally(TWELVE.y_true, TWELVE.y_prob)
    with pytest.raises(TallyError, match="has lost the truth of the items"):
        rw.reference_truth(soft)
    with pytest.raises(TallyError, match="has lost the truth of the items"):
        rw.metrics.auc_prt_score(soft)
    with pytest.raises(TallyError, match="auc_prt needs the items"):
        rw.interval(soft, statistic="auc_prt")
    with pytest.raises(OptionError, match=r"votes= needs the items"):
        rw.interval(soft, votes=[1, 2])
    with pytest.raises(TallyError, match="steps='both' holds no reference truth"):
        rw.reference_truth(rw.tally([1, 0, 1], [0.2, 0.3, 0.4], steps="both"))
    with pytest.raises(TallyError, match="auc_prt needs the items"):
        rw.compare_samples(soft, soft, statistic="auc_prt")


# -- undefined -----------------------------------------------------------------------------------


def test_all_truths_alike():
    with pytest.raises(
        LabelError, match=r"same truth, 0\.3, so every order .*\nHint: check y_true"
    ):
        rw.reference_truth([0.3] * 4, [0.1, 0.2, 0.3, 0.4])
    with pytest.warns(UndefinedMetricWarning, match="All items have the same truth"):
        assert math.isnan(rw.metrics.auc_prt_score([0.3] * 4, [0.1, 0.2, 0.3, 0.4]))
    with pytest.raises(OneClassError):
        rw.reference_truth([1.0] * 4, [0.1, 0.2, 0.3, 0.4])


def test_one_item_has_no_other_pairs():
    assert math.isnan(expected_auc(rw.tally([0.5], [0.3])))


def test_the_picture_shows_the_region():
    found = rw.reference_truth(TWELVE.y_true, TWELVE.y_prob)
    ax = found.plot(name="model")
    (region,) = [patch for patch in ax.patches if patch.get_gid() == "region"]
    corners = region.get_xy()
    assert [0.0, 0.0] in corners.tolist()
    lines = {line.get_label(): line for line in ax.lines}
    assert lines["perfect"].get_ydata() == pytest.approx(found.perfect.tpr)
    assert lines["worst"].get_ydata() == pytest.approx(found.worst.tpr)
    assert any("AUC_PRT = 0.784" in label for label in lines)
    rw.reference_truth(TWELVE.y_true, TWELVE.y_true).plot(ax)
    assert sum(patch.get_gid() == "region" for patch in ax.patches) == 1


def test_it_speaks():
    found = rw.reference_truth(TWELVE.y_true, TWELVE.y_prob)
    assert "AUC 0.676, where no order of these items can reach more than 0.810" in found.sentence


# -- costs ---------------------------------------------------------------------------------------


def test_h_and_cost_area_of_the_papers_rows():
    example = rw.datasets.paper_examples()["truth_figure_3"]
    found = rw.reference_truth(example.y_true, example.y_prob)
    assert found.h_measure == pytest.approx(0.188597797697787, abs=1e-12)
    assert found.perfect.h_measure() == pytest.approx(0.314374, abs=1e-6)
    assert (round(found.h_prt, 3), round(found.h_measure / 0.314, 2)) == (0.6, 0.6)
    # The cost curve on a fine grid: the cheapest of all rules at each PC(+)
    share = (np.arange(200_000) + 0.5) / 200_000
    areas = []
    for curve in (found.curve, found.perfect):
        least = np.full(len(share), np.inf)
        for fpr, tpr in zip(curve.fpr, curve.tpr, strict=True):
            least = np.minimum(least, (1 - tpr) * share + fpr * (1 - share))
        areas.append(least.mean())
    assert found.cost_area == pytest.approx(areas[0], abs=1e-9)
    none = np.minimum(share, 1 - share).mean()
    rescaled = (none - areas[0]) / (none - areas[1])
    assert found.cost_area_prt == pytest.approx(rescaled, abs=1e-8)


@settings(max_examples=40)
@given(soft_samples())
def test_costs_lie_between_no_model_and_the_perfect_order(sample):
    truth, scores = sample
    if len(set(np.asarray(truth).tolist())) < 2:
        return
    found = rw.reference_truth(truth, scores)
    for share in (found.h_prt, found.cost_area_prt):
        assert -1e-9 <= share <= 1 + 1e-9
    best = rw.reference_truth(truth, truth)
    assert best.h_prt == pytest.approx(1, abs=1e-9)
    assert best.cost_area_prt == pytest.approx(1, abs=1e-9)


def test_costs_of_hard_labels_are_the_usual_ones(fawcett):
    found = rw.reference_truth(fawcett.tally)
    assert found.h_prt == found.h_measure == fawcett.h_measure()
    assert found.cost_area_prt == pytest.approx(1 - 4 * fawcett.cost_curve().area)
    blank = rw.reference_truth([1, 0, 1, 0], [0.5, 0.5, 0.5, 0.5])
    assert (blank.h_prt, blank.cost_area_prt) == (0, 0)
