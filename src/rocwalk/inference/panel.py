"""Several models on the same rows: one panel of items, and each model's order of them (SPEC §9).

A panel sorts each model's scores once. What an item adds to a statistic, ψ, is worked out in that
order and put back to the item, so that covariances are plain sums over items: O(k·n log n) for k
models, and never a matrix of positives by negatives.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from rocwalk.errors import (
    DroppedRowsWarning,
    InputError,
    OneClassError,
    RocwalkError,
    RocwalkWarning,
    TallyError,
    warn,
)
from rocwalk.inference.influence import Influence
from rocwalk.inference.items import Evidence, Items, cluster_codes
from rocwalk.inference.resampling import Plan, areas_together, drawn_counts, run_blocks, tally_of
from rocwalk.read.arrays import Sample, as_array, check
from rocwalk.statistic import Statistic
from rocwalk.tally.order import descending_order
from rocwalk.tally.tally import Tally
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, IntArray, MassArray

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


# -- from labels and columns of scores to a panel --------------------------------------------------


_NAMES_SHOWN = 5


def panel_from(
    y_true: ArrayLike,
    scores: Any,
    cluster: ArrayLike = None,
    *,
    threads: int | None = None,
    **options: Any,
) -> Panel:
    """Return the panel of labels and a dict of scores; options as in `check`."""
    refuse_no_models(y_true, scores)
    samples = _samples_of(y_true, scores, **options)
    first = samples[0]
    codes = None if cluster is None else cluster_codes(cluster, first)
    if first.is_counts:
        up: MassArray = first.truth.astype(bool)
        right: MassArray = ~up
    else:
        weight = 1.0 if first.weights is None else first.weights
        up = weight * first.truth.astype(np.float64)
        right = weight - up

    def work(k: int) -> Model:
        return model_of(samples[k].scores, up, right)

    models = side_by_side(work, range(len(samples)), len(up), threads)
    return Panel(tuple(scores), tuple(models), up, right, codes)


def refuse_no_models(y_true: Any, scores: Any) -> None:
    """Raise unless there are items and two models at least."""
    held = scores.values() if isinstance(scores, Mapping) else (scores,)
    if any(isinstance(one, Tally) for one in (y_true, *held)):
        raise TallyError(
            "A paired comparison needs the items, and a tally does not say which row of one model "
            "is which row of the other.",
            "pass y_true and a dict of scores; for separate samples use rocwalk.compare_samples.",
        )
    if not isinstance(scores, Mapping):
        raise InputError(
            f"scores is a {type(scores).__name__}.",
            "pass a dataframe, or a dict with the scores of each model, such as "
            '{"a": scores_a, "b": scores_b}.',
        )
    if len(scores) < 2:
        raise InputError(
            f"There are the scores of {len(scores)} model{'s' * (len(scores) != 1)} only.",
            "a comparison needs two models or more, by name, on the same rows.",
        )


def _samples_of(
    y_true: ArrayLike,
    scores: Mapping[Name, ArrayLike],
    *,
    sample_weight: ArrayLike = None,
    invalid: str = "raise",
    **options: Any,
) -> list[Sample]:
    """Check every model's column against the labels; what one cannot use is dropped for all."""
    labels = as_array(y_true, "y_true")
    weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
    columns = {name: as_array(one, f"scores[{name!r}]") for name, one in scores.items()}
    length, kept = len(labels), None
    if invalid == "drop":
        kept = _usable_for_all(labels, columns, weights, options)
    if kept is None:
        return [_checked(n, labels, c, weights, invalid, options) for n, c in columns.items()]
    weights = None if weights is None else weights[kept]
    samples = [
        _checked(name, labels[kept], column[kept], weights, "raise", options)
        for name, column in columns.items()
    ]
    return [
        replace(one, rows=kept if one.rows is None else kept[one.rows], length=length)
        for one in samples
    ]


