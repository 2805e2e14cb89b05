"""Dawid and Skene's model of raters."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import ROOT
from rocwalk.errors import (
    FitWarning,
    InputError,
    OptionError,
    UndefinedMetricWarning,
)
from rocwalk.truth.votes import (
    votes,
    votes_to_truth,
)

TABLE = [[1, 0, None], [0, None, 0], [None, 1, 1], [1, 1, 0], [0, 0, 1]]
CROWD_KIT = json.loads((ROOT / "tests" / "peers" / "crowd_kit.json").read_text(encoding="utf-8"))
small_sample = pytest.mark.filterwarnings(
    "ignore::rocwalk.errors.UndefinedMetricWarning", "ignore::rocwalk.errors.FitWarning"
)
few_votes = pytest.mark.filterwarnings(r"ignore:.*weakly identified:rocwalk.errors.FitWarning")
COUNTS = {"positives": "yes", "totals": "of"}


# -- agreement -----------------------------------------------------------------------------------


@st.composite
def ballots(draw, min_raters=1, max_raters=6, max_items=12):
    """Tables of votes in which every item has a vote."""
    k, n = draw(st.integers(min_raters, max_raters)), draw(st.integers(1, max_items))
    vote = st.sampled_from([0, 1, 1, 0, None])
    table = draw(st.lists(st.lists(vote, min_size=k, max_size=k), min_size=n, max_size=n))
    return [row if any(v is not None for v in row) else [1, *row[1:]] for row in table]


# -- Dawid and Skene -----------------------------------------------------------------------------


def slow_em(table, iterations, priors=((1, 1), (1, 1))):
    """Dawid and Skene item by item with plain products, for votes where nothing is 0 or missing."""
    (a, b), (c, d) = priors
    n_raters = len(table[0])
    cast = [[(j, v) for j, v in enumerate(row) if v is not None] for row in table]
    truth = [sum(v for _, v in row) / len(row) for row in cast]
    for _ in range(iterations):
        prevalence = sum(truth) / len(truth)
        rates = []
        for j in range(n_raters):
            mine = [(t, dict(row)[j]) for t, row in zip(truth, cast, strict=True) if j in dict(row)]
            hit, seen = sum(t * v for t, v in mine), sum(t for t, _ in mine)
            calm, rest = sum((1 - t) * (1 - v) for t, v in mine), sum(1 - t for t, _ in mine)
            rates.append(((hit + a - 1) / (seen + a + b - 2), (calm + c - 1) / (rest + c + d - 2)))
        truth, height = [], 0.0
        for row in cast:
            up = prevalence * math.prod(rates[j][0] if v else 1 - rates[j][0] for j, v in row)
            right = (1 - prevalence) * math.prod(
                1 - rates[j][1] if v else rates[j][1] for j, v in row
            )
            truth.append(up / (up + right))
            height += math.log(up + right)
    return truth, prevalence, np.array(rates).T, height


def simulated(rng, n_items=60, n_raters=5, gaps=0.2, skill=(0.6, 0.95)):
    positive = rng.random(n_items) < 0.4
    rates = rng.uniform(*skill, (2, n_raters))
    chance = np.where(positive[:, None], rates[0], 1 - rates[1])
    table = (rng.random(chance.shape) < chance).astype(object)
    table[rng.random(chance.shape) < gaps] = None
    return [[None if v is None else int(v) for v in row] for row in table if not all(v is None for v in row)]  # fmt: skip


PRIORS = [
    (None, ((1, 1), (1, 1))),
    ((1.5, 1.5), ((1.5, 1.5), (1.5, 1.5))),
    ({"sensitivity": (4, 2), "specificity": (9, 3)}, ((4, 2), (9, 3))),
    ({"specificity": (2, 1)}, ((1, 1), (2, 1))),
]


@few_votes
@pytest.mark.parametrize(("prior", "priors"), PRIORS)
@pytest.mark.parametrize("iterations", [1, 2, 9])
@pytest.mark.filterwarnings("ignore:EM has not converged")
def test_em_by_another_way(rng, iterations, prior, priors):
    table = simulated(rng)
    model = votes(table).dawid_skene(max_iterations=iterations, tolerance=0, prior=prior)
    truth, prevalence, (sensitivity, specificity), height = slow_em(table, iterations, priors)
    np.testing.assert_allclose(model.truth, truth, atol=1e-10)
    np.testing.assert_allclose(model.sensitivity, sensitivity, atol=1e-10)
    np.testing.assert_allclose(model.specificity, specificity, atol=1e-10)
    assert model.prevalence == pytest.approx(prevalence, abs=1e-12)
    extra = 0.0
    for rates, (p, q) in zip((sensitivity, specificity), priors, strict=True):
        extra += float(((p - 1) * np.log(rates) + (q - 1) * np.log(1 - rates)).sum())
    assert model.log_likelihood[-1] == pytest.approx(height + extra, rel=1e-12)
    assert len(model.log_likelihood) == iterations


@few_votes
@pytest.mark.parametrize("name", CROWD_KIT["studies"])
def test_a_flat_prior_is_maximum_likelihood(name):
    table = votes(crowd_kit_votes(name))
    plain, flat = table.dawid_skene(), table.dawid_skene(prior=(1, 1))
    np.testing.assert_array_equal(flat.truth, plain.truth)
    assert "maximum likelihood" in plain.sentence
    assert "Beta(1, 1) priors" in flat.sentence


@pytest.mark.parametrize("name", CROWD_KIT["studies"])
def test_a_prior_counts_as_votes_on_items_of_which_nobody_doubts_the_class(name):
    # maximum likelihood on the votes and imagined ones, with a truth that is known for these
    study = votes(crowd_kit_votes(name))
    model = study.dawid_skene(prior=(4, 2), tolerance=1e-14, max_iterations=5000)
    signed = study.ballot.signed
    for j in range(len(model.raters)):
        own = signed.rater == j
        t, v = model.truth[signed.item[own]], signed.vote[own]
        assert model.sensitivity[j] == pytest.approx(((t * v).sum() + 3) / (t.sum() + 4), abs=1e-5)
        known = (((1 - t) * (1 - v)).sum() + 3) / ((1 - t).sum() + 4)
        assert model.specificity[j] == pytest.approx(known, abs=1e-5)


def crowd_kit_votes(name):
    rows = CROWD_KIT["studies"][name]["votes"]
    return [[None if v == "-" else int(v) for v in row] for row in rows]


def few_votes_each(rng, n_raters=300, per_rater=8, per_item=5):
    """Return rows of one vote each: hundreds of raters with eight votes each."""
    n_items = n_raters * per_rater // per_item
    positive = rng.random(n_items) < 0.35
    rates = rng.beta(8, 2, (2, n_raters))
    item = np.repeat(np.arange(n_items), per_item)
    rater = rng.permutation(np.repeat(np.arange(n_raters), per_rater))
    item, rater = np.unique(np.column_stack([item, rater]), axis=0).T
    chance = np.where(positive[item], rates[0][rater], 1 - rates[1][rater])
    rows = {"item": item, "rater": rater, "vote": (rng.random(len(item)) < chance).astype(int)}
    return rows, rates, positive


def test_hundreds_of_raters_with_eight_votes_each(rng):
    rows, rates, positive = few_votes_each(rng)
    study = votes(rows, item="item", rater="rater", vote="vote")
    with pytest.warns(
        FitWarning, match=r"of 300 raters have a rate from fewer than 5 votes"
    ) as given:
        plain = study.dawid_skene()
    assert "(all reach from 0.000 to 1.000) are weakly identified" in str(given[0].message)
    assert "prior=(4, 2)" in str(given[0].message)
    assert len(plain.weakly_identified) > 200
    held = study.dawid_skene(prior=(4, 2))  # no warning
    assert "(Dawid-Skene, Beta(4, 2) priors, converged" in held.sentence
    assert held.sensitivity.min() > 0
    assert max(held.sensitivity.max(), held.specificity.max()) < 1
    order, items = np.array(study.raters), study.items.astype(int)
    off = [np.nanmean((each.sensitivity - rates[0][order]) ** 2) for each in (plain, held)]
    assert off[1] < off[0] / 2
    brier = [np.mean((each.truth - positive[items]) ** 2) for each in (plain, held)]
    assert brier[1] < brier[0]


def test_enough_votes_are_no_weak_identification(rng):
    model = votes(simulated(rng, n_items=300)).dawid_skene()
    assert model.weakly_identified == ()
    few = votes([[1, 1, 1]] * 20 + [[0, 0, 0]] * 19)
    with pytest.warns(FitWarning, match="3 of 3 raters have a rate from fewer than 5 votes"):
        few.dawid_skene()
    assert votes([[1, 1, 1]] * 20 + [[0, 0, 0]] * 20).dawid_skene().weakly_identified == ()
    one = votes([[1, 1, 1, 1]] * 20 + [[0, 0, 0, 0]] * 19 + [[0, 0, 0, None]])
    with pytest.warns(
        FitWarning, match="1 of 4 raters has a rate from fewer than 5 votes"
    ) as given:
        assert one.dawid_skene().weakly_identified == (3,)
    assert len(given) == 1


@few_votes
@pytest.mark.parametrize("name", CROWD_KIT["studies"])
def test_crowd_kits_result(name):
    study = CROWD_KIT["studies"][name]
    model = votes(crowd_kit_votes(name)).dawid_skene(tolerance=1e-15, max_iterations=10_000)
    assert model.converged
    for what in ("truth", "sensitivity", "specificity", "prevalence"):
        np.testing.assert_allclose(getattr(model, what), study[what], atol=1e-5, err_msg=what)


@small_sample
@given(ballots(), st.sampled_from([None, (1.1, 1.1), (4, 2), (1, 3)]))
def test_the_likelihood_never_falls(table, prior):
    model = votes(table).dawid_skene(max_iterations=200, prior=prior)
    climb = model.log_likelihood
    assert np.isfinite(climb).all()
    assert (np.diff(climb) >= -1e-9 * np.abs(climb[1:])).all()
    assert ((model.truth >= 0) & (model.truth <= 1)).all()
    assert 0 <= model.prevalence <= 1
    for rates in (model.sensitivity, model.specificity):
        assert (np.isnan(rates) | ((rates >= 0) & (rates <= 1))).all()


@small_sample
@given(ballots(), st.randoms(use_true_random=False))
def test_the_order_of_items_and_raters_changes_nothing(table, random):
    order, places = list(range(len(table))), list(range(len(table[0])))
    random.shuffle(order)
    random.shuffle(places)
    plain = votes(table).dawid_skene(max_iterations=20, tolerance=0)
    turned = votes([[table[i][k] for k in places] for i in order])
    other = turned.dawid_skene(max_iterations=20, tolerance=0)
    n = min(len(plain.log_likelihood), len(other.log_likelihood))  # the last bits may end it sooner
    np.testing.assert_allclose(
        other.log_likelihood[:n], plain.log_likelihood[:n], rtol=1e-9, atol=1e-9
    )


@small_sample
@given(ballots())
def test_turning_all_votes_round_turns_the_model_round(table):
    turned = [[None if v is None else 1 - v for v in row] for row in table]
    plain = votes(table).dawid_skene(max_iterations=10, tolerance=0)
    other = votes(turned).dawid_skene(max_iterations=10, tolerance=0)
    if len(plain.log_likelihood) == len(other.log_likelihood):
        np.testing.assert_allclose(other.truth, 1 - plain.truth, atol=1e-7)
        np.testing.assert_allclose(other.sensitivity, plain.specificity, atol=1e-7)


def test_the_model_finds_the_raters_rates():
    rng = np.random.default_rng(7)
    positive = rng.random(20_000) < 0.3
    rates = np.array([[0.9, 0.7, 0.8, 0.6], [0.8, 0.95, 0.7, 0.9]])
    table = rng.random((20_000, 4)) < np.where(positive[:, None], rates[0], 1 - rates[1])
    model = votes(table).dawid_skene()
    assert model.converged
    np.testing.assert_allclose(model.sensitivity, rates[0], atol=0.02)
    np.testing.assert_allclose(model.specificity, rates[1], atol=0.02)
    assert model.prevalence == pytest.approx(0.3, abs=0.02)
    brier = np.mean((model.truth - positive) ** 2)
    assert brier < np.mean((table.mean(axis=1) - positive) ** 2)


@few_votes
def test_many_votes_on_an_item_do_not_underflow():
    rng = np.random.default_rng(3)
    positive = rng.random(4) < 0.5
    positive[:2] = True, False
    table = rng.random((4, 3000)) < np.where(positive[:, None], 0.7, 0.3)
    model = votes(table).dawid_skene()
    assert model.truth.tolist() == positive.astype(float).tolist()
    assert np.isfinite(model.log_likelihood).all()


@small_sample
def test_all_votes_alike():
    model = votes([[1, 1, 1], [1, 1, None]]).dawid_skene()
    assert model.truth.tolist() == [1, 1]
    assert model.prevalence == 1
    assert model.sensitivity.tolist() == [1, 1, 1]
    assert np.isnan(model.specificity).all()
    assert model.log_likelihood.tolist() == [0, 0]
    assert model.converged
    assert "specificity undefined" in model.sentence


@few_votes
def test_one_rater_is_believed_with_a_warning():
    with pytest.warns(UndefinedMetricWarning):
        single = votes([[1], [0], [0]])
    with pytest.warns(FitWarning, match="No item has three votes"):
        model = single.dawid_skene()
    assert model.truth.tolist() == [1, 0, 0]
    assert (model.sensitivity.tolist(), model.specificity.tolist()) == ([1], [1])


@few_votes
def test_a_rater_without_votes_has_no_rates():
    table = [[1, 1, 1, None], [1, 1, 0, None], [0, 0, 0, None], [0, 1, 0, None]]
    for prior in (None, (2, 2)):
        model = votes(table).dawid_skene(prior=prior)
        assert model.votes.tolist() == [4, 4, 4, 0]
        assert np.isnan([model.sensitivity[3], model.specificity[3]]).all()
        without = votes([row[:3] for row in table]).dawid_skene(prior=prior)
        assert model.truth.tolist() == without.truth.tolist()
        assert model.log_likelihood.tolist() == without.log_likelihood.tolist()


@few_votes
def test_a_rater_without_votes_on_one_class():
    # the last rater voted on negative items only, and items of either class are beyond doubt
    table = [[1, 1, 1, None]] * 3 + [[0, 0, 0, 0]] * 2 + [[0, 0, 0, 1]]
    model = votes(table).dawid_skene()
    assert math.isnan(model.sensitivity[3])
    assert model.specificity[3] == pytest.approx(2 / 3)


@few_votes
def test_a_prior_keeps_rates_off_the_ends():
    table = [[1, 1, 1]] * 3 + [[0, 0, 0]] * 3
    assert votes(table).dawid_skene().sensitivity.tolist() == [1, 1, 1]
    smooth = votes(table).dawid_skene(prior=(2, 2))
    assert (smooth.sensitivity < 1).all()
    assert ((smooth.truth > 0) & (smooth.truth < 1)).all()


@few_votes
def test_nothing_is_flipped_and_the_sentence_says_so():
    # eleven of twelve raters err on purpose; the votes alone cannot know
    table = [[0] * 11 + [1]] * 4 + [[1] * 11 + [0]] * 4
    model = votes(table).dawid_skene()
    assert model.truth.tolist() == [0] * 4 + [1] * 4
    assert "worse than chance" not in model.sentence
    assert model.sensitivity[-1] == pytest.approx(0, abs=1e-12)
    # three raters are right of twenty items, ten more are wrong of two items each
    wrong = np.full((10, 10), np.nan)
    wrong[np.diag_indices(10)] = 0
    right = np.column_stack([np.ones((10, 3)), wrong])
    model = votes(np.concatenate([right, 1 - right])).dawid_skene()
    np.testing.assert_allclose(model.truth, [1] * 10 + [0] * 10, atol=1e-9)
    assert model.sentence.endswith("On average the raters are worse than chance.")


def test_em_that_has_not_converged_says_so(rng):
    result = votes(simulated(rng))
    with pytest.warns(FitWarning, match="EM has not converged after 2 iterations"):
        model = result.dawid_skene(max_iterations=2)
    assert not model.converged
    assert "had not converged after 2 iterations" in model.sentence


def test_options_of_the_model():
    result = votes(TABLE)
    for bad, words in (
        (0, "smaller than 1"),
        (-1, "smaller than 1"),
        (2.5, "not a whole number"),
        ("many", "not a number"),
        (None, "not a number"),
    ):
        with pytest.raises(OptionError, match=f"max_iterations={bad!r} is {words}"):
            result.dawid_skene(max_iterations=bad)
    for bad in (-1, math.inf):
        with pytest.raises(OptionError, match="tolerance=.* is not finite and at least 0"):
            result.dawid_skene(tolerance=bad)
    with pytest.raises(OptionError, match="tolerance='x' is not a number"):
        result.dawid_skene(tolerance="x")
    for bad, words in (
        (2, "is not two numbers"),
        ("ab", "is not two numbers"),
        ((1, 2, 3), "is not two numbers"),
        ((0.5, 2), "has a number below 1 or no finite one"),
        ((2, math.inf), "has a number below 1 or no finite one"),
        (("x", 2), "is not a number"),
        ({"recall": (2, 2)}, "has 'recall'"),
        ({}, "is empty"),
        ({"sensitivity": 3}, "is not two numbers"),
    ):
        with pytest.raises(OptionError, match=words):
            result.dawid_skene(prior=bad)
    counts = {"yes": [1, 2], "of": [2, 3]}
    with pytest.raises(InputError, match="needs to know who voted, which counts do not contain"):
        votes(counts, **COUNTS).dawid_skene()
    with pytest.raises(InputError, match="needs to know who voted, which counts do not contain"):
        votes_to_truth(counts, **COUNTS, method="dawid-skene")
