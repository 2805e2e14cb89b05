"""Intervals: against R's pROC, against definitions written out, and against a plain bootstrap."""

from __future__ import annotations

import csv
import functools
import json
import math

import numpy as np
import pytest

import rocwalk as rw
from commands import ROOT
from rocwalk.errors import InputError, OneClassError, OptionError, SmallSampleWarning, TallyError
from rocwalk.evaluate.summary import summary
from rocwalk.inference.closed_forms import wilson
from rocwalk.inference.influence import auc_influence, error_range
from rocwalk.inference.intervals import interval_of
from rocwalk.inference.items import evidence_from
from rocwalk.inference.request import Request
from rocwalk.inference.resampling import Plan, auc_replicates
from rocwalk.statistic import entries, statistic_of, words_of
from samples import keywords_of

HERE = ROOT / "tests"
GOLDEN = json.loads((HERE / "proc" / "golden.json").read_text(encoding="utf-8"))


@functools.cache
def data(name):
    """Return the labels and the score columns of one of the data sets given to pROC."""
    told = GOLDEN["data"][name]
    columns = told.get("columns")
    if columns is None:
        with (HERE.parent / told["file"]).open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        columns = {
            key: [float(row[key]) for row in rows] for key in (told["label"], *told["scores"])
        }
    return np.array(columns[told["label"]], dtype=int), {
        key: np.array(columns[key], dtype=float) for key in told["scores"]
    }


def sample(n=80, seed=0, soft=False, weighted=False):
    rng = np.random.default_rng(seed)
    f = rng.random(n) if soft else (rng.random(n) < 0.4) * 1.0
    s = np.round(np.clip(0.3 * f + 0.7 * rng.random(n), 0, 1), 2)
    return f, s, rng.random(n) + 0.2 if weighted else None


# -- R's pROC ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "record", GOLDEN["auc_variance"], ids=lambda r: f"{r['data']}-{r['curve']}"
)
def test_delong_variances_are_those_of_proc(record):
    labels, scores = data(record["data"])
    if record["value"] == "NA":
        with pytest.raises(OneClassError, match="fewer than two positive items"):
            rw.interval(labels, scores[record["curve"]], method="delong")
        return
    tally = rw.tally(labels, scores[record["curve"]])
    least, error = error_range(evidence_from(tally), auc_influence(tally))
    assert least == error
    assert error**2 == pytest.approx(record["value"], rel=1e-10, abs=1e-18)


@pytest.mark.parametrize(
    "record",
    [r for r in GOLDEN["auc_interval"] if r["value"]["lower"] not in ("NA", r["value"]["upper"])],
    ids=lambda r: f"{r['data']}-{r['curve']}-{r['conf_level']}",
)
def test_delong_intervals_are_those_of_proc(record):
    labels, scores = data(record["data"])
    found = rw.interval(
        labels, scores[record["curve"]], method="delong", confidence_level=record["conf_level"]
    )
    assert found.method == "delong-plain"
    assert (found.low, found.estimate, found.high) == pytest.approx(
        tuple(record["value"][key] for key in ("lower", "auc", "upper")), rel=1e-10
    )


