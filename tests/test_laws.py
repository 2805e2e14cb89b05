"""Laws that every number obeys: one law a test, parametrised over every number there is."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.curves.recalibration import logistic_fit
from rocwalk.drift.sensibility import midpoint
from rocwalk.statistic import entries, find
from samples import NO_ADVICE, hard_samples, keywords_of, weighted_samples

pytestmark = NO_ADVICE


def from_curve(measure, steps="truth"):
    def number(y_true, y_prob, **options):
        return measure(rw.roc(y_true, y_prob, steps=steps, **options))

    return number


def gain(choice):
    return choice.tpr - choice.slope * choice.fpr


def slope_of(*sample, **options):
    """The calibration slope, squeezed: it is huge where scores nearly separate the classes."""
    slope = logistic_fit(rw.tally(*sample, **options)).slope.estimate
    return 0.0 if np.isnan(slope) or abs(slope) > 50 else slope / (1 + abs(slope))


# Every number of (y_true, y_prob, sample_weight=); a new metric adds its row here.
NUMBERS = {
    "auc": from_curve(lambda curve: curve.area),
    "auc of a tally": lambda *a, **k: rw.tally(*a, **k).auc_bounds[1],
    "metrics.roc_auc_score": rw.metrics.roc_auc_score,
    "soft area, single": from_curve(lambda curve: curve.area, "single"),
    "soft area, both": from_curve(lambda curve: curve.area, "both"),
    "soft area, blind": from_curve(lambda curve: curve.area, "blind"),
    "partial area": from_curve(lambda curve: curve.partial_area(0.4)),
    "partial area above": from_curve(lambda curve: curve.partial_area(0.7, 0.3)),
    "standardised partial area": from_curve(
        lambda curve: curve.partial_area(0.5, standardized=True)
    ),
    "hull area": from_curve(lambda curve: curve.hull.area),
    "tpr at fpr": from_curve(lambda curve: curve.at(fpr=0.3).tpr),
    "fpr at tpr": from_curve(lambda curve: curve.at(tpr=0.6).fpr),
    "precision": from_curve(lambda curve: curve.at(-np.inf).precision),
    "accuracy at a threshold": from_curve(lambda curve: curve.at(0.5).accuracy),
    "average precision": from_curve(lambda curve: curve.precision_recall().average_precision),
    "best youden": from_curve(lambda curve: curve.best().point.youden),
    "distance of the closest point": from_curve(
        lambda curve: curve.best(metric="closest").distance
    ),
    "tpr within a budget": from_curve(lambda curve: curve.at(rate=0.3).tpr),
    "lift": from_curve(lambda curve: curve.lift(0.4)),
    "area of the gains": from_curve(lambda curve: curve.gains.area),
    "ks": from_curve(lambda curve: curve.ks),
    "best f1": from_curve(lambda curve: curve.best(metric="f1").value),
    "best sensitivity within a budget": from_curve(lambda curve: curve.best(rate=0.6).value),
    "h prt": lambda y, s, **k: rw.reference_truth(y, s, **k).h_prt,
    "cost area prt": lambda y, s, **k: rw.reference_truth(y, s, **k).cost_area_prt,
    "probabilistic auc": rw.metrics.probabilistic_auc_score,
    "probabilistic gini": rw.metrics.probabilistic_gini_score,
    "auc prt": lambda y, s, **k: rw.reference_truth(y, s, **k).auc_prt,
    "aapcc": lambda y, s, **k: rw.reference_truth(y, s, **k).aapcc,
    "metrics.auc_prt_score": rw.metrics.auc_prt_score,
    "metrics.soft_auc_score": rw.metrics.soft_auc_score,
    "h measure": from_curve(lambda curve: curve.h_measure()),
    "metrics.h_measure_score, hand2009": partial(rw.metrics.h_measure_score, prior="hand2009"),
    "area of the cost curve": from_curve(lambda curve: curve.cost_curve().area),
    "area of the best losses": from_curve(lambda curve: curve.cost_curve().loss.area),
    "area of the rate curve": from_curve(lambda curve: curve.rate_curve().area),
    "probabilities: midpoint": lambda *a, **k: 1 / (1 + midpoint(rw.tally(*a, **k))),
    "probabilities: struggle ratio": rw.metrics.struggle_ratio,
    "probabilities: brier curve": from_curve(lambda curve: curve.brier_curve().area),
    "probabilities: brier loss": from_curve(lambda curve: curve.brier_curve().at(0.35)),
    "probabilities: net benefit": from_curve(lambda curve: curve.decision_curve().at(0.35)),
    "probabilities: miscalibration": from_curve(
        lambda curve: curve.calibration().brier.miscalibration
    ),
    "probabilities: discrimination": from_curve(
        lambda curve: curve.calibration().log_loss.discrimination
    ),
    "probabilities: expected over observed": lambda *a, **k: (
        1 / (1 + rw.calibration(*a, **k).expected_observed)
    ),
    "probabilities: calibration slope": slope_of,
    "probabilities: ici": lambda *a, **k: rw.calibration(*a, **k).ici,
    "probabilities: e90": lambda *a, **k: rw.calibration(*a, **k).e90,
    "probabilities: ece": lambda *a, **k: rw.calibration(*a, **k).ece,
    "probabilities: smooth ece": lambda *a, **k: rw.calibration(*a, **k).smooth_ece,
    "probabilities: log loss": lambda *a, **k: float(
        np.exp(-find("log_loss").of(rw.tally(*a, **k)))
    ),
    "scored auc": rw.metrics.scored_auc_score,
    "smeared area": partial(rw.smeared_area, width=0.3),
    "smeared area, narrow": partial(rw.smeared_area, width=1e-4),
    "smeared area, wide": partial(rw.smeared_area, width=3),
    "smeared area, normal": partial(rw.smeared_area, width=0.3, kernel="normal"),
    "smeared area, logit": partial(rw.smeared_area, width=2, kernel="logit"),
    "smeared area, logit-normal": partial(rw.smeared_area, width=2, kernel="logit-normal"),
    "smeared area, coin": partial(rw.smeared_area, kernel="coin", share=0.3),
    "smeared area, beta": partial(rw.smeared_area, kernel="beta", concentration=5),
    "smeared tpr, beta": lambda *a, **k: (
        rw.smeared_roc(*a, kernel="beta", concentration=5, **k).at(0.5).tpr
    ),
    "area of kernels of a bandwidth": lambda *a, **k: (
        rw.smooth_roc(*a, method="density", bandwidth=0.2, **k).area
    ),
    "gap of the matched width": lambda *a, **k: rw.matched_width(*a, **k).gap,
    "smeared tpr": lambda *a, **k: rw.smeared_roc(*a, width=0.4, **k).at(0.5).tpr,
    "smeared fpr, normal": lambda *a, **k: (
        rw.smeared_roc(*a, width=0.4, kernel="normal", **k).at(0.5).fpr
    ),
    "best smeared gain": lambda *a, **k: gain(rw.smeared_roc(*a, width=0.4, **k).best(slope=0.7)),
}
# Numbers that depend on the order of the scores only
RANK_NUMBERS = [
    name
    for name in NUMBERS
    if not any(word in name for word in ("soft", "probab", "scored", "smeared", "width"))
    and name != "accuracy at a threshold"
]
every_number = pytest.mark.parametrize("number", NUMBERS.values(), ids=list(NUMBERS))
few = settings(max_examples=25)


def close(one, other):
    assert one == pytest.approx(other, abs=1e-11, nan_ok=True)


def soft_walk_exists(number, y, s, **options):
    """Soft walks may have no mass on one side; the law is about those that exist."""
    try:
        return number(y, s, **options)
    except rw.errors.OneClassError:
        return None


def law(check):
    """Run a law over all numbers; a sample on which the number does not exist proves nothing."""

    @every_number
    @few
    @given(weighted_samples(), st.randoms(use_true_random=False))
    def test(number, sample, random):
        number = partial(soft_walk_exists, number)
        value = number(*sample[:2], sample_weight=sample[2])
        if value is not None:
            check(number, value, *sample, random)

    return test


@law
def test_row_order_does_not_matter(number, value, y, s, w, random):
    order = random.sample(range(len(y)), len(y))
    close(number(y[order], s[order], sample_weight=w[order]), value)


# constants and powers of two, far beyond those whose squares float64 can hold
SCALES = (7.5, 2.0**-40, 2.0**499, 2.0**-499, 1e155, 1e200, 1e300, 1e-160, 1e-200, 1e-290)


@law
def test_scaling_all_weights_changes_nothing(number, value, y, s, w, random):
    close(number(y, s, sample_weight=w * random.choice(SCALES)), value)


@pytest.mark.parametrize("scale", SCALES)
def test_scaling_all_weights_changes_no_interval(scale):
    """Of any statistic, of a difference, and of a sum of parts in units of their own."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    s = np.round(1 / (1 + np.exp(-rng.normal(y))), 2)
    w = rng.random(60) + 0.1

    def measured(w):
        for name in sorted(entries()):
            options = keywords_of(name) | {"n_resamples": 40, "rng": 0}
            one = rw.interval(y, s, statistic=name, sample_weight=w, **options)
            yield from (one.estimate, one.low, one.high)
        both = rw.compare(y, {"a": s, "b": (s * 7) % 1}, sample_weight=w)
        yield from (both.pairs[0].difference, both.pairs[0].low, both.pairs[0].high)
        halves = [rw.tally(y[k::2], s[k::2], sample_weight=w[k::2]) for k in (0, 1)]
        whole = rw.interval(sum(halves))
        yield from (whole.estimate, whole.low, whole.high)

    assert list(measured(w * scale)) == pytest.approx(list(measured(w)), rel=1e-8)


