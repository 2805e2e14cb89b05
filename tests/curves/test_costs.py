"""Cost space: golden numbers, identities against exact fractions, peers, and what is refused."""

from __future__ import annotations

import itertools
import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hmeasure import h_score
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import beta as beta_function
from sklearn.isotonic import IsotonicRegression

import reference
import rocwalk as rw
from commands import ROOT
from rocwalk.errors import InputError, OneClassError, OptionError, ScoreError, TallyError
from samples import NO_ADVICE, TENTHS, WEIGHTS, hard_samples, soft_samples, weighted_samples

pytestmark = NO_ADVICE
ROCR = json.loads((ROOT / "tests" / "rocr" / "golden.json").read_text(encoding="utf-8"))
EXAMPLES = rw.datasets.paper_examples()
FAWCETT, TWELVE = EXAMPLES["classic_table_1"], EXAMPLES["truth_figure_3"]
PRIORS = ("hand2009", "hand2014", "r")
GRID = np.linspace(0, 1, 41)
PREVALENCES = st.floats(0.01, 0.99)
some, few = settings(max_examples=40), settings(max_examples=15)
SAMPLES = st.one_of(
    *(kind.map(lambda two: (*two, None)) for kind in (hard_samples(), soft_samples())),
    weighted_samples(),
)


def near(value, within=1e-12):
    return pytest.approx(value, rel=within, abs=within)


def curve_of(sample, **options):
    truth, scores, weights = sample
    return rw.roc(truth, scores, sample_weight=weights, **options)


# -- slow references: items, fractions, all pairs of lines --------------------------------------------


def masses(sample, prevalence=None):
    """(score, up, right) of each item as fractions that add up to 1, at a prevalence."""
    truth, scores, weights = sample
    weights = [1] * len(truth) if weights is None else weights
    rows = [
        (Fraction(s), Fraction(w) * Fraction(f), Fraction(w) * (1 - Fraction(f)))
        for f, s, w in zip(truth.tolist(), scores.tolist(), list(weights), strict=True)
    ]
    up, right = sum(u for _, u, _ in rows), sum(r for _, _, r in rows)
    share = up / (up + right) if prevalence is None else Fraction(prevalence)
    return [(s, u * share / up, r * (1 - share) / right) for s, u, r in rows]


def mistakes(rows, cut):
    """The false positive and the false negative mass of the rule "score ≥ cut"."""
    return sum(r for s, _, r in rows if s >= cut), sum(u for s, u, _ in rows if s < cut)


def all_mistakes(rows):
    """The mistakes of every rule, from "never" to "always positive"."""
    found = [(Fraction(0), sum(u for _, u, _ in rows))]
    for up, right in steps(rows):
        fp, fn = found[-1]
        found.append((fp + right, fn - up))
    return found


def lines(rows):
    """The same mistakes as two columns of floats."""
    return np.array(all_mistakes(rows), dtype=float).T


def steps(rows):
    """The masses of each distinct score, from the highest."""
    ordered = sorted(rows, key=lambda row: row[0], reverse=True)
    return [
        [sum(column) for column in list(zip(*tied, strict=True))[1:]]
        for _, tied in itertools.groupby(ordered, key=lambda row: row[0])
    ]


def loss_at(rows, c, cut):
    """Q = 2{c·π⁻·FPR + (1 − c)·π⁺·FNR} of one rule, by counting."""
    fp, fn = mistakes(rows, cut)
    return 2 * (c * fp + (1 - c) * fn)


def best_losses(rows, c):
    """The least Q of all rules at each c."""
    fp, fn = lines(rows)
    return 2 * (np.outer(c, fp) + np.outer(1 - c, fn)).min(axis=1)


def pooled(rows):
    """Pool adjacent violators, exactly: [up, right] of each block, from the highest score."""
    blocks = []
    for step in steps(rows):
        blocks.append(step)
        while len(blocks) > 1 and _share(blocks[-1]) >= _share(blocks[-2]):
            last = blocks.pop()
            blocks[-1] = [one + other for one, other in zip(blocks[-1], last, strict=True)]
    return blocks


def _share(block):
    up, right = block
    return up / (up + right)


def isotonic_brier(sample):
    """The Brier score of scores that scikit-learn has calibrated on the sample itself."""
    truth, scores, weights = sample
    weights = np.ones(len(truth)) if weights is None else weights
    ranks = np.unique(scores, return_inverse=True)[1]  # it would tie scores that nearly tie
    fit = IsotonicRegression(y_min=0, y_max=1).fit_transform(ranks, truth, sample_weight=weights)
    return np.average(truth * (1 - fit) ** 2 + (1 - truth) * fit**2, weights=weights)


# -- golden numbers ----------------------------------------------------------------------------------

# checked with exact arithmetic
GOLDEN_H = {
    "classic_table_1": (0.255301533311737, 0.248528118809524, 0.255301533311737),
    "truth_figure_3": (0.196777952547174, 0.188597797697787, 0.196755945783860),
}


@pytest.mark.parametrize("name", GOLDEN_H)
def test_golden_h_measures(name):
    y, s = EXAMPLES[name].y_true, EXAMPLES[name].y_prob
    for prior, expected in zip(PRIORS, GOLDEN_H[name], strict=True):
        assert rw.roc(y, s).h_measure(prior) == pytest.approx(expected, abs=2e-15)
        assert rw.metrics.h_measure_score(y, s, prior=prior) == rw.roc(y, s).h_measure(prior)
    assert rw.roc(y, s).h_measure() == rw.roc(y, s).h_measure("hand2014")
    assert rw.metrics.h_measure_score(y, s) == rw.roc(y, s).h_measure()


