"""One test of several models at once: whether all of them have the same value of a statistic."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.inference.distributions import NOISE, chi_squared_above, p_words
from rocwalk.result import Result
from rocwalk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Omnibus(Result):
    """The test of equal values in all models: χ² of the contrasts against their covariance.

    `statistic` is χ² with `df` degrees of freedom, and `p_value` its upper tail; with `df_error` it
    is that of Hotelling's F, which knows that the covariance was estimated from few items.
    """

    of: str
    statistic: float
    df: int
    p_value: float
    models: int
    df_error: float | None = None

    @property
    def sentence(self) -> str:
        """The test in words."""
        if math.isnan(self.p_value):
            return (
                f"Whether all {self.models} models are equal in {self.of} cannot be tested: they "
                "differ, and show no spread."
            )
        by = " (Hotelling's F)"
        return (
            f"All {self.models} models equal in {self.of}: χ² = {self.statistic:.3g}, "
            f"{self.df} df, {p_words(self.p_value)}{'' if self.df_error is None else by}."
        )

    def _headline(self) -> dict[str, Any]:
        return {
            "of": self.of,
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.p_value,
            "models": self.models,
            "df_error": self.df_error,
        }


def omnibus_of(
    name: str, estimates: FloatArray, covariance: FloatArray, df_error: float | None = None
) -> Omnibus:
    """Return the test of equal estimates, χ² = (Lθ)ᵀ(LSLᵀ)⁻(Lθ), L the contrasts with the mean.

    The generalised inverse leaves out contrasts without variance, such as that of two models which
    order all items alike; the degrees of freedom are the rank. A contrast without variance that is
    not 0 cannot be tested: NaN. With `df_error` = ν, χ²·(ν − q + 1)/(νq) is compared with
    F(q, ν − q + 1) for q degrees of freedom (Hotelling 1931), if ν ≥ q.

    References
    ----------
    DeLong, DeLong & Clarke-Pearson (1988), eq. 5; Hotelling (1931).
    """
    size = len(estimates)
    apart = np.eye(size) - 1 / size
    values, axes = np.linalg.eigh(apart @ covariance @ apart)
    along = axes.T @ (apart @ estimates)
    scale = max(float(np.max(np.abs(covariance))), NOISE**2)
    kept = values > size * 1e-12 * scale
    df = int(np.count_nonzero(kept))
    if np.isnan(along).any() or np.any(np.abs(along[~kept]) > math.sqrt(NOISE)):
        return Omnibus(of=name, statistic=math.nan, df=df, p_value=math.nan, models=size)
    statistic = float(np.sum(along[kept] ** 2 / values[kept]))
    if df == 0:
        return Omnibus(of=name, statistic=0.0, df=0, p_value=1.0, models=size)
    if df_error is None or df_error < df:
        df_error, p_value = None, chi_squared_above(statistic, df)
    else:
        left = df_error - df + 1
        p_value = chi_squared_above(statistic * left / df_error, df, left)
    return Omnibus(
        of=name, statistic=statistic, df=df, p_value=p_value, models=size, df_error=df_error
    )
