"""Several models on the same rows: one panel of items, and each model's order of them (SPEC §9).

A panel sorts each model's scores once. What an item adds to a statistic, ψ, is worked out in that
order and put back to the item, so that covariances are plain sums over items: O(k·n log n) for k
models, and never a matrix of positives by negatives.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from rocwalk.errors import (
    OneClassError,
)
from rocwalk.typing import AnyArray, BoolArray, FloatArray, IntArray, MassArray
from rocwalk.uncertainty.evidence import Evidence, Items
from rocwalk.uncertainty.influence import Influence
from rocwalk.walk.order import descending_order
from rocwalk.walk.tally import Tally

Name = Hashable
T = TypeVar("T")
_MANY = 2**17  # rows from which threads pay


# -- the panel -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Model:
    """One model: the items in order of decreasing score, and where each distinct score begins.

    `items` has one row an item, `tally` one row a distinct score; `starts` is None without ties.
    """

    scores: FloatArray
    order: IntArray
    starts: IntArray | None
    items: Tally
    tally: Tally

    def by_row(self, values: AnyArray) -> AnyArray:
        """Return values of items, given in the model's order, summed by distinct score."""
        return values if self.starts is None else np.add.reduceat(values, self.starts, axis=-1)

    def by_item(self, values: AnyArray) -> AnyArray:
        """Return values of distinct scores repeated for each item, in the model's order."""
        if self.starts is None:
            return values
        return np.repeat(values, np.diff(self.starts, append=len(self.order)))

    def psi(self, influence: Influence, out: FloatArray) -> None:
        """Write ψ of each item, in the order of the data: u·up + r·right of its score."""
        up, right = self.by_item(influence.up), self.by_item(influence.right)
        if self.items.is_counts:
            out[self.order] = np.where(self.items.up, up, right)
        else:
            out[self.order] = self.items.up * up + self.items.right * right

    @cached_property
    def mid_ranks(self) -> IntArray:
        """Twice the mid-rank of each item, counted from the highest score."""
        starts = np.arange(len(self.order)) if self.starts is None else self.starts
        ranks = np.empty(len(self.order), dtype=np.int64)
        ranks[self.order] = self.by_item(starts + np.append(starts[1:], len(ranks)) - 1)
        return ranks


def model_of(scores: FloatArray, up: MassArray, right: MassArray) -> Model:
    """Sort the scores of a model and tally the masses of the items.

    Booleans `up` are hard labels of mass 1; `right` is then not needed.
    """
    order, ordered = descending_order(scores)
    ordered += 0.0  # -0.0 + 0.0 is 0.0
    climbs = up[order]
    if climbs.dtype.kind == "b":
        items = Tally(ordered, climbs.astype(np.int64), (~climbs).astype(np.int64))
    else:
        items = Tally(ordered, climbs, right[order])
    first = np.ones(len(ordered), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    if first.all():
        return Model(scores, order, None, items, items)
    starts = np.flatnonzero(first)
    return Model(scores, order, starts, items, _by_score(items, climbs, starts))


def _by_score(items: Tally, climbs: AnyArray, starts: IntArray) -> Tally:
    """Add up the items that share a score; labels are counted."""
    if climbs.dtype.kind != "b":
        return items.coarsened(starts)
    up = np.add.reduceat(items.up, starts)
    return Tally(items.scores[starts], up, np.diff(starts, append=len(climbs)) - up)


@dataclass(frozen=True, eq=False)
class Panel:
    """The masses of the items, in the order of the data, and the models that score them.

    Masses that are all 0 or 1 are booleans.
    """

    names: tuple[Name, ...]
    models: tuple[Model, ...]
    up: MassArray
    right: MassArray
    cluster: IntArray | None = None

    def __len__(self) -> int:
        return len(self.up)

    @cached_property
    def even_weight(self) -> float | None:
        """The one weight of all items if labels are hard and weights constant, or None."""
        return Evidence(self.models[0].tally).even_weight

    @cached_property
    def positive(self) -> BoolArray:
        """Which items have positive mass; for hard labels, which are positive."""
        return np.asarray(self.up > 0)

    @property
    def units(self) -> int:
        """How many units are drawn: clusters, or items where there are none."""
        return len(self) if self.cluster is None else int(self.cluster.max()) + 1

    def evidence(self, k: int) -> Evidence:
        """Return the evidence of one model alone."""
        model = self.models[k]
        up, right = self.up.astype(np.float64), self.right.astype(np.float64)
        return Evidence(model.tally, Items(up, right, model.scores, self.cluster))

    def by_unit(self, values: FloatArray) -> FloatArray:
        """Return the sums of each row of values over the units."""
        if self.cluster is None:
            return values
        return np.stack([np.bincount(self.cluster, row, self.units) for row in values])


# -- covariances ---------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a covariance, factor · Σ x·xᵀ over units; `values` has one row a model."""

    factor: float
    values: FloatArray

    @property
    def covariance(self) -> FloatArray:
        """The matrix, one row and one column a model."""
        matrix: FloatArray = self.factor * (self.values @ self.values.T)
        return matrix

    def of_difference(self, a: int, b: int) -> float:
        """Return what the part adds to the variance of model a less model b.

        Summed from the differences, so that equal models give 0 and like ones lose no digits.
        """
        gap = self.values[a] - self.values[b]
        gap *= gap
        return self.factor * float(gap.sum())


def psi_of(
    panel: Panel, influence: Callable[[Tally], Influence], threads: int | None = None
) -> tuple[list[float], FloatArray]:
    """Return the estimates of the models, and ψ of every item in each: one row a model."""
    psi = np.empty((len(panel.models), len(panel)))

    def work(k: int) -> float:
        found = influence(panel.models[k].tally)
        panel.models[k].psi(found, psi[k])
        return found.estimate

    return side_by_side(work, range(len(panel.models)), len(panel), threads), psi


def side_by_side(
    work: Callable[[int], T], places: Sequence[int], rows: int, threads: int | None
) -> list[T]:
    """Return the work done for each place; on several threads where there are many rows."""
    workers = min(threads or os.cpu_count() or 1, len(places))
    if rows < _MANY or workers == 1:
        return [work(place) for place in places]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, places))


