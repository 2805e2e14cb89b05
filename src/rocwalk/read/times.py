"""Times of rows, as dates or numbers, and the windows that they make."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from rocwalk.errors import ColumnError, Option, OptionError, as_whole, one_of
from rocwalk.read.frames import Name, Table
from rocwalk.typing import AnyArray

_RELATIVE = ("now", "today")
CALENDAR = {"day": "D", "week": "W", "month": "M", "year": "Y"}


def shown_moment(moment: Any) -> Any:
    """Return a time as it is shown: a date without the time of day where there is none."""
    if isinstance(moment, np.datetime64):
        day = moment.astype("datetime64[D]")
        return str(day if day == moment else moment.astype("datetime64[s]"))
    return moment.item() if isinstance(moment, np.generic) else moment


def times_of(table: Table, name: Name) -> AnyArray:
    """Return a column of times as datetimes or numbers, or raise at the first that is neither."""
    column = table[name]
    if column.dtype.kind in "iu":
        return column
    if column.dtype.kind in "OU":  # NumPy reads these words as the moment at which it does so
        relative = [isinstance(one, str) and one.lower() in _RELATIVE for one in column]
        column = np.where(relative, "", column) if any(relative) else column
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
        raise ColumnError(
            f"is {str(table[name][row])!r}, neither a date nor a number.",
            "write dates as 2024-05-31 or 2024-05-31T12:00, or pass numbers.",
            column=name,
            **table.where(row),
        )
    return times


def check_window(times: AnyArray, window: int | str) -> None:
    """Raise unless the window is a calendar unit of dates, or a number of rows."""
    if not isinstance(window, str):
        as_whole("window", window, 1, "pass a whole number, or 'month'.")
        return
    one_of("window", window, CALENDAR)
    if times.dtype.kind != "M":
        hint = ("pass how many rows make a window, such as ", Option("window", 500), ".")
        what = "needs dates, and the times are numbers."
        raise OptionError(what, hint, option="window", value=window)


def window_cuts(times: AnyArray, window: int | str) -> list[int]:
    """Return where windows begin and end in the ordered times: calendar units, or so many rows."""
    check_window(times, window)
    count = len(times)
    if isinstance(window, str):
        shift = np.timedelta64(3 if window == "week" else 0, "D")  # NumPy's weeks begin on Thursday
        units = (times + shift).astype(f"datetime64[{CALENDAR[window]}]")
        return [0, *(np.flatnonzero(units[1:] != units[:-1]) + 1).tolist(), count]
    return [*range(0, count, int(window)), count]
