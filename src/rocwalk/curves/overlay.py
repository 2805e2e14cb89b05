"""Several curves together: checked, and drawn into one plot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rocwalk.curves.roc import Curve
from rocwalk.errors import InputError
from rocwalk.tally.walk import Walk
from rocwalk.texts import kind_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def walks_of(
    curves: Iterable[Curve] | Mapping[Any, Curve], *, by_threshold: bool = False
) -> list[Walk]:
    """Return the walks of a list or a dict of curves, or raise."""
    if isinstance(curves, Curve):
        raise InputError("One curve was given.", "pass a list or a dict of curves.")
    if not isinstance(curves, Iterable):
        raise InputError(f"curves is {kind_of(curves)}.", "pass a list or a dict of curves.")
    members = list(curves.values() if isinstance(curves, Mapping) else curves)
    for i, member in enumerate(members):
        if not isinstance(member, Curve):
            raise InputError(
                f"Item {i} is {kind_of(member)}, not a curve.",
                "make curves with rocwalk.roc(y_true, y_score).",
            )
        if by_threshold and not member.cuts_scores:
            raise InputError(
                f"Item {i} is smeared: a position on its axis is not a threshold of the scores.",
                "use rocwalk.roc, or read a smeared point back with best().interval.",
            )
    return [member.walk for member in members]


def overlay(curves: Mapping[str, Curve], ax: Axes | None = None, **options: Any) -> Axes:
    """Draw several named curves into one plot and return its axes.

    Parameters
    ----------
    curves
        A dict from names to curves.
    ax
        The matplotlib axes to draw into. Default: those of a new figure.
    options
        Keywords of each curve's ``plot``.

    Curves can also be added one by one, as in scikit-learn, with ``curve.plot(ax=ax, name="b")``.

    Examples
    --------
    >>> import rocwalk as rw
    >>> curve = rw.roc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    >>> axes = rw.overlay({"a": curve, "its hull": curve.hull})
    >>> [line.get_label() for line in axes.lines if line.get_gid() == "curve"]
    ['a (AUC = 0.750)', 'its hull (AUC = 0.875)']
    """
    from rocwalk.curves.plot import draw_overlay

    if not isinstance(curves, Mapping):
        raise InputError(
            f"curves is {kind_of(curves)}.", 'pass a dict of curves, such as {"a": curve}.'
        )
    walks = walks_of(curves)
    named = zip(curves.items(), walks, strict=True)
    return draw_overlay({name: (walk, c.area) for (name, c), walk in named}, ax, **options)
