"""How numbers of estimation vary: midpoint, struggle ratio, Brier and its parts (SPEC §8, §9).

Each number comes with ψ, what every item adds to it. All of them depend on the prevalence, so
items are one sample unless the prevalence is fixed by design.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocwalk.measure.brier import scores_of
from rocwalk.measure.calibration import Blocks, blocks
from rocwalk.measure.probabilistic import refuse_other_scores
from rocwalk.measure.sensibility import Split, midpoint, split_of
from rocwalk.typing import FloatArray
from rocwalk.uncertainty.blur import (
    Blur,
    Range,
    class_blurred,
    is_hard,
    linear_blur,
    row_means,
    row_spreads,
    sample_blurred,
)
from rocwalk.uncertainty.blurred_struggle import REACH, WEIGHT, blurred_struggle
from rocwalk.uncertainty.influence import (
    Influence,
    auc_influence,
    probabilistic_auc_influence,
)
from rocwalk.walk.tally import Tally


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, its ψ, and variance that ψ does not hold."""

    influence: Influence
    more: float = 0.0

    @property
    def value(self) -> float:
        """The number."""
        return self.influence.estimate


def variance_of(tally: Tally, influence: Influence, *, fixed: bool) -> float:
    """Return the variance of a number; with `fixed`, as if each class had been drawn by itself.

    Of a bucketed tally it is the most that it can be.
    """
    return variance_range(tally, influence, fixed=fixed)[1]


def variance_range(tally: Tally, influence: Influence, *, fixed: bool) -> Range:
    """Return the least and the most that a variance can be; the same unless bucketed."""
    n = tally.total_count
    if not fixed:
        total = (
            tally.up_squared * influence.up**2
            + 2 * tally.up_right * influence.up * influence.right
            + tally.right_squared * influence.right**2
        )
        least, most = sample_blurred(max(float(total.sum()), 0.0), influence.blur, tally)
        return least * n / (n - 1), most * n / (n - 1)
    parts = [part for part, _ in _class_ranges(tally, influence)]
    return sum(least for least, _ in parts), sum(most for _, most in parts)


