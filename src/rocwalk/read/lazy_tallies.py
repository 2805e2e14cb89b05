"""Labels of a lazy table: what they mean, and the expression that says so to the engine.

What labels mean is decided by `read_labels`, from a few values that stand for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import (
    Column,
    ColumnError,
    DroppedRowsWarning,
    HardScoresWarning,
    InputError,
    LabelError,
    Option,
    Part,
    RocwalkError,
    ScoreError,
    SwappedArgumentsWarning,
    WeightError,
    warn,
)
from rocwalk.read.frames import Name, objects
from rocwalk.read.grouping import Grouping, Passes, Place, Reading
from rocwalk.read.labels import read_labels
from rocwalk.read.lazy import (
    GAP,
    Facts,
    LazySource,
    Profile,
    Run,
    Where,
    is_gap,
    is_number,
    number,
    refuse_huge_integers,
    refuse_lists,
    refuse_negative_weights,
    refuse_text,
    refuse_wrong,
    rows_words,
    take_profile,
)
from rocwalk.read.votes import WHICH_VOTES
from rocwalk.tally.buckets import Layout
from rocwalk.tally.tally import LIMBS, Tally

_NAMES_SHOWN = 5


_MOST_LABELS = 1000


_WRITTEN_BOOLEANS = {"True", "False"}  # Dask turns truth values with gaps into text


def truth_of_label(
    name: Name, dtype: Any, facts: Facts | None, options: Any, distinct: Sequence[Any]
) -> tuple[Any, bool]:
    """Return the truth of column ``label`` as an expression, −1 for a gap; and whether it is hard.

    `facts` are those of a column of numbers, else `distinct` holds some of the labels.
    """
    pos_label, truth = options["pos_label"], options["truth"]
    if facts is None and _WRITTEN_BOOLEANS.issuperset(distinct):
        pos_label = _written(pos_label)
    witnesses = _witnesses(dtype, facts, pos_label, distinct)
    try:
        is_hard = read_labels(witnesses, pos_label, truth)[1]
    except LabelError as error:
        raise error.at(names={"y_true": Column(name)}, row=None) from None
    if facts is not None and not facts.wrong and is_hard:
        return _is_one(dtype, pos_label, set(facts.witnesses)), True
    return (_is_positive(dtype, pos_label) if is_hard else _share(dtype)), is_hard


def _written(pos_label: Any) -> Any:
    """Return the positive one of truth values as text; other labels stay as they are."""
    if pos_label is None:
        return "True"
    return str(pos_label) if isinstance(pos_label, bool) else pos_label


def _witnesses(dtype: Any, facts: Facts | None, pos_label: Any, distinct: Sequence[Any]) -> Any:
    if facts is None:
        return objects(list(distinct) or [""])
    if pos_label is not None:
        return np.zeros(1)
    values = np.array(facts.witnesses or [0.0])
    return values if dtype.is_float() or dtype.is_decimal() else values.astype(np.int64)


def _is_one(dtype: Any, pos_label: Any, witnesses: set[float]) -> Any:
    """Return 1 for the positive label and 0 for others: the short way, if none is missing."""
    import narwhals.stable.v2 as nw

    if pos_label is None and witnesses <= {0.0, 1.0}:
        return nw.col("label").cast(nw.Int64)
    return (number("label", dtype) == (1.0 if pos_label is None else float(pos_label))).cast(
        nw.Int64
    )


def _is_positive(dtype: Any, pos_label: Any) -> Any:
    """Return 1 for the positive label (1 unless it has a name), 0 for others, −1 for gaps."""
    import narwhals.stable.v2 as nw

    column = nw.col("label")
    if is_number(dtype):
        value = number("label", dtype)
        is_positive = value == (1.0 if pos_label is None else float(pos_label))
        gap = ~value.is_finite()
    else:
        column = column.cast(nw.String) if isinstance(pos_label, str) else column
        is_positive = (column == pos_label).fill_null(value=False)  # Dask casts no gaps
        gap = nw.col("label").is_null()
    return nw.when(gap).then(nw.lit(-1)).otherwise(is_positive.cast(nw.Int64)).cast(nw.Int64)


def _share(dtype: Any) -> Any:
    import narwhals.stable.v2 as nw

    value = number("label", dtype)
    return nw.when(value.is_finite()).then(value).otherwise(nw.lit(-1.0))


# -- votes ---------------------------------------------------------------------------------------


def truth_of_votes(dtypes: Sequence[Any], pos_label: Any) -> Any:
    """Return the share of positive votes as an expression, −1 where there is no vote.

    The columns of votes are ``r0``, ``r1``, …. An infinite vote makes the share so.
    """
    import narwhals.stable.v2 as nw

    cast, positive = [], []
    for place, dtype in enumerate(dtypes):
        there, is_positive = _vote(f"r{place}", dtype, pos_label)
        cast.append(there.cast(nw.Int64))
        positive.append((there & is_positive).cast(nw.Int64))
    total, share = sum(cast[1:], cast[0]), sum(positive[1:], positive[0])
    ratio = share.cast(nw.Float64) / nw.when(total > 0).then(total).otherwise(1).cast(nw.Float64)
    ratio = nw.when(total > 0).then(ratio).otherwise(nw.lit(-1.0))
    for place, dtype in enumerate(dtypes):
        if dtype.is_float():
            fine = is_gap(f"r{place}", dtype) | number(f"r{place}", dtype).is_finite()
            ratio = nw.when(fine).then(ratio).otherwise(nw.lit(GAP))
    return ratio


def _vote(own: str, dtype: Any, pos_label: Any) -> tuple[Any, Any]:
    """Return whether there is a vote, and whether it is the positive one, which is 1 by itself."""
    import narwhals.stable.v2 as nw

    if is_number(dtype):
        value = number(own, dtype)
        is_positive = value == (1.0 if pos_label is None else float(pos_label))
        return ~is_gap(own, dtype), is_positive
    there = ~nw.col(own).is_null()
    wanted = _written(pos_label)
    column = nw.col(own).cast(nw.String) if isinstance(wanted, str) else nw.col(own)
    return there, (column == wanted).fill_null(value=False)


def refuse_strange_votes(
    names: Sequence[Name],
    facts: Sequence[Facts | None],
    distinct: Sequence[Sequence[Any]],
    pos_label: Any,
) -> None:
    """Raise unless all votes are 0 and 1, or `pos_label` and exactly one other."""
    allowed: set[Any] = {0, 1, *_WRITTEN_BOOLEANS} if pos_label is None else {pos_label}
    for name, fact, values in zip(names, facts, distinct, strict=True):
        if fact is None and isinstance(pos_label, bool) and _WRITTEN_BOOLEANS.issuperset(values):
            continue
        for value in values if fact is None else fact.witnesses:
            if pos_label is not None and len(allowed) == 1:
                allowed.add(value)
            if value not in allowed:
                raise _strange_vote(name, value, pos_label)


def refuse_infinite_votes(count: int, rows: int) -> None:
    """Raise if a vote is neither a gap nor finite."""
    if count:
        raise LabelError(
            f"A vote is infinite in {rows_words(count, rows)}.",
            WHICH_VOTES,
        )


def _strange_vote(name: Name, value: Any, pos_label: Any) -> LabelError:
    positive, other = Option("pos_label", pos_label), " nor the one other value."
    allowed: tuple[Part, ...] = ("0 nor 1.",) if pos_label is None else (positive, other)
    return LabelError((f"has the vote {value!r}, neither ", *allowed), WHICH_VOTES, column=name)


def refuse_missing_labels(name: Name | None, count: int, rows: int, where: Where) -> None:
    """Raise if labels, or all votes of a row, are missing, and count them."""
    if count:
        what = "There is no vote" if name is None else "is missing"
        place = "" if name is None else where(name, "v IS NULL")
        raise LabelError(
            (f"{what} in {rows_words(count, rows)}", place, "."),
            ("every row needs a label; ", Option("invalid", "drop"), " leaves such rows out."),
            subject=None if name is None else Column(name),
        )


def labels_of(source: LazySource, name: Name) -> list[Any]:
    """Return the labels of a lazy table, as many as there may be classes."""
    return distinct_values(source.frame, source.column(name), source.run, _MOST_LABELS)


def distinct_values(frame: Any, own: str, run: Run, most: int = _NAMES_SHOWN + 1) -> list[Any]:
    """Return some of the values that a column takes, sorted; gaps are none."""
    import narwhals.stable.v2 as nw

    column = nw.col(own)
    some = frame.select(column).filter(~column.is_null()).unique().head(most)
    return sorted(run(some).column(own).to_pylist(), key=str)


# -- tallies of tables that stay where they are ----------------------------------------------------


Key = tuple[Name, tuple[Any, ...]]


_EXACT = 2**53  # up to here every integer is a float


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The columns of the table by what they are for."""

    scores: tuple[Name, ...]
    label: Name | None
    raters: tuple[Name, ...]
    weight: Name | None
    groups: tuple[Name, ...]

    @property
    def names(self) -> list[Name]:
        """The names of all columns that are needed."""
        single = [name for name in (self.label, self.weight) if name is not None]
        return list(dict.fromkeys([*self.scores, *self.raters, *self.groups, *single]))


