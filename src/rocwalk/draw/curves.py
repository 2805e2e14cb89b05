"""Pictures of curves. They draw what was computed elsewhere and compute nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.style import MAX_POINTS, QUIET, next_look, square_axes, with_legend
from rocwalk.measure.area import area as area_of
from rocwalk.measure.average import Average
from rocwalk.measure.bounds import rising_bounds, slack_of
from rocwalk.measure.hull import hull as hull_of
from rocwalk.measure.precision import PrecisionWalk
from rocwalk.measure.thinning import thinned
from rocwalk.walk.curve import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FPR, TPR = "False positive rate", "True positive rate"


def draw_roc(
    walk: Walk,
    area: float,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    hull: bool = False,
    chance: bool = True,
    **options: Any,
) -> Axes:
    """Draw a ROC curve; long ones are thinned to what the eye can see."""
    ax = square_axes(ax, FPR, TPR)
    if chance:
        draw_chance(ax)
    off = "" if walk.is_exact else f" ± {_slack(walk, area):.1g}"
    look = next_look(ax) | {"label": f"{name or 'ROC'} (AUC = {area:.3f}{off})"} | options
    few, _ = thinned(walk, MAX_POINTS)
    (line,) = ax.plot(few.fpr, few.tpr, gid="curve", **look)
    if not walk.is_exact:
        draw_room(ax, walk, line.get_color())
    if hull:
        vertices = hull_of(walk)
        ax.plot(
            vertices.fpr, vertices.tpr, color=line.get_color(), linewidth=1, linestyle=":",
            marker="o", markersize=3.5, markerfacecolor="white",
        )  # fmt: skip
    return with_legend(ax)


def _slack(walk: Walk, area: float) -> float:
    """Return how far the area of a walk through buckets may be off."""
    low, _, high = rising_bounds(walk, area_of)
    return slack_of((low, area, high))


def draw_room(ax: Axes, walk: Walk, color: Any) -> None:
    """Shade where the exact curve may run if this one leads through buckets."""
    low, high = (thinned(one, MAX_POINTS)[0] for one in walk.extremes)
    ax.fill(
        np.concatenate([low.fpr, high.fpr[::-1]]),
        np.concatenate([low.tpr, high.tpr[::-1]]),
        color=color, alpha=0.18, linewidth=0, gid="room",
    )  # fmt: skip


def draw_chance(ax: Axes) -> None:
    """Draw the diagonal of a random classifier, once."""
    if not any(line.get_gid() == "chance" for line in ax.lines):
        ax.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance")


def draw_overlay(
    curves: Mapping[str, tuple[Walk, float]], ax: Axes | None = None, **options: Any
) -> Axes:
    """Draw several named curves into one picture, in their order."""
    ax = square_axes(ax, FPR, TPR)
    for name, (walk, area) in curves.items():
        draw_roc(walk, area, ax, name=name, **options)
    return ax


def draw_average(
    average: Average,
    area: float,
    ax: Axes | None = None,
    *,
    how: str = "vertical",
    name: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a mean curve with a ribbon of one standard deviation on either side."""
    name = name or f"mean ({how})"
    ax = draw_roc(average.walk, area, ax, name=name, **options)
    line = ax.lines[-1]
    x, y = average.walk.fpr, average.walk.tpr
    ribbon: dict[str, Any] = {"color": line.get_color(), "alpha": 0.18, "linewidth": 0}
    if how == "horizontal":
        low, high = np.clip([x - average.fpr_spread, x + average.fpr_spread], 0, 1)
        ax.fill_betweenx(y, low, high, **ribbon)
    else:
        low, high = np.clip([y - average.tpr_spread, y + average.tpr_spread], 0, 1)
        ax.fill_between(x, low, high, **ribbon)
    return ax


def draw_precision_recall(
    data: PrecisionWalk, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw precision against recall as steps, with the precision of chance."""
    ax = square_axes(ax, "Recall", "Precision")
    if not any(line.get_gid() == "chance" for line in ax.lines):
        ax.axhline(
            data.prevalence, color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance"
        )  # fmt: skip
    label = f"{name or 'Precision–recall'} (AP = {data.average_precision:.3f})"
    look = next_look(ax) | {"label": label, "drawstyle": "steps-pre"} | options
    every = 1 + len(data.recall) // (2 * MAX_POINTS)
    shown = np.union1d(np.arange(1, len(data.recall), every), [len(data.recall) - 1])
    recall = np.append(0.0, data.recall[shown])
    precision = np.append(data.precision[1], data.precision[shown])
    ax.plot(recall, precision, gid="curve", **look)
    return with_legend(ax, "lower left")


def draw_mix(
    walks: Mapping[str, Walk],
    hull: Walk,
    fpr: float,
    tpr: float,
    ax: Axes | None = None,
    **options: Any,
) -> Axes:
    """Draw the curves of several models, their common hull, and a point on it."""
    ax = square_axes(ax, FPR, TPR)
    draw_chance(ax)
    for name, walk in walks.items():
        few, _ = thinned(walk, MAX_POINTS)
        ax.plot(few.fpr, few.tpr, gid="curve", **(next_look(ax) | {"label": name} | options))
    ax.plot(hull.fpr, hull.tpr, color="black", linewidth=1, linestyle=":", label="common hull")
    ax.plot([fpr], [tpr], "o", color="black", markersize=7, label=f"({fpr:.3f}, {tpr:.3f})")
    return with_legend(ax)
