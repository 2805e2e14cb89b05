"""A figure of a paper, drawn anew from the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from rocwalk.curves.plot import FPR, TPR
from rocwalk.papers.row import Place
from rocwalk.plot import square_axes, write_png

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Draw = Callable[["Axes | None"], "Axes"]

DARK = "#333333"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture of a paper.

    Attributes
    ----------
    name
        The name of the picture and of its file, such as "ferri-figure-1".
    paper, place
        The paper, and the place of the rows that the picture belongs to.
    caption
        What the picture shows.
    draw
        Draws into the axes that it is given, or into a new picture, and returns the axes.
    """

    name: str
    paper: str
    place: str
    caption: str
    draw: Draw

    @property
    def file_name(self) -> str:
        """The name of the file that the picture is written to."""
        return f"{self.name}.png"

    def write(self, file: IO[bytes]) -> None:
        """Draw the picture into an open file, as PNG."""
        write_png(self.draw(None), file)


def figure_at(place: Place, heading: str, caption: str, draw: Draw, title: str = "") -> Figure:
    """Return a figure of a paper, at the place of the rows that it belongs to.

    The heading, such as "Figure 1", names the file and starts the title of the picture; after it
    stands `title`, or the caption.
    """

    def draw_with_title(ax: Axes | None) -> Axes:
        ax = draw(ax)
        ax.set_title(f"{heading}: {title or caption}", loc="left", fontsize="medium", pad=10)
        return ax

    return Figure(
        name=f"{place.paper} {heading}".lower().replace(" ", "-"),
        paper=place.paper,
        place=place.place,
        caption=f"{caption[0].upper()}{caption[1:]}",
        draw=draw_with_title,
    )


def panels_in(
    ax: Axes | None, size: tuple[float, float], boxes: Sequence[tuple[float, float, float, float]]
) -> tuple[Axes, list[Axes]]:
    """Return bare axes, the given or new ones of a size in inches, and the panels inside them.

    A box is left, bottom, width and height, as shares of the axes; panels are their `child_axes`.
    """
    ax = sized_axes(ax, size)
    ax.set(aspect="auto", xlim=(0, 1), ylim=(0, 1))
    ax.set_axis_off()
    return ax, [ax.inset_axes(box) for box in boxes]


def sized_axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return the given axes, or new ones of ROC space in a picture of a size in inches."""
    if ax is not None:
        return ax
    ax = square_axes(None, FPR, TPR)
    picture: Any = ax.figure
    picture.set_size_inches(*size)
    return ax


def white_box(padding: float) -> dict[str, Any]:
    """Return the look of a pale box behind words that would else touch a line."""
    style = f"round,pad={padding}"
    return {"boxstyle": style, "facecolor": "white", "edgecolor": "none", "alpha": 0.85}
