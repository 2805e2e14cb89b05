"""Several models on the same rows: one panel of items, and each model's order of them.

A panel sorts each model's scores once. What an item adds to a statistic, ψ, is computed in that
order and stored by item, so that covariances are sums over items: O(k·n log n) for k models, and
never a matrix of positives by negatives (Sun & Xu 2014).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
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
    collecting,
    warn,
)
from rocwalk.inference.influence import Influence
from rocwalk.inference.items import (
    Evidence,
    Items,
    check_votes,
    cluster_codes,
    numbers_without,
)
from rocwalk.inference.jackknife import centred, deletions
from rocwalk.inference.resampling import (
    Plan,
    areas_together,
    drawn_counts,
    item_number,
    run_blocks,
    summed,
    tally_of,
)
from rocwalk.read.arrays import Sample, as_array, as_labels, check
from rocwalk.statistic import OfItems, Statistic
from rocwalk.tally.tally import Tally
from rocwalk.tally.threads import side_by_side
from rocwalk.texts import kind_of
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, IntArray, MassArray

Name = Hashable
T = TypeVar("T")


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
        return np.repeat(values, self._counts)

    @cached_property
    def _counts(self) -> IntArray:
        """The number of items of each distinct score."""
        starts = np.zeros(0, dtype=np.int64) if self.starts is None else self.starts
        return counts_from(starts, len(self.order))

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


def counts_from(starts: IntArray, rows: int) -> IntArray:
    """Return how many of the rows there are from each start to the next."""
    counts = np.empty(len(starts), dtype=np.int64)
    np.subtract(starts[1:], starts[:-1], out=counts[:-1])
    counts[-1:] = rows - starts[-1:]
    return counts


def model_of(sample: Sample, up: MassArray, right: MassArray) -> Model:
    """Tally the masses of the items of a model in the order of its scores.

    Booleans `up` are hard labels of mass 1; `right` is then not needed.
    """
    scores, (order, ordered) = sample.scores, sample.order
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
    if climbs.dtype.kind == "b":
        ups = np.add.reduceat(items.up, starts)
        tally = Tally(ordered[starts], ups, counts_from(starts, len(ordered)) - ups)
    else:
        tally = items.coarsened(starts)
    return Model(scores, order, starts, items, tally)


@dataclass(frozen=True, eq=False)
class Panel:
    """The truth and weights of the items, in the order of the data, and the models' scores.

    `votes` are the numbers of votes behind each item's truth, where they are to be drawn again.
    """

    names: tuple[Name, ...]
    models: tuple[Model, ...]
    truth: AnyArray
    weights: FloatArray | None = None
    cluster: IntArray | None = None
    votes: IntArray | None = None

    def __len__(self) -> int:
        return len(self.truth)

    @cached_property
    def even_weight(self) -> float | None:
        """The one weight of all items if labels are hard and weights constant, or None."""
        return Evidence(self.models[0].tally).even_weight

    @cached_property
    def positive(self) -> BoolArray:
        """Which items have positive mass; for hard labels, which are positive."""
        return np.asarray(self.truth > 0)

    @property
    def units(self) -> int:
        """How many units are drawn: clusters, or items where there are none."""
        return len(self) if self.cluster is None else int(self.cluster.max()) + 1

    def items(self, k: int) -> Items:
        """Return the items with the scores of one model."""
        return Items.from_truth(self.truth, self.weights, self.models[k].scores, self.cluster)

    def evidence(self, k: int) -> Evidence:
        """Return the evidence of one model alone."""
        return Evidence(self.models[k].tally, self.items(k))

    def by_unit(self, values: FloatArray) -> FloatArray:
        """Return the sums of each row of values over the units."""
        if self.cluster is None:
            return values
        return np.stack([np.bincount(self.cluster, row, self.units) for row in values])


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a covariance, factor · Σ x·xᵀ over units; `values` has one row a model."""

    factor: float
    values: FloatArray

    @cached_property
    def covariance(self) -> FloatArray:
        """The matrix, one row and one column a model."""
        matrix: FloatArray = self.factor * (self.values @ self.values.T)
        return matrix

    def of_difference(self, a: int, b: int) -> float:
        """Return what the part adds to the variance of the difference a − b.

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

    return of_models(work, len(panel.models), len(panel), threads), psi


def item_psi_of(
    panel: Panel,
    statistic: Statistic,
    psi_of_items: Callable[[Items], FloatArray],
    threads: int | None = None,
) -> tuple[list[float], FloatArray]:
    """Return the same of a number that needs the soft truth of each item."""
    psi = np.empty((len(panel.models), len(panel)))

    def work(k: int) -> float:
        items = panel.items(k)
        estimate = item_number(statistic, items)
        psi[k] = psi_of_items(items)
        return estimate

    return of_models(work, len(panel.models), len(panel), threads), psi


_MANY = 2**17  # rows from which threads pay


def of_models(work: Callable[[int], T], models: int, rows: int, threads: int | None) -> list[T]:
    """Return the work done for each model; on several threads where there are many rows."""
    return list(side_by_side(work, range(models), threads if rows >= _MANY else 1))


def parts_of(panel: Panel, psi: FloatArray) -> tuple[Part, ...]:
    """Return the parts whose sum is the covariance of statistics with these ψ.

    * Hard labels of one weight: n⁺/(n⁺−1)·Σ⁺ψψᵀ + n⁻/(n⁻−1)·Σ⁻ψψᵀ (DeLong et al. 1988), the
      positives first.
    * Soft truth or weights: Σψψᵀ over items; over clusters n/(n−1)·Σψψᵀ of their sums.
    * Clusters of hard labels (Obuchowski 1997): with d and h the sums of ψ over a cluster's
      positives and negatives, and I, I⁺, I⁻ the numbers of clusters, of those with positives and of
      those with negatives, I⁺/(I⁺−1)·Σddᵀ + I⁻/(I⁻−1)·Σhhᵀ + I/(I−1)·Σ(dhᵀ + hdᵀ), where
      dhᵀ + hdᵀ is written as squares: (d+h)(d+h)ᵀ − ddᵀ − hhᵀ.
    """

    def bessel(n: int) -> float:
        return n / (n - 1)

    whole = 1.0 if panel.cluster is None else bessel(panel.units)
    if panel.even_weight is None:
        return (Part(whole, panel.by_unit(psi)),)
    sides = (panel.positive, ~panel.positive)
    if panel.cluster is None:
        rows = [np.flatnonzero(inside) for inside in sides]
        return tuple(Part(bessel(len(each)), psi.take(each, axis=1)) for each in rows)
    sums = [panel.by_unit(psi * inside) for inside in sides]
    held = [
        int(np.count_nonzero(panel.by_unit(inside[None].astype(np.float64)))) for inside in sides
    ]
    for name, count in zip(("positive", "negative"), held, strict=True):
        if count < 2:
            raise OneClassError(
                f"Fewer than two clusters hold a {name} item, so the variance between clusters is "
                "undefined.",
                "clusters are units such as patients or days, several of them in each class.",
            )
    parts = [Part(bessel(count) - whole, each) for count, each in zip(held, sums, strict=True)]
    return (*parts, Part(whole, sums[0] + sums[1]))


def jackknife_parts(panel: Panel, influence: Callable[[Tally], Influence]) -> tuple[Part, ...]:
    """Return the covariance of the numbers without each of K clusters in turn, times K − 1."""
    falls = [
        deletions(panel.items(k), influence(model.tally)) for k, model in enumerate(panel.models)
    ]
    return (Part(1 - 1 / panel.units, np.stack(falls)),)


def item_jackknife_parts(panel: Panel, own: OfItems) -> tuple[Part, ...]:
    """Return the same of a number that needs the soft truth of each item."""
    falls = [-centred(numbers_without(own, panel.items(k))) for k in range(len(panel.models))]
    return (Part(1 - 1 / panel.units, np.stack(falls)),)


def panel_from(
    y_true: ArrayLike,
    scores: Any,
    cluster: ArrayLike = None,
    votes: ArrayLike = None,
    *,
    threads: int | None = None,
    **options: Any,
) -> Panel:
    """Return the panel of labels and a dict of scores; options as in `check`."""
    refuse_no_models(y_true, scores)
    samples = samples_of(y_true, scores, **options)
    codes = None if cluster is None else cluster_codes(cluster, samples[0])
    counts = None if votes is None else check_votes(votes, samples[0])
    return panel_of(dict(zip(scores, samples, strict=True)), codes, counts, threads=threads)


def panel_of(
    samples: Mapping[Name, Sample],
    cluster: IntArray | None = None,
    votes: IntArray | None = None,
    *,
    threads: int | None = None,
) -> Panel:
    """Return the panel of checked samples of the same rows, with the cluster of each row."""
    checked = list(samples.values())
    first = checked[0]
    if first.is_counts:
        up: MassArray = first.truth.astype(bool)
        right: MassArray = ~up
    else:
        items = Items.from_truth(first.truth, first.weights, first.scores)
        up, right = items.up, items.right

    def work(k: int) -> Model:
        return model_of(checked[k], up, right)

    models = of_models(work, len(checked), len(up), threads)
    return Panel(tuple(samples), tuple(models), first.truth, first.weights, cluster, votes)


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
            f"scores is {kind_of(scores)}.",
            "pass a dataframe, or a dict with the scores of each model, such as "
            '{"a": scores_a, "b": scores_b}.',
        )
    if len(scores) < 2:
        raise InputError(
            f"There are the scores of {len(scores)} model{'s' * (len(scores) != 1)} only.",
            "a comparison needs two models or more, by name, on the same rows.",
        )


def samples_of(
    y_true: ArrayLike,
    scores: Mapping[Name, ArrayLike],
    *,
    sample_weight: ArrayLike = None,
    invalid: str = "raise",
    **options: Any,
) -> list[Sample]:
    """Check every model's column against the labels; what one cannot use is dropped for all."""
    labels = as_labels(y_true)
    weights = None if sample_weight is None else as_array(sample_weight, "sample_weight")
    columns = {name: as_array(one, f"scores[{name!r}]") for name, one in scores.items()}
    length, kept = len(labels), None
    if invalid == "drop":
        with collecting(RocwalkWarning):  # given once, below
            samples = [_checked(n, labels, c, weights, "drop", options) for n, c in columns.items()]
        lost = np.unique(np.concatenate([sample.dropped for sample in samples]))
        if len(lost) == length:
            raise InputError(
                "No row has a usable label, weight and score of every model.",
                "compare models on rows that all of them score.",
            )
        if len(lost):
            why = "a label, weight or some model's score was missing or not usable"
            warn(DroppedRowsWarning(length, lost.tolist(), because=why, scope=" for all models"))
            kept = np.setdiff1d(np.arange(length), lost)
            labels, weights = labels[kept], None if weights is None else weights[kept]
            columns = {name: column[kept] for name, column in columns.items()}
    samples = [_checked(n, labels, c, weights, invalid, options) for n, c in columns.items()]
    if kept is None:
        return samples
    return [
        replace(one, rows=kept if one.rows is None else kept[one.rows], length=length)
        for one in samples
    ]


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
        called = f"scores[{name!r}]"
        raise error.at(names={"y_score": called, "y_prob": called}) from None


