"""Slow, exact areas and matched widths of smeared curves: every pair of scores, in integers and fractions."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

TOL = 1e-12  # areas that differ by no more are equal
ONE_ROOT = 1e-9  # widths that differ by no more are one root
PER_TOL = 10**12


def fraction(value):
    """A number as the exact fraction that it is."""
    return value if isinstance(value, Fraction) else Fraction(float(value))


def masses(truth, scores, weights=None):
    """The up and the right mass of each distinct score, without the zeros."""
    weights = [1] * len(truth) if weights is None else weights
    up, right = Counter(), Counter()
    for f, s, w in zip(truth, scores, weights, strict=True):
        score, share, weight = fraction(s), fraction(f), fraction(w)
        up[score] += weight * share
        right[score] += weight * (1 - share)
    return +up, +right


# Areas at one width, straight from their definitions.


def pairs(truth, scores, weights=None):
    """All differences sᵢ − sⱼ with their shares uᵢ·rⱼ/(U·R), in ascending order."""
    up, right = masses(truth, scores, weights)
    whole = sum(up.values()) * sum(right.values())
    shares = Counter()
    for si, u in up.items():
        for sj, r in right.items():
            shares[si - sj] += u * r
    return sorted((D, share / whole) for D, share in shares.items())


def uniform_win(difference, width):
    """The chance that one of two equal segments ends above the other; their centres differ by D."""
    if difference == 0 or width == math.inf:
        return Fraction(1, 2)
    if width == 0 or abs(difference) >= width:
        return Fraction(difference > 0)
    c = difference / fraction(width)
    return Fraction(1, 2) + c - c * abs(c) / 2


def smeared_area(truth, scores, width, weights=None):
    """Area(d) with the uniform kernel, as a fraction."""
    return sum(share * uniform_win(D, width) for D, share in pairs(truth, scores, weights))


def auc(truth, scores, weights=None):
    """The share of pairs in the right order, ties by half."""
    return sum(
        share * (Fraction(D > 0) + Fraction(D == 0) / 2)
        for D, share in pairs(truth, scores, weights)
    )


def probabilistic_auc(truth, scores, weights=None):
    """The mean of ½(1 + D) over pairs."""
    return sum(share * (1 + D) / 2 for D, share in pairs(truth, scores, weights))


def scored_auc(truth, scores, weights=None):
    """The mean over pairs of D where it is positive."""
    return sum(share * max(D, 0) for D, share in pairs(truth, scores, weights))


def normal_area(truth, scores, width, sd_per_width=0.5, weights=None):
    """Area(d) with the normal kernel, to 40 digits: ½ + ½·(the mean of erf(D/(2σ)))."""
    from mpmath import erf, inf, mp, mpf

    surplus = Counter()
    for D, share in pairs(truth, scores, weights):
        surplus[abs(D)] += share * ((D > 0) - (D < 0))
    with mp.workdps(40):
        spread = 2 * mpf(sd_per_width) * mpf(width)
        total = mpf(0)
        for D, share in surplus.items():
            reach = mpf(D.numerator) / D.denominator / spread if spread else inf
            total += erf(reach) * share.numerator / share.denominator
        return (1 + total) / 2


# The gap Area − A_p at all widths: a quadratic in 1/d between two sizes of difference. Scores, widths
# and gaps are whole numbers here: score k means k/unit, gap g means g/whole.


class Piece(NamedTuple):
    """From low to high the gap is a + b/d + c/d²."""

    low: int
    high: int | float
    a: int
    b: int
    c: int

    def gap(self, p, q):
        """The gap at d = p/q, as numerator and denominator; q = 0 is the limit."""
        p = p or 1  # only the first piece starts at 0, and it is constant
        return self.a * p * p + self.b * p * q + self.c * q * q, p * p

    def slope(self, p, q):
        """The derivative of the gap for the logarithm of 1/d, at d = p/q."""
        p = p or 1
        return self.b * p * q + 2 * self.c * q * q, p * p

    def ends(self):
        """Both ends as p/q."""
        return (self.low, 1), ((1, 0) if self.high == math.inf else (self.high, 1))

    def turn(self):
        """Where the gap is stationary, as a list of at most one p/q."""
        p, q = -2 * self.c, self.b
        if p * q <= 0:
            return []
        p, q = abs(p), abs(q)
        inside = self.low * q <= p and (self.high == math.inf or p <= self.high * q)
        return [(p, q)] if inside else []

    def cross(self, rises):
        """The zero at which the gap rises, or falls, with d; as p/q, to 50 digits."""
        square = self.b**2 - 4 * self.a * self.c
        shift = max(0, 180 - square.bit_length() // 2)
        root = math.isqrt(square << (2 * shift)) * (-1 if rises else 1)
        b = self.b << shift
        if (b > 0) == (root > 0):
            return -b - root, self.a << (shift + 1)
        return self.c << (shift + 1), root - b


class Shape(NamedTuple):
    """The gap of one sample: its pieces, and the scales of scores and of gaps."""

    pieces: list[Piece]
    unit: int
    whole: int

    def width(self, p, q):
        """The width p/q on the scale of the scores; q = 0 is the limit."""
        return p / (q * self.unit) if q else math.inf

    def small(self, number):
        """Is this gap, a numerator and a denominator, zero up to the tolerance?"""
        return abs(number[0]) * PER_TOL <= number[1] * self.whole

    def flat(self, piece):
        """Is the gap zero all over the piece, and level at its ends?"""
        ends = piece.ends()
        return all(self.small(piece.gap(p, q)) for p, q in (*ends, *piece.turn())) and all(
            self.small(piece.slope(p, q)) for p, q in ends
        )


def integers(counts):
    """Fractions on a common scale, as a list of whole numbers, and that scale."""
    scale = math.lcm(*(value.denominator for value in counts))
    return [value.numerator * (scale // value.denominator) for value in counts], scale


def counted(truth, scores, weights):
    """The mass of each whole-number difference, and the unit of the scores."""
    up, right = masses(truth, scores, weights)
    places, unit = integers([*up, *right])
    (us, _), (rs, _) = integers(up.values()), integers(right.values())
    mass = Counter()
    for k, u in zip(places, us, strict=False):
        for m, r in zip(places[len(us) :], rs, strict=True):
            mass[k - m] += u * r
    return mass, unit


def shape(truth, scores, weights=None):
    """The gap of a sample as a list of pieces."""
    mass, unit = counted(truth, scores, weights)
    total, mean = sum(mass.values()), sum(n * k for k, n in mass.items())
    sizes = sorted({abs(k) for k in mass} - {0})
    won = 2 * sum(n for k, n in mass.items() if k > 0) + mass[0]
    a, b, c = unit * (won - total) - mean, 0, 0
    parts = []
    for low, high in pairwise([0, *sizes, math.inf]):
        surplus = (mass[low] - mass[-low]) * unit
        a, b, c = a - surplus, b + 2 * low * surplus, c - low**2 * surplus
        parts.append(Piece(low, high, a, b, c))
    return Shape(parts, unit, 2 * total * unit)


def pieces(truth, scores, weights=None):
    """(low, high, α, β, γ): between two sizes of difference Area(d) = α + β/d + γ/d²."""
    parts, unit, whole = shape(truth, scores, weights)
    target = probabilistic_auc(truth, scores, weights)
    return [
        (
            Fraction(part.low, unit),
            part.high if part.high == math.inf else Fraction(part.high, unit),
            Fraction(part.a, whole) + target,
            Fraction(part.b, whole * unit),
            Fraction(part.c, whole * unit**2),
        )
        for part in parts
    ]


# Matched widths. Between two neighbouring nodes the gap is monotone.


class Node(NamedTuple):
    """A width p/q, its piece, its gap, and the sign of the gap, 0 within the tolerance."""

    p: int
    q: int
    piece: int
    gap: tuple[int, int]
    sign: int


def nodes(form):
    """0, the limit, the stationary points and the ends of level pieces, in ascending order."""
    found = []
    for index, piece in enumerate(form.pieces):
        low, high = piece.ends()
        level = piece.b == piece.c == 0 or form.flat(piece)
        places = [low, *piece.turn(), high] if level else piece.turn()
        if high == (1, 0) and not level:
            places.append(high)
        for p, q in places:
            gap = piece.gap(p, q)
            sign = 0 if form.small(gap) else 1 if gap[0] > 0 else -1
            found.append(Node(p, q, index, gap, sign))
    return found


def crossing(form, before, after):
    """The one zero between two nodes of opposite sign."""
    index = before.piece
    while index < after.piece:
        piece = form.pieces[index]
        if piece.gap(piece.high, 1)[0] * before.sign <= 0:
            break
        index += 1
    return form.pieces[index].cross(rises=before.sign < 0)


def limit_only(form, before, last):
    """Is the extremum before the limit, in the tail, the same as the limit up to the tolerance?"""
    tail = form.pieces[-1]
    apart = tail.b**2, abs(4 * tail.c)
    return last.sign == before.sign == 0 and before.piece == last.piece and form.small(apart)


def flats(form):
    """The stretches on which the gap is zero, as pairs of p/q; adjacent pieces join."""
    joined = []
    for piece in filter(form.flat, form.pieces):
        low, high = piece.ends()
        if joined and joined[-1][1] == low:
            low = joined.pop()[0]
        joined.append((low, high))
    return joined


def merged(roots):
    """Roots within 1e-9 are one, at the first of them; an interval as short as that is a point."""
    kept = []
    for low, end in sorted(roots):
        high = end if end - low > ONE_ROOT else low
        if not kept or low - kept[-1][1] > ONE_ROOT:
            kept.append((low, high))
        elif low < high or kept[-1][0] < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(kept[-1][1], high))
    return kept


def solved(form):
    """All roots of the gap as (low, high)."""
    *finite, last = nodes(form)
    if limit_only(form, finite[-1], last):
        finite.pop()
    points = [(node.p, node.q) for node in finite if node.sign == 0]
    points += [
        crossing(form, before, after)
        for before, after in pairwise([*finite, last])
        if before.sign * after.sign < 0
    ]
    stretches = flats(form) + [(point, point) for point in points]
    roots = merged([(form.width(*low), form.width(*high)) for low, high in stretches])
    return roots or ([(math.inf, math.inf)] if last.sign == 0 else [])


def matched_widths(truth, scores, weights=None):
    """All widths at which the smeared area is the probabilistic one, as (low, high) in ascending order."""
    return solved(shape(truth, scores, weights))


def nearest_width(truth, scores, weights=None):
    """The smallest width whose area is nearest, and its gap; for a sample with a root, that and 0."""
    form = shape(truth, scores, weights)
    roots = solved(form)
    if roots:
        return roots[0][0], 0.0
    places = nodes(form)
    gaps = [Fraction(*node.gap) / form.whole for node in places]
    bound = min(map(abs, gaps)) + Fraction(1, PER_TOL)
    node, gap = next(found for found in zip(places, gaps, strict=True) if abs(found[1]) <= bound)
    return form.width(node.p, node.q), float(gap)


# A proof that no width is matched: intervals, each with the rule that rules it out.


class PairSums:
    """Sums over all pairs in floats: those in the right order (D > 0) first, the inverted ones second."""

    def __init__(self, truth, scores, weights=None, kernel="uniform", sd_per_width=0.5):
        weights = np.ones(len(truth)) if weights is None else np.asarray(weights, float)
        places, index = np.unique(np.asarray(scores, float), return_inverse=True)
        up = np.bincount(index, weights * np.asarray(truth, float))
        right = np.bincount(index, weights * (1 - np.asarray(truth, float)))
        apart = np.subtract.outer(places, places)
        share = np.multiply.outer(up / up.sum(), right / right.sum())
        sides = [np.stack([abs(apart[keep]), share[keep]]) for keep in (apart > 0, apart < 0)]
        self.sides = [side[:, side[0].argsort(kind="stable")] for side in sides]
        self.constant = self.sides[0][1].sum() + np.diagonal(share).sum() / 2
        self.part = uniform_part if kernel == "uniform" else partial(normal_part, sd_per_width)
        self.at = cache(self.at)

    def at(self, what, width):
        """The sum of one part at one width, for both sides."""
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            return [self.part(what, *side, width) for side in self.sides]

    def area(self, falling, rising):
        """C at one width, I at another, and half the ties."""
        return self.constant - self.at("lost", falling)[0] + self.at("lost", rising)[1]

    def surely_more(self, what, side, low, high):
        """Is this side's sum the larger one on all of [low, high]? The sums grow with the width."""
        return self.at(what, low)[side] >= self.at(what, high)[1 - side]


