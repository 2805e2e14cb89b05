"""The matched concentration: where the area of beta distributions equals the probabilistic AUC.

With τ = ln κ the area has |A″(τ)| ≤ 2.35 (`_BEND`), for every sample. So two areas on a step of
length Δ prove that it holds no match, if both are on one side of A_p by more than 2.35·Δ²/8; or
exactly one, if they are on different sides and the slope between them exceeds 2.35·Δ/2. Other
steps are halved. Below a small κ and above a large one the area is within a bound of its limits.
The proofs are in docs/mathematics.rst, The matched concentration.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rocwalk.read.arrays import evidence_of
from rocwalk.result import Result
from rocwalk.smear.beta import beta_scores
from rocwalk.smear.sides import EPS, Sides, both_sides_of, near_counts
from rocwalk.smear.widths import width_text
from rocwalk.typing import AnyArray, ArrayLike, FloatArray, Invalid, Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BEND = 2.35  # sup |A″(ln κ)|: ½·√22
_LEAST_STEP = 1e-4  # of ln κ; shorter steps are left as doubts
_FIRST_STEP = 1.0
_AREAS = 120, 400  # are computed at most, of many and of few rows; the rest is left as doubts
_ROWS = 400_000  # in all of these areas, where rows are not so many
_NEWTONS = 60
_LEAST, _MOST = 1e-9, 1e12


@dataclass(frozen=True, eq=False, repr=False)
class ConcentrationMatch(Result):
    """The concentrations κ at which Area(κ) equals the probabilistic AUC, or the nearest one.

    Make one with `rocwalk.matched_concentration`. `concentrations` has all of them in decreasing
    order: the least smearing first; `inf` if the AUC itself equals the probabilistic AUC.
    `complete` says whether it is proved that no other exists; `doubts` has the intervals (low,
    high) of κ where that could not be decided, such as where the area only touches the target.
    If the area is the same at all of them, it is `constant`: then every κ matches, or none.
    """

    sides: Sides
    concentrations: tuple[float, ...]
    nearest_concentration: float
    gap: float
    tolerance: float
    doubts: tuple[tuple[float, float], ...] = ()
    constant: bool = False

    @property
    def complete(self) -> bool:
        """Whether it is proved that no match was missed."""
        return not self.doubts

    @property
    def exists(self) -> bool:
        """Whether any concentration matches."""
        return bool(self.concentrations)

    @property
    def concentration(self) -> float | None:
        """The largest concentration that matches, or None."""
        return self.concentrations[0] if self.concentrations else None

    @property
    def auc(self) -> float:
        """Area(∞)."""
        return self.sides.auc

    @property
    def target(self) -> float:
        """The probabilistic AUC, A_p."""
        return self.sides.probabilistic_auc

    @cached_property
    def limit(self) -> float:
        """The limit of the area for small concentrations; it is not A_p."""
        return beta_scores([(0.0, self.sides)]).area()[0]

    def areas(self, concentrations: AnyArray) -> FloatArray:
        """Return Area(κ) at many concentrations."""
        asked = np.asarray(concentrations, dtype=np.float64)
        return np.array([_area(self.sides, float(one))[0] for one in asked])

    @property
    def sentence(self) -> str:
        """What the concentrations are and what they mean, in words."""
        names = f"the AUC of {self.auc:.4g} into the probabilistic AUC of {self.target:.4g}"
        if self.exists and self.constant:
            return f"The area is {self.auc:.4g}, the probabilistic AUC, at every concentration."
        if not self.exists:
            side = "falls short of it" if self.gap < 0 else "exceeds it"
            nearest = width_text(self.nearest_concentration)
            words = (
                f"No concentration turns {names}; the nearest, {nearest}, {side} by "
                f"{abs(self.gap):.2g}"
            )
        elif self.concentrations[0] == math.inf:
            words = f"The AUC and the probabilistic AUC are both {self.auc:.4g} without smearing"
        else:
            first, *others = map(width_text, self.concentrations)
            words = f"Beta distributions of concentration {first} turn {names}"
            words += f"; so does {', '.join(others)}" if others else ""
        if self.complete:
            return f"{words}."
        low, high = map(width_text, self.doubts[0])
        return f"{words}. Others from {low} to {high} are not ruled out."

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw Area(κ) against κ, with the AUC, both limits and all matches marked.

        Parameters
        ----------
        ax
            Where to draw; by default a new picture.
        options
            Passed on to matplotlib, such as ``color`` or ``alpha``.
        """
        from rocwalk.smear.plot import draw_concentrations

        return draw_concentrations(self, ax, **options)

    def _headline(self) -> dict[str, Any]:
        return {
            "exists": self.exists,
            "concentration": self.concentration,
            "concentrations": self.concentrations,
            "target": self.target,
            "gap": self.gap,
            "nearest_concentration": self.nearest_concentration,
            "complete": self.complete,
            "constant": self.constant,
            "auc": self.auc,
            "limit": self.limit,
        }


