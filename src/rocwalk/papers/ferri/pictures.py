"""Figures 1 to 7 and the curves of §§2.1 and 3, drawn from the data; nothing is computed here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.ferri.rows import (
    DEGREES,
    KERNELS,
    ON_THE_WAY,
    PRINTED,
    READINGS,
    SAMPLES,
    SMALL_GAP,
    WIDTHS_5,
    area_at,
    at,
    figure_3,
    match_of,
    matched_curve,
    signed_text,
    slope_of,
    turning_angle,
)
from rocwalk.papers.figure import Figure, figure_at, panels_in, sized_axes
from rocwalk.papers.row import text_of
from rocwalk.plot import PALETTE, QUIET, next_look, with_legend
from rocwalk.smear.curves import SmearedCurve, smeared_roc
from rocwalk.smear.plot import draw_family
from rocwalk.smear.widths import WidthMatch, width_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KEY = "#444444"
_BOXES = ((0.0, 0.0, 0.45, 1.0), (0.54, 0.0, 0.45, 1.0))


def ferri_figures(examples: Examples) -> list[Figure]:
    """Return the paper's figures and its unnumbered curves, in its order."""
    first, growing = examples["ferri_figure_1"], examples["ferri_figure_4"]
    turning, example_1 = examples["ferri_figure_5"], examples[SAMPLES[1]]
    pair = [examples["ferri_figure_2a"], examples["ferri_figure_2b"]]
    of_growing, of_turning = (
        [low for low, _ in match_of(example).widths] for example in (growing, turning)
    )
    return [
        figure_at(
            at("§1, Figure 1"),
            "Figure 1",
            "the ranking and its curve",
            partial(draw_ranking, first),
        ),
        figure_at(
            at("§1, Figure 2, left"),
            "Figure 2",
            "a small change turns AUC over",
            partial(draw_pair, pair),
        ),
        figure_at(
            at("§2, Figure 3"),
            "Figure 3",
            "scores as segments; d is ours",
            partial(draw_smear, first, figure_3(examples)),
        ),
        figure_at(
            at("§2, Figure 4"),
            "Figure 4",
            "the curve as d grows; at the matched width its area is pAUC",
            partial(draw_widths, growing, (*ON_THE_WAY, *of_growing)),
        ),
        figure_at(
            at("§2.1, Theorem 4"),
            "Theorem 4",
            "a sample of ours that no width matches",
            partial(draw_areas, match_of(examples["ferri_no_width"])),
        ),
        figure_at(
            at("§2.1, Figure 5"),
            "Figure 5",
            "the area falls, rises and falls; three widths match",
            partial(draw_widths, turning, (*WIDTHS_5, *of_turning)),
        ),
        figure_at(
            at("§2.1, Figure 6"),
            "Figure 6",
            "the same areas against d",
            partial(draw_areas, match_of(turning)),
        ),
        figure_at(
            at("§2.3, Figure 7"),
            "Figure 7",
            "scores as bells; data and d are ours",
            partial(draw_smear, first, figure_3(examples, "normal")),
        ),
        figure_at(
            at("§3.1"),
            "Two points",
            "the curve behind the formula of §3.1",
            partial(draw_two_points, matched_curve(examples["ferri_two_points"])),
        ),
        *(
            figure_at(
                at(f"§3.2, Example {number}"),
                f"Example {number}",
                "smeared, uniform and normal with σ = d/√12, and the printed d",
                partial(draw_example, examples[name], PRINTED[number]),
            )
            for number, name in SAMPLES.items()
        ),
        figure_at(
            at("§3.3"),
            "Slopes",
            "the best points of Example 1 for 60°, 45° and 30°",
            partial(draw_slopes, curve_of(example_1), matched_curve(example_1)),
        ),
    ]


# -- a curve below its scores --------------------------------------------------------------------


def draw_ranking(example: PaperExample, ax: Axes | None = None) -> Axes:
    """Draw a curve below the scores that it ranks."""
    return _draw_below_scores(curve_of(example), example, ax)


def draw_smear(example: PaperExample, curve: SmearedCurve, ax: Axes | None = None) -> Axes:
    """Draw a smeared curve below the scores, as wide as they are smeared."""
    return _draw_below_scores(curve, example, ax, curve.closed.amount, curve.kernel)


