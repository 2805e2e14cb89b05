"""The mean over folds, with its interval."""

from __future__ import annotations

import math

import numpy as np

from rocwalk.typing import FloatArray
from rocwalk.uncertainty.interval import check_level


def mean_interval(values: FloatArray, level: float) -> tuple[float, float]:
    """Return the interval of the mean of k values, one a fold: mean ± t·s/√k.

    t is the quantile of Student's distribution with k − 1 degrees of freedom, s the standard
    deviation (ddof = 1); the ends are not cut to any range. Fewer than two values have no spread:
    NaN, NaN; so does a value that is NaN.

    The interval tends to be too narrow for new data: folds share most of their training rows, so
    their values are not independent, and no unbiased estimate of the variance exists.

    References
    ----------
    Bengio & Grandvalet (2004), No unbiased estimator of the variance of k-fold cross-validation.

    Examples
    --------
    >>> low, high = mean_interval(np.array([0.9, 0.8, 0.85]), 0.95)
    >>> round(low, 4), round(high, 4)
    (0.7258, 0.9742)
    """
    values = np.asarray(values, dtype=np.float64)
    check_level(level)
    if len(values) < 2:
        return math.nan, math.nan
    from scipy.special import stdtrit

    quantile = float(stdtrit(len(values) - 1, 0.5 + level / 2))
    mean, reach = float(values.mean()), quantile * float(values.std(ddof=1)) / len(values) ** 0.5
    return mean - reach, mean + reach
