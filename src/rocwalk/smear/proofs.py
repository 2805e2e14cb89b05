"""A proof, in rows that anyone can check, that no width below a certain one matches the target.

Split the area by the sign of D: C(d) over D > 0 falls as d grows, I(d) over D < 0 rises, and tied
pairs add the constant T. With x = 1/d the slope of the area has the sign of M_C − M_I and its
curvature the sign of Q_I − Q_C, where (k = 1 − |D|/d inside the width, or φ(|D|/(σ√2)))

    uniform: M = Σ |D|·k,  Q = Σ_{|D| < d} D²;     normal: M = Σ |D|·k,  Q = Σ |D|³·k,

each over one sign of D; all four rise with d. So the six numbers at the two ends of an interval
bound everything between them. A row names the rule by which its interval is free:

* ``value``: C at one end and I at the other keep the area away from the target;
* ``slope``: the area is monotone there, and misses the target at the end that comes nearer;
* ``bend``: the area is concave in x with both ends above the target, or convex with both below.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.result import Result
from rocwalk.smear.areas import Kernel
from rocwalk.smear.normal import DENSITY, lags_of, signed_sums_of_lags
from rocwalk.smear.pieces import TOLERANCE
from rocwalk.smear.sides import Sides, count_distinct_pairs, distinct_pairs
from rocwalk.smear.uniform import uniform_parts
from rocwalk.tally.tally import read_only
from rocwalk.typing import AnyArray, FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(Result):
    """Rows which prove that no width below `free_below` brings the area within `tolerance`.

    `complete` means that the rows leave no gap. If the match is a tangent or the area is very
    flat, `free_below` is more than 1e-9 below the width: from there on the area is within the
    tolerance or close to it.
    """

    low: FloatArray
    high: FloatArray
    rule: AnyArray
    target: float
    free_below: float
    complete: bool
    kernel: Kernel
    tolerance: float = TOLERANCE

    def __post_init__(self) -> None:
        for name in ("low", "high", "rule"):
            object.__setattr__(self, name, read_only(getattr(self, name)))

    @property
    def rows(self) -> list[tuple[float, float, str]]:
        """The rows as (low, high, rule)."""
        return list(zip(self.low.tolist(), self.high.tolist(), self.rule.tolist(), strict=True))

    @property
    def sentence(self) -> str:
        """What is proved, in words."""
        if self.free_below == 0:
            return "Width 0 matches, so there is nothing to prove below it."
        whole = "proved" if self.complete else "proved except for the rows marked unproved"
        return (
            f"No width below {self.free_below:.9g} brings the area within {self.tolerance:g} of "
            f"{self.target:.6g}: {whole}, in {len(self.low)} rows."
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "free_below": self.free_below,
            "complete": self.complete,
            "target": self.target,
            "tolerance": self.tolerance,
            "kernel": self.kernel.name,
            "sd_per_width": None if self.kernel.is_uniform else self.kernel.sd_per_width,
        }

    def _columns(self) -> dict[str, AnyArray]:
        return {"low": self.low, "high": self.high, "rule": self.rule}


@dataclass(frozen=True, slots=True)
class Levels:
    """The six monotone sums at one width, each as a pair (over D > 0, over D < 0).

    `area` is the area itself; `errors` bound the errors of value, slope, bend and area.
    """

    value: tuple[float, float]
    slope: tuple[float, float]
    bend: tuple[float, float]
    area: float
    errors: tuple[float, float, float, float]


_FEW_PAIRS = 2**20
_MOST_ROWS = 400
_FINEST = 1e-18  # widths below this are not split further


def certificate(sides: Sides, kernel: Kernel, target: float, width: float) -> Certificate:
    """Prove that no width below the given one matches; it may be infinite.

    [0, free_below] is split until one of the three rules holds on every part.
    """
    sides = sides.collapsed
    free_below = _free_below(sides, kernel, target, width)
    if count_distinct_pairs(sides) <= _FEW_PAIRS:
        levels = _levels_of_pairs(sides, kernel)
    else:
        levels = _levels_of_windows(sides) if kernel.is_uniform else _levels_of_lags(sides, kernel)
    known = {end: levels(end) for end in (0.0, free_below)} if free_below else {}
    waiting = [(0.0, free_below)] if free_below else []
    rows: list[tuple[float, float, str]] = []
    while waiting:
        low, high = waiting.pop()
        rule = _rule(known[low], known[high], sides.tied / 2, target)
        ended = high <= low * (1 + 1e-12) or high < _FINEST
        if rule or ended or len(rows) + len(waiting) > _MOST_ROWS:
            rows.append((low, high, rule or "unproved"))
            continue
        if high == math.inf:
            middle = max(4 * low, 1.0)
        elif low == 0:
            middle = high / 8
        else:
            middle = math.sqrt(low * high) if high > 2 * low else (low + high) / 2
        known[middle] = levels(middle)
        waiting += [(middle, high), (low, middle)]
    return Certificate(
        low=np.array([low for low, _, _ in rows]),
        high=np.array([high for _, high, _ in rows]),
        rule=np.array([rule for _, _, rule in rows], dtype=str),
        target=target,
        free_below=free_below,
        complete=all(rule != "unproved" for _, _, rule in rows),
        kernel=kernel,
    )


def _free_below(sides: Sides, kernel: Kernel, target: float, width: float) -> float:
    """Return a width just below the match, where the area is still beyond the tolerance."""

    def clear(d: float) -> bool:
        return abs(kernel.sums(sides, d).area - target) > 2 * TOLERANCE

    if width == math.inf:
        below = 1e9
        if abs(0.5 - target) > 2 * TOLERANCE:
            return math.inf
        while below > 1e-9 and not clear(below):
            below /= 2
        return below
    step = 1e-9
    while step < width and not clear(width - step):
        step *= 2
    return max(width - step, 0.0)


def _rule(a: Levels, b: Levels, tied: float, target: float) -> str | None:
    """Return the rule by which no width between a and b matches, if one of the three does."""
    unsure = [one + other for one, other in zip(a.errors, b.errors, strict=True)]
    margin = TOLERANCE + unsure[0]
    lowest, highest = b.value[0] + a.value[1] + tied, a.value[0] + b.value[1] + tied
    if lowest > target + margin or highest < target - margin:
        return "value"
    margin = TOLERANCE + unsure[3]
    above = [levels.area > target + margin for levels in (a, b)]
    below = [levels.area < target - margin for levels in (a, b)]
    falls = a.slope[0] >= b.slope[1] + unsure[1]
    rises = b.slope[0] <= a.slope[1] - unsure[1]
    if (falls and (above[1] or below[0])) or (rises and (above[0] or below[1])):
        return "slope"
    concave = a.bend[0] >= b.bend[1] + unsure[2]
    convex = b.bend[0] <= a.bend[1] - unsure[2]
    if (concave and all(above)) or (convex and all(below)):
        return "bend"
    return None


# -- the six sums at a width: from pairs, from windows of sorted scores, or from lags --------------


_ROUNDING = 1e-14
_BINS = 2**17


def _levels_of_pairs(sides: Sides, kernel: Kernel) -> Callable[[float], Levels]:
    from scipy.special import ndtr

    difference, share = distinct_pairs(sides)
    parts = [(np.abs(difference[side]), share[side]) for side in (difference > 0, difference < 0)]

    def levels(width: float) -> Levels:
        sums = []
        for size, share in parts:
            if width == 0:
                sums.append([float(share.sum()), 0.0, 0.0])
                continue
            if kernel.is_uniform:
                with np.errstate(over="ignore"):
                    c = np.minimum(size / width, 1.0)
                shares = 0.5 + c - c * c / 2
                moments = size * (1 - c), np.where(size < width, size**2, 0.0)
            else:
                with np.errstate(over="ignore"):
                    z = np.minimum(size / kernel.spread(width), 40.0)
                bell = np.exp(-0.5 * z * z) * DENSITY
                shares = ndtr(z)
                moments = size * bell, size**3 * bell
            sums.append([float((share * each).sum()) for each in (shares, *moments)])
        over, under = sums
        value = (over[0], float(parts[1][1].sum()) - under[0])
        area = value[0] + value[1] + sides.tied / 2
        return Levels(value, (over[1], under[1]), (over[2], under[2]), area, (_ROUNDING,) * 4)

    return levels


def _levels_of_windows(sides: Sides) -> Callable[[float], Levels]:
    def levels(width: float) -> Levels:
        if width == 0:
            return _levels_at_zero(sides)
        if width == math.inf:
            over, under, error = uniform_parts(sides, 2.0)  # wider than any |D|
            return Levels(
                value=(sides.concordant / 2, (1.0 - sides.tied - sides.concordant) / 2),
                slope=(2 * over.first, 2 * under.first),
                bend=(4 * over.second, 4 * under.second),
                area=0.5,
                errors=(_ROUNDING, 2 * error, 4 * error, 0.0),
            )
        over, under, error = uniform_parts(sides, width)
        value = (
            over.beyond + over.near / 2 + over.first - over.second / 2,
            under.near / 2 - under.first + under.second / 2,
        )
        slope = (width * (over.first - over.second), width * (under.first - under.second))
        bend = (width**2 * over.second, width**2 * under.second)
        area = value[0] + value[1] + sides.tied / 2
        return Levels(value, slope, bend, area, (error, width * error, width**2 * error, error))

    return levels


def _levels_of_lags(sides: Sides, kernel: Kernel) -> Callable[[float], Levels]:
    lags = lags_of(sides, _BINS, 3)

    def levels(width: float) -> Levels:
        if width == 0:
            return _levels_at_zero(sides)
        if width == math.inf:  # φ(0)·Σ |D| and φ(0)·Σ |D|³
            scales = [DENSITY * lags.step**power for power in (1, 3)]
            (over, under), (over_cubed, under_cubed) = lags.absolute_moments
            unsure = [scale * float(lags.gross[0]) + 8 * lags.noise for scale in scales]
            return Levels(
                value=(sides.concordant / 2, (1.0 - sides.tied - sides.concordant) / 2),
                slope=(scales[0] * over, scales[0] * under),
                bend=(scales[1] * over_cubed, scales[1] * under_cubed),
                area=0.5,
                errors=(_ROUNDING, unsure[0], unsure[1], 0.0),
            )
        sums = kernel.sums(sides, width)
        value, slope, bend, errors = signed_sums_of_lags(lags, kernel.spread(width))
        return Levels(value, slope, bend, sums.area, (errors[0], errors[1], errors[2], sums.error))

    return levels


def _levels_at_zero(sides: Sides) -> Levels:
    none = (0.0, 0.0)
    return Levels((sides.concordant, 0.0), none, none, sides.auc, (_ROUNDING,) * 4)
