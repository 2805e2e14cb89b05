"""Drift between two samples: the decision, the findings, the reasons."""

from __future__ import annotations

import json
import math
import warnings

import numpy as np
import pytest
from scipy import stats

import rocwalk as rw
from drift.samples import pair_sample as sample
from rocwalk.errors import (
    InputError,
    OneClassError,
    OptionError,
    ScoreError,
    SwappedArgumentsWarning,
    TallyError,
    UndefinedMetricWarning,
)

DECIDING = ("auc", "midpoint", "struggle_ratio")


# -- the decision --------------------------------------------------------------------------------


def test_the_same_sample_has_not_drifted(both):
    found = rw.drift(both[0], both[0])
    assert (found.drifted, found.verdict, found.prevalence_only) == (False, "none", False)
    assert all(found.findings[name].p_value == 1 for name in DECIDING)
    assert found.summary.startswith("No drift is seen")


def test_probabilities_that_moved_without_the_ranking(both):
    y, p = both[0]
    found = rw.drift((y, p), (y, p**2))
    assert found.findings["auc"].difference == 0
    assert found.verdict == "prevalence"  # in log-odds, p² is nearly a shift where scores are small
    assert found.prevalence_only
    assert found.drifted
    assert found.changed
    odds = found.odds
    assert 1 < odds.low < odds.value < odds.high
    assert f"multiply the odds of every score by {odds.value:.2f}" in found.summary


def test_scores_that_were_transformed(both):
    """Overconfident scores have the AUC of the others, and recalibration repairs them."""
    y, p = both[0]
    bold = 1 / (1 + ((1 - p) / p) ** 2.5)
    found = rw.drift((y, p), (y, bold))
    assert found.verdict == "both"
    parts = found.findings["auc"]
    assert parts.difference == 0
    assert parts.population.low > 0
    assert parts.model.high < 0
    assert found.advice.startswith("The AUC itself has not changed significantly")


def test_a_ranking_that_moved():
    rng = np.random.default_rng(9)
    y, p = sample(rng, 4000)
    noisy = np.where(rng.random(4000) < 0.4, rng.permutation(p), p)
    found = rw.drift((y, p), (y, noisy))
    assert found.verdict == "both"
    assert found.advice.startswith("Retrain the model")
    assert found.findings["auc"].adjusted_p_value < 1e-6
    assert found.tests["ranking"].adjusted_p_value < 1e-6
    assert found.tests["ranking"].high < 0
    assert found.findings["midpoint"].difference == pytest.approx(0, abs=0.02)


def test_a_ranking_that_became_better():
    rng = np.random.default_rng(9)
    y, p = sample(rng, 4000)
    noisy = np.where(rng.random(4000) < 0.4, rng.permutation(p), p)
    found = rw.drift((y, noisy), (y, p))
    assert found.verdict in ("ranking", "both")
    assert found.tests["ranking"].low > 0
    assert found.advice.startswith("The order is better than before")
    assert "Retrain" not in found.summary


def test_a_prevalence_that_moved_alone():
    rng = np.random.default_rng(2)
    found = rw.drift(sample(rng, 3000, 0.3), sample(rng, 3000, 0.45))
    assert found.verdict == "prevalence"
    assert found.prevalence_only
    assert found.odds.low < 0.45 / 0.55 / (0.3 / 0.7) < found.odds.high
    assert "Positives are more frequent at every score" in found.summary
    assert "Adjust for the prevalence" in found.summary
    fewer = rw.drift(sample(rng, 3000, 0.45), sample(rng, 3000, 0.3))
    assert "Positives are less frequent at every score" in fewer.summary
    designed = rw.drift(sample(rng, 3000, 0.3), sample(rng, 3000, 0.45), fixed_prevalence=True)
    assert not designed.drifted
    assert designed.tests["level"].reason == "the prevalence was fixed by design"
    assert designed.untested == ()


