"""Uncertainty from buckets: every order inside them lies within what is reported, or is refused."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.curves.calibration import brier_influence
from rocwalk.errors import OptionError, TallyError
from rocwalk.inference.closed_forms import wilson
from rocwalk.inference.distributions import welch_degrees
from rocwalk.inference.influence import blurred, variance_range
from rocwalk.inference.intervals import measured
from rocwalk.statistic import entries, statistic_of

TINY = 1e-9
RATES = ("sensitivity", "specificity", "precision", "negative_predictive_value", "accuracy")


def sample(n, seed, shift=0.0, prevalence=0.3):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prevalence).astype(int)
    return y, 1 / (1 + np.exp(-rng.normal(2 * y - 1.5 + shift)))


def cells(count):
    return np.linspace(0, 1, count + 1)


EXACT = rw.tally(*sample(400, 0))
COARSE = EXACT.bucketed(cells(20))


@st.composite
def tallies(draw, weighted=False):
    """An exact tally of few scores, and the same in buckets."""
    size = draw(st.integers(4, 40))
    y = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
    assume(2 <= sum(y) <= size - 2)
    s = draw(st.lists(st.integers(0, 50), min_size=size, max_size=size))
    edges = draw(st.lists(st.integers(0, 50), min_size=0, max_size=8))
    options = {}
    if weighted:
        w = draw(st.lists(st.integers(1, 4), min_size=size, max_size=size))
        options["sample_weight"] = np.array(w, dtype=float)
    exact = rw.tally(y, np.array(s) / 50, **options)
    return exact, exact.bucketed(np.array(edges) / 50)


def holds(wide, narrow, tolerance=TINY):
    assert wide.low <= narrow.low + tolerance
    assert wide.high >= narrow.high - tolerance
    if wide.bounds is not None:
        assert wide.bounds[0] - tolerance <= narrow.estimate <= wide.bounds[2] + tolerance
        assert wide.bounds[1] == wide.estimate
        assert wide.standard_error >= narrow.standard_error - tolerance or wide.method != (
            narrow.method
        )


# -- what works and what refuses -------------------------------------------------------------------

WORKS = {
    "auc": {},
    "auc_prt": {},
    "expected_auc": {},
    "probabilistic_auc": {},
    "probabilistic_gini": {},
    "midpoint": {},
    "struggle_ratio": {},
    "brier": {},
    "prevalence": {},
    "mean_score": {},
    "expected_observed": {},
    **{name: {"threshold": 0.5} for name in (*RATES, "f1", "net_benefit")},
    "expected_cost": {"threshold": 0.5, "costs": rw.Costs(false_positive=1, false_negative=5)},
}
REFUSES = {
    "h_measure": {},
    "h_prt": {},
    "ks": {},
    "hull_area": {},
    "average_precision": {},
    "scored_auc": {},
    "gains": {"rate": 0.2},
    "lift": {"rate": 0.2},
    "partial_auc": {"max_fpr": 0.2},
    "standardized_partial_auc": {"max_fpr": 0.2},
}
CALIBRATION = {  # and what each of them says needs every score
    "calibration_intercept": "Logistic recalibration",
    "calibration_slope": "Logistic recalibration",
    "ece": "Calibration",
    "ici": "Calibration",
    "smooth_ece": "Calibration",
    "log_loss": "The logarithmic loss",
}


def test_every_statistic_has_its_verdict():
    assert set(WORKS) | set(REFUSES) | set(CALIBRATION) == set(entries())
    assert len(WORKS) + len(REFUSES) + len(CALIBRATION) == len(entries())


@pytest.mark.parametrize("name", WORKS)
def test_works_and_carries_its_bounds(name):
    found = rw.interval(COARSE, statistic=name, **WORKS[name])
    assert found.bounds[0] <= found.estimate <= found.bounds[2]
    assert found.low <= found.bounds[0]
    assert found.bounds[2] <= found.high
    assert found.n_resamples is None
    assert "bounds=(" in repr(found)
    assert found.to_dict()["bounds"] == list(found.bounds)
    assert "of buckets" in found.sentence


@pytest.mark.parametrize("name", REFUSES)
def test_refuses_by_name(name):
    with pytest.raises(TallyError) as raised:
        rw.interval(COARSE, statistic=name, **REFUSES[name])
    words = str(raised.value)
    assert f"The interval of {name} needs every score, and this tally is bucketed." in words
    assert "raise limit=" in words


@pytest.mark.parametrize("name", CALIBRATION)
def test_calibration_refuses_by_name(name):
    words = f"{CALIBRATION[name]} needs every score, and this tally is bucketed."
    for call in (rw.interval, partial(rw.compare_samples, EXACT)):
        with pytest.raises(TallyError) as raised:
            call(COARSE, statistic=name)
        assert words in str(raised.value) or f"of {name} needs every score" in str(raised.value)
        assert "raise limit=" in raised.value.hint


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("name", [*WORKS, *REFUSES, *CALIBRATION])
def test_no_bootstrap(name, method):
    options = {**WORKS, **REFUSES}.get(name, {})
    with pytest.raises(TallyError, match=f"bootstrap of {name} needs every score"):
        rw.interval(COARSE, statistic=name, method=method, **options)


def test_functions_and_metrics_are_refused():
    with pytest.raises(TallyError, match="The interval of roc_auc_score needs every score"):
        rw.interval(COARSE, statistic=partial(rw.metrics.roc_auc_score, max_fpr=0.2))
    with pytest.raises(TallyError, match="needs every score"):
        rw.interval(COARSE, statistic=lambda tally: tally.area)
    with pytest.raises(OptionError, match="method='delong' is for the AUC"):
        rw.interval(COARSE, statistic="midpoint", method="delong")


def test_exact_intervals_say_nothing_of_buckets():
    found = rw.interval(EXACT)
    assert found.bounds is None
    assert "bounds" not in found.to_dict()
    single = EXACT.bucketed(EXACT.scores)
    assert not single.is_bucketed
    assert rw.interval(single).to_dict() == found.to_dict()


def test_soft_truth_needs_items_for_what_needs_them():
    rng = np.random.default_rng(3)
    soft = rw.tally(rng.random(60), rng.random(60)).bucketed(cells(8))
    assert rw.interval(soft).method == "influence-logit"
    with pytest.raises(TallyError, match="auc_prt needs the items"):
        rw.interval(soft, statistic="auc_prt")


# -- the interval of every order is held -----------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    tallies(),
    st.sampled_from([("auto", None), ("delong", None), ("delong", "logit"), ("newcombe", None)]),
)
def test_auc_of_counts(both, how):
    exact, coarse = both
    method, scale = how
    options = {"method": method, "scale": scale}
    holds(rw.interval(coarse, **options), rw.interval(exact, **options))


@settings(max_examples=80, deadline=None)
@given(tallies(weighted=True))
def test_auc_of_weights(both):
    exact, coarse = both
    holds(rw.interval(coarse), rw.interval(exact))
    options = {"scale": "plain", "confidence_level": 0.8}
    holds(rw.interval(coarse, **options), rw.interval(exact, **options))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 20)), min_size=5, max_size=30))
@example([(1, 0), (1, 0), (1, 0), (1, 4), (1, 5)])
@example([(1, 0), (1, 0), (1, 0), (1, 1), (1, 1)])
@pytest.mark.filterwarnings("ignore::rocwalk.errors.SwappedArgumentsWarning")
def test_auc_of_soft_truth(rows):
    f, s = (np.array(column) for column in zip(*rows, strict=True))
    assume(np.any((f > 0) & (f < 4)))
    exact = rw.tally(f / 4, s / 20, truth="soft")
    for edges in ([], [0.5], [0.2, 0.4, 0.8]):
        holds(rw.interval(exact.bucketed(np.array(edges))), rw.interval(exact))


@pytest.mark.filterwarnings("ignore::rocwalk.errors.SmallSampleWarning")  # items without spread
@settings(max_examples=80, deadline=None)
@given(tallies() | tallies(weighted=True), st.sampled_from(["probabilistic_auc", "gini"]))
def test_areas_of_probabilities(both, name):
    exact, coarse = both
    name = "probabilistic_gini" if name == "gini" else name
    wide, narrow = rw.interval(coarse, statistic=name), rw.interval(exact, statistic=name)
    assert wide.estimate == pytest.approx(narrow.estimate, abs=1e-12)
    holds(wide, narrow)


NUMBERS = ("midpoint", "struggle_ratio", "brier", "mean_score", "prevalence", "expected_observed")


@settings(max_examples=120, deadline=None)
@given(
    tallies() | tallies(weighted=True),
    st.sampled_from(NUMBERS),
)
def test_numbers_of_one_sample(both, name):
    """The closed form of the exact tally, which is otherwise resampled, lies within."""
    exact, coarse = both
    statistic = statistic_of(name)
    narrow, wide = measured(statistic, exact), measured(statistic, coarse)
    assume(math.isfinite(narrow.value))
    assert narrow.errors[0] <= narrow.errors[1]
    assert wide.ends[0] - TINY <= narrow.value <= wide.ends[1] + TINY
    if math.isnan(wide.errors[1]):
        assert wide.value == math.inf
        return
    assert narrow.errors[1] <= wide.errors[1] * (1 + TINY) + TINY
    if name in ("midpoint", "mean_score", "prevalence"):
        assert wide.errors[0] <= narrow.errors[1] + TINY
        assert wide.value == pytest.approx(narrow.value, abs=1e-12)


@settings(max_examples=150, deadline=None)
@given(tallies(), st.integers(0, 51), st.sampled_from(RATES))
def test_rates(both, at, name):
    exact, coarse = both
    options = {"statistic": name, "threshold": (at - 0.5) / 50}
    called = np.count_nonzero(exact.scores >= options["threshold"])
    assume(0 < called < len(exact))
    wide = rw.interval(coarse, **options)
    holds(wide, rw.interval(exact, **options))
    if wide.bounds is not None and wide.bounds[0] < wide.bounds[2]:
        cut = (coarse.scores < options["threshold"]) & (coarse.highest >= options["threshold"])
        assert cut.any()


def test_wilson_rises_with_hits_and_falls_with_misses():
    """What the bounds of a rate inside a bucket rest on."""
    for hits in range(30):
        for misses in range(0 if hits else 1, 30):
            low, high = wilson(hits / (hits + misses), hits + misses, 1.96)
            more = wilson((hits + 1) / (hits + misses + 1), hits + misses + 1, 1.96)
            less = wilson(hits / (hits + misses + 1), hits + misses + 1, 1.96)
            assert more[0] >= low - 1e-12
            assert more[1] >= high - 1e-12
            assert less[0] <= low + 1e-12
            assert less[1] <= high + 1e-12


def test_rates_of_weights_inside_a_bucket_are_refused():
    y, s = sample(60, 4)
    uneven = rw.tally(y, s, sample_weight=np.arange(1.0, 61)).bucketed(np.array([0.5]))
    at = float(uneven.highest[0])
    with pytest.raises(TallyError, match="sensitivity of weighted or soft items inside a bucket"):
        rw.interval(uneven, statistic="sensitivity", threshold=at)
    assert rw.interval(uneven, statistic="sensitivity", threshold=0.5).method == "wilson"


def test_perfect_areas_allow_the_method_for_them():
    """Where some order has no spread, its interval is Newcombe's, and lies within too."""
    exact = rw.tally([1] * 10 + [0] * 10, np.arange(20, 0, -1) / 20)
    for edges in ([0.3], [0.51], [0.2, 0.45, 0.6, 0.8], []):
        wide = rw.interval(exact.bucketed(np.array(edges)))
        holds(wide, rw.interval(exact))
    assert rw.interval(exact.bucketed(np.array([]))).low == 0.0