def test_the_brier_score_of_the_twelve_soft_rows():
    f, s = reference.exact(TWELVE.y_true), reference.exact(TWELVE.y_prob)
    apart = sum((x - y) ** 2 for x, y in zip(s, f, strict=True)) / 12
    expected = apart + sum(x * (1 - x) for x in f) / 12
    assert float(expected) == pytest.approx(0.260183333, abs=5e-10)
    assert rw.roc(TWELVE.y_true, TWELVE.y_prob).brier_curve().area == near(float(expected), 1e-15)


def test_the_costs_of_fawcetts_twenty_instances():
    costs = rw.roc(FAWCETT.y_true, FAWCETT.y_prob).cost_curve()
    table = costs.to_dict()
    assert np.column_stack([table["fpr"], table["tpr"]]).tolist() == [
        [0, 0], [0, 0.2], [0.1, 0.5], [0.5, 0.8], [0.9, 1], [1, 1]
    ]  # fmt: skip
    shares = [0, 0, 1 / 4, 4 / 7, 2 / 3, 1, 1]
    assert table["lowest_probability_cost"] == pytest.approx(shares[:-1], abs=1e-15)
    assert table["highest_probability_cost"] == pytest.approx(shares[1:], abs=1e-15)
    cuts = [1, 1, 3 / 4, 3 / 7, 1 / 3, 0, 0]
    assert table["highest_cost_proportion"] == pytest.approx(cuts[:-1], abs=1e-15)
    assert table["lowest_cost_proportion"] == pytest.approx(cuts[1:], abs=1e-15)
    assert costs.at([0, 1 / 4, 4 / 7, 2 / 3, 1]) == near([0, 0.2, 2.3 / 7, 0.3, 0], 1e-15)
    assert costs.prevalence == 0.5


# -- the Brier curve ---------------------------------------------------------------------------------


@given(SAMPLES, st.none() | PREVALENCES)
@some
def test_the_area_under_the_brier_curve_is_the_brier_score(sample, prevalence):
    rows = masses(sample, prevalence)
    score = sum(u * (1 - s) ** 2 + r * s**2 for s, u, r in rows)
    ends = sorted({Fraction(0), Fraction(1)} | {s for s, _, _ in rows})
    pieces = [(high - low, (low + high) / 2) for low, high in itertools.pairwise(ends)]
    assert sum(width * loss_at(rows, c, c) for width, c in pieces) == score  # exact on both sides
    curve = curve_of(sample).brier_curve(prevalence)
    assert curve.area == near(float(score))
    assert np.trapezoid(curve.loss, curve.cost_proportion) == near(float(score))
    assert (np.diff(curve.cost_proportion) >= 0).all()


@given(SAMPLES, st.none() | PREVALENCES, st.floats(0, 1))
@some
def test_the_brier_curve_is_the_loss_of_score_at_least_c(sample, prevalence, somewhere):
    rows = masses(sample, prevalence)
    curve = curve_of(sample).brier_curve(prevalence)
    asked = [0.0, *sample[1].tolist(), somewhere, 1.0]
    expected = [float(loss_at(rows, Fraction(c), Fraction(c))) for c in asked]
    assert curve.at(asked) == near(expected)
    assert curve.at(asked[-2]) == near(expected[-2])
    assert isinstance(curve.at(somewhere), float)


# -- the lower envelope ------------------------------------------------------------------------------


@given(SAMPLES, st.none() | PREVALENCES)
@some
def test_the_area_under_the_envelope_is_what_calibration_leaves(sample, prevalence):
    blocks = pooled(masses(sample, prevalence))
    expected = float(sum(u * r / (u + r) for u, r in blocks))
    loss = curve_of(sample).cost_curve(prevalence).loss
    assert loss.area == near(expected)
    assert loss.rule == "optimal"
    assert np.trapezoid(loss.loss, loss.cost_proportion) == near(expected)
    if prevalence is None:
        assert loss.area == near(isotonic_brier(sample), 1e-11)


@given(SAMPLES)
@some
def test_the_area_under_the_least_of_all_lines(sample):
    rows = masses(sample)
    crossings = {Fraction(0), Fraction(1)}
    for (fp1, fn1), (fp2, fn2) in itertools.combinations(set(all_mistakes(rows)), 2):
        turn = (fp1 - fp2) - (fn1 - fn2)
        if turn and 0 < (fn2 - fn1) / turn < 1:
            crossings.add((fn2 - fn1) / turn)
    c = np.array(sorted(crossings), dtype=float)
    whole = np.trapezoid(best_losses(rows, c), c)
    assert curve_of(sample).cost_curve().loss.area == near(whole)


@given(SAMPLES, st.none() | PREVALENCES)
@some
def test_the_envelope_is_the_least_of_all_rules(sample, prevalence):
    rows = masses(sample, prevalence)
    share = float(sum(u for _, u, _ in rows))
    costs = curve_of(sample).cost_curve(prevalence)
    assert costs.loss.at(GRID) == near(best_losses(rows, GRID))
    fp, fn = lines(rows)
    every = np.outer(GRID, fn / share) + np.outer(1 - GRID, fp / (1 - share))
    assert costs.at(GRID) == near(every.min(axis=1))
    assert costs.at(GRID[7]) == near(every[7].min())
    assert costs.area == near(np.trapezoid(costs.expected_cost, costs.probability_cost))
    corners = np.outer(costs.probability_cost, fn / share)
    corners += np.outer(1 - costs.probability_cost, fp / (1 - share))
    assert costs.expected_cost == near(corners.min(axis=1))