def uniform_part(what, size, share, width):
    """Of pairs closer than the width, the inverted mass, or the sums behind the slope or the bend."""
    near = np.searchsorted(size, width)
    size, share = size[:near], share[:near]
    if what == "bend":
        return (share * size**2).sum()
    away = 1 - size / width
    return (share * (away**2 / 2 if what == "lost" else size * away)).sum()


def normal_part(sd_per_width, what, size, share, width):
    """The inverted mass, or the sums behind the slope or the bend, with the normal kernel."""
    z = size / (sd_per_width * width * math.sqrt(2))
    if what == "lost":
        return (share * ndtr(-z)).sum()
    density = np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)
    return (share * size ** (1 if what == "slope" else 3) * density).sum()


def value_holds(sums, low, high, above, below):
    """The falling part at one end and the rising part at the other keep the area away."""
    return sums.area(high, low) > above or sums.area(low, high) < below


def slope_holds(sums, low, high, above, below):
    """The area is monotone in the width, and away at the end where it comes nearest."""
    first, last = sums.area(low, low), sums.area(high, high)
    if sums.surely_more("slope", 0, low, high) and (last > above or first < below):
        return True
    return sums.surely_more("slope", 1, low, high) and (first > above or last < below)


def bend_holds(sums, low, high, above, below):
    """The area bends away from the target between ends that are away, as a function of 1/d."""
    ends = sums.area(low, low), sums.area(high, high)
    if sums.surely_more("bend", 0, low, high) and min(ends) > above:
        return True
    return sums.surely_more("bend", 1, low, high) and max(ends) < below


RULES = {"value": value_holds, "slope": slope_holds, "bend": bend_holds}


def check_certificate(
    truth,
    scores,
    weights,
    rows,
    target,
    kernel="uniform",
    sd_per_width=0.5,
    tolerance=TOL,
    until=None,
):
    """The rows (low, high, rule) that do not prove |Area(d) − target| > tolerance; none if all do.
    They must follow on each other from 0, and reach `until` if that is given."""
    sums = PairSums(truth, scores, weights, kernel, sd_per_width)
    bounds = target + tolerance, target - tolerance
    failed, reached = [], 0.0
    for low, high, rule in rows:
        sound = low == reached and low <= high and rule in RULES
        if not sound or not RULES[rule](sums, low, high, *bounds):
            failed.append((low, high, rule))
        reached = high
    if until is not None and not reached >= until:
        failed.append((reached, until, "missing"))
    return failed
