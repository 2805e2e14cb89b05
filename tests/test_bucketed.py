"""Buckets give up the order inside them: every result is exact, carries its bounds, or refuses."""

from __future__ import annotations

import inspect
import pickle
import warnings
from functools import cached_property

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocwalk as rw
from rocwalk.curves.rules import operating_rule
from rocwalk.drift.sensibility import split_of
from rocwalk.errors import (
    BucketedWarning,
    OptionError,
    RocwalkError,
    TallyError,
    UndefinedMetricWarning,
)
from rocwalk.evaluate.summary import summary
from rocwalk.result import Result
from samples import NO_ADVICE, SCORES, hard_samples, soft_samples, weighted_samples

pytestmark = [
    *NO_ADVICE,
    pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning"),
]

COSTS = rw.Costs(false_positive=1, false_negative=3)
RULE = operating_rule(costs=COSTS)
CHEAP = rw.Costs(false_positive=2, false_negative=1, prevalence=0.3)
ONLY_ALARMS = rw.Costs(false_positive=1, false_negative=0)
FINE = rw.tally([1, 0, 1, 0, 0, 1, 0, 1], [0.95, 0.85, 0.75, 0.55, 0.45, 0.35, 0.25, 0.15])


def column(bounds, k=0):
    """Pick one row out of three columns."""
    return tuple(float(each[k]) for each in bounds)


def said(call):
    """Turn a plain number that comes with a warning into bounds."""

    def bounds(tally, ends):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            value = call(tally)
        told = [one.message.bounds for one in found if isinstance(one.message, BucketedWarning)]
        assert len(told) <= 1
        assert not told or tally.is_bucketed
        low, middle, high = told[0] if told else (value,) * 3
        assert middle == value or np.isnan(value)
        return low, middle, high

    return bounds


def of_curve(call):
    return lambda tally, ends: call(rw.roc(tally))


def of_hull(call):
    return lambda tally, ends: call(rw.roc(tally).hull)


def of_pair(how, call):
    """Average the curve of a tally and one that is exact."""
    return lambda tally, ends: call(rw.average([rw.roc(tally), rw.roc(FINE)], how=how))


def all_metrics(call):
    """The bounds of every metric of a point, one dict a question."""
    return lambda tally, ends: call(rw.roc(tally)).metrics_bounds()


def at_ends(call):
    """A number read at each end of a bucket, where the exact curve has a point too."""
    return lambda tally, ends: [call(rw.roc(tally).at(end)) for end in ends]


def split_at(call):
    """Sensibility with the midpoint at an end of a bucket, read at the ends."""
    return lambda tally, ends: [call(rw.sensibility(tally, midpoint=m), ends) for m in ends[1:]]


def at_all(found, ends):
    return [[found.at(end).sensibility, found.at(end).capability] for end in ends]


# What is the same as from the exact tally
EXACT = {
    "Tally.prevalence": lambda tally, ends: tally.prevalence,
    "Tally.mean_score": lambda tally, ends: tally.mean_score,
    "metrics.probabilistic_auc_score": lambda tally, ends: rw.metrics.probabilistic_auc_score(
        tally
    ),
    "metrics.probabilistic_gini_score": lambda tally, ends: rw.metrics.probabilistic_gini_score(
        tally
    ),
    "Curve.prevalence": of_curve(lambda curve: curve.prevalence),
    "Curve.at: FPR at the ends of buckets": at_ends(lambda point: point.fpr),
    "Curve.at: TPR at the ends of buckets": at_ends(lambda point: point.tpr),
    "OperatingPoint.metrics at the ends": at_ends(lambda point: list(point.metrics().values())),
    "OperatingPoint.metrics_bounds at the ends": at_ends(
        lambda point: list(point.metrics_bounds().values())
    ),
    "OperatingPoint.confusion at the ends": at_ends(lambda point: point.confusion.to_array()),
    "OperatingPoint.at_prevalence": at_ends(lambda point: point.at_prevalence(0.1).accuracy),
    "average by threshold on a grid of ends": lambda tally, ends: (
        rw.average([rw.roc(tally), rw.roc(tally)], how="threshold", grid=ends).area
    ),
    "sensibility with a midpoint at an end": split_at(lambda found, ends: found.struggle_ratio),
    "Sensibility.at at the ends": split_at(at_all),
    "metrics.struggle_ratio with a midpoint at an end": lambda tally, ends: [
        rw.metrics.struggle_ratio(tally, midpoint=end) for end in ends[1:]
    ],
    "metrics.sensibility_score at the ends": lambda tally, ends: [
        rw.metrics.sensibility_score(tally, midpoint=ends[-1], threshold=end) for end in ends
    ],
    "metrics.capability_score at the ends": lambda tally, ends: [
        rw.metrics.capability_score(tally, midpoint=ends[-1], threshold=end) for end in ends
    ],
}

