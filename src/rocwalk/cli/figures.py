"""How the tables write numbers with their intervals."""

from __future__ import annotations

from collections.abc import Callable

from rocwalk.page.numbers import rate, signed

_FEWEST_DIGITS = 3
_ROUNDING = 1e-9  # ends nearer than this are the same


def rate_with_ends(value: float, low: float, high: float) -> str:
    """Write a rate with its interval, in as many digits as tell the ends apart.

    >>> rate_with_ends(0.88561, 0.8559, 0.9097), rate_with_ends(0.602113, 0.602108, 0.602119)
    ('0.8856 (0.856 to 0.910)', '0.60211 (0.60211 to 0.60212)')
    """
    return _with_ends(rate, value, low, high)


def signed_with_ends(value: float, low: float, high: float) -> str:
    """Write a difference with its interval, in as many digits as tell the ends apart.

    >>> signed_with_ends(0.019, 0.012, 0.0261), signed_with_ends(1e-5, -2e-5, 4e-5)
    ('+0.0190 (+0.012 to +0.026)', '+0.00001 (−0.00002 to +0.00004)')
    """
    return _with_ends(signed, value, low, high)


def _with_ends(write: Callable[[float, int], str], value: float, low: float, high: float) -> str:
    digits = _FEWEST_DIGITS
    while 10.0**-digits > high - low > _ROUNDING:
        digits += 1
    ends = f"{write(low, digits)} to {write(high, digits)}"
    return f"{write(value, max(digits, _FEWEST_DIGITS + 1))} ({ends})"