@given(SAMPLES, st.none() | PREVALENCES)
@some
def test_each_rule_is_best_where_the_table_says(sample, prevalence):
    rows = masses(sample, prevalence)
    costs = curve_of(sample).cost_curve(prevalence)
    table = {name: np.array(column) for name, column in costs.to_dict().items()}
    share = costs.prevalence
    c = (table["lowest_cost_proportion"] + table["highest_cost_proportion"]) / 2
    own = 2 * (c * (1 - share) * table["fpr"] + (1 - c) * share * (1 - table["tpr"]))
    assert own == near(best_losses(rows, c))
    pc = (table["lowest_probability_cost"] + table["highest_probability_cost"]) / 2
    own = pc * (1 - table["tpr"]) + (1 - pc) * table["fpr"]
    assert own == near(costs.at(pc))
    assert (table["lowest_cost_proportion"] <= table["highest_cost_proportion"]).all()
    assert table["threshold"].tolist() == curve_of(sample).hull.thresholds.tolist()


@given(SAMPLES, st.none() | PREVALENCES)
@some
def test_the_edges_of_the_hull_are_the_pooled_blocks(sample, prevalence):
    table = curve_of(sample).cost_curve(prevalence).to_dict()
    values = [float(_share(block)) for block in pooled(masses(sample, prevalence))]
    assert table["lowest_cost_proportion"] == near([*values, 0.0])
    assert table["highest_cost_proportion"] == near([1.0, *values])


# -- the rate-driven curve ---------------------------------------------------------------------------


@given(SAMPLES, st.none() | PREVALENCES)
@some
def test_the_area_under_the_rate_curve_is_a_line_of_the_auc(sample, prevalence):
    rows = masses(sample, prevalence)
    share = sum(u for _, u, _ in rows)
    area = reference.auc_by_pairs(
        [u / (u + r) for _, u, r in rows], [s for s, _, _ in rows], [u + r for _, u, r in rows]
    )
    expected = share * (1 - share) * (1 - 2 * area) + Fraction(1, 3)
    assert _rate_area(rows) == expected  # exact on both sides
    curve = curve_of(sample).rate_curve(prevalence)
    assert curve.area == near(float(expected))
    c = np.unique(curve.cost_proportion)
    middle = (c[:-1] + c[1:]) / 2
    simpson = np.diff(c) @ (curve.at(c[:-1]) + 4 * curve.at(middle) + curve.at(c[1:])) / 6
    assert simpson == near(float(expected))


def _rate_area(rows):
    """∫Q of the interpolated walk over c = 1 − rate: quadratic pieces, so Simpson is exact."""
    right, up = sum(r for _, _, r in rows), sum(u for _, u, _ in rows)
    points = [(1 - fp - (up - fn), fp, fn) for fp, fn in all_mistakes(rows)]
    assert points[-1] == (0, right, 0)
    whole = Fraction(0)
    for (c1, fp1, fn1), (c2, fp2, fn2) in itertools.pairwise(points):
        middle = (c1 + c2) / 2 * (fp1 + fp2) / 2 + (1 - (c1 + c2) / 2) * (fn1 + fn2) / 2
        ends = c1 * fp1 + (1 - c1) * fn1 + c2 * fp2 + (1 - c2) * fn2
        whole += (c1 - c2) * 2 * (ends + 4 * middle) / 6
    return whole


@given(hard_samples())
@some
def test_the_rate_curve_calls_a_share_of_one_less_c_positive(sample):
    curve = rw.roc(*sample)
    losses = curve.rate_curve()
    data = losses.data
    rate = curve.prevalence * data.tpr + (1 - curve.prevalence) * data.fpr
    assert data.c == near(1 - rate)
    middle = (data.c[:-1] + data.c[1:]) / 2
    fpr, tpr = ((column[:-1] + column[1:]) / 2 for column in (data.fpr, data.tpr))
    share = curve.prevalence
    expected = 2 * (middle * (1 - share) * fpr + (1 - middle) * share * (1 - tpr))
    assert losses.at(middle) == near(expected)


@given(SAMPLES)
@some
def test_no_way_of_choosing_beats_the_best_rule(sample):
    curve = curve_of(sample)
    best = curve.cost_curve().loss.at(GRID)
    assert (curve.brier_curve().at(GRID) >= best - 1e-12).all()
    assert (curve.rate_curve().at(GRID) >= best - 1e-12).all()
    share = curve.prevalence
    assert (best <= 2 * np.minimum((1 - share) * GRID, share * (1 - GRID)) + 1e-12).all()


# -- net benefit -------------------------------------------------------------------------------------


@given(SAMPLES, st.none() | PREVALENCES, st.floats(0, 0.999))
@some
def test_net_benefit_by_counting_and_from_the_loss(sample, prevalence, somewhere):
    rows = masses(sample, prevalence)
    share = sum(u for _, u, _ in rows)
    curve = curve_of(sample).decision_curve(prevalence)
    asked = [0.0, somewhere, *(s for s in sample[1].tolist() if s < 0.999)]
    for t in map(Fraction, asked):
        fp, fn = mistakes(rows, t)
        benefit = (share - fn) - fp * t / (1 - t)
        assert curve.at(float(t)) == near(float(benefit), 1e-11)
        assert benefit == share - loss_at(rows, t, t) / (2 * (1 - t))
    assert curve.prevalence == near(float(share))


