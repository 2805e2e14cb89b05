"""Figuras 1 to 5, drawn from the data; nothing is computed here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rocwalk.curves.averages import AveragedCurve
from rocwalk.curves.operating_points import OperatingPoint
from rocwalk.curves.plot import FPR, TPR, draw_chance
from rocwalk.curves.roc import Curve
from rocwalk.papers.classic.rows import THRESHOLD, at, classifiers, curves_a_and_b, vertical_mean
from rocwalk.papers.examples import Examples, cells_of, curve_of
from rocwalk.papers.figure import DARK, Figure, figure_at, panels_in, white_box
from rocwalk.plot import PALETTE, QUIET, square_axes, with_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# the words beside each point of Figura 2, and where they stand, in printer's points
_WORDS: dict[str, tuple[str, tuple[float, float]]] = {
    "A": ("A  conservative", (10, -4)),
    "B": ("B = E negated", (-6, 10)),
    "C": ("C  random", (10, -4)),
    "D": ("D  perfect", (10, -4)),
    "E": ("E", (10, -4)),
}


def classic_figures(examples: Examples) -> list[Figure]:
    """Return the paper's figures, in its order."""
    a, b = curves_a_and_b(examples)
    table_1 = curve_of(examples["classic_table_1"])
    return [
        figure_at(
            at("§2, Figura 1"),
            "Figura 1",
            f"the confusion matrix of Tabela 1 at the threshold {THRESHOLD}",
            partial(draw_matrix, table_1.at(THRESHOLD)),
            title=f"the confusion matrix of Tabela 1 at {THRESHOLD}",
        ),
        figure_at(
            at("§3.1, Figura 2"),
            "Figura 2",
            "five discrete classifiers, as rules of ours on the instances of Tabela 1",
            partial(draw_classifiers, classifiers(examples)),
            title="five discrete classifiers; the rules are ours",
        ),
        figure_at(
            at("§3.2, Figura 3"),
            "Figura 3",
            "the curve of Tabela 1, each point with its threshold",
            partial(draw_thresholds, table_1),
            title="the curve of Tabela 1 and its thresholds",
        ),
        figure_at(
            at("§4, Figura 4"),
            "Figura 4",
            "the areas under two curves, A and B; the samples are ours",
            partial(draw_areas, a, b),
            title="the areas under A and B; the samples are ours",
        ),
        figure_at(
            at("§5, Figura 5"),
            "Figura 5",
            "C is the vertical mean of A and B, with its spread; the samples are ours",
            partial(draw_mean, a, b, vertical_mean(a, b)),
            title="C, the mean of A and B; the samples are ours",
        ),
    ]


def draw_matrix(point: OperatingPoint, ax: Axes | None = None) -> Axes:
    """Draw a confusion matrix, the predicted class in rows, the totals below."""
    ax, _ = panels_in(ax, (5.6, 4.6), ())
    ax.set(xlim=(-0.5, 2), ylim=(-0.36, 2.46))
    tp, fp, fn, tn = cells_of(point.confusion)
    blue, orange = PALETTE[:2]
    for x, y, count, name, colour in (
        (0, 1, tp, "True positives", blue),
        (1, 1, fp, "False positives", orange),
        (0, 0, fn, "False negatives", orange),
        (1, 0, tn, "True negatives", blue),
    ):
        left, right, low, high = x + 0.015, x + 0.985, y + 0.015, y + 0.985
        ax.fill(
            [left, right, right, left], [low, low, high, high], color=colour, alpha=0.14,
            linewidth=0,
        )  # fmt: skip
        look = {"color": colour, "fontsize": 30, "fontweight": "bold"}
        _write(ax, (x + 0.5, y + 0.58), f"{count:g}", **look)
        _write(ax, (x + 0.5, y + 0.22), name)
    for column, name, total in ((0, "p", f"P = {tp + fn:g}"), (1, "n", f"N = {fp + tn:g}")):
        _write(ax, (column + 0.5, 2.12), name, fontweight="bold")
        _write(ax, (-0.18, 1.5 - column), name, fontweight="bold")
        _write(ax, (column + 0.5, -0.22), total, fontweight="bold")
    _write(ax, (1, 2.36), "True class")
    _write(ax, (-0.42, 1), "Classified as", rotation=90)
    _write(ax, (-0.18, -0.22), "Totals")
    return ax


