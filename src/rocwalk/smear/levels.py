"""The six monotone sums at a width that a certificate rests on (`rocwalk.smear.proofs`).

They come from the listed pairs, from windows of the sorted scores, or from lags.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rocwalk.inference.distributions import normal_below
from rocwalk.smear.normal import DENSITY, lags_of, normal_sums, signed_sums_of_lags
from rocwalk.smear.sides import Sides, count_distinct_pairs, distinct_pairs
from rocwalk.smear.uniform import uniform_parts
from rocwalk.typing import FloatArray


@dataclass(frozen=True, slots=True)
class Levels:
    """The six monotone sums at one width, each as a pair (over D > 0, over D < 0).

    `area` is the area itself; `errors` bound the errors of value, slope, bend and area.
    """

    value: tuple[float, float]
    slope: tuple[float, float]
    bend: tuple[float, float]
    area: float
    errors: tuple[float, float, float, float]
    constant: float  # what tied and decided pairs add to the area at every width

    def scaled(self, share: float, settled: float) -> Levels:
        """Return the sums where these pairs are a share of all, and others add a constant."""
        (v1, v2), (s1, s2), (b1, b2), errors = self.value, self.slope, self.bend, self.errors
        return Levels(
            value=(share * v1, share * v2),
            slope=(share * s1, share * s2),
            bend=(share * b1, share * b2),
            area=settled + share * self.area,
            errors=(share * errors[0], share * errors[1], share * errors[2], share * errors[3]),
            constant=settled + share * self.constant,
        )


_FEW_PAIRS = 2**20


def uniform_levels(sides: Sides) -> Callable[[float], Levels]:
    """Return the sums of the uniform kernel as a function of the width."""
    sides = sides.collapsed
    if count_distinct_pairs(sides) > _FEW_PAIRS:
        return _levels_of_windows(sides)

    def shape(size: FloatArray, width: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        with np.errstate(over="ignore"):
            c = np.minimum(size / width, 1.0)
        return 0.5 + c - c * c / 2, size * (1 - c), np.where(size < width, size**2, 0.0)

    return _levels_of_pairs(sides, shape)


def normal_levels(sides: Sides, unit: float) -> Callable[[float], Levels]:
    """Return the same for the normal kernel; `unit` is the spread of D for a width of 1."""
    sides = sides.collapsed
    if count_distinct_pairs(sides) > _FEW_PAIRS:
        return _levels_of_lags(sides, unit)

    def shape(size: FloatArray, width: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        with np.errstate(over="ignore"):
            z = np.minimum(size / (unit * width), 40.0)
        bell = np.exp(-0.5 * z * z) * DENSITY
        return normal_below(z), size * bell, size**3 * bell

    return _levels_of_pairs(sides, shape)


_ROUNDING = 1e-14
_BINS = 2**17


Shape = Callable[[FloatArray, float], tuple[FloatArray, FloatArray, FloatArray]]


def _levels_of_pairs(sides: Sides, shape: Shape) -> Callable[[float], Levels]:
    """Return the sums over listed pairs; `shape` has the terms of |D| at a width above 0."""
    difference, share = distinct_pairs(sides)
    parts = [(np.abs(difference[side]), share[side]) for side in (difference > 0, difference < 0)]

    def levels(width: float) -> Levels:
        if width == 0:
            return _levels_at_zero(sides)
        over, under = (
            [float((share * each).sum()) for each in shape(size, width)] for size, share in parts
        )
        value = (over[0], float(parts[1][1].sum()) - under[0])
        half = sides.tied / 2
        area, errors = value[0] + value[1] + half, (_ROUNDING,) * 4
        return Levels(value, (over[1], under[1]), (over[2], under[2]), area, errors, half)

    return levels


def _levels_of_windows(sides: Sides) -> Callable[[float], Levels]:
    def levels(width: float) -> Levels:
        if width == 0:
            return _levels_at_zero(sides)
        if width == math.inf:
            wide = 2 * max(sides.ends[1] - sides.ends[0], 1e-150)  # than any |D|
            over, under, error = uniform_parts(sides, wide)
            return Levels(
                value=(sides.concordant / 2, (1.0 - sides.tied - sides.concordant) / 2),
                slope=(wide * over.first, wide * under.first),
                bend=(wide**2 * over.second, wide**2 * under.second),
                area=0.5,
                errors=(_ROUNDING, wide * error, wide**2 * error, 0.0),
                constant=sides.tied / 2,
            )
        over, under, error = uniform_parts(sides, width)
        value = (
            over.beyond + over.near / 2 + over.first - over.second / 2,
            under.near / 2 - under.first + under.second / 2,
        )
        slope = (width * (over.first - over.second), width * (under.first - under.second))
        bend = (width**2 * over.second, width**2 * under.second)
        area = value[0] + value[1] + sides.tied / 2
        errors = (error, width * error, width**2 * error, error)
        return Levels(value, slope, bend, area, errors, sides.tied / 2)

    return levels


def _levels_of_lags(sides: Sides, unit: float) -> Callable[[float], Levels]:
    lags = lags_of(sides, _BINS, 3)

    def levels(width: float) -> Levels:
        if width == 0:
            return _levels_at_zero(sides)
        if width == math.inf:  # φ(0)·Σ |D| and φ(0)·Σ |D|³
            scales = [DENSITY * lags.step**power for power in (1, 3)]
            (over, under), (over_cubed, under_cubed) = lags.absolute_moments
            unsure = [scale * float(lags.gross[0]) + 8 * lags.noise for scale in scales]
            return Levels(
                value=(sides.concordant / 2, (1.0 - sides.tied - sides.concordant) / 2),
                slope=(scales[0] * over, scales[0] * under),
                bend=(scales[1] * over_cubed, scales[1] * under_cubed),
                area=0.5,
                errors=(_ROUNDING, unsure[0], unsure[1], 0.0),
                constant=sides.tied / 2,
            )
        sums = normal_sums(sides, unit * width)
        value, slope, bend, unsure = signed_sums_of_lags(lags, unit * width)
        errors = (unsure[0], unsure[1], unsure[2], sums.error)
        return Levels(value, slope, bend, sums.area, errors, sides.tied / 2)

    return levels


def _levels_at_zero(sides: Sides) -> Levels:
    none = (0.0, 0.0)
    return Levels((sides.concordant, 0.0), none, none, sides.auc, (_ROUNDING,) * 4, sides.tied / 2)
