"""Classic: Castro da Silva (2006), Análise ROC, an overview after Fawcett (2006).

It prints one table of data, five numbered equations and two functions. Figuras 2, 4 and 5 are
pictures without data; there we compute on samples that show what the text says, and say so.
"""

from __future__ import annotations

from rocwalk.papers.classic import annexes, area, average, classes, curve, metrics, mixing, space
from rocwalk.papers.classic.pictures import figures
from rocwalk.papers.classic.place import NAME
from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row

__all__ = ["NAME", "TITLE", "figures", "rows"]

TITLE = "Castro da Silva (2006), Análise ROC, after Fawcett (2006)"

_SECTIONS = (metrics, space, curve, area, average, classes, mixing, annexes)


def rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    return [row for section in _SECTIONS for row in section.rows(examples)]
