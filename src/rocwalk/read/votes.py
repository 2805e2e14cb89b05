"""Votes: which rater voted how on which item, read into a `Ballot`.

`read_ballot` reads one column per rater, rows of (item, rater, vote), or counts, from arrays,
dataframes, dicts of columns and files. A missing value is no vote, and an item without a vote is an
error that names the row. What a vote means is `rocwalk.read.scales`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import (
    Argument,
    Column,
    ColumnError,
    DroppedRowsWarning,
    InputError,
    LabelError,
    Option,
    OptionError,
    Text,
    collecting,
    warn,
)
from rocwalk.read.arrays import as_floats, nothing_left
from rocwalk.read.ballots import Ballot, SignedVotes, protect
from rocwalk.read.frames import (
    GROUP,
    LABEL,
    NUMBER,
    Name,
    Table,
    column_names,
    column_to_numpy,
    is_files,
    read_table,
    refuse_duplicates,
)
from rocwalk.read.labels import missing_labels, plain
from rocwalk.read.matrices import is_list_of_rows, rows_to_array
from rocwalk.read.scales import Cast, VoteRule, read_scale, weights_of
from rocwalk.texts import shown
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, IntArray

TRUTH, VOTES = "share of positive votes", "number of votes"  # the columns that votes make

_NO_VOTE = ("every item needs a vote; ", Option("invalid", "drop"), " leaves such rows out.")


def read_ballot(
    data: ArrayLike,
    *,
    item: Name | None = None,
    rater: Name | None = None,
    vote: Name | None = None,
    positives: Name | None = None,
    totals: Name | None = None,
    raters: Sequence[Name] | None = None,
    rule: VoteRule,
    invalid: str = "raise",
) -> Ballot:
    """Return clean votes, or raise an error that names the place and ends in a hint.

    The columns that are named say what the data are: `positives` and `totals` counts, `rater` and
    `vote` rows of one vote each, neither of them one column per rater.
    """
    one_of("invalid", invalid, ("raise", "drop"))
    if isinstance(data, np.ndarray | list | tuple) and not is_files(data):
        data = _named_by_position(data)
    if positives is not None or totals is not None:
        others = {"rater": rater, "vote": vote, "raters": raters, "pos_label": rule.pos_label}
        others |= {"cut": rule.cut, "scale": rule.scale, "rater_weight": rule.rater_weight}
        for name, value in others.items():
            if value is not None:
                raise OptionError(
                    "does not go together with counts of votes.",
                    f"leave {name} out, or leave positives and totals out.",
                    option=name,
                    value=value,
                )
        refuse_absent(positives=positives, totals=totals)
        return _read_counts(data, item, positives, totals, invalid)
    if rater is not None or vote is not None:
        refuse_absent(item=item, rater=rater, vote=vote)
        _refuse_two_forms(raters)
        table = read_table(data, {item: GROUP, rater: GROUP, vote: LABEL})
        return ballot_of_rows(table, item, rater, vote, rule, invalid)
    table, named = _table_of_columns(data, item, raters)
    return _ballot_of_columns(table, named, item, rule, invalid)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Categories:
    """Votes of any number of categories, on at least one item.

    Attributes
    ----------
    items, raters
        Their names.
    categories
        The categories: in the order that was given, else sorted.
    codes
        The place of each item's (row) and rater's (column) vote among them, −1 without a vote.
    """

    items: AnyArray
    raters: tuple[Any, ...]
    categories: tuple[Any, ...]
    codes: IntArray

    def __post_init__(self) -> None:
        protect(self, "items", "codes")


def read_categories(
    data: ArrayLike,
    *,
    item: Name | None = None,
    rater: Name | None = None,
    vote: Name | None = None,
    raters: Sequence[Name] | None = None,
    categories: Sequence[Any] | None = None,
    invalid: str = "raise",
) -> Categories:
    """Read votes that may be any numbers or words, one column per rater or one row per vote."""
    one_of("invalid", invalid, ("raise", "drop"))
    if isinstance(data, np.ndarray | list | tuple) and not is_files(data):
        data = _named_by_position(data)
    if rater is not None or vote is not None:
        refuse_absent(item=item, rater=rater, vote=vote)
        _refuse_two_forms(raters)
        table = read_table(data, {item: GROUP, rater: GROUP, vote: LABEL})
        signed = _signed_rows(table, item, rater, ~missing_labels(table[vote]), invalid)
        known, of_vote = _codes([plain(one) for one in table[vote][signed.rows]], categories)
        codes = np.full((len(signed.items), len(signed.raters)), -1)
        codes[signed.item, signed.rater] = of_vote
        return Categories(items=signed.items, raters=signed.raters, categories=known, codes=codes)
    table, names = _table_of_columns(data, item, raters)
    columns = [table[name] for name in names]
    present = np.column_stack([~missing_labels(column) for column in columns])
    silent = np.asarray(~present.any(axis=1))
    kept = _kept(silent, invalid, lambda row: no_vote(table, item, row))
    rows, places = np.nonzero(present)
    values = [plain(columns[k][i]) for i, k in zip(rows.tolist(), places.tolist(), strict=True)]
    known, of_vote = _codes(values, categories)
    codes = np.full(present.shape, -1)
    codes[rows, places] = of_vote
    return Categories(
        items=_item_names(table, item)[kept],
        raters=tuple(names),
        categories=known,
        codes=codes[kept],
    )


def _refuse_two_forms(raters: Sequence[Name] | None) -> None:
    """Raise if rows of one vote each and columns of raters are both named."""
    if raters is not None:
        raise OptionError(
            (Option("raters"), " and ", Option("rater"), " do not go together."),
            (
                *(Option("raters"), " names one column for each rater, "),
                *(Option("rater"), " the column of their names."),
            ),
        )


def _codes(values: list[Any], given: Sequence[Any] | None) -> tuple[tuple[Any, ...], IntArray]:
    """Return the categories, and the place of each vote among them."""
    known: tuple[Any, ...]
    if given is not None:
        known = tuple(plain(one) for one in given)
        refuse_duplicates(known, "categories=")
    else:
        try:
            known = tuple(sorted(set(values)))
        except TypeError as error:
            kinds = sorted({type(value).__name__ for value in values})
            raise LabelError(
                f"The votes mix the types {', '.join(kinds)}, which have no order.",
                ("write votes alike, or name them with ", Option("categories"), "."),
            ) from error
    places = {value: place for place, value in enumerate(known)}
    strange = next((value for value in values if value not in places), None)
    if strange is not None:
        raise LabelError(
            f"A vote is {strange!r}, which is not among the categories {shown(known)}.",
            (Option("categories"), " names all categories, in their order."),
        )
    return known, np.fromiter(map(places.__getitem__, values), np.int64, len(values))


def refuse_absent(**columns: Name | None) -> None:
    """Raise unless all columns that belong together are named, each another one."""
    for name, column in columns.items():
        if column is None:
            raise OptionError(
                (Argument(name), " is missing."),
                ("name the columns ", _listed(columns, ", "), " together."),
            )
    for column in columns.values():
        same = [other for other, one in columns.items() if one == column]
        if len(same) > 1:
            raise OptionError(
                (_listed(same, " and "), " name the same column, ", repr(column), "."),
                "each of them is a column of its own.",
            )


def _listed(names: Iterable[str], between: str) -> Text:
    """Return the names of arguments, joined."""
    first, *others = map(Argument, names)
    return (first, *(part for one in others for part in (between, one)))


# -- what the data are ---------------------------------------------------------------------------


def _named_by_position(data: ArrayLike) -> dict[Name, AnyArray]:
    """Return an array or a list of rows as a dict of columns, which are named by position."""
    array = (
        rows_to_array(data, "votes") if is_list_of_rows(data) else column_to_numpy(data, "votes")
    )
    if array.ndim != 2 and array.size:
        raise InputError(
            f"votes has shape {array.shape}, not rows and columns.",
            "pass one row per item and one column per rater.",
        )
    if not array.size:
        raise InputError("There are no votes.", "pass at least one item and one rater.")
    return {place: array[:, place] for place in range(array.shape[1])}


def _table_of_columns(
    data: Any, item: Name | None, named: Sequence[Name] | None
) -> tuple[Table, list[Name]]:
    """Return a table of one column per rater, and the raters' names."""
    if isinstance(named, str):
        hint = f"pass raters=[{named!r}, …]."
        raise OptionError("is not a list.", hint, option="raters", value=named)
    raters = [name for name in column_names(data) if name != item] if named is None else [*named]
    refuse_duplicates(raters, Option("raters"))
    if not raters:
        raise InputError("There are no columns of votes.", "pass one column per rater.")
    return read_table(data, dict.fromkeys(raters, LABEL) | _group(item)), raters


