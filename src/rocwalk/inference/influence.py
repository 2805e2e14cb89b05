"""Influence functions: what each item adds to a number, and the standard errors that follow.

A number that is linear in the items up to a small rest has an influence function ψ, and its
variance is the sum of ψ² over items, with n/(n − 1) for each sample of n (for AUC: DeLong, DeLong &
Clarke-Pearson 1988; over clusters: Obuchowski 1997).

The items of a bucket have lost their order, so ψ is known up to a slack, or as a mean with a spread
about it. Errors are lengths ‖ψ‖ = √Σwᵢ²ψᵢ², and lengths have bounds that hold for every order
inside the buckets:

* |ψᵢ − ψ_row| ≤ g: ‖ψ‖ is within ‖g‖ of the length of ψ_row, by the triangle inequality;
* ψ_row is the mean of the ψᵢ of its row: ‖ψ‖² is that of ψ_row plus the variation of the ψᵢ inside
  the rows, Σwᵢ²(ψᵢ − ψ_row)², which lies between 0 and Σw²·σ², with σ² the most that numbers of
  such a mean and such ends can vary, (highest − mean)·(mean − lowest) (Bhatia & Davis 2000).

Subtracting the mean of a class makes no length greater where all items of the class weigh the same;
where they do not, it may add the mean of the slack.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from rocwalk.errors import SmallSampleWarning, warn
from rocwalk.inference.items import EVEN, Evidence, Items
from rocwalk.tally.tally import Tally, area_of_steps
from rocwalk.typing import FloatArray, MassArray, Range

Pair = tuple[FloatArray, FloatArray]  # of positive and of negative mass, by row


@dataclass(frozen=True, slots=True)
class Blur:
    """What buckets leave open: the ends of a number, the slack of ψ and its spread σ² by row."""

    ends: Range
    slack: Pair
    spread: Pair

    def times(self, factor: float, ends: Range) -> Blur:
        """Return the blur of a number with `factor` times the ψ, between other ends."""
        up, right = (abs(factor) * each for each in self.slack)
        more_up, more_right = (factor**2 * each for each in self.spread)
        return Blur(ends, (up, right), (more_up, more_right))


@dataclass(frozen=True, slots=True)
class Influence:
    """A statistic ψ-linear in the items: each adds u·up + r·right, by row of the tally.

    `up` and `right` are divided by the totals already, so that Σ u·up + r·right is 0. `blur` is
    what buckets leave open, None where every score is known. `of_pairs` says that the number is a
    mean over pairs of a positive and a negative, not over each class; `of_all` that it is one over
    all items, and so depends on the prevalence.
    """

    estimate: float
    up: FloatArray
    right: FloatArray
    blur: Blur | None = None
    of_pairs: bool = False
    of_all: bool = False

    @property
    def ends(self) -> Range:
        """The lowest and the highest that the number may be; equal unless bucketed."""
        return (self.estimate, self.estimate) if self.blur is None else self.blur.ends


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, its ψ, and variance that ψ does not hold."""

    influence: Influence
    more: float = 0.0

    @property
    def value(self) -> float:
        """The number."""
        return self.influence.estimate


def estimate_by(influence: Callable[[Tally], Influence]) -> Callable[..., Estimate]:
    """Return the estimate of a number whose influence function holds its whole variance."""
    return lambda tally, **_: Estimate(influence(tally))


def auc_influence(tally: Tally) -> Influence:
    """Return AUC with DeLong's placements: (V⁺ − A)/U for positives, (V⁻ − A)/R for negatives.

    In buckets V⁺ of a positive is known to ± r_b/(2R), and V⁻ of a negative to ± u_b/(2U). For
    counts the mean of V⁺ and of V⁻ is A, whatever the order: an error is the length of placements
    minus their mean, and not knowing A itself adds nothing. For other masses it does.
    """
    total_up, total_right = float(tally.total_up), float(tally.total_right)
    (above, twice_up), (before, twice_right) = _heights(tally.up), _heights(tally.right)
    if "area" not in tally.known:
        whole = tally.total_up, tally.total_right
        tally.known["area"] = area_of_steps(tally.up, tally.right, whole, above)
    area = tally.area
    # V⁺, the share of the negatives below, and V⁻, that of the positives above, ties one half
    up, right = before / twice_right, above / twice_up
    np.subtract(1.0, up, out=up)
    up -= area
    up /= total_up
    right -= area
    right /= total_right
    if not tally.is_bucketed:
        return Influence(area, up, right, of_pairs=True)
    unknown = 0.0 if tally.is_counts else tally.certificate
    wide = tally.highest > tally.scores
    slack_up, slack_right = (
        (np.where(wide, mass / (2 * whole), 0.0) + unknown) / total
        for mass, whole, total in (
            (tally.right, total_right, total_up),
            (tally.up, total_up, total_right),
        )
    )
    ends = max(area - tally.certificate, 0.0), min(area + tally.certificate, 1.0)
    nothing = np.zeros(len(tally))
    return Influence(
        area, up, right, Blur(ends, (slack_up, slack_right), (nothing, nothing)), of_pairs=True
    )


