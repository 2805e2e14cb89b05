"""Standard errors without resampling: DeLong, influence functions, clusters (SPEC §9)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rocwalk.typing import FloatArray, MassArray
from rocwalk.uncertainty.blur import (
    Blur,
    Range,
    class_blurred,
    linear_blur,
    row_means,
    sample_blurred,
    spans,
)
from rocwalk.uncertainty.evidence import Evidence, Items
from rocwalk.walk.tally import Tally


@dataclass(frozen=True, slots=True)
class Influence:
    """A statistic ψ-linear in the items: each adds u·up + r·right, by row of the tally.

    `up` and `right` are divided by the totals already, so that Σ u·up + r·right is 0. `blur` is
    what buckets leave open, None where every score is known.
    """

    estimate: float
    up: FloatArray
    right: FloatArray
    blur: Blur | None = None

    @property
    def ends(self) -> Range:
        """The lowest and the highest that the number may be; equal unless bucketed."""
        return (self.estimate, self.estimate) if self.blur is None else self.blur.ends


def auc_influence(tally: Tally) -> Influence:
    """Return AUC with DeLong's placements: V⁺ − A over U for positives, V⁻ − A over R."""
    total_up, total_right = float(tally.total_up), float(tally.total_right)
    up, right = placements(tally)
    area = tally.area
    return Influence(area, (up - area) / total_up, (right - area) / total_right, _auc_blur(tally))


def _auc_blur(tally: Tally) -> Blur | None:
    """Return the blur of AUC: V⁺ of a bucket's positives is known to ± r_b/(2R), V⁻ to ± u_b/(2U).

    For counts the mean of V⁺ and of V⁻ is A, whatever the order: an error is the length of
    placements less their mean, and not knowing A itself adds nothing. It does for other masses.
    """
    if not tally.is_bucketed:
        return None
    total_up, total_right = float(tally.total_up), float(tally.total_right)
    unknown = 0.0 if tally.is_counts else tally.certificate
    wide = spans(tally) > 0
    up, right = (
        (np.where(wide, mass / (2 * whole), 0.0) + unknown) / total
        for mass, whole, total in (
            (tally.right, total_right, total_up),
            (tally.up, total_up, total_right),
        )
    )
    area, certificate, nothing = tally.area, tally.certificate, np.zeros(len(tally))
    ends = max(area - certificate, 0.0), min(area + certificate, 1.0)
    return Blur(ends, (up, right), (nothing, nothing))


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
    """Return A_p with ψ = ½[u(s − m⁺)/U − r(s − m⁻)/R]; exact even from buckets, ψ by the row."""
    total_up, total_right = float(tally.total_up), float(tally.total_right)
    means = [float(tally.up_score.sum()) / total_up, float(tally.right_score.sum()) / total_right]
    value = 0.5 * (1 + means[0] - means[1])
    up, right = row_means(tally)
    return Influence(
        value,
        0.5 * (up - means[0]) / total_up,
        -0.5 * (right - means[1]) / total_right,
        linear_blur(tally, value, (0.5 / total_up, 0.5 / total_right)),
    )


def error_range(evidence: Evidence, influence: Influence) -> Range:
    """Return the least and the most that the standard error can be; the same unless bucketed.

    Hard labels of one weight: the two classes are two samples, with n − 1 in each (DeLong).
    Otherwise items are one sample; clusters are units, after Obuchowski for hard labels.
    """
    if evidence.cluster is not None:
        error = _of_clusters(evidence.need_items("A clustered error"), influence, evidence)
        return error, error
    tally = evidence.tally
    if evidence.even_weight is not None:
        parts = two_sample_ranges(evidence, influence)
        return math.sqrt(sum(low for low, _ in parts)), math.sqrt(sum(high for _, high in parts))
    total = (
        tally.up_squared * influence.up**2
        + 2 * tally.up_right * influence.up * influence.right
        + tally.right_squared * influence.right**2
    )
    low, high = sample_blurred(max(float(total.sum()), 0.0), influence.blur, tally)
    return math.sqrt(low), math.sqrt(high)


def two_sample_variances(evidence: Evidence, influence: Influence) -> tuple[float, float]:
    """Return what the positives and what the negatives add to the variance, each with n − 1."""
    up, right = two_sample_ranges(evidence, influence)
    return up[1], right[1]


def two_sample_ranges(evidence: Evidence, influence: Influence) -> list[Range]:
    """Return the least and the most that either class can add to the variance."""
    weight, tally = evidence.even_weight or 1.0, evidence.tally
    parts = []
    for side, (mass, values) in enumerate(
        ((tally.up, influence.up), (tally.right, influence.right))
    ):
        count = float(mass.sum()) / weight
        total = float((mass * values**2).sum()) * weight
        ends = class_blurred(total, influence.blur, side, (mass, weight * mass), even=True)
        low, high = (end * count / (count - 1) if count > 1 else math.nan for end in ends)
        parts.append((low, high))
    return parts


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
