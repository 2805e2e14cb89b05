"""Tallies of lazy tables, made in the tables' own engines.

`gather` profiles the columns, decides what labels mean, refuses what cannot be used, and lets
`rocwalk.read.grouping` add the rows up. The rules for labels and votes are those of columns in
memory: `read_labels` and `read_scale` are asked about a few values that stand for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.errors import (
    Column,
    ColumnError,
    DroppedRowsWarning,
    InputError,
    LabelError,
    Option,
    RocwalkError,
    ScoreError,
    Text,
    WeightError,
    warn,
)
from rocwalk.read.advice import kind_of_name, mistake_in, no_order
from rocwalk.read.arrays import NOT_FINITE, nothing_left
from rocwalk.read.frames import Name, Table, grouped, objects
from rocwalk.read.grouping import Grouping, Passes
from rocwalk.read.labels import EXACT_INTEGERS, read_labels, third_label
from rocwalk.read.lazy import LazySource, Run
from rocwalk.read.profile import (
    GAP,
    Profile,
    as_integer,
    distinct_values,
    is_gap,
    is_number,
    number,
    take_profile,
)
from rocwalk.read.roles import Reading, Roles
from rocwalk.read.scales import WHICH_VOTES, VoteRule, read_scale
from rocwalk.read.votes import TRUTH
from rocwalk.tally.buckets import Layout
from rocwalk.tally.tally import LIMBS, Tally, unit_of
from rocwalk.typing import AnyArray

Key = tuple[Name, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Gathered:
    """Tallies by score and group, and how many rows were left out of each.

    `labels` are the negative and the positive label, if the latter was named and both occur.
    """

    parts: dict[Key, Tally]
    dropped: dict[Key, int]
    rows: int  # of the table
    labels: tuple[Any, Any] | None = None


def gather(source: LazySource, roles: Roles, reading: Reading) -> Gathered:
    """Tally a lazy table in its own engine."""
    import narwhals.stable.v2 as nw

    run, known = source.run, source.frame.collect_schema()
    schema = {name: known[source.column(name)] for name in roles.names}
    whole, plain, closer = _own_columns(source, schema, roles, reading.pos_label)
    own = whole if roles.weight is None else whole.filter(nw.col("w") != 0.0)  # 0 means absent
    seen = own
    if source.nan_is_greatest and roles.weight is None:  # counts and extremes show gaps
        bare = [f"s{i}" for i in range(len(roles.scores))]
        seen, _, _ = _own_columns(source, schema, roles, reading.pos_label, bare)
    profile = take_profile(seen, plain, closer, run, nan_is_greatest=source.nan_is_greatest)
    if not profile.rows:
        count = source.frame.select(nw.len().alias("rows"))
        if roles.weight is not None and run(count)["rows"][0]:
            raise WeightError(
                "is zero in all rows.",
                "at least one row needs a positive weight.",
                column=roles.weight,
            )
        raise InputError("There are no rows in the table.", "pass at least one row.")
    truth, is_hard, labels = _truth(source, own, schema, roles, reading, profile)
    _refuse_unusable(source, schema, roles, reading, profile)
    names = [f"s{i}" for i in range(len(roles.scores))]
    names += [f"g{i}" for i in range(len(roles.groups))]
    names += [] if roles.weight is None else ["w"]
    if source.engine.repeats_expressions and is_hard and roles.weight is None:
        # columns without gaps are taken as they are: filling gaps would be computed again
        bare = [f"s{i}" for i in range(len(roles.scores)) if not profile.facts[f"s{i}"].wrong]
        own, _, _ = _own_columns(source, schema, roles, reading.pos_label, bare)
    base = own.select(*names, truth.alias("t"))
    gathered = Gathered({}, {}, profile.rows, labels)
    for batch, layout in _batches(roles, reading, profile):
        grouping = _grouping(roles, reading, profile, batch, is_hard=is_hard)
        parts, dropped = Passes(base, grouping, layout, reading, run).gather(profile.rows)
        found = sum(part.total_count for part in parts.values()) + sum(dropped.values())
        if found != profile.rows * len(batch):  # each tally is of one state of the data
            raise InputError(
                f"The table changed while it was read: first {profile.rows:,} rows, then "
                f"{found // len(batch):,}.",
                "read from a copy or a snapshot that nobody writes to.",
            )
        for (i, group), part in parts.items():
            gathered.parts[roles.scores[batch[i]], group] = part
        for (i, group), rows in dropped.items():
            gathered.dropped[roles.scores[batch[i]], group] = rows
    if roles.weight is not None and roles.groups:
        gathered = _with_all_groups(gathered, whole, roles, run)
    for name in roles.scores:
        _review(gathered, name, roles, reading, profile, is_hard=is_hard)
    return gathered


def _with_all_groups(gathered: Gathered, whole: Any, roles: Roles, run: Run) -> Gathered:
    """Return the same with an empty tally for each group of which all rows have weight 0."""
    names = [f"g{place}" for place in range(len(roles.groups))]
    found = run(whole.select(*names).unique())
    columns: dict[Name, AnyArray] = {name: found[name] for name in names}
    groups, _ = grouped(Table(columns, "the table"), names)
    keys = [(name, group) for name in roles.scores for group in groups]
    none = np.empty(0)
    parts = {key: gathered.parts.get(key, Tally(none, none, none)) for key in keys}
    dropped = {key: gathered.dropped.get(key, 0) for key in keys}
    return replace(gathered, parts=parts, dropped=dropped)


# -- our own columns -------------------------------------------------------------------------------


def _own_columns(
    source: LazySource, schema: Any, roles: Roles, pos_label: Any, bare: Sequence[str] = ()
) -> tuple[Any, list[str], list[str]]:
    """Return the columns that are needed under our names, and which of them to profile.

    Beside the raw label there is a column ``y`` of numbers: the label itself, or for labels that
    are no numbers 0, infinite for a gap. Likewise ``q0``, ``q1``, … for raters, and then ``y`` is
    the share of their votes, −1 if there is none. Floats whose names here are in `bare` have no
    gaps to fill; zeros keep their signs there.
    """
    import narwhals.stable.v2 as nw

    called = source.column
    numbers: dict[str, tuple[Name, type[ScoreError | WeightError]]] = {
        f"s{i}": (name, ScoreError) for i, name in enumerate(roles.scores)
    }
    numbers |= {} if roles.weight is None else {"w": (roles.weight, WeightError)}
    columns: list[Any] = []
    plain, closer = [own for own in numbers if own != "w"], list[str]()
    for own, (name, error) in numbers.items():
        if not is_number(schema[name]):
            what = "weight" if own == "w" else "score"
            raise error(
                f"is of type {schema[name]}, not of numbers.",
                f"convert the column before it is used as a {what}.",
                column=name,
            )
        is_bare = own in bare and schema[name].is_float()
        floats = nw.col(called(name)).cast(nw.Float64)
        value = floats if is_bare else number(called(name), schema[name])
        columns.append(value.alias(own))
    given = {"label": ("y", roles.label)} if roles.label is not None else {}
    given |= {f"r{i}": (f"q{i}", name) for i, name in enumerate(roles.raters)}
    for raw, (as_number, name) in given.items():
        column, dtype = nw.col(called(name)), schema[name]
        if dtype.is_nested() or dtype in (nw.Object, nw.Unknown):
            raise LabelError(
                f"is of type {dtype}, which holds no labels.",
                "use a column of one type: text, numbers, booleans or dates, and no lists.",
                column=name,
            )
        value = nw.when(column.is_null()).then(nw.lit(GAP)).otherwise(nw.lit(0.0))
        value = number(called(name), dtype) if is_number(dtype) else value
        columns += [column.alias(raw), value.alias(as_number)]
        # the extremes of floats leave open what they mean
        (closer if dtype.is_float() or dtype.is_decimal() else plain).append(as_number)
    closer += [] if roles.weight is None else ["w"]
    for place, name in enumerate(roles.groups):
        column, dtype = nw.col(called(name)), schema[name]
        if dtype.is_nested():
            raise ColumnError(
                "cannot make groups.",
                "use a column of one type: text, numbers, booleans or dates, and no lists.",
                column=name,
            )
        if dtype.is_float():  # one kind of gap, and one zero
            column = nw.when(~is_gap(called(name), dtype)).then(column + 0.0)
        elif dtype in (nw.Categorical, nw.Enum):
            column = column.cast(nw.String)
        columns.append(column.alias(f"g{place}"))
    frame = source.frame.select(*columns)
    if roles.raters:
        share = _share_of_votes([schema[name] for name in roles.raters], pos_label)
        frame, closer = frame.with_columns(share.alias("y")), [*closer, "y"]
    return frame, plain, closer


# -- labels and votes ------------------------------------------------------------------------------

_WRITTEN_BOOLEANS = {"True", "False"}
_MOST_LABELS = 1000


def labels_of(source: LazySource, name: Name) -> list[Any]:
    """Return the labels of a lazy table, as many as there may be classes."""
    return distinct_values(source.frame, source.column(name), source.run, _MOST_LABELS)


def _written(pos_label: Any) -> Any:
    """Return the positive one of booleans as text; other labels unchanged."""
    if pos_label is None:
        return "True"
    return str(pos_label) if isinstance(pos_label, bool) else pos_label


def _is_value(own: str, dtype: Any, value: Any) -> Any:
    """Return whether labels or votes have this value, an expression that is False for gaps."""
    import narwhals.stable.v2 as nw

    column, is_text = nw.col(own), dtype in (nw.String, nw.Categorical, nw.Enum)
    of_value = "text" if isinstance(value, str) else "number"
    of_column = "number" if is_number(dtype) else "text" if is_text else str(dtype)
    is_date = dtype.is_temporal() and not isinstance(value, bool | int | float | np.number)
    if of_value != of_column and (not is_date or dtype == nw.Duration):
        return column.is_null() & ~column.is_null()  # values of unlike types are never equal
    if is_number(dtype):
        return number(own, dtype) == float(value)
    column = column.cast(nw.String) if isinstance(value, str) else column
    return (column == value).fill_null(value=False)  # Dask casts no gaps


def _share_of_votes(dtypes: Sequence[Any], pos_label: Any) -> Any:
    """Return the share of positive votes as an expression, −1 where there is no vote.

    The columns of votes are ``r0``, ``r1``, …. An infinite vote makes the share so.
    """
    import narwhals.stable.v2 as nw

    cast, positive = [], []
    for place, dtype in enumerate(dtypes):
        there = ~is_gap(f"r{place}", dtype)
        wanted = (
            (1 if pos_label is None else pos_label) if is_number(dtype) else _written(pos_label)
        )
        cast.append(as_integer(there))
        positive.append(as_integer(there & _is_value(f"r{place}", dtype, wanted)))
    total, share = sum(cast[1:], cast[0]), sum(positive[1:], positive[0])
    ratio = share.cast(nw.Float64) / nw.when(total > 0).then(total).otherwise(1).cast(nw.Float64)
    ratio = nw.when(total > 0).then(ratio).otherwise(nw.lit(-1.0))
    for place, dtype in enumerate(dtypes):
        if dtype.is_float():
            fine = is_gap(f"r{place}", dtype) | number(f"r{place}", dtype).is_finite()
            ratio = nw.when(fine).then(ratio).otherwise(nw.lit(GAP))
    return ratio


def _truth(
    source: LazySource, own: Any, schema: Any, roles: Roles, reading: Reading, profile: Profile
) -> tuple[Any, bool, tuple[Any, Any] | None]:
    """Return the truth as an expression, −1 for a gap, whether it is hard, and both labels.

    The labels are known if the positive one is named and both occur.
    """
    import narwhals.stable.v2 as nw

    if roles.raters:
        if profile.facts["y"].wrong:
            raise LabelError(
                f"The vote of a rater is infinite in {_rows(profile.facts['y'].wrong, profile)}.",
                WHICH_VOTES,
            )
        _refuse_strange_votes(source, own, schema, roles, reading.pos_label, profile)
        return nw.col("y"), False, None
    dtype, pos_label = schema[roles.label], reading.pos_label
    facts = profile.facts["y"] if is_number(dtype) else None
    if facts is not None and facts.low < 0.0 and pos_label is None:
        facts = take_profile(own, [], ["y"], source.run).facts["y"]  # is there 0 beside −1 and 1?
    if facts is None or pos_label is not None:
        distinct = _distinct_labels(own, dtype, roles, reading, source.run)
    if facts is None:
        if source.engine.writes_booleans and _WRITTEN_BOOLEANS.issuperset(distinct):
            pos_label = _written(pos_label)
        witnesses = objects(distinct or [""])
    else:
        some = facts.witnesses if pos_label is None else [*map(float, distinct)]
        witnesses = np.array([*filter(math.isfinite, some)] or [0.0])
        is_float = dtype.is_float() or dtype.is_decimal()
        if not is_float and np.abs(witnesses).max() < EXACT_INTEGERS:
            witnesses = witnesses.astype(bool if dtype == nw.Boolean else np.int64)
    try:
        values, is_hard = read_labels(witnesses, pos_label, reading.truth)
    except LabelError as error:
        raise _placed(error, source, roles.label, witnesses, pos_label) from None
    if not is_hard:
        value = number("label", dtype)
        return nw.when(value.is_finite()).then(value).otherwise(nw.lit(-1.0)), False, None
    labels = None
    if pos_label is not None and len(witnesses) == 2 and values.any():
        labels = witnesses[~values].tolist()[0], reading.pos_label
    positive = as_integer(_is_value("label", dtype, 1 if pos_label is None else pos_label))
    if facts is not None and not facts.wrong:
        is_plain = pos_label is None and set(facts.witnesses) <= {0.0, 1.0}
        is_plain = is_plain and dtype != nw.Boolean
        return nw.col("label").cast(nw.Int64) if is_plain else positive, True, labels
    gap = nw.col("label").is_null() if facts is None else ~number("label", dtype).is_finite()
    truth = nw.when(gap).then(nw.lit(-1)).otherwise(positive)
    return truth.cast(nw.Int64), True, labels


def _distinct_labels(own: Any, dtype: Any, roles: Roles, reading: Reading, run: Run) -> list[Any]:
    """Return the labels, as many as there may be classes; the positive one, if a row has it.

    If rows are dropped, the labels are those of rows that have a score and a weight.
    """
    import narwhals.stable.v2 as nw

    if reading.invalid == "drop":
        scores = [nw.col(f"s{i}") for i in range(len(roles.scores))]
        usable = [score.is_finite() for score in scores]
        if reading.needs_probabilities:
            usable = [(score >= 0.0) & (score <= 1.0) for score in scores]
        own = own.filter(nw.any_horizontal(*usable, ignore_nulls=True))
        own = own if roles.weight is None else own.filter(nw.col("w").is_finite())
    found = distinct_values(own, "label", run, _MOST_LABELS)
    if len(found) == _MOST_LABELS and reading.pos_label is not None:
        positive = own.filter(_is_value("label", dtype, reading.pos_label))
        found += distinct_values(positive, "label", run, 1)
    return found


def _placed(
    error: LabelError, source: LazySource, name: Name | None, witnesses: AnyArray, pos_label: Any
) -> LabelError:
    """Return an error about labels with the name of their column, and rows if they have numbers."""
    if error.fields.problem == "third_label":
        negative, third = [one for one in witnesses.tolist() if one != pos_label][:2]
        escaped = str(third).replace("'", "''")  # a number in quotes is a number too
        error = third_label(third, pos_label, negative, source.where(name, f"v = '{escaped}'"))
    return error.at(names={"y_true": Column(name)}, row=None)


def _refuse_strange_votes(
    source: LazySource, own: Any, schema: Any, roles: Roles, pos_label: Any, profile: Profile
) -> None:
    """Raise unless all votes are 0 and 1, or `pos_label` and exactly one other."""
    columns = []
    for place, name in enumerate(roles.raters):
        if is_number(schema[name]) and pos_label is None:
            votes: list[Any] = profile.facts[f"q{place}"].witnesses
        else:
            votes = distinct_values(own, f"r{place}", source.run, _MOST_LABELS)
            if source.engine.writes_booleans and _WRITTEN_BOOLEANS.issuperset(votes):
                votes = [vote == "True" for vote in votes]
        columns.append(votes)
    most = max(map(len, columns))
    read_scale(
        [objects([*votes, *[None] * (most - len(votes))]) for votes in columns],
        VoteRule(pos_label=pos_label, two_kinds=True),
        lambda _, column: f"in column {roles.raters[column]!r}",
    )


# -- values that cannot be used --------------------------------------------------------------------

_NOT_FINITE = "v IS NULL OR NOT isfinite(CAST(v AS DOUBLE))"


def _rows(count: int, profile: Profile) -> str:
    return f"{count:,} of {profile.rows:,} rows"


def _refuse_unusable(
    source: LazySource, schema: Any, roles: Roles, reading: Reading, profile: Profile
) -> None:
    """Raise for scores, weights and labels that cannot be used, unless such rows are dropped."""
    numbers = {f"s{i}": name for i, name in enumerate(roles.scores)}
    numbers |= {} if roles.weight is None else {"w": roles.weight}
    for own, name in numbers.items():
        facts = profile.facts[own]
        largest = max(abs(facts.low), abs(facts.high))
        # they are floats by now: what has become 2⁵³ may have been 2⁵³ + 1
        if schema[name].is_integer() and largest >= EXACT_INTEGERS:
            raise (WeightError if own == "w" else ScoreError)(
                f"has integers up to {largest:g}, which float64 cannot hold exactly.",
                "subtract a constant or rank the values first, so that unequal ones stay unequal.",
                column=name,
            )
    if roles.weight is not None and profile.facts["w"].below:  # a mistake in the whole column
        rows = _rows(profile.facts["w"].below, profile)
        raise WeightError(
            (f"is negative in {rows}", source.where(roles.weight, "v < 0"), "."),
            "weights are finite and not negative; a row of weight 0 is left out.",
            column=roles.weight,
        )
    gaps = profile.facts["y"].below if roles.raters else profile.facts["y"].wrong
    if reading.invalid == "drop":
        of_all = [gaps] if roles.weight is None else [gaps, profile.facts["w"].wrong]
        for place, name in enumerate(roles.scores):
            if profile.rows in (*of_all, profile.facts[f"s{place}"].wrong):
                raise _nothing_left(roles, reading, profile, name)
        return
    drop = Option("invalid", "drop")
    if gaps:
        hint = ("every row needs a label; ", drop, " leaves such rows out.")
        if roles.label is None:
            raise LabelError(f"There is no vote in {_rows(gaps, profile)}.", hint)
        where = source.where(roles.label, "v IS NULL")
        what = (f"is missing in {_rows(gaps, profile)}", where, ".")
        raise LabelError(what, hint, column=roles.label)
    for own, name in numbers.items():
        facts = profile.facts[own]
        if facts.wrong:
            rows, where = _rows(facts.wrong, profile), source.where(name, _NOT_FINITE)
            raise (WeightError if own == "w" else ScoreError)(
                (f"is NaN, missing or infinite in {rows}", where, "."),
                ("every row needs a finite number; ", drop, " drops such rows."),
                column=name,
            )
        is_score = own != "w" and reading.needs_probabilities
        if is_score and (facts.low < 0.0 or facts.high > 1.0):
            values = f"has values from {facts.low:g} to {facts.high:g}, outside [0, 1]"
            raise ScoreError(
                (values, source.where(name, "v < 0 OR v > 1"), "."),
                "this needs probabilities: calibrate the scores or map them to [0, 1] first.",
                column=name,
            )


def _nothing_left(roles: Roles, reading: Reading, profile: Profile, name: Name) -> RocwalkError:
    """Return the error for a score of which ``invalid="drop"`` leaves no row."""
    truth, facts = profile.facts["y"], profile.facts[f"s{roles.scores.index(name)}"]
    gaps = truth.below if roles.raters else truth.wrong
    label: Text = "there is no vote" if roles.raters else (Column(roles.label), " is missing")
    causes: list[tuple[Text, int | None]] = [(label, gaps)]
    causes.append(((Column(name), f" {NOT_FINITE}"), facts.wrong))
    if reading.needs_probabilities and (facts.low < 0.0 or facts.high > 1.0):
        causes.append(((Column(name), " reaches outside [0, 1]"), None))
    if roles.weight is not None:
        causes.append(((Column(roles.weight), f" {NOT_FINITE}"), profile.facts["w"].wrong))
    known = [(why, count) for why, count in causes if count != 0]
    return nothing_left(profile.rows, known, LabelError if gaps else ScoreError)


def _review(
    gathered: Gathered,
    name: Name,
    roles: Roles,
    reading: Reading,
    profile: Profile,
    *,
    is_hard: bool,
) -> None:
    """Raise or warn of rows that were dropped, and of mistakes."""
    parts = [part for (score, _), part in gathered.parts.items() if score == name]
    lost = sum(n for (score, _), n in gathered.dropped.items() if score == name)
    if lost == gathered.rows:
        raise _nothing_left(roles, reading, profile, name)
    if lost:
        dropped = DroppedRowsWarning(gathered.rows, count=lost).at(column=name)
        warn(dropped.of_votes() if roles.raters else dropped)
    label = TRUTH if roles.label is None else roles.label
    names = {"y_true": Column(label), "y_score": Column(name)}
    kind, facts = kind_of_name(name), profile.facts[f"s{roles.scores.index(name)}"]
    if (
        kind is not None
        and facts.high - facts.low > 1
        and all(bool(np.all(part.scores == np.round(part.scores))) for part in parts)
    ):
        warn(no_order(kind).at(names=names, column=name))
    if any(part.is_bucketed or len(part) > 2 for part in parts):
        return
    few = np.unique(np.concatenate([part.scores for part in parts])).tolist()
    count, is_swap = sum(part.total_count for part in parts), not (is_hard or roles.raters)
    mistake = mistake_in(few[0], few[1], count, is_swap=is_swap) if len(few) == 2 else None
    if mistake is not None:
        warn(mistake.at(names=names, column=name))


# -- how the rows are grouped ----------------------------------------------------------------------


def _batches(roles: Roles, reading: Reading, profile: Profile) -> list[tuple[list[int], Layout]]:
    """Return the score columns that one pass can serve, with the layout of their buckets."""
    facts = [profile.facts[f"s{i}"] for i in range(len(roles.scores))]
    count, covering = reading.buckets, Layout.covering
    if profile.rows <= reading.limit:  # then the scores themselves are the groups
        return [(list(range(len(facts))), covering(0.0, 1.0, count))]
    is_unit = [reading.needs_probabilities or (one.low >= 0.0 and one.high <= 1.0) for one in facts]
    unit = [i for i, fits in enumerate(is_unit) if fits]
    batches = [(unit, covering(0.0, 1.0, count))] if unit else []
    others = [i for i, fits in enumerate(is_unit) if not fits]
    return batches + [([i], covering(facts[i].low, facts[i].high, count)) for i in others]


def _grouping(
    roles: Roles, reading: Reading, profile: Profile, batch: Sequence[int], *, is_hard: bool
) -> Grouping:
    """Return what one pass over a batch of score columns groups by and adds up."""
    facts = [profile.facts[f"s{i}"] for i in batch]
    rest = [profile.facts[own] for own in ("y", "w") if own in profile.facts]
    is_outside = any(one.low < 0.0 or one.high > 1.0 for one in facts)
    scale = 1.0
    if is_outside and not reading.needs_probabilities:
        # a power of two that no score exceeds by much, far enough from the ends of float64
        largest = max(max(abs(one.low), abs(one.high)) for one in facts)
        scale = 2.0 ** min(max(math.frexp(largest)[1], -900), 1023)
    return Grouping(
        scores=tuple(f"s{i}" for i in batch),
        groups=tuple(f"g{i}" for i in range(len(roles.groups))),
        is_counts=is_hard and roles.weight is None,
        has_weights=roles.weight is not None,
        unit=1.0 if roles.weight is None else unit_of(profile.facts["w"].high),
        is_short=profile.rows * max(LIMBS) <= EXACT_INTEGERS,
        scale=scale,
        is_checked=any(one.wrong for one in (*facts, *rest))
        or bool(roles.raters and profile.facts["y"].below)
        or (is_outside and reading.needs_probabilities),
        needs_probabilities=reading.needs_probabilities,
    )
