"""Power and sample size for the difference between two areas, from a pilot or from correlations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocwalk.errors import InputError, OptionError, one_of
from rocwalk.typing import FloatArray
from rocwalk.uncertainty.binormal import binormal_areas, placement_covariance
from rocwalk.uncertainty.comparison import Comparison
from rocwalk.uncertainty.power import FORMULAS, Design, PowerAnalysis
from rocwalk.uncertainty.power_checks import an_area, correlations, positive, whole
from rocwalk.uncertainty.samples import SampleComparison

NULL_VARIANCES = ("auto", "first", "same")
_PAIRED, _SEPARATE = "two areas on the same rows", "two separate areas"

Covariance = Callable[[float], FloatArray]


def difference_power(
    auc_1: float | None = None,
    auc_2: float | None = None,
    n_positives: int | None = None,
    n_negatives: int | None = None,
    *,
    correlation: float | tuple[float, float] | None = None,
    pilot: Comparison | SampleComparison | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    null_variance: str = "auto",
    formula: str = "obuchowski",
) -> PowerAnalysis:
    """Return the power of a test that two areas differ.

    Parameters
    ----------
    auc_1, auc_2
        The two areas; the first is the reference. Or leave them out and give a `pilot`.
    n_positives, n_negatives
        The numbers of items, in each sample if there are two; with a pilot its own by default.
    correlation
        Of the two models' scores on the same rows within a class: one number, or one for the
        positives and one for the negatives. None: two separate samples.
    pilot
        What `rocwalk.compare` of two models, or `rocwalk.compare_samples`, found by "delong":
        areas, variances and covariance are taken from there.
    alpha, alternative
        The level of the test, "two-sided" or "greater" (the first area is larger).
    null_variance
        The variance under the null hypothesis. "first": that of two models like the first,
        2V₁₁ − 2V₁₂, after Obuchowski & McClish and pROC; it depends on the order of the models and
        does not exist when V₁₁ < V₁₂. "same": that of the difference, V₁₁ + V₂₂ − 2V₁₂, by which
        `rocwalk.compare` divides. "auto": the first with formula="obuchowski" where it exists,
        else the same; said in `.variance_under_null`.
    formula
        Without a pilot, the covariance of two areas of normal scores of equal spread in both
        classes. "obuchowski": Obuchowski & McClish's, on the safe side. "placements": that of
        empirical areas, which meets the power that simulations find.

    From a pilot, the covariance is S₁₀/n⁺ + S₀₁/n⁻ with DeLong's S₁₀ and S₀₁, so that
    another ratio of classes is accounted for; pROC keeps the pilot's.

    References
    ----------
    Obuchowski & McClish (1997).

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.difference_power(0.9, 0.8, 100, 100, correlation=0.5)
    PowerAnalysis(of='two areas on the same rows', n_positives=100, n_negatives=100, \
power=0.886038, difference=0.1, alpha=0.05)
    """
    spread = _pilot_spread(pilot) if pilot is not None else None
    covariance = _covariance(auc_1, auc_2, correlation, spread, formula)
    published = spread is None and formula == "obuchowski"
    design = _two_areas(*covariance, alpha, alternative, null_variance, published=published)
    given = (("n_positives", n_positives), ("n_negatives", n_negatives))
    if spread is not None and n_positives is None and n_negatives is None:
        return design.result(*spread.counts)
    positives, negatives = (whole(name, value) for name, value in given)
    return design.result(positives, negatives)


def difference_sample_size(
    auc_1: float | None = None,
    auc_2: float | None = None,
    *,
    power: float = 0.8,
    ratio: float | None = None,
    correlation: float | tuple[float, float] | None = None,
    pilot: Comparison | SampleComparison | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    null_variance: str = "auto",
    formula: str = "obuchowski",
) -> PowerAnalysis:
    """Return the numbers of items with which a test finds that two areas differ.

    Parameters
    ----------
    power
        The probability with which the difference is to be found.
    ratio
        Negatives for each positive: 1, or the pilot's, by default.
    auc_1, auc_2, correlation, pilot, alpha, alternative, null_variance, formula
        As for `rocwalk.difference_power`, which has the formulas and the reference.

    Numbers are rounded up, to 2 of each class at least, in each sample if there are two.

    Examples
    --------
    >>> import rocwalk as rw
    >>> rw.difference_sample_size(0.9, 0.8, power=0.9, correlation=0.5)
    PowerAnalysis(of='two areas on the same rows', n_positives=106, n_negatives=106, \
power=0.900916, difference=0.1, alpha=0.05)
    """
    spread = _pilot_spread(pilot) if pilot is not None else None
    covariance = _covariance(auc_1, auc_2, correlation, spread, formula)
    published = spread is None and formula == "obuchowski"
    design = _two_areas(*covariance, alpha, alternative, null_variance, published=published)
    if ratio is None:
        ratio = 1.0 if spread is None else spread.counts[1] / spread.counts[0]
    return design.sized(power, positive("ratio", ratio))


@dataclass(frozen=True, eq=False)
class PilotSpread:
    """Two areas of a pilot with 2 × 2 covariances of one positive and of one negative."""

    of: str
    areas: tuple[float, float]
    positives: FloatArray
    negatives: FloatArray
    counts: tuple[int, int]

    def covariance(self, ratio: float) -> FloatArray:
        """Return n⁺ times the covariance of the areas: S₁₀ + S₀₁/κ."""
        return self.positives + self.negatives / ratio


def _pilot_spread(pilot: Any) -> PilotSpread:
    """Return what a comparison tells of the spread, or raise if it does not."""
    if isinstance(pilot, Comparison) and pilot.spread is not None and len(pilot.names) == 2:
        spread, (one, other) = pilot.spread, pilot.estimates.values()
        counts = (spread.n_positives, spread.n_negatives)
        matrices = (spread.positives, spread.negatives)
        return PilotSpread(_PAIRED, (one, other), *matrices, counts)
    if isinstance(pilot, SampleComparison) and pilot.spreads is not None:
        first, second = pilot.spreads
        ups = np.diag([first.positives[0, 0], second.positives[0, 0]])
        rights = np.diag([first.negatives[0, 0], second.negatives[0, 0]])
        counts = (
            min(first.n_positives, second.n_positives),
            min(first.n_negatives, second.n_negatives),
        )
        return PilotSpread(_SEPARATE, pilot.estimates, ups, rights, counts)
    raise InputError(
        f"The pilot, a {type(pilot).__name__}, does not have the spread of two areas.",
        "pass what rocwalk.compare of two models, or rocwalk.compare_samples, gives for hard "
        "labels and statistic='auc' without clusters.",
    )


def _covariance(
    auc_1: float | None,
    auc_2: float | None,
    correlation: Any,
    spread: PilotSpread | None,
    formula: str,
) -> tuple[str, tuple[float, float], Covariance]:
    """Return what is compared, the areas, and n⁺ times their covariance as a function of κ."""
    one_of("formula", formula, FORMULAS)
    if spread is None:
        areas = an_area("auc_1", auc_1), an_area("auc_2", auc_2)
        both = correlations(correlation)
        of = binormal_areas if formula == "obuchowski" else placement_covariance
        kind = _SEPARATE if correlation is None else _PAIRED
        return kind, areas, lambda ratio: of(areas, both, ratio)
    if any(value is not None for value in (auc_1, auc_2, correlation)):
        raise OptionError(
            "Areas or a correlation are given beside a pilot.",
            "a pilot brings its own; leave it or them out.",
        )
    return spread.of, spread.areas, spread.covariance


def _two_areas(
    of: str,
    areas: tuple[float, float],
    covariance: Covariance,
    alpha: float,
    alternative: str,
    null_variance: str,
    *,
    published: bool,
) -> Design:
    """Return the design of a test of two areas."""
    one_of("null_variance", null_variance, NULL_VARIANCES)
    under_null = _under_null(covariance(1.0), null_variance, published=published)

    def variances(ratio: float) -> tuple[float, float]:
        return null_and_truth(covariance(ratio), under_null)

    return Design(of, areas, areas[0] - areas[1], alpha, alternative, variances, under_null)


def _under_null(covariance: FloatArray, asked: str, *, published: bool) -> str:
    """Return which variance to use under the null hypothesis."""
    exists = covariance[0, 0] >= covariance[0, 1]
    if asked == "first" and not exists:
        raise OptionError(
            "The first area varies less than the two vary together, so that null_variance='first' "
            "would be negative.",
            "name the other model first, or use null_variance='same'.",
        )
    if asked == "auto":
        return "first" if published and exists else "same"
    return asked


def null_and_truth(covariance: FloatArray, under_null: str) -> tuple[float, float]:
    """Return the variances of the difference under the null hypothesis and at the truth."""
    (first, both), (_, second) = covariance.tolist()
    truth = max(first + second - 2 * both, 0.0)
    return (max(2 * first - 2 * both, 0.0) if under_null == "first" else truth), truth
