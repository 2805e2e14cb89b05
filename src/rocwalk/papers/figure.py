"""A figure of a paper, drawn anew from the data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture: its name (also of its file), its paper, a caption, and how it is drawn.

    `draw` draws into the axes that it is given, or into a new picture, and returns the axes.
    """

    name: str
    paper: str
    caption: str
    draw: Callable[[Axes | None], Axes]

    @property
    def file_name(self) -> str:
        """The name of the file that the picture is written to."""
        return f"{self.name}.png"
