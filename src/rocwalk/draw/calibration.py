"""Reliability diagrams. They draw what was computed elsewhere and compute nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.style import QUIET, next_look, square_axes, with_legend
from rocwalk.measure.calibration import Blocks
from rocwalk.walk.tally import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BINS = 40
_HEIGHT = 0.12  # of the histogram at the foot of the diagram


def draw_reliability(
    found: Blocks, tally: Tally, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw the observed share against the score, and how much mass lies where at the foot."""
    ax = square_axes(ax, "Score", "Share of positives")
    if not any(line.get_gid() == "chance" for line in ax.lines):
        ax.plot(
            [0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance",
            label="as announced",
        )  # fmt: skip
    look = next_look(ax) | {"label": name or "observed"} | options
    mass = tally.up + tally.right
    heights, edges = np.histogram(tally.scores, np.linspace(0, 1, _BINS + 1), weights=mass)
    ax.stairs(_HEIGHT * heights / heights.max(), edges, fill=True, alpha=0.15, color=look["color"])
    x = np.column_stack([found.lowest, found.highest]).ravel()
    ax.plot(x, np.repeat(found.value, 2), gid="curve", **look)
    return with_legend(ax, "upper left")