def _write(ax: Axes, place: tuple[float, float], words: str, **look: Any) -> None:
    ax.text(*place, words, **({"ha": "center", "va": "center", "color": DARK} | look))


def draw_classifiers(points: dict[str, OperatingPoint], ax: Axes | None = None) -> Axes:
    """Draw classifiers as lettered points, B and E joined through the centre."""
    ax = square_axes(ax, FPR, TPR)
    ax.fill_between([0, 1], [0, 1], color=QUIET, alpha=0.08, linewidth=0)
    draw_chance(ax)
    b, e = points["B"], points["E"]
    ax.plot([b.fpr, e.fpr], [b.tpr, e.tpr], color=QUIET, linewidth=1.2, linestyle=":")
    for (name, point), colour in zip(points.items(), PALETTE, strict=False):
        ax.plot([point.fpr], [point.tpr], "o", color=colour, markersize=9, clip_on=False, gid=name)
        words, beside = _WORDS[name]
        ax.annotate(
            words, (point.fpr, point.tpr), beside, textcoords="offset points",
            bbox=white_box(0.15), color=colour, fontweight="bold",
        )  # fmt: skip
    ax.text(0.97, 0.04, "worse than random", ha="right", color=QUIET, fontsize="small")
    return ax


def draw_thresholds(curve: Curve, ax: Axes | None = None) -> Axes:
    """Draw a curve of few points, each with its threshold beside it."""
    ax = curve.plot(ax, name="Tabela 1", zorder=3)
    ax.fill_between(curve.fpr, curve.tpr, color=PALETTE[0], alpha=0.07, linewidth=0)
    ax.plot(curve.fpr, curve.tpr, "o", color=PALETTE[0], markersize=4.5, clip_on=False, zorder=4)
    ups = [*(curve.tpr[1:] > curve.tpr[:-1]), False]
    for k, threshold in enumerate(curve.thresholds):
        # where a label does not lie on the curve: right of a rise, above a corner, else below
        offset, horizontal, vertical = (0, -6), "center", "top"
        if ups[k]:
            offset, horizontal, vertical = (6, -1), "left", "center"
        elif k > 0 and ups[k - 1]:
            offset, horizontal, vertical = (-2, 5), "left", "bottom"
        ax.annotate(
            "∞" if k == 0 else f"{threshold:g}", (curve.fpr[k], curve.tpr[k]), offset,
            textcoords="offset points", fontsize=7.5, color=DARK, zorder=5,
            ha=horizontal, va=vertical,
        )  # fmt: skip
    return ax


def draw_areas(a: Curve, b: Curve, ax: Axes | None = None) -> Axes:
    """Draw two curves over the areas below them."""
    ax = b.plot(a.plot(ax, name="A"), name="B")
    for curve, colour in zip((a, b), PALETTE, strict=False):
        ax.fill_between(curve.fpr, curve.tpr, color=colour, alpha=0.10, linewidth=0)
    return ax


def draw_mean(a: Curve, b: Curve, c: AveragedCurve, ax: Axes | None = None) -> Axes:
    """Draw two curves and their vertical mean with its spread."""
    ax = a.plot(ax, name="A", linewidth=1.3)
    ax = b.plot(ax, name="B", linewidth=1.3)
    ax = c.plot(ax, name="C, their vertical mean", linewidth=2.6, linestyle="-")
    ax.collections[-1].set_label("C ± one standard deviation")
    return with_legend(ax)