def test_the_decision_table_has_the_rules_that_need_no_model():
    curve = rw.roc(FAWCETT.y_true, FAWCETT.y_prob).decision_curve()
    table = curve.to_dict()
    t = np.array(table["threshold"])
    assert set(FAWCETT.y_prob) <= set(table["threshold"])
    assert table["net_benefit"] == near(curve.at(t).tolist())
    assert table["treat_all"] == near((0.5 - 0.5 * t / (1 - t)).tolist())
    assert curve.at(0.05) == near(0.5 - 0.5 * 0.05 / 0.95)  # all scores are higher
    assert curve.at(0.95) == 0  # none is
    assert curve.at(0.6) == near(3 / 20 - 1 / 20 * 0.6 / 0.4)


def test_a_sure_score_has_no_net_benefit_at_one():
    curve = rw.roc([1, 0, 1, 0], [1, 1, 0.5, 0]).decision_curve()
    assert curve.thresholds.tolist() == [0, 0.5]
    assert np.isfinite(curve.net_benefit).all()


# -- prices ------------------------------------------------------------------------------------------


@given(SAMPLES, st.none() | PREVALENCES, st.lists(st.tuples(WEIGHTS, WEIGHTS), min_size=1))
@some
def test_a_price_list_finds_the_cheapest_rule(sample, prevalence, pairs):
    rows = masses(sample, prevalence)
    fp, fn = lines(rows)
    costs = [
        rw.Costs(false_positive=one, false_negative=other, prevalence=prevalence)
        for one, other in pairs
    ]
    curve = curve_of(sample)
    found = curve.price(costs)
    cheapest = [(one * fp + other * fn).min() for one, other in pairs]
    assert found.expected_cost == near(cheapest, 1e-11)
    trivial = [min(one * fp[-1], other * fn[0]) for one, other in pairs]
    assert found.saved == near(np.array(trivial) - cheapest, 1e-11)
    assert (found.saved >= -1e-11).all()
    assert found.to_dict()["threshold"] == [curve.best(one).threshold for one in costs]
    share, (one, other) = found.prevalences[0], pairs[0]
    whole = share * other + (1 - share) * one
    normalised = curve.cost_curve(prevalence).at(share * other / whole)
    assert found.expected_cost[0] / whole == near(normalised, 1e-11)


def test_one_price_or_any_iterable_of_them():
    curve, one = (
        rw.roc(FAWCETT.y_true, FAWCETT.y_prob),
        rw.Costs(false_positive=1, false_negative=3),
    )
    alone, listed = curve.price(one), curve.price(cost for cost in [one, one])
    assert (len(alone.costs), len(listed.costs)) == (1, 2)
    assert listed.expected_cost.tolist() == [alone.expected_cost[0]] * 2
    free = curve.price([rw.Costs(false_positive=1, false_negative=0)])
    assert (free.expected_cost.tolist(), free.saved.tolist()) == ([0], [0])


# -- laws over all of them ---------------------------------------------------------------------------

BELOW_ONE = GRID[:-1]
READINGS = {
    "cost_curve": lambda curve, p: curve.cost_curve(p).at(GRID),
    "cost_curve.area": lambda curve, p: curve.cost_curve(p).area,
    "cost_curve.loss": lambda curve, p: curve.cost_curve(p).loss.at(GRID),
    "cost_curve.loss.area": lambda curve, p: curve.cost_curve(p).loss.area,
    "brier_curve": lambda curve, p: curve.brier_curve(p).at(GRID),
    "brier_curve.area": lambda curve, p: curve.brier_curve(p).area,
    "rate_curve": lambda curve, p: curve.rate_curve(p).at(GRID),
    "rate_curve.area": lambda curve, p: curve.rate_curve(p).area,
    "decision_curve": lambda curve, p: curve.decision_curve(p).at(BELOW_ONE),
    **{prior: lambda curve, p, prior=prior: curve.h_measure(prior, p) for prior in PRIORS},
    "any prior": lambda curve, p: curve.h_measure((1.5, 0.75), p),
    "price": lambda curve, p: (
        curve.price(rw.Costs(false_positive=1, false_negative=4, prevalence=p)).expected_cost
    ),
}
every_reading = pytest.mark.parametrize("name", READINGS)


@every_reading
@given(SAMPLES, PREVALENCES)
@few
def test_another_prevalence_is_weights_that_make_it(name, sample, prevalence):
    rows = masses(sample, prevalence)
    split = [(1, s, u) for s, u, _ in rows] + [(0, s, r) for s, _, r in rows]
    labels, scores, weights = (list(column) for column in zip(*split, strict=True))
    weighted = rw.roc(labels, [*map(float, scores)], sample_weight=[*map(float, weights)])
    read = READINGS[name]
    assert read(curve_of(sample), prevalence) == near(read(weighted, None), 1e-10)
    own = curve_of(sample)
    assert read(own, own.prevalence) == near(read(own, None))


@every_reading
@given(hard_samples())
@few
def test_truth_of_zero_and_one_is_hard_labels(name, sample):
    y, s = sample
    read, soft = READINGS[name], rw.roc(y.astype(float), s, truth="soft")
    assert read(soft, None) == near(read(rw.roc(y, s), None))


@every_reading
@given(weighted_samples(), st.sampled_from([1e-9, 0.3, 7.0, 2.0**40]))
@few
def test_scaling_weights_changes_nothing(name, sample, factor):
    truth, scores, weights = sample
    read = READINGS[name]
    scaled = curve_of((truth, scores, weights * factor))
    assert read(scaled, None) == near(read(curve_of(sample), None))


@every_reading
@given(st.one_of(hard_samples(), soft_samples()), st.integers(0, 3))
@few
def test_weights_are_copies(name, sample, seed):
    truth, scores = sample
    copies = np.random.default_rng(seed).integers(1, 4, len(truth))
    weighted = curve_of((truth, scores, copies.astype(float)))
    repeated = rw.roc(np.repeat(truth, copies), np.repeat(scores, copies))
    assert READINGS[name](weighted, None) == near(READINGS[name](repeated, None))


