"""A profile: what has to be known of a lazy table before its rows are grouped.

One pass of plain sums, minima and maxima says which values cannot be used, where the scores lie,
and what the labels mean. narwhals puts the same question to every engine. Three habits keep the
answers alike: a column is computed first and then aggregated bare, a gap is filled before it is
asked whether it is a number (NaN of a gap is a gap), and truth values are added up as integers.
A gap is filled with infinity, which cannot be used either: what pandas fills with NaN stays a gap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import ColumnError, ScoreError, WeightError
from rocwalk.intake.frames import Name

Run = Callable[[Any], Any]  # collects a lazy narwhals frame, as a pyarrow table
Where = Callable[[Name, str], str]  # says where a column fails a test, if the table has an order

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
            f"Column {name!r} is of type {dtype}, not of numbers.",
            f"convert the column before it is used as a {what}.",
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
                f"Column {name!r} is NaN, missing or infinite in "
                f"{rows_words(facts.wrong, profile.rows)}{where(name, NOT_FINITE)}.",
                'every row needs a finite number; invalid="drop" leaves such rows out and says so.',
            )


def refuse_huge_integers(name: Name, dtype: Any, facts: Facts) -> None:
    """Raise if a column of integers has some that floats may not tell apart.

    The integers have become floats by then: what has become 2⁵³ may have been 2⁵³ + 1.
    """
    if dtype.is_integer() and max(abs(facts.low), abs(facts.high)) >= _EXACT_INTEGER:
        raise ScoreError(
            f"Column {name!r} has integers up to {max(abs(facts.low), abs(facts.high)):g}, "
            "which float64 cannot hold exactly.",
            "subtract a constant or rank the values first, so that unequal ones stay unequal.",
        )


def refuse_negative_weights(name: Name, facts: Facts, rows: int, where: Where) -> None:
    """Raise if a weight is negative: a mistake in the whole column, not rows to drop."""
    if facts.below:
        raise WeightError(
            f"Column {name!r} is negative in {rows_words(facts.below, rows)}"
            f"{where(name, 'v < 0')}.",
            "weights are finite and not negative; a row of weight 0 is left out.",
        )


def refuse_lists(name: Name, dtype: Any) -> None:
    """Raise if a column cannot make groups."""
    if dtype.is_nested():
        raise ColumnError(
            f"Column {name!r} cannot make groups.",
            "use a column of one type: text, numbers, booleans or dates, and no lists.",
        )
