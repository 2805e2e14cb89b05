"""Numbers at a point of the curve: against pROC, dcurves, definitions, and a bootstrap."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pytest

import rocwalk as rw
from commands import ROOT
from rocwalk.errors import OneClassError, OptionError, TallyError
from rocwalk.inference.closed_forms import wilson
from rocwalk.inference.influence import numerical_influence
from rocwalk.statistic import statistic_of

RNG = np.random.default_rng(21)
Y = RNG.integers(0, 2, 300)
S = (1 / (1 + np.exp(-RNG.normal(1.6 * Y - 0.8, 1)))).round(3)
T = (1 / (1 + np.exp(-RNG.normal(Y - 0.5, 1)))).round(3)
W = RNG.random(300) + 0.3
COSTS = rw.Costs(false_positive=1, false_negative=4)
ASAH = json.loads((ROOT / "tests/proc/golden.json").read_text(encoding="utf-8"))["data"]["asah"]

AT = {
    "sensitivity": ("threshold", "fpr", "rate"),
    "specificity": ("threshold", "tpr", "rate"),
    **dict.fromkeys(
        ("precision", "negative_predictive_value", "accuracy", "f1", "expected_cost"),
        ("threshold", "fpr", "tpr", "rate"),
    ),
    "gains": ("rate",),
    "lift": ("rate",),
    "net_benefit": ("threshold",),
}
VALUES = {"threshold": 0.4, "fpr": 0.15, "tpr": 0.85, "rate": 0.3}
NUMBERS = [(name, point) for name, points in AT.items() for point in points]


def asked(name, point):
    costs = {"costs": COSTS} if name == "expected_cost" else {}
    return {"statistic": name, point: VALUES[point]} | costs


def by_definition(name, point, y, s, w):
    """Return the number from the point of the curve, in other words than the library's."""
    at = rw.roc(y, s, sample_weight=w).at(**{point: VALUES[point]})
    p = float((w * y).sum() / w.sum())
    tp, fp = p * at.tpr, (1 - p) * at.fpr
    return {
        "sensitivity": at.tpr,
        "specificity": 1 - at.fpr,
        "precision": tp / (tp + fp),
        "negative_predictive_value": (1 - p - fp) / (1 - tp - fp),
        "accuracy": tp + 1 - p - fp,
        "f1": 2 * tp / (2 * tp + fp + p - tp),
        "expected_cost": fp + 4 * (p - tp),
        "gains": at.tpr,
        "lift": at.tpr / 0.3,
        "net_benefit": tp - fp * 0.4 / 0.6,
    }[name]


@pytest.mark.parametrize(("name", "point"), NUMBERS)
def test_the_number_is_that_of_the_point(name, point):
    for weight in (np.ones(300), W):
        found = rw.interval(Y, S, **asked(name, point), sample_weight=weight)
        assert found.estimate == pytest.approx(by_definition(name, point, Y, S, weight), rel=1e-12)
        assert found.low <= found.estimate <= found.high
        assert found.method == ("wilson" if point == "threshold" and _is_share(name) else "mover")
        statistic = statistic_of(asked(name, point).pop("statistic"), **_keywords(name, point))
        influence = statistic.influence(rw.tally(Y, S, sample_weight=weight))
        assert influence.estimate == pytest.approx(found.estimate, rel=1e-12)


def _is_share(name):
    return name not in ("expected_cost", "net_benefit")


def _keywords(name, point):
    return {key: value for key, value in asked(name, point).items() if key != "statistic"}


@pytest.mark.parametrize("name", [name for name, points in AT.items() if "threshold" in points])
def test_at_a_threshold_the_influence_is_the_derivative(name):
    statistic = statistic_of(name, **_keywords(name, "threshold"))
    tally = rw.tally(Y, S.round(1), sample_weight=W)
    found = statistic.influence(tally)
    slow = numerical_influence(tally, statistic.of)
    for one, other, mass in ((found.up, slow.up, tally.up), (found.right, slow.right, tally.right)):
        assert one[mass > 0] == pytest.approx(other[mass > 0], rel=2e-3, abs=1e-7)


@pytest.mark.parametrize(
    ("name", "point"),
    [
        ("sensitivity", "fpr"),
        ("specificity", "tpr"),
        ("precision", "rate"),
        ("f1", "fpr"),
        ("lift", "rate"),
        ("net_benefit", "threshold"),
        ("expected_cost", "threshold"),
    ],
)
def test_errors_are_those_of_a_bootstrap(name, point):
    closed = rw.interval(Y, S, **asked(name, point))
    drawn = rw.interval(Y, S, **asked(name, point), method="percentile", n_resamples=200, rng=1)
    assert closed.standard_error == pytest.approx(drawn.standard_error, rel=0.3)
    options = asked(name, point) | {"n_resamples": 200, "rng": 2}
    pair = rw.compare(Y, {"a": S, "b": T}, **options).pairs[0]
    again = rw.compare(Y, {"a": S, "b": T}, **options, method="bootstrap").pairs[0]
    assert pair.method == "influence"
    assert pair.difference == pytest.approx(again.difference, rel=1e-9)
    assert pair.standard_error == pytest.approx(again.standard_error, rel=0.35)