@given(SAMPLES)
@few
def test_an_increasing_transform_moves_only_thresholds(sample):
    truth, scores, weights = sample
    ranks = np.unique(scores, return_inverse=True)[1] * 3.0 - 7
    for name in set(READINGS) - {"brier_curve", "brier_curve.area", "decision_curve"}:
        read = READINGS[name]
        assert read(curve_of((truth, ranks, weights)), None) == near(read(curve_of(sample), None))


# -- the H-measure -----------------------------------------------------------------------------------


def h_by_quadrature(sample, a, b):
    """1 − L / L_max by numeric integration of the least loss of all rules, piece by piece."""
    rows = masses(sample)
    share = float(sum(u for _, u, _ in rows))
    inner = [float(_share(block)) for block in pooled(rows)]
    fp, fn = lines(rows)
    least = _mean_loss(lambda c: (c * fp + (1 - c) * fn).min(), inner, a, b)
    return 1 - least / _mean_loss(lambda c: min(c * (1 - share), (1 - c) * share), [share], a, b)


def _mean_loss(loss, breaks, a, b):
    """∫ loss·c^(a−1)·(1−c)^(b−1) dc / B(a, b); the ends may be singular."""
    ends = [0.0, *sorted({c for c in breaks if 0 < c < 1} | {0.5}), 1.0]
    parts = [
        quad(lambda c: loss(c) * (1 - c) ** (b - 1), 0, ends[1], weight="alg", wvar=(a - 1, 0))[0],
        quad(lambda c: loss(c) * c ** (a - 1), ends[-2], 1, weight="alg", wvar=(0, b - 1))[0],
    ]
    for low, high in itertools.pairwise(ends[1:-1]):
        parts.append(quad(lambda c: loss(c) * c ** (a - 1) * (1 - c) ** (b - 1), low, high)[0])
    return sum(parts) / beta_function(a, b)


@given(SAMPLES, st.floats(0.3, 6), st.floats(0.3, 6))
@few
@example((np.array(TWELVE.y_true), np.array(TWELVE.y_prob), None), 0.3, 0.4)
def test_h_by_numeric_integration(sample, a, b):
    assert curve_of(sample).h_measure((a, b)) == pytest.approx(
        h_by_quadrature(sample, a, b), abs=1e-9
    )


# Fawcett's 20 at a prevalence, by mpmath's betainc with 60 digits: priors too sharp for quadrature
SHARP = {
    (0.5, 300, 2): 0.2,
    (0.5, 60, 1): 0.20000000956746888,
    (0.999, 300, 2): 0.11555474882047839,
    (0.001, 2, 300): 0.21934352491013271,
    (0.001, 1, 60): 0.21206955184170697,
    (1e-6, 2, 2): 0.20000000000423747,
    (1e-6, 60, 60): 0.2,
}


@pytest.mark.parametrize(("prevalence", "a", "b"), SHARP)
def test_h_for_sharp_priors(prevalence, a, b):
    value = CURVE.h_measure((a, b), prevalence)
    assert value == pytest.approx(SHARP[prevalence, a, b], abs=1e-13)


@pytest.mark.parametrize("prior", PRIORS)
def test_named_priors_are_beta_distributions(prior):
    y, s = TWELVE.y_true, TWELVE.y_prob
    share = sum(y) / 12
    pair = {
        "hand2009": (2, 2),
        "hand2014": (share + 1, 2 - share),
        "r": (2, 1 + (1 - share) / share),
    }[prior]
    curve = rw.roc(y, s)
    assert curve.h_measure(prior) == near(curve.h_measure(pair), 1e-14)
    assert curve.h_measure(prior) == near(curve.h_measure(list(pair)), 1e-14)
    sample = (np.array(y), np.array(s), None)
    assert curve.h_measure(prior) == pytest.approx(h_by_quadrature(sample, *pair), abs=1e-9)
    # at another prevalence the prior follows it
    assert curve.h_measure("hand2014", 0.1) == near(curve.h_measure((1.1, 1.9), 0.1), 1e-14)
    assert curve.h_measure("r", 0.1) == near(curve.h_measure((2, 10), 0.1), 1e-14)


@given(hard_samples(), st.sampled_from([*PRIORS, (0.5, 3.0)]))
@some
def test_h_is_nothing_if_and_only_if_the_hull_is_the_diagonal(sample, prior):
    curve = rw.roc(*sample)
    value = curve.h_measure(prior)
    if len(pooled(masses((*sample, None)))) == 1:
        assert value == 0
        assert curve.hull.fpr.tolist() == curve.hull.tpr.tolist() == [0, 1]
    else:
        assert 1e-9 < value <= 1
    assert (value == 1) == (curve.hull.area == 1)


@given(weighted_samples(), st.sampled_from([*PRIORS, (0.5, 3.0)]))
@some
def test_h_lies_between_nothing_and_one(sample, prior):
    value = curve_of(sample).h_measure(prior)
    assert 0 <= value <= 1
    if len(pooled(masses(sample))) == 1:
        assert value == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("prior", [*PRIORS, (1, 1), (0.01, 0.01), (100, 3)])
def test_a_perfect_curve_has_h_of_one_and_an_inverted_one_is_not_flipped(prior):
    y, s = [1, 1, 0, 0, 0], np.array([0.9, 0.8, 0.6, 0.5, 0.3])
    assert rw.roc(y, s).h_measure(prior) == 1
    assert rw.roc(y, 1 - s).h_measure(prior) == 0
    assert rw.roc(y, 0 * s).h_measure(prior) == 0
    assert rw.metrics.h_measure_score(y, 1 - s, prior=prior) == 0