# -- as narrow as they can be ----------------------------------------------------------------------


def test_fine_buckets_give_nearly_the_exact_interval():
    """10⁶ rows in 2¹⁶ buckets: what is added is the certificate, and next to nothing else."""
    exact = rw.tally(*sample(1_000_000, 5))
    coarse = exact.bucketed(cells(2**16))
    narrow, wide = rw.interval(exact), rw.interval(coarse)
    holds(wide, narrow)
    assert wide.standard_error < narrow.standard_error * (1 + 1e-4)
    added = (wide.high - wide.low) - (narrow.high - narrow.low)
    assert added < 2.05 * coarse.certificate + 1e-4 * (narrow.high - narrow.low)
    assert added < 0.01 * (narrow.high - narrow.low)
    by_name = {"statistic": "probabilistic_auc"}
    narrow, wide = rw.interval(exact, **by_name), rw.interval(coarse, **by_name)
    holds(wide, narrow)
    assert wide.high - wide.low < (narrow.high - narrow.low) * (1 + 1e-8)
    for name, most in {"midpoint": 1e-8, "brier": 1e-4, "struggle_ratio": 0.05}.items():
        one = measured(statistic_of(name), exact)
        other = measured(statistic_of(name), coarse)
        assert one.errors[1] <= other.errors[1] < one.errors[1] * (1 + most)