# What has a lowest, a middle and a highest value (or a dict of them)
BOUNDED = {
    "Tally.auc_bounds": lambda tally, ends: tally.auc_bounds,
    "Curve.area": of_curve(lambda curve: curve.area_bounds),
    "Curve.partial_area": of_curve(lambda curve: curve.partial_area_bounds(0.3)),
    "Curve.partial_area above": of_curve(lambda curve: curve.partial_area_bounds(0.8, 0.37)),
    "Curve.partial_area standardized": of_curve(
        lambda curve: curve.partial_area_bounds(0.41, standardized=True)
    ),
    "Curve.h_measure": of_curve(lambda curve: curve.h_measure_bounds()),
    "Curve.h_measure hand2009": of_curve(lambda curve: curve.h_measure_bounds("hand2009", 0.2)),
    "Curve.hull": of_hull(lambda hull: hull.area_bounds),
    "Curve.hull: partial area": of_hull(lambda hull: hull.partial_area_bounds(0.3)),
    "Curve.hull: TPR": of_hull(lambda hull: hull.at(fpr=0.123).tpr_bounds),
    "Curve.hull: its hull": of_hull(lambda hull: hull.hull.area_bounds),
    "Curve.at: FPR at a threshold": of_curve(lambda curve: curve.at(0.437).fpr_bounds),
    "Curve.at: TPR at a threshold": of_curve(lambda curve: curve.at(0.437).tpr_bounds),
    "Curve.at: TPR at an FPR": of_curve(lambda curve: curve.at(fpr=0.123).tpr_bounds),
    "Curve.at: FPR at a TPR": of_curve(lambda curve: curve.at(tpr=0.789).fpr_bounds),
    "OperatingPoint.metrics at a threshold": all_metrics(lambda curve: curve.at(0.437)),
    "OperatingPoint.metrics at another": all_metrics(lambda curve: curve.at(0.813)),
    "OperatingPoint.metrics at an FPR": all_metrics(lambda curve: curve.at(fpr=0.123)),
    "OperatingPoint.metrics_bounds at a TPR": all_metrics(lambda curve: curve.at(tpr=0.789)),
    "OperatingPoint.at_prevalence at a threshold": lambda tally, ends: (
        rw.roc(tally).at(0.437).at_prevalence(0.07).metrics_bounds()
    ),
    "Curve.at: TPR at a rate of calls": of_curve(lambda curve: curve.at(rate=0.234).tpr_bounds),
    "Curve.at: FPR at a rate of calls": of_curve(lambda curve: curve.at(rate=0.7).fpr_bounds),
    "Curve.gains": of_curve(lambda curve: curve.gains.at_bounds(0.234)),
    "Curve.lift": of_curve(lambda curve: curve.lift_bounds(0.4)),
    "Curve.ks": of_curve(lambda curve: curve.ks_bounds),
    "Curve.best": of_curve(lambda curve: curve.best().gain_bounds),
    "Curve.best by F1": of_curve(lambda curve: curve.best(metric="f1").value_bounds),
    "Curve.best within a budget": of_curve(lambda curve: curve.best(rate=0.4).value_bounds),
    "Curve.best above a floor": of_curve(lambda curve: curve.best(min_tpr=0.6).value_bounds),
    "Curve.best for a slope": of_curve(lambda curve: curve.best(slope=2.5).gain_bounds),
    "Curve.best for no false alarm": of_curve(lambda curve: curve.best(slope=np.inf).gain_bounds),
    "Choice.distance": of_curve(lambda curve: curve.best(metric="closest").distance_bounds),
    "Choice.expected_cost": of_curve(lambda curve: curve.best(COSTS).expected_cost_bounds),
    "Choice.expected_cost elsewhere": of_curve(
        lambda curve: curve.best(CHEAP).expected_cost_bounds
    ),
    "Choice.expected_cost of alarms": of_curve(
        lambda curve: curve.best(ONLY_ALARMS).expected_cost_bounds
    ),
    "Curve.price": of_curve(lambda curve: column(curve.price([COSTS, CHEAP]).expected_cost_bounds)),
    "PriceList.saved": of_curve(lambda curve: column(curve.price([COSTS, CHEAP]).saved_bounds, 1)),
    "Curve.cost_curve": of_curve(lambda curve: curve.cost_curve().area_bounds),
    "CostCurve.at": of_curve(lambda curve: curve.cost_curve().at_bounds(0.31)),
    "CostCurve.at several": of_curve(lambda curve: column(curve.cost_curve(0.2).at_bounds([0.8]))),
    "CostCurve.loss": of_curve(lambda curve: curve.cost_curve().loss.area_bounds),
    "LossCurve.at": of_curve(lambda curve: curve.cost_curve().loss.at_bounds(0.31)),
    "Curve.rate_curve": of_curve(lambda curve: curve.rate_curve().area_bounds),
    "Curve.rate_curve at": of_curve(lambda curve: curve.rate_curve().at_bounds(0.31)),
    "Curve.rate_curve elsewhere": of_curve(lambda curve: curve.rate_curve(0.15).at_bounds(0.83)),
    "Curve.precision_recall": of_curve(
        lambda curve: curve.precision_recall().average_precision_bounds
    ),
    "PrecisionRecall.average_precision": of_curve(
        lambda curve: curve.precision_recall(0.05).average_precision_bounds
    ),
    "average": of_pair("vertical", lambda mean: mean.area_bounds),
    "average, horizontal": of_pair("horizontal", lambda mean: mean.area_bounds),
    "AveragedCurve: TPR": of_pair("vertical", lambda mean: mean.at(fpr=0.123).tpr_bounds),
    "AveragedCurve: cost": of_pair("horizontal", lambda mean: mean.cost_curve(0.2).at_bounds(0.31)),
    "mix": lambda tally, ends: (
        rw.mix({"a": rw.roc(tally), "b": rw.roc(FINE)}, fpr=0.123).tpr_bounds
    ),
    "mix at a TPR": lambda tally, ends: rw.mix({"a": rw.roc(tally)}, tpr=0.789).fpr_bounds,
    "mix for a slope": lambda tally, ends: (
        rw.mix({"b": rw.roc(FINE), "a": rw.roc(tally)}, slope=1.5).gain_bounds
    ),
    "roc": lambda tally, ends: rw.roc(tally).area_bounds,
    "tally": lambda tally, ends: rw.tally(tally).auc_bounds,
    "soft_curves": lambda tally, ends: rw.soft_curves(tally, None, steps="truth").area_bounds[
        "model", "truth"
    ],
    "sensibility": lambda tally, ends: rw.sensibility(tally).struggle_ratio_bounds,
    "sensibility: sensible mass": lambda tally, ends: (
        rw.sensibility(tally, midpoint=0.437).split.sensible_bounds
    ),
    "Sensibility.struggle_ratio": lambda tally, ends: (
        rw.sensibility(tally, midpoint=0.613).struggle_ratio_bounds
    ),
    "Sensibility.at": lambda tally, ends: {
        name: getattr(rw.sensibility(tally).at(at), f"{name}_bounds")
        for name in ("sensibility", "capability")
        for at in (0.437, 0.813)
    },
    "Sensibility.at the midpoint": lambda tally, ends: {
        name: getattr(rw.sensibility(tally, midpoint=0.437).at(0.437), f"{name}_bounds")
        for name in ("sensibility", "capability")
    },
    "metrics.struggle_ratio": said(rw.metrics.struggle_ratio),
    "metrics.sensibility_score": said(rw.metrics.sensibility_score),
    "metrics.capability_score": said(
        lambda tally: rw.metrics.capability_score(tally, midpoint=0.437, threshold=0.813)
    ),
    "metrics.roc_auc_score": said(rw.metrics.roc_auc_score),
    "metrics.roc_auc_score up to a rate": said(
        lambda tally: rw.metrics.roc_auc_score(tally, max_fpr=0.3)
    ),
    "metrics.soft_auc_score of ordinary steps": said(
        lambda tally: rw.metrics.soft_auc_score(tally, steps="truth")
    ),
    "metrics.h_measure_score": said(rw.metrics.h_measure_score),
    "summary": lambda tally, ends: {
        name: (summary(tally, rule=RULE, max_fpr=0.3).bounds or all_the_same(tally))[name]
        for name in ("auc", "hull_area", "h_measure", "partial_auc", "expected_cost", "gain")
    },
}


