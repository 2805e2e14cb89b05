"""Covariances of areas that are not yet measured: from correlations of two normal models."""

from __future__ import annotations

import math

import numpy as np

from rocwalk.typing import FloatArray
from rocwalk.uncertainty.question import normal_quantile


def placement_covariance(
    areas: tuple[float, float], correlation: tuple[float, float], ratio: float
) -> FloatArray:
    """Return n⁺ times the covariance of two empirical areas of normal scores: S₁₀ + S₀₁/κ.

    A positive X and a negative Z have P(Z < X) = θ = Φ(h) in a model. The placements Φ(X₁), Φ(X₂)
    of a positive have the mean product P(Z₁ < X₁, Z₂ < X₂) with Z₁, Z₂ independent, so that
    X₁ − Z₁ and X₂ − Z₂ correlate by ρ = r⁺/2; so S₁₀ = Φ₂(h₁, h₂; ρ) − θ₁θ₂ = ∫₀^ρ φ₂(h₁, h₂; r) dr
    (Plackett 1954). Likewise S₀₁ with r⁻.
    """
    places = [_separation(area) / math.sqrt(2) for area in areas]
    matrix = np.empty((2, 2))
    for i, j in ((0, 0), (0, 1), (1, 1)):
        up, right = (1.0, 1.0) if i == j else correlation
        parts = (_orthant_excess(places[i], places[j], r / 2) for r in (up, right))
        matrix[i, j] = matrix[j, i] = next(parts) + next(parts) / ratio
    return matrix


def _orthant_excess(h: float, k: float, rho: float) -> float:
    """Return Φ₂(h, k; ρ) − Φ(h)·Φ(k) by Gauss and Legendre; |ρ| is ½ at most."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    r = rho / 2 * (1 + nodes)
    rest = 1 - r**2
    density = np.exp(-(h**2 - 2 * h * k * r + k**2) / (2 * rest)) / (2 * math.pi * np.sqrt(rest))
    return float(rho / 2 * (weights * density).sum())


def _separation(area: float) -> float:
    """Return A = √2·Φ⁻¹(θ); for areas of 0 and 1 so large a number that they do not vary."""
    return min(max(math.sqrt(2) * normal_quantile(area), -40.0), 40.0)


def binormal_areas(
    areas: tuple[float, float], correlation: tuple[float, float], ratio: float
) -> FloatArray:
    """Return `binormal_covariance` of models of equal spread in both classes."""
    first, second = (_separation(area) for area in areas)
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
    `area_variance`, less rounded.
    """
    between = _between(one, other, correlation, ratio)
    return np.array([[_within(*one, ratio), between], [between, _within(*other, ratio)]])


def _within(a: float, b: float, k: float) -> float:
    """Return f²·var(A) + g²·var(B), times n⁺."""
    f, g = _slopes(a, b)
    return f**2 * (1 + b**2 / k + a**2 / 2) + g**2 * b**2 * (1 + 1 / k) / 2


def _between(
    one: tuple[float, float],
    other: tuple[float, float],
    correlation: tuple[float, float],
    k: float,
) -> float:
    """Return f₁f₂·cov(A₁,A₂) + g₁g₂·cov(B₁,B₂) + f₁g₂·cov(A₁,B₂) + g₁f₂·cov(B₁,A₂), times n⁺."""
    (a_1, b_1), (a_2, b_2) = one, other
    (f_1, g_1), (f_2, g_2) = _slopes(a_1, b_1), _slopes(a_2, b_2)
    r_up, r_right = correlation
    return (
        f_1 * f_2 * (r_up + r_right * b_1 * b_2 / k + r_up**2 * a_1 * a_2 / 2)
        + g_1 * g_2 * b_1 * b_2 * (r_right**2 / k + r_up**2) / 2
        + f_1 * g_2 * r_up**2 * a_1 * b_2 / 2
        + g_1 * f_2 * r_up**2 * a_2 * b_1 / 2
    )


def _slopes(a: float, b: float) -> tuple[float, float]:
    """Return ∂θ/∂A and ∂θ/∂B of θ = Φ(A/√(1 + B²))."""
    spread = 1 + b**2
    height = math.exp(-(a**2) / (2 * spread)) / math.sqrt(2 * math.pi * spread)
    return height, -height * a * b / spread
