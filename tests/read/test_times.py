"""Times of rows, and the windows that they make."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

import rocwalk as rw
from rocwalk.errors import OptionError
from rocwalk.read.frames import Table, objects
from rocwalk.read.times import check_window, period_numbers, period_starts, times_of

WINDOWS = ["hour", "day", "week", "month", "quarter", "year", "7D", "12h", "2W", "6M"]


@pytest.mark.parametrize("window", WINDOWS)
def test_every_time_lies_in_its_window_before_and_after_1970(window):
    rng = np.random.default_rng(0)
    times = np.datetime64("1960-01-01T00:00:00", "us") + rng.integers(0, 3 * 10**15, 500)
    numbers = period_numbers(times, window)
    starts, ends = period_starts(numbers, window), period_starts(numbers + 1, window)
    assert (starts <= times).all()
    assert (times < ends).all()
    assert (period_numbers(starts, window) == numbers).all()


@pytest.mark.parametrize(
    ("window", "start"),
    [
        ("hour", "2024-05-31T12"), ("day", "2024-05-31"), ("week", "2024-05-27"), ("7D", "2024-05-27"),
        ("month", "2024-05-01"), ("quarter", "2024-04-01"), ("year", "2024-01-01"),
        ("6M", "2024-01-01"), ("12h", "2024-05-31T12"),
    ],
)  # fmt: skip
def test_where_windows_begin(window, start):
    at = np.array(["2024-05-31T12:34:56"], dtype="datetime64[us]")
    assert period_starts(period_numbers(at, window), window)[0] == np.datetime64(start)


@pytest.mark.parametrize("window", ["fortnight", "7", "0D", "D", "7d", "", "-1D", "1.5D"])
def test_words_that_are_no_windows(window):
    with pytest.raises(
        OptionError, match="is not known.\nHint: window is one of 'hour', 'day', 'we"
    ):
        check_window(window)


def test_offsets_become_utc_and_relative_times_are_refused():
    texts = [
        "2026-01-05T01:30:00+02:00",
        "2026-01-04T23:30:00Z",
        "2026-01-04 23:30:00",
        "2026-01-04T18:30-0500",
    ]
    aware = [
        datetime(2026, 1, 5, 1, 30, tzinfo=timezone(timedelta(hours=2))),
        datetime(2026, 1, 4, 23, 30, tzinfo=UTC),
    ]
    for values in (texts, aware):
        found = times_of(Table({"t": objects(values)}, "the dict"), "t")
        assert set(found) == {np.datetime64("2026-01-04T23:30:00")}
    for word in ("now", "soon", "2026-01-05T01:30+99:99"):
        with pytest.raises(rw.errors.ColumnError, match="neither a date nor a number"):
            times_of(Table({"t": objects([word])}, "the dict"), "t")


@pytest.mark.parametrize(("window", "count"), [("quarter", 3), ("7D", 51), ("hour", 359)])
def test_a_timeline_takes_them_too(window, count):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 3600)
    day = np.datetime64("2025-01-06") + np.arange(3600) // 10
    table = {"y": y, "p": rng.random(3600), "day": day}
    found = rw.drift_over_time(table, label="y", score="p", time="day", window=window)
    assert len(found.windows) == count
