"""The TruthTally: a tally by score, and a tally of the same items by their truth.

The best order of items with truth f is by f, the worst is by −f. A tally by score does not hold f,
so a second tally, by f, is kept; the perfect curve is its walk. Both add. See "Reference truth" in
docs/mathematics.rst.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rocwalk.errors import TallyError
from rocwalk.result import Result
from rocwalk.tally.order import sorted_scores, tally_of_masses
from rocwalk.tally.tally import ITEM_COLUMNS, Tally, in_unit_range
from rocwalk.typing import AnyArray, FloatArray


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TruthTally(Result):
    """The evidence for a reference truth: masses by score and masses by truth, of the same items.

    Make one with `rocwalk.truth_tally`. They add with ``+`` and `sum`.
    """

    by_score: Tally
    by_truth: Tally

    def __add__(self, other: object) -> TruthTally:
        if isinstance(other, TruthTally):
            return TruthTally.merge([self, other])
        return self if isinstance(other, int) and other == 0 else NotImplemented  # for sum()

    __radd__ = __add__

    @classmethod
    def merge(cls, tallies: Iterable[TruthTally]) -> TruthTally:
        """Add any number of them at once."""
        parts = list(tallies)
        return cls(
            Tally.merge(part.by_score for part in parts),
            Tally.merge(part.by_truth for part in parts),
        )

    def save(self, path: str | Path) -> None:
        """Write both tallies to one ``.npz`` file, which is renamed when it is complete."""
        from rocwalk.tally.storage import save_tallies

        save_tallies(path, "truth_tally", {"score": self.by_score, "truth": self.by_truth})

    @staticmethod
    def load(path: str | Path, *, max_bytes: int | None = 2**32) -> TruthTally:
        """Read from a file that `save` wrote; no pickles are opened.

        A file that was damaged, lacks a column or holds what no tally can have raises FileError;
        so does one with more than `max_bytes` when unpacked.

        Parameters
        ----------
        path
            The file.
        max_bytes
            The most bytes that the file may have when unpacked. None: no limit.
        """
        from rocwalk.tally.storage import damaged, load_tallies

        parts = load_tallies(path, "truth_tally", max_bytes)
        if set(parts) != {"score", "truth"}:
            raise damaged(path, "truth_tally")
        found = TruthTally(parts["score"], parts["truth"])
        one, other = found.by_score, found.by_truth
        if not (
            in_unit_range(other)
            and one.total_count == other.total_count
            and math.isclose(one.total_up, other.total_up, rel_tol=1e-9)
            and math.isclose(one.total_right, other.total_right, rel_tol=1e-9)
        ):
            raise damaged(path, "truth_tally")
        return found

    def _headline(self) -> dict[str, Any]:
        tally = self.by_score
        return {
            "items": tally.total_count,
            "scores": len(tally),
            "truths": len(self.by_truth),
            "total_up": tally.total_up,
            "total_right": tally.total_right,
        }

    def _columns(self) -> dict[str, AnyArray]:
        tally = self.by_truth
        return {"truth": tally.scores, "up": tally.up, "right": tally.right, "count": tally.count}


def truth_tally_of_tally(tally: Tally) -> TruthTally:
    """Return the pair that a tally of hard labels implies; soft truth is not in a tally."""
    if tally.steps != "truth":
        raise TallyError(
            f"A tally with steps={tally.steps!r} holds no reference truth.",
            'make the tally with steps="truth".',
        )
    if not tally.is_counts:
        raise TallyError(
            "A tally by score has lost the truth of the items, which a reference truth needs.",
            "pass (y_true, y_score), or a TruthTally.",
        )
    masses = np.array([[tally.total_up, 0], [0, tally.total_right]], dtype=np.int64)
    present = masses.any(axis=0)
    return TruthTally(tally, Tally(np.array([1.0, 0.0])[present], *masses[:, present]))


def tally_by_truth(truth: AnyArray, weights: FloatArray | None, unit: float = 1.0) -> Tally:
    """Add the masses of soft truth by the truth itself; the weights are in multiples of `unit`."""
    if weights is not None:
        return tally_of_masses(truth, weights, truth.astype(np.float64), unit=unit)
    ordered = sorted_scores(truth)[::-1]
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    if first.all():  # each row is one item: its moments follow from its masses
        return Tally(ordered, ordered, 1 - ordered)
    starts = np.flatnonzero(first)
    f, count = ordered[starts], np.diff(starts, append=len(ordered))
    moments = (count, count * f**2, count * f * (1 - f), count * (1 - f) ** 2)
    return Tally(
        f, count * f, count * (1 - f), stored=dict(zip(ITEM_COLUMNS, moments, strict=True))
    )