def all_the_same(tally):
    found = summary(tally, rule=RULE, max_fpr=0.3)
    gain = found.choice.gain
    plain = found.to_dict() | {"gain": gain}
    return {name: (plain[name],) * 3 for name in plain}


# What needs a tally of hard labels, which holds their truth
OF_HARD_LABELS = {
    "truth_tally": lambda tally, ends: rw.truth_tally(tally).by_score.auc_bounds,
    "reference_truth": lambda tally, ends: rw.reference_truth(tally).auc_bounds,
    "ReferenceTruth.auc_prt": lambda tally, ends: rw.reference_truth(tally).auc_prt_bounds,
    "ReferenceTruth.auc_prt_printed": lambda tally, ends: (
        rw.reference_truth(tally).auc_prt_printed_bounds
    ),
    "ReferenceTruth.expected_auc": lambda tally, ends: (
        rw.reference_truth(tally).expected_auc_bounds
    ),
    "ReferenceTruth.h_prt": lambda tally, ends: rw.reference_truth(tally).h_prt_bounds,
    "ReferenceTruth.cost_area_prt": lambda tally, ends: (
        rw.reference_truth(tally).cost_area_prt_bounds
    ),
    "ReferenceTruth.hull": lambda tally, ends: rw.reference_truth(tally).hull.area_bounds,
    "metrics.auc_prt_score": said(rw.metrics.auc_prt_score),
}

