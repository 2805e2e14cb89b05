"""Figures 1 to 7 and the curves of §§2.1 and 3, drawn from the data; they compute nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.plot import FPR, TPR
from rocwalk.curves.roc import Curve
from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.ferri.numeric import KERNELS, PRINTED, SAMPLES, SMALL_GAP
from rocwalk.papers.ferri.oscillating import MEANT, MIDDLE, NEAR
from rocwalk.papers.ferri.place import NAME, area_at, match_of, matched_curve, signed_text
from rocwalk.papers.ferri.segments import FAR, ON_THE_WAY, figure_3
from rocwalk.papers.ferri.slopes import DEGREES, READINGS, slope_of, turning_angle
from rocwalk.papers.ferri.strip import draw_strip
from rocwalk.papers.figure import Figure, figure_at, panels_in
from rocwalk.papers.row import text_of
from rocwalk.plot import PALETTE, QUIET, next_look, square_axes, with_legend
from rocwalk.smear.curves import SmearedChoice, SmearedCurve, smeared_roc
from rocwalk.smear.plot import draw_family
from rocwalk.smear.widths import WidthMatch, width_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KEY = "#444444"
_BOXES = ((0.0, 0.0, 0.45, 1.0), (0.54, 0.0, 0.45, 1.0))
_BESIDE = {60: (10, -10), 45: (8, -14), 30: (38, -14)}  # of each angle, in printer's points
_SIZES = {60: 7, 45: 12, 30: 6}
_figure = partial(figure_at, NAME)


def figures(examples: Examples) -> list[Figure]:
    """Return the paper's figures and its unnumbered curves, in its order."""
    return [*_of_section_2(examples), *_of_section_3(examples)]


def _of_section_2(examples: Examples) -> list[Figure]:
    first, growing = examples["ferri_figure_1"], examples["ferri_figure_4"]
    turning, pair = examples["ferri_figure_5"], _two(examples)
    return [
        _figure("Figure 1", "the ranking and its curve", partial(draw_ranking, first)),
        _figure("Figure 2", "a small change turns AUC over", partial(draw_pair, pair)),
        _figure(
            "Figure 3",
            "scores as segments; d is ours",
            partial(draw_smear, first, figure_3(examples)),
        ),
        _figure(
            "Figure 4",
            "the curve as d grows; at the matched width its area is pAUC",
            partial(draw_widths, growing, (*ON_THE_WAY, *_widths(growing))),
        ),
        _figure(
            "Theorem 4",
            "a sample of ours that no width matches",
            partial(draw_areas, match_of(examples["ferri_no_width"])),
        ),
        _figure(
            "Figure 5",
            "the area falls, rises and falls; three widths match",
            partial(draw_widths, turning, (0, NEAR, MIDDLE, MEANT, FAR, *_widths(turning))),
        ),
        _figure("Figure 6", "the same areas against d", partial(draw_areas, match_of(turning))),
        _figure(
            "Figure 7",
            "scores as bells; data and d are ours",
            partial(draw_smear, first, figure_3(examples, "normal")),
        ),
    ]


def _of_section_3(examples: Examples) -> list[Figure]:
    example = examples[SAMPLES[1]]
    return [
        _figure(
            "Two points",
            "the curve behind the formula of §3.1",
            partial(draw_two_points, matched_curve(examples["ferri_two_points"])),
        ),
        *(_example(number, examples[name]) for number, name in SAMPLES.items()),
        _figure(
            "Slopes",
            "the best points of Example 1 for 60°, 45° and 30°",
            partial(draw_slopes, curve_of(example), matched_curve(example)),
        ),
    ]


def _example(number: int, example: PaperExample) -> Figure:
    return _figure(
        f"Example {number}",
        "smeared, uniform and normal with σ = d/√12, and the printed d",
        partial(draw_example, example, PRINTED[number]),
    )


def _two(examples: Examples) -> list[PaperExample]:
    return [examples["ferri_figure_2a"], examples["ferri_figure_2b"]]


def _widths(example: PaperExample) -> list[float]:
    return [low for low, _ in match_of(example).widths]


# -- drawing -------------------------------------------------------------------------------------


def draw_ranking(example: PaperExample, ax: Axes | None = None) -> Axes:
    """Draw a curve below the scores that it ranks."""
    curve = curve_of(example)
    return _below_strip(curve, curve.plot(_upright(ax)), example)


def draw_pair(pair: Sequence[PaperExample], ax: Axes | None = None) -> Axes:
    """Draw the curves of samples, each named by its scores."""
    for example in pair:
        ax = curve_of(example).plot(ax, name=signed_text(example), chance=False)
    assert ax is not None
    return with_legend(ax, "center")


def draw_smear(example: PaperExample, curve: SmearedCurve, ax: Axes | None = None) -> Axes:
    """Draw a smeared curve below the scores, as wide as they are smeared."""
    return _below_strip(curve, curve.plot(_upright(ax)), example, curve.width, curve.kernel)


def _upright(ax: Axes | None) -> Axes:
    """Return the given axes, or new ones with room above for the scores."""
    if ax is not None:
        return ax
    ax = square_axes(None, FPR, TPR)
    picture: Any = ax.figure
    picture.set_size_inches(5.2, 6.6)
    ax.set_anchor("S")
    return ax


def _below_strip(curve: Curve, ax: Axes, example: PaperExample, *smear: Any) -> Axes:
    ax.fill_between(curve.fpr, curve.tpr, color=PALETTE[0], alpha=0.08, linewidth=0)
    return draw_strip(ax, example, *smear)


