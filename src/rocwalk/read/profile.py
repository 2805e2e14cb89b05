"""Profiles: what has to be known of a lazy table before its rows are grouped.

One pass of plain sums, minima and maxima says which values cannot be used, where the scores lie,
and what the labels mean. narwhals puts the same question to every engine. Three rules keep the
answers alike: a column is computed first and then aggregated bare, a gap is filled before it is
asked whether it is a number (NaN of a gap is a gap), and booleans are added up as integers.
A gap is filled with infinity, which cannot be used either: what pandas fills with NaN stays a gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.read.frames import Name, decimal_to_float
from rocwalk.read.labels import is_missing
from rocwalk.read.lazy import Run

NAN, GAP = float("nan"), float("inf")


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
    below: int = 0  # how many are negative, −infinity among them
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
    if dtype == nw.Boolean:  # Dask makes no integers of booleans with gaps
        whole = as_integer(column.fill_null(value=False)).cast(nw.Float64)
        return nw.when(column.is_null()).then(nw.lit(GAP)).otherwise(whole)
    floats = decimal_to_float(column) if dtype.is_decimal() else column.cast(nw.Float64)
    return (floats + 0.0).fill_null(GAP)  # a sum may make a gap of NaN


def as_integer(flag: Any) -> Any:
    """Return a boolean expression without gaps as 0 and 1; PostgreSQL does not cast it so."""
    import narwhals.stable.v2 as nw

    return nw.when(flag).then(nw.lit(1)).otherwise(nw.lit(0)).cast(nw.Int64)


def is_gap(name: Name, dtype: Any) -> Any:
    """Return whether a value is missing or NaN."""
    import narwhals.stable.v2 as nw

    column = nw.col(str(name))
    if not dtype.is_float():
        return column.is_null()
    return column.is_null() | column.fill_null(0.0).is_nan()


def is_number(dtype: Any) -> bool:
    """Whether a column of this type holds numbers or booleans."""
    import narwhals.stable.v2 as nw

    return bool(dtype.is_numeric() or dtype == nw.Boolean)


_COUNTS = ("zeros", "ones", "minus_ones", "below")
_ENDS = ("low", "high", "other_low", "other_high")


def take_profile(
    frame: Any,
    plain: Sequence[str],
    closer: Sequence[str],
    run: Run,
    *,
    nan_is_greatest: bool = False,
) -> Profile:
    """Look once through columns of numbers of a lazy frame, at some of them `closer`.

    Where NaN is greatest, finite extremes of a plain column prove that all of it is finite, and no
    value needs to be tested. If they are not finite, the frame is looked through again.
    """
    import narwhals.stable.v2 as nw

    def extremes(name: str, source: str, prefix: str) -> list[Any]:
        column = nw.col(f"{name}_{source}")
        low, high = f"{name}_{prefix}low", f"{name}_{prefix}high"
        return [column.min().alias(low), column.max().alias(high)]

    columns: list[Any] = []
    sums: list[Any] = [nw.len().alias("rows")]
    for name in (*plain, *closer):
        value = nw.col(name)
        finite = value.is_finite()
        is_bare = nan_is_greatest and name in plain
        known = value if is_bare else nw.when(finite).then(value)
        columns.append(known.alias(f"{name}_finite"))
        sums.append(nw.col(f"{name}_finite").count().alias(f"{name}_fine"))
        sums += extremes(name, "finite", "")
        if name not in closer:
            continue
        flags = {"zeros": value == 0.0, "ones": value == 1.0, "minus_ones": value == -1.0}
        is_other = finite & ~(flags["zeros"] | flags["ones"] | flags["minus_ones"])
        flags["below"] = value < 0.0
        columns += [as_integer(flag).alias(f"{name}_{what}") for what, flag in flags.items()]
        columns.append(nw.when(is_other).then(value).alias(f"{name}_other"))
        sums += [nw.col(f"{name}_{what}").sum() for what in flags]
        sums += extremes(name, "other", "other_")
    answer = run(frame.with_columns(*columns).select(*sums))
    values = {name: column[0] for name, column in answer.items()}
    rows = _whole(values["rows"])
    facts = {}
    for name in (*plain, *closer):
        found: dict[str, Any] = {what: values.get(f"{name}_{what}") for what in (*_COUNTS, *_ENDS)}
        counts: dict[str, Any] = {what: _whole(found[what]) for what in _COUNTS}
        ends: dict[str, Any] = {
            what: NAN if found[what] is None else float(found[what]) + 0.0 for what in _ENDS
        }
        facts[name] = Facts(wrong=rows - _whole(values[f"{name}_fine"]), **counts, **ends)
    bare = [facts[name] for name in plain] if nan_is_greatest else []
    if not all(np.isfinite([one.low, one.high]).all() for one in bare):
        return take_profile(frame, plain, closer, run)
    return Profile(rows, facts)


def _whole(value: Any) -> int:
    """Return a sum of integers, of which there may be none."""
    return 0 if is_missing(value) else int(value)


def distinct_values(frame: Any, own: str, run: Run, most: int) -> list[Any]:
    """Return some of the values that a column takes, sorted; missing ones are none."""
    import narwhals.stable.v2 as nw

    column = nw.col(own)
    some = frame.select(column).filter(~column.is_null()).unique().head(most)
    return sorted(run(some)[own].tolist(), key=str)
