"""Every printed figure of the papers beside the computed one: our proof.

A paper is a module, or a folder of them, with `rows(examples)` and `figures(examples)`; the
registry lists them in order. Nothing computed is written down anywhere: change a row of an example
and the cells that rest on it change.
"""

from rocwalk.papers.figure import Figure
from rocwalk.papers.registry import PAPERS, Paper, all_figures, all_rows
from rocwalk.papers.row import Row
from rocwalk.papers.writing import write_papers

__all__ = ["PAPERS", "Figure", "Paper", "Row", "all_figures", "all_rows", "write_papers"]