def test_coordinates_are_those_of_proc():
    """Percentiles of pROC's bootstrap, by tests/proc/make_coordinates.R (pROC 1.18.0).

    The limits in closed form lie as far apart, give or take a quarter.
    """
    y, s = (np.array(ASAH["columns"][key]) for key in ("outcome", "s100b"))
    for options, estimate, low, high in (
        # ci.se(roc, specificities = 0.9, boot.n = 20000)
        ({"statistic": "sensitivity", "fpr": 0.1}, 0.3902439, 0.2195122, 0.6146341),
        # ci.sp(roc, sensitivities = 0.9, boot.n = 20000); pROC interpolates
        ({"statistic": "specificity", "tpr": 0.9}, 0.2305556, 0.1156734, 0.5090278),
        # ci.coords(roc, x = 0.2, input = "threshold", boot.n = 20000)
        ({"statistic": "sensitivity", "threshold": 0.2}, 0.6341463, 0.4878049, 0.7804878),
    ):
        found = rw.interval(y, s, **options)
        assert found.estimate == pytest.approx(estimate, abs=2e-3)
        assert found.high - found.low == pytest.approx(high - low, rel=0.3)
        assert found.low == pytest.approx(low, abs=0.12)
        assert found.high == pytest.approx(high, abs=0.12)


def test_net_benefits_are_those_of_dcurves():
    """By tests/peers/make_dcurves.py (dcurves 1.1.7)."""
    with (ROOT / "examples" / "breast_cancer.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    y = [int(row["malignant"]) for row in rows]
    scores = {k: [float(row[k]) for row in rows] for k in ("logistic", "naive_bayes")}
    for threshold, one, other in (
        (0.1, 0.304042179261863, 0.304237453622339),
        (0.2, 0.26493848857645, 0.268453427065026),
        (0.5, 0.16871704745167, 0.170474516695958),
    ):
        options = {"statistic": "net_benefit", "threshold": threshold}
        assert rw.interval(y, scores["logistic"], **options).estimate == pytest.approx(one)
        pair = rw.compare(y, scores, **options).pairs[0]
        assert pair.difference == pytest.approx(one - other, abs=1e-12)
        assert pair.low < pair.difference < pair.high


def test_f1_has_wilsons_interval_of_the_share_of_hits():
    cells = rw.roc(Y, S).at(0.4).confusion
    union = cells.true_positives + cells.false_positives + cells.false_negatives
    found = rw.interval(Y, S, statistic="f1", threshold=0.4)
    ends = wilson(cells.true_positives / union, union, 1.959963984540054)
    assert (found.low, found.high) == pytest.approx([2 * j / (1 + j) for j in ends])


def test_no_spread_is_no_certainty():
    """All positives found by both models, in another order: an interval, not a point."""
    y = np.repeat([1, 0], 12)
    a, b = np.linspace(0.9, 0.1, 24), np.linspace(0.9, 0.1, 24)[np.r_[11:-1:-1, 12:24]]
    one = rw.interval(y, a, statistic="sensitivity", fpr=0.1)
    assert (one.estimate, one.high) == (1.0, 1.0)
    assert one.low < 0.8
    pair = rw.compare(y, {"a": a, "b": b}, statistic="sensitivity", fpr=0.1).pairs[0]
    assert pair.method == "mover"
    assert pair.low < -0.1 < 0.1 < pair.high
    assert pair.p_value == 1.0


def test_a_cost_at_another_prevalence():
    costs = rw.Costs(false_positive=1, false_negative=4, prevalence=0.1)
    at = rw.roc(Y, S).at(0.4)
    found = rw.interval(Y, S, statistic="expected_cost", costs=costs, threshold=0.4)
    assert found.estimate == pytest.approx(0.9 * at.fpr + 0.4 * (1 - at.tpr))


def test_clusters_are_drawn_whole():
    cluster = np.arange(300) // 6
    asked = {"statistic": "sensitivity", "fpr": 0.15, "cluster": cluster}
    found, drawn = (
        rw.interval(Y, S, **asked),
        rw.interval(Y, S, **asked, method="percentile", rng=0, n_resamples=200),
    )
    assert found.method == "mover-clusters"
    assert drawn.method == "percentile-unstratified"
    assert found.estimate == drawn.estimate
    assert found.low < drawn.low < drawn.high < found.high + 0.05
    pair = rw.compare(
        Y, {"a": S, "b": T}, statistic="net_benefit", threshold=0.4, cluster=cluster
    ).pairs[0]
    assert pair.method == "jackknife"
    benefit = [Y * (s >= 0.4) - (1 - Y) * (s >= 0.4) * (2 / 3) for s in (S, T)]
    means = [np.bincount(cluster, gap) / 6 for gap in benefit]
    gap = means[0] - means[1]
    assert pair.standard_error == pytest.approx(gap.std(ddof=1) / math.sqrt(50), rel=1e-9)


def wilson_of(share, count, quantile):
    """The shares that a score test does not reject, by bisection."""
    from scipy.optimize import brentq

    def score(theta):
        return (share - theta) ** 2 - quantile**2 * theta * (1 - theta) / count

    return brentq(score, 0, share), brentq(score, share, 1)


@pytest.mark.parametrize("name", ["sensitivity", "specificity", "precision", "accuracy"])
def test_shares_of_clusters_by_sums_and_a_score_test(name):
    from scipy.stats import t

    rng = np.random.default_rng(8)
    sizes = rng.integers(1, 9, 40)
    cluster = np.repeat(np.arange(40), sizes)
    y = (rng.random(len(cluster)) < rng.random(40)[cluster]).astype(int)
    s = rng.normal(size=40)[cluster] + rng.normal(y)
    called = s >= 0.3
    counted, hit = {
        "sensitivity": (y == 1, called),
        "specificity": (y == 0, ~called),
        "precision": (called, y == 1),
        "accuracy": (y >= 0, called == (y == 1)),
    }[name]
    of = [np.bincount(cluster, which, 40) for which in (counted, counted & hit)]
    share = of[1].sum() / of[0].sum()
    residual = (of[1] - share * of[0]) / of[0].sum()
    variance = 40 / 39 * (residual**2).sum()
    worth = min(share * (1 - share) / variance, of[0].sum())
    masses = [np.bincount(cluster, y == one, 40) for one in (0, 1)]
    degrees = min(mass.sum() ** 2 / (mass**2).sum() for mass in masses) - 1
    found = rw.interval(y, s, statistic=name, threshold=0.3, cluster=cluster)
    low, high = wilson_of(share, worth, t.ppf(0.975, degrees))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9)