def test_holm_over_the_three_that_decide(both):
    found = rw.drift(*both).findings
    p = sorted(found[name].p_value for name in DECIDING)
    adjusted = sorted(found[name].adjusted_p_value for name in DECIDING)
    steps = np.maximum.accumulate([min(3 * p[0], 1), min(2 * p[1], 1), p[2]])
    assert adjusted == pytest.approx(steps.tolist())
    assert [one.name for one in found.values() if one.decides] == list(DECIDING)
    assert math.isnan(found["brier"].adjusted_p_value)


def test_alpha_moves_the_decision(both):
    y, p = both[0]
    slightly = rw.drift((y, p), (y, p**1.25))
    p_value = min(one.adjusted_p_value for one in slightly.tests.values())
    assert rw.drift((y, p), (y, p**1.25), alpha=min(p_value * 1.01, 0.999)).drifted
    assert not rw.drift((y, p), (y, p**1.25), alpha=p_value * 0.99).drifted


def test_a_fixed_reference_has_no_spread(both):
    sampled, fixed = rw.drift(*both), rw.drift(*both, fixed_reference=True)
    for name in ("auc", "midpoint", "brier"):
        assert fixed.findings[name].standard_error < sampled.findings[name].standard_error
    closed = rw.interval(*both[1], method="delong")
    assert fixed.findings["auc"].standard_error == pytest.approx(closed.standard_error)


@pytest.mark.parametrize("ties", [None, 5])
def test_false_alarms_are_rare(ties):
    rng = np.random.default_rng(7)
    alarms = [
        rw.drift(sample(rng, 400, ties=ties), sample(rng, 400, ties=ties)).drifted
        for _ in range(300)
    ]
    assert 0.01 <= np.mean(alarms) <= 0.085


# -- what it is given ----------------------------------------------------------------------------


def test_tallies_and_soft_truth_will_do(both):
    tallies = [rw.tally(*one) for one in both]
    assert rw.drift(*tallies).to_json() == rw.drift(*both).to_json()
    soft = [(np.clip(y * 0.9 + 0.05, 0, 1), p) for y, p in both]
    found = rw.drift(*soft)
    assert found.findings["midpoint"].standard_error > 0
    assert rw.drift(*soft, method="bootstrap", n_resamples=50, rng=0).method == "bootstrap"


def test_a_pair_in_the_wrong_order_is_named(both):
    (y, p), current = both
    words = (
        "^y_true of reference looks like probabilities and y_prob of reference takes only two .*"
        "the order is .y_true of reference, y_prob of reference."
    )
    with pytest.warns(SwappedArgumentsWarning, match=words) as given:
        rw.drift((p, y), current)
    assert given[0].filename == __file__


@pytest.mark.parametrize(
    ("reference", "options", "kind", "words"),
    [
        (([1, 0], [0.5, 0.4]), {}, OneClassError, "fewer than two positive and negative items"),
        (([1, 0, 1, 0], [0.5, 1.4, 0.1, 0.2]), {}, ScoreError, r"outside \[0, 1\]"),
        (5, {}, InputError, "reference is an int, not a pair"),
        (None, {"alpha": 0}, OptionError, r"alpha=0 is outside \(0, 1\)"),
        (None, {"method": "exact"}, OptionError, "method='exact' is not known"),
        (None, {"sample_weight": [1, 2, 3]}, InputError, "not a pair of columns"),
    ],
)
def test_bad_input(both, reference, options, kind, words):
    with pytest.raises(kind, match=words):
        rw.drift(both[0] if reference is None else reference, both[1], **options)


def test_tallies_of_other_kinds_are_refused(both):
    with pytest.raises(TallyError, match="steps='single'"):
        rw.drift(rw.tally(*both[0], steps="single"), both[1])
    coarse = rw.tally(*both[0]).bucketed(np.linspace(0, 1, 11))
    with pytest.raises(TallyError, match="bucketed"):
        rw.drift(coarse, both[1], method="bootstrap")


def test_both_samples_are_drawn(both):
    ax = rw.drift(*both).plot()
    labels = [line.get_label() for line in ax.lines if line.get_gid() == "curve"]
    assert labels == [
        "reference sensibility", "reference capability", "current sensibility",
        "current capability",
    ]  # fmt: skip


# -- the flu domains -----------------------------------------------------------------------------


