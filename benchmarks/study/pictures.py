"""Two pictures of the results, drawn from docs/study.json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from rocwalk.plot import PALETTE, QUIET

from .conditions import GRID
from .splits import SIZES
from .thresholds import WIDTHS

MARKERS = ("o", "s", "^")
SHOWN = {  # ways to a threshold that the second picture shows by cost, with their short names
    "ROC hull": "ROC hull",
    "uniform, d = 0.2": "uniform, d = 0.2",
    "uniform, matched": "uniform, matched width",
    "logit, d = 1": "logit, d = 1",
    "Platt": "Platt",
    "raw score": "raw score",
}


def draw_selection(found: dict[str, Any], path: Path) -> None:
    """Draw how much more regret each criterion has than AUC, with intervals, by validation size."""
    titles = found["criteria"]
    names = [row["name"] for row in found["selection"]["200 costs"]["rows"] if "difference" in row]
    figure, ax = plt.subplots(figsize=(8.4, 5.0), layout="constrained")
    for k, size in enumerate(SIZES):
        table = found["selection"][f"{size} costs"]
        rows = {row["name"]: row for row in table["rows"]}
        at = np.arange(len(names)) + 0.22 * (k - 1)
        middle = 1000 * np.array([rows[name]["difference"] for name in names])
        ends = 1000 * np.array([[rows[name]["low"], rows[name]["high"]] for name in names]).T
        label = f"{size:,} validation rows, {table['families']} families"
        looks = {"color": PALETTE[k], "marker": MARKERS[k], "linestyle": "none", "capsize": 2.5}
        ax.errorbar(middle, at, xerr=np.abs(ends - middle), label=label, **looks)
    ax.axvline(0, color=QUIET, linewidth=1)
    ax.set_yticks(range(len(names)), [titles[name] for name in names])
    ax.invert_yaxis()
    ax.set_xlabel("regret × 1000 − that of selecting by AUC (mean over families, 95 % interval)")
    _finish(ax, "x")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def draw_thresholds(found: dict[str, Any], path: Path) -> None:
    """Draw the regret of thresholds against the width of smearing, and against the cost."""
    figure, (by_width, by_cost) = plt.subplots(1, 2, figsize=(11.4, 4.8), layout="constrained")
    for k, size in enumerate(SIZES):
        rows = {row["name"]: row for row in found["thresholds"][f"{size} costs"]["rows"]}
        regrets = [1000 * rows[f"uniform, d = {width:g}"]["mean"] for width in WIDTHS]
        looks = {"color": PALETTE[k], "marker": MARKERS[k]}
        by_width.plot(WIDTHS, regrets, label=f"{size:,} validation rows", **looks)
        hull, matched = (1000 * rows[name]["mean"] for name in ("ROC hull", "uniform, matched"))
        by_width.axhline(hull, color=PALETTE[k], linestyle=":", linewidth=1.4)
        width = found["widths"][str(size)]["quartiles"][1]
        by_width.plot(width, matched, color=PALETTE[k], marker="*", markersize=13, linestyle="none")
    by_width.plot([], [], color="black", linestyle=":", label="ROC hull, same rows")
    star = {"color": "black", "marker": "*", "markersize": 11, "linestyle": "none"}
    by_width.plot([], [], label="matched width, at its median", **star)
    by_width.set(xscale="log", yscale="log", xlabel="width d of the uniform segments")
    by_width.set_xticks(WIDTHS, [f"{width:g}" for width in WIDTHS])
    by_width.set_ylabel("regret × 1000, mean over families")
    by_width.minorticks_off()
    by_width.set_yticks([5, 10, 20, 50, 100, 200], ["5", "10", "20", "50", "100", "200"])
    for k, (name, title) in enumerate(SHOWN.items()):
        regrets = 1000 * np.array(found["conditions"][name])
        by_cost.plot(GRID, regrets, color=PALETTE[k], marker="osvP^D"[k], label=title)
    by_cost.set(
        xlabel="c, the cost of a false positive (of a false negative: 1 − c)", ylim=(0, None)
    )
    by_cost.set_ylabel("regret × 1000, 200 validation rows")
    for ax in (by_width, by_cost):
        _finish(ax, "both")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _finish(ax: Axes, grid: Any) -> None:
    ax.grid(visible=True, axis=grid, color="#E6E6E6", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(frameon=False, fontsize="small")
