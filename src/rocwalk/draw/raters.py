"""Pictures of votes and of raters. They draw what was computed elsewhere and compute nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.curves import FPR, TPR, draw_chance
from rocwalk.draw.style import PALETTE, QUIET, square_axes
from rocwalk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_NAMES = 20
_BARS = np.linspace(-0.025, 1.025, 22).tolist()  # centred on 0, 0.05, …, 1


def draw_raters(
    names: Sequence[Any],
    sensitivity: FloatArray,
    specificity: FloatArray,
    ax: Axes | None = None,
    **options: Any,
) -> Axes:
    """Draw each rater as a point (1 − specificity, sensitivity); few raters have their names."""
    ax = square_axes(ax, FPR, TPR)
    draw_chance(ax)
    look: dict[str, Any] = {"color": PALETTE[0], "markersize": 6} | options
    ax.plot(1.0 - specificity, sensitivity, "o", linestyle="none", gid="raters", **look)
    if len(names) <= _MOST_NAMES:
        for name, x, y in zip(names, 1.0 - specificity, sensitivity, strict=True):
            if np.isfinite(x) and np.isfinite(y):
                side = ("left", 6) if x < 0.8 else ("right", -6)
                ax.annotate(
                    str(name), (x, y), (side[1], -4), textcoords="offset points", ha=side[0],
                    va="top", fontsize="small",
                )  # fmt: skip
    return ax


def draw_shares(truth: FloatArray, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw how many items have which share of positive votes."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    look: dict[str, Any] = {"color": PALETTE[0], "rwidth": 0.85} | options
    ax.hist(truth, _BARS, gid="shares", **look)
    ax.set(xlabel="Share of positive votes", ylabel="Items", xlim=(-0.04, 1.04))
    ax.grid(visible=True, axis="y", color="#E6E6E6", linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(QUIET)
    return ax