# What says that the tally is bucketed, and what to do
REFUSED = {
    "Tally.turned": lambda tally: tally.turned("single"),
    "roc with soft steps": lambda tally: rw.roc(tally, steps="both"),
    "tally with soft steps": lambda tally: rw.tally(tally, steps="blind"),
    "soft_roc": rw.soft_roc,
    "soft_curves with soft steps": lambda tally: rw.soft_curves(tally, None),
    "metrics.soft_auc_score": rw.metrics.soft_auc_score,
    "metrics.scored_auc_score": rw.metrics.scored_auc_score,
    "smeared_area": lambda tally: rw.smeared_area(tally, width=0.2),
    "smeared_roc": lambda tally: rw.smeared_roc(tally, width=0.2),
    "matched_width": rw.matched_width,
    "matched_concentration": rw.matched_concentration,
    "a split that must be exact": split_of,
    "Curve.brier_curve": lambda tally: rw.roc(tally).brier_curve(),
    "Curve.decision_curve": lambda tally: rw.roc(tally).decision_curve(),
    "Curve.calibration": lambda tally: rw.roc(tally).calibration(),
    "calibration": rw.calibration,
    "calibration by a smooth curve": lambda tally: rw.calibration(tally, method="smooth"),
    "smooth_roc": rw.smooth_roc,
    "smooth_roc by densities": lambda tally: rw.smooth_roc(tally, method="density"),
    "smooth_roc by beta distributions": lambda tally: rw.smooth_roc(tally, method="beta"),
    "compare_sample_curves": lambda tally: rw.compare_sample_curves(tally, FINE),
    "compare_sample_curves with the second": lambda tally: rw.compare_sample_curves(FINE, tally),
    "OperatingPoint.confusion": lambda tally: rw.roc(tally).at(0.9).confusion,
    "Curve.hull: a threshold inside a step": lambda tally: rw.roc(tally).hull.at(0.9),
    "Curve.hull: precision": lambda tally: rw.roc(tally).hull.precision_recall(),
    "average by threshold": lambda tally: rw.average([rw.roc(tally)], how="threshold"),
    "average by threshold inside a bucket": lambda tally: rw.average(
        [rw.roc(tally)], how="threshold", grid=[0.9]
    ),
    "a best order by buckets of truth": lambda tally: rw.metrics.auc_prt_score(
        rw.TruthTally(tally, tally)
    ),
}

# Exact, but with a test of its own below
OWN_TEST = {
    "Curve.fpr", "Curve.tpr", "Curve.thresholds", "Curve.extremes", "Curve.thinned", "Curve.plot",
    "metrics.roc_curve", "overlay", "share",
}  # fmt: skip

# What takes a tally and has its own rules for buckets, tested with its own kind
OF_UNCERTAINTY = {
    "interval", "band", "accuracy_table", "compare", "compare_samples", "drift", "drift_over_time",
    "score_shift", "best_threshold",
}  # fmt: skip
OF_FOLDS = {
    "cross_validation"
}  # takes columns only: scores of different folds are not ranked together
OF_ROWS = {  # read a table or columns, and refuse every tally; their statistics take one of these
    "compare_curves": lambda tally: rw.compare_curves(tally, {"a": tally, "b": tally}),
    "evaluate": lambda tally: rw.evaluate(tally, label="y", score="s"),
    "reader_study": lambda tally: rw.reader_study(
        tally, truth="y", reader="r", test="t", case="c", rating="s"
    ),
    "shared_calibration": rw.shared_calibration,
    "subgroups": lambda tally: rw.subgroups(tally, tally, by=["a", "b"]),
}
OF_SEVERAL_CLASSES = {
    "multiclass", "misclassification_front", "metrics.hand_till_auc_score", "metrics.provost_domingos_auc_score",
}  # fmt: skip

BOUNDS = BOUNDED | OF_HARD_LABELS
ALL_NAMES = {*EXACT, *BOUNDS, *REFUSED, *OWN_TEST}