def flu(seed):
    """Labels and probabilities in the three domains, by a model trained on the first."""
    rng = np.random.default_rng(seed)
    model = rw.datasets.naive_bayes(rw.datasets.flu("NGP", 1000, rng))
    samples = {name: rw.datasets.flu(name, 1000, rng) for name in ("NGP", "DP", "FC")}
    return {name: (one.y, model.predict(one)) for name, one in samples.items()}


def test_drift_that_the_area_does_not_see():
    """Another population (DP) is a change and mostly no drift; other labels (FC) are drift."""
    changed, drifted = {"DP": 0, "FC": 0}, {"DP": 0, "FC": 0}
    by_area = 0
    for seed in range(25):
        domains = flu(seed)
        reference = domains["NGP"]
        for name in changed:
            found = rw.drift(reference, domains[name])
            changed[name] += found.changed
            drifted[name] += found.drifted
        by_area += rw.compare_samples(reference, domains["FC"]).p_value < 0.05
    assert changed["DP"] >= 24
    assert drifted["DP"] <= 9
    assert drifted["FC"] >= 24
    assert by_area <= 8


# -- before labels come --------------------------------------------------------------------------


def test_scores_that_shifted():
    rng = np.random.default_rng(4)
    one, other = rng.beta(2, 3, 400), rng.beta(2, 3, 300)
    calm, moved = rw.score_shift(one, other), rw.score_shift(one, other**2)
    assert not calm.shifted
    assert moved.shifted
    for found, second in ((calm, other), (moved, other**2)):
        peer = stats.ks_2samp(one, second)
        assert found.gap == pytest.approx(peer.statistic)
        assert found.p_value == pytest.approx(peer.pvalue, rel=1e-7)
        welch = stats.ttest_ind(second, one, equal_var=False)
        assert found.mean_p_value == pytest.approx(welch.pvalue, rel=1e-9)
        assert (found.low, found.high) == pytest.approx(welch.confidence_interval(), rel=1e-9)
    assert "which cannot be seen without labels" in moved.summary


def test_the_expected_area_is_that_of_drawn_labels():
    """Labels drawn from the scores themselves, many times: the ratio of the two expectations."""
    rng = np.random.default_rng(5)
    p = rng.beta(1, 2, 60)
    labels = rng.random((4000, 60)) < p
    above = (p[:, None] > p) + 0.5 * (p[:, None] == p)
    wins = np.einsum("ki,ij,kj->k", labels, above, ~labels)
    pairs = labels.sum(axis=1) * (~labels).sum(axis=1)
    found = rw.score_shift(p, p)
    assert found.expected_auc_reference == pytest.approx(wins.sum() / pairs.sum(), abs=0.01)
    assert found.expected_prevalence == (p.mean(), p.mean())
    assert found.gap == 0


def test_bad_scores_without_labels():
    with pytest.raises(ScoreError, match=r"current at row 1 is 1\.2, outside \[0, 1\]"):
        rw.score_shift([0.1, 0.2], [0.1, 1.2])
    with pytest.raises(ScoreError, match="reference at row 0 is nan"):
        rw.score_shift([math.nan, 0.2], [0.1, 0.2])
    with pytest.raises(InputError, match="fewer than two scores"):
        rw.score_shift([0.1], [0.1, 0.2])
    with pytest.raises(OptionError, match="alpha=3"):
        rw.score_shift([0.1, 0.2], [0.1, 0.2], alpha=3)


# -- small samples, weights, what cannot be tested -----------------------------------------------


def apart(rng, positives, negatives, distance=4.0):
    y = np.r_[np.ones(positives, int), np.zeros(negatives, int)]
    return y, 1 / (1 + np.exp(-rng.normal(distance * y - distance / 2)))


def test_a_small_sample_without_errors_is_no_drift():
    rng = np.random.default_rng(3)
    reference = apart(rng, 3000, 7000)
    found = [rw.drift(reference, apart(rng, 20, 47)) for _ in range(100)]
    assert sum(one.verdict in ("ranking", "both") for one in found) <= 7
    perfect = rw.drift(reference, apart(rng, 3, 3, 30.0), fixed_reference=True)
    assert perfect.findings["auc"].p_value > 0.01


