"""Every figure, formula and statement that five papers print, beside what rocwalk computes.

A paper is a folder with `rows.py` and `pictures.py`; `comparison.py` lists the papers in order.
Computed values are never stored: change a row of an example and every value that depends on it
changes.
"""

from rocwalk.papers.comparison import (
    PAPERS,
    Paper,
    all_figures,
    all_rows,
    counts_of,
    write_papers,
)
from rocwalk.papers.figure import Figure
from rocwalk.papers.row import Row

__all__ = [
    "PAPERS",
    "Figure",
    "Paper",
    "Row",
    "all_figures",
    "all_rows",
    "counts_of",
    "write_papers",
]
