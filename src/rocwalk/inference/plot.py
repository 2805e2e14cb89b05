"""Pictures of this room, drawn with matplotlib."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocwalk.plot import PALETTE, QUIET, pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Line = tuple[str, float, float, float]
_LETTERS = 40  # of a name on one line, so that more than half of the picture is left for intervals


def _folded(name: str) -> str:
    """Break a long name into lines, that of a difference before its minus sign."""
    if len(name) <= _LETTERS or "\n" in name:
        return name
    first, *others = name.split(" − ")
    parts = [first, *(f"− {part}" for part in others)]
    return "\n".join(line for part in parts for line in textwrap.wrap(part, _LETTERS))


def draw_forest(
    lines: Sequence[Line],
    words: str,
    ax: Axes | None = None,
    *,
    no_effect: float | None = None,
    margin: float | None = None,
    **options: Any,
) -> Axes:
    """Draw (name, value, low, high) in rows from the top; a margin shades what does not matter."""
    names = [_folded(name) for name, *_ in lines]
    if ax is None:
        plt = pyplot()
        row = 0.26 + 0.16 * max((1 + name.count("\n") for name in names), default=1)
        _, ax = plt.subplots(figsize=(6.4, 1.3 + row * len(lines)), layout="constrained")
    if no_effect is not None:
        ax.axvline(no_effect, color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="no effect")
    if no_effect is not None and margin:
        ends = no_effect - margin, no_effect + margin
        ax.axvspan(*ends, color=QUIET, alpha=0.15, linewidth=0, gid="margin")
    look = {"color": PALETTE[0]} | options
    for row, (_, value, low, high) in enumerate(lines):
        ax.plot([low, high], [row, row], linewidth=2, gid="interval", **look)
        ax.plot([value], [row], "o", markersize=6, gid="value", **look)
    ax.set_yticks(range(len(lines)), names)
    ax.set(xlabel=words, ylim=(len(lines) - 0.4, -0.6))
    ax.grid(visible=True, axis="x", color="#E6E6E6", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(QUIET)
    return ax
