"""Areas of several classes with intervals: against `rw.multiclass`, DeLong, and a slow jackknife."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import rocwalk as rw
from rocwalk.errors import InputError, OneClassError, OptionError
from rocwalk.inference.class_areas import AREAS, _recovered
from rocwalk.read.matrices import check_classes

RNG = np.random.default_rng(4)
Y = RNG.choice(list("abc"), 150, p=[0.5, 0.3, 0.2])
P, Q = (
    1 / (1 + np.exp(-RNG.normal(strength * (Y[:, None] == np.array(list("abc"))), 1)))
    for strength in (1.5, 1.0)
)
W = RNG.random(150) + 0.5
NAMES = ("hand_till", "provost_domingos")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("weight", [None, W])
def test_the_number_is_that_of_multiclass(name, weight):
    found = rw.interval(Y, P, statistic=name, sample_weight=weight)
    expected = getattr(rw.multiclass(Y, P, sample_weight=weight), name)
    assert found.estimate == pytest.approx(expected, rel=1e-12)
    assert found.low < found.estimate < found.high
    frame = pd.DataFrame(P, columns=list("abc"))[["c", "a", "b"]]
    again = rw.interval(Y, frame, statistic=name, sample_weight=weight)
    assert (again.low, again.high) == pytest.approx((found.low, found.high), rel=1e-12)


@pytest.mark.parametrize("call", [
    lambda: rw.interval(Y, P),
    lambda: rw.compare(Y, {"a": P, "b": Q}),
])  # fmt: skip
def test_a_matrix_without_a_class_is_told_how_to_name_one(call):
    with pytest.raises(InputError, match="2 dimensions") as caught:
        call()
    assert "take all columns with pos_label= or statistic='hand_till'" in str(caught.value)


@pytest.mark.parametrize("name", NAMES)
def test_errors_are_those_of_a_slow_jackknife(name):
    """Each item left out in turn; for Hand & Till with (n − 1)²/n within each class."""
    found, whole = rw.interval(Y, P, statistic=name), np.arange(150)
    left = np.array(
        [getattr(rw.multiclass(np.delete(Y, k), np.delete(P, k, 0)), name) for k in whole]
    )
    if name == "hand_till":
        parts = [left[c == Y] for c in "abc"]
        variance = sum((len(x) - 1) / len(x) * ((x - x.mean()) ** 2).sum() for x in parts)
    else:
        variance = 149 / 150 * ((left - left.mean()) ** 2).sum()
    assert found.standard_error == pytest.approx(math.sqrt(variance), rel=0.03)


def test_two_classes_are_the_area_of_delong():
    y = (Y == "a").astype(int)
    both = np.column_stack([1 - P[:, 0], P[:, 0]])
    found = rw.interval(y, both, statistic="hand_till")
    plain = rw.interval(y, P[:, 0], method="delong", scale="logit")
    assert found.estimate == pytest.approx(plain.estimate)
    assert found.standard_error == pytest.approx(plain.standard_error)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))


def test_one_class_against_the_rest():
    for label in "abc":
        own = P[:, "abc".index(label)]
        found = rw.interval(Y, P, pos_label=label)
        assert found.to_dict() == rw.interval(label == Y, own).to_dict()
    rate = rw.interval(Y, P, pos_label="b", statistic="sensitivity", fpr=0.2)
    assert rate.estimate == rw.roc(Y == "b", P[:, 1]).at(fpr=0.2).tpr
    with pytest.raises(OptionError, match="pos_label='d' is not a class of y_true"):
        rw.interval(Y, P, pos_label="d")


def test_differences_of_one_class_against_the_rest():
    for k, label in enumerate("abc"):
        found = rw.compare(Y, {"p": P, "q": Q}, pos_label=label, margin=0.05)
        own = rw.compare(label == Y, {"p": P[:, k], "q": Q[:, k]}, margin=0.05)
        assert found.to_dict() == own.to_dict()
        assert found.estimates["p"] == rw.interval(Y, P, pos_label=label).estimate
    weight, units = np.tile([1.0, 2.0, 0.0], 50), np.arange(150) // 3
    options = {"sample_weight": weight, "cluster": units, "statistic": "brier", "rng": 0}
    found, own = (
        rw.compare(y, models, n_resamples=50, **options, **more)
        for y, models, more in (
            (Y, {"p": P, "q": Q}, {"pos_label": "b"}),
            (Y == "b", {"p": P[:, 1], "q": Q[:, 1]}, {}),
        )
    )
    assert found.to_dict() == own.to_dict()
    with pytest.raises(OptionError, match="pos_label='d' is not a class of y_true"):
        rw.compare(Y, {"p": P, "q": Q}, pos_label="d")
    with pytest.raises(OptionError, match="invalid='drop' is not for matrices"):
        rw.compare(Y, {"p": P, "q": Q}, pos_label="b", invalid="drop")


@pytest.mark.parametrize("name", NAMES)
def test_differences(name):
    found = rw.compare(Y, {"p": P, "q": Q}, statistic=name, margin=0.05)
    pair = found.pairs[0]
    one, other = (rw.interval(Y, each, statistic=name) for each in (P, Q))
    assert pair.difference == pytest.approx(one.estimate - other.estimate)
    assert pair.low < pair.difference < pair.high
    assert np.sqrt(np.diag(found.covariance)) == pytest.approx(
        [one.standard_error, other.standard_error]
    )
    assert pair.equivalence_p_value is not None
    assert found.omnibus.df == 1
    same = rw.compare(Y, {"p": P, "q": 2 * P / 3}, statistic=name).pairs[0]
    assert (same.difference, same.p_value) == pytest.approx((0.0, 1.0))
    units = rw.compare(Y, {"p": P, "q": Q}, statistic=name, cluster=np.arange(150) // 3)
    assert units.pairs[0].df == 49
    assert rw.interval(Y, P, statistic=name, cluster=np.arange(150) // 3).low < one.estimate


def test_a_perfect_order_is_no_certainty():
    y = np.repeat([0, 1, 2], 5)
    found = rw.interval(y, np.eye(3)[y] * 0.8 + 0.1, statistic="hand_till")
    assert (found.estimate, found.high, found.method) == (1.0, 1.0, "newcombe")
    assert 0.4 < found.low < 0.8


@pytest.mark.parametrize("name", NAMES)
def test_few_items_have_the_limits_of_the_pairs_as_errors_add_up(name):
    """By a double sum over the areas, of two classes each, with Newcombe's limits of each.

    Their mean was taken before, as if all areas erred together; it was nearly twice as wide.
    """
    rng = np.random.default_rng(7)
    y = np.repeat([0, 1, 2], [12, 15, 20])
    p = 1 / (1 + np.exp(-rng.normal(2.5 * np.eye(3)[y])))
    found = rw.interval(y, p, statistic=name)
    if name == "hand_till":
        areas = [(i, np.flatnonzero((y == i) | (y == j)), 1 / 6)
                 for i in range(3) for j in range(3) if i != j]  # fmt: skip
    else:
        areas = [(i, np.arange(47), float(np.mean(y == i))) for i in range(3)]
    asked = [(y[rows] == i, p[rows, i]) for i, rows, _ in areas]
    delong = [rw.interval(*one, method="delong") for one in asked]
    errors = [w * (one.standard_error if one.method.startswith("delong") else 0.0)  # an area of 1 has none
              for one, (_, _, w) in zip(delong, areas, strict=True)]  # fmt: skip
    limits = [rw.interval(*one, method="newcombe") for one in asked]
    arms = [(w * (one.estimate - one.low), w * (one.high - one.estimate))
            for one, (_, _, w) in zip(limits, areas, strict=True)]  # fmt: skip

    def added(values, r):
        return sum(a * b * (1 if i == j else r)
                   for i, a in enumerate(values) for j, b in enumerate(values))  # fmt: skip

    least, most = added(errors, 0), added(errors, 1)
    r = min(max((found.standard_error**2 - least) / (most - least), 0), 1)
    low, high = (math.sqrt(added(side, r)) for side in zip(*arms, strict=True))
    assert found.method == "influence-newcombe"
    assert 0 <= r < 0.7
    recovered = _recovered(
        AREAS[name](check_classes(y, p)), 1.959963984540054, found.standard_error
    )
    assert recovered == pytest.approx((found.estimate - low, found.estimate + high), abs=1e-9)
    assert found.low <= recovered[0] < recovered[1] <= found.high
    assert found.high - found.low < 0.8 * sum(sum(side) for side in zip(*arms, strict=True))


def test_what_is_refused():
    with pytest.raises(InputError, match="several classes need a score for each"):
        rw.interval(Y, P[:, 0], statistic="hand_till")
    with pytest.raises(OptionError, match="method='bca' is not known"):
        rw.interval(Y, P, statistic="hand_till", method="bca")
    with pytest.raises(OneClassError, match="the class 'c' has one item"):
        rw.interval(["a", "a", "b", "b", "c"], P[:5], statistic="hand_till")
    with pytest.raises(OptionError, match="invalid='drop' is not for matrices"):
        rw.compare(Y, {"p": P, "q": Q}, statistic="hand_till", invalid="drop")
    with pytest.raises(InputError, match="fewer than two models"):
        rw.compare(Y, {"p": P}, statistic="hand_till")
