"""The normal and Student's distribution: quantiles, tails, degrees of freedom, p-values."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rocwalk.errors import OptionError, as_number
from rocwalk.typing import Range

NOISE = 1e-12  # an error of a share so small is rounding, not spread


def check_level(level: float) -> float:
    """Return the confidence level, or raise unless it lies strictly between 0 and 1."""
    if not NOISE < as_number("confidence_level", level) < 1 - NOISE:
        hint = "0.95 means 95 percent."
        raise OptionError("is outside (0, 1).", hint, option="confidence_level", value=level)
    return float(level)


def normal_quantile(probability: float) -> float:
    """Return Φ⁻¹."""
    from scipy.special import ndtri

    return float(ndtri(probability))


def quantile(probability: float, df: float | None) -> float:
    """Return the quantile of Student's distribution with `df`, or of the normal without."""
    if df is None:
        return normal_quantile(probability)
    from scipy.special import stdtrit

    return float(stdtrit(df, probability))


def above(z: float, df: float | None) -> float:
    """Return the probability of more than z: Student's with `df`, or the normal's without."""
    from scipy.special import ndtr, stdtr

    return float(ndtr(-z)) if df is None else float(stdtr(df, -z))


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
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return [float(value) for value in adjusted]


def p_words(p_value: float) -> str:
    """Write a p-value in a sentence; a p-value that underflows is not written as 0.

    >>> p_words(0.0312), p_words(0.0)
    ('p = 0.031', 'p < 1e-300')
    """
    return f"p = {p_value:.2g}" if p_value != 0 else "p < 1e-300"