def _draw_below_scores(
    curve: Curve,
    example: PaperExample,
    ax: Axes | None,
    width: float = 0.0,
    kernel: str = "uniform",
) -> Axes:
    """Draw a curve, and above it the scores on an axis of their own, from 1 down to 0.

    Positives stand upward, negatives downward; a width adds what each score is smeared to.
    """
    if ax is None:
        ax = sized_axes(None, (5.2, 6.6))
        ax.set_anchor("S")
    ax = curve.plot(ax)
    ax.fill_between(curve.fpr, curve.tpr, color=PALETTE[0], alpha=0.08, linewidth=0)
    strip = ax.inset_axes((0, 1.04, 1, 0.24))
    reach = {"uniform": 0.5, "normal": 1.75}[kernel] * width  # to either side of a score
    low = min(0, min(example.y_prob) - reach) - 0.04
    high = max(1, max(example.y_prob) + reach) + 0.04
    strip.set(xlim=(high, low), ylim=(-2.1, 2.1), xticks=[], yticks=[])
    for spine in strip.spines.values():
        spine.set_visible(False)
    strip.axhline(0, color=QUIET, linewidth=0.8, zorder=3)
    for end in (0, 1):
        strip.plot([end] * 2, [-0.25, 0.25], color=QUIET, linewidth=0.8)
        strip.text(end, -0.35, str(end), ha="center", va="top", fontsize=8, color=QUIET)
    words = signed_text(example).split()
    for label, score, word in zip(example.y_true, example.y_prob, words, strict=True):
        colour, up = (PALETTE[2], 1) if label else (PALETTE[3], -1)
        strip.plot([score] * 2, [0, up], color=colour, linewidth=1.4, zorder=4)
        strip.plot([score], [up], "o", color=colour, markersize=4)
        strip.annotate(
            word, (score, up), (0, 4 * up), textcoords="offset points", ha="center",
            va="bottom" if label else "top", fontsize=8, color=colour,
        )  # fmt: skip
        if width:
            x = np.linspace(low, high, 1_401)
            away = (x - score) / width
            segment = np.where(np.abs(away) <= 0.5, 1.0, 0.0)
            bell = np.exp(-0.5 * (away / 0.5) ** 2)  # σ = d/2, as in Figure 7
            shape = up * (segment if kernel == "uniform" else bell)
            strip.fill_between(x, shape, color=colour, alpha=0.25, linewidth=0)
    return ax


# -- curves and areas ----------------------------------------------------------------------------


def draw_pair(pair: Sequence[PaperExample], ax: Axes | None = None) -> Axes:
    """Draw the curves of samples, each named by its scores."""
    for example in pair:
        ax = curve_of(example).plot(ax, name=signed_text(example), chance=False)
    assert ax is not None
    return with_legend(ax, "center")


def draw_widths(example: PaperExample, widths: Sequence[float], ax: Axes | None = None) -> Axes:
    """Draw the curves of a sample at several widths side by side."""
    curves = [smeared_roc(example.y_true, example.y_prob, width=d) for d in sorted(widths)]
    shown = [(curve.walk, curve.closed.amount, curve.area) for curve in curves]
    return draw_family(shown, curve_of(example).walk, ax, target=match_of(example).target)


def draw_areas(match: WidthMatch, ax: Axes | None = None) -> Axes:
    """Draw the area against the width, in the paper's words, each label near its dot."""
    ax = match.plot(ax)
    inner = [f"d = {width_text(low)}" for low, _ in match.widths[1:-1]]
    labels: list[Any] = list(ax.texts)
    for label in labels:
        label.set_text(label.get_text().replace("probabilistic AUC", "pAUC"))
        if label.get_text() in inner:
            label.set(ha="center", va="top")
            label.xyann = (0, -13)
    return ax


def draw_two_points(curve: SmearedCurve, ax: Axes | None = None) -> Axes:
    """Draw the curve of two points, with the triangle above it."""
    ax = curve.plot(ax)
    x = float(curve.fpr[curve.tpr >= 1][0])
    ax.fill([0, 0, x], [1 - x, 1, 1], color=PALETTE[1], alpha=0.15, linewidth=0)
    ax.plot([0, x], [1, 1], color=PALETTE[1], linewidth=2, clip_on=False, zorder=3)
    look: dict[str, Any] = {"ha": "center", "va": "top", "color": PALETTE[1]}
    ax.text(x / 2, 0.98, f"x = {text_of(x)}", **look)
    ax.text(x / 3, 1 - x / 3, "area x²/2 = 1 − pAUC", **look)
    return ax