@dataclass(frozen=True, slots=True)
class Gathered:
    """Tallies by score and group, and how many rows were left out of each."""

    parts: dict[Key, Tally]
    dropped: dict[Key, int]
    rows: int  # of the table


def gather(source: LazySource, roles: Roles, reading: Reading) -> Gathered:
    """Tally a lazy table in its own engine."""
    run, known = source.run, source.frame.collect_schema()
    schema = {name: known[source.column(name)] for name in roles.names}
    own, plain, closer = _own_columns(source, schema, roles, reading.pos_label)
    profile = take_profile(own, plain, closer, run)
    if not profile.rows:
        raise _no_rows(source, roles)
    truth, is_hard = _truth(own, schema, roles, reading, profile, run)
    _refuse_unusable(source, schema, roles, reading, profile)
    base = _base(own, roles, truth)
    gathered = Gathered({}, {}, profile.rows)
    for batch, layout in _batches(roles, reading, profile):
        grouping = _grouping(roles, reading, profile, batch, is_hard=is_hard)
        passes = Passes(base, grouping, layout, reading, run)
        parts, dropped = passes.gather(profile.rows)
        _refuse_changes(parts, dropped, profile, len(batch))
        if roles.weight is not None:
            _refuse_overflow(roles.weight, parts)
        names = [roles.scores[place] for place in batch]
        gathered.parts.update({(names[i], group): one for (i, group), one in parts.items()})
        gathered.dropped.update({(names[i], group): n for (i, group), n in dropped.items()})
    _warn_of_dropped(gathered, profile.rows, voted=bool(roles.raters))
    for name in roles.scores:
        _warn_of_mistakes(name, gathered.parts, is_hard=is_hard)
    return gathered