def with_truth(
    table: Table, raters: Sequence[Name], rule: VoteRule, invalid: str
) -> tuple[Table, Ballot]:
    """Return a table with the share and the number of votes as two more columns, and the votes.

    With invalid="drop" the truth of an item without a vote is NaN, for whoever drops rows next.
    """
    with collecting(DroppedRowsWarning):  # given when the rows are dropped
        ballot = _ballot_of_columns(table, list(raters), None, rule, invalid)
    return truth_beside(table, ballot), ballot


def truth_beside(table: Table, ballot: Ballot) -> Table:
    """Return a table with the truth of its rows, which the ballot numbers, and their votes."""
    truth, votes = np.full(len(table), np.nan), np.zeros(len(table), dtype=np.int64)
    truth[ballot.items], votes[ballot.items] = ballot.truth, ballot.totals
    return replace(table, columns={**table.columns, TRUTH: truth, VOTES: votes})


def _ballot_of_columns(
    table: Table, raters: list[Name], item: Name | None, rule: VoteRule, invalid: str
) -> Ballot:
    cast = read_scale(
        [table[name] for name in raters],
        rule,
        lambda row, column: ("at ", table.place(row), f", column {raters[column]!r}"),
    )
    weights = weights_of(raters, rule.rater_weight)
    present = cast.present if weights is None else cast.present & (weights > 0)
    names, voted = _item_names(table, item), np.asarray(present.any(axis=1))
    kept = _kept(~voted, invalid, lambda row: no_vote(table, item, row))
    rows, columns = np.nonzero(present[kept])
    return _ballot(
        names[kept], tuple(raters), rows, columns, cast.codes[kept][rows, columns], cast, weights
    )


