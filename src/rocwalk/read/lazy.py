"""A profile: what has to be known of a lazy table before its rows are grouped.

One pass of plain sums, minima and maxima says which values cannot be used, where the scores lie,
and what the labels mean. narwhals puts the same question to every engine. Three habits keep the
answers alike: a column is computed first and then aggregated bare, a gap is filled before it is
asked whether it is a number (NaN of a gap is a gap), and truth values are added up as integers.
A gap is filled with infinity, which cannot be used either: what pandas fills with NaN stays a gap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import ColumnError, Option, OptionError, ScoreError, Text, WeightError
from rocwalk.read.frames import (
    Name,
    Table,
    as_frame,
    frame_names,
    is_files,
    read_table,
    refuse_missing,
)

Run = Callable[[Any], Any]  # collects a lazy narwhals frame, as a pyarrow table


Where = Callable[[Name, str], Text]  # says where a column fails a test, if the table has an order


NAN, GAP = float("nan"), float("inf")


NOT_FINITE = "v IS NULL OR NOT isfinite(CAST(v AS DOUBLE))"


_EXACT_INTEGER = 2**53


@dataclass(frozen=True, slots=True)
class Facts:
    """What one column of numbers holds: values that are no finite numbers, and the extremes.

    The rest is only counted where it is asked for.
    """

    wrong: int
    low: float
    high: float
    zeros: int = 0
    ones: int = 0
    minus_ones: int = 0
    below: int = 0  # how many are negative
    other_low: float = NAN  # the extremes of what is none of 0, 1 and −1
    other_high: float = NAN

    @property
    def witnesses(self) -> list[float]:
        """Values that stand for all: those of 0, 1 and −1 that occur, and extremes of the rest."""
        counts = {0.0: self.zeros, 1.0: self.ones, -1.0: self.minus_ones}
        ends = {self.low, self.high, self.other_low, self.other_high}
        return sorted({*(value for value, n in counts.items() if n), *filter(np.isfinite, ends)})


@dataclass(frozen=True, slots=True)
class Profile:
    """How many rows there are, and the facts of each column of numbers by its name here."""

    rows: int
    facts: Mapping[str, Facts]


def number(name: Name, dtype: Any) -> Any:
    """Return a column as floats, with zeros of one sign; infinity stands for a gap."""
    import narwhals.stable.v2 as nw

    column = nw.col(str(name))
    if dtype == nw.Boolean:  # Dask makes no integers of truth values with gaps
        whole = column.fill_null(value=False).cast(nw.Int64).cast(nw.Float64)
        return nw.when(column.is_null()).then(nw.lit(GAP)).otherwise(whole)
    return (column.cast(nw.Float64) + 0.0).fill_null(GAP)  # a sum may make a gap of NaN


def is_gap(name: Name, dtype: Any) -> Any:
    """Return whether a value is missing or NaN."""
    import narwhals.stable.v2 as nw

    column = nw.col(str(name))
    if not dtype.is_float():
        return column.is_null()
    return column.is_null() | column.fill_null(0.0).is_nan()


def is_number(dtype: Any) -> bool:
    """Whether a column of this type holds numbers or truth values."""
    import narwhals.stable.v2 as nw

    return bool(dtype.is_numeric() or dtype == nw.Boolean)


def refuse_text(name: Name, dtype: Any, what: str) -> None:
    """Raise unless a column of scores or weights holds numbers."""
    if not is_number(dtype):
        error = {"score": ScoreError, "weight": WeightError}[what]
        raise error(
            f"is of type {dtype}, not of numbers.",
            f"convert the column before it is used as a {what}.",
            column=name,
        )


def take_profile(frame: Any, plain: Sequence[str], closer: Sequence[str], run: Run) -> Profile:
    """Look once through columns of numbers of a lazy frame, at some of them `closer`."""
    import narwhals.stable.v2 as nw

    flags = [_finite(name) for name in (*plain, *closer)]
    flags += [flag for name in closer for flag in _closer_flags(name)]
    sums = [nw.col(f"{name}_finite").count().alias(f"{name}_fine") for name in (*plain, *closer)]
    sums += [nw.col(f"{name}_{count}").sum() for name in closer for count in _COUNTS]
    ends = [end for name in (*plain, *closer) for end in _extremes(name, "finite", "")]
    ends += [end for name in closer for end in _extremes(name, "other", "other_")]
    answer = run(frame.with_columns(*flags).select(nw.len().alias("rows"), *sums, *ends))
    values = {name: answer.column(name)[0].as_py() for name in answer.column_names}
    facts = {name: _facts(values, name) for name in (*plain, *closer)}
    return Profile(int(values["rows"] or 0), facts)


_COUNTS = ("zeros", "ones", "minus_ones", "below")


_ENDS = ("low", "high", "other_low", "other_high")


def _finite(name: str) -> Any:
    """Return the values of a column that are finite, and gaps for the others."""
    import narwhals.stable.v2 as nw

    return nw.when(nw.col(name).is_finite()).then(nw.col(name)).alias(f"{name}_finite")


def _closer_flags(name: str) -> list[Any]:
    import narwhals.stable.v2 as nw

    value, finite = nw.col(name), nw.col(name).is_finite()
    is_other = finite & ~((value == 0.0) | (value == 1.0) | (value == -1.0))
    return [
        (value == 0.0).cast(nw.Int64).alias(f"{name}_zeros"),
        (value == 1.0).cast(nw.Int64).alias(f"{name}_ones"),
        (value == -1.0).cast(nw.Int64).alias(f"{name}_minus_ones"),
        (finite & (value < 0.0)).cast(nw.Int64).alias(f"{name}_below"),
        nw.when(is_other).then(value).alias(f"{name}_other"),
    ]


def _extremes(name: str, source: str, prefix: str) -> list[Any]:
    import narwhals.stable.v2 as nw

    return [
        nw.col(f"{name}_{source}").min().alias(f"{name}_{prefix}low"),
        nw.col(f"{name}_{source}").max().alias(f"{name}_{prefix}high"),
    ]


def _facts(values: Mapping[str, Any], name: str) -> Facts:
    def count(what: str) -> int:
        return int(values.get(f"{name}_{what}") or 0)

    def end(what: str) -> float:
        value = values.get(f"{name}_{what}")
        return NAN if value is None else float(value) + 0.0

    counts: dict[str, Any] = {what: count(what) for what in _COUNTS}
    ends: dict[str, Any] = {what: end(what) for what in _ENDS}
    return Facts(wrong=int(values["rows"] or 0) - count("fine"), **counts, **ends)


# -- what cannot be used -------------------------------------------------------------------------


def rows_words(count: int, rows: int) -> str:
    """Say in how many rows something is so."""
    return f"{count:,} of {rows:,} rows"


def refuse_wrong(profile: Profile, names: Mapping[str, Name], where: Where) -> None:
    """Raise at the first column with values that are no finite numbers, and count them."""
    for own, name in names.items():
        facts = profile.facts[own]
        if facts.wrong:
            error = WeightError if own == "w" else ScoreError
            raise error(
                (
                    f"is NaN, missing or infinite in {rows_words(facts.wrong, profile.rows)}",
                    where(name, NOT_FINITE),
                    ".",
                ),
                (
                    "every row needs a finite number; ",
                    Option("invalid", "drop"),
                    " drops such rows.",
                ),
                column=name,
            )


def refuse_huge_integers(name: Name, dtype: Any, facts: Facts) -> None:
    """Raise if a column of integers has some that floats may not tell apart.

    The integers have become floats by then: what has become 2⁵³ may have been 2⁵³ + 1.
    """
    if dtype.is_integer() and max(abs(facts.low), abs(facts.high)) >= _EXACT_INTEGER:
        raise ScoreError(
            f"has integers up to {max(abs(facts.low), abs(facts.high)):g}, which float64 cannot "
            "hold exactly.",
            "subtract a constant or rank the values first, so that unequal ones stay unequal.",
            column=name,
        )


def refuse_negative_weights(name: Name, facts: Facts, rows: int, where: Where) -> None:
    """Raise if a weight is negative: a mistake in the whole column, not rows to drop."""
    if facts.below:
        raise WeightError(
            (f"is negative in {rows_words(facts.below, rows)}", where(name, "v < 0"), "."),
            "weights are finite and not negative; a row of weight 0 is left out.",
            column=name,
        )


def refuse_lists(name: Name, dtype: Any) -> None:
    """Raise if a column cannot make groups."""
    if dtype.is_nested():
        raise ColumnError(
            "cannot make groups.",
            "use a column of one type: text, numbers, booleans or dates, and no lists.",
            column=name,
        )


# -- which tables stay where they are, and how what comes back of them is collected ----------------


Progress = Callable[[int, int], None]  # how much is done, and of how much


MEMORY_LIMIT = "1GB"


_UNITS = {"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}


@dataclass(frozen=True, slots=True)
class LazySource:
    """A lazy narwhals frame, and the function that collects what is asked of it."""

    frame: Any
    run: Run
    aliases: Mapping[Name, str]

    def column(self, name: Name) -> str:
        """Return what a column is called in the frame."""
        return self.aliases.get(name, str(name))

    def where(self, name: Name, test: str) -> Text:  # noqa: ARG002
        """Say where the first rows are whose value fails a test; a lazy frame has no order."""
        return ""


def stays_lazy(
    data: Any, roles: Mapping[Name, str], limit: int | None, memory_limit: str | None
) -> bool:
    """Whether a table is tallied where it is: a lazy one, or one that is too large.

    Too large are files that do not fit well into the memory that they may take, and whatever has
    more rows than a `limit` that is given. Files that have a limit are not looked into for that.
    """
    if is_files(data):
        return limit is not None or is_large(data, roles, memory_limit)
    if isinstance(data, Table | Mapping) and limit is None:
        return False
    frame = _as_frame(data, roles)
    return _is_lazy(frame) or (limit is not None and len(frame) > limit)


def is_large(data: Any, roles: Mapping[Name, str], memory_limit: str | None) -> bool:
    """Whether files or a lazy table are too large to be read into memory."""
    from rocwalk.read.relations import fits_memory, need_of_rows

    if is_files(data):
        return not fits_memory(data, len(roles), memory_limit)
    if isinstance(data, Table | Mapping) or not _is_lazy(frame := _as_frame(data, roles)):
        return False
    import narwhals.stable.v2 as nw

    rows = int(_collect(frame.select(nw.len().alias("rows"))).column("rows")[0].as_py())
    return need_of_rows(rows, len(roles)) > bytes_of(memory_limit)


@contextmanager
def open_lazy(
    data: Any, roles: Mapping[Name, str], memory_limit: str | None, progress: Progress | None
) -> Iterator[LazySource]:
    """Give files or a dataframe as a lazy table."""
    if is_files(data):
        from rocwalk.read.relations import open_relation

        with open_relation(data, roles, memory_limit, progress) as relation:
            yield relation
    else:
        yield LazySource(_as_frame(data, roles).lazy(), _collect, {})


def _as_frame(data: Any, roles: Mapping[Name, str]) -> Any:
    """Return a narwhals frame of a dataframe or of a dict of columns."""
    if isinstance(data, Table | Mapping):
        import narwhals.stable.v2 as nw
        import pyarrow as pa

        table = read_table(data, roles)
        columns = {str(name): pa.array(table[name], from_pandas=True) for name in roles}
        return nw.from_native(pa.table(columns))
    frame = as_frame(data)
    names = frame_names(frame)
    refuse_missing(roles, names, "the dataframe")
    kind = frame.implementation
    if _is_lazy(frame) and not (kind.is_polars() or kind.is_dask()):
        _refuse_twins(roles, names)
    return frame


def _refuse_twins(wanted: Iterable[Name], names: Sequence[Name]) -> None:
    """Raise if a column is like another but for case: in SQL the two are one."""
    for name in wanted:
        for other in names:
            if other != name and str(other).casefold() == str(name).casefold():
                raise ColumnError(
                    f"The columns {name!r} and {other!r} differ in case only.",
                    "rename one of them: to this engine they are the same.",
                )


def _is_lazy(frame: Any) -> bool:
    import narwhals.stable.v2 as nw

    return isinstance(frame, nw.LazyFrame)


def _collect(frame: Any) -> Any:
    return frame.collect("pyarrow").to_native()


# -- amounts of memory ---------------------------------------------------------------------------


def bytes_of(memory_limit: str | None) -> float:
    """Return how many bytes a limit such as "512MB" means.

    >>> bytes_of("1.5 GB")
    1500000000.0
    """
    given: Any = MEMORY_LIMIT if memory_limit is None else memory_limit
    text = given.strip().upper() if isinstance(given, str) else ""
    for unit, size in sorted(_UNITS.items(), key=lambda pair: -len(pair[0])):
        if text.endswith(unit):
            try:
                amount = float(text.removesuffix(unit))
            except ValueError:
                break
            if 0 < amount < float("inf"):
                return amount * size
    raise OptionError(
        "is not an amount of memory.",
        'write a number and a unit, as in "512MB" or "2GB".',
        option="memory_limit",
        value=memory_limit,
    )
