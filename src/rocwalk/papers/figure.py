"""A figure of a paper, drawn anew from the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
