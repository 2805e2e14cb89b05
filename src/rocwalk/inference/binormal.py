"""Areas of normal scores: their variances and covariances, and those of placements."""

from __future__ import annotations

import math

import numpy as np

from rocwalk.inference.distributions import normal_quantile
from rocwalk.typing import FloatArray

# -- variances of areas of normal scores -----------------------------------------------------------


def area_variance(area: float, ratio: float) -> float:
    """Return n⁺ times the variance of an area, by Obuchowski's rounded binormal formula."""
    if area in (0.0, 1.0):
        return 0.0
    a = 1.414 * normal_quantile(area)
    return 0.0099 * math.exp(-(a**2) / 2) * (5 * a**2 + 8 + (a**2 + 8) / ratio)


def separation(area: float) -> float:
    """Return A = √2·Φ⁻¹(θ); limited to ± 40, where areas do not vary."""
    return min(max(math.sqrt(2) * normal_quantile(area), -40.0), 40.0)


def binormal_areas(
    areas: tuple[float, float], correlation: tuple[float, float], ratio: float
) -> FloatArray:
    """Return `binormal_covariance` of models of equal spread in both classes."""
    first, second = (separation(area) for area in areas)
    return binormal_covariance((first, 1.0), (second, 1.0), correlation, ratio)


def binormal_covariance(
    one: tuple[float, float],
    other: tuple[float, float],
    correlation: tuple[float, float],
    ratio: float,
) -> FloatArray:
    """Return n⁺ times the covariance of two binormal areas (Obuchowski & McClish 1997).

    A model is (A, B): A = (μ⁺ − μ⁻)/σ⁺, B = σ⁻/σ⁺, and its area is θ = Φ(A/√(1 + B²)) with the
    slopes f = ∂θ/∂A and g = ∂θ/∂B. `correlation` is that of the scores among the positives and
    among the negatives, `ratio` the negatives for each positive, κ. As published, the variances
    leave out the term 2fg·cov(A, B), which is negative; for B = 1 they are those of
    `area_variance` with less rounding.

    The covariance is f₁f₂·cov(A₁,A₂) + g₁g₂·cov(B₁,B₂) + f₁g₂·cov(A₁,B₂) + g₁f₂·cov(B₁,A₂).
    """
    (a_1, b_1), (a_2, b_2), k = one, other, ratio
    (f_1, g_1), (f_2, g_2) = _slopes(a_1, b_1), _slopes(a_2, b_2)
    r_up, r_right = correlation
    between = (
        f_1 * f_2 * (r_up + r_right * b_1 * b_2 / k + r_up**2 * a_1 * a_2 / 2)
        + g_1 * g_2 * b_1 * b_2 * (r_right**2 / k + r_up**2) / 2
        + f_1 * g_2 * r_up**2 * a_1 * b_2 / 2
        + g_1 * f_2 * r_up**2 * a_2 * b_1 / 2
    )
    return np.array([[_within(*one, k), between], [between, _within(*other, k)]])


def _within(a: float, b: float, k: float) -> float:
    """Return f²·var(A) + g²·var(B), times n⁺."""
    f, g = _slopes(a, b)
    return f**2 * (1 + b**2 / k + a**2 / 2) + g**2 * b**2 * (1 + 1 / k) / 2


def _slopes(a: float, b: float) -> tuple[float, float]:
    """Return ∂θ/∂A and ∂θ/∂B of θ = Φ(A/√(1 + B²))."""
    spread = 1 + b**2
    height = math.exp(-(a**2) / (2 * spread)) / math.sqrt(2 * math.pi * spread)
    return height, -height * a * b / spread


def placement_covariance(
    areas: tuple[float, float], correlation: tuple[float, float], ratio: float
) -> FloatArray:
    """Return n⁺ times the covariance of two empirical areas of normal scores: S₁₀ + S₀₁/κ."""
    positives, negatives = placement_spread(areas, correlation)
    return positives + negatives / ratio


def placement_variance(area: float) -> float:
    """Return S₁₀ of one empirical area of normal scores, which is S₀₁."""
    return float(placement_spread((area, area), (1.0, 1.0))[0][0, 0])


def placement_spread(
    areas: tuple[float, float], correlation: tuple[float, float]
) -> tuple[FloatArray, FloatArray]:
    """Return S₁₀ and S₀₁, the covariances of placements, of two models of normal scores.

    A positive X and a negative Z have P(Z < X) = θ = Φ(h) in a model. The placements Φ(X₁), Φ(X₂)
    of a positive have the mean product P(Z₁ < X₁, Z₂ < X₂) with Z₁, Z₂ independent, so that
    X₁ − Z₁ and X₂ − Z₂ correlate by ρ = r⁺/2; so S₁₀ = Φ₂(h₁, h₂; ρ) − θ₁θ₂ = ∫₀^ρ φ₂(h₁, h₂; r) dr
    (Plackett 1954), here by Gauss and Legendre's quadrature. Likewise S₀₁ with r⁻.
    """
    h = [separation(area) / math.sqrt(2) for area in areas]
    nodes, weights = np.polynomial.legendre.leggauss(24)
    positives, negatives = np.empty((2, 2)), np.empty((2, 2))
    for matrix, between in ((positives, correlation[0]), (negatives, correlation[1])):
        for i, j in ((0, 0), (0, 1), (1, 1)):
            rho = 0.5 if i == j else between / 2
            r = rho / 2 * (1 + nodes)
            rest = 1 - r**2
            density = np.exp(-(h[i] ** 2 - 2 * h[i] * h[j] * r + h[j] ** 2) / (2 * rest))
            density /= 2 * math.pi * np.sqrt(rest)
            matrix[i, j] = matrix[j, i] = float(rho / 2 * (weights * density).sum())
    return positives, negatives
