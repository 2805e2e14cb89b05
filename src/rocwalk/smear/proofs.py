"""A proof, in rows that anyone can check, that no width below a certain one matches the target.

Split the area by the sign of D: C(d) over D > 0 falls as d grows, I(d) over D < 0 rises, and tied
pairs add the constant T. With x = 1/d the slope of the area has the sign of M_C − M_I and its
curvature the sign of Q_I − Q_C, where (k = 1 − |D|/d inside the width, or φ(|D|/(σ√2)))

    uniform: M = Σ |D|·k,  Q = Σ_{|D| < d} D²;     normal: M = Σ |D|·k,  Q = Σ |D|³·k,

each over one sign of D; all four rise with d. So the six numbers at the two ends of an interval
bound everything between them. A row says by which of three rules its interval is free:

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
from rocwalk.smear.normal import Lags, lags_of, signed_sums_of_lags
from rocwalk.smear.pieces import TOLERANCE
from rocwalk.smear.sides import Sides, count_distinct_pairs, distinct_pairs
from rocwalk.smear.uniform import uniform_parts
from rocwalk.tally.tally import read_only
from rocwalk.typing import AnyArray, FloatArray

_FEW_PAIRS = 2**20


_BINS = 2**17


_MOST_ROWS = 400


_FINEST = 1e-18  # widths below this are not split further


_ROUNDING = 1e-14


_DENSITY = 1 / math.sqrt(2 * math.pi)


@dataclass(frozen=True, slots=True)
class Levels:
    """The six monotone sums at one width: a middle, and how far each may be off.

    Each is a pair (over D > 0, over D < 0); `area` is the area itself.
    """

    value: tuple[float, float]
    slope: tuple[float, float]
    bend: tuple[float, float]
    area: float
    errors: tuple[float, float, float, float]


@dataclass(frozen=True, eq=False, repr=False)
class Certificate(Result):
    """Rows that prove: no width below `free_below` brings the area within `tolerance`.

    `complete` says that the rows leave no gap. If the match is a tangent or the area is very
    flat, `free_below` is less than the width by more than 1e-9: from there on the area is
    within the tolerance already, or about to be.
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
            return "Width 0 matches already, so there is nothing to prove below it."
        whole = "proved" if self.complete else "proved but for the rows marked unproved"
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


def certificate(sides: Sides, kernel: Kernel, target: float, width: float) -> Certificate:
    """Prove that no width below the given one matches; it may be infinite."""
    sides = sides.collapsed
    free_below = _free_below(sides, kernel, target, width)
    rows = _rows(_levels(sides, kernel), sides.tied / 2, target, free_below)
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
    """Return a width just below the match, where the area is beyond the tolerance still."""

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


def _rows(
    levels: Callable[[float], Levels], tied: float, target: float, upto: float
) -> list[tuple[float, float, str]]:
    """Split [0, upto] until a rule holds on every part."""
    if upto == 0:
        return []
    known = {0.0: levels(0.0), upto: levels(upto)}
    waiting = [(0.0, upto)]
    rows: list[tuple[float, float, str]] = []
    while waiting:
        low, high = waiting.pop()
        rule = _rule(known[low], known[high], tied, target)
        ended = high <= low * (1 + 1e-12) or high < _FINEST
        if rule or ended or len(rows) + len(waiting) > _MOST_ROWS:
            rows.append((low, high, rule or "unproved"))
            continue
        middle = _middle(low, high)
        known[middle] = levels(middle)
        waiting += [(middle, high), (low, middle)]
    return rows


def _middle(low: float, high: float) -> float:
    if high == math.inf:
        return max(4 * low, 1.0)
    if low == 0:
        return high / 8
    return math.sqrt(low * high) if high > 2 * low else (low + high) / 2


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


# -- the six sums --------------------------------------------------------------------------------


def _levels(sides: Sides, kernel: Kernel) -> Callable[[float], Levels]:
    if count_distinct_pairs(sides) <= _FEW_PAIRS:
        return _levels_of_pairs(sides, kernel)
    return _levels_of_windows(sides) if kernel.is_uniform else _levels_of_lags(sides, kernel)


