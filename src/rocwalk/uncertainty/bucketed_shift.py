"""How scores have shifted between two tallies, exact or bucketed (SPEC §8, §10).

The share of scores up to x is known between the share of buckets that end by x and the share of
those that begin by x. So the largest gap of Kolmogorov and Smirnov lies between two ends, and the
test takes the lower one.
"""

from __future__ import annotations

import math

import numpy as np

from rocwalk.typing import Bounds, FloatArray
from rocwalk.uncertainty.blur import Range
from rocwalk.uncertainty.shift import ScoreShift, shift_of_means, smirnov
from rocwalk.walk.tally import Tally


def shift_of_tallies(reference: Tally, current: Tally, alpha: float) -> ScoreShift:
    """Return how the scores of the second tally differ from those of the first, labels unused."""
    both = reference, current
    sizes = reference.total_count, current.total_count
    error = math.sqrt(sum(_variance(tally) / tally.total_count for tally in both))
    (least, most), at = _gaps(*both)
    areas = [_expected_auc(tally) for tally in both]
    bucketed = any(tally.is_bucketed for tally in both)
    return ScoreShift(
        **shift_of_means(reference.mean_score, current.mean_score, error, alpha),
        gap=(least + most) / 2,
        gap_at=at,
        p_value=smirnov(least, *sizes),
        alpha=alpha,
        expected_auc_reference=areas[0][1],
        expected_auc_current=areas[1][1],
        gap_bounds=(least, (least + most) / 2, most) if bucketed else None,
        expected_auc_reference_bounds=areas[0] if bucketed else None,
        expected_auc_current_bounds=areas[1] if bucketed else None,
    )


def _moments(tally: Tally) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return of each row the number of scores, their mean, and the most they vary about it."""
    count = (tally.up + tally.right).astype(np.float64)
    mean = np.clip((tally.up_score + tally.right_score) / count, tally.scores, tally.highest)
    spread = np.where(count > 1, (tally.highest - mean) * (mean - tally.scores), 0.0)
    return count, mean, spread


def _variance(tally: Tally) -> float:
    """Return the variance of the scores; of buckets the most that it can be."""
    count, mean, spread = _moments(tally)
    squares = (mean - tally.mean_score) ** 2 + spread
    return float((count * squares).sum()) / (tally.total_count - 1)


def _gaps(one: Tally, other: Tally) -> tuple[Range, float]:
    """Return the ends of the largest gap between two distributions, and where the least one is."""
    places = np.unique(np.concatenate([x for t in (one, other) for x in (t.scores, t.highest)]))
    (low_1, high_1), (low_2, high_2) = (_shares(tally, places) for tally in (one, other))
    sure = np.maximum(np.maximum(low_1 - high_2, low_2 - high_1), 0.0)
    possible = np.maximum(high_1 - low_2, high_2 - low_1)
    k = int(sure.argmax())
    return (float(sure[k]), float(possible.max())), float(places[k])


def _shares(tally: Tally, places: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the least and the most share of scores up to each place."""
    count = np.append(0, np.cumsum((tally.up + tally.right)[::-1])) / tally.total_count
    ended = np.searchsorted(tally.highest[::-1], places, side="right")
    begun = np.searchsorted(tally.scores[::-1], places, side="right")
    return count[ended], count[begun]


def _expected_auc(tally: Tally) -> Bounds:
    """Return the bounds of (N − D/2)/(UR − D), each score being the truth of its item.

    D = Σs(1 − s) is known up to how much the scores of a bucket vary, N up to half the pairs
    inside the buckets. The area rises with N; with D it rises or falls throughout.
    """
    count, mean, spread = _moments(tally)
    up, right = count * mean, count * (1 - mean)
    own = count * mean * (1 - mean)
    least, most = float((own - count * spread).sum()), float(own.sum())
    wide = tally.highest > tally.scores
    unordered = float((up * right - own + count * spread)[wide].sum()) / 2
    heights = np.cumsum(up) - up / 2
    middle, whole = float(heights @ right), float(up.sum() * right.sum())
    found = [
        (pairs - diagonal / 2) / (whole - diagonal)
        for pairs in (middle - unordered, middle + unordered)
        for diagonal in (least, most)
        if whole > diagonal
    ]
    low, high = (min(found), max(found)) if found else (math.nan, math.nan)
    low, high = max(low, 0.0), min(high, 1.0)
    return low, (low + high) / 2, high