def matched_concentration(
    y_true: ArrayLike,
    y_prob: ArrayLike = None,
    *,
    sample_weight: ArrayLike = None,
    pos_label: Any = None,
    truth: Truth = "auto",
    invalid: Invalid = "raise",
) -> ConcentrationMatch:
    """Return all concentrations κ at which the area of beta distributions is the probabilistic AUC.

    Each score s becomes Beta(κs, κ(1−s)). The area runs from a limit at κ → 0, which is not the
    probabilistic AUC, to the AUC at κ → ∞. So a match often does not exist; there may be several.

    Parameters
    ----------
    y_true, y_prob
        Labels or soft truth, and probabilities in [0, 1], with both classes. Or one `Tally` that is
        not bucketed.
    sample_weight
        Weights of the rows, not negative; rows of weight 0 are left out.
    pos_label
        The label of the positive class; needed unless labels are 0/1, −1/1 or booleans.
    truth
        "hard" for labels, "soft" for probabilities, "auto" for whichever `y_true` holds.
    invalid
        "raise", or "drop" to leave out rows with a missing or unusable value, with a warning.

    Returns
    -------
    ConcentrationMatch
        `.exists .concentration .concentrations .nearest_concentration .gap .complete .doubts
        .areas() .plot()`.

    References
    ----------
    The kernel and its limits: docs/mathematics.rst, The beta kernel.

    Examples
    --------
    >>> import rocwalk as rw
    >>> none = rw.matched_concentration([1, 0, 1, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.2])
    >>> none.exists, none.complete, none.nearest_concentration, round(none.gap, 6)
    (False, True, 0.0, 0.070048)
    >>> found = rw.matched_concentration([1, 0, 1], [0.9, 0.5, 0.4])
    >>> [round(one, 4) for one in found.concentrations], found.complete
    ([52.1309], True)
    """
    data = evidence_of(y_true, y_prob, sample_weight, pos_label, truth, invalid)
    return match_concentration(both_sides_of(data))


