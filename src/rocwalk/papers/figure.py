"""A figure of a paper, drawn anew from the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rocwalk.curves.plot import FPR, TPR
from rocwalk.plot import square_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Draw = Callable[["Axes | None"], "Axes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture: its name (also of its file), its paper, a caption, and how it is drawn.

    `draw` draws into the axes that it is given, or into a new picture, and returns the axes.
    """

    name: str
    paper: str
    caption: str
    draw: Draw

    @property
    def file_name(self) -> str:
        """The name of the file that the picture is written to."""
        return f"{self.name}.png"


def figure_at(paper: str, place: str, caption: str, draw: Draw) -> Figure:
    """Return a figure whose title is its place and its caption."""
    return Figure(
        name=f"{paper} {place}".lower().replace(" ", "-"),
        paper=paper,
        caption=f"{caption[0].upper()}{caption[1:]}",
        draw=lambda ax: titled(draw(ax), f"{place}: {caption}"),
    )


def titled(ax: Axes, title: str) -> Axes:
    """Put a title above the axes, at the left."""
    ax.set_title(title, loc="left", fontsize="medium", pad=10)
    return ax


def panels_in(
    ax: Axes | None, size: tuple[float, float], boxes: Sequence[tuple[float, float, float, float]]
) -> tuple[Axes, list[Axes]]:
    """Return bare axes, the given or new ones of a size in inches, and the panels inside them.

    A box is left, bottom, width and height, as shares of the axes; panels are their `child_axes`.
    """
    if ax is None:
        ax = square_axes(None, FPR, TPR)
        picture: Any = ax.figure
        picture.set_size_inches(*size)
    ax.set(aspect="auto", xlim=(0, 1), ylim=(0, 1))
    ax.set_axis_off()
    return ax, [ax.inset_axes(box) for box in boxes]
