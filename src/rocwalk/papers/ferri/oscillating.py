"""§2.1, Example: an area that falls, rises and falls again (Figures 5 and 6)."""

from __future__ import annotations

import numpy as np

from rocwalk.datasets.papers import PaperExample
from rocwalk.papers.examples import Examples
from rocwalk.papers.ferri.place import area_at, at, match_of
from rocwalk.papers.ferri.segments import FAR
from rocwalk.papers.row import Row, text_of
from rocwalk.smear.widths import WidthMatch

NEAR, MIDDLE, MEANT = 0.05, 0.4, 0.8
_GRID = np.linspace(0, 2, 20_001)


def rows(examples: Examples) -> list[Row]:
    """Return the numbers of the example, and how many widths match."""
    here, example = at("§2.1, Example"), examples["ferri_figure_5"]
    match = match_of(example)
    meant = area_at(example, MEANT)
    widths = tuple(low for low, _ in match.widths)
    return [
        here.number("AUC", "0.68", match.auc),
        here.number("pAUC", "0.67", match.target),
        here.number("Area(0)", "0.68", area_at(example, 0)),
        here.number("Area(0.05)", "0.66", area_at(example, NEAR)),
        _between("a d between 0 and 0.05", widths, 0.0, NEAR),
        here.number(
            "Area(0.4)",
            "0.732",
            area_at(example, MIDDLE),
            f"0.732 is Area(0.8), {meant:.5f}.",
        ),
        _between("a d between 0.05 and 0.4", widths, NEAR, MIDDLE),
        _figure_5(example),
        _figure_6(match),
        at("§2.1, Figures 5 and 6").statement(
            "all d with Area(d) = pAUC",
            "two values",
            widths,
            holds=len(widths) == 2,
            reason="There is a third, beyond the top: the area ends at ½, below pAUC.",
        ),
    ]


def _figure_5(example: PaperExample) -> Row:
    drawn = (0.0, NEAR, MIDDLE, MEANT, FAR)
    return at("§2.1, Figure 5").unprinted(
        f"Area(d) of the curves, d = {', '.join(map(text_of, drawn))}",
        tuple(area_at(example, width) for width in drawn),
        "The figure draws curves; the text names 0, 0.05 and 0.4, the other d are ours.",
    )


def _figure_6(match: WidthMatch) -> Row:
    """The turns of the area: where it is lowest on the way to its top, and the top."""
    areas = match.areas(_GRID)
    top = int(areas.argmax())
    low = int(areas[: top + 1].argmin())
    (d_low, lowest), (d_top, highest) = (
        (text_of(float(_GRID[k])), text_of(float(areas[k]))) for k in (low, top)
    )
    return at("§2.1, Figure 6").unprinted(
        "the turns of Area(d)",
        f"from {text_of(match.auc)} down to {lowest} at d = {d_low}, up to {highest} at d = "
        f"{d_top}, then down to ½",
        "The figure draws it; the numbers are ours.",
    )


def _between(what: str, widths: tuple[float, ...], low: float, high: float) -> Row:
    inside = tuple(width for width in widths if low < width < high)
    return at("§2.1, Example").statement(
        f"{what} with Area(d) = pAUC", "exists", inside, holds=len(inside) > 0
    )
