"""Figures 1 and 2, and the step rules side by side; nothing is computed here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rocwalk.curves.roc import Curve
from rocwalk.curves.soft import SoftCurves, soft_curves
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.figure import DARK, Figure, figure_at, panels_in, white_box
from rocwalk.papers.soft.rows import THRESHOLD, at, curve_by, models
from rocwalk.plot import PALETTE, with_legend
from rocwalk.typing import Steps

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAMES: dict[Steps, str] = {
    "truth": "ROC",
    "single": "Soft, single direction",
    "both": "Soft, both directions",
}
_RULES: tuple[Steps, ...] = ("truth", "single", "both", "blind")


def soft_figures(examples: Examples) -> list[Figure]:
    """Return the paper's figures, and C1 beside C2 by every rule."""
    both = models(examples)
    bare = {model: curve_of(example) for model, example in both.items()}
    of_c1 = {steps: curve_by(steps, both["C1"]) for steps in _NAMES}
    every_rule = [
        soft_curves(example.y_true, {model: example.y_prob}, steps=_RULES, threshold=THRESHOLD)
        for model, example in both.items()
    ]
    curves = SoftCurves({key: curve for one in every_rule for key, curve in one.curves.items()})
    return [
        figure_at(
            at("§2, Figure 1, both models"),
            "Figure 1",
            "two models, one ROC curve",
            partial(draw_same, bare),
        ),
        figure_at(
            at("§4.1, Figure 2, C1"),
            "Figure 2",
            "soft ROC curves of C1",
            partial(draw_rules, of_c1),
        ),
        figure_at(
            at("§5, both models"),
            "Step rules",
            "C1 and C2 rank alike, yet their soft curves differ",
            partial(draw_panels, curves),
        ),
    ]


def draw_same(curves: dict[str, Curve], ax: Axes | None = None) -> Axes:
    """Draw curves that cover each other, the first broad and pale, each score beside its point."""
    looks: tuple[dict[str, Any], ...] = (
        {"linewidth": 8, "alpha": 0.35, "linestyle": "-", "solid_capstyle": "round"},
        {"linewidth": 2, "linestyle": "-", "marker": "o", "markersize": 5},
    )
    for (name, curve), look in zip(curves.items(), looks, strict=True):
        ax = curve.plot(ax, name=name, clip_on=False, zorder=3, **look)
    assert ax is not None
    first, *_ = curves.values()
    scores = zip(*(curve.thresholds[1:].tolist() for curve in curves.values()), strict=False)
    for fpr, tpr, row in zip(first.fpr[1:], first.tpr[1:], scores, strict=False):
        last = fpr == 1
        ax.annotate(
            " | ".join(f"{score:g}" for score in row), (fpr, tpr), (2 if last else 9, -9),
            textcoords="offset points", fontsize=8, color=DARK, va="top",
            ha="right" if last else "left", bbox=white_box(0.05) if last else None,
        )  # fmt: skip
    ax.plot([], [], " ", label=f"Beside the points: scores of {' | '.join(curves)}")
    return with_legend(ax)


def draw_rules(curves: dict[Steps, Curve], ax: Axes | None = None) -> Axes:
    """Draw the curves of one model by several rules, with their points."""
    for (steps, curve), colour in zip(curves.items(), PALETTE, strict=False):
        width = 1.6 if steps == "truth" else 2.2
        ax = curve.plot(
            ax, name=_NAMES[steps], color=colour, linewidth=width, linestyle="-", marker="o",
            markersize=4.5, markerfacecolor="white", clip_on=False, zorder=3,
        )  # fmt: skip
    assert ax is not None
    return with_legend(ax)


def draw_panels(curves: SoftCurves, ax: Axes | None = None) -> Axes:
    """Draw one square for each rule, all models in each; they are `child_axes`."""
    boxes = [(left, bottom, 0.47, 0.43) for bottom in (0.53, 0.0) for left in (0.0, 0.53)]
    ax, panels = panels_in(ax, (8.6, 9.2), boxes[: len(curves.steps)])
    curves.plot(panels)
    return ax