def test_lengths():
    assert blurred(1.0, 4.0, 0.0) == (0.0, 9.0)
    assert welch_degrees([(0.0, 0.0)], [5]) is None
    assert welch_degrees([(1.0, 1.0), (2.0, 2.0)], [5, 9]) == pytest.approx(9 / (1 / 4 + 4 / 8))
    assert welch_degrees([(0.0, 1.0), (0.0, 2.0)], [5, 9]) == 4


def test_brier_range_holds_the_exact_variance():
    least, most = variance_range(COARSE, brier_influence(COARSE), fixed=False)
    value = variance_range(EXACT, brier_influence(EXACT), fixed=False)
    assert least <= value[0] == value[1] <= most


# -- two samples -----------------------------------------------------------------------------------


@settings(max_examples=100, deadline=None)
@given(tallies(), tallies(), st.sampled_from(["auc", "probabilistic_auc"]))
def test_differences(one, other, name):
    options = {"statistic": name, "margin": 0.1}
    narrow = rw.compare_samples(one[0], other[0], **options)
    for pair in ((one[1], other[1]), (one[0], other[1]), (one[1], other[0])):
        wide = rw.compare_samples(*pair, **options)
        assert wide.low <= narrow.low + TINY
        assert wide.high >= narrow.high - TINY
        assert wide.p_value >= narrow.p_value - TINY
        assert wide.non_inferior_p_value >= narrow.non_inferior_p_value - TINY
        assert wide.equivalence_p_value >= narrow.equivalence_p_value - TINY
        if wide.bounds is not None:
            assert wide.bounds[0] - TINY <= narrow.difference <= wide.bounds[2] + TINY


