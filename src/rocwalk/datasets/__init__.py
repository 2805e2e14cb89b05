"""Small data sets: the examples of the five papers.

>>> from rocwalk import datasets
>>> list(datasets.paper_examples())[:3]
['classic_table_1', 'ferri_figure_1', 'ferri_figure_2a']
"""

from rocwalk.datasets.papers import PaperExample, paper_examples

__all__ = ["PaperExample", "paper_examples"]