def test_h_takes_any_scores_a_tally_labels_and_weights():
    y, s = np.array(FAWCETT.y_true), np.array(FAWCETT.y_prob)
    expected = GOLDEN_H["classic_table_1"][1]
    score = rw.metrics.h_measure_score
    assert score(y, 100 * s - 50) == near(expected)
    assert score(rw.tally(y, s)) == near(expected)
    assert score(np.where(y, "b", "a"), s, pos_label="b") == near(expected)
    assert score(1 - y, s, pos_label=0) == near(expected)
    weights = np.where(y, 3.0, 1.0)
    assert score(y, s, sample_weight=weights) == near(rw.roc(y, s).h_measure(prevalence=0.75))


@pytest.mark.parametrize("prevalence", [1e-12, 1e-6, 1 - 1e-6])
def test_h_at_extreme_prevalences(prevalence):
    curve = rw.roc(FAWCETT.y_true, FAWCETT.y_prob)
    for prior in (*PRIORS, (0.5, 0.5)):
        value = curve.h_measure(prior, prevalence)
        assert 0 <= value <= 1
        assert math.isfinite(value)


# -- peers -------------------------------------------------------------------------------------------

# hmeasure's severity_ratio: by default n⁺/n⁻, which is R's prior; k > 0 is Beta(2, 1 + 1/k), and
# any negative one Hand & Anagnostopoulos's of 2014
SEVERITIES = [(None, "r"), (-1, "hand2014"), (1, "hand2009"), (0.25, (2, 5)), (3, (2, 4 / 3))]


@given(hard_samples())
@some
def test_h_of_the_package_hmeasure(sample):
    y, s = sample
    for severity, prior in SEVERITIES:
        expected = h_score(y, s, severity_ratio=severity)
        assert rw.metrics.h_measure_score(y, s, prior=prior) == pytest.approx(expected, abs=1e-12)


def test_h_of_the_package_hmeasure_on_a_larger_sample(rng):
    s = rng.random(3_000).round(3)
    y = (rng.random(3_000) < 0.6 * s**2).astype(int)
    for severity, prior in SEVERITIES:
        expected = h_score(y, s, severity_ratio=severity)
        assert rw.roc(y, s).h_measure(prior) == pytest.approx(expected, abs=1e-12)


ROCR_CURVES = {
    row["name"]: rw.roc(np.array(row["label"], dtype=int), row["score"]) for row in ROCR["data"]
}


@pytest.mark.parametrize("row", ROCR["expected_cost"], ids=lambda row: row["data"])
def test_cost_curves_of_rocr(row):
    x, y = np.array(row["probability_cost"]), np.array(row["expected_cost"])
    costs = ROCR_CURVES[row["data"]].cost_curve()
    assert costs.at(x) == near(y)
    assert costs.at(GRID) == near(np.interp(GRID, x, y))
    assert costs.area == near(np.trapezoid(y, x))
    corners = np.unique(costs.probability_cost.round(9))
    assert np.unique(x.round(9)).tolist() == corners.tolist()


@pytest.mark.parametrize("data", ROCR_CURVES)
def test_costs_of_rocr(data):
    rows = [row for row in ROCR["explicit_cost"] if row["data"] == data]
    costs = [rw.Costs(false_positive=r["cost_fp"], false_negative=r["cost_fn"]) for r in rows]
    assert len(rows) == 6
    assert ROCR_CURVES[data].price(costs).expected_cost == near([r["value"] for r in rows])


# -- curves that have lost their masses or their scores ----------------------------------------------

CURVE = rw.roc(FAWCETT.y_true, FAWCETT.y_prob)
OTHER = rw.roc(FAWCETT.y_true, FAWCETT.y_prob[::-1])
COSTS = rw.Costs(false_positive=1, false_negative=2)
AVERAGED = {
    how: rw.average([CURVE, OTHER], how=how) for how in ("vertical", "threshold", "horizontal")
}
SCORELESS = {
    "hull": CURVE.hull,
    "averaged": AVERAGED["threshold"],
    "smeared": rw.smeared_roc(FAWCETT.y_true, FAWCETT.y_prob, width=0.1),
    "thinned": CURVE.thinned(5),
}


@pytest.mark.parametrize("how", AVERAGED)
def test_an_averaged_curve_is_priced_at_a_given_prevalence_only(how):
    averaged = AVERAGED[how]
    unknown = "An averaged curve carries no masses, so its prevalence is unknown"
    for ask in (averaged.cost_curve, averaged.rate_curve, averaged.h_measure):
        with pytest.raises(OptionError, match=f"{unknown}.\nHint: give prevalence="):
            ask()
    points = averaged.fpr, averaged.tpr
    costs = averaged.cost_curve(0.3)
    every = np.outer(1 - GRID, points[0]) + np.outer(GRID, 1 - points[1])
    assert costs.at(GRID) == near(every.min(axis=1))
    assert averaged.rate_curve(0.3).area == near(0.21 * (1 - 2 * averaged.area) + 1 / 3)
    assert 0 < averaged.h_measure(prevalence=0.3) < 1


@pytest.mark.parametrize("how", AVERAGED)
@pytest.mark.filterwarnings("ignore::rocwalk.errors.UndefinedMetricWarning")  # no thresholds
def test_an_averaged_curve_is_sold_at_a_given_prevalence_only(how):
    with pytest.raises(OptionError, match=re.escape("Hint: give it: Costs(")):
        AVERAGED[how].price(COSTS)
    costs = rw.Costs(false_positive=1, false_negative=2, prevalence=0.3)
    with pytest.raises(OptionError, match="its prevalence is unknown"):
        AVERAGED[how].price([costs, COSTS])
    cost = 0.7 * AVERAGED[how].fpr + 0.6 * (1 - AVERAGED[how].tpr)
    assert AVERAGED[how].price(costs).expected_cost == near([cost.min()])


