"""Random parts of a data set: rows to learn from, to validate on, and to hold back."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np

from .datasets import Data, Dataset

SEED = 20_261_118
SIZES = (60, 200, 1_000)
LARGE = 3_000  # rows from which on 1,000 are validated on
FEWEST = 3  # of each class in a validation part
MOST_TRAINED, MOST_TESTED = 1_000, 3_000


@dataclass(frozen=True)
class Split:
    """Indices of rows. The validation parts are nested: the smaller ones begin the larger ones."""

    train: np.ndarray
    test: np.ndarray
    validation: dict[int, np.ndarray]

    @property
    def pool(self) -> np.ndarray:
        """The largest validation part."""
        return self.validation[max(self.validation)]


def rng_of(dataset: Dataset, number: int) -> np.random.Generator:
    """Return the random numbers of one split of one set, whatever else is run."""
    return np.random.default_rng([SEED, zlib.crc32(dataset.name.encode()), number])


def draw(data: Data, rng: np.random.Generator) -> Split:
    """Draw a split in which each part has the prevalence of the set, up to one row."""
    largest = 1_000 if len(data.y) >= LARGE else 200
    order = spread_classes(data.y, rng)
    rest = order[largest:]
    half = len(rest) // 2
    rarer = min(data.prevalence, 1 - data.prevalence)
    sizes = [size for size in SIZES if size <= largest and int(size * rarer) >= FEWEST]
    parts = {size: order[:size] for size in sizes}
    return Split(rest[:half][:MOST_TRAINED], rest[half:][:MOST_TESTED], parts)


def spread_classes(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the rows in a random order in which every stretch has the prevalence of the whole."""
    place = np.empty(len(y))
    for label in (0, 1):
        rows = rng.permutation(np.flatnonzero(y == label))
        place[rows] = (np.arange(len(rows)) + rng.random()) / len(rows)
    return np.argsort(place, kind="stable")
