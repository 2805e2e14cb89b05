"""The data of an inference: a tally, and the items behind it where they are needed.

A tally of hard labels without weights suffices. Soft truth, weights, clusters and paired models
need the items, because a tally does not know which masses belong to one item, to one cluster or to
one row of two models.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.errors import (
    Argument,
    InputError,
    LabelError,
    OneClassError,
    Option,
    OptionError,
    TallyError,
)
from rocwalk.read.arrays import Sample, as_array, as_floats
from rocwalk.read.labels import missing_labels
from rocwalk.statistic import OfItems, Statistic
from rocwalk.tally.order import Order, descending_order
from rocwalk.tally.tally import Tally, refuse_other_scores
from rocwalk.typing import AnyArray, ArrayLike, BoolArray, FloatArray, IntArray

EVEN = 1e-9  # weights that differ by less, relatively, are constant


@dataclass(frozen=True, eq=False)
class Items:
    """Masses and scores item by item, and the cluster of each as a number, or None.

    `order` is the order of the scores where it is known already.
    """

    up: FloatArray
    right: FloatArray
    scores: FloatArray
    cluster: IntArray | None = None
    order: Order | None = None

    @classmethod
    def from_truth(
        cls,
        truth: AnyArray,
        weights: FloatArray | None,
        scores: FloatArray,
        cluster: IntArray | None = None,
        order: Order | None = None,
    ) -> Items:
        """Return the items of labels or soft truth: masses w·y and w − w·y, with w = 1 by default.

        `cluster` numbers the cluster of each item from 0, as `cluster_codes` does.
        """
        weight = 1.0 if weights is None else weights
        up = weight * truth.astype(np.float64)
        return cls(up, weight - up, scores, cluster, order)

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def clusters(self) -> int:
        """The number of units that are drawn: clusters, or items where there are none."""
        return len(self) if self.cluster is None else int(self.cluster.max()) + 1

    def taken(self, which: BoolArray) -> Items:
        """Return some of the items, without their clusters."""
        return Items(self.up[which], self.right[which], self.scores[which])

    def by_unit(self, values: FloatArray) -> FloatArray:
        """Return the sums of values over the units: over clusters, or the values themselves."""
        if self.cluster is None:
            return values
        return np.bincount(self.cluster, values, self.clusters).astype(np.float64, copy=False)

    @property
    def weight(self) -> FloatArray:
        """The mass of each item."""
        return self.up + self.right

    @property
    def truth(self) -> FloatArray:
        """The share of positive mass in each item."""
        return self.up / self.weight

    @cached_property
    def rows(self) -> IntArray:
        """The row of each item in the tally: its place among the distinct scores, from above."""
        order, ordered = descending_order(self.scores) if self.order is None else self.order
        starts = np.append(False, ordered[1:] != ordered[:-1])
        rows = np.empty(len(order), dtype=np.int64)
        rows[order] = np.cumsum(starts)
        return rows


@dataclass(frozen=True, eq=False)
class Evidence:
    """A tally, and the items it was made of if they are at hand."""

    tally: Tally
    items: Items | None = None

    @property
    def cluster(self) -> IntArray | None:
        """The cluster of each item, or None."""
        return None if self.items is None else self.items.cluster

    @property
    def units(self) -> int:
        """The number of independent units: clusters, or items where there are none."""
        if self.items is None or self.items.cluster is None:
            return self.tally.total_count
        return self.items.clusters

    @property
    def is_counts(self) -> bool:
        """Whether each unit that is drawn is one positive or one negative of mass 1."""
        return self.tally.is_counts and self.cluster is None

    @cached_property
    def is_soft(self) -> bool:
        """Whether some item is neither wholly positive nor wholly negative."""
        return not self.tally.is_counts and bool(np.any(self.tally.up_right))

    @cached_property
    def even_weight(self) -> float | None:
        """The one weight of all items if the labels are hard and the weights constant, or None."""
        tally = self.tally
        if tally.is_counts:
            return 1.0
        up, right = tally.up, tally.right
        if not (up.sum() > 0 and right.sum() > 0):
            return None
        weight = float(tally.up_squared.sum() / up.sum())
        even = np.allclose(tally.up_squared, weight * up, rtol=EVEN, atol=0.0)
        even = even and np.allclose(tally.right_squared, weight * right, rtol=EVEN, atol=0.0)
        even = even and np.allclose(up + right, weight * tally.count, rtol=EVEN, atol=0.0)
        return weight if even and not np.any(tally.up_right) else None

    @cached_property
    def weighs_alike(self) -> bool:
        """Whether all items weigh the same, be their truth hard or soft."""
        tally = self.tally
        if tally.is_counts:
            return True
        mass = tally.up + tally.right
        squares = tally.up_squared + 2 * tally.up_right + tally.right_squared
        weight = float(squares.sum() / mass.sum())
        even = np.allclose(squares, weight * mass, rtol=EVEN, atol=0.0)
        return even and np.allclose(mass, weight * tally.count, rtol=EVEN, atol=0.0)

    @property
    def class_counts(self) -> tuple[float, float]:
        """The numbers of positives and negatives of hard labels of one weight."""
        weight = self.even_weight or 1.0
        return float(self.tally.total_up) / weight, float(self.tally.total_right) / weight

    @cached_property
    def effective_sizes(self) -> tuple[float, float]:
        """The numbers of units of each class: clusters, or (Σu)²/Σu² items (Kish 1965).

        0 of a class without mass.
        """
        if self.items is not None and self.items.cluster is not None:
            units = [
                np.count_nonzero(self.items.by_unit(mass))
                for mass in (self.items.up, self.items.right)
            ]
            return float(units[0]), float(units[1])
        tally = self.tally
        positives, negatives = (
            float(total) ** 2 / float(squares.sum()) if total > 0 else 0.0
            for total, squares in (
                (tally.total_up, tally.up_squared),
                (tally.total_right, tally.right_squared),
            )
        )
        return positives, negatives

    @property
    def mass_degrees(self) -> float:
        """The degrees of freedom of soft or weighted items: the least that Welch's can be.

        That is the effective number of the smaller class minus one, and at least 1.
        """
        return max(min(self.effective_sizes) - 1.0, 1.0)

    def need_items(self, purpose: str) -> Items:
        """Return the items; raise if there is only a tally."""
        if self.items is None:
            raise TallyError(
                f"{purpose} needs the items, and a tally of masses does not tell them apart.",
                "pass (y_true, y_score) instead of a Tally.",
            )
        return self.items


def counted(evidence: Evidence) -> Evidence:
    """Return hard labels of one weight as counts, which is how they are resampled."""
    weight, tally = evidence.even_weight, evidence.tally
    if tally.is_counts or weight is None or evidence.cluster is not None:
        return evidence
    return Evidence(counts_of(tally, weight))


def counts_of(tally: Tally, weight: float) -> Tally:
    """Return a tally of hard labels that all have the same weight with this weight as 1."""
    up, right = (np.rint(mass / weight).astype(np.int64) for mass in (tally.up, tally.right))
    return Tally(tally.scores, up, right, tally.steps, tally.threshold)


def check_statistic(statistic: Statistic, tally: Tally) -> None:
    """Raise if the statistic has no interval on these scores.

    It needs probabilities and the scores are not within [0, 1], or it is infinite; a ratio of
    masses that is infinite has Wilson's interval of its share.
    """
    if statistic.needs_probabilities:
        refuse_other_scores(tally)
    has_errors = statistic.is_registered and statistic.is_ratio and not statistic.is_odds
    if has_errors and not tally.is_bucketed and math.isinf(statistic.of(tally)):
        raise InputError(
            f"The {statistic.words} is infinite: a score of exactly 0 or 1 is wrong. It has no "
            "interval.",
            "check such scores; or bound them first, as in numpy.clip(p, 1e-6, 1 - 1e-6), and say "
            "so with the result.",
        )


def item_form(statistic: Statistic, evidence: Evidence) -> OfItems | None:
    """Return the form of a statistic that takes the soft truth of each item, where it is needed.

    None for hard labels, and for a number of the tally alone.
    """
    return statistic.of_items if statistic.of_items is not None and evidence.is_soft else None


def numbers_without(own: OfItems, items: Items) -> FloatArray:
    """Return the number of the items without each unit in turn, or raise where one has none."""
    if own.without is None:
        units = np.arange(len(items)) if items.cluster is None else items.cluster
        found = np.array([own.of(items.taken(units != k)) for k in range(items.clusters)])
    else:
        found = own.without(items)
    if np.isnan(found).any():
        raise OneClassError(
            "Without one of the clusters the number does not exist, so it has no jackknife.",
            "truths must differ without any one cluster; use 'bootstrap'.",
        )
    return found


def few_units(evidence: Evidence) -> str | None:
    """Say which classes have fewer than two units; None if both have two.

    Soft or weighted items need some mass of each class, and two items.
    """
    tally = evidence.tally
    if evidence.even_weight is None:
        masses = (tally.total_up, tally.total_right)
        is_few = [not mass > 0 for mass in masses] if tally.total_count > 1 else [True, False]
    else:
        is_clustered = evidence.cluster is not None
        sizes = evidence.effective_sizes if is_clustered else evidence.class_counts
        is_few = [size < 2 for size in sizes]
    few = [name for name, is_one in zip(("positive", "negative"), is_few, strict=True) if is_one]
    units = "items" if evidence.cluster is None else "clusters"
    return f"fewer than two {' and '.join(few)} {units}" if few else None


def refuse_few(evidence: Evidence) -> None:
    """Raise unless there are at least two units of each class."""
    few = few_units(evidence)
    if few is not None:
        units = "items" if evidence.cluster is None else "clusters"
        raise OneClassError(
            f"has {few}, so the standard error is undefined.",
            f"an interval needs at least two {units} of each class.",
            subject="The sample",
        )


def evidence_from(data: Sample | Tally, cluster: ArrayLike = None) -> Evidence:
    """Return the evidence of checked data or of a tally."""
    if isinstance(data, Tally):
        if cluster is not None:
            raise TallyError(
                "Clusters need the items, and a tally does not tell them apart.",
                ("pass (y_true, y_score) with ", Option("cluster"), "."),
            )
        return Evidence(data)
    codes = None if cluster is None else cluster_codes(cluster, data)
    return Evidence(data.tally(), Items.from_truth(data.truth, data.weights, data.scores, codes))


def cluster_codes(cluster: ArrayLike, data: Sample) -> IntArray:
    """Return the cluster of each kept row as numbers from 0."""
    column = as_array(cluster, "cluster")
    if len(column) != data.length:
        raise InputError(
            f"The lengths differ: cluster has {len(column):,} rows, y_true {data.length:,}.",
            "name the cluster (patient, day, …) of every row.",
        )
    kept = column if data.rows is None else column[data.rows]
    lost = np.flatnonzero(missing_labels(kept))
    if len(lost):
        row = lost[0] if data.rows is None else data.rows[lost[0]]
        raise InputError(
            "is missing (NaN or null).",
            "name the cluster (patient, day, …) of every row, or leave such rows out first.",
            argument="cluster",
            row=int(row),
        )
    return codes_of(kept)


def codes_of(column: AnyArray) -> IntArray:
    """Return the clusters as numbers from 0; raise unless there are at least two."""
    try:
        names, codes = np.unique(column, return_inverse=True)
    except TypeError:
        names, codes = np.unique(column.astype(str), return_inverse=True)
    if len(names) < 2:
        raise InputError(
            "All rows belong to one cluster, so nothing can be resampled.",
            "cluster names units such as patients or days; leave it out if rows are independent.",
        )
    return codes.astype(np.int64).reshape(-1)


def check_votes(votes: ArrayLike, data: Sample | Tally) -> IntArray:
    """Return the number of votes behind the truth of each kept row, or raise."""
    if isinstance(data, Tally):
        hint = "pass (y_true, y_score)."
        raise OptionError("needs the items, not a Tally.", hint, option="votes")
    column = as_floats(as_array(votes, "votes"), "votes", InputError)
    if len(column) != data.length:
        raise InputError(
            f"The lengths differ: votes has {len(column):,} rows, y_true {data.length:,}.",
            "pass the number of votes of every row.",
        )
    rows = np.arange(data.length) if data.rows is None else data.rows
    counts = column[rows]
    wrong = np.flatnonzero(~((counts >= 1) & (counts == np.round(counts))))
    if len(wrong):
        k = wrong[0]
        raise InputError(
            f"is {counts[k]:g}, not a number of votes.",
            "every item needs at least one vote.",
            argument="votes",
            row=int(rows[k]),
        )
    positive = counts * data.truth
    split = np.flatnonzero(np.abs(positive - np.round(positive)) > 1e-6 * counts)
    if len(split):
        k = split[0]
        raise LabelError(
            f"is {float(data.truth[k]):g}, which is not a share of {counts[k]:g} votes.",
            (
                "with ",
                Option("votes"),
                ", ",
                Argument("y_true"),
                " is the share of positive votes.",
            ),
            argument="y_true",
            row=int(rows[k]),
        )
    return counts.astype(np.int64)
