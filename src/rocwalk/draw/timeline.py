"""Numbers over the windows of time, with alarms marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rocwalk.draw.style import PALETTE, QUIET
from rocwalk.errors import OptionError
from rocwalk.typing import BoolArray, FloatArray

_WORDS = {"auc": "AUC", "midpoint": "midpoint", "struggle_ratio": "struggle ratio"}
_MOST_LABELS = 12


def draw_timeline(
    labels: Sequence[str],
    values: Mapping[str, FloatArray],
    alarms: BoolArray,
    axes: Any = None,
    **options: Any,
) -> Any:
    """Draw one panel a number: windows as points with intervals, the reference as a line.

    `values` has a row a window: reference, current, and the ends of the difference.
    """
    if not len(labels):
        raise OptionError("No window could be decided, so there is nothing to draw.", "widen them.")
    if axes is None:
        import matplotlib.pyplot as plt

        size = (8.5, 2.3 * len(values))
        _, axes = plt.subplots(len(values), 1, figsize=size, sharex=True, layout="constrained")
    place = np.arange(len(labels))
    for (name, rows), ax in zip(values.items(), axes, strict=True):
        reference, current = rows[:, 0], rows[:, 1]
        low, high = reference + rows[:, 2], reference + rows[:, 3]
        ax.axhline(reference[0], color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="reference")
        look = {"color": PALETTE[0]} | options
        ax.vlines(place, low, high, linewidth=1.5, alpha=0.6, **look)
        ax.plot(place, current, "o-", linewidth=1, markersize=4, gid="curve", **look)
        ax.plot(
            place[alarms], current[alarms], "o", markersize=9, markerfacecolor="none",
            markeredgewidth=2, color=PALETTE[1], gid="alarm", label="drift",
        )  # fmt: skip
        ax.set_ylabel(_WORDS[name])
        ax.grid(visible=True, axis="y", color="#E6E6E6", linewidth=0.8)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
    every = 1 + (len(labels) - 1) // _MOST_LABELS
    axes[-1].set_xticks(place[::every], labels[::every], rotation=30, ha="right")
    return axes