@pytest.mark.parametrize("name", SCORELESS)
@pytest.mark.parametrize("method", ["brier_curve", "decision_curve"])
def test_curves_without_scores_refuse_what_needs_them(name, method):
    for options in ({}, {"prevalence": 0.3}):
        with pytest.raises(
            TallyError, match="needs every score, and a hull, an average or a smeared"
        ):
            getattr(SCORELESS[name], method)(**options)


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_a_hull_is_priced_as_its_curve_is(prevalence):
    assert CURVE.hull.cost_curve(prevalence).at(GRID).tolist() == (
        CURVE.cost_curve(prevalence).at(GRID).tolist()
    )
    assert CURVE.hull.h_measure(prevalence=prevalence) == CURVE.h_measure(prevalence=prevalence)
    assert CURVE.hull.rate_curve(prevalence).area < CURVE.rate_curve(prevalence).area


# -- what is refused ---------------------------------------------------------------------------------

METHODS = {
    "cost_curve": lambda curve, **options: curve.cost_curve(**options),
    "brier_curve": lambda curve, **options: curve.brier_curve(**options),
    "rate_curve": lambda curve, **options: curve.rate_curve(**options),
    "decision_curve": lambda curve, **options: curve.decision_curve(**options),
    "h_measure": lambda curve, **options: curve.h_measure(**options),
    "price": lambda curve, **options: curve.price(
        rw.Costs(false_positive=1, false_negative=2, **options)
    ),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("prevalence", "words"),
    [
        (0, "prevalence=0 is outside (0, 1)"),
        (1, "prevalence=1 is outside (0, 1)"),
        (-0.2, "prevalence=-0.2 is outside (0, 1)"),
        (math.inf, "prevalence=inf is outside (0, 1)"),
        (math.nan, "prevalence=nan is not a number"),
        ("half", "prevalence='half' is not a number"),
        ([0.5], "prevalence=[0.5] is not a number"),
        (True, "prevalence=True is not a number"),
    ],
)
def test_a_prevalence_is_a_share(method, prevalence, words):
    with pytest.raises(OptionError, match=re.escape(words)):
        METHODS[method](CURVE, prevalence=prevalence)


@pytest.mark.parametrize(
    "scores", [[3, -1, 2, 0.5], [0.5, 0.2, 1.0000001, 0.1], [-1e-9, 0.2, 0.4, 1]]
)
@pytest.mark.parametrize("method", ["brier_curve", "decision_curve"])
def test_scores_must_be_probabilities(method, scores):
    curve = rw.roc([1, 0, 1, 0], scores)
    with pytest.raises(ScoreError, match=r"outside \[0, 1\].\nHint: this needs probabilities"):
        METHODS[method](curve)
    for other in ("cost_curve", "rate_curve", "h_measure", "price"):
        METHODS[other](curve)


@pytest.mark.parametrize("method", ["brier_curve", "decision_curve"])
def test_a_bucketed_tally_is_refused_by_name(method):
    bucketed = rw.roc(CURVE.tally.bucketed(np.array([0.5])))
    with pytest.raises(TallyError, match="this tally is bucketed"):
        METHODS[method](bucketed)
    for other in ("cost_curve", "rate_curve", "h_measure", "price"):
        METHODS[other](bucketed)


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ("hand2013", "prior='hand2013' is not known.\nHint: did you mean 'hand2014'?"),
        ("hand209", "did you mean 'hand2009'?"),
        ("uniform", "Hint: there are: 'hand2014', 'hand2009', 'r'"),
        ((0, 1), "prior=(0, 1) is not a beta distribution"),
        ((1, -2), "prior=(1, -2) is not a beta distribution"),
        ((1, math.inf), "is not a beta distribution.\nHint: a and b are positive"),
        ((1,), "prior=(1,) is neither a name nor a pair of numbers"),
        ((1, 2, 3), "is neither a name nor a pair of numbers"),
        (2, "prior=2 is neither a name nor a pair of numbers"),
        (None, "prior=None is neither a name nor a pair of numbers"),
        (("a", 1), "prior='a' is not a number"),
        ((1, math.nan), "prior=nan is not a number"),
    ],
)
def test_a_prior_is_a_name_or_a_pair(prior, words):
    with pytest.raises(OptionError, match=re.escape(words)):
        CURVE.h_measure(prior)
    with pytest.raises(OptionError, match=re.escape(words)):
        rw.metrics.h_measure_score(FAWCETT.y_true, FAWCETT.y_prob, prior=prior)


@pytest.mark.parametrize(
    ("false_positive", "false_negative", "words"),
    [
        (0, 0, "Both costs are 0"),
        (-1, 2, "false_positive=-1 is not a cost"),
        (1, -2, "false_negative=-2 is not a cost"),
        (1, math.inf, "false_negative=inf is not a cost"),
        (math.nan, 1, "false_positive=nan is not a number"),
        ("1", 1, "false_positive='1' is not a number"),
    ],
)
def test_costs_are_not_negative(false_positive, false_negative, words):
    with pytest.raises(OptionError, match=re.escape(words)):
        CURVE.price(rw.Costs(false_positive=false_positive, false_negative=false_negative))


@pytest.mark.parametrize("costs", [[], (), iter([])])
def test_a_price_list_needs_costs(costs):
    with pytest.raises(OptionError, match="There are no costs"):
        CURVE.price(costs)


