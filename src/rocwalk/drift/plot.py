"""Pictures of sensibility, of drift over time and of a watch, drawn with matplotlib."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.drift.sensibility import Split
from rocwalk.errors import OptionError
from rocwalk.plot import (
    DASHES,
    MAX_POINTS,
    PALETTE,
    QUIET,
    next_look,
    pyplot,
    square_axes,
    with_legend,
)
from rocwalk.statistic import statistic_of
from rocwalk.typing import BoolArray, FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocwalk.drift.e_process import WatchState


def draw_sensibility(
    split: Split, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw the two step curves in one colour, the capability dashed, and mark the midpoint."""
    ax = square_axes(ax, "Threshold", "Accuracy")
    if split.walk.is_exact:
        scores = np.append(split.walk.thresholds[1:][::-1], 1.0)
        few = np.append(0.0, scores[:: 1 + len(scores) // MAX_POINTS])
        drawn = np.unique(np.append(few, [split.midpoint, 1.0]))
        inside = drawn[(drawn >= 0) & (drawn <= 1)]
        curves = split.at(np.nextafter(inside, np.inf))  # a rule above a score leaves it out
    else:  # only the ends of buckets are known
        at = slice(None, 0, -1 - len(split.walk) // MAX_POINTS)
        inside, curves = split.walk.thresholds[at], (split.sensibility[at], split.capability[at])
    look = next_look(ax) | options
    words = f"{name} " if name else ""
    for kind, values, dashes in zip(
        ("sensibility", "capability"), curves, (DASHES[0], DASHES[1]), strict=True
    ):
        ax.step(
            inside, values, where="post", gid="curve",
            **(look | {"linestyle": dashes, "label": f"{words}{kind}"}),
        )  # fmt: skip
    ax.axvline(split.midpoint, color=look.get("color", QUIET), linewidth=1, linestyle=":")
    return with_legend(ax, "best")


# -- numbers over the windows of time, with alarms marked ------------------------------------------


HIGHEST = {"auc": 1.0}  # no bar rises above; none falls below 0
_SIGN = 6.2  # points that a character of a label takes
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_LENGTHS = {"year": 4, "quarter": 7, "month": 7, "hour": 16}  # characters of an ISO date


def window_labels(starts: Sequence[str], window: int | str | None = None) -> list[str]:
    """Return the starts of windows in as few characters as tell them apart, or as the unit needs.

    >>> window_labels(["2025-01-01T00:09:00", "2025-02-03"])
    ['2025-01', '2025-02']
    >>> window_labels(["2025-01-06", "2025-01-13"]), window_labels(["2025-01-01"], "year")
    (['2025-01-06', '2025-01-13'], ['2025'])
    >>> window_labels(["700", "1400"])
    ['700', '1400']
    """
    if not all(_DATE.match(each) for each in starts):
        return list(starts)
    fewest = 7 if window is None else _LENGTHS.get(str(window), 10)
    for length in (fewest, 10, 16):
        labels = [each[:length].replace("T", " ") for each in starts]
        if length >= fewest and len(set(labels)) == len(labels):
            return labels
    return [each.replace("T", " ") for each in starts]


def draw_timeline(
    labels: Sequence[str],
    values: Mapping[str, FloatArray],
    alarms: BoolArray,
    axes: Any = None,
    *,
    moved: Mapping[str, BoolArray] | None = None,
    **options: Any,
) -> Any:
    """Draw one panel a number: windows as points with bars, the reference as a line.

    `values` has a row a window: reference, current, and the ends of the difference. A bar is the
    reference plus the interval of the difference. `alarms` marks windows at the foot of a panel;
    `moved` marks for each number the windows in which it has drifted itself: its points are filled.
    """
    if not len(labels):
        raise OptionError("No window has enough items for a decision.", "take longer windows.")
    if axes is None:
        plt = pyplot()
        size = (8.5, 0.5 + 2.3 * len(values))
        _, axes = plt.subplots(len(values), 1, figsize=size, sharex=True, layout="constrained")
    for (name, rows), ax in zip(values.items(), axes, strict=True):
        _draw_panel(ax, name, rows, alarms, None if moved is None else moved[name], options)
    axes[0].legend(
        loc="lower left", bbox_to_anchor=(0, 1.02), ncols=4, frameon=False, fontsize="small",
        borderaxespad=0, columnspacing=1.4, handletextpad=0.5,
    )  # fmt: skip
    shown, last = window_labels(labels), axes[-1]  # as many as there is room for
    room = 72 * last.get_window_extent().width / last.figure.dpi
    most = max(int(room // (_SIGN * max(map(len, shown)) + 12)), 1)
    every = -(-len(shown) // most)
    last.set_xticks(range(0, len(shown), every), shown[::every])
    return axes


def _draw_panel(
    ax: Any,
    name: str,
    rows: FloatArray,
    alarms: BoolArray,
    moved: BoolArray | None,
    options: dict[str, Any],
) -> None:
    place = np.arange(len(rows))
    reference, current = rows[:, 0], rows[:, 1]
    ends = reference[:, None] + rows[:, 2:4]
    low, high = np.clip(ends, 0, HIGHEST.get(name, np.inf)).T
    look: dict[str, Any] = {"color": PALETTE[0]} | options
    ax.step(  # one line, or steps where every window has a reference of its own
        np.append(place - 0.5, len(place) - 0.5), np.append(reference, reference[-1]),
        where="post", color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="reference",
        label="reference",
    )  # fmt: skip
    ax.vlines(
        place, low, high, linewidth=1.5, alpha=0.6, label="reference + interval of the change",
        **look,
    )  # fmt: skip
    hollow = {} if moved is None else {"markerfacecolor": "white"}
    ax.plot(place, current, "o-", linewidth=1, markersize=5, gid="curve", **(hollow | look))
    if moved is not None:
        ax.plot(
            place[moved], current[moved], "o", markersize=8, color=PALETTE[1], gid="moved",
            label="the number has drifted",
        )  # fmt: skip
    ax.plot(
        place[alarms], np.zeros(int(alarms.sum())), "^", markersize=7, color=PALETTE[1],
        transform=ax.get_xaxis_transform(), clip_on=False, zorder=3, gid="alarm",
        label="the window has drifted",
    )  # fmt: skip
    ax.set_ylabel(statistic_of(name).words)
    ax.grid(visible=True, axis="y", color="#E6E6E6", linewidth=0.8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


# -- the evidence of a watch -----------------------------------------------------------------------


def draw_watch(
    rows: IntArray, values: FloatArray, state: WatchState, ax: Axes | None = None, **options: Any
) -> Axes:
    """Draw log e-values over rows, the level of an alarm, the alarm and the change point."""
    if not len(rows):
        raise OptionError(
            "The watch has no rows yet, so there is nothing to draw.", "call update first."
        )
    if ax is None:
        plt = pyplot()
        _, ax = plt.subplots(figsize=(8.5, 3.6), layout="constrained")
    look: dict[str, Any] = {"color": PALETTE[0], "linewidth": 1.5} | options
    few = np.unique(np.append(np.arange(0, len(rows), 1 + len(rows) // MAX_POINTS), len(rows) - 1))
    x, y = rows[few], values[few]
    if state.alarm_at is not None and state.alarm_at not in x:  # inside a block
        place = int(np.searchsorted(x, state.alarm_at))
        x, y = np.insert(x, place, state.alarm_at), np.insert(y, place, state.log_threshold)
    ax.plot(x, y, gid="curve", label="log e-value", **look)
    ax.axhline(
        state.log_threshold, color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="threshold",
        label="alarm from here",
    )  # fmt: skip
    if state.alarm_at is not None and state.change_point is not None:
        point = state.change_point
        ax.axvspan(point.low, point.high + 1, color=PALETTE[1], alpha=0.2, linewidth=0, gid="set",
                   label="95 % set of the change")  # fmt: skip
        ax.axvline(point.row, color=PALETTE[1], linewidth=1, gid="change", label="change point")
        ax.plot([state.alarm_at], [state.log_threshold], "^", markersize=7, color=PALETTE[1],
                gid="alarm", label="alarm")  # fmt: skip
    ax.set(xlabel="Rows", ylabel="Logarithm of the e-value")
    ax.grid(visible=True, axis="y", color="#E6E6E6", linewidth=0.8)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    return with_legend(ax, "best")
