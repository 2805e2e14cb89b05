"""The mean over folds, with its interval."""

from __future__ import annotations

import math

import numpy as np

from rocwalk.typing import FloatArray
from rocwalk.uncertainty.question import check_level


def mean_interval(values: FloatArray, level: float) -> tuple[float, float]:
    """Return the interval of the mean of k areas or rates, one a fold: mean ± t·s/√k.

    t is the quantile of Student's distribution with k − 1 degrees of freedom, s the standard
    deviation (ddof = 1). The ends are cut to [0, 1], as those of `rocwalk.fold_band` are. Fewer
    than two values have no spread and give NaN, NaN; so does a value that is NaN.

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
    reach = quantile * values.std(ddof=1) / math.sqrt(len(values))
    low, high = np.clip((values.mean() - reach, values.mean() + reach), 0.0, 1.0)
    return float(low), float(high)
