"""Times of rows, as dates or numbers, and the windows that they make."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import numpy as np

from rocwalk.checks import as_whole
from rocwalk.errors import Argument, ColumnError, Option, OptionError
from rocwalk.read.frames import Name, Table, objects
from rocwalk.read.labels import plain
from rocwalk.typing import AnyArray

_RELATIVE = ("now", "today")
CALENDAR = {"hour": "1h", "day": "1D", "week": "1W", "month": "1M", "quarter": "3M", "year": "12M"}
_SPAN = re.compile(r"([1-9]\d{0,5})([hDWM])")
_FIRST = {"h": "1969-12-29", "D": "1969-12-29", "W": "1969-12-29", "M": "1970-01"}  # a Monday
_HOURS = {unit: np.timedelta64(n, "h") for unit, n in {"h": 1, "D": 24, "W": 168}.items()}
_OFFSET = re.compile(r".*\d[T ]\d\d:?\d\d.*(?:Z|z|[+-]\d\d(?::?\d\d)?)")


def shown_moment(moment: Any) -> Any:
    """Return a time as it is shown: a date without the time of day where there is none."""
    if isinstance(moment, np.datetime64):
        day = moment.astype("datetime64[D]")
        return str(day if day == moment else moment.astype("datetime64[s]"))
    return plain(moment)


_FORMS = "write dates as 2024-05-31 or 2024-05-31T12:00, or pass numbers."


def times_of(table: Table, name: Name) -> AnyArray:
    """Return a column of times as datetimes or numbers, or raise at the first that is neither.

    Times with an offset from UTC become times in UTC.
    """
    column = table[name]
    if column.dtype.kind in "iu":
        return column
    if column.dtype.kind in "OU":
        # NumPy reads some words as the moment at which it does so
        is_changed = [_is_relative(one) or _has_offset(one) for one in column]
        if any(is_changed):
            column = objects([_plain_time(one) for one in column])
    try:
        times = column if column.dtype.kind == "f" else np.array(column, dtype="datetime64[us]")
    except (TypeError, ValueError):
        times = np.full(len(column), np.datetime64("NaT"), dtype="datetime64[us]")
        for row, value in enumerate(column):
            with suppress(ValueError):
                times[row] = np.datetime64(str(value), "us")
    lost = np.isnan(times) if times.dtype.kind == "f" else np.isnat(times)
    if lost.any():
        row = int(np.flatnonzero(lost)[0])
        value = table[name][row]
        what, hint = f"is {str(value)!r}, neither a date nor a number.", _FORMS
        if value is None or value != value:  # noqa: PLR0124  # NaN and NaT are not themselves
            what, hint = "is missing (NaN or null).", "leave out rows without a time first."
        raise ColumnError(
            what,
            hint,
            column=name,
            **table.where(row),
        )
    return times


def _is_relative(value: Any) -> bool:
    return isinstance(value, str) and value.lower() in _RELATIVE


def _has_offset(value: Any) -> bool:
    if isinstance(value, datetime):
        return value.tzinfo is not None
    return isinstance(value, str) and _OFFSET.fullmatch(value) is not None


def _plain_time(value: Any) -> Any:
    """Return a time with an offset in UTC, "" for a relative time, and any other unchanged."""
    if _is_relative(value):
        return ""
    if not _has_offset(value):
        return value
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    except ValueError:
        return ""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat()


# -- windows ---------------------------------------------------------------------------------------


def check_window(window: Any) -> int | str:
    """Return a window, a span of the calendar or a number of rows, or raise.

    >>> check_window("quarter"), check_window("7D"), check_window(500)
    ('quarter', '7D', 500)
    """
    if isinstance(window, str):
        if window not in CALENDAR and _SPAN.fullmatch(window) is None:
            known = ", ".join(map(repr, CALENDAR))
            spans = "a span such as '7D' (h hours, D days, W weeks, M months)"
            hint = (Argument("window"), f" is one of {known}, {spans}, or a number of rows.")
            raise OptionError("is not known.", hint, option="window", value=window)
        return window
    return as_whole("window", window, 1, "pass a whole number, or 'month'.")


def refuse_numbers(times: AnyArray, window: int | str) -> None:
    """Raise if windows of the calendar are asked for, and the times are numbers."""
    if isinstance(window, str) and times.dtype.kind != "M":
        hint = ("pass how many rows make a window, such as ", Option("window", 500), ".")
        what = "needs dates, and the times are numbers."
        raise OptionError(what, hint, option="window", value=window)


def period_numbers(times: AnyArray, window: str) -> AnyArray:
    """Return the number of the calendar window that each time lies in; successive ones differ by 1.

    Weeks begin on Monday; spans of several hours, days or weeks count from Monday 1969-12-29, and
    of several months from January 1970, so that windows do not depend on the data.
    """
    count, unit = _span(window)
    if unit == "M":
        since = times.astype("datetime64[M]") - np.datetime64(_FIRST[unit], "M")
        return since.astype(np.int64) // count
    hours: AnyArray = (times - np.datetime64(_FIRST[unit], "us")) // _HOURS[unit]
    return hours // count


def period_starts(numbers: AnyArray, window: str) -> AnyArray:
    """Return when the calendar windows of these numbers begin.

    >>> at = np.array(["2024-05-31T12:00"], dtype="datetime64[us]")
    >>> for window in ("hour", "week", "quarter", "7D"):
    ...     print(period_starts(period_numbers(at, window), window)[0])
    2024-05-31T12:00:00.000000
    2024-05-27T00:00:00.000000
    2024-04-01T00:00:00.000000
    2024-05-27T00:00:00.000000
    """
    count, unit = _span(window)
    if unit == "M":
        months: AnyArray = np.datetime64(_FIRST[unit], "M") + numbers * count
        return months.astype("datetime64[us]")
    return np.datetime64(_FIRST[unit], "us") + numbers * count * _HOURS[unit]


def _span(window: str) -> tuple[int, str]:
    """Return how many hours, days, weeks or months a window of the calendar has, and of which."""
    words = CALENDAR.get(window, window)
    return int(words[:-1]), words[-1]


def window_cuts(times: AnyArray, window: int | str) -> list[int]:
    """Return where windows begin and end in the ordered times: calendar units, or so many rows."""
    count, window = len(times), check_window(window)
    if isinstance(window, str):
        refuse_numbers(times, window)
        units = period_numbers(times, window)
        return [0, *(np.flatnonzero(units[1:] != units[:-1]) + 1).tolist(), count]
    return [*range(0, count, window), count]