def test_tallies_of_unlike_units_add():
    """A part whose weights are tiny beside those of the other is negligible, not equal to it."""
    y, s = np.array([1, 0, 1, 0]), np.array([0.9, 0.8, 0.3, 0.1])
    large, small = rw.tally(y, s), rw.tally(1 - y, s, sample_weight=np.full(4, 1e-200))
    assert (large.unit, small.unit) == (1.0, 2.0**-664)
    assert small.class_masses == pytest.approx((2e-200, 2e-200))
    assert (large + small).area == (small + large).area == large.area
    twice = small + rw.tally(1 - y, s, sample_weight=np.full(4, 2e-200))
    assert twice.area == small.area
    assert twice.class_masses == pytest.approx((6e-200, 6e-200))
    plain = [rw.tally(1 - y, s, sample_weight=np.full(4, k)) for k in (1.0, 2.0)]
    assert rw.interval(twice).low == pytest.approx(rw.interval(sum(plain)).low)


@law
def test_weight_zero_means_absent(number, value, y, s, w, random):
    with_ghost = (np.append(y, y[0]), np.append(s, 1 - s[0]), np.append(w, 0.0))
    close(number(*with_ghost[:2], sample_weight=with_ghost[2]), value)


@law
def test_weight_k_means_k_copies(number, value, y, s, w, random):
    k = np.array([random.randint(1, 3) for _ in y])
    copies = [np.repeat(column, k) for column in (y, s, w)]
    close(number(*copies[:2], sample_weight=copies[2]), number(y, s, sample_weight=w * k))