def test_scaling_the_weights_of_one_sample_changes_nothing(both):
    rng = np.random.default_rng(0)
    weights = [rng.uniform(0.5, 2, 800) for _ in both]
    plain = rw.drift(*both, sample_weight=weights)
    scaled = rw.drift(*both, sample_weight=(weights[0] * 30, weights[1] / 7))
    for name, one in plain.findings.items():
        near = pytest.approx(one.p_value, rel=1e-9, nan_ok=True)
        assert scaled.findings[name].p_value == near, name
    for name, one in plain.tests.items():
        assert scaled.tests[name].z == pytest.approx(one.z, rel=1e-9), name
    constant = rw.drift(*both, sample_weight=(np.full(800, 0.3), np.full(800, 7.0)))
    for name, one in rw.drift(*both).findings.items():
        near = pytest.approx(one.p_value, rel=1e-9, nan_ok=True)
        assert constant.findings[name].p_value == near, name


@pytest.mark.filterwarnings("ignore:The struggle ratio is")
@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
def test_labels_upside_down(both, method):
    """No item lies on the right side of the midpoint: the ratio is infinite, the tests are not."""
    upside_down = np.repeat([0, 1], 30), np.repeat([0.9, 0.1], 30)
    same = rw.drift(upside_down, upside_down, method=method, n_resamples=50, rng=0)
    assert (same.verdict, same.untested) == ("none", ())
    found = rw.drift(both[0], upside_down, method=method, n_resamples=50, rng=0)
    assert math.isnan(found.findings["struggle_ratio"].p_value)
    assert found.verdict == "both"
    assert "separate" not in found.summary


def test_what_cannot_be_tested_is_not_cleared(both):
    constant = np.repeat([0, 1], 30), np.full(60, 0.5)
    found = rw.drift(constant, constant)
    assert found.untested == ("auc",)
    assert found.summary.startswith("Nothing can be decided: there is no test of the AUC")
    few = both[1][0].copy()
    few[np.flatnonzero(few)[4:]] = 0
    rare = rw.drift(both[0], (few, both[1][1]))
    assert rare.verdict == "estimation"  # the level alone is tested, which names no cause
    assert rare.tests["ranking"].reason == "the current sample has fewer than 5 items of a class"


# -- few items of a class ------------------------------------------------------------------------


def without(y, p, kind=0):
    """Scores p whose items are all of one class."""
    return np.full(len(y), kind), p


@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")
def test_no_positives_where_many_are_expected_are_drift():
    rng = np.random.default_rng(3)
    reference, current = true_world(rng, 2000), true_world(rng, 200)
    clusters = np.arange(2000) // 4, np.arange(200) // 4
    expected = current[1].sum()
    for kind, effect in ((0, -math.inf), (1, math.log(200 / expected))):
        one = without(*current, kind)
        for found in (
            rw.drift(reference, one),
            rw.drift(rw.tally(*reference), rw.tally(*one)),
            rw.drift(reference, one, cluster=clusters),
            rw.drift(reference, one, sample_weight=(None, np.full(200, 7.0))),
            rw.drift(reference, one, truth="soft"),
            rw.drift(reference, one, method="bootstrap", n_resamples=20, rng=0),
        ):
            assert (found.verdict, found.changed, found.untested) == ("estimation", True, ("auc",))
            level = found.tests["level"]
            assert level.effect == pytest.approx(effect, rel=0.1)
            assert level.p_value == level.adjusted_p_value < 1e-6
            assert sum(found.causes.expected) == pytest.approx(200)
            assert found.causes.expected[0] == pytest.approx(expected, rel=0.1)
            for name in ("ranking", "struggle"):
                assert math.isnan(found.tests[name].p_value)
                assert "fewer than 5 items of a class" in found.tests[name].reason
            assert all(math.isnan(found.findings[name].p_value) for name in DECIDING)
            words = f"{200 * kind} of 200 items are positive where the reference expects"
            assert words in found.conclusion
            assert "Whether the order has changed is not known" in found.conclusion
            assert found.summary.startswith(f"{found.conclusion} {found.advice} AUC 0.7")
            missing = "negative" if kind else "positive"
            assert found.few.startswith(f"fewer than two {missing} ")
            assert "midpoint and struggle ratio have changed by themselves cannot" in found.notes[0]
            assert json.loads(found.to_json())["few"] == found.few
            with pytest.raises(OneClassError, match="Curves of sensibility need both classes"):
                found.plot()
    with pytest.warns(UndefinedMetricWarning, match="only that of the level is made"):
        rw.drift(reference, one)


