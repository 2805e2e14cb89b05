"""Figures 1 to 7, drawn from the data; they compute nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.style import PALETTE, QUIET, with_legend
from rocwalk.front.curve import Curve
from rocwalk.front.truth import ReferenceTruth
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.figure import Figure, figure_at
from rocwalk.papers.row import text_of
from rocwalk.papers.truth.deterministic import best_order
from rocwalk.papers.truth.place import HARD, NAME, SOFT, truth_of
from rocwalk.papers.truth.ties import orders
from rocwalk.papers.truth.worst import mirrored

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_figure = partial(figure_at, NAME)
_BLUE, _ORANGE, _GREEN = PALETTE[:3]
_DARK = "#333333"
_DOTS: dict[str, Any] = {"marker": "o", "markersize": 4.5, "clip_on": False, "zorder": 3}
_BOX = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}


def figures(examples: Examples) -> list[Figure]:
    """Return the paper's figures, in its order."""
    hard, soft = examples[HARD], truth_of(examples[SOFT])
    return [
        _figure(
            "Figure 1",
            "the truth is known",
            partial(draw_known, curve_of(hard), best_order(examples)),
        ),
        _figure(
            "Figure 2", "four equal scores; the rows are ours", partial(draw_ties, orders(examples))
        ),
        _figure("Figure 3", "the first segment", partial(draw_first, soft.curve)),
        _figure("Figure 4", "the truth is a probability; the hull", partial(draw_hull, soft)),
        _figure("Figure 5", "the perfect classifier", partial(draw_perfect, soft)),
        _figure("Figure 6", "the worst classifier", partial(draw_worst, soft)),
        _figure("Figure 7", "the region between worst and perfect", partial(draw_region, soft)),
    ]


# -- drawing -------------------------------------------------------------------------------------


def draw_known(curve: Curve, perfect: Curve, ax: Axes | None = None) -> Axes:
    """Draw a curve of hard labels, its thresholds beside it, and the perfect one."""
    ax = curve.plot(ax, name="Classifier", **_DOTS)
    perfect.plot(ax, name="Perfect", color=_GREEN, linestyle="-", linewidth=1.6, clip_on=False)
    _name_chance(ax)
    return _write_thresholds(with_legend(ax), curve)


def _name_chance(ax: Axes) -> None:
    (chance,) = [line for line in ax.lines if line.get_gid() == "chance"]
    chance.set_label("Random (AUC = 0.500)")


def _write_thresholds(ax: Axes, curve: Curve) -> Axes:
    """Write each threshold below and right of its point, ∞ beside the first."""
    for fpr, tpr, threshold in zip(curve.fpr, curve.tpr, curve.thresholds, strict=True):
        first = bool(np.isinf(threshold))
        ax.annotate(
            "∞" if first else f"{threshold:g}", (fpr, tpr), (9, 0) if first else (5, -5),
            textcoords="offset points", fontsize=7.5, color=_DARK, ha="left", zorder=5,
            va="center" if first else "top",
        )  # fmt: skip
    return ax


def draw_ties(curves: dict[str, Curve], ax: Axes | None = None) -> Axes:
    """Draw the curve of equal scores between those of their best and worst order."""
    looks = {"optimistic": _GREEN, "pessimistic": _ORANGE, "expected": _BLUE}
    for name, colour in looks.items():
        width = 2.4 if name == "expected" else 1.4
        ax = curves[name].plot(
            ax, name=name.capitalize(), color=colour, linestyle="-", linewidth=width
        )
    assert ax is not None
    _fill_between(ax, curves["optimistic"], curves["pessimistic"], QUIET)
    return ax


def _fill_between(ax: Axes, upper: Curve, lower: Curve, colour: str, alpha: float = 0.18) -> None:
    ax.fill(
        np.append(upper.fpr, lower.fpr[::-1]), np.append(upper.tpr, lower.tpr[::-1]),
        color=colour, alpha=alpha, linewidth=0, zorder=0.6,
    )  # fmt: skip


def draw_first(curve: Curve, ax: Axes | None = None) -> Axes:
    """Draw the first segment, large in a corner, on the faint whole curve."""
    ax = curve.plot(ax, name="Whole curve", color=_BLUE, alpha=0.35, linewidth=1.6, linestyle="-")
    x, y = float(curve.fpr[1]), float(curve.tpr[1])
    ax.plot([0, x], [0, y], "o-", color=_ORANGE, label="First segment", clip_on=False, zorder=4)
    near = ax.inset_axes((0.47, 0.16, 0.5, 0.5))
    near.set(xlim=(-0.5 * x, 1.9 * x), ylim=(-0.18 * y, 1.3 * y))
    near.plot(curve.fpr, curve.tpr, color=_BLUE, alpha=0.35, linewidth=1.6)
    near.plot([0, x, x], [0, 0, y], color=QUIET, linewidth=1, linestyle=":")
    near.plot([0, x], [0, y], "o-", color=_ORANGE, linewidth=2.4, zorder=4)
    look: dict[str, Any] = {"fontsize": 8, "color": _DARK, "textcoords": "offset points"}
    up, right = curve.walk.up, curve.walk.right
    near.annotate(
        f"(1 − f) / Neg = {_share(right)}", (x / 2, 0), (0, -5), ha="center", va="top", **look
    )
    near.annotate(f"f / Pos =\n{_share(up)}", (x, y / 2), (6, 0), ha="left", va="center", **look)
    near.set(xticks=[0, round(x, 3)], yticks=[0, round(y, 3)])
    near.tick_params(labelsize=7.5, length=0)
    near.set_title(f"threshold between {_between(curve)}", fontsize=8.5, color=_DARK)
    ax.indicate_inset_zoom(near, edgecolor=QUIET)
    return with_legend(ax, "upper left")


