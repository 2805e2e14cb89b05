"""Questions: which columns are read as what, and which do not go together."""

from __future__ import annotations

import pytest

from rocwalk.errors import OptionError
from rocwalk.evaluate.question import PLAIN_VOTES, Question
from rocwalk.read.frames import GROUP, LABEL, NUMBER
from rocwalk.read.scales import VoteRule

CUT = VoteRule(cut=3)


def test_each_column_has_the_role_that_it_is_named_for():
    asked = Question(
        label="y",
        scores=("a", "b"),
        weight="w",
        fold="f",
        cluster="patient",
        time="day",
        by=("sex", "site"),
    )
    assert asked.roles() == {
        "y": LABEL,
        **dict.fromkeys(("a", "b", "w"), NUMBER),
        **dict.fromkeys(("f", "patient", "day", "sex", "site"), GROUP),
    }


def test_raters_are_labels_and_a_group_that_is_a_score_is_read_as_numbers():
    asked = Question(label=None, scores=("p",), raters=("ann", "bob"), by=("p",))
    assert asked.roles() == {"p": NUMBER, "ann": LABEL, "bob": LABEL}
    assert asked.has_votes
    assert not Question(label="y", scores=("p",)).has_votes


def test_scores_of_classes_are_numbers():
    asked = Question(label="y", class_scores={"cat": "p_cat", "dog": "p_dog"})
    assert asked.roles() == {"y": LABEL, "p_cat": NUMBER, "p_dog": NUMBER}


def test_votes_that_have_become_a_column_leave_a_question_of_labels():
    asked = Question(label=None, scores=("p",), raters=("ann", "bob"), votes=CUT, positive="1")
    after = asked.with_label("truth")
    assert after == Question(label="truth", scores=("p",), votes=PLAIN_VOTES)
    assert asked.raters == ("ann", "bob")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"label": "y"}, "Either columns of scores or a column for each class"),
        (
            {"label": "y", "scores": ("p",), "class_scores": {"a": "q"}},
            "Either columns of scores or a column for each class",
        ),
        (
            {"label": "y", "class_scores": {"a": "q"}, "fold": "f"},
            "Subgroups and folds do not go together with several classes",
        ),
        ({"label": "y", "scores": ("p",), "votes": CUT}, "cut is of votes, and there are none"),
        (
            {"label": None, "raters": ("r",), "class_scores": {"a": "q"}, "votes": CUT},
            "cut does not go together with several classes",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(asked, words):
    with pytest.raises(OptionError, match=words):
        Question(**asked)
