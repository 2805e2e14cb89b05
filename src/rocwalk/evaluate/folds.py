"""The folds of a study: the tallies that every model has with both classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rocwalk.tally.tally import Tally


@dataclass(frozen=True, eq=False)
class WholeFolds:
    """The tallies of each model in the folds that have both classes in every model.

    They are in the same order for all models, that of `names`. `lost` are the names of the other
    folds, and `lost_rows` the number of rows that they have in the first model.
    """

    tallies: Mapping[Any, list[Tally]]
    names: tuple[Any, ...]
    count: int
    lost: tuple[Any, ...]
    lost_rows: int


def whole_folds(folds: Mapping[tuple[Any, Any], Tally]) -> WholeFolds:
    """Return the folds that can be compared, from tallies by (model, fold)."""
    by_model: dict[Any, dict[Any, Tally]] = {}
    for (name, fold), tally in folds.items():
        by_model.setdefault(name, {})[fold] = tally
    first = next(iter(by_model.values()))
    every = dict.fromkeys(fold for parts in by_model.values() for fold in parts)
    whole = [
        fold
        for fold in every
        if all(fold in parts and has_both(parts[fold]) for parts in by_model.values())
    ]
    lost = tuple(fold for fold in every if fold not in whole)
    return WholeFolds(
        {name: [parts[fold] for fold in whole] for name, parts in by_model.items()},
        tuple(whole),
        len(every),
        lost,
        sum(first[fold].total_count for fold in lost if fold in first),
    )


def has_both(tally: Tally) -> bool:
    """Whether both classes have items."""
    return bool(tally.total_up > 0 and tally.total_right > 0)
