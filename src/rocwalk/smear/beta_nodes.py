"""Rows of beta distributions as nodes: few weighted scores that act like many.

As a function of s the survival function of Beta(κs, κ(1−s)) is analytic, so that a class of many
rows acts like a few weighted Chebyshev points for each interval of scores, with a bound on the
error (docs/mathematics.rst, The beta kernel). Few rows stay as they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.inference.distributions import stirling_rest
from rocwalk.smear.sides import Side
from rocwalk.typing import FloatArray, IntArray

NODES = 16  # Chebyshev points of an interval of scores, and of a panel of log-odds
RADII = (1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 5.6, 7.0, 9.0, 12.0, 16.0)  # of Bernstein ellipses
TINY = 1e-300  # a product κ·s below this is as good as it
_ARCS = 12
_MOST_PARTS = 2**24  # of an interval between two powers of ½


# -- Chebyshev points on [−1, 1] -------------------------------------------------------------------

_ANGLES = (np.arange(NODES) + 0.5) * (math.pi / NODES)
POINTS = np.cos(_ANGLES)[::-1]
SERIES = np.cos(np.outer(np.arange(NODES), _ANGLES[::-1])) * (2.0 / NODES)  # values to series
SERIES[0] /= 2


# -- nodes -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Nodes:
    """Scores in (0, 1) in increasing order, of one concentration, with the share of each class.

    `rest` is 1 − score without rounding. `errors` bound what the survival functions of the two
    classes (TPR, FPR) lose by the nodes; 0 where the nodes are the scores themselves. Shares of
    Chebyshev points may be negative.
    """

    concentration: float
    scores: FloatArray
    rest: FloatArray
    shares: FloatArray  # a row for each class: up, right
    errors: FloatArray
    reach: float  # a density is left out where it is below exp(−reach) of its maximum

    @cached_property
    def place(self) -> FloatArray:
        """The log-odds of the scores."""
        return np.log(self.scores) - np.log(self.rest)

    @cached_property
    def angle(self) -> FloatArray:
        """θ with sin²θ = s: a density of the log-odds L is small unless their angles are close."""
        return np.arctan2(np.sqrt(self.scores), np.sqrt(self.rest))

    @property
    def turn(self) -> float:
        """The largest difference of angles at which a density counts: D ≥ −2·ln cos Δθ."""
        return math.acos(math.exp(-self.reach / 2 / max(self.concentration, 1e-9)))

    @property
    def cut(self) -> float:
        """A bound on the mass of a density that is left out: κD ≥ reach leaves e^(−0.9·reach) of
        the mass of a density of a tenth of the concentration, at ten times the height or less.
        """
        return 10 * math.exp(-0.9 * self.reach)

    @cached_property
    def height(self) -> FloatArray:
        """C(s), the maximum of each density, by Stirling's series so that nothing cancels."""
        k = self.concentration
        low, high = np.maximum(k * self.scores, TINY), np.maximum(k * self.rest, TINY)
        parts = stirling_rest(low) + stirling_rest(high) - stirling_rest(np.array([k]))
        height: FloatArray = np.sqrt(low) * np.sqrt(high / (2 * math.pi * k)) * np.exp(-parts)
        return height

    def exponents(self, index: IntArray, positions: FloatArray) -> FloatArray:
        """Return −κ·D(s‖σ(L)) of nodes at positions on the axis, which are broadcast."""
        s, distance = self.scores[index], positions - self.place[index]
        found = s * positions - np.logaddexp(0.0, positions) - self._own[index]
        near = np.abs(distance) < 1
        s, distance = np.broadcast_to(s, near.shape)[near], distance[near]
        found[near] = s * distance - np.log1p(s * np.expm1(distance))
        found *= self.concentration
        return found

    @cached_property
    def _own(self) -> FloatArray:
        """s·ln s + (1 − s)·ln(1 − s)."""
        own: FloatArray = self.scores * np.log(self.scores) + self.rest * np.log(self.rest)
        return own