def class_parts(tally: Tally, influence: Influence) -> list[tuple[float, float]]:
    """Return what each class adds to a variance at most, and how many items it is worth."""
    return [(most, count) for (_, most), count in _class_ranges(tally, influence)]


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
    without any spread, such as one with an AUC of 1, is not taken for a sure one.
    """
    parts = [class_parts(*pair) for pair in zip(both, influences, strict=True)]
    variances = [0.0] * len(parts)
    for k in range(2):
        counts = [each[k][1] for each in parts]
        spread = sum(each[k][0] * each[k][1] ** 2 for each in parts) / sum(counts)
        variances = [v + spread / n for v, n in zip(variances, counts, strict=True)]
    return variances


# -- numbers and their ψ -------------------------------------------------------------------------


def midpoint_influence(tally: Tally) -> Influence:
    """Return t_s = P/(2U) with ψ = (½·p·w − t_s·u)/U; exact even from buckets, ψ by the row."""
    total = float(tally.total_up)
    up, right = (mean / (2 * total) for mean in row_means(tally))
    value = float((tally.up * up).sum() + (tally.right * right).sum())
    if tally.is_bucketed:
        value = midpoint(tally)
    blur = linear_blur(tally, value, (1 / (2 * total), 1 / (2 * total)))
    return Influence(value, up - value / total, right, blur)


def struggle_estimate(
    tally: Tally, middle: Influence, *, fixed: bool, like: Sequence[Tally] = ()
) -> Estimate:
    """Return the struggle ratio K = N/S with ψ; `middle` is the midpoint with its own ψ.

    An item adds to N or to S, by the chance that it lies on the one or the other side of the
    midpoint t; and it moves the midpoint, and K follows. By how much is the mean
    slope of K over where the midpoint may lie, N(t_s, se²), which is a density of positive less
    negative mass there (Stein). Jumps at tied scores that the slope misses are added to the
    variance. `like` is all evidence on that density, such as both samples of a comparison.
    Where some of it is bucketed, all of this is known between bounds only.
    """
    if any(one.is_bucketed for one in (tally, *like)):
        return _blurred_struggle(tally, middle, fixed=fixed, like=like or (tally,))
    split = split_of(tally)
    ratio, sensible = split.struggle_ratio, split.sensible
    if not sensible > 0:
        nothing = np.zeros(len(tally))
        return Estimate(Influence(math.inf, nothing, nothing), math.nan)
    error = math.sqrt(variance_of(tally, middle, fixed=fixed))
    above = _chance_above(tally.scores, split, error)
    up = (1 - above * (1 + ratio)) / sensible
    right = (above * (1 + ratio) - ratio) / sensible
    slope, more = _slope(like or (tally,), error) if error > 0 else (0.0, 0.0)
    influence = Influence(ratio, up + slope * middle.up, right + slope * middle.right)
    return Estimate(influence, more)


def _blurred_struggle(
    tally: Tally, middle: Influence, *, fixed: bool, like: Sequence[Tally]
) -> Estimate:
    """Return the struggle ratio of buckets, with the most that its variance can be."""
    refuse_other_scores(tally)
    least, most = variance_range(tally, middle, fixed=fixed)
    errors = math.sqrt(least), math.sqrt(most)
    weighed = [(items_per_mass(one), one) for one in like]
    return Estimate(*blurred_struggle(tally, middle, errors, weighed))


def _chance_above(scores: FloatArray, split: Split, error: float) -> FloatArray:
    """Return how likely the midpoint lies at or below each score."""
    if not error > 0:
        return (np.arange(len(scores)) < split.above).astype(np.float64)
    from scipy.special import ndtr

    chances: FloatArray = ndtr((scores - split.midpoint) / error)
    return chances


def _slope(tallies: Sequence[Tally], error: float) -> tuple[float, float]:
    """Return the mean slope of the struggle ratio over the midpoint, and the variance about it.

    The slope is estimated, and its own noise would inflate its square: that much is taken off.
    """
    worth = [items_per_mass(one) for one in tallies]
    weighed = list(zip(worth, tallies, strict=True))
    scores = sum(w * float(one.up_score.sum() + one.right_score.sum()) for w, one in weighed)
    middle = scores / (2 * sum(w * float(one.total_up) for w, one in weighed))
    gap = error * REACH
    counted = [(w, _sides(one, middle + gap)) for w, one in weighed]
    sensible, other = (np.sum([w * pair[k] for w, pair in counted], axis=0) for k in (0, 1))
    ratio = other / np.maximum(sensible, np.finfo(float).tiny)
    mean = float((WEIGHT * ratio).sum())
    spread = float((WEIGHT * gap**2).sum())
    slope = float((WEIGHT * (ratio - mean) * gap).sum()) / spread
    whole = float((WEIGHT * (ratio - mean) ** 2).sum())
    centre = len(REACH) // 2
    step = (1 + float(ratio[centre])) / max(float(sensible[centre]), np.finfo(float).tiny)
    noise = step**2 * sum(w**2 * _noise(one, middle, error) for w, one in weighed)
    kept = math.copysign(math.sqrt(max(slope**2 - noise, 0.0)), slope)
    return kept, max(whole - (slope**2 + noise) * spread, 0.0)


def items_per_mass(tally: Tally) -> float:
    """Return how many items a mass of 1 is worth: W/Σw², which is 1 for counts."""
    if tally.is_counts:
        return 1.0
    squares = float((tally.up_squared + 2 * tally.up_right + tally.right_squared).sum())
    return float(tally.total_up + tally.total_right) / squares


def _sides(tally: Tally, at: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the sensible and the other mass when the tally is split at each place."""
    rows = np.searchsorted(-tally.scores, -at, side="right")
    up, right = (np.append(0, np.cumsum(mass))[rows] for mass in (tally.up, tally.right))
    return up + tally.total_right - right, right + tally.total_up - up


def _noise(tally: Tally, middle: float, error: float) -> float:
    """Return Σ(u − r)²·φ² over the items near the midpoint: the variance of their density."""
    high, low = np.searchsorted(-tally.scores, [-(middle + 6 * error), -(middle - 6 * error)])
    near = slice(int(high), int(low))
    distance = (tally.scores[near] - middle) / error
    weight = np.exp(-(distance**2)) / (2 * math.pi * error**2)
    squares = (tally.up_squared - 2 * tally.up_right + tally.right_squared)[near]
    return float((squares * weight).sum())


def _mean_influence(
    tally: Tally, of_up: FloatArray, of_right: FloatArray, slope: float | None = None
) -> Influence:
    """Return the mean over items of a loss that depends on label and score.

    `slope` is that of a loss which is linear in the score; the loss of a row is then its mean.
    """
    whole = float(tally.total_up + tally.total_right)
    value = float((tally.up * of_up).sum() + (tally.right * of_right).sum()) / whole
    blur = None if slope is None else linear_blur(tally, value, (slope / whole, slope / whole))
    return Influence(value, (of_up - value) / whole, (of_right - value) / whole, blur)


