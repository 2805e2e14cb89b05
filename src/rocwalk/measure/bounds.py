"""What a bucketed tally leaves open: bounds on a number, or a refusal by name (SPEC §10).

The order inside a bucket is unknown, so the exact walk is any one between two extreme walks. A
number that never falls when the curve rises lies between its values on the two.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rocwalk.errors import TallyError
from rocwalk.typing import Bounds, FloatArray
from rocwalk.walk.curve import Walk
from rocwalk.walk.tally import Tally

EXACT_TALLY = "make the tally without buckets: in rocwalk.tallies, raise limit="


def rising_bounds(walk: Walk, measure: Callable[[Walk], float]) -> Bounds:
    """Return the bounds of a number that never falls when the curve rises."""
    value = measure(walk)
    if walk.is_exact:
        return value, value, value
    low, high = (measure(extreme) for extreme in walk.extremes)
    return in_order(low, value, high)


def falling_bounds(walk: Walk, measure: Callable[[Walk], float]) -> Bounds:
    """Return the bounds of a number that never rises when the curve rises."""
    low, value, high = rising_bounds(walk, lambda one: -measure(one))
    return -high, -value, -low


def in_order(low: float, value: float, high: float) -> Bounds:
    """Return the three with the value between the others, which rounding might undo."""
    return float(np.minimum(low, value)), float(value), float(np.maximum(high, value))


def slack_of(bounds: Bounds) -> float:
    """Return how far the middle may be from the exact value at most."""
    low, value, high = bounds
    return float(np.fmax(high - value, value - low))  # an infinite middle less itself is NaN


def columns_in_order(
    low: FloatArray, value: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return three columns with the value between the others, which rounding might undo."""
    return np.minimum(low, value), value, np.maximum(high, value)


def refuse_buckets(tally: Tally, what: str, needs: str = "every score") -> None:
    """Raise if the tally is bucketed, naming what needs every score."""
    if tally.is_bucketed:
        raise TallyError(f"{what} needs {needs}, and this tally is bucketed.", f"{EXACT_TALLY}.")
