"""The flu-prognosis domain: its exact distribution, the paper's pattern, and the Naive Bayes."""

from __future__ import annotations

import pickle
from functools import cache

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.datasets import flu, flu_probabilities, naive_bayes
from rocwalk.errors import OptionError

DOMAINS = ("NGP", "DP", "FC")
# Klement, Japkowicz & Matwin (2009), Table 2, test samples: AUC, midpoint, struggle ratio.
PAPER = {"NGP": (0.800, 0.518, 0.486), "DP": (0.770, 0.338, 0.691), "FC": (0.803, 0.681, 0.351)}
# Ours, by enumeration.
OURS = {
    "NGP": (0.79693, 0.50036, 0.46448),
    "DP": (0.76990, 0.33821, 0.68824),
    "FC": (0.79847, 0.67930, 0.34792),
}


def measured(sample, scores, weight=None):
    found = rw.sensibility(sample.y, scores, sample_weight=weight)
    area = rw.metrics.roc_auc_score(sample.y, scores, sample_weight=weight)
    return area, found.midpoint, found.struggle_ratio


def by_attributes(every):
    """P(attributes) and P(Complication | attributes), over the 81 combinations."""
    pairs = every.probability.reshape(-1, 2)
    return pairs.sum(1), pairs[:, 1] / pairs.sum(1)


def share(every, name, category):
    return every.probability[every.columns[name] == category].sum()


@cache
def runs():
    """AUC, midpoint and struggle ratio of 200 models on their training sample and each domain."""
    rows = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        train = flu("NGP", 1000, rng)
        model = naive_bayes(train)
        samples = [train, *(flu(domain, 1000, rng) for domain in DOMAINS)]
        rows.append([measured(sample, model.predict(sample)) for sample in samples])
    return dict(zip(("train", *DOMAINS), np.array(rows).transpose(1, 2, 0), strict=True))


# -- the distribution ------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_joint_distribution_holds_every_combination_once(domain):
    every = flu_probabilities(domain)
    rows = set(zip(*every.columns.values(), every.labels, strict=True))
    assert len(rows) == len(every) == 3**4 * 2
    assert every.probability.sum() == pytest.approx(1, abs=1e-15)
    assert every.probability.min() > 0


def test_population_drift_changes_the_patients_and_not_their_risk():
    (here, risk), (there, risk_there) = map(by_attributes, map(flu_probabilities, ("NGP", "DP")))
    assert np.abs(here - there).sum() > 0.5
    np.testing.assert_allclose(risk_there, risk, rtol=1e-12)


def test_the_developing_population_is_younger_poorer_and_in_worse_health():
    here, there = flu_probabilities("NGP"), flu_probabilities("DP")
    for name, category in (
        ("age", "child"),
        ("social_position", "low"),
        ("general_health", "poor"),
    ):
        assert share(there, name, category) > share(here, name, category)


def test_fewer_complications_changes_the_risk_and_not_the_patients():
    (here, risk), (there, fewer) = map(by_attributes, map(flu_probabilities, ("NGP", "FC")))
    np.testing.assert_allclose(there, here, rtol=1e-12)
    assert (fewer < risk).all()


def test_a_large_sample_follows_the_distribution():
    every, sample = flu_probabilities("DP"), flu("DP", 200_000, rng=0)
    for name in every.columns:
        for category in np.unique(every.columns[name]):
            seen = (sample.columns[name] == category).mean()
            assert seen == pytest.approx(share(every, name, category), abs=0.006)
    assert sample.y.mean() == pytest.approx(every.probability @ every.y, abs=0.006)


def test_the_attributes_depend_on_each_other():
    every = flu_probabilities("NGP")
    old = every.columns["age"] == "elderly"
    poor = every.columns["general_health"] == "poor"
    severe = every.columns["flu_severity"] == "severe"
    mass = every.probability
    assert mass[old & poor].sum() > 1.2 * mass[old].sum() * mass[poor].sum()
    assert mass[severe & poor].sum() > 1.1 * mass[severe].sum() * mass[poor].sum()


# -- the pattern -----------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_pattern_by_enumeration(domain):
    model = naive_bayes(flu_probabilities("NGP"), smoothing=0)
    every = flu_probabilities(domain)
    found = measured(every, model.predict(every), every.probability)
    np.testing.assert_allclose(found, OURS[domain], atol=6e-6)
    assert (np.abs(np.subtract(found, PAPER[domain])) < (0.015, 0.02, 0.03)).all()


def test_the_pattern_at_a_thousand_patients():
    found = runs()
    (auc, midpoint, struggle), developing, fewer = (found[domain] for domain in DOMAINS)
    assert (developing[0] < auc).mean() > 0.85  # a small fall, near the noise of 1000 patients
    assert (developing[1] < midpoint).all()
    assert (developing[2] > struggle).all()
    assert (np.abs(fewer[0] - auc) < 0.05).mean() > 0.95
    assert (fewer[1] > midpoint).all()
    assert (fewer[2] < struggle).mean() > 0.95