def parts_of(panel: Panel, psi: FloatArray) -> tuple[Part, ...]:
    """Return the parts whose sum is the covariance of statistics with these ψ.

    * Hard labels of one weight: n⁺/(n⁺−1)·Σ⁺ψψᵀ + n⁻/(n⁻−1)·Σ⁻ψψᵀ (DeLong et al. 1988), the
      positives first.
    * Soft truth or weights: Σψψᵀ over items; over clusters n/(n−1)·Σψψᵀ of their sums.
    * Clusters of hard labels: Obuchowski (1997), see `_clusters_of_both`.
    """
    if panel.even_weight is not None:
        return _of_classes(panel, psi) if panel.cluster is None else _clusters_of_both(panel, psi)
    factor = 1.0 if panel.cluster is None else less_one(panel.units)
    return (Part(factor, panel.by_unit(psi)),)


def less_one(n: int) -> float:
    """Return n / (n − 1)."""
    return n / (n - 1)


def _of_classes(panel: Panel, psi: FloatArray) -> tuple[Part, ...]:
    sides = [np.flatnonzero(panel.positive), np.flatnonzero(~panel.positive)]
    return tuple(Part(less_one(len(rows)), psi.take(rows, axis=1)) for rows in sides)


def _clusters_of_both(panel: Panel, psi: FloatArray) -> tuple[Part, ...]:
    """Return Obuchowski's parts, written as squares.

    With d and h the sums of ψ over a cluster's positives and negatives, and I, I⁺, I⁻ the numbers
    of clusters, of those with positives and of those with negatives, the covariance is
    I⁺/(I⁺−1)·Σddᵀ + I⁻/(I⁻−1)·Σhhᵀ + I/(I−1)·Σ(dhᵀ + hdᵀ), and dhᵀ + hdᵀ is
    (d+h)(d+h)ᵀ − ddᵀ − hhᵀ.
    """
    whole, sides = less_one(panel.units), (panel.positive, ~panel.positive)
    sums = [panel.by_unit(psi * inside) for inside in sides]
    held = [
        int(np.count_nonzero(panel.by_unit(inside[None].astype(np.float64)))) for inside in sides
    ]
    refuse_few_clusters(held)
    parts = [Part(less_one(count) - whole, each) for count, each in zip(held, sums, strict=True)]
    return (*parts, Part(whole, sums[0] + sums[1]))


def refuse_few_clusters(held: Sequence[int]) -> None:
    """Raise unless two clusters at least hold a positive, and two a negative."""
    for name, count in zip(("positive", "negative"), held, strict=True):
        if count < 2:
            raise OneClassError(
                f"Fewer than two clusters hold a {name} item, so nothing can be said of the "
                "spread between clusters.",
                "clusters are units such as patients or days, several of them in each class.",
            )