# -- nothing is forgotten ------------------------------------------------------------------------


def takes_a_tally(function):
    """Whether a public function takes a tally in place of two columns, or curves made from one."""
    first = next(iter(inspect.signature(function).parameters), None)
    return first in ("y_true", "curves", "tally") or "Tally`" in (function.__doc__ or "")


def test_every_function_that_takes_a_tally_has_its_row():
    public = {name: getattr(rw, name) for name in rw.__all__ if not name.startswith("_")}
    public |= {f"metrics.{name}": getattr(rw.metrics, name) for name in rw.metrics.__all__}
    found = {n for n, f in public.items() if inspect.isfunction(f) and takes_a_tally(f)}
    found -= OF_UNCERTAINTY | OF_FOLDS | OF_SEVERAL_CLASSES | set(OF_ROWS)
    assert {
        name for name in found if not any(row.split()[0].rstrip(",") == name for row in ALL_NAMES)
    } == set()


# What the methods of results are called; those that only hand on what is there need no row.
HANDED_ON = {
    "Curve": {"tally", "walk", "cuts_scores", "area_bounds", "partial_area_bounds",
              "h_measure_bounds", "lift_bounds", "ks_bounds", "methods"},
    "Choice": {"point", "interval", "slope", "tied", "tied_interval", "fpr", "tpr", "threshold",
               "gain", "gain_bounds", "cost_range", "expected_cost_bounds", "metric", "value",
               "value_name", "value_bounds", "value_range", "distance_bounds"},
    "CostCurve": {"rules", "probability_cost", "expected_cost", "prevalence", "area", "plot",
                  "area_bounds", "at_bounds"},
    "LossCurve": {"rule", "data", "limits", "cost_proportion", "loss", "prevalence", "area", "plot",
                  "area_bounds", "at_bounds"},
    "PriceList": {"costs", "choices", "prevalences", "plot", "expected_cost", "saved_bounds",
                  "expected_cost_bounds"},
    "Sensibility": {"split", "thresholds", "midpoint", "sensibility", "capability", "sentence",
                    "plot", "struggle_ratio_bounds", "sensibility_bounds", "capability_bounds"},
    "PrecisionRecall": {"precision", "recall", "thresholds", "prevalence", "fpr", "buckets", "plot",
                        "average_precision_bounds"},
    "ReferenceTruth": {"evidence", "curve", "perfect", "worst", "auc", "aapcc", "auwcc",
                       "prevalence", "sentence", "plot", "auc_bounds", "auc_prt_bounds",
                       "auc_prt_printed_bounds", "expected_auc_bounds", "h_measure", "cost_area",
                       "h_prt_bounds", "cost_area_prt_bounds", "methods"},
    "OperatingPoint": {"fpr", "tpr", "threshold", "other_threshold", "share", "prevalence",
                       "counts", "fpr_range", "tpr_range", "fpr_bounds", "tpr_bounds"},
}  # fmt: skip


@pytest.mark.parametrize("kind", HANDED_ON)
def test_every_method_of_a_result_has_its_row(kind):
    result = getattr(rw, kind)
    plain = set(dir(Result))
    names = {name for name in dir(result) if not name.startswith("_")}
    names |= set(getattr(result, "__dataclass_fields__", {}))
    metrics = (
        set(FINE_POINT.metrics()) | {"recall", "sensitivity"} if kind == "OperatingPoint" else set()
    )
    missing = {
        name
        for name in names - plain - HANDED_ON[kind] - metrics
        if not any(row.startswith(f"{kind}.{name}") for row in ALL_NAMES)
    }
    assert missing == set()


FINE_POINT = rw.roc(FINE).at(0.5)


# -- the three verdicts --------------------------------------------------------------------------


@st.composite
def tallies(draw, hard=False):
    """An exact tally of hard, soft or weighted data, and two lists of edges, one within the other."""
    kind = "hard" if hard else draw(st.sampled_from(["hard", "soft", "weighted"]))
    made = {"hard": hard_samples(), "soft": soft_samples(), "weighted": weighted_samples()}[kind]
    truth, scores, *weights = draw(made)
    tally = rw.tally(truth, scores, sample_weight=weights[0] if weights else None)
    few = draw(st.lists(SCORES, max_size=4))
    more = draw(st.lists(SCORES, max_size=6))
    return tally, np.array(few), np.array([*few, *more])


def ends_of(tally):
    return rw.roc(tally).thresholds.tolist()


def inside(low, value, high, slack=1e-12):
    return low - slack <= value <= high + slack or (np.isinf(value) and value in (low, high))


def each(found):
    """Return the triples of one question, whether it has one or a dict of them."""
    return found if isinstance(found, dict) else {"": found}