def draw_example(example: PaperExample, printed: Mapping[str, str], ax: Axes | None = None) -> Axes:
    """Draw the smeared curves of both kernels, and beside them their areas near the widths.

    The band is the gap at which the paper's search ends.
    """
    ax, (left, right) = panels_in(ax, (10.4, 5.2), _BOXES)
    near = [float(printed[kernel]) for kernel in KERNELS]
    for kernel, options in KERNELS.items():
        curve, look = matched_curve(example, **options), next_look(left)
        matched = curve.closed.amount
        words = f"Smeared, {kernel} (d = {text_of(matched)}, area = {curve.area:.3f})"
        curve.plot(left, label=words)
        d = np.linspace(min(near) - 0.06, max(near) + 0.12, 200)
        right.plot(d, match_of(example, **options).areas(d), gid="curve", **look)
        _mark_width(right, (matched, curve.area), (-6, -5), "o", f"d = {text_of(matched)}")
        width = float(printed[kernel])
        place = width, area_at(example, width, **options)
        _mark_width(right, place, (6, 4), "X", f"printed {printed[kernel]}")
    target = match_of(example).target
    right.axhline(target, color=QUIET, linewidth=1, zorder=1, label=f"pAUC = {target:.3f}")
    right.axhspan(
        target - SMALL_GAP, target + SMALL_GAP, color=QUIET, alpha=0.15, linewidth=0,
        label=f"within {SMALL_GAP}",
    )  # fmt: skip
    right.set(xlabel="Width d", ylabel="Area(d)")
    right.margins(x=0)
    for side in ("top", "right"):
        right.spines[side].set_visible(False)
    with_legend(right, "upper right")
    return ax


def _mark_width(
    ax: Axes, place: tuple[float, float], beside: tuple[float, float], marker: str, words: str
) -> None:
    ax.plot(*place, marker, color=_KEY, markersize=9, markeredgecolor="white", zorder=4, gid=words)
    right = beside[0] > 0
    ax.annotate(
        words, place, beside, textcoords="offset points", color=_KEY, fontsize="small",
        ha="left" if right else "right", va="bottom" if right else "top",
    )  # fmt: skip


# -- slopes --------------------------------------------------------------------------------------

_BESIDE = {60: (10, -10), 45: (8, -14), 30: (38, -14)}  # of each angle, in printer's points
_SIZES = {60: 7, 45: 12, 30: 6}


def draw_slopes(bare: Curve, curve: SmearedCurve, ax: Axes | None = None) -> Axes:
    """Draw the best points for three slopes: on the bare curve, and beside it on the smeared."""
    ax, (left, right) = panels_in(ax, (10.4, 5.2), _BOXES)
    bare.plot(left, name="ROC curve")
    # the edge of the hull, at whose slope the choice changes
    ends = [bare.best(slope=slope_of(degrees)) for degrees in (60, 45)]
    left.plot(
        [end.fpr for end in ends], [end.tpr for end in ends], color=_KEY, linewidth=1.4,
        linestyle=(0, (3, 1.5)), label=f"Edge of the hull, {turning_angle(bare):.1f}°", gid="hull",
    )  # fmt: skip
    curve.plot(right)
    for degrees, colour in zip(DEGREES, PALETTE[1:], strict=False):
        best = bare.best(slope=slope_of(degrees))
        place = best.fpr, best.tpr
        left.axline(place, slope=best.slope, color=colour, linewidth=0.9, linestyle=":")
        left.annotate(
            f"{degrees}°", place, _BESIDE[degrees], textcoords="offset points", color=colour,
            va="center",
        )  # fmt: skip
        left.plot(
            [best.fpr], [best.tpr], "s", color=colour, markersize=_SIZES[degrees], clip_on=False,
            zorder=4, gid=f"{degrees}°",
        )  # fmt: skip
        right.plot(*READINGS[degrees], "x", color=colour, markersize=7, markeredgewidth=2, zorder=4)
        # the point, or the edge, that the slope chooses
        smeared = curve.best(slope=best.slope)
        edge = [smeared.point, smeared.point if smeared.tied is None else smeared.tied]
        x, y = [end.fpr for end in edge], [end.tpr for end in edge]
        right.axline((x[0], y[0]), slope=smeared.slope, color=colour, linewidth=0.9, linestyle=":")
        right.plot(x, y, "o-", color=colour, markersize=6, clip_on=False, zorder=3)
        right.annotate(
            f"{degrees}°", (sum(x) / 2, sum(y) / 2), (9, -6), textcoords="offset points",
            color=colour, va="top",
        )  # fmt: skip
    left.plot([], [], "s", color=_KEY, label="Best points")
    right.plot([], [], "o", color=_KEY, label="Best points, smeared")
    right.plot([], [], "x", color=_KEY, markeredgewidth=2, label="As printed")
    for panel in (left, right):
        with_legend(panel)
    return ax