def prevalence_influence(tally: Tally) -> Influence:
    """Return the prevalence."""
    return _mean_influence(tally, np.ones(len(tally)), np.zeros(len(tally)))


def mean_score_influence(tally: Tally) -> Influence:
    """Return the mean score, exact even from buckets."""
    return _mean_influence(tally, *row_means(tally), slope=1.0)


def brier_influence(tally: Tally) -> Influence:
    """Return the Brier score Σ[u(1 − s)² + r·s²] / (U + R); from buckets between its ends.

    The squares of a bucket's scores add up to at least those of their mean and to at most
    (highest − mean)·(mean − lowest) more an item; of soft or weighted items as well, for these
    are means over the mass.
    """
    if not tally.is_bucketed:
        return _mean_influence(tally, (1 - tally.scores) ** 2, tally.scores**2)
    refuse_other_scores(tally)
    whole, (up, right) = float(tally.total_up + tally.total_right), row_means(tally)
    least = float((tally.up * (1 - up) ** 2).sum() + (tally.right * right**2).sum()) / whole
    spreads = row_spreads(tally)
    more = float((tally.up * spreads[0]).sum() + (tally.right * spreads[1]).sum()) / whole
    value, low, high = least + more / 2, tally.scores, tally.highest
    middles = ((1 - low) ** 2 + (1 - high) ** 2) / 2, (low**2 + high**2) / 2
    halves = ((1 - low) ** 2 - (1 - high) ** 2) / 2, (high**2 - low**2) / 2
    of_up, of_right = ((middle - value) / whole for middle in middles)
    slack_up, slack_right = ((half + more / 2) / whole for half in halves)
    nothing = np.zeros(len(tally))
    blur = Blur((least, least + more), (slack_up, slack_right), (nothing, nothing))
    return Influence(value, of_up, of_right, blur)


def brier_influences(tally: Tally) -> dict[str, Influence]:
    """Return the Brier score, its refinement and its calibration part.

    The refinement is the least loss of any calibration, so to first order it does not feel how the
    blocks move: ψ is the loss of the calibrated score.
    """
    scores = scores_of(tally)
    found = blocks(tally)
    sizes = np.searchsorted(-scores, -found.lowest[::-1], side="right")
    calibrated = np.repeat(found.value[::-1], np.diff(sizes, prepend=0))
    whole = brier_influence(tally)
    left = _mean_influence(tally, (1 - calibrated) ** 2, calibrated**2)
    best = left.estimate + _optimism(tally, found)
    lost = whole.estimate - best
    return {
        "brier": whole,
        "refinement": Influence(best, left.up, left.right),
        "miscalibration": Influence(lost, whole.up - left.up, whole.right - left.right),
    }


def _optimism(tally: Tally, found: Blocks) -> float:
    """Return Σ p(1 − p)/n over blocks: by so much the fit flatters itself, a block a parameter."""
    whole = float(tally.total_up + tally.total_right)
    squares = float((tally.up_squared + 2 * tally.up_right + tally.right_squared).sum())
    return float((found.value * (1 - found.value)).sum()) * squares / whole**2


CONDITIONAL = {"auc": auc_influence, "probabilistic_auc": probabilistic_auc_influence}


def estimates_of(
    tally: Tally, *, fixed: bool, like: Sequence[Tally] = (), deciding: bool = False
) -> dict[str, Estimate]:
    """Return every number that drift looks at, or those that decide, in the order of telling.

    The isotonic fit needs every score: where a tally is bucketed, the parts of the Brier score
    are left out.
    """
    middle = midpoint_influence(tally)
    struggle = struggle_estimate(tally, middle, fixed=fixed, like=like)
    if deciding:
        found = {"auc": Estimate(auc_influence(tally)), "midpoint": Estimate(middle)}
        return found | {"struggle_ratio": struggle}
    found = {name: Estimate(of(tally)) for name, of in CONDITIONAL.items()}
    found |= {"midpoint": Estimate(middle), "struggle_ratio": struggle}
    found["prevalence"] = Estimate(prevalence_influence(tally))
    found["mean_score"] = Estimate(mean_score_influence(tally))
    if any(one.is_bucketed for one in (tally, *like)):
        return found | {"brier": Estimate(brier_influence(tally))}
    return found | {name: Estimate(each) for name, each in brier_influences(tally).items()}


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