def _no_rows(source: LazySource, roles: Roles) -> RocwalkError:
    """Say that there is nothing to tally: no rows at all, or none that has a weight."""
    import narwhals.stable.v2 as nw

    count = source.frame.select(nw.len().alias("rows"))
    if roles.weight is not None and source.run(count).column("rows")[0].as_py():
        return WeightError(
            "is zero in all rows.",
            "at least one row needs a positive weight.",
            column=roles.weight,
        )
    return InputError("There are no rows in the table.", "pass at least one row.")


# -- our own columns -----------------------------------------------------------------------------


def _own_columns(
    source: LazySource, schema: Any, roles: Roles, pos_label: Any
) -> tuple[Any, list[str], list[str]]:
    """Return the columns that are needed under our names, and which of them to profile.

    Beside the raw label there is a column ``y`` of numbers: the label itself, or for labels that
    are no numbers 0, infinite for a gap. Likewise ``q0``, ``q1``, … for raters, and then ``y`` is
    the share of their votes, −1 if there is none.
    """
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import ColumnNotFoundError

    for name in roles.scores:
        refuse_text(name, schema[name], "score")
    called = source.column
    columns = [number(called(n), schema[n]).alias(f"s{i}") for i, n in enumerate(roles.scores)]
    plain = [f"s{i}" for i in range(len(roles.scores))]
    closer: list[str] = []
    said = {"label": ("y", roles.label)} if roles.label is not None else {}
    said |= {f"r{i}": (f"q{i}", name) for i, name in enumerate(roles.raters)}
    for raw, (as_number, name) in said.items():
        value = _as_number(called(name), schema[name])
        columns += [nw.col(called(name)).alias(raw), value.alias(as_number)]
        (closer if _needs_closer_look(schema[name]) else plain).append(as_number)
    if roles.weight is not None:
        refuse_text(roles.weight, schema[roles.weight], "weight")
        columns.append(number(called(roles.weight), schema[roles.weight]).alias("w"))
        closer.append("w")
    for place, name in enumerate(roles.groups):
        refuse_lists(name, schema[name])
        columns.append(_group(called(name), schema[name]).alias(f"g{place}"))
    try:
        own = source.frame.select(*columns)
    except ColumnNotFoundError as error:
        raise ColumnError(
            f"The engine does not find a column that the table has: {error}",
            "rename the column: some engines take a dot or a backtick in a name for their own.",
        ) from None
    if roles.weight is not None:
        own = own.filter(nw.col("w") != 0.0)  # weight 0 means absent
    if roles.raters:
        truth = truth_of_votes([schema[name] for name in roles.raters], pos_label)
        own, closer = own.with_columns(truth.alias("y")), [*closer, "y"]
    return own, plain, closer


