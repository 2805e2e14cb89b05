"""Pictures of reference truth, votes and raters, drawn with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.hull import thinned
from rocwalk.curves.plot import FPR, TPR, draw_chance, draw_roc
from rocwalk.plot import MAX_POINTS, PALETTE, QUIET, pyplot, square_axes, with_legend, worded
from rocwalk.tally.walk import Walk
from rocwalk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocwalk.truth.reader_studies import ReaderStudy


@worded
def draw_region(
    walk: Walk,
    area: float,
    edges: tuple[Walk, Walk],
    auc_prt: float,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a curve over the region that the truth leaves open."""
    words = {"label": f"{name or 'ROC'} (AUC = {area:.3f}, AUC_PRT = {auc_prt:.3f})"}
    ax = draw_roc(walk, area, ax, name=name, **(words | options))
    if not any(patch.get_gid() == "region" for patch in ax.patches):
        worst, perfect = (thinned(edge, MAX_POINTS)[0] for edge in edges)
        fpr = np.append(perfect.fpr, worst.fpr[::-1])
        tpr = np.append(perfect.tpr, worst.tpr[::-1])
        ax.fill(fpr, tpr, color=QUIET, alpha=0.15, linewidth=0, gid="region", zorder=0.5)
        looks = (("perfect", perfect, "-"), ("worst", worst, (0, (4, 2))))
        for words_, edge, dashes in looks:
            ax.plot(
                edge.fpr, edge.tpr, color="#555555", linewidth=1.2, linestyle=dashes,
                label=words_, gid="edge",
            )  # fmt: skip
    return with_legend(ax)


_MOST_NAMES = 20
_NEAR = 0.01  # names of raters whose rates are as near as this stand below each other
_LINE = 11  # points from one name to the next


@worded
def draw_raters(
    names: Sequence[Any],
    sensitivity: FloatArray,
    specificity: FloatArray,
    ax: Axes | None = None,
    *,
    ends: tuple[FloatArray, FloatArray] | None = None,
    **options: Any,
) -> Axes:
    """Draw each rater as a point (1 − specificity, sensitivity), with names if they are few.

    `ends` are the limits of sensitivity and specificity, one row a rater, drawn as a cross.
    """
    ax = square_axes(ax, FPR, TPR)
    draw_chance(ax)
    look: dict[str, Any] = {"color": PALETTE[0], "markersize": 6} | options
    if ends is not None:
        thin = {"color": look["color"], "linewidth": 1, "alpha": 0.55, "gid": "interval"}
        ax.vlines(1.0 - specificity, *ends[0].T, **thin)
        ax.hlines(sensitivity, *(1.0 - ends[1].T), **thin)
    ax.plot(1.0 - specificity, sensitivity, "o", linestyle="none", gid="raters", **look)
    if len(names) > _MOST_NAMES:
        return ax
    points = zip((1.0 - specificity).tolist(), sensitivity.tolist(), strict=True)
    together: dict[tuple[float, float], list[str]] = {}  # names by points that lie on each other
    for name, here in zip(names, points, strict=True):
        if np.isfinite(here).all():
            near = (at for at in together if np.abs(np.subtract(at, here)).max() < _NEAR)
            together.setdefault(next(near, here), []).append(str(name))
    for (x, y), own in together.items():
        side = ("left", 6) if x < 0.8 else ("right", -6)
        way, edge = (-1, "top") if y > 0.3 else (1, "bottom")
        for k, name in enumerate(own):
            place = (side[1], way * (4 + _LINE * k))
            ax.annotate(
                name, (x, y), place, textcoords="offset points", ha=side[0], va=edge,
                fontsize="small",
            )  # fmt: skip
    return ax


@worded
def draw_readers(study: ReaderStudy, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw the curve of every reader thinly and the mean of each test, in one colour a test."""
    ax = square_axes(ax, FPR, TPR)
    draw_chance(ax)
    for k, (test, curves) in enumerate(study.curves.items()):
        color = PALETTE[k % len(PALETTE)]
        for curve in curves.values():
            few, _ = thinned(curve.walk, MAX_POINTS)
            ax.plot(few.fpr, few.tpr, color=color, linewidth=0.8, alpha=0.45, gid="reader")
        mean = study.mean_curves[test]
        look: dict[str, Any] = {"color": color, "linewidth": 2.4} | options
        draw_roc(mean.walk, mean.area, ax, name=f"{test}, mean of readers", **look)
    return with_legend(ax)


_MOST_BARS = 41
_HALF = 0.025  # of a bar, at most


def draw_shares(
    truth: FloatArray,
    ax: Axes | None = None,
    *,
    xlabel: str = "Share of positive votes",
    **options: Any,
) -> Axes:
    """Draw how many items have which share of positive votes: a bar per share, or bins of many."""
    from matplotlib.ticker import MaxNLocator

    if ax is None:
        plt = pyplot()
        _, ax = plt.subplots(figsize=(6.4, 3.6), layout="constrained")
    shares, items = np.unique(truth, return_counts=True)
    if len(shares) > _MOST_BARS:
        items, edges = np.histogram(truth, np.linspace(0, 1, _MOST_BARS))
        shares = (edges[:-1] + edges[1:]) / 2
    gap = float(np.diff(shares).min()) if len(shares) > 1 else 1.0
    look: dict[str, Any] = {"color": PALETTE[0], "width": min(2 * _HALF, 0.85 * gap)} | options
    ax.bar(shares, items, gid="shares", **look)
    ax.set(xlabel=xlabel, ylabel="Items", xlim=(-0.04, 1.04))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.grid(visible=True, axis="y", color="#E6E6E6", linewidth=0.8)
    ax.set_axisbelow(True)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(QUIET)
    return ax
