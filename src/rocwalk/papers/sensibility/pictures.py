"""Table 1 and Figures 1 to 3, drawn from the data; nothing is computed here."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples
from rocwalk.papers.figure import DARK, Figure, figure_at, panels_in
from rocwalk.papers.sensibility.rows import (
    PRINTED_MIDPOINT,
    TABLE,
    THRESHOLD,
    TRAIN,
    Case,
    analysis_of,
    at,
    drawn,
    numbered,
    sensible_items,
)
from rocwalk.plot import DASHES, PALETTE, QUIET, with_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BLUE, _ORANGE = PALETTE[:2]
_BOXES = ((0.0, 0.0, 0.46, 0.93), (0.54, 0.0, 0.46, 0.93))
# training broad and pale, so that it shows behind testing where the two agree
_LOOKS: tuple[dict[str, Any], ...] = (
    {"color": _BLUE, "linewidth": 3.6, "alpha": 0.4},
    {"color": _ORANGE, "linewidth": 1.8},
)


def sensibility_figures(examples: Examples) -> list[Figure]:
    """Return Table 1 as a picture, and the paper's figures, in its order."""
    cases = drawn()
    how = "re-created with our own parameters; both split at the training midpoint"
    pairs = [{TRAIN: cases[TRAIN], name: cases[name]} for name in cases if name != TRAIN]
    words = ("the same domain", "another population", "another class definition")
    return [
        figure_at(
            at("§2, Table 1"),
            "Table 1",
            "eight sensible items and two others",
            partial(draw_table, examples[TABLE]),
        ),
        *(
            figure_at(
                at(f"§3, Figure {number} re-created"),
                f"Figure {number}",
                f"{' and '.join(pair)}, {word}; {how}",
                partial(draw_domains, pair),
            )
            for number, (pair, word) in enumerate(zip(pairs, words, strict=True), start=1)
        ),
    ]


def draw_domains(pair: dict[str, Case], ax: Axes | None = None) -> Axes:
    """Draw sensibility and capability at the left, the ROC curves at the right.

    Both data sets are split at the midpoint of the first; the other's own is marked too.
    """
    ax, (left, right) = panels_in(ax, (10.4, 5.6), _BOXES)
    first, other = pair.values()
    for (name, case), look in zip(pair.items(), _LOOKS, strict=True):
        case.split_at(first.analysis.midpoint).plot(left, name=name, **look)
        case.curve.plot(right, name=name, linestyle="-", **look)
    broad = next(line for line in left.lines if line.get_label() == f"{TRAIN} capability")
    broad.set(linewidth=2.6, linestyle=(0, (2, 1)))
    left.lines[-1].set_xdata([other.analysis.midpoint] * 2)  # the line of the other's midpoint
    # each midpoint at the top of its line, the lower one to the left of it
    middles = [case.analysis.midpoint for case in pair.values()]
    for middle, look in zip(middles, _LOOKS, strict=True):
        lower = middle == min(middles)
        left.annotate(
            f"$t_s$ = {middle:.3f}", (middle, 1.015), (-3 if lower else 3, 4),
            textcoords="offset points", ha="right" if lower else "left", va="bottom",
            color=look["color"], fontsize="small", annotation_clip=False,
        )  # fmt: skip
    _legend_below(left)
    return ax


def _legend_below(ax: Axes) -> None:
    """Put the legend under the axes, one column for each data set."""
    ax.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False, fontsize="small",
        handlelength=4,
    )  # fmt: skip


def draw_table(example: PaperExample, ax: Axes | None = None) -> Axes:
    """Draw the items on the scale of their scores, and how many a threshold decides rightly."""
    ax, (left, right) = panels_in(ax, (10.4, 5.6), _BOXES)
    found = analysis_of(example)
    # left: positives above, negatives below; where each is sensible shaded, the others hollow
    chosen = sensible_items(example, found.midpoint)
    left.fill_between([found.midpoint, 1.05], 0.5, 1.6, color=_BLUE, alpha=0.08, linewidth=0)
    left.fill_between([-0.05, found.midpoint], -0.6, 0.5, color=_ORANGE, alpha=0.08, linewidth=0)
    for i, label, score in numbered(example):
        colour, filled = (_BLUE if label else _ORANGE), i in chosen
        left.plot(
            [score], [label], "o", markersize=17, color=colour, clip_on=False, gid=f"item {i}",
            markerfacecolor=colour if filled else "white", markeredgewidth=1.8, zorder=3,
        )  # fmt: skip
        left.annotate(
            str(i), (score, label), ha="center", va="center", fontsize=8.5, fontweight="bold",
            color="white" if filled else colour, zorder=4, annotation_clip=False,
        )  # fmt: skip
    left.set(xlim=(-0.05, 1.05), ylim=(-0.6, 1.6), yticks=[0, 1], yticklabels=["−", "+"])
    left.set(xlabel="Score", ylabel="Label")
    left.plot([], [], "o", color=QUIET, markersize=9, label="sensible")
    left.plot([], [], "o", color=QUIET, markersize=9, markerfacecolor="white", label="not sensible")
    for side in ("top", "right", "left"):
        left.spines[side].set_visible(False)
    left.spines["bottom"].set_color(QUIET)
    left.tick_params(axis="y", length=0)
    with_legend(left)
    _legend_below(left)
    found.plot(right, color=_BLUE)
    # the last step: a threshold at the lowest score, here 0, calls every item positive
    lowest, ends = float(found.thresholds[-1]), (found.sensibility[-1], found.sensibility[-2])
    right.plot([lowest] * 2, ends, color=_BLUE, linewidth=2, gid="end", clip_on=False)
    point = found.at(THRESHOLD)
    for value in (point.sensibility, point.capability):
        right.plot([THRESHOLD], [value], "o", color=DARK, markersize=6, zorder=4, gid="point")
        right.annotate(
            f"{value:g}", (THRESHOLD, value), (-7, 4), textcoords="offset points", color=DARK,
            ha="right", va="bottom", fontsize="small",
        )  # fmt: skip
    for panel in (left, right):
        _mark(panel, THRESHOLD, f"threshold {THRESHOLD:g}", DARK, "right", DASHES[1])
        _mark(panel, found.midpoint, f"$t_s$ = {found.midpoint:g}", _BLUE, "right", ":")
        _mark(panel, PRINTED_MIDPOINT, f"printed {PRINTED_MIDPOINT:g}", QUIET, "left", ":")
    _legend_below(right)
    return ax


def _mark(ax: Axes, x: float, words: str, colour: str, side: str, dashes: Any) -> None:
    ax.axvline(x, color=colour, linewidth=1, linestyle=dashes, zorder=1)
    ax.annotate(
        words, (x, 1), (-3 if side == "right" else 3, 4), xycoords=("data", "axes fraction"),
        textcoords="offset points", ha=side, va="bottom", color=colour, fontsize="small",
        annotation_clip=False,
    )  # fmt: skip