def _as_number(column: str, dtype: Any) -> Any:
    import narwhals.stable.v2 as nw

    if is_number(dtype):
        return number(column, dtype)
    return nw.when(nw.col(column).is_null()).then(nw.lit(GAP)).otherwise(nw.lit(0.0))


def _needs_closer_look(dtype: Any) -> bool:
    """Whether the extremes of labels leave open what they mean, as they do for floats."""
    return bool(dtype.is_float() or dtype.is_decimal())


def _group(name: str, dtype: Any) -> Any:
    import narwhals.stable.v2 as nw

    column = nw.col(name)
    if dtype.is_float():
        return nw.when(~is_gap(name, dtype)).then(column + 0.0)  # one gap, one zero
    return column.cast(nw.String) if dtype in (nw.Categorical, nw.Enum) else column


def _base(own: Any, roles: Roles, truth: Any) -> Any:
    names = [f"s{i}" for i in range(len(roles.scores))]
    names += [f"g{i}" for i in range(len(roles.groups))]
    if roles.weight is None:
        return own.select(*names, truth.alias("t"))
    return own.select(*names, truth.alias("t"), "w")


# -- labels, and what cannot be used -------------------------------------------------------------


def _truth(
    own: Any, schema: Any, roles: Roles, reading: Reading, profile: Profile, run: Run
) -> tuple[Any, bool]:
    """Return the expression of the truth, and whether it is hard."""
    import narwhals.stable.v2 as nw

    if roles.raters:
        dtypes = [schema[name] for name in roles.raters]
        places = range(len(dtypes))
        facts = [profile.facts[f"q{i}"] if is_number(dtypes[i]) else None for i in places]
        distinct = [[] if facts[i] else distinct_values(own, f"r{i}", run) for i in places]
        refuse_infinite_votes(profile.facts["y"].wrong, profile.rows)
        refuse_strange_votes(roles.raters, facts, distinct, reading.pos_label)
        return nw.col("y"), False
    dtype = schema[roles.label]
    known: Facts | None = profile.facts["y"] if is_number(dtype) else None
    if known is not None and known.low < 0.0:
        known = take_profile(own, [], ["y"], run).facts["y"]  # is there 0 beside −1 and 1?
    needs_look = known is None and isinstance(reading.pos_label, bool | None)
    distinct_labels = distinct_values(own, "label", run) if needs_look else []
    options = {"pos_label": reading.pos_label, "truth": reading.truth}
    return truth_of_label(roles.label, dtype, known, options, distinct_labels)


def _refuse_unusable(
    source: LazySource, schema: Any, roles: Roles, reading: Reading, profile: Profile
) -> None:
    scores = {f"s{i}": name for i, name in enumerate(roles.scores)}
    for own, name in scores.items():
        refuse_huge_integers(name, schema[name], profile.facts[own])
    if roles.weight is not None:
        refuse_negative_weights(roles.weight, profile.facts["w"], profile.rows, source.where)
    gaps = profile.facts["y"].below if roles.raters else profile.facts["y"].wrong
    lost = [gaps, *(one.wrong for own, one in profile.facts.items() if own[0] in "sw")]
    if reading.invalid == "drop" and max(lost) < profile.rows:
        return
    refuse_missing_labels(roles.label, gaps, profile.rows, source.where)
    refuse_wrong(profile, scores, source.where)
    if roles.weight is not None:
        refuse_wrong(profile, {"w": roles.weight}, source.where)
    if reading.needs_probabilities and reading.invalid == "raise":
        for own, name in scores.items():
            _refuse_outside(name, profile.facts[own], source.where)


def _refuse_outside(name: Name, facts: Facts, where: Where) -> None:
    if facts.low < 0.0 or facts.high > 1.0:
        raise ScoreError(
            (
                f"has values from {facts.low:g} to {facts.high:g}, outside [0, 1]",
                where(name, "v < 0 OR v > 1"),
                ".",
            ),
            "this needs probabilities: calibrate the scores or map them to [0, 1] first.",
            column=name,
        )