@dataclass(frozen=True, slots=True)
class Precision:
    """How far a computation goes: few rows to the last digits, many to a stated error."""

    interval: float  # the error of an interval of scores; 0 if its scores stay as they are
    panel: float  # the error of a panel, in units of the largest density
    reach: float  # a density is left out where it is below exp(−reach) of its maximum


FINE = Precision(1e-12, 1e-14, 44.0)
COARSE = Precision(1e-8, 1e-11, 26.0)
FEW = 2_000  # scores, up to which the last digits cost little
_NODES_FROM = 1_024  # scores below or above ½, from which nodes take their place


def nodes_of(concentration: float, sides: tuple[Side, Side], precision: Precision) -> Nodes:
    """Return the nodes of the scores in (0, 1) of the two classes (up, right).

    The scores below ½ and those above, by their distance from 1, are put into intervals between
    powers of ½, and these into equal parts, short enough for the goal. Parts of fewer scores than
    points stay as they are.
    """
    errors, columns = np.zeros(2), []
    for k, side in enumerate(sides):
        scores, shares = side.scores, side.shares
        assert shares is not None
        lower = int(np.searchsorted(scores, 0.5))
        low, low_shares, lost = _compressed(
            concentration, scores[:lower], shares[:lower], precision.interval
        )
        high, high_shares, more = _compressed(
            concentration, (1.0 - scores[lower:])[::-1], shares[lower:][::-1], precision.interval
        )
        errors[k] = lost + more
        both = np.concatenate((low, 1.0 - high[::-1])), np.concatenate((1.0 - low, high[::-1]))
        columns.append((*both, np.concatenate((low_shares, high_shares[::-1]))))
    # both classes share the points of an interval
    (up, up_rest, up_shares), (right, right_rest, right_shares) = columns
    rest = np.concatenate((up_rest, right_rest))
    _, first, index = np.unique(
        np.where(rest < 0.5, -rest, 0.0) + np.where(rest < 0.5, 2.0, np.concatenate((up, right))),
        return_index=True,
        return_inverse=True,
    )
    shares = np.stack(
        [
            np.bincount(index[: len(up)], up_shares, len(first)),
            np.bincount(index[len(up) :], right_shares, len(first)),
        ]
    )
    scores = np.concatenate((up, right))[first]
    return Nodes(concentration, scores, rest[first], shares, errors, precision.reach)


def _compressed(
    concentration: float, z: FloatArray, shares: FloatArray, goal: float
) -> tuple[FloatArray, FloatArray, float]:
    """Return nodes in (0, ½], in increasing order, their shares, and the error."""
    if len(z) <= _NODES_FROM:
        return z, shares, 0.0
    power = np.frexp(z[[0, -1]])[1]  # z in [2^(power − 1), 2^power)
    octaves = np.arange(power[0], power[1] + 1)
    size = np.exp2(octaves.astype(np.float64) - 1)  # the lower end, and the length
    ends = np.append(np.searchsorted(z, size), len(z))
    crowded = np.diff(ends) > NODES  # the scores of other octaves stay as they are
    parts, bound = np.ones_like(size), np.full_like(size, np.inf)
    parts[crowded], bound[crowded] = _parts(concentration, size[crowded], goal)
    points, weights, lost = [], [], 0.0
    for k in range(len(octaves)):
        rows = slice(ends[k], ends[k + 1])
        part, share = z[rows], shares[rows]
        place = (part / size[k] - 1.0) * parts[k]
        index = np.minimum(np.floor(place), parts[k] - 1)
        starts = np.flatnonzero(index[1:] != index[:-1]) + 1
        starts = np.append(0, starts) if len(part) else starts
        counts = np.diff(np.append(starts, len(part)))
        many = counts > NODES
        if not (many.any() and bound[k] <= goal):
            points.append(part)
            weights.append(share)
            continue
        kept = np.repeat(many, counts)
        if not kept.all():
            points.append(part[~kept])
            weights.append(share[~kept])
            place, index, share = place[kept], index[kept], share[kept]
        numbers = index[np.append(0, np.cumsum(counts[many])[:-1])]
        moments = _moments(2 * (place - index) - 1, share, counts[many])
        low = size[k] * (1 + numbers / parts[k])
        points.append((low[:, None] + size[k] / parts[k] / 2 * (1 + POINTS)).ravel())
        weights.append((moments.T @ SERIES).ravel())
        lost += float(moments[0].sum() * bound[k])
    all_points, all_weights = np.concatenate(points), np.concatenate(weights)
    order = np.argsort(all_points, kind="stable")
    return all_points[order], all_weights[order], lost