some = settings(max_examples=25)


@pytest.mark.parametrize("name", EXACT)
@some
@given(tallies())
def test_exact_results_are_those_of_the_exact_tally(name, sample):
    exact, few, _ = sample
    coarse = exact.bucketed(few)
    ends = ends_of(coarse)
    found, wanted = EXACT[name](coarse, ends), EXACT[name](exact, ends)
    np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)


def check_bounds(call, exact, few, more):
    ends = ends_of(exact)
    wanted = each(call(exact, ends))
    coarse, fine = (each(call(exact.bucketed(edges), ends)) for edges in (few, more))
    for name, (low, value, high) in wanted.items():
        np.testing.assert_array_equal([low, high], [value, value])  # nothing is open: they collapse
        if np.isnan(value):
            continue
        for found in (coarse[name], fine[name]):
            if not np.isnan(found).any():
                assert inside(found[0], found[1], found[2], 0), (name, found)
                assert inside(found[0], value, found[2]), (name, found, value)
        if not (np.isnan(coarse[name]).any() or np.isnan(fine[name]).any()):
            assert coarse[name][0] <= fine[name][0] + 1e-12, (name, coarse[name], fine[name])
            assert coarse[name][2] >= fine[name][2] - 1e-12, (name, coarse[name], fine[name])


@pytest.mark.parametrize("name", BOUNDED)
@some
@given(tallies())
def test_bounds_hold_collapse_and_shrink(name, sample):
    check_bounds(BOUNDED[name], *sample)


@pytest.mark.parametrize("name", OF_HARD_LABELS)
@some
@given(tallies(hard=True))
def test_bounds_of_a_reference_truth_hold_collapse_and_shrink(name, sample):
    check_bounds(OF_HARD_LABELS[name], *sample)


@pytest.fixture(scope="module")
def many():
    """A few hundred items of each kind."""
    rng = np.random.default_rng(7)
    truth = (rng.random(400) < 0.35).astype(int)
    scores = np.clip(0.4 + 0.25 * truth + 0.2 * rng.standard_normal(400), 0.01, 0.99)
    soft = np.clip(truth * 0.6 + 0.4 * rng.random(400), 0, 1)
    return {
        "hard": rw.tally(truth, scores),
        "tied": rw.tally(truth, scores.round(1)),
        "soft": rw.tally(soft, scores),
        "weighted": rw.tally(truth, scores, sample_weight=rng.random(400) + 0.1),
    }


@pytest.mark.parametrize("kind", ["hard", "tied", "soft", "weighted"])
@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_of_many_items(name, kind, many):
    if name in OF_HARD_LABELS and kind not in ("hard", "tied"):
        return
    check_bounds(BOUNDS[name], many[kind], np.linspace(0, 1, 8)[1:-1], np.linspace(0, 1, 50)[1:-1])


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_bucket_and_end_in_a_hint(name):
    coarse = FINE.bucketed(np.array([0.6]))
    with pytest.raises(TallyError, match="bucketed") as caught:
        REFUSED[name](coarse)
    assert "\nHint: " in str(caught.value)
    assert "buckets" in caught.value.hint
    assert "limit=" in caught.value.hint


@pytest.mark.parametrize("name", OF_ROWS)
def test_what_needs_rows_takes_no_tally(name):
    for tally in (FINE, FINE.bucketed(np.array([0.6]))):
        with pytest.raises(RocwalkError, match=r"[Tt]ally") as caught:
            OF_ROWS[name](tally)
        assert caught.value.hint


# -- the bounds are reached ----------------------------------------------------------------------


@some
@given(hard_samples(min_size=4, max_size=8), st.floats(0.05, 0.95))
def test_the_bounds_of_the_area_are_areas_of_some_order(sample, edge):
    coarse = rw.tally(*sample).bucketed(np.array([edge]))
    low, high = coarse.extremes
    assert coarse.auc_bounds[0] == pytest.approx(low.area, abs=1e-12)
    assert coarse.auc_bounds[2] == pytest.approx(high.area, abs=1e-12)


def test_extreme_curves(many):
    curve = rw.roc(many["hard"].bucketed(np.linspace(0, 1, 8)))
    low, high = curve.extremes
    assert (low.area, high.area) == pytest.approx(curve.area_bounds[::2], abs=1e-12)
    exact = rw.roc(many["hard"])
    assert exact.extremes == (exact, exact)
    grid = np.linspace(0, 1, 101)
    for one, other in ((low, exact), (exact, high)):
        assert all(one.at(fpr=x).tpr <= other.at(fpr=x).tpr + 1e-12 for x in grid)
    assert pickle.loads(pickle.dumps(curve)).extremes[0].area == low.area