def _batches(roles: Roles, reading: Reading, profile: Profile) -> list[tuple[list[int], Layout]]:
    """Return the score columns that one pass can serve, with the layout of their buckets."""
    facts = [profile.facts[f"s{i}"] for i in range(len(roles.scores))]
    unit = [i for i, one in enumerate(facts) if _is_unit(one, reading)]
    others = [i for i in range(len(facts)) if i not in unit]
    count = reading.buckets
    if profile.rows <= reading.limit:  # then the scores themselves are the groups
        return [(list(range(len(facts))), Layout.covering(0.0, 1.0, count))]
    batches = [(unit, Layout.covering(0.0, 1.0, count))] if unit else []
    covering = Layout.covering
    return batches + [([i], covering(facts[i].low, facts[i].high, count)) for i in others]


def _is_unit(facts: Facts, reading: Reading) -> bool:
    return reading.needs_probabilities or (facts.low >= 0.0 and facts.high <= 1.0)


def _grouping(
    roles: Roles, reading: Reading, profile: Profile, batch: Sequence[int], *, is_hard: bool
) -> Grouping:
    facts = [profile.facts[f"s{i}"] for i in batch]
    rest = [profile.facts[own] for own in ("y", "w") if own in profile.facts]
    outside = any(one.low < 0.0 or one.high > 1.0 for one in facts)
    largest = max(max(abs(one.low), abs(one.high)) for one in facts)
    return Grouping(
        scores=tuple(f"s{i}" for i in batch),
        groups=tuple(f"g{i}" for i in range(len(roles.groups))),
        is_counts=is_hard and roles.weight is None,
        has_weights=roles.weight is not None,
        is_short=profile.rows * max(LIMBS) <= _EXACT,
        scale=_scale(largest) if outside and not reading.needs_probabilities else 1.0,
        is_checked=any(one.wrong for one in (*facts, *rest))
        or bool(roles.raters and profile.facts["y"].below)
        or (outside and reading.needs_probabilities),
        needs_probabilities=reading.needs_probabilities,
    )


def _scale(largest: float) -> float:
    """Return a power of two that no score exceeds by much, far enough from the ends of float64."""
    return 2.0 ** min(max(math.frexp(largest)[1], -900), 1023)


# -- what is said --------------------------------------------------------------------------------


def _refuse_changes(
    parts: Mapping[Place, Tally],
    dropped: Mapping[Place, int],
    profile: Profile,
    scores: int,
) -> None:
    """Raise unless the passes have seen the same rows: each tally is of one state of the data."""
    seen = sum(part.total_count for part in parts.values()) + sum(dropped.values())
    if seen != profile.rows * scores:
        raise InputError(
            f"The table changed while it was read: first {profile.rows:,} rows, then "
            f"{seen // scores:,}.",
            "read from a copy or a snapshot that nobody writes to.",
        )


def _refuse_overflow(name: Name, parts: Mapping[Place, Tally]) -> None:
    with np.errstate(over="ignore"):
        total = sum(part.total_up + part.total_right for part in parts.values())
    if not math.isfinite(total):
        raise WeightError(
            "adds up to more than float64 can hold.",
            "divide all weights by a constant; only their proportions matter.",
            column=name,
        )


def _warn_of_dropped(gathered: Gathered, rows: int, *, voted: bool) -> None:
    for name in dict.fromkeys(name for name, _ in gathered.parts):
        lost = sum(n for (score, _), n in gathered.dropped.items() if score == name)
        if lost == rows:
            raise LabelError(
                f"No row can be used for column {name!r}.",
                "every row lacks a label, a score or a weight that can be used.",
            )
        if lost:
            warned = DroppedRowsWarning(rows, count=lost).at(column=name)
            warn(warned.of_votes() if voted else warned)


def _warn_of_mistakes(name: Name, parts: Mapping[Key, Tally], *, is_hard: bool) -> None:
    """Warn when the scores look like predicted classes, or the columns look swapped."""
    scores = [part.scores for key, part in parts.items() if key[0] == name]
    few = np.unique(np.concatenate(scores)) if max(map(len, scores)) <= 2 else np.arange(3.0)
    if any(part.is_bucketed for part in parts.values()) or len(few) != 2:
        return
    count = sum(part.total_count for key, part in parts.items() if key[0] == name)
    if is_hard and few.tolist() == [0.0, 1.0]:
        text = "The scores are all 0 or 1, so the curve has one corner."
        hint = "use probabilities, not predicted classes."
        warn(HardScoresWarning(text, hint).at(column=name))
    elif not is_hard and count > 3:
        what = "The labels look like probabilities and ", Column(name), " takes only two values."
        warn(SwappedArgumentsWarning(what, "were they swapped?"))
