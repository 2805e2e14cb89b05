"""The uncertainty of a chosen threshold, against a slow bootstrap written differently."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest, norm

import rocwalk as rw
from curves.chosen import CHOICES, sample

COSTS = rw.Costs(false_positive=1, false_negative=4)
Z = norm.ppf(0.975)


def slow(y, s, costs, replicates, seed):
    """Return the optimism of TPR and cost by rows drawn one by one."""
    rng, whole = np.random.default_rng(seed), rw.roc(y, s)
    found = []
    for _ in range(replicates):
        rows = rng.integers(0, len(y), len(y))
        best = rw.roc(y[rows], s[rows]).best(costs)
        there = whole.at(best.threshold)
        cost = costs.expected(there.fpr, there.tpr, y.mean())
        found.append((best.tpr - there.tpr, best.expected_cost - cost, best.threshold))
    return np.array(found)


def test_optimism_and_thresholds_are_those_of_a_slow_bootstrap():
    y, s = sample()
    found = rw.best_threshold(y, s, costs=COSTS, rng=0, n_resamples=1500)
    errors = slow(y, s, COSTS, 1500, 5)
    assert found.choice == rw.roc(y, s).best(COSTS)
    rule = 2 ** (1 / 3)
    for one, column in ((found.tpr, 0), (found.expected_cost, 1)):
        spread, mean = errors[:, column].std() / np.sqrt(1500), errors[:, column].mean()
        assert one.optimism == pytest.approx(rule * mean, abs=5 * rule * spread)
        low, high = one.apparent - np.quantile(errors[:, column], [0.975, 0.025])
        shift = (rule - 1) * mean
        assert one.low <= min(low, low - shift) + 0.03
        assert one.high >= max(high, high - shift) - 0.03
    low, high = np.quantile(errors[:, 2], [0.025, 0.975])
    ends = min(low, 2 * found.threshold - high), max(high, 2 * found.threshold - low)
    assert found.threshold_interval == pytest.approx(ends, abs=0.15)


def test_the_factor_of_the_optimism_is_that_of_brownian_motion():
    """E W*(argmax of W + W* − t²) over E W(argmax of W − t²) is 2^(−1/3), by walks drawn here."""
    rng, t = np.random.default_rng(3), np.linspace(-3, 3, 2001)

    def motions(times):
        sides = rng.normal(0, np.sqrt(t[1] - t[0]), (2, times, 1000)).cumsum(axis=2)
        return np.hstack([sides[0][:, ::-1], np.zeros((times, 1)), sides[1]])

    alone, both = [], []
    for _ in range(10):
        one, other, rows = motions(2000), motions(2000), np.arange(2000)
        alone += [each[rows, (each - t**2).argmax(axis=1)] for each in (one, other)]
        best = (one + other - t**2).argmax(axis=1)
        both.append((one + other)[rows, best] / 2)
    assert np.mean(both) / np.mean(alone) == pytest.approx(2 ** (-1 / 3), rel=0.03)


def test_intervals_hold_wilsons_and_newcombes_limits_of_corrected_rates():
    y, s = sample(100, 0.2, seed=4)
    found = rw.best_threshold(y, s, rng=0, n_resamples=400)
    sizes = y.sum(), len(y) - y.sum()
    ends = [
        wilson_by_roots(one.corrected, n)
        for one, n in zip((found.tpr, found.fpr), sizes, strict=True)
    ]
    for one, (low, high) in zip((found.tpr, found.fpr), ends, strict=True):
        assert one.low <= low + 1e-12
        assert one.high >= high - 1e-12
    (tpr, (low, high)), (fpr, (least, most)) = zip(
        (found.tpr.corrected, found.fpr.corrected), ends, strict=True
    )
    apart = tpr - fpr
    assert found.saved.low <= apart - np.hypot(tpr - low, most - fpr) + 1e-12
    assert found.saved.high >= apart + np.hypot(high - tpr, fpr - least) - 1e-12


def wilson_by_roots(share, n):
    """The two shares p with (share − p)² = z²·p(1 − p)/n."""
    z = norm.ppf(0.975)
    roots = np.roots([1 + z**2 / n, -(2 * share + z**2 / n), share**2])
    return tuple(sorted(np.clip(roots.real, 0, 1)))


def test_a_floor_of_the_tpr_has_the_order_statistics_of_the_positives():
    y, s = sample(120, 0.3, seed=2)
    found = rw.best_threshold(y, s, min_tpr=0.8, rng=0, n_resamples=200)
    low, high = wilson_by_roots(0.8, y.sum())
    positives = np.sort(s[y == 1])[::-1]
    inside = positives[int(np.ceil(low * len(positives))) : int(high * len(positives))]
    assert found.threshold_interval[0] <= inside.min()
    assert found.threshold_interval[1] >= inside.max()


def test_corrected_rates_are_nearer_to_those_on_new_data():
    apparent, corrected = [], []
    for seed in range(30):
        y, s = sample(150, seed=seed)
        found = rw.best_threshold(y, s, rng=seed, n_resamples=100)
        gain = norm.cdf(1 - found.threshold) - norm.cdf(-found.threshold)
        apparent.append(found.saved.apparent - gain)
        corrected.append(found.saved.corrected - gain)
    assert np.mean(apparent) > 0.03
    assert abs(np.mean(corrected)) < 0.45 * np.mean(apparent)


def test_a_fixed_threshold_has_no_choice_and_no_optimism():
    y, s = sample()
    found = rw.best_threshold(y, s, threshold=0.5, rng=0, n_resamples=400)
    assert found.threshold_interval == (0.5, 0.5)
    assert found.tpr.optimism == pytest.approx(0, abs=0.01)
    wilson = rw.interval(y, s, statistic="sensitivity", threshold=0.5)
    assert (found.tpr.low, found.tpr.high) == pytest.approx((wilson.low, wilson.high), abs=0.03)


def test_a_rule_that_is_not_shown_to_be_worth_it():
    y, s = sample(120, 0.5)
    dear = rw.Costs(false_positive=1, false_negative=32)
    assert not rw.best_threshold(y, s, costs=dear, rng=0, n_resamples=300).is_worthwhile
    assert rw.best_threshold(y, s, rng=0, n_resamples=300).is_worthwhile
    noise = np.random.default_rng(8).normal(size=120)
    assert not rw.best_threshold(y, noise, rng=0, n_resamples=300).is_worthwhile


def test_a_rate_that_no_replicate_changes_has_wilsons_interval():
    y, s = np.arange(40) % 2, np.arange(40) % 2 + np.linspace(0, 0.5, 40)
    found = rw.best_threshold(y, s, rng=0, n_resamples=100)
    assert (found.fpr.corrected, found.fpr.low) == (0, 0)
    assert 0.05 < found.fpr.high < 0.25


def test_clusters_weights_and_the_same_seed():
    y, s = sample()
    cluster = np.arange(300) // 6
    rng = np.random.default_rng(2)
    strong = rng.normal(0, 1.5, 50)[cluster]
    alone = rw.best_threshold(y, s + strong, rng=0, n_resamples=300)
    units = rw.best_threshold(y, s + strong, rng=0, n_resamples=300, cluster=cluster)
    again = rw.best_threshold(y, s + strong, rng=0, n_resamples=300, cluster=cluster, threads=1)
    assert units.to_dict() == again.to_dict()
    assert units.fpr.high - units.fpr.low > alone.fpr.high - alone.fpr.low
    weighted = rw.best_threshold(y, s, rng=0, n_resamples=300, sample_weight=np.full(300, 2.0))
    plain = rw.best_threshold(y, s, rng=0, n_resamples=300)
    assert weighted.tpr.to_dict() == plain.tpr.to_dict()
    frame = plain.to_frame()
    assert list(frame["number"]) == ["tpr", "fpr", "precision", "over_everyone", "over_no_one"]


# -- metrics and floors ----------------------------------------------------------------------------


@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_every_choice_has_its_interval_and_its_number(options):
    y, s = sample()
    found = rw.best_threshold(y, s, rng=0, n_resamples=100, **options)
    choice = rw.roc(y, s).best(**options)
    assert found.threshold == choice.threshold
    low, high = found.threshold_interval
    assert low <= found.threshold <= high
    assert found.precision.apparent == pytest.approx(choice.point.precision)
    assert found.precision.low < found.precision.high
    if "metric" in options:
        assert found.value.apparent == pytest.approx(choice.value)
        assert found.value.low < found.value.high
        is_distance = options["metric"] == "closest"
        assert (found.value.optimism < 0.01) if is_distance else (found.value.optimism > -0.01)
    else:
        assert found.value is None
    for k, word in (("min_precision", "precision"), ("min_tpr", "sensitivity")):
        assert (f"{word} ≥" in found.rule.words) is (k in options)


def by_rates(name, tpr, fpr, share):
    """A metric from both rates and the prevalence, by the four cells of 1 item."""
    tp, fn, fp, tn = share * tpr, share * (1 - tpr), (1 - share) * fpr, (1 - share) * (1 - fpr)
    return {
        "accuracy": tp + tn,
        "balanced_accuracy": (tpr + 1 - fpr) / 2,
        "closest": np.hypot(fpr, 1 - tpr),
        "mcc": (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
        "fbeta": 5 * tp / (5 * tp + 4 * fn + fp),
    }[name]


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "closest", "mcc", "fbeta"])
def test_a_metric_holds_what_the_errors_of_rates_and_prevalence_allow(name):
    y, s = sample()
    found = rw.best_threshold(y, s, metric=name, rng=0, n_resamples=50)
    tpr, fpr, share = found.tpr.corrected, found.fpr.corrected, y.mean()

    def limits(p, n):
        middle, arm = p + Z**2 / 2 / n, Z * np.sqrt(p * (1 - p) / n + Z**2 / 4 / n**2)
        return (middle - arm) / (1 + Z**2 / n), (middle + arm) / (1 + Z**2 / n)

    centre = by_rates(name, tpr, fpr, share)
    ends = [by_rates(name, each, fpr, share) for each in limits(tpr, y.sum())]
    ends += [by_rates(name, tpr, each, share) for each in limits(fpr, (1 - y).sum())]
    ends += [by_rates(name, tpr, fpr, each) for each in limits(share, len(y))]
    below = np.sqrt(sum(min(each - centre, 0) ** 2 for each in ends))
    above = np.sqrt(sum(max(each - centre, 0) ** 2 for each in ends))
    assert found.value.low <= centre - below + 1e-9
    assert found.value.high >= centre + above - 1e-9
    assert 0 <= found.value.low < found.value.corrected < found.value.high <= 1.5
    assert found.value.high - found.value.low < 3 * (above + below)


def test_replicates_that_no_threshold_satisfies_leave_the_interval_open():
    y = np.repeat([1, 0], [10, 200])
    s = np.random.default_rng(2).normal(1.2 * y)
    few = rw.best_threshold(y, s, min_precision=0.5, rng=0, n_resamples=400)
    assert few.failed > 10
    assert few.threshold_interval[1] == np.inf
    assert few.tpr.low < few.tpr.high < 1
    assert "the best threshold lies at 1.48 or above (95 % interval)." in few.sentence
    y, s = sample()
    many = rw.best_threshold(y, s, min_precision=0.5, rng=0, n_resamples=400)
    assert many.failed == 0
    assert many.threshold_interval[1] < np.inf
    assert "the best threshold lies between" in many.sentence


def test_floors_that_no_threshold_keeps():
    y, s = sample()
    with pytest.raises(rw.errors.OptionError, match="min_precision=1.0 is reached at no|keeps to"):
        rw.best_threshold(y, -s, min_precision=1.0, rng=0)
    with pytest.raises(rw.errors.OptionError, match=r"min_tpr=1.2 is outside \[0, 1\]"):
        rw.best_threshold(y, s, min_tpr=1.2)
    with pytest.raises(rw.errors.OptionError, match="A threshold is given, and also how"):
        rw.best_threshold(y, s, threshold=0.5, min_tpr=0.5)
    with pytest.raises(rw.errors.OptionError, match="beta=2 has no meaning"):
        rw.best_threshold(y, s, beta=2)


def test_buckets_are_chosen_from_at_their_lowest_scores():
    rng = np.random.default_rng(0)
    p = rng.random(3000)
    columns = {"y": rng.random(3000) < p, "p": p}
    tally = rw.tallies(columns, label="y", score="p", limit=50, tolerance=0.01).only
    assert tally.is_bucketed
    found = rw.best_threshold(tally, rng=0, n_resamples=200)
    plain = rw.Tally(tally.scores, tally.up, tally.right)
    expected = rw.best_threshold(plain, rng=0, n_resamples=200)
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize(
    ("floor", "name", "positive"),
    [({"min_tpr": 0.9}, "tpr", 1), ({"min_specificity": 0.9}, "fpr", 0)],
)
def test_a_rate_with_a_floor_holds_clopper_and_pearsons_limits(floor, name, positive):
    """By scipy.stats.binomtest, which inverts two exact tests."""
    y, s = sample(60, 0.3, seed=7)
    found = rw.best_threshold(y, s, **floor, rng=0, n_resamples=50)
    own = s[y == positive]
    hits = int((own >= found.threshold).sum())
    limits = binomtest(hits, len(own)).proportion_ci(0.95, method="exact")
    one = getattr(found, name)
    assert one.low <= limits.low + 1e-9
    assert one.high >= limits.high - 1e-9


@pytest.mark.parametrize("positives", [10, 15])
def test_the_rate_at_a_floor_with_few_positives_is_held(positives):
    """Of normal scores; 93 % of these intervals held it, too low, by quantiles and Wilson alone."""
    rng, held = np.random.default_rng(3), 0
    y = np.repeat([1, 0], [positives, 100])
    for seed in range(200):
        s = rng.normal(y, 1)
        found = rw.best_threshold(y, s, min_tpr=0.9, rng=seed, n_resamples=50, threads=1)
        held += found.tpr.low <= norm.sf(found.threshold - 1) <= found.tpr.high
    assert held >= 194


def test_a_metric_is_that_of_the_prevalence_that_was_given():
    rng = np.random.default_rng(21)
    y = rng.integers(0, 2, 400)
    s = rng.normal(1.5 * y, 1)
    found = rw.best_threshold(
        y[:200], s[:200], metric="f1", prevalence=0.02, rng=0, n_resamples=200
    )
    assert found.threshold == rw.roc(y[:200], s[:200]).best(metric="f1", prevalence=0.02).threshold
    assert 0 <= found.value.low < found.value.corrected < found.value.high <= 1
    there = found.on(y[200:], s[200:])
    called = s[200:] >= found.threshold
    tpr, fpr = called[y[200:] == 1].mean(), called[y[200:] == 0].mean()
    assert there.value.estimate == pytest.approx(2 * 0.02 * tpr / (0.02 + 0.02 * tpr + 0.98 * fpr))
    assert "F1 at a prevalence of 2\N{NO-BREAK SPACE}%" in there.sentence


def test_without_a_cost_of_misses_the_interval_holds_the_threshold():
    rng = np.random.default_rng(22)
    y = rng.integers(0, 2, 200)
    s = rng.normal(1.5 * y, 1)
    costs = rw.Costs(false_positive=1, false_negative=0)
    found = rw.best_threshold(y, s, costs=costs, rng=0, n_resamples=200)
    low, high = found.threshold_interval
    assert low <= found.threshold <= high < np.inf


def test_a_rule_that_calls_no_item_says_so():
    y, s = np.array([1, 0] * 20), np.linspace(0.1, 0.9, 40)
    found = rw.best_threshold(y, s, rate=0.01, rng=0, n_resamples=100)
    assert found.threshold == np.inf
    assert found.sentence.startswith("The rule that calls no item positive finds 0.0 %")
    assert found.on(y, s).sentence.startswith("The rule that calls no item positive finds 0.0 %")


def of_two_samples(rng, positives=0.5):
    y = np.concatenate([np.arange(200) % 2, rng.random(400) < positives]).astype(int)
    s = rng.normal(1.5 * y, 1)
    return (y[:200], s[:200]), (y[200:], s[200:])


def test_a_second_sample_says_whether_it_keeps_to_the_floors():
    first, second = of_two_samples(np.random.default_rng(23), positives=0.1)
    asked = {"min_precision": 0.8, "min_specificity": 0.7, "rng": 0, "n_resamples": 100}
    found = rw.best_threshold(*first, **asked)
    there = found.on(*second)
    called = second[1] >= found.threshold
    precision = second[0][called].mean()
    assert precision < 0.8
    assert there.kept == {"min_precision": False, "min_specificity": True}
    assert f"A precision of {100 * precision:.1f} % (" in there.sentence
    assert "%) does not keep to the floor of 80 %." in there.sentence
    assert "%) keeps to the floor of 70 %." in there.sentence
    assert there.to_dict()["keeps_min_precision"] is False
    nothing = found.on(second[0], second[1] - 100)
    assert nothing.kept["min_precision"] is False
    assert "The precision is undefined, so the floor of 80 % is not kept." in nothing.sentence


@pytest.mark.parametrize(("shift", "kept", "words"), [(0.5, False, "is above"), (-0.5, True, "ke")])
def test_a_second_sample_says_whether_it_keeps_to_the_budget(shift, kept, words):
    first, second = of_two_samples(np.random.default_rng(24))
    found = rw.best_threshold(*first, rate=0.2, rng=0, n_resamples=100)
    there = found.on(second[0], second[1] + shift)
    rate = (second[1] + shift >= found.threshold).mean()
    assert there.kept == {"rate": kept}
    assert f"calls {100 * rate:.1f} % positive, which {words}" in there.sentence


def test_a_metric_that_is_undefined_on_the_second_sample_is_said():
    first, second = of_two_samples(np.random.default_rng(25))
    found = rw.best_threshold(*first, metric="mcc", rng=0, n_resamples=100)
    there = found.on(second[0], second[1] - 100)
    assert there.value is None
    assert "The correlation of Matthews (MCC) is undefined on this sample." in there.sentence
    assert there.confusion.true_positives == 0
