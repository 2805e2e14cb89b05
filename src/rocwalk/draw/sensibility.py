"""Sensibility and capability against the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.style import DASHES, MAX_POINTS, QUIET, next_look, square_axes, with_legend
from rocwalk.measure.sensibility import Split

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_sensibility(
    split: Split, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw the two step curves in one colour, the capability dashed, and mark the midpoint."""
    ax = square_axes(ax, "Threshold", "Accuracy")
    at = np.append(split.walk.thresholds[1:][::-1], 1.0)
    at = np.append(0.0, at[:: 1 + len(at) // MAX_POINTS])
    drawn = np.unique(np.append(at, [split.midpoint, 1.0]))
    inside = drawn[(drawn >= 0) & (drawn <= 1)]
    curves = split.at(np.nextafter(inside, np.inf))  # above each score the rule leaves it out
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
