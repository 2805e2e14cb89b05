"""Calibration from the hull: against isotonic regression and scikit-learn's losses."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

import rocwalk as rw
from rocwalk.errors import InputError, OneClassError, ScoreError, TallyError
from samples import NO_ADVICE, hard_samples, soft_samples, weighted_samples

pytestmark = NO_ADVICE
EXAMPLES = rw.datasets.paper_examples()
FAWCETT, TWELVE = EXAMPLES["classic_table_1"], EXAMPLES["truth_figure_3"]
CURVE = rw.roc(FAWCETT.y_true, FAWCETT.y_prob)
some = settings(max_examples=40)


def _apart(sample):
    """Bring scores to a grid: scikit-learn ties scores that nearly tie."""
    truth, scores, *weights = sample
    return truth, scores.round(6), weights[0] if weights else np.ones(len(truth))


def _unsure(sample):
    """Move scores away from 0 and 1, where scikit-learn's log loss would clip."""
    truth, scores, weights = sample
    return truth, 0.01 + 0.98 * scores, weights


SAMPLES = st.one_of(hard_samples(), soft_samples(), weighted_samples()).map(_apart)


def calibration_of(sample):
    truth, scores, weights = sample
    return rw.roc(truth, scores, sample_weight=weights).calibration()


def isotonic(sample):
    truth, scores, weights = sample
    return IsotonicRegression().fit(scores, truth, sample_weight=weights)


def near(value, within=1e-12):
    return pytest.approx(value, rel=within, abs=within)


def brier_of(truth, scores, weights):
    return np.average(truth * (1 - scores) ** 2 + (1 - truth) * scores**2, weights=weights)


def log_of(truth, scores, weights):
    """−Σw{f·ln s + (1 − f)·ln(1 − s)}/Σw by loops, where 0·∞ is 0."""
    total = 0.0
    for f, s, w in zip(truth, scores, weights, strict=True):
        for share, chance in ((f, s), (1 - f, 1 - s)):
            if share > 0:
                total += w * share * (-math.log(chance) if chance > 0 else math.inf)
    return total / sum(weights)


# -- golden numbers ----------------------------------------------------------------------------------


def test_the_twelve_soft_rows():
    found = rw.roc(TWELVE.y_true, TWELVE.y_prob).calibration()
    assert found.brier.loss == pytest.approx(
        0.260183333, abs=5e-10
    )  # docs/mathematics, "Cost space"
    # the hull of the paper's 12 rows has these edges, in hundredths of mass, from the lowest score
    steps = np.array([(15, 85), (20, 80), (89, 111), (245, 255), (72, 28), (173, 27)])
    assert found.blocks.up == near(steps[:, 0] / 100)
    assert found.blocks.right == near(steps[:, 1] / 100)
    assert found.blocks.value == near(steps[:, 0] / steps.sum(axis=1))
    assert found.blocks.lowest.tolist() == [0.1, 0.11, 0.16, 0.18, 0.7, 0.75]
    assert found.blocks.highest.tolist() == [0.1, 0.11, 0.17, 0.6, 0.7, 0.8]
    left = (steps.prod(axis=1) / steps.sum(axis=1)).sum() / 1200
    assert found.brier.refinement == near(left)
    share = 614 / 1200
    assert found.brier.uncertainty == near(share * (1 - share))


def test_fawcetts_twenty_instances():
    blocks = CURVE.calibration().blocks
    assert blocks.value == near([0, 1 / 3, 3 / 7, 3 / 4, 1])
    assert blocks.lowest.tolist() == [0.1, 0.3, 0.38, 0.54, 0.8]
    assert blocks.highest.tolist() == [0.1, 0.37, 0.53, 0.7, 0.9]
    assert blocks.mean_score == near([0.1, 2.05 / 6, 3.235 / 7, 2.39 / 4, 0.85])
    assert blocks.share == near([0.05, 0.3, 0.35, 0.2, 0.1])


def test_what_it_says_and_lists():
    found = CURVE.calibration()
    parts = found.brier
    assert found.sentence.startswith(f"Brier score {parts.loss:.4f} = 0.2500 uncertainty")
    assert f"+ {parts.miscalibration:.4f} miscalibration" in found.sentence
    table = found.to_dict()
    assert table["value"] == found.blocks.value.tolist()
    assert sum(table["up"]) == 10
    assert sum(table["right"]) == 10


# -- against isotonic regression ---------------------------------------------------------------------


