"""What a power analysis is given: shares, areas, counts, correlations."""

from __future__ import annotations

import math
from typing import Any

from rocwalk.errors import OptionError, as_number


def correlations(given: Any) -> tuple[float, float]:
    """Return the correlation among the positives and among the negatives."""
    if given is None:
        return 0.0, 0.0
    both = tuple(given) if isinstance(given, tuple | list) else (given, given)
    if len(both) != 2 or not all(-1 <= as_number("correlation", one) <= 1 for one in both):
        raise OptionError(
            f"correlation={given!r} is not a correlation.",
            "pass a number from -1 to 1, or one for the positives and one for the negatives.",
        )
    return float(both[0]), float(both[1])


def share(argument: str, value: Any) -> float:
    """Return a number strictly between 0 and 1, or raise."""
    if not 0 < as_number(argument, value) < 1:
        raise OptionError(
            f"{argument}={value!r} is outside (0, 1).", f"pass {argument} between 0 and 1."
        )
    return float(value)


def an_area(argument: str, value: Any) -> float:
    """Return a number from 0 to 1, or raise."""
    if value is None:
        raise OptionError(f"{argument} is missing.", "give both areas, or a pilot.")
    if not 0 <= as_number(argument, value) <= 1:
        raise OptionError(
            f"{argument}={value!r} is outside [0, 1].", "an area lies between 0 and 1."
        )
    return float(value)


def positive(argument: str, value: Any) -> float:
    """Return a finite number above 0, or raise."""
    if not 0 < as_number(argument, value) < math.inf:
        raise OptionError(
            f"{argument}={value!r} is not a positive number.", "1 means as many of each class."
        )
    return float(value)


def whole(argument: str, value: Any) -> int:
    """Return a whole number of 1 or more, or raise."""
    if value is None:
        raise OptionError(f"{argument} is missing.", "give both numbers of items.")
    number = as_number(argument, value)
    if not 1 <= number < math.inf or number != int(number):
        raise OptionError(
            f"{argument}={value!r} is not a number of items.", "pass a whole number, such as 100."
        )
    return int(number)
