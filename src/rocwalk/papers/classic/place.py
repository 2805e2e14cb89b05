"""Places in the Classic paper, and how its points are written."""

from __future__ import annotations

from rocwalk.curves.operating_points import OperatingPoint
from rocwalk.papers.row import Place, point_text, text_of

NAME = "Classic"


def at(place: str) -> Place:
    """Return a place in this paper."""
    return Place(NAME, place)


def counts_text(point: OperatingPoint) -> str:
    """Write a point with the instances that it calls p."""
    cells = point.confusion
    p = cells.true_positives + cells.false_negatives
    n = cells.false_positives + cells.true_negatives
    called = f"{text_of(cells.true_positives)} of {text_of(p)} p"
    wrongly = f"{text_of(cells.false_positives)} of {text_of(n)} n"
    return f"{point_text(point.fpr, point.tpr)}: calls {called} and {wrongly} positive"