def model_replicates(
    panel: Panel, statistic: Statistic, plan: Plan, *, stratified: bool
) -> FloatArray:
    """Return the statistic of every model in every replicate: one row a replicate.

    All models of a replicate have the same items, drawn once. A replicate that lacks a class is
    NaN.
    """

    def draw(rng: np.random.Generator, times: int) -> IntArray:
        """Return how often each item is drawn; one row a replicate."""
        if not stratified:
            counts = drawn_counts(rng, panel.units, times, panel.units)
            return counts if panel.cluster is None else counts[:, panel.cluster]
        counts = np.empty((times, len(panel)), dtype=np.int64)
        for inside in (panel.positive, ~panel.positive):
            n = int(np.count_nonzero(inside))
            counts[:, inside] = drawn_counts(rng, n, times, n)
        return counts

    def values_of(model: Model, counts: IntArray) -> FloatArray:
        drawn = counts[:, model.order]
        up, right = (model.by_row(drawn * mass) for mass in (model.items.up, model.items.right))
        both = (up.sum(axis=1) > 0) & (right.sum(axis=1) > 0)
        values = np.full(len(counts), np.nan)
        if statistic.together is not None:
            values[both] = statistic.together(model.tally.scores, up[both], right[both])
        else:
            values[both] = [
                statistic.of(tally_of(model.tally, *masses))
                for masses in zip(up[both], right[both], strict=True)
            ]
        return values

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        counts = draw(rng, times)
        return np.stack([values_of(model, counts) for model in panel.models], axis=1)

    return run_blocks(plan, 2 * len(panel), work)


def exchanged_differences(panel: Panel, a: int, b: int, plan: Plan) -> FloatArray:
    """Return the differences of AUC when units exchange the mid-ranks of two models at random.

    Under the null hypothesis the two ranks of an item may be exchanged (Bandos, Rockette & Gur
    2005). A cluster exchanges all of its ranks or none.
    """
    ranks = np.stack([panel.models[a].mid_ranks, panel.models[b].mid_ranks])
    values, codes = np.unique(ranks, return_inverse=True)
    one, other = codes.reshape(ranks.shape)
    items = panel.items(a)

    def area(places: IntArray) -> FloatArray:
        up, right = (
            summed(np.broadcast_to(mass, places.shape), places, len(values))
            for mass in (items.up, items.right)
        )
        return areas_together(np.empty(0), up, right)

    def work(rng: np.random.Generator, times: int) -> FloatArray:
        swap = rng.integers(0, 2, (times, panel.units), dtype=np.int8).astype(bool)
        swap = swap if panel.cluster is None else swap[:, panel.cluster]
        return area(np.where(swap, other, one)) - area(np.where(swap, one, other))

    return run_blocks(plan, 4 * len(panel), work)
