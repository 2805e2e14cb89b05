"""What some work warns of, kept as notes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeVar

from rocwalk.errors import RocwalkWarning

_T = TypeVar("_T")


def noted(work: Callable[[], _T]) -> tuple[_T, list[str]]:
    """Return what some work returns, and what it warns of, without the hints to programmers."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RocwalkWarning)
        found = work()
    notes = []
    for each in caught:
        if isinstance(each.message, RocwalkWarning):
            notes.append(str(each.message).partition(" Hint: ")[0])
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return found, list(dict.fromkeys(notes))
