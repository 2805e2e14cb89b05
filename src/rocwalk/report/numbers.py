"""How numbers and names are written in the page. `chart.js` writes numbers alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from typing import Any

import numpy as np

from rocwalk.texts import visible
from rocwalk.typing import FloatArray

_UNDEFINED = "undefined"
_LARGE = 1e15  # from here on numbers are written with an exponent
_FOUR_DIGITS = Context(prec=4, rounding=ROUND_HALF_UP)


def rate(value: float, digits: int = 4) -> str:
    """Write a rate with a fixed number of digits, halves rounded up; NaN is "undefined".

    Numbers whose digits before the point are not all known are written with an exponent; a minus is
    as wide as a plus.

    >>> rate(1 / 3), rate(-1e-17), rate(float("nan")), rate(1 / 32), rate(math.inf), rate(2e110)
    ('0.3333', '0.0000', 'undefined', '0.0313', '∞', '2.000e+110')
    >>> rate(-0.25, 2)
    '−0.25'
    """
    if math.isnan(value):
        return _UNDEFINED
    size = Decimal(float(abs(value)))
    if math.isinf(value):
        words = "∞"
    elif size >= _LARGE:
        words = f"{_FOUR_DIGITS.create_decimal(size):.3e}"
    else:
        size = size.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
        words = f"{size:,f}"
    return f"−{words}" if value < 0 and size else words


def signed(value: float, digits: int = 4) -> str:
    """Write a difference with its sign; a minus as wide as a plus.

    >>> signed(0.0123), signed(-0.0123), signed(0.0), signed(-1e-9)
    ('+0.0123', '−0.0123', '0.0000', '0.0000')
    """
    size = rate(abs(value), digits)
    if not any(sign in "123456789" for sign in size):
        return size
    return f"{'+' if value > 0 else '−'}{size}"


_FEWEST_OF_ENDS = 3
_MOST_OF_ENDS = 5
_ROUNDING = 1e-9  # ends nearer than this are the same


def with_ends(
    value: float,
    low: float | None,
    high: float | None,
    write: Callable[[float, int], str] = rate,
) -> str:
    """Write a rate, or a difference, with its interval if it has one.

    The ends have as many digits as tell them apart, and those of a difference as show their sign.

    >>> with_ends(0.88561, 0.8559, 0.9097), with_ends(0.5, None, None)
    ('0.8856 (0.856 to 0.910)', '0.5000')
    >>> with_ends(0.602113, 0.602108, 0.602119), with_ends(1e-5, -2e-5, 4e-5, signed)
    ('0.60211 (0.60211 to 0.60212)', '+0.00001 (−0.00002 to +0.00004)')
    >>> with_ends(0.0136, 0.0003, 0.0269, signed)
    '+0.0136 (+0.0003 to +0.0269)'
    """
    words, ends = value_and_ends(value, low, high, write)
    return f"{words} ({ends})" if ends else words


def value_and_ends(
    value: float,
    low: float | None,
    high: float | None,
    write: Callable[[float, int], str] = rate,
) -> tuple[str, str]:
    """Return the words of `with_ends` in two parts; without an interval the second is empty.

    >>> value_and_ends(0.88561, 0.8559, 0.9097), value_and_ends(0.5, None, None)
    (('0.8856', '0.856 to 0.910'), ('0.5000', ''))
    """
    digits = _FEWEST_OF_ENDS
    if low is None or high is None or (math.isnan(value) and math.isnan(low + high)):
        return write(value, digits + 1), ""
    while 10.0**-digits > high - low > _ROUNDING:
        digits += 1
    signs = [end for end in (low, high) if _ROUNDING < abs(end) < math.inf and write is signed]
    while digits < _MOST_OF_ENDS and any(signed(end, digits)[0] not in "+−" for end in signs):
        digits += 1
    ends = f"{write(low, digits)} to {write(high, digits)}"
    return write(value, max(digits, _FEWEST_OF_ENDS + 1)), ends


def apart(
    values: tuple[float, float, float], digits: int, other: float = math.nan
) -> tuple[str, str, str]:
    """Write a value and both ends in at least so many digits.

    There are as many as tell the ends apart from each other, and from a value that lies outside.

    >>> apart((98.4, 98.3, 98.48), 0), apart((107, 100.3, 114), 0, other=100)
    (('98.4', '98.3', '98.5'), ('107.0', '100.3', '114.0'))
    >>> apart((72.2, 69.4, 74.9), 0), apart((3.0, 3.0, 3.0), 0)
    (('72', '69', '75'), ('3', '3', '3'))
    """
    _, low, high = values
    for more in range(digits, digits + _MOST_MORE + 1):
        words = tuple(rate(x, more) for x in values)
        is_hidden = not low <= other <= high and rate(other, more) in words[1:]
        if not (words[1] == words[2] and high - low > _ROUNDING) and not is_hidden:
            break
    first, *ends = words
    return first, ends[0], ends[1]


_MOST_MORE = 3


def p_text(value: float) -> str:
    """Write a p-value; a very small one as a bound.

    >>> p_text(0.0312), p_text(0.0497), p_text(0.5), p_text(3e-9), p_text(float("nan"))
    ('0.0312', '0.0497', '0.500', '< 0.0001', 'undefined')
    """
    if math.isnan(value):
        return _UNDEFINED
    if value < 1e-4:
        return "< 0.0001"
    return f"{value:.3f}" if value >= 0.1 else f"{value:.3g}"


def p_words(value: float) -> str:
    r"""Write a p-value in a sentence.

    >>> p_words(0.0312), p_words(3e-9), p_words(float("nan"))
    ('p\xa0=\xa00.0312', 'p\xa0<\xa00.0001', 'p\xa0undefined')
    """
    words = p_text(value)
    return unbroken(f"p = {words}" if words[0].isdigit() else f"p {words}")


def level_words(level: float) -> str:
    r"""Write a level of confidence, or of a test, in as many digits as it has.

    >>> level_words(0.95), level_words(1 - 0.999)
    ('95\xa0%', '0.1\xa0%')
    """
    return f"{100 * level:g}\N{NO-BREAK SPACE}%"


def between(low: str, high: str) -> str:
    r"""Write two ends so that no line breaks between them.

    >>> between("0.1", "0.2")
    '0.1\xa0to\xa00.2'
    """
    return unbroken(f"{low} to {high}")


def unbroken(words: str) -> str:
    """Return words that stay on one line."""
    return words.replace(" ", "\N{NO-BREAK SPACE}")


def few_digits(values: FloatArray, digits: int = 6) -> list[float]:
    """Return numbers to six digits: more cannot be seen in a picture."""
    # plain floats are written far faster than those of NumPy
    return [float(f"{value:.{digits}g}") for value in np.asarray(values).tolist()]


def percent(value: float) -> str:
    r"""Write a share in percent.

    >>> percent(0.3726)
    '37.3\xa0%'
    """
    return f"{rate(100 * value, 1)}\N{NO-BREAK SPACE}%"


def count(mass: float, decimals: int) -> str:
    """Write a count, or a mass with at most so many decimals.

    >>> count(1230, 0), count(1234.5, 2), count(3.0, 4), count(1 / 3, 4), count(2e110, 0)
    ('1,230', '1,234.5', '3', '0.3333', '2.000e+110')
    """
    words = rate(mass, decimals)
    return words.rstrip("0").rstrip(".") if "." in words and "e" not in words else words


def outward(end: float, side: int) -> str:
    """Write an end of an interval in three digits, rounded down (−1) or up (1).

    So a value in the interval, in whatever digits, lies between the ends that are shown.

    >>> outward(0.0615782, -1), outward(0.0956, 1), outward(17, 1), outward(-math.inf, -1)
    ('0.0615', '0.0956', '17.0', '−∞')
    """
    if math.isinf(end):
        return "∞" if end > 0 else "−∞"
    rounding = ROUND_CEILING if side > 0 else ROUND_FLOOR
    short = Context(prec=3, rounding=rounding).create_decimal(Decimal(repr(float(end))))
    if short != 0:
        short = short.quantize(Decimal(1).scaleb(short.adjusted() - 2))
    small = 1e-6 <= abs(short) < 1e15 or short == 0
    return (f"{short:f}" if small else f"{short:.2e}").replace("-", "−", 1 if end < 0 else 0)


def rounded_up(bound: float) -> str:
    """Write a bound in two digits, rounded up.

    >>> rounded_up(9.61e-05)
    '0.000097'
    """
    return f"{Context(prec=2, rounding=ROUND_CEILING).create_decimal(Decimal(bound)):f}"


def decimals_of(total: float) -> int:
    """Return how many decimals of masses are shown and are sure, given their total.

    At least two, and more for small totals; never more than ten digits in all, far from what
    adding a million floats can disturb. Counts have none.

    >>> decimals_of(569), decimals_of(569.0), decimals_of(0.001), decimals_of(1e12)
    (0, 2, 7, 0)
    """
    if isinstance(total, int) or not total > 0:
        return 0
    power = math.floor(math.log10(total))
    return max(0, min(max(2, 4 - power), 9 - power))


_FEWEST_DIGITS, _ALL_DIGITS = 6, 17


def threshold(value: float, below: float = -math.inf) -> str:
    """Write a threshold in few digits that decide exactly as all its digits do.

    Any number in (below, value] decides alike. A rounded threshold that left this interval would
    be another rule, so digits are added until it stays.

    >>> threshold(0.38853881, 0.385), threshold(0.5), threshold(math.inf)
    ('0.388538', '0.5', '∞')
    """
    if math.isinf(value):
        return "∞"
    for digits in range(_FEWEST_DIGITS, _ALL_DIGITS + 1):
        near = Context(prec=digits, rounding=ROUND_HALF_UP).create_decimal(Decimal(value))
        unit = Decimal((0, (1,), int(near.as_tuple().exponent)))
        for short in (float(near), float(near - unit)):
            if below < short <= value:
                return _plain(short)
    return _plain(value)


def _plain(value: float) -> str:
    """Write a number as JavaScript does: few exponents, no trailing zeros."""
    if value == 0:
        return "0"
    if not 1e-6 <= abs(value) < 1e21:
        mantissa, power = f"{value!r}".split("e") if "e" in f"{value!r}" else (f"{value!r}", "0")
        return f"{mantissa.removesuffix('.0')}e{int(power):+d}"
    words = f"{Decimal(repr(value)):f}"
    return words.rstrip("0").rstrip(".") if "." in words else words


_LONGEST_NAME = 80


def shown(name: Any) -> str:
    r"""Return a name as it is shown: never blank, at most 80 characters, hidden ones spelled out.

    >>> shown("forest"), shown(" "), shown("a\u2028b"), len(shown("x" * 10_000))
    ('forest', '“ ”', 'a\\u2028b', 80)
    """
    words = visible("missing" if name is None else name)
    if len(words) > _LONGEST_NAME:
        words = f"{words[:54]}…{words[-25:]}"
    is_seen = any(sign.isprintable() and not sign.isspace() for sign in words)
    return words if is_seen else f"“{words}”"