def match_concentration(sides: Sides) -> ConcentrationMatch:
    """Find all concentrations at which Area(κ) equals A_p, or the nearest one."""
    target = sides.probabilistic_auc
    known: dict[float, tuple[float, float]] = {}

    def gap(log: float) -> tuple[float, float]:
        if log not in known:
            area, error = _area(sides, math.exp(log))
            known[log] = area - target, error
        return known[log]

    at_zero, error = _area(sides, 0.0)
    tolerance = max(1e-12, 2 * error)
    ends = {0.0: at_zero - target, math.inf: sides.auc - target}
    found, doubts = [], []
    if abs(ends[math.inf]) <= 1e-12:
        found.append(math.inf)
    inside = sides.log_odds.finite
    # in each pair a score is 0 or 1, or both are equal: the area is the same for all κ
    settled = inside is None or inside.ends[0] == inside.ends[1]
    if settled or _balanced(sides):
        nearest, matches = math.inf, tuple(found)
        return ConcentrationMatch(sides, matches, nearest, ends[nearest], tolerance, constant=True)
    low, high = _lower_end(abs(ends[0.0]) - tolerance), _upper_end(sides, abs(ends[math.inf]))
    if low == _LEAST:
        doubts.append((0.0, _LEAST))
    if high == _MOST:
        doubts.append((_MOST, math.inf))
    count = max(math.ceil(math.log(high / low) / _FIRST_STEP), 1)
    edges = np.linspace(math.log(low), math.log(high), count + 1).tolist()
    rows = len(sides.positive) + len(sides.negative)
    most = min(max(_ROWS // rows, _AREAS[0]), _AREAS[1])
    waiting = deque(pairwise(edges))  # the widest first, so that what is left at the end is narrow
    while waiting:
        begin, end = waiting.popleft()
        if len(known) >= most:
            doubts.append((math.exp(begin), math.exp(end)))
            continue
        (one, one_error), (other, other_error) = gap(begin), gap(end)
        step, unsure = end - begin, one_error + other_error
        if one * other > 0 and min(abs(one), abs(other)) > _BEND * step**2 / 8 + unsure:
            continue
        if one * other < 0 and abs(one - other) > _BEND * step**2 / 2 + 2 * unsure:
            found.append(math.exp(_crossing(gap, begin, end)))
            continue
        if step <= _LEAST_STEP:
            doubts.append((math.exp(begin), math.exp(end)))
            continue
        waiting += [(begin, (begin + end) / 2), ((begin + end) / 2, end)]
    gaps = ends | {math.exp(log): value for log, (value, _) in known.items()}
    nearest = max(found) if found else min(gaps, key=lambda one: abs(gaps[one]))
    off = gaps[nearest] if nearest in gaps else _area(sides, nearest)[0] - target
    return ConcentrationMatch(
        sides, tuple(sorted(found, reverse=True)), nearest, off, tolerance, _joined(doubts)
    )


def _area(sides: Sides, concentration: float) -> tuple[float, float]:
    if concentration == math.inf:
        return sides.auc, 1e-15
    return beta_scores([(concentration, sides)]).area()


def _balanced(sides: Sides) -> bool:
    """Whether the area is ½ at every κ: both classes have the same scores, or each its mirror's.

    P(X_a > X_b) + P(X_b > X_a) = 1, and 1 − X_s is distributed as X_{1−s}. Scores that differ by
    rounding count as equal.
    """
    up, right = sides.positive.distinct, sides.negative.distinct
    return _equal(up, right) or (_equal(up, _mirrored(up)) and _equal(right, _mirrored(right)))


Masses = tuple[FloatArray, FloatArray]  # distinct scores in increasing order, and their shares


def _mirrored(side: Masses) -> Masses:
    return 1.0 - side[0][::-1], side[1][::-1]


def _equal(one: Masses, other: Masses) -> bool:
    """Whether all scores, their distances from 1 and their shares agree but for rounding."""
    if len(one[0]) != len(other[0]):
        return False
    columns = [(scores, 1.0 - scores, shares) for scores, shares in (one, other)]
    pairs = zip(*columns, strict=True)
    return all(np.allclose(a, b, rtol=64 * EPS, atol=0.0) for a, b in pairs)


def _lower_end(gap: float) -> float:
    """Return a κ below which |Area(κ) − Area(0)| ≤ 1.29κ + 1.65κ² is smaller than the gap."""
    low = 1.0
    while low > _LEAST and 1.29 * low + 1.65 * low**2 >= gap:
        low /= 2
    return max(low, _LEAST)


def _upper_end(sides: Sides, gap: float) -> float:
    """Return a κ above which |Area(κ) − AUC| is smaller than the gap.

    A pair at a distance D is in the wrong order with probability exp(−(κ + 1)·D²) at most, because
    a beta distribution is sub-Gaussian with a variance of 1/(4(κ + 1)); nearer pairs may be.
    """
    if gap <= 1e-12:
        return _MOST
    distance = 0.5
    for _ in range(60):
        low, high = near_counts(sides, distance)
        left, right = sides.places
        near = sides.many.before(high) - sides.many.before(low)
        near -= sides.many.before(right) - sides.many.before(left)
        share = sides.few.weigh(near)
        if share < gap / 2:
            return min(max(math.log(2 / gap) / distance**2, 2.0), _MOST)
        distance /= 2
    return _MOST


def _crossing(gap: Callable[[float], tuple[float, float]], low: float, high: float) -> float:
    """Return the one zero between two values of opposite signs: the secant, kept inside."""
    below, above = gap(low)[0], gap(high)[0]
    for k in range(_NEWTONS):
        middle = low + (high - low) * below / (below - above)
        if k % 3 == 2:
            middle = (low + high) / 2
        value = gap(middle)[0]
        if abs(value) <= 1e-15 or high - low <= 1e-12 * max(abs(low), 1.0):
            return middle
        if (value > 0) == (below > 0):
            low, below = middle, value
        else:
            high, above = middle, value
    return low + (high - low) * below / (below - above)


def _joined(doubts: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return intervals in increasing order, those that touch as one."""
    joined: list[tuple[float, float]] = []
    for low, high in sorted(doubts):
        if joined and low <= joined[-1][1] * (1 + 1e-9):
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)
