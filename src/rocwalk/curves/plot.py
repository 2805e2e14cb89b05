"""Plots of curves with matplotlib; they draw what was computed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.curves.area import area as area_of
from rocwalk.curves.budget import Gains
from rocwalk.curves.costs import Envelope, Losses, net_benefit, treat_all
from rocwalk.curves.hull import hull as hull_of
from rocwalk.curves.hull import thinned
from rocwalk.curves.misclassification import MisclassificationFront
from rocwalk.curves.operating_points import rates_of_calls
from rocwalk.curves.precision import PrecisionRecall
from rocwalk.errors import OptionError
from rocwalk.plot import MAX_POINTS, QUIET, next_look, pyplot, square_axes, with_legend, worded
from rocwalk.tally.walk import Walk, rising_bounds, slack_of
from rocwalk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocwalk.curves.reliability import Calibration
    from rocwalk.curves.shared_calibration import SharedCalibration

FPR, TPR = "False positive rate", "True positive rate"
CALLS = "Rate of calls (share predicted positive)"


@worded
def draw_roc(
    walk: Walk,
    area: float,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    hull: bool = False,
    chance: bool = True,
    **options: Any,
) -> Axes:
    """Draw a ROC curve; long ones are thinned to what the eye can see."""
    ax = square_axes(ax, FPR, TPR)
    if chance:
        draw_chance(ax)
    off = ""
    if not walk.is_exact:
        low, _, high = rising_bounds(walk, area_of)
        off = f" ± {slack_of((low, area, high)):.1g}"
    look = next_look(ax) | {"label": f"{name or 'ROC'} (AUC = {area:.3f}{off})"} | options
    few, _ = thinned(walk, MAX_POINTS)
    (line,) = ax.plot(few.fpr, few.tpr, gid="curve", **look)
    if not walk.is_exact:
        draw_room(ax, walk, line.get_color())
    if hull:
        vertices = hull_of(walk)
        ax.plot(
            vertices.fpr, vertices.tpr, color=line.get_color(), linewidth=1, linestyle=":",
            marker="o", markersize=3.5, markerfacecolor="white",
        )  # fmt: skip
    return with_legend(ax)


def draw_room(ax: Axes, walk: Walk, color: Any) -> None:
    """Shade where the exact curve may run if this one leads through buckets."""
    low, high = (thinned(one, MAX_POINTS)[0] for one in walk.extremes)
    ax.fill(
        np.concatenate([low.fpr, high.fpr[::-1]]),
        np.concatenate([low.tpr, high.tpr[::-1]]),
        color=color, alpha=0.18, linewidth=0, gid="room",
    )  # fmt: skip


def draw_chance(ax: Axes) -> None:
    """Draw the diagonal of a random classifier, once."""
    if not any(line.get_gid() == "chance" for line in ax.lines):
        ax.plot([0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance")


@worded
def draw_overlay(
    curves: Mapping[str, tuple[Walk, float]], ax: Axes | None = None, **options: Any
) -> Axes:
    """Draw several named curves into one plot, in their order."""
    ax = square_axes(ax, FPR, TPR)
    for name, (walk, area) in curves.items():
        draw_roc(walk, area, ax, name=name, **options)
    return ax


@worded
def draw_average(
    walk: Walk,
    area: float,
    fpr_spread: FloatArray,
    tpr_spread: FloatArray,
    how: str,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a mean curve with a ribbon of one standard deviation on either side."""
    ax = draw_roc(walk, area, ax, name=name or f"mean ({how})", **options)
    line = ax.lines[-1]
    ribbon: dict[str, Any] = {"color": line.get_color(), "alpha": 0.18, "linewidth": 0}
    if how == "horizontal":
        low, high = np.clip([walk.fpr - fpr_spread, walk.fpr + fpr_spread], 0, 1)
        ax.fill_betweenx(walk.tpr, low, high, **ribbon)
    else:
        low, high = np.clip([walk.tpr - tpr_spread, walk.tpr + tpr_spread], 0, 1)
        ax.fill_between(walk.fpr, low, high, **ribbon)
    return ax


