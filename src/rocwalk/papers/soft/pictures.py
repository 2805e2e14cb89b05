"""Figures 1 and 2, and the step rules side by side; they compute nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rocwalk.curves.roc import Curve
from rocwalk.curves.soft import SoftCurves, soft_curves
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.figure import Figure, figure_at, panels_in
from rocwalk.papers.soft.place import NAME, THRESHOLD, curve_by, models
from rocwalk.plot import PALETTE, with_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
from rocwalk.typing import Steps

_figure = partial(figure_at, NAME)
_NAMES: dict[Steps, str] = {
    "truth": "ROC",
    "single": "Soft, single direction",
    "both": "Soft, both directions",
}
_BOX = {"boxstyle": "round,pad=0.05", "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
_RULES: tuple[Steps, ...] = ("truth", "single", "both", "blind")


def figures(examples: Examples) -> list[Figure]:
    """Return the paper's figures, and C1 beside C2 by every rule."""
    both = models(examples)
    bare = {model: curve_of(example) for model, example in both.items()}
    drawn = {steps: curve_by(steps, both["C1"]) for steps in _NAMES}
    return [
        _figure("Figure 1", "two models, one ROC curve", partial(draw_same, bare)),
        _figure("Figure 2", "soft ROC curves of C1", partial(draw_rules, drawn)),
        _figure(
            "Step rules",
            "C1 and C2 rank alike, yet their soft curves differ",
            partial(draw_panels, _all_curves(examples)),
        ),
    ]


def _all_curves(examples: Examples) -> SoftCurves:
    """Return both models by every rule."""
    found = [
        soft_curves(example.y_true, {model: example.y_prob}, steps=_RULES, threshold=THRESHOLD)
        for model, example in models(examples).items()
    ]
    return SoftCurves({key: curve for part in found for key, curve in part.curves.items()})


# -- drawing -------------------------------------------------------------------------------------


def draw_same(curves: dict[str, Curve], ax: Axes | None = None) -> Axes:
    """Draw curves that cover each other, the first broad and pale, each score beside its point."""
    looks: tuple[dict[str, Any], ...] = (
        {"linewidth": 8, "alpha": 0.35, "linestyle": "-", "solid_capstyle": "round"},
        {"linewidth": 2, "linestyle": "-", "marker": "o", "markersize": 5},
    )
    for (name, curve), look in zip(curves.items(), looks, strict=True):
        ax = curve.plot(ax, name=name, clip_on=False, zorder=3, **look)
    assert ax is not None
    _write_scores(ax, curves)
    ax.plot([], [], " ", label=f"Beside the points: scores of {' | '.join(curves)}")
    return with_legend(ax)


def _write_scores(ax: Axes, curves: dict[str, Curve]) -> None:
    """Write the scores of all models beside the points that they share, none over another."""
    first, *_ = curves.values()
    scores = zip(*(curve.thresholds[1:].tolist() for curve in curves.values()), strict=False)
    for fpr, tpr, row in zip(first.fpr[1:], first.tpr[1:], scores, strict=False):
        last = fpr == 1
        ax.annotate(
            " | ".join(f"{score:g}" for score in row), (fpr, tpr), (2 if last else 9, -9),
            textcoords="offset points", fontsize=8, color="#333333", va="top",
            ha="right" if last else "left", bbox=_BOX if last else None,
        )  # fmt: skip


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