def draw_widths(example: PaperExample, widths: Sequence[float], ax: Axes | None = None) -> Axes:
    """Draw the curves of a sample at several widths side by side."""
    curves = [smeared_roc(example.y_true, example.y_prob, width=d) for d in sorted(widths)]
    shown = [(curve.walk, curve.width, curve.area) for curve in curves]
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


def draw_example(example: PaperExample, printed: Mapping[str, str], ax: Axes | None = None) -> Axes:
    """Draw the smeared curves of both kernels, and beside them their areas near the widths."""
    ax, (left, right) = panels_in(ax, (10.4, 5.2), _BOXES)
    near = [float(printed[kernel]) for kernel in KERNELS]
    for kernel, options in KERNELS.items():
        curve, look = matched_curve(example, **options), next_look(left)
        words = f"Smeared, {kernel} (d = {text_of(curve.width)}, area = {curve.area:.3f})"
        curve.plot(left, label=words)
        d = np.linspace(min(near) - 0.06, max(near) + 0.12, 200)
        right.plot(d, match_of(example, **options).areas(d), gid="curve", **look)
        _mark_width(right, (curve.width, curve.area), (-6, -5), "o", f"d = {text_of(curve.width)}")
        width = float(printed[kernel])
        place = width, area_at(example, width, **options)
        _mark_width(right, place, (6, 4), "X", f"printed {printed[kernel]}")
    return _near_match(ax, right, match_of(example).target)


def _mark_width(
    ax: Axes, place: tuple[float, float], beside: tuple[float, float], marker: str, words: str
) -> None:
    ax.plot(*place, marker, color=_KEY, markersize=9, markeredgecolor="white", zorder=4, gid=words)
    right = beside[0] > 0
    ax.annotate(
        words, place, beside, textcoords="offset points", color=_KEY, fontsize="small",
        ha="left" if right else "right", va="bottom" if right else "top",
    )  # fmt: skip


def _near_match(ax: Axes, panel: Axes, target: float) -> Axes:
    """Draw the level that both areas reach, with the gap that ends the paper's search."""
    panel.axhline(target, color=QUIET, linewidth=1, zorder=1, label=f"pAUC = {target:.3f}")
    panel.axhspan(
        target - SMALL_GAP, target + SMALL_GAP, color=QUIET, alpha=0.15, linewidth=0,
        label=f"within {SMALL_GAP}",
    )  # fmt: skip
    panel.set(xlabel="Width d", ylabel="Area(d)")
    panel.margins(x=0)
    for side in ("top", "right"):
        panel.spines[side].set_visible(False)
    with_legend(panel, "upper right")
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


def draw_slopes(bare: Curve, curve: SmearedCurve, ax: Axes | None = None) -> Axes:
    """Draw the best points for three slopes: on the bare curve, and beside it on the smeared."""
    ax, (left, right) = panels_in(ax, (10.4, 5.2), _BOXES)
    _draw_turn(bare, bare.plot(left, name="ROC curve"))
    curve.plot(right)
    for degrees, colour in zip(DEGREES, PALETTE[1:], strict=False):
        best = bare.best(slope=slope_of(degrees))
        _draw_line(left, (best.fpr, best.tpr), degrees, colour)
        left.plot(
            [best.fpr], [best.tpr], "s", color=colour, markersize=_SIZES[degrees], clip_on=False,
            zorder=4, gid=f"{degrees}°",
        )  # fmt: skip
        right.plot(*READINGS[degrees], "x", color=colour, markersize=7, markeredgewidth=2, zorder=4)
        _draw_choice(right, curve.best(slope=best.slope), degrees, colour)
    left.plot([], [], "s", color=_KEY, label="Best points")
    right.plot([], [], "o", color=_KEY, label="Best points, smeared")
    right.plot([], [], "x", color=_KEY, markeredgewidth=2, label="As printed")
    for panel in (left, right):
        with_legend(panel)
    return ax


def _draw_turn(bare: Curve, ax: Axes) -> None:
    """Draw the edge of the hull, at whose slope the choice changes."""
    ends = [bare.best(slope=slope_of(degrees)) for degrees in (60, 45)]
    x, y = [end.fpr for end in ends], [end.tpr for end in ends]
    words = f"Edge of the hull, {turning_angle(bare):.1f}°"
    ax.plot(x, y, color=_KEY, linewidth=1.4, linestyle=(0, (3, 1.5)), label=words, gid="hull")


def _draw_line(ax: Axes, place: tuple[float, float], degrees: int, colour: str) -> None:
    """Draw the line of a slope through a point, and its angle."""
    ax.axline(place, slope=slope_of(degrees), color=colour, linewidth=0.9, linestyle=":")
    ax.annotate(
        f"{degrees}°", place, _BESIDE[degrees], textcoords="offset points", color=colour,
        va="center",
    )  # fmt: skip


def _draw_choice(ax: Axes, best: SmearedChoice, degrees: int, colour: str) -> None:
    """Draw the point, or the edge, that a slope chooses, on its line."""
    ends = [best.point, best.point if best.tied is None else best.tied]
    x, y = [end.fpr for end in ends], [end.tpr for end in ends]
    ax.axline((x[0], y[0]), slope=best.slope, color=colour, linewidth=0.9, linestyle=":")
    ax.plot(x, y, "o-", color=colour, markersize=6, clip_on=False, zorder=3)
    ax.annotate(
        f"{degrees}°", (sum(x) / 2, sum(y) / 2), (9, -6), textcoords="offset points",
        color=colour, va="top",
    )  # fmt: skip
