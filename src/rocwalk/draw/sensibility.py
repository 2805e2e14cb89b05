"""Sensibility and capability against the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.style import DASHES, MAX_POINTS, QUIET, next_look, square_axes, with_legend
from rocwalk.measure.sensibility import Split
from rocwalk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_sensibility(
    split: Split, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw the two step curves in one colour, the capability dashed, and mark the midpoint."""
    ax = square_axes(ax, "Threshold", "Accuracy")
    inside, curves = _points(split)
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


def _points(split: Split) -> tuple[FloatArray, tuple[FloatArray, FloatArray]]:
    """Return the thresholds to draw at and both curves just above them."""
    if not split.walk.is_exact:  # only the ends of buckets are known
        at = slice(None, 0, -1 - len(split.walk) // MAX_POINTS)
        return split.walk.thresholds[at], (split.sensibility[at], split.capability[at])
    scores = np.append(split.walk.thresholds[1:][::-1], 1.0)
    few = np.append(0.0, scores[:: 1 + len(scores) // MAX_POINTS])
    drawn = np.unique(np.append(few, [split.midpoint, 1.0]))
    inside = drawn[(drawn >= 0) & (drawn <= 1)]
    return inside, split.at(np.nextafter(inside, np.inf))  # a rule above a score leaves it out