def ballot_of_rows(
    table: Table, item: Name, rater: Name, vote: Name, rule: VoteRule, invalid: str
) -> Ballot:
    """Read rows of one item, one rater and one vote of a table."""

    def place(row: int, _: int) -> Text:
        names = plain(table[item][row]), plain(table[rater][row])
        return "at ", table.place(row), f" (item {names[0]!r}, rater {names[1]!r})"

    cast = read_scale([table[vote]], rule, place)
    present, weights = cast.present[:, 0], None
    if rule.rater_weight is not None:
        raters, rater_of = numbered(table, rater)
        weights = weights_of(raters.tolist(), rule.rater_weight)
        if weights is not None:
            present = present & (np.append(weights, 1.0)[rater_of] > 0)
    signed = _signed_rows(table, item, rater, present, invalid)
    codes = cast.codes[signed.rows, 0]
    return _ballot(signed.items, signed.raters, signed.item, signed.rater, codes, cast, weights)


@dataclass(frozen=True, slots=True)
class _SignedRows:
    """The rows that hold a vote, and the places of their items and raters among the names."""

    rows: IntArray
    item: IntArray
    rater: IntArray
    items: AnyArray
    raters: tuple[Any, ...]


def _signed_rows(
    table: Table, item: Name, rater: Name, present: BoolArray, invalid: str
) -> _SignedRows:
    """Return the rater and the item of each vote; raise if a name is missing or occurs twice."""
    (items, item_of), (raters, rater_of) = numbered(table, item), numbered(table, rater)
    nameless = (item_of < 0) | (present & (rater_of < 0))
    counts = np.bincount(item_of[present & ~nameless], minlength=len(items))

    def error(row: int) -> LabelError:
        if nameless[row]:
            return _nameless(table, item if item_of[row] < 0 else rater, row)
        return no_vote(table, item, row)

    kept = _kept(nameless | (np.append(counts, 0)[item_of] == 0), invalid, error)
    used = counts > 0
    rows = np.flatnonzero(kept & present)
    item_of, rater_of = (np.cumsum(used) - 1)[item_of[rows]], rater_of[rows]
    names = tuple(raters.tolist())
    _refuse_twice(table, (items[used], names), (item_of, rater_of), rows)
    return _SignedRows(rows, item_of, rater_of, items[used], names)