def test_differences_of_one_sample_numbers():
    later = rw.tally(*sample(400, 1, shift=1.5))
    coarse = later.bucketed(cells(20))
    for name in ("midpoint", "mean_score", "prevalence", "brier", "struggle_ratio"):
        found = rw.compare_samples(COARSE, coarse, statistic=name)
        assert found.method == "influence"
        one, other = (measured(statistic_of(name), tally).value for tally in (EXACT, later))
        assert found.bounds[0] - TINY <= one - other <= found.bounds[2] + TINY
        assert found.to_dict()["bounds"] == list(found.bounds)
        resampled = rw.compare_samples(EXACT, later, statistic=name, rng=0, n_resamples=500)
        assert found.standard_error >= 0.9 * resampled.standard_error
    assert rw.compare_samples(COARSE, coarse, statistic="mean_score").p_value < 0.001
    for name, options in REFUSES.items():
        with pytest.raises(TallyError, match=f"The difference of {name} needs every score"):
            rw.compare_samples(COARSE, EXACT, statistic=name, **options)
    with pytest.raises(TallyError, match="bootstrap of auc needs every score"):
        rw.compare_samples(COARSE, EXACT, method="bootstrap")


def test_perfect_samples():
    exact = rw.tally([1] * 6 + [0] * 6, np.arange(12, 0, -1) / 12)
    narrow = rw.compare_samples(exact, exact)
    wide = rw.compare_samples(exact.bucketed(np.array([0.3])), exact.bucketed(np.array([0.7])))
    assert wide.low <= narrow.low
    assert wide.high >= narrow.high
    assert "of buckets ±" in wide.sentence


# -- drift -----------------------------------------------------------------------------------------


def held(wide, narrow):
    for name, one in wide.findings.items():
        other = narrow.findings[name]
        if math.isnan(one.p_value) or name.endswith("_gap"):
            continue
        assert one.low <= other.low + TINY, name
        assert one.high >= other.high - TINY, name
        assert one.p_value >= other.p_value - TINY, name
        assert one.standard_error >= other.standard_error - TINY, name
        assert abs(one.difference - other.difference) <= (one.certificate or 0.0) + TINY, name


