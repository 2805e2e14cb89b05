"""§2.1, Example: an area that falls, rises and falls again (Figures 5 and 6)."""

from __future__ import annotations

from rocwalk.papers.examples import Examples
from rocwalk.papers.ferri.place import area_at, at, match_of
from rocwalk.papers.row import Row

NEAR, MIDDLE, MEANT = 0.05, 0.4, 0.8


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
        at("§2.1, Figures 5 and 6").statement(
            "all d with Area(d) = pAUC",
            "two values",
            widths,
            holds=len(widths) == 2,
            reason="There is a third, beyond the top: the area ends at ½, below pAUC.",
        ),
    ]


def _between(what: str, widths: tuple[float, ...], low: float, high: float) -> Row:
    inside = tuple(width for width in widths if low < width < high)
    return at("§2.1, Example").statement(
        f"{what} with Area(d) = pAUC", "exists", inside, holds=len(inside) > 0
    )
