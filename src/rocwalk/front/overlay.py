"""`rocwalk.overlay`: several named curves in one picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rocwalk.errors import InputError
from rocwalk.front.average import walks_of
from rocwalk.front.curve import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def overlay(curves: Mapping[str, Curve], ax: Axes | None = None, **options: Any) -> Axes:
    """Draw several named curves into one picture and return its axes.

    The same picture grows curve by curve with ``curve.plot(ax=ax, name="b")``, in scikit-learn's
    manner. Options go to each curve's ``plot``.

    >>> import rocwalk as rw
    >>> curve = rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> axes = rw.overlay({"a": curve, "its hull": curve.hull})
    >>> [line.get_label() for line in axes.lines if line.get_gid() == "curve"]
    ['a (AUC = 0.750)', 'its hull (AUC = 0.875)']
    """
    from rocwalk.draw.curves import draw_overlay

    if not isinstance(curves, Mapping):
        raise InputError(
            f"curves is a {type(curves).__name__}.", 'pass a dict of curves, such as {"a": curve}.'
        )
    walks = walks_of(curves)
    named = zip(curves.items(), walks, strict=True)
    return draw_overlay({name: (walk, c.area) for (name, c), walk in named}, ax, **options)