@given(SAMPLES)
@some
def test_calibrated_scores_are_those_of_isotonic_regression(sample):
    fit = isotonic(sample).predict(sample[1])
    found = calibration_of(sample)
    assert found.calibrate(sample[1]) == near(fit)
    assert found.blocks.value == near(np.unique(fit.round(11)), 1e-10)
    assert (np.diff(found.blocks.value) > 0).all()
    assert (found.blocks.lowest[1:] > found.blocks.highest[:-1]).all()


@given(SAMPLES)
@some
def test_between_blocks_runs_a_straight_line(sample):
    grid = np.linspace(sample[1].min(), sample[1].max(), 33)
    found = calibration_of(sample)
    assert found.calibrate(grid) == near(isotonic(sample).predict(grid), 1e-9)
    values = found.blocks.value
    assert found.calibrate([0, 1]) == near(values[[0, -1]])  # beyond the scores nothing moves


@given(SAMPLES)
@some
def test_blocks_are_the_edges_of_the_hull(sample):
    truth, scores, weights = sample
    found, hull = calibration_of(sample).blocks, rw.roc(truth, scores, sample_weight=weights).hull
    share = np.average(truth, weights=weights)
    rise, run = share * np.diff(hull.tpr)[::-1], (1 - share) * np.diff(hull.fpr)[::-1]
    assert found.value == near(rise / (rise + run), 1e-11)
    assert found.share == near(rise + run)
    for low, high, value, mean, mass in zip(
        found.lowest, found.highest, found.value, found.mean_score, found.share, strict=True
    ):
        inside = (low <= scores) & (scores <= high)
        assert value == near(np.average(truth[inside], weights=weights[inside]))
        assert mean == near(np.average(scores[inside], weights=weights[inside]))
        assert mass == near(weights[inside].sum() / weights.sum())


@given(hard_samples())
@some
def test_calibrated_scores_are_calibrated(sample):
    truth, scores, weights = _apart(sample)
    fit = calibration_of((truth, scores, weights)).calibrate(scores)
    again = calibration_of((truth, fit.round(12), weights))
    for parts in (again.brier, again.log_loss):
        assert 0 <= parts.miscalibration <= 1e-9  # not below 0 by rounding either
    assert again.brier.loss == near(
        calibration_of((truth, scores, weights)).brier.refinement, 1e-11
    )


# -- losses and their parts --------------------------------------------------------------------------


@given(SAMPLES)
@some
def test_the_brier_score_and_its_parts(sample):
    truth, scores, weights = sample
    parts = calibration_of(sample).brier
    share = np.average(truth, weights=weights)
    fit = isotonic(sample).predict(scores)
    assert parts.loss == near(brier_of(truth, scores, weights))
    assert parts.refinement == near(brier_of(truth, fit, weights))
    assert parts.uncertainty == near(share * (1 - share))
    assert parts.loss == near(parts.uncertainty - parts.discrimination + parts.miscalibration)
    assert min(parts.miscalibration, parts.discrimination) >= 0
    curve = rw.roc(truth, scores, sample_weight=weights)
    assert parts.loss == near(curve.brier_curve().area)
    assert parts.refinement == near(curve.cost_curve().loss.area)


@given(SAMPLES.map(_unsure))
@some
def test_the_log_loss_and_its_parts(sample):
    truth, scores, weights = sample
    parts = calibration_of(sample).log_loss
    share = np.average(truth, weights=weights)
    fit = np.clip(isotonic(sample).predict(scores), 0, 1)
    assert parts.loss == near(log_of(truth, scores, weights))
    assert parts.refinement == near(log_of(truth, fit, weights), 1e-10)
    assert parts.uncertainty == near(log_of([share], [share], [1.0]))
    assert parts.loss == near(parts.uncertainty - parts.discrimination + parts.miscalibration)
    assert min(parts.miscalibration, parts.discrimination) >= 0


@given(SAMPLES.filter(lambda sample: set(sample[0].tolist()) == {0, 1}).map(_unsure))
@some
def test_losses_of_scikit_learn(sample):
    truth, scores, weights = sample
    y = truth.astype(int)
    found = calibration_of((y, scores, weights))
    assert found.brier.loss == near(brier_score_loss(y, scores, sample_weight=weights))
    assert found.log_loss.loss == near(log_loss(y, scores, sample_weight=weights))


@given(soft_samples())
@some
def test_what_experts_disagree_about_is_lost_whatever_the_score(sample):
    truth, scores = sample
    apart, disagreement = ((scores - truth) ** 2).mean(), (truth * (1 - truth)).mean()
    assert rw.roc(truth, scores).calibration().brier.loss == near(apart + disagreement)