# -- what carries the bounds ---------------------------------------------------------------------


def test_points_of_a_bucketed_curve_are_points_of_the_exact_one(many):
    exact, coarse = (rw.roc(one) for one in (many["hard"], many["hard"].bucketed([0.2, 0.5, 0.8])))
    points = [exact.at(t) for t in coarse.thresholds]
    np.testing.assert_array_equal(coarse.fpr, [point.fpr for point in points])
    np.testing.assert_array_equal(coarse.tpr, [point.tpr for point in points])
    fpr, tpr, thresholds = rw.metrics.roc_curve(coarse.tally, drop_intermediate=False)
    np.testing.assert_array_equal(np.stack([fpr, tpr, thresholds]),
                                  np.stack([coarse.fpr, coarse.tpr, coarse.thresholds]))  # fmt: skip


def test_results_show_their_bounds(many):
    curve = rw.roc(many["hard"].bucketed(np.linspace(0, 1, 8)))
    folds = [curve, rw.roc(FINE)]
    carriers = {
        "area_bounds": [curve, curve.hull, curve.thinned(4), rw.average(folds), curve.cost_curve(),
                        curve.rate_curve(), curve.cost_curve().loss],
        "fpr_bounds": [curve.at(0.437), curve.at(tpr=0.789), rw.mix({"a": curve}, tpr=0.789)],
        "tpr_bounds": [curve.at(0.437), curve.at(fpr=0.123), rw.mix({"a": curve}, fpr=0.123)],
        "gain_bounds": [curve.best(), rw.mix({"a": curve}, slope=1)],
        "cost_bounds": [curve.best(COSTS)],
        "lowest_cost": [curve.price(COSTS)],
        "lowest_loss": [curve.rate_curve()],
        "lowest_area": [rw.soft_curves(curve.tally, None, steps="truth")],
        "spread_error": [rw.average(folds)],
        "average_precision_bounds": [curve.precision_recall()],
        "auc_prt_bounds": [rw.reference_truth(curve.tally)],
        "auc_bounds": [summary(curve.tally)],
        "struggle_ratio_bounds": [rw.sensibility(curve.tally)],
        "lowest_at_sensible": [rw.sensibility(curve.tally)],
        "sensibility_bounds": [rw.sensibility(curve.tally).at(0.437)],
    }  # fmt: skip
    for name, results in carriers.items():
        for result in results:
            assert name in result.to_dict(), (name, result)
            assert "\n" not in repr(result)
            assert pickle.loads(pickle.dumps(result)).to_dict().keys() == result.to_dict().keys()
    assert "area_bounds=(" in repr(curve)
    assert "within ± " in rw.reference_truth(curve.tally).sentence
    assert "within ± " in summary(curve.tally).sentence
    assert "within ± " in rw.sensibility(curve.tally).sentence


def test_exact_results_say_nothing_of_bounds():
    curve = rw.roc(FINE)
    for result in (curve, curve.hull, curve.best(COSTS), curve.at(fpr=0.2), curve.cost_curve(),
                   curve.rate_curve(), curve.price(COSTS), curve.precision_recall(),
                   rw.average([curve, curve]), rw.mix({"a": curve}, fpr=0.2), summary(FINE),
                   rw.reference_truth(FINE), rw.soft_curves(FINE, None)):  # fmt: skip
        assert not any("bounds" in name or name == "lowest_cost" for name in result.to_dict())


def test_plain_numbers_warn_with_the_bound():
    coarse = FINE.bucketed(np.array([0.6]))
    low, middle, high = coarse.auc_bounds
    with pytest.warns(
        BucketedWarning, match=r"ROC AUC score .* is within ± 0\.\d+ of the exact"
    ) as said:
        assert rw.metrics.roc_auc_score(coarse) == middle
    assert said[0].message.bounds == (low, middle, high)
    assert "Hint: for the exact value make the tally without buckets" in str(said[0].message)
    assert said[0].filename == __file__


def test_buckets_that_hide_no_pair_give_no_warning():
    coarse = rw.tally([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1]).bucketed(np.array([0.5]))
    assert coarse.is_bucketed
    assert rw.metrics.roc_auc_score(coarse) == 1.0
    assert rw.metrics.h_measure_score(coarse) == 1.0


def test_one_class_in_buckets_is_undefined_not_open():
    coarse = rw.tally([1, 1, 1], [0.9, 0.8, 0.1]).bucketed(np.array([0.5]))
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(rw.metrics.roc_auc_score(coarse))
    assert summary(coarse).bounds == {}