def test_training_and_test_sample_are_alike():
    found = runs()
    np.testing.assert_allclose(found["train"].mean(1), found["NGP"].mean(1), atol=0.015)


# -- the samples -----------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_patients():
    one, same, other = flu("FC", 50, rng=3), flu("FC", 50, rng=3), flu("FC", 50, rng=4)
    assert one.to_dict() == same.to_dict() != other.to_dict()
    assert flu("FC", 50, np.random.default_rng(3)).to_dict() == one.to_dict()


def test_a_generator_moves_on():
    rng = np.random.default_rng(3)
    assert flu(n=50, rng=rng).to_dict() != flu(n=50, rng=rng).to_dict()


def test_complication_is_the_positive_class():
    sample = flu(n=200, rng=0)
    assert set(sample.labels) == {"NormalRemission", "Complication"}
    np.testing.assert_array_equal(sample.y == 1, sample.labels == "Complication")


def test_a_sample_can_be_stored():
    sample = flu(n=20, rng=0)
    assert pickle.loads(pickle.dumps(sample)).to_dict() == sample.to_dict()


def test_a_sample_says_what_it_is():
    sample = flu("DP", 30, rng=0)
    assert repr(sample) == f"FluSample(domain='DP', n=30, complications={sample.y.sum()})"
    with pytest.raises(ValueError, match="read-only"):
        sample.labels[0] = "Complication"


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames(library):
    sample = flu(n=20, rng=0)
    frame = sample.to_frame(library)
    names = getattr(frame, "column_names", None) or list(frame.columns)
    assert list(names) == [*sample.columns, "label"]
    assert frame.shape == (20, 5)
    assert flu_probabilities().to_frame(library).shape == (162, 6)
    assert naive_bayes(sample).to_frame(library).shape == (12, 3)


# -- the model -------------------------------------------------------------------------------------


@pytest.mark.parametrize("smoothing", [1.0, 0.25])
def test_naive_bayes_is_that_of_scikit_learn(smoothing):
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.preprocessing import OrdinalEncoder

    train, later = flu("NGP", 150, rng=5), flu("DP", 300, rng=6)
    known = np.column_stack(list(flu_probabilities().columns.values()))
    encoder = OrdinalEncoder().fit(known)
    table, other = (
        encoder.transform(np.column_stack(list(s.columns.values()))) for s in (train, later)
    )
    peer = CategoricalNB(alpha=smoothing, min_categories=3).fit(table, train.y)
    model = naive_bayes(train, smoothing=smoothing)
    np.testing.assert_allclose(model.predict(later), peer.predict_proba(other)[:, 1], rtol=1e-12)


def test_the_model_of_endless_data_is_near_that_of_many_patients():
    every = flu_probabilities("NGP")
    exact = naive_bayes(every, smoothing=0).predict(every)
    np.testing.assert_allclose(naive_bayes(flu(n=400_000, rng=0)).predict(every), exact, atol=0.01)


# -- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [flu, flu_probabilities])
@pytest.mark.parametrize(
    ("domain", "hint"),
    [
        ("NPG", "did you mean 'NGP'?"),
        ("x", "there are: 'NGP', 'DP', 'FC'"),
        (None, "there are:"),
        ([], "there are:"),
    ],
)
def test_unknown_domains(make, domain, hint):
    with pytest.raises(OptionError) as caught:
        make(domain)
    assert caught.value.what == f"domain={domain!r} is not known."
    assert caught.value.hint.startswith(hint)


@pytest.mark.parametrize("n", [0, -3, 2.5, float("inf"), float("nan"), "ten", True, None])
def test_numbers_of_patients_that_are_none(n):
    with pytest.raises(
        OptionError,
        match=r"is (not a number|not a whole number|smaller than 1)\.\nHint: pass (a whole|one) number",
    ):
        flu(n=n)


@pytest.mark.parametrize("smoothing", [-1, float("inf"), float("nan"), "one"])
def test_smoothing_that_is_refused(smoothing):
    with pytest.raises(
        OptionError, match=r"smoothing=.* is not a (finite )?number( of 0 or more)?\."
    ):
        naive_bayes(flu(n=100, rng=0), smoothing=smoothing)


def test_a_sample_too_small_to_learn_from():
    with pytest.raises(OptionError, match="lacks a class"):
        naive_bayes(flu(n=1, rng=0))
    with pytest.raises(OptionError, match="leave smoothing at 1"):
        naive_bayes(flu(n=10, rng=0), smoothing=0)
