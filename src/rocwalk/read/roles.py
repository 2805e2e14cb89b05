"""What is asked of a table: the columns by what they are for, and how they are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rocwalk.read.frames import Name

LIMIT = 2**20  # the most rows of exact tallies together, unless said otherwise
BUCKETS = 2**16  # about so many where there are more, before any refining


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The columns of the table by what they are for."""

    scores: tuple[Name, ...]
    label: Name | None
    raters: tuple[Name, ...]
    weight: Name | None
    groups: tuple[Name, ...]

    @property
    def names(self) -> list[Name]:
        """The names of all columns that are needed."""
        single = [name for name in (self.label, self.weight) if name is not None]
        return list(dict.fromkeys([*self.scores, *self.raters, *self.groups, *single]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How labels are read, and how fine the tallies are."""

    pos_label: Any = None
    truth: str = "auto"
    invalid: str = "raise"
    needs_probabilities: bool = False
    limit: int = LIMIT
    buckets: int = BUCKETS
    tolerance: float | None = None
