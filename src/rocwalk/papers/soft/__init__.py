"""Soft: Klement & Flach (2008), ROC curves whose steps are sized by the scores.

It prints one table of scores, three step rules with their normalisations, and two pictures. No
area is printed; ours are given beside the statements that rest on them.
"""

from __future__ import annotations

from rocwalk.papers.examples import Examples
from rocwalk.papers.row import Row
from rocwalk.papers.soft import blind, both, ordinary, single, table, tasks
from rocwalk.papers.soft.pictures import figures
from rocwalk.papers.soft.place import NAME

__all__ = ["NAME", "TITLE", "figures", "rows"]

TITLE = "Klement & Flach (2008), ROC curves that take the scores in"

_SECTIONS = (tasks, table, ordinary, single, blind, both)


def rows(examples: Examples) -> list[Row]:
    """Return every row of the paper, in its order."""
    return [row for section in _SECTIONS for row in section.rows(examples)]