@pytest.mark.parametrize(
    "record", GOLDEN["wilson_interval"], ids=lambda r: f"{r['count']}/{r['total']}"
)
def test_wilson_intervals_are_those_of_r(record):
    from scipy.special import ndtri

    z = float(ndtri(0.5 + record["conf_level"] / 2))
    found = wilson(record["count"] / record["total"], record["total"], z)
    assert found == pytest.approx(tuple(record["value"]), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("k", [0, 2])
def test_clustered_variances_are_those_written_in_r(k):
    record = [r for r in GOLDEN["clustered_covariance"] if r["curves"][0] == r["curves"][1]][k // 2]
    columns = GOLDEN["data"]["clustered"]["columns"]
    found = rw.interval(
        np.array(columns["diseased"]), np.array(columns[record["curves"][0]]),
        cluster=columns["cluster"], method="obuchowski",
    )  # fmt: skip
    assert found.standard_error**2 == pytest.approx(record["value"]["covariance"], rel=1e-10)
    assert found.estimate == pytest.approx(record["value"]["auc"][0])


def test_bootstrap_errors_are_near_those_of_proc():
    for record in GOLDEN["bootstrap_variance"]:
        if not record["stratified"] or record["data"] not in ("breast_cancer", "asah"):
            continue
        labels, scores = data(record["data"])
        values = auc_replicates(rw.tally(labels, scores[record["curve"]]), Plan(4_000, 1))
        assert values.var(ddof=1) == pytest.approx(record["value"], rel=0.1)


# -- by definition -----------------------------------------------------------------------------------


def test_delong_by_definition():
    f, s, _ = sample(seed=3)
    up, right = s[f == 1], s[f == 0]
    wins = (np.subtract.outer(up, right) > 0) + 0.5 * (np.subtract.outer(up, right) == 0)
    variance = wins.mean(axis=1).var(ddof=1) / len(up) + wins.mean(axis=0).var(ddof=1) / len(right)
    assert rw.interval(f, s).standard_error == pytest.approx(math.sqrt(variance))
    assert rw.interval(f, s, statistic="auc", method="delong").estimate == pytest.approx(
        wins.mean()
    )


def test_soft_truth_by_its_influence_function():
    """The twelve rows of Gredlics et al.; ψ item by item, and DeLong on masses is twice too wide."""
    from scipy.special import stdtrit

    f, s, w = sample(seed=4, soft=True, weighted=True)
    u, r = w * f, w * (1 - f)
    wins = (np.subtract.outer(s, s) > 0) + 0.5 * (np.subtract.outer(s, s) == 0)
    area = u @ wins @ r / (u.sum() * r.sum())
    psi = u * (wins @ r / r.sum() - area) / u.sum() + r * (u @ wins / u.sum() - area) / r.sum()
    found = rw.interval(f, s, sample_weight=w)
    assert found.method == "influence-logit"
    assert found.standard_error == pytest.approx(math.sqrt((psi**2).sum()))
    assert found.estimate == pytest.approx(area)
    middle, arm = math.log(area / (1 - area)), found.standard_error / (area * (1 - area))
    df = min(u.sum() ** 2 / (u**2).sum(), r.sum() ** 2 / (r**2).sum()) - 1
    _, tied, count = np.unique(s, return_inverse=True, return_counts=True)
    squares = np.bincount(tied, psi**2)
    made_by = squares.sum() ** 2 / (squares**2 / count).sum()  # items that make the error
    reach = float(stdtrit(min(df, made_by - 1), 0.975))  # df is the least that Welch's can be
    expected = [1 / (1 + math.exp(-(middle + k * reach * arm))) for k in (-1, 1)]
    assert (found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize("statistic", ["auc", "probabilistic_auc"])
def test_few_soft_items_are_not_trusted_too_much(statistic):
    """Three votes behind each of ten items; with the normal quantile, 86 % of intervals held."""
    rng = np.random.default_rng(12)

    def draw(n):
        share = rng.random(n)
        scores = [np.clip(share + rng.normal(0, 0.3, n), 0, 1) for _ in range(2)]
        return rng.binomial(3, share) / 3, *scores

    truth, one, _ = draw(200_000)
    area = rw.interval(truth, one, statistic=statistic).estimate
    held = rejected = 0
    for truth, one, other in (draw(10) for _ in range(300)):
        found = rw.interval(truth, one, statistic=statistic)
        held += found.low <= area <= found.high
        pair = rw.compare(truth, {"one": one, "other": other}, statistic=statistic).pairs[0]
        rejected += pair.p_value < 0.05
    assert held / 300 > 0.91
    assert rejected / 300 < 0.08


@pytest.mark.parametrize("truth", [[1] * 10 + [0] * 10, [1] * 9 + [2 / 3, 1 / 3] + [0] * 9])
def test_votes_do_not_make_an_interval_shorter(truth):
    scores = np.linspace(1, 0, 20)
    alone = rw.interval(truth, scores, statistic="auc_prt")
    found = rw.interval(truth, scores, statistic="auc_prt", votes=[3] * 20, rng=0)
    assert found.low <= alone.low < 0.85
    assert found.high >= alone.high


def test_probabilistic_auc_by_two_means():
    f, s, _ = sample(seed=5)
    from scipy.stats import ttest_ind

    found = rw.interval(f, s, statistic="probabilistic_auc")
    test = ttest_ind(s[f == 1], s[f == 0], equal_var=False).confidence_interval()
    assert found.low == pytest.approx(0.5 + test.low / 2)
    assert found.high == pytest.approx(0.5 + test.high / 2)
    gini = rw.interval(f, s, statistic="probabilistic_gini")
    assert gini.low == pytest.approx(test.low)


def test_clusters_of_one_are_no_clusters():
    f, s, w = sample(seed=6, soft=True, weighted=True)
    ids = np.arange(len(f))
    hard = (f > 0.5).astype(int)
    alone = rw.interval(hard, s, cluster=ids, method="obuchowski").standard_error
    assert alone == pytest.approx(rw.interval(hard, s).standard_error, rel=1e-12)
    n = len(f)
    soft = rw.interval(f, s, sample_weight=w, cluster=ids, method="influence").standard_error
    plain = rw.interval(f, s, sample_weight=w).standard_error
    assert soft == pytest.approx(plain * math.sqrt(n / (n - 1)))


def test_newcombe_holds_where_delong_shrinks_to_a_point():
    for scores in ([0.9, 0.8, 0.7, 0.3, 0.2, 0.1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]):
        found = rw.interval([1, 1, 1, 0, 0, 0], scores)
        assert found.method == "newcombe"
        assert found.low < found.high
        assert 0.3 < found.high - found.low < 0.7
        assert found.estimate in (found.low, found.high)


def test_newcombe_limits_are_what_the_estimate_does_not_reject():
    from rocwalk.inference.closed_forms import hanley_variance

    f, s, _ = sample(seed=7)
    found = rw.interval(f, s, method="newcombe")
    sizes = float(f.sum()), float((1 - f).sum())
    for end in (found.low, found.high):
        z = abs(found.estimate - end) / math.sqrt(hanley_variance(end, *sizes))
        assert z == pytest.approx(1.959963984540054)


@pytest.mark.parametrize("name", ["sensitivity", "specificity", "precision", "accuracy"])
def test_rates_at_a_threshold(name):
    f, s, _ = sample(seed=8)
    found = rw.interval(f, s, statistic=name, threshold=0.5)
    point = rw.roc(f, s).at(0.5)
    assert found.estimate == pytest.approx(getattr(point, name))
    cells = point.confusion
    n = {
        "sensitivity": cells.true_positives + cells.false_negatives,
        "specificity": cells.true_negatives + cells.false_positives,
        "precision": cells.true_positives + cells.false_positives,
        "accuracy": cells.total,
    }[name]
    assert (found.low, found.high) == pytest.approx(wilson(found.estimate, n, 1.959963984540054))


# -- statistics --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", entries())
@pytest.mark.parametrize("options", [{}, {"soft": True}, {"weighted": True}])
def test_every_statistic_has_an_interval(name, options):
    f, s, w = sample(60, 16, **options)
    extra = keywords_of(name)
    found = rw.interval(f, s, statistic=name, sample_weight=w, rng=0, n_resamples=200, **extra)
    lowest, highest = statistic_of(name, **extra).range
    assert lowest <= found.low <= found.estimate <= found.high <= highest
    assert found.standard_error > 0
    assert found.method
    estimate = f"{found.estimate:.3f}".replace("-", "−")
    assert found.sentence.startswith(f"{words_of(name)} {estimate}, ")


def test_the_partial_area_is_one_number_with_one_default():
    f, s, _ = sample(60, 17)
    curve, tally = rw.roc(f, s), rw.tally(f, s)
    options = {"statistic": "partial_auc", "max_fpr": 0.2, "n_resamples": 50, "rng": 0}
    raw, mcclish = curve.partial_area(0.2), curve.partial_area(0.2, standardized=True)
    assert mcclish == 0.5 * (1 + (raw - 0.02) / (0.2 - 0.02))
    models = {"a": s, "b": s[::-1]}
    for standardized, value in ((False, raw), (True, mcclish)):
        name = "standardized_partial_auc" if standardized else "partial_auc"
        asked = options | {"standardized": standardized}
        found = rw.interval(f, s, **asked)
        assert (found.estimate, found.statistic) == (value, name)
        assert found.sentence.startswith(f"{words_of(name)} ")
        assert rw.interval(f, s, **options | {"statistic": name}).estimate == value
        assert rw.compare(f, models, **asked).estimates["a"] == value
        assert rw.compare_samples((f, s), (f, s[::-1]), **asked).estimates[0] == value
        assert summary(tally, max_fpr=0.2)[name] == value
        assert ("McClish" in entries()[name].title) is standardized
    assert rw.metrics.roc_auc_score(f, s, max_fpr=0.2) == mcclish  # as in scikit-learn
    with pytest.raises(OptionError, match="standardized=True has no meaning for this statistic"):
        rw.interval(f, s, standardized=True)
    with pytest.raises(OptionError, match="standardized='no' is not a choice"):
        rw.interval(f, s, **options, standardized="no")


def test_statistics_of_ones_own():
    f, s, _ = sample(60, 17)
    by_name = rw.interval(
        f, s, statistic="partial_auc", max_fpr=0.2, standardized=True, method="percentile", rng=0
    )
    metric = functools.partial(rw.metrics.roc_auc_score, max_fpr=0.2)
    by_metric = rw.interval(f, s, statistic=metric, method="percentile", rng=0)
    assert by_metric.estimate == pytest.approx(by_name.estimate)
    own = rw.interval(f, s, statistic=lambda tally: tally.area**2, rng=0, n_resamples=100)
    assert own.estimate == pytest.approx(rw.roc(f, s).area ** 2)
    assert own.method == "bca"


def test_weights_are_masses_but_draws_are_rows():
    f, s, w = sample(70, 18, weighted=True)
    one = rw.interval(f, s, sample_weight=w)
    for scaled in (w * 1e6, w * 1e-6):
        found = rw.interval(f, s, sample_weight=scaled)
        assert (found.low, found.high) == pytest.approx((one.low, one.high))
    constant = rw.interval(f, s, sample_weight=np.full(70, 3.5))
    plain = rw.interval(f, s)
    assert constant.method == plain.method
    assert plain.method.startswith("delong")
    assert (constant.low, constant.high) == pytest.approx((plain.low, plain.high))


def test_a_tally_in_place_of_the_columns():
    f, s, w = sample(70, 19)
    tally = rw.tally(f, s)
    assert rw.interval(tally).to_dict() == rw.interval(f, s).to_dict()
    assert rw.interval(tally, method="bca", rng=0).low == rw.interval(f, s, method="bca", rng=0).low
    _, _, w = sample(70, 19, weighted=True)
    masses = rw.tally(f, s, sample_weight=w)
    assert rw.interval(masses).low == pytest.approx(rw.interval(f, s, sample_weight=w).low)


# -- bad input ---------------------------------------------------------------------------------------


def refused(kind, words, *args, **options):
    with pytest.raises(kind, match=words) as caught:
        rw.interval(*args, **options)
    assert "\nHint: " in str(caught.value)


def test_questions_that_cannot_be_answered():
    f, s, w = sample(40, 20, weighted=True)
    refused(
        OptionError,
        "statistic='aucc' is not known.\nHint: did you mean 'auc'",
        f,
        s,
        statistic="aucc",
    )
    refused(OptionError, "statistic=3 is neither a name nor a function", f, s, statistic=3)
    for level in (0, 1, 95, -0.1):
        refused(OptionError, "is outside .0, 1.", f, s, confidence_level=level)
    refused(OptionError, "method='student' is not known", f, s, method="student")
    refused(OptionError, "scale='square' is not known", f, s, scale="square")
    refused(
        OptionError,
        "'partial_auc' needs the largest false positive rate",
        f,
        s,
        statistic="partial_auc",
    )
    refused(OptionError, "statistic='sensitivity' needs a threshold", f, s, statistic="sensitivity")
    refused(OptionError, "threshold=0.5 has no meaning", f, s, threshold=0.5)
    refused(OptionError, "n_resamples=0 is smaller than 1", f, s, n_resamples=0)
    refused(
        OptionError,
        "There is no closed form for the error of mean_score",
        f,
        s,
        statistic="mean_score",
        method="influence",
    )
    refused(
        OptionError,
        "method='delong' is for the AUC of hard labels",
        f,
        s,
        sample_weight=w,
        method="delong",
    )
    refused(OptionError, "method='obuchowski' is for clusters", f, s, method="obuchowski")
    refused(OptionError, "method='wilson' is for rates", f, s, method="wilson")
    refused(
        OptionError,
        "method='newcombe' is for the AUC",
        f,
        s,
        statistic="probabilistic_auc",
        method="newcombe",
    )
    refused(
        OptionError,
        "scale='logit' is for numbers between 0 and 1",
        f,
        s,
        statistic="probabilistic_gini",
        scale="logit",
    )


def test_too_little_to_say_anything():
    refused(OneClassError, "fewer than two positive items", [1, 0, 0], [0.9, 0.2, 0.1])
    refused(OneClassError, "fewer than two negative items", [1, 1, 0], [0.9, 0.2, 0.1])
    refused(
        OneClassError,
        "fewer than two positive and negative|fewer than two positive",
        [1, 0],
        [0.9, 0.2],
    )


def test_clusters_that_are_none():
    f, s, w = sample(40, 21, weighted=True)
    refused(InputError, "lengths differ: cluster has 3 rows, y_true 40", f, s, cluster=[1, 2, 3])
    refused(InputError, "All rows belong to one cluster", f, s, cluster=[1] * 40)
    refused(TallyError, "Clusters need the items", rw.tally(f, s), cluster=[1] * 40)
    masses = rw.tally(f, s, sample_weight=w)
    refused(TallyError, "needs the items, and a tally of masses", masses, method="bca")
    coarse = rw.tally(f, s).bucketed(np.array([0.5]))
    refused(TallyError, "bootstrap of auc needs every score", coarse, method="bca")


def test_clusters_follow_the_rows_that_are_kept():
    f, s, _ = sample(80, 22)
    cluster = np.repeat(np.arange(20), 4).astype(object)
    whole = rw.interval(f, s, cluster=cluster)
    holed = np.insert(s, 3, np.nan)
    with pytest.warns(rw.errors.DroppedRowsWarning):
        found = rw.interval(
            np.insert(f, 3, 1.0), holed, cluster=np.insert(cluster, 3, "x"), invalid="drop"
        )
    assert found.standard_error == pytest.approx(whole.standard_error)
    weights = np.ones(81)
    weights[3] = 0
    ghost = rw.interval(
        np.insert(f, 3, 1.0),
        np.insert(s, 3, 0.5),
        cluster=np.insert(cluster, 3, "x"),
        sample_weight=weights,
    )
    assert ghost.standard_error == pytest.approx(whole.standard_error)


def test_questions_are_checked_before_anything_is_computed():
    with pytest.raises(OptionError, match="confidence_level"):
        Request(statistic_of("auc"), 2.0, "auto", Plan(10))
    assert (
        interval_of(
            evidence_from(rw.tally([1, 1, 0, 0], [0.9, 0.4, 0.5, 0.1])),
            Request(statistic_of("auc"), 0.9, "auto", Plan(10)),
        ).confidence_level
        == 0.9
    )


def test_an_unknown_statistic_is_named_with_any_argument():
    """Not the argument, which an unknown name cannot take."""
    with pytest.raises(OptionError, match="statistic='sensitivty' is not known.\n.*'sensitivity'"):
        rw.interval([0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4], statistic="sensitivty", threshold=0.3)


# -- no spread -----------------------------------------------------------------------------------


def perfect(n):
    y = np.tile([1, 0], n // 2)
    return y, np.where(y == 1, 1.0, 0.0) if n % 4 else np.where(y == 1, 1 - 1e-13, 1e-13)


Z = 1.959963984540054


@pytest.mark.parametrize("n", [8, 20, 400])
def test_a_brier_score_of_perfect_scores_is_not_certain(n):
    """At most Wilson's limit of none of n items loses otherwise, and then by 1 at most."""
    y, p = perfect(n)
    found = rw.interval(y, p, statistic="brier")
    assert found.estimate == pytest.approx(0, abs=1e-15)
    assert (found.low, found.method) == (pytest.approx(0, abs=1e-20), "wilson")
    assert found.high == pytest.approx(Z**2 / (n + Z**2), rel=1e-9)
    # were the share of other items as high as the limit, so many samples would show none
    assert (1 - found.high) ** n < 0.05
    rate = rw.interval(y, p, statistic="accuracy", threshold=0.5)
    assert 1 - found.high == pytest.approx(rate.low, rel=1e-9)


def test_a_loss_that_all_items_share_may_be_another():
    """Scores of ½ lose 0.25 each, and ln 2; other items may lose 0 or 1, or infinitely much."""
    y, p, share = np.tile([1, 0], 20), np.full(40, 0.5), Z**2 / (40 + Z**2)
    found = rw.interval(y, p, statistic="brier")
    assert found.low == pytest.approx(0.25 - 0.25 * share)
    assert found.high == pytest.approx(0.25 + 0.75 * share)
    log_loss = rw.interval(y, p, statistic="log_loss")
    assert log_loss.low == pytest.approx(math.log(2) * (1 - share))
    assert log_loss.high == math.inf
    assert rw.interval(y, p, statistic="brier", method="influence") == found


def test_losses_without_spread_count_clusters_and_effective_items():
    y, p = perfect(40)
    cluster = np.repeat(np.arange(10), 4)
    found = rw.interval(y, p, statistic="brier", cluster=cluster, rng=0, n_resamples=50)
    assert found.method == "wilson-clusters"
    assert found.high == pytest.approx(Z**2 / (10 + Z**2))
    drawn = rw.interval(y, p, statistic="brier", method="bca", rng=0, n_resamples=50)
    assert drawn.high == pytest.approx(Z**2 / (40 + Z**2))
    weight = np.tile([1.0, 1.0, 3.0, 3.0], 10)
    weighted = rw.interval(y, p, statistic="brier", sample_weight=weight)
    effective = weight.sum() ** 2 / (weight**2).sum()
    assert weighted.high == pytest.approx(Z**2 / (effective + Z**2))
    assert rw.interval(y, p, statistic="brier", sample_weight=5 * weight) == weighted


@pytest.mark.parametrize(
    "name", ["average_precision", "partial_auc", "probabilistic_auc", "ece", "expected_observed"]
)
def test_an_interval_without_width_gives_a_warning(name):
    y, p = perfect(40)
    options = {"max_fpr": 0.2} if name == "partial_auc" else {}
    with pytest.warns(SmallSampleWarning, match=f"of {name} is not reliable here: the items show"):
        found = rw.interval(y, p, statistic=name, rng=0, n_resamples=50, **options)
    assert found.high - found.low < 1e-9