@pytest.mark.parametrize("name", ["sensitivity", "specificity", "precision", "accuracy"])
def test_shares_of_soft_truth_by_the_variance_of_items(name):
    """A truth of ½ spreads less than a label: accuracy and predictive values were 1.6 times as wide."""
    from scipy.stats import t

    rng = np.random.default_rng(4)
    y = rng.choice([0, 0.25, 0.5, 0.75, 1], 60)
    s = rng.normal(2 * y)
    called = (s >= 1).astype(float)
    counted, hit = {
        "sensitivity": (y, y * called),
        "specificity": (1 - y, (1 - y) * (1 - called)),
        "precision": (called, y * called),
        "accuracy": (np.ones(60), np.where(called == 1, y, 1 - y)),
    }[name]
    share, count = hit.sum() / counted.sum(), counted.sum() ** 2 / (counted**2).sum()
    variance = (((hit - share * counted) / counted.sum()) ** 2).sum()
    worth = share * (1 - share) / (variance * count / (count - 1))
    found = rw.interval(y, s, statistic=name, threshold=1)
    low, high = wilson_of(share, worth, t.ppf(0.975, count - 1))
    assert (found.method, found.estimate) == ("wilson", pytest.approx(share))
    assert (found.low, found.high) == pytest.approx((low, high), rel=1e-9)
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9)
    without = [rw.interval(*np.delete([y, s], k, axis=1), statistic=name, threshold=1).estimate
               for k in range(60)]  # fmt: skip
    assert found.standard_error == pytest.approx(np.std(without) * math.sqrt(59), rel=0.05)


def test_truths_that_are_all_alike_are_no_certainty():
    """They have no variance; their limits are those of as many labels."""
    found = rw.interval([0.75] * 5 + [0.25] * 5, np.arange(10)[::-1], statistic="precision",
                        threshold=5)  # fmt: skip
    from scipy.stats import t

    assert (found.low, found.high) == pytest.approx(wilson_of(0.75, 5, t.ppf(0.975, 4)))
    single = rw.interval([0.75, 0.5, 0.25], [3, 2, 1], statistic="precision", threshold=3)
    assert 0 < single.low < 0.75 < single.high < 1


