"""`rw.drift_over_time`: windows of a dated table, each against a reference."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from rocwalk.errors import ColumnError, OptionError, as_number, one_of
from rocwalk.front.drift import sample_evidence
from rocwalk.intake.frames import GROUP, LABEL, NUMBER, Name, Table, read_table
from rocwalk.intake.tallies import tallies
from rocwalk.typing import AnyArray, IntArray
from rocwalk.uncertainty.drift import DriftQuestion
from rocwalk.uncertainty.evidence import Evidence, refuse_few
from rocwalk.uncertainty.timeline import DriftTimeline, Window, timeline_of

CALENDAR = {"day": "D", "week": "W", "month": "M", "year": "Y"}
_ADJUSTMENTS = ("holm", "bonferroni", "none")


def drift_over_time(
    data: Any,
    *,
    label: Name,
    score: Name,
    time: Name,
    window: int | str = "month",
    reference: Any = None,
    weight: Name | None = None,
    alpha: float = 0.05,
    adjustment: str = "holm",
    minimum: int = 20,
    fixed_reference: bool = False,
    pos_label: Any = None,
    truth: str = "auto",
    invalid: str = "raise",
) -> DriftTimeline:
    """Compare each window of a dated table with a reference.

    Parameters
    ----------
    data
        A dataframe, a dict of columns or files, as for `rocwalk.tallies`.
    label, score, time, weight
        Names of columns. Times are dates, ISO 8601 text, or numbers (with windows by count).
    window
        "day", "week" (from Monday), "month" or "year"; or how many
        rows make a window, in order of time. A last window of fewer rows is kept and said so by its
        number of items.
    reference
        A pair (y_true, y_prob) or a `Tally`; without it the first window is the reference and is
        not looked at itself.
    alpha, adjustment
        The level at which drift is called. "holm" and "bonferroni" hold it over all windows that
        can be decided together; "none" holds it in each window by itself, so that of twenty quiet
        windows one alarms on average.
    minimum
        A window with fewer positives or negatives than this is "undecidable", never fine.
    fixed_reference, pos_label, truth, invalid
        As for `rocwalk.drift`.

    Returns
    -------
    DriftTimeline
        `.windows`, each with `.start .end .items .status .verdict .p_value .adjusted_p_value
        .drift`; `.alarms`, `.drifted`, `.summary`, `.plot()`.

    Examples
    --------
    >>> import numpy as np
    >>> import rocwalk as rw
    >>> rng = np.random.default_rng(1)
    >>> y = (rng.random(4000) < 0.4).astype(int)
    >>> p = 1 / (1 + np.exp(-rng.normal(2 * y - 1)))
    >>> p[3000:] **= 2
    >>> table = {"y": y, "p": p, "day": np.arange(4000)}
    >>> found = rw.drift_over_time(table, label="y", score="p", time="day", window=1000)
    >>> [one.status for one in found.windows]
    ['none', 'none', 'drift']
    """
    one_of("adjustment", adjustment, _ADJUSTMENTS)
    question = DriftQuestion(alpha, fixed_reference)
    roles = {time: GROUP, label: LABEL, score: NUMBER}
    if weight is not None:
        roles[weight] = NUMBER
    table = read_table(data, roles)
    times = _times(table, time)
    order = np.argsort(times, kind="stable")
    cuts = _cuts(times[order], window)
    options = {"pos_label": pos_label, "truth": truth, "invalid": invalid}
    names = {"score": score, "label": label, "weight": weight}
    windows = [
        _window(table, order[begin:end], times, names, options) for begin, end in pairwise(cuts)
    ]
    if reference is None:
        if len(windows) < 2:
            raise OptionError(
                "There is one window only, so there is nothing to compare it with.",
                "give reference=, or make windows smaller.",
            )
        base = Evidence(windows[0].tally)
        refuse_few(base)
        windows = windows[1:]
    else:
        base = sample_evidence("reference", reference, None, pos_label, truth, invalid)
    least = int(as_number("minimum", minimum))
    return timeline_of(base, windows, question, minimum=least, adjustment=adjustment)


def _window(
    table: Table,
    rows: IntArray,
    times: AnyArray,
    names: dict[str, Any],
    options: dict[str, Any],
) -> Window:
    part = Table({name: column[rows] for name, column in table.columns.items()}, table.origin)
    tally = tallies(part, **names, **options).only
    return Window(_shown(times[rows[0]]), _shown(times[rows[-1]]), tally)


def _shown(moment: Any) -> Any:
    """Return a moment as it is shown: a date without the time where there is none."""
    if isinstance(moment, np.datetime64):
        day = moment.astype("datetime64[D]")
        return str(day if day == moment else moment.astype("datetime64[s]"))
    return moment.item() if isinstance(moment, np.generic) else moment


def _times(table: Table, name: Name) -> AnyArray:
    """Return the moments as datetimes or numbers, or raise."""
    column = table[name]
    if column.dtype.kind in "iu":
        return column
    try:
        times = column if column.dtype.kind == "f" else np.array(column, dtype="datetime64[us]")
    except (TypeError, ValueError):
        times = _numbers(column)
    lost = np.isnan(times) if times.dtype.kind == "f" else np.isnat(times)
    if lost.any():
        row = int(np.flatnonzero(lost)[0])
        raise ColumnError(
            f"Column {name!r} at {table.place(row)} is {str(column[row])!r}, neither a date nor a "
            "number.",
            "write dates as 2024-05-31 or 2024-05-31T12:00, or pass numbers.",
        )
    return times


def _numbers(column: AnyArray) -> AnyArray:
    """Return text as datetimes where it is, NaT where it is not."""
    times = np.full(len(column), np.datetime64("NaT"), dtype="datetime64[us]")
    for row, value in enumerate(column):
        try:
            times[row] = np.datetime64(str(value), "us")
        except ValueError:
            continue
    return times


def _cuts(times: AnyArray, window: int | str) -> list[int]:
    """Return where windows begin and end in the ordered times."""
    count = len(times)
    if isinstance(window, str):
        one_of("window", window, CALENDAR)
        if times.dtype.kind != "M":
            raise OptionError(
                f"window={window!r} needs dates, and the times are numbers.",
                "pass how many rows make a window.",
            )
        shift = np.timedelta64(3 if window == "week" else 0, "D")  # NumPy's weeks begin on Thursday
        units = (times + shift).astype(f"datetime64[{CALENDAR[window]}]")
        return [0, *(np.flatnonzero(units[1:] != units[:-1]) + 1).tolist(), count]
    size = as_number("window", window)
    if size < 1 or size != int(size):
        raise OptionError(
            f"window={window!r} is not a number of rows.", "pass a whole number, or 'month'."
        )
    return [*range(0, count, int(size)), count]
