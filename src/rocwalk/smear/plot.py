"""Pictures of smeared curves and of the area against the width, drawn with matplotlib."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.checks import as_number
from rocwalk.curves.hull import thinned
from rocwalk.curves.plot import FPR, TPR, draw_chance, draw_roc
from rocwalk.errors import OptionError
from rocwalk.inference.distributions import normal_quantile
from rocwalk.plot import MAX_POINTS, PALETTE, QUIET, next_look, pyplot, square_axes, worded
from rocwalk.smear.areas import SmearedArea
from rocwalk.smear.concentrations import ConcentrationMatch
from rocwalk.smear.noise import ScoreNoiseBand
from rocwalk.smear.widths import WidthMatch, width_text
from rocwalk.tally.walk import Walk, spread
from rocwalk.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

_DARK, _ACCENT = "#444444", PALETTE[1]
_SMALL = 8.5  # printer's points


@worded
def draw_smeared(
    walk: Walk,
    bare: Walk,
    closed: SmearedArea,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a smeared curve over the faint curve of the same data without smearing.

    That curve is drawn once, however many smeared curves are drawn over it; the first such curve
    has a label in the legend.
    """
    ax = square_axes(ax, FPR, TPR)
    called = name or ("Smeared" if closed.kernel == "uniform" else f"Smeared, {closed.kernel}")
    amount = amount_text(closed.amount)
    none = f"{closed.shape.symbol} = {amount_text(closed.shape.bare)}"
    label = f"{called} ({closed.shape.symbol} = {amount}, area = {float(closed):.3f})"
    few, _ = thinned(bare, MAX_POINTS)
    named = [line for line in ax.lines if line.get_gid() == "bare"]
    if not any(np.array_equal(line.get_xydata(), np.c_[few.fpr, few.tpr]) for line in named):
        ax.plot(
            few.fpr, few.tpr, color=options.get("color", next_look(ax)["color"]), alpha=0.4,
            linewidth=1.2, gid="bare", label="_bare" if named else f"Not smeared ({none})",
        )  # fmt: skip
    return draw_roc(_few(walk), float(closed), ax, name=name, **({"label": label} | options))


def amount_text(amount: Any) -> str:
    """Return an amount of smearing in four digits; of one for each row the range."""
    if isinstance(amount, np.ndarray):
        return f"{width_text(float(amount.min()))} to {width_text(float(amount.max()))}"
    return width_text(amount)


@worded
def draw_family(
    curves: Sequence[tuple[Walk, float, float]],
    bare: Walk,
    ax: Axes | None = None,
    *,
    columns: int = 4,
    target: float | None = None,
    symbol: str = "d",
    **options: Any,
) -> Axes:
    """Draw a small panel for each (walk, amount, area), over the faint curve without smearing.

    Panels whose area is the target are highlighted. The panels are the `child_axes` of the axes
    that are returned, of which only the names of the two rates are seen.
    """
    columns = min(columns, len(curves))
    rows = math.ceil(len(curves) / columns)
    if ax is None:
        plt = pyplot()
        size = (1.75 * columns + 0.6, 1.95 * rows + 0.5)
        _, ax = plt.subplots(figsize=size, layout="constrained")
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    ax.set_xlabel(FPR, labelpad=18)
    ax.set_ylabel(TPR, labelpad=18)
    ax.spines[:].set_visible(False)
    faint, _ = thinned(bare, MAX_POINTS)
    across, up = 1 / (1.12 * columns - 0.12), 1 / (1.24 * rows)  # above a panel is its title
    for k, (walk, width, area) in enumerate(curves):
        row, column = divmod(k, columns)
        panel = ax.inset_axes((column * 1.12 * across, (rows - 1 - row) * 1.24 * up, across, up))
        square_axes(panel, FPR, TPR)
        panel.set(xlabel="", ylabel="", xticks=[0, 0.5, 1], yticks=[0, 0.5, 1], anchor="N")
        panel.set_xticklabels(["0", "½", "1"] if k + columns >= len(curves) else [])
        panel.set_yticklabels(["0", "½", "1"] if column == 0 else [])
        panel.tick_params(length=0, labelsize=_SMALL - 1, labelcolor=_DARK)
        matched = target is not None and math.isclose(area, target, abs_tol=1e-9)
        look: dict[str, Any] = {"fontsize": _SMALL, "pad": 4}
        if matched:
            look |= {"color": _ACCENT, "fontweight": "bold"}
        panel.set_title(f"{symbol} = {width_text(width)}", loc="left", **look)
        panel.set_title(f"{area:.3f}", loc="right", **({"color": _DARK} | look))
        draw_chance(panel)
        panel.plot(faint.fpr, faint.tpr, color=QUIET, alpha=0.6, linewidth=1, gid="bare")
        few, look = _few(walk), {"linewidth": 1.8, "solid_joinstyle": "round"}
        look |= {"color": PALETTE[matched]} | options
        (line,) = panel.plot(few.fpr, few.tpr, gid="curve", **look)
        panel.fill_between(few.fpr, few.tpr, color=line.get_color(), alpha=0.10, linewidth=0)
    return ax


