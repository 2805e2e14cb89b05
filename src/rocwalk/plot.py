"""The style of all plots: square axes, a light grid, a palette for colour-blind readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import IO, TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from rocwalk.checks import one_of
from rocwalk.errors import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe & Ito's palette, ordered so that the first three also differ in lightness
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
QUIET = "#8A8A8A"
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (6, 1.5, 1.5, 1.5)))
MAX_POINTS = 2_000


# -- the words of axes -----------------------------------------------------------------------------

WORDS = ("learning", "clinical")
_CLINICAL = {
    "True positive rate": "Sensitivity",
    "False positive rate": "1 − specificity",
    "Recall": "Sensitivity",
    "Precision": "Positive predictive value",
}
_WORDS: ContextVar[str] = ContextVar("words", default=WORDS[0])


@contextmanager
def wording(words: str) -> Iterator[None]:
    """Label the axes of all drawings inside the block in these words."""
    one_of("words", words, WORDS)
    token = _WORDS.set(words)
    try:
        yield
    finally:
        _WORDS.reset(token)


Draw = TypeVar("Draw", bound=Callable[..., Any])


def worded(draw: Draw) -> Draw:
    """Let a drawing take ``words="clinical"``: sensitivity and 1 − specificity on its axes."""

    @wraps(draw)
    def drawn(*given: Any, words: str | None = None, **options: Any) -> Any:
        with wording(_WORDS.get() if words is None else words):
            return draw(*given, **options)

    return cast("Draw", drawn)


def in_words(label: str) -> str:
    """Return the label of an axis in the words that are set."""
    return _CLINICAL.get(label, label) if _WORDS.get() == "clinical" else label


# -- axes ------------------------------------------------------------------------------------------
def pyplot() -> Any:
    """Return matplotlib's pyplot, or raise an error that names the extra it is in."""
    return optional("matplotlib.pyplot", "plot", "A picture")


def square_axes(ax: Axes | None, xlabel: str, ylabel: str) -> Axes:
    """Return the given axes, or new square ones, with the labels of the unit square."""
    if ax is None:
        plt = pyplot()
        _, ax = plt.subplots(figsize=(5.2, 5.2), layout="constrained")
    if not ax.get_xlabel():
        xlabel, ylabel = in_words(xlabel), in_words(ylabel)
        ax.set(xlabel=xlabel, ylabel=ylabel, xlim=(-0.015, 1.015), ylim=(-0.015, 1.015))
        ax.set_aspect("equal")
        ax.grid(visible=True, color="#E6E6E6", linewidth=0.8)
        ax.set_axisbelow(True)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            ax.spines[side].set_color(QUIET)
    return ax


def next_look(ax: Axes) -> dict[str, Any]:
    """Return colour and dashes for the next curve, so that curves also differ in greyscale."""
    drawn = sum(1 for line in ax.lines if line.get_gid() == "curve")
    return {
        "color": PALETTE[drawn % len(PALETTE)],
        "linestyle": DASHES[drawn % len(DASHES)],
        "linewidth": 2.0,
    }


_LEGEND: dict[str, Any] = {"frameon": False, "fontsize": "small"}
_CORNERS: tuple[Any, ...] = ("lower right", "upper left", "lower left", "upper right")
_SAMPLES = 400  # points of a line that a legend must not hide


def with_legend(ax: Axes, place: Any = None, *, first: str | None = None) -> Axes:
    """Add or renew the legend if anything has a label, and return the axes.

    Without a place it is the first corner where the legend hides no line, `first` before others. If
    there is none, it stands below the axes, or, without a layout engine that makes room there, in
    the corner where it hides least.
    """
    if not ax.get_legend_handles_labels()[1]:
        return ax
    if place is not None:
        ax.legend(loc=place, **_LEGEND)
        return ax
    ax.apply_aspect()
    hidden = {}
    for corner in sorted(_CORNERS, key=lambda each: each != first):
        hidden[corner] = _hidden(ax, ax.legend(loc=corner, **_LEGEND))
        if not hidden[corner]:
            return ax
    figure: Any = ax.figure
    if figure.get_layout_engine():
        # below the numbers and the words of the axis, however small the axes are
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, 0), borderaxespad=5, **_LEGEND)
    else:
        ax.legend(loc=min(hidden, key=lambda each: hidden[each]), **_LEGEND)
    return ax


def _hidden(ax: Axes, legend: Any) -> int:
    """Return the number of points of lines under a legend, without the diagonal of chance."""
    box = legend.get_window_extent()
    count = 0
    for line in ax.lines:
        x, y = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
        if line.get_gid() == "chance" or len(x) < 2 or line.get_transform() != ax.transData:
            continue
        at = np.linspace(0, len(x) - 1, max(4 * len(x), _SAMPLES))
        steps = np.arange(len(x))
        along = np.column_stack([np.interp(at, steps, x), np.interp(at, steps, y)])
        px, py = ax.transData.transform(along).T
        count += int(((px > box.x0) & (px < box.x1) & (py > box.y0) & (py < box.y1)).sum())
    return count


def write_svg(ax: Axes, file: IO[bytes]) -> None:
    """Write the figure of the axes as SVG, the same bytes for the same figure."""
    import matplotlib as mpl

    figure: Any = ax.figure
    with mpl.rc_context({"svg.hashsalt": "rocwalk", "svg.fonttype": "none"}):
        figure.savefig(file, format="svg", metadata={"Date": None})


def write_png(ax: Axes, file: IO[bytes], dots_per_inch: int = 200) -> None:
    """Write the figure of the axes as PNG, and close it."""
    plt = pyplot()
    figure: Any = ax.figure
    figure.savefig(file, format="png", dpi=dots_per_inch)
    plt.close(figure)