def test_a_soft_walk_in_buckets_has_bounds_too(many):
    turned = many["hard"].turned("both")
    coarse = turned.bucketed(np.linspace(0, 1, 8))
    low, _, high = rw.roc(coarse).area_bounds
    assert low < turned.area < high
    with pytest.warns(BucketedWarning, match="soft AUC of this bucketed tally"):
        rw.metrics.soft_auc_score(coarse, steps="both")


def test_thinning_adds_what_it_loses(many):
    exact = rw.roc(many["hard"])
    low, _, high = exact.thinned(5).area_bounds
    assert low <= exact.area <= high
    assert high - low == pytest.approx(2 * exact.thinned(5).area_lost)
    coarse = rw.roc(many["hard"].bucketed(np.linspace(0, 1, 60)))
    few = coarse.thinned(5)
    assert few.area_bounds[0] <= exact.area <= few.area_bounds[2]
    assert few.area_bounds[0] <= few.area <= few.area_bounds[2]


def test_the_spread_of_an_average_is_off_by_no_more_than_it_says(many):
    exact = [rw.roc(many[kind]) for kind in ("hard", "weighted", "tied")]
    coarse = [rw.roc(curve.tally.bucketed(np.linspace(0, 1, 12))) for curve in exact]
    grid = np.linspace(0, 1, 33)
    for how, name in (("vertical", "tpr_spread"), ("horizontal", "fpr_spread")):
        one, other = (rw.average(curves, how=how, grid=grid) for curves in (exact, coarse))
        off = np.abs(getattr(one, name) - getattr(other, name))
        assert np.all(off <= other.spread_error + 1e-12)
        assert other.spread_error.max() > 0
    assert np.isnan(rw.average(coarse[:1]).spread_error).all()
    assert rw.average(exact).spread_error is None


def test_a_threshold_inside_a_bucket():
    coarse = rw.roc(FINE.bucketed(np.array([0.6])))
    point = coarse.at(0.9)
    assert point.fpr_bounds == (0, 0.125, 0.25)
    assert point.tpr_bounds == (0, 0.25, 0.5)
    assert point.metrics_bounds()["accuracy"] == (0.375, 0.5625, 0.75)
    assert coarse.at(0.75).fpr_bounds == (0.25, 0.25, 0.25)  # the end of the bucket
    assert coarse.at(0.6).confusion.true_positives == 2  # between two buckets
    assert coarse.at(2.0).tpr_bounds == (0, 0, 0)
    with pytest.raises(OptionError, match="only rates"):
        _ = coarse.at(0.75).at_prevalence(0.1).confusion


def test_a_picture_shades_where_the_curve_may_run(many):
    curve = rw.roc(many["hard"].bucketed(np.linspace(0, 1, 8)))
    axes = curve.plot()
    assert [patch.get_gid() for patch in axes.patches] == ["room"]
    assert "± 0.0" in axes.lines[-1].get_label()
    assert not rw.roc(many["hard"]).plot().patches
    assert len(rw.overlay({"a": curve, "b": rw.roc(FINE)}).patches) == 1


def test_cached_extremes_are_made_once(many):
    walk = rw.roc(many["hard"].bucketed(np.linspace(0, 1, 8))).walk
    assert isinstance(type(walk).extremes, cached_property)
    assert walk.extremes is walk.extremes


def test_sensibility_where_the_midpoint_is_in_a_bucket(many):
    coarse = rw.sensibility(many["hard"].bucketed(np.linspace(0, 1, 8)))
    exact = rw.sensibility(many["hard"])
    assert coarse.midpoint == pytest.approx(exact.midpoint, abs=1e-12)
    at_midpoint = coarse.at(coarse.midpoint)
    assert (at_midpoint.sensibility_bounds, at_midpoint.capability_bounds) == ((1,) * 3, (0,) * 3)
    assert sum(coarse.split.sensible_bounds[::2]) + sum(coarse.split.other_bounds[::2]) == 800
    for k, t in enumerate(coarse.thresholds):
        for name in ("sensibility", "capability"):
            low, _, high = getattr(coarse, f"{name}_bounds")
            assert inside(low[k], getattr(exact.at(t), name), high[k])
    axes = coarse.plot()
    assert len([line for line in axes.lines if line.get_gid() == "curve"]) == 2


def test_a_struggle_ratio_that_may_be_infinite_is_said_to_be_open():
    coarse = rw.tally([1, 0, 0, 1], [0.8, 0.7, 0.3, 0.2]).bucketed(np.array([0.0]))
    assert rw.sensibility(coarse).struggle_ratio_bounds == (0, np.inf, np.inf)
    with pytest.warns(BucketedWarning, match="± inf"):
        assert rw.metrics.struggle_ratio(coarse) == np.inf
