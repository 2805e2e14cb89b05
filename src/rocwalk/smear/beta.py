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

from rocwalk.smear.sides import EPS, Side, Sides, all_between
from rocwalk.typing import BoolArray, FloatArray, IntArray

_NODES = 16  # Chebyshev points of an interval of scores, and of a panel of log-odds
_RADII = (1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 5.6, 7.0, 9.0, 12.0, 16.0)  # of Bernstein ellipses
_ARCS = 12
_LONGEST = 4.0  # of a panel
_MOST_PARTS = 2**24  # of an interval between two powers of ½
_CHUNK = 2**16
_TINY = 1e-300  # a product κ·s below this is as good as it
_LEAST = 1e-17  # a concentration below this is as good as its limit, to within 1.3·κ


# -- Chebyshev points on [−1, 1] -------------------------------------------------------------------

_ANGLES = (np.arange(_NODES) + 0.5) * (math.pi / _NODES)
_POINTS = np.cos(_ANGLES)[::-1]
_SERIES = np.cos(np.outer(np.arange(_NODES), _ANGLES[::-1])) * (2.0 / _NODES)  # values to series
_SERIES[0] /= 2


def _integrals() -> tuple[FloatArray, FloatArray]:
    """Return ∫ ℓ_r and ∫∫_{x>y} ℓ_r(x)·ℓ_q(y) of the polynomials ℓ of the points."""
    knots, weights = np.polynomial.legendre.leggauss(2 * _NODES)
    cardinal = np.polynomial.chebyshev.chebval(knots, _SERIES)  # ℓ_r at the knots, by row
    rising = np.polynomial.chebyshev.chebint(_SERIES, axis=0)
    ends = np.polynomial.chebyshev.chebval(np.ones(1), rising)
    above = ends - np.polynomial.chebyshev.chebval(knots, rising)
    return cardinal @ weights, (cardinal * weights) @ above.T


_WHOLE, _ABOVE = _integrals()


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
        low, high = np.maximum(k * self.scores, _TINY), np.maximum(k * self.rest, _TINY)
        parts = _stirling(low) + _stirling(high) - _stirling(np.array([k]))
        height: FloatArray = np.sqrt(low) * np.sqrt(high / (2 * math.pi * k)) * np.exp(-parts)
        return height

    def exponents(self, index: IntArray, positions: FloatArray) -> FloatArray:
        """Return −κ·D(s‖σ(L)) of nodes at positions on the axis, one for each."""
        s, rest = self.scores[index], self.rest[index]
        distance = positions - self.place[index]
        near = np.abs(distance) < 1
        some = np.where(near, distance, 0.0)
        close = s * some - np.log1p(s * np.expm1(some))
        own = s * np.log(s) + rest * np.log(rest)
        far = s * positions - np.logaddexp(0.0, positions) - own
        return self.concentration * np.where(near, close, far)


def _stirling(z: FloatArray) -> FloatArray:
    """Return ln Γ(z) − [(z − ½)·ln z − z + ½·ln 2π]."""
    from scipy.special import gammaln

    large = z > 12
    safe = np.where(large, z, 12.0)
    square = safe * safe
    series = (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square)
              / square) / safe  # fmt: skip
    small = np.where(large, 1.0, z)
    direct = (
        gammaln(1 + small) - (small + 0.5) * np.log(small) + small - 0.5 * math.log(2 * math.pi)
    )
    return np.where(large, series, direct)


@dataclass(frozen=True, slots=True)
class Precision:
    """How far a computation goes: few rows to the last digits, many to a stated error."""

    interval: float  # the error of an interval of scores; 0 if its scores stay as they are
    panel: float  # the error of a panel, in units of the largest density
    reach: float  # a density is left out where it is below exp(−reach) of its maximum


_FINE = Precision(1e-12, 1e-14, 44.0)
COARSE = Precision(1e-8, 1e-11, 26.0)
_FEW = 2_000  # scores, up to which the last digits cost little
_NODES_FROM = 64  # scores below or above ½, from which nodes take their place


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
    crowded = np.diff(ends) > _NODES  # the scores of other octaves stay as they are
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
        many = counts > _NODES
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
        points.append((low[:, None] + size[k] / parts[k] / 2 * (1 + _POINTS)).ravel())
        weights.append((moments.T @ _SERIES).ravel())
        lost += float(moments[0].sum() * bound[k])
    all_points, all_weights = np.concatenate(points), np.concatenate(weights)
    order = np.argsort(all_points, kind="stable")
    return all_points[order], all_weights[order], lost


