"""Truth: Gredlics, Raicu & Furst, ROC curves where the truth itself is a probability.

Its sections carry no numbers; places are named by their headings. It prints two tables of twelve
rows and six equations, and no area at all; ours are given beside the figures.
"""

from __future__ import annotations

from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row
from rocwalk.papers.truth import (
    curve,
    deterministic,
    masses,
    matrix,
    perfect,
    score,
    ties,
    uses,
    worst,
)
from rocwalk.papers.truth.pictures import figures
from rocwalk.papers.truth.place import NAME

__all__ = ["NAME", "TITLE", "figures", "rows"]

TITLE = "Gredlics, Raicu & Furst, ROC curves with a probabilistic reference truth"

_SECTIONS = (matrix, deterministic, ties, masses, curve, perfect, worst, score, uses)


def rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    return [row for section in _SECTIONS for row in section.rows(examples)]
