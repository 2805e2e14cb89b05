"""Figures 1 to 7, drawn from the data; nothing is computed here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.plot import FPR, TPR
from rocwalk.curves.roc import Curve
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.figure import DARK, Figure, figure_at, panels_in, white_box
from rocwalk.papers.truth.rows import HARD, SOFT, at, best_order, mirrored, orders, truth_of
from rocwalk.plot import PALETTE, QUIET, square_axes, with_legend
from rocwalk.truth.reference_truth import ReferenceTruth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BLUE, _ORANGE, _GREEN = PALETTE[:3]
_DOTS: dict[str, Any] = {"marker": "o", "markersize": 4.5, "clip_on": False, "zorder": 3}


def truth_figures(examples: Examples) -> list[Figure]:
    """Return the paper's figures, in its order."""
    hard, soft = curve_of(examples[HARD]), truth_of(examples[SOFT])
    return [
        figure_at(
            at("Background, Figure 1"),
            "Figure 1",
            "the truth is known",
            partial(draw_known, hard, best_order(examples)),
        ),
        figure_at(
            at("Background, Figure 2"),
            "Figure 2",
            "four equal scores; the rows are ours",
            partial(draw_ties, orders(examples)),
        ),
        figure_at(
            at("Methodology, Figure 3"),
            "Figure 3",
            "the first segment",
            partial(draw_first, soft.curve),
        ),
        figure_at(
            at("Methodology, Figure 4"),
            "Figure 4",
            "the truth is a probability; the hull",
            partial(draw_hull, soft),
        ),
        figure_at(
            at("Discussion, Figure 5"),
            "Figure 5",
            "the perfect classifier",
            partial(draw_perfect, soft),
        ),
        figure_at(
            at("Discussion, Figure 6"),
            "Figure 6",
            "the worst classifier",
            partial(draw_worst, soft),
        ),
        figure_at(
            at("AUC_PRT, Figure 7"),
            "Figure 7",
            "the region between worst and perfect",
            partial(draw_region, soft),
        ),
    ]


def draw_known(curve: Curve, perfect: Curve, ax: Axes | None = None) -> Axes:
    """Draw a curve of hard labels, its thresholds beside it, and the perfect one."""
    ax = curve.plot(ax, name="Classifier", **_DOTS)
    perfect.plot(ax, name="Perfect", color=_GREEN, linestyle="-", linewidth=1.6, clip_on=False)
    (chance,) = [line for line in ax.lines if line.get_gid() == "chance"]
    chance.set_label("Random (AUC = 0.500)")
    return _write_thresholds(ax, curve)


def _write_thresholds(ax: Axes, curve: Curve, what: str = "scores") -> Axes:
    """Write each threshold below and right of its point, ∞ beside the first; say what they are."""
    last = len(curve.thresholds) - 1
    for k, (fpr, tpr) in enumerate(zip(curve.fpr, curve.tpr, strict=True)):
        words = "∞" if k == 0 else f"{curve.thresholds[k]:g}"
        offset = {0: (9.0, 0.0), last: (3.0, -8.0)}.get(k, (5.0, -5.0))
        ax.annotate(
            words, (fpr, tpr), offset, textcoords="offset points", fontsize=7.5, color=DARK,
            ha="right" if k == last else "left", va="center" if k == 0 else "top", zorder=5,
            bbox=white_box(0.05) if k == last else None,
        )  # fmt: skip
    ax.plot([], [], " ", label=f"Beside the points: {what}, as thresholds")
    return with_legend(ax)


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
    """Draw the first segment on the whole curve, and beside it alone and large."""
    boxes = ((0.0, 0.0, 0.45, 0.96), (0.54, 0.0, 0.45, 0.96))
    ax, (left, right) = panels_in(ax, (10.4, 5.2), boxes)
    curve.plot(left, name="Whole curve", alpha=0.4, linewidth=1.8, linestyle="-")
    x, y = float(curve.fpr[1]), float(curve.tpr[1])
    left.plot([0, x], [0, y], "o-", color=_ORANGE, label="First segment", clip_on=False, zorder=4)
    with_legend(left)
    # the segment with its two legs, on axes of its own scale
    square_axes(right, FPR, TPR)
    right.set(aspect="auto", xlim=(-0.15 * x, 1.9 * x), ylim=(-0.1 * y, 1.3 * y))
    right.plot(curve.fpr, curve.tpr, color=_BLUE, alpha=0.4, linewidth=1.8)
    right.plot([0, x, x], [0, 0, y], color=QUIET, linewidth=1.2, linestyle=":")
    right.plot([0, x], [0, y], "o-", color=_ORANGE, linewidth=2.4, zorder=4)
    look: dict[str, Any] = {"color": DARK, "textcoords": "offset points"}
    across, along = (f"{m[1]:.2f}/{m[-1]:.2f}" for m in (curve.walk.right, curve.walk.up))
    right.annotate(f"(1 − f) / Neg = {across}", (x / 2, 0), (0, -6), ha="center", va="top", **look)
    right.annotate(f"f / Pos =\n{along}", (x, y / 2), (8, 0), ha="left", va="center", **look)
    right.set(xticks=[0, round(x, 3)], yticks=[0, round(y, 3)])
    between = f"{curve.thresholds[1]:g} and {curve.thresholds[2]:g}"
    right.set_title(f"threshold between {between}", fontsize="small", color=DARK)
    return ax


def draw_hull(found: ReferenceTruth, ax: Axes | None = None) -> Axes:
    """Draw a curve of soft truth with its hull and its thresholds."""
    curve, hull = found.curve, found.hull
    ax = curve.plot(ax, name="Classifier", **_DOTS)
    _fill_between(ax, hull, curve, _ORANGE, 0.12)
    ax.plot(
        hull.fpr, hull.tpr, color=_ORANGE, linewidth=1.6, linestyle=(0, (1, 1.4)), zorder=4,
        label=f"Convex hull (area = {hull.area:.3f})",
    )  # fmt: skip
    return _write_thresholds(ax, curve)


def draw_perfect(found: ReferenceTruth, ax: Axes | None = None) -> Axes:
    """Draw the best order over the area that no order reaches."""
    curve = found.perfect
    ax = curve.plot(ax, name="Perfect, in order of f", color=_GREEN, linestyle="-", **_DOTS)
    ax.fill_between(curve.fpr, curve.tpr, 1, color=_GREEN, alpha=0.14, linewidth=0)
    ax.plot([0], [1], "o", color=DARK, markersize=7, markerfacecolor="white", clip_on=False)
    _write(ax, f"(0, 1), out of reach\nAAPCC = {found.aapcc:.3f}", (0.03, 0.965), va="top")
    return _write_thresholds(ax, curve, "f")


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
    for edge in (line for line in ax.lines if line.get_gid() == "edge"):
        edge.set_label(str(edge.get_label()).capitalize())
    with_legend(ax, "upper left")
    _write(ax, f"AUC − AUWCC\n= {above:.3f}", (0.56, 0.42), ha="center", va="center")
    words = f"of the whole region,\n{whole:.3f}"
    _write(ax, words, (0.25, 0.555), ha="center", va="center", fontsize=7.5, bbox=None)
    return ax


def _write(ax: Axes, words: str, place: tuple[float, float], **look: Any) -> None:
    box = white_box(0.2)
    ax.text(*place, words, **({"color": DARK, "fontsize": "small", "bbox": box} | look))
