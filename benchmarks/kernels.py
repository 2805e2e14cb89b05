"""Promises of the kernels that stay inside [0, 1]: n = 10⁶, multiples of numpy.sort."""

from __future__ import annotations

import numpy as np
from promises import best_of, data, promise

import rocwalk as rw

SOME = 10**6
CONCENTRATIONS = (0.0, 0.1, 1.0, 10.0, 100.0, 10_000.0)


def _in_sorts(rounds: int, **options) -> float:
    y, s = data(SOME)
    ours, limit = best_of(
        lambda: rw.smeared_area(y, s, **options), lambda: np.sort(s), rounds=rounds
    )
    return ours / limit


@promise("smeared_area, coin: multiple of numpy.sort", at_most=12)
def coin_area() -> float:
    return _in_sorts(5, kernel="coin", share=0.5)


@promise("smeared_area, beta, κ from 0 to 10⁴: multiple of numpy.sort", at_most=60)
def beta_area() -> float:
    return max(_in_sorts(3, kernel="beta", concentration=kappa) for kappa in CONCENTRATIONS)


@promise("smeared_area, beta, κ from 0 to 10⁴: stated error", at_most=1e-6)
def beta_error() -> float:
    y, s = data(SOME)
    areas = [rw.smeared_area(y, s, kernel="beta", concentration=kappa) for kappa in CONCENTRATIONS]
    return max(area.error_bound for area in areas)


@promise("smeared_area, logit, widths from 10⁻³ to 10: multiple of numpy.sort", at_most=16)
def logit_area() -> float:
    return max(_in_sorts(3, kernel="logit", width=width) for width in (1e-3, 0.1, 1.0, 10.0))


@promise("smeared_area, logit-normal, width 1: multiple of numpy.sort", at_most=12)
def logit_normal_area() -> float:
    return _in_sorts(5, kernel="logit-normal", width=1.0)
