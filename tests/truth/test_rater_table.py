"""Raters one by one: against slow references, the two-rater κ, and what must not appear."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import InputError, OptionError, ScoreError, UndefinedMetricWarning
from rocwalk.inference.closed_forms import wilson

Z = 1.959963984540054


def simulated(rng, n_items=60, n_raters=5, gaps=0.25):
    """Return votes with gaps (None), each item with two votes at least, and a score."""
    positive = rng.random(n_items) < 0.4
    rates = rng.uniform(0.6, 0.95, (2, n_raters))
    said = rng.random((n_items, n_raters)) < np.where(positive[:, None], rates[0], 1 - rates[1])
    table = [[int(v) for v in row] for row in said]
    for i, row in enumerate(table):
        for j in range(n_raters):
            if sum(v is not None for v in row) > 2 and rng.random() < gaps:
                table[i][j] = None
    return table, (positive + rng.normal(0, 1, n_items)).tolist()


def slow(table, j):
    """The rates and κ of rater j, item by item and pair by pair, as exact fractions."""
    hit = up = calm = right = agreed = Fraction(0)
    mine, rest = [], []
    for row in table:
        if row[j] is None:
            continue
        others = [v for k, v in enumerate(row) if k != j and v is not None]
        if not others:
            continue
        for other in others:  # a vote of another rater, drawn at random
            chance = Fraction(1, len(others))
            up += chance * other
            right += chance * (1 - other)
            hit += chance * other * row[j]
            calm += chance * (1 - other) * (1 - row[j])
            agreed += chance * (other == row[j])
        mine.append(Fraction(row[j]))
        rest.append(Fraction(sum(others), len(others)))
    n = len(mine)
    p, q = sum(mine) / n, sum(rest) / n
    by_chance = p * q + (1 - p) * (1 - q)
    return n, hit / up, calm / right, (agreed / n - by_chance) / (1 - by_chance)


@pytest.mark.parametrize("gaps", [0, 0.25])
def test_rates_and_kappa_by_another_way(rng, gaps):
    table, _ = simulated(rng, gaps=gaps)
    found = rw.rater_table(table)
    for j in range(5):
        n, sensitivity, specificity, kappa = slow(table, j)
        assert found.items[j] == n
        assert found.sensitivity[j] == pytest.approx(float(sensitivity), abs=1e-14)
        assert found.specificity[j] == pytest.approx(float(specificity), abs=1e-14)
        assert found.kappa[j] == pytest.approx(float(kappa), abs=1e-14)
        assert found.votes[j] == sum(row[j] is not None for row in table)


def test_two_raters_have_cohens_kappa_with_its_closed_form(rng):
    table, _ = simulated(rng, n_raters=2, gaps=0)
    found, known = rw.rater_table(table), rw.agreement(table, measure="cohen")
    for j in (0, 1):
        ends = found.kappa_interval[j]
        assert (found.kappa[j], *ends) == pytest.approx((known.estimate, known.low, known.high))


def test_two_raters_of_ratings_have_the_quadratic_kappa(rng):
    truth = rng.normal(size=80)
    ratings = np.clip(np.rint(2.5 + truth[:, None] + rng.normal(0, 0.8, (80, 2))), 1, 4).astype(int)
    read = rw.votes(ratings, scale=(1, 4))
    found, known = rw.rater_table(read), rw.agreement(ratings, measure="quadratic")
    ends = found.kappa_interval[0]
    assert (found.kappa[0], *ends) == pytest.approx((known.estimate, known.low, known.high))
    assert np.isnan([found.sensitivity, found.specificity]).all()
    assert "sensitivity" not in found.sentence


def test_against_raters_who_agree_it_is_wilsons_interval():
    own = [1] * 18 + [0] * 2 + [0] * 25 + [1] * 5
    others = [1] * 20 + [0] * 30
    found = rw.rater_table({"own": own, "b": others, "c": others, "d": others})
    assert found.sensitivity[0] == 0.9
    assert tuple(found.sensitivity_interval[0]) == pytest.approx(wilson(0.9, 20, Z))
    assert tuple(found.specificity_interval[0]) == pytest.approx(wilson(25 / 30, 30, Z))
    major = rw.rater_table(
        {"own": own, "b": others, "c": others, "d": others}, reference="majority"
    )
    assert major.sensitivity[0] == 0.9
    assert major.kappa[0] == pytest.approx(found.kappa[0])


def test_the_majority_leaves_even_items_out():
    table = {"a": [1, 1, 0, 0, 1], "b": [1, 1, 0, 1, 0], "c": [1, 0, 0, 0, 1]}
    found = rw.rater_table(table, reference="majority")
    assert found.items.tolist() == [2, 4, 3]
    # b against a and c, who are of one mind on items 0, 2, 3 and 4: 1, 0, 0, 1
    assert found.sensitivity[1] == 0.5
    assert found.specificity[1] == 0.5


def test_a_clone_of_every_item_is_one_cluster(rng):
    table, scores = simulated(rng)
    once = rw.rater_table(table, {"m": scores}, cluster=range(60))
    twice = rw.rater_table(table * 2, {"m": scores * 2}, cluster=[*range(60)] * 2)
    for name in ("sensitivity", "specificity", "kappa"):
        np.testing.assert_allclose(getattr(twice, name), getattr(once, name), atol=1e-14)
        ends = (getattr(one, f"{name}_interval") for one in (twice, once))
        np.testing.assert_allclose(*ends, atol=1e-9)
    np.testing.assert_allclose(
        twice.effects[0].change_interval, once.effects[0].change_interval, atol=1e-9
    )


def without(table, j):
    rows = [[v for k, v in enumerate(row) if k != j] for row in table]
    return [(i, row) for i, row in enumerate(rows) if any(v is not None for v in row)]


@pytest.mark.parametrize("graded", [False, True])
def test_what_leaving_a_rater_out_does(rng, graded):
    table, scores = simulated(rng)
    if graded:
        table = [[None if v is None else v + int(rng.integers(1, 4)) for v in row] for row in table]
    scale = {"scale": (1, 4)} if graded else {}
    read = rw.votes(table, **scale)
    found = rw.rater_table(read, {"m": scores}).effects[0]
    assert found.auc_prt == pytest.approx(rw.reference_truth(read.truth, scores).auc_prt)
    for j in range(5):
        rest = without(table, j)
        truth = rw.votes([row for _, row in rest], **scale).truth
        known = rw.reference_truth(truth, [scores[i] for i, _ in rest]).auc_prt
        assert found.without[j] == pytest.approx(known, abs=1e-9)
        assert found.change[j] == pytest.approx(known - found.auc_prt, abs=1e-9)


def test_the_interval_of_a_change_by_a_bootstrap_of_items():
    rng = np.random.default_rng(5)
    table, scores = simulated(rng, n_items=300, gaps=0)
    votes, scores = np.array(table), np.array(scores)
    found = rw.rater_table(votes, {"m": scores}).effects[0]
    draws = []
    for _ in range(400):
        rows = rng.integers(0, 300, 300)
        full, less = votes[rows].mean(axis=1), votes[rows][:, 1:].mean(axis=1)
        prt = [rw.metrics.auc_prt_score(f, scores[rows]) for f in (less, full)]
        draws.append(prt[0] - prt[1])
    width = found.change_interval[0, 1] - found.change_interval[0, 0]
    assert width == pytest.approx(2 * Z * np.std(draws), rel=0.12)


def test_weights_of_raters_enter_the_rest_and_the_truth(rng):
    table, scores = simulated(rng, gaps=0)
    names = dict(zip("abcde", np.array(table).T, strict=True))
    weight = {"a": 2.0, "b": 0.5}
    read = rw.votes(names, rater_weight=weight)
    found = rw.rater_table(read, scores)
    rest = rw.votes({k: v for k, v in names.items() if k != "c"}, rater_weight=weight).truth
    own = names["c"]
    assert found.sensitivity[2] == pytest.approx((rest * own).sum() / rest.sum())
    known = rw.reference_truth(rest, scores).auc_prt
    assert found.effects[0].without[2] == pytest.approx(known, abs=1e-9)
    assert found.effects[0].model == "model"


def test_items_of_one_rater_alone_have_no_truth_without_them():
    table = [[1, None, None], [0, 1, 1], [1, 1, 0], [0, 0, 0], [1, 1, 1]]
    scores = [0.9, 0.4, 0.6, 0.1, 0.8]
    found = rw.rater_table(table, scores)
    assert found.items.tolist() == [4, 4, 4]
    known = rw.reference_truth([1, 0.5, 0, 1], scores[1:]).auc_prt
    assert found.effects[0].without[0] == pytest.approx(known)


def test_what_is_undefined_is_nan_with_a_warning():
    table = {"a": [1, 0, 1, 1], "b": [0, 0, 0, 0], "c": [0, 0, 0, 0]}
    with pytest.warns(UndefinedMetricWarning, match="The sensitivity of a is not defined"):
        found = rw.rater_table(table)
    assert math.isnan(found.sensitivity[0])
    assert found.specificity[0] == 0.25
    assert not math.isnan(found.sensitivity[1])


def test_the_sentence_names_who_agrees_least(rng):
    table, scores = simulated(rng, gaps=0)
    odd = [[*row, 1 - row[0]] for row in table]
    found = rw.rater_table(rw.votes(odd), {"net": scores})
    assert "; 5 agrees least with the rest (Schouten's kappa −" in found.sentence
    assert "net: AUC_PRT" in found.sentence
    assert "net" not in rw.rater_table(odd).sentence


def test_bad_input(rng):
    table, scores = simulated(rng)
    with pytest.raises(InputError, match="need to know who voted, which counts do not contain"):
        rw.rater_table(rw.votes({"n": [1, 2], "of": [2, 2]}, positives="n", totals="of"))
    with pytest.warns(UndefinedMetricWarning), pytest.raises(InputError, match="need two raters"):
        rw.rater_table([[1], [0]])
    with pytest.raises(OptionError, match="reference='mean' is not known"):
        rw.rater_table(table, reference="mean")
    with pytest.raises(OptionError, match="confidence_level"):
        rw.rater_table(table, confidence_level=1)
    counts = "has 59 rows, but there are votes on 60 items"
    with pytest.raises(InputError, match=f"^scores {counts}"):
        rw.rater_table(table, scores[:-1])
    with pytest.raises(InputError, match=rf"^scores\['m'\] {counts}"):
        rw.rater_table(table, {"m": scores[:-1]})
    # there is no invalid= that could leave the row out
    with pytest.raises(ScoreError, match=r"^scores\['m'\] at row 0 is NaN.*\n.*be finite\.$"):
        rw.rater_table(table, {"m": [math.nan, *scores[1:]]})
    with pytest.raises(ScoreError, match="^scores at row 0 is NaN"):
        rw.rater_table(table, [math.nan, *scores[1:]])
    with pytest.raises(InputError, match="cluster has 3 rows"):
        rw.rater_table(table, cluster=[1, 2, 3])


def test_the_pictures(rng):
    table, _ = simulated(rng)
    found = rw.rater_table(table)
    ax = found.plot()
    (points,) = [line for line in ax.lines if line.get_gid() == "raters"]
    np.testing.assert_allclose(points.get_xdata(), 1 - found.specificity)
    crosses = [each for each in ax.collections if each.get_gid() == "interval"]
    upright = np.array([segment[:, 1] for segment in crosses[0].get_segments()])
    np.testing.assert_allclose(upright, found.sensitivity_interval)
    graded = rw.rater_table(rw.votes([[1, 2], [3, 3], [4, 2], [2, 1]], scale=(1, 4)))
    assert "Schouten's kappa with the rest" in graded.plot().get_xlabel()
