"""The question that a command or a report asks: which columns mean what, and how votes are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rocwalk.errors import Argument, OptionError
from rocwalk.read.frames import GROUP, LABEL, NUMBER, Name
from rocwalk.read.long_votes import LongVotes, rater_columns
from rocwalk.read.scales import VoteRule
from rocwalk.read.tallies import check_labels
from rocwalk.typing import Invalid

PLAIN_VOTES = VoteRule()


@dataclass(frozen=True, kw_only=True)
class Question:
    """Which columns mean what; the same for every command.

    `positive` is the positive label as a user writes it in text; `class_scores` maps the label of
    a class to its column of scores, for several classes. Votes stand in columns of `raters`, or one
    a row, `long`; `votes` says what they mean.
    """

    label: Name | None
    scores: tuple[Name, ...] = ()
    raters: tuple[Name, ...] = ()
    long: LongVotes | None = None
    votes: VoteRule = PLAIN_VOTES
    weight: Name | None = None
    fold: Name | None = None
    cluster: Name | None = None
    time: Name | None = None
    by: tuple[Name, ...] = ()
    class_scores: Mapping[Any, Name] | None = None
    positive: str | None = None
    pos_label: Any = None
    invalid: Invalid = "raise"

    def __post_init__(self) -> None:
        check_labels(self.label, self.raters or rater_columns(self.long))
        self._check_votes()
        if bool(self.scores) == bool(self.class_scores):
            raise OptionError(
                "Either columns of scores or a column for each class are needed.",
                ("give ", Argument("score"), " once or more, or ", Argument("class_scores"), "."),
            )

        if self.class_scores and (self.by or self.fold is not None):
            raise OptionError(
                "Subgroups and folds do not go together with several classes.",
                ("leave ", Argument("by"), " and ", Argument("fold"), " out."),
            )

    def _check_votes(self) -> None:
        """Raise for columns and rules of votes that do not go together."""
        if self.raters and self.long is not None:
            raise OptionError(
                (Argument("raters"), " and ", Argument("rater"), " do not go together."),
                "votes stand in one column for each rater, or one a row.",
            )
        told: dict[str, Any] = {"cut": self.votes.cut, "scale": self.votes.scale}
        told |= {"rater_weight": self.votes.rater_weight}
        for name, value in told.items():
            if value is not None and not self.has_votes:
                raise OptionError(
                    "is of votes, and there are none.",
                    (
                        "name columns of votes with ",
                        Argument("raters"),
                        " or ",
                        Argument("vote"),
                        ".",
                    ),
                    argument=name,
                )
            if value is not None and self.class_scores and name != "rater_weight":
                raise OptionError(
                    "does not go together with several classes.",
                    "with a column of scores for each class, votes are the classes.",
                    argument=name,
                )
        for column in rater_columns(self.long):
            if column in self.scores or column in (self.class_scores or {}).values():
                raise OptionError(
                    f"names {column!r}, who voted or how, which is not a score.",
                    "name the columns of scores, which belong to the items.",
                    argument="score",
                )

    @property
    def has_votes(self) -> bool:
        """Whether the truth is made of votes."""
        return bool(self.raters) or self.long is not None

    def with_label(self, label: Name) -> Question:
        """Return the same question after votes have become a column of truth."""
        return replace(
            self,
            label=label,
            raters=(),
            long=None,
            votes=PLAIN_VOTES,
            pos_label=None,
            positive=None,
        )

    def roles(self) -> dict[Name, str]:
        """Say what each column is for; one that is also a group is read as the other."""
        numbers = [*self.scores, *(self.class_scores or {}).values()]
        numbers += [] if self.weight is None else [self.weight]
        groups = [
            *self.by,
            *(name for name in (self.fold, self.cluster, self.time) if name is not None),
        ]
        if self.long is not None:
            labels = self.long.roles
        else:
            labels = dict.fromkeys(self.raters or (self.label,), LABEL)
        return dict.fromkeys(groups, GROUP) | labels | dict.fromkeys(numbers, NUMBER)
