"""The scores above a curve, from 1 down to 0: as points, as segments or as bells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.ferri.place import signed_text
from rocwalk.plot import PALETTE, QUIET
from rocwalk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = {1: PALETTE[2], 0: PALETTE[3]}
_MARGIN = 0.04  # beyond what is drawn
_IN_WIDTHS = {"uniform": 0.5, "normal": 1.75}  # how far a score is smeared to either side


def draw_strip(
    ax: Axes, example: PaperExample, width: float = 0.0, kernel: str = "uniform"
) -> Axes:
    """Draw the scores on an axis above a curve, positives upward, negatives downward."""
    strip = ax.inset_axes((0, 1.04, 1, 0.24))
    reach = _IN_WIDTHS[kernel] * width
    low = min(0, min(example.y_prob) - reach) - _MARGIN
    high = max(1, max(example.y_prob) + reach) + _MARGIN
    strip.set(xlim=(high, low), ylim=(-2.1, 2.1), xticks=[], yticks=[])
    for spine in strip.spines.values():
        spine.set_visible(False)
    strip.axhline(0, color=QUIET, linewidth=0.8, zorder=3)
    for end in (0, 1):
        strip.plot([end] * 2, [-0.25, 0.25], color=QUIET, linewidth=0.8)
        strip.text(end, -0.35, str(end), ha="center", va="top", fontsize=8, color=QUIET)
    words = signed_text(example).split()
    for label, score, word in zip(example.y_true, example.y_prob, words, strict=True):
        _draw_score(strip, score, word, int(label))
        if width:
            x = np.linspace(low, high, 1_401)
            _fill(strip, x, _shape((x - score) / width, kernel), int(label))
    return ax


def _shape(away: FloatArray, kernel: str) -> FloatArray:
    """Return the height, at most 1, of what a score is smeared to, at so many widths from it."""
    if kernel == "uniform":
        return np.where(np.abs(away) <= 0.5, 1.0, 0.0)
    return np.exp(-0.5 * (away / 0.5) ** 2)  # σ = d/2, as in Figure 7


def _fill(strip: Axes, x: FloatArray, height: FloatArray, label: int) -> None:
    up = height if label else -height
    strip.fill_between(x, up, color=_COLOURS[label], alpha=0.25, linewidth=0)


def _draw_score(strip: Axes, score: float, word: str, label: int) -> None:
    colour, up = _COLOURS[label], 1 if label else -1
    strip.plot([score] * 2, [0, up], color=colour, linewidth=1.4, zorder=4)
    strip.plot([score], [up], "o", color=colour, markersize=4)
    strip.annotate(
        word, (score, up), (0, 4 * up), textcoords="offset points", ha="center",
        va="bottom" if label else "top", fontsize=8, color=colour,
    )  # fmt: skip
