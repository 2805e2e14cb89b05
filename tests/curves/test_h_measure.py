"""The H-measure, against its definition as an integral over the costs, by quadrature."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

import rocwalk as rw
from rocwalk.curves.h_measure import prior_of
from rocwalk.errors import OptionError


def by_quadrature(y, s, prior):
    """Hand (2009), eq. 1 to 5: the least loss at each cost c by trying every threshold."""
    y, s = np.asarray(y), np.asarray(s)
    share = y.mean()
    cuts = [-np.inf, *np.unique(s), np.inf]
    fpr, tpr = (np.array([np.mean(s[y == k] >= cut) for cut in cuts]) for k in (0, 1))
    weight = beta(*prior).pdf

    def best(c):
        return weight(c) * np.min(c * (1 - share) * fpr + (1 - c) * share * (1 - tpr))

    def trivial(c):
        return weight(c) * min(c * (1 - share), (1 - c) * share)

    grid = np.linspace(0, 1, 41)
    both = [
        sum(quad(loss, a, b)[0] for a, b in itertools.pairwise(grid)) for loss in (best, trivial)
    ]
    return 1 - both[0] / both[1]


@pytest.mark.parametrize("prior", ["hand2014", "hand2009", "r", (3.0, 1.5)])
def test_it_is_the_integral_over_the_costs(prior):
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [9, 21])
    s = np.round(rng.normal(1.0 * y), 1)
    known = by_quadrature(y, s, prior_of(prior, y.mean()))
    assert rw.roc(y, s).h_measure(prior=prior) == pytest.approx(known, abs=1e-5)


def test_it_is_1_for_a_perfect_order_and_0_for_one_score():
    assert rw.roc([0, 0, 1], [0.1, 0.2, 0.3]).h_measure() == pytest.approx(1)
    assert rw.roc([0, 1, 1], [0.5, 0.5, 0.5]).h_measure() == 0


@pytest.mark.parametrize(
    ("prior", "words"),
    [
        ("hand", "prior='hand' is not known"),
        ((1.0,), "is neither a name nor a pair of numbers"),
        ((0.0, 1.0), "is not a beta distribution"),
    ],
)
def test_a_prior_that_is_none(prior, words):
    with pytest.raises(OptionError, match=words):
        prior_of(prior, 0.3)
