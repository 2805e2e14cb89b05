"""What a table of a paper holds, and how its numbers are written."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rocwalk.methods import Methods
from rocwalk.report.numbers import rate

Ends = tuple[float, float, float]  # a value, and both ends of its interval


@dataclass(frozen=True, eq=False)
class TableContent:
    """The words of a table; `widths` are the shares of its columns where texts are long."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    methods: Methods
    widths: tuple[float, ...] | None = None


def with_interval(ends: Ends, digits: int = 3) -> str:
    """Write a number with its interval, in the same digits; without one the number alone.

    >>> with_interval((0.88561, 0.8559, 0.9097)), with_interval((0.5, math.nan, math.nan))
    ('0.886 (0.856 to 0.910)', '0.500')
    """
    value, low, high = ends
    words = rate(value, digits)
    if math.isnan(low) or math.isnan(high):
        return words
    return f"{words} ({rate(low, digits)} to {rate(high, digits)})"


def distinct(names: list[str]) -> list[str]:
    """Return names of which no two are equal: later ones are numbered.

    >>> distinct(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    found: list[str] = []
    for name in names:
        other, count = name, 1
        while other in found:
            count += 1
            other = f"{name} ({count})"
        found.append(other)
    return found