def _share(cumulative: Any) -> str:
    return f"{cumulative[1]:.2f}/{cumulative[-1]:.2f}"


def _between(curve: Curve) -> str:
    return f"{curve.thresholds[1]:g} and {curve.thresholds[2]:g}"


def draw_hull(found: ReferenceTruth, ax: Axes | None = None) -> Axes:
    """Draw a curve of soft truth with its hull and its thresholds."""
    curve, hull = found.curve, found.hull
    ax = curve.plot(ax, name="Classifier", **_DOTS)
    _fill_between(ax, hull, curve, _ORANGE, 0.12)
    ax.plot(
        hull.fpr, hull.tpr, color=_ORANGE, linewidth=1.6, linestyle=(0, (1, 1.4)), zorder=4,
        label=f"Convex hull (area = {hull.area:.3f})",
    )  # fmt: skip
    return _write_thresholds(with_legend(ax), curve)


def draw_perfect(found: ReferenceTruth, ax: Axes | None = None) -> Axes:
    """Draw the best order over the area that no order reaches."""
    curve = found.perfect
    ax = curve.plot(ax, name="Perfect, in order of f", color=_GREEN, linestyle="-", **_DOTS)
    ax.fill_between(curve.fpr, curve.tpr, 1, color=_GREEN, alpha=0.14, linewidth=0)
    ax.plot([0], [1], "o", color=_DARK, markersize=7, markerfacecolor="white", clip_on=False)
    _write(ax, f"(0, 1), out of reach\nAAPCC = {found.aapcc:.3f}", (0.03, 0.965), va="top")
    return _write_thresholds(ax, curve)


def draw_worst(found: ReferenceTruth, ax: Axes | None = None) -> Axes:
    """Draw the worst order, the perfect one, and its mirror image, which is another curve."""
    worst, perfect = found.worst, found.perfect
    ax = worst.plot(ax, name="Worst", color=_ORANGE, linestyle="-", **_DOTS)
    ax.fill_between(worst.fpr, worst.tpr, color=_ORANGE, alpha=0.14, linewidth=0)
    perfect.plot(ax, name="Perfect", color=_GREEN, linestyle="-", linewidth=1.4)
    ax.plot(
        *mirrored(found), color=_GREEN, linewidth=1.4, linestyle=(0, (1.5, 1.5)),
        label="Perfect, mirrored",
    )  # fmt: skip
    k = len(perfect.walk) // 2 - 1
    x, y = float(perfect.fpr[k]), float(perfect.tpr[k])
    ax.plot([x, 1 - x], [y, 1 - y], color=QUIET, linewidth=0.9, linestyle=":", zorder=1)
    ax.plot([x, 0.5, 1 - x], [y, 0.5, 1 - y], "o", color=QUIET, markersize=4.5, zorder=4)
    _write(ax, "(½, ½)", (0.5, 0.56), ha="center", va="bottom", color=QUIET)
    _write(ax, f"AUWCC = {found.auwcc:.3f}", (0.97, 0.06), ha="right", va="bottom")
    return with_legend(ax, "upper left")


def draw_region(found: ReferenceTruth, ax: Axes | None = None) -> Axes:
    """Draw the region that the truth leaves open, and the share of it under the curve."""
    ax = found.plot(ax, name="Classifier", **_DOTS)
    _fill_between(ax, found.curve, found.worst, _BLUE, 0.16)
    above, whole = found.auc - found.auwcc, found.perfect.area - found.auwcc
    with_legend(ax, "upper left")
    _write(ax, f"AUC − AUWCC\n= {above:.3f}", (0.56, 0.42), ha="center", va="center")
    _write(
        ax,
        f"of {text_of(round(whole, 3))} in all",
        (0.25, 0.6),
        ha="center",
        va="center",
        color=QUIET,
    )
    return ax


def _write(ax: Axes, words: str, place: tuple[float, float], **look: Any) -> None:
    ax.text(*place, words, **({"color": _DARK, "fontsize": "small", "bbox": _BOX} | look))