@every_number
@few
@given(hard_samples())
def test_unit_weights_are_no_weights(number, sample):
    plain = soft_walk_exists(number, *sample)
    weighted = soft_walk_exists(number, *sample, sample_weight=np.ones(len(sample[0])))
    assert (plain is None) == (weighted is None)
    if plain is not None:
        close(weighted, plain)


@every_number
@few
@given(hard_samples())
def test_soft_truth_in_zero_and_one_is_hard(number, sample):
    hard = soft_walk_exists(number, *sample)
    if "metrics" not in getattr(number, "__module__", "") and hard is not None:
        close(soft_walk_exists(number, sample[0] * 1.0, sample[1], truth="soft"), hard)


@every_number
@few
@given(hard_samples())
def test_labels_in_any_notation(number, sample):
    y, s = sample
    value = soft_walk_exists(number, y, s)
    if value is not None:
        for notation in (y.astype(bool), 2 * y - 1, y.astype(np.uint8), y.astype(np.float32)):
            close(number(notation, s), value)
        close(number(np.where(y == 1, "yes", "no"), s, pos_label="yes"), value)


@pytest.mark.parametrize("name", RANK_NUMBERS)
@few
@given(weighted_samples())
def test_increasing_transforms_move_only_thresholds(name, sample):
    y, s, w = sample
    value = NUMBERS[name](y, s, sample_weight=w)
    distinct, places = np.unique(s, return_inverse=True)
    for stretched in (places * 3.0 - 7.0, np.exp(places * 0.5), places + 2**20):
        close(NUMBERS[name](y, stretched, sample_weight=w), value)
    assert len(distinct) + 1 == len(rw.roc(y, s, sample_weight=w).thresholds)


@few
@given(weighted_samples())
def test_negating_the_score_gives_one_minus_the_area(sample):
    y, s, w = sample
    close(
        rw.roc(y, -s, sample_weight=w).area,
        1 - rw.roc(y, s, sample_weight=w).area,
    )