@pytest.mark.parametrize("count", [5, 40, 500])
@pytest.mark.parametrize("options", [{}, {"fixed_prevalence": True}, {"fixed_reference": True}])
def test_drift_holds_that_of_every_order(count, options):
    one, other = rw.tally(*sample(900, 6)), rw.tally(*sample(700, 7, shift=0.3))
    narrow = rw.drift(one, other, **options)
    for pair in (
        (one.bucketed(cells(count)), other.bucketed(cells(count))),
        (one, other.bucketed(cells(count))),
        (one.bucketed(cells(count)), other),
    ):
        wide = rw.drift(*pair, **options)
        held(wide, narrow)
        for name, test in wide.tests.items():  # as if the mix inside a bucket were unchanged
            if count == 500:
                near = pytest.approx(narrow.tests[name].z, rel=0.15, abs=0.5, nan_ok=True)
                assert test.z == near, name


@settings(max_examples=30, deadline=None)
@given(tallies() | tallies(weighted=True), tallies())
@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")
def test_drift_of_anything(one, other):
    held(rw.drift(one[1], other[1]), rw.drift(one[0], other[0]))


@pytest.mark.parametrize(
    ("later", "verdict"),
    [
        (sample(4000, 8), "none"),
        (sample(4000, 8, shift=1.0), "prevalence"),
        ((sample(4000, 8)[0], np.roll(sample(4000, 8)[1], 1)), "both"),
    ],
)
def test_clear_cases_have_the_same_verdict(later, verdict):
    pair = rw.tally(*sample(4000, 9)), rw.tally(*later)
    exact = rw.drift(*pair)
    found = rw.drift(*(tally.bucketed(cells(2**12)) for tally in pair))
    assert found.verdict == exact.verdict == verdict
    assert found.prevalence_only == exact.prevalence_only


def test_drift_says_what_is_left_out():
    found = rw.drift(COARSE, EXACT)
    names = ("refinement", "miscalibration", "sensibility_gap", "capability_gap")
    assert found.left_out == names
    assert not set(names) & set(found.findings)
    assert "left out: refinement" in found.summary
    assert found.to_dict()["left_out"] == list(names)
    assert found.findings["midpoint"].certificate < 1e-15
    assert found.findings["auc"].to_dict()["certificate"] == pytest.approx(COARSE.certificate)
    assert len(found.to_frame("pandas")) == len(found.findings)
    with pytest.raises(TallyError, match="Curves of sensibility need every score"):
        found.plot()
    with pytest.raises(TallyError, match="The bootstrap of drift needs every score"):
        rw.drift(EXACT, COARSE, method="bootstrap")
    assert rw.drift(EXACT, EXACT).left_out == ()
    assert "certificate" not in rw.drift(EXACT, EXACT).findings["auc"].to_dict()


def test_false_alarms_stay_below_alpha():
    """Two samples of one world in buckets: at most as many alarms as of every score."""
    alarms = 0
    for seed in range(150):
        one, other = sample(200, 2 * seed), sample(200, 2 * seed + 1)
        pair = [rw.tally(*each).bucketed(cells(64)) for each in (one, other)]
        alarms += rw.drift(*pair, alpha=0.05).drifted
    assert alarms <= 12  # 7.5 expected at most


def test_one_bucket_decides_nothing():
    whole = EXACT.bucketed(np.array([]))
    with pytest.warns(rw.errors.UndefinedMetricWarning, match="the buckets are too coarse"):
        found = rw.drift(whole, whole)
    assert found.verdict == "none"
    assert found.untested == ("auc",)
    assert found.findings["auc"].p_value == 1
    low, _, high = rw.interval(whole).bounds
    assert (low, high) == (0.0, 1.0)
    with pytest.raises(TallyError, match="struggle_ratio has no bound"):
        rw.interval(whole, statistic="struggle_ratio")


@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")
def test_a_monitor_with_a_bucketed_reference(tmp_path):
    reference = rw.tally(*sample(2000, 10)).bucketed(cells(2**10))
    monitor = rw.DriftMonitor(reference)
    assert monitor.update(*sample(1000, 11)).check().status == "none"
    monitor.save(tmp_path / "state.npz")
    again = rw.DriftMonitor.load(tmp_path / "state.npz")
    assert again.check().to_json() == monitor.check().to_json()
    assert again.update(*sample(3000, 12, shift=1.5)).check().status == "drift"