def _levels_of_pairs(sides: Sides, kernel: Kernel) -> Callable[[float], Levels]:
    difference, share = distinct_pairs(sides)
    parts = [(np.abs(difference[side]), share[side]) for side in (difference > 0, difference < 0)]

    def levels(width: float) -> Levels:
        sums = [_sums(size, share, kernel, width) for size, share in parts]
        value = (sums[0][0], float(parts[1][1].sum()) - sums[1][0])
        pairs = [(sums[0][k], sums[1][k]) for k in (1, 2)]
        area = value[0] + value[1] + sides.tied / 2
        return Levels(value, pairs[0], pairs[1], area, (_ROUNDING,) * 4)

    return levels


def _sums(
    size: FloatArray, share: FloatArray, kernel: Kernel, width: float
) -> tuple[float, float, float]:
    """Return Σ g(|D|), Σ |D|·k and Σ D²·[|D| < d] (or Σ |D|³·k) over one sign of D."""
    from scipy.special import ndtr

    if width == 0:
        return float(share.sum()), 0.0, 0.0
    if kernel.is_uniform:
        with np.errstate(over="ignore"):
            c = np.minimum(size / width, 1.0)
        inside = size < width
        value = 0.5 + c - c * c / 2
        moments = size * (1 - c), np.where(inside, size**2, 0.0)
    else:
        with np.errstate(over="ignore"):
            z = np.minimum(size / kernel.spread(width), 40.0)
        bell = np.exp(-0.5 * z * z) * _DENSITY
        value = ndtr(z)
        moments = size * bell, size**3 * bell
    first, second = (float((share * moment).sum()) for moment in moments)
    return float((share * value).sum()), first, second


def _levels_of_windows(sides: Sides) -> Callable[[float], Levels]:
    def levels(width: float) -> Levels:
        if width in (0.0, math.inf):
            return _limits(sides, width)
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


def _limits(sides: Sides, width: float) -> Levels:
    """Return the levels at width 0 and, for the uniform kernel, at infinity."""
    more = sides.auc - sides.tied / 2
    if width == 0:
        return Levels((more, 0.0), (0.0, 0.0), (0.0, 0.0), sides.auc, (_ROUNDING,) * 4)
    over, under, error = uniform_parts(sides, 2.0)  # wider than any |D|
    less = 1.0 - sides.tied - more
    return Levels(
        value=(more / 2, less / 2),
        slope=(2 * over.first, 2 * under.first),
        bend=(4 * over.second, 4 * under.second),
        area=0.5,
        errors=(_ROUNDING, 2 * error, 4 * error, 0.0),
    )


def _levels_of_lags(sides: Sides, kernel: Kernel) -> Callable[[float], Levels]:
    lags = lags_of(sides, _BINS, 3)

    def levels(width: float) -> Levels:
        if width == 0:
            return _limits(sides, width)
        if width == math.inf:
            return _limits_of_lags(sides, lags)
        sums = kernel.sums(sides, width)
        spread = kernel.spread(width)
        value, slope, bend, errors = signed_sums_of_lags(lags, spread)
        return Levels(value, slope, bend, sums.area, (errors[0], errors[1], errors[2], sums.error))

    return levels


def _limits_of_lags(sides: Sides, lags: Lags) -> Levels:
    """Return the levels of the normal kernel at infinity: φ(0)·Σ |D| and φ(0)·Σ |D|³."""
    k = np.arange(lags.over.shape[1])[1:]
    sums = []
    for moments, sign in ((lags.over, 1.0), (lags.under, -1.0)):
        m0, m1, m2, m3 = moments[:, 1:]
        cubes = k**3 * m0 + sign * 3 * k**2 * m1 + 3 * k * m2 + sign * m3
        sums.append((float((k * m0 + sign * m1).sum()), float(cubes.sum())))
    scales = [_DENSITY * lags.step**power for power in (1, 3)]
    slope, bend = (
        (scale * sums[0][power], scale * sums[1][power]) for power, scale in enumerate(scales)
    )
    unsure = [scale * float(lags.gross[0]) + 8 * lags.noise for scale in scales]
    more = sides.auc - sides.tied / 2
    value = (more / 2, (1.0 - sides.tied - more) / 2)
    return Levels(value, slope, bend, 0.5, (_ROUNDING, unsure[0], unsure[1], 0.0))