def _few(walk: Walk) -> Walk:
    """Return points that are enough to draw.

    Thinning keeps hull vertices, and a smeared curve is nearly its own hull; so points are kept
    at even steps of FPR + TPR instead, of a thousandth each. No rate is off by more.
    """
    if len(walk) <= MAX_POINTS:
        return walk
    return walk.take(np.unique(spread(walk.fpr + walk.tpr, MAX_POINTS)))


def draw_noise(band: ScoreNoiseBand, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw both rates against the threshold: dark bands are score noise, pale ones sampling too.

    The pale band has the standard deviation of both together.
    """
    if ax is None:
        plt = pyplot()

        _, ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    z = normal_quantile(0.5 + band.confidence_level / 2)
    for name, rate, noise, sampling in (
        (TPR, band.tpr, band.tpr_noise, band.tpr_sampling),
        (FPR, band.fpr, band.fpr_noise, band.fpr_sampling),
    ):
        look = next_look(ax) | options
        (line,) = ax.plot(band.thresholds, rate, label=name, gid="curve", **look)
        for error, alpha, gid in (
            (np.hypot(noise, sampling), 0.12, "sampling"),
            (noise, 0.3, "noise"),
        ):
            low, high = np.clip(rate - z * error, 0, 1), np.clip(rate + z * error, 0, 1)
            ax.fill_between(
                band.thresholds, low, high, color=line.get_color(), alpha=alpha, lw=0, gid=gid
            )  # fmt: skip
    ax.set(xlabel="Threshold", ylabel="Rate", ylim=(-0.02, 1.02))
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ax.legend(
        frameon=False,
        title=f"dark: score noise ({band.kernel})\npale: with the sampling of items",
        title_fontsize=_SMALL,
    )
    return ax


# -- the area against the width --------------------------------------------------------------------


_SAMPLES = 1_501
_CONCENTRATIONS = 61


def draw_areas(
    match: WidthMatch, ax: Axes | None = None, *, end: float | None = None, **options: Any
) -> Axes:
    """Draw Area(d) from 0 to `end`, with AUC, ½ and the probabilistic AUC as level lines.

    Every width that matches is marked and whole intervals are shaded; where none matches, the
    nearest width is marked. The axis is logarithmic when a match is far smaller than the end.
    """
    if end is not None and not 0 < as_number("end", end) < math.inf:
        hint = "pass a finite width above 0."
        raise OptionError("is not an end of the axis.", hint, option="end", value=end)
    if ax is None:
        plt = pyplot()
        _, ax = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
    axis = " in log-odds" if match.kernel.name.startswith("logit") else ""
    ax.set(xlabel=f"Width d{axis} ({match.kernel.name} kernel)", ylabel="Area(d)")
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ends = np.unique([*np.ravel(match.widths), match.nearest_width])
    marked = ends[(ends > 0) & np.isfinite(ends)]
    far = max([2.0, *(1.25 * marked)]) if end is None else float(end)
    marked = marked[marked < far]
    if len(marked) and marked[0] < far / 50:
        near = 10.0 ** math.floor(math.log10(marked[0]) - 1)
        far = 10 * far if end is None else far
        ax.set_xscale("symlog", linthresh=near, linscale=0.4)
        even = np.append(0.0, np.geomspace(near / 100, far, _SAMPLES))
    else:
        even = np.linspace(0, far, _SAMPLES)
    ax.set_xlim(0, far)
    widths = np.union1d(even, marked)
    areas = match.areas(widths)
    shown = [*areas.tolist(), match.target, match.limit]
    low, high = min(shown), max(shown)
    margin = max(0.09 * (high - low), (0.1 - (high - low)) / 2)
    ax.set_ylim(low - margin, high + margin)
    ax.plot(widths, areas, gid="curve", zorder=3, **(next_look(ax) | options))
    ax.plot([0], [match.auc], "o", color=_DARK, markersize=5, clip_on=False, zorder=4)
    far_end = "½" if match.limit == 0.5 else f"d → ∞: {match.limit:.3f}"
    _name_levels(
        ax,
        [
            (match.auc, f"AUC {match.auc:.3f}", {"color": _DARK}),
            (match.limit, far_end, {"color": QUIET, "linestyle": (0, (2, 2))}),
            (match.target, f"probabilistic AUC {match.target:.3f}", {"color": _ACCENT}),
        ],
    )
    _draw_matches(ax, match, float(widths[-1]))
    return ax


def draw_concentrations(match: ConcentrationMatch, ax: Axes | None = None, **options: Any) -> Axes:
    """Draw Area(κ) against κ, with the AUC, the limit of small κ and the probabilistic AUC."""
    if ax is None:
        plt = pyplot()

        _, ax = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
    ax.set(xlabel="Concentration κ (beta kernel)", ylabel="Area(κ)", xscale="log")
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    inner = [one for one in match.concentrations if math.isfinite(one) and one > 0]
    grid = np.geomspace(min([0.01, *inner]) / 2, max([1000.0, *inner]) * 2, _CONCENTRATIONS)
    places = np.union1d(grid, inner)
    ax.plot(places, match.areas(places), gid="curve", zorder=3, **(next_look(ax) | options))
    ax.set_xlim(places[0], places[-1])
    shown = [match.auc, match.target, match.limit]
    margin = max(0.12 * (max(shown) - min(shown)), 0.02)
    ax.set_ylim(min(shown) - margin, max(shown) + margin)
    _name_levels(
        ax,
        [
            (match.auc, f"AUC {match.auc:.3f}", {"color": _DARK}),
            (match.limit, f"κ → 0: {match.limit:.3f}", {"color": QUIET, "linestyle": (0, (2, 2))}),
            (match.target, f"probabilistic AUC {match.target:.3f}", {"color": _ACCENT}),
        ],
    )
    words = Words(ax, [(one, match.target) for one in inner])
    for one in inner:
        ax.plot(
            [one], [match.target], "o", color=_ACCENT, markeredgecolor="white", markersize=8,
            gid="match", zorder=5,
        )  # fmt: skip
        words.say((one, match.target), f"κ = {width_text(one)}")
    return ax


def _name_levels(ax: Axes, levels: list[tuple[float, str, dict[str, Any]]]) -> None:
    """Draw horizontal lines with their names at the right end, moved apart where they are close."""
    levels.sort(key=lambda level: level[0])
    for level, _, look in levels:
        ax.axhline(level, linewidth=1, zorder=1, gid="level", **look)
    low, high = ax.get_ylim()
    point = (high - low) / (ax.get_window_extent().height / ax.figure.dpi * 72)  # in areas
    places = _apart([level for level, _, _ in levels], 1.45 * _SMALL * point)
    for place, (_, words, look) in zip(places, levels, strict=True):
        ax.annotate(
            words, (1, place), (5, 0), xycoords=ax.get_yaxis_transform(),
            textcoords="offset points", va="center", fontsize=_SMALL, color=look["color"],
        )  # fmt: skip


def _apart(places: list[float], gap: float) -> list[float]:
    """Move ascending places apart, each group about its middle, until none are closer than a gap.

    >>> _apart([0.0, 1.0, 1.1], 0.5)
    [0.0, 0.8, 1.3]
    """
    groups: list[list[float]] = []
    for place in places:
        groups.append([place])
        while len(groups) > 1:
            one, other = groups[-2:]
            if sum(other) / len(other) - sum(one) / len(one) >= gap * len(one + other) / 2:
                break
            groups[-2:] = [one + other]
    return [
        sum(group) / len(group) + gap * (k - (len(group) - 1) / 2)
        for group in groups
        for k in range(len(group))
    ]


def _draw_matches(ax: Axes, match: WidthMatch, end: float) -> None:
    """Mark widths and intervals that match; without any, the nearest width and its gap."""
    target = match.target
    words = Words(ax, [(low, target) for low, high in match.widths if low == high < math.inf])
    look: dict[str, Any] = {"clip_on": False, "zorder": 5}
    for low, high in match.widths:
        if low == math.inf:
            words.say((end, target), "only as d → ∞")
        elif low == high:
            ax.plot(
                [low], [target], "o", color=_ACCENT, markeredgecolor="white", markersize=8,
                gid="match", **look,
            )  # fmt: skip
            words.say((low, target), f"d = {width_text(low)}")
        else:
            seen = min(high, end)
            ax.axvspan(low, seen, color=_ACCENT, alpha=0.12, linewidth=0, gid="match")
            ax.plot([low, seen], [target] * 2, color=_ACCENT, linewidth=5, alpha=0.5, zorder=4)
            upto = "on" if high == math.inf else f"to {width_text(high)}"
            words.say(((low + seen) / 2, target), f"every d from {width_text(low)} {upto}")
    if not match.exists:
        place = min(match.nearest_width, end)
        ax.plot([place] * 2, [match.area, target], color=_ACCENT, linestyle=":")
        ax.plot(
            [place], [match.area], "D", color="white", markeredgecolor=_ACCENT,
            markeredgewidth=1.6, markersize=5.5, gid="nearest", **look,
        )  # fmt: skip
        off = f"{'short' if match.gap < 0 else 'over'} by {abs(match.gap):.2g}"
        nearest = width_text(match.nearest_width)
        words.say((place, match.area), f"no d matches\nnearest {nearest}, {off}")


# right or left of a point, and above or below, in printer's points
_OFFSETS = np.array(
    [(-7, -7), (7, -7), (7, 7), (-7, 7), (0, -10), (0, 10), (9, 16), (-9, 16), (9, -16), (-9, -16),
     (14, -24), (-14, -24), (14, 24), (-14, 24)]
)  # fmt: skip


class Words:
    """Labels beside points of axes, placed where they hide no lines, labels or other points."""

    def __init__(self, ax: Axes, points: Sequence[tuple[float, float]]) -> None:
        picture: Any = ax.figure
        picture.figure.draw_without_rendering()  # lays out the axes, so that places are known
        self.ax = ax
        self._points = points
        self._taken = [self._along(line) for line in ax.lines]

    def say(self, place: tuple[float, float], words: str) -> None:
        """Write the label at the side of the place that costs least."""
        boxes = [self._box(place, words, offset) for offset in _OFFSETS]
        others = [self._place(point) for point in self._points if point != place]
        costs = [self._hidden(box, others) for box in boxes]
        best = int(np.argmin(costs + 2 * np.hypot(*_OFFSETS.T)))
        offset, (across, up) = _OFFSETS[best], np.sign(_OFFSETS[best])
        grid = np.meshgrid(*(np.arange(low, high + 4, 4) for low, high in boxes[best].T))
        self._taken.append(np.stack(grid, -1).reshape(-1, 2))  # no label fits between these places
        self.ax.annotate(
            words, place, tuple(offset), textcoords="offset points", fontsize=_SMALL,
            color=_ACCENT, ha=("right", "center", "left")[across + 1],
            va="bottom" if up > 0 else "top", zorder=6,
        )  # fmt: skip

    @property
    def _scale(self) -> float:
        """Printer's points in a pixel."""
        return float(72 / self.ax.figure.dpi)

    def _place(self, place: tuple[float, float]) -> FloatArray:
        """Return a place of the axes in printer's points."""
        return np.asarray(self.ax.transData.transform(place)) * self._scale

    def _along(self, line: Line2D) -> FloatArray:
        """Return places along a line, in printer's points: the closer, the thicker it is."""
        ends = line.get_transform().transform(line.get_xydata()) * self._scale
        way = np.append(0.0, np.hypot(*np.diff(ends, axis=0).T).cumsum())
        even = np.arange(0, way[-1], line.get_linewidth() ** -2.0)
        return np.stack([np.interp(even, way, part) for part in ends.T], -1)

    def _box(self, place: tuple[float, float], words: str, offset: IntArray) -> FloatArray:
        """Return the low and the high corner of the label."""
        lines = words.split("\n")
        size = np.array([0.56 * max(map(len, lines)), 1.25 * len(lines)]) * _SMALL
        middle = self._place(place) + offset + np.sign(offset) * size / 2
        return np.stack([middle - size / 2, middle + size / 2])

    def _hidden(self, box: FloatArray, others: Sequence[FloatArray]) -> float:
        """Return the cost of a label in the box: what it hides, and most if it leaves the axes.

        A label close to another point would seem to belong to it, which costs too.
        """
        low, high = self.ax.get_window_extent().get_points() * self._scale
        outside = np.any(box[0] < low) or np.any(box[1] > high)
        places = np.concatenate(self._taken)
        inside = np.all((places > box[0] - 2) & (places < box[1] + 2), axis=1)
        gaps = [np.maximum(np.maximum(box[0] - point, point - box[1]), 0) for point in others]
        is_near = any(np.hypot(*gap) < 14 for gap in gaps)
        return float(inside.sum() + 10_000 * outside) + 60 * is_near