# -- scores without labels -------------------------------------------------------------------------


def test_score_shift_of_exact_tallies_is_that_of_columns():
    (y, p), (z, q) = sample(300, 13), sample(200, 14, shift=0.5)
    columns = rw.score_shift(p, q).to_dict()
    words = {name: columns.pop(name) for name in ("kind", "method", "summary", "cannot_see")}
    for pair in ((rw.tally(y, p), rw.tally(z, q)), (p, rw.tally(z, q))):
        found = rw.score_shift(*pair).to_dict()
        assert {name: found.pop(name) for name in words} == words
        assert found == pytest.approx(columns, rel=1e-9)


@settings(max_examples=80, deadline=None)
@given(tallies(), tallies())
def test_score_shift_of_buckets_holds_the_exact_one(one, other):
    narrow, wide = rw.score_shift(one[0], other[0]), rw.score_shift(one[1], other[1])
    assert wide.low <= narrow.low + TINY
    assert wide.high >= narrow.high - TINY
    assert wide.p_value >= narrow.p_value - TINY
    assert wide.mean_p_value >= narrow.mean_p_value - TINY
    if wide.gap_bounds is not None:
        assert wide.gap_bounds[0] - TINY <= narrow.gap <= wide.gap_bounds[2] + TINY
        for name in ("expected_auc_reference", "expected_auc_current"):
            low, middle, high = getattr(wide, f"{name}_bounds")
            assert middle == getattr(wide, name) or math.isnan(middle)
            value = getattr(narrow, name)
            assert math.isnan(value) or low - TINY <= value <= high + TINY


def test_score_shift_refuses_other_tallies():
    with pytest.raises(TallyError, match="reference is a tally of masses"):
        rw.score_shift(rw.tally([0.2, 0.7, 0.9], [0.1, 0.5, 0.6]), [0.1, 0.2])
    with pytest.raises(rw.errors.ScoreError, match=r"outside \[0, 1\]"):
        rw.score_shift(rw.tally([0, 1, 1], [1, 2, 3]), [0.1, 0.2])
    with pytest.raises(rw.errors.InputError, match="current has fewer than two scores"):
        rw.score_shift([0.1, 0.2], rw.tally([1], [0.5]))


# -- bands and tables ------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(tallies())
def test_bands_hold_those_of_every_order(both):
    exact, coarse = both
    narrow, wide = rw.band(exact, method="dkw"), rw.band(coarse, method="dkw")
    for edge in (narrow.lower, narrow.curve, narrow.upper):
        assert wide.contains(edge.fpr, edge.tpr)
    assert wide.reach == pytest.approx(narrow.reach)


def test_bands_of_buckets():
    found = rw.band(COARSE)
    assert found.method == "dkw"
    assert found.to_dict()["area_bounds"] == list(COARSE.auc_bounds)
    assert "area_bounds" not in rw.band(EXACT, method="dkw").to_dict()
    with pytest.raises(TallyError, match="A simultaneous band by a bootstrap needs every score"):
        rw.band(COARSE, method="fixed-width")
    with pytest.raises(TallyError, match="A pointwise band by a bootstrap needs every score"):
        rw.band(COARSE, kind="pointwise")
    even = rw.tally(*sample(60, 15), sample_weight=np.full(60, 2.0))
    assert rw.band(even.bucketed(cells(6))).contains(*(rw.roc(even).fpr, rw.roc(even).tpr))
    soft = rw.tally([0.2, 0.5, 0.9, 0.1], [0.1, 0.2, 0.6, 0.7]).bucketed(np.array([0.5]))
    with pytest.raises(TallyError, match="A band of soft or weighted items needs every score"):
        rw.band(soft)


def test_tables_of_accuracy():
    exact, coarse = (rw.accuracy_table(tally, threshold=0.5) for tally in (EXACT, COARSE))
    assert coarse.auc_bounds == COARSE.auc_bounds
    assert exact.auc_bounds is None
    for name, numbers in exact.numbers.items():
        if name != "auc":
            assert coarse.numbers[name] == pytest.approx(numbers)
    with pytest.raises(TallyError, match="threshold=0.52 lies inside a bucket from"):
        rw.accuracy_table(COARSE, threshold=0.52)
    chosen = rw.accuracy_table(COARSE)
    assert chosen.threshold in COARSE.scores