def _moments(local: FloatArray, share: FloatArray, counts: IntArray) -> FloatArray:
    """Return Σ share·T_m(local) of each run of rows, by order m."""
    begin = np.append(0, np.cumsum(counts)[:-1])
    moments = np.empty((_NODES, len(counts)))
    moments[0] = np.add.reduceat(share, begin)
    before, now = share, share * local
    local = 2 * local
    for m in range(1, _NODES):
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
    for radius in _RADII:
        long, tall = half * (radius + 1 / radius) / 2, half * (radius - 1 / radius) / 2
        fits = (middle - long > 0) & (middle + long < 1)
        if not fits.any():
            continue
        x = middle[fits, None] + long[fits, None] * cosine
        y = tall[fits, None] * sine
        logs = [_log_growth(concentration, side, y) for side in (x[:, 1:], x[:, :-1])]
        top = np.maximum(*logs).max(axis=1)
        bound = np.exp(np.minimum(top - (_NODES - 1) * math.log(radius), 600.0))
        best[fits] = np.minimum(best[fits], 4 * bound / (radius - 1))
    return best


def _log_growth(concentration: float, x: FloatArray, y: FloatArray) -> FloatArray:
    total = np.zeros_like(x)
    for part in (x, 1 - x):
        ratio = y / part  # squares of tiny scores would be 0
        rest = np.minimum(concentration * math.pi**2 / 6 * y, ratio)  # y·Σ_{n≥1} κ/(κx + n)²
        total += np.log1p(ratio * ratio) + concentration * y * rest
    return total / 2


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
        total = 0.0
        step = max(_CHUNK * 64 // max(len(self.rates), 1), 1)
        for at in range(0, len(self.rates), step):
            part = slice(at, at + step)
            rates = self.rates[part, None]
            total += float(
                self.shares[one, part] @ (self.rates / (rates + self.rates)) @ self.shares[other]
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
        steps = half[:, None] * _POINTS
        centre = 1 / (1 + np.exp(-middle))
        # softplus(L) minus its tangent at the middle
        bend = np.log1p(centre[:, None] * np.expm1(steps)) - centre[:, None] * steps
        heights = np.zeros((2, len(low), _NODES))
        for group in self.groups:
            first, last = _window(group, low, high)
            part = np.zeros_like(heights)
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
                        part[k, row[begin]] = np.add.reduceat(shares, begin, axis=0)
                done = stop
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
                    beyond /= np.maximum(group.concentration * part, _TINY)
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
        return np.asarray(np.einsum("mq,cpq->cmp", _SERIES, self.heights), dtype=np.float64)

    @cached_property
    def _rising(self) -> FloatArray:
        """The series of their integrals from the lower end of each panel."""
        by_order = np.moveaxis(self._series, 1, 0)
        rising = np.polynomial.chebyshev.chebint(by_order, lbnd=-1, axis=0)
        return np.asarray(np.moveaxis(rising, 0, 1), dtype=np.float64)

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
    best = np.full_like(low, np.inf)
    for radius in _RADII:
        long, tall = half * (radius + 1 / radius) / 2, half * (radius - 1 / radius) / 2
        nearest = np.maximum(np.abs(middle) - long, 0.0)
        v = 1 / np.cosh(np.minimum(nearest, 700) / 2) ** 2
        part = v * np.sin(np.minimum(tall, math.pi) / 2) ** 2
        with np.errstate(divide="ignore", over="ignore"):
            log = -concentration / 2 * np.log1p(-part) - (_NODES - 1) * math.log(radius)
        best = np.minimum(best, np.exp(np.minimum(log, 600)) * 4 / (radius - 1))
    return best


def beta_scores(
    parts: Sequence[tuple[float, Sides]], precision: Precision | None = None
) -> BetaScores:
    """Return the scores of both classes as beta distributions.

    Each concentration has its sides; their shares are those of the whole classes. Default of the
    precision: fine for few rows.
    """
    if precision is None:
        rows = sum(len(side) for _, sides in parts for side in (sides.positive, sides.negative))
        precision = _FINE if rows <= _FEW else COARSE
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
    concentration: float, scores: FloatArray, columns: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the nodes of scores in decreasing order, with any number of columns of masses."""
    rising, order = scores[::-1], np.flatnonzero((scores[::-1] > 0) & (scores[::-1] < 1))
    ends = np.flatnonzero((rising == 0) | (rising == 1))
    parts = []
    for k in range(0, len(columns), 2):
        inner = [Side(rising[order], column[::-1][order]) for column in columns[k : k + 2]]
        parts.append(nodes_of(concentration, (inner[0], inner[1]), COARSE))
    # the nodes depend on the scores alone, so they are the same for all columns
    shares = np.concatenate([part.shares for part in parts])
    return (
        np.concatenate((rising[ends], parts[0].scores)),
        np.concatenate((columns[:, ::-1][:, ends], shares), axis=1),
    )


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
