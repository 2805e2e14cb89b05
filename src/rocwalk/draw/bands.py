"""Ribbons: bands around curves. They draw what was computed elsewhere and compute nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.curves import draw_roc
from rocwalk.draw.style import MAX_POINTS, with_legend
from rocwalk.measure.thinning import thinned
from rocwalk.walk.curve import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_band(
    walk: Walk,
    area: float,
    edges: tuple[Walk, Walk],
    words: str,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a curve over a ribbon between two edges; the words say in the legend what it is."""
    ax = draw_roc(walk, area, ax, name=name, **options)
    line = next(line for line in reversed(ax.lines) if line.get_gid() == "curve")
    lower, upper = (thinned(edge, MAX_POINTS)[0] for edge in edges)
    colour: dict[str, Any] = {"color": line.get_color(), "zorder": line.get_zorder() - 0.1}
    ax.fill(
        np.append(lower.fpr, upper.fpr[::-1]),
        np.append(lower.tpr, upper.tpr[::-1]),
        alpha=0.18, linewidth=0, gid="band", label=words, **colour,
    )  # fmt: skip
    for edge in (lower, upper):
        ax.plot(edge.fpr, edge.tpr, alpha=0.35, linewidth=0.8, gid="edge", **colour)
    return with_legend(ax)
