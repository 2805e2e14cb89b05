"""Read a curve at a rate or at a threshold.

A curve is a polyline that never falls. Where it is vertical, the highest TPR is read; where it is
horizontal, the lowest FPR.
"""

from __future__ import annotations

import numpy as np

from rocwalk.errors import OptionError, TallyError, as_number
from rocwalk.measure.bounds import EXACT_TALLY
from rocwalk.typing import BoolArray, FloatArray, IntArray
from rocwalk.walk.curve import Walk


def highest_tpr(walk: Walk, fpr: FloatArray) -> FloatArray:
    """Return the highest TPR of the curve at each false positive rate."""
    before = np.searchsorted(walk.fpr, fpr, side="right") - 1
    after = np.minimum(before + 1, len(walk) - 1)
    return _between(walk.tpr, before, after, shares(walk.fpr, before, after, fpr))


def lowest_fpr(walk: Walk, tpr: FloatArray) -> FloatArray:
    """Return the lowest FPR of the curve at each true positive rate."""
    after = np.searchsorted(walk.tpr, tpr, side="left")
    before = np.maximum(after - 1, 0)
    return _between(walk.fpr, before, after, shares(walk.tpr, before, after, tpr))


def shares(rates: FloatArray, before: IntArray, after: IntArray, at: FloatArray) -> FloatArray:
    """Return how far `at` lies on the way from point `before` to point `after`, in [0, 1]."""
    run = rates[after] - rates[before]
    return np.divide(at - rates[before], run, out=np.zeros_like(run), where=run > 0)


def _between(
    values: FloatArray, before: IntArray, after: IntArray, share: FloatArray
) -> FloatArray:
    return np.where(
        share == 1.0, values[after], values[before] + share * (values[after] - values[before])
    )


def index_at(walk: Walk, threshold: FloatArray) -> IntArray:
    """Return the index of the point that predicts positive for every score ≥ threshold.

    A threshold that cuts a step of several scores in two has no point.
    """
    index = index_above(walk, threshold)
    if walk.highest is not None:
        _refuse_inside_steps(walk, np.atleast_1d(index), np.atleast_1d(threshold))
    return index


def index_above(walk: Walk, threshold: FloatArray) -> IntArray:
    """Return the index of the last point whose threshold is not below the one that is asked."""
    refuse_without_thresholds(walk)
    return np.searchsorted(-walk.thresholds, -np.asarray(threshold), side="right") - 1


def inside_steps(walk: Walk, index: IntArray, threshold: FloatArray) -> BoolArray:
    """Say which thresholds cut the step that follows point `index` in two."""
    highest = walk.thresholds if walk.highest is None else walk.highest
    after = np.minimum(index + 1, len(walk) - 1)
    inside: BoolArray = (walk.thresholds[after] < threshold) & (threshold <= highest[after])
    return inside


def _refuse_inside_steps(walk: Walk, index: IntArray, threshold: FloatArray) -> None:
    inside = inside_steps(walk, index, threshold)
    if not inside.any() or walk.highest is None:
        return
    first = int(np.argmax(inside))
    low, high = walk.thresholds[index[first] + 1], walk.highest[index[first] + 1]
    if not walk.is_exact:
        raise TallyError(
            f"threshold={threshold[first]:g} lies inside the step from {high:g} down to {low:g}, "
            "whose scores are not told apart: this tally is bucketed.",
            f"read it at an end of a bucket, or {EXACT_TALLY}.",
        )
    raise OptionError(
        f"threshold={threshold[first]:g} lies inside the step from {high:g} down to {low:g}, "
        "whose scores are not told apart.",
        "read the curve at one of its own thresholds, or use the exact curve.",
    )


def refuse_without_thresholds(walk: Walk) -> None:
    """Raise if the curve has no thresholds, as an average over rates has none."""
    if np.isnan(walk.thresholds[-1]):
        raise OptionError(
            "This averaged curve has no thresholds.",
            'use how="threshold" when averaging, or read the curve at fpr= or tpr=.',
        )


def check_rate(name: str, value: float) -> float:
    """Raise unless the value is a rate in [0, 1]."""
    rate = as_number(name, value)
    if not 0 <= rate <= 1:
        raise OptionError(f"{name}={value!r} is outside [0, 1].", f"pass a rate as {name}.")
    return rate
