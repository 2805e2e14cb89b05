"""A table of one vote a row beside scores: one row for each item, and the votes on it.

The scores stand in the same table, where they are the same in all rows of an item, or in a table of
their own with one row an item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import (
    Argument,
    ColumnError,
    DroppedRowsWarning,
    LabelError,
    Option,
    OptionError,
    warn,
)
from rocwalk.read.ballots import Ballot
from rocwalk.read.frames import GROUP, LABEL, Name, Opened, Table, read_table
from rocwalk.read.labels import missing_labels, plain
from rocwalk.read.scales import VoteRule
from rocwalk.read.votes import (
    Categories,
    ballot_of_rows,
    no_vote,
    numbered,
    read_categories,
    truth_beside,
)
from rocwalk.texts import shown
from rocwalk.typing import AnyArray, BoolArray, IntArray

_COLUMNS = (Argument("item"), ", ", Argument("rater"), " and ", Argument("vote"))


@dataclass(frozen=True, kw_only=True)
class LongVotes:
    """The columns of a table of one vote a row; `data` are the votes where scores stand apart."""

    item: Name
    rater: Name
    vote: Name
    data: Any = None

    @property
    def roles(self) -> dict[Name, str]:
        """Say what the columns beside the scores are for."""
        named = {self.item: GROUP}
        return named if self.data is not None else named | self.vote_roles

    @property
    def vote_roles(self) -> dict[Name, str]:
        """Say what the columns of the votes are for."""
        return {self.item: GROUP, self.rater: GROUP, self.vote: LABEL}


def long_votes(
    item: Name | None, rater: Name | None, vote: Name | None, data: Any = None
) -> LongVotes | None:
    """Return the columns of a table of one vote a row, or None if there is none."""
    named = {"item": item, "rater": rater, "vote": vote}
    given = [name for name, column in named.items() if column is not None]
    if not given:
        if data is not None:
            raise OptionError(
                "is a table of one vote a row, of which no column is named.",
                ("name ", *_COLUMNS, "."),
                argument="votes",
            )
        return None
    for name, column in named.items():
        if column is None:
            raise OptionError(
                ("is missing beside ", Argument(given[0]), "."),
                ("name ", *_COLUMNS, ", the columns of a table of one vote a row."),
                argument=name,
            )
    if len({item, rater, vote}) < len(named):
        again = sorted({str(one) for one in named.values()})
        raise OptionError(
            (*_COLUMNS, f" name {shown(again)}, fewer than three columns."),
            "each of them is a column of its own.",
        )
    return LongVotes(item=item, rater=rater, vote=vote, data=data)


def votes_table(data: Any, known: LongVotes) -> Table:
    """Read the votes of a table of their own."""
    return read_table(data, known.vote_roles)


def digests_of(data: Any) -> tuple[tuple[str, str], ...]:
    """Return the names and hashes of files, none of data in memory."""
    return data.digests() if isinstance(data, Opened) else ()


def by_item(
    table: Table, votes: Table | None, known: LongVotes, rule: VoteRule, invalid: str
) -> tuple[Table, Ballot]:
    """Return one row for each item with its truth and its number of votes, and the votes.

    The items of the ballot are the numbers of these rows. With invalid="drop" the truth of an item
    without a vote is NaN, for whoever drops rows next.
    """
    table, votes = _items_and_votes(table, votes, known, invalid)
    ballot = ballot_of_rows(votes, known.item, known.rater, known.vote, rule, invalid)
    rows = _rows_of_items(table, known, ballot.items, invalid)
    ballot = replace(ballot, items=rows)
    return truth_beside(table, ballot), ballot


def categories_by_item(
    table: Table, votes: Table | None, known: LongVotes, invalid: str
) -> tuple[Table, Categories]:
    """Return one row for each item, and the votes of any categories on these rows."""
    table, votes = _items_and_votes(table, votes, known, invalid)
    found = read_categories(
        votes, item=known.item, rater=known.rater, vote=known.vote, invalid=invalid
    )
    return table, replace(found, items=_rows_of_items(table, known, found.items, invalid))


def _items_and_votes(
    table: Table, votes: Table | None, known: LongVotes, invalid: str
) -> tuple[Table, Table]:
    """Return a table of one row an item, and the votes on these items."""
    names, number = numbered(table, known.item)
    if votes is not None:
        _refuse_again(table, known.item, number)
        return table, _votes_on(votes, known, names, invalid)
    first = np.full(len(names), -1)
    named = np.flatnonzero(number >= 0)[::-1]
    first[number[named]] = named  # the last to be written is the first to appear
    own = [name for name in table.columns if name not in (known.item, known.rater, known.vote)]
    for column in own:
        _refuse_unlike(table, column, (names, number, first))
    return table.taken(first), table


def _rows_of_items(table: Table, known: LongVotes, items: AnyArray, invalid: str) -> IntArray:
    """Return the row of each item with a vote; raise if a row has none, unless it is dropped."""
    column = table[known.item].tolist()
    rows = {one: row for row, one in enumerate(column)}
    found = np.array([rows[one] for one in items.tolist()], dtype=np.int64)
    if invalid != "drop" and len(found) < len(column):
        row = int(np.setdiff1d(np.arange(len(column)), found)[0])
        raise no_vote(table, known.item, row)
    return found


def _refuse_unlike(table: Table, column: Name, items: tuple[AnyArray, IntArray, IntArray]) -> None:
    """Raise if a column differs between the rows of one item."""
    names, number, first = items
    rows = np.flatnonzero(number >= 0)
    values = table[column]
    base = first[number[rows]]
    lost = missing_labels(values)
    unlike = np.asarray(values[rows] != values[base], dtype=bool)
    unlike &= ~(lost[rows] & lost[base])
    if not unlike.any():
        return
    row = int(rows[unlike.argmax()])
    start = int(first[number[row]])
    raise ColumnError(
        (
            f"is {plain(values[start])!r} at ",
            table.place(start),
            f" and {plain(values[row])!r} at ",
            table.place(row),
            f", which are both of item {plain(names[number[row]])!r}.",
        ),
        (
            "in a table of one vote a row, all but the rater and the vote belong to the item; ",
            "else keep the scores in a table of one row an item, and name that of the votes with ",
            Option("votes"),
            ".",
        ),
        column=column,
        problem="differs_within_item",
    )


def _refuse_again(table: Table, item: Name, number: IntArray) -> None:
    """Raise if a table of one row an item has an item twice, or one without a name."""
    nameless = np.flatnonzero(number < 0)
    if len(nameless):
        raise ColumnError(
            "is missing (NaN or null).",
            "name the item of every row, so that its votes can be found.",
            column=item,
            **table.where(int(nameless[0])),
        )
    again = np.flatnonzero(number != np.arange(len(number)))
    if len(again):
        row = int(again[0])
        earlier = int((number == number[row]).argmax())
        raise ColumnError(
            (
                f"names {plain(table[item][row])!r} at ",
                table.place(earlier),
                " and again at ",
                table.place(row),
                ".",
            ),
            ("beside ", Option("votes"), " the scores have one row an item."),
            column=item,
        )


def _votes_on(votes: Table, known: LongVotes, names: AnyArray, invalid: str) -> Table:
    """Return the votes on items that have scores; raise where there are others, or drop them."""
    scored = set(names.tolist())
    column = votes[known.item]
    lost = missing_labels(column)
    strange: BoolArray = np.array([one not in scored for one in column.tolist()]) & ~lost
    if not strange.any():
        return votes
    row = int(strange.argmax())
    if invalid != "drop" or bool((strange | lost).all()):
        raise LabelError(
            (
                "The vote at ",
                votes.place(row),
                f" is on item {plain(column[row])!r}, which has no row of scores.",
            ),
            (
                "the items of both tables are written alike; ",
                Option("invalid", "drop"),
                " leaves votes on other items out.",
            ),
            problem="unknown_item",
        )
    because = "the item of the vote has no row of scores"
    dropped = DroppedRowsWarning(len(votes), np.flatnonzero(strange).tolist(), because=because)
    warn(dropped.at(**votes.where()))
    return votes.taken(np.flatnonzero(~strange))


def rater_columns(known: LongVotes | None) -> Sequence[Name]:
    """Return the columns that hold who voted and how."""
    return () if known is None else (known.rater, known.vote)
