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
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.result import Result
from rocwalk.smear.kernels import WidthKernel
from rocwalk.smear.levels import Levels
from rocwalk.smear.pieces import TOLERANCE
from rocwalk.smear.sides import Sides
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
    kernel: WidthKernel
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
            "sd_per_width": self.kernel.deviations,
        }

    def _columns(self) -> dict[str, AnyArray]:
        return {"low": self.low, "high": self.high, "rule": self.rule}


_MOST_ROWS = 400
_FINEST = 1e-18  # widths below this are not split further


def certificate(sides: Sides, kernel: WidthKernel, target: float, width: float) -> Certificate:
    """Prove that no width below the given one matches; it may be infinite.

    [0, free_below] is split until one of the three rules holds on every part.
    """
    free_below = _free_below(sides, kernel, target, width)
    levels = kernel.levels(sides)
    known = {end: levels(end) for end in (0.0, free_below)} if free_below else {}
    waiting = [(0.0, free_below)] if free_below else []
    rows: list[tuple[float, float, str]] = []
    while waiting:
        low, high = waiting.pop()
        rule = _rule(known[low], known[high], target)
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


def _free_below(sides: Sides, kernel: WidthKernel, target: float, width: float) -> float:
    """Return a width just below the match, where the area is still beyond the tolerance."""

    def clear(d: float) -> bool:
        return abs(kernel.sums(sides, d).area - target) > 2 * TOLERANCE

    if width == math.inf:
        below = 1e9
        if clear(math.inf):
            return math.inf
        while below > 1e-9 and not clear(below):
            below /= 2
        return below
    step = 1e-9
    while step < width and not clear(width - step):
        step *= 2
    return max(width - step, 0.0)


def _rule(a: Levels, b: Levels, target: float) -> str | None:
    """Return the rule by which no width between a and b matches, if one of the three does."""
    unsure = [one + other for one, other in zip(a.errors, b.errors, strict=True)]
    margin = TOLERANCE + unsure[0]
    lowest = b.value[0] + a.value[1] + a.constant
    highest = a.value[0] + b.value[1] + a.constant
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