@few
@given(weighted_samples())
def test_swapping_the_classes_and_negating_keeps_the_area(sample):
    y, s, w = sample
    kind = "hard" if y.dtype.kind == "i" else "soft"
    close(
        rw.roc(1 - y, -s, sample_weight=w, truth=kind).area,
        rw.roc(y, s, sample_weight=w, truth=kind).area,
    )


@few
@given(weighted_samples())
def test_all_tied_is_one_half(sample):
    y, _, w = sample
    curve = rw.roc(y, np.full(len(y), 0.3), sample_weight=w)
    close(curve.area, 0.5)
    assert curve.fpr.tolist() == curve.tpr.tolist() == [0, 1]


@few
@given(weighted_samples())
def test_the_hull_lies_above_the_walk_and_is_its_own_hull(sample):
    y, s, w = sample
    curve = rw.roc(y, s, sample_weight=w)
    hull = curve.hull
    assert np.all(np.interp(curve.fpr, hull.fpr, hull.tpr) >= curve.tpr - 1e-12)
    assert hull.hull.thresholds.tolist() == hull.thresholds.tolist()
    assert np.isin(hull.thresholds, curve.thresholds).all()
    assert hull.area >= curve.area - 1e-12
    slopes = np.diff(hull.tpr) / np.maximum(np.diff(hull.fpr), 1e-300)
    assert np.all(np.diff(slopes) < 0)


@few
@given(weighted_samples())
def test_the_numbers_of_a_curve_are_those_of_its_points_to_the_bit(sample):
    y, s, w = sample
    curve = rw.roc(y, s, sample_weight=w)
    precision = curve.precision_recall().precision
    for k in range(1, len(precision)):
        point = curve.at(curve.thresholds[k])
        assert (point.fpr, point.tpr) == (curve.fpr[k], curve.tpr[k])
        if not np.isnan(precision[k]):
            assert point.precision == precision[k]


@few
@given(weighted_samples())
def test_walks_start_at_the_origin_and_never_fall(sample):
    y, s, w = sample
    for steps in ("truth", "single", "both", "blind"):
        curve = soft_walk_exists(partial(rw.roc, steps=steps), y, s, sample_weight=w)
        if curve is None:
            continue
        assert (curve.fpr[0], curve.tpr[0]) == (0, 0)
        assert (curve.fpr[-1], curve.tpr[-1]) == (1, 1)
        assert np.all(np.diff(curve.fpr) >= 0)
        assert np.all(np.diff(curve.tpr) >= 0)
        assert curve.thresholds[0] == np.inf
        assert np.all(np.diff(curve.thresholds) < 0)


@few
@given(weighted_samples())
def test_partial_areas_add_up(sample):
    y, s, w = sample
    curve = rw.roc(y, s, sample_weight=w)
    close(curve.partial_area(), curve.area)
    close(curve.partial_area(standardized=True), curve.area)
    # area above a height and left of a rate, once along x and once along y
    flipped = rw.roc(1 - y, -s, sample_weight=w, truth="soft")
    close(curve.partial_area(min_tpr=0.4), flipped.partial_area(max_fpr=0.6))


@few
@given(weighted_samples())
def test_a_width_of_nothing_gives_the_bare_walk(sample):
    y, s, w = sample
    bare = rw.roc(y, s, sample_weight=w)
    for kernel in ("uniform", "normal"):
        curve = rw.smeared_roc(y, s, width=0, kernel=kernel, sample_weight=w)
        assert curve.fpr.tolist() == bare.fpr.tolist()
        assert curve.tpr.tolist() == bare.tpr.tolist()
        close(curve.area, bare.area)
        distinct = np.unique(s)
        narrow = np.diff(distinct).min() / 20 if len(distinct) > 1 else 0.1
        close(rw.smeared_area(y, s, width=narrow, kernel=kernel, sample_weight=w), bare.area)


@few
@given(weighted_samples())
def test_an_endless_width_gives_the_diagonal(sample):
    y, s, w = sample
    for kernel in ("uniform", "normal"):
        curve = rw.smeared_roc(y, s, width=np.inf, kernel=kernel, sample_weight=w)
        assert curve.fpr.tolist() == curve.tpr.tolist() == [0, 1]
        assert curve.area == 0.5
        assert rw.smeared_area(y, s, width=1e9, kernel=kernel, sample_weight=w) == pytest.approx(
            0.5, abs=1e-9
        )