@pytest.mark.parametrize("kind", ["hard", "soft", "weighted"])
def test_the_registered_log_loss_and_its_interval(kind):
    """The mean of the losses of items, its error, and limits on the log scale, item by item."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200).astype(float)
    p = 1 / (1 + np.exp(-rng.normal(1.5 * y - 0.7)))
    truth = np.clip(0.8 * y + 0.1, 0, 1) if kind == "soft" else y
    w = rng.integers(1, 4, 200) if kind == "weighted" else np.ones(200)
    loss = -(truth * np.log(p) + (1 - truth) * np.log1p(-p))
    mean = np.average(loss, weights=w)
    psi = w * (loss - mean) / w.sum()
    error = math.sqrt((psi**2).sum() * 200 / 199)
    options = {"sample_weight": w} if kind == "weighted" else {}
    if kind == "soft":
        options["truth"] = "soft"
    found = rw.interval(truth, p, statistic="log_loss", **options)
    assert (found.estimate, found.method) == (near(mean), "influence-log")
    assert found.standard_error == near(error)
    reach = math.log(found.high / found.low) / 2
    assert math.sqrt(found.low * found.high) == near(mean)
    assert reach == pytest.approx(1.97 * error / mean, rel=0.03)
    many = rw.interval(truth, p, statistic="log_loss", method="bca", rng=0, **options)
    assert (found.low, found.high) == pytest.approx((many.low, many.high), rel=0.08)


def test_an_infinite_log_loss_has_no_interval_and_says_why():
    y, p = [1, 0, 1, 0, 1], [0.9, 0.2, 0.0, 0.4, 0.6]
    assert rw.sklearn.scorers["neg_log_loss"]._score_func(y, p) == math.inf
    for call in (
        lambda: rw.interval(y, p, statistic="log_loss"),
        lambda: rw.interval(y, p, statistic="log_loss", method="bca"),
        lambda: rw.compare(y, {"a": p, "b": p[::-1]}, statistic="log_loss"),
    ):
        with pytest.raises(InputError, match="log loss is infinite: a score of exactly 0 or 1"):
            call()
    fine = rw.interval(y, [0.9, 0.0, 1.0, 0.4, 0.6], statistic="log_loss")
    assert math.isfinite(fine.high)  # sure scores that are right


@given(SAMPLES)
@some
def test_the_log_loss_is_infinite_where_a_sure_score_is_wrong(sample):
    truth, scores, weights = sample
    wrong = ((scores == 0) & (truth > 0)) | ((scores == 1) & (truth < 1))
    parts = calibration_of(sample).log_loss
    assert math.isinf(parts.loss) == wrong.any()
    assert math.isinf(parts.miscalibration) == wrong.any()
    assert math.isfinite(parts.discrimination)
    assert parts.loss == near(log_of(truth, scores, weights))


def test_sure_scores_that_are_right_lose_nothing():
    found = rw.roc([1, 1, 0, 0, 1], [1, 1, 0, 0, 0.5]).calibration()
    assert found.log_loss.loss == near(math.log(2) / 5)
    assert found.brier.loss == near(0.05)
    assert found.brier.refinement == found.log_loss.refinement == 0
    wrong = rw.roc([1, 1, 0, 0, 1], [1, 1, 0, 0, 0]).calibration().log_loss
    assert (wrong.loss, wrong.miscalibration) == (math.inf, math.inf)


def test_a_constant_score_tells_nothing_apart():
    found = rw.roc([1, 0, 0, 0], [0.4] * 4).calibration()
    assert found.blocks.value.tolist() == [0.25]
    assert found.brier.discrimination == 0
    assert found.brier.miscalibration == near(0.15**2)
    assert found.calibrate([0, 0.4, 1]).tolist() == [0.25] * 3


@pytest.mark.parametrize("name", ["lowest", "highest", "mean_score", "up", "right", "value"])
def test_columns_of_blocks_are_read_only(name):
    assert not getattr(CURVE.calibration().blocks, name).flags.writeable


# -- laws --------------------------------------------------------------------------------------------


def _numbers(found):
    parts = [
        getattr(loss, name)
        for loss in (found.brier, found.log_loss)
        for name in ("loss", "miscalibration", "discrimination", "uncertainty")
    ]
    return np.concatenate([parts, found.blocks.value, found.blocks.mean_score, found.blocks.share])


@given(SAMPLES, st.sampled_from([1e-9, 0.3, 7.0, 2.0**40]))
@some
def test_scaling_weights_changes_nothing(sample, factor):
    truth, scores, weights = sample
    scaled = calibration_of((truth, scores, weights * factor))
    assert _numbers(scaled) == near(_numbers(calibration_of(sample)))


@given(hard_samples())
@some
def test_truth_of_zero_and_one_is_hard_labels(sample):
    y, s = sample
    soft = rw.roc(y.astype(float), s, truth="soft").calibration()
    assert _numbers(soft) == near(_numbers(rw.roc(y, s).calibration()))


@given(SAMPLES, st.randoms(use_true_random=False))
@some
def test_the_order_of_rows_does_not_matter(sample, random):
    order = list(range(len(sample[0])))
    random.shuffle(order)
    shuffled = calibration_of(tuple(column[order] for column in sample))
    assert _numbers(shuffled) == near(_numbers(calibration_of(sample)))


def test_a_larger_sample(rng):
    s = rng.random(20_000)
    y = (rng.random(20_000) < s**1.3).astype(int)
    found = rw.roc(y, s).calibration()
    assert found.calibrate(s) == near(IsotonicRegression().fit_transform(s, y))
    assert found.brier.loss == near(brier_score_loss(y, s))
    assert found.log_loss.loss == near(log_loss(y, s))


# -- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scores", [[3, -1, 2, 0.5], [0.5, 0.2, 1.0000001, 0.1], [-1e-9, 0.2, 0.4, 1]]
)
def test_scores_must_be_probabilities(scores):
    with pytest.raises(ScoreError, match=r"outside \[0, 1\].\nHint: this needs probabilities"):
        rw.roc([1, 0, 1, 0], scores).calibration()


def test_a_bucketed_tally_is_refused_by_name():
    with pytest.raises(TallyError, match="this tally is bucketed.\nHint: make the tally without"):
        rw.roc(CURVE.tally.bucketed(np.array([0.5]))).calibration()


@pytest.mark.parametrize(
    "curve",
    [
        CURVE.hull,
        CURVE.thinned(5),
        rw.average([CURVE, CURVE]),
        rw.smeared_roc(FAWCETT.y_true, FAWCETT.y_prob, width=0.1),
    ],
    ids=["hull", "thinned", "averaged", "smeared"],
)
def test_curves_without_scores_are_refused(curve):
    with pytest.raises(TallyError, match="Calibration needs every score.*\nHint: use the curve"):
        curve.calibration()


@pytest.mark.parametrize(
    ("scores", "error", "words"),
    [
        (
            [0.2, 1.2],
            ScoreError,
            "y_prob at row 1 is 1.2, outside [0, 1].\nHint: pass probabilities",
        ),
        ([-0.1], ScoreError, "y_prob at row 0 is -0.1, outside"),
        ([math.nan], ScoreError, "y_prob at row 0 is nan, outside"),
        (["a"], ScoreError, "y_prob at row 0 is 'a', not a number"),
        (0.3, InputError, "y_prob is a float, not a column"),
        (None, InputError, "y_prob is None, not a column"),
        ([[0.1, 0.2]], InputError, "2 dimensions"),
    ],
)
def test_only_probabilities_are_calibrated(scores, error, words):
    with pytest.raises(error, match=re.escape(words)):
        CURVE.calibration().calibrate(scores)


def test_one_class_is_refused():
    with pytest.raises(OneClassError, match="no negative mass, so there is no calibration to"):
        rw.calibration([1, 1], [0.2, 0.5])
    with pytest.raises(OneClassError):
        rw.roc([1, 1], [0.2, 0.5])
    with pytest.raises(OneClassError):
        rw.roc(rw.tally([0, 0], [0.2, 0.5]))


# -- intervals of the losses -----------------------------------------------------------------------


@pytest.mark.parametrize(("name", "loss"), [("brier", brier_score_loss), ("log_loss", log_loss)])
@pytest.mark.parametrize("rows", [12, 300])
def test_the_interval_of_a_loss_is_students_on_the_log_scale(name, loss, rows):
    """Of the losses of the items, one by one; Student's quantile is that of the smaller class."""
    rng = np.random.default_rng(rows)
    p = rng.uniform(0.05, 0.95, rows)
    y = (np.arange(rows) < rows / 3).astype(int)
    each = [loss(y[i : i + 1], p[i : i + 1], labels=[0, 1]) for i in range(rows)]
    middle, error = np.mean(each), stats.sem(each)
    reach = stats.t.ppf(0.975, rows / 3 - 1) * error / middle
    found = rw.interval(y, p, statistic=name)
    assert found.method == "influence-log"
    assert found.estimate == rw.calibration(y, p).interval(name).estimate == near(middle)
    assert found.standard_error == near(error, 1e-9)
    assert (found.low, found.high) == near((middle * np.exp(-reach), middle * np.exp(reach)), 1e-9)
    plain = rw.interval(y, p, statistic=name, scale="plain", method="influence")
    assert plain.high - plain.estimate == near(plain.estimate - plain.low)
