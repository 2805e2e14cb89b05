"""The normal, Student's and the beta distribution: quantiles, tails, degrees of freedom, p-values.

`scipy.special` has most of these too; but it takes longer to import than a table of scores to
evaluate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import numpy as np

from rocwalk.checks import as_number
from rocwalk.errors import OptionError
from rocwalk.typing import FloatArray, Range

NOISE = 1e-12  # an error of a share so small is rounding, not spread
NO_SPREAD = "the items show no spread, so that an interval of width 0 understates the uncertainty"


def check_level(level: float) -> float:
    """Return the confidence level, or raise unless it lies strictly between 0 and 1."""
    if not NOISE < as_number("confidence_level", level) < 1 - NOISE:
        hint = "0.95 means 95 percent."
        raise OptionError("is outside (0, 1).", hint, option="confidence_level", value=level)
    return float(level)


def normal_quantile(probability: float) -> float:
    """Return Φ⁻¹."""
    return quantile(probability, None)


@lru_cache(1024)
def quantile(probability: float, df: float | None) -> float:
    """Return the quantile of Student's distribution with `df`, or of the normal without.

    >>> round(quantile(0.975, None), 6), round(quantile(0.975, 4), 6)
    (1.959964, 2.776445)
    """
    if probability < 0.5:
        return -_upper_quantile(probability, df)
    return _upper_quantile(1 - probability, df)


def _upper_quantile(tail: float, df: float | None) -> float:
    """Return the z that is exceeded with a probability of at most one half, by Newton's steps.

    Near the median they are steps on the tail, which is convex in z; elsewhere on its logarithm,
    which is concave in log z. So from the second value on they approach z from one side.
    """
    if not 0 < tail < 0.5:
        return {0.0: math.inf, 0.5: 0.0}.get(tail, math.nan)
    is_central = tail > 0.2
    z = 0.0 if is_central else math.sqrt(-2 * math.log(2 * tail))  # the normal z is less
    for _ in range(100):
        reached, density = above(z, df), _density(z, df)
        if is_central:
            step = (reached - tail) / density
            z += step
        else:
            step = math.log(reached / tail) * reached / (z * density)
            z *= math.exp(step)
        if abs(step) < 1e-15:
            break
    return z


# Trapezoids in τ of ∫₀^∞ g(s) ds, s = exp(π/2·sinh τ): the error falls double exponentially in the
# number of places for tails that fall exponentially or like a power (Takahasi & Mori 1974).
_TAU = np.linspace(-4.5, 4.5, 181)
_PLACES = np.exp(math.pi / 2 * np.sinh(_TAU))
_WEIGHTS = (_TAU[1] - _TAU[0]) * math.pi / 2 * np.cosh(_TAU) * _PLACES


def above(z: float, df: float | None) -> float:
    """Return the probability of more than z: Student's with `df`, or the normal's without.

    Student's is its density at z times the integral of the density relative to it, with a relative
    error below 10⁻¹³.
    """
    if df is None:
        return 0.5 * math.erfc(z / math.sqrt(2))
    if math.isnan(z) or z == math.inf:
        return math.nan if math.isnan(z) else 0.0
    if z <= 0:
        return 1 - above(-z, df) if z else 0.5
    scale = (df + z * z) / ((df + 1) * max(z, 1.0))  # over this the density falls to about 1/e
    further = scale * _PLACES
    relative = np.exp(-(df + 1) / 2 * np.log1p(further * (2 * z + further) / (df + z * z)))
    return _density(z, df) * scale * float(relative @ _WEIGHTS)


def _density(z: float, df: float | None) -> float:
    if df is None:
        return math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    a = df / 2
    if a < 100:
        gammas = math.gamma(a + 0.5) / math.gamma(a)
    else:  # Γ(a + ½)/Γ(a) = √a·(1 − 1/(8a) + 1/(128a²) + …), the next term below 10⁻¹⁵
        terms = (1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144)
        gammas = math.sqrt(a) * sum(term / a**k for k, term in enumerate(terms))
    return gammas / math.sqrt(math.pi * df) * math.exp(-(a + 0.5) * math.log1p(z * z / df))


# e^(z²/2)·Φ(−z), for z ≥ 0, is ½ + (1 + t)·P(t) with t = (z − 4)/(z + 4): P is the Chebyshev
# interpolant of degree 22, by mpmath with 50 digits. It is within 10⁻¹⁶.
_TAIL = (
    1.2295379525612771e-10, -1.8409862243142572e-10, -1.4755880455698329e-09,
    1.0915512498906939e-09, 9.9270754214018e-09, 3.7550823848732974e-10, -5.192139001923424e-08,
    -4.318637133365049e-08, 2.480389363279893e-07, 4.1405768254436076e-07,
    -1.2427834563058078e-06, -3.0610128980558127e-06, 7.692303171852552e-06,
    2.0956102240559166e-05, -6.651092932050657e-05, -0.00012067334930182294, 0.000759487190778691,
    -0.0002519251149978214, -0.008240170366250498, 0.0391049744725417, -0.11081238181031232,
    0.23519163714957603, -0.4055893586980311,
)  # fmt: skip
_NO_MORE = 40.0  # standard deviations, beyond which no float is left of the tail
_IN_CACHE = 2**13


def normal_below(z: FloatArray) -> FloatArray:
    """Return Φ of each number, to within 2·10⁻¹⁶; small tails have a relative error below 10⁻¹².

    >>> normal_below(np.array([-np.inf, 0.0, 1.959964])).round(6).tolist()
    [0.0, 0.5, 0.975]
    """
    if z.size > _IN_CACHE:
        parts = np.array_split(z.ravel(), -(-z.size // _IN_CACHE))
        return np.concatenate([normal_below(part) for part in parts]).reshape(z.shape)
    size = np.minimum(np.abs(z), _NO_MORE)
    place = 1.0 - 8.0 / (size + 4.0)
    tail = np.full_like(place, _TAIL[0])
    for coefficient in _TAIL[1:]:
        tail *= place
        tail += coefficient
    tail *= 1.0 + place
    tail += 0.5
    tail *= np.exp(-0.5 * size * size)
    return np.where(z > 0, 1.0 - tail, tail)


def normal_quantiles(shares: FloatArray) -> FloatArray:
    """Return Φ⁻¹ of each share, by Halley's steps from Hastings' approximation (1955, sheet 68).

    >>> normal_quantiles(np.array([0.0, 0.025, 0.5, 0.975])).round(6)
    array([     -inf, -1.959964, -0.      ,  1.959964])
    """
    tail = np.minimum(shares, 1.0 - shares)
    held = np.where(tail > 0, tail, 0.5)
    root = np.sqrt(-2.0 * np.log(held))
    z = (0.010328 * root + 0.802853) * root + 2.515517
    z /= ((0.001308 * root + 0.189269) * root + 1.432788) * root + 1.0
    z -= root
    for _ in range(2):
        off = (normal_below(z) - held) * np.exp(0.5 * z * z) * math.sqrt(2.0 * math.pi)
        z -= off / (1.0 + 0.5 * z * off)
    z = np.where(tail > 0, z, np.where(tail == 0, -np.inf, np.nan))
    return np.where(shares > 0.5, -z, z)


def stirling_rest(z: FloatArray) -> FloatArray:
    """Return ln Γ(z) − [(z − ½)·ln z − z + ½·ln 2π].

    By Stirling's series from 12 on; below, ln Γ(z) = ln Γ(z + n) − ln(z·(z + 1)···(z + n − 1)).
    """
    up, product = z.copy(), np.ones_like(z)
    while (up < 12.0).any():
        product *= np.where(up < 12.0, up, 1.0)
        up += up < 12.0
    square = up * up
    rest = (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / square) / square) / square)
            / square) / up  # fmt: skip
    raised = np.flatnonzero(up > z)
    low, high = z[raised], up[raised]
    rest[raised] += (high - 0.5) * np.log(high) - (low - 0.5) * np.log(low) - (high - low)
    rest[raised] -= np.log(product[raised])
    return np.asarray(rest)


@cache
def _gauss_legendre() -> tuple[FloatArray, FloatArray]:
    """Return places and weights of an integral from 0 to 1."""
    places, weights = np.polynomial.legendre.leggauss(40)
    return (places + 1) / 2, weights / 2


_NOTHING = -40.0  # the logarithm of a relative height that does not count
_MOST_STEPS = 100


def beta_quantile(a: FloatArray, b: FloatArray, tail: float) -> FloatArray:
    """Return the quantile of Beta(a, b) of a tail of at most one half, for a > 0 and b ≥ 1.

    By Newton's steps on the logarithm of the tail, which is concave in the log-odds L of x, so that
    they approach the quantile from below wherever they begin. With c = a + b, x = 1/(1 + e^−L) and
    the density of L, f_a(L) = x^a·(1 − x)^b / B(a, b), the tail is f_a/a and the tail of
    Beta(a + 1, b); this is its density f_(a + 1) = f_a·x·c/a times the integral over u ≥ 0 of

        f_(a + 1)(L − u) / f_(a + 1)(L) = exp(−(a + 1)·u − (c + 1)·ln(1 + x·(e^−u − 1))),

    by Gauss and Legendre's places up to where nothing is left.

    >>> beta_quantile(np.array([9.0]), np.array([2.0]), 0.025).round(4).tolist()
    [0.555]
    """
    (places, weights), c, log_odds = _gauss_legendre(), a + b, np.log(a / b)
    place = log_odds + quantile(tail, None) * np.sqrt(1 / a + 1 / b)
    front = 0.5 * (np.log(a) + np.log(b / c / (2 * math.pi)))
    front += stirling_rest(c) - stirling_rest(a) - stirling_rest(b)
    for _ in range(_MOST_STEPS):
        x = np.exp(-np.logaddexp(0.0, -place))
        reach = ((c + 1) * np.logaddexp(0.0, place) - _NOTHING) / (a + 1)
        for _ in range(_MOST_STEPS):  # Newton's steps from above, as the height is concave
            fall = x * np.expm1(-reach)
            falls = a + 1 - (c + 1) * (x + fall) / (1 + fall)
            less = ((a + 1) * reach + (c + 1) * np.log1p(fall) + _NOTHING) / falls
            reach -= less
            if (less <= 0.01 * reach).all():
                break
        u = np.multiply.outer(places, reach)
        heights = np.exp(-(a + 1) * u - (c + 1) * np.log1p(x * np.expm1(-u)))
        whole = (1 + c * x * reach * (weights @ heights)) / a
        height = front - a * (np.logaddexp(0.0, -place) - np.logaddexp(0.0, -log_odds))
        height -= b * (np.logaddexp(0.0, place) - np.logaddexp(0.0, log_odds))
        step = (height + np.log(whole) - math.log(tail)) * whole
        place -= step
        if (np.abs(step) <= 1e-8 * whole).all():  # what is left is as the square of a step
            break
    return np.exp(-np.logaddexp(0.0, -place))


def chi_squared_above(value: float, df: int, df_error: float | None = None) -> float:
    """Return the probability of a χ² with `df` degrees of freedom above a value.

    With `df_error` = ν the value is q·F of a variance that was estimated, and the tail that of
    F(q, ν). Both are sums of positive terms from the tail of one or two degrees of freedom:
    Q(b + 1, x) = Q(b, x) + xᵇe⁻ˣ/Γ(b + 1) with b = q/2, and for F the incomplete beta function
    I_y(a, b + 1) = I_y(a, b) + yᵃ(1 − y)ᵇ·Γ(a + b)/(Γ(a)Γ(b + 1)), a = ν/2, y = ν/(ν + value).

    >>> round(chi_squared_above(7.815, 3), 4), round(chi_squared_above(3 * 3.490, 3, 12), 4)
    (0.05, 0.05)
    """
    if not 0 < value < math.inf:
        return math.nan if math.isnan(value) else float(value <= 0)
    b = 0.5 if df % 2 else 1.0
    if df % 2:
        tail = 2 * above(math.sqrt(value), df_error)
    elif df_error is None:
        tail = math.exp(-value / 2)
    else:
        tail = math.exp(-df_error / 2 * math.log1p(value / df_error))
    while b < df / 2 - 0.25:
        if df_error is None:
            log_term = b * math.log(value / 2) - value / 2 - math.lgamma(b + 1)
        else:
            a, odds = df_error / 2, value / df_error
            log_term = b * math.log(odds) - (a + b) * math.log1p(odds)
            log_term += math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b + 1)
        tail += math.exp(log_term)
        b += 1
    return min(tail, 1.0)


def crossing(of: Callable[[float], float], inside: float, outside: float) -> float:
    """Return the root of a function between a place where it is below 0 and one where it is not.

    By Chandrupatla's method (1997): inverse quadratic interpolation where it is safe, else halves.

    >>> round(crossing(lambda x: x**2 - 2, 0.0, 4.0), 12)
    1.414213562373
    """
    b, a = inside, outside  # the bracket, the newest place first; c is the place before
    at_b, at_a = of(b), of(a)
    c, at_c, share = b, at_b, 0.5
    for _ in range(200):
        new = a + share * (b - a)
        at_new = of(new)
        if (at_new < 0) == (at_a < 0):
            c, at_c = a, at_a
        else:
            c, at_c, b, at_b = b, at_b, a, at_a
        a, at_a = new, at_new
        best = a if abs(at_a) < abs(at_b) else b
        least = 4e-16 * abs(best) / abs(b - a) if a != b else 1.0
        if least > 0.5 or at_a == 0:
            return best
        share = 0.5
        along, up = (a - b) / (c - b), (at_a - at_b) / (at_c - at_b)
        if up * up < along and (1 - up) ** 2 < 1 - along:
            share = at_a / (at_b - at_a) * at_c / (at_b - at_c)
            share += (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
        share = min(1 - least, max(least, share))
    return best


def in_errors(distance: float, error: float) -> float:
    """Return distance / error; 0 for no distance, infinite for a distance without error.

    A distance and an error that are both rounding give 0. NaN stays NaN.

    >>> in_errors(0.0, 0.0), in_errors(-0.1, 0.0), in_errors(0.3, 0.1) > 2.9
    (0.0, -inf, True)
    """
    if math.isnan(distance) or math.isnan(error):
        return math.nan
    if distance == 0 or (abs(distance) <= NOISE and error <= NOISE):
        return 0.0
    return distance / error if error > 0 else math.copysign(math.inf, distance)


def welch_degrees(variances: Sequence[Range], counts: Sequence[float]) -> float | None:
    """Return Welch and Satterthwaite's degrees of freedom (Σv)² / Σ v²/(n − 1); None if all v = 0.

    A variance is given as its least and its most value, which are equal where it is known. Where
    they are not, the smallest degrees of freedom are returned: (Σ least v)² / Σ (most v)²/(n − 1),
    but never less than the smallest n − 1 (Welch 1947; Satterthwaite 1946).

    >>> welch_degrees([(1.0, 1.0), (1.0, 1.0)], (11, 11))
    20.0
    """
    below = sum(most**2 / (n - 1) for (_, most), n in zip(variances, counts, strict=True))
    if not below > 0:
        return None
    degrees = sum(least for least, _ in variances) ** 2 / below
    exact = all(least == most for least, most in variances)
    return degrees if exact else max(degrees, min(counts) - 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values (1979): the running maximum of (m − i)·p₍ᵢ₎, at most 1.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    if len(p_values) == 1:
        return [min(float(p_values[0]), 1.0)]
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return [float(value) for value in adjusted]


def p_words(p_value: float) -> str:
    """Write a p-value in a sentence; a very small one as a bound.

    >>> p_words(0.0312), p_words(0.0), p_words(float("nan"))
    ('p = 0.031', 'p < 0.0001', 'p undefined')
    """
    if math.isnan(p_value):
        return "p undefined"
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.2g}"
