"""Step rules side by side: one panel a rule, all models in each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocwalk.draw.curves import draw_roc
from rocwalk.errors import OptionError
from rocwalk.walk.curve import Walk

_TITLES = {
    "truth": "ROC",
    "single": "Soft ROC, single steps",
    "both": "Soft ROC, steps both ways",
    "blind": "Soft ROC, labels unused",
}


def draw_panels(
    curves: Mapping[tuple[Any, str], tuple[Walk, float]], axes: Any = None, **options: Any
) -> Any:
    """Draw the curves of each rule into a panel of its own and return the axes."""
    rules = list(dict.fromkeys(rule for _, rule in curves))
    if axes is None:
        import matplotlib.pyplot as plt

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