@pytest.mark.parametrize("point", [{"threshold": 0.4}, {"fpr": 0.2}, {"rate": 0.3}])
@pytest.mark.parametrize("name", ["precision", "f1", "expected_cost"])
def test_copies_in_a_cluster_tell_nothing_new(name, point):
    """Rows three times over, as clusters of three: the limits of the single rows as clusters."""
    asked = {"statistic": name, **point}
    if name == "expected_cost":
        asked["costs"] = rw.Costs(false_positive=1, false_negative=3)
    single = rw.interval(Y, S, **asked, cluster=np.arange(300))
    copies = rw.interval(*(np.repeat(each, 3) for each in (Y, S)), **asked,
                         cluster=np.repeat(np.arange(300), 3))  # fmt: skip
    assert copies.estimate == pytest.approx(single.estimate, rel=1e-3)
    assert copies.low == pytest.approx(single.low, abs=2e-3)
    assert copies.high == pytest.approx(single.high, abs=2e-3)
    plain = rw.interval(Y, S, **asked)
    assert single.low == pytest.approx(plain.low, abs=5e-3)
    assert single.high == pytest.approx(plain.high, abs=5e-3)


def test_a_share_of_one_in_clusters_has_the_limit_of_as_many_clusters():
    y, s, cluster = (
        np.tile([1, 1, 0, 0], 30),
        np.tile([0.9, 0.8, 0.2, 0.1], 30),
        np.arange(120) // 4,
    )
    found = rw.interval(y, s, statistic="sensitivity", threshold=0.5, cluster=cluster)
    alone = rw.interval(y[::2], s[::2], statistic="sensitivity", threshold=0.5)
    assert (found.estimate, found.high) == (1.0, 1.0)
    assert 0.8 < found.low <= alone.low


def test_partial_areas_above_a_floor():
    for options in ({"min_tpr": 0.8}, {"min_tpr": 0.6, "max_fpr": 0.4}):
        for standardized in (False, True):
            found = rw.interval(
                Y, S, statistic="partial_auc", **options, standardized=standardized,
                rng=0, n_resamples=100,
            )  # fmt: skip
            expected = rw.roc(Y, S).partial_area(**options, standardized=standardized)
            assert found.estimate == expected
            assert ("McClish" in found.sentence) is standardized
            name = "standardized_partial_auc" if standardized else "partial_auc"
            statistic = statistic_of(name, **options)
            tally = rw.tally(Y, S, sample_weight=W)
            masses = (np.stack([mass, 3 * mass]) for mass in (tally.up, tally.right))
            both = statistic.together(tally.scores, *masses)
            assert both.tolist() == pytest.approx([statistic.of(tally)] * 2, rel=1e-12)


BAD = {
    "two points": (
        {"statistic": "f1", "fpr": 0.1, "rate": 0.2},
        r"rate=0.2 is given beside another point of the curve, fpr=0.1",
    ),
    "its own": ({"statistic": "sensitivity", "tpr": 0.1}, "tpr=0.1 has no meaning for this"),
    "no point": ({"statistic": "f1"}, "'f1' needs a threshold"),
    "no rate": ({"statistic": "lift"}, "'lift' needs the rate of calls"),
    "no costs": ({"statistic": "expected_cost", "fpr": 0.1}, "needs the costs of mistakes"),
    "costs": ({"statistic": "expected_cost", "costs": 5, "fpr": 0.1}, "=5 is not a Costs object"),
    "beyond": ({"statistic": "sensitivity", "fpr": 1.1}, r"fpr=1.1 is outside \[0, 1\]"),
    "text": ({"statistic": "sensitivity", "fpr": "x"}, "fpr='x' is not a number"),
    "certainty": ({"statistic": "net_benefit", "threshold": 1}, "is not a probability below 1"),
    "nothing called": ({"statistic": "lift", "rate": 0}, "predicts no item positive"),
    "method": (
        {"statistic": "sensitivity", "fpr": 0.1, "method": "wilson"},
        "is for rates at a threshold",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_refused(name):
    options, words = BAD[name]
    with pytest.raises(OptionError, match=words):
        rw.interval(Y, S, **options)
    if "method" not in options:
        with pytest.raises(OptionError, match=words):
            rw.compare(Y, {"a": S, "b": T}, **options)


def test_more_refusals():
    coarse = rw.tally(Y, S).bucketed(np.linspace(0, 1, 11))
    with pytest.raises(TallyError, match="The interval of sensitivity needs every score"):
        rw.interval(coarse, statistic="sensitivity", fpr=0.1)
    with pytest.raises(OneClassError, match="No item counts"):
        rw.interval(Y, S, statistic="precision", rate=0)
