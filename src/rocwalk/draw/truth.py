"""The region between the worst and the perfect curve, and where a model lies in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.draw.curves import draw_roc
from rocwalk.draw.style import MAX_POINTS, QUIET, with_legend
from rocwalk.measure.thinning import thinned
from rocwalk.walk.curve import Walk

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_region(
    walk: Walk,
    area: float,
    edges: tuple[Walk, Walk],
    auc_prt: float,
    ax: Axes | None = None,
    *,
    name: str | None = None,
    **options: Any,
) -> Axes:
    """Draw a curve over the region that the truth leaves open."""
    words = {"label": f"{name or 'ROC'} (AUC = {area:.3f}, AUC_PRT = {auc_prt:.3f})"}
    ax = draw_roc(walk, area, ax, name=name, **(words | options))
    if not any(patch.get_gid() == "region" for patch in ax.patches):
        worst, perfect = (thinned(edge, MAX_POINTS)[0] for edge in edges)
        fpr = np.append(perfect.fpr, worst.fpr[::-1])
        tpr = np.append(perfect.tpr, worst.tpr[::-1])
        ax.fill(fpr, tpr, color=QUIET, alpha=0.15, linewidth=0, gid="region", zorder=0.5)
        looks = (("perfect", perfect, "-"), ("worst", worst, (0, (4, 2))))
        for words_, edge, dashes in looks:
            ax.plot(
                edge.fpr, edge.tpr, color="#555555", linewidth=1.2, linestyle=dashes,
                label=words_, gid="edge",
            )  # fmt: skip
    return with_legend(ax)
