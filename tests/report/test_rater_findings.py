"""Findings on raters, against the functions of the library on the same votes."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import RocwalkWarning
from rocwalk.evaluate.question import Question
from rocwalk.evaluate.study import read_study
from rocwalk.report.rater_findings import RaterFindings, noted

READERS = ("ann", "bob", "eve")


def ballots(items=60):
    rng = np.random.default_rng(8)
    ill = rng.integers(0, 2, items)
    data = {
        name: np.where(rng.random(items) < skill, ill, 1 - ill).tolist()
        for name, skill in zip(READERS, (0.95, 0.85, 0.8), strict=True)
    }
    return data | {"p": np.round(0.5 * ill + 0.5 * rng.random(items), 3).tolist()}


def findings(data, **options):
    asked = Question(label=None, scores=("p",), raters=READERS, **options)
    return RaterFindings(read_study(data, asked), ["p"], 0.95)


def test_they_are_those_of_the_library():
    data = ballots()
    found, known = findings(data), rw.votes({name: data[name] for name in READERS})
    votes, notes = found.votes
    assert (votes.fleiss_kappa, votes.split_share) == (known.fleiss_kappa, known.split_share)
    assert notes == []
    assert found.held_items.all()
    table = rw.rater_table({name: data[name] for name in READERS}, {"p": data["p"]})
    assert found.table[0].to_dict() == table.to_dict()
    model = known.dawid_skene()
    np.testing.assert_allclose(found.model[0].truth, model.truth)
    by_measure = {one.measure: one for one in found.agreements}
    assert by_measure["fleiss"].estimate == pytest.approx(known.fleiss_kappa)


def test_effects_on_a_model_are_of_the_items_that_it_uses():
    data = ballots()
    data["p"][4] = None
    with pytest.warns(RocwalkWarning, match="1 of 60 rows was left out"):
        found = findings(data, invalid="drop")
    kept = np.arange(60) != 4
    np.testing.assert_array_equal(found.held_items, kept)
    less = {name: np.array(column)[kept].tolist() for name, column in data.items()}
    known = rw.rater_table({name: less[name] for name in READERS}, {"p": less["p"]})
    (effect,), (own,) = found.table[0].effects, known.effects
    np.testing.assert_allclose(effect.without, own.without)
    whole = rw.rater_table({name: data[name] for name in READERS})
    np.testing.assert_allclose(found.table[0].kappa, whole.kappa)


def test_without_votes_there_is_nothing():
    y = [1, 0, 1, 0]
    study = read_study({"y": y, "p": [0.9, 0.2, 0.4, 0.3]}, Question(label="y", scores=("p",)))
    found = RaterFindings(study, ["p"], 0.95)
    assert found.votes is None
    assert found.model is None
    assert found.table is None
    assert found.held_items is None
    assert found.agreements == []


def test_what_is_warned_of_is_noted_once():
    def work():
        for _ in range(2):
            rw.errors.warn(rw.errors.FitWarning("EM has not converged.", "raise max_iterations."))
        return 3

    assert noted(work) == (3, ["EM has not converged."])
