"""Scores as beta distributions: s becomes Beta(κs, κ(1−s)), which has mean s and stays in [0, 1].

Everything is computed on the axis of log-odds L = ln(X/(1−X)), where X has the density

    f(L; s) = C(s)·exp(−κ·D(s‖σ(L))),  D the Kullback-Leibler divergence, σ the logistic function,

because draws below 1e-308 would tie in floats and small κ has many of them. Three steps, each
with a bound on its error (docs/mathematics.rst, The beta kernel):

1. Rows become *nodes*. As a function of s every survival function is analytic, so a class of many
   rows acts like a few weighted Chebyshev points for each interval of scores.
2. The densities of both classes are polynomials on short *panels* of L, whose integrals are exact.
3. Beyond ±Λ the densities are exponentials, whose integrals are known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rocwalk.smear.beta_nodes import (
    COARSE,
    FEW,
    FINE,
    NODES,
    POINTS,
    RADII,
    SERIES,
    TINY,
    Nodes,
    Precision,
    nodes_of,
)
from rocwalk.smear.sides import EPS, Side, Sides, all_between
from rocwalk.typing import BoolArray, FloatArray, IntArray

_LONGEST = 4.0  # of a panel
_CHUNK = 2**16
_DENSE, _GENTLE = 2**18, 1_000.0  # pairs of nodes and panels, and concentrations, for one product
_LEAST = 1e-17  # a concentration below this is as good as its limit, to within 1.3·κ


def _integrals() -> tuple[FloatArray, FloatArray]:
    """Return ∫ ℓ_r and ∫∫_{x>y} ℓ_r(x)·ℓ_q(y) of the polynomials ℓ of the points."""
    knots, weights = np.polynomial.legendre.leggauss(2 * NODES)
    cardinal = np.polynomial.chebyshev.chebval(knots, SERIES)  # ℓ_r at the knots, by row
    rising = np.polynomial.chebyshev.chebint(SERIES, axis=0)
    ends = np.polynomial.chebyshev.chebval(np.ones(1), rising)
    above = ends - np.polynomial.chebyshev.chebval(knots, rising)
    return cardinal @ weights, (cardinal * weights) @ above.T


_WHOLE, _ABOVE = _integrals()


# -- panels ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tail:
    """The nodes beyond one end of the panels: shares and the rates of their exponentials."""

    shares: FloatArray  # a row for each class
    rates: FloatArray  # in multiples of the unit
    start: float  # the distance of the end from 0
    unit: float

    @property
    def mass(self) -> FloatArray:
        """The share of each class that lies in the tail."""
        return np.asarray(self.shares.sum(axis=1))

    def beyond(self, distance: FloatArray) -> FloatArray:
        """Return the share of each class that is further out than distances from 0."""
        return self._sum(distance, self.shares)

    def density(self, distance: FloatArray) -> FloatArray:
        """Return the densities of both classes at distances from 0."""
        return self._sum(distance, self.shares * self.rates * self.unit)

    def steepest(self, distance: FloatArray) -> FloatArray:
        """Bound |f′| of both classes at distances from 0, and further out."""
        both = self._sum(distance, np.abs(self.shares) * (self.rates * self.unit) ** 2)
        return np.asarray(both.max(axis=0))

    def _sum(self, distance: FloatArray, shares: FloatArray) -> FloatArray:
        found = np.empty((2, len(distance)))
        step = max(_CHUNK * 16 // max(len(self.rates), 1), 1)
        for at in range(0, len(distance), step):
            part = slice(at, at + step)
            found[:, part] = shares @ np.exp(
                -np.outer(self.rates, np.maximum(distance[part] - self.start, 0.0) * self.unit)
            )
        return found

    def further(self, one: int, other: int) -> float:
        """Return Σ shares·P(the draw of class `one` is further out than that of `other`)."""
        held = [np.flatnonzero(self.shares[k]) for k in (one, other)]  # few scores are in both
        (rates, others), shares = (self.rates[k] for k in held), self.shares[other, held[1]]
        total, step = 0.0, max(_CHUNK // max(len(others), 1), 1)
        for at in range(0, len(rates), step):
            part = slice(at, at + step)
            total += float(
                self.shares[one, held[0][part]] @ (others / (rates[part, None] + others)) @ shares
            )
        return total


@dataclass(frozen=True, eq=False)
class BetaScores:
    """Both classes with their scores as beta distributions: area, rates and densities.

    `top` and `bottom` are the shares of each class (up, right) whose scores are 1 and 0.
    """

    groups: tuple[Nodes, ...]
    top: FloatArray
    bottom: FloatArray
    precision: Precision

    @cached_property
    def end(self) -> float:
        """Λ, beyond which (1 + e^−|L|)^κ is 1."""
        return 39.0 + math.log(max([1.0, *(group.concentration for group in self.groups)]))

    @cached_property
    def panels(self) -> tuple[FloatArray, FloatArray]:
        """The ends of the panels, in increasing order, where any density counts."""
        largest = max([0.0, *(group.concentration for group in self.groups)])
        edges = np.linspace(-self.end, self.end, math.ceil(2 * self.end / _LONGEST) + 1)
        if not largest:
            edges = edges[:1]
        waiting, done = (edges[:-1], edges[1:]), [(np.empty(0), np.empty(0))]
        while len(waiting[0]):
            low, high = waiting
            held = self._held(low, high)
            low, high = low[held], high[held]
            # below this length positions cannot be told apart
            fine = _panel_factor(largest, low, high) <= self.precision.panel
            fine |= high - low <= 64 * EPS * self.end
            done.append((low[fine], high[fine]))
            low, high = low[~fine], high[~fine]
            middle = (low + high) / 2
            waiting = np.concatenate((low, middle)), np.concatenate((middle, high))
        low = np.concatenate([part[0] for part in done])
        order = np.argsort(low)
        return low[order], np.concatenate([part[1] for part in done])[order]

    def _held(self, low: FloatArray, high: FloatArray) -> BoolArray:
        held = np.zeros(len(low), dtype=bool)
        for group in self.groups:
            first, last = _window(group, low, high)
            held |= last > first
        return held

    @cached_property
    def heights(self) -> FloatArray:
        """The densities of both classes at the points of the panels: class, panel, point."""
        low, high = self.panels
        middle, half = (low + high) / 2, (high - low) / 2
        steps = half[:, None] * POINTS
        centre = 1 / (1 + np.exp(-middle))
        # softplus(L) minus its tangent at the middle
        bend = np.log1p(centre[:, None] * np.expm1(steps)) - centre[:, None] * steps
        heights = np.zeros((2, len(low), NODES))
        for group in self.groups if len(low) else ():  # a limit of concentration 0 has tails only
            if group.concentration <= _GENTLE and len(group.scores) * len(low) <= _DENSE:
                part = _dense_heights(group, middle, half)
            else:
                part = _near_heights(group, (low, high), centre, steps)
            heights += part * np.exp(-group.concentration * bend)
        return heights

    @cached_property
    def masses(self) -> FloatArray:
        """The share of each class in each panel."""
        low, high = self.panels
        masses: FloatArray = self.heights @ _WHOLE * ((high - low) / 2)
        return masses

    @cached_property
    def tails(self) -> tuple[Tail, Tail]:
        """The left tail, below −Λ, and the right one."""
        tails = []
        unit = max([0.0, *(group.concentration for group in self.groups)]) or 1.0
        # a limit of concentration 0 has tails only, whose rates are in proportion to the scores
        for side in (0, 1):
            shares, rates = [], []
            for group in self.groups:
                part = (group.scores, group.rest)[side]
                other = (group.scores, group.rest)[1 - side]
                if group.concentration:
                    every = np.arange(len(part))
                    at_end = np.full(len(part), (-1.0, 1.0)[side] * self.end)
                    beyond = np.exp(group.exponents(every, at_end)) * group.height
                    beyond /= np.maximum(group.concentration * part, TINY)
                else:
                    beyond = other
                kept = beyond > 1e-25
                shares.append((group.shares * beyond)[:, kept])
                # in units of the largest concentration, so that tiny scores keep their order
                rates.append(part[kept] * ((group.concentration or unit) / unit))
            empty = np.empty((2, 0)), np.empty(0)
            shares, rates = [empty[0], *shares], [empty[1], *rates]
            columns = np.concatenate(shares, axis=1), np.concatenate(rates)
            tails.append(Tail(columns[0], columns[1], self.end, unit))
        return tails[0], tails[1]

    @cached_property
    def above(self) -> FloatArray:
        """The share of each class above each panel: in higher panels, the right tail and at 1."""
        sums = np.cumsum(self.masses[:, ::-1], axis=1)[:, ::-1]
        above: FloatArray = sums - self.masses + (self.tails[1].mass + self.top)[:, None]
        return above

    def area(self) -> tuple[float, float]:
        """Return Σ P(positive > negative) + ½·P(equal) by the shares, and a bound on its error."""
        left, right = self.tails
        (up_top, right_top), (up_left, right_left) = self.top, left.mass
        area = up_top * right_top / 2
        area += up_top * right.mass[1] + right.further(0, 1)
        low, high = self.panels
        half = (high - low) / 2
        inside = np.einsum("pq,qr,pr->p", self.heights[1], _ABOVE, self.heights[0]) * half**2
        area += math.fsum(self.above[0] * self.masses[1]) + math.fsum(inside)
        over = 1.0 - self.bottom[0] - up_left
        area += over * right_left + left.further(1, 0)
        area += (1.0 - self.bottom[0]) * self.bottom[1] + self.bottom[0] * self.bottom[1] / 2
        return float(area), self.area_error

    @cached_property
    def _gross(self) -> FloatArray:
        """Σ |share| of each class: what a rate can vary by."""
        return np.asarray(
            np.zeros(2) + sum(np.abs(group.shares).sum(axis=1) for group in self.groups)
        )

    @property
    def mean_concentration(self) -> float:
        """The mean concentration of the class in which it is larger."""
        sums = [group.concentration * group.shares.sum(axis=1) for group in self.groups]
        return float(np.max(np.zeros(2) + sum(sums)))

    @cached_property
    def errors(self) -> FloatArray:
        """Bounds on the errors of TPR and FPR at any position: nodes, panels and rounding."""
        low, high = self.panels
        errors = np.zeros(2) + sum(group.errors for group in self.groups)
        for group in self.groups:
            if not group.concentration:
                continue
            size = np.abs(group.shares) * group.height
            sums = np.concatenate((np.zeros((2, 1)), np.cumsum(size, axis=1)), axis=1)
            first, last = _window(group, low, high)
            factor = _panel_factor(group.concentration, low, high) * (high - low)
            errors += ((sums[:, last] - sums[:, first]) * factor).sum(axis=1)
            errors += np.abs(group.shares).sum(axis=1) * group.cut
            # positions are rounded, which moves the exponent by κ·|s − σ|·eps·|L| or so
            errors += self._gross * 8 * EPS * self.end * (1 + math.sqrt(group.concentration))
        return errors + 64 * EPS * (1 + self._gross)

    @property
    def area_error(self) -> float:
        """A bound on the error of the area: what TPR loses, and FPR over the variation of TPR."""
        gross = 1 + self._gross
        return float(self.errors @ gross[::-1])

    @cached_property
    def _series(self) -> FloatArray:
        """The Chebyshev series of the densities: class, order, panel."""
        return np.asarray(np.einsum("mq,cpq->cmp", SERIES, self.heights), dtype=np.float64)

    @cached_property
    def _rising(self) -> FloatArray:
        """The series of their integrals from the lower end of each panel."""
        by_order = np.moveaxis(self._series, 1, 0)
        rising = np.polynomial.chebyshev.chebint(by_order, lbnd=-1, axis=0)
        return np.asarray(np.moveaxis(rising, 0, 1), dtype=np.float64)

    @property
    def edges(self) -> FloatArray:
        """The ends of the panels and of the tails, in log-odds."""
        return np.unique(np.concatenate((*self.panels, [-self.end, self.end])))

    @cached_property
    def _slopes(self) -> FloatArray:
        """A bound on |f′| of both classes in each panel: Σ m²·|c_m|, because |T_m′| ≤ m²."""
        low, high = self.panels
        weights = np.arange(NODES, dtype=np.float64) ** 2
        sums = np.einsum("cmp,m->cp", np.abs(self._series), weights).max(axis=0)
        return np.asarray(sums / ((high - low) / 2))

    def steepest(self, low: FloatArray, high: FloatArray) -> FloatArray:
        """Bound |f′| of the densities that are computed, between positions without an edge."""
        (start, stop), middle = self.panels, low + (high - low) / 2
        left, right = self.tails
        bounds = np.zeros(len(middle))
        outer, inner = middle > self.end, middle < -self.end
        bounds[outer], bounds[inner] = right.steepest(low[outer]), left.steepest(-high[inner])
        if len(start):
            k = np.maximum(np.searchsorted(start, middle, "right") - 1, 0)
            held = (start[k] <= middle) & (middle <= stop[k])
            bounds[held] = self._slopes[k[held]]
        return bounds

    def rates(self, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return FPR and TPR at positions in log-odds."""
        found = self._along(positions, 0)
        return np.clip(found[1], 0, 1), np.clip(found[0], 0, 1)

    def densities(self, positions: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return how fast FPR and TPR fall with the position in log-odds."""
        found = self._along(positions, 1)
        return found[1], found[0]

    def _along(self, positions: FloatArray, derivative: int) -> FloatArray:
        positions = np.asarray(positions, dtype=np.float64)
        (low, high), (left, right) = self.panels, self.tails
        found = np.zeros((2, len(positions)))
        outer = positions >= self.end
        inner = positions <= -self.end
        between = ~(outer | inner)
        if derivative == 0:
            found[:, outer] = self.top[:, None] + right.beyond(positions[outer])
            found[:, inner] = (1 - self.bottom)[:, None] - left.beyond(-positions[inner])
            found[:, positions == math.inf] = self.top[:, None]
        else:
            found[:, outer] = right.density(positions[outer])
            found[:, inner] = left.density(-positions[inner])
        if not between.any():
            return found
        if not len(low):
            if derivative == 0:
                found[:, between] = (self.top + right.mass)[:, None]
            return found
        x = positions[between]
        k = np.clip(np.searchsorted(low, x, "right") - 1, 0, len(low) - 1)
        half = (high - low)[k] / 2
        z = (x - low[k]) / half - 1
        past = z > 1  # above the panel, in a gap without densities
        before = z < -1
        z = np.clip(z, -1, 1)
        if derivative:
            values = _clenshaw(self._series[:, :, k], z)
            found[:, between] = np.where(past | before, 0.0, values)
            return found
        below = _clenshaw(self._rising[:, :, k], z) * half
        found[:, between] = self.above[:, k] + self.masses[:, k] - below
        return found


def _clenshaw(series: FloatArray, z: FloatArray) -> FloatArray:
    """Return the Chebyshev series of each class and place (class, order, place) at z."""
    one, two = np.zeros_like(series[:, 0]), np.zeros_like(series[:, 0])
    for m in range(series.shape[1] - 1, 0, -1):
        one, two = series[:, m] + 2 * z * one - two, one
    return np.asarray(series[:, 0] + z * one - two)


def _dense_heights(group: Nodes, middle: FloatArray, half: FloatArray) -> FloatArray:
    """Return Σ share·f(L)·exp(κ·bend) of all nodes: class, panel, point.

    At a step from the middle of a panel the exponent is κ·(s − σ(middle))·step. Panels of one
    length have the same steps, so that the factor with s is one matrix for all of them. Those left
    and right of 0 go apart: far out σ is near 0 or 1, and no factor of what counts is large.
    """
    k, low, high = group.concentration, middle - half, middle + half
    heights = np.zeros((2, len(middle), NODES))
    every = np.arange(len(group.scores))[:, None]
    peaks = np.exp(group.exponents(every, middle))
    first, last = _window(group, low, high)
    peaks *= group.height[:, None] * ((first <= every) & (every < last))
    tilts = k / (1 + np.exp(-middle))
    _, kind = np.unique(np.round(np.log2(half)) + 1j * (middle > 0), return_inverse=True)
    for one in range(kind.max(initial=-1) + 1):
        these = np.flatnonzero(kind == one)
        steps, about = half[these[0]] * POINTS, tilts[these].mean()
        waves = np.exp(np.clip(np.outer(k * group.scores - about, steps), -600, 600))
        back = np.exp(np.outer(about - tilts[these], steps))
        for label in range(2):
            shares = group.shares[label][:, None] * peaks[:, these]
            heights[label, these] = shares.T @ waves * back
    return heights


def _near_heights(
    group: Nodes, panels: tuple[FloatArray, FloatArray], centre: FloatArray, steps: FloatArray
) -> FloatArray:
    """Return the same, of the nodes whose densities count in a panel."""
    low, high = panels
    middle, heights = (low + high) / 2, np.zeros((2, len(low), NODES))
    first, last = _window(group, low, high)
    done = 0
    while done < len(low):
        sums = np.cumsum(last[done:] - first[done:])
        stop = done + max(int(np.searchsorted(sums, _CHUNK, "right")), 1)
        row, node = all_between(first[done:stop], last[done:stop])
        if len(row):
            row += done
            peak = np.exp(group.exponents(node, middle[row])) * group.height[node]
            tilt = group.concentration * (group.scores[node] - centre[row])
            waves = np.exp(tilt[:, None] * steps[row])
            begin = np.flatnonzero(np.diff(row, prepend=-1))
            for k in range(2):
                shares = (group.shares[k, node] * peak)[:, None] * waves
                heights[k, row[begin]] = np.add.reduceat(shares, begin, axis=0)
        done = stop
    return heights


def _window(group: Nodes, low: FloatArray, high: FloatArray) -> tuple[IntArray, IntArray]:
    """Return for each panel the nodes whose densities count there: from, to."""
    angle_low, angle_high = np.arctan(np.exp(low / 2)), np.arctan(np.exp(high / 2))
    return (
        np.searchsorted(group.angle, angle_low - group.turn - 1e-12, "left"),
        np.searchsorted(group.angle, angle_high + group.turn + 1e-12, "right"),
    )


def _panel_factor(concentration: float, low: FloatArray, high: FloatArray) -> FloatArray:
    """Bound the error of interpolating f(L; s) on panels, in units of its maximum C(s).

    On the ellipse |f(L + iy)| = f(L)·(1 − v·sin²(y/2))^(−κ/2), v = 4σ(L)(1 − σ(L)) = sech²(L/2).
    """
    middle, half = (low + high) / 2, (high - low) / 2
    radius = np.array(RADII)[:, None]
    long, tall = half * (radius + 1 / radius) / 2, half * (radius - 1 / radius) / 2
    nearest = np.maximum(np.abs(middle) - long, 0.0)
    v = 1 / np.cosh(np.minimum(nearest, 700) / 2) ** 2
    part = v * np.sin(np.minimum(tall, math.pi) / 2) ** 2
    with np.errstate(divide="ignore", over="ignore"):
        log = -concentration / 2 * np.log1p(-part) - (NODES - 1) * np.log(radius)
    bounds: FloatArray = np.exp(np.minimum(log, 600)) * 4 / (radius - 1)
    return np.asarray(bounds.min(axis=0))


def beta_scores(
    parts: Sequence[tuple[float, Sides]], precision: Precision | None = None
) -> BetaScores:
    """Return the scores of both classes as beta distributions.

    Each concentration has its sides; their shares are those of the whole classes. Default of the
    precision: fine for few rows.
    """
    if precision is None:
        rows = sum(len(side) for _, sides in parts for side in (sides.positive, sides.negative))
        precision = FINE if rows <= FEW else COARSE
    top, bottom, groups = np.zeros(2), np.zeros(2), []
    if all(concentration < _LEAST for concentration, _ in parts):
        parts = [(0.0, sides) for _, sides in parts]
    for concentration, sides in parts:
        inner = []
        for k, side in enumerate((sides.positive, sides.negative)):
            scores = side.scores
            shares = np.full(len(side), 1.0 / len(side)) if side.shares is None else side.shares
            low, high = np.searchsorted(scores, 0.0, "right"), np.searchsorted(scores, 1.0)
            bottom[k] += shares[:low].sum()
            top[k] += shares[high:].sum()
            inner.append(Side(scores[low:high], shares[low:high]))
        if len(inner[0]) or len(inner[1]):
            groups.append(nodes_of(concentration, (inner[0], inner[1]), precision))
    return BetaScores(tuple(groups), top, bottom, precision)


def compact(
    concentration: float, scores: FloatArray, columns: FloatArray, positions: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return nodes of scores in decreasing order, with any number of columns of masses.

    At the positions P(X ≥ t) and its square keep their sums to within 2e-8 of the masses.
    """
    rising, order = scores[::-1], np.flatnonzero((scores[::-1] > 0) & (scores[::-1] < 1))
    ends = np.flatnonzero((rising == 0) | (rising == 1))
    parts = []
    for k in range(0, len(columns), 2):
        inner = [Side(rising[order], column[::-1][order]) for column in columns[k : k + 2]]
        parts.append(nodes_of(concentration, (inner[0], inner[1]), COARSE))
    # the nodes depend on the scores alone, so they are the same for all columns
    nodes, shares = parts[0].scores, np.concatenate([part.shares for part in parts])
    if (count := _points_of(concentration, positions)) < len(nodes):
        nodes, shares = _on_whole(count, nodes, shares)
    return (
        np.concatenate((rising[ends], nodes)),
        np.concatenate((columns[:, ::-1][:, ends], shares), axis=1),
    )


def _points_of(concentration: float, positions: FloatArray) -> int:
    """Return how many Chebyshev points of [0, 1] give P(X ≥ t) and its square to within 1e-8.

    As functions of the score both are analytic, so that the error falls by a factor with each
    further point. They are the steeper, the nearer t is to an end. The number was measured, for
    concentrations up to 5,000.
    """
    inner = np.minimum(positions, 1 - positions)
    nearest = float(inner[inner > 0].min(initial=0.5))
    steepness = min(6 - 0.8 * math.log(nearest), 33.0)
    return math.ceil(24 + steepness * math.sqrt(concentration))


def _on_whole(count: int, scores: FloatArray, columns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return Chebyshev points of [0, 1] in place of scores in (0, 1), with columns of masses."""
    angles = (np.arange(count) + 0.5) * (math.pi / count)
    series = np.cos(np.outer(np.arange(count), angles)) * (2 / count)
    series[0] /= 2
    moments = columns @ np.polynomial.chebyshev.chebvander(2 * scores - 1, count - 1)
    return (1 + np.cos(angles)) / 2, moments @ series


def survival(
    concentration: float | FloatArray, scores: FloatArray, positions: FloatArray
) -> FloatArray:
    """Return P(X ≥ t) for each score and position t in [0, 1] (scores by row)."""
    from scipy.special import betainc

    s, t = scores[:, None], positions[None, :]
    k = np.broadcast_to(np.asarray(concentration, dtype=np.float64), scores.shape)[:, None]
    inner = (s > 0) & (s < 1) & (t > 0) & (t < 1)
    with np.errstate(all="ignore"):
        q = betainc(np.where(inner, k * (1 - s), 1.0), np.where(inner, k * s, 1.0), 1 - t)
    fixed = np.where(s >= 1, t <= 1, t <= 0)
    fixed = np.where(s <= 0, t <= 0, fixed)
    return np.where(inner, q, fixed.astype(np.float64))