@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")
def test_no_positives_where_few_are_expected_are_none():
    rng = np.random.default_rng(4)
    reference, current = true_world(rng, 2000), true_world(rng, 200, shift=-5.0)
    assert 0.5 < current[1].sum() < 2
    clusters = np.arange(2000), np.arange(200) // 2
    for options in ({}, {"cluster": clusters}, {"truth": "soft"}, {"margin": True}):
        found = rw.drift(reference, without(*current), **options)
        assert (found.verdict, found.drifted, found.is_open) == ("none", False, True)
        assert found.suitable is None
        assert found.tests["level"].low == -math.inf
        assert 0 < found.tests["level"].high < 3
        assert found.conclusion.startswith("Nothing can be decided: there is no test of the AUC")
        assert "The level alone shows no drift: 0 of 200 items are positive" in found.conclusion
        assert found.advice.startswith("Collect more labelled items of both classes")


def test_the_level_of_few_positives_has_at_least_the_probability_of_their_number():
    """Against the exact distribution of a sum of independent labels, by convolution."""
    rng = np.random.default_rng(5)
    reference, (_, p) = true_world(rng, 200_000), true_world(rng, 300, shift=-3.5)
    exact = np.array([1.0])
    for one in p:
        exact = np.convolve(exact, [1 - one, one])
    for observed in (0, 1, 4):
        y = np.zeros(300)
        y[np.argsort(-p)[:observed]] = 1
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            found = rw.drift(reference, (y, p), fixed_reference=True).tests["level"].p_value
        tails = exact[: observed + 1].sum(), exact[observed:].sum()
        assert found >= 2 * min(tails) * 0.9  # the map of the reference is estimated
        if observed == 0:  # the bound is exact, or the normal p-value is larger
            assert found <= max(2.3 * exact[0], 2 * 0.5 * math.erfc(math.sqrt(p.sum() / 2) * 0.9))


@pytest.mark.parametrize("smallest", [1e-320, 1e-200, 1e-100])
def test_probabilities_near_the_end_of_float64(smallest):
    """Their ratios are small numbers whose squares are 0 in float64."""
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 60), rng.choice([0.0, smallest], 60)
    found = rw.drift((y, p), (y[::-1], p))
    assert 0 <= found.findings["struggle_ratio"].p_value <= 1


# -- margins and clusters ------------------------------------------------------------------------


def true_world(rng, n, theta=1.0, shift=0.0):
    """Scores that are true probabilities, until the odds are multiplied."""
    odds = -1 + shift + 1.2 * rng.normal(size=n)
    return rng.random(n) < 1 / (1 + np.exp(-odds) / theta), 1 / (1 + np.exp(-odds))


def test_margins_tell_small_changes_from_large_ones():
    rng = np.random.default_rng(0)
    reference = rw.tally(*true_world(rng, 200_000))
    slight = rw.tally(*true_world(rng, 200_000, theta=1.08))
    plain, within = rw.drift(reference, slight), rw.drift(reference, slight, margin=True)
    assert (plain.verdict, plain.suitable) == ("prevalence", None)
    assert within.findings["midpoint"].equivalent is True
    assert not within.drifted
    assert within.suitable is True
    assert "The change of the level is significant; its size is within its margin." in within.notes
    assert not any("margin" in note for note in plain.notes)
    strict = rw.drift(reference, slight, margin={"midpoint": 0.01})
    assert (strict.drifted, strict.suitable) == (True, False)
    assert strict.findings["midpoint"].equivalent is False
    large = rw.drift(reference, rw.tally(*true_world(rng, 50_000, theta=1.5)), margin=True)
    assert (large.verdict, large.suitable) == ("prevalence", False)
    few = rw.drift(reference, rw.tally(*true_world(rng, 300)), margin=True)
    assert (few.suitable, few.findings["auc"].equivalent) == (None, None)