def _read_counts(
    data: Any, item: Name | None, positives: Name, totals: Name, invalid: str
) -> Ballot:
    """Read how many votes of each item are positive, and how many there are."""
    table = read_table(data, {positives: NUMBER, totals: NUMBER} | _group(item))
    up, votes = _counts(table, positives), _counts(table, totals)
    more = np.flatnonzero(up > votes)
    if len(more):
        row = int(more[0])
        raise LabelError(
            f"is {up[row]:g}, more than column {totals!r}, {votes[row]:g}.",
            "totals counts all votes of the item, the positive ones among them.",
            column=positives,
            **table.where(row),
        )
    names = _item_names(table, item)

    def error(row: int) -> LabelError:
        if votes[row] == 0:
            return no_vote(table, item, row)
        column = positives if np.isnan(up[row]) else totals
        return LabelError("is missing.", _NO_VOTE, column=column, **table.where(row))

    kept = _kept(np.isnan(up) | np.isnan(votes) | (votes == 0), invalid, error)
    return Ballot(
        items=names[kept],
        positives=up[kept].astype(np.int64),
        totals=votes[kept].astype(np.int64),
        signed=None,
    )


def _group(item: Name | None) -> dict[Name, str]:
    return {} if item is None else {item: GROUP}


def _ballot(
    items: AnyArray,
    raters: tuple[Any, ...],
    item: IntArray,
    rater: IntArray,
    vote: IntArray,
    cast: Cast,
    weights: FloatArray | None,
) -> Ballot:
    """Return votes that are known to be clean; raters of weight 0 have none."""
    scale, size = cast.scale, len(items)
    if scale.is_graded:
        positives: AnyArray = np.bincount(item, np.array(scale.worth)[vote], size)
    else:
        positives = np.bincount(item[vote == 1], minlength=size)
    weighted: FloatArray | None = None
    if weights is not None:
        own = weights[rater]
        share = np.bincount(item, own * np.array(scale.worth)[vote], size)
        weighted = np.asarray(share / np.bincount(item, own, size), dtype=np.float64)
        used = weights > 0
        raters = tuple(name for name, is_used in zip(raters, used, strict=True) if is_used)
        rater, weights = (np.cumsum(used) - 1)[rater], weights[used]
    return Ballot(
        items=items,
        positives=positives,
        totals=np.bincount(item, minlength=size),
        signed=SignedVotes(raters=raters, item=item, rater=rater, vote=vote.astype(np.int64)),
        scale=scale,
        weighted=weighted,
        rater_weights=weights,
    )


def _refuse_twice(
    table: Table,
    names: tuple[AnyArray, tuple[Any, ...]],
    signed: tuple[IntArray, IntArray],
    rows: IntArray,
) -> None:
    """Raise if a rater votes twice on one item."""
    (items, raters), (item, rater) = names, signed
    key = item * len(raters) + rater
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(np.diff(key[order]) == 0)
    if len(again):
        one, two = order[again[0]], order[again[0] + 1]
        raise LabelError(
            (
                f"Rater {raters[rater[one]]!r} votes twice on item {plain(items[item[one]])!r}, ",
                "at ",
                table.place(int(rows[one])),
                " and ",
                table.place(int(rows[two])),
                ".",
            ),
            "keep one vote for each item and rater.",
        )