@worded
def draw_precision_recall(
    data: PrecisionRecall, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw precision against recall as steps, with the precision of chance."""
    ax = square_axes(ax, "Recall", "Precision")
    if not any(line.get_gid() == "chance" for line in ax.lines):
        ax.axhline(
            data.prevalence, color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance"
        )  # fmt: skip
    label = f"{name or 'Precision–recall'} (AP = {data.average_precision:.3f})"
    look = next_look(ax) | {"label": label, "drawstyle": "steps-pre"} | options
    every = 1 + len(data.recall) // (2 * MAX_POINTS)
    shown = np.union1d(np.arange(1, len(data.recall), every), [len(data.recall) - 1])
    recall = np.append(0.0, data.recall[shown])
    precision = np.append(data.precision[1], data.precision[shown])
    ax.plot(recall, precision, gid="curve", **look)
    return with_legend(ax, "lower left")


@worded
def draw_gains(
    gains: Gains, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw TPR against the rate of calls, with calls at random and a perfect order."""
    ax = square_axes(ax, CALLS, TPR)
    draw_chance(ax)
    share = gains.prevalence
    if not _has_curves(ax):
        ax.plot([0, share, 1], [0, 1, 1], color=QUIET, linewidth=1, label="perfect", gid="perfect")
    label = f"{name or 'Gains'} (area {gains.area:.3f})"
    few, _ = thinned(gains.walk, MAX_POINTS)
    rate = rates_of_calls(few, gains.given_prevalence)
    ax.plot(rate, few.tpr, gid="curve", **(next_look(ax) | {"label": label} | options))
    return with_legend(ax)


def draw_lift(
    gains: Gains, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw the lift against the rate of calls, with the lift of 1 of calls at random."""
    ax = square_axes(ax, CALLS, "Lift")
    ax.set_aspect("auto")
    before = ax.get_ylim()[1] if _has_curves(ax) else 1.0
    if not _has_curves(ax):
        ax.axhline(1, color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance")
    few, _ = thinned(gains.walk, MAX_POINTS)
    rate = np.union1d(np.linspace(0, 1, 401)[1:], rates_of_calls(few, gains.given_prevalence)[1:])
    lift = np.interp(rate, gains.rate, gains.tpr) / rate
    ax.plot(rate, lift, gid="curve", **(next_look(ax) | {"label": name or "Lift"} | options))
    ax.set_ylim(0, max(before, 1.08 * float(lift.max())))
    return with_legend(ax, "upper right")


@worded
def draw_mix(
    walks: Mapping[str, Walk],
    hull: Walk,
    fpr: float,
    tpr: float,
    ax: Axes | None = None,
    **options: Any,
) -> Axes:
    """Draw the curves of several models, their common hull, and a point on it."""
    ax = square_axes(ax, FPR, TPR)
    draw_chance(ax)
    for name, walk in walks.items():
        few, _ = thinned(walk, MAX_POINTS)
        ax.plot(few.fpr, few.tpr, gid="curve", **(next_look(ax) | {"label": name} | options))
    ax.plot(hull.fpr, hull.tpr, color="black", linewidth=1, linestyle=":", label="common hull")
    ax.plot([fpr], [tpr], "o", color="black", markersize=7, label=f"({fpr:.3f}, {tpr:.3f})")
    return with_legend(ax)


def draw_front(front: MisclassificationFront, axes: Any = None, **options: Any) -> Any:
    """Draw the rates of the rules of a front: of three classes, one panel a class."""
    k = len(front.labels)
    if k == 2:
        names = [f"{true} called {called}" for true, called in front.pairs]
        ax = square_axes(axes, *names)
        order = np.argsort(front.rates[:, 0])
        x, y = front.rates[order].T
        look = next_look(ax) | {"drawstyle": "steps-post", "marker": "o", "markersize": 4} | options
        ax.plot(np.append(x, 1.0), np.append(y, y[-1]), gid="curve", **look)
        ax.plot([0, 1], [1, 0], color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance")
        return ax
    if k != 3:
        raise OptionError(
            f"A plot of {k} classes is not available.", "take three of them, or read .rates."
        )
    if axes is None:
        plt = pyplot()

        _, axes = plt.subplots(1, 3, figsize=(13.2, 4.6), layout="constrained")
    panels = list(np.ravel(axes))
    if len(panels) != 3:
        raise OptionError(f"There are 3 classes and {len(panels)} axes.", "pass one axes a class.")
    error = front.rates.sum(axis=1) / 3
    look = {"s": 9, "cmap": "viridis", "linewidths": 0, "gid": "front"} | options
    for i, ax in enumerate(panels):
        names = [f"Share called {called}" for _, called in front.pairs[2 * i : 2 * i + 2]]
        square_axes(ax, *names).set_title(f"Items of class {front.labels[i]}", fontsize="medium")
        ax.plot([0, 1], [1, 0], color=QUIET, linewidth=1, gid="edge")  # the two shares add to ≤ 1
        dots = ax.scatter(front.rates[:, 2 * i], front.rates[:, 2 * i + 1], c=error, **look)
    panels[0].figure.colorbar(dots, ax=panels, label="Mean error rate of the classes", shrink=0.8)
    return axes


_MOST_LINES = 40


def draw_costs(
    rules: Envelope,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    lines: bool = True,
    **options: Any,
) -> Axes:
    """Draw the lower envelope, thin lines of the rules under it, and the trivial classifiers."""
    ax = square_axes(ax, "Probability cost PC(+)", "Normalised expected cost")
    ax.set_ylim(-0.01, 0.52)
    ax.set_aspect("auto")
    _trivial(ax, [0, 0.5, 1], [0, 0.5, 0])
    look = next_look(ax) | {"label": name or "lower envelope"} | options
    if lines:
        every = 1 + (len(rules.vertices) - 1) // _MOST_LINES
        for fpr, tpr in zip(rules.vertices.fpr[::every], rules.vertices.tpr[::every], strict=True):
            ax.plot(
                [0, 1], [fpr, 1 - tpr], color=look["color"], linewidth=0.6, alpha=0.35, gid="line"
            )
    ax.plot(*rules.cost_points(), gid="curve", **look)
    return with_legend(ax, "upper right")


_WORDS = {"optimal": "best rule", "score": "Brier curve", "rate": "rate-driven"}


def draw_losses(
    losses: Losses, rule: str, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw the loss over the cost proportion."""
    ax = square_axes(ax, "Cost proportion c of a false positive", "Loss Q")
    ax.set_aspect("auto")
    share = losses.prevalence
    peak = 2 * share * (1 - share)
    _trivial(ax, [0, share, 1], [0, peak, 0])
    c, loss = losses.c, losses.loss
    if len(c) > MAX_POINTS:
        c = np.unique(np.append(c[:: _every(losses)], [0.0, 1.0]))
        loss = losses.at(c)
    elif (np.diff(losses.fpr) * np.diff(c) != 0).any():  # Q bends between the points
        c = np.union1d(c, np.linspace(0, 1, 401))
        loss = losses.at(c)
    ax.set_ylim(
        -0.02 * peak,
        max(ax.get_ylim()[1] if _has_curves(ax) else 0.0, 1.15 * max(peak, loss.max())),
    )
    words = f"{name or _WORDS[rule]} (area {losses.area:.4f})"
    ax.plot(c, loss, gid="curve", **(next_look(ax) | {"label": words} | options))
    return with_legend(ax, "upper right")


def draw_benefit(
    losses: Losses,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    end: float = 0.99,
    **options: Any,
) -> Axes:
    """Draw the net benefit against the threshold probability, from 0 to `end`."""
    ax = square_axes(ax, "Threshold probability", "Net benefit")
    ax.set_aspect("auto")
    share = losses.prevalence
    jumps = losses.c[losses.c < end][:: _every(losses)]
    t = np.union1d(np.linspace(0, end, 400), jumps)
    top = max(1.08 * share, ax.get_ylim()[1] if _has_curves(ax) else 0.0)
    ax.set_ylim(-0.11 * top, top)
    ax.set_xlim(-0.015 * end, end if end < 0.99 else 1.015)
    if not _has_curves(ax):
        ax.plot(
            t, treat_all(t, share), color=QUIET, linewidth=1.2, label="treat all", gid="trivial"
        )
        ax.axhline(0, color="black", linewidth=1, label="treat none", gid="trivial")
    ax.plot(
        t,
        net_benefit(losses, t),
        gid="curve",
        **(next_look(ax) | {"label": name or "model"} | options),
    )
    return with_legend(ax, "upper right")


def draw_benefit_difference(
    cuts: FloatArray,
    difference: FloatArray,
    ends: tuple[FloatArray, FloatArray],
    label: str,
    ax: Axes | None = None,
    *,
    name: str,
    end: float = 0.99,
    **options: Any,
) -> Axes:
    """Draw a difference in net benefit at thresholds up to `end`, over its intervals."""
    ax = square_axes(ax, "Threshold probability", "Difference in net benefit")
    ax.set_aspect("auto")
    kept = cuts <= end
    look: dict[str, Any] = {"label": name, "marker": "o", "markersize": 4}
    look = look | next_look(ax) | options
    (line,) = ax.plot(cuts[kept], difference[kept], gid="curve", **look)
    ax.fill_between(
        cuts[kept], ends[0][kept], ends[1][kept],
        color=line.get_color(), alpha=0.18, linewidth=0, gid="band", label=label,
    )  # fmt: skip
    ax.axhline(0, color="black", linewidth=1, gid="trivial")
    ax.set_xlim(-0.015 * end, end if end < 0.99 else 1.015)
    ax.autoscale(axis="y")
    return with_legend(ax, "best")


def draw_prices(
    share: FloatArray,
    cost: FloatArray,
    saved: FloatArray,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    **options: Any,
) -> Axes:
    """Draw the expected cost of the best rules, under that of the better trivial classifier."""
    ax = square_axes(
        ax, "Cost of a false positive, as a share of both", "Expected cost of one item"
    )
    ax.set_aspect("auto")
    order = np.argsort(share, kind="stable")
    x = share[order]
    if not _has_curves(ax):
        words, dashes = "always or never positive", (0, (2, 2))
        ax.plot(x, (cost + saved)[order], color=QUIET, linestyle=dashes, label=words, gid="trivial")
    top = max(1.1 * float((cost + saved).max()), ax.get_ylim()[1] if _has_curves(ax) else 0.0)
    look = next_look(ax) | {"label": name or "best rule", "marker": "o", "markersize": 4} | options
    ax.plot(x, cost[order], gid="curve", **look)
    ax.set_ylim(0, top or 1.0)
    return with_legend(ax, "upper right")


def _trivial(ax: Axes, x: list[float], y: list[float]) -> None:
    """Draw the better of "always" and "never positive", once."""
    if not _has_curves(ax):
        ax.plot(x, y, color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance")


def _has_curves(ax: Axes) -> bool:
    return any(line.get_gid() == "curve" for line in ax.lines)


def _every(losses: Losses) -> int:
    return 1 + len(losses.c) // MAX_POINTS


_BINS = 40
_HEIGHT = 0.12  # of the histogram at the foot of the diagram


def draw_calibration(
    found: Calibration,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    band: str | None = None,
    **options: Any,
) -> Axes:
    """Draw the calibration curve, with a histogram of the scores at the foot, and a band."""
    ax = square_axes(ax, "Score", "Share of positives")
    if not any(line.get_gid() == "chance" for line in ax.lines):
        ax.plot(
            [0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance",
            label="perfectly calibrated",
        )  # fmt: skip
    look = next_look(ax) | {"label": name or "observed"} | options
    tally = found.tally
    mass = tally.up + tally.right
    heights, edges = np.histogram(tally.scores, np.linspace(0, 1, _BINS + 1), weights=mass)
    ax.stairs(_HEIGHT * heights / heights.max(), edges, fill=True, alpha=0.15, color=look["color"])
    if band == "consistency":
        edge = found.consistency_band
        words = "consistent with perfect calibration"
        ax.fill_between(
            edge.scores, edge.low, edge.high, color=QUIET, alpha=0.25, linewidth=0, label=words,
            gid="consistency",
        )  # fmt: skip
    elif band == "confidence":
        edge = found.confidence_band
        ax.fill_between(
            edge.scores, edge.low, edge.high, color=look["color"], alpha=0.2, linewidth=0,
            label=f"{100 * found.confidence_level:g} % confidence", gid="confidence",
        )  # fmt: skip
    if len(tally.scores) == 1:  # a line would have no length
        look = {"marker": "o"} | look
    if found.method == "smooth":
        ax.plot(found.cells.scores, found.cells.smooth, gid="curve", **look)
    else:
        blocks = found.blocks
        x = np.column_stack([blocks.lowest, blocks.highest]).ravel()
        ax.plot(x, np.repeat(blocks.value, 2), gid="curve", **look)
    return with_legend(ax, "upper left")


@worded
def draw_shared_calibration(
    found: SharedCalibration, ax: Axes | None = None, **options: Any
) -> Axes:
    """Draw the observed share of each group over the range of its scores, with its interval."""
    ax = square_axes(ax, "Score", "Share of positives")
    ax.plot(
        [0, 1], [0, 1], color=QUIET, linewidth=1, linestyle=(0, (2, 2)), gid="chance",
        label="perfectly calibrated",
    )  # fmt: skip
    middle, reach = (found.lowest + found.highest) / 2, (found.highest - found.lowest) / 2
    ends = np.stack([found.share - found.low, found.high - found.share])
    look = {"color": next_look(ax)["color"], "label": "observed, over the scores of a group"}
    ax.errorbar(middle, found.share, ends, reach, linestyle="none", **(look | options))
    return with_legend(ax, "upper left")


@worded
def draw_band(
    walk: Walk,
    area: float,
    edges: tuple[Walk, Walk],
    label: str,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a curve over a ribbon between two edges; `label` is its label in the legend."""
    ax = draw_roc(walk, area, ax, name=name, **options)
    line = next(line for line in reversed(ax.lines) if line.get_gid() == "curve")
    lower, upper = (thinned(edge, MAX_POINTS)[0] for edge in edges)
    colour: dict[str, Any] = {"color": line.get_color(), "zorder": line.get_zorder() - 0.1}
    ax.fill(
        np.append(lower.fpr, upper.fpr[::-1]),
        np.append(lower.tpr, upper.tpr[::-1]),
        alpha=0.18, linewidth=0, gid="band", label=label, **colour,
    )  # fmt: skip
    for edge in (lower, upper):
        ax.plot(edge.fpr, edge.tpr, alpha=0.35, linewidth=0.8, gid="edge", **colour)
    return with_legend(ax)


_TITLES = {
    "truth": "ROC",
    "single": "Soft ROC, single steps",
    "both": "Soft ROC, steps both ways",
    "blind": "Soft ROC, labels unused",
}


@worded
def draw_panels(
    curves: Mapping[tuple[Any, str], tuple[Walk, float]], axes: Any = None, **options: Any
) -> Any:
    """Draw the curves of each rule into a panel of its own and return the axes."""
    rules = list(dict.fromkeys(rule for _, rule in curves))
    if axes is None:
        plt = pyplot()
        size = (4.6 * len(rules), 4.8)
        _, axes = plt.subplots(1, len(rules), figsize=size, layout="constrained", squeeze=False)
        axes = axes[0]
    panels = list(axes)
    if len(panels) != len(rules):
        raise OptionError(
            f"There are {len(rules)} rules and {len(panels)} axes.", "pass one axes a rule."
        )
    for rule, ax in zip(rules, panels, strict=True):
        ax.set_title(_TITLES[rule], fontsize="medium")
        for (name, own), (walk, area) in curves.items():
            if own == rule:
                draw_roc(walk, area, ax, name=str(name), **options)
    return axes
