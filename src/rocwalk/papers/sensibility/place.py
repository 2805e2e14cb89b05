"""Places in the Sensibility paper, and what its sections are computed with."""

from __future__ import annotations

from rocwalk.datasets.papers import PaperExample
from rocwalk.drift.sensibility import Sensibility, sensibility
from rocwalk.papers.row import Place
from rocwalk.read.arrays import tally
from rocwalk.tally.tally import Tally

NAME = "Sensibility"
TABLE = "sensibility_table_1"
THRESHOLD = 0.35
PRINTED_MIDPOINT = 0.56

Numbered = list[tuple[int, int, float]]


def at(place: str) -> Place:
    """Return a place in this paper."""
    return Place(NAME, place)


def analysis_of(example: PaperExample, midpoint: float | None = None) -> Sensibility:
    """Return the sensibility analysis of an example, at its own midpoint or at another."""
    return sensibility(example.y_true, example.y_prob, midpoint=midpoint)


def tally_of(example: PaperExample) -> Tally:
    """Return the tally of an example."""
    return tally(example.y_true, example.y_prob)


def numbered(example: PaperExample) -> Numbered:
    """Return (i, label, score) of each item, counted from 1 as the table does."""
    pairs = zip(example.y_true, example.y_prob, strict=True)
    return [(i, int(label), score) for i, (label, score) in enumerate(pairs, start=1)]


def sensible_items(example: PaperExample, midpoint: float) -> list[int]:
    """Return the numbers of positives at or above the midpoint and of negatives below it."""
    return [i for i, label, score in numbered(example) if (label == 1) == (score >= midpoint)]


def errors_of(example: PaperExample, threshold: float) -> list[int]:
    """Return the numbers of the items that a threshold decides wrongly."""
    return [i for i, label, score in numbered(example) if (label == 1) != (score >= threshold)]


def words(items: list[int]) -> str:
    """Write the numbers of items.

    >>> words([3, 7]), words([])
    ('3 7', 'none')
    """
    return " ".join(map(str, items)) or "none"