# -- counts --------------------------------------------------------------------------------------


def _counts(table: Table, name: Name) -> FloatArray:
    """Return a column of counts; NaN where one is missing."""
    try:
        counts = as_floats(table[name], "counts", LabelError)
    except LabelError as error:
        place = table.where(error.fields.row)
        raise error.at(names={"counts": Column(name)}, **place) from None
    bad = ~np.isnan(counts) & ~((counts >= 0) & (counts < np.inf) & (counts == np.round(counts)))
    if bad.any():
        row = int(bad.argmax())
        raise LabelError(
            f"is {counts[row]:g}.",
            "counts of votes are whole numbers from 0.",
            column=name,
            **table.where(row),
        )
    return counts


# -- items and raters ----------------------------------------------------------------------------


def numbered(table: Table, name: Name) -> tuple[AnyArray, IntArray]:
    """Return the values in the order in which they first appear, and which of them each row has.

    A row where it is missing has none, −1.
    """
    column = table[name]
    rows = np.flatnonzero(~missing_labels(column))
    values = column[rows].tolist()
    try:
        places = {value: place for place, value in enumerate(dict.fromkeys(values))}
    except TypeError as error:  # not hashable
        raise ColumnError(
            "holds values that cannot be names.",
            "names of items and raters are text or numbers.",
            column=name,
            **table.where(),
        ) from error
    numbers = np.full(len(column), -1)
    numbers[rows] = np.fromiter(map(places.__getitem__, values), np.int64, len(rows))
    first = np.empty(len(places), dtype=np.int64)
    first[numbers[rows[::-1]]] = rows[::-1]  # the last to be written is the first to appear
    return column[first], numbers


def _item_names(table: Table, item: Name | None) -> AnyArray:
    """Return the items' names, each of them once; the numbers of the rows if they have none."""
    if item is None:
        return np.arange(len(table))
    names, numbers = numbered(table, item)
    if len(names) < len(table):
        row = int((numbers != np.arange(len(table))).argmax())
        if numbers[row] < 0:
            raise _nameless(table, item, row)
        raise LabelError(
            (
                f"Item {plain(table[item][row])!r} is at ",
                table.place(int(numbers[row])),
                " and again at ",
                table.place(row),
                ".",
            ),
            "one row per item; for rows of one vote each name the columns rater and vote too.",
        )
    return table[item]


# -- what cannot be used -------------------------------------------------------------------------


def _kept(bad: BoolArray, invalid: str, error: Callable[[int], LabelError]) -> BoolArray:
    """Return the rows to use: all of them, or with invalid="drop" those that can be used."""
    if not bad.any():
        return ~bad
    if invalid == "raise":
        raise error(int(bad.argmax()))
    if bad.all():
        raise nothing_left(
            len(bad), [("a vote, a name or a count is missing", len(bad))], LabelError
        )
    rows = np.flatnonzero(bad)
    because = "an item has no vote or a name or count is missing"
    warn(DroppedRowsWarning(len(bad), rows.tolist(), because=because))
    return ~bad


def no_vote(table: Table, item: Name | None, row: int) -> LabelError:
    """Return the error for an item without a vote."""
    what = "The item" if item is None else f"Item {plain(table[item][row])!r}"
    return LabelError((f"{what} at ", table.place(row), " has no vote."), _NO_VOTE)


def _nameless(table: Table, name: Name, row: int) -> LabelError:
    return LabelError(
        "is missing (NaN or null).",
        ("name every item and every rater; ", Option("invalid", "drop"), " leaves such votes out."),
        column=name,
        **table.where(row),
    )
