"""Sensibility: Klement, Japkowicz & Matwin (2009), probabilities and the ROC curve under drift.

It prints one table of ten items, the midpoint in two forms, and a table of four data sets with
three figures. The data sets come from a generator that is not public: ours is a re-creation with
our own parameters, so its numbers stand beside the printed ones without a verdict, and only what
the text says of their pattern is checked.
"""

from __future__ import annotations

from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row
from rocwalk.papers.sensibility import (
    closing,
    domains,
    margins,
    midpoint,
    pattern,
    ratios,
    recreated,
    table,
)
from rocwalk.papers.sensibility.pictures import figures
from rocwalk.papers.sensibility.place import NAME

__all__ = ["NAME", "TITLE", "figures", "rows"]

TITLE = "Klement, Japkowicz & Matwin (2009), probabilities and the ROC curve under drift"

_SECTIONS = (margins, midpoint, table, ratios, domains, recreated, pattern, closing)


def rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    return [row for section in _SECTIONS for row in section.rows(examples)]
