"""Checks of options that many functions have: a number, a whole number, one of several words."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from rocwalk.errors import Argument, OptionError, Text


def as_number(argument: str, value: Any) -> float:
    """Return the value as a float, or raise if it is not one number; NaN is not.

    >>> as_number("fpr", 1)
    1.0
    """
    try:
        number = math.nan if isinstance(value, str | bytes | bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if math.isnan(number):
        hint = ("pass one number as ", Argument(argument), ".")
        raise OptionError("is not a number.", hint, option=argument, value=value)
    return number


def as_whole(argument: str, value: Any, least: int, hint: Text = "") -> int:
    """Return the value as a whole number that is not smaller than `least`, or raise.

    >>> as_whole("buckets", 64.0, 2)
    64
    >>> as_whole("buckets", 1, 2)
    Traceback (most recent call last):
        ...
    rocwalk.errors.OptionError: buckets=1 is smaller than 2.
    Hint: pass a whole number of 2 or more.
    """
    number = as_number(argument, value)
    is_whole = number.is_integer()
    if not is_whole or number < least:
        what = f"is smaller than {least}." if is_whole else "is not a whole number."
        hint = hint or f"pass a whole number of {least} or more."
        raise OptionError(what, hint, option=argument, value=value)
    return int(number)


def one_of(argument: str, value: object, allowed: Collection[str]) -> None:
    """Raise unless `value` is one of the allowed words."""
    if value not in allowed:
        hint = (Argument(argument), f" is one of {', '.join(map(repr, allowed))}.")
        raise OptionError("is not known.", hint, option=argument, value=value)