def share_above(mass: MassArray) -> FloatArray:
    """Return the share of the mass that lies above each row, half of the row's own included."""
    twice, total = _heights(mass)
    shares: FloatArray = twice / total
    return shares


def _heights(mass: MassArray) -> tuple[MassArray, float]:
    """Return twice the mass above each row, the row's own included once, and twice all mass."""
    twice = np.cumsum(mass)  # whole numbers for counts
    total = 2.0 * float(twice[-1])
    twice *= 2
    twice -= mass
    return twice, total


_GROUPS = 200  # of rows, where a derivative for each row would take too long


def numerical_influence(tally: Tally, of: Callable[[Tally], float]) -> Influence:
    """Return the influence by a small change of mass, row by row or by groups of rows."""
    rows, estimate = len(tally), of(tally)
    groups = np.minimum(np.arange(rows) * _GROUPS // max(rows, _GROUPS), _GROUPS - 1)
    groups = np.arange(rows) if rows <= _GROUPS else groups
    sides = [tally.up.astype(np.float64), tally.right.astype(np.float64)]
    whole = float(sum(side.sum() for side in sides))
    found = [np.zeros(rows), np.zeros(rows)]
    for k in range(int(groups.max()) + 1):
        inside = groups == k
        for side in (0, 1):
            mass = float(sides[side][inside].sum())
            if not mass > 0:
                continue
            step = 1e-4 * whole / mass
            moved = [part.copy() for part in sides]
            moved[side][inside] *= 1 + step
            value = of(Tally(tally.scores, moved[0], moved[1], tally.steps, tally.threshold))
            found[side][inside] = (value - estimate) / (step * mass)
    shift = float((sides[0] * found[0] + sides[1] * found[1]).sum()) / whole
    return Influence(estimate, found[0] - shift, found[1] - shift)


# -- standard errors -------------------------------------------------------------------------------


def _unbiased(units: float) -> float:
    """Return n/(n − 1), which makes a mean square of n units a variance; NaN of one, 0 of none."""
    return units / (units - 1) if units > 1 else math.nan if units > 0 else 0.0


def error_range(evidence: Evidence, influence: Influence) -> Range:
    """Return the least and the most that the standard error can be; the same unless bucketed.

    Hard labels of one weight: the two classes are two samples, with n − 1 in each (DeLong et al.
    1988). Otherwise items are one sample. Clusters are units: with d and h the sums of ψ over the
    positive and the negative mass of each of I clusters, of which I⁺ and I⁻ have any, the variance
    is I⁺/(I⁺−1)·Σd² + I⁻/(I⁻−1)·Σh² + 2I/(I−1)·Σdh for hard labels (Obuchowski 1997), and
    I/(I−1)·Σ(d + h)² for soft or weighted items.
    """
    if evidence.cluster is not None:
        items = evidence.need_items("A clustered error")
        rows, n = items.rows, items.clusters
        ups = items.by_unit(items.up * influence.up[rows])
        rights = items.by_unit(items.right * influence.right[rows])
        if evidence.even_weight is None:
            variance = _unbiased(n) * float(((ups + rights) ** 2).sum())
        else:
            has_up, has_right = evidence.effective_sizes
            variance = (
                _unbiased(has_up) * float((ups**2).sum())
                + _unbiased(has_right) * float((rights**2).sum())
                + 2 * _unbiased(n) * float((ups * rights).sum())
            )
        error = math.sqrt(max(variance, 0.0))
        return error, error
    if evidence.even_weight is None:
        least, most = _one_sample_range(evidence.tally, influence)
    else:
        parts = two_sample_ranges(evidence, influence)
        least, most = sum(low for low, _ in parts), sum(high for _, high in parts)
    noise = noise_variance_of(evidence.tally, influence)
    return math.sqrt(least + noise), math.sqrt(most + noise)


def noise_variance_of(tally: Tally, influence: Influence) -> float:
    """Return the variance that the noise of shared counts adds, Σ_b v_b·(ψ⁺_b² + ψ⁻_b²).

    v_b is the variance of the noise in a count of row b. To first order in the noise.
    """
    if not tally.is_shared:
        return 0.0
    return float((tally.noise * (influence.up**2 + influence.right**2)).sum())


def item_error(items: Items, psi: FloatArray) -> float:
    """Return √Σψ² over items; over clusters √{n/(n − 1)·Σψ²} of their sums."""
    units = items.by_unit(psi)
    factor = 1.0 if items.cluster is None else _unbiased(len(units))
    return math.sqrt(factor * float((units**2).sum()))


def _one_sample_range(tally: Tally, influence: Influence) -> Range:
    """Return the least and the most of Σψ² over all items, which may have both masses."""
    blur = influence.blur
    middle = max(float(_squares(tally, influence.up, influence.right).sum()), 0.0)
    if blur is None:
        return middle, middle
    reach = _squares(tally, *blur.slack)
    return blurred(middle, float(reach.sum()), float(_spreads(tally, blur).sum()))


def _squares(tally: Tally, up: FloatArray, right: FloatArray) -> FloatArray:
    """Return Σ(u·up + r·right)² over the items of each row."""
    total: FloatArray = (
        tally.up_squared * up**2 + 2 * tally.up_right * up * right + tally.right_squared * right**2
    )
    return total


def _spreads(tally: Tally, blur: Blur) -> FloatArray:
    """Return what the spread inside a row can add to its Σψ²."""
    total: FloatArray = tally.up_squared * blur.spread[0] + tally.right_squared * blur.spread[1]
    return total


def contributing_items(tally: Tally, influence: Influence) -> float:
    """Return how many items make the error: (Σψ²)²/Σψ⁴ over all items as one sample.

    It is n if all contributions are alike and 1 if one item makes the whole error. Items of one
    score count as alike. Of buckets it is the least that they allow: as if one item made all that
    its bucket contributes.
    """
    rows = np.maximum(_squares(tally, influence.up, influence.right), 0.0)
    items = np.maximum(tally.count, 1).astype(np.float64)
    least = float(rows.sum())
    if influence.blur is not None:
        least, _ = _one_sample_range(tally, influence)
        reach = np.sqrt(_squares(tally, *influence.blur.slack))
        rows = (np.sqrt(rows + _spreads(tally, influence.blur)) + reach) ** 2
        items = np.where(tally.highest > tally.scores, 1.0, items)
    fourth = float((rows**2 / items).sum())
    return least**2 / fourth if fourth > 0 else 0.0


def contributing(psi: FloatArray) -> float:
    """Return how many items make the error, from ψ of every item: (Σψ²)²/Σψ⁴.

    >>> contributing(np.array([1.0, -1.0, 1.0])), contributing(np.array([1.0, 0.0, 0.0]))
    (3.0, 1.0)
    """
    squares = psi**2
    fourth = float((squares**2).sum())
    return float(squares.sum()) ** 2 / fourth if fourth > 0 else 0.0


def mass_degrees(evidence: Evidence, influence: Influence) -> float:
    """Return the degrees of freedom of soft or weighted items, at least 1.

    `Evidence.mass_degrees` where items weigh the same. Where weights vary, at most
    `contributing_items` − 1: if few heavy items make the error, it is known no better than from so
    few items.
    """
    most = evidence.mass_degrees
    if evidence.weighs_alike:
        return most
    return max(min(most, contributing_items(evidence.tally, influence) - 1.0), 1.0)


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


def variance_of(tally: Tally, influence: Influence, *, fixed: bool) -> float:
    """Return the variance of a number; with `fixed`, as if each class had been drawn by itself.

    Of a bucketed tally it is the most that it can be.
    """
    return variance_range(tally, influence, fixed=fixed)[1]


def variance_range(tally: Tally, influence: Influence, *, fixed: bool) -> Range:
    """Return the least and the most that a variance can be; the same unless bucketed.

    That of one item alone is undefined.
    """
    noise = noise_variance_of(tally, influence)
    if fixed:
        parts = [part for part, _ in _class_ranges(tally, influence)]
        return noise + sum(least for least, _ in parts), noise + sum(most for _, most in parts)
    n = float(tally.total_count)
    least, most = _one_sample_range(tally, influence)
    return noise + least * _unbiased(n), noise + most * _unbiased(n)


def _class_ranges(tally: Tally, influence: Influence) -> list[tuple[Range, float]]:
    """Return the least and the most that each class adds to a variance, and its items."""
    parts, even = [], influence.blur is not None and is_hard(tally)
    for side, (mass, squared, values) in enumerate(
        (
            (tally.up, tally.up_squared, influence.up),
            (tally.right, tally.right_squared, influence.right),
        )
    ):
        count = float(mass.sum()) ** 2 / float(squared.sum())
        centred = values - float((mass * values).sum()) / float(mass.sum())
        part = float((squared * centred**2).sum())
        ends = class_blurred(part, influence.blur, side, (mass, squared), even=even)
        least, most = (end * count / (count - 1) if count > 1 else math.nan for end in ends)
        parts.append(((least, most), count))
    return parts


def pooled_variances(both: Sequence[Tally], influences: Sequence[Influence]) -> list[float]:
    """Return the variances of a number in two samples as if their items were alike.

    The spread of an item is pooled over the samples, class by class, so that a small sample
    without any spread, such as one with an AUC of 1, does not count as exact. In buckets each
    class has the most variance that it can have.
    """
    parts = [_class_ranges(*pair) for pair in zip(both, influences, strict=True)]
    variances = list(map(noise_variance_of, both, influences))
    for k in range(2):
        counts = [each[k][1] for each in parts]
        spread = sum(each[k][0][1] * each[k][1] ** 2 for each in parts) / sum(counts)
        variances = [v + spread / n for v, n in zip(variances, counts, strict=True)]
    return variances


# -- buckets ---------------------------------------------------------------------------------------


def blurred(middle: float, slack: float, spread: float) -> Range:
    """Return the least and the most of ‖ψ‖², from that of the rows, ‖g‖² and Σw²σ².

    >>> blurred(4.0, 1.0, 0.0), blurred(9.0, 0.0, 16.0)
    ((1.0, 9.0), (9.0, 25.0))
    """
    least = max(math.sqrt(middle) - math.sqrt(slack), 0.0)
    return least**2, (math.sqrt(middle + spread) + math.sqrt(slack)) ** 2


def class_blurred(
    middle: float, blur: Blur | None, side: int, masses: Pair, *, even: bool
) -> Range:
    """Return the least and the most of one class's ‖ψ‖², after subtracting the mean of ψ.

    `masses` are Σw and Σw² of the class by row, `even` says whether all its items weigh the same.
    """
    if blur is None:
        return middle, middle
    (mass, squared), slack = masses, blur.slack[side]
    if not even:
        slack = slack + float((mass * slack).sum()) / float(mass.sum())
    return blurred(
        middle, float((squared * slack**2).sum()), float((squared * blur.spread[side]).sum())
    )


def row_means(tally: Tally) -> Pair:
    """Return the mean score of the positive and of the negative mass of each row, exactly."""
    if not tally.is_bucketed:
        return tally.scores, tally.scores
    up, right = (
        np.clip(
            np.divide(moment, mass, out=tally.scores.copy(), where=mass > 0),
            tally.scores,
            tally.highest,
        )
        for mass, moment in ((tally.up, tally.up_score), (tally.right, tally.right_score))
    )
    return up, right


def row_spreads(tally: Tally) -> Pair:
    """Return the most that the scores of each class can vary about their mean inside each row.

    (highest − mean)·(mean − lowest); 0 where there is one item.
    """
    up, right = (
        np.where(tally.is_counts & (mass <= 1), 0.0, (tally.highest - mean) * (mean - tally.scores))
        for mass, mean in zip((tally.up, tally.right), row_means(tally), strict=True)
    )
    return up, right


def is_hard(tally: Tally) -> bool:
    """Whether each item is of one class, and all items of a class have one weight.

    With weights a and b, Σu² = a·Σu and Σr² = b·Σr in each row. A row of unlike weights may obey
    that, but it has more items than Σu/a + Σr/b then (Cauchy & Schwarz).
    """
    if tally.is_counts:
        return True
    if np.any(tally.up_right):
        return False
    items = np.zeros(len(tally))
    for mass, squared in ((tally.up, tally.up_squared), (tally.right, tally.right_squared)):
        weight = float(squared.sum()) / max(float(mass.sum()), np.finfo(float).tiny)
        if not np.allclose(squared, weight * mass, rtol=EVEN, atol=0.0):
            return False
        items += mass / weight if weight > 0 else 0.0
    return bool(np.allclose(items, tally.count, rtol=EVEN, atol=0.0))


def linear_blur(tally: Tally, value: float, slopes: Range) -> Blur | None:
    """Return the blur where ψ is linear in the score of each class; None if every score is known.

    ψ of a row is that of its mean score. Hard labels of one weight then have a spread and no slack.
    Of other masses the mean score of the items is not the mean score of the mass: they have slack.
    Mean scores of shared tallies are not known: each may be anywhere in its bucket.
    """
    if not tally.is_bucketed:
        return None
    nothing = np.zeros(len(tally))
    none = (nothing, nothing)
    if tally.is_shared:
        half = (tally.highest - tally.scores) / 2
        reach_up, reach_right = (abs(slope) * half for slope in slopes)
        reach = float((tally.up * reach_up + tally.right * reach_right).sum())
        return Blur((value - reach, value + reach), (reach_up, reach_right), none)
    if is_hard(tally):
        up, right = row_spreads(tally)
        return Blur((value, value), none, (slopes[0] ** 2 * up, slopes[1] ** 2 * right))
    means = row_means(tally)
    up, right = (np.maximum(tally.highest - mean, mean - tally.scores) for mean in means)
    return Blur((value, value), (abs(slopes[0]) * up, abs(slopes[1]) * right), none)


def least_distance(low: float, high: float) -> float:
    """Return the number nearest to 0 between two ends.

    >>> least_distance(0.1, 0.3), least_distance(-0.3, -0.1), least_distance(-0.1, 0.3)
    (0.1, -0.1, 0.0)
    """
    return min(max(low, 0.0), high) if high > 0 else high


# -- effective numbers of items --------------------------------------------------------------------


def items_per_mass(tally: Tally) -> float:
    """Return how many items a mass of 1 is worth: W/Σw², which is 1 for counts."""
    if tally.is_counts:
        return 1.0
    squares = float((tally.up_squared + 2 * tally.up_right + tally.right_squared).sum())
    return float(tally.total_up + tally.total_right) / squares


_STRONG = 0.5  # a correlation of weights and ranks above which intervals were seen to fail


def warn_of_weights(samples: Iterable[Evidence], method: str, statistic: str) -> None:
    """Warn once if the weights of some sample depend strongly on its scores.

    They do if they leave less than half of the items effective, (Σw)²/Σw² < n/2, and correlate with
    the ranks of the scores by more than one half: then rare items of great weight decide the error,
    and a sample that lacks them does not show it.
    """
    for evidence in samples:
        tally = evidence.tally
        if evidence.weighs_alike or evidence.cluster is not None:
            continue
        mass = tally.up + tally.right
        squares = tally.up_squared + 2 * tally.up_right + tally.right_squared
        total = float(mass.sum())
        effective = total**2 / float(squares.sum())
        weight, rank = squares / mass, share_above(mass)
        weight, rank = (each - float((mass * each).sum()) / total for each in (weight, rank))
        both = float((mass * weight**2).sum()) * float((mass * rank**2).sum())
        along = float((mass * weight * rank).sum()) / math.sqrt(both) if both > 0 else 0.0
        if abs(along) > _STRONG and effective < tally.total_count / 2:
            warn(
                SmallSampleWarning(
                    method,
                    f"the weights go with the scores (correlation with their ranks {along:.2f}), "
                    f"and {tally.total_count:,} items are worth {effective:,.0f} of equal weight",
                    "a few items of great weight decide the error; trim the weights, or collect "
                    "more items where they are great.",
                    statistic=statistic,
                    counts=(tally.total_count, effective),
                )
            )
            return


def class_sizes(tally: Tally) -> tuple[float, float]:
    """Return how many positive and negative items the masses are worth.

    Counts are what they are. Otherwise the lesser of U·W/Σw², the mass in items of mean weight,
    and U²/Σu², Kish's effective number: neither small shares of many items nor a single heavy item
    count for much. Scaling all weights changes nothing.

    >>> import numpy as np
    >>> class_sizes(Tally(np.array([0.9, 0.8, 0.1]), np.array([2.0, 2, 0]), np.array([0, 0, 2.0])))
    (2.0, 1.0)
    """
    if tally.is_counts:
        return tally.total_up, tally.total_right
    squares = tally.up_squared.sum(), tally.right_squared.sum()
    per_item = (sum(squares) + 2 * tally.up_right.sum()) / (tally.total_up + tally.total_right)
    positives, negatives = (
        min(mass / per_item, mass**2 / squared) if mass > 0 else 0.0
        for mass, squared in zip((tally.total_up, tally.total_right), squares, strict=True)
    )
    return float(positives), float(negatives)
