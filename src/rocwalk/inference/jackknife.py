"""The delete-one-cluster jackknife: what a number becomes when each cluster is left out in turn.

Where clusters are of very unequal size, the sums of ψ over clusters hide how much a large cluster
decides: it also moves the totals by which all others are divided. Leaving it out shows that. The
numbers without each cluster are exact and come from running sums, in O(n log n).
"""

from __future__ import annotations

import math

import numpy as np

from rocwalk.errors import OneClassError, SmallSampleWarning, warn
from rocwalk.inference.influence import Influence
from rocwalk.inference.items import Items
from rocwalk.typing import FloatArray

FEW_CLUSTERS = 10  # of equal size; of fewer no method keeps its level


def deletions(items: Items, influence: Influence) -> FloatArray:
    """Return by how much a number falls when each cluster is left out, θ − θ₍ₖ₎, minus the mean."""
    return centred(falls(items, influence))


def centred(values: FloatArray) -> FloatArray:
    """Return values minus their mean."""
    around: FloatArray = values - values.mean()
    return around


def falls(items: Items, influence: Influence) -> FloatArray:
    """Return by how much a number falls when each cluster is left out, θ − θ₍ₖ₎.

    With d and h the sums of ψ over the positive and the negative mass of a cluster, and a and b its
    shares of all positive and of all negative mass, a number of the mean of each class falls by
    d/(1 − a) + h/(1 − b). AUC is a mean over pairs and falls by (d + h − w) / ((1 − a)(1 − b)),
    where w = W/(UR) − A·a·b is the excess of the pairs within the cluster, W in all. A mean over
    all items falls by (d + h)/(1 − m), with m the cluster's share of the whole mass.
    """
    rows = items.rows
    up, right = items.by_unit(items.up), items.by_unit(items.right)
    total_up, total_right = float(up.sum()), float(right.sum())
    rest = 1 - up / total_up, 1 - right / total_right
    for name, left in zip(("positive", "negative"), rest, strict=True):
        if not left.min() > 0:
            raise OneClassError(
                f"Fewer than two clusters hold a {name} item, so the variance between clusters is "
                "undefined.",
                "clusters are units such as patients or days, several of them in each class.",
            )
    ups = items.by_unit(items.up * influence.up[rows])
    rights = items.by_unit(items.right * influence.right[rows])
    if influence.of_pairs:
        within = pairs_within(items) - influence.estimate * up * right
        fallen = (ups + rights - within / (total_up * total_right)) / (rest[0] * rest[1])
    elif influence.of_all:
        fallen = (ups + rights) / (1 - (up + right) / (total_up + total_right))
    else:
        fallen = ups / rest[0] + rights / rest[1]
    return np.asarray(fallen, dtype=np.float64)


def pairs_within(items: Items) -> FloatArray:
    """Return Σu·r over the pairs within each cluster whose positive is above, ties one half."""
    if items.cluster is None:
        return items.up * items.right / 2
    order = np.lexsort((items.rows, items.cluster))
    cluster, rows = items.cluster[order], items.rows[order]
    up, right = items.up[order], items.right[order]
    is_first = np.append(True, (cluster[1:] != cluster[:-1]) | (rows[1:] != rows[:-1]))
    starts = np.flatnonzero(is_first)  # of the tied items of one cluster
    ups, rights = np.add.reduceat(up, starts), np.add.reduceat(right, starts)
    clusters = cluster[starts]
    below = np.cumsum(ups)
    before = np.append(0.0, below)[np.searchsorted(clusters, clusters)]  # in earlier clusters
    above = below - ups / 2 - before
    return np.bincount(clusters, rights * above, items.clusters).astype(np.float64, copy=False)


def jackknife_error(items: Items, influence: Influence) -> float:
    """Return √{(K − 1)/K · Σ(θ₍ₖ₎ − mean)²} over the K clusters (Tukey 1958)."""
    return error_of(deletions(items, influence))


def error_of(fallen: FloatArray) -> float:
    """Return the jackknife's error from how far a number falls without each unit."""
    return math.sqrt((1 - 1 / len(fallen)) * float((centred(fallen) ** 2).sum()))


def effective_clusters(items: Items) -> float:
    """Return how many clusters of equal size the clusters of the rarer class are worth.

    (Σm)²/Σm² of the mass m of a class by cluster (Kish 1965); the lesser of the two classes.
    """
    masses = [items.by_unit(mass) for mass in (items.up, items.right)]
    return min(float(mass.sum()) ** 2 / float((mass**2).sum()) for mass in masses)


def cluster_degrees(items: Items) -> float:
    """Return the degrees of freedom of the jackknife: `effective_clusters` − 1, and at least 1."""
    return max(effective_clusters(items) - 1.0, 1.0)


def few_clusters_words(items: Items) -> str | None:
    """Return that the clusters are worth fewer than `FEW_CLUSTERS` of equal size, if they are."""
    worth = effective_clusters(items)
    if worth >= FEW_CLUSTERS:
        return None
    if items.clusters < FEW_CLUSTERS:
        return f"there are {items.clusters} clusters, worth {worth:.1f} of equal size"
    return (
        f"the {items.clusters:,} clusters are of so unequal size that they are worth "
        f"{worth:.1f} equal ones"
    )


def warn_few_clusters(items: Items, method: str, statistic: str) -> None:
    """Warn if the clusters are worth fewer than `FEW_CLUSTERS` of equal size."""
    words = few_clusters_words(items)
    if words is not None:
        warn(
            SmallSampleWarning(
                method,
                words,
                f"at least {FEW_CLUSTERS} clusters of about equal size are needed; "
                "read the interval as a rough one.",
                statistic=statistic,
                counts=(items.clusters, effective_clusters(items)),
            )
        )
