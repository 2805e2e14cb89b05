"""Obuchowski & Rockette's analysis of a two-way table of tests and readers.

θ_ij is the AUC, or another statistic, of test i and reader j; S is the covariance of the θ_ij over
cases. Its averages

    Var (the diagonal), Cov1 (same reader, other test), Cov2 (same test, other reader),
    Cov3 (other test and other reader)

and the mean squares of a two-way table of t tests and r readers

    MS(T) = r·Σ(θ_i· − θ··)²/(t − 1),  MS(TR) = ΣΣ(θ_ij − θ_i· − θ_·j + θ··)²/((t − 1)(r − 1))

give one test of equal tests, the mean of each test and the difference of every pair of them.

References
----------
Obuchowski, Rockette (1995). Hypothesis testing of diagnostic accuracy for multiple readers and
multiple tests: an ANOVA approach with dependent observations. Communications in Statistics -
Simulation and Computation 24, 285-308.
Hillis (2007). A comparison of denominator degrees of freedom methods for multiple observer ROC
analysis. Statistics in Medicine 26, 596-619.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.inference.distributions import NOISE, chi_squared_above, quantile
from rocwalk.inference.interval_result import Interval
from rocwalk.inference.request import Request
from rocwalk.result import Result
from rocwalk.typing import FloatArray

METHOD = "obuchowski-rockette"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReaderComponents(Result):
    """The components of variance of a reader study.

    Attributes
    ----------
    var, cov1, cov2, cov3
        Averages of the covariance over cases: of a reader and test with itself, of the same reader
        and two tests, of the same test and two readers, and where both differ.
    ms_test, ms_test_reader
        The mean squares of tests, and of tests by readers.
    """

    var: float
    cov1: float
    cov2: float
    cov3: float
    ms_test: float
    ms_test_reader: float

    @property
    def readers_apart(self) -> float:
        """max(Cov2 − Cov3, 0): what readers share of a test beyond what they share of the cases."""
        return max(self.cov2 - self.cov3, 0.0)

    def _headline(self) -> dict[str, Any]:
        names = ("var", "cov1", "cov2", "cov3", "ms_test", "ms_test_reader")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ReaderMean(Interval):
    """The mean of a test over readers, with its interval; `df` is None for the normal's."""

    test: Any
    df: float | None = None

    @property
    def sentence(self) -> str:
        """The mean in words."""
        return f"{self.test}: mean {Interval.sentence.fget(self)}"  # type: ignore[attr-defined]

    def _headline(self) -> dict[str, Any]:
        return {"test": self.test, **Interval._headline(self), "df": self.df}  # noqa: SLF001


def components_of(areas: FloatArray, matrix: FloatArray) -> ReaderComponents:
    """Return the averages of the covariance, and the mean squares of tests and of tests by readers.

    `areas` has one row a test and one column a reader; `matrix` has the same order, row by row.
    """
    tests, readers = areas.shape
    test, reader = (axis.ravel() for axis in np.indices(areas.shape))
    same_test, same_reader = test[:, None] == test, reader[:, None] == reader
    of_test, of_reader = areas.mean(axis=1), areas.mean(axis=0)
    rest = areas - of_test[:, None] - of_reader + areas.mean()
    return ReaderComponents(
        var=float(matrix[same_test & same_reader].mean()),
        cov1=float(matrix[~same_test & same_reader].mean()),
        cov2=float(matrix[same_test & ~same_reader].mean()),
        cov3=float(matrix[~same_test & ~same_reader].mean()),
        ms_test=float(readers * ((of_test - areas.mean()) ** 2).sum() / (tests - 1)),
        ms_test_reader=float((rest**2).sum() / ((tests - 1) * (readers - 1))),
    )


def error_of(
    components: ReaderComponents, tests: int, r: int, *, readers: str, cases: str
) -> tuple[float, float | None]:
    """Return the error of tests E, the denominator of F, and its degrees of freedom (Hillis 2007).

    None is infinite.
    """
    freedom = float((tests - 1) * (r - 1))
    apart = components.readers_apart
    if readers == "fixed":
        return components.var - components.cov1 + (r - 1) * apart, None
    if cases == "fixed":
        return components.ms_test_reader, freedom
    error = components.ms_test_reader + r * apart
    if components.ms_test_reader <= NOISE * error:
        return error, None
    return error, error**2 / (components.ms_test_reader**2 / freedom)


def global_test(
    ms_test: float, error: float, df_test: int, df: float | None
) -> tuple[float, float]:
    """Return F = MS(T)/E and its p-value; NaN where the error is 0."""
    if not error > NOISE**2:
        return math.nan, math.nan
    f = ms_test / error
    return f, chi_squared_above(df_test * f, df_test, df)


def of_test(matrix: FloatArray, i: int, readers: int) -> FloatArray:
    """Return the covariance of the readers of one test."""
    place = slice(i * readers, (i + 1) * readers)
    return matrix[place, place]


def mean_of(
    test: Any,
    areas: FloatArray,
    matrix: FloatArray,
    request: Request,
    *,
    readers: str,
    cases: str,
) -> ReaderMean:
    """Return the mean of one test over its readers, with its interval."""
    r = len(areas)
    var = float(np.trace(matrix)) / r
    cov2 = max((float(matrix.sum()) - r * var) / (r * (r - 1)), 0.0)
    ms_reader = float(areas.var(ddof=1))
    df: float | None
    if readers == "fixed":
        square, df = (var + (r - 1) * cov2) / r, None
    elif cases == "fixed":
        square, df = ms_reader / r, r - 1.0
    else:
        both = ms_reader + r * cov2
        square, df = both / r, None
        if ms_reader > NOISE * both:
            df = both**2 / (ms_reader**2 / (r - 1))
    error, mean = math.sqrt(max(square, 0.0)), float(areas.mean())
    reach = quantile(request.tails[1], df) * error if error > NOISE else math.nan
    lowest, highest = request.statistic.range
    return ReaderMean(
        test=test,
        statistic=request.statistic.name,
        estimate=mean,
        low=min(max(mean - reach, lowest), highest),
        high=max(min(mean + reach, highest), lowest),
        standard_error=error,
        method=METHOD,
        confidence_level=float(request.level),
        df=df,
    )
