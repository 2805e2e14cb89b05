"""Clean votes: truth, counts by value, some of the items."""

from __future__ import annotations

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.read.ballots import Ballot
from rocwalk.read.scales import VoteRule
from rocwalk.read.votes import read_ballot

VOTES = {"ann": [1, 0, 1, None], "bob": [1, 1, None, 0], "cid": [0, 1, None, 0]}
RATINGS = {"ann": [1, 5, 3], "bob": [2, 4, 3]}


def of(columns, **rule):
    return read_ballot(columns, rule=VoteRule(**rule))


def test_truth_is_the_share_of_positive_votes():
    ballot = of(VOTES)
    assert ballot.positives.tolist() == [2, 2, 1, 0]
    assert ballot.totals.tolist() == [3, 3, 1, 2]
    assert ballot.truth == pytest.approx([2 / 3, 2 / 3, 1, 0])
    assert ballot.words == ""


def test_counts_of_hard_votes_have_two_columns():
    assert of(VOTES).counts.tolist() == [[1, 2], [1, 2], [0, 1], [2, 0]]


def test_counts_of_ratings_have_a_column_for_each_value():
    ballot = of(RATINGS, scale=(1, 5))
    assert ballot.scale.is_graded
    assert ballot.truth == pytest.approx([0.125, 0.875, 0.5])
    assert ballot.counts.shape == (3, len(ballot.scale.values))
    worth = ballot.counts @ np.array(ballot.scale.worth)
    assert worth / ballot.totals == pytest.approx(ballot.truth)


def test_weights_of_raters_change_the_truth_and_not_the_counts():
    ballot = of(VOTES, rater_weight={"cid": 3})
    assert ballot.truth == pytest.approx([2 / 5, 4 / 5, 1, 0])
    assert ballot.counts.tolist() == of(VOTES).counts.tolist()
    assert ballot.words == "The raters have different weights in the truth."


@pytest.mark.parametrize("rule", [{}, {"rater_weight": {"cid": 3}}])
def test_some_of_the_items_are_those_of_their_votes(rule):
    whole, which = of(VOTES, **rule), np.array([False, True, False, True])
    part = whole.taken(which)
    columns = {name: [votes[1], votes[3]] for name, votes in VOTES.items()}
    again = of(columns, **rule)
    assert part.items.tolist() == [1, 3]
    assert part.truth.tolist() == again.truth.tolist()
    assert part.counts.tolist() == again.counts.tolist()
    assert part.signed.raters == whole.signed.raters
    for name in ("item", "rater", "vote"):
        assert getattr(part.signed, name).tolist() == getattr(again.signed, name).tolist()


def test_counts_alone_have_no_raters():
    ballot = read_ballot(
        {"up": [2, 0], "all": [3, 2]}, positives="up", totals="all", rule=VoteRule()
    )
    assert ballot.signed is None
    assert ballot.counts.tolist() == [[1, 2], [2, 0]]
    assert ballot.taken(np.array([False, True])).truth.tolist() == [0.0]


def test_a_ballot_cannot_be_changed():
    ballot = of(VOTES, rater_weight={"cid": 3})
    for array in (ballot.positives, ballot.totals, ballot.weighted, ballot.signed.vote):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    given = np.array([1, 2])
    Ballot(items=given, positives=given, totals=given, signed=None)
    given[0] = 5  # the caller's own array stays writable


def test_votes_of_the_library_hold_the_same_ballot():
    assert rw.votes(VOTES).truth.tolist() == of(VOTES).truth.tolist()
