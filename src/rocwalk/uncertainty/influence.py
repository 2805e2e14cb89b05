"""Standard errors without resampling: DeLong, influence functions, clusters (SPEC §9)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwalk.typing import FloatArray, MassArray
from rocwalk.uncertainty.evidence import Evidence, Items
from rocwalk.walk.tally import Tally


@dataclass(frozen=True, slots=True)
class Influence:
    """A statistic ψ-linear in the items: each adds u·up + r·right, by row of the tally.

    `up` and `right` are divided by the totals already, so that Σ u·up + r·right is 0.
    """

    estimate: float
    up: FloatArray
    right: FloatArray


def auc_influence(tally: Tally) -> Influence:
    """Return AUC with DeLong's placements: V⁺ − A over U for positives, V⁻ − A over R."""
    total_up, total_right = float(tally.total_up), float(tally.total_right)
    up, right = placements(tally)
    area = tally.area
    return Influence(area, (up - area) / total_up, (right - area) / total_right)


def placements(tally: Tally) -> tuple[FloatArray, FloatArray]:
    """Return V⁺ = share of negatives below, V⁻ = share of positives above, ties one half."""
    below = share_above(tally.right)
    np.subtract(1.0, below, out=below)
    return below, share_above(tally.up)


def share_above(mass: MassArray) -> FloatArray:
    """Return the share of the mass that lies above each row, half of the row's own included."""
    twice = np.cumsum(mass)  # whole numbers for counts
    total = 2.0 * float(twice[-1])
    twice *= 2
    twice -= mass
    shares: FloatArray = twice / total
    return shares


def probabilistic_auc_influence(tally: Tally) -> Influence:
    """Return A_p with ψ = ½[u(s − m⁺)/U − r(s − m⁻)/R]."""
    total_up, total_right = float(tally.total_up), float(tally.total_right)
    means = [float(tally.up_score.sum()) / total_up, float(tally.right_score.sum()) / total_right]
    return Influence(
        0.5 * (1 + means[0] - means[1]),
        0.5 * (tally.scores - means[0]) / total_up,
        -0.5 * (tally.scores - means[1]) / total_right,
    )


def standard_error(evidence: Evidence, influence: Influence) -> float:
    """Return the standard error of a statistic with that influence.

    Hard labels of one weight: the two classes are two samples, with n − 1 in each (DeLong).
    Otherwise items are one sample; clusters are units, after Obuchowski for hard labels.
    """
    if evidence.cluster is not None:
        return _of_clusters(evidence.need_items("A clustered error"), influence, evidence)
    tally = evidence.tally
    if evidence.even_weight is not None:
        return math.sqrt(sum(two_sample_variances(evidence, influence)))
    total = (
        tally.up_squared * influence.up**2
        + 2 * tally.up_right * influence.up * influence.right
        + tally.right_squared * influence.right**2
    )
    return math.sqrt(float(total.sum()))


def two_sample_variances(evidence: Evidence, influence: Influence) -> tuple[float, float]:
    """Return what the positives and what the negatives add to the variance, each with n − 1."""
    weight = evidence.even_weight or 1.0
    parts = []
    for mass, values in (
        (evidence.tally.up, influence.up),
        (evidence.tally.right, influence.right),
    ):
        count = float(mass.sum()) / weight
        total = float((mass * values**2).sum()) * weight
        parts.append(total * count / (count - 1) if count > 1 else math.nan)
    return parts[0], parts[1]


def _of_clusters(items: Items, influence: Influence, evidence: Evidence) -> float:
    """Return Obuchowski's clustered error; for soft or weighted items that of cluster sums."""
    ups, rights = cluster_sums(items, influence)
    n = len(ups)
    if evidence.even_weight is None:
        return math.sqrt(n / (n - 1) * float(((ups + rights) ** 2).sum()))
    has_up, has_right = (
        int(np.count_nonzero(items.by_unit(mass))) for mass in (items.up, items.right)
    )
    variance = (
        has_up / (has_up - 1) * float((ups**2).sum())
        + has_right / (has_right - 1) * float((rights**2).sum())
        + 2 * n / (n - 1) * float((ups * rights).sum())
    )
    return math.sqrt(max(variance, 0.0))


def cluster_sums(items: Items, influence: Influence) -> tuple[FloatArray, FloatArray]:
    """Return the sums of the influence over the positive and the negative mass of each cluster."""
    rows = items.rows
    return (
        items.by_unit(items.up * influence.up[rows]),
        items.by_unit(items.right * influence.right[rows]),
    )