def _moments(local: FloatArray, share: FloatArray, counts: IntArray) -> FloatArray:
    """Return Σ share·T_m(local) of each run of rows, by order m."""
    begin = np.append(0, np.cumsum(counts)[:-1])
    moments = np.empty((NODES, len(counts)))
    moments[0] = np.add.reduceat(share, begin)
    before, now = share, share * local
    local = 2 * local
    for m in range(1, NODES):
        moments[m] = np.add.reduceat(now, begin)
        after = local * now
        after -= before
        before, now = now, after
    return moments


def _parts(concentration: float, size: FloatArray, goal: float) -> tuple[FloatArray, FloatArray]:
    """Return into how many equal parts each [size, 2·size] is cut, and the bound of its first.

    The part next to 0 has the largest bound, and is the one that decides.
    """
    parts, bound = np.ones_like(size), np.full_like(size, np.inf)
    open_ = np.ones(len(size), dtype=bool)
    while open_.any():
        bound[open_] = interpolation_bound(
            concentration, size[open_], size[open_] * (1 + 1 / parts[open_])
        )
        open_ &= (bound > goal) & (parts < _MOST_PARTS)
        parts[open_] *= 2
    return parts, bound


def interpolation_bound(concentration: float, low: FloatArray, high: FloatArray) -> FloatArray:
    """Bound the error of interpolating s ↦ P(X > t) on [low, high] in (0, 1), for any t.

    4·M/(ρⁿ(ρ − 1)), with M the maximum on the ellipse of radius ρ: for z = x + iy,
    |P(X_z > t)|² ≤ Π_n (1 + κ²y²/(κx + n)²)·(1 + κ²y²/(κ(1−x) + n)²). This falls and rises
    convexly in x, so that it is largest at the corners of a box around an arc of the ellipse.
    """
    middle, half = (low + high) / 2, (high - low) / 2
    best = np.full_like(low, np.inf)
    angle = np.linspace(0, math.pi, _ARCS + 1)
    cosine = np.cos(angle)
    # the largest sine of each arc
    sine = np.where(angle[1:] <= math.pi / 2, np.sin(angle[1:]), np.sin(angle[:-1]))
    sine[_ARCS // 2 - 1 : _ARCS // 2 + 1] = 1.0
    for radius in RADII:
        long, tall = half * (radius + 1 / radius) / 2, half * (radius - 1 / radius) / 2
        fits = (middle - long > 0) & (middle + long < 1)
        if not fits.any():
            continue
        x = middle[fits, None] + long[fits, None] * cosine
        y = tall[fits, None] * sine
        logs = [_log_growth(concentration, side, y) for side in (x[:, 1:], x[:, :-1])]
        top = np.maximum(*logs).max(axis=1)
        bound = np.exp(np.minimum(top - (NODES - 1) * math.log(radius), 600.0))
        best[fits] = np.minimum(best[fits], 4 * bound / (radius - 1))
    return best


def _log_growth(concentration: float, x: FloatArray, y: FloatArray) -> FloatArray:
    total = np.zeros_like(x)
    for part in (x, 1 - x):
        ratio = y / part  # squares of tiny scores would be 0
        rest = np.minimum(concentration * math.pi**2 / 6 * y, ratio)  # y·Σ_{n≥1} κ/(κx + n)²
        total += np.log1p(ratio * ratio) + concentration * y * rest
    return total / 2
