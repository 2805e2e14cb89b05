"""Clean votes: how many each item has, how many are positive, and who cast them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocwalk.read.scales import PLAIN, Scale
from rocwalk.tally.tally import read_only
from rocwalk.typing import AnyArray, BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignedVotes:
    """Votes of which it is known who cast them.

    Attributes
    ----------
    raters
        The raters' names.
    item, rater, vote
        One entry per vote: the position of the item, the position of the rater, and 0 or 1; of
        ratings without a cut the place among the values of their scale.
    """

    raters: tuple[Any, ...]
    item: IntArray
    rater: IntArray
    vote: IntArray

    def __post_init__(self) -> None:
        protect(self, "item", "rater", "vote")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ballot:
    """Clean votes on at least one item, each with at least one vote.

    Attributes
    ----------
    items
        The items' names; their rows in the caller's data if they have none.
    positives, totals
        How many votes of each item are positive, and how many there are. Of ratings without a cut
        each adds what it is worth between 0 and 1.
    signed
        The single votes with their raters, or None if only counts are known.
    scale
        How votes became truth.
    weighted
        The truth by the weights of the raters, if these differ.
    rater_weights
        These weights, in the order of the raters.
    """

    items: AnyArray
    positives: AnyArray
    totals: IntArray
    signed: SignedVotes | None
    scale: Scale = PLAIN
    weighted: FloatArray | None = None
    rater_weights: FloatArray | None = None

    def __post_init__(self) -> None:
        protect(self, "items", "positives", "totals")
        for name in ("weighted", "rater_weights"):
            if getattr(self, name) is not None:
                protect(self, name)

    @property
    def truth(self) -> FloatArray:
        """The share of positive votes of each item, or its mean rating on [0, 1]."""
        if self.weighted is not None:
            return self.weighted
        share: FloatArray = self.positives / self.totals
        return share

    @property
    def counts(self) -> FloatArray:
        """How many votes of each item (rows) have each value of the scale (columns)."""
        if not self.scale.is_graded or self.signed is None:
            up, total = self.positives.astype(np.float64), self.totals.astype(np.float64)
            return np.column_stack([total - up, up])
        size = len(self.scale.values)
        cell = self.signed.item * size + self.signed.vote
        counted = np.bincount(cell, minlength=len(self.items) * size)
        return counted.reshape(-1, size).astype(np.float64)

    def taken(self, which: BoolArray) -> Ballot:
        """Return some of the items, with all raters."""
        signed = self.signed
        if signed is not None:
            held = which[signed.item]
            signed = SignedVotes(
                raters=signed.raters,
                item=(np.cumsum(which) - 1)[signed.item[held]],
                rater=signed.rater[held],
                vote=signed.vote[held],
            )
        return replace(
            self,
            items=self.items[which],
            positives=self.positives[which],
            totals=self.totals[which],
            signed=signed,
            weighted=None if self.weighted is None else self.weighted[which],
        )

    @property
    def words(self) -> str:
        """How votes became truth, in words; empty for votes of two kinds that weigh alike."""
        if self.weighted is None:
            return self.scale.words
        return f"{self.scale.words} The raters have different weights in the truth.".strip()


def protect(holder: Any, *names: str) -> None:
    """Make arrays of a frozen result read-only."""
    for name in names:
        object.__setattr__(holder, name, read_only(getattr(holder, name)))