@pytest.mark.parametrize("costs", ["text", [3], [COSTS, (1, 2)]])
def test_a_price_list_is_of_costs(costs):
    with pytest.raises(OptionError, match="n(ot|either) a Costs object"):
        CURVE.price(costs)


@pytest.mark.parametrize("costs", [None, 5, [None], [COSTS, None]])
def test_a_price_list_is_not_of_nothing_or_a_number(costs):
    with pytest.raises(OptionError):
        CURVE.price(costs)


ASKED = {
    "probability_cost": CURVE.cost_curve().at,
    "cost_proportion": CURVE.brier_curve().at,
    "threshold": CURVE.decision_curve().at,
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize(
    ("value", "words"),
    [
        (-0.01, "{} is -0.01, outside [0, 1]"),
        (1.01, "{} is 1.01, outside [0, 1]"),
        ([0.2, 1.5], "{} at row 1 is 1.5, outside [0, 1]"),
        ([0.2, math.nan], "{} at row 1 is nan, outside [0, 1]"),
        (math.nan, "{}=nan is not a number"),
        ("low", "{}='low' is not a number"),
        (None, "{}=None is not a number"),
        (["low"], "{} at row 0 is 'low'"),
    ],
)
def test_curves_are_read_between_zero_and_one(name, value, words):
    with pytest.raises(OptionError, match=re.escape(words.format(name))):
        ASKED[name](value)


@pytest.mark.parametrize("name", ASKED)
def test_curves_are_read_at_one_number_or_a_column(name):
    with pytest.raises(InputError, match="2 dimensions"):
        ASKED[name]([[0.1, 0.2]])
    one, several = ASKED[name](0.25), ASKED[name]([0.25, 0.5])
    assert isinstance(one, float)
    assert several.shape == (2,)
    assert one == several[0]
    assert ASKED[name](np.float64(0.25)) == one
    assert ASKED[name]([]).tolist() == []


@pytest.mark.parametrize("threshold", [1, 1.0, [0.5, 1]])
def test_net_benefit_ends_below_one(threshold):
    with pytest.raises(OptionError, match=r"costs infinitely much.\nHint: pass thresholds below 1"):
        CURVE.decision_curve().at(threshold)
    assert CURVE.brier_curve().at(1) == 0
    assert CURVE.cost_curve().at(1) == 0


@pytest.mark.parametrize("label", [0, 1])
def test_one_class_has_no_cost_curve(label):
    with pytest.raises(OneClassError):
        rw.roc([label] * 3, [0.2, 0.5, 0.7])
    with pytest.warns(rw.errors.UndefinedMetricWarning, match="the H-measure is not defined"):
        assert math.isnan(rw.metrics.h_measure_score([label] * 3, [0.2, 0.5, 0.7]))
    with pytest.warns(rw.errors.UndefinedMetricWarning, match="the H-measure is not defined"):
        assert math.isnan(rw.metrics.h_measure_score(rw.tally([label] * 2, [0.2, 0.5])))
    with pytest.raises(OptionError, match="is not known"):
        rw.metrics.h_measure_score([label] * 3, [0.2, 0.5, 0.7], prior="none")


@pytest.mark.parametrize(
    ("method", "column"),
    [
        ("cost_curve", "probability_cost"),
        ("cost_curve", "expected_cost"),
        ("brier_curve", "cost_proportion"),
        ("brier_curve", "loss"),
        ("rate_curve", "cost_proportion"),
        ("decision_curve", "thresholds"),
        ("decision_curve", "net_benefit"),
        ("price", "expected_cost"),
        ("price", "prevalences"),
    ],
)
def test_columns_are_read_only(method, column):
    assert not getattr(METHODS[method](CURVE), column).flags.writeable


@given(st.lists(TENTHS, min_size=1, max_size=6))
@few
def test_ends_of_the_scale_lose_no_steps(scores):
    """Scores of 0 and 1 put jumps at the ends of c, and the curve is still that of score ≥ c."""
    y = np.array([1, 0, *(k % 2 for k in range(len(scores)))])
    sample = (y, np.array([0.0, 1.0, *scores]), None)
    rows = masses(sample)
    curve = curve_of(sample).brier_curve()
    for c in (0, 1):
        assert curve.at(c) == near(float(loss_at(rows, Fraction(c), Fraction(c))))
    assert curve.cost_proportion[0] == 0
    assert curve.cost_proportion[-1] == 1


@pytest.mark.parametrize(
    ("a", "b"), [(1.0, 1.0), (1.3, 1.7), (2, 2), (0.2, 4.0), (5.9, 6.0), (6.1, 6.0), (2, 1e4)]
)
def test_moments_of_the_prior(a, b):
    """The masses of a beta distribution, by a series or for concentrated priors by SciPy."""
    from scipy.special import betainc

    from rocwalk.curves.h_measure import _moments

    cuts = np.array([1.0, 0.999999, 0.8, 0.5000001, 0.5, 0.3, 1e-3, 1e-9, 0.0])
    for found, (shape_a, shape_b), mean in zip(
        _moments(cuts, a, b), ((a + 1, b), (a, b + 1)), (a / (a + b), b / (a + b)), strict=True
    ):
        np.testing.assert_allclose(
            found, -mean * np.diff(betainc(shape_a, shape_b, cuts)), atol=2e-15
        )
        assert found.sum() == pytest.approx(mean, rel=1e-14)
    small = _moments(np.array([1e-9, 0.0]), a, b)[0][0]
    assert small == pytest.approx(a / (a + b) * betainc(a + 1, b, 1e-9), rel=1e-13, abs=0)
