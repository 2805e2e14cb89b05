"""Small data sets: the examples of the five papers, and patients with the flu.

>>> from rocwalk import datasets
>>> list(datasets.paper_examples())[:3]
['classic_table_1', 'ferri_figure_1', 'ferri_figure_2a']
"""

from rocwalk.datasets.flu import (
    FluModel,
    FluProbabilities,
    FluSample,
    flu,
    flu_probabilities,
    naive_bayes,
)
from rocwalk.datasets.papers import PaperExample, paper_examples

__all__ = [
    "FluModel",
    "FluProbabilities",
    "FluSample",
    "PaperExample",
    "flu",
    "flu_probabilities",
    "naive_bayes",
    "paper_examples",
]


def __dir__() -> list[str]:
    return __all__