def _usable_for_all(
    labels: AnyArray,
    columns: Mapping[Name, AnyArray],
    weights: AnyArray | None,
    options: Mapping[str, Any],
) -> IntArray | None:
    """Return the rows that every model can use, with one warning; None if these are all."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RocwalkWarning)
        samples = [_checked(n, labels, c, weights, "drop", options) for n, c in columns.items()]
    lost = np.unique(np.concatenate([sample.dropped for sample in samples]))
    if not len(lost):
        return None
    if len(lost) == len(labels):
        raise InputError(
            "No row has a usable label, weight and score of every model.",
            "compare models on rows that all of them score.",
        )
    first = ", ".join(str(row) for row in lost[:_NAMES_SHOWN])
    more = ", …" if len(lost) > _NAMES_SHOWN else ""
    message = (
        f"{len(lost):,} of {len(labels):,} rows were left out for all models because a label, "
        f"weight or some model's score was missing or not usable: rows {first}{more}."
    )
    warn(DroppedRowsWarning(message, tuple(lost.tolist())))
    return np.setdiff1d(np.arange(len(labels)), lost)


def _checked(
    name: Name,
    labels: AnyArray,
    column: AnyArray,
    weights: AnyArray | None,
    invalid: str,
    options: Mapping[str, Any],
) -> Sample:
    """Check one model; errors name it in place of y_score."""
    try:
        return check(labels, column, sample_weight=weights, invalid=invalid, **options)
    except RocwalkError as error:
        what = error.what.replace("y_score", f"scores[{name!r}]")
        raise type(error)(what.replace("y_prob", f"scores[{name!r}]"), error.hint) from None


# -- several models resampled together -------------------------------------------------------------


def model_replicates(
    panel: Panel, statistic: Statistic, plan: Plan, *, stratified: bool
) -> FloatArray:
    """Return the statistic of every model in every replicate: one row a replicate.

    All models of a replicate have the same items, drawn once. A replicate that lacks a class is
    NaN.
    """

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        counts = _drawn_items(panel, rng, times, stratified=stratified)
        return np.stack([_replicated(model, statistic, counts) for model in panel.models], axis=1)

    return run_blocks(plan, 2 * len(panel), work)


def _drawn_items(
    panel: Panel, rng: np.random.Generator, times: int, *, stratified: bool
) -> IntArray:
    """Return how often each item is drawn; one row a replicate, items in the order of the data."""
    if not stratified:
        counts = drawn_counts(rng, panel.units, times, panel.units)
        return counts if panel.cluster is None else counts[:, panel.cluster]
    counts = np.empty((times, len(panel)), dtype=np.int64)
    for inside in (panel.positive, ~panel.positive):
        n = int(np.count_nonzero(inside))
        counts[:, inside] = drawn_counts(rng, n, times, n)
    return counts


def _replicated(model: Model, statistic: Statistic, counts: IntArray) -> FloatArray:
    drawn = counts[:, model.order]
    up, right = (model.by_row(drawn * mass) for mass in (model.items.up, model.items.right))
    both = (up.sum(axis=1) > 0) & (right.sum(axis=1) > 0)
    values = np.full(len(counts), np.nan)
    many = statistic.together
    if many is not None:
        values[both] = many(model.tally.scores, up[both], right[both])
    else:
        values[both] = [
            statistic.of(tally_of(model.tally, *masses))
            for masses in zip(up[both], right[both], strict=True)
        ]
    return values


# -- the permutation test ------------------------------------------------------------------------


def exchanged_differences(panel: Panel, a: int, b: int, plan: Plan) -> FloatArray:
    """Return the differences of AUC when units exchange the mid-ranks of two models at random.

    Under the null hypothesis the two ranks of an item may be exchanged (Bandos, Rockette & Gur
    2005). A cluster exchanges all of its ranks or none.
    """
    ranks = np.stack([panel.models[a].mid_ranks, panel.models[b].mid_ranks])
    values, codes = np.unique(ranks, return_inverse=True)
    one, other = codes.reshape(ranks.shape)
    masses = (panel.up.astype(np.float64), panel.right.astype(np.float64))

    def area(places: IntArray) -> FloatArray:
        up, right = (_by_place(places, mass, len(values)) for mass in masses)
        return areas_together(np.empty(0), up, right)

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        swap = rng.integers(0, 2, (times, panel.units), dtype=np.int8).astype(bool)
        swap = swap if panel.cluster is None else swap[:, panel.cluster]
        return area(np.where(swap, other, one)) - area(np.where(swap, one, other))

    return run_blocks(plan, 4 * len(panel), work)


def _by_place(places: IntArray, mass: FloatArray, length: int) -> FloatArray:
    """Return the mass at each place; one row a replicate."""
    times = len(places)
    flat = (places + (np.arange(times) * length)[:, None]).ravel()
    total = np.bincount(flat, np.broadcast_to(mass, places.shape).ravel(), times * length)
    return total.reshape(times, length).astype(np.float64, copy=False)
