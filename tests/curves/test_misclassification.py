"""The front of misclassification rates, against the ROC curve, exact volumes and brute force."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings

import rocwalk as rw
from rocwalk.curves.misclassification import covered, not_dominated
from rocwalk.errors import LabelError, OptionError, ScoreError
from samples import NO_ADVICE, hard_samples

pytestmark = NO_ADVICE
FEW = {"n_rules": 300, "n_refined": 60, "n_points": 2000}


def three_classes(n, seed, signal=1.5):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 3, n - 3), (0, 1, 2))
    x = np.exp(rng.normal(size=(n, 3)) + signal * np.eye(3)[y])
    return y, x / x.sum(axis=1, keepdims=True)


@settings(max_examples=30)
@given(hard_samples())
def test_two_classes_are_the_steps_of_the_roc_curve(sample):
    y, s = np.asarray(sample[0]), np.asarray(sample[1])
    found = rw.misclassification_front(y, np.column_stack([1 - s, s]))
    curve = rw.roc(y, s)
    steps = sum(np.diff(curve.fpr) * curve.tpr[:-1])
    assert found.volume == pytest.approx(steps - 0.5, abs=1e-12)
    assert found.standard_error == 0
    every = np.column_stack([curve.fpr, 1 - curve.tpr])
    assert {tuple(row.round(12)) for row in found.rates} == {
        tuple(row.round(12)) for row in every[not_dominated(every)]
    }


def test_the_front_by_brute_force():
    rng = np.random.default_rng(2)
    rates = rng.integers(0, 4, (300, 3)) / 4
    kept = {tuple(row) for row in rates[not_dominated(rates)]}
    for row in rates:
        others = [one for one in rates if (one <= row).all() and (one < row).any()]
        assert (tuple(row) in kept) == (not others)
    points = rng.random((50, 3))
    below = [any((one <= point).all() for one in rates) for point in points]
    np.testing.assert_array_equal(covered(points, rates), below)


def test_rules_have_the_rates_of_the_front():
    """Each rule of the front, applied by hand, with weights."""
    y, p = three_classes(40, 3)
    weights = np.arange(1.0, 41.0)
    found = rw.misclassification_front(y, p, rng=0, sample_weight=weights, **FEW)
    assert found.pairs == tuple(permutations((0, 1, 2), 2))
    for costs, rates in zip(found.costs[::7], found.rates[::7], strict=True):
        assert (np.diag(costs) == 0).all()
        assert (costs >= 0).all()
        free = np.flatnonzero((costs == 0).all(axis=0))
        called = np.full(40, free[0]) if len(free) else (p @ costs).argmin(axis=1)
        by_hand = [
            weights[(y == i) & (called == j)].sum() / weights[y == i].sum() for i, j in found.pairs
        ]
        np.testing.assert_allclose(rates, by_hand, atol=1e-12)
    assert len(not_dominated(found.rates)) == len(found.rates)


def test_the_volume_of_chance_is_known():
    # The smallest of two uniform numbers has the density 2(1 − m), and that the sum of three of
    # them is below 1 has the probability 8·(1/6 − 3/24 + 3/120 − 1/720) = 47/90.
    y, p = three_classes(30, 4)
    found = rw.misclassification_front(y, p, rng=1, n_rules=50, n_refined=0, n_points=40_000)
    expected = 1 - 8 * (1 / 6 - 3 / 24 + 3 / 120 - 1 / 720)
    assert expected == pytest.approx(43 / 90)
    assert found.by_chance == pytest.approx(expected, abs=4 * np.sqrt(0.25 / 40_000))


def test_ends_of_the_scale():
    y = np.repeat([0, 1, 2], 5)
    perfect = rw.misclassification_front(y, np.eye(3)[y], rng=0, **FEW)
    assert perfect.dominated == 1  # one rule without any error
    np.testing.assert_array_equal(perfect.rates, np.zeros((1, 6)))
    blank = rw.misclassification_front(y, np.full((15, 3), 1 / 3), rng=0, **FEW)
    assert len(blank.rates) == 3  # every rule calls one class throughout
    assert blank.volume < 0


def test_more_rules_and_refinement_dominate_more():
    y, p = three_classes(60, 5)
    same = {"n_points": 4000, "rng": 0}
    plain = rw.misclassification_front(y, p, n_rules=400, n_refined=0, **same)
    refined = rw.misclassification_front(y, p, n_rules=400, n_refined=200, **same)
    assert refined.rules == plain.rules + 4 * 200
    assert covered(plain.rates, refined.rates).all()  # the same draws first, then more
    assert 0 < plain.volume < 0.53
    again = rw.misclassification_front(y, p, n_rules=400, n_refined=200, **same)
    np.testing.assert_array_equal(again.rates, refined.rates)
    assert (again.volume, again.standard_error) == (refined.volume, refined.standard_error)


def test_names_rows_order_and_scale_do_not_matter():
    y, p = three_classes(40, 6)
    found = rw.misclassification_front(y, p, rng=0, **FEW)
    order = np.random.default_rng(0).permutation(40)
    named = np.array(["a", "b", "c"])[y]
    columns = {name: 0.5 * p[order, k] for k, name in enumerate("abc")}
    again = rw.misclassification_front(named[order], columns, rng=0, **FEW)
    assert again.labels == ("a", "b", "c")
    np.testing.assert_allclose(again.rates, found.rates, atol=1e-12)


def test_bad_input():
    y, p = three_classes(12, 7)
    for options, error, message in (
        ({"n_rules": 0}, OptionError, "n_rules=0 is smaller than 1"),
        ({"n_points": 2.5}, OptionError, "n_points=2.5 is not a whole number"),
        ({"labels": [0, 1, 2, 3]}, (LabelError, rw.errors.InputError), "4|3"),
        ({"pos_label": 1}, rw.errors.RocwalkError, "pos_label"),
    ):
        with pytest.raises(error, match=message):
            rw.misclassification_front(y, p, **options)
    wide = np.column_stack([p, np.zeros(12)])
    with pytest.raises(LabelError, match="The class 3 has no rows, so its misclassification rates"):
        rw.misclassification_front(y, wide, labels=[0, 1, 2, 3])
    with pytest.raises(ScoreError, match="y_prob at row 2, column 1 is -0.5, outside"):
        rw.misclassification_front(y, np.where(np.arange(36).reshape(12, 3) == 7, -0.5, p))


def test_pictures():
    y, p = three_classes(30, 8)
    found = rw.misclassification_front(y, p, rng=0, **FEW)
    axes = found.plot()
    assert [ax.get_title() for ax in axes] == [f"Items of class {k}" for k in range(3)]
    for k, ax in enumerate(axes):
        dots = next(each for each in ax.collections if each.get_gid() == "front")
        np.testing.assert_array_equal(dots.get_offsets(), found.rates[:, 2 * k : 2 * k + 2])
    with pytest.raises(OptionError, match="There are 3 classes and 1 axes"):
        found.plot(axes[0])
    four = rw.misclassification_front([0, 1, 2, 3], np.eye(4), rng=0, **FEW)
    with pytest.raises(OptionError, match="A plot of 4 classes"):
        four.plot()
