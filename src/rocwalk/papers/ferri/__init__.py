"""Ferri: Ferri, Flach, Hernández-Orallo & Senad (2005), ROC curves that keep the probabilities.

The paper's symbols: pAUC is the probabilistic AUC, pROC the smeared curve, d its width.
"""

from __future__ import annotations

from rocwalk.papers.examples import Examples
from rocwalk.papers.ferri import (
    analytic,
    normal,
    numeric,
    oscillating,
    probabilities,
    ranking,
    segments,
    slopes,
    theorems,
)
from rocwalk.papers.ferri.pictures import figures
from rocwalk.papers.ferri.place import NAME
from rocwalk.papers.row import Row

__all__ = ["NAME", "TITLE", "figures", "rows"]

TITLE = "Ferri, Flach, Hernández-Orallo & Senad (2005), ROC curves with predicted probabilities"

_SECTIONS = (
    ranking,
    probabilities,
    segments,
    theorems,
    oscillating,
    normal,
    analytic,
    numeric,
    slopes,
)


def rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    return [row for section in _SECTIONS for row in section.rows(examples)]
