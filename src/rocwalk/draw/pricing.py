"""Pictures of cost space. They draw what was computed elsewhere and compute nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.style import MAX_POINTS, QUIET, next_look, square_axes, with_legend
from rocwalk.measure.pricing import Envelope, Losses, net_benefit, treat_all
from rocwalk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_LINES = 40
_WORDS = {"optimal": "best rule", "score": "Brier curve", "rate": "rate-driven"}


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


def draw_losses(
    losses: Losses, rule: str, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw the loss over the cost proportion."""
    ax = square_axes(ax, "Cost proportion c of a false positive", "Loss Q")
    ax.set_aspect("auto")
    share = losses.prevalence
    peak = 2 * share * (1 - share)
    _trivial(ax, [0, share, 1], [0, peak, 0])
    c, loss = _drawn(losses)
    ax.set_ylim(
        -0.02 * peak,
        max(ax.get_ylim()[1] if _has_curves(ax) else 0.0, 1.15 * max(peak, loss.max())),
    )
    words = f"{name or _WORDS[rule]} (area {losses.area:.4f})"
    ax.plot(c, loss, gid="curve", **(next_look(ax) | {"label": words} | options))
    return with_legend(ax, "upper right")


def draw_benefit(
    losses: Losses, ax: Axes | None = None, *, name: str | None = None, **options: Any
) -> Axes:
    """Draw the net benefit against the threshold probability."""
    ax = square_axes(ax, "Threshold probability", "Net benefit")
    ax.set_aspect("auto")
    share = losses.prevalence
    jumps = losses.c[losses.c < 0.99][:: _every(losses)]
    t = np.union1d(np.linspace(0, 0.99, 400), jumps)
    top = max(1.08 * share, ax.get_ylim()[1] if _has_curves(ax) else 0.0)
    ax.set_ylim(-0.11 * top, top)
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


def _drawn(losses: Losses) -> tuple[FloatArray, FloatArray]:
    """Return so many points that the eye sees the curve; between bends of Q a few more."""
    if len(losses.c) > MAX_POINTS:
        c = np.unique(np.append(losses.c[:: _every(losses)], [0.0, 1.0]))
        return c, losses.at(c)
    if (np.diff(losses.fpr) * np.diff(losses.c) == 0).all():
        return losses.c, losses.loss
    c = np.union1d(losses.c, np.linspace(0, 1, 401))
    return c, losses.at(c)
