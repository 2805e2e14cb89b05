"""Figures 1 to 7 and the curves of §§2.1 and 3, drawn from the data; they compute nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from rocwalk.datasets.papers import PaperExample
from rocwalk.draw.curves import FPR, TPR
from rocwalk.draw.smear import draw_family
from rocwalk.draw.style import PALETTE, QUIET, square_axes, with_legend
from rocwalk.front.curve import Curve
from rocwalk.front.smear import SmearedCurve, smeared_roc
from rocwalk.measure.smeared_choice import SmearedChoice
from rocwalk.papers.examples import Examples, curve_of
from rocwalk.papers.ferri.numeric import KERNELS, SAMPLES
from rocwalk.papers.ferri.oscillating import MEANT, MIDDLE, NEAR
from rocwalk.papers.ferri.place import NAME, match_of, matched_curve, signed_text
from rocwalk.papers.ferri.segments import FAR, figure_3
from rocwalk.papers.ferri.slopes import DEGREES, READINGS, slope_of
from rocwalk.papers.ferri.strip import draw_strip
from rocwalk.papers.figure import Draw, Figure, figure_at
from rocwalk.papers.row import text_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KEY = "#444444"
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
        _figure("Figure 3", "scores as segments", partial(draw_smear, first, figure_3(examples))),
        _figure(
            "Figure 4",
            "the curve as d grows; at the matched width its area is pAUC",
            partial(draw_widths, growing, (0, 0.2, 0.5, 1, *_widths(growing), 2.5, 4, FAR)),
        ),
        _figure(
            "Theorem 4",
            "a sample of ours that no width matches",
            _areas(examples["ferri_no_width"]),
        ),
        _figure(
            "Figure 5",
            "the area falls, rises and falls; three widths match",
            partial(draw_widths, turning, (0, NEAR, MIDDLE, MEANT, FAR, *_widths(turning))),
        ),
        _figure("Figure 6", "the same areas against d", _areas(turning)),
        _figure(
            "Figure 7", "scores as bells", partial(draw_smear, first, figure_3(examples, "normal"))
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
    curves = [matched_curve(example, **options) for options in KERNELS.values()]
    return _figure(f"Example {number}", "smeared, uniform and normal", partial(draw_curves, curves))


def _two(examples: Examples) -> list[PaperExample]:
    return [examples["ferri_figure_2a"], examples["ferri_figure_2b"]]


def _widths(example: PaperExample) -> list[float]:
    return [low for low, _ in match_of(example).widths]


def _areas(example: PaperExample) -> Draw:
    return match_of(example).plot


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
    picture.set_size_inches(5.2, 6.9)
    return ax


def _below_strip(curve: Curve, ax: Axes, example: PaperExample, *smear: Any) -> Axes:
    ax.fill_between(curve.fpr, curve.tpr, color=PALETTE[0], alpha=0.08, linewidth=0)
    return draw_strip(ax, example, *smear)


def draw_widths(example: PaperExample, widths: Sequence[float], ax: Axes | None = None) -> Axes:
    """Draw the curves of a sample at several widths side by side."""
    curves = [smeared_roc(example.y_true, example.y_prob, width=d) for d in sorted(widths)]
    shown = [(curve.walk, curve.width, curve.area) for curve in curves]
    return draw_family(shown, curve_of(example).walk, ax, target=match_of(example).target)


def draw_curves(curves: Sequence[SmearedCurve], ax: Axes | None = None) -> Axes:
    """Draw smeared curves over the bare one that they share."""
    for curve in curves:
        ax = curve.plot(ax)
    assert ax is not None
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
    """Draw the best points for three slopes, with their lines, and the points as printed."""
    ax = curve.plot(ax)
    for degrees, colour in zip(DEGREES, PALETTE[1:], strict=False):
        best = bare.best(slope=slope_of(degrees))
        ax.plot([best.fpr], [best.tpr], "s", color=QUIET, markersize=6, clip_on=False, gid="bare")
        ax.plot(*READINGS[degrees], "x", color=colour, markersize=7, markeredgewidth=2, zorder=4)
        _draw_choice(ax, curve.best(slope=best.slope), degrees, colour)
    ax.plot([], [], "o", color=_KEY, label="Best points, smeared")
    ax.plot([], [], "s", color=QUIET, label="Best points, not smeared")
    ax.plot([], [], "x", color=_KEY, markeredgewidth=2, label="As printed")
    return with_legend(ax)


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
