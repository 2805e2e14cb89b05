"""The papers, in order: each gives rows and figures, computed from the examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rocwalk.datasets.papers import paper_examples
from rocwalk.papers import classic, ferri, sensibility, soft, truth
from rocwalk.papers.examples import Examples
from rocwalk.papers.figure import Figure
from rocwalk.papers.row import Row


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper: the name that its rows carry, what it is, and what it is compared by."""

    name: str
    title: str
    rows: Callable[[Examples], list[Row]]
    figures: Callable[[Examples], list[Figure]]


PAPERS = (
    Paper(classic.NAME, classic.TITLE, classic.rows, classic.figures),
    Paper(ferri.NAME, ferri.TITLE, ferri.rows, ferri.figures),
    Paper(soft.NAME, soft.TITLE, soft.rows, soft.figures),
    Paper(truth.NAME, truth.TITLE, truth.rows, truth.figures),
    Paper(sensibility.NAME, sensibility.TITLE, sensibility.rows, sensibility.figures),
)


def all_rows(examples: Examples | None = None) -> list[Row]:
    """Return every row of every paper, computed from the examples.

    >>> rows = all_rows()
    >>> all(row.agrees or row.reason for row in rows)
    True
    """
    given = paper_examples() if examples is None else examples
    return [row for paper in PAPERS for row in paper.rows(given)]


def all_figures(examples: Examples | None = None) -> list[Figure]:
    """Return every figure of every paper, ready to be drawn from the examples.

    >>> [figure.name for figure in all_figures()][:2]
    ['classic-figura-1', 'classic-figura-2']
    """
    given = paper_examples() if examples is None else examples
    return [figure for paper in PAPERS for figure in paper.figures(given)]