@few
@given(weighted_samples(), st.floats(1e-6, 20))
def test_the_area_of_the_polyline_is_the_smeared_area(sample, width):
    y, s, w = sample
    uniform = rw.smeared_roc(y, s, width=width, sample_weight=w)
    close(float(np.trapezoid(uniform.tpr, uniform.fpr)), uniform.area)
    assert uniform.curve_error == 0
    normal = rw.smeared_roc(y, s, width=width, kernel="normal", sample_weight=w)
    off = abs(float(np.trapezoid(normal.tpr, normal.fpr)) - normal.area)
    assert off <= 2 * normal.curve_error


@few
@given(weighted_samples(), st.floats(1e-6, 20), st.sampled_from(["uniform", "normal"]))
def test_reflecting_the_scores_reflects_the_smeared_area(sample, width, kernel):
    y, s, w = sample
    turned = (1 - s) - (1 - s).min()  # rounded once, so that both directions see one sample
    back = turned.max() - turned
    area = rw.smeared_area(y, turned, width=width, kernel=kernel, sample_weight=w)
    if np.array_equal(np.unique(back).size, np.unique(turned).size):
        close(1 - rw.smeared_area(y, back, width=width, kernel=kernel, sample_weight=w), area)


@few
@given(weighted_samples())
def test_scored_auc_and_its_inverse_make_the_probabilistic_auc(sample):
    y, s, w = sample
    kind = "hard" if y.dtype.kind == "i" else "soft"
    scored = rw.metrics.scored_auc_score(y, s, sample_weight=w)
    inverted = rw.metrics.scored_auc_score(1 - y, s, sample_weight=w, truth=kind)
    close(rw.metrics.probabilistic_auc_score(y, s, sample_weight=w), (1 + scored - inverted) / 2)
    gini = rw.metrics.probabilistic_gini_score(y, s, sample_weight=w)
    close(gini, scored - inverted)


@few
@given(weighted_samples())
def test_buckets_keep_the_probabilistic_auc(sample):
    y, s, w = sample
    exact = rw.tally(y, s, sample_weight=w)
    coarse = exact.bucketed(np.array([0.25, 0.5, 0.75]))
    assert rw.metrics.probabilistic_auc_score(coarse) == pytest.approx(
        rw.metrics.probabilistic_auc_score(y, s, sample_weight=w), abs=1e-14
    )


# -- intervals and tests ---------------------------------------------------------------------------


def inferred(kind, seed=0):
    """Return items of some kind, enough for every interval: hard, soft, weighted or clustered."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 120).astype(float)
    s = np.clip(
        0.5 + 0.15 * (2 * y - 1) + rng.normal(0, 0.2, 120), 0.01, 0.99
    )  # a sure score that is wrong has an infinite log loss
    told = {
        "hard": {},
        "soft": {"truth": "soft"},
        "weighted": {"sample_weight": rng.uniform(0.5, 2, 120)},
        "clustered": {"cluster": rng.permutation(np.repeat(np.arange(30), 4))},
    }[kind]
    return (0.2 + 0.6 * y if kind == "soft" else y.astype(int)), s, told


@pytest.mark.parametrize("kind", ["hard", "soft", "weighted", "clustered"])
@pytest.mark.parametrize("name", [name for name, one in entries().items() if not one.keywords])
def test_an_interval_holds_its_estimate_and_not_the_order_of_rows(name, kind):
    y, s, told = inferred(kind)
    found = rw.interval(y, s, statistic=name, n_resamples=60, rng=0, **told)
    lowest, highest = entries()[name].range
    assert lowest <= found.low <= found.estimate <= found.high <= highest
    assert found.low < found.high
    if found.n_resamples is None:
        mixed = np.random.default_rng(1).permutation(len(y))
        columns = {k: v if isinstance(v, str) else v[mixed] for k, v in told.items()}
        again = rw.interval(y[mixed], s[mixed], statistic=name, **columns)
        assert (again.low, again.high) == pytest.approx((found.low, found.high), rel=1e-9)


@pytest.mark.parametrize("kind", ["hard", "soft", "weighted", "clustered"])
@pytest.mark.parametrize("statistic", ["auc", "probabilistic_auc"])
def test_a_test_rejects_what_its_interval_excludes(statistic, kind):
    for seed in range(20):
        y, s, told = inferred(kind, seed)
        other = np.clip(s + np.random.default_rng(seed).normal(0, 0.25, len(s)), 0, 1)
        for level in (0.5, 0.9, 0.95):
            options = {"statistic": statistic, "confidence_level": level, **told}
            (pair,) = rw.compare(y, {"a": s, "b": other}, **options).pairs
            assert (pair.p_value < 1 - level) == (not pair.low <= 0 <= pair.high)