@pytest.mark.parametrize(
    ("margin", "words"),
    [
        (0.1, "is neither True nor a mapping"),
        ({"brier": 0.1}, "is not a number that has a margin"),
        ({"auc": -1}, r"margin={'auc': -1} is not a positive number.\nHint: .* such as 0.02"),
        ({"auc": "wide"}, "margin"),
    ],
)
def test_margins_that_make_no_sense(both, margin, words):
    with pytest.raises(OptionError, match=words):
        rw.drift(*both, margin=margin)


def test_clusters_widen_and_quieten():
    """Twenty copies of each item in a cluster are worth one."""
    rng = np.random.default_rng(4)
    (y, p), (later, q) = true_world(rng, 1500), true_world(rng, 300, theta=1.5)
    copies = [np.repeat(each, 20) for each in (y, p, later, q)]
    units = np.repeat(np.arange(1500), 20), np.repeat(np.arange(300), 20)
    single = rw.drift((y, p), (later, q))
    ignored = rw.drift(copies[:2], copies[2:])
    summed = rw.drift(copies[:2], copies[2:], cluster=units)
    for name, test in summed.tests.items():
        assert abs(test.z) < abs(ignored.tests[name].z)
        assert test.z == pytest.approx(single.tests[name].z, abs=0.5), name
    wide, narrow = summed.findings["auc"], ignored.findings["auc"]
    assert wide.standard_error == pytest.approx(narrow.standard_error * math.sqrt(20), rel=0.05)
    assert wide.population.standard_error > 2 * narrow.population.standard_error
    drawn = rw.drift(
        copies[:2], copies[2:], cluster=units, method="bootstrap", n_resamples=200, rng=0
    )
    assert drawn.findings["auc"].standard_error == pytest.approx(wide.standard_error, rel=0.25)
    with pytest.raises(InputError, match="not a pair of columns"):
        rw.drift((y, p), (later, q), cluster=units[0])


def test_case_mix_is_not_drift():
    """A season moves the population; every score stays a true probability."""
    rng = np.random.default_rng(11)
    reference = true_world(rng, 3000)
    found = [rw.drift(reference, true_world(rng, 1000, shift=s)) for s in (-1.5, -1, 1, 1.5) * 5]
    assert sum(one.drifted for one in found) <= 4  # one is expected
    assert sum(one.changed for one in found) >= 8
    one = next(each for each in found if each.verdict == "population")
    assert one.summary.startswith(("The population has changed", "The numbers have changed"))
    assert "Recalibrate" not in one.summary


def test_a_reference_that_knows_too_little_is_said():
    rng = np.random.default_rng(5)
    reference = true_world(rng, 2000, shift=-1)
    far, near = true_world(rng, 400, shift=4), true_world(rng, 400, shift=-1)
    found = rw.drift(reference, far)
    assert found.is_thin
    assert "the reference knows too little where the scores now lie" in found.summary
    assert found.advice == "Collect a reference that covers the scores of today."
    assert not rw.drift(reference, near).is_thin
    small = rw.drift(true_world(rng, 400), true_world(rng, 4000, shift=1.5))
    assert any("The reference is the smaller sample" in note for note in small.notes)
    assert not rw.drift(true_world(rng, 400), true_world(rng, 4000)).notes


def test_an_auc_that_moved_with_the_calibration_does_not_contradict_the_order():
    """Squared probabilities keep their order: the AUC given one factor of the odds moves, alone."""
    rng = np.random.default_rng(3)
    known, later = (rng.beta(1.2, 2, n) for n in (6000, 6000))
    y, now = (rng.random(6000) < p for p in (known, later))
    found = rw.drift((y, known), (now, later**2))
    ranking = found.tests["ranking"]
    assert found.verdict == "estimation"
    assert ranking.adjusted_p_value < 0.05
    assert not found.causes.beyond_level
    assert "No change of the order is found" not in found.conclusion
    assert found.conclusion.endswith(
        "the test without that factor does not confirm it: no change of the order is shown."
    )
